/* SPDX-License-Identifier: BSD-3-Clause */
/* Goals of an action: what became of each is told on topics, as actionlib does. */
#include "action.h"

#include "../message/variant.h"

#include <string.h>

/* Goals that are remembered; one more is rejected. */
#define MAX_GOALS 1000
#define MAX_ID 1024
/* How long goals that have ended are listed. */
#define KEEP (5 * ORRERY_SECOND)

/* actionlib_msgs/GoalStatus */
typedef enum {
  PENDING,
  ACTIVE,
  PREEMPTED,
  SUCCEEDED,
  ABORTED,
  REJECTED,
  PREEMPTING,
  RECALLING,
  RECALLED,
} Status;

typedef struct {
  guint references;
  RosAction *action; /* NULL: gone */
  char *id;
  guint64 stamp; /* ns */
  Status status;
  char *text;
  OrreryCall *call;
  gboolean has_ended;
  OrreryTime ended;
} Goal;

typedef struct {
  RosAction *action;
  RosActionEvent event;
} Inbox;

struct _RosAction {
  RosActionOptions options;
  char *part, *service;
  Inbox goal_inbox, cancel_inbox;
  const OrreryMessageType *goal, *cancel, *status, *result, *feedback;
  gsize goal_id, goal_part, result_part, feedback_part; /* offsets */
  RosPublisher *status_topic, *result_topic, *feedback_topic;
  OrreryWriter *writer;
  GPtrArray *goals;  /* (element-type Goal), in the order they came */
  guint n_made;      /* ids */
  guint64 cancelled; /* ns: goals up to this stamp are not wanted */
  gboolean is_dirty;
  gboolean warned;
  OrreryTime told;
  guint32 seq;
};

/* --- goals --- */

static void
goal_unref (gpointer data)
{
  Goal *goal = data;

  if (--goal->references > 0)
    return;
  g_clear_object (&goal->call);
  g_free (goal->id);
  g_free (goal->text);
  g_free (goal);
}

static Goal *
add_goal (RosAction *self, const char *id, guint64 stamp, Status status)
{
  Goal *goal = g_new0 (Goal, 1);

  *goal = (Goal){ .references = 1, .action = self, .stamp = stamp, .status = status };
  goal->id = g_strdup (id);
  goal->text = g_strdup ("");
  g_ptr_array_add (self->goals, goal);
  self->is_dirty = TRUE;
  return goal;
}

static Goal *
find_goal (RosAction *self, const char *id)
{
  for (guint i = 0; i < self->goals->len; i++)
    if (g_str_equal (((Goal *) self->goals->pdata[i])->id, id))
      return self->goals->pdata[i];
  return NULL;
}

static OrreryTime
get_now (RosAction *self)
{
  return orrery_request_manager_get_time (self->options.manager);
}

/* --- telling --- */

/* Floating */
static GVariant *
describe_goal (const Goal *goal)
{
  GVariantDict dict, id;

  g_variant_dict_init (&id, NULL);
  g_variant_dict_insert (&id, "id", "s", goal->id);
  g_variant_dict_insert (&id, "stamp", "t", goal->stamp);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "goal_id", g_variant_dict_end (&id));
  g_variant_dict_insert (&dict, "status", "x", (gint64) goal->status);
  g_variant_dict_insert (&dict, "text", "s", goal->text);
  return g_variant_dict_end (&dict);
}

static void
add_header (RosAction *self, GVariantDict *dict)
{
  GVariantDict header;

  g_variant_dict_init (&header, NULL);
  g_variant_dict_insert (&header, "seq", "x", (gint64) self->seq++);
  g_variant_dict_insert (&header, "stamp", "t", (guint64) MAX (get_now (self), 0));
  g_variant_dict_insert_value (dict, "header", g_variant_dict_end (&header));
}

