/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define G 9.81
static const char *const engines[] = { "bullet.Bullet", "mujoco.MuJoCo" };

#define WRENCH(name, properties)                                                                   \
  "{'name': '" name "', 'classpath': 'orrery.sensors.joint_wrench.JointWrench', "                  \
  "'properties': {" properties "}}"
/* Its middle at z = -0.5 of its own, where it hangs. */
#define ROD(name, position, mass, joint, more)                                                     \
  "{'name': '" name "', 'position': " position ", 'joint': {" joint "}, "                          \
  "'body': {'type': 'rigid', 'mass': " mass ", 'margin': 0}, 'shapes': [{'kind': 'box', "          \
  "'size': [0.1, 0.1, 0.8], 'position': [0, 0, -0.5]}], 'objects': [" more "]}"
#define HINGE "'kind': 'hinge', 'axis': [0, 1, 0]"
#define ROBOT(position, objects)                                                                   \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'position': " position                \
  ", 'objects': [" objects "]}"

static OrrerySimulation *
load (const char *engine, const char *objects)
{
  g_autofree char *text = g_strdup_printf (
      "'environment': {'frequency': 240, 'physics_substeps': 1, 'physics': 'orrery.physics.%s'}, "
      "'objects': [%s]",
      engine, objects);
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (GError) error = NULL;
  OrrerySimulation *simulation;

  if (!orrery_test_has_engine (engine))
    return NULL;
  g_object_set (options, "start", 0.0, "listen", FALSE, "hash", TRUE, NULL);
  simulation = orrery_test_try_load (text, options, &error);
  g_assert_no_error (error);
  return simulation;
}

static void
check_vector (OrrerySimulation *sim, const char *name, const char *field, double x, double y,
              double z, double tolerance)
{
  OrreryVec3 v = orrery_test_get_vec3 (sim, name, field);

  g_test_message ("%s.%s %.4f %.4f %.4f for %.4f %.4f %.4f", name, field, v.x, v.y, v.z, x, y, z);
  assert_near (v.x, x, tolerance);
  assert_near (v.y, y, tolerance);
  assert_near (v.z, z, tolerance);
}

static void
test_hanging (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine,
            ROBOT ("[0, 0, 5]",
                   ROD ("upper", "[0, 0, 0]", "2", HINGE,
                        ROD ("lower", "[0, 0, -1]", "3", HINGE, WRENCH ("low", "")) ", " WRENCH (
                            "high", "")) ", " WRENCH ("named", "'Joint': 'lower', "
                                                               "'Direction': "
                                                               "'child_to_parent'")));

  g_test_summary ("two rods that hang: each joint carries what is below, the parent pulls up; the "
                  "other direction has the other sign");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 10);
  check_vector (sim, "robot.upper.lower.low", "force", 0, 0, 3 * G, 1e-6);
  check_vector (sim, "robot.upper.high", "force", 0, 0, 5 * G, 1e-6);
  check_vector (sim, "robot.named", "force", 0, 0, -3 * G, 1e-6);
  check_vector (sim, "robot.upper.high", "torque", 0, 0, 0, 1e-6);
}

static void
test_swing (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine, ROBOT ("[0, 0, 5]", ROD ("rod", "[0, 0, 0]", "2", HINGE ", 'position': 1.2",
                                             WRENCH ("joint", ""))));
  OrreryWorld *world;
  OrreryObject *rod;
  double w_before = 0, most = 0;

  g_test_summary ("a pendulum: centripetal and tangential force as by its angle and speed within "
                  "3 % of its weight, no torque about the axis; up to twice its weight");
  if (sim == NULL)
    return;
  world = orrery_simulation_get_world (sim);
  rod = orrery_world_find_object (world, "robot.rod");
  orrery_test_step (sim, 1);
  for (int i = 0; i < 240; i++) {
    OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
    guint index = orrery_object_get_index (rod);
    double q = orrery_snapshot_get_joint_position (snapshot, index);
    double w = orrery_snapshot_get_joint_velocity (snapshot, index);
    const OrreryWrench *wrench = orrery_snapshot_get_wrench (snapshot, index);
    double a = (w - w_before) * 240;

    /* The middle is at -z: it swings to -x for a positive angle about y. */
    if (i > 0) {
      assert_near (wrench->force.z, 2 * (G * cos (q) + w * w * 0.5), 0.03 * 2 * G);
      assert_near (wrench->force.x, -2 * (G * sin (q) + a * 0.5), 0.03 * 2 * G);
      assert_near (wrench->force.y, 0, 1e-6);
      assert_near (wrench->torque.y, 0, 1e-6);
    }
    most = fmax (most, wrench->force.z);
    w_before = w;
    orrery_test_step (sim, 1);
  }
  g_test_message ("most %.3f", most / (2 * G));
  g_assert_cmpfloat (most, >, 1.8 * 2 * G);
}

