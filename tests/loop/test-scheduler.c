/* SPDX-License-Identifier: BSD-3-Clause */
#include "scheduler-support.h"

#include <math.h>

/* What a scheduler does by a clock of the test's own: nothing in here sleeps. */

/* --- order --- */

static void
test_start (Fixture *f, gconstpointer data)
{
  Actor a = { .n_steps = 1 }, b = a, c = a;

  g_test_summary ("all start at once, in the order given");
  f->clock->per_look = 0;
  add_actor (f, "c", &c);
  f->clock->time += 500;
  add_actor (f, "a", &a);
  add_actor (f, "b", &b);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "c1500 a1500 b1500 ");
  g_assert_cmpuint (f->n_freed, ==, 3);
}

static void
test_order (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_sleep (30), .n_steps = 3 };
  Actor b = { .next = orrery_next_sleep (20), .n_steps = 4 };
  Actor c = { .next = orrery_next_sleep (60), .n_steps = 2 };

  g_test_summary ("by wake time; those of one time in the order in which they said so");
  add_actor (f, "a", &a);
  add_actor (f, "b", &b);
  add_actor (f, "c", &c);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 b1000 c1000 b1020 a1030 b1040 c1060 a1060 b1060 ");
}

/* --- sleeps and periods --- */

static void
test_sleep_counts_from_the_end (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_sleep (100), .n_steps = 3, .takes = 7 };
  Actor b = { .next = orrery_next_sleep_seconds (100e-9), .n_steps = 2, .takes = 5 };

  add_actor (f, "a", &a);
  add_actor (f, "b", &b);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  /* a: from 1007, not from 1012, when the round was over */
  g_assert_cmpstr (f->log->str, ==, "a1000 b1007 a1107 b1114 a1214 ");
}

static void
test_period_counts_from_the_due_time (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_period (100), .n_steps = 4, .takes = 7 };
  Actor b = { .next = orrery_next_period_seconds (100e-9), .n_steps = 3, .takes = 5 };

  add_actor (f, "a", &a);
  add_actor (f, "b", &b);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 b1007 a1100 b1107 a1200 b1207 a1300 ");
}

static OrreryNext
step_until (OrreryTask *task, gpointer data, GError **error)
{
  Actor *actor = data;

  act (task, data, error);
  return actor->n < 4 ? orrery_next_due (1000 + 50 * actor->n - (actor->n == 3 ? 1000 : 0))
                      : orrery_next_done ();
}

static void
test_due (Fixture *f, gconstpointer data)
{
  Actor a = { .fixture = f };
  OrreryTask *task = orrery_scheduler_add (f->scheduler, "a", step_until, &a, NULL);

  g_test_summary ("a due time that is past is now");
  orrery_task_ref (task);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 a1050 a1100 a1100 ");
  g_assert_cmpint (orrery_task_get_due (task), ==, 150);
  g_assert_true (orrery_task_is_ended (task));
  g_assert_null (orrery_task_get_error (task));
  orrery_task_unref (task);
}

#define N_DRIFT 1000000

/* When the last of a million steps begins, of which each takes between 0 and 996 ns. */
static OrreryTime
run_many (OrreryNext next)
{
  Fixture f = { 0 };
  Actor actor = { .next = next, .n_steps = N_DRIFT + 1, .takes = 0, .is_silent = TRUE };
  OrreryTime lateness = 0;

  setup (&f, NULL);
  f.clock->per_look = 83;
  add_actor (&f, "a", &actor);
  g_assert_true (orrery_scheduler_run (f.scheduler));
  g_assert_cmpuint (actor.n, ==, N_DRIFT + 1);
  lateness = actor.last - 1000;
  teardown (&f, NULL);
  return lateness;
}

static void
test_no_drift (void)
{
  OrreryTime exact = 1000000 * (OrreryTime) 16666667;
  OrreryTime sixtieth = (OrreryTime) (N_DRIFT / 60.0 * 1e9);

  g_test_summary ("a period does not drift in a million steps; a sleep does, and so does the sum "
                  "of sixtieths of a second that were rounded");
  g_assert_cmpint (ABS (run_many (orrery_next_period (16666667)) - exact), <, 1000);
  g_assert_cmpint (ABS (run_many (orrery_next_period_seconds (1 / 60.0)) - sixtieth), <, 1000);

  g_assert_cmpint (run_many (orrery_next_sleep (16666667)) - exact, >, 1000 * 1000);
  g_assert_cmpint (run_many (orrery_next_period (16666667)) - sixtieth, >, 100 * 1000);
}

