/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread of a connection to a broker: connects, waits, and connects again. */
#include "mqtt-link-private.h"

#include <errno.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* ms: until a broker has to answer; pauses between tries; and what makes a connection a good one.
 */
#define ANSWER_MS 5000
#define FIRST_PAUSE 250
#define LONGEST_PAUSE 5000
#define REFUSED_PAUSE 30000
#define LASTING_MS 10000
#define TIMERS_MS 1000
/* Losses that are told until a connection has lasted, and after which somebody else seems to take
 * the connection away: brokers need not say so. */
#define MAX_TOLD 5
#define MAX_SHORT 3
/* A broker does not send what is longer; more than MQTT_MAX_IN, so that what is refused is told. */
#define MAX_PACKET (16 << 20)
/* Packets that are read until the thread looks for what goes out; and those in a row for which the
 * library calls none of our functions, by which one cannot see whether there was a packet. */
#define PACKETS_AT_ONCE 1024
#define SILENT_PACKETS 64

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / G_TIME_SPAN_MILLISECOND;
}

static gboolean
is_quitting (MqttLink *link, gint64 *by)
{
  gboolean quit;

  pthread_mutex_lock (&link->lock);
  quit = link->quit;
  *by = link->quit_by / G_TIME_SPAN_MILLISECOND;
  pthread_mutex_unlock (&link->lock);
  return quit;
}

/* --- what went wrong --- */

static void
set_words (MqttLink *link, gboolean refused, const char *words)
{
  pthread_mutex_lock (&link->lock);
  g_free (link->words);
  link->words = g_strdup (words);
  if (refused && link->state == MQTT_LINK_TRYING)
    link->state = MQTT_LINK_REFUSED;
  pthread_cond_broadcast (&link->changed);
  pthread_mutex_unlock (&link->lock);
}

/* Its answers of version 3 are few and small. */
static gboolean
is_refusal (int reason)
{
  return reason == 2 || reason == 4 || reason == 5 || reason == MQTT_RC_CLIENTID_NOT_VALID ||
         reason == MQTT_RC_BAD_USERNAME_OR_PASSWORD || reason == MQTT_RC_NOT_AUTHORIZED ||
         reason == MQTT_RC_BANNED || reason == MQTT_RC_BAD_AUTHENTICATION_METHOD;
}

static gboolean
is_of_tls (int status)
{
  return status == MOSQ_ERR_TLS || status == MOSQ_ERR_TLS_HANDSHAKE;
}

/* Which of these it is depends on whether a read or a write notices it first. */
static gboolean
is_closed_by_peer (int status, int code)
{
  return status == MOSQ_ERR_SUCCESS || status == MOSQ_ERR_CONN_LOST ||
         (status == MOSQ_ERR_ERRNO && (code == EPIPE || code == ECONNRESET));
}

static char *
describe (MqttLink *link)
{
  if (link->reason == MQTT_RC_SESSION_TAKEN_OVER)
    return g_strdup_printf ("another client has the client_id '%s'", link->client_id);
  if (link->reason >= MQTT_RC_UNSPECIFIED)
    return g_strdup (mosquitto_reason_string (link->reason));
  if (link->reason > 0)
    return g_strdup (mosquitto_connack_string (link->reason));
  if (link->timed_out)
    return g_strdup ("it does not answer");
  if (is_of_tls (link->status) && link->library_words != NULL)
    return g_strdup (link->library_words);
  if (is_closed_by_peer (link->status, errno))
    return g_strdup ("it closed the connection");
  if (link->status == MOSQ_ERR_ERRNO)
    return g_strdup (g_strerror (errno));
  return g_strdup (mosquitto_strerror (link->status));
}

static void
tell_loss (MqttLink *link, const char *words)
{
  g_autofree char *guess = NULL;

  if (link->n_losses++ >= MAX_TOLD)
    return;
  if (link->n_losses == MAX_SHORT)
    guess =
        g_strdup_printf (" again; perhaps another client has the client_id '%s'", link->client_id);
  mqtt_link_add_news (link, G_LOG_LEVEL_WARNING,
                      "the broker at %s:%d is away: %s%s; it is tried again", link->settings.host,
                      link->settings.port, words, guess != NULL ? guess : "");
}

/* --- functions that the library calls --- */

static void
on_connect (struct mosquitto *client, void *data, int reason, int flags,
            const mosquitto_property *properties)
{
  MqttLink *link = data;

  link->n_calls++;
  link->answered = TRUE;
  link->reason = reason;
  link->connected = reason == 0;
  link->lost |= reason != 0;
}