/* A message with its header, and what else @dict has. Returns: (nullable) */
static gpointer
make_message (RosAction *self, const OrreryMessageType *type, GVariantDict *dict)
{
  gpointer message = orrery_message_new (type);
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) error = NULL;

  add_header (self, dict);
  value = g_variant_ref_sink (g_variant_dict_end (dict));
  if (!message_from_variant (type, message, value, &error))
    orrery_part_warning (self->options.manager, "%s: %s", self->options.name, error->message);
  return message;
}

static void
send_message (RosAction *self, RosPublisher *topic, const OrreryMessageType *type, gpointer message)
{
  g_autoptr (GError) error = NULL;
  const char *data;
  gsize length;

  orrery_writer_clear (self->writer);
  if (orrery_message_write (type, message, ORRERY_MESSAGE_ENCODING_ROS1, self->writer, &error)) {
    data = orrery_writer_get_data (self->writer, &length);
    ros_publisher_send (topic, data, length);
  } else {
    orrery_part_warning (self->options.manager, "%s: %s", self->options.name, error->message);
  }
  orrery_message_free (type, message);
}

static void
send_status (RosAction *self)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariantDict dict;

  for (guint i = 0; i < self->goals->len; i++)
    g_variant_builder_add (&list, "v", describe_goal (self->goals->pdata[i]));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "status_list", g_variant_builder_end (&list));
  send_message (self, self->status_topic, self->status, make_message (self, self->status, &dict));
  self->told = get_now (self);
  self->is_dirty = FALSE;
}

/* What an action's own part of a message is filled with. */
static gpointer
make_report (RosAction *self, const OrreryMessageType *type, const Goal *goal)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "status", describe_goal (goal));
  return make_message (self, type, &dict);
}

static void
set_status (Goal *goal, Status status, const char *text)
{
  goal->status = status;
  g_free (goal->text);
  goal->text = g_strdup (text != NULL ? text : "");
  goal->action->is_dirty = TRUE;
}

/* Clients take the result only of a goal whose end they know. */
static void
end_goal (Goal *goal, Status status, const char *text, GVariant *value)
{
  RosAction *self = goal->action;
  const MessageCall *call = self->options.call;
  g_autoptr (GError) error = NULL;
  gpointer message, part;

  set_status (goal, status, text);
  goal->has_ended = TRUE;
  goal->ended = get_now (self);
  message = make_report (self, self->result, goal);
  part = (guint8 *) message + self->result_part;
  if (status != SUCCEEDED) {
    message_call_fill_failure (call, part, goal->text);
  } else if (!message_call_fill_response (call, part, value, &error)) {
    orrery_message_free (self->result, message);
    set_status (goal, ABORTED, error->message);
    message = make_report (self, self->result, goal);
  }
  send_status (self);
  send_message (self, self->result_topic, self->result, message);
}

/* --- calls --- */

static void
on_done (OrreryCall *call, gpointer data)
{
  Goal *goal = data;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);
  Status status = ABORTED;

  if (goal->action == NULL || goal->has_ended)
    return;
  switch (orrery_call_get_fault (call)) {
  case ORRERY_CALL_OK:
    status = SUCCEEDED;
    break;
  case ORRERY_CALL_PREEMPTED:
    status = PREEMPTED;
    break;
  case ORRERY_CALL_WRONG_COUNT:
  case ORRERY_CALL_WRONG_TYPE:
    status = REJECTED;
    break;
  default:
    break;
  }
  end_goal (goal, status, error != NULL ? error->message : NULL, value);
}

static void
on_feedback (OrreryCall *call, GVariant *value, gpointer data)
{
  Goal *goal = data;
  RosAction *self = goal->action;
  g_autoptr (GError) error = NULL;
  gpointer message;

  if (self == NULL || goal->has_ended)
    return;
  message = make_report (self, self->feedback, goal);
  if (message_call_fill_feedback (self->options.call, (guint8 *) message + self->feedback_part,
                                  value, &error)) {
    send_message (self, self->feedback_topic, self->feedback, message);
    return;
  }
  orrery_message_free (self->feedback, message);
  if (!self->warned)
    orrery_part_warning (self->options.manager, "%s: feedback: %s", self->options.name,
                         error->message);
  self->warned = TRUE;
}

