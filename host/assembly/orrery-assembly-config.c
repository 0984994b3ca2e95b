/* SPDX-License-Identifier: BSD-3-Clause */
/* From the five tables of component_config to modifiers, streams and services. */
#include "assembly/orrery-assembly-private.h"

#include "base/orrery-file-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-modifier-private.h"
#include "roles/orrery-request-manager-private.h"
#include "roles/orrery-stream-private.h"
#include "scene/orrery-settings-private.h"

#include <string.h>

/* Modifiers and streams of a component: a step counts them in 16 bits. */
#define MAX_ENTRIES 1000

/* --- the file --- */

static OrreryNode *
read_python (const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = orrery_file_read (path, ORRERY_NODE_MAX_BYTES, &length, error);

  return text != NULL ? orrery_node_parse_python (text, length, path, error) : NULL;
}

void
orrery_assembly_read_config (OrreryAssembly *assembly)
{
  OrreryNode *name = assembly->scene->keys.component_config;
  const char *file = assembly->options->config_file;
  g_autofree char *path = NULL;
  GError *error = NULL;

  assembly->tables = assembly->scene->keys.config;
  if (file == NULL && name == NULL)
    return;
  if (file != NULL || g_path_is_absolute (orrery_node_get_text (name)))
    path = g_strdup (file != NULL ? file : orrery_node_get_text (name));
  else
    path = g_build_filename (assembly->scene->directory, orrery_node_get_text (name), NULL);
  orrery_scene_note_file (assembly->scene, path);
  assembly->config = read_python (path, &error);
  if (assembly->config != NULL)
    orrery_keys_read (assembly->problems, assembly->config, &orrery_config_keys, &assembly->tables);
  else if (file == NULL && !g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG))
    orrery_assembly_problem (assembly, name, error);
  else
    orrery_problems_take (assembly->problems, error);
}

/* A component that could not be made was reported already. */
static gboolean
is_told_of (OrreryAssembly *assembly, const char *name)
{
  OrreryObject *object = orrery_world_find_object (assembly->world, name);

  if (object != NULL)
    return orrery_assembly_is_refused (assembly, object);
  return assembly->components->len == 0 && assembly->problems->n > 0;
}

static void
unknown_component (OrreryAssembly *assembly, OrreryNode *table, guint i)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint j = 0; j < assembly->components->len; j++)
    g_ptr_array_add (names, (gpointer) orrery_part_get_name (assembly->components->pdata[j]));
  g_ptr_array_add (names, NULL);
  nearest =
      orrery_nearest_names (orrery_node_get_key (table, i), (const char *const *) names->pdata);
  orrery_problems_take (assembly->problems,
                        orrery_node_key_error (table, i, ORRERY_ERROR_CONFIG,
                                               "no component is named '%.80s'%s",
                                               orrery_node_get_key (table, i), nearest));
}

/* A table of what is added names something else. */
static void
refuse_older (OrreryAssembly *assembly, OrreryNode *table, guint i)
{
  orrery_problems_take (
      assembly->problems,
      orrery_node_key_error (table, i, ORRERY_ERROR_CONFIG,
                             "'%.80s' is there already, and is not changed by what is added",
                             orrery_node_get_key (table, i)));
}

OrreryComponent *
orrery_assembly_find_component (OrreryAssembly *assembly, OrreryNode *table, guint i)
{
  OrreryComponent *component =
      g_hash_table_lookup (assembly->by_name, orrery_node_get_key (table, i));

  if (component == NULL && !is_told_of (assembly, orrery_node_get_key (table, i)))
    unknown_component (assembly, table, i);
  if (component != NULL && assembly->is_extended &&
      !orrery_assembly_is_from (component, assembly->first_added)) {
    refuse_older (assembly, table, i);
    return NULL;
  }
  return component;
}

