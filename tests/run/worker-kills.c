/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/*
 * Kills a worker at each of its steps, some rounds over; worker-kills.sh runs it. In the rounds of
 * the long tier that is 200 kills and more.
 */

#define PATIENCE (120 * G_USEC_PER_SEC)

/* In the order in which a worker passes them; what comes before `ready` is passed once. */
static const char *const starting[] = { "begin", "built", "setup", "set-up", "ready" };
static const char *const running[] = { "request",   "step",     "stepped", "writing",
                                       "answering", "answered", "call",    "called" };

static char *
make_scene (void)
{
  return stage_scene (STAGE_PLAIN,
                      "'workers': {'robot.faulty': {'timeout': 60, 'back_off': 0.001, "
                      "'restarts': 1000}},",
                      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                      "{'name': 'faulty', 'classpath': 'probe.faults.Faulty', "
                      "'placement': 'worker', 'transport': 'latest'}]}");
}

static gboolean
is_stale (Stage *stage)
{
  return orrery_component_is_stale (stage_find (stage, "robot.faulty"));
}

/* Steps and calls until it is as wanted. */
static void
go_until (Stage *stage, gboolean stale)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;

  while (is_stale (stage) != stale && g_get_monotonic_time () < deadline) {
    g_autoptr (OrreryCall) call = stage_start (stage, "robot.faulty", "poke", NULL);

    g_assert_true (orrery_call_is_done (call));
    stage_step (stage, 1);
    if (stale != is_stale (stage))
      g_usleep (500);
  }
  g_assert_cmpint (is_stale (stage), ==, stale);
}

static guint
count_descriptors (void)
{
  DIR *directory = opendir ("/proc/self/fd");
  guint n = 0;

  while (directory != NULL && readdir (directory) != NULL)
    n++;
  if (directory != NULL)
    closedir (directory);
  return n;
}

static void
set_point (const char *name, guint times)
{
  g_autofree char *text = g_strdup_printf ("%s:%u", name, times);

  setenv ("ORRERY_TEST_POINT", text, 1);
}

/* What runs is killed in the midst of it; the next one lives. */
static void
kill_running (const char *name, guint times)
{
  g_autofree char *scene = make_scene ();
  g_autoptr (Stage) stage = NULL;
  double before;

  set_point (name, times);
  stage = stage_new (scene, NULL);
  unsetenv ("ORRERY_TEST_POINT");
  go_until (stage, TRUE);
  before = stage_get (stage, "robot.faulty", "x");
  go_until (stage, FALSE);
  stage_step (stage, 5);
  g_assert_false (is_stale (stage));
  g_assert_cmpfloat (stage_get (stage, "robot.faulty", "x"), >, 0);
  g_assert_cmpfloat (before, >=, 0);
}

/* It is started again, and killed while it starts. */
static void
kill_starting (const char *name)
{
  g_autofree char *scene = make_scene ();
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = NULL;
  Stage *none;

  set_point (name, 1);
  none = stage_try (scene, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  set_point ("request", 4);
  stage = stage_new (scene, NULL);
  set_point (name, 1);
  go_until (stage, TRUE);
  for (guint i = 0; i < 10; i++) {
    stage_step (stage, 1);
    g_usleep (2000);
  }
  g_assert_true (is_stale (stage));
  unsetenv ("ORRERY_TEST_POINT");
  go_until (stage, FALSE);
}

static void
test_kills (void)
{
  guint n_rounds = g_getenv ("ORRERY_TEST_LONG") != NULL ? 20 : 1;
  guint descriptors = 0;
  guint n_kills = 0;

  for (guint round = 0; round < n_rounds; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (running); i++) {
      /* `request` is the start itself, the first time. */
      kill_running (running[i], 2 + round);
      n_kills++;
    }
    for (guint i = 0; i < G_N_ELEMENTS (starting); i++) {
      kill_starting (starting[i]);
      n_kills += 3;
    }
    if (descriptors == 0)
      descriptors = count_descriptors ();
  }
  g_assert_cmpuint (count_descriptors (), ==, descriptors);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
  g_test_message ("%u kills", n_kills);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_setenv ("ORRERY_PLUGIN_PATH", g_getenv ("ORRERY_TEST_PLUGINS"), TRUE);
  g_test_add_func ("/run/worker-kills", test_kills);
  return g_test_run ();
}
