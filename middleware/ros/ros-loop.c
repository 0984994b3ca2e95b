/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for sockets, times and jobs on one thread. */
#define _GNU_SOURCE
#include "ros-loop.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EVENTS_PER_ROUND 64

typedef struct {
  void (*func) (gpointer data);
  gpointer data;
} Job;

struct _RosLoop {
  int epoll_fd;
  RosWatch wake;
  gint64 now;
  atomic_bool signalled;
  GMutex lock;
  GArray *jobs;   /* [lock] (element-type Job) */
  GArray *doing;  /* (element-type Job) */
  GArray *buried; /* (element-type Job) */
  GPtrArray *timers;
  GPtrArray *lookups;
};

/* Shared with a thread that may outlive the loop. */
struct _RosLookup {
  atomic_int references;
  atomic_bool done;
  gboolean found;
  struct sockaddr_in address;
  char *host;
  int fd;
  RosLookupFunc func;
  gpointer data;
};

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

static void
on_wake (gpointer data, guint32 events)
{
  RosLoop *loop = data;
  guint64 count;

  while (read (loop->wake.fd, &count, sizeof count) < 0 && errno == EINTR)
    continue;
  atomic_store (&loop->signalled, false);
}

RosLoop *
ros_loop_new (GError **error)
{
  RosLoop *loop = g_new0 (RosLoop, 1);

  g_mutex_init (&loop->lock);
  loop->jobs = g_array_new (FALSE, FALSE, sizeof (Job));
  loop->doing = g_array_new (FALSE, FALSE, sizeof (Job));
  loop->buried = g_array_new (FALSE, FALSE, sizeof (Job));
  loop->timers = g_ptr_array_new ();
  loop->lookups = g_ptr_array_new ();
  loop->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  loop->wake = (RosWatch){ eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK), 0, on_wake, loop };
  loop->now = now_ms ();
  if (loop->epoll_fd >= 0 && loop->wake.fd >= 0) {
    ros_loop_watch (loop, &loop->wake, EPOLLIN);
    return loop;
  }
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "ROS: %s", g_strerror (errno));
  ros_loop_free (loop);
  return NULL;
}

static void
do_all (RosLoop *loop, GArray *jobs)
{
  for (guint i = 0; i < jobs->len; i++) {
    Job job = g_array_index (jobs, Job, i);

    job.func (job.data);
  }
  g_array_set_size (jobs, 0);
}

static void
do_jobs (RosLoop *loop)
{
  GArray *jobs;

  g_mutex_lock (&loop->lock);
  jobs = loop->jobs;
  loop->jobs = loop->doing;
  loop->doing = jobs;
  g_mutex_unlock (&loop->lock);
  do_all (loop, jobs);
}

static void
release_lookup (RosLookup *lookup)
{
  if (atomic_fetch_sub (&lookup->references, 1) > 1)
    return;
  close (lookup->fd);
  g_free (lookup->host);
  g_free (lookup);
}

void
ros_loop_free (RosLoop *loop)
{
  do_jobs (loop);
  do_all (loop, loop->buried);
  for (guint i = 0; i < loop->lookups->len; i++)
    release_lookup (g_ptr_array_index (loop->lookups, i));
  g_ptr_array_unref (loop->lookups);
  g_ptr_array_unref (loop->timers);
  g_array_unref (loop->jobs);
  g_array_unref (loop->doing);
  g_array_unref (loop->buried);
  if (loop->wake.fd >= 0)
    close (loop->wake.fd);
  if (loop->epoll_fd >= 0)
    close (loop->epoll_fd);
  g_mutex_clear (&loop->lock);
  g_free (loop);
}

gint64
ros_loop_get_now (RosLoop *loop)
{
  return loop->now;
}

/* --- sockets --- */

void
ros_loop_watch (RosLoop *loop, RosWatch *watch, guint32 events)
{
  struct epoll_event event = { .events = events, .data.ptr = watch };

  if (watch->events == events)
    return;
  if (epoll_ctl (loop->epoll_fd, watch->events != 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, watch->fd,
                 &event) == 0)
    watch->events = events;
}

void
ros_loop_unwatch (RosLoop *loop, RosWatch *watch)
{
  if (watch->fd < 0)
    return;
  close (watch->fd);
  watch->fd = -1;
  watch->events = 0;
}

/* --- times --- */

void
ros_loop_set_timer (RosLoop *loop, RosTimer *timer, gint64 ms)
{
  timer->due = loop->now + ms;
  if (timer->set)
    return;
  timer->set = TRUE;
  g_ptr_array_add (loop->timers, timer);
}

