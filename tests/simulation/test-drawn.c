/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* The key `randomisation` with quantities of the running world: mass, friction, gravity, wind. */

#include <math.h>

#define ENTRY(path, distribution) "{'path': '" path "', 'distribution': '" distribution "'}"
#define OP(path, operation, distribution)                                                          \
  "{'path': '" path "', 'operation': '" operation "', 'distribution': '" distribution "'}"
#define AGAIN(path, n, distribution)                                                               \
  "{'path': '" path "', 'every_ticks': " #n ", 'distribution': '" distribution "'}"
#define BALL                                                                                       \
  "{'name': 'ball', 'position': [0, 0, 9], 'body': {'type': 'rigid', 'mass': 2, 'damping': "       \
  "[0, 0]}, 'shapes': [{'kind': 'sphere', 'radius': 0.2}]}"
#define LEAF                                                                                       \
  "{'name': 'leaf', 'position': [-6, 0, 9], 'body': {'type': 'rigid', 'mass': 0.1, 'damping': "    \
  "[0.5, 0]}, 'shapes': [{'kind': 'sphere', 'radius': 0.1}]}"
#define FLOOR                                                                                      \
  "{'name': 'floor', 'position': [0, 0, -0.5], 'body': {'type': 'static', 'friction': 1}, "        \
  "'shapes': [{'kind': 'box', 'size': [40, 40, 1]}]}"
#define BOX                                                                                        \
  "{'name': 'box', 'position': [0, 8, 0.1], 'body': {'type': 'rigid', 'mass': 2, 'friction': 0.5," \
  " 'damping': [0, 0]}, 'shapes': [{'kind': 'box', 'size': [0.4, 0.4, 0.2]}]}"
#define SIGN                                                                                       \
  "{'name': 'sign', 'position': [0, 0, 20], 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]}"
#define OBJECTS BALL ", " LEAF ", " FLOOR ", " BOX ", " SIGN

static const char *const engines[] = { "bullet.Bullet", "mujoco.MuJoCo" };

static char *
make_text (const char *engine, guint seed, const char *entries, const char *more)
{
  g_autofree char *environment =
      g_strdup_printf ("{'start': 0, 'frequency': 60, 'seed': %u, 'physics': 'orrery.physics.%s'}",
                       seed, engine);
  g_autofree char *tables = g_strdup_printf ("'randomisation': [%s],%s", entries, more);

  return stage_scene (environment, tables, OBJECTS);
}

static Stage *
make (guint engine, guint seed, const char *entries)
{
  g_autofree char *scene = make_text (engines[engine], seed, entries, "");

  return stage_new (scene, NULL);
}

static OrreryVec3
how_fast (Stage *stage, const char *name)
{
  OrrerySnapshot *snapshot =
      orrery_world_get_snapshot (orrery_simulation_get_world (stage->simulation));

  return *orrery_snapshot_get_linear_velocity (snapshot, orrery_object_get_index (
                                                             stage_find_object (stage, name)));
}

static OrreryVec3
where (Stage *stage, const char *name)
{
  return *stage_get_place (stage, name);
}

/* The last number. */
static double
get (Stage *stage, const char *path)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree double *numbers = orrery_simulation_get_quantity (stage->simulation, path, &n, &error);

  g_assert_no_error (error);
  return numbers[n - 1];
}

/* What the episode began with, by the report. */
static double
get_drawn (Stage *stage, const char *path)
{
  g_autoptr (GVariant) report = orrery_simulation_get_report (stage->simulation);
  g_autoptr (GVariant) drawn =
      g_variant_lookup_value (report, "randomisation", G_VARIANT_TYPE_VARDICT);
  double number;

  g_assert_true (g_variant_lookup (drawn, path, "d", &number));
  return number;
}

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
}

static void
push (Stage *stage, const char *name, double force)
{
  OrreryCommands *commands =
      orrery_world_get_commands (orrery_simulation_get_world (stage->simulation));

  for (guint i = 0; i < 30; i++) {
    g_assert_true (orrery_commands_add_force (commands, stage_find_object (stage, name),
                                              &(OrreryVec3){ force, 0, 0 }, &(OrreryVec3){ 0 }));
    stage_step (stage, 1);
  }
}

static void
for_engines (void (*check) (guint engine))
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (orrery_test_has_engine (engines[i]))
      check (i);
}

/* --- what they do --- */

