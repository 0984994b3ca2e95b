/* SPDX-License-Identifier: BSD-3-Clause */
#include "name-engine.h"

/* Robots without wheels, by the numbers of their models: how they stand, and how they are driven.
 */

#define SCENE(engine, classpath, place, more)                                                      \
  "'environment': {'import': 'empty', 'frequency': 60, 'physics': 'orrery.physics." engine "'}, "  \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots." classpath "', 'position': " place    \
  ", 'objects': [{'name': 'motion', 'classpath': 'morse.actuators.v_omega.MotionVW'}, "            \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'}]}" more "]"
#define BULLET "bullet.Bullet"
#define MUJOCO "mujoco.MuJoCo"
/* 1 m ahead of the robot; nothing moves it. */
#define WALL                                                                                       \
  ", {'name': 'wall', 'position': [2, 0, 1], 'body': {'type': 'static'}, 'shapes': [{'kind': "     \
  "'box', 'size': [1, 8, 2]}]}"

static double
get_tilt (OrrerySimulation *sim)
{
  OrreryVec3 up;

  orrery_quat_rotate (&orrery_test_get_pose (sim, "robot")->rotation, &(OrreryVec3){ 0, 0, 1 },
                      &up);
  return acos (MIN (up.z, 1));
}

/*
 * @mass: kg; @rest: m, both margins and what lies between the origin and the lowest point, over
 * the ground; @front: m, how far it reaches ahead with its margin.
 */
static void
check_body (const char *engine, const char *scene, double mass, double rest, double front)
{
  g_autofree char *text = name_engine (scene, engine);
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryWorld *world;
  double x;

  if (!orrery_test_has_engine (engine))
    return;
  sim = orrery_test_load (text);
  world = orrery_simulation_get_world (sim);
  assert_near (orrery_object_get_body (orrery_world_find_object (world, "robot"))->mass, mass,
               1e-12);
  orrery_test_step (sim, 180);
  g_test_message ("%s: z %.4f tilt %.5f", engine, orrery_test_get_pose (sim, "robot")->position.z,
                  get_tilt (sim));
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, rest, 0.01);
  g_assert_cmpfloat (get_tilt (sim), <, 0.01);

  /* Friction and damping leave a little less than 1 m/s: of 0.6 m, as of any robot's. */
  x = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_write (sim, "robot.motion", "v", 1);
  orrery_test_step (sim, 36);
  g_test_message ("driven %.4f m", orrery_test_get_pose (sim, "robot")->position.x - x);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x - x, 0.6 * 0.97, 0.02);

  /* Up to the wall, and no farther. */
  orrery_test_step (sim, 120);
  g_test_message ("ends at %.4f", orrery_test_get_pose (sim, "robot")->position.x);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 1.5 - front, 0.05);
}

static void
test_b21 (void)
{
  static const char scene[] = SCENE (BULLET, "b21.B21", "[0, 0, 0.06]", WALL);

  g_test_summary ("B21: a cylinder of 0.534 m by 0.94 m and 6 kg, that slides");
  check_body (BULLET, scene, 6, 0.06, 0.267);
  check_body (MUJOCO, scene, 6, 0.06, 0.267);
}

static void
test_jido (void)
{
  static const char scene[] = SCENE (BULLET, "jido.Jido", "[0, 0, 0.05]", WALL);

  g_test_summary ("Jido: its body begins 0.051 m over its origin; forces turn it not");
  check_body (BULLET, scene, 1, 0.06 - 0.051, 0.344);
  check_body (MUJOCO, scene, 1, 0.06 - 0.051, 0.344);
}

/* --- numbers of the models --- */

static void
stretch (double low[3], double high[3], const double p[3])
{
  for (guint i = 0; i < 3; i++) {
    low[i] = fmin (low[i], p[i]);
    high[i] = fmax (high[i], p[i]);
  }
}

