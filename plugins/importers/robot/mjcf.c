/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds objects from the JSON that read-mjcf writes for an MJCF file. */
#define G_LOG_DOMAIN "orrery.importers.mjcf"

#include "mjcf.h"

#include "file-reader.h"
#include "inertia.h"
#include "mjcf-lines.h"

#include <math.h>
#include <string.h>

#define MAX_OBJECTS 100000
/* Of what the reader writes: half a million triangles. */
#define MAX_BYTES (64u << 20)

/* --- the output of the reader, which is trusted no more than the file --- */

static double
get_number (OrreryNode *node, const char *key)
{
  OrreryNode *value = orrery_node_find (node, key);
  OrreryNodeKind kind = value != NULL ? orrery_node_get_kind (value) : ORRERY_NODE_NULL;
  double d =
      kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE ? orrery_node_get_double (value) : 0;

  return fabs (d) <= 1e9 ? d : 0;
}

static gboolean
get_numbers (OrreryNode *node, const char *key, guint n, double *out)
{
  OrreryNode *list = orrery_node_find (node, key);

  memset (out, 0, n * sizeof *out);
  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST ||
      orrery_node_get_length (list) != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE)
      out[i] = orrery_node_get_double (item);
    if (!(fabs (out[i]) <= 1e9))
      out[i] = 0;
  }
  return TRUE;
}

static const char *
get_text (OrreryNode *node, const char *key)
{
  OrreryNode *value = orrery_node_find (node, key);

  return value != NULL && orrery_node_get_kind (value) == ORRERY_NODE_TEXT
             ? orrery_node_get_text (value)
             : "";
}

static gboolean
get_bool (OrreryNode *node, const char *key)
{
  OrreryNode *value = orrery_node_find (node, key);

  return value != NULL && orrery_node_get_kind (value) == ORRERY_NODE_BOOL &&
         orrery_node_get_bool (value);
}

static void
get_pose (OrreryNode *node, OrreryTransform *out)
{
  double p[3], q[4];

  orrery_transform_identity (out);
  get_numbers (node, "at", 3, p);
  out->position = (OrreryVec3){ p[0], p[1], p[2] };
  if (get_numbers (node, "turned", 4, q) &&
      q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.5)
    out->rotation = (OrreryQuat){ q[0], q[1], q[2], q[3] };
  orrery_quat_normalise (&out->rotation);
}

/* --- shapes --- */

static OrreryBuffer *
get_rows (OrreryNode *node, const char *key, gsize limit)
{
  OrreryNode *list = orrery_node_find (node, key);
  gsize shape[2] = { 0, 3 };
  OrreryBuffer *buffer;

  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST ||
      orrery_node_get_length (list) == 0)
    return NULL;
  shape[0] = orrery_node_get_length (list);
  buffer = orrery_buffer_new (limit > 0 ? ORRERY_ELEMENT_UINT32 : ORRERY_ELEMENT_DOUBLE, 2, shape);
  for (gsize i = 0; buffer != NULL && i < shape[0]; i++) {
    OrreryNode *row = orrery_node_get_item (list, i);

    for (gsize k = 0; k < 3; k++) {
      OrreryNode *item =
          orrery_node_get_kind (row) == ORRERY_NODE_LIST && orrery_node_get_length (row) == 3
              ? orrery_node_get_item (row, k)
              : NULL;
      OrreryNodeKind kind = item != NULL ? orrery_node_get_kind (item) : ORRERY_NODE_NULL;
      double d =
          kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE ? orrery_node_get_double (item) : 0;

      if (limit > 0)
        ((guint32 *) orrery_buffer_get_data (buffer))[3 * i + k] =
            d >= 0 && d < (double) limit ? (guint32) d : 0;
      else
        ((double *) orrery_buffer_get_data (buffer))[3 * i + k] = fabs (d) <= 1e9 ? d : 0;
    }
  }
  return buffer;
}

static OrreryShape *
make_shape (OrreryNode *node)
{
  static const char *const kinds[] = { "box", "sphere", "cylinder", "capsule", NULL };
  static const OrreryShapeKind shapes[] = { ORRERY_SHAPE_BOX, ORRERY_SHAPE_SPHERE,
                                            ORRERY_SHAPE_CYLINDER, ORRERY_SHAPE_CAPSULE };
  const char *kind = get_text (node, "kind");
  g_autoptr (OrreryBuffer) points = NULL;
  g_autoptr (OrreryBuffer) triangles = NULL;
  OrreryTransform pose;
  double s[3];

  get_pose (node, &pose);
  get_numbers (node, "size", 3, s);
  for (guint i = 0; kinds[i] != NULL; i++)
    if (g_str_equal (kind, kinds[i]))
      return orrery_shape_new (shapes[i], &(OrreryVec3){ fabs (s[0]), fabs (s[1]), fabs (s[2]) },
                               &pose);
  points = get_rows (node, "points", 0);
  if (points == NULL)
    return NULL;
  triangles = get_rows (node, "triangles", orrery_buffer_get_length (points, 0));
  if (g_str_equal (kind, "mesh") && triangles == NULL)
    return NULL;
  return orrery_shape_new_points (g_str_equal (kind, "hull") ? ORRERY_SHAPE_HULL
                                                             : ORRERY_SHAPE_MESH,
                                  points, triangles, &pose);
}

