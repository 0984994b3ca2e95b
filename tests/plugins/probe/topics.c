/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams with several topics: a codec that writes a short message for topic 0, two for topic 1 and
 * a large one for topic 2, and a manager that a test asks, by the services `post`, what it got.
 */
#include <orrery.h>

#define N_TOPICS 3
#define LARGE 50000

typedef struct {
  OrreryDatastream parent_instance;
  gint64 n_encoded;
} ProbeLetters;
ORRERY_DEFINE_CLASS (ProbeLetters, probe_letters, OrreryDatastream, orrery_datastream)

static void
probe_letters_encode (OrreryDatastream *datastream, OrreryRecord *record, OrreryWriter *writer,
                      GError **error)
{
  ProbeLetters *self = (ProbeLetters *) datastream;
  char letter = (char) ('a' + self->n_encoded++ % 26);

  if (orrery_writer_wants (writer, 0)) {
    orrery_writer_begin (writer, 0);
    orrery_writer_append_text (writer, orrery_datastream_get_encoding (datastream));
    orrery_writer_append_char (writer, letter);
  }
  for (guint i = 0; i < 2 && orrery_writer_wants (writer, 1); i++) {
    orrery_writer_begin (writer, 1);
    orrery_writer_append_int (writer, i);
  }
  if (!orrery_writer_wants (writer, 2))
    return;
  orrery_writer_begin (writer, 2);
  for (guint i = 0; i < LARGE; i++)
    orrery_writer_append_char (writer, letter);
}

static void
probe_letters_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMessageCatalogue *messages = orrery_setup_get_messages (setup);
  g_autofree char *name = orrery_make_topic_name (
      orrery_part_get_name (ORRERY_PART (orrery_setup_get_component (setup))));
  OrreryTopic topics[N_TOPICS] = { { "letter", NULL, 0 },
                                   { name, NULL, ORRERY_TOPIC_LATCHED },
                                   { "/large", NULL, ORRERY_TOPIC_SHARED } };

  topics[2].type =
      orrery_message_catalogue_find (messages, "std_msgs/String", ORRERY_MESSAGE_ROS2, error);
  for (guint i = 0; i < N_TOPICS; i++)
    orrery_datastream_add_topic (ORRERY_DATASTREAM (part), &topics[i]);
}

static void
probe_letters_class_init (ProbeLettersClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_letters_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = probe_letters_encode;
}

/* --- the manager --- */

typedef struct {
  OrreryDatastreamManager parent_instance;
  GPtrArray *streams; /* (element-type OrreryStream), borrowed */
  GString *log;
  GPtrArray *kept; /* (element-type GBytes) */
  GArray *times;   /* (element-type double) of ticks */
} ProbePost;
ORRERY_DEFINE_CLASS_WITH_INIT (ProbePost, probe_post, OrreryDatastreamManager,
                               orrery_datastream_manager)

static void
probe_post_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  orrery_setup_publish (setup, "post");
}

static void
probe_post_open (OrreryDatastreamManager *manager, OrreryStream *stream, GVariant *options,
                 GError **error)
{
  g_ptr_array_add (((ProbePost *) manager)->streams, stream);
}

static void
probe_post_send_messages (OrreryDatastreamManager *manager, OrreryStream *stream,
                          OrreryWriter *writer)
{
  ProbePost *self = (ProbePost *) manager;

  for (guint i = 0; i < orrery_writer_get_n_messages (writer); i++) {
    const char *data;
    gsize length;
    guint topic = orrery_writer_get_message (writer, i, &data, &length);

    g_string_append_printf (self->log, "%u:%.*s ", topic, (int) MIN (length, 8), data);
    g_ptr_array_add (self->kept, orrery_writer_dup_message (writer, i));
  }
  g_string_append_c (self->log, '|');
}

static void
probe_post_tick (OrreryDatastreamManager *manager, OrreryTick *tick)
{
  double time = orrery_time_to_seconds (orrery_tick_get_time (tick));

  g_array_append_val (((ProbePost *) manager)->times, time);
}

