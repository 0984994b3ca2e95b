/* SPDX-License-Identifier: BSD-3-Clause */
#include "name-engine.h"

/* Robots on wheels: against the kinematic model of their wheels, and cars against a bicycle. */

#define GROUND "'import': 'empty', "
#define SCENE(engine, robot, more, properties, actuator)                                           \
  "'environment': {" GROUND "'frequency': 60, 'physics': 'orrery.physics." engine "'}, "           \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots." robot "', " more                     \
  "'properties': {" properties "}, 'objects': [{'name': 'motion', "                                \
  "'classpath': 'morse.actuators." actuator "'}]}]"
#define DIFF "v_omega_diff_drive.MotionVWDiff"
#define STEER "steer_force.SteerForce"
#define KINEMATIC "kinematic.Kinematic"
#define BULLET "bullet.Bullet"
#define MUJOCO "mujoco.MuJoCo"

static double
get_yaw (OrrerySimulation *sim)
{
  double roll, pitch, yaw;

  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  return yaw;
}

static double
get_tilt (OrrerySimulation *sim)
{
  OrreryVec3 up;

  orrery_quat_rotate (&orrery_test_get_pose (sim, "robot")->rotation, &(OrreryVec3){ 0, 0, 1 },
                      &up);
  return acos (MIN (up.z, 1));
}

static void
drive (OrrerySimulation *sim, double v, double w)
{
  orrery_test_write (sim, "robot.motion", "v", v);
  orrery_test_write (sim, "robot.motion", "w", w);
}

/* Where a unicycle is after t seconds at v and w from the origin. */
static OrreryVec3
on_arc (double v, double w, double t)
{
  return (OrreryVec3){ v / w * sin (w * t), v / w * (1 - cos (w * t)), 0 };
}

static void
test_kinematic (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE (KINEMATIC, "pioneer3dx.Pioneer3DX", "", "", DIFF));
  OrreryVec3 end = on_arc (0.5, 0.4, 2);
  const OrreryTransform *pose;

  g_test_summary ("without slip a robot is on the arc of its wheels, to the rounding");
  drive (sim, 0.5, 0.4);
  orrery_test_step (sim, 120);
  pose = orrery_test_get_pose (sim, "robot");
  assert_near (pose->position.x, end.x, 1e-9);
  assert_near (pose->position.y, end.y, 1e-9);
  assert_near (pose->position.z, 0.1, 1e-12);
  assert_near (get_yaw (sim), 0.8, 1e-9);

  drive (sim, 0, 0.0005);
  orrery_test_step (sim, 60);
  assert_near (get_yaw (sim), 0.8, 1e-9);
}

static OrrerySimulation *
load_on (const char *scene, const char *engine)
{
  g_autofree char *text = name_engine (scene, engine);

  return orrery_test_load (text);
}

/* @turn: rad/s that it turns for each that it is told; @scrub: what wheels that scrub may lose */
static void
check_dynamic (const char *engine, const char *scene, double height, double turn, double scrub)
{
  g_autoptr (OrrerySimulation) sim = load_on (scene, engine);
  double yaw, x, y;
  const OrreryTransform *pose;

  orrery_test_step (sim, 60);
  pose = orrery_test_get_pose (sim, "robot");
  assert_near (pose->position.z, height, 0.003);
  assert_near (hypot (pose->position.x, pose->position.y), 0, 0.002);
  assert_near (get_tilt (sim), 0, 0.01);

  drive (sim, 0.5, 0);
  orrery_test_step (sim, 60);
  x = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_step (sim, 120);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x - x, 1, 0.02);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, 0, 0.02);
  assert_near (get_yaw (sim), 0, 0.02);

  drive (sim, 0, 0.5);
  orrery_test_step (sim, 60);
  yaw = get_yaw (sim);
  x = orrery_test_get_pose (sim, "robot")->position.x;
  y = orrery_test_get_pose (sim, "robot")->position.y;
  orrery_test_step (sim, 120);
  g_test_message ("turned %g of 1 rad", get_yaw (sim) - yaw);
  assert_near (get_yaw (sim) - yaw, turn, 0.03 + scrub);
  assert_near (hypot (orrery_test_get_pose (sim, "robot")->position.x - x,
                      orrery_test_get_pose (sim, "robot")->position.y - y),
               0, 0.05 * turn);
  drive (sim, 0, 0);
  orrery_test_step (sim, 120);
  x = orrery_test_get_pose (sim, "robot")->position.x;
  yaw = get_yaw (sim);
  orrery_test_step (sim, 120);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, x, 1e-6);
  assert_near (get_yaw (sim), yaw, 1e-6);
}

