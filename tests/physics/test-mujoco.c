/* SPDX-License-Identifier: BSD-3-Clause */
/* MuJoCo: joints and their dynamics, buffers, its errors as ours. */
#include "scene.h"

#include "world/orrery-world-private.h"

#include <math.h>

GType orrery_mujoco_get_type (void);

#define MUJOCO (orrery_mujoco_get_type ())
#define G 9.81
#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* A rod of 1 m and 2 kg that hangs on a hinge about y, its mass a point at its end. */
static Scene *
new_pendulum (OrreryObject **rod, OrreryJoint **joint)
{
  Scene *scene = scene_new (MUJOCO, NULL);
  OrreryObject *post = orrery_world_add_object (scene->world, "post", NULL, NULL);
  OrreryInertial point = { .centre = { 0, 0, -1 }, .xx = 1e-9, .yy = 1e-9, .zz = 1e-9 };
  OrreryJoint hinge;

  orrery_object_set_start (post, &(OrreryTransform){ { 0, 0, 3 }, { 1, 0, 0, 0 } });
  *rod = orrery_world_add_object (scene->world, "rod", post, NULL);
  orrery_object_get_body (*rod)->type = ORRERY_BODY_RIGID;
  orrery_object_get_body (*rod)->mass = 2;
  orrery_object_set_inertial (*rod, &point);
  orrery_joint_init (&hinge, ORRERY_JOINT_HINGE);
  hinge.axis = (OrreryVec3){ 0, 1, 0 };
  orrery_object_set_joint (*rod, &hinge);
  *joint = orrery_object_get_joint (*rod);
  return scene;
}

static const OrreryJointState *
get_state (Scene *scene, OrreryObject *link)
{
  return orrery_snapshot_get_joint (orrery_world_get_snapshot (scene->world),
                                    orrery_object_get_index (link));
}

/* s, between two passages of the lowest point in the same direction */
static double
find_period (Scene *scene, OrreryObject *rod)
{
  double last = get_state (scene, rod)->position, first = -1;

  for (int i = 1; i < 600; i++) {
    double q, at;

    scene_tick (scene);
    q = get_state (scene, rod)->position;
    at = (i - q / (q - last)) / 60.0;
    if (last < 0 && q >= 0 && first >= 0)
      return at - first;
    if (last < 0 && q >= 0)
      first = at;
    last = q;
  }
  return -1;
}

static void
test_pendulum (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);

  joint->initial = 0.05;
  scene_build (scene);
  assert_near (scene_pose (scene, rod)->position.z, 3, 1e-12);
  assert_near (find_period (scene, rod), 2 * G_PI * sqrt (1 / G) * (1 + 0.0025 / 16), 0.01);
}

/* Held level, the motor gives what the weight asks for. */
static void
test_position (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);

  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), rod, -G_PI / 2, 1);
  scene_run (scene, 1);
  assert_near (get_state (scene, rod)->position, -1, 0.03);
  assert_near (get_state (scene, rod)->velocity, -1, 0.03);
  scene_run (scene, 2);
  assert_near (get_state (scene, rod)->position, -G_PI / 2, 1e-3);
  assert_near (get_state (scene, rod)->velocity, 0, 1e-3);
  assert_near (get_state (scene, rod)->effort, -2 * G, 0.05);
  g_assert_cmpfloat (fabs (scene_tilt (scene, rod) - G_PI / 2), <, 1e-3);

  /* With less than that it falls. */
  joint->max_effort = 15;
  scene_run (scene, 3);
  g_assert_cmpfloat (get_state (scene, rod)->position, >, -1.5);
  g_assert_cmpfloat (fabs (get_state (scene, rod)->effort), <=, 15);
}

static void
test_gains (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);

  joint->position_gain = 200;
  joint->velocity_gain = 20;
  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), rod, -G_PI / 2, 0);
  scene_run (scene, 5);
  /* A motor of its own gains gives way to the weight: k e = m g l sin q. */
  assert_near (200 * (-G_PI / 2 - get_state (scene, rod)->position),
               2 * G * sin (get_state (scene, rod)->position), 0.1);
}

