/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics that the node subscribes: a connection to each of the publishers. */
#include "ros-name.h"
#include "ros-node-private.h"

#include <errno.h>

#define FIRST_WAIT_MS 100
#define LAST_WAIT_MS 5000
#define MAX_SOURCES 256

/* One publisher: asked where its messages are, connected, read; after a loss begun anew. */
typedef struct {
  RosSubscriber *subscriber;
  char *uri;
  char *host; /* of its TCPROS port */
  guint16 port;
  char *publisher;
  XmlrpcCall *call;
  RosLookup *lookup;
  RosLink *link;
  RosTimer timer;
  gint64 wait;
  guint connection;
  guint64 n_messages;
  gboolean connected; /* its header was right */
  gboolean said;      /* what is wrong with it */
} RosSource;

static void begin (gpointer data);

static void
note_connected (RosSource *source, gboolean connected)
{
  if (source->connected != connected)
    atomic_fetch_add (&source->subscriber->n_publishers, connected ? 1u : -1u);
  source->connected = connected;
}

static void
free_source (gpointer data)
{
  RosSource *source = data;

  g_free (source->uri);
  g_free (source->host);
  g_free (source->publisher);
  g_free (source);
}

static void
cut (RosSource *source)
{
  RosLoop *loop = source->subscriber->node->loop;

  if (source->call != NULL)
    xmlrpc_call_cancel (g_steal_pointer (&source->call));
  if (source->lookup != NULL)
    ros_loop_forget_lookup (loop, g_steal_pointer (&source->lookup));
  if (source->link != NULL)
    ros_link_close (g_steal_pointer (&source->link));
  ros_loop_clear_timer (loop, &source->timer);
  note_connected (source, FALSE);
}

static void
close_source (gpointer data)
{
  RosSource *source = data;

  cut (source);
  ros_loop_bury (source->subscriber->node->loop, source, free_source);
}

/* Tries again, later each time. */
static void
retry (RosSource *source, const char *why)
{
  RosSubscriber *subscriber = source->subscriber;

  cut (source);
  if (why != NULL && !source->said)
    ros_node_log (subscriber->node, ROS_LOG_WARNING, "%s: the publisher at %s: %s",
                  subscriber->topic, source->uri, why);
  source->said |= why != NULL;
  ros_loop_set_timer (subscriber->node->loop, &source->timer, source->wait);
  source->wait = MIN (2 * source->wait, LAST_WAIT_MS);
}

/* --- messages --- */

/* FALSE: it was refused. */
static gboolean
check_header (RosSource *source, const TcprosHeader *header)
{
  RosSubscriber *subscriber = source->subscriber;
  const char *md5 = tcpros_header_get (header, "md5sum");
  const char *type = tcpros_header_get (header, "type");
  const char *failure = tcpros_header_get (header, "error");
  const char *caller = tcpros_header_get (header, "callerid");
  g_autofree char *why = NULL;

  if (failure != NULL)
    why = g_strdup_printf ("it refuses: %.200s", failure);
  else if (md5 == NULL || (!g_str_equal (subscriber->md5, "*") && !g_str_equal (md5, "*") &&
                           !g_str_equal (md5, subscriber->md5)))
    why = g_strdup_printf ("it has type %.80s with md5sum %.80s, not %s with %s",
                           type != NULL ? type : "?", md5 != NULL ? md5 : "?", subscriber->type,
                           subscriber->md5);
  if (why != NULL) {
    source->wait = LAST_WAIT_MS;
    retry (source, why);
    return FALSE;
  }
  g_free (source->publisher);
  source->publisher = g_strdup_printf ("%.255s", caller != NULL ? caller : "?");
  source->wait = FIRST_WAIT_MS;
  source->said = FALSE;
  source->connection = ++subscriber->n_made;
  source->n_messages = 0;
  note_connected (source, TRUE);
  ros_link_set_limit (source->link, 0);
  source->link->max_input = subscriber->node->options.max_message + 4;
  return TRUE;
}