static void
test_dynamic (gconstpointer engine)
{
  g_test_summary (
      "on the ground, robots stand as their files say, drive as their wheels roll, and turn "
      "on the outer edges of two tyres: castors do not go across");
  if (!orrery_test_has_engine (engine))
    return;
  check_dynamic (engine, SCENE (BULLET, "pioneer3dx.Pioneer3DX", "", "", DIFF), 0.1573,
                 0.26 / (0.1706 + 0.027), 0);
  check_dynamic (engine, SCENE (BULLET, "patrolbot.PatrolBot", "", "", DIFF), 0.2305,
                 0.2032 / (0.2032 + 0.025), 0);
  check_dynamic (engine, SCENE (BULLET, "segwayrmp400.SegwayRMP400", "", "", DIFF), 0.21, 1, 0.1);
}

/* A slope of 0.2 rad: it stands with tyres, and slides without. */
static double
slide (const char *engine, const char *properties)
{
  g_autofree char *scene = g_strdup_printf (
      "'environment': {'frequency': 60, 'physics': 'orrery.physics.bullet.Bullet'}, 'objects': ["
      "{'name': 'slope', 'rotation': [0, 0.2, 0], 'body': {'type': 'static'}, "
      " 'shapes': [{'kind': 'box', 'size': [60, 60, 1], 'position': [0, 0, -0.5]}]}, "
      "{'name': 'robot', 'classpath': 'morse.robots.pioneer3dx.Pioneer3DX', 'position': [0, 0, "
      "0.01], "
      " 'rotation': [0, 0.2, 0], 'properties': {%s}, 'objects': [{'name': 'motion', "
      " 'classpath': 'morse.actuators.v_omega_diff_drive.MotionVWDiff'}]}]",
      properties);
  g_autoptr (OrrerySimulation) sim = load_on (scene, engine);
  double x;

  orrery_test_step (sim, 60);
  x = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_step (sim, 120);
  return orrery_test_get_pose (sim, "robot")->position.x - x;
}

static void
test_slope (gconstpointer engine)
{
  g_test_summary ("a robot that is told to stand stands on a slope, as far as its tyres hold");
  if (!orrery_test_has_engine (engine))
    return;
  assert_near (slide (engine, "'Friction': 0.8"), 0, 1e-4);
  g_assert_cmpfloat (slide (engine, "'Friction': 0.05"), >, 0.5);
  g_assert_cmpfloat (slide (engine, "'MaxTorque': 0.0"), >, 1);
}

static void
steer (OrrerySimulation *sim, double angle, double force, double brake)
{
  orrery_test_write (sim, "robot.motion", "steer", angle);
  orrery_test_write (sim, "robot.motion", "force", force);
  orrery_test_write (sim, "robot.motion", "brake", brake);
}

