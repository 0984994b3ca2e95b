/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the engine makes of the world: its things, and MuJoCo's model of them. */

#include "../bodies.h"

#include <mujoco/mujoco.h>

/* kg m2: MuJoCo takes no less of what moves. */
#define MODEL_MIN_INERTIA 1e-12

/* One object that the engine has a body for. A root without one that carries links has one, too. */
typedef struct {
  Body own;
  const OrreryInertial *inertial; /* or NULL */
  GPtrArray *links;               /* (element-type Thing): that hang on it by a joint */
  GArray *first;                  /* (element-type Piece): that the model was made of */
  OrreryVec3 inertia;  /* kg m2 about the origin, of a body whose centre of mass is there */
  OrreryVec3 reckoned; /* the same, when the model was made */
  gboolean plain; /* free, no links, centre of mass at its origin: friction needs no Jacobian */

  /* In the model; -1: it has none. */
  int body;
  int qpos;
  int dof;
  int mocap;
  guint motor; /* of a link: its place among the motors */

  gpointer engine;
  guint n_patches;    /* of the present substep */
  OrreryVec3 wrench;  /* N s of friction in the last substep, at the centre of mass */
  OrreryVec3 torsion; /* N m s */
  OrreryVec3 force;   /* N, of the tick */
  OrreryVec3 torque;
  OrreryVec3 push; /* of the next substep alone */
  OrreryVec3 twist;

  /* Of bodies that are put: how it was put in the present substep. */
  OrreryVec3 moving; /* m/s */
  OrreryVec3 turning;
} Thing;

typedef struct {
  Thing *thing;
  double margin; /* m, outside of the shape */
  guint piece;   /* of the thing */
} Geom;

typedef struct {
  mjModel *m;
  Geom *geoms;    /* by the model's */
  Thing **bodies; /* by the model's; NULL for the world */
} Model;

/* What flows around all bodies: MuJoCo reckons its drag by the boxes of their inertia. */
typedef struct {
  double wind[3];   /* m/s */
  double density;   /* kg/m3 */
  double viscosity; /* Pa s */
} ModelOptions;

/*
 * Makes the model of @things of @world, parents first. What is wrong is the world's, and names its
 * object. Sets where things are in the model.
 */
gboolean model_make (Model *model, GPtrArray *things, OrreryWorld *world,
                     const ModelOptions *options, GError **error);
void model_clear (Model *model);

/* m, of its settings. */
double model_get_margin (const Thing *thing);

/* sizes.c: @out: eight points. */
void model_box_points (const OrreryVec3 *half, double out[24]);
/* Finds the inertia of its pieces as they are now, and their centre of mass in its frame. */
void model_reckon_inertia (Thing *thing, OrreryVec3 *centre);
/* Whether it has other pieces than the model was made of. */
gboolean model_is_scaled (const Thing *thing);
/* Whether solid shapes of an object can have another size. */
gboolean model_can_scale (OrreryObject *object, GError **error);
/* Gives the geoms of a thing the sizes of its pieces. @first: the model as it was made */
void model_scale (Model *model, const mjModel *first, const Thing *thing);

/* m, world: where the margins of the two meet. */
OrreryVec3 model_get_point (const Model *model, const mjContact *contact);

/* Whether the engine does the dynamics of an object's joint. */
gboolean model_moves_joint (OrreryObject *object);
