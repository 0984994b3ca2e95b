/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../message/call.h"
#include "ros-share.h"

/* A long-running service as an action of ROS 1 (actionlib): five topics below its name. All of it
 * is for the thread of the simulation. */

typedef struct _RosAction RosAction;

typedef enum { ROS_ACTION_GOAL, ROS_ACTION_CANCEL } RosActionEvent;

typedef struct {
  OrreryRequestManager *manager; /* who calls the service; borrowed */
  RosShare *share;
  OrreryMessageCatalogue *messages;
  const MessageCall *call;
  const char *name; /* of the action */
  const char *part, *service;
  double frequency; /* of its status, Hz of simulation time */
  /* On the I/O thread: something came, for ros_action_take(). */
  void (*post) (gpointer data, RosAction *action, RosActionEvent event, GBytes *message);
  gpointer post_data;
} RosActionOptions;

RosAction *ros_action_new (const RosActionOptions *options, GError **error);
void ros_action_free (RosAction *action);
void ros_action_take (RosAction *action, RosActionEvent event, GBytes *message);
/* Publishes the status when it is due. */
void ros_action_tend (RosAction *action);
/* Cancels all goals and tells how they end. */
void ros_action_cancel_all (RosAction *action);
