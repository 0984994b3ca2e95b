/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "arm.h"

/* What the sources of the armature share. */

/* A place that the end of a joint is to be at, free of arm and robot. */
typedef struct {
  char *name;
  guint joint;
  OrreryObject *object; /* NULL, or what is at that place */
  OrreryTransform pose; /* in the world; of no use where there is an object */
} ArmatureTarget;

/* A child of the armature that moves with its last link. */
typedef struct {
  OrreryObject *object;
  OrreryTransform mounting; /* on that link */
} ArmatureLoad;

#define ORRERY_TYPE_ARMATURE (orrery_armature_get_type ())
G_DECLARE_FINAL_TYPE (OrreryArmature, orrery_armature, ORRERY, ARMATURE, OrreryActuator)

struct _OrreryArmature {
  OrreryActuator parent_instance;
  /* How near is near enough, m, rad; how fast joints and targets move, rad/s, m/s. */
  double distance_tolerance;
  double angle_tolerance;
  double rotation_speed;
  double linear_speed;
  double ik_rotation_speed;
  double ik_linear_speed;
  char *armature;   /* name of the object with the joints; empty: the own one */
  char *ik_targets; /* names of joints, separated by commas */

  OrreryWorld *world;
  Arm *arm;
  double *positions; /* where the joints are, rad or m */
  double *speeds;    /* of each joint, 0: the property */
  OrreryTransform *poses;
  GArray *targets; /* (element-type ArmatureTarget) */
  GArray *loads;   /* (element-type ArmatureLoad) */
  int effector;    /* joint whose link carries the loads, or -1 */
  OrreryBool placed;
  gboolean is_away; /* the joints are not below the actuator's object */

  /* The target that the arm reaches for, since it was placed or moved; NULL: none. */
  ArmatureTarget *reached;
  OrreryTransform solved; /* in the frame of the arm: where it reached for it last */
  gint64 tries;           /* steps in which it may come nearer to that */

  /* A target that is on its way. */
  ArmatureTarget *moving; /* NULL: none */
  OrreryTransform from, to;
  double linear_step; /* m in a second, along each axis */
  double way;         /* s, that the turn takes */
  double gone;

  /* A trajectory: rows of a time, s, and the positions of all joints. */
  GArray *points;   /* (element-type double); NULL: none */
  gint64 next;      /* row that it goes to */
  gint64 aimed;     /* row that the joints have their speeds for, from 1; 0: none */
  double ended;     /* s, at which the last point that it went to was due */
  double wait;      /* s, from the call to the begin */
  OrreryTime first; /* of the call, by the robot's clock */
};

extern const OrreryService armature_services[];
extern const guint armature_n_services;

/* NULL with @error where there is no such armature, or more than one. */
OrreryObject *armature_find_base (OrreryArmature *self, OrrerySetup *setup, GError **error);
/* In the world: what the arm begins with. */
const OrreryTransform *armature_get_base_pose (OrreryArmature *self);
/* The record: where the joints are to go. */
double *armature_get_goals (OrreryArmature *self);
/* Everything that moves ends; the joints stay where they are. */
void armature_stop (OrreryArmature *self);
/* Puts a joint to its goal with the next step. */
void armature_jump (OrreryArmature *self, guint joint);

ArmatureTarget *armature_find_target (OrreryArmature *self, const char *name);
/* In the world. */
void armature_get_target_pose (OrreryArmature *self, const ArmatureTarget *target,
                               OrreryTransform *pose);
/* Where it is out of reach the arm comes as near as it can, and says so. */
void armature_place_target (OrreryArmature *self, ArmatureTarget *target,
                            const OrreryTransform *goal);
void armature_move_target (OrreryArmature *self, ArmatureTarget *target,
                           const OrreryTransform *goal, double linear, double radial);
/* @points: taken; @start: s of the robot's time at which they begin, or NAN: now. */
void armature_follow (OrreryArmature *self, GArray *points, double start);

void armature_class_add_state (OrreryPartClass *klass);
