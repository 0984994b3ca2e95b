/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records as topics of ROS 1. */
#define G_LOG_DOMAIN "orrery.middleware.ros_datastream"
#include "ros/ros-name.h"
#include "ros/ros-share.h"

#include <orrery.h>

#include <string.h>

/*
 * Streams as topics of a node of ROS 1, which needs no library of ROS. Without a master the run
 * goes on, and the node registers when one comes. What a record becomes on which topic is said by
 * the codec: see message.c.
 */

/* Messages from this size on are passed on without a copy. */
#define LARGE 16384

#define MAX_QUEUE 1000000
/* How often, in ticks, the counts of the I/O thread are looked at. */
#define REPORT_EVERY 32

typedef struct {
  OrreryStreamOptions parent_instance;

  int queue;
  int queue_length;
} OrreryROSStreamOptions;
ORRERY_DEFINE_CLASS (OrreryROSStreamOptions, orrery_ros_stream_options, OrreryStreamOptions,
                     orrery_stream_options)

typedef struct {
  OrreryStream *stream; /* borrowed: the host keeps it until the manager is closed */
  guint queue_length;
  RosPublisher *publishers[ORRERY_MAX_TOPICS];
} Link;

/* One topic of a stream, for the I/O thread. */
typedef struct {
  OrreryStream *stream;
  guint topic;
} Listened;

typedef struct {
  OrreryDatastreamManager parent_instance;

  char *node_name;
  char *master_uri;
  char *name_space;
  char *host;
  gboolean offline;
  char *allowed_users;
  char *token_file;
  OrreryWorld *world;

  RosShare *share;
  GPtrArray *links;    /* (element-type Link) in the order of the config */
  GPtrArray *listened; /* (element-type Listened) */
  guint n_intakes;
} OrreryROSDatastreamManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryROSDatastreamManager, orrery_ros_datastream_manager,
                               OrreryDatastreamManager, orrery_datastream_manager)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryROSDatastreamManager, node_name, "node", "morse",
                          "Name of the node", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryROSDatastreamManager, master_uri, "master_uri", NULL,
                          "Address of the master; if it is not given, ROS_MASTER_URI, else "
                          "http://localhost:11311",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryROSDatastreamManager, name_space, "namespace", NULL,
                          "What names without a leading slash are below; if it is not given, "
                          "ROS_NAMESPACE, else /",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryROSDatastreamManager, host, "host", NULL,
                          "Host or address to announce and to listen on; if it is not given, "
                          "ROS_HOSTNAME, ROS_IP, else 127.0.0.1",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- opening --- */

static const OrreryProperty stream_options[] = {
  ORRERY_PROPERTY_INT (OrreryROSStreamOptions, queue, "queue", 0, MAX_QUEUE, 0,
                       "Messages that wait for a slow subscriber, then the oldest is dropped; 1: "
                       "only the newest; 0: as many as the component makes in a second",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryROSStreamOptions, queue_length, "queue_length", 0, MAX_QUEUE, 0,
                       "The same, by its former name", .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_ros_stream_options_class_init (OrreryROSStreamOptionsClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, stream_options);
}

static guint
find_queue_length (OrreryStream *stream)
{
  OrreryROSStreamOptions *options = (OrreryROSStreamOptions *) orrery_stream_get_options (stream);
  double frequency = orrery_component_get_frequency (orrery_stream_get_component (stream));
  int given = MAX (options->queue, options->queue_length);

  return given > 0 ? (guint) given : (guint) CLAMP (frequency, 1, 1000);
}

/* Before the start, which can name neither the line nor, for `orrery check`, the mistake. */
static gboolean
check_name (const char *name, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *whole = ros_name_resolve ("/", "/node", name, &failure);

  return whole != NULL ||
         orrery_set_error (error, ORRERY_ERROR_CONFIG, "topic: %s", failure->message);
}

static void
orrery_ros_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                    GVariant *options, GError **error)
{
  OrreryROSDatastreamManager *self = (OrreryROSDatastreamManager *) manager;
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  g_autofree Link *link = g_new0 (Link, 1);
  const char *type, *md5, *definition;

  link->stream = stream;
  link->queue_length = find_queue_length (stream);
  for (guint i = 0; i < orrery_datastream_get_n_topics (codec); i++)
    if (!orrery_datastream_describe_topic (codec, i, &type, &md5, &definition)) {
      orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s does not say which messages it writes",
                        orrery_part_get_classpath (ORRERY_PART (codec)));
      return;
    } else if (!check_name (orrery_datastream_get_topic (codec, i)->name, error)) {
      return;
    }
  if (orrery_datastream_get_n_topics (codec) == 0) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has no messages of ROS",
                      orrery_part_get_classpath (ORRERY_PART (codec)));
    return;
  }
  orrery_stream_set_user_data (stream, link, NULL);
  g_ptr_array_add (self->links, g_steal_pointer (&link));
}

