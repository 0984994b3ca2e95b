/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include <math.h>

/* The keys `body` and `shapes` of an object. */

static const char *const body_types[] = { "none", "static", "dynamic", "rigid", "ghost", NULL };
static const OrreryBodyType body_values[] = { ORRERY_BODY_NONE, ORRERY_BODY_STATIC,
                                              ORRERY_BODY_DYNAMIC, ORRERY_BODY_RIGID,
                                              ORRERY_BODY_GHOST };
static const char *const body_keys[] = { "type",        "mass",    "margin",        "friction",
                                         "restitution", "damping", "lock_position", "lock_rotation",
                                         "gravity",     NULL };
static const char *const shape_keys[] = { "kind",      "size",      "radius",   "height",
                                          "points",    "triangles", "position", "rotation",
                                          "solid",     "color",     "alpha",    "specular",
                                          "shininess", "emission",  "visible",  NULL };

/* The loader's vectors have three items; damping is a pair. */
static void
read_damping (OrreryProblems *problems, OrreryNode *node, OrreryBody *body)
{
  OrreryNode *list = orrery_scene_find (problems, node, "damping", ORRERY_NODE_LIST);
  double d[2] = { -1, -1 };

  if (list == NULL)
    return;
  for (guint i = 0; i < 2 && orrery_node_get_length (list) == 2; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE)
      d[i] = orrery_node_get_double (item);
  }
  if (!(d[0] >= 0 && d[0] <= 1 && d[1] >= 0 && d[1] <= 1)) {
    g_autofree char *shown = orrery_scene_show (list);

    orrery_problems_take (problems,
                          orrery_node_error (list, ORRERY_ERROR_CONFIG,
                                             "'damping' is %s, not two numbers from 0 to 1",
                                             shown));
    return;
  }
  body->linear_damping = d[0];
  body->angular_damping = d[1];
}

static void
read_locks (OrreryProblems *problems, OrreryNode *node, const char *key, OrreryVec3 *factor)
{
  OrreryNode *list = orrery_scene_find (problems, node, key, ORRERY_NODE_LIST);
  double *axes[] = { &factor->x, &factor->y, &factor->z };
  gboolean fine = list != NULL && orrery_node_get_length (list) == 3;

  if (list == NULL)
    return;
  for (guint i = 0; fine && i < 3; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    fine = orrery_node_get_kind (item) == ORRERY_NODE_BOOL;
    if (fine)
      *axes[i] = orrery_node_get_bool (item) ? 0.0 : 1.0;
  }
  if (!fine) {
    g_autofree char *shown = orrery_scene_show (list);

    orrery_problems_take (problems, orrery_node_error (list, ORRERY_ERROR_CONFIG,
                                                       "'%s' is %s, not three bools", key, shown));
  }
}

void
orrery_scene_read_body (OrreryProblems *problems, OrreryNode *node, OrreryObject *object)
{
  OrreryBody *body = orrery_object_get_body (object);
  OrreryNode *dict = orrery_scene_find (problems, node, "body", ORRERY_NODE_DICT);
  int type;

  if (dict == NULL)
    return;
  orrery_scene_check_keys (problems, dict, body_keys, "a body");
  type = orrery_scene_get_word (problems, dict, "type", body_types);
  if (type >= 0)
    body->type = body_values[type];
  orrery_scene_get_double (problems, dict, "mass", 1e-9, 1e12, &body->mass);
  orrery_scene_get_double (problems, dict, "margin", 0, 100, &body->margin);
  orrery_scene_get_double (problems, dict, "friction", 0, 1e6, &body->friction);
  orrery_scene_get_double (problems, dict, "restitution", 0, 1, &body->restitution);
  orrery_scene_get_bool (problems, dict, "gravity", &body->gravity);
  read_damping (problems, dict, body);
  read_locks (problems, dict, "lock_position", &body->linear_factor);
  read_locks (problems, dict, "lock_rotation", &body->angular_factor);
}

/* n rows of three numbers, as doubles or as indices below limit. */
static OrreryBuffer *
read_rows (OrreryProblems *problems, OrreryNode *node, const char *key, gsize limit)
{
  OrreryNode *list = orrery_scene_find (problems, node, key, ORRERY_NODE_LIST);
  gsize shape[2] = { list != NULL ? orrery_node_get_length (list) : 0, 3 };
  g_autoptr (OrreryBuffer) buffer = NULL;

  if (list == NULL || shape[0] == 0)
    return NULL;
  buffer = orrery_buffer_new (limit > 0 ? ORRERY_ELEMENT_UINT32 : ORRERY_ELEMENT_DOUBLE, 2, shape);
  for (gsize i = 0; buffer != NULL && i < shape[0] * 3; i++) {
    OrreryNode *row = orrery_node_get_item (list, i / 3);
    gboolean fine =
        orrery_node_get_kind (row) == ORRERY_NODE_LIST && orrery_node_get_length (row) == 3;
    OrreryNode *item = fine ? orrery_node_get_item (row, i % 3) : row;
    OrreryNodeKind kind = orrery_node_get_kind (item);
    double d =
        kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE ? orrery_node_get_double (item) : NAN;

    if (!fine || !isfinite (d) || (limit > 0 && (d < 0 || d >= limit || d != floor (d)))) {
      g_autofree char *shown = orrery_scene_show (item);

      orrery_problems_take (problems,
                            orrery_node_error (item, ORRERY_ERROR_CONFIG,
                                               "'%s' has %s; it is a list of rows of three %s", key,
                                               shown,
                                               limit > 0 ? "indices of points" : "finite numbers"));
      return NULL;
    }
    if (limit > 0)
      ((guint32 *) orrery_buffer_get_data (buffer))[i] = (guint32) d;
    else
      ((double *) orrery_buffer_get_data (buffer))[i] = d;
  }
  return g_steal_pointer (&buffer);
}

