/* SPDX-License-Identifier: BSD-3-Clause */
/* A server of lines over TCP, as the simulation's thread uses it. */
#define _GNU_SOURCE
#include "line-server-private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 128
/* Lines on the way from the tick to an I/O thread that gets no processor: the oldest go. */
#define MAX_HANDED_LINES 65536
/* So many do not wait until the I/O thread gets up by itself. */
#define MAX_NAP_LINES 256
#define MAX_HANDED_BYTES ((gsize) 64 * 1024 * 1024)

void
line_server_options_init (LineServerOptions *options)
{
  *options = (LineServerOptions){
    .max_clients = 1024,
    .max_line = 1024 * 1024,
    .max_waiting_lines = 1024,
    .max_newest_lines = 16,
    .max_waiting_bytes = 64 * 1024 * 1024,
    .max_queued_lines = 1024,
    .max_queued_bytes = 8 * 1024 * 1024,
    .max_reply_bytes = 16 * 1024 * 1024,
    .stall_ms = 30 * 1000,
  };
}

/* --- making and ending, by the consumer --- */

LineServer *
line_server_new (const LineServerOptions *options)
{
  LineThread *thread = options->thread != NULL ? options->thread : line_thread_new ();
  LineServer *server;

  if (thread == NULL) {
    int saved = errno;

    line_access_free (options->access);
    errno = saved;
    return NULL;
  }
  server = g_new0 (LineServer, 1);
  g_assert (options->max_clients > 0 && options->max_clients <= LINE_MAX_SLOTS);
  server->options = *options;
  server->thread = thread;
  server->generation = 1;
  server->now = line_now_ms ();
  server->slots = g_new0 (LineClient *, options->max_clients);
  server->scratch = g_malloc (LINE_SCRATCH_SIZE);
  server->gather.text = g_malloc (LINE_SCRATCH_SIZE);
  server->running = TRUE;
  pthread_mutex_init (&server->lock, NULL);
  pthread_mutex_lock (&thread->lock);
  server->next = thread->servers;
  thread->servers = server;
  pthread_mutex_unlock (&thread->lock);
  line_thread_signal (thread);
  return server;
}

void
line_server_stop (LineServer *server, guint timeout_ms)
{
  LineThread *thread = server->thread;

  if (!server->running)
    return;
  line_server_flush (server);
  pthread_mutex_lock (&server->lock);
  server->stop = TRUE;
  server->deadline = line_now_ms () + timeout_ms;
  pthread_mutex_unlock (&server->lock);
  line_thread_signal (thread);
  pthread_mutex_lock (&thread->lock);
  while (!server->ended)
    pthread_cond_wait (&thread->has_ended, &thread->lock);
  pthread_mutex_unlock (&thread->lock);
  server->running = FALSE;
  line_pool_give_list (&thread->tick_pool, &server->sending);
  line_thread_unref (thread);
  server->thread = NULL;
}

static void
free_listener (LineListener *listener)
{
  g_free (listener->log.ring);
  g_free (listener);
}

void
line_server_free (LineServer *server)
{
  line_server_stop (server, 0);
  while (server->listeners != NULL) {
    LineListener *listener = server->listeners;

    server->listeners = listener->next;
    free_listener (listener);
  }
  line_pool_give_list (&server->io_pool, &server->inbox);
  line_pool_give_list (&server->io_pool, &server->taken);
  line_pool_give_list (&server->io_pool, &server->given);
  line_pool_give_list (&server->io_pool, &server->used_in);
  line_pool_clear (&server->io_pool);
  pthread_mutex_destroy (&server->lock);
  line_access_free (server->options.access);
  g_free (server->slots);
  g_free (server->scratch);
  g_free (server->gather.text);
  g_free (server);
}

/* --- listening --- */

typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} Address;

static gboolean
parse_address (const char *text, Address *address, socklen_t *size)
{
  *address = (Address){ 0 };
  if (text == NULL || g_str_equal (text, "localhost"))
    text = "127.0.0.1";
  else if (g_str_equal (text, "*"))
    text = "0.0.0.0";
  *size = sizeof address->v4;
  address->v4.sin_family = AF_INET;
  if (inet_pton (AF_INET, text, &address->v4.sin_addr) == 1)
    return TRUE;
  *address = (Address){ 0 };
  *size = sizeof address->v6;
  address->v6.sin6_family = AF_INET6;
  return inet_pton (AF_INET6, text, &address->v6.sin6_addr) == 1;
}

