/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of codecs, which make messages of records and records of messages. */
#include "roles/orrery-stream-private.h"
#include "roles/orrery-topic.h"

typedef struct {
  guint64 epoch;
  const char *encoding;
  GArray *topics; /* (element-type OrreryTopic) (nullable) */
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
  g_free ((char *) ((OrreryTopic *) data)->name);
}

guint
orrery_datastream_add_topic (OrreryDatastream *codec, const OrreryTopic *topic)
{
  OrreryTopic copy = *topic;
  GArray **topics;

  g_return_val_if_fail (ORRERY_IS_DATASTREAM (codec), 0);
  g_return_val_if_fail (topic->name != NULL, 0);
  topics = &PRIVATE (codec)->topics;
  if (*topics == NULL) {
    *topics = g_array_new (FALSE, FALSE, sizeof (OrreryTopic));
    g_array_set_clear_func (*topics, topic_clear);
  }
  g_return_val_if_fail ((*topics)->len < ORRERY_MAX_TOPICS, 0);
  copy.name = g_strdup (topic->name);
  g_array_append_val (*topics, copy);
  return (*topics)->len - 1;
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
  return &g_array_index (PRIVATE (codec)->topics, OrreryTopic, i);
}

/* `robot.001` is `robot001`: a part that begins with a digit belongs to the one before it. */
char *
orrery_make_topic_name (const char *component)
{
  GString *name = g_string_new ("/");

  g_return_val_if_fail (component != NULL, NULL);
  for (const char *at = component; *at != '\0'; at++) {
    if (*at == '.' && !g_ascii_isdigit (at[1]))
      g_string_append_c (name, '/');
    else if (*at != '.')
      g_string_append_c (name, g_ascii_isalnum (*at) || *at == '/' ? *at : '_');
  }
  return g_string_free (name, FALSE);
}
