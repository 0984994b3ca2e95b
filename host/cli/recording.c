/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording`: what is in a recording, its messages, and files made of it. */
#include "commands.h"
#include "support/cli.h"
#include "support/export.h"

#include <string.h>

typedef struct {
  char **topics; /* (nullable) */
  double from, to;
  char *output;
  char *compression;
} RecordingOptions;

static void
recording_options_clear (RecordingOptions *options)
{
  g_strfreev (options->topics);
  g_free (options->output);
  g_free (options->compression);
}
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

/* Simulated time may begin anywhere: at the present date, if the scene does not say. */
static OrreryTime
get_from (OrreryRecordingReader *reader, const RecordingOptions *options)
{
  OrreryTime start = orrery_recording_reader_get_start (reader);

  return options->from <= 0 ? 0 : start + orrery_time_from_seconds (MIN (options->from, 1e9));
}

static OrreryTime
get_to (OrreryRecordingReader *reader, const RecordingOptions *options)
{
  OrreryTime start = orrery_recording_reader_get_start (reader);

  return options->to < 0 ? -1 : start + orrery_time_from_seconds (MIN (options->to, 1e9));
}

/* A reader before the first message that the options select; NULL after saying why, with the exit
 * code. */
static OrreryRecordingReader *
open_selected (const char *path, const RecordingOptions *options, int *status)
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
                                  get_from (reader, options), get_to (reader, options));
  return g_steal_pointer (&reader);
}

static void
print_problems (const char *const *problems)
{
  for (guint i = 0; problems[i] != NULL; i++) {
    g_autofree char *line = g_strdup_printf ("orrery: warning: %s\n", problems[i]);

    cli_write (stderr, line);
  }
}

/* --- info --- */

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

static int
run_info (int argc, char **argv)
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
  fputs ("channels:\n", stdout);
  print_channels (reader);
  fputs ("attachments:\n", stdout);
  print_attachments (reader);
  fputs ("metadata:\n", stdout);
  print_metadata (reader);
  print_problems (orrery_recording_reader_get_problems (reader));
  return orrery_recording_reader_is_whole (reader) ? CLI_OK : CLI_DIFFERENT;
}

/* --- cat --- */

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
  g_autofree char *seconds = cli_export_print_time (time);
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

static int
run_cat (int argc, char **argv)
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
  reader = open_selected (argv[0], &options, &status);
  if (reader == NULL)
    return status;
  print_problems (orrery_recording_reader_get_problems (reader));
  while (!ferror (stdout) && orrery_recording_reader_next (reader, &error))
    print_message (reader, writer);
  return error != NULL ? cli_fail (error) : CLI_OK;
}

/* --- filter --- */

/* What a channel is told from others by */
static char *
describe_channel (const OrreryRecordingChannel *channel)
{
  g_autofree char *sum = channel->schema != NULL
                             ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, channel->schema)
                             : NULL;

  return g_strjoin ("\n", channel->topic, channel->encoding,
                    sum != NULL ? channel->schema_name : "", sum, NULL);
}

/* @known: channels of the writer by their description, so that those of several recordings are one
 */
static gboolean
copy_channel (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, guint16 *channels,
              GHashTable *known, GError **error)
{
  guint index = orrery_recording_reader_get_message_channel (reader);
  const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (reader, index);
  g_autofree char *description = NULL;
  guint16 schema = 0;
  gsize length;

  if (channels[index] != 0)
    return TRUE;
  description = describe_channel (channel);
  channels[index] = (guint16) GPOINTER_TO_UINT (g_hash_table_lookup (known, description));
  if (channels[index] != 0)
    return TRUE;
  if (channel->schema != NULL) {
    const char *data = g_bytes_get_data (channel->schema, &length);

    schema = orrery_recording_writer_add_schema (writer, channel->schema_name,
                                                 channel->schema_encoding, data, length, error);
    if (schema == 0)
      return FALSE;
  }
  channels[index] =
      orrery_recording_writer_add_channel (writer, schema, channel->topic, channel->encoding,
                                           channel->metadata, error);
  g_hash_table_insert (known, g_steal_pointer (&description), GUINT_TO_POINTER (channels[index]));
  return channels[index] != 0;
}

/* @names: (element-type utf8): of metadata and attachments that are there already; those of the
 * same name are left out */
static gboolean
is_new (GHashTable *names, const char *kind, const char *name)
{
  return g_hash_table_add (names, g_strconcat (kind, " ", name, NULL));
}

static gboolean
copy_rest (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, GHashTable *names,
           GError **error)
{
  for (guint i = 0; i < orrery_recording_reader_get_n_metadata (reader); i++) {
    const OrreryRecordingMetadata *info = orrery_recording_reader_get_metadata (reader, i);

    if (is_new (names, "metadata", info->name) &&
        !orrery_recording_writer_add_metadata (writer, info->name, info->values, error))
      return FALSE;
  }
  for (guint i = 0; i < orrery_recording_reader_get_n_attachments (reader); i++) {
    const OrreryRecordingAttachment *info = orrery_recording_reader_get_attachment (reader, i);
    g_autoptr (GBytes) bytes = NULL;
    gconstpointer data;
    gsize length;

    if (!is_new (names, "attachment", info->name))
      continue;
    bytes = orrery_recording_reader_read_attachment (reader, i, error);
    data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
    if (bytes == NULL || !orrery_recording_writer_attach (writer, info->name, info->media_type,
                                                          info->time, data, length, error))
      return FALSE;
  }
  return TRUE;
}

/* @channels: of the writer by those of the reader; 0: not there yet */
static gboolean
copy_message (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, guint16 *channels,
              GHashTable *known, GError **error)
{
  OrreryTime time = orrery_recording_reader_get_message_time (reader);
  OrreryTime sent = orrery_recording_reader_get_message_publish_time (reader);
  gsize length;
  const guint8 *data = orrery_recording_reader_get_message_data (reader, &length);

  return copy_channel (reader, writer, channels, known, error) &&
         orrery_recording_writer_write (
             writer, channels[orrery_recording_reader_get_message_channel (reader)], time, sent,
             data, length, error);
}

static gboolean
copy_selected (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, GError **error)
{
  guint n = orrery_recording_reader_get_n_channels (reader);
  g_autofree guint16 *channels = g_new0 (guint16, n + 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local = NULL;

  while (orrery_recording_reader_next (reader, &local))
    if (!copy_message (reader, writer, channels, known, error))
      return FALSE;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static int
run_filter (int argc, char **argv)
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
  OrreryOutputRules rules = { .kept = kept };
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
  reader = open_selected (argv[0], &options, &status);
  if (reader == NULL)
    return status;
  print_problems (orrery_recording_reader_get_problems (reader));
  compression = options.compression != NULL ? options.compression
                                            : orrery_recording_reader_get_compression (reader);
  kept[0] = argv[0];
  writer =
      orrery_recording_writer_new (options.output, &rules,
                                   strcmp (compression, "none") == 0 ? "" : compression, &error);
  if (writer == NULL || !copy_rest (reader, writer, names, &error) ||
      !copy_selected (reader, writer, &error) || !orrery_recording_writer_close (writer, &error))
    return cli_fail (error);
  return CLI_OK;
}

/* --- merge --- */

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
    print_problems (orrery_recording_reader_get_problems (input.reader));
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
    if (!copy_rest (input->reader, writer, names, error) || !input_advance (input, error))
      return FALSE;
  }
  while ((input = find_earliest (inputs)) != NULL)
    if (!copy_message (input->reader, writer, input->channels, known, error) ||
        !input_advance (input, error))
      return FALSE;
  return TRUE;
}

static int
run_merge (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { NULL };
  const GOptionEntry entries[] = {
    OUTPUT_ENTRY (options, "Where the new recording goes", "FILE"),
    { NULL },
  };
  OrreryOutputRules rules = { NULL };
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

/* --- recover and export --- */

static int
run_recover (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { NULL };
  const GOptionEntry entries[] = {
    OUTPUT_ENTRY (options, "Where the new recording goes", "FILE"),
    { NULL },
  };
  g_auto (GStrv) problems = NULL;
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  if (!cli_parse ("recording recover", "FILE -o FILE",
                  "Writes a whole recording of all that can be read of one that was cut or is\n"
                  "damaged, and says what is left out.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  if (options.output == NULL)
    return cli_usage ("recording recover", "-o FILE says where the new recording goes");
  if (!orrery_recording_recover (argv[0], options.output, NULL, &n, &problems, &error))
    return cli_fail (error);
  print_problems ((const char *const *) problems);
  fprintf (stdout, "%" G_GUINT64_FORMAT " messages\n", n);
  return CLI_OK;
}

/* Arrays are NumPy's business. Returns: what could not be begun; else it does not return. */
static int
export_arrays (OrreryRecordingReader *reader, const char *path, const RecordingOptions *options)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autofree char *from = g_strdup_printf ("%" G_GINT64_FORMAT, get_from (reader, options));
  g_autofree char *to = g_strdup_printf ("%" G_GINT64_FORMAT, get_to (reader, options));

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

static int
run_export (int argc, char **argv)
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
  reader = open_selected (argv[0], &options, &status);
  if (reader == NULL)
    return status;
  print_problems (orrery_recording_reader_get_problems (reader));
  if (is_of_arrays (options.output))
    return export_arrays (reader, argv[0], &options);
  if (!cli_export_csv (reader, (const char *const *) options.topics, get_from (reader, &options),
                       get_to (reader, &options), options.output, &error))
    return cli_fail (error);
  return CLI_OK;
}

static const struct {
  const char *name;
  int (*run) (int argc, char **argv);
} verbs[] = {
  { "info", run_info },   { "cat", run_cat },         { "filter", run_filter },
  { "merge", run_merge }, { "recover", run_recover }, { "export", run_export },
};

int
cli_recording (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };

  for (guint i = 0; argc > 1 && i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[1], verbs[i].name) == 0)
      return verbs[i].run (argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-')
    return cli_usage ("recording", "'%s' is none of info, cat, filter, merge, recover, export",
                      argv[1]);
  if (!cli_parse ("recording", "info|cat|filter|merge|recover|export FILE",
                  "Looks into a recording that `orrery run --record` wrote, and makes other files\n"
                  "of it. `orrery recording cat --help` and so on say more of each.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  return CLI_USAGE;
}
