/* SPDX-License-Identifier: BSD-3-Clause */
/* What lamps and shapes look like now, and their sizes, in place of what the scene says. */
#include "view.h"

#include <string.h>

/* --- tick's thread --- */

static OrreryWorld *
get_beside (View *view)
{
  return view->playback != NULL ? orrery_playback_get_beside (view->playback, NULL) : NULL;
}

/* Both only rise. */
guint64
view_get_looks_serial (View *view, OrreryWorld *world)
{
  OrreryWorld *beside = get_beside (view);

  return orrery_world_get_looks_serial (world) +
         (beside != NULL ? orrery_world_get_looks_serial (beside) : 0);
}

GArray *
view_list_looks (View *view, OrreryWorld *world)
{
  GArray *looks = orrery_world_list_looks (world);
  OrreryWorld *beside = get_beside (view);
  g_autoptr (GArray) others = beside != NULL ? orrery_world_list_looks (beside) : NULL;

  for (guint i = 0; others != NULL && i < others->len; i++) {
    OrreryLook look = g_array_index (others, OrreryLook, i);

    look.object += view->n_own;
    g_array_append_val (looks, look);
  }
  return looks;
}

/* --- any thread --- */

void
view_write_looks (GArray *looks, GByteArray *out)
{
  g_byte_array_set_size (out, looks != NULL ? VIEW_LOOK_SIZE * looks->len : 0);
  for (guint i = 0; looks != NULL && i < looks->len; i++) {
    const OrreryLook *look = &g_array_index (looks, OrreryLook, i);
    const guint32 head[] = { look->object, (guint32) (look->which - ORRERY_QUANTITY_ENERGY) };
    const float value[] = { (float) look->value.x, (float) look->value.y, (float) look->value.z };
    guint8 *row = out->data + VIEW_LOOK_SIZE * i;

    memcpy (row, head, sizeof head);
    memcpy (row + sizeof head, value, sizeof value);
  }
}

/* --- I/O thread --- */

static gboolean
has_look (const ViewPaint *paint, const OrreryLook *look)
{
  gboolean scales = look->which == ORRERY_QUANTITY_SCALE;

  return (scales ? paint->is_scaled : paint->is_painted) &&
         memcmp (scales ? &paint->scale : &paint->color, &look->value, sizeof look->value) == 0;
}

static gboolean
is_of_shapes (const OrreryLook *look)
{
  return look->which == ORRERY_QUANTITY_COLOR || look->which == ORRERY_QUANTITY_SCALE;
}

static void
put_look (ViewPaint *paint, const OrreryLook *look)
{
  paint->was_changed = TRUE;
  if (look->which == ORRERY_QUANTITY_SCALE) {
    paint->is_scaled = TRUE;
    paint->scale = look->value;
  } else {
    paint->is_painted = TRUE;
    paint->color = look->value;
  }
}

gboolean
view_set_looks (View *view, GArray *looks)
{
  guint n = 0, n_before = view->n_painted;
  gboolean changed = FALSE;

  g_clear_pointer (&view->looks, g_array_unref);
  view->looks = g_array_ref (looks);
  if (view->paints == NULL && looks->len > 0)
    view->paints = g_new0 (ViewPaint, view->n_objects);
  for (guint i = 0; i < looks->len; i++) {
    const OrreryLook *look = &g_array_index (looks, OrreryLook, i);

    if (!is_of_shapes (look))
      continue;
    n++;
    changed |= !has_look (&view->paints[look->object], look);
  }
  if (!changed && n == n_before)
    return FALSE;
  for (guint i = 0; i < view->n_objects; i++)
    view->paints[i].is_painted = view->paints[i].is_scaled = FALSE;
  for (guint i = 0; i < looks->len; i++) {
    const OrreryLook *look = &g_array_index (looks, OrreryLook, i);

    if (is_of_shapes (look))
      put_look (&view->paints[look->object], look);
  }
  view->n_painted = n;
  return TRUE;
}

const OrreryVec3 *
view_get_paint (View *view, guint object)
{
  return view->paints != NULL && view->paints[object].is_painted ? &view->paints[object].color
                                                                 : NULL;
}

const OrreryVec3 *
view_get_scale (View *view, guint object)
{
  return view->paints != NULL && view->paints[object].is_scaled ? &view->paints[object].scale
                                                                : NULL;
}

gboolean
view_was_changed (View *view, guint object)
{
  return view->paints != NULL && view->paints[object].was_changed;
}
