/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads which scripts a scene has, on which objects, and what determines their order and that of
 * objects. */
#include "scene/orrery-scene-private.h"

static void
clear_place (gpointer data)
{
  OrreryScriptPlace *place = data;

  g_clear_pointer (&place->node, orrery_node_unref);
}

void
orrery_scene_init_scripts (OrreryScene *scene)
{
  OrrerySceneScripts *scripts = &scene->scripts;

  scripts->places = g_array_new (FALSE, FALSE, sizeof (OrreryScriptPlace));
  g_array_set_clear_func (scripts->places, clear_place);
  scripts->objects = g_array_new (FALSE, TRUE, sizeof (OrreryOrderObject));
  scripts->add_ons = g_array_new (FALSE, FALSE, sizeof (OrreryScriptSettings));
}

void
orrery_scene_clear_scripts (OrreryScene *scene)
{
  g_clear_pointer (&scene->scripts.places, g_array_unref);
  g_clear_pointer (&scene->scripts.objects, g_array_unref);
  g_clear_pointer (&scene->scripts.add_ons, g_array_unref);
}

/* --- objects --- */

static void
cover_objects (OrreryScene *scene, guint n)
{
  GArray *objects = scene->scripts.objects;

  for (guint i = objects->len; i < n; i++) {
    OrreryObject *parent = orrery_object_get_parent (orrery_world_get_object (scene->world, i));
    OrreryOrderObject object = {
      .parent = parent != NULL ? (int) orrery_object_get_index (parent) : -1,
    };

    g_array_append_val (objects, object);
  }
}

void
orrery_scene_drop_order (OrreryScene *scene, guint first)
{
  g_array_set_size (scene->scripts.objects, MIN (first, scene->scripts.objects->len));
}

OrreryOrderInput
orrery_scene_get_order_input (OrreryScene *scene)
{
  OrrerySceneScripts *scripts = &scene->scripts;

  cover_objects (scene, orrery_world_get_n_objects (scene->world));
  return (OrreryOrderInput){
    .rule = scripts->rule,
    .objects = (const OrreryOrderObject *) (gpointer) scripts->objects->data,
    .n_objects = scripts->objects->len,
    .add_ons = (const OrreryScriptSettings *) (gpointer) scripts->add_ons->data,
    .n_add_ons = scripts->add_ons->len,
    .sandbox = scripts->sandbox,
  };
}

/* --- scripts --- */

static gboolean
read_script (OrreryScene *scene, OrreryNode *node, const OrreryKeyTable *table,
             OrreryScriptKeys *keys)
{
  /* Add-ons and the sandbox use only some of the members. */
  *keys = (OrreryScriptKeys){ 0 };
  if (!orrery_keys_read (scene->problems, node, table, keys))
    return FALSE;
  keys->settings.is_there = TRUE;
  return TRUE;
}

static void
add_place (OrreryScene *scene, OrreryNode *node, const OrreryScriptKeys *keys,
           OrreryScriptType type, guint index, OrreryObject *object)
{
  OrreryScriptPlace place = {
    .type = type,
    .index = index,
    .object = object,
    .classpath = orrery_node_get_text (keys->classpath),
    .keys = *keys,
    .node = orrery_node_ref (node),
  };

  g_array_append_val (scene->scripts.places, place);
}

static void
read_object_script (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  guint index = orrery_object_get_index (object);
  OrreryScriptSettings *slot;
  OrreryScriptKeys keys;

  if (!read_script (scene, node, &orrery_script_keys, &keys))
    return;
  slot = &g_array_index (scene->scripts.objects, OrreryOrderObject, index).scripts[keys.type];
  if (slot->is_there) {
    orrery_keys_refuse (scene->problems, node,
                        "%s has a %s script already; an object has one of each type",
                        orrery_object_get_name (object),
                        orrery_node_get_text (orrery_node_find (node, "type")));
    return;
  }
  *slot = keys.settings;
  add_place (scene, node, &keys, keys.type, index, object);
}

void
orrery_scene_add_scripts (OrreryScene *scene, OrreryNode *list, OrreryObject *object)
{
  cover_objects (scene, orrery_object_get_index (object) + 1);
  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, list, i, &orrery_script_keys);

    if (item != NULL)
      read_object_script (scene, item, object);
  }
}

void
orrery_scene_read_object_scripts (OrreryScene *scene, const OrreryObjectKeys *keys,
                                  OrreryObject *object)
{
  guint index = orrery_object_get_index (object);
  OrreryOrderObject *slot;

  orrery_scene_add_scripts (scene, keys->scripts, object);
  slot = &g_array_index (scene->scripts.objects, OrreryOrderObject, index);
  slot->priority = keys->priority;
  slot->inactive = keys->scripts_inactive;
}

/* --- scripts of the program --- */

static void
read_add_on (OrreryScene *scene, OrreryNode *node)
{
  OrreryScriptKeys keys;

  if (!read_script (scene, node, &orrery_add_on_keys, &keys))
    return;
  add_place (scene, node, &keys, ORRERY_SCRIPT_ADD_ON, scene->scripts.add_ons->len, NULL);
  g_array_append_val (scene->scripts.add_ons, keys.settings);
}

void
orrery_scene_read_program_scripts (OrreryScene *scene)
{
  const OrreryEnvironment *env = &scene->environment;
  OrreryScriptKeys keys;

  scene->scripts.rule = env->script_order;
  for (guint i = 0; env->add_ons != NULL && i < orrery_node_get_length (env->add_ons); i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, env->add_ons, i, &orrery_add_on_keys);

    if (item != NULL)
      read_add_on (scene, item);
  }
  if (env->sandbox == NULL || !read_script (scene, env->sandbox, &orrery_sandbox_keys, &keys))
    return;
  scene->scripts.sandbox = keys.settings;
  add_place (scene, env->sandbox, &keys, ORRERY_SCRIPT_SANDBOX, 0, NULL);
}
