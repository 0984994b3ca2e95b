/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise-trial.h"

#define N 20000

/* Sums of what a value is off by. */
typedef struct {
  double sum, squares;
  guint n;
} Sums;

static void
add (Sums *sums, double error)
{
  sums->sum += error;
  sums->squares += error * error;
  sums->n++;
}

/* To six standard errors. */
static void
assert_sums (const Sums *sums, double mean, double sigma)
{
  double m = sums->sum / sums->n;

  assert_near (m, mean, 6 * sigma / sqrt (sums->n) + 1e-12);
  assert_near (sqrt (fmax (sums->squares / sums->n - m * m, 0)), sigma,
               6 * sigma / sqrt (2 * sums->n) + 1e-6);
}

static void
test_gaussian (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE ("Gaussian",
                   "'field': 'v.y, turn, ranges', 'sigma': 0.5, 'mean': 2, 'relative': 0.1"));
  Sums y = { 0 }, yaw = { 0 }, range = { 0 };

  g_test_summary ("deviation, mean, and a share of the value; what is not named stays");
  for (int k = 0; k < N; k++) {
    OrreryVec3 v;
    OrreryEuler turn = { 0 };

    orrery_test_step (sim, 1);
    v = orrery_test_get_vec3 (sim, "robot.sensor", "v");
    orrery_record_get (noise_record (sim), "turn", &turn);
    add (&y, v.y - 2);
    add (&yaw, turn.yaw - 0.3);
    add (&range, noise_get_item (sim, "ranges", 3) - 13);
    if (v.x != 1 || v.z != 3 || noise_get (sim, "ramp") != k)
      g_test_fail ();
  }
  assert_sums (&y, 2, 0.7);
  assert_sums (&yaw, 2, 0.53);
  assert_sums (&range, 2, 1.8);
  g_assert_true (isinf (noise_get_item (sim, "ranges", 4)));
  assert_near (noise_get_item (sim, "cloud", 5), 6, 1e-12);
}

static void
test_all_fields (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("Bias", "'bias': 5, 'scale': 2"));
  OrreryVec3 v;

  g_test_summary ("without 'field' all numbers: doubles, vectors, angles, arrays, points");
  orrery_test_step (sim, 3);
  v = orrery_test_get_vec3 (sim, "robot.sensor", "v");
  assert_near (noise_get (sim, "ramp"), 9, 1e-12);
  assert_near (v.x, 7, 1e-12);
  assert_near (v.z, 11, 1e-12);
  assert_near (noise_get_item (sim, "ranges", 0), 25, 1e-12);
  assert_near (noise_get_item (sim, "cloud", 1), 9, 1e-12);
  assert_near (noise_get (sim, "count"), 2, 1e-12);
  g_assert_true (isinf (noise_get (sim, "far")));
}

static void
test_bias_once (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("Bias", "'field': 'v,ranges', 'spread': 3, 'bias': 100"));
  OrreryVec3 first, later;
  double range;

  g_test_summary (
      "the spread is drawn once in a run, for each value and array; again after a reset");
  orrery_test_step (sim, 1);
  first = orrery_test_get_vec3 (sim, "robot.sensor", "v");
  range = noise_get_item (sim, "ranges", 0) - 110;
  g_assert_cmpfloat (fabs (first.x - 101), >, 1e-6);
  g_assert_cmpfloat (fabs (first.x - 101), <, 20);
  g_assert_cmpfloat (fabs ((first.x - 101) - (first.y - 102)), >, 1e-6);
  assert_near (noise_get_item (sim, "ranges", 2) - 112, range, 1e-12);
  orrery_test_step (sim, 50);
  later = orrery_test_get_vec3 (sim, "robot.sensor", "v");
  g_assert_cmpfloat (later.x, ==, first.x);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  orrery_test_step (sim, 7);
  later = orrery_test_get_vec3 (sim, "robot.sensor", "v");
  g_assert_cmpfloat (later.z, ==, first.z);
}

static double
walk (OrrerySimulation *sim, int n)
{
  orrery_test_step (sim, n);
  return orrery_test_get_vec3 (sim, "robot.sensor", "v").x - 1;
}

static void
test_random_walk (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("RandomWalk", "'field': 'v', 'sigma': 0.3"));
  Sums steps = { 0 };
  double last;

  g_test_summary ("a random walk begins at 0 and goes sigma by the root of time");
  last = walk (sim, 1);
  assert_near (last, 0, 1e-15);
  for (int k = 0; k < N / 4; k++) {
    double now = walk (sim, 1);

    add (&steps, now - last);
    last = now;
  }
  assert_sums (&steps, 0, 0.3 / sqrt (60));
}

