/* SPDX-License-Identifier: BSD-3-Clause */
/* Service calls as messages of MQTT. */
#define G_LOG_DOMAIN "orrery.middleware.mqtt_request_manager"
#include <orrery.h>

#include "message/backlog.h"
#include "mqtt/mqtt-link.h"
#include "mqtt/mqtt-request.h"

#include <string.h>

/*
 * PREFIX/ROBOT/COMPONENT/call/SERVICE takes a list of arguments, or an object with `arguments`,
 * `id` and `reply`. The answer goes to the response topic of the message, with its correlation data
 * (MQTT 5), else to PREFIX/reply/REPLY; who gives neither gets none. PREFIX/cancel cancels what has
 * the same address, correlation data and id.
 */

#define WAIT_MS 500
/* Calls that wait for an answer; their bytes are limited, too. */
#define MAX_PENDING 1000
#define MAX_ALWAYS 16
/* What the broker is asked for at most: what clients choose is kept. */
#define CALL_QOS 2

/* Of what waits for the tick. A payload has at most 1 MiB; topics and correlation data are the
 * client's choice, too. */
static const BacklogLimits limits = { 1000, BACKLOG_BYTES, MQTT_MAX_IN + 256 * 1024 };

typedef struct {
  OrreryRequestManager parent_instance;

  MqttSettings settings;
  gboolean offline;
  OrreryWorld *world;
  MqttLink *link; /* (nullable) */
  char *replies;  /* PREFIX/reply/ */
  OrreryWriter *writer;
  gboolean not_finite_words; /* in place of null */
  GPtrArray *parts;          /* (element-type utf8): published names */
  GQueue pending;            /* (element-type Pending) in the order of the requests */
  gsize n_pending_bytes;     /* that these hold */
  gboolean collecting;       /* between intake and flush: answers go out together */
  gboolean warned_silent;

  RequestQueue incoming; /* (element-type Incoming) */
} OrreryMqttRequestManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryMqttRequestManager, orrery_mqtt_request_manager,
                               OrreryRequestManager, orrery_request_manager)

/* What came in, as it came. */
typedef struct {
  const char *part; /* borrowed; NULL: to be cancelled */
  char *service;
  char *payload;
  gsize length;
  char *response_topic; /* (nullable) */
  GBytes *correlation;  /* (nullable) */
} Incoming;

/* Where an answer goes, and by what its caller knows it. */
typedef struct {
  char *topic; /* (nullable): nobody wants it */
  GBytes *correlation;
  GVariant *id;
} Address;

typedef struct {
  OrreryMqttRequestManager *manager;
  GList link; /* in `pending` */
  Address address;
  OrreryCall *call;
  gsize size; /* bytes that it holds */
} Pending;

static const OrreryProperty properties[] = {
  MQTT_PROPERTIES (OrreryMqttRequestManager),
  ORRERY_PROPERTY_INT (OrreryMqttRequestManager, settings.qos, "qos", 0, 2, 0,
                       "Quality of service of answers", .flags = ORRERY_PROPERTY_AT_START),
};

static void
incoming_free (gpointer data)
{
  Incoming *incoming = data;

  g_free (incoming->service);
  g_free (incoming->payload);
  g_free (incoming->response_topic);
  g_clear_pointer (&incoming->correlation, g_bytes_unref);
  g_free (incoming);
}

/* --- addresses --- */