/* Slow enough for the tyres to hold: the rear axle is on a circle of radius L / tan (steer). */
static void
test_bicycle (gconstpointer engine)
{
  const double steering = 0.3, length = 3.9, rear = 2.3;
  g_autoptr (OrrerySimulation) sim = NULL;
  double turned = 0, way = 0, last;
  OrreryVec3 before = { 0 };

  g_test_summary ("a car rolls ahead, turns as a bicycle does, and stops by its brakes");
  if (!orrery_test_has_engine (engine))
    return;
  sim = load_on (SCENE (BULLET, "hummer.Hummer", "'position': [0, 0, 1.5], ", "", STEER), engine);
  orrery_test_step (sim, 240);
  assert_near (get_tilt (sim), 0, 0.05);
  steer (sim, 0, -12, 0);
  orrery_test_step (sim, 90);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.x, >, 0.3);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, 0, 0.02);

  steer (sim, steering, -6, 0);
  orrery_test_step (sim, 60);
  last = get_yaw (sim);
  for (guint i = 0; i < 240; i++) {
    const OrreryTransform *pose = orrery_test_get_pose (sim, "robot");
    OrreryVec3 axle;

    orrery_transform_apply (pose, &(OrreryVec3){ 0, -rear, 0 }, &axle);
    if (i > 0)
      way += hypot (axle.x - before.x, axle.y - before.y);
    before = axle;
    turned += orrery_normalise_angle (get_yaw (sim) - last);
    last = get_yaw (sim);
    orrery_test_step (sim, 1);
  }
  g_test_message ("%.3f m, turned %.4f, a bicycle %.4f", way, turned,
                  way * tan (steering) / length);
  g_assert_cmpfloat (way, >, 0.5);
  assert_near (turned, way * tan (steering) / length, 0.03 * turned);

  steer (sim, 0, 0, 1);
  orrery_test_step (sim, 240);
  before = orrery_test_get_pose (sim, "robot")->position;
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, before.x, 0.001);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, before.y, 0.001);
}

#define WHEEL(name, place)                                                                         \
  "{'name': '" name "', 'position': " place ", 'rotation': [1.5707963267948966, 0, 0], "           \
  "'shapes': [{'kind': 'cylinder', 'radius': 0.2, 'height': 0.1, 'solid': false}]}, "
#define STEERED(engine, properties) STEERED_BODY (engine, properties, "")
#define STEERED_BODY(engine, properties, body)                                                     \
  "'environment': {" GROUND "'frequency': 60, 'physics': 'orrery.physics." engine "'}, "           \
  "'objects': [{'name': 'robot', "                                                                 \
  "'classpath': 'morse.core.wheeled_robot.PhysicsAckermannRobot', 'position': [0, 0, 0.3], "       \
  "'body': {'type': 'rigid', 'mass': 30" body "}, "                                                \
  "'shapes': [{'kind': 'box', 'size': [1.2, 0.5, 0.2]}], "                                         \
  "'properties': {'WheelFLName': 'fl', 'WheelFRName': 'fr', " properties                           \
  "}, 'objects': [" WHEEL ("fl", "[0.5, 0.3, -0.1]") WHEEL ("fr", "[0.5, -0.3, -0.1]")             \
      WHEEL ("rl", "[-0.5, 0.3, -0.1]")                                                            \
          WHEEL ("rr",                                                                             \
                 "[-0.5, -0.3, -0.1]") "{'name': 'motion', 'classpath': 'morse.actuators." DIFF    \
                                       "'}]}]"
#define REAR "'WheelRLName': 'rl', 'WheelRRName': 'rr'"

/* The rear axle of a bicycle, 1 m long, goes at v and turns at v tan (steering) / 1 m. */
static void
check_steered (OrrerySimulation *sim, double v, double w, double turns, double epsilon)
{
  OrreryVec3 before = { 0 }, axle;
  double turned = 0, way = 0, last;

  drive (sim, v, w);
  orrery_test_step (sim, 60);
  last = get_yaw (sim);
  for (guint i = 0; i <= 120; i++) {
    orrery_transform_apply (orrery_test_get_pose (sim, "robot"), &(OrreryVec3){ -0.5, 0, 0 },
                            &axle);
    if (i > 0)
      way += hypot (axle.x - before.x, axle.y - before.y);
    turned += orrery_normalise_angle (get_yaw (sim) - last);
    last = get_yaw (sim);
    before = axle;
    orrery_test_step (sim, 1);
  }
  g_test_message ("v %g w %g: %.4f m, turned %.4f of %.4f", v, w, way, turned, 2 * turns);
  assert_near (way, 2 * fabs (v), epsilon);
  assert_near (turned, 2 * turns, epsilon);
}