static const char *
item_text (OrreryNode *list, guint i)
{
  OrreryNode *item;

  if (i >= orrery_node_get_length (list))
    return NULL;
  item = orrery_node_get_item (list, i);
  return orrery_node_get_kind (item) == ORRERY_NODE_TEXT ? orrery_node_get_text (item) : NULL;
}

/* The options are the last element of an entry, if that is a dictionary. */
static OrreryNode *
entry_options (OrreryNode *entry)
{
  guint n = orrery_node_get_length (entry);
  OrreryNode *last = n > 0 ? orrery_node_get_item (entry, n - 1) : NULL;

  return last != NULL && orrery_node_get_kind (last) == ORRERY_NODE_DICT ? last : NULL;
}

static gboolean
is_list (OrreryNode *node)
{
  return orrery_node_get_kind (node) == ORRERY_NODE_LIST;
}

/* Accepts @min to @max texts, optionally followed by a dictionary. */
static gboolean
is_entry (OrreryNode *entry, guint min, guint max)
{
  guint n = is_list (entry) ? orrery_node_get_length (entry) : 0;
  guint n_texts = 0;

  while (n_texts < n && item_text (entry, n_texts) != NULL)
    n_texts++;
  if (n_texts < min || n_texts > max)
    return FALSE;
  return n == n_texts || (n == n_texts + 1 && entry_options (entry) != NULL);
}

char *
orrery_assembly_count_class (OrreryAssembly *assembly, const char *owner, const char *classpath)
{
  const char *dot = strrchr (classpath, '.');
  g_autofree char *base = g_strdup_printf ("%s/%s", owner, dot != NULL ? dot + 1 : classpath);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (assembly->counts, base));
  char *name = g_strdup_printf ("%s#%u", base, n);

  g_hash_table_replace (assembly->counts, g_steal_pointer (&base), GUINT_TO_POINTER (n + 1));
  return name;
}

char *
orrery_assembly_name_attached (OrreryAssembly *assembly, OrreryComponent *component,
                               const char *classpath)
{
  return orrery_assembly_count_class (assembly, orrery_part_get_name (ORRERY_PART (component)),
                                      classpath);
}

/* --- modifiers --- */

static OrreryModifierFunc
find_method (OrreryAssembly *assembly, OrreryModifier *modifier, OrreryNode *entry,
             gboolean actuator)
{
  OrreryModifierClass *klass = ORRERY_MODIFIER_GET_CLASS (modifier);
  const char *word = item_text (entry, 1);
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *nearest = NULL;
  const OrreryMethod *method;

  /* `modify` is what MORSE calls it, too. */
  if (word == NULL || g_str_equal (word, actuator ? "IN" : "OUT") || g_str_equal (word, "modify"))
    return klass->modify;
  method = orrery_modifier_class_find_method (klass, word);
  if (method != NULL)
    return orrery_modifier_choose_method (modifier, method);
  if (g_str_equal (word, "IN") || g_str_equal (word, "OUT")) {
    orrery_assembly_refuse (assembly, orrery_node_get_item (entry, 1),
                            "'%s' does not fit: modifiers of %s are %s", word,
                            actuator ? "actuators" : "sensors and robots", actuator ? "IN" : "OUT");
    return NULL;
  }
  names = g_ptr_array_new ();
  for (guint i = 0; i < klass->n_methods; i++)
    g_ptr_array_add (names, (gpointer) klass->methods[i].name);
  g_ptr_array_add (names, (gpointer) (actuator ? "IN" : "OUT"));
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (word, (const char *const *) names->pdata);
  orrery_assembly_refuse (assembly, orrery_node_get_item (entry, 1), "%s has no method '%.40s'%s",
                          orrery_part_get_classpath (ORRERY_PART (modifier)), word, nearest);
  return NULL;
}

