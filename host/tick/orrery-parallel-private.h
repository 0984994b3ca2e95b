/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tick/orrery-pool-private.h"
#include "tick/orrery-step-private.h"

/*
 * Runs the sensors of one tick on several threads. The records and messages are the same as with
 * one thread: a sensor that reads a record waits until that is complete; what is not thread-safe
 * runs on the tick's own thread in its order, and so does everything that is sent, after all
 * sensors have run.
 */

/* A sensor, and for sensors that are due in a tick the outcome of the step. */
typedef struct {
  OrreryStep *step;
  gboolean is_parallel; /* FALSE: all of its step runs on the tick's thread */
  guint n_modifiers;    /* number of modifiers that run with it, if it is parallel */
  guint level;          /* runs after all lower levels are complete */
  gint64 cost_ns;       /* of the parallel part, when it was last measured; -1: never */
  GError *error;
  gint64 ns; /* of the whole step, if that was requested */
} OrrerySensing;

typedef struct {
  guint n;
  OrrerySensing *items; /* in the order of the tick */
  guint n_up;
  OrrerySensing **up; /* due in this tick, in that order */

  guint n_levels;
  guint *starts;     /* of each level, and of the end: its first index in the two arrays below */
  guint *n_long;     /* of each level: long steps; these come first, each is taken alone */
  guint *n_parallel; /* of each level in this tick */
  guint *n_serial;
  OrrerySensing **parallel; /* due in this tick, level by level */
  OrrerySensing **serial;   /* those with work left for the tick's thread */

  OrreryPool *pool;
  OrreryTick *tick;
  gboolean timed;
  gint64 work_ns;    /* estimated time of all parallel work of this tick */
  gint64 clock_ns;   /* the overhead of reading the clock */
  gboolean is_light; /* the estimate says that another thread would not pay off */
} OrreryParallel;

/* NULL: several threads would not pay off. @pipelines: the sensors, packed, in the order of
 * @steps. */
OrreryParallel *orrery_parallel_new (const OrrerySteps *steps, guint n_threads);
void orrery_parallel_free (OrreryParallel *parallel);
/*
 * Runs one step of each sensor that is due and active. The outcome is the same as that of running
 * them one after the other, which it does where the work is light. With @timed, the time of each
 * step is stored in its ns.
 */
void orrery_parallel_run (OrreryParallel *parallel, OrreryTick *tick, gboolean timed);
