/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with nodes of ROS 2 inside: does what the lines on its standard input say, and prints
 * one line for each thing that happens. */
#include "../../middleware/dds/dds-node.h"

#include <stdio.h>
#include <string.h>

#define MAX_WORDS 8
#define MAX_SHOWN 64

static DdsContext *context;
static DdsNode *node;           /* of the commands that follow */
static GHashTable *publishers;  /* (element-type utf8 DdsPublisher) */
static GHashTable *subscribers; /* (element-type utf8 DdsSubscriber) */
static GHashTable *services;    /* (element-type utf8 DdsService) */
static GHashTable *clients;     /* (element-type utf8 DdsClient) */
static GPtrArray *names;        /* (element-type utf8): what functions are given */
static OrreryMessageCatalogue *catalogue;
static GAsyncQueue *late; /* (element-type DdsServiceCall) */

static char *
keep (const char *name)
{
  g_ptr_array_add (names, g_strdup (name));
  return g_ptr_array_index (names, names->len - 1);
}

static void
say (const char *format, ...)
{
  static GMutex lock;
  va_list list;

  g_mutex_lock (&lock);
  va_start (list, format);
  vprintf (format, list);
  va_end (list);
  putchar ('\n');
  fflush (stdout);
  g_mutex_unlock (&lock);
}

static char *
to_hex (GBytes *bytes)
{
  GString *text = g_string_new (NULL);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  for (gsize i = 0; i < MIN (length, MAX_SHOWN); i++)
    g_string_append_printf (text, "%02x", data[i]);
  return g_string_free (text, FALSE);
}

static GBytes *
from_hex (const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  for (; g_ascii_isxdigit (text[0]) && g_ascii_isxdigit (text[1]); text += 2) {
    guint8 byte = (guint8) (g_ascii_xdigit_value (text[0]) * 16 + g_ascii_xdigit_value (text[1]));

    g_byte_array_append (bytes, &byte, 1);
  }
  return g_byte_array_free_to_bytes (bytes);
}

static void
on_log (gpointer data, DdsLogLevel level, const char *text)
{
  say ("log %s %s", level == DDS_LOG_WARNING ? "warning" : "info", text);
}

static void
on_listening (gpointer data, guint n)
{
  say ("listening %s %u", (const char *) data, n);
}

/* All that is subscribed is a std_msgs/String. */
static char *
decode (GBytes *message)
{
  const OrreryMessageType *type =
      orrery_message_catalogue_find (catalogue, "std_msgs/msg/String", ORRERY_MESSAGE_ROS2, NULL);
  gpointer string = orrery_message_new (type);
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *data = g_bytes_get_data (message, &length);
  char *text = NULL;

  if (orrery_message_read (type, string, ORRERY_MESSAGE_ENCODING_CDR, data, length, &error))
    text = g_strdup_printf ("has %zu", (size_t) ((OrreryMessageText *) string)->length);
  else
    text = g_strdup_printf ("bad %s", error->message);
  orrery_message_free (type, string);
  return text;
}

static void
on_message (gpointer data, const DdsMessageInfo *info, GBytes *message)
{
  g_autofree char *hex = to_hex (message), *text = decode (message);

  say ("message %s %02x%02x %" G_GINT64_FORMAT " %zu %s %s", (const char *) data,
       info->publisher[0], info->publisher[1], info->number, (size_t) g_bytes_get_size (message),
       hex, text);
}

static void
on_request (gpointer data, DdsServiceCall *call, GBytes *request)
{
  g_autofree char *hex = to_hex (request);

  say ("request %s", hex);
  if (g_str_equal (data, "echo"))
    dds_service_call_return (call, request);
  else if (g_str_equal (data, "drop"))
    dds_service_call_drop (call);
  else
    g_async_queue_push (late, call);
}

static void
on_response (gpointer data, GBytes *response, const GError *error)
{
  g_autofree char *hex = response != NULL ? to_hex (response) : NULL;

  if (response != NULL)
    say ("response %s", hex);
  else
    say ("failed %s", error->message);
}

static void
report (const char *what, gboolean fine, const GError *error)
{
  say ("%s %s", what, fine ? "ok" : error->message);
}

