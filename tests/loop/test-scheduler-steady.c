/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop/orrery-scheduler.h"

#include "../allocations.h"

#include <stdlib.h>

/* Steps allocate nothing: by itself and in a main loop. */

#define N_TASKS 100
#define N_STEPS 20000

typedef struct {
  guint n;
  guint at_begin; /* allocations before, once all is warm */
  guint at_end;
  gboolean allocates;
} Count;

static Count count;

static OrreryNext
step (OrreryTask *task, gpointer data, GError **error)
{
  guint i = GPOINTER_TO_UINT (data);

  count.n++;
  if (count.allocates) {
    /* A pair that nobody looks at is one that a compiler leaves out. */
    gpointer volatile block = malloc (count.n);

    free (block);
  }
  if (count.n == N_STEPS / 10)
    count.at_begin = n_allocations;
  if (count.n < N_STEPS)
    return i % 3 == 0   ? orrery_next_sleep (1000 * i)
           : i % 3 == 1 ? orrery_next_period_seconds (1e-5)
                        : orrery_next_yield ();
  count.at_end = count.at_end > 0 ? count.at_end : n_allocations;
  return orrery_next_done ();
}

static OrreryScheduler *
make (gboolean allocates)
{
  OrreryScheduler *scheduler = orrery_scheduler_new (NULL, NULL);

  count = (Count){ .allocates = allocates };
  for (guint i = 0; i < N_TASKS; i++)
    orrery_scheduler_add (scheduler, "task", step, GUINT_TO_POINTER (i), NULL);
  return scheduler;
}

static guint
count_by_itself (gboolean allocates)
{
  g_autoptr (OrreryScheduler) scheduler = make (allocates);

  g_assert_true (orrery_scheduler_run (scheduler));
  return count.at_end - count.at_begin;
}

static guint
count_in_a_loop (void)
{
  g_autoptr (OrreryScheduler) scheduler = make (FALSE);
  g_autoptr (GMainContext) context = g_main_context_new ();

  g_assert_true (orrery_scheduler_attach (scheduler, context, NULL));
  while (orrery_scheduler_get_n_tasks (scheduler) > 0)
    g_main_context_iteration (context, TRUE);
  return count.at_end - count.at_begin;
}

static void
test_steady (void)
{
  g_test_summary ("no allocation in the steady state; a step that allocates is seen");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL) {
    g_test_skip ("allocations cannot be counted in this build");
    return;
  }
  g_assert_cmpuint (count_by_itself (FALSE), ==, 0);
  g_assert_cmpuint (count_in_a_loop (), ==, 0);
  g_assert_cmpuint (count_by_itself (TRUE), >=, N_STEPS / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  is_counting = TRUE;
  g_test_add_func ("/loop/scheduler-steady/no-allocation", test_steady);
  return g_test_run ();
}