static void
test_steered (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (STEERED (KINEMATIC, REAR));
  /* Both front wheels at 45 degrees, 1 m ahead and 0.3 m to the sides: sum (l s) / sum (l^2). */
  double s = sqrt (0.5), tight = s * (1.3 * s + 0.7 * s) / (1.69 / 2 + 0.49 / 2);

  g_test_summary ("without forces a robot that steers its front wheels turns as a bicycle does");
  check_steered (sim, 0.4, 0, 0, 2e-4);
  check_steered (sim, 0.4, 0.2, 0.2, 2e-4);
  check_steered (sim, 0.4, -0.3, -0.3, 2e-4);
  check_steered (sim, -0.3, 0.2, 0.2, 2e-4);
  check_steered (sim, 0.4, 2, 0.4 * tight, 2e-4);
  check_steered (sim, 0.4, 0.005, 0, 2e-4);
  check_steered (sim, 0, 1, 0, 2e-4);
}

#define GAINS(d, limit)                                                                            \
  REAR ", 'velocity_p_gain': 0.5, 'velocity_i_gain': 0.1, 'velocity_d_gain': " d                   \
       ", 'velocity_integral_limits': " limit ", 'angular_velocity_p_gain': 0.5, "                 \
       "'angular_velociy_i_gain': 0.1, 'angular_velocity_d_gain': " d                              \
       ", 'angular_velocity_integral_limits': 20"

#define ON_BOARD(body, thick, middle)                                                              \
  "'environment': {" GROUND "'frequency': 60, 'physics': 'orrery.physics." BULLET "'}, "           \
  "'objects': [{'name': 'board', 'body': {'type': 'static'" body "}, 'shapes': [{'kind': 'box', "  \
  "'size': [2, 2, " thick "], 'position': [0, 0, " middle "]}]}, "                                 \
  "{'name': 'robot', 'classpath': 'morse.robots.pioneer3dx.Pioneer3DX'}]"

/* m, of the root at rest. */
static double
stand (const char *engine, const char *scene)
{
  g_autoptr (OrrerySimulation) sim = load_on (scene, engine);

  orrery_test_step (sim, 180);
  assert_near (get_tilt (sim), 0, 0.01);
  return orrery_test_get_pose (sim, "robot")->position.z;
}

static void
test_margins (gconstpointer engine)
{
  /* m, from the lowest point of a wheel to the origin. */
  const double below = 0.0977 - 0.0004;

  g_test_summary ("wheels rest on the highest margin below them, where MORSE made the robot");
  if (!orrery_test_has_engine (engine))
    return;
  /* A board that is thinner than the margin of the ground; higher ones, with a margin or without.
   */
  assert_near (stand (engine, ON_BOARD ("", "0.03", "0.015")), below + 0.06, 1e-4);
  assert_near (stand (engine, ON_BOARD ("", "0.1", "0.05")), below + 0.1, 1e-4);
  assert_near (stand (engine, ON_BOARD (", 'margin': 0.02", "0.1", "0.05")), below + 0.12, 1e-4);
  /* One's own robot, which has no margin, or one. */
  assert_near (stand (engine, STEERED (BULLET, REAR)), 0.3, 1e-3);
  assert_near (stand (engine, STEERED_BODY (BULLET, REAR, ", 'margin': 0")), 0.36, 1e-3);
}

