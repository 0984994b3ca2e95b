/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes to a broker and comes from it while it is there; on the thread of the connection. */
#include "mqtt-link-private.h"

#include <mqtt_protocol.h>
#include <stdlib.h>
#include <string.h>

/* Messages that are sent until the thread looks for what comes in. */
#define AT_ONCE 256

static gboolean
tell_once (MqttLink *link, MqttFault fault)
{
  gboolean first = !link->told[fault];

  link->told[fault] = TRUE;
  return first;
}

/* --- out --- */

/* The broker has it. */
static void
finish (MqttLink *link, MqttParcel *parcel)
{
  MqttTopic *topic = parcel->topic;

  pthread_mutex_lock (&link->lock);
  if (topic->retain && topic->queue.length == 0 && topic->last == NULL)
    topic->last = parcel;
  else
    mqtt_link_recycle (link, parcel);
  pthread_mutex_unlock (&link->lock);
}

static void
refuse (MqttLink *link, MqttParcel *parcel, const char *name, const char *words)
{
  if (tell_once (link, MQTT_FAULT_PUBLISH))
    mqtt_link_add_news (link, G_LOG_LEVEL_WARNING, "a message to %s cannot be sent: %s", name,
                        words);
  __atomic_add_fetch (&parcel->topic->n_dropped, 1, __ATOMIC_RELAXED);
  pthread_mutex_lock (&link->lock);
  mqtt_link_recycle (link, parcel);
  pthread_mutex_unlock (&link->lock);
}

static int
publish (MqttLink *link, MqttParcel *parcel, const char *name)
{
  const void *data = parcel->bytes != NULL ? g_bytes_get_data (parcel->bytes, NULL) : parcel->data;
  mosquitto_property *properties = NULL;
  gsize length = 0;
  int status;

  if (parcel->correlation != NULL && !link->v3) {
    const void *correlation = g_bytes_get_data (parcel->correlation, &length);

    mosquitto_property_add_binary (&properties, MQTT_PROP_CORRELATION_DATA, correlation,
                                   (uint16_t) length);
  }
  status = mosquitto_publish_v5 (link->client, &parcel->number, name, (int) parcel->length, data,
                                 parcel->qos, parcel->topic->retain, properties);
  mosquitto_property_free_all (&properties);
  return status;
}

static void
send_parcel (MqttLink *link, MqttParcel *parcel)
{
  const char *name = parcel->name != NULL ? parcel->name : parcel->topic->name;
  int status = publish (link, parcel, name);

  if (status == MOSQ_ERR_SUCCESS && parcel->qos == 0) {
    finish (link, parcel);
  } else if (status == MOSQ_ERR_SUCCESS) {
    g_queue_push_tail_link (&link->in_flight, &parcel->all);
  } else if (status == MOSQ_ERR_NO_CONN || status == MOSQ_ERR_CONN_LOST ||
             status == MOSQ_ERR_ERRNO || status == MOSQ_ERR_TLS) {
    pthread_mutex_lock (&link->lock);
    mqtt_link_push_front (link, parcel);
    pthread_mutex_unlock (&link->lock);
    link->lost = TRUE;
    link->status = status;
  } else {
    refuse (link, parcel, name, mosquitto_strerror (status));
  }
}

/* What the library has not written yet is not added to: what waits, waits where it has limits. */
static gboolean
may_send (MqttLink *link)
{
  return !link->lost && !mosquitto_want_write (link->client) &&
         link->in_flight.length < MQTT_MAX_IN_FLIGHT;
}

static gboolean
send_some (MqttLink *link)
{
  for (guint n = 0; n < AT_ONCE && may_send (link); n++) {
    MqttParcel *parcel;

    pthread_mutex_lock (&link->lock);
    parcel = mqtt_link_pop (link);
    pthread_mutex_unlock (&link->lock);
    if (parcel == NULL)
      return FALSE;
    send_parcel (link, parcel);
  }
  return may_send (link);
}

static MqttParcel *
find_in_flight (MqttLink *link, int number)
{
  for (GList *at = link->in_flight.head; at != NULL; at = at->next)
    if (((MqttParcel *) at->data)->number == number)
      return at->data;
  return NULL;
}

static void
on_publish (struct mosquitto *client, void *data, int number, int reason,
            const mosquitto_property *properties)
{
  MqttLink *link = data;
  MqttParcel *parcel = find_in_flight (link, number);

  link->n_calls++;
  if (link->offline_number != 0 && number == link->offline_number)
    link->offline_known = TRUE;
  if (parcel == NULL)
    return;
  g_queue_unlink (&link->in_flight, &parcel->all);
  if (reason >= MQTT_RC_UNSPECIFIED && tell_once (link, MQTT_FAULT_REFUSED))
    mqtt_link_add_news (link, G_LOG_LEVEL_WARNING, "the broker refuses messages to %s: %s",
                        parcel->name != NULL ? parcel->name : parcel->topic->name,
                        mosquitto_reason_string (reason));
  finish (link, parcel);
}

