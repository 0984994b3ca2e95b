/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections of others to the TCPROS port: what they want, and whether they get it. */
#include "ros-node-private.h"

static void
free_peer (gpointer data)
{
  RosPeer *peer = data;

  g_free (peer->caller);
  g_free (peer);
}

/* Leaves everything that knows it; the link is closed by whoever calls. */
static void
forget_peer (RosPeer *peer)
{
  if (!g_ptr_array_remove_fast (peer->node->peers, peer))
    return;
  if (peer->publisher != NULL)
    ros_publisher_remove_peer (peer->publisher, peer);
  ros_loop_bury (peer->node->loop, peer, free_peer);
}

void
ros_peer_close (RosPeer *peer)
{
  ros_link_close (peer->link);
  forget_peer (peer);
}

static void
refuse (RosPeer *peer, const char *why)
{
  g_autoptr (GBytes) header = tcpros_header_make ("error", why, NULL);

  ros_link_send_bytes (peer->link, header);
  ros_link_finish (peer->link);
}

/* Whether what the other end expects is what there is. */
static gboolean
suits (RosPeer *peer, const TcprosHeader *header, const char *what, const char *type,
       const char *md5)
{
  const char *their_type = tcpros_header_get (header, "type");
  const char *their_md5 = tcpros_header_get (header, "md5sum");
  g_autofree char *why = NULL;

  if (their_md5 == NULL)
    why = g_strdup_printf ("the header has no md5sum; %s has %s", what, md5);
  else if (!g_str_equal (their_md5, "*") && !g_str_equal (md5, "*") &&
           !g_str_equal (their_md5, md5))
    why = g_strdup_printf ("%s is of type %s with md5sum %s, not %.80s with %.80s", what, type, md5,
                           their_type != NULL ? their_type : "?", their_md5);
  else if (their_type != NULL && !g_str_equal (their_type, "*") && !g_str_equal (type, "*") &&
           !g_str_equal (their_type, type))
    why = g_strdup_printf ("%s is of type %s, not %.80s", what, type, their_type);
  if (why == NULL)
    return TRUE;
  ros_node_log (peer->node, ROS_LOG_WARNING, "%s asks for what there is not: %s", peer->caller,
                why);
  refuse (peer, why);
  return FALSE;
}

static void
welcome_subscriber (RosPeer *peer, const TcprosHeader *header, const char *topic)
{
  RosNode *node = peer->node;
  RosPublisher *publisher = ros_node_find_publisher (node, topic);
  g_autofree char *why = NULL;
  g_autoptr (GBytes) answer = NULL;

  if (publisher == NULL) {
    why = g_strdup_printf ("%s does not publish %.80s", node->name, topic);
    refuse (peer, why);
    return;
  }
  if (!suits (peer, header, publisher->topic, publisher->type, publisher->md5))
    return;
  answer = tcpros_header_make ("callerid", node->name, "topic", publisher->topic, "type",
                               publisher->type, "md5sum", publisher->md5, "latching",
                               publisher->latched ? "1" : "0", "message_definition",
                               publisher->definition != NULL ? publisher->definition : "", NULL);
  ros_link_send_bytes (peer->link, answer);
  if (!peer->link->closed)
    ros_publisher_add_peer (publisher, peer);
}

static RosService *
find_service (RosNode *node, const char *name)
{
  for (guint i = 0; i < node->services->len; i++) {
    RosService *service = g_ptr_array_index (node->services, i);

    if (g_str_equal (service->name, name))
      return service;
  }
  return NULL;
}

static void
welcome_caller (RosPeer *peer, const TcprosHeader *header, const char *name)
{
  RosNode *node = peer->node;
  RosService *service = find_service (node, name);
  const char *persistent = tcpros_header_get (header, "persistent");
  g_autofree char *request = NULL;
  g_autofree char *response = NULL;
  g_autofree char *why = NULL;
  g_autoptr (GBytes) answer = NULL;

  if (service == NULL) {
    why = g_strdup_printf ("%s has no service %.80s", node->name, name);
    refuse (peer, why);
    return;
  }
  if (!suits (peer, header, service->name, service->type, service->md5))
    return;
  request = g_strconcat (service->type, "Request", NULL);
  response = g_strconcat (service->type, "Response", NULL);
  answer = tcpros_header_make ("callerid", node->name, "service", service->name, "type",
                               service->type, "md5sum", service->md5, "request_type", request,
                               "response_type", response, NULL);
  ros_link_send_bytes (peer->link, answer);
  if (tcpros_header_get (header, "probe") != NULL) {
    ros_link_finish (peer->link);
    return;
  }
  peer->service = service;
  peer->persistent =
      persistent != NULL && (g_str_equal (persistent, "1") || g_str_equal (persistent, "true"));
  peer->link->max_input = MAX (peer->link->max_input, node->options.max_request + 4);
}

static void
read_header (RosPeer *peer)
{
  g_autoptr (TcprosHeader) header = NULL;
  g_autoptr (GError) error = NULL;
  const char *topic, *service, *caller;
  gsize length, size;
  const guint8 *bytes = ros_link_peek (peer->link, &length);

  header = tcpros_header_parse (bytes, length, &size, &error);
  if (header == NULL && error == NULL)
    return;
  if (header == NULL) {
    refuse (peer, error->message);
    return;
  }
  ros_link_take (peer->link, size);
  ros_link_set_limit (peer->link, 0);
  topic = tcpros_header_get (header, "topic");
  service = tcpros_header_get (header, "service");
  caller = tcpros_header_get (header, "callerid");
  g_free (peer->caller);
  peer->caller = g_strdup_printf ("%.255s", caller != NULL ? caller : "?");
  if (topic != NULL)
    welcome_subscriber (peer, header, topic);
  else if (service != NULL)
    welcome_caller (peer, header, service);
  else
    refuse (peer, "the header has neither a topic nor a service");
}

static void
on_input (gpointer data, RosLink *link)
{
  RosPeer *peer = data;
  gsize length;

  if (peer->publisher == NULL && peer->service == NULL)
    read_header (peer);
  if (link->closed || link->finishing)
    return;
  if (peer->service != NULL)
    ros_service_read (peer->service, peer);
  else if (peer->publisher != NULL) {
    /* A subscriber has nothing more to say. */
    ros_link_peek (link, &length);
    ros_link_take (link, length);
  }
}

static void
on_closed (gpointer data, RosLink *link, const char *why)
{
  forget_peer (data);
}

static const RosLinkFuncs link_funcs = { on_input, on_closed };

void
ros_peer_accept (gpointer data, guint32 events)
{
  RosNode *node = data;
  g_autofree char *why = NULL;
  int turned = -1;
  int fd = ros_node_accept (node, &node->tcpros, &turned, &why);
  RosPeer *peer;

  if (fd < 0 && turned < 0)
    return;
  peer = g_new0 (RosPeer, 1);
  peer->node = node;
  peer->number = ++node->n_peers;
  peer->caller = g_strdup ("?");
  peer->link = ros_link_new (node->loop, fd >= 0 ? fd : turned, &link_funcs, peer);
  peer->link->max_input = TCPROS_MAX_HEADER + 4;
  g_ptr_array_add (node->peers, peer);
  ros_link_set_limit (peer->link, node->options.header_limit);
  if (fd < 0)
    refuse (peer, why);
}
