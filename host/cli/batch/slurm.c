/* SPDX-License-Identifier: BSD-3-Clause */
/* Has an array job of Slurm do the runs: this command queues it, and waits for its end. */
#include "batch.h"

#include "../support/cli.h"

#include <string.h>

#define POLL_MS 2000
/* Commands of Slurm try for long to reach a controller that has gone. */
#define PATIENCE "timeout", "20"
#define MAX_ID 20
/* Of the tasks that are named at a time, bytes. */
#define MAX_LIST 4000
/* Words of sbatch and scontrol before what is of this job. */
#define N_FIXED 4

typedef enum { IN_QUEUE, ENDED, NO_ANSWER } State;

/* "17" or "17;cluster". */
static char *
cut_id (const char *text, GError **error)
{
  gsize n = strspn (text, "0123456789");

  if (n > 0 && n <= MAX_ID && (text[n] == '\n' || text[n] == ';' || text[n] == '\0'))
    return g_strndup (text, n);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "sbatch named no job, but '%.40s'", text);
  return NULL;
}

/* Returns: (transfer full) (nullable): the number of the job */
static char *
submit (Batch *batch, GError **error)
{
  g_autofree char *found = g_find_program_in_path ("sbatch");
  g_autofree char *path = NULL, *list = NULL, *tasks = NULL, *out = NULL, *err = NULL;
  const char *argv[] = { PATIENCE, "sbatch", "--parsable", NULL, NULL, NULL };

  if (found == NULL) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                      "--engine slurm: there is no program sbatch here (Debian: the package "
                      "slurm-client)");
    return NULL;
  }
  path = batch_job_write (batch, error);
  if (path == NULL)
    return NULL;
  list = batch_job_list_tasks (batch);
  tasks = g_strconcat ("--array=", list, NULL);
  argv[N_FIXED] = tasks;
  argv[N_FIXED + 1] = path;
  if (batch_remote_ask (argv, cli_control_get_cancellable (), &out, &err, error))
    return cut_id (out, error);
  g_prefix_error (error, "--engine slurm: ");
  return NULL;
}

/* Slurm lets a task that is queued again wait for two minutes. @queue: lines of "17_3 REASON" */
static void
hasten (const char *queue)
{
  g_auto (GStrv) lines = g_strsplit (queue, "\n", -1);
  g_autoptr (GString) job = g_string_new ("JobId=");
  const char *argv[] = { PATIENCE, "scontrol", "update", NULL, "StartTime=now", NULL };
  g_autofree char *out = NULL, *err = NULL;
  gsize empty = job->len;

  for (char **line = lines; *line != NULL && job->len < MAX_LIST; line++) {
    gsize n = strspn (*line, "0123456789_");

    if (n > 0 && n < MAX_LIST && g_str_equal (*line + n, " BeginTime"))
      g_string_append_printf (job, "%s%.*s", job->len > empty ? "," : "", (int) n, *line);
  }
  argv[N_FIXED] = job->str;
  /* If it cannot be done, they wait. */
  if (job->len > empty)
    batch_remote_ask (argv, cli_control_get_cancellable (), &out, &err, NULL);
}

static State
ask_queue (const char *id)
{
  const char *argv[] = { PATIENCE, "squeue", "--noheader", "--format=%i %r", "--jobs", id, NULL };
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;

  if (batch_remote_ask (argv, cli_control_get_cancellable (), &out, &err, &error)) {
    hasten (out);
    return *g_strstrip (out) != '\0' ? IN_QUEUE : ENDED;
  }
  /* It has ended so long ago that nobody knows it any more. */
  return err != NULL && strstr (err, "Invalid job id") != NULL ? ENDED : NO_ANSWER;
}

static void
cancel (const char *id)
{
  const char *argv[] = { PATIENCE, "scancel", id, NULL };
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;

  if (!batch_remote_ask (argv, NULL, &out, &err, &error))
    g_warning ("the tasks of job %s go on: scancel: %s", id, error->message);
}

static void
wait_for_job (Batch *batch, const char *id)
{
  gint64 latest = g_get_monotonic_time ();

  for (;;) {
    State state = ask_queue (id);
    gint64 now = g_get_monotonic_time ();

    if (g_cancellable_is_cancelled (cli_control_get_cancellable ())) {
      cancel (id);
      return;
    }
    batch_remote_look (batch);
    if (state == ENDED || (state == NO_ANSWER && batch->n_done == batch->end))
      return;
    if (state == IN_QUEUE)
      latest = now;
    if ((double) (now - latest) * 1e-6 >= batch->options->claim_timeout) {
      orrery_set_error (&batch->error, ORRERY_ERROR_NOT_FOUND,
                        "--engine slurm: Slurm has not answered for %.0f s; tasks of job %s that "
                        "go on are not lost: when it is back, the same command does the rest",
                        (double) (now - latest) * 1e-6, id);
      return;
    }
    cli_control_await (-1, POLL_MS);
  }
}

void
batch_slurm_run (Batch *batch)
{
  g_autofree char *id = submit (batch, &batch->error);

  if (id == NULL)
    return;
  printf ("job %s\n", id);
  fflush (stdout);
  wait_for_job (batch, id);
}
