/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* MORSE's models, where Debian's morse-simulator-data is installed, against their numbers. */

#define MODELS "/usr/share/morse/data/"

typedef struct {
  char *file;
  char *name;
  OrreryVec3 low; /* of the mesh in the world, m */
  OrreryVec3 high;
  guint n_triangles;
  OrreryBodyType body;
  double mass;
  double margin;
} Model;

static void
clear_model (gpointer data)
{
  g_free (((Model *) data)->file);
  g_free (((Model *) data)->name);
}

static OrreryVec3
parse_vec3 (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  g_assert_cmpuint (g_strv_length (parts), ==, 3);
  return (OrreryVec3){ g_ascii_strtod (parts[0], NULL), g_ascii_strtod (parts[1], NULL),
                       g_ascii_strtod (parts[2], NULL) };
}

static OrreryBodyType
parse_body (const char *text)
{
  static const char *const names[] = { "none", "static", "dynamic", "rigid", "ghost" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], text))
      return (OrreryBodyType) i;
  g_assert_not_reached ();
}

static GArray *
read_models (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "tests/importers/models.txt", NULL);
  GArray *models = g_array_new (FALSE, FALSE, sizeof (Model));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_array_set_clear_func (models, clear_model);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    g_auto (GStrv) parts = g_strsplit (*line, "|", -1);
    Model model;

    if (g_strv_length (parts) != 8)
      continue;
    model = (Model){ .file = g_strdup (parts[0]),
                     .name = g_strdup (parts[1]),
                     .low = parse_vec3 (parts[2]),
                     .high = parse_vec3 (parts[3]),
                     .n_triangles = (guint) g_ascii_strtoull (parts[4], NULL, 10),
                     .body = parse_body (parts[5]),
                     .mass = g_ascii_strtod (parts[6], NULL),
                     .margin = g_ascii_strtod (parts[7], NULL) };
    g_array_append_val (models, model);
  }
  return models;
}

static gboolean
has_models (void)
{
  if (g_file_test (MODELS "environments/empty.blend", G_FILE_TEST_EXISTS))
    return TRUE;
  g_test_skip ("without Debian's morse-simulator-data");
  return FALSE;
}

static OrrerySimulation *
load (const char *file, GError **error)
{
  g_autofree char *text = g_strdup_printf ("'environment': {'import': '" MODELS "%s', 'physics': "
                                           "'orrery.physics.kinematic.Kinematic'}, 'objects': []",
                                           file);

  return orrery_test_try_load (text, NULL, error);
}

static OrreryObject *
find_object (OrreryWorld *world, const char *name)
{
  g_autofree char *mended = g_strdelimit (g_strdup (name), ".", '_');
  OrreryObject *found = orrery_world_find_object (world, name);

  /* A bone and the mesh on it share a name. */
  for (guint i = 0; found == NULL && i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (g_str_equal (orrery_object_get_basename (object), mended) &&
        orrery_object_get_shapes (object)->len > 0)
      found = object;
  }
  return found;
}

static OrreryObject *
find_named (OrreryWorld *world, const char *name)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    if (g_str_equal (orrery_object_get_basename (orrery_world_get_object (world, i)), name))
      return orrery_world_get_object (world, i);
  return NULL;
}

static OrreryShape *
find_mesh (OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);

  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_get_kind (shapes->pdata[i]) == ORRERY_SHAPE_MESH)
      return shapes->pdata[i];
  return NULL;
}

static void
grow (OrreryVec3 *low, OrreryVec3 *high, const OrreryVec3 *p)
{
  *low = (OrreryVec3){ fmin (low->x, p->x), fmin (low->y, p->y), fmin (low->z, p->z) };
  *high = (OrreryVec3){ fmax (high->x, p->x), fmax (high->y, p->y), fmax (high->z, p->z) };
}