static void
test_buried (gconstpointer engine)
{
  /* Springs of 150 N/m bear 10 kg: 2.3 and 1.6 of 3.9 m from the root, which is so much lower. */
  const double weight = 10 * 9.81 / 2 / 150;
  const double front = 0.3 - weight * 2.3 / 3.9, rear = 0.3 - weight * 1.6 / 3.9;
  const double height = 0.5 + front + (rear - front) * 1.6 / 3.9 + 0.5;
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a car that begins in the ground comes out, on top, and stands on its springs, "
                  "which no margin bears");
  if (!orrery_test_has_engine (engine))
    return;
  sim = load_on (SCENE (BULLET, "hummer.Hummer", "", "", STEER), engine);
  orrery_test_step (sim, 60);
  /* Nothing of its body is in the ground: from there on wheels bear it. */
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, >, 0.529 + 0.06);
  orrery_test_step (sim, 420);
  g_test_message ("%.4f of %.4f", orrery_test_get_pose (sim, "robot")->position.z, height);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, height, 0.003);
  assert_near (get_tilt (sim), (rear - front) / 3.9, 0.003);
}

/* Rotation of a wheel on its robot. */
static OrreryQuat
get_wheel (OrrerySimulation *sim, const char *name)
{
  OrreryTransform wheel;

  orrery_transform_relative (orrery_test_get_pose (sim, "robot"), orrery_test_get_pose (sim, name),
                             &wheel);
  return wheel.rotation;
}

/* rad, from one to the other, forwards: the z axis of its object points to the right. */
static double
get_rolled (const OrreryQuat *from, const OrreryQuat *to)
{
  OrreryQuat back, turn;
  OrreryVec3 angle;

  orrery_quat_conjugate (from, &back);
  orrery_quat_multiply (&back, to, &turn);
  orrery_quat_to_rotation_vector (&turn, &angle);
  return -angle.z;
}

static double
get_steering (OrrerySimulation *sim, const char *name)
{
  OrreryQuat wheel = get_wheel (sim, name);
  OrreryVec3 left;

  orrery_quat_rotate (&wheel, &(OrreryVec3){ 0, 0, -1 }, &left);
  return atan2 (-left.x, left.y);
}

typedef struct {
  double sum, before;
} Loop;

/* As the catalogue has it: 0.5 e + 0.1 sum (e) + 0.01 de/dt, the sum in +-@limit. */
static double
control (Loop *loop, double told, double is, gboolean first, double limit)
{
  double e = told - is, change = first ? 0 : (e - loop->before) * 60;

  loop->sum = CLAMP (loop->sum + e, -limit, limit);
  loop->before = e;
  return 0.5 * e + 0.1 * loop->sum + 0.01 * change;
}

static void
measure (OrrerySimulation *sim, double *v, double *w)
{
  OrreryWorld *world = orrery_simulation_get_world (sim);
  guint index = orrery_object_get_index (orrery_world_find_object (world, "robot"));
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  const OrreryQuat *rotation = &orrery_snapshot_get_pose (snapshot, index)->rotation;
  OrreryVec3 linear, angular;

  orrery_quat_rotate_back (rotation, orrery_snapshot_get_linear_velocity (snapshot, index),
                           &linear);
  orrery_quat_rotate_back (rotation, orrery_snapshot_get_angular_velocity (snapshot, index),
                           &angular);
  *v = linear.x;
  *w = angular.z;
}

/* @limit: of the sum of errors of the speed */
static void
check_control (OrrerySimulation *sim, double limit)
{
  Loop speed = { 0 }, turn = { 0 };

  drive (sim, 0.4, 0.2);
  for (guint k = 0; k < 24; k++) {
    OrreryQuat before = get_wheel (sim, "robot.rl"), after;
    double v, w, out, rate, radius;

    /* A set-point that leaps begins anew; one that moves by 0.05 does not. */
    if (k == 8)
      drive (sim, 0.45, 0.2);
    if (k == 16)
      drive (sim, 0.7, 0.2);
    measure (sim, &v, &w);
    if (k == 16)
      speed = (Loop){ 0 };
    out = control (&speed, k < 8 ? 0.4 : k < 16 ? 0.45 : 0.7, v, k == 0 || k == 16, limit);
    rate = control (&turn, 0.2, w, k == 0, 20);
    orrery_test_step (sim, 1);
    after = get_wheel (sim, "robot.rl");
    assert_near (get_rolled (&before, &after), out / 0.2 / 60, 1e-7);
    radius = out / rate;
    if (fabs (rate) > 0.01 && fabs (radius) > 0.3) {
      assert_near (get_steering (sim, "robot.fl"), atan (1 / (radius - 0.3)), 1e-7);
      assert_near (get_steering (sim, "robot.fr"), atan (1 / (radius + 0.3)), 1e-7);
    } else if (fabs (rate) > 0.01) {
      assert_near (get_steering (sim, "robot.fl"), copysign (G_PI / 4, radius), 1e-7);
    }
  }
}

