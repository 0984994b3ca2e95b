/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "base/orrery-error.h"
#include "wiring/orrery-inspect-private.h"
#include "wiring/orrery-prefix-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CHILDREN 4
#define MIN_CHILDREN 2
/* Files for one child; its command line stays far below what a system takes. */
#define MAX_BATCH 64
/* For one file, not for a child. */
#define LIMIT_SECONDS 5
#define MAX_LINE (4 * 1024 * 1024)

/* A child and the files that it was given: [first, end), of which those before next are done. */
typedef struct {
  guint first, next, end;
  pid_t pid; /* 0: none runs */
  int fd;
  GString *said;
  gint64 deadline;
} Child;

typedef struct {
  OrreryInspection *inspections;
  guint n, given; /* files before @given belong to a child or are done */
  guint batch;
  char **command;
  char **environment;
  Child children[MAX_CHILDREN];
  guint n_children;
} Pool;

void
orrery_inspection_clear (OrreryInspection *inspection)
{
  g_clear_pointer (&inspection->description, orrery_node_unref);
  g_clear_pointer (&inspection->error, g_free);
}

/* --- starting and ending a child --- */

static int
spawn (char **argv, char **environment, int out, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int status;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_init (&attributes);
  /* A group of its own: what a module starts goes with it. */
  posix_spawnattr_setflags (&attributes,
                            POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  status = posix_spawnp (pid, argv[0], &actions, &attributes, argv, environment);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return status;
}

static char **
make_arguments (Pool *pool, Child *child)
{
  GPtrArray *argv = g_ptr_array_new ();

  for (char **word = pool->command; *word != NULL; word++)
    g_ptr_array_add (argv, *word);
  for (guint i = child->next; i < child->end; i++) {
    g_ptr_array_add (argv, (gpointer) pool->inspections[i].module);
    g_ptr_array_add (argv, (gpointer) pool->inspections[i].file);
  }
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (argv, FALSE);
}

static void
set_deadline (Child *child)
{
  child->deadline = g_get_monotonic_time () + LIMIT_SECONDS * G_USEC_PER_SEC;
}

/* Runs a child on what is left of its files. */
static void
start_child (Pool *pool, Child *child)
{
  g_autofree char **argv = make_arguments (pool, child);
  int ends[2] = { -1, -1 };
  int status = pipe2 (ends, O_CLOEXEC) == 0 ? 0 : errno;

  if (status == 0)
    status = spawn (argv, pool->environment, ends[1], &child->pid);
  if (ends[1] >= 0)
    close (ends[1]);
  if (status == 0) {
    child->fd = ends[0];
    child->first = child->next;
    g_string_truncate (child->said, 0);
    set_deadline (child);
    return;
  }
  if (ends[0] >= 0)
    close (ends[0]);
  child->pid = 0;
  for (; child->next < child->end; child->next++)
    pool->inspections[child->next].error =
        g_strdup_printf ("%s: cannot be started: %s", pool->command[0], g_strerror (status));
}

/* Ends the child and all that it started; returns its status, which is not changed any more if it
 * was about to end. */
static int
end_child (Child *child)
{
  int status = 0;
  pid_t waited;

  kill (-child->pid, SIGKILL);
  do
    waited = waitpid (child->pid, &status, 0);
  while (waited < 0 && errno == EINTR);
  close (child->fd);
  child->pid = 0;
  return status;
}

/* --- what a child says --- */

static void
take_line (OrreryInspection *inspection, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (line, length, inspection->file, &error);
  OrreryNode *words;

  if (node == NULL || orrery_node_get_kind (node) != ORRERY_NODE_DICT) {
    inspection->error = g_strdup ("what was said of it is no JSON");
    return;
  }
  words = orrery_node_find (node, "error");
  if (words != NULL)
    inspection->error = g_strdup (orrery_node_get_text (words));
  else
    inspection->description = g_steal_pointer (&node);
}

static void
take_lines (Pool *pool, Child *child)
{
  char *end;

  while (child->next < child->end && (end = strchr (child->said->str, '\n')) != NULL) {
    take_line (&pool->inspections[child->next++], child->said->str, end - child->said->str);
    g_string_erase (child->said, 0, end - child->said->str + 1);
    set_deadline (child);
  }
}

/* Returns whether the child may have more to say. */
static gboolean
read_child (Child *child)
{
  char bytes[16384];
  gssize n = read (child->fd, bytes, sizeof bytes);

  if (n < 0 && errno == EINTR)
    return TRUE;
  if (n > 0)
    g_string_append_len (child->said, bytes, n);
  return n > 0 && child->said->len <= MAX_LINE;
}

static char *
describe_end (int status)
{
  if (WIFSIGNALED (status))
    return g_strdup_printf ("it crashes while it is loaded: %s", g_strsignal (WTERMSIG (status)));
  return g_strdup_printf ("it ends the process while it is loaded, with status %d",
                          WEXITSTATUS (status));
}

/* The child ended before it was done. The file at which it did is to blame if it was the first;
 * another one before it may have left things broken, so it gets a child that starts with it. */
static void
handle_crash (Pool *pool, Child *child)
{
  int status = end_child (child);

  if (child->next == child->first)
    pool->inspections[child->next++].error = describe_end (status);
}

static void
handle_hang (Pool *pool, Child *child)
{
  end_child (child);
  pool->inspections[child->next++].error =
      g_strdup_printf ("it hangs while it is loaded: nothing came of it within %d s",
                       LIMIT_SECONDS);
}

/* --- all of them --- */

/* Gives the child that does not run the rest of its files, or others. */
static void
feed_child (Pool *pool, Child *child)
{
  while (child->pid == 0) {
    if (child->next == child->end) {
      if (pool->given == pool->n)
        return;
      child->next = pool->given;
      child->end = MIN (pool->n, child->next + pool->batch);
      pool->given = child->end;
    }
    start_child (pool, child);
  }
}

static void
handle_child (Pool *pool, Child *child, gboolean readable)
{
  gboolean more = TRUE;

  if (readable) {
    more = read_child (child);
    take_lines (pool, child);
  }
  if (child->next == child->end)
    end_child (child);
  else if (!more)
    handle_crash (pool, child);
  else if (g_get_monotonic_time () >= child->deadline)
    handle_hang (pool, child);
  feed_child (pool, child);
}

/* Milliseconds until the next deadline. */
static int
get_timeout (Pool *pool)
{
  gint64 first = G_MAXINT64;

  for (guint i = 0; i < pool->n_children; i++)
    if (pool->children[i].pid != 0)
      first = MIN (first, pool->children[i].deadline);
  return CLAMP ((first - g_get_monotonic_time ()) / 1000 + 1, 0, LIMIT_SECONDS * 1000);
}

static gboolean
run_once (Pool *pool)
{
  struct pollfd fds[MAX_CHILDREN];
  gboolean running = FALSE;

  for (guint i = 0; i < pool->n_children; i++) {
    fds[i].fd = pool->children[i].pid != 0 ? pool->children[i].fd : -1;
    fds[i].events = POLLIN;
    fds[i].revents = 0;
    running = running || pool->children[i].pid != 0;
  }
  if (!running)
    return FALSE;
  if (poll (fds, pool->n_children, get_timeout (pool)) < 0)
    g_assert (errno == EINTR);
  for (guint i = 0; i < pool->n_children; i++)
    if (fds[i].fd >= 0)
      handle_child (pool, &pool->children[i], fds[i].revents != 0);
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
  command[0] = g_strdup (ORRERY_PYTHON);
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
  /* Of a build with sanitizers, which Python has not. */
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

  pool.n_children = CLAMP (g_get_num_processors (), MIN_CHILDREN, MAX_CHILDREN);
  pool.batch = CLAMP ((n + pool.n_children - 1) / pool.n_children, 1, MAX_BATCH);
  for (guint i = 0; i < pool.n_children; i++) {
    pool.children[i].said = g_string_new (NULL);
    feed_child (&pool, &pool.children[i]);
  }
  while (run_once (&pool))
    ;
  for (guint i = 0; i < pool.n_children; i++)
    g_string_free (pool.children[i].said, TRUE);
}
