/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery batch`: runs one scene many times, in several processes. */
#include "batch/batch.h"
#include "commands.h"
#include "support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>

/* Every run would refuse what is no setting. */
static gboolean
check_settings (const BatchOptions *options)
{
  g_autoptr (OrreryOptions) tried = orrery_options_new ();

  return cli_settings_add ("batch", tried, options->settings);
}

static char *
find_program (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &error);

  return path != NULL ? path : g_strdup ("orrery");
}

static int
do_runs (Batch *batch)
{
  if (batch->options->slurm)
    return batch_write_job (batch);
  if (batch->options->engine == BATCH_SLURM)
    return batch_remote_run (batch, batch_slurm_run);
  if (batch->options->engine == BATCH_DASK)
    return batch_remote_run (batch, batch_dask_run);
  return batch_run_all (batch);
}

/* The directory becomes this command's, or one of those that it shares. */
static int
open_directory (Batch *batch, BatchOptions *options)
{
  g_autofree char *directory = NULL;
  int status;

  if (g_mkdir_with_parents (options->directory, 0777) != 0) {
    fprintf (stderr, "orrery batch: %s: %s\n", options->directory, g_strerror (errno));
    return CLI_IO;
  }
  directory = g_canonicalize_filename (options->directory, NULL);
  g_free (options->directory);
  options->directory = g_steal_pointer (&directory);
  batch->program = find_program ();
  status = batch_lock (batch);
  return status == CLI_OK && batch_engine_is_shared (options) ? batch_shared_open (batch) : status;
}

static int
run_batch (Batch *batch, const char *scene, char **arguments)
{
  int status;

  /* From then on there are threads. */
  batch_launcher_start (batch);
  cli_strict_set (batch->options->strict);
  cli_log_start (TRUE);
  cli_control_start ();
  status = batch_find_scene (batch, scene, arguments);
  if (status == CLI_OK)
    status = do_runs (batch);
  batch_launcher_close (batch);
  return status;
}

int
cli_batch (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  static BatchOptions options;
  Batch batch = { .options = &options, .lock = -1, .alive = -1 };
  int status;

  if (!batch_options_parse (&options, &argc, &argv))
    return CLI_USAGE;
  if (!check_settings (&options))
    return CLI_USAGE;
  status = batch_options_plan (&options, &batch.plan);
  if (status == CLI_OK)
    status = open_directory (&batch, &options);
  if (status == CLI_OK)
    status = run_batch (&batch, argv[0], arguments);
  batch_shared_close (&batch);
  g_clear_error (&batch.error);
  g_clear_pointer (&batch.plan, batch_plan_free);
  g_clear_pointer (&batch.program, g_free);
  g_clear_pointer (&batch.scene, g_free);
  return status;
}