static void
set_port (Address *address, guint16 port)
{
  if (address->any.sa_family == AF_INET)
    address->v4.sin_port = htons (port);
  else
    address->v6.sin6_port = htons (port);
}

/* Returns the listening socket, or -1 with errno. */
static int
open_port (Address *address, socklen_t size, guint16 port)
{
  int fd = socket (address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int yes = 1;
  int saved;

  if (fd < 0)
    return -1;
  set_port (address, port);
  setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind (fd, &address->any, size) == 0 && listen (fd, BACKLOG) == 0)
    return fd;
  saved = errno;
  close (fd);
  errno = saved;
  return -1;
}

static int
open_first_port (const LineListenOptions *options)
{
  guint tries = MAX (options->tries, 1);
  Address address;
  socklen_t size;
  int fd = -1;

  if (!parse_address (options->address, &address, &size)) {
    errno = EINVAL;
    return -1;
  }
  errno = EADDRINUSE;
  for (guint i = 0; i < tries && options->port + i <= 65535 && errno == EADDRINUSE && fd < 0; i++)
    fd = open_port (&address, size, (guint16) (options->port + i));
  return fd;
}

static guint16
port_of (int fd)
{
  Address address = { 0 };
  socklen_t size = sizeof address;

  getsockname (fd, &address.any, &size);
  return ntohs (address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

static LineListener *
new_listener (LineServer *server, const LineListenOptions *options, int fd)
{
  LineListener *listener = g_new0 (LineListener, 1);
  guint size = 1;

  while (size < server->options.max_queued_lines)
    size *= 2;
  listener->source = (LineSource){ LINE_SOURCE_LISTENER, fd };
  listener->server = server;
  listener->input = options->input;
  listener->end = options->end;
  listener->late = options->late;
  listener->max_clients = options->max_clients;
  listener->port = port_of (fd);
  listener->data = options->data;
  listener->log.ring = g_new0 (LineBlock *, size);
  listener->log.mask = size - 1;
  return listener;
}

int
line_server_listen (LineServer *server, const LineListenOptions *options, LineListener **listener)
{
  int fd;

  g_return_val_if_fail (server->running, ESHUTDOWN);
  fd = open_first_port (options);
  if (fd < 0)
    return errno;
  *listener = new_listener (server, options, fd);
  pthread_mutex_lock (&server->lock);
  (*listener)->next = server->listeners;
  server->listeners = *listener;
  pthread_mutex_unlock (&server->lock);
  return line_watch (server, &(*listener)->source, EPOLL_CTL_ADD, EPOLLIN) < 0 ? errno : 0;
}

char *
line_server_describe_address (const char *address)
{
  if (address == NULL || g_str_equal (address, "127.0.0.1") || g_str_equal (address, "localhost"))
    return g_strdup ("");
  return g_str_equal (address, "*") ? g_strdup (" of all addresses")
                                    : g_strconcat (" of ", address, NULL);
}

const char *
line_server_strerror (int status)
{
  return status == EINVAL ? "that is no IP address" : g_strerror (status);
}

guint16
line_listener_get_port (LineListener *listener)
{
  return listener->port;
}

gpointer
line_listener_get_data (LineListener *listener)
{
  return listener->data;
}

guint64
line_listener_get_count (LineListener *listener, LineCount what)
{
  return atomic_load_explicit (&listener->counts[what], memory_order_relaxed);
}

guint
line_listener_get_n_clients (LineListener *listener)
{
  return atomic_load_explicit (&listener->n_clients, memory_order_relaxed);
}

guint64
line_listener_get_newest (LineListener *listener)
{
  return atomic_load (&listener->newest);
}

/* --- out, by the consumer --- */

static LineBlock *
new_line (LineServer *server, const char *text, gsize length)
{
  LineBlock *block = line_pool_take (&server->thread->tick_pool, length + 1);

  block->server = server;
  memcpy (block->text, text, length);
  block->text[length] = '\n';
  block->length = length + 1;
  return block;
}

void
line_server_publish (LineServer *server, LineListener *listener, const char *text, gsize length)
{
  LineBlock *block;

  if (line_listener_get_n_clients (listener) == 0 || !server->running)
    return;
  block = new_line (server, text, length);
  block->listener = listener;
  block->reach = listener->late ? listener->reach : G_MAXUINT64;
  listener->reach = line_listener_get_newest (listener);
  line_list_append (&server->thread->publishing, block);
}

void
line_server_send (LineServer *server, guint64 client, const char *text, gsize length)
{
  LineBlock *block;

  if (!server->running)
    return;
  block = new_line (server, text, length);
  block->client = client;
  line_list_append (&server->sending, block);
}

void
line_server_hang_up (LineServer *server, guint64 client)
{
  LineBlock *block;

  if (!server->running)
    return;
  block = line_pool_take (&server->thread->tick_pool, 0);
  block->server = server;
  block->client = client;
  block->kind = LINE_EVENT_END;
  line_list_append (&server->sending, block);
}

/* The I/O thread lags behind by more than any client's queue: the oldest lines are lost to all. */
static void
limit_queue (LineThread *thread)
{
  LineList *list = &thread->queue;
  LineBlock *next;

  for (LineBlock *block = list->head; block != NULL; block = next) {
    next = block->next;
    if (list->count <= MAX_HANDED_LINES && list->bytes <= MAX_HANDED_BYTES)
      return;
    /* Of what is sent to one client nothing is lost. The newest line is kept whatever its size. */
    if (block->listener == NULL || next == NULL)
      continue;
    line_count (block->listener, LINE_COUNT_OUT_LOST,
                line_listener_get_n_clients (block->listener));
    line_list_remove (list, block);
    line_pool_give (&thread->tick_pool, block);
  }
}

void
line_server_flush (LineServer *server)
{
  LineThread *thread = server->thread;
  LineList used = { 0 };
  gboolean urgent = server->sending.count > 0;

  if (!server->running || (thread->publishing.count == 0 && server->sending.count == 0))
    return;
  pthread_mutex_lock (&thread->lock);
  line_list_splice (&thread->queue, &thread->publishing);
  line_list_splice (&thread->queue, &server->sending);
  line_list_splice (&used, &thread->used_out);
  limit_queue (thread);
  urgent |= thread->queue.count > MAX_NAP_LINES;
  pthread_mutex_unlock (&thread->lock);
  line_pool_give_list (&thread->tick_pool, &used);
  if (urgent || !atomic_load (&thread->napping))
    line_thread_signal (thread);
  else
    thread->untold = TRUE;
}

void
line_server_hurry (LineServer *server)
{
  if (server->running && server->thread->untold)
    line_thread_signal (server->thread);
}

/* --- in, by the consumer --- */

guint
line_server_take (LineServer *server)
{
  gboolean paused;

  line_list_splice (&server->given, &server->taken);
  pthread_mutex_lock (&server->lock);
  line_list_splice (&server->used_in, &server->given);
  line_list_splice (&server->taken, &server->inbox);
  server->generation++;
  paused = server->n_paused > 0;
  pthread_mutex_unlock (&server->lock);
  if (paused && server->running)
    line_thread_signal (server->thread);
  return server->taken.count;
}

gboolean
line_server_next (LineServer *server, LineEvent *event)
{
  LineBlock *block = line_list_pop (&server->taken);

  if (block == NULL)
    return FALSE;
  *event = (LineEvent){ block->kind, block->listener, block->client, block->text, block->length };
  line_list_append (&server->given, block);
  return TRUE;
}

gsize
line_listener_take_raw (LineListener *listener, gsize max)
{
  LineServer *server = listener->server;
  gboolean paused;
  gsize n;

  pthread_mutex_lock (&server->lock);
  n = MIN (listener->raw_waiting, max);
  listener->raw_waiting -= n;
  paused = server->n_paused > 0;
  pthread_mutex_unlock (&server->lock);
  if (paused && server->running)
    line_thread_signal (server->thread);
  return n;
}
