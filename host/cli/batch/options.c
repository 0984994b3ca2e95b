/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of `orrery batch`. */
#include "batch.h"

#include "../support/cli.h"

#include <string.h>

#define MAX_JOBS 1024
#define MAX_RETRIES 1000
/* Of --claim-timeout, s. */
#define CLAIM_TIMEOUT 60
#define MAX_CLAIM_TIMEOUT 86400
/* Of --memory-limit, in bytes: more has no machine. */
#define MAX_MEMORY (G_GUINT64_CONSTANT (1) << 50)

static gboolean
read_words (BatchOptions *options, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "runs", 0, 0, G_OPTION_ARG_STRING, &options->runs_text,
      "How many runs; with sweeps or cases, how many of each, 1", "N" },
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &options->directory,
      "Where the runs go, each with a directory of its own", "DIR" },
    { "jobs", 'j', 0, G_OPTION_ARG_STRING, &options->jobs_text,
      "How many at a time; by default as many as there are processors", "N" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &options->seed_text,
      "Seed of the first run, the next one has the next; 0", "N" },
    { "for", 0, 0, G_OPTION_ARG_STRING, &options->duration_text,
      "End each run after so much simulated time", "SECONDS" },
    { "ticks", 0, 0, G_OPTION_ARG_STRING, &options->ticks_text, "End each run after so many ticks",
      "N" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &options->start_text, "Simulated time at the start; 0",
      "SECONDS" },
    { "block", 0, 0, G_OPTION_ARG_STRING, &options->block_text,
      "Do so many runs in one process, one after the other; 1", "N" },
    { "retries", 0, 0, G_OPTION_ARG_STRING, &options->retries_text,
      "Do a run again so often if it was killed from outside, as for want of memory; 0", "N" },
    { "time-limit", 0, 0, G_OPTION_ARG_STRING, &options->time_limit_text,
      "End a run that takes longer in real time", "SECONDS" },
    { "memory-limit", 0, 0, G_OPTION_ARG_STRING, &options->memory_limit_text,
      "End a run whose process has more memory: bytes, or with K, M or G", "SIZE" },
    { "checkpoint-every", 0, 0, G_OPTION_ARG_STRING, &options->checkpoint_text,
      "Keep a state of each run after so much simulated time each, from which it goes on if it was "
      "killed",
      "SECONDS" },
    { "table", 0, 0, G_OPTION_ARG_STRING, &options->table_text,
      "Write the results in these formats, too: npz, parquet", "csv,npz,parquet" },
    { "engine", 0, 0, G_OPTION_ARG_STRING, &options->engine_text,
      "Who does the runs: this command (local), all commands on DIR (shared), those of mpirun "
      "(mpi), tasks of Slurm (slurm) or Dask (dask:ADDRESS)",
      "ENGINE" },
    { "only", 0, 0, G_OPTION_ARG_STRING, &options->only_text,
      "Do one run, those from A to B, or the I-th of N parts of them; all from 0", "K|A-B|I/N" },
    { "claim-timeout", 0, 0, G_OPTION_ARG_STRING, &options->claim_text,
      "Hold other commands, or the scheduler, for dead after so long without a sign of life; 60",
      "SECONDS" },
    { "slurm", 0, 0, G_OPTION_ARG_NONE, &options->slurm,
      "Run nothing; write an array job for Slurm to DIR/job.sh", NULL },
    { "online", 0, 0, G_OPTION_ARG_NONE, &options->online,
      "Open the ports that the scene asks for; else the runs open none", NULL },
    { "record", 0, 0, G_OPTION_ARG_NONE, &options->recorded,
      "Keep a recording of each run, run.mcap in its directory", NULL },
    CLI_RECORD_ONLY_ENTRY (&options->record),
    CLI_RECORD_FULL_ENTRY (&options->record),
    CLI_SET_ENTRY (&options->settings),
    { "sweep", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->sweeps,
      "Run with each of these values, a list of JSON or a range; of several sweeps all "
      "combinations, the last one varies fastest",
      "PATH=[V,...]|range(A,B,STEP)" },
    { "cases", 0, 0, G_OPTION_ARG_FILENAME, &options->cases,
      "Run with each row of this table, whose head has paths", "FILE.csv" },
    { "draw", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->draws,
      "Run with random values: uniform(A,B), normal(MEAN,DEVIATION), choice([V,...])",
      "PATH=DISTRIBUTION" },
    { "latin", 0, 0, G_OPTION_ARG_NONE, &options->latin,
      "Spread what --draw draws evenly over all runs, as a Latin hypercube", NULL },
    CLI_METRIC_ENTRY (&options->metrics),
    CLI_READ_LIMIT_ENTRY,
    CLI_STRICT_ENTRY (&options->strict),
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { NULL },
  };

  return cli_parse ("batch", "FILE --runs N|--sweep PATH=VALUES --out DIR [-- SCRIPT-ARGUMENT...]",
                    "Runs a scene many times, with one seed after the other, without pacing. "
                    "DIR/run-00000 ...\nhold result.json, log.txt and what the runs write; runs "
                    "whose result is there already\nare left as they are.",
                    entries, FALSE, 1, 1, argc, argv);
}