static void
address_clear (Address *address)
{
  g_clear_pointer (&address->topic, g_free);
  g_clear_pointer (&address->correlation, g_bytes_unref);
  g_clear_pointer (&address->id, g_variant_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Address, address_clear)

/* Answers are no commands: of the topics of this simulation they go to those for replies only. */
static gboolean
is_good_response_topic (OrreryMqttRequestManager *self, const char *topic)
{
  const char *prefix = mqtt_link_get_settings (self->link)->prefix;
  gsize length = strlen (prefix);

  if (!mqtt_topic_check ("response topic", topic, NULL))
    return FALSE;
  return strncmp (topic, prefix, length) != 0 || (topic[length] != '/' && topic[length] != '\0') ||
         g_str_has_prefix (topic, self->replies);
}

static void
find_address (OrreryMqttRequestManager *self, const Incoming *incoming, const MqttRequest *request,
              Address *address)
{
  *address = (Address){ 0 };
  address->id = request->id != NULL ? g_variant_ref (request->id) : NULL;
  if (incoming->response_topic != NULL && is_good_response_topic (self, incoming->response_topic)) {
    address->topic = g_strdup (incoming->response_topic);
    address->correlation =
        incoming->correlation != NULL ? g_bytes_ref (incoming->correlation) : NULL;
  } else if (request->reply != NULL) {
    address->topic = g_strconcat (self->replies, request->reply, NULL);
  }
}

static gboolean
is_same (const Address *one, const Address *other)
{
  if (g_strcmp0 (one->topic, other->topic) != 0 || (one->id == NULL) != (other->id == NULL) ||
      (one->correlation == NULL) != (other->correlation == NULL))
    return FALSE;
  return (one->id == NULL || g_variant_equal (one->id, other->id)) &&
         (one->correlation == NULL || g_bytes_equal (one->correlation, other->correlation));
}

/* --- what comes in; on the thread of the connection --- */

static gsize
measure (const Incoming *incoming)
{
  gsize size = sizeof *incoming + incoming->length + strlen (incoming->service);

  if (incoming->response_topic != NULL)
    size += strlen (incoming->response_topic);
  if (incoming->correlation != NULL)
    size += g_bytes_get_size (incoming->correlation);
  return size;
}

/* A cancellation has no answer. Returns: whether somebody is told */
static gboolean
refuse_incoming (OrreryMqttRequestManager *self, const Incoming *incoming, const char *why)
{
  g_auto (MqttRequest) request = { 0 };
  g_auto (Address) address = { 0 };
  g_autoptr (OrreryWriter) writer = NULL;
  g_autofree char *words = NULL;
  const char *text;
  gsize length;

  if (incoming->part == NULL)
    return FALSE;
  mqtt_request_parse (incoming->payload, incoming->length, &request, NULL);
  find_address (self, incoming, &request, &address);
  if (address.topic == NULL)
    return FALSE;
  words = g_strdup_printf ("%s %s: %s", incoming->part, incoming->service, why);
  writer = orrery_writer_new ();
  mqtt_answer_write (writer, address.id, "FAILED", NULL, words);
  text = orrery_writer_get_data (writer, &length);
  mqtt_link_answer_at_once (self->link, self->settings.qos, address.topic, address.correlation,
                            text, length);
  return TRUE;
}

static void
take_in (OrreryMqttRequestManager *self, const char *part, const MqttMessage *message)
{
  const char *service = strrchr (message->topic, '/');
  Incoming *incoming = g_new0 (Incoming, 1);
  g_autofree char *why = NULL;
  gboolean is_answered;

  incoming->part = part;
  incoming->service = g_strdup (service != NULL ? service + 1 : "");
  incoming->payload = g_strndup (message->payload, message->length);
  incoming->length = message->length;
  incoming->response_topic = g_strdup (message->response_topic);
  if (message->correlation != NULL)
    incoming->correlation = g_bytes_new (message->correlation, message->correlation_length);
  why = request_queue_add (&self->incoming, incoming, measure (incoming));
  if (why == NULL) {
    orrery_request_manager_wake (ORRERY_REQUEST_MANAGER (self));
    return;
  }
  is_answered = refuse_incoming (self, incoming, why);
  incoming_free (incoming);
  request_queue_count (&self->incoming, is_answered);
}

static void
on_call (gpointer part, gpointer self, const MqttMessage *message)
{
  take_in (self, part, message);
}

static void
on_cancel (gpointer data, gpointer self, const MqttMessage *message)
{
  take_in (self, NULL, message);
}

/* --- answers --- */

static void
answer (OrreryMqttRequestManager *self, const Address *address, const char *status, GVariant *value,
        const char *words)
{
  const char *text;
  gsize length;

  if (self->link == NULL || address->topic == NULL)
    return;
  orrery_writer_clear (self->writer);
  mqtt_answer_write (self->writer, address->id, status, value, words);
  text = orrery_writer_get_data (self->writer, &length);
  mqtt_link_answer (self->link, self->settings.qos, address->topic, address->correlation, text,
                    length);
  if (!self->collecting)
    mqtt_link_flush (self->link);
}

/* Nobody else is told. */
static void
warn_of_silence (OrreryMqttRequestManager *self, const Address *address, const char *service,
                 const char *words)
{
  if (address->topic != NULL || self->warned_silent)
    return;
  self->warned_silent = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "MQTT: a call of %s that wants no answer failed: %s (further ones are not "
                         "told)",
                         service, words);
}

