/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads lines from clients. */
#include "line-server-private.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

/* --- the inbox; all under the lock --- */

static void
drop_oldest_line (LineServer *server, LineClient *client)
{
  LineBlock *oldest = client->oldest_line;

  client->oldest_line = oldest->next_of_client;
  client->waiting--;
  line_list_remove (&server->inbox, oldest);
  line_pool_give (&server->io_pool, oldest);
  line_count (client->listener, LINE_COUNT_IN_DROPPED, 1);
}

/* A take empties the inbox without asking the clients: each notices that it is another one. */
static void
note_generation (LineServer *server, LineClient *client)
{
  if (client->generation == server->generation)
    return;
  client->generation = server->generation;
  client->waiting = 0;
  client->oldest_line = NULL;
  client->newest_line = NULL;
}

static gboolean
inbox_is_full (LineServer *server, LineClient *client)
{
  const LineServerOptions *options = &server->options;
  gsize bytes = server->inbox.bytes + server->inbox.count * sizeof (LineBlock);

  note_generation (server, client);
  if (bytes >= options->max_waiting_bytes)
    return TRUE;
  return client->listener->input == LINE_INPUT_ALL && client->waiting >= options->max_waiting_lines;
}

static void
put_line (LineServer *server, LineClient *client, LineBlock *block, LineEventKind kind)
{
  block->kind = kind;
  block->listener = client->listener;
  block->client = client->number;
  block->text[block->length] = '\0';
  line_list_append (&server->inbox, block);
  if (client->oldest_line == NULL)
    client->oldest_line = block;
  else
    client->newest_line->next_of_client = block;
  client->newest_line = block;
  client->waiting++;
  server->news = TRUE;
  if (kind == LINE_EVENT_END || kind == LINE_EVENT_GONE)
    return;
  if (client->listener->input == LINE_INPUT_NEWEST &&
      client->waiting > server->options.max_newest_lines)
    drop_oldest_line (server, client);
  line_count (client->listener, LINE_COUNT_IN, 1);
}

/* --- bytes to lines --- */

/* Adds to the line that is coming in; its block grows by doubling and becomes the line itself. */
static void
add_to_half (LineServer *server, LineClient *client, const char *text, gsize length)
{
  gsize had = client->half != NULL ? client->half->length : 0;

  if (client->half == NULL || client->half->room <= had + length) {
    LineBlock *grown = line_pool_take (&server->io_pool, had + MAX (length, had));

    if (client->half != NULL) {
      memcpy (grown->text, client->half->text, had);
      line_pool_give (&server->io_pool, client->half);
    }
    client->half = grown;
  }
  memcpy (client->half->text + had, text, length);
  client->half->length = had + length;
}

static void
refuse_line (LineServer *server, LineClient *client, const char *text, gsize length)
{
  LineBlock *excerpt = line_pool_take (&server->io_pool, LINE_EXCERPT);
  LineBlock *half = g_steal_pointer (&client->half);

  if (half != NULL) {
    text = half->text;
    length = half->length;
  }
  excerpt->length = MIN (length, LINE_EXCERPT);
  memcpy (excerpt->text, text, excerpt->length);
  if (half != NULL)
    line_pool_give (&server->io_pool, half);
  put_line (server, client, excerpt, LINE_EVENT_TOO_LONG);
  line_count (client->listener, LINE_COUNT_IN_TOO_LONG, 1);
}

/* One line, or the part of one that is there. */
static void
feed_piece (LineServer *server, LineClient *client, const char *text, gsize length,
            gboolean complete)
{
  gsize had = client->half != NULL ? client->half->length : 0;

  if (!client->skipping && had + length > server->options.max_line) {
    refuse_line (server, client, text, length);
    client->skipping = TRUE;
  }
  if (!client->skipping)
    add_to_half (server, client, text, length);
  if (!complete)
    return;
  client->n_lines = MIN (client->n_lines + 1, 3);
  if (!client->skipping &&
      (line_client_is_http (client, client->half->text, client->half->length) ||
       line_client_is_token (server, client, client->half->text, client->half->length)))
    line_pool_give (&server->io_pool, g_steal_pointer (&client->half));
  else if (!client->skipping)
    put_line (server, client, g_steal_pointer (&client->half), LINE_EVENT_LINE);
  client->skipping = FALSE;
}

/* Returns how many bytes could be looked at before the inbox was full. */
static gsize
feed (LineServer *server, LineClient *client, const char *text, gsize length)
{
  gsize done = 0;

  while (done < length && !inbox_is_full (server, client)) {
    const char *newline = memchr (text + done, '\n', length - done);
    gsize piece = newline != NULL ? (gsize) (newline - text) - done : length - done;

    feed_piece (server, client, text + done, piece, newline != NULL);
    done += piece + (newline != NULL ? 1 : 0);
  }
  return done;
}

