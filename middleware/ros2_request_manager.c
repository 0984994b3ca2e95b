/* SPDX-License-Identifier: BSD-3-Clause */
/* Services as services and actions of ROS 2. */
#define G_LOG_DOMAIN "orrery.middleware.ros2_request_manager"
#include "dds/dds-remote.h"
#include "dds/dds-share.h"
#include "dds/goals.h"
#include "dds/parameters.h"
#include "message/backlog.h"
#include "message/call.h"

#include <string.h>

/*
 * Services that answer at once are services of the node of their robot, those that take longer are
 * actions. Their types follow from `services.json`, else from the signature: see message/call.h.
 * Streams and services of one world share their nodes. Services of other nodes are called by the
 * node of what belongs to no robot.
 */

/* The part that has the service by which others are called. */
#define NAME "ros2"
#define CALL_REMOTE "call_remote"

static const BacklogLimits limits = BACKLOG_LIMITS;

typedef struct {
  OrreryRequestManager parent_instance;

  int domain;
  char *distro;
  char *discovery;
  char *interface;
  char *peers;
  char *name_space;
  double answer_size; /* MB */

  gboolean offline;
  char *allowed_users;
  OrreryWorld *world;
  OrreryMessageCatalogue *messages;

  DdsShare *share; /* NULL: not started, or closed */
  MessageCalls *calls;
  OrreryWriter *writer;
  GPtrArray *services;   /* (element-type Service) */
  GPtrArray *actions;    /* (element-type Ros2Goals) */
  GPtrArray *parameters; /* (element-type Ros2Parameters): of each robot with components */
  GPtrArray *pending;    /* (element-type Pending) borrowed: those that the host has */
  RemoteCalls *remote_calls;
  Ros2Remote *remote; /* NULL: no connections */

  RequestQueue requests; /* (element-type Request) */
} OrreryRos2RequestManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryRos2RequestManager, orrery_ros2_request_manager,
                               OrreryRequestManager, orrery_request_manager)

/* A service that answers at once. */
typedef struct {
  OrreryRos2RequestManager *manager;
  char *part, *service;
  const MessageCall *call;    /* NULL: one of parameters */
  Ros2Parameters *parameters; /* then */
  Ros2Question question;
  DdsService *dds;
  gboolean warned;
} Service;

/* A request of a service that has come in, for the tick. */
typedef struct {
  Service *service;
  DdsServiceCall *call;
  GBytes *message;
} Request;

