/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define G 9.81
/* m, by which the points of a pair drift apart before Bullet drops them */
#define DRIFT 0.02
static const char *const engines[] = { "bullet.Bullet", "mujoco.MuJoCo" };

#define TOUCH(properties)                                                                          \
  "'objects': [{'name': 'touch', 'classpath': 'orrery.sensors.contact_force.ContactForce', "       \
  "'properties': {" properties "}}]"
#define GROUND(friction, rotation)                                                                 \
  "{'name': 'ground', 'rotation': " rotation ", 'body': {'type': 'static', 'friction': " friction  \
  ", 'margin': 0}, 'shapes': [{'kind': 'box', 'size': [20, 20, 1]}]}"
#define BOX(name, mass, position, rotation, more)                                                  \
  "{'name': '" name "', 'classpath': 'orrery.core.robot.Robot', 'position': " position             \
  ", 'rotation': " rotation ", 'body': {'type': 'rigid', 'mass': " mass ", 'friction': 1, "        \
  "'margin': 0, 'damping': [0, 0]}, "                                                              \
  "'shapes': [{'kind': 'box', 'size': [0.6, 0.4, 0.2]}], " more "}"

/* Returns: (transfer full): a scene of objects under an engine; NULL: the engine is not there */
static OrrerySimulation *
load (const char *engine, const char *objects)
{
  g_autofree char *text = g_strdup_printf (
      "'environment': {'frequency': 60, 'physics_substeps': 1, 'physics': 'orrery.physics.%s'}, "
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

static const double *
get_numbers (OrrerySimulation *sim, const char *name, const char *field, gsize *n)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, name));
  OrreryPoints points;

  g_assert_true (orrery_record_get (record, field, &points));
  return orrery_points_get (&points, n);
}

static char *
get_text (OrrerySimulation *sim, const char *name, const char *field)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, name));
  g_autoptr (GVariant) text = orrery_record_get_value (record, field);

  return g_variant_dup_string (text, NULL);
}

/* Sums of the parts of the forces along the normals and across them, checked against each other. */
static void
add_up (OrrerySimulation *sim, const char *name, double *normal, OrreryVec3 *across)
{
  gsize n, n_points, n_normals;
  const double *forces = get_numbers (sim, name, "forces", &n);
  const double *normals = get_numbers (sim, name, "normals", &n_normals);

  get_numbers (sim, name, "points", &n_points);
  orrery_test_assert_field (sim, name, "n_contacts", (double) n, 0);
  g_assert_cmpuint (n_points, ==, n);
  g_assert_cmpuint (n_normals, ==, n);
  *normal = 0;
  *across = (OrreryVec3){ 0 };
  for (gsize i = 0; i < n; i++) {
    OrreryVec3 f = { forces[3 * i], forces[3 * i + 1], forces[3 * i + 2] };
    OrreryVec3 u = { normals[3 * i], normals[3 * i + 1], normals[3 * i + 2] };
    double along = orrery_vec3_dot (&f, &u);

    assert_near (orrery_vec3_length (&u), 1, 1e-9);
    g_assert_cmpfloat (along, >, 0);
    *normal += along;
    orrery_vec3_accumulate (&f, &u, -along);
    orrery_vec3_accumulate (across, &f, 1);
  }
}

/* What a sensor says in the mean of 60 ticks. */
typedef struct {
  double normal; /* N */
  OrreryVec3 across;
  double odd; /* N, most that a normal part was off the mean */
} Mean;

static Mean
get_mean (OrrerySimulation *sim, const char *name)
{
  Mean mean = { 0 };
  double normals[60];

  for (int i = 0; i < 60; i++) {
    OrreryVec3 across;

    orrery_test_step (sim, 1);
    add_up (sim, name, &normals[i], &across);
    mean.normal += normals[i] / 60;
    orrery_vec3_accumulate (&mean.across, &across, 1.0 / 60);
  }
  for (int i = 0; i < 60; i++)
    mean.odd = fmax (mean.odd, fabs (normals[i] - mean.normal));
  g_test_message ("%s: normal %.4f N, off by %.4f at most, across %.4f %.4f %.4f N", name,
                  mean.normal, mean.odd, mean.across.x, mean.across.y, mean.across.z);
  return mean;
}