static void
test_late_period (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_period (10), .n_steps = 5 };
  Actor b = { .next = orrery_next_period (25), .n_steps = 3 };

  g_test_summary ("who is late catches up, and the others have their turn in between");
  add_actor (f, "a", &a);
  add_actor (f, "b", &b);
  g_assert_cmpuint (orrery_scheduler_run_due (f->scheduler), ==, 2);
  f->clock->time = 1050;
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 b1000 a1050 b1050 a1050 b1050 a1050 a1050 ");
}

/* --- looks at the clock --- */

static void
test_one_look_per_round (Fixture *f, gconstpointer data)
{
  Actor yielding[50], periodic[50];
  guint looks;

  g_test_summary ("one look at the clock for all that are due, one more for each that sleeps");
  for (guint i = 0; i < 50; i++) {
    yielding[i] = (Actor){ .next = orrery_next_yield (), .n_steps = 10, .is_silent = TRUE };
    add_actor (f, "y", &yielding[i]);
  }
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpuint (f->clock->n_looks, <=, 11);

  looks = f->clock->n_looks;
  for (guint i = 0; i < 50; i++) {
    periodic[i] = (Actor){ .next = orrery_next_period (100), .n_steps = 10, .is_silent = TRUE };
    add_actor (f, "p", &periodic[i]);
  }
  g_assert_true (orrery_scheduler_run (f->scheduler));
  /* Of each round: nothing is due, is it due now */
  g_assert_cmpuint (f->clock->n_looks - looks, <=, 40);

  looks = f->clock->n_looks;
  for (guint i = 0; i < 50; i++) {
    periodic[i] = (Actor){ .next = orrery_next_sleep (100), .n_steps = 10, .is_silent = TRUE };
    add_actor (f, "s", &periodic[i]);
  }
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpuint (f->clock->n_looks - looks, >=, 50 * 9);
  g_assert_cmpuint (f->clock->n_looks - looks, <=, 50 * 9 + 40);
}

static void
test_no_wait_while_due (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_yield (), .n_steps = 100 };
  Actor b = { .next = orrery_next_sleep (10), .n_steps = 11 };

  g_test_summary ("the clock is asked to wait only when nothing is due");
  add_actor (f, "a", &a);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpuint (f->clock->n_waits, ==, 0);
  add_actor (f, "b", &b);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpuint (f->clock->n_waits, ==, 10);
}

/* --- yields --- */

static void
test_yield_is_fair (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_yield (), .n_steps = 3 }, b = a, c = a;
  Actor sleeper = { .next = orrery_next_sleep (20), .n_steps = 3 };

  add_actor (f, "a", &a);
  add_actor (f, "b", &b);
  add_actor (f, "c", &c);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 b1000 c1000 a1000 b1000 c1000 a1000 b1000 c1000 ");

  /* Two that always want on, and one that sleeps: it has its turn in the round in which it is due,
   * by the look at the clock that the round began with. */
  g_string_truncate (f->log, 0);
  a = b = (Actor){ .next = orrery_next_yield (), .n_steps = 8, .takes = 5 };
  add_actor (f, "a", &a);
  add_actor (f, "s", &sleeper);
  add_actor (f, "b", &b);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (
      f->log->str, ==,
      "a1000 s1005 b1005 a1010 b1015 a1020 b1025 a1030 s1035 b1035 a1040 b1045 a1050 b1055 "
      "a1060 s1065 b1065 a1070 b1075 ");
}

/* --- tasks that come and go --- */

typedef struct {
  Actor actor;
  Actor *other;
  OrreryTask *victim;
} Manager;

