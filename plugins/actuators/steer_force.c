/* SPDX-License-Identifier: BSD-3-Clause */
/* Steering, engine and brakes of a car. */
#include <orrery.h>

typedef struct {
  double steer;
  double force;
  double brake;
} SteerForceData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SteerForceData, steer, "rad", "How far the front wheels turn to the left"),
  ORRERY_FIELD (SteerForceData, force, "", "Of the engine; below 0 forwards"),
  ORRERY_FIELD (SteerForceData, brake, "", "Of the brakes"),
};

/* The share of a front or rear wheel, as in MORSE: N for a force of 1; for a brake of 1, N s in a
 * substep, which for wheels that are no rays is one of 1/120 s. */
#define ENGINE_SHARE 0.4
#define FRONT_BRAKE 0.1
#define REAR_BRAKE 1.3
#define SUBSTEPS 120

typedef struct {
  OrreryObject *object;
  gboolean front;
} Wheel;

/*
 * Drives a car: steers the wheels that are ahead of the middle, all by the same angle, pushes at
 * all, brakes mostly at the rear.
 */
typedef struct {
  OrreryActuator parent_instance;
  GArray *wheels; /* (element-type Wheel) */
} OrrerySteerForce;
ORRERY_DEFINE_CLASS (OrrerySteerForce, orrery_steer_force, OrreryActuator, orrery_actuator)

/* Forwards is across the axles. */
static double
get_ahead (const OrreryWheel *wheel)
{
  return wheel->mount.x * wheel->axle.y - wheel->mount.y * wheel->axle.x;
}

static void
sort_wheels (OrrerySteerForce *self, double middle)
{
  for (guint i = 0; i < self->wheels->len; i++) {
    Wheel *found = &g_array_index (self->wheels, Wheel, i);

    found->front = get_ahead (orrery_object_get_wheel (found->object)) > middle;
  }
}

static void
orrery_steer_force_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySteerForce *self = (OrrerySteerForce *) part;
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));
  GPtrArray *children = orrery_object_get_children (orrery_component_get_object (robot));
  double middle = 0;

  g_clear_pointer (&self->wheels, g_array_unref);
  self->wheels = g_array_new (FALSE, FALSE, sizeof (Wheel));
  for (guint i = 0; i < children->len; i++) {
    const OrreryWheel *wheel = orrery_object_get_wheel (children->pdata[i]);
    Wheel found = { .object = children->pdata[i] };

    if (wheel == NULL)
      continue;
    middle += get_ahead (wheel);
    g_array_append_val (self->wheels, found);
  }
  if (self->wheels->len == 0) {
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "%s: its robot %s has no wheels; orrery.core.wheeled_robot.RaycastVehicle has",
        orrery_part_get_name (part), orrery_part_get_classpath (ORRERY_PART (robot)));
    return;
  }
  sort_wheels (self, middle / self->wheels->len);
}

static void
orrery_steer_force_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrrerySteerForce *self = (OrrerySteerForce *) actuator;
  const SteerForceData *in = orrery_record_data (record);

  for (guint i = 0; i < self->wheels->len; i++) {
    const Wheel *wheel = &g_array_index (self->wheels, Wheel, i);
    double share = wheel->front ? FRONT_BRAKE : REAR_BRAKE;
    gboolean ray = orrery_object_get_wheel (wheel->object)->ray;
    OrreryWheelDrive drive = { .steer = wheel->front ? in->steer : 0,
                               .force = -ENGINE_SHARE * in->force,
                               .brake = MAX (in->brake, 0) * share * (ray ? 1 : SUBSTEPS) };

    orrery_commands_drive_wheel (orrery_tick_get_commands (tick), wheel->object, &drive);
  }
}

static void
orrery_steer_force_class_init (OrrerySteerForceClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_steer_force_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_steer_force_act;
  ORRERY_CLASS_SET_DATA (klass, SteerForceData, fields);
  ORRERY_CLASS_OWNS (klass, OrrerySteerForce, wheels, g_array_unref);
}

ORRERY_PLUGIN ("Steering, engine and brakes of a car", "BSD-3-Clause",
               ORRERY_CLASS (SteerForce, OrrerySteerForce, orrery_steer_force))
