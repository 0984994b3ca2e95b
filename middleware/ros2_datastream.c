/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records as topics of ROS 2. */
#define G_LOG_DOMAIN "orrery.middleware.ros2_datastream"
#include "dds/dds-name.h"
#include "dds/dds-share.h"
#include "dds/dds-transforms.h"
#include "dds/description.h"
#include "dds/rosout.h"

#include <orrery.h>

#include <string.h>

/*
 * Streams as topics of nodes of ROS 2 over DDS, which need no library of ROS: each robot has a
 * node, and what belongs to none is in the node `orrery`. What a record becomes on which topic is
 * said by the codec: see message.c.
 */

/* Messages from this size on are passed on without a copy. */
#define LARGE 16384
#define MAX_DEPTH 1000
#define TRANSFORMS "tf2_msgs/msg/TFMessage"
#define TRANSFORMS_DEPTH 100
/* How often, in ticks, the counts of the thread are looked at. */
#define REPORT_EVERY 32

/* A topic that several streams write. */
typedef struct {
  char *name;
  DdsPublisher *publisher;
  DdsTransforms *transforms;
  GPtrArray *listened; /* (element-type Listened) */
  gboolean told;       /* that messages are dropped */
} Collected;

/* One topic of a stream. */
typedef struct {
  OrreryStream *stream;
  guint topic;
  DdsPublisher *publisher; /* (nullable) */
  Collected *collected;    /* (nullable): in place of a publisher of its own */
  gboolean told;           /* that messages are dropped */
} Listened;

typedef enum { RELIABLE, BEST_EFFORT } Ros2Reliability;
static GType ros2_reliability_get_type (void);
G_DEFINE_ENUM_TYPE (Ros2Reliability, ros2_reliability, G_DEFINE_ENUM_VALUE (RELIABLE, "reliable"),
                    G_DEFINE_ENUM_VALUE (BEST_EFFORT, "best_effort"))

typedef enum { VOLATILE, TRANSIENT_LOCAL } Ros2Durability;
static GType ros2_durability_get_type (void);
G_DEFINE_ENUM_TYPE (Ros2Durability, ros2_durability, G_DEFINE_ENUM_VALUE (VOLATILE, "volatile"),
                    G_DEFINE_ENUM_VALUE (TRANSIENT_LOCAL, "transient_local"))

typedef struct {
  OrreryStreamOptions parent_instance;

  int queue;
  int depth;
  Ros2Reliability reliability;
  Ros2Durability durability;
} OrreryRos2StreamOptions;
ORRERY_DEFINE_CLASS (OrreryRos2StreamOptions, orrery_ros2_stream_options, OrreryStreamOptions,
                     orrery_stream_options)

typedef struct {
  OrreryStream *stream; /* borrowed: the host keeps it until the manager is closed */
  guint queue;
  DdsQuality quality;
  gboolean has_durability;
  Listened *topics[ORRERY_MAX_TOPICS];
  DdsSubscriber *subscriber; /* (nullable) */
} Link;