static void
add_modifier (OrreryAssembly *assembly, OrreryComponent *component, OrreryNode *entry)
{
  OrreryPipeline *pipeline = g_hash_table_lookup (assembly->pipelines, component);
  const char *classpath;
  g_autofree char *name = NULL;
  const OrreryClass *klass;
  OrreryNode *options;
  OrreryModifierFunc func;
  OrreryPart *part;

  if (!is_entry (entry, 1, 2)) {
    g_autofree char *shown = orrery_keys_show (entry);

    orrery_assembly_refuse (
        assembly, entry,
        "a modifier is [classpath, {parameters}] or [classpath, 'IN', 'OUT' or a method, "
        "{parameters}], not %s",
        shown);
    return;
  }
  classpath = item_text (entry, 0);
  name = orrery_assembly_name_attached (assembly, component, classpath);
  options = orrery_scene_settle (assembly->scene, name, entry_options (entry));
  klass = orrery_assembly_find_class (assembly, orrery_node_get_item (entry, 0), classpath, name);
  part = orrery_assembly_create_of (assembly, orrery_node_get_item (entry, 0), klass,
                                    ORRERY_ROLE_MODIFIER, name);
  if (part == NULL)
    return;
  g_ptr_array_add (assembly->parts, part);
  func = find_method (assembly, ORRERY_MODIFIER (part), entry, ORRERY_IS_ACTUATOR (component));
  if (!orrery_assembly_set_options (assembly, part, options) ||
      !orrery_assembly_setup (assembly, entry, part, component, options))
    return;
  if (func == NULL || pipeline == NULL)
    return;
  orrery_pipeline_add_modifier (pipeline, ORRERY_MODIFIER (part), func,
                                klass->desc->thread_safe && orrery_part_get_sources (part) == NULL);
  orrery_calls_map_inside (assembly->calls, name, part);
  orrery_calls_map_inside (assembly->calls, orrery_part_get_name (ORRERY_PART (component)), part);
}

static gboolean
is_list_of_entries (OrreryAssembly *assembly, OrreryNode *entries, const char *what)
{
  if (!is_list (entries))
    orrery_assembly_refuse (assembly, entries, "the %s of a component are a list, not %s", what,
                            orrery_node_get_kind_name (entries));
  else if (orrery_node_get_length (entries) > MAX_ENTRIES)
    orrery_assembly_refuse (assembly, entries, "a component has at most %d %s, not %u", MAX_ENTRIES,
                            what, orrery_node_get_length (entries));
  else
    return TRUE;
  return FALSE;
}

/* Each entry of each component. @what: for messages */
static void
add_entries (OrreryAssembly *assembly, OrreryNode *table, const char *what,
             void (*add) (OrreryAssembly *assembly, OrreryComponent *component, OrreryNode *entry))
{
  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    OrreryComponent *component = orrery_assembly_find_component (assembly, table, i);
    OrreryNode *entries = orrery_node_get_item (table, i);

    if (component == NULL || !is_list_of_entries (assembly, entries, what))
      continue;
    for (guint j = 0; j < orrery_node_get_length (entries); j++)
      add (assembly, component, orrery_node_get_item (entries, j));
  }
}

void
orrery_assembly_add_modifiers (OrreryAssembly *assembly)
{
  add_entries (assembly, assembly->tables.modifiers, "modifiers", add_modifier);
}

/* --- streams --- */

static OrreryNode *
find_manager_options (OrreryAssembly *assembly, const OrreryClass *klass)
{
  OrreryNode *table = assembly->tables.managers;

  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++)
    if (orrery_registry_find_class (assembly->registry, orrery_node_get_key (table, i), NULL) ==
        klass)
      return orrery_node_get_item (table, i);
  return NULL;
}

static void
set_up_manager (OrreryAssembly *assembly, OrreryNode *place, const OrreryClass *klass,
                OrreryPart *part)
{
  OrreryNode *options = orrery_scene_settle (assembly->scene, klass->classpath,
                                             find_manager_options (assembly, klass));

  /* A value that is no dictionary is reported where the table is checked. */
  if (options != NULL && orrery_node_get_kind (options) != ORRERY_NODE_DICT)
    return;
  if (orrery_assembly_set_options (assembly, part, options))
    orrery_assembly_setup (assembly, place, part, NULL, options);
}

