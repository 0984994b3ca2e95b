/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes modules in child processes, a few at a time, so that a module that crashes or hangs
 * affects only itself. */
#include "base/orrery-error.h"
#include "base/orrery-monotonic-private.h"
#include "process/orrery-child-private.h"
#include "registry/orrery-inspect-private.h"
#include "registry/orrery-prefix-private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#define MAX_CHILDREN 4
#define MIN_CHILDREN 2
/* Files for one child. Its command line stays far below the limit of the system. */
#define MAX_BATCH 64
/* The time limit for one file, not for a child. */
#define TIME_LIMIT (5 * ORRERY_SECOND)
/* Time in which others have the processors does not count, up to so much for a child. */
#define MAX_WAIT (60 * ORRERY_SECOND)
#define MIN_WAIT (ORRERY_SECOND / 10)
#define MAX_LINE (4 * 1024 * 1024)

/* A child and the files that it was given: [first, end), of which those before next are done. */
typedef struct {
  guint first, next, end;
  OrreryChild *child; /* NULL: none runs */
  OrreryTime waited;  /* by so much its deadlines were put off */
  GString *output;    /* its output, without the lines that were taken */
} Job;

typedef struct {
  OrreryInspection *inspections;
  guint n, given; /* files before @given belong to a child or are done */
  guint batch;
  char **command;
  char **environment;
  Job jobs[MAX_CHILDREN];
  guint n_jobs;
} Pool;

void
orrery_inspection_clear (OrreryInspection *inspection)
{
  g_clear_pointer (&inspection->description, orrery_node_unref);
  g_clear_pointer (&inspection->error, g_free);
}

/* --- starting and ending a child --- */

static char **
make_arguments (Pool *pool, Job *job)
{
  GPtrArray *argv = g_ptr_array_new ();

  for (char **word = pool->command; *word != NULL; word++)
    g_ptr_array_add (argv, *word);
  for (guint i = job->next; i < job->end; i++) {
    g_ptr_array_add (argv, (gpointer) pool->inspections[i].module);
    g_ptr_array_add (argv, (gpointer) pool->inspections[i].file);
  }
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (argv, FALSE);
}

static OrreryChild *
create_child (Pool *pool, Job *job, GError **error)
{
  g_autofree char **argv = make_arguments (pool, job);
  const OrreryChildSpec spec = {
    .argv = (const char *const *) argv,
    .environment = (const char *const *) pool->environment,
    .flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP | ORRERY_CHILD_NO_CORE,
  };
  g_autoptr (OrreryChild) child = orrery_child_new (&spec, error);

  if (child == NULL || !orrery_child_start (child, error))
    return NULL;
  orrery_child_expect (child, TIME_LIMIT);
  return g_steal_pointer (&child);
}

/* Starts a child for the rest of its files. */
static void
start_job (Pool *pool, Job *job)
{
  g_autoptr (GError) error = NULL;

  job->child = create_child (pool, job, &error);
  job->first = job->next;
  job->waited = 0;
  g_string_truncate (job->output, 0);
  for (; job->child == NULL && job->next < job->end; job->next++)
    pool->inspections[job->next].error = g_strdup (error->message);
}

/* --- what a child writes --- */

static void
take_line (OrreryInspection *inspection, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (line, length, inspection->file, &error);
  OrreryNode *text;

  if (node == NULL || orrery_node_get_kind (node) != ORRERY_NODE_DICT) {
    inspection->error = g_strdup ("its description is no JSON");
    return;
  }
  text = orrery_node_find (node, "error");
  if (text != NULL)
    inspection->error = g_strdup (orrery_node_get_text (text));
  else
    inspection->description = g_steal_pointer (&node);
}

static void
take_lines (Pool *pool, Job *job)
{
  char *end;

  while (job->next < job->end && (end = strchr (job->output->str, '\n')) != NULL) {
    take_line (&pool->inspections[job->next++], job->output->str, end - job->output->str);
    g_string_erase (job->output, 0, end - job->output->str + 1);
    orrery_child_expect (job->child, TIME_LIMIT);
  }
}

/* The child ended early, or has to be killed. If the current file was the first, it caused that.
 * Otherwise an earlier file may have broken the process, so the file gets a new child that starts
 * with it. A file that hangs is always the cause. */
static void
fail_file (Pool *pool, Job *job, gboolean hangs)
{
  g_autofree char *end = NULL;

  if (hangs)
    orrery_child_kill_late (job->child, TIME_LIMIT);
  else
    orrery_child_kill (job->child);
  end = orrery_child_describe_end (job->child);
  g_clear_pointer (&job->child, orrery_child_free);
  if (hangs || job->next == job->first)
    pool->inspections[job->next++].error =
        g_strdup_printf ("the process in which it is loaded %s", end);
}

/* --- all of them --- */