/* A call of the host that is not done yet. */
typedef struct {
  guint references;
  OrreryRos2RequestManager *manager;
  OrreryCall *call;
  Service *service;
  DdsServiceCall *dds;
} Pending;

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (OrreryRos2RequestManager, domain, "domain", -1, 232, -1,
                       "Domain of DDS; -1: that of the streams, else ROS_DOMAIN_ID, else 0",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2RequestManager, distro, "distro", NULL,
                          "Release of ROS 2 that others have; if it is not given, that of the "
                          "streams, else jazzy",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2RequestManager, discovery, "discovery", NULL,
                          "Who may find the nodes: localhost, subnet or off; if it is not given, "
                          "that of the streams, else ROS_AUTOMATIC_DISCOVERY_RANGE, else localhost",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2RequestManager, interface, "interface", NULL,
                          "Address of the network interface that is used, beside loopback",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2RequestManager, peers, "peers", NULL,
                          "Hosts that are asked who is there, with ; between; if it is not given, "
                          "ROS_STATIC_PEERS",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2RequestManager, name_space, "namespace", NULL,
                          "What the nodes and services are below; if it is not given, that of the "
                          "streams",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRos2RequestManager, answer_size, "answer_size", 0.001, 16, 1,
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
request_free (Request *request)
{
  g_bytes_unref (request->message);
  g_free (request);
}

static void
pending_unref (gpointer data)
{
  Pending *pending = data;
  OrreryRos2RequestManager *self = pending->manager;

  if (--pending->references > 0)
    return;
  g_ptr_array_remove_fast (self->pending, pending);
  g_clear_object (&pending->call);
  g_free (pending);
  g_object_unref (self);
}

static Pending *
pending_new (OrreryRos2RequestManager *self)
{
  Pending *pending = g_new0 (Pending, 1);

  pending->references = 1;
  pending->manager = g_object_ref (self);
  g_ptr_array_add (self->pending, pending);
  return pending;
}

/* --- answers of services --- */

/* ROS 2 knows no error of a service: a client without an answer waits. */
static void
drop (Service *service, DdsServiceCall *call, const char *why)
{
  dds_service_call_drop (call);
  if (!service->warned)
    orrery_part_log_plain (
        service->manager, G_LOG_LEVEL_WARNING,
        "%s %s: a call from ROS 2 is not answered: %s (further ones are not told)", service->part,
        service->service, why);
  service->warned = TRUE;
}

/* Any thread. Returns: (transfer full) (nullable) */
static GBytes *
encode (const Service *service, gconstpointer response, OrreryWriter *writer, GError **error)
{
  const OrreryMessageType *type = message_call_get_service (service->call)->response;

  orrery_writer_clear (writer);
  if (!orrery_message_write (type, response, ORRERY_MESSAGE_ENCODING_CDR, writer, error))
    return NULL;
  return orrery_writer_dup_bytes (writer);
}

static void
send_response (Service *service, DdsServiceCall *call, gconstpointer response)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = encode (service, response, service->manager->writer, &error);

  if (bytes != NULL)
    dds_service_call_return (call, bytes);
  else
    drop (service, call, error->message);
}

static void
answer_failure (Service *service, DdsServiceCall *call, const char *why)
{
  const OrreryMessageType *type;
  gpointer response;

  if (service->call == NULL) {
    dds_service_call_drop (call);
    return;
  }
  type = message_call_get_service (service->call)->response;
  response = orrery_message_new (type);
  if (message_call_fill_failure (service->call, response, why))
    send_response (service, call, response);
  else
    drop (service, call, why);
  orrery_message_free (type, response);
}

/* On the thread of the context. Returns: (transfer full) (nullable): NULL: its type has no room for
 * what went wrong */
static GBytes *
make_refusal (const Service *service, const char *why)
{
  g_autoptr (OrreryWriter) writer = NULL;
  g_autofree char *words = NULL;
  const OrreryMessageType *type;
  gpointer response;
  GBytes *bytes = NULL;

  if (service->call == NULL)
    return NULL;
  writer = orrery_writer_new ();
  words = g_strdup_printf ("%s %s: %s", service->part, service->service, why);
  type = message_call_get_service (service->call)->response;
  response = orrery_message_new (type);
  if (message_call_fill_failure (service->call, response, words))
    bytes = encode (service, response, writer, NULL);
  orrery_message_free (type, response);
  return bytes;
}

/* On the thread of the context. */
static void
on_request (gpointer data, DdsServiceCall *call, GBytes *message)
{
  Service *service = data;
  OrreryRos2RequestManager *self = service->manager;
  Request request = { service, call, message }, *copy = g_memdup2 (&request, sizeof request);
  g_autofree char *why = NULL;
  g_autoptr (GBytes) refusal = NULL;

  g_bytes_ref (message);
  why = request_queue_add (&self->requests, copy, g_bytes_get_size (message));
  if (why != NULL) {
    request_free (copy);
    refusal = make_refusal (service, why);
    request_queue_count (&self->requests, refusal != NULL);
    dds_service_call_return (call, refusal);
  }
  orrery_request_manager_wake (ORRERY_REQUEST_MANAGER (self));
}

