/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <sys/types.h>

G_BEGIN_DECLS

/*
 * Starts a fresh process, never a copy of this one that goes on: between fork and exec nothing is
 * called but what may be in a process with threads. It has @socket at @number, nothing to read,
 * and no other descriptor than its outputs; it ignores SIGINT, which a terminal sends to all, and
 * is killed when the thread that started it ends, whatever ends that.
 *
 * @command: a path, and arguments, of which the first is its name; ends with NULL
 * Returns: its id; -1 with ORRERY_ERROR_IO: there are no processes, memory or descriptors left, or
 * with ORRERY_ERROR_NOT_FOUND: the program cannot be run
 */
pid_t orrery_launch (const char *const *command, int socket, int number, GError **error);

/* One packet with at most one descriptor (-1: none); waits for nobody. */
gboolean orrery_packet_send (int socket, gconstpointer bytes, gsize size, int fd);
/* One packet. Returns: its bytes; 0: the other end is gone; -1: as recvmsg. @fd: (nullable): as
   sent, or -1 */
gssize orrery_packet_receive (int socket, gpointer bytes, gsize size, int *fd, int flags);

G_END_DECLS
