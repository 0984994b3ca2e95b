/* SPDX-License-Identifier: BSD-3-Clause */
#include "tick/orrery-pacer-private.h"

/* Pacing by a clock of the test's own: what is due, what is dropped, what is counted. */

#define PERIOD (ORRERY_SECOND / 50) /* 50 Hz: a whole number of nanoseconds */

typedef struct {
  OrreryPacer pacer;
  OrreryTime now;
  guint64 n_run;
} Fixture;

static void
start (Fixture *f, OrreryPace pace, double scale)
{
  f->now = 1000 * ORRERY_SECOND;
  f->n_run = 0;
  orrery_pacer_init (&f->pacer, pace, 50.0, scale, 20);
  orrery_pacer_restart (&f->pacer, f->now);
}

/* One turn of the loop: runs what is due. Returns how many ticks. */
static guint
turn (Fixture *f)
{
  OrreryTime due;
  guint n = orrery_pacer_next (&f->pacer, f->now, &due);

  if (n == 0)
    g_assert_cmpint (due, >, f->now);
  f->n_run += n;
  return n;
}

/* Turns until nothing is due, without the clock moving. */
static void
catch_up (Fixture *f)
{
  for (guint i = 0; i < 1000 && turn (f) > 0; i++)
    ;
}

typedef struct {
  guint stall;
  guint run;
  guint dropped;
} StallCase;

static void
test_stalls (void)
{
  static const StallCase cases[] = { { 0, 0, 0 },   { 1, 1, 0 },   { 5, 5, 0 },
                                     { 20, 20, 0 }, { 21, 20, 1 }, { 500, 20, 480 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Fixture f;

    start (&f, ORRERY_PACE_BEST_EFFORT, 1.0);
    f.now += cases[i].stall * PERIOD;
    catch_up (&f);
    g_assert_cmpuint (f.n_run, ==, cases[i].run);
    g_assert_cmpuint (f.pacer.n_dropped, ==, cases[i].dropped);

    /* The due time has moved on: the next tick is one period after the stall. */
    g_assert_cmpuint (turn (&f), ==, 0);
    f.now += PERIOD;
    g_assert_cmpuint (turn (&f), ==, 1);
  }
}

static void
test_fraction_is_carried (void)
{
  Fixture f;

  start (&f, ORRERY_PACE_BEST_EFFORT, 1.0);
  /* A hundred stalls of 1.5 periods are 150 ticks, not 100. */
  for (guint i = 0; i < 100; i++) {
    f.now += PERIOD + PERIOD / 2;
    catch_up (&f);
  }
  g_assert_cmpuint (f.n_run, ==, 150);
  g_assert_cmpuint (f.pacer.n_dropped, ==, 0);
}

static void
test_no_drift (void)
{
  Fixture f;
  OrreryTime due;
  OrreryTime begin;

  start (&f, ORRERY_PACE_BEST_EFFORT, 1.0);
  orrery_pacer_init (&f.pacer, ORRERY_PACE_BEST_EFFORT, 60.0, 1.0, 20);
  begin = f.now;
  orrery_pacer_restart (&f.pacer, begin);
  /* Always awake at the very moment: a million ticks at 60 Hz take what they should. */
  for (guint i = 0; i < 1000000; i++) {
    g_assert_cmpuint (orrery_pacer_next (&f.pacer, f.now, &due), ==, 0);
    f.now = due;
    g_assert_cmpuint (orrery_pacer_next (&f.pacer, f.now, &due), ==, 1);
  }
  g_assert_cmpint (ABS (f.now - begin - G_GINT64_CONSTANT (16666666666667)), <=, 1000);
}

static void
test_scale (void)
{
  Fixture f;

  start (&f, ORRERY_PACE_BEST_EFFORT, 2.0);
  f.now += 5 * PERIOD;
  catch_up (&f);
  g_assert_cmpuint (f.n_run, ==, 10);
}

static void
test_fixed_step_never_drops (void)
{
  Fixture f;

  start (&f, ORRERY_PACE_FIXED_STEP, 1.0);
  f.now += 500 * PERIOD;
  catch_up (&f);
  g_assert_cmpuint (f.n_run, ==, 500);
  g_assert_cmpuint (f.pacer.n_dropped, ==, 0);
  g_assert_cmpuint (turn (&f), ==, 0);
}

static void
test_fast_never_waits (void)
{
  Fixture f;

  start (&f, ORRERY_PACE_FAST, 1.0);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint (turn (&f), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tick/pacer/stalls", test_stalls);
  g_test_add_func ("/tick/pacer/fraction-is-carried", test_fraction_is_carried);
  g_test_add_func ("/tick/pacer/no-drift", test_no_drift);
  g_test_add_func ("/tick/pacer/scale", test_scale);
  g_test_add_func ("/tick/pacer/fixed-step-never-drops", test_fixed_step_never_drops);
  g_test_add_func ("/tick/pacer/fast-never-waits", test_fast_never_waits);
  return g_test_run ();
}