/* --- starting --- */

static gboolean
start_node (OrreryROSDatastreamManager *self, GError **error)
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
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "streams of ros: %s", why);
  self->share = ros_share_get (self->world);
  return ros_share_start (self->share, &options, error);
}

/* On the I/O thread. */
static void
set_listening (gpointer data, guint n)
{
  Listened *listened = data;

  orrery_stream_set_topic_listening (listened->stream, listened->topic, n > 0);
}

static void
take_message (gpointer data, const RosMessageInfo *info, GBytes *message)
{
  gsize length;
  const char *bytes = g_bytes_get_data (message, &length);

  orrery_stream_put (data, info->connection, bytes, length);
}

/* `sensor_msgs/LaserScan`, as ROS 1 writes it, of `sensor_msgs/msg/LaserScan`. */
static char *
make_type_name (const char *name)
{
  const char *slash = strchr (name, '/');

  return g_strdup_printf ("%.*s/%s", (int) (slash - name), name, strrchr (name, '/') + 1);
}

static gboolean
publish_topic (OrreryROSDatastreamManager *self, Link *link, guint i, const RosTopic *topic,
               gboolean latched, GError **error)
{
  Listened *listened = g_new (Listened, 1);

  *listened = (Listened){ link->stream, i };
  g_ptr_array_add (self->listened, listened);
  /* A message that is kept is written before anybody listens. */
  if (latched)
    orrery_stream_set_topic_listening (link->stream, i, TRUE);
  link->publishers[i] = ros_share_advertise (self->share, self, topic, link->queue_length, latched,
                                             latched ? NULL : set_listening, listened, error);
  return link->publishers[i] != NULL;
}

static gboolean
open_topic (OrreryROSDatastreamManager *self, Link *link, guint i, GError **error)
{
  OrreryDatastream *codec = orrery_stream_get_codec (link->stream);
  const OrreryTopic *topic = orrery_datastream_get_topic (codec, i);
  RosTopic described = { .topic = topic->name };
  g_autofree char *type = NULL;

  orrery_datastream_describe_topic (codec, i, &described.type, &described.md5,
                                    &described.definition);
  described.type = type = make_type_name (described.type);
  if (orrery_stream_get_direction (link->stream) == ORRERY_DIRECTION_OUT)
    return publish_topic (self, link, i, &described, (topic->flags & ORRERY_TOPIC_LATCHED) != 0,
                          error);
  return ros_share_subscribe (self->share, self, &described, take_message, link->stream, error);
}

static gboolean
open_topics (OrreryROSDatastreamManager *self, Link *link, GError **error)
{
  guint n = orrery_datastream_get_n_topics (orrery_stream_get_codec (link->stream));

  for (guint i = 0; i < n; i++)
    if (!open_topic (self, link, i, error)) {
      g_prefix_error (error, "%s: ", orrery_stream_get_name (link->stream));
      return FALSE;
    }
  return TRUE;
}

