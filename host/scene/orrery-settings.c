/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: what whoever starts a run says in place of what the scene says. */
#include "scene/orrery-settings-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "text/orrery-node-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* What an object has beside its values, under the names of the key `changes`. */
static const char *const object_keys[] = { "position", "rotation", "size", "scale",
                                           "body",     "visible",  NULL };

/* Keys of every component that are no properties. */
static const char *const member_keys[] = { "classpath", "frequency", NULL };

/* --- the grammar --- */

gboolean
orrery_setting_split (const char *path, char **part, char **property)
{
  const char *dot = strrchr (path, '.');

  if (orrery_property_path_is_of_simulation (path)) {
    *part = g_strdup (ORRERY_SETTING_SIMULATION);
    *property = g_strdup (path);
    return TRUE;
  }
  if (dot == NULL || dot == path || dot[1] == '\0')
    return FALSE;
  *part = g_strndup (path, (gsize) (dot - path));
  *property = g_strdup (dot + 1);
  return TRUE;
}

static gboolean
split_path (OrrerySetting *setting, const char *path, GError **error)
{
  return orrery_setting_split (path, &setting->part, &setting->property) ||
         orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "--set: '%.200s' is no path; there are PART.PROPERTY, seed and "
                           "simulation.KEY",
                           path);
}

/* A word without quotes is what most people write first. */
static gboolean
is_word (const char *text)
{
  return *text != '\0' && strpbrk (text, "{}[]\",:") == NULL && !g_ascii_isdigit (*text) &&
         *text != '-';
}

static OrreryNode *
parse_value (const char *path, const char *text, GError **error)
{
  g_autofree char *file = g_strdup_printf ("--set %s", path);
  g_autoptr (GError) local = NULL;
  OrreryNode *value = orrery_node_parse_json (text, strlen (text), file, &local);

  if (value != NULL)
    return value;
  if (is_word (text))
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "--set %s: %.80s is not JSON; a text has quotes: --set '%s=\"%.80s\"'", path,
                      text, path, text);
  else
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s", local->message);
  return NULL;
}

gboolean
orrery_setting_parse (OrrerySetting *setting, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *path = NULL;

  *setting = (OrrerySetting){ NULL };
  if (!g_utf8_validate (text, -1, NULL))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "--set: the text is not UTF-8");
  if (equals == NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "--set: '%.200s' has no value; write PATH=VALUE", text);
  path = g_strndup (text, (gsize) (equals - text));
  if (!split_path (setting, path, error))
    return FALSE;
  setting->value = parse_value (path, equals + 1, error);
  if (setting->value != NULL)
    return TRUE;
  orrery_setting_clear (setting);
  return FALSE;
}

void
orrery_setting_clear (gpointer data)
{
  OrrerySetting *setting = data;

  g_clear_pointer (&setting->part, g_free);
  g_clear_pointer (&setting->property, g_free);
  g_clear_pointer (&setting->value, orrery_node_unref);
}

static OrrerySetting *
get_setting (OrreryScene *scene, guint i)
{
  return &g_array_index (scene->settings, OrrerySetting, i);
}

static void
add_setting (OrreryScene *scene, const OrrerySetting *added)
{
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!g_str_equal (setting->part, added->part) ||
        !g_str_equal (setting->property, added->property))
      continue;
    orrery_setting_clear (setting);
    *setting = *added;
    return;
  }
  g_array_append_val (scene->settings, *added);
}

gboolean
orrery_scene_add_settings (OrreryScene *scene, const char *const *texts, GError **error)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++) {
    OrrerySetting setting;

    if (i >= ORRERY_MAX_SETTINGS)
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "--set: at most %d of them",
                               ORRERY_MAX_SETTINGS);
    if (!orrery_setting_parse (&setting, texts[i], error))
      return FALSE;
    add_setting (scene, &setting);
  }
  return TRUE;
}

gboolean
orrery_scene_is_setting (OrreryScene *scene, OrreryNode *value)
{
  for (guint i = 0; i < scene->settings->len; i++)
    if (get_setting (scene, i)->value == value)
      return TRUE;
  return FALSE;
}

