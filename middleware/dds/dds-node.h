/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Nodes of ROS 2 over DDS: topics and services, without a library of ROS.
 *
 * A context is one participant of DDS and one thread, which writes and reads for all nodes of it.
 * The functions here never wait for the network; they are for one thread (that of the simulation)
 * unless they say otherwise. Messages are bytes of CDR with the four bytes that precede it: who
 * encodes them knows their type. */

typedef struct _DdsContext DdsContext;
typedef struct _DdsNode DdsNode;
typedef struct _DdsPublisher DdsPublisher;
typedef struct _DdsSubscriber DdsSubscriber;
typedef struct _DdsService DdsService;
typedef struct _DdsServiceCall DdsServiceCall;
typedef struct _DdsClient DdsClient;

typedef enum { DDS_LOG_INFO, DDS_LOG_WARNING } DdsLogLevel;

/* Who finds a context, and whom it finds. */
typedef enum {
  DDS_RANGE_DEFAULT,   /* what the environment says, else LOCALHOST */
  DDS_RANGE_OFF,       /* nobody */
  DDS_RANGE_LOCALHOST, /* this machine */
  DDS_RANGE_SUBNET,    /* the networks of all interfaces, by multicast */
} DdsRange;

typedef struct {
  int domain;            /* 0 to 232; -1: ROS_DOMAIN_ID, else 0 */
  DdsRange range;        /* default: ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_LOCALHOST_ONLY */
  const char *interface; /* (nullable): the address of one, which is used beside loopback */
  const char *peers;     /* (nullable): hosts, with `;` between; NULL: ROS_STATIC_PEERS */
  /* Whether somebody said that other machines may connect; if not, what needs them is an error. */
  gboolean is_open;
  /* As long as the context: the definitions that encode the graph. That of Humble has longer names
   * of entities. */
  OrreryMessageCatalogue *catalogue;
  gsize max_message;    /* bytes of one that comes in */
  guint max_calls;      /* of others that wait for an answer */
  gsize max_call_bytes; /* of their requests; beyond that no further one is taken */
  gint64 wait_limit;    /* ms that an answer waits until the client's reader is known */
  /* On any thread. */
  void (*log) (gpointer data, DdsLogLevel level, const char *text);
  gpointer log_data;
} DdsContextOptions;

void dds_context_options_init (DdsContextOptions *options);
/* Takes part in the domain, and starts the thread. */
DdsContext *dds_context_new (const DdsContextOptions *options, GError **error);
/* Ends the thread and leaves the domain. Publishers and the like stay valid and do nothing. */
void dds_context_stop (DdsContext *context);
void dds_context_free (DdsContext *context);
guint dds_context_get_domain (DdsContext *context);
/* Hands what was sent to the thread. */
void dds_context_flush (DdsContext *context);

/* Waits until nothing of what was unadvertised and the like calls its functions any more. */
void dds_context_settle (DdsContext *context);

/* @name_space: (nullable): NULL: none. Both are made valid. Returns: (transfer none): as long as
 * the context */
DdsNode *dds_node_new (DdsContext *context, const char *name, const char *name_space);
/* The global name. */
const char *dds_node_get_name (DdsNode *node);
/* Returns: (transfer full) (nullable): the global name */
char *dds_node_resolve (DdsNode *node, const char *name, GError **error);

/* --- topics --- */

typedef struct {
  gboolean best_effort; /* FALSE: reliable */
  gboolean latched;     /* transient local */
  guint depth;          /* samples that DDS keeps; 0: 10, of a latched writer 1 */
} DdsQuality;

typedef struct {
  const char *topic; /* made valid and resolved as ROS does */
  const char *type;  /* package/msg/Name */
  const char *hash;  /* (nullable): RIHS01_... */
  DdsQuality quality;
} DdsTopic;

/* @n: readers that are matched now. On the thread of the context. */
typedef void (*DdsListeningFunc) (gpointer data, guint n);

/**
 * dds_node_advertise:
 * @queue_length: messages that wait for the thread; beyond that the oldest is dropped
 *
 * Returns: (transfer none): NULL: a bad name, or another type of this topic
 */
DdsPublisher *dds_node_advertise (DdsNode *node, const DdsTopic *topic, guint queue_length,
                                  DdsListeningFunc listening, gpointer data, GError **error);
void dds_publisher_unadvertise (DdsPublisher *publisher);
/* Copies the message; it leaves with the next dds_context_flush(). Without a reader that is
 * matched, a message is stored only if the topic is latched. */
void dds_publisher_send (DdsPublisher *publisher, gconstpointer message, gsize length);
/* The same without this copy. */
void dds_publisher_send_bytes (DdsPublisher *publisher, GBytes *message);
/* The global name. */
const char *dds_publisher_get_topic (DdsPublisher *publisher);
/* Any thread. */
guint dds_publisher_get_n_subscribers (DdsPublisher *publisher);
guint64 dds_publisher_get_n_dropped (DdsPublisher *publisher);

typedef struct {
  const guint8 *publisher; /* 16 bytes that name the writer */
  gint64 number;           /* of the message within the writer, from 1 */
} DdsMessageInfo;

/* On the thread of the context. @message: (transfer none) */
typedef void (*DdsMessageFunc) (gpointer data, const DdsMessageInfo *info, GBytes *message);

DdsSubscriber *dds_node_subscribe (DdsNode *node, const DdsTopic *topic, DdsMessageFunc func,
                                   gpointer data, GError **error);
/* A message that is on the way is still given to the function: its data is needed until
 * dds_context_stop() has returned. So it is for all functions here. */
void dds_subscriber_unsubscribe (DdsSubscriber *subscriber);
/* Any thread. */
guint dds_subscriber_get_n_publishers (DdsSubscriber *subscriber);

/* --- services --- */

/* On the thread of the context. @call: (transfer full): to be answered or dropped once, by any
 * thread, when it suits. @request: (transfer none) */
typedef void (*DdsRequestFunc) (gpointer data, DdsServiceCall *call, GBytes *request);

/* @type: package/srv/Name. Answers clients of Fast DDS and of Cyclone DDS. */
DdsService *dds_node_advertise_service (DdsNode *node, const char *name, const char *type,
                                        DdsRequestFunc func, gpointer data, GError **error);
void dds_service_unadvertise (DdsService *service);
/* Any thread, also when the client or the service has gone; not after dds_context_free(). */
void dds_service_call_return (DdsServiceCall *call, GBytes *response);
/* ROS 2 knows no failure: the client waits on. */
void dds_service_call_drop (DdsServiceCall *call);

/* @response: (nullable): NULL: @error. On the thread of the context. Called once, and at the latest
 * while the context stops. */
typedef void (*DdsResponseFunc) (gpointer data, GBytes *response, const GError *error);

DdsClient *dds_node_create_client (DdsNode *node, const char *name, const char *type,
                                   GError **error);
void dds_client_destroy (DdsClient *client);
/* Waits for a service and for its answer, @timeout ms for both. */
void dds_client_call (DdsClient *client, GBytes *request, guint timeout_ms, DdsResponseFunc func,
                      gpointer data);
/* A server was found, and the request is on its way. On the thread of the context. */
typedef void (*DdsSentFunc) (gpointer data);
/* Without a time limit. @sent: (nullable). Returns: a number, for dds_client_end_call() */
guint64 dds_client_begin_call (DdsClient *client, GBytes *request, DdsSentFunc sent,
                               DdsResponseFunc func, gpointer data);
/* Ends a call, if it is not over: its function is called. A request that has not left yet is not
 * sent. */
void dds_client_end_call (DdsClient *client, guint64 id);