/* An arm along x that a motor holds, with a load that lies on it. */
static void
test_held (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim = load (
      engine,
      ROBOT (
          "[0, 0, 2]",
          "{'name': 'arm', 'joint': {'kind': 'hinge', 'axis': [0, 1, 0]}, 'body': {'type': "
          "'rigid', 'mass': 2, 'margin': 0, 'friction': 1}, 'shapes': [{'kind': 'box', 'size': "
          "[1, 0.4, 0.1], 'position': [0.6, 0, 0]}], 'objects': [" WRENCH (
              "joint",
              "") ", {'name': 'motor', "
                  "'classpath': 'orrery.actuators.joint.Position'}]}") ", {'name': 'load', "
                                                                       "'position': [0.8, 0.1, "
                                                                       "2.1], 'body': {'type': "
                                                                       "'rigid', 'mass': 1, "
                                                                       "'margin': 0, 'friction': "
                                                                       "1}, 'shapes': [{'kind': "
                                                                       "'box', 'size': [0.2, 0.2, "
                                                                       "0.1]}]}");
  OrreryVec3 force = { 0 }, torque = { 0 };

  g_test_summary (
      "a motor holds an arm of 2 kg and a load of 1 kg that lies on it, 0.1 m beside its "
      "middle: 3 g, and the torques of both about the joint, in the mean of half a "
      "second within 1 %");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 480);
  for (int i = 0; i < 120; i++) {
    OrreryVec3 f = orrery_test_get_vec3 (sim, "robot.arm.joint", "force");
    OrreryVec3 t = orrery_test_get_vec3 (sim, "robot.arm.joint", "torque");
    const OrreryQuat *turn = &orrery_test_get_pose (sim, "robot.arm")->rotation;

    /* The motor gives way a little: from the axes of the arm to those of the world. */
    orrery_quat_rotate (turn, &f, &f);
    orrery_quat_rotate (turn, &t, &t);
    orrery_vec3_accumulate (&force, &f, 1.0 / 120);
    orrery_vec3_accumulate (&torque, &t, 1.0 / 120);
    orrery_test_step (sim, 1);
  }
  g_test_message ("force %.4f %.4f %.4f torque %.4f %.4f %.4f", force.x, force.y, force.z, torque.x,
                  torque.y, torque.z);
  assert_near (force.z, 3 * G, 0.01 * 3 * G);
  assert_near (hypot (force.x, force.y), 0, 0.01 * 3 * G);
  assert_near (torque.y, -(2 * 0.6 + 1 * 0.8) * G, 0.01 * 2 * G);
  assert_near (torque.x, 0.1 * G, 0.01 * 2 * G);
  assert_near (torque.z, 0, 0.01 * 2 * G);
}

/* N, of all contacts of a body. */
static OrreryVec3
add_contacts (OrrerySnapshot *snapshot, guint body)
{
  const OrreryVec3 *frictions = orrery_snapshot_get_frictions (snapshot);
  double dt = orrery_snapshot_get_substep (snapshot);
  OrreryVec3 sum = { 0 };
  guint n;
  const OrreryContact *c = orrery_snapshot_get_contacts (snapshot, &n);

  for (guint i = 0; i < n; i++) {
    double sign = c[i].a == body ? 1 : c[i].b == body ? -1 : 0;

    orrery_vec3_accumulate (&sum, &c[i].normal, sign * c[i].impulse / dt);
    orrery_vec3_accumulate (&sum, &frictions[i], sign / dt);
  }
  return sum;
}

/* What a rod of 2 kg at an angle needs for its motion, world axes. */
static OrreryVec3
get_need (double q, double w, double w_after)
{
  OrreryVec3 arm = { -0.5 * sin (q), 0, -0.5 * cos (q) };
  double a = (w_after - w) * 240;

  return (OrreryVec3){ 2 * (a * arm.z - w * w * arm.x), 0, 2 * (-a * arm.x - w * w * arm.z + G) };
}

