/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles signals and shows progress, on a thread of its own. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* The simulation has the main thread, so signals and the status line have one of their own. The
 * handler only notes what came: the exit code tells of it also where the program ends before that
 * thread has acted. */

#define PROGRESS_MS 200
/* What is not done so long after a signal hangs, most likely in a plugin. */
#define GRACE_MS 5000
/* A function of a plugin that takes so long is named; then again after twice the time. */
#define LOOK_MS 1000
#define LONG_S 10
#define MAX_TEXT 512
/* What GLib opens cannot fail otherwise than by an abort. */
#define MIN_DESCRIPTORS 32

static GMainContext *context;
static GCancellable *cancellable;
static int alarm_fd = -1;
static atomic_int caught; /* the first signal */
static atomic_int latest;
static atomic_uint n_caught;
static GMutex lock;
static OrrerySimulation *simulation; /* guarded by lock */
static GPid child;                   /* guarded by lock */
static guint64 goal_ticks;
static struct {
  OrreryFault fault; /* what the main thread did at the last look */
  guint seconds;     /* for so long */
  guint next;        /* when that is said again */
} seen;

/* --- faults --- */

static void
on_fault (const OrreryFault *fault, const char *text)
{
  if (fault->signal != 0) {
    cli_result_write_fault (128 + fault->signal, text);
    return;
  }
  /* A plugin that calls exit (0) has not made the run a success. */
  cli_result_write_fault (CLI_INTERNAL, text);
  cli_temporary_remove ();
  _exit (CLI_INTERNAL);
}

/* Whatever hangs may hold the lock of the log. */
static void
say (const char *text)
{
  char line[MAX_TEXT + 16];
  gsize length;

  g_snprintf (line, sizeof line, "orrery: %s\n", text);
  length = strlen (line);
  if (write (STDERR_FILENO, line, length) < 0)
    errno = 0;
}

/* Prints what the main thread does, with @words after it; returns whether it is in a plugin. */
static gboolean
print_doing (char *text, gsize size, const char *words)
{
  OrreryFault fault;

  if (!orrery_fault_look (&fault)) {
    g_snprintf (text, size, "a thread or a child does not end%s", words);
    return FALSE;
  }
  g_snprintf (text, size, "%s%s%s%s is still in %s, tick %" G_GUINT64_FORMAT "%s", fault.name,
              *fault.name != '\0' ? " (" : "", fault.classpath, *fault.name != '\0' ? ")" : "",
              fault.function, fault.tick, words);
  return TRUE;
}

static gboolean
look (gpointer user_data)
{
  OrreryFault fault;
  char words[64];
  char text[MAX_TEXT];

  if (!orrery_fault_look (&fault) || fault.classpath != seen.fault.classpath ||
      fault.name != seen.fault.name || fault.function != seen.fault.function ||
      fault.tick != seen.fault.tick) {
    seen.fault = fault;
    seen.seconds = 0;
    seen.next = LONG_S;
    return G_SOURCE_CONTINUE;
  }
  if (++seen.seconds < seen.next)
    return G_SOURCE_CONTINUE;
  seen.next *= 2;
  g_snprintf (words, sizeof words, ", for %u s", seen.seconds);
  if (print_doing (text, sizeof text, words))
    say (text);
  return G_SOURCE_CONTINUE;
}

/* --- signals --- */

/* Ends the program at once with a result, and removes its temporary files. */
static void
end_now (int status, const char *message)
{
  siginfo_t info;

  cli_result_write_fault (status, message);
  /* Once it has gone, it writes no more. */
  if (child != 0 && kill (child, SIGKILL) == 0)
    waitid (P_PID, (id_t) child, &info, WEXITED | WNOWAIT);
  cli_temporary_remove ();
  _exit (status);
}

static void
end_hung (int status, const char *words)
{
  char text[MAX_TEXT];

  print_doing (text, sizeof text, words);
  say (text);
  g_mutex_lock (&lock);
  end_now (status, text);
}

static gboolean
on_grace_over (gpointer user_data)
{
  end_hung (128 + caught, "; the program exits without it");
  return G_SOURCE_REMOVE;
}

static void
attach (GSource *source, GSourceFunc func)
{
  g_source_set_callback (source, func, NULL, NULL);
  g_source_attach (source, context);
  g_source_unref (source);
}

static void
stop (void)
{
  g_mutex_lock (&lock);
  if (simulation != NULL)
    orrery_simulation_quit (simulation);
  g_mutex_unlock (&lock);
  g_cancellable_cancel (cancellable);
  attach (g_timeout_source_new (GRACE_MS), on_grace_over);
}

static gboolean
on_alarm (int fd, GIOCondition condition, gpointer user_data)
{
  static gboolean stopped;
  guint64 n;

  if (read (fd, &n, sizeof n) < 0)
    return G_SOURCE_CONTINUE;
  /* Whoever asks twice does not want to wait. */
  if (n_caught > 1) {
    g_mutex_lock (&lock);
    end_now (128 + latest, "ended by a second signal");
  }
  if (!stopped)
    stop ();
  stopped = TRUE;
  return G_SOURCE_CONTINUE;
}

