/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.actuators.pan_tilt.PanTilt: what orrery.actuators.ptu.PTU is, without its geometry. Its
 * object has a child PanBase, that has a child TiltBase; whatever else is on it moves with
 * TiltBase.
 */
#include "full_step.h"

#include <math.h>
#include <string.h>

typedef struct {
  double pan;
  double tilt;
} PanTiltData;

static const OrreryField fields[] = {
  ORRERY_FIELD (PanTiltData, pan, "rad", "How far to turn to the left"),
  ORRERY_FIELD (PanTiltData, tilt, "rad", "How far to turn down"),
};

/* A child of the unit, as it is on TiltBase when both angles are 0. */
typedef struct {
  OrreryObject *object;
  OrreryTransform mounting;
} Load;

typedef struct {
  OrreryActuator parent_instance;
  double speed;     /* rad/s */
  double tolerance; /* rad */
  gboolean manual;

  OrreryWorld *world;
  OrreryObject *pan_base;
  OrreryObject *tilt_base;
  GArray *loads; /* (element-type Load) */
  double pan;    /* rad, now */
  double tilt;
  gboolean placed; /* whether the objects are where the angles say */
} OrreryPanTilt;
ORRERY_DEFINE_CLASS (OrreryPanTilt, orrery_pan_tilt, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryPanTilt, speed, "Speed", 0, 1e6, 1, "How fast it turns, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryPanTilt, tolerance, "Tolerance", 0, G_PI, 0.3 * G_PI / 180,
                          "How near is near enough, rad"),
  ORRERY_PROPERTY_BOOLEAN (OrreryPanTilt, manual, "Manual", FALSE,
                           "Whether it stays as it is: calls wait"),
};

/* --- services --- */

static void
set_pan_tilt (OrreryPart *part, OrreryCall *call, GError **error)
{
  *(PanTiltData *) orrery_component_get_data (part) =
      (PanTiltData){ orrery_call_get_double (call, 0), orrery_call_get_double (call, 1) };
}

static void
get_pan_tilt (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryPanTilt *self = (OrreryPanTilt *) part;
  const double angles[] = { self->pan, self->tilt };

  orrery_call_return (call, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, angles, 2,
                                                       sizeof (double)));
}

/* @point: m, world. As in MORSE, only yaw and pitch of the robot and the position of the unit are
 * used. */
static void
look_at (OrreryPanTilt *self, const OrreryVec3 *point)
{
  OrreryComponent *component = ORRERY_COMPONENT (self);
  const OrreryVec3 *here = &orrery_component_get_pose (component)->position;
  OrreryVec3 way = orrery_vec3_subtract (point, here);
  double roll, pitch, yaw;

  orrery_quat_to_euler (
      &orrery_component_get_pose (orrery_component_get_robot (component))->rotation, &roll, &pitch,
      &yaw);
  *(PanTiltData *) orrery_component_get_data (self) =
      (PanTiltData){ atan2 (way.y, way.x) - yaw, pitch - atan2 (way.z, hypot (way.x, way.y)) };
}

static void
look_at_point (OrreryPart *part, OrreryCall *call, GError **error)
{
  look_at ((OrreryPanTilt *) part,
           &(OrreryVec3){ orrery_call_get_double (call, 0), orrery_call_get_double (call, 1),
                          orrery_call_get_double (call, 2) });
}

/* As in MORSE, a name that there is none of is told, and the call succeeds once the unit is where
 * it went before. */
static void
look_at_object (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryPanTilt *self = (OrreryPanTilt *) part;
  const char *name = orrery_call_get_text (call, 0);
  OrreryObject *object = orrery_world_find_object (self->world, name);

  if (object == NULL) {
    g_autofree const char **names = orrery_world_get_names (self->world);
    g_autofree char *nearest = orrery_nearest_names (name, names);

    orrery_part_warning (part, "look_at_object: no object '%.60s' in the scene%s; it does not move",
                         name, nearest);
    return;
  }
  look_at (self, &orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world),
                                            orrery_object_get_index (object))
                      ->position);
}

#define LONG (ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE)

static const OrreryService services[] = {
  { "set_pan_tilt", set_pan_tilt, LONG, "pan:d tilt:d", "Turns; succeeds when it is there" },
  { "get_pan_tilt", get_pan_tilt, ORRERY_SERVICE_IMMEDIATE, "", "Both angles: [pan, tilt]" },
  { "look_at_point", look_at_point, LONG, "x:d y:d z:d",
    "Turns to a point of the world; succeeds when it is there" },
  { "look_at_object", look_at_object, LONG, "obj_name:s",
    "Turns to where the object is now; succeeds when it is there. Of a name that there is none of "
    "the log tells" },
};

/* It stays as it is. */
static void
orrery_pan_tilt_cancel (OrreryPart *part, OrreryCall *call)
{
  OrreryPanTilt *self = (OrreryPanTilt *) part;

  *(PanTiltData *) orrery_component_get_data (part) = (PanTiltData){ self->pan, self->tilt };
}

/* --- the law --- */

