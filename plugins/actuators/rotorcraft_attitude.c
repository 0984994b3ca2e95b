/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a rotorcraft at an attitude and a thrust. */
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

/*
 * Holds the attitude that it is told, as an autopilot does, with a thrust along the robot's z axis.
 * Angles of the record are those of the field: nose up and clockwise are positive. The yaw that it
 * holds begins at 0, whatever the craft's own. The craft has no torque without thrust.
 */
typedef struct {
  OrreryActuator parent_instance;
  Rotorcraft craft;
  RotorcraftGains gains;
  double thrust_factor;
  gboolean linear_thrust;
  gboolean yaw_rate_control;
  gboolean against_north;

  double x_to_east; /* rad, from East to the x axis of the world */
  double yaw;       /* to hold, rad, clockwise */
} OrreryRotorcraftAttitude;
ORRERY_DEFINE_CLASS (OrreryRotorcraftAttitude, orrery_rotorcraft_attitude, OrreryActuator,
                     orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftAttitude, gains.roll_pitch_p, "RollPitchPgain", 0, 1e6,
                          100, "Torque for an error of roll or pitch, 1/s2 of inertia"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftAttitude, gains.roll_pitch_d, "RollPitchDgain", 0, 1e6,
                          20, "Torque for its change, 1/s of inertia"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftAttitude, gains.yaw_p, "YawPgain", 0, 1e6, 16,
                          "Torque for an error of yaw, 1/s2 of inertia"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftAttitude, gains.yaw_d, "YawDgain", 0, 1e6, 4,
                          "Torque for its change, 1/s of inertia"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftAttitude, thrust_factor, "ThrustFactor", 0, 1e9, 40,
                          "Thrust at 1, N"),
  ORRERY_PROPERTY_BOOLEAN (OrreryRotorcraftAttitude, linear_thrust, "LinearThrust", TRUE,
                           "Whether the force grows with thrust, not with its square"),
  ORRERY_PROPERTY_BOOLEAN (OrreryRotorcraftAttitude, yaw_rate_control, "YawRateControl", TRUE,
                           "Whether yaw is a turn rate, not an angle"),
  ORRERY_PROPERTY_BOOLEAN (OrreryRotorcraftAttitude, against_north, "UseAngleAgainstNorth", FALSE,
                           "Whether yaw counts from north"),
};

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
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "angle_against_north of the environment is no number of degrees");
}

static void
orrery_rotorcraft_attitude_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRotorcraftAttitude *self = (OrreryRotorcraftAttitude *) part;

  if (rotorcraft_setup (&self->craft, setup, error))
    read_north (self, orrery_setup_get_world (setup), error);
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
  OrreryRotorcraftAttitude *self = (OrreryRotorcraftAttitude *) actuator;
  const RotorcraftAttitudeData *in = orrery_record_data (record);
  double period = orrery_component_get_period (ORRERY_COMPONENT (actuator));
  double force;
  OrreryEuler now;
  OrreryVec3 errors, torque;

  if (in->thrust <= 0)
    return;
  rotorcraft_get_attitude (&self->craft, &now);
  self->yaw =
      orrery_normalise_angle (self->yaw_rate_control ? self->yaw + in->yaw * period : in->yaw);
  errors.x = in->roll - now.roll;
  errors.y = in->pitch + now.pitch;
  errors.z = orrery_normalise_angle (self->yaw - find_yaw (self, now.yaw));
  rotorcraft_find_torque (&self->craft, &self->gains, &errors, period, &torque);

  torque = (OrreryVec3){ torque.x * in->thrust, -torque.y * in->thrust, -torque.z * in->thrust };
  force = self->thrust_factor * (self->linear_thrust ? in->thrust : in->thrust * in->thrust);
  rotorcraft_push (&self->craft, tick, force, &torque);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryRotorcraftAttitude, yaw),
  ORRERY_STATE (OrreryRotorcraftAttitude, craft.previous),
};

static void
orrery_rotorcraft_attitude_class_init (OrreryRotorcraftAttitudeClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_rotorcraft_attitude_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_rotorcraft_attitude_act;
  ORRERY_CLASS_SET_DATA (klass, RotorcraftAttitudeData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryRotorcraftAttitude, states);
}

ORRERY_PLUGIN ("Attitude and thrust of a rotorcraft", "BSD-3-Clause",
               ORRERY_CLASS (RotorcraftAttitude, OrreryRotorcraftAttitude,
                             orrery_rotorcraft_attitude))