static void
test_at_rest (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine, GROUND ("1", "[0, 0, 0]") ", " BOX ("robot", "4", "[0, 0, 0.6]", "[0, 0, 0]",
                                                        TOUCH ("'MaxContacts': 16")));
  g_autofree char *links = NULL, *others = NULL;
  const double *points;
  Mean mean;
  gsize n;

  g_test_summary (
      "a box of 4 kg at rest: the normal forces carry 4 g within 0.5 % in the mean of a "
      "second, and nothing is across; who touches whom, and where");
  if (sim == NULL)
    return;
  orrery_test_assert_fields (sim, "robot.touch",
                             "n_contacts n_cut links others points normals forces force");
  orrery_test_step (sim, 120);
  mean = get_mean (sim, "robot.touch");
  assert_near (mean.normal, 4 * G, 0.005 * 4 * G);
  assert_near (orrery_vec3_length (&mean.across), 0, 0.005 * 4 * G);
  g_assert_cmpfloat (mean.odd, <, 0.5 * 4 * G);
  orrery_test_assert_field (sim, "robot.touch", "n_cut", 0, 0);
  points = get_numbers (sim, "robot.touch", "points", &n);
  g_assert_cmpuint (n, >=, 1);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpfloat (fabs (points[3 * i]), <=, 0.32);
    g_assert_cmpfloat (fabs (points[3 * i + 1]), <=, 0.22);
    assert_near (points[3 * i + 2], 0.5, 0.02);
  }
  links = get_text (sim, "robot.touch", "links");
  others = get_text (sim, "robot.touch", "others");
  g_assert_true (g_str_has_prefix (links, "robot"));
  g_assert_true (g_str_has_prefix (others, "ground"));
}

/* N m about a place. */
static OrreryVec3
get_torque (OrrerySimulation *sim, const OrreryVec3 *place)
{
  OrreryVec3 sum = { 0 };
  gsize n;
  const double *points = get_numbers (sim, "robot.touch", "points", &n);
  const double *forces = get_numbers (sim, "robot.touch", "forces", &n);

  for (gsize i = 0; i < n; i++) {
    OrreryVec3 point = { points[3 * i], points[3 * i + 1], points[3 * i + 2] };
    OrreryVec3 force = { forces[3 * i], forces[3 * i + 1], forces[3 * i + 2] }, torque;

    point = orrery_vec3_subtract (&point, place);
    torque = orrery_vec3_cross (&point, &force);
    orrery_vec3_accumulate (&sum, &torque, 1);
  }
  return sum;
}

/* Bullet has no gyroscopic term: a torque changes the angular velocity through the inertia. Its
 * points drift between the two bodies, and each body is pushed at its own. */
static void
assert_turns (OrreryObject *object, const OrreryTransform *pose, const OrreryVec3 *change,
              const OrreryVec3 *torque)
{
  OrreryVec3 turn;

  orrery_quat_rotate_back (&pose->rotation, change, &turn);
  turn = orrery_vec3_multiply (&turn, orrery_object_get_inertia (object));
  orrery_quat_rotate (&pose->rotation, &turn, &turn);
  assert_near (turn.x * 60, torque->x, DRIFT * 4 * G);
  assert_near (turn.y * 60, torque->y, DRIFT * 4 * G);
  assert_near (turn.z * 60, torque->z, DRIFT * 4 * G);
}

