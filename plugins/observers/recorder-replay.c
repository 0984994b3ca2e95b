/* SPDX-License-Identifier: BSD-3-Clause */
/* The topics /orrery/inputs and /orrery/hash: what it takes to run a run again, and to compare. */
#define G_LOG_DOMAIN "orrery.observers.recorder"
#include "recorder-replay.h"

#include <string.h>

/* Entries that wait to be written: after so many the run waits, if it may, at the end of the tick;
 * more than that are lost, and the file says so. */
#define MANY 65536
#define MAX_WAITING 1048576
/* The same of the bytes that parts have taken. */
#define MANY_BYTES ((gsize) 64 * 1024 * 1024)
#define MAX_WAITING_BYTES ((gsize) 256 * 1024 * 1024)

#define STAMP                                                                                      \
  "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"                         \
  "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},"

static const char inputs_schema[] =
    "{\"title\":\"orrery.Input\",\"type\":\"object\",\"properties\":{" STAMP
    "\"tick\":{\"type\":\"integer\",\"description\":\"that it belongs to\"},"
    "\"phase\":{\"type\":\"string\",\"description\":\"before the tick, or within it: act, "
    "services, or "
    "within: anywhere\"},"
    "\"kind\":{\"type\":\"string\",\"description\":\"record, call, cancel, commands, taken: by a "
    "part "
    "from outside, or lost: more came than could be written\"},"
    "\"part\":{\"type\":\"string\"},\"record\":{\"type\":\"object\"},"
    "\"service\":{\"type\":\"string\"},\"arguments\":{\"type\":\"array\",\"items\":{}},"
    "\"manager\":{\"type\":\"string\",\"description\":\"by which a call came; without it: by the "
    "program\"},"
    "\"number\":{\"type\":\"integer\",\"description\":\"of a call, and of its end; of what was "
    "taken: "
    "0 by the part itself, above by its worker\"},"
    "\"data\":{\"type\":\"string\",\"contentEncoding\":\"base64\",\"description\":\"that was "
    "taken; "
    "without it: it was too long to be kept\"},"
    "\"commands\":{\"type\":\"string\",\"description\":\"in the text format of GVariant\"}}}";

static const char hash_schema[] =
    "{\"title\":\"orrery.Hash\",\"type\":\"object\",\"properties\":{" STAMP
    "\"ticks\":{\"type\":\"integer\",\"description\":\"that have run\"},"
    "\"hash\":{\"type\":\"string\",\"description\":\"of poses and records, hexadecimal\"}}}";

typedef enum { INPUT, HASH, LOST } EntryKind;

typedef struct {
  EntryKind is;
  OrreryTime time;
  guint64 tick;
  guint64 number; /* of a call; the hash */
  OrreryRunInputKind kind;
  gboolean in_services;
  OrreryComponent *component; /* borrowed, while the observer is open */
  OrreryRecord *record;
  char *part, *manager, *service;
  GVariant *value;
} Entry;

struct _RecorderReplay {
  OrreryObserver *observer; /* borrowed */
  RecorderClock clock;
  OrreryTime now, due, period;
  gboolean waits;
  gsize largest; /* of what parts take, bytes: what is longer is not kept */
  GMutex lock;
  GCond freed;
  GArray *waiting;   /* (element-type Entry): guarded by lock, as the next four */
  GHashTable *spare; /* (element-type OrreryComponent GPtrArray): records to be used again */
  gsize n_bytes;     /* of what parts have taken */
  gboolean is_full, is_over;
  /* The writer's: */
  GArray *taken;
  guint n_written; /* of those */
  OrreryWriter *out;
  guint16 inputs, hashes; /* channels */
};

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->record, orrery_record_unref);
  g_clear_pointer (&entry->part, g_free);
  g_clear_pointer (&entry->manager, g_free);
  g_clear_pointer (&entry->service, g_free);
  g_clear_pointer (&entry->value, g_variant_unref);
}

static GArray *
create_entries (void)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));

  g_array_set_clear_func (entries, clear_entry);
  return entries;
}

RecorderReplay *
recorder_replay_new (OrreryObserver *observer, RecorderClock clock, OrreryTime period,
                     gboolean waits, gsize largest)
{
  RecorderReplay *replay = g_new0 (RecorderReplay, 1);

  replay->observer = observer;
  replay->clock = clock;
  replay->period = period;
  replay->waits = waits;
  replay->largest = largest;
  g_mutex_init (&replay->lock);
  g_cond_init (&replay->freed);
  replay->waiting = create_entries ();
  replay->taken = create_entries ();
  replay->spare = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  replay->out = orrery_writer_new ();
  return replay;
}

void
recorder_replay_free (RecorderReplay *replay)
{
  g_array_unref (replay->waiting);
  g_array_unref (replay->taken);
  g_hash_table_unref (replay->spare);
  orrery_writer_unref (replay->out);
  g_mutex_clear (&replay->lock);
  g_cond_clear (&replay->freed);
  g_free (replay);
}

/* --- the tick's thread --- */

