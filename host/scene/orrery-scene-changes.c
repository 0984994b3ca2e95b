/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `changes` of the environment: what a scene changes in objects of its environment file. */
#include "scene/orrery-scene-private.h"

#include "base/orrery-message.h"
#include "world/orrery-world-private.h"

#include <math.h>

/* Finds an object by its full name, or by its own name if that is unique. */
static OrreryObject *
find_object (OrreryScene *scene, const char *name)
{
  OrreryObject *found = orrery_world_find_object (scene->world, name);
  guint n = 0;

  if (found != NULL)
    return found;
  for (guint i = 0; i < orrery_world_get_n_objects (scene->world); i++) {
    OrreryObject *object = orrery_world_get_object (scene->world, i);

    if (!g_str_equal (orrery_object_get_basename (object), name))
      continue;
    found = object;
    n++;
  }
  return n == 1 ? found : NULL;
}

static void
refuse_name (OrreryScene *scene, OrreryNode *place)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < orrery_world_get_n_objects (scene->world); i++)
    g_ptr_array_add (names,
                     (gpointer) orrery_object_get_name (orrery_world_get_object (scene->world, i)));
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (orrery_node_get_text (place), (const char *const *) names->pdata);
  orrery_keys_refuse (scene->problems, place, "no object %s in the environment%s",
                      orrery_node_get_text (place), nearest);
}

static void
change_pose (const OrreryChangeKeys *keys, OrreryObject *object)
{
  OrreryTransform pose = *orrery_object_get_start (object);
  OrreryVec3 angles;

  if (!isnan (keys->position.x))
    pose.position = keys->position;
  pose.position = orrery_vec3_add (&pose.position, &keys->move);
  orrery_quat_to_euler (&pose.rotation, &angles.x, &angles.y, &angles.z);
  if (!isnan (keys->rotation.x))
    angles = keys->rotation;
  orrery_quat_from_euler (angles.x + keys->turn.x, angles.y + keys->turn.y, angles.z + keys->turn.z,
                          &pose.rotation);
  orrery_object_set_start (object, &pose);
}

/* NULL: the object is none. */
static OrreryShape *
find_box (OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);

  if (shapes->len != 1 || orrery_shape_get_kind (shapes->pdata[0]) != ORRERY_SHAPE_BOX)
    return NULL;
  return shapes->pdata[0];
}

/* Only boxes can be resized; the size of other shapes is that of the file. */
static void
change_size (OrreryScene *scene, OrreryNode *place, OrreryVec3 size, OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  OrreryShape *old = find_box (object);
  OrreryShape *made;

  if (isnan (size.x))
    return;
  if (old == NULL || orrery_object_get_children (object)->len > 0 ||
      !(size.x > 0 && size.y > 0 && size.z > 0)) {
    orrery_keys_refuse (scene->problems, place,
                        "%s: a size above 0 can be given to an object that is one box; change "
                        "others in their file",
                        orrery_object_get_name (object));
    return;
  }
  size = orrery_vec3_divide (&size, 2);
  made = orrery_shape_new (ORRERY_SHAPE_BOX, &size, orrery_shape_get_pose (old));
  orrery_shape_set_solid (made, orrery_shape_is_solid (old));
  orrery_shape_set_visible (made, orrery_shape_is_visible (old));
  for (guint i = 0; i < orrery_shape_get_n_materials (old); i++)
    orrery_shape_add_material (made, orrery_shape_get_material (old, i));
  shapes->pdata[0] = made;
  orrery_shape_unref (old);
  orrery_scene_drop_visual (scene, object);
}

/* Of what the new scale makes a shape; one of 0 in the file says nothing of its shapes. */
static double
divide_scale (double now, double before)
{
  return before != 0 ? fabs (now / before) : 1;
}

/* Returns FALSE if it cannot be scaled so. What is below an object moves with its surface; it is
 * scaled, too, where that is the same along all axes, else it keeps its own size. */
static gboolean
scale_shapes (OrreryObject *object, const OrreryVec3 *factors)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  GPtrArray *children = orrery_object_get_children (object);
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_shape_unref);

  for (guint i = 0; i < shapes->len; i++) {
    OrreryShape *scaled = orrery_shape_new_scaled (shapes->pdata[i], factors);

    if (scaled == NULL)
      return FALSE;
    g_ptr_array_add (made, scaled);
  }
  for (guint i = 0; i < shapes->len; i++) {
    orrery_shape_unref (shapes->pdata[i]);
    shapes->pdata[i] = orrery_shape_ref (made->pdata[i]);
  }
  for (guint i = 0; i < children->len; i++) {
    OrreryTransform start = *orrery_object_get_start (children->pdata[i]);

    start.position = (OrreryVec3){ factors->x * start.position.x, factors->y * start.position.y,
                                   factors->z * start.position.z };
    orrery_object_set_start (children->pdata[i], &start);
    if (factors->x == factors->y && factors->y == factors->z)
      scale_shapes (children->pdata[i], factors);
  }
  return TRUE;
}

