/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording export`: tables and arrays of a recording. */
#include "recording.h"

#include "../commands.h"
#include "../support/cli.h"

#include <string.h>

/* Arrays are NumPy's business. Returns: what could not be begun; else it does not return. */
static int
export_arrays (OrreryRecordingReader *reader, const char *path, const RecordingOptions *options)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autofree char *from =
      g_strdup_printf ("%" G_GINT64_FORMAT, cli_recording_get_from (reader, options));
  g_autofree char *to =
      g_strdup_printf ("%" G_GINT64_FORMAT, cli_recording_get_to (reader, options));

  for (const char *const *word = (const char *const[]){ "python", "-m", "orrery._recording", path,
                                                        options->output, NULL };
       *word != NULL; word++)
    g_ptr_array_add (command, (gpointer) *word);
  g_ptr_array_add (command, from);
  g_ptr_array_add (command, to);
  for (char **topic = options->topics; topic != NULL && *topic != NULL; topic++)
    g_ptr_array_add (command, *topic);
  g_ptr_array_add (command, NULL);
  return cli_python ((int) command->len - 1, (char **) command->pdata);
}

static gboolean
is_of_arrays (const char *path)
{
  return g_str_has_suffix (path, ".npz") || g_str_has_suffix (path, ".h5") ||
         g_str_has_suffix (path, ".hdf5");
}

int
cli_recording_export (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { .to = -1 };
  const GOptionEntry entries[] = {
    TOPIC_ENTRY (options),
    FROM_ENTRY (options),
    TO_ENTRY (options),
    OUTPUT_ENTRY (
        options,
        "A directory for tables, which is made if need be; or a file of arrays, .npz, .h5 "
        "or .hdf5",
        "OUTPUT"),
    { NULL },
  };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (!cli_parse (
          "recording export", "FILE -o OUTPUT",
          "Writes a table in CSV for each topic of a recording: a line for each message,\n"
          "a column for each number, the time first. Or writes arrays, one for each field, to\n"
          "a file in NumPy's format NPZ or in HDF5.",
          entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  if (options.output == NULL)
    return cli_usage ("recording export", "-o OUTPUT says where the tables go");
  reader = cli_recording_open_selected (argv[0], &options, &status);
  if (reader == NULL)
    return status;
  cli_recording_print_problems (orrery_recording_reader_get_problems (reader));
  if (is_of_arrays (options.output))
    return export_arrays (reader, argv[0], &options);
  if (!cli_recording_write_csv (reader, (const char *const *) options.topics,
                                cli_recording_get_from (reader, &options),
                                cli_recording_get_to (reader, &options), options.output, &error))
    return cli_fail (error);
  return CLI_OK;
}
