/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Motors of joints that an engine does the dynamics of, as they are the same for all engines. */

#include "bodies.h"

G_BEGIN_DECLS

typedef enum { MOTOR_NONE, MOTOR_POSITION, MOTOR_VELOCITY, MOTOR_EFFORT } MotorMode;

/* A joint that the engine moves. */
typedef struct {
  Body *body;
  const OrreryJoint *joint;
  MotorMode mode;
  double target; /* as told */
  double speed;  /* at most; 0: as the joint says */
  double goal;   /* on the way to the target */
  double rate;   /* of the goal */
  OrreryQuat rotation;
  double effort; /* of the last substep */
} Motor;

/* Where a joint that follows another one is among all that do: leaders come first. */
typedef struct {
  guint depth; /* couplings up to a joint that follows none */
  int place;   /* in an order of the engine's own, for those of one depth */
} CouplingOrder;

CouplingOrder coupling_get_order (const OrreryConstraint *coupling, int place);
/* For structs that begin with a #CouplingOrder. */
int coupling_compare (gconstpointer a, gconstpointer b);

/* What a motor does in a substep. Without gains of its own it wants an acceleration. */
typedef struct {
  gboolean wants;
  double wanted;   /* rad/s2 or m/s2 */
  double slope;    /* 1/s: by which that falls with the rate */
  double effort;   /* N m or N, without its limit */
  double implicit; /* inertia that its gains add, as they act at the end of a substep */
} MotorDrive;

/* A position that the limits of the joint allow. */
double motor_limit (const OrreryJoint *joint, double position);
/* @position: where the joint is now. TRUE: the joint is to be there at once. */
gboolean motor_take (Motor *motor, const OrreryCommand *command, double position);
/* Of a hinge or slide. */
void motor_drive (Motor *motor, double position, double rate, double dt, MotorDrive *drive);
/* Of a ball, about one of its axes, that it is to turn by @way (rad) about. */
double motor_turn (double way, double rate);

/* `a(ddddddddu)`, floating; the other way, FALSE: they are of other joints. */
GVariant *motors_save (GArray *motors);
gboolean motors_restore (GArray *motors, GVariant *list);

G_END_DECLS