static void
check_mass (guint engine)
{
  g_autoptr (Stage) stage = make (engine, 7, ENTRY ("ball.mass", "uniform(1, 8)"));
  double before = 0;

  for (guint episode = 0; episode < 3; episode++) {
    double mass = get_drawn (stage, "ball.mass");

    g_assert_cmpfloat (mass, >=, 1);
    g_assert_cmpfloat (mass, <=, 8);
    g_assert_cmpfloat (mass, !=, before);
    /* From the start on, and not from the first tick. */
    g_assert_cmpfloat (get (stage, "ball.mass"), ==, mass);
    push (stage, "ball", 4);
    g_assert_cmpfloat_with_epsilon (how_fast (stage, "ball").x, 4 * 0.5 / mass, 1e-9);
    before = mass;
    reset (stage);
  }
}

static void
check_world (guint engine)
{
  g_autoptr (Stage) stage =
      make (engine, 7,
            ENTRY ("gravity[2]", "uniform(-5, -1)") ", " ENTRY ("simulation.gravity[0]",
                                                                "uniform(0.1, 0.2)"));
  g_autoptr (Stage) windy =
      make (engine, 7,
            ENTRY ("wind", "choice([[4, 0, 0]])") ", " OP ("gravity", "scale", "choice([0])"));

  for (guint episode = 0; episode < 2; episode++) {
    OrreryVec3 speed;

    stage_step (stage, 60);
    speed = how_fast (stage, "ball");
    g_assert_cmpfloat_with_epsilon (speed.z, get_drawn (stage, "gravity[2]"), 1e-9);
    g_assert_cmpfloat_with_epsilon (speed.x, get_drawn (stage, "simulation.gravity[0]"), 1e-9);
    g_assert_cmpfloat (speed.x, >, 0.09);
    stage_step (windy, 60);
    /* Half of the difference is lost in a second. */
    g_assert_cmpfloat_with_epsilon (how_fast (windy, "leaf").x, 2, 1e-9);
    g_assert_cmpfloat (how_fast (windy, "leaf").z, ==, 0);
    reset (stage);
    reset (windy);
  }
}

static void
check_friction (guint engine)
{
  g_autoptr (Stage) stage = make (engine, 7, OP ("box.friction", "scale", "uniform(0.4, 1)"));
  OrreryCommands *commands =
      orrery_world_get_commands (orrery_simulation_get_world (stage->simulation));
  double before = 0;

  for (guint episode = 0; episode < 2; episode++) {
    double friction = get_drawn (stage, "box.friction"), from;

    g_assert_cmpfloat (friction, !=, before);
    g_assert_cmpfloat (friction, <=, 0.5);
    stage_step (stage, 30);
    from = where (stage, "box").x;
    orrery_commands_set_velocity (commands, stage_find_object (stage, "box"),
                                  &(OrreryVec3){ 2, 0, 0 }, &(OrreryVec3){ 0 });
    stage_step (stage, 120);
    g_assert_cmpfloat_with_epsilon (where (stage, "box").x - from, 4 / (2 * friction * 9.81), 0.05);
    before = friction;
    reset (stage);
  }
}

/* Of a tick, two substeps of the gravity that was drawn for it. */
static void
check_every (guint engine)
{
  g_autoptr (Stage) stage =
      make (engine, 7,
            AGAIN ("gravity[2]", 10, "uniform(-5, -1)") ", " AGAIN ("gravity[0]", 5,
                                                                    "uniform(1, 2)"));
  OrreryVec3 before = { 0 }, last = { 0 };
  guint changes[2] = { 0 };

  for (guint i = 0; i < 30; i++) {
    OrreryVec3 now, gained;

    stage_step (stage, 1);
    now = how_fast (stage, "ball");
    gained = (OrreryVec3){ (now.x - before.x) * 60, 0, (now.z - before.z) * 60 };
    g_assert_cmpfloat_with_epsilon (gained.z, get (stage, "gravity"), 1e-9);
    if (i > 0 && fabs (gained.x - last.x) > 1e-9) {
      g_assert_cmpuint (i % 5, ==, 0);
      changes[0]++;
    }
    if (i > 0 && fabs (gained.z - last.z) > 1e-9) {
      g_assert_cmpuint (i % 10, ==, 0);
      changes[1]++;
    }
    before = now;
    last = gained;
  }
  g_assert_cmpuint (changes[0], ==, 5);
  g_assert_cmpuint (changes[1], ==, 2);
}

