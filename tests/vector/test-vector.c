/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <math.h>
#include <string.h>

/* Many simulations of a scene, as rows of arrays. */

#define NOISY                                                                                      \
  "'component_modifier': {'robot.pose': ["                                                         \
  "['orrery.modifiers.pose_noise.PositionNoiseModifier', {'pos_std': 0.1}]]},"
#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'},"                          \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'laser', 'classpath': 'orrery.sensors.hokuyo.Hokuyo', 'frequency': 10}]}"
#define DRIVEN                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'},"                          \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}"
#define BULLET "{'start': 0, 'physics': 'orrery.physics.bullet.Bullet', 'gravity': [0, 0, 0]}"
#define MOTION(field) "robot.motion." field

static const char *const actions[] = { MOTION ("v"), MOTION ("w"), NULL };
static const char *const poses[] = { "robot.pose.x", "robot.pose.yaw", NULL };
static const char *const values[] = { "max_over(robot.pose.x)", "time", NULL };

typedef struct {
  Stage *stage; /* which wrote the scene */
  OrreryVector *vector;
  OrreryBuffer *observations, *actions, *values, *held;
} Rows;

static OrreryVector *
try_vector (Stage *stage, guint n, const char *const *observed, const char *const *acted,
            const char *const *valued, GError **error)
{
  g_autofree char *path = g_build_filename (stage->directory, "scene.json", NULL);
  g_autoptr (OrreryOptions) options = stage_options ();

  return orrery_vector_new (stage->registry, path, options, n, observed, acted, valued, error);
}

static Rows *
rows_new (const char *environment, const char *tables, const char *objects, guint n,
          const char *const *observed)
{
  g_autofree char *scene = stage_scene (environment, tables, objects);
  g_autoptr (GError) error = NULL;
  Rows *rows = g_new0 (Rows, 1);

  rows->stage = stage_new (scene, NULL);
  rows->vector = try_vector (rows->stage, n, observed, actions, values, &error);
  g_assert_no_error (error);
  rows->observations = orrery_vector_dup_observations (rows->vector);
  rows->actions = orrery_vector_dup_actions (rows->vector);
  rows->values = orrery_vector_dup_values (rows->vector);
  rows->held = orrery_vector_dup_held (rows->vector);
  return rows;
}

static void
rows_free (Rows *rows)
{
  g_object_unref (rows->vector);
  orrery_buffer_unref (rows->observations);
  orrery_buffer_unref (rows->actions);
  orrery_buffer_unref (rows->values);
  orrery_buffer_unref (rows->held);
  stage_free (rows->stage);
  g_free (rows);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rows, rows_free)

static double *
at (OrreryBuffer *matrix, guint row, guint column)
{
  return (double *) orrery_buffer_get_data (matrix) + row * orrery_buffer_get_length (matrix, 1) +
         column;
}

static guint8 *
held_at (Rows *rows, guint row)
{
  return (guint8 *) orrery_buffer_get_data (rows->held) + row;
}

static void
begin (Rows *rows, guint row, guint64 seed)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_vector_rewind (rows->vector, row, seed, &error));
  g_assert_no_error (error);
  g_assert_true (orrery_vector_begin (rows->vector, row, 1, &error));
  g_assert_no_error (error);
}

static void
step (Rows *rows, guint64 n_ticks)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (orrery_vector_step (rows->vector, n_ticks, &error), ==, 0);
  g_assert_no_error (error);
}

static void
test_rows (void)
{
  g_autoptr (Rows) rows = rows_new (STAGE_PLAIN, "", ROBOT, 3, poses);
  guint64 ticks;

  g_test_summary ("each simulation has its own actions, observations and values");
  g_assert_cmpint (*held_at (rows, 0), ==, 1);
  /* Whoever releases one that has not begun steps the others. */
  *held_at (rows, 0) = 0;
  *at (rows->actions, 0, 0) = NAN;
  step (rows, 1);
  ticks = orrery_simulation_get_n_ticks (orrery_vector_get_simulation (rows->vector, 0));
  step (rows, 1);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (orrery_vector_get_simulation (rows->vector, 0)),
                    ==, ticks);
  for (guint i = 0; i < 3; i++) {
    begin (rows, i, 1);
    *at (rows->actions, i, 0) = i;
    g_assert_cmpint (*held_at (rows, i), ==, 0);
    g_assert_cmpfloat (*at (rows->observations, i, 0), ==, 0);
  }
  step (rows, 60);
  for (guint i = 0; i < 3; i++) {
    /* The sensor sees what its tick begins with: 59 of 60. */
    g_assert_cmpfloat_with_epsilon (*at (rows->observations, i, 0), i * 59 / 60.0, 1e-6);
    g_assert_cmpfloat (*at (rows->values, i, 0), ==, *at (rows->observations, i, 0));
    g_assert_cmpfloat_with_epsilon (*at (rows->values, i, 1), 61 / 60.0, 1e-9);
  }
  *held_at (rows, 1) = 1;
  step (rows, 60);
  g_assert_cmpfloat_with_epsilon (*at (rows->observations, 1, 0), 59 / 60.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (*at (rows->observations, 2, 0), 2 * 119 / 60.0, 1e-6);
  begin (rows, 2, 1);
  g_assert_cmpfloat (*at (rows->observations, 2, 0), ==, 0);
  g_assert_cmpfloat (*at (rows->values, 2, 0), ==, 0);
  g_assert_cmpfloat_with_epsilon (*at (rows->values, 2, 1), 1 / 60.0, 1e-9);
}