static void
test_gauss_markov (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE ("RandomWalk", "'field': 'v.x', 'sigma': 2, 'time_constant': 0.05"));
  double product = 0, squares = 0, last = 0;
  const double keep = exp (-1 / 60.0 / 0.05), sigma = 2 * sqrt (0.05 / 2);

  g_test_summary ("with a time constant it forgets: its deviation and memory are those of theory");
  for (int k = 0; k < N; k++) {
    double now = walk (sim, 1);

    product += now * last;
    squares += now * now;
    last = now;
  }
  assert_near (sqrt (squares / N), sigma, 0.1 * sigma);
  assert_near (product / squares, keep, 0.05);
}

static void
test_outliers (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE ("Outliers", "'field': 'v.z,cloud', 'probability': 0.1, 'sigma': 50"));
  Sums sizes = { 0 };
  guint n = 0, n_points = 0;

  g_test_summary ("now and then a value is far off, each by itself");
  for (int k = 0; k < N; k++) {
    double error;

    orrery_test_step (sim, 1);
    error = orrery_test_get_vec3 (sim, "robot.sensor", "v").z - 3;
    n_points += noise_get_item (sim, "cloud", 4) != 5;
    n += error != 0;
    if (error != 0)
      add (&sizes, error);
  }
  assert_near (n, 0.1 * N, 6 * sqrt (0.09 * N));
  assert_near (n_points, 0.1 * N, 6 * sqrt (0.09 * N));
  assert_sums (&sizes, 0, 50);
}

static void
test_quantisation (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE_OF (
      NOISE_SENSOR,
      "'robot.sensor': [" NOISE_ENTRY (
          "Bias", "'bias': 0.4, 'field': 'ramp,v.x'") ", " NOISE_ENTRY ("Quantisation",
                                                                        "'step': 0.25") "]"));
  OrreryEuler turn = { 0 };

  g_test_summary ("multiples of a step, the nearest, of two the even one; infinity stays");
  orrery_test_step (sim, 2);
  orrery_record_get (noise_record (sim), "turn", &turn);
  assert_near (noise_get (sim, "ramp"), 1.5, 1e-12);
  assert_near (orrery_test_get_vec3 (sim, "robot.sensor", "v").x, 1.5, 1e-12);
  assert_near (turn.roll, 0, 1e-12);
  assert_near (turn.pitch, 0.25, 1e-12);
  assert_near (noise_get_item (sim, "ranges", 1), 11, 1e-12);
  g_assert_true (isinf (noise_get (sim, "far")));
  g_clear_object (&sim);
  sim = orrery_test_load (NOISE_SCENE ("Quantisation", "'step': 2"));
  orrery_test_step (sim, 2);
  assert_near (noise_get (sim, "ramp"), 0, 1e-12);
  assert_near (orrery_test_get_vec3 (sim, "robot.sensor", "v").z, 4, 1e-12);
}

static void
test_rate_limit (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("RateLimit", "'field': 'ramp, v', 'rate': 15"));

  g_test_summary (
      "no more than rate dt in a step, from the first value on; at 15 Hz four times it");
  orrery_test_step (sim, 41);
  assert_near (noise_get (sim, "ramp"), 40 * 15 / 60.0, 1e-9);
  assert_near (orrery_test_get_vec3 (sim, "robot.sensor", "v").y, 2, 1e-12);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  orrery_test_step (sim, 1);
  assert_near (noise_get (sim, "ramp"), 0, 1e-12);
  g_clear_object (&sim);
  sim = orrery_test_load (
      NOISE_SCENE_OF ("{'name': 'sensor', 'frequency': 15, 'classpath': 'trial.mixed.Mixed'}",
                      "'robot.sensor': [" NOISE_ENTRY ("RateLimit",
                                                       "'field': 'ramp', 'rate': 15") "]"));
  orrery_test_step (sim, 41);
  assert_near (noise_get (sim, "ramp"), 40 * 15 / 60.0, 1e-9);
}