typedef struct {
  OrreryDatastreamManager parent_instance;

  int domain;
  char *distro;
  char *discovery;
  char *interface;
  char *peers;
  char *name_space;
  char *tf;
  gboolean has_clock;
  gboolean has_descriptions;
  char *meshes;
  gboolean offline;
  char *allowed_users;
  OrreryWorld *world;
  OrreryMessageCatalogue *catalogue;

  DdsShare *share;
  GPtrArray *links;     /* (element-type Link) in the order of the config */
  GPtrArray *listened;  /* (element-type Listened) */
  GPtrArray *collected; /* (element-type Collected) */
  DdsPublisher *clock;  /* (nullable): a stream publishes it, or nobody wants it */
  GPtrArray *described; /* (element-type DdsPublisher): descriptions of robots */
  gboolean told_transforms;
  guint n_intakes;
  Ros2Log *log; /* (nullable) */
  OrreryTime time;
} OrreryRos2DatastreamManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryRos2DatastreamManager, orrery_ros2_datastream_manager,
                               OrreryDatastreamManager, orrery_datastream_manager)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (OrreryRos2DatastreamManager, domain, "domain", -1, 232, -1,
                       "Domain of DDS; -1: ROS_DOMAIN_ID, else 0",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2DatastreamManager, distro, "distro", "jazzy",
                          "Release of ROS 2 that others have: humble names ends differently",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2DatastreamManager, discovery, "discovery", NULL,
                          "Who may find the nodes: localhost, subnet or off; if it is not given, "
                          "ROS_AUTOMATIC_DISCOVERY_RANGE, else localhost",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2DatastreamManager, interface, "interface", NULL,
                          "Address of the network interface that is used, beside loopback",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2DatastreamManager, peers, "peers", NULL,
                          "Hosts that are asked who is there, with ; between; if it is not given, "
                          "ROS_STATIC_PEERS",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2DatastreamManager, name_space, "namespace", NULL,
                          "What the nodes, and names without a leading slash, are below",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (
      OrreryRos2DatastreamManager, tf, "tf", "tick",
      "tick: all transforms of a tick are one message; each: one of each stream",
      .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRos2DatastreamManager, has_clock, "clock", TRUE,
                           "Whether the time of each tick is published on /clock, unless a stream "
                           "does that",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRos2DatastreamManager, has_descriptions, "description", TRUE,
                           "Whether each robot's node publishes robot_description, a URDF",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2DatastreamManager, meshes, "meshes", NULL,
                          "Directory where the meshes of robot_description are written; none: they "
                          "are left out; if it is not given, orrery/meshes in the user's cache",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- options of a stream --- */

static const OrreryProperty stream_options[] = {
  ORRERY_PROPERTY_INT (OrreryRos2StreamOptions, queue, "queue", 0, MAX_DEPTH, 0,
                       "Messages that wait for the thread that writes, then the oldest is dropped; "
                       "1: only the newest; 0: one second of them",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryRos2StreamOptions, depth, "depth", 0, MAX_DEPTH, 0,
                       "History of the writer or reader; 0: as many as wait, and 1 of a reader",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_ENUM (OrreryRos2StreamOptions, reliability, "reliability",
                        ros2_reliability_get_type, RELIABLE,
                        "Whether lost messages are sent again; if it is not given, a writer does "
                        "that and a reader takes both",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_ENUM (OrreryRos2StreamOptions, durability, "durability", ros2_durability_get_type,
                        VOLATILE,
                        "Whether who comes later gets the last messages; if it is not given, as "
                        "the mapping says",
                        .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_ros2_stream_options_class_init (OrreryRos2StreamOptionsClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, stream_options);
}

static void
read_options (Link *link, gboolean is_in)
{
  OrreryStreamOptions *given = orrery_stream_get_options (link->stream);
  OrreryRos2StreamOptions *options = (OrreryRos2StreamOptions *) given;
  double frequency = orrery_component_get_frequency (orrery_stream_get_component (link->stream));

  link->queue =
      options->queue > 0 ? (guint) options->queue : (guint) CLAMP (frequency, 1, MAX_DEPTH);
  /* The last message of a tick counts, from writers of both kinds. */
  link->quality.best_effort = orrery_stream_options_is_given (given, "reliability")
                                  ? options->reliability == BEST_EFFORT
                                  : is_in;
  link->quality.depth = options->depth > 0 ? (guint) options->depth : is_in ? 1 : 0;
  link->has_durability = orrery_stream_options_is_given (given, "durability");
  link->quality.latched = options->durability == TRANSIENT_LOCAL;
}

static gboolean
check_codec (OrreryDatastream *codec, GError **error)
{
  guint n = orrery_datastream_get_n_topics (codec);

  for (guint i = 0; i < n; i++)
    if (orrery_datastream_get_topic (codec, i)->type == NULL)
      return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                               "%s does not say which messages it writes",
                               orrery_part_get_classpath (ORRERY_PART (codec)));
  if (n == 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has no messages of ROS",
                             orrery_part_get_classpath (ORRERY_PART (codec)));
  return TRUE;
}

/* What ROS 2 does not allow is replaced, and told, since others look for the name that was given.
 */
static gboolean
check_name (OrreryStream *stream, const char *name, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *whole = dds_name_resolve ("/", "/node", name, &failure);
  const char *given = *name == '~' ? name + 1 : name;
  g_autofree char *valid = dds_name_make_valid (given);

  if (whole == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "topic: %s", failure->message);
  if (!g_str_equal (valid, given))
    orrery_part_warning (orrery_stream_get_component (stream),
                         "topic '%.80s' is no name for ROS 2, which has letters, digits, single "
                         "'_', and '/' between parts that do not begin with a digit; it is '%s%s'",
                         name, *name == '~' ? "~" : "", valid);
  return TRUE;
}

static gboolean
check_names (OrreryStream *stream, GError **error)
{
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  guint n = orrery_datastream_get_n_topics (codec);

  for (guint i = 0; i < n; i++)
    if (!check_name (stream, orrery_datastream_get_topic (codec, i)->name, error))
      return FALSE;
  return TRUE;
}

static void
orrery_ros2_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                     GVariant *options, GError **error)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;
  gboolean is_in = orrery_stream_get_direction (stream) == ORRERY_DIRECTION_IN;
  g_autofree Link *link = g_new0 (Link, 1);

  link->stream = stream;
  read_options (link, is_in);
  if (!check_codec (orrery_stream_get_codec (stream), error) || !check_names (stream, error))
    return;
  orrery_stream_set_user_data (stream, link, NULL);
  g_ptr_array_add (self->links, g_steal_pointer (&link));
}

/* --- starting --- */

static DdsNode *
find_node (OrreryRos2DatastreamManager *self, OrreryStream *stream)
{
  OrreryComponent *robot =
      stream != NULL ? orrery_component_get_robot (orrery_stream_get_component (stream)) : NULL;

  return dds_share_get_node (self->share,
                             robot != NULL ? orrery_part_get_name (ORRERY_PART (robot)) : NULL,
                             self->name_space);
}

/* On the thread of the context. */
static void
set_listening (gpointer data, guint n)
{
  Listened *listened = data;

  orrery_stream_set_topic_listening (listened->stream, listened->topic, n > 0);
}

static void
set_all_listening (gpointer data, guint n)
{
  Collected *collected = data;

  for (guint i = 0; i < collected->listened->len; i++)
    set_listening (collected->listened->pdata[i], n);
}

static void
take_message (gpointer data, const DdsMessageInfo *info, GBytes *message)
{
  guint64 source = 0;
  gsize length;
  const char *bytes = g_bytes_get_data (message, &length);

  /* The end of the writer's name, and what tells its participant from others. */
  for (guint i = 0; i < 16; i++)
    source = source * 31 + info->publisher[i];
  orrery_stream_put (data, source, bytes, length);
}

/* What all streams of a shared topic write goes out as one message. */
static Collected *
find_collected (OrreryRos2DatastreamManager *self, const char *name)
{
  for (guint i = 0; i < self->collected->len; i++)
    if (g_str_equal (((Collected *) self->collected->pdata[i])->name, name))
      return self->collected->pdata[i];
  return NULL;
}

static gboolean
collect_topic (OrreryRos2DatastreamManager *self, Listened *listened, const OrreryTopic *topic)
{
  Collected *collected = find_collected (self, topic->name);
  gboolean is_latched = (topic->flags & ORRERY_TOPIC_LATCHED) != 0;

  if (collected == NULL) {
    collected = g_new0 (Collected, 1);
    collected->name = g_strdup (topic->name);
    collected->transforms = dds_transforms_new (topic->type, is_latched);
    collected->listened = g_ptr_array_new ();
    g_ptr_array_add (self->collected, collected);
  }
  listened->collected = collected;
  g_ptr_array_add (collected->listened, listened);
  return TRUE;
}

static gboolean
is_collected (OrreryRos2DatastreamManager *self, const OrreryTopic *topic)
{
  gboolean is_latched = (topic->flags & ORRERY_TOPIC_LATCHED) != 0;

  return (topic->flags & ORRERY_TOPIC_SHARED) != 0 &&
         g_str_equal (orrery_message_type_get_name (topic->type), TRANSFORMS) &&
         (is_latched || !g_str_equal (self->tf, "each"));
}

static gboolean
publish_topic (OrreryRos2DatastreamManager *self, Link *link, guint i, DdsTopic *described,
               const OrreryTopic *topic, GError **error)
{
  Listened *listened = g_new0 (Listened, 1);

  listened->stream = link->stream;
  listened->topic = i;
  link->topics[i] = listened;
  g_ptr_array_add (self->listened, listened);
  if (!link->has_durability)
    described->quality.latched = (topic->flags & ORRERY_TOPIC_LATCHED) != 0;
  /* A message that is kept is written before anybody listens. */
  if (described->quality.latched)
    orrery_stream_set_topic_listening (link->stream, i, TRUE);
  if (is_collected (self, topic))
    return collect_topic (self, listened, topic);
  listened->publisher =
      dds_node_advertise (find_node (self, link->stream), described, link->queue,
                          described->quality.latched ? NULL : set_listening, listened, error);
  return listened->publisher != NULL;
}

static gboolean
open_topic (OrreryRos2DatastreamManager *self, Link *link, guint i, GError **error)
{
  const OrreryTopic *topic =
      orrery_datastream_get_topic (orrery_stream_get_codec (link->stream), i);
  DdsTopic described = { topic->name, orrery_message_type_get_name (topic->type),
                         orrery_message_type_get_hash (topic->type), link->quality };

  if (orrery_stream_get_direction (link->stream) == ORRERY_DIRECTION_OUT)
    return publish_topic (self, link, i, &described, topic, error);
  link->subscriber = dds_node_subscribe (find_node (self, link->stream), &described, take_message,
                                         link->stream, error);
  return link->subscriber != NULL;
}

static gboolean
open_topics (OrreryRos2DatastreamManager *self, Link *link, GError **error)
{
  guint n = orrery_datastream_get_n_topics (orrery_stream_get_codec (link->stream));

  for (guint i = 0; i < n; i++)
    if (!open_topic (self, link, i, error)) {
      g_prefix_error (error, "%s: ", orrery_stream_get_name (link->stream));
      return FALSE;
    }
  return TRUE;
}

/* When all who write them are known. */
static gboolean
open_collected (OrreryRos2DatastreamManager *self, GError **error)
{
  for (guint i = 0; i < self->collected->len; i++) {
    Collected *collected = self->collected->pdata[i];
    Listened *first = collected->listened->pdata[0];
    const OrreryTopic *topic =
        orrery_datastream_get_topic (orrery_stream_get_codec (first->stream), first->topic);
    gboolean is_latched = (topic->flags & ORRERY_TOPIC_LATCHED) != 0;
    DdsTopic described = { topic->name,
                           TRANSFORMS,
                           orrery_message_type_get_hash (topic->type),
                           { FALSE, is_latched, is_latched ? 1 : TRANSFORMS_DEPTH } };

    collected->publisher =
        dds_node_advertise (find_node (self, NULL), &described, TRANSFORMS_DEPTH,
                            is_latched ? NULL : set_all_listening, collected, error);
    if (collected->publisher == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
has_clock_stream (OrreryRos2DatastreamManager *self)
{
  for (guint i = 0; i < self->listened->len; i++) {
    Listened *listened = self->listened->pdata[i];

    if (listened->publisher != NULL &&
        g_str_equal (dds_publisher_get_topic (listened->publisher), "/clock"))
      return TRUE;
  }
  return FALSE;
}

static gboolean
open_clock (OrreryRos2DatastreamManager *self, GError **error)
{
  const OrreryMessageType *type;
  DdsTopic described = { "/clock", "rosgraph_msgs/msg/Clock", NULL, { FALSE, FALSE, 1 } };

  if (!self->has_clock || has_clock_stream (self))
    return TRUE;
  type =
      orrery_message_catalogue_find (self->catalogue, described.type, ORRERY_MESSAGE_ROS2, error);
  if (type == NULL)
    return FALSE;
  described.hash = orrery_message_type_get_hash (type);
  self->clock = dds_node_advertise (find_node (self, NULL), &described, 1, NULL, NULL, error);
  return self->clock != NULL;
}

/* Returns: (transfer full) (nullable): NULL: they are left out */
static char *
find_mesh_directory (OrreryRos2DatastreamManager *self)
{
  if (self->meshes == NULL || *self->meshes == '\0')
    return g_build_filename (g_get_user_cache_dir (), "orrery", "meshes", NULL);
  return g_str_equal (self->meshes, "none") ? NULL : g_strdup (self->meshes);
}

/* Returns: (transfer full): a URDF */
static char *
make_description (OrreryRos2DatastreamManager *self, OrreryComponent *robot)
{
  g_autofree char *meshes = find_mesh_directory (self);
  g_autoptr (GError) error = NULL;
  char *text = ros2_describe_robot (orrery_component_get_object (robot), meshes, &error);

  if (error != NULL)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                           "robot_description of %s lacks meshes: %s; the property meshes of the "
                           "manager names another directory",
                           orrery_part_get_name (ORRERY_PART (robot)), error->message);
  return text;
}

/* A std_msgs/String. */
static gboolean
describe_robot (OrreryRos2DatastreamManager *self, OrreryStream *stream, OrreryComponent *robot,
                GError **error)
{
  static const guint8 encapsulation[4] = { 0, 1, 0, 0 };
  const OrreryMessageType *type = orrery_message_catalogue_find (self->catalogue, "std_msgs/String",
                                                                 ORRERY_MESSAGE_ROS2, error);
  DdsTopic described = { "~robot_description", "std_msgs/msg/String", NULL, { FALSE, TRUE, 1 } };
  g_autofree char *text = make_description (self, robot);
  g_autoptr (GByteArray) message = g_byte_array_new ();
  guint32 length = GUINT32_TO_LE ((guint32) strlen (text) + 1);
  DdsPublisher *publisher;

  if (type == NULL)
    return FALSE;
  described.hash = orrery_message_type_get_hash (type);
  publisher = dds_node_advertise (find_node (self, stream), &described, 1, NULL, NULL, error);
  if (publisher == NULL)
    return FALSE;
  g_ptr_array_add (self->described, publisher);
  g_byte_array_append (message, encapsulation, sizeof encapsulation);
  g_byte_array_append (message, (const guint8 *) &length, sizeof length);
  g_byte_array_append (message, (const guint8 *) text, (guint) strlen (text) + 1);
  dds_publisher_send (publisher, message->data, message->len);
  return TRUE;
}

/* What each node has beside the topics of its streams. */
static gboolean
open_nodes (OrreryRos2DatastreamManager *self, GError **error)
{
  g_autoptr (GPtrArray) robots = g_ptr_array_new ();

  self->log = ros2_log_new (self, self->catalogue, error);
  if (self->log == NULL || !ros2_log_add_node (self->log, NULL, find_node (self, NULL), error))
    return FALSE;
  for (guint i = 0; i < self->links->len; i++) {
    OrreryStream *stream = ((Link *) self->links->pdata[i])->stream;
    OrreryComponent *robot = orrery_component_get_robot (orrery_stream_get_component (stream));

    if (robot == NULL || g_ptr_array_find (robots, robot, NULL))
      continue;
    g_ptr_array_add (robots, robot);
    if (!ros2_log_add_node (self->log, orrery_part_get_name (ORRERY_PART (robot)),
                            find_node (self, stream), error) ||
        (self->has_descriptions && !describe_robot (self, stream, robot, error)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
open_all (OrreryRos2DatastreamManager *self, GError **error)
{
  for (guint i = 0; i < self->links->len; i++)
    if (!open_topics (self, self->links->pdata[i], error))
      return FALSE;
  return open_collected (self, error) && open_clock (self, error) && open_nodes (self, error);
}

static void
orrery_ros2_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;
  DdsShareOptions options = { self->domain, self->distro,        self->discovery, self->interface,
                              self->peers,  self->allowed_users, self->name_space };

  if (self->offline)
    return;
  self->share = dds_share_get (self->world);
  if (!dds_share_start (self->share, &options, error) || !open_all (self, error))
    return;
  dds_context_flush (dds_share_get_context (self->share));
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "ROS 2: nodes of domain %u over Fast DDS",
                         dds_context_get_domain (dds_share_get_context (self->share)));
}

/* --- in the tick --- */

static void
collect (OrreryRos2DatastreamManager *self, Listened *listened, const char *data, gsize length)
{
  g_autoptr (GError) error = NULL;

  if (dds_transforms_add (listened->collected->transforms, data, length, &error) ||
      self->told_transforms)
    return;
  self->told_transforms = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "transforms of %s are not sent: %s",
                         orrery_stream_get_name (listened->stream), error->message);
}

static void
orrery_ros2_datastream_manager_send_messages (OrreryDatastreamManager *manager,
                                              OrreryStream *stream, OrreryWriter *writer)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;
  Link *link = orrery_stream_get_user_data (stream);
  guint n = orrery_writer_get_n_messages (writer);

  for (guint i = 0; i < n; i++) {
    const char *data;
    gsize length;
    Listened *listened = link->topics[orrery_writer_get_message (writer, i, &data, &length)];

    if (listened == NULL)
      continue;
    if (listened->collected != NULL) {
      collect (self, listened, data, length);
    } else if (listened->publisher != NULL && length < LARGE) {
      dds_publisher_send (listened->publisher, data, length);
    } else if (listened->publisher != NULL) {
      g_autoptr (GBytes) bytes = orrery_writer_dup_message (writer, i);

      dds_publisher_send_bytes (listened->publisher, bytes);
    }
  }
}

static gboolean
is_running (OrreryRos2DatastreamManager *self)
{
  return self->share != NULL && dds_share_get_context (self->share) != NULL;
}

static void
orrery_ros2_datastream_manager_flush (OrreryDatastreamManager *manager)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;

  if (!is_running (self))
    return;
  for (guint i = 0; i < self->collected->len; i++) {
    Collected *collected = self->collected->pdata[i];

    if (collected->publisher != NULL)
      dds_transforms_send (collected->transforms, collected->publisher);
  }
  dds_context_flush (dds_share_get_context (self->share));
}

/* A rosgraph_msgs/Clock: seconds and nanoseconds. */
static void
orrery_ros2_datastream_manager_tick (OrreryDatastreamManager *manager, OrreryTick *tick)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;
  OrreryTime time = orrery_tick_get_time (tick);
  gint64 whole = time / G_GINT64_CONSTANT (1000000000);
  guint32 words[3] = { 0, GUINT32_TO_LE ((guint32) whole), 0 };
  static const guint8 encapsulation[4] = { 0, 1, 0, 0 };

  self->time = time;
  if (self->clock == NULL)
    return;
  memcpy (words, encapsulation, sizeof encapsulation);
  words[2] = GUINT32_TO_LE ((guint32) (time - whole * G_GINT64_CONSTANT (1000000000)));
  dds_publisher_send (self->clock, words, sizeof words);
  dds_context_flush (dds_share_get_context (self->share));
}

static void
tell_loss (OrreryRos2DatastreamManager *self, DdsPublisher *publisher, gboolean *told)
{
  guint64 n = publisher != NULL && !*told ? dds_publisher_get_n_dropped (publisher) : 0;

  if (n == 0)
    return;
  *told = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "ROS 2: messages of %s come faster than they can be written, and the "
                         "oldest are lost (%" G_GUINT64_FORMAT " so far)",
                         dds_publisher_get_topic (publisher), n);
}

static void
report (OrreryRos2DatastreamManager *self)
{
  for (guint i = 0; i < self->listened->len; i++) {
    Listened *listened = self->listened->pdata[i];

    tell_loss (self, listened->publisher, &listened->told);
  }
  for (guint i = 0; i < self->collected->len; i++) {
    Collected *collected = self->collected->pdata[i];

    tell_loss (self, collected->publisher, &collected->told);
  }
}

static void
orrery_ros2_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;

  if (self->share != NULL)
    dds_share_report (self->share, self, G_LOG_DOMAIN);
  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
  if (self->log != NULL)
    ros2_log_send (self->log, self->time);
}

