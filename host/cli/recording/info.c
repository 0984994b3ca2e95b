/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording info`: what is in a recording. */
#include "recording.h"

#include "../support/cli.h"

#include <string.h>

static void
print_channels (OrreryRecordingReader *reader)
{
  g_autoptr (CliTable) table = cli_table_new (0);
  double span = orrery_time_to_seconds (orrery_recording_reader_get_end (reader) -
                                        orrery_recording_reader_get_start (reader));

  for (guint i = 0; i < orrery_recording_reader_get_n_channels (reader); i++) {
    const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (reader, i);
    g_autofree char *count =
        g_strdup_printf ("%" G_GUINT64_FORMAT " messages", channel->n_messages);
    g_autofree char *rate =
        channel->n_messages > 1 && span > 0
            ? g_strdup_printf ("%.4g Hz", (double) (channel->n_messages - 1) / span)
            : g_strdup ("");

    cli_table_add (table, channel->topic, count, rate, channel->encoding, channel->schema_name,
                   NULL);
  }
  cli_table_print (table, "  ");
}

static void
print_attachments (OrreryRecordingReader *reader)
{
  g_autoptr (CliTable) table = cli_table_new (0);

  for (guint i = 0; i < orrery_recording_reader_get_n_attachments (reader); i++) {
    const OrreryRecordingAttachment *info = orrery_recording_reader_get_attachment (reader, i);
    g_autofree char *size = g_strdup_printf ("%" G_GUINT64_FORMAT " bytes", info->size);

    cli_table_add (table, info->name, size, info->media_type, NULL);
  }
  cli_table_print (table, "  ");
}

/* What another program made says nothing of it. */
static void
print_contents (OrreryRecordingReader *reader)
{
  for (guint i = 0; i < orrery_recording_reader_get_n_metadata (reader); i++) {
    const OrreryRecordingMetadata *info = orrery_recording_reader_get_metadata (reader, i);
    const char *contents;

    if (strcmp (info->name, "orrery") == 0 &&
        g_variant_lookup (info->values, "contents", "&s", &contents) &&
        strcmp (contents, "inputs") == 0)
      fputs ("holds only what a replay needs: no records, no poses, no pictures\n", stdout);
  }
}

static void
print_metadata (OrreryRecordingReader *reader)
{
  g_autoptr (CliTable) table = cli_table_new (0);

  for (guint i = 0; i < orrery_recording_reader_get_n_metadata (reader); i++) {
    const OrreryRecordingMetadata *info = orrery_recording_reader_get_metadata (reader, i);
    GVariantIter iter;
    const char *key, *value;

    g_variant_iter_init (&iter, info->values);
    while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
      cli_table_add (table, info->name, key, value, NULL);
  }
  cli_table_print (table, "  ");
}

int
cli_recording_info (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  const char *compression;

  if (!cli_parse ("recording info", "FILE",
                  "Says what is in a recording, and whether it is whole. Exit code 1 if it is not.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  reader = orrery_recording_reader_open (argv[0], &error);
  if (reader == NULL)
    return cli_fail (error);
  compression = orrery_recording_reader_get_compression (reader);
  fprintf (stdout,
           "%s: %" G_GUINT64_FORMAT " messages from %.6f s to %.6f s, %u chunks, compression %s\n",
           orrery_recording_reader_is_whole (reader) ? "whole" : "not whole",
           orrery_recording_reader_get_n_messages (reader),
           orrery_time_to_seconds (orrery_recording_reader_get_start (reader)),
           orrery_time_to_seconds (orrery_recording_reader_get_end (reader)),
           orrery_recording_reader_get_n_chunks (reader),
           *compression != '\0' ? compression : "none");
  print_contents (reader);
  fputs ("channels:\n", stdout);
  print_channels (reader);
  fputs ("attachments:\n", stdout);
  print_attachments (reader);
  fputs ("metadata:\n", stdout);
  print_metadata (reader);
  cli_recording_print_problems (orrery_recording_reader_get_problems (reader));
  if (orrery_recording_reader_is_whole (reader))
    return CLI_OK;
  fputs ("orrery: `orrery recording recover FILE -o FILE` repairs it, in a new file\n", stderr);
  return CLI_DIFFERENT;
}