void
ros_loop_clear_timer (RosLoop *loop, RosTimer *timer)
{
  if (!timer->set)
    return;
  timer->set = FALSE;
  g_ptr_array_remove_fast (loop->timers, timer);
}

static RosTimer *
find_first (RosLoop *loop)
{
  RosTimer *first = NULL;

  for (guint i = 0; i < loop->timers->len; i++) {
    RosTimer *timer = g_ptr_array_index (loop->timers, i);

    if (first == NULL || timer->due < first->due)
      first = timer;
  }
  return first;
}

static void
run_timers (RosLoop *loop)
{
  RosTimer *timer;

  while ((timer = find_first (loop)) != NULL && timer->due <= loop->now) {
    ros_loop_clear_timer (loop, timer);
    timer->func (timer->data);
  }
}

void
ros_loop_bury (RosLoop *loop, gpointer data, GDestroyNotify destroy)
{
  Job job = { destroy, data };

  g_array_append_val (loop->buried, job);
}

/* --- other threads --- */

void
ros_loop_wake (RosLoop *loop)
{
  guint64 one = 1;

  if (atomic_exchange (&loop->signalled, true))
    return;
  while (write (loop->wake.fd, &one, sizeof one) < 0 && errno == EINTR)
    continue;
}

void
ros_loop_do (RosLoop *loop, void (*func) (gpointer data), gpointer data)
{
  Job job = { func, data };

  g_mutex_lock (&loop->lock);
  g_array_append_val (loop->jobs, job);
  g_mutex_unlock (&loop->lock);
  ros_loop_wake (loop);
}

/* --- names of machines --- */

static gpointer
look_up (gpointer data)
{
  RosLookup *lookup = data;
  struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *list = NULL;
  guint64 one = 1;

  lookup->found = getaddrinfo (lookup->host, NULL, &hints, &list) == 0 && list != NULL;
  if (lookup->found)
    memcpy (&lookup->address, list->ai_addr, sizeof lookup->address);
  if (list != NULL)
    freeaddrinfo (list);
  atomic_store (&lookup->done, true);
  while (write (lookup->fd, &one, sizeof one) < 0 && errno == EINTR)
    continue;
  release_lookup (lookup);
  return NULL;
}

RosLookup *
ros_loop_look_up (RosLoop *loop, const char *host, RosLookupFunc func, gpointer data)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  RosLookup *lookup;
  GThread *thread;

  if (inet_pton (AF_INET, g_str_equal (host, "localhost") ? "127.0.0.1" : host,
                 &address.sin_addr) == 1) {
    func (data, &address);
    return NULL;
  }
  lookup = g_new0 (RosLookup, 1);
  lookup->references = 2;
  lookup->host = g_strdup (host);
  lookup->fd = dup (loop->wake.fd);
  lookup->func = func;
  lookup->data = data;
  thread = g_thread_try_new ("orrery-ros-name", look_up, lookup, NULL);
  if (thread == NULL) {
    lookup->references = 1;
    release_lookup (lookup);
    func (data, NULL);
    return NULL;
  }
  g_thread_unref (thread);
  g_ptr_array_add (loop->lookups, lookup);
  return lookup;
}

void
ros_loop_forget_lookup (RosLoop *loop, RosLookup *lookup)
{
  if (g_ptr_array_remove_fast (loop->lookups, lookup))
    release_lookup (lookup);
}

static RosLookup *
take_done_lookup (RosLoop *loop)
{
  for (guint i = 0; i < loop->lookups->len; i++) {
    RosLookup *lookup = g_ptr_array_index (loop->lookups, i);

    if (atomic_load (&lookup->done))
      return g_ptr_array_remove_index_fast (loop->lookups, i);
  }
  return NULL;
}

static void
end_lookups (RosLoop *loop)
{
  RosLookup *lookup;

  while ((lookup = take_done_lookup (loop)) != NULL) {
    lookup->func (lookup->data, lookup->found ? &lookup->address : NULL);
    release_lookup (lookup);
  }
}

/* --- a round --- */

void
ros_loop_round (RosLoop *loop, int limit)
{
  struct epoll_event events[EVENTS_PER_ROUND];
  RosTimer *first = find_first (loop);
  gint64 wait = first != NULL ? CLAMP (first->due - now_ms (), 0, limit) : limit;
  int n = epoll_wait (loop->epoll_fd, events, EVENTS_PER_ROUND, (int) wait);

  loop->now = now_ms ();
  for (int i = 0; i < n; i++) {
    RosWatch *watch = events[i].data.ptr;

    if (watch->fd >= 0)
      watch->func (watch->data, events[i].events);
  }
  end_lookups (loop);
  do_jobs (loop);
  run_timers (loop);
  do_all (loop, loop->buried);
}
