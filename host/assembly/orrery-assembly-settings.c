/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings that no part took: their paths are wrong. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-part-private.h"
#include "scene/orrery-settings-private.h"

#include <string.h>

static void
add_parts (GPtrArray *names, GHashTable *parts)
{
  GHashTableIter iter;
  gpointer part;

  g_hash_table_iter_init (&iter, parts);
  while (g_hash_table_iter_next (&iter, NULL, &part))
    if (part != NULL)
      g_ptr_array_add (names, (gpointer) orrery_part_get_name (part));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Of everything that a path may begin with; sorted, so that messages depend on the scene alone. */
static GPtrArray *
list_names (OrreryAssembly *assembly)
{
  GPtrArray *slots = orrery_scripts_get_slots (orrery_runner_get_scripts (assembly->runner));
  OrreryWorld *world = assembly->world;
  GPtrArray *names = g_ptr_array_new ();

  g_ptr_array_add (names, (gpointer) "seed");
  g_ptr_array_add (names, (gpointer) "simulation");
  if (assembly->physics != NULL)
    g_ptr_array_add (names, (gpointer) orrery_part_get_name (ORRERY_PART (assembly->physics)));
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    g_ptr_array_add (names, (gpointer) orrery_object_get_name (orrery_world_get_object (world, i)));
  for (guint i = 0; i < assembly->parts->len; i++)
    g_ptr_array_add (names, (gpointer) orrery_part_get_name (assembly->parts->pdata[i]));
  for (guint i = 0; i < slots->len; i++)
    g_ptr_array_add (names, ((OrreryScriptSlot *) slots->pdata[i])->name);
  add_parts (names, assembly->managers);
  add_parts (names, assembly->request_managers);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return names;
}

/* A modifier is named by its class, which is not always the word of a script: those of the
 * component are listed. NULL: it has none, or the path names none. */
static char *
list_modifiers (OrreryAssembly *assembly, const char *path)
{
  const char *slash = strchr (path, '/');
  gsize length = slash != NULL ? (gsize) (slash - path) + 1 : 0;
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < assembly->parts->len; i++) {
    const char *name = orrery_part_get_name (assembly->parts->pdata[i]);

    if (length > 0 && ORRERY_IS_MODIFIER (assembly->parts->pdata[i]) &&
        strncmp (name, path, length) == 0)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "; there is: ", name);
  }
  return g_string_free (list, list->len == 0);
}

static void
refuse_part (OrreryAssembly *assembly, const OrrerySetting *setting)
{
  g_autoptr (GPtrArray) names = list_names (assembly);
  g_autofree char *nearest =
      orrery_nearest_names (setting->path.owner, (const char *const *) names->pdata);
  g_autofree char *modifiers =
      strchr (nearest, '/') == NULL ? list_modifiers (assembly, setting->path.owner) : NULL;

  orrery_assembly_refuse (assembly, setting->value, "no part or object is named '%.200s'%s",
                          setting->path.owner, modifiers != NULL ? modifiers : nearest);
}

static void
refuse_property (OrreryAssembly *assembly, OrreryPart *part, const OrrerySetting *setting)
{
  g_auto (GStrv) options = orrery_part_get_option_names (part);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; options[i] != NULL; i++)
    g_ptr_array_add (names, options[i]);
  g_ptr_array_add (names, (gpointer) "classpath");
  g_ptr_array_add (names, (gpointer) "frequency");
  g_ptr_array_add (names, (gpointer) "position");
  g_ptr_array_add (names, (gpointer) "rotation");
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (setting->path.property, (const char *const *) names->pdata);
  orrery_assembly_refuse (assembly, setting->value, "%s has no '%.80s'%s",
                          orrery_part_get_name (part), setting->path.property, nearest);
}

/* A robot takes any property, as a value of its object; in a setting an unknown one is a mistake.
 */
static gboolean
has_property (OrreryComponent *component, const OrrerySetting *setting)
{
  g_autoptr (GVariant) known =
      orrery_part_get_option (ORRERY_PART (component), setting->path.property);
  OrreryObject *object = orrery_component_get_object (component);

  return known != NULL || orrery_scene_is_key_of_member (setting) ||
         orrery_object_get_value (object, setting->path.property) != NULL ||
         orrery_scene_is_key_of_object (setting);
}

void
orrery_assembly_check_settings (OrreryAssembly *assembly)
{
  GArray *settings = assembly->scene->settings;

  for (guint i = 0; i < settings->len; i++) {
    const OrrerySetting *setting = &g_array_index (settings, OrrerySetting, i);
    OrreryComponent *component = g_hash_table_lookup (assembly->by_name, setting->path.owner);
    OrreryObject *object = orrery_world_find_object (assembly->world, setting->path.owner);

    if (setting->is_refused)
      continue;
    if (component != NULL && !has_property (component, setting))
      refuse_property (assembly, ORRERY_PART (component), setting);
    else if (component == NULL && !setting->is_used &&
             (object == NULL || !orrery_assembly_is_refused (assembly, object)))
      refuse_part (assembly, setting);
  }
}
