/* SPDX-License-Identifier: BSD-3-Clause */
/* What motors want of their joints. */
#include "motors.h"

#include <math.h>

/* rad/s, of a motor that goes to a position; of one that keeps a velocity, 1/s. */
#define POSITION_RATE 25.0
#define VELOCITY_RATE 30.0

double
motor_limit (const OrreryJoint *joint, double position)
{
  return joint->limited ? CLAMP (position, joint->lower, joint->upper) : position;
}

gboolean
motor_take (Motor *motor, const OrreryCommand *command, double position)
{
  motor->target = command->linear.x;
  motor->speed = command->angular.x;
  /* The goal starts at the present position, not at that of an earlier target. */
  if (motor->mode != MOTOR_POSITION)
    motor->goal = position;
  switch (command->kind) {
  case ORRERY_COMMAND_JOINT_POSITION:
    motor->mode = MOTOR_POSITION;
    return command->flag;
  case ORRERY_COMMAND_JOINT_ROTATION:
    motor->mode = MOTOR_POSITION;
    motor->rotation = command->pose.rotation;
    break;
  case ORRERY_COMMAND_JOINT_VELOCITY:
    motor->mode = MOTOR_VELOCITY;
    break;
  case ORRERY_COMMAND_JOINT_EFFORT:
    motor->mode = MOTOR_EFFORT;
    break;
  default:
    break;
  }
  return FALSE;
}

/* The goal goes to the target no faster than it may. */
static void
advance_goal (Motor *motor, double dt)
{
  double speed = motor->joint->max_speed > 0 ? motor->joint->max_speed : INFINITY;
  double way = motor_limit (motor->joint, motor->target) - motor->goal;

  if (motor->speed > 0)
    speed = fmin (speed, motor->speed);
  motor->rate = 0;
  if (fabs (way) > speed * dt) {
    way = copysign (speed * dt, way);
    motor->rate = way / dt;
  }
  motor->goal += way;
}

static double
get_wanted_velocity (const Motor *motor)
{
  double most = motor->joint->max_speed > 0 ? motor->joint->max_speed : INFINITY;

  return CLAMP (motor->target, -most, most);
}

/* Of a joint whose motor has gains of its own. */
static gboolean
drive_by_gains (const Motor *motor, double error, double rate, double dt, MotorDrive *drive)
{
  const OrreryJoint *joint = motor->joint;

  if (motor->mode == MOTOR_POSITION && joint->position_gain > 0) {
    drive->effort = joint->position_gain * error - joint->velocity_gain * rate;
    drive->implicit = dt * joint->velocity_gain + dt * dt * joint->position_gain;
    return TRUE;
  }
  if (motor->mode == MOTOR_VELOCITY && joint->velocity_gain > 0) {
    drive->effort = joint->velocity_gain * (motor->target - rate);
    drive->implicit = dt * joint->velocity_gain;
    return TRUE;
  }
  return FALSE;
}

void
motor_drive (Motor *motor, double position, double rate, double dt, MotorDrive *drive)
{
  *drive = (MotorDrive){ FALSE, 0, 0, 0, 0 };
  if (motor->mode == MOTOR_POSITION)
    advance_goal (motor, dt);
  if (motor->mode == MOTOR_EFFORT) {
    drive->effort = motor->target;
    return;
  }
  if (motor->mode == MOTOR_NONE || drive_by_gains (motor, motor->goal - position, rate, dt, drive))
    return;
  drive->wants = TRUE;
  drive->slope = motor->mode == MOTOR_POSITION ? 2 * POSITION_RATE : VELOCITY_RATE;
  if (motor->mode == MOTOR_POSITION)
    drive->wanted = POSITION_RATE * POSITION_RATE * (motor->goal - position) +
                    2 * POSITION_RATE * (motor->rate - rate);
  else
    drive->wanted = VELOCITY_RATE * (get_wanted_velocity (motor) - rate);
}

double
motor_turn (double way, double rate)
{
  return POSITION_RATE * POSITION_RATE * way - 2 * POSITION_RATE * rate;
}

/* What the list has for each: the bytes of such a struct, as variants place them. */
typedef struct {
  double target;
  double speed;
  double goal;
  double effort;
  OrreryQuat rotation;
  guint32 mode;
} SavedMotor;
G_STATIC_ASSERT (sizeof (SavedMotor) == 9 * sizeof (double));

GVariant *
motors_save (GArray *motors)
{
  g_autofree SavedMotor *list = g_new0 (SavedMotor, motors->len);

  for (guint i = 0; i < motors->len; i++) {
    const Motor *motor = &g_array_index (motors, Motor, i);

    list[i].target = motor->target;
    list[i].speed = motor->speed;
    list[i].goal = motor->goal;
    list[i].effort = motor->effort;
    list[i].rotation = motor->rotation;
    list[i].mode = (guint32) motor->mode;
  }
  return g_variant_new_fixed_array (G_VARIANT_TYPE ("(ddddddddu)"), list, motors->len,
                                    sizeof *list);
}

gboolean
motors_restore (GArray *motors, GVariant *list)
{
  const SavedMotor *saved;
  gsize n;

  saved = g_variant_get_fixed_array (list, &n, sizeof *saved);
  if (n != motors->len)
    return FALSE;
  for (guint i = 0; i < motors->len; i++) {
    Motor *motor = &g_array_index (motors, Motor, i);

    motor->target = saved[i].target;
    motor->speed = saved[i].speed;
    motor->goal = saved[i].goal;
    motor->effort = saved[i].effort;
    motor->rotation = saved[i].rotation;
    motor->mode = MIN (saved[i].mode, MOTOR_EFFORT);
  }
  return TRUE;
}

/* --- joints that follow others --- */

CouplingOrder
coupling_get_order (const OrreryConstraint *coupling, int place)
{
  CouplingOrder order = { 0, place };

  for (; coupling != NULL; coupling = orrery_object_get_coupling (coupling->other))
    order.depth++;
  return order;
}

int
coupling_compare (gconstpointer a, gconstpointer b)
{
  const CouplingOrder *x = a, *y = b;

  if (x->depth != y->depth)
    return x->depth > y->depth ? 1 : -1;
  return x->place - y->place;
}