/* Under the lock: records are used again, so that a steady run allocates none. */
static OrreryRecord *
copy_record (RecorderReplay *replay, OrreryComponent *component)
{
  OrreryRecord *from = orrery_component_get_record (component);
  GPtrArray *spare = g_hash_table_lookup (replay->spare, component);
  OrreryRecord *copy;

  if (spare != NULL && spare->len > 0)
    copy = g_ptr_array_steal_index_fast (spare, spare->len - 1);
  else
    copy = orrery_record_new (orrery_record_get_schema (from));
  orrery_record_copy_whole (copy, from);
  return copy;
}

/* Under the lock. Returns: whether there is room; if not, that is noted once */
static gboolean
find_room (RecorderReplay *replay, guint64 tick)
{
  Entry lost = { .is = LOST, .time = recorder_clock_get_time (&replay->clock, tick), .tick = tick };

  if (replay->waiting->len < MAX_WAITING && replay->n_bytes < MAX_WAITING_BYTES)
    return TRUE;
  if (!replay->is_full)
    g_array_append_val (replay->waiting, lost);
  replay->is_full = TRUE;
  return FALSE;
}

/* Returns: (nullable): what is kept of it */
static GVariant *
find_value (RecorderReplay *replay, const OrreryRunInput *input)
{
  if (input->kind != ORRERY_RUN_INPUT_TAKEN || input->value == NULL)
    return input->value;
  return g_variant_get_size (input->value) <= replay->largest ? input->value : NULL;
}

void
recorder_replay_take_input (RecorderReplay *replay, const OrreryRunInput *input)
{
  Entry entry = { .is = INPUT, .tick = input->tick };
  GVariant *value = find_value (replay, input);

  entry.time = recorder_clock_get_time (&replay->clock, input->tick);
  g_mutex_lock (&replay->lock);
  if (find_room (replay, input->tick)) {
    entry.kind = input->kind;
    entry.in_services = input->in_services;
    entry.number = input->number;
    entry.component = input->component;
    if (input->component != NULL)
      entry.record = copy_record (replay, input->component);
    entry.part = input->component == NULL ? g_strdup (input->part) : NULL;
    entry.manager = g_strdup (input->manager);
    entry.service = g_strdup (input->service);
    entry.value = value != NULL ? g_variant_ref (value) : NULL;
    if (input->kind == ORRERY_RUN_INPUT_TAKEN && value != NULL)
      replay->n_bytes += g_variant_get_size (value);
    g_array_append_val (replay->waiting, entry);
  }
  g_mutex_unlock (&replay->lock);
}

static void
take_hash (RecorderReplay *replay, OrreryTick *tick)
{
  Entry entry = { .is = HASH };

  if (replay->period == 0 || replay->now < replay->due)
    return;
  replay->due = replay->due + replay->period > replay->now ? replay->due + replay->period
                                                           : replay->now + replay->period;
  entry.time = replay->now;
  entry.tick = orrery_tick_get_number (tick) + 1;
  entry.number = orrery_observer_get_hash (replay->observer);
  g_mutex_lock (&replay->lock);
  if (find_room (replay, entry.tick))
    g_array_append_val (replay->waiting, entry);
  g_mutex_unlock (&replay->lock);
}

void
recorder_replay_end_tick (RecorderReplay *replay, OrreryTick *tick)
{
  replay->now = orrery_tick_get_time (tick);
  take_hash (replay, tick);
  g_mutex_lock (&replay->lock);
  while (replay->waits && !replay->is_over &&
         (replay->waiting->len >= MANY || replay->n_bytes >= MANY_BYTES))
    g_cond_wait (&replay->freed, &replay->lock);
  g_mutex_unlock (&replay->lock);
}

/* --- the writer's thread --- */

void
recorder_replay_end (RecorderReplay *replay)
{
  g_mutex_lock (&replay->lock);
  replay->is_over = TRUE;
  g_cond_signal (&replay->freed);
  g_mutex_unlock (&replay->lock);
}

static guint16
add_channel (OrreryRecordingWriter *writer, const char *name, const char *schema, const char *topic,
             GError **error)
{
  guint16 id = orrery_recording_writer_add_schema (writer, name, "jsonschema", schema,
                                                   strlen (schema), error);

  return id != 0 ? orrery_recording_writer_add_channel (writer, id, topic, "json", NULL, error) : 0;
}

gboolean
recorder_replay_enter (RecorderReplay *replay, OrreryRecordingWriter *writer, GError **error)
{
  replay->inputs = add_channel (writer, "orrery.Input", inputs_schema, "/orrery/inputs", error);
  if (replay->inputs == 0)
    return FALSE;
  replay->hashes = add_channel (writer, "orrery.Hash", hash_schema, "/orrery/hash", error);
  return replay->hashes != 0;
}

