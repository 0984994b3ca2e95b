/* SPDX-License-Identifier: BSD-3-Clause */
#define G_LOG_DOMAIN "orrery.importers.urdf"

#include "urdf.h"

#include "child.h"

#include <math.h>
#include <string.h>

#define MAX_LINKS 10000
#define MAX_SHAPES 50000
#define MAX_DEPTH 64

typedef struct {
  char *name;
  GPtrArray *shapes; /* (element-type OrreryShape) */
  gboolean has_inertial;
  double mass;
  OrreryTransform origin; /* of the inertial */
  double inertia[6];      /* xx, yy, zz, xy, xz, yz */
  int joint;              /* that carries it, or -1 */
  GArray *joints;         /* (element-type int): that it carries */
  OrreryObject *object;   /* once it is made */
} Link;

typedef struct {
  char *name;
  char *type;
  char *parent;
  char *child;
  OrreryTransform origin;
  OrreryJoint joint;
  gboolean has_limit;
} Joint;

typedef struct {
  const char *path;
  char *folder;
  GPtrArray *links;       /* (element-type Link) */
  GPtrArray *joints;      /* (element-type Joint) */
  GHashTable *by_name;    /* (element-type utf8 Link) */
  GHashTable *materials;  /* (element-type utf8 OrreryMaterial) */
  GPtrArray *elements;    /* (element-type utf8): open ones */
  Link *link;             /* that is open, or NULL */
  Joint *joint;           /* the same */
  OrreryTransform origin; /* of the visual, collision or inertial that is open */
  OrreryShape *shape;     /* of the visual or collision that is open */
  OrreryMaterial *material;
  char *material_name;
  char *mesh; /* file of the visual or collision that is open */
  OrreryVec3 scale;
  guint n_shapes;
  guint n_mimics;
} Urdf;

/* --- parts --- */

static void
link_free (gpointer data)
{
  Link *link = data;

  g_free (link->name);
  g_ptr_array_unref (link->shapes);
  g_array_unref (link->joints);
  g_free (link);
}

static void
joint_free (gpointer data)
{
  Joint *joint = data;

  g_free (joint->name);
  g_free (joint->type);
  g_free (joint->parent);
  g_free (joint->child);
  g_free (joint);
}

G_GNUC_PRINTF (3, 4)
static gboolean
fail (const Urdf *urdf, GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "%s: %s", urdf->path, words);
  return FALSE;
}

/* --- attributes --- */

static const char *
find_attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return values[i];
  return NULL;
}

/* @n numbers; an attribute that is not there leaves them as they are. */
static gboolean
read_numbers (const Urdf *urdf, const char *name, const char *text, guint n, double *out,
              GError **error)
{
  const char *at = text;

  for (guint i = 0; text != NULL && i < n; i++) {
    char *end;

    out[i] = g_ascii_strtod (at, &end);
    if (end == at || !(fabs (out[i]) <= 1e9))
      return fail (urdf, error, "%s='%.60s' is not %u numbers up to 1e9", name, text, n);
    at = end;
  }
  while (at != NULL && g_ascii_isspace (*at))
    at++;
  if (at != NULL && *at != '\0')
    return fail (urdf, error, "%s='%.60s' is not %u numbers", name, text, n);
  return TRUE;
}

static gboolean
read_number (const Urdf *urdf, const char **names, const char **values, const char *name,
             double *out, GError **error)
{
  return read_numbers (urdf, name, find_attribute (names, values, name), 1, out, error);
}

static gboolean
read_origin (const Urdf *urdf, const char **names, const char **values, OrreryTransform *out,
             GError **error)
{
  double xyz[3] = { 0 }, rpy[3] = { 0 };

  if (!read_numbers (urdf, "xyz", find_attribute (names, values, "xyz"), 3, xyz, error) ||
      !read_numbers (urdf, "rpy", find_attribute (names, values, "rpy"), 3, rpy, error))
    return FALSE;
  out->position = (OrreryVec3){ xyz[0], xyz[1], xyz[2] };
  orrery_quat_from_euler (rpy[0], rpy[1], rpy[2], &out->rotation);
  return TRUE;
}

