/* SPDX-License-Identifier: BSD-3-Clause */
/* How a sensor moves: velocities, and their differences from step to step. */
#include "motion.h"

#include <math.h>

/* m: a sensor nearer to the robot's origin is taken to be there, as in MORSE. */
#define SHORTEST_LEVER 0.01

void
motion_class_init (OrreryPartClass *klass, gssize place)
{
  static const OrreryProperty properties[] = {
    ORRERY_PROPERTY_ENUM (Motion, mode, "ComputationMode", orrery_computation_get_type,
                          ORRERY_COMPUTATION_AUTOMATIC, "Where the values come from",
                          .flags = ORRERY_PROPERTY_AT_START),
  };

  static const OrreryField states[] = {
    ORRERY_STATE (Motion, started),       ORRERY_STATE (Motion, time),
    ORRERY_STATE (Motion, pose.position), ORRERY_STATE (Motion, pose.rotation),
    ORRERY_STATE (Motion, angles),        ORRERY_STATE (Motion, linear),
    ORRERY_STATE (Motion, angular),
  };

  orrery_part_class_add_properties (klass, properties, G_N_ELEMENTS (properties), place);
  orrery_part_class_add_state (klass, states, G_N_ELEMENTS (states), sizeof (Motion), place);
}

static void
note (Motion *self, const OrreryTransform *pose)
{
  OrreryEuler *e = &self->angles;

  self->pose = *pose;
  if (!self->from_physics)
    orrery_quat_to_euler (&pose->rotation, &e->roll, &e->pitch, &e->yaw);
}

gboolean
motion_setup (Motion *self, OrreryPart *part, GError **error)
{
  gboolean physics;

  self->sensor = ORRERY_COMPONENT (part);
  self->robot = orrery_component_get_robot (self->sensor);
  physics = self->robot != NULL && orrery_robot_has_physics (ORRERY_ROBOT (self->robot));
  self->from_physics = physics && self->mode != ORRERY_COMPUTATION_POSITION;
  if (self->from_physics)
    self->carrier = orrery_object_get_index (orrery_component_get_object (self->robot));
  note (self, orrery_component_get_pose (self->sensor));
  self->started = FALSE;
  self->time = 0;
  self->linear = self->angular = (OrreryVec3){ 0 };
  if (self->mode != ORRERY_COMPUTATION_VELOCITY || physics)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "ComputationMode Velocity: %s has no physics; use Automatic or Position",
                           self->robot != NULL ? orrery_part_get_name (ORRERY_PART (self->robot))
                                               : "what carries the sensor");
}

OrreryTime
motion_count_time (const Motion *self, OrreryRecord *record)
{
  return orrery_record_get_timestamp (record) - self->time;
}

/* --- a step --- */

/* rad, wrapped, from @a to @b. */
static OrreryEuler
subtract_angles (const OrreryEuler *a, const OrreryEuler *b)
{
  return (OrreryEuler){ .roll = orrery_normalise_angle (b->roll - a->roll),
                        .pitch = orrery_normalise_angle (b->pitch - a->pitch),
                        .yaw = orrery_normalise_angle (b->yaw - a->yaw) };
}

static double
sum_magnitudes (const OrreryEuler *e)
{
  return fabs (e->roll) + fabs (e->pitch) + fabs (e->yaw);
}

/* The body rates of Euler angles @e that change by @d. On level ground, where robots without a body
 * go, sines and cosines need not be computed. */
static OrreryVec3
find_body_rates (const OrreryEuler *e, const OrreryEuler *d, double dt)
{
  gboolean level = e->roll == 0 && e->pitch == 0;
  double sin_roll = level ? e->roll : sin (e->roll);
  double cos_roll = level ? 1 : cos (e->roll);
  double sin_pitch = level ? e->pitch : sin (e->pitch);
  double cos_pitch = level ? 1 : cos (e->pitch);
  OrreryVec3 turn = {
    d->roll - sin_pitch * d->yaw,
    cos_roll * d->pitch + cos_pitch * sin_roll * d->yaw,
    cos_pitch * cos_roll * d->yaw - sin_roll * d->pitch,
  };

  return orrery_vec3_divide (&turn, dt);
}

