/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "child.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SECONDS 60
#define MAX_BYTES (512u * 1024 * 1024)
#define MAX_POINTS 6000000u
#define MAX_TRIANGLES 2000000u

static char *
find_program (const char *name)
{
  g_autofree char *folder = NULL;
  Dl_info info;

  if (dladdr ((gpointer) find_program, &info) == 0 || info.dli_fname == NULL)
    return NULL;
  folder = g_path_get_dirname (info.dli_fname);
  return g_build_filename (folder, name, NULL);
}

/* What came until the end, the limit, or the deadline; FALSE: the last two. */
static gboolean
drain (int fd, GByteArray *bytes)
{
  gint64 deadline = g_get_monotonic_time () + MAX_SECONDS * G_USEC_PER_SEC;
  guint8 buffer[65536];

  while (bytes->len < MAX_BYTES) {
    gint64 left = (deadline - g_get_monotonic_time ()) / 1000;
    struct pollfd wait = { fd, POLLIN, 0 };
    gssize n;

    if (left <= 0 || poll (&wait, 1, (int) left) == 0)
      return FALSE;
    n = read (fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n == 0;
    g_byte_array_append (bytes, buffer, (guint) n);
  }
  return FALSE;
}

static int
reap (GPid pid)
{
  int status = 0;

  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

static gboolean
judge (const char *path, int status, gboolean complete, GByteArray *bytes, GError **error)
{
  if (complete && WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  if (!complete)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s: given up: more than %d s or %u MiB went into it", path, MAX_SECONDS,
                 MAX_BYTES >> 20);
  else if (WIFEXITED (status) && bytes->len > 0 && bytes->len < 2000)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "%s: %.*s", path, (int) bytes->len,
                 (const char *) bytes->data);
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s: the reader of it broke down (%s %d): the file is damaged, or larger than it "
                 "may be",
                 path, WIFSIGNALED (status) ? "signal" : "status",
                 WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status));
  return FALSE;
}

GBytes *
child_read (const char *name, const char *path, const char *what, GError **error)
{
  g_autofree char *program = find_program (name);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char *argv[] = { program, (char *) path, NULL };
  gboolean complete;
  GPid pid;
  int out;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "there is no file %s", path);
    return NULL;
  }
  if (program == NULL || !g_file_test (program, G_FILE_TEST_IS_EXECUTABLE)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "%s: %s", path, what);
    return NULL;
  }
  if (!g_spawn_async_with_pipes (NULL, argv, NULL,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                 &pid, NULL, &out, NULL, error))
    return NULL;
  complete = drain (out, bytes);
  if (!complete)
    kill (pid, SIGKILL);
  close (out);
  if (!judge (path, reap (pid), complete, bytes, error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* --- meshes --- */

static gboolean
fail (const char *path, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
               "%s: no mesh, or one with more than %u triangles or with points that are no numbers",
               path, MAX_TRIANGLES);
  return FALSE;
}

/* The reader's own words are not believed either. */
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

OrreryShape *
mesh_load (const char *path, const OrreryVec3 *scale, gboolean hull, const OrreryTransform *pose,
           GError **error)
{
  g_autoptr (GBytes) bytes = child_read ("read-mesh", path,
                                         "meshes are read by assimp, which was not there when this "
                                         "was built (libassimp-dev)",
                                         error);
  const double factors[] = { scale->x, scale->y, scale->z };
  g_autoptr (OrreryBuffer) points = NULL;
  g_autoptr (OrreryBuffer) triangles = NULL;
  const guint8 *data;
  guint32 head[2];
  double *xyz;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (!check (path, data, size, head, error))
    return NULL;
  points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ head[0], 3 });
  triangles = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (gsize[]){ head[1], 3 });
  xyz = orrery_buffer_get_data (points);
  memcpy (xyz, data + 16, 24 * (gsize) head[0]);
  for (gsize i = 0; i < 3 * (gsize) head[0]; i++)
    xyz[i] *= factors[i % 3];
  memcpy (orrery_buffer_get_data (triangles), data + 16 + 24 * (gsize) head[0],
          12 * (gsize) head[1]);
  return orrery_shape_new_points (hull ? ORRERY_SHAPE_HULL : ORRERY_SHAPE_MESH, points, triangles,
                                  pose);
}
