/* SPDX-License-Identifier: BSD-3-Clause */
/* Codecs of typed messages: what a message says of a record is data. */
#define G_LOG_DOMAIN "orrery.middleware.message"
#include "message/assign.h"
#include "message/incoming.h"

#include <string.h>

/*
 * A class in JSON that is based on one of these two classes says which message a record becomes, or
 * which record a message; see docs/mappings.md. The manager of the stream says how the message
 * becomes bytes.
 */

#define MAX_MESSAGES 16

/* What a publisher and a reader share. */
typedef struct {
  OrreryMessageCatalogue *catalogue;
  OrreryMessageDialect dialect;
  OrreryMessageEncoding encoding;
} Format;

static gboolean
format_init (Format *format, OrreryPart *codec, OrrerySetup *setup, GError **error)
{
  const char *name = orrery_datastream_get_encoding (ORRERY_DATASTREAM (codec));

  format->catalogue = orrery_message_catalogue_ref (orrery_setup_get_messages (setup));
  if (name == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s writes messages of ROS, and the manager of this stream does not "
                             "take them: use it on a stream of ros, ros2 or rosbridge",
                             orrery_part_get_classpath (codec));
  if (!orrery_message_encoding_from_name (name, &format->encoding))
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "there is no encoding '%s'", name);
  format->dialect = g_str_equal (name, "ros1") ? ORRERY_MESSAGE_ROS1 : ORRERY_MESSAGE_ROS2;
  return TRUE;
}

static const OrreryMessageType *
format_find (const Format *format, const char *type, GError **error)
{
  return orrery_message_catalogue_find (format->catalogue, type, format->dialect, error);
}

/* --- what a message is made from --- */

typedef struct {
  const OrreryMessageType *type;
  gpointer message;
  MapFields *fields;
  MapNode *when;
  guint32 *seq;
  gboolean is_once;
  OrreryTime every;
  gboolean was_sent;
  OrreryTime sent;
} Outgoing;

static void
outgoing_free (gpointer data)
{
  Outgoing *self = data;

  if (self->message != NULL)
    orrery_message_free (self->type, self->message);
  g_clear_pointer (&self->fields, map_fields_free);
  map_node_free (self->when);
  g_free (self);
}

typedef struct {
  OrreryDatastream parent_instance;

  GVariant *messages;
  char *topic;
  char *topic_suffix;
  char *frame_id;
  char *parent_frame_id;
  char *child_frame_id;
  gboolean pub_tf;

  Format format;
  GPtrArray *outgoing; /* (element-type Outgoing): as its topics */
  guint32 seq;
} OrreryMessagePublisher;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryMessagePublisher, orrery_message_publisher, OrreryDatastream,
                               orrery_datastream)

static const OrreryProperty publisher_properties[] = {
  ORRERY_PROPERTY_VARIANT (OrreryMessagePublisher, messages, "messages", NULL,
                           "The messages that a record becomes: a list of dictionaries with type, "
                           "topic, fields, when, latched, once, every",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessagePublisher, topic, "topic", NULL,
                          "Name of the topic; if it is not given, it is made of the name of the "
                          "component: /robot/pose",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessagePublisher, topic_suffix, "topic_suffix", NULL,
                          "What is appended to the name of the topic, but not to the frame",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessagePublisher, frame_id, "frame_id", NULL,
                          "The frame of the message; if it is not given, the name of the topic",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessagePublisher, parent_frame_id, "parent_frame_id", "base_link",
                          "The frame that the component's own frame is placed in",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessagePublisher, child_frame_id, "child_frame_id", NULL,
                          "The frame that a transform places; if it is not given, the frame",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryMessagePublisher, pub_tf, "pub_tf", TRUE,
                           "Whether the place of the component is published on /tf, too",
                           .flags = ORRERY_PROPERTY_AT_START),
};

/* Frames of ROS 2 have no leading slash. */
static const char *
get_frame (const Format *format, const char *name)
{
  return format->dialect == ORRERY_MESSAGE_ROS2 && *name == '/' ? name + 1 : name;
}

typedef struct {
  const char *type;
  const char *topic;
  const char *when;
  gboolean latched, once;
  double every;
  GVariant *fields;
} Description;

static void
description_clear (Description *description)
{
  g_clear_pointer (&description->fields, g_variant_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Description, description_clear)

static gboolean
check_keys (GVariant *dict, GError **error)
{
  static const char *const known[] = { "type", "topic",   "fields", "when",
                                       "once", "latched", "every",  NULL };
  GVariantIter iter;
  const char *key;

  g_variant_iter_init (&iter, dict);
  while (g_variant_iter_next (&iter, "{&sv}", &key, NULL)) {
    g_autofree char *nearest = NULL;

    if (g_strv_contains (known, key))
      continue;
    nearest = orrery_nearest_names (key, known);
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "a message has no key '%s'%s", key,
                             nearest);
  }
  return TRUE;
}

