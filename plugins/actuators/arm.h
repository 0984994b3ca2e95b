/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * A tree of joints: where its links are for any positions of the joints, and which positions put a
 * link at a place. Everything is in the frame of the object that the arm begins with.
 */

typedef struct {
  OrreryObject *object;
  const OrreryJoint *joint;
  int parent;             /* place of the joint that carries it, or -1 */
  OrreryTransform offset; /* from the object of that joint, or of the arm, to the parent of this */
  OrreryVec3 tip;         /* m, the end of the link, in its own frame */
  OrreryQuat bone;        /* from that frame to the bone that users know: y along it */
  double length;          /* m, from the joint to the end */
} ArmJoint;

typedef struct {
  OrreryObject *base;
  GArray *joints; /* (element-type ArmJoint), parents before what they carry */

  /* For arm_reach(), which then allocates nothing. */
  guint *chain;
  OrreryTransform *poses;
  double *columns;
  double *trial;
  double *bent;
} Arm;

/* Hinges and slides below @base, in tree order; what is below another actuator is that one's. */
Arm *arm_new (OrreryObject *base, OrrerySetup *setup);
void arm_free (Arm *arm);
ArmJoint *arm_get (Arm *arm, guint joint);
/* Place of a joint by the name of its object, or -1. */
int arm_find (Arm *arm, const char *name);
double arm_clamp (Arm *arm, guint joint, double position);
/* Pose of each joint's object; of its end: arm_get_tip(). */
void arm_forward (Arm *arm, const double *positions, OrreryTransform *poses);
void arm_get_tip (Arm *arm, guint joint, const OrreryTransform *poses, OrreryTransform *tip);

/* How many bent positions arm_reach() starts from, besides those that it is given. */
#define ARM_N_BENDS 8

/*
 * Moves @positions, in their limits, so that the end of @joint comes to @goal as near as it can:
 * the squares of what is left, m and rad, are least. By damped least squares (Wampler 1986; Buss,
 * Introduction to Inverse Kinematics, 2004) with a damping that follows the success of the steps
 * (Levenberg, Marquardt). Where @n_steps of them fall short, the bent position number @bend, from
 * 1, is tried as well; 0: all of them. @left gets the distance, m, and the angle, rad, that are
 * left. Returns whether it is there.
 */
gboolean arm_reach (Arm *arm, guint joint, const OrreryTransform *goal, guint n_steps, guint bend,
                    double *positions, double left[2]);
