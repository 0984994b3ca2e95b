/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that is started as a worker and kills itself at the place in its life that
 * ORRERY_TEST_POINT names, as `answering:3` for the third time. It lies beside a copy of the
 * library, which finds it as its own program; the host is another one.
 */
#include <orrery.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *point;
static int left;

static void
on_point (const char *name)
{
  if (point != NULL && strcmp (name, point) == 0 && --left == 0)
    kill (getpid (), SIGKILL);
}

int
main (int argc, char **argv)
{
  const char *given = getenv ("ORRERY_TEST_POINT");
  g_auto (GStrv) pair = given != NULL ? g_strsplit (given, ":", 2) : NULL;

  if (pair != NULL && g_strv_length (pair) == 2) {
    point = pair[0];
    left = atoi (pair[1]);
  }
  orrery_worker_watch (on_point);
  return orrery_worker_main (argc - 1, argv + 1);
}
