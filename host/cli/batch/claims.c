/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several commands on one directory does which block of runs. DIR/claims/ holds
 *
 *   command-ID  of each command: PID, host, boot. It is locked as long as the command or one of its
 *               runs lives, and its time is the heart beat
 *   block-N     of each block that is being done: ID of the command that does it
 *   lost-N      of each run that no command could do: it was killed, or reached its limit
 *   size        runs of a block, as the first command had it
 *
 * A command is dead if its lock is free, which only the kernel that it runs on can tell, or if its
 * heart beat has stood still for --claim-timeout; clocks of machines are not compared. Whoever sees
 * this takes its claims over. If it was wrong, two commands do the same run, to the same bytes. */
#define _GNU_SOURCE
#include "batch.h"

#include "../support/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ID_LENGTH 32
#define BOOT_LENGTH 36
#define BOOT_FILE "/proc/sys/kernel/random/boot_id"
#define MAX_TEXT 400
#define NAME_SIZE 64
/* A heart beat may be late by so much of the time after which a command is dead. */
#define BEATS 4
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* What was seen of another command, and since when (us, of our own clock). */
typedef struct {
  struct timespec beat;
  gint64 since;
} Sight;

struct _BatchClaims {
  const char *path; /* of the directory of the batch */
  int directory;
  int own; /* open file: command-ID, locked */
  char id[ID_LENGTH + 1];
  char boot[BOOT_LENGTH + 1];
  guint64 size;
  gint64 timeout;   /* us */
  GHashTable *seen; /* (element-type utf8 Sight): by ID */
  GHashTable *lost; /* (element-type guint64): runs that were given up before this command */
  GThread *thread;  /* (nullable): the heart */
  GMutex lock;
  GCond wakes;
  gboolean ends; /* guarded by lock */
  BatchClaimsLostFunc on_lost;
  gpointer user_data;
};

static gboolean
fail (BatchClaims *claims, const char *name, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s/claims/%s: %s", claims->path, name,
                           g_strerror (errno));
}

/* --- files --- */

