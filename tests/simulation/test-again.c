/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs after a reset and after a restore, tick by tick against a world that was built for it: piles
 * of all shapes that collapse, links, vehicles, bodies that are held, sensors with rays, contacts
 * that end.
 */
#include "../plugins/stage.h"

#define TICKS 40
#define MOST_TICKS 120 /* of what goes before */
#define THREADS 4

#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"
#define BULLET "{'start': 0, 'import': 'empty'}"
#define MUJOCO "{'start': 0, 'import': 'empty', 'physics': 'orrery.physics.mujoco.MuJoCo'}"
#define KINEMATIC "{'start': 0, 'import': 'empty', 'physics': 'orrery.physics.kinematic.Kinematic'}"
#define TABLES "'component_datastream': {'robot.motion': [" LOOP "]},"

#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [-2.5, 0, 0.1],"          \
  " 'objects': [{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                        \
  " {'name': 'odometry', 'classpath': 'orrery.sensors.odometry.Odometry', 'frequency': 7},"        \
  " {'name': 'bump', 'classpath': 'orrery.sensors.collision.Collision'},"                          \
  " {'name': 'scan', 'classpath': 'orrery.sensors.infrared.Infrared', 'position': [0, 0, 0.5]},"   \
  " {'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"
#define VEHICLE                                                                                    \
  "{'name': 'robot', 'classpath': 'orrery.robots.segwayrmp400.SegwayRMP400', 'objects': ["         \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega_diff_drive.MotionVWDiff'}]}"
#define LINKS                                                                                      \
  "{'name': 'post', 'position': [1.5, 0.4, 0.6], 'body': {'type': 'rigid', 'mass': 5},"            \
  " 'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5]}], 'objects': [{'name': 'arm',"             \
  " 'position': [0, 0, 0.3], 'body': {'type': 'rigid', 'mass': 1},"                                \
  " 'joint': {'kind': 'hinge', 'axis': [0, 1, 0], 'position': 0.2, 'limits': [-1, 1]},"            \
  " 'shapes': [{'kind': 'box', 'size': [0.1, 0.1, 0.4], 'position': [0, 0, 0.2]}],"                \
  " 'objects': [{'name': 'bob', 'position': [0, 0, 0.4], 'body': {'type': 'rigid', 'mass': 1},"    \
  " 'joint': {'kind': 'ball'}, 'shapes': [{'kind': 'capsule', 'radius': 0.05, 'height': 0.3,"      \
  " 'position': [0.2, 0, 0]}]}]}]}"
/* Hulls, one that stands still and one that moves; a compound; a ledge that a ball leaves. */
#define HULL                                                                                       \
  "{'kind': 'hull', 'points': [[-0.3, -0.3, -0.2], [0.3, -0.3, -0.2], [0, 0.4, -0.2], [0, 0, "     \
  "0.3]]}"
#define LEDGE                                                                                      \
  "{'name': 'stone', 'position': [0, 2, 0.2], 'body': {'type': 'static'}, 'shapes': [" HULL "]}, " \
  "{'name': 'crystal', 'position': [0.1, 2.1, 0.9], 'body': {'type': 'rigid', 'mass': 1,"          \
  " 'margin': 0.01}, 'shapes': [" HULL "]}, "                                                      \
  "{'name': 'ledge', 'position': [0, -2, 0.5], 'body': {'type': 'static'},"                        \
  " 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]}, "                                             \
  "{'name': 'ball', 'position': [0.46, -2, 1.2], 'body': {'type': 'rigid', 'mass': 1},"            \
  " 'shapes': [{'kind': 'sphere', 'radius': 0.2}]}, "                                              \
  "{'name': 'hammer', 'position': [0.3, -2.2, 1.8], 'body': {'type': 'rigid', 'mass': 1},"         \
  " 'shapes': [{'kind': 'cylinder', 'radius': 0.05, 'height': 0.6},"                               \
  " {'kind': 'box', 'size': [0.3, 0.1, 0.1], 'position': [0, 0, 0.3]}]}, "                         \
  "{'name': 'gate', 'position': [-1, 0, 0.5], 'body': {'type': 'ghost'},"                          \
  " 'shapes': [{'kind': 'box', 'size': [0.5, 2, 1]}]}"

typedef struct {
  const char *environment;
  const char *objects;
  guint n_things; /* of the pile */
} Case;

static const Case cases[] = {
  { BULLET, ROBOT ", " LEDGE, 0 },
  { BULLET, ROBOT ", " LINKS ", " LEDGE, 12 },
  { BULLET, VEHICLE ", " LEDGE, 8 },
  { BULLET, ROBOT, 24 },
  { KINEMATIC, ROBOT ", " LEDGE, 10 },
  { KINEMATIC, VEHICLE, 0 },
  { MUJOCO, ROBOT ", " LINKS ", " LEDGE, 10 },
  { MUJOCO, ROBOT, 6 },
};

static void
add_pile (GString *objects, guint n)
{
  static const char *const shapes[] = {
    "{'kind': 'box', 'size': [0.4, 0.3, 0.2]}",
    "{'kind': 'sphere', 'radius': 0.15}",
    "{'kind': 'cylinder', 'radius': 0.15, 'height': 0.3}",
    "{'kind': 'capsule', 'radius': 0.1, 'height': 0.3}",
    HULL,
    "{'kind': 'box', 'size': [0.4, 0.1, 0.1]}, {'kind': 'box', 'size': [0.1, 0.4, 0.1]}",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        objects,
        ", {'name': 'thing%u', 'position': [%.3f, %.3f, %.3f], 'rotation': [%.3f, %.3f, 0.3], "
        "'body': {'type': 'rigid', 'mass': 1, 'friction': %.2f}, 'shapes': [%s]}",
        i, g_rand_double_range (rand, -0.6, 0.6), g_rand_double_range (rand, -0.6, 0.6),
        0.3 + 0.15 * i, g_rand_double_range (rand, -1, 1), g_rand_double_range (rand, -1, 1),
        g_rand_double_range (rand, 0, 1), shapes[i % G_N_ELEMENTS (shapes)]);
}

static Stage *
make_stage (const Case *each)
{
  g_autoptr (GString) objects = g_string_new (each->objects);
  g_autofree char *scene = NULL;

  add_pile (objects, each->n_things);
  scene = stage_scene (each->environment, TABLES, objects->str);
  return stage_new (scene, NULL);
}

/* One tick of the run that is compared: driven, and disturbed in its middle. */
static guint64
go_on (Stage *stage, guint tick)
{
  if (tick == 0)
    stage_put (stage, "robot.motion", 0, 1, "{'v': 2.0, 'w': 0.2}");
  if (tick == TICKS / 2) {
    g_autoptr (GVariant) moved =
        stage_call (stage, "simulation", "set_object_position", "[<'robot'>, <[-2, 1, 0.2]>]");
  }
  stage_step (stage, 1);
  return orrery_simulation_get_hash (stage->simulation);
}

/* Something else, of so many ticks. */
static void
wander (Stage *stage, guint n)
{
  stage_put (stage, "robot.motion", 0, 1, "{'v': -1.5, 'w': -1}");
  stage_step (stage, n);
  if (n % 2 == 0) {
    g_autoptr (GVariant) still = stage_call (stage, "simulation", "suspend_dynamics", NULL);
    stage_step (stage, 2);
  }
  stage_put (stage, "robot.motion", 0, 1, "{'v': 9, 'w': 9}");
}

static void
record (Stage *stage, guint64 *hashes)
{
  for (guint i = 0; i < TICKS; i++)
    hashes[i] = go_on (stage, i);
}

static guint
count_differences (Stage *stage, const guint64 *hashes)
{
  guint n = 0;

  for (guint i = 0; i < TICKS; i++)
    n += go_on (stage, i) != hashes[i];
  return n;
}

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
}

