/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic /orrery/faults: which parts failed, when and why. */
#include "recorder-faults.h"

#include <string.h>

#define MAX_WAITING 1000
#define MAX_BYTES 4096

static const char schema[] =
    "{\"title\":\"orrery.Fault\",\"type\":\"object\",\"properties\":{"
    "\"timestamp\":{\"type\":\"object\",\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},"
    "\"tick\":{\"type\":\"integer\"},"
    "\"kind\":{\"type\":\"string\",\"description\":\"step: of a component; message: to an "
    "actuator, "
    "refused; script: it is disabled; worker\"},"
    "\"part\":{\"type\":\"string\"},\"class\":{\"type\":\"string\"},"
    "\"where\":{\"type\":\"string\",\"description\":\"sense or act; the callback of a script; the "
    "name of a worker\"},"
    "\"message\":{\"type\":\"string\"},"
    "\"count\":{\"type\":\"integer\",\"description\":\"of faults of this kind and part, with this "
    "one\"},"
    "\"dropped\":{\"type\":\"integer\",\"description\":\"faults of all parts before this one that "
    "came too fast to be recorded\"}}}";

typedef struct {
  OrreryTime time;
  char *text; /* JSON */
} Fault;

struct _RecorderFaults {
  RecorderClock clock;
  OrreryWriter *out; /* the tick's, as n_dropped */
  guint64 n_dropped;
  GMutex lock;
  GQueue waiting;  /* (element-type Fault): guarded by lock */
  guint16 channel; /* the writer's */
};

static void
fault_free (gpointer data)
{
  Fault *fault = data;

  g_free (fault->text);
  g_free (fault);
}

RecorderFaults *
recorder_faults_new (RecorderClock clock)
{
  RecorderFaults *faults = g_new0 (RecorderFaults, 1);

  faults->clock = clock;
  faults->out = orrery_writer_new ();
  g_mutex_init (&faults->lock);
  g_queue_init (&faults->waiting);
  return faults;
}

void
recorder_faults_free (RecorderFaults *faults)
{
  g_queue_clear_full (&faults->waiting, fault_free);
  orrery_writer_unref (faults->out);
  g_mutex_clear (&faults->lock);
  g_free (faults);
}

/* --- the tick's thread --- */

static void
append_pair (OrreryWriter *out, const char *key, const char *given)
{
  g_autofree char *cut = g_strndup (given != NULL ? given : "", MAX_BYTES);
  g_autofree char *text = g_utf8_make_valid (cut, -1);

  orrery_writer_append_text (out, key);
  orrery_writer_append_json_text (out, text);
}

static char *
encode (RecorderFaults *faults, const OrreryRunFault *fault, OrreryTime time)
{
  static const char *const kinds[] = { "step", "message", "script", "worker" };
  OrreryWriter *out = faults->out;
  const char *data;
  gsize length;

  orrery_writer_clear (out);
  orrery_writer_append_text (out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (out, time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, time % ORRERY_SECOND);
  orrery_writer_append_text (out, "},\"tick\":");
  orrery_writer_append_int (out, (gint64) fault->tick);
  append_pair (out, ",\"kind\":", kinds[fault->kind]);
  append_pair (out, ",\"part\":", fault->part);
  append_pair (out, ",\"class\":", fault->classpath);
  append_pair (out, ",\"where\":", fault->where);
  append_pair (out, ",\"message\":", fault->message);
  orrery_writer_append_text (out, ",\"count\":");
  orrery_writer_append_int (out, (gint64) fault->count);
  orrery_writer_append_text (out, ",\"dropped\":");
  orrery_writer_append_int (out, (gint64) faults->n_dropped);
  orrery_writer_append_char (out, '}');
  data = orrery_writer_get_data (out, &length);
  return g_strndup (data, length);
}

void
recorder_faults_take (RecorderFaults *faults, const OrreryRunFault *fault, OrreryTime now)
{
  OrreryTime time = recorder_clock_get_time (&faults->clock, fault->tick);
  Fault *entry;

  /* Time begins anew: it belongs to the next file, which is told of it again. */
  if (time < now)
    return;
  g_mutex_lock (&faults->lock);
  if (faults->waiting.length >= MAX_WAITING) {
    faults->n_dropped++;
  } else {
    entry = g_new (Fault, 1);
    *entry = (Fault){ time, encode (faults, fault, time) };
    g_queue_push_tail (&faults->waiting, entry);
  }
  g_mutex_unlock (&faults->lock);
}

/* --- the writer's thread --- */

gboolean
recorder_faults_enter (RecorderFaults *faults, OrreryRecordingWriter *writer, GError **error)
{
  guint16 id = orrery_recording_writer_add_schema (writer, "orrery.Fault", "jsonschema", schema,
                                                   strlen (schema), error);

  if (id == 0)
    return FALSE;
  faults->channel =
      orrery_recording_writer_add_channel (writer, id, "/orrery/faults", "json", NULL, error);
  return faults->channel != 0;
}

static Fault *
pop (RecorderFaults *faults, OrreryTime until)
{
  Fault *fault;

  g_mutex_lock (&faults->lock);
  fault = g_queue_peek_head (&faults->waiting);
  if (fault != NULL && fault->time <= until)
    g_queue_pop_head (&faults->waiting);
  else
    fault = NULL;
  g_mutex_unlock (&faults->lock);
  return fault;
}

gboolean
recorder_faults_write (RecorderFaults *faults, RecorderSink *sink, OrreryTime until, guint64 *n,
                       GError **error)
{
  gboolean written = TRUE;
  Fault *fault;

  while (written && (fault = pop (faults, until)) != NULL) {
    written = recorder_sink_write (sink, &faults->channel, fault->time, fault->text,
                                   strlen (fault->text), error);
    *n += written;
    fault_free (fault);
  }
  return written;
}
