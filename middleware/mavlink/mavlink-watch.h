/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A thread that wakes a manager whose gate is shut: when a socket has something, or a time is over.
 * It reads nothing itself; all sockets belong to the thread of the tick. */

typedef struct _MavWatch MavWatch;

/* @wake: called on the thread of the watch. NULL with errno set: no descriptor, no thread */
MavWatch *mav_watch_new (void (*wake) (gpointer data), gpointer data);
void mav_watch_free (MavWatch *watch);
/* Once, when the socket can be read, or written if @writes; closing the socket ends it. */
void mav_watch_arm (MavWatch *watch, int fd, gboolean writes);
/* Once, so many ms from now. */
void mav_watch_arm_timer (MavWatch *watch, gint64 ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MavWatch, mav_watch_free)
