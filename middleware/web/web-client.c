/* SPDX-License-Identifier: BSD-3-Clause */
/* A WebSocket: what comes in, and the queue of what goes out. */
#define _GNU_SOURCE
#include "web-server-private.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* What is read of one client before others have their turn. */
#define READ_SIZE ((gsize) 64 * 1024)
/* Parts of frames in one system call. */
#define MAX_PARTS 32
/* A client for which so much waits that may not be dropped is not read: it asks more than it
 * takes. */
#define MAX_UNANSWERED ((gsize) 1024 * 1024)
/* What the system holds beyond what is on the way; the rest waits where it can still be dropped. */
#define MAX_UNSENT (128 * 1024)
/* How long one that was said goodbye to has to answer. */
#define GOODBYE_MS 2000
/* Channels of a client that are remembered while nothing of them waits. */
#define KEPT_CHANNELS 256
/* Clients that have their turn before other sources have theirs. */
#define CLIENTS_PER_ROUND 64

/* --- queue --- */

static WebWaiting *
get_waiting (WebClient *client, guint64 channel)
{
  WebWaiting *waiting = g_hash_table_lookup (client->channels, &channel);

  if (waiting == NULL) {
    waiting = g_new0 (WebWaiting, 1);
    waiting->channel = channel;
    g_hash_table_add (client->channels, waiting);
  }
  return waiting;
}

static void
remove_frame (WebClient *client, WebFrame *frame)
{
  WebWaiting *waiting = frame->waiting;

  g_queue_unlink (&client->queue, &frame->link);
  if (waiting == NULL)
    client->n_control -= frame->length;
  else
    client->n_data -= frame->length;
  if (waiting != NULL && --waiting->n == 0 && g_hash_table_size (client->channels) > KEPT_CHANNELS)
    g_hash_table_remove (client->channels, &waiting->channel);
  if (client->pong == frame)
    client->pong = NULL;
  g_bytes_unref (frame->bytes);
  g_free (frame);
}

/* Whether a part of it has been sent, so that the rest must be. */
static gboolean
has_begun (const WebClient *client, const WebFrame *frame)
{
  return frame == client->queue.head->data && client->sent > 0;
}

/* Drops the oldest one that has not begun: of a channel, or of all. */
static gboolean
drop_oldest (WebClient *client, const WebWaiting *channel)
{
  for (GList *at = client->queue.head; at != NULL; at = at->next) {
    WebFrame *frame = at->data;

    if (frame->waiting == NULL || has_begun (client, frame) ||
        (channel != NULL && frame->waiting != channel))
      continue;
    remove_frame (client, frame);
    client->n_dropped++;
    web_count (client->server, WEB_COUNT_DROPPED);
    return TRUE;
  }
  return FALSE;
}

static WebFrame *
add_frame (WebClient *client, WebOpcode opcode, const guint8 *head, gsize n_head, GBytes *bytes)
{
  WebFrame *frame = g_new0 (WebFrame, 1);
  gsize length = g_bytes_get_size (bytes);

  frame->link.data = frame;
  frame->bytes = g_bytes_ref (bytes);
  frame->n_header = web_frame_write_header (frame->header, opcode, n_head + length);
  if (n_head > 0)
    memcpy (frame->header + frame->n_header, head, n_head);
  frame->n_header += (guint) n_head;
  frame->length = frame->n_header + length;
  if (client->queue.length == 0)
    client->progress = web_now_ms ();
  g_queue_push_tail_link (&client->queue, &frame->link);
  return frame;
}

/* --- out --- */

/* Names the parts of frames that are still to be sent. Returns: how many */
static guint
list_parts (WebClient *client, struct iovec parts[MAX_PARTS])
{
  gsize skip = client->sent;
  guint n = 0;

  for (GList *at = client->queue.head; at != NULL && n + 2 <= MAX_PARTS; at = at->next) {
    WebFrame *frame = at->data;
    gsize length, in_header = MIN (skip, frame->n_header);
    const guint8 *data = g_bytes_get_data (frame->bytes, &length);

    parts[n] = (struct iovec){ frame->header + in_header, frame->n_header - in_header };
    n += parts[n].iov_len > 0;
    skip -= in_header;
    parts[n] = (struct iovec){ (guint8 *) data + skip, length - skip };
    n += parts[n].iov_len > 0;
    skip = 0;
  }
  return n;
}