static OrreryShape *
read_points (OrreryProblems *problems, OrreryNode *node, OrreryShapeKind kind,
             const OrreryTransform *pose)
{
  guint before = problems->n;
  g_autoptr (OrreryBuffer) points = read_rows (problems, node, "points", 0);
  g_autoptr (OrreryBuffer) triangles = NULL;
  guint needed = kind == ORRERY_SHAPE_HULL ? 4 : 3;

  if (problems->n > before)
    return NULL;
  if (points == NULL || orrery_buffer_get_length (points, 0) < needed) {
    orrery_problems_take (problems,
                          orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                             "a %s needs at least %u 'points'",
                                             kind == ORRERY_SHAPE_HULL ? "hull" : "mesh", needed));
    return NULL;
  }
  if (kind == ORRERY_SHAPE_MESH)
    triangles = read_rows (problems, node, "triangles", orrery_buffer_get_length (points, 0));
  if (kind == ORRERY_SHAPE_MESH && triangles == NULL) {
    if (problems->n == before)
      orrery_problems_take (problems, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                         "a mesh needs 'triangles'"));
    return NULL;
  }
  return orrery_shape_new_points (kind, points, triangles, pose);
}

static gboolean
read_size (OrreryProblems *problems, OrreryNode *node, OrreryShapeKind kind, OrreryVec3 *size)
{
  double height = 0;

  if (kind == ORRERY_SHAPE_BOX) {
    if (!orrery_scene_get_vec3 (problems, node, "size", size))
      return FALSE;
    *size = (OrreryVec3){ size->x / 2, size->y / 2, size->z / 2 };
    return size->x > 0 && size->y > 0 && size->z > 0;
  }
  if (!orrery_scene_get_double (problems, node, "radius", 1e-6, 1e6, &size->x))
    return FALSE;
  size->y = size->x;
  if (kind == ORRERY_SHAPE_SPHERE)
    return TRUE;
  if (!orrery_scene_get_double (problems, node, "height", 0, 1e6, &height))
    return FALSE;
  size->z = height / 2;
  return TRUE;
}

static OrreryShape *
read_shape (OrreryProblems *problems, OrreryNode *node)
{
  static const char *const kinds[] = { "box",  "sphere", "cylinder", "capsule",
                                       "cone", "hull",   "mesh",     NULL };
  OrreryVec3 rotation = { 0 };
  OrreryVec3 size = { 0 };
  OrreryTransform pose;
  guint before;
  int kind;

  orrery_scene_check_keys (problems, node, shape_keys, "a shape");
  kind = orrery_scene_get_word (problems, node, "kind", kinds);
  if (kind < 0) {
    if (orrery_node_find (node, "kind") == NULL)
      orrery_problems_take (problems, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                         "a shape needs a 'kind'"));
    return NULL;
  }
  orrery_transform_identity (&pose);
  orrery_scene_get_vec3 (problems, node, "position", &pose.position);
  orrery_scene_get_vec3 (problems, node, "rotation", &rotation);
  orrery_quat_from_euler (rotation.x, rotation.y, rotation.z, &pose.rotation);

  if (kind >= ORRERY_SHAPE_HULL)
    return read_points (problems, node, (OrreryShapeKind) kind, &pose);
  before = problems->n;
  if (read_size (problems, node, (OrreryShapeKind) kind, &size))
    return orrery_shape_new ((OrreryShapeKind) kind, &size, &pose);
  if (problems->n > before)
    return NULL;
  orrery_problems_take (problems,
                        orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                           kind == ORRERY_SHAPE_BOX
                                               ? "a box needs a 'size' of three numbers above 0"
                                               : "a %s needs 'radius'%s",
                                           kinds[kind],
                                           kind == ORRERY_SHAPE_SPHERE ? "" : " and 'height'"));
  return NULL;
}

void
orrery_scene_read_shapes (OrreryProblems *problems, OrreryNode *node, OrreryObject *object)
{
  OrreryNode *list = orrery_scene_find (problems, node, "shapes", ORRERY_NODE_LIST);

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    g_autoptr (OrreryShape) shape = NULL;
    gboolean solid = TRUE;

    if (orrery_node_get_kind (item) != ORRERY_NODE_DICT) {
      orrery_problems_take (problems, orrery_node_error (item, ORRERY_ERROR_CONFIG,
                                                         "a shape is a dictionary, not %s",
                                                         orrery_node_get_kind_name (item)));
      continue;
    }
    shape = read_shape (problems, item);
    if (shape == NULL)
      continue;
    orrery_scene_get_bool (problems, item, "solid", &solid);
    orrery_shape_set_solid (shape, solid);
    orrery_scene_read_look (problems, item, shape);
    orrery_object_add_shape (object, shape);
  }
}
