/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic /orrery/log: what parts log, as viewers know it. */
#include "recorder-log.h"

#include <string.h>

/* Of lines that wait, and of one; a part that logs without end costs no more. */
#define MAX_LINES 1000
#define MAX_BYTES 4096

static const char schema[] =
    "{\"title\":\"foxglove.Log\",\"type\":\"object\",\"properties\":{"
    "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},"
    "\"level\":{\"type\":\"integer\",\"title\":\"foxglove.Level\",\"oneOf\":["
    "{\"title\":\"UNKNOWN\",\"const\":0},{\"title\":\"DEBUG\",\"const\":1},"
    "{\"title\":\"INFO\",\"const\":2},{\"title\":\"WARNING\",\"const\":3},"
    "{\"title\":\"ERROR\",\"const\":4},{\"title\":\"FATAL\",\"const\":5}]},"
    "\"message\":{\"type\":\"string\"},\"name\":{\"type\":\"string\"},"
    "\"file\":{\"type\":\"string\"},\"line\":{\"type\":\"integer\"},"
    "\"tick\":{\"type\":\"integer\"}}}";

typedef struct {
  OrreryTime time;
  guint64 tick;
  OrreryLogLevel level;
  char *name;
  char *text;
} Line;

struct _RecorderLog {
  OrreryPart *part; /* borrowed */
  GMutex lock;
  gboolean is_timed; /* a tick has run: when it is, is known */
  OrreryTime time;
  guint64 tick;
  GArray *lines; /* (element-type Line) */
  guint n_dropped;
  /* The writer's: */
  GArray *taken;
  guint n_written; /* of those */
  OrreryWriter *out;
  guint16 channel;
};

static void
clear_line (gpointer data)
{
  Line *line = data;

  g_free (line->name);
  g_free (line->text);
}

static GArray *
create_lines (void)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  g_array_set_clear_func (lines, clear_line);
  return lines;
}

/* An OrreryLogFunc. */
static void
take_line (OrreryPart *part, OrreryLogLevel level, const char *text, gpointer user_data)
{
  RecorderLog *log = user_data;
  Line line = { .level = level };

  g_mutex_lock (&log->lock);
  if (log->lines->len < MAX_LINES) {
    line.time = log->time;
    line.tick = log->tick;
    line.name = g_strdup (orrery_part_get_name (part));
    line.text = g_strndup (text, MAX_BYTES);
    g_array_append_val (log->lines, line);
  } else {
    log->n_dropped++;
  }
  g_mutex_unlock (&log->lock);
}

RecorderLog *
recorder_log_new (OrreryPart *part)
{
  RecorderLog *log = g_new0 (RecorderLog, 1);

  log->part = part;
  g_mutex_init (&log->lock);
  log->lines = create_lines ();
  log->taken = create_lines ();
  log->out = orrery_writer_new ();
  orrery_part_watch_log (part, take_line, log);
  return log;
}

void
recorder_log_free (RecorderLog *log)
{
  orrery_part_unwatch_log (log->part);
  g_array_unref (log->lines);
  g_array_unref (log->taken);
  orrery_writer_unref (log->out);
  g_mutex_clear (&log->lock);
  g_free (log);
}

void
recorder_log_set_time (RecorderLog *log, OrreryTime time, guint64 number)
{
  g_mutex_lock (&log->lock);
  for (guint i = 0; !log->is_timed && i < log->lines->len; i++)
    g_array_index (log->lines, Line, i).time = time;
  log->is_timed = TRUE;
  log->time = time;
  log->tick = number + 1;
  g_mutex_unlock (&log->lock);
}

gboolean
recorder_log_enter (RecorderLog *log, OrreryRecordingWriter *writer, GError **error)
{
  guint16 id = orrery_recording_writer_add_schema (writer, "foxglove.Log", "jsonschema", schema,
                                                   strlen (schema), error);

  if (id == 0)
    return FALSE;
  log->channel =
      orrery_recording_writer_add_channel (writer, id, "/orrery/log", "json", NULL, error);
  return log->channel != 0;
}

/* As viewers number them */
static int
to_level (OrreryLogLevel level)
{
  if (level >= ORRERY_LOG_LEVEL_CRITICAL)
    return 5;
  if (level >= ORRERY_LOG_LEVEL_ERROR)
    return 4;
  if (level >= ORRERY_LOG_LEVEL_WARNING)
    return 3;
  return level >= ORRERY_LOG_LEVEL_INFO ? 2 : 1;
}

static void
encode (OrreryWriter *out, const Line *line)
{
  g_autofree char *text = g_utf8_make_valid (line->text, -1);

  orrery_writer_clear (out);
  orrery_writer_append_text (out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (out, line->time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, line->time % ORRERY_SECOND);
  orrery_writer_append_text (out, "},\"level\":");
  orrery_writer_append_int (out, to_level (line->level));
  orrery_writer_append_text (out, ",\"message\":");
  orrery_writer_append_json_text (out, text);
  orrery_writer_append_text (out, ",\"name\":");
  orrery_writer_append_json_text (out, line->name);
  orrery_writer_append_text (out, ",\"file\":\"\",\"line\":0,\"tick\":");
  orrery_writer_append_int (out, (gint64) line->tick);
  orrery_writer_append_text (out, "}");
}

/* Exchanges the lists, so that nobody who logs waits for a disk. */
static guint
take_all (RecorderLog *log)
{
  GArray *empty = log->taken;
  guint n_dropped = 0;

  g_mutex_lock (&log->lock);
  if (log->is_timed) {
    log->taken = log->lines;
    log->lines = empty;
    n_dropped = log->n_dropped;
    log->n_dropped = 0;
  }
  g_mutex_unlock (&log->lock);
  return n_dropped;
}

static void
note_dropped (RecorderLog *log, guint n)
{
  const Line *last = &g_array_index (log->taken, Line, log->taken->len - 1);
  Line line = { last->time, last->tick, ORRERY_LOG_LEVEL_WARNING };

  line.name = g_strdup (orrery_part_get_name (log->part));
  line.text = g_strdup_printf ("%u further lines came too fast to be recorded", n);
  g_array_append_val (log->taken, line);
}

static void
renew (RecorderLog *log)
{
  guint n_dropped;

  if (log->n_written < log->taken->len)
    return;
  g_array_set_size (log->taken, 0);
  log->n_written = 0;
  n_dropped = take_all (log);
  if (n_dropped > 0)
    note_dropped (log, n_dropped);
}

gboolean
recorder_log_write (RecorderLog *log, RecorderSink *sink, OrreryTime until, guint64 *n,
                    GError **error)
{
  gboolean written = TRUE;

  renew (log);
  while (written && log->n_written < log->taken->len) {
    const Line *line = &g_array_index (log->taken, Line, log->n_written);
    const char *data;
    gsize length;

    if (line->time > until)
      break;
    encode (log->out, line);
    data = orrery_writer_get_data (log->out, &length);
    written = recorder_sink_write (sink, &log->channel, line->time, data, length, error);
    log->n_written++;
    *n += written;
  }
  return written;
}