static gboolean
read_header (RosSource *source)
{
  g_autoptr (TcprosHeader) header = NULL;
  g_autoptr (GError) error = NULL;
  gsize length, size;
  const guint8 *bytes = ros_link_peek (source->link, &length);

  header = tcpros_header_parse (bytes, length, &size, &error);
  if (error != NULL)
    retry (source, error->message);
  if (header == NULL)
    return FALSE;
  ros_link_take (source->link, size);
  return check_header (source, header);
}

/* FALSE: there is no whole message. */
static gboolean
read_message (RosSource *source)
{
  RosSubscriber *subscriber = source->subscriber;
  RosMessageInfo info = { source->publisher, source->connection, source->n_messages };
  g_autoptr (GBytes) message = NULL;
  gsize length, size;
  const guint8 *bytes = ros_link_peek (source->link, &length);

  if (length < 4)
    return FALSE;
  size = tcpros_get_u32 (bytes);
  if (size > subscriber->node->options.max_message) {
    g_autofree char *why =
        g_strdup_printf ("a message of %zu bytes; the limit is %zu", (size_t) size,
                         (size_t) subscriber->node->options.max_message);

    retry (source, why);
    return FALSE;
  }
  if (length - 4 < size)
    return FALSE;
  message = g_bytes_new (bytes + 4, size);
  ros_link_take (source->link, 4 + size);
  source->n_messages++;
  subscriber->func (subscriber->data, &info, message);
  return TRUE;
}

static void
on_input (gpointer data, RosLink *link)
{
  RosSource *source = data;

  if (!source->connected && !read_header (source))
    return;
  while (!link->closed && read_message (source))
    continue;
}

static void
on_closed (gpointer data, RosLink *link, const char *why)
{
  RosSource *source = data;

  source->link = NULL;
  retry (source, source->connected ? NULL : why);
}

static const RosLinkFuncs link_funcs = { on_input, on_closed };

/* --- getting there --- */

static void
on_address (gpointer data, const struct sockaddr_in *found)
{
  RosSource *source = data;
  RosSubscriber *subscriber = source->subscriber;
  g_autoptr (GBytes) header = NULL;
  struct sockaddr_in address;

  source->lookup = NULL;
  if (found == NULL) {
    retry (source, "no machine of the name that it gives");
    return;
  }
  address = *found;
  address.sin_port = g_htons (source->port);
  source->link = ros_link_connect (subscriber->node->loop, &address, &link_funcs, source);
  if (source->link == NULL) {
    retry (source, g_strerror (errno));
    return;
  }
  source->link->max_input = TCPROS_MAX_HEADER + 4;
  ros_link_set_limit (source->link, subscriber->node->options.header_limit);
  header = tcpros_header_make ("callerid", subscriber->node->name, "topic", subscriber->topic,
                               "type", subscriber->type, "md5sum", subscriber->md5, "tcp_nodelay",
                               "1", "message_definition",
                               subscriber->definition != NULL ? subscriber->definition : "", NULL);
  ros_link_send_bytes (source->link, header);
}

/* ["TCPROS", host, port] */
static gboolean
read_place (RosSource *source, GVariant *value)
{
  g_autoptr (GVariant) protocol = NULL;
  g_autoptr (GVariant) host = NULL;
  g_autoptr (GVariant) port = NULL;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("av")) || g_variant_n_children (value) < 3)
    return FALSE;
  g_variant_get_child (value, 0, "v", &protocol);
  g_variant_get_child (value, 1, "v", &host);
  g_variant_get_child (value, 2, "v", &port);
  if (!g_variant_is_of_type (protocol, G_VARIANT_TYPE_STRING) ||
      !g_str_equal (g_variant_get_string (protocol, NULL), "TCPROS") ||
      !g_variant_is_of_type (host, G_VARIANT_TYPE_STRING) ||
      !g_variant_is_of_type (port, G_VARIANT_TYPE_INT32) || g_variant_get_int32 (port) < 1 ||
      g_variant_get_int32 (port) > G_MAXUINT16)
    return FALSE;
  g_free (source->host);
  source->host = g_strndup (g_variant_get_string (host, NULL), 255);
  source->port = (guint16) g_variant_get_int32 (port);
  return TRUE;
}

