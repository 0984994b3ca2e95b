/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The key `materials` of the scene, which says what objects may be given and changes colours of
 * files, the key `material` of an object, which gives it one, and the key `color` of an object,
 * which overrides the materials of its class or file. Colours are applied when the first camera
 * asks for a renderer, after visuals.
 */
#include "scene/orrery-scene-private.h"

#include "base/orrery-hash-private.h"
#include "roles/orrery-importer-private.h"
#include "roles/orrery-quantity-place-private.h"
#include "world/orrery-quantity-private.h"

#include <math.h>
#include <string.h>

#define MAX_TEXTURE_BYTES ((gsize) 256 << 20)

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

/* --- materials --- */

static OrreryBuffer *
find_shape_texture (OrreryShape *shape)
{
  OrreryBuffer *texture = NULL;

  for (guint i = 0; texture == NULL && i < orrery_shape_get_n_materials (shape); i++)
    texture = orrery_material_get_texture (orrery_shape_get_material (shape, i));
  return texture;
}

/* (nullable): the first texture of a file. */
static OrreryBuffer *
find_texture (OrreryWorld *world)
{
  OrreryBuffer *texture = NULL;

  for (guint i = 0; texture == NULL && i < orrery_world_get_n_objects (world); i++) {
    GPtrArray *shapes = orrery_object_get_shapes (orrery_world_get_object (world, i));

    for (guint j = 0; texture == NULL && j < shapes->len; j++)
      texture = find_shape_texture (shapes->pdata[j]);
  }
  return texture;
}

/* It is read with the scene, and not when a camera asks: the page of the viewer shows it, too. */
static void
read_texture (OrreryScene *scene, OrreryNode *place, OrreryMaterial *material)
{
  const char *name = orrery_node_get_text (place);
  g_autofree char *path = orrery_scene_find_model (scene, name, "");
  GError *error = NULL;
  OrreryImport *model;
  OrreryBuffer *texture;

  if (path == NULL) {
    orrery_keys_refuse (scene->problems, place,
                        "no texture: there is no file '%.200s', looked for from %s", name,
                        g_path_is_absolute (name) ? "/" : scene->directory);
    return;
  }
  model = orrery_scene_get_model (scene, path, &error);
  if (model == NULL) {
    orrery_keys_take_error (scene->problems, place, error);
    return;
  }
  texture = find_texture (orrery_import_get_world (model));
  if (texture == NULL) {
    orrery_keys_refuse (scene->problems, place, "no texture: %s has none", path);
    return;
  }
  scene->texture_bytes += orrery_buffer_get_size (texture);
  if (scene->texture_bytes > MAX_TEXTURE_BYTES)
    orrery_keys_refuse (scene->problems, place,
                        "all textures of a scene have at most %u MiB; this one is beyond",
                        (guint) (MAX_TEXTURE_BYTES >> 20));
  else
    orrery_material_set_texture (material, texture);
}

static void
read_material (OrreryScene *scene, const OrreryMaterialKeys *keys)
{
  const char *name = orrery_node_get_text (keys->name);
  gboolean has_color = !isnan (keys->color.x);
  double grey = keys->texture != NULL ? 1 : 0.8;
  g_autoptr (OrreryMaterial) material =
      has_color ? orrery_material_new (keys->color.x, keys->color.y, keys->color.z, keys->alpha)
                : orrery_material_new (grey, grey, grey, keys->alpha);

  orrery_material_set_name (material, name);
  orrery_material_set_gloss (material, keys->specular, keys->shininess);
  orrery_material_set_emission (material, keys->emission);
  if (keys->texture != NULL)
    read_texture (scene, keys->texture, material);
  orrery_world_put_material (scene->world, material);
  if (scene->materials == NULL)
    scene->materials = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, g_free);
  if (has_color)
    g_hash_table_replace (scene->materials, g_strdup (name),
                          g_memdup2 (&keys->color, sizeof keys->color));
  else
    g_hash_table_remove (scene->materials, name);
}

void
orrery_scene_read_materials (OrreryScene *scene)
{
  OrreryNode *list = scene->keys.materials;
  guint n = list != NULL ? orrery_node_get_length (list) : 0;

  if (n > ORRERY_MAX_MATERIALS) {
    orrery_keys_refuse (scene->problems, list, "a scene has at most %d materials",
                        ORRERY_MAX_MATERIALS);
    return;
  }
  for (guint i = 0; i < n; i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, list, i, &orrery_material_keys);
    OrreryMaterialKeys keys;

    if (item == NULL || !orrery_keys_read (scene->problems, item, &orrery_material_keys, &keys))
      continue;
    if (*orrery_node_get_text (keys.name) == '\0')
      orrery_keys_refuse (scene->problems, keys.name, "a material needs a name");
    else
      read_material (scene, &keys);
  }
}

/* What a class or a file gives to its parts counts more than what it gives to all. */
static void
give_material (OrreryWorld *world, OrreryObject *object, guint material)
{
  orrery_world_start_material (world, object, material);
  for (guint i = 0; i < object->children->len; i++) {
    OrreryObject *child = object->children->pdata[i];

    if (child->classpath == NULL)
      give_material (world, child, material);
  }
}

void
orrery_scene_read_material (OrreryScene *scene, OrreryNode *name, OrreryObject *object)
{
  const OrreryQuantity *quantity = orrery_quantity_get (ORRERY_QUANTITY_MATERIAL);
  g_autoptr (GVariant) value = NULL;
  OrreryVec3 place;
  g_autoptr (GError) error = NULL;

  if (name == NULL)
    return;
  value = g_variant_ref_sink (g_variant_new_string (orrery_node_get_text (name)));
  if (!orrery_quantity_read (scene->world, quantity, value, &place, &error))
    orrery_keys_refuse (scene->problems, name, "%s", error->message);
  else if (place.x > 0)
    give_material (scene->world, object, (guint) place.x);
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

/* Whether an entry says more than the colour that a material of a file is to have. */
static gboolean
is_own (OrreryNode *item)
{
  static const char *const keys[] = { "alpha", "specular", "shininess", "emission", "texture" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (orrery_node_find (item, keys[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* A name that no file has may be meant for objects; one that is nearly that of a file is told. In
 * the order of the scene, once for each name. */
static void
tell_of_missing (OrreryScene *scene, GHashTable *met)
{
  OrreryNode *list = scene->keys.materials;
  g_autofree const char **names = sort_names (met);

  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    const char *name = orrery_node_get_text (orrery_node_find (item, "name"));
    g_autofree char *near = NULL;

    if (g_hash_table_contains (met, name) || is_own (item) ||
        !g_hash_table_remove (scene->materials, name))
      continue;
    near = orrery_nearest_names (name, names);
    if (g_str_has_prefix (near, "; did you mean"))
      g_warning ("materials: no file has brought a material '%s'%s", name, near);
  }
}

/* Of the objects that have come since the last time. */
static void
paint_materials (OrreryScene *scene)
{
  GPtrArray *objects = orrery_world_get_objects (scene->world);
  g_autoptr (GHashTable) met = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);

  for (guint i = scene->n_painted; i < objects->len; i++) {
    OrreryObject *object = objects->pdata[i];

    for (guint j = 0; j < object->shapes->len; j++)
      orrery_shape_paint_named (object->shapes->pdata[j], scene->materials, met);
  }
  if (scene->n_painted == 0)
    tell_of_missing (scene, met);
  scene->n_painted = objects->len;
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
