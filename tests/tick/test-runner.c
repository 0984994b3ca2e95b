/* SPDX-License-Identifier: BSD-3-Clause */
#include "tick/orrery-runner-internal.h"

/* The loop around ticks, by a clock of the test's own that moves when it is read. */

#define FREQUENCY 50
#define PERIOD (ORRERY_SECOND / FREQUENCY)

typedef struct {
  OrreryWorld *world;
  OrreryRun *run;
  OrreryRunner *runner;
  OrreryTime now;
  OrreryTime each;  /* what a look at the clock takes */
  OrreryTime stall; /* once, */
  OrreryTime at;    /* from here on */
} Fixture;

#define TEST_TYPE_CLOCK (test_clock_get_type ())
G_DECLARE_FINAL_TYPE (TestClock, test_clock, TEST, CLOCK, OrreryClock)
struct _TestClock {
  OrreryClock parent_instance;

  Fixture *f;
};
G_DEFINE_FINAL_TYPE (TestClock, test_clock, ORRERY_TYPE_CLOCK)

static OrreryTime
test_clock_get_time (OrreryClock *clock)
{
  Fixture *f = TEST_CLOCK (clock)->f;

  f->now += f->each;
  if (f->stall > 0 && f->now >= f->at) {
    f->now += f->stall;
    f->stall = 0;
  }
  return f->now;
}

