/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "base/orrery-message.h"

/* The key `changes` of the environment: what a scene has otherwise in objects of the file that it
 * stands in. */

static const char *const change_keys[] = { "name", "position", "rotation", "move",       "turn",
                                           "size", "body",     "visible",  "properties", NULL };

/* By the full name, else by its own, if but one bears it. */
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
  orrery_problems_take (scene->problems, orrery_node_error (place, ORRERY_ERROR_CONFIG,
                                                            "no object %s in the environment%s",
                                                            orrery_node_get_text (place), nearest));
}

static void
change_pose (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  OrreryTransform pose = *orrery_object_get_start (object);
  OrreryVec3 move = { 0 }, turn = { 0 }, angles;

  orrery_quat_to_euler (&pose.rotation, &angles.x, &angles.y, &angles.z);
  orrery_scene_get_vec3 (scene->problems, node, "position", &pose.position);
  orrery_scene_get_vec3 (scene->problems, node, "rotation", &angles);
  orrery_scene_get_vec3 (scene->problems, node, "move", &move);
  orrery_scene_get_vec3 (scene->problems, node, "turn", &turn);
  pose.position =
      (OrreryVec3){ pose.position.x + move.x, pose.position.y + move.y, pose.position.z + move.z };
  orrery_quat_from_euler (angles.x + turn.x, angles.y + turn.y, angles.z + turn.z, &pose.rotation);
  orrery_object_set_start (object, &pose);
}

/* A box can be made anew by its size alone; of other shapes the file has the size. */
static void
change_size (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  OrreryNode *place = orrery_node_find (node, "size");
  GPtrArray *shapes = orrery_object_get_shapes (object);
  OrreryShape *old = shapes->len == 1 ? shapes->pdata[0] : NULL;
  OrreryVec3 size = { 0 };
  OrreryShape *made;

  if (place == NULL || !orrery_scene_get_vec3 (scene->problems, node, "size", &size))
    return;
  if (old == NULL || orrery_shape_get_kind (old) != ORRERY_SHAPE_BOX ||
      orrery_object_get_children (object)->len > 0 || !(size.x > 0 && size.y > 0 && size.z > 0)) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (place, ORRERY_ERROR_CONFIG,
                                             "%s: a size above 0 can be given to an object that is "
                                             "one box; change others in their file",
                                             orrery_object_get_name (object)));
    return;
  }
  size = (OrreryVec3){ size.x / 2, size.y / 2, size.z / 2 };
  made = orrery_shape_new (ORRERY_SHAPE_BOX, &size, orrery_shape_get_pose (old));
  orrery_shape_set_solid (made, orrery_shape_is_solid (old));
  orrery_shape_set_visible (made, orrery_shape_is_visible (old));
  for (guint i = 0; i < orrery_shape_get_n_materials (old); i++)
    orrery_shape_add_material (made, orrery_shape_get_material (old, i));
  shapes->pdata[0] = made;
  orrery_shape_unref (old);
  orrery_scene_drop_visual (scene, object);
}

/* A file has shapes that nothing meets for what has no body, and meshes for what stands still. */
static void
change_body (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  OrreryBodyType before = orrery_object_get_body (object)->type;
  GPtrArray *shapes = orrery_object_get_shapes (object);
  OrreryBodyType type;
  gboolean solid = FALSE;

  orrery_scene_read_body (scene->problems, node, object);
  type = orrery_object_get_body (object)->type;
  if (type == before)
    return;
  for (guint i = 0; i < shapes->len; i++)
    solid = solid || orrery_shape_is_solid (shapes->pdata[i]);
  for (guint i = 0; i < shapes->len; i++)
    if (type == ORRERY_BODY_NONE || !solid)
      orrery_shape_set_solid (shapes->pdata[i], type != ORRERY_BODY_NONE);
  if (type == ORRERY_BODY_RIGID || type == ORRERY_BODY_DYNAMIC)
    orrery_scene_harden_shapes (object, FALSE);
}

static void
change_object (OrreryScene *scene, OrreryNode *node)
{
  OrreryNode *name;
  OrreryObject *object;
  gboolean visible = TRUE;

  orrery_scene_check_keys (scene->problems, node, change_keys, "a change");
  name = orrery_scene_find (scene->problems, node, "name", ORRERY_NODE_TEXT);
  if (name == NULL) {
    if (orrery_node_find (node, "name") == NULL)
      orrery_problems_take (scene->problems, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                                "a change needs a 'name'"));
    return;
  }
  object = find_object (scene, orrery_node_get_text (name));
  if (object == NULL) {
    refuse_name (scene, name);
    return;
  }
  change_pose (scene, node, object);
  change_size (scene, node, object);
  change_body (scene, node, object);
  if (orrery_scene_get_bool (scene->problems, node, "visible", &visible))
    orrery_object_set_visible (object, visible);
  orrery_scene_read_values (scene, node, object);
}

void
orrery_scene_change_environment (OrreryScene *scene, OrreryNode *environment)
{
  OrreryNode *list = orrery_scene_find (scene->problems, environment, "changes", ORRERY_NODE_LIST);

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_DICT)
      change_object (scene, item);
    else
      orrery_problems_take (scene->problems, orrery_node_error (item, ORRERY_ERROR_CONFIG,
                                                                "a change is a dictionary, not %s",
                                                                orrery_node_get_kind_name (item)));
  }
}
