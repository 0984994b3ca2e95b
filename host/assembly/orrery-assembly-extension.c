/* SPDX-License-Identifier: BSD-3-Clause */
/* What is added to a scene that runs: its components, and all that belongs to them. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-part-private.h"

#include "world/orrery-world-private.h"
#include <string.h>

/* What files bring along, in place of the tables of the scene, whose entries name others. */
static void
add_imported (OrreryAssembly *assembly, guint first)
{
  OrreryConfigKeys tables = assembly->tables;

  orrery_assembly_take_imported (assembly, first);
  orrery_assembly_add_modifiers (assembly);
  orrery_assembly_add_services (assembly);
  assembly->tables = tables;
}

gboolean
orrery_assembly_extend (OrreryAssembly *assembly, const OrrerySceneExtension *scene,
                        OrreryAssemblyExtension *extension, GError **error)
{
  guint before = assembly->problems->n;
  gboolean fine;

  *extension = (OrreryAssemblyExtension){ .first_object = scene->first_object,
                                          .first_component = assembly->components->len,
                                          .first_part = assembly->parts->len };
  assembly->is_extended = TRUE;
  orrery_assembly_find_frequency (assembly->scene);
  orrery_assembly_add_components (assembly, scene->first_member);
  if (assembly->problems->n == before)
    orrery_assembly_setup_components (assembly, extension->first_component);
  fine = assembly->problems->n == before &&
         orrery_assembly_extend_physics (assembly, orrery_world_get_n_objects (assembly->world),
                                         error);
  if (fine) {
    orrery_assembly_add_pipelines (assembly, scene->first_object);
    add_imported (assembly, scene->first_component);
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
