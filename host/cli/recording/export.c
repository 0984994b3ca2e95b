/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording export`: tables, arrays and data sets of recordings. */
#include "recording.h"

#include "../commands.h"
#include "../support/cli.h"

#include <string.h>

/* Episodes of a data set, which has numbers of six digits for them */
#define MAX_FILES 1000000
#define MAX_FPS 10000

typedef struct {
  RecordingOptions common;
  char *format;
  char **actions; /* (nullable): topics */
  char *task;
  int fps; /* 0: it was not given */
} ExportOptions;

static void
export_options_clear (ExportOptions *options)
{
  recording_options_clear (&options->common);
  g_free (options->format);
  g_strfreev (options->actions);
  g_free (options->task);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ExportOptions, export_options_clear)

/* --- Python's --- */

static void
add_word (GPtrArray *command, const char *word)
{
  g_ptr_array_add (command, g_strdup (word));
}

static void
add_option (GPtrArray *command, const char *name, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (command, g_strdup_printf ("--%s=%s", name, value));
}

static void
add_options (GPtrArray *command, const char *name, char **values)
{
  for (; values != NULL && *values != NULL; values++)
    add_option (command, name, *values);
}

static void
add_seconds (GPtrArray *command, const char *name, double seconds)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  add_option (command, name, g_ascii_dtostr (text, sizeof text, seconds));
}

static GPtrArray *
begin_command (void)
{
  GPtrArray *command = g_ptr_array_new_with_free_func (g_free);

  add_word (command, "python");
  add_word (command, "-m");
  add_word (command, "orrery._recording");
  return command;
}

/* Returns: what could not be begun; else it does not return. */
static int
run_command (GPtrArray *command)
{
  g_ptr_array_add (command, NULL);
  return cli_python ((int) command->len - 1, (char **) command->pdata);
}

static int
export_arrays (OrreryRecordingReader *reader, const char *path, const ExportOptions *options)
{
  const RecordingOptions *common = &options->common;
  g_autoptr (GPtrArray) command = begin_command ();

  add_word (command, path);
  add_word (command, common->output);
  add_word (command, options->format);
  g_ptr_array_add (command,
                   g_strdup_printf ("%" G_GINT64_FORMAT, cli_recording_get_from (reader, common)));
  g_ptr_array_add (command,
                   g_strdup_printf ("%" G_GINT64_FORMAT, cli_recording_get_to (reader, common)));
  for (char **topic = common->topics; topic != NULL && *topic != NULL; topic++)
    add_word (command, *topic);
  return run_command (command);
}

static int
export_data_set (char **paths, const ExportOptions *options)
{
  g_autoptr (GPtrArray) command = begin_command ();

  add_word (command, "--lerobot");
  add_option (command, "output", options->common.output);
  add_options (command, "topic", options->common.topics);
  add_options (command, "action", options->actions);
  add_option (command, "task", options->task);
  if (options->fps > 0)
    g_ptr_array_add (command, g_strdup_printf ("--fps=%d", options->fps));
  add_seconds (command, "from", options->common.from);
  add_seconds (command, "to", options->common.to);
  add_word (command, "--");
  for (; *paths != NULL; paths++)
    add_word (command, *paths);
  return run_command (command);
}

/* --- options --- */

static const char *
guess_format (const char *path)
{
  if (g_str_has_suffix (path, ".npz"))
    return "npz";
  return g_str_has_suffix (path, ".h5") || g_str_has_suffix (path, ".hdf5") ? "hdf5" : "csv";
}

/* Whether the options fit; if not, that is said. */
static gboolean
check (ExportOptions *options, char **paths)
{
  static const char *const formats[] = { "csv", "npz", "hdf5", "lerobot", NULL };
  gboolean is_data_set;

  if (options->common.output == NULL) {
    cli_usage ("recording export", "-o OUTPUT says where the tables go");
    return FALSE;
  }
  if (options->format == NULL)
    options->format = g_strdup (guess_format (options->common.output));
  is_data_set = strcmp (options->format, "lerobot") == 0;
  if (!g_strv_contains (formats, options->format))
    cli_usage ("recording export", "--format: '%s' is none of csv, npz, hdf5, lerobot",
               options->format);
  else if (!is_data_set && paths[1] != NULL)
    cli_usage ("recording export", "only --format lerobot takes several recordings");
  else if (!is_data_set && (options->actions != NULL || options->task != NULL || options->fps != 0))
    cli_usage ("recording export", "--action, --task and --fps are for --format lerobot");
  else if (options->fps < 0 || options->fps > MAX_FPS)
    cli_usage ("recording export", "--fps: expected a whole number from 1 to %d", MAX_FPS);
  else
    return TRUE;
  return FALSE;
}

static int
export_file (const char *path, const ExportOptions *options)
{
  const RecordingOptions *common = &options->common;
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  reader = cli_recording_open_selected (path, common, &status);
  if (reader == NULL)
    return status;
  cli_recording_print_problems (orrery_recording_reader_get_problems (reader));
  if (strcmp (options->format, "csv") != 0)
    return export_arrays (reader, path, options);
  if (!cli_recording_write_csv (reader, (const char *const *) common->topics,
                                cli_recording_get_from (reader, common),
                                cli_recording_get_to (reader, common), common->output, &error))
    return cli_fail (error);
  return CLI_OK;
}

int
cli_recording_export (int argc, char **argv)
{
  g_auto (ExportOptions) options = { .common.to = -1 };
  const GOptionEntry entries[] = {
    TOPIC_ENTRY (options.common),
    FROM_ENTRY (options.common),
    TO_ENTRY (options.common),
    OUTPUT_ENTRY (options.common,
                  "A directory, which is made if need be; or a file of arrays, .npz, .h5 or .hdf5",
                  "OUTPUT"),
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format,
      "csv, npz, hdf5 or lerobot; as the name of OUTPUT says, csv for a directory", "FORMAT" },
    { "fps", 0, 0, G_OPTION_ARG_INT, &options.fps, "Frames in a second, of lerobot; 10", "N" },
    { "action", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.actions,
      "A topic that is an action, of lerobot; may be given again", "TOPIC" },
    { "task", 0, 0, G_OPTION_ARG_STRING, &options.task, "What is done, of lerobot", "TEXT" },
    { NULL },
  };

  if (!cli_parse (
          "recording export", "FILE... -o OUTPUT",
          "Writes a table in CSV for each topic of a recording: a line for each message,\n"
          "a column for each number, the time first. Or writes arrays, one for each field, to\n"
          "a file in NumPy's format NPZ or in HDF5. Or makes a data set in the layout of\n"
          "LeRobot, with an episode for each recording.",
          entries, FALSE, 1, MAX_FILES, &argc, &argv) ||
      !check (&options, argv))
    return CLI_USAGE;
  if (strcmp (options.format, "lerobot") == 0)
    return export_data_set (argv, &options);
  return export_file (argv[0], &options);
}
