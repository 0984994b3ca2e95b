/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../line-access.h"

#include <gio/gio.h>

/* A server of pages and WebSockets on one port, with a thread of its own.
 *
 * HTTP and the handshake of WebSockets are libsoup's; frames and their queues are not, since a
 * queue without a limit is no use here: messages to a client wait in the order in which they were
 * sent, those of a channel give way to newer ones, all others are never dropped, and a client that
 * does not read is closed. Messages are not compressed.
 *
 * Two threads meet here. The owner (the tick) makes the server and hands mail over, which blocks
 * for nobody. All functions that serve clients run on the I/O thread; so does whatever takes a
 * #WebClient or a #WebRequest. Messages that come in and out are bytes: who reads them knows what
 * they are.
 *
 * Who is served: a request names this machine in `Host`, so that no foreign name leads here; it
 * comes from no page (`Origin`), or from one of this machine; and the other end belongs to a user
 * whom #LineAccess admits. Whoever sends the token, as `?token=` or `Authorization: Bearer`, needs
 * none of these. Where there is a key of WebSockets, whoever opens one must send it, too. */

typedef struct _WebServer WebServer;
typedef struct _WebClient WebClient;

/**
 * WebServerOptions:
 * @address: (nullable): IPv4 or IPv6 address, "localhost" or %NULL for 127.0.0.1, "*" for all
 * @port: the first port to try; 0 for any
 * @tries: how many ports from there on; 0 counts as 1
 * @access: (nullable): who may connect; taken over by web_server_new(); %NULL: the usual rules
 * @hosts: (nullable): further names by which pages may call this machine; copied
 * @origins: (nullable): pages of other machines that may connect, `https://lab.example`; `null` is
 *   one that was opened as a file, `*` is any; copied
 * @key: (nullable): what opens WebSockets, in the places of the token, beside the token itself;
 *   alone it does not make up for Host, origin or user; copied
 * @max_clients: WebSockets at a time
 * @max_doors: connections that are no WebSocket (yet); one more takes the place of the oldest
 * @door_ms: how long they may stay without a whole request
 * @max_body: bytes that a request may bring
 * @max_message: bytes of a message of a WebSocket that comes in, in however many frames; below
 *   2 GiB
 * @max_data: bytes of messages of channels that wait for a client; beyond that the oldest go
 * @max_control: bytes of other messages that wait for a client, which is closed beyond that
 * @stall_ms: milliseconds without progress until a client that does not read is closed
 * @send_buffer: the kernel's buffer of each connection, bytes; 0 for what the system gives
 * @max_mail: bytes of mail on the way to the I/O thread
 */
typedef struct {
  const char *address;
  guint16 port;
  guint tries;
  LineAccess *access;
  const char *const *hosts;
  const char *const *origins;
  const char *key;
  guint max_clients;
  guint max_doors;
  guint door_ms;
  gsize max_body;
  gsize max_message;
  gsize max_data;
  gsize max_control;
  guint stall_ms;
  int send_buffer;
  gsize max_mail;
} WebServerOptions;

/**
 * WebCount:
 * @WEB_COUNT_ACCEPTED: connections taken
 * @WEB_COUNT_ACCEPT_FAILED: times that none could be, for want of descriptors or memory
 * @WEB_COUNT_CROWDED: connections closed for newer ones, and WebSockets refused, since there were
 *   too many
 * @WEB_COUNT_DENIED: requests that were refused for what they are from
 * @WEB_COUNT_LATE: connections closed since no whole request came in time
 * @WEB_COUNT_OPENED: WebSockets opened
 * @WEB_COUNT_CLOSED: and closed, for whatever reason
 * @WEB_COUNT_STALLED: and closed since the client did not read
 * @WEB_COUNT_BROKEN: and closed for what the client sent
 * @WEB_COUNT_IN: messages that came in
 * @WEB_COUNT_OUT: messages handed to the system
 * @WEB_COUNT_DROPPED: messages dropped for newer ones, one for each client
 * @WEB_COUNT_MAIL_LOST: mail that the I/O thread had no time for
 *
 * What is counted, from the start.
 */
