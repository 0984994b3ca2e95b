/* SPDX-License-Identifier: BSD-3-Clause */
/* Services as services and actions of ROS 1. */
#define G_LOG_DOMAIN "orrery.middleware.ros_request_manager"
#include "message/backlog.h"
#include "ros/action.h"
#include "ros/ros-remote.h"

#include <string.h>

/*
 * Services that answer at once are services of a node of ROS 1, those that take longer are actions.
 * Their types follow from `services.json`, else from the signature: see message/call.h. Streams and
 * services of one world share a node.
 *
 * Differs from MORSE: every service is there, also without a type of its own; calls are done in the
 * tick, not beside it.
 */

/* The part by which others call services of other nodes. */
#define NAME "ros"
#define CALL_REMOTE "call_remote"

/* Of requests and goals. */
static const BacklogLimits limits = BACKLOG_LIMITS;

typedef struct {
  OrreryRequestManager parent_instance;

  char *node_name;
  char *master_uri;
  char *name_space;
  char *host;
  double status_frequency;
  double answer_size; /* MB */

  gboolean offline;
  char *allowed_users;
  char *token_file;
  OrreryWorld *world;
  OrreryMessageCatalogue *messages;

  RosShare *share; /* NULL: not started, or closed */
  MessageCalls *calls;
  OrreryWriter *writer;
  GPtrArray *services; /* (element-type Service) */
  GPtrArray *actions;  /* (element-type RosAction) */
  GPtrArray *pending;  /* (element-type Pending) borrowed: those that the host has */
  RemoteCalls *remote_calls;
  RosRemote remote;

  RequestQueue events; /* (element-type Event) */
} OrreryRosRequestManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryRosRequestManager, orrery_ros_request_manager,
                               OrreryRequestManager, orrery_request_manager)

typedef struct {
  OrreryRosRequestManager *manager;
  char *part, *service;
  const MessageCall *call;
} Service;

/* What has come in, for the tick. */
typedef struct {
  Service *service;     /* a request of a service */
  RosServiceCall *call; /* of that */
  RosAction *action;    /* or something of an action */
  RosActionEvent kind;
  GBytes *message;
} Event;

/* A request that is not answered yet. */
typedef struct {
  Service *service;
  RosServiceCall *ros;
  OrreryCall *call;
} Pending;

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryRosRequestManager, node_name, "node", NULL,
                          "Name of the node, which streams and services share; if it is not given, "
                          "that of the streams, else morse",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRosRequestManager, master_uri, "master_uri", NULL,
                          "Address of the master; if it is not given, ROS_MASTER_URI, else "
                          "http://localhost:11311",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRosRequestManager, name_space, "namespace", NULL,
                          "What names without a leading slash are below; if it is not given, "
                          "ROS_NAMESPACE, else /",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRosRequestManager, host, "host", NULL,
                          "Host or address to announce and to listen on; if it is not given, "
                          "ROS_HOSTNAME, ROS_IP, else 127.0.0.1",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRosRequestManager, status_frequency, "status_frequency", 0.1, 1000,
                          5, "How often actions tell their status, Hz of simulation time",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRosRequestManager, answer_size, "answer_size", 0.001, 16, 1,
                          "Largest answer of a service of another node, MB"),
};

static void
service_free (gpointer data)
{
  Service *service = data;

  g_free (service->part);
  g_free (service->service);
  g_free (service);
}

static void
event_free (gpointer data)
{
  Event *event = data;

  g_bytes_unref (event->message);
  g_free (event);
}

/* --- on the I/O thread --- */

/* Returns: (transfer full) (nullable): NULL, or why there is no room */
static char *
queue_event (OrreryRosRequestManager *self, const Event *event)
{
  Event *copy = g_memdup2 (event, sizeof *event);
  char *why;

  g_bytes_ref (event->message);
  why = request_queue_add (&self->events, copy, g_bytes_get_size (event->message));
  if (why != NULL) {
    request_queue_count (&self->events, event->service != NULL);
    event_free (copy);
  }
  orrery_request_manager_wake (ORRERY_REQUEST_MANAGER (self));
  return why;
}

static void
on_request (gpointer data, RosServiceCall *call, GBytes *request)
{
  Service *service = data;
  Event event = { .service = service, .call = call, .message = request };
  g_autofree char *why = queue_event (service->manager, &event);
  g_autofree char *words = NULL;

  if (why == NULL)
    return;
  words = g_strdup_printf ("%s %s: %s", service->part, service->service, why);
  ros_service_call_fail (call, words);
}

