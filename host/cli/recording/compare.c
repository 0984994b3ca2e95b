/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks two recordings side by side, in order of time, and pairs their messages. */
#include "compare.h"

#include "recording.h"

#include <math.h>
#include <string.h>

/* What parts log, and the simulator's own states, say nothing of the results of a run. */
static const char *const left_out[] = { "/orrery/faults", "/orrery/hash",   "/orrery/inputs",
                                        "/orrery/log",    "/orrery/states", NULL };
#define POSES "/orrery/poses"
/* What records say once more, for viewers */
#define DRAWN "/orrery/foxglove/"
/* Objects that stand still are repeated once a second. */
#define LEAD (2 * ORRERY_SECOND)
/* Messages of one time are in memory, with what it takes to keep them. */
#define MAX_BYTES ((gsize) 256 * 1024 * 1024)
#define MESSAGE_BYTES 96
/* Of a number of ticks, as times are whole nanoseconds */
#define TICK_ERROR 1e-4

typedef struct {
  OrreryRecordingReader *reader;
  CompareTopic **topics; /* by channel; NULL: it is not compared */
  GArray *messages;      /* (element-type CompareMessage): of the present time */
  gsize bytes;           /* of these */
  gboolean there;        /* the reader is at a message that was not taken */
} Side;

static void
message_clear (gpointer data)
{
  g_bytes_unref (((CompareMessage *) data)->data);
}

static void
side_clear (Side *side)
{
  g_clear_pointer (&side->reader, orrery_recording_reader_unref);
  g_clear_pointer (&side->topics, g_free);
  g_clear_pointer (&side->messages, g_array_unref);
}

static void
topic_free (gpointer data)
{
  CompareTopic *topic = data;

  g_free (topic->topic);
  g_free (topic->field);
  g_free (topic->values[0]);
  g_free (topic->values[1]);
  g_hash_table_unref (topic->units);
  g_hash_table_unref (topic->bytes);
  g_hash_table_unref (topic->float32);
  g_strfreev (topic->left_out[0]);
  g_strfreev (topic->left_out[1]);
  g_ptr_array_unref (topic->skipped);
  g_hash_table_unref (topic->fields);
  g_hash_table_unref (topic->objects);
  g_ptr_array_unref (topic->field_order);
  g_ptr_array_unref (topic->object_order);
  g_ptr_array_unref (topic->pending);
  g_free (topic);
}

Compare *
compare_new (const char *a, const char *b)
{
  Compare *compare = g_new0 (Compare, 1);

  compare->paths[0] = a;
  compare->paths[1] = b;
  compare->to = -1;
  compare->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  compare->topics = g_ptr_array_new_with_free_func (topic_free);
  compare->name = g_string_new (NULL);
  compare->touched = g_ptr_array_new ();
  compare->moved = g_ptr_array_new ();
  return compare;
}

void
compare_free (Compare *compare)
{
  g_hash_table_unref (compare->by_name);
  g_ptr_array_unref (compare->topics);
  g_string_free (compare->name, TRUE);
  g_ptr_array_unref (compare->touched);
  g_ptr_array_unref (compare->moved);
  g_free (compare);
}

/* --- topics --- */

static CompareTopic *
add_topic (Compare *compare, const char *name)
{
  CompareTopic *topic = g_hash_table_lookup (compare->by_name, name);

  if (topic != NULL)
    return topic;
  topic = g_new0 (CompareTopic, 1);
  topic->topic = g_strdup (name);
  topic->is_poses = strcmp (name, POSES) == 0;
  topic->units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  topic->bytes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  topic->float32 = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  topic->skipped = g_ptr_array_new_with_free_func (g_free);
  topic->fields = g_hash_table_new (g_str_hash, g_str_equal);
  topic->field_order = g_ptr_array_new_with_free_func (compare_field_free);
  topic->objects = g_hash_table_new (g_str_hash, g_str_equal);
  topic->object_order = g_ptr_array_new_with_free_func (compare_object_free);
  topic->pending = g_ptr_array_new ();
  g_hash_table_insert (compare->by_name, topic->topic, topic);
  g_ptr_array_add (compare->topics, topic);
  return topic;
}

static gboolean
is_wanted (const Compare *compare, const char *topic)
{
  if (compare->only != NULL)
    return g_strv_contains ((const char *const *) compare->only, topic);
  return !g_strv_contains (left_out, topic) && !g_str_has_prefix (topic, DRAWN);
}

