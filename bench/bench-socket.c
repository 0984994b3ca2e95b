/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
/* Lines to clients: the line server beside a bare loop that makes one send per line and client, in
 * one run, with the same sockets and the same reader. */
#include "../middleware/line-server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_CLIENTS 100
#define REPETITIONS 9
#define SENDS_PER_RUN 30000
#define LINES_PER_FLUSH 16
#define WINDOW 4096

static const char line[] =
    "{\"timestamp\": 12.316666666666666, \"x\": 1.2345678901234567, \"y\": -0.7654321098765432, "
    "\"z\": 0.10000000000000001, \"yaw\": 0.5235987755982988, \"pitch\": 0.0017453292519943296, "
    "\"roll\": -0.003490658503988659}\n";
#define LINE_LENGTH (sizeof line - 1)

/* --- the reader: one thread, for both sides --- */

typedef struct {
  int fds[MAX_CLIENTS];
  guint n;
  int epoll_fd;
  pthread_t thread;
  atomic_ullong bytes;
} Reader;

static void *
read_all (void *data)
{
  Reader *reader = data;
  static char buffer[256 * 1024];
  guint open = reader->n;

  while (open > 0) {
    struct epoll_event events[64];
    int n = epoll_wait (reader->epoll_fd, events, 64, -1);

    for (int i = 0; i < n; i++) {
      ssize_t got = recv (events[i].data.fd, buffer, sizeof buffer, MSG_DONTWAIT);

      if (got > 0)
        atomic_fetch_add_explicit (&reader->bytes, (guint64) got, memory_order_relaxed);
      if (got == 0 && epoll_ctl (reader->epoll_fd, EPOLL_CTL_DEL, events[i].data.fd, NULL) == 0)
        open--;
    }
  }
  return NULL;
}

static void
reader_start (Reader *reader, guint16 port, guint n)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = htons (port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };

  *reader = (Reader){ .n = n, .epoll_fd = epoll_create1 (EPOLL_CLOEXEC) };
  for (guint i = 0; i < n; i++) {
    struct epoll_event event = { .events = EPOLLIN };

    reader->fds[i] = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect (reader->fds[i], (struct sockaddr *) &address, sizeof address) < 0)
      abort ();
    event.data.fd = reader->fds[i];
    epoll_ctl (reader->epoll_fd, EPOLL_CTL_ADD, reader->fds[i], &event);
  }
  pthread_create (&reader->thread, NULL, read_all, reader);
}

static void
reader_wait (Reader *reader, guint64 bytes)
{
  while (atomic_load (&reader->bytes) < bytes)
    g_usleep (200);
}

static void
reader_end (Reader *reader)
{
  pthread_join (reader->thread, NULL);
  for (guint i = 0; i < reader->n; i++)
    close (reader->fds[i]);
  close (reader->epoll_fd);
}

/* --- the two sides; each returns lines delivered per second --- */

