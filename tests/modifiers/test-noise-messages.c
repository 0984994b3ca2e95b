/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise-trial.h"

static gboolean
is_held (OrrerySimulation *sim)
{
  return orrery_record_is_held (noise_record (sim));
}

static void
assert_late (OrrerySimulation *sim, double ramp)
{
  g_autofree char *label = g_strdup_printf ("%.0f", ramp);
  g_autoptr (GVariant) text = orrery_record_get_value (noise_record (sim), "label");

  g_assert_false (is_held (sim));
  assert_near (noise_get (sim, "ramp"), ramp, 1e-12);
  assert_near (noise_get (sim, "count"), ramp, 1e-12);
  assert_near (noise_get_item (sim, "ranges", 1), 11, 1e-12);
  g_assert_cmpstr (g_variant_get_string (text, NULL), ==, label);
  /* Step k is at (k + 1) / 60 s, in whole nanoseconds. */
  assert_near (noise_get (sim, "timestamp"), (ramp + 1) / 60, 2e-9);
}

static void
test_delay (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE ("Delay", "'delay': 0.0999"));

  g_test_summary ("whole records come late, with their own timestamps; at first there is none");
  for (int run = 0; run < 2; run++) {
    orrery_test_step (sim, 6);
    g_assert_true (is_held (sim));
    for (int k = 0; k < 20; k++) {
      orrery_test_step (sim, 1);
      assert_late (sim, k);
    }
    g_assert_true (orrery_simulation_reset (sim, NULL));
  }
}

static void
test_delayed_field (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("Delay", "'delay': 0.0999, 'field': 'ramp'"));

  g_test_summary ("a field that is late: the first value, until there is one that is old enough");
  orrery_test_step (sim, 5);
  assert_near (noise_get (sim, "ramp"), 0, 1e-12);
  orrery_test_step (sim, 25);
  assert_near (noise_get (sim, "ramp"), 29 - 6, 1e-12);
  assert_near (noise_get (sim, "count"), 29, 1e-12);
  assert_near (noise_get (sim, "timestamp"), 0.5, 2e-9);
}

/* What comes out of a sensor, tick by tick. */
typedef struct {
  guint n;      /* records */
  double last;  /* when the last one was measured, by its ramp: a tick */
  double least; /* ticks from measurement to delivery */
  double most;
  double squares; /* sum */
} Lags;

static Lags
measure_lags (OrrerySimulation *sim, int first, int n)
{
  Lags lags = { .last = -1, .least = G_MAXDOUBLE };

  for (int k = first; k < first + n; k++) {
    double ramp, lag;

    orrery_test_step (sim, 1);
    ramp = noise_get (sim, "ramp");
    if (is_held (sim) || ramp == lags.last)
      continue;
    g_assert_cmpfloat (ramp, >, lags.last);
    assert_near (noise_get (sim, "timestamp"), (ramp + 1) / 60, 2e-9);
    lag = k - ramp;
    lags.last = ramp;
    lags.n++;
    lags.least = fmin (lags.least, lag);
    lags.most = fmax (lags.most, lag);
    lags.squares += lag * lag;
  }
  return lags;
}

static OrrerySimulation *
load_slow (const char *options)
{
  g_autofree char *scene = g_strdup_printf (
      NOISE_SCENE_OF ("{'name': 'sensor', 'frequency': 10, 'classpath': 'trial.mixed.Mixed'}",
                      "'robot.sensor': [" NOISE_ENTRY ("Delay", "%s") "]"),
      options);

  return orrery_test_load (scene);
}

static void
test_slow_delay (void)
{
  static const struct {
    const char *options;
    double ticks;
  } cases[] = {
    { "'delay': 0", 0 },      { "'delay': 0.0166", 1 }, { "'delay': 0.05", 3 },
    { "'delay': 0.0999", 6 }, { "'delay': 0.11", 7 },   { "'delay': 0.7", 42 },
  };

  g_test_summary ("each record of a slow sensor comes once, in the first tick in which it is due");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OrrerySimulation) sim = load_slow (cases[i].options);
    Lags lags = measure_lags (sim, 0, 600);

    g_assert_cmpfloat (lags.least, ==, cases[i].ticks);
    g_assert_cmpfloat (lags.most, ==, cases[i].ticks);
    g_assert_cmpuint (lags.n, ==, (guint) ((599 - cases[i].ticks) / 6) + 1);
  }
}

