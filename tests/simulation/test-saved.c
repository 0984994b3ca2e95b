/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Save, restore, and what is told of records and ticks. */

#define NOISE "['orrery.modifiers.pose_noise.PoseNoiseModifier', {'pos_std': 0.1}]"
#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"
#define TABLES                                                                                     \
  "'component_modifier': {'robot.pose': [" NOISE "], "                                             \
  "'robot': [['orrery.modifiers.clock.ClockDriftModifier', {'drift': 0.01}]], "                    \
  "'robot.sink': [['probe.modifiers.Twice', {}]]}, "                                               \
  "'component_datastream': {'robot.sink': [" LOOP "], 'robot.motion': [" LOOP "]},"
#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'odometry', 'classpath': 'orrery.sensors.odometry.Odometry', 'frequency': 7},"         \
  "{'name': 'way', 'classpath': 'orrery.sensors.odometry.RawOdometry', 'frequency': 7},"           \
  "{'name': 'sink', 'classpath': 'probe.actuators.Sink'},"                                         \
  "{'name': 'waypoint', 'classpath': 'orrery.actuators.waypoint.Waypoint'},"                       \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"
/* Two links on a base: a hinge and a ball. */
#define ARM                                                                                        \
  "{'name': 'post', 'position': [4, 0, 0.4], 'body': {'type': 'rigid', 'mass': 5},"                \
  " 'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5]}], 'objects': [{'name': 'arm',"             \
  " 'position': [0, 0, 0.3], 'body': {'type': 'rigid', 'mass': 1},"                                \
  " 'joint': {'kind': 'hinge', 'axis': [0, 1, 0], 'position': 0.2, 'limits': [-1, 1]},"            \
  " 'shapes': [{'kind': 'box', 'size': [0.1, 0.1, 0.4], 'position': [0, 0, 0.2]}],"                \
  " 'objects': [{'name': 'bob', 'position': [0, 0, 0.4], 'body': {'type': 'rigid', 'mass': 1},"    \
  " 'joint': {'kind': 'ball'}, 'shapes': [{'kind': 'capsule', 'radius': 0.05, 'height': 0.3,"      \
  " 'position': [0.2, 0, 0]}]}]}]}"
#define DYNAMIC "{'start': 0, 'import': 'empty'}"
#define ARTICULATED "{'start': 0, 'import': 'empty', 'physics': 'orrery.physics.mujoco.MuJoCo'}"
#define HEAD 32

static Stage *
make_stage (const char *environment)
{
  g_autofree char *scene = stage_scene (environment, TABLES, ROBOT ", " ARM);

  return stage_new (scene, NULL);
}

static void
drive (Stage *stage)
{
  stage_put (stage, "robot.motion", 0, 1, "{'v': 1.0, 'w': 0.5}");
  stage_put (stage, "robot.sink", 0, 1, "{'x': 3, 'y': 3}");
  stage_step (stage, 50);
}

static void
test_goes_on (gconstpointer environment)
{
  g_autoptr (Stage) stage = make_stage (environment);
  g_autoptr (Stage) other = make_stage (environment);
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("A state goes on elsewhere as it does here, and again");
  drive (stage);
  state = stage_save (stage);
  stage_step (stage, 70);
  stage_restore (other, state);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (other->simulation), ==, 50);
  stage_step (other, 70);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (other->simulation));
  /* The last ones of a state that is known by then. */
  for (int i = 0; i < 3; i++) {
    stage_restore (stage, state);
    stage_step (stage, 70);
    g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                      orrery_simulation_get_hash (other->simulation));
  }
}

/* --- a state that was restored before --- */

static OrreryObject *
find_post (Stage *stage)
{
  return orrery_world_find_object (orrery_simulation_get_world (stage->simulation), "post");
}

static void
mark (Stage *stage, const char *name, gint64 value)
{
  OrreryCommands *commands =
      orrery_world_get_commands (orrery_simulation_get_world (stage->simulation));

  orrery_commands_set_value (commands, find_post (stage), name, g_variant_new_int64 (value));
  stage_step (stage, 1);
}

static void
check_mark (Stage *stage, const char *name, gint64 wanted)
{
  GVariant *value = orrery_object_get_value (find_post (stage), name);

  if (wanted == 0)
    g_assert_null (value);
  else
    g_assert_cmpint (g_variant_get_int64 (value), ==, wanted);
}

