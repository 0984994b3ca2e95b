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

  gboolean started; /* whether pose, tick and time were seen */
  gboolean moved;   /* whether velocities were, too */
  OrreryTransform pose;
  guint64 tick;
  OrreryTime time;
  OrreryVec3 linear;  /* m/s, world axes */
  OrreryVec3 angular; /* rad/s, the sensor's axes */
} Motion;

/* What a step shows; zeros where the first step cannot know. */
typedef struct {
  double distance;                 /* m, of the sensor since the last step */
  OrreryVec3 world_velocity;       /* m/s, world axes; by velocity that of the robot's origin */
  OrreryVec3 velocity;             /* m/s, the same in the sensor's axes */
  OrreryVec3 angular_velocity;     /* rad/s, the sensor's axes */
  OrreryVec3 acceleration;         /* m/s2, the sensor's axes, of its own point, without gravity */
  OrreryVec3 angular_acceleration; /* rad/s2, the sensor's axes */
} MotionStep;

/* The property ComputationMode, which is read at setup. @place: offset of the Motion in the struct.
 */
void motion_class_init (OrreryPartClass *klass, gssize place);
gboolean motion_setup (Motion *self, OrreryPart *part, GError **error);

/* s since the last step, counted in ticks; 0 in the first step. */
double motion_count_ticks (const Motion *self, OrreryTick *tick);
/* ns since the last step by the robot's clock, as the timestamp has it; 0 in the first step. */
OrreryTime motion_count_time (const Motion *self, OrreryRecord *record);
/* @dt: s since the last step; 0 where there was none: then nothing is divided by it. */
void motion_step (Motion *self, OrreryTick *tick, OrreryRecord *record, double dt, MotionStep *out);

GVariant *motion_save (const Motion *self);
gboolean motion_restore (Motion *self, OrreryPart *part, GVariant *state, GError **error);