/* --- pausing --- */

static void
pause_client (LineServer *server, LineClient *client)
{
  client->paused = TRUE;
  server->n_paused++;
  line_client_watch (server, client);
}

static void
keep_rest (LineServer *server, LineClient *client, const char *text, gsize length)
{
  client->rest = line_pool_take (&server->io_pool, length);
  memcpy (client->rest->text, text, length);
  client->rest->length = length;
}

static gboolean
resume_lines (LineServer *server, LineClient *client)
{
  LineBlock *rest = client->rest;
  gsize done = 0;

  if (rest != NULL) {
    done = feed (server, client, rest->text, rest->length);
    rest->length -= done;
    memmove (rest->text, rest->text + done, rest->length);
  }
  if (rest != NULL && rest->length == 0)
    line_pool_give (&server->io_pool, g_steal_pointer (&client->rest));
  return client->rest == NULL && !inbox_is_full (server, client);
}

void
line_client_resume (LineServer *server, LineClient *client)
{
  gboolean has_room;

  pthread_mutex_lock (&server->lock);
  if (client->listener->input == LINE_INPUT_RAW)
    has_room = client->listener->raw_waiting < LINE_MAX_RAW;
  else
    has_room = resume_lines (server, client);
  if (has_room) {
    client->paused = FALSE;
    server->n_paused--;
    line_client_watch (server, client);
  }
  pthread_mutex_unlock (&server->lock);
}

/* --- the end --- */

/* TCP keep-alive: the kernel checks from time to time whether the peer is still there. */
static void
keep_asking (int fd)
{
  int idle = 10;

  setsockopt (fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPINTVL, &idle, sizeof idle);
}

void
line_client_report_gone (LineServer *server, LineClient *client)
{
  note_generation (server, client);
  put_line (server, client, line_pool_take (&server->io_pool, 0), LINE_EVENT_GONE);
}

static void
end_input (LineServer *server, LineClient *client)
{
  LineListener *listener = client->listener;
  guint uid;

  if (listener->end == LINE_END_CLOSE || server->stopping ||
      (listener->end == LINE_END_REPORT && client->is_local &&
       !line_peer_find (server->thread->diag_fd, client->source.fd, &uid))) {
    line_client_close (server, client);
    return;
  }
  client->ended = TRUE;
  keep_asking (client->source.fd);
  line_client_watch (server, client);
  if (client->half != NULL) {
    line_count (listener, LINE_COUNT_IN_HALF, 1);
    line_pool_give (&server->io_pool, g_steal_pointer (&client->half));
  }
  if (listener->end == LINE_END_STAY)
    return;
  server->n_ended++;
  pthread_mutex_lock (&server->lock);
  note_generation (server, client);
  put_line (server, client, line_pool_take (&server->io_pool, 0), LINE_EVENT_END);
  pthread_mutex_unlock (&server->lock);
}

/* --- reading --- */

static void
take_lines (LineServer *server, LineClient *client, gsize length)
{
  gsize done;

  pthread_mutex_lock (&server->lock);
  done = feed (server, client, server->scratch, length);
  if (done < length)
    keep_rest (server, client, server->scratch + done, length - done);
  if (done < length || inbox_is_full (server, client))
    pause_client (server, client);
  pthread_mutex_unlock (&server->lock);
}

void
line_client_count_bytes (LineServer *server, LineClient *client, gsize length)
{
  LineListener *listener = client->listener;

  if (length == 0)
    return;
  pthread_mutex_lock (&server->lock);
  listener->raw_waiting += length;
  if (listener->raw_waiting >= LINE_MAX_RAW)
    pause_client (server, client);
  pthread_mutex_unlock (&server->lock);
  server->news = TRUE;
}

gboolean
line_client_read (LineServer *server, LineClient *client)
{
  ssize_t length = recv (client->source.fd, server->scratch, LINE_SCRATCH_SIZE, MSG_DONTWAIT);
  LineInput input = client->listener->input;

  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return FALSE;
  if (length < 0) {
    line_client_close (server, client);
    return FALSE;
  }
  if (length == 0) {
    end_input (server, client);
    return FALSE;
  }
  if (line_client_is_foreign (server, client, server->scratch, (gsize) length))
    return FALSE;
  if (server->stopping || input == LINE_INPUT_IGNORE)
    return TRUE;
  if (input == LINE_INPUT_RAW)
    line_client_count_bytes (server, client,
                             line_client_cut_token (server, client, server->scratch,
                                                    (gsize) length));
  else
    take_lines (server, client, (gsize) length);
  if (client->foreign)
    line_client_answer_http (server, client);
  return !client->dead;
}