/* TOPIC TYPE HASH QUALITY DEPTH: a hash of `-` is none, b of quality is best effort, l latched */
static DdsTopic
read_topic (char **words)
{
  DdsTopic topic = { words[1], words[2], g_str_equal (words[3], "-") ? NULL : words[3] };

  topic.quality.best_effort = strchr (words[4], 'b') != NULL;
  topic.quality.latched = strchr (words[4], 'l') != NULL;
  topic.quality.depth = (guint) atoi (words[5]);
  return topic;
}

static void
advertise (char **words)
{
  DdsTopic topic = read_topic (words);
  g_autoptr (GError) error = NULL;
  DdsPublisher *publisher = dds_node_advertise (node, &topic, (guint) atoi (words[6]), on_listening,
                                                keep (words[1]), &error);

  if (publisher != NULL)
    g_hash_table_insert (publishers, g_strdup (words[1]), publisher);
  report ("advertise", publisher != NULL, error);
}

static void
subscribe (char **words)
{
  DdsTopic topic = read_topic (words);
  g_autoptr (GError) error = NULL;
  DdsSubscriber *subscriber =
      dds_node_subscribe (node, &topic, on_message, keep (words[1]), &error);

  if (subscriber != NULL)
    g_hash_table_insert (subscribers, g_strdup (words[1]), subscriber);
  report ("subscribe", subscriber != NULL, error);
}

static void
publish (char **words)
{
  g_autoptr (GBytes) bytes = from_hex (words[2]);
  gsize length;
  gconstpointer data = g_bytes_get_data (bytes, &length);

  dds_publisher_send (g_hash_table_lookup (publishers, words[1]), data, length);
  dds_context_flush (context);
  say ("publish ok");
}

/* fill TOPIC COUNT LENGTH: strings of so many bytes with their end, one call for each. */
static void
fill (char **words)
{
  DdsPublisher *publisher = g_hash_table_lookup (publishers, words[1]);
  guint32 length = (guint32) g_ascii_strtoull (words[3], NULL, 10);
  guint8 *data = g_malloc0 (8 + (gsize) length);
  g_autoptr (GBytes) bytes = NULL;
  gint64 begin = g_get_monotonic_time ();

  memset (data + 8, 'x', length - 1);
  data[1] = 1;
  for (int i = 0; i < 4; i++)
    data[4 + i] = (guint8) (length >> 8 * i);
  bytes = g_bytes_new_take (data, 8 + (gsize) length);
  for (int n = atoi (words[2]); n > 0; n--) {
    dds_publisher_send_bytes (publisher, bytes);
    dds_context_flush (context);
  }
  say ("fill %" G_GINT64_FORMAT " us", g_get_monotonic_time () - begin);
}

static void
serve (char **words)
{
  g_autoptr (GError) error = NULL;
  DdsService *service =
      dds_node_advertise_service (node, words[1], words[2], on_request, keep (words[3]), &error);

  if (service != NULL)
    g_hash_table_insert (services, g_strdup (words[1]), service);
  report ("serve", service != NULL, error);
}

/* Answers the oldest call that waits. */
static void
answer (char **words)
{
  g_autoptr (GBytes) bytes = from_hex (words[1]);
  DdsServiceCall *call = g_async_queue_timeout_pop (late, 20 * G_USEC_PER_SEC);

  if (call != NULL)
    dds_service_call_return (call, bytes);
  say ("answer %s", call != NULL ? "ok" : "none");
}

static void
make_client (char **words)
{
  g_autoptr (GError) error = NULL;
  DdsClient *client = dds_node_create_client (node, words[1], words[2], &error);

  if (client != NULL)
    g_hash_table_insert (clients, g_strdup (words[1]), client);
  report ("client", client != NULL, error);
}

static void
call_service (char **words)
{
  g_autoptr (GBytes) bytes = from_hex (words[2]);

  dds_client_call (g_hash_table_lookup (clients, words[1]), bytes, (guint) atoi (words[3]),
                   on_response, NULL);
  say ("call ok");
}

static void
unadvertise (char **words)
{
  dds_publisher_unadvertise (g_hash_table_lookup (publishers, words[1]));
  say ("unadvertise ok");
}

static void
unsubscribe (char **words)
{
  dds_subscriber_unsubscribe (g_hash_table_lookup (subscribers, words[1]));
  say ("unsubscribe ok");
}

