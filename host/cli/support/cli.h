/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the subcommands share. Like any other program, this one uses <orrery.h> and nothing else. */

#include <gio/gio.h>
#include <orrery.h>
#include <stdio.h>

/* Codes of sysexits.h beside those of orrery_error_get_exit_code(). */
#define CLI_OK 0
#define CLI_DIFFERENT 1
#define CLI_USAGE 64
#define CLI_CONFIG 65
#define CLI_NO_FILE 66
#define CLI_MISSING 69
#define CLI_INTERNAL 70
#define CLI_SYSTEM 71
#define CLI_IO 74

/* --- arguments.c --- */

/* The program's argv before anything was parsed; the setter copies it. */
void cli_set_arguments (char **argv);
char **cli_get_arguments (void);
/* What follows a `--`, cut off from argv; NULL if there is none. */
char **cli_cut_arguments (int *argc, char **argv);
/* Parses options in place; %FALSE after saying what is wrong. Without `strict`, they may stand
 * between and after the arguments. The number of arguments that stay must be in [min, max]. */
gboolean cli_parse (const char *command, const char *arguments, const char *words,
                    const GOptionEntry *entries, gboolean strict, int min, int max, int *argc,
                    char ***argv);
/* What a command gives to cli_parse(). */
typedef struct {
  const char *command; /* `run`, `recording cat` */
  const char *arguments;
  const char *words;
  const GOptionEntry *entries;
} CliSynopsis;
typedef void (*CliSynopsisFunc) (const CliSynopsis *synopsis, gpointer user_data);
/* Has @func told, once, what a command gives to cli_parse(), and does no more of the command: the
 * first thing that each command does is to parse its line. Only the thread of main(). */
