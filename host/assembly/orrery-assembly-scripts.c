/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the scripts that a scene names into slots, in the order in which they are called. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "scene/orrery-settings-private.h"

/* What a slot is made from. It lives as long as the slot, because an add-on outlives its scene. */
typedef struct {
  char *classpath;
  OrreryNode *node; /* its dictionary in the scene */
  OrreryScriptSettings settings;
} ScriptSource;

static void
source_free (gpointer data)
{
  ScriptSource *source = data;

  g_free (source->classpath);
  orrery_node_unref (source->node);
  g_free (source);
}

/* `robot/child`, `add-on/Class#n`: n counts the class among the add-ons, `sandbox`. */
char *
orrery_assembly_name_script (OrreryAssembly *assembly, const OrreryScriptPlace *place)
{
  const char *type = orrery_script_type_get_name (place->type);

  if (place->object != NULL)
    return g_strdup_printf ("%s/%s", orrery_object_get_name (place->object), type);
  if (place->type == ORRERY_SCRIPT_SANDBOX)
    return g_strdup (type);
  return orrery_assembly_count_class (assembly, type, place->classpath);
}

/* The script was set up in its worker: publishes its services here. */
static gboolean
set_up_remote (OrreryAssembly *assembly, OrreryRemote *remote, OrreryNode *place, OrreryPart *part)
{
  GError *error = NULL;

  if (orrery_remote_make_script (remote, ORRERY_SCRIPT (part), &error))
    return orrery_assembly_publish_remote (assembly, place, part,
                                           orrery_remote_get_published (remote));
  orrery_assembly_take_part_error (assembly, place, part, error);
  return FALSE;
}

static gboolean
set_up (OrreryAssembly *assembly, const char *name, OrreryNode *place, OrreryPart *part)
{
  OrreryRemote *remote =
      orrery_workers_find_script (orrery_runner_get_workers (assembly->runner), name);

  if (remote != NULL)
    return set_up_remote (assembly, remote, place, part);
  return orrery_assembly_setup (assembly, place, part, NULL,
                                orrery_node_find (place, "properties"));
}

OrreryScript *
orrery_assembly_make_script (OrreryAssembly *assembly, OrreryScriptSlot *slot)
{
  const ScriptSource *source = slot->place;
  OrreryNode *options = orrery_node_find (source->node, "properties");
  g_autoptr (OrreryPart) part =
      orrery_assembly_create (assembly, orrery_node_find (source->node, "classpath"),
                              source->classpath, ORRERY_ROLE_SCRIPT, slot->name);

  if (part == NULL)
    return NULL;
  orrery_script_place (ORRERY_SCRIPT (part), slot->type, slot->object);
  if (options != NULL && orrery_node_get_kind (options) != ORRERY_NODE_DICT)
    return NULL;
  if (!orrery_assembly_set_options (assembly, part, options) ||
      !set_up (assembly, slot->name, source->node, part)) {
    orrery_assembly_drop_script (assembly, ORRERY_SCRIPT (part));
    return NULL;
  }
  orrery_calls_map_inside (assembly->calls, slot->name, part);
  return ORRERY_SCRIPT (g_steal_pointer (&part));
}

void
orrery_assembly_drop_script (OrreryAssembly *assembly, OrreryScript *script)
{
  OrreryCall *busy = orrery_part_get_busy (ORRERY_PART (script));
  OrreryRemote *remote = orrery_remote_find (ORRERY_PART (script));

  if (busy != NULL)
    orrery_call_cancel (busy);
  orrery_calls_unmap (assembly->calls, ORRERY_PART (script));
  if (remote != NULL)
    orrery_remote_drop_script (remote);
}

void
orrery_assembly_set_up_again (OrreryAssembly *assembly, OrreryScripts *scripts)
{
  GPtrArray *slots = orrery_scripts_get_slots (scripts);

  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];
    const ScriptSource *source = slot->place;
    OrreryNode *options = orrery_node_find (source->node, "properties");
    GError *error = NULL;

    if (slot->object != NULL || !slot->alive)
      continue;
    orrery_part_set_log_levels (ORRERY_PART (slot->script), assembly->scene->log_levels, NULL);
    if (orrery_assembly_setup (assembly, source->node, ORRERY_PART (slot->script), NULL, options)) {
      orrery_calls_map_inside (assembly->calls, slot->name, ORRERY_PART (slot->script));
      continue;
    }
    orrery_problems_report (assembly->problems, &error);
    orrery_problems_clear (assembly->problems);
    orrery_problems_init (assembly->problems);
    orrery_scripts_disable (scripts, slot, "setup", error);
  }
}

/* --- slots --- */

static OrreryScriptSettings
find_settings (OrreryScene *scene, const OrreryScriptPlace *place)
{
  const OrrerySceneScripts *scripts = &scene->scripts;

  if (place->type == ORRERY_SCRIPT_SANDBOX)
    return scripts->sandbox;
  if (place->type == ORRERY_SCRIPT_ADD_ON)
    return g_array_index (scripts->add_ons, OrreryScriptSettings, place->index);
  return g_array_index (scripts->objects, OrreryOrderObject, place->index).scripts[place->type];
}

