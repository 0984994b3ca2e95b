/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys `body` and `shapes` of an object. */
#include "scene/orrery-scene-private.h"

#include <math.h>

void
orrery_scene_read_body (OrreryProblems *problems, OrreryNode *dict, OrreryObject *object)
{
  if (dict == NULL)
    return;
  orrery_keys_check_known (problems, dict, &orrery_body_keys);
  orrery_keys_get (problems, dict, &orrery_body_keys, orrery_object_get_body (object));
}

/* n rows of three numbers, as doubles or as indices below limit. */
static OrreryBuffer *
read_rows (OrreryProblems *problems, OrreryNode *list, const char *key, gsize limit)
{
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
      g_autofree char *shown = orrery_keys_show (item);

      orrery_keys_refuse (problems, item, "'%s' has %s; it is a list of rows of three %s", key,
                          shown, limit > 0 ? "indices of points" : "finite numbers");
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
read_points (OrreryProblems *problems, OrreryNode *node, const OrreryShapeKeys *keys,
             const OrreryTransform *pose)
{
  gboolean is_hull = keys->kind == ORRERY_SHAPE_HULL;
  guint before = problems->n;
  g_autoptr (OrreryBuffer) points = read_rows (problems, keys->points, "points", 0);
  g_autoptr (OrreryBuffer) triangles = NULL;
  guint needed = is_hull ? 4 : 3;

  if (problems->n > before)
    return NULL;
  if (points == NULL || orrery_buffer_get_length (points, 0) < needed) {
    orrery_keys_refuse (problems, node, "a %s needs at least %u 'points'",
                        is_hull ? "hull" : "mesh", needed);
    return NULL;
  }
  if (is_hull)
    return orrery_shape_new_points (ORRERY_SHAPE_HULL, points, NULL, pose);
  triangles =
      read_rows (problems, keys->triangles, "triangles", orrery_buffer_get_length (points, 0));
  if (triangles != NULL)
    return orrery_shape_new_points (ORRERY_SHAPE_MESH, points, triangles, pose);
  if (problems->n == before)
    orrery_keys_refuse (problems, node, "a mesh needs 'triangles'");
  return NULL;
}

/* Returns NULL and takes a problem if something that the kind needs is missing. */
static OrreryShape *
read_solid (OrreryProblems *problems, OrreryNode *node, const OrreryShapeKeys *keys,
            const OrreryTransform *pose)
{
  OrreryVec3 size = orrery_vec3_divide (&keys->size, 2);
  gboolean is_sphere = keys->kind == ORRERY_SHAPE_SPHERE;

  if (keys->kind == ORRERY_SHAPE_BOX) {
    if (size.x > 0 && size.y > 0 && size.z > 0)
      return orrery_shape_new (keys->kind, &size, pose);
    orrery_keys_refuse (problems, node, "a box needs a 'size' of three numbers above 0");
    return NULL;
  }
  size = (OrreryVec3){ keys->radius, keys->radius, is_sphere ? 0 : keys->height / 2 };
  if (!isnan (size.x) && !isnan (size.z))
    return orrery_shape_new (keys->kind, &size, pose);
  orrery_keys_refuse (problems, node, "a %s needs 'radius'%s",
                      orrery_node_get_text (orrery_node_find (node, "kind")),
                      is_sphere ? "" : " and 'height'");
  return NULL;
}

/* Without any of the keys of its look the shape keeps its material. */
static void
set_look (OrreryNode *node, const OrreryShapeKeys *keys, OrreryShape *shape)
{
  static const char *const look[] = { "color", "alpha", "specular", "shininess", "emission" };
  g_autoptr (OrreryMaterial) material = NULL;
  gboolean given = FALSE;

  orrery_shape_set_solid (shape, keys->solid);
  orrery_shape_set_visible (shape, keys->visible);
  for (guint i = 0; i < G_N_ELEMENTS (look); i++)
    given = given || orrery_node_find (node, look[i]) != NULL;
  if (!given)
    return;
  material = orrery_material_new (keys->color.x, keys->color.y, keys->color.z, keys->alpha);
  orrery_material_set_gloss (material, keys->specular, keys->shininess);
  orrery_material_set_emission (material, keys->emission);
  orrery_shape_add_material (shape, material);
}

static void
read_shape (OrreryProblems *problems, OrreryNode *node, OrreryObject *object)
{
  guint before = problems->n;
  g_autoptr (OrreryShape) shape = NULL;
  OrreryShapeKeys keys;
  OrreryTransform pose;

  /* A key that counts as missing may be one with an error. */
  if (!orrery_keys_read (problems, node, &orrery_shape_keys, &keys) || problems->n > before)
    return;
  pose.position = keys.position;
  orrery_quat_from_euler (keys.rotation.x, keys.rotation.y, keys.rotation.z, &pose.rotation);
  shape = keys.kind >= ORRERY_SHAPE_HULL ? read_points (problems, node, &keys, &pose)
                                         : read_solid (problems, node, &keys, &pose);
  if (shape == NULL)
    return;
  set_look (node, &keys, shape);
  orrery_object_add_shape (object, shape);
}

void
orrery_scene_read_shapes (OrreryProblems *problems, OrreryNode *list, OrreryObject *object)
{
  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_keys_get_item (problems, list, i, &orrery_shape_keys);

    if (item != NULL)
      read_shape (problems, item, object);
  }
}
