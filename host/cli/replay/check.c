/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the records and hashes of a run, tick by tick, with those of a recording. */
#include "replay.h"

#include <math.h>
#include <string.h>

/* What a component has passed on in this tick. */
typedef struct {
  guint channel;
  OrreryWriter *text;
} Made;

/* A component whose records the recording has. */
typedef struct {
  ReplayCheck *check;
  guint channel;
  guint watch;               /* number of its subscription */
  OrreryRecordingForm *form; /* in which its records were recorded */
} Watched;

struct _ReplayCheck {
  OrrerySimulation *simulation; /* borrowed */
  OrreryRecordingReader *reader;
  gboolean has_message; /* the reader stands at one that was not compared */
  GPtrArray *watched;   /* (element-type Watched) */
  GArray *made;         /* (element-type Made): n_made of them are of this tick */
  guint n_made;
  guint hashes, poses; /* channels; G_MAXUINT: none */
  GBytes *last_poses;  /* (nullable): of this tick */
  char *difference;
  guint64 n;
};

static void
clear_made (gpointer data)
{
  orrery_writer_unref (((Made *) data)->text);
}

static void
watched_free (gpointer data)
{
  Watched *watched = data;

  g_clear_pointer (&watched->form, orrery_recording_form_free);
  g_free (watched);
}

void
replay_check_free (ReplayCheck *check)
{
  for (guint i = 0; i < check->watched->len; i++)
    orrery_simulation_unsubscribe (check->simulation,
                                   ((Watched *) check->watched->pdata[i])->watch);
  g_ptr_array_unref (check->watched);
  g_array_unref (check->made);
  g_clear_pointer (&check->last_poses, g_bytes_unref);
  g_clear_pointer (&check->reader, orrery_recording_reader_unref);
  g_free (check->difference);
  g_free (check);
}

/* --- what is made --- */

/* An OrreryRecordFunc. */
static void
take_record (OrreryComponent *component, gpointer user_data)
{
  Watched *watched = user_data;
  ReplayCheck *check = watched->check;
  Made *made;

  if (check->n_made == check->made->len) {
    Made fresh = { .text = orrery_writer_new () };

    g_array_append_val (check->made, fresh);
  }
  made = &g_array_index (check->made, Made, check->n_made++);
  made->channel = watched->channel;
  orrery_writer_clear (made->text);
  orrery_recording_form_write_json (watched->form, orrery_component_get_record (component),
                                    made->text);
}

/* What was left out is not compared, and what is float32 in the file is rounded to that. */
static OrreryRecordingForm *
read_form (ReplayCheck *check, guint channel, OrreryRecord *record, GError **error)
{
  const OrreryRecordingChannel *info = orrery_recording_reader_get_channel (check->reader, channel);
  const char *float32 = NULL, *left_out = NULL;
  OrreryRecordingForm *form;

  g_variant_lookup (info->metadata, "float32", "&s", &float32);
  g_variant_lookup (info->metadata, "left_out", "&s", &left_out);
  form = orrery_recording_form_new (orrery_record_get_schema (record), float32, left_out, error);
  if (form == NULL)
    g_prefix_error (error, "%s: %s: the form of its records: ",
                    orrery_recording_reader_get_path (check->reader), info->topic);
  return form;
}

static gboolean
watch (ReplayCheck *check, guint channel, const char *name, GError **error)
{
  OrreryComponent *component = orrery_simulation_find_component (check->simulation, name);
  OrreryRecord *record = component != NULL ? orrery_component_get_record (component) : NULL;
  OrreryRecordingForm *form;
  Watched *watched;

  if (record == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: it has records of '%.200s', which its scene does not have",
                             orrery_recording_reader_get_path (check->reader), name);
  form = read_form (check, channel, record, error);
  if (form == NULL)
    return FALSE;
  watched = g_new (Watched, 1);
  *watched = (Watched){ check, channel, 0, form };
  g_ptr_array_add (check->watched, watched);
  watched->watch =
      orrery_simulation_subscribe (check->simulation, component, take_record, watched, NULL, error);
  return watched->watch != 0;
}

