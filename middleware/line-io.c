/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread of a line server: accepts clients, reads and writes. */
#define _GNU_SOURCE
#include "line-server-private.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS_PER_ROUND 64
/* How long no connection is taken when the system has no descriptor left, ms. */
#define ACCEPT_PAUSE 100
/* How often it is looked whether the rest of a token's line has come, ms. */
#define HALF_TOKEN_PAUSE 100
/* How often it is asked whether a client that sends no more has gone, ms. */
#define GONE_PAUSE 1000
/* Lines that come more often than this, ms, are looked for rather than announced. */
#define NAP_INTERVAL 40
/* What a stop waits at most for the last lines to arrive, ms. */
#define GOODBYE_MS 50

gint64
line_now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

int
line_watch (LineServer *server, LineSource *source, int how, guint32 events)
{
  struct epoll_event event = { .events = events, .data.ptr = source };

  source->server = server;
  return epoll_ctl (server->thread->epoll_fd, how, source->fd, &event);
}

/* --- connections --- */

void
line_client_watch (LineServer *server, LineClient *client)
{
  gboolean reading = !client->paused && !client->ended;
  guint32 events = (reading ? EPOLLIN : 0) | (client->blocked ? EPOLLOUT : 0);
  int how = EPOLL_CTL_MOD;

  /* The system would tell of its end until it is closed. */
  if (client->lost)
    how = client->paused ? EPOLL_CTL_DEL : EPOLL_CTL_ADD;
  line_watch (server, &client->source, how, events);
}

static gboolean
listener_is_full (LineListener *listener)
{
  guint n = atomic_load_explicit (&listener->n_clients, memory_order_relaxed);

  return listener->max_clients > 0 && n >= listener->max_clients;
}

static void
set_asleep (LineServer *server, LineListener *listener, gboolean asleep)
{
  if (listener->asleep == asleep || listener->source.fd < 0)
    return;
  listener->asleep = asleep;
  server->n_asleep += asleep ? 1 : -1;
  line_watch (server, &listener->source, EPOLL_CTL_MOD, asleep ? 0 : EPOLLIN);
}

static void
wake_listeners (LineServer *server)
{
  pthread_mutex_lock (&server->lock);
  for (LineListener *listener = server->listeners; listener != NULL; listener = listener->next) {
    if (listener->asleep && !listener_is_full (listener))
      set_asleep (server, listener, FALSE);
  }
  pthread_mutex_unlock (&server->lock);
}

static guint
find_slot (LineServer *server)
{
  guint slot = 0;

  while (slot < server->n_slots && server->slots[slot] != NULL)
    slot++;
  server->n_slots = MAX (server->n_slots, slot + 1);
  return slot;
}

static LineClient *
find_client (LineServer *server, guint64 number)
{
  guint slot = number & (LINE_MAX_SLOTS - 1);
  LineClient *client = slot < server->n_slots ? server->slots[slot] : NULL;

  return client != NULL && client->number == number ? client : NULL;
}

static void
link_client (LineServer *server, LineListener *listener, LineClient *client)
{
  guint slot = find_slot (server);

  server->slots[slot] = client;
  server->n_clients++;
  client->number = (++server->serial << LINE_SLOT_BITS) | slot;
  client->listener = listener;
  client->position = listener->log.end;
  atomic_store (&listener->newest, client->number);
  client->next = listener->clients;
  if (client->next != NULL)
    client->next->previous = client;
  listener->clients = client;
}

static void
unlink_client (LineServer *server, LineClient *client)
{
  LineListener *listener = client->listener;

  server->slots[client->number & (LINE_MAX_SLOTS - 1)] = NULL;
  server->n_clients--;
  if (client->previous != NULL)
    client->previous->next = client->next;
  else
    listener->clients = client->next;
  if (client->next != NULL)
    client->next->previous = client->previous;
}

void
line_client_add (LineServer *server, LineListener *listener, int fd, gboolean is_local)
{
  LineClient *client = g_new0 (LineClient, 1);
  int yes = 1;

  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  if (server->options.send_buffer > 0)
    setsockopt (fd, SOL_SOCKET, SO_SNDBUF, &server->options.send_buffer, sizeof (int));
  client->source = (LineSource){ LINE_SOURCE_CLIENT, fd, server };
  client->is_local = is_local;
  link_client (server, listener, client);
  line_count (listener, LINE_COUNT_ACCEPTED, 1);
  atomic_fetch_add (&listener->n_clients, 1);
  server->news |= listener->input == LINE_INPUT_RAW;
  if (line_watch (server, &client->source, EPOLL_CTL_ADD, EPOLLIN) < 0)
    line_client_close (server, client);
}

