/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with a node of ROS 1 inside: does what the lines on its standard input say, and prints
 * one line for each thing that happens. */
#include "../../middleware/ros/ros-node.h"

#include <stdio.h>
#include <string.h>

#define MAX_WORDS 8
#define MAX_SHOWN 64

static GHashTable *publishers;  /* (element-type utf8 RosPublisher) */
static GHashTable *subscribers; /* (element-type utf8 RosSubscriber) */
static GPtrArray *names;        /* (element-type utf8): what functions are given */
static GAsyncQueue *late;       /* (element-type RosServiceCall) */

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
on_log (gpointer data, RosLogLevel level, const char *text)
{
  say ("log %s %s", level == ROS_LOG_WARNING ? "warning" : "info", text);
}

static void
on_listening (gpointer data, guint n)
{
  say ("listening %s %u", (const char *) data, n);
}

static void
on_message (gpointer data, const RosMessageInfo *info, GBytes *message)
{
  g_autofree char *hex = to_hex (message);

  say ("message %s %s %u %" G_GUINT64_FORMAT " %zu %s", (const char *) data, info->publisher,
       info->connection, info->number, (size_t) g_bytes_get_size (message), hex);
}

static void
on_request (gpointer data, RosServiceCall *call, GBytes *request)
{
  g_autofree char *hex = to_hex (request);

  say ("request %s %s", ros_service_call_get_caller (call), hex);
  if (g_str_equal (data, "echo"))
    ros_service_call_return (call, request);
  else if (g_str_equal (data, "fail"))
    ros_service_call_fail (call, "it went wrong");
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
    say ("failed %s: %s", (const char *) data, error->message);
}

static void
on_param (gpointer data, GVariant *value, const GError *error)
{
  g_autofree char *text = value != NULL ? g_variant_print (value, TRUE) : NULL;

  say ("param %s", value != NULL ? text : error->message);
}

static void
report (const char *what, gboolean fine, const GError *error)
{
  say ("%s %s", what, fine ? "ok" : error->message);
}

static void
advertise (RosNode *node, char **words)
{
  RosTopic topic = { words[1], words[2], words[3], "string data\n" };
  g_autoptr (GError) error = NULL;
  RosPublisher *publisher =
      ros_node_advertise (node, &topic, (guint) atoi (words[5]), words[4][0] == '1', on_listening,
                          keep (words[1]), &error);

  if (publisher != NULL)
    g_hash_table_insert (publishers, g_strdup (words[1]), publisher);
  report ("advertise", publisher != NULL, error);
}

static void
subscribe (RosNode *node, char **words)
{
  RosTopic topic = { words[1], words[2], words[3], NULL };
  g_autoptr (GError) error = NULL;
  RosSubscriber *subscriber =
      ros_node_subscribe (node, &topic, on_message, keep (words[1]), &error);

  if (subscriber != NULL)
    g_hash_table_insert (subscribers, g_strdup (words[1]), subscriber);
  report ("subscribe", subscriber != NULL, error);
}

static void
publish (RosNode *node, char **words)
{
  g_autoptr (GBytes) bytes = from_hex (words[2]);
  gsize length;
  gconstpointer data = g_bytes_get_data (bytes, &length);

  ros_publisher_send (g_hash_table_lookup (publishers, words[1]), data, length);
  ros_node_flush (node);
  say ("publish ok");
}

/* fill TOPIC COUNT LENGTH: strings of so many letters, one call for each. */
static void
fill (RosNode *node, char **words)
{
  RosPublisher *publisher = g_hash_table_lookup (publishers, words[1]);
  guint32 length = (guint32) g_ascii_strtoull (words[3], NULL, 10);
  guint8 *data = g_malloc (4 + (gsize) length);
  g_autoptr (GBytes) bytes = NULL;
  gint64 begin = g_get_monotonic_time ();

  memset (data + 4, 'x', length);
  for (int i = 0; i < 4; i++)
    data[i] = (guint8) (length >> 8 * i);
  bytes = g_bytes_new_take (data, 4 + (gsize) length);
  for (int n = atoi (words[2]); n > 0; n--) {
    ros_publisher_send_bytes (publisher, bytes);
    ros_node_flush (node);
  }
  say ("fill %" G_GINT64_FORMAT " us", g_get_monotonic_time () - begin);
}

static void
serve (RosNode *node, char **words)
{
  g_autoptr (GError) error = NULL;
  RosService *service = ros_node_advertise_service (node, words[1], words[2], words[3], on_request,
                                                    keep (words[4]), &error);

  report ("serve", service != NULL, error);
}