static void
find_box (OrreryShape *mesh, const OrreryTransform *pose, OrreryVec3 *low, OrreryVec3 *high)
{
  OrreryBuffer *points = orrery_shape_get_points (mesh);
  const OrreryVec3 *p = orrery_buffer_get_data (points);

  *low = (OrreryVec3){ INFINITY, INFINITY, INFINITY };
  *high = (OrreryVec3){ -INFINITY, -INFINITY, -INFINITY };
  for (gsize i = 0; i < orrery_buffer_get_length (points, 0); i++) {
    OrreryVec3 q;

    orrery_transform_apply (pose, &p[i], &q);
    grow (low, high, &q);
  }
}

static gboolean
is_near (const OrreryVec3 *a, const OrreryVec3 *b)
{
  /* The numbers have three digits. */
  return fabs (a->x - b->x) < 1.1e-3 && fabs (a->y - b->y) < 1.1e-3 && fabs (a->z - b->z) < 1.1e-3;
}

static gboolean
check_model (OrreryWorld *world, const Model *model)
{
  OrreryObject *object = find_object (world, model->name);
  OrreryShape *mesh = object != NULL ? find_mesh (object) : NULL;
  OrreryVec3 low, high;
  OrreryBody *body;

  if (mesh == NULL)
    return FALSE;
  find_box (mesh,
            orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                      orrery_object_get_index (object)),
            &low, &high);
  body = orrery_object_get_body (object);
  if (body->type != ORRERY_BODY_NONE &&
      (fabs (body->mass - model->mass) > 1e-6 || fabs (body->margin - model->margin) > 1e-6))
    return FALSE;
  return is_near (&low, &model->low) && is_near (&high, &model->high) &&
         orrery_buffer_get_length (orrery_shape_get_triangles (mesh), 0) == model->n_triangles &&
         body->type == model->body;
}

static void
test_models (void)
{
  g_autoptr (GArray) models = read_models ();
  g_autoptr (OrrerySimulation) sim = NULL;
  const char *file = "";

  g_test_summary ("meshes lie where they did in MORSE, with as many triangles, mass and margin");
  if (!has_models ())
    return;
  for (guint i = 0; i < models->len; i++) {
    const Model *model = &g_array_index (models, Model, i);
    g_autoptr (GError) error = NULL;

    if (!g_str_equal (file, model->file)) {
      g_clear_object (&sim);
      sim = load (model->file, &error);
      g_assert_no_error (error);
      file = model->file;
    }
    if (!check_model (orrery_simulation_get_world (sim), model))
      g_test_message ("%s: %s is another", file, model->name);
    g_assert_true (check_model (orrery_simulation_get_world (sim), model));
  }
  g_assert_cmpuint (models->len, ==, 78);
}

static guint
count_bodies (OrreryWorld *world, OrreryBodyType type)
{
  guint n = 0;

  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    n += orrery_object_get_body (orrery_world_get_object (world, i))->type == type;
  return n;
}

static void
test_bodies (void)
{
  static const struct {
    const char *file;
    guint n_static, n_rigid, n_ghost; /* compounds count once */
  } cases[] = {
    { "environments/apartment.blend", 30, 1, 0 },
    { "environments/human_tut/tutorial_scene.blend", 21, 1, 3 },
    { "environments/outdoors.blend", 8, 0, 0 },
    { "environments/sandbox.blend", 13, 20, 0 },
    { "environments/tum_kitchen/tum_kitchen.blend", 95, 4, 0 },
    { "environments/water-1/water_scene.blend", 3, 0, 0 },
    { "props/furnitures.blend", 46, 0, 0 },
    { "robots/sa_hand-8-semi_ok.blend", 27, 0, 0 },
  };

  g_test_summary ("what collides in the file has a body, though its Object.body_type is 0");
  if (!has_models ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OrrerySimulation) sim = load (cases[i].file, &error);
    OrreryWorld *world = orrery_simulation_get_world (sim);

    g_assert_no_error (error);
    g_test_message ("%s", cases[i].file);
    g_assert_cmpuint (count_bodies (world, ORRERY_BODY_STATIC), ==, cases[i].n_static);
    g_assert_cmpuint (count_bodies (world, ORRERY_BODY_RIGID), ==, cases[i].n_rigid);
    g_assert_cmpuint (count_bodies (world, ORRERY_BODY_GHOST), ==, cases[i].n_ghost);
  }
}

