/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <sys/types.h>

G_BEGIN_DECLS

/* File descriptors of a child: 0 to 2 are the standard ones, followed by a socket to its parent and
 * the read end of the pipe that it writes its output to. */
enum {
  ORRERY_LAUNCH_SOCKET = 3,
  ORRERY_LAUNCH_PRINTED = 4,
  ORRERY_LAUNCH_N_FDS,
};

/* In place of a descriptor: the one of this process; /dev/null (above 2: none). */
#define ORRERY_LAUNCH_INHERIT (-1)
#define ORRERY_LAUNCH_NULL (-2)

/* A program that is to run as a process of its own. From orrery_launch_begin() until
 * orrery_launch_is_done() it belongs to the thread that starts processes. */
typedef struct {
  char *path;
  char **argv;        /* the first one is its name */
  char **environment; /* NULL: that of this process */
  int fds[ORRERY_LAUNCH_N_FDS];
  /* Runs in a process group of its own, with the processes that it starts, so it receives no
   * signals of the terminal. A child in the group of this process ignores SIGINT. */
  gboolean own_group;
  gboolean no_core;
  guint64 max_memory; /* bytes of address space; 0: no limit */
  guint max_cpu;      /* seconds of CPU time; 0: no limit */

  pid_t pid;     /* -1: @error tells the reason */
  GError *error; /* ORRERY_ERROR_IO: no processes, memory or file descriptors are left;
                    ORRERY_ERROR_NOT_FOUND: the program cannot be run */
  gboolean done; /* atomic */
} OrreryLaunch;

/*
 * Starts a new process. Between fork and exec it calls only functions that are safe in a process
 * with threads. The kernel kills a child when the thread that started it ends, so a dedicated
 * thread, which lives as long as this process, starts all children.
 * Returns: FALSE: the thread could not be started
 */
gboolean orrery_launch_begin (OrreryLaunch *launch, GError **error);
gboolean orrery_launch_is_done (OrreryLaunch *launch);
/* Waits until the child runs its program, or cannot run it. */
void orrery_launch_wait (OrreryLaunch *launch);

G_END_DECLS
