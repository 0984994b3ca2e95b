/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporary directory of the program, which is removed however the program ends. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not even a program that is killed leaves its directory behind: a shell waits for the end of a
 * pipe that only the program holds, and cleans up then. */
#define KEEPER "trap '' HUP INT TERM; read -r _; rm -rf -- \"$0\""

#define NAME "orrery-XXXXXX"

static GMutex lock;
static char *directory;   /* guarded by lock */
static GPid keeper;       /* guarded by lock */
static int pipe_end = -1; /* guarded by lock */

/* Runs in the child: what the terminal sends is not for it. */
static void
leave_session (gpointer user_data)
{
  setsid ();
}

static gboolean
start_keeper (GError **error)
{
  char *argv[] = { (char *) "/bin/sh", (char *) "-c", (char *) KEEPER, directory, NULL };
  GSpawnFlags flags = G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                      G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_CLOEXEC_PIPES;

  return g_spawn_async_with_pipes ("/", argv, NULL, flags, leave_session, NULL, &keeper, &pipe_end,
                                   NULL, NULL, error);
}

static void
end_keeper (void)
{
  if (pipe_end < 0)
    return;
  kill (keeper, SIGKILL);
  while (waitpid (keeper, NULL, 0) < 0 && errno == EINTR)
    continue;
  close (pipe_end);
  pipe_end = -1;
}

/* Deeper than the program ever writes; the keeper takes the rest. */
#define MAX_DEPTH 40

/* Links are removed, not followed. */
static void
remove_below (const char *path, guint depth)
{
  GDir *files = depth < MAX_DEPTH ? g_dir_open (path, 0, NULL) : NULL;
  const char *name = NULL;

  while (files != NULL && (name = g_dir_read_name (files)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);

    if (g_unlink (file) != 0 && (errno == EISDIR || errno == EPERM))
      remove_below (file, depth + 1);
  }
  g_clear_pointer (&files, g_dir_close);
  g_rmdir (path);
}

static void
clear (void)
{
  if (directory != NULL)
    remove_below (directory, 0);
  g_clear_pointer (&directory, g_free);
  end_keeper ();
}

char *
cli_temporary_make (GError **error)
{
  char *path = NULL;

  g_mutex_lock (&lock);
  directory = g_dir_make_tmp (NAME, error);
  if (directory != NULL && !start_keeper (error))
    clear ();
  path = g_strdup (directory);
  g_mutex_unlock (&lock);
  return path;
}

/* The write end stays open across exec(), so the keeper waits for the end of what follows. */
void
cli_temporary_hand_over (void)
{
  g_mutex_lock (&lock);
  if (pipe_end >= 0)
    fcntl (pipe_end, F_SETFD, 0);
  g_mutex_unlock (&lock);
}

gboolean
cli_temporary_adopt (const char *path)
{
  g_autofree char *name = g_build_filename (g_get_tmp_dir (), NAME, NULL);
  gsize known = strlen (name) - strlen ("XXXXXX");

  /* Nobody else's: all that lies there will be removed. */
  if (strlen (path) != strlen (name) || strncmp (path, name, known) != 0 ||
      strchr (path + known, '/') != NULL)
    return FALSE;
  g_mutex_lock (&lock);
  g_free (directory);
  directory = g_strdup (path);
  g_mutex_unlock (&lock);
  return TRUE;
}

void
cli_temporary_remove (void)
{
  g_mutex_lock (&lock);
  clear ();
  g_mutex_unlock (&lock);
}
