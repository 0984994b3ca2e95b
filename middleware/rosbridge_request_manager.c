/* SPDX-License-Identifier: BSD-3-Clause */
/* Service calls and actions of clients of rosbridge. */
#define G_LOG_DOMAIN "orrery.middleware.rosbridge_request_manager"
#include "rosbridge/bridge.h"

#include <orrery.h>

#include <string.h>

/*
 * Services for clients of rosbridge v2. A service is called by the name of its part with slashes
 * for dots, and its own: /robot/motion/goto. Every service can be called, and is an action as well,
 * which can be cancelled and may tell how far it is. Several calls of a client run side by side.
 */

/* How often, in ticks, the counts of the I/O thread are looked at. */
#define REPORT_EVERY 32

/* Of action_msgs/msg/GoalStatus. */
enum { STATUS_SUCCEEDED = 4, STATUS_CANCELED = 5, STATUS_ABORTED = 6 };

typedef struct {
  OrreryRequestManager parent_instance;

  char *address;
  int port;
  char *origins;
  gboolean offline;
  char *allowed_users;
  char *token_file;

  Bridge *bridge;
  OrreryWriter *writer;
  GHashTable *services; /* (element-type utf8 Target) by path */
  GQueue pending;       /* (element-type Pending) in the order of the requests */
  guint n_intakes;
} OrreryRosbridgeRequestManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryRosbridgeRequestManager, orrery_rosbridge_request_manager,
                               OrreryRequestManager, orrery_request_manager)

/* Who answers a path. */
typedef struct {
  char *part;
  char *service;
} Target;

/* A request that is not answered yet. */
typedef struct {
  OrreryRosbridgeRequestManager *manager;
  BridgeRequest *request;
  GList link;
  OrreryCall *call; /* (nullable): while it is submitted */
} Pending;

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryRosbridgeRequestManager, address, "address", "127.0.0.1",
                          "IP address to listen on; '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryRosbridgeRequestManager, port, "port", 0, 65535, 9090,
                       "The port, for streams and services; if it is in use, the first free one of "
                       "the nine behind it; 0 for any",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRosbridgeRequestManager, origins, "origins", NULL,
                          "Pages of other machines that may connect, with commas between: "
                          "https://lab.example; null for files, '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- answers --- */

static void
append_key (OrreryWriter *writer, const char *key)
{
  orrery_writer_append_text (writer, ",\"");
  orrery_writer_append_text (writer, key);
  orrery_writer_append_text (writer, "\":");
}

static void
begin_answer (OrreryWriter *writer, const BridgeRequest *request, const char *op)
{
  orrery_writer_clear (writer);
  orrery_writer_append_text (writer, "{\"op\":\"");
  orrery_writer_append_text (writer, op);
  orrery_writer_append_char (writer, '"');
  if (request->id != NULL) {
    append_key (writer, "id");
    orrery_writer_append_text (writer, request->id);
  }
  append_key (writer, request->kind == BRIDGE_GOAL ? "action" : "service");
  orrery_writer_append_json_text (writer, request->name);
}

static void
append_value (OrreryWriter *writer, GVariant *value)
{
  if (value != NULL)
    orrery_writer_append_json_variant (writer, value);
  else
    orrery_writer_append_text (writer, "null");
}

/* A value as JSON within a text. */
static void
append_as_text (OrreryWriter *writer, GVariant *value)
{
  g_autoptr (OrreryWriter) inner = orrery_writer_new ();
  g_autofree char *text = NULL;
  gsize length;
  const char *data;

  if (value != NULL)
    orrery_writer_append_json_variant (inner, value);
  data = orrery_writer_get_data (inner, &length);
  text = g_strndup (data, length);
  orrery_writer_append_json_text (writer, text);
}

/* @words: (nullable): of a failure */
static void
append_values (OrreryWriter *writer, BridgeShape shape, GVariant *value, const char *words)
{
  append_key (writer, "values");
  orrery_writer_append_text (writer, words == NULL ? "{\"success\":true" : "{\"success\":false");
  if (shape != BRIDGE_AS_TEXT) {
    append_key (writer, "message");
    orrery_writer_append_json_text (writer, words != NULL ? words : "");
  }
  append_key (writer, "result");
  if (shape != BRIDGE_AS_TEXT)
    append_value (writer, value);
  else if (words != NULL)
    orrery_writer_append_json_text (writer, words);
  else
    append_as_text (writer, value);
  orrery_writer_append_char (writer, '}');
}

/* An answer that says in its type whether all went well is one; only calls that are wrong have
 * none. */
static gboolean
has_values (const BridgeRequest *request, OrreryCallFault fault)
{
  return fault == ORRERY_CALL_OK ||
         (request->shape != BRIDGE_BY_PLACE &&
          (fault == ORRERY_CALL_FAILED || fault == ORRERY_CALL_PREEMPTED));
}

