/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and replaces the files that a run writes, by rules that protect all other files. */
#define _GNU_SOURCE
#include "base/orrery-output.h"

#include "base/orrery-error-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_LINKS 40
#define MAX_MARK 64
/* A pipe that is ready takes so much at once, also if it is a blocking one. */
#define PIPE_BYTES 4096
/* How long the end of a run waits for who reads from a pipe. */
#define REPLACE_LIMIT_MS 10000

/* --- the way to the file: component by component, so that no link is followed unseen --- */

typedef struct {
  const char *path; /* for messages */
  gboolean confined;
  int at;     /* the directory that is reached */
  char *rest; /* of the path */
  char *name; /* the last component; NULL: not reached yet */
  int given;  /* a descriptor that the path names; -1: it names a file */
  guint n_links;
} Walk;

static void
walk_clear (Walk *walk)
{
  if (walk->at >= 0)
    close (walk->at);
  if (walk->given >= 0)
    close (walk->given);
  g_free (walk->rest);
  g_free (walk->name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

static gboolean
fail (const char *path, int code, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be written: %s", path,
                           code == ENXIO ? "nobody reads from this pipe" : g_strerror (code));
}

/* What this process has open has no other name, as a socket, or would begin anew. */
static int
take_descriptor (const char *path)
{
  static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
  guint64 fd = G_MAXUINT64;

  if (strcmp (path, "/dev/stdout") == 0)
    fd = STDOUT_FILENO;
  if (strcmp (path, "/dev/stderr") == 0)
    fd = STDERR_FILENO;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (path, folders[i]))
      g_ascii_string_to_unsigned (path + strlen (folders[i]), 10, 0, INT_MAX, &fd, NULL);
  return fd <= INT_MAX ? fcntl ((int) fd, F_DUPFD_CLOEXEC, 0) : -1;
}

static gboolean
enter (Walk *walk, int directory, GError **error)
{
  if (directory < 0)
    return fail (walk->path, errno, error);
  if (walk->at >= 0)
    close (walk->at);
  walk->at = directory;
  return TRUE;
}

/* @link: consumed */
static gboolean
follow (Walk *walk, int link, const struct stat *info, const char *after, GError **error)
{
  char target[PATH_MAX];
  ssize_t length = readlinkat (link, "", target, sizeof target - 1);
  char *rest;

  close (link);
  if (walk->confined)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: leads through a symbolic link, which files of a scene must not",
                             walk->path);
  if (info->st_uid != 0 && info->st_uid != geteuid ())
    return orrery_set_error (error, ORRERY_ERROR_IO,
                             "%s: leads through a symbolic link of user %u, who is neither root "
                             "nor you",
                             walk->path, (guint) info->st_uid);
  if (length < 0 || ++walk->n_links > MAX_LINKS)
    return fail (walk->path, length < 0 ? errno : ELOOP, error);
  target[length] = '\0';
  rest = *after != '\0' ? g_strconcat (target, "/", after, NULL) : g_strdup (target);
  g_free (walk->rest);
  walk->rest = rest;
  return TRUE;
}

/* One component, of which @after follows. */
static gboolean
take_part (Walk *walk, const char *part, const char *after, GError **error)
{
  int fd = openat (walk->at, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;

  if (fd < 0 && !(errno == ENOENT && *after == '\0'))
    return fail (walk->path, errno, error);
  if (fd >= 0 && fstat (fd, &info) == 0 && S_ISLNK (info.st_mode))
    return follow (walk, fd, &info, after, error);
  if (*after == '\0') {
    walk->name = g_strdup (part);
    if (fd >= 0)
      close (fd);
    return TRUE;
  }
  memmove (walk->rest, after, strlen (after) + 1);
  return enter (walk, fd, error);
}

static gboolean
take_step (Walk *walk, GError **error)
{
  gsize length = strcspn (walk->rest, "/");
  g_autofree char *part = g_strndup (walk->rest, length);
  const char *after = walk->rest + length;

  if (*walk->rest == '/') {
    walk->given = take_descriptor (walk->rest);
    memmove (walk->rest, walk->rest + 1, strlen (walk->rest));
    return walk->given >= 0 || enter (walk, open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC), error);
  }
  after += strspn (after, "/");
  if (length == 0 || (*after == '\0' && (walk->rest[length] == '/' || strcmp (part, ".") == 0)))
    return fail (walk->path, EISDIR, error);
  return take_part (walk, part, after, error);
}

static gboolean
find_place (Walk *walk, GError **error)
{
  while (walk->name == NULL && walk->given < 0)
    if (!take_step (walk, error))
      return FALSE;
  return TRUE;
}

