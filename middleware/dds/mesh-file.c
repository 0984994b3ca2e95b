/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes meshes into files that viewers of ROS can read. */
#include "mesh-file.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A file of 50 MB. */
#define MAX_TRIANGLES 1000000
#define HEAD 80
#define TRIANGLE 50

static void
put_word (guint8 *place, guint32 word)
{
  word = GUINT32_TO_LE (word);
  memcpy (place, &word, sizeof word);
}

static void
put_vector (guint8 *place, const double *v)
{
  for (guint i = 0; i < 3; i++) {
    float number = (float) v[i];
    guint32 word;

    memcpy (&word, &number, sizeof word);
    put_word (place + 4 * i, word);
  }
}

/* Unit length; 0 if the corners lie on a line. */
static void
find_normal (const double *a, const double *b, const double *c, double *out)
{
  double u[3], v[3], length;

  for (guint i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  for (guint i = 0; i < 3; i++)
    out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  length = sqrt (out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (guint i = 0; i < 3; i++)
    out[i] = length > 0 ? out[i] / length : 0;
}

static GBytes *
make_stl (OrreryShape *shape)
{
  static const char head[] = "binary STL, m";
  const double *points = orrery_buffer_get_data (orrery_shape_get_points (shape));
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  const guint32 *corners = orrery_buffer_get_data (triangles);
  gsize n = orrery_buffer_get_length (triangles, 0), length = HEAD + 4 + TRIANGLE * n;
  guint8 *data = g_malloc0 (length), *place = data + HEAD + 4;

  memcpy (data, head, sizeof head);
  put_word (data + HEAD, (guint32) n);
  for (gsize i = 0; i < n; i++, place += TRIANGLE) {
    const double *corner[3];
    double normal[3];

    for (guint k = 0; k < 3; k++) {
      corner[k] = points + 3 * (gsize) corners[3 * i + k];
      put_vector (place + 12 * (k + 1), corner[k]);
    }
    find_normal (corner[0], corner[1], corner[2], normal);
    put_vector (place, normal);
  }
  return g_bytes_new_take (data, length);
}

static gboolean
has_length (const char *path, gsize length)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 && S_ISREG (info.st_mode) && (gsize) info.st_size == length;
}

char *
ros2_write_mesh (OrreryShape *shape, const char *directory, GError **error)
{
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  g_autofree char *whole = g_canonicalize_filename (directory, NULL);
  g_autofree char *sum = NULL, *name = NULL, *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *data;
  gsize length;

  if (orrery_buffer_get_length (triangles, 0) > MAX_TRIANGLES) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "a mesh has %zu triangles; at most %d",
                 orrery_buffer_get_length (triangles, 0), MAX_TRIANGLES);
    return NULL;
  }
  bytes = make_stl (shape);
  data = g_bytes_get_data (bytes, &length);
  sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  name = g_strconcat (sum, ".stl", NULL);
  path = g_build_filename (whole, name, NULL);
  if (has_length (path, length))
    return g_filename_to_uri (path, NULL, error);
  if (g_mkdir_with_parents (whole, 0755) != 0) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", whole,
                 g_strerror (code));
    return NULL;
  }
  if (!g_file_set_contents (path, data, (gssize) length, error))
    return NULL;
  return g_filename_to_uri (path, NULL, error);
}
