/* SPDX-License-Identifier: BSD-3-Clause */
/* A connection to a broker: how it is shared, and the queues between the tick and its thread. */
#define _GNU_SOURCE
#include "mqtt-link-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* How long what waits may take to be sent at the end, and how much longer the thread itself, ms. */
#define STOP_MS 300
#define END_MS 200
/* A message of this size or less keeps its memory for the next one. */
#define SPARE_BYTES (64 << 10)

/* --- messages that go out; under the lock --- */

static void
parcel_free (MqttParcel *parcel)
{
  if (parcel == NULL)
    return;
  g_clear_pointer (&parcel->bytes, g_bytes_unref);
  g_clear_pointer (&parcel->correlation, g_bytes_unref);
  g_free (parcel->name);
  g_free (parcel->data);
  g_free (parcel);
}

static MqttParcel *
parcel_new (MqttTopic *topic)
{
  MqttParcel *parcel = topic->spare;

  topic->spare = NULL;
  if (parcel == NULL)
    parcel = g_new0 (MqttParcel, 1);
  parcel->all.data = parcel->own.data = parcel;
  parcel->topic = topic;
  parcel->qos = topic->qos;
  return parcel;
}

void
mqtt_link_recycle (MqttLink *link, MqttParcel *parcel)
{
  MqttTopic *topic = parcel->topic;

  if (topic->spare != NULL || parcel->name != NULL || parcel->room > SPARE_BYTES) {
    parcel_free (parcel);
    return;
  }
  g_clear_pointer (&parcel->bytes, g_bytes_unref);
  topic->spare = parcel;
}

/* The topic and the correlation data of an answer are its caller's choice. */
static gsize
weigh (const MqttParcel *parcel)
{
  gsize size = parcel->length;

  if (parcel->name != NULL)
    size += strlen (parcel->name);
  if (parcel->correlation != NULL)
    size += g_bytes_get_size (parcel->correlation);
  return size;
}

static void
take_out (MqttLink *link, MqttParcel *parcel)
{
  g_queue_unlink (&link->queue, &parcel->all);
  g_queue_unlink (&parcel->topic->queue, &parcel->own);
  link->n_bytes -= weigh (parcel);
}

MqttParcel *
mqtt_link_pop (MqttLink *link)
{
  MqttParcel *parcel = link->queue.head != NULL ? link->queue.head->data : NULL;

  if (parcel != NULL)
    take_out (link, parcel);
  return parcel;
}

void
mqtt_link_push_front (MqttLink *link, MqttParcel *parcel)
{
  g_queue_push_head_link (&link->queue, &parcel->all);
  g_queue_push_head_link (&parcel->topic->queue, &parcel->own);
  link->n_bytes += weigh (parcel);
}

static void
drop_oldest (MqttLink *link, GQueue *queue)
{
  MqttParcel *parcel = queue->head->data;

  __atomic_add_fetch (&parcel->topic->n_dropped, 1, __ATOMIC_RELAXED);
  take_out (link, parcel);
  mqtt_link_recycle (link, parcel);
}

void
mqtt_link_push_back (MqttLink *link, MqttParcel *parcel)
{
  MqttTopic *topic = parcel->topic;

  while (topic->queue.length >= topic->limit)
    drop_oldest (link, &topic->queue);
  while (link->queue.length > 0 && link->n_bytes + weigh (parcel) > MQTT_MAX_OUT)
    drop_oldest (link, &link->queue);
  if (topic->last != NULL)
    mqtt_link_recycle (link, g_steal_pointer (&topic->last));
  g_queue_push_tail_link (&link->queue, &parcel->all);
  g_queue_push_tail_link (&topic->queue, &parcel->own);
  link->n_bytes += weigh (parcel);
}

static void
set_data (MqttParcel *parcel, const char *data, gsize length)
{
  if (parcel->room < length) {
    g_free (parcel->data);
    parcel->room = MAX (length, 64);
    parcel->data = g_malloc (parcel->room);
  }
  memcpy (parcel->data, data, length);
  parcel->length = length;
}

