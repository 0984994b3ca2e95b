/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of codecs, which make messages of records and records of messages. */
#include "roles/orrery-stream-private.h"
#include "roles/orrery-topic.h"

typedef struct {
  OrreryTopic topic;
  /* Of a type that the host does not know; else NULL. */
  char *type, *md5, *definition;
} Topic;

typedef struct {
  guint64 epoch;
  const char *encoding;
  GArray *topics; /* (element-type Topic) (nullable) */
} OrreryDatastreamPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryDatastream, orrery_datastream, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryDatastreamPrivate *) orrery_datastream_get_instance_private (self))

static void
orrery_datastream_finalize (GObject *object)
{
  g_clear_pointer (&PRIVATE ((OrreryDatastream *) object)->topics, g_array_unref);
  G_OBJECT_CLASS (orrery_datastream_parent_class)->finalize (object);
}

static void
orrery_datastream_class_init (OrreryDatastreamClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_datastream_finalize;
}

static void
orrery_datastream_init (OrreryDatastream *self)
{
  PRIVATE (self)->epoch = 1;
}

ORRERY_DEFINE_GETTER (guint64, orrery_datastream_get_epoch, OrreryDatastream, ORRERY_IS_DATASTREAM,
                      PRIVATE (self)->epoch)

void
orrery_datastream_set_epoch (OrreryDatastream *codec, guint64 epoch)
{
  PRIVATE (codec)->epoch = epoch;
}

ORRERY_DEFINE_GETTER (const char *, orrery_datastream_get_encoding, OrreryDatastream,
                      ORRERY_IS_DATASTREAM, PRIVATE (self)->encoding)

void
orrery_datastream_set_encoding (OrreryDatastream *codec, const char *encoding)
{
  PRIVATE (codec)->encoding = g_intern_string (encoding);
}

/* --- topics --- */

static void
topic_clear (gpointer data)
{
  Topic *self = data;

  g_free ((char *) self->topic.name);
  g_free (self->type);
  g_free (self->md5);
  g_free (self->definition);
}

static guint
append_topic (OrreryDatastream *codec, const Topic *topic)
{
  GArray **topics = &PRIVATE (codec)->topics;

  if (*topics == NULL) {
    *topics = g_array_new (FALSE, FALSE, sizeof (Topic));
    g_array_set_clear_func (*topics, topic_clear);
  }
  g_array_append_vals (*topics, topic, 1);
  return (*topics)->len - 1;
}

guint
orrery_datastream_add_topic (OrreryDatastream *codec, const OrreryTopic *topic)
{
  Topic added = { .topic = *topic };

  g_return_val_if_fail (ORRERY_IS_DATASTREAM (codec), 0);
  g_return_val_if_fail (topic->name != NULL, 0);
  g_return_val_if_fail (orrery_datastream_get_n_topics (codec) < ORRERY_MAX_TOPICS, 0);
  added.topic.name = g_strdup (topic->name);
  return append_topic (codec, &added);
}

guint
orrery_datastream_declare_topic (OrreryDatastream *codec, const char *name, const char *type,
                                 const char *md5, const char *definition, gboolean latched,
                                 gboolean shared)
{
  Topic added = { .topic.flags =
                      (latched ? ORRERY_TOPIC_LATCHED : 0) | (shared ? ORRERY_TOPIC_SHARED : 0) };

  g_return_val_if_fail (ORRERY_IS_DATASTREAM (codec), 0);
  g_return_val_if_fail (name != NULL && type != NULL && md5 != NULL && definition != NULL, 0);
  g_return_val_if_fail (orrery_datastream_get_n_topics (codec) < ORRERY_MAX_TOPICS, 0);
  added.topic.name = g_strdup (name);
  added.type = g_strdup (type);
  added.md5 = g_strdup (md5);
  added.definition = g_strdup (definition);
  return append_topic (codec, &added);
}

gboolean
orrery_datastream_describe_topic (OrreryDatastream *codec, guint i, const char **type,
                                  const char **md5, const char **definition)
{
  const Topic *topic;

  g_return_val_if_fail (i < orrery_datastream_get_n_topics (codec), FALSE);
  topic = &g_array_index (PRIVATE (codec)->topics, Topic, i);
  if (topic->type == NULL && topic->topic.type == NULL)
    return FALSE;
  *type = topic->type != NULL ? topic->type : orrery_message_type_get_name (topic->topic.type);
  *md5 = topic->type != NULL ? topic->md5 : orrery_message_type_get_md5 (topic->topic.type);
  *definition = topic->type != NULL ? topic->definition
                                    : orrery_message_type_get_definition (topic->topic.type);
  return TRUE;
}

guint
orrery_datastream_get_n_topics (OrreryDatastream *codec)
{
  g_return_val_if_fail (ORRERY_IS_DATASTREAM (codec), 0);
  return PRIVATE (codec)->topics != NULL ? PRIVATE (codec)->topics->len : 0;
}

const OrreryTopic *
orrery_datastream_get_topic (OrreryDatastream *codec, guint i)
{
  g_return_val_if_fail (i < orrery_datastream_get_n_topics (codec), NULL);
  return &g_array_index (PRIVATE (codec)->topics, Topic, i).topic;
}

/* `robot.001` is `robot001`: a part that begins with a digit belongs to the one before it. */
char *
orrery_make_topic_name (const char *component)
{
  GString *name;

  g_return_val_if_fail (component != NULL, NULL);

  name = g_string_new ("/");
  for (const char *at = component; *at != '\0'; at++) {
    if (*at == '.' && !g_ascii_isdigit (at[1]))
      g_string_append_c (name, '/');
    else if (*at != '.')
      g_string_append_c (name, g_ascii_isalnum (*at) || *at == '/' ? *at : '_');
  }
  return g_string_free (name, FALSE);
}
