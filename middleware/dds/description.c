/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tree of a robot as URDF (http://wiki.ros.org/urdf/XML). */
#include "description.h"

#include "mesh-file.h"

#define ROOT "base_link"

typedef struct {
  GString *xml;
  OrreryObject *robot;
  const char *meshes; /* (nullable) */
  GError *error;      /* (nullable): of the first mesh that could not be written */
} Description;

static void
add_text (GString *xml, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (xml, escaped);
}

/* The same in every locale. */
static void
add_number (GString *xml, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (xml, g_ascii_formatd (text, sizeof text, "%.9g", value));
}

static void
add_attribute (GString *xml, const char *name, const double *values, guint n)
{
  g_string_append_printf (xml, " %s=\"", name);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (xml, ' ');
    add_number (xml, values[i]);
  }
  g_string_append_c (xml, '"');
}

static void
add_vector (GString *xml, const char *name, const OrreryVec3 *v)
{
  const double values[] = { v->x, v->y, v->z };

  add_attribute (xml, name, values, G_N_ELEMENTS (values));
}

static void
add_origin (GString *xml, const OrreryTransform *pose)
{
  double angles[3];

  orrery_quat_to_euler (&pose->rotation, &angles[0], &angles[1], &angles[2]);
  g_string_append (xml, "<origin");
  add_vector (xml, "xyz", &pose->position);
  add_attribute (xml, "rpy", angles, G_N_ELEMENTS (angles));
  g_string_append (xml, "/>");
}

/* --- links --- */

static gboolean
add_mesh (Description *self, OrreryShape *shape)
{
  g_autofree char *uri = NULL;

  /* Hulls have no triangles. One directory that cannot be written is told once. */
  if (self->meshes == NULL || self->error != NULL || orrery_shape_get_triangles (shape) == NULL)
    return FALSE;
  uri = ros2_write_mesh (shape, self->meshes, &self->error);
  if (uri == NULL)
    return FALSE;
  g_string_append (self->xml, "<geometry><mesh filename=\"");
  add_text (self->xml, uri);
  g_string_append (self->xml, "\"/></geometry>");
  return TRUE;
}

static gboolean
add_geometry (Description *self, OrreryShape *shape)
{
  GString *xml = self->xml;
  const OrreryVec3 *size = orrery_shape_get_size (shape);
  OrreryShapeKind kind = orrery_shape_get_kind (shape);
  const OrreryVec3 whole = { 2 * size->x, 2 * size->y, 2 * size->z };
  /* URDF has no capsule and no cone. */
  double length = whole.z + (kind == ORRERY_SHAPE_CAPSULE ? whole.x : 0);

  if (kind == ORRERY_SHAPE_HULL || kind == ORRERY_SHAPE_MESH)
    return add_mesh (self, shape);
  g_string_append (xml, "<geometry><");
  if (kind == ORRERY_SHAPE_BOX) {
    g_string_append (xml, "box");
    add_vector (xml, "size", &whole);
  } else {
    g_string_append (xml, kind == ORRERY_SHAPE_SPHERE ? "sphere" : "cylinder");
    add_attribute (xml, "radius", &size->x, 1);
    if (kind != ORRERY_SHAPE_SPHERE)
      add_attribute (xml, "length", &length, 1);
  }
  g_string_append (xml, "/></geometry>");
  return TRUE;
}