static void
change_scale (OrreryScene *scene, OrreryNode *place, const OrreryVec3 *scale, OrreryObject *object)
{
  const OrreryVec3 *before = &object->file_scale;
  OrreryVec3 factors = { divide_scale (scale->x, before->x), divide_scale (scale->y, before->y),
                         divide_scale (scale->z, before->z) };
  OrreryShape *box = find_box (object);

  if (isnan (scale->x))
    return;
  if (!object->has_file_scale && box != NULL) {
    OrreryVec3 half = *orrery_shape_get_size (box);

    factors = (OrreryVec3){ scale->x / half.x, scale->y / half.y, scale->z / half.z };
  }
  if (!orrery_vec3_is_finite (&factors) || !scale_shapes (object, &factors)) {
    orrery_keys_refuse (scene->problems, place,
                        "%s: a shape that is round, or turned, can be scaled evenly only",
                        orrery_object_get_name (object));
    return;
  }
  object->file_scale = *scale;
  orrery_scene_drop_visual (scene, object);
}

/* Adapts the shapes to the new type of body: those of an object without a body are not solid, and
 * those of an object that stands still may be meshes. */
static void
change_body (OrreryScene *scene, OrreryNode *dict, OrreryObject *object)
{
  OrreryBodyType before = orrery_object_get_body (object)->type;
  GPtrArray *shapes = orrery_object_get_shapes (object);
  OrreryBodyType type;
  gboolean solid = FALSE;

  orrery_scene_read_body (scene->problems, dict, object);
  type = orrery_object_get_body (object)->type;
  if (type == before)
    return;
  for (guint i = 0; i < shapes->len; i++)
    solid = solid || orrery_shape_is_solid (shapes->pdata[i]);
  for (guint i = 0; i < shapes->len; i++)
    if (type == ORRERY_BODY_NONE || !solid)
      orrery_shape_set_solid (shapes->pdata[i], type != ORRERY_BODY_NONE);
  if (type == ORRERY_BODY_RIGID || type == ORRERY_BODY_DYNAMIC)
    orrery_scene_use_hulls (object, FALSE);
}

static void
apply_change (OrreryScene *scene, OrreryNode *node, const OrreryChangeKeys *keys,
              OrreryObject *object)
{
  change_pose (keys, object);
  change_size (scene, orrery_node_find (node, "size"), keys->size, object);
  change_scale (scene, orrery_node_find (node, "scale"), &keys->scale, object);
  change_body (scene, keys->body, object);
  if (orrery_node_find (node, "visible") != NULL)
    orrery_object_set_visible (object, keys->visible);
  orrery_scene_read_values (scene, keys->properties, object);
}

static void
change_object (OrreryScene *scene, OrreryNode *node)
{
  OrreryChangeKeys keys;
  OrreryObject *object;

  if (!orrery_keys_read (scene->problems, node, &orrery_change_keys, &keys))
    return;
  object = find_object (scene, orrery_node_get_text (keys.name));
  if (object == NULL) {
    refuse_name (scene, keys.name);
    return;
  }
  apply_change (scene, node, &keys, object);
}

void
orrery_scene_read_object (OrreryObject *object, OrreryChangeKeys *keys)
{
  const OrreryTransform *pose = orrery_object_get_start (object);
  OrreryShape *box = find_box (object);
  OrreryVec3 half = box != NULL ? *orrery_shape_get_size (box) : (OrreryVec3){ 0 };

  orrery_keys_init (&orrery_change_keys, keys);
  keys->position = pose->position;
  orrery_quat_to_euler (&pose->rotation, &keys->rotation.x, &keys->rotation.y, &keys->rotation.z);
  keys->size = orrery_vec3_scale (&half, 2);
  keys->scale = box != NULL && !object->has_file_scale ? half : object->file_scale;
}

void
orrery_scene_change_object (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  guint before = scene->problems->n;
  OrreryChangeKeys keys;

  orrery_keys_init (&orrery_change_keys, &keys);
  orrery_keys_get (scene->problems, node, &orrery_change_keys, &keys);
  if (scene->problems->n == before)
    apply_change (scene, node, &keys, object);
}

void
orrery_scene_change_environment (OrreryScene *scene)
{
  OrreryNode *list = scene->environment.changes;

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, list, i, &orrery_change_keys);

    if (item != NULL)
      change_object (scene, item);
  }
}
