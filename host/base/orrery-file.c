/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whole files up to a limit, with errors that name the file. */
#include "base/orrery-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"

static void
set_errno (const char *path, GError **error)
{
  if (errno == ENOENT)
    orrery_set_error (error, ORRERY_ERROR_NO_FILE, "%s: there is no such file", path);
  else
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be read: %s", path, g_strerror (errno));
}

static const char *
describe_mode (mode_t mode)
{
  switch (mode & S_IFMT) {
  case S_IFDIR:
    return "a directory";
  case S_IFIFO:
    return "a pipe";
  case S_IFSOCK:
    return "a socket";
  default:
    return "a device";
  }
}

static gboolean
check_file (const char *path, const struct stat *info, gsize max, GError **error)
{
  if (!S_ISREG (info->st_mode))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: %s; a regular file is expected", path,
                             describe_mode (info->st_mode));
  if ((guint64) info->st_size > max)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: a file of %" G_GINT64_FORMAT " bytes; at most %" G_GSIZE_FORMAT
                             " are read",
                             path, (gint64) info->st_size, max);
  return TRUE;
}

/* A file that grows meanwhile is read as far as it went when it was opened. */
static char *
read_bytes (int fd, gsize size, gsize *length)
{
  g_autofree char *text = g_malloc (size + 1);
  gsize n = 0;

  while (n < size) {
    gssize got = read (fd, text + n, size - n);

    if (got == 0)
      break;
    if (got < 0 && errno != EINTR)
      return NULL;
    n += got > 0 ? (gsize) got : 0;
  }
  text[n] = '\0';
  *length = n;
  return g_steal_pointer (&text);
}

char *
orrery_file_read (const char *path, gsize max, gsize *length, GError **error)
{
  /* Opening a pipe that has no writer would block for ever. */
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  char *text = NULL;

  if (fd < 0) {
    set_errno (path, error);
    return NULL;
  }
  if (fstat (fd, &info) != 0)
    set_errno (path, error);
  else if (check_file (path, &info, max, error)) {
    text = read_bytes (fd, (gsize) info.st_size, length);
    if (text == NULL)
      set_errno (path, error);
  }
  close (fd);
  return text;
}

/* Both are real paths. */
static gboolean
is_below (const char *path, const char *root)
{
  gsize length = strcmp (root, "/") == 0 ? 0 : strlen (root);

  return strncmp (path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

char *
orrery_file_find_below (const char *root, const char *name, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  g_autofree char *path = NULL;
  g_autofree char *real_root = NULL;
  char *real;

  if (*name == '\0' || *name == '/' || g_strv_contains ((const char *const *) parts, ".."))
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "'%.60s' is no path below the directory that may be read from: "
                                  "a relative one, without '..'",
                                  name);
  path = g_build_filename (root, name, NULL);
  real_root = realpath (root, NULL);
  real = realpath (path, NULL);
  if (real != NULL && real_root != NULL && is_below (real, real_root))
    return real;
  free (real);
  return orrery_set_error_null (error, ORRERY_ERROR_NOT_FOUND, "%s: no scene of this name", name);
}

GHashTable *
orrery_directories_new (void)
{
  return g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);
}

gboolean
orrery_directories_add (GHashTable *directories, const char *path)
{
  struct stat info;

  if (stat (path, &info) != 0)
    return FALSE;
  errno = S_ISDIR (info.st_mode) ? 0 : ENOTDIR;
  return errno == 0 &&
         g_hash_table_add (directories,
                           g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                            (guint64) info.st_dev, (guint64) info.st_ino));
}