static gboolean
read_count (const char *name, const char *text, guint64 least, guint64 most, guint64 *out)
{
  g_autoptr (GError) error = NULL;

  if (text == NULL || g_ascii_string_to_unsigned (text, 10, least, most, out, &error))
    return TRUE;
  if (g_error_matches (error, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS))
    cli_usage ("batch", "%s: %s is not from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, name,
               text, least, most);
  else
    cli_usage ("batch",
               "%s: '%.40s' is no whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
               name, text, least, most);
  return FALSE;
}

/* Bytes; K, M and G are powers of 1,024. */
static gboolean
read_size (const char *name, const char *text, guint64 *out)
{
  static const char units[] = "KMG";
  char *end = NULL;
  guint64 number = text != NULL ? g_ascii_strtoull (text, &end, 10) : 0;
  const char *unit = NULL;
  guint shift = 0;

  if (text == NULL)
    return TRUE;
  unit = *end != '\0' ? strchr (units, g_ascii_toupper (*end)) : NULL;
  if (unit != NULL) {
    shift = 10 * (guint) (unit - units + 1);
    end++;
  }
  if (!g_ascii_isdigit (*text) || *end != '\0' || number == 0 || number > MAX_MEMORY >> shift) {
    cli_usage ("batch", "%s: '%.40s' is no size: a number of bytes, or one with K, M or G", name,
               text);
    return FALSE;
  }
  *out = number << shift;
  return TRUE;
}

/* @text: (nullable): it was not given */
static gboolean
check_above (const char *name, const char *text, double value)
{
  if (text != NULL && value <= 0)
    cli_usage ("batch", "%s: a number above 0, not %.40s", name, text);
  return text == NULL || value > 0;
}

/* What each run would refuse. */
static gboolean
check_length (BatchOptions *options)
{
  g_autoptr (GError) error = NULL;
  double duration = 1, start;
  guint64 ticks = 1;

  if ((options->duration_text != NULL &&
       !cli_parse_seconds ("--for", options->duration_text, &duration, &error)) ||
      (options->start_text != NULL &&
       !cli_parse_seconds ("--start", options->start_text, &start, &error))) {
    cli_usage ("batch", "%s", error->message);
    return FALSE;
  }
  return read_count ("--ticks", options->ticks_text, 1, G_MAXUINT64, &ticks) &&
         check_above ("--for", options->duration_text, duration);
}

static gboolean
read_limits (BatchOptions *options)
{
  options->block = 1;
  options->claim_timeout = CLAIM_TIMEOUT;
  if (!read_count ("--block", options->block_text, 1, BATCH_MAX_BLOCK, &options->block) ||
      !read_count ("--retries", options->retries_text, 0, MAX_RETRIES, &options->retries) ||
      !cli_read_seconds ("batch", "--time-limit", options->time_limit_text, &options->time_limit) ||
      !cli_read_seconds ("batch", "--checkpoint-every", options->checkpoint_text,
                         &options->checkpoint) ||
      !cli_read_seconds ("batch", "--claim-timeout", options->claim_text,
                         &options->claim_timeout) ||
      !read_size ("--memory-limit", options->memory_limit_text, &options->memory_limit))
    return FALSE;
  if (options->claim_timeout < 1 || options->claim_timeout > MAX_CLAIM_TIMEOUT) {
    cli_usage ("batch", "--claim-timeout: %.40s is not from 1 to %d", options->claim_text,
               MAX_CLAIM_TIMEOUT);
    return FALSE;
  }
  return check_above ("--time-limit", options->time_limit_text, options->time_limit) &&
         check_above ("--checkpoint-every", options->checkpoint_text, options->checkpoint);
}

