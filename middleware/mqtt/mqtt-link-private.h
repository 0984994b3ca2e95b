/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mqtt-link.h"

#include <mosquitto.h>
#include <pthread.h>

/* Lines that wait to be logged. */
#define MQTT_MAX_NEWS 32
/* Messages with QoS 1 or 2 that the broker has not acknowledged. */
#define MQTT_MAX_IN_FLIGHT 16
#define MQTT_ANSWERS 1024

/* What is told once. */
typedef enum {
  MQTT_FAULT_SUBSCRIPTION,
  MQTT_FAULT_RETAINED,
  MQTT_FAULT_TOO_LONG,
  MQTT_FAULT_PUBLISH,
  MQTT_FAULT_REFUSED,
  MQTT_N_FAULTS,
} MqttFault;

/* A message that goes out. */
typedef struct {
  GList all; /* in the queue of the link, in the order of publishing */
  GList own; /* in the queue of its topic */
  MqttTopic *topic;
  char *name; /* (nullable): in place of the topic's */
  GBytes *correlation;
  GBytes *bytes; /* (nullable): in place of data */
  char *data;
  gsize length;
  gsize room;
  int qos;
  int number; /* the library's, while in flight */
} MqttParcel;

struct _MqttTopic {
  MqttLink *link;
  char *name; /* (nullable): of answers */
  int qos;
  gboolean retain;
  guint limit;
  gpointer owner;
  OrreryStream *stream; /* borrowed, under lock */
  guint index;
  GQueue queue;      /* under lock */
  MqttParcel *last;  /* under lock: of a retained topic, what the broker was given last */
  MqttParcel *spare; /* under lock: its memory is used again */
  guint64 n_dropped; /* atomic */
};

/* Something subscribed. */
typedef struct {
  char *name;
  int qos;
  MqttInputFunc func;
  gpointer data;
  gpointer owner;
  gboolean asked; /* in this connection; the thread's own */
} MqttInput;

typedef struct {
  GLogLevelFlags level;
  char *words;
} MqttNews;

struct _MqttLink {
  int references;     /* of owners, on the tick thread */
  int sides;          /* atomic: the owners, and the thread: who leaves last frees it */
  MqttLink *next;     /* of the same world */
  OrreryWorld *world; /* weak */
  MqttSettings settings;
  char *password;
  char *client_id;
  char *status_topic;
  char *info_topic;
  gboolean absence_claimed;

  pthread_t thread;
  gboolean running;
  int wake_fd;
  int signalled;   /* atomic */
  gboolean untold; /* published since the last flush */

  pthread_mutex_t lock;
  pthread_cond_t changed; /* state, ended */
  /* Under lock: */
  GQueue queue;      /* (element-type MqttParcel), all that wait */
  gsize n_bytes;     /* of these */
  GPtrArray *topics; /* (element-type MqttTopic) */
  MqttTopic *answers;
  MqttLinkState state;
  char *words; /* why it is not connected */
  gboolean quit;
  gint64 quit_by; /* monotonic, us */
  gboolean ended;
  GQueue news;       /* (element-type MqttNews) */
  gboolean has_news; /* atomic */
  GVariant *info[MQTT_N_INFOS];
  gboolean info_changed;

  pthread_mutex_t input_lock; /* never taken within lock, nor the other way round */
  GPtrArray *inputs;          /* (element-type MqttInput) */
  gboolean inputs_changed;    /* atomic */
  gboolean open;              /* atomic; see mqtt_link_open() */

  /* The thread's own: */
  struct mosquitto *client; /* (nullable): none while it waits to try again */
  gboolean v3;              /* this broker speaks 3.1.1 only */
  gboolean connected;
  gboolean answered;   /* there was a CONNACK */
  gboolean begun;      /* what waits is being sent */
  gboolean lost;       /* to be closed */
  gboolean timed_out;  /* since there was no CONNACK */
  int reason;          /* of MQTT, why it was refused or closed; 0: nobody said */
  int status;          /* of the library, likewise */
  gint64 since;        /* when the connection was made, or begun; us */
  gint64 due;          /* when it is tried again */
  gint64 looked;       /* when the library last looked after its timers */
  guint pause;         /* until the next try, ms */
  guint n_losses;      /* that were told, since a connection has lasted */
  guint n_calls;       /* of our functions by the library */
  guint n_unanswered;  /* subscriptions */
  gboolean online;     /* PREFIX/status says so */
  gboolean was_online; /* in an earlier connection */
  gboolean told[MQTT_N_FAULTS];
  int offline_number; /* of the last message; 0: it was not sent */
  gboolean offline_known;
  char *library_words; /* its last complaint */
  GQueue in_flight;    /* (element-type MqttParcel) by `all` */
};

void *mqtt_thread_main (void *link);
void mqtt_link_signal (MqttLink *link);
void mqtt_link_free (MqttLink *link);
/* From the thread, without the lock. */
void mqtt_link_add_news (MqttLink *link, GLogLevelFlags level, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Under the lock: */
MqttParcel *mqtt_link_pop (MqttLink *link);
void mqtt_link_push_front (MqttLink *link, MqttParcel *parcel);
void mqtt_link_push_back (MqttLink *link, MqttParcel *parcel);
void mqtt_link_recycle (MqttLink *link, MqttParcel *parcel);

/* mqtt-deliver.c: what goes out and comes in while there is a connection; the thread's. */
void mqtt_deliver_begin (MqttLink *link);
/* Returns: whether there is more to do at once */
gboolean mqtt_deliver (MqttLink *link);
void mqtt_deliver_end (MqttLink *link);
/* Says farewell, once nothing waits. Returns: whether the broker has it */
gboolean mqtt_deliver_farewell (MqttLink *link);
void mqtt_deliver_set_callbacks (struct mosquitto *client);