/* In whichever thread the signal meets. */
static void
on_signal (int number)
{
  guint64 one = 1;
  int saved = errno;
  int none = 0;

  atomic_compare_exchange_strong (&caught, &none, number);
  latest = number;
  n_caught++;
  if (write (alarm_fd, &one, sizeof one) < 0)
    errno = 0;
  errno = saved;
}

static void
catch_signals (void)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  struct sigaction before;
  GSource *source;

  alarm_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  source = g_unix_fd_source_new (alarm_fd, G_IO_IN);
  attach (source, G_SOURCE_FUNC (on_alarm));
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  /* Under nohup the end of the terminal is not that of the program. */
  sigaction (SIGHUP, NULL, &before);
  if (before.sa_handler != SIG_IGN)
    sigaction (SIGHUP, &action, NULL);
}

static gpointer
serve (gpointer user_data)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);

  g_main_context_push_thread_default (context);
  g_main_loop_run (loop);
  return NULL;
}

/* Of a program that went on in Python they were held back until here. */
static void
unblock_signals (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigaddset (&set, SIGHUP);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
}

/* Otherwise the next file or socket that is opened would be the standard output. */
static void
open_standard_files (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0)
    close (fd);
}

void
cli_check_system (void)
{
  int fds[MIN_DESCRIPTORS];
  int n = 0;

  open_standard_files ();
  while (n < MIN_DESCRIPTORS && (fds[n] = open ("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
    n++;
  if (n < MIN_DESCRIPTORS) {
    fprintf (stderr,
             "orrery: only %d files can be opened, at least %d are needed: %s; see `ulimit -n`\n",
             n, MIN_DESCRIPTORS, g_strerror (errno));
    _exit (CLI_SYSTEM);
  }
  while (n > 0)
    close (fds[--n]);
}

void
cli_control_start (void)
{
  g_autoptr (GThread) thread = NULL;
  g_autoptr (GError) error = NULL;

  if (context != NULL)
    return;
  context = g_main_context_new ();
  cancellable = g_cancellable_new ();
  catch_signals ();
  orrery_fault_catch (on_fault);
  attach (g_timeout_source_new (LOOK_MS), look);
  thread = g_thread_try_new ("control", serve, NULL, &error);
  if (thread == NULL) {
    cli_fail (error);
    _exit (CLI_SYSTEM);
  }
  unblock_signals ();
}

void
cli_control_set_simulation (OrrerySimulation *with)
{
  g_mutex_lock (&lock);
  simulation = with;
  /* A signal that came while the scene was set up. */
  if (with != NULL && caught)
    orrery_simulation_quit (with);
  g_mutex_unlock (&lock);
}

static gboolean
show_progress (gpointer user_data)
{
  g_autofree char *line = NULL;
  guint64 ticks = 0;
  double seconds = 0.0;

  g_mutex_lock (&lock);
  if (simulation != NULL) {
    ticks = orrery_simulation_get_n_ticks (simulation);
    seconds = (double) ticks / orrery_simulation_get_frequency (simulation);
    line = goal_ticks ? g_strdup_printf ("%.1f s  tick %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
                                         seconds, ticks, goal_ticks)
                      : g_strdup_printf ("%.1f s  tick %" G_GUINT64_FORMAT, seconds, ticks);
  }
  g_mutex_unlock (&lock);
  cli_set_status_line (line);
  return line != NULL;
}

void
cli_control_show_progress (guint64 goal)
{
  goal_ticks = goal;
  attach (g_timeout_source_new (PROGRESS_MS), show_progress);
}

static gboolean
on_wall_over (gpointer user_data)
{
  gboolean runs;

  g_mutex_lock (&lock);
  runs = simulation != NULL;
  g_mutex_unlock (&lock);
  if (runs)
    end_hung (CLI_INTERNAL, "; --wall is over, the program exits without it");
  return G_SOURCE_REMOVE;
}

void
cli_control_limit_wall (double seconds)
{
  double ms = seconds * 1000.0 + GRACE_MS;

  if (seconds > 0.0 && ms < G_MAXUINT)
    attach (g_timeout_source_new ((guint) ms), on_wall_over);
}

void
cli_control_set_child (GPid with)
{
  g_mutex_lock (&lock);
  child = with;
  g_mutex_unlock (&lock);
}

GCancellable *
cli_control_get_cancellable (void)
{
  return cancellable;
}

void
cli_control_await (int fd, int ms)
{
  GPollFD fds[2] = { [1] = { .fd = fd, .events = G_IO_IN } };

  if (!g_cancellable_make_pollfd (cancellable, &fds[0]))
    return;
  g_poll (fds, fd >= 0 ? 2 : 1, ms);
  g_cancellable_release_fd (cancellable);
}

void
cli_control_await_end (void)
{
  cli_control_await (-1, -1);
  caught = 0;
}

int
cli_control_get_exit_code (int otherwise)
{
  int number = caught;

  return number ? 128 + number : otherwise;
}
