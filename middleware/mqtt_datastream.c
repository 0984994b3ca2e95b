/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records as messages of MQTT. */
#define G_LOG_DOMAIN "orrery.middleware.mqtt_datastream"
#include <orrery.h>

#include "mqtt/mqtt-link.h"

/*
 * Each topic of a codec is a topic below the prefix; a codec without topics has PREFIX/ROBOT/SENSOR
 * or PREFIX/ROBOT/ACTUATOR/set. What is published goes into a queue of the connection; what comes
 * in is put into the stream by the thread of the connection, and the last message of a tick wins.
 */

/* How long a run waits for the broker when it begins, ms. */
#define WAIT_MS 500
/* How often, in ticks, the counts of the thread are looked at. */
#define REPORT_EVERY 32
#define STANDARD_QUEUE 100
#define MAX_QUEUE 100000
/* A larger message is kept, and not copied. */
#define LARGE (16 << 10)

typedef struct {
  OrreryStreamOptions parent_instance;

  char *topic;
  int qos;
  gboolean retain;
  int queue;
} OrreryMqttStreamOptions;
ORRERY_DEFINE_CLASS (OrreryMqttStreamOptions, orrery_mqtt_stream_options, OrreryStreamOptions,
                     orrery_stream_options)

typedef struct {
  OrreryStream *stream; /* borrowed: the host keeps it until the manager is closed */
  char *topic;          /* (nullable): the option */
  int qos;
  int retain; /* -1: as the topic says */
  guint queue;
  guint n_topics;
  char **names;       /* (array length=n_topics) */
  gboolean *latched;  /* likewise */
  MqttTopic **topics; /* likewise, while there is a connection, of a stream that goes out */
  gboolean warned;
} Port;

typedef struct {
  OrreryDatastreamManager parent_instance;

  MqttSettings settings;
  gboolean offline; /* this run opens no connection */
  OrreryWorld *world;
  GPtrArray *ports; /* (element-type Port) in the order of the config */
  MqttLink *link;   /* (nullable) */
  guint n_starts;
  guint n_intakes;
} OrreryMqttDatastreamManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryMqttDatastreamManager, orrery_mqtt_datastream_manager,
                               OrreryDatastreamManager, orrery_datastream_manager)

static const OrreryProperty properties[] = {
  MQTT_PROPERTIES (OrreryMqttDatastreamManager),
  ORRERY_PROPERTY_INT (OrreryMqttDatastreamManager, settings.qos, "qos", 0, 2, 0,
                       "Quality of service of streams that do not say it themselves",
                       .flags = ORRERY_PROPERTY_AT_START),
};

static void
port_free (gpointer data)
{
  Port *port = data;

  for (guint i = 0; port->names != NULL && i < port->n_topics; i++)
    g_free (port->names[i]);
  g_free (port->names);
  g_free (port->latched);
  g_free (port->topics);
  g_free (port->topic);
  g_free (port);
}

/* --- options of a stream --- */

