/* SPDX-License-Identifier: BSD-3-Clause */
/* A server of pages and WebSockets: its options, its port and its thread. */
#define _GNU_SOURCE
#include "web-server-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define BACKLOG 128
/* How often deadlines are looked at while there are any, ms. */
#define TIMER_MS 100

void
web_server_options_init (WebServerOptions *options)
{
  *options = (WebServerOptions){
    .max_clients = 128,
    .max_doors = 64,
    .door_ms = 10 * 1000,
    .max_body = 1024 * 1024,
    .max_message = 10 * 1024 * 1024,
    .max_data = 16 * 1024 * 1024,
    .max_control = 16 * 1024 * 1024,
    .stall_ms = 30 * 1000,
    .max_mail = 64 * 1024 * 1024,
  };
}

gint64
web_now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

void
web_count (WebServer *server, WebCount what)
{
  atomic_fetch_add_explicit (&server->counts[what], 1, memory_order_relaxed);
}

guint64
web_server_get_count (WebServer *server, WebCount what)
{
  return atomic_load_explicit (&server->counts[what], memory_order_relaxed);
}

guint
web_server_get_n_clients (WebServer *server)
{
  return atomic_load (&server->n_clients);
}

GSource *
web_watch (WebServer *server, GSource *source, GSourceFunc func, gpointer data)
{
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, server->context);
  return source;
}

