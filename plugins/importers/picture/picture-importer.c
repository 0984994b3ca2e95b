/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of pictures; those of other suffixes are JSON classes that have it as their base. */
#include "picture.h"

#include <string.h>

/* Of all pixels: one of the largest that is scaled down. */
#define MAX_BYTES ((gsize) PICTURE_MAX_SIDE * PICTURE_MAX_SIDE * 3)

typedef struct {
  OrreryImporter parent_instance;
} OrreryPngImporter;
ORRERY_DEFINE_CLASS (OrreryPngImporter, orrery_png_importer, OrreryImporter, orrery_importer)

/* An upright board, 1 m high, that shows the picture to who looks along -x. */
static OrreryShape *
make_board (OrreryBuffer *pixels)
{
  static const guint32 corners[] = { 0, 1, 2, 0, 2, 3 };
  static const float places[] = { 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1 };
  const double half = (double) orrery_buffer_get_length (pixels, 1) /
                      (double) orrery_buffer_get_length (pixels, 0) / 2;
  const double points[] = { 0, -half, 0, 0, half, 0, 0, half, 1, 0, -half, 1 };
  g_autoptr (OrreryBuffer) at = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ 4, 3 });
  g_autoptr (OrreryBuffer) triangles =
      orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (gsize[]){ 2, 3 });
  g_autoptr (OrreryBuffer) coordinates =
      orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 3, (gsize[]){ 2, 3, 2 });
  g_autoptr (OrreryMaterial) material = orrery_material_new (1, 1, 1, 1);
  OrreryShape *shape;

  memcpy (orrery_buffer_get_data (at), points, sizeof points);
  memcpy (orrery_buffer_get_data (triangles), corners, sizeof corners);
  memcpy (orrery_buffer_get_data (coordinates), places, sizeof places);
  shape = orrery_shape_new_points (ORRERY_SHAPE_MESH, at, triangles, NULL);
  orrery_material_set_texture (material, pixels);
  orrery_shape_add_material (shape, material);
  orrery_shape_set_texture_coordinates (shape, coordinates);
  orrery_shape_set_solid (shape, FALSE);
  return shape;
}

static void
orrery_png_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                          GError **error)
{
  g_autoptr (OrreryBuffer) pixels = picture_read (path, MAX_BYTES, error);
  g_autoptr (OrreryShape) shape = NULL;
  OrreryObject *object =
      pixels != NULL ? orrery_import_add_object (import, "picture", NULL, error) : NULL;

  if (object == NULL)
    return;
  shape = make_board (pixels);
  orrery_object_add_shape (object, shape);
}

static void
orrery_png_importer_class_init (OrreryPngImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_png_importer_load;
}

ORRERY_PLUGIN ("Reads pictures, for materials or as boards", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryPngImporter, orrery_png_importer))
