/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch as tasks, each of which does one block of runs; those of Slurm as a script. */
#include "batch.h"

#include "../support/cli.h"

#include <string.h>

/* MaxArraySize of Slurm is 1001 if nobody has set it. */
#define MAX_TASKS 1000
/* How often a task that was ended from outside is queued again. */
#define REQUEUES 10

/* --- the command line of a task --- */

static void
add (GPtrArray *argv, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (argv, g_strdup (name));
  g_ptr_array_add (argv, g_strdup (value));
}

static void
add_flag (GPtrArray *argv, const char *name, gboolean is_set)
{
  if (is_set)
    g_ptr_array_add (argv, g_strdup (name));
}

static void
add_all (GPtrArray *argv, const char *name, char **values)
{
  for (char **each = values; each != NULL && *each != NULL; each++)
    add (argv, name, *each);
}

/* A task has another working directory. */
static void
add_file (GPtrArray *argv, const char *name, const char *path)
{
  g_autofree char *full = path != NULL ? g_canonicalize_filename (path, NULL) : NULL;

  add (argv, name, full);
}

static void
add_number (GPtrArray *argv, const char *name, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  add (argv, name, text);
}

GPtrArray *
batch_make_task (Batch *batch)
{
  const BatchOptions *options = batch->options;
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (argv, g_strdup (batch->program));
  g_ptr_array_add (argv, g_strdup ("batch"));
  g_ptr_array_add (argv, g_strdup (batch->scene));
  add (argv, "--engine", "shared");
  add (argv, "--jobs", options->jobs_text != NULL ? options->jobs_text : "1");
  add_number (argv, "--block", batch_job_get_block (batch));
  add (argv, "--claim-timeout", options->claim_text);
  add (argv, "--runs", options->runs_text);
  add_file (argv, "--out", options->directory);
  add (argv, "--seed", options->seed_text);
  add (argv, "--for", options->duration_text);
  add (argv, "--ticks", options->ticks_text);
  add (argv, "--start", options->start_text);
  add_flag (argv, "--online", options->online);
  add_flag (argv, "--strict", options->strict);
  add_flag (argv, "--record", options->recorded);
  add (argv, "--record-only", options->record.only);
  add_flag (argv, "--record-full", options->record.full);
  add_flag (argv, "--latin", options->latin);
  add_all (argv, "--set", options->settings);
  add_all (argv, "--sweep", options->sweeps);
  add_all (argv, "--draw", options->draws);
  add_all (argv, "--metric", options->metrics);
  add_file (argv, "--cases", options->cases);
  add (argv, "--checkpoint-every", options->checkpoint_text);
  add (argv, "--retries", options->retries_text);
  add (argv, "--time-limit", options->time_limit_text);
  add (argv, "--memory-limit", options->memory_limit_text);
  add_number (argv, "--read-limit", cli_get_read_limit ());
  for (char **each = options->plugin_dirs; each != NULL && *each != NULL; each++)
    add_file (argv, "--plugin-dir", *each);
  return argv;
}

/* --- how many there are --- */

guint64
batch_job_get_block (Batch *batch)
{
  guint64 n_runs = batch_plan_get_n_runs (batch->plan);

  return MAX (batch->options->block, (n_runs + MAX_TASKS - 1) / MAX_TASKS);
}

guint64
batch_job_get_n_tasks (Batch *batch)
{
  guint64 block = batch_job_get_block (batch);

  return (batch_plan_get_n_runs (batch->plan) + block - 1) / block;
}

/* Whether a run of it has no result that was seen. */
static gboolean
needs_task (Batch *batch, guint64 task)
{
  guint64 block = batch_job_get_block (batch);
  guint64 end = MIN ((task + 1) * block, batch_plan_get_n_runs (batch->plan));

  for (guint64 run = task * block; run < end; run++)
    if (batch->cells[run] == NULL)
      return TRUE;
  return FALSE;
}

