/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the messages of the last seconds in memory, from a state on. */
#include "recorder-last.h"

#include <string.h>

/* What the heap and the list add to a message */
#define OVERHEAD 64

struct _RecorderLast {
  OrreryTime length;
  gsize max_bytes, n_bytes;
  GQueue messages; /* (element-type RecorderMessage): the oldest first */
  GQueue states;   /* (element-type RecorderMessage): those of them that are states; borrowed */
  guint64 ticks;   /* of the next message, see recorder_last_mark() */
  guint64 n_removed, n_dropped;
};

RecorderLast *
recorder_last_new (OrreryTime length, gsize max_bytes)
{
  RecorderLast *last = g_new0 (RecorderLast, 1);

  last->length = length;
  last->max_bytes = max_bytes;
  g_queue_init (&last->messages);
  g_queue_init (&last->states);
  return last;
}

void
recorder_last_free (RecorderLast *last)
{
  g_queue_clear (&last->states);
  g_queue_clear_full (&last->messages, g_atomic_rc_box_release);
  g_free (last);
}

static gsize
count_bytes (const RecorderMessage *message)
{
  return sizeof *message + message->length + OVERHEAD;
}

static void
remove_oldest (RecorderLast *last)
{
  RecorderMessage *message = g_queue_pop_head (&last->messages);

  if (g_queue_peek_head (&last->states) == message)
    g_queue_pop_head (&last->states);
  last->n_bytes -= count_bytes (message);
  last->n_removed++;
  g_atomic_rc_box_release (message);
}

/* Up to the last state that is as old as the seconds are long, or, without states, to the first
 * message of these. */
static void
forget_old (RecorderLast *last, OrreryTime edge)
{
  const RecorderMessage *begin = NULL;

  for (GList *item = last->states.head; item != NULL; item = item->next) {
    const RecorderMessage *state = item->data;

    if (state->time > edge)
      break;
    begin = state;
  }
  while (begin != NULL && g_queue_peek_head (&last->messages) != begin)
    remove_oldest (last);
  while (last->states.length == 0 && last->messages.length > 0 &&
         ((RecorderMessage *) g_queue_peek_head (&last->messages))->time < edge)
    remove_oldest (last);
}

/* What is left begins with a state again, if there is one. */
static void
make_room (RecorderLast *last)
{
  guint64 before = last->n_removed;

  while (last->n_bytes > last->max_bytes && last->messages.length > 1)
    remove_oldest (last);
  while (last->n_removed > before && last->states.length > 0 &&
         g_queue_peek_head (&last->messages) != g_queue_peek_head (&last->states))
    remove_oldest (last);
  last->n_dropped += last->n_removed - before;
}

void
recorder_last_mark (RecorderLast *last, guint64 ticks)
{
  last->ticks = ticks;
}

void
recorder_last_add (RecorderLast *last, const guint16 *channel, OrreryTime time, const char *data,
                   gsize length)
{
  RecorderMessage *message = g_atomic_rc_box_alloc (sizeof *message + length);

  *message = (RecorderMessage){ channel, time, last->ticks, length };
  memcpy (message->data, data, length);
  g_queue_push_tail (&last->messages, message);
  if (last->ticks > 0)
    g_queue_push_tail (&last->states, message);
  last->ticks = 0;
  last->n_bytes += count_bytes (message);
  forget_old (last, time - last->length);
  make_room (last);
}

GPtrArray *
recorder_last_copy (RecorderLast *last, OrreryTime until)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_atomic_rc_box_release);

  for (GList *item = last->messages.head; item != NULL; item = item->next)
    if (((RecorderMessage *) item->data)->time <= until)
      g_ptr_array_add (messages, g_atomic_rc_box_acquire (item->data));
  return messages;
}

gboolean
recorder_last_is_whole (RecorderLast *last)
{
  return last->n_removed == 0;
}

guint64
recorder_last_get_n_dropped (RecorderLast *last)
{
  return last->n_dropped;
}

gboolean
recorder_sink_write (RecorderSink *sink, const guint16 *channel, OrreryTime time, const char *data,
                     gsize length, GError **error)
{
  if (sink->last == NULL)
    return orrery_recording_writer_write (sink->writer, *channel, time, time, data, length, error);
  recorder_last_add (sink->last, channel, time, data, length);
  return TRUE;
}