static void
test_velocity (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);

  joint->limited = TRUE;
  joint->lower = -1;
  joint->upper = 2;
  scene_build (scene);
  orrery_commands_set_joint_velocity (scene_commands (scene), rod, 0.5);
  scene_run (scene, 2);
  assert_near (get_state (scene, rod)->velocity, 0.5, 0.01);
  assert_near (get_state (scene, rod)->position, 1, 0.05);
  scene_run (scene, 4);
  assert_near (get_state (scene, rod)->position, 2, 0.05);
  orrery_commands_put_joint (scene_commands (scene), rod, 0.25);
  scene_tick (scene);
  assert_near (get_state (scene, rod)->position, 0.25, 1e-3);
}

static void
test_damping (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);

  /* Stiffer than a substep: explicit damping would blow up. */
  joint->damping = 5000;
  joint->initial = 1;
  scene_build (scene);
  scene_run (scene, 1);
  assert_near (get_state (scene, rod)->velocity, -2 * G * sin (1) / 5000, 1e-4);
}

/* A car of a box and four wheels on hinges, driven by their velocities. */
static OrreryObject *
add_car (Scene *scene, OrreryObject *wheels[4])
{
  OrreryVec3 size = { 1, 0.5, 0.2 }, wheel = { 0.2, 0.2, 0.05 };
  OrreryObject *car = scene_add_box (scene, "car", &size, 0, 0, 0.27);

  orrery_object_get_body (car)->mass = 10;
  for (guint i = 0; i < 4; i++) {
    g_autofree char *name = g_strdup_printf ("wheel%u", i);
    g_autoptr (OrreryShape) shape = orrery_shape_new (ORRERY_SHAPE_CYLINDER, &wheel, NULL);
    OrreryTransform start = { { i & 1 ? 0.4 : -0.4, i & 2 ? 0.35 : -0.35, 0 }, { 1, 0, 0, 0 } };
    OrreryJoint joint;

    orrery_quat_from_euler (-G_PI / 2, 0, 0, &start.rotation);
    wheels[i] = orrery_world_add_object (scene->world, name, car, NULL);
    orrery_object_set_start (wheels[i], &start);
    orrery_object_add_shape (wheels[i], shape);
    orrery_object_get_body (wheels[i])->type = ORRERY_BODY_RIGID;
    orrery_object_get_body (wheels[i])->friction = 1;
    orrery_joint_init (&joint, ORRERY_JOINT_HINGE);
    orrery_object_set_joint (wheels[i], &joint);
  }
  return car;
}

static guint64
drive_car (double *way)
{
  g_autoptr (Scene) scene = scene_new (MUJOCO, "empty");
  OrreryObject *wheels[4];
  OrreryObject *car = add_car (scene, wheels);

  scene_build (scene);
  scene_run (scene, 1);
  g_assert_true (scene_touch (scene, "car.wheel0", "Ground"));
  g_assert_false (scene_touch (scene, "car", "Ground"));
  for (guint i = 0; i < 4; i++)
    orrery_commands_set_joint_velocity (scene_commands (scene), wheels[i], 2.5);
  scene_run (scene, 4);
  *way = scene_pose (scene, car)->position.x;
  g_test_message ("car x %.4f y %.4f z %.4f v %.4f", *way, scene_pose (scene, car)->position.y,
                  scene_pose (scene, car)->position.z, scene_velocity (scene, car)->x);
  assert_near (scene_velocity (scene, car)->x, 2.5 * 0.2, 0.05);
  assert_near (scene_pose (scene, car)->position.y, 0, 0.02);
  g_assert_cmpfloat (scene_tilt (scene, car), <, 0.02);
  return scene_hash (scene);
}

/* Wheels roll: friction drives a tree of bodies, and the same again to the last bit. */
static void
test_car (void)
{
  double way;
  guint64 hash = drive_car (&way);

  assert_near (way, 2, 0.15);
  g_assert_cmpuint (drive_car (&way), ==, hash);
}

