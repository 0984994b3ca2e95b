/* SPDX-License-Identifier: BSD-3-Clause */
/* A connection of a component's record to a manager, with a mailbox for input. */
#include "roles/orrery-stream-private.h"

#include <pthread.h>

/*
 * The mailbox keeps one message: of several in one tick the last wins. The lock is taken by whoever
 * puts one in, and by the tick only when there is one.
 */
struct _OrreryStream {
  GObject parent_instance;

  OrreryComponent *component;
  OrreryDatastream *codec;
  OrreryDirection direction;
  OrreryStreamOptions *options;
  guint64 wanted; /* atomic: a bit for each topic that somebody listens to */
  int *listening; /* at_home, or in block; atomic is what it points at: whether one is wanted */
  int at_home;
  gpointer block; /* an atomic box */
  gpointer user_data;
  GDestroyNotify destroy;

  int waiting; /* atomic: whether pending holds a message */
  pthread_mutex_t lock;
  GByteArray *pending; /* under lock */
  guint64 source;      /* under lock */
  guint64 n_put;       /* under lock, since the last take */
  gboolean rivals;     /* under lock */

  GByteArray *taken; /* the tick's own */
  gboolean has_message;
  guint64 n_reads;
  guint64 n_displaced;
  gboolean seen_rivals;
};

G_DEFINE_FINAL_TYPE (OrreryStream, orrery_stream, G_TYPE_OBJECT)

static void
orrery_stream_finalize (GObject *object)
{
  OrreryStream *self = ORRERY_STREAM (object);

  if (self->destroy != NULL)
    self->destroy (self->user_data);
  g_clear_object (&self->component);
  g_clear_object (&self->codec);
  g_clear_object (&self->options);
  g_clear_pointer (&self->block, g_atomic_rc_box_release);
  g_clear_pointer (&self->pending, g_byte_array_unref);
  g_clear_pointer (&self->taken, g_byte_array_unref);
  pthread_mutex_destroy (&self->lock);
  G_OBJECT_CLASS (orrery_stream_parent_class)->finalize (object);
}

static void
orrery_stream_class_init (OrreryStreamClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_stream_finalize;
}

static void
orrery_stream_init (OrreryStream *self)
{
  pthread_mutex_init (&self->lock, NULL);
  self->listening = &self->at_home;
  self->pending = g_byte_array_new ();
  self->taken = g_byte_array_new ();
}

OrreryStream *
orrery_stream_new (OrreryComponent *component, OrreryDatastream *codec, OrreryDirection direction,
                   OrreryStreamOptions *options)
{
  OrreryStream *self = g_object_new (ORRERY_TYPE_STREAM, NULL);

  self->component = g_object_ref (component);
  self->codec = g_object_ref (codec);
  self->direction = direction;
  self->options =
      options != NULL ? g_object_ref (options) : g_object_new (ORRERY_TYPE_STREAM_OPTIONS, NULL);
  return self;
}

ORRERY_DEFINE_GETTER (OrreryComponent *, orrery_stream_get_component, OrreryStream,
                      ORRERY_IS_STREAM, self->component)
ORRERY_DEFINE_GETTER (OrreryDatastream *, orrery_stream_get_codec, OrreryStream, ORRERY_IS_STREAM,
                      self->codec)

const char *
orrery_stream_get_name (OrreryStream *stream)
{
  g_return_val_if_fail (ORRERY_IS_STREAM (stream), NULL);
  return orrery_part_get_name (ORRERY_PART (stream->component));
}

ORRERY_DEFINE_GETTER (OrreryStreamOptions *, orrery_stream_get_options, OrreryStream,
                      ORRERY_IS_STREAM, self->options)
ORRERY_DEFINE_GETTER (OrreryDirection, orrery_stream_get_direction, OrreryStream, ORRERY_IS_STREAM,
                      self->direction)

/* Under the lock. */
static void
set_wanted (OrreryStream *stream, guint64 wanted)
{
  __atomic_store_n (&stream->wanted, wanted, __ATOMIC_RELEASE);
  __atomic_store_n (stream->listening, wanted != 0, __ATOMIC_RELEASE);
}

