/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <math.h>

/* Quantities that change while the scene runs, and objects that are attached to others. */

#define BALL(name, x, mass)                                                                        \
  "{'name': '" name "', 'position': [" x ", 0, 9], 'body': {'type': 'rigid', 'mass': " mass        \
  ", 'damping': [0, 0]}, 'shapes': [{'kind': 'sphere', 'radius': 0.2}]}"
#define FLOOR                                                                                      \
  "{'name': 'floor', 'position': [0, 0, -0.5], 'body': {'type': 'static', 'friction': 1}, "        \
  "'shapes': [{'kind': 'box', 'size': [40, 40, 1]}]}"
#define BOX                                                                                        \
  "{'name': 'box', 'position': [0, 8, 0.1], 'body': {'type': 'rigid', 'mass': 2, 'friction': 0.5," \
  " 'damping': [0, 0]}, 'shapes': [{'kind': 'box', 'size': [0.4, 0.4, 0.2]}]}"
#define LEAF                                                                                       \
  "{'name': 'leaf', 'position': [-6, 0, 9], 'body': {'type': 'rigid', 'mass': 0.1, 'damping': "    \
  "[0.5, 0]}, 'shapes': [{'kind': 'sphere', 'radius': 0.1}]}"
#define ARM(mass)                                                                                  \
  "{'name': 'arm', 'position': [0, -8, 3], 'body': {'type': 'static'}, 'shapes': [{'kind': "       \
  "'box', 'size': [0.1, 0.1, 0.1]}], 'objects': [{'name': 'link', 'position': [0, 0.5, 0], "       \
  "'body': {'type': 'rigid', 'mass': " mass "}, 'joint': {'kind': 'hinge', 'axis': [1, 0, 0], "    \
  "'anchor': [0, -0.5, 0]}, 'shapes': [{'kind': 'box', 'size': [0.1, 0.6, 0.1]}], 'objects': "     \
  "[{'name': 'tip', 'position': [0, 0.6, 0], 'body': {'type': 'rigid', 'mass': 1}, 'joint': "      \
  "{'kind': 'hinge', 'axis': [1, 0, 0], 'anchor': [0, -0.3, 0]}, 'shapes': [{'kind': 'box', "      \
  "'size': [0.1, 0.4, 0.1]}]}]}]}"
#define SIGN                                                                                       \
  "{'name': 'sign', 'position': [0, 0, 20], 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]}"
#define OBJECTS(mass)                                                                              \
  BALL ("ball", "0", mass)                                                                         \
  ", " BALL ("other", "3", "1") ", " FLOOR ", " BOX ", " LEAF ", " ARM (mass) ", " SIGN
#define SPAWNABLE                                                                                  \
  "'spawnables': [{'count': 2, 'object': {'name': 'crate', 'body': {'type': 'rigid', 'mass': 2}, " \
  "'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}}],"
#define ENVIRONMENT(engine) "{'start': 0, 'physics': 'orrery.physics." engine "'}"

static const char *const engines[] = { "bullet.Bullet", "mujoco.MuJoCo" };

static const char *
get_environment (guint engine)
{
  return engine == 0 ? ENVIRONMENT ("bullet.Bullet") : ENVIRONMENT ("mujoco.MuJoCo");
}

static gboolean
has_engine (guint engine)
{
  return orrery_test_has_engine (engines[engine]);
}

/* 2 kg unless @heavy, then 5. */
static Stage *
make (guint engine, gboolean heavy)
{
  g_autofree char *scene =
      stage_scene (get_environment (engine), SPAWNABLE, heavy ? OBJECTS ("5") : OBJECTS ("2"));

  return stage_new (scene, NULL);
}

static const OrreryVec3 *
how_fast (Stage *stage, const char *name)
{
  return orrery_snapshot_get_linear_velocity (stage_get_snapshot (stage),
                                              orrery_object_get_index (
                                                  stage_find_object (stage, name)));
}

/* x alone of a vector. */
static double
get (Stage *stage, const char *path, gsize n)
{
  g_autoptr (GError) error = NULL;
  gsize n_numbers;
  g_autofree double *numbers =
      orrery_simulation_get_quantity (stage->simulation, path, &n_numbers, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n_numbers, ==, n);
  return numbers[n - 1];
}

