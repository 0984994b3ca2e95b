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

static gboolean
split_path (OrrerySetting *setting, const char *path, GError **error)
{
  return orrery_property_path_parse (&setting->path, path, error) ||
         orrery_prefix_error (error, "--set: ");
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

  *setting = (OrrerySetting){ .path.index = -1 };
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

  orrery_property_path_clear (&setting->path);
  g_clear_pointer (&setting->value, orrery_node_unref);
}

static OrrerySetting *
get_setting (OrreryScene *scene, guint i)
{
  return &g_array_index (scene->settings, OrrerySetting, i);
}

/* Whether a setting is of the property of another. */
static gboolean
is_of_property (const OrrerySetting *setting, const OrrerySetting *other)
{
  return g_str_equal (setting->path.owner, other->path.owner) &&
         g_str_equal (setting->path.property, other->path.property);
}

/* Returns: (transfer full): a copy of the list with another item at @index, which it has */
static OrreryNode *
copy_list (OrreryNode *list, guint index, OrreryNode *item)
{
  OrreryNode *made = orrery_node_new_at (ORRERY_NODE_LIST, item);

  for (guint i = 0; i < orrery_node_get_length (list); i++)
    orrery_node_append (made, orrery_node_ref (i == index ? item : orrery_node_get_item (list, i)));
  return made;
}

/* Whether a value is a list that has the member. */
static gboolean
has_member (const OrrerySetting *setting, OrreryNode *list, GError **error)
{
  g_autoptr (GVariant) value = orrery_node_to_variant (list);
  g_autoptr (GVariant) member = orrery_property_path_get (&setting->path, value, error);

  return member != NULL;
}

/* A member of a list that was set before changes that list. @added: (inout): becomes the list */
static gboolean
merge_setting (OrrerySetting *added, const OrrerySetting *before, GError **error)
{
  OrreryNode *list;

  if (added->path.index < 0 || before->path.index >= 0)
    return TRUE;
  if (!has_member (added, before->value, error))
    return orrery_prefix_error (error, "--set %s.%s[%d]: ", added->path.owner, added->path.property,
                                added->path.index);
  list = copy_list (before->value, (guint) added->path.index, added->value);
  orrery_node_unref (added->value);
  added->value = list;
  added->path.index = -1;
  return TRUE;
}

/* Takes what was parsed, also where it fails. */
static gboolean
add_setting (OrreryScene *scene, OrrerySetting *added, GError **error)
{
  for (guint i = scene->settings->len; i-- > 0;) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!is_of_property (setting, added))
      continue;
    if (!merge_setting (added, setting, error)) {
      orrery_setting_clear (added);
      return FALSE;
    }
    if (orrery_property_path_overlaps (&setting->path, &added->path))
      g_array_remove_index (scene->settings, i);
  }
  g_array_append_val (scene->settings, *added);
  return TRUE;
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
    if (!add_setting (scene, &setting, error))
      return FALSE;
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
make_pair (OrreryScene *scene, const OrrerySetting *setting, OrreryNode *value)
{
  OrreryNode *dict = orrery_node_new_at (ORRERY_NODE_DICT, setting->value);

  g_ptr_array_add (scene->nodes, dict);
  orrery_node_add_here (dict, setting->path.property, orrery_node_ref (value));
  return dict;
}

static void
refuse_member (OrreryScene *scene, OrrerySetting *setting, GError *error)
{
  setting->is_refused = TRUE;
  orrery_keys_take_error (scene->problems, setting->value, error);
}

/* What a setting of a member makes of the list that is there.
 * Returns: (transfer none) (nullable): the list with the member; NULL, a problem: it has none */
static OrreryNode *
put_member (OrreryScene *scene, OrrerySetting *setting, OrreryNode *list)
{
  GError *error = NULL;
  OrreryNode *made;

  if (!has_member (setting, list, &error)) {
    refuse_member (scene, setting, error);
    return NULL;
  }
  made = copy_list (list, (guint) setting->path.index, setting->value);
  g_ptr_array_add (scene->nodes, made);
  return made;
}

/* The whole value of a key. @data: the struct that @table has filled.
 * Returns: (transfer none) (nullable): NULL, a problem: there is no such member */
