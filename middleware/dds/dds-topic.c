/* SPDX-License-Identifier: BSD-3-Clause */
/* Publishers and subscribers of a context. */
#include "dds-node-private.h"

#include <string.h>

#define DEFAULT_DEPTH 10

/* A message that waits for the thread. */
typedef struct _DdsBlock DdsBlock;
struct _DdsBlock {
  DdsBlock *next;
  GBytes *bytes; /* (nullable): NULL: it is in @data */
  guint8 *data;
  gsize length, room;
};

struct _DdsPublisher {
  DdsEnd end;
  guint queue_length;
  gboolean latched;
  DdsListeningFunc listening;
  gpointer data;
  DdsBlock *first, **last; /* [lock] */
  DdsBlock *spare;         /* [lock] */
  guint n_waiting;         /* [lock] */
  guint n_told;            /* [io] of readers */
  atomic_uint n_subscribers;
  atomic_ullong n_dropped;
};

struct _DdsSubscriber {
  DdsEnd end;
  DdsMessageFunc func;
  gpointer data;
  gboolean told_length; /* [io] */
  atomic_uint n_publishers;
};

/* --- what both need --- */

/* Returns: FALSE: a bad name */
static gboolean
open_end (DdsEnd *end, const DdsTopic *topic, DdsEndOptions *options, GError **error)
{
  g_autofree char *whole = NULL, *type = NULL, *hash = NULL;
  gboolean writes = end->writer == NULL && options->events->available == NULL;

  end->name = dds_node_resolve (end->node, topic->topic, error);
  if (end->name == NULL)
    return FALSE;
  type = dds_name_of_type (topic->type, "msg", "_", error);
  if (type == NULL)
    return FALSE;
  whole = g_strconcat ("rt", end->name, NULL);
  hash = topic->hash != NULL ? g_strdup_printf ("typehash=%s;", topic->hash) : NULL;
  options->topic = whole;
  options->type = type;
  options->user_data = hash;
  options->qos.reliable = !topic->quality.best_effort;
  options->qos.transient_local = topic->quality.latched;
  options->qos.depth = topic->quality.depth;
  if (options->qos.depth == 0)
    options->qos.depth = writes && topic->quality.latched ? 1 : DEFAULT_DEPTH;
  if (writes)
    end->writer = dds_writer_new (end->node->context->participant, options, error);
  else
    end->reader = dds_reader_new (end->node->context->participant, options, error);
  if (end->writer != NULL)
    dds_writer_get_guid (end->writer, &end->writer_guid);
  if (end->reader != NULL)
    dds_reader_get_guid (end->reader, &end->reader_guid);
  return end->writer != NULL || end->reader != NULL;
}

static gboolean
is_stopped (DdsNode *node, GError **error)
{
  if (node->context->stopped)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "ROS 2: the node has stopped");
  return node->context->stopped;
}

/* --- publishers --- */

static void
on_reader (gpointer data, const DdsGuid *other, int change, guint n)
{
  DdsPublisher *publisher = data;

  atomic_store (&publisher->n_subscribers, n);
  dds_end_wake (&publisher->end);
}

static void
on_reader_refused (gpointer data, const char *policy)
{
  DdsPublisher *publisher = data;

  dds_end_refuse (&publisher->end, "a subscriber", policy);
}

static const DdsEvents publisher_events = { on_reader, NULL, on_reader_refused };

static void
free_block (DdsBlock *block)
{
  g_clear_pointer (&block->bytes, g_bytes_unref);
  g_free (block->data);
  g_free (block);
}

/* [lock] */
static DdsBlock *
take_first (DdsPublisher *publisher)
{
  DdsBlock *block = publisher->first;

  if (block == NULL)
    return NULL;
  publisher->first = block->next;
  if (publisher->first == NULL)
    publisher->last = &publisher->first;
  publisher->n_waiting--;
  return block;
}

/* [lock] Keeps one for the next message. Returns: (transfer full) (nullable): bytes of others,
 * which are let go without the lock */
static GBytes *
keep_spare (DdsPublisher *publisher, DdsBlock *block)
{
  block->next = publisher->spare;
  publisher->spare = block;
  return g_steal_pointer (&block->bytes);
}