static void
test_controlled (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) limited = NULL;
  g_autoptr (OrrerySimulation) settled = NULL;

  g_test_summary ("controllers of speed and turn rate stand between a command and the wheels");
  if (!orrery_test_has_engine (engine))
    return;
  sim = load_on (STEERED (BULLET, GAINS ("0.01", "20")), engine);
  orrery_test_step (sim, 60);
  check_control (sim, 20);
  limited = load_on (STEERED (BULLET, GAINS ("0.01", "0.5")), engine);
  orrery_test_step (limited, 60);
  check_control (limited, 0.5);

  settled = load_on (STEERED (BULLET, GAINS ("0", "20")), engine);
  orrery_test_step (settled, 60);
  for (guint i = 0; i < 2; i++) {
    double v, w;

    drive (settled, 0.5, i == 0 ? 0.2 : -0.3);
    orrery_test_step (settled, 240);
    measure (settled, &v, &w);
    g_test_message ("%g m/s, %g rad/s", v, w);
    assert_near (v, 0.5, 0.02);
    assert_near (w, i == 0 ? 0.2 : -0.3, 0.02);
  }
}

static void
test_controlled_restored (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) other = NULL;
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what controllers have summed up is in a state");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (STEERED (BULLET, GAINS ("0.01", "20")));
  other = orrery_test_load (STEERED (BULLET, GAINS ("0.01", "20")));
  drive (sim, 0.4, 0.2);
  orrery_test_step (sim, 90);
  state = orrery_simulation_save (sim, &error);
  g_assert_no_error (error);
  g_assert_true (orrery_simulation_restore (other, state, &error));
  g_assert_no_error (error);
  drive (other, 0.4, 0.2);
  orrery_test_step (sim, 30);
  orrery_test_step (other, 30);
  assert_near (orrery_test_get_pose (other, "robot")->position.x,
               orrery_test_get_pose (sim, "robot")->position.x, 1e-6);
  assert_near (get_yaw (other), get_yaw (sim), 1e-6);
}

#define OWN(properties)                                                                            \
  "'environment': {" GROUND "'frequency': 60, 'physics': 'orrery.physics." KINEMATIC "'}, "        \
  "'objects': [{'name': 'robot', 'classpath': 'morse.core.wheeled_robot.WheeledRobot', "           \
  "'position': [0, 0, 0.3], 'body': {'type': 'rigid', 'mass': 30}, "                               \
  "'shapes': [{'kind': 'box', 'size': [0.8, 0.5, 0.2]}], "                                         \
  "'properties': {'WheelFLName': 'fl', 'WheelFRName': 'fr'" properties                             \
  "}, 'objects': [" WHEEL ("fl", "[0.1, 0.3, -0.1]")                                               \
      WHEEL ("fr", "[0.1, -0.3, -0.1]") "{'name': 'motion', 'classpath': 'morse.actuators." DIFF   \
                                        "'}]}]"

static void
test_own (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (OWN (""));
  g_autoptr (OrrerySimulation) fixed = orrery_test_load (OWN (", 'FixTurningSpeed': 0.9"));

  g_test_summary ("a robot of one's own on two wheels turns by their distance, or as it is told");
  drive (sim, 0.5, 0.4);
  drive (fixed, 0.5, 0.4);
  orrery_test_step (sim, 60);
  orrery_test_step (fixed, 60);
  assert_near (get_yaw (sim), 0.4, 1e-9);
  /* Without slip what is said of the wheels is as good as a measure: it turns as it is told. */
  assert_near (get_yaw (fixed), 0.4, 1e-9);
  /* Both below what counts as a standstill. */
  drive (sim, 0.0009, -0.0009);
  orrery_test_step (sim, 60);
  assert_near (get_yaw (sim), 0.4, 1e-9);
}