static gboolean
check_options (BatchOptions *options)
{
  static char run_recording[] = "run.mcap"; /* in the directory of each run */

  options->n_runs = 1;
  if (options->runs_text == NULL && options->sweeps == NULL && options->cases == NULL) {
    cli_usage ("batch", "--runs N is missing");
    return FALSE;
  }
  if (!cli_metrics_check ("batch", options->metrics) || !batch_arrays_parse (options))
    return FALSE;
  if (options->directory == NULL) {
    cli_usage ("batch", "--out DIR is missing");
    return FALSE;
  }
  options->record.file = options->recorded ? run_recording : NULL;
  if (!cli_record_check ("batch", &options->record))
    return FALSE;
  if (options->checkpoint_text != NULL && options->recorded) {
    cli_usage ("batch", "--checkpoint-every goes without --record");
    return FALSE;
  }
  if (options->latin && options->draws == NULL) {
    cli_usage ("batch", "--latin spreads what --draw draws, which is missing");
    return FALSE;
  }
  if (options->duration_text == NULL && options->ticks_text == NULL) {
    cli_usage ("batch", "--for SECONDS or --ticks N is missing: a run has to end");
    return FALSE;
  }
  if (!check_length (options) || !batch_engine_parse (options))
    return FALSE;
  /* Several ranks have the processors of a machine. */
  options->n_jobs = options->engine == BATCH_MPI ? 1 : MIN (g_get_num_processors (), MAX_JOBS);
  return read_limits (options) &&
         read_count ("--runs", options->runs_text, 1, BATCH_MAX_RUNS, &options->n_runs) &&
         read_count ("--jobs", options->jobs_text, 1, MAX_JOBS, &options->n_jobs) &&
         read_count ("--seed", options->seed_text, 0, G_MAXUINT64 - BATCH_MAX_RUNS, &options->seed);
}

gboolean
batch_options_parse (BatchOptions *options, int *argc, char ***argv)
{
  return read_words (options, argc, argv) && check_options (options);
}

/* Parts are whole blocks, so that no two commands want the same one. */
static gboolean
read_part (BatchOptions *options, const char *text, const char *slash, guint64 n_runs)
{
  g_autofree char *part = g_strndup (text, (gsize) (slash - text));
  guint64 n_blocks = (n_runs + options->block - 1) / options->block;
  guint64 i = 0, n = 0;

  if (!read_count ("--only I/N", slash + 1, 1, BATCH_MAX_RUNS, &n) ||
      !read_count ("--only I/N", part, 0, n - 1, &i))
    return FALSE;
  options->first = MIN (n_blocks * i / n * options->block, n_runs);
  options->end = MIN (n_blocks * (i + 1) / n * options->block, n_runs);
  return TRUE;
}

static gboolean
read_only (BatchOptions *options, guint64 n_runs)
{
  const char *text = options->only_text;
  const char *slash = text != NULL ? strchr (text, '/') : NULL;
  const char *dash = text != NULL ? strchr (text, '-') : NULL;
  g_autofree char *first = dash != NULL ? g_strndup (text, (gsize) (dash - text)) : g_strdup (text);

  options->end = n_runs;
  if (text == NULL)
    return TRUE;
  if (slash != NULL)
    return read_part (options, text, slash, n_runs);
  if (!read_count ("--only", first, 0, n_runs - 1, &options->first))
    return FALSE;
  options->end = options->first;
  if (dash != NULL && !read_count ("--only", dash + 1, options->first, n_runs - 1, &options->end))
    return FALSE;
  options->end++;
  return TRUE;
}

/* An error in a file has the code of the error, one in the command line that of wrong usage. */
int
batch_options_plan (BatchOptions *options, BatchPlan **plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BatchPlan) made = batch_plan_new (options, &error);

  if (made == NULL && !g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG) &&
      !g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_NO_FILE) &&
      !g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_IO))
    return cli_usage ("batch", "%s", error->message);
  if (made == NULL)
    return cli_fail (error);
  if (!read_only (options, batch_plan_get_n_runs (made)))
    return CLI_USAGE;
  *plan = g_steal_pointer (&made);
  return CLI_OK;
}
