/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for sockets while the simulation is held. */
#define _GNU_SOURCE
#include "mavlink-watch.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct _MavWatch {
  int epoll_fd;
  int stop_fd;
  int timer_fd;
  GThread *thread;
  void (*wake) (gpointer data);
  gpointer data;
};

static gpointer
watch_main (gpointer data)
{
  MavWatch *watch = data;
  struct epoll_event event = { 0 };

  while (TRUE) {
    int n = epoll_wait (watch->epoll_fd, &event, 1, -1);

    if (n < 0 && errno != EINTR)
      break;
    if (n <= 0)
      continue;
    if (event.data.fd == watch->stop_fd)
      break;
    watch->wake (watch->data);
  }
  return NULL;
}

static void
arm (MavWatch *watch, int fd, guint32 events)
{
  struct epoll_event event = { .events = events, .data.fd = fd };

  if (epoll_ctl (watch->epoll_fd, EPOLL_CTL_MOD, fd, &event) < 0 && errno == ENOENT)
    epoll_ctl (watch->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

MavWatch *
mav_watch_new (void (*wake) (gpointer data), gpointer data)
{
  g_autoptr (MavWatch) watch = g_new0 (MavWatch, 1);

  watch->wake = wake;
  watch->data = data;
  watch->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  watch->stop_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  watch->timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (watch->epoll_fd < 0 || watch->stop_fd < 0 || watch->timer_fd < 0)
    return NULL;
  arm (watch, watch->stop_fd, EPOLLIN);
  watch->thread = g_thread_try_new ("orrery-mavlink", watch_main, watch, NULL);
  if (watch->thread == NULL) {
    errno = EAGAIN;
    return NULL;
  }
  return g_steal_pointer (&watch);
}

static void
close_all (MavWatch *watch)
{
  const int all[] = { watch->epoll_fd, watch->stop_fd, watch->timer_fd };
  int saved = errno;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] >= 0)
      close (all[i]);
  errno = saved;
}

void
mav_watch_free (MavWatch *watch)
{
  guint64 one = 1;

  if (watch == NULL)
    return;
  if (watch->thread != NULL) {
    while (write (watch->stop_fd, &one, sizeof one) < 0 && errno == EINTR)
      continue;
    g_thread_join (watch->thread);
  }
  close_all (watch);
  g_free (watch);
}

void
mav_watch_arm (MavWatch *watch, int fd, gboolean writes)
{
  arm (watch, fd, (guint32) (EPOLLIN | EPOLLRDHUP | (writes ? EPOLLOUT : 0) | EPOLLONESHOT));
}

void
mav_watch_arm_timer (MavWatch *watch, gint64 ms)
{
  struct itimerspec when = { .it_value = { .tv_sec = ms / 1000,
                                           .tv_nsec = MAX (ms % 1000, 1) * 1000000 } };

  timerfd_settime (watch->timer_fd, 0, &when, NULL);
  arm (watch, watch->timer_fd, EPOLLIN | EPOLLONESHOT);
}