static OrreryNext
step_manage (OrreryTask *task, gpointer data, GError **error)
{
  Manager *manager = data;
  Fixture *f = manager->actor.fixture;

  act (task, &manager->actor, error);
  if (manager->actor.n == 1) {
    add_actor (f, "n", manager->other);
    orrery_scheduler_remove (f->scheduler, manager->victim);
    g_assert_true (orrery_task_is_ended (manager->victim));
    g_assert_cmpuint (f->n_freed, ==, 1);
    g_assert_cmpuint (orrery_scheduler_get_n_tasks (f->scheduler), ==, 3);
  } else {
    orrery_scheduler_remove (f->scheduler, task);
    g_assert_cmpuint (orrery_scheduler_get_n_tasks (f->scheduler), ==, 1);
    /* Its own data stays until the step is over. */
    g_assert_cmpuint (f->n_freed, ==, 2);
  }
  return orrery_next_sleep (10);
}

static void
test_change_within (Fixture *f, gconstpointer data)
{
  Actor other = { .next = orrery_next_sleep (100), .n_steps = 2 };
  Actor victim = { .next = orrery_next_sleep (10) };
  Actor neighbour = { .n_steps = 1 };
  Manager manager = { .actor.fixture = f, .other = &other };

  g_test_summary ("a step adds a task, removes another, removes itself");
  orrery_scheduler_add (f->scheduler, "m", step_manage, &manager, note_freed);
  manager.victim = orrery_task_ref (add_actor (f, "v", &victim));
  add_actor (f, "z", &neighbour);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "m1000 z1000 n1000 m1010 n1100 ");
  g_assert_cmpuint (f->n_freed, ==, 4);
  orrery_task_unref (manager.victim);
}

static void
test_change_between (Fixture *f, gconstpointer data)
{
  Actor stays = { .next = orrery_next_sleep (10), .n_steps = 3 };
  Actor early = { .next = orrery_next_sleep (10) }, late = early, fresh = { .n_steps = 1 };
  g_autoptr (OrreryTask) early_task = orrery_task_ref (add_actor (f, "e", &early));
  g_autoptr (OrreryTask) late_task = NULL;

  g_test_summary ("removed before the start, and while it sleeps; added while others sleep");
  add_actor (f, "s", &stays);
  late_task = orrery_task_ref (add_actor (f, "l", &late));
  orrery_scheduler_remove (f->scheduler, early_task);
  orrery_scheduler_remove (f->scheduler, early_task);
  g_assert_cmpuint (f->n_freed, ==, 1);
  g_assert_cmpuint (orrery_scheduler_run_due (f->scheduler), ==, 2);
  orrery_scheduler_remove (f->scheduler, late_task);
  g_assert_cmpuint (f->n_freed, ==, 2);
  g_assert_cmpuint (orrery_scheduler_get_n_tasks (f->scheduler), ==, 1);
  f->clock->time = 1005;
  add_actor (f, "f", &fresh);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "s1000 l1000 f1005 s1010 s1020 ");
}

static void
test_many_removed (Fixture *f, gconstpointer data)
{
  Actor actors[100];

  g_test_summary ("removed tasks leave no trace: 100,000 that sleep for long come and go");
  for (guint i = 0; i < G_N_ELEMENTS (actors); i++) {
    actors[i] = (Actor){ .next = orrery_next_sleep (G_MAXINT64 / 2 - 100 * i), .is_silent = TRUE };
    add_actor (f, "keep", &actors[i]);
  }
  for (guint i = 0; i < 100000; i++) {
    Actor passing = { .next = orrery_next_sleep (G_MAXINT64 / 2), .is_silent = TRUE };
    OrreryTask *task = add_actor (f, "passing", &passing);

    g_assert_cmpuint (orrery_scheduler_run_due (f->scheduler), >=, 1);
    g_assert_cmpuint (passing.n, ==, 1);
    orrery_scheduler_remove (f->scheduler, task);
  }
  g_assert_cmpuint (orrery_scheduler_get_n_tasks (f->scheduler), ==, 100);
  g_assert_cmpuint (f->scheduler->heap.room, <=, 256);
  g_assert_cmpuint (f->n_freed, ==, 100000);
  /* What is left is in order still. */
  for (guint i = 0; i < G_N_ELEMENTS (actors); i++)
    actors[i].n_steps = 2;
  g_assert_true (orrery_scheduler_run (f->scheduler));
  for (guint i = 1; i < G_N_ELEMENTS (actors); i++)
    g_assert_cmpint (actors[i].last, ==, actors[i - 1].last - 100);
}