static void
write_block (DdsPublisher *publisher, DdsBlock *block)
{
  DdsPart part = { block->data, block->length };

  if (block->bytes != NULL)
    part.data = g_bytes_get_data (block->bytes, &part.length);
  if (!dds_writer_write (publisher->end.writer, &part, 1, NULL, NULL))
    atomic_fetch_add (&publisher->n_dropped, 1);
}

static void
tell_listening (DdsPublisher *publisher)
{
  guint n = atomic_load (&publisher->n_subscribers);

  if (n == publisher->n_told)
    return;
  publisher->n_told = n;
  if (publisher->listening != NULL)
    publisher->listening (publisher->data, n);
}

static void
run_publisher (DdsEnd *end)
{
  DdsPublisher *publisher = (DdsPublisher *) end;
  DdsContext *context = end->node->context;

  tell_listening (publisher);
  for (guint i = 0; i < DDS_TURN; i++) {
    GBytes *bytes = NULL;
    DdsBlock *block;

    g_mutex_lock (&context->lock);
    block = take_first (publisher);
    g_mutex_unlock (&context->lock);
    if (block == NULL)
      return;
    write_block (publisher, block);
    g_mutex_lock (&context->lock);
    bytes = keep_spare (publisher, block);
    g_mutex_unlock (&context->lock);
    g_clear_pointer (&bytes, g_bytes_unref);
  }
  dds_end_wake (end);
}

static void
close_publisher (DdsEnd *end)
{
  DdsPublisher *publisher = (DdsPublisher *) end;

  atomic_store (&publisher->n_subscribers, 0);
  tell_listening (publisher);
}

static void
free_publisher (DdsEnd *end)
{
  DdsPublisher *publisher = (DdsPublisher *) end;
  DdsBlock *block;

  while ((block = take_first (publisher)) != NULL)
    free_block (block);
  while ((block = publisher->spare) != NULL) {
    publisher->spare = block->next;
    free_block (block);
  }
  g_free (publisher);
}

DdsPublisher *
dds_node_advertise (DdsNode *node, const DdsTopic *topic, guint queue_length,
                    DdsListeningFunc listening, gpointer data, GError **error)
{
  DdsPublisher *publisher;
  DdsEndOptions options = { .events = &publisher_events };

  if (is_stopped (node, error))
    return NULL;
  publisher = g_new0 (DdsPublisher, 1);
  publisher->end = (DdsEnd){
    .node = node, .run = run_publisher, .close = close_publisher, .free = free_publisher
  };
  publisher->last = &publisher->first;
  publisher->queue_length = MAX (queue_length, 1);
  publisher->latched = topic->quality.latched;
  publisher->listening = listening;
  publisher->data = data;
  options.data = publisher;
  if (open_end (&publisher->end, topic, &options, error)) {
    dds_end_add (&publisher->end);
    return publisher;
  }
  dds_end_abandon (&publisher->end);
  return NULL;
}

void
dds_publisher_unadvertise (DdsPublisher *publisher)
{
  dds_end_leave (&publisher->end);
}

/* A block to be filled, if the message is to be kept at all. */
static DdsBlock *
begin_block (DdsPublisher *publisher)
{
  DdsContext *context = publisher->end.node->context;
  DdsBlock *block = NULL;
  GBytes *bytes = NULL;
  gboolean wanted;

  g_mutex_lock (&context->lock);
  wanted = !publisher->end.gone && !publisher->end.closed;
  if (wanted && publisher->n_waiting >= publisher->queue_length) {
    block = take_first (publisher);
    bytes = g_steal_pointer (&block->bytes);
    atomic_fetch_add (&publisher->n_dropped, 1);
  } else if (wanted && publisher->spare != NULL) {
    block = publisher->spare;
    publisher->spare = block->next;
  }
  g_mutex_unlock (&context->lock);
  g_clear_pointer (&bytes, g_bytes_unref);
  return wanted && block == NULL ? g_new0 (DdsBlock, 1) : block;
}

static void
end_block (DdsPublisher *publisher, DdsBlock *block)
{
  DdsContext *context = publisher->end.node->context;

  g_mutex_lock (&context->lock);
  block->next = NULL;
  *publisher->last = block;
  publisher->last = &block->next;
  publisher->n_waiting++;
  dds_end_mark (&publisher->end);
  g_mutex_unlock (&context->lock);
}

