/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections before they are a WebSocket: how they are taken, and what libsoup serves them. */
#define _GNU_SOURCE
#include "web-server-private.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

/* Connections that are taken before others have their turn. */
#define ACCEPTS_PER_ROUND 32
/* libsoup has no name for it. */
#define UPGRADE_REQUIRED 426
#define DOOR "orrery-web-door"
#define PATH "orrery-web-path"
#define BODY "orrery-web-body"
/* A request that is too long is read, but not kept. */
#define TOO_LONG "orrery-web-too-long"

/* --- connections --- */

WebDoor *
web_door_of (SoupServerMessage *message)
{
  return g_object_get_data (G_OBJECT (soup_server_message_get_remote_address (message)), DOOR);
}

static void
on_connection_gone (gpointer data, GObject *connection)
{
  WebDoor *door = data;

  g_queue_unlink (&door->server->doors, &door->link);
  g_free (door->why);
  g_free (door);
}

static void
postpone (WebDoor *door)
{
  WebServer *server = door->server;

  door->deadline = web_now_ms () + server->options.door_ms;
  g_queue_unlink (&server->doors, &door->link);
  g_queue_push_tail_link (&server->doors, &door->link);
}

/* libsoup reads the end, and lets go of it. */
static void
shut (WebDoor *door, WebCount why)
{
  web_count (door->server, why);
  postpone (door);
  shutdown (door->fd, SHUT_RDWR);
}

void
web_doors_expire (WebServer *server, gint64 now)
{
  while (server->doors.length > 0) {
    WebDoor *door = server->doors.head->data;

    if (now <= door->deadline)
      return;
    shut (door, WEB_COUNT_LATE);
  }
}

static void
set_up (int fd)
{
  int yes = 1, idle = 60, interval = 10, count = 6;

  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static WebDoor *
make_door (WebServer *server, GSocketConnection *connection, GSocket *socket)
{
  WebDoor *door = g_new0 (WebDoor, 1);
  gboolean is_local;

  door->server = server;
  door->link.data = door;
  door->connection = connection;
  door->fd = g_socket_get_fd (socket);
  set_up (door->fd);
  if (!line_access_admits (server->options.access, server->diag, door->fd, &is_local, &door->why) &&
      door->why == NULL)
    door->why = g_strdup ("connections of an unknown user are not allowed here");
  door->deadline = web_now_ms () + server->options.door_ms;
  g_queue_push_tail_link (&server->doors, &door->link);
  g_object_weak_ref (G_OBJECT (connection), on_connection_gone, door);
  return door;
}

static void
take_connection (WebServer *server, GSocket *socket)
{
  g_autoptr (GSocketConnection) connection = g_socket_connection_factory_create_connection (socket);
  g_autoptr (GSocketAddress) own = g_socket_get_local_address (socket, NULL);
  g_autoptr (GSocketAddress) peer = g_socket_get_remote_address (socket, NULL);
  WebDoor *door;

  /* It has gone already. */
  if (own == NULL || peer == NULL)
    return;
  if (server->doors.length >= server->options.max_doors)
    shut (server->doors.head->data, WEB_COUNT_CROWDED);
  door = make_door (server, connection, socket);
  g_object_set_data (G_OBJECT (peer), DOOR, door);
  soup_server_accept_iostream (server->soup, G_IO_STREAM (connection), own, peer, NULL);
}

/* Without descriptors the listening socket would be ready for ever: the timer tries again. */
static gboolean
accept_failed (WebServer *server, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return G_SOURCE_CONTINUE;
  web_count (server, WEB_COUNT_ACCEPT_FAILED);
  web_unwatch (&server->accepting);
  return G_SOURCE_REMOVE;
}

gboolean
web_server_accept (GSocket *listener, GIOCondition condition, gpointer data)
{
  WebServer *server = data;

  for (guint i = 0; i < ACCEPTS_PER_ROUND; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GSocket) socket = g_socket_accept (listener, NULL, &error);

    if (socket == NULL)
      return accept_failed (server, error);
    web_count (server, WEB_COUNT_ACCEPTED);
    take_connection (server, socket);
  }
  return G_SOURCE_CONTINUE;
}

/* --- requests --- */

static void
answer (SoupServerMessage *message, guint status, const char *words)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "text/plain; charset=utf-8", SOUP_MEMORY_COPY, words,
                                    strlen (words));
}

static void
refuse (SoupServerMessage *message, guint status, const char *words)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  soup_message_headers_replace (headers, "Connection", "close");
  answer (message, status, words);
}

/* Nothing that is served here is for other pages, and an address may have the token in it. */
static void
add_headers (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_replace (headers, "X-Frame-Options", "DENY");
  soup_message_headers_replace (headers, "Referrer-Policy", "no-referrer");
  soup_message_headers_replace (headers, "Cache-Control", "no-store");
  soup_message_headers_replace (headers, "Cross-Origin-Resource-Policy", "same-origin");
  soup_message_headers_replace (headers, "Content-Security-Policy",
                                "default-src 'self'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'none'; object-src 'none'");
}

static void
on_chunk (SoupServerMessage *message, GBytes *chunk, gpointer data)
{
  WebServer *server = data;
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  gsize length = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (message), BODY));

  length += g_bytes_get_size (chunk);
  g_object_set_data (G_OBJECT (message), BODY, GSIZE_TO_POINTER (length));
  if (length <= server->options.max_body)
    return;
  g_object_set_data (G_OBJECT (message), TOO_LONG, message);
  soup_message_body_set_accumulate (body, FALSE);
  soup_message_body_truncate (body);
}

