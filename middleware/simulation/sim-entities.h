/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sim-answer.h"

/* The entities of a scene: objects without a parent, and robots. Objects that are marked as named
 * poses are none. */

typedef struct _SimEntities SimEntities;

/* In the setup of a part. */
SimEntities *sim_entities_new (OrrerySetup *setup);
void sim_entities_free (SimEntities *entities);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SimEntities, sim_entities_free)

/* What answers a request. @is_stopped: whether the run is at its start; @time: of the stamps */
typedef struct {
  SimEntities *entities;
  GVariant *request; /* `a{sv}` */
  gboolean is_stopped;
  OrreryTime time;
  SimAnswer *answer;
} SimQuestion;

/* For what is spawned. Whether an entity with the name is there now. */
gboolean sim_entities_has (SimEntities *entities, const char *name);
/* @place: of an object that may be spawned. Returns: (transfer floating): a Spawnable */
GVariant *sim_entities_describe_spawnable (SimEntities *entities, const char *name,
                                           const char *place);
/* Whether a std_msgs/Header names the frame of the world, or none. */
gboolean sim_is_world_frame (GVariant *header);

void sim_get_entities (const SimQuestion *question);
void sim_get_entities_states (const SimQuestion *question);
void sim_get_entity_state (const SimQuestion *question);
void sim_set_entity_state (const SimQuestion *question);
void sim_get_entity_info (const SimQuestion *question);
void sim_set_entity_info (const SimQuestion *question);
void sim_get_entity_bounds (const SimQuestion *question);
void sim_get_named_poses (const SimQuestion *question);
void sim_get_named_pose_bounds (const SimQuestion *question);