static const OrreryProperty stream_options[] = {
  ORRERY_PROPERTY_STRING (OrreryMqttStreamOptions, topic, "topic", NULL,
                          "The topic; if it is not given, the prefix and the name of the component",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryMqttStreamOptions, qos, "qos", 0, 2, 0,
                       "Quality of service; if it is not given, that of the manager",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryMqttStreamOptions, retain, "retain", FALSE,
                           "Whether the broker keeps the last message; if it is not given, as the "
                           "mapping says",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryMqttStreamOptions, queue, "queue", 1, MAX_QUEUE, STANDARD_QUEUE,
                       "Messages that wait at most, then the oldest is dropped; 1: only the newest",
                       .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_mqtt_stream_options_class_init (OrreryMqttStreamOptionsClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, stream_options);
}

static void
read_options (OrreryMqttDatastreamManager *self, Port *port)
{
  OrreryStreamOptions *given = orrery_stream_get_options (port->stream);
  OrreryMqttStreamOptions *options = (OrreryMqttStreamOptions *) given;

  port->topic = g_strdup (options->topic);
  port->qos = orrery_stream_options_is_given (given, "qos") ? options->qos : self->settings.qos;
  port->retain = orrery_stream_options_is_given (given, "retain") ? options->retain : -1;
  port->queue = (guint) options->queue;
}

/* --- topics of a stream --- */

static gboolean
is_out (const Port *port)
{
  return orrery_stream_get_direction (port->stream) == ORRERY_DIRECTION_OUT;
}

static char *
name_plain (OrreryMqttDatastreamManager *self, Port *port)
{
  g_autofree char *name = NULL;

  if (port->topic != NULL)
    return g_strdup (port->topic);
  name = mqtt_topic_name (self->settings.prefix, orrery_stream_get_name (port->stream));
  return is_out (port) ? g_steal_pointer (&name) : g_strconcat (name, "/set", NULL);
}

static gboolean
check_topic (OrreryMqttDatastreamManager *self, Port *port, const char *name, GError **error)
{
  static const char *const reserved[] = { "status", "info", "cancel" };
  gboolean given = port->topic != NULL;

  if (!mqtt_topic_check (given ? "option 'topic'" : "its name (give the option 'topic')", name,
                         error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++) {
    g_autofree char *taken = g_strconcat (self->settings.prefix, "/", reserved[i], NULL);

    if (g_str_equal (name, taken))
      return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                               "%s: '%s' is kept for the simulation itself",
                               given ? "option 'topic'" : "its topic", name);
  }
  return TRUE;
}

static char *
name_declared (OrreryMqttDatastreamManager *self, const OrreryTopic *topic)
{
  return g_strconcat (self->settings.prefix, "/", topic->name + (topic->name[0] == '/'), NULL);
}

static gboolean
name_topics (OrreryMqttDatastreamManager *self, Port *port, GError **error)
{
  OrreryDatastream *codec = orrery_stream_get_codec (port->stream);
  guint n = orrery_datastream_get_n_topics (codec);

  port->n_topics = is_out (port) ? MAX (n, 1) : 1;
  port->names = g_new0 (char *, port->n_topics);
  port->latched = g_new0 (gboolean, port->n_topics);
  for (guint i = 0; i < port->n_topics; i++) {
    const OrreryTopic *topic = n > 0 ? orrery_datastream_get_topic (codec, i) : NULL;

    port->latched[i] = topic != NULL && topic->flags & ORRERY_TOPIC_LATCHED;
    port->names[i] = topic != NULL ? name_declared (self, topic) : name_plain (self, port);
    if (!check_topic (self, port, port->names[i], error))
      return FALSE;
  }
  return TRUE;
}

static void
orrery_mqtt_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                     GVariant *options, GError **error)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) manager;
  Port *port = g_new0 (Port, 1);

  port->stream = stream;
  g_ptr_array_add (self->ports, port);
  read_options (self, port);
  if (!name_topics (self, port, error))
    return;
  orrery_stream_set_user_data (stream, port, NULL);
}

/* --- the connection --- */

/* On the thread of the connection. */
static void
put (gpointer data, gpointer owner, const MqttMessage *message)
{
  orrery_stream_put (data, 0, message->payload, message->length);
}

static void
join (OrreryMqttDatastreamManager *self, Port *port)
{
  if (!is_out (port)) {
    mqtt_link_add_input (self->link, port->names[0], port->qos, put, port->stream, self);
    return;
  }
  port->topics = g_new0 (MqttTopic *, port->n_topics);
  for (guint i = 0; i < port->n_topics; i++) {
    gboolean retain = port->retain >= 0 ? port->retain : port->latched[i];

    port->topics[i] =
        mqtt_link_add_topic (self->link, self, port->names[i], port->qos, retain, port->queue);
    mqtt_topic_set_stream (port->topics[i], port->stream, i, port->latched[i]);
  }
}

static GVariant *
describe_streams (OrreryMqttDatastreamManager *self)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->ports->len; i++) {
    Port *port = self->ports->pdata[i];
    OrreryDatastream *codec = orrery_stream_get_codec (port->stream);
    guint n = orrery_datastream_get_n_topics (codec);

    for (guint j = 0; j < port->n_topics; j++) {
      const OrreryMessageType *type = n > 0 ? orrery_datastream_get_topic (codec, j)->type : NULL;

      g_variant_builder_open (&all, G_VARIANT_TYPE_VARDICT);
      g_variant_builder_add (&all, "{sv}", "name",
                             g_variant_new_string (orrery_stream_get_name (port->stream)));
      g_variant_builder_add (&all, "{sv}", "topic", g_variant_new_string (port->names[j]));
      g_variant_builder_add (&all, "{sv}", "direction",
                             g_variant_new_string (is_out (port) ? "OUT" : "IN"));
      if (type != NULL)
        g_variant_builder_add (&all, "{sv}", "type",
                               g_variant_new_string (orrery_message_type_get_name (type)));
      g_variant_builder_close (&all);
    }
  }
  return g_variant_builder_end (&all);
}

static gboolean
share_link (OrreryMqttDatastreamManager *self, GError **error)
{
  if (self->link != NULL)
    return TRUE;
  self->link = mqtt_link_share (self->world, &self->settings, error);
  if (self->link == NULL)
    return FALSE;
  for (guint i = 0; i < self->ports->len; i++)
    join (self, self->ports->pdata[i]);
  mqtt_link_set_info (self->link, MQTT_INFO_STREAMS, describe_streams (self));
  return TRUE;
}

static void
leave_link (OrreryMqttDatastreamManager *self)
{
  if (self->link != NULL)
    mqtt_link_leave (self->link, self);
  for (guint i = 0; i < self->ports->len; i++)
    g_clear_pointer (&((Port *) self->ports->pdata[i])->topics, g_free);
  g_clear_pointer (&self->link, mqtt_link_unref);
}