static void
test_held_delay (void)
{
  g_autoptr (OrrerySimulation) sim = load_slow ("'delay': 0.05");

  g_test_summary ("until a record comes everybody sees the last one, not what was measured");
  /* Steps of the sensor are in ticks 0, 6, 12, ...; three ticks later they come. */
  orrery_test_step (sim, 1);
  g_assert_true (is_held (sim));
  for (int k = 1; k < 60; k++) {
    orrery_test_step (sim, 1);
    assert_near (noise_get (sim, "ramp"), k < 3 ? 0 : (k - 3) / 6 * 6, 1e-12);
    g_assert_true (is_held (sim) == (k % 6 < 3));
  }
}

static void
test_noise_of_late (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE_OF (
      "{'name': 'sensor', 'frequency': 10, 'classpath': 'trial.mixed.Mixed'}",
      "'robot.sensor': [" NOISE_ENTRY ("Delay", "'delay': 0.05") "," NOISE_ENTRY (
          "Bias", "'field': 'ramp', 'bias': 0.25") "," NOISE_ENTRY ("Delay",
                                                                    "'delay': 0.0333") "]"));

  g_test_summary ("modifiers after a delay see what comes, and two delays add up");
  for (int k = 0; k < 60; k++) {
    orrery_test_step (sim, 1);
    if (k >= 5)
      assert_near (noise_get (sim, "ramp"), (k - 5) / 6 * 6 + 0.25, 1e-12);
  }
}

static void
test_delay_jitter (void)
{
  g_autoptr (OrrerySimulation) sim = load_slow ("'jitter': 0.1");
  const guint n = 2000;
  Lags lags = measure_lags (sim, 0, 6 * n);
  /* 1 to 6 ticks, each as likely. */
  double mean_square = (1 + 4 + 9 + 16 + 25 + 36) / 6.0;

  g_test_summary ("with jitter records come later by more or less, in whichever tick they are due");
  g_assert_cmpfloat (lags.least, ==, 1);
  g_assert_cmpfloat (lags.most, ==, 6);
  g_assert_cmpuint (lags.n, >=, n - 1);
  assert_near (lags.squares / lags.n, mean_square,
               6 * sqrt ((1 + 16 + 81 + 256 + 625 + 1296) / 6.0 / lags.n));
}

static void
count_record (OrreryComponent *component, gpointer data)
{
  Lags *lags = data;
  double ramp = orrery_record_get_double (orrery_component_get_record (component), "ramp");

  lags->n++;
  g_assert_cmpfloat (ramp, ==, lags->last + 1);
  lags->last = ramp;
}

static void
test_crowded_delay (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("Delay", "'delay': 0.05, 'jitter': 0.2"));
  Lags lags = { .last = -1 };
  guint id;

  g_test_summary ("none is lost and none overtakes another where several are due in a tick");
  id = orrery_simulation_subscribe (sim, orrery_test_find (sim, "robot.sensor"), count_record,
                                    &lags, NULL, NULL);
  orrery_test_step (sim, 2000);
  orrery_simulation_unsubscribe (sim, id);
  g_assert_cmpuint (lags.n, >=, 2000 - 16);
  g_assert_cmpuint (lags.n, <=, 2000 - 3);
}

#define SLOW(name) "{'name': '" name "', 'frequency': 7, 'classpath': 'trial.mixed.Mixed'}"
#define LATE                                                                                       \
  "[" NOISE_ENTRY ("Gaussian", "'sigma': 1") "," NOISE_ENTRY (                                     \
      "Delay", "'delay': 0.05, 'jitter': 0.3") "," NOISE_ENTRY ("Gaussian", "'sigma': 1") "]"

static OrrerySimulation *
load_late (guint threads)
{
  OrreryOptions *options = orrery_options_new ();
  g_autoptr (GError) error = NULL;
  OrrerySimulation *sim;

  g_object_set (options, "start", 0.0, "listen", FALSE, "threads", threads, NULL);
  sim = orrery_test_try_load (NOISE_SCENE_OF (SLOW ("sensor") "," SLOW ("a") "," SLOW ("b"),
                                              "'robot.sensor': " LATE ", 'robot.a': " LATE
                                              ", 'robot.b': " LATE),
                              options, &error);
  g_assert_no_error (error);
  g_object_unref (options);
  return sim;
}