static void
change_options (Stage *stage)
{
  g_autoptr (GVariant) control =
      stage_call (stage, "robot.motion", "set_property", "[<'ControlType'>, <'Position'>]");
  g_autoptr (GVariant) ground =
      stage_call (stage, "robot", "set_property", "[<'GroundRobot'>, <false>]");
}

static void
check_control (Stage *stage)
{
  g_autoptr (GVariant) all = stage_call (stage, "robot.motion", "get_configurations", NULL);
  g_autoptr (GVariant) inner = g_variant_lookup_value (all, "configurations", NULL);
  g_autofree char *control = NULL;

  g_assert_true (g_variant_lookup (inner, "ControlType", "s", &control));
  g_assert_cmpstr (control, ==, "Velocity");
}

static void
check_again (Stage *stage, GBytes *state, gint64 badge, guint64 hash)
{
  stage_restore (stage, state);
  check_mark (stage, "badge", badge);
  check_mark (stage, "other", 0);
  check_control (stage);
  stage_step (stage, 70);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==, hash);
}

static void
test_again (gconstpointer environment)
{
  g_autoptr (Stage) stage = make_stage (environment);
  g_autoptr (Stage) other = make_stage (environment);
  g_autoptr (GBytes) before = NULL, after = NULL;
  guint64 hashes[2];

  g_test_summary ("Options and properties that were changed are put back by a state that was "
                  "restored before, whatever was restored between");
  drive (stage);
  before = stage_save (stage);
  mark (stage, "badge", 5);
  after = stage_save (stage);
  stage_restore (other, before);
  stage_step (other, 70);
  hashes[0] = orrery_simulation_get_hash (other->simulation);
  stage_restore (other, after);
  stage_step (other, 70);
  hashes[1] = orrery_simulation_get_hash (other->simulation);
  for (guint i = 0; i < 3; i++) {
    check_again (stage, before, 0, hashes[0]);
    check_again (stage, before, 0, hashes[0]);
    mark (stage, "other", 7);
    change_options (stage);
    check_again (stage, after, 5, hashes[1]);
    mark (stage, "badge", 6);
    change_options (stage);
    check_again (stage, after, 5, hashes[1]);
    mark (stage, "badge", 6);
  }
}

/* --- states of somebody else's making --- */

static GBytes *
spoil (GBytes *state, GRand *random)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (state, &size);
  guint8 *bytes = g_memdup2 (data, size);
  guint64 hash;

  for (int i = 0; i < 4; i++)
    bytes[g_rand_int_range (random, HEAD, (gint32) size)] = (guint8) g_rand_int (random);
  /* Whoever makes it can make it look whole. */
  hash = orrery_hash_bytes (0, bytes + HEAD, size - HEAD);
  memcpy (bytes + HEAD - sizeof hash, &hash, sizeof hash);
  return g_bytes_new_take (bytes, size);
}

static void
test_spoilt (gconstpointer environment)
{
  g_autoptr (Stage) stage = make_stage (environment);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GBytes) state = NULL;
  guint n_refused = 0;

  g_test_summary ("A state whose bytes were changed is refused or taken; nothing else comes of it");
  drive (stage);
  state = stage_save (stage);
  for (int i = 0; i < 400; i++) {
    g_autoptr (GBytes) bad = spoil (state, random);
    g_autoptr (GError) error = NULL;

    if (!orrery_simulation_restore (stage->simulation, bad, &error)) {
      g_assert_nonnull (error);
      n_refused++;
    }
    orrery_simulation_step (stage->simulation, 2, NULL);
    stage_restore (stage, state);
  }
  g_assert_cmpuint (n_refused, >, 100);
  stage_step (stage, 5);
}

/* --- records and ticks --- */

typedef struct {
  Stage *stage;
  guint n;
  guint n_freed;
  guint id;
} Count;

static void
count (OrreryComponent *component, gpointer user_data)
{
  Count *counts = user_data;

  counts->n++;
  if (counts->n == 3 && counts->id != 0)
    orrery_simulation_unsubscribe (counts->stage->simulation, counts->id);
}

static void
count_freed (gpointer user_data)
{
  ((Count *) user_data)->n_freed++;
}

static guint
subscribe (Stage *stage, const char *name, Count *counts)
{
  OrreryComponent *component =
      name != NULL ? orrery_simulation_find_component (stage->simulation, name) : NULL;
  g_autoptr (GError) error = NULL;
  guint id = orrery_simulation_subscribe (stage->simulation, component, count, counts, count_freed,
                                          &error);

  g_assert_no_error (error);
  g_assert_cmpuint (id, >, 0);
  return id;
}

