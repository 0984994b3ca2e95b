/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-node.h"

/* The server of an action of ROS 2: three services and two topics below its name. All of it is for
 * the thread of the simulation, unless it says otherwise. */

typedef struct _DdsAction DdsAction;
typedef struct _DdsGoal DdsGoal;

/* How a goal ends: action_msgs/GoalStatus. */
typedef enum { DDS_GOAL_SUCCEEDED = 4, DDS_GOAL_CANCELED = 5, DDS_GOAL_ABORTED = 6 } DdsGoalEnd;

typedef struct {
  DdsNode *node;
  OrreryMessageCatalogue *messages; /* as long as the action */
  const OrreryMessageAction *type;
  const char *name;
  gpointer data; /* of the functions */
  /* On the thread of the context: something waits for dds_action_intake(). */
  void (*wake) (gpointer data);
  OrreryTime (*get_time) (gpointer data);
  /* A goal has come. @message: of type->goal. Returns: whether it is taken; then @goal is there
   * until it has ended, and somebody calls dds_goal_end(), perhaps at once */
  gboolean (*start) (gpointer data, DdsGoal *goal, gconstpointer message);
  /* A client wants a goal to end; it goes on until dds_goal_end(). */
  void (*cancel) (gpointer data, DdsGoal *goal);
  /* Something came that cannot be used. */
  void (*warn) (gpointer data, const char *text);
} DdsActionOptions;

/* Returns: (nullable): NULL: a bad name, or no definition of what carries an action */
DdsAction *dds_action_new (const DdsActionOptions *options, GError **error);
/* Leaves the graph; the functions are not called any more once dds_context_settle() has returned.
 */
void dds_action_unadvertise (DdsAction *action);
/* After that. */
void dds_action_free (DdsAction *action);
/* Takes what has come in. */
void dds_action_intake (DdsAction *action);
/* Publishes the status if it has changed, and forgets goals that ended long ago. */
void dds_action_flush (DdsAction *action);
/* Asks for the end of all goals. */
void dds_action_cancel_all (DdsAction *action);

/* @result: (nullable): of type->result; NULL: an empty one. Answers who waits for it. */
void dds_goal_end (DdsGoal *goal, DdsGoalEnd end, gconstpointer result);
/* @feedback: of type->feedback */
void dds_goal_send_feedback (DdsGoal *goal, gconstpointer feedback);
/* Whether dds_goal_end() was called. */
gboolean dds_goal_has_ended (DdsGoal *goal);
void dds_goal_set_data (DdsGoal *goal, gpointer data);
gpointer dds_goal_get_data (DdsGoal *goal);