/* --- the simulation --- */

/* A dictionary of one pair that stands where the setting does. It lives as long as the scene. */
static OrreryNode *
make_pair (OrreryScene *scene, const OrrerySetting *setting)
{
  OrreryNode *dict = orrery_node_new_at (ORRERY_NODE_DICT, setting->value);

  g_ptr_array_add (scene->nodes, dict);
  orrery_node_add_here (dict, setting->property, orrery_node_ref (setting->value));
  return dict;
}

static void
refuse_key (OrreryScene *scene, const OrrerySetting *setting, const char *what,
            const char *const *names)
{
  g_autofree char *nearest = orrery_nearest_names (setting->property, names);

  orrery_keys_refuse (scene->problems, setting->value, "%s has no '%.80s'%s", what,
                      setting->property, nearest);
}

static const char **
list_keys (const OrreryKeyTable *table)
{
  const char **names = g_new0 (const char *, table->n_keys + 1);

  for (guint i = 0; i < table->n_keys; i++)
    names[i] = table->keys[i].name;
  return names;
}

void
orrery_scene_set_environment (OrreryScene *scene)
{
  g_autofree const char **names = list_keys (&orrery_environment_keys);

  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!g_str_equal (setting->part, ORRERY_SETTING_SIMULATION))
      continue;
    setting->is_used = TRUE;
    if (g_strv_contains (names, setting->property))
      orrery_keys_get (scene->problems, make_pair (scene, setting), &orrery_environment_keys,
                       &scene->environment);
    else
      refuse_key (scene, setting, "the simulation", names);
  }
}

/* --- objects --- */

gboolean
orrery_scene_is_key_of_object (const OrrerySetting *setting)
{
  return g_strv_contains (object_keys, setting->property);
}

static gboolean
is_component (OrreryScene *scene, OrreryObject *object)
{
  return object->is_component || g_hash_table_contains (scene->refused, object);
}

/* Some components have a property of such a name, which is a number; what objects have is a list or
 * a dictionary, but for `visible`. */
static gboolean
is_key_of_object (OrreryScene *scene, const OrrerySetting *setting)
{
  OrreryObject *object = orrery_world_find_object (scene->world, setting->part);
  OrreryNodeKind kind = orrery_node_get_kind (setting->value);

  if (object == NULL || !orrery_scene_is_key_of_object (setting))
    return FALSE;
  return !is_component (scene, object) || kind == ORRERY_NODE_LIST || kind == ORRERY_NODE_DICT ||
         kind == ORRERY_NODE_BOOL;
}

static void
refuse_property (OrreryScene *scene, OrreryObject *object, const OrrerySetting *setting)
{
  g_autofree const char **values = orrery_object_get_value_names (object);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; object_keys[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) object_keys[i]);
  for (guint i = 0; values[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) values[i]);
  g_ptr_array_add (names, NULL);
  refuse_key (scene, setting, orrery_object_get_name (object), (const char *const *) names->pdata);
}

void
orrery_scene_settle_pose (OrreryScene *scene, OrreryObject *object, OrreryObjectKeys *keys)
{
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!g_str_equal (setting->part, orrery_object_get_name (object)) ||
        (!g_str_equal (setting->property, "position") &&
         !g_str_equal (setting->property, "rotation")) ||
        orrery_node_get_kind (setting->value) != ORRERY_NODE_LIST)
      continue;
    setting->is_used = setting->is_pose = TRUE;
    orrery_keys_get (scene->problems, make_pair (scene, setting), &orrery_object_keys, keys);
  }
}

static void
set_object (OrreryScene *scene, OrreryObject *object, OrrerySetting *setting)
{
  if (is_key_of_object (scene, setting)) {
    setting->is_used = TRUE;
    orrery_scene_change_object (scene, make_pair (scene, setting), object);
  } else if (orrery_object_get_value (object, setting->property) != NULL) {
    g_autoptr (GVariant) value = orrery_node_to_variant (setting->value);

    setting->is_used = TRUE;
    orrery_object_set_value (object, setting->property, value);
  } else if (!is_component (scene, object)) {
    setting->is_used = TRUE;
    refuse_property (scene, object, setting);
  }
}