static void
test_mass (void)
{
  g_test_summary ("A push moves a body by the mass that was drawn, in the first episode, too");
  for_engines (check_mass);
}

static void
test_world (void)
{
  g_test_summary ("Bodies fall by the gravity, and drift with the wind, that was drawn");
  for_engines (check_world);
}

static void
test_friction (void)
{
  g_test_summary ("A box slides as far as the friction says that was drawn");
  for_engines (check_friction);
}

static void
test_every (void)
{
  g_test_summary ("What is drawn at ticks is in force in that tick, of all members");
  for_engines (check_every);
}

static void
test_restitution (void)
{
  g_autoptr (Stage) stage =
      make (0, 7,
            ENTRY ("ball.restitution", "uniform(0.7, 0.9)") ", " ENTRY ("floor.restitution",
                                                                        "choice([1])"));
  double highest = 0, drawn = get_drawn (stage, "ball.restitution");

  g_test_summary ("A ball bounces by the restitution that was drawn");
  stage_step (stage, 85);
  for (guint i = 0; i < 110; i++) {
    stage_step (stage, 1);
    highest = fmax (highest, where (stage, "ball").z);
  }
  g_assert_cmpfloat_with_epsilon (highest, 0.2 + drawn * drawn * 8.8, 0.5);
}

/* --- the same again --- */

#define ALL                                                                                        \
  ENTRY ("ball.mass", "uniform(1, 8)")                                                             \
  ", " AGAIN ("box.friction", 7, "uniform(0.1, 1)") ", " AGAIN (                                   \
      "gravity[2]", 5,                                                                             \
      "uniform(-12, -6)") ", " AGAIN ("wind[0]", 3,                                                \
                                      "uniform(-4, 4)") ", " AGAIN ("leaf.mass", 4,                \
                                                                    "uniform(0.1, 0.2)")

static guint64
run (Stage *stage, guint ticks)
{
  push (stage, "box", 12);
  stage_step (stage, ticks);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_same (guint engine)
{
  g_autoptr (Stage) stage = make (engine, 7, ALL);
  g_autoptr (Stage) same = make (engine, 7, ALL);
  g_autoptr (Stage) other = make (engine, 8, ALL);
  g_autoptr (Stage) more = make (engine, 7, ENTRY ("floor.friction", "choice([1])") ", " ALL);
  g_autoptr (Stage) fresh = make (engine, 7, ALL);
  g_autoptr (GBytes) state = NULL, begun = NULL;
  guint64 first = run (stage, 30), second;

  g_assert_cmpuint (run (same, 30), ==, first);
  g_assert_cmpuint (run (other, 30), !=, first);
  /* The stream of each entry is its own. */
  g_assert_cmpuint (run (more, 30), ==, first);
  reset (stage);
  reset (same);
  begun = stage_save (same);
  second = run (stage, 30);
  g_assert_cmpuint (second, !=, first);
  /* In the middle of an episode, and at its start. */
  push (same, "box", 12);
  stage_step (same, 13);
  state = stage_save (same);
  stage_step (same, 17);
  g_assert_cmpuint (orrery_simulation_get_hash (same->simulation), ==, second);
  stage_restore (fresh, state);
  stage_step (fresh, 17);
  g_assert_cmpuint (orrery_simulation_get_hash (fresh->simulation), ==, second);
  stage_restore (fresh, begun);
  g_assert_cmpfloat (get (fresh, "ball.mass"), ==, get (same, "ball.mass"));
  g_assert_cmpuint (run (fresh, 30), ==, second);
  g_assert_true (orrery_simulation_reset_with_seed (other->simulation, 7, NULL));
  g_assert_cmpuint (run (other, 30), ==, first);
}

static void
test_same (void)
{
  g_test_summary ("Seed and episode make the run, also from a state");
  for_engines (check_same);
}

#define MASSES ENTRY ("ball.mass", "uniform(1, 8)") ", " ENTRY ("box.mass", "uniform(1, 8)")
#define SURFACES                                                                                   \
  ENTRY ("box.friction", "uniform(0.1, 1)") ", " ENTRY ("floor.friction", "uniform(0.5, 1)")
#define AIR ENTRY ("gravity[2]", "uniform(-12, -6)") ", " ENTRY ("wind[0]", "uniform(-4, 4)")
#define EACH MASSES ", " SURFACES ", " AIR

/* What episodes before had drawn leaves no trace in the engine, which a reset keeps. */
static void
check_fresh (guint engine)
{
  g_autoptr (Stage) stage = make (engine, 7, EACH);
  guint64 hashes[3];

  for (guint seed = 0; seed < G_N_ELEMENTS (hashes); seed++) {
    g_autoptr (Stage) fresh = make (engine, seed, EACH);

    hashes[seed] = run (fresh, 90);
    run (stage, 20);
    reset (stage);
    run (stage, 10);
    g_assert_true (orrery_simulation_reset_with_seed (stage->simulation, seed, NULL));
    g_assert_cmpfloat (get (stage, "box.mass"), ==, get (fresh, "box.mass"));
    g_assert_cmpuint (run (stage, 90), ==, hashes[seed]);
  }
  g_assert_cmpuint (hashes[0], !=, hashes[1]);
  g_assert_cmpuint (hashes[1], !=, hashes[2]);
}

static void
test_fresh (void)
{
  g_test_summary ("A reset to other values is a fresh load with them, to the last bit");
  for_engines (check_fresh);
}

static void
test_told (void)
{
  g_autoptr (Stage) stage =
      make (0, 7, ENTRY ("ball.mass", "uniform(1, 8)") ", " AGAIN ("box.mass", 4, "uniform(1, 2)"));

  g_test_summary ("What a program sets counts more than what is drawn in that tick");
  stage_set (stage, "ball.mass", 20);
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "ball.mass"), ==, 20);
  stage_step (stage, 3);
  stage_set (stage, "box.mass", 30);
  stage_step (stage, 1);
  g_assert_cmpfloat (get (stage, "box.mass"), ==, 30);
  stage_step (stage, 4);
  g_assert_cmpfloat (get (stage, "box.mass"), <=, 2);
  g_assert_cmpfloat (get (stage, "ball.mass"), ==, 20);
  reset (stage);
  g_assert_cmpfloat (get (stage, "ball.mass"), <=, 8);
}