typedef struct {
  Actor actor;
  OrreryTask *others[100];
} Remover;

static OrreryNext
step_remove (OrreryTask *task, gpointer data, GError **error)
{
  Remover *remover = data;
  OrreryScheduler *scheduler = remover->actor.fixture->scheduler;

  act (task, &remover->actor, error);
  for (guint i = 0; i < G_N_ELEMENTS (remover->others); i++)
    if (i % 10 != 0)
      orrery_scheduler_remove (scheduler, remover->others[i]);
  g_assert_cmpuint (orrery_scheduler_get_n_tasks (scheduler), ==, 11);
  return orrery_next_done ();
}

static void
test_many_removed_while_due (Fixture *f, gconstpointer data)
{
  Actor others[100];
  Remover remover = { .actor.fixture = f };
  g_autoptr (GString) expected = g_string_new ("r1000 ");

  g_test_summary ("a step removes 90 that are due: the others have their turn, in their order");
  orrery_scheduler_add (f->scheduler, "r", step_remove, &remover, note_freed);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    char name[] = { (char) ('a' + i / 10), '\0' };

    others[i] = (Actor){ .n_steps = 1 };
    remover.others[i] = add_actor (f, name, &others[i]);
    if (i % 10 == 0)
      g_string_append_printf (expected, "%s1000 ", name);
  }
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, expected->str);
  g_assert_cmpuint (f->n_freed, ==, 101);
  g_assert_cmpuint (f->scheduler->n_ended, ==, 0);
}

static OrreryNext
step_back (OrreryTask *task, gpointer data, GError **error)
{
  Actor *actor = data;

  act (task, actor, error);
  actor->fixture->clock->time -= actor->n == 1 ? 500 : 0;
  return actor->n == 1 ? orrery_next_sleep (100) : orrery_next_done ();
}

static void
test_clock_goes_back (Fixture *f, gconstpointer data)
{
  Actor back = { .fixture = f }, b = { .n_steps = 1 }, c = b;

  g_test_summary ("what was due waits again, and comes after what is due sooner");
  f->clock->per_look = 0;
  orrery_scheduler_add (f->scheduler, "a", step_back, &back, note_freed);
  add_actor (f, "b", &b);
  add_actor (f, "c", &c);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 a600 b1000 c1000 ");
}

static void
test_ended_with_the_scheduler (void)
{
  Fixture f = { 0 };
  Actor a = { .next = orrery_next_sleep (10) }, b = a;
  OrreryTask *task;

  setup (&f, NULL);
  task = orrery_task_ref (add_actor (&f, "a", &a));
  orrery_scheduler_run_due (f.scheduler);
  add_actor (&f, "b", &b);
  g_assert_false (orrery_task_is_ended (task));
  teardown (&f, NULL);
  g_assert_cmpuint (f.n_freed, ==, 2);
  g_assert_true (orrery_task_is_ended (task));
  orrery_task_unref (task);
}

/* --- failures --- */

static gboolean
on_failed (OrreryScheduler *scheduler, OrreryTask *task, GError *error, gpointer data)
{
  GPtrArray *reports = data;

  g_assert_true (orrery_task_is_ended (task));
  g_assert_cmpstr (orrery_task_get_error (task)->message, ==, error->message);
  g_ptr_array_add (reports, g_strdup (error->message));
  return TRUE;
}

static OrreryNext
step_fail (OrreryTask *task, gpointer data, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "no picture on /dev/video7");
  return orrery_next_sleep (10);
}

typedef struct {
  OrreryNext next;
  const char *words;
} WrongCase;