static guint64
hash_late (OrrerySimulation *sim, int n)
{
  guint64 hash = 1;

  for (int k = 0; k < n; k++) {
    orrery_test_step (sim, 1);
    hash = orrery_hash_word (hash, is_held (sim));
    hash = orrery_record_hash (noise_record (sim), hash, 0);
  }
  return hash;
}

static void
test_late_again (void)
{
  g_autoptr (OrrerySimulation) sim = load_late (1), threads = load_late (4);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) state = NULL;
  guint64 first = hash_late (sim, 100), second;

  g_test_summary ("late records are the same on several threads, after a reset, and from a state");
  g_assert_cmpuint (hash_late (threads, 100), ==, first);
  state = orrery_simulation_save (sim, &error);
  g_assert_no_error (error);
  second = hash_late (sim, 100);
  hash_late (threads, 17);
  g_assert_true (orrery_simulation_restore (threads, state, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (hash_late (threads, 100), ==, second);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  g_assert_cmpuint (hash_late (sim, 100), ==, first);
}

static void
test_delay_state (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE ("Delay", "'delay': 0.0999"));
  g_autoptr (OrrerySimulation) other = NULL;
  OrreryPart *part = orrery_simulation_find_part (sim, "robot.sensor/Delay#0");
  g_autoptr (GVariant) rubbish = g_variant_ref_sink (g_variant_new_int32 (1));
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what waits is saved and restored, infinities included");
  orrery_test_step (sim, 20);
  g_assert_nonnull (part);
  if (part == NULL)
    return;
  state = orrery_part_save_state (part);
  orrery_test_step (sim, 3);
  orrery_part_restore_state (part, state, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  /* It forgot three steps: what is due by now, of what it knew. */
  assert_near (noise_get (sim, "ramp"), 17, 1e-12);
  g_assert_true (isinf (noise_get (sim, "far")));
  g_assert_true (isinf (noise_get_item (sim, "ranges", 4)));
  /* What was saved does not hang on what lay there. */
  other = orrery_test_load (NOISE_SCENE ("Delay", "'delay': 0.0999"));
  orrery_test_step (other, 20);
  orrery_part_restore_state (orrery_simulation_find_part (other, "robot.sensor/Delay#0"), state,
                             &error);
  g_assert_no_error (error);
  orrery_test_step (other, 1);
  assert_near (noise_get (other, "ramp"), 14, 1e-12);
  g_assert_true (isinf (noise_get_item (other, "ranges", 4)));
  assert_near (noise_get_item (other, "cloud", 5), 6, 1e-12);
  orrery_part_restore_state (part, rubbish, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

static void
test_drop_out (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("DropOut", "'probability': 0.2"));
  const int n = 10000;
  int lost = 0;

  g_test_summary ("messages are lost, one in five");
  for (int k = 0; k < n; k++) {
    orrery_test_step (sim, 1);
    lost += is_held (sim);
    assert_near (noise_get (sim, "ramp"), k, 1e-12);
  }
  assert_near (lost, 0.2 * n, 6 * sqrt (0.16 * n));
}

static void
test_long_drop_out (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_SCENE ("DropOut", "'probability': 0.01, 'duration': 0.5"));
  int now = 0, shortest = G_MAXINT, n = 0;

  g_test_summary ("a drop-out may last");
  for (int k = 0; k < 10000; k++) {
    orrery_test_step (sim, 1);
    if (now > 0 && !is_held (sim)) {
      shortest = MIN (shortest, now);
      n++;
    }
    now = is_held (sim) ? now + 1 : 0;
  }
  g_assert_cmpint (n, >, 20);
  g_assert_cmpint (shortest, >=, 30);
  g_assert_cmpint (shortest, <=, 31);
}

static void
test_lost_rays (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE ("DropOut", "'field': 'ranges', 'probability': 0.3, 'value': -1"));
  const int n = 5000;
  int lost[5] = { 0 }, both = 0;

  g_test_summary ("with a field each value is lost by itself: rays that do not come back");
  for (int k = 0; k < n; k++) {
    orrery_test_step (sim, 1);
    g_assert_false (is_held (sim));
    for (int i = 0; i < 5; i++)
      lost[i] += noise_get_item (sim, "ranges", i) == -1;
    both += noise_get_item (sim, "ranges", 0) == -1 && noise_get_item (sim, "ranges", 4) == -1;
  }
  for (int i = 0; i < 5; i++)
    assert_near (lost[i], 0.3 * n, 6 * sqrt (0.21 * n));
  assert_near (both, 0.09 * n, 6 * sqrt (0.09 * 0.91 * n));
}