/* The goal is told of on topics, which are the tick's: one that is refused is only counted. */
static void
on_action_message (gpointer data, RosAction *action, RosActionEvent kind, GBytes *message)
{
  Event event = { .action = action, .kind = kind, .message = message };

  g_free (queue_event (data, &event));
}

/* --- answers --- */

static void answer_failure (OrreryRosRequestManager *self, Pending *pending, const char *why);

static void
send_response (OrreryRosRequestManager *self, Pending *pending, gconstpointer response)
{
  const OrreryMessageType *type = message_call_get_service (pending->service->call)->response;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  orrery_writer_clear (self->writer);
  if (!orrery_message_write (type, response, ORRERY_MESSAGE_ENCODING_ROS1, self->writer, &error)) {
    ros_service_call_fail (pending->ros, error->message);
    return;
  }
  bytes = orrery_writer_dup_bytes (self->writer);
  ros_service_call_return (pending->ros, bytes);
}

static void
answer_value (OrreryRosRequestManager *self, Pending *pending, GVariant *value)
{
  const MessageCall *call = pending->service->call;
  const OrreryMessageType *type = message_call_get_service (call)->response;
  gpointer response = orrery_message_new (type);
  g_autoptr (GError) error = NULL;

  if (message_call_fill_response (call, response, value, &error))
    send_response (self, pending, response);
  else
    ros_service_call_fail (pending->ros, error->message);
  orrery_message_free (type, response);
}

/* A response that has room for it says why, else ROS's own error does. */
static void
answer_failure (OrreryRosRequestManager *self, Pending *pending, const char *why)
{
  const MessageCall *call = pending->service->call;
  const OrreryMessageType *type = message_call_get_service (call)->response;
  gpointer response = orrery_message_new (type);

  if (message_call_fill_failure (call, response, why))
    send_response (self, pending, response);
  else
    ros_service_call_fail (pending->ros, why);
  orrery_message_free (type, response);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;
  OrreryRosRequestManager *self = pending->service->manager;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);

  if (self->share == NULL)
    return;
  if (error == NULL)
    answer_value (self, pending, value);
  else
    answer_failure (self, pending, error->message);
}

static void
pending_free (gpointer data)
{
  Pending *pending = data;
  OrreryRosRequestManager *self = pending->service->manager;

  g_ptr_array_remove_fast (self->pending, pending);
  g_clear_object (&pending->call);
  g_free (pending);
  g_object_unref (self);
}

/* --- requests --- */

static void
submit (OrreryRosRequestManager *self, Service *service, RosServiceCall *ros, GVariant *arguments)
{
  Pending *pending = g_new0 (Pending, 1);
  g_autoptr (OrreryCall) call = NULL;

  g_object_ref (self);
  *pending = (Pending){ .service = service, .ros = ros };
  g_ptr_array_add (self->pending, pending);
  call =
      orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (self), service->part, service->service,
                                     arguments, on_done, pending, pending_free);
  /* A call that was refused at once has freed it. */
  if (!orrery_call_is_done (call))
    g_set_object (&pending->call, call);
}

static void
take_request (OrreryRosRequestManager *self, const Event *event)
{
  Service *service = event->service;
  const OrreryMessageType *type = message_call_get_service (service->call)->request;
  gpointer request = orrery_message_new (type);
  g_autoptr (GVariant) arguments = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (event->message, &length);

  if (orrery_message_read (type, request, ORRERY_MESSAGE_ENCODING_ROS1, bytes, length, &error))
    arguments = message_call_get_arguments (service->call, request, &error);
  if (arguments != NULL)
    submit (self, service, event->call, arguments);
  else
    ros_service_call_fail (event->call, error->message);
  orrery_message_free (type, request);
}

static GQueue
take_events (OrreryRosRequestManager *self)
{
  g_autofree char *words = NULL;
  GQueue taken = request_queue_take (&self->events, &words);

  if (words != NULL)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "services of ros: %s", words);
  return taken;
}

static void
orrery_ros_request_manager_intake (OrreryRequestManager *manager)
{
  OrreryRosRequestManager *self = (OrreryRosRequestManager *) manager;
  GQueue events;
  Event *event;

  if (self->share == NULL)
    return;
  ros_share_report (self->share, self, G_LOG_DOMAIN);
  events = take_events (self);
  while ((event = g_queue_pop_head (&events)) != NULL) {
    if (event->service != NULL)
      take_request (self, event);
    else
      ros_action_take (event->action, event->kind, event->message);
    event_free (event);
  }
}

static void
orrery_ros_request_manager_flush (OrreryRequestManager *manager)
{
  OrreryRosRequestManager *self = (OrreryRosRequestManager *) manager;

  if (self->share == NULL)
    return;
  for (guint i = 0; i < self->actions->len; i++)
    ros_action_tend (self->actions->pdata[i]);
  ros_node_flush (ros_share_get_node (self->share));
}

