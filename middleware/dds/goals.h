/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../message/call.h"
#include "dds-action.h"

/* A long-running service as an action of ROS 2: each goal is a call of it. All of it is for the
 * thread of the simulation. */

typedef struct _Ros2Goals Ros2Goals;

/* @name: of the action. The manager calls @service of @part. */
Ros2Goals *ros2_goals_new (OrreryRequestManager *manager, DdsNode *node,
                           OrreryMessageCatalogue *messages, const MessageCall *call,
                           const char *name, const char *part, const char *service, GError **error);
void ros2_goals_intake (Ros2Goals *goals);
void ros2_goals_flush (Ros2Goals *goals);
/* Cancels all, and tells how they end. */
void ros2_goals_end (Ros2Goals *goals);
void ros2_goals_unadvertise (Ros2Goals *goals);
/* When the context is settled. */
void ros2_goals_free (Ros2Goals *goals);
