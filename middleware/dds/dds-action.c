/* SPDX-License-Identifier: BSD-3-Clause */
/* Servers of actions: goals, their states, and what clients ask about them. */
#include "dds-action.h"

#include "../message/backlog.h"
#include "dds-node-private.h"

#include <string.h>

/* Goals that are remembered; one more is not taken. */
#define MAX_GOALS 1000
/* How long the result of a goal that has ended may be asked for, as rcl keeps it. */
#define KEEP (900 * ORRERY_SECOND)
#define ID_LENGTH 16

static const BacklogLimits limits = BACKLOG_LIMITS;

typedef enum { SEND_GOAL, GET_RESULT, CANCEL_GOAL, N_SERVICES } Question;

/* action_msgs/GoalStatus */
enum { UNKNOWN = 0, EXECUTING = 2, CANCELING = 3 };

/* action_msgs/srv/CancelGoal */
enum { ERROR_NONE, ERROR_REJECTED, ERROR_UNKNOWN_GOAL_ID, ERROR_GOAL_TERMINATED };

/* The messages as their types lay them out. */
typedef struct {
  guint8 id[ID_LENGTH];
  gint32 sec;
  guint32 nanosec;
} GoalInfo;

typedef struct {
  GoalInfo info;
  gint8 status;
} GoalStatus;

typedef struct {
  guint8 accepted;
  gint32 sec;
  guint32 nanosec;
} SendGoalResponse;

typedef struct {
  gint8 return_code;
  OrreryMessageArray canceling; /* of GoalInfo */
} CancelGoalResponse;

struct _DdsGoal {
  DdsAction *action;
  guint8 id[ID_LENGTH];
  OrreryTime stamp;
  gint8 status;
  gpointer data;
  GBytes *result;     /* NULL: it has not ended */
  OrreryTime ended;   /* then */
  GPtrArray *waiting; /* (element-type DdsServiceCall): for the result */
};

/* What has come in. */
typedef struct {
  Question question;
  DdsServiceCall *call;
  GBytes *request;
} Event;

typedef struct {
  DdsAction *action;
  Question question;
  DdsService *service;
} Inbox;

struct _DdsAction {
  DdsActionOptions options;
  char *name;
  const OrreryMessageType *requests[N_SERVICES], *responses[N_SERVICES], *status, *feedback;
  gsize goal_part, result_part, feedback_part; /* offsets */
  const OrreryMessageField *canceling, *list;
  Inbox inboxes[N_SERVICES];
  DdsPublisher *status_topic, *feedback_topic;
  OrreryWriter *writer;
  GPtrArray *goals; /* (element-type DdsGoal), in the order they came */
  gboolean is_dirty;
  gboolean warned;

  RequestQueue events; /* (element-type Event) */
};

static void
goal_free (gpointer data)
{
  DdsGoal *goal = data;

  for (guint i = 0; i < goal->waiting->len; i++)
    dds_service_call_drop (goal->waiting->pdata[i]);
  g_ptr_array_unref (goal->waiting);
  g_clear_pointer (&goal->result, g_bytes_unref);
  g_free (goal);
}

static DdsGoal *
find_goal (DdsAction *self, const guint8 *id)
{
  for (guint i = 0; i < self->goals->len; i++) {
    DdsGoal *goal = self->goals->pdata[i];

    if (memcmp (goal->id, id, ID_LENGTH) == 0)
      return goal;
  }
  return NULL;
}

static void
warn_once (DdsAction *self, const char *what, const char *why)
{
  g_autofree char *text =
      g_strdup_printf ("%s: %s: %s (further ones are not told)", self->name, what, why);

  if (!self->warned)
    self->options.warn (self->options.data, text);
  self->warned = TRUE;
}

/* --- answers --- */

/* Any thread. Returns: (transfer full) (nullable) */
static GBytes *
write_message (OrreryWriter *writer, const OrreryMessageType *type, gconstpointer message,
               GError **error)
{
  orrery_writer_clear (writer);
  if (!orrery_message_write (type, message, ORRERY_MESSAGE_ENCODING_CDR, writer, error))
    return NULL;
  return orrery_writer_dup_bytes (writer);
}

/* Returns: (transfer full) (nullable) */
static GBytes *
encode (DdsAction *self, const OrreryMessageType *type, gconstpointer message)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = write_message (self->writer, type, message, &error);

  if (bytes == NULL)
    warn_once (self, "a message was not sent", error->message);
  return bytes;
}