typedef enum {
  WEB_COUNT_ACCEPTED,
  WEB_COUNT_ACCEPT_FAILED,
  WEB_COUNT_CROWDED,
  WEB_COUNT_DENIED,
  WEB_COUNT_LATE,
  WEB_COUNT_OPENED,
  WEB_COUNT_CLOSED,
  WEB_COUNT_STALLED,
  WEB_COUNT_BROKEN,
  WEB_COUNT_IN,
  WEB_COUNT_OUT,
  WEB_COUNT_DROPPED,
  WEB_COUNT_MAIL_LOST,
  WEB_N_COUNTS,
} WebCount;

typedef enum { WEB_TEXT = 1, WEB_BINARY = 2 } WebKind;

/* Bytes of the head of a message that is shared by clients. */
#define WEB_MAX_HEAD 16

/**
 * WebSocketFuncs:
 * @open: a client has come
 * @message: and says something; a text ends in NUL; may be %NULL
 * @close: and has gone; it is freed behind this
 *
 * What becomes of the clients of a path.
 */
typedef struct {
  void (*open) (gpointer data, WebClient *client);
  void (*message) (gpointer data, WebClient *client, WebKind kind, const char *text, gsize length);
  void (*close) (gpointer data, WebClient *client);
} WebSocketFuncs;

/**
 * WebRequest:
 * @method: `GET`, `POST`
 * @path: decoded
 * @query: (nullable) (element-type utf8 utf8): what follows it
 * @body: (array length=length): what the request brings
 * @length: bytes of @body
 * @status: 404 at first; set by who answers
 * @type: of the answer, `text/plain`; static
 * @answer: (nullable) (transfer full): set by who answers
 *
 * A request for something that is no asset.
 */
typedef struct {
  const char *method;
  const char *path;
  GHashTable *query;
  const char *body;
  gsize length;
  guint status;
  const char *type;
  GBytes *answer;
} WebRequest;

typedef void (*WebRequestFunc) (gpointer data, WebRequest *request);

/**
 * WebMail:
 * @data: as given
 * @number: as given
 * @text: (array length=length): what was handed over
 * @length: bytes
 *
 * What the owner hands over to the I/O thread.
 */
typedef struct _WebMail WebMail;
typedef void (*WebMailFunc) (const WebMail *mail);
struct _WebMail {
  WebMailFunc func;
  gpointer data;
  guint64 number;
  const char *text;
  gsize length;
  GBytes *bytes;
};

/** web_server_options_init: sets the limits that are meant for everyday use */
void web_server_options_init (WebServerOptions *options);

/**
 * web_server_new:
 * @options: copied
 *
 * Takes the port. Nobody is served before web_server_start().
 *
 * Returns: (transfer full) (nullable): a server, or %NULL with an error that names the address
 */
WebServer *web_server_new (const WebServerOptions *options, GError **error);
guint16 web_server_get_port (WebServer *server);

/* --- what is served: all of it before web_server_start() --- */

/**
 * web_server_add_asset:
 * @path: `/index.html`; `/` for the page that comes first
 * @type: `text/html; charset=utf-8`
 * @bytes: kept
 */
void web_server_add_asset (WebServer *server, const char *path, const char *type, GBytes *bytes);
/** web_server_add_handler: has @func answer all requests for @path and what is below it, GET and
 * POST */
void web_server_add_handler (WebServer *server, const char *path, WebRequestFunc func,
                             gpointer data);
/**
 * web_server_add_socket:
 * @path: of the WebSocket; a page may be there as well
 * @protocols: (nullable): sub-protocols, the best first; static
 * @funcs: static
 * @data: for @funcs
 */
void web_server_add_socket (WebServer *server, const char *path, const char *const *protocols,
                            const WebSocketFuncs *funcs, gpointer data);