static void
fail (OrreryMqttRequestManager *self, const Address *address, const char *service,
      const char *words)
{
  warn_of_silence (self, address, service, words);
  answer (self, address, "FAILED", NULL, words);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;
  OrreryMqttRequestManager *self = pending->manager;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);

  g_set_object (&pending->call, call);
  if (orrery_call_get_fault (call) == ORRERY_CALL_OK)
    answer (self, &pending->address, "SUCCESS", value, NULL);
  else if (orrery_call_get_fault (call) == ORRERY_CALL_PREEMPTED)
    answer (self, &pending->address, "PREEMPTED", NULL, NULL);
  else
    fail (self, &pending->address, orrery_call_get_service (call), error->message);
}

static void
pending_free (gpointer data)
{
  Pending *pending = data;
  OrreryMqttRequestManager *self = pending->manager;

  g_queue_unlink (&self->pending, &pending->link);
  self->n_pending_bytes -= pending->size;
  address_clear (&pending->address);
  g_clear_object (&pending->call);
  g_free (pending);
  g_object_unref (self);
}

/* --- calls --- */

/* Bytes that a call holds until it is answered. */
static gsize
measure_call (const Address *address, GVariant *arguments)
{
  gsize size = sizeof (Pending);

  if (address->topic != NULL)
    size += strlen (address->topic);
  if (address->correlation != NULL)
    size += g_bytes_get_size (address->correlation);
  if (address->id != NULL)
    size += g_variant_get_size (address->id);
  /* As bytes they take a tenth of what they take as a tree, whose size nobody knows. */
  if (arguments != NULL) {
    g_variant_get_data (arguments);
    size += g_variant_get_size (arguments);
  }
  return size;
}

/* @size: bytes that the call holds */
static void
submit (OrreryMqttRequestManager *self, Address *address, const char *part, const char *service,
        GVariant *arguments, gsize size)
{
  Pending *pending = g_new0 (Pending, 1);
  g_autoptr (OrreryCall) call = NULL;

  pending->manager = g_object_ref (self);
  pending->address = *address;
  *address = (Address){ 0 };
  pending->link.data = pending;
  pending->size = size;
  self->n_pending_bytes += size;
  g_queue_push_tail_link (&self->pending, &pending->link);
  call = orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (self), part, service, arguments,
                                        on_done, pending, pending_free);
  /* A call that was refused at once has freed it. */
  if (!orrery_call_is_done (call))
    g_set_object (&pending->call, call);
}

/* Supervision is answered at once, or ends what others wait for. Returns: (transfer full)
 * (nullable): NULL, or why there is no room */
static char *
check_room (OrreryMqttRequestManager *self, const char *part, const char *service, gsize size)
{
  gboolean is_free = g_str_equal (part, "simulation") && !g_str_equal (service, "step");
  guint most = MAX_PENDING + (is_free ? MAX_ALWAYS : 0);

  if (self->pending.length >= most)
    return g_strdup_printf ("%u calls wait for an answer, which is the limit", most);
  if (!is_free && self->n_pending_bytes + size > BACKLOG_BYTES)
    return g_strdup_printf ("the calls that wait for an answer have %" G_GSIZE_FORMAT
                            " bytes, this one has %" G_GSIZE_FORMAT
                            ", and the limit is %" G_GSIZE_FORMAT,
                            self->n_pending_bytes, size, BACKLOG_BYTES);
  return NULL;
}

static void
call (OrreryMqttRequestManager *self, const Incoming *incoming)
{
  g_auto (MqttRequest) request = { 0 };
  g_auto (Address) address = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  gboolean good = mqtt_request_parse (incoming->payload, incoming->length, &request, &error);
  gsize size;

  find_address (self, incoming, &request, &address);
  if (!good) {
    fail (self, &address, incoming->service, error->message);
    return;
  }
  size = measure_call (&address, request.arguments);
  why = check_room (self, incoming->part, incoming->service, size);
  if (why != NULL)
    fail (self, &address, incoming->service, why);
  else
    submit (self, &address, incoming->part, incoming->service, request.arguments, size);
}

