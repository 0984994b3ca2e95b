/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "hub.h"

/* Channels are numbered: these, then two for each part. */
enum { HUB_POSES = 1, HUB_FRAMES, HUB_SCENE, HUB_FIRST_PART };
enum { HUB_TEXT, HUB_BINARY, HUB_KINDS };

#define HUB_PART(channel) (((channel) -HUB_FIRST_PART) / HUB_KINDS)
#define HUB_KIND(channel) (((channel) -HUB_FIRST_PART) % HUB_KINDS)
#define HUB_CHANNEL(part, kind) (HUB_FIRST_PART + (part) *HUB_KINDS + (kind))

/* Opcodes of binary messages to clients. */
enum { HUB_OP_MESSAGE = 1, HUB_OP_TIME = 2 };

struct _Hub {
  WebServer *server;
  gboolean has_page;
  OrreryWriter *writer; /* the tick's thread's */

  GMutex lock;
  GByteArray *kept;     /* [lock]: poses of the last tick */
  View *kept_view;      /* [lock]: whose they are; only compared */
  OrreryTime kept_time; /* [lock] */
  guint64 serial;       /* [lock]: counts them */
  atomic_bool mailed;

  /* The I/O thread's. */
  View *view;
  GPtrArray *sessions; /* (element-type HubSession) */
  GByteArray *poses;   /* those that were sent last */
  OrreryTime time;
  guint64 shown;  /* their number */
  GSource *again; /* (nullable): looks for newer ones */
};

typedef struct {
  Hub *hub;
  WebClient *client;
  View *view;             /* of which it was told */
  gboolean is_own;        /* our own page */
  GHashTable *by_channel; /* (element-type guint guint): the subscription of a channel + 1 */
  GHashTable *by_id;      /* (element-type guint guint): the channel of a subscription */
  guint64 dropped;        /* that it was told of */
  gint64 told;            /* ms */
} HubSession;

extern const WebSocketFuncs hub_socket_funcs;

/* Takes the poses that were kept, if they are new, and sends them to all that subscribe to them. */
gboolean hub_take_poses (Hub *hub);

/* A message of a channel, for a client that subscribes to it. */
void hub_session_send (HubSession *self, guint channel, OrreryTime time, gconstpointer data,
                       gsize length);
void hub_session_send_poses (HubSession *self);
void hub_session_tell (HubSession *self, guint level, const char *id, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Tells it what it lost, now and then. */
void hub_session_report (HubSession *self);