static void
test_control (void)
{
  g_autoptr (GArray) models = read_models ();
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  Model wrong = g_array_index (models, Model, 0);

  g_test_summary ("a model that is moved by 2 mm, or has one triangle more, is seen to be another");
  if (!has_models ())
    return;
  sim = load (wrong.file, &error);
  g_assert_no_error (error);
  g_assert_true (check_model (orrery_simulation_get_world (sim), &wrong));
  wrong.low.x += 0.002;
  g_assert_false (check_model (orrery_simulation_get_world (sim), &wrong));
  wrong = g_array_index (models, Model, 0);
  wrong.n_triangles++;
  g_assert_false (check_model (orrery_simulation_get_world (sim), &wrong));
}

static void
list_files (const char *directory, GPtrArray *files)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (directory, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      list_files (path, files);
    else if (g_str_has_suffix (name, ".blend"))
      g_ptr_array_add (files, g_strdup (path + strlen (MODELS)));
  }
}

static void
test_all (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  g_test_summary ("every file of the package loads");
  if (!has_models ())
    return;
  list_files (MODELS, files);
  for (guint i = 0; i < files->len; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OrrerySimulation) sim = load (files->pdata[i], &error);

    g_assert_no_error (error);
  }
  g_assert_cmpuint (files->len, >=, 49);
}

static void
test_properties (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryObject *fire;
  GVariant *radius;

  g_test_summary ("environments are found by MORSE's names; game properties come with them");
  if (!has_models ())
    return;
  sim = orrery_test_load ("'environment': {'import': 'land-1/rosace_1', 'physics': "
                          "'orrery.physics.kinematic.Kinematic'}, 'objects': []");
  fire = orrery_world_find_object (orrery_simulation_get_world (sim), "Fire_Sphere");
  g_assert_nonnull (fire);
  radius = orrery_object_get_value (fire, "Fire_Radius");
  g_assert_nonnull (radius);
  g_assert_true (g_variant_is_of_type (radius, G_VARIANT_TYPE_INT64)
                     ? g_variant_get_int64 (radius) == 25
                     : g_variant_get_double (radius) == 25);
  assert_near (orrery_test_get_pose (sim, "Fire_Sphere")->position.x, 60, 1e-3);
}