static void
orrery_ros_request_manager_tick (OrreryRequestManager *manager, OrreryTick *tick)
{
  remote_calls_tick (((OrreryRosRequestManager *) manager)->remote_calls, tick);
}

/* --- services of others --- */

static void
call_remote (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRosRequestManager *self = (OrreryRosRequestManager *) part;

  remote_calls_start (self->remote_calls, call, (gsize) (self->answer_size * 1e6), error);
}

static void
orrery_ros_request_manager_cancel (OrreryPart *part, OrreryCall *call)
{
  remote_calls_cancel (((OrreryRosRequestManager *) part)->remote_calls, call);
}

static const OrreryService own_services[] = {
  { CALL_REMOTE, call_remote, ORRERY_SERVICE_CONCURRENT | ORRERY_SERVICE_RESTRICTED,
    REMOTE_SIGNATURE, REMOTE_WORDS },
};

/* Before the start there is nobody to ask, and in a replay never. */
static void
set_up_remote (OrreryRosRequestManager *self)
{
  self->remote_calls = remote_calls_new (&(RemoteOptions){
      .manager = ORRERY_REQUEST_MANAGER (self),
      .messages = self->messages,
      .dialect = ORRERY_MESSAGE_ROS1,
      .encoding = ORRERY_MESSAGE_ENCODING_ROS1,
  });
}

static void
connect_remote (OrreryRosRequestManager *self)
{
  self->remote = (RosRemote){ self->share, self, self->remote_calls };
  remote_calls_connect (self->remote_calls, ros_remote_send, ros_remote_drop, &self->remote);
}

/* --- starting --- */

static gboolean
start_node (OrreryRosRequestManager *self, GError **error)
{
  g_autofree char *why = NULL;
  RosNodeOptions options;

  ros_node_options_init (&options);
  options.name = self->node_name;
  options.master_uri = self->master_uri;
  options.name_space = self->name_space;
  options.host = self->host;
  options.access = line_access_new (self->allowed_users, self->token_file, &why);
  if (options.access == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "services of ros: %s", why);
  self->share = ros_share_get (self->world);
  return ros_share_start (self->share, &options, error);
}

/* Relative to the namespace of the node, as MORSE has it; an overlay may name itself. */
static char *
make_name (const char *part, const char *service)
{
  g_autofree char *topic = *part == '/' ? g_strdup (part) : orrery_make_topic_name (part);

  return g_strconcat (*part == '/' ? topic : topic + 1, "/", service, NULL);
}

/* `std_srvs/Trigger` of `std_srvs/srv/Trigger`. */
static char *
make_type_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/srv/", 2);

  return g_strjoinv ("/", parts);
}

static gboolean
add_service (OrreryRosRequestManager *self, const char *name, const char *part, const char *service,
             const MessageCall *call, GError **error)
{
  const OrreryMessageService *type = message_call_get_service (call);
  g_autofree char *type_name = make_type_name (type->name);
  Service *added = g_new (Service, 1);

  *added = (Service){ self, g_strdup (part), g_strdup (service), call };
  g_ptr_array_add (self->services, added);
  return ros_share_advertise_service (self->share, self, name, type_name, type->md5, on_request,
                                      added, error);
}

static gboolean
add_action (OrreryRosRequestManager *self, const char *name, const char *part, const char *service,
            const MessageCall *call, GError **error)
{
  RosActionOptions options = { .manager = ORRERY_REQUEST_MANAGER (self),
                               .share = self->share,
                               .messages = self->messages,
                               .call = call,
                               .name = name,
                               .part = part,
                               .service = service,
                               .frequency = self->status_frequency,
                               .post = on_action_message,
                               .post_data = self };
  RosAction *action = ros_action_new (&options, error);

  if (action != NULL)
    g_ptr_array_add (self->actions, action);
  return action != NULL;
}

static gboolean
offer (OrreryRosRequestManager *self, const char *part, const char *service, GError **error)
{
  const char *classpath = NULL, *type = NULL;
  const OrreryService *found =
      orrery_request_manager_find_service (ORRERY_REQUEST_MANAGER (self), part, service, &classpath,
                                           &type);
  const MessageCall *call =
      found != NULL ? message_calls_find (self->calls, classpath, found, type, error) : NULL;
  g_autofree char *name = make_name (part, service);
  g_autofree char *resolved = NULL;
  g_autoptr (GError) why = NULL;

  /* Nodes call each other without us. */
  if (call == NULL || g_str_equal (part, NAME))
    return found == NULL || call != NULL;
  resolved = ros_node_resolve (ros_share_get_node (self->share), name, &why);
  if (resolved == NULL) {
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s %s is not offered: %s", part, service,
                           why->message);
    return TRUE;
  }
  if (message_call_get_service (call) != NULL)
    return add_service (self, name, part, service, call, error);
  return add_action (self, name, part, service, call, error);
}