/* --- geometry --- */

static gboolean
set_shape (Urdf *urdf, OrreryShapeKind kind, OrreryVec3 size, GError **error)
{
  if (!(size.x > 0 && size.y > 0 && size.z >= 0))
    return fail (urdf, error, "link '%s': a shape without a size", urdf->link->name);
  g_clear_pointer (&urdf->shape, orrery_shape_unref);
  urdf->shape = orrery_shape_new (kind, &size, NULL);
  return TRUE;
}

static gboolean
begin_shape (Urdf *urdf, const char *element, const char **names, const char **values,
             GError **error)
{
  double size[3] = { 0 }, radius = 0, length = 0, scale[3] = { 1, 1, 1 };
  const char *file = find_attribute (names, values, "filename");

  if (!read_numbers (urdf, "size", find_attribute (names, values, "size"), 3, size, error) ||
      !read_number (urdf, names, values, "radius", &radius, error) ||
      !read_number (urdf, names, values, "length", &length, error) ||
      !read_numbers (urdf, "scale", find_attribute (names, values, "scale"), 3, scale, error))
    return FALSE;
  if (g_str_equal (element, "box"))
    return set_shape (urdf, ORRERY_SHAPE_BOX, (OrreryVec3){ size[0] / 2, size[1] / 2, size[2] / 2 },
                      error);
  if (g_str_equal (element, "sphere"))
    return set_shape (urdf, ORRERY_SHAPE_SPHERE, (OrreryVec3){ radius, radius, radius }, error);
  if (g_str_equal (element, "cylinder"))
    return set_shape (urdf, ORRERY_SHAPE_CYLINDER, (OrreryVec3){ radius, radius, length / 2 },
                      error);
  if (g_str_equal (element, "capsule"))
    return set_shape (urdf, ORRERY_SHAPE_CAPSULE, (OrreryVec3){ radius, radius, length / 2 },
                      error);
  if (!g_str_equal (element, "mesh"))
    return TRUE;
  if (file == NULL)
    return fail (urdf, error, "link '%s': a mesh without a filename", urdf->link->name);
  g_free (urdf->mesh);
  urdf->mesh = g_strdup (file);
  urdf->scale = (OrreryVec3){ scale[0], scale[1], scale[2] };
  return TRUE;
}

/* The folder of a package is one above the file, or below one of ROS_PACKAGE_PATH. */
static char *
find_in_package (const Urdf *urdf, const char *name)
{
  const char *path = g_getenv ("ROS_PACKAGE_PATH");
  g_auto (GStrv) given = g_strsplit (path != NULL ? path : "", ":", -1);
  g_autofree char *folder = g_strdup (urdf->folder);

  for (char **each = given; *each != NULL; each++) {
    g_autofree char *file = g_build_filename (*each, name, NULL);

    if (**each != '\0' && g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&file);
  }
  for (guint i = 0; i < 16 && !g_str_equal (folder, "/"); i++) {
    g_autofree char *file = g_build_filename (folder, name, NULL);
    char *above;

    if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&file);
    above = g_path_get_dirname (folder);
    if (g_str_equal (above, folder)) {
      g_free (above);
      break;
    }
    g_free (folder);
    folder = above;
  }
  return NULL;
}

static char *
find_mesh (const Urdf *urdf, GError **error)
{
  const char *name = urdf->mesh;
  g_autofree char *found = NULL;

  if (strstr (name, "..") != NULL && strstr (name, "://") != NULL) {
    fail (urdf, error, "link '%s': mesh %.200s leads out of its package", urdf->link->name, name);
    return NULL;
  }
  if (g_str_has_prefix (name, "package://"))
    found = find_in_package (urdf, name + strlen ("package://"));
  else if (g_str_has_prefix (name, "file://"))
    found = g_strdup (name + strlen ("file://"));
  else if (g_path_is_absolute (name))
    found = g_strdup (name);
  else
    found = g_build_filename (urdf->folder, name, NULL);
  if (found == NULL || !g_file_test (found, G_FILE_TEST_IS_REGULAR)) {
    fail (urdf, error,
          "link '%s': there is no file %.200s, looked for from %s and in "
          "ROS_PACKAGE_PATH",
          urdf->link->name, name, urdf->folder);
    return NULL;
  }
  return g_steal_pointer (&found);
}