/* The part of an absolute path that is below the directory; NULL: it is not. */
static char *
cut_directory (const char *path, const char *directory)
{
  g_autofree char *given = g_canonicalize_filename (directory, NULL);
  g_autofree char *real = realpath (directory, NULL);
  const char *const ways[] = { given, real };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    gsize length = ways[i] != NULL ? strlen (ways[i]) : 0;

    /* Only "/" itself ends in a slash. */
    if (length == 1)
      return g_strdup (path + 1);
    if (length > 1 && g_str_has_prefix (path, ways[i]) && path[length] == '/')
      return g_strdup (path + length + 1);
  }
  return NULL;
}

/* The part of a path that is below the directory; NULL: the path leads elsewhere. */
static char *
find_below (const char *path, const char *directory, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autofree char *below = NULL;

  if (!g_strv_contains ((const char *const *) parts, ".."))
    below = *path == '/' ? cut_directory (path, directory) : g_strdup (path);
  if (below == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "%s: files of a scene are written below %s only, which the option "
                      "--output-dir changes",
                      path, strcmp (directory, ".") == 0 ? "the current directory" : directory);
  return g_steal_pointer (&below);
}

gboolean
orrery_output_check (const char *path, const char *directory, GError **error)
{
  g_autofree char *below = NULL;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (directory != NULL, FALSE);

  below = find_below (path, directory, error);
  return below != NULL;
}

static gboolean
confine (Walk *walk, const char *directory, GError **error)
{
  g_autofree char *below = find_below (walk->path, directory, error);
  const char *inner = below;

  if (below == NULL)
    return FALSE;
  inner += strspn (inner, "/");
  g_free (walk->rest);
  walk->rest = g_strdup (inner);
  walk->confined = TRUE;
  return enter (walk, open (directory, O_PATH | O_DIRECTORY | O_CLOEXEC), error);
}

static gboolean
walk_to (Walk *walk, const char *path, const OrreryOutputRules *rules, GError **error)
{
  *walk = (Walk){ .path = path, .at = -1, .given = -1, .rest = g_strdup (path) };
  if (rules != NULL && rules->directory != NULL)
    return confine (walk, rules->directory, error) && find_place (walk, error);
  return enter (walk, open (".", O_PATH | O_DIRECTORY | O_CLOEXEC), error) &&
         find_place (walk, error);
}

/* --- what is there already --- */

static gboolean
is_one_of (const struct stat *info, const char *const *paths)
{
  struct stat other;

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    if (stat (paths[i], &other) == 0 && other.st_dev == info->st_dev &&
        other.st_ino == info->st_ino)
      return TRUE;
  return FALSE;
}

static gboolean
begins_with (Walk *walk, const char *mark)
{
  int fd = openat (walk->at, walk->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  gsize length = MIN (strlen (mark), MAX_MARK);
  char head[MAX_MARK];
  ssize_t n = fd >= 0 ? read (fd, head, length) : -1;

  if (fd >= 0)
    close (fd);
  return n == 0 || (n == (ssize_t) length && memcmp (head, mark, length) == 0);
}

static gboolean
is_of_kernel (int fd)
{
  struct statfs info;

  return fstatfs (fd, &info) == 0 &&
         (info.f_type == PROC_SUPER_MAGIC || info.f_type == SYSFS_MAGIC);
}

static gboolean
check_regular (Walk *walk, const struct stat *info, const OrreryOutputRules *rules, GError **error)
{
  if (info->st_nlink > 1 && info->st_uid != geteuid ())
    return orrery_set_error (error, ORRERY_ERROR_IO,
                             "%s: a file of user %u that has another name, too; it is not written",
                             walk->path, (guint) info->st_uid);
  if (is_of_kernel (walk->at))
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: a file of the kernel is not written",
                             walk->path);
  if (rules != NULL && is_one_of (info, rules->kept))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: %s is read from this file; name another one", walk->path,
                             rules->read != NULL ? rules->read : "the scene itself");
  if (rules != NULL && rules->mark != NULL && !begins_with (walk, rules->mark))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: exists and does not begin with '%s' as an output that may be "
                             "replaced; remove it, or name another file",
                             walk->path, rules->mark);
  return TRUE;
}

/* --- one file --- */

static int
get_mode (const OrreryOutputRules *rules)
{
  return rules != NULL && rules->mode != 0 ? (int) rules->mode : 0666;
}

