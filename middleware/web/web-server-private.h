/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "web-frame.h"
#include "web-server.h"

#include <libsoup/soup.h>
#include <stdatomic.h>

/* A connection that is no WebSocket; it belongs to libsoup. */
typedef struct {
  WebServer *server;
  GList link;                    /* in the order of their deadlines */
  GSocketConnection *connection; /* borrowed: this is freed before */
  int fd;
  gint64 deadline;
  char *why; /* (nullable): it is not let in without the token */
} WebDoor;

typedef struct {
  char *type;
  GBytes *bytes;
} WebAsset;

typedef struct {
  char *path;
  WebRequestFunc func;
  gpointer data;
} WebHandler;

typedef struct {
  char *path;
  char **protocols;
  const WebSocketFuncs *funcs;
  gpointer data;
} WebPath;

/* How many messages of a channel wait for a client. */
typedef struct {
  guint64 channel;
  guint n;
} WebWaiting;

/* A message that waits to be sent. */
typedef struct {
  GList link;
  GBytes *bytes;
  guint8 header[WEB_FRAME_MAX_HEADER + WEB_MAX_HEAD]; /* of the frame, then of the message */
  guint n_header;
  gsize length;        /* of both */
  WebWaiting *waiting; /* (nullable): it may be dropped */
  gboolean is_close;
} WebFrame;

struct _WebClient {
  WebServer *server;
  WebPath *path;
  gpointer data;
  guint64 number;
  GIOStream *stream;
  GInputStream *input; /* of the stream: libsoup may have read ahead */
  int fd;
  char *protocol;
  WebFrames frames;
  guint32 events;   /* of epoll that are waited for */
  gboolean is_full; /* the system takes no more */
  GList link;       /* of those to which something is to be sent */
  gboolean is_linked;

  GQueue queue;            /* (element-type WebFrame) */
  gsize sent;              /* bytes of the first */
  gsize n_data, n_control; /* bytes that wait */
  GHashTable *channels;    /* (element-type WebWaiting): a set */
  WebFrame *pong;          /* (nullable): the last one that waits */
  guint64 n_dropped;
  gint64 progress; /* ms, when something was sent last, or there was nothing to send */

  gboolean closing; /* a close frame is in the queue or was sent */
  gboolean ended;   /* the server frees it when its functions have returned */
  gint64 close_deadline;
  gboolean is_deaf; /* what it sends is thrown away */
};

struct _WebServer {
  WebServerOptions options; /* strings and access are the server's own */
  char *address;
  char **hosts;
  char **origins;
  char *key; /* (nullable) */
  GSocket *listener;
  guint16 port;
  int diag;

  GHashTable *assets;  /* (element-type utf8 WebAsset) */
  GPtrArray *handlers; /* (element-type WebHandler) */
  GPtrArray *paths;    /* (element-type WebPath) */

  GThread *thread;
  GMainContext *context;
  atomic_bool has_mail;
  atomic_bool stop;
  gint64 stop_deadline; /* ms; set before `stop` */
  atomic_uint_least64_t counts[WEB_N_COUNTS];
  atomic_uint n_clients;

  /* The owner's. */
  GByteArray *writing;
  GMutex lock;
  GByteArray *ready; /* [lock] */
  atomic_size_t n_ready;

  /* The I/O thread's. */
  GByteArray *reading;
  SoupServer *soup;
  GSource *accepting; /* (nullable) */
  GSource *jobs;
  GSource *timer;
  GSource *clients_ready; /* some of them are: they are not looked at one by one */
  int epoll;
  GQueue doors;        /* (element-type WebDoor) the oldest first */
  GHashTable *clients; /* (element-type guint64 WebClient) */
  GQueue outgoing;     /* (element-type WebClient) */
  GPtrArray *gone;     /* (element-type WebClient) */
  guint64 last_number;
  gboolean stopping;
};

gint64 web_now_ms (void);
void web_count (WebServer *server, WebCount what);
/* Runs @func on the I/O thread when @source is ready. */
GSource *web_watch (WebServer *server, GSource *source, GSourceFunc func, gpointer data);
void web_unwatch (GSource **source);

/* --- mail --- */

void web_server_take_mail (WebServer *server);
void web_server_drop_mail (WebServer *server);

/* --- doors --- */

gboolean web_server_accept (GSocket *socket, GIOCondition condition, gpointer data);
void web_doors_expire (WebServer *server, gint64 now);
void web_server_make_soup (WebServer *server);
/* Whether a request is let in; if not, why. */
gboolean web_request_is_admitted (WebServer *server, SoupServerMessage *message, WebDoor *door,
                                  char **why);
/* Whether a WebSocket may be opened by an address, a request that is let in. */
gboolean web_request_has_key (WebServer *server, SoupServerMessage *message);
WebDoor *web_door_of (SoupServerMessage *message);

/* --- clients --- */

/* @stream: taken */
WebClient *web_client_new (WebServer *server, WebPath *path, GIOStream *stream, int fd,
                           const char *protocol);
void web_client_free (WebClient *client);
void web_client_end (WebClient *client);
/* Does what is ready at clients. */
gboolean web_clients_run (gint fd, GIOCondition condition, gpointer server);
/* Sends what waits for clients, since the functions that sent it have returned. */
void web_clients_write (WebServer *server);
/* What time has to do with it. */
void web_client_check (WebClient *client, gint64 now);
