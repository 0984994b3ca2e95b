/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets clients in, or turns them away; until that is decided, a client is a stranger. */
#define _GNU_SOURCE
#include "line-server-private.h"

#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Who has not sent the token by then, ms, is closed. */
#define TOKEN_MS 3000
/* A tick may be the first byte of a token's line; it is one if nothing more has come by then, ms.
 */
#define HALF_TOKEN_MS 500
/* Where so many wait, the next one takes the place of another. */
#define MAX_STRANGERS 32
#define TOKEN_WORD "TOKEN "
#define TOKEN_LINE (sizeof TOKEN_WORD + LINE_TOKEN_MAX + 2)
/* Bytes read off at the end, so that the close does not discard what the client has not read. */
#define MAX_DRAINED ((gsize) 1024 * 1024)

struct _LineStranger {
  LineSource source;
  LineListener *listener;
  LineStranger *next;
  gboolean dead;
  gboolean begun;  /* it has sent the beginning of a token's line */
  gint64 deadline; /* ms */
  char *why;
};

void
line_say_goodbye (LineServer *server, int fd)
{
  gsize drained = 0;
  ssize_t n;

  shutdown (fd, SHUT_WR);
  do {
    n = recv (fd, server->scratch, LINE_SCRATCH_SIZE, MSG_DONTWAIT);
    drained += n > 0 ? (gsize) n : 0;
  } while (n > 0 && drained < MAX_DRAINED);
}

/* Whether the client's end has not confirmed all that was written, so that a reset would lose it.
 */
static gboolean
is_under_way (int fd)
{
  int n = 0;

  return ioctl (fd, SIOCOUTQ, &n) == 0 && n > 0;
}

void
line_say_goodbye_until (LineServer *server, int fd, gint64 deadline)
{
  gint64 left;

  line_say_goodbye (server, fd);
  while (is_under_way (fd) && (left = deadline - line_now_ms ()) > 0) {
    struct pollfd input = { .fd = fd, .events = POLLIN };

    /* Nothing to read for now: what goes the other way may be confirmed meanwhile. */
    if (poll (&input, 1, (int) MIN (left, 1)) > 0 &&
        recv (fd, server->scratch, LINE_SCRATCH_SIZE, MSG_DONTWAIT) <= 0)
      return;
  }
}

/* --- turning away --- */

static void
turn_away (LineServer *server, LineListener *listener, int fd, const char *why)
{
  g_autofree char *line = g_strdup_printf ("FAILURE %s\n", why);

  line_count (listener, LINE_COUNT_DENIED, 1);
  send (fd, line, strlen (line), MSG_DONTWAIT | MSG_NOSIGNAL);
  line_say_goodbye (server, fd);
  close (fd);
}

/* It is freed at the end of the round: epoll may have told of it in this one. */
static void
end_stranger (LineServer *server, LineStranger *stranger)
{
  stranger->dead = TRUE;
  line_watch (server, &stranger->source, EPOLL_CTL_DEL, 0);
}

static void
refuse_stranger (LineServer *server, LineStranger *stranger)
{
  end_stranger (server, stranger);
  turn_away (server, stranger->listener, stranger->source.fd, stranger->why);
}

/* --- the token --- */

/* Who waits the longest without a word; where all have begun, who waits the longest. */
static LineStranger *
find_dispensable (LineServer *server)
{
  LineStranger *oldest = NULL;

  for (LineStranger *stranger = server->strangers; stranger != NULL; stranger = stranger->next)
    if (!stranger->dead && (oldest == NULL || stranger->begun <= oldest->begun))
      oldest = stranger;
  return oldest;
}

/* Whoever holds the token sends it at once: that others wait in silence does not keep it out. */
static void
make_room_for_stranger (LineServer *server)
{
  guint n = 0;

  for (LineStranger *stranger = server->strangers; stranger != NULL; stranger = stranger->next)
    n += !stranger->dead;
  if (n >= MAX_STRANGERS)
    refuse_stranger (server, find_dispensable (server));
}

