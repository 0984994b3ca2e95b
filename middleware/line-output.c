/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes lines to clients. */
#include "line-server-private.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Longer lines are sent from where they are; copying them would cost more than it saves. */
#define MAX_GATHERED ((gsize) 4096)
#define MAX_PIECES 64

void
line_block_done (LineServer *server, LineBlock *block)
{
  g_assert (block->references > 0);
  if (--block->references == 0)
    line_list_append (&server->thread->done_out, block);
}

/* --- the log of a listener --- */

static LineBlock *
log_line (LineLog *log, guint64 number)
{
  return log->ring[number & log->mask];
}

static void
log_forget_first (LineServer *server, LineLog *log)
{
  LineBlock *block = log_line (log, log->first);

  log->first++;
  log->bytes -= block->length;
  line_block_done (server, block);
}

/* The oldest line makes room; who has not begun it loses it. */
static void
lose_first (LineServer *server, LineListener *listener)
{
  guint64 first = listener->log.first;
  guint n_losers = 0;

  for (LineClient *client = listener->clients; client != NULL; client = client->next) {
    if (client->position == first) {
      client->position++;
      n_losers++;
    }
  }
  line_count (listener, LINE_COUNT_OUT_LOST, n_losers);
  log_forget_first (server, &listener->log);
}

/* Forgets what all clients have. */
static void
trim_log (LineServer *server, LineListener *listener)
{
  guint64 needed = listener->log.end;

  for (LineClient *client = listener->clients; client != NULL; client = client->next)
    needed = MIN (needed, client->lost ? needed : client->position);
  while (listener->log.first < needed)
    log_forget_first (server, &listener->log);
}

void
line_listener_forget (LineServer *server, LineListener *listener)
{
  while (listener->log.first < listener->log.end)
    log_forget_first (server, &listener->log);
}

void
line_listener_touch (LineServer *server, LineListener *listener)
{
  if (listener->dirty)
    return;
  listener->dirty = TRUE;
  listener->next_dirty = server->dirty;
  server->dirty = listener;
}

void
line_listener_queue (LineServer *server, LineBlock *block)
{
  LineListener *listener = block->listener;
  const LineServerOptions *options = &server->options;
  LineLog *log = &listener->log;

  if (listener->clients == NULL) {
    line_block_done (server, block);
    return;
  }
  while (log->first < log->end && (log->end - log->first >= options->max_queued_lines ||
                                   log->bytes + block->length > options->max_queued_bytes))
    lose_first (server, listener);
  log->ring[log->end & log->mask] = block;
  log->end++;
  log->bytes += block->length;
  /* The youngest come first. They have all that was for them. */
  for (LineClient *client = listener->clients; client != NULL && client->number > block->reach;
       client = client->next)
    client->position++;
  line_listener_touch (server, listener);
}

static void
note_ready (LineServer *server, LineClient *client)
{
  if (client->ready)
    return;
  client->ready = TRUE;
  client->next_ready = server->ready;
  server->ready = client;
}

void
line_client_dismiss (LineServer *server, LineClient *client)
{
  client->leaving = TRUE;
  note_ready (server, client);
}

void
line_client_queue (LineServer *server, LineClient *client, LineBlock *block)
{
  gsize bytes = client->replies.bytes + block->length;

  if (client->lost) {
    line_block_done (server, block);
    return;
  }
  if (client->replies.count > 0 && bytes > server->options.max_reply_bytes) {
    line_count (client->listener, LINE_COUNT_STALLED, 1);
    line_block_done (server, block);
    line_client_close (server, client);
    return;
  }
  line_list_append (&client->replies, block);
  note_ready (server, client);
}

/* --- sending from the log: small lines together --- */

/* Puts the lines from @position on side by side, or finds that this was done for another client. */
static void
gather (LineServer *server, LineListener *listener, guint64 position)
{
  LineGather *together = &server->gather;
  guint max_lines = server->options.lines_per_send;

  if (together->listener == listener && together->first == position &&
      together->log_end == listener->log.end)
    return;
  together->listener = listener;
  together->first = position;
  together->end = position;
  together->log_end = listener->log.end;
  together->length = 0;
  while (together->end < listener->log.end &&
         (max_lines == 0 || together->end - position < max_lines)) {
    LineBlock *line = log_line (&listener->log, together->end);

    if (line->length > MAX_GATHERED || together->length + line->length > LINE_SCRATCH_SIZE)
      break;
    memcpy (together->text + together->length, line->text, line->length);
    together->length += line->length;
    together->end++;
  }
}

static void
begin_line (LineClient *client, LineBlock *block, gsize offset)
{
  block->references++;
  client->current = block;
  client->offset = offset;
  client->position++;
}