static void
on_place (gpointer data, GVariant *answer, const GError *failure)
{
  RosSource *source = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = answer != NULL ? ros_answer_get_value (answer, &error) : NULL;

  source->call = NULL;
  if (value == NULL)
    retry (source, answer != NULL ? error->message : failure->message);
  else if (!read_place (source, value))
    retry (source, "it does not say where it is");
  else
    source->lookup =
        ros_loop_look_up (source->subscriber->node->loop, source->host, on_address, source);
}

static void
begin (gpointer data)
{
  RosSource *source = data;
  RosNode *node = source->subscriber->node;
  g_autofree char *host = NULL;
  guint16 port;

  if (!ros_uri_parse (source->uri, "http://", &host, &port)) {
    retry (source, "that is no address");
    return;
  }
  source->call = xmlrpc_call_new (node->loop, host, port, "requestTopic",
                                  g_variant_new_parsed ("(%s, %s, [['TCPROS']])", node->name,
                                                        source->subscriber->topic),
                                  node->options.call_limit, on_place, source);
}

/* --- which publishers there are --- */

static gboolean
has_uri (GVariant *uris, const char *uri)
{
  gsize n = g_variant_n_children (uris);

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) value = NULL;

    g_variant_get_child (uris, i, "v", &value);
    if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) &&
        g_str_equal (g_variant_get_string (value, NULL), uri))
      return TRUE;
  }
  return FALSE;
}

static void
add_source (RosSubscriber *subscriber, const char *uri)
{
  RosSource *source;

  for (guint i = 0; i < subscriber->sources->len; i++) {
    source = g_ptr_array_index (subscriber->sources, i);
    if (g_str_equal (source->uri, uri))
      return;
  }
  if (subscriber->sources->len >= MAX_SOURCES)
    return;
  source = g_new0 (RosSource, 1);
  source->subscriber = subscriber;
  source->uri = g_strdup (uri);
  source->wait = FIRST_WAIT_MS;
  source->timer = (RosTimer){ .func = begin, .data = source };
  g_ptr_array_add (subscriber->sources, source);
  ros_loop_set_timer (subscriber->node->loop, &source->timer, 0);
}

void
ros_subscriber_update (RosSubscriber *subscriber, GVariant *uris)
{
  gsize n;

  if (!g_variant_is_of_type (uris, G_VARIANT_TYPE ("av")) || !subscriber->entry.wanted)
    return;
  for (guint i = subscriber->sources->len; i > 0; i--) {
    RosSource *source = g_ptr_array_index (subscriber->sources, i - 1);

    if (!has_uri (uris, source->uri))
      close_source (g_ptr_array_remove_index (subscriber->sources, i - 1));
  }
  n = g_variant_n_children (uris);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) value = NULL;

    g_variant_get_child (uris, i, "v", &value);
    if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
      add_source (subscriber, g_variant_get_string (value, NULL));
  }
}

void
ros_subscriber_close (RosSubscriber *subscriber)
{
  while (subscriber->sources->len > 0)
    close_source (g_ptr_array_remove_index_fast (subscriber->sources, 0));
}

void
ros_subscriber_list (RosSubscriber *subscriber, GVariantBuilder *rows)
{
  for (guint i = 0; i < subscriber->sources->len; i++) {
    RosSource *source = g_ptr_array_index (subscriber->sources, i);

    g_variant_builder_add (rows, "(isssss)", (gint32) source->connection, source->uri, "i",
                           "TCPROS", subscriber->topic, source->connected ? "1" : "0");
  }
}

guint
ros_subscriber_get_n_publishers (RosSubscriber *subscriber)
{
  return atomic_load (&subscriber->n_publishers);
}

void
ros_subscriber_free (gpointer data)
{
  RosSubscriber *subscriber = data;

  g_ptr_array_unref (subscriber->sources);
  g_free (subscriber->topic);
  g_free (subscriber->type);
  g_free (subscriber->md5);
  g_free (subscriber->definition);
  g_free (subscriber);
}