static void
test_momentum (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine, GROUND ("0.5", "[0, 0.3, 0]") ", " BOX ("robot", "4", "[0, 0, 1.2]",
                                                            "[0.3, 0.2, 0.4]", TOUCH ("")));
  OrreryVec3 before = { 0, 0, 0 }, spin_before = { 0, 0, 0 };
  OrreryTransform pose_before = { .rotation = { .w = 1 } };
  OrreryObject *object;
  double most = 0;
  guint index;

  g_test_summary (
      "a box that falls on a slope, tumbles and slides: its velocity changes by the "
      "force of the sensor and its weight, its spin by the torque of the forces at their "
      "points (Bullet), tick by tick, to 1e-6 N and 2 cm of arm");
  if (sim == NULL)
    return;
  object = orrery_world_find_object (orrery_simulation_get_world (sim), "robot");
  index = orrery_object_get_index (object);
  for (int i = 0; i < 240; i++) {
    OrrerySnapshot *snapshot = orrery_world_get_snapshot (orrery_simulation_get_world (sim));
    OrreryVec3 velocity = *orrery_snapshot_get_linear_velocity (snapshot, index), force, change;
    OrreryVec3 spin = *orrery_snapshot_get_angular_velocity (snapshot, index), torque;
    OrreryTransform pose = *orrery_snapshot_get_pose (snapshot, index);

    /* A sensor shows what the tick before has made. */
    orrery_test_step (sim, 1);
    force = orrery_test_get_vec3 (sim, "robot.touch", "force");
    change = orrery_vec3_subtract (&velocity, &before);
    if (i > 0) {
      assert_near (force.x, 4 * change.x * 60, 1e-6);
      assert_near (force.y, 4 * change.y * 60, 1e-6);
      assert_near (force.z, 4 * (change.z * 60 + G), 1e-6);
    }
    if (i > 0 && g_str_equal (engine, "bullet.Bullet")) {
      change = orrery_vec3_subtract (&spin, &spin_before);
      torque = get_torque (sim, &pose_before.position);
      assert_turns (object, &pose_before, &change, &torque);
    }
    most = fmax (most, orrery_vec3_length (&force));
    before = velocity;
    spin_before = spin;
    pose_before = pose;
  }
  g_assert_cmpfloat (most, >, 10 * G);
}

/* On a slope of 0.2 rad that falls towards x. @along: N, of friction up the slope */
static void
assert_slope (OrrerySimulation *sim, double along)
{
  const double weight = 4 * G, s = sin (0.2), c = cos (0.2);
  Mean mean;

  orrery_test_step (sim, 60);
  mean = get_mean (sim, "robot.touch");
  assert_near (mean.normal, weight * c, 0.01 * weight);
  assert_near (mean.across.x * c - mean.across.z * s, -along, 0.01 * weight);
  assert_near (mean.across.y, 0, 0.01 * weight);
}

static void
test_slope (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine, GROUND ("1", "[0, 0.2, 0]") ", " BOX ("robot", "4", "[0.1192, 0, 0.5880]",
                                                          "[0, 0.2, 0]", TOUCH ("")));
  g_autoptr (OrrerySimulation) slips =
      load (engine, GROUND ("0.1", "[0, 0.2, 0]") ", " BOX ("robot", "4", "[0.1192, 0, 0.5880]",
                                                            "[0, 0.2, 0]", TOUCH ("")));

  g_test_summary ("on a slope of 0.2 rad: m g cos along the normals, m g sin across where friction "
                  "holds, mu m g cos where it slips; in the mean of a second within 1 % of m g");
  if (sim == NULL)
    return;
  assert_slope (sim, 4 * G * sin (0.2));
  assert_slope (slips, 0.1 * 4 * G * cos (0.2));
}

static void
test_stack (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim = load (
      engine,
      GROUND ("1", "[0, 0, 0]") ", " BOX (
          "robot", "4", "[0, 0, 0.6]", "[0, 0, 0]",
          TOUCH ("")) ", " BOX ("load", "2", "[0, 0, 0.8]", "[0, 0, 0]",
                                "'objects': [{'name': 'touch', 'classpath': "
                                "'orrery.sensors.contact_force.ContactForce', "
                                "'properties': {'MaxContacts': 2}}, {'name': 'hard', 'classpath': "
                                "'orrery.sensors.contact_force.ContactForce', 'properties': "
                                "{'MinForce': 1000}}]"));
  g_autofree char *others = NULL;
  OrreryVec3 force;

  g_test_summary (
      "one box on another: each sees the other's force with its own sign; points beyond "
      "MaxContacts are counted, their force too; below MinForce there are none");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 240);
  force = orrery_test_get_vec3 (sim, "robot.touch", "force");
  assert_near (force.z, 4 * G, 0.01 * 6 * G); /* 6 g from below, 2 g from above */
  force = orrery_test_get_vec3 (sim, "load.touch", "force");
  assert_near (force.z, 2 * G, 0.01 * 6 * G);
  orrery_test_assert_field (sim, "load.touch", "n_contacts", 2, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "load.touch", "n_cut"), >=, 1);
  orrery_test_assert_field (sim, "load.hard", "n_contacts", 0, 0);
  orrery_test_assert_field (sim, "load.hard", "n_cut", 0, 0);
  others = get_text (sim, "load.touch", "others");
  g_assert_cmpstr (others, ==, "robot,robot");
}

