/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * Which function of which plugin the host is calling, for each thread. It is read only where the
 * program ends by a fault, in a signal handler or from another thread: everything that it points
 * to has to last as long as the part. The address of the thread's own record is known when the
 * program is linked (TLS model initial-exec), so that a tick pays one store for each step.
 */
typedef struct {
  const char *classpath;
  const char *name;     /* of the part; "" for a class without one */
  const char *function; /* the one that ticks call */
} OrreryCallee;

typedef struct {
  const OrreryCallee *callee; /* NULL: no plugin is called */
  const char *function;       /* NULL: callee->function */
} OrreryCalling;

extern __thread OrreryCalling orrery_calling __attribute__ ((tls_model ("initial-exec")));

/* The number of the tick that runs, of the simulation that began one last. */
extern guint64 orrery_calling_tick;

/* The function that ticks call; until the next call, or NULL. */
static inline void
orrery_calling_set (const OrreryCallee *callee)
{
  __atomic_store_n (&orrery_calling.callee, callee, __ATOMIC_RELAXED);
}

/* Any other function. Returns: what orrery_calling_end() wants after it */
static inline OrreryCalling
orrery_calling_begin (const OrreryCallee *callee, const char *function)
{
  OrreryCalling before = orrery_calling;

  __atomic_store_n (&orrery_calling.function, function, __ATOMIC_RELAXED);
  __atomic_store_n (&orrery_calling.callee, callee, __ATOMIC_RELAXED);
  return before;
}

static inline void
orrery_calling_end (OrreryCalling before)
{
  __atomic_store_n (&orrery_calling.callee, before.callee, __ATOMIC_RELAXED);
  __atomic_store_n (&orrery_calling.function, before.function, __ATOMIC_RELAXED);
}