void cli_read_synopsis (int (*run) (int, char **), CliSynopsisFunc func, gpointer user_data);
/* Says that the command was called wrongly; returns CLI_USAGE. */
int cli_usage (const char *command, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean cli_parse_seconds (const char *option, const char *text, double *out, GError **error);
/* The same of an option that may be left out (@text: NULL); below 0, or no number: FALSE after
 * saying so. */
gboolean cli_read_seconds (const char *command, const char *option, const char *text, double *out);
/* Whether it is one; if not, that is said. */
gboolean cli_check_port (const char *command, int port);
gboolean cli_parse_count (const char *option, const char *text, guint64 *out, GError **error);

/* --- output.c --- */

/* Whether a stream is a terminal that shows colours and moves its cursor. */
gboolean cli_is_terminal (FILE *stream);
/* Columns of a stream: those of the terminal, within bounds; G_MAXUINT: it is none. */
guint cli_get_columns (FILE *stream);
/* Prints an error to stderr; returns the exit code for it. */
int cli_fail (const GError *error);
/* Errors that name a file of @directory name @script instead; %NULL: no longer. */
void cli_set_built (const char *directory, const char *script);
/* @text: with places in the files that a script built, or any other
 * @begins_with_place: (out) (optional): whether the result begins with a place in the script
 * Returns: (transfer full): the text with places in the script; what one of its lines does several
 *   times is said once, with a count */
char *cli_map_places (const char *text, gboolean *begins_with_place);
/* One line that is written again and again; %NULL takes it away. Any thread. */
void cli_set_status_line (const char *line);
/* Where it is; at first the standard output. */
void cli_set_status_stream (FILE *stream);
/* Writes whole lines to a stream, above the status line. Any thread. */
void cli_write (FILE *stream, const char *text);

/* Called last: the exit code, which is CLI_IO where the program would have ended well and what it
 * printed to the standard output was lost, after saying so. */
int cli_check_output (int status);
/* Writes what an option of the command line names, which must be no file of the scene: neither
 * @scene, the file or directory that was given, nor one of those that a simulation was read from
 * (NULL: none was). */
gboolean cli_output_replace (const char *path, const char *data, gsize length, const char *scene,
                             const char *const *files, GError **error);
/* Whether what an option has written as the run goes on is not @scene, the file that was given, of
 * which the run itself does not know where it is a script; @path: NULL: the option was not given.
 */
gboolean cli_output_spares (const char *option, const char *path, const char *scene,
                            GError **error);

/* --- log.c --- */

/* Prints what libraries log, in MORSE's format; quiet leaves warnings and errors. */
void cli_log_start (gboolean quiet);
/* Nothing is logged until it is taken back. */
void cli_log_mute (gboolean mute);
/* A line `[TEXT]`, which tools that start simulators wait for; above what begins an empty one. */
void cli_log_begin (const char *text);
void cli_log_end (const char *text);
/* Ports that the log told of: of the services, of the clock's synchronisation; 0: none. */
guint cli_log_get_services_port (void);
guint cli_log_get_sync_port (void);

/* Whether the log told of a scene of MORSE, or MORSE's command started this program. */
gboolean cli_log_is_of_morse (void);

/* Warnings and errors that were logged so far. */
guint cli_log_get_n_warnings (void);
/* The first of them, "" if there was none. */
const char *cli_log_get_first_warning (void);

/* The option of commands that set a scene up, and its value, s. */
#define CLI_READ_LIMIT_ENTRY                                                                       \
  {                                                                                                \
    "read-limit", 0, 0, G_OPTION_ARG_CALLBACK, (gpointer) cli_take_read_limit,                     \
        "How long reading one model may take, seconds of processor time; 10", "SECONDS"            \
  }
gboolean cli_take_read_limit (const char *option, const char *value, gpointer data, GError **error);
guint cli_get_read_limit (void);
/* --- builder.c --- */

/* The option of all commands that run a builder script. */
#define CLI_DEBUG_ENTRY                                                                            \
  {                                                                                                \
    "debug", 0, 0, G_OPTION_ARG_NONE, &cli_debug,                                                  \
        "Show Python's traceback where a builder script fails", NULL                               \
  }
extern gboolean cli_debug;
/* Whether a script that was run for a scene in @directory, and failed, is one of MORSE's. */
gboolean cli_builder_is_of_morse (const char *directory);

/* --- settings.c --- */

/* --set, on the commands that load a scene. */
#define CLI_SET_ENTRY(settings)                                                                    \
  {                                                                                                \
    "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, settings,                                              \
        "Use this value in place of the scene's: PART.PROPERTY=JSON, PART.PROPERTY[0]=JSON for a " \
        "member of a list, seed=N or simulation.KEY=JSON; may be given several times",             \
        "PATH=VALUE"                                                                               \
  }
/* Gives them to the options of a run; %FALSE after saying which is no setting.
 * @settings: (nullable) */
gboolean cli_settings_add (const char *command, OrreryOptions *options, char **settings);
/* The index of PART.PROPERTY[2], a path that was parsed before, which is cut off; -1: there is
 * none. */
gint64 cli_cut_index (char *path);

/* --- metrics.c --- */

typedef struct _CliMetrics CliMetrics;
#define CLI_METRIC_ENTRY(metrics)                                                                  \
  {                                                                                                \
    "metric", 0, 0, G_OPTION_ARG_STRING_ARRAY, metrics,                                            \
        "At the end tell what this expression over fields has come to; may be given several "      \
        "times",                                                                                   \
        "NAME=EXPRESSION"                                                                          \
  }
CliMetrics *cli_metrics_new (void);
/* After the simulation. */
void cli_metrics_free (CliMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliMetrics, cli_metrics_free)
/* Returns: (transfer full): NAME */
char *cli_metric_cut_name (const char *text);
/* Whether all are NAME=...; if not, that is said. @given: (nullable) */
gboolean cli_metrics_check (const char *command, char **given);
/* Compiles them for a scene, without more. */
gboolean cli_metrics_compile (CliMetrics *metrics, OrrerySimulation *simulation, char **given,
                              GError **error);
/* Has them evaluated after each tick, until another scene is loaded. A reset begins them anew. */
gboolean cli_metrics_add (CliMetrics *metrics, OrrerySimulation *simulation, char **given,
                          GError **error);
/* Returns: (transfer floating): what they know of the ticks so far */
GVariant *cli_metrics_save (CliMetrics *metrics);
/* Goes on from there after the next tick; FALSE: they are others. */
gboolean cli_metrics_restore (CliMetrics *metrics, GVariant *state);
/* Prints them. Returns: (transfer full): @report (transfer full) with them */
GVariant *cli_metrics_report (CliMetrics *metrics, GVariant *report);

/* --- checkpoint.c: runs that go on from where they were --- */

/* Runs @n_ticks (0: without an end), in all, with a state in a file after each @seconds of
 * simulated time. If the file is there, it goes on from it. The file is removed at the end, and
 * kept if a signal ends the run. */
gboolean cli_checkpoint_run (OrrerySimulation *simulation, CliMetrics *metrics, const char *file,
                             double seconds, guint64 n_ticks, GError **error);

/* --- strict.c --- */

/* The option of all commands that set a scene up. */
#define CLI_STRICT_ENTRY(strict)                                                                   \
  {                                                                                                \
    "strict", 0, 0, G_OPTION_ARG_NONE, strict,                                                     \
        "Fail if there is a warning before the first tick (65), or if a step fails (70)", NULL     \
  }
void cli_strict_set (gboolean strict);
gboolean cli_strict_get (void);
/* An OrreryReadyFunc: the same before anything is opened. */
gboolean cli_strict_allow (gpointer user_data, GError **error);
/* CLI_CONFIG, after saying why, if something warned and --strict was given; else CLI_OK. */
int cli_strict_judge_setup (void);
/* CLI_INTERNAL, after saying why, also in @message, if a step failed and --strict was given; else
 * `status`. */
int cli_strict_judge_run (GVariant *report, int status, char **message);

/* --- control.c: a thread that handles signals and shows the progress of the run --- */

void cli_control_start (void);
/* Opens standard files that were closed, as /dev/null. Ends the program at once if the system gives
 * it fewer descriptors than it cannot do without. */
void cli_check_system (void);
/* From now on a signal stops this simulation; %NULL: no longer. */
void cli_control_set_simulation (OrrerySimulation *simulation);
/* Shows ticks and time in the status line; `goal` is the number of ticks to run, 0 if open. */
void cli_control_show_progress (guint64 goal);
/* Ends the program where a run has not ended some time after its limit in real time; 0: none. */
void cli_control_limit_wall (double seconds);
/* A child that is killed where the program has to end at once; 0: none. */
void cli_control_set_child (GPid child);
/* Cancelled by the first signal. */
GCancellable *cli_control_get_cancellable (void);
/* Waits so long at most for a signal, or until the descriptor can be read.
 * @fd: -1: none. @ms: -1: for ever */
void cli_control_await (int fd, int ms);
/* Returns when a signal comes that asks to end, which is all that is left to do. */
void cli_control_await_end (void);
/* 130 or 143 after a signal, else `otherwise`. */
int cli_control_get_exit_code (int otherwise);

/* --- interpreter.c: the same program in Python, where a class of the scene is in Python --- */

/* Sets the environment in which an interpreter finds our modules; @typelib: the typelib, too. */
void cli_python_prepare (gboolean typelib);
gboolean cli_python_is_needed (OrreryRegistry *registry);
/* Does not return, but with the exit code where there is no Python. `temporary`: the
 * directory that the builder wrote, "" if none did, NULL for commands without a scene. */
int cli_python_continue (const char *command, const char *temporary);

/* --- scene.c: whatever the user named becomes a scene that can be loaded --- */

typedef struct {
  char *path;
  char *temporary;
} CliScene;

/* Runs the builder if `file` is a script; returns 0, or an exit code after saying why. `continued`:
 * NULL, or what --continue says: the directory that the builder wrote before this program went on
 * in Python, "" where there was none to run. */
int cli_scene_open (CliScene *scene, OrreryRegistry *registry, const char *file, char **arguments,
                    const char *continued);
void cli_scene_clear (CliScene *scene);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliScene, cli_scene_clear)

/* Runs a builder script; returns 0, or an exit code after saying why. `with_origins`: writes beside
 * the scene what cli_map_places() and cli_python_add_paths() read. */
int cli_builder_run (OrreryRegistry *registry, const char *script, const char *directory,
                     gboolean with_origins, char **arguments);
/* Has Python find what a script that was built in @directory has put on its path. */
void cli_python_add_paths (const char *directory);
/* A registry with further directories in front; %NULL after saying why, with the exit code. */
OrreryRegistry *cli_registry_new (char **directories, int *status);

/* --- model.c --- */

/* Whether an importer reads such a file: a robot, a mesh, an environment. */
gboolean cli_model_is (OrreryRegistry *registry, const char *file);
/* Puts it on an empty floor; returns 0, or an exit code after saying why. */
int cli_model_open (CliScene *scene, OrreryRegistry *registry, const char *file);

/* --- temporary.c: the one directory that does not outlive the program, however that ends --- */

/* Returns its path, to be freed. */
char *cli_temporary_make (GError **error);
/* Nothing happens if there is none. Any thread. */
void cli_temporary_remove (void);
/* For the program that takes the place of this one, which says cli_temporary_adopt(); %FALSE: that
 * is no directory of ours. */
void cli_temporary_hand_over (void);
gboolean cli_temporary_adopt (const char *path);

/* --- record.c --- */

/* How a run is recorded. */
typedef struct {
  char *file;    /* (nullable): it is not */
  char *only;    /* (nullable): --record-only */
  gboolean full; /* --record-full */
} CliRecord;

#define CLI_RECORD_ONLY_ENTRY(record)                                                              \
  {                                                                                                \
    "record-only", 0, 0, G_OPTION_ARG_STRING, &(record)->only,                                     \
        "With --record: only what a replay needs, without records and poses", "inputs"             \
  }
#define CLI_RECORD_FULL_ENTRY(record)                                                              \
  {                                                                                                \
    "record-full", 0, 0, G_OPTION_ARG_NONE, &(record)->full,                                       \
        "With --record: ranges with all digits, and the points of scans", NULL                     \
  }
/* Whether the options fit; if not, that is said. */
gboolean cli_record_check (const char *command, const CliRecord *record);
/* @waits: a run that is faster than its recorder waits for it */
gboolean cli_record (OrrerySimulation *simulation, const CliRecord *record, gboolean waits,
                     GError **error);
/* What the options mean, as properties of a recorder. */
void cli_record_add_properties (const CliRecord *record, GVariantBuilder *properties);
/* Has it drawn, as orrery.observers.film.Film does; @path: NULL: not. */
gboolean cli_film (OrrerySimulation *simulation, const char *path, GError **error);
gboolean cli_film_add (OrrerySimulation *simulation, GVariant *properties, GError **error);
/* Has a page written that plays it, as orrery.middleware.viewer.Page does; @path: NULL: not. @file:
 * what the user ran. */
gboolean cli_page (OrrerySimulation *simulation, const char *path, const char *file,
                   GError **error);
/* Whether the name is one of a page; if not, that is said. */
gboolean cli_page_check (const char *command, const char *path);

/* --- report.c --- */

void cli_report_print (GVariant *report, gboolean brief);

/* --- result.c --- */

/* Exit code, error and report of a run as JSON; report, message and the files that it was read from
 * may be NULL. */
gboolean cli_result_write (const char *path, const char *scene, const char *const *files,
                           GVariant *report, int status, const char *message, GError **error);
/* A new result in the current directory is not waited for until it is on the disk: for those who
 * take one that a failure of the machine has cut for none. */
void cli_result_leave_unsynced (void);
/* From now on cli_result_write_fault() writes a result to @path; %NULL, or a result that was
 * written: it writes none. */
void cli_result_prepare (const char *path, const char *scene);
/* Async-signal-safe. */
void cli_result_write_fault (int status, const char *message);

/* --- table.c: lines in columns, for people --- */

typedef struct _CliTable CliTable;
/* The column @bold is bold on a terminal; -1: none is. */
CliTable *cli_table_new (int bold);
void cli_table_free (CliTable *table);
/* A row, of any number of texts; they may come from outside. */
void cli_table_add (CliTable *table, const char *cell, ...) G_GNUC_NULL_TERMINATED;
/* Each row on a line of its own, after @indent, on the standard output; on a terminal the last cell
 * goes on below itself. */
void cli_table_print (CliTable *table, const char *indent);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliTable, cli_table_free)
/* Returns: (transfer full): a text broken at blanks into lines of at most @width columns, each
 * after
 * @indent blanks and ended by a line break; what is not to be broken is longer */
