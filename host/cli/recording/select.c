/* SPDX-License-Identifier: BSD-3-Clause */
/* Which messages of a recording a command takes. */
#include "recording.h"

#include "../support/cli.h"

void
recording_options_clear (RecordingOptions *options)
{
  g_strfreev (options->topics);
  g_free (options->output);
  g_free (options->compression);
}

/* Simulated time may begin anywhere: at the present date, if the scene does not say. */
OrreryTime
cli_recording_get_from (OrreryRecordingReader *reader, const RecordingOptions *options)
{
  OrreryTime start = orrery_recording_reader_get_start (reader);

  return options->from <= 0 ? 0 : start + orrery_time_from_seconds (MIN (options->from, 1e9));
}

OrreryTime
cli_recording_get_to (OrreryRecordingReader *reader, const RecordingOptions *options)
{
  OrreryTime start = orrery_recording_reader_get_start (reader);

  return options->to < 0 ? -1 : start + orrery_time_from_seconds (MIN (options->to, 1e9));
}

char *
cli_recording_print_time (OrreryTime time)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, time / ORRERY_SECOND,
                          time % ORRERY_SECOND);
}

OrreryRecordingReader *
cli_recording_open_selected (const char *path, const RecordingOptions *options, int *status)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingReader) reader = orrery_recording_reader_open (path, &error);
  g_auto (GStrv) topics = reader != NULL ? orrery_recording_reader_list_topics (reader) : NULL;

  for (guint i = 0; error == NULL && options->topics != NULL && options->topics[i] != NULL; i++) {
    g_autofree char *near = orrery_nearest_names (options->topics[i], (const char *const *) topics);

    if (!g_strv_contains ((const char *const *) topics, options->topics[i]))
      orrery_set_error (&error, ORRERY_ERROR_NOT_FOUND, "%s: no topic '%s'%s", path,
                        options->topics[i], near);
  }
  if (error != NULL) {
    *status = cli_fail (error);
    return NULL;
  }
  orrery_recording_reader_select (reader, (const char *const *) options->topics,
                                  cli_recording_get_from (reader, options),
                                  cli_recording_get_to (reader, options));
  return g_steal_pointer (&reader);
}

void
cli_recording_print_problems (const char *const *problems)
{
  for (guint i = 0; problems[i] != NULL; i++) {
    g_autofree char *line = g_strdup_printf ("orrery: warning: %s\n", problems[i]);

    cli_write (stderr, line);
  }
}
