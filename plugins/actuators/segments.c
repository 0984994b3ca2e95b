/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.actuators.segments.Segments: what orrery.actuators.pa_10.PA10 is, without its geometry:
 * six joints, one on the other, that all turn at one speed. What else is on it moves with the last
 * one.
 */
#include "arm.h"
#include "full_step.h"

#include <string.h>

enum { N_SEGMENTS = 6 };

typedef struct {
  double seg0, seg1, seg2, seg3, seg4, seg5;
} SegmentsData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SegmentsData, seg0, "rad", "Angle of the first joint"),
  ORRERY_FIELD (SegmentsData, seg1, "rad", "Angle of the second joint"),
  ORRERY_FIELD (SegmentsData, seg2, "rad", "Angle of the third joint"),
  ORRERY_FIELD (SegmentsData, seg3, "rad", "Angle of the fourth joint"),
  ORRERY_FIELD (SegmentsData, seg4, "rad", "Angle of the fifth joint"),
  ORRERY_FIELD (SegmentsData, seg5, "rad", "Angle of the sixth joint"),
};

/* A child of the arm, as it is on the last link when all angles are 0. */
typedef struct {
  OrreryObject *object;
  OrreryTransform mounting;
} Load;

typedef struct {
  OrreryActuator parent_instance;
  double speed;     /* rad/s */
  double tolerance; /* rad */
  Arm *arm;
  GArray *loads; /* (element-type Load) */
  double angles[N_SEGMENTS];
  gboolean placed; /* whether the objects are where the angles say */
} OrrerySegments;
ORRERY_DEFINE_CLASS (OrrerySegments, orrery_segments, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrrerySegments, speed, "Speed", 0, 1e6, 1, "How fast joints turn, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrrerySegments, tolerance, "Tolerance", 0, G_PI, 5 * G_PI / 180,
                          "How near is near enough, rad"),
};

static void
set_rotation_array (OrreryPart *part, OrreryCall *call, GError **error)
{
  double *goals = orrery_component_get_data (part);

  for (guint i = 0; i < N_SEGMENTS; i++)
    goals[i] = orrery_call_get_double (call, i);
}

static const OrreryService services[] = {
  { "set_rotation_array", set_rotation_array, ORRERY_SERVICE_IMMEDIATE,
    "seg0:d=0.0 seg1:d=0.0 seg2:d=0.0 seg3:d=0.0 seg4:d=0.0 seg5:d=0.0",
    "Turns each joint to an angle, rad" },
};

/* --- the law --- */

static void
place (OrrerySegments *self, OrreryTick *tick)
{
  OrreryCommands *commands = orrery_tick_get_commands (tick);
  OrreryTransform poses[N_SEGMENTS];

  for (guint i = 0; i < N_SEGMENTS; i++)
    orrery_commands_put_joint (commands, arm_get (self->arm, i)->object, self->angles[i]);
  arm_forward (self->arm, self->angles, poses);
  for (guint i = 0; i < self->loads->len; i++) {
    const Load *load = &g_array_index (self->loads, Load, i);
    OrreryTransform pose;

    orrery_transform_multiply (&poses[N_SEGMENTS - 1], &load->mounting, &pose);
    orrery_commands_set_pose (commands, load->object, &pose);
  }
}

static void
orrery_segments_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrrerySegments *self = (OrrerySegments *) actuator;
  const double *goals = orrery_record_data (record);
  double period = orrery_component_get_period (ORRERY_COMPONENT (actuator));
  double reach = self->speed * period;

  for (guint i = 0; i < N_SEGMENTS; i++) {
    double way = orrery_normalise_angle (goals[i] - self->angles[i]);
    double step = full_step (way, reach, self->tolerance);

    if (step == 0)
      continue;
    self->angles[i] = arm_clamp (self->arm, i, self->angles[i] + step);
    self->placed = FALSE;
  }
  if (!self->placed)
    place (self, tick);
  self->placed = TRUE;
}

/* --- set-up and state --- */

static gboolean
leads_to_joint (Arm *arm, OrreryObject *child)
{
  for (OrreryObject *o = arm_get (arm, 0)->object; o != NULL; o = orrery_object_get_parent (o))
    if (o == child)
      return TRUE;
  return FALSE;
}

static void
find_loads (OrrerySegments *self, OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);
  OrreryTransform poses[N_SEGMENTS];

  arm_forward (self->arm, self->angles, poses);
  g_clear_pointer (&self->loads, g_array_unref);
  self->loads = g_array_new (FALSE, FALSE, sizeof (Load));
  for (guint i = 0; i < children->len; i++) {
    Load load = { .object = children->pdata[i] };
    GVariant *internal = orrery_object_get_value (load.object, "internal");

    if (leads_to_joint (self->arm, load.object) || internal != NULL)
      continue;
    orrery_transform_relative (&poses[N_SEGMENTS - 1], orrery_object_get_start (load.object),
                               &load.mounting);
    g_array_append_val (self->loads, load);
  }
}

static void
orrery_segments_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySegments *self = (OrrerySegments *) part;
  OrreryObject *object = orrery_setup_get_object (setup);

  g_clear_pointer (&self->arm, arm_free);
  self->arm = arm_new (object, setup);
  if (self->arm->joints->len != N_SEGMENTS) {
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "%s: it has %u joints below, and needs 6; orrery.actuators.pa_10.PA10 brings them",
        orrery_part_get_name (part), self->arm->joints->len);
    return;
  }
  memset (self->angles, 0, sizeof self->angles);
  self->placed = FALSE;
  find_loads (self, object);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrrerySegments, angles[0]), ORRERY_STATE (OrrerySegments, angles[1]),
  ORRERY_STATE (OrrerySegments, angles[2]), ORRERY_STATE (OrrerySegments, angles[3]),
  ORRERY_STATE (OrrerySegments, angles[4]), ORRERY_STATE (OrrerySegments, angles[5]),
};

static void
orrery_segments_restore (OrreryPart *part, GVariant *state, GError **error)
{
  ((OrrerySegments *) part)->placed = FALSE;
}

static void
orrery_segments_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  double *goals = orrery_record_data (record);

  for (guint i = 0; i < N_SEGMENTS; i++)
    goals[i] = ((OrrerySegments *) actuator)->angles[i];
}

static void
orrery_segments_class_init (OrrerySegmentsClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_segments_setup;
  ORRERY_PART_CLASS (klass)->restore = orrery_segments_restore;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_segments_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_segments_halt;
  ORRERY_CLASS_SET_DATA (klass, SegmentsData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrrerySegments, states);
  ORRERY_CLASS_OWNS (klass, OrrerySegments, arm, arm_free);
  ORRERY_CLASS_OWNS (klass, OrrerySegments, loads, g_array_unref);
}

ORRERY_PLUGIN ("Six joints that turn at one speed", "BSD-3-Clause",
               ORRERY_CLASS (Segments, OrrerySegments, orrery_segments))