static gboolean
is_wanted (DdsPublisher *publisher)
{
  return publisher->latched || atomic_load (&publisher->n_subscribers) > 0;
}

void
dds_publisher_send (DdsPublisher *publisher, gconstpointer message, gsize length)
{
  DdsBlock *block = is_wanted (publisher) ? begin_block (publisher) : NULL;

  if (block == NULL)
    return;
  if (block->room < length) {
    g_free (block->data);
    block->data = g_malloc (length);
    block->room = length;
  }
  memcpy (block->data, message, length);
  block->length = length;
  end_block (publisher, block);
}

void
dds_publisher_send_bytes (DdsPublisher *publisher, GBytes *message)
{
  DdsBlock *block = is_wanted (publisher) ? begin_block (publisher) : NULL;

  if (block == NULL)
    return;
  block->bytes = g_bytes_ref (message);
  end_block (publisher, block);
}

const char *
dds_publisher_get_topic (DdsPublisher *publisher)
{
  return publisher->end.name;
}

guint
dds_publisher_get_n_subscribers (DdsPublisher *publisher)
{
  return atomic_load (&publisher->n_subscribers);
}

guint64
dds_publisher_get_n_dropped (DdsPublisher *publisher)
{
  return atomic_load (&publisher->n_dropped);
}

/* --- subscribers --- */

static void
on_writer (gpointer data, const DdsGuid *other, int change, guint n)
{
  DdsSubscriber *subscriber = data;

  atomic_store (&subscriber->n_publishers, n);
}

static void
on_message (gpointer data)
{
  DdsSubscriber *subscriber = data;

  dds_end_wake (&subscriber->end);
}

static void
on_writer_refused (gpointer data, const char *policy)
{
  DdsSubscriber *subscriber = data;

  dds_end_refuse (&subscriber->end, "a publisher", policy);
}

static const DdsEvents subscriber_events = { on_writer, on_message, on_writer_refused };

static void
give (DdsSubscriber *subscriber, const DdsSampleInfo *info, GBytes *message)
{
  DdsMessageInfo told = { info->identity.guid.bytes, info->identity.number };
  DdsContext *context = subscriber->end.node->context;

  if (message != NULL)
    subscriber->func (subscriber->data, &told, message);
  else if (!subscriber->told_length)
    dds_context_log (context, DDS_LOG_WARNING,
                     "ROS 2: a message of %s has more than %zu bytes and is ignored, as are others "
                     "like it",
                     subscriber->end.name, context->options.max_message);
  subscriber->told_length |= message == NULL;
}

static void
run_subscriber (DdsEnd *end)
{
  DdsSubscriber *subscriber = (DdsSubscriber *) end;

  for (guint i = 0; i < DDS_TURN; i++) {
    g_autoptr (GBytes) message = NULL;
    DdsSampleInfo info;

    if (!dds_reader_take (end->reader, end->node->context->options.max_message, &info, &message))
      return;
    give (subscriber, &info, message);
  }
  dds_end_wake (end);
}

static void
close_subscriber (DdsEnd *end)
{
  DdsSubscriber *subscriber = (DdsSubscriber *) end;

  atomic_store (&subscriber->n_publishers, 0);
}

static void
free_subscriber (DdsEnd *end)
{
  g_free (end);
}

DdsSubscriber *
dds_node_subscribe (DdsNode *node, const DdsTopic *topic, DdsMessageFunc func, gpointer data,
                    GError **error)
{
  DdsSubscriber *subscriber;
  DdsEndOptions options = { .events = &subscriber_events };

  if (is_stopped (node, error))
    return NULL;
  subscriber = g_new0 (DdsSubscriber, 1);
  subscriber->end = (DdsEnd){
    .node = node, .run = run_subscriber, .close = close_subscriber, .free = free_subscriber
  };
  subscriber->func = func;
  subscriber->data = data;
  options.data = subscriber;
  if (open_end (&subscriber->end, topic, &options, error)) {
    dds_end_add (&subscriber->end);
    return subscriber;
  }
  dds_end_abandon (&subscriber->end);
  return NULL;
}

void
dds_subscriber_unsubscribe (DdsSubscriber *subscriber)
{
  dds_end_leave (&subscriber->end);
}

guint
dds_subscriber_get_n_publishers (DdsSubscriber *subscriber)
{
  return atomic_load (&subscriber->n_publishers);
}
