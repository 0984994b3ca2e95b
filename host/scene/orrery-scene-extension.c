/* SPDX-License-Identifier: BSD-3-Clause */
/* A spawnable that is added to a scene while it runs, or is taken back. */
#include "scene/orrery-scene-private.h"

#include "scene/orrery-settings-private.h"
#include "world/orrery-world-private.h"

static guint
get_length (GArray *list)
{
  return list != NULL ? list->len : 0;
}

static void
begin (OrreryScene *scene, OrrerySceneExtension *extension)
{
  *extension = (OrrerySceneExtension){
    .first_object = orrery_world_begin_extension (scene->world),
    .first_member = scene->members->len,
    .first_spawnable = get_length (scene->spawnables),
    .first_script = scene->scripts.places->len,
    .first_visual = get_length (scene->visuals),
    .first_paint = get_length (scene->paints),
    .first_option = scene->options->len,
    .first_component = scene->imported_components->len,
    .imported = scene->imported,
  };
  /* What files add to the tables of the config is that of the new objects alone. */
  scene->imported = (OrreryConfigKeys){ NULL };
}

gboolean
orrery_scene_extend (OrreryScene *scene, OrreryNode *spawnable, OrrerySceneExtension *extension)
{
  guint before = scene->problems->n;

  begin (scene, extension);
  orrery_scene_add_spawnable (scene, spawnable);
  if (scene->problems->n > before)
    return FALSE;
  orrery_scene_set_objects (scene, extension->first_object);
  orrery_scene_pool_spawnable (scene, extension->first_spawnable);
  return scene->problems->n == before;
}

static void
cut (GArray *list, guint length)
{
  if (list != NULL)
    g_array_set_size (list, length);
}

/* What files say of the simulation as a whole, such as gravity, they say too late. */
static void
end (OrreryScene *scene, const OrrerySceneExtension *extension)
{
  cut (scene->options, extension->first_option);
  scene->imported = extension->imported;
  scene->full = FALSE;
  g_hash_table_remove_all (scene->models);
}

void
orrery_scene_end_extension (OrreryScene *scene, const OrrerySceneExtension *extension)
{
  end (scene, extension);
  if (scene->has_looks)
    orrery_scene_apply_visuals (scene);
}

static void
forget_object (OrreryScene *scene, OrreryObject *object)
{
  g_hash_table_remove (scene->refused, object);
  g_hash_table_remove (scene->interfaces, object);
}

void
orrery_scene_drop_extension (OrreryScene *scene, const OrrerySceneExtension *extension)
{
  end (scene, extension);
  cut (scene->members, extension->first_member);
  cut (scene->spawnables, extension->first_spawnable);
  cut (scene->scripts.places, extension->first_script);
  cut (scene->visuals, extension->first_visual);
  cut (scene->paints, extension->first_paint);
  orrery_scene_drop_order (scene, extension->first_object);
  g_ptr_array_set_size (scene->imported_components, (int) extension->first_component);
  for (guint i = extension->first_object; i < orrery_world_get_n_objects (scene->world); i++)
    forget_object (scene, orrery_world_get_object (scene->world, i));
  orrery_world_drop_objects (scene->world, extension->first_object);
}