/* --- what is spawned --- */

#define SPAWNED                                                                                    \
  "'spawnables': [{'count': 2, 'object': {'name': 'crate', 'body': {'type': 'rigid', 'mass': 2, "  \
  "'friction': 0.5, 'damping': [0, 0]}, 'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5], "      \
  "'color': [0.2, 0.4, 0.6]}], 'objects': [{'name': 'lid', 'lamp': {'kind': 'point', "             \
  "'energy': 3}}]}}, {'count': 3, 'object': {'name': 'stone', 'body': {'type': 'rigid', 'mass': "  \
  "2}, 'shapes': [{'kind': 'sphere', 'radius': 0.2}]}}],"
#define OF_CRATES                                                                                  \
  ENTRY ("crate.mass", "uniform(1, 8)")                                                            \
  ", " OP ("crate.friction", "scale", "uniform(0.5, 1)") ", " ENTRY (                              \
      "crate.color[0]", "uniform(0, 1)") ", " OP ("crate.color[2]", "scale",                       \
                                                  "uniform(0, 1)") ", " OP ("crate.lid.energy",    \
                                                                            "add",                 \
                                                                            "uniform(1, 2)")
#define OF_STONES ENTRY ("stone.mass", "uniform(1, 8)")

static Stage *
make_spawned (guint seed, const char *entries)
{
  g_autofree char *scene = make_text (engines[0], seed, entries, SPAWNED);

  return stage_new (scene, NULL);
}

/* Into the air, far from what was spawned before. */
static void
spawn (Stage *stage, const char *kind, const char *expected)
{
  static double x = 100;
  OrreryTransform at = { .position = { x += 10, 0, 50 }, .rotation = { 0, 0, 0, 1 } };
  g_autoptr (GError) error = NULL;
  g_autofree char *name = orrery_simulation_spawn (stage->simulation, kind, &at, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, expected);
}

static void
take_away (Stage *stage, const char *name)
{
  g_assert_true (orrery_simulation_remove (stage->simulation, name, NULL));
}

/* Crates 1 to 4, two at a time. */
static void
see_crates (Stage *stage, double masses[4])
{
  spawn (stage, "crate", "crate.1");
  spawn (stage, "crate", "crate.2");
  stage_step (stage, 1);
  masses[0] = get (stage, "crate.1.mass");
  masses[1] = get (stage, "crate.2.mass");
  /* In the place of the first, at once. */
  take_away (stage, "crate.1");
  spawn (stage, "crate", "crate.3");
  stage_step (stage, 1);
  masses[2] = get (stage, "crate.3.mass");
  take_away (stage, "crate.2");
  stage_step (stage, 5);
  spawn (stage, "crate", "crate.4");
  stage_step (stage, 1);
  masses[3] = get (stage, "crate.4.mass");
}

