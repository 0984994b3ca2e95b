/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../message/backlog.h"
#include "bridge.h"

#include <stdatomic.h>

/* Limits of one client. */
#define BRIDGE_MAX_SUBSCRIPTIONS 1024
#define BRIDGE_MAX_ADVERTISED 1024
#define BRIDGE_MAX_CALLS 1000
#define BRIDGE_MAX_CALL_BYTES BACKLOG_BYTES
/* A client whose calls take all of that can still cancel them. */
#define BRIDGE_MAX_CANCELS 1000
#define BRIDGE_MAX_CANCEL_BYTES ((gsize) 1024 * 1024)
/* Bytes of a message, and of fragments that wait for the rest of theirs: what is read takes some
 * hundred times its bytes, and time of the tick. */
#define BRIDGE_MAX_MESSAGE (1024 * 1024)
#define BRIDGE_MAX_OPEN_FRAGMENTS 16
#define BRIDGE_MAX_FRAGMENTS 10000
/* Bytes of an id that is kept, of a subscription or of fragments. */
#define BRIDGE_MAX_ID 1024
/* Bytes of messages that wait for its throttles. */
#define BRIDGE_MAX_HELD ((gsize) 16 * 1024 * 1024)
/* Of a client's text that comes back in a message. */
#define BRIDGE_QUOTED 80

typedef enum {
  BRIDGE_LEVEL_INFO,
  BRIDGE_LEVEL_WARNING,
  BRIDGE_LEVEL_ERROR,
  BRIDGE_LEVEL_NONE,
} BridgeLevel;

typedef enum { BRIDGE_JSON, BRIDGE_CBOR, BRIDGE_CBOR_RAW } BridgeCompression;

typedef struct {
  OrreryStream *stream;
  guint index;
} BridgeWriter;

/* What of a client waits, until it is answered or done. */
typedef struct {
  guint n;
  gsize n_bytes;
} BridgeWaiting;

struct _BridgeTopic {
  Bridge *bridge;
  char *name;
  guint64 number;
  const OrreryMessageType *type; /* (nullable) */
  gboolean latched;
  guint queue;        /* for subscribers that do not say how many messages may wait */
  GArray *writers;    /* (element-type BridgeWriter) */
  GPtrArray *readers; /* (element-type OrreryStream) */

  /* The I/O thread's. */
  GPtrArray *subscriptions; /* (element-type BridgeSubscription) */
  GBytes *last;             /* (nullable): of a latched one */
  gpointer message;         /* (nullable): of @type, into which bytes are read */
};

struct _Bridge {
  guint n_users;
  guint n_started; /* users that are ready */
  GObject *owner;  /* weak */
  char *address;   /* (nullable) */
  char *origins;   /* (nullable) */
  int port;        /* -1: not given */
  WebServer *server;
  gboolean warned[WEB_N_COUNTS];
  guint wanted_port;

  GPtrArray *topics;   /* (element-type BridgeTopic) in the order of the config */
  GHashTable *by_name; /* (element-type utf8 BridgeTopic) */

  GMutex lock;
  gboolean has_streams;         /* [lock] */
  Backlog requests;             /* [lock] (element-type BridgeRequest) */
  void (*wake) (gpointer data); /* [lock] */
  gpointer wake_data;           /* [lock] */
  char **services;              /* [lock] (nullable) */

  OrreryMessageCatalogue *messages; /* (nullable); set before the start */
  atomic_int_least64_t time;
};

/* A client, of the I/O thread. */
typedef struct {
  Bridge *bridge;
  WebClient *client;
  BridgeLevel level;
  GHashTable *subscriptions; /* (element-type BridgeTopic BridgeSubscription) */
  GHashTable *advertised;    /* (element-type utf8): names of topics */
  BridgeWaiting calls, cancels;
  GQueue fragments; /* (element-type BridgeFragments) */
  gsize n_fragment_bytes;
  gsize n_held_bytes; /* that wait for the throttles */
  guint last_fragment;
} BridgeSession;

/* --- topics --- */

BridgeTopic *bridge_find_topic (Bridge *bridge, const char *name);
/* Returns: (transfer full): with a leading slash */
char *bridge_resolve (const char *name);
/* `sensor_msgs/LaserScan` and `sensor_msgs/msg/LaserScan` are the same. */
gboolean bridge_is_type (const OrreryMessageType *type, const char *name);

/* Writes a message that came from a codec, of a topic with a type, in another encoding. The I/O
 * thread. Returns: FALSE if it is none */
gboolean bridge_topic_write (BridgeTopic *topic, GBytes *message, OrreryMessageEncoding encoding,
                             OrreryWriter *writer);
/* Writes the JSON of a client as the codecs of a topic with a type read it. The I/O thread. */
gboolean bridge_topic_read_json (BridgeTopic *topic, const char *text, gsize length,
                                 OrreryWriter *writer, GError **error);

/* --- sessions --- */

extern const WebSocketFuncs bridge_session_funcs;
/* One message, JSON. */
void bridge_session_read (BridgeSession *self, const char *text, gsize length,
                          gboolean is_reassembled);
void bridge_session_say (BridgeSession *self, BridgeLevel level, const char *id, const char *format,
                         ...) G_GNUC_PRINTF (4, 5);
/* Sends a text, in fragments if it is longer than @fragment_size; 0: never */
void bridge_session_send (BridgeSession *self, GBytes *text, guint32 fragment_size);
/* Returns: (transfer full) (nullable): the id of an operation, as JSON */
char *bridge_read_id (OrreryNode *operation);
/* FALSE: an id is too long to be kept, which is told. */
gboolean bridge_check_id (BridgeSession *self, OrreryNode *operation, const char *id);
/* Reads an optional whole number from 0 to @max; wrong ones are told, and FALSE returned. */
gboolean bridge_read_number (BridgeSession *self, OrreryNode *operation, const char *key, guint max,
                             guint *value);
/* Returns: (nullable): the text; a wrong one is told */
const char *bridge_read_text (BridgeSession *self, OrreryNode *operation, const char *key);

/* --- subscriptions --- */

void bridge_subscribe (BridgeSession *self, OrreryNode *operation);
void bridge_unsubscribe (BridgeSession *self, OrreryNode *operation);
void bridge_unsubscribe_all (BridgeSession *self);
/* What a topic has to say, on the I/O thread. */
void bridge_deliver (const WebMail *mail);

/* --- fragments --- */

void bridge_read_fragment (BridgeSession *self, OrreryNode *operation);
void bridge_drop_fragments (BridgeSession *self);

/* --- requests --- */

void bridge_request (BridgeSession *self, OrreryNode *operation, BridgeRequestKind kind);
void bridge_tell_gone (BridgeSession *self);
/* Whether rosapi has answered, as it does what needs no simulation. */
gboolean bridge_answer_rosapi (BridgeSession *self, const char *service, OrreryNode *args,
                               const char *id);

/* Answers a call of a service of rosapi. @values: JSON; of a failure its words */
void bridge_answer_here (BridgeSession *self, const char *service, const char *id,
                         const char *values, gboolean result);

/* --- CBOR --- */

/* Returns: (transfer full) (nullable): a message of a topic in CBOR; NULL: it is none */
GBytes *bridge_make_cbor (BridgeTopic *topic, GBytes *message, BridgeCompression compression);
