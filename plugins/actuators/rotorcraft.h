/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * What the controllers of rotorcraft share: the robot as they see it, gains as properties, the law
 * that turns errors of attitude into a torque. Angles are those of the robot in the world frame.
 */
typedef struct {
  OrreryComponent *component;
  OrreryComponent *robot; /* borrowed: it carries the actuator */
  OrreryObject *object;   /* of the robot */
  const OrreryBody *body;
  double weight;       /* N */
  OrreryVec3 previous; /* errors of roll, pitch, yaw in the step before, rad */
} Rotorcraft;

/* Gains of the torque, 1/s2 and 1/s: what an error and its change give per unit of inertia. */
typedef struct {
  double roll_pitch_p;
  double roll_pitch_d;
  double yaw_p;
  double yaw_d;
} RotorcraftGains;

/* Properties of @Type, whose members are gains and max_bank_angle; @yaw_d_gain: default of
 * YawDgain. */
#define ROTORCRAFT_PROPERTIES(Type, yaw_d_gain)                                                    \
  ORRERY_PROPERTY_DOUBLE (Type, gains.yaw_p, "YawPgain", 0, 1e6, 12,                               \
                          "Torque for an error of yaw, 1/s2 of inertia"),                          \
      ORRERY_PROPERTY_DOUBLE (Type, gains.yaw_d, "YawDgain", 0, 1e6, yaw_d_gain,                   \
                              "Torque for its change, 1/s of inertia"),                            \
      ORRERY_PROPERTY_DOUBLE (Type, gains.roll_pitch_p, "RollPitchPgain", 0, 1e6, 9.7,             \
                              "Torque for an error of roll or pitch, 1/s2 of inertia"),            \
      ORRERY_PROPERTY_DOUBLE (Type, gains.roll_pitch_d, "RollPitchDgain", 0, 1e6, 2,               \
                              "Torque for its change, 1/s of inertia"),                            \
      ORRERY_PROPERTY_DOUBLE (Type, max_bank_angle, "MaxBankAngle", 0, 1.5, G_PI / 6,              \
                              "Largest roll and pitch, rad")

/* FALSE: the robot has no body that torques turn. */
gboolean rotorcraft_setup (Rotorcraft *self, OrrerySetup *setup, GError **error);
void rotorcraft_get_attitude (Rotorcraft *self, OrreryEuler *attitude);
/* Errors in rad; the torque in N m, before what scales it. */
void rotorcraft_find_torque (Rotorcraft *self, const RotorcraftGains *gains,
                             const OrreryVec3 *errors, double period, OrreryVec3 *torque);
/* A thrust along the robot's z axis, N, and a torque in its axes, N m. */
void rotorcraft_push (Rotorcraft *self, OrreryTick *tick, double thrust, const OrreryVec3 *torque);

/*
 * The outer loops of velocity and position: the tilt that gives a wanted push in the plane, and
 * thrust that carries the weight at that tilt. command: x and y, rad; climb: N to be added.
 */
void rotorcraft_fly (Rotorcraft *self, OrreryTick *tick, const RotorcraftGains *gains,
                     const OrreryVec3 *command, double climb, double yaw, double max_bank);
