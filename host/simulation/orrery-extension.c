/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds to the spawnables of a scene while it runs: what its file did not have. */
#include "simulation/orrery-instance-private.h"

#include "base/orrery-monotonic-private.h"
#include "part/orrery-log.h"
#include "simulation/orrery-simulation-private.h"
#include "simulation/orrery-spawn-private.h"
#include "text/orrery-node-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* Bytes of the JSON of an object. */
#define MAX_TEXT ((gsize) 1 << 20)
/* In the place of files, in messages. */
#define OBJECT "added object"
#define CONFIG "config of the added object"

/* --- whether it may be --- */

static gboolean
refuse (GError **error, const char *words)
{
  return orrery_set_error (error, ORRERY_ERROR_STATE, "nothing can be added: %s", words);
}

static gboolean
check_run (OrreryInstance *self, GError **error)
{
  OrreryWorkers *workers = orrery_runner_get_workers (self->runner);

  if (self->failure != NULL)
    return orrery_instance_is_fit (self, error);
  if (workers != NULL && orrery_workers_list (workers)->len > 0)
    return refuse (error, "the scene has parts in workers, whose world is that of the start");
  if (orrery_runner_is_led (self->runner))
    return refuse (error, "the run follows another one, or is followed");
  return TRUE;
}

/* --- what is added --- */

/* Returns: (transfer full) */
static OrreryNode *
parse (const char *text, const char *place, GError **error)
{
  gsize length = strlen (text);

  if (length <= MAX_TEXT)
    return orrery_node_parse_json (text, length, place, error);
  orrery_set_error (error, ORRERY_ERROR_INVALID,
                    "%s: it has %" G_GSIZE_FORMAT " bytes, and may have at most %" G_GSIZE_FORMAT
                    "; have the object import a file with the rest",
                    place, length, MAX_TEXT);
  return NULL;
}

/* Returns: an entry of the table `spawnables`, which the scene owns */
static OrreryNode *
read_object (OrreryInstance *self, const char *text, guint64 count, GError **error)
{
  OrreryNode *object = parse (text, OBJECT, error);
  OrreryNode *entry, *number;

  if (object == NULL)
    return NULL;
  entry = orrery_node_new_at (ORRERY_NODE_DICT, object);
  number = orrery_node_new_at (ORRERY_NODE_INT, object);
  orrery_node_set_int (number, (gint64) MIN (count, G_MAXINT64));
  orrery_node_add_here (entry, "count", number);
  orrery_node_add_here (entry, "object", object);
  g_ptr_array_add (self->scene->nodes, entry);
  return entry;
}

static gboolean
read_config (OrreryInstance *self, const char *text, OrreryConfigKeys *config, GError **error)
{
  OrreryNode *node = NULL;

  *config = (OrreryConfigKeys){ NULL };
  if (*text == '\0')
    return TRUE;
  node = parse (text, CONFIG, error);
  if (node == NULL)
    return FALSE;
  g_ptr_array_add (self->scene->nodes, node);
  if (orrery_node_get_kind (node) != ORRERY_NODE_DICT)
    return orrery_keys_refuse (&self->problems, node, "a config is a dictionary, not %s",
                               orrery_node_get_kind_name (node));
  if (!orrery_keys_read (&self->problems, node, &orrery_config_keys, config))
    return FALSE;
  if (config->managers != NULL)
    orrery_keys_refuse (&self->problems, config->managers,
                        "managers are started with the scene; give their options there");
  if (config->overlays != NULL)
    orrery_keys_refuse (&self->problems, config->overlays,
                        "overlays are made with the scene; name them there");
  return self->problems.n == 0;
}

/* Problems of this scene are those of what is added. */
static gboolean
report (OrreryInstance *self, GError **error)
{
  gboolean fine = orrery_problems_report (&self->problems, error);

  orrery_problems_clear (&self->problems);
  orrery_problems_init (&self->problems);
  return fine;
}

/* From here on it is a part of the world. */
static gboolean
assemble (OrreryInstance *self, const OrrerySceneExtension *added, const OrreryConfigKeys *config,
          GError **error)
{
  OrreryScene *scene = self->scene;
  OrreryAssemblyExtension extension;
  gboolean fine;

  /* They have lists of what the scene had, and are opened again with what it has. */
  orrery_simulation_close_observers (self->simulation);
  orrery_world_extend (self->world, added->first_object);
  fine = orrery_assembly_extend (&self->assembly, added, config, &extension, error) &&
         orrery_spawn_check (self,
                             &g_array_index (scene->spawnables, OrrerySpawnable,
                                             added->first_spawnable),
                             error);
  if (!fine || self->problems.n > 0) {
    orrery_assembly_drop_extension (&self->assembly, &extension);
    return FALSE;
  }
  orrery_instance_keep_states (self, extension.first_component, extension.first_part);
  orrery_assembly_end_extension (&self->assembly, &extension);
  return TRUE;
}