static void
answer (DdsAction *self, DdsServiceCall *call, Question question, gconstpointer response)
{
  g_autoptr (GBytes) bytes = encode (self, self->responses[question], response);

  dds_service_call_return (call, bytes);
}

/* --- on the thread of the context --- */

/* The protocol has no words for it. A result cannot be refused: whoever asks for it would be told
 * that the goal has ended. Returns: (transfer full) (nullable) */
static GBytes *
make_refusal (DdsAction *self, Question question)
{
  const OrreryMessageType *type = self->responses[question];
  g_autoptr (OrreryWriter) writer = NULL;
  gpointer response;
  GBytes *bytes;

  if (question == GET_RESULT)
    return NULL;
  writer = orrery_writer_new ();
  /* Of a goal: it is not accepted. */
  response = orrery_message_new (type);
  if (question == CANCEL_GOAL)
    ((CancelGoalResponse *) response)->return_code = ERROR_REJECTED;
  bytes = write_message (writer, type, response, NULL);
  orrery_message_free (type, response);
  return bytes;
}

static void
event_free (gpointer data)
{
  Event *event = data;

  g_bytes_unref (event->request);
  g_free (event);
}

static void
on_request (gpointer data, DdsServiceCall *call, GBytes *request)
{
  Inbox *inbox = data;
  DdsAction *self = inbox->action;
  Event event = { inbox->question, call, request }, *copy = g_memdup2 (&event, sizeof event);
  g_autofree char *why = NULL;
  g_autoptr (GBytes) refusal = NULL;

  g_bytes_ref (request);
  why = request_queue_add (&self->events, copy, g_bytes_get_size (request));
  if (why != NULL) {
    event_free (copy);
    refusal = make_refusal (self, inbox->question);
    request_queue_count (&self->events, refusal != NULL);
    dds_service_call_return (call, refusal);
  }
  self->options.wake (self->options.data);
}

static void
split_time (OrreryTime time, gint32 *sec, guint32 *nanosec)
{
  time = MAX (time, 0);
  *sec = (gint32) (time / ORRERY_SECOND);
  *nanosec = (guint32) (time % ORRERY_SECOND);
}

static void
describe_goal (const DdsGoal *goal, GoalInfo *info)
{
  memcpy (info->id, goal->id, ID_LENGTH);
  split_time (goal->stamp, &info->sec, &info->nanosec);
}

static GBytes *
make_result (DdsAction *self, gint8 status, gconstpointer result)
{
  const OrreryMessageType *type = self->responses[GET_RESULT];
  guint8 *message = orrery_message_new (type);
  GBytes *bytes;

  *(gint8 *) message = status;
  if (result != NULL)
    memcpy (message + self->result_part, result,
            orrery_message_type_get_size (self->options.type->result));
  bytes = encode (self, type, message);
  /* What the result owns is not the message's to free. */
  if (result != NULL)
    memset (message + self->result_part, 0,
            orrery_message_type_get_size (self->options.type->result));
  orrery_message_free (type, message);
  return bytes;
}

static void
send_status (DdsAction *self)
{
  OrreryMessageArray *list = orrery_message_new (self->status);
  g_autoptr (GBytes) bytes = NULL;
  GoalStatus *statuses;

  orrery_message_array_resize (list, self->list, self->goals->len);
  statuses = list->data;
  for (guint i = 0; i < self->goals->len; i++) {
    const DdsGoal *goal = self->goals->pdata[i];

    describe_goal (goal, &statuses[i].info);
    statuses[i].status = goal->status;
  }
  bytes = encode (self, self->status, list);
  if (bytes != NULL)
    dds_publisher_send_bytes (self->status_topic, bytes);
  orrery_message_free (self->status, list);
  self->is_dirty = FALSE;
}

/* --- goals --- */

void
dds_goal_end (DdsGoal *goal, DdsGoalEnd end, gconstpointer result)
{
  DdsAction *self = goal->action;

  if (goal->result != NULL)
    return;
  goal->status = (gint8) end;
  goal->ended = self->options.get_time (self->options.data);
  goal->result = make_result (self, goal->status, result);
  if (goal->result == NULL)
    goal->result = make_result (self, DDS_GOAL_ABORTED, NULL);
  self->is_dirty = TRUE;
  for (guint i = 0; i < goal->waiting->len; i++)
    dds_service_call_return (goal->waiting->pdata[i], goal->result);
  g_ptr_array_set_size (goal->waiting, 0);
}

gboolean
dds_goal_has_ended (DdsGoal *goal)
{
  return goal->result != NULL;
}