static gboolean
read_description (GVariant *dict, Description *description, GError **error)
{
  gint64 whole = 0;

  if (!g_variant_is_of_type (dict, G_VARIANT_TYPE_VARDICT))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "a message is a dictionary");
  if (!check_keys (dict, error))
    return FALSE;
  g_variant_lookup (dict, "topic", "&s", &description->topic);
  g_variant_lookup (dict, "when", "&s", &description->when);
  g_variant_lookup (dict, "latched", "b", &description->latched);
  g_variant_lookup (dict, "once", "b", &description->once);
  if (!g_variant_lookup (dict, "every", "d", &description->every) &&
      g_variant_lookup (dict, "every", "x", &whole))
    description->every = (double) whole;
  description->fields = g_variant_lookup_value (dict, "fields", G_VARIANT_TYPE_VARDICT);
  if (!g_variant_lookup (dict, "type", "&s", &description->type) || description->fields == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "a message needs a 'type', a text, and 'fields', a dictionary");
  return TRUE;
}

static char *
make_topic (const OrreryMessagePublisher *self, const char *base, const Description *description)
{
  if (description->topic == NULL)
    return g_strconcat (base, self->topic_suffix, NULL);
  if (*description->topic == '/')
    return g_strdup (description->topic);
  return g_strconcat (base, "/", description->topic, NULL);
}

/* A header that no field names has the time of the record and the frame. */
static GVariant *
add_header (const OrreryMessageType *type, GVariant *fields)
{
  GVariantDict dict;
  gsize offset;

  g_variant_dict_init (&dict, fields);
  if (orrery_message_type_find (type, "header.stamp", &offset, NULL) != NULL) {
    if (!g_variant_dict_contains (&dict, "header.stamp"))
      g_variant_dict_insert (&dict, "header.stamp", "s", "timestamp");
    if (!g_variant_dict_contains (&dict, "header.frame_id"))
      g_variant_dict_insert (&dict, "header.frame_id", "s", "frame");
  }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static gboolean
fill_outgoing (Outgoing *self, const Description *description, MapSources *sources, GError **error)
{
  g_autoptr (GVariant) fields = add_header (self->type, description->fields);
  gsize offset;

  self->message = orrery_message_new (self->type);
  self->is_once = description->once;
  self->every = orrery_time_from_seconds (description->every);
  if (orrery_message_type_find (self->type, "header.seq", &offset, NULL) != NULL)
    self->seq = (guint32 *) (gpointer) ((char *) self->message + offset);
  self->fields = map_fields_new (self->type, fields, sources, error);
  if (self->fields == NULL || description->when == NULL)
    return self->fields != NULL;
  self->when = map_expression_parse (description->when, map_sources_resolve, sources, error);
  if (self->when != NULL && self->when->kind != MAP_NUMBER)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "'when' is %s, not a number",
                             map_kind_get_name (self->when->kind));
  return self->when != NULL;
}

static gboolean
add_message (OrreryMessagePublisher *self, const char *base, GVariant *dict, MapSources *sources,
             GError **error)
{
  g_auto (Description) description = { NULL };
  g_autofree char *topic = NULL;
  Outgoing *outgoing;
  OrreryTopic declared = { NULL, NULL, 0 };

  if (!read_description (dict, &description, error))
    return FALSE;
  topic = make_topic (self, base, &description);
  outgoing = g_new0 (Outgoing, 1);
  g_ptr_array_add (self->outgoing, outgoing);
  outgoing->type = format_find (&self->format, description.type, error);
  if (outgoing->type == NULL || !fill_outgoing (outgoing, &description, sources, error))
    return FALSE;
  declared.name = topic;
  declared.type = outgoing->type;
  declared.flags =
      (description.latched ? ORRERY_TOPIC_LATCHED : 0) |
      (description.topic != NULL && *description.topic == '/' ? ORRERY_TOPIC_SHARED : 0);
  orrery_datastream_add_topic (ORRERY_DATASTREAM (self), &declared);
  return TRUE;
}

