/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records as topics of rosbridge. */
#define G_LOG_DOMAIN "orrery.middleware.rosbridge_datastream"
#include "rosbridge/bridge.h"

#include <orrery.h>

/*
 * Topics for clients of rosbridge v2, JSON over WebSocket: web pages, Python, anything. Which
 * message a record becomes is said by the codec; one that declares no topic writes JSON of its own,
 * whose topic is named after the component.
 */

/* How often, in ticks, the counts of the I/O thread are looked at. */
#define REPORT_EVERY 32

/* Of a stream that sends. */
typedef struct {
  BridgeTopic *topics[ORRERY_MAX_TOPICS];
} Link;

typedef struct {
  OrreryStreamOptions parent_instance;

  int queue;
} OrreryRosbridgeStreamOptions;
ORRERY_DEFINE_CLASS (OrreryRosbridgeStreamOptions, orrery_rosbridge_stream_options,
                     OrreryStreamOptions, orrery_stream_options)

typedef struct {
  OrreryDatastreamManager parent_instance;

  char *address;
  int port;
  char *origins;
  gboolean offline;
  char *allowed_users;
  char *token_file;

  Bridge *bridge;
  guint n_intakes;
} OrreryRosbridgeDatastreamManager;
ORRERY_DEFINE_CLASS (OrreryRosbridgeDatastreamManager, orrery_rosbridge_datastream_manager,
                     OrreryDatastreamManager, orrery_datastream_manager)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryRosbridgeDatastreamManager, address, "address", "127.0.0.1",
                          "IP address to listen on; '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryRosbridgeDatastreamManager, port, "port", 0, 65535, 9090,
                       "The port, for streams and services; if it is in use, the first free one of "
                       "the nine behind it; 0 for any",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRosbridgeDatastreamManager, origins, "origins", NULL,
                          "Pages of other machines that may connect, with commas between: "
                          "https://lab.example; null for files, '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- opening --- */

static const OrreryProperty stream_options[] = {
  ORRERY_PROPERTY_INT (OrreryRosbridgeStreamOptions, queue, "queue", 1, BRIDGE_MAX_QUEUE,
                       BRIDGE_USUAL_QUEUE,
                       "Messages that wait for a client that reads slowly and does not say how "
                       "many, then the oldest is dropped; 1: only the newest",
                       .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_rosbridge_stream_options_class_init (OrreryRosbridgeStreamOptionsClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, stream_options);
}

static gboolean
open_topic (OrreryRosbridgeDatastreamManager *self, OrreryStream *stream, const OrreryTopic *topic,
            guint i, GError **error)
{
  Link *link = orrery_stream_get_user_data (stream);

  if (orrery_stream_get_direction (stream) == ORRERY_DIRECTION_IN)
    return bridge_add_reader (self->bridge, topic->name, topic->type, stream, error);
  link->topics[i] =
      bridge_add_writer (self->bridge, topic->name, topic->type,
                         (topic->flags & ORRERY_TOPIC_LATCHED) != 0, stream, i, error);
  if (link->topics[i] != NULL)
    bridge_topic_set_queue (
        link->topics[i],
        (guint) ((OrreryRosbridgeStreamOptions *) orrery_stream_get_options (stream))->queue);
  return link->topics[i] != NULL;
}

static void
orrery_rosbridge_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                          GVariant *options, GError **error)
{
  OrreryRosbridgeDatastreamManager *self = (OrreryRosbridgeDatastreamManager *) manager;
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  guint n = orrery_datastream_get_n_topics (codec);
  g_autofree char *name = orrery_make_topic_name (orrery_stream_get_name (stream));
  OrreryTopic unnamed = { .name = name };

  orrery_stream_set_user_data (stream, g_new0 (Link, 1), g_free);
  if (n == 0)
    open_topic (self, stream, &unnamed, 0, error);
  for (guint i = 0; i < n; i++)
    if (!open_topic (self, stream, orrery_datastream_get_topic (codec, i), i, error))
      return;
}

static void
orrery_rosbridge_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrreryRosbridgeDatastreamManager *self = (OrreryRosbridgeDatastreamManager *) manager;
  g_autofree char *place = NULL;
  gboolean started;

  if (self->offline ||
      !bridge_start (self->bridge, self->allowed_users, self->token_file, &started, error) ||
      !started)
    return;
  place = bridge_describe (self->bridge);
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "rosbridge now listening on port %s.", place);
}

/* --- in the tick --- */

static void
orrery_rosbridge_datastream_manager_send_messages (OrreryDatastreamManager *manager,
                                                   OrreryStream *stream, OrreryWriter *writer)
{
  Link *link = orrery_stream_get_user_data (stream);
  guint n = orrery_writer_get_n_messages (writer);

  for (guint i = 0; i < n; i++) {
    const char *data;
    gsize length;
    BridgeTopic *topic = link->topics[orrery_writer_get_message (writer, i, &data, &length)];

    if (topic != NULL)
      bridge_send (topic, writer, i);
  }
}

static void
orrery_rosbridge_datastream_manager_tick (OrreryDatastreamManager *manager, OrreryTick *tick)
{
  bridge_set_time (((OrreryRosbridgeDatastreamManager *) manager)->bridge,
                   orrery_tick_get_time (tick));
}

static void
orrery_rosbridge_datastream_manager_flush (OrreryDatastreamManager *manager)
{
  bridge_flush (((OrreryRosbridgeDatastreamManager *) manager)->bridge);
}

static void
report (OrreryRosbridgeDatastreamManager *self)
{
  char *words;

  while ((words = bridge_take_warning (self->bridge)) != NULL) {
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s", words);
    g_free (words);
  }
}

static void
orrery_rosbridge_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrreryRosbridgeDatastreamManager *self = (OrreryRosbridgeDatastreamManager *) manager;

  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
orrery_rosbridge_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrreryRosbridgeDatastreamManager *self = (OrreryRosbridgeDatastreamManager *) manager;

  report (self);
  bridge_drop_streams (self->bridge);
  g_clear_pointer (&self->bridge, bridge_release);
}

/* --- the class --- */

static void
orrery_rosbridge_datastream_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRosbridgeDatastreamManager *self = (OrreryRosbridgeDatastreamManager *) part;
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
orrery_rosbridge_datastream_manager_class_init (OrreryRosbridgeDatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_rosbridge_datastream_manager_setup;
  orrery_datastream_manager_class_set_stream_options (manager,
                                                      orrery_rosbridge_stream_options_get_type ());
  manager->open = orrery_rosbridge_datastream_manager_open;
  manager->start = orrery_rosbridge_datastream_manager_start;
  manager->send_messages = orrery_rosbridge_datastream_manager_send_messages;
  manager->tick = orrery_rosbridge_datastream_manager_tick;
  manager->flush = orrery_rosbridge_datastream_manager_flush;
  manager->intake = orrery_rosbridge_datastream_manager_intake;
  manager->close = orrery_rosbridge_datastream_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeDatastreamManager, bridge, bridge_release);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeDatastreamManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRosbridgeDatastreamManager, token_file, g_free);
}

ORRERY_PLUGIN ("Topics for clients of rosbridge", "BSD-3-Clause",
               ORRERY_CLASS (RosbridgeDatastreamManager, OrreryRosbridgeDatastreamManager,
                             orrery_rosbridge_datastream_manager, .stream = "rosbridge",
                             .encoding = BRIDGE_ENCODING,
                             .publisher = "orrery.middleware.socket_datastream.SocketPublisher",
                             .reader = "orrery.middleware.socket_datastream.SocketReader"))