/* What a state is to carry: wheels that turn, a box that one of them holds, one in mid-air. */
static void
stir (Scene *scene, OrreryObject *wheels[4])
{
  OrreryVec3 size = { 0.1, 0.1, 0.1 };
  OrreryTransform behind = { { 0, 0, 1 }, { 1, 0, 0, 0 } };
  OrreryObject *car = add_car (scene, wheels);
  OrreryObject *load = scene_add_box (scene, "load", &size, 0, 3, 1);
  OrreryObject *hung = scene_add_box (scene, "hung", &size, 0, -3, 2);

  scene_add_box (scene, "fallen", &size, 0.4, 0, 0.6);
  scene_build (scene);
  for (guint i = 0; i < 4; i++)
    orrery_commands_set_joint_velocity (scene_commands (scene), wheels[i], i & 1 ? 3 : 2);
  orrery_commands_attach (scene_commands (scene), load, wheels[2], &behind);
  orrery_commands_set_dynamics (scene_commands (scene), hung, FALSE);
  scene_run (scene, 0.4);
  assert_near (scene_pose (scene, hung)->position.z, 2, 1e-3);
  orrery_commands_set_dynamics (scene_commands (scene), hung, TRUE);
  scene_run (scene, 0.2);
  g_assert_cmpfloat (scene_pose (scene, hung)->position.z, <, 1.9);
  orrery_transform_relative (scene_pose (scene, wheels[2]), scene_pose (scene, load), &behind);
  assert_near (behind.position.z, 1, 1e-9);
  g_assert_cmpfloat (scene_velocity (scene, car)->x, >, 0.1);
}

static void
test_state (void)
{
  OrreryObject *wheels[4];
  g_autoptr (Scene) scene = scene_new (MUJOCO, "empty");
  g_autoptr (Scene) other = scene_new (MUJOCO, "empty");
  OrreryPartClass *klass;
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a state goes on elsewhere to the last bit");
  stir (scene, wheels);
  klass = ORRERY_PART_GET_CLASS (scene->physics);
  state = g_variant_ref_sink (klass->save (ORRERY_PART (scene->physics)));
  stir (other, wheels);
  scene_run (other, 0.3);
  g_assert_cmpuint (scene_hash (scene), !=, scene_hash (other));
  klass->restore (ORRERY_PART (other->physics), state, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 120; i++) {
    scene_tick (scene);
    scene_tick (other);
    g_assert_cmpuint (scene_hash (scene), ==, scene_hash (other));
  }
}

/* Two joints at one place: a link without a mass between them. */
static void
test_hollow (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);
  OrreryObject *second = orrery_world_add_object (scene->world, "second", rod, NULL);
  OrreryJoint hinge;

  orrery_joint_init (&hinge, ORRERY_JOINT_HINGE);
  hinge.axis = (OrreryVec3){ 1, 0, 0 };
  orrery_object_get_body (second)->type = ORRERY_BODY_RIGID;
  orrery_object_get_body (second)->mass = 2;
  orrery_object_set_joint (second, &hinge);
  orrery_object_set_inertial (second, orrery_object_get_inertial (rod));
  orrery_object_set_inertial (rod, NULL);
  orrery_object_get_body (rod)->mass = 0;
  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), rod, 0.6, 0);
  orrery_commands_set_joint_position (scene_commands (scene), second, -0.3, 0);
  scene_run (scene, 3);
  assert_near (get_state (scene, rod)->position, 0.6, 1e-3);
  assert_near (get_state (scene, second)->position, -0.3, 1e-3);
  assert_near (scene_tilt (scene, rod), 0.6, 1e-3);
  assert_near (cos (scene_tilt (scene, second)), cos (0.6) * cos (0.3), 1e-3);
}

/* More contacts than the buffers have at first: they grow, none is dropped, no file is left. */
static void
test_many (void)
{
  g_autoptr (Scene) scene = scene_new (MUJOCO, "empty");
  OrreryVec3 size = { 0.3, 0.3, 0.3 };

  for (int i = 0; i < 16; i++) {
    g_autofree char *name = g_strdup_printf ("box%d", i);

    scene_add_box (scene, name, &size, 0, 0, 0.2 + 0.001 * i);
  }
  scene_build (scene);
  scene_run (scene, 0.5);
  for (int i = 0; i < 16; i++) {
    g_autofree char *name = g_strdup_printf ("box%d", i);
    OrreryObject *box = orrery_world_find_object (scene->world, name);

    g_assert_cmpfloat (scene_pose (scene, box)->position.z, >, 0.1);
  }
  g_assert_false (g_file_test ("MUJOCO_LOG.TXT", G_FILE_TEST_EXISTS));
}

/* The engine lists all pairs of bodies, also of those that never move. */
static void
test_many_that_stand (void)
{
  g_autoptr (Scene) scene = scene_new (MUJOCO, NULL);
  OrreryObject *ball = scene_add_box (scene, "ball", &(OrreryVec3){ 0.4, 0.4, 0.4 }, 1, 1, 1);

  for (guint i = 0; i < 1500; i++) {
    g_autofree char *name = g_strdup_printf ("stone%u", i);
    OrreryObject *stone = scene_add_box (scene, name, &(OrreryVec3){ 0.5, 0.5, 0.5 }, i % 40 * 0.5,
                                         i / 40 * 0.5, -0.25);

    orrery_object_get_body (stone)->type = ORRERY_BODY_STATIC;
  }
  scene_build (scene);
  scene_run (scene, 1);
  assert_near (scene_pose (scene, ball)->position.z, 0.2, 0.01);
}

