/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a rotorcraft at a velocity. */
#include "rotorcraft.h"

#include <math.h>

typedef struct {
  double vx, vy, vz;
  double vyaw;
  double tolerance;
} RotorcraftVelocityData;

static const OrreryField fields[] = {
  ORRERY_FIELD (RotorcraftVelocityData, vx, "m/s", "Speed forwards, in the plane"),
  ORRERY_FIELD (RotorcraftVelocityData, vy, "m/s", "Speed to the left, in the plane"),
  ORRERY_FIELD (RotorcraftVelocityData, vz, "m/s", "Speed upwards"),
  ORRERY_FIELD (RotorcraftVelocityData, vyaw, "rad/s",
                "Turn rate; clockwise from above is positive"),
  ORRERY_FIELD (RotorcraftVelocityData, tolerance, "m/s", "Of the speed; kept, not used"),
};

/*
 * Flies with a velocity: tilts for the error of speed in the plane and against acceleration, lifts
 * for the vertical one. The velocity is meant in the plane, turned by the craft's yaw. The yaw that
 * it holds begins at 0, whatever the craft's own.
 */
typedef struct {
  OrreryActuator parent_instance;
  Rotorcraft craft;
  RotorcraftGains gains;
  double horizontal_p;
  double horizontal_d;
  double vertical_p;
  double vertical_d;
  double max_bank_angle;
  double max_velocity;
  double yaw;          /* to hold, rad */
  OrreryVec3 velocity; /* of the step before, m/s */
} OrreryRotorcraftVelocity;
ORRERY_DEFINE_CLASS (OrreryRotorcraftVelocity, orrery_rotorcraft_velocity, OrreryActuator,
                     orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftVelocity, horizontal_p, "HorizontalPgain", 0, 1e6, 0.2,
                          "Tilt for an error of speed in the plane, rad s/m"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftVelocity, horizontal_d, "HorizontalDgain", 0, 1e6, 0.8,
                          "Tilt against an acceleration in the plane, rad s2/m"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftVelocity, vertical_p, "VerticalPgain", 0, 1e6, 8,
                          "Thrust for an error of vertical speed, N s/m"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftVelocity, vertical_d, "VerticalDgain", 0, 1e6, 2,
                          "Accepted; without effect, as in MORSE", .flags = ORRERY_PROPERTY_UNUSED),
  ROTORCRAFT_PROPERTIES (OrreryRotorcraftVelocity, 8),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftVelocity, max_velocity, "MaxVelocity", 0, 1e6, 2,
                          "Accepted; without effect, as in MORSE", .flags = ORRERY_PROPERTY_UNUSED),
};

static void
orrery_rotorcraft_velocity_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  RotorcraftVelocityData *data = orrery_record_data (orrery_setup_get_record (setup));

  data->tolerance = 0.2;
  rotorcraft_setup (&((OrreryRotorcraftVelocity *) part)->craft, setup, error);
}

static void
setvel (OrreryPart *part, OrreryCall *call, GError **error)
{
  RotorcraftVelocityData *data = orrery_component_get_data (part);

  *data = (RotorcraftVelocityData){
    .vx = orrery_call_get_double (call, 0),
    .vy = orrery_call_get_double (call, 1),
    .vz = orrery_call_get_double (call, 2),
    .vyaw = orrery_call_get_double (call, 3),
    .tolerance = orrery_call_get_double (call, 4),
  };
  orrery_call_return (call, g_variant_new_boolean (TRUE));
}

static const OrreryService services[] = {
  { "setvel", setvel, ORRERY_SERVICE_IMMEDIATE, "vx:d vy:d vz:d vyaw:d tolerance:d=0.1",
    "Sets the velocity; true" },
};

static void
orrery_rotorcraft_velocity_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                                GError **error)
{
  OrreryRotorcraftVelocity *self = (OrreryRotorcraftVelocity *) actuator;
  const RotorcraftVelocityData *in = orrery_record_data (record);
  const OrreryVec3 v =
      *orrery_snapshot_get_linear_velocity (orrery_tick_get_snapshot (tick),
                                            orrery_object_get_index (self->craft.object));
  double period = orrery_component_get_period (ORRERY_COMPONENT (actuator));
  OrreryVec3 command = { 0 };
  OrreryEuler now;
  double c, s;

  rotorcraft_get_attitude (&self->craft, &now);
  self->yaw = orrery_normalise_angle (self->yaw - in->vyaw * period);
  c = cos (now.yaw);
  s = sin (now.yaw);
  command.x = self->horizontal_p * (c * in->vx - s * in->vy - v.x) -
              self->horizontal_d * (v.x - self->velocity.x) / period;
  command.y = self->horizontal_p * (s * in->vx + c * in->vy - v.y) -
              self->horizontal_d * (v.y - self->velocity.y) / period;
  self->velocity = v;
  rotorcraft_fly (&self->craft, tick, &self->gains, &command, self->vertical_p * (in->vz - v.z),
                  self->yaw, self->max_bank_angle);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryRotorcraftVelocity, yaw),
  ORRERY_STATE (OrreryRotorcraftVelocity, velocity),
  ORRERY_STATE (OrreryRotorcraftVelocity, craft.previous),
};

static void
orrery_rotorcraft_velocity_class_init (OrreryRotorcraftVelocityClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_rotorcraft_velocity_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_rotorcraft_velocity_act;
  ORRERY_CLASS_SET_DATA (klass, RotorcraftVelocityData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryRotorcraftVelocity, states);
}

ORRERY_PLUGIN ("Velocity of a rotorcraft", "BSD-3-Clause",
               ORRERY_CLASS (RotorcraftVelocity, OrreryRotorcraftVelocity,
                             orrery_rotorcraft_velocity))