/* Answers the oldest call that waits. */
static void
answer (RosNode *node, char **words)
{
  g_autoptr (GBytes) bytes = from_hex (words[1]);
  RosServiceCall *call = g_async_queue_timeout_pop (late, 20 * G_USEC_PER_SEC);

  if (call != NULL)
    ros_service_call_return (call, bytes);
  say ("answer %s", call != NULL ? "ok" : "none");
}

static void
call_service (RosNode *node, char **words)
{
  g_autoptr (GBytes) bytes = from_hex (words[3]);

  RosCallOptions options = { .name = words[1],
                             .md5 = words[2],
                             .timeout_ms = (guint) atoi (words[4]) };

  ros_node_call_service (node, &options, bytes, NULL, on_response, keep (words[1]));
  say ("call ok");
}

static void
set_param (RosNode *node, char **words)
{
  g_autoptr (GError) error = NULL;
  GVariant *value = g_variant_parse (NULL, words[2], NULL, NULL, &error);

  report ("set", value != NULL && ros_node_set_param (node, words[1], value, &error), error);
  g_clear_pointer (&value, g_variant_unref);
}

static void
delete_param (RosNode *node, char **words)
{
  g_autoptr (GError) error = NULL;

  report ("delete", ros_node_delete_param (node, words[1], &error), error);
}

static void
get_param (RosNode *node, char **words)
{
  ros_node_get_param (node, words[1], on_param, NULL);
}

/* Until the master knows all. */
static void
wait_registered (RosNode *node, char **words)
{
  say ("wait %d", ros_node_wait_registered (node, 20000));
}

static void
unadvertise (RosNode *node, char **words)
{
  ros_publisher_unadvertise (g_hash_table_lookup (publishers, words[1]));
  say ("unadvertise ok");
}

static void
unsubscribe (RosNode *node, char **words)
{
  ros_subscriber_unsubscribe (g_hash_table_lookup (subscribers, words[1]));
  say ("unsubscribe ok");
}

static void
tell_dropped (RosNode *node, char **words)
{
  say ("dropped %" G_GUINT64_FORMAT,
       ros_publisher_get_n_dropped (g_hash_table_lookup (publishers, words[1])));
}

static void
tell_sources (RosNode *node, char **words)
{
  say ("publishers %u",
       ros_subscriber_get_n_publishers (g_hash_table_lookup (subscribers, words[1])));
}

static const struct {
  const char *name;
  guint n_words;
  void (*func) (RosNode *node, char **words);
} commands[] = {
  { "advertise", 6, advertise },     { "answer", 2, answer },
  { "call", 5, call_service },       { "delete", 2, delete_param },
  { "dropped", 2, tell_dropped },    { "fill", 4, fill },
  { "get", 2, get_param },           { "publish", 3, publish },
  { "publishers", 2, tell_sources }, { "serve", 5, serve },
  { "set", 3, set_param },           { "subscribe", 4, subscribe },
  { "unadvertise", 2, unadvertise }, { "unsubscribe", 2, unsubscribe },
  { "wait", 1, wait_registered },
};

static void
run_line (RosNode *node, char *line)
{
  g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", MAX_WORDS);
  guint n = g_strv_length (words);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (n != commands[i].n_words || !g_str_equal (words[0], commands[i].name))
      continue;
    commands[i].func (node, words);
    return;
  }
  say ("unknown command");
}

int
main (int argc, char **argv)
{
  RosNodeOptions options;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  RosNode *node;
  char line[4096];

  ros_node_options_init (&options);
  options.name = argc > 1 ? argv[1] : "trial";
  options.log = on_log;
  options.call_limit = 1000;
  options.header_limit = 1000;
  if (argc > 2)
    options.max_message = (gsize) g_ascii_strtoull (argv[2], NULL, 10);
  if (argc > 3)
    options.access = line_access_new (argv[3], NULL, &why);
  node = ros_node_new (&options, &error);
  if (node == NULL) {
    say ("error %s", error->message);
    return 1;
  }
  names = g_ptr_array_new_with_free_func (g_free);
  publishers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  subscribers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  late = g_async_queue_new ();
  say ("node %s %s %u", ros_node_get_name (node), ros_node_get_uri (node),
       ros_node_get_tcpros_port (node));
  while (fgets (line, sizeof line, stdin) != NULL)
    run_line (node, line);
  ros_node_stop (node, 2000);
  ros_node_free (node);
  g_ptr_array_unref (names);
  g_hash_table_unref (publishers);
  g_hash_table_unref (subscribers);
  g_async_queue_unref (late);
  say ("stopped");
  return 0;
}