static void
answer_value (Service *service, DdsServiceCall *call, GVariant *value)
{
  const OrreryMessageType *type = message_call_get_service (service->call)->response;
  gpointer response = orrery_message_new (type);
  g_autoptr (GError) error = NULL;

  if (message_call_fill_response (service->call, response, value, &error))
    send_response (service, call, response);
  else
    answer_failure (service, call, error->message);
  orrery_message_free (type, response);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);

  if (pending->dds == NULL)
    return;
  if (error == NULL)
    answer_value (pending->service, pending->dds, value);
  else
    answer_failure (pending->service, pending->dds, error->message);
  pending->dds = NULL;
}

/* The host keeps it until the call is done; one that was refused at once is done. */
static void
submit (Pending *pending, const char *part, const char *service, GVariant *arguments,
        OrreryCallFunc done)
{
  g_autoptr (OrreryCall) call = NULL;

  pending->references++;
  call = orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (pending->manager), part, service,
                                        arguments, done, pending, pending_unref);
  if (!orrery_call_is_done (call))
    g_set_object (&pending->call, call);
}

static void
take_call (OrreryRos2RequestManager *self, const Request *request)
{
  Service *service = request->service;
  const OrreryMessageType *type = message_call_get_service (service->call)->request;
  gpointer message = orrery_message_new (type);
  g_autoptr (GVariant) arguments = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (request->message, &length);

  if (orrery_message_read (type, message, ORRERY_MESSAGE_ENCODING_CDR, bytes, length, &error))
    arguments = message_call_get_arguments (service->call, message, &error);
  if (arguments != NULL) {
    Pending *pending = pending_new (self);

    pending->service = service;
    pending->dds = request->call;
    submit (pending, service->part, service->service, arguments, on_done);
    pending_unref (pending);
  } else {
    answer_failure (service, request->call, error->message);
  }
  orrery_message_free (type, message);
}

static void
take_request (OrreryRos2RequestManager *self, const Request *request)
{
  Service *service = request->service;

  if (service->parameters != NULL)
    ros2_parameters_take (service->parameters, service->question, request->call, request->message);
  else
    take_call (self, request);
}

/* --- in the tick --- */

static GQueue
take_requests (OrreryRos2RequestManager *self)
{
  g_autofree char *words = NULL;
  GQueue taken = request_queue_take (&self->requests, &words);

  if (words != NULL)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "services of ros2: %s", words);
  return taken;
}

static void
orrery_ros2_request_manager_intake (OrreryRequestManager *manager)
{
  OrreryRos2RequestManager *self = (OrreryRos2RequestManager *) manager;
  GQueue requests;
  Request *request;

  if (self->share == NULL)
    return;
  dds_share_report (self->share, self, G_LOG_DOMAIN);
  requests = take_requests (self);
  while ((request = g_queue_pop_head (&requests)) != NULL) {
    take_request (self, request);
    request_free (request);
  }
  for (guint i = 0; i < self->actions->len; i++)
    ros2_goals_intake (self->actions->pdata[i]);
}

static void
flush (OrreryRos2RequestManager *self)
{
  for (guint i = 0; i < self->actions->len; i++)
    ros2_goals_flush (self->actions->pdata[i]);
  dds_context_flush (dds_share_get_context (self->share));
}

static void
orrery_ros2_request_manager_flush (OrreryRequestManager *manager)
{
  OrreryRos2RequestManager *self = (OrreryRos2RequestManager *) manager;

  if (self->share != NULL)
    flush (self);
}

static void
orrery_ros2_request_manager_tick (OrreryRequestManager *manager, OrreryTick *tick)
{
  remote_calls_tick (((OrreryRos2RequestManager *) manager)->remote_calls, tick);
}

/* --- services of others --- */

static void
call_remote (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRos2RequestManager *self = (OrreryRos2RequestManager *) part;

  remote_calls_start (self->remote_calls, call, (gsize) (self->answer_size * 1e6), error);
}

static void
orrery_ros2_request_manager_cancel (OrreryPart *part, OrreryCall *call)
{
  remote_calls_cancel (((OrreryRos2RequestManager *) part)->remote_calls, call);
}

