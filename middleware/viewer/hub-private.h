/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "hub-log.h"
#include "hub.h"

/* Channels are numbered: these, then two for each part. */
enum {
  HUB_POSES = 1,
  HUB_FRAMES,
  HUB_SCENE,
  HUB_CONTACTS,
  HUB_LOOKS,
  HUB_LINES,
  HUB_FAULTS,
  HUB_FIRST_PART,
};
enum { HUB_TEXT, HUB_BINARY, HUB_KINDS };

#define HUB_PART(channel) (((channel) -HUB_FIRST_PART) / HUB_KINDS)
#define HUB_KIND(channel) (((channel) -HUB_FIRST_PART) % HUB_KINDS)
#define HUB_CHANNEL(part, kind) (HUB_FIRST_PART + (part) *HUB_KINDS + (kind))

/* Opcodes of binary messages to clients, and of those from them. */
enum {
  HUB_OP_MESSAGE = 1,
  HUB_OP_TIME = 2,
  HUB_OP_ANSWER = 3,
  HUB_OP_ASSET = 4,
  HUB_OP_PLAYBACK = 5
};
enum { HUB_OP_PUBLISH = 1, HUB_OP_CALL = 2, HUB_OP_PLAY = 3 };

/* Limits of one client. */
#define HUB_MAX_CALLS 1000
#define HUB_MAX_NAMES 10000
/* Bytes of a client's text that come back in a message. */
#define HUB_QUOTED 80

struct _Hub {
  gatomicrefcount refs;
  WebServer *server; /* NULL: it has ended */
  gboolean has_page;
  OrreryWriter *writer; /* the tick's thread's */
  HubLog *log;

  GMutex lock;
  GByteArray *kept;     /* [lock]: poses of the last tick, and its contacts */
  View *kept_view;      /* [lock]: whose they are; only compared */
  OrreryTime kept_time; /* [lock] */
  guint64 serial;       /* [lock]: counts them */
  GArray *kept_looks;   /* [lock] (nullable) (element-type OrreryLook): of the last tick */
  View *looks_view;     /* [lock]: whose they are; only compared */
  guint64 n_looks;      /* [lock]: how often they were others */
  guint64 looks_serial; /* the tick's thread's: when they were kept */
  atomic_bool mailed;

  /* The I/O thread's. */
  View *view;
  GPtrArray *sessions; /* (element-type HubSession) */
  GByteArray *poses;   /* those that were sent last */
  GByteArray *contacts;
  OrreryTime time;
  gboolean came_or_went; /* some of the spawnables, since poses were sent before */
  guint64 looks_shown;   /* of n_looks, those that clients know */
  gboolean repaints;     /* clients of Foxglove do not know all colours yet */
  gint64 repainted;      /* when they were told, us */
  guint64 shown;         /* their number */
  GSource *again;        /* (nullable): looks for newer ones */
  guint64 logged[2];     /* of each HubLogKind the last one that was sent */
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
  gboolean sees_graph;    /* it is told who subscribes to what */

  guint n_calls;         /* that wait for an answer */
  GHashTable *published; /* (element-type guint guint): part of a channel of the client, + 1 */
  GHashTable *known;     /* (element-type utf8): parameters of which it wants to know */
  gboolean knows_all;    /* it wants to know of all */
  gboolean follows;      /* the run was told that it wants to know of some */
} HubSession;

extern const WebSocketFuncs hub_socket_funcs;

/* Takes the poses that were kept, if they are new, and sends them to all that subscribe to them. */
gboolean hub_take_poses (Hub *hub);

/* Takes the looks that were kept, if they are new, and sends them likewise. */
void hub_take_looks (Hub *hub);

/* Sends what came to the log since it was sent before. */
void hub_take_log (Hub *hub);

gboolean hub_session_subscribes (HubSession *self, guint channel);
/* A message of a channel, for a client that subscribes to it. All clients share what it holds. */
void hub_session_send (HubSession *self, guint channel, OrreryTime time, GBytes *bytes);
void hub_session_send_looks (HubSession *self);
/* The same as hub_session_send(), but up to %HUB_LOG_LENGTH of them wait for a slow client. */
void hub_session_send_queued (HubSession *self, guint channel, OrreryTime time, GBytes *bytes);
void hub_session_send_time (HubSession *self, OrreryTime time);
/* Of spawnables which are there, and of other objects what has had other colours, for clients of
 * Foxglove. @update: a SceneUpdate; @left: meshes that are not in it */
void hub_session_send_changing (HubSession *self, GBytes *update, guint left);
void hub_session_tell (HubSession *self, guint level, const char *id, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Tells it what it lost, now and then. */
void hub_session_report (HubSession *self);
void hub_session_send_text (HubSession *self, OrreryWriter *writer);
/* -1: it is no such number. */
gint64 hub_node_get_int (OrreryNode *node);
/* (nullable): a list of an operation; that there is none is told */
OrreryNode *hub_session_find_list (HubSession *self, OrreryNode *message, const char *key);

/* --- playback --- */

/* The present state, for a client that has come. */
void hub_session_send_playback (HubSession *self);
/* A request, behind its opcode. */
void hub_session_take_playback (HubSession *self, const char *data, gsize length);

/* --- assets and the connection graph --- */

/* (transfer none) (nullable): @name: SHA256.glb */
GBytes *hub_find_asset (Hub *hub, const char *name);
void hub_session_fetch_asset (HubSession *self, OrreryNode *message);
void hub_session_follow_graph (HubSession *self, gboolean follows);
/* Somebody subscribes to a channel, or no longer does. */
void hub_tell_graph (Hub *hub, guint channel);

/* --- commands --- */

/* What there is to command, for a client that has come. */
void hub_session_offer (HubSession *self);
/* FALSE: it is no operation that commands. */
gboolean hub_session_command (HubSession *self, const char *op, OrreryNode *message);
void hub_session_take_bytes (HubSession *self, const char *data, gsize length);
/* It goes: its calls are cancelled. */
void hub_session_leave (HubSession *self);