static void
log_news (gpointer self, GLogLevelFlags level, const char *words)
{
  orrery_part_log_plain (self, level, "MQTT: %s", words);
}

static void
orrery_mqtt_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) manager;
  MqttLinkState state = MQTT_LINK_TRYING;
  g_autofree char *words = NULL;

  /* Without streams, what is said about the connection is for the services. */
  if (self->offline || !share_link (self, error) || self->ports->len == 0)
    return;
  if (!mqtt_link_start (self->link, self->n_starts++ == 0 ? WAIT_MS : 0, &state, &words, error))
    return;
  mqtt_link_take_news (self->link, log_news, self);
  if (state == MQTT_LINK_CONNECTED)
    return;
  mqtt_link_claim_absence (self->link);
  orrery_set_error (error, state == MQTT_LINK_REFUSED ? ORRERY_ERROR_IO : ORRERY_ERROR_BUSY,
                    state == MQTT_LINK_REFUSED ? "MQTT: no connection to the broker at %s:%d: %s"
                                               : "MQTT: no broker at %s:%d: %s",
                    self->settings.host, self->settings.port, words);
  if (state == MQTT_LINK_REFUSED)
    leave_link (self);
}

/* --- in the tick --- */

static void
orrery_mqtt_datastream_manager_send_messages (OrreryDatastreamManager *manager,
                                              OrreryStream *stream, OrreryWriter *writer)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) manager;
  Port *port = orrery_stream_get_user_data (stream);
  guint n = orrery_writer_get_n_messages (writer);

  for (guint i = 0; port->topics != NULL && i < n; i++) {
    const char *data;
    gsize length;
    guint topic = orrery_writer_get_message (writer, i, &data, &length);

    if (topic >= port->n_topics)
      continue;
    if (length >= LARGE)
      mqtt_link_publish_bytes (self->link, port->topics[topic],
                               orrery_writer_dup_message (writer, i));
    else
      mqtt_link_publish (self->link, port->topics[topic], data, length);
  }
}

static void
orrery_mqtt_datastream_manager_flush (OrreryDatastreamManager *manager)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) manager;

  if (self->link != NULL)
    mqtt_link_flush (self->link);
}

static void
warn_once (OrreryMqttDatastreamManager *self, Port *port)
{
  guint64 n = 0;

  for (guint i = 0; port->topics != NULL && i < port->n_topics; i++)
    n += mqtt_topic_get_n_dropped (port->topics[i]);
  if (n == 0 || port->warned)
    return;
  port->warned = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "MQTT stream of %s: the broker is away, or slower than the stream: the "
                         "oldest messages are lost (%" G_GUINT64_FORMAT " so far)",
                         orrery_stream_get_name (port->stream), n);
}

static void
report (OrreryMqttDatastreamManager *self)
{
  for (guint i = 0; i < self->ports->len; i++)
    warn_once (self, self->ports->pdata[i]);
}

static void
orrery_mqtt_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) manager;

  if (self->link == NULL)
    return;
  mqtt_link_open (self->link);
  mqtt_link_take_news (self->link, log_news, self);
  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
orrery_mqtt_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) manager;

  if (self->link == NULL)
    return;
  mqtt_link_take_news (self->link, log_news, self);
  report (self);
  leave_link (self);
}

/* --- the class --- */

static void
orrery_mqtt_datastream_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMqttDatastreamManager *self = (OrreryMqttDatastreamManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  g_set_object (&self->world, orrery_setup_get_world (setup));
  mqtt_settings_finish (&self->settings, setup, error);
}

static void
orrery_mqtt_datastream_manager_class_init (OrreryMqttDatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_mqtt_datastream_manager_setup;
  orrery_datastream_manager_class_set_stream_options (manager,
                                                      orrery_mqtt_stream_options_get_type ());
  manager->open = orrery_mqtt_datastream_manager_open;
  manager->start = orrery_mqtt_datastream_manager_start;
  manager->send_messages = orrery_mqtt_datastream_manager_send_messages;
  manager->flush = orrery_mqtt_datastream_manager_flush;
  manager->intake = orrery_mqtt_datastream_manager_intake;
  manager->close = orrery_mqtt_datastream_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryMqttDatastreamManager, ports, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMqttDatastreamManager, world, g_object_unref);
}

static void
orrery_mqtt_datastream_manager_init (OrreryMqttDatastreamManager *self)
{
  self->ports = g_ptr_array_new_with_free_func (port_free);
}

ORRERY_PLUGIN ("Records as messages of MQTT", "BSD-3-Clause",
               ORRERY_CLASS (MqttDatastreamManager, OrreryMqttDatastreamManager,
                             orrery_mqtt_datastream_manager, .stream = "mqtt", .encoding = "json",
                             .publisher = "orrery.middleware.socket_datastream.SocketPublisher",
                             .reader = "orrery.middleware.socket_datastream.SocketReader"))
