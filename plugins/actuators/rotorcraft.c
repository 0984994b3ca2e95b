/* SPDX-License-Identifier: BSD-3-Clause */
/* What the actuators of rotorcraft share: state and controllers. */
#include "rotorcraft.h"

#include <math.h>

gboolean
rotorcraft_setup (Rotorcraft *self, OrrerySetup *setup, GError **error)
{
  const OrreryVec3 *gravity = orrery_world_get_gravity (orrery_setup_get_world (setup));

  self->component = orrery_setup_get_component (setup);
  self->robot = orrery_component_get_robot (self->component);
  self->object = orrery_component_get_object (self->robot);
  self->body = orrery_object_get_body (self->object);
  self->weight = self->body->mass * orrery_vec3_length (gravity);
  if (self->body->type == ORRERY_BODY_RIGID)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s has no rigid body that forces move; take a robot with physics, as "
                           "orrery.robots.quadrotor_dynamic.Quadrotor",
                           orrery_part_get_name (ORRERY_PART (self->robot)));
}

void
rotorcraft_get_attitude (Rotorcraft *self, OrreryEuler *attitude)
{
  orrery_quat_to_euler (&orrery_component_get_pose (self->robot)->rotation, &attitude->roll,
                        &attitude->pitch, &attitude->yaw);
}

void
rotorcraft_find_torque (Rotorcraft *self, const RotorcraftGains *gains, const OrreryVec3 *errors,
                        double period, OrreryVec3 *torque)
{
  const OrreryVec3 *inertia = &self->body->inertia;

  torque->x = inertia->x * (gains->roll_pitch_p * errors->x +
                            gains->roll_pitch_d * (errors->x - self->previous.x) / period);
  torque->y = inertia->y * (gains->roll_pitch_p * errors->y +
                            gains->roll_pitch_d * (errors->y - self->previous.y) / period);
  torque->z = inertia->z *
              (gains->yaw_p * errors->z + gains->yaw_d * (errors->z - self->previous.z) / period);
  self->previous = *errors;
}

void
rotorcraft_push (Rotorcraft *self, OrreryTick *tick, double thrust, const OrreryVec3 *torque)
{
  const OrreryQuat *rotation = &orrery_component_get_pose (self->robot)->rotation;
  OrreryVec3 force = { 0, 0, thrust };
  OrreryVec3 twist;

  orrery_quat_rotate (rotation, &force, &force);
  orrery_quat_rotate (rotation, torque, &twist);
  orrery_commands_add_force (orrery_tick_get_commands (tick), self->object, &force, &twist);
}

void
rotorcraft_fly (Rotorcraft *self, OrreryTick *tick, const RotorcraftGains *gains,
                const OrreryVec3 *command, double climb, double yaw, double max_bank)
{
  OrreryEuler now;
  OrreryVec3 errors, torque;
  double roll, pitch, lift, thrust;

  rotorcraft_get_attitude (self, &now);
  roll = sin (now.yaw) * command->x - cos (now.yaw) * command->y;
  pitch = cos (now.yaw) * command->x + sin (now.yaw) * command->y;
  errors.x = orrery_normalise_angle (CLAMP (roll, -max_bank, max_bank) - now.roll);
  errors.y = orrery_normalise_angle (CLAMP (pitch, -max_bank, max_bank) - now.pitch);
  errors.z = orrery_normalise_angle (yaw - now.yaw);

  /* What of the thrust points up; a craft on its side does not try to carry its weight. */
  lift = fmax (cos (max_bank) * cos (max_bank), cos (now.roll) * cos (now.pitch));
  thrust = fmax (0, self->weight / lift + climb);
  rotorcraft_find_torque (self, gains, &errors, orrery_component_get_period (self->component),
                          &torque);
  if (self->weight > 0) {
    double scale = thrust / self->weight;

    torque = orrery_vec3_scale (&torque, scale);
  }
  rotorcraft_push (self, tick, thrust, &torque);
}
