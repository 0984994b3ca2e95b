/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "ros-link.h"
#include "ros-node.h"
#include "tcpros-header.h"

#include <stdatomic.h>

/* What the files of a node share: ros-node.c, what others call; ros-master.c, what the master is
 * told; xmlrpc-client.c, one call; ros-slave.c, what others may ask; tcpros-server.c, the
 * connections that come in; tcpros-publisher.c, tcpros-subscriber.c and tcpros-service.c. Marks:
 * [io] of the I/O thread alone, [lock] of whoever holds the node's lock. */

/* --- one call of XML-RPC --- */

typedef struct _XmlrpcCall XmlrpcCall;
/* @answer: (nullable) (transfer none): NULL: @error */
typedef void (*XmlrpcFunc) (gpointer data, GVariant *answer, const GError *error);

/* @func is called once unless the call is cancelled, and perhaps at once, when NULL is returned.
 * @parameters: (transfer floating) */
XmlrpcCall *xmlrpc_call_new (RosLoop *loop, const char *host, guint16 port, const char *method,
                             GVariant *parameters, gint64 limit, XmlrpcFunc func, gpointer data);
void xmlrpc_call_cancel (XmlrpcCall *call);
/* Takes [code, status, value] apart: the value if the code is 1. */
GVariant *ros_answer_get_value (GVariant *answer, GError **error);

/* --- the master --- */

/* Something the master should know. */
typedef struct {
  const char *set_method;
  const char *clear_method;
  const char *name;
  const char *type; /* of a topic */
  GVariant *value;  /* of a parameter */
  char *uri;        /* of a service */
  gboolean wanted;  /* [io] */
  gboolean known;   /* [io] to the master */
  /* (nullable): the master's answer */
  void (*on_set) (gpointer data, GVariant *answer);
  gpointer data;
} RosEntry;

typedef struct _RosMaster RosMaster;

RosMaster *ros_master_new (RosNode *node);
void ros_master_free (RosMaster *master);
void ros_master_add (RosMaster *master, RosEntry *entry);
void ros_master_drop (RosMaster *master, RosEntry *entry);
/* Asks the master once. @parameters: (transfer floating) */
void ros_master_ask (RosMaster *master, const char *method, GVariant *parameters, XmlrpcFunc func,
                     gpointer data);
/* Another node took our name, or somebody wants us to go: leaves the master alone until there is
 * another one. */
void ros_master_leave (RosMaster *master, const char *why);
/* Unregisters all. */
void ros_master_stop (RosMaster *master);
gboolean ros_master_is_done (RosMaster *master);

/* --- the node --- */

struct _RosPublisher {
  RosNode *node;
  char *topic, *type, *md5, *definition;
  guint queue_length;
  gboolean latched;
  RosListeningFunc listening;
  gpointer data;
  RosEntry entry;
  RosPool pool;
  gboolean gone;           /* unadvertised */
  RosBlock *first, **last; /* [lock] on the way to the I/O thread */
  guint n_waiting;         /* [lock] */
  gboolean dirty;          /* [lock] in the list of the node */
  RosPublisher *next_dirty;
  RosBlock *latch;  /* [io] */
  GPtrArray *links; /* [io] (element-type RosPeer) */
  atomic_uint n_subscribers;
  atomic_ullong n_dropped;
};

struct _RosSubscriber {
  RosNode *node;
  char *topic, *type, *md5, *definition;
  RosMessageFunc func;
  gpointer data;
  RosEntry entry;
  gboolean gone;
  GPtrArray *sources; /* [io] (element-type RosSource) */
  guint n_made;       /* [io] */
  atomic_uint n_publishers;
};

struct _RosService {
  RosNode *node;
  char *name, *type, *md5;
  RosRequestFunc func;
  gpointer data;
  RosEntry entry;
};

typedef struct {
  char *name;
  RosEntry entry;
} RosParam;

/* A connection to our TCPROS port. */
typedef struct {
  RosNode *node;
  RosLink *link;
  guint64 number;
  char *caller;
  RosPublisher *publisher; /* it listens to this one */
  RosService *service;     /* or it calls this one */
  gboolean persistent;
  gboolean busy; /* its call is not answered */
} RosPeer;

struct _RosNode {
  RosNodeOptions options;
  char *name, *name_space, *host, *uri, *service_uri, *master_uri, *master_host;
  guint16 master_port, slave_port, tcpros_port;
  int diag;
  RosLoop *loop;
  GThread *thread;
  RosWatch slave, tcpros;                                  /* [io] listeners */
  RosMaster *master;                                       /* [io] */
  GPtrArray *publishers, *subscribers, *services, *params; /* [io] */
  GPtrArray *peers;                                        /* [io] (element-type RosPeer) */
  GPtrArray *slave_links;                                  /* [io] (element-type RosLink) */
  GPtrArray *calls;                                        /* [io] of services of others */
  guint64 n_peers;                                         /* [io] so far */
  gint64 deadline;                                         /* [io] ms, of the stop */
  gboolean stopping, done;                                 /* [io] */
  gboolean running;                                        /* of the thread of the simulation */
  gboolean untold;                                         /* likewise: sent since the last flush */
  guint64 n_calls;                                         /* likewise: of services of others */
  gboolean registered;                                     /* [lock] */
  GCond told;                                              /* [lock] that it is registered */
  atomic_uint n_changes;                                   /* on the way to the I/O thread */
  RosTimer rest; /* [io] of the listeners, when the system had no descriptor */
  GMutex lock;
  RosPublisher *dirty, **last_dirty; /* [lock] */
  /* Of the thread of the simulation: all that were made, to be freed with the node. */
  GPtrArray *own_publishers, *own_subscribers, *own_services, *own_params;
};

/* [io] Whether the master knows all. */
void ros_node_set_registered (RosNode *node, gboolean registered);
void ros_node_log (RosNode *node, RosLogLevel level, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Accepts one connection, or turns it away; -1: there is none to be served. @why: (out) (transfer
 * full) (nullable): what to tell one that is turned away, whose socket is then in @turned */
int ros_node_accept (RosNode *node, RosWatch *listener, int *turned, char **why);

void ros_slave_accept (gpointer node, guint32 events);
void ros_peer_accept (gpointer node, guint32 events);
void ros_peer_close (RosPeer *peer);

void ros_publisher_add_peer (RosPublisher *publisher, RosPeer *peer);
void ros_publisher_remove_peer (RosPublisher *publisher, RosPeer *peer);
/* [io] What was sent since the last time, of all. */
void ros_publishers_forward (RosNode *node);
void ros_publisher_free (gpointer publisher);

void ros_subscriber_update (RosSubscriber *subscriber, GVariant *uris);
/* [io] Closes what it has. */
void ros_subscriber_close (RosSubscriber *subscriber);
void ros_subscriber_free (gpointer subscriber);
/* [io] Rows of getBusInfo. */
void ros_subscriber_list (RosSubscriber *subscriber, GVariantBuilder *rows);

void ros_service_read (RosService *service, RosPeer *peer);
void ros_service_free (gpointer service);
/* [io] Fails the calls of services of others that wait. */
void ros_calls_close (RosNode *node);

RosPublisher *ros_node_find_publisher (RosNode *node, const char *topic);
RosSubscriber *ros_node_find_subscriber (RosNode *node, const char *topic);