static void
test_spawned (void)
{
  g_autoptr (Stage) stage = make_spawned (7, OF_CRATES);
  double masses[4];

  g_test_summary ("Each that is spawned has values of its own, which physics has, too");
  see_crates (stage, masses);
  for (guint i = 0; i < 4; i++) {
    g_assert_true (masses[i] >= 1 && masses[i] <= 8);
    for (guint k = 0; k < i; k++)
      g_assert_cmpfloat (masses[i], !=, masses[k]);
  }
  g_assert_true (get (stage, "crate.3.friction") >= 0.25 && get (stage, "crate.3.friction") <= 0.5);
  g_assert_true (get (stage, "crate.4.color[0]") != 0.2 && get (stage, "crate.4.color[0]") <= 1);
  g_assert_cmpfloat (get (stage, "crate.4.color[1]"), ==, 0.4);
  g_assert_true (get (stage, "crate.4.color[2]") < 0.6);
  g_assert_true (get (stage, "crate.4.lid.energy") >= 4 && get (stage, "crate.4.lid.energy") <= 5);
  /* A force of 60 N for half a second. */
  push (stage, "crate.4", 60);
  g_assert_cmpfloat_with_epsilon (how_fast (stage, "crate.4").x, 30 / masses[3], 0.01);
}

static void
test_spawned_alone (void)
{
  g_autoptr (Stage) stage = make_spawned (7, OF_CRATES);
  g_autoptr (Stage) more =
      make_spawned (7, OF_STONES ", " OF_CRATES ", " ENTRY ("ball.mass", "uniform(1, 2)"));
  g_autoptr (Stage) other = make_spawned (8, OF_CRATES);
  double masses[4], seen[4];

  g_test_summary ("What else is spawned, and other entries, change no value; seed and episode do");
  see_crates (stage, masses);
  spawn (more, "stone", "stone.1");
  stage_step (more, 3);
  spawn (more, "stone", "stone.2");
  see_crates (more, seen);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (masses[i], ==, seen[i]);
  g_assert_true (get (more, "stone.1.mass") != get (more, "stone.2.mass"));
  see_crates (other, seen);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (masses[i], !=, seen[i]);
  reset (stage);
  see_crates (stage, seen);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (masses[i], !=, seen[i]);
  g_assert_true (orrery_simulation_reset_with_seed (other->simulation, 7, NULL));
  see_crates (other, seen);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (masses[i], ==, seen[i]);
}

static void
test_spawned_state (void)
{
  g_autoptr (Stage) stage = make_spawned (7, OF_CRATES);
  g_autoptr (Stage) fresh = make_spawned (7, OF_CRATES);
  g_autoptr (GBytes) state = NULL;
  double mass;

  g_test_summary ("A run goes on from a state with the values that it has drawn and would draw");
  spawn (stage, "crate", "crate.1");
  stage_step (stage, 2);
  mass = get (stage, "crate.1.mass");
  state = orrery_simulation_save (stage->simulation, NULL);
  spawn (stage, "crate", "crate.2");
  stage_step (stage, 2);
  stage_restore (fresh, state);
  g_assert_cmpfloat (get (fresh, "crate.1.mass"), ==, mass);
  spawn (fresh, "crate", "crate.2");
  stage_step (fresh, 2);
  g_assert_cmpfloat (get (fresh, "crate.2.mass"), ==, get (stage, "crate.2.mass"));
}

static void
test_spawned_told (void)
{
  g_autoptr (Stage) stage = make_spawned (7, ENTRY ("crate.mass", "normal(0.5, 3)"));
  g_autoptr (GError) error = NULL;
  double one = 1;

  g_test_summary ("What a program sets counts more; a value that cannot be refuses the spawning");
  for (guint i = 0; error == NULL && i < 100; i++) {
    g_autofree char *name = orrery_simulation_spawn (stage->simulation, "crate", NULL, &error);
    g_autofree char *path = g_strconcat (name != NULL ? name : "", ".mass", NULL);

    if (name == NULL)
      break;

    g_assert_true (orrery_simulation_set_quantity (stage->simulation, path, &one, 1, NULL));
    stage_step (stage, 1);
    g_assert_cmpfloat (get (stage, path), ==, 1);
    take_away (stage, name);
    stage_step (stage, 1);
  }
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_true (
      g_pattern_match_simple ("randomisation of crate.mass, -*: mass is from *", error->message));
}