/** web_server_start: starts the thread; %FALSE with an error if there can be none */
gboolean web_server_start (WebServer *server, GError **error);

/** web_server_opens: whether @key, which may be %NULL, opens WebSockets; any thread */
gboolean web_server_opens (WebServer *server, const char *key);

/* --- the owner --- */

/**
 * web_server_mail:
 * @func: what the I/O thread is to do with it
 * @data: for @func
 * @number: for @func
 * @text: (array length=length): copied
 * @length: bytes
 * @must: whether it is handed over however much waits
 *
 * Hands something over, with the next flush. In a steady state nothing is allocated.
 */
void web_server_mail (WebServer *server, WebMailFunc func, gpointer data, guint64 number,
                      const char *text, gsize length, gboolean must);
/** web_server_mail_bytes: the same without a copy */
void web_server_mail_bytes (WebServer *server, WebMailFunc func, gpointer data, guint64 number,
                            GBytes *bytes, gboolean must);
/** web_server_flush: the I/O thread gets what was handed over */
void web_server_flush (WebServer *server);
/** web_mail_dup_bytes: (transfer full): what was handed over, to be sent; on the I/O thread */
GBytes *web_mail_dup_bytes (const WebMail *mail);

/** web_server_get_count: any thread */
guint64 web_server_get_count (WebServer *server, WebCount what);
/** web_server_get_n_clients: how many WebSockets are open now; any thread */
guint web_server_get_n_clients (WebServer *server);

/**
 * web_server_stop:
 * @timeout_ms: how long clients get to read what was sent, and to say goodbye
 *
 * Sends what was flushed, closes all and ends the thread. A second call does nothing.
 */
void web_server_stop (WebServer *server, guint timeout_ms);
/** web_server_free: stops at once if it still runs */
void web_server_free (WebServer *server);

/* --- clients, on the I/O thread --- */

/** web_client_get_number: never used twice; for other threads */
guint64 web_client_get_number (WebClient *client);
/** web_server_find_client: (nullable): %NULL: it has gone */
WebClient *web_server_find_client (WebServer *server, guint64 number);
void web_client_set_data (WebClient *client, gpointer data);
gpointer web_client_get_data (WebClient *client);
/** web_client_get_protocol: (nullable): the sub-protocol that was agreed on */
const char *web_client_get_protocol (WebClient *client);

/**
 * web_client_send:
 * @client: a client
 * @kind: text or binary
 * @bytes: kept until it was sent
 *
 * Sends a message that is not dropped.
 */
void web_client_send (WebClient *client, WebKind kind, GBytes *bytes);
/**
 * web_client_send_newest:
 * @channel: what newer messages replace older ones
 * @keep: how many of this channel may wait; at least 1. Beyond that the oldest is dropped
 *
 * Sends a message that may be dropped while it waits, never a part of it.
 */
void web_client_send_newest (WebClient *client, WebKind kind, GBytes *bytes, guint64 channel,
                             guint keep);
/**
 * web_client_share_newest:
 * @head: (array length=n_head): how the message begins for this client; copied
 * @n_head: at most %WEB_MAX_HEAD
 * @bytes: how it goes on, which other clients get as well; kept, not copied
 *
 * The same as web_client_send_newest(), of a message in two parts.
 */
void web_client_share_newest (WebClient *client, WebKind kind, const guint8 *head, gsize n_head,
                              GBytes *bytes, guint64 channel, guint keep);
/** web_client_get_dropped: how many messages of all channels it was too slow for */
guint64 web_client_get_dropped (WebClient *client);
/** web_client_get_waiting: bytes that wait for it, here and in the system */
gsize web_client_get_waiting (WebClient *client);
/** web_client_close: closes it when it has been sent what was sent before; @why: up to 123 bytes */
void web_client_close (WebClient *client, guint code, const char *why);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WebServer, web_server_free)
