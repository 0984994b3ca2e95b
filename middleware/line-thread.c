/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread of line servers: how it begins, is shared, woken and ends. */
#define _GNU_SOURCE
#include "line-server-private.h"

#include <errno.h>
#include <orrery.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Both plugins have a copy of this code, whose structs the other one uses: the name says of which
 * release and shape. */
char *
line_thread_name_shared (void)
{
  return g_strdup_printf ("orrery-line-thread-" ORRERY_VERSION "-%zu-%zu-%zu-%zu-%zu",
                          sizeof (LineThread), sizeof (LineServer), sizeof (LineListener),
                          sizeof (LineClient), sizeof (LineBlock));
}

/* The flag saves the system call when the I/O thread is about to look anyway. */
void
line_thread_signal (LineThread *thread)
{
  guint64 one = 1;

  thread->untold = FALSE;
  if (atomic_exchange (&thread->signalled, true))
    return;
  while (write (thread->wake_source.fd, &one, sizeof one) < 0 && errno == EINTR)
    continue;
}

/* Signals are for the main thread. */
static int
start_thread (LineThread *thread)
{
  sigset_t all, before;
  int status;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  status = pthread_create (&thread->thread, NULL, line_io_main, thread);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (status == 0)
    pthread_setname_np (thread->thread, "orrery-lines");
  return status;
}

static int
watch_wake_source (LineThread *thread)
{
  /* By edges: each write is one event, and nobody has to read it. */
  struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.ptr = &thread->wake_source };

  return epoll_ctl (thread->epoll_fd, EPOLL_CTL_ADD, thread->wake_source.fd, &event);
}

LineThread *
line_thread_new (void)
{
  LineThread *thread = g_new0 (LineThread, 1);
  int saved;

  thread->references = 1;
  pthread_mutex_init (&thread->lock, NULL);
  pthread_cond_init (&thread->has_ended, NULL);
  thread->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  thread->diag_fd = line_peer_open ();
  thread->wake_source =
      (LineSource){ LINE_SOURCE_WAKE, eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK), NULL };
  if (thread->epoll_fd >= 0 && thread->wake_source.fd >= 0 && watch_wake_source (thread) == 0) {
    errno = start_thread (thread);
    thread->running = errno == 0;
  }
  if (thread->running)
    return thread;
  saved = errno;
  line_thread_unref (thread);
  errno = saved;
  return NULL;
}

LineThread *
line_thread_ref (LineThread *thread)
{
  thread->references++;
  return thread;
}

static void
end_thread (LineThread *thread)
{
  pthread_mutex_lock (&thread->lock);
  thread->quit = TRUE;
  pthread_mutex_unlock (&thread->lock);
  line_thread_signal (thread);
  pthread_join (thread->thread, NULL);
}

/* The owner may have gone, or have another thread by now. */
static void
leave_owner (LineThread *thread)
{
  g_autofree char *name = line_thread_name_shared ();

  if (thread->owner == NULL)
    return;
  if (g_object_get_data (thread->owner, name) == thread)
    g_object_set_data (thread->owner, name, NULL);
  g_object_remove_weak_pointer (thread->owner, (gpointer *) &thread->owner);
}

void
line_thread_unref (LineThread *thread)
{
  if (--thread->references > 0)
    return;
  leave_owner (thread);
  if (thread->running)
    end_thread (thread);
  line_pool_give_list (&thread->tick_pool, &thread->publishing);
  line_pool_give_list (&thread->tick_pool, &thread->queue);
  line_pool_give_list (&thread->tick_pool, &thread->used_out);
  line_pool_give_list (&thread->tick_pool, &thread->done_out);
  line_pool_clear (&thread->tick_pool);
  if (thread->epoll_fd >= 0)
    close (thread->epoll_fd);
  if (thread->diag_fd >= 0)
    close (thread->diag_fd);
  if (thread->wake_source.fd >= 0)
    close (thread->wake_source.fd);
  pthread_cond_destroy (&thread->has_ended);
  pthread_mutex_destroy (&thread->lock);
  g_free (thread);
}

LineThread *
line_thread_share (gpointer owner)
{
  g_autofree char *name = line_thread_name_shared ();
  LineThread *thread = owner != NULL ? g_object_get_data (owner, name) : NULL;

  if (thread != NULL)
    return line_thread_ref (thread);
  thread = line_thread_new ();
  if (thread == NULL || owner == NULL)
    return thread;
  thread->owner = owner;
  g_object_add_weak_pointer (owner, (gpointer *) &thread->owner);
  g_object_set_data (owner, name, thread);
  return thread;
}
