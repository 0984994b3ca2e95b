/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles signals and shows progress, on a thread of its own. */
#include "cli.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* The simulation has the main thread, so signals and the status line have one of their own. The
 * handler only notes what came: the exit code tells of it also where the program ends before that
 * thread has acted. */

#define PROGRESS_MS 200
/* What is not done so long after a signal hangs, most likely in a plugin. */
#define GRACE_MS 5000

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

/* Ends the program at once, and removes its temporary files. */
static void
end_now (int number)
{
  siginfo_t info;

  /* Once it has gone, it writes no more. */
  if (child != 0 && kill (child, SIGKILL) == 0)
    waitid (P_PID, (id_t) child, &info, WEXITED | WNOWAIT);
  cli_temporary_remove ();
  _exit (128 + number);
}

static gboolean
on_grace_over (gpointer user_data)
{
  static const char words[] =
      "orrery: a thread or a child does not end; the program exits without it\n";

  /* Whatever hangs may hold the lock of the log. */
  if (write (STDERR_FILENO, words, sizeof words - 1) < 0)
    errno = 0;
  g_mutex_lock (&lock);
  end_now (caught);
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
    end_now (latest);
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
  GSource *source;

  alarm_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  source = g_unix_fd_source_new (alarm_fd, G_IO_IN);
  attach (source, G_SOURCE_FUNC (on_alarm));
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
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
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
}

void
cli_control_start (void)
{
  g_autoptr (GThread) thread = NULL;

  context = g_main_context_new ();
  cancellable = g_cancellable_new ();
  catch_signals ();
  thread = g_thread_new ("control", serve, NULL);
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

int
cli_control_get_exit_code (int otherwise)
{
  int number = caught;

  return number ? 128 + number : otherwise;
}