static void
append_stamp (OrreryWriter *out, const Entry *entry)
{
  orrery_writer_append_text (out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (out, entry->time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, entry->time % ORRERY_SECOND);
  orrery_writer_append_text (out, entry->is == HASH ? "},\"ticks\":" : "},\"tick\":");
  orrery_writer_append_int (out, (gint64) entry->tick);
}

static void
append_pair (OrreryWriter *out, const char *key, const char *text)
{
  if (text == NULL)
    return;
  orrery_writer_append_text (out, key);
  orrery_writer_append_json_text (out, text);
}

static void
append_call (OrreryWriter *out, const Entry *entry)
{
  orrery_writer_append_text (out, ",\"number\":");
  orrery_writer_append_int (out, (gint64) entry->number);
  append_pair (out, ",\"part\":", entry->part);
  append_pair (out, ",\"service\":", entry->service);
  append_pair (out, ",\"manager\":", entry->manager);
  if (entry->value == NULL)
    return;
  orrery_writer_append_text (out, ",\"arguments\":");
  orrery_writer_append_json_variant (out, entry->value);
}

static void
append_taken (OrreryWriter *out, const Entry *entry)
{
  g_autofree char *text = NULL;

  append_pair (out, ",\"part\":", entry->part);
  orrery_writer_append_text (out, ",\"number\":");
  orrery_writer_append_int (out, (gint64) entry->number);
  if (entry->value == NULL)
    return;
  text = g_base64_encode (g_variant_get_data (entry->value), g_variant_get_size (entry->value));
  append_pair (out, ",\"data\":", text);
}

static void
append_input (OrreryWriter *out, const Entry *entry)
{
  static const char *const kinds[] = { "record", "call", "cancel", "commands", "taken" };
  g_autofree char *commands = NULL;

  append_pair (out, ",\"phase\":",
               entry->in_services                       ? "services"
               : entry->kind == ORRERY_RUN_INPUT_RECORD ? "act"
               : entry->kind == ORRERY_RUN_INPUT_TAKEN  ? "within"
                                                        : "before");
  append_pair (out, ",\"kind\":", kinds[entry->kind]);
  if (entry->kind == ORRERY_RUN_INPUT_RECORD) {
    append_pair (out, ",\"part\":", orrery_part_get_name (ORRERY_PART (entry->component)));
    orrery_writer_append_text (out, ",\"record\":");
    orrery_record_write_json (entry->record, out);
  } else if (entry->kind == ORRERY_RUN_INPUT_COMMANDS) {
    commands = g_variant_print (entry->value, FALSE);
    append_pair (out, ",\"commands\":", commands);
  } else if (entry->kind == ORRERY_RUN_INPUT_TAKEN) {
    append_taken (out, entry);
  } else {
    append_call (out, entry);
  }
}

static void
encode (OrreryWriter *out, const Entry *entry)
{
  char hash[17];

  orrery_writer_clear (out);
  append_stamp (out, entry);
  if (entry->is == HASH) {
    g_snprintf (hash, sizeof hash, "%016" G_GINT64_MODIFIER "x", entry->number);
    append_pair (out, ",\"hash\":", hash);
  } else if (entry->is == LOST) {
    append_pair (out, ",\"kind\":", "lost");
  } else {
    append_input (out, entry);
  }
  orrery_writer_append_char (out, '}');
}

/* Gives the records back, and exchanges the lists. */
static void
renew (RecorderReplay *replay)
{
  GArray *done = replay->taken;

  if (replay->n_written < done->len)
    return;
  g_mutex_lock (&replay->lock);
  for (guint i = 0; i < done->len; i++) {
    Entry *entry = &g_array_index (done, Entry, i);
    GPtrArray *spare = g_hash_table_lookup (replay->spare, entry->component);

    if (entry->record == NULL)
      continue;
    if (spare == NULL) {
      spare = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_record_unref);
      g_hash_table_insert (replay->spare, entry->component, spare);
    }
    g_ptr_array_add (spare, g_steal_pointer (&entry->record));
  }
  g_array_set_size (done, 0);
  replay->taken = replay->waiting;
  replay->waiting = done;
  replay->n_bytes = 0;
  replay->is_full = FALSE;
  g_cond_signal (&replay->freed);
  g_mutex_unlock (&replay->lock);
  replay->n_written = 0;
}

static gboolean
write_taken (RecorderReplay *replay, RecorderSink *sink, OrreryTime until, gboolean ends,
             guint64 *n, GError **error)
{
  gboolean written = TRUE;

  while (written && replay->n_written < replay->taken->len) {
    const Entry *entry = &g_array_index (replay->taken, Entry, replay->n_written);
    const char *data;
    gsize length;

    /* Readers sort by time. */
    if (entry->time > until && (ends || replay->taken->len < MANY))
      break;
    encode (replay->out, entry);
    data = orrery_writer_get_data (replay->out, &length);
    written = recorder_sink_write (sink, entry->is == HASH ? &replay->hashes : &replay->inputs,
                                   entry->time, data, length, error);
    replay->n_written++;
    *n += written;
  }
  return written;
}

/* Those that came while the others waited for their time have a list of their own, and at the end
 * of a run there is no later call for them. */
gboolean
recorder_replay_write (RecorderReplay *replay, RecorderSink *sink, OrreryTime until, gboolean ends,
                       guint64 *n, GError **error)
{
  for (guint i = 0; i < 2; i++) {
    renew (replay);
    if (!write_taken (replay, sink, until, ends, n, error))
      return FALSE;
  }
  return TRUE;
}
