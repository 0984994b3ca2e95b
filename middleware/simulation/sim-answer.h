/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Answers of simulation_interfaces: a Result and what else a response has. */

/* simulation_interfaces/msg/Result, and what single services add. */
typedef enum {
  SIM_UNSUPPORTED = 0,
  SIM_OK = 1,
  SIM_NOT_FOUND = 2,
  SIM_INCORRECT_STATE = 3,
  SIM_FAILED = 4,
  SIM_INVALID_POSE = 101,         /* SetEntityState */
  SIM_ALREADY_THERE = 101,        /* SetSimulationState */
  SIM_TRANSITION_FAILED = 102,    /* SetSimulationState */
  SIM_INCORRECT_TRANSITION = 103, /* SetSimulationState */
  SIM_NAME_NOT_UNIQUE = 101,      /* SpawnEntity, and all below */
  SIM_NAME_INVALID = 102,
  SIM_UNSUPPORTED_FORMAT = 103,
  SIM_NO_RESOURCE = 104,
  SIM_NAMESPACE_INVALID = 105,
  SIM_RESOURCE_INVALID = 106,
  SIM_SPAWN_POSE_INVALID = 109,
  SIM_NOT_ALL_SPAWNED = 150, /* SpawnEntities */
} SimCode;

typedef struct {
  SimCode code;
  char *words;           /* (nullable): why it is not SIM_OK */
  GVariantBuilder *rest; /* (nullable): other fields of the response, `a{sv}` */
} SimAnswer;

/* Returns: whether the code is SIM_OK */
gboolean sim_answer_set (SimAnswer *answer, SimCode code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* @value: a floating one is sunk */
void sim_answer_add (SimAnswer *answer, const char *field, GVariant *value);
void sim_answer_clear (SimAnswer *answer);
/* Returns: (transfer floating): the Result */
GVariant *sim_answer_get_result (const SimAnswer *answer);

/* Parts of messages as message/variant.h has them. A field that is missing is 0 or empty. */
gint64 sim_get_integer (GVariant *message, const char *field);
double sim_get_number (GVariant *message, const char *field);
char *sim_get_text (GVariant *message, const char *field);
OrreryVec3 sim_get_vector (GVariant *message, const char *field);
/* A geometry_msgs/Pose. FALSE: it is none: a number is not finite, or there is no rotation */
gboolean sim_get_pose (GVariant *message, const char *field, OrreryTransform *pose);
GVariant *sim_vector (const OrreryVec3 *vector);
GVariant *sim_pose (const OrreryTransform *pose);