/* Starts a child for the rest of the files of a job, or for others. */
static void
feed_job (Pool *pool, Job *job)
{
  while (job->child == NULL) {
    if (job->next == job->end) {
      if (pool->given == pool->n)
        return;
      job->next = pool->given;
      job->end = MIN (pool->n, job->next + pool->batch);
      pool->given = job->end;
    }
    start_job (pool, job);
  }
}

/* A file is late by what it does, not by what else the machine does meanwhile. */
static gboolean
is_late (Job *job)
{
  OrreryTime waited;

  if (!orrery_child_is_late (job->child))
    return FALSE;
  waited = MIN (orrery_child_get_waited (job->child), MAX_WAIT);
  if (waited < job->waited + MIN_WAIT)
    return TRUE;
  job->child->deadline += waited - job->waited;
  job->waited = waited;
  return orrery_child_is_late (job->child);
}

static void
handle_job (Pool *pool, Job *job, gboolean readable)
{
  gboolean more = TRUE;

  if (readable) {
    more = orrery_child_read (job->child, job->output, MAX_LINE);
    take_lines (pool, job);
  }
  if (job->next == job->end)
    g_clear_pointer (&job->child, orrery_child_free);
  else if (!more)
    fail_file (pool, job, FALSE);
  else if (is_late (job))
    fail_file (pool, job, TRUE);
  feed_job (pool, job);
}

/* Milliseconds until the next deadline. */
static int
get_timeout (Pool *pool)
{
  OrreryTime left = TIME_LIMIT, now = orrery_monotonic_now ();

  for (guint i = 0; i < pool->n_jobs; i++)
    if (pool->jobs[i].child != NULL)
      left = MIN (left, pool->jobs[i].child->deadline - now);
  return (int) (MAX (left, 0) / (ORRERY_SECOND / 1000)) + 1;
}

static gboolean
run_once (Pool *pool)
{
  struct pollfd fds[MAX_CHILDREN];
  gboolean running = FALSE;

  for (guint i = 0; i < pool->n_jobs; i++) {
    OrreryChild *child = pool->jobs[i].child;

    fds[i] = (struct pollfd){ .fd = child != NULL ? child->output : -1, .events = POLLIN };
    running = running || child != NULL;
  }
  if (!running)
    return FALSE;
  if (poll (fds, pool->n_jobs, get_timeout (pool)) < 0)
    g_assert (errno == EINTR);
  for (guint i = 0; i < pool->n_jobs; i++)
    if (fds[i].fd >= 0)
      handle_job (pool, &pool->jobs[i], fds[i].revents != 0);
  return TRUE;
}

static char **
make_command (gboolean in_python)
{
  char **command = g_new0 (char *, 4);

  if (!in_python) {
    command[0] = orrery_get_library_path ("orrery-1/orrery-inspect");
    return command;
  }
  command[0] = orrery_get_python ();
  command[1] = g_strdup ("-m");
  command[2] = g_strdup ("orrery.inspect");
  return command;
}

/* Python finds our package beside this library. */
static char **
make_environment (gboolean in_python)
{
  char **environment = g_get_environ ();
  const char *inherited = g_environ_getenv (environment, "PYTHONPATH");
  g_autofree char *path = orrery_get_prefix_path ("share/orrery-1/python");
  g_autofree char *both = NULL;

  if (!in_python)
    return environment;
  both = inherited != NULL && *inherited != '\0' ? g_strconcat (path, ":", inherited, NULL) : NULL;
  environment = g_environ_setenv (environment, "PYTHONPATH", both != NULL ? both : path, TRUE);
  /* In a build with sanitizers the library needs their run time, which Python does not load. */
  if (*SANITIZER_RUNTIME != '\0')
    environment = g_environ_setenv (environment, "LD_PRELOAD", SANITIZER_RUNTIME, TRUE);
  return g_environ_setenv (environment, "PYTHONSAFEPATH", "1", TRUE);
}

void
orrery_inspect_files (OrreryInspection *inspections, guint n, gboolean in_python)
{
  g_auto (GStrv) command = make_command (in_python);
  g_auto (GStrv) environment = make_environment (in_python);
  Pool pool = {
    .inspections = inspections, .n = n, .command = command, .environment = environment
  };

  pool.n_jobs = CLAMP (g_get_num_processors (), MIN_CHILDREN, MAX_CHILDREN);
  pool.batch = CLAMP ((n + pool.n_jobs - 1) / pool.n_jobs, 1, MAX_BATCH);
  for (guint i = 0; i < pool.n_jobs; i++) {
    pool.jobs[i].output = g_string_new (NULL);
    feed_job (&pool, &pool.jobs[i]);
  }
  while (run_once (&pool))
    ;
  for (guint i = 0; i < pool.n_jobs; i++)
    g_string_free (pool.jobs[i].output, TRUE);
}
