/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <sys/types.h>

G_BEGIN_DECLS

/*
 * A child process with a socket to it and a pipe for what it prints. It dies with this process,
 * whatever ends it.
 */
typedef struct {
  pid_t pid;  /* 0: none */
  int socket; /* -1: none; packets */
  int words;  /* -1: none; what it prints and has not read back itself */
  int status; /* of waitid, once it has ended: */
  int code;   /* CLD_EXITED, CLD_KILLED or CLD_DUMPED; 0: it lives, or nobody knows how it ended */
} OrreryProcess;

#define ORRERY_PROCESS_NONE                                                                        \
  (OrreryProcess)                                                                                  \
  {                                                                                                \
    .socket = -1, .words = -1                                                                      \
  }

/* @argv: with a NULL at its end; the first names the program */
gboolean orrery_process_start (OrreryProcess *process, char **argv, GError **error);
/* The same in a thread of its own, for who cannot wait; @argv: (transfer full). */
typedef struct _OrreryBirth OrreryBirth;
OrreryBirth *orrery_birth_new (char **argv, GError **error);
/* Whether there is a process, or an error. */
gboolean orrery_birth_is_over (OrreryBirth *birth);
/* Frees it; waits if it is not over. */
gboolean orrery_birth_end (OrreryBirth *birth, OrreryProcess *process, GError **error);
/* Whether it is gone; then it is reaped and can be described. Never waits. */
gboolean orrery_process_has_ended (OrreryProcess *process);
/* Kills and reaps it. */
void orrery_process_kill (OrreryProcess *process);
/* Closes what is left of one that has ended. */
void orrery_process_clear (OrreryProcess *process);
/* Returns: (transfer full): "killed by SIGSEGV (Segmentation fault)", "exited with status 3" */
char *orrery_process_describe_end (const OrreryProcess *process);

G_END_DECLS
