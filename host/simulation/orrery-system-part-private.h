/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"
#include "simulation/orrery-instance-private.h"

/* A part of the simulation itself, with services that concern it as a whole. */
#define ORRERY_TYPE_SYSTEM_PART (orrery_system_part_get_type ())
G_DECLARE_DERIVABLE_TYPE (OrrerySystemPart, orrery_system_part, ORRERY, SYSTEM_PART, OrreryPart)

struct _OrrerySystemPartClass {
  OrreryPartClass parent_class;

  gpointer _reserved[8];
};

/* The parts of each simulation: the services `simulation`, `time` and `communication`. Ended by one
 * without a name; parts of one name answer to it together. */
typedef struct {
  const char *name;
  GType (*get_type) (void);
} OrrerySystemPartDesc;
extern const OrrerySystemPartDesc orrery_system_parts[];

GType orrery_supervision_get_type (void);
GType orrery_time_services_get_type (void);
GType orrery_communication_get_type (void);
GType orrery_state_services_get_type (void);
GType orrery_viewer_services_get_type (void);
GType orrery_spawn_services_get_type (void);
GType orrery_change_services_get_type (void);

/* Changes of the world that may wait for a tick: more than any tick of a scene stages itself. */
#define ORRERY_MAX_STAGED 250000u

/* A part named `name`, of an instance that it borrows. */
OrreryPart *orrery_system_part_new (GType type, const char *name, OrreryInstance *instance);
OrreryInstance *orrery_system_part_get_instance (OrreryPart *part);
OrrerySimulation *orrery_system_part_get_simulation (OrreryPart *part);
/* Called when the instance is freed; other code may keep the part. */
void orrery_system_part_leave (OrreryPart *part);

/* Of an argument: (transfer full): what a variant holds, or @value itself. */
GVariant *orrery_system_part_unbox (GVariant *value);
/* Reads a list of @n finite numbers. FALSE: it is none */
gboolean orrery_system_part_read_numbers (GVariant *list, gsize n, double *out);

/* Of two arguments, a position and an orientation, what is not null. FALSE: one of them is none;
 * ORRERY_NO_POSE says so. */
gboolean orrery_system_part_read_pose (OrreryCall *call, guint argument, OrreryTransform *pose);
#define ORRERY_NO_POSE                                                                             \
  "a position is [x, y, z], an orientation [roll, pitch, yaw] or a quaternion [x, y, z, w] that "  \
  "is not 0, all finite"
/* The other way: adds both to a list of arguments, `av`. */
void orrery_system_part_add_pose (GVariantBuilder *arguments, const OrreryTransform *pose);
/* The same as orrery_simulation_call(), for what has its answer at once. @arguments: floating.
 * Returns: (transfer full) (nullable) */
GVariant *orrery_system_part_ask (OrrerySimulation *simulation, const char *service,
                                  GVariant *arguments, GError **error);

/* Defines a type of its own with the table `services`. */
#define ORRERY_DEFINE_SYSTEM_PART(TypeName, type_name)                                             \
  typedef struct {                                                                                 \
    OrrerySystemPart parent_instance;                                                              \
  } TypeName;                                                                                      \
  typedef struct {                                                                                 \
    OrrerySystemPartClass parent_class;                                                            \
  } TypeName##Class;                                                                               \
  ORRERY_DEFINE_FINAL_TYPE (TypeName, type_name, ORRERY_TYPE_SYSTEM_PART)                          \
                                                                                                   \
  static void type_name##_class_init (TypeName##Class *klass)                                      \
  {                                                                                                \
    ORRERY_CLASS_SET_SERVICES (klass, services);                                                   \
  }
