/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The key `materials` of the scene, which changes colours of files, and the key `color` of an
 * object, which overrides the materials of its class or file. They are applied when the first
 * camera asks for a renderer, after visuals.
 */
#include "scene/orrery-scene-private.h"

#include "base/orrery-hash-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  OrreryObject *object;
  OrreryVec3 color;
  guint n_own; /* children from the class and the file; the others come from the scene */
} Paint;

void
orrery_scene_read_paint (OrreryScene *scene, const OrreryVec3 *color, OrreryObject *object)
{
  Paint paint = { .object = object, .color = *color };

  if (isnan (color->x))
    return;
  if (scene->paints == NULL)
    scene->paints = g_array_new (FALSE, FALSE, sizeof (Paint));
  g_array_append_val (scene->paints, paint);
}

void
orrery_scene_note_painted_children (OrreryScene *scene, OrreryObject *object)
{
  Paint *last = NULL;

  if (scene->paints != NULL)
    last = &g_array_index (scene->paints, Paint, scene->paints->len - 1);
  if (last != NULL && last->object == object)
    last->n_own = object->children->len;
}

/* @placed: components, which have colours of their own. */
static void
paint_object (OrreryObject *object, guint n_own, const OrreryVec3 *color, GHashTable *placed)
{
  for (guint i = 0; i < object->shapes->len; i++)
    orrery_shape_paint (object->shapes->pdata[i], color);
  for (guint i = 0; i < n_own; i++) {
    OrreryObject *child = object->children->pdata[i];

    if (!g_hash_table_contains (placed, child))
      paint_object (child, child->children->len, color, placed);
  }
}

void
orrery_scene_read_materials (OrreryScene *scene)
{
  OrreryNode *list = scene->keys.materials;

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, list, i, &orrery_material_keys);
    OrreryMaterialKeys keys;

    if (item == NULL || !orrery_keys_read (scene->problems, item, &orrery_material_keys, &keys))
      continue;
    if (scene->materials == NULL)
      scene->materials = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, g_free);
    g_hash_table_replace (scene->materials, g_strdup (orrery_node_get_text (keys.name)),
                          g_memdup2 (&keys.color, sizeof keys.color));
  }
}

/* (transfer container): sorted, NULL at the end; the names belong to @set */
static const char **
sort_names (GHashTable *set)
{
  g_autoptr (GList) sorted = g_list_sort (g_hash_table_get_keys (set), (GCompareFunc) strcmp);
  const char **names = g_new0 (const char *, g_hash_table_size (set) + 1);
  guint n = 0;

  for (GList *l = sorted; l != NULL; l = l->next)
    names[n++] = l->data;
  return names;
}

/* In the order of the scene, once for each name. */
static void
tell_of_missing (OrreryScene *scene, GHashTable *met)
{
  OrreryNode *list = scene->keys.materials;
  g_autofree const char **names = sort_names (met);

  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    const char *name = orrery_node_get_text (orrery_node_find (item, "name"));
    g_autofree char *near = NULL;

    if (g_hash_table_contains (met, name) || !g_hash_table_remove (scene->materials, name))
      continue;
    near = orrery_nearest_names (name, names);
    g_warning ("materials: no file has brought a material '%s'%s", name, near);
  }
}

static void
paint_materials (OrreryScene *scene)
{
  GPtrArray *objects = orrery_world_get_objects (scene->world);
  g_autoptr (GHashTable) met = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < objects->len; i++) {
    OrreryObject *object = objects->pdata[i];

    for (guint j = 0; j < object->shapes->len; j++)
      orrery_shape_paint_named (object->shapes->pdata[j], scene->materials, met);
  }
  tell_of_missing (scene, met);
  g_clear_pointer (&scene->materials, g_hash_table_unref);
}

void
orrery_scene_paint (OrreryScene *scene, GHashTable *placed)
{
  if (scene->materials != NULL)
    paint_materials (scene);
  for (guint i = 0; scene->paints != NULL && i < scene->paints->len; i++) {
    const Paint *paint = &g_array_index (scene->paints, Paint, i);

    paint_object (paint->object, paint->n_own, &paint->color, placed);
  }
  g_clear_pointer (&scene->paints, g_array_unref);
}