static void
append_end (OrreryWriter *writer, const BridgeRequest *request, OrreryCallFault fault)
{
  gboolean is_good = fault == ORRERY_CALL_OK;

  if (request->kind == BRIDGE_GOAL) {
    append_key (writer, "status");
    orrery_writer_append_int (writer, is_good                          ? STATUS_SUCCEEDED
                                      : fault == ORRERY_CALL_PREEMPTED ? STATUS_CANCELED
                                                                       : STATUS_ABORTED);
  } else {
    is_good = has_values (request, fault);
  }
  append_key (writer, "result");
  orrery_writer_append_text (writer, is_good ? "true}" : "false}");
}

static void
send_answer (OrreryRosbridgeRequestManager *self, const BridgeRequest *request, gboolean is_last)
{
  gsize length;
  const char *text = orrery_writer_get_data (self->writer, &length);

  bridge_answer (self->bridge, request, text, length, is_last);
}

static void
answer (OrreryRosbridgeRequestManager *self, const BridgeRequest *request, OrreryCallFault fault,
        GVariant *value, const char *words)
{
  begin_answer (self->writer, request,
                request->kind == BRIDGE_GOAL ? "action_result" : "service_response");
  if (has_values (request, fault)) {
    append_values (self->writer, request->shape, value, words);
  } else {
    append_key (self->writer, "values");
    orrery_writer_append_json_text (self->writer, words);
  }
  append_end (self->writer, request, fault);
  send_answer (self, request, TRUE);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);

  if (pending->manager->bridge != NULL)
    answer (pending->manager, pending->request, orrery_call_get_fault (call), value,
            error != NULL ? error->message : NULL);
}

static void
on_feedback (OrreryCall *call, GVariant *value, gpointer data)
{
  Pending *pending = data;
  OrreryRosbridgeRequestManager *self = pending->manager;

  if (self->bridge == NULL)
    return;
  begin_answer (self->writer, pending->request, "action_feedback");
  append_key (self->writer, "values");
  append_value (self->writer, value);
  orrery_writer_append_char (self->writer, '}');
  send_answer (self, pending->request, FALSE);
}

/* --- requests --- */

static void
pending_free (gpointer data)
{
  Pending *pending = data;
  OrreryRosbridgeRequestManager *self = pending->manager;

  g_queue_unlink (&self->pending, &pending->link);
  bridge_request_free (pending->request);
  g_clear_object (&pending->call);
  g_free (pending);
  g_object_unref (self);
}

/* @request: taken */
static void
submit (OrreryRosbridgeRequestManager *self, const Target *target, BridgeRequest *request)
{
  Pending *pending = g_new0 (Pending, 1);
  g_autoptr (OrreryCall) call = NULL;
  gboolean wants_feedback = request->kind == BRIDGE_GOAL && request->wants_feedback;

  *pending = (Pending){ .manager = g_object_ref (self), .request = request };
  pending->link.data = pending;
  g_queue_push_tail_link (&self->pending, &pending->link);
  call =
      orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (self), target->part, target->service,
                                     request->arguments, on_done, pending, pending_free);
  /* A call that was refused at once has freed it. */
  if (orrery_call_is_done (call))
    return;
  g_set_object (&pending->call, call);
  if (wants_feedback)
    orrery_call_set_feedback_func (call, on_feedback, pending, NULL);
}

static void
refuse_unknown (OrreryRosbridgeRequestManager *self, const BridgeRequest *request)
{
  g_autofree char *words =
      g_strdup_printf ("there is no service '%.120s'; /rosapi/services lists what there is",
                       request->name);

  answer (self, request, ORRERY_CALL_NO_SERVICE, NULL, words);
}

/* All calls of a client, or those that a cancel means: of its id, or without one of its action. */
static gboolean
is_meant (const Pending *pending, const BridgeRequest *request)
{
  const BridgeRequest *own = pending->request;

  if (pending->call == NULL || own->client != request->client)
    return FALSE;
  return request->kind == BRIDGE_GONE ||
         (own->kind == BRIDGE_GOAL && g_str_equal (own->name, request->name) &&
          (request->id == NULL || g_strcmp0 (own->id, request->id) == 0));
}

/* Apart, since a cancelled call leaves the queue, and so may others. */
static void
cancel (OrreryRosbridgeRequestManager *self, const BridgeRequest *request)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  for (GList *at = self->pending.head; at != NULL; at = at->next)
    if (request == NULL ? ((Pending *) at->data)->call != NULL : is_meant (at->data, request))
      g_ptr_array_add (calls, g_object_ref (((Pending *) at->data)->call));
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
}

static void
do_request (OrreryRosbridgeRequestManager *self, BridgeRequest *request)
{
  g_autoptr (BridgeRequest) owned = request;
  const Target *target;

  if (request->kind == BRIDGE_CANCEL || request->kind == BRIDGE_GONE) {
    cancel (self, request);
    if (request->kind == BRIDGE_CANCEL)
      bridge_finish (self->bridge, request);
    return;
  }
  target = g_hash_table_lookup (self->services, request->name);
  if (target != NULL)
    submit (self, target, g_steal_pointer (&owned));
  else
    refuse_unknown (self, request);
}