static gboolean
open_side (Compare *compare, Side *sides, guint which, GError **error)
{
  Side *side = &sides[which];
  guint n;

  side->reader = orrery_recording_reader_open (compare->paths[which], error);
  if (side->reader == NULL)
    return FALSE;
  cli_recording_print_problems (orrery_recording_reader_get_problems (side->reader));
  n = orrery_recording_reader_get_n_channels (side->reader);
  side->topics = g_new0 (CompareTopic *, n + 1);
  side->messages = g_array_new (FALSE, FALSE, sizeof (CompareMessage));
  g_array_set_clear_func (side->messages, message_clear);
  for (guint i = 0; i < n; i++) {
    const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (side->reader, i);

    if (!is_wanted (compare, channel->topic))
      continue;
    side->topics[i] = add_topic (compare, channel->topic);
    compare_read_schema (side->topics[i], channel);
    compare_read_form (side->topics[i], channel, which);
  }
  return TRUE;
}

static gboolean
check_topics (Compare *compare, Side *sides, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < 2; i++) {
    g_autofree char **names = orrery_recording_reader_list_topics (sides[i].reader);

    for (char **name = names; *name != NULL; name++)
      g_ptr_array_add (all, *name);
  }
  g_ptr_array_add (all, NULL);
  for (char **name = compare->only; name != NULL && *name != NULL; name++) {
    g_autofree char *near = orrery_nearest_names (*name, (const char *const *) all->pdata);

    if (!g_hash_table_contains (compare->by_name, *name))
      return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s, %s: no topic '%s'%s",
                               compare->paths[0], compare->paths[1], *name, near);
  }
  return TRUE;
}

/* --- times --- */

static gboolean
has_time (OrreryRecordingReader *reader, OrreryTime time)
{
  orrery_recording_reader_select (reader, NULL, time, time);
  return orrery_recording_reader_next (reader, NULL);
}

/* Returns: ticks in a second, 0 if the recording does not say */
static double
find_frequency (OrreryRecordingReader *reader)
{
  for (guint i = 0; i < orrery_recording_reader_get_n_metadata (reader); i++) {
    const OrreryRecordingMetadata *metadata = orrery_recording_reader_get_metadata (reader, i);
    const char *text;

    if (strcmp (metadata->name, "orrery") == 0 &&
        g_variant_lookup (metadata->values, "frequency", "&s", &text))
      return g_ascii_strtod (text, NULL);
  }
  return 0;
}

/* Whether a whole number of ticks leads from a whole second to its first message: so it is where a
 * scene says when time begins. */
static gboolean
begins_with_tick (OrreryRecordingReader *reader)
{
  OrreryTime rest = orrery_recording_reader_get_start (reader) % ORRERY_SECOND;
  double ticks = orrery_time_to_seconds (rest) * find_frequency (reader);

  return find_frequency (reader) > 0 && fabs (ticks - round (ticks)) < TICK_ERROR;
}

/* Simulated time begins at the present date, if the scene does not say when. Two such runs have no
 * time in common. */
static gboolean
have_common_time (Side *sides, const OrreryTime *starts)
{
  guint earlier = starts[0] < starts[1] ? 0 : 1;

  return starts[0] == starts[1] ||
         (begins_with_tick (sides[0].reader) && begins_with_tick (sides[1].reader)) ||
         has_time (sides[earlier].reader, starts[1 - earlier]);
}

/* Where there is none, it counts from the first message of each. */
static void
align (Compare *compare, Side *sides)
{
  OrreryTime starts[2];

  for (guint i = 0; i < 2; i++)
    starts[i] = orrery_recording_reader_get_start (sides[i].reader);
  compare->start = starts[0];
  compare->is_relative = !have_common_time (sides, starts);
  if (compare->is_relative)
    compare->offset = starts[1] - starts[0];
  for (guint i = 0; i < 2; i++) {
    OrreryTime offset = i == 1 ? compare->offset : 0;

    compare->spans[i][0] = starts[i] - offset;
    compare->spans[i][1] = orrery_recording_reader_get_end (sides[i].reader) - offset;
  }
}