/* The component itself says whether the goal takes the place of the one before. */
static void
start_goal (RosAction *self, Goal *goal, gconstpointer request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) arguments = message_call_get_arguments (self->options.call, request, &error);
  g_autoptr (OrreryCall) call = NULL;

  if (arguments == NULL) {
    end_goal (goal, REJECTED, error->message, NULL);
    return;
  }
  set_status (goal, ACTIVE, NULL);
  send_status (self);
  goal->references++;
  call = orrery_request_manager_submit (self->options.manager, self->part, self->service, arguments,
                                        on_done, goal, goal_unref);
  if (orrery_call_is_done (call))
    return;
  g_set_object (&goal->call, call);
  goal->references++;
  orrery_call_set_feedback_func (call, on_feedback, goal, goal_unref);
}

/* --- what comes in --- */

typedef struct {
  gint32 sec;
  guint32 nanosec;
} Moment;

/* Reads actionlib_msgs/GoalID. */
static char *
read_id (const OrreryMessageType *type, gconstpointer message, gsize offset, guint64 *stamp)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);
  const Moment *moment = NULL;
  const OrreryMessageText *text = NULL;

  for (guint i = 0; i < n; i++) {
    const guint8 *place = (const guint8 *) message + offset + fields[i].offset;

    if (g_str_equal (fields[i].name, "stamp"))
      moment = (gconstpointer) place;
    else if (g_str_equal (fields[i].name, "id"))
      text = (gconstpointer) place;
  }
  *stamp = (guint64) (guint32) moment->sec * 1000000000 + moment->nanosec;
  return text->length > 0 ? g_utf8_make_valid (text->data, (gssize) text->length) : g_strdup ("");
}

static void
take_request (RosAction *self, gconstpointer message, char *id, guint64 stamp)
{
  g_autofree char *own = id;
  guint64 now = (guint64) MAX (get_now (self), 0);
  gboolean is_unwanted = stamp != 0 && stamp <= self->cancelled;
  Goal *goal;

  if (*own == '\0') {
    g_free (own);
    own = g_strdup_printf ("%s-%u-%" G_GUINT64_FORMAT ".%09u",
                           ros_node_get_name (ros_share_get_node (self->options.share)),
                           ++self->n_made, now / 1000000000, (guint) (now % 1000000000));
  }
  goal = find_goal (self, own);
  if (goal != NULL) {
    if (goal->status == RECALLING)
      end_goal (goal, RECALLED, "the goal was cancelled before it came", NULL);
    return;
  }
  goal = add_goal (self, own, stamp != 0 ? stamp : now, PENDING);
  if (strlen (own) > MAX_ID)
    end_goal (goal, REJECTED, "the id of the goal is too long", NULL);
  else if (self->goals->len > MAX_GOALS)
    end_goal (goal, REJECTED, "too many goals", NULL);
  else if (is_unwanted)
    end_goal (goal, RECALLED, "goals of that time were cancelled before it came", NULL);
  else
    start_goal (self, goal, (const guint8 *) message + self->goal_part);
  if (goal->status == REJECTED && (self->goals->len > MAX_GOALS || strlen (own) > MAX_ID))
    g_ptr_array_remove (self->goals, goal);
}

static void
cancel_goal (Goal *goal)
{
  g_autoptr (OrreryCall) call = goal->call != NULL ? g_object_ref (goal->call) : NULL;

  if (goal->has_ended || call == NULL)
    return;
  set_status (goal, PREEMPTING, NULL);
  orrery_call_cancel (call);
}

