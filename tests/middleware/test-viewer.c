/* SPDX-License-Identifier: BSD-3-Clause */
/* What the viewer writes, read back: glTF files, pictures, poses, records. */
#include "../../middleware/viewer/view-gltf.h"
#include "../../middleware/viewer/view.h"

#include <gio/gio.h>
#include <string.h>

/* --- a reader of what is written --- */

typedef struct {
  GBytes *bytes;
  OrreryNode *json;
  const guint8 *data; /* of the second chunk */
  guint32 n_data;
} Glb;

static guint32
read_word (const guint8 *at)
{
  guint32 word;

  memcpy (&word, at, sizeof word);
  return GUINT32_FROM_LE (word);
}

static void
read_glb (Glb *glb, OrreryShape *shape)
{
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *at;
  guint32 n_json;

  glb->bytes = view_gltf_new (shape);
  g_assert_nonnull (glb->bytes);
  at = g_bytes_get_data (glb->bytes, &length);
  g_assert_cmpmem (at, 4, "glTF", 4);
  g_assert_cmpuint (read_word (at + 4), ==, 2);
  g_assert_cmpuint (read_word (at + 8), ==, length);
  n_json = read_word (at + 12);
  g_assert_cmpmem (at + 16, 4, "JSON", 4);
  glb->json = orrery_node_parse_json ((const char *) at + 20, n_json, "glb", &error);
  g_assert_no_error (error);
  glb->n_data = read_word (at + 20 + n_json);
  g_assert_cmpmem (at + 24 + n_json, 4, "BIN\0", 4);
  g_assert_cmpuint (28 + n_json + glb->n_data, ==, length);
  glb->data = at + 28 + n_json;
}

static void
clear_glb (Glb *glb)
{
  orrery_node_unref (glb->json);
  g_bytes_unref (glb->bytes);
}

static OrreryNode *
find (OrreryNode *node, const char *key)
{
  node = orrery_node_find (node, key);
  g_assert_nonnull (node);
  return node;
}

static gint64
find_int (OrreryNode *node, const char *key)
{
  return orrery_node_get_int (find (node, key));
}

static OrreryNode *
get_item (OrreryNode *node, const char *key, gint64 index)
{
  g_assert_cmpint (index, <, orrery_node_get_length (find (node, key)));
  return orrery_node_get_item (find (node, key), (guint) index);
}

static OrreryNode *
get_primitive (Glb *glb, guint index)
{
  return get_item (get_item (glb->json, "meshes", 0), "primitives", index);
}

/* The bytes of an accessor, which lie within the file and are aligned. */
static const guint8 *
get_values (Glb *glb, gint64 index, gint64 *count)
{
  OrreryNode *accessor = get_item (glb->json, "accessors", index);
  OrreryNode *view = get_item (glb->json, "bufferViews", find_int (accessor, "bufferView"));
  gint64 start = find_int (view, "byteOffset");

  g_assert_cmpint (start % 4, ==, 0);
  g_assert_cmpint (start + find_int (view, "byteLength"), <=, glb->n_data);
  *count = find_int (accessor, "count");
  return glb->data + start;
}

/* --- shapes --- */

static const double corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 }, { 0, 2, -3 } };

static OrreryBuffer *
make_buffer (OrreryElement element, gsize rows, gsize columns, gconstpointer data)
{
  const gsize shape[] = { rows, columns };
  OrreryBuffer *buffer = orrery_buffer_new (element, columns > 0 ? 2 : 1, shape);

  memcpy (orrery_buffer_get_data (buffer), data, orrery_buffer_get_size (buffer));
  return buffer;
}