/* Also without streams: the options are then those of the node of the services. */
static void
orrery_ros_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrreryROSDatastreamManager *self = (OrreryROSDatastreamManager *) manager;

  if (self->offline || !start_node (self, error))
    return;
  for (guint i = 0; i < self->links->len; i++)
    if (!open_topics (self, self->links->pdata[i], error))
      return;
  orrery_part_log_plain (self, G_LOG_LEVEL_INFO, "ROS node %s at %s",
                         ros_node_get_name (ros_share_get_node (self->share)),
                         ros_node_get_uri (ros_share_get_node (self->share)));
}

/* --- in the tick --- */

static void
orrery_ros_datastream_manager_send_messages (OrreryDatastreamManager *manager, OrreryStream *stream,
                                             OrreryWriter *writer)
{
  Link *link = orrery_stream_get_user_data (stream);
  guint n = orrery_writer_get_n_messages (writer);

  for (guint i = 0; i < n; i++) {
    const char *data;
    gsize length;
    RosPublisher *publisher =
        link->publishers[orrery_writer_get_message (writer, i, &data, &length)];

    if (publisher == NULL)
      continue;
    if (length < LARGE) {
      ros_publisher_send (publisher, data, length);
    } else {
      g_autoptr (GBytes) bytes = orrery_writer_dup_message (writer, i);

      ros_publisher_send_bytes (publisher, bytes);
    }
  }
}

static void
orrery_ros_datastream_manager_flush (OrreryDatastreamManager *manager)
{
  OrreryROSDatastreamManager *self = (OrreryROSDatastreamManager *) manager;

  if (self->share != NULL && ros_share_get_node (self->share) != NULL)
    ros_node_flush (ros_share_get_node (self->share));
}

static void
report (OrreryROSDatastreamManager *self)
{
  char *text;

  while (self->share != NULL && (text = ros_share_take_loss (self->share)) != NULL) {
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s", text);
    g_free (text);
  }
}

static void
orrery_ros_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrreryROSDatastreamManager *self = (OrreryROSDatastreamManager *) manager;

  if (self->share != NULL)
    ros_share_report (self->share, self, G_LOG_DOMAIN);
  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
orrery_ros_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrreryROSDatastreamManager *self = (OrreryROSDatastreamManager *) manager;

  orrery_ros_datastream_manager_intake (manager);
  report (self);
  if (self->share != NULL)
    ros_share_release (g_steal_pointer (&self->share), self);
}

/* --- the class --- */

static void
orrery_ros_datastream_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryROSDatastreamManager *self = (OrreryROSDatastreamManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->token_file = g_strdup (orrery_setup_get_token_file (setup));
  g_set_object (&self->world, orrery_setup_get_world (setup));
}

static void
orrery_ros_datastream_manager_class_init (OrreryROSDatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_ros_datastream_manager_setup;
  orrery_datastream_manager_class_set_stream_options (manager,
                                                      orrery_ros_stream_options_get_type ());
  manager->open = orrery_ros_datastream_manager_open;
  manager->start = orrery_ros_datastream_manager_start;
  manager->send_messages = orrery_ros_datastream_manager_send_messages;
  manager->flush = orrery_ros_datastream_manager_flush;
  manager->intake = orrery_ros_datastream_manager_intake;
  manager->close = orrery_ros_datastream_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryROSDatastreamManager, links, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryROSDatastreamManager, listened, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryROSDatastreamManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryROSDatastreamManager, token_file, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryROSDatastreamManager, world, g_object_unref);
}

static void
orrery_ros_datastream_manager_init (OrreryROSDatastreamManager *self)
{
  self->links = g_ptr_array_new_with_free_func (g_free);
  self->listened = g_ptr_array_new_with_free_func (g_free);
}

ORRERY_PLUGIN ("Topics of ROS 1", "BSD-3-Clause",
               ORRERY_CLASS (ROSDatastreamManager, OrreryROSDatastreamManager,
                             orrery_ros_datastream_manager, .stream = "ros", .encoding = "ros1"))