static void
test_restored (void)
{
  g_autoptr (Rows) rows = rows_new (STAGE_PLAIN, NOISY, ROBOT, 2, poses);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("a row begins with a saved state: its time is its own, its seed makes the noise");
  begin (rows, 0, 1);
  *at (rows->actions, 0, 0) = 1;
  step (rows, 60);
  state = orrery_simulation_save (orrery_vector_get_simulation (rows->vector, 0), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (orrery_vector_rewind (rows->vector, i, 7 + i, &error));
    g_assert_true (
        orrery_simulation_restore (orrery_vector_get_simulation (rows->vector, i), state, &error));
    g_assert_true (orrery_vector_begin (rows->vector, i, 1, &error));
    g_assert_no_error (error);
    g_assert_cmpfloat_with_epsilon (*at (rows->observations, i, 0), 1, 0.6);
    g_assert_cmpfloat (*at (rows->values, i, 0), ==, *at (rows->observations, i, 0));
    g_assert_cmpfloat_with_epsilon (*at (rows->values, i, 1), 1 / 60.0, 1e-9);
  }
  g_assert_cmpfloat (*at (rows->observations, 0, 0), !=, *at (rows->observations, 1, 0));
}

static double
run_alone (const char *path, OrreryRegistry *registry, guint64 seed)
{
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) alone = NULL;
  double x;

  g_object_set (options, "seed", seed, NULL);
  alone = orrery_simulation_load_with_options (registry, path, options, &error);
  g_assert_no_error (error);
  orrery_simulation_step (alone, 31, &error);
  g_assert_no_error (error);
  x = orrery_record_get_double (orrery_component_get_record (
                                    orrery_simulation_find_component (alone, "robot.pose")),
                                "x");
  orrery_simulation_close (alone);
  return x;
}

static void
test_seeds (void)
{
  g_autoptr (Rows) rows = rows_new (STAGE_PLAIN, NOISY, ROBOT, 3, poses);
  g_autofree char *path = g_build_filename (rows->stage->directory, "scene.json", NULL);
  double first;

  g_test_summary ("a row of a seed is the run that was loaded with it");
  begin (rows, 0, 7);
  begin (rows, 1, 8);
  begin (rows, 2, 7);
  step (rows, 30);
  first = *at (rows->observations, 0, 0);
  g_assert_cmpfloat (first, ==, *at (rows->observations, 2, 0));
  g_assert_cmpfloat (first, !=, *at (rows->observations, 1, 0));
  g_assert_cmpfloat (first, ==, run_alone (path, rows->stage->registry, 7));
  g_assert_cmpfloat (*at (rows->observations, 1, 0), ==,
                     run_alone (path, rows->stage->registry, 8));
  /* And again, after others. */
  begin (rows, 1, 7);
  begin (rows, 0, 9);
  step (rows, 30);
  g_assert_cmpfloat (*at (rows->observations, 1, 0), ==, first);
  g_assert_cmpfloat (*at (rows->observations, 0, 0), !=, first);
}

static void
test_arrays (void)
{
  static const char *const observed[] = { "robot.laser.range_list", "robot.pose.x", NULL };
  g_autoptr (Rows) rows = rows_new (STAGE_PLAIN, "", ROBOT, 2, observed);
  guint width = orrery_vector_get_observation_width (rows->vector, 0);

  g_test_summary ("an array has a column for each of its values");
  g_assert_cmpuint (width, >, 100);
  g_assert_cmpuint (orrery_vector_get_observation_width (rows->vector, 1), ==, 1);
  g_assert_cmpuint (orrery_vector_get_observation_width (rows->vector, 2), ==, 0);
  g_assert_cmpuint (orrery_buffer_get_length (rows->observations, 1), ==, width + 1);
  begin (rows, 0, 1);
  begin (rows, 1, 1);
  *at (rows->actions, 1, 0) = 1;
  step (rows, 30);
  for (guint i = 0; i < width; i++)
    g_assert_cmpfloat (*at (rows->observations, 0, i), >, 0);
  g_assert_cmpfloat_with_epsilon (*at (rows->observations, 1, width), 29 / 60.0, 1e-6);
}