static void
withdraw (char **words)
{
  dds_service_unadvertise (g_hash_table_lookup (services, words[1]));
  say ("withdraw ok");
}

static void
tell_dropped (char **words)
{
  say ("dropped %" G_GUINT64_FORMAT,
       dds_publisher_get_n_dropped (g_hash_table_lookup (publishers, words[1])));
}

static void
tell_sources (char **words)
{
  say ("publishers %u",
       dds_subscriber_get_n_publishers (g_hash_table_lookup (subscribers, words[1])));
}

/* node NAME NAMESPACE: the commands that follow are for it */
static void
add_node (char **words)
{
  node = dds_node_new (context, words[1], words[2]);
  say ("node %s", dds_node_get_name (node));
}

static void
stop (char **words)
{
  gint64 begin = g_get_monotonic_time ();

  dds_context_stop (context);
  say ("stop %" G_GINT64_FORMAT " us", g_get_monotonic_time () - begin);
}

static const struct {
  const char *name;
  guint n_words;
  void (*func) (char **words);
} commands[] = {
  { "advertise", 7, advertise },
  { "answer", 2, answer },
  { "call", 4, call_service },
  { "client", 3, make_client },
  { "dropped", 2, tell_dropped },
  { "fill", 4, fill },
  { "node", 3, add_node },
  { "publish", 3, publish },
  { "publishers", 2, tell_sources },
  { "serve", 4, serve },
  { "stop", 1, stop },
  { "subscribe", 6, subscribe },
  { "unadvertise", 2, unadvertise },
  { "unsubscribe", 2, unsubscribe },
  { "withdraw", 2, withdraw },
};

static void
run_line (char *line)
{
  g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", MAX_WORDS);
  guint n = g_strv_length (words);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (n != commands[i].n_words || !g_str_equal (words[0], commands[i].name))
      continue;
    commands[i].func (words);
    return;
  }
  say ("unknown command");
}

/* KEY=VALUE */
static void
read_option (DdsContextOptions *options, const char *text)
{
  const char *value = strchr (text, '=') + 1;

  if (g_str_has_prefix (text, "open="))
    options->is_open = TRUE;
  else if (g_str_has_prefix (text, "peers="))
    options->peers = value;
  else if (g_str_has_prefix (text, "interface="))
    options->interface = value;
  else if (g_str_has_prefix (text, "domain="))
    options->domain = atoi (value);
  else if (g_str_has_prefix (text, "max="))
    options->max_message = (gsize) g_ascii_strtoull (value, NULL, 10);
  else if (g_str_has_prefix (text, "calls="))
    options->max_calls = (guint) atoi (value);
  else if (g_str_has_prefix (text, "bytes="))
    options->max_call_bytes = (gsize) atoi (value);
}

static gboolean
open_context (int argc, char **argv)
{
  DdsContextOptions options;
  g_auto (GStrv) directories = orrery_list_message_directories ();
  g_autoptr (GError) error = NULL;
  const char *distro = NULL;

  dds_context_options_init (&options);
  options.log = on_log;
  for (int i = 1; i < argc; i++)
    if (g_str_has_prefix (argv[i], "distro="))
      distro = argv[i] + strlen ("distro=");
    else
      read_option (&options, argv[i]);
  catalogue = orrery_message_catalogue_new ((const char *const *) directories, distro);
  options.catalogue = catalogue;
  context = dds_context_new (&options, &error);
  if (context == NULL)
    say ("error %s", error->message);
  return context != NULL;
}

int
main (int argc, char **argv)
{
  char line[8192];

  if (!open_context (argc, argv))
    return 1;
  names = g_ptr_array_new_with_free_func (g_free);
  publishers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  subscribers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  services = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  clients = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  late = g_async_queue_new ();
  node = dds_node_new (context, "orrery", NULL);
  say ("node %s %u", dds_node_get_name (node), dds_context_get_domain (context));
  while (fgets (line, sizeof line, stdin) != NULL)
    run_line (line);
  dds_context_stop (context);
  dds_context_free (context);
  g_ptr_array_unref (names);
  g_hash_table_unref (publishers);
  g_hash_table_unref (subscribers);
  g_hash_table_unref (services);
  g_hash_table_unref (clients);
  g_async_queue_unref (late);
  orrery_message_catalogue_unref (catalogue);
  say ("stopped");
  return 0;
}