void
orrery_stream_set_listening (OrreryStream *stream, gboolean listening)
{
  pthread_mutex_lock (&stream->lock);
  set_wanted (stream, listening ? G_MAXUINT64 : 0);
  pthread_mutex_unlock (&stream->lock);
}

void
orrery_stream_set_topic_listening (OrreryStream *stream, guint topic, gboolean listening)
{
  guint64 bit;

  g_return_if_fail (ORRERY_IS_STREAM (stream));
  g_return_if_fail (topic < ORRERY_MAX_TOPICS);

  bit = G_GUINT64_CONSTANT (1) << topic;
  pthread_mutex_lock (&stream->lock);
  set_wanted (stream, listening ? stream->wanted | bit : stream->wanted & ~bit);
  pthread_mutex_unlock (&stream->lock);
}

guint64
orrery_stream_get_wanted (const OrreryStream *stream)
{
  return __atomic_load_n (&stream->wanted, __ATOMIC_ACQUIRE);
}

/* Any thread may ask, and the place of the flag may be freed meanwhile. */
gboolean
orrery_stream_is_listening (OrreryStream *stream)
{
  return orrery_stream_get_wanted (stream) != 0;
}

void
orrery_stream_place_listening (OrreryStream *stream, gpointer block, int *place)
{
  gpointer before;

  pthread_mutex_lock (&stream->lock);
  before = stream->block;
  stream->block = g_atomic_rc_box_acquire (block);
  *place = stream->wanted != 0;
  stream->listening = place;
  pthread_mutex_unlock (&stream->lock);
  g_clear_pointer (&before, g_atomic_rc_box_release);
}

void
orrery_stream_put (OrreryStream *stream, guint64 source, const char *data, gsize length)
{
  g_return_if_fail (ORRERY_IS_STREAM (stream));
  g_return_if_fail (length <= G_MAXUINT);

  pthread_mutex_lock (&stream->lock);
  if (stream->n_put > 0 && source != stream->source)
    stream->rivals = TRUE;
  stream->n_put++;
  stream->source = source;
  g_byte_array_set_size (stream->pending, 0);
  g_byte_array_append (stream->pending, (const guint8 *) data, length);
  __atomic_store_n (&stream->waiting, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&stream->lock);
}

gboolean
orrery_stream_take (OrreryStream *stream)
{
  GByteArray *swap = stream->taken;

  if (!__atomic_load_n (&stream->waiting, __ATOMIC_ACQUIRE))
    return stream->has_message;

  pthread_mutex_lock (&stream->lock);
  stream->taken = stream->pending;
  stream->pending = swap;
  stream->n_displaced += stream->n_put - 1 + (stream->has_message ? 1 : 0);
  stream->seen_rivals |= stream->rivals;
  stream->n_put = 0;
  __atomic_store_n (&stream->waiting, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&stream->lock);

  stream->has_message = TRUE;
  return TRUE;
}

const char *
orrery_stream_get_message (OrreryStream *stream, gsize *length)
{
  if (!stream->has_message)
    return NULL;
  *length = stream->taken->len;
  return (const char *) stream->taken->data;
}

const char *
orrery_stream_read (OrreryStream *stream, gsize *length)
{
  stream->n_reads++;
  return orrery_stream_get_message (stream, length);
}

ORRERY_DEFINE_GETTER (guint64, orrery_stream_get_n_reads, OrreryStream, ORRERY_IS_STREAM,
                      self->n_reads)

void
orrery_stream_drop (OrreryStream *stream)
{
  stream->has_message = FALSE;
}

ORRERY_DEFINE_GETTER (guint64, orrery_stream_get_n_displaced, OrreryStream, ORRERY_IS_STRUCT,
                      self->n_displaced)
ORRERY_DEFINE_GETTER (gboolean, orrery_stream_has_rivals, OrreryStream, ORRERY_IS_STRUCT,
                      self->seen_rivals)

void
orrery_stream_set_user_data (OrreryStream *stream, gpointer data, GDestroyNotify destroy)
{
  g_return_if_fail (ORRERY_IS_STREAM (stream));

  if (stream->destroy != NULL)
    stream->destroy (stream->user_data);
  stream->user_data = data;
  stream->destroy = destroy;
}

ORRERY_DEFINE_GETTER (gpointer, orrery_stream_get_user_data, OrreryStream, ORRERY_IS_STRUCT,
                      self->user_data)
