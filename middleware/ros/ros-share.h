/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "ros-node.h"

/* One node of ROS 1 for all managers of a world. Each manager's module has a copy of this code,
 * whose structs the other one uses. The functions are for the thread of the simulation. */

typedef struct _RosShare RosShare;

/* @world: a GObject, to which the node belongs. Returns: (transfer full): ros_share_release() */
RosShare *ros_share_get (gpointer world);
/* Lets go; the last one stops the node. @owner: its listeners and messages are not told any more */
void ros_share_release (RosShare *share, gpointer owner);
/* Starts the node, or checks that the one that runs has the same name, namespace, master and host.
 * What is %NULL is that of the one that runs; the name is else `morse`. Takes @options->access over
 * in any case. */
gboolean ros_share_start (RosShare *share, const RosNodeOptions *options, GError **error);
/* Logs what was said since the last time, as @part in @domain; in the tick. */
void ros_share_report (RosShare *share, gpointer part, const char *domain);
/* Returns: (nullable) (transfer none): %NULL: it was not started */
RosNode *ros_share_get_node (RosShare *share);
/* What was dropped of a topic, for the log, once for each topic. Returns: (nullable) (transfer
 * full): a line */
char *ros_share_take_loss (RosShare *share);
/* As ros_node_advertise(), for topics that several may publish: all get one publisher. They agree
 * on the type; the queue is as long as who came first asked. @owner: who asks */
RosPublisher *ros_share_advertise (RosShare *share, gpointer owner, const RosTopic *topic,
                                   guint queue_length, gboolean latched, RosListeningFunc listening,
                                   gpointer data, GError **error);
/* As ros_node_subscribe(). @data is not used any more when @owner has let go. */
gboolean ros_share_subscribe (RosShare *share, gpointer owner, const RosTopic *topic,
                              RosMessageFunc func, gpointer data, GError **error);
/* As ros_node_advertise_service(). When @owner has let go, callers are told so. */
gboolean ros_share_advertise_service (RosShare *share, gpointer owner, const char *name,
                                      const char *type, const char *md5, RosRequestFunc func,
                                      gpointer data, GError **error);

/* What becomes of a call; on the I/O thread. @key: of the caller. As RosSentFunc, RosResponseFunc.
 */
typedef struct {
  void (*sent) (gpointer data, guint64 key);
  void (*answered) (gpointer data, guint64 key, GBytes *response, const GError *error);
} RosAnswerFuncs;

/* As ros_node_call_service(). @funcs: static; not called when @owner has let go. @key: never twice
 */
void ros_share_call_service (RosShare *share, gpointer owner, guint64 key,
                             const RosCallOptions *options, GBytes *request,
                             const RosAnswerFuncs *funcs, gpointer data);
/* As ros_node_end_call(), and nobody is told of it. */
void ros_share_end_call (RosShare *share, gpointer owner, guint64 key);
