/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <sys/types.h>

G_BEGIN_DECLS

/* Packets with file descriptors between processes, and files that are passed in them. */

/* Sends one packet with at most one descriptor (-1: none). @flags: of sendmsg, such as
 * MSG_DONTWAIT */
gboolean orrery_packet_send (int socket, gconstpointer bytes, gsize size, int fd, int flags);
/* Receives one packet. Returns: its size in bytes; 0: the other end is closed; -1: as recvmsg. @fd:
 * (nullable): the descriptor that was sent, or -1 */
gssize orrery_packet_receive (int socket, gpointer bytes, gsize size, int *fd, int flags);

/* Writes bytes to sealed memory, for orrery_file_pass(). Returns: a descriptor, or -1 */
int orrery_sealed_file_new (const char *name, gconstpointer data, gsize size, GError **error);
/* Reads all of such a file; refuses it if it could change or is larger than @limit. */
GBytes *orrery_sealed_file_read (int fd, gsize limit, GError **error);
gboolean orrery_file_pass (int socket, int fd, GError **error);
/* Returns: a descriptor, or -1: none was sent */
int orrery_file_accept (int socket, GError **error);

G_END_DECLS