static gboolean
offer_all (OrreryRosRequestManager *self, GError **error)
{
  g_autoptr (GVariant) all = orrery_request_manager_list_services (ORRERY_REQUEST_MANAGER (self));
  const char *part, *service;
  GVariantIter iter;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&su)", &part, &service, NULL))
    if (!offer (self, part, service, error)) {
      g_prefix_error (error, "services of ros: %s %s: ", part, service);
      return FALSE;
    }
  return TRUE;
}

static void
orrery_ros_request_manager_start (OrreryRequestManager *manager, GError **error)
{
  OrreryRosRequestManager *self = (OrreryRosRequestManager *) manager;

  if (self->offline)
    return;
  self->calls = message_calls_new (self->messages, ORRERY_MESSAGE_ROS1, error);
  if (self->calls == NULL || !start_node (self, error) || !offer_all (self, error))
    return;
  connect_remote (self);
  ros_node_flush (ros_share_get_node (self->share));
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "%u services and %u actions of ROS node %s",
                         self->services->len, self->actions->len,
                         ros_node_get_name (ros_share_get_node (self->share)));
}

/* --- ending --- */

static void
cancel_pending (OrreryRosRequestManager *self)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->pending->len; i++) {
    Pending *pending = self->pending->pdata[i];

    if (pending->call != NULL)
      g_ptr_array_add (calls, g_object_ref (pending->call));
  }
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
}

static void
refuse_events (OrreryRosRequestManager *self)
{
  GQueue events = take_events (self);
  Event *event;

  while ((event = g_queue_pop_head (&events)) != NULL) {
    if (event->service != NULL)
      ros_service_call_fail (event->call, "the simulation ends");
    event_free (event);
  }
}

static void
orrery_ros_request_manager_close (OrreryRequestManager *manager)
{
  OrreryRosRequestManager *self = (OrreryRosRequestManager *) manager;

  remote_calls_end (self->remote_calls, "the simulation ends");
  remote_calls_connect (self->remote_calls, NULL, NULL, NULL);
  if (self->share == NULL)
    return;
  if (ros_share_get_node (self->share) != NULL) {
    cancel_pending (self);
    refuse_events (self);
    for (guint i = 0; i < self->actions->len; i++)
      ros_action_cancel_all (self->actions->pdata[i]);
    ros_node_flush (ros_share_get_node (self->share));
    ros_share_report (self->share, self, G_LOG_DOMAIN);
  }
  ros_share_release (g_steal_pointer (&self->share), self);
  g_ptr_array_set_size (self->actions, 0);
}

/* --- the class --- */

static void
orrery_ros_request_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRosRequestManager *self = (OrreryRosRequestManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->token_file = g_strdup (orrery_setup_get_token_file (setup));
  self->messages = orrery_message_catalogue_ref (orrery_setup_get_messages (setup));
  g_set_object (&self->world, orrery_setup_get_world (setup));
  set_up_remote (self);
  orrery_setup_publish (setup, NAME);
}

static void
orrery_ros_request_manager_class_init (OrreryRosRequestManagerClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_ros_request_manager_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_ros_request_manager_cancel;
  manager->start = orrery_ros_request_manager_start;
  manager->intake = orrery_ros_request_manager_intake;
  manager->flush = orrery_ros_request_manager_flush;
  manager->close = orrery_ros_request_manager_close;
  manager->tick = orrery_ros_request_manager_tick;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_SERVICES (klass, own_services);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryRosRequestManager, events, request_queue_clear);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, calls, message_calls_free);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, services, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, actions, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, pending, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, token_file, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, remote_calls, remote_calls_free);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, messages, orrery_message_catalogue_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosRequestManager, world, g_object_unref);
}

static void
orrery_ros_request_manager_init (OrreryRosRequestManager *self)
{
  request_queue_init (&self->events, &limits);
  self->writer = orrery_writer_new ();
  self->services = g_ptr_array_new_with_free_func (service_free);
  self->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ros_action_free);
  self->pending = g_ptr_array_new ();
}

ORRERY_PLUGIN ("Services and actions of ROS 1", "BSD-3-Clause",
               ORRERY_CLASS (RosRequestManager, OrreryRosRequestManager, orrery_ros_request_manager,
                             .stream = "ros"))