static void
orrery_ros2_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) manager;

  orrery_ros2_datastream_manager_intake (manager);
  if (self->share == NULL)
    return;
  report (self);
  for (guint i = 0; i < self->listened->len; i++)
    if (((Listened *) self->listened->pdata[i])->publisher != NULL)
      dds_publisher_unadvertise (((Listened *) self->listened->pdata[i])->publisher);
  for (guint i = 0; i < self->collected->len; i++)
    if (((Collected *) self->collected->pdata[i])->publisher != NULL)
      dds_publisher_unadvertise (((Collected *) self->collected->pdata[i])->publisher);
  for (guint i = 0; i < self->links->len; i++)
    if (((Link *) self->links->pdata[i])->subscriber != NULL)
      dds_subscriber_unsubscribe (((Link *) self->links->pdata[i])->subscriber);
  if (self->clock != NULL)
    dds_publisher_unadvertise (g_steal_pointer (&self->clock));
  for (guint i = 0; i < self->described->len; i++)
    dds_publisher_unadvertise (self->described->pdata[i]);
  g_ptr_array_set_size (self->described, 0);
  g_clear_pointer (&self->log, ros2_log_free);
  dds_share_release (g_steal_pointer (&self->share));
}

/* --- the class --- */

static void
orrery_ros2_datastream_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRos2DatastreamManager *self = (OrreryRos2DatastreamManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->catalogue = orrery_message_catalogue_ref (orrery_setup_get_messages (setup));
  g_set_object (&self->world, orrery_setup_get_world (setup));
  if (!g_str_equal (self->tf, "tick") && !g_str_equal (self->tf, "each"))
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "tf is 'tick' or 'each', not '%.40s'", self->tf);
}

