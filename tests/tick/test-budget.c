/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Who takes too long is named, at once and once, and the report says what it took. */

#define BURNER(from, frequency)                                                                    \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps'},"                                         \
  "{'name': 'burner', 'classpath': 'probe.sensors.Burner', 'frequency': " frequency ", "           \
  "'properties': {'milliseconds': 30, 'from': " from "}}]}"
#define SAID "robot.burner takes * ms for a step*"

static Stage *
make_stage (const char *objects)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", objects);
  g_autoptr (OrreryOptions) options = stage_options ();

  stage_log_clear ();
  g_object_set (options, "pacing", ORRERY_PACING_FIXED_STEP, NULL);
  return stage_new (scene, options);
}

static void
find_cost (Stage *stage, const char *name, guint64 *steps, double *seconds, double *budget)
{
  g_autoptr (GVariant) components = stage_report (stage, "components", "a(stdd)");
  GVariantIter iter;
  const char *each;
  guint64 n;
  double s, b;

  *steps = 0;
  g_variant_iter_init (&iter, components);
  while (g_variant_iter_next (&iter, "(&stdd)", &each, &n, &s, &b)) {
    if (!g_str_equal (each, name))
      continue;
    *steps = n;
    *seconds = s;
    *budget = b;
  }
}

static void
check_share (Stage *stage, double burned)
{
  double seconds = 0, budget = 0;
  guint64 steps;

  find_cost (stage, "robot.burner", &steps, &seconds, &budget);
  g_assert_cmpfloat (budget, ==, (double) (ORRERY_SECOND / 60) * 1e-9);
  g_assert_cmpfloat (ABS (seconds - burned), <, 0.1 * burned);
}

static void
test_from_the_start (void)
{
  g_autoptr (Stage) stage = make_stage (BURNER ("0", "60"));
  gint64 begin = g_get_monotonic_time ();
  gint64 taken;

  g_test_summary ("a sensor that burns 30 ms at 60 Hz is named in its second tick: with the first, "
                  "it may make what it needs");
  stage_step (stage, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 0);
  stage_step (stage, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 1);
  stage_step (stage, 38);
  taken = g_get_monotonic_time () - begin;
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 1);
  /* Nearly all of what the ticks take from outside is its. */
  check_share (stage, 1e-6 * (double) taken);
  check_share (stage, stage_get (stage, "robot.burner", "burned"));
}

static void
test_later (void)
{
  g_autoptr (Stage) stage = make_stage (BURNER ("5", "60"));

  g_test_summary ("where it begins between two samples, the next tick names it");
  stage_step (stage, 5);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 0);
  stage_step (stage, 2);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 1);
  stage_step (stage, 33);
  check_share (stage, stage_get (stage, "robot.burner", "burned"));
}

static void
test_seldom (void)
{
  g_autoptr (Stage) stage = make_stage (BURNER ("1", "1"));

  g_test_summary ("one that steps once in a second is caught at its second long step");
  stage_step (stage, 61);
  stage_step (stage, 60);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 1);
  stage_step (stage, 20 * 60);
  check_share (stage, stage_get (stage, "robot.burner", "burned"));
}

static void
test_phases (void)
{
  g_autoptr (Stage) stage = make_stage (BURNER ("0", "60"));
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GVariant) phases = NULL;
  double wall, burned, sum = 0, sense = 0, seconds;
  const char *name;
  GVariantIter iter;

  g_test_summary ("the phases are measured, not guessed: they add up to what the ticks took");
  stage_step (stage, 20);
  wall = 1e-6 * (double) (g_get_monotonic_time () - begin);
  burned = stage_get (stage, "robot.burner", "burned");
  phases = stage_report (stage, "phases", "a(sd)");
  g_variant_iter_init (&iter, phases);
  while (g_variant_iter_next (&iter, "(&sd)", &name, &seconds)) {
    sum += seconds;
    if (g_str_equal (name, "sense"))
      sense = seconds;
  }
  g_assert_cmpfloat (sum, <=, wall);
  g_assert_cmpfloat (sense, >=, burned);
  g_assert_cmpfloat (sense, <, 1.1 * burned);
}

static double
find_phase (Stage *stage, const char *wanted)
{
  g_autoptr (GVariant) phases = stage_report (stage, "phases", "a(sd)");
  GVariantIter iter;
  const char *name;
  double seconds;

  g_variant_iter_init (&iter, phases);
  while (g_variant_iter_next (&iter, "(&sd)", &name, &seconds))
    if (g_str_equal (name, wanted))
      return seconds;
  g_assert_not_reached ();
}

static void
test_sum (void)
{
  g_autoptr (Stage) stage =
      make_stage ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                  "{'name': 'steps', 'classpath': 'probe.sensors.Steps'},"
                  "{'name': 'burner', 'classpath': 'probe.sensors.Burner', 'properties': {"
                  "'milliseconds': 2, 'from': 31, 'every': 31}}]}");
  double robot = 0, steps = 0, burner = 0, budget, burned, sense;
  guint64 n;

  g_test_summary ("one that is slow in just the ticks that are sampled costs no more than all did");
  stage_step (stage, 6000);
  burned = stage_get (stage, "robot.burner", "burned");
  sense = find_phase (stage, "sense");
  find_cost (stage, "robot", &n, &robot, &budget);
  find_cost (stage, "robot.steps", &n, &steps, &budget);
  find_cost (stage, "robot.burner", &n, &burner, &budget);
  g_assert_cmpfloat (robot + steps + burner, <=, sense * 1.000001);
  g_assert_cmpfloat (burner, >=, burned);
}

/* A negative control: who keeps to his budget costs little and is not named. */
static void
test_frugal (void)
{
  g_autoptr (Stage) stage = make_stage (BURNER ("1000000", "60"));
  double seconds = 0, budget = 0;
  guint64 steps;

  stage_step (stage, 6000);
  find_cost (stage, "robot.burner", &steps, &seconds, &budget);
  g_assert_cmpuint (steps, ==, 6000);
  g_assert_cmpfloat (seconds, <, 0.1 * (double) steps * budget);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.burner takes 3?.? ms*"), ==, 0);
}

static void
test_without_a_clock (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", BURNER ("0", "60"));
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("where ticks follow no clock, no step is too long for one");
  stage_log_clear ();
  stage = stage_new (scene, NULL); /* fast */
  stage_step (stage, 4);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, SAID), ==, 0);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/budget/from-the-start", test_from_the_start);
  g_test_add_func ("/tick/budget/later", test_later);
  g_test_add_func ("/tick/budget/seldom", test_seldom);
  g_test_add_func ("/tick/budget/phases", test_phases);
  g_test_add_func ("/tick/budget/sum", test_sum);
  g_test_add_func ("/tick/budget/frugal", test_frugal);
  g_test_add_func ("/tick/budget/without-a-clock", test_without_a_clock);
  return g_test_run ();
}