static void
test_reset (gconstpointer data)
{
  g_autoptr (Stage) fresh = make_stage (data);
  g_autoptr (Stage) stage = make_stage (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  guint64 hashes[TICKS];

  g_test_summary ("after a reset each tick is that of a fresh world, however long it ran");
  record (fresh, hashes);
  for (guint i = 0; i < 3; i++) {
    wander (stage, i == 0 ? 1 : (guint) g_rand_int_range (rand, 1, MOST_TICKS));
    reset (stage);
    if (i % 3 == 2)
      reset (stage);
    g_assert_cmpuint (count_differences (stage, hashes), ==, 0);
  }
}

/* A negative control: what the comparison above sees. */
static void
test_reset_differs (gconstpointer data)
{
  g_autoptr (Stage) fresh = make_stage (data);
  g_autoptr (Stage) stage = make_stage (data);
  g_autoptr (GVariant) moved = NULL;
  guint64 hashes[TICKS];

  record (fresh, hashes);
  wander (stage, 30);
  reset (stage);
  moved = stage_call (stage, "simulation", "set_object_position",
                      "[<'robot'>, <[-2.5, 0.0, 0.10000000000001]>]");
  g_assert_cmpuint (count_differences (stage, hashes), ==, TICKS);
}

static void
test_restore (gconstpointer data)
{
  g_autoptr (Stage) stage = make_stage (data);
  g_autoptr (Stage) other = make_stage (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);

  g_test_summary ("after a restore each tick is that of the run that was saved");
  for (guint i = 0; i < 3; i++) {
    guint64 hashes[TICKS];
    g_autoptr (GBytes) state = NULL;

    wander (stage, (guint) g_rand_int_range (rand, 1, MOST_TICKS / 4));
    state = stage_save (stage);
    record (stage, hashes);
    wander (other, (guint) g_rand_int_range (rand, 1, MOST_TICKS / 4));
    stage_restore (other, state);
    g_assert_cmpuint (count_differences (other, hashes), ==, 0);
    stage_restore (stage, state);
    g_assert_cmpuint (count_differences (stage, hashes), ==, 0);
    stage_restore (stage, state);
    g_assert_cmpuint (count_differences (stage, hashes), ==, 0);
    if (i % 2 == 1)
      reset (other);
  }
}

static void
test_restore_differs (gconstpointer data)
{
  g_autoptr (Stage) stage = make_stage (data);
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GVariant) moved = NULL;
  guint64 hashes[TICKS];

  wander (stage, 30);
  state = stage_save (stage);
  record (stage, hashes);
  stage_restore (stage, state);
  moved = stage_call (stage, "simulation", "set_object_position",
                      "[<'robot'>, <[-2.5, 0.0, 0.10000000000001]>]");
  g_assert_cmpuint (count_differences (stage, hashes), ==, TICKS);
}

