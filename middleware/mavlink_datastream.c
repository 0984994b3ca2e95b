/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records as messages of MAVLink, over UDP and TCP. */
#define G_LOG_DOMAIN "orrery.middleware.mavlink_datastream"
#include <orrery.h>

#include "mavlink/mavlink-frame.h"
#include "mavlink/mavlink-port.h"

#include <errno.h>
#include <string.h>

/*
 * One connection for each text of the option `device`, shared by the streams that have it. In each
 * tick a HEARTBEAT goes to each of them, as in MORSE. Sockets are read and written on the thread of
 * the tick; none of the calls waits.
 */

#define READ_SIZE 4096
#define MAX_READS 16
/* How often, in ticks, what was counted is looked at. */
#define REPORT_EVERY 32
/* Of HEARTBEAT. */
#define MODE_TEST_ARMED 194
#define STATE_ACTIVE 4
#define PROTOCOL_VERSION 3

typedef struct {
  char *device;
  MavPort *port;
  MavParser parser;
  GPtrArray *streams; /* (element-type OrreryStream) borrowed */
  guint8 sequence;
  guint n_peers;
  gboolean listening;
  guint64 told[MAV_PORT_N_COUNTS + MAV_N_COUNTS];
} Connection;

/* Of a stream. */
typedef struct {
  Connection *connection;
  const MavMessage *message;
} Place;

typedef struct {
  OrreryStreamOptions parent_instance;

  char *device;
} OrreryMavlinkStreamOptions;
ORRERY_DEFINE_CLASS (OrreryMavlinkStreamOptions, orrery_mavlink_stream_options, OrreryStreamOptions,
                     orrery_stream_options)

typedef struct {
  OrreryDatastreamManager parent_instance;
  int version;
  int system;
  int component;

  gboolean offline;
  char *allowed_users;
  LineAccess *access;
  GPtrArray *connections; /* (element-type Connection) in the order of the config */
  gboolean running;
  OrreryTime time; /* of this tick, since the start */
  guint n_intakes;
} OrreryMavlinkDatastreamManager;
ORRERY_DEFINE_CLASS (OrreryMavlinkDatastreamManager, orrery_mavlink_datastream_manager,
                     OrreryDatastreamManager, orrery_datastream_manager)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (OrreryMavlinkDatastreamManager, version, "version", 1, 2, 1,
                       "Version of MAVLink that is written; both are read",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryMavlinkDatastreamManager, system, "system", 1, 255, 255,
                       "The system that writes", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryMavlinkDatastreamManager, component, "component", 0, 255, 0,
                       "The component that writes", .flags = ORRERY_PROPERTY_AT_START),
};

/* --- opening --- */

static void
connection_free (gpointer data)
{
  Connection *connection = data;

  mav_port_free (connection->port);
  g_ptr_array_unref (connection->streams);
  g_free (connection->device);
  g_free (connection);
}

static Connection *
get_connection (OrreryMavlinkDatastreamManager *self, const char *device, GError **error)
{
  Connection *connection;
  g_autofree char *why = NULL;
  MavPort *port;

  for (guint i = 0; i < self->connections->len; i++) {
    connection = self->connections->pdata[i];
    if (g_str_equal (connection->device, device))
      return connection;
  }
  port = mav_port_new_for_device (device, &why);
  if (port == NULL) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "option 'device' of a mavlink stream: %s", why);
    return NULL;
  }
  connection = g_new0 (Connection, 1);
  connection->device = g_strdup (device);
  connection->port = port;
  connection->streams = g_ptr_array_new ();
  g_ptr_array_add (self->connections, connection);
  return connection;
}

static const OrreryProperty stream_options[] = {
  ORRERY_PROPERTY_STRING (OrreryMavlinkStreamOptions, device, "device", NULL,
                          "The connection, as 'udpout:127.0.0.1:14550'; streams of one share it",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_mavlink_stream_options_class_init (OrreryMavlinkStreamOptionsClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, stream_options);
}

static void
orrery_mavlink_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                        GVariant *options, GError **error)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) manager;
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  const char *device = ((OrreryMavlinkStreamOptions *) orrery_stream_get_options (stream))->device;
  Place place = { 0 };

  if (device == NULL) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "a mavlink stream needs the option 'device', a text such as "
                      "'udpout:127.0.0.1:14550'");
    return;
  }
  if (orrery_datastream_get_n_topics (codec) == 1)
    place.message = mav_message_find_by_name (orrery_datastream_get_topic (codec, 0)->name);
  if (place.message == NULL) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has no message of MAVLink",
                      orrery_part_get_classpath (ORRERY_PART (codec)));
    return;
  }
  place.connection = get_connection (self, device, error);
  if (place.connection == NULL)
    return;
  g_ptr_array_add (place.connection->streams, stream);
  orrery_stream_set_user_data (stream, g_memdup2 (&place, sizeof place), g_free);
}