/* A client that has shut down its side may have gone: it is dropped in favour of a new one. */
static gboolean
has_place (LineServer *server)
{
  for (guint i = 0; i < server->n_slots && server->n_clients >= server->options.max_clients; i++) {
    LineClient *client = server->slots[i];

    if (client != NULL && client->ended && !line_client_has_output (client))
      line_client_close (server, client);
  }
  return server->n_clients < server->options.max_clients;
}

gboolean
line_has_place (LineServer *server, LineListener *listener)
{
  return !listener_is_full (listener) && has_place (server);
}

/* Takes one connection; FALSE if there is none, or none can be taken now. */
static gboolean
accept_one (LineServer *server, LineListener *listener)
{
  int fd;

  if (listener_is_full (listener)) {
    set_asleep (server, listener, TRUE);
    return FALSE;
  }
  fd = accept4 (listener->source.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED))
    return errno != EAGAIN;
  if (fd < 0) {
    line_count (listener, LINE_COUNT_ACCEPT_FAILED, 1);
    set_asleep (server, listener, TRUE);
    return FALSE;
  }
  if (has_place (server)) {
    line_receive (server, listener, fd);
  } else {
    line_count (listener, LINE_COUNT_REFUSED, 1);
    close (fd);
  }
  return TRUE;
}

static void
leave_inbox (LineServer *server, LineClient *client)
{
  LineListener *listener = client->listener;

  pthread_mutex_lock (&server->lock);
  if (client->paused)
    server->n_paused--;
  if (listener->end == LINE_END_REPORT && !client->leaving)
    line_client_report_gone (server, client);
  if (atomic_fetch_sub (&listener->n_clients, 1) == 1)
    listener->raw_waiting = 0;
  pthread_mutex_unlock (&server->lock);
}

static void
drop_blocks (LineServer *server, LineClient *client)
{
  LineBlock *reply;

  if (client->half != NULL || client->rest != NULL)
    line_count (client->listener, LINE_COUNT_IN_HALF, 1);
  if (client->half != NULL)
    line_pool_give (&server->io_pool, client->half);
  if (client->rest != NULL)
    line_pool_give (&server->io_pool, client->rest);
  if (client->current != NULL)
    line_block_done (server, client->current);
  while ((reply = line_list_pop (&client->replies)) != NULL)
    line_block_done (server, reply);
}

void
line_client_close (LineServer *server, LineClient *client)
{
  LineListener *listener = client->listener;

  if (client->dead)
    return;
  client->dead = TRUE;
  close (client->source.fd);
  unlink_client (server, client);
  leave_inbox (server, client);
  drop_blocks (server, client);
  if (client->blocked)
    server->n_blocked--;
  if (client->ended && listener->end == LINE_END_REPORT)
    server->n_ended--;
  line_count (listener, LINE_COUNT_CLOSED, 1);
  server->news |= listener->input == LINE_INPUT_RAW;
  line_listener_touch (server, listener);
  client->next = server->dead;
  server->dead = client;
  if (server->n_asleep > 0)
    wake_listeners (server);
}

void
line_client_lose (LineServer *server, LineClient *client)
{
  client->lost = TRUE;
  while (!client->dead && !client->paused && !client->ended && line_client_read (server, client))
    ;
  if (client->dead)
    return;
  /* Where the inbox is full, the rest is read when there is room. */
  if (client->paused)
    line_client_watch (server, client);
  else
    line_client_close (server, client);
}

/* --- a round --- */

static void
handle_client (LineServer *server, LineClient *client, guint32 events)
{
  if (events & (EPOLLERR | EPOLLHUP)) {
    line_client_lose (server, client);
    return;
  }
  if (events & EPOLLIN)
    line_client_read (server, client);
  if (!client->dead && (events & EPOLLOUT)) {
    line_client_write (server, client);
    line_listener_touch (server, client->listener);
  }
}

static void
handle_event (LineServer *server, const struct epoll_event *event)
{
  LineSource *source = event->data.ptr;

  if (source->kind == LINE_SOURCE_CLIENT)
    handle_client (server, (LineClient *) source, event->events);
  else if (source->kind == LINE_SOURCE_STRANGER)
    line_stranger_read (server, (LineStranger *) source);
  else if (source->kind == LINE_SOURCE_LISTENER)
    for (guint i = 0; i < EVENTS_PER_ROUND; i++)
      if (!accept_one (server, (LineListener *) source))
        break;
}