/* How far something at rest goes in that many ticks of two substeps, by the steps of engines. */
static double
fall (double acceleration, guint ticks)
{
  double n = 2.0 * ticks, dt = 1.0 / 120;

  return acceleration * dt * dt * n * (n + 1) / 2;
}

/* --- what they do --- */

static void
check_gravity (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);
  double z;

  g_assert_cmpfloat (get (stage, "gravity", 3), ==, -9.81);
  stage_set_vec3 (stage, "gravity", 0, 0, -1.62);
  g_assert_cmpfloat (get (stage, "gravity", 3), ==, -9.81);
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "simulation.gravity", 3), ==, -1.62);
  stage_step (stage, 59);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "ball")->z, 9 - fall (1.62, 60), 1e-9);
  /* What gravity does not act on is as light as before. */
  orrery_commands_set_gravity (orrery_world_get_commands (
                                   orrery_simulation_get_world (stage->simulation)),
                               stage_find_object (stage, "other"), FALSE);
  stage_step (stage, 1);
  z = how_fast (stage, "other")->z;
  stage_set_vec3 (stage, "gravity", 0, 0, -5);
  stage_step (stage, 10);
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "other")->z, z, 1e-12);
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "ball")->z, -1.62 * 61 / 60.0 - 5 * 10 / 60.0,
                                  1e-9);
}

static void
check_wind (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);
  double f = pow (0.5, 1.0 / 120), n = 120;

  stage_set_vec3 (stage, "gravity", 0, 0, 0);
  stage_set_vec3 (stage, "wind", 4, 0, 0);
  stage_step (stage, 60);
  /* Half of the difference is lost in a second. */
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "leaf")->x, 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "leaf")->x,
                                  -6 + 4 / 120.0 * (n - f * (1 - pow (f, n)) / (1 - f)), 1e-9);
  /* It has no damping. */
  g_assert_cmpfloat (how_fast (stage, "ball")->x, ==, 0);
  stage_set_vec3 (stage, "wind", 0, 0, 0);
  stage_step (stage, 60);
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "leaf")->x, 1, 1e-9);
}

/* m, until it stops. */
static double
slide (Stage *stage)
{
  OrreryCommands *commands =
      orrery_world_get_commands (orrery_simulation_get_world (stage->simulation));
  double from;

  stage_step (stage, 30);
  from = stage_get_place (stage, "box")->x;
  orrery_commands_set_velocity (commands, stage_find_object (stage, "box"),
                                &(OrreryVec3){ 2, 0, 0 }, &(OrreryVec3){ 0 });
  stage_step (stage, 120);
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "box")->x, 0, 0.01);
  return stage_get_place (stage, "box")->x - from;
}

static void
check_friction (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);

  g_assert_cmpfloat_with_epsilon (slide (stage), 4 / (2 * 0.5 * 9.81), 0.03);
  stage_set (stage, "box.friction", 0.25);
  g_assert_cmpfloat_with_epsilon (slide (stage), 4 / (2 * 0.25 * 9.81), 0.03);
  g_assert_cmpfloat (get (stage, "box.friction", 1), ==, 0.25);
  /* That of what stands still. */
  stage_set (stage, "floor.friction", 4);
  g_assert_cmpfloat_with_epsilon (slide (stage), 4 / (2 * 1 * 9.81), 0.03);
}

static void
push (Stage *stage, const char *name, double force, double torque)
{
  OrreryCommands *commands =
      orrery_world_get_commands (orrery_simulation_get_world (stage->simulation));

  for (guint i = 0; i < 30; i++) {
    g_assert_true (orrery_commands_add_force (commands, stage_find_object (stage, name),
                                              &(OrreryVec3){ force, 0, 0 },
                                              &(OrreryVec3){ 0, 0, torque }));
    stage_step (stage, 1);
  }
}

static double
get_spin (Stage *stage, const char *name)
{
  return orrery_snapshot_get_angular_velocity (stage_get_snapshot (stage),
                                               orrery_object_get_index (
                                                   stage_find_object (stage, name)))
      ->z;
}