/* A manager is made when its class is first named. NULL: the class is none of this role, which is
 * reported once. */
static OrreryPart *
get_manager (OrreryAssembly *assembly, OrreryNode *place, const OrreryClass *klass, OrreryRole role)
{
  gboolean streams = role == ORRERY_ROLE_DATASTREAM_MANAGER;
  GHashTable *made = streams ? assembly->managers : assembly->request_managers;
  OrreryPart *part = NULL;

  if (klass == NULL || g_hash_table_lookup_extended (made, klass, NULL, (gpointer *) &part))
    return part;
  if (assembly->is_extended) {
    orrery_assembly_refuse (assembly, place,
                            "the scene runs without %s, and it is too late to start it; name it in "
                            "the scene's 'stream_manager'",
                            klass->classpath);
    return NULL;
  }
  part = orrery_assembly_create_of (assembly, place, klass, role, klass->classpath);
  g_hash_table_insert (made, (gpointer) klass, part);
  if (part == NULL)
    return NULL;
  if (streams) {
    orrery_datastream_manager_set_output_directory (ORRERY_DATASTREAM_MANAGER (part),
                                                    assembly->options->output_dir);
    orrery_runner_add_manager (assembly->runner, ORRERY_DATASTREAM_MANAGER (part));
  } else
    orrery_runner_add_request_manager (assembly->runner, ORRERY_REQUEST_MANAGER (part));
  set_up_manager (assembly, place, klass, part);
  return part;
}

static OrreryStreamOptions *
create_options (OrreryAssembly *assembly, OrreryComponent *component, OrreryPart *manager)
{
  GType type = manager != NULL ? ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->stream_options : 0;
  OrreryPart *part = g_object_new (type != 0 ? type : ORRERY_TYPE_STREAM_OPTIONS, NULL);

  orrery_part_identify (part, orrery_part_get_name (ORRERY_PART (component)),
                        manager != NULL ? orrery_part_get_classpath (manager) : "", assembly->seed);
  return ORRERY_STREAM_OPTIONS (part);
}

/* Neither the codec nor the manager has it: the names that both have.
 * Returns: (transfer full) */
static char *
name_nearest (const char *name, OrreryPart *codec, OrreryStreamOptions *of_manager)
{
  g_auto (GStrv) others = orrery_part_get_option_names (codec);
  g_auto (GStrv) names = orrery_part_get_option_names (ORRERY_PART (of_manager));
  g_autoptr (GPtrArray) both = g_ptr_array_new ();

  for (char **each = names; *each != NULL; each++)
    g_ptr_array_add (both, *each);
  for (char **each = others; *each != NULL; each++)
    g_ptr_array_add (both, *each);
  g_ptr_array_add (both, NULL);
  return orrery_nearest_names (name, (const char *const *) both->pdata);
}

#define NO_OPTION "%s: a stream of %s with %s has no option '%.60s'%s"

static void
refuse_option (OrreryAssembly *assembly, OrreryNode *options, guint i, OrreryPart *codec,
               OrreryStreamOptions *of_manager)
{
  OrreryPart *manager = ORRERY_PART (of_manager);
  const char *name = orrery_node_get_key (options, i);
  g_autofree char *nearest = name_nearest (name, codec, of_manager);

  orrery_problems_take (assembly->problems,
                        orrery_node_key_error (options, i, ORRERY_ERROR_CONFIG, NO_OPTION,
                                               orrery_part_get_name (manager),
                                               orrery_part_get_classpath (manager),
                                               orrery_part_get_classpath (codec), name, nearest));
}