char *
batch_job_list_tasks (Batch *batch)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint64 n = batch_job_get_n_tasks (batch);

  for (guint64 task = 0; task < n; task++) {
    guint64 last = task;

    if (!needs_task (batch, task))
      continue;
    while (last + 1 < n && needs_task (batch, last + 1))
      last++;
    g_string_append_printf (list, "%s%" G_GUINT64_FORMAT, list->len > 0 ? "," : "", task);
    if (last > task)
      g_string_append_printf (list, "-%" G_GUINT64_FORMAT, last);
    task = last;
  }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* --- the script of Slurm --- */

static void
append_word (GString *text, const char *word)
{
  gboolean is_name = g_str_has_prefix (word, "--");
  g_autofree char *quoted = g_shell_quote (word);

  for (const char *c = word; *c != '\0'; c++)
    is_name = is_name && (g_ascii_islower (*c) || *c == '-');
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", is_name ? word : quoted);
}

/* What stands in a line of options is no shell's word: neither quotes nor patterns are possible. */
static gboolean
is_plain (const char *path)
{
  for (const char *c = path; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("/._-+", *c) == NULL)
      return FALSE;
  return TRUE;
}

static char *
make_script (Batch *batch)
{
  const BatchOptions *options = batch->options;
  g_autofree char *logs = g_build_filename (options->directory, "tasks", NULL);
  g_autoptr (GPtrArray) argv = batch_make_task (batch);
  g_autoptr (GString) command = g_string_new (NULL);
  g_autofree char *output =
      is_plain (logs) ? g_strdup_printf ("#SBATCH --output=%s/%%a.txt --open-mode=append\n", logs)
                      : g_strdup ("");

  for (guint i = 0; i < argv->len; i++)
    append_word (command, argv->pdata[i]);
  return g_strdup_printf (
      "#!/bin/sh\n"
      "#SBATCH --job-name=orrery\n"
      "#SBATCH --array=0-%" G_GUINT64_FORMAT "\n"
      "#SBATCH --cpus-per-task=%s\n"
      "#SBATCH --requeue\n"
      "#SBATCH --signal=B:TERM@60\n"
      "%s"
      "# A task that is ended from outside is queued again, so often at most.\n"
      "requeues=%d\n"
      "%s --only \"$SLURM_ARRAY_TASK_ID/%" G_GUINT64_FORMAT "\" &\n"
      "task=$!\n"
      "trap 'kill -TERM \"$task\"' TERM\n"
      "wait \"$task\"\n"
      "code=$?\n"
      "# A signal ends the waiting, not the task.\n"
      "while kill -0 \"$task\" 2>/dev/null; do\n"
      "  wait \"$task\"\n"
      "  code=$?\n"
      "done\n"
      "case $code in\n"
      "75 | 137 | 143)\n"
      "  # One that was cancelled runs no longer.\n"
      "  if test \"${SLURM_RESTART_COUNT:-0}\" -lt \"$requeues\" && test -n \"${SLURM_JOB_ID-}\" "
      "&&\n"
      "    test \"$(squeue --noheader --format=%%T --jobs \"$SLURM_JOB_ID\")\" = RUNNING; then\n"
      "    scontrol requeue \"$SLURM_JOB_ID\"\n"
      "  fi\n"
      "  ;;\n"
      "esac\n"
      "exit \"$code\"\n",
      batch_job_get_n_tasks (batch) - 1, options->jobs_text != NULL ? options->jobs_text : "1",
      output, REQUEUES, command->str, batch_job_get_n_tasks (batch));
}

char *
batch_job_write (Batch *batch, GError **error)
{
  g_autofree char *path = g_build_filename (batch->options->directory, "job.sh", NULL);
  g_autofree char *logs = g_build_filename (batch->options->directory, "tasks", NULL);
  g_autofree char *text = make_script (batch);

  /* Slurm does not make it. */
  if (g_mkdir_with_parents (logs, 0777) != 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: it cannot be made", logs);
    return NULL;
  }
  if (!orrery_output_replace (path, text, (gssize) strlen (text),
                              &(OrreryOutputRules){ .mode = 0777 }, error))
    return NULL;
  return g_steal_pointer (&path);
}

int
batch_write_job (Batch *batch)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = batch_job_write (batch, &error);

  if (path == NULL)
    return cli_fail (error);
  printf ("sbatch %s\n", path);
  return CLI_OK;
}
