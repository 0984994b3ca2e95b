/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * How a sensor moves, for the family with the property ComputationMode: velocities, and their
 * differences from step to step. By velocity: what physics has for the robot. By position:
 * differences of the sensor's own pose.
 */
typedef struct {
  OrreryComputation mode;  /* as asked for */
  gboolean from_physics;   /* as resolved */
  OrreryComponent *sensor; /* borrowed, as the robot */
  OrreryComponent *robot;
  guint carrier; /* index of the robot's object; from physics */

  /* Of the last step; before the first, at rest where the sensor starts, at time 0. */
  OrreryBool started;
  OrreryTransform pose;
  OrreryEuler angles; /* rad, of the pose; not from physics */
  OrreryTime time;
  OrreryVec3 linear;  /* m/s, world axes */
  OrreryVec3 angular; /* rad/s, the sensor's axes */
} Motion;

typedef struct {
  OrreryVec3 world;   /* m/s, world axes; by velocity that of the robot's origin */
  OrreryVec3 linear;  /* m/s, the same in the sensor's axes */
  OrreryVec3 angular; /* rad/s, the sensor's axes */
} MotionVelocity;

/* What a step shows. */
typedef struct {
  double distance; /* m, of the sensor since the last step */
  MotionVelocity velocity;
  OrreryVec3 acceleration;         /* m/s2, the sensor's axes, of its own point, without gravity */
  OrreryVec3 angular_acceleration; /* rad/s2, the sensor's axes */
} MotionStep;

/* The property ComputationMode, which is read at setup, and the state. @place: offset of the Motion
 * in the struct. */
void motion_class_init (OrreryPartClass *klass, gssize place);
gboolean motion_setup (Motion *self, OrreryPart *part, GError **error);

/*
 * The body rates computed from Euler angles, as in MORSE: W (angles) times their differences
 * divided by @dt. A rotation has two triples of angles: the one nearer to those of before, with
 * differences wrapped, is without the spikes of MORSE's.
 */
OrreryVec3 motion_find_rates (const OrreryEuler *before, const OrreryEuler *now, double dt);

/* ns since the last step by the robot's clock, as the timestamp has it; since 0 in the first step.
 */
OrreryTime motion_count_time (const Motion *self, OrreryRecord *record);
/* @dt: s that changes are divided by; where it is not above 0 nothing is, and rates are 0. */
void motion_step (Motion *self, OrreryTick *tick, OrreryRecord *record, double dt, MotionStep *out);
/* The same step for whoever asks for velocities alone. */
void motion_read_velocity (Motion *self, OrreryTick *tick, OrreryRecord *record, double dt,
                           MotionVelocity *out);
