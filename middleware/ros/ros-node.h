/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../line-access.h"

#include <gio/gio.h>

/* A node of ROS 1: topics, services and parameters by XML-RPC and TCPROS, without a library of ROS.
 *
 * One I/O thread does all that waits. The functions here return at once; they are for one thread
 * (that of the simulation) unless they say otherwise. Without a master the node runs on, and
 * registers when one comes. Messages are bytes: who encodes them knows their type. */

typedef struct _RosNode RosNode;
typedef struct _RosPublisher RosPublisher;
typedef struct _RosSubscriber RosSubscriber;
typedef struct _RosService RosService;
typedef struct _RosServiceCall RosServiceCall;

typedef enum { ROS_LOG_INFO, ROS_LOG_WARNING } RosLogLevel;

typedef struct {
  const char *name;       /* of the node, without a slash */
  const char *name_space; /* NULL: ROS_NAMESPACE, else none */
  const char *master_uri; /* NULL: ROS_MASTER_URI, else http://localhost:11311 */
  const char *host;       /* announced and listened on; NULL: ROS_HOSTNAME, ROS_IP, 127.0.0.1 */
  LineAccess *access;     /* (transfer full) (nullable) */
  gsize max_message;      /* bytes of one that comes in */
  gsize max_request;      /* bytes of one of a service of ours; a longer one gets an error */
  guint max_links;        /* connections that others may have open */
  gint64 call_limit;      /* ms for one call of the master or of a node */
  gint64 header_limit;    /* ms for the header of a connection */
  /* On any thread. */
  void (*log) (gpointer data, RosLogLevel level, const char *text);
  gpointer log_data;
} RosNodeOptions;

typedef struct {
  const char *topic;      /* resolved as ROS does */
  const char *type;       /* package/Name */
  const char *md5;        /* "*": any */
  const char *definition; /* (nullable) */
} RosTopic;

void ros_node_options_init (RosNodeOptions *options);
/* Listens, and starts the thread. A host that is no number is looked up here and now. */
RosNode *ros_node_new (const RosNodeOptions *options, GError **error);
/* Unregisters, for @timeout ms at most, and ends the thread. Publishers and the like stay valid and
 * do nothing. */
void ros_node_stop (RosNode *node, guint timeout_ms);
void ros_node_free (RosNode *node);
const char *ros_node_get_name (RosNode *node);
/* Of the slave API: http://HOST:PORT/ */
const char *ros_node_get_uri (RosNode *node);
guint16 ros_node_get_tcpros_port (RosNode *node);
/* Returns: (transfer full) (nullable): the global name */
char *ros_node_resolve (RosNode *node, const char *name, GError **error);
/* Waits until the master knows all that it should, for @timeout_ms at most; any thread but the I/O
 * thread. Returns: whether it does */
gboolean ros_node_wait_registered (RosNode *node, guint timeout_ms);

/* --- topics --- */

/* @n: subscribers that are connected now. On the I/O thread. */
typedef void (*RosListeningFunc) (gpointer data, guint n);

/**
 * ros_node_advertise:
 * @queue_length: messages that wait for one subscriber; beyond that the oldest is dropped
 * @latched: the last message is kept for those who come later
 *
 * Returns: (transfer none): NULL: a bad name, or a topic that this node already has
 */
RosPublisher *ros_node_advertise (RosNode *node, const RosTopic *topic, guint queue_length,
                                  gboolean latched, RosListeningFunc listening, gpointer data,
                                  GError **error);
void ros_publisher_unadvertise (RosPublisher *publisher);
/* Copies the message; it leaves with the next ros_node_flush(). */
void ros_publisher_send (RosPublisher *publisher, gconstpointer message, gsize length);
/* The same without a copy. */
void ros_publisher_send_bytes (RosPublisher *publisher, GBytes *message);
/* Any thread. */
guint ros_publisher_get_n_subscribers (RosPublisher *publisher);
guint64 ros_publisher_get_n_dropped (RosPublisher *publisher);
/* Hands what was sent to the I/O thread. */
void ros_node_flush (RosNode *node);

typedef struct {
  const char *publisher; /* name of the node */
  guint connection;      /* number of the connection within the subscriber, from 1 */
  guint64 number;        /* of the message within the connection, from 0 */
} RosMessageInfo;

/* On the I/O thread. @message: (transfer none) */
typedef void (*RosMessageFunc) (gpointer data, const RosMessageInfo *info, GBytes *message);

RosSubscriber *ros_node_subscribe (RosNode *node, const RosTopic *topic, RosMessageFunc func,
                                   gpointer data, GError **error);
/* Messages that are on the way are still given to the function: its data is needed until
 * ros_node_stop() has returned. So it is for all functions here. */
void ros_subscriber_unsubscribe (RosSubscriber *subscriber);
/* Any thread. */
guint ros_subscriber_get_n_publishers (RosSubscriber *subscriber);

/* --- services --- */

/* On the I/O thread. @call: (transfer full): to be answered once, by any thread, when it suits.
 * @request: (transfer none) */
typedef void (*RosRequestFunc) (gpointer data, RosServiceCall *call, GBytes *request);

RosService *ros_node_advertise_service (RosNode *node, const char *name, const char *type,
                                        const char *md5, RosRequestFunc func, gpointer data,
                                        GError **error);
/* Any thread, also when the client or the service has gone; not after ros_node_free(). */
void ros_service_call_return (RosServiceCall *call, GBytes *response);
void ros_service_call_fail (RosServiceCall *call, const char *why);
const char *ros_service_call_get_caller (RosServiceCall *call);

typedef struct {
  const char *name; /* resolved as ROS does */
  const char *md5;  /* "*": any */
  guint timeout_ms; /* by the wall clock; 0: none */
  gboolean waits;   /* for a master, and for a node that offers it; else both are errors */
  gsize max_answer; /* bytes; 0: as many as a message may have */
} RosCallOptions;

/* The master has said who offers it, and the request is on its way. On the I/O thread. */
typedef void (*RosSentFunc) (gpointer data);
/* @response: (nullable): NULL: @error. On the I/O thread. Called once, and at the latest while the
 * node stops. */
typedef void (*RosResponseFunc) (gpointer data, GBytes *response, const GError *error);

/* @sent: (nullable). Bad names are told by @func, too. Returns: a number, for ros_node_end_call()
 */
guint64 ros_node_call_service (RosNode *node, const RosCallOptions *options, GBytes *request,
                               RosSentFunc sent, RosResponseFunc func, gpointer data);
/* Nobody waits for it any more: if it is not done, its function is called with
 * %G_IO_ERROR_CANCELLED, and a request that was not sent is not sent. */
void ros_node_end_call (RosNode *node, guint64 call);

/* --- parameters --- */

/* Is set again on each new master, and deleted when the node stops. @value: (transfer floating) */
gboolean ros_node_set_param (RosNode *node, const char *name, GVariant *value, GError **error);
gboolean ros_node_delete_param (RosNode *node, const char *name, GError **error);
/* @value: (nullable) (transfer none): NULL: @error. On the I/O thread. */
typedef void (*RosParamFunc) (gpointer data, GVariant *value, const GError *error);
void ros_node_get_param (RosNode *node, const char *name, RosParamFunc func, gpointer data);
