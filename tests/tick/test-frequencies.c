/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* How often components step, and what time the ticks have. */

static const double frequencies[] = { 60, 50, 30, 25, 10, 7, 1, 0.5, 100 };
static const guint in_ten_seconds[] = { 600, 500, 300, 250, 100, 70, 10, 5, 600 };

static Stage *
make_stage (const char *environment, const char *role, const double *values, guint n)
{
  g_autoptr (GString) objects = g_string_new ("{'name': 'robot', 'classpath': "
                                              "'orrery.core.robot.Robot', 'objects': [");
  g_autofree char *scene = NULL;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (objects, "%s{'name': 'c%u', 'classpath': 'probe.%s', 'frequency': %g}",
                            i > 0 ? ", " : "", i, role, values[i]);
  g_string_append (objects, "]}");
  scene = stage_scene (environment, "", objects->str);
  return stage_new (scene, NULL);
}

#define BASE_60 "{'start': 0, 'frequency': 60, " STAGE_KINEMATIC "}"

static double
count (Stage *stage, guint i)
{
  g_autofree char *name = g_strdup_printf ("robot.c%u", i);

  return stage_get (stage, name, "x");
}

static void
test_ten_seconds (void)
{
  g_autoptr (Stage) stage =
      make_stage (BASE_60, "sensors.Steps", frequencies, G_N_ELEMENTS (frequencies));

  g_test_summary ("in 10 simulated seconds each steps exactly as often as it should");
  stage_step (stage, 600);
  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++)
    g_assert_cmpfloat (count (stage, i), ==, in_ten_seconds[i]);
  g_assert_cmpint (orrery_simulation_get_time (stage->simulation), ==, 10 * ORRERY_SECOND);
}

static void
test_every_second (void)
{
  g_autoptr (Stage) stage =
      make_stage (BASE_60, "sensors.Steps", frequencies, G_N_ELEMENTS (frequencies));

  g_test_summary ("also where 60 is no multiple, every whole second has its share");
  for (guint second = 1; second <= 50; second++) {
    stage_step (stage, 60);
    for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++) {
      double steps = MIN (frequencies[i], 60) * second;

      /* The first step is in tick 0: of half a hertz, one in the first second. */
      g_assert_cmpfloat (count (stage, i), ==, frequencies[i] < 1 ? (second + 1) / 2 : steps);
    }
  }
}

static void
test_no_drift (void)
{
  g_autoptr (Stage) stage =
      make_stage (BASE_60, "sensors.Steps", frequencies, G_N_ELEMENTS (frequencies));
  const guint seconds = 16668;

  g_test_summary ("after a million ticks nothing has drifted");
  stage_step (stage, 60 * seconds);
  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++)
    g_assert_cmpfloat (count (stage, i), ==, MIN (frequencies[i], 60) * seconds);
  g_assert_cmpint (orrery_simulation_get_time (stage->simulation), ==, seconds * ORRERY_SECOND);
}

/* A negative control: a sum of periods, as a host would have that adds up nanoseconds, does
 * not pass what is asked above. */
static void
test_a_sum_would_drift (void)
{
  const gint64 period = ORRERY_SECOND / 60;
  gint64 phase = 0;
  guint steps = 0;

  g_assert_cmpint (600 * period, !=, 10 * ORRERY_SECOND);
  for (guint k = 0; k < 1000080; k++) {
    phase += period;
    if (phase < ORRERY_SECOND / 7)
      continue;
    phase -= ORRERY_SECOND / 7;
    steps++;
  }
  g_assert_cmpuint (steps, !=, 7 * 16668);
}

static void
test_time_of_each_tick (void)
{
  g_autoptr (Stage) stage =
      make_stage ("{'start': 1000000000.25, 'frequency': 60, " STAGE_KINEMATIC "}", "sensors.Steps",
                  NULL, 0);
  const OrreryTime start = 1000000000 * ORRERY_SECOND + ORRERY_SECOND / 4;

  g_test_summary ("tick k has the time start + floor ((k + 1) 10^9 / frequency)");
  g_assert_cmpint (orrery_simulation_get_time (stage->simulation), ==, start);
  for (gint64 k = 0; k < 1000; k++) {
    stage_step (stage, 1);
    g_assert_cmpint (orrery_simulation_get_time (stage->simulation), ==,
                     start + (k + 1) * ORRERY_SECOND / 60);
  }
}

