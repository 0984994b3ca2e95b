/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../message/remote.h"
#include "dds-node.h"

/* Services of ROS 2 that others offer: what carries the calls of message/remote.h. For the thread
 * of the tick. */

typedef struct _Ros2Remote Ros2Remote;

/* @node, @calls: longer than this, until dds_context_settle() */
Ros2Remote *ros2_remote_new (DdsNode *node, RemoteCalls *calls);
/* Leaves the graph. Afterwards dds_context_settle() ends what it does on another thread. */
void ros2_remote_close (Ros2Remote *remote);
void ros2_remote_free (Ros2Remote *remote);
/* Functions of RemoteOptions. */
void ros2_remote_send (gpointer remote, guint64 key, const char *name,
                       const OrreryMessageService *type, gsize max_answer, GBytes *request);
void ros2_remote_drop (gpointer remote, guint64 key);
