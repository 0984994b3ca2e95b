/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes what a run makes, and writes it to recordings. */
#include "recorder-file.h"

#include <string.h>

#define SUFFIX ".mcap"

/* What viewers know by its name */
static const char transforms_schema[] =
    "{\"title\":\"foxglove.FrameTransforms\",\"type\":\"object\",\"properties\":{\"transforms\":{"
    "\"type\":\"array\",\"items\":{\"type\":\"object\",\"title\":\"foxglove.FrameTransform\","
    "\"properties\":{\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},"
    "\"parent_frame_id\":{\"type\":\"string\"},\"child_frame_id\":{\"type\":\"string\"},"
    "\"translation\":{\"type\":\"object\",\"title\":\"foxglove.Vector3\",\"properties\":{"
    "\"x\":{\"type\":\"number\"},\"y\":{\"type\":\"number\"},\"z\":{\"type\":\"number\"}}},"
    "\"rotation\":{\"type\":\"object\",\"title\":\"foxglove.Quaternion\",\"properties\":{"
    "\"x\":{\"type\":\"number\"},\"y\":{\"type\":\"number\"},\"z\":{\"type\":\"number\"},"
    "\"w\":{\"type\":\"number\"}}}}}}}}";

static void
attachment_free (gpointer data)
{
  RecorderAttachment *attachment = data;

  g_free (attachment->name);
  g_bytes_unref (attachment->content);
  g_free (attachment);
}

void
recorder_file_clear (RecorderFile *file)
{
  g_clear_pointer (&file->path, g_free);
  g_clear_pointer (&file->compression, g_free);
  g_clear_pointer (&file->kept, g_strfreev);
  g_clear_pointer (&file->attachments, g_ptr_array_unref);
  g_clear_pointer (&file->run, g_variant_unref);
  g_clear_pointer (&file->plugins, g_variant_unref);
  g_clear_pointer (&file->objects, g_strfreev);
  g_clear_pointer (&file->log, recorder_log_free);
  g_clear_pointer (&file->faults, recorder_faults_free);
  g_clear_pointer (&file->replay, recorder_replay_free);
  g_clear_pointer (&file->states, recorder_states_free);
  g_clear_pointer (&file->sink.writer, orrery_recording_writer_unref);
  g_clear_pointer (&file->sink.last, recorder_last_free);
  g_clear_pointer (&file->text, orrery_writer_unref);
  g_clear_pointer (&file->last, g_free);
}

void
recorder_file_attach (RecorderFile *file, const char *name, GBytes *content)
{
  RecorderAttachment *attachment = g_new0 (RecorderAttachment, 1);

  attachment->name = g_strdup (name);
  attachment->content = g_bytes_ref (content);
  if (file->attachments == NULL)
    file->attachments = g_ptr_array_new_with_free_func (attachment_free);
  g_ptr_array_add (file->attachments, attachment);
}

/* run.mcap, run-1.mcap, run-2.mcap ... */
char *
recorder_file_make_path (const RecorderFile *file)
{
  gsize length = strlen (file->path);
  gboolean has_suffix = g_str_has_suffix (file->path, SUFFIX);

  if (file->n_files == 0)
    return g_strdup (file->path);
  return g_strdup_printf ("%.*s-%u%s", (int) (length - (has_suffix ? strlen (SUFFIX) : 0)),
                          file->path, file->n_files, has_suffix ? SUFFIX : "");
}

/* The best that the library was built with, unless one is named. */
static OrreryRecordingWriter *
open_writer (RecorderFile *file, const char *path, GError **error)
{
  static const char *const best[] = { "zstd", "lz4", "" };
  OrreryOutputRules rules = { .kept = (const char *const *) file->kept };
  gboolean none = strcmp (file->compression, "none") == 0;
  OrreryRecordingWriter *writer = NULL;

  if (strcmp (file->compression, "auto") != 0)
    return orrery_recording_writer_new (path, &rules, none ? "" : file->compression, error);
  for (guint i = 0; writer == NULL && i < G_N_ELEMENTS (best); i++) {
    g_autoptr (GError) local = NULL;

    writer = orrery_recording_writer_new (path, &rules, best[i], &local);
    if (writer == NULL && !g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND)) {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  }
  return writer;
}