OrreryVec3
motion_find_rates (const OrreryEuler *before, const OrreryEuler *now, double dt)
{
  OrreryEuler other = { .roll = now->roll + G_PI,
                        .pitch = G_PI - now->pitch,
                        .yaw = now->yaw + G_PI };
  OrreryEuler step = subtract_angles (before, now), around;

  /* The two sums add up to at least 2 pi, so a short way needs no comparison. */
  if (G_LIKELY (sum_magnitudes (&step) < 3))
    return find_body_rates (now, &step, dt);
  around = subtract_angles (before, &other);
  if (sum_magnitudes (&around) < sum_magnitudes (&step))
    return find_body_rates (&other, &around, dt);
  return find_body_rates (now, &step, dt);
}

/* Notes where the sensor is now, and finds how fast it goes. */
static void
read_velocities (Motion *self, OrreryTick *tick, double dt, MotionVelocity *out)
{
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  const OrreryVec3 before = self->pose.position;
  const OrreryEuler angles = self->angles;
  const OrreryTransform *pose = &self->pose;

  note (self, orrery_component_get_pose (self->sensor));
  *out = (MotionVelocity){ 0 };
  if (self->from_physics) {
    out->world = *orrery_snapshot_get_linear_velocity (snapshot, self->carrier);
    orrery_quat_rotate_back (&pose->rotation,
                             orrery_snapshot_get_angular_velocity (snapshot, self->carrier),
                             &out->angular);
  } else if (dt > 0) {
    out->world = orrery_vec3_subtract (&pose->position, &before);
    out->world = orrery_vec3_divide (&out->world, dt);
    out->angular = motion_find_rates (&angles, &self->angles, dt);
  }
  orrery_quat_rotate_back (&pose->rotation, &out->world, &out->linear);
}

static void
keep_velocities (Motion *self, OrreryRecord *record, const MotionVelocity *velocity)
{
  self->started = TRUE;
  self->time = orrery_record_get_timestamp (record);
  self->linear = velocity->world;
  self->angular = velocity->angular;
}

/* What physics has is of the robot's origin; the sensor is at the end of a lever. */
static void
add_lever (Motion *self, OrreryTick *tick, MotionStep *out)
{
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  const OrreryTransform *pose = orrery_component_get_pose (self->sensor);
  const OrreryTransform *robot = orrery_snapshot_get_pose (snapshot, self->carrier);
  const OrreryVec3 *w = &out->velocity.angular;
  OrreryVec3 lever = orrery_vec3_subtract (&pose->position, &robot->position);
  OrreryVec3 around, along, inwards;

  if (orrery_vec3_length (&lever) <= SHORTEST_LEVER)
    return;
  orrery_quat_rotate_back (&pose->rotation, &lever, &lever);
  around = orrery_vec3_cross (w, &lever);
  inwards = orrery_vec3_cross (w, &around);
  along = orrery_vec3_cross (&out->angular_acceleration, &lever);
  inwards = orrery_vec3_add (&inwards, &along);
  out->acceleration = orrery_vec3_add (&out->acceleration, &inwards);
}

void
motion_read_velocity (Motion *self, OrreryTick *tick, OrreryRecord *record, double dt,
                      MotionVelocity *out)
{
  read_velocities (self, tick, dt, out);
  keep_velocities (self, record, out);
}

void
motion_step (Motion *self, OrreryTick *tick, OrreryRecord *record, double dt, MotionStep *out)
{
  const OrreryVec3 before = self->pose.position;
  OrreryVec3 way, change;

  *out = (MotionStep){ 0 };
  read_velocities (self, tick, dt, &out->velocity);
  way = orrery_vec3_subtract (&self->pose.position, &before);
  out->distance = orrery_vec3_length (&way);
  if (dt > 0) {
    change = orrery_vec3_subtract (&out->velocity.world, &self->linear);
    change = orrery_vec3_divide (&change, dt);
    orrery_quat_rotate_back (&self->pose.rotation, &change, &out->acceleration);
    out->angular_acceleration = orrery_vec3_subtract (&out->velocity.angular, &self->angular);
    out->angular_acceleration = orrery_vec3_divide (&out->angular_acceleration, dt);
  }
  if (self->from_physics)
    add_lever (self, tick, out);
  keep_velocities (self, record, &out->velocity);
}
