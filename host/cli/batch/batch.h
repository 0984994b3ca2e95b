/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What `orrery batch` is made of. */

#include "../support/cli.h"

#include <sys/resource.h>

#define BATCH_MAX_RUNS 1000000
#define BATCH_MAX_BLOCK 10000
/* Of the lock, and of what tells that the command lives, in processes of runs. */
#define BATCH_LOCK_FD 3
#define BATCH_ALIVE_FD 4

/* Who does the runs. */
typedef enum {
  BATCH_LOCAL,  /* this command, alone */
  BATCH_SHARED, /* all commands on the directory */
  BATCH_MPI,    /* the same, started by mpirun */
  BATCH_SLURM,  /* tasks of Slurm, each a command of its own */
  BATCH_DASK,   /* those of Dask */
} BatchEngine;

/* The command line. The texts are as they were given. */
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
  char **sweeps;
  char **draws;
  char **metrics;
  char *cases;
  char *block_text;
  char *retries_text;
  char *time_limit_text;
  char *memory_limit_text;
  char *table_text;
  char *checkpoint_text;
  char *engine_text;
  char *claim_text;
  gboolean latin;
  gboolean slurm;
  gboolean online;
  gboolean recorded;
  CliRecord record;
  gboolean strict;
  guint64 n_runs; /* of each point of sweeps and cases */
  guint64 n_jobs;
  guint64 seed;
  guint64 first;        /* run, of those that --only leaves */
  guint64 end;          /* behind the last of them */
  guint64 block;        /* runs in one process */
  guint64 retries;      /* of a run that was killed from outside */
  double time_limit;    /* s; 0: none */
  double checkpoint;    /* s of simulated time; 0: none */
  guint64 memory_limit; /* bytes; 0: none */
  char **tables;        /* formats of results beside CSV */
  BatchEngine engine;
  const char *address; /* of a scheduler */
  guint64 rank;        /* of this command among n_ranks */
  guint64 n_ranks;
  double claim_timeout; /* s without a sign of life */
} BatchOptions;

/* What varies from run to run, see plan.h. */
typedef struct _BatchPlan BatchPlan;

/* The process that forks others for the runs. */
typedef struct _BatchLauncher BatchLauncher;

/* Which command does which runs. */
typedef struct _BatchClaims BatchClaims;
typedef struct _BatchShared BatchShared;

/* All runs: those that are to come, those that go on, those that are over. */
typedef struct {
  const BatchOptions *options;
  BatchPlan *plan;
  char *program; /* this one */
  char *scene;   /* built once, for all of them */
  guint64 first;
  guint64 next;
  guint64 end;
  guint n_failed;
  guint n_skipped;
  guint64 n_done;
  GPtrArray *going;        /* (element-type BatchProcess): those that go on */
  GArray *again;           /* (element-type guint64): what is to be done before `next` */
  GHashTable *retried;     /* (element-type guint64 guint): how often, of those that were killed */
  BatchLauncher *launcher; /* (nullable) */
  BatchShared *shared;     /* (nullable): there may be other commands on the directory */
  char **cells; /* (nullable) items: what results.csv says of each run that has a result */
  char **drawn; /* (nullable) items: the same of what the scene draws, with a comma before each */
  char **drawn_paths; /* (nullable): which paths these are, of the first result */
  const char *host;   /* name of this machine */
  int lock;           /* open file: this command has the directory */
  int alive;          /* open file: others see by it that this command lives; -1: there is none */
  gint64 began;       /* us */
  gint64 shown;       /* us: when the progress was told last */
  GMainLoop *loop;
  GError *error; /* no further run can be started */
} Batch;

/* A process that does one run, or a block of them one after the other. */
typedef struct {
  Batch *batch;
  guint64 *runs;
  guint n;
  guint at;          /* the one that goes on */
  GPid pid;          /* 0: it is not known yet */
  int pid_fd;        /* -1: the launcher tells of its end */
  guint ticket;      /* of the launcher */
  gint64 started;    /* us: the run that goes on */
  double cpu;        /* s: of the runs before */
  const char *cause; /* (nullable): why this program ended it */
} BatchProcess;

/* What a try of a run cost. */
typedef struct {
  double wall;    /* s */
  double cpu;     /* s, user and system; < 0: not known */
  guint64 memory; /* bytes: greatest resident set of the process */
} BatchCost;

/* --- options.c --- */

/* FALSE after saying what is wrong. */
gboolean batch_options_parse (BatchOptions *options, int *argc, char ***argv);
/* An exit code, after saying why. */
int batch_options_plan (BatchOptions *options, BatchPlan **plan);

/* --- engine.c: --engine --- */

/* FALSE after saying what is wrong. */
gboolean batch_engine_parse (BatchOptions *options);
/* Whether this command does runs of a directory on which others work, too. */
gboolean batch_engine_is_shared (const BatchOptions *options);
/* Whether it has other commands do the runs. */
gboolean batch_engine_is_remote (const BatchOptions *options);
/* Whether it divides the runs itself. */
gboolean batch_engine_divides (const BatchOptions *options);

