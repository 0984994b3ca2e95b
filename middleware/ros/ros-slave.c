/* SPDX-License-Identifier: BSD-3-Clause */
/* What other nodes and the master may ask of a node (wiki.ros.org/ROS/Slave_API). */
#define _GNU_SOURCE
#include "ros-node-private.h"
#include "xmlrpc-http.h"
#include "xmlrpc-value.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connection without a request is closed after this time. */
#define IDLE_MS 15000

static GVariant *
make_answer (int code, const char *status, GVariant *value)
{
  return g_variant_new ("(isv)", code, status, value);
}

static const char *
get_text (GVariant *parameters, gsize i)
{
  g_autoptr (GVariant) value = NULL;

  if (i >= g_variant_n_children (parameters))
    return NULL;
  g_variant_get_child (parameters, i, "v", &value);
  return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_get_string (value, NULL)
                                                             : NULL;
}

static GVariant *
answer_pid (RosNode *node, GVariant *parameters)
{
  return make_answer (1, "", g_variant_new_int32 (getpid ()));
}

static GVariant *
answer_master_uri (RosNode *node, GVariant *parameters)
{
  return make_answer (1, "", g_variant_new_string (node->master_uri));
}

static GVariant *
answer_publications (RosNode *node, GVariant *parameters)
{
  g_auto (GVariantBuilder) rows = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ss)"));

  for (guint i = 0; i < node->publishers->len; i++) {
    RosPublisher *publisher = g_ptr_array_index (node->publishers, i);

    g_variant_builder_add (&rows, "(ss)", publisher->topic, publisher->type);
  }
  return make_answer (1, "", g_variant_builder_end (&rows));
}

static GVariant *
answer_subscriptions (RosNode *node, GVariant *parameters)
{
  g_auto (GVariantBuilder) rows = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ss)"));

  for (guint i = 0; i < node->subscribers->len; i++) {
    RosSubscriber *subscriber = g_ptr_array_index (node->subscribers, i);

    g_variant_builder_add (&rows, "(ss)", subscriber->topic, subscriber->type);
  }
  return make_answer (1, "", g_variant_builder_end (&rows));
}

/* Rows: number, other end, direction, transport, topic, whether it is connected. */
static GVariant *
answer_bus_info (RosNode *node, GVariant *parameters)
{
  g_auto (GVariantBuilder) rows = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(isssss)"));

  for (guint i = 0; i < node->peers->len; i++) {
    RosPeer *peer = g_ptr_array_index (node->peers, i);

    if (peer->publisher != NULL)
      g_variant_builder_add (&rows, "(isssss)", (gint32) peer->number, peer->caller, "o", "TCPROS",
                             peer->publisher->topic, "1");
  }
  for (guint i = 0; i < node->subscribers->len; i++)
    ros_subscriber_list (g_ptr_array_index (node->subscribers, i), &rows);
  return make_answer (1, "", g_variant_builder_end (&rows));
}

static GVariant *
answer_bus_stats (RosNode *node, GVariant *parameters)
{
  return make_answer (1, "", g_variant_new_parsed ("[@av [], @av [], @av []]"));
}

static GVariant *
answer_request_topic (RosNode *node, GVariant *parameters)
{
  const char *topic = get_text (parameters, 1);
  g_autofree char *words = NULL;

  if (topic == NULL)
    return make_answer (-1, "requestTopic (caller, topic, protocols)", g_variant_new_int32 (0));
  if (ros_node_find_publisher (node, topic) == NULL) {
    words = g_strdup_printf ("%s does not publish %.80s", node->name, topic);
    return make_answer (0, words, g_variant_new_int32 (0));
  }
  words = g_strdup_printf ("ready on %s:%u", node->host, node->tcpros_port);
  return make_answer (1, words,
                      g_variant_new ("(ssi)", "TCPROS", node->host, (gint32) node->tcpros_port));
}

static GVariant *
answer_publisher_update (RosNode *node, GVariant *parameters)
{
  const char *topic = get_text (parameters, 1);
  RosSubscriber *subscriber = topic != NULL ? ros_node_find_subscriber (node, topic) : NULL;
  g_autoptr (GVariant) uris = NULL;

  if (topic == NULL || g_variant_n_children (parameters) < 3)
    return make_answer (-1, "publisherUpdate (caller, topic, publishers)", g_variant_new_int32 (0));
  g_variant_get_child (parameters, 2, "v", &uris);
  if (subscriber != NULL)
    ros_subscriber_update (subscriber, uris);
  return make_answer (1, "", g_variant_new_int32 (0));
}

