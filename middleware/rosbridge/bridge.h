/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../web/web-server.h"

#include <orrery.h>

/* What the two managers of rosbridge share: a server that speaks rosbridge v2, JSON over WebSocket.
 *
 * The managers call this on the tick thread. Clients are served on the I/O thread of the server:
 * it knows topics, subscriptions and fragments. What needs the simulation, services and actions,
 * waits until the request manager takes it in its intake. */

typedef struct _Bridge Bridge;
typedef struct _BridgeTopic BridgeTopic;

/* Messages that may wait for a slow subscriber. */
#define BRIDGE_USUAL_QUEUE 100
#define BRIDGE_MAX_QUEUE 100000

/* How codecs write and read messages that have a type: what takes long, JSON, is left to the I/O
 * thread, and CBOR has all that JSON has. */
#define BRIDGE_ENCODING "cbor"

/* --- what both managers do --- */

/* What the config gives; members that are NULL or -1 are not given. */
typedef struct {
  const char *address;
  int port;
  const char *origins; /* with commas between */
} BridgeOptions;

/* The bridge of a world; each user releases it once. */
Bridge *bridge_share (gpointer world);
/* Both managers have the same options: they may be given to one of them, or to both alike. */
gboolean bridge_set_options (Bridge *bridge, const BridgeOptions *options, GError **error);
/* Listens when all users are ready. @users, @token_file: as the setup has them. @started: whether
 * this was the last one. */
gboolean bridge_start (Bridge *bridge, const char *users, const char *token_file, gboolean *started,
                       GError **error);
/* Where it listens, for the log. Returns: (transfer full) */
char *bridge_describe (Bridge *bridge);
/* The next thing to warn of, once each. Returns: (transfer full) (nullable) */
char *bridge_take_warning (Bridge *bridge);
void bridge_flush (Bridge *bridge);
/* The last user ends the server. */
void bridge_release (Bridge *bridge);

/* --- topics: all of them before the start --- */

/* @name: with a leading slash or not. Returns: NULL: an error; a topic of another type has this
 * name */
BridgeTopic *bridge_add_writer (Bridge *bridge, const char *name, const OrreryMessageType *type,
                                gboolean latched, OrreryStream *stream, guint index,
                                GError **error);
/* How many messages may wait for a slow subscriber that does not say so itself. */
void bridge_topic_set_queue (BridgeTopic *topic, guint n);
gboolean bridge_add_reader (Bridge *bridge, const char *name, const OrreryMessageType *type,
                            OrreryStream *stream, GError **error);
/* Message @i of the writer. */
void bridge_send (BridgeTopic *topic, OrreryWriter *writer, guint i);
/* Streams are not used any more. */
void bridge_drop_streams (Bridge *bridge);

/* --- services --- */

typedef enum { BRIDGE_CALL, BRIDGE_GOAL, BRIDGE_CANCEL, BRIDGE_GONE } BridgeRequestKind;

/* What the values of an answer look like. */
typedef enum {
  BRIDGE_BY_PLACE, /* args were a list: a failure is the answer */
  BRIDGE_BY_NAME,  /* an object: a failure is `success` */
  BRIDGE_AS_TEXT,  /* orrery_interfaces/srv/Call */
} BridgeShape;

typedef struct {
  BridgeRequestKind kind;
  guint64 client;
  char *name; /* of the service or action */
  char *id;   /* (nullable): JSON */
  GVariant *arguments;
  BridgeShape shape;
  gboolean wants_feedback;
  guint32 fragment_size; /* 0: the answer comes in one message */
  gsize size;            /* bytes that it holds */
} BridgeRequest;

/* What there is, for rosapi. @names: paths, sorted */
void bridge_set_services (Bridge *bridge, const char *const *names);
void bridge_set_messages (Bridge *bridge, OrreryMessageCatalogue *messages);
/* Simulated time, ns. */
void bridge_set_time (Bridge *bridge, gint64 time);

void bridge_request_free (BridgeRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BridgeRequest, bridge_request_free)

/* @wake: on the I/O thread, when there is a request; NULL: none are taken any more */
void bridge_set_wake (Bridge *bridge, void (*wake) (gpointer data), gpointer data);
/* Returns: (transfer full) (nullable) */
BridgeRequest *bridge_take_request (Bridge *bridge);
/* Sends a message, JSON, to the client. @is_last: the request is done. */
void bridge_answer (Bridge *bridge, const BridgeRequest *request, const char *text, gsize length,
                    gboolean is_last);
/* A request without an answer is done. */
void bridge_finish (Bridge *bridge, const BridgeRequest *request);