void
web_unwatch (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* --- the port --- */

static GInetAddress *
parse_address (const char *text, GError **error)
{
  GInetAddress *address;

  if (text == NULL || g_str_equal (text, "localhost"))
    text = "127.0.0.1";
  else if (g_str_equal (text, "*"))
    text = "0.0.0.0";
  address = g_inet_address_new_from_string (text);
  if (address == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "'%s' is no IP address", text);
  return address;
}

static gboolean
open_epoll (WebServer *server, GError **error)
{
  server->epoll = epoll_create1 (EPOLL_CLOEXEC);
  if (server->epoll < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "no epoll: %s",
                 g_strerror (errno));
  return server->epoll >= 0;
}

static GSocket *
open_port (GInetAddress *address, guint16 port, GError **error)
{
  g_autoptr (GSocketAddress) where = g_inet_socket_address_new (address, port);
  g_autoptr (GSocket) socket = g_socket_new (g_inet_address_get_family (address),
                                             G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (!g_socket_bind (socket, where, TRUE, error) || !g_socket_listen (socket, error))
    return NULL;
  return g_steal_pointer (&socket);
}

static gboolean
open_first_port (WebServer *server, GError **error)
{
  g_autoptr (GInetAddress) address = parse_address (server->options.address, error);
  g_autoptr (GSocketAddress) place = NULL;
  guint first = server->options.port, tries = MAX (server->options.tries, 1);
  guint last = first == 0 ? 0 : MIN (first + tries - 1, 65535);

  if (address == NULL)
    return FALSE;
  for (guint port = first; port <= last && server->listener == NULL; port++) {
    g_clear_error (error);
    server->listener = open_port (address, (guint16) port, error);
    if (server->listener == NULL &&
        !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
      break;
  }
  if (server->listener == NULL) {
    g_prefix_error (error, "no port from %u to %u on %s: ", first, last, server->address);
    return FALSE;
  }
  place = g_socket_get_local_address (server->listener, error);
  if (place != NULL)
    server->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (place));
  return place != NULL;
}

guint16
web_server_get_port (WebServer *server)
{
  return server->port;
}

/* --- what is served --- */

static void
asset_free (gpointer data)
{
  WebAsset *asset = data;

  g_bytes_unref (asset->bytes);
  g_free (asset->type);
  g_free (asset);
}

void
web_server_add_asset (WebServer *server, const char *path, const char *type, GBytes *bytes)
{
  WebAsset *asset = g_new0 (WebAsset, 1);

  *asset = (WebAsset){ g_strdup (type), g_bytes_ref (bytes) };
  g_hash_table_insert (server->assets, g_strdup (path), asset);
}

static void
handler_free (gpointer data)
{
  WebHandler *handler = data;

  g_free (handler->path);
  g_free (handler);
}

void
web_server_add_handler (WebServer *server, const char *path, WebRequestFunc func, gpointer data)
{
  WebHandler *handler = g_new0 (WebHandler, 1);

  *handler = (WebHandler){ g_strdup (path), func, data };
  g_ptr_array_add (server->handlers, handler);
}

static void
path_free (gpointer data)
{
  WebPath *path = data;

  g_free (path->path);
  g_strfreev (path->protocols);
  g_free (path);
}

void
web_server_add_socket (WebServer *server, const char *path, const char *const *protocols,
                       const WebSocketFuncs *funcs, gpointer data)
{
  WebPath *added = g_new0 (WebPath, 1);

  *added = (WebPath){ g_strdup (path), g_strdupv ((char **) protocols), funcs, data };
  g_ptr_array_add (server->paths, added);
}

/* --- jobs of the thread --- */

typedef struct {
  GSource source;
  WebServer *server;
} Jobs;

static void
bury_gone (WebServer *server)
{
  while (server->gone->len > 0)
    web_client_free (g_ptr_array_steal_index_fast (server->gone, server->gone->len - 1));
}

static void
begin_to_stop (WebServer *server)
{
  GHashTableIter iter;
  gpointer client;

  server->stopping = TRUE;
  web_unwatch (&server->accepting);
  g_socket_close (server->listener, NULL);
  g_hash_table_iter_init (&iter, server->clients);
  while (g_hash_table_iter_next (&iter, NULL, &client))
    web_client_close (client, WEB_CLOSE_GOING_AWAY, "the simulation has ended");
}

static gboolean
jobs_prepare (GSource *source, gint *timeout)
{
  WebServer *server = ((struct {
                        GSource source;
                        WebServer *server;
                      } *) source)
                          ->server;

  *timeout = -1;
  return atomic_load (&server->has_mail) || server->gone->len > 0 || server->outgoing.length > 0 ||
         (atomic_load (&server->stop) && !server->stopping);
}

static gboolean
jobs_check (GSource *source)
{
  gint timeout;

  return jobs_prepare (source, &timeout);
}

static gboolean
jobs_dispatch (GSource *source, GSourceFunc func, gpointer data)
{
  return func (data);
}

static gboolean
do_jobs (gpointer data)
{
  WebServer *server = data;

  if (atomic_load (&server->has_mail))
    web_server_take_mail (server);
  if (atomic_load (&server->stop) && !server->stopping)
    begin_to_stop (server);
  web_clients_write (server);
  bury_gone (server);
  return G_SOURCE_CONTINUE;
}

static GSource *
make_jobs (WebServer *server)
{
  static GSourceFuncs funcs = { jobs_prepare, jobs_check, jobs_dispatch, NULL, NULL, NULL };
  GSource *source = g_source_new (&funcs, sizeof (Jobs));

  ((Jobs *) source)->server = server;
  return web_watch (server, source, do_jobs, server);
}

static void
accept_again (WebServer *server)
{
  if (server->accepting == NULL && !server->stopping)
    server->accepting = web_watch (server, g_socket_create_source (server->listener, G_IO_IN, NULL),
                                   G_SOURCE_FUNC (web_server_accept), server);
}

static gboolean
on_timer (gpointer data)
{
  WebServer *server = data;
  gint64 now = web_now_ms ();
  GHashTableIter iter;
  gpointer client;

  web_doors_expire (server, now);
  g_hash_table_iter_init (&iter, server->clients);
  while (g_hash_table_iter_next (&iter, NULL, &client))
    web_client_check (client, now);
  accept_again (server);
  return G_SOURCE_CONTINUE;
}

static gboolean
has_ended (WebServer *server)
{
  return server->stopping &&
         (g_hash_table_size (server->clients) == 0 || web_now_ms () >= server->stop_deadline);
}

static void
end_clients (WebServer *server)
{
  GHashTableIter iter;
  gpointer client;

  g_hash_table_iter_init (&iter, server->clients);
  while (g_hash_table_iter_next (&iter, NULL, &client))
    web_client_end (client);
  bury_gone (server);
}

static gpointer
serve (gpointer data)
{
  WebServer *server = data;

  g_main_context_push_thread_default (server->context);
  web_server_make_soup (server);
  server->jobs = make_jobs (server);
  server->timer =
      web_watch (server, g_timeout_source_new (TIMER_MS), G_SOURCE_FUNC (on_timer), server);
  server->clients_ready = web_watch (server, g_unix_fd_source_new (server->epoll, G_IO_IN),
                                     G_SOURCE_FUNC (web_clients_run), server);
  accept_again (server);
  while (!has_ended (server))
    g_main_context_iteration (server->context, TRUE);
  end_clients (server);
  soup_server_disconnect (server->soup);
  g_clear_object (&server->soup);
  /* What libsoup closes needs a round to be gone. */
  while (g_main_context_iteration (server->context, FALSE))
    continue;
  web_unwatch (&server->clients_ready);
  web_unwatch (&server->timer);
  web_unwatch (&server->jobs);
  g_main_context_pop_thread_default (server->context);
  return NULL;
}

/* --- making and ending --- */

WebServer *
web_server_new (const WebServerOptions *options, GError **error)
{
  g_autoptr (WebServer) server = g_new0 (WebServer, 1);
  g_autoptr (GError) failed = NULL;

  server->options = *options;
  server->address = g_strdup (options->address != NULL ? options->address : "127.0.0.1");
  server->options.address = server->address;
  server->hosts = g_strdupv ((char **) options->hosts);
  server->origins = g_strdupv ((char **) options->origins);
  server->key = g_strdup (options->key);
  server->diag = line_peer_open ();
  server->assets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, asset_free);
  server->handlers = g_ptr_array_new_with_free_func (handler_free);
  server->paths = g_ptr_array_new_with_free_func (path_free);
  server->context = g_main_context_new ();
  server->clients = g_hash_table_new (g_int64_hash, g_int64_equal);
  server->gone = g_ptr_array_new ();
  server->writing = g_byte_array_new ();
  server->ready = g_byte_array_new ();
  server->reading = g_byte_array_new ();
  g_mutex_init (&server->lock);
  if (open_epoll (server, &failed) && open_first_port (server, &failed))
    return g_steal_pointer (&server);
  g_propagate_error (error, g_steal_pointer (&failed));
  return NULL;
}

/* Signals are for the main thread. */
gboolean
web_server_start (WebServer *server, GError **error)
{
  sigset_t all, before;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  server->thread = g_thread_try_new ("orrery-web", serve, server, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return server->thread != NULL;
}

void
web_server_stop (WebServer *server, guint timeout_ms)
{
  if (server->thread == NULL)
    return;
  web_server_flush (server);
  server->stop_deadline = web_now_ms () + timeout_ms;
  atomic_store (&server->stop, TRUE);
  g_main_context_wakeup (server->context);
  g_thread_join (g_steal_pointer (&server->thread));
}

void
web_server_free (WebServer *server)
{
  if (server == NULL)
    return;
  web_server_stop (server, 0);
  web_server_drop_mail (server);
  if (server->diag >= 0)
    close (server->diag);
  if (server->epoll >= 0)
    close (server->epoll);
  g_clear_object (&server->listener);
  g_main_context_unref (server->context);
  g_hash_table_unref (server->clients);
  g_ptr_array_unref (server->gone);
  g_hash_table_unref (server->assets);
  g_ptr_array_unref (server->handlers);
  g_ptr_array_unref (server->paths);
  g_mutex_clear (&server->lock);
  line_access_free (server->options.access);
  g_strfreev (server->hosts);
  g_strfreev (server->origins);
  g_free (server->key);
  g_free (server->address);
  g_free (server);
}

WebClient *
web_server_find_client (WebServer *server, guint64 number)
{
  return g_hash_table_lookup (server->clients, &number);
}