static void
add_shapes (OrreryNode *node, OrreryObject *object)
{
  OrreryNode *list = orrery_node_find (node, "shapes");

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    g_autoptr (OrreryShape) shape = make_shape (item);
    g_autoptr (OrreryMaterial) material = NULL;
    double c[4];

    if (shape == NULL)
      continue;
    get_numbers (item, "color", 4, c);
    material = orrery_material_new (CLAMP (c[0], 0, 1), CLAMP (c[1], 0, 1), CLAMP (c[2], 0, 1),
                                    CLAMP (c[3], 0, 1));
    orrery_material_set_name (material, get_text (item, "material"));
    orrery_shape_add_material (shape, material);
    orrery_shape_set_solid (shape, get_bool (item, "solid"));
    orrery_shape_set_visible (shape, get_bool (item, "visible"));
    orrery_object_add_shape (object, shape);
  }
}

/* --- joints and bodies --- */

static void
set_joint (OrreryNode *node, OrreryObject *object)
{
  const char *kind = get_text (node, "kind");
  const char *name = get_text (node, "name");
  const char *motor = get_text (node, "motor");
  OrreryJoint joint;
  double v[3], length;

  orrery_joint_init (&joint, g_str_equal (kind, "slide")  ? ORRERY_JOINT_SLIDE
                             : g_str_equal (kind, "ball") ? ORRERY_JOINT_BALL
                                                          : ORRERY_JOINT_HINGE);
  get_numbers (node, "axis", 3, v);
  length = sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (length > 1e-9)
    joint.axis = (OrreryVec3){ v[0] / length, v[1] / length, v[2] / length };
  get_numbers (node, "anchor", 3, v);
  joint.anchor = (OrreryVec3){ v[0], v[1], v[2] };
  joint.limited = get_numbers (node, "limits", 2, v) && v[0] <= v[1];
  joint.lower = v[0];
  joint.upper = v[1];
  joint.reference = get_number (node, "reference");
  joint.initial = get_number (node, "position");
  joint.rest = get_number (node, "rest");
  joint.stiffness = fabs (get_number (node, "stiffness"));
  joint.damping = fabs (get_number (node, "damping"));
  joint.armature = fabs (get_number (node, "armature"));
  joint.friction = fabs (get_number (node, "friction"));
  joint.max_effort = fabs (get_number (node, "max_effort"));
  get_numbers (node, "gains", 2, v);
  joint.position_gain = fabs (v[0]);
  joint.velocity_gain = fabs (v[1]);
  orrery_object_set_joint (object, &joint);
  if (*name != '\0')
    orrery_object_set_value (object, "joint", g_variant_new_string (name));
  if (*motor != '\0')
    orrery_object_set_value (object, "motor", g_variant_new_string (motor));
}

static void
set_inertial (OrreryNode *node, OrreryObject *object)
{
  OrreryInertial inertial = { { 0 } };
  double parts[6] = { 0 };
  double c[3], q[4];
  OrreryQuat turned = { 1, 0, 0, 0 };

  get_numbers (node, "centre", 3, c);
  get_numbers (node, "inertia", 3, parts);
  if (get_numbers (node, "inertia_turned", 4, q))
    turned = (OrreryQuat){ q[0], q[1], q[2], q[3] };
  for (guint k = 0; k < 3; k++)
    parts[k] = fabs (parts[k]);
  inertial.centre = (OrreryVec3){ c[0], c[1], c[2] };
  inertia_turn (parts, &turned, &inertial);
  orrery_object_set_inertial (object, &inertial);
}

static void
set_body (OrreryNode *node, OrreryObject *object)
{
  OrreryBody *body = orrery_object_get_body (object);
  const char *type = get_text (node, "type");

  body->type = g_str_equal (type, "static") ? ORRERY_BODY_STATIC : ORRERY_BODY_RIGID;
  body->friction = fabs (get_number (node, "friction"));
  body->linear_damping = body->angular_damping = 0;
  body->mass = g_str_equal (type, "static") ? 1 : fabs (get_number (node, "mass"));
  if (body->type == ORRERY_BODY_RIGID && body->mass > 0)
    set_inertial (node, object);
}