/* A square of two triangles. */
static OrreryShape *
make_square (void)
{
  static const guint32 triangles[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
  g_autoptr (OrreryBuffer) points = make_buffer (ORRERY_ELEMENT_DOUBLE, 4, 3, corners);
  g_autoptr (OrreryBuffer) faces = make_buffer (ORRERY_ELEMENT_UINT32, 2, 3, triangles);

  return orrery_shape_new_points (ORRERY_SHAPE_MESH, points, faces, NULL);
}

static void
add_color (OrreryShape *shape, double red, double alpha)
{
  g_autoptr (OrreryMaterial) material = orrery_material_new (red, 0, 0, alpha);

  orrery_shape_add_material (shape, material);
}

static void
test_mesh (void)
{
  g_autoptr (OrreryShape) shape = make_square ();
  static const guint32 expected[6] = { 0, 1, 2, 0, 2, 3 };
  OrreryNode *primitive, *accessor;
  const guint8 *values;
  float position[12];
  gint64 count, at;
  Glb glb;

  read_glb (&glb, shape);
  g_assert_cmpuint (orrery_node_get_length (find (get_item (glb.json, "meshes", 0), "primitives")),
                    ==, 1);
  primitive = get_primitive (&glb, 0);
  g_assert_cmpint (find_int (primitive, "mode"), ==, 4);
  at = find_int (find (primitive, "attributes"), "POSITION");
  values = get_values (&glb, at, &count);
  g_assert_cmpint (count, ==, 4);
  memcpy (position, values, sizeof position);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpfloat ((double) position[i], ==, corners[i / 3][i % 3]);
  accessor = get_item (glb.json, "accessors", at);
  g_assert_cmpfloat (orrery_node_get_double (get_item (accessor, "min", 2)), ==, -3);
  g_assert_cmpfloat (orrery_node_get_double (get_item (accessor, "max", 1)), ==, 2);
  values = get_values (&glb, find_int (primitive, "indices"), &count);
  g_assert_cmpmem (values, (gsize) count * 4, expected, sizeof expected);
  clear_glb (&glb);
}

/* A material is used by its own triangles; one that none has is left out. */
static void
test_materials (void)
{
  static const guint32 which[2] = { 2, 0 };
  static const guint32 first[3] = { 0, 2, 3 };
  g_autoptr (OrreryShape) shape = make_square ();
  g_autoptr (OrreryBuffer) indices = make_buffer (ORRERY_ELEMENT_UINT32, 2, 0, which);
  OrreryNode *material, *look;
  const guint8 *values;
  gint64 count;
  Glb glb;

  add_color (shape, 1, 1);
  add_color (shape, 0.25, 1);
  add_color (shape, 0.5, 0.75);
  orrery_shape_set_triangle_materials (shape, indices);
  read_glb (&glb, shape);
  g_assert_cmpuint (orrery_node_get_length (find (glb.json, "materials")), ==, 2);
  values = get_values (&glb, find_int (get_primitive (&glb, 0), "indices"), &count);
  g_assert_cmpmem (values, (gsize) count * 4, first, sizeof first);
  g_assert_cmpint (find_int (get_primitive (&glb, 1), "material"), ==, 1);
  material = get_item (glb.json, "materials", 1);
  look = find (material, "pbrMetallicRoughness");
  g_assert_cmpfloat_with_epsilon (orrery_node_get_double (get_item (look, "baseColorFactor", 0)),
                                  0.2140, 1e-4);
  g_assert_cmpfloat (orrery_node_get_double (get_item (look, "baseColorFactor", 3)), ==, 0.75);
  g_assert_cmpstr (orrery_node_get_text (find (material, "alphaMode")), ==, "BLEND");
  g_assert_null (orrery_node_find (get_item (glb.json, "materials", 0), "alphaMode"));
  clear_glb (&glb);
}

static void
test_texture (void)
{
  static const guint8 pixels[2 * 3 * 3] = { 255, 0, 0, 0, 255, 0, 0, 0, 255 };
  static const float places[12] = { 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0.25F };
  const gsize size[] = { 2, 3, 3 };
  g_autoptr (OrreryShape) shape = make_square ();
  g_autoptr (OrreryMaterial) material = orrery_material_new (1, 1, 1, 1);
  g_autoptr (OrreryBuffer) picture = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, size);
  const gsize places_size[] = { 2, 3, 2 };
  g_autoptr (OrreryBuffer) uv = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 3, places_size);
  OrreryNode *primitive, *view;
  float found[12];
  gint64 count;
  Glb glb;

  memcpy (orrery_buffer_get_data (picture), pixels, sizeof pixels);
  memcpy (orrery_buffer_get_data (uv), places, sizeof places);
  orrery_material_set_texture (material, picture);
  orrery_shape_add_material (shape, material);
  orrery_shape_set_texture_coordinates (shape, uv);
  read_glb (&glb, shape);
  primitive = get_primitive (&glb, 0);
  memcpy (found, get_values (&glb, find_int (find (primitive, "attributes"), "TEXCOORD_0"), &count),
          sizeof found);
  g_assert_cmpint (count, ==, 6);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpfloat ((double) found[i], ==,
                       i % 2 == 0 ? (double) places[i] : 1 - (double) places[i]);
  view =
      get_item (glb.json, "bufferViews", find_int (get_item (glb.json, "images", 0), "bufferView"));
  g_assert_cmpmem (glb.data + find_int (view, "byteOffset") + 1, 3, "PNG", 3);
  clear_glb (&glb);
}