static void
select_times (Compare *compare, Side *sides)
{
  OrreryTime to =
      compare->to < 0 ? -1 : compare->start + orrery_time_from_seconds (MIN (compare->to, 1e9));

  compare->begin = compare->from <= 0
                       ? G_MININT64
                       : compare->start + orrery_time_from_seconds (MIN (compare->from, 1e9));
  for (guint i = 0; i < 2; i++) {
    OrreryTime offset = i == 1 ? compare->offset : 0;
    OrreryTime from = compare->from <= 0 ? 0 : compare->begin + offset - LEAD;

    /* Below 0 stands for no limit. */
    orrery_recording_reader_select (sides[i].reader, (const char *const *) compare->only,
                                    MAX (from, 0), to < 0 ? -1 : MAX (to + offset, 0));
  }
}

/* --- messages of one time --- */

static gboolean
advance (Side *side, GError **error)
{
  g_autoptr (GError) local = NULL;

  side->there = orrery_recording_reader_next (side->reader, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static OrreryTime
get_time (const Compare *compare, const Side *sides, guint which)
{
  return orrery_recording_reader_get_message_time (sides[which].reader) -
         (which == 1 ? compare->offset : 0);
}

static gboolean
take_message (Compare *compare, Side *side, GError **error)
{
  guint index = orrery_recording_reader_get_message_channel (side->reader);
  CompareMessage message = { .topic = side->topics[index] };

  if (message.topic == NULL || (compare->time < compare->begin && !message.topic->is_poses))
    return TRUE;
  message.data = orrery_recording_reader_dup_message (side->reader);
  message.is_json =
      strcmp (orrery_recording_reader_get_channel (side->reader, index)->encoding, "json") == 0;
  g_array_append_val (side->messages, message);
  side->bytes += g_bytes_get_size (message.data) + MESSAGE_BYTES;
  if (side->bytes <= MAX_BYTES)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s: has more than 256 MiB of messages at one time",
                           orrery_recording_reader_get_path (side->reader));
}

/* Takes all messages of the present time. */
static gboolean
take_messages (Compare *compare, Side *sides, guint which, GError **error)
{
  Side *side = &sides[which];

  g_array_set_size (side->messages, 0);
  side->bytes = 0;
  while (side->there && get_time (compare, sides, which) == compare->time)
    if (!take_message (compare, side, error) || !advance (side, error))
      return FALSE;
  return TRUE;
}

/* --- two messages --- */

void
compare_note (Compare *compare, const char *field, char *a, char *b)
{
  CompareTopic *topic = compare->present;

  compare->differs = TRUE;
  if (topic->has_first) {
    g_free (a);
    g_free (b);
    return;
  }
  topic->has_first = TRUE;
  topic->first = compare->time;
  topic->field = g_strdup (field);
  topic->values[0] = a;
  topic->values[1] = b;
}

static OrreryNode *
parse (const CompareMessage *message)
{
  gsize length;
  const char *data = g_bytes_get_data (message->data, &length);

  return message->is_json && length > 0
             ? orrery_node_parse_json (data, length, message->topic->topic, NULL)
             : NULL;
}

static char *
describe_bytes (const CompareMessage *message)
{
  g_autofree char *words =
      g_strdup_printf ("%" G_GSIZE_FORMAT " bytes", g_bytes_get_size (message->data));

  return compare_print_text (words);
}

static gboolean
try_poses (Compare *compare, const CompareMessage *message, OrreryNode *node, guint which)
{
  return message->topic->is_poses && node != NULL && compare_take_poses (compare, node, which);
}

static void
compare_pair (Compare *compare, const CompareMessage *a, const CompareMessage *b)
{
  CompareTopic *topic = a->topic;
  gboolean same = a->is_json == b->is_json && g_bytes_equal (a->data, b->data);
  g_autoptr (OrreryNode) node_a = same && !topic->is_poses ? NULL : parse (a);
  g_autoptr (OrreryNode) node_b = same ? NULL : parse (b);

  compare->differs = FALSE;
  topic->n_pairs++;
  topic->n_same += same ? 1 : 0;
  if (same && !topic->is_poses)
    return;
  if (try_poses (compare, a, node_a, 0) && try_poses (compare, b, same ? node_a : node_b, 1))
    compare_poses (compare);
  else if (!same && node_a != NULL && node_b != NULL)
    compare_nodes (compare, node_a, node_b);
  else if (!same)
    compare_note (compare, "", describe_bytes (a), describe_bytes (b));
  topic->n_different += compare->differs ? 1 : 0;
}

/* A message whose time the other recording does not have. Objects that stand still are not written,
 * so that poses are compared with the last ones. */
static void
compare_alone (Compare *compare, const CompareMessage *message, guint which)
{
  CompareTopic *topic = message->topic;
  const OrreryTime *span = compare->spans[1 - which];
  g_autoptr (OrreryNode) node = topic->is_poses ? parse (message) : NULL;

  compare->differs = FALSE;
  if (try_poses (compare, message, node, which) && topic->has_poses[1 - which] &&
      compare->time >= span[0] && compare->time <= span[1]) {
    topic->n_pairs++;
    compare_poses (compare);
    topic->n_different += compare->differs ? 1 : 0;
    return;
  }
  topic->n_alone[which]++;
  compare_note (compare, "", which == 0 ? describe_bytes (message) : NULL,
                which == 1 ? describe_bytes (message) : NULL);
}

static void
compare_message (Compare *compare, const CompareMessage *message)
{
  CompareTopic *topic = message->topic;

  compare->present = topic;
  g_ptr_array_set_size (compare->moved, 0);
  if (topic->n_taken < topic->pending->len)
    compare_pair (compare, message, g_ptr_array_index (topic->pending, topic->n_taken++));
  else
    compare_alone (compare, message, 0);
}

static void
compare_rest (Compare *compare, const CompareMessage *message)
{
  CompareTopic *topic = message->topic;

  compare->present = topic;
  for (; topic->n_taken < topic->pending->len; topic->n_taken++) {
    g_ptr_array_set_size (compare->moved, 0);
    compare_alone (compare, g_ptr_array_index (topic->pending, topic->n_taken), 1);
  }
  g_ptr_array_set_size (topic->pending, 0);
  topic->n_taken = 0;
}

/* Of several messages of a topic the first is compared with the first, and so on. */
static void
compare_time (Compare *compare, Side *sides)
{
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < sides[i].messages->len; k++) {
      CompareMessage *message = &g_array_index (sides[i].messages, CompareMessage, k);

      message->topic->n[i]++;
      if (i == 1)
        g_ptr_array_add (message->topic->pending, message);
    }
  for (guint k = 0; k < sides[0].messages->len; k++)
    compare_message (compare, &g_array_index (sides[0].messages, CompareMessage, k));
  for (guint k = 0; k < sides[1].messages->len; k++)
    compare_rest (compare, &g_array_index (sides[1].messages, CompareMessage, k));
}

