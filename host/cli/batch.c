/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery batch`: runs one scene many times, in several processes. */
#include "commands.h"
#include "support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Interrupted, and the same command goes on where it was: EX_TEMPFAIL, which queues requeue on. */
#define CLI_RESUMABLE 75
#define MAX_RUNS 1000000
#define MAX_JOBS 1024

typedef struct {
  char **plugin_dirs;
  char *directory;
  char *runs_text;
  char *jobs_text;
  char *seed_text;
  char *only_text;
  char *duration_text;
  char *ticks_text;
  char *start_text;
  char **settings;
  gboolean slurm;
  gboolean online;
  gboolean record;
  gboolean strict;
  guint64 n_runs;
  guint64 n_jobs;
  guint64 seed;
  guint64 only;
} BatchOptions;

/* All runs: those that are to come, those that go on, those that are over. */
typedef struct {
  const BatchOptions *options;
  char *program; /* this one */
  char *scene;   /* built once, for all of them */
  guint64 next;
  guint64 end;
  guint n_going;
  guint n_failed;
  guint n_skipped;
  guint64 n_done;
  GPtrArray *children; /* (element-type GSubprocess) */
  GMainLoop *loop;
  GError *error; /* no further run can be started */
} Batch;

typedef struct {
  Batch *batch;
  guint64 index;
} Run;

/* --- the command line --- */

static gboolean
parse_options (BatchOptions *options, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "runs", 0, 0, G_OPTION_ARG_STRING, &options->runs_text, "How many runs", "N" },
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
    { "only", 0, 0, G_OPTION_ARG_STRING, &options->only_text,
      "Do the run of that number alone, from 0", "K" },
    { "slurm", 0, 0, G_OPTION_ARG_NONE, &options->slurm,
      "Run nothing; write an array job for Slurm to DIR/job.sh", NULL },
    { "online", 0, 0, G_OPTION_ARG_NONE, &options->online,
      "Open the ports that the scene asks for; else the runs open none", NULL },
    { "record", 0, 0, G_OPTION_ARG_NONE, &options->record,
      "Keep a recording of each run, run.mcap in its directory", NULL },
    CLI_SET_ENTRY (&options->settings),
    CLI_READ_LIMIT_ENTRY,
    CLI_STRICT_ENTRY (&options->strict),
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { NULL },
  };

  return cli_parse ("batch", "FILE --runs N --out DIR [-- SCRIPT-ARGUMENT...]",
                    "Runs a scene many times, with one seed after the other, without pacing. "
                    "DIR/run-00000 ...\nhold result.json, log.txt and what the runs write; runs "
                    "whose result is there already\nare left as they are.",
                    entries, FALSE, 1, 1, argc, argv);
}

static gboolean
read_count (const char *name, const char *text, guint64 least, guint64 most, guint64 *out)
{
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    return TRUE;
  if (!cli_parse_count (name, text, out, &error)) {
    cli_usage ("batch", "%s", error->message);
    return FALSE;
  }
  if (*out >= least && *out <= most)
    return TRUE;
  cli_usage ("batch", "%s: %s is not from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, name, text,
             least, most);
  return FALSE;
}

static gboolean
check_options (BatchOptions *options)
{
  options->n_jobs = MIN (g_get_num_processors (), MAX_JOBS);
  if (options->runs_text == NULL || options->directory == NULL) {
    cli_usage ("batch", "%s is missing", options->runs_text == NULL ? "--runs N" : "--out DIR");
    return FALSE;
  }
  if (options->duration_text == NULL && options->ticks_text == NULL) {
    cli_usage ("batch", "--for SECONDS or --ticks N is missing: a run has to end");
    return FALSE;
  }
  return read_count ("--runs", options->runs_text, 1, MAX_RUNS, &options->n_runs) &&
         read_count ("--jobs", options->jobs_text, 1, MAX_JOBS, &options->n_jobs) &&
         read_count ("--seed", options->seed_text, 0, G_MAXUINT64 - MAX_RUNS, &options->seed) &&
         read_count ("--only", options->only_text, 0, options->n_runs - 1, &options->only);
}

/* --- one run --- */

static char *
get_run_directory (Batch *batch, guint64 index)
{
  g_autofree char *name = g_strdup_printf ("run-%05" G_GUINT64_FORMAT, index);

  return g_build_filename (batch->options->directory, name, NULL);
}

/* Whether the result is there: of a run that ended, well or not. */
static gboolean
find_result (Batch *batch, guint64 index, gboolean *failed)
{
  g_autofree char *directory = get_run_directory (batch, index);
  g_autofree char *path = g_build_filename (directory, "result.json", NULL);
  g_autoptr (OrreryNode) root = NULL;
  g_autofree char *text = NULL;
  gsize length = 0;
  OrreryNode *status = NULL;

  if (g_file_get_contents (path, &text, &length, NULL))
    root = orrery_node_parse_json (text, length, path, NULL);
  if (root != NULL && orrery_node_get_kind (root) == ORRERY_NODE_DICT)
    status = orrery_node_find (root, "exit");
  if (status == NULL || orrery_node_get_kind (status) != ORRERY_NODE_INT)
    return FALSE;
  *failed = orrery_node_get_int (status) != 0;
  /* One that was interrupted is to be done again. */
  return orrery_node_get_int (status) < 128;
}

static void
die_with_parent (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

static void
add_option (GPtrArray *argv, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (argv, g_strdup (name));
  g_ptr_array_add (argv, g_strdup (value));
}

/* Every run would refuse what is no setting. */
static gboolean
check_settings (const BatchOptions *options)
{
  g_autoptr (OrreryOptions) tried = orrery_options_new ();

  return cli_settings_add ("batch", tried, options->settings);
}

static GPtrArray *
make_command (Batch *batch, guint64 index)
{
  const BatchOptions *options = batch->options;
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, options->seed + index);
  g_autofree char *read_limit = g_strdup_printf ("%u", cli_get_read_limit ());

  g_ptr_array_add (argv, g_strdup (batch->program));
  g_ptr_array_add (argv, g_strdup ("run"));
  g_ptr_array_add (argv, g_strdup (batch->scene));
  g_ptr_array_add (argv, g_strdup ("--fast"));
  g_ptr_array_add (argv, g_strdup ("--hash"));
  if (!options->online)
    g_ptr_array_add (argv, g_strdup ("--offline"));
  if (options->strict)
    g_ptr_array_add (argv, g_strdup ("--strict"));
  add_option (argv, "--seed", seed);
  add_option (argv, "--start", options->start_text != NULL ? options->start_text : "0");
  add_option (argv, "--for", options->duration_text);
  add_option (argv, "--ticks", options->ticks_text);
  add_option (argv, "--read-limit", read_limit);
  add_option (argv, "--result", "result.json");
  if (options->record)
    add_option (argv, "--record", "run.mcap");
  for (char **each = options->settings; each != NULL && *each != NULL; each++)
    add_option (argv, "--set", *each);
  for (char **each = options->plugin_dirs; each != NULL && *each != NULL; each++) {
    g_autofree char *full = g_canonicalize_filename (*each, NULL);

    add_option (argv, "--plugin-dir", full);
  }
  g_ptr_array_add (argv, NULL);
  return argv;
}

static GSubprocess *
spawn_run (Batch *batch, guint64 index, GError **error)
{
  g_autoptr (GPtrArray) argv = make_command (batch, index);
  g_autofree char *directory = get_run_directory (batch, index);
  g_autofree char *log = g_build_filename (directory, "log.txt", NULL);
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_MERGE);

  if (g_mkdir_with_parents (directory, 0777) != 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", directory, g_strerror (errno));
    return NULL;
  }
  g_subprocess_launcher_set_cwd (launcher, directory);
  g_subprocess_launcher_set_stdout_file_path (launcher, log);
  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, error);
}

/* --- all runs --- */

static void fill (Batch *batch);

static void
show_progress (Batch *batch)
{
  g_autofree char *line =
      g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs, %u failed",
                       batch->n_done,
                       batch->options->only_text != NULL ? 1 : batch->options->n_runs,
                       batch->n_failed);

  if (cli_is_terminal (stdout))
    cli_set_status_line (line);
}

static gboolean
is_interrupted (void)
{
  return g_cancellable_is_cancelled (cli_control_get_cancellable ());
}

static void
note_end (Batch *batch, guint64 index, GSubprocess *child)
{
  gboolean failed = TRUE;
  g_autofree char *directory = get_run_directory (batch, index);
  gboolean found = find_result (batch, index, &failed);

  batch->n_done++;
  if (!failed)
    return;
  batch->n_failed++;
  if (g_subprocess_get_if_signaled (child))
    g_warning ("%s: killed by signal %d", directory, g_subprocess_get_term_sig (child));
  else if (found)
    g_warning ("%s: exit code %d; log.txt says why", directory,
               g_subprocess_get_exit_status (child));
  else
    g_warning ("%s: left no result; log.txt says why", directory);
}

static void
on_end (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Run *run = user_data;
  Batch *batch = run->batch;
  GSubprocess *child = G_SUBPROCESS (source);

  g_subprocess_wait_finish (child, result, NULL);
  batch->n_going--;
  if (!is_interrupted ())
    note_end (batch, run->index, child);
  g_ptr_array_remove (batch->children, child);
  show_progress (batch);
  fill (batch);
}

static void
start_run (Batch *batch, guint64 index)
{
  GSubprocess *child = spawn_run (batch, index, &batch->error);
  Run *run;

  if (child == NULL)
    return;
  run = g_new (Run, 1);
  run->batch = batch;
  run->index = index;
  batch->n_going++;
  g_ptr_array_add (batch->children, child);
  g_subprocess_wait_async (child, NULL, on_end, run);
}

/* As many as may go on at a time; the loop ends when none does. */
static void
fill (Batch *batch)
{
  while (batch->n_going < batch->options->n_jobs && batch->next < batch->end &&
         batch->error == NULL && !is_interrupted ()) {
    guint64 index = batch->next++;
    gboolean failed = FALSE;

    if (!find_result (batch, index, &failed)) {
      start_run (batch, index);
      continue;
    }
    batch->n_done++;
    batch->n_skipped++;
    batch->n_failed += failed ? 1 : 0;
  }
  if (batch->n_going == 0)
    g_main_loop_quit (batch->loop);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Batch *batch = user_data;

  for (guint i = 0; i < batch->children->len; i++)
    g_subprocess_send_signal (batch->children->pdata[i], SIGTERM);
  if (batch->n_going == 0)
    g_main_loop_quit (batch->loop);
  return G_SOURCE_REMOVE;
}

static int
finish (Batch *batch)
{
  int signal_code = cli_control_get_exit_code (0);

  cli_set_status_line (NULL);
  if (batch->error != NULL)
    return cli_fail (batch->error);
  if (signal_code != 0) {
    fprintf (stderr,
             "orrery batch: interrupted after %" G_GUINT64_FORMAT
             " runs; the same command does the others\n",
             batch->n_done);
    return signal_code == 128 + SIGTERM ? CLI_RESUMABLE : signal_code;
  }
  printf ("%" G_GUINT64_FORMAT " runs, %u failed, %u were there already\n", batch->n_done,
          batch->n_failed, batch->n_skipped);
  return batch->n_failed > 0 ? CLI_DIFFERENT : CLI_OK;
}

static int
run_all (Batch *batch)
{
  g_autoptr (GSource) cancelled = g_cancellable_source_new (cli_control_get_cancellable ());

  batch->loop = g_main_loop_new (NULL, FALSE);
  batch->children = g_ptr_array_new_with_free_func (g_object_unref);
  g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), batch, NULL);
  g_source_attach (cancelled, NULL);
  batch->next = batch->options->only_text != NULL ? batch->options->only : 0;
  batch->end = batch->options->only_text != NULL ? batch->next + 1 : batch->options->n_runs;
  fill (batch);
  if (batch->n_going > 0)
    g_main_loop_run (batch->loop);
  g_source_destroy (cancelled);
  g_clear_pointer (&batch->children, g_ptr_array_unref);
  g_clear_pointer (&batch->loop, g_main_loop_unref);
  return finish (batch);
}

/* --- the scene, once for all runs --- */

static char *
find_program (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &error);

  return path != NULL ? path : g_strdup ("orrery");
}

/* The builder writes files only. */
static int
keep_scene (const char *from, const char *to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) directory = g_dir_open (from, 0, &error);
  const char *name = NULL;

  if (directory != NULL && g_mkdir_with_parents (to, 0777) != 0)
    orrery_set_error (&error, ORRERY_ERROR_IO, "%s: %s", to, g_strerror (errno));
  while (error == NULL && (name = g_dir_read_name (directory)) != NULL) {
    g_autofree char *source = g_build_filename (from, name, NULL);
    g_autofree char *target = g_build_filename (to, name, NULL);
    g_autofree char *text = NULL;
    gsize length = 0;

    if (g_file_get_contents (source, &text, &length, &error))
      orrery_output_replace (target, text, (gssize) length, NULL, &error);
  }
  return error == NULL ? CLI_OK : cli_fail (error);
}

static void
add_file (GChecksum *sum, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *text = NULL;
  gsize length = 0;

  if (g_file_get_contents (path, &text, &length, NULL))
    g_checksum_update (sum, (const guchar *) text, (gssize) length);
}

/* Of a file, or of a directory with scene and config. */
static char *
sum_scene (const char *path)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);

  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    add_file (sum, path, "scene.json");
    add_file (sum, path, "component_config.py");
  } else {
    add_file (sum, directory, name);
  }
  return g_strdup (g_checksum_get_string (sum));
}

/* What all runs of a directory have in common, as text. */
static char *
describe (Batch *batch)
{
  const BatchOptions *options = batch->options;
  g_autofree char *sum = sum_scene (batch->scene);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "scene %s\nseed %" G_GUINT64_FORMAT "\nfor %s\nticks %s\nstart %s\n%s%s",
                   sum, options->seed,
                   options->duration_text != NULL ? options->duration_text : "-",
                   options->ticks_text != NULL ? options->ticks_text : "-",
                   options->start_text != NULL ? options->start_text : "0",
                   options->strict ? "strict\n" : "", options->record ? "recorded\n" : "");
  for (char **each = options->settings; each != NULL && *each != NULL; each++) {
    g_autofree char *line = g_strescape (*each, NULL);

    g_string_append_printf (text, "set %s\n", line);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Results of two scenes do not lie in one directory; what a scene file names is not looked at. */
static int
check_directory (Batch *batch)
{
  g_autofree char *path = g_build_filename (batch->options->directory, "batch.txt", NULL);
  g_autofree char *now = describe (batch);
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &before, NULL, NULL)) {
    if (orrery_output_replace (path, now, -1, NULL, &error))
      return CLI_OK;
    return cli_fail (error);
  }
  if (g_str_equal (before, now))
    return CLI_OK;
  fprintf (
      stderr,
      "orrery batch: %s holds runs of another scene, seed, length or setting, or ones that are not "
      "as strict or not recorded alike (batch.txt says which); "
      "choose another --out, or remove it\n",
      batch->options->directory);
  return CLI_CONFIG;
}

/* A script's scene is kept, so that the runs of a later command see the same. */
static int
find_scene (Batch *batch, const char *file, char **arguments)
{
  g_autofree char *kept = g_build_filename (batch->options->directory, "scene", NULL);
  g_autoptr (OrreryRegistry) registry = NULL;
  g_auto (CliScene) scene = { NULL };
  int status = CLI_USAGE;

  registry = cli_registry_new (batch->options->plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = cli_scene_open (&scene, registry, file, arguments, NULL);
  if (status != CLI_OK)
    return status;
  batch->scene = g_canonicalize_filename (scene.path, NULL);
  status = check_directory (batch);
  if (scene.temporary == NULL || status != CLI_OK)
    return status;

  g_free (batch->scene);
  batch->scene = g_canonicalize_filename (kept, NULL);
  return keep_scene (scene.path, kept);
}

/* --- Slurm --- */

static void
append_quoted (GString *text, const char *name, const char *value)
{
  g_autofree char *quoted = value != NULL ? g_shell_quote (value) : NULL;

  if (quoted != NULL)
    g_string_append_printf (text, " %s %s", name, quoted);
}

static int
write_job (Batch *batch)
{
  const BatchOptions *options = batch->options;
  g_autofree char *directory = g_canonicalize_filename (options->directory, NULL);
  g_autofree char *path = g_build_filename (directory, "job.sh", NULL);
  g_autofree char *program = g_shell_quote (batch->program);
  g_autofree char *scene = g_shell_quote (batch->scene);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text,
                          "#!/bin/sh\n#SBATCH --job-name=orrery\n"
                          "#SBATCH --array=0-%" G_GUINT64_FORMAT "\n"
                          "#SBATCH --cpus-per-task=1\n#SBATCH --requeue\n"
                          "#SBATCH --signal=B:TERM@60\n"
                          "# A run that is interrupted exits with 75 and may be queued again.\n"
                          "exec %s batch %s --only \"$SLURM_ARRAY_TASK_ID\" --jobs 1",
                          options->n_runs - 1, program, scene);
  append_quoted (text, "--runs", options->runs_text);
  append_quoted (text, "--out", directory);
  append_quoted (text, "--seed", options->seed_text);
  append_quoted (text, "--for", options->duration_text);
  append_quoted (text, "--ticks", options->ticks_text);
  append_quoted (text, "--start", options->start_text);
  if (options->online)
    g_string_append (text, " --online");
  if (options->strict)
    g_string_append (text, " --strict");
  if (options->record)
    g_string_append (text, " --record");
  for (char **each = options->settings; each != NULL && *each != NULL; each++)
    append_quoted (text, "--set", *each);
  for (char **each = options->plugin_dirs; each != NULL && *each != NULL; each++) {
    g_autofree char *full = g_canonicalize_filename (*each, NULL);

    append_quoted (text, "--plugin-dir", full);
  }
  g_string_append_c (text, '\n');
  if (!orrery_output_replace (path, text->str, (gssize) text->len,
                              &(OrreryOutputRules){ .mode = 0777 }, &error))
    return cli_fail (error);
  printf ("sbatch %s\n", path);
  return CLI_OK;
}

int
cli_batch (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  static BatchOptions options;
  Batch batch = { .options = &options };
  int status;

  if (!parse_options (&options, &argc, &argv) || !check_options (&options))
    return CLI_USAGE;
  if (!check_settings (&options))
    return CLI_USAGE;
  cli_strict_set (options.strict);
  cli_log_start (TRUE);
  cli_control_start ();
  if (g_mkdir_with_parents (options.directory, 0777) != 0) {
    fprintf (stderr, "orrery batch: %s: %s\n", options.directory, g_strerror (errno));
    return CLI_IO;
  }
  batch.program = find_program ();
  status = find_scene (&batch, argv[0], arguments);
  if (status == CLI_OK)
    status = options.slurm ? write_job (&batch) : run_all (&batch);
  g_clear_error (&batch.error);
  g_clear_pointer (&batch.program, g_free);
  g_clear_pointer (&batch.scene, g_free);
  return status;
}
