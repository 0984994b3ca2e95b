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

static void
clear_material (gpointer data)
{
  orrery_shape_unref (((ViewMaterial *) data)->sample);
}

/* So that its file is one of a mesh, as others are. */
static OrreryShape *
make_sample (OrreryMaterial *material)
{
  static const double corners[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  static const float places[] = { 0, 0, 1, 0, 0, 1 };
  g_autoptr (OrreryBuffer) points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ 3, 3 });
  g_autoptr (OrreryBuffer) triangles =
      orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (gsize[]){ 1, 3 });
  g_autoptr (OrreryBuffer) coordinates =
      orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 3, (gsize[]){ 1, 3, 2 });
  OrreryShape *sample;

  memcpy (orrery_buffer_get_data (points), corners, sizeof corners);
  memcpy (orrery_buffer_get_data (triangles), (guint32[]){ 0, 1, 2 }, 3 * sizeof (guint32));
  memcpy (orrery_buffer_get_data (coordinates), places, sizeof places);
  sample = orrery_shape_new_points (ORRERY_SHAPE_MESH, points, triangles, NULL);
  orrery_shape_set_texture_coordinates (sample, coordinates);
  orrery_shape_add_material (sample, material);
  return sample;
}

static OrreryVec3
find_mean_color (OrreryMaterial *material)
{
  const double *color = orrery_material_get_color (material);
  OrreryBuffer *texture = orrery_material_get_texture (material);
  const guint8 *pixels = texture != NULL ? orrery_buffer_get_data (texture) : NULL;
  gsize n = texture != NULL ? orrery_buffer_get_size (texture) / 3 : 0;
  guint64 sums[3] = { 0 };

  for (gsize i = 0; i < 3 * n; i++)
    sums[i % 3] += pixels[i];
  if (n == 0)
    return (OrreryVec3){ color[0], color[1], color[2] };
  return (OrreryVec3){ color[0] * (double) sums[0] / (255.0 * (double) n),
                       color[1] * (double) sums[1] / (255.0 * (double) n),
                       color[2] * (double) sums[2] / (255.0 * (double) n) };
}

static void
add_materials (View *view, OrreryWorld *world)
{
  for (guint i = 0; i < orrery_world_get_n_materials (world); i++) {
    OrreryMaterial *material = orrery_world_get_material (world, i);
    ViewMaterial made = { make_sample (material), find_mean_color (material) };

    g_array_append_val (view->materials, made);
  }
}

void
view_add_materials (View *view, OrreryWorld *world, OrreryWorld *beside)
{
  view->materials = g_array_new (FALSE, FALSE, sizeof (ViewMaterial));
  g_array_set_clear_func (view->materials, clear_material);
  add_materials (view, world);
  view->n_own_materials = view->materials->len;
  if (beside != NULL)
    add_materials (view, beside);
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
    if (look.which == ORRERY_QUANTITY_MATERIAL && look.value.x > 0)
      look.value.x += view->n_own_materials;
    g_array_append_val (looks, look);
  }
  return looks;
}

/* --- any thread --- */

static guint32
get_kind (const OrreryLook *look)
{
  switch (look->which) {
  case ORRERY_QUANTITY_ENERGY:
    return 0;
  case ORRERY_QUANTITY_LIGHT_COLOR:
    return 1;
  case ORRERY_QUANTITY_COLOR:
    return 2;
  case ORRERY_QUANTITY_MATERIAL:
    return 3;
  default:
    return 4;
  }
}

void
view_write_looks (GArray *looks, GByteArray *out)
{
  g_byte_array_set_size (out, looks != NULL ? VIEW_LOOK_SIZE * looks->len : 0);
  for (guint i = 0; looks != NULL && i < looks->len; i++) {
    const OrreryLook *look = &g_array_index (looks, OrreryLook, i);
    const guint32 head[] = { look->object, get_kind (look) };
    const float value[] = { (float) look->value.x, (float) look->value.y, (float) look->value.z };
    guint8 *row = out->data + VIEW_LOOK_SIZE * i;

    memcpy (row, head, sizeof head);
    memcpy (row + sizeof head, value, sizeof value);
  }
}

/* --- I/O thread --- */

/* Foxglove knows no textures but those of meshes, so a material is its mean colour there. FALSE: it
 * is a lamp's. */
static gboolean
find_paint (View *view, const OrreryLook *look, OrreryVec3 *color)
{
  guint material = look->which == ORRERY_QUANTITY_MATERIAL ? (guint) look->value.x : 0;

  if (look->which == ORRERY_QUANTITY_COLOR)
    *color = look->value;
  else if (material > 0 && material <= view->materials->len)
    *color = g_array_index (view->materials, ViewMaterial, material - 1).color;
  else
    return FALSE;
  return TRUE;
}

/* A colour counts more than a material, whichever is first. */
static void
put_look (View *view, const OrreryLook *look)
{
  ViewPaint *paint = &view->paints[look->object];
  OrreryVec3 color;

  if (look->which == ORRERY_QUANTITY_SCALE) {
    paint->is_scaled = paint->was_changed = TRUE;
    paint->scale = look->value;
  } else if (find_paint (view, look, &color) &&
             (!paint->is_painted || look->which == ORRERY_QUANTITY_COLOR)) {
    paint->is_painted = paint->was_changed = TRUE;
    paint->color = color;
  }
}

gboolean
view_set_looks (View *view, GArray *looks)
{
  gsize size = view->n_objects * sizeof (ViewPaint);
  g_autofree ViewPaint *before = NULL;

  g_clear_pointer (&view->looks, g_array_unref);
  view->looks = g_array_ref (looks);
  if (view->paints == NULL && looks->len == 0)
    return FALSE;
  if (view->paints == NULL)
    view->paints = g_new0 (ViewPaint, view->n_objects);
  before = g_memdup2 (view->paints, size);
  for (guint i = 0; i < view->n_objects; i++)
    view->paints[i] = (ViewPaint){ .was_changed = view->paints[i].was_changed };
  for (guint i = 0; i < looks->len; i++)
    put_look (view, &g_array_index (looks, OrreryLook, i));
  return memcmp (before, view->paints, size) != 0;
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