/* @angle: goes to @target, by way of 0; returns whether it was there. */
static gboolean
follow (double *angle, double target, double reach, double tolerance)
{
  double error = orrery_normalise_angle (target) - *angle;
  double step = full_step (error, reach, tolerance);

  /* A goal near half a circle is not to be passed: the way back is a whole turn. */
  if (fabs (*angle + step) > G_PI)
    step = error;
  *angle = orrery_normalise_angle (*angle + step);
  return step == 0;
}

static void
place (OrreryPanTilt *self, OrreryTick *tick)
{
  OrreryCommands *commands = orrery_tick_get_commands (tick);
  OrreryTransform pan = *orrery_object_get_start (self->pan_base);
  OrreryTransform tilt = *orrery_object_get_start (self->tilt_base);
  OrreryTransform top;

  orrery_quat_from_euler (0, 0, self->pan, &pan.rotation);
  orrery_quat_from_euler (0, self->tilt, 0, &tilt.rotation);
  orrery_commands_set_pose (commands, self->pan_base, &pan);
  orrery_commands_set_pose (commands, self->tilt_base, &tilt);
  orrery_transform_multiply (&pan, &tilt, &top);
  for (guint i = 0; i < self->loads->len; i++) {
    const Load *load = &g_array_index (self->loads, Load, i);
    OrreryTransform pose;

    orrery_transform_multiply (&top, &load->mounting, &pose);
    orrery_commands_set_pose (commands, load->object, &pose);
  }
}

static void
orrery_pan_tilt_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrreryPanTilt *self = (OrreryPanTilt *) actuator;
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  const PanTiltData *in = orrery_record_data (record);
  OrreryCall *call = orrery_component_get_call (component);
  double period = orrery_component_get_period (component);
  gboolean there = FALSE;

  if (!self->manual) {
    there = follow (&self->pan, in->pan, self->speed * period, self->tolerance);
    there = follow (&self->tilt, in->tilt, self->speed * period, self->tolerance) && there;
  }
  if (!there || !self->placed)
    place (self, tick);
  self->placed = TRUE;
  if (there && call != NULL)
    orrery_call_return (call, NULL);
}

/* --- set-up and state --- */

static OrreryObject *
find_child (OrreryObject *object, const char *name, GError **error)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    const char *own = orrery_object_get_basename (children->pdata[i]);
    const char *rest = g_str_has_prefix (own, name) ? own + strlen (name) : NULL;

    if (rest != NULL && (*rest == '\0' || *rest == '_'))
      return children->pdata[i];
  }
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "%s: a pan-tilt unit has a child PanBase, that has a child TiltBase; "
                    "orrery.actuators.ptu.PTU brings both",
                    orrery_object_get_name (object));
  return NULL;
}

static void
orrery_pan_tilt_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryPanTilt *self = (OrreryPanTilt *) part;
  OrreryObject *object = orrery_setup_get_object (setup);
  GPtrArray *children = orrery_object_get_children (object);
  OrreryTransform top;

  g_set_object (&self->world, orrery_setup_get_world (setup));
  self->pan_base = find_child (object, "PanBase", error);
  self->tilt_base = self->pan_base != NULL ? find_child (self->pan_base, "TiltBase", error) : NULL;
  if (self->tilt_base == NULL)
    return;
  self->pan = self->tilt = 0;
  self->placed = FALSE;
  top = *orrery_object_get_start (self->pan_base);
  orrery_transform_multiply (&top, orrery_object_get_start (self->tilt_base), &top);
  g_clear_pointer (&self->loads, g_array_unref);
  self->loads = g_array_new (FALSE, FALSE, sizeof (Load));
  for (guint i = 0; i < children->len; i++) {
    Load load = { .object = children->pdata[i] };

    if (load.object == self->pan_base)
      continue;
    orrery_transform_relative (&top, orrery_object_get_start (load.object), &load.mounting);
    g_array_append_val (self->loads, load);
  }
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryPanTilt, pan),
  ORRERY_STATE (OrreryPanTilt, tilt),
};

static void
orrery_pan_tilt_restore (OrreryPart *part, GVariant *state, GError **error)
{
  ((OrreryPanTilt *) part)->placed = FALSE;
}

static void
orrery_pan_tilt_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  OrreryPanTilt *self = (OrreryPanTilt *) actuator;

  *(PanTiltData *) orrery_record_data (record) = (PanTiltData){ self->pan, self->tilt };
}

static void
orrery_pan_tilt_class_init (OrreryPanTiltClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_pan_tilt_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_pan_tilt_cancel;
  ORRERY_PART_CLASS (klass)->restore = orrery_pan_tilt_restore;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_pan_tilt_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_pan_tilt_halt;
  ORRERY_CLASS_SET_DATA (klass, PanTiltData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryPanTilt, states);
  ORRERY_CLASS_OWNS (klass, OrreryPanTilt, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryPanTilt, loads, g_array_unref);
}

ORRERY_PLUGIN ("A unit that turns what is on it, left and right, up and down", "BSD-3-Clause",
               ORRERY_CLASS (PanTilt, OrreryPanTilt, orrery_pan_tilt))
