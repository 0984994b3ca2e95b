/* SPDX-License-Identifier: BSD-3-Clause */
/* The connection of a node to the other simulations of a multinode run. */
#include "node-link.h"

#include <errno.h>
#include <gio/gio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

/* How a line of the server begins that turns the node away, before it closes the connection. */
#define REFUSED "FAILURE "
#define MAX_REFUSAL ((gsize) 200)
#define RETRY (1000 * 1000) /* us */

struct _NodeLink {
  char *host;
  guint16 port;
  char *greeting; /* the first line; NULL: none */
  char *refusal;  /* what the server said in place of an answer */
  gboolean begun;
  GThread *thread; /* connects; all else happens in the tick */
  GCancellable *stop;

  GMutex lock;
  GCond changed;
  gboolean stopping;             /* under the lock */
  GSocketConnection *connection; /* under the lock; made by the thread, dropped by the tick */

  GString *out;   /* what is still to be sent */
  GString *in;    /* what came, without its end yet */
  gsize looked;   /* bytes of it that hold no end */
  gboolean asked; /* an answer is due */
  char *answer;   /* the newest */
};

/* --- the thread --- */

static void
pause_thread (NodeLink *link)
{
  gint64 end = g_get_monotonic_time () + RETRY;

  g_mutex_lock (&link->lock);
  while (!link->stopping && g_cond_wait_until (&link->changed, &link->lock, end))
    ;
  g_mutex_unlock (&link->lock);
}

/* Gives the tick a connection, and waits until that is lost. Returns: FALSE: it is to end */
static gboolean
lend (NodeLink *link, GSocketConnection *connection)
{
  gboolean stopping;

  g_mutex_lock (&link->lock);
  link->connection = connection;
  while (!link->stopping && link->connection != NULL)
    g_cond_wait (&link->changed, &link->lock);
  stopping = link->stopping;
  g_mutex_unlock (&link->lock);
  return !stopping;
}

static gpointer
run (gpointer data)
{
  NodeLink *link = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_socket_client_set_timeout (client, 10);
  /* What a desktop has set for web pages is none of a simulation's; asking for it is slow, too. */
  g_socket_client_set_enable_proxy (client, FALSE);
  while (!g_cancellable_is_cancelled (link->stop)) {
    GSocketConnection *connection =
        g_socket_client_connect_to_host (client, link->host, link->port, link->stop, NULL);

    if (connection != NULL) {
      g_socket_set_option (g_socket_connection_get_socket (connection), IPPROTO_TCP, TCP_NODELAY, 1,
                           NULL);
      if (!lend (link, connection))
        break;
    }
    pause_thread (link);
  }
  return NULL;
}

/* --- the tick --- */

NodeLink *
node_link_new (const char *host, guint16 port, const char *greeting, GError **error)
{
  NodeLink *link = g_new0 (NodeLink, 1);

  link->host = g_strdup (host);
  link->port = port;
  link->greeting = g_strdup (greeting);
  link->stop = g_cancellable_new ();
  link->out = g_string_new (NULL);
  link->in = g_string_new (NULL);
  g_mutex_init (&link->lock);
  g_cond_init (&link->changed);
  link->thread = g_thread_try_new ("multinode", run, link, error);
  if (link->thread != NULL)
    return link;
  node_link_free (link);
  return NULL;
}

void
node_link_free (NodeLink *link)
{
  g_mutex_lock (&link->lock);
  link->stopping = TRUE;
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->lock);
  g_cancellable_cancel (link->stop);
  if (link->thread != NULL)
    g_thread_join (link->thread);
  g_clear_object (&link->connection);
  g_object_unref (link->stop);
  g_mutex_clear (&link->lock);
  g_cond_clear (&link->changed);
  g_string_free (link->out, TRUE);
  g_string_free (link->in, TRUE);
  g_free (link->answer);
  g_free (link->greeting);
  g_free (link->refusal);
  g_free (link->host);
  g_free (link);
}

