/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording filter`: a part of a recording as another one. */
#include "recording.h"

#include "../support/cli.h"

#include <string.h>

static gboolean
copy_selected (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, GError **error)
{
  guint n = orrery_recording_reader_get_n_channels (reader);
  g_autofree guint16 *channels = g_new0 (guint16, n + 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local = NULL;

  while (orrery_recording_reader_next (reader, &local))
    if (!cli_recording_copy_message (reader, writer, channels, known, error))
      return FALSE;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

int
cli_recording_filter (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { .to = -1 };
  const GOptionEntry entries[] = {
    TOPIC_ENTRY (options),
    FROM_ENTRY (options),
    TO_ENTRY (options),
    OUTPUT_ENTRY (options, "Where the new recording goes", "FILE"),
    { "compression", 0, 0, G_OPTION_ARG_STRING, &options.compression,
      "Of the new recording: none, zstd or lz4; that of the old one", "NAME" },
    { NULL },
  };
  const char *kept[] = { NULL, NULL };
  OrreryOutputRules rules = { .kept = kept, .read = "the recording" };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (OrreryRecordingWriter) writer = NULL;
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  const char *compression;
  int status = CLI_OK;

  if (!cli_parse ("recording filter", "FILE -o FILE",
                  "Writes a part of a recording to another one, with all attachments.", entries,
                  FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  if (options.output == NULL)
    return cli_usage ("recording filter", "-o FILE says where the new recording goes");
  reader = cli_recording_open_selected (argv[0], &options, &status);
  if (reader == NULL)
    return status;
  cli_recording_print_problems (orrery_recording_reader_get_problems (reader));
  compression = options.compression != NULL ? options.compression
                                            : orrery_recording_reader_get_compression (reader);
  kept[0] = argv[0];
  writer =
      orrery_recording_writer_new (options.output, &rules,
                                   strcmp (compression, "none") == 0 ? "" : compression, &error);
  if (writer == NULL || !cli_recording_copy_rest (reader, writer, names, &error) ||
      !copy_selected (reader, writer, &error) || !orrery_recording_writer_close (writer, &error))
    return cli_fail (error);
  return CLI_OK;
}