static void
test_failures (Fixture *f, gconstpointer data)
{
  const WrongCase cases[] = {
    { orrery_next_sleep (-5), "task: gave a sleep of -5 ns; it is 0 or more" },
    { orrery_next_sleep_seconds (-0.5), "task: gave a sleep of -0.5 s; it is 0 to 9.2e9" },
    { orrery_next_sleep_seconds (NAN), "task: gave a sleep of nan s; it is 0 to 9.2e9" },
    { orrery_next_sleep_seconds (INFINITY), "task: gave a sleep of inf s; it is 0 to 9.2e9" },
    { orrery_next_period (0), "task: gave a period of 0 ns; it is 1 or more" },
    { orrery_next_period (-1), "task: gave a period of -1 ns; it is 1 or more" },
    { orrery_next_period_seconds (0), "task: gave a period of 0 s; it is 1e-9 to 9.2e9" },
    { orrery_next_period_seconds (NAN), "task: gave a period of nan s; it is 1e-9 to 9.2e9" },
    { orrery_next_make (ORRERY_NEXT_NONE, 0),
      "task: returned no command; there is: yield, sleep, period, due, done" },
    { orrery_next_make ((OrreryNextKind) 42, 0),
      "task: gave command 42, which is none; there is: yield, sleep, period, due, done" },
  };
  g_autoptr (GPtrArray) reports = g_ptr_array_new_with_free_func (g_free);
  Actor good = { .next = orrery_next_sleep (10), .n_steps = 5 };
  Actor wrong[G_N_ELEMENTS (cases)];

  g_test_summary ("reported by name with what it gave, and ended; the others run on");
  g_signal_connect (f->scheduler, "failed", G_CALLBACK (on_failed), reports);
  orrery_scheduler_add (f->scheduler, "camera", step_fail, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    wrong[i] = (Actor){ .next = cases[i].next, .is_silent = TRUE };
    add_actor (f, "task", &wrong[i]);
  }
  add_actor (f, "g", &good);
  g_assert_true (orrery_scheduler_run (f->scheduler));

  g_assert_cmpstr (f->log->str, ==, "g1000 g1010 g1020 g1030 g1040 ");
  g_assert_cmpuint (orrery_scheduler_get_n_failed (f->scheduler), ==, G_N_ELEMENTS (cases) + 1);
  g_assert_cmpuint (reports->len, ==, G_N_ELEMENTS (cases) + 1);
  g_assert_cmpstr (reports->pdata[0], ==, "camera: no picture on /dev/video7");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_cmpstr (reports->pdata[i + 1], ==, cases[i].words);
    g_assert_cmpuint (wrong[i].n, ==, 1);
  }
  g_assert_cmpuint (f->n_freed, ==, G_N_ELEMENTS (cases) + 1);
}

static char *logged;

static GLogWriterOutput
keep_warning (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if (!(level & G_LOG_LEVEL_WARNING) || logged != NULL)
    return g_log_writer_default (level, fields, n_fields, data);
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      logged = g_strdup (fields[i].value);
  return G_LOG_WRITER_HANDLED;
}

static void
test_failure_is_logged (Fixture *f, gconstpointer data)
{
  g_test_summary ("a failure that nobody looks at is logged");
  orrery_scheduler_add (f->scheduler, "camera", step_fail, NULL, NULL);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (logged, ==, "camera: no picture on /dev/video7");
  g_clear_pointer (&logged, g_free);
}

static void
test_limits (Fixture *f, gconstpointer data)
{
  Actor a = { .next = orrery_next_sleep (G_MAXINT64), .n_steps = 2, .is_silent = TRUE };
  OrreryTask *task;
  OrreryTime due;

  g_test_summary ("the longest sleep does not wrap");
  g_assert_false (orrery_scheduler_get_next_due (f->scheduler, &due));
  task = add_actor (f, "a", &a);
  g_assert_true (orrery_scheduler_get_next_due (f->scheduler, &due));
  g_assert_cmpint (due, ==, G_MININT64);
  g_assert_cmpuint (orrery_scheduler_run_due (f->scheduler), ==, 1);
  g_assert_true (orrery_scheduler_get_next_due (f->scheduler, &due));
  g_assert_cmpint (due, ==, G_MAXINT64);
  g_assert_cmpuint (orrery_scheduler_run_due (f->scheduler), ==, 0);
  orrery_scheduler_remove (f->scheduler, task);
  g_assert_false (orrery_scheduler_get_next_due (f->scheduler, &due));
}

/* --- what bindings call --- */

static void
call (OrreryTask *task, gpointer data, GError **error)
{
  Actor *actor = data;

  act (task, data, error);
  if (actor->n == 1)
    orrery_task_sleep (task, 10e-9);
  else if (actor->n == 2)
    orrery_task_repeat (task, 20e-9);
  else if (actor->n == 3)
    orrery_task_wait_until (task, 1100);
  else if (actor->n == 4)
    orrery_task_yield (task);
  else if (actor->n == 5)
    orrery_task_finish (task);
}