/* When the head of a request is there. */
static void
on_head (SoupServer *soup, SoupServerMessage *message, const char *path, GHashTable *query,
         gpointer data)
{
  WebServer *server = data;
  WebDoor *door = web_door_of (message);
  g_autofree char *why = NULL;

  add_headers (message);
  if (!web_request_is_admitted (server, message, door, &why)) {
    web_count (server, WEB_COUNT_DENIED);
    refuse (message, SOUP_STATUS_FORBIDDEN, why);
    return;
  }
  g_signal_connect (message, "got-chunk", G_CALLBACK (on_chunk), server);
}

static WebPath *
find_socket (WebServer *server, const char *path)
{
  for (guint i = 0; i < server->paths->len; i++)
    if (g_str_equal (((WebPath *) server->paths->pdata[i])->path, path))
      return server->paths->pdata[i];
  return NULL;
}

/* The answer to the handshake was sent: from here on the connection is a WebSocket. */
static void
on_upgraded (SoupServerMessage *message, gpointer data)
{
  WebServer *server = data;
  WebPath *path = g_object_get_data (G_OBJECT (message), PATH);
  WebDoor *door = web_door_of (message);
  g_autofree char *protocol =
      g_strdup (soup_message_headers_get_one (soup_server_message_get_response_headers (message),
                                              "Sec-WebSocket-Protocol"));
  int fd = door->fd;
  GSocketConnection *connection = door->connection;
  GIOStream *stream = soup_server_message_steal_connection (message);

  g_object_weak_unref (G_OBJECT (connection), on_connection_gone, door);
  on_connection_gone (door, NULL);
  web_client_new (server, path, stream, fd, protocol);
}

static void
shake_hands (WebServer *server, SoupServerMessage *message, WebPath *path)
{
  if (server->stopping ||
      g_hash_table_size (server->clients) - server->gone->len >= server->options.max_clients) {
    web_count (server, WEB_COUNT_CROWDED);
    refuse (message, SOUP_STATUS_SERVICE_UNAVAILABLE, "too many clients\n");
    return;
  }
  if (!web_request_has_key (server, message)) {
    web_count (server, WEB_COUNT_DENIED);
    refuse (message, SOUP_STATUS_FORBIDDEN,
            "commands need the token: connect to the address that the log of the run names\n");
    return;
  }
  if (!soup_websocket_server_process_handshake (message, NULL, path->protocols, NULL, NULL))
    return;
  g_object_set_data (G_OBJECT (message), PATH, path);
  g_signal_connect (message, "wrote-informational", G_CALLBACK (on_upgraded), server);
}

static WebHandler *
find_handler (WebServer *server, const char *path)
{
  WebHandler *found = NULL;

  for (guint i = 0; i < server->handlers->len; i++) {
    WebHandler *handler = server->handlers->pdata[i];
    gsize length = strlen (handler->path);

    if (g_str_has_prefix (path, handler->path) &&
        (path[length] == '\0' || path[length] == '/' || handler->path[length - 1] == '/') &&
        (found == NULL || length > strlen (found->path)))
      found = handler;
  }
  return found;
}

static void
run_handler (WebHandler *handler, SoupServerMessage *message, const char *path, GHashTable *query)
{
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr (GBytes) bytes = soup_message_body_flatten (body);
  WebRequest request = { .method = soup_server_message_get_method (message),
                         .path = path,
                         .query = query,
                         .status = SOUP_STATUS_NOT_FOUND,
                         .type = "text/plain; charset=utf-8" };
  gsize length = 0;
  const char *text = "";

  request.body = g_bytes_get_data (bytes, &request.length);
  handler->func (handler->data, &request);
  if (request.answer != NULL)
    text = g_bytes_get_data (request.answer, &length);
  soup_server_message_set_status (message, request.status, NULL);
  soup_server_message_set_response (message, request.type, SOUP_MEMORY_COPY, text, length);
  g_clear_pointer (&request.answer, g_bytes_unref);
}

static void
serve_asset (SoupServerMessage *message, WebAsset *asset)
{
  SoupMessageBody *body = soup_server_message_get_response_body (message);
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_message_headers_replace (headers, "Content-Type", asset->type);
  soup_message_body_append_bytes (body, asset->bytes);
}

static gboolean
wants_upgrade (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);

  return soup_message_headers_header_contains (headers, "Upgrade", "websocket");
}

/* When a whole request is there. */
static void
on_request (SoupServer *soup, SoupServerMessage *message, const char *path, GHashTable *query,
            gpointer data)
{
  WebServer *server = data;
  const char *method = soup_server_message_get_method (message);
  gboolean is_get = method == SOUP_METHOD_GET || method == SOUP_METHOD_HEAD;
  WebPath *place = find_socket (server, path);
  WebHandler *handler = find_handler (server, path);
  WebAsset *asset = g_hash_table_lookup (server->assets, path);

  postpone (web_door_of (message));
  if (g_object_get_data (G_OBJECT (message), TOO_LONG) != NULL)
    refuse (message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, "the request is too long\n");
  else if (place != NULL && wants_upgrade (message))
    shake_hands (server, message, place);
  else if (asset != NULL && is_get)
    serve_asset (message, asset);
  else if (handler != NULL && (is_get || method == SOUP_METHOD_POST))
    run_handler (handler, message, path, query);
  else if (place != NULL)
    refuse (message, UPGRADE_REQUIRED, "here is a WebSocket\n");
  else if (asset != NULL || handler != NULL)
    refuse (message, SOUP_STATUS_METHOD_NOT_ALLOWED, "no such method here\n");
  else
    answer (message, SOUP_STATUS_NOT_FOUND, "nothing is here\n");
}

void
web_server_make_soup (WebServer *server)
{
  server->soup = soup_server_new (NULL, NULL);
  soup_server_add_early_handler (server->soup, NULL, on_head, server, NULL);
  soup_server_add_handler (server->soup, NULL, on_request, server, NULL);
}
