/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What `orrery batch` is made of. */

#include <gio/gio.h>
#include <orrery.h>
#include <sys/resource.h>

#define BATCH_MAX_RUNS 1000000

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
  gboolean latin;
  gboolean slurm;
  gboolean online;
  gboolean record;
  gboolean strict;
  guint64 n_runs; /* of each point of sweeps and cases */
  guint64 n_jobs;
  guint64 seed;
  guint64 only;
} BatchOptions;

/* What varies from run to run, see plan.h. */
typedef struct _BatchPlan BatchPlan;

/* All runs: those that are to come, those that go on, those that are over. */
typedef struct {
  const BatchOptions *options;
  BatchPlan *plan;
  char *program; /* this one */
  char *scene;   /* built once, for all of them */
  guint64 next;
  guint64 end;
  guint n_failed;
  guint n_skipped;
  guint64 n_done;
  GPtrArray *going; /* what runs.c knows of those that go on */
  char **cells;     /* (nullable) items: what results.csv says of each run that has a result */
  const char *host; /* name of this machine */
  GMainLoop *loop;
  GError *error; /* no further run can be started */
} Batch;

/* --- options.c --- */

/* FALSE after saying what is wrong. */
gboolean batch_options_parse (BatchOptions *options, int *argc, char ***argv);
/* An exit code, after saying why. */
int batch_options_plan (BatchOptions *options, BatchPlan **plan);

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

/* --- tries.c: what each try of a run cost; a line of DIR/run-K/tries.csv --- */

/* @status: of wait(); @usage: (nullable); @wall: s */
void batch_try_note (Batch *batch, guint64 index, int status, const struct rusage *usage,
                     double wall);
/* Returns: (transfer full) (nullable): what runs.csv says of it behind its number; NULL: it was
 * never tried */
char *batch_tries_print (Batch *batch, guint64 index);

/* --- tables.c: results.csv and runs.csv --- */

/* An exit code, after saying why. */
int batch_write_tables (Batch *batch);

/* --- runs.c: all runs --- */

/* Returns: the exit code of the program */
int batch_run_all (Batch *batch);

/* --- job.c: Slurm --- */

int batch_write_job (Batch *batch);