void
orrery_scene_set_objects (OrreryScene *scene)
{
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);
    OrreryObject *object = orrery_world_find_object (scene->world, setting->part);

    if (object != NULL && !setting->is_pose)
      set_object (scene, object, setting);
  }
}

/* --- parts --- */

gboolean
orrery_scene_is_key_of_member (const OrrerySetting *setting)
{
  return g_strv_contains (member_keys, setting->property);
}

static gboolean
is_of_part (OrreryScene *scene, const OrrerySetting *setting, const char *part)
{
  return g_str_equal (setting->part, part) && !orrery_scene_is_key_of_member (setting) &&
         !is_key_of_object (scene, setting);
}

static gboolean
has_settings (OrreryScene *scene, const char *part)
{
  for (guint i = 0; i < scene->settings->len; i++)
    if (is_of_part (scene, get_setting (scene, i), part))
      return TRUE;
  return FALSE;
}

/* Copies the pairs of @from but for the key @but. */
static void
copy_pairs (OrreryNode *dict, OrreryNode *from, const char *but)
{
  for (guint i = 0; i < orrery_node_get_length (from); i++)
    if (!g_str_equal (orrery_node_get_key (from, i), but))
      orrery_node_add_pair (dict, from, i, orrery_node_ref (orrery_node_get_item (from, i)));
}

static void
settle_pair (OrreryScene *scene, OrreryNode **options, OrrerySetting *setting)
{
  OrreryNode *dict = orrery_node_new_at (ORRERY_NODE_DICT, setting->value);

  g_ptr_array_add (scene->nodes, dict);
  if (*options != NULL)
    copy_pairs (dict, *options, setting->property);
  orrery_node_add_here (dict, setting->property, orrery_node_ref (setting->value));
  *options = dict;
}

OrreryNode *
orrery_scene_settle (OrreryScene *scene, const char *part, OrreryNode *options)
{
  if (options != NULL && orrery_node_get_kind (options) != ORRERY_NODE_DICT)
    return options;
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!is_of_part (scene, setting, part))
      continue;
    setting->is_used = TRUE;
    settle_pair (scene, &options, setting);
  }
  return options;
}

OrreryNode *
orrery_scene_settle_node (OrreryScene *scene, const char *part, OrreryNode *node)
{
  OrreryNode *options = orrery_node_find (node, "properties");
  OrreryNode *settled, *copy;

  if (!has_settings (scene, part))
    return node;
  settled = orrery_scene_settle (scene, part, options);
  copy = orrery_node_new_at (ORRERY_NODE_DICT, node);
  g_ptr_array_add (scene->nodes, copy);
  copy_pairs (copy, node, "properties");
  orrery_node_add_here (copy, "properties", orrery_node_ref (settled));
  return copy;
}

static void
settle_key (OrreryScene *scene, const char *part, const char *key, OrreryObjectKeys *keys)
{
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!g_str_equal (setting->part, part) || !g_str_equal (setting->property, key))
      continue;
    setting->is_used = TRUE;
    orrery_keys_get (scene->problems, make_pair (scene, setting), &orrery_object_keys, keys);
  }
}

void
orrery_scene_settle_class (OrreryScene *scene, OrreryObject *object, OrreryObjectKeys *keys)
{
  settle_key (scene, orrery_object_get_name (object), "classpath", keys);
}

OrreryNode *
orrery_scene_settle_member (OrreryScene *scene, OrreryNode *node, OrreryObject *object,
                            OrreryObjectKeys *keys)
{
  const char *part = orrery_object_get_name (object);
  OrreryNode *settled;

  if (scene->settings->len == 0)
    return node;
  settle_key (scene, part, "frequency", keys);
  settled = orrery_scene_settle_node (scene, part, node);
  keys->properties = orrery_node_find (settled, "properties");
  return settled;
}