static void
call_nothing (OrreryTask *task, gpointer data, GError **error)
{
}

static void
test_functions (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) reports = g_ptr_array_new_with_free_func (g_free);
  Actor a = { .fixture = f, .takes = 1 };

  g_signal_connect (f->scheduler, "failed", G_CALLBACK (on_failed), reports);
  orrery_scheduler_add_func (f->scheduler, "a", call, &a, note_freed);
  orrery_scheduler_add_func (f->scheduler, "mute", call_nothing, NULL, NULL);
  g_assert_true (orrery_scheduler_run (f->scheduler));
  g_assert_cmpstr (f->log->str, ==, "a1000 a1011 a1031 a1100 a1101 ");
  g_assert_cmpuint (f->n_freed, ==, 1);
  g_assert_cmpuint (reports->len, ==, 1);
  g_assert_cmpstr (reports->pdata[0], ==,
                   "mute: returned no command; there is: yield, sleep, period, due, done");
}

/* --- thousands --- */

#define N_TASKS 10000

typedef struct {
  Actor actor;
  guint64 random;
  OrreryTime expected;
} Sleeper;

static OrreryTime last_step;

static OrreryNext
step_random (OrreryTask *task, gpointer data, GError **error)
{
  Sleeper *sleeper = data;
  OrreryTime now = sleeper->actor.fixture->clock->time;
  OrreryTime sleep;

  g_assert_cmpint (now, ==, sleeper->expected);
  g_assert_cmpint (now, >=, last_step);
  last_step = now;
  if (++sleeper->actor.n == 20)
    return orrery_next_done ();
  sleeper->random = sleeper->random * G_GUINT64_CONSTANT (6364136223846793005) + 1442695;
  sleep = (OrreryTime) (sleeper->random >> 44);
  sleeper->expected = now + sleep;
  return orrery_next_sleep (sleep);
}

static void
test_thousands (Fixture *f, gconstpointer data)
{
  g_autofree Sleeper *sleepers = g_new0 (Sleeper, N_TASKS);

  g_test_summary ("10,000 tasks, each at its own time, none before another that is due earlier");
  last_step = 0;
  for (guint i = 0; i < N_TASKS; i++) {
    sleepers[i] = (Sleeper){ .actor.fixture = f, .random = i, .expected = f->clock->time };
    orrery_scheduler_add (f->scheduler, "s", step_random, &sleepers[i], NULL);
  }
  g_assert_true (orrery_scheduler_run (f->scheduler));
  for (guint i = 0; i < N_TASKS; i++)
    g_assert_cmpuint (sleepers[i].actor.n, ==, 20);
}

#define add_test(name, func)                                                                       \
  g_test_add ("/loop/scheduler/" name, Fixture, NULL, setup, func, teardown)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_log_set_writer_func (keep_warning, NULL, NULL);
  add_test ("start", test_start);
  add_test ("order", test_order);
  add_test ("sleep-counts-from-the-end", test_sleep_counts_from_the_end);
  add_test ("period-counts-from-the-due-time", test_period_counts_from_the_due_time);
  add_test ("due", test_due);
  g_test_add_func ("/loop/scheduler/no-drift", test_no_drift);
  add_test ("late-period", test_late_period);
  add_test ("one-look-per-round", test_one_look_per_round);
  add_test ("no-wait-while-due", test_no_wait_while_due);
  add_test ("yield-is-fair", test_yield_is_fair);
  add_test ("change-within", test_change_within);
  add_test ("change-between", test_change_between);
  add_test ("many-removed", test_many_removed);
  add_test ("many-removed-while-due", test_many_removed_while_due);
  add_test ("clock-goes-back", test_clock_goes_back);
  g_test_add_func ("/loop/scheduler/ended-with-the-scheduler", test_ended_with_the_scheduler);
  add_test ("failures", test_failures);
  add_test ("failure-is-logged", test_failure_is_logged);
  add_test ("limits", test_limits);
  add_test ("functions", test_functions);
  add_test ("thousands", test_thousands);
  return g_test_run ();
}
