/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams without an outside: a test puts messages in and takes them out by the services `loop`, at
 * the very tick that it wants.
 */
#include <orrery.h>

G_DECLARE_FINAL_TYPE (ProbeCodec, probe_codec, PROBE, CODEC, OrreryDatastream)
struct _ProbeCodec {
  OrreryDatastream parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbeCodec, probe_codec, ORRERY_TYPE_DATASTREAM)

static void
probe_codec_encode (OrreryDatastream *self, OrreryRecord *record, OrreryWriter *writer,
                    GError **error)
{
  orrery_record_write_json (record, writer);
}

static void
probe_codec_decode (OrreryDatastream *self, OrreryReader *reader, OrreryRecord *record,
                    GError **error)
{
  orrery_record_read_json (record, reader, error);
}

static void
probe_codec_class_init (ProbeCodecClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->encode = probe_codec_encode;
  ORRERY_DATASTREAM_CLASS (klass)->decode = probe_codec_decode;
}

static void
probe_codec_init (ProbeCodec *self)
{
}

/* --- the manager --- */

typedef struct {
  OrreryStream *stream; /* borrowed */
  GPtrArray *sent;      /* (element-type utf8) */
} Line;

G_DECLARE_FINAL_TYPE (ProbeLoop, probe_loop, PROBE, LOOP, OrreryDatastreamManager)
struct _ProbeLoop {
  OrreryDatastreamManager parent_instance;
  GArray *lines; /* (element-type Line) in the order of the config */
  GString *log;  /* of all of them, a line each */
  gboolean shut;
};
G_DEFINE_FINAL_TYPE (ProbeLoop, probe_loop, ORRERY_TYPE_DATASTREAM_MANAGER)

/* The n-th stream of a component. */
static Line *
find_line (ProbeLoop *self, const char *name, gint64 n, GError **error)
{
  for (guint i = 0; i < self->lines->len; i++) {
    Line *line = &g_array_index (self->lines, Line, i);

    if (g_str_equal (orrery_stream_get_name (line->stream), name) && n-- == 0)
      return line;
  }
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "no such stream of %s", name);
  return NULL;
}

static void
loop_put (OrreryPart *part, OrreryCall *call, GError **error)
{
  Line *line = find_line (PROBE_LOOP (part), orrery_call_get_text (call, 0),
                          orrery_call_get_int (call, 1), error);
  const char *text = orrery_call_get_text (call, 3);

  if (line != NULL)
    orrery_stream_put (line->stream, (guint64) orrery_call_get_int (call, 2), text, strlen (text));
}

static void
loop_sent (OrreryPart *part, OrreryCall *call, GError **error)
{
  Line *line = find_line (PROBE_LOOP (part), orrery_call_get_text (call, 0),
                          orrery_call_get_int (call, 1), error);

  if (line == NULL)
    return;
  orrery_call_return (call, g_variant_new_strv ((const char *const *) line->sent->pdata,
                                                (gssize) line->sent->len));
  g_ptr_array_set_size (line->sent, 0);
}

static void
loop_log (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbeLoop *self = PROBE_LOOP (part);

  orrery_call_return (call, g_variant_new_string (self->log->str));
  g_string_truncate (self->log, 0);
}

static void
loop_listen (OrreryPart *part, OrreryCall *call, GError **error)
{
  Line *line = find_line (PROBE_LOOP (part), orrery_call_get_text (call, 0), 0, error);

  if (line != NULL)
    orrery_stream_set_listening (line->stream, orrery_call_get_bool (call, 1));
}

static void
loop_shut (OrreryPart *part, OrreryCall *call, GError **error)
{
  PROBE_LOOP (part)->shut = orrery_call_get_bool (call, 0);
}

static const OrreryService services[] = {
  { "put", loop_put, ORRERY_SERVICE_IMMEDIATE, "component:s stream:x source:x text:s",
    "Gives a message in" },
  { "sent", loop_sent, ORRERY_SERVICE_IMMEDIATE, "component:s stream:x",
    "What came out since the last time" },
  { "log", loop_log, ORRERY_SERVICE_IMMEDIATE, "", "What came out of all since the last time" },
  { "listen", loop_listen, ORRERY_SERVICE_IMMEDIATE, "component:s on:b",
    "Whether anybody listens" },
  { "shut", loop_shut, ORRERY_SERVICE_IMMEDIATE, "on:b", "Whether the gate is shut" },
};

static void
probe_loop_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  orrery_setup_publish (setup, "loop");
}

static void
probe_loop_open (OrreryDatastreamManager *manager, OrreryStream *stream, GVariant *options,
                 GError **error)
{
  Line line = { stream, g_ptr_array_new_with_free_func (g_free) };

  g_array_append_val (PROBE_LOOP (manager)->lines, line);
  orrery_stream_set_listening (stream, TRUE);
}

static void
probe_loop_send (OrreryDatastreamManager *manager, OrreryStream *stream, const char *data,
                 gsize length)
{
  ProbeLoop *self = PROBE_LOOP (manager);

  g_string_append_printf (self->log, "%s: %.*s\n", orrery_stream_get_name (stream), (int) length,
                          data);
  for (guint i = 0; i < self->lines->len; i++) {
    Line *line = &g_array_index (self->lines, Line, i);

    if (line->stream == stream)
      g_ptr_array_add (line->sent, g_strndup (data, length));
  }
}

static gboolean
probe_loop_gate (OrreryDatastreamManager *manager)
{
  return !PROBE_LOOP (manager)->shut;
}

static void
probe_loop_finalize (GObject *object)
{
  ProbeLoop *self = PROBE_LOOP (object);

  for (guint i = 0; i < self->lines->len; i++)
    g_ptr_array_unref (g_array_index (self->lines, Line, i).sent);
  g_array_unref (self->lines);
  g_string_free (self->log, TRUE);
  G_OBJECT_CLASS (probe_loop_parent_class)->finalize (object);
}

static void
probe_loop_class_init (ProbeLoopClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = probe_loop_finalize;
  ORRERY_PART_CLASS (klass)->setup = probe_loop_setup;
  manager->open = probe_loop_open;
  manager->send = probe_loop_send;
  manager->gate = probe_loop_gate;
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
probe_loop_init (ProbeLoop *self)
{
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  self->log = g_string_new (NULL);
}

ORRERY_PLUGIN ("Streams that a test holds at both ends", "BSD-3-Clause",
               ORRERY_CLASS (Loop, ProbeLoop, probe_loop, .stream = "loop",
                             .publisher = "probe.loop.Codec", .reader = "probe.loop.Codec"),
               ORRERY_CLASS (Codec, ProbeCodec, probe_codec))