static void
test_drags (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine,
            "{'name': 'ground', 'position': [0, 0, -0.5], 'body': {'type': 'static', 'margin': 0, "
            "'friction': 0.7}, 'shapes': [{'kind': 'box', 'size': [20, 20, 1]}]}, " ROBOT (
                "[0, 0, 0.75]",
                ROD ("rod", "[0, 0, 0]", "2", HINGE ", 'position': 1.2",
                     WRENCH ("joint", "") ", {'name': 'touch', 'classpath': "
                                          "'orrery.sensors.contact_force.ContactForce'}")));
  OrreryWorld *world;
  double q = 1.2, w = 0, touched = 0, odd = 0;
  guint rod;

  g_test_summary ("a rod that falls upon the ground and scrapes over it: what its joint and its "
                  "contacts give it, and its weight, make its motion, tick by tick to 1e-6 N");
  if (sim == NULL)
    return;
  world = orrery_simulation_get_world (sim);
  rod = orrery_object_get_index (orrery_world_find_object (world, "robot.rod"));
  for (int i = 0; i < 480; i++) {
    OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
    OrreryQuat turn;
    OrreryVec3 force, need, contacts;

    orrery_test_step (sim, 1);
    orrery_quat_from_euler (0, q, 0, &turn);
    force = orrery_snapshot_get_wrench (snapshot, rod)->force;
    orrery_quat_rotate (&turn, &force, &force);
    contacts = add_contacts (snapshot, rod);
    need = get_need (q, w, orrery_snapshot_get_joint_velocity (snapshot, rod));
    touched = fmax (touched, hypot (contacts.x, contacts.z));
    odd = fmax (odd, fabs (force.z - need.z));
    assert_near (force.x + contacts.x, need.x, 1e-6);
    assert_near (force.y + contacts.y, need.y, 1e-6);
    assert_near (force.z + contacts.z, need.z, 1e-6);
    q = orrery_snapshot_get_joint_position (snapshot, rod);
    w = orrery_snapshot_get_joint_velocity (snapshot, rod);
  }
  g_assert_cmpfloat (touched, >, 10 * G);
  /* Without the contacts it is not so: the comparison above can fail. */
  g_assert_cmpfloat (odd, >, G);
}

#define FLYING(gravity)                                                                            \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 50], 'body': "     \
  "{'type': 'rigid', 'mass': 5, 'damping': [0, 0], 'margin': 0, 'gravity': " gravity "}, "         \
  "'shapes': [{'kind': 'box', 'size': [0.2, 0.2, 0.2]}], 'objects': [" ROD (                       \
      "rod", "[0, 0, -0.2]", "2", HINGE, WRENCH ("joint", "")) "]}"

static void
test_flying (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) falls = load (engine, FLYING ("true"));
  g_autoptr (OrrerySimulation) floats = load (engine, FLYING ("false"));

  g_test_summary (
      "on a base that falls freely a rod needs no force; on one of 5 kg without gravity "
      "the rod of 2 kg draws both down by 2/7 g: it is given 5/7 of its weight");
  if (falls == NULL)
    return;
  orrery_test_step (falls, 20);
  orrery_test_step (floats, 20);
  check_vector (falls, "robot.rod.joint", "force", 0, 0, 0, 1e-6);
  check_vector (falls, "robot.rod.joint", "torque", 0, 0, 0, 1e-6);
  check_vector (floats, "robot.rod.joint", "force", 0, 0, 2 * G * 5 / 7, 1e-6);
}

static void
test_limit (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine, ROBOT ("[0, 0, 5]", ROD ("rod", "[0, 0, 0]", "2",
                                             "'kind': 'slide', 'axis': [0, 0, 1], "
                                             "'limits': [-0.1, 0.1]",
                                             WRENCH ("joint", ""))));

  g_test_summary ("a rod that slides down to its limit: the limit carries it");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 2);
  check_vector (sim, "robot.rod.joint", "force", 0, 0, 0, 1e-6);
  orrery_test_step (sim, 480);
  check_vector (sim, "robot.rod.joint", "force", 0, 0, 2 * G, 0.01 * 2 * G);
}

#define TWO                                                                                        \
  ROBOT ("[0, 0, 5]", ROD ("upper", "[0, 0, 0]", "2", HINGE ", 'position': 1",                     \
                           ROD ("lower", "[0, 0, -1]", "3",                                        \
                                "'kind': 'hinge', 'axis': [1, 0, 0], "                             \
                                "'position': 0.5, 'damping': 0.3",                                 \
                                WRENCH ("low", "")) ", " WRENCH ("high", "")))

