/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * Which function of which plugin the host is calling, for each thread. It is read where the program
 * ends by a fault, in a signal handler, and at any time by another thread: what it points to is
 * never freed, at most used again for another part. The address of the thread's own record is known
 * when the program is linked (TLS model initial-exec), so that a tick pays one store for each step.
 * The store releases what it points to, and whoever reads it acquires that.
 */
typedef struct {
  const char *classpath;
  const char *name;     /* of the part; "" for a class without one */
  const char *function; /* the one that ticks call */
} OrreryCallee;

/* The texts are kept for ever, each once; @function is static. Any thread. */
OrreryCallee *orrery_callee_new (const char *classpath, const char *name, const char *function);
void orrery_callee_set (OrreryCallee *callee, const char *classpath, const char *name,
                        const char *function);
/* It may be that of another part from now on; who still looks at it reads another name at worst. */
void orrery_callee_free (OrreryCallee *callee);

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
  __atomic_store_n (&orrery_calling.callee, callee, __ATOMIC_RELEASE);
}

/* As orrery_calling_set(), where it is called several times for the same thread's @calling. */
static inline void
orrery_calling_mark (OrreryCalling *calling, const OrreryCallee *callee)
{
  __atomic_store_n (&calling->callee, callee, __ATOMIC_RELEASE);
}

/* Any other function. Returns: what orrery_calling_end() wants after it */
static inline OrreryCalling
orrery_calling_begin (const OrreryCallee *callee, const char *function)
{
  OrreryCalling before = orrery_calling;

  __atomic_store_n (&orrery_calling.function, function, __ATOMIC_RELAXED);
  __atomic_store_n (&orrery_calling.callee, callee, __ATOMIC_RELEASE);
  return before;
}

static inline void
orrery_calling_end (OrreryCalling before)
{
  __atomic_store_n (&orrery_calling.callee, before.callee, __ATOMIC_RELEASE);
  __atomic_store_n (&orrery_calling.function, before.function, __ATOMIC_RELAXED);
}