static void
test_stands (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("MORSE's ATRV comes to rest on MORSE's ground where users know it");
  if (!has_models () || !orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load ("'environment': {'import': '" MODELS "robots/atrv.blend'}, 'objects': "
                          "[{'name': 'floor', 'position': [0, 0, -0.5], 'body': {'type': 'static', "
                          "'margin': 0.06}, 'shapes': [{'kind': 'box', 'size': [40, 40, 1]}]}]");
  orrery_test_step (sim, 240);
  assert_near (orrery_test_get_pose (sim, "ATRV")->position.z, 0.104, 0.002);
}

/* --- bones, cameras, logic --- */

static const struct {
  double length; /* m */
  double head;   /* m above the floor */
  double limit;  /* degrees, either way */
  OrreryVec3 axis;
} lwr[] = {
  { 0.3105, 0, 170, { 0, 1, 0 } },     { 0.2, 0.3105, 120, { 0, 0, 1 } },
  { 0.2, 0.5105, 170, { 0, 1, 0 } },   { 0.2, 0.7105, 120, { 0, 0, 1 } },
  { 0.19, 0.9105, 170, { 0, 1, 0 } },  { 0.078, 1.1005, 120, { 0, 0, 1 } },
  { 0.132, 1.1785, 170, { 0, 1, 0 } },
};

static void
check_bone (OrrerySimulation *sim, OrreryObject *bone, guint i)
{
  const OrreryJoint *joint = orrery_object_get_joint (bone);
  const OrreryTransform *pose =
      orrery_snapshot_get_pose (orrery_world_get_snapshot (orrery_simulation_get_world (sim)),
                                orrery_object_get_index (bone));
  GVariant *tip = orrery_object_get_value (bone, "tip");
  OrreryVec3 along;

  assert_near (pose->position.x, 0, 1e-4);
  assert_near (pose->position.y, 0, 1e-4);
  assert_near (pose->position.z, lwr[i].head, 6e-4);
  /* Each stands on the one before: its own y axis points up. */
  orrery_quat_rotate (&pose->rotation, &(OrreryVec3){ 0, 1, 0 }, &along);
  assert_near (along.z, 1, 1e-5);
  g_assert_nonnull (joint);
  g_assert_cmpint (joint->kind, ==, ORRERY_JOINT_HINGE);
  assert_near (joint->axis.x, lwr[i].axis.x, 1e-12);
  assert_near (joint->axis.y, lwr[i].axis.y, 1e-12);
  assert_near (joint->axis.z, lwr[i].axis.z, 1e-12);
  g_assert_true (joint->limited);
  assert_near (joint->lower, -lwr[i].limit * G_PI / 180, 1e-5);
  assert_near (joint->upper, lwr[i].limit * G_PI / 180, 1e-5);
  assert_near (joint->initial, 0, 1e-6);
  g_assert_cmpuint (g_variant_n_children (tip), ==, 3);
  g_variant_get_child (tip, 1, "d", &along.y);
  assert_near (along.y, lwr[i].length, 6e-4);
}

static void
test_arm (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  OrreryObject *bone;

  g_test_summary ("bones of the LWR are where its table says, and turn as far");
  if (!has_models ())
    return;
  sim = load ("actuators/kuka_lwr.blend", &error);
  g_assert_no_error (error);
  bone = orrery_world_find_object (orrery_simulation_get_world (sim), "kuka_armature");
  for (guint i = 0; i < G_N_ELEMENTS (lwr); i++) {
    g_autofree char *name = g_strdup_printf ("%s.kuka_%u", orrery_object_get_name (bone), i + 1);

    bone = orrery_world_find_object (orrery_simulation_get_world (sim), name);
    g_assert_nonnull (bone);
    check_bone (sim, bone, i);
    /* What is on the bone moves with it. */
    g_free (name);
    name = g_strdup_printf ("%s.kuka_%u", orrery_object_get_name (bone), i + 1);
    g_assert_nonnull (orrery_world_find_object (orrery_simulation_get_world (sim), name));
  }
}

static double
get_double (OrreryObject *object, const char *name)
{
  GVariant *value = orrery_object_get_value (object, name);

  g_assert_nonnull (value);
  return g_variant_get_double (value);
}

static void
test_slide (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  OrreryObject *bone;

  g_test_summary ("a bone that stretches is a slide, as the torso of the PR2");
  if (!has_models ())
    return;
  sim = load ("robots/pr2.blend", &error);
  g_assert_no_error (error);
  bone = find_named (orrery_simulation_get_world (sim), "torso_lift_joint");
  g_assert_nonnull (bone);
  g_assert_cmpint (orrery_object_get_joint (bone)->kind, ==, ORRERY_JOINT_SLIDE);
  assert_near (orrery_object_get_joint (bone)->lower, 0, 1e-12);
  assert_near (orrery_object_get_joint (bone)->upper, 0.31, 1e-6);
}

static void
test_driven (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryRecord *record;
  OrreryObject *flange;

  g_test_summary ("an Armature made of a file's bones drives them, and what is on them");
  if (!has_models ())
    return;
  sim = orrery_test_load (
      "'environment': {'physics': 'orrery.physics.kinematic.Kinematic'}, 'objects': [{'name': 'r', "
      "'classpath': 'orrery.core.robot.Robot', 'objects': [{'name': 'arm', 'classpath': "
      "'orrery.actuators.armature.Armature', 'import': {'file': 'actuators/kuka_lwr.blend', "
      "'object': 'kuka_armature'}}]}]");
  flange = find_named (orrery_simulation_get_world (sim), "kuka_7");
  record = orrery_component_get_record (orrery_simulation_find_component (sim, "r.arm"));
  assert_near (orrery_test_get_pose (sim, orrery_object_get_name (flange))->position.z, 1.1785,
               6e-4);
  g_assert_true (orrery_record_set_value (record, "kuka_2", g_variant_new_double (G_PI / 2), NULL));
  orrery_test_step (sim, 180);
  /* The rest of it lies flat at the height of the second joint. */
  assert_near (orrery_test_get_pose (sim, orrery_object_get_name (flange))->position.z, 0.3105,
               0.02);
}

static void
test_camera (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  OrreryObject *camera;

  g_test_summary ("a camera's lens and distances are those of a component that is made of it");
  if (!has_models ())
    return;
  sim = load ("environments/sandbox.blend", &error);
  g_assert_no_error (error);
  camera = orrery_world_find_object (orrery_simulation_get_world (sim), "Camera");
  g_assert_nonnull (camera);
  assert_near (get_double (camera, "cam_focal"), 26, 1e-6);
  assert_near (get_double (camera, "cam_near"), 0.1, 1e-6);
  g_assert_cmpfloat (get_double (camera, "cam_far"), >, 1);
}

static void
test_logic (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) gripper = NULL;
  OrreryObject *object;

  g_test_summary ("what is always in motion moves; a radar's cone and range are the gripper's");
  if (!has_models ())
    return;
  sim = orrery_test_load ("'environment': {'import': 'land-1/rosace_1', 'physics': "
                          "'orrery.physics.kinematic.Kinematic'}, 'objects': []");
  assert_near (orrery_test_get_pose (sim, "Fire_Sphere")->position.x, 60, 1e-3);
  orrery_test_step (sim, 60);
  /* A mm in each of 60 ticks of the game's logic. */
  assert_near (orrery_test_get_pose (sim, "Fire_Sphere")->position.x, 59.94, 1e-4);
  assert_near (orrery_test_get_pose (sim, "Fire_Sphere")->position.y, 0, 1e-4);

  gripper = orrery_test_load (
      "'environment': {'physics': 'orrery.physics.kinematic.Kinematic'}, 'objects': [{'name': 'r', "
      "'classpath': 'orrery.core.robot.Robot', 'objects': [{'name': 'grip', 'classpath': "
      "'orrery.actuators.grasp.Grasp', 'import': {'file': 'actuators/gripper.blend', 'object': "
      "'Gripper'}}]}]");
  object = orrery_world_find_object (orrery_simulation_get_world (gripper), "r.grip");
  assert_near (get_double (object, "Angle"), 60, 1e-4);
  assert_near (get_double (object, "Distance"), 0.12, 1e-4);
  {
    g_autoptr (GVariant) distance =
        orrery_part_get_option (ORRERY_PART (orrery_simulation_find_component (gripper, "r.grip")),
                                "Distance");

    assert_near (g_variant_get_double (distance), 0.12, 1e-4);
  }
}

