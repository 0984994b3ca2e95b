/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files of meshes by the program read-mesh, checks what it writes, and keeps it as shapes. */
#include "mesh-store.h"

#include "../robot/file-reader.h"

#include <math.h>
#include <string.h>

#define MAX_POINTS 6000000u
#define MAX_TRIANGLES 2000000u

static const FileReader reader = {
  .program = "read-mesh",
  .missing = "meshes are read by assimp, which was not there when this was built (libassimp-dev)",
  .max_memory = G_GUINT64_CONSTANT (4) << 30,
};

static gboolean
fail (const char *path, GError **error)
{
  return orrery_set_error (
      error, ORRERY_ERROR_CONFIG,
      "%s: no mesh, or one with more than %u triangles or with points that are no numbers", path,
      MAX_TRIANGLES);
}

/* The output of the reader is not trusted either. */
static gboolean
check (const char *path, const guint8 *data, gsize size, guint32 head[2], GError **error)
{
  const guint8 *points = data + 16;
  const guint8 *corners;

  if (size < 16 || memcmp (data, "ORRMESH", 8) != 0)
    return fail (path, error);
  memcpy (head, data + 8, 2 * sizeof *head);
  if (head[0] < 3 || head[0] > MAX_POINTS || head[1] < 1 || head[1] > MAX_TRIANGLES ||
      size != 16 + (gsize) head[0] * 24 + (gsize) head[1] * 12)
    return fail (path, error);
  for (gsize i = 0; i < 3 * (gsize) head[0]; i++) {
    double number;

    memcpy (&number, points + 8 * i, sizeof number);
    if (!(fabs (number) <= 1e9))
      return fail (path, error);
  }
  corners = points + 24 * (gsize) head[0];
  for (gsize i = 0; i < 3 * (gsize) head[1]; i++) {
    guint32 corner;

    memcpy (&corner, corners + 4 * i, sizeof corner);
    if (corner >= head[0])
      return fail (path, error);
  }
  return TRUE;
}

typedef struct {
  OrreryBuffer *points;
  OrreryBuffer *triangles;
} Known;

static void
known_free (gpointer data)
{
  Known *known = data;

  orrery_buffer_unref (known->points);
  orrery_buffer_unref (known->triangles);
  g_free (known);
}

GHashTable *
mesh_store_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, known_free);
}

/* Points of these formats are in the file itself. */
static gboolean
is_alone (const char *path)
{
  static const char *const suffixes[] = { "stl", "obj", "ply", "glb", "dae", NULL };
  const char *dot = strrchr (path, '.');
  g_autofree char *suffix = dot != NULL ? g_ascii_strdown (dot + 1, -1) : NULL;

  return suffix != NULL && g_strv_contains (suffixes, suffix);
}

static GBytes *
run_reader (const char *path, OrreryImport *import, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();

  if (!is_alone (path))
    return file_reader_run (&reader, path, import, error);
  g_ptr_array_add (files, (gpointer) path);
  return file_reader_run_once (&reader, path, files, import, error);
}

static Known *
read_mesh (const char *path, OrreryImport *import, GError **error)
{
  g_autoptr (GBytes) bytes = run_reader (path, import, error);
  const guint8 *data;
  guint32 head[2];
  Known *known;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (!check (path, data, size, head, error))
    return NULL;
  known = g_new0 (Known, 1);
  known->points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ head[0], 3 });
  known->triangles = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (gsize[]){ head[1], 3 });
  memcpy (orrery_buffer_get_data (known->points), data + 16, 24 * (gsize) head[0]);
  memcpy (orrery_buffer_get_data (known->triangles), data + 16 + 24 * (gsize) head[0],
          12 * (gsize) head[1]);
  return known;
}

static gboolean
has_room (GHashTable *store, const Known *more)
{
  gsize n = orrery_buffer_get_length (more->triangles, 0);
  GHashTableIter iter;
  gpointer known;

  g_hash_table_iter_init (&iter, store);
  while (g_hash_table_iter_next (&iter, NULL, &known))
    n += orrery_buffer_get_length (((Known *) known)->triangles, 0);
  return n <= MAX_TRIANGLES;
}

static const Known *
keep (GHashTable *store, const char *key, Known *known, const char *path, GError **error)
{
  if (has_room (store, known)) {
    g_hash_table_insert (store, g_strdup (key), known);
    return known;
  }
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: with it there are more than %u triangles",
                    path, MAX_TRIANGLES);
  known_free (known);
  return NULL;
}

static Known *
scale_mesh (const Known *from, const OrreryVec3 *scale)
{
  const double factors[] = { scale->x, scale->y, scale->z };
  gsize n = orrery_buffer_get_length (from->points, 0);
  const double *points = orrery_buffer_get_data (from->points);
  Known *known = g_new0 (Known, 1);
  double *xyz;

  known->points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ n, 3 });
  known->triangles = orrery_buffer_ref (from->triangles);
  xyz = orrery_buffer_get_data (known->points);
  for (gsize i = 0; i < 3 * n; i++)
    xyz[i] = factors[i % 3] * points[i];
  return known;
}

static const Known *
find_mesh (GHashTable *store, const char *path, const OrreryVec3 *scale, OrreryImport *import,
           GError **error)
{
  gboolean plain = scale->x == 1 && scale->y == 1 && scale->z == 1;
  g_autofree char *key =
      g_strdup_printf ("%.17g %.17g %.17g %s", scale->x, scale->y, scale->z, path);
  const Known *known = g_hash_table_lookup (store, plain ? path : key);
  Known *read;

  if (known != NULL)
    return known;
  known = g_hash_table_lookup (store, path);
  if (known == NULL) {
    read = read_mesh (path, import, error);
    known = read != NULL ? keep (store, path, read, path, error) : NULL;
  }
  if (known == NULL || plain)
    return known;
  return keep (store, key, scale_mesh (known, scale), path, error);
}

OrreryShape *
mesh_store_load (GHashTable *store, const char *path, const OrreryVec3 *scale, gboolean hull,
                 const OrreryTransform *pose, OrreryImport *import, GError **error)
{
  const Known *known = find_mesh (store, path, scale, import, error);

  if (known == NULL)
    return NULL;
  return orrery_shape_new_points (hull ? ORRERY_SHAPE_HULL : ORRERY_SHAPE_MESH, known->points,
                                  known->triangles, pose);
}