static void
check_mass (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);
  g_autoptr (Stage) same = make (engine, FALSE);
  double inertia = orrery_object_get_body (stage_find_object (stage, "ball"))->inertia.z, spin;

  push (same, "ball", 4, 0.01);
  g_assert_cmpfloat_with_epsilon (how_fast (same, "ball")->x, 1, 1e-9);
  spin = get_spin (same, "ball");
  g_assert_cmpfloat (spin, >, 0.01);
  stage_set (stage, "ball.mass", 8);
  push (stage, "ball", 4, 0.01);
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "ball")->x, 0.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_spin (stage, "ball"), spin / 4, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      orrery_object_get_body (stage_find_object (stage, "ball"))->inertia.z, 4 * inertia, 1e-9);
  /* It falls as before. */
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "ball")->z,
                                  stage_get_place (same, "ball")->z, 1e-9);
}

/* As if the scene had said so: a free body, and a link of an arm. */
static void
check_like_scene (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);
  g_autoptr (Stage) heavy = make (engine, TRUE);
  g_autoptr (Stage) light = make (engine, FALSE);

  stage_set (stage, "ball.mass", 5);
  stage_set (stage, "arm.link.mass", 5);
  push (stage, "ball", 3, 0.02);
  push (heavy, "ball", 3, 0.02);
  push (light, "ball", 3, 0.02);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "ball")->x,
                                  stage_get_place (heavy, "ball")->x, 1e-12);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "arm.link")->z,
                                  stage_get_place (heavy, "arm.link")->z, 1e-9);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "arm.link.tip")->z,
                                  stage_get_place (heavy, "arm.link.tip")->z, 1e-9);
  /* It makes a difference. */
  g_assert_cmpfloat (fabs (stage_get_place (light, "arm.link.tip")->z -
                           stage_get_place (heavy, "arm.link.tip")->z),
                     >, 1e-4);
}

static void
for_engines (void (*check) (guint engine))
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (has_engine (i))
      check (i);
}

static void
test_gravity (void)
{
  g_test_summary ("A body falls by the gravity of the moment, but not one that has none");
  for_engines (check_gravity);
}

static void
test_wind (void)
{
  g_test_summary ("Damping acts relative to the wind");
  for_engines (check_wind);
}

static void
test_friction (void)
{
  g_test_summary ("A sliding box stops where its friction and that of the ground say");
  for_engines (check_friction);
}

static void
test_mass (void)
{
  g_test_summary ("Mass and inertia of a body change what forces and torques do");
  for_engines (check_mass);
}

static void
test_like_scene (void)
{
  g_test_summary ("A mass that was changed moves bodies and links as one of the scene does");
  for_engines (check_like_scene);
}

/* m, after the bounce. */
static double
bounce (Stage *stage)
{
  double highest = 0, before = 9;
  gboolean up = FALSE;

  for (guint i = 0; i < 200; i++) {
    double z;

    stage_step (stage, 1);
    z = stage_get_place (stage, "ball")->z;
    up |= z > before;
    if (up)
      highest = fmax (highest, z);
    before = z;
  }
  return highest;
}

static void
test_restitution (void)
{
  g_autoptr (Stage) stage = make (0, FALSE);
  g_autoptr (Stage) dull = make (0, FALSE);

  g_test_summary ("A ball bounces by the restitution of both");
  g_assert_cmpfloat (bounce (dull), <, 0.3);
  stage_set (stage, "ball.restitution", 0.8);
  stage_set (stage, "floor.restitution", 1);
  /* It falls 8.8 m and comes back with 0.8 of the speed. */
  g_assert_cmpfloat_with_epsilon (bounce (stage), 0.2 + 0.64 * 8.8, 0.4);
}