static void
on_disconnect (struct mosquitto *client, void *data, int reason,
               const mosquitto_property *properties)
{
  MqttLink *link = data;

  link->n_calls++;
  link->lost = TRUE;
  /* Below are numbers of the library. */
  if (reason >= MQTT_RC_UNSPECIFIED)
    link->reason = reason;
}

static void
on_log (struct mosquitto *client, void *data, int level, const char *words)
{
  MqttLink *link = data;

  if (level != MOSQ_LOG_ERR && level != MOSQ_LOG_WARNING)
    return;
  g_free (link->library_words);
  link->library_words = g_strdup (words);
}

/* A key with a password: nobody is there to be asked. */
static int
refuse_password (char *buffer, int size, int is_new, void *data)
{
  return 0;
}

/* --- connecting --- */

static int
set_up_tls (MqttLink *link)
{
  const MqttSettings *settings = &link->settings;

  if (!settings->tls)
    return MOSQ_ERR_SUCCESS;
  if (settings->ca_file == NULL)
    mosquitto_int_option (link->client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  return mosquitto_tls_set (link->client, settings->ca_file,
                            settings->ca_file == NULL ? "/etc/ssl/certs" : NULL,
                            settings->cert_file, settings->key_file, refuse_password);
}

static int
connect_client (MqttLink *link)
{
  const MqttSettings *settings = &link->settings;
  mosquitto_property *properties = NULL;
  int status = set_up_tls (link);

  if (status != MOSQ_ERR_SUCCESS)
    return status;
  if (!link->v3)
    mosquitto_property_add_int32 (&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, MAX_PACKET);
  errno = 0;
  status = mosquitto_connect_bind_v5 (link->client, settings->host, settings->port,
                                      settings->keepalive, NULL, properties);
  mosquitto_property_free_all (&properties);
  return status;
}

static int
make_client (MqttLink *link)
{
  link->client = mosquitto_new (link->client_id, true, link);
  if (link->client == NULL)
    return MOSQ_ERR_NOMEM;
  mosquitto_int_option (link->client, MOSQ_OPT_PROTOCOL_VERSION,
                        link->v3 ? MQTT_PROTOCOL_V311 : MQTT_PROTOCOL_V5);
  mosquitto_int_option (link->client, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_connect_v5_callback_set (link->client, on_connect);
  mosquitto_disconnect_v5_callback_set (link->client, on_disconnect);
  mosquitto_log_callback_set (link->client, on_log);
  mqtt_deliver_set_callbacks (link->client);
  mosquitto_will_set (link->client, link->status_topic, strlen ("offline"), "offline", 1, true);
  if (link->settings.user != NULL)
    mosquitto_username_pw_set (link->client, link->settings.user, link->password);
  return connect_client (link);
}

static void
plan (MqttLink *link, guint pause)
{
  link->due = now_ms () + pause;
  link->pause = CLAMP (2 * link->pause, FIRST_PAUSE, LONGEST_PAUSE);
}

static void
drop_client (MqttLink *link)
{
  mqtt_deliver_end (link);
  g_clear_pointer (&link->client, mosquitto_destroy);
  link->connected = link->lost = FALSE;
}

/* Nobody is there, or nothing can be tried. */
static void
note_absence (MqttLink *link)
{
  g_autofree char *words = describe (link);

  set_words (link, is_of_tls (link->status) || link->status == MOSQ_ERR_INVAL, words);
  drop_client (link);
  link->v3 = FALSE;
  plan (link, link->pause);
}

static void
begin (MqttLink *link)
{
  link->answered = link->lost = link->timed_out = link->begun = FALSE;
  link->reason = 0;
  link->since = link->looked = now_ms ();
  g_clear_pointer (&link->library_words, g_free);
  link->status = make_client (link);
  if (link->status != MOSQ_ERR_SUCCESS)
    note_absence (link);
}

static gboolean
is_unwanted (const MqttLink *link)
{
  return is_refusal (link->reason) || link->reason == MQTT_RC_SESSION_TAKEN_OVER ||
         link->n_losses >= MAX_SHORT;
}

/* Without an answer, or with one that says so, it may not know version 5. */
static gboolean
wants_other_version (MqttLink *link)
{
  if (link->answered)
    return !link->v3 && link->reason == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION;
  return !link->timed_out && !is_of_tls (link->status);
}

static void
end (MqttLink *link)
{
  g_autofree char *words = describe (link);
  gboolean was_connected = link->connected;
  gboolean retry = !was_connected && wants_other_version (link);

  drop_client (link);
  if (retry)
    link->v3 = !link->v3;
  if (retry && link->v3) {
    link->due = now_ms ();
    return;
  }
  if (was_connected && now_ms () - link->since >= LASTING_MS) {
    link->pause = FIRST_PAUSE;
    link->n_losses = 0;
  }
  if (was_connected)
    tell_loss (link, words);
  set_words (link, is_refusal (link->reason) || is_of_tls (link->status), words);
  plan (link, is_unwanted (link) ? REFUSED_PAUSE : link->pause);
}

/* --- the loop --- */

static void
check (MqttLink *link, int status)
{
  if (status == MOSQ_ERR_SUCCESS)
    return;
  link->lost = TRUE;
  link->status = status;
}

/* What the TLS library has read already, poll() does not show: it is asked until it has been silent
 * for longer than packets can be. */
static void
read_packets (MqttLink *link)
{
  guint patience = link->settings.tls ? SILENT_PACKETS : 1;
  guint silent = 0;

  for (guint n = 0; n < PACKETS_AT_ONCE && silent < patience && !link->lost; n++) {
    guint before = link->n_calls;

    check (link, mosquitto_loop_read (link->client, 1));
    silent = link->n_calls != before ? 0 : silent + 1;
  }
}

/* The library closes what has been silent for too long. */
static void
look_after_timers (MqttLink *link)
{
  gint64 now = now_ms ();

  if (!link->answered && now - link->since >= ANSWER_MS)
    link->timed_out = link->lost = TRUE;
  if (now - link->looked < TIMERS_MS || link->lost)
    return;
  link->looked = now;
  check (link, mosquitto_loop_misc (link->client));
}

static void
take_wake (MqttLink *link)
{
  guint64 count;

  if (read (link->wake_fd, &count, sizeof count) < 0 && errno != EAGAIN && errno != EINTR)
    g_debug ("MQTT: eventfd: %s", g_strerror (errno));
  __atomic_store_n (&link->signalled, 0, __ATOMIC_RELEASE);
}

static int
get_timeout (MqttLink *link, gboolean more, gboolean quitting, gint64 quit_by)
{
  gint64 now = now_ms ();
  gint64 at = link->client == NULL ? link->due : now + TIMERS_MS;

  if (more)
    return 0;
  if (link->client != NULL && !link->answered)
    at = MIN (at, link->since + ANSWER_MS);
  if (quitting)
    at = MIN (at, quit_by);
  return (int) CLAMP (at - now, 0, REFUSED_PAUSE);
}

static void
wait_and_serve (MqttLink *link, int timeout)
{
  struct pollfd fds[2] = { { .fd = link->wake_fd, .events = POLLIN }, { .fd = -1 } };

  if (link->client != NULL) {
    fds[1].fd = mosquitto_socket (link->client);
    fds[1].events = POLLIN;
    fds[1].events |= mosquitto_want_write (link->client) ? POLLOUT : 0;
  }
  if (poll (fds, 2, timeout) < 0)
    return;
  if (fds[0].revents != 0)
    take_wake (link);
  if (link->client == NULL)
    return;
  if (fds[1].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL))
    read_packets (link);
  if (!link->lost && fds[1].revents & POLLOUT)
    check (link, mosquitto_loop_write (link->client, 1));
  if (!link->lost)
    look_after_timers (link);
}

/* Returns: whether there is more to do at once */
static gboolean
serve (MqttLink *link)
{
  gboolean more = FALSE;

  if (link->connected && !link->begun && !link->lost) {
    link->begun = TRUE;
    link->since = now_ms ();
    mqtt_deliver_begin (link);
  }
  if (link->connected && !link->lost)
    more = mqtt_deliver (link);
  if (link->lost)
    end (link);
  return more && link->client != NULL;
}

/* Nothing is left to do, or no time. */
static gboolean
is_over (MqttLink *link, gint64 quit_by)
{
  return !link->connected || now_ms () >= quit_by || mqtt_deliver_farewell (link);
}

static void
leave (MqttLink *link)
{
  if (link->connected && link->offline_known)
    mosquitto_disconnect (link->client);
  drop_client (link);
  pthread_mutex_lock (&link->lock);
  link->ended = TRUE;
  pthread_cond_broadcast (&link->changed);
  pthread_mutex_unlock (&link->lock);
  if (__atomic_sub_fetch (&link->sides, 1, __ATOMIC_ACQ_REL) == 0)
    mqtt_link_free (link);
}

void *
mqtt_thread_main (void *data)
{
  MqttLink *link = data;
  gboolean quitting = FALSE;
  gboolean more = FALSE;
  gint64 quit_by = 0;

  link->pause = FIRST_PAUSE;
  while (!quitting || !is_over (link, quit_by)) {
    if (link->client == NULL && now_ms () >= link->due)
      begin (link);
    wait_and_serve (link, get_timeout (link, more, quitting, quit_by));
    more = serve (link);
    quitting = is_quitting (link, &quit_by);
  }
  leave (link);
  return NULL;
}