static OrreryNode *
make_value (OrreryScene *scene, OrrerySetting *setting, const OrreryKeyTable *table,
            gconstpointer data)
{
  const OrreryPropertyPath *path = &setting->path;
  g_autoptr (OrreryNode) list = NULL;

  if (path->index < 0)
    return setting->value;
  list = orrery_keys_get_list (table, data, path->property, setting->value);
  if (list != NULL)
    return put_member (scene, setting, list);
  setting->is_refused = TRUE;
  orrery_keys_refuse (scene->problems, setting->value,
                      "'%.80s' is no list here: it has no [%d]; leave the index out",
                      path->property, path->index);
  return NULL;
}

/* Reads the setting in place of a key, into the struct of a table. */
static void
read_key (OrreryScene *scene, OrrerySetting *setting, const OrreryKeyTable *table, gpointer data)
{
  OrreryNode *value = make_value (scene, setting, table, data);
  guint before = scene->problems->n;

  setting->is_used = TRUE;
  if (value == NULL)
    return;
  orrery_keys_get (scene->problems, make_pair (scene, setting, value), table, data);
  setting->is_refused = scene->problems->n > before;
}

static void
refuse_key (OrreryScene *scene, const OrrerySetting *setting, const char *what,
            const char *const *names)
{
  g_autofree char *nearest = orrery_nearest_names (setting->path.property, names);

  orrery_keys_refuse (scene->problems, setting->value, "%s has no '%.80s'%s", what,
                      setting->path.property, nearest);
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

    if (!g_str_equal (setting->path.owner, ORRERY_SETTING_SIMULATION))
      continue;
    setting->is_used = TRUE;
    if (g_strv_contains (names, setting->path.property))
      read_key (scene, setting, &orrery_environment_keys, &scene->environment);
    else
      refuse_key (scene, setting, "the simulation", names);
  }
}

static gboolean
is_of_key (const OrrerySetting *setting, const char *key)
{
  return g_str_equal (setting->path.owner, ORRERY_SETTING_SIMULATION) &&
         g_str_equal (setting->path.property, key) && !setting->is_refused;
}

gboolean
orrery_scene_sets_key (OrreryScene *scene, const char *key)
{
  for (guint i = 0; i < scene->settings->len; i++)
    if (is_of_key (get_setting (scene, i), key) && get_setting (scene, i)->path.index < 0)
      return TRUE;
  return FALSE;
}

void
orrery_scene_settle_gravity (OrreryScene *scene, OrreryVec3 *gravity)
{
  OrreryEnvironment environment = scene->environment;

  environment.gravity = *gravity;
  for (guint i = 0; i < scene->settings->len; i++)
    if (is_of_key (get_setting (scene, i), "gravity"))
      read_key (scene, get_setting (scene, i), &orrery_environment_keys, &environment);
  *gravity = environment.gravity;
}

/* --- objects --- */

gboolean
orrery_scene_is_key_of_object (const OrrerySetting *setting)
{
  return g_strv_contains (object_keys, setting->path.property);
}

static gboolean
is_component (OrreryScene *scene, OrreryObject *object)
{
  return orrery_object_is_component (object) || g_hash_table_contains (scene->refused, object);
}

/* Some components have a property of such a name, which is a number; what objects have is a list or
 * a dictionary, but for `visible`. */
static gboolean
is_key_of_object (OrreryScene *scene, const OrrerySetting *setting)
{
  OrreryObject *object = orrery_world_find_object (scene->world, setting->path.owner);
  OrreryNodeKind kind = orrery_node_get_kind (setting->value);

  if (object == NULL || !orrery_scene_is_key_of_object (setting))
    return FALSE;
  return !is_component (scene, object) || setting->path.index >= 0 || kind == ORRERY_NODE_LIST ||
         kind == ORRERY_NODE_DICT || kind == ORRERY_NODE_BOOL;
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

    if (!g_str_equal (setting->path.owner, orrery_object_get_name (object)) ||
        (!g_str_equal (setting->path.property, "position") &&
         !g_str_equal (setting->path.property, "rotation")) ||
        (setting->path.index < 0 && orrery_node_get_kind (setting->value) != ORRERY_NODE_LIST))
      continue;
    setting->is_pose = TRUE;
    read_key (scene, setting, &orrery_object_keys, keys);
  }
}