/* To whom an option goes: the codec, if it has it, else the manager. NULL: neither has it */
static OrreryPart *
find_owner (OrreryPart *codec, OrreryStreamOptions *of_manager, const char *name)
{
  g_autoptr (GVariant) known = orrery_part_get_option (codec, name);
  g_autoptr (GVariant) second = orrery_part_get_option (ORRERY_PART (of_manager), name);

  if (known != NULL)
    return codec;
  return second != NULL ? ORRERY_PART (of_manager) : NULL;
}

/* @place: of the value, for messages */
static void
set_stream_option (OrreryAssembly *assembly, OrreryNode *place, const char *name, OrreryPart *owner,
                   GVariant *value)
{
  GError *error = NULL;

  if (ORRERY_IS_STREAM_OPTIONS (owner)
          ? orrery_stream_options_set (ORRERY_STREAM_OPTIONS (owner), name, value, &error)
          : orrery_part_set_option (owner, name, value, &error))
    return;
  orrery_assembly_take_part_error (assembly, place, owner, error);
}

/* Settings of members of lists of which the config says nothing. */
static void
set_stream_members (OrreryAssembly *assembly, OrreryPart *codec, OrreryStreamOptions *of_manager,
                    OrreryNode *options)
{
  const OrrerySetting *setting;
  guint i = 0;

  while ((setting = orrery_scene_next_member (assembly->scene, orrery_part_get_name (codec),
                                              options, &i)) != NULL) {
    const char *name = setting->path.property;
    OrreryPart *owner = find_owner (codec, of_manager, name);
    g_autoptr (GVariant) member = orrery_node_to_variant (setting->value);
    g_autoptr (GVariant) now = owner != NULL ? orrery_part_get_option (owner, name) : NULL;
    g_autoptr (GVariant) list = NULL;
    GError *error = NULL;

    if (now == NULL) {
      g_autofree char *nearest = name_nearest (name, codec, of_manager);

      orrery_assembly_refuse (assembly, setting->value, NO_OPTION, orrery_part_get_name (codec),
                              orrery_part_get_classpath (ORRERY_PART (of_manager)),
                              orrery_part_get_classpath (codec), name, nearest);
      continue;
    }
    list = orrery_property_path_put (&setting->path, now, member, &error);
    if (list != NULL)
      set_stream_option (assembly, setting->value, name, owner, list);
    else
      orrery_assembly_take_part_error (assembly, setting->value, codec, error);
  }
}

/* Returns: those that a manager that does not declare its options reads itself */
static GVariant *
split_options (OrreryAssembly *assembly, OrreryPart *codec, OrreryStreamOptions *of_manager,
               OrreryNode *options)
{
  gboolean are_declared = G_OBJECT_TYPE (of_manager) != ORRERY_TYPE_STREAM_OPTIONS;
  GVariantBuilder rest;

  g_variant_builder_init (&rest, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; options != NULL && i < orrery_node_get_length (options); i++) {
    const char *key = orrery_node_get_key (options, i);
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (options, i));
    OrreryPart *owner = find_owner (codec, of_manager, key);

    if (owner != NULL)
      set_stream_option (assembly, orrery_node_get_item (options, i), key, owner, value);
    else if (!are_declared)
      g_variant_builder_add (&rest, "{sv}", key, value);
    else if (!orrery_part_allows_other_options (codec))
      refuse_option (assembly, options, i, codec, of_manager);
  }
  set_stream_members (assembly, codec, of_manager, options);
  return g_variant_ref_sink (g_variant_builder_end (&rest));
}