static void
test_other_properties (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      "'environment': {'frequency': 60, 'physics': 'orrery.physics." KINEMATIC "'}, "
      "'objects': [{'name': 'robot', 'classpath': 'morse.robots.pioneer3dx.Pioneer3DX', "
      "'objects': [{'name': 'motion', 'classpath': 'morse.actuators." DIFF "', "
      "'properties': {'ControlType': 'Position'}}]}]");

  g_test_summary ("a script that says ControlType of every motion runs: here it has no effect");
  drive (sim, 0.5, 0);
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 0.5, 1e-9);
}

static void
test_refused (void)
{
  g_test_summary ("robots without wheels, and wheels that are none, are refused by name");
  orrery_test_refuse (SCENE (KINEMATIC, "atrv.ATRV", "", "", DIFF), "has no wheels to drive");
  orrery_test_refuse (SCENE (KINEMATIC, "atrv.ATRV", "", "", STEER), "has no wheels");
  orrery_test_refuse (SCENE (KINEMATIC, "pioneer3dx.Pioneer3DX", "", "'WheelFLName': 'Wheel_X'",
                             DIFF),
                      "WheelFLName is 'Wheel_X'");
  orrery_test_refuse (SCENE (KINEMATIC, "pioneer3dx.Pioneer3DX", "", "'WheelFRName': 'None'", DIFF),
                      "needs WheelFLName and WheelFRName");
  orrery_test_refuse (SCENE (KINEMATIC, "pioneer3dx.Pioneer3DX", "", "'Friction': -1.0", DIFF),
                      "Friction");
  orrery_test_refuse (STEERED (KINEMATIC, "'WheelRLName': 'rl'"),
                      "needs WheelRLName and WheelRRName");
  orrery_test_refuse (STEERED (KINEMATIC, REAR ", 'max_steering_angle': 2.0"),
                      "max_steering_angle");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/wheels/kinematic/arc", test_kinematic);
  g_test_add_data_func ("/actuators/wheels/bullet/dynamic", BULLET, test_dynamic);
  g_test_add_data_func ("/actuators/wheels/mujoco/dynamic", MUJOCO, test_dynamic);
  g_test_add_data_func ("/actuators/wheels/bullet/margins", BULLET, test_margins);
  g_test_add_data_func ("/actuators/wheels/mujoco/margins", MUJOCO, test_margins);
  g_test_add_data_func ("/actuators/wheels/bullet/buried", BULLET, test_buried);
  g_test_add_data_func ("/actuators/wheels/mujoco/buried", MUJOCO, test_buried);
  g_test_add_data_func ("/actuators/wheels/bullet/slope", BULLET, test_slope);
  g_test_add_data_func ("/actuators/wheels/mujoco/slope", MUJOCO, test_slope);
  g_test_add_data_func ("/actuators/wheels/bullet/bicycle", BULLET, test_bicycle);
  g_test_add_data_func ("/actuators/wheels/mujoco/bicycle", MUJOCO, test_bicycle);
  g_test_add_func ("/actuators/wheels/kinematic/steered", test_steered);
  g_test_add_data_func ("/actuators/wheels/bullet/controlled", BULLET, test_controlled);
  g_test_add_data_func ("/actuators/wheels/mujoco/controlled", MUJOCO, test_controlled);
  g_test_add_func ("/actuators/wheels/kinematic/own", test_own);
  g_test_add_func ("/actuators/wheels/bullet/controlled/restored", test_controlled_restored);
  g_test_add_func ("/actuators/wheels/other-properties", test_other_properties);
  g_test_add_func ("/actuators/wheels/refused", test_refused);
  return g_test_run ();
}