static void
test_jitter (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE ("Jitter", "'sigma': 0.002"));
  g_autoptr (OrrerySimulation) robot = orrery_test_load (
      NOISE_SCENE_OF (NOISE_SENSOR, "'robot': [" NOISE_ENTRY ("Jitter", "'sigma': 0.002") "]"));
  double squares = 0, through = 0;
  const int n = 10000;

  g_test_summary ("timestamps tremble; so does a robot's clock, which its sensors show");
  for (int k = 0; k < n; k++) {
    orrery_test_step (sim, 1);
    orrery_test_step (robot, 1);
    squares += pow (noise_get (sim, "timestamp") - (k + 1) / 60.0, 2);
    through += pow (noise_get (robot, "timestamp") - (k + 1) / 60.0, 2);
  }
  assert_near (sqrt (squares / n), 0.002, 6 * 0.002 / sqrt (2 * n));
  assert_near (sqrt (through / n), 0.002, 6 * 0.002 / sqrt (2 * n));
}

static void
test_errors (void)
{
  g_test_summary ("options that do not fit are refused");
  orrery_test_refuse (NOISE_SCENE ("Delay", "'delay': 61"), "0 to 60");
  orrery_test_refuse (NOISE_SCENE ("Delay", "'delay': -1"), "0 to 60");
  orrery_test_refuse (NOISE_SCENE ("Delay", "'field': 'ranges'"), "'ranges' is of type array");
  orrery_test_refuse (NOISE_SCENE ("DropOut", "'probability': 2"), "0 to 1");
  orrery_test_refuse (NOISE_SCENE ("DropOut", "'value': 2"),
                      "'value' has no effect without 'field'");
  orrery_test_refuse (NOISE_SCENE ("DropOut", "'field': 'ramp', 'duration': 2"),
                      "'duration' has no effect with 'field'");
  orrery_test_refuse (NOISE_SCENE ("Jitter", "'sigma': -1"), "sigma");
  orrery_test_refuse (NOISE_SCENE ("Jitter", "'field': 'ramp'"), "no time 'ramp'");
  orrery_test_refuse (
      NOISE_SCENE_OF ("{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}",
                      "'robot.motion': [" NOISE_ENTRY ("Delay", "'delay': 1") "]"),
      "works with sensors only");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/modifiers/plugins");
  g_test_add_func ("/modifiers/noise/delay", test_delay);
  g_test_add_func ("/modifiers/noise/delayed-field", test_delayed_field);
  g_test_add_func ("/modifiers/noise/slow-delay", test_slow_delay);
  g_test_add_func ("/modifiers/noise/held-delay", test_held_delay);
  g_test_add_func ("/modifiers/noise/noise-of-late", test_noise_of_late);
  g_test_add_func ("/modifiers/noise/delay-jitter", test_delay_jitter);
  g_test_add_func ("/modifiers/noise/crowded-delay", test_crowded_delay);
  g_test_add_func ("/modifiers/noise/late-again", test_late_again);
  g_test_add_func ("/modifiers/noise/delay-state", test_delay_state);
  g_test_add_func ("/modifiers/noise/drop-out", test_drop_out);
  g_test_add_func ("/modifiers/noise/long-drop-out", test_long_drop_out);
  g_test_add_func ("/modifiers/noise/lost-rays", test_lost_rays);
  g_test_add_func ("/modifiers/noise/jitter", test_jitter);
  g_test_add_func ("/modifiers/noise/errors", test_errors);
  return g_test_run ();
}