static void
test_can_be_read (void)
{
  static const double values[] = { 7, 100 };
  g_autoptr (Stage) stage =
      make_stage ("{'frequency': 50, " STAGE_KINEMATIC "}", "sensors.Steps", values, 2);

  g_test_summary ("each component says what it was asked to run at; a robot, as fast as all runs");
  g_assert_cmpfloat (orrery_component_get_frequency (stage_find (stage, "robot.c0")), ==, 7);
  g_assert_cmpfloat (orrery_component_get_frequency (stage_find (stage, "robot.c1")), ==, 100);
  g_assert_cmpfloat (orrery_component_get_frequency (stage_find (stage, "robot")), ==, 50);
}

static void
test_period (void)
{
  static const double values[] = { 7, 100 };
  g_autoptr (Stage) stage =
      make_stage ("{'frequency': 50, " STAGE_KINEMATIC "}", "sensors.Steps", values, 2);

  g_test_summary ("laws divide by the frequency that was set, whatever the simulation's");
  g_assert_cmpfloat (orrery_component_get_period (stage_find (stage, "robot.c0")), ==, 1.0 / 7);
  g_assert_cmpfloat (orrery_component_get_period (stage_find (stage, "robot.c1")), ==, 0.01);
  g_assert_cmpfloat (orrery_component_get_period (stage_find (stage, "robot")), ==, 0.02);
}

static void
test_actuators (void)
{
  static const double values[] = { 60, 7, 100 };
  static const gint64 steps[] = { 600, 70, 600 };
  g_autoptr (Stage) stage = make_stage (BASE_60, "actuators.Sink", values, G_N_ELEMENTS (values));

  stage_step (stage, 600);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *name = g_strdup_printf ("robot.c%u", i);
    g_autoptr (GVariant) seen = stage_call (stage, name, "seen", NULL);
    gint64 n;

    g_variant_get_child (seen, 0, "x", &n);
    g_assert_cmpint (n, ==, steps[i]);
  }
}

static void
test_too_fast_is_said (void)
{
  g_autoptr (Stage) stage = NULL;

  stage_log_clear ();
  stage = make_stage (BASE_60, "sensors.Steps", frequencies, G_N_ELEMENTS (frequencies));
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*robot.c8: 100 Hz*"), ==, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*"), ==, 1);
}

static void
test_auto_tune (void)
{
  static const double fast[] = { 10, 250 };
  static const double slow[] = { 10, 20 };
  g_autoptr (Stage) tuned = make_stage (STAGE_PLAIN, "sensors.Steps", fast, 2);
  g_autoptr (Stage) usual = make_stage (STAGE_PLAIN, "sensors.Steps", slow, 2);
  g_autoptr (Stage) told =
      make_stage ("{'frequency': 20, " STAGE_KINEMATIC "}", "sensors.Steps", slow, 2);

  g_test_summary ("60 Hz, or the fastest component where that is more, or what the scene says");
  g_assert_cmpfloat (orrery_simulation_get_frequency (tuned->simulation), ==, 250);
  g_assert_cmpfloat (orrery_simulation_get_frequency (usual->simulation), ==, 60);
  g_assert_cmpfloat (orrery_simulation_get_frequency (told->simulation), ==, 20);
  stage_step (tuned, 2500);
  g_assert_cmpfloat (count (tuned, 0), ==, 100);
  g_assert_cmpfloat (count (tuned, 1), ==, 2500);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/frequencies/ten-seconds", test_ten_seconds);
  g_test_add_func ("/tick/frequencies/every-second", test_every_second);
  g_test_add_func ("/tick/frequencies/no-drift", test_no_drift);
  g_test_add_func ("/tick/frequencies/a-sum-would-drift", test_a_sum_would_drift);
  g_test_add_func ("/tick/frequencies/time-of-each-tick", test_time_of_each_tick);
  g_test_add_func ("/tick/frequencies/can-be-read", test_can_be_read);
  g_test_add_func ("/tick/frequencies/period", test_period);
  g_test_add_func ("/tick/frequencies/actuators", test_actuators);
  g_test_add_func ("/tick/frequencies/too-fast-is-said", test_too_fast_is_said);
  g_test_add_func ("/tick/frequencies/auto-tune", test_auto_tune);
  return g_test_run ();
}
