/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery diff`: compares two runs, by their hashes or by their recordings. */
#include "commands.h"
#include "recording/compare.h"
#include "support/cli.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "\x89MCAP0\r\n"

/* Files of `orrery run --hash=FILE`: a line `TICK GROUP HASH` for each tick and component. Lines
 * that begin with # say what was run and are not compared. */

typedef struct {
  const char *path;
  GDataInputStream *input;
  char *line;        /* the next one, NULL at the end */
  guint64 tick;      /* of that line */
  guint n_line;      /* its number, from 1 */
  GHashTable *table; /* (element-type utf8 utf8): group to hash, of the present tick */
  GPtrArray *groups; /* (element-type utf8): in the order of the file */
} Hashes;

static void
hashes_clear (Hashes *hashes)
{
  g_clear_object (&hashes->input);
  g_clear_pointer (&hashes->line, g_free);
  g_clear_pointer (&hashes->table, g_hash_table_unref);
  g_clear_pointer (&hashes->groups, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Hashes, hashes_clear)

static gboolean
next_line (Hashes *hashes, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *end = NULL;

  do {
    g_free (hashes->line);
    hashes->line = g_data_input_stream_read_line (hashes->input, NULL, NULL, &local);
    hashes->n_line++;
  } while (hashes->line != NULL && hashes->line[0] == '#');
  if (local != NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (hashes->line == NULL)
    return TRUE;
  hashes->tick = g_ascii_strtoull (hashes->line, &end, 10);
  if (end != hashes->line && *end == ' ')
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s:%u: not a line of --hash=FILE: expected TICK GROUP HASH",
                           hashes->path, hashes->n_line);
}

static gboolean
open_hashes (Hashes *hashes, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);

  if (stream == NULL && error != NULL &&
      g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
    g_clear_error (error);
    return orrery_set_error (error, ORRERY_ERROR_NO_FILE, "%s: there is no such file", path);
  }
  if (stream == NULL)
    return FALSE;
  hashes->path = path;
  hashes->input = g_data_input_stream_new (G_INPUT_STREAM (stream));
  hashes->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  hashes->groups = g_ptr_array_new ();
  return next_line (hashes, error);
}

static gboolean
take_line (Hashes *hashes, GError **error)
{
  g_auto (GStrv) words = g_strsplit (hashes->line, " ", -1);
  guint n = g_strv_length (words);
  char *group = NULL;

  if (n != 3)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s:%u: not a line of --hash=FILE: expected TICK GROUP HASH",
                             hashes->path, hashes->n_line);
  group = g_strdup (words[1]);
  g_hash_table_replace (hashes->table, group, g_strdup (words[2]));
  g_ptr_array_add (hashes->groups, group);
  return next_line (hashes, error);
}

/* All lines of the next tick; `found` says whether there is one. */
static gboolean
next_tick (Hashes *hashes, guint64 *tick, gboolean *found, GError **error)
{
  g_ptr_array_set_size (hashes->groups, 0);
  g_hash_table_remove_all (hashes->table);
  *found = hashes->line != NULL;
  *tick = hashes->tick;
  while (hashes->line != NULL && hashes->tick == *tick) {
    if (!take_line (hashes, error))
      return FALSE;
  }
  return TRUE;
}

/* The groups of `hashes` whose hash the other has not, in the order of the file. */
static void
append_differences (GPtrArray *out, Hashes *hashes, Hashes *other, gboolean absent_only)
{
  for (guint i = 0; i < hashes->groups->len; i++) {
    const char *group = g_ptr_array_index (hashes->groups, i);
    const char *mine = g_hash_table_lookup (hashes->table, group);
    const char *theirs = g_hash_table_lookup (other->table, group);

    if (theirs == NULL || (!absent_only && strcmp (mine, theirs) != 0))
      g_ptr_array_add (out, (gpointer) group);
  }
}

static int
report_tick (guint64 tick, Hashes *a, Hashes *b)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  g_autofree char *names = NULL;

  append_differences (groups, a, b, FALSE);
  append_differences (groups, b, a, TRUE);
  if (groups->len == 0)
    return CLI_OK;
  g_ptr_array_add (groups, NULL);
  names = g_strjoinv (", ", (char **) groups->pdata);
  fprintf (stdout, "tick %" G_GUINT64_FORMAT ": %s\n", tick, names);
  return CLI_DIFFERENT;
}

static int
report_end (Hashes *shorter, guint64 tick)
{
  fprintf (stdout, "%s ends before tick %" G_GUINT64_FORMAT "; no difference until there\n",
           shorter->path, tick);
  return CLI_DIFFERENT;
}

static int
compare_hashes (Hashes *a, Hashes *b, GError **error)
{
  int status = CLI_OK;

  while (status == CLI_OK) {
    guint64 tick_a = 0;
    guint64 tick_b = 0;
    gboolean more_a = FALSE;
    gboolean more_b = FALSE;

    if (!next_tick (a, &tick_a, &more_a, error) || !next_tick (b, &tick_b, &more_b, error))
      return CLI_CONFIG;
    if (!more_a && !more_b)
      return CLI_OK;
    if (more_a != more_b)
      return report_end (more_a ? b : a, more_a ? tick_a : tick_b);
    if (tick_a != tick_b)
      return report_end (tick_a < tick_b ? b : a, MIN (tick_a, tick_b));
    status = report_tick (tick_a, a, b);
  }
  return status;
}

static int
diff_hashes (char **paths)
{
  g_auto (Hashes) a = { NULL };
  g_auto (Hashes) b = { NULL };
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (!open_hashes (&a, paths[0], &error) || !open_hashes (&b, paths[1], &error))
    return cli_fail (error);
  status = compare_hashes (&a, &b, &error);
  return error != NULL ? cli_fail (error) : status;
}

/* --- recordings --- */

typedef struct {
  char **topics; /* (nullable) */
  double from, to, tolerance;
  gboolean json;
} Options;

static void
options_clear (Options *options)
{
  g_strfreev (options->topics);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static int
diff_recordings (char **paths, const Options *options)
{
  g_autoptr (Compare) compare = compare_new (paths[0], paths[1]);
  g_autoptr (GError) error = NULL;

  compare->only = options->topics;
  compare->from = options->from;
  compare->to = options->to;
  compare->tolerance = options->tolerance;
  if (!compare_run (compare, &error))
    return cli_fail (error);
  if (options->json)
    compare_print_json (compare);
  else
    compare_print (compare);
  return compare_has_difference (compare) ? CLI_DIFFERENT : CLI_OK;
}

/* What a pipe has is read once, so that it cannot be one. */
static gboolean
is_recording (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char head[sizeof MAGIC - 1];
  struct stat info;
  gboolean is = fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode) &&
                read (fd, head, sizeof head) == (ssize_t) sizeof head &&
                memcmp (head, MAGIC, sizeof head) == 0;

  if (fd >= 0)
    close (fd);
  return is;
}

/* What is wrong with the two files together, or with the options for them; 0: nothing */
static int
check (char **paths, const Options *options, const gboolean *are_recordings)
{
  g_autoptr (GError) error = NULL;
  guint other = are_recordings[0] ? 1 : 0;

  if (are_recordings[0] != are_recordings[1]) {
    if (g_access (paths[other], F_OK) != 0)
      orrery_set_error (&error, ORRERY_ERROR_NO_FILE, "%s: there is no such file", paths[other]);
    else
      orrery_set_error (&error, ORRERY_ERROR_CONFIG, "%s is a recording, %s is none",
                        paths[1 - other], paths[other]);
    return cli_fail (error);
  }
  if (!are_recordings[0] && (options->topics != NULL || options->from > 0 || options->to >= 0 ||
                             options->tolerance > 0 || options->json))
    return cli_usage ("diff", "--topic, --from, --to, --tolerance and --json are for recordings");
  if (!isfinite (options->tolerance) || options->tolerance < 0)
    return cli_usage ("diff", "--tolerance: expected a number from 0 on");
  return CLI_OK;
}

int
cli_diff (int argc, char **argv)
{
  g_auto (Options) options = { .to = -1 };
  const GOptionEntry entries[] = {
    { "topic", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.topics,
      "Only messages of this topic; may be given again", "TOPIC" },
    { "from", 0, 0, G_OPTION_ARG_DOUBLE, &options.from,
      "Only messages from so many seconds after the first message on", "SECONDS" },
    { "to", 0, 0, G_OPTION_ARG_DOUBLE, &options.to,
      "Only messages up to so many seconds after the first message", "SECONDS" },
    { "tolerance", 0, 0, G_OPTION_ARG_DOUBLE, &options.tolerance,
      "Numbers that differ by no more are equal; 0", "X" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print JSON, for programs", NULL },
    { NULL },
  };
  gboolean are_recordings[2];
  int status;

  if (!cli_parse (
          "diff", "A B",
          "Says where two runs part. A and B are files of `orrery run --hash=FILE`: it names the\n"
          "first tick, and what of it. Or they are recordings: it names for each topic the first\n"
          "field that differs, and how much fields and poses differ. Exit code 0 if they agree,\n"
          "1 if not. Options are for recordings, and described in docs/recording.md.",
          entries, FALSE, 2, 2, &argc, &argv))
    return CLI_USAGE;
  for (guint i = 0; i < 2; i++)
    are_recordings[i] = is_recording (argv[i]);
  status = check (argv, &options, are_recordings);
  if (status != CLI_OK)
    return status;
  return are_recordings[0] && are_recordings[1] ? diff_recordings (argv, &options)
                                                : diff_hashes (argv);
}