static void
test_wrong_actions (void)
{
  g_autoptr (Rows) rows = rows_new (STAGE_PLAIN, "", ROBOT, 2, poses);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is no number is refused before anything steps");
  begin (rows, 0, 1);
  begin (rows, 1, 1);
  *at (rows->actions, 0, 0) = 1;
  *at (rows->actions, 1, 1) = NAN;
  g_assert_cmpint (orrery_vector_step (rows->vector, 60, &error), ==, -1);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "simulation 1, robot.motion.w: an action cannot be nan");
  g_assert_cmpuint (orrery_simulation_get_n_ticks (orrery_vector_get_simulation (rows->vector, 0)),
                    ==, 1);
  /* Of those that do not step nobody asks. */
  *held_at (rows, 1) = 1;
  step (rows, 60);
}

/* A force beyond all measure ends a run. */
static void
push (OrrerySimulation *simulation)
{
  OrreryWorld *world = orrery_simulation_get_world (simulation);
  OrreryVec3 huge = { 1e14, 0, 0 }, none = { 0 };

  orrery_commands_add_force (orrery_world_get_commands (world),
                             orrery_world_find_object (world, "robot"), &huge, &none);
}

static void
test_failures (void)
{
  g_autoptr (Rows) rows = rows_new (BULLET, "", DRIVEN, 3, poses);
  g_autoptr (GError) error = NULL;
  double x;

  g_test_summary ("a simulation that fails is held, named, and loaded anew; the others go on");
  for (guint i = 0; i < 3; i++) {
    begin (rows, i, 1);
    *at (rows->actions, i, 0) = 1;
  }
  push (orrery_vector_get_simulation (rows->vector, 1));
  g_assert_cmpint (orrery_vector_step (rows->vector, 60, &error), ==, 1);
  g_assert_no_error (error);
  g_assert_null (orrery_vector_get_failure (rows->vector, 0));
  g_assert_nonnull (strstr (orrery_vector_get_failure (rows->vector, 1), "'robot': a force"));
  g_assert_cmpint (*held_at (rows, 1), ==, 1);
  g_assert_true (isnan (*at (rows->observations, 1, 0)));
  g_assert_true (isnan (*at (rows->values, 1, 0)));
  x = *at (rows->observations, 2, 0);
  g_assert_cmpfloat (x, >, 0.5);
  /* Once more: it is not counted again, and cannot begin before it is rewound. */
  *held_at (rows, 1) = 0;
  *at (rows->actions, 1, 0) = NAN;
  step (rows, 1);
  *at (rows->actions, 1, 0) = 1;
  g_assert_false (orrery_vector_begin (rows->vector, 1, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_clear_error (&error);
  begin (rows, 1, 1);
  g_assert_false (orrery_vector_begin (rows->vector, 1, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_cmpstr (error->message, ==, "simulation 1 is rewound before it begins");
  g_assert_null (orrery_vector_get_failure (rows->vector, 1));
  step (rows, 60);
  g_assert_cmpfloat (*at (rows->observations, 1, 0), ==, x);
}

static void
refuse (Stage *stage, guint n, const char *observed, const char *acted, const char *value, int code,
        const char *words)
{
  const char *const observations[] = { observed, NULL };
  const char *const given[] = { acted, NULL };
  const char *const formulas[] = { value, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (try_vector (stage, n, observations, given, formulas, &error));
  g_assert_error (error, ORRERY_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("%s: not %s", error->message, words);
}

static void
test_wrong_names (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", ROBOT);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  const char *x = "robot.pose.x", *v = "robot.motion.v", *time = "time";

  g_test_summary ("what is named wrongly is told with what there is");
  refuse (stage, 0, x, v, time, ORRERY_ERROR_INVALID, "0 simulations");
  refuse (stage, 65537, x, v, time, ORRERY_ERROR_INVALID, "65537 simulations");
  refuse (stage, 1, "robot.poze.x", v, time, ORRERY_ERROR_NOT_FOUND, "robot.pose");
  refuse (stage, 1, "x", v, time, ORRERY_ERROR_NOT_FOUND, "no component");
  refuse (stage, 1, "", v, time, ORRERY_ERROR_NOT_FOUND, "no component");
  refuse (stage, 1, "robot.pose.z.w", v, time, ORRERY_ERROR_INVALID, "robot.pose: z.w");
  refuse (stage, 1, "robot.pose.position", v, time, ORRERY_ERROR_NOT_FOUND, "no field position");
  refuse (stage, 1, x, "robot.motion.speed", time, ORRERY_ERROR_NOT_FOUND, "no field speed");
  refuse (stage, 1, x, "robot.pose.x", time, ORRERY_ERROR_INVALID, "which robot.pose is not");
  refuse (stage, 1, x, "robot.motion.timestamp", time, ORRERY_ERROR_NOT_FOUND, "");
  refuse (stage, 1, x, v, "robot.pose.", ORRERY_ERROR_INVALID, "robot.pose.: ");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/vector/rows", test_rows);
  g_test_add_func ("/vector/restored", test_restored);
  g_test_add_func ("/vector/seeds", test_seeds);
  g_test_add_func ("/vector/arrays", test_arrays);
  g_test_add_func ("/vector/wrong-actions", test_wrong_actions);
  g_test_add_func ("/vector/failures", test_failures);
  g_test_add_func ("/vector/wrong-names", test_wrong_names);
  return g_test_run ();
}