void
dds_goal_send_feedback (DdsGoal *goal, gconstpointer feedback)
{
  DdsAction *self = goal->action;
  gsize size = orrery_message_type_get_size (self->options.type->feedback);
  guint8 *message = orrery_message_new (self->feedback);
  g_autoptr (GBytes) bytes = NULL;

  memcpy (message, goal->id, ID_LENGTH);
  memcpy (message + self->feedback_part, feedback, size);
  bytes = encode (self, self->feedback, message);
  if (bytes != NULL)
    dds_publisher_send_bytes (self->feedback_topic, bytes);
  memset (message + self->feedback_part, 0, size);
  orrery_message_free (self->feedback, message);
}

void
dds_goal_set_data (DdsGoal *goal, gpointer data)
{
  goal->data = data;
}

gpointer
dds_goal_get_data (DdsGoal *goal)
{
  return goal->data;
}

static gboolean
try_goal (DdsAction *self, const guint8 *message)
{
  DdsGoal *goal;

  if (self->goals->len >= MAX_GOALS || find_goal (self, message) != NULL)
    return FALSE;
  goal = g_new0 (DdsGoal, 1);
  goal->action = self;
  goal->status = EXECUTING;
  goal->stamp = self->options.get_time (self->options.data);
  goal->waiting = g_ptr_array_new ();
  memcpy (goal->id, message, ID_LENGTH);
  g_ptr_array_add (self->goals, goal);
  if (self->options.start (self->options.data, goal, message + self->goal_part)) {
    self->is_dirty = TRUE;
    return TRUE;
  }
  g_ptr_array_remove (self->goals, goal);
  return FALSE;
}

static void
take_goal (DdsAction *self, DdsServiceCall *call, gconstpointer message)
{
  SendGoalResponse response = { 0 };

  response.accepted = try_goal (self, message);
  split_time (self->options.get_time (self->options.data), &response.sec, &response.nanosec);
  answer (self, call, SEND_GOAL, &response);
}

static void
take_question (DdsAction *self, DdsServiceCall *call, const guint8 *id)
{
  DdsGoal *goal = find_goal (self, id);
  g_autoptr (GBytes) unknown = NULL;

  if (goal == NULL) {
    unknown = make_result (self, UNKNOWN, NULL);
    dds_service_call_return (call, unknown);
  } else if (goal->result != NULL) {
    dds_service_call_return (call, goal->result);
  } else {
    g_ptr_array_add (goal->waiting, call);
  }
}

static gboolean
is_zero (const guint8 *id)
{
  static const guint8 none[ID_LENGTH];

  return memcmp (id, none, ID_LENGTH) == 0;
}

/* Without id and stamp: all. With a stamp: those up to it, too. */
static gboolean
is_meant (const DdsGoal *goal, const GoalInfo *info)
{
  OrreryTime stamp = info->sec * (OrreryTime) ORRERY_SECOND + info->nanosec;

  if (memcmp (goal->id, info->id, ID_LENGTH) == 0)
    return TRUE;
  return stamp != 0 ? goal->stamp <= stamp : is_zero (info->id);
}

static void
cancel_goal (DdsGoal *goal)
{
  DdsAction *self = goal->action;

  if (goal->status == EXECUTING) {
    goal->status = CANCELING;
    self->is_dirty = TRUE;
    self->options.cancel (self->options.data, goal);
  }
}

/* Canceling a goal may end others: what is meant is listed first. */
static GPtrArray *
list_meant (DdsAction *self, const GoalInfo *info)
{
  GPtrArray *meant = g_ptr_array_new ();

  for (guint i = 0; i < self->goals->len; i++) {
    DdsGoal *goal = self->goals->pdata[i];

    if (goal->result == NULL && is_meant (goal, info))
      g_ptr_array_add (meant, goal);
  }
  return meant;
}

static void
take_cancellation (DdsAction *self, DdsServiceCall *call, const GoalInfo *info)
{
  const OrreryMessageType *type = self->responses[CANCEL_GOAL];
  g_autoptr (GPtrArray) meant = list_meant (self, info);
  CancelGoalResponse *response = orrery_message_new (type);
  GoalInfo *infos;

  if (meant->len == 0 && !is_zero (info->id))
    response->return_code =
        find_goal (self, info->id) != NULL ? ERROR_GOAL_TERMINATED : ERROR_UNKNOWN_GOAL_ID;
  orrery_message_array_resize (&response->canceling, self->canceling, meant->len);
  infos = response->canceling.data;
  for (guint i = 0; i < meant->len; i++)
    describe_goal (meant->pdata[i], &infos[i]);
  answer (self, call, CANCEL_GOAL, response);
  orrery_message_free (type, response);
  for (guint i = 0; i < meant->len; i++)
    cancel_goal (meant->pdata[i]);
}