/* --- what cannot --- */

#define SPAWNABLE                                                                                  \
  "'spawnables': [{'count': 2, 'object': {'name': 'crate', 'body': {'type': 'rigid', 'mass': 2}, " \
  "'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}}],"

static const struct {
  const char *engine;
  const char *entry;
  const char *words;
} refused[] = {
  { "kinematic.Kinematic", ENTRY ("ball.mass", "uniform(1, 2)"),
    "*scene.json:*'ball.mass' cannot vary: orrery.physics.kinematic.Kinematic cannot change "
    "mass; "
    "it can change: scale; orrery.physics.bullet.Bullet as 'physics' can change it*" },
  { "kinematic.Kinematic", ENTRY ("gravity[2]", "uniform(1, 2)"), "*cannot change gravity*" },
  { "mujoco.MuJoCo", ENTRY ("ball.restitution", "uniform(0, 1)"),
    "*cannot change restitution: its contacts know no restitution; it can change: mass, "
    "friction, gravity, wind, scale; orrery.physics.bullet.Bullet as 'physics' can change it*" },
  { "bullet.Bullet", ENTRY ("ball.mess", "uniform(1, 2)"), "*'mess' of an object cannot vary*" },
  { "bullet.Bullet", ENTRY ("bal.mass", "uniform(1, 2)"), "*'bal'; did you mean ball*" },
  { "bullet.Bullet", ENTRY ("ball.gravity", "uniform(1, 2)"),
    "*'gravity' is of the world: the path is gravity*" },
  { "bullet.Bullet", ENTRY ("simulation.mass", "uniform(1, 2)"),
    "*'mass' is of an object: the path is OBJECT.mass*" },
  { "bullet.Bullet", ENTRY ("simulation.gravty", "uniform(1, 2)"), "*did you mean gravity*" },
  { "bullet.Bullet", ENTRY ("seed", "uniform(1, 2)"), "*the world has no quantity 'seed'*" },
  { "bullet.Bullet", ENTRY ("mass", "uniform(1, 2)"), "*'mass' is no path*" },
  { "bullet.Bullet", ENTRY ("floor.mass", "uniform(1, 2)"), "*'floor' is not moved by forces*" },
  { "bullet.Bullet", ENTRY ("sign.mass", "uniform(1, 2)"), "*'sign' has no body, so no mass*" },
  { "bullet.Bullet", ENTRY ("ball.mass", "uniform(-1, 2)"), "*mass is from 1e-09 to 1e+09 kg*" },
  { "bullet.Bullet", ENTRY ("ball.mass", "normal(-3, 1)"), "*mass is from 1e-09 to 1e+09 kg*" },
  { "bullet.Bullet", OP ("ball.mass", "add", "choice([-2])"), "*mass is from*" },
  { "bullet.Bullet", OP ("ball.mass", "scale", "uniform(-1, 1)"), "*mass is from*" },
  { "bullet.Bullet", ENTRY ("ball.friction", "uniform(-1, 1)"), "*friction is from 0 to*" },
  { "bullet.Bullet", ENTRY ("ball.restitution", "uniform(0, 1.5)"),
    "*restitution is from 0 to 1*" },
  { "bullet.Bullet", ENTRY ("ball.mass", "choice([true])"), "*mass is one number*" },
  { "bullet.Bullet", ENTRY ("ball.mass", "choice([[1, 2]])"), "*mass is one number*" },
  { "bullet.Bullet", ENTRY ("ball.mass[0]", "uniform(1, 2)"), "*and no list: it has no ?0?*" },
  { "bullet.Bullet", ENTRY ("gravity", "uniform(1, 2)"), "*gravity is three numbers*" },
  { "bullet.Bullet", ENTRY ("gravity[3]", "uniform(1, 2)"), "*has 3 members*no ?3?*" },
  { "bullet.Bullet", ENTRY ("gravity[2]", "uniform(-1, 1e5)"), "*each number of gravity is*" },
  { "bullet.Bullet", OP ("gravity", "scale", "choice([[1, 2]])"), "*2 numbers are drawn*" },
  { "bullet.Bullet",
    ENTRY ("gravity[2]", "uniform(-2, -1)") ", " ENTRY ("simulation.gravity",
                                                        "choice([[0, 0, 0]])"),
    "*'simulation.gravity' varies already, as 'gravity?2?'*" },
  { "bullet.Bullet", ENTRY ("crate_1.mass", "uniform(1, 2)"),
    "*'crate_1' is not in the world at the start*what is spawned has the name of its kind*" },
  { "bullet.Bullet", ENTRY ("crate.1.mass", "uniform(1, 2)"), "*is named 'crate.1'*" },
  { "bullet.Bullet", ENTRY ("crat.mass", "uniform(1, 2)"), "*did you mean crate*" },
  { "bullet.Bullet", ENTRY ("crate.position", "choice([[1, 2, 3]])"),
    "*'position' of what is spawned cannot vary; mass, friction*" },
  { "bullet.Bullet", ENTRY ("crate.gravity", "uniform(1, 2)"), "*'gravity' is of the world*" },
  { "bullet.Bullet", ENTRY ("crate.energy", "uniform(1, 2)"), "*has no lamp*" },
  { "bullet.Bullet", ENTRY ("crate.mass", "uniform(-1, 2)"), "*mass is from 1e-09*" },
  { "bullet.Bullet", ENTRY ("crate.mass[0]", "uniform(1, 2)"), "*and no list*" },
  { "bullet.Bullet", ENTRY ("crate.color[3]", "uniform(0, 1)"), "*has 3 members*no ?3?*" },
  { "bullet.Bullet", AGAIN ("crate.mass", 4, "uniform(1, 2)"),
    "*'crate.mass' is drawn when one is spawned, and not again: leave out 'every'*" },
  { "bullet.Bullet",
    ENTRY ("crate.color", "choice([[0, 0, 0]])") ", " ENTRY ("crate.color[1]", "uniform(0, 1)"),
    "*'crate.color?1?' varies already, as 'crate.color'*" },
  { "kinematic.Kinematic", ENTRY ("crate.mass", "uniform(1, 2)"), "*cannot change mass*" },
};

