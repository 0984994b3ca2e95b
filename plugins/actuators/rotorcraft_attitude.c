/* SPDX-License-Identifier: BSD-3-Clause */
#include "rotorcraft.h"

#include <math.h>

typedef struct {
  double roll, pitch, yaw;
  double thrust;
} RotorcraftAttitudeData;

static const OrreryField fields[] = {
  ORRERY_FIELD (RotorcraftAttitudeData, roll, "rad", "Roll to hold; right side down is positive"),
  ORRERY_FIELD (RotorcraftAttitudeData, pitch, "rad", "Pitch to hold; nose up is positive"),
  ORRERY_FIELD (RotorcraftAttitudeData, yaw, "rad/s",
                "Turn rate, clockwise from above is positive; without YawRateControl the yaw to "
                "hold, rad"),
  ORRERY_FIELD (RotorcraftAttitudeData, thrust, "", "0 (none) to 1 (ThrustFactor)"),
};

enum {
  PROP_ROLL_PITCH_P = 1,
  PROP_ROLL_PITCH_D,
  PROP_YAW_P,
  PROP_YAW_D,
  PROP_THRUST_FACTOR,
  N_NUMBERS,
  PROP_LINEAR_THRUST = N_NUMBERS,
  PROP_YAW_RATE_CONTROL,
  PROP_USE_ANGLE_AGAINST_NORTH,
  N_PROPERTIES
};

static const RotorcraftNumber numbers[N_NUMBERS] = {
  [PROP_ROLL_PITCH_P] = { "roll-pitch-pgain", "RollPitchPgain",
                          "Torque for an error of roll or pitch, 1/s2 of inertia", 0, 1e6, 100 },
  [PROP_ROLL_PITCH_D] = { "roll-pitch-dgain", "RollPitchDgain",
                          "Torque for its change, 1/s of inertia", 0, 1e6, 20 },
  [PROP_YAW_P] = { "yaw-pgain", "YawPgain", "Torque for an error of yaw, 1/s2 of inertia", 0, 1e6,
                   16 },
  [PROP_YAW_D] = { "yaw-dgain", "YawDgain", "Torque for its change, 1/s of inertia", 0, 1e6, 4 },
  [PROP_THRUST_FACTOR] = { "thrust-factor", "ThrustFactor", "Thrust at 1, N", 0, 1e9, 40 },
};

/*
 * Holds the attitude that it is told, as an autopilot does, with a thrust along the robot's z axis.
 * Angles of the record are those of the field: nose up and clockwise are positive. The craft has no
 * torque without thrust.
 */
G_DECLARE_FINAL_TYPE (OrreryRotorcraftAttitude, orrery_rotorcraft_attitude, ORRERY,
                      ROTORCRAFT_ATTITUDE, OrreryActuator)
struct _OrreryRotorcraftAttitude {
  OrreryActuator parent_instance;
  Rotorcraft craft;
  double numbers[N_NUMBERS];
  gboolean linear_thrust;
  gboolean yaw_rate_control;
  gboolean against_north;

  double x_to_east; /* rad, from East to the x axis of the world */
  gboolean holding; /* yaw is what it was told to hold */
  double yaw;       /* rad, clockwise */
};
G_DEFINE_FINAL_TYPE (OrreryRotorcraftAttitude, orrery_rotorcraft_attitude, ORRERY_TYPE_ACTUATOR)