static void
orrery_ros2_datastream_manager_class_init (OrreryRos2DatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_ros2_datastream_manager_setup;
  orrery_datastream_manager_class_set_stream_options (manager,
                                                      orrery_ros2_stream_options_get_type ());
  manager->open = orrery_ros2_datastream_manager_open;
  manager->start = orrery_ros2_datastream_manager_start;
  manager->send_messages = orrery_ros2_datastream_manager_send_messages;
  manager->flush = orrery_ros2_datastream_manager_flush;
  manager->intake = orrery_ros2_datastream_manager_intake;
  manager->tick = orrery_ros2_datastream_manager_tick;
  manager->close = orrery_ros2_datastream_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, links, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, listened, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, collected, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, described, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, catalogue, orrery_message_catalogue_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2DatastreamManager, world, g_object_unref);
}

static void
collected_free (gpointer data)
{
  Collected *collected = data;

  dds_transforms_free (collected->transforms);
  g_ptr_array_unref (collected->listened);
  g_free (collected->name);
  g_free (collected);
}

static void
orrery_ros2_datastream_manager_init (OrreryRos2DatastreamManager *self)
{
  self->links = g_ptr_array_new_with_free_func (g_free);
  self->listened = g_ptr_array_new_with_free_func (g_free);
  self->described = g_ptr_array_new ();
  self->collected = g_ptr_array_new_with_free_func (collected_free);
}

ORRERY_PLUGIN ("Topics of ROS 2", "BSD-3-Clause",
               ORRERY_CLASS (Ros2DatastreamManager, OrreryRos2DatastreamManager,
                             orrery_ros2_datastream_manager, .stream = "ros2", .encoding = "cdr",
                             .publisher = "orrery.middleware.record.RecordPublisher",
                             .reader = "orrery.middleware.record.RecordReader"))