static void
test_hull (void)
{
  g_autoptr (OrreryBuffer) points = make_buffer (ORRERY_ELEMENT_DOUBLE, 4, 3, corners);
  g_autoptr (OrreryShape) shape = orrery_shape_new_points (ORRERY_SHAPE_HULL, points, NULL, NULL);
  Glb glb;

  read_glb (&glb, shape);
  g_assert_cmpint (find_int (get_primitive (&glb, 0), "mode"), ==, 0);
  g_assert_null (orrery_node_find (get_primitive (&glb, 0), "indices"));
  clear_glb (&glb);
}

static void
test_nothing (void)
{
  g_autoptr (OrreryBuffer) points = make_buffer (ORRERY_ELEMENT_DOUBLE, 0, 3, corners);
  g_autoptr (OrreryShape) shape = orrery_shape_new_points (ORRERY_SHAPE_HULL, points, NULL, NULL);

  g_assert_null (view_gltf_new (shape));
}

static void
test_equal_bytes (void)
{
  g_autoptr (OrreryShape) one = make_square ();
  g_autoptr (OrreryShape) other = make_square ();
  g_autoptr (GBytes) a = view_gltf_new (one);
  g_autoptr (GBytes) b = view_gltf_new (other);

  g_assert_true (g_bytes_equal (a, b));
}

/* --- pictures --- */

/* Inflates the rows and takes off what says how they are filtered. */
static void
test_png (void)
{
  guint8 pixels[40 * 3 * 30];
  g_autoptr (GByteArray) png = NULL;
  g_autoptr (GConverter) zlib =
      G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  guint8 rows[30 * (1 + 40 * 3) + 1];
  gsize taken, made;
  guint32 n;

  for (guint i = 0; i < sizeof pixels; i++)
    pixels[i] = (guint8) (i * 7 % 251);
  png = view_png_new (pixels, 40, 30, 3);
  g_assert_cmpuint (GUINT32_FROM_BE (*(guint32 *) (gpointer) (png->data + 16)), ==, 40);
  g_assert_cmpmem (png->data + 37, 4, "IDAT", 4);
  memcpy (&n, png->data + 33, sizeof n);
  g_assert_cmpint (g_converter_convert (zlib, png->data + 41, GUINT32_FROM_BE (n), rows,
                                        sizeof rows, G_CONVERTER_INPUT_AT_END, &taken, &made, NULL),
                   ==, G_CONVERTER_FINISHED);
  g_assert_cmpuint (made, ==, sizeof rows - 1);
  for (guint y = 0; y < 30; y++) {
    g_assert_cmpuint (rows[y * 121], ==, 0);
    g_assert_cmpmem (rows + y * 121 + 1, 120, pixels + y * 120, 120);
  }
  /* The checksum of the last chunk is known. */
  g_assert_cmpmem (png->data + png->len - 8, 8, "IEND\xae\x42\x60\x82", 8);
}

/* --- records --- */

typedef struct {
  double speed;
  OrreryVec3 place;
  OrreryArray few;
  OrreryArray many;
  OrreryBuffer *image;
} Data;

static const OrreryField fields[] = {
  ORRERY_FIELD (Data, speed, "m/s", "How fast"), ORRERY_FIELD (Data, place, "m", "Where"),
  ORRERY_FIELD (Data, few, "", "A few"),         ORRERY_FIELD (Data, many, "", "Many"),
  ORRERY_FIELD (Data, image, "", "A picture"),
};

