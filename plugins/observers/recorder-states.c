/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic /orrery/states: from what a run can go on. */
#define G_LOG_DOMAIN "orrery.observers.recorder"
#include "recorder-states.h"

#include <string.h>

#define MAX_WAITING 4
#define MAX_WAIT (60 * ORRERY_SECOND)
/* As text it is a third larger, and has to fit into a chunk. */
#define MAX_BYTES (128 * 1024 * 1024)

static const char schema[] =
    "{\"title\":\"orrery.State\",\"type\":\"object\",\"properties\":{"
    "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},"
    "\"ticks\":{\"type\":\"integer\",\"description\":\"that have run\"},"
    "\"state\":{\"type\":\"string\",\"contentEncoding\":\"base64\"}}}";

typedef struct {
  OrreryTime time;
  guint64 ticks;
  GBytes *bytes;
} State;

struct _RecorderStates {
  OrreryObserver *observer; /* borrowed */
  OrreryTime period;
  OrreryTime due;
  OrreryTime wait; /* until the next try */
  gboolean failed; /* the last one could not be saved, which was said */
  gboolean ended;  /* they are too large */
  GMutex lock;
  GQueue waiting; /* (element-type State) */
  /* The writer's: */
  OrreryWriter *out;
  guint16 channel;
};

static void
state_free (gpointer data)
{
  State *state = data;

  g_bytes_unref (state->bytes);
  g_free (state);
}

RecorderStates *
recorder_states_new (OrreryObserver *observer, OrreryTime period)
{
  RecorderStates *states = g_new0 (RecorderStates, 1);

  states->observer = observer;
  states->period = states->wait = period;
  g_mutex_init (&states->lock);
  g_queue_init (&states->waiting);
  states->out = orrery_writer_new ();
  return states;
}

void
recorder_states_free (RecorderStates *states)
{
  g_queue_clear_full (&states->waiting, state_free);
  orrery_writer_unref (states->out);
  g_mutex_clear (&states->lock);
  g_free (states);
}

/* --- the tick's thread --- */

static gboolean
has_room (RecorderStates *states)
{
  gboolean room;

  g_mutex_lock (&states->lock);
  room = states->waiting.length < MAX_WAITING;
  g_mutex_unlock (&states->lock);
  return room;
}

/* Once, until it works again: `orrery replay` looks for these words. */
static void
tell (RecorderStates *states, const char *why)
{
  if (why != NULL && !states->failed)
    orrery_part_warning (states->observer, "no states are recorded: %s", why);
  else if (why == NULL && states->failed)
    orrery_part_message (states->observer, "states are recorded again");
  states->failed = why != NULL;
}

void
recorder_states_take (RecorderStates *states, OrreryTick *tick)
{
  OrreryTime now = orrery_tick_get_time (tick);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  State *state;

  if (states->ended || now < states->due || !has_room (states))
    return;
  bytes = orrery_observer_save_state (states->observer, &error);
  states->ended = bytes != NULL && g_bytes_get_size (bytes) > MAX_BYTES;
  tell (states, bytes == NULL   ? error->message
                : states->ended ? "they have more than 128 MiB"
                                : NULL);
  /* A part that cannot be saved while it does something long may be saved later; one that never can
   * is asked more and more rarely. */
  states->wait =
      states->failed ? MIN (2 * states->wait, MAX (MAX_WAIT, states->period)) : states->period;
  states->due = now + states->wait;
  if (states->failed)
    return;
  state = g_new (State, 1);
  *state = (State){ now, orrery_tick_get_number (tick) + 1, g_steal_pointer (&bytes) };
  g_mutex_lock (&states->lock);
  g_queue_push_tail (&states->waiting, state);
  g_mutex_unlock (&states->lock);
}

/* --- the writer's thread --- */

gboolean
recorder_states_enter (RecorderStates *states, OrreryRecordingWriter *writer, GError **error)
{
  guint16 id = orrery_recording_writer_add_schema (writer, "orrery.State", "jsonschema", schema,
                                                   strlen (schema), error);

  if (id == 0)
    return FALSE;
  states->channel =
      orrery_recording_writer_add_channel (writer, id, "/orrery/states", "json", NULL, error);
  return states->channel != 0;
}

static State *
pop (RecorderStates *states, OrreryTime until)
{
  State *state;

  g_mutex_lock (&states->lock);
  state = g_queue_peek_head (&states->waiting);
  if (state != NULL && state->time <= until)
    g_queue_pop_head (&states->waiting);
  else
    state = NULL;
  g_mutex_unlock (&states->lock);
  return state;
}

static void
encode (OrreryWriter *out, const State *state)
{
  gsize size;
  const guchar *data = g_bytes_get_data (state->bytes, &size);
  g_autofree char *text = g_base64_encode (data, size);

  orrery_writer_clear (out);
  orrery_writer_append_text (out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (out, state->time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, state->time % ORRERY_SECOND);
  orrery_writer_append_text (out, "},\"ticks\":");
  orrery_writer_append_int (out, (gint64) state->ticks);
  orrery_writer_append_text (out, ",\"state\":\"");
  orrery_writer_append_text (out, text);
  orrery_writer_append_text (out, "\"}");
}

gboolean
recorder_states_write (RecorderStates *states, RecorderSink *sink, OrreryTime until, guint64 *n,
                       GError **error)
{
  gboolean written = TRUE;
  State *state;

  while (written && (state = pop (states, until)) != NULL) {
    const char *data;
    gsize length;

    encode (states->out, state);
    data = orrery_writer_get_data (states->out, &length);
    if (sink->last != NULL)
      recorder_last_mark (sink->last, state->ticks);
    written = recorder_sink_write (sink, &states->channel, state->time, data, length, error);
    *n += written;
    state_free (state);
  }
  return written;
}