static void
test_engines (void)
{
  static const char *const names[] = { "robot.upper.high", "robot.upper.lower.low" };
  g_autoptr (OrrerySimulation) one = load (engines[0], TWO);
  g_autoptr (OrrerySimulation) two = load (engines[1], TWO);

  g_test_summary ("two rods that swing about axes that cross: Bullet and MuJoCo say the same for "
                  "half a second, within 2 % of the weight");
  if (one == NULL || two == NULL)
    return;
  for (int i = 0; i < 120; i++) {
    orrery_test_step (one, 1);
    orrery_test_step (two, 1);
    for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
      OrreryVec3 f = orrery_test_get_vec3 (one, names[k], "force");
      OrreryVec3 t = orrery_test_get_vec3 (one, names[k], "torque");

      check_vector (two, names[k], "force", f.x, f.y, f.z, 0.02 * 5 * G);
      check_vector (two, names[k], "torque", t.x, t.y, t.z, 0.02 * 5 * G);
    }
  }
}

static void
assert_same (OrrerySimulation *sim, const OrreryVec3 *expected)
{
  OrreryVec3 force = orrery_test_get_vec3 (sim, "robot.upper.high", "force");

  g_assert_cmpmem (&force, sizeof force, expected, sizeof *expected);
}

static void
test_again (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim = load (engine, TWO);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) state = NULL;
  OrreryVec3 first, later;
  guint64 hash;

  g_test_summary ("a restored run and one after a reset tell the same wrenches, bit by bit");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 40);
  state = orrery_simulation_save (sim, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  first = orrery_test_get_vec3 (sim, "robot.upper.high", "force");
  orrery_test_step (sim, 20);
  later = orrery_test_get_vec3 (sim, "robot.upper.high", "force");
  hash = orrery_simulation_get_hash (sim);
  g_assert_cmpfloat (first.x, !=, later.x);
  orrery_simulation_restore (sim, state, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  assert_same (sim, &first);
  orrery_test_step (sim, 20);
  g_assert_cmpuint (orrery_simulation_get_hash (sim), ==, hash);
  orrery_simulation_reset (sim, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 61);
  assert_same (sim, &later);
}

static void
test_refused (void)
{
  g_test_summary (
      "no joint, an unknown joint, a fixed joint, an engine without dynamics, a direction "
      "that is none");
  orrery_test_refuse ("'objects': [" ROBOT ("[0, 0, 0]", WRENCH ("w", "")) "]",
                      "neither the sensor nor an object above it has a joint");
  orrery_test_refuse ("'objects': [" ROBOT ("[0, 0, 0]",
                                            ROD ("rod", "[0, 0, 0]", "2", HINGE,
                                                 "") ", " WRENCH ("w", "'Joint': 'elbow'")) "]",
                      "Joint: no joint 'elbow' that moves");
  orrery_test_refuse ("'objects': [" ROBOT ("[0, 0, 0]",
                                            ROD ("rod", "[0, 0, 0]", "2", "'kind': 'fixed'",
                                                 WRENCH ("w", ""))) "]",
                      "a fixed one is a part of its parent");
  orrery_test_refuse ("'environment': {'physics': 'orrery.physics.kinematic.Kinematic'}, "
                      "'objects': [" ROBOT ("[0, 0, 0]", ROD ("rod", "[0, 0, 0]", "2", HINGE,
                                                              WRENCH ("w", ""))) "]",
                      "orrery.physics.kinematic.Kinematic: it measures no wrenches of joints; "
                      "orrery.physics.bullet.Bullet does");
  orrery_test_refuse ("'objects': [" ROBOT ("[0, 0, 0]",
                                            ROD ("rod", "[0, 0, 0]", "2", HINGE,
                                                 WRENCH ("w", "'Direction': 'up'"))) "]",
                      "Direction: 'up' is none of");
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestDataFunc func;
  } cases[] = { { "hanging", test_hanging }, { "swing", test_swing },   { "held", test_held },
                { "drags", test_drags },     { "flying", test_flying }, { "limit", test_limit },
                { "again", test_again } };

  orrery_test_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (engines); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
      g_autofree char *path = g_strdup_printf ("/joint-wrench/%s/%s", engines[i], cases[k].name);

      g_test_add_data_func (path, engines[i], cases[k].func);
    }
  g_test_add_func ("/joint-wrench/engines", test_engines);
  g_test_add_func ("/joint-wrench/refused", test_refused);
  return g_test_run ();
}