static GVariant *
answer_param_update (RosNode *node, GVariant *parameters)
{
  return make_answer (1, "", g_variant_new_int32 (0));
}

static GVariant *
answer_shutdown (RosNode *node, GVariant *parameters)
{
  const char *why = get_text (parameters, 1);
  g_autofree char *shown = g_strescape (why != NULL ? why : "no reason given", NULL);

  if (strlen (shown) > 200)
    shown[200] = '\0';
  ros_master_leave (node->master, shown);
  return make_answer (1, "", g_variant_new_int32 (0));
}

static const struct {
  const char *name;
  GVariant *(*func) (RosNode *node, GVariant *parameters);
} methods[] = {
  { "getBusInfo", answer_bus_info },          { "getBusStats", answer_bus_stats },
  { "getMasterUri", answer_master_uri },      { "getPid", answer_pid },
  { "getPublications", answer_publications }, { "getSubscriptions", answer_subscriptions },
  { "paramUpdate", answer_param_update },     { "publisherUpdate", answer_publisher_update },
  { "requestTopic", answer_request_topic },   { "shutdown", answer_shutdown },
};

static void
write_result (RosNode *node, GString *body, const char *method, GVariant *parameters)
{
  g_autofree char *words = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    if (!g_str_equal (methods[i].name, method))
      continue;
    xmlrpc_write_answer (body, methods[i].func (node, parameters));
    return;
  }
  words = g_strdup_printf ("no method %.80s", method);
  xmlrpc_write_fault (body, 1, words);
}

static void
answer (RosNode *node, RosLink *link, const XmlrpcHttp *http)
{
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GVariant) parameters = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) message = NULL;
  g_autofree char *method = NULL;

  if (xmlrpc_parse_call (http->body, http->length, &method, &parameters, &error))
    write_result (node, body, method, parameters);
  else
    xmlrpc_write_fault (body, 1, error->message);
  message = xmlrpc_http_make_answer (200, http->keep, body);
  ros_link_take (link, http->whole);
  ros_link_send_bytes (link, message);
}

static void
end_link (RosNode *node, RosLink *link, int status, const char *why)
{
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GBytes) message = NULL;

  xmlrpc_write_fault (body, status, why);
  message = xmlrpc_http_make_answer (status, FALSE, body);
  ros_link_send_bytes (link, message);
  ros_link_finish (link);
}

static void
on_input (gpointer data, RosLink *link)
{
  RosNode *node = data;
  XmlrpcHttpState state = XMLRPC_HTTP_WHOLE;

  while (!link->closed && !link->finishing && state == XMLRPC_HTTP_WHOLE) {
    XmlrpcHttp http;
    gsize length;
    const guint8 *bytes = ros_link_peek (link, &length);

    if (length == 0)
      break;
    state = xmlrpc_http_parse_request ((const char *) bytes, length, &http);
    if (state == XMLRPC_HTTP_BAD)
      end_link (node, link, http.status, http.why);
    else if (state == XMLRPC_HTTP_WHOLE)
      answer (node, link, &http);
    if (state == XMLRPC_HTTP_WHOLE && !http.keep)
      ros_link_finish (link);
    if (state == XMLRPC_HTTP_WHOLE && !link->closed && !link->finishing)
      ros_link_set_limit (link, IDLE_MS);
  }
}

static void
on_closed (gpointer data, RosLink *link, const char *why)
{
  RosNode *node = data;

  g_ptr_array_remove_fast (node->slave_links, link);
}

static const RosLinkFuncs link_funcs = { on_input, on_closed };

void
ros_slave_accept (gpointer data, guint32 events)
{
  RosNode *node = data;
  g_autofree char *why = NULL;
  int turned = -1;
  int fd = ros_node_accept (node, &node->slave, &turned, &why);
  RosLink *link;

  if (fd < 0 && turned < 0)
    return;
  link = ros_link_new (node->loop, fd >= 0 ? fd : turned, &link_funcs, node);
  link->max_input = XMLRPC_MAX_HEAD + XMLRPC_MAX_BODY;
  g_ptr_array_add (node->slave_links, link);
  ros_link_set_limit (link, node->options.header_limit);
  if (fd < 0)
    end_link (node, link, 403, why);
}