void
mqtt_link_publish (MqttLink *link, MqttTopic *topic, const char *data, gsize length)
{
  MqttParcel *parcel;

  pthread_mutex_lock (&link->lock);
  parcel = parcel_new (topic);
  set_data (parcel, data, length);
  mqtt_link_push_back (link, parcel);
  pthread_mutex_unlock (&link->lock);
  link->untold = TRUE;
}

void
mqtt_link_publish_bytes (MqttLink *link, MqttTopic *topic, GBytes *bytes)
{
  MqttParcel *parcel;

  pthread_mutex_lock (&link->lock);
  parcel = parcel_new (topic);
  parcel->bytes = bytes;
  parcel->length = g_bytes_get_size (bytes);
  mqtt_link_push_back (link, parcel);
  pthread_mutex_unlock (&link->lock);
  link->untold = TRUE;
}

static void
push_answer (MqttLink *link, int qos, const char *name, GBytes *correlation, const char *data,
             gsize length)
{
  MqttParcel *parcel;

  pthread_mutex_lock (&link->lock);
  parcel = parcel_new (link->answers);
  parcel->name = g_strdup (name);
  parcel->qos = qos;
  parcel->correlation = correlation != NULL ? g_bytes_ref (correlation) : NULL;
  set_data (parcel, data, length);
  mqtt_link_push_back (link, parcel);
  pthread_mutex_unlock (&link->lock);
}

void
mqtt_link_answer (MqttLink *link, int qos, const char *name, GBytes *correlation, const char *data,
                  gsize length)
{
  push_answer (link, qos, name, correlation, data, length);
  link->untold = TRUE;
}

void
mqtt_link_answer_at_once (MqttLink *link, int qos, const char *name, GBytes *correlation,
                          const char *data, gsize length)
{
  push_answer (link, qos, name, correlation, data, length);
  mqtt_link_signal (link);
}

void
mqtt_link_flush (MqttLink *link)
{
  if (!link->untold)
    return;
  link->untold = FALSE;
  mqtt_link_signal (link);
}

/* The flag saves the system call when the thread is about to look anyway. */
void
mqtt_link_signal (MqttLink *link)
{
  guint64 one = 1;

  if (__atomic_exchange_n (&link->signalled, 1, __ATOMIC_ACQ_REL))
    return;
  while (write (link->wake_fd, &one, sizeof one) < 0 && errno == EINTR)
    continue;
}

void
mqtt_link_open (MqttLink *link)
{
  if (__atomic_load_n (&link->open, __ATOMIC_RELAXED))
    return;
  __atomic_store_n (&link->open, TRUE, __ATOMIC_RELEASE);
  mqtt_link_signal (link);
}

/* --- topics and inputs --- */

static void
topic_free (gpointer data)
{
  MqttTopic *topic = data;

  parcel_free (topic->last);
  parcel_free (topic->spare);
  g_free (topic->name);
  g_free (topic);
}

MqttTopic *
mqtt_link_add_topic (MqttLink *link, gpointer owner, const char *name, int qos, gboolean retain,
                     guint queue)
{
  MqttTopic *topic = g_new0 (MqttTopic, 1);

  topic->link = link;
  topic->owner = owner;
  topic->name = g_strdup (name);
  topic->qos = qos;
  topic->retain = retain;
  topic->limit = queue;
  g_queue_init (&topic->queue);
  pthread_mutex_lock (&link->lock);
  g_ptr_array_add (link->topics, topic);
  pthread_mutex_unlock (&link->lock);
  return topic;
}

void
mqtt_topic_set_stream (MqttTopic *topic, OrreryStream *stream, guint index, gboolean latched)
{
  MqttLink *link = topic->link;

  pthread_mutex_lock (&link->lock);
  topic->stream = stream;
  topic->index = index;
  if (latched || link->state == MQTT_LINK_CONNECTED)
    orrery_stream_set_topic_listening (stream, index, TRUE);
  pthread_mutex_unlock (&link->lock);
}