static GSocketConnection *
get_connection (NodeLink *link)
{
  GSocketConnection *connection;

  g_mutex_lock (&link->lock);
  connection = link->connection;
  g_mutex_unlock (&link->lock);
  return connection;
}

static void
drop (NodeLink *link)
{
  g_mutex_lock (&link->lock);
  g_clear_object (&link->connection);
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->lock);
  g_string_truncate (link->out, 0);
  g_string_truncate (link->in, 0);
  link->looked = 0;
  link->asked = FALSE;
  link->begun = FALSE;
}

/* With its end in one packet: a second small one would wait until the first is acknowledged. */
static void
ask (NodeLink *link, const char *line)
{
  if (!link->begun && link->greeting != NULL)
    g_string_append_printf (link->out, "%s\n", link->greeting);
  link->begun = TRUE;
  g_string_append (link->out, line);
  g_string_append_c (link->out, '\n');
  link->asked = TRUE;
}

static gboolean
is_over (ssize_t n)
{
  return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

/* Moves what can be moved now. Returns: FALSE: the connection is over, or a line is too long */
static gboolean
move_bytes (NodeLink *link, int fd)
{
  char bytes[16384];
  ssize_t n = 1;

  if (link->out->len > 0) {
    n = send (fd, link->out->str, link->out->len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (is_over (n))
      return FALSE;
    g_string_erase (link->out, 0, MAX (n, 0));
  }
  n = recv (fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (n > 0)
    g_string_append_len (link->in, bytes, n);
  return !is_over (n) && link->in->len <= NODE_LINK_MAX_LINE;
}

/* Takes the next line that came whole as the newest answer. */
static gboolean
take_line (NodeLink *link)
{
  char *end = memchr (link->in->str + link->looked, '\n', link->in->len - link->looked);

  link->looked = link->in->len;

  if (end == NULL)
    return FALSE;
  link->looked = 0;
  if (g_str_has_prefix (link->in->str, REFUSED)) {
    g_free (link->refusal);
    link->refusal = g_strndup (link->in->str + strlen (REFUSED),
                               MIN ((gsize) (end - link->in->str) - strlen (REFUSED), MAX_REFUSAL));
    return FALSE;
  }
  g_free (link->answer);
  link->answer = g_strndup (link->in->str, (gsize) (end - link->in->str));
  g_string_erase (link->in, 0, end - link->in->str + 1);
  link->asked = FALSE;
  return TRUE;
}

/* Returns: FALSE: the time is over */
static gboolean
wait_for_bytes (NodeLink *link, int fd, gint64 end)
{
  struct pollfd source = { .fd = fd, .events = POLLIN };
  gint64 left = end - g_get_monotonic_time ();

  if (link->out->len > 0)
    source.events |= POLLOUT;
  return left > 0 && poll (&source, 1, (int) ((left + 999) / 1000)) != 0;
}

/* An earlier question that was not answered in its time comes first. */
static gboolean
converse (NodeLink *link, int fd, const char *line, gint64 end)
{
  gboolean mine = !link->asked;

  if (mine)
    ask (link, line);
  do {
    if (!move_bytes (link, fd)) {
      drop (link);
      return FALSE;
    }
    if (!take_line (link))
      continue;
    if (mine)
      return TRUE;
    ask (link, line);
    mine = TRUE;
  } while (wait_for_bytes (link, fd, end));
  return FALSE;
}

char *
node_link_take_refusal (NodeLink *link)
{
  return g_steal_pointer (&link->refusal);
}

char *
node_link_exchange (NodeLink *link, const char *line, gint64 wait, gboolean *fresh,
                    gboolean *connected)
{
  GSocketConnection *connection = get_connection (link);
  gint64 end = g_get_monotonic_time () + wait;

  *fresh = FALSE;
  if (connection != NULL)
    *fresh =
        converse (link, g_socket_get_fd (g_socket_connection_get_socket (connection)), line, end);
  *connected = get_connection (link) != NULL;
  return g_strdup (link->answer);
}