static void
check_spawned (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);
  OrreryTransform at = { .position = { 3, 3, 0.25 }, .rotation = { .w = 1 } };
  g_autofree char *first = orrery_simulation_spawn (stage->simulation, "crate", &at, NULL);
  g_autofree char *second = NULL;

  stage_set (stage, "crate.1.mass", 6);
  stage_set (stage, "crate.1.friction", 3);
  stage_step (stage, 2);
  g_assert_cmpfloat (get (stage, "crate.1.mass", 1), ==, 6);
  g_assert_cmpfloat (get (stage, "crate_1.friction", 1), ==, 3);
  g_assert_true (orrery_simulation_remove (stage->simulation, "crate.1", NULL));
  stage_step (stage, 1);
  second = orrery_simulation_spawn (stage->simulation, "crate", &at, NULL);
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "crate.2.mass", 1), ==, 2);
  push (stage, "crate.2", 40, 0);
  /* Its own friction is .5, on ground of 1. */
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "crate.2")->x, (40 / 2.0 - 0.5 * 9.81) / 2, 0.5);
}

static void
test_spawned (void)
{
  g_test_summary ("What is spawned has the scene's values, whatever its place had before");
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (has_engine (i))
      check_spawned (i);
}

static void
test_waiting (void)
{
  g_autoptr (Stage) stage = make (0, FALSE);
  g_autoptr (GError) error = NULL;
  double mass = 3;
  guint n = 0;

  g_test_summary ("Changes that wait for a tick have a limit; the tick takes them all");
  while (orrery_simulation_set_quantity (stage->simulation, "ball.mass", &mass, 1, &error))
    n++;
  g_assert_cmpuint (n, ==, 250000);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_nonnull (strstr (error->message, "250000 changes wait for the next tick"));
  g_clear_error (&error);
  g_assert_false (orrery_simulation_detach_object (stage->simulation, "ball", &error));
  g_assert_nonnull (strstr (error->message, "changes wait"));
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "ball.mass", 1), ==, 3);
  stage_set (stage, "ball.mass", 4);
}

/* --- states --- */

static void
change (Stage *stage)
{
  stage_set_vec3 (stage, "gravity", 0.5, 0, -7);
  stage_set_vec3 (stage, "wind", 3, 1, 0);
  stage_set (stage, "ball.mass", 3);
  stage_set (stage, "arm.link.mass", 7);
  stage_set (stage, "box.friction", 0.1);
  stage_step (stage, 20);
  stage_set (stage, "arm.link.tip.mass", 0.3);
  stage_step (stage, 20);
}

static guint64
go_on (Stage *stage)
{
  push (stage, "ball", 5, 0.1);
  stage_set (stage, "floor.friction", 0.2);
  push (stage, "box", 15, 0);
  stage_set (stage, "ball.mass", 2);
  push (stage, "ball", 1, 0);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_states (guint engine)
{
  g_autoptr (Stage) stage = make (engine, FALSE);
  g_autoptr (Stage) other = make (engine, FALSE);
  g_autoptr (Stage) plain = make (engine, FALSE);
  g_autoptr (GBytes) state = NULL, again = NULL, staged = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash, unchanged;

  stage_step (plain, 40);
  unchanged = go_on (plain);
  change (stage);
  state = stage_save (stage);
  hash = go_on (stage);
  g_assert_cmpuint (hash, !=, unchanged);
  stage_restore (stage, state);
  g_assert_cmpfloat (get (stage, "ball.mass", 1), ==, 3);
  g_assert_cmpfloat (get (stage, "wind", 3), ==, 0);
  again = stage_save (stage);
  g_assert_true (g_bytes_equal (state, again));
  g_assert_cmpuint (go_on (stage), ==, hash);
  stage_restore (other, state);
  g_assert_cmpfloat (get (other, "gravity", 3), ==, -7);
  g_assert_cmpuint (go_on (other), ==, hash);
  /* A reset brings back the values of the scene, in the engine, too. */
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (get (other, "ball.mass", 1), ==, 2);
  g_assert_cmpfloat (get (other, "gravity", 3), ==, -9.81);
  stage_step (other, 40);
  g_assert_cmpuint (go_on (other), ==, unchanged);
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  change (other);
  g_assert_cmpuint (go_on (other), ==, hash);
  /* What is told but not done yet belongs to a state, too. */
  stage_set (other, "ball.mass", 9);
  staged = stage_save (other);
  stage_restore (stage, staged);
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "ball.mass", 1), ==, 9);
}

