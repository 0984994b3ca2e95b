/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of the socket middleware, for commands that talk to a running simulation. */
#include "client.h"

#include <string.h>

struct _CliClient {
  GSocketConnection *connection;
  GDataInputStream *input;
  GOutputStream *output;
  guint last_id;
};

static void
set_unconnected (GError **error, const char *host, guint port, GError **reason)
{
  gboolean is_here = g_str_equal (host, "127.0.0.1") || g_str_equal (host, "localhost");

  if (g_error_matches (*reason, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    orrery_set_error (error, ORRERY_ERROR_IO,
                      "no simulation answers on port %u%s%s; is one running?", port,
                      is_here ? "" : " of ", is_here ? "" : host);
  else
    g_propagate_prefixed_error (error, g_steal_pointer (reason), "%s:%u: ", host, port);
}

CliClient *
cli_client_new (const char *host, guint port, GCancellable *cancellable, GError **error)
{
  g_autoptr (GSocketClient) connector = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = NULL;
  g_autoptr (GError) local = NULL;
  CliClient *client = NULL;

  g_socket_client_set_enable_proxy (connector, FALSE);
  connection =
      g_socket_client_connect_to_host (connector, host, (guint16) port, cancellable, &local);
  if (connection == NULL) {
    set_unconnected (error, host, port, &local);
    return NULL;
  }
  client = g_new0 (CliClient, 1);
  client->connection = g_steal_pointer (&connection);
  client->input =
      g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (client->connection)));
  client->output = g_io_stream_get_output_stream (G_IO_STREAM (client->connection));
  g_data_input_stream_set_newline_type (client->input, G_DATA_STREAM_NEWLINE_TYPE_LF);
  return client;
}

CliClient *
cli_client_await (const char *host, guint port, double seconds, GError **error)
{
  gint64 end = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);

  while (TRUE) {
    g_autoptr (GError) local = NULL;
    CliClient *client = cli_client_new (host, port, NULL, &local);

    if (client != NULL)
      return client;
    if (!g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_IO) || g_get_monotonic_time () >= end) {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
    g_usleep (20000);
  }
}

void
cli_client_free (CliClient *client)
{
  if (client == NULL)
    return;
  g_clear_object (&client->input);
  g_clear_object (&client->connection);
  g_free (client);
}

gboolean
cli_client_send (CliClient *client, const char *text, GError **error)
{
  return g_output_stream_write_all (client->output, text, strlen (text), NULL, NULL, error);
}

char *
cli_client_receive (CliClient *client, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *line = g_data_input_stream_read_line (client->input, NULL, cancellable, &local);

  if (line == NULL && local == NULL)
    orrery_set_error (error, ORRERY_ERROR_IO, "the simulation closed the connection");
  else if (line == NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return line;
}

char *
cli_client_escape (const char *text)
{
  g_autoptr (OrreryNode) json = orrery_node_parse_json (text, strlen (text), "message", NULL);
  g_autofree char *escaped = orrery_escape_text (text, FALSE);
  g_autoptr (GString) safe = NULL;

  if (json == NULL || g_str_equal (escaped, text))
    return g_steal_pointer (&escaped);
  /* What is unsafe in JSON stands within texts, where `\\u` writes every character below 0x10000.
   */
  safe = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    g_autofree char *one = g_strndup (at, (gsize) (g_utf8_next_char (at) - at));
    g_autofree char *shown = orrery_escape_text (one, FALSE);

    if (g_str_equal (one, shown))
      g_string_append (safe, one);
    else
      g_string_append_printf (safe, "\\u%04x", g_utf8_get_char (at));
  }
  return g_string_free (g_steal_pointer (&safe), FALSE);
}

gboolean
cli_client_wait (CliClient *client, gint64 microseconds, GCancellable *cancellable)
{
  GSocket *socket = g_socket_connection_get_socket (client->connection);

  if (g_buffered_input_stream_get_available (G_BUFFERED_INPUT_STREAM (client->input)) > 0)
    return TRUE;
  return g_socket_condition_timed_wait (socket, G_IO_IN, microseconds, cancellable, NULL);
}

char *
cli_client_request (CliClient *client, const char *component, const char *service,
                    const char *arguments, GError **error)
{
  /* Of such an id the answer has its value also where that is 0. */
  g_autofree char *id = g_strdup_printf ("value:%u", client->last_id++);
  g_autofree char *line = g_strdup_printf ("%s %s %s %s\n", id, component, service, arguments);

  if (!cli_client_send (client, line, error))
    return NULL;
  return g_steal_pointer (&id);
}

/* A failure comes as a JSON text; its words are the message. */
static void
set_failure (GError **error, const char *status, const char *value)
{
  g_autoptr (OrreryNode) node = orrery_node_parse_json (value, strlen (value), "reply", NULL);
  const char *words = node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT
                          ? orrery_node_get_text (node)
                          : value;

  if (strcmp (status, "PREEMPTED") == 0)
    orrery_set_error (error, ORRERY_ERROR_PREEMPTED, "the call was preempted%s%s",
                      *words != '\0' ? ": " : "", words);
  else if (strstr (words, "parameter") != NULL)
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s", words);
  else
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s", words);
}

char *
cli_client_answer (CliClient *client, const char *id, GCancellable *cancellable, GError **error)
{
  for (;;) {
    g_autofree char *line = cli_client_receive (client, cancellable, error);
    g_auto (GStrv) words = line != NULL ? g_strsplit (line, " ", 3) : NULL;
    guint n = words != NULL ? g_strv_length (words) : 0;

    if (line == NULL)
      return NULL;
    if (n < 2 || strcmp (words[0], id) != 0)
      continue;
    if (strcmp (words[1], "SUCCESS") == 0)
      return g_strdup (n > 2 ? words[2] : "");
    set_failure (error, words[1], n > 2 ? words[2] : "");
    return NULL;
  }
}

char *
cli_client_call (CliClient *client, const char *component, const char *service,
                 const char *arguments, GCancellable *cancellable, GError **error)
{
  g_autofree char *id = cli_client_request (client, component, service, arguments, error);

  return id != NULL ? cli_client_answer (client, id, cancellable, error) : NULL;
}

CliClient *
cli_client_open_stream (CliClient *services, const char *host, const char *stream,
                        GCancellable *cancellable, GError **error)
{
  g_autoptr (OrreryWriter) arguments = orrery_writer_new ();
  g_autofree char *port = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  orrery_writer_append_text (arguments, "[");
  orrery_writer_append_json_text (arguments, stream);
  orrery_writer_append_text (arguments, "]");
  bytes = orrery_writer_dup_bytes (arguments);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  port = cli_client_call (services, "simulation", "get_stream_port", text, cancellable, error);
  if (port == NULL)
    return NULL;
  return cli_client_new (host, (guint) g_ascii_strtoull (port, NULL, 10), cancellable, error);
}