/* --- plan.c: sweeps, cases and draws --- */

BatchPlan *batch_plan_new (const BatchOptions *options, GError **error);
void batch_plan_free (BatchPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchPlan, batch_plan_free)
guint64 batch_plan_get_n_runs (BatchPlan *plan);
guint batch_plan_get_n_paths (BatchPlan *plan);
const char *batch_plan_get_path (BatchPlan *plan, guint i);
/* Whether it is the path of the seeds. */
gboolean batch_plan_is_seed (BatchPlan *plan, guint i);
/* Returns: (transfer full): the value of a path in a run, as JSON */
char *batch_plan_print_value (BatchPlan *plan, guint i, guint64 run);
guint64 batch_plan_get_seed (BatchPlan *plan, guint64 run);

/* --- scene.c: the scene, once for all runs --- */

/* A script's scene is kept, so that the runs of a later command see the same.
 * Returns: an exit code, after saying why */
int batch_find_scene (Batch *batch, const char *file, char **arguments);

/* --- run.c: one run --- */

/* Whether the scene takes what the first and the last run set; an exit code, after saying why. */
int batch_check_values (Batch *batch);
/* Returns: (transfer full): where its files are */
char *batch_get_run_directory (Batch *batch, guint64 index);
/* Whether the result is there: of a run that ended, well or not. It is kept for the table. */
gboolean batch_find_result (Batch *batch, guint64 index, gboolean *failed);
gboolean batch_spawn_run (Batch *batch, guint64 index, GPid *pid, GError **error);
/* Returns: (transfer full): a descriptor, the log of a run in its directory, or -1 */
int batch_open_log (Batch *batch, guint64 index, GError **error);
/* Returns: (transfer full): the command line of a run */
GPtrArray *batch_make_command (Batch *batch, guint64 index);

/* --- server.c: the process that forks others, and what these do --- */

typedef enum {
  BATCH_READY,   /* of the server: from now on it forks */
  BATCH_STARTED, /* of the server: a process, `value` is its PID */
  BATCH_DONE,    /* of a process that goes on with the next of its runs; `value`: exit code */
  BATCH_ENDED,   /* of the server: a process; `value`: what wait() says */
  BATCH_START,   /* to the server: runs of a process, `value` of them, follow */
  BATCH_KILL,    /* to the server: `value` is the signal */
} BatchWord;

typedef struct {
  guint32 word;
  guint32 ticket;
  gint64 value;
  BatchCost cost; /* of DONE and ENDED; wall: of DONE */
} BatchMessage;

/* Serves until the other end of the socket is closed; does not return. The scene's path comes
 * first. Called in a process of one thread. */
void batch_serve (Batch *batch, int socket) G_GNUC_NORETURN;
double batch_get_cpu (const struct rusage *usage);

/* --- launcher.c: the processes of the runs --- */

/* Forks the server while the program has one thread; without effect for a few runs. */
void batch_launcher_start (Batch *batch);
/* Tells it of the scene. */
void batch_launcher_open (Batch *batch);
void batch_launcher_close (Batch *batch);
/* How many runs a process may do. */
guint64 batch_launcher_get_block (Batch *batch);
/* Starts a process for runs, which is then one of `batch->going`. @runs: (transfer full) */
void batch_process_start (Batch *batch, guint64 *runs, guint n);
void batch_process_kill (BatchProcess *process, int number);
void batch_process_free (BatchProcess *process);

/* --- limits.c: --time-limit and --memory-limit --- */

/* Watches the processes until the program ends. */
void batch_limits_watch (Batch *batch);

/* --- lock.c: one command at a time in a directory --- */

/* An exit code, after saying why. */
int batch_lock (Batch *batch);

/* --- claims.c: several commands in a directory --- */

/* In any thread. */
typedef void (*BatchClaimsLostFunc) (gpointer user_data);

/* Nothing is claimed yet. */
BatchClaims *batch_claims_open (const BatchOptions *options, GError **error);
/* Whether others have taken it for dead. Any thread. */
gboolean batch_claims_is_lost (BatchClaims *claims);
/* What is claimed stays so, of a command that is dead. */
void batch_claims_close (BatchClaims *claims);
/* Returns: an open file that processes of runs have to keep */
int batch_claims_get_fd (BatchClaims *claims);
/* Returns: how many runs a block has */
guint64 batch_claims_get_size (BatchClaims *claims);
/* Shows that this command lives, from now on. @on_lost: others hold it for dead, as after a long
 * pause of its machine */
void batch_claims_start_heart (BatchClaims *claims, BatchClaimsLostFunc on_lost,
                               gpointer user_data);
/* FALSE: another command has it, unless @error is set. */
gboolean batch_claims_take (BatchClaims *claims, guint64 block, GError **error);
void batch_claims_release (BatchClaims *claims, guint64 block);
/* Whether nobody has it. */
gboolean batch_claims_is_free (BatchClaims *claims, guint64 block);
/* No command need try the run again, but those that begin later. */
void batch_claims_give_up (BatchClaims *claims, guint64 run);
gboolean batch_claims_is_given_up (BatchClaims *claims, guint64 run);

