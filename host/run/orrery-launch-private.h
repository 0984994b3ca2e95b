/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <sys/types.h>

G_BEGIN_DECLS

/* What a child finds as its descriptors, with nothing behind them. */
#define ORRERY_LAUNCH_SOCKET 3
#define ORRERY_LAUNCH_WORDS 4

/* A program that is to run as a process of its own. Everything is borrowed. */
typedef struct {
  const char *path;
  const char *const *argv; /* the first is its name; ends with NULL */
  int socket;              /* its end of one */
  /* A pipe, both outputs of the child and what it reads back of them; -1: outputs are those of
   * here. One that has it is in a process group of its own, and so is what it starts: what a
   * terminal sends is the host's to answer. One that has not ignores SIGINT. */
  int words[2];
} OrreryLaunch;

/*
 * Starts a fresh process, never a copy of this one that goes on: between fork and exec nothing is
 * called but what may be in a process with threads. It has nothing to read. The kernel kills it
 * when the thread that started it ends: one that does nothing else, and lives as long as this
 * process.
 *
 * Returns: its id; -1 with ORRERY_ERROR_IO: there are no processes, memory or descriptors left, or
 * with ORRERY_ERROR_NOT_FOUND: the program cannot be run
 */
pid_t orrery_launch (const OrreryLaunch *launch, GError **error);

G_END_DECLS