static const OrreryService own_services[] = {
  { CALL_REMOTE, call_remote, ORRERY_SERVICE_CONCURRENT | ORRERY_SERVICE_RESTRICTED,
    REMOTE_SIGNATURE, REMOTE_WORDS },
};

/* Before the start there is nobody to ask, and in a replay never. */
static void
set_up_remote (OrreryRos2RequestManager *self)
{
  self->remote_calls = remote_calls_new (&(RemoteOptions){
      .manager = ORRERY_REQUEST_MANAGER (self),
      .messages = self->messages,
      .dialect = ORRERY_MESSAGE_ROS2,
      .encoding = ORRERY_MESSAGE_ENCODING_CDR,
  });
}

static void
disconnect_remote (OrreryRos2RequestManager *self)
{
  remote_calls_end (self->remote_calls, "the simulation ends");
  remote_calls_connect (self->remote_calls, NULL, NULL, NULL);
  if (self->remote != NULL)
    ros2_remote_close (self->remote);
}

/* --- starting --- */

static gboolean
start_context (OrreryRos2RequestManager *self, GError **error)
{
  DdsShareOptions options = { self->domain, self->distro,        self->discovery, self->interface,
                              self->peers,  self->allowed_users, self->name_space };

  self->share = dds_share_get (self->world);
  return dds_share_start (self->share, &options, error);
}

/* The robot that carries a part. Returns: (nullable): its name */
static const char *
find_robot (OrreryRos2RequestManager *self, const char *part)
{
  OrreryObject *object = part != NULL ? orrery_world_find_object (self->world, part) : NULL;

  while (object != NULL && orrery_object_get_parent (object) != NULL)
    object = orrery_object_get_parent (object);
  return object != NULL ? orrery_object_get_name (object) : NULL;
}

static DdsNode *
find_node (OrreryRos2RequestManager *self, const char *part)
{
  return dds_share_get_node (self->share, find_robot (self, part),
                             self->name_space != NULL ? self->name_space
                                                      : dds_share_get_name_space (self->share));
}

static void
connect_remote (OrreryRos2RequestManager *self)
{
  self->remote = ros2_remote_new (find_node (self, NULL), self->remote_calls);
  remote_calls_connect (self->remote_calls, ros2_remote_send, ros2_remote_drop, self->remote);
}

/* Below the namespace of the nodes; an overlay may name itself. */
static char *
make_name (const char *part, const char *service)
{
  g_autofree char *topic = *part == '/' ? g_strdup (part) : orrery_make_topic_name (part);

  return g_strconcat (*part == '/' ? topic : topic + 1, "/", service, NULL);
}

static gboolean
add_service (OrreryRos2RequestManager *self, const char *part, const char *service,
             const MessageCall *call, GError **error)
{
  g_autofree char *name = make_name (part, service);
  Service *added = g_new0 (Service, 1);

  *added = (Service){ self, g_strdup (part), g_strdup (service), call };
  g_ptr_array_add (self->services, added);
  added->dds =
      dds_node_advertise_service (find_node (self, part), name,
                                  message_call_get_service (call)->name, on_request, added, error);
  return added->dds != NULL;
}

static gboolean
add_action (OrreryRos2RequestManager *self, const char *part, const char *service,
            const MessageCall *call, GError **error)
{
  g_autofree char *name = make_name (part, service);
  Ros2Goals *goals = ros2_goals_new (ORRERY_REQUEST_MANAGER (self), find_node (self, part),
                                     self->messages, call, name, part, service, error);

  if (goals != NULL)
    g_ptr_array_add (self->actions, goals);
  return goals != NULL;
}

