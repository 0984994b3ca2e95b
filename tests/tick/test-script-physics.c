/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Scripts around the substeps of physics, and told of contacts. */

#define BULLET "{'start': 0, 'physics': 'orrery.physics.bullet.Bullet', 'gravity': [0, 0, 0]}"
#define BOX(name, position, scripts)                                                               \
  "{'name': '" name "', 'position': [" position "], "                                              \
  "'body': {'type': 'rigid', 'mass': 2, 'damping': [0, 0]}, "                                      \
  "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], 'scripts': [" scripts "]}"
#define SCRIPT(type, class, properties)                                                            \
  "{'type': '" type "', 'classpath': 'probe.scripts." class "', 'properties': {" properties "}}"
#define H (1 / 120.0) /* s: two substeps to a tick */
#define DV (60 / 2.0 * H)

static double
get_x (Stage *stage)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);

  return orrery_snapshot_get_pose (orrery_world_get_snapshot (world), 0)->position.x;
}

static double
get_v (Stage *stage)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);

  return orrery_snapshot_get_linear_velocity (orrery_world_get_snapshot (world), 0)->x;
}

static Stage *
load_pusher (const char *environment, const char *properties)
{
  g_autofree char *box =
      g_strdup_printf (BOX ("a", "0, 0, 0", SCRIPT ("child", "Pusher", "%s")), properties);
  g_autofree char *scene = stage_scene (environment, "", box);

  stage_log_clear ();
  return stage_new (scene, NULL);
}

/* Forces: in which substep, counted from the start, each acts. */
static const struct {
  const char *properties;
  guint acts_in;
} pushes[] = {
  { "'tick': 1, 'substep': 0, 'after': false", 2 },
  { "'tick': 1, 'substep': 0, 'after': true", 3 },
  { "'tick': 1, 'substep': 1, 'after': false", 3 },
  { "'tick': 1, 'substep': 1, 'after': true", 4 },
};

static void
test_pushes (void)
{
  g_test_summary ("a force of dyn acts in the substep that comes, and in no other");
  for (guint i = 0; i < G_N_ELEMENTS (pushes); i++) {
    g_autoptr (Stage) stage = load_pusher (BULLET, pushes[i].properties);
    g_autoptr (GVariant) sees = NULL;

    for (guint tick = 0; tick < 5; tick++) {
      guint n_done = 2 * (tick + 1); /* substeps */
      guint n_moved = n_done > pushes[i].acts_in ? n_done - pushes[i].acts_in : 0;

      stage_step (stage, 1);
      g_assert_cmpfloat_with_epsilon (get_v (stage), n_moved > 0 ? DV : 0, 1e-12);
      g_assert_cmpfloat_with_epsilon (get_x (stage), n_moved * DV * H, 1e-12);
    }
    sees = stage_call (stage, "a/child", "sees_another_world", NULL);
    g_assert_false (g_variant_get_boolean (sees));
  }
}

static void
test_others_wait (void)
{
  g_autoptr (Stage) stage = load_pusher (BULLET, "'tick': 1, 'pushes': false");

  g_test_summary ("any other command of dyn is one of the next tick");
  stage_step (stage, 2);
  g_assert_cmpfloat (get_v (stage), ==, 0);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (get_v (stage), 5, 1e-12);
}

static void
test_lost_pushes (void)
{
  g_autoptr (Stage) stage = load_pusher (STAGE_PLAIN, "'tick': 1");
  g_autoptr (Stage) other = NULL;

  g_test_summary ("an engine that takes no forces says so, once");
  stage_step (stage, 4);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*takes no forces for one substep*"), ==,
                    1);
  other = load_pusher (BULLET, "'tick': 1");
  stage_step (other, 4);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*takes no forces*"), ==, 0);
}

/* What waits for a substep is gone after a reset. */
static void
test_reset (void)
{
  g_autoptr (Stage) stage = load_pusher (BULLET, "'tick': 1, 'substep': 1, 'after': true");

  stage_step (stage, 2);
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  stage_step (stage, 2);
  g_assert_cmpfloat (get_v (stage), ==, 0);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (get_v (stage), DV, 1e-12);
}

/* Nothing moves while physics is suspended: no substep, no dyn. */
static void
test_suspended (void)
{
  g_autoptr (Stage) stage = load_pusher (BULLET, "'tick': 1");
  g_autoptr (GVariant) words = NULL;

  stage_step (stage, 1);
  words = stage_call (stage, "simulation", "suspend_dynamics", NULL);
  stage_step (stage, 3);
  g_assert_cmpfloat (get_v (stage), ==, 0);
}

/* --- contacts --- */

static void
check_asked (const char *expected)
{
  g_auto (GStrv) lines = stage_log_list (G_LOG_LEVEL_MESSAGE, "* asked *");
  g_autofree char *all = g_strjoinv ("\n", lines);

  g_assert_cmpstr (all, ==, expected);
  stage_log_clear ();
}

/* a and b touch from the start; c touches b after a while. */
static Stage *
load_touchers (const char *answers)
{
  g_autofree char *a =
      g_strdup_printf (BOX ("a", "0, 0, 0",
                            SCRIPT ("child", "Toucher", "") ", " SCRIPT ("customization", "Toucher",
                                                                         "%s")),
                       answers);
  g_autofree char *objects =
      g_strconcat (a, ", ", BOX ("b", "0.98, 0, 0", SCRIPT ("child", "Toucher", "")), ", ",
                   BOX ("c", "3, 0, 0", SCRIPT ("child", "Pusher", "'tick': 0, 'pushes': false")),
                   NULL);
  g_autofree char *scene = stage_scene (BULLET, "", objects);

  stage_log_clear ();
  return stage_new (scene, NULL);
}

static void
test_contacts (void)
{
  g_autoptr (Stage) stage = load_touchers ("");

  g_test_summary ("each new pair is told once, to the last script first");
  stage_step (stage, 1);
  check_asked ("");
  stage_step (stage, 1);
  check_asked ("a/customization asked a b\nb/child asked a b\na/child asked a b");
  stage_step (stage, 20);
  /* c flees along x and meets nobody. */
  check_asked ("");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  stage_step (stage, 2);
  check_asked ("a/customization asked a b\nb/child asked a b\na/child asked a b");
}

static void
test_answer (void)
{
  g_autoptr (Stage) stage = load_touchers ("'answers': true");

  g_test_summary ("the first answer is the last");
  stage_step (stage, 2);
  check_asked ("a/customization asked a b");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/scripts/dyn/pushes", test_pushes);
  g_test_add_func ("/scripts/dyn/others-wait", test_others_wait);
  g_test_add_func ("/scripts/dyn/lost", test_lost_pushes);
  g_test_add_func ("/scripts/dyn/reset", test_reset);
  g_test_add_func ("/scripts/dyn/suspended", test_suspended);
  g_test_add_func ("/scripts/contact/new", test_contacts);
  g_test_add_func ("/scripts/contact/answer", test_answer);
  return g_test_run ();
}