static double
run_bare (guint n_clients)
{
  int yes = 1, fds[MAX_CLIENTS], listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  guint n_lines = SENDS_PER_RUN / n_clients;
  gint64 start, end;
  Reader reader;

  if (bind (listener, (struct sockaddr *) &address, size) < 0 || listen (listener, 128) < 0)
    abort ();
  getsockname (listener, (struct sockaddr *) &address, &size);
  reader_start (&reader, ntohs (address.sin_port), n_clients);
  for (guint i = 0; i < n_clients; i++) {
    fds[i] = accept4 (listener, NULL, NULL, SOCK_CLOEXEC);
    setsockopt (fds[i], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  start = g_get_monotonic_time ();
  for (guint k = 0; k < n_lines; k++)
    for (guint i = 0; i < n_clients; i++)
      if (send (fds[i], line, LINE_LENGTH, MSG_NOSIGNAL) != (ssize_t) LINE_LENGTH)
        abort ();
  reader_wait (&reader, (guint64) n_lines * n_clients * LINE_LENGTH);
  end = g_get_monotonic_time ();
  for (guint i = 0; i < n_clients; i++)
    close (fds[i]);
  close (listener);
  reader_end (&reader);
  return (double) n_lines * n_clients * G_USEC_PER_SEC / (double) (end - start);
}

typedef struct {
  LineServer *server;
  LineListener *listener;
  Reader reader;
} Ours;

static void
ours_start (Ours *ours, guint n_clients, guint lines_per_send)
{
  LineServerOptions options;
  LineListenOptions where = { .input = LINE_INPUT_IGNORE };

  line_server_options_init (&options);
  options.lines_per_send = lines_per_send;
  /* The window is that of all clients: one that is not let run may be behind by all of it. */
  options.max_queued_lines = 2 * WINDOW * n_clients;
  options.max_queued_bytes = options.max_queued_lines * LINE_LENGTH;
  ours->server = line_server_new (&options);
  if (ours->server == NULL || line_server_listen (ours->server, &where, &ours->listener) != 0)
    abort ();
  reader_start (&ours->reader, line_listener_get_port (ours->listener), n_clients);
  while (line_listener_get_n_clients (ours->listener) < n_clients)
    g_usleep (100);
}

static void
ours_end (Ours *ours)
{
  line_server_stop (ours->server, 1000);
  reader_end (&ours->reader);
  line_server_free (ours->server);
}

/* The producer may be ahead of the clients by less than would lose lines. */
static void
wait_for_window (Ours *ours, guint64 n_published)
{
  guint64 n_clients = ours->reader.n;

  while (line_listener_get_count (ours->listener, LINE_COUNT_OUT) + WINDOW * n_clients <
         n_published * n_clients)
    g_usleep (200);
}

/* A line that is lost never comes: better no figure than one of fewer lines. */
static void
check_losses (Ours *ours)
{
  if (line_listener_get_count (ours->listener, LINE_COUNT_OUT_LOST) == 0)
    return;
  fprintf (stderr, "a client was too slow for its queue\n");
  exit (EXIT_FAILURE);
}

static double
run_ours (guint n_clients, guint lines_per_flush)
{
  guint n_lines = SENDS_PER_RUN / n_clients * lines_per_flush;
  guint64 n_all = (guint64) n_lines * n_clients;
  gint64 start, end;
  Ours ours;

  ours_start (&ours, n_clients, lines_per_flush);
  start = g_get_monotonic_time ();
  for (guint k = 0; k < n_lines; k++) {
    line_server_publish (ours.server, ours.listener, line, LINE_LENGTH - 1);
    if ((k + 1) % lines_per_flush == 0) {
      line_server_flush (ours.server);
      wait_for_window (&ours, k + 1);
    }
  }
  line_server_flush (ours.server);
  while (line_listener_get_count (ours.listener, LINE_COUNT_OUT) < n_all) {
    check_losses (&ours);
    g_usleep (200);
  }
  reader_wait (&ours.reader, n_all * LINE_LENGTH);
  end = g_get_monotonic_time ();
  ours_end (&ours);
  return (double) n_all * G_USEC_PER_SEC / (double) (end - start);
}

static gint64
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return values[n / 2];
}

/* What else runs on the machine only ever takes away: the best run of each side is the fairest. */
static double
best (const double *values, guint n)
{
  double highest = 0;

  for (guint i = 0; i < n; i++)
    highest = MAX (highest, values[i]);
  return highest;
}

/* What one published line costs the producer, the flush included, at a pace of a tick. */
static double
producer_share (guint n_clients)
{
  enum { N = 400 };
  double shares[N];
  Ours ours;

  ours_start (&ours, n_clients, 0);
  for (guint i = 0; i < N; i++) {
    gint64 start;

    g_usleep (1000);
    start = now_ns ();
    line_server_publish (ours.server, ours.listener, line, LINE_LENGTH - 1);
    line_server_flush (ours.server);
    shares[i] = (double) (now_ns () - start);
  }
  ours_end (&ours);
  return median (shares, N);
}

static void
compare (guint n_clients)
{
  double bare[REPETITIONS], each[REPETITIONS], queued[REPETITIONS];
  double bare_rate, each_rate, queued_rate;

  for (guint i = 0; i < REPETITIONS; i++) {
    bare[i] = run_bare (n_clients);
    each[i] = run_ours (n_clients, 1);
    queued[i] = run_ours (n_clients, LINES_PER_FLUSH);
  }
  bare_rate = best (bare, REPETITIONS);
  each_rate = best (each, REPETITIONS);
  queued_rate = best (queued, REPETITIONS);
  printf ("socket_bare_%u %.0f lines/s\n", n_clients, bare_rate);
  printf ("socket_each_%u %.0f lines/s\n", n_clients, each_rate);
  printf ("socket_each_ratio_%u %.2f of_bare\n", n_clients, each_rate / bare_rate);
  printf ("socket_queued_%u %.0f lines/s\n", n_clients, queued_rate);
  printf ("socket_queued_ratio_%u %.2f of_bare\n", n_clients, queued_rate / bare_rate);
  fflush (stdout);
}

int
main (void)
{
  compare (1);
  compare (10);
  compare (100);
  printf ("socket_tick_share_100 %.0f ns\n", producer_share (100));
  return 0;
}