/* m, along each axis: of the shapes that things meet, or, of a robot without a body, are seen. */
static void
get_extent (OrreryObject *object, gboolean solid, double extent[3])
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  double low[3] = { 1e9, 1e9, 1e9 }, high[3] = { -1e9, -1e9, -1e9 };

  for (guint i = 0; i < shapes->len; i++) {
    OrreryShape *shape = shapes->pdata[i];
    const OrreryVec3 *size = orrery_shape_get_size (shape);
    const OrreryVec3 *at = &orrery_shape_get_pose (shape)->position;
    gboolean box = orrery_shape_get_kind (shape) == ORRERY_SHAPE_BOX;
    OrreryBuffer *points = orrery_shape_get_points (shape);
    const double half[] = { size->x, box ? size->y : size->x, size->z };

    if (orrery_shape_is_solid (shape) != solid)
      continue;
    for (gsize k = 0; points != NULL && k < orrery_buffer_get_length (points, 0); k++)
      stretch (low, high, (const double *) orrery_buffer_get_data (points) + 3 * k);
    if (points != NULL)
      continue;
    stretch (low, high, (const double[3]){ at->x - half[0], at->y - half[1], at->z - half[2] });
    stretch (low, high, (const double[3]){ at->x + half[0], at->y + half[1], at->z + half[2] });
  }
  for (guint i = 0; i < 3; i++)
    extent[i] = high[i] - low[i];
}

typedef struct {
  const char *classpath;
  OrreryBodyType type;
  double mass;   /* kg */
  double margin; /* m; below 0: the facts do not say */
  double linear; /* damping; below 0: the facts do not say */
  double angular;
  double height;    /* m, of the origin at the start */
  double extent[3]; /* m */
} Model;

static void
check_model (const Model *model)
{
  g_autofree char *scene =
      g_strdup_printf (ORRERY_TEST_KINEMATIC ("{'name': 'robot', 'classpath': 'morse.robots.%s'}"),
                       model->classpath);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  OrreryObject *object = orrery_world_find_object (orrery_simulation_get_world (sim), "robot");
  const OrreryBody *body = orrery_object_get_body (object);
  double extent[3];

  g_test_message ("%s", model->classpath);
  g_assert_cmpint (body->type, ==, model->type);
  assert_near (orrery_object_get_start (object)->position.z, model->height, 1e-9);
  get_extent (object, model->type != ORRERY_BODY_NONE, extent);
  for (guint i = 0; i < 3; i++)
    assert_near (extent[i], model->extent[i], 0.006);
  if (model->type == ORRERY_BODY_NONE)
    return;
  assert_near (body->mass, model->mass, 1e-12);
  assert_near (body->friction, 0.5, 1e-12);
  if (model->margin >= 0)
    assert_near (body->margin, model->margin, 1e-12);
  if (model->linear >= 0)
    assert_near (body->linear_damping, model->linear, 1e-12);
  if (model->angular >= 0)
    assert_near (body->angular_damping, model->angular, 1e-12);
}

static void
test_models (void)
{
  static const Model models[] = {
    { "atrv.ATRV", ORRERY_BODY_RIGID, 20, 0.05, 0.0254, 0.18, 0.1, { 1.14, 0.671, 0.731 } },
    { "morsy.Morsy", ORRERY_BODY_RIGID, 15, -1, 0.493, 0.658, 0, { 0.787, 1.115, 1.682 } },
    { "b21.B21", ORRERY_BODY_RIGID, 6, -1, -1, -1, 0, { 0.534, 0.534, 0.94 } },
    { "jido.Jido", ORRERY_BODY_DYNAMIC, 1, 0, -1, -1, 0, { 0.707, 0.66, 1.618 } },
    { "hummer.Hummer", ORRERY_BODY_RIGID, 10, 0, 0.4, 0, 0, { 2.659, 5.503, 1.903 } },
    { "pioneer3dx.Pioneer3DX", ORRERY_BODY_RIGID, 9, 0, 0.04, 0.1, 0.1, { 0.456, 0.367, 0.181 } },
    { "segwayrmp400.SegwayRMP400", ORRERY_BODY_RIGID, 90, 0, 0.04, 0.1, 0.15, { 0.9, 0.4, 0.355 } },
    { "quadrotor.Quadrotor", ORRERY_BODY_NONE, 0, 0, 0, 0, 0, { 0.6, 0.6, 0.206 } },
    { "quadrotor_dynamic.Quadrotor",
      ORRERY_BODY_RIGID,
      2,
      0.005,
      0.04,
      0.1,
      0,
      { 0.7, 0.7, 0.197 } },
    /* Of its mesh the file has one half, and a mirror. */
    { "rmax.RMax", ORRERY_BODY_RIGID, 1, 0, 0.04, 0.1, 0, { 2.734, 2 * 0.375, 0.88 } },
    { "submarine.Submarine", ORRERY_BODY_RIGID, 1, 0, 0.04, 0.1, 0, { 6.053, 1.2, 1.306 } },
    { "victim.Victim", ORRERY_BODY_DYNAMIC, 1, 0.06, 0.03, 0.16, 0, { 0.318, 1.72, 1.816 } },
  };

  g_test_summary ("bodies, masses, damping, sizes and heights are those of MORSE's models");
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    check_model (&models[i]);
}

