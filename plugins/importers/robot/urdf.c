/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the XML of a URDF file into links and joints. */
#define G_LOG_DOMAIN "orrery.importers.urdf"

#include "urdf-private.h"

#include "../mesh/mesh-store.h"

#include <math.h>
#include <string.h>

#define MAX_SHAPES 50000
#define MAX_DEPTH 64
#define MAX_WORDS 100000 /* bytes, of one element of <gazebo> */

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
  g_free (joint->mimics);
  g_free (joint);
}

static void
drive_clear (gpointer data)
{
  g_free (((Drive *) data)->joint);
}

gboolean
urdf_fail (const Urdf *urdf, GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  if (urdf->line > 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s:%d: %s", urdf->path, urdf->line,
                             words);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: %s", urdf->path, words);
}

void
urdf_leave (Urdf *urdf, const char *element, const char *why)
{
  unread_note (urdf->unread, element, NULL, urdf->path, urdf->line, why);
}

/* --- attributes --- */

const char *
urdf_find_attribute (const char **names, const char **values, const char *name)
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
      return urdf_fail (urdf, error, "%s='%.60s' is not %u number%s up to 1e9", name, text, n,
                        n == 1 ? "" : "s");
    at = end;
  }
  while (at != NULL && g_ascii_isspace (*at))
    at++;
  if (at != NULL && *at != '\0')
    return urdf_fail (urdf, error, "%s='%.60s' is not %u number%s", name, text, n,
                      n == 1 ? "" : "s");
  return TRUE;
}

static gboolean
read_number (const Urdf *urdf, const char **names, const char **values, const char *name,
             double *out, GError **error)
{
  return read_numbers (urdf, name, urdf_find_attribute (names, values, name), 1, out, error);
}

static gboolean
read_origin (const Urdf *urdf, const char **names, const char **values, OrreryTransform *out,
             GError **error)
{
  double xyz[3] = { 0 }, rpy[3] = { 0 };

  if (!read_numbers (urdf, "xyz", urdf_find_attribute (names, values, "xyz"), 3, xyz, error) ||
      !read_numbers (urdf, "rpy", urdf_find_attribute (names, values, "rpy"), 3, rpy, error))
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
    return urdf_fail (urdf, error, "link '%s': a shape has a size above 0", urdf->link->name);
  g_clear_pointer (&urdf->shape, orrery_shape_unref);
  urdf->shape = orrery_shape_new (kind, &size, NULL);
  return TRUE;
}

static gboolean
begin_shape (Urdf *urdf, const char *element, const char **names, const char **values,
             GError **error)
{
  double size[3] = { 0 }, radius = 0, length = 0, scale[3] = { 1, 1, 1 };
  const char *file = urdf_find_attribute (names, values, "filename");

  if (!read_numbers (urdf, "size", urdf_find_attribute (names, values, "size"), 3, size, error) ||
      !read_number (urdf, names, values, "radius", &radius, error) ||
      !read_number (urdf, names, values, "length", &length, error) ||
      !read_numbers (urdf, "scale", urdf_find_attribute (names, values, "scale"), 3, scale, error))
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
    return urdf_fail (urdf, error, "link '%s': a mesh without a filename", urdf->link->name);
  g_free (urdf->mesh);
  urdf->mesh = g_strdup (file);
  urdf->scale = (OrreryVec3){ scale[0], scale[1], scale[2] };
  return TRUE;
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
  file = urdf_find_file (urdf, urdf->mesh, error);
  if (file == NULL)
    return NULL;
  /* A mesh that moves collides as its hull. */
  return mesh_store_load (urdf->meshes, file, &urdf->scale, solid, &urdf->origin, urdf->import,
                          error);
}