/* --- starting --- */

static gboolean
start_connection (OrreryMavlinkDatastreamManager *self, Connection *connection, GError **error)
{
  static const char *const ways[] = { "listening on", "sending to", "listening on",
                                      "connecting to" };
  MavPortKind kind = mav_port_get_kind (connection->port);
  gboolean is_bound = kind == MAV_PORT_UDP_IN || kind == MAV_PORT_TCP_IN;
  const char *address = mav_port_get_address (connection->port);
  g_autofree char *why = NULL;
  int status;

  if (is_bound && !line_access_covers (self->access, address, &why))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "mavlink streams: %s: %s",
                             connection->device, why);
  status = mav_port_open (connection->port, self->access);
  if (status != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "mavlink streams: %s: %s", connection->device,
                             status == EINVAL ? "that is no IPv4 address" : g_strerror (status));
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "MAVLink: %s port %u of %s for %u streams",
                         ways[kind], mav_port_get_port (connection->port), address,
                         connection->streams->len);
  return TRUE;
}

static void
orrery_mavlink_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) manager;
  g_autofree char *why = NULL;

  if (self->offline)
    return;
  self->access = line_access_new (self->allowed_users, NULL, &why);
  if (self->access == NULL) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "mavlink streams: %s", why);
    return;
  }
  for (guint i = 0; i < self->connections->len; i++)
    if (!start_connection (self, self->connections->pdata[i], error))
      return;
  self->running = TRUE;
}

/* --- out --- */

static void
send_payload (OrreryMavlinkDatastreamManager *self, Connection *connection, MavFrame *frame)
{
  guint8 bytes[MAV_MAX_FRAME];

  frame->version = (guint8) self->version;
  frame->system = (guint8) self->system;
  frame->component = (guint8) self->component;
  frame->sequence = connection->sequence++;
  mav_port_write (connection->port, bytes, mav_frame_write (frame, bytes));
}

static void
orrery_mavlink_datastream_manager_send (OrreryDatastreamManager *manager, OrreryStream *stream,
                                        const char *data, gsize length)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) manager;
  const Place *place = orrery_stream_get_user_data (stream);
  const MavField *ms = mav_message_find_field (place->message, "time_boot_ms");
  const MavField *us = mav_message_find_field (place->message, "time_usec");
  MavFrame frame = { .message = place->message };

  if (length != place->message->length)
    return;
  memcpy (frame.payload, data, length);
  if (ms != NULL)
    mav_field_put_time (ms, frame.payload, (guint64) (self->time / 1000000));
  if (us != NULL)
    mav_field_put_time (us, frame.payload, (guint64) (self->time / 1000));
  send_payload (self, place->connection, &frame);
}

static void
orrery_mavlink_datastream_manager_tick (OrreryDatastreamManager *manager, OrreryTick *tick)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) manager;

  self->time = orrery_tick_get_time (tick) - orrery_tick_get_start (tick);
  for (guint i = 0; self->running && i < self->connections->len; i++) {
    Connection *connection = self->connections->pdata[i];
    MavFrame frame = { .message = mav_message_find (0) };

    if (!mav_port_has_peer (connection->port))
      continue;
    mav_message_put (frame.message, "base_mode", 0, frame.payload, MODE_TEST_ARMED);
    mav_message_put (frame.message, "system_status", 0, frame.payload, STATE_ACTIVE);
    mav_message_put (frame.message, "mavlink_version", 0, frame.payload, PROTOCOL_VERSION);
    send_payload (self, connection, &frame);
  }
}

/* --- in --- */

static void
take_frame (Connection *connection, const MavFrame *frame)
{
  for (guint i = 0; i < connection->streams->len; i++) {
    OrreryStream *stream = connection->streams->pdata[i];
    const Place *place = orrery_stream_get_user_data (stream);

    if (place->message == frame->message &&
        orrery_stream_get_direction (stream) == ORRERY_DIRECTION_IN)
      orrery_stream_put (stream, connection->n_peers, (const char *) frame->payload,
                         frame->message->length);
  }
}