/* --- in the tick --- */

static void
take (DdsAction *self, const Event *event)
{
  const OrreryMessageType *type = self->requests[event->question];
  gpointer message = orrery_message_new (type);
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (event->request, &length);

  if (!orrery_message_read (type, message, ORRERY_MESSAGE_ENCODING_CDR, bytes, length, &error)) {
    warn_once (self, "a request was dropped", error->message);
    dds_service_call_drop (event->call);
  } else if (event->question == SEND_GOAL) {
    take_goal (self, event->call, message);
  } else if (event->question == GET_RESULT) {
    take_question (self, event->call, message);
  } else {
    take_cancellation (self, event->call, message);
  }
  orrery_message_free (type, message);
}

static GQueue
take_events (DdsAction *self)
{
  g_autofree char *words = NULL;
  GQueue taken = request_queue_take (&self->events, &words);

  if (words != NULL) {
    g_autofree char *text = g_strdup_printf ("%s: %s", self->name, words);

    self->options.warn (self->options.data, text);
  }
  return taken;
}

void
dds_action_intake (DdsAction *action)
{
  GQueue events = take_events (action);
  Event *event;

  while ((event = g_queue_pop_head (&events)) != NULL) {
    take (action, event);
    event_free (event);
  }
}

void
dds_action_flush (DdsAction *action)
{
  OrreryTime now = action->options.get_time (action->options.data);

  for (guint i = action->goals->len; i-- > 0;) {
    DdsGoal *goal = action->goals->pdata[i];

    /* A reset sets the clock back. */
    if (goal->result == NULL || (now - goal->ended <= KEEP && now >= goal->ended))
      continue;
    g_ptr_array_remove_index (action->goals, i);
    action->is_dirty = TRUE;
  }
  if (action->is_dirty)
    send_status (action);
}

void
dds_action_cancel_all (DdsAction *action)
{
  static const GoalInfo all;
  g_autoptr (GPtrArray) meant = list_meant (action, &all);

  for (guint i = 0; i < meant->len; i++)
    cancel_goal (meant->pdata[i]);
}

/* --- making --- */

static const OrreryMessageType *
find_type (DdsAction *self, const char *suffix, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (self->options.type->name, "/action/", 2);
  g_autofree char *name = g_strconcat (parts[0], "/", parts[1], suffix, NULL);

  return orrery_message_catalogue_find (self->options.messages, name, ORRERY_MESSAGE_ROS2, error);
}

static gboolean
find_own_types (DdsAction *self, GError **error)
{
  self->requests[SEND_GOAL] = find_type (self, "_SendGoal_Request", error);
  self->responses[SEND_GOAL] =
      self->requests[SEND_GOAL] != NULL ? find_type (self, "_SendGoal_Response", error) : NULL;
  self->requests[GET_RESULT] =
      self->responses[SEND_GOAL] != NULL ? find_type (self, "_GetResult_Request", error) : NULL;
  self->responses[GET_RESULT] =
      self->requests[GET_RESULT] != NULL ? find_type (self, "_GetResult_Response", error) : NULL;
  self->feedback =
      self->responses[GET_RESULT] != NULL ? find_type (self, "_FeedbackMessage", error) : NULL;
  return self->feedback != NULL &&
         orrery_message_type_find (self->requests[SEND_GOAL], "goal", &self->goal_part, error) &&
         orrery_message_type_find (self->responses[GET_RESULT], "result", &self->result_part,
                                   error) &&
         orrery_message_type_find (self->feedback, "feedback", &self->feedback_part, error);
}

static gboolean
find_common_types (DdsAction *self, GError **error)
{
  OrreryMessageCatalogue *messages = self->options.messages;
  const OrreryMessageService *cancel =
      orrery_message_catalogue_find_service (messages, "action_msgs/CancelGoal",
                                             ORRERY_MESSAGE_ROS2, error);
  gsize offset;

  self->status = cancel != NULL
                     ? orrery_message_catalogue_find (messages, "action_msgs/GoalStatusArray",
                                                      ORRERY_MESSAGE_ROS2, error)
                     : NULL;
  if (self->status == NULL)
    return FALSE;
  self->requests[CANCEL_GOAL] = cancel->request;
  self->responses[CANCEL_GOAL] = cancel->response;
  self->canceling = orrery_message_type_find (cancel->response, "goals_canceling", &offset, error);
  if (self->canceling == NULL)
    return FALSE;
  self->list = orrery_message_type_find (self->status, "status_list", &offset, error);
  return self->list != NULL;
}

