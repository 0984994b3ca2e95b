/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic /orrery/states: from what a run can go on. */
#define G_LOG_DOMAIN "orrery.observers.recorder"
#include "recorder-states.h"

#include <string.h>

#define MAX_WAITING 4
#define MAX_WAIT (60 * ORRERY_SECOND)
/* As text it is twice as large, and has to fit into a chunk. */
#define MAX_BYTES (120 * 1024 * 1024)

static const char schema[] =
    "{\"title\":\"orrery.State\",\"type\":\"object\",\"properties\":{"
    "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},"
    "\"ticks\":{\"type\":\"integer\",\"description\":\"that have run\"},"
    "\"state\":{\"type\":\"string\",\"contentEncoding\":\"base16\"}}}";

typedef struct {
  OrreryTime time;
  guint64 ticks;
  GBytes *bytes;  /* NULL: it could not be saved, or none are */
  gboolean opens; /* another file begins with it */
} State;

struct _RecorderStates {
  OrreryObserver *observer; /* borrowed */
  OrreryTime period;        /* 0: no states, only beginnings of files */
  OrreryTime due;
  OrreryTime wait; /* until the next try */
  OrreryTime split_period, split_due;
  gboolean waits;  /* where too many wait */
  gboolean failed; /* the last one could not be saved, which was said */
  gboolean ended;  /* they are too large */
  gint is_full;    /* atomic: the file is as large as it may be */
  GMutex lock;
  GCond freed;
  GQueue waiting;   /* (element-type State): guarded by lock, as the next one */
  gboolean is_over; /* nothing is written any more */
  /* The writer's: */
  OrreryWriter *out;
  guint16 channel;
};

static void
state_free (gpointer data)
{
  State *state = data;

  g_clear_pointer (&state->bytes, g_bytes_unref);
  g_free (state);
}

RecorderStates *
recorder_states_new (OrreryObserver *observer, OrreryTime period, OrreryTime split_period,
                     gboolean waits)
{
  RecorderStates *states = g_new0 (RecorderStates, 1);

  states->observer = observer;
  states->period = states->wait = period;
  states->split_period = split_period;
  states->waits = waits;
  g_mutex_init (&states->lock);
  g_cond_init (&states->freed);
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
  g_cond_clear (&states->freed);
  g_free (states);
}

/* --- the tick's thread --- */

static gboolean
find_room (RecorderStates *states)
{
  gboolean room;

  g_mutex_lock (&states->lock);
  while (states->waits && !states->is_over && states->waiting.length >= MAX_WAITING)
    g_cond_wait (&states->freed, &states->lock);
  room = states->waiting.length < MAX_WAITING && !states->is_over;
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

/* (transfer full) (nullable) */
static GBytes *
save (RecorderStates *states, OrreryTime now)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = orrery_observer_save_state (states->observer, &error);

  states->ended = bytes != NULL && g_bytes_get_size (bytes) > MAX_BYTES;
  tell (states, bytes == NULL   ? error->message
                : states->ended ? "they have more than 120 MiB"
                                : NULL);
  /* A part that cannot be saved while it does something long may be saved later; one that never can
   * is asked more and more rarely. */
  states->wait =
      states->failed ? MIN (2 * states->wait, MAX (MAX_WAIT, states->period)) : states->period;
  states->due = now + states->wait;
  return states->failed ? NULL : g_steal_pointer (&bytes);
}

/* Whether another file is to begin. */
static gboolean
is_split (RecorderStates *states, OrreryTime now)
{
  if (states->split_period > 0 && states->split_due == 0)
    states->split_due = now + states->split_period;
  return g_atomic_int_get (&states->is_full) ||
         (states->split_period > 0 && now >= states->split_due);
}

/* Files begin at equal distances, however the ticks lie. */
static void
note_split (RecorderStates *states, OrreryTime now)
{
  g_atomic_int_set (&states->is_full, FALSE);
  if (states->split_period > 0 && now >= states->split_due)
    states->split_due = states->split_due + states->split_period > now
                            ? states->split_due + states->split_period
                            : now + states->split_period;
}

gboolean
recorder_states_take (RecorderStates *states, OrreryTick *tick)
{
  OrreryTime now = orrery_tick_get_time (tick);
  gboolean saves = states->period > 0 && !states->ended;
  gboolean opens = is_split (states, now);
  g_autoptr (GBytes) bytes = NULL;
  State *state;

  if (!(opens || (saves && now >= states->due)) || !find_room (states))
    return FALSE;
  if (saves)
    bytes = save (states, now);
  if (bytes == NULL && !opens)
    return FALSE;
  if (opens)
    note_split (states, now);
  state = g_new (State, 1);
  *state = (State){ now, orrery_tick_get_number (tick) + 1, g_steal_pointer (&bytes), opens };
  g_mutex_lock (&states->lock);
  g_queue_push_tail (&states->waiting, state);
  g_mutex_unlock (&states->lock);
  return TRUE;
}

/* --- the writer's thread --- */

gboolean
recorder_states_enter (RecorderStates *states, OrreryRecordingWriter *writer, GError **error)
{
  guint16 id;

  if (states->period == 0)
    return TRUE;
  id = orrery_recording_writer_add_schema (writer, "orrery.State", "jsonschema", schema,
                                           strlen (schema), error);
  if (id == 0)
    return FALSE;
  states->channel =
      orrery_recording_writer_add_channel (writer, id, "/orrery/states", "json", NULL, error);
  return states->channel != 0;
}

void
recorder_states_ask_split (RecorderStates *states)
{
  g_atomic_int_set (&states->is_full, TRUE);
}

void
recorder_states_end (RecorderStates *states)
{
  g_mutex_lock (&states->lock);
  states->is_over = TRUE;
  g_cond_signal (&states->freed);
  g_mutex_unlock (&states->lock);
}

gboolean
recorder_states_find_split (RecorderStates *states, OrreryTime until, RecorderBegin *begin)
{
  gboolean found = FALSE;

  g_mutex_lock (&states->lock);
  for (GList *item = states->waiting.head; item != NULL && !found; item = item->next) {
    State *state = item->data;

    found = state->opens && state->time <= until;
    if (!found)
      continue;
    state->opens = FALSE;
    *begin = (RecorderBegin){ state->time, state->ticks };
  }
  g_mutex_unlock (&states->lock);
  return found;
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
  g_cond_signal (&states->freed);
  g_mutex_unlock (&states->lock);
  return state;
}

/* Two digits a byte: the file is smaller than with base64, as zstd finds what repeats, where base64
 * writes the same bytes in three ways. */
static char *
write_hex (const guint8 *data, gsize size)
{
  char *text = g_malloc (2 * size + 1);

  for (gsize i = 0; i < size; i++) {
    text[2 * i] = "0123456789abcdef"[data[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[data[i] & 15];
  }
  text[2 * size] = '\0';
  return text;
}

static void
encode (OrreryWriter *out, const State *state)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (state->bytes, &size);
  g_autofree char *text = write_hex (data, size);

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

    if (state->bytes == NULL) {
      state_free (state);
      continue;
    }
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