static void
resume_clients (LineServer *server)
{
  for (guint i = 0; i < server->n_slots; i++) {
    if (server->slots[i] != NULL && server->slots[i]->paused)
      line_client_resume (server, server->slots[i]);
  }
}

static void
queue_line (LineServer *server, LineBlock *block)
{
  LineClient *client;

  if (block->listener != NULL) {
    line_listener_queue (server, block);
    return;
  }
  client = find_client (server, block->client);
  if (client != NULL && block->kind == LINE_EVENT_END)
    line_client_dismiss (server, client);
  if (client != NULL && block->kind == LINE_EVENT_LINE)
    line_client_queue (server, client, block);
  else
    line_block_done (server, block);
}

/* Lines leave in the order in which they were handed over; those that go the same way one after
 * the other leave together. */
static void
write_queue (LineList *queue)
{
  LineBlock *block;

  while ((block = line_list_pop (queue)) != NULL) {
    LineServer *server = block->server;
    LineListener *listener = block->listener;
    guint64 client = block->client;

    queue_line (server, block);
    if (queue->head == NULL || queue->head->server != server || queue->head->listener != listener ||
        queue->head->client != client)
      line_server_write_all (server);
  }
}

/* Gives and takes what crosses the lock of a server. */
static void
exchange (LineServer *server)
{
  LineList used = { 0 };
  gboolean paused;

  pthread_mutex_lock (&server->lock);
  line_list_splice (&used, &server->used_in);
  paused = server->n_paused > 0;
  server->stopping = server->stop;
  server->stop_deadline = server->deadline;
  pthread_mutex_unlock (&server->lock);

  line_pool_give_list (&server->io_pool, &used);
  if (paused)
    resume_clients (server);
}

/* The servers come first: one that stops has handed over its last lines before. */
static void
exchange_all (LineThread *thread)
{
  LineList queue = { 0 };

  /* Before anything is taken: who adds to it later has to signal again. */
  atomic_store (&thread->signalled, false);
  pthread_mutex_lock (&thread->lock);
  thread->known = thread->servers;
  thread->quitting = thread->quit;
  pthread_mutex_unlock (&thread->lock);
  for (LineServer *server = thread->known; server != NULL; server = server->next) {
    server->now = thread->now;
    exchange (server);
  }
  pthread_mutex_lock (&thread->lock);
  line_list_splice (&queue, &thread->queue);
  line_list_splice (&thread->used_out, &thread->done_out);
  pthread_mutex_unlock (&thread->lock);
  thread->idle = queue.count == 0;
  if (!thread->idle) {
    thread->line_interval = thread->now - thread->last_lines;
    thread->last_lines = thread->now;
  }
  write_queue (&queue);
}

static void
close_stalled (LineServer *server)
{
  for (guint i = 0; i < server->n_slots && server->n_blocked > 0; i++) {
    LineClient *client = server->slots[i];

    if (client == NULL || !client->blocked)
      continue;
    if (server->now - client->progress >= server->options.stall_ms) {
      line_count (client->listener, LINE_COUNT_STALLED, 1);
      line_client_close (server, client);
    }
  }
}

/* Over TCP a client that waits for its answers and one that was killed look alike; the system knows
 * which of its own sockets have no process any more. */
static void
close_gone (LineServer *server)
{
  guint uid;

  if (server->now - server->looked < GONE_PAUSE)
    return;
  server->looked = server->now;
  for (guint i = 0; i < server->n_slots; i++) {
    LineClient *client = server->slots[i];

    if (client != NULL && client->ended && client->is_local &&
        client->listener->end == LINE_END_REPORT &&
        !line_peer_find (server->thread->diag_fd, client->source.fd, &uid))
      line_client_close (server, client);
  }
}

static void
bury_dead (LineServer *server)
{
  while (server->dead != NULL) {
    LineClient *client = server->dead;

    server->dead = client->next;
    g_free (client);
  }
}

/* Waking a thread that sleeps can cost the waker ten microseconds; a tick that publishes regularly
 * is spared that by a thread that gets up by itself. */
static gboolean
should_nap (LineThread *thread)
{
  return !thread->quitting && thread->line_interval < NAP_INTERVAL &&
         thread->now - thread->last_lines < NAP_INTERVAL;
}

static int
quiet_timeout (LineServer *server)
{
  guint stall_ms = server->options.stall_ms;

  if (server->stopping)
    return (int) CLAMP (server->stop_deadline - server->now, 0, 100);
  if (server->n_asleep > 0)
    return ACCEPT_PAUSE;
  if (server->half_tokens)
    return HALF_TOKEN_PAUSE;
  if (server->n_blocked > 0)
    return (int) CLAMP (stall_ms / 4, 10, 1000);
  return server->n_ended > 0 ? GONE_PAUSE : line_strangers_timeout (server);
}

