/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

/* The simulation has the main thread, so signals and the status line have one of their own. */

#define PROGRESS_MS 200
/* What is not done so long after a signal hangs, most likely in a plugin. */
#define GRACE_MS 5000

static GMainContext *context;
static GCancellable *cancellable;
static GMutex lock;
static OrrerySimulation *simulation; /* guarded by lock */
static int caught;                   /* guarded by lock */
static char *temporary;              /* guarded by lock */
static GPid child;                   /* guarded by lock */
static guint64 goal_ticks;

/* Waits for nobody, and leaves nothing behind. */
static void
end_now (int number)
{
  if (child != 0)
    kill (child, SIGKILL);
  if (temporary != NULL)
    cli_remove_directory (temporary);
  _exit (128 + number);
}

static gboolean
on_grace_over (gpointer user_data)
{
  static const char words[] = "orrery: something does not end; it is left alone\n";

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

static gboolean
on_signal (int number)
{
  g_mutex_lock (&lock);
  /* Whoever asks twice does not want to wait. */
  if (caught)
    end_now (number);
  caught = number;
  if (simulation != NULL)
    orrery_simulation_stop (simulation);
  g_mutex_unlock (&lock);
  g_cancellable_cancel (cancellable);
  attach (g_timeout_source_new (GRACE_MS), on_grace_over);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_interrupt (gpointer user_data)
{
  return on_signal (SIGINT);
}

static gboolean
on_terminate (gpointer user_data)
{
  return on_signal (SIGTERM);
}

static gpointer
serve (gpointer user_data)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);

  g_main_context_push_thread_default (context);
  g_main_loop_run (loop);
  return NULL;
}

void
cli_control_start (void)
{
  g_autoptr (GThread) thread = NULL;

  context = g_main_context_new ();
  cancellable = g_cancellable_new ();
  attach (g_unix_signal_source_new (SIGINT), on_interrupt);
  attach (g_unix_signal_source_new (SIGTERM), on_terminate);
  thread = g_thread_new ("control", serve, NULL);
}

void
cli_control_set_simulation (OrrerySimulation *with)
{
  g_mutex_lock (&lock);
  simulation = with;
  /* A signal that came while the scene was set up. */
  if (with != NULL && caught)
    orrery_simulation_stop (with);
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
cli_control_set_temporary (const char *directory)
{
  g_mutex_lock (&lock);
  if (temporary != NULL)
    cli_remove_directory (temporary);
  g_free (temporary);
  temporary = g_strdup (directory);
  g_mutex_unlock (&lock);
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
  int number = 0;

  g_mutex_lock (&lock);
  number = caught;
  g_mutex_unlock (&lock);
  return number ? 128 + number : otherwise;
}