static gboolean
add_object (OrreryNode *node, GPtrArray *objects, OrreryImport *import, GError **error)
{
  double parent = get_number (node, "parent");
  OrreryNode *joint = orrery_node_find (node, "joint");
  OrreryTransform start;
  OrreryObject *object;

  object = orrery_import_add_object (import, get_text (node, "name"),
                                     parent >= 0 && parent < objects->len
                                         ? objects->pdata[(guint) parent]
                                         : NULL,
                                     error);
  if (object == NULL)
    return FALSE;
  g_ptr_array_add (objects, object);
  get_pose (node, &start);
  orrery_object_set_start (object, &start);
  set_body (node, object);
  add_shapes (node, object);
  if (joint != NULL && orrery_node_get_kind (joint) == ORRERY_NODE_DICT)
    set_joint (joint, object);
  if (g_str_equal (get_text (node, "type"), "fixed")) {
    OrreryJoint fixed;

    orrery_joint_init (&fixed, ORRERY_JOINT_FIXED);
    orrery_object_set_joint (object, &fixed);
  }
  return TRUE;
}

/* --- components --- */

#define MAX_COMPONENTS 10000
#define MAX_PIXELS 4096 /* a side */

static OrreryObject *
get_top (OrreryObject *object)
{
  while (orrery_object_get_parent (object) != NULL)
    object = orrery_object_get_parent (object);
  return object;
}

static GVariant *
make_values (const char *name, GVariant *value)
{
  GVariantDict values;

  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert_value (&values, name, value);
  return g_variant_dict_end (&values);
}

/* Adds sensors of joints and motors, which belong to the whole robot and not to one place. FALSE:
 * it is neither. */
static gboolean
add_joint_component (OrreryNode *node, OrreryObject *object, OrreryImport *import)
{
  static const struct {
    const char *kind;
    const char *classpath;
    const char *property;
  } classes[] = {
    { "position", "orrery.actuators.joint.Position", "Joint" },
    { "velocity", "orrery.actuators.joint.Velocity", "Joint" },
    { "effort", "orrery.actuators.joint.Effort", "Joint" },
    { "joint", "orrery.sensors.joint_state.JointState", "Joints" },
  };
  const char *kind = get_text (node, "kind");

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++) {
    if (!g_str_equal (kind, classes[i].kind))
      continue;
    orrery_import_add_component (import, get_top (object), get_text (node, "name"), NULL,
                                 classes[i].classpath, 0,
                                 make_values (classes[i].property,
                                              g_variant_new_string (get_text (node, "joint"))));
    return TRUE;
  }
  return FALSE;
}

/* One ray along the z axis of its place, where a laser's goes along x. */
static void
add_range (OrreryNode *node, OrreryObject *object, OrreryTransform *pose, OrreryImport *import)
{
  const OrreryQuat turn = { sqrt (0.5), 0, -sqrt (0.5), 0 };
  double range = get_number (node, "cutoff");
  GVariantDict values;

  orrery_quat_multiply (&pose->rotation, &turn, &pose->rotation);
  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert (&values, "laser_range", "d", range >= 1e-3 && range <= 1e6 ? range : 100);
  g_variant_dict_insert (&values, "scan_window", "d", 0.0);
  g_variant_dict_insert (&values, "resolution", "d", 1.0);
  orrery_import_add_component (import, object, get_text (node, "name"), pose,
                               "orrery.sensors.laserscanner.LaserScanner", 0,
                               g_variant_dict_end (&values));
}

static void
add_camera (OrreryNode *node, OrreryObject *object, OrreryTransform *pose, OrreryImport *import)
{
  GVariantDict values;

  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert (&values, "cam_width", "x",
                         (gint64) CLAMP (get_number (node, "width"), 1, MAX_PIXELS));
  g_variant_dict_insert (&values, "cam_height", "x",
                         (gint64) CLAMP (get_number (node, "height"), 1, MAX_PIXELS));
  g_variant_dict_insert (&values, "cam_fov", "d", CLAMP (get_number (node, "fov"), 1, 179));
  orrery_import_add_component (import, object, get_text (node, "name"), pose,
                               "orrery.sensors.video_camera.VideoCamera", 0,
                               g_variant_dict_end (&values));
}

