/* SPDX-License-Identifier: BSD-3-Clause */
/* Goals of an action as calls of a service of the host. */
#include "goals.h"

struct _Ros2Goals {
  OrreryRequestManager *manager; /* borrowed */
  char *part, *service;
  const MessageCall *call;
  DdsAction *action;
  GPtrArray
      *pending; /* (element-type Pending): calls that are not done yet, borrowed from the host */
  gboolean warned;
};

/* A call of the host for a goal. */
typedef struct {
  guint references;
  Ros2Goals *goals; /* NULL: gone */
  OrreryCall *call;
  DdsGoal *goal; /* NULL: it has ended */
  gboolean is_starting, is_refused, is_canceling;
} Pending;

static void
pending_unref (gpointer data)
{
  Pending *pending = data;

  if (--pending->references > 0)
    return;
  if (pending->goals != NULL)
    g_ptr_array_remove_fast (pending->goals->pending, pending);
  g_clear_object (&pending->call);
  g_free (pending);
}

static OrreryTime
get_time (gpointer data)
{
  Ros2Goals *self = data;

  return orrery_request_manager_get_time (self->manager);
}

static void
warn (gpointer data, const char *text)
{
  Ros2Goals *self = data;

  orrery_part_log_plain (self->manager, G_LOG_LEVEL_WARNING, "%s", text);
}

/* On the thread of the context. */
static void
wake (gpointer data)
{
  Ros2Goals *self = data;

  orrery_request_manager_wake (self->manager);
}

static void
refuse_goal (Ros2Goals *self, const char *why)
{
  orrery_part_log_plain (self->manager, G_LOG_LEVEL_WARNING, "%s %s: a goal is not taken: %s",
                         self->part, self->service, why);
}

static void
end_goal (Pending *pending, DdsGoalEnd end, GVariant *value, const char *why)
{
  const MessageCall *call = pending->goals->call;
  const OrreryMessageType *type = message_call_get_action (call)->result;
  gpointer result = orrery_message_new (type);
  g_autoptr (GError) error = NULL;
  DdsGoal *goal = g_steal_pointer (&pending->goal);

  if (end == DDS_GOAL_SUCCEEDED && !message_call_fill_response (call, result, value, &error)) {
    orrery_message_clear (type, result);
    end = DDS_GOAL_ABORTED;
    why = error->message;
  }
  if (end != DDS_GOAL_SUCCEEDED)
    message_call_fill_failure (call, result, why);
  dds_goal_end (goal, end, result);
  orrery_message_free (type, result);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);
  OrreryCallFault fault = orrery_call_get_fault (call);
  DdsGoalEnd end = DDS_GOAL_ABORTED;

  if (pending->goal == NULL)
    return;
  if (pending->is_starting && fault != ORRERY_CALL_OK) {
    pending->is_refused = TRUE;
    refuse_goal (pending->goals, error->message);
    return;
  }
  if (fault == ORRERY_CALL_OK)
    end = DDS_GOAL_SUCCEEDED;
  else if (fault == ORRERY_CALL_PREEMPTED && pending->is_canceling)
    end = DDS_GOAL_CANCELED;
  end_goal (pending, end, value, error != NULL ? error->message : "");
}

static void
on_feedback (OrreryCall *call, GVariant *value, gpointer data)
{
  Pending *pending = data;
  Ros2Goals *self = pending->goals;
  const OrreryMessageType *type;
  g_autoptr (GError) error = NULL;
  gpointer feedback;

  if (pending->goal == NULL)
    return;
  type = message_call_get_action (self->call)->feedback;
  feedback = orrery_message_new (type);
  if (message_call_fill_feedback (self->call, feedback, value, &error))
    dds_goal_send_feedback (pending->goal, feedback);
  else if (!self->warned)
    orrery_part_log_plain (self->manager, G_LOG_LEVEL_WARNING, "%s %s: feedback: %s", self->part,
                           self->service, error->message);
  self->warned = error != NULL || self->warned;
  orrery_message_free (type, feedback);
}

/* The component itself says whether the goal takes the place of the one before. The host keeps what
 * waits for a call until the call is done; one that was refused at once is done. */
