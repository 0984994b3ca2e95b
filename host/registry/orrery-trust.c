/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses files that somebody other than root or the user could have written. */
#include "base/orrery-error-private.h"
#include "registry/orrery-trust-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

gboolean
orrery_trust_check (const char *path, GError **error)
{
  struct stat info;

  if (stat (path, &info) != 0)
    return orrery_set_error (error, errno == ENOENT ? ORRERY_ERROR_NO_FILE : ORRERY_ERROR_IO,
                             "%s: %s", path, g_strerror (errno));
  if (info.st_uid != 0 && info.st_uid != geteuid ())
    return orrery_set_error (
        error, ORRERY_ERROR_PLUGIN,
        "%s: refused: it belongs to user %u, neither to root nor to you (user %u)", path,
        (guint) info.st_uid, (guint) geteuid ());
  if ((info.st_mode & S_IWOTH) && !(S_ISDIR (info.st_mode) && (info.st_mode & S_ISVTX)))
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "%s: refused: it is writable by everybody; use chmod o-w", path);
  return TRUE;
}

/* The directories from @directory down to the one that holds @file. */
static gboolean
check_between (const char *directory, const char *file, GError **error)
{
  g_autofree char *path = g_path_get_dirname (file);
  gsize length = strlen (directory);

  while (strlen (path) > length && g_str_has_prefix (path, directory)) {
    char *up = g_path_get_dirname (path);

    if (!orrery_trust_check (path, error)) {
      g_free (up);
      return FALSE;
    }
    g_free (path);
    path = up;
  }
  return orrery_trust_check (directory, error);
}

char *
orrery_trust_check_file (const char *directory, const char *file, GError **error)
{
  g_autofree char *real = realpath (file, NULL);
  g_autofree char *real_directory = NULL;

  if (real == NULL)
    return orrery_set_error_null (error, errno == ENOENT ? ORRERY_ERROR_NO_FILE : ORRERY_ERROR_IO,
                                  "%s: %s", file, g_strerror (errno));
  real_directory = g_path_get_dirname (real);
  if (!check_between (directory, file, error) || !orrery_trust_check (real_directory, error) ||
      !orrery_trust_check (real, error))
    return NULL;
  return g_steal_pointer (&real);
}
