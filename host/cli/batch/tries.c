/* SPDX-License-Identifier: BSD-3-Clause */
/* What each try of a run cost, on file: each try adds a line, whoever makes it. */
#include "batch.h"

#include "../support/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of more tries than fit the first ones are no longer counted. */
#define MAX_BYTES (1024 * 1024)
#define N_CELLS 7

/* exit, signal, cause, wall, cpu, memory, host */
static char *
print_try (Batch *batch, int status, const char *cause, const BatchCost *cost)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr (GString) line = g_string_new (NULL);

  if (WIFEXITED (status))
    g_string_printf (line, "%d,,", WEXITSTATUS (status));
  else
    g_string_printf (line, ",%d,", WTERMSIG (status));
  g_string_append_printf (line, "%s,", cause != NULL ? cause : "");
  g_string_append (line, g_ascii_formatd (number, sizeof number, "%.6f", cost->wall));
  g_string_append_c (line, ',');
  if (cost->cpu >= 0) {
    g_string_append (line, g_ascii_formatd (number, sizeof number, "%.6f", cost->cpu));
    g_string_append_printf (line, ",%" G_GUINT64_FORMAT, cost->memory);
  } else {
    g_string_append_c (line, ',');
  }
  g_string_append_printf (line, ",%s\n", batch->host);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static char *
get_path (Batch *batch, guint64 index)
{
  g_autofree char *directory = batch_get_run_directory (batch, index);

  return g_build_filename (directory, "tries.csv", NULL);
}

/* Where there is no room, the runs to come would be for nothing. */
static void
note_lost (Batch *batch, const char *path, int code)
{
  if (code != ENOSPC && code != EDQUOT)
    g_warning ("%s: %s", path, g_strerror (code));
  else if (batch->error == NULL)
    orrery_set_error (&batch->error, ORRERY_ERROR_IO,
                      "%s: %s; no more runs were begun, and with room the same command does the "
                      "others",
                      path, g_strerror (code));
}

void
batch_try_note (Batch *batch, guint64 index, int status, const char *cause, const BatchCost *cost)
{
  g_autofree char *path = get_path (batch, index);
  g_autofree char *line = print_try (batch, status, cause, cost);
  g_autofree char *directory = batch_get_run_directory (batch, index);
  gsize length = strlen (line);
  /* One that was killed at once has made none. */
  int made = g_mkdir_with_parents (directory, 0777);
  int fd =
      made != 0
          ? -1
          : open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);

  if (fd < 0 || orrery_output_write (fd, line, length, 1000) != length)
    note_lost (batch, path, errno);
  if (fd >= 0)
    close (fd);
}

/* A line that a full disk has cut is none. */
static gboolean
is_try (const char *line)
{
  g_auto (GStrv) cells = g_strsplit (line, ",", N_CELLS + 1);

  return g_strv_length (cells) == N_CELLS && *cells[N_CELLS - 1] != '\0';
}

/* Of a run whose command was killed before it noted the try: its result says how that ended, and
 * nothing says what it cost. NULL: it has none */
static char *
print_unnoted (Batch *batch, guint64 index)
{
  const char *cells = batch->cells[index];

  return cells != NULL ? g_strdup_printf ("1,%.*s,,,,,,", (int) strcspn (cells, ","), cells) : NULL;
}

/* Returns: (transfer full) (nullable): number of tries, and the last one */
static char *
read_tries (Batch *batch, guint64 index)
{
  g_autofree char *path = get_path (batch, index);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  const char *latest = NULL;
  gsize length = 0;
  guint n = 0;

  if (!g_file_get_contents (path, &text, &length, NULL) || length > MAX_BYTES ||
      !g_utf8_validate (text, (gssize) length, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (!is_try (*line))
      continue;
    latest = *line;
    n++;
  }
  return latest != NULL ? g_strdup_printf ("%u,%s", n, latest) : NULL;
}

char *
batch_tries_print (Batch *batch, guint64 index)
{
  char *text = read_tries (batch, index);

  return text != NULL ? text : print_unnoted (batch, index);
}