/* @own: whether it is a regular file. */
static int
open_place (Walk *walk, const OrreryOutputRules *rules, gboolean *own, GError **error)
{
  int fd = openat (walk->at, walk->name,
                   O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                   get_mode (rules));
  struct stat info;

  if (fd < 0 || fstat (fd, &info) != 0) {
    fail (walk->path, errno, error);
    return -1;
  }
  *own = S_ISREG (info.st_mode);
  if (!*own)
    return fd;
  if (check_regular (walk, &info, rules, error)) {
    if (ftruncate (fd, 0) == 0)
      return fd;
    fail (walk->path, errno, error);
  }
  close (fd);
  return -1;
}

static int
take_given (Walk *walk)
{
  int fd = walk->given;

  walk->given = -1;
  return fd;
}

int
orrery_output_open (const char *path, const OrreryOutputRules *rules, gboolean *own, GError **error)
{
  g_auto (Walk) walk = { .at = -1, .given = -1 };
  gboolean regular = FALSE;
  int fd;

  g_return_val_if_fail (path != NULL, -1);

  if (!walk_to (&walk, path, rules, error))
    return -1;
  fd = walk.given >= 0 ? take_given (&walk) : open_place (&walk, rules, &regular, error);
  if (own != NULL)
    *own = regular;
  return fd;
}

/* Of a pipe, a terminal or a socket. */
static gboolean
wait_for_reader (int fd, guint limit)
{
  struct pollfd ready = { .fd = fd, .events = POLLOUT };
  int n = TEMP_FAILURE_RETRY (poll (&ready, 1, (int) MIN (limit, G_MAXINT)));

  if (n == 0)
    errno = ETIMEDOUT;
  return n > 0;
}

gsize
orrery_output_write (int fd, gconstpointer data, gsize length, guint limit)
{
  struct stat info;
  gboolean regular = fstat (fd, &info) == 0 && S_ISREG (info.st_mode);
  gsize n = 0;

  while (n < length) {
    gsize part = regular ? length - n : MIN (length - n, PIPE_BYTES);
    ssize_t written;

    if (!regular && !wait_for_reader (fd, limit))
      break;
    written = write (fd, (const char *) data + n, part);
    if (written < 0 && errno != EINTR && errno != EAGAIN)
      break;
    n += written > 0 ? (gsize) written : 0;
  }
  return n;
}

/* @fd: consumed */
static gboolean
write_and_close (Walk *walk, int fd, const char *data, gsize length, gboolean keep, GError **error)
{
  gboolean fine = orrery_output_write (fd, data, length, REPLACE_LIMIT_MS) == length;
  int code;

  fine = fine && (!keep || fsync (fd) == 0);
  code = errno;
  if (close (fd) != 0 && fine) {
    code = errno;
    fine = FALSE;
  }
  return fine || fail (walk->path, code, error);
}

/* The new content gets a name of its own first, which then takes the place of the old. */
static gboolean
exchange (Walk *walk, const struct stat *old, const char *data, gsize length,
          const OrreryOutputRules *rules, GError **error)
{
  g_autofree char *name = g_strdup_printf (".%.200s.%08x", walk->name, g_random_int ());
  int fd = openat (walk->at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   get_mode (rules));

  if (fd < 0)
    return fail (walk->path, errno, error);
  if (old != NULL)
    fchmod (fd, old->st_mode & 0777);
  if (write_and_close (walk, fd, data, length, TRUE, error)) {
    if (renameat (walk->at, name, walk->at, walk->name) == 0)
      return TRUE;
    fail (walk->path, errno, error);
  }
  unlinkat (walk->at, name, 0);
  return FALSE;
}

gboolean
orrery_output_replace (const char *path, const char *data, gssize length,
                       const OrreryOutputRules *rules, GError **error)
{
  g_auto (Walk) walk = { .at = -1, .given = -1 };
  gsize size = length >= 0 ? (gsize) length : strlen (data);
  struct stat info;
  gboolean exists, regular;
  int fd;

  g_return_val_if_fail (path != NULL && data != NULL, FALSE);

  if (!walk_to (&walk, path, rules, error))
    return FALSE;
  if (walk.given >= 0)
    return write_and_close (&walk, take_given (&walk), data, size, FALSE, error);
  exists = fstatat (walk.at, walk.name, &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (!exists || S_ISREG (info.st_mode))
    return (!exists || check_regular (&walk, &info, rules, error)) &&
           exchange (&walk, exists ? &info : NULL, data, size, rules, error);
  fd = open_place (&walk, rules, &regular, error);
  return fd >= 0 && write_and_close (&walk, fd, data, size, FALSE, error);
}