static void
test_refused (void)
{
  g_test_summary ("What cannot vary is refused at load, with what can");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    gboolean spawns = strstr (refused[i].entry, "crat") != NULL;
    g_autofree char *scene =
        make_text (refused[i].engine, 7, refused[i].entry, spawns ? SPAWNABLE : "");
    g_autoptr (GError) error = NULL;
    g_autoptr (Stage) stage = NULL;

    if (!g_str_equal (refused[i].engine, "kinematic.Kinematic") &&
        !orrery_test_has_engine (refused[i].engine))
      continue;
    stage = stage_try (scene, NULL, &error);
    g_assert_null (stage);
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
    if (error != NULL && !g_pattern_match_simple (refused[i].words, error->message))
      g_test_message ("%s: %s", refused[i].words, error->message);
    g_assert_true (error != NULL && g_pattern_match_simple (refused[i].words, error->message));
  }
}

static void
test_out_of_range (void)
{
  g_autoptr (Stage) stage = make (0, 7, AGAIN ("ball.mass", 1, "normal(1, 0.5)"));
  g_autoptr (GError) error = NULL;

  g_test_summary ("A value that is drawn in a tick and is no mass ends the run");
  while (orrery_simulation_step (stage->simulation, 1, &error))
    g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), <, 10000);
  g_assert_true (
      g_pattern_match_simple ("*randomisation of ball.mass, -*: mass is from *", error->message));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/drawn/mass", test_mass);
  g_test_add_func ("/drawn/world", test_world);
  g_test_add_func ("/drawn/friction", test_friction);
  g_test_add_func ("/drawn/every", test_every);
  g_test_add_func ("/drawn/restitution", test_restitution);
  g_test_add_func ("/drawn/same", test_same);
  g_test_add_func ("/drawn/fresh", test_fresh);
  g_test_add_func ("/drawn/told", test_told);
  g_test_add_func ("/drawn/spawned", test_spawned);
  g_test_add_func ("/drawn/spawned-alone", test_spawned_alone);
  g_test_add_func ("/drawn/spawned-state", test_spawned_state);
  g_test_add_func ("/drawn/spawned-told", test_spawned_told);
  g_test_add_func ("/drawn/refused", test_refused);
  g_test_add_func ("/drawn/out-of-range", test_out_of_range);
  return g_test_run ();
}