/* The shape that was begun, at its place. */
static OrreryShape *
make_shape (Urdf *urdf, gboolean solid, GError **error)
{
  OrreryShape *plain = urdf->shape;
  g_autofree char *file = NULL;

  if (urdf->mesh == NULL)
    return orrery_shape_new (orrery_shape_get_kind (plain), orrery_shape_get_size (plain),
                             &urdf->origin);
  file = find_mesh (urdf, error);
  if (file == NULL)
    return NULL;
  /* What collides and moves is its hull. */
  return mesh_load (file, &urdf->scale, solid, &urdf->origin, error);
}

static gboolean
end_shape (Urdf *urdf, gboolean solid, GError **error)
{
  g_autoptr (OrreryShape) shape = NULL;
  OrreryMaterial *material = urdf->material;

  if (urdf->shape == NULL && urdf->mesh == NULL)
    return fail (urdf, error, "link '%s': a %s without a geometry that is known", urdf->link->name,
                 solid ? "collision" : "visual");
  if (++urdf->n_shapes > MAX_SHAPES)
    return fail (urdf, error, "more than %d shapes", MAX_SHAPES);
  shape = make_shape (urdf, solid, error);
  if (shape == NULL)
    return FALSE;
  if (material == NULL && urdf->material_name != NULL)
    material = g_hash_table_lookup (urdf->materials, urdf->material_name);
  if (material != NULL)
    orrery_shape_add_material (shape, material);
  orrery_shape_set_solid (shape, solid);
  orrery_shape_set_visible (shape, !solid);
  g_ptr_array_add (urdf->link->shapes, g_steal_pointer (&shape));
  return TRUE;
}

/* --- elements --- */

static const char *
get_open (const Urdf *urdf, guint above)
{
  return urdf->elements->len > above ? urdf->elements->pdata[urdf->elements->len - 1 - above] : "";
}

static gboolean
begin_link (Urdf *urdf, const char *name, GError **error)
{
  Link *link;

  if (name == NULL || *name == '\0')
    return fail (urdf, error, "a link without a name");
  if (g_hash_table_contains (urdf->by_name, name))
    return fail (urdf, error, "two links are called '%.60s'", name);
  if (urdf->links->len >= MAX_LINKS)
    return fail (urdf, error, "more than %d links", MAX_LINKS);
  link = g_new0 (Link, 1);
  link->name = g_strdup (name);
  link->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_shape_unref);
  link->joints = g_array_new (FALSE, FALSE, sizeof (int));
  link->joint = -1;
  orrery_transform_identity (&link->origin);
  g_ptr_array_add (urdf->links, link);
  g_hash_table_insert (urdf->by_name, link->name, link);
  urdf->link = link;
  return TRUE;
}

static gboolean
begin_joint (Urdf *urdf, const char *name, const char *type, GError **error)
{
  Joint *joint;

  if (name == NULL || type == NULL)
    return fail (urdf, error, "a joint without a name or a type");
  if (urdf->joints->len >= MAX_LINKS)
    return fail (urdf, error, "more than %d joints", MAX_LINKS);
  joint = g_new0 (Joint, 1);
  joint->name = g_strdup (name);
  joint->type = g_strdup (type);
  orrery_joint_init (&joint->joint, ORRERY_JOINT_HINGE);
  joint->joint.axis = (OrreryVec3){ 1, 0, 0 };
  orrery_transform_identity (&joint->origin);
  g_ptr_array_add (urdf->joints, joint);
  urdf->joint = joint;
  return TRUE;
}