static void
test_states (void)
{
  g_test_summary ("A run with changes is saved, restored, reset and repeated bit by bit");
  for_engines (check_states);
}

/* --- attachments --- */

static void
attach (Stage *stage, const char *name, const char *holder, const OrreryTransform *pose)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_attach_object (stage->simulation, name, holder, pose, &error));
  g_assert_no_error (error);
}

static void
check_attach (const char *environment, gboolean falls)
{
  g_autofree char *scene = stage_scene (environment, "", OBJECTS ("2"));
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (Stage) other = stage_new (scene, NULL);
  OrreryTransform at = { .position = { 0, 0.5, 0 }, .rotation = { .w = 1 } };
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  stage_step (stage, 5);
  attach (stage, "ball", "other", NULL);
  stage_step (stage, 10);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "ball")->x,
                                  stage_get_place (stage, "other")->x - 3, 1e-6);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "ball")->z,
                                  stage_get_place (stage, "other")->z, 1e-6);
  attach (stage, "leaf", "ball", &at);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "leaf")->y,
                                  stage_get_place (stage, "ball")->y + 0.5, 1e-6);
  stage_call_fails (stage, "simulation", "attach", "[<'other'>, <'leaf'>]", ORRERY_CALL_FAILED,
                    "'other' cannot be attached to 'leaf', which moves with it");
  state = stage_save (stage);
  g_assert_true (orrery_simulation_detach_object (stage->simulation, "ball", &error));
  g_assert_no_error (error);
  stage_call_fails (stage, "simulation", "detach", "[<'ball'>]", ORRERY_CALL_FAILED,
                    "'ball' is not attached to anything");
  stage_step (stage, 10);
  hash = orrery_simulation_get_hash (stage->simulation);
  stage_restore (other, state);
  stage_call_fails (other, "simulation", "attach", "[<'other'>, <'leaf'>]", ORRERY_CALL_FAILED,
                    "'other' cannot be attached to 'leaf', which moves with it");
  g_assert_true (orrery_simulation_detach_object (other->simulation, "ball", &error));
  stage_step (other, 10);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==, hash);
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_false (orrery_simulation_detach_object (other->simulation, "leaf", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_true ((stage_get_place (stage, "ball")->z < 8.9) == falls);
}

static void
test_attach (void)
{
  g_test_summary ("An object moves with that to which it is attached, until it is detached");
  check_attach (ENVIRONMENT ("bullet.Bullet"), TRUE);
  if (has_engine (1))
    check_attach (ENVIRONMENT ("mujoco.MuJoCo"), TRUE);
}

static void
test_attach_kinematic (void)
{
  g_test_summary ("So it does without dynamics");
  check_attach ("{'start': 0, " STAGE_KINEMATIC "}", FALSE);
}

/* --- what is refused --- */

typedef struct {
  const char *service, *arguments, *words;
} Refusal;

static void
refuse (Stage *stage, const Refusal *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    stage_call_fails (stage, "simulation", rows[i].service, rows[i].arguments, ORRERY_CALL_FAILED,
                      rows[i].words);
}

static void
test_refused (void)
{
  static const Refusal rows[] = {
    { "set", "[<'ball.mass'>, <-1.0>]", "mass is from 1e-09 to 1e+09 kg" },
    { "set", "[<'ball.mass'>, <0.0>]", "mass is from*" },
    { "set", "[<'ball.mass'>, <1e300>]", "mass is from*" },
    { "set", "[<'ball.mass'>, <[1.0]>]", "mass is one number, in kg" },
    { "set", "[<'ball.mass'>, <'heavy'>]", "mass is one number, in kg" },
    { "set", "[<'ball.mass'>, <true>]", "mass is one number, in kg" },
    { "set", "[<'gravity'>, <9.81>]", "gravity is three numbers, [x, y, z], in m/s2" },
    { "set", "[<'gravity'>, <[0.0, 0.0]>]", "gravity is three numbers*" },
    { "set", "[<'gravity'>, <[0.0, 0.0, 1e9]>]", "each number of gravity is from*" },
    { "set", "[<'gravity'>, <(0.0, 0.0, 'down')>]", "gravity is three numbers*" },
    { "set", "[<'gravity[3]'>, <1.0>]", "'gravity' has 3 members, *it has no ?3?" },
    { "set", "[<'gravity[2]'>, <[1.0]>]", "gravity is three numbers*" },
    { "set", "[<'gravity[2]'>, <1e9>]", "each number of gravity is from*" },
    { "set", "[<'gravity[-1]'>, <1.0>]", "'gravity?-1?': an index is a whole number*" },
    { "set", "[<'ball.mass[0]'>, <1.0>]", "'mass' is *, and no list: it has no ?0?*" },
    { "set", "[<'mass[0]'>, <1.0>]", "'mass?0?' is no path*" },
    { "get", "[<'gravity[3]'>]", "'gravity' has 3 members, *" },
    { "get", "[<'ball.colour[1]'>]", "an object has no quantity 'colour'*" },
    { "set", "[<'ball.restitution'>, <1.5>]", "restitution is from 0 to 1" },
    { "set", "[<'bal.mass'>, <1.0>]", "no object is named 'bal'*did you mean ball*" },
    { "set", "[<'ball.mas'>, <1.0>]", "an object has no quantity 'mas'*did you mean mass*" },
    { "set", "[<'ball.gravity'>, <1.0>]", "'gravity' is of the world: the path is gravity" },
    { "set", "[<'mass'>, <1.0>]", "'mass' is of an object: the path is OBJECT.mass" },
    { "set", "[<'gravty'>, <1.0>]", "the world has no quantity 'gravty'*did you mean gravity*" },
    { "set", "[<'simulation.mass'>, <1.0>]", "'mass' is of an object*" },
    { "set", "[<''>, <1.0>]", "the world has no quantity ''*" },
    { "set", "[<'.mass'>, <1.0>]", "the world has no quantity '.mass'*" },
    { "set", "[<'floor.mass'>, <1.0>]", "'floor' is not moved by forces*" },
    { "set", "[<'sign.mass'>, <1.0>]", "'sign' has no body, so no mass" },
    { "set", "[<'crate.1.mass'>, <1.0>]", "no object is named 'crate.1'*" },
    { "set", "[<'crate_1.mass'>, <1.0>]", "'crate_1' is not in the world*" },
    { "get", "[<'ball.colour'>]", "an object has no quantity 'colour'*" },
    { "get", "[<'sign.friction'>]", "'sign' has no body, so no friction" },
    { "attach", "[<'ball'>, <'ball'>]", "'ball' cannot be attached to itself" },
    { "attach", "[<'bal'>, <'other'>]", "no object is named 'bal'*" },
    { "attach", "[<'ball'>, <'othre'>]", "no object is named 'othre'*did you mean other*" },
    { "attach", "[<'floor'>, <'ball'>]", "'floor' cannot be attached*" },
    { "attach", "[<'arm.link'>, <'ball'>]", "'arm.link' cannot be attached*" },
    { "attach", "[<'ball'>, <'other'>, <[1.0]>]", "a position is*" },
    { "attach", "[<'ball'>, <'other'>, <[1e300, 0.0, 0.0]>]", "*beyond 1e8 m" },
    { "detach", "[<'ball'>]", "'ball' is not attached to anything" },
    { "detach", "[<'nobody'>]", "no object is named 'nobody'*" },
  };
  g_autoptr (Stage) stage = make (0, FALSE);
  g_autoptr (GError) error = NULL;
  double numbers[] = { NAN, 0, 0 };

  g_test_summary ("What cannot be changed or attached is refused with the reason");
  refuse (stage, rows, G_N_ELEMENTS (rows));
  g_assert_false (
      orrery_simulation_set_quantity (stage->simulation, "ball.mass", numbers, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (orrery_simulation_set_quantity (stage->simulation, "wind", numbers, 3, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (orrery_simulation_set_quantity (stage->simulation, "wind", NULL, 0, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "ball.mass", 1), ==, 2);
}

static void
test_gone (void)
{
  static const Refusal rows[] = {
    { "set", "[<'crate.1.mass'>, <1.0>]", "'crate.1' was removed" },
    { "get", "[<'crate.1.mass'>]", "'crate.1' was removed" },
    { "attach", "[<'crate.1'>, <'ball'>]", "'crate.1' was removed" },
    { "attach", "[<'ball'>, <'crate.1'>]", "'crate.1' was removed" },
    { "detach", "[<'crate.1'>]", "'crate.1' was removed" },
  };
  g_autoptr (Stage) stage = make (0, FALSE);
  g_autofree char *name = orrery_simulation_spawn (stage->simulation, "crate", NULL, NULL);

  g_test_summary ("Names of what was removed say so");
  attach (stage, "ball", name, NULL);
  stage_step (stage, 2);
  g_assert_true (orrery_simulation_remove (stage->simulation, name, NULL));
  refuse (stage, rows, G_N_ELEMENTS (rows));
  stage_step (stage, 2);
  refuse (stage, rows, G_N_ELEMENTS (rows));
  stage_call_fails (stage, "simulation", "detach", "[<'ball'>]", ORRERY_CALL_FAILED,
                    "'ball' is not attached to anything");
}

/* A row of get_quantities. */
static gboolean
is_supported (Stage *stage, const char *name)
{
  g_autoptr (GVariant) list = stage_call (stage, "simulation", "get_quantities", NULL);
  gboolean supported = FALSE, found = FALSE;

  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) row = g_variant_get_child_value (list, i);
    const char *is;

    g_assert_true (g_variant_lookup (row, "name", "&s", &is));
    if (!g_str_equal (is, name))
      continue;
    found = TRUE;
    g_assert_true (g_variant_lookup (row, "supported", "b", &supported));
  }
  g_assert_true (found);
  return supported;
}

static void
test_engines (void)
{
  g_autofree char *still = stage_scene (STAGE_PLAIN, "", OBJECTS ("2"));
  g_autoptr (Stage) kinematic = stage_new (still, NULL);
  g_autoptr (Stage) bullet = make (0, FALSE);

  g_test_summary ("An engine that cannot change something says so, and what it can");
  g_assert_true (is_supported (bullet, "restitution"));
  g_assert_true (is_supported (bullet, "wind"));
  g_assert_false (is_supported (kinematic, "mass"));
  stage_call_fails (kinematic, "simulation", "set", "[<'ball.mass'>, <3.0>]", ORRERY_CALL_FAILED,
                    "orrery.physics.kinematic.Kinematic cannot change mass; it can change: scale");
  stage_call_fails (kinematic, "simulation", "set", "[<'gravity'>, <[0.0, 0.0, 0.0]>]",
                    ORRERY_CALL_FAILED, "*cannot change gravity*");
  if (has_engine (1)) {
    g_autoptr (Stage) mujoco = make (1, FALSE);

    g_assert_true (is_supported (mujoco, "mass"));
    g_assert_false (is_supported (mujoco, "restitution"));
    stage_call_fails (mujoco, "simulation", "set", "[<'ball.restitution'>, <0.5>]",
                      ORRERY_CALL_FAILED,
                      "orrery.physics.mujoco.MuJoCo cannot change restitution: its contacts know "
                      "no restitution; it can change: mass, friction, gravity, wind, scale");
  }
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/change/gravity", test_gravity);
  g_test_add_func ("/change/wind", test_wind);
  g_test_add_func ("/change/friction", test_friction);
  g_test_add_func ("/change/mass", test_mass);
  g_test_add_func ("/change/like-scene", test_like_scene);
  g_test_add_func ("/change/restitution", test_restitution);
  g_test_add_func ("/change/spawned", test_spawned);
  g_test_add_func ("/change/waiting", test_waiting);
  g_test_add_func ("/change/states", test_states);
  g_test_add_func ("/change/attach", test_attach);
  g_test_add_func ("/change/attach-kinematic", test_attach_kinematic);
  g_test_add_func ("/change/refused", test_refused);
  g_test_add_func ("/change/gone", test_gone);
  g_test_add_func ("/change/engines", test_engines);
  return g_test_run ();
}