static void
test_stuck (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE ("StuckValue", "'field': 'ramp', 'start': 0.5, 'duration': 0.25"));
  g_autoptr (OrrerySimulation) good =
      orrery_test_load (NOISE_SCENE ("StuckValue", "'start': 0.25, 'field': 'ramp'"));

  g_test_summary ("from a time on, for a while or for good, a value stays what it was");
  /* Step k is at (k + 1) / 60 s. */
  orrery_test_step (sim, 29);
  assert_near (noise_get (sim, "ramp"), 28, 1e-12);
  orrery_test_step (sim, 10);
  assert_near (noise_get (sim, "ramp"), 29, 1e-12);
  orrery_test_step (sim, 10);
  assert_near (noise_get (sim, "ramp"), 48, 1e-12);
  orrery_test_step (good, 500);
  assert_near (noise_get (good, "ramp"), 14, 1e-12);
  g_assert_true (orrery_simulation_reset (good, NULL));
  orrery_test_step (good, 5);
  assert_near (noise_get (good, "ramp"), 4, 1e-12);
}

static void
test_stuck_by_chance (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE ("StuckValue", "'field': 'ramp', 'probability': 0.02, 'duration': 0.1"));
  guint n = 0, longest = 0, now = 0;

  g_test_summary ("by chance, for as long as is said");
  for (int k = 0; k < N; k++) {
    gboolean stuck;

    orrery_test_step (sim, 1);
    stuck = noise_get (sim, "ramp") != k;
    now = stuck ? now + 1 : 0;
    n += stuck && now == 1;
    longest = MAX (longest, now);
  }
  /* A round is the wait for one, 50 steps, and the 5 that are off. */
  assert_near (n, N / 55.0, 6 * sqrt (N / 55.0));
  g_assert_cmpuint (longest, >=, 5);
  g_assert_cmpuint (longest, <=, 6);
}

static void
test_errors (void)
{
  g_test_summary ("fields and options that do not fit are refused, with what there is");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'field': 'rampe', 'sigma': 1"),
                      "did you mean ramp");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'field': 'label', 'sigma': 1"),
                      "'label' is of type text");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'field': 'v.w', 'sigma': 1"), "has no 'w'");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'field': 'ramp.x', 'sigma': 1"), "has no 'x'");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'field': 'ramp,'"), "no field ''");
  orrery_test_refuse (NOISE_SCENE ("RandomWalk", "'field': 'ranges'"), "'ranges' is of type array");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'sigma': -1"),
                      "'sigma': -1 is out of range: at least 0");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'sigma': NaN"), "NaN");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'sigma': 'x'"), "sigma");
  orrery_test_refuse (NOISE_SCENE ("Gaussian", "'field': 3"), "field");
  orrery_test_refuse (NOISE_SCENE ("Outliers", "'probability': 1.01"), "0 to 1");
  orrery_test_refuse (NOISE_SCENE ("Quantisation", "'step': 0"), "step");
  orrery_test_refuse (NOISE_SCENE ("RateLimit", "'rate': -1"), "rate");
  orrery_test_refuse (NOISE_SCENE ("StuckValue", "'start': -2"), "start");
  orrery_test_refuse (NOISE_SCENE ("RandomWalk", "'time_constant': -0.1"), "time_constant");
  orrery_test_refuse (NOISE_SCENE ("Bias", "'offset': 1"), "no property 'offset'");
  orrery_test_refuse (
      NOISE_SCENE_OF ("{'name': 'sensor', 'classpath': 'orrery.sensors.clock.Clock'}",
                      "'robot.sensor': [" NOISE_ENTRY ("Gaussian", "'sigma': 1") "]"),
      "no field to work on");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/modifiers/plugins");
  g_test_add_func ("/modifiers/noise/gaussian", test_gaussian);
  g_test_add_func ("/modifiers/noise/all-fields", test_all_fields);
  g_test_add_func ("/modifiers/noise/bias-once", test_bias_once);
  g_test_add_func ("/modifiers/noise/random-walk", test_random_walk);
  g_test_add_func ("/modifiers/noise/gauss-markov", test_gauss_markov);
  g_test_add_func ("/modifiers/noise/outliers", test_outliers);
  g_test_add_func ("/modifiers/noise/quantisation", test_quantisation);
  g_test_add_func ("/modifiers/noise/rate-limit", test_rate_limit);
  g_test_add_func ("/modifiers/noise/stuck", test_stuck);
  g_test_add_func ("/modifiers/noise/stuck-by-chance", test_stuck_by_chance);
  g_test_add_func ("/modifiers/noise/errors", test_errors);
  return g_test_run ();
}