static gboolean
read_axis (Urdf *urdf, const char **names, const char **values, GError **error)
{
  double xyz[3] = { 1, 0, 0 };
  OrreryVec3 v;
  double length;

  if (!read_numbers (urdf, "xyz", find_attribute (names, values, "xyz"), 3, xyz, error))
    return FALSE;
  v = (OrreryVec3){ xyz[0], xyz[1], xyz[2] };
  length = orrery_vec3_length (&v);
  if (length < 1e-9)
    return fail (urdf, error, "joint '%s': its axis has no length", urdf->joint->name);
  urdf->joint->joint.axis = (OrreryVec3){ v.x / length, v.y / length, v.z / length };
  return TRUE;
}

static gboolean
read_limit (Urdf *urdf, const char **names, const char **values, GError **error)
{
  OrreryJoint *joint = &urdf->joint->joint;

  urdf->joint->has_limit = TRUE;
  if (!read_number (urdf, names, values, "lower", &joint->lower, error) ||
      !read_number (urdf, names, values, "upper", &joint->upper, error) ||
      !read_number (urdf, names, values, "velocity", &joint->max_speed, error) ||
      !read_number (urdf, names, values, "effort", &joint->max_effort, error))
    return FALSE;
  joint->max_speed = fabs (joint->max_speed);
  joint->max_effort = fabs (joint->max_effort);
  if (joint->lower > joint->upper)
    return fail (urdf, error, "joint '%s': its lower limit is above the upper one",
                 urdf->joint->name);
  return TRUE;
}

/* Children of a joint. */
static gboolean
begin_in_joint (Urdf *urdf, const char *element, const char **names, const char **values,
                GError **error)
{
  Joint *joint = urdf->joint;
  const char *link = find_attribute (names, values, "link");

  if (g_str_equal (element, "origin"))
    return read_origin (urdf, names, values, &joint->origin, error);
  if (g_str_equal (element, "axis"))
    return read_axis (urdf, names, values, error);
  if (g_str_equal (element, "limit"))
    return read_limit (urdf, names, values, error);
  if (g_str_equal (element, "dynamics")) {
    gboolean fine = read_number (urdf, names, values, "damping", &joint->joint.damping, error) &&
                    read_number (urdf, names, values, "friction", &joint->joint.friction, error);

    joint->joint.damping = fabs (joint->joint.damping);
    joint->joint.friction = fabs (joint->joint.friction);
    return fine;
  }
  if (g_str_equal (element, "mimic"))
    urdf->n_mimics++;
  if (g_str_equal (element, "parent")) {
    g_free (joint->parent);
    joint->parent = g_strdup (link);
  } else if (g_str_equal (element, "child")) {
    g_free (joint->child);
    joint->child = g_strdup (link);
  }
  return TRUE;
}

