/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery replay`: runs a recorded run again. */
#include "replay/replay.h"
#include "commands.h"
#include "support/cli.h"

#include <math.h>
#include <string.h>

/* What a run that was killed did in its last second is not in its file, and a run that is faster
 * than the clock does much in it. */
#define BEYOND_S 60

typedef struct {
  char **plugin_dirs;
  char *from_text;
  char *for_text;
  char **settings;
  char **swaps;
  CliRecord record;
  char *page_file;
  char *continued;
  CliView view;
  gboolean open_loop;
  char *beside;
  gboolean changed;
  gboolean unchecked;
  gboolean hash;
  gboolean quiet;
  double from;
  double length;
} ReplayOptions;

static gboolean
parse_options (ReplayOptions *options, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_STRING, &options->from_text,
      "Begin at the last state before so much simulated time from the start", "SECONDS" },
    { "for", 0, 0, G_OPTION_ARG_STRING, &options->for_text, "End after so much simulated time",
      "SECONDS" },
    CLI_SET_ENTRY (&options->settings),
    { "swap", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->swaps,
      "Put a component of another class in the place of one; may be given several times",
      "PART=CLASSPATH" },
    { "open-loop", 0, 0, G_OPTION_ARG_NONE, &options->open_loop,
      "With --set or --swap: all objects move as they did, whatever the parts do now", NULL },
    { "beside", 0, 0, G_OPTION_ARG_FILENAME, &options->beside,
      "With --view: another recorded run at the same time, so that both are seen together",
      "FILE.mcap" },
    { "changed", 0, 0, G_OPTION_ARG_NONE, &options->changed,
      "Also with another version of Orrery, or other plugins, than the run had", NULL },
    { "no-check", 0, 0, G_OPTION_ARG_NONE, &options->unchecked,
      "Do not compare records and hashes with those of the file", NULL },
    { "record", 0, 0, G_OPTION_ARG_FILENAME, &options->record.file,
      "Keep this run in a recording, too, for `orrery diff`", "FILE.mcap" },
    CLI_RECORD_FULL_ENTRY (&options->record),
    { "page", 0, 0, G_OPTION_ARG_FILENAME, &options->page_file,
      "Write a page that plays this run in a browser, without a server", "FILE.html" },
    { "hash", 0, 0, G_OPTION_ARG_NONE, &options->hash, "Print a hash over all records of all ticks",
      NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    CLI_VIEW_ENTRIES (&options->view),
    CLI_READ_LIMIT_ENTRY,
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &options->quiet, "Print warnings and errors only", NULL },
    { "continue", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &options->continued, NULL, NULL },
    { NULL },
  };

  return cli_parse ("replay", "FILE.mcap",
                    "Runs a recorded run again from its inputs, as fast as it goes and without "
                    "ports, and says where it goes another way. Exit code 1: it does.",
                    entries, FALSE, 1, 1, argc, argv);
}

static gboolean
check_options (ReplayOptions *options)
{
  if (!cli_read_seconds ("replay", "--from", options->from_text, &options->from) ||
      !cli_read_seconds ("replay", "--for", options->for_text, &options->length) ||
      !cli_view_check (&options->view, FALSE, options->quiet, NULL))
    return FALSE;
  if (!cli_page_check ("replay", options->page_file) ||
      !cli_record_check ("replay", &options->record))
    return FALSE;
  if (options->page_file != NULL && options->view.on) {
    cli_usage ("replay",
               "--page writes the run as it goes, and --view moves it in time; give one of "
               "them");
    return FALSE;
  }
  if (options->open_loop && options->swaps == NULL && options->settings == NULL) {
    cli_usage ("replay", "--open-loop is for a run with --set or --swap: without them it is fed "
                         "from the file anyway");
    return FALSE;
  }
  if (options->beside != NULL && (!options->view.on || options->record.file != NULL)) {
    cli_usage ("replay", options->view.on ? "--beside is for looking, and not with --record"
                                          : "--beside is about the page of --view, which is not "
                                            "given");
    return FALSE;
  }
  return TRUE;
}

/* --- the simulation --- */

static gboolean
add_setting (OrreryOptions *settings, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (orrery_options_add_setting (settings, text, &error))
    return TRUE;
  cli_usage ("replay", "%s", error->message);
  return FALSE;
}

static gboolean
add_swap (OrreryOptions *settings, const char *text)
{
  const char *equals = strchr (text, '=');
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  g_autofree char *setting = NULL, *part = NULL;
  const char *data;
  gsize length;

  if (equals == NULL || equals == text || equals[1] == '\0' || !g_utf8_validate (text, -1, NULL)) {
    cli_usage ("replay", "--swap: PART=CLASSPATH, as robot.pose=my.sensors.Pose, not %.80s", text);
    return FALSE;
  }
  part = g_strndup (text, (gsize) (equals - text));
  orrery_writer_append_text (out, part);
  orrery_writer_append_text (out, ".classpath=");
  orrery_writer_append_json_text (out, equals + 1);
  data = orrery_writer_get_data (out, &length);
  setting = g_strndup (data, length);
  return add_setting (settings, setting);
}

/* Those of the run first: of several for one path the last one counts. */
static OrreryOptions *
make_options (const ReplayOptions *options, const ReplayRun *run, GError **error)
{
  g_autoptr (OrreryOptions) settings = replay_run_make_options (run, error);

  if (settings == NULL)
    return NULL;
  g_object_set (settings, "hash", options->hash, NULL);
  for (char **each = options->swaps; each != NULL && *each != NULL; each++)
    if (!add_swap (settings, *each))
      return NULL;
  return cli_settings_add ("replay", settings, options->settings) ? g_steal_pointer (&settings)
                                                                  : NULL;
}

/* --- the way to the first tick --- */

static gboolean
restore (const ReplayOptions *options, ReplayRun *run, OrreryRecordingReader *reader,
         OrrerySimulation *simulation, GError **error)
{
  guint64 tick = MAX (run->first_tick, (guint64) floor (options->from * run->frequency + 1e-9));
  guint64 found = 0;
  gboolean passed = FALSE;
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) state = NULL;
  g_autofree char *reason = NULL;
  g_auto (GStrv) swapped = replay_list_swapped (options->swaps);

  if (tick == 0)
    return TRUE;
  state = replay_run_find_state (run, reader, tick, &found, &passed, &local);
  if (local != NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  reason = passed ? g_strdup ("a call of a client, cancelled later, was in progress at it")
                  : replay_run_find_reason (run, reader, tick);
  if (state != NULL) {
    g_message ("begins at tick %" G_GUINT64_FORMAT ", %.9g s%s%s", found,
               (double) found / run->frequency,
               passed           ? ", since the next state is no start: "
               : reason != NULL ? ", since the recording has no later state: "
                                : "",
               reason != NULL ? reason : "");
    if (replay_restore (simulation, state, swapped, error))
      return replay_set_again (simulation, options->settings, swapped, error);
    g_prefix_error (error, "the state of tick %" G_GUINT64_FORMAT ": ", found);
    return FALSE;
  }
  if (run->first_tick > 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: it begins at tick %" G_GUINT64_FORMAT " and has no state%s%s",
                             orrery_recording_reader_get_path (reader), run->first_tick,
                             reason != NULL ? ": " : "", reason != NULL ? reason : "");
  g_warning ("begins at the start, since the recording has no state before%s%s",
             reason != NULL ? ": " : "", reason != NULL ? reason : "");
  return TRUE;
}

/* --- running --- */

/* The number of ticks after which the replay ends. */
static guint64
find_end (const ReplayOptions *options, const ReplayRun *run, OrreryRecordingReader *reader,
          guint64 now)
{
  OrreryTime last = orrery_recording_reader_get_end (reader) - run->start;
  double end = (double) last / ORRERY_SECOND * run->frequency;
  guint64 ticks = end > 0 && end < 1e18 ? (guint64) llround (end) : 0;
  guint64 wanted = now + (guint64) ceil (options->length * run->frequency - 1e-9);

  if (run->n_ticks > 0)
    return options->for_text != NULL ? MIN (run->n_ticks, wanted) : run->n_ticks;
  if (options->for_text != NULL)
    return wanted;
  /* Two runs are compared as far as both go. */
  if (options->settings != NULL || options->swaps != NULL || options->beside != NULL) {
    g_message ("the recording was cut off: the run ends where that does");
    return MAX (ticks, now);
  }
  g_warning ("the recording was cut off: the run goes on for %d s behind its end", BEYOND_S);
  return ticks + (guint64) ceil (BEYOND_S * run->frequency);
}

/* FALSE: there was nothing by which the run could be judged. */
static gboolean
report (OrrerySimulation *simulation, OrreryRecordingReader *reader, gboolean checked, guint64 n)
{
  g_autoptr (GVariant) all = orrery_simulation_get_report (simulation);
  g_autofree const char **unhashed = NULL;
  const char *hash = NULL;

  if (checked && n > 0)
    printf ("%" G_GUINT64_FORMAT " ticks, %" G_GUINT64_FORMAT
            " messages compared: the run goes as it went\n",
            orrery_simulation_get_n_ticks (simulation), n);
  else
    printf ("%" G_GUINT64_FORMAT " ticks, not compared\n",
            orrery_simulation_get_n_ticks (simulation));
  if (checked && n > 0)
    replay_check_print_left_out (reader);
  if (g_variant_lookup (all, "hash", "&s", &hash))
    printf ("hash %s\n", hash);
  if (g_variant_lookup (all, "unhashed", "^a&s", &unhashed) && unhashed[0] != NULL)
    g_warning ("%s runs freely in a worker: what it says is not repeated", unhashed[0]);
  return !checked || n > 0;
}

/* The recorded run as it was, for --open-loop; NULL without an error: there is no such option. */
static ReplayLead *
load_lead (const ReplayOptions *options, OrreryRegistry *registry, ReplayRun *run,
           OrreryRecordingReader *reader, GError **error)
{
  g_autoptr (OrreryOptions) settings =
      options->open_loop ? replay_run_make_options (run, error) : NULL;

  if (settings == NULL)
    return NULL;
  return replay_lead_new (registry, run, orrery_recording_reader_get_path (reader), settings,
                          !options->unchecked, !options->changed, error);
}

/* The page may move the run in time, but not while another recording is made of it. */
static OrreryPlayback *
make_playback (const ReplayOptions *options, const ReplayPlan *plan, GError **error)
{
  const ReplayRun *run = plan->run;
  guint64 low =
      plan->is_changed ? orrery_simulation_get_n_ticks (plan->simulation) : run->first_tick;
  OrreryTime start = run->start + orrery_time_from_seconds ((double) low / run->frequency);
  OrreryTime end = run->start + orrery_time_from_seconds ((double) plan->end / run->frequency);

  if (!options->view.on || options->record.file != NULL)
    return NULL;
  return orrery_playback_new (start, MAX (start, end), error);
}

static int
play (const ReplayOptions *options, const ReplayPlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ReplayPlayer) player = replay_player_new (plan, &error);
  int status, stayed;

  if (player == NULL)
    return cli_fail (error);
  status = replay_player_run (player);
  if (status == CLI_OK &&
      !report (plan->simulation, plan->reader, plan->is_checked, replay_player_get_n (player)) &&
      plan->run->n_ticks == 0) {
    orrery_set_error (&error, ORRERY_ERROR_CONFIG,
                      "%s: it was cut off before its first message, so that there is nothing to "
                      "compare with; --no-check runs its scene all the same",
                      orrery_recording_reader_get_path (plan->reader));
    return cli_fail (error);
  }
  if (status != CLI_OK && status != CLI_DIFFERENT)
    return status;
  fflush (stdout);
  if (plan->playback == NULL || !options->view.stay) {
    cli_view_stay (&options->view, plan->simulation);
    return status;
  }
  if (cli_control_get_exit_code (CLI_OK) != CLI_OK)
    return status;
  stayed = replay_player_stay (player);
  return MAX (status, stayed);
}

static int
replay (const ReplayOptions *options, OrreryRegistry *registry, ReplayRun *run,
        OrreryRecordingReader *reader, OrrerySimulation *simulation, ReplayBeside *beside)
{
  const char *path = orrery_recording_reader_get_path (reader);
  gboolean is_changed = options->settings != NULL || options->swaps != NULL;
  g_autoptr (ReplayLead) lead = NULL;
  g_autoptr (OrreryPlayback) playback = NULL;
  g_autoptr (GError) error = NULL;
  ReplayPlan plan = {
    .run = run,
    .reader = reader,
    .simulation = simulation,
    .beside = beside,
    .is_changed = is_changed,
    .is_strict = !is_changed && !options->changed,
    .is_checked = !options->unchecked && !is_changed,
    .is_paced = options->view.on,
  };

  if (!replay_run_check (run, options->changed, &error) ||
      !restore (options, run, reader, simulation, &error))
    return cli_fail (error);
  plan.end = find_end (options, run, reader, orrery_simulation_get_n_ticks (simulation));
  playback = plan.playback = make_playback (options, &plan, &error);
  if (error != NULL)
    return cli_fail (error);
  if (beside != NULL &&
      !replay_beside_go (beside, orrery_simulation_get_n_ticks (simulation), &error))
    return cli_fail (error);
  if (beside != NULL && playback != NULL)
    replay_beside_show (beside, playback);
  lead = plan.lead = load_lead (options, registry, run, reader, &error);
  if (error != NULL || (lead != NULL && !replay_lead_begin (lead, simulation, &error)))
    return cli_fail (error);
  orrery_simulation_set_playback (simulation, playback);
  if (!(lead != NULL ? replay_lead_record (simulation, &options->record, &error)
                     : cli_record (simulation, &options->record, TRUE, &error)) ||
      !cli_page (simulation, options->page_file, path, &error) ||
      !cli_view_add (&options->view, simulation, path, NULL, NULL, &error))
    return cli_fail (error);
  return play (options, &plan);
}

static int
run_again (const ReplayOptions *options, OrreryRegistry *registry, ReplayRun *run,
           OrreryRecordingReader *reader, const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryOptions) settings = make_options (options, run, &error);
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (ReplayBeside) beside = NULL;
  int status;

  /* What is wrong with an option of this command was said. */
  if (settings == NULL)
    return error != NULL ? cli_fail (error) : CLI_USAGE;
  simulation = orrery_simulation_load_with_options (registry, run->path, settings, &error);
  if (simulation != NULL && options->beside != NULL)
    beside = replay_beside_new (registry, options->beside, directory, options->changed, &error);
  if (error != NULL && cli_python_is_needed (registry))
    return cli_python_continue ("replay", directory);
  if (error != NULL || (beside != NULL && !replay_beside_check (beside, run, &error)))
    return cli_fail (error);
  cli_control_set_simulation (simulation);
  status = replay (options, registry, run, reader, simulation, beside);
  cli_control_set_simulation (NULL);
  orrery_simulation_close (simulation);
  return cli_control_get_exit_code (status);
}

/* Where the files of the scene are; the program that had to begin anew has them already. */
static char *
make_directory (const ReplayOptions *options, ReplayRun *run, OrreryRecordingReader *reader,
                GError **error)
{
  g_autofree char *directory = NULL;

  if (options->continued == NULL) {
    directory = cli_temporary_make (error);
    if (directory == NULL || !replay_run_extract (run, reader, directory, error))
      return NULL;
    return g_steal_pointer (&directory);
  }
  if (!cli_temporary_adopt (options->continued)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "--continue is not for users");
    return NULL;
  }
  run->path = g_build_filename (options->continued, run->scene, NULL);
  return g_strdup (options->continued);
}

int
cli_replay (int argc, char **argv)
{
  static ReplayOptions options; /* as long as the program */
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (OrreryRegistry) registry = NULL;
  g_auto (ReplayRun) run = { NULL };
  g_autofree char *directory = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_USAGE;

  if (!parse_options (&options, &argc, &argv) || !check_options (&options))
    return CLI_USAGE;
  cli_log_start (options.quiet);
  cli_control_start ();
  registry = cli_registry_new (options.plugin_dirs, &status);
  if (registry == NULL)
    return status;
  reader = orrery_recording_reader_open (argv[0], &error);
  if (reader == NULL || !replay_run_read (&run, reader, &error))
    return cli_fail (error);
  directory = make_directory (&options, &run, reader, &error);
  status = directory != NULL ? run_again (&options, registry, &run, reader, directory)
                             : cli_fail (error);
  cli_temporary_remove ();
  return status;
}