/* --- what can be called --- */

static void
target_free (gpointer data)
{
  Target *target = data;

  g_free (target->part);
  g_free (target->service);
  g_free (target);
}

static void
add_service (OrreryRosbridgeRequestManager *self, GPtrArray *names, const char *part,
             const char *service)
{
  g_autofree char *base = orrery_make_topic_name (part);
  g_autofree char *path = g_strconcat (base, "/", service, NULL);
  Target *target;

  if (g_hash_table_contains (self->services, path)) {
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                           "rosbridge: the service '%s' of %s cannot be called, since another one "
                           "has this name",
                           path, part);
    return;
  }
  target = g_new0 (Target, 1);
  *target = (Target){ g_strdup (part), g_strdup (service) };
  g_ptr_array_add (names, path);
  g_hash_table_insert (self->services, g_steal_pointer (&path), target);
}

static void
list_services (OrreryRosbridgeRequestManager *self)
{
  g_autoptr (GVariant) all = orrery_request_manager_list_services (ORRERY_REQUEST_MANAGER (self));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *part, *service;
  GVariantIter iter;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&su)", &part, &service, NULL))
    add_service (self, names, part, service);
  g_ptr_array_add (names, NULL);
  bridge_set_services (self->bridge, (const char *const *) names->pdata);
}

/* --- the manager --- */

static void
wake (gpointer self)
{
  orrery_request_manager_wake (self);
}

static void
orrery_rosbridge_request_manager_start (OrreryRequestManager *manager, GError **error)
{
  OrreryRosbridgeRequestManager *self = (OrreryRosbridgeRequestManager *) manager;
  g_autofree char *place = NULL;
  gboolean started;

  if (self->offline)
    return;
  list_services (self);
  bridge_set_wake (self->bridge, wake, self);
  if (!bridge_start (self->bridge, self->allowed_users, self->token_file, &started, error) ||
      !started)
    return;
  place = bridge_describe (self->bridge);
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "rosbridge now listening on port %s.", place);
}

static void
report (OrreryRosbridgeRequestManager *self)
{
  char *words;

  while ((words = bridge_take_warning (self->bridge)) != NULL) {
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s", words);
    g_free (words);
  }
}

static void
orrery_rosbridge_request_manager_intake (OrreryRequestManager *manager)
{
  OrreryRosbridgeRequestManager *self = (OrreryRosbridgeRequestManager *) manager;
  BridgeRequest *request;

  while ((request = bridge_take_request (self->bridge)) != NULL)
    do_request (self, request);
  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
orrery_rosbridge_request_manager_flush (OrreryRequestManager *manager)
{
  bridge_flush (((OrreryRosbridgeRequestManager *) manager)->bridge);
}

static void
orrery_rosbridge_request_manager_close (OrreryRequestManager *manager)
{
  OrreryRosbridgeRequestManager *self = (OrreryRosbridgeRequestManager *) manager;

  report (self);
  bridge_set_wake (self->bridge, NULL, NULL);
  /* So that every client is told how its calls end. */
  cancel (self, NULL);
  bridge_flush (self->bridge);
  g_clear_pointer (&self->bridge, bridge_release);
}

/* --- the class --- */

static void
orrery_rosbridge_request_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRosbridgeRequestManager *self = (OrreryRosbridgeRequestManager *) part;
  BridgeOptions given = {
    .address = orrery_setup_has_option (setup, "address") ? self->address : NULL,
    .port = orrery_setup_has_option (setup, "port") ? self->port : -1,
    .origins = self->origins,
  };

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->token_file = g_strdup (orrery_setup_get_token_file (setup));
  self->bridge = bridge_share (orrery_setup_get_world (setup));
  bridge_set_messages (self->bridge, orrery_setup_get_messages (setup));
  bridge_set_options (self->bridge, &given, error);
}

static void
orrery_rosbridge_request_manager_class_init (OrreryRosbridgeRequestManagerClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_rosbridge_request_manager_setup;
  manager->start = orrery_rosbridge_request_manager_start;
  manager->intake = orrery_rosbridge_request_manager_intake;
  manager->flush = orrery_rosbridge_request_manager_flush;
  manager->close = orrery_rosbridge_request_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeRequestManager, bridge, bridge_release);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeRequestManager, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeRequestManager, services, g_hash_table_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeRequestManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeRequestManager, token_file, g_free);
}

static void
orrery_rosbridge_request_manager_init (OrreryRosbridgeRequestManager *self)
{
  self->services = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, target_free);
  self->writer = orrery_writer_new ();
}

ORRERY_PLUGIN ("Services for clients of rosbridge", "BSD-3-Clause",
               ORRERY_CLASS (RosbridgeRequestManager, OrreryRosbridgeRequestManager,
                             orrery_rosbridge_request_manager, .stream = "rosbridge"))