/* Where objects are before the first message that is compared */
static void
take_lead (Compare *compare, Side *sides)
{
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < sides[i].messages->len; k++) {
      const CompareMessage *message = &g_array_index (sides[i].messages, CompareMessage, k);
      g_autoptr (OrreryNode) node = parse (message);

      compare->present = message->topic;
      try_poses (compare, message, node, i);
      g_ptr_array_set_size (compare->moved, 0);
    }
}

static gboolean
walk (Compare *compare, Side *sides, GError **error)
{
  if (!advance (&sides[0], error) || !advance (&sides[1], error))
    return FALSE;
  while (sides[0].there || sides[1].there) {
    OrreryTime a = sides[0].there ? get_time (compare, sides, 0) : G_MAXINT64;
    OrreryTime b = sides[1].there ? get_time (compare, sides, 1) : G_MAXINT64;

    compare->time = MIN (a, b);
    if (!take_messages (compare, sides, 0, error) || !take_messages (compare, sides, 1, error))
      return FALSE;
    if (compare->time < compare->begin)
      take_lead (compare, sides);
    else
      compare_time (compare, sides);
  }
  return TRUE;
}

static gboolean
open_and_walk (Compare *compare, Side *sides, GError **error)
{
  if (!open_side (compare, sides, 0, error) || !open_side (compare, sides, 1, error) ||
      !check_topics (compare, sides, error))
    return FALSE;
  align (compare, sides);
  select_times (compare, sides);
  return walk (compare, sides, error);
}

gboolean
compare_run (Compare *compare, GError **error)
{
  Side sides[2] = { { NULL }, { NULL } };
  gboolean done = open_and_walk (compare, sides, error);

  side_clear (&sides[0]);
  side_clear (&sides[1]);
  return done;
}

gboolean
compare_topic_differs (const CompareTopic *topic)
{
  return topic->n_different + topic->n_alone[0] + topic->n_alone[1] > 0;
}

gboolean
compare_has_difference (const Compare *compare)
{
  for (guint i = 0; i < compare->topics->len; i++)
    if (compare_topic_differs (g_ptr_array_index (compare->topics, i)))
      return TRUE;
  return FALSE;
}