static void
test_record (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (Data));
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (OrreryNode) head = NULL;
  const gsize shape[] = { 10, 10, 3 };
  Data *data = orrery_record_data (record);
  double values[50] = { 0 };
  gsize length;
  const char *text;
  guint32 n;

  data->speed = 2.5;
  data->place = (OrreryVec3){ 1, 2, 3 };
  values[49] = 49;
  orrery_array_set (&data->few, values + 48, 2);
  orrery_array_set (&data->many, values, 50);
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
  ((guint8 *) orrery_buffer_get_data (data->image))[299] = 77;
  view_write_record (record, writer);
  text = orrery_writer_get_data (writer, &length);
  memcpy (&n, text, sizeof n);
  g_assert_cmpuint ((n + 4) % 8, ==, 0);
  head = orrery_node_parse_json (text + 4, n, "head", NULL);
  g_assert_nonnull (head);
  g_assert_cmpfloat (orrery_node_get_double (find (head, "speed")), ==, 2.5);
  g_assert_cmpfloat (orrery_node_get_double (get_item (head, "place", 2)), ==, 3);
  g_assert_cmpfloat (orrery_node_get_double (get_item (head, "few", 1)), ==, 49);
  g_assert_cmpstr (orrery_node_get_text (find (find (head, "many"), "$")), ==, "float64");
  g_assert_cmpmem (text + 4 + n + find_int (find (head, "many"), "at"), sizeof values, values,
                   sizeof values);
  g_assert_cmpint (text[4 + n + find_int (find (head, "image"), "at") + 299], ==, 77);
  g_assert_cmpuint (length, ==, 4 + n + sizeof values + 304);
}

static void
test_poses (void)
{
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  g_autoptr (OrreryWorld) other = orrery_world_new ();
  g_autoptr (OrreryPlayback) playback = orrery_playback_new (0, ORRERY_SECOND, NULL);
  ViewObject objects[3] = { 0 };
  View view = { .objects = objects, .n_own = 2, .n_objects = 2 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  double seconds;
  guint32 counts[2];
  float row[7];

  orrery_world_add_object (world, "one", NULL, NULL);
  orrery_world_add_object (world, "two", NULL, NULL);
  view_write_poses (&view, orrery_world_get_snapshot (world), 3 * ORRERY_SECOND / 2, 90, out);
  g_assert_cmpuint (out->len, ==, VIEW_POSE_HEAD + 2 * VIEW_POSE_SIZE);
  memcpy (&seconds, out->data, sizeof seconds);
  memcpy (counts, out->data + 8, sizeof counts);
  memcpy (row, out->data + VIEW_POSE_HEAD + VIEW_POSE_SIZE, sizeof row);
  g_assert_cmpfloat (seconds, ==, 1.5);
  g_assert_cmpuint (counts[0], ==, 2);
  g_assert_cmpuint (counts[1], ==, 90);
  g_assert_cmpfloat ((double) row[6], ==, 1);

  /* Those of another run come behind. */
  orrery_world_add_object (other, "one", NULL, NULL);
  orrery_playback_set_beside (playback, other, "other.mcap");
  view.playback = playback;
  view.n_objects = 3;
  view_write_poses (&view, orrery_world_get_snapshot (world), 0, 0, out);
  g_assert_cmpuint (out->len, ==, VIEW_POSE_HEAD + 3 * VIEW_POSE_SIZE);
  memcpy (counts, out->data + 8, sizeof counts);
  g_assert_cmpuint (counts[0], ==, 3);
  memcpy (row, out->data + VIEW_POSE_HEAD + 2 * VIEW_POSE_SIZE, sizeof row);
  g_assert_cmpfloat ((double) row[6], ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viewer/gltf/mesh", test_mesh);
  g_test_add_func ("/viewer/gltf/materials", test_materials);
  g_test_add_func ("/viewer/gltf/texture", test_texture);
  g_test_add_func ("/viewer/gltf/hull", test_hull);
  g_test_add_func ("/viewer/gltf/nothing", test_nothing);
  g_test_add_func ("/viewer/gltf/equal-bytes", test_equal_bytes);
  g_test_add_func ("/viewer/png", test_png);
  g_test_add_func ("/viewer/record", test_record);
  g_test_add_func ("/viewer/poses", test_poses);
  return g_test_run ();
}
