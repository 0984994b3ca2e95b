/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses files that somebody other than root or the user could have written. */
#include "base/orrery-error-private.h"
#include "base/orrery-file-private.h"
#include "registry/orrery-classpath-private.h"
#include "registry/orrery-trust-private.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of packages of Python in each other. */
#define MAX_DEPTH 16

/* As most systems make for each user: named like the owner, with nobody else in it. */
static gboolean
is_private_group (const struct stat *info)
{
  char user_room[4096], group_room[16384];
  struct passwd user, *owner = NULL;
  struct group group, *found = NULL;

  if (getpwuid_r (info->st_uid, &user, user_room, sizeof user_room, &owner) != 0 || owner == NULL ||
      getgrgid_r (info->st_gid, &group, group_room, sizeof group_room, &found) != 0 ||
      found == NULL || strcmp (owner->pw_name, found->gr_name) != 0)
    return FALSE;
  for (char **member = found->gr_mem; *member != NULL; member++)
    if (strcmp (*member, owner->pw_name) != 0)
      return FALSE;
  return TRUE;
}

/* Root chose its group, as `staff` of /usr/local. */
static gboolean
is_in_directory_of_root (const char *path, const struct stat *info)
{
  g_autofree char *directory = S_ISDIR (info->st_mode) ? NULL : g_path_get_dirname (path);
  struct stat parent;

  if (directory == NULL)
    return info->st_uid == 0;
  return stat (directory, &parent) == 0 && parent.st_uid == 0;
}

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
  if (S_ISDIR (info.st_mode) && (info.st_mode & S_ISVTX))
    return TRUE;
  if (info.st_mode & S_IWOTH)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "%s: refused: it is writable by everybody; use chmod o-w %s", path,
                             path);
  if ((info.st_mode & S_IWGRP) && !is_private_group (&info) &&
      !is_in_directory_of_root (path, &info))
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "%s: refused: it is writable by group %u, which may have others in "
                             "it; use chmod g-w %s",
                             path, (guint) info.st_gid, path);
  return TRUE;
}

/* --- what Python would read --- */

typedef struct {
  GHashTable *been; /* orrery_directories_new() */
  guint depth;
} PythonWalk;

static gboolean
is_importable (const char *name)
{
  return g_str_has_suffix (name, ".py") || g_str_has_suffix (name, ".pyc") ||
         g_str_has_suffix (name, ".so");
}

/* A package may have any name that a classpath can, and its compiled files one more. */
static gboolean
is_package (const char *name)
{
  return orrery_is_dotted_name (name, 1) || strcmp (name, "__pycache__") == 0;
}

static gboolean check_python (PythonWalk *walk, const char *directory, GError **error);

static gboolean
refuse_unseen (const char *path, const char *why, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                           "%s: refused: what is in it cannot be looked at: %s; use chmod u+rx %s",
                           path, why, path);
}

/* What is no directory, or leads nowhere, is none that Python imports from. */
static gboolean
check_package (PythonWalk *walk, const char *path, GError **error)
{
  if (orrery_directories_add (walk->been, path))
    return orrery_trust_check (path, error) && check_python (walk, path, error);
  if (errno == 0 || errno == ENOTDIR || errno == ENOENT || errno == ELOOP)
    return TRUE;
  return refuse_unseen (path, g_strerror (errno), error);
}

static gboolean
check_entry (PythonWalk *walk, const char *path, const char *name, GError **error)
{
  if (is_importable (name))
    return orrery_trust_check (path, error);
  return !is_package (name) || check_package (walk, path, error);
}

static GDir *
open_directory (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  GDir *dir = g_dir_open (path, 0, &local);

  if (dir == NULL)
    refuse_unseen (path, local->message, error);
  return dir;
}

static gboolean
check_python (PythonWalk *walk, const char *directory, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;
  gboolean fine = TRUE;

  if (walk->depth >= MAX_DEPTH)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "%s: refused: it is more than %d directories deep, where what Python "
                             "would import is not looked at",
                             directory, MAX_DEPTH);
  dir = open_directory (directory, error);
  if (dir == NULL)
    return FALSE;
  walk->depth++;
  while (fine && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (directory, name, NULL);

    fine = check_entry (walk, path, name, error);
  }
  walk->depth--;
  return fine;
}

/* One module imports others, and which ones is seen only when it runs. */
static gboolean
check_all_python (const char *directory, GError **error)
{
  g_autoptr (GHashTable) been = orrery_directories_new ();
  PythonWalk walk = { been, 0 };

  return check_python (&walk, directory, error);
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
      !orrery_trust_check (real, error) ||
      (g_str_has_suffix (file, ".py") && !check_all_python (directory, error)))
    return NULL;
  return g_steal_pointer (&real);
}
