/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the sources of the engine share. */

#include "engine.h"

#include "frames.h"
#include "loads.h"

/* Locks a degree of freedom: an inertia so large that nothing moves it. */
#define LOCK 1e12

/* What a substep begins with, for one that is tried again with larger buffers. */
typedef struct {
  double *qpos, *qvel, *warmstart;
} State;

/* presence.c */
typedef struct {
  GPtrArray *all;             /* (element-type Thing), those that are away among them */
  int *contype, *conaffinity; /* ngeom: of what is there, as are these: */
  double *armature;           /* nv */
  double *frictionloss;       /* nv */
  mjtByte *limited;           /* njnt */
  gboolean is_used;           /* something is away, or was */
} Presence;

struct _Engine {
  Model model;
  mjData *d;
  GPtrArray *things; /* (element-type Thing) that are there, borrowed */
  Presence presence;
  GArray *motors;    /* (element-type Motor), borrowed */
  GArray *couplings; /* (element-type Coupling) */
  OrreryVec3 gravity;
  OrreryVec3 wind;
  mjModel *first;    /* as it was made; NULL: no mass has changed */
  gboolean weighing; /* masses have changed that the model was not reckoned with yet */
  Rub rub;
  State state;
  Frames frames;
  Loads loads;
  double *wanted;  /* nv: accelerations that motors want */
  double *effort;  /* nv */
  double *implied; /* nv */
  double *share;   /* nv: of the efforts, for joints that follow */
  double
      *implicit;   /* nv: inertia that gains and damping add, as they act at the end of a substep */
  double *inertia; /* nv: of simple bodies, without locks */
  guint8 *driven;  /* nv: by a motor that wants an acceleration */
  gboolean damped;
  int n_rows;           /* of constraints other than contacts, with all that may be there */
  int n_first_contacts; /* room for them, before any growth */
};

void presence_init (Presence *presence, GPtrArray *things, const mjModel *m);
void presence_clear (Presence *presence);
/* Of all freedoms: those of what is away are 0. */
void presence_hold (const Presence *presence, double *rates);
int thing_count_freedoms (const Thing *thing);
/* Locks the joint of a link that is away, and unlocks it once the link is there. */
void engine_lock_link (Engine *engine, const Thing *thing);

/* Into numbers of the model's data. */
void write_pose (const OrreryTransform *pose, double *p, double *q);

/* The state of the present substep. */
void engine_keep (Engine *engine);

/* quantities.c: the model as it was made, but for the sizes of its buffers. */
void engine_take_model_back (Engine *engine);