/* Apart, since a cancelled call leaves the queue, and so may others. */
static void
cancel_calls (OrreryMqttRequestManager *self, const Address *address)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  for (GList *at = self->pending.head; at != NULL; at = at->next) {
    Pending *pending = at->data;

    if (pending->call != NULL && (address == NULL || is_same (address, &pending->address)))
      g_ptr_array_add (calls, g_object_ref (pending->call));
  }
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
}

static void
cancel (OrreryMqttRequestManager *self, const Incoming *incoming)
{
  g_auto (MqttRequest) request = { 0 };
  g_auto (Address) address = { 0 };

  if (!mqtt_request_parse (incoming->payload, incoming->length, &request, NULL))
    return;
  find_address (self, incoming, &request, &address);
  if (address.topic != NULL)
    cancel_calls (self, &address);
}

/* --- the connection --- */

static void
log_news (gpointer self, GLogLevelFlags level, const char *words)
{
  orrery_part_log_plain (self, level, "MQTT: %s", words);
}

static void
add_part (OrreryMqttRequestManager *self, const char *part)
{
  const MqttSettings *settings = mqtt_link_get_settings (self->link);
  g_autofree char *topic = mqtt_topic_name (settings->prefix, part);
  g_autofree char *calls = g_strconcat (topic, "/call/+", NULL);
  g_autoptr (GError) error = NULL;
  char *name = g_strdup (part);

  g_ptr_array_add (self->parts, name);
  if (mqtt_topic_check (part, topic, &error))
    mqtt_link_add_input (self->link, calls, CALL_QOS, on_call, name, self);
  else
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "MQTT: no services of %s", error->message);
}

static void
end_part (GVariantBuilder *map, const char *part, GPtrArray *services)
{
  if (part != NULL)
    g_variant_builder_add (map, "{s@as}", part,
                           g_variant_new_strv ((const char **) services->pdata, services->len));
  g_ptr_array_set_size (services, 0);
}

/* They come sorted by part. */
static void
add_services (OrreryMqttRequestManager *self)
{
  g_autoptr (GVariant) all = orrery_request_manager_list_services (ORRERY_REQUEST_MANAGER (self));
  g_autoptr (GPtrArray) services = g_ptr_array_new ();
  const char *part, *service, *last = NULL;
  GVariantBuilder map;
  GVariantIter iter;

  g_variant_builder_init (&map, G_VARIANT_TYPE ("a{sas}"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&su)", &part, &service, NULL)) {
    if (last == NULL || !g_str_equal (part, last)) {
      end_part (&map, last, services);
      add_part (self, part);
    }
    g_ptr_array_add (services, (gpointer) service);
    last = part;
  }
  end_part (&map, last, services);
  mqtt_link_set_info (self->link, MQTT_INFO_SERVICES, g_variant_builder_end (&map));
}

static void
join (OrreryMqttRequestManager *self)
{
  const char *prefix = mqtt_link_get_settings (self->link)->prefix;
  g_autofree char *topic = g_strconcat (prefix, "/cancel", NULL);

  self->replies = g_strconcat (prefix, "/reply/", NULL);
  mqtt_link_add_input (self->link, topic, CALL_QOS, on_cancel, NULL, self);
  add_services (self);
}

static void
leave_link (OrreryMqttRequestManager *self)
{
  if (self->link != NULL)
    mqtt_link_leave (self->link, self);
  g_clear_pointer (&self->link, mqtt_link_unref);
}

