/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-node.h"

/* The topic /rosout of the nodes of a simulation: what its parts log. All of it is for the thread
 * of the simulation. */

typedef struct _Ros2Log Ros2Log;

/* @manager: a part of the simulation. Returns: (nullable): NULL: no definition of the message */
Ros2Log *ros2_log_new (gpointer manager, OrreryMessageCatalogue *messages, GError **error);
void ros2_log_free (Ros2Log *log);
/* Lines of a robot and its components are of its node; %NULL: all others. One call for a node. */
gboolean ros2_log_add_node (Ros2Log *log, const char *robot, DdsNode *node, GError **error);
/* Sends what was logged since; it leaves with the next dds_context_flush(). */
void ros2_log_send (Ros2Log *log, OrreryTime time);