static gboolean
find_direction (OrreryAssembly *assembly, OrreryNode *entry, OrreryComponent *component,
                OrreryDirection *direction)
{
  const char *word = item_text (entry, 2);

  *direction = ORRERY_IS_ACTUATOR (component) ? ORRERY_DIRECTION_IN : ORRERY_DIRECTION_OUT;
  if (word == NULL)
    return TRUE;
  if (g_str_equal (word, "OUT"))
    *direction = ORRERY_DIRECTION_OUT;
  else if (g_str_equal (word, "IN") && *direction == ORRERY_DIRECTION_IN)
    *direction = ORRERY_DIRECTION_IN;
  else if (g_str_equal (word, "IN")) {
    orrery_assembly_refuse (assembly, orrery_node_get_item (entry, 2),
                            "'IN' does not fit: only actuators take messages");
    return FALSE;
  } else {
    orrery_assembly_refuse (assembly, orrery_node_get_item (entry, 2),
                            "'%.20s' is no direction; there is: IN, OUT", word);
    return FALSE;
  }
  return TRUE;
}

static gboolean
fits_direction (OrreryAssembly *assembly, OrreryNode *entry, OrreryComponent *component,
                OrreryPart *codec, OrreryDirection direction)
{
  OrreryDatastreamClass *klass = ORRERY_DATASTREAM_GET_CLASS (codec);

  if (direction == ORRERY_DIRECTION_IN ? klass->decode != NULL : klass->encode != NULL)
    return TRUE;
  orrery_assembly_refuse (assembly, entry, "%s: %s does not %s",
                          orrery_part_get_name (ORRERY_PART (component)),
                          orrery_part_get_classpath (codec),
                          direction == ORRERY_DIRECTION_IN ? "read messages" : "write messages");
  return FALSE;
}

/* What comes in is not limited: of several messages in one step the last one counts. */
static gboolean
fits_rate (OrreryAssembly *assembly, OrreryNode *entry, OrreryStreamOptions *options,
           OrreryDirection direction)
{
  if (direction == ORRERY_DIRECTION_OUT || orrery_stream_options_get_rate (options) == 0)
    return TRUE;
  orrery_assembly_refuse (assembly, entry,
                          "%s: 'rate' limits what is sent, and this stream takes messages",
                          orrery_part_get_name (ORRERY_PART (options)));
  return FALSE;
}

static gboolean
have_same_options (OrreryPart *part, OrreryPart *other)
{
  g_auto (GStrv) names = orrery_part_get_option_names (part);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (GVariant) value = orrery_part_get_option (part, names[i]);
    g_autoptr (GVariant) second = orrery_part_get_option (other, names[i]);

    if (!g_variant_equal (value, second))
      return FALSE;
  }
  return TRUE;
}

/* Managers of topics have listeners, and so messages, of their own. */
static int
find_same (OrreryPipeline *pipeline, OrreryPart *codec, OrreryDatastreamManager *manager)
{
  if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->send_messages != NULL)
    return -1;
  for (guint i = 0; i < pipeline->outputs->len; i++) {
    OrreryOutput *output = &g_array_index (pipeline->outputs, OrreryOutput, i);

    if (output->same_as < 0 && G_OBJECT_TYPE (output->codec) == G_OBJECT_TYPE (codec) &&
        have_same_options (ORRERY_PART (output->codec), codec))
      return (int) i;
  }
  return -1;
}

void
orrery_assembly_join_stream (OrreryAssembly *assembly, OrreryStream *stream,
                             OrreryDatastreamManager *manager)
{
  OrreryPart *codec = ORRERY_PART (orrery_stream_get_codec (stream));
  OrreryPipeline *pipeline =
      g_hash_table_lookup (assembly->pipelines, orrery_stream_get_component (stream));

  g_ptr_array_add (orrery_datastream_manager_get_streams (manager),
                   (gpointer) orrery_stream_get_name (stream));
  if (orrery_stream_get_direction (stream) == ORRERY_DIRECTION_OUT)
    orrery_pipeline_add_output (pipeline, stream, manager, find_same (pipeline, codec, manager));
  else
    orrery_pipeline_add_input (pipeline, stream, manager);
}