static gboolean
end_shape (Urdf *urdf, gboolean solid, GError **error)
{
  g_autoptr (OrreryShape) shape = NULL;
  OrreryMaterial *material = urdf->material;

  if (urdf->shape == NULL && urdf->mesh == NULL)
    return urdf_fail (urdf, error, "link '%s': a %s without a geometry that is known",
                      urdf->link->name, solid ? "collision" : "visual");
  if (++urdf->n_shapes > MAX_SHAPES)
    return urdf_fail (urdf, error, "more than %d shapes", MAX_SHAPES);
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
    return urdf_fail (urdf, error, "a link without a name");
  if (g_hash_table_contains (urdf->by_name, name))
    return urdf_fail (urdf, error, "two links are called '%.60s'", name);
  if (urdf->links->len >= MAX_LINKS)
    return urdf_fail (urdf, error, "more than %d links", MAX_LINKS);
  link = g_new0 (Link, 1);
  link->name = g_strdup (name);
  link->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_shape_unref);
  link->joints = g_array_new (FALSE, FALSE, sizeof (int));
  link->joint = -1;
  link->line = urdf->line;
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
    return urdf_fail (urdf, error, "a joint without a name or a type");
  if (urdf->joints->len >= MAX_LINKS)
    return urdf_fail (urdf, error, "more than %d joints", MAX_LINKS);
  if (!g_hash_table_add (urdf->joint_names, g_strdup (name)))
    return urdf_fail (urdf, error, "two joints are called '%.60s'", name);
  joint = g_new0 (Joint, 1);
  joint->name = g_strdup (name);
  joint->type = g_strdup (type);
  joint->line = urdf->line;
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

  if (!read_numbers (urdf, "xyz", urdf_find_attribute (names, values, "xyz"), 3, xyz, error))
    return FALSE;
  v = (OrreryVec3){ xyz[0], xyz[1], xyz[2] };
  length = orrery_vec3_length (&v);
  if (length < 1e-9)
    return urdf_fail (urdf, error, "joint '%s': its axis has no length", urdf->joint->name);
  urdf->joint->joint.axis = orrery_vec3_divide (&v, length);
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
    return urdf_fail (urdf, error, "joint '%s': its lower limit is above the upper one",
                      urdf->joint->name);
  return TRUE;
}

static gboolean
read_mimic (Urdf *urdf, const char **names, const char **values, GError **error)
{
  Joint *joint = urdf->joint;
  const char *leader = urdf_find_attribute (names, values, "joint");

  if (leader == NULL)
    return urdf_fail (urdf, error, "joint '%s': a <mimic> without a joint", joint->name);
  g_free (joint->mimics);
  joint->mimics = g_strdup (leader);
  joint->multiplier = 1;
  joint->offset = 0;
  return read_number (urdf, names, values, "multiplier", &joint->multiplier, error) &&
         read_number (urdf, names, values, "offset", &joint->offset, error);
}