static void
add_component (OrreryNode *node, GPtrArray *objects, OrreryImport *import)
{
  static const char *const kinds[] = { "velocity", "pose", "touch", "clock" };
  static const char *const classes[] = {
    "orrery.sensors.velocity.Velocity",
    "orrery.sensors.pose.Pose",
    "orrery.sensors.contact.Contact",
    "orrery.sensors.clock.Clock",
  };
  double number = get_number (node, "object");
  OrreryTransform pose;
  OrreryObject *object;

  if (!(number >= 0 && number < objects->len))
    return;
  object = objects->pdata[(guint) number];
  if (orrery_node_find (node, "joint") != NULL && add_joint_component (node, object, import))
    return;
  get_pose (node, &pose);
  if (g_str_equal (get_text (node, "kind"), "range"))
    add_range (node, object, &pose, import);
  if (g_str_equal (get_text (node, "kind"), "camera"))
    add_camera (node, object, &pose, import);
  /* With gravity, as MuJoCo has it; the file does not say where on the Earth it is. */
  if (g_str_equal (get_text (node, "kind"), "acceleration"))
    orrery_import_add_component (import, object, get_text (node, "name"), &pose,
                                 "orrery.sensors.imu.IMU", 0,
                                 make_values ("Compass", g_variant_new_boolean (FALSE)));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (get_text (node, "kind"), kinds[i]))
      orrery_import_add_component (import, object, get_text (node, "name"), &pose, classes[i], 0,
                                   NULL);
}

/* Each tree with a moving joint gets a sensor of the state of all its joints. */
static void
add_joint_states (GPtrArray *objects, OrreryImport *import)
{
  g_autoptr (GHashTable) tops = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < objects->len; i++)
    if (orrery_object_has_moving_joint (objects->pdata[i]) &&
        g_hash_table_add (tops, get_top (objects->pdata[i])))
      orrery_import_add_component (import, get_top (objects->pdata[i]), "joints", NULL,
                                   "orrery.sensors.joint_state.JointState", 0, NULL);
}

static void
add_components (OrreryNode *root, GPtrArray *objects, OrreryImport *import)
{
  OrreryNode *list = orrery_node_find (root, "components");
  gboolean fine = list != NULL && orrery_node_get_kind (list) == ORRERY_NODE_LIST;

  add_joint_states (objects, import);
  for (guint i = 0; fine && i < MIN (orrery_node_get_length (list), MAX_COMPONENTS); i++)
    if (orrery_node_get_kind (orrery_node_get_item (list, i)) == ORRERY_NODE_DICT)
      add_component (orrery_node_get_item (list, i), objects, import);
}

/* --- what holds bodies beside their parents --- */

static OrreryObject *
get_object (OrreryNode *node, const char *key, GPtrArray *objects)
{
  double number = get_number (node, key);

  return number >= 0 && number < objects->len ? objects->pdata[(guint) number] : NULL;
}

static gboolean
add_constraint (OrreryNode *node, GPtrArray *objects, OrreryImport *import, GError **error)
{
  OrreryObject *object = get_object (node, "object", objects);
  const char *kind = get_text (node, "kind");
  OrreryConstraint constraint = { .kind =
                                      g_str_equal (kind, "coupling")  ? ORRERY_CONSTRAINT_COUPLING
                                      : g_str_equal (kind, "point")   ? ORRERY_CONSTRAINT_POINT
                                      : g_str_equal (kind, "exclude") ? ORRERY_CONSTRAINT_EXCLUDE
                                                                      : ORRERY_CONSTRAINT_WELD };
  double anchor[3];

  if (object == NULL)
    return TRUE;
  constraint.other = get_object (node, "other", objects);
  get_numbers (node, "coefficients", ORRERY_N_COUPLING, constraint.coefficients);
  get_numbers (node, "anchor", 3, anchor);
  constraint.anchor = (OrreryVec3){ anchor[0], anchor[1], anchor[2] };
  get_pose (node, &constraint.pose);
  return orrery_import_add_constraint (import, object, &constraint, error);
}

static gboolean
add_constraints (OrreryNode *root, GPtrArray *objects, OrreryImport *import, const char *path,
                 GError **error)
{
  OrreryNode *list = orrery_node_find (root, "constraints");
  gboolean fine = list != NULL && orrery_node_get_kind (list) == ORRERY_NODE_LIST;

  for (guint i = 0; fine && i < MIN (orrery_node_get_length (list), MAX_COMPONENTS); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_DICT &&
        !add_constraint (item, objects, import, error)) {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  }
  return TRUE;
}

/* --- what is left out --- */

#define MAX_TOLD 20

