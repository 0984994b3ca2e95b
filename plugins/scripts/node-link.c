/* SPDX-License-Identifier: BSD-3-Clause */
/* The connection of a node to the other simulations of a multinode run. */
#include "node-link.h"

#include <gio/gio.h>
#include <string.h>

#define RETRY (1000 * 1000) /* us */

struct _NodeLink {
  char *host;
  guint16 port;
  GThread *thread;
  GCancellable *stop;

  GMutex lock;
  GCond changed;
  gboolean stopping;
  gboolean connected;
  char *line;      /* to send; NULL: none waits */
  guint64 asked;   /* lines given */
  guint64 sending; /* which of them the thread has */
  char *answer;    /* the newest */
  guint64 answered;
};

/* NULL: it is to end. */
static char *
wait_for_line (NodeLink *link)
{
  char *line;

  g_mutex_lock (&link->lock);
  while (link->line == NULL && !link->stopping)
    g_cond_wait (&link->changed, &link->lock);
  line = link->stopping ? NULL : g_steal_pointer (&link->line);
  link->sending = link->asked;
  g_mutex_unlock (&link->lock);
  return line;
}

static void
take_answer (NodeLink *link, char *answer)
{
  g_mutex_lock (&link->lock);
  g_free (link->answer);
  link->answer = answer;
  link->answered = link->sending;
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->lock);
}

static void
set_connected (NodeLink *link, gboolean connected)
{
  g_mutex_lock (&link->lock);
  link->connected = connected;
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->lock);
}

/* A line, or NULL: the connection is over, or what comes is too long. */
static char *
read_line (NodeLink *link, GInputStream *in, GString *rest)
{
  char bytes[16384];

  for (;;) {
    char *end = memchr (rest->str, '\n', rest->len);
    gssize n;

    if (end != NULL) {
      char *line = g_strndup (rest->str, (gsize) (end - rest->str));

      g_string_erase (rest, 0, end - rest->str + 1);
      return line;
    }
    if (rest->len > NODE_LINK_MAX_LINE)
      return NULL;
    n = g_input_stream_read (in, bytes, sizeof bytes, link->stop, NULL);
    if (n <= 0)
      return NULL;
    g_string_append_len (rest, bytes, n);
  }
}

static void
talk (NodeLink *link, GIOStream *connection)
{
  GInputStream *in = g_io_stream_get_input_stream (connection);
  GOutputStream *out = g_io_stream_get_output_stream (connection);
  g_autoptr (GString) rest = g_string_new (NULL);

  for (;;) {
    g_autofree char *line = wait_for_line (link);
    char *answer;

    if (line == NULL ||
        !g_output_stream_write_all (out, line, strlen (line), NULL, link->stop, NULL) ||
        !g_output_stream_write_all (out, "\n", 1, NULL, link->stop, NULL))
      return;
    answer = read_line (link, in, rest);
    if (answer == NULL)
      return;
    take_answer (link, answer);
  }
}

static void
pause_thread (NodeLink *link)
{
  gint64 end = g_get_monotonic_time () + RETRY;

  g_mutex_lock (&link->lock);
  while (!link->stopping && g_cond_wait_until (&link->changed, &link->lock, end))
    ;
  g_mutex_unlock (&link->lock);
}

static gboolean
is_stopping (NodeLink *link)
{
  gboolean stopping;

  g_mutex_lock (&link->lock);
  stopping = link->stopping;
  g_mutex_unlock (&link->lock);
  return stopping;
}

static gpointer
run (gpointer data)
{
  NodeLink *link = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_socket_client_set_timeout (client, 10);
  while (!is_stopping (link)) {
    g_autoptr (GSocketConnection) connection =
        g_socket_client_connect_to_host (client, link->host, link->port, link->stop, NULL);

    if (connection != NULL) {
      set_connected (link, TRUE);
      talk (link, G_IO_STREAM (connection));
      set_connected (link, FALSE);
    }
    pause_thread (link);
  }
  return NULL;
}

NodeLink *
node_link_new (const char *host, guint16 port)
{
  NodeLink *link = g_new0 (NodeLink, 1);

  link->host = g_strdup (host);
  link->port = port;
  link->stop = g_cancellable_new ();
  g_mutex_init (&link->lock);
  g_cond_init (&link->changed);
  link->thread = g_thread_new ("multinode", run, link);
  return link;
}

void
node_link_free (NodeLink *link)
{
  g_mutex_lock (&link->lock);
  link->stopping = TRUE;
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->lock);
  g_cancellable_cancel (link->stop);
  g_thread_join (link->thread);
  g_object_unref (link->stop);
  g_mutex_clear (&link->lock);
  g_cond_clear (&link->changed);
  g_free (link->line);
  g_free (link->answer);
  g_free (link->host);
  g_free (link);
}

char *
node_link_exchange (NodeLink *link, const char *line, gint64 wait, gboolean *fresh,
                    gboolean *connected)
{
  gint64 end = g_get_monotonic_time () + wait;
  guint64 mine;
  char *answer;

  g_mutex_lock (&link->lock);
  mine = ++link->asked;
  g_free (link->line);
  link->line = g_strdup (line);
  g_cond_broadcast (&link->changed);
  while (link->connected && link->answered < mine &&
         g_cond_wait_until (&link->changed, &link->lock, end))
    ;
  *fresh = link->answered >= mine;
  *connected = link->connected;
  answer = g_strdup (link->answer);
  g_mutex_unlock (&link->lock);
  return answer;
}
