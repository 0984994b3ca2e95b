/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns SIGINT, SIGTERM and SIGHUP into the cancellation of tokens. */
#define _GNU_SOURCE
#include "process/orrery-signals-private.h"

#include "base/orrery-error-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

struct _OrrerySignals {
  GCancellable *stop;
  int caught;
};

static GMutex life;    /* guards creation and release as a whole */
static GMutex lock;    /* guards the list and its elements */
static GPtrArray *all; /* (element-type OrrerySignals) */
static struct sigaction before[G_N_ELEMENTS (numbers)];
static GThread *thread;
static int ends[2]; /* both ends of a pipe that the handler writes to */

/* Accessed by the signal handler. */
static volatile sig_atomic_t came;

/* The second signal ends the program at once, even if a thread that hangs holds a lock. */
static void
on_signal (int number)
{
  int saved = errno;
  guint8 byte = (guint8) number;
  gssize written;

  if (came != 0) {
    signal (number, SIG_DFL);
    raise (number);
    return;
  }
  came = number;
  written = write (ends[1], &byte, 1);
  (void) written;
  errno = saved;
}

static void
tell_all (int number)
{
  g_autoptr (GPtrArray) stops = g_ptr_array_new_with_free_func (g_object_unref);

  g_mutex_lock (&lock);
  for (guint i = 0; i < all->len; i++) {
    OrrerySignals *signals = g_ptr_array_index (all, i);

    signals->caught = number;
    g_ptr_array_add (stops, g_object_ref (signals->stop));
  }
  g_mutex_unlock (&lock);
  for (guint i = 0; i < stops->len; i++)
    g_cancellable_cancel (g_ptr_array_index (stops, i));
}

/* Reads until a byte that is not a signal. */
static gpointer
listen (gpointer data)
{
  guint8 byte;

  while (TEMP_FAILURE_RETRY (read (ends[0], &byte, 1)) == 1 && byte != 0)
    tell_all (byte);
  return NULL;
}

static gboolean
begin (GError **error)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "signals cannot be caught: %s",
                             g_strerror (errno));
  came = 0;
  thread = g_thread_try_new ("signals", listen, NULL, error);
  if (thread == NULL) {
    close (ends[0]);
    close (ends[1]);
    return FALSE;
  }
  all = g_ptr_array_new ();
  sigemptyset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    sigaction (numbers[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction (numbers[i], &action, NULL);
  }
  return TRUE;
}

static void
end (void)
{
  guint8 byte = 0;
  gssize written;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigaction (numbers[i], &before[i], NULL);
  written = write (ends[1], &byte, 1);
  (void) written;
  g_thread_join (g_steal_pointer (&thread));
  g_clear_pointer (&all, g_ptr_array_unref);
  close (ends[0]);
  close (ends[1]);
}

OrrerySignals *
orrery_signals_new (GCancellable *stop, GError **error)
{
  OrrerySignals *signals = NULL;

  g_mutex_lock (&life);
  if (all != NULL || begin (error)) {
    signals = g_new0 (OrrerySignals, 1);
    signals->stop = g_object_ref (stop);
    g_mutex_lock (&lock);
    g_ptr_array_add (all, signals);
    g_mutex_unlock (&lock);
  }
  g_mutex_unlock (&life);
  return signals;
}

int
orrery_signals_get_caught (OrrerySignals *signals)
{
  int caught;

  g_mutex_lock (&lock);
  caught = signals->caught;
  g_mutex_unlock (&lock);
  return caught;
}

int
orrery_signals_end (OrrerySignals *signals)
{
  int caught;

  g_mutex_lock (&life);
  g_mutex_lock (&lock);
  g_ptr_array_remove (all, signals);
  g_mutex_unlock (&lock);
  if (all->len == 0) {
    end ();
    /* A signal that arrives now cancels nothing, but is returned. */
    if (signals->caught == 0)
      signals->caught = came;
  }
  g_mutex_unlock (&life);
  caught = signals->caught;
  g_object_unref (signals->stop);
  g_free (signals);
  return caught;
}
