/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of clients that were cancelled. A state has what a call has begun, but not who called: a
 * replay that went on from a state in the middle of such a call could not end it.
 */
#include "replay.h"

#include <string.h>

/* A call in whose middle no replay begins. */
typedef struct {
  guint64 begin, end; /* ticks in which it was made and cancelled */
  guint64 last;       /* the greatest end of all that have begun by then */
} Cancelled;

static const char *const topics[] = { "/orrery/inputs", NULL };

/* Most messages are none of the kind, and need not be read.
 * Returns: (transfer full) (nullable) */
static OrreryNode *
read_message (OrreryRecordingReader *reader, const char *kind, guint64 *number, guint64 *tick)
{
  gsize length;
  const char *text = (const char *) orrery_recording_reader_get_message_data (reader, &length);
  g_autoptr (OrreryNode) message = NULL;
  OrreryNode *said, *n, *at;

  if (g_strstr_len (text, (gssize) length, kind) == NULL)
    return NULL;
  message = orrery_node_parse_json (text, length, topics[0], NULL);
  if (message == NULL || orrery_node_get_kind (message) != ORRERY_NODE_DICT)
    return NULL;
  said = orrery_node_find (message, "kind");
  n = orrery_node_find (message, "number");
  at = orrery_node_find (message, "tick");
  if (said == NULL || orrery_node_get_kind (said) != ORRERY_NODE_TEXT ||
      !g_str_equal (orrery_node_get_text (said), kind) || n == NULL || at == NULL ||
      orrery_node_get_kind (n) != ORRERY_NODE_INT || orrery_node_get_kind (at) != ORRERY_NODE_INT)
    return NULL;
  *number = (guint64) orrery_node_get_int (n);
  *tick = (guint64) orrery_node_get_int (at);
  return g_steal_pointer (&message);
}

/* Returns: (element-type guint64 guint64): ticks of cancellations, by the number of the call */
static GHashTable *
find_cancellations (OrreryRecordingReader *reader, GError **error)
{
  g_autoptr (GHashTable) found =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  GError *local = NULL;

  orrery_recording_reader_select (reader, topics, 0, G_MAXINT64);
  while (orrery_recording_reader_next (reader, &local)) {
    guint64 number, tick;
    g_autoptr (OrreryNode) message = read_message (reader, "cancel", &number, &tick);

    if (message != NULL)
      g_hash_table_insert (found, g_memdup2 (&number, sizeof number),
                           g_memdup2 (&tick, sizeof tick));
  }
  if (local == NULL)
    return g_steal_pointer (&found);
  g_propagate_error (error, local);
  return NULL;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  guint64 first = ((const Cancelled *) a)->begin, second = ((const Cancelled *) b)->begin;

  return first < second ? -1 : first > second;
}

static void
sort (GArray *calls)
{
  guint64 last = 0;

  g_array_sort (calls, compare);
  for (guint i = 0; i < calls->len; i++) {
    Cancelled *call = &g_array_index (calls, Cancelled, i);

    last = call->last = MAX (last, call->end);
  }
}

gboolean
replay_run_read_calls (ReplayRun *run, OrreryRecordingReader *reader, GError **error)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (Cancelled));
  g_autoptr (GHashTable) ends = NULL;
  GError *local = NULL;

  if (run->cancelled != NULL)
    return TRUE;
  ends = find_cancellations (reader, error);
  if (ends == NULL)
    return FALSE;
  if (g_hash_table_size (ends) > 0) {
    orrery_recording_reader_select (reader, topics, 0, G_MAXINT64);
    while (orrery_recording_reader_next (reader, &local)) {
      guint64 number;
      Cancelled call = { 0 };
      g_autoptr (OrreryNode) message = read_message (reader, "call", &number, &call.begin);
      const guint64 *end = message != NULL ? g_hash_table_lookup (ends, &number) : NULL;

      if (end == NULL)
        continue;
      call.end = *end;
      g_array_append_val (calls, call);
    }
  }
  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  sort (calls);
  run->cancelled = g_steal_pointer (&calls);
  return TRUE;
}

gboolean
replay_run_is_in_call (const ReplayRun *run, guint64 tick)
{
  guint low = 0, high = run->cancelled != NULL ? run->cancelled->len : 0;

  /* Those that begin before it. */
  while (low < high) {
    guint middle = (low + high) / 2;

    if (g_array_index (run->cancelled, Cancelled, middle).begin < tick)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && g_array_index (run->cancelled, Cancelled, low - 1).last >= tick;
}
