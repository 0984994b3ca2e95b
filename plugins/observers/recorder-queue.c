/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes records and poses from the tick to the thread that writes them. */
#include "recorder-queue.h"

/* Parts of the slots of a source after which the writer is called */
#define SIGNAL_PART 4

static guint
round_up (guint n)
{
  guint size = 1;

  while (size < n)
    size *= 2;
  return size;
}

/* Those that a tick writes to one after the other lie beside each other. */
static void
make_slots (RecorderQueue *queue)
{
  queue->slots = g_new0 (OrreryRecord *, (gsize) queue->n_slots * queue->n_sources);
  for (guint k = 0; k < queue->n_slots; k++)
    for (guint i = 0; i < queue->n_sources; i++) {
      OrreryComponent *component = queue->sources[i].component;

      if (component != NULL)
        queue->slots[(gsize) k * queue->n_sources + i] =
            orrery_record_new (orrery_record_get_schema (orrery_component_get_record (component)));
    }
}

RecorderQueue *
recorder_queue_new (RecorderSource *sources, guint n_sources, guint n_slots, guint n_objects)
{
  RecorderQueue *queue = g_new0 (RecorderQueue, 1);
  guint size = round_up (n_sources * n_slots);

  queue->sources = sources;
  queue->n_sources = n_sources;
  queue->n_slots = n_slots;
  queue->n_objects = n_objects;
  queue->ring = g_new0 (RecorderEntry, size);
  queue->mask = size - 1;
  atomic_init (&queue->until, G_MININT64);
  make_slots (queue);
  for (guint i = 0; i < n_sources; i++)
    if (sources[i].component == NULL)
      queue->poses = g_new0 (OrreryTransform, (gsize) n_slots * MAX (n_objects, 1));
  g_mutex_init (&queue->lock);
  g_cond_init (&queue->filled);
  g_cond_init (&queue->freed);
  return queue;
}

void
recorder_queue_free (RecorderQueue *queue)
{
  for (gsize i = 0; i < (gsize) queue->n_slots * queue->n_sources; i++)
    g_clear_pointer (&queue->slots[i], orrery_record_unref);
  for (guint i = 0; i < queue->n_sources; i++) {
    RecorderSource *source = &queue->sources[i];

    g_free (source->topic);
    g_free (source->schema);
    g_free (source->classpath);
    g_clear_pointer (&source->drawn, recorder_drawn_free);
    recorder_form_clear (&source->form);
  }
  g_free (queue->slots);
  g_free (queue->sources);
  g_free (queue->poses);
  g_free (queue->ring);
  g_mutex_clear (&queue->lock);
  g_cond_clear (&queue->filled);
  g_cond_clear (&queue->freed);
  g_free (queue);
}

/* --- the tick's thread --- */

/* Slots that the writer has not released */
static inline guint
count_used (RecorderSource *source)
{
  return source->n_put - (guint) g_atomic_int_get ((gint *) &source->n_released);
}

/* Slots that the writer does not know of, and so cannot free */
static guint
count_unpublished (RecorderQueue *queue, guint index)
{
  guint n = 0;

  for (guint i = queue->published; i != queue->head; i++)
    n += queue->ring[i & queue->mask].source == index;
  return n;
}

static void
wait_for_slot (RecorderQueue *queue, guint index)
{
  RecorderSource *source = &queue->sources[index];

  if (count_unpublished (queue, index) >= queue->n_slots)
    recorder_queue_publish (queue, queue->time);
  g_mutex_lock (&queue->lock);
  g_atomic_int_inc (&queue->n_waiting);
  while (count_used (source) >= queue->n_slots) {
    g_cond_signal (&queue->filled);
    g_cond_wait (&queue->freed, &queue->lock);
  }
  g_atomic_int_add (&queue->n_waiting, -1);
  g_mutex_unlock (&queue->lock);
}

gint
recorder_queue_take (RecorderQueue *queue, guint index)
{
  RecorderSource *source = &queue->sources[index];
  guint n_used = count_used (source);

  /* The first slots stay in the caches of the processor, and the others need no buffers. */
  if (n_used == 0)
    source->next = 0;
  if (n_used >= queue->n_slots) {
    if (!queue->waits) {
      g_atomic_int_inc ((gint *) &queue->n_dropped);
      return -1;
    }
    wait_for_slot (queue, index);
  }
  return (gint) source->next;
}

void
recorder_queue_put (RecorderQueue *queue, guint index, guint slot)
{
  RecorderSource *source = &queue->sources[index];
  RecorderEntry *entry = &queue->ring[queue->head++ & queue->mask];

  entry->source = index;
  entry->slot = slot;
  source->next = slot + 1 < queue->n_slots ? slot + 1 : 0;
  source->n_put++;
}

void
recorder_queue_publish (RecorderQueue *queue, OrreryTime time)
{
  guint from = queue->published;

  queue->time = time;
  if (from == queue->head) {
    atomic_store (&queue->until, time);
    return;
  }
  for (guint i = from; i != queue->head; i++)
    queue->ring[i & queue->mask].time = time;
  g_atomic_int_set ((gint *) &queue->published, (gint) queue->head);
  atomic_store (&queue->until, time);
  /* The writer looks by itself now and then; a call is for ticks that are much faster. */
  if (++queue->n_unsignaled >= MAX (queue->n_slots / SIGNAL_PART, 1)) {
    queue->n_unsignaled = 0;
    g_cond_signal (&queue->filled);
  }
}

void
recorder_queue_wake (RecorderQueue *queue)
{
  g_mutex_lock (&queue->lock);
  queue->woken = TRUE;
  g_cond_signal (&queue->filled);
  g_mutex_unlock (&queue->lock);
}

void
recorder_queue_stop (RecorderQueue *queue)
{
  g_mutex_lock (&queue->lock);
  g_atomic_int_set (&queue->stop, TRUE);
  g_cond_signal (&queue->filled);
  g_mutex_unlock (&queue->lock);
}

/* --- the writer's thread --- */

OrreryTime
recorder_queue_get_time (RecorderQueue *queue)
{
  return atomic_load (&queue->until);
}

gboolean
recorder_queue_get (RecorderQueue *queue, RecorderEntry *entry)
{
  if (queue->tail == (guint) g_atomic_int_get ((gint *) &queue->published))
    return FALSE;
  *entry = queue->ring[queue->tail & queue->mask];
  return TRUE;
}

void
recorder_queue_release (RecorderQueue *queue, const RecorderEntry *entry)
{
  RecorderSource *source = &queue->sources[entry->source];

  queue->tail++;
  g_atomic_int_set ((gint *) &source->n_released, (gint) (source->n_released + 1));
  if (g_atomic_int_get (&queue->n_waiting) > 0) {
    g_mutex_lock (&queue->lock);
    g_cond_signal (&queue->freed);
    g_mutex_unlock (&queue->lock);
  }
}

void
recorder_queue_wait (RecorderQueue *queue, guint ms)
{
  gint64 end = g_get_monotonic_time () + (gint64) ms * 1000;

  g_mutex_lock (&queue->lock);
  if (!g_atomic_int_get (&queue->stop) && !queue->woken &&
      queue->tail == (guint) g_atomic_int_get ((gint *) &queue->published))
    g_cond_wait_until (&queue->filled, &queue->lock, end);
  queue->woken = FALSE;
  g_mutex_unlock (&queue->lock);
}