static gboolean
offer (OrreryRos2RequestManager *self, const char *part, const char *service, GError **error)
{
  const char *classpath = NULL, *type = NULL;
  const OrreryService *found =
      orrery_request_manager_find_service (ORRERY_REQUEST_MANAGER (self), part, service, &classpath,
                                           &type);
  const MessageCall *call =
      found != NULL ? message_calls_find (self->calls, classpath, found, type, error) : NULL;

  if (call == NULL)
    return found == NULL;
  if (message_call_get_service (call) != NULL)
    return add_service (self, part, service, call, error);
  return add_action (self, part, service, call, error);
}

/* Its properties are parameters of the node of its robot. */
static gboolean
add_to_parameters (OrreryRos2RequestManager *self, const char *part, GError **error)
{
  const char *robot = find_robot (self, part);
  Ros2Parameters *parameters;

  for (guint i = 0; robot != NULL && i < self->parameters->len; i++)
    if (g_str_equal (ros2_parameters_get_robot (self->parameters->pdata[i]), robot)) {
      ros2_parameters_add (self->parameters->pdata[i], part);
      return TRUE;
    }
  if (robot == NULL)
    return TRUE;
  parameters = ros2_parameters_new (ORRERY_REQUEST_MANAGER (self), self->messages, robot, error);
  if (parameters == NULL)
    return FALSE;
  g_ptr_array_add (self->parameters, parameters);
  ros2_parameters_add (parameters, part);
  return TRUE;
}

static gboolean
offer_parameters (OrreryRos2RequestManager *self, Ros2Parameters *parameters, GError **error)
{
  DdsNode *node = find_node (self, ros2_parameters_get_robot (parameters));

  for (guint i = 0; i < ROS2_N_QUESTIONS; i++) {
    const char *type;
    g_autofree char *name =
        g_strconcat ("~", ros2_parameters_get_service ((Ros2Question) i, &type), NULL);
    Service *added = g_new0 (Service, 1);

    *added = (Service){ .manager = self, .parameters = parameters, .question = (Ros2Question) i };
    g_ptr_array_add (self->services, added);
    added->dds = dds_node_advertise_service (node, name, type, on_request, added, error);
    if (added->dds == NULL)
      return FALSE;
  }
  return ros2_parameters_open (parameters, node, self->messages, error);
}

static gboolean
offer_all (OrreryRos2RequestManager *self, GError **error)
{
  g_autoptr (GVariant) all = orrery_request_manager_list_services (ORRERY_REQUEST_MANAGER (self));
  const char *part, *service;
  GVariantIter iter;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&su)", &part, &service, NULL)) {
    /* Nodes of ROS 2 call each other without it. */
    if (g_str_equal (part, NAME) && g_str_equal (service, CALL_REMOTE))
      continue;
    if (!offer (self, part, service, error) ||
        (g_str_equal (service, "set_property") && !add_to_parameters (self, part, error))) {
      g_prefix_error (error, "services of ros2: %s %s: ", part, service);
      return FALSE;
    }
  }
  for (guint i = 0; i < self->parameters->len; i++)
    if (!offer_parameters (self, self->parameters->pdata[i], error))
      return FALSE;
  return TRUE;
}

static void
orrery_ros2_request_manager_start (OrreryRequestManager *manager, GError **error)
{
  OrreryRos2RequestManager *self = (OrreryRos2RequestManager *) manager;

  if (self->offline)
    return;
  self->calls = message_calls_new (self->messages, ORRERY_MESSAGE_ROS2, error);
  if (self->calls == NULL || !start_context (self, error) || !offer_all (self, error))
    return;
  connect_remote (self);
  flush (self);
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE,
                         "ROS 2: services and actions in domain %u: %u and %u",
                         dds_context_get_domain (dds_share_get_context (self->share)),
                         self->services->len, self->actions->len);
}

/* --- ending --- */

