/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene.h"

#include "world/orrery-world-private.h"

#include <math.h>

/* --- a small reader of our own data; what it does not know fails the test --- */

static OrreryNode *
load (const char *name)
{
  g_autofree char *path = g_strconcat (g_getenv ("ORRERY_TEST_BUILDDIR"),
                                       "/lib/orrery-1/plugins/orrery/", name, ".json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  OrreryNode *node;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  node = orrery_node_parse_json (text, length, path, &error);
  g_assert_no_error (error);
  return node;
}

static double
get_number (OrreryNode *node, const char *key, double fallback)
{
  OrreryNode *value = orrery_node_find (node, key);

  return value != NULL ? orrery_node_get_double (value) : fallback;
}

static OrreryVec3
get_vec3 (OrreryNode *node, const char *key)
{
  OrreryNode *value = orrery_node_find (node, key);
  OrreryVec3 v = { 0 };

  if (value == NULL)
    return v;
  v.x = orrery_node_get_double (orrery_node_get_item (value, 0));
  v.y = orrery_node_get_double (orrery_node_get_item (value, 1));
  v.z = orrery_node_get_double (orrery_node_get_item (value, 2));
  return v;
}

static void
get_pose (OrreryNode *node, OrreryTransform *pose)
{
  OrreryVec3 angles = get_vec3 (node, "rotation");

  pose->position = get_vec3 (node, "position");
  orrery_quat_from_euler (angles.x, angles.y, angles.z, &pose->rotation);
}

static OrreryBuffer *
get_rows (OrreryNode *node, const char *key, OrreryElement element)
{
  OrreryNode *rows = orrery_node_find (node, key);
  gsize shape[2] = { rows != NULL ? orrery_node_get_length (rows) : 0, 3 };
  OrreryBuffer *buffer;

  if (rows == NULL)
    return NULL;
  buffer = orrery_buffer_new (element, 2, shape);
  for (guint i = 0; i < shape[0] * 3; i++) {
    OrreryNode *item = orrery_node_get_item (orrery_node_get_item (rows, i / 3), i % 3);

    if (element == ORRERY_ELEMENT_DOUBLE)
      ((double *) orrery_buffer_get_data (buffer))[i] = orrery_node_get_double (item);
    else
      ((guint32 *) orrery_buffer_get_data (buffer))[i] = orrery_node_get_int (item);
  }
  return buffer;
}

static void
add_shape (OrreryObject *object, OrreryNode *node)
{
  const char *kind = orrery_node_get_text (orrery_node_find (node, "kind"));
  OrreryNode *solid = orrery_node_find (node, "solid");
  g_autoptr (OrreryBuffer) points = get_rows (node, "points", ORRERY_ELEMENT_DOUBLE);
  g_autoptr (OrreryBuffer) triangles = get_rows (node, "triangles", ORRERY_ELEMENT_UINT32);
  g_autoptr (OrreryShape) shape = NULL;
  OrreryVec3 size = get_vec3 (node, "size");
  double radius = get_number (node, "radius", 0);
  OrreryTransform pose;

  get_pose (node, &pose);
  if (g_str_equal (kind, "hull") || g_str_equal (kind, "mesh")) {
    shape = orrery_shape_new_points (kind[0] == 'h' ? ORRERY_SHAPE_HULL : ORRERY_SHAPE_MESH, points,
                                     triangles, &pose);
  } else if (g_str_equal (kind, "box")) {
    size = (OrreryVec3){ size.x / 2, size.y / 2, size.z / 2 };
    shape = orrery_shape_new (ORRERY_SHAPE_BOX, &size, &pose);
  } else {
    g_assert_cmpstr (kind, ==, "cylinder");
    size = (OrreryVec3){ radius, radius, get_number (node, "height", 0) / 2 };
    shape = orrery_shape_new (ORRERY_SHAPE_CYLINDER, &size, &pose);
  }
  orrery_shape_set_solid (shape, solid == NULL || orrery_node_get_bool (solid));
  orrery_object_add_shape (object, shape);
}

static void
read_body (OrreryBody *body, OrreryNode *node)
{
  const char *type = orrery_node_get_text (orrery_node_find (node, "type"));
  OrreryNode *damping = orrery_node_find (node, "damping");

  body->type = g_str_equal (type, "static") ? ORRERY_BODY_STATIC : ORRERY_BODY_RIGID;
  body->mass = get_number (node, "mass", body->mass);
  body->margin = get_number (node, "margin", body->margin);
  body->friction = get_number (node, "friction", body->friction);
  if (damping == NULL)
    return;
  body->linear_damping = orrery_node_get_double (orrery_node_get_item (damping, 0));
  body->angular_damping = orrery_node_get_double (orrery_node_get_item (damping, 1));
}

static OrreryObject *
add_object (Scene *scene, OrreryNode *node, const char *name, OrreryObject *parent)
{
  OrreryNode *body = orrery_node_find (node, "body");
  OrreryNode *shapes = orrery_node_find (node, "shapes");
  OrreryNode *children = orrery_node_find (node, "objects");
  OrreryObject *object = orrery_world_add_object (scene->world, name, parent, NULL);
  OrreryTransform pose;

  g_assert_nonnull (object);
  get_pose (node, &pose);
  orrery_object_set_start (object, &pose);
  if (body != NULL)
    read_body (orrery_object_get_body (object), body);
  for (guint i = 0; shapes != NULL && i < orrery_node_get_length (shapes); i++)
    add_shape (object, orrery_node_get_item (shapes, i));
  for (guint i = 0; children != NULL && i < orrery_node_get_length (children); i++) {
    OrreryNode *child = orrery_node_get_item (children, i);
    add_object (scene, child, orrery_node_get_text (orrery_node_find (child, "name")), object);
  }
  return object;
}

/* --- the scene --- */

Scene *
scene_new (GType engine, const char *environment)
{
  Scene *scene = g_new0 (Scene, 1);
  g_autofree char *name = g_strconcat ("environments/", environment, NULL);
  g_autoptr (OrreryNode) file = NULL;
  OrreryNode *objects;

  scene->world = orrery_world_new ();
  scene->physics = g_object_new (engine, NULL);
  scene->frequency = 60;
  scene->substeps = 2;
  if (environment == NULL)
    return scene;

  file = load (name);
  objects = orrery_node_find (orrery_node_find (file, "environment"), "objects");
  for (guint i = 0; i < orrery_node_get_length (objects); i++) {
    OrreryNode *object = orrery_node_get_item (objects, i);
    add_object (scene, object, orrery_node_get_text (orrery_node_find (object, "name")), NULL);
  }
  return scene;
}

void
scene_free (Scene *scene)
{
  g_clear_object (&scene->physics);
  g_clear_object (&scene->world);
  g_free (scene);
}

OrreryObject *
scene_add_robot (Scene *scene, const char *name, const char *file, double x, double y, double z)
{
  g_autofree char *path = g_strconcat ("robots/", file, NULL);
  g_autoptr (OrreryNode) node = load (path);
  OrreryNode *class = orrery_node_get_item (orrery_node_find (node, "classes"), 0);
  OrreryObject *robot = add_object (scene, class, name, NULL);
  OrreryTransform pose = *orrery_object_get_start (robot);

  pose.position.x += x;
  pose.position.y += y;
  pose.position.z += z;
  orrery_object_set_start (robot, &pose);
  return robot;
}

OrreryObject *
scene_add_box (Scene *scene, const char *name, const OrreryVec3 *size, double x, double y, double z)
{
  OrreryObject *object = orrery_world_add_object (scene->world, name, NULL, NULL);
  OrreryVec3 half = { size->x / 2, size->y / 2, size->z / 2 };
  g_autoptr (OrreryShape) shape = orrery_shape_new (ORRERY_SHAPE_BOX, &half, NULL);
  OrreryTransform pose = { { x, y, z }, { 1, 0, 0, 0 } };

  orrery_object_set_start (object, &pose);
  orrery_object_get_body (object)->type = ORRERY_BODY_RIGID;
  /* As MORSE's have: that of the ground counts. */
  orrery_object_get_body (object)->margin = 0;
  orrery_object_add_shape (object, shape);
  return object;
}

gboolean
scene_try_build (Scene *scene, GError **error)
{
  g_autoptr (GError) local = NULL;

  orrery_world_place (scene->world);
  ORRERY_PHYSICS_GET_CLASS (scene->physics)->build (scene->physics, scene->world, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

void
scene_build (Scene *scene)
{
  g_autoptr (GError) error = NULL;

  scene_try_build (scene, &error);
  g_assert_no_error (error);
}

gboolean
scene_try_tick (Scene *scene, GError **error)
{
  OrreryPhysicsClass *class = ORRERY_PHYSICS_GET_CLASS (scene->physics);
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (scene->world);
  g_autoptr (GError) local = NULL;

  orrery_world_apply (scene->world, 1 / scene->frequency);
  class->apply (scene->physics, scene_commands (scene), &local);
  scene->stepping = g_get_monotonic_time ();
  for (guint i = 0; i < scene->substeps && local == NULL; i++)
    class->step (scene->physics, 1 / (scene->substeps * scene->frequency), &local);
  scene->stepping = g_get_monotonic_time () - scene->stepping;
  orrery_snapshot_begin (snapshot);
  if (local == NULL)
    class->read (scene->physics, snapshot, &local);
  orrery_snapshot_finish (snapshot);
  orrery_commands_clear (scene_commands (scene));

  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

void
scene_tick (Scene *scene)
{
  g_autoptr (GError) error = NULL;

  scene_try_tick (scene, &error);
  g_assert_no_error (error);
}

gint64
scene_time_tick (Scene *scene)
{
  scene_tick (scene);
  return scene->stepping;
}

void
scene_run (Scene *scene, double seconds)
{
  for (int i = 0; i < round (seconds * scene->frequency); i++)
    scene_tick (scene);
}

OrreryCommands *
scene_commands (Scene *scene)
{
  return orrery_world_get_commands (scene->world);
}

void
scene_drive (Scene *scene, OrreryObject *robot, double v, double w)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (scene->world);
  guint i = orrery_object_get_index (robot);
  OrreryVec3 angular = *orrery_snapshot_get_angular_velocity (snapshot, i);
  OrreryVec3 linear = { v, 0, 0 };

  orrery_quat_rotate (&orrery_snapshot_get_pose (snapshot, i)->rotation, &linear, &linear);
  linear.z = orrery_snapshot_get_linear_velocity (snapshot, i)->z;
  angular.z = w != 0 ? w : 1e-6;
  g_assert_true (orrery_commands_set_velocity (scene_commands (scene), robot, &linear, &angular));
}

void
scene_push (Scene *scene, OrreryObject *object, double fx, double fy, double fz)
{
  OrreryVec3 force = { fx, fy, fz }, torque = { 0 };

  g_assert_true (orrery_commands_add_force (scene_commands (scene), object, &force, &torque));
}

const OrreryTransform *
scene_pose (Scene *scene, OrreryObject *object)
{
  return orrery_snapshot_get_pose (orrery_world_get_snapshot (scene->world),
                                   orrery_object_get_index (object));
}

const OrreryVec3 *
scene_velocity (Scene *scene, OrreryObject *object)
{
  return orrery_snapshot_get_linear_velocity (orrery_world_get_snapshot (scene->world),
                                              orrery_object_get_index (object));
}

double
scene_tilt (Scene *scene, OrreryObject *object)
{
  OrreryVec3 up = { 0, 0, 1 };

  orrery_quat_rotate (&scene_pose (scene, object)->rotation, &up, &up);
  return atan2 (hypot (up.x, up.y), up.z);
}

double
scene_yaw (Scene *scene, OrreryObject *object)
{
  double roll, pitch, yaw;

  orrery_quat_to_euler (&scene_pose (scene, object)->rotation, &roll, &pitch, &yaw);
  return yaw;
}

gboolean
scene_touch (Scene *scene, const char *a, const char *b)
{
  guint n, i = orrery_object_get_index (orrery_world_find_object (scene->world, a));
  guint j = orrery_object_get_index (orrery_world_find_object (scene->world, b));
  const OrreryContact *contacts =
      orrery_snapshot_get_contacts (orrery_world_get_snapshot (scene->world), &n);

  for (guint k = 0; k < n; k++)
    if (contacts[k].a == MIN (i, j) && contacts[k].b == MAX (i, j))
      return TRUE;
  return FALSE;
}

guint64
scene_hash (Scene *scene)
{
  return orrery_snapshot_hash (orrery_world_get_snapshot (scene->world), 0);
}