static void
test_body (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("an empty that is given a body has the shapes of what is below it");
  if (!has_models () || !orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (
      "'environment': {'import': 'empty'}, 'objects': [{'name': 'tape', 'position': [0, 0, 1], "
      "'import': {'file': 'props/objects.blend', 'prefix': 'BlackVideotape', 'keep_pose': false}, "
      "'body': {'type': 'rigid'}}, {'name': 'chair', 'position': [3, 0, 1], 'import': {'file': "
      "'props/objects.blend', 'prefix': 'RollingChair', 'keep_pose': false}, 'body': {'type': "
      "'rigid'}}, {'name': 'table', 'position': [-3, 0, 1], 'import': {'file': "
      "'props/objects.blend', 'prefix': 'SmallTable', 'keep_pose': false}, 'body': {'type': "
      "'rigid'}}]");
  orrery_test_step (sim, 240);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "tape")->position.z, >, -0.02);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "tape")->position.z, <, 0.2);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "chair")->position.z, >, -0.1);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "chair")->position.z, <, 0.9);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "table")->position.z, >, -0.1);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "table")->position.z, <, 0.9);
}

/* --- files that are none --- */

static void
refuse_bytes (const char *bytes, gsize length, const char *words)
{
  g_autofree char *dir = g_dir_make_tmp ("orrery-blend-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "bad.blend", NULL);
  g_autofree char *text = g_strdup_printf ("'environment': {'import': '%s'}, 'objects': []", path);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  orrery_test_refuse (text, words);
  g_remove (path);
  g_rmdir (dir);
}

static void
test_broken (void)
{
  static const char no_end[] = "BLENDER-v265";
  static const char short_block[] = "BLENDER_v265OB\0\0\xff\xff\xff\x7f\1\0\0\0\0\0\0\0\1\0\0\0";
  static const char no_dna[] = "BLENDER_v265ENDB\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
  static const char bad_dna[] =
      "BLENDER_"
      "v265DNA1\x08\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0SDNANAMEENDB\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

  g_test_summary ("what is no file of Blender, or a broken one, is an error with its name");
  refuse_bytes ("", 0, "bad.blend: not a file of Blender");
  refuse_bytes ("BLENDER", 7, "not a file of Blender");
  refuse_bytes ("\x1f\x8b\x08 nonsense", 12, "bad.blend: ");
  refuse_bytes (no_end, sizeof no_end - 1, "in the middle of a block");
  refuse_bytes (short_block, sizeof short_block - 1, "longer than the rest");
  refuse_bytes (no_dna, sizeof no_dna - 1, "no description");
  refuse_bytes (bad_dna, sizeof bad_dna - 1, "(SDNA) is broken");
}

static void
test_truncated (void)
{
  g_autofree char *bytes = NULL;
  gsize length = 0;

  g_test_summary ("a file that is cut off anywhere is an error, never more");
  if (!has_models ())
    return;
  g_assert_true (g_file_get_contents (MODELS "robots/atrv.blend", &bytes, &length, NULL));
  for (guint i = 1; i < 40; i++)
    refuse_bytes (bytes, length / 40 * i, "bad.blend: ");
}

static void
test_no_importer (void)
{
  g_autofree char *dir = g_dir_make_tmp ("orrery-blend-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "room.xyz", NULL);
  g_autofree char *text = g_strdup_printf ("'environment': {'import': '%s'}, 'objects': []", path);

  g_test_summary ("a format that nothing reads is named, with the module that would");
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  orrery_test_refuse (text, "orrery/importers/xyz");
  g_remove (path);
  g_rmdir (dir);
  orrery_test_refuse ("'environment': {'import': 'no/room.blend'}, 'objects': []",
                      "there is no file no/room.blend");
}

int
main (int argc, char *argv[])
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/importers/blend/models", test_models);
  g_test_add_func ("/importers/blend/models/control", test_control);
  g_test_add_func ("/importers/blend/bodies", test_bodies);
  g_test_add_func ("/importers/blend/all", test_all);
  g_test_add_func ("/importers/blend/properties", test_properties);
  g_test_add_func ("/importers/blend/stands", test_stands);
  g_test_add_func ("/importers/blend/arm", test_arm);
  g_test_add_func ("/importers/blend/slide", test_slide);
  g_test_add_func ("/importers/blend/driven", test_driven);
  g_test_add_func ("/importers/blend/camera", test_camera);
  g_test_add_func ("/importers/blend/logic", test_logic);
  g_test_add_func ("/importers/blend/body", test_body);
  g_test_add_func ("/importers/blend/broken", test_broken);
  g_test_add_func ("/importers/blend/truncated", test_truncated);
  g_test_add_func ("/importers/blend/no-importer", test_no_importer);
  return g_test_run ();
}
