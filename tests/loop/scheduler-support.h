/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"
#include "loop/orrery-scheduler-private.h"

/* A clock of the test's own: each step may take time, each look at it is counted. */
#define TEST_TYPE_CLOCK (test_clock_get_type ())
G_DECLARE_FINAL_TYPE (TestClock, test_clock, TEST, CLOCK, OrreryClock)
struct _TestClock {
  OrreryClock parent_instance;

  OrreryTime time;
  OrreryTime per_look; /* how far it goes on each time somebody looks */
  guint n_looks;
  guint n_waits;
};
G_DEFINE_FINAL_TYPE (TestClock, test_clock, ORRERY_TYPE_CLOCK)

static inline OrreryTime
test_clock_get_time (OrreryClock *clock)
{
  TestClock *self = TEST_CLOCK (clock);

  self->n_looks++;
  self->time += self->per_look;
  return self->time;
}

/* Nobody sleeps by it: the time comes at once. */
static inline OrreryTime
test_clock_get_wait (OrreryClock *clock, OrreryTime until)
{
  TestClock *self = TEST_CLOCK (clock);

  self->n_waits++;
  self->time = MAX (self->time, until);
  return 0;
}

static void
test_clock_class_init (TestClockClass *klass)
{
  ORRERY_CLOCK_CLASS (klass)->get_time = test_clock_get_time;
  ORRERY_CLOCK_CLASS (klass)->get_wait = test_clock_get_wait;
}

static void
test_clock_init (TestClock *self)
{
}

/* A scheduler by such a clock, and what its tasks wrote down. */
typedef struct {
  TestClock *clock;
  OrreryScheduler *scheduler;
  GString *log;
  guint n_freed;
} Fixture;

/* A task that does what it is told to. */
typedef struct {
  Fixture *fixture;
  OrreryNext next;    /* what it gives */
  guint n_steps;      /* how many before it is done; 0: without end */
  OrreryTime takes;   /* how long a step lasts */
  guint n;            /* steps that it took */
  OrreryTime last;    /* when the last of them began */
  gboolean is_silent; /* keeps no log */
} Actor;

static inline void
setup (Fixture *f, gconstpointer data)
{
  f->clock = g_object_new (TEST_TYPE_CLOCK, NULL);
  f->clock->time = 1000;
  f->scheduler = orrery_scheduler_new (ORRERY_CLOCK (f->clock), NULL);
  f->log = g_string_new (NULL);
}

static inline void
teardown (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->scheduler);
  g_assert_finalize_object (f->clock);
  g_string_free (f->log, TRUE);
}

/* The log has the first letter of the task and the time of each of its steps. */
static inline OrreryNext
act (OrreryTask *task, gpointer data, GError **error)
{
  Actor *actor = data;
  Fixture *f = actor->fixture;

  actor->n++;
  actor->last = f->clock->time;
  if (!actor->is_silent)
    g_string_append_printf (f->log, "%c%" G_GINT64_FORMAT " ", *orrery_task_get_name (task),
                            f->clock->time);
  f->clock->time += actor->takes;
  return actor->n == actor->n_steps ? orrery_next_done () : actor->next;
}

static inline void
note_freed (gpointer data)
{
  ((Actor *) data)->fixture->n_freed++;
}

static inline OrreryTask *
add_actor (Fixture *f, const char *name, Actor *actor)
{
  actor->fixture = f;
  return orrery_scheduler_add (f->scheduler, name, act, actor, note_freed);
}