static gboolean
add_messages (OrreryMessagePublisher *self, const char *base, MapSources *sources, GError **error)
{
  gsize n = self->messages != NULL && g_variant_is_of_type (self->messages, G_VARIANT_TYPE ("av"))
                ? g_variant_n_children (self->messages)
                : 0;

  if (n == 0 || n > MAX_MESSAGES)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "'messages' is a list of 1 to %d dictionaries", MAX_MESSAGES);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) box = g_variant_get_child_value (self->messages, i);
    g_autoptr (GVariant) dict = g_variant_get_variant (box);

    if (!add_message (self, base, dict, sources, error)) {
      g_prefix_error (error, "messages[%" G_GSIZE_FORMAT "]: ", i);
      return FALSE;
    }
  }
  return TRUE;
}

static void
orrery_message_publisher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMessagePublisher *self = (OrreryMessagePublisher *) part;
  OrreryComponent *component = orrery_setup_get_component (setup);
  g_autofree char *base =
      self->topic != NULL ? g_strdup (self->topic)
                          : orrery_make_topic_name (orrery_part_get_name (ORRERY_PART (component)));
  MapSources sources = { .component = component,
                         .record = orrery_setup_get_record (setup),
                         .pub_tf = self->pub_tf };

  if (!format_init (&self->format, part, setup, error))
    return;
  sources.frame = get_frame (&self->format, self->frame_id != NULL ? self->frame_id : base);
  sources.parent_frame = get_frame (&self->format, self->parent_frame_id);
  sources.child_frame = self->child_frame_id != NULL
                            ? get_frame (&self->format, self->child_frame_id)
                            : sources.frame;
  add_messages (self, base, &sources, error);
}

/* --- in the tick --- */

static gboolean
is_due (Outgoing *self, OrreryRecord *record, GError **error)
{
  OrreryTime now = orrery_record_get_timestamp (record);
  MapValue value;

  if (self->was_sent &&
      (self->is_once || (self->every > 0 && now >= self->sent && now - self->sent < self->every)))
    return FALSE;
  if (self->when == NULL)
    return TRUE;
  return map_node_eval (self->when, &value, error) && value.number != 0;
}

static void
orrery_message_publisher_encode (OrreryDatastream *codec, OrreryRecord *record,
                                 OrreryWriter *writer, GError **error)
{
  OrreryMessagePublisher *self = (OrreryMessagePublisher *) codec;

  for (guint i = 0; i < self->outgoing->len; i++) {
    Outgoing *outgoing = self->outgoing->pdata[i];

    if (!orrery_writer_wants (writer, i) || !is_due (outgoing, record, error))
      continue;
    if (!map_fields_fill (outgoing->fields, outgoing->message, error))
      return;
    if (outgoing->seq != NULL)
      *outgoing->seq = self->seq;
    orrery_writer_begin (writer, i);
    if (!orrery_message_write (outgoing->type, outgoing->message, self->format.encoding, writer,
                               error))
      return;
    outgoing->was_sent = TRUE;
    outgoing->sent = orrery_record_get_timestamp (record);
  }
  self->seq++;
}

static void
orrery_message_publisher_class_init (OrreryMessagePublisherClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, publisher_properties);
  ORRERY_PART_CLASS (klass)->setup = orrery_message_publisher_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_message_publisher_encode;
  /* The messages are laid out by types of the catalogue, which goes last. */
  ORRERY_CLASS_OWNS (klass, OrreryMessagePublisher, outgoing, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMessagePublisher, format.catalogue,
                     orrery_message_catalogue_unref);
}

static void
orrery_message_publisher_init (OrreryMessagePublisher *self)
{
  self->outgoing = g_ptr_array_new_with_free_func (outgoing_free);
}

/* --- readers --- */

typedef struct {
  OrreryDatastream parent_instance;

  char *type;
  GVariant *fields;
  gboolean optional;
  char *document;
  char *log;
  char *topic;

  Format format;
  MapMessage message;
  MapCommands *commands;
  MapNode *text;   /* of the document */
  MapNode *logged; /* a text */
  OrreryReader *inner;
} OrreryMessageReader;
ORRERY_DEFINE_CLASS (OrreryMessageReader, orrery_message_reader, OrreryDatastream,
                     orrery_datastream)

