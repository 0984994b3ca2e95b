/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "process/orrery-child.h"
#include "process/orrery-launch-private.h"

G_BEGIN_DECLS

/* More #OrreryChildFlags: a packet socket to the child, which finds it as descriptor
 * ORRERY_LAUNCH_SOCKET. */
#define ORRERY_CHILD_SOCKET (1u << 16)
/* Both outputs are written to one pipe, which the child can read back from
 * ORRERY_LAUNCH_PRINTED. */
#define ORRERY_CHILD_PRINTED (1u << 17)

struct _OrreryChild {
  guint flags;
  pid_t pid;  /* 0: it does not run */
  int pid_fd; /* readable when it has ended; -1: it does not run, or no kernel support */
  int socket; /* -1: none */
  int input;  /* -1: none, or closed */
  int output; /* -1: none, or it has ended */

  OrreryTime deadline; /* monotonic time by which an answer is expected */
  OrreryTime limit;    /* the limit that was set for it; 0: no answer is expected */

  /* How it ended: */
  int code;        /* CLD_EXITED, CLD_KILLED or CLD_DUMPED; 0: unknown */
  int status;      /* exit status, or signal */
  OrreryTime late; /* it was killed because it did not answer in this time; 0: it was not */
  char *excess;    /* the limit that it exceeded, "flooded its log"; NULL: none */
  gboolean stuck;  /* even SIGKILL did not end it in time */

  OrreryLaunch launch;
  gboolean launching; /* until orrery_child_start() has read the outcome */
};

/* As orrery_child_start(), for callers that cannot wait: returns at once. When the child is no
 * longer launching, orrery_child_start() returns the outcome without waiting. */
gboolean orrery_child_start_later (OrreryChild *child, GError **error);
gboolean orrery_child_is_launching (OrreryChild *child);

/* Expects an answer (a first message, a line, an end) within @limit from now; 0: expects none. */
void orrery_child_expect (OrreryChild *child, OrreryTime limit);
gboolean orrery_child_is_late (OrreryChild *child);
/* How long, since its start, it could have run while others had the processors; 0: not known. */
OrreryTime orrery_child_get_waited (OrreryChild *child);

/* Whether the child has ended; if so it is reaped, and its end can be described. Never waits. */
gboolean orrery_child_has_ended (OrreryChild *child);
/* Waits for its end for at most @limit. Returns: whether it has ended */
gboolean orrery_child_wait (OrreryChild *child, OrreryTime limit);
/*
 * Kills and reaps the child, with its process group if it has its own. Takes bounded time: a child
 * that cannot be killed because it is traced or blocked in a device driver is reaped later by a
 * thread.
 */
void orrery_child_kill (OrreryChild *child);
/* The same; the description of the end mentions @limit. */
void orrery_child_kill_late (OrreryChild *child, OrreryTime limit);
void orrery_child_set_excess (OrreryChild *child, const char *excess);

/* Appends what it has written; waits if there is nothing. Returns: FALSE: it has closed its output,
 * or @bytes would exceed @max, which is then recorded as the excess of the child */
gboolean orrery_child_read (OrreryChild *child, GString *bytes, gsize max);

G_END_DECLS