/* Without id and stamp: all. With a stamp: those up to it, too. */
static void
cancel_goals (RosAction *self, const char *id, guint64 stamp)
{
  g_autoptr (GPtrArray) goals = g_ptr_array_new_with_free_func (goal_unref);
  gboolean all = *id == '\0' && stamp == 0;

  self->cancelled = MAX (self->cancelled, stamp);
  for (guint i = 0; i < self->goals->len; i++) {
    Goal *goal = self->goals->pdata[i];

    if (!all && !g_str_equal (goal->id, id) && (stamp == 0 || goal->stamp > stamp))
      continue;
    goal->references++;
    g_ptr_array_add (goals, goal);
  }
  for (guint i = 0; i < goals->len; i++)
    cancel_goal (goals->pdata[i]);
  /* Its goal may be on the way. */
  if (*id != '\0' && strlen (id) <= MAX_ID && find_goal (self, id) == NULL &&
      self->goals->len < MAX_GOALS)
    add_goal (self, id, stamp, RECALLING)->ended = get_now (self);
}

void
ros_action_take (RosAction *action, RosActionEvent event, GBytes *message)
{
  const OrreryMessageType *type = event == ROS_ACTION_GOAL ? action->goal : action->cancel;
  gpointer read = orrery_message_new (type);
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (message, &length);
  guint64 stamp;

  orrery_message_read (type, read, ORRERY_MESSAGE_ENCODING_ROS1, bytes, length, &error);
  if (error != NULL && !action->warned) {
    orrery_part_warning (action->options.manager,
                         "%s: a %s was dropped: %s (further ones are not told)",
                         action->options.name, event == ROS_ACTION_GOAL ? "goal" : "cancellation",
                         error->message);
    action->warned = TRUE;
  } else if (error == NULL && event == ROS_ACTION_GOAL) {
    char *id = read_id (action->cancel, read, action->goal_id, &stamp);

    take_request (action, read, id, stamp);
  } else if (error == NULL) {
    g_autofree char *id = read_id (action->cancel, read, 0, &stamp);

    cancel_goals (action, id, stamp);
  }
  orrery_message_free (type, read);
}

void
ros_action_tend (RosAction *action)
{
  OrreryTime now = get_now (action);
  OrreryTime period = (OrreryTime) (ORRERY_SECOND / action->options.frequency);

  for (guint i = action->goals->len; i-- > 0;) {
    Goal *goal = action->goals->pdata[i];
    gboolean is_over = goal->has_ended || goal->status == RECALLING;

    /* A reset sets the clock back. */
    if (is_over && (now - goal->ended > KEEP || now < goal->ended))
      g_ptr_array_remove_index (action->goals, i);
  }
  if (action->is_dirty || now - action->told >= period || now < action->told)
    send_status (action);
}

void
ros_action_cancel_all (RosAction *action)
{
  cancel_goals (action, "", 0);
}

/* --- making --- */

/* On the I/O thread. */
static void
on_message (gpointer data, const RosMessageInfo *info, GBytes *message)
{
  Inbox *inbox = data;
  const RosActionOptions *options = &inbox->action->options;

  options->post (options->post_data, inbox->action, inbox->event, message);
}

/* `move_base_msgs/MoveBase` of `move_base_msgs/action/MoveBase`. */
static char *
make_base_name (const OrreryMessageAction *action)
{
  const char *slash = strchr (action->name, '/');

  return g_strdup_printf ("%.*s/%s", (int) (slash - action->name), action->name,
                          strrchr (action->name, '/') + 1);
}

static const OrreryMessageType *
find_type (RosAction *self, const char *base, const char *suffix, GError **error)
{
  g_autofree char *name = g_strconcat (base, suffix, NULL);

  return orrery_message_catalogue_find (self->options.messages, name, ORRERY_MESSAGE_ROS1, error);
}