static const OrreryProperty reader_properties[] = {
  ORRERY_PROPERTY_STRING (OrreryMessageReader, type, "type", NULL,
                          "The type of the message: geometry_msgs/Twist",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_VARIANT (OrreryMessageReader, fields, "fields", NULL,
                           "An expression of the message for each field of the record",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryMessageReader, optional, "optional", FALSE,
                           "Whether fields that the record does not have are passed over",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessageReader, log, "log", NULL,
                          "A text of the message that goes to the log",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessageReader, document, "document", NULL,
                          "A text of the message that is the record as JSON, in place of fields",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMessageReader, topic, "topic", NULL,
                          "Name of the topic; if it is not given, it is made of the name of the "
                          "component: /robot/motion",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* An expression of a text. */
static gboolean
parse_text_option (OrreryMessageReader *self, const char *name, const char *option, MapNode **node,
                   GError **error)
{
  if (option == NULL)
    return TRUE;
  *node = map_expression_parse (option, map_message_resolve, &self->message, error);
  if (*node != NULL && (*node)->kind != MAP_TEXT)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "'%s' is %s, not a text", name,
                             map_kind_get_name ((*node)->kind));
  return *node != NULL;
}

static gboolean
prepare_reader (OrreryMessageReader *self, OrreryRecord *record, GError **error)
{
  gboolean has_fields =
      self->fields != NULL && g_variant_is_of_type (self->fields, G_VARIANT_TYPE_VARDICT);

  if (self->type == NULL || (has_fields == (self->document != NULL)))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "a reader needs a 'type', and either 'fields', a dictionary, or a "
                             "'document'");
  self->message.type = format_find (&self->format, self->type, error);
  if (self->message.type == NULL)
    return FALSE;
  self->message.message = orrery_message_new (self->message.type);
  self->inner = orrery_reader_new ();
  if (has_fields)
    self->commands = map_commands_new (record, self->fields, self->optional, &self->message, error);
  return (!has_fields || self->commands != NULL) &&
         parse_text_option (self, "document", self->document, &self->text, error) &&
         parse_text_option (self, "log", self->log, &self->logged, error);
}

static void
orrery_message_reader_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMessageReader *self = (OrreryMessageReader *) part;
  OrreryPart *component = ORRERY_PART (orrery_setup_get_component (setup));
  g_autofree char *topic = self->topic != NULL
                               ? g_strdup (self->topic)
                               : orrery_make_topic_name (orrery_part_get_name (component));
  OrreryTopic declared = { topic, NULL, 0 };

  if (!format_init (&self->format, part, setup, error) ||
      !prepare_reader (self, orrery_setup_get_record (setup), error))
    return;
  declared.type = self->message.type;
  orrery_datastream_add_topic (ORRERY_DATASTREAM (self), &declared);
}

static void
orrery_message_reader_decode (OrreryDatastream *codec, OrreryReader *reader, OrreryRecord *record,
                              GError **error)
{
  OrreryMessageReader *self = (OrreryMessageReader *) codec;
  MapValue value;
  gsize length;
  const char *data = orrery_reader_get_data (reader, &length);

  if (!orrery_message_read (self->message.type, (gpointer) self->message.message,
                            self->format.encoding, (const guint8 *) data, length, error))
    return;
  if (self->logged != NULL && map_node_eval (self->logged, &value, error))
    orrery_part_message (codec, "%.*s", (int) MIN (value.text.length, 1024), value.text.data);
  if (self->commands != NULL) {
    map_commands_apply (self->commands, error);
  } else if (map_node_eval (self->text, &value, error)) {
    orrery_reader_set_data (self->inner, value.text.data, value.text.length);
    orrery_record_read_json (record, self->inner, error);
  }
}

static void
orrery_message_reader_finalize (GObject *object)
{
  OrreryMessageReader *self = (OrreryMessageReader *) object;

  if (self->message.message != NULL)
    orrery_message_free (self->message.type, (gpointer) self->message.message);
  G_OBJECT_CLASS (orrery_message_reader_parent_class)->finalize (object);
}

static void
orrery_message_reader_class_init (OrreryMessageReaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_message_reader_finalize;
  ORRERY_CLASS_SET_PROPERTIES (klass, reader_properties);
  ORRERY_PART_CLASS (klass)->setup = orrery_message_reader_setup;
  ORRERY_DATASTREAM_CLASS (klass)->decode = orrery_message_reader_decode;
  ORRERY_CLASS_OWNS (klass, OrreryMessageReader, commands, map_commands_free);
  ORRERY_CLASS_OWNS (klass, OrreryMessageReader, text, map_node_free);
  ORRERY_CLASS_OWNS (klass, OrreryMessageReader, logged, map_node_free);
  ORRERY_CLASS_OWNS (klass, OrreryMessageReader, inner, orrery_reader_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMessageReader, format.catalogue, orrery_message_catalogue_unref);
}

ORRERY_PLUGIN ("Typed messages, as ROS defines them, by mappings that are data", "BSD-3-Clause",
               ORRERY_CLASS (Publisher, OrreryMessagePublisher, orrery_message_publisher,
                             .direction = "OUT"),
               ORRERY_CLASS (Reader, OrreryMessageReader, orrery_message_reader, .direction = "IN"))
