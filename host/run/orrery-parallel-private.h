/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-pool-private.h"
#include "run/orrery-step-private.h"

/*
 * Sensors of one tick on several threads, with the records and messages that one thread makes:
 * whatever reads a record waits until it is complete, what is not thread-safe runs on the tick's
 * own thread in its order, and so does everything that is sent, after all have sensed.
 */

/* A sensor; of those that are up in a tick, what became of its step. */
typedef struct {
  OrreryStep *step;
  gboolean is_parallel; /* FALSE: all of it runs on the tick's thread */
  guint n_modifiers;    /* that run along, if it is */
  guint level;          /* after all levels below are complete */
  gint64 cost_ns; /* of what can run at once, the last time that it was looked at; -1: never */
  GError *error;
  gint64 ns; /* of all of it, if that was asked for */
} OrrerySensing;

typedef struct {
  guint n;
  OrrerySensing *items; /* in the order of the tick */
  guint n_up;
  OrrerySensing **up; /* of this tick, in that order */

  guint n_levels;
  guint *starts;     /* of each level, and the end: its place in the two arrays below */
  guint *n_long;     /* of those below, which come first: no thread takes two of them at once */
  guint *n_parallel; /* of each level in this tick */
  guint *n_serial;
  OrrerySensing **parallel; /* up in this tick, level by level */
  OrrerySensing **serial;   /* those with something left for the tick's thread */

  OrreryPool *pool;
  OrreryTick *tick;
  gboolean timed;
  gint64 work_ns;  /* what all that can run at once will take in this tick, more or less */
  gint64 clock_ns; /* what reading the clock adds */
  gboolean
      is_light; /* even all of them together are not worth another thread, as far as is known */
} OrreryParallel;

/* NULL: one thread does as well. @pipelines: the sensors, packed, in the order of @steps. */
OrreryParallel *orrery_parallel_new (const OrrerySteps *steps, guint n_threads);
void orrery_parallel_free (OrreryParallel *parallel);
/* One step of each that is due and active: the same as one after the other, which is as good where
 * all is light. With @timed, what each took is in its ns. */
void orrery_parallel_run (OrreryParallel *parallel, OrreryTick *tick, gboolean timed);