static void
test_ghost (void)
{
  g_autoptr (Scene) scene = scene_new (MUJOCO, "empty");
  OrreryVec3 size = { 1, 1, 1 };
  OrreryObject *ghost = scene_add_box (scene, "ghost", &size, 0, 0, 1);
  OrreryObject *box = scene_add_box (scene, "box", &size, 0.3, 0.2, 3);

  orrery_object_get_body (ghost)->type = ORRERY_BODY_GHOST;
  scene_build (scene);
  scene_tick (scene);
  g_assert_false (scene_touch (scene, "ghost", "box"));
  scene_run (scene, 3);
  assert_near (scene_pose (scene, box)->position.z, 0.56, 0.01);
  g_assert_true (scene_touch (scene, "ghost", "box"));
  g_assert_true (scene_touch (scene, "Ground", "box"));
}

/* m, of a ball of 0.2 m after 2 s that falls from 0.5 m at x, onto a frame with a hole in its
 * middle: its faces look up, down, or, with 3, to both sides. @filled: without the hole. */
static double
fall_on_frame (double x, guint sides, gboolean filled)
{
  static const double xyz[8][3] = { { -2, -2, 0 }, { 2, -2, 0 }, { 2, 2, 0 }, { -2, 2, 0 },
                                    { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } };
  static const guint32 up[10][3] = { { 0, 1, 5 }, { 0, 5, 4 }, { 1, 2, 6 }, { 1, 6, 5 },
                                     { 2, 3, 7 }, { 2, 7, 6 }, { 3, 0, 4 }, { 3, 4, 7 },
                                     { 4, 5, 6 }, { 4, 6, 7 } };
  g_autoptr (Scene) scene = scene_new (MUJOCO, NULL);
  gsize n = filled ? 10 : 8, n_sides = sides == 3 ? 2 : 1;
  g_autoptr (OrreryBuffer) points =
      orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (const gsize[]){ 8, 3 });
  g_autoptr (OrreryBuffer) triangles =
      orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (const gsize[]){ n * n_sides, 3 });
  OrreryObject *frame = orrery_world_add_object (scene->world, "frame", NULL, NULL);
  OrreryObject *ball = orrery_world_add_object (scene->world, "ball", NULL, NULL);
  OrreryVec3 radius = { 0.2, 0.2, 0.2 };
  g_autoptr (OrreryShape) sphere = orrery_shape_new (ORRERY_SHAPE_SPHERE, &radius, NULL);
  g_autoptr (OrreryShape) mesh = NULL;
  guint32 *abc = orrery_buffer_get_data (triangles);

  memcpy (orrery_buffer_get_data (points), xyz, sizeof xyz);
  /* Those that look down first: they are as good. */
  for (gsize i = 0; i < n && (sides & 2); i++, abc += 3)
    memcpy (abc, (guint32[]){ up[i][0], up[i][2], up[i][1] }, sizeof *up);
  for (gsize i = 0; i < n && (sides & 1); i++, abc += 3)
    memcpy (abc, up[i], sizeof *up);
  mesh = orrery_shape_new_points (ORRERY_SHAPE_MESH, points, triangles, NULL);
  orrery_object_get_body (frame)->type = ORRERY_BODY_STATIC;
  orrery_object_add_shape (frame, mesh);
  orrery_object_get_body (ball)->type = ORRERY_BODY_RIGID;
  orrery_object_set_start (ball, &(OrreryTransform){ { x, 0.1, 0.5 }, { 1, 0, 0, 0 } });
  orrery_object_add_shape (ball, sphere);
  scene_build (scene);
  scene_run (scene, 2);
  return scene_pose (scene, ball)->position.z;
}

static void
test_frame (void)
{
  g_test_summary ("a flat mesh has its holes, to whichever sides its faces look, and bears on top");
  assert_near (fall_on_frame (1.5, 1, FALSE), 0.2, 0.002);
  assert_near (fall_on_frame (1.5, 3, FALSE), 0.2, 0.002);
  g_assert_cmpfloat (fall_on_frame (0, 1, FALSE), <, -5);
  g_assert_cmpfloat (fall_on_frame (0, 3, FALSE), <, -5);
  /* Without a hole it is one piece. */
  assert_near (fall_on_frame (0, 1, TRUE), 0.2, 0.002);
  assert_near (fall_on_frame (0, 3, TRUE), 0.2, 0.002);
}

