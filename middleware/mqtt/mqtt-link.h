/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mqtt-settings.h"

/*
 * A connection to a broker, with a thread of its own: both managers of a world share it. What is
 * published waits in queues with limits, so nobody waits for the broker; a connection that is lost
 * is made again. All functions belong to the tick thread, except where they say so.
 */

typedef struct _MqttLink MqttLink;
typedef struct _MqttTopic MqttTopic;

/* More is not taken in of one message, and does not wait to go out, in bytes. */
#define MQTT_MAX_IN (1 << 20)
#define MQTT_MAX_OUT (64 << 20)

typedef struct {
  const char *topic;
  const char *payload; /* not ended by NUL */
  gsize length;
  const char *response_topic; /* (nullable): MQTT 5 */
  gconstpointer correlation;  /* (nullable): MQTT 5 */
  gsize correlation_length;
} MqttMessage;

/* On the thread of the connection; must not wait for the tick. */
typedef void (*MqttInputFunc) (gpointer data, gpointer owner, const MqttMessage *message);
typedef void (*MqttNewsFunc) (gpointer owner, GLogLevelFlags level, const char *words);

typedef enum {
  MQTT_LINK_TRYING,    /* nobody has answered yet */
  MQTT_LINK_CONNECTED, /* it was connected once; it may be away now */
  MQTT_LINK_REFUSED,   /* the broker is there, and does not want us */
} MqttLinkState;

typedef enum {
  MQTT_INFO_STREAMS,
  MQTT_INFO_SERVICES,
  MQTT_N_INFOS,
} MqttInfo;

/**
 * mqtt_link_share:
 * @world: whose connections are shared
 * @settings: which broker, and how; if the host and the port are not given, the first connection of
 *   the world will do
 *
 * Returns: (transfer full): the connection, that does nothing before mqtt_link_start(), or %NULL
 *   with an error: the connection that there is has another value of an option that is given
 */
MqttLink *mqtt_link_share (OrreryWorld *world, const MqttSettings *settings, GError **error);
/* The last one sends what waits, for a short time, and ends the thread. */
void mqtt_link_unref (MqttLink *link);
const MqttSettings *mqtt_link_get_settings (MqttLink *link);

/**
 * mqtt_link_start:
 * @wait: ms that may pass until the broker has answered
 * @words: (out): what is wrong, if it is not connected
 *
 * Starts the thread, if it does not run yet. Fails only if there can be no thread.
 */
gboolean mqtt_link_start (MqttLink *link, guint wait, MqttLinkState *state, char **words,
                          GError **error);
/* Whether the first of all who ask: so that one of them tells of a broker that is not there. */
gboolean mqtt_link_claim_absence (MqttLink *link);

/**
 * mqtt_link_add_topic:
 * @owner: who adds it, for mqtt_link_leave()
 * @stream: (nullable): told that it listens, by its topic @index, once a broker is there; @latched:
 *   at once
 * @queue: messages that wait at most; the oldest gives way
 */
MqttTopic *mqtt_link_add_topic (MqttLink *link, gpointer owner, const char *name, int qos,
                                gboolean retain, guint queue);
void mqtt_topic_set_stream (MqttTopic *topic, OrreryStream *stream, guint index, gboolean latched);
/* Messages that gave way to newer ones, and those that were refused. Any thread. */
guint64 mqtt_topic_get_n_dropped (MqttTopic *topic);
/* @name: a topic, or one whose last level is `+`. */
void mqtt_link_add_input (MqttLink *link, const char *name, int qos, MqttInputFunc func,
                          gpointer data, gpointer owner);
/* Forgets what @owner added but what waits to go out; no function of its runs any more. */
void mqtt_link_leave (MqttLink *link, gpointer owner);

void mqtt_link_publish (MqttLink *link, MqttTopic *topic, const char *data, gsize length);
/* The same for bytes that are kept; @bytes: (transfer full). */
void mqtt_link_publish_bytes (MqttLink *link, MqttTopic *topic, GBytes *bytes);
/* An answer: to a topic of the caller's choice. */
void mqtt_link_answer (MqttLink *link, int qos, const char *name, GBytes *correlation,
                       const char *data, gsize length);
/* The same on the thread of the connection, which an input's function runs on. */
void mqtt_link_answer_at_once (MqttLink *link, int qos, const char *name, GBytes *correlation,
                               const char *data, gsize length);
/* Wakes the thread, if something was published since. */
void mqtt_link_flush (MqttLink *link);

/* A part of what is retained at PREFIX/info. */
void mqtt_link_set_info (MqttLink *link, MqttInfo which, GVariant *value);
/* Called in each intake, that is, when all managers have added their topics and inputs: from then
 * on the link announces the run, in the log and at PREFIX/status. */
void mqtt_link_open (MqttLink *link);
/* Hands over what the thread has to say; each line once. */
void mqtt_link_take_news (MqttLink *link, MqttNewsFunc func, gpointer owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MqttLink, mqtt_link_unref)