static void
tell_left (OrreryNode *item, const MjcfLines *lines)
{
  const char *name = get_text (item, "name"), *what = get_text (item, "what");
  guint number = (guint) g_ascii_strtoull (get_text (item, "number"), NULL, 10);
  /* Cameras may lie in any body; the others in a section of their kind. */
  g_autofree char *place = g_str_equal (what, "camera")
                               ? mjcf_lines_find_camera (lines, name, number)
                               : mjcf_lines_find (lines, what, name, number);

  g_message ("%s: %s %s%s%s is left out: %s", place, what, *name != '\0' ? "'" : "",
             *name != '\0' ? name : get_text (item, "number"), *name != '\0' ? "'" : "",
             get_text (item, "why"));
}

static void
tell_all_left (OrreryNode *root, const MjcfLines *lines, const char *path)
{
  OrreryNode *list = orrery_node_find (root, "left");
  gsize n;

  mjcf_lines_tell_unread (lines);
  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST)
    return;
  n = orrery_node_get_length (list);
  for (gsize i = 0; i < MIN (n, MAX_TOLD); i++)
    if (orrery_node_get_kind (orrery_node_get_item (list, i)) == ORRERY_NODE_DICT)
      tell_left (orrery_node_get_item (list, i), lines);
  if (n > MAX_TOLD)
    g_message ("%s: %" G_GSIZE_FORMAT " more things are left out", path, n - MAX_TOLD);
}

/* --- <option> --- */

/* Only what the file itself says: what it leaves out is the scene's. */
static void
set_option (const MjcfLines *lines, const char *name, GVariant *value, OrreryImport *import)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (value);
  const char *place = mjcf_lines_find_option (lines, name);

  if (place != NULL)
    orrery_import_set_option (import, name, place, held);
}

static void
set_options (OrreryNode *root, const MjcfLines *lines, OrreryImport *import)
{
  static const char *const vectors[] = { "gravity", "wind" };
  static const char *const numbers[] = { "timestep", "density", "viscosity" };
  static const char *const words[] = { "integrator", "cone" };
  OrreryNode *options = orrery_node_find (root, "options");

  if (options == NULL || orrery_node_get_kind (options) != ORRERY_NODE_DICT)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    double v[3];

    get_numbers (options, vectors[i], 3, v);
    set_option (lines, vectors[i], g_variant_new ("(ddd)", v[0], v[1], v[2]), import);
  }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (get_number (options, numbers[i]) > 0)
      set_option (lines, numbers[i], g_variant_new_double (get_number (options, numbers[i])),
                  import);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    set_option (lines, words[i], g_variant_new_string (get_text (options, words[i])), import);
}

static const FileReader reader = {
  .program = "read-mjcf",
  .missing = "MJCF is read by MuJoCo, which was not there when this was built (libmujoco-dev)",
  .max_memory = G_GUINT64_CONSTANT (2) << 30,
};

/* Returns: (transfer full): what MuJoCo says of the file */
static GBytes *
run_reader (const char *path, const MjcfLines *lines, OrreryImport *import, GError **error)
{
  gboolean is_all;
  g_autoptr (GPtrArray) files = mjcf_lines_list_files (lines, &is_all);
  GBytes *bytes = is_all ? file_reader_run_once (&reader, path, files, import, error)
                         : file_reader_run (&reader, path, import, error);

  for (guint i = 0; bytes != NULL && i < files->len; i++)
    orrery_import_note_file (import, files->pdata[i]);
  return bytes;
}

gboolean
mjcf_read (const char *path, OrreryImport *import, GError **error)
{
  g_autoptr (MjcfLines) lines = mjcf_lines_read (path);
  g_autoptr (GBytes) bytes = run_reader (path, lines, import, error);
  g_autoptr (OrreryNode) root = NULL;
  g_autoptr (GPtrArray) objects = g_ptr_array_new ();
  OrreryNode *list;
  const char *text;
  gsize length;

  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &length);
  if (length > MAX_BYTES)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: written out, its meshes and height fields have more than %u MiB",
                             path, MAX_BYTES >> 20);
  root = orrery_node_parse_json (text, length, path, error);
  if (root == NULL)
    return FALSE;
  list =
      orrery_node_get_kind (root) == ORRERY_NODE_DICT ? orrery_node_find (root, "objects") : NULL;
  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST ||
      orrery_node_get_length (list) > MAX_OBJECTS)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: no bodies, or more than %d", path,
                             MAX_OBJECTS);
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_DICT &&
        !add_object (item, objects, import, error))
      return FALSE;
  }
  if (!add_constraints (root, objects, import, path, error))
    return FALSE;
  add_components (root, objects, import);
  set_options (root, lines, import);
  tell_all_left (root, lines, path);
  return TRUE;
}
