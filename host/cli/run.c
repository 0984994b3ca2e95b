/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery run`: runs a scene or a builder script. */
#include "commands.h"
#include "support/cli.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Simulated seconds between two checkpoints */
#define DEFAULT_EVERY 10

typedef struct {
  char **plugin_dirs;
  char *config;
  char *duration_text;
  char *wall_text;
  char *ticks_text;
  char *seed_text;
  char **observers;
  char **settings;
  char **metrics;
  CliView view;
  char *threads_text;
  char *start_text;
  char *hash_file;
  CliRecord record;
  char *video_file;
  char *page_file;
  char *result_file;
  char *save_file;
  char *output_dir;
  char *root;
  char *restore_file;
  char *continued;
  char *checkpoint;
  char *every_text;
  char *allow_users;
  char *token_file;
  gboolean fast;
  gboolean offline;
  gboolean strict;
  gboolean hash;
  gboolean demo;
  gboolean quiet;
  gboolean paused;
  gboolean stopped;
  double duration;
  double wall;
  double start;
  double every; /* s of simulated time, between two checkpoints */
  guint64 ticks;
  guint64 seed;
  guint64 threads;
} RunOptions;

/* `--hash` alone would take the next word as its file. */
static gboolean
take_bare_hash (int *argc, char **argv)
{
  gboolean found = FALSE;
  int n = 0;

  for (int i = 0; i < *argc; i++) {
    if (strcmp (argv[i], "--hash") == 0)
      found = TRUE;
    else
      argv[n++] = argv[i];
  }
  *argc = n;
  argv[n] = NULL;
  return found;
}

static gboolean
parse_options (RunOptions *options, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &options->config,
      "A component_config that takes the place of the scene's", "FILE" },
    { "for", 0, 0, G_OPTION_ARG_STRING, &options->duration_text, "End after so much simulated time",
      "SECONDS" },
    { "wall", 0, 0, G_OPTION_ARG_STRING, &options->wall_text, "End after so much real time",
      "SECONDS" },
    { "ticks", 0, 0, G_OPTION_ARG_STRING, &options->ticks_text, "End after so many ticks", "N" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &options->seed_text, "Where random numbers start", "N" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &options->start_text,
      "Simulated time at the start; by default the clock's", "SECONDS" },
    { "fast", 0, 0, G_OPTION_ARG_NONE, &options->fast, "Never wait for the clock", NULL },
    { "threads", 0, 0, G_OPTION_ARG_STRING, &options->threads_text,
      "Let so many threads sense; 0: as many as there are processors", "N" },
    { "hash", 0, 0, G_OPTION_ARG_FILENAME, &options->hash_file,
      "Print a hash over all records of all ticks; =FILE, if given, gets those of each tick for "
      "`orrery diff`",
      "FILE" },
    { "paused", 0, 0, G_OPTION_ARG_NONE, &options->paused,
      "Begin paused before tick 0; `orrery call simulation resume` lets it go on", NULL },
    { "stopped", 0, 0, G_OPTION_ARG_NONE, &options->stopped,
      "Begin stopped; `orrery call simulation start` starts it", NULL },
    { "observer", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->observers,
      "Let a part of this class watch the run; may be given several times",
      "CLASSPATH [PROPERTIES]" },
    { "record", 0, 0, G_OPTION_ARG_FILENAME, &options->record.file,
      "Keep records, poses and the scene in a recording; with --fast the run waits for it",
      "FILE.mcap" },
    CLI_RECORD_ONLY_ENTRY (&options->record),
    CLI_RECORD_FULL_ENTRY (&options->record),
    { "video", 0, 0, G_OPTION_ARG_FILENAME, &options->video_file,
      "Make a film of the run, which waits while it is drawn", "FILE.mp4" },
    { "page", 0, 0, G_OPTION_ARG_FILENAME, &options->page_file,
      "Write a page that plays the run in a browser, without a server", "FILE.html" },
    CLI_VIEW_ENTRIES (&options->view),
    CLI_CONTROL_ENTRY (&options->view),
    { "demo", 0, 0, G_OPTION_ARG_NONE, &options->demo,
      "Let a client drive the robot a little, and show where it is", NULL },
    { "result", 0, 0, G_OPTION_ARG_FILENAME, &options->result_file,
      "At the end write exit code, error and report there, as JSON", "FILE" },
    { "save", 0, 0, G_OPTION_ARG_FILENAME, &options->save_file,
      "At the end write the state there, for --restore", "FILE" },
    { "restore", 0, 0, G_OPTION_ARG_FILENAME, &options->restore_file,
      "Go on from a state that --save wrote; --for and --ticks count from there", "FILE" },
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &options->checkpoint,
      "Write the state there now and then, and go on from it if it is there; removed at the end",
      "FILE" },
    { "checkpoint-every", 0, 0, G_OPTION_ARG_STRING, &options->every_text,
      "After so much simulated time each; 10", "SECONDS" },
    { "output-dir", 0, 0, G_OPTION_ARG_FILENAME, &options->output_dir,
      "Below which streams write their files; by default the current directory", "DIR" },
    { "root", 0, 0, G_OPTION_ARG_FILENAME, &options->root,
      "Below which clients may load other scenes; by default the directory of this one", "DIR" },
    CLI_SET_ENTRY (&options->settings),
    CLI_METRIC_ENTRY (&options->metrics),
    CLI_READ_LIMIT_ENTRY,
    CLI_STRICT_ENTRY (&options->strict),
    CLI_DEBUG_ENTRY,
    { "allow-users", 0, 0, G_OPTION_ARG_STRING, &options->allow_users,
      "Whose processes may connect, beside your own and root's: numbers of users, or any",
      "any|UID,..." },
    { "token-file", 0, 0, G_OPTION_ARG_FILENAME, &options->token_file,
      "Let in whoever sends what this file holds, from wherever", "FILE" },
    { "offline", 0, 0, G_OPTION_ARG_NONE, &options->offline, "Open no port, no connection", NULL },
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &options->quiet, "Print warnings and errors only", NULL },
    { "continue", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &options->continued, NULL, NULL },
    { NULL },
  };

  options->hash = take_bare_hash (argc, *argv);
  return cli_parse ("run", "FILE [-- SCRIPT-ARGUMENT...]",
                    "Runs a builder script, a scene file, or a directory made by `orrery build`.",
                    entries, FALSE, 1, 1, argc, argv);
}

static gboolean
read_numbers (RunOptions *options, GError **error)
{
  if (options->duration_text != NULL &&
      !cli_parse_seconds ("--for", options->duration_text, &options->duration, error))
    return FALSE;
  if (options->wall_text != NULL &&
      !cli_parse_seconds ("--wall", options->wall_text, &options->wall, error))
    return FALSE;
  if (options->start_text != NULL &&
      !cli_parse_seconds ("--start", options->start_text, &options->start, error))
    return FALSE;
  if (options->ticks_text != NULL &&
      !cli_parse_count ("--ticks", options->ticks_text, &options->ticks, error))
    return FALSE;
  if (options->threads_text != NULL &&
      !cli_parse_count ("--threads", options->threads_text, &options->threads, error))
    return FALSE;
  return options->seed_text == NULL ||
         cli_parse_count ("--seed", options->seed_text, &options->seed, error);
}

/* @text: as it was given; NULL: it was not */
static gboolean
check_length (const char *option, const char *text, double value)
{
  if (text == NULL || value > 0)
    return TRUE;
  cli_usage ("run", "%s: a number above 0, not %.40s", option, text);
  return FALSE;
}

/* A film, a page or a recording has no way to go on; the others say where the run begins or ends.
 */
static gboolean
check_checkpoint (RunOptions *options)
{
  const struct {
    const char *name;
    gboolean is_given;
  } others[] = { { "--record", options->record.file != NULL },
                 { "--video", options->video_file != NULL },
                 { "--page", options->page_file != NULL },
                 { "--restore", options->restore_file != NULL },
                 { "--wall", options->wall_text != NULL } };

  options->every = DEFAULT_EVERY;
  if (options->every_text != NULL && options->checkpoint == NULL) {
    cli_usage ("run", "--checkpoint-every says how often --checkpoint FILE is written, which is "
                      "missing");
    return FALSE;
  }
  for (guint i = 0; options->checkpoint != NULL && i < G_N_ELEMENTS (others); i++) {
    if (!others[i].is_given)
      continue;
    cli_usage ("run", "--checkpoint goes without %s", others[i].name);
    return FALSE;
  }
  return cli_read_seconds ("run", "--checkpoint-every", options->every_text, &options->every) &&
         check_length ("--checkpoint-every", options->every_text, options->every);
}

static gboolean
check_numbers (RunOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (!read_numbers (options, &error)) {
    cli_usage ("run", "%s", error->message);
    return FALSE;
  }
  if (!check_length ("--for", options->duration_text, options->duration) ||
      !check_length ("--wall", options->wall_text, options->wall) ||
      !check_length ("--ticks", options->ticks_text, (double) options->ticks))
    return FALSE;
  if (!check_checkpoint (options) || !cli_page_check ("run", options->page_file) ||
      !cli_record_check ("run", &options->record))
    return FALSE;
  if (options->threads > ORRERY_MAX_THREADS) {
    cli_usage ("run", "--threads: at most %d", ORRERY_MAX_THREADS);
    return FALSE;
  }
  return TRUE;
}

static OrreryOptions *
make_options (RunOptions *options)
{
  OrreryOptions *out = orrery_options_new ();
  gboolean hash_file = options->hash_file != NULL && *options->hash_file != '\0';

  g_object_set (out, "hash", options->hash || options->hash_file != NULL, "hash-file",
                hash_file ? options->hash_file : NULL, "config-file", options->config, "output-dir",
                options->output_dir, "listen", !options->offline, "offline", options->offline,
                "on-demand", TRUE, "allow-users", options->allow_users, "token-file",
                options->token_file, NULL);
  if (options->paused || options->stopped)
    g_object_set (out, "state", options->stopped ? ORRERY_STATE_STOPPED : ORRERY_STATE_PAUSED,
                  NULL);
  g_object_set (out, "read-limit", cli_get_read_limit (), NULL);
  if (options->fast)
    g_object_set (out, "pacing", ORRERY_PACING_FAST, NULL);
  if (options->seed_text != NULL)
    g_object_set (out, "seed", options->seed, NULL);
  if (options->threads_text != NULL)
    g_object_set (out, "threads", (guint) options->threads, NULL);
  if (options->start_text != NULL)
    g_object_set (out, "start", options->start, NULL);
  orrery_options_set_ready_func (out, cli_strict_allow, NULL);
  return out;
}

/* The fewest ticks that make up the time asked for. */
static guint64
count_ticks (const RunOptions *options, OrrerySimulation *simulation)
{
  double ticks = options->duration * orrery_simulation_get_frequency (simulation);
  guint64 n = (guint64) ceil (ticks - 1e-9 * ticks);

  if (options->duration_text == NULL)
    return options->ticks;
  return options->ticks_text != NULL ? MIN (n, options->ticks) : n;
}

/* Before the first tick: what a run before this one left. */
static gboolean
restore_state (const RunOptions *options, OrrerySimulation *simulation, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) local = NULL;

  if (options->restore_file == NULL)
    return TRUE;
  file = g_mapped_file_new (options->restore_file, FALSE, &local);
  if (file == NULL)
    return orrery_set_error (error,
                             local->code == G_FILE_ERROR_NOENT ? ORRERY_ERROR_NO_FILE
                                                               : ORRERY_ERROR_IO,
                             "--restore: %s", local->message);
  state = g_mapped_file_get_bytes (file);
  if (orrery_simulation_restore (simulation, state, error))
    return TRUE;
  g_prefix_error (error, "--restore: %s: ", options->restore_file);
  return FALSE;
}

static int
save_state (const RunOptions *options, const char *file, OrrerySimulation *simulation, int status)
{
  g_autofree const char **files = orrery_simulation_get_files (simulation);
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  if (options->save_file == NULL || status != CLI_OK)
    return status;
  state = orrery_simulation_save (simulation, &error);
  if (state == NULL) {
    g_prefix_error (&error, "--save: ");
    return cli_fail (error);
  }
  g_bytes_get_data (state, &size);
  if (cli_output_replace (options->save_file, g_bytes_get_data (state, NULL), size, file, files,
                          &error))
    return status;
  g_prefix_error (&error, "--save: ");
  return cli_fail (error);
}

static gboolean
run_ticks (const RunOptions *options, OrrerySimulation *simulation, CliMetrics *metrics, guint64 n,
           GError **error)
{
  if (options->checkpoint != NULL)
    return cli_checkpoint_run (simulation, metrics, options->checkpoint, options->every, n, error);
  return orrery_simulation_run (simulation, n, orrery_time_from_seconds (options->wall), error);
}

static int
run_simulation (const RunOptions *options, OrrerySimulation *simulation, CliMetrics *metrics,
                const char *file, char **message)
{
  guint64 n = count_ticks (options, simulation);
  g_autoptr (CliDemo) demo = options->demo ? cli_demo_start () : NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  cli_control_limit_wall (options->wall);
  if (!options->quiet && !options->demo && cli_is_terminal (stdout))
    cli_control_show_progress (n);
  if (!restore_state (options, simulation, &error) ||
      !cli_metrics_add (metrics, simulation, options->metrics, &error) ||
      !cli_observers_add (simulation, options->observers, &error) ||
      !cli_record (simulation, &options->record, options->fast, &error) ||
      !cli_film (simulation, options->video_file, &error) ||
      !cli_page (simulation, options->page_file, file, &error) ||
      !cli_view_add (&options->view, simulation, file, options->allow_users, options->token_file,
                     &error) ||
      !run_ticks (options, simulation, metrics, n, &error)) {
    *message = g_strdup (error->message);
    if (cli_log_is_of_morse ())
      g_prefix_error (&error, "[ERROR][MORSE] ");
    status = cli_fail (error);
  } else {
    cli_view_stay (&options->view, simulation);
  }
  cli_control_set_simulation (NULL);
  g_clear_pointer (&demo, cli_demo_stop);
  cli_set_status_line (NULL);
  return status;
}

/* What streams could not write: the run has failed, whatever it did else. */
static int
check_outputs (GVariant *report, int status)
{
  g_autofree const char **lost = NULL;
  g_autofree char *line = NULL;

  if (!g_variant_lookup (report, "lost", "^a&s", &lost) || lost[0] == NULL)
    return status;
  line = g_strdup_printf ("orrery: output was lost: %s%s\n", lost[0],
                          lost[1] != NULL ? ", and more" : "");
  cli_write (stderr, line);
  return status != CLI_OK ? status : CLI_IO;
}

/* Returns: (transfer full): the report */
static GVariant *
end_simulation (const RunOptions *options, OrrerySimulation *simulation, int status)
{
  gboolean began = status == CLI_OK || orrery_simulation_get_n_ticks (simulation) > 0;
  GVariant *report;

  cli_log_begin ("COMPONENTS FINALIZATION");
  orrery_simulation_close (simulation);
  cli_log_end ("EXITING SIMULATION");
  report = orrery_simulation_get_report (simulation);
  /* A table of zeros would hide why. */
  cli_report_print (report, options->quiet || !began);
  return report;
}

/* What the user asked to have on file; a run without it has failed. */
static int
write_result (const RunOptions *options, const char *file, char **files, GVariant *report,
              int status, const char *message)
{
  g_autoptr (GError) error = NULL;
  int code;

  if (options->result_file == NULL ||
      cli_result_write (options->result_file, file, (const char *const *) files, report, status,
                        message, &error))
    return status;
  g_prefix_error (&error, "--result: ");
  code = cli_fail (error);
  return status != CLI_OK ? status : code;
}

static int
run_scene (RunOptions *options, OrreryRegistry *registry, const char *file, const CliScene *scene)
{
  g_autoptr (OrreryOptions) settings = make_options (options);
  g_autoptr (CliMetrics) metrics = cli_metrics_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (GVariant) report = NULL;
  g_autofree const char **files = NULL;
  g_auto (GStrv) kept = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  g_autofree char *beside = scene->temporary != NULL ? g_path_get_dirname (file) : NULL;
  int status = CLI_OK;

  if (!cli_settings_add ("run", settings, options->settings))
    return CLI_USAGE;
  cli_result_prepare (options->result_file, file);
  cli_view_prepare (&options->view, registry, settings);
  g_object_set (settings, "root", options->root != NULL ? options->root : beside, NULL);
  if (options->continued == NULL)
    cli_log_begin ("SCENE INITIALIZATION");
  simulation = orrery_simulation_load_with_options (registry, scene->path, settings, &error);
  if (simulation == NULL && cli_python_is_needed (registry))
    return cli_python_continue ("run", scene->temporary != NULL ? scene->temporary : "");
  if (simulation == NULL) {
    message = g_strdup (error->message);
    g_prefix_error (&error, "INITIALIZATION ERROR: ");
    status = cli_control_get_exit_code (cli_fail (error));
    cli_log_end ("INITIALIZATION FAILED!");
    cli_log_end ("EXITING SIMULATION");
    return write_result (options, file, NULL, NULL, status, message);
  }
  status = cli_strict_judge_setup ();
  if (status != CLI_OK) {
    cli_log_end ("INITIALIZATION FAILED!");
    cli_log_end ("EXITING SIMULATION");
    files = orrery_simulation_get_files (simulation);
    kept = g_strdupv ((char **) files);
    return write_result (options, file, kept, NULL, status,
                         "the scene warned, and --strict was given");
  }
  cli_log_end ("SCENE INITIALIZED");
  cli_control_set_simulation (simulation);
  status = save_state (options, file, simulation,
                       run_simulation (options, simulation, metrics, file, &message));
  report = cli_metrics_report (metrics, end_simulation (options, simulation, status));
  status = cli_strict_judge_run (report, check_outputs (report, status), &message);
  status = cli_control_get_exit_code (status);
  files = orrery_simulation_get_files (simulation);
  kept = g_strdupv ((char **) files);
  /* A part that fails at its end has its place in the result, too. */
  g_clear_object (&simulation);
  return write_result (options, file, kept, report, status, message);
}

/* What starts MORSE looks for these words where a script fails. Some then send a signal to the PID
 * that was logged, and fail where that is gone at once: MORSE takes as long to end. */
static void
say_to_morse (void)
{
  cli_write (stderr, "[ERROR][MORSE] the script failed, nothing was started\n");
  cli_control_await (-1, 200);
}

/* What the run itself does not know of: the script that its scene is made of. */
static gboolean
check_outputs_spare (const RunOptions *options, const char *file)
{
  g_autoptr (GError) error = NULL;

  if (cli_output_spares ("--hash", options->hash_file, file, &error) &&
      cli_output_spares ("--record", options->record.file, file, &error) &&
      cli_output_spares ("--video", options->video_file, file, &error) &&
      cli_output_spares ("--page", options->page_file, file, &error))
    return TRUE;
  cli_fail (error);
  return FALSE;
}

int
cli_run (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  static RunOptions options;
  g_auto (CliScene) scene = { NULL };
  g_autoptr (OrreryRegistry) registry = NULL;
  int status = CLI_USAGE;

  /* A process of `orrery batch` may run several scenes, one after the other. */
  options = (RunOptions){ NULL };
  if (!parse_options (&options, &argc, &argv) || !check_numbers (&options) ||
      !cli_metrics_check ("run", options.metrics) ||
      !cli_view_check (&options.view, options.offline, options.quiet && options.token_file == NULL,
                       options.allow_users))
    return CLI_USAGE;
  if (!check_outputs_spare (&options, argv[0]))
    return CLI_CONFIG;
  cli_strict_set (options.strict);
  cli_log_start (options.quiet);
  cli_control_start ();
  if (options.continued == NULL) {
    cli_log_begin ("PRE-INITIALIZATION");
    g_message ("Orrery Version: %s", ORRERY_VERSION);
    g_message ("PID: %d", (int) getpid ());
  }

  registry = cli_registry_new (options.plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = cli_scene_open (&scene, registry, argv[0], arguments, options.continued);
  if (status == CLI_OK)
    return run_scene (&options, registry, argv[0], &scene);
  if (scene.temporary != NULL && cli_control_get_exit_code (CLI_OK) == CLI_OK &&
      (cli_log_is_of_morse () || cli_builder_is_of_morse (scene.temporary)))
    say_to_morse ();
  return write_result (&options, argv[0], NULL, NULL, status, "the scene could not be built");
}