static gboolean
find_types (RosAction *self, GError **error)
{
  g_autofree char *base = make_base_name (message_call_get_action (self->options.call));

  self->goal = find_type (self, base, "ActionGoal", error);
  self->result = self->goal != NULL ? find_type (self, base, "ActionResult", error) : NULL;
  self->feedback = self->result != NULL ? find_type (self, base, "ActionFeedback", error) : NULL;
  self->status =
      self->feedback != NULL ? find_type (self, "actionlib_msgs/GoalStatusArray", "", error) : NULL;
  self->cancel = self->status != NULL ? find_type (self, "actionlib_msgs/GoalID", "", error) : NULL;
  return self->cancel != NULL &&
         orrery_message_type_find (self->goal, "goal_id", &self->goal_id, error) != NULL &&
         orrery_message_type_find (self->goal, "goal", &self->goal_part, error) != NULL &&
         orrery_message_type_find (self->result, "result", &self->result_part, error) != NULL &&
         orrery_message_type_find (self->feedback, "feedback", &self->feedback_part, error) != NULL;
}

/* As ROS 1 names a type. */
static char *
make_type_name (const OrreryMessageType *type)
{
  g_auto (GStrv) parts = g_strsplit (orrery_message_type_get_name (type), "/msg/", 2);

  return g_strjoinv ("/", parts);
}

static RosPublisher *
publish (RosAction *self, const char *suffix, const OrreryMessageType *type, gboolean latched,
         GError **error)
{
  g_autofree char *topic = g_strconcat (self->options.name, suffix, NULL);
  g_autofree char *name = make_type_name (type);
  RosTopic described = { topic, name, orrery_message_type_get_md5 (type),
                         orrery_message_type_get_definition (type) };
  guint queue = (guint) CLAMP (self->options.frequency, 10, 1000);

  return ros_share_advertise (self->options.share, self->options.manager, &described, queue,
                              latched, NULL, NULL, error);
}

static gboolean
subscribe (RosAction *self, const char *suffix, const OrreryMessageType *type, Inbox *inbox,
           GError **error)
{
  g_autofree char *topic = g_strconcat (self->options.name, suffix, NULL);
  g_autofree char *name = make_type_name (type);
  RosTopic described = { topic, name, orrery_message_type_get_md5 (type),
                         orrery_message_type_get_definition (type) };

  return ros_share_subscribe (self->options.share, self->options.manager, &described, on_message,
                              inbox, error);
}

RosAction *
ros_action_new (const RosActionOptions *options, GError **error)
{
  RosAction *self = g_new0 (RosAction, 1);

  self->options = *options;
  self->options.name = g_strdup (options->name);
  self->part = g_strdup (options->part);
  self->service = g_strdup (options->service);
  self->goal_inbox = (Inbox){ self, ROS_ACTION_GOAL };
  self->cancel_inbox = (Inbox){ self, ROS_ACTION_CANCEL };
  self->writer = orrery_writer_new ();
  self->goals = g_ptr_array_new_with_free_func (goal_unref);
  if (find_types (self, error) &&
      (self->status_topic = publish (self, "/status", self->status, TRUE, error)) != NULL &&
      (self->result_topic = publish (self, "/result", self->result, FALSE, error)) != NULL &&
      (self->feedback_topic = publish (self, "/feedback", self->feedback, FALSE, error)) != NULL &&
      subscribe (self, "/goal", self->goal, &self->goal_inbox, error) &&
      subscribe (self, "/cancel", self->cancel, &self->cancel_inbox, error)) {
    send_status (self);
    return self;
  }
  ros_action_free (self);
  return NULL;
}

void
ros_action_free (RosAction *action)
{
  for (guint i = 0; i < action->goals->len; i++)
    ((Goal *) action->goals->pdata[i])->action = NULL;
  g_ptr_array_unref (action->goals);
  orrery_writer_unref (action->writer);
  g_free ((char *) action->options.name);
  g_free (action->part);
  g_free (action->service);
  g_free (action);
}