/* Nothing follows a close frame. */
static void
end_output (WebClient *client)
{
  while (client->queue.length > 0)
    remove_frame (client, client->queue.head->data);
  client->sent = 0;
  shutdown (client->fd, SHUT_WR);
}

static void
note_sent (WebClient *client, gsize n)
{
  client->progress = web_now_ms ();
  client->sent += n;
  while (client->queue.length > 0) {
    WebFrame *frame = client->queue.head->data;
    gboolean is_close = frame->is_close;

    if (client->sent < frame->length)
      return;
    client->sent -= frame->length;
    remove_frame (client, frame);
    web_count (client->server, WEB_COUNT_OUT);
    if (is_close) {
      end_output (client);
      return;
    }
  }
}

/* Returns: whether the system took something */
static gboolean
write_once (WebClient *client)
{
  struct iovec parts[MAX_PARTS];
  struct msghdr message = { .msg_iov = parts };
  ssize_t n;

  message.msg_iovlen = list_parts (client, parts);
  do {
    n = sendmsg (client->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  if (n < 0 && errno != EAGAIN)
    web_client_end (client);
  if (n <= 0)
    return FALSE;
  note_sent (client, (gsize) n);
  return TRUE;
}

/* Has the system tell what the client waits for now. */
static void
watch (WebClient *client, int how)
{
  guint32 events =
      (client->n_control < MAX_UNANSWERED ? EPOLLIN : 0) | (client->is_full ? EPOLLOUT : 0);
  struct epoll_event event = { .events = events, .data.u64 = client->number };

  if (client->ended || (how == EPOLL_CTL_MOD && events == client->events))
    return;
  client->events = events;
  if (epoll_ctl (client->server->epoll, how, client->fd, &event) < 0)
    web_client_end (client);
}

static void
write_all (WebClient *client)
{
  while (client->queue.length > 0 && !client->ended && write_once (client))
    continue;
  client->is_full = client->queue.length > 0;
  watch (client, EPOLL_CTL_MOD);
}

static void
unlink_client (WebClient *client)
{
  if (client->is_linked)
    g_queue_unlink (&client->server->outgoing, &client->link);
  client->is_linked = FALSE;
}

void
web_clients_write (WebServer *server)
{
  while (server->outgoing.length > 0) {
    WebClient *client = server->outgoing.head->data;

    unlink_client (client);
    write_all (client);
  }
}

/* Waits until the functions that send have returned, so that what is sent together leaves
 * together. */
static void
send_soon (WebClient *client)
{
  if (client->is_full || client->is_linked)
    return;
  g_queue_push_tail_link (&client->server->outgoing, &client->link);
  client->is_linked = TRUE;
}

static void
send_control (WebClient *client, WebOpcode opcode, GBytes *bytes)
{
  WebFrame *frame;

  if (client->ended || client->closing)
    return;
  frame = add_frame (client, opcode, NULL, 0, bytes);
  client->n_control += frame->length;
  if (client->n_control > client->server->options.max_control) {
    web_count (client->server, WEB_COUNT_STALLED);
    web_client_end (client);
    return;
  }
  send_soon (client);
}

static WebOpcode
opcode_of (WebKind kind)
{
  return kind == WEB_TEXT ? WEB_OPCODE_TEXT : WEB_OPCODE_BINARY;
}

void
web_client_send (WebClient *client, WebKind kind, GBytes *bytes)
{
  send_control (client, opcode_of (kind), bytes);
}

/* Only the last ping needs an answer. */
static void
send_pong (WebClient *client, GBytes *bytes)
{
  if (client->ended || client->closing)
    return;
  if (client->pong != NULL && !has_begun (client, client->pong))
    remove_frame (client, client->pong);
  client->pong = add_frame (client, WEB_OPCODE_PONG, NULL, 0, bytes);
  client->n_control += client->pong->length;
  send_soon (client);
}

void
web_client_share_newest (WebClient *client, WebKind kind, const guint8 *head, gsize n_head,
                         GBytes *bytes, guint64 channel, guint keep)
{
  WebWaiting *waiting;
  WebFrame *frame;

  g_return_if_fail (n_head <= WEB_MAX_HEAD);
  if (client->ended || client->closing)
    return;
  keep = MAX (keep, 1);
  waiting = get_waiting (client, channel);
  if (client->queue.length > 0) {
    const WebFrame *first = client->queue.head->data;

    /* That one waits no longer. */
    keep += first->waiting == waiting && has_begun (client, first);
  }
  /* Counted first, so that it is not forgotten when the last of the older ones goes. */
  waiting->n++;
  while (waiting->n > keep && drop_oldest (client, waiting))
    continue;
  /* The newest is kept whatever its size. */
  while (client->n_data + n_head + g_bytes_get_size (bytes) > client->server->options.max_data &&
         drop_oldest (client, NULL))
    continue;
  frame = add_frame (client, opcode_of (kind), head, n_head, bytes);
  frame->waiting = waiting;
  client->n_data += frame->length;
  send_soon (client);
}

void
web_client_send_newest (WebClient *client, WebKind kind, GBytes *bytes, guint64 channel, guint keep)
{
  web_client_share_newest (client, kind, NULL, 0, bytes, channel, keep);
}

void
web_client_close (WebClient *client, guint code, const char *why)
{
  g_autoptr (GBytes) bytes = NULL;
  guint8 text[WEB_FRAME_MAX_CONTROL];
  gsize length = MIN (strlen (why), sizeof text - 2);
  WebFrame *frame;

  if (client->ended || client->closing)
    return;
  text[0] = (guint8) (code >> 8);
  text[1] = (guint8) code;
  memcpy (text + 2, why, length);
  bytes = g_bytes_new (text, code != WEB_CLOSE_NO_STATUS ? length + 2 : 0);
  frame = add_frame (client, WEB_OPCODE_CLOSE, NULL, 0, bytes);
  frame->is_close = TRUE;
  client->n_control += frame->length;
  client->closing = TRUE;
  client->close_deadline = web_now_ms () + GOODBYE_MS;
  send_soon (client);
}

/* --- in --- */

/* A number that RFC 6455 has for the use in a frame. */
static gboolean
is_good_code (guint code)
{
  return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
         (code >= 3000 && code <= 4999);
}

static void
answer_close (WebClient *client, const guint8 *bytes, gsize length)
{
  guint code = length >= 2 ? (guint) bytes[0] << 8 | bytes[1] : WEB_CLOSE_NO_STATUS;

  /* Its answer, unless both said goodbye at once. */
  if (client->closing && client->queue.length == 0)
    web_client_end (client);
  else if (client->closing)
    return;
  else if (length == 1 || (length >= 2 && !is_good_code (code)))
    web_client_close (client, WEB_CLOSE_PROTOCOL, "");
  else
    web_client_close (client, code, "");
}

static gboolean
on_frame (gpointer data, WebOpcode opcode, const guint8 *bytes, gsize length)
{
  WebClient *client = data;
  const WebSocketFuncs *funcs = client->path->funcs;
  g_autoptr (GBytes) copy = NULL;

  switch (opcode) {
  case WEB_OPCODE_CLOSE:
    answer_close (client, bytes, length);
    return FALSE;
  case WEB_OPCODE_PING:
    copy = g_bytes_new (bytes, length);
    send_pong (client, copy);
    break;
  case WEB_OPCODE_PONG:
    break;
  default:
    web_count (client->server, WEB_COUNT_IN);
    if (funcs->message != NULL && !client->closing)
      funcs->message (client->path->data, client, opcode == WEB_OPCODE_TEXT ? WEB_TEXT : WEB_BINARY,
                      (const char *) bytes, length);
  }
  return !client->ended;
}

static void
take_in (WebClient *client, const guint8 *data, gsize length)
{
  guint code = web_frames_feed (&client->frames, data, length);

  if (code == 0 || client->ended)
    return;
  web_count (client->server, WEB_COUNT_BROKEN);
  /* What else it sends makes no sense, but is read: it would not get to read why, otherwise. */
  client->is_deaf = TRUE;
  web_client_close (client, code,
                    code == WEB_CLOSE_TOO_LARGE  ? "message too long"
                    : code == WEB_CLOSE_NOT_TEXT ? "not UTF-8"
                                                 : "no frame of RFC 6455");
}

static void
read_once (WebClient *client)
{
  g_autoptr (GError) error = NULL;
  static __thread guint8 buffer[READ_SIZE];
  gssize n = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (client->input),
                                                       buffer, sizeof buffer, NULL, &error);

  if (n > 0 && !client->is_deaf)
    take_in (client, buffer, (gsize) n);
  else if (n == 0 || (n < 0 && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)))
    web_client_end (client);
  watch (client, EPOLL_CTL_MOD);
}

