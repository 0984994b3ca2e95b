/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the descriptors of modules contain, a line of JSON for each pair of arguments MODULE
 * FILE; a program of its own, started by orrery_registry_list(), since modules may do anything. */
#include <orrery.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static gboolean
write_all (int fd, const char *text, gsize length)
{
  while (length > 0) {
    gssize n = write (fd, text, length);

    if (n <= 0)
      return FALSE;
    text += n;
    length -= n;
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  int out;

  /* What a module prints while it is loaded must not get between our lines. */
  out = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (out < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    _exit (74);
  for (int i = 1; i + 1 < argc; i += 2) {
    g_autofree char *said = orrery_inspect_module (argv[i], argv[i + 1]);
    g_autofree char *line = g_strconcat (said, "\n", NULL);

    if (!write_all (out, line, strlen (line)))
      _exit (74);
  }
  /* Nor must what it does at the end of a process. */
  _exit (0);
}