/* Components of one class mostly share a schema. */
static guint16
find_schema (RecorderQueue *queue, const RecorderSource *source)
{
  for (RecorderSource *other = queue->sources; other < source; other++)
    if (other->component != NULL && source->component != NULL &&
        strcmp (other->classpath, source->classpath) == 0 &&
        strcmp (other->schema, source->schema) == 0)
      return other->schema_id;
  return 0;
}

static gboolean
add_channel (OrreryRecordingWriter *writer, RecorderQueue *queue, RecorderSource *source,
             GError **error)
{
  gboolean is_poses = source->component == NULL;
  const char *schema = is_poses ? transforms_schema : source->schema;
  const char *name = is_poses ? "foxglove.FrameTransforms" : source->classpath;
  guint16 id = find_schema (queue, source);
  GVariantBuilder metadata;

  if (id == 0)
    id = orrery_recording_writer_add_schema (writer, name, "jsonschema", schema, strlen (schema),
                                             error);
  if (id == 0)
    return FALSE;
  source->schema_id = id;
  g_variant_builder_init (&metadata, G_VARIANT_TYPE ("a{ss}"));
  if (!is_poses) {
    g_variant_builder_add (&metadata, "{ss}", "classpath", source->classpath);
    g_variant_builder_add (&metadata, "{ss}", "component",
                           orrery_part_get_name (ORRERY_PART (source->component)));
    recorder_form_describe (&source->form, &metadata);
  }
  source->channel = orrery_recording_writer_add_channel (writer, id, source->topic, "json",
                                                         g_variant_builder_end (&metadata), error);
  return source->channel != 0;
}

/* In the same order for each file. */
static gboolean
add_channels (RecorderFile *file, RecorderQueue *queue, OrreryRecordingWriter *writer,
              GError **error)
{
  /* Numbers of schemas belong to a file. */
  for (guint i = 0; i < queue->n_sources; i++)
    queue->sources[i].schema_id = 0;
  for (guint i = 0; i < queue->n_sources; i++)
    if (!add_channel (writer, queue, &queue->sources[i], error) ||
        (queue->sources[i].drawn != NULL &&
         !recorder_drawn_enter (queue->sources[i].drawn, writer, error)))
      return FALSE;
  return (file->log == NULL || recorder_log_enter (file->log, writer, error)) &&
         recorder_faults_enter (file->faults, writer, error) &&
         (file->replay == NULL || recorder_replay_enter (file->replay, writer, error)) &&
         (file->states == NULL || recorder_states_enter (file->states, writer, error));
}

static gboolean
attach_all (RecorderFile *file, OrreryRecordingWriter *writer, GError **error)
{
  for (guint i = 0; file->attachments != NULL && i < file->attachments->len; i++) {
    RecorderAttachment *attachment = g_ptr_array_index (file->attachments, i);
    gsize length;
    gconstpointer data = g_bytes_get_data (attachment->content, &length);

    if (!orrery_recording_writer_attach (writer, attachment->name, "text/plain", 0, data, length,
                                         error))
      return FALSE;
  }
  return TRUE;
}

/* The next file, with what all begin with. @run: metadata */
static OrreryRecordingWriter *
create (RecorderFile *file, RecorderQueue *queue, GVariant *run, GError **error)
{
  g_autofree char *path = recorder_file_make_path (file);
  g_autoptr (OrreryRecordingWriter) writer = open_writer (file, path, error);

  if (writer == NULL)
    return NULL;
  file->n_files++;
  recorder_kept_add (file->made, path, file->n_kept);
  if (!orrery_recording_writer_add_metadata (writer, "orrery", run, error) ||
      !orrery_recording_writer_add_metadata (writer, "plugins", file->plugins, error) ||
      !attach_all (file, writer, error) || !add_channels (file, queue, writer, error))
    return NULL;
  return g_steal_pointer (&writer);
}

static gboolean
open_with (RecorderFile *file, RecorderQueue *queue, GVariant *run, GError **error)
{
  if (file->text == NULL)
    file->text = orrery_writer_new ();
  file->whole_due = 0;
  if (file->sink.last != NULL)
    return TRUE;
  g_clear_pointer (&file->sink.writer, orrery_recording_writer_unref);
  file->sink.writer = create (file, queue, run, error);
  return file->sink.writer != NULL;
}