/* Whatever the loop waits for is there soon: it looks again. */
static OrreryTime
test_clock_get_wait (OrreryClock *clock, OrreryTime until)
{
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

static void
set_up (Fixture *f, OrreryPace pace)
{
  const OrreryRunnerSettings settings = {
    .frequency = FREQUENCY, .substeps = 1, .pace = pace, .time_scale = 1, .max_ticks = 20
  };
  g_autoptr (TestClock) clock = g_object_new (TEST_TYPE_CLOCK, NULL);

  *f = (Fixture){ .world = orrery_world_new (), .each = PERIOD / 7 };
  f->run = orrery_run_new (ORRERY_RUN_RUNNING, FALSE);
  f->runner =
      orrery_runner_new (f->run, f->world, orrery_scripts_new (NULL, NULL, NULL), &settings);
  clock->f = f;
  orrery_runner_set_clock (f->runner, ORRERY_CLOCK (clock));
  f->now = ORRERY_SECOND;
}

static void
tear_down (Fixture *f)
{
  orrery_runner_free (f->runner);
  orrery_run_free (f->run);
  g_object_unref (f->world);
}

static void
check_run (Fixture *f, guint64 n, OrreryTime end)
{
  guint64 last = n > 0 ? orrery_run_get_n_total (f->run) + n : G_MAXUINT64;
  g_autoptr (GError) error = NULL;

  orrery_runner_begin (f->runner);
  g_assert_cmpint (orrery_runner_run (f->runner, last, end, &error), ==, ORRERY_STRETCH_OVER);
  g_assert_no_error (error);
}

static void
check_stall (guint periods, guint dropped)
{
  const OrreryTime begin = ORRERY_SECOND;
  Fixture f;
  gint64 missing;

  set_up (&f, ORRERY_PACE_BEST_EFFORT);
  f.stall = periods * PERIOD;
  f.at = begin + ORRERY_SECOND;
  check_run (&f, 0, begin + 20 * ORRERY_SECOND);
  g_assert_cmpuint (f.runner->pacer.n_dropped, ==, dropped);
  /* What was run and what was dropped are all the periods that passed, but for the last one. */
  missing = 20 * FREQUENCY - (gint64) (f.runner->n_ticks + dropped);
  g_assert_cmpint (missing, >=, 0);
  g_assert_cmpint (missing, <=, 1);
  g_assert_cmpint (orrery_tick_get_time (f.runner->tick), ==,
                   (OrreryTime) f.runner->n_ticks * PERIOD);
  tear_down (&f);
}

static void
test_stalls (void)
{
  g_test_summary ("best effort makes up for twenty ticks, and drops the rest");
  check_stall (0, 0);
  check_stall (1, 0);
  check_stall (5, 0);
  check_stall (18, 0);
  check_stall (500, 480);
}

static void
test_fixed_step (void)
{
  Fixture f;

  set_up (&f, ORRERY_PACE_FIXED_STEP);
  f.stall = 500 * PERIOD;
  f.at = 2 * ORRERY_SECOND;
  check_run (&f, 1000, 0);
  g_assert_cmpuint (f.runner->n_ticks, ==, 1000);
  g_assert_cmpuint (f.runner->pacer.n_dropped, ==, 0);
  /* It caught up: the run took 20 s by the clock, not 30. */
  g_assert_cmpint (ABS (f.now - 21 * ORRERY_SECOND), <=, PERIOD);
  tear_down (&f);
}

static void
test_fast (void)
{
  Fixture f;

  set_up (&f, ORRERY_PACE_FAST);
  check_run (&f, 1000, 0);
  g_assert_cmpuint (f.runner->n_ticks, ==, 1000);
  g_assert_cmpint (f.now, <, 2 * 1000 * PERIOD);
  tear_down (&f);
}

static void
test_number_of_ticks (void)
{
  Fixture f;

  g_test_summary ("a limit of ticks holds also where several are due at once");
  set_up (&f, ORRERY_PACE_BEST_EFFORT);
  f.stall = 15 * PERIOD;
  f.at = ORRERY_SECOND + 3 * PERIOD;
  check_run (&f, 7, 0);
  g_assert_cmpuint (f.runner->n_ticks, ==, 7);
  check_run (&f, 1, 0);
  g_assert_cmpuint (f.runner->n_ticks, ==, 8);
  tear_down (&f);
}

static void
test_scale (void)
{
  Fixture f;

  set_up (&f, ORRERY_PACE_BEST_EFFORT);
  orrery_runner_set_scale (f.runner, 4.0);
  f.each = PERIOD / 40;
  check_run (&f, 1000, 0);
  g_assert_cmpint (ABS (f.now - 6 * ORRERY_SECOND), <=, PERIOD);
  tear_down (&f);
}

static void
test_stopped (void)
{
  Fixture f;
  gboolean ran = TRUE;

  set_up (&f, ORRERY_PACE_FAST);
  orrery_run_quit (f.run);
  check_run (&f, 10, 0);
  g_assert_cmpuint (f.runner->n_ticks, ==, 0);
  g_assert_cmpint (orrery_runner_tick (f.runner, &ran, NULL), ==, ORRERY_STRETCH_OVER);
  g_assert_false (ran);
  tear_down (&f);
}

static void
test_time_of_ticks (void)
{
  static const double frequencies[] = { 60, 7, 0.001, 59.94, 1e5 };
  static const guint64 numbers[] = { 0, 1, 59, 1000000, 1000000000 };

  g_test_summary ("floor ((k + 1) 10^9 / frequency), also where a product of 64 bits is too small");
  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++) {
    Fixture f;

    set_up (&f, ORRERY_PACE_FAST);
    f.runner->microhertz = (guint64) (frequencies[i] * 1e6 + 0.5);
    for (guint j = 0; j < G_N_ELEMENTS (numbers); j++) {
      unsigned __int128 exact = (unsigned __int128) (numbers[j] + 1) * 1000000000000000;
      guint64 frequency = f.runner->microhertz;
      guint64 time;

      /* Times reach 292 years. */
      if (exact / frequency > G_MAXINT64)
        continue;
      time = (guint64) orrery_runner_get_time_of (f.runner, numbers[j]);
      g_assert_true ((unsigned __int128) time * frequency <= exact);
      g_assert_true ((unsigned __int128) (time + 1) * frequency > exact);
    }
    tear_down (&f);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tick/runner/stalls", test_stalls);
  g_test_add_func ("/tick/runner/fixed-step", test_fixed_step);
  g_test_add_func ("/tick/runner/fast", test_fast);
  g_test_add_func ("/tick/runner/number-of-ticks", test_number_of_ticks);
  g_test_add_func ("/tick/runner/scale", test_scale);
  g_test_add_func ("/tick/runner/stopped", test_stopped);
  g_test_add_func ("/tick/runner/time-of-ticks", test_time_of_ticks);
  return g_test_run ();
}