guint64
mqtt_topic_get_n_dropped (MqttTopic *topic)
{
  return __atomic_load_n (&topic->n_dropped, __ATOMIC_RELAXED);
}

static void
input_free (gpointer data)
{
  MqttInput *input = data;

  g_free (input->name);
  g_free (input);
}

void
mqtt_link_add_input (MqttLink *link, const char *name, int qos, MqttInputFunc func, gpointer data,
                     gpointer owner)
{
  MqttInput *input = g_new0 (MqttInput, 1);

  *input = (MqttInput){ g_strdup (name), qos, func, data, owner, FALSE };
  pthread_mutex_lock (&link->input_lock);
  g_ptr_array_add (link->inputs, input);
  __atomic_store_n (&link->inputs_changed, TRUE, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&link->input_lock);
  if (link->running)
    mqtt_link_signal (link);
}

void
mqtt_link_leave (MqttLink *link, gpointer owner)
{
  pthread_mutex_lock (&link->input_lock);
  for (guint i = link->inputs->len; i-- > 0;)
    if (((MqttInput *) link->inputs->pdata[i])->owner == owner)
      g_ptr_array_remove_index (link->inputs, i);
  pthread_mutex_unlock (&link->input_lock);
  pthread_mutex_lock (&link->lock);
  for (guint i = 0; i < link->topics->len; i++)
    if (((MqttTopic *) link->topics->pdata[i])->owner == owner)
      ((MqttTopic *) link->topics->pdata[i])->stream = NULL;
  pthread_mutex_unlock (&link->lock);
}

/* --- what it says --- */

void
mqtt_link_set_info (MqttLink *link, MqttInfo which, GVariant *value)
{
  pthread_mutex_lock (&link->lock);
  g_clear_pointer (&link->info[which], g_variant_unref);
  link->info[which] = g_variant_ref_sink (value);
  link->info_changed = TRUE;
  pthread_mutex_unlock (&link->lock);
  if (link->running)
    mqtt_link_signal (link);
}

static void
news_free (gpointer data)
{
  g_free (((MqttNews *) data)->words);
  g_free (data);
}

void
mqtt_link_add_news (MqttLink *link, GLogLevelFlags level, const char *format, ...)
{
  MqttNews *news = g_new0 (MqttNews, 1);
  va_list arguments;

  va_start (arguments, format);
  news->level = level;
  news->words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  pthread_mutex_lock (&link->lock);
  g_queue_push_tail (&link->news, news);
  if (link->news.length > MQTT_MAX_NEWS)
    news_free (g_queue_pop_head (&link->news));
  __atomic_store_n (&link->has_news, TRUE, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&link->lock);
}