static int
quiet_timeout_of_all (LineThread *thread)
{
  int shortest = -1;

  for (LineServer *server = thread->known; server != NULL; server = server->next) {
    int timeout = quiet_timeout (server);

    if (timeout >= 0 && (shortest < 0 || timeout < shortest))
      shortest = timeout;
  }
  return shortest;
}

static int
round_timeout (LineThread *thread)
{
  gboolean napping = atomic_load (&thread->napping);
  gboolean nap = should_nap (thread);

  if (nap != napping)
    atomic_store (&thread->napping, nap);
  /* Whoever handed over lines while this was still set has not signalled: look once more. */
  if (napping && !nap)
    return 0;
  if (!nap)
    return quiet_timeout_of_all (thread);
  if (!thread->idle)
    return 0;
  return thread->line_interval < 4 ? 1 : 2;
}

/* --- the end --- */

static void
close_listeners (LineServer *server)
{
  pthread_mutex_lock (&server->lock);
  for (LineListener *listener = server->listeners; listener != NULL; listener = listener->next) {
    if (listener->source.fd >= 0)
      close (listener->source.fd);
    listener->source.fd = -1;
    listener->asleep = FALSE;
  }
  server->n_asleep = 0;
  pthread_mutex_unlock (&server->lock);
}

static gboolean
has_output (LineServer *server)
{
  for (guint i = 0; i < server->n_slots; i++) {
    if (server->slots[i] != NULL && line_client_has_output (server->slots[i]))
      return TRUE;
  }
  return FALSE;
}

/* Of one that stops, once its clients have read what there is, or have had the time. */
static void
end_server (LineServer *server)
{
  LineThread *thread = server->thread;
  LineServer **at = &thread->servers;
  gint64 deadline = line_now_ms () + GOODBYE_MS;

  for (guint i = 0; i < server->n_slots; i++) {
    if (server->slots[i] == NULL)
      continue;
    line_say_goodbye_until (server, server->slots[i]->source.fd, deadline);
    line_client_close (server, server->slots[i]);
  }
  line_strangers_tend (server, TRUE);
  bury_dead (server);
  for (LineListener *listener = server->listeners; listener != NULL; listener = listener->next)
    line_listener_forget (server, listener);
  pthread_mutex_lock (&thread->lock);
  while (*at != server)
    at = &(*at)->next;
  *at = server->next;
  server->ended = TRUE;
  pthread_cond_broadcast (&thread->has_ended);
  pthread_mutex_unlock (&thread->lock);
}

/* --- the thread --- */

static void
end_round (LineServer *server)
{
  if (server->half_tokens)
    line_half_tokens_tend (server);
  if (server->news && server->options.wake != NULL)
    server->options.wake (server->options.wake_data);
  server->news = FALSE;
  line_server_write_all (server);
  if (server->n_blocked > 0)
    close_stalled (server);
  if (server->n_ended > 0)
    close_gone (server);
  if (server->n_strangers > 0)
    line_strangers_tend (server, FALSE);
  bury_dead (server);
  if (!server->stopping)
    return;
  close_listeners (server);
  if (!has_output (server) || server->now >= server->stop_deadline)
    end_server (server);
}

static void
do_round (LineThread *thread)
{
  struct epoll_event events[EVENTS_PER_ROUND];
  int n = epoll_wait (thread->epoll_fd, events, EVENTS_PER_ROUND, round_timeout (thread));
  LineServer *next;

  thread->now = line_now_ms ();
  for (LineServer *server = thread->known; server != NULL; server = server->next)
    server->now = thread->now;
  for (int i = 0; i < n; i++)
    handle_event (((LineSource *) events[i].data.ptr)->server, &events[i]);
  for (LineServer *server = thread->known; server != NULL && n == 0; server = server->next) {
    if (server->n_asleep > 0)
      wake_listeners (server);
  }
  exchange_all (thread);
  for (LineServer *server = thread->known; server != NULL; server = next) {
    next = server->next;
    end_round (server);
  }
  pthread_mutex_lock (&thread->lock);
  thread->known = thread->servers;
  pthread_mutex_unlock (&thread->lock);
}

void *
line_io_main (void *data)
{
  LineThread *thread = data;

  while (!thread->quitting)
    do_round (thread);
  return NULL;
}
