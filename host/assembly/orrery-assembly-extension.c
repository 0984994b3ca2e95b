/* SPDX-License-Identifier: BSD-3-Clause */
/* What is added to a scene that runs: its components, and all that belongs to them. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* --- streams --- */

void
orrery_assembly_keep_stream (OrreryAssembly *assembly, OrreryNode *entry, OrreryStream *stream,
                             OrreryDatastreamManager *manager, GVariant *options)
{
  OrreryLaterStream later = { NULL, manager, NULL };

  if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->add == NULL) {
    orrery_assembly_refuse (assembly, entry,
                            "%s opens all its streams at the start; make what has them one of the "
                            "scene's 'spawnables'",
                            orrery_part_get_classpath (ORRERY_PART (manager)));
    return;
  }
  later.stream = g_object_ref (stream);
  later.options = g_variant_ref (options);
  if (assembly->later == NULL)
    assembly->later = g_array_new (FALSE, FALSE, sizeof later);
  g_array_append_val (assembly->later, later);
}

static void
drop_later (OrreryAssembly *assembly)
{
  for (guint i = 0; assembly->later != NULL && i < assembly->later->len; i++) {
    const OrreryLaterStream *later = &g_array_index (assembly->later, OrreryLaterStream, i);

    g_object_unref (later->stream);
    g_variant_unref (later->options);
  }
  g_clear_pointer (&assembly->later, g_array_unref);
}

static void
add_later (OrreryAssembly *assembly, const OrreryLaterStream *later)
{
  OrreryDatastreamManager *manager = later->manager;
  g_autoptr (GError) error = NULL;

  ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->add (manager, later->stream, later->options,
                                                      &error);
  if (error != NULL) {
    orrery_part_log_plain (manager, G_LOG_LEVEL_WARNING, "%s has no stream: %s",
                           orrery_stream_get_name (later->stream), error->message);
    return;
  }
  orrery_assembly_join_stream (assembly, later->stream, manager);
}

static void
open_later (OrreryAssembly *assembly)
{
  for (guint i = 0; assembly->later != NULL && i < assembly->later->len; i++)
    add_later (assembly, &g_array_index (assembly->later, OrreryLaterStream, i));
  drop_later (assembly);
}

/* --- all of it --- */

/* In place of the tables of the scene, whose entries name others. */
static void
add_tables (OrreryAssembly *assembly, const OrreryConfigKeys *config, guint first)
{
  OrreryConfigKeys tables = assembly->tables;

  orrery_assembly_take_tables (assembly, config, first);
  orrery_assembly_add_modifiers (assembly);
  orrery_assembly_add_streams (assembly);
  orrery_assembly_add_services (assembly);
  assembly->tables = tables;
}

gboolean
orrery_assembly_extend (OrreryAssembly *assembly, const OrrerySceneExtension *scene,
                        const OrreryConfigKeys *config, OrreryAssemblyExtension *extension,
                        GError **error)
{
  guint before = assembly->problems->n;
  gboolean fine;

  *extension = (OrreryAssemblyExtension){ .first_object = scene->first_object,
                                          .first_component = assembly->components->len,
                                          .first_part = assembly->parts->len };
  assembly->is_extended = TRUE;
  assembly->first_added = scene->first_object;
  orrery_assembly_find_frequency (assembly->scene);
  orrery_assembly_add_components (assembly, scene->first_member);
  if (assembly->problems->n == before)
    orrery_assembly_setup_components (assembly, extension->first_component);
  fine = assembly->problems->n == before &&
         orrery_assembly_extend_physics (assembly, orrery_world_get_n_objects (assembly->world),
                                         error);
  if (fine) {
    orrery_assembly_add_pipelines (assembly, scene->first_object);
    add_tables (assembly, config, scene->first_component);
    fine = assembly->problems->n == before;
  }
  assembly->is_extended = FALSE;
  return fine;
}

/* No table of the scene could name them: every manager serves them. */
static void
publish (OrreryAssembly *assembly, OrreryPart *part)
{
  GHashTableIter iter;
  gpointer manager;

  g_hash_table_iter_init (&iter, assembly->request_managers);
  while (g_hash_table_iter_next (&iter, NULL, &manager))
    if (manager != NULL)
      orrery_calls_map (assembly->calls, manager, orrery_part_get_name (part), part, NULL);
}

void
orrery_assembly_end_extension (OrreryAssembly *assembly, const OrreryAssemblyExtension *extension)
{
  for (guint i = extension->first_component; i < assembly->components->len; i++)
    publish (assembly, assembly->components->pdata[i]);
  open_later (assembly);
  orrery_runner_pack_again (assembly->runner);
}

static void
drop_component (OrreryAssembly *assembly, OrreryComponent *component)
{
  OrreryPipeline *pipeline = g_hash_table_lookup (assembly->pipelines, component);

  if (pipeline != NULL)
    orrery_runner_drop_pipeline (assembly->runner, pipeline);
  g_hash_table_remove (assembly->pipelines, component);
  g_hash_table_remove (assembly->by_name, orrery_part_get_name (ORRERY_PART (component)));
  orrery_calls_unmap (assembly->calls, ORRERY_PART (component));
}

typedef struct {
  OrreryWorld *world;
  guint first;
} Dropped;

/* Of a count of parts of a component, by the name of that. */
static gboolean
is_dropped (gpointer key, gpointer value, gpointer data)
{
  const Dropped *dropped = data;
  g_autofree char *owner = g_strndup (key, strcspn (key, "/"));
  OrreryObject *object = orrery_world_find_object (dropped->world, owner);

  return object != NULL && orrery_object_get_index (object) >= dropped->first;
}

void
orrery_assembly_drop_extension (OrreryAssembly *assembly, const OrreryAssemblyExtension *extension)
{
  GPtrArray *parts = assembly->parts, *components = assembly->components;
  Dropped dropped = { assembly->world, extension->first_object };

  drop_later (assembly);
  if (assembly->physics != NULL && ORRERY_PHYSICS_GET_CLASS (assembly->physics)->extend != NULL)
    orrery_assembly_extend_physics (assembly, extension->first_object, NULL);
  for (guint i = extension->first_part; i < parts->len; i++)
    orrery_calls_unmap (assembly->calls, parts->pdata[i]);
  for (guint i = extension->first_component; i < components->len; i++)
    drop_component (assembly, components->pdata[i]);
  g_hash_table_foreach_remove (assembly->counts, is_dropped, &dropped);
  g_ptr_array_set_size (parts, (int) extension->first_part);
  g_array_set_size (assembly->places, extension->first_component);
  g_ptr_array_set_size (components, (int) extension->first_component);
}
