/* SPDX-License-Identifier: BSD-3-Clause */
/* --engine dask:ADDRESS: a client in Python gives the tasks to the workers of a cluster. */
#include "batch.h"

#include "../support/cli.h"

#include <signal.h>

#define LOOK_MS 2000

/* Returns: (transfer full): the command line of the client; that of a task is its end */
static GPtrArray *
make_client (Batch *batch)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) task = batch_make_task (batch);
  char timeout[G_ASCII_DTOSTR_BUF_SIZE];

  g_ptr_array_add (argv, g_strdup (batch->program));
  g_ptr_array_add (argv, g_strdup ("python"));
  g_ptr_array_add (argv, g_strdup ("-m"));
  g_ptr_array_add (argv, g_strdup ("orrery._batch_dask"));
  g_ptr_array_add (argv, g_strdup (batch->options->address));
  g_ptr_array_add (argv, g_strdup (g_ascii_dtostr (timeout, sizeof timeout,
                                                   batch->options->claim_timeout)));
  g_ptr_array_add (argv, batch_job_list_tasks (batch));
  g_ptr_array_add (argv, g_strdup_printf ("%" G_GUINT64_FORMAT, batch_job_get_n_tasks (batch)));
  for (guint i = 0; i < task->len; i++)
    g_ptr_array_add (argv, g_strdup (task->pdata[i]));
  g_ptr_array_add (argv, NULL);
  return argv;
}

static void
on_end (GObject *child, GAsyncResult *result, gpointer user_data)
{
  g_subprocess_wait_finish (G_SUBPROCESS (child), result, NULL);
  g_main_loop_quit (user_data);
}

static gboolean
on_look (gpointer user_data)
{
  batch_remote_look (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_subprocess_send_signal (user_data, SIGTERM);
  return G_SOURCE_REMOVE;
}

static void
wait_for_client (Batch *batch, GSubprocess *child)
{
  g_autoptr (GSource) cancelled = g_cancellable_source_new (cli_control_get_cancellable ());
  guint timer = g_timeout_add (LOOK_MS, on_look, batch);

  g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), child, NULL);
  g_source_attach (cancelled, NULL);
  g_subprocess_wait_async (child, NULL, on_end, batch->loop);
  g_main_loop_run (batch->loop);
  g_source_destroy (cancelled);
  g_source_remove (timer);
}

void
batch_dask_run (Batch *batch)
{
  g_autoptr (GPtrArray) argv = make_client (batch);
  g_autoptr (GSubprocess) child =
      g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE, &batch->error);
  int status;

  if (child == NULL)
    return;
  wait_for_client (batch, child);
  batch_remote_look (batch);
  status = g_subprocess_get_if_exited (child) ? g_subprocess_get_exit_status (child) : CLI_INTERNAL;
  if (status == CLI_OK || g_cancellable_is_cancelled (cli_control_get_cancellable ()))
    return;
  /* The client has said why. */
  orrery_set_error (&batch->error, status == CLI_MISSING ? ORRERY_ERROR_NOT_FOUND : ORRERY_ERROR_IO,
                    "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs are done", batch->n_done,
                    batch->end);
}
