/* SPDX-License-Identifier: BSD-3-Clause */
#include "worker-trial.h"

#include <stdlib.h>
#include <string.h>

/*
 * Kills a worker at each of its steps, some rounds over; worker-kills.sh runs it. In the rounds of
 * the long tier that is 200 kills and more.
 */

/* In the order in which a worker passes them; what comes before `ready` is passed once. */
static const char *const starting[] = { "begin", "built", "setup", "set-up", "ready", NULL };
static const char *const sensing[] = { "request",  "step", "stepped", "writing", "answering",
                                       "answered", "call", "called",  NULL };
static const char *const acting[] = { "request",  "step", "stepped", "answering",
                                      "answered", "call", "called",  NULL };

/* What runs in the worker. */
typedef struct {
  const char *scene; /* objects */
  const char *name;
  const char *service;        /* asked, to see whether it is there */
  const char *const *running; /* points */
} Kind;

#define WORKERS "'workers': {'victim': {'timeout': 60, 'back_off': 0.001, 'restarts': 1000}},"

static const Kind kinds[] = {
  { "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
    "{'name': 'faulty', 'classpath': 'probe.faults.Faulty', "
    "'placement': 'victim', 'transport': 'latest'}]}",
    "robot.faulty", "poke", sensing },
  { "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
    "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}], 'scripts': ["
    "{'type': 'child', 'classpath': 'probe.faults.Errand', 'placement': 'victim'}]}",
    "robot/child", "look", acting },
};

static Stage *
try_stage (const Kind *kind, GError **error)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, WORKERS, kind->scene);

  return stage_try (scene, NULL, error);
}

static Stage *
make_stage (const Kind *kind)
{
  g_autoptr (GError) error = NULL;
  Stage *stage = try_stage (kind, &error);

  if (stage == NULL)
    g_error ("%s", error->message);
  return stage;
}

static gboolean
is_stale (Stage *stage, const Kind *kind)
{
  g_autoptr (OrreryCall) call = stage_start (stage, kind->name, kind->service, NULL);

  g_assert_true (orrery_call_is_done (call));
  return orrery_call_get_fault (call) != ORRERY_CALL_OK;
}

/* Calls and steps until it is as wanted. */
static void
go_until (Stage *stage, const Kind *kind, gboolean stale)
{
  gint64 deadline = g_get_monotonic_time () + TRIAL_PATIENCE;
  gboolean is = !stale;

  while (is != stale && g_get_monotonic_time () < deadline) {
    stage_step (stage, 1);
    is = is_stale (stage, kind);
    if (is != stale)
      g_usleep (500);
  }
  g_assert_cmpint (is, ==, stale);
}

static void
set_point (const char *name, guint times)
{
  g_autofree char *text = g_strdup_printf ("%s:%u", name, times);

  setenv ("ORRERY_TEST_POINT", text, 1);
}

/* What runs is killed in the midst of it; the next one lives. */
static void
kill_running (const Kind *kind, const char *name, guint times)
{
  g_autoptr (Stage) stage = NULL;

  set_point (name, times);
  stage = make_stage (kind);
  unsetenv ("ORRERY_TEST_POINT");
  go_until (stage, kind, TRUE);
  go_until (stage, kind, FALSE);
  stage_step (stage, 5);
  g_assert_false (is_stale (stage, kind));
}

/* It is started again, and killed while it starts. */
static void
kill_starting (const Kind *kind, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = NULL;
  Stage *none;

  set_point (name, 1);
  none = try_stage (kind, &error);
  g_assert_null (none);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  set_point ("request", 4);
  stage = make_stage (kind);
  set_point (name, 1);
  go_until (stage, kind, TRUE);
  for (guint i = 0; i < 10; i++) {
    stage_step (stage, 1);
    g_usleep (2000);
  }
  g_assert_true (is_stale (stage, kind));
  unsetenv ("ORRERY_TEST_POINT");
  go_until (stage, kind, FALSE);
}

static void
test_kills (gconstpointer data)
{
  const Kind *kind = data;
  guint n_rounds = g_getenv ("ORRERY_TEST_LONG") != NULL ? 10 : 1;
  guint descriptors = 0;
  guint n_kills = 0;

  for (guint round = 0; round < n_rounds; round++) {
    for (guint i = 0; kind->running[i] != NULL; i++) {
      /* `request` is the start itself, the first time. */
      kill_running (kind, kind->running[i], 3 + round);
      n_kills++;
    }
    for (guint i = 0; starting[i] != NULL; i++) {
      kill_starting (kind, starting[i]);
      n_kills += 3;
    }
    if (descriptors == 0)
      descriptors = trial_count_descriptors ();
  }
  g_assert_cmpuint (trial_count_descriptors (), ==, descriptors);
  trial_assert_no_children ();
  g_test_message ("%u kills", n_kills);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_setenv ("ORRERY_PLUGIN_PATH", g_getenv ("ORRERY_TEST_PLUGINS"), TRUE);
  g_test_add_data_func ("/worker/worker-kills/sensor", &kinds[0], test_kills);
  g_test_add_data_func ("/worker/worker-kills/script", &kinds[1], test_kills);
  return g_test_run ();
}