/* @n bytes of the gathered lines went out: counts them, and holds on to the one that was cut. */
static void
advance_in_log (LineClient *client, const LineGather *together, gsize n)
{
  LineListener *listener = client->listener;
  guint64 from = client->position;

  if (n == together->length) {
    client->position = together->end;
    n = 0;
  }
  while (n > 0) {
    LineBlock *line = log_line (&listener->log, client->position);

    if (n < line->length) {
      begin_line (client, line, n);
      line_count (listener, LINE_COUNT_OUT, client->position - 1 - from);
      return;
    }
    n -= line->length;
    client->position++;
  }
  line_count (listener, LINE_COUNT_OUT, client->position - from);
}

/* --- sending from where the lines are --- */

static guint
collect_pieces (LineClient *client, struct iovec pieces[MAX_PIECES])
{
  LineBlock *block = client->replies.head;
  guint n = 0;

  if (client->current != NULL)
    pieces[n++] = (struct iovec){ client->current->text + client->offset,
                                  client->current->length - client->offset };
  for (; block != NULL && n < MAX_PIECES; block = block->next)
    pieces[n++] = (struct iovec){ block->text, block->length };
  return n;
}

static void
advance_in_pieces (LineServer *server, LineClient *client, gsize n)
{
  while (n > 0) {
    gsize left;

    if (client->current == NULL)
      client->current = line_list_pop (&client->replies);
    left = client->current->length - client->offset;
    if (n < left) {
      client->offset += n;
      return;
    }
    n -= left;
    client->offset = 0;
    line_block_done (server, g_steal_pointer (&client->current));
    line_count (client->listener, LINE_COUNT_OUT, 1);
  }
}

static ssize_t
send_pieces (LineServer *server, LineClient *client)
{
  struct iovec pieces[MAX_PIECES];
  struct msghdr message = { .msg_iov = pieces };
  ssize_t n;

  message.msg_iovlen = collect_pieces (client, pieces);
  n = sendmsg (client->source.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n > 0)
    advance_in_pieces (server, client, (gsize) n);
  return n;
}

static ssize_t
send_gathered (LineServer *server, LineClient *client)
{
  LineGather *together = &server->gather;
  ssize_t n;

  n = send (client->source.fd, together->text, together->length, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n > 0)
    advance_in_log (client, together, (gsize) n);
  return n;
}

/* What was begun comes first, then replies, then the log. */
static ssize_t
send_next (LineServer *server, LineClient *client)
{
  LineListener *listener = client->listener;

  if (client->current != NULL || client->replies.head != NULL)
    return send_pieces (server, client);
  gather (server, listener, client->position);
  if (server->gather.length > 0)
    return send_gathered (server, client);
  begin_line (client, log_line (&listener->log, client->position), 0);
  return send_pieces (server, client);
}

/* --- a client --- */

gboolean
line_client_has_output (const LineClient *client)
{
  return !client->lost && (client->current != NULL || client->replies.head != NULL ||
                           client->position != client->listener->log.end);
}

static void
set_blocked (LineServer *server, LineClient *client, gboolean blocked)
{
  if (client->blocked == blocked)
    return;
  client->blocked = blocked;
  client->progress = server->now;
  server->n_blocked += blocked ? 1 : -1;
  line_client_watch (server, client);
}

void
line_client_write (LineServer *server, LineClient *client)
{
  while (line_client_has_output (client)) {
    ssize_t n = send_next (server, client);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno == EAGAIN) {
      set_blocked (server, client, TRUE);
      return;
    }
    if (n < 0) {
      line_client_lose (server, client);
      return;
    }
    client->progress = server->now;
    /* In turn: all clients get a line before one gets the next. */
    if (server->options.lines_per_send > 0 && line_client_has_output (client)) {
      line_listener_touch (server, client->listener);
      break;
    }
  }
  set_blocked (server, client, FALSE);
  if (client->leaving && client->current == NULL && client->replies.head == NULL)
    line_client_close (server, client);
}

/* --- a round --- */

static void
write_listener (LineServer *server, LineListener *listener)
{
  LineClient *client = listener->clients;

  while (client != NULL) {
    LineClient *next = client->next;

    if (!client->blocked)
      line_client_write (server, client);
    client = next;
  }
  trim_log (server, listener);
}

void
line_server_write_all (LineServer *server)
{
  while (server->ready != NULL) {
    LineClient *client = server->ready;

    server->ready = client->next_ready;
    client->ready = FALSE;
    if (!client->dead && !client->blocked)
      line_client_write (server, client);
  }
  while (server->dirty != NULL) {
    LineListener *listener = server->dirty;

    server->dirty = listener->next_dirty;
    listener->dirty = FALSE;
    write_listener (server, listener);
  }
}