static void
test_told (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  Count pose = { stage }, odometry = { stage }, ticks = { stage }, thrice = { stage };
  guint id;

  g_test_summary ("Each record and each tick is told, until the subscription ends");
  id = subscribe (stage, "robot.pose", &pose);
  subscribe (stage, "robot.odometry", &odometry);
  subscribe (stage, NULL, &ticks);
  thrice.id = subscribe (stage, "robot.pose", &thrice);
  stage_step (stage, 60);
  g_assert_cmpuint (pose.n, ==, 60);
  g_assert_cmpuint (odometry.n, ==, 7);
  g_assert_cmpuint (ticks.n, ==, 60);
  g_assert_cmpuint (thrice.n, ==, 3);
  g_assert_cmpuint (thrice.n_freed, ==, 1);
  g_assert_true (orrery_simulation_unsubscribe (stage->simulation, id));
  g_assert_false (orrery_simulation_unsubscribe (stage->simulation, id));
  stage_step (stage, 1);
  g_assert_cmpuint (pose.n, ==, 60);
  g_assert_cmpuint (pose.n_freed, ==, 1);
  g_clear_pointer (&stage, stage_free);
  g_assert_cmpuint (odometry.n_freed, ==, 1);
  g_assert_cmpuint (ticks.n_freed, ==, 1);
}

static gboolean
has_mujoco (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  return orrery_registry_find_class (registry, "orrery.physics.mujoco.MuJoCo", NULL) != NULL;
}

static void
test_others (void)
{
  static const char *const fresh[] = { "robot.way", "robot.sink", NULL };
  static const char *const wrong[] = { "robot.odometer", NULL };
  g_autoptr (Stage) stage = make_stage (DYNAMIC);
  g_autoptr (Stage) other = make_stage (DYNAMIC);
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = NULL, *found = NULL;
  double way;

  g_test_summary ("A component may begin afresh at a state, in its rhythm; all others go on");
  drive (stage);
  state = stage_save (stage);
  g_assert_false (orrery_simulation_restore_others (other->simulation, state, wrong, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "no component is named 'robot.odometer'");
  g_clear_error (&error);
  orrery_simulation_restore_others (other->simulation, state, fresh, &error);
  g_assert_no_error (error);
  stage_step (other, 9);
  way = stage_get (other, "robot.way", "dS");
  /* Also in the middle of a run, where it has a memory. */
  stage_put (other, "robot.sink", 0, 1, "{'x': 5, 'y': 5}");
  stage_step (other, 20);
  orrery_simulation_restore_others (other->simulation, state, fresh, &error);
  g_assert_no_error (error);
  stage_step (stage, 9);
  stage_step (other, 9);
  /* Its first step goes from the start of the run, as it has forgotten all others. */
  g_assert_cmpfloat (stage_get (other, "robot.way", "dS"), ==, way);
  g_assert_cmpfloat (way, >, 2 * stage_get (stage, "robot.way", "dS"));
  g_assert_cmpfloat (stage_get (stage, "robot.way", "timestamp"), ==,
                     stage_get (other, "robot.way", "timestamp"));
  stage_step (stage, 31);
  stage_step (other, 31);
  expected = stage_json (stage, "robot.pose");
  found = stage_json (other, "robot.pose");
  g_assert_cmpstr (expected, ==, found);
  g_assert_cmpfloat (stage_get (stage, "robot.sink", "x"), ==, 6);
  g_assert_cmpfloat (stage_get (other, "robot.sink", "x"), ==, 0);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_data_func ("/simulation/saved/kinematic/goes-on", STAGE_PLAIN, test_goes_on);
  g_test_add_data_func ("/simulation/saved/kinematic/spoilt", STAGE_PLAIN, test_spoilt);
  g_test_add_data_func ("/simulation/saved/bullet/goes-on", DYNAMIC, test_goes_on);
  g_test_add_data_func ("/simulation/saved/bullet/again", DYNAMIC, test_again);
  g_test_add_data_func ("/simulation/saved/bullet/spoilt", DYNAMIC, test_spoilt);
  if (has_mujoco ()) {
    g_test_add_data_func ("/simulation/saved/mujoco/goes-on", ARTICULATED, test_goes_on);
    g_test_add_data_func ("/simulation/saved/mujoco/again", ARTICULATED, test_again);
    g_test_add_data_func ("/simulation/saved/mujoco/spoilt", ARTICULATED, test_spoilt);
  }
  g_test_add_func ("/simulation/saved/others", test_others);
  g_test_add_func ("/simulation/saved/told", test_told);
  return g_test_run ();
}
