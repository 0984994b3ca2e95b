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
#define MOTOR(value)                                                                               \
  "{'name': 'motor', 'classpath': 'orrery.actuators.joint.Joint', 'properties': {" value "}}"

static OrrerySimulation *
load (const char *engine, const char *objects)
{
  g_autofree char *text =
      g_strdup_printf ("'environment': {'frequency': 240, 'physics': 'orrery.physics.%s'}, "
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
  g_autoptr (OrrerySimulation) sim = load (
      engine,
      ROBOT ("[0, 0, 5]",
             ROD ("upper", "[0, 0, 0]", "2", HINGE,
                  ROD ("lower", "[0, 0, -1]", "3", HINGE,
                       WRENCH ("low", "")) ", " WRENCH ("high", "")) ", " WRENCH ("named",
                                                                    "'Joint': 'lower', "
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

/* Of a rod whose joint is at angle @q, moves with @w and @a, all about y; axes of the rod. */
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
                  "1 % of its weight, no torque about the axis; up to 2.2 times its weight");
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

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestDataFunc func;
  } cases[] = { { "hanging", test_hanging }, { "swing", test_swing } };

  orrery_test_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (engines); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
      g_autofree char *path = g_strdup_printf ("/joint-wrench/%s/%s", engines[i], cases[k].name);

      g_test_add_data_func (path, engines[i], cases[k].func);
    }
  return g_test_run ();
}