static OrreryScriptSlot *
create_slot (OrreryAssembly *assembly, const OrreryScriptPlace *place)
{
  g_autofree char *name = orrery_assembly_name_script (assembly, place);
  ScriptSource *source = g_new0 (ScriptSource, 1);

  source->classpath = g_strdup (place->classpath);
  source->node = orrery_node_ref (orrery_scene_settle_node (assembly->scene, name, place->node));
  source->settings = find_settings (assembly->scene, place);
  return orrery_script_slot_new (name, place->type, place->object, source, source_free);
}

static gboolean
has_slot (GPtrArray *slots, const char *name)
{
  for (guint i = 0; i < slots->len; i++)
    if (g_str_equal (((OrreryScriptSlot *) slots->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

/* Makes slots for all scripts of the scene, and for those of the program that exist already. */
static void
create_slots (OrreryAssembly *assembly, OrreryScripts *scripts, GPtrArray *slots)
{
  GArray *places = assembly->scene->scripts.places;
  GPtrArray *existing = orrery_scripts_get_slots (scripts);

  g_ptr_array_extend (slots, existing, NULL, NULL);
  for (guint i = 0; i < places->len; i++) {
    OrreryScriptSlot *slot = create_slot (assembly, &g_array_index (places, OrreryScriptPlace, i));

    /* The program already has this script, from an earlier scene. */
    if (slot->object == NULL && has_slot (existing, slot->name)) {
      orrery_script_slot_free (slot);
      continue;
    }
    orrery_script_slot_set_script (slot, orrery_assembly_make_script (assembly, slot));
    g_ptr_array_add (slots, slot);
  }
}

/* --- their order --- */

/* Finds the slots that an entry of the order refers to. */
typedef struct {
  GHashTable *of_objects[ORRERY_ORDER_N_TREE_TYPES]; /* (element-type OrreryObject guint) */
  GArray *add_ons;                                   /* (element-type guint) */
  GArray *settings;                                  /* (element-type OrreryScriptSettings) */
  guint sandbox;
  OrreryScriptSettings sandbox_settings;
} Index;

static void
index_slots (Index *index, GPtrArray *slots)
{
  for (guint i = 0; i < ORRERY_ORDER_N_TREE_TYPES; i++)
    index->of_objects[i] = g_hash_table_new (NULL, NULL);
  index->add_ons = g_array_new (FALSE, FALSE, sizeof (guint));
  index->settings = g_array_new (FALSE, FALSE, sizeof (OrreryScriptSettings));
  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];
    const ScriptSource *source = slot->place;

    if (slot->object != NULL) {
      g_hash_table_insert (index->of_objects[slot->type], slot->object, GUINT_TO_POINTER (i));
    } else if (slot->type == ORRERY_SCRIPT_ADD_ON) {
      g_array_append_val (index->add_ons, i);
      g_array_append_val (index->settings, source->settings);
    } else {
      index->sandbox = i;
      index->sandbox_settings = source->settings;
    }
  }
}

static void
index_clear (Index *index)
{
  for (guint i = 0; i < ORRERY_ORDER_N_TREE_TYPES; i++)
    g_hash_table_unref (index->of_objects[i]);
  g_array_unref (index->add_ons);
  g_array_unref (index->settings);
}

static guint
find_slot (const Index *index, OrreryWorld *world, const OrreryOrderEntry *entry)
{
  if (entry->type == ORRERY_SCRIPT_SANDBOX)
    return index->sandbox;
  if (entry->type == ORRERY_SCRIPT_ADD_ON)
    return g_array_index (index->add_ons, guint, entry->index);
  return GPOINTER_TO_UINT (g_hash_table_lookup (index->of_objects[entry->type],
                                                orrery_world_get_object (world, entry->index)));
}

/* Moves the slots that are called to @scripts and drops the others. */
static void
order_slots (OrreryAssembly *assembly, OrreryScripts *scripts, GPtrArray *slots)
{
  OrreryOrderInput input = orrery_scene_get_order_input (assembly->scene);
  g_autoptr (GPtrArray) called = g_ptr_array_new ();
  g_autoptr (GArray) order = NULL;
  Index index = { { NULL } };

  index_slots (&index, slots);
  input.add_ons = (const OrreryScriptSettings *) (gpointer) index.settings->data;
  input.n_add_ons = index.settings->len;
  input.sandbox = index.sandbox_settings;
  order = orrery_order_scripts (&input);
  for (guint i = 0; i < order->len; i++) {
    guint k = find_slot (&index, assembly->world, &g_array_index (order, OrreryOrderEntry, i));

    g_ptr_array_add (called, g_steal_pointer (&slots->pdata[k]));
  }
  orrery_scripts_set_slots (scripts, called);
  index_clear (&index);
}

void
orrery_assembly_add_scripts (OrreryAssembly *assembly, OrreryScripts *scripts)
{
  OrreryWorkers *workers = orrery_runner_get_workers (assembly->runner);
  g_autoptr (GPtrArray) slots = g_ptr_array_new ();

  create_slots (assembly, scripts, slots);
  order_slots (assembly, scripts, slots);
  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];

    if (slot == NULL)
      continue;
    if (slot->script != NULL)
      orrery_assembly_drop_script (assembly, slot->script);
    orrery_script_slot_free (slot);
  }
  /* Scripts are the last parts to be set up. */
  if (workers != NULL)
    orrery_workers_end_loading (workers);
}