/* --- in --- */

static gboolean
matches (const MqttInput *input, const char *topic)
{
  gsize length = strlen (input->name) - 1;

  if (input->name[length] != '+')
    return g_str_equal (input->name, topic);
  return strncmp (input->name, topic, length) == 0 && strchr (topic + length, '/') == NULL;
}

static void
hand_over (MqttLink *link, const MqttMessage *message)
{
  pthread_mutex_lock (&link->input_lock);
  for (guint i = 0; i < link->inputs->len; i++) {
    MqttInput *input = link->inputs->pdata[i];

    if (matches (input, message->topic))
      input->func (input->data, input->owner, message);
  }
  pthread_mutex_unlock (&link->input_lock);
}

/* A command that somebody left at the broker long ago is none for this run. */
static gboolean
is_refused (MqttLink *link, const struct mosquitto_message *message)
{
  if (message->retain && tell_once (link, MQTT_FAULT_RETAINED))
    mqtt_link_add_news (link, G_LOG_LEVEL_WARNING, "a retained message at %s is ignored",
                        message->topic);
  if (message->retain)
    return TRUE;
  if (message->payloadlen <= MQTT_MAX_IN)
    return FALSE;
  if (tell_once (link, MQTT_FAULT_TOO_LONG))
    mqtt_link_add_news (link, G_LOG_LEVEL_WARNING,
                        "a message to %s of %d bytes is refused: the most is 1 MiB", message->topic,
                        message->payloadlen);
  return TRUE;
}

static void
on_message (struct mosquitto *client, void *data, const struct mosquitto_message *message,
            const mosquitto_property *properties)
{
  MqttLink *link = data;
  MqttMessage in = { .topic = message->topic,
                     .payload = message->payloadlen > 0 ? message->payload : "",
                     .length = (gsize) MAX (message->payloadlen, 0) };
  char *response_topic = NULL;
  void *correlation = NULL;
  uint16_t length = 0;

  link->n_calls++;
  if (is_refused (link, message))
    return;
  mosquitto_property_read_string (properties, MQTT_PROP_RESPONSE_TOPIC, &response_topic, false);
  mosquitto_property_read_binary (properties, MQTT_PROP_CORRELATION_DATA, &correlation, &length,
                                  false);
  in.response_topic = response_topic;
  in.correlation = correlation;
  in.correlation_length = length;
  hand_over (link, &in);
  free (response_topic);
  free (correlation);
}

static void
on_subscribe (struct mosquitto *client, void *data, int number, int n, const int *codes,
              const mosquitto_property *properties)
{
  MqttLink *link = data;

  link->n_calls++;
  link->n_unanswered -= link->n_unanswered > 0;
  for (int i = 0; i < n; i++)
    if (codes[i] >= MQTT_RC_UNSPECIFIED && tell_once (link, MQTT_FAULT_SUBSCRIPTION))
      mqtt_link_add_news (
          link, G_LOG_LEVEL_WARNING,
          "the broker refuses a subscription: %s; commands and calls may not arrive",
          mosquitto_reason_string (codes[i]));
}

static void
subscribe (MqttLink *link, MqttInput *input)
{
  int status = mosquitto_subscribe_v5 (link->client, NULL, input->name, input->qos,
                                       link->v3 ? 0 : MQTT_SUB_OPT_SEND_RETAIN_NEVER, NULL);

  input->asked = TRUE;
  if (status == MOSQ_ERR_SUCCESS)
    link->n_unanswered++;
  else
    link->lost = TRUE;
}

static void
subscribe_all (MqttLink *link)
{
  g_autoptr (GHashTable) asked = NULL;

  if (!__atomic_exchange_n (&link->inputs_changed, FALSE, __ATOMIC_ACQ_REL))
    return;
  asked = g_hash_table_new (g_str_hash, g_str_equal);
  pthread_mutex_lock (&link->input_lock);
  for (guint i = 0; i < link->inputs->len; i++) {
    MqttInput *input = link->inputs->pdata[i];

    if (input->asked)
      g_hash_table_add (asked, input->name);
  }
  for (guint i = 0; i < link->inputs->len; i++) {
    MqttInput *input = link->inputs->pdata[i];

    if (!input->asked && g_hash_table_add (asked, input->name))
      subscribe (link, input);
  }
  pthread_mutex_unlock (&link->input_lock);
}

/* --- what is retained of the run itself --- */