char *cli_wrap (const char *text, guint indent, guint width);
/* A cell of a line of CSV, in quotes where it needs them. */
void cli_append_csv (GString *text, const char *cell);

/* --- describe.c --- */

/* The text of a key; "" if there is none. */
const char *cli_node_get_text (OrreryNode *dict, const char *key);
/* Returns: (transfer full): a value as people write it in a line: 0.05, not what the nearest double
 * is */
char *cli_print_node (OrreryNode *node);
/* Prints one of the classes that orrery_registry_describe() tells of. */
void cli_describe_class (OrreryNode *class);

/* --- observers.c --- */

/* @given: (nullable) (array zero-terminated=1): classpaths, each with a JSON object of properties
 * behind a space, or without */
gboolean cli_observers_add (OrrerySimulation *simulation, char **given, GError **error);

/* --- mapping.c --- */

/* Prints which messages a codec makes or takes, and of what, if its mapping is data. */
void cli_describe_mapping (OrreryNode *class);

/* --- view.c: the page of a run --- */

typedef struct {
  gboolean on;
  gboolean stay;
  gboolean open;
  gboolean control;
  char *port_text; /* (nullable) */
  char **origins;  /* (nullable) (array zero-terminated=1): more of them */
} CliView;

#define CLI_VIEW_ENTRIES(view)                                                                     \
  { "view",      0,                                                                                \
    0,           G_OPTION_ARG_NONE,                                                                \
    &(view)->on, "Serve a page that shows the run, at the address that the log names",             \
    NULL },                                                                                        \
      { "view-port",                                                                               \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_STRING,                                                                       \
        &(view)->port_text,                                                                        \
        "The port of the page; 8765, or the first free one up to 8774, if not given; 0: any",      \
        "N" },                                                                                     \
      { "view-origin",                                                                             \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_STRING_ARRAY,                                                                 \
        &(view)->origins,                                                                          \
        "A page of another machine that may connect, too; may be given several times",             \
        "https://HOST" },                                                                          \
      { "open",                                                                                    \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_NONE,                                                                         \
        &(view)->open,                                                                             \
        "With --view: open the page in your browser",                                              \
        NULL },                                                                                    \
  {                                                                                                \
    "stay", 0, 0, G_OPTION_ARG_NONE, &(view)->stay,                                                \
        "With --view: keep the page when the run has ended, until Ctrl-C", NULL                    \
  }
#define CLI_CONTROL_ENTRY(view)                                                                    \
  {                                                                                                \
    "control", 0, 0, G_OPTION_ARG_NONE, &(view)->control,                                          \
        "--view whose page may also command the run, at an address that only the log names", NULL  \
  }
/* Whether the options fit; if not, that is said. @hidden: the log does not name the address;
 * @allow_users: (nullable): others who may connect */
gboolean cli_view_check (CliView *view, gboolean offline, gboolean hidden, const char *allow_users);
/* Before the load: by what means clients command the run. */
void cli_view_prepare (const CliView *view, OrreryRegistry *registry, OrreryOptions *options);
/* @file: what the user ran; nothing is added without --view */
gboolean cli_view_add (const CliView *view, OrrerySimulation *simulation, const char *file,
                       const char *allow_users, const char *token_file, GError **error);
/* With --stay, returns when a signal comes, which then does not count for the exit code. */
void cli_view_stay (const CliView *view, OrrerySimulation *simulation);

/* --- demo.c: a client of the running simulation, over its sockets --- */

typedef struct _CliDemo CliDemo;
CliDemo *cli_demo_start (void);
void cli_demo_stop (CliDemo *demo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliDemo, cli_demo_stop)