static gboolean
add (OrreryInstance *self, OrreryNode *entry, const OrreryConfigKeys *config, GError **error)
{
  OrrerySceneExtension added;

  if (!orrery_scene_extend (self->scene, entry, &added) ||
      !assemble (self, &added, config, error)) {
    orrery_scene_drop_extension (self->scene, &added);
    return FALSE;
  }
  orrery_scene_end_extension (self->scene, &added);
  self->spawn = orrery_spawn_extend (self->spawn, self);
  orrery_instance_forget_scene (self);
  orrery_instance_clear_known (self);
  return TRUE;
}

static gboolean
try (OrreryInstance *self, const OrreryExtension *one, guint64 count, GError **error)
{
  guint n_nodes = self->scene->nodes->len;
  OrreryNode *entry = NULL;
  OrreryConfigKeys config;
  GError *local = NULL;
  gboolean fine;

  if (!check_run (self, error))
    return FALSE;
  entry = read_object (self, one->object, count, error);
  if (entry == NULL)
    return FALSE;
  fine = read_config (self, one->config, &config, &local) && add (self, entry, &config, &local);
  /* Nothing has any of them any more. */
  if (!fine)
    g_ptr_array_set_size (self->scene->nodes, (int) n_nodes);
  if (local != NULL) {
    g_propagate_error (error, local);
    error = NULL;
  }
  return report (self, error) && fine;
}

gboolean
orrery_instance_extend (OrreryInstance *self, const char *object, const char *config, guint64 count,
                        gboolean confined, GError **error)
{
  gint64 before = orrery_monotonic_now ();
  OrreryExtension one = { .object = g_strdup (object),
                          .config = g_strdup (config),
                          .count = (guint) count,
                          .first = orrery_world_get_n_objects (self->world) };
  GArray *spawnables;

  self->scene->confined = confined;
  self->scene->added_root = self->simulation->root;
  if (!try (self, &one, count, error)) {
    g_free (one.object);
    g_free (one.config);
    return FALSE;
  }
  spawnables = self->scene->spawnables;
  one.name = g_strdup (g_array_index (spawnables, OrrerySpawnable, spawnables->len - 1).name);
  one.tick = orrery_runner_get_n_ticks (self->runner);
  one.ns = orrery_monotonic_now () - before;
  g_array_append_val (self->extensions, one);
  g_info ("%u of '%s' can be spawned from now on: added in %.1f ms", one.count, one.name,
          one.ns * 1e-6);
  return TRUE;
}

/* --- a state, and the report --- */

static const OrreryExtension *
get (OrreryInstance *self, guint i)
{
  return &g_array_index (self->extensions, OrreryExtension, i);
}

GVariant *
orrery_instance_save_extensions (OrreryInstance *self)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE (ORRERY_EXTENSIONS_TYPE));
  for (guint i = 0; i < self->extensions->len; i++)
    g_variant_builder_add (&list, "(susu)", get (self, i)->object, get (self, i)->count,
                           get (self, i)->config, get (self, i)->first);
  return g_variant_builder_end (&list);
}

static gboolean
begins_alike (OrreryInstance *self, GVariant *state)
{
  gsize n = g_variant_n_children (state);

  for (guint i = 0; i < self->extensions->len && i < n; i++) {
    const char *object, *config;
    guint count;

    g_variant_get_child (state, i, "(&su&su)", &object, &count, &config, NULL);
    if (count != get (self, i)->count || !g_str_equal (object, get (self, i)->object) ||
        !g_str_equal (config, get (self, i)->config))
      return FALSE;
  }
  return self->extensions->len <= n;
}

gboolean
orrery_instance_restore_extensions (OrreryInstance *self, GVariant *state, GVariant *scene,
                                    GError **error)
{
  gsize n = g_variant_n_children (state);

  if (!begins_alike (self, state))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "the state is from before '%s' was added, or other things were added "
                             "before it: load the scene anew, and restore it there",
                             get (self, self->extensions->len - 1)->name);
  for (gsize i = self->extensions->len; i < n; i++) {
    const char *object, *config;
    guint count, first;

    g_variant_get_child (state, i, "(&su&su)", &object, &count, &config, &first);
    /* That of another scene adds nothing to this one. */
    if (!orrery_saved_scene_begins (self->simulation, scene, first, error))
      return FALSE;
    if (!orrery_instance_extend (self, object, config, count, FALSE, error)) {
      g_prefix_error (error, "what was added to the scene of the state: ");
      return FALSE;
    }
  }
  return TRUE;
}

GVariant *
orrery_instance_list_extensions (OrreryInstance *self)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(std)"));
  for (guint i = 0; i < self->extensions->len; i++)
    g_variant_builder_add (&list, "(std)", get (self, i)->name, get (self, i)->tick,
                           get (self, i)->ns * 1e-6);
  return g_variant_builder_end (&list);
}