static void
open_stream (OrreryAssembly *assembly, OrreryNode *entry, OrreryStream *stream,
             OrreryDatastreamManager *manager, GVariant *options)
{
  GError *error = NULL;

  if (assembly->is_extended) {
    orrery_assembly_keep_stream (assembly, entry, stream, manager, options);
    return;
  }
  ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->open (manager, stream, options, &error);
  if (error == NULL) {
    orrery_assembly_join_stream (assembly, stream, manager);
    return;
  }
  g_prefix_error (&error, "%s: ", orrery_stream_get_name (stream));
  orrery_assembly_problem (assembly, entry, error);
}

static void
add_stream (OrreryAssembly *assembly, OrreryComponent *component, OrreryNode *entry)
{
  const OrreryClass *manager_class;
  const char *codec_path;
  OrreryNode *options;
  g_autofree char *name = NULL;
  g_autoptr (GVariant) rest = NULL;
  g_autoptr (OrreryStreamOptions) of_manager = NULL;
  g_autoptr (OrreryStream) stream = NULL;
  OrreryPart *manager;
  OrreryDirection direction;
  OrreryPart *codec;

  if (!is_entry (entry, 2, 3)) {
    g_autofree char *shown = orrery_keys_show (entry);

    orrery_assembly_refuse (
        assembly, entry,
        "a stream is [manager, codec, {options}] or [manager, codec, 'IN' or 'OUT', "
        "{options}], not %s",
        shown);
    return;
  }
  codec_path = item_text (entry, 1);
  manager_class = orrery_assembly_find_class (assembly, orrery_node_get_item (entry, 0),
                                              item_text (entry, 0), NULL);
  manager = get_manager (assembly, orrery_node_get_item (entry, 0), manager_class,
                         ORRERY_ROLE_DATASTREAM_MANAGER);
  name = orrery_assembly_name_attached (assembly, component, codec_path);
  options = orrery_scene_settle (assembly->scene, name, entry_options (entry));
  codec = orrery_assembly_create (assembly, orrery_node_get_item (entry, 1), codec_path,
                                  ORRERY_ROLE_DATASTREAM, name);
  if (codec == NULL)
    return;
  g_ptr_array_add (assembly->parts, codec);
  if (manager_class != NULL)
    orrery_datastream_set_encoding (ORRERY_DATASTREAM (codec), manager_class->desc->encoding);
  of_manager = create_options (assembly, component, manager);
  rest = split_options (assembly, codec, of_manager, options);
  if (!find_direction (assembly, entry, component, &direction) ||
      !fits_direction (assembly, entry, component, codec, direction) ||
      !fits_rate (assembly, entry, of_manager, direction) ||
      !orrery_assembly_setup (assembly, entry, codec, component, options))
    return;
  if (manager == NULL || !orrery_part_is_started (manager))
    return;
  stream = orrery_stream_new (component, ORRERY_DATASTREAM (codec), direction, of_manager);
  open_stream (assembly, entry, stream, ORRERY_DATASTREAM_MANAGER (manager), rest);
}

static gboolean
check_manager (OrreryAssembly *assembly, OrreryNode *table, guint i, const OrreryClass *klass)
{
  OrreryNode *options = orrery_node_get_item (table, i);

  if (klass->desc->role != ORRERY_ROLE_DATASTREAM_MANAGER &&
      klass->desc->role != ORRERY_ROLE_REQUEST_MANAGER) {
    orrery_problems_take (
        assembly->problems,
        orrery_node_key_error (table, i, ORRERY_ERROR_CONFIG,
                               "%s has the role %s; stream_manager has options of "
                               "managers",
                               klass->classpath, orrery_role_get_name (klass->desc->role)));
    return FALSE;
  }
  if (orrery_node_get_kind (options) == ORRERY_NODE_DICT)
    return TRUE;
  orrery_assembly_refuse (assembly, options, "the options of a manager are a dictionary, not %s",
                          orrery_node_get_kind_name (options));
  return FALSE;
}

