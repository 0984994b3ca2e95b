/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * The dynamics of one tree of links: poses, inertia, forces, what an impulse changes. Bullet's own
 * multibody knows no armature and no damping at the end of a substep, and goes wrong without them.
 *
 * Featherstone, Rigid Body Dynamics Algorithms: composite rigid bodies (6.2) and the factors of the
 * inertia of a tree (6.5). Motions and forces are in world axes, about the place of the first link:
 * three numbers of rotation, then three of translation.
 */

#include "../motors.h"

G_BEGIN_DECLS

typedef struct {
  int parent;               /* link above; -1: none */
  const OrreryJoint *joint; /* NULL: the base, which floats */
  Motor *motor;             /* NULL: of the base */
  const OrreryBody *settings;
  OrreryTransform start; /* in the frame of the link above, or of @base */
  OrreryTransform base;  /* of a link without one above: where its parent is */
  guint dof, n_dofs;     /* of the base: translation along the axes of the world, then rotation */

  double mass;        /* kg, with what is fixed to it */
  OrreryVec3 centre;  /* m, in its own frame */
  OrreryMat3 inertia; /* kg m2 about the centre, along its own axes */
  guint8 locked[6];   /* of the base */
  gboolean is_held;   /* the base: as fast as its holder */
  gboolean is_hollow; /* has neither shapes nor mass */

  /* Its state. */
  double position;
  OrreryQuat rotation;  /* of a ball */
  OrreryTransform pose; /* world */
  OrreryVec3 friction;  /* N s of the last substep, at the centre of mass */
  OrreryVec3 torsion;   /* N m s */

  /* For the present substep. */
  OrreryVec3 gravity; /* m/s2 */
  OrreryVec3 force;   /* N, at the centre of mass */
  OrreryVec3 torque;  /* N m */
  OrreryVec3 middle;  /* m, of mass, world */
  double velocity[6];
  double change[6];     /* of the velocity, without that of the rates */
  double wrench[6];     /* with those below, for no acceleration */
  double outside[6];    /* of contacts; of a tree that is asked for loads */
  double gained[6];     /* acceleration of the substep */
  double load[6];       /* what the link above gives it */
  OrreryWrench given;   /* the same, about its anchor in its own axes; of the last substep */
  double composite[10]; /* mass, mass times centre, inertia xx yy zz xy xz yz; with those below */
} TreeLink;

typedef struct {
  guint n_links;
  TreeLink *links; /* those above before those below */
  guint n;         /* freedoms */
  gboolean away;   /* its bodies are not in the world */

  int *above;       /* n: freedom, or -1 */
  double *rates;    /* n: of the joints; of the base m/s and rad/s, of its origin */
  double *ways;     /* 6 n */
  double *turns;    /* 6 n: how the ways change */
  double *inertia;  /* n n: rows of the lower half, without damping */
  double *factor;   /* n n: L^T D L of the inertia with damping and locks */
  double *bias;     /* n: forces that keep the rates, against gravity, too */
  double *applied;  /* n: forces from outside */
  double *passive;  /* n: springs and damping */
  double *effort;   /* n: of motors */
  double *wanted;   /* n: accelerations that motors want */
  double *implied;  /* n */
  double *share;    /* n: of the efforts, for joints that follow */
  double *implicit; /* n: inertia that damping and gains add */
  double *steady;   /* n: by how much of it a wanted acceleration falls in a substep */
  guint8 *driven;   /* n */
  double *before;   /* n: rates where the substep begins; NULL: nobody asks for loads */
} Tree;

/* @links: copied; what follows of the state is zero. */
Tree *tree_new (const TreeLink *links, guint n_links);
void tree_free (Tree *tree);

/* Where all links are and how they move, from the joints and the base. */
void tree_place (Tree *tree);
/* R I R^T, of an inertia in a frame that is turned by @rotation. */
void tree_turn_inertia (const OrreryMat3 *inertia, const OrreryQuat *rotation, OrreryMat3 *out);
/* Inertia, bias and forces at the present state. */
void tree_measure (Tree *tree, double dt);
/* Efforts of motors that want no acceleration, and what the others want. */
void tree_drive (Tree *tree, double dt);
/* @implied: what the wanted accelerations take. */
void tree_imply (Tree *tree);
/* Efforts within their limits, then rates without contacts. */
void tree_accelerate (Tree *tree, double dt);
/* What friction gave in the last substep is taken out of the rates again. */
void tree_take_back (Tree *tree);
/* Joints go on by their rates; poses are those of tree_place(). */
void tree_integrate (Tree *tree, double dt);

/*
 * tree-loads.c: what links give each other through their joints. From the start, if it is to be
 * known at all; at the begin of a substep; for each contact, N and N m on the link at a point; once
 * the rates are those of the end, but before tree_integrate(): what they were given.
 */
void tree_want_loads (Tree *tree);
void tree_begin_loads (Tree *tree);
void tree_add_load (Tree *tree, guint link, const OrreryVec3 *point, const OrreryVec3 *force,
                    const OrreryVec3 *torque);
void tree_find_loads (Tree *tree, double dt);
/* For them: momentum of a motion, by an inertia as in composite. */
void tree_multiply_inertia (const double *inertia, const double *motion, double *out);

/* m/s, rad/s, of the origin of a link at the last tree_place(). */
void tree_get_velocity (const Tree *tree, guint link, OrreryVec3 *linear, OrreryVec3 *angular);
/* Adds to @row (n numbers) what the freedoms move a point of a link along, or about, a direction.
 */
void tree_add_row (const Tree *tree, guint link, const OrreryVec3 *point,
                   const OrreryVec3 *direction, gboolean turns, double sign, double *row);
/* Of a row of forces: what they change of the rates, for 1 s. */
void tree_solve (const Tree *tree, double *row);
double tree_dot (const Tree *tree, const double *a, const double *b);

G_END_DECLS