/* A hand of two links, a pad on each. */
#define LINK(name, x)                                                                              \
  "{'name': '" name "', 'position': [" x                                                           \
  ", 0, 0], 'joint': {'kind': 'slide', 'axis': [0, 0, 1]}, "                                       \
  "'body': {'type': 'rigid', 'mass': 1, 'margin': 0}, "                                            \
  "'shapes': [{'kind': 'box', 'size': [0.2, 0.2, 0.2]}]}"
#define HAND(links)                                                                                \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 0.601], "          \
  "'body': {'type': 'static'}, 'objects': [" LINK ("left", "-0.5") ", " LINK (                     \
      "right",                                                                                     \
      "0.5") ", {'name': 'touch', 'classpath': 'orrery.sensors.contact_force.ContactForce', "      \
             "'properties': {'Links': '" links "'}}]}"

static void
test_links (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) all = load (engine, GROUND ("1", "[0, 0, 0]") ", " HAND ("*"));
  g_autoptr (OrrerySimulation) one = load (engine, GROUND ("1", "[0, 0, 0]") ", " HAND ("right"));
  g_autofree char *both = NULL, *right = NULL;

  g_test_summary ("all links of a robot in the order of the scene, or those that are named");
  if (all == NULL)
    return;
  orrery_test_step (all, 120);
  orrery_test_step (one, 120);
  both = get_text (all, "robot.touch", "links");
  right = get_text (one, "robot.touch", "links");
  g_assert_true (g_str_has_prefix (both, "robot.left,robot.left"));
  g_assert_true (g_str_has_suffix (both, "robot.right,robot.right"));
  g_assert_null (strstr (right, "left"));
  g_assert_nonnull (strstr (right, "robot.right"));
  assert_near (orrery_test_get_vec3 (all, "robot.touch", "force").z, 2 * G, 0.01 * 2 * G);
  assert_near (orrery_test_get_vec3 (one, "robot.touch", "force").z, G, 0.01 * G);
}

/* A sole that is fixed to a box, with the sensor on it: both are one body. */
static void
test_fixed (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim = load (
      engine,
      GROUND ("1", "[0, 0, 0]") ", " BOX (
          "robot", "4", "[0, 0, 0.7]", "[0, 0, 0]",
          "'objects': [{'name': 'sole', 'position': [0, 0, -0.15], 'joint': {'kind': 'fixed'}, "
          "'body': {'type': 'rigid', 'mass': 1, 'margin': 0}, 'shapes': [{'kind': 'box', 'size': "
          "[0.6, 0.4, 0.1]}], 'objects': [{'name': 'touch', 'classpath': "
          "'orrery.sensors.contact_force.ContactForce'}]}]"));

  g_test_summary ("what is fixed to a body is a part of it: its contacts are those of the body");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 120);
  assert_near (get_mean (sim, "robot.sole.touch").normal, 4 * G, 0.005 * 4 * G);
}

static char *
get_hash (OrrerySimulation *sim)
{
  return g_strdup_printf ("%016" G_GINT64_MODIFIER "x", orrery_simulation_get_hash (sim));
}

