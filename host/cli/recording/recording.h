/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the verbs of `orrery recording` share. */

#include <gio/gio.h>
#include <orrery.h>

/* --- verbs: each takes its own argv and returns the exit code --- */

int cli_recording_info (int argc, char **argv);
int cli_recording_cat (int argc, char **argv);
int cli_recording_filter (int argc, char **argv);
int cli_recording_merge (int argc, char **argv);
int cli_recording_recover (int argc, char **argv);
int cli_recording_export (int argc, char **argv);

/* --- select.c: which messages a command takes --- */

typedef struct {
  char **topics; /* (nullable) */
  double from, to;
  char *output;
  char *compression;
} RecordingOptions;

void recording_options_clear (RecordingOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RecordingOptions, recording_options_clear)

#define TOPIC_ENTRY(options)                                                                       \
  {                                                                                                \
    "topic", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(options).topics,                                   \
        "Only messages of this topic; may be given again", "TOPIC"                                 \
  }
#define FROM_ENTRY(options)                                                                        \
  {                                                                                                \
    "from", 0, 0, G_OPTION_ARG_DOUBLE, &(options).from,                                            \
        "Only messages from so many seconds after the first message on", "SECONDS"                 \
  }
#define TO_ENTRY(options)                                                                          \
  {                                                                                                \
    "to", 0, 0, G_OPTION_ARG_DOUBLE, &(options).to,                                                \
        "Only messages up to so many seconds after the first message", "SECONDS"                   \
  }
#define OUTPUT_ENTRY(options, words, name)                                                         \
  {                                                                                                \
    "output", 'o', 0, G_OPTION_ARG_FILENAME, &(options).output, words, name                        \
  }

/* The time of the first message that is wanted, and of the last one; -1: there is no last one */
OrreryTime cli_recording_get_from (OrreryRecordingReader *reader, const RecordingOptions *options);
OrreryTime cli_recording_get_to (OrreryRecordingReader *reader, const RecordingOptions *options);
/* A reader before the first message that the options select; NULL after saying why, with the exit
 * code. */
OrreryRecordingReader *cli_recording_open_selected (const char *path,
                                                    const RecordingOptions *options, int *status);
/* Seconds with all nine decimals, as no double has them. */
char *cli_recording_print_time (OrreryTime time);
/* Says what is damaged, as warnings. */
void cli_recording_print_problems (const char *const *problems);

/* --- copy.c --- */

/* Copies metadata and attachments.
 * @names: (element-type utf8): of those that are there already; others of their name are left out,
 * and new ones are added */
gboolean cli_recording_copy_rest (OrreryRecordingReader *reader, OrreryRecordingWriter *writer,
                                  GHashTable *names, GError **error);
/* Copies the present message.
 * @channels: of the writer by those of the reader; 0: not there yet
 * @known: (element-type utf8 guint): channels of the writer by their description */
gboolean cli_recording_copy_message (OrreryRecordingReader *reader, OrreryRecordingWriter *writer,
                                     guint16 *channels, GHashTable *known, GError **error);

/* --- csv.c --- */

/* Writes a table for each topic of @topics (NULL: of all) whose messages are JSON, to a file
 * TOPIC.csv in @directory. */
gboolean cli_recording_write_csv (OrreryRecordingReader *reader, const char *const *topics,
                                  OrreryTime from, OrreryTime to, const char *directory,
                                  GError **error);