/* Its first colour. */
static void
add_material (GString *xml, OrreryShape *shape)
{
  OrreryMaterial *material = orrery_shape_get_material (shape, 0);
  double values[4] = { 0, 0, 0, 1 };

  if (material == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    values[i] = orrery_material_get_color (material)[i];
  g_string_append (xml, "<material name=\"\"><color");
  add_attribute (xml, "rgba", values, G_N_ELEMENTS (values));
  g_string_append (xml, "/></material>");
}

static void
add_shape (Description *self, OrreryShape *shape, const char *use)
{
  GString *xml = self->xml;
  gsize begin = xml->len;

  g_string_append_printf (xml, "    <%s>", use);
  add_origin (xml, orrery_shape_get_pose (shape));
  if (!add_geometry (self, shape)) {
    g_string_truncate (xml, begin);
    return;
  }
  if (g_str_equal (use, "visual"))
    add_material (xml, shape);
  g_string_append_printf (xml, "</%s>\n", use);
}

static void
add_inertial (GString *xml, OrreryObject *object)
{
  const OrreryInertial *inertial = orrery_object_get_inertial (object);
  const OrreryVec3 *own = orrery_object_get_inertia (object);
  OrreryInertial made = { .xx = own->x, .yy = own->y, .zz = own->z };
  OrreryTransform centre = { .rotation = { .w = 1 } };
  double mass = orrery_object_get_mass (object);

  if (mass <= 0)
    return;
  if (inertial != NULL)
    made = *inertial;
  centre.position = made.centre;
  g_string_append (xml, "    <inertial>");
  add_origin (xml, &centre);
  g_string_append (xml, "<mass");
  add_attribute (xml, "value", &mass, 1);
  g_string_append (xml, "/><inertia");
  add_attribute (xml, "ixx", &made.xx, 1);
  add_attribute (xml, "ixy", &made.xy, 1);
  add_attribute (xml, "ixz", &made.xz, 1);
  add_attribute (xml, "iyy", &made.yy, 1);
  add_attribute (xml, "iyz", &made.yz, 1);
  add_attribute (xml, "izz", &made.zz, 1);
  g_string_append (xml, "/></inertial>\n");
}

/* Returns: (transfer full) */
static char *
name_link (OrreryObject *object, OrreryObject *robot)
{
  g_autofree char *topic = orrery_make_topic_name (orrery_object_get_name (object));

  return g_strdup (object == robot ? ROOT : topic + 1);
}

static void
add_link (Description *self, OrreryObject *object, const char *name)
{
  GString *xml = self->xml;
  GPtrArray *shapes = orrery_object_get_shapes (object);

  g_string_append (xml, "  <link name=\"");
  add_text (xml, name);
  g_string_append (xml, "\">\n");
  add_inertial (xml, object);
  for (guint i = 0; i < shapes->len; i++) {
    if (orrery_shape_is_visible (shapes->pdata[i]))
      add_shape (self, shapes->pdata[i], "visual");
    if (orrery_shape_is_solid (shapes->pdata[i]))
      add_shape (self, shapes->pdata[i], "collision");
  }
  g_string_append (xml, "  </link>\n");
}

/* --- joints --- */

static const char *
name_kind (const OrreryJoint *joint)
{
  if (joint == NULL)
    return "fixed";
  switch (joint->kind) {
  case ORRERY_JOINT_HINGE:
    return joint->limited ? "revolute" : "continuous";
  case ORRERY_JOINT_SLIDE:
    return "prismatic";
  case ORRERY_JOINT_BALL:
    return "floating";
  default:
    return "fixed";
  }
}

static void
add_limit (GString *xml, const OrreryJoint *joint)
{
  /* A prismatic joint has to have limits; 0 would hold it. */
  const double far = 1e9;
  double lower = joint->limited ? joint->lower : -far, upper = joint->limited ? joint->upper : far;
  double effort = joint->max_effort > 0 ? joint->max_effort : far;
  double speed = joint->max_speed > 0 ? joint->max_speed : far;

  g_string_append (xml, "<limit");
  add_attribute (xml, "lower", &lower, 1);
  add_attribute (xml, "upper", &upper, 1);
  add_attribute (xml, "effort", &effort, 1);
  add_attribute (xml, "velocity", &speed, 1);
  g_string_append (xml, "/>");
}

static void
add_connection (GString *xml, const char *name, const char *kind, const char *parent,
                const char *child, const OrreryTransform *origin)
{
  g_string_append (xml, "  <joint name=\"");
  add_text (xml, name);
  g_string_append_printf (xml, "\" type=\"%s\">", kind);
  g_string_append (xml, "<parent link=\"");
  add_text (xml, parent);
  g_string_append (xml, "\"/><child link=\"");
  add_text (xml, child);
  g_string_append (xml, "\"/>");
  add_origin (xml, origin);
}

/* URDF's axis goes through the origin of the child: one that does not has a link of its own there.
 */
static void
add_joint (GString *xml, OrreryObject *object, const char *name, const char *parent)
{
  static const OrreryJointState zero = { .rotation = { .w = 1 } };
  const OrreryJoint *joint = orrery_object_get_joint (object);
  OrreryTransform origin = *orrery_object_get_start (object), back = { .rotation = { .w = 1 } };
  g_autofree char *pivot = NULL;

  if (joint != NULL) {
    OrreryVec3 moved;

    orrery_joint_place (joint, &origin, &zero, &origin);
    orrery_quat_rotate (&origin.rotation, &joint->anchor, &moved);
    back.position = (OrreryVec3){ -joint->anchor.x, -joint->anchor.y, -joint->anchor.z };
    if (moved.x != 0 || moved.y != 0 || moved.z != 0)
      pivot = g_strconcat (name, "/pivot", NULL);
    origin.position.x += moved.x;
    origin.position.y += moved.y;
    origin.position.z += moved.z;
  }
  add_connection (xml, joint != NULL ? orrery_object_get_joint_name (object) : name,
                  name_kind (joint), parent, pivot != NULL ? pivot : name, &origin);
  if (joint != NULL && (joint->kind == ORRERY_JOINT_HINGE || joint->kind == ORRERY_JOINT_SLIDE)) {
    g_string_append (xml, "<axis");
    add_vector (xml, "xyz", &joint->axis);
    g_string_append (xml, "/>");
    add_limit (xml, joint);
  }
  g_string_append (xml, "</joint>\n");
  if (pivot == NULL)
    return;
  g_string_append (xml, "  <link name=\"");
  add_text (xml, pivot);
  g_string_append (xml, "\"/>\n");
  add_connection (xml, pivot, "fixed", pivot, name, &back);
  g_string_append (xml, "</joint>\n");
}

static void
add_tree (Description *self, OrreryObject *object)
{
  g_autofree char *name = name_link (object, self->robot);
  GPtrArray *children = orrery_object_get_children (object);

  add_link (self, object, name);
  for (guint i = 0; i < children->len; i++) {
    g_autofree char *child = name_link (children->pdata[i], self->robot);

    add_joint (self->xml, children->pdata[i], child, name);
    add_tree (self, children->pdata[i]);
  }
}

char *
ros2_describe_robot (OrreryObject *robot, const char *meshes, GError **error)
{
  Description self = { g_string_new ("<?xml version=\"1.0\"?>\n<robot name=\""), robot, meshes,
                       NULL };

  add_text (self.xml, orrery_object_get_name (robot));
  g_string_append (self.xml, "\">\n");
  add_tree (&self, robot);
  g_string_append (self.xml, "</robot>\n");
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  return g_string_free (self.xml, FALSE);
}
