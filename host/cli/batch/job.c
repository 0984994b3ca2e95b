/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch as an array job of Slurm. */
#include "batch.h"

#include "../support/cli.h"

static void
append_quoted (GString *text, const char *name, const char *value)
{
  g_autofree char *quoted = value != NULL ? g_shell_quote (value) : NULL;

  if (quoted != NULL)
    g_string_append_printf (text, " %s %s", name, quoted);
}

static void
append_all (GString *text, const char *name, char **values)
{
  for (char **each = values; each != NULL && *each != NULL; each++)
    append_quoted (text, name, *each);
}

int
batch_write_job (Batch *batch)
{
  const BatchOptions *options = batch->options;
  g_autofree char *directory = g_canonicalize_filename (options->directory, NULL);
  g_autofree char *path = g_build_filename (directory, "job.sh", NULL);
  g_autofree char *cases =
      options->cases != NULL ? g_canonicalize_filename (options->cases, NULL) : NULL;
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
                          batch_plan_get_n_runs (batch->plan) - 1, program, scene);
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
  if (options->latin)
    g_string_append (text, " --latin");
  append_all (text, "--set", options->settings);
  append_all (text, "--sweep", options->sweeps);
  append_all (text, "--draw", options->draws);
  append_all (text, "--metric", options->metrics);
  append_quoted (text, "--cases", cases);
  append_quoted (text, "--checkpoint-every", options->checkpoint_text);
  append_quoted (text, "--retries", options->retries_text);
  append_quoted (text, "--time-limit", options->time_limit_text);
  append_quoted (text, "--memory-limit", options->memory_limit_text);
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