/* Children of a joint. */
static gboolean
begin_in_joint (Urdf *urdf, const char *element, const char **names, const char **values,
                GError **error)
{
  Joint *joint = urdf->joint;
  const char *link = urdf_find_attribute (names, values, "link");

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
    return read_mimic (urdf, names, values, error);
  if (g_str_equal (element, "parent")) {
    g_free (joint->parent);
    joint->parent = g_strdup (link);
  } else if (g_str_equal (element, "child")) {
    g_free (joint->child);
    joint->child = g_strdup (link);
  } else {
    urdf_leave (urdf, element, "a joint has axis, limit, dynamics, mimic and where it is");
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
  const char *name = urdf_find_attribute (names, values, "name");

  g_free (urdf->material_name);
  urdf->material_name = g_strdup (name);
  return TRUE;
}

static gboolean
begin_color (Urdf *urdf, const char **names, const char **values, GError **error)
{
  double rgba[4] = { 1, 1, 1, 1 };

  if (!read_numbers (urdf, "rgba", urdf_find_attribute (names, values, "rgba"), 4, rgba, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    rgba[i] = CLAMP (rgba[i], 0, 1);
  g_clear_pointer (&urdf->material, orrery_material_unref);
  urdf->material = orrery_material_new (rgba[0], rgba[1], rgba[2], rgba[3]);
  orrery_material_set_name (urdf->material, urdf->material_name);
  if (urdf->material_name != NULL && *urdf->material_name != '\0')
    g_hash_table_replace (urdf->materials, g_strdup (urdf->material_name),
                          orrery_material_ref (urdf->material));
  return TRUE;
}

static gboolean
is_part (const char *element)
{
  return g_str_equal (element, "visual") || g_str_equal (element, "collision") ||
         g_str_equal (element, "inertial");
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
  if (g_str_equal (element, "texture"))
    urdf_leave (urdf, element, "of a material only its colour is read");
  else if (!is_part (element) && !g_str_equal (element, "geometry"))
    urdf_leave (urdf, element, "a link has inertial, visual and collision");
  return TRUE;
}

/* --- transmissions --- */

static gboolean
begin_drive (Urdf *urdf, const char *joint, GError **error)
{
  Drive drive = { g_strdup (joint != NULL ? joint : ""), POSITION };

  g_array_append_val (urdf->drives, drive);
  if (urdf->drives->len > MAX_LINKS)
    return urdf_fail (urdf, error, "more than %d joints of transmissions", MAX_LINKS);
  return TRUE;
}

/* hardware_interface/PositionJointInterface and the like, of the joint or of its actuator */
static void
read_interface (Urdf *urdf, const char *text, gsize length)
{
  Drive *last =
      urdf->drives->len > 0 ? &g_array_index (urdf->drives, Drive, urdf->drives->len - 1) : NULL;

  if (last == NULL || urdf->elements->len != 4 ||
      !g_str_equal (get_open (urdf, 0), "hardwareInterface") ||
      !g_str_equal (urdf->elements->pdata[1], "transmission"))
    return;
  if (g_strstr_len (text, (gssize) length, "Velocity") != NULL)
    last->motor = VELOCITY;
  else if (g_strstr_len (text, (gssize) length, "Effort") != NULL)
    last->motor = EFFORT;
}

/* ros2_control: the first command interface of a joint says how it is driven. */
static gboolean
begin_control (Urdf *urdf, const char *element, const char **names, const char **values,
               GError **error)
{
  const char *name = urdf_find_attribute (names, values, "name");
  Drive *last;

  if (urdf->elements->len == 2 && !g_str_equal (element, "joint"))
    urdf_leave (urdf, element, "of ros2_control the command interfaces of joints are read");
  if (urdf->elements->len == 2 && g_str_equal (element, "joint")) {
    if (!begin_drive (urdf, name, error))
      return FALSE;
    g_array_index (urdf->drives, Drive, urdf->drives->len - 1).motor = NULL;
    return TRUE;
  }
  if (urdf->elements->len != 3 || !g_str_equal (element, "command_interface") || name == NULL ||
      !g_str_equal (get_open (urdf, 0), "joint"))
    return TRUE;
  last = &g_array_index (urdf->drives, Drive, urdf->drives->len - 1);
  if (last->motor == NULL)
    last->motor = g_str_equal (name, "position")   ? POSITION
                  : g_str_equal (name, "velocity") ? VELOCITY
                  : g_str_equal (name, "effort")   ? EFFORT
                                                   : NULL;
  return TRUE;
}

/* The file still has macros; xacro must expand them first. */
static gboolean
check_plain (Urdf *urdf, const char *element, const char **values, GError **error)
{
  gboolean fine = !g_str_has_prefix (element, "xacro:");

  for (guint i = 0; fine && values[i] != NULL; i++)
    fine = strstr (values[i], "${") == NULL && strstr (values[i], "$(") == NULL;
  if (fine)
    return TRUE;
  return urdf_fail (
      urdf, error,
      "<%.40s> is for xacro and not part of URDF; write the output of xacro into a file: "
      "xacro %s > robot.urdf",
      element, urdf->path);
}

static gboolean
is_within (const Urdf *urdf, const char *element, const char *part)
{
  if (urdf->elements->len == 1)
    return g_str_equal (element, part);
  return urdf->elements->len > 1 && g_str_equal (urdf->elements->pdata[1], part);
}

/* What lies neither in a link nor in a joint. */
static void
leave_others (Urdf *urdf, const char *element)
{
  static const char *const known[] = { "link", "joint",        "material", "transmission",
                                       "type", "ros2_control", "gazebo",   "hardwareInterface",
                                       NULL };

  if (urdf->elements->len == 0 || g_strv_contains (known, element))
    return;
  if (g_str_equal (element, "mechanicalReduction"))
    urdf_leave (urdf, element, "motors act on joints, without gears");
  else if (g_str_equal (element, "texture"))
    urdf_leave (urdf, element, "of a material only its colour is read");
  else if (urdf->elements->len == 1)
    urdf_leave (urdf, element, "a robot has links, joints and what drives them");
}

static gboolean
begin (Urdf *urdf, const char *element, const char **names, const char **values, GError **error)
{
  gboolean top = urdf->elements->len == 1;

  if (urdf->elements->len >= MAX_DEPTH)
    return urdf_fail (urdf, error, "elements are nested more than %d deep", MAX_DEPTH);
  if (urdf->elements->len == 0 && !g_str_equal (element, "robot"))
    return urdf_fail (urdf, error, "the root of a URDF file is <robot>, not <%.40s>", element);
  if (!check_plain (urdf, element, values, error))
    return FALSE;
  if (is_within (urdf, element, "gazebo"))
    return urdf_gazebo_begin (urdf, element, names, values, error);
  if (is_within (urdf, element, "ros2_control"))
    return begin_control (urdf, element, names, values, error);
  if (top && g_str_equal (element, "link"))
    return begin_link (urdf, urdf_find_attribute (names, values, "name"), error);
  /* A <joint> of a transmission lies deeper. */
  if (top && g_str_equal (element, "joint"))
    return begin_joint (urdf, urdf_find_attribute (names, values, "name"),
                        urdf_find_attribute (names, values, "type"), error);
  if (urdf->elements->len == 2 && g_str_equal (get_open (urdf, 0), "transmission") &&
      g_str_equal (element, "joint"))
    return begin_drive (urdf, urdf_find_attribute (names, values, "name"), error);
  if (urdf->joint != NULL && urdf->elements->len == 2)
    return begin_in_joint (urdf, element, names, values, error);
  if (urdf->link != NULL && is_part (element))
    orrery_transform_identity (&urdf->origin);
  if (g_str_equal (element, "material"))
    return begin_material (urdf, names, values);
  if (g_str_equal (element, "color") && g_str_equal (get_open (urdf, 0), "material"))
    return begin_color (urdf, names, values, error);
  if (urdf->link != NULL)
    return begin_in_link (urdf, element, names, values, error);
  leave_others (urdf, element);
  return TRUE;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
         GError **error)
{
  Urdf *urdf = data;

  if (!is_within (urdf, "", "gazebo"))
    read_interface (urdf, text, length);
  else if (urdf->words->len + length < MAX_WORDS)
    g_string_append_len (urdf->words, text, (gssize) length);
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

  g_markup_parse_context_get_position (context, &urdf->line, NULL);
  if (begin (urdf, element, names, values, error))
    g_ptr_array_add (urdf->elements, g_strdup (element));
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Urdf *urdf = data;

  g_markup_parse_context_get_position (context, &urdf->line, NULL);
  g_ptr_array_set_size (urdf->elements, (int) urdf->elements->len - 1);
  if (urdf->elements->len > 1 && is_within (urdf, element, "gazebo")) {
    urdf_gazebo_end (urdf, element);
    return;
  }
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

static gboolean
parse (Urdf *urdf, const char *text, gsize length, GError **error)
{
  static const GMarkupParser parser = { .start_element = on_start,
                                        .end_element = on_end,
                                        .text = on_text };
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, urdf, NULL);
  g_autoptr (GError) local = NULL;
  gboolean fine =
      g_markup_parse_context_parse (context, length > 0 ? text : "", (gssize) length, &local) &&
      g_markup_parse_context_end_parse (context, &local);

  /* What comes behind is about the file as a whole; errors of XML tell their line themselves. */
  urdf->line = 0;
  if (fine)
    return TRUE;
  if (local->domain == ORRERY_ERROR)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    urdf_fail (urdf, error, "%s", local->message);
  return FALSE;
}

gboolean
urdf_read (const char *text, gsize length, const char *path, OrreryImport *import, GError **error)
{
  Urdf urdf = { .path = path, .import = import, .folder = g_path_get_dirname (path) };
  gboolean fine;

  urdf.links = g_ptr_array_new_with_free_func (link_free);
  urdf.joints = g_ptr_array_new_with_free_func (joint_free);
  urdf.drives = g_array_new (FALSE, FALSE, sizeof (Drive));
  g_array_set_clear_func (urdf.drives, drive_clear);
  urdf.elements = g_ptr_array_new_with_free_func (g_free);
  urdf.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  urdf.joint_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  urdf.meshes = mesh_store_new ();
  urdf.materials = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) orrery_material_unref);
  urdf.unread = unread_new ();
  urdf_gazebo_init (&urdf);
  fine = parse (&urdf, text, length, error);
  fine = fine && urdf_add_links (&urdf, import, error);
  if (fine)
    urdf_gazebo_add (&urdf, import);
  if (fine)
    unread_tell (urdf.unread, G_LOG_DOMAIN);
  clear_part (&urdf);
  g_ptr_array_unref (urdf.links);
  g_ptr_array_unref (urdf.joints);
  g_ptr_array_unref (urdf.elements);
  g_array_unref (urdf.drives);
  g_hash_table_unref (urdf.by_name);
  g_hash_table_unref (urdf.joint_names);
  urdf_gazebo_clear (&urdf);
  unread_free (urdf.unread);
  g_hash_table_unref (urdf.materials);
  g_hash_table_unref (urdf.meshes);
  g_free (urdf.folder);
  return fine;
}