static gboolean
watch_all (ReplayCheck *check, GError **error)
{
  guint n = orrery_recording_reader_get_n_channels (check->reader);

  for (guint i = 0; i < n; i++) {
    const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (check->reader, i);
    const char *name = NULL;

    if (strcmp (channel->topic, "/orrery/hash") == 0)
      check->hashes = i;
    else if (strcmp (channel->topic, "/orrery/poses") == 0)
      check->poses = i;
    else if (channel->metadata != NULL && strcmp (channel->encoding, "json") == 0 &&
             g_variant_lookup (channel->metadata, "component", "&s", &name) &&
             !watch (check, i, name, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
advance (ReplayCheck *check, GError **error)
{
  GError *local = NULL;

  check->has_message = orrery_recording_reader_next (check->reader, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

ReplayCheck *
replay_check_open (const char *path, OrrerySimulation *simulation, GError **error)
{
  OrreryRecordingReader *reader = orrery_recording_reader_open (path, error);
  g_autoptr (ReplayCheck) check = NULL;

  if (reader == NULL)
    return NULL;
  check = g_new0 (ReplayCheck, 1);
  check->simulation = simulation;
  check->reader = reader;
  check->watched = g_ptr_array_new_with_free_func (watched_free);
  check->made = g_array_new (FALSE, FALSE, sizeof (Made));
  g_array_set_clear_func (check->made, clear_made);
  check->hashes = check->poses = G_MAXUINT;
  if (!watch_all (check, error))
    return NULL;
  orrery_recording_reader_select (reader, NULL, orrery_simulation_get_time (simulation) + 1, -1);
  return advance (check, error) ? g_steal_pointer (&check) : NULL;
}

/* --- differences --- */

static char *
print (OrreryNode *node)
{
  g_autoptr (GVariant) value = node != NULL ? orrery_node_to_variant (node) : NULL;
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  gsize length;
  const char *text;

  if (value == NULL)
    return g_strdup ("nothing");
  orrery_writer_append_json_variant (out, value);
  text = orrery_writer_get_data (out, &length);
  return g_strdup_printf ("%.*s%s", (int) MIN (length, 60), text, length > 60 ? "..." : "");
}

static gboolean
is_equal (OrreryNode *a, OrreryNode *b)
{
  g_autoptr (GVariant) x = orrery_node_to_variant (a);
  g_autoptr (GVariant) y = orrery_node_to_variant (b);

  return g_variant_equal (x, y);
}

/* The first value that differs, and where it is: `position.0`. */
static gboolean
find_difference (OrreryNode *a, OrreryNode *b, GString *path, OrreryNode **theirs,
                 OrreryNode **ours)
{
  OrreryNodeKind kind = orrery_node_get_kind (a);
  gsize length = path->len;

  *theirs = a;
  *ours = b;
  if (kind != orrery_node_get_kind (b) || (kind != ORRERY_NODE_DICT && kind != ORRERY_NODE_LIST))
    return !is_equal (a, b);
  for (guint i = 0; i < orrery_node_get_length (a); i++) {
    OrreryNode *item = orrery_node_get_item (a, i), *other;

    if (kind == ORRERY_NODE_DICT)
      other = orrery_node_find (b, orrery_node_get_key (a, i));
    else
      other = i < orrery_node_get_length (b) ? orrery_node_get_item (b, i) : NULL;
    if (length > 0)
      g_string_append_c (path, '.');
    if (kind == ORRERY_NODE_DICT)
      g_string_append (path, orrery_node_get_key (a, i));
    else
      g_string_append_printf (path, "%u", i);
    *theirs = item;
    *ours = other;
    if (other == NULL || find_difference (item, other, path, theirs, ours))
      return TRUE;
    g_string_truncate (path, length);
  }
  *theirs = a;
  *ours = b;
  return orrery_node_get_length (a) != orrery_node_get_length (b);
}

static void differ (ReplayCheck *check, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
differ (ReplayCheck *check, const char *format, ...)
{
  OrrerySimulation *simulation = check->simulation;
  guint64 ticks = orrery_simulation_get_n_ticks (simulation);
  g_autofree char *words = NULL;
  va_list list;

  va_start (list, format);
  words = g_strdup_vprintf (format, list);
  va_end (list);
  g_free (check->difference);
  check->difference =
      g_strdup_printf ("tick %" G_GUINT64_FORMAT " (%.9g s): %s", ticks - 1,
                       (double) ticks / orrery_simulation_get_frequency (simulation), words);
}

static void
differ_in_record (ReplayCheck *check, const char *topic, const char *theirs, gsize n_theirs,
                  const char *ours, gsize n_ours)
{
  g_autoptr (OrreryNode) a = orrery_node_parse_json (theirs, n_theirs, topic, NULL);
  g_autoptr (OrreryNode) b = orrery_node_parse_json (ours, n_ours, topic, NULL);
  g_autoptr (GString) path = g_string_new (NULL);
  OrreryNode *x = NULL, *y = NULL;
  g_autofree char *recorded = NULL, *now = NULL;

  if (a == NULL || b == NULL || !find_difference (a, b, path, &x, &y)) {
    differ (check, "%s: its message is another one", topic);
    return;
  }
  recorded = print (x);
  now = print (y);
  differ (check, "%s: %s: %s was recorded, now it is %s", topic,
          path->len > 0 ? path->str : "the record", recorded, now);
}

/* --- comparing --- */

/* A component may pass on several records in a tick: the first that was not compared yet. */
static Made *
take_made (ReplayCheck *check, guint channel)
{
  for (guint i = 0; i < check->n_made; i++) {
    Made *made = &g_array_index (check->made, Made, i);

    if (made->channel == channel) {
      made->channel = G_MAXUINT;
      return made;
    }
  }
  return NULL;
}

static gboolean
compare_record (ReplayCheck *check, guint channel)
{
  const char *topic = orrery_recording_reader_get_channel (check->reader, channel)->topic;
  Made *made = take_made (check, channel);
  gsize n_theirs, n_ours;
  const char *theirs =
      (const char *) orrery_recording_reader_get_message_data (check->reader, &n_theirs);
  const char *ours;

  if (made == NULL) {
    differ (check, "%s: a record was recorded, now there is none", topic);
    return FALSE;
  }
  ours = orrery_writer_get_data (made->text, &n_ours);
  if (n_theirs == n_ours && memcmp (theirs, ours, n_ours) == 0)
    return TRUE;
  differ_in_record (check, topic, theirs, n_theirs, ours, n_ours);
  return FALSE;
}

static double
get_number (OrreryNode *dict, const char *key)
{
  OrreryNode *node = dict != NULL && orrery_node_get_kind (dict) == ORRERY_NODE_DICT
                         ? orrery_node_find (dict, key)
                         : NULL;

  if (node == NULL)
    return NAN;
  switch (orrery_node_get_kind (node)) {
  case ORRERY_NODE_INT:
    return (double) orrery_node_get_int (node);
  case ORRERY_NODE_DOUBLE:
    return orrery_node_get_double (node);
  default:
    return NAN;
  }
}

/* Whether a transform of the message is not where the object of its name is; says so. */
static gboolean
differ_in_pose (ReplayCheck *check, OrreryNode *transform)
{
  OrreryWorld *world = orrery_simulation_get_world (check->simulation);
  OrreryNode *name = orrery_node_find (transform, "child_frame_id");
  OrreryNode *place = orrery_node_find (transform, "translation");
  OrreryObject *object;
  const OrreryTransform *pose;

  if (name == NULL || orrery_node_get_kind (name) != ORRERY_NODE_TEXT)
    return FALSE;
  object = orrery_world_find_object (world, orrery_node_get_text (name));
  if (object == NULL)
    return FALSE;
  pose = orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                   orrery_object_get_index (object));
  if (get_number (place, "x") == pose->position.x && get_number (place, "y") == pose->position.y &&
      get_number (place, "z") == pose->position.z)
    return FALSE;
  differ (check,
          "the object %s: it was recorded at (%.9g, %.9g, %.9g), now it is at (%.9g, %.9g, %.9g)",
          orrery_object_get_name (object), get_number (place, "x"), get_number (place, "y"),
          get_number (place, "z"), pose->position.x, pose->position.y, pose->position.z);
  return TRUE;
}

/* The hash differs and no record does: an object that no component tells of, or a component that
 * was not recorded. */
static void
differ_in_hash (ReplayCheck *check)
{
  gsize length;
  const char *text =
      check->last_poses != NULL ? g_bytes_get_data (check->last_poses, &length) : NULL;
  g_autoptr (OrreryNode) message =
      text != NULL ? orrery_node_parse_json (text, length, "/orrery/poses", NULL) : NULL;
  OrreryNode *list = message != NULL && orrery_node_get_kind (message) == ORRERY_NODE_DICT
                         ? orrery_node_find (message, "transforms")
                         : NULL;

  if (list != NULL && orrery_node_get_kind (list) == ORRERY_NODE_LIST)
    for (guint i = 0; i < orrery_node_get_length (list); i++) {
      OrreryNode *item = orrery_node_get_item (list, i);

      if (orrery_node_get_kind (item) == ORRERY_NODE_DICT && differ_in_pose (check, item))
        return;
    }
  differ (check, "the hash of all poses and records is another one; what differs was not recorded");
}

static gboolean
compare_hash (ReplayCheck *check)
{
  gsize length;
  const char *text =
      (const char *) orrery_recording_reader_get_message_data (check->reader, &length);
  g_autoptr (OrreryNode) message = orrery_node_parse_json (text, length, "/orrery/hash", NULL);
  OrreryNode *hash = message != NULL && orrery_node_get_kind (message) == ORRERY_NODE_DICT
                         ? orrery_node_find (message, "hash")
                         : NULL;
  g_autofree char *now = g_strdup_printf ("%016" G_GINT64_MODIFIER "x",
                                          orrery_simulation_get_digest (check->simulation));

  return hash != NULL && orrery_node_get_kind (hash) == ORRERY_NODE_TEXT &&
         strcmp (orrery_node_get_text (hash), now) == 0;
}

/* A hash comes before the poses of its tick, or behind: it is judged when all others were. */
static gboolean
compare_message (ReplayCheck *check, gboolean *hash_differs)
{
  guint channel = orrery_recording_reader_get_message_channel (check->reader);

  if (channel == check->poses) {
    g_clear_pointer (&check->last_poses, g_bytes_unref);
    check->last_poses = orrery_recording_reader_dup_message (check->reader);
    return TRUE;
  }
  if (channel == check->hashes) {
    check->n++;
    *hash_differs = !compare_hash (check);
    return TRUE;
  }
  for (guint i = 0; i < check->watched->len; i++)
    if (((Watched *) check->watched->pdata[i])->channel == channel) {
      check->n++;
      return compare_record (check, channel);
    }
  return TRUE;
}

gboolean
replay_check_tick (ReplayCheck *check, GError **error)
{
  OrreryTime now = orrery_simulation_get_time (check->simulation);
  gboolean same = TRUE, hash_differs = FALSE;

  g_clear_pointer (&check->last_poses, g_bytes_unref);
  while (same && check->has_message &&
         orrery_recording_reader_get_message_time (check->reader) <= now) {
    same = compare_message (check, &hash_differs);
    if (!advance (check, error))
      return FALSE;
  }
  check->n_made = 0;
  if (same && hash_differs) {
    differ_in_hash (check);
    same = FALSE;
  }
  return same;
}

const char *
replay_check_get_difference (ReplayCheck *check)
{
  return check->difference;
}

guint64
replay_check_get_n (ReplayCheck *check)
{
  return check->n;
}

static void
print_left_out (const char *component, const char *fields, gboolean has_hashes)
{
  g_autofree char *words =
      g_strdup_printf ("%s: %s was left out of the recording, and is %s", component, fields,
                       has_hashes ? "compared by the hashes alone" : "not compared");
  g_autofree char *line = orrery_escape_text (words, FALSE);

  printf ("%s\n", line);
}

void
replay_check_print_left_out (OrreryRecordingReader *reader)
{
  guint n = orrery_recording_reader_get_n_channels (reader);
  gboolean has_hashes = FALSE;

  for (guint i = 0; i < n; i++) {
    const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (reader, i);

    has_hashes |= strcmp (channel->topic, "/orrery/hash") == 0 && channel->n_messages > 0;
  }
  for (guint i = 0; i < n; i++) {
    const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (reader, i);
    const char *name, *left_out;

    if (channel->metadata != NULL &&
        g_variant_lookup (channel->metadata, "component", "&s", &name) &&
        g_variant_lookup (channel->metadata, "left_out", "&s", &left_out))
      print_left_out (name, left_out, has_hashes);
  }
}
