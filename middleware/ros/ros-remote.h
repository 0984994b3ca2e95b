/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../message/remote.h"
#include "ros-share.h"

/* Calls of services of other nodes of ROS 1, by the node of a world. For the thread of the tick. */

typedef struct {
  RosShare *share;    /* borrowed; its node has started */
  gpointer owner;     /* of the calls, to the share */
  RemoteCalls *calls; /* borrowed */
} RosRemote;

/* For remote_calls_connect(). @remote: a RosRemote */
void ros_remote_send (gpointer remote, guint64 key, const char *name,
                      const OrreryMessageService *type, gsize max_answer, GBytes *request);
void ros_remote_drop (gpointer remote, guint64 key);