gboolean
web_clients_run (gint fd, GIOCondition condition, gpointer data)
{
  WebServer *server = data;
  struct epoll_event events[CLIENTS_PER_ROUND];
  int n = epoll_wait (fd, events, CLIENTS_PER_ROUND, 0);

  for (int i = 0; i < n; i++) {
    WebClient *client = web_server_find_client (server, events[i].data.u64);

    if (client == NULL)
      continue;
    if ((events[i].events & EPOLLOUT) != 0)
      write_all (client);
    /* Errors are found by reading. */
    if ((events[i].events & ~(guint32) EPOLLOUT) != 0 && !client->ended)
      read_once (client);
  }
  return G_SOURCE_CONTINUE;
}

/* --- life --- */

static void
set_up_socket (WebClient *client)
{
  int unsent = MAX_UNSENT, size = client->server->options.send_buffer;

  setsockopt (client->fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
  if (size > 0)
    setsockopt (client->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

WebClient *
web_client_new (WebServer *server, WebPath *path, GIOStream *stream, int fd, const char *protocol)
{
  WebClient *client = g_new0 (WebClient, 1);

  client->server = server;
  client->path = path;
  client->number = ++server->last_number;
  client->stream = stream;
  client->input = g_io_stream_get_input_stream (stream);
  client->fd = fd;
  client->protocol = g_strdup (protocol);
  client->link.data = client;
  client->channels = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  client->progress = web_now_ms ();
  web_frames_init (&client->frames, server->options.max_message, on_frame, client);
  set_up_socket (client);
  g_hash_table_insert (server->clients, &client->number, client);
  atomic_fetch_add (&server->n_clients, 1);
  web_count (server, WEB_COUNT_OPENED);
  if (path->funcs->open != NULL)
    path->funcs->open (path->data, client);
  watch (client, EPOLL_CTL_ADD);
  /* Of what libsoup has read the system does not tell. */
  if (!client->ended)
    read_once (client);
  return client;
}

void
web_client_end (WebClient *client)
{
  if (client->ended)
    return;
  client->ended = TRUE;
  client->is_full = FALSE;
  g_ptr_array_add (client->server->gone, client);
  unlink_client (client);
  epoll_ctl (client->server->epoll, EPOLL_CTL_DEL, client->fd, NULL);
  shutdown (client->fd, SHUT_RDWR);
  g_main_context_wakeup (client->server->context);
}

void
web_client_free (WebClient *client)
{
  /* Whoever is told that it has gone finds it counted. */
  atomic_fetch_sub (&client->server->n_clients, 1);
  web_count (client->server, WEB_COUNT_CLOSED);
  if (client->path->funcs->close != NULL)
    client->path->funcs->close (client->path->data, client);
  g_hash_table_remove (client->server->clients, &client->number);
  while (client->queue.length > 0)
    remove_frame (client, client->queue.head->data);
  g_hash_table_unref (client->channels);
  web_frames_clear (&client->frames);
  g_io_stream_close (client->stream, NULL, NULL);
  g_object_unref (client->stream);
  g_free (client->protocol);
  g_free (client);
}

void
web_client_check (WebClient *client, gint64 now)
{
  gboolean stalled = client->queue.length > 0 &&
                     now - client->progress > (gint64) client->server->options.stall_ms;

  if (client->ended || (!stalled && !(client->closing && now > client->close_deadline)))
    return;
  if (stalled)
    web_count (client->server, WEB_COUNT_STALLED);
  web_client_end (client);
}

guint64
web_client_get_number (WebClient *client)
{
  return client->number;
}

void
web_client_set_data (WebClient *client, gpointer data)
{
  client->data = data;
}

gpointer
web_client_get_data (WebClient *client)
{
  return client->data;
}

const char *
web_client_get_protocol (WebClient *client)
{
  return client->protocol;
}

guint64
web_client_get_dropped (WebClient *client)
{
  return client->n_dropped;
}

gsize
web_client_get_waiting (WebClient *client)
{
  int n = 0;

  if (ioctl (client->fd, SIOCOUTQ, &n) < 0)
    n = 0;
  return client->n_data + client->n_control - client->sent + (gsize) n;
}