static void
add_stranger (LineServer *server, LineListener *listener, int fd, const char *why)
{
  LineStranger *stranger = g_new0 (LineStranger, 1);

  stranger->source = (LineSource){ LINE_SOURCE_STRANGER, fd, server };
  stranger->listener = listener;
  stranger->deadline = server->now + TOKEN_MS;
  stranger->why = g_strdup (why);
  stranger->next = server->strangers;
  server->strangers = stranger;
  server->n_strangers++;
  /* By edges: what it has sent so far stays where it is. */
  if (line_watch (server, &stranger->source, EPOLL_CTL_ADD, EPOLLIN | EPOLLRDHUP | EPOLLET) < 0)
    refuse_stranger (server, stranger);
  else
    line_stranger_read (server, stranger);
}

/* What follows the line of the token stays in the kernel, for whoever reads as a client. */
void
line_stranger_read (LineServer *server, LineStranger *stranger)
{
  int fd = stranger->source.fd;
  const gsize prefix = strlen (TOKEN_WORD);
  char line[TOKEN_LINE];
  ssize_t n;
  char *end;

  if (stranger->dead)
    return;
  n = recv (fd, line, sizeof line, MSG_PEEK | MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  end = n > 0 ? memchr (line, '\n', (gsize) n) : NULL;
  if (end == NULL && n > 0 && (gsize) n < sizeof line &&
      strncmp (line, TOKEN_WORD, MIN ((gsize) n, prefix)) == 0) {
    stranger->begun = TRUE;
    return;
  }
  if (end != NULL && end > line && end[-1] == '\r')
    end--;
  if (end == NULL || (gsize) (end - line) < prefix || memcmp (line, TOKEN_WORD, prefix) != 0 ||
      !line_access_is_token (server->options.access, line + prefix,
                             (gsize) (end - line) - prefix)) {
    refuse_stranger (server, stranger);
    return;
  }
  recv (fd, line, (gsize) (end - line) + (*end == '\r' ? 2 : 1), MSG_DONTWAIT);
  end_stranger (server, stranger);
  /* Others may have come since it was accepted. */
  if (!line_has_place (server, stranger->listener)) {
    line_count (stranger->listener, LINE_COUNT_REFUSED, 1);
    close (fd);
    return;
  }
  line_client_add (server, stranger->listener, fd, FALSE);
}

int
line_strangers_timeout (LineServer *server)
{
  return server->n_strangers > 0 ? 1000 : -1;
}

/* Those who have had their time go, and those who have gone are freed. */
void
line_strangers_tend (LineServer *server, gboolean all)
{
  LineStranger **at = &server->strangers;

  while (*at != NULL) {
    LineStranger *stranger = *at;

    if (!stranger->dead && (all || server->now >= stranger->deadline))
      refuse_stranger (server, stranger);
    if (!stranger->dead) {
      at = &stranger->next;
      continue;
    }
    *at = stranger->next;
    server->n_strangers--;
    g_free (stranger->why);
    g_free (stranger);
  }
}

/* --- at the door --- */

void
line_receive (LineServer *server, LineListener *listener, int fd)
{
  const LineAccess *access = server->options.access;
  g_autofree char *why = NULL;
  gboolean is_local;

  if (line_access_admits (access, server->thread->diag_fd, fd, &is_local, &why))
    line_client_add (server, listener, fd, is_local);
  else if (line_access_get_token (access) == NULL)
    turn_away (server, listener, fd, why);
  else {
    make_room_for_stranger (server);
    add_stranger (server, listener, fd, why);
  }
}

/* --- who begins as a browser does --- */

static const char *const foreign[] = { "GET /",     "POST /",    "HEAD /",   "PUT /",
                                       "OPTIONS /", "OPTIONS *", "DELETE /", "PATCH /",
                                       "TRACE /",   "CONNECT ",  "\x16\x03" /* TLS */ };

/* Of a page in a browser, which anybody may have written, the rest of the lines are not requests.
 */
void
line_client_answer_http (LineServer *server, LineClient *client)
{
  static const char words[] = "this port takes lines of its own protocol, not HTTP\n";
  g_autofree char *answer =
      g_strdup_printf ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n"
                       "Content-Length: %" G_GSIZE_FORMAT "\r\nConnection: close\r\n\r\n%s",
                       strlen (words), words);

  line_count (client->listener, LINE_COUNT_FOREIGN, 1);
  send (client->source.fd, answer, strlen (answer), MSG_DONTWAIT | MSG_NOSIGNAL);
  line_say_goodbye (server, client->source.fd);
  line_client_close (server, client);
}

