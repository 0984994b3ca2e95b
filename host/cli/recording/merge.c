/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording merge`: one recording of several. */
#include "recording.h"

#include "../support/cli.h"

#define MAX_MERGED 1000

typedef struct {
  OrreryRecordingReader *reader;
  guint16 *channels;
  gboolean there; /* it has a message that is not written yet */
} Input;

static void
input_clear (gpointer data)
{
  Input *input = data;

  g_clear_pointer (&input->reader, orrery_recording_reader_unref);
  g_clear_pointer (&input->channels, g_free);
}

static gboolean
input_advance (Input *input, GError **error)
{
  g_autoptr (GError) local = NULL;

  input->there = orrery_recording_reader_next (input->reader, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
open_inputs (GArray *inputs, char **paths, GError **error)
{
  for (; *paths != NULL; paths++) {
    Input input = { .reader = orrery_recording_reader_open (*paths, error) };

    if (input.reader == NULL)
      return FALSE;
    cli_recording_print_problems (orrery_recording_reader_get_problems (input.reader));
    input.channels = g_new0 (guint16, orrery_recording_reader_get_n_channels (input.reader) + 1);
    orrery_recording_reader_select (input.reader, NULL, 0, -1);
    g_array_append_val (inputs, input);
  }
  return TRUE;
}

/* The one with the earliest message; of several the first that was named. NULL: all are over. */
static Input *
find_earliest (GArray *inputs)
{
  Input *found = NULL;

  for (guint i = 0; i < inputs->len; i++) {
    Input *input = &g_array_index (inputs, Input, i);

    if (input->there &&
        (found == NULL || orrery_recording_reader_get_message_time (input->reader) <
                              orrery_recording_reader_get_message_time (found->reader)))
      found = input;
  }
  return found;
}

static gboolean
merge (GArray *inputs, OrreryRecordingWriter *writer, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Input *input;

  for (guint i = 0; i < inputs->len; i++) {
    input = &g_array_index (inputs, Input, i);
    if (!cli_recording_copy_rest (input->reader, writer, names, error) ||
        !input_advance (input, error))
      return FALSE;
  }
  while ((input = find_earliest (inputs)) != NULL)
    if (!cli_recording_copy_message (input->reader, writer, input->channels, known, error) ||
        !input_advance (input, error))
      return FALSE;
  return TRUE;
}

int
cli_recording_merge (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { NULL };
  const GOptionEntry entries[] = {
    OUTPUT_ENTRY (options, "Where the new recording goes", "FILE"),
    { NULL },
  };
  OrreryOutputRules rules = { .read = "a recording" };
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (Input));
  g_autoptr (OrreryRecordingWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  const char *compression;

  g_array_set_clear_func (inputs, input_clear);
  if (!cli_parse (
          "recording merge", "FILE FILE... -o FILE",
          "Writes the messages of several recordings to one, in order of time. Of metadata\n"
          "and attachments of one name, those of the first recording are kept.",
          entries, FALSE, 1, MAX_MERGED, &argc, &argv))
    return CLI_USAGE;
  if (options.output == NULL)
    return cli_usage ("recording merge", "-o FILE says where the new recording goes");
  if (!open_inputs (inputs, argv, &error))
    return cli_fail (error);
  rules.kept = (const char *const *) argv;
  compression = orrery_recording_reader_get_compression (g_array_index (inputs, Input, 0).reader);
  writer = orrery_recording_writer_new (options.output, &rules, compression, &error);
  if (writer == NULL || !merge (inputs, writer, &error) ||
      !orrery_recording_writer_close (writer, &error))
    return cli_fail (error);
  return CLI_OK;
}