static void
orrery_mqtt_request_manager_start (OrreryRequestManager *manager, GError **error)
{
  OrreryMqttRequestManager *self = (OrreryMqttRequestManager *) manager;
  MqttLinkState state = MQTT_LINK_TRYING;
  g_autofree char *words = NULL;
  const MqttSettings *settings;

  if (self->offline)
    return;
  self->link = mqtt_link_share (self->world, &self->settings, error);
  if (self->link == NULL)
    return;
  settings = mqtt_link_get_settings (self->link);
  join (self);
  if (!mqtt_link_start (self->link, WAIT_MS, &state, &words, error))
    return;
  mqtt_link_take_news (self->link, log_news, self);
  if (state == MQTT_LINK_REFUSED) {
    orrery_set_error (error, ORRERY_ERROR_IO, "MQTT: no connection to the broker at %s:%d: %s",
                      settings->host, settings->port, words);
    leave_link (self);
  } else if (state == MQTT_LINK_TRYING && mqtt_link_claim_absence (self->link)) {
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                           "MQTT: no broker at %s:%d: %s; services are offered when it comes",
                           settings->host, settings->port, words);
  }
}

/* --- in the tick --- */

static GQueue
take_incoming (OrreryMqttRequestManager *self)
{
  g_autofree char *words = NULL;
  GQueue taken = request_queue_take (&self->incoming, &words);

  if (words != NULL)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "services of mqtt: %s", words);
  return taken;
}

static void
handle (OrreryMqttRequestManager *self, const Incoming *incoming)
{
  if (incoming->part != NULL)
    call (self, incoming);
  else
    cancel (self, incoming);
}

static void
orrery_mqtt_request_manager_intake (OrreryRequestManager *manager)
{
  OrreryMqttRequestManager *self = (OrreryMqttRequestManager *) manager;
  GQueue taken;

  if (self->link == NULL)
    return;
  self->collecting = TRUE;
  taken = take_incoming (self);
  for (GList *at = taken.head; at != NULL; at = at->next)
    handle (self, at->data);
  g_queue_clear_full (&taken, incoming_free);
  mqtt_link_open (self->link);
  mqtt_link_take_news (self->link, log_news, self);
}

static void
orrery_mqtt_request_manager_flush (OrreryRequestManager *manager)
{
  OrreryMqttRequestManager *self = (OrreryMqttRequestManager *) manager;

  self->collecting = FALSE;
  if (self->link != NULL)
    mqtt_link_flush (self->link);
}

static void
orrery_mqtt_request_manager_close (OrreryRequestManager *manager)
{
  OrreryMqttRequestManager *self = (OrreryMqttRequestManager *) manager;

  if (self->link == NULL)
    return;
  mqtt_link_take_news (self->link, log_news, self);
  /* So that every client is told how its calls end. */
  cancel_calls (self, NULL);
  leave_link (self);
}

/* --- the class --- */

static void
orrery_mqtt_request_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMqttRequestManager *self = (OrreryMqttRequestManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->not_finite_words = orrery_setup_wants_not_finite_words (setup);
  orrery_writer_set_names_not_finite (self->writer, self->not_finite_words);
  g_set_object (&self->world, orrery_setup_get_world (setup));
  mqtt_settings_finish (&self->settings, setup, error);
}

static void
orrery_mqtt_request_manager_finalize (GObject *object)
{
  OrreryMqttRequestManager *self = (OrreryMqttRequestManager *) object;

  g_queue_clear_full (&self->incoming.backlog.items, incoming_free);
  request_queue_clear (&self->incoming);
  G_OBJECT_CLASS (orrery_mqtt_request_manager_parent_class)->finalize (object);
}

static void
orrery_mqtt_request_manager_class_init (OrreryMqttRequestManagerClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_mqtt_request_manager_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_mqtt_request_manager_setup;
  manager->start = orrery_mqtt_request_manager_start;
  manager->intake = orrery_mqtt_request_manager_intake;
  manager->flush = orrery_mqtt_request_manager_flush;
  manager->close = orrery_mqtt_request_manager_close;
  manager->is_open = TRUE;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryMqttRequestManager, replies, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryMqttRequestManager, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMqttRequestManager, parts, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMqttRequestManager, world, g_object_unref);
}

static void
orrery_mqtt_request_manager_init (OrreryMqttRequestManager *self)
{
  self->writer = orrery_writer_new ();
  self->parts = g_ptr_array_new_with_free_func (g_free);
  request_queue_init (&self->incoming, &limits);
}

ORRERY_PLUGIN ("Service calls as messages of MQTT", "BSD-3-Clause",
               ORRERY_CLASS (MqttRequestManager, OrreryMqttRequestManager,
                             orrery_mqtt_request_manager, .stream = "mqtt"))