static void
read_connection (Connection *connection)
{
  guint8 bytes[READ_SIZE];
  MavFrame frame;

  for (guint i = 0; i < MAX_READS; i++) {
    const guint8 *at = bytes;
    gsize n = mav_port_read (connection->port, bytes, sizeof bytes);

    if (mav_port_get_n_peers (connection->port) != connection->n_peers)
      mav_parser_begin (&connection->parser);
    connection->n_peers = mav_port_get_n_peers (connection->port);
    if (n == 0)
      return;
    while (mav_parser_next (&connection->parser, &at, &n, &frame))
      take_frame (connection, &frame);
  }
}

static void
tell (OrreryMavlinkDatastreamManager *self, Connection *connection)
{
  static const char *const words[MAV_PORT_N_COUNTS + MAV_N_COUNTS] = {
    [MAV_PORT_DENIED] = "a peer of another user was turned away; --allow-users lets in others",
    [MAV_PORT_REFUSED] = "a second peer was turned away",
    [MAV_PORT_LOST] = "the peer reads too slowly and loses messages",
    [MAV_PORT_N_COUNTS + MAV_COUNT_GARBAGE] =
        "bytes that belong to no frame, or to one with a wrong check sum",
    [MAV_PORT_N_COUNTS + MAV_COUNT_REFUSED] =
        "a signed frame was refused: signatures cannot be checked here",
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    guint64 n = i < MAV_PORT_N_COUNTS ? mav_port_get_count (connection->port, i)
                                      : connection->parser.counts[i - MAV_PORT_N_COUNTS];

    if (words[i] != NULL && n > 0 && connection->told[i] == 0)
      orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                             "MAVLink: %s: %s (further ones are only counted)", connection->device,
                             words[i]);
    connection->told[i] = n;
  }
}

static void
set_listening (Connection *connection)
{
  gboolean listening = mav_port_has_peer (connection->port);

  for (guint i = 0; listening != connection->listening && i < connection->streams->len; i++)
    if (orrery_stream_get_direction (connection->streams->pdata[i]) == ORRERY_DIRECTION_OUT)
      orrery_stream_set_listening (connection->streams->pdata[i], listening);
  connection->listening = listening;
}

static void
orrery_mavlink_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) manager;
  gboolean tells = ++self->n_intakes % REPORT_EVERY == 0;

  for (guint i = 0; self->running && i < self->connections->len; i++) {
    read_connection (self->connections->pdata[i]);
    set_listening (self->connections->pdata[i]);
    if (tells)
      tell (self, self->connections->pdata[i]);
  }
}

static void
orrery_mavlink_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) manager;

  for (guint i = 0; self->running && i < self->connections->len; i++)
    tell (self, self->connections->pdata[i]);
  self->running = FALSE;
  for (guint i = 0; i < self->connections->len; i++)
    mav_port_close (((Connection *) self->connections->pdata[i])->port);
}

static void
orrery_mavlink_datastream_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMavlinkDatastreamManager *self = (OrreryMavlinkDatastreamManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->connections = g_ptr_array_new_with_free_func (connection_free);
}

static void
orrery_mavlink_datastream_manager_class_init (OrreryMavlinkDatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_mavlink_datastream_manager_setup;
  orrery_datastream_manager_class_set_stream_options (manager,
                                                      orrery_mavlink_stream_options_get_type ());
  manager->open = orrery_mavlink_datastream_manager_open;
  manager->start = orrery_mavlink_datastream_manager_start;
  manager->intake = orrery_mavlink_datastream_manager_intake;
  manager->tick = orrery_mavlink_datastream_manager_tick;
  manager->send = orrery_mavlink_datastream_manager_send;
  manager->close = orrery_mavlink_datastream_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryMavlinkDatastreamManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryMavlinkDatastreamManager, access, line_access_free);
  ORRERY_CLASS_OWNS (klass, OrreryMavlinkDatastreamManager, connections, g_ptr_array_unref);
}

ORRERY_PLUGIN ("Records as messages of MAVLink over UDP and TCP", "BSD-3-Clause",
               ORRERY_CLASS (MavlinkDatastreamManager, OrreryMavlinkDatastreamManager,
                             orrery_mavlink_datastream_manager, .stream = "mavlink"))