/* Where its four corners ahead and behind are, by the wheels that the facts tell of. */
static void
test_car (void)
{
  static const struct {
    const char *name;
    double x, y;
  } wheels[] = { { "robot.wheel1", -1.3, 1.6 },
                 { "robot.wheel2", 1.3, 1.6 },
                 { "robot.wheel3", -1.3, -2.3 },
                 { "robot.wheel4", 1.3, -2.3 } };
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC ("{'name': 'robot', 'classpath': 'morse.robots.hummer.Hummer'}"));
  OrreryWorld *world = orrery_simulation_get_world (sim);
  double roll, pitch, yaw;

  g_test_summary ("a Hummer looks along x, with its springs and wheels where MORSE has them");
  orrery_quat_to_euler (
      &orrery_object_get_start (orrery_world_find_object (world, "robot"))->rotation, &roll, &pitch,
      &yaw);
  assert_near (yaw, -G_PI / 2, 1e-12);
  for (guint i = 0; i < G_N_ELEMENTS (wheels); i++) {
    const OrreryWheel *wheel =
        orrery_object_get_wheel (orrery_world_find_object (world, wheels[i].name));

    g_assert_nonnull (wheel);
    if (wheel == NULL)
      continue;
    assert_near (wheel->mount.x, wheels[i].x, 1e-9);
    assert_near (wheel->mount.y, wheels[i].y, 1e-9);
    assert_near (wheel->mount.z, -0.5, 1e-9);
    assert_near (wheel->radius, 0.5, 1e-9);
    assert_near (wheel->rest, 0.3, 1e-9);
    /* Springs and dampers are for each kg of its 10. */
    assert_near (wheel->stiffness, 15 * 10, 1e-9);
    assert_near (wheel->relaxation, 10 * 10, 1e-9);
    assert_near (wheel->compression, 2 * 10, 1e-9);
    assert_near (wheel->friction, 200, 1e-9);
    assert_near (wheel->roll, 0.05, 1e-9);
  }
}

static void
check_weightless (const char *classpath, double v)
{
  g_autofree char *scene = g_strdup_printf (
      "'environment': {'import': 'empty', 'frequency': 60, 'physics': "
      "'orrery.physics.bullet.Bullet'}, 'objects': [{'name': 'robot', 'classpath': "
      "'morse.robots.%s', 'position': [0, 0, 5], 'objects': [{'name': 'motion', "
      "'classpath': 'morse.actuators.v_omega.MotionVW'}]}]",
      classpath);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  orrery_test_write (sim, "robot.motion", "v", v);
  orrery_test_step (sim, 120);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 5, 1e-6);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 2 * v, 0.02);
}

static void
test_weightless (void)
{
  g_test_summary ("RMax and Submarine have no weight: they go level, as they are told");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  check_weightless ("rmax.RMax", 0);
  check_weightless ("rmax.RMax", 1);
  check_weightless ("submarine.Submarine", 1);
}

#define WALKER(control)                                                                            \
  "'environment': {'import': 'empty', 'frequency': 60, "                                           \
  "'physics': 'orrery.physics.bullet.Bullet'}, "                                                   \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots.human.Human', "                        \
  "'position': [0, 0, 0.1], 'objects': ["                                                          \
  "{'name': 'motion', 'classpath': 'morse.actuators.v_omega.MotionVW', "                           \
  "'properties': {'ControlType': " control "}}, "                                                  \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'}]}]"