static void
change_object (OrreryScene *scene, OrreryObject *object, OrrerySetting *setting)
{
  OrreryChangeKeys now;
  OrreryNode *value;

  orrery_scene_read_object (object, &now);
  value = make_value (scene, setting, &orrery_change_keys, &now);
  if (value != NULL)
    orrery_scene_change_object (scene, make_pair (scene, setting, value), object);
}

static void
set_value (OrreryScene *scene, OrreryObject *object, OrrerySetting *setting)
{
  const char *name = setting->path.property;
  g_autoptr (GVariant) given = orrery_node_to_variant (setting->value);
  GError *error = NULL;
  g_autoptr (GVariant) value =
      orrery_property_path_put (&setting->path, orrery_object_get_value (object, name), given,
                                &error);

  if (value != NULL)
    orrery_object_set_value (object, name, value);
  else
    refuse_member (scene, setting, error);
}

static void
set_object (OrreryScene *scene, OrreryObject *object, OrrerySetting *setting)
{
  if (is_key_of_object (scene, setting)) {
    setting->is_used = TRUE;
    change_object (scene, object, setting);
  } else if (orrery_object_get_value (object, setting->path.property) != NULL) {
    setting->is_used = TRUE;
    set_value (scene, object, setting);
  } else if (!is_component (scene, object)) {
    setting->is_used = TRUE;
    refuse_property (scene, object, setting);
  }
}

void
orrery_scene_set_objects (OrreryScene *scene, guint first)
{
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);
    OrreryObject *object = orrery_world_find_object (scene->world, setting->path.owner);

    if (object != NULL && orrery_object_get_index (object) >= first && !setting->is_pose &&
        !setting->is_refused)
      set_object (scene, object, setting);
  }
}

/* --- parts --- */

gboolean
orrery_scene_is_key_of_member (const OrrerySetting *setting)
{
  return g_strv_contains (member_keys, setting->path.property);
}

static gboolean
is_of_part (OrreryScene *scene, const OrrerySetting *setting, const char *part)
{
  return g_str_equal (setting->path.owner, part) && !orrery_scene_is_key_of_member (setting) &&
         !is_key_of_object (scene, setting);
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
  const char *name = setting->path.property;
  OrreryNode *before = *options != NULL ? orrery_node_find (*options, name) : NULL;
  OrreryNode *value = setting->value;
  OrreryNode *dict;

  if (setting->path.index >= 0)
    value = before != NULL ? put_member (scene, setting, before) : NULL;
  if (value == NULL)
    return;
  dict = orrery_node_new_at (ORRERY_NODE_DICT, value);
  g_ptr_array_add (scene->nodes, dict);
  if (*options != NULL)
    copy_pairs (dict, *options, name);
  orrery_node_add_here (dict, name, orrery_node_ref (value));
  *options = dict;
}

OrreryNode *
orrery_scene_settle (OrreryScene *scene, const char *part, OrreryNode *options)
{
  if (options != NULL && orrery_node_get_kind (options) != ORRERY_NODE_DICT)
    return options;
  for (guint i = 0; i < scene->settings->len; i++) {
    OrrerySetting *setting = get_setting (scene, i);

    if (!is_of_part (scene, setting, part) || setting->is_refused)
      continue;
    setting->is_used = TRUE;
    settle_pair (scene, &options, setting);
  }
  return options;
}

const OrrerySetting *
orrery_scene_next_member (OrreryScene *scene, const char *part, OrreryNode *options, guint *i)
{
  while (*i < scene->settings->len) {
    const OrrerySetting *setting = get_setting (scene, (*i)++);

    if (setting->path.index >= 0 && !setting->is_refused && is_of_part (scene, setting, part) &&
        (options == NULL || orrery_node_find (options, setting->path.property) == NULL))
      return setting;
  }
  return NULL;
}

OrreryNode *
orrery_scene_settle_node (OrreryScene *scene, const char *part, OrreryNode *node)
{
  OrreryNode *options = orrery_node_find (node, "properties");
  OrreryNode *settled = orrery_scene_settle (scene, part, options);
  OrreryNode *copy;

  if (settled == options)
    return node;
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

    if (!g_str_equal (setting->path.owner, part) || !g_str_equal (setting->path.property, key))
      continue;
    read_key (scene, setting, &orrery_object_keys, keys);
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