static gboolean
begin_inertia (Urdf *urdf, const char **names, const char **values, GError **error)
{
  static const char *const parts[] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!read_number (urdf, names, values, parts[i], &urdf->link->inertia[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
begin_material (Urdf *urdf, const char **names, const char **values)
{
  const char *name = find_attribute (names, values, "name");

  g_free (urdf->material_name);
  urdf->material_name = g_strdup (name);
  return TRUE;
}

static gboolean
begin_color (Urdf *urdf, const char **names, const char **values, GError **error)
{
  double rgba[4] = { 1, 1, 1, 1 };

  if (!read_numbers (urdf, "rgba", find_attribute (names, values, "rgba"), 4, rgba, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    rgba[i] = CLAMP (rgba[i], 0, 1);
  g_clear_pointer (&urdf->material, orrery_material_unref);
  urdf->material = orrery_material_new (rgba[0], rgba[1], rgba[2], rgba[3]);
  if (urdf->material_name != NULL && *urdf->material_name != '\0')
    g_hash_table_replace (urdf->materials, g_strdup (urdf->material_name),
                          orrery_material_ref (urdf->material));
  return TRUE;
}

/* Inside of a link's inertial, visual or collision. */
static gboolean
begin_in_link (Urdf *urdf, const char *element, const char **names, const char **values,
               GError **error)
{
  const char *open = get_open (urdf, 0);

  if (g_str_equal (element, "origin"))
    return read_origin (urdf, names, values, &urdf->origin, error);
  if (g_str_equal (open, "geometry"))
    return begin_shape (urdf, element, names, values, error);
  if (g_str_equal (open, "inertial") && g_str_equal (element, "mass")) {
    urdf->link->has_inertial = TRUE;
    return read_number (urdf, names, values, "value", &urdf->link->mass, error);
  }
  if (g_str_equal (open, "inertial") && g_str_equal (element, "inertia"))
    return begin_inertia (urdf, names, values, error);
  return TRUE;
}

static gboolean
is_part (const char *element)
{
  return g_str_equal (element, "visual") || g_str_equal (element, "collision") ||
         g_str_equal (element, "inertial");
}

static gboolean
begin (Urdf *urdf, const char *element, const char **names, const char **values, GError **error)
{
  gboolean top = urdf->elements->len == 1;

  if (urdf->elements->len >= MAX_DEPTH)
    return fail (urdf, error, "elements lie more than %d deep in each other", MAX_DEPTH);
  if (urdf->elements->len == 0 && !g_str_equal (element, "robot"))
    return fail (urdf, error, "the root of a URDF file is <robot>, not <%.40s>", element);
  if (top && g_str_equal (element, "link"))
    return begin_link (urdf, find_attribute (names, values, "name"), error);
  /* A <joint> of a transmission lies deeper. */
  if (top && g_str_equal (element, "joint"))
    return begin_joint (urdf, find_attribute (names, values, "name"),
                        find_attribute (names, values, "type"), error);
  if (urdf->joint != NULL && urdf->elements->len == 2)
    return begin_in_joint (urdf, element, names, values, error);
  if (urdf->link != NULL && is_part (element))
    orrery_transform_identity (&urdf->origin);
  if (g_str_equal (element, "material"))
    return begin_material (urdf, names, values);
  if (g_str_equal (element, "color") && g_str_equal (get_open (urdf, 0), "material"))
    return begin_color (urdf, names, values, error);
  return urdf->link == NULL || begin_in_link (urdf, element, names, values, error);
}

static void
clear_part (Urdf *urdf)
{
  g_clear_pointer (&urdf->shape, orrery_shape_unref);
  g_clear_pointer (&urdf->mesh, g_free);
  g_clear_pointer (&urdf->material, orrery_material_unref);
  g_clear_pointer (&urdf->material_name, g_free);
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **names,
          const char **values, gpointer data, GError **error)
{
  Urdf *urdf = data;

  if (begin (urdf, element, names, values, error))
    g_ptr_array_add (urdf->elements, g_strdup (element));
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Urdf *urdf = data;

  g_ptr_array_set_size (urdf->elements, (int) urdf->elements->len - 1);
  if (urdf->elements->len == 2 && urdf->link != NULL) {
    if (g_str_equal (element, "inertial"))
      urdf->link->origin = urdf->origin;
    if (g_str_equal (element, "visual") || g_str_equal (element, "collision"))
      end_shape (urdf, g_str_equal (element, "collision"), error);
    clear_part (urdf);
  }
  if (urdf->elements->len > 1)
    return;
  clear_part (urdf);
  urdf->link = NULL;
  urdf->joint = NULL;
}

/* --- the tree --- */

static gboolean
bind (Urdf *urdf, int number, GError **error)
{
  Joint *joint = urdf->joints->pdata[number];
  Link *parent = joint->parent != NULL ? g_hash_table_lookup (urdf->by_name, joint->parent) : NULL;
  Link *child = joint->child != NULL ? g_hash_table_lookup (urdf->by_name, joint->child) : NULL;

  if (parent == NULL || child == NULL)
    return fail (urdf, error, "joint '%s': there is no link '%.60s'", joint->name,
                 parent == NULL ? (joint->parent != NULL ? joint->parent : "")
                                : (joint->child != NULL ? joint->child : ""));
  if (child->joint >= 0)
    return fail (urdf, error, "link '%s' hangs on two joints: '%s' and '%s'", child->name,
                 ((Joint *) urdf->joints->pdata[child->joint])->name, joint->name);
  child->joint = number;
  g_array_append_val (parent->joints, number);
  return TRUE;
}

static Link *
find_root (Urdf *urdf, GError **error)
{
  Link *root = NULL;

  if (urdf->links->len == 0) {
    fail (urdf, error, "there is no link in it");
    return NULL;
  }
  for (guint i = 0; i < urdf->joints->len; i++)
    if (!bind (urdf, (int) i, error))
      return NULL;
  for (guint i = 0; i < urdf->links->len; i++) {
    Link *link = urdf->links->pdata[i];

    if (link->joint >= 0)
      continue;
    if (root != NULL) {
      fail (urdf, error, "nothing holds links '%s' and '%s' together", root->name, link->name);
      return NULL;
    }
    root = link;
  }
  if (root == NULL)
    fail (urdf, error, "its joints are a ring: each link hangs on another");
  return root;
}

static gboolean
choose_kind (Urdf *urdf, Joint *joint, GError **error)
{
  static const char *const types[] = { "fixed", "revolute", "prismatic", "continuous", NULL };
  static const OrreryJointKind kinds[] = { ORRERY_JOINT_FIXED, ORRERY_JOINT_HINGE,
                                           ORRERY_JOINT_SLIDE, ORRERY_JOINT_HINGE };

  for (guint i = 0; types[i] != NULL; i++) {
    if (!g_str_equal (joint->type, types[i]))
      continue;
    joint->joint.kind = kinds[i];
    joint->joint.limited = joint->has_limit && (i == 1 || i == 2);
    return TRUE;
  }
  return fail (urdf, error,
               "joint '%s' is of the type '%.40s'; there is: fixed, revolute, "
               "continuous, prismatic, floating",
               joint->name, joint->type);
}

/* R I R^T: the file has it in the frame of the inertial's origin. */
static void
set_inertial (const Link *link, OrreryObject *object)
{
  const double *parts = link->inertia;
  const double m[3][3] = { { parts[0], parts[3], parts[4] },
                           { parts[3], parts[1], parts[5] },
                           { parts[4], parts[5], parts[2] } };
  double r[3][3], out[3][3] = { { 0 } };
  OrreryInertial inertial = { .centre = link->origin.position };

  for (guint k = 0; k < 3; k++) {
    OrreryVec3 e = { k == 0, k == 1, k == 2 };

    orrery_quat_rotate (&link->origin.rotation, &e, &e);
    r[0][k] = e.x;
    r[1][k] = e.y;
    r[2][k] = e.z;
  }
  for (guint i = 0; i < 81; i++) {
    guint a = i / 27, b = i / 9 % 3, c = i / 3 % 3, d = i % 3;

    out[a][b] += r[a][c] * m[c][d] * r[b][d];
  }
  inertial.xx = out[0][0];
  inertial.yy = out[1][1];
  inertial.zz = out[2][2];
  inertial.xy = out[0][1];
  inertial.xz = out[0][2];
  inertial.yz = out[1][2];
  orrery_object_set_inertial (object, &inertial);
}

/* What a link weighs that the file says nothing of: nothing, unless it ends a chain. */
static double
choose_mass (const Link *link)
{
  if (link->has_inertial && link->mass > 0)
    return link->mass;
  if (link->shapes->len > 0)
    return 1;
  return link->joints->len == 1 ? 0 : 1e-3;
}

static void
set_body (const Link *link, gboolean moves)
{
  OrreryBody *body = orrery_object_get_body (link->object);
  gboolean weighs = link->has_inertial && link->mass > 0;

  body->type = moves ? ORRERY_BODY_RIGID : ORRERY_BODY_STATIC;
  body->mass = moves ? choose_mass (link) : 1;
  /* Friction of 1 on 1, where others have .5 on .5: robots are made to hold. */
  body->friction = 1;
  body->margin = 0;
  body->linear_damping = body->angular_damping = 0;
  if (weighs)
    set_inertial (link, link->object);
  for (guint i = 0; i < link->shapes->len; i++)
    orrery_object_add_shape (link->object, link->shapes->pdata[i]);
}

static gboolean
add_link (Urdf *urdf, OrreryImport *import, Link *link, GError **error)
{
  Joint *joint = link->joint >= 0 ? urdf->joints->pdata[link->joint] : NULL;
  Link *parent = joint != NULL ? g_hash_table_lookup (urdf->by_name, joint->parent) : NULL;
  gboolean floats = joint != NULL && g_str_equal (joint->type, "floating");
  gboolean moves = joint != NULL || (link->has_inertial && link->mass > 0);

  if (joint != NULL && !floats && !choose_kind (urdf, joint, error))
    return FALSE;
  link->object =
      orrery_import_add_object (import, link->name, parent != NULL ? parent->object : NULL, error);
  if (link->object == NULL)
    return FALSE;
  set_body (link, moves);
  if (joint == NULL)
    return TRUE;
  orrery_object_set_start (link->object, &joint->origin);
  if (floats)
    return TRUE;
  joint->joint.initial =
      joint->joint.limited ? CLAMP (0, joint->joint.lower, joint->joint.upper) : 0;
  orrery_object_set_joint (link->object, &joint->joint);
  orrery_object_set_value (link->object, "joint", g_variant_new_string (joint->name));
  return TRUE;
}

/* Parents first, without a call for each level: chains may be long. */
static gboolean
add_links (Urdf *urdf, OrreryImport *import, Link *root, GError **error)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  guint n = 0;

  g_ptr_array_add (waiting, root);
  while (waiting->len > 0) {
    Link *link = g_ptr_array_steal_index (waiting, waiting->len - 1);

    if (!add_link (urdf, import, link, error))
      return FALSE;
    n++;
    for (guint i = link->joints->len; i > 0; i--) {
      Joint *joint = urdf->joints->pdata[g_array_index (link->joints, int, i - 1)];

      g_ptr_array_add (waiting, g_hash_table_lookup (urdf->by_name, joint->child));
    }
  }
  if (n == urdf->links->len)
    return TRUE;
  return fail (urdf, error, "%u of its links are a ring: each hangs on another",
               urdf->links->len - n);
}

static gboolean
parse (Urdf *urdf, const char *text, gsize length, GError **error)
{
  static const GMarkupParser parser = { .start_element = on_start, .end_element = on_end };
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser,
                                  G_MARKUP_PREFIX_ERROR_POSITION | G_MARKUP_TREAT_CDATA_AS_TEXT,
                                  urdf, NULL);
  g_autoptr (GError) local = NULL;

  if (g_markup_parse_context_parse (context, length > 0 ? text : "", (gssize) length, &local) &&
      g_markup_parse_context_end_parse (context, &local))
    return TRUE;
  if (local->domain == ORRERY_ERROR)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    fail (urdf, error, "%s", local->message);
  return FALSE;
}

gboolean
urdf_read (const char *text, gsize length, const char *path, OrreryImport *import, GError **error)
{
  Urdf urdf = { .path = path, .folder = g_path_get_dirname (path) };
  gboolean fine;
  Link *root = NULL;

  urdf.links = g_ptr_array_new_with_free_func (link_free);
  urdf.joints = g_ptr_array_new_with_free_func (joint_free);
  urdf.elements = g_ptr_array_new_with_free_func (g_free);
  urdf.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  urdf.materials = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) orrery_material_unref);
  fine = parse (&urdf, text, length, error);
  if (fine)
    root = find_root (&urdf, error);
  fine = root != NULL && add_links (&urdf, import, root, error);
  if (fine && urdf.n_mimics > 0)
    g_message ("%s: %u joints mimic others; here each has a motor of its own", path, urdf.n_mimics);
  clear_part (&urdf);
  g_ptr_array_unref (urdf.links);
  g_ptr_array_unref (urdf.joints);
  g_ptr_array_unref (urdf.elements);
  g_hash_table_unref (urdf.by_name);
  g_hash_table_unref (urdf.materials);
  g_free (urdf.folder);
  return fine;
}