static void
orrery_rotorcraft_attitude_set_property (GObject *object, guint id, const GValue *value,
                                         GParamSpec *pspec)
{
  OrreryRotorcraftAttitude *self = ORRERY_ROTORCRAFT_ATTITUDE (object);

  switch (id) {
  case PROP_LINEAR_THRUST:
    self->linear_thrust = g_value_get_boolean (value);
    break;
  case PROP_YAW_RATE_CONTROL:
    self->yaw_rate_control = g_value_get_boolean (value);
    break;
  case PROP_USE_ANGLE_AGAINST_NORTH:
    self->against_north = g_value_get_boolean (value);
    break;
  default:
    if (id > 0 && id < N_NUMBERS)
      self->numbers[id] = g_value_get_double (value);
    else
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_rotorcraft_attitude_get_property (GObject *object, guint id, GValue *value,
                                         GParamSpec *pspec)
{
  OrreryRotorcraftAttitude *self = ORRERY_ROTORCRAFT_ATTITUDE (object);

  switch (id) {
  case PROP_LINEAR_THRUST:
    g_value_set_boolean (value, self->linear_thrust);
    break;
  case PROP_YAW_RATE_CONTROL:
    g_value_set_boolean (value, self->yaw_rate_control);
    break;
  case PROP_USE_ANGLE_AGAINST_NORTH:
    g_value_set_boolean (value, self->against_north);
    break;
  default:
    if (id > 0 && id < N_NUMBERS)
      g_value_set_double (value, self->numbers[id]);
    else
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

/* deg, positive when the x axis is east of true north; absent: x points East. */
static gboolean
read_north (OrreryRotorcraftAttitude *self, OrreryWorld *world, GError **error)
{
  GVariant *value = orrery_world_get_value (world, "angle_against_north");
  double degrees;

  self->x_to_east = 0;
  if (value == NULL)
    return TRUE;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    degrees = g_variant_get_double (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    degrees = (double) g_variant_get_int64 (value);
  else
    degrees = NAN;
  self->x_to_east = degrees * G_PI / 180 - G_PI / 2;
  if (isfinite (degrees))
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
               "angle_against_north of the environment is no number of degrees");
  return FALSE;
}

static void
orrery_rotorcraft_attitude_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRotorcraftAttitude *self = ORRERY_ROTORCRAFT_ATTITUDE (part);

  if (rotorcraft_setup (&self->craft, setup, error))
    read_north (self, orrery_setup_get_world (setup), error);
}

#define STATE "(bdddd)"

static GVariant *
orrery_rotorcraft_attitude_save (OrreryPart *part)
{
  OrreryRotorcraftAttitude *self = ORRERY_ROTORCRAFT_ATTITUDE (part);
  const OrreryVec3 *previous = &self->craft.previous;

  return g_variant_new (STATE, self->holding, self->yaw, previous->x, previous->y, previous->z);
}

static void
orrery_rotorcraft_attitude_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryRotorcraftAttitude *self = ORRERY_ROTORCRAFT_ATTITUDE (part);
  OrreryVec3 *previous = &self->craft.previous;

  if (g_variant_is_of_type (state, G_VARIANT_TYPE (STATE)))
    g_variant_get (state, STATE, &self->holding, &self->yaw, &previous->x, &previous->y,
                   &previous->z);
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "%s: not a state of RotorcraftAttitude",
                 orrery_part_get_name (part));
}

/* Clockwise from where the world's x axis, or north, points. */
static double
find_yaw (OrreryRotorcraftAttitude *self, double yaw)
{
  return self->against_north ? orrery_normalise_angle (G_PI / 2 - (yaw - self->x_to_east)) : -yaw;
}

static void
orrery_rotorcraft_attitude_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                                GError **error)
{
  OrreryRotorcraftAttitude *self = ORRERY_ROTORCRAFT_ATTITUDE (actuator);
  const RotorcraftAttitudeData *in = orrery_record_data (record);
  const double *n = self->numbers;
  const RotorcraftGains gains = { n[PROP_ROLL_PITCH_P], n[PROP_ROLL_PITCH_D], n[PROP_YAW_P],
                                  n[PROP_YAW_D] };
  double period = rotorcraft_get_period (&self->craft, tick);
  double force;
  OrreryEuler now;
  OrreryVec3 errors, torque;

  if (in->thrust <= 0)
    return;
  rotorcraft_get_attitude (&self->craft, &now);
  if (!self->holding)
    self->yaw = find_yaw (self, now.yaw);
  self->holding = TRUE;
  self->yaw =
      orrery_normalise_angle (self->yaw_rate_control ? self->yaw + in->yaw * period : in->yaw);
  errors.x = in->roll - now.roll;
  errors.y = in->pitch + now.pitch;
  errors.z = orrery_normalise_angle (self->yaw - find_yaw (self, now.yaw));
  rotorcraft_find_torque (&self->craft, &gains, &errors, period, &torque);

  torque = (OrreryVec3){ torque.x * in->thrust, -torque.y * in->thrust, -torque.z * in->thrust };
  force = n[PROP_THRUST_FACTOR] * (self->linear_thrust ? in->thrust : in->thrust * in->thrust);
  rotorcraft_push (&self->craft, tick, force, &torque);
}

static void
orrery_rotorcraft_attitude_class_init (OrreryRotorcraftAttitudeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_rotorcraft_attitude_set_property;
  object_class->get_property = orrery_rotorcraft_attitude_get_property;
  part_class->setup = orrery_rotorcraft_attitude_setup;
  part_class->save = orrery_rotorcraft_attitude_save;
  part_class->restore = orrery_rotorcraft_attitude_restore;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_rotorcraft_attitude_act;
  ORRERY_CLASS_SET_DATA (klass, RotorcraftAttitudeData, fields);

  rotorcraft_install_numbers (object_class, numbers, N_NUMBERS);
  g_object_class_install_property (
      object_class, PROP_LINEAR_THRUST,
      g_param_spec_boolean ("linear-thrust", "LinearThrust",
                            "Whether the force grows with thrust, not with its square", TRUE,
                            flags));
  g_object_class_install_property (object_class, PROP_YAW_RATE_CONTROL,
                                   g_param_spec_boolean ("yaw-rate-control", "YawRateControl",
                                                         "Whether yaw is a turn rate, not an angle",
                                                         TRUE, flags));
  g_object_class_install_property (object_class, PROP_USE_ANGLE_AGAINST_NORTH,
                                   g_param_spec_boolean ("use-angle-against-north",
                                                         "UseAngleAgainstNorth",
                                                         "Whether yaw counts from north", FALSE,
                                                         flags));
}

static void
orrery_rotorcraft_attitude_init (OrreryRotorcraftAttitude *self)
{
  rotorcraft_take_defaults (self->numbers, numbers, N_NUMBERS);
  self->linear_thrust = TRUE;
  self->yaw_rate_control = TRUE;
}

ORRERY_PLUGIN ("Attitude and thrust of a rotorcraft", "BSD-3-Clause",
               ORRERY_CLASS (RotorcraftAttitude, OrreryRotorcraftAttitude,
                             orrery_rotorcraft_attitude))