/* --- shared.c: what this command does of the runs of all --- */

/* An exit code, after saying why. */
int batch_shared_open (Batch *batch);
/* Has the runs from `first` to `end` done. */
void batch_shared_begin (Batch *batch);
/* Frees the blocks that this command has. */
void batch_shared_close (Batch *batch);
/* Returns: (transfer full) (nullable) (element-type guint64): what is to be done next */
GArray *batch_shared_take (Batch *batch);
/* FALSE: there is nothing left that others do; else it is looked at again after a while. */
gboolean batch_shared_wait (Batch *batch);
/* A run of this command is over. @found: it has a result */
void batch_shared_settle (Batch *batch, guint64 run, gboolean found);
/* Finds out whether others hold this command for dead, which its heart does only now and then. */
void batch_shared_look (Batch *batch);
/* Whether that was found out. */
gboolean batch_shared_is_lost (Batch *batch);

/* --- tries.c: what each try of a run cost; a line of DIR/run-K/tries.csv --- */

/* @status: of wait(); @cause: (nullable): why this program ended it */
void batch_try_note (Batch *batch, guint64 index, int status, const char *cause,
                     const BatchCost *cost);
/* Returns: (transfer full) (nullable): what runs.csv says of it behind its number; NULL: it was
 * never tried */
char *batch_tries_print (Batch *batch, guint64 index);

/* --- arrays.c: results.npz and results.parquet --- */

/* "csv,npz,parquet" to the formats beside CSV. FALSE after saying what is wrong. */
gboolean batch_arrays_parse (BatchOptions *options);
/* Whether they can be written here; an exit code, after saying why not. */
int batch_arrays_check (Batch *batch);
int batch_arrays_write (Batch *batch);

/* --- tables.c: results.csv and runs.csv --- */

/* An exit code, after saying why. */
int batch_write_tables (Batch *batch);

/* --- report.c: report.html --- */

/* An exit code, after saying why. */
int batch_write_report (Batch *batch);

/* --- failures.c: why runs failed --- */

/* Appends a section that has them by cause. */
void batch_append_failures (GString *html, Batch *batch);

/* --- plots.c: pictures in SVG --- */

/* Values that are not finite are left out. */
void batch_plot_histogram (GString *html, const char *name, const double *values, guint64 n);
void batch_plot_points (GString *html, const char *x_name, const char *y_name, const double *x,
                        const double *y, guint64 n);
void batch_append_escaped (GString *html, const char *text);
void batch_append_number (GString *html, double value);

/* --- runs.c: all runs --- */

/* Returns: the exit code of the program */
int batch_run_all (Batch *batch);
/* The parts of it that engines have which do no run themselves. */
void batch_set_up (Batch *batch);
int batch_finish (Batch *batch);
void batch_tear_down (Batch *batch);
/* Starts processes, as many as may go on at a time; the loop ends when nothing is left. */
void batch_fill (Batch *batch);
/* Ends all of them. @number: a signal */
void batch_stop (Batch *batch, int number);
/* The run of a process that goes on with the next one has ended. @status: of wait() */
void batch_note_done (BatchProcess *process, int status, const BatchCost *cost);
/* A process has ended, and is freed. */
void batch_note_ended (BatchProcess *process, int status, const BatchCost *cost);

/* --- progress.c --- */

void batch_show_progress (Batch *batch);

/* --- job.c: tasks --- */

/* Returns: (transfer full): the command line of a task, without --only */
GPtrArray *batch_make_task (Batch *batch);
/* How many runs a task does. */
guint64 batch_job_get_block (Batch *batch);
guint64 batch_job_get_n_tasks (Batch *batch);
/* Returns: (transfer full): those that have a run without a result, as "0,3-17" */
char *batch_job_list_tasks (Batch *batch);
/* Returns: (transfer full) (nullable): the path of the script for Slurm */
char *batch_job_write (Batch *batch, GError **error);
/* An exit code, after saying why. */
int batch_write_job (Batch *batch);

/* --- remote.c: batches that other commands do --- */

/* Does what has no result with @run, which may set `batch->error`.
 * Returns: the exit code of the program */
int batch_remote_run (Batch *batch, void (*run) (Batch *batch));
/* Looks for results that are new. */
void batch_remote_look (Batch *batch);
/* Runs a program for what it says. @out: what that is; @err: (out) (transfer full) (nullable) */
gboolean batch_remote_ask (const char *const *argv, GCancellable *cancellable, char **out,
                           char **err, GError **error);

/* Has tasks of Dask do the runs, and waits for them. */
void batch_dask_run (Batch *batch);

/* --- slurm.c --- */

/* Has an array job of Slurm do the runs, and waits for it. */
void batch_slurm_run (Batch *batch);