/* A directory of a user's may have other definitions of these names. */
static gboolean
check_layout (DdsAction *self, GError **error)
{
  if (orrery_message_type_get_size (self->canceling->type) == sizeof (GoalInfo) &&
      orrery_message_type_get_size (self->list->type) == sizeof (GoalStatus) &&
      orrery_message_type_get_size (self->requests[CANCEL_GOAL]) == sizeof (GoalInfo) &&
      orrery_message_type_get_size (self->responses[CANCEL_GOAL]) == sizeof (CancelGoalResponse) &&
      orrery_message_type_get_size (self->responses[SEND_GOAL]) == sizeof (SendGoalResponse) &&
      orrery_message_type_get_size (self->requests[GET_RESULT]) == ID_LENGTH)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "the definitions of action_msgs and unique_identifier_msgs are not those of ROS 2");
  return FALSE;
}

static gboolean
advertise (DdsAction *self, Question question, const char *suffix, const char *type, GError **error)
{
  g_autofree char *name = g_strconcat (self->name, suffix, NULL);
  Inbox *inbox = &self->inboxes[question];

  *inbox = (Inbox){ .action = self, .question = question };
  inbox->service =
      dds_node_advertise_service (self->options.node, name, type, on_request, inbox, error);
  return inbox->service != NULL;
}

static DdsPublisher *
publish (DdsAction *self, const char *suffix, const char *type, const char *hash, gboolean latched,
         GError **error)
{
  g_autofree char *name = g_strconcat (self->name, suffix, NULL);
  DdsTopic topic = { name, type, hash, { .latched = latched } };

  return dds_node_advertise (self->options.node, &topic, 10, NULL, NULL, error);
}

static gboolean
open_ends (DdsAction *self, GError **error)
{
  g_autofree char *goal = g_strconcat (self->options.type->name, "_SendGoal", NULL);
  g_autofree char *result = g_strconcat (self->options.type->name, "_GetResult", NULL);
  g_autofree char *feedback = g_strconcat (self->options.type->name, "_FeedbackMessage", NULL);

  if (!advertise (self, SEND_GOAL, "/_action/send_goal", goal, error) ||
      !advertise (self, GET_RESULT, "/_action/get_result", result, error) ||
      !advertise (self, CANCEL_GOAL, "/_action/cancel_goal", "action_msgs/srv/CancelGoal", error))
    return FALSE;
  self->feedback_topic = publish (self, "/_action/feedback", feedback, NULL, FALSE, error);
  if (self->feedback_topic == NULL)
    return FALSE;
  self->status_topic =
      publish (self, "/_action/status", orrery_message_type_get_name (self->status),
               orrery_message_type_get_hash (self->status), TRUE, error);
  return self->status_topic != NULL;
}

DdsAction *
dds_action_new (const DdsActionOptions *options, GError **error)
{
  DdsAction *self = g_new0 (DdsAction, 1);

  self->options = *options;
  self->name = g_strdup (options->name);
  self->writer = orrery_writer_new ();
  self->goals = g_ptr_array_new_with_free_func (goal_free);
  request_queue_init (&self->events, &limits);
  if (find_own_types (self, error) && find_common_types (self, error) &&
      check_layout (self, error) && open_ends (self, error)) {
    send_status (self);
    return self;
  }
  dds_action_unadvertise (self);
  /* What was opened may call until the context is settled, so that it cannot be freed here. */
  dds_context_settle (options->node->context);
  dds_action_free (self);
  return NULL;
}

void
dds_action_unadvertise (DdsAction *action)
{
  for (guint i = 0; i < N_SERVICES; i++)
    if (action->inboxes[i].service != NULL)
      dds_service_unadvertise (g_steal_pointer (&action->inboxes[i].service));
  if (action->feedback_topic != NULL)
    dds_publisher_unadvertise (g_steal_pointer (&action->feedback_topic));
  if (action->status_topic != NULL)
    dds_publisher_unadvertise (g_steal_pointer (&action->status_topic));
}

void
dds_action_free (DdsAction *action)
{
  GQueue events = take_events (action);
  Event *event;

  while ((event = g_queue_pop_head (&events)) != NULL) {
    dds_service_call_drop (event->call);
    event_free (event);
  }
  g_ptr_array_unref (action->goals);
  orrery_writer_unref (action->writer);
  request_queue_clear (&action->events);
  g_free (action->name);
  g_free (action);
}