gboolean
line_client_is_foreign (LineServer *server, LineClient *client, const char *text, gsize length)
{
  gboolean may_be = FALSE;
  gsize n = MIN (length, sizeof client->start - client->n_start);

  if (client->judged)
    return FALSE;
  memcpy (client->start + client->n_start, text, n);
  client->n_start += n;
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++) {
    gsize whole = strlen (foreign[i]);

    if (memcmp (client->start, foreign[i], MIN (client->n_start, whole)) != 0)
      continue;
    may_be = TRUE;
    if (client->n_start < whole)
      continue;
    line_client_answer_http (server, client);
    return TRUE;
  }
  client->judged = !may_be;
  return FALSE;
}

/* A page may make up methods, but not what a browser writes behind them: the version at the end of
 * the first line, and the host in the second. */
gboolean
line_client_is_http (LineClient *client, const char *text, gsize length)
{
  static const char version[] = " HTTP/1.";
  const gsize n = sizeof version - 1;

  if (length > 0 && text[length - 1] == '\r')
    length--;
  if (client->n_lines == 1 && length > n && memcmp (text + length - n - 1, version, n) == 0)
    client->foreign = TRUE;
  if (client->n_lines == 2 && length > 5 && g_ascii_strncasecmp (text, "Host:", 5) == 0)
    client->foreign = TRUE;
  return client->foreign;
}

gsize
line_client_cut_token (LineServer *server, LineClient *client, const char *text, gsize length)
{
  const gsize whole = strlen (TOKEN_WORD);
  gsize held = client->n_token, i = 0;
  const char *end;

  if (client->n_lines > 0 || line_access_get_token (server->options.access) == NULL)
    return length;
  while (i < length && client->n_token < whole && text[i] == TOKEN_WORD[client->n_token]) {
    client->n_token++;
    i++;
  }
  if (client->n_token < whole && i == length) {
    client->half_until = server->now + HALF_TOKEN_MS;
    server->half_tokens = TRUE;
    return 0;
  }
  end = client->n_token == whole ? memchr (text + i, '\n', length - i) : NULL;
  if (client->n_token == whole && end == NULL)
    return 0;
  client->n_lines = 1;
  return end != NULL ? (gsize) (text + length - end) - 1 : held + length;
}

void
line_half_tokens_tend (LineServer *server)
{
  server->half_tokens = FALSE;
  for (guint i = 0; i < server->n_slots; i++) {
    LineClient *client = server->slots[i];

    if (client == NULL || client->n_lines > 0 || client->n_token == 0 ||
        client->n_token == strlen (TOKEN_WORD))
      continue;
    if (server->now < client->half_until) {
      server->half_tokens = TRUE;
      continue;
    }
    client->n_lines = 1;
    line_client_count_bytes (server, client, client->n_token);
  }
}

gboolean
line_client_is_token (LineServer *server, LineClient *client, const char *text, gsize length)
{
  return client->n_lines == 1 && line_access_get_token (server->options.access) != NULL &&
         length >= strlen (TOKEN_WORD) && memcmp (text, TOKEN_WORD, strlen (TOKEN_WORD)) == 0;
}
