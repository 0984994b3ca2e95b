/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes as binary glTF 2.0. */
#include "view-gltf.h"

#include <math.h>
#include <string.h>

enum { ARRAY_BUFFER = 34962, ELEMENT_BUFFER = 34963 };
enum { UNSIGNED_INT = 5125, FLOAT = 5126 };
enum { POINTS = 0, TRIANGLES = 4 };

typedef struct {
  GByteArray *bytes;
  OrreryWriter *views;
  guint n_views;
  OrreryWriter *accessors;
  guint n_accessors;
  OrreryWriter *primitives;
  guint n_primitives;
  OrreryWriter *materials;
  guint n_materials;
  OrreryWriter *images;
  guint n_images;
} Gltf;

static void G_GNUC_PRINTF (2, 3) append (OrreryWriter *writer, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list list;

  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  orrery_writer_append_text (writer, text);
}

static void
separate (OrreryWriter *writer, guint *n)
{
  if ((*n)++ > 0)
    orrery_writer_append_char (writer, ',');
}

/* --- bytes --- */

/* Returns: the number of the view. @target: 0 for an image */
static guint
add_view (Gltf *self, gconstpointer data, gsize length, guint target)
{
  static const guint8 zeros[4] = { 0 };
  gsize start = self->bytes->len;

  g_byte_array_append (self->bytes, data, (guint) length);
  g_byte_array_append (self->bytes, zeros, (guint) (-length & 3));
  separate (self->views, &self->n_views);
  append (self->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", start, length);
  if (target != 0)
    append (self->views, ",\"target\":%u", target);
  orrery_writer_append_char (self->views, '}');
  return self->n_views - 1;
}

static guint
add_accessor (Gltf *self, guint view, guint type, gsize count, const char *shape)
{
  separate (self->accessors, &self->n_accessors);
  append (self->accessors, "{\"bufferView\":%u,\"componentType\":%u,\"count\":%zu,\"type\":\"%s\"",
          view, type, count, shape);
  return self->n_accessors - 1;
}

/* --- vertices --- */

static void
append_limits (OrreryWriter *writer, const float *values, gsize n)
{
  float least[3] = { values[0], values[1], values[2] };
  float most[3] = { values[0], values[1], values[2] };

  for (gsize i = 3; i < 3 * n; i++) {
    least[i % 3] = MIN (least[i % 3], values[i]);
    most[i % 3] = MAX (most[i % 3], values[i]);
  }
  for (guint side = 0; side < 2; side++) {
    const float *corner = side == 0 ? least : most;

    orrery_writer_append_text (writer, side == 0 ? ",\"min\":[" : "],\"max\":[");
    for (guint i = 0; i < 3; i++) {
      if (i > 0)
        orrery_writer_append_char (writer, ',');
      orrery_writer_append_json_double (writer, (double) corner[i]);
    }
  }
  orrery_writer_append_text (writer, "]}");
}

/* @corners: (nullable): which point each vertex is; NULL: all points as they are */
static guint
add_positions (Gltf *self, const double *points, const guint32 *corners, gsize n)
{
  g_autofree float *values = g_new (float, 3 * n);
  guint view, accessor;

  for (gsize i = 0; i < n; i++)
    for (guint axis = 0; axis < 3; axis++)
      values[3 * i + axis] = (float) points[3 * (corners != NULL ? corners[i] : i) + axis];
  view = add_view (self, values, 3 * n * sizeof *values, ARRAY_BUFFER);
  accessor = add_accessor (self, view, FLOAT, n, "VEC3");
  append_limits (self->accessors, values, n);
  return accessor;
}

/* glTF counts rows of a texture from the top. */
static guint
add_texture_places (Gltf *self, const float *places, gsize n)
{
  g_autofree float *values = g_new (float, 2 * n);
  guint view, accessor;

  for (gsize i = 0; i < n; i++) {
    values[2 * i] = places[2 * i];
    values[2 * i + 1] = 1 - places[2 * i + 1];
  }
  view = add_view (self, values, 2 * n * sizeof *values, ARRAY_BUFFER);
  accessor = add_accessor (self, view, FLOAT, n, "VEC2");
  orrery_writer_append_char (self->accessors, '}');
  return accessor;
}

/* --- materials --- */

double
view_linear_from_shown (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

double
view_material_get_roughness (OrreryMaterial *material)
{
  double specular = orrery_material_get_specular (material);

  return CLAMP (1 - specular * (0.3 + 0.6 * orrery_material_get_shininess (material)), 0.2, 1);
}

static gboolean
add_image (Gltf *self, OrreryMaterial *material)
{
  OrreryBuffer *pixels = orrery_material_get_texture (material);
  gsize height = pixels != NULL ? orrery_buffer_get_length (pixels, 0) : 0;
  gsize width = pixels != NULL ? orrery_buffer_get_length (pixels, 1) : 0;
  g_autoptr (GByteArray) png = NULL;
  guint view;

  if (width == 0 || height == 0)
    return FALSE;
  png = view_png_new (orrery_buffer_get_data (pixels), width, height, 3);
  view = add_view (self, png->data, png->len, 0);
  separate (self->images, &self->n_images);
  append (self->images, "{\"bufferView\":%u,\"mimeType\":\"image/png\"}", view);
  return TRUE;
}

static void
add_material (Gltf *self, OrreryMaterial *material, gboolean has_places)
{
  const double *color = orrery_material_get_color (material);
  double emission = orrery_material_get_emission (material);
  gboolean has_image = has_places && add_image (self, material);

  separate (self->materials, &self->n_materials);
  orrery_writer_append_text (self->materials, "{\"doubleSided\":true,\"pbrMetallicRoughness\":"
                                              "{\"metallicFactor\":0,\"roughnessFactor\":");
  orrery_writer_append_json_double (self->materials, view_material_get_roughness (material));
  orrery_writer_append_text (self->materials, ",\"baseColorFactor\":[");
  for (guint i = 0; i < 3; i++) {
    orrery_writer_append_json_double (self->materials, view_linear_from_shown (color[i]));
    orrery_writer_append_char (self->materials, ',');
  }
  orrery_writer_append_json_double (self->materials, color[3]);
  orrery_writer_append_char (self->materials, ']');
  if (has_image)
    append (self->materials, ",\"baseColorTexture\":{\"index\":%u}", self->n_images - 1);
  orrery_writer_append_text (self->materials, "},\"emissiveFactor\":[");
  for (guint i = 0; i < 3; i++) {
    if (i > 0)
      orrery_writer_append_char (self->materials, ',');
    orrery_writer_append_json_double (self->materials,
                                      emission * view_linear_from_shown (color[i]));
  }
  orrery_writer_append_text (self->materials, color[3] < 1 ? "],\"alphaMode\":\"BLEND\"}" : "]}");
}

/* --- primitives --- */

static void
add_primitive (Gltf *self, guint mode, guint positions, int places, const guint32 *indices, gsize n)
{
  guint view, accessor;

  separate (self->primitives, &self->n_primitives);
  append (self->primitives, "{\"mode\":%u,\"attributes\":{\"POSITION\":%u", mode, positions);
  if (places >= 0)
    append (self->primitives, ",\"TEXCOORD_0\":%d", places);
  orrery_writer_append_char (self->primitives, '}');
  if (n > 0) {
    view = add_view (self, indices, n * sizeof *indices, ELEMENT_BUFFER);
    accessor = add_accessor (self, view, UNSIGNED_INT, n, "SCALAR");
    orrery_writer_append_char (self->accessors, '}');
    append (self->primitives, ",\"indices\":%u", accessor);
  }
  if (self->n_materials > 0)
    append (self->primitives, ",\"material\":%u", self->n_materials - 1);
  orrery_writer_append_char (self->primitives, '}');
}

/* @which: (nullable): the material of each triangle */
static gboolean
has_material (const guint32 *which, gsize triangle, guint material)
{
  return which != NULL ? which[triangle] == material : material == 0;
}

static const void *
get_data (OrreryBuffer *buffer)
{
  return buffer != NULL ? orrery_buffer_get_data (buffer) : NULL;
}

static void
add_triangles (Gltf *self, OrreryShape *shape, gsize n)
{
  OrreryBuffer *buffer = orrery_shape_get_triangles (shape);
  const guint32 *triangles = get_data (buffer);
  const guint32 *which = get_data (orrery_shape_get_triangle_materials (shape));
  const float *places = get_data (orrery_shape_get_texture_coordinates (shape));
  const double *points = get_data (orrery_shape_get_points (shape));
  gsize n_triangles = orrery_buffer_get_length (buffer, 0);
  guint n_materials = MAX (orrery_shape_get_n_materials (shape), 1);
  g_autofree guint32 *indices = g_new (guint32, 3 * n_triangles);
  guint positions =
      add_positions (self, points, places != NULL ? triangles : NULL, places ? 3 * n_triangles : n);
  int uv = places != NULL ? (int) add_texture_places (self, places, 3 * n_triangles) : -1;

  for (guint m = 0; m < n_materials; m++) {
    OrreryMaterial *material = orrery_shape_get_material (shape, m);
    gsize used = 0;

    for (gsize t = 0; t < n_triangles; t++)
      for (guint corner = 0; has_material (which, t, m) && corner < 3; corner++)
        indices[used++] = places != NULL ? (guint32) (3 * t + corner) : triangles[3 * t + corner];
    if (used == 0)
      continue;
    if (material != NULL)
      add_material (self, material, places != NULL);
    add_primitive (self, TRIANGLES, positions, uv, indices, used);
  }
}

/* --- the file --- */

static void
append_list (OrreryWriter *json, const char *name, OrreryWriter *list, guint n)
{
  gsize length;
  const char *text = orrery_writer_get_data (list, &length);

  if (n == 0)
    return;
  append (json, ",\"%s\":[", name);
  orrery_writer_append (json, text, length);
  orrery_writer_append_char (json, ']');
}

static void
write_json (Gltf *self, OrreryWriter *json)
{
  gsize length;
  const char *primitives = orrery_writer_get_data (self->primitives, &length);

  append (json,
          "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Orrery\"},\"scene\":0,"
          "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
          "\"buffers\":[{\"byteLength\":%u}],\"meshes\":[{\"primitives\":[",
          self->bytes->len);
  orrery_writer_append (json, primitives, length);
  orrery_writer_append_text (json, "]}]");
  append_list (json, "accessors", self->accessors, self->n_accessors);
  append_list (json, "bufferViews", self->views, self->n_views);
  append_list (json, "materials", self->materials, self->n_materials);
  append_list (json, "images", self->images, self->n_images);
  for (guint i = 0; i < self->n_images; i++)
    append (json, "%s{\"source\":%u}", i == 0 ? ",\"textures\":[" : ",", i);
  orrery_writer_append_text (json, self->n_images > 0 ? "]}" : "}");
  orrery_writer_get_data (json, &length);
  for (; (length & 3) != 0; length++)
    orrery_writer_append_char (json, ' ');
}

static void
append_word (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

static GBytes *
join (Gltf *self)
{
  g_autoptr (OrreryWriter) json = orrery_writer_new ();
  GByteArray *out;
  gsize length;
  const char *text;

  write_json (self, json);
  text = orrery_writer_get_data (json, &length);
  out = g_byte_array_sized_new ((guint) (length + self->bytes->len + 28));
  g_byte_array_append (out, (const guint8 *) "glTF", 4);
  append_word (out, 2);
  append_word (out, (guint32) (28 + length + self->bytes->len));
  append_word (out, (guint32) length);
  g_byte_array_append (out, (const guint8 *) "JSON", 4);
  g_byte_array_append (out, (const guint8 *) text, (guint) length);
  append_word (out, self->bytes->len);
  g_byte_array_append (out, (const guint8 *) "BIN\0", 4);
  g_byte_array_append (out, self->bytes->data, self->bytes->len);
  return g_byte_array_free_to_bytes (out);
}

/* An upper bound of the bytes of the file. */
static guint64
estimate (OrreryShape *shape, gsize n_points, gsize n_triangles)
{
  guint64 size = 4096 + 12 * (guint64) n_points + (12 + 60) * (guint64) n_triangles;

  for (guint i = 0; i < orrery_shape_get_n_materials (shape); i++) {
    OrreryBuffer *pixels = orrery_material_get_texture (orrery_shape_get_material (shape, i));

    size += 4096 + (pixels != NULL ? 2 * (guint64) orrery_buffer_get_size (pixels) : 0);
  }
  return size;
}

static void
clear (Gltf *self)
{
  g_byte_array_unref (self->bytes);
  orrery_writer_unref (self->views);
  orrery_writer_unref (self->accessors);
  orrery_writer_unref (self->primitives);
  orrery_writer_unref (self->materials);
  orrery_writer_unref (self->images);
}

GBytes *
view_gltf_new (OrreryShape *shape)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  gsize n = points != NULL ? orrery_buffer_get_length (points, 0) : 0;
  gsize n_triangles = triangles != NULL ? orrery_buffer_get_length (triangles, 0) : 0;
  GBytes *bytes;
  Gltf self;

  if (n == 0 || estimate (shape, n, n_triangles) > G_MAXUINT32)
    return NULL;
  self = (Gltf){ .bytes = g_byte_array_new (),
                 .views = orrery_writer_new (),
                 .accessors = orrery_writer_new (),
                 .primitives = orrery_writer_new (),
                 .materials = orrery_writer_new (),
                 .images = orrery_writer_new () };
  if (n_triangles > 0) {
    add_triangles (&self, shape, n);
  } else {
    if (orrery_shape_get_n_materials (shape) > 0)
      add_material (&self, orrery_shape_get_material (shape, 0), FALSE);
    add_primitive (&self, POINTS, add_positions (&self, orrery_buffer_get_data (points), NULL, n),
                   -1, NULL, 0);
  }
  bytes = join (&self);
  clear (&self);
  return bytes;
}
