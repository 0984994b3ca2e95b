/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

/* Which scripts a scene has, where, and what settles their order and that of its objects. */

static const char *const object_script_keys[] = { "type",    "classpath",  "priority",  "traversal",
                                                  "enabled", "properties", "placement", NULL };
static const char *const add_on_keys[] = { "classpath",  "priority",  "enabled",
                                           "properties", "placement", NULL };
static const char *const sandbox_keys[] = { "classpath", "enabled", "properties", "placement",
                                            NULL };

/* Words in the order of their enumerations; priorities begin below 0. */
static const char *const type_words[] = { "child", "customization", NULL };
static const char *const priority_words[] = { "first", "normal", "last", NULL };
static const char *const traversal_words[] = { "reverse", "forward", "parent", NULL };
static const char *const rule_words[] = { "tree", "level", NULL };

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

static void
read_priority (OrreryScene *scene, OrreryNode *node, OrreryPriority *priority)
{
  int word = orrery_scene_get_word (scene->problems, node, "priority", priority_words);

  if (word >= 0)
    *priority = (OrreryPriority) (word + ORRERY_PRIORITY_FIRST);
}

/* --- scripts --- */

static gboolean
require_text (OrreryScene *scene, OrreryNode *node, const char *key, const char *what)
{
  if (orrery_node_find (node, key) != NULL)
    return orrery_scene_get_text (scene->problems, node, key) != NULL;
  orrery_problems_take (scene->problems,
                        orrery_node_error (node, ORRERY_ERROR_CONFIG, "a script needs a '%s': %s",
                                           key, what));
  return FALSE;
}

static OrreryScriptSettings
read_settings (OrreryScene *scene, OrreryNode *node)
{
  OrreryScriptSettings settings = { .is_there = TRUE, .enabled = TRUE };
  int word;

  read_priority (scene, node, &settings.priority);
  word = orrery_scene_get_word (scene->problems, node, "traversal", traversal_words);
  if (word >= 0)
    settings.traversal = (OrreryTraversal) word;
  orrery_scene_get_bool (scene->problems, node, "enabled", &settings.enabled);
  orrery_scene_find (scene->problems, node, "properties", ORRERY_NODE_DICT);
  return settings;
}

static gboolean
check_script (OrreryScene *scene, OrreryNode *node, const char *const *keys, const char *what)
{
  if (orrery_node_get_kind (node) != ORRERY_NODE_DICT) {
    orrery_problems_take (scene->problems, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                              "%s is a dictionary, not %s", what,
                                                              orrery_node_get_kind_name (node)));
    return FALSE;
  }
  orrery_scene_check_keys (scene->problems, node, keys, what);
  return require_text (scene, node, "classpath", "the class that it is of");
}

static void
add_place (OrreryScene *scene, OrreryNode *node, OrreryScriptType type, guint index,
           OrreryObject *object)
{
  OrreryScriptPlace place = {
    .type = type,
    .index = index,
    .object = object,
    .classpath = orrery_node_get_text (orrery_node_find (node, "classpath")),
    .node = orrery_node_ref (node),
  };

  g_array_append_val (scene->scripts.places, place);
}

static void
read_object_script (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  guint index = orrery_object_get_index (object);
  gboolean fine = check_script (scene, node, object_script_keys, "a script");
  OrreryScriptSettings settings;
  OrreryScriptSettings *slot;
  int type;

  if (orrery_node_get_kind (node) != ORRERY_NODE_DICT)
    return;
  settings = read_settings (scene, node);
  if (!require_text (scene, node, "type", "child or customization"))
    return;
  type = orrery_scene_get_word (scene->problems, node, "type", type_words);
  if (type < 0 || !fine)
    return;
  slot = &g_array_index (scene->scripts.objects, OrreryOrderObject, index).scripts[type];
  if (slot->is_there) {
    orrery_problems_take (
        scene->problems, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                            "%s has a %s script already; an object has one of each "
                                            "type",
                                            orrery_object_get_name (object), type_words[type]));
    return;
  }
  *slot = settings;
  add_place (scene, node, (OrreryScriptType) type, index, object);
}

void
orrery_scene_read_object_scripts (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  guint index = orrery_object_get_index (object);
  OrreryNode *list = orrery_scene_find (scene->problems, node, "scripts", ORRERY_NODE_LIST);
  OrreryOrderObject *slot;

  cover_objects (scene, index + 1);
  slot = &g_array_index (scene->scripts.objects, OrreryOrderObject, index);
  read_priority (scene, node, &slot->priority);
  orrery_scene_get_bool (scene->problems, node, "scripts_inactive", &slot->inactive);
  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++)
    read_object_script (scene, orrery_node_get_item (list, i), object);
}

/* --- scripts of the program --- */

static void
read_add_on (OrreryScene *scene, OrreryNode *node)
{
  OrreryScriptSettings settings;

  if (!check_script (scene, node, add_on_keys, "an add-on"))
    return;
  settings = read_settings (scene, node);
  add_place (scene, node, ORRERY_SCRIPT_ADD_ON, scene->scripts.add_ons->len, NULL);
  g_array_append_val (scene->scripts.add_ons, settings);
}

static void
read_sandbox (OrreryScene *scene, OrreryNode *node)
{
  if (!check_script (scene, node, sandbox_keys, "the sandbox"))
    return;
  scene->scripts.sandbox = read_settings (scene, node);
  add_place (scene, node, ORRERY_SCRIPT_SANDBOX, 0, NULL);
}

void
orrery_scene_read_program_scripts (OrreryScene *scene, OrreryNode *node)
{
  int rule = orrery_scene_get_word (scene->problems, node, "script_order", rule_words);
  OrreryNode *list = orrery_scene_find (scene->problems, node, "add_ons", ORRERY_NODE_LIST);
  OrreryNode *sandbox = orrery_node_find (node, "sandbox");

  if (rule >= 0)
    scene->scripts.rule = (OrreryOrderRule) rule;
  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++)
    read_add_on (scene, orrery_node_get_item (list, i));
  if (sandbox != NULL)
    read_sandbox (scene, sandbox);
}