static void
test_again (gconstpointer engine)
{
  g_autoptr (OrrerySimulation) sim =
      load (engine, GROUND ("1", "[0, 0, 0]") ", " BOX ("robot", "4", "[0, 0, 0.6]",
                                                        "[0.1, 0.2, 0.3]", TOUCH ("")));
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) state = NULL;
  g_autofree char *hash = NULL, *again = NULL;
  double first, later;

  g_test_summary (
      "a restored run and one after a reset tell the same forces, bit by bit, and a run "
      "that is not restored tells others");
  if (sim == NULL)
    return;
  orrery_test_step (sim, 40);
  state = orrery_simulation_save (sim, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  first = orrery_test_get_vec3 (sim, "robot.touch", "force").z;
  orrery_test_step (sim, 20);
  later = orrery_test_get_vec3 (sim, "robot.touch", "force").z;
  g_assert_cmpfloat (first, !=, later);
  hash = get_hash (sim);
  orrery_simulation_restore (sim, state, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (orrery_test_get_vec3 (sim, "robot.touch", "force").z, ==, first);
  orrery_test_step (sim, 20);
  g_assert_cmpfloat (orrery_test_get_vec3 (sim, "robot.touch", "force").z, ==, later);
  again = get_hash (sim);
  g_assert_cmpstr (again, ==, hash);
  orrery_simulation_reset (sim, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 41);
  g_assert_cmpfloat (orrery_test_get_vec3 (sim, "robot.touch", "force").z, ==, first);
}

static void
test_refused (void)
{
  g_test_summary (
      "no body, an unknown link, an engine without contacts, numbers out of range, a worker");
  orrery_test_refuse ("'environment': {'physics': 'orrery.physics.kinematic.Kinematic'}, "
                      "'objects': [" BOX ("robot", "4", "[0, 0, 0]", "[0, 0, 0]", TOUCH ("")) "]",
                      "orrery.physics.kinematic.Kinematic: it measures no forces of contacts; "
                      "orrery.physics.bullet.Bullet does");
  orrery_test_refuse ("'objects': [{" ORRERY_TEST_ROBOT TOUCH ("") "}]", "has a body");
  orrery_test_refuse ("'objects': [" BOX ("robot", "4", "[0, 0, 0]", "[0, 0, 0]",
                                          TOUCH ("'Links': 'tail'")) "]",
                      "Links: no object 'tail' with a body");
  orrery_test_refuse ("'objects': [" BOX ("robot", "4", "[0, 0, 0]", "[0, 0, 0]",
                                          TOUCH ("'MaxContacts': 0")) "]",
                      "MaxContacts");
  orrery_test_refuse ("'objects': [" BOX ("robot", "4", "[0, 0, 0]", "[0, 0, 0]",
                                          TOUCH ("'MinForce': -1")) "]",
                      "MinForce");
  orrery_test_refuse (
      "'objects': [" BOX ("robot", "4", "[0, 0, 0]", "[0, 0, 0]",
                          "'objects': [{'name': 'touch', 'placement': 'worker', "
                          "'classpath': 'orrery.sensors.contact_force.ContactForce'}]") "]",
      "sensors of forces run in the host's process");
}

static void
test_nobody_asks (void)
{
  g_autoptr (OrrerySimulation) sim = NULL, measured = NULL;
  OrrerySnapshot *snapshot;

  g_test_summary (
      "without such a sensor no friction of contacts is measured; bodies move the same");
  sim = load (engines[0], GROUND ("1", "[0, 0, 0]") ", " BOX ("robot", "4", "[0, 0, 0.6]",
                                                              "[0, 0, 0]", "'objects': []"));
  if (sim == NULL)
    return;
  measured = load (engines[0], GROUND ("1", "[0, 0, 0]") ", " BOX ("robot", "4", "[0, 0, 0.6]",
                                                                   "[0, 0, 0]", TOUCH ("")));
  orrery_test_step (sim, 100);
  orrery_test_step (measured, 100);
  g_assert_cmpmem (orrery_test_get_pose (sim, "robot"), sizeof (OrreryTransform),
                   orrery_test_get_pose (measured, "robot"), sizeof (OrreryTransform));
  snapshot = orrery_world_get_snapshot (orrery_simulation_get_world (measured));
  g_assert_nonnull (orrery_snapshot_get_frictions (snapshot));
  snapshot = orrery_world_get_snapshot (orrery_simulation_get_world (sim));
  g_assert_null (orrery_snapshot_get_frictions (snapshot));
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestDataFunc func;
  } cases[] = { { "at-rest", test_at_rest }, { "momentum", test_momentum }, { "slope", test_slope },
                { "stack", test_stack },     { "links", test_links },       { "fixed", test_fixed },
                { "again", test_again } };

  orrery_test_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (engines); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
      g_autofree char *path = g_strdup_printf ("/contact-force/%s/%s", engines[i], cases[k].name);

      g_test_add_data_func (path, engines[i], cases[k].func);
    }
  g_test_add_func ("/contact-force/refused", test_refused);
  g_test_add_func ("/contact-force/nobody-asks", test_nobody_asks);
  return g_test_run ();
}