void
mqtt_link_take_news (MqttLink *link, MqttNewsFunc func, gpointer owner)
{
  MqttNews *news;

  if (!__atomic_load_n (&link->has_news, __ATOMIC_ACQUIRE))
    return;
  do {
    pthread_mutex_lock (&link->lock);
    news = g_queue_pop_head (&link->news);
    __atomic_store_n (&link->has_news, news != NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock (&link->lock);
    if (news != NULL) {
      func (owner, news->level, news->words);
      news_free (news);
    }
  } while (news != NULL);
}

gboolean
mqtt_link_claim_absence (MqttLink *link)
{
  gboolean first = !link->absence_claimed;

  link->absence_claimed = TRUE;
  return first;
}

/* --- its thread --- */

static void
get_deadline (guint wait, struct timespec *deadline)
{
  gint64 at = g_get_monotonic_time () + wait * G_TIME_SPAN_MILLISECOND;

  deadline->tv_sec = at / G_TIME_SPAN_SECOND;
  deadline->tv_nsec = at % G_TIME_SPAN_SECOND * 1000;
}

/* Signals are for the main thread. */
static int
start_thread (MqttLink *link)
{
  sigset_t all, before;
  int status;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  status = pthread_create (&link->thread, NULL, mqtt_thread_main, link);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (status == 0)
    pthread_setname_np (link->thread, "orrery-mqtt");
  return status;
}

static gboolean
start (MqttLink *link, GError **error)
{
  static gsize ready;
  int status;

  if (link->running)
    return TRUE;
  if (g_once_init_enter (&ready)) {
    mosquitto_lib_init ();
    g_once_init_leave (&ready, 1);
  }
  link->sides = 2;
  status = start_thread (link);
  link->running = status == 0;
  if (link->running)
    return TRUE;
  link->sides = 1;
  return orrery_set_error (error, ORRERY_ERROR_IO, "MQTT: no thread: %s", g_strerror (status));
}

gboolean
mqtt_link_start (MqttLink *link, guint wait, MqttLinkState *state, char **words, GError **error)
{
  struct timespec deadline;

  if (!start (link, error))
    return FALSE;
  get_deadline (wait, &deadline);
  pthread_mutex_lock (&link->lock);
  while (wait > 0 && link->state == MQTT_LINK_TRYING && link->words == NULL)
    if (pthread_cond_timedwait (&link->changed, &link->lock, &deadline) == ETIMEDOUT)
      break;
  *state = link->state;
  *words = g_strdup (link->words != NULL ? link->words : "it does not answer");
  pthread_mutex_unlock (&link->lock);
  return TRUE;
}

/* A thread that waits for a name server, or for a host that does not answer, is left to itself. */
static void
end_thread (MqttLink *link)
{
  struct timespec deadline;
  gboolean ended;

  pthread_mutex_lock (&link->lock);
  link->quit = TRUE;
  link->quit_by = g_get_monotonic_time () + STOP_MS * G_TIME_SPAN_MILLISECOND;
  pthread_mutex_unlock (&link->lock);
  mqtt_link_signal (link);
  get_deadline (STOP_MS + END_MS, &deadline);
  pthread_mutex_lock (&link->lock);
  while (!link->ended)
    if (pthread_cond_timedwait (&link->changed, &link->lock, &deadline) == ETIMEDOUT)
      break;
  ended = link->ended;
  pthread_mutex_unlock (&link->lock);
  if (ended)
    pthread_join (link->thread, NULL);
  else
    pthread_detach (link->thread);
}

/* --- sharing --- */

/* Both plugins have a copy of this code, whose structs the other one uses: the name says of which
 * release and shape. */
static char *
name_shared (void)
{
  return g_strdup_printf ("orrery-mqtt-link-" ORRERY_VERSION "-%zu-%zu-%zu-%zu", sizeof (MqttLink),
                          sizeof (MqttTopic), sizeof (MqttParcel), sizeof (MqttInput));
}

static gboolean
check_file (const char *option, const char *file, GError **error)
{
  int fd = file != NULL ? open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;

  if (fd < 0 && file != NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "option '%s': %s: %s", option, file,
                             g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return TRUE;
}

static gboolean
check_files (const MqttSettings *settings, GError **error)
{
  return check_file ("ca_file", settings->ca_file, error) &&
         check_file ("cert_file", settings->cert_file, error) &&
         check_file ("key_file", settings->key_file, error);
}

static MqttLink *
link_new (const MqttSettings *settings, GError **error)
{
  g_autofree char *random = g_uuid_string_random ();
  g_autofree char *password = NULL;
  pthread_condattr_t attributes;
  MqttLink *link;

  if (!check_files (settings, error) || !mqtt_settings_read_password (settings, &password, error))
    return NULL;
  link = g_new0 (MqttLink, 1);
  mqtt_settings_copy (&link->settings, settings);
  link->references = link->sides = 1;
  link->password = g_steal_pointer (&password);
  link->client_id = settings->client_id != NULL ? g_strdup (settings->client_id)
                                                : g_strdup_printf ("orrery-%.8s", random);
  link->status_topic = g_strconcat (settings->prefix, "/status", NULL);
  link->info_topic = g_strconcat (settings->prefix, "/info", NULL);
  link->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  pthread_mutex_init (&link->lock, NULL);
  pthread_mutex_init (&link->input_lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&link->changed, &attributes);
  pthread_condattr_destroy (&attributes);
  link->topics = g_ptr_array_new_with_free_func (topic_free);
  link->inputs = g_ptr_array_new_with_free_func (input_free);
  link->answers = mqtt_link_add_topic (link, NULL, NULL, 0, FALSE, MQTT_ANSWERS);
  return link;
}

void
mqtt_link_free (MqttLink *link)
{
  while (link->queue.length > 0)
    parcel_free (mqtt_link_pop (link));
  while (link->in_flight.head != NULL) {
    MqttParcel *parcel = link->in_flight.head->data;

    g_queue_unlink (&link->in_flight, &parcel->all);
    parcel_free (parcel);
  }
  g_ptr_array_unref (link->topics);
  g_ptr_array_unref (link->inputs);
  g_queue_clear_full (&link->news, news_free);
  for (guint i = 0; i < MQTT_N_INFOS; i++)
    g_clear_pointer (&link->info[i], g_variant_unref);
  if (link->password != NULL)
    explicit_bzero (link->password, strlen (link->password));
  g_free (link->password);
  g_free (link->client_id);
  g_free (link->status_topic);
  g_free (link->info_topic);
  g_free (link->words);
  g_free (link->library_words);
  mqtt_settings_clear (&link->settings);
  if (link->wake_fd >= 0)
    close (link->wake_fd);
  pthread_cond_destroy (&link->changed);
  pthread_mutex_destroy (&link->lock);
  pthread_mutex_destroy (&link->input_lock);
  g_free (link);
}

static gboolean
is_wanted (const MqttLink *link, const MqttSettings *settings)
{
  const guint place = 1u << MQTT_OPTION_HOST | 1u << MQTT_OPTION_PORT;

  return !(settings->given & place) || (g_str_equal (link->settings.host, settings->host) &&
                                        link->settings.port == settings->port);
}

MqttLink *
mqtt_link_share (OrreryWorld *world, const MqttSettings *settings, GError **error)
{
  g_autofree char *name = name_shared ();
  MqttLink *first = g_object_get_data (G_OBJECT (world), name);
  MqttLink *link = first;
  int other;

  while (link != NULL && !is_wanted (link, settings))
    link = link->next;
  if (link != NULL) {
    other = mqtt_settings_find_difference (&link->settings, settings);
    if (other < 0) {
      link->references++;
      return link;
    }
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "option '%s' differs between the streams and the services of MQTT, which "
                      "share a connection to %s:%d",
                      mqtt_option_names[other], link->settings.host, link->settings.port);
    return NULL;
  }
  link = link_new (settings, error);
  if (link == NULL)
    return NULL;
  link->next = first;
  link->world = world;
  g_object_add_weak_pointer (G_OBJECT (world), (gpointer *) &link->world);
  g_object_set_data (G_OBJECT (world), name, link);
  return link;
}

static void
leave_world (MqttLink *link)
{
  g_autofree char *name = name_shared ();
  MqttLink *first;
  MqttLink **at = &first;

  if (link->world == NULL)
    return;
  first = g_object_get_data (G_OBJECT (link->world), name);
  while (*at != NULL && *at != link)
    at = &(*at)->next;
  if (*at != NULL)
    *at = link->next;
  g_object_set_data (G_OBJECT (link->world), name, first);
  g_object_remove_weak_pointer (G_OBJECT (link->world), (gpointer *) &link->world);
}

void
mqtt_link_unref (MqttLink *link)
{
  if (link == NULL || --link->references > 0)
    return;
  leave_world (link);
  if (link->running)
    end_thread (link);
  if (__atomic_sub_fetch (&link->sides, 1, __ATOMIC_ACQ_REL) == 0)
    mqtt_link_free (link);
}

const MqttSettings *
mqtt_link_get_settings (MqttLink *link)
{
  return &link->settings;
}
