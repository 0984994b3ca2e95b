/* SPDX-License-Identifier: BSD-3-Clause */
/* One command at a time works in the directory of a batch. */
#define _GNU_SOURCE
#include "batch.h"

#include "../support/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MAX_OWNER 300

/* Whoever starts a task of a queue again finds the directory free then: EX_TEMPFAIL. */
#define CLI_RESUMABLE 75

/* Who has it: "PID HOST". */
static void
note_owner (int fd)
{
  g_autofree char *owner = g_strdup_printf ("%d %s\n", (int) getpid (), g_get_host_name ());

  if (ftruncate (fd, 0) != 0 || pwrite (fd, owner, strlen (owner), 0) < 0)
    g_debug ("the lock has no name: %s", g_strerror (errno));
}

static gboolean
is_gone (const char *owner)
{
  char *host = NULL;
  gint64 pid = g_ascii_strtoll (owner, &host, 10);

  return pid > 0 && pid <= G_MAXINT && *host == ' ' && g_str_equal (host + 1, g_get_host_name ()) &&
         kill ((pid_t) pid, 0) != 0 && errno == ESRCH;
}

static int
fail (const char *path, int code)
{
  fprintf (stderr, "orrery batch: %s: %s\n", path, g_strerror (code));
  return CLI_IO;
}

/* A command that was killed has left runs that end just now. */
static int
wait_for_others (const char *path, int fd, int way)
{
  char owner[MAX_OWNER + 1] = { 0 };

  if (pread (fd, owner, MAX_OWNER, 0) < 0)
    return fail (path, errno);
  g_strchomp (owner);
  if (is_gone (owner))
    return TEMP_FAILURE_RETRY (flock (fd, way)) == 0 ? CLI_OK : fail (path, errno);
  fprintf (stderr,
           "orrery batch: another command works in this directory, see %s (process and host: %s); "
           "begin again when it has ended\n",
           path, *owner != '\0' ? owner : "not known");
  return CLI_RESUMABLE;
}

int
batch_lock (Batch *batch)
{
  g_autofree char *path = g_build_filename (batch->options->directory, "batch.lock", NULL);
  /* Tasks of a queue work side by side, and commands that claim their runs. */
  int way = batch->options->only_text != NULL || batch->options->engine != BATCH_LOCAL ? LOCK_SH
                                                                                       : LOCK_EX;
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  int status = CLI_OK;

  if (fd < 0)
    return fail (path, errno);
  if (TEMP_FAILURE_RETRY (flock (fd, way | LOCK_NB)) != 0) {
    if (errno == EWOULDBLOCK)
      status = wait_for_others (path, fd, way);
    /* A file system without locks is no reason not to work. */
    else if (errno != ENOLCK && errno != EOPNOTSUPP && errno != ENOSYS)
      status = fail (path, errno);
  }
  if (status != CLI_OK) {
    close (fd);
    return status;
  }
  note_owner (fd);
  batch->lock = fd;
  return CLI_OK;
}