/* --- several worlds at a time --- */

typedef struct {
  Stage *stage;
  const guint64 *hashes;
  guint n_different;
} World;

static gpointer
run_world (gpointer data)
{
  World *world = data;

  for (guint i = 0; i < 3; i++) {
    wander (world->stage, 11);
    reset (world->stage);
    world->n_different += count_differences (world->stage, world->hashes);
  }
  return NULL;
}

static void
test_threads (gconstpointer data)
{
  g_autoptr (Stage) fresh = make_stage (data);
  guint64 hashes[TICKS];
  World worlds[THREADS] = { 0 };
  GThread *threads[THREADS];

  g_test_summary ("worlds that have their meshes in common run in threads of their own");
  record (fresh, hashes);
  for (guint i = 0; i < THREADS; i++)
    worlds[i] = (World){ make_stage (data), hashes, 0 };
  g_clear_pointer (&fresh, stage_free);
  for (guint i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("world", run_world, &worlds[i]);
  for (guint i = 0; i < THREADS; i++) {
    g_thread_join (threads[i]);
    g_assert_cmpuint (worlds[i].n_different, ==, 0);
    stage_free (worlds[i].stage);
  }
}

static void
add (const char *name, guint i, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/simulation/again/%s/%u", name, i);

  g_test_add_data_func (path, &cases[i], func);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    add ("reset", i, test_reset);
    add ("reset-differs", i, test_reset_differs);
    add ("restore", i, test_restore);
    add ("restore-differs", i, test_restore_differs);
    add ("threads", i, test_threads);
  }
  return g_test_run ();
}
