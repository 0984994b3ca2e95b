/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <signal.h>
#include <string.h>

/* A sensor that runs free of the tick: its value is fresh once, and then stale. */

#define PATIENCE (60 * G_USEC_PER_SEC)

static Stage *
make_stage (const char *members, const char *tables)
{
  g_autofree char *objects =
      g_strdup_printf ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                       "{'name': 'slow', %s, 'placement': 'worker', 'free_running': true}, "
                       "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}, "
                       "{'name': 'steps', 'classpath': 'probe.sensors.Steps'}]}",
                       members);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, objects);

  stage_log_clear ();
  return stage_new (scene, NULL);
}

#define SLOW "'classpath': 'probe.sensors.Burner', 'properties': {'milliseconds': 20}"
#define GROWER "'classpath': 'probe.faults.Grower'"
#define FAULTY "'classpath': 'probe.faults.Faulty'"

static OrreryRecord *
get_record (Stage *stage)
{
  return orrery_component_get_record (stage_find (stage, "robot.slow"));
}

static gboolean
is_stale (Stage *stage)
{
  return orrery_component_is_stale (stage_find (stage, "robot.slow"));
}

static void
step_until (Stage *stage, gboolean stale)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;

  do {
    g_usleep (1000);
    stage_step (stage, 1);
  } while (is_stale (stage) != stale && g_get_monotonic_time () < deadline);
  g_assert_cmpint (is_stale (stage), ==, stale);
}

static guint64
get_count (Stage *stage, const char *key)
{
  g_autoptr (GVariant) list = stage_report (stage, "workers", "aa{sv}");
  g_autoptr (GVariant) worker = g_variant_get_child_value (list, 0);
  guint64 n = G_MAXUINT64;

  g_variant_lookup (worker, key, "t", &n);
  return n;
}

static void
test_stale (void)
{
  g_autoptr (Stage) stage = make_stage (SLOW, "");
  OrreryTime last = -1;

  g_test_summary ("every tick has a new value or says that it has none; no value is older");
  /* Nothing can have come of the first step, which takes longer than the tick. */
  stage_step (stage, 1);
  g_assert_true (is_stale (stage));
  for (guint i = 0; i < 20; i++) {
    step_until (stage, FALSE);
    g_assert_cmpint (orrery_record_get_timestamp (get_record (stage)), >, last);
    last = orrery_record_get_timestamp (get_record (stage));
    g_assert_cmpint (last, <=, orrery_simulation_get_time (stage->simulation));
    step_until (stage, TRUE);
    g_assert_cmpint (orrery_record_get_timestamp (get_record (stage)), ==, last);
  }
  g_assert_cmpuint (get_count (stage, "fresh") + get_count (stage, "stale"), ==,
                    orrery_simulation_get_n_ticks (stage->simulation));
  g_assert_cmpuint (get_count (stage, "fresh"), >=, 20);
  g_assert_false (orrery_component_is_stale (stage_find (stage, "robot.steps")));
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==,
                     (double) orrery_simulation_get_n_ticks (stage->simulation));
}

static void
test_hash (void)
{
  g_autoptr (Stage) one = make_stage (SLOW, "");
  g_autoptr (Stage) two = make_stage (FAULTY, "");
  g_autoptr (GVariant) names = stage_report (one, "unhashed", "as");
  g_autofree const char **list = g_variant_get_strv (names, NULL);

  g_test_summary ("what runs free is left out of the hash, and named");
  g_assert_cmpuint (g_strv_length ((char **) list), ==, 1);
  g_assert_cmpstr (list[0], ==, "robot.slow");
  stage_step (one, 50);
  for (guint i = 0; i < 50; i++) {
    stage_step (two, 1);
    g_usleep (500);
  }
  g_assert_cmpuint (orrery_simulation_get_hash (one->simulation), ==,
                    orrery_simulation_get_hash (two->simulation));
}