static void
cancel_pending (OrreryRos2RequestManager *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (pending_unref);

  for (guint i = 0; i < self->pending->len; i++) {
    Pending *pending = self->pending->pdata[i];

    pending->references++;
    g_ptr_array_add (all, pending);
  }
  for (guint i = 0; i < all->len; i++) {
    Pending *pending = all->pdata[i];
    g_autoptr (OrreryCall) call = pending->call != NULL ? g_object_ref (pending->call) : NULL;

    if (call != NULL)
      orrery_call_cancel (call);
    if (pending->dds != NULL)
      answer_failure (pending->service, g_steal_pointer (&pending->dds), "the simulation ends");
  }
}

static void
refuse_requests (OrreryRos2RequestManager *self)
{
  GQueue requests = take_requests (self);
  Request *request;

  while ((request = g_queue_pop_head (&requests)) != NULL) {
    answer_failure (request->service, request->call, "the simulation ends");
    request_free (request);
  }
}

static void
orrery_ros2_request_manager_close (OrreryRequestManager *manager)
{
  OrreryRos2RequestManager *self = (OrreryRos2RequestManager *) manager;

  disconnect_remote (self);
  if (self->share == NULL)
    return;
  if (dds_share_get_context (self->share) != NULL) {
    for (guint i = 0; i < self->parameters->len; i++)
      ros2_parameters_close (self->parameters->pdata[i]);
    cancel_pending (self);
    refuse_requests (self);
    for (guint i = 0; i < self->actions->len; i++)
      ros2_goals_end (self->actions->pdata[i]);
    flush (self);
    for (guint i = 0; i < self->services->len; i++)
      if (((Service *) self->services->pdata[i])->dds != NULL)
        dds_service_unadvertise (((Service *) self->services->pdata[i])->dds);
    for (guint i = 0; i < self->actions->len; i++)
      ros2_goals_unadvertise (self->actions->pdata[i]);
    dds_context_settle (dds_share_get_context (self->share));
    dds_share_report (self->share, self, G_LOG_DOMAIN);
    /* What came in between is dropped while the context is there. */
    refuse_requests (self);
    g_ptr_array_set_size (self->actions, 0);
  }
  g_clear_pointer (&self->remote, ros2_remote_free);
  dds_share_release (g_steal_pointer (&self->share));
}

/* --- the class --- */

static void
orrery_ros2_request_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRos2RequestManager *self = (OrreryRos2RequestManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->messages = orrery_message_catalogue_ref (orrery_setup_get_messages (setup));
  g_set_object (&self->world, orrery_setup_get_world (setup));
  set_up_remote (self);
  orrery_setup_publish (setup, NAME);
}

static void
orrery_ros2_request_manager_class_init (OrreryRos2RequestManagerClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_ros2_request_manager_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_ros2_request_manager_cancel;
  manager->start = orrery_ros2_request_manager_start;
  manager->intake = orrery_ros2_request_manager_intake;
  manager->flush = orrery_ros2_request_manager_flush;
  manager->close = orrery_ros2_request_manager_close;
  manager->tick = orrery_ros2_request_manager_tick;
  manager->is_open = TRUE;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_SERVICES (klass, own_services);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryRos2RequestManager, requests, request_queue_clear);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, calls, message_calls_free);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, services, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, actions, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, parameters, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, pending, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, remote_calls, remote_calls_free);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, messages, orrery_message_catalogue_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2RequestManager, world, g_object_unref);
}

static void
orrery_ros2_request_manager_init (OrreryRos2RequestManager *self)
{
  request_queue_init (&self->requests, &limits);
  self->writer = orrery_writer_new ();
  self->services = g_ptr_array_new_with_free_func (service_free);
  self->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ros2_goals_free);
  self->parameters = g_ptr_array_new_with_free_func ((GDestroyNotify) ros2_parameters_free);
  self->pending = g_ptr_array_new ();
}

ORRERY_PLUGIN ("Services and actions of ROS 2", "BSD-3-Clause",
               ORRERY_CLASS (Ros2RequestManager, OrreryRos2RequestManager,
                             orrery_ros2_request_manager, .stream = "ros2"))