/* @text: MAX_TEXT + 1 bytes. Returns: an open file, or -1; links and what is no file are none */
static int
open_text (BatchClaims *claims, const char *name, int flags, char *text)
{
  int fd = openat (claims->directory, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat info;
  gssize length;

  if (fd < 0)
    return -1;
  length = fstat (fd, &info) == 0 && S_ISREG (info.st_mode) ? pread (fd, text, MAX_TEXT, 0) : -1;
  if (length < 0) {
    close (fd);
    return -1;
  }
  text[length] = '\0';
  return fd;
}

/* FALSE with errno; EEXIST: another one was there first. */
static gboolean
create_text (BatchClaims *claims, const char *name, const char *text)
{
  int fd =
      openat (claims->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  gsize length = strlen (text);
  gboolean good;
  int code;

  if (fd < 0)
    return FALSE;
  good = orrery_output_write (fd, text, length, 1000) == length;
  code = errno;
  if (close (fd) != 0 && good) {
    good = FALSE;
    code = errno;
  }
  if (!good)
    unlinkat (claims->directory, name, 0);
  errno = code;
  return good;
}

/* With its text from the beginning, and only if nobody was first. */
static gboolean
publish_text (BatchClaims *claims, const char *name, const char *text)
{
  char draft[NAME_SIZE];
  gboolean good;
  int code;

  g_snprintf (draft, sizeof draft, "%s-%s", name, claims->id);
  if (!create_text (claims, draft, text))
    return FALSE;
  good = linkat (claims->directory, draft, claims->directory, name, 0) == 0 || errno == EEXIST;
  /* A file system without hard links. */
  if (!good)
    good = renameat (claims->directory, draft, claims->directory, name) == 0;
  code = errno;
  unlinkat (claims->directory, draft, 0);
  errno = code;
  return good;
}

static gboolean
is_id (const char *text)
{
  gsize n = strspn (text, "0123456789abcdef");

  return n == ID_LENGTH && (text[n] == '\0' || (text[n] == '\n' && text[n + 1] == '\0'));
}

/* FALSE: it is no claim that a command has finished writing. @id: ID_LENGTH + 1 bytes */
static gboolean
read_id (BatchClaims *claims, const char *name, char *id)
{
  char text[MAX_TEXT + 1];
  int fd = open_text (claims, name, O_RDONLY, text);

  if (fd < 0)
    return FALSE;
  close (fd);
  if (!is_id (text))
    return FALSE;
  memcpy (id, text, ID_LENGTH);
  id[ID_LENGTH] = '\0';
  return TRUE;
}

/* --- whether another command is dead --- */

static gboolean
stands_still (BatchClaims *claims, const char *key, const struct timespec *beat)
{
  gint64 now = g_get_monotonic_time ();
  Sight *sight = g_hash_table_lookup (claims->seen, key);

  if (sight == NULL) {
    sight = g_new0 (Sight, 1);
    *sight = (Sight){ *beat, now };
    g_hash_table_insert (claims->seen, g_strdup (key), sight);
  }
  if (sight->beat.tv_sec != beat->tv_sec || sight->beat.tv_nsec != beat->tv_nsec)
    *sight = (Sight){ *beat, now };
  return now - sight->since >= claims->timeout;
}

/* What names no command: it was killed while it wrote that, or somebody else wrote it. */
static gboolean
is_stale (BatchClaims *claims, const char *name)
{
  struct stat info;

  return fstatat (claims->directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         stands_still (claims, name, &info.st_mtim);
}

/* "PID HOST\nBOOT\n" */
static gboolean
is_of_this_boot (BatchClaims *claims, const char *text)
{
  const char *line = strchr (text, '\n');

  return *claims->boot != '\0' && line != NULL && strlen (line + 1) >= BOOT_LENGTH &&
         memcmp (line + 1, claims->boot, BOOT_LENGTH) == 0;
}

/* Whoever has found this out takes the command's file away: all of its claims are then free, and
 * should it live, it gets to know. */
static gboolean
is_dead (BatchClaims *claims, const char *id)
{
  char name[NAME_SIZE];
  char text[MAX_TEXT + 1];
  struct stat info;
  gboolean dead;
  int fd;

  g_snprintf (name, sizeof name, "command-%s", id);
  fd = open_text (claims, name, O_RDWR, text);
  if (fd < 0)
    return errno == ENOENT || is_stale (claims, name);
  dead = is_of_this_boot (claims, text) && TEMP_FAILURE_RETRY (flock (fd, LOCK_EX | LOCK_NB)) == 0;
  if (!dead && fstat (fd, &info) == 0)
    dead = stands_still (claims, id, &info.st_mtim);
  if (dead)
    unlinkat (claims->directory, name, 0);
  close (fd);
  return dead;
}

/* Takes a claim away that was of a dead command. FALSE: meanwhile it is another one's, who keeps
 * it. @id: "" if it has none */
static gboolean
bury (BatchClaims *claims, const char *name, const char *id)
{
  char grave[NAME_SIZE];
  char found[ID_LENGTH + 1] = "";

  g_snprintf (grave, sizeof grave, "taken-%s", claims->id);
  if (renameat (claims->directory, name, claims->directory, grave) != 0)
    return errno == ENOENT;
  if (!read_id (claims, grave, found))
    *found = '\0';
  if (g_str_equal (found, id)) {
    unlinkat (claims->directory, grave, 0);
    return TRUE;
  }
  if (syscall (SYS_renameat2, claims->directory, grave, claims->directory, name,
               RENAME_NOREPLACE) != 0)
    unlinkat (claims->directory, grave, 0);
  return FALSE;
}

/* --- claims --- */

static void
print_name (char *name, const char *what, guint64 number)
{
  g_snprintf (name, NAME_SIZE, "%s-%" G_GUINT64_FORMAT, what, number);
}

gboolean
batch_claims_take (BatchClaims *claims, guint64 block, GError **error)
{
  char name[NAME_SIZE];
  char id[ID_LENGTH + 1] = "";

  print_name (name, "block", block);
  if (create_text (claims, name, claims->id))
    return TRUE;
  if (errno != EEXIST)
    return fail (claims, name, error);
  if (read_id (claims, name, id) ? !is_dead (claims, id) : !is_stale (claims, name))
    return FALSE;
  if (!bury (claims, name, id))
    return FALSE;
  if (create_text (claims, name, claims->id))
    return TRUE;
  return errno == EEXIST ? FALSE : fail (claims, name, error);
}

void
batch_claims_release (BatchClaims *claims, guint64 block)
{
  char name[NAME_SIZE];
  char id[ID_LENGTH + 1] = "";

  print_name (name, "block", block);
  if (read_id (claims, name, id) && g_str_equal (id, claims->id))
    unlinkat (claims->directory, name, 0);
}

gboolean
batch_claims_is_free (BatchClaims *claims, guint64 block)
{
  char name[NAME_SIZE];

  print_name (name, "block", block);
  return faccessat (claims->directory, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

guint64
batch_claims_get_size (BatchClaims *claims)
{
  return claims->size;
}

/* --- runs that no command could do --- */

void
batch_claims_give_up (BatchClaims *claims, guint64 run)
{
  char name[NAME_SIZE];

  print_name (name, "lost", run);
  g_hash_table_remove (claims->lost, &run);
  if (!create_text (claims, name, "") && errno != EEXIST)
    g_warning ("%s/claims/%s: %s", claims->path, name, g_strerror (errno));
}

gboolean
batch_claims_is_given_up (BatchClaims *claims, guint64 run)
{
  char name[NAME_SIZE];

  if (g_hash_table_contains (claims->lost, &run))
    return FALSE;
  print_name (name, "lost", run);
  return faccessat (claims->directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* What an earlier command gave up is tried again by this one. */
static void
find_lost (BatchClaims *claims)
{
  g_autofree char *path = g_build_filename (claims->path, "claims", NULL);
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;
  guint64 run;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    if (g_str_has_prefix (name, "lost-") &&
        g_ascii_string_to_unsigned (name + strlen ("lost-"), 10, 0, BATCH_MAX_RUNS, &run, NULL))
      g_hash_table_add (claims->lost, g_memdup2 (&run, sizeof run));
}

/* --- the heart --- */

gboolean
batch_claims_is_lost (BatchClaims *claims)
{
  struct stat info;

  return fstat (claims->own, &info) == 0 ? info.st_nlink == 0 : errno == ESTALE;
}

/* The clock of the file system counts. FALSE: others hold this command for dead. */
static gboolean
beat (BatchClaims *claims)
{
  if (batch_claims_is_lost (claims))
    return FALSE;
  if (futimens (claims->own, NULL) != 0)
    g_debug ("%s/claims: no heart beat: %s", claims->path, g_strerror (errno));
  return TRUE;
}

/* Beside the main loop, which may look at a million results. */
static gpointer
run_heart (gpointer user_data)
{
  BatchClaims *claims = user_data;
  gboolean lives = TRUE;

  g_mutex_lock (&claims->lock);
  while (!claims->ends && lives) {
    gint64 next = g_get_monotonic_time () + claims->timeout / BEATS;

    lives = beat (claims);
    while (lives && !claims->ends && g_cond_wait_until (&claims->wakes, &claims->lock, next))
      continue;
  }
  g_mutex_unlock (&claims->lock);
  if (!lives)
    claims->on_lost (claims->user_data);
  return NULL;
}

void
batch_claims_start_heart (BatchClaims *claims, BatchClaimsLostFunc on_lost, gpointer user_data)
{
  claims->on_lost = on_lost;
  claims->user_data = user_data;
  claims->thread = g_thread_new ("heart", run_heart, claims);
}

/* --- the beginning and the end --- */

static gboolean
open_directory (BatchClaims *claims, GError **error)
{
  g_autofree char *path = g_build_filename (claims->path, "claims", NULL);

  if (mkdir (path, 0777) != 0 && errno != EEXIST)
    return fail (claims, "", error);
  claims->directory = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return claims->directory >= 0 || fail (claims, "", error);
}

static void
make_names (BatchClaims *claims)
{
  g_autofree char *uuid = g_uuid_string_random ();
  g_autofree char *boot = NULL;
  guint n = 0;

  for (const char *c = uuid; *c != '\0' && n < ID_LENGTH; c++)
    if (*c != '-')
      claims->id[n++] = *c;
  if (g_file_get_contents (BOOT_FILE, &boot, NULL, NULL) && strlen (boot) >= BOOT_LENGTH)
    memcpy (claims->boot, boot, BOOT_LENGTH);
}

static gboolean
register_command (BatchClaims *claims, GError **error)
{
  g_autofree char *text = NULL;
  char name[NAME_SIZE];

  g_snprintf (name, sizeof name, "command-%s", claims->id);
  claims->own =
      openat (claims->directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (claims->own < 0)
    return fail (claims, name, error);
  /* Where there are no locks the heart beat alone tells: no boot is named then. */
  if (TEMP_FAILURE_RETRY (flock (claims->own, LOCK_EX | LOCK_NB)) != 0)
    *claims->boot = '\0';
  text = g_strdup_printf ("%d %.200s\n%s\n", (int) getpid (), g_get_host_name (), claims->boot);
  return orrery_output_write (claims->own, text, strlen (text), 1000) == strlen (text) ||
         fail (claims, name, error);
}

static gboolean
read_size (BatchClaims *claims, GError **error)
{
  char text[MAX_TEXT + 1];
  int fd = open_text (claims, "size", O_RDONLY, text);

  if (fd < 0)
    return fail (claims, "size", error);
  close (fd);
  g_strchomp (text);
  return g_ascii_string_to_unsigned (text, 10, 1, BATCH_MAX_BLOCK, &claims->size, NULL) ||
         orrery_set_error (error, ORRERY_ERROR_IO,
                           "%s/claims/size: a number of runs from 1 to %d should be there",
                           claims->path, BATCH_MAX_BLOCK);
}

static gboolean
agree_on_size (BatchClaims *claims, guint64 wanted, GError **error)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT "\n", wanted);

  if (faccessat (claims->directory, "size", F_OK, AT_SYMLINK_NOFOLLOW) != 0 &&
      !publish_text (claims, "size", text))
    return fail (claims, "size", error);
  return read_size (claims, error);
}

BatchClaims *
batch_claims_open (const BatchOptions *options, GError **error)
{
  BatchClaims *claims = g_new0 (BatchClaims, 1);

  claims->path = options->directory;
  claims->timeout = (gint64) (options->claim_timeout * G_USEC_PER_SEC);
  claims->directory = claims->own = -1;
  claims->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  claims->lost = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_mutex_init (&claims->lock);
  g_cond_init (&claims->wakes);
  make_names (claims);
  if (!open_directory (claims, error) || !register_command (claims, error) ||
      !agree_on_size (claims, options->block, error)) {
    batch_claims_close (claims);
    return NULL;
  }
  find_lost (claims);
  return claims;
}

int
batch_claims_get_fd (BatchClaims *claims)
{
  return claims->own;
}

void
batch_claims_close (BatchClaims *claims)
{
  char name[NAME_SIZE];

  if (claims->thread != NULL) {
    g_mutex_lock (&claims->lock);
    claims->ends = TRUE;
    g_cond_signal (&claims->wakes);
    g_mutex_unlock (&claims->lock);
    g_thread_join (claims->thread);
  }
  if (claims->own >= 0) {
    g_snprintf (name, sizeof name, "command-%s", claims->id);
    unlinkat (claims->directory, name, 0);
    close (claims->own);
  }
  if (claims->directory >= 0)
    close (claims->directory);
  g_hash_table_unref (claims->seen);
  g_hash_table_unref (claims->lost);
  g_mutex_clear (&claims->lock);
  g_cond_clear (&claims->wakes);
  g_free (claims);
}
