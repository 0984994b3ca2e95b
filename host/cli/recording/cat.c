/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording cat`: the messages of a recording, as lines of JSON. */
#include "recording.h"

#include "../support/cli.h"

#include <string.h>

/* A message that is JSON goes out as it is, on one line; others as base64. */
static void
print_message (OrreryRecordingReader *reader, OrreryWriter *writer)
{
  const OrreryRecordingChannel *channel =
      orrery_recording_reader_get_channel (reader,
                                           orrery_recording_reader_get_message_channel (reader));
  OrreryTime time = orrery_recording_reader_get_message_time (reader);
  gsize length, n;
  const guint8 *data = orrery_recording_reader_get_message_data (reader, &length);
  g_autoptr (OrreryNode) node =
      strcmp (channel->encoding, "json") == 0
          ? orrery_node_parse_json ((const char *) data, length, "message", NULL)
          : NULL;
  g_autofree char *seconds = cli_recording_print_time (time);
  const char *line;

  orrery_writer_clear (writer);
  orrery_writer_append_text (writer, "{\"topic\": ");
  orrery_writer_append_json_text (writer, channel->topic);
  orrery_writer_append_text (writer, ", \"time\": ");
  orrery_writer_append_text (writer, seconds);
  if (node != NULL && memchr (data, '\n', length) == NULL) {
    orrery_writer_append_text (writer, ", \"data\": ");
    orrery_writer_append (writer, data, length);
  } else if (node != NULL) {
    g_autoptr (GVariant) value = orrery_node_to_variant (node);

    orrery_writer_append_text (writer, ", \"data\": ");
    orrery_writer_append_json_variant (writer, value);
  } else {
    g_autofree char *text = g_base64_encode (data, length);

    orrery_writer_append_text (writer, ", \"base64\": ");
    orrery_writer_append_json_text (writer, text);
  }
  orrery_writer_append_text (writer, "}\n");
  line = orrery_writer_get_data (writer, &n);
  fwrite (line, 1, n, stdout);
}

int
cli_recording_cat (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { .to = -1 };
  const GOptionEntry entries[] = {
    TOPIC_ENTRY (options), FROM_ENTRY (options), TO_ENTRY (options), { NULL }
  };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (!cli_parse ("recording cat", "FILE",
                  "Prints the messages of a recording in order of time, a line of JSON for each.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  reader = cli_recording_open_selected (argv[0], &options, &status);
  if (reader == NULL)
    return status;
  cli_recording_print_problems (orrery_recording_reader_get_problems (reader));
  while (!ferror (stdout) && orrery_recording_reader_next (reader, &error))
    print_message (reader, writer);
  return error != NULL ? cli_fail (error) : CLI_OK;
}
