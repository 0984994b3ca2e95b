/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The key `color` of an object, which overrides the materials of its class or file. It is applied
 * when the first camera asks for a renderer, after visuals.
 */
#include "scene/orrery-scene-private.h"

#include "world/orrery-world-private.h"

#include <math.h>

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
orrery_scene_paint (OrreryScene *scene, GHashTable *placed)
{
  for (guint i = 0; scene->paints != NULL && i < scene->paints->len; i++) {
    const Paint *paint = &g_array_index (scene->paints, Paint, i);

    paint_object (paint->object, paint->n_own, &paint->color, placed);
  }
  g_clear_pointer (&scene->paints, g_array_unref);
}