/* A manager with options is loaded even if no stream uses it, because it may pace the ticks. */
static void
add_managers (OrreryAssembly *assembly)
{
  OrreryNode *table = assembly->tables.managers;

  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    const char *key = orrery_node_get_key (table, i);
    GError *error = NULL;
    const OrreryClass *klass = orrery_registry_find_class (assembly->registry, key, &error);

    if (klass == NULL) {
      orrery_problems_take (assembly->problems,
                            orrery_node_key_error (table, i, error->code, "%s", error->message));
      g_error_free (error);
    } else if (check_manager (assembly, table, i, klass)) {
      get_manager (assembly, orrery_node_get_item (table, i), klass, klass->desc->role);
    }
  }
}

void
orrery_assembly_add_streams (OrreryAssembly *assembly)
{
  add_managers (assembly);
  add_entries (assembly, assembly->tables.streams, "streams", add_stream);
}

/* --- services --- */

OrreryRequestManager *
orrery_assembly_get_request_manager (OrreryAssembly *assembly, OrreryNode *place, const char *name)
{
  OrreryPart *part =
      get_manager (assembly, place, orrery_assembly_find_class (assembly, place, name, NULL),
                   ORRERY_ROLE_REQUEST_MANAGER);

  return part != NULL ? ORRERY_REQUEST_MANAGER (part) : NULL;
}

static void
map_service (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part, gboolean has_all)
{
  OrreryRequestManager *manager =
      orrery_assembly_get_request_manager (assembly, place, orrery_node_get_text (place));

  if (manager != NULL && part != NULL)
    orrery_calls_map (assembly->calls, manager, orrery_part_get_name (part), part, NULL);
  if (manager != NULL && has_all)
    orrery_calls_allow_all (assembly->calls, manager);
}

static void
map_services (OrreryAssembly *assembly, OrreryNode *entry, OrreryPart *part, gboolean has_all)
{
  if (orrery_node_get_kind (entry) == ORRERY_NODE_TEXT) {
    map_service (assembly, entry, part, has_all);
    return;
  }
  if (!is_list (entry)) {
    orrery_assembly_refuse (assembly, entry,
                            "services are given by a classpath or a list of them, not %s",
                            orrery_node_get_kind_name (entry));
    return;
  }
  for (guint i = 0; i < orrery_node_get_length (entry); i++) {
    OrreryNode *item = orrery_node_get_item (entry, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_TEXT)
      map_service (assembly, item, part, has_all);
    else
      orrery_assembly_refuse (assembly, item,
                              "a request manager is named by its classpath, not by %s",
                              orrery_node_get_kind_name (item));
  }
}

/* Those that the program asks for. */
static void
add_own_managers (OrreryAssembly *assembly)
{
  char **names = assembly->options->request_managers;

  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    OrreryRequestManager *manager = orrery_assembly_get_request_manager (assembly, NULL, names[i]);

    if (manager != NULL)
      orrery_calls_reach_all (assembly->calls, manager);
  }
}

void
orrery_assembly_add_services (OrreryAssembly *assembly)
{
  OrreryNode *table = assembly->tables.services;

  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    OrreryNode *entry = orrery_node_get_item (table, i);
    const char *key = orrery_node_get_key (table, i);
    OrreryComponent *component;

    /* These services are available on every manager; naming one here loads it, and lets it have all
     * services of the simulation. */
    if (g_str_equal (key, "simulation") || g_str_equal (key, "time") ||
        g_str_equal (key, "communication")) {
      if (assembly->is_extended)
        refuse_older (assembly, table, i);
      else
        map_services (assembly, entry, NULL, g_str_equal (key, "simulation"));
      continue;
    }
    component = orrery_assembly_find_component (assembly, table, i);
    if (component != NULL)
      map_services (assembly, entry, ORRERY_PART (component), FALSE);
  }
  if (assembly->options->listen)
    orrery_assembly_get_request_manager (assembly, NULL, ORRERY_SOCKET_REQUEST_MANAGER);
  add_own_managers (assembly);
}