gboolean
recorder_file_open (RecorderFile *file, RecorderQueue *queue, GError **error)
{
  return open_with (file, queue, file->run, error);
}

/* --- messages --- */

static void
append_member (OrreryWriter *out, const char *before, double value)
{
  orrery_writer_append_text (out, before);
  orrery_writer_append_json_double (out, value);
}

static void
append_pose (OrreryWriter *out, const char *name, const OrreryTransform *pose, OrreryTime time)
{
  orrery_writer_append_text (out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (out, time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, time % ORRERY_SECOND);
  orrery_writer_append_text (out, "},\"parent_frame_id\":\"world\",\"child_frame_id\":");
  orrery_writer_append_json_text (out, name);
  append_member (out, ",\"translation\":{\"x\":", pose->position.x);
  append_member (out, ",\"y\":", pose->position.y);
  append_member (out, ",\"z\":", pose->position.z);
  append_member (out, "},\"rotation\":{\"x\":", pose->rotation.x);
  append_member (out, ",\"y\":", pose->rotation.y);
  append_member (out, ",\"z\":", pose->rotation.z);
  append_member (out, ",\"w\":", pose->rotation.w);
  orrery_writer_append_text (out, "}}");
}

/* Objects that stand still are written once a second: who opens the file in the middle finds them.
 * Returns: whether anything has moved */
static gboolean
encode_poses (RecorderFile *file, RecorderQueue *queue, const RecorderEntry *entry)
{
  const OrreryTransform *poses = recorder_queue_get_poses (queue, entry->slot);
  gboolean all = entry->time >= file->whole_due;
  guint n = 0;

  if (file->last == NULL)
    file->last = g_new0 (OrreryTransform, MAX (queue->n_objects, 1));
  if (all)
    file->whole_due = entry->time + ORRERY_SECOND;
  orrery_writer_append_text (file->text, "{\"transforms\":[");
  for (guint i = 0; i < queue->n_objects; i++) {
    if (!all && memcmp (&poses[i], &file->last[i], sizeof poses[i]) == 0)
      continue;
    if (n++ > 0)
      orrery_writer_append_char (file->text, ',');
    append_pose (file->text, file->objects[i], &poses[i], entry->time);
    file->last[i] = poses[i];
  }
  orrery_writer_append_text (file->text, "]}");
  return n > 0;
}

gboolean
recorder_file_write (RecorderFile *file, RecorderQueue *queue, const RecorderEntry *entry,
                     GError **error)
{
  RecorderSource *source = &queue->sources[entry->source];
  const char *data;
  gsize length;

  orrery_writer_clear (file->text);
  if (source->component != NULL)
    orrery_recording_form_write_json (source->form.form,
                                      recorder_queue_get_record (queue, entry->source, entry->slot),
                                      file->text);
  else if (!encode_poses (file, queue, entry))
    return TRUE;
  data = orrery_writer_get_data (file->text, &length);
  if (!recorder_sink_write (&file->sink, &source->channel, entry->time, data, length, error))
    return FALSE;
  file->n_messages++;
  if (source->drawn != NULL &&
      !recorder_drawn_write (source->drawn, &file->sink,
                             recorder_queue_get_record (queue, entry->source, entry->slot),
                             entry->time, &file->n_messages, error))
    return FALSE;
  if (file->split > 0 && !file->is_full &&
      orrery_recording_writer_get_size (file->sink.writer) >= file->split) {
    file->is_full = TRUE;
    recorder_states_ask_split (file->states);
  }
  return TRUE;
}

/* In memory, messages begin with some state: the poses of all objects are behind each. */
static gboolean
write_states (RecorderFile *file, OrreryTime until, GError **error)
{
  guint64 before = file->n_messages;
  gboolean written =
      recorder_states_write (file->states, &file->sink, until, &file->n_messages, error);

  if (file->sink.last != NULL && file->n_messages > before)
    file->whole_due = 0;
  return written;
}

/* @ends: the file does, with what is of that time */
static gboolean
write_waiting (RecorderFile *file, OrreryTime until, gboolean ends, GError **error)
{
  guint64 *n = &file->n_messages;

  return (file->log == NULL || recorder_log_write (file->log, &file->sink, until, n, error)) &&
         recorder_faults_write (file->faults, &file->sink, until, n, error) &&
         (file->replay == NULL ||
          recorder_replay_write (file->replay, &file->sink, until, ends, n, error)) &&
         (file->states == NULL || write_states (file, until, error));
}

gboolean
recorder_file_flush (RecorderFile *file, GError **error)
{
  return file->sink.writer == NULL || orrery_recording_writer_flush (file->sink.writer, error);
}

static gboolean
close_writer (OrreryRecordingWriter *writer, guint64 n_ticks, GError **error)
{
  g_autofree char *ticks = g_strdup_printf ("%" G_GUINT64_FORMAT, n_ticks);
  GVariantBuilder end;

  g_variant_builder_init (&end, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_add (&end, "{ss}", "ticks", ticks);
  return orrery_recording_writer_add_metadata (writer, "end", g_variant_builder_end (&end),
                                               error) &&
         orrery_recording_writer_close (writer, error);
}

gboolean
recorder_file_close (RecorderFile *file, GError **error)
{
  return file->sink.writer == NULL || close_writer (file->sink.writer, file->n_ticks, error);
}

/* --- one file after another --- */

/* (transfer full): the metadata of the run, for what begins after so many ticks. @dropped:
 * (nullable): messages */
static GVariant *
describe_later (const RecorderFile *file, guint64 n_ticks, const char *dropped)
{
  g_autofree char *ticks = g_strdup_printf ("%" G_GUINT64_FORMAT, n_ticks);
  GVariantBuilder all;
  GVariantIter iter;
  const char *key, *value;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("a{ss}"));
  g_variant_iter_init (&iter, file->run);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
    g_variant_builder_add (&all, "{ss}", key,
                           n_ticks > 0 && strcmp (key, "ticks") == 0 ? ticks : value);
  if (dropped != NULL)
    g_variant_builder_add (&all, "{ss}", "dropped", dropped);
  return g_variant_ref_sink (g_variant_builder_end (&all));
}

/* What was before its first messages goes to the file that ends. So the other one begins with a
 * state, if there are any, with which it can be run again by itself. */
static gboolean
begin_another (RecorderFile *file, RecorderQueue *queue, const RecorderBegin *begin, GError **error)
{
  g_autoptr (GVariant) run = describe_later (file, begin->ticks, NULL);

  file->is_full = FALSE;
  return write_waiting (file, begin->time - 1, TRUE, error) &&
         close_writer (file->sink.writer, begin->ticks - 1, error) &&
         open_with (file, queue, run, error);
}

gboolean
recorder_file_write_others (RecorderFile *file, RecorderQueue *queue, OrreryTime until,
                            GError **error)
{
  RecorderBegin begin;

  while (file->states != NULL && recorder_states_find_split (file->states, until, &begin))
    if (!begin_another (file, queue, &begin, error))
      return FALSE;
  return write_waiting (file, until, FALSE, error);
}

void
recorder_file_give_up (RecorderFile *file)
{
  if (file->states != NULL)
    recorder_states_end (file->states);
  if (file->replay != NULL)
    recorder_replay_end (file->replay);
}

/* --- the last messages --- */

/* How many ticks had run before them; never 0, at which a replay begins without a state. */
static guint64
find_first_tick (const RecorderFile *file, const RecorderExtract *extract)
{
  const RecorderMessage *first = extract->messages->len > 0 ? extract->messages->pdata[0] : NULL;

  if (first == NULL)
    return MAX (extract->n_ticks, 1);
  return first->ticks > 0 ? first->ticks : recorder_clock_find_tick (&file->clock, first->time);
}

gboolean
recorder_file_save (RecorderFile *file, RecorderQueue *queue, const RecorderExtract *extract,
                    GError **error)
{
  g_autofree char *dropped = g_strdup_printf ("%" G_GUINT64_FORMAT, extract->n_dropped);
  g_autoptr (GVariant) run =
      describe_later (file, extract->is_whole ? 0 : find_first_tick (file, extract), dropped);
  g_autoptr (OrreryRecordingWriter) writer = create (file, queue, run, error);

  if (writer == NULL)
    return FALSE;
  for (guint i = 0; i < extract->messages->len; i++) {
    const RecorderMessage *message = extract->messages->pdata[i];

    if (!orrery_recording_writer_write (writer, *message->channel, message->time, message->time,
                                        message->data, message->length, error))
      return FALSE;
  }
  return close_writer (writer, extract->n_ticks, error);
}