/* A view of an old value stays as it was, whatever comes after. */
static void
test_views (void)
{
  g_autoptr (Stage) stage = make_stage (GROWER, "");
  g_autoptr (OrreryBuffer) held = NULL;
  g_autofree guint8 *copy = NULL;
  gsize size;

  /* Until it is large enough to be read where it lies. */
  do {
    g_clear_pointer (&held, orrery_buffer_unref);
    step_until (stage, FALSE);
    held = orrery_record_get_buffer (get_record (stage), "image");
  } while (held != NULL && orrery_buffer_get_size (held) < 20000);
  g_assert_nonnull (held);
  if (held == NULL)
    return;
  size = orrery_buffer_get_size (held);
  g_assert_cmpuint (size, >, 16384);
  copy = g_memdup2 (orrery_buffer_get_data (held), size);
  for (guint i = 0; i < 40; i++)
    step_until (stage, FALSE);
  g_assert_cmpmem (orrery_buffer_get_data (held), size, copy, size);
  g_assert_false (orrery_buffer_is_writable (held));
}

static void
wait_for (Stage *stage, OrreryCall *call)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;

  while (!orrery_call_is_done (call) && g_get_monotonic_time () < deadline) {
    g_usleep (1000);
    stage_step (stage, 1);
  }
  g_assert_true (orrery_call_is_done (call));
}

static void
test_services (void)
{
  g_autoptr (Stage) stage = make_stage (FAULTY, "");
  g_autoptr (OrreryCall) poke = NULL;
  g_autoptr (OrreryCall) wait = NULL;
  g_autoptr (GVariant) data = NULL;

  g_test_summary ("services of what runs free are answered in a later tick");
  step_until (stage, FALSE);
  poke = stage_start (stage, "robot.slow", "poke", NULL);
  g_assert_false (orrery_call_is_done (poke));
  wait_for (stage, poke);
  g_assert_cmpint (orrery_call_get_fault (poke), ==, ORRERY_CALL_OK);
  g_assert_cmpint (g_variant_get_int64 (orrery_call_get_result (poke, NULL)), >, 0);
  data = stage_call (stage, "robot.slow", "get_local_data", NULL);
  g_assert_nonnull (data);
  wait = stage_start (stage, "robot.slow", "wait", NULL);
  stage_step (stage, 3);
  orrery_call_cancel (wait);
  g_assert_cmpint (orrery_call_get_fault (wait), ==, ORRERY_CALL_PREEMPTED);
  step_until (stage, FALSE);
}

static void
test_reset (void)
{
  g_autoptr (Stage) stage = make_stage (FAULTY, "");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 10; i++)
    step_until (stage, FALSE);
  g_assert_cmpfloat (stage_get (stage, "robot.slow", "x"), >=, 10);
  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (stage_get (stage, "robot.slow", "x"), ==, 0);
  step_until (stage, FALSE);
  g_assert_cmpfloat (stage_get (stage, "robot.slow", "x"), <, 10);
}

/* Its timeout counts nothing that the tick would have to wait for. */
static void
test_killed (void)
{
  g_autoptr (Stage) stage = make_stage (FAULTY, "'workers': {'robot.slow': {'back_off': 0.01}},");
  g_autoptr (GVariant) list = NULL;
  g_autoptr (GVariant) worker = NULL;
  gint64 deadline = g_get_monotonic_time () + PATIENCE;
  guint pid = 0;

  step_until (stage, FALSE);
  list = stage_report (stage, "workers", "aa{sv}");
  worker = g_variant_get_child_value (list, 0);
  g_variant_lookup (worker, "pid", "u", &pid);
  kill ((pid_t) pid, SIGKILL);
  while (stage_log_count (G_LOG_LEVEL_MESSAGE, "robot.slow is fresh again*") == 0 &&
         g_get_monotonic_time () < deadline) {
    g_usleep (1000);
    stage_step (stage, 1);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING,
                                     "robot.slow is stale*was killed by SIGKILL*"),
                    ==, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_MESSAGE, "robot.slow is fresh again*"), ==, 1);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/worker/worker-free/stale", test_stale);
  g_test_add_func ("/worker/worker-free/hash", test_hash);
  g_test_add_func ("/worker/worker-free/views", test_views);
  g_test_add_func ("/worker/worker-free/services", test_services);
  g_test_add_func ("/worker/worker-free/reset", test_reset);
  g_test_add_func ("/worker/worker-free/killed", test_killed);
  return g_test_run ();
}