/* --- what is wrong --- */

static void
assert_refused (Scene *scene, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (scene_try_build (scene, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_false (g_file_test ("MUJOCO_LOG.TXT", G_FILE_TEST_EXISTS));
}

static void
test_thin_hull (void)
{
  g_autoptr (Scene) scene = scene_new (MUJOCO, "empty");
  OrreryVec3 size = { 1, 1, 1 };
  OrreryObject *box = scene_add_box (scene, "box", &size, 0, 0, 3);
  gsize shape[] = { 4, 3 };
  g_autoptr (OrreryBuffer) points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, shape);
  g_autoptr (OrreryShape) hull = NULL;
  double *xyz = orrery_buffer_get_data (points);

  for (int i = 0; i < 12; i++)
    xyz[i] = i % 3 == 0 ? i : 0;
  hull = orrery_shape_new_points (ORRERY_SHAPE_HULL, points, NULL, NULL);
  orrery_object_add_shape (box, hull);
  assert_refused (scene, "object 'box': MuJoCo refuses it");
}

static void
test_bad_inertia (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);
  OrreryInertial bad = { .xx = 1, .yy = 1, .zz = 1, .xy = 50 };

  orrery_object_set_inertial (rod, &bad);
  assert_refused (scene, "MuJoCo refuses it");
  orrery_object_get_body (rod)->mass = -1;
  assert_refused (scene, "object 'post.rod': the mass of a link");
}

static void
test_hollow_end (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);

  orrery_object_get_body (rod)->mass = 0;
  assert_refused (scene, "object 'post.rod': a link without a mass");
}

static void
test_wheel_and_links (void)
{
  const OrreryWheel settings = {
    .axle = { 0, 1, 0 }, .radius = 0.1, .stiffness = 100, .rest = 0.1
  };
  g_autoptr (Scene) scene = scene_new (MUJOCO, "empty");
  OrreryObject *wheels[4];
  OrreryObject *car = add_car (scene, wheels);
  OrreryObject *castor = orrery_world_add_object (scene->world, "castor", car, NULL);

  g_assert_true (orrery_object_set_wheel (castor, &settings, NULL));
  assert_refused (scene, "object 'car.castor': wheels under a body with links");
}

/* An effort beyond all measure ends the run with the joint's name, not the process. */
static void
test_blown_up (void)
{
  OrreryObject *rod;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_pendulum (&rod, &joint);
  g_autoptr (GError) error = NULL;

  scene_build (scene);
  orrery_commands_set_joint_effort (scene_commands (scene), rod, 1e14);
  for (int i = 0; i < 60 && error == NULL; i++)
    scene_try_tick (scene, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_nonnull (strstr (error->message, "object 'post.rod'"));
  g_assert_false (g_file_test ("MUJOCO_LOG.TXT", G_FILE_TEST_EXISTS));
  /* A reset begins anew. */
  scene_build (scene);
  scene_run (scene, 0.1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/mujoco/pendulum", test_pendulum);
  g_test_add_func ("/mujoco/position", test_position);
  g_test_add_func ("/mujoco/gains", test_gains);
  g_test_add_func ("/mujoco/velocity", test_velocity);
  g_test_add_func ("/mujoco/damping", test_damping);
  g_test_add_func ("/mujoco/car", test_car);
  g_test_add_func ("/mujoco/state", test_state);
  g_test_add_func ("/mujoco/hollow", test_hollow);
  g_test_add_func ("/mujoco/many", test_many);
  g_test_add_func ("/mujoco/many-that-stand", test_many_that_stand);
  g_test_add_func ("/mujoco/ghost", test_ghost);
  g_test_add_func ("/mujoco/frame", test_frame);
  g_test_add_func ("/mujoco/thin-hull", test_thin_hull);
  g_test_add_func ("/mujoco/bad-inertia", test_bad_inertia);
  g_test_add_func ("/mujoco/hollow-end", test_hollow_end);
  g_test_add_func ("/mujoco/wheel-and-links", test_wheel_and_links);
  g_test_add_func ("/mujoco/blown-up", test_blown_up);
  return g_test_run ();
}
