/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends the sleep of a thread, or of a main loop, from any other thread. */
#include "base/orrery-waker-private.h"

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct _OrreryWaker {
  gint woken; /* the futex: 1 from a wake-up until the sleeper took it */
  GMutex lock;
  GMainContext *context; /* under lock */
  OrreryWaker *next;     /* under lock */
};

OrreryWaker *
orrery_waker_new (void)
{
  OrreryWaker *waker = g_atomic_rc_box_new0 (OrreryWaker);

  g_mutex_init (&waker->lock);
  return waker;
}

OrreryWaker *
orrery_waker_ref (OrreryWaker *waker)
{
  return g_atomic_rc_box_acquire (waker);
}

static void
clear (gpointer data)
{
  OrreryWaker *waker = data;

  g_clear_pointer (&waker->context, g_main_context_unref);
  g_clear_pointer (&waker->next, orrery_waker_unref);
  g_mutex_clear (&waker->lock);
}

void
orrery_waker_unref (OrreryWaker *waker)
{
  g_atomic_rc_box_release_full (waker, clear);
}

void
orrery_waker_set_context (OrreryWaker *waker, GMainContext *context)
{
  g_mutex_lock (&waker->lock);
  g_clear_pointer (&waker->context, g_main_context_unref);
  waker->context = context != NULL ? g_main_context_ref (context) : NULL;
  g_mutex_unlock (&waker->lock);
}

void
orrery_waker_set_next (OrreryWaker *waker, OrreryWaker *next)
{
  g_mutex_lock (&waker->lock);
  g_clear_pointer (&waker->next, orrery_waker_unref);
  waker->next = next != NULL ? orrery_waker_ref (next) : NULL;
  g_mutex_unlock (&waker->lock);
}

void
orrery_waker_wake (OrreryWaker *waker)
{
  if (!g_atomic_int_exchange (&waker->woken, 1))
    syscall (SYS_futex, &waker->woken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  g_mutex_lock (&waker->lock);
  if (waker->context != NULL)
    g_main_context_wakeup (waker->context);
  if (waker->next != NULL)
    orrery_waker_wake (waker->next);
  g_mutex_unlock (&waker->lock);
}

void
orrery_waker_sleep (OrreryWaker *waker, OrreryTime wait)
{
  struct timespec timeout = { wait / ORRERY_SECOND, wait % ORRERY_SECOND };

  /* A signal or a stray wake-up ends the sleep early: the caller looks at its clock anyway. */
  if (!g_atomic_int_get (&waker->woken))
    syscall (SYS_futex, &waker->woken, FUTEX_WAIT_PRIVATE, 0, wait < 0 ? NULL : &timeout, NULL, 0);
  g_atomic_int_set (&waker->woken, 0);
}

gboolean
orrery_waker_take (OrreryWaker *waker)
{
  return g_atomic_int_get (&waker->woken) && g_atomic_int_exchange (&waker->woken, 0);
}

int
orrery_waker_begin_precision (void)
{
  int slack = prctl (PR_GET_TIMERSLACK, 0, 0, 0, 0);

  prctl (PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  return slack;
}

void
orrery_waker_end_precision (int slack)
{
  if (slack > 0)
    prctl (PR_SET_TIMERSLACK, (unsigned long) slack, 0, 0, 0);
}