static void
say (MqttLink *link, const char *topic, const char *text, gsize length, int *number)
{
  if (mosquitto_publish_v5 (link->client, number, topic, (int) length, text, 1, true, NULL) !=
      MOSQ_ERR_SUCCESS)
    link->lost = TRUE;
}

static void
append_part (OrreryWriter *writer, const char *name, GVariant *value)
{
  orrery_writer_append_text (writer, ", ");
  orrery_writer_append_json_text (writer, name);
  orrery_writer_append_text (writer, ": ");
  orrery_writer_append_json_variant (writer, value);
}

static void
say_info (MqttLink *link)
{
  static const char *const names[MQTT_N_INFOS] = { "streams", "services" };
  g_autoptr (OrreryWriter) writer = NULL;
  const char *text;
  gsize length;

  pthread_mutex_lock (&link->lock);
  if (link->info_changed) {
    writer = orrery_writer_new ();
    orrery_writer_append_text (writer, "{\"orrery\": \"" ORRERY_VERSION "\"");
    for (guint i = 0; i < MQTT_N_INFOS; i++)
      if (link->info[i] != NULL)
        append_part (writer, names[i], link->info[i]);
    orrery_writer_append_char (writer, '}');
  }
  link->info_changed = FALSE;
  pthread_mutex_unlock (&link->lock);
  if (writer == NULL)
    return;
  text = orrery_writer_get_data (writer, &length);
  say (link, link->info_topic, text, length, NULL);
}

static void
say_online (MqttLink *link)
{
  if (!link->online) {
    link->online = TRUE;
    say (link, link->status_topic, "online", strlen ("online"), NULL);
    mqtt_link_add_news (link, G_LOG_LEVEL_MESSAGE, "%s the broker at %s:%d (MQTT %s), below %s",
                        link->was_online ? "again on" : "on", link->settings.host,
                        link->settings.port, link->v3 ? "3.1.1" : "5", link->settings.prefix);
    link->was_online = TRUE;
  }
  say_info (link);
}

gboolean
mqtt_deliver_farewell (MqttLink *link)
{
  gboolean waits;

  pthread_mutex_lock (&link->lock);
  waits = link->queue.length > 0;
  pthread_mutex_unlock (&link->lock);
  if (waits || link->in_flight.length > 0)
    return FALSE;
  if (link->offline_number == 0)
    say (link, link->status_topic, "offline", strlen ("offline"), &link->offline_number);
  return link->offline_known;
}

/* --- a connection --- */

void
mqtt_deliver_set_callbacks (struct mosquitto *client)
{
  mosquitto_message_v5_callback_set (client, on_message);
  mosquitto_publish_v5_callback_set (client, on_publish);
  mosquitto_subscribe_v5_callback_set (client, on_subscribe);
}

/* A broker that was started again has forgotten what it was to retain. */
static void
renew (MqttLink *link, MqttTopic *topic)
{
  MqttParcel *last = g_steal_pointer (&topic->last);

  if (last != NULL)
    mqtt_link_push_back (link, last);
  if (topic->stream != NULL)
    orrery_stream_set_topic_listening (topic->stream, topic->index, TRUE);
}

void
mqtt_deliver_begin (MqttLink *link)
{
  pthread_mutex_lock (&link->input_lock);
  for (guint i = 0; i < link->inputs->len; i++)
    ((MqttInput *) link->inputs->pdata[i])->asked = FALSE;
  __atomic_store_n (&link->inputs_changed, TRUE, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&link->input_lock);
  link->online = FALSE;
  link->n_unanswered = 0;
  pthread_mutex_lock (&link->lock);
  for (guint i = 0; i < link->topics->len; i++)
    renew (link, link->topics->pdata[i]);
  link->info_changed = TRUE;
  link->state = MQTT_LINK_CONNECTED;
  pthread_cond_broadcast (&link->changed);
  pthread_mutex_unlock (&link->lock);
}

gboolean
mqtt_deliver (MqttLink *link)
{
  /* Read before the subscriptions are made, so that they include all inputs that were added before
   * the link was opened. */
  gboolean open = __atomic_load_n (&link->open, __ATOMIC_ACQUIRE);

  subscribe_all (link);
  if (open && link->n_unanswered == 0 && !link->lost)
    say_online (link);
  return send_some (link);
}

/* What the broker has not acknowledged is sent again, before the rest. */
void
mqtt_deliver_end (MqttLink *link)
{
  pthread_mutex_lock (&link->lock);
  while (link->in_flight.length > 0) {
    MqttParcel *parcel = link->in_flight.tail->data;

    g_queue_unlink (&link->in_flight, &parcel->all);
    mqtt_link_push_front (link, parcel);
  }
  pthread_mutex_unlock (&link->lock);
}
