/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls services of other nodes of ROS 1. */
#include "ros-remote.h"

/* --- on the I/O thread --- */

static void
on_sent (gpointer calls, guint64 key)
{
  remote_calls_put_sent (calls, key);
}

static void
on_answered (gpointer calls, guint64 key, GBytes *response, const GError *error)
{
  if (response != NULL)
    remote_calls_put_answer (calls, key, response);
  else
    remote_calls_put_failure (calls, key, error->message);
}

/* --- on that of the tick --- */

void
ros_remote_send (gpointer data, guint64 key, const char *name, const OrreryMessageService *type,
                 gsize max_answer, GBytes *request)
{
  static const RosAnswerFuncs funcs = { on_sent, on_answered };
  RosRemote *remote = data;
  RosCallOptions options = {
    .name = name, .md5 = type->md5, .waits = TRUE, .max_answer = max_answer
  };

  ros_share_call_service (remote->share, remote->owner, key, &options, request, &funcs,
                          remote->calls);
}

void
ros_remote_drop (gpointer data, guint64 key)
{
  RosRemote *remote = data;

  ros_share_end_call (remote->share, remote->owner, key);
}