static void
test_human_velocity (void)
{
  g_autofree char *text = name_engine (WALKER ("'Velocity'"), "kinematic.Kinematic");
  g_autoptr (OrrerySimulation) sim = orrery_test_load (text);

  g_test_summary ("a person does not move by velocity; what to do is said once");
  orrery_test_expected = "robot: a person moves by position only: give its actuator properties "
                         "(ControlType = 'Position')";
  orrery_test_write (sim, "robot.motion", "v", 0.8);
  orrery_test_step (sim, 60);
  g_assert_null (orrery_test_expected);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 0, 1e-12);
}

static void
test_human (void)
{
  static const char scene[] = WALKER ("'Position'");
  g_autofree char *text = name_engine (scene, "kinematic.Kinematic");
  g_autoptr (OrrerySimulation) sim = orrery_test_load (text);
  g_autoptr (OrrerySimulation) heavy = NULL;

  g_test_summary ("a person walks by position, as it is told, and stays where it stands");
  orrery_test_step (sim, 1);
  orrery_test_write (sim, "robot.motion", "v", 0.8);
  orrery_test_write (sim, "robot.motion", "w", 0.5);
  orrery_test_step (sim, 120);
  assert_near (orrery_test_get (sim, "robot.pose", "yaw"), 1 - 0.5 / 60, 1e-6);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 1.6 * sin (1), 1e-2);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, 1.6 * (1 - cos (1)), 1e-2);
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  heavy = orrery_test_load (scene);
  orrery_test_step (heavy, 60);
  assert_near (orrery_test_get_pose (heavy, "robot")->position.z, 0.06, 0.01);
  orrery_test_write (heavy, "robot.motion", "v", 0.8);
  orrery_test_write (heavy, "robot.motion", "w", 0.5);
  orrery_test_step (heavy, 120);
  g_test_message ("walked to %.4f %.4f, tilt %.5f",
                  orrery_test_get_pose (heavy, "robot")->position.x,
                  orrery_test_get_pose (heavy, "robot")->position.y, get_tilt (heavy));
  g_assert_cmpfloat (get_tilt (heavy), <, 0.02);
  assert_near (orrery_test_get (heavy, "robot.pose", "yaw"), 1, 0.05);
  assert_near (orrery_test_get_pose (heavy, "robot")->position.x, 1.6 * sin (1), 0.1);
}

static void
check_fake (const char *engine)
{
  static const char scene[] = SCENE (BULLET, "fakerobot.FakeRobot", "[1.5, 2, 3]",
                                     ", {'name': 'stone', 'position': [1.5, 2, 6], 'body': {"
                                     "'type': 'rigid', 'mass': 5}, 'shapes': [{'kind': 'box', "
                                     "'size': [0.5, 0.5, 0.5]}]}");
  g_autofree char *text = name_engine (scene, engine);
  g_autoptr (OrrerySimulation) sim = NULL;

  if (!orrery_test_has_engine (engine))
    return;
  sim = orrery_test_load (text);
  orrery_test_step (sim, 180);
  /* It does not fall, and nothing that falls on it meets it. */
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 3, 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "x"), 1.5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "z"), 3, 1e-12);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "stone")->position.z, <, 0.5);
  /* What moves a robot moves it, too. */
  orrery_test_write (sim, "robot.motion", "v", 1);
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 2.5, 1e-9);
}

static void
test_fake (void)
{
  g_test_summary ("a FakeRobot is a place for components: no weight, no body");
  check_fake (BULLET);
  check_fake (MUJOCO);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/robots/models", test_models);
  g_test_add_func ("/actuators/robots/car", test_car);
  g_test_add_func ("/actuators/robots/weightless", test_weightless);
  g_test_add_func ("/actuators/robots/b21", test_b21);
  g_test_add_func ("/actuators/robots/jido", test_jido);
  g_test_add_func ("/actuators/robots/human", test_human);
  g_test_add_func ("/actuators/robots/human/velocity", test_human_velocity);
  g_test_add_func ("/actuators/robots/fake", test_fake);
  return g_test_run ();
}