static void
submit (Pending *pending, GVariant *arguments)
{
  Ros2Goals *self = pending->goals;
  g_autoptr (OrreryCall) call = NULL;

  pending->is_starting = TRUE;
  pending->references++;
  call = orrery_request_manager_submit (self->manager, self->part, self->service, arguments,
                                        on_done, pending, pending_unref);
  pending->is_starting = FALSE;
  if (orrery_call_is_done (call))
    return;
  g_set_object (&pending->call, call);
  pending->references++;
  orrery_call_set_feedback_func (call, on_feedback, pending, pending_unref);
}

static gboolean
start_goal (gpointer data, DdsGoal *goal, gconstpointer message)
{
  Ros2Goals *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) arguments = message_call_get_arguments (self->call, message, &error);
  Pending *pending;
  gboolean is_taken;

  if (arguments == NULL) {
    refuse_goal (self, error->message);
    return FALSE;
  }
  pending = g_new0 (Pending, 1);
  *pending = (Pending){ .references = 1, .goals = self, .goal = goal };
  g_ptr_array_add (self->pending, pending);
  dds_goal_set_data (goal, pending);
  submit (pending, arguments);
  is_taken = !pending->is_refused;
  if (!is_taken)
    pending->goal = NULL;
  pending_unref (pending);
  return is_taken;
}

static void
cancel_goal (gpointer data, DdsGoal *goal)
{
  Pending *pending = dds_goal_get_data (goal);
  g_autoptr (OrreryCall) call = NULL;

  if (dds_goal_has_ended (goal) || pending->call == NULL)
    return;
  pending->is_canceling = TRUE;
  call = g_object_ref (pending->call);
  orrery_call_cancel (call);
}

void
ros2_goals_intake (Ros2Goals *goals)
{
  dds_action_intake (goals->action);
}

void
ros2_goals_flush (Ros2Goals *goals)
{
  dds_action_flush (goals->action);
}

void
ros2_goals_end (Ros2Goals *goals)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (pending_unref);

  for (guint i = 0; i < goals->pending->len; i++) {
    ((Pending *) goals->pending->pdata[i])->references++;
    g_ptr_array_add (all, goals->pending->pdata[i]);
  }
  for (guint i = 0; i < all->len; i++) {
    Pending *pending = all->pdata[i];
    g_autoptr (OrreryCall) call = pending->call != NULL ? g_object_ref (pending->call) : NULL;

    if (pending->goal != NULL)
      end_goal (pending, DDS_GOAL_ABORTED, NULL, "the simulation ends");
    if (call != NULL)
      orrery_call_cancel (call);
  }
}

void
ros2_goals_unadvertise (Ros2Goals *goals)
{
  dds_action_unadvertise (goals->action);
}

void
ros2_goals_free (Ros2Goals *goals)
{
  for (guint i = 0; i < goals->pending->len; i++) {
    ((Pending *) goals->pending->pdata[i])->goals = NULL;
    ((Pending *) goals->pending->pdata[i])->goal = NULL;
  }
  g_ptr_array_unref (goals->pending);
  g_clear_pointer (&goals->action, dds_action_free);
  g_free (goals->part);
  g_free (goals->service);
  g_free (goals);
}

Ros2Goals *
ros2_goals_new (OrreryRequestManager *manager, DdsNode *node, OrreryMessageCatalogue *messages,
                const MessageCall *call, const char *name, const char *part, const char *service,
                GError **error)
{
  Ros2Goals *self = g_new0 (Ros2Goals, 1);
  DdsActionOptions options = { .node = node,
                               .messages = messages,
                               .type = message_call_get_action (call),
                               .name = name,
                               .data = self,
                               .wake = wake,
                               .get_time = get_time,
                               .start = start_goal,
                               .cancel = cancel_goal,
                               .warn = warn };

  self->manager = manager;
  self->part = g_strdup (part);
  self->service = g_strdup (service);
  self->call = call;
  self->pending = g_ptr_array_new ();
  self->action = dds_action_new (&options, error);
  if (self->action != NULL)
    return self;
  ros2_goals_free (self);
  return NULL;
}