static void
post_listen (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryStream *stream = ((ProbePost *) part)->streams->pdata[orrery_call_get_int (call, 0)];

  orrery_stream_set_topic_listening (stream, (guint) orrery_call_get_int (call, 1),
                                     orrery_call_get_bool (call, 2));
  orrery_call_return (call, g_variant_new_boolean (orrery_stream_is_listening (stream)));
}

static void
post_topics (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryStream *stream = ((ProbePost *) part)->streams->pdata[0];
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < orrery_datastream_get_n_topics (codec); i++) {
    const OrreryTopic *topic = orrery_datastream_get_topic (codec, i);

    g_string_append_printf (text, "%s %s %u|", topic->name,
                            topic->type != NULL ? orrery_message_type_get_name (topic->type) : "-",
                            topic->flags);
  }
  orrery_call_return (call, g_variant_new_string (text->str));
}

static void
post_log (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbePost *self = (ProbePost *) part;

  orrery_call_return (call, g_variant_new_string (self->log->str));
  g_string_truncate (self->log, 0);
}

/* How many messages that were kept are whole: of one letter, which is the next one in each. */
static void
post_check (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbePost *self = (ProbePost *) part;
  gint64 n_whole = 0;
  int first = 0;

  for (guint i = 0; i < self->kept->len; i++) {
    gsize length;
    const char *data = g_bytes_get_data (self->kept->pdata[i], &length);
    gsize same = 0;

    first = i == 0 ? data[0] - 'a' : first;
    while (same < length && data[same] == data[0])
      same++;
    n_whole += same == LARGE && data[0] == (char) ('a' + (first + (int) i) % 26);
  }
  orrery_call_return (call, g_variant_new_int64 (n_whole));
  g_ptr_array_set_size (self->kept, 0);
}

static void
post_times (OrreryPart *part, OrreryCall *call, GError **error)
{
  GArray *times = ((ProbePost *) part)->times;

  orrery_call_return (call, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, times->data,
                                                       times->len, sizeof (double)));
}

static const OrreryService services[] = {
  { "listen", post_listen, ORRERY_SERVICE_IMMEDIATE, "stream:x topic:x on:b",
    "Whether anybody listens to a topic; returns whether anybody listens to the stream" },
  { "topics", post_topics, ORRERY_SERVICE_IMMEDIATE, "", "The topics of the first stream" },
  { "log", post_log, ORRERY_SERVICE_IMMEDIATE, "", "What came since the last time" },
  { "check", post_check, ORRERY_SERVICE_IMMEDIATE, "",
    "How many of the messages that were kept are whole large ones; forgets them" },
  { "times", post_times, ORRERY_SERVICE_IMMEDIATE, "", "The times of all ticks" },
};

static void
probe_post_finalize (GObject *object)
{
  ProbePost *self = (ProbePost *) object;

  g_ptr_array_unref (self->streams);
  g_ptr_array_unref (self->kept);
  g_array_unref (self->times);
  g_string_free (self->log, TRUE);
  G_OBJECT_CLASS (probe_post_parent_class)->finalize (object);
}

static void
probe_post_class_init (ProbePostClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = probe_post_finalize;
  ORRERY_PART_CLASS (klass)->setup = probe_post_setup;
  manager->open = probe_post_open;
  manager->send_messages = probe_post_send_messages;
  manager->tick = probe_post_tick;
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
probe_post_init (ProbePost *self)
{
  self->streams = g_ptr_array_new ();
  self->log = g_string_new (NULL);
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->times = g_array_new (FALSE, FALSE, sizeof (double));
}

ORRERY_PLUGIN ("Streams with topics", "BSD-3-Clause",
               ORRERY_CLASS (Post, ProbePost, probe_post, .stream = "post", .encoding = "cdr",
                             .publisher = "probe.topics.Letters"),
               ORRERY_CLASS (Letters, ProbeLetters, probe_letters, .direction = "OUT"))
