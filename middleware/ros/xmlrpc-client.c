/* SPDX-License-Identifier: BSD-3-Clause */
/* One call of XML-RPC: a connection, a request, an answer, within a time. */
#include "ros-node-private.h"
#include "xmlrpc-http.h"
#include "xmlrpc-value.h"

#include <errno.h>

struct _XmlrpcCall {
  RosLoop *loop;
  RosLookup *lookup;
  RosLink *link;
  RosTimer timer;
  char *host;
  guint16 port;
  GBytes *request;
  XmlrpcFunc func;
  gpointer data;
  gboolean ended;
};

static void
free_call (gpointer data)
{
  XmlrpcCall *call = data;

  g_bytes_unref (call->request);
  g_free (call->host);
  g_free (call);
}

static void
end_call (XmlrpcCall *call)
{
  if (call->ended)
    return;
  call->ended = TRUE;
  if (call->lookup != NULL)
    ros_loop_forget_lookup (call->loop, g_steal_pointer (&call->lookup));
  if (call->link != NULL)
    ros_link_close (g_steal_pointer (&call->link));
  ros_loop_clear_timer (call->loop, &call->timer);
  ros_loop_bury (call->loop, call, free_call);
}

static void
answer_call (XmlrpcCall *call, GVariant *answer, const GError *error)
{
  if (call->ended)
    return;
  end_call (call);
  call->func (call->data, answer, error);
}

static void
fail_call (XmlrpcCall *call, GIOErrorEnum code, const char *why)
{
  g_autoptr (GError) error =
      g_error_new (G_IO_ERROR, code, "%s:%u: %s", call->host, call->port, why);

  answer_call (call, NULL, error);
}

static void
on_timeout (gpointer data)
{
  fail_call (data, G_IO_ERROR_TIMED_OUT, "no answer in time");
}

static void
on_input (gpointer data, RosLink *link)
{
  XmlrpcCall *call = data;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  XmlrpcHttpState state;
  XmlrpcHttp http;
  gsize length;
  const guint8 *bytes = ros_link_peek (link, &length);

  state = xmlrpc_http_parse_answer ((const char *) bytes, length, &http);
  if (state == XMLRPC_HTTP_MORE)
    return;
  if (state == XMLRPC_HTTP_BAD) {
    fail_call (call, G_IO_ERROR_INVALID_DATA, http.why);
    return;
  }
  answer = xmlrpc_parse_answer (http.body, http.length, &error);
  if (answer == NULL)
    g_prefix_error (&error, "%s:%u: ", call->host, call->port);
  answer_call (call, answer, error);
}

static void
on_closed (gpointer data, RosLink *link, const char *why)
{
  XmlrpcCall *call = data;

  call->link = NULL;
  fail_call (call, G_IO_ERROR_CONNECTION_CLOSED, why != NULL ? why : "closed without an answer");
}

static const RosLinkFuncs link_funcs = { on_input, on_closed };

static void
on_address (gpointer data, const struct sockaddr_in *found)
{
  XmlrpcCall *call = data;
  struct sockaddr_in address;

  call->lookup = NULL;
  if (found == NULL) {
    fail_call (call, G_IO_ERROR_HOST_NOT_FOUND, "no machine of that name");
    return;
  }
  address = *found;
  address.sin_port = g_htons (call->port);
  call->link = ros_link_connect (call->loop, &address, &link_funcs, call);
  if (call->link == NULL) {
    fail_call (call, G_IO_ERROR_CONNECTION_REFUSED, g_strerror (errno));
    return;
  }
  call->link->max_input = XMLRPC_MAX_HEAD + XMLRPC_MAX_BODY;
  ros_link_send_bytes (call->link, call->request);
}

XmlrpcCall *
xmlrpc_call_new (RosLoop *loop, const char *host, guint16 port, const char *method,
                 GVariant *parameters, gint64 limit, XmlrpcFunc func, gpointer data)
{
  XmlrpcCall *call = g_new0 (XmlrpcCall, 1);
  g_autoptr (GString) body = g_string_new (NULL);
  RosLookup *lookup;

  xmlrpc_write_call (body, method, parameters);
  call->loop = loop;
  call->host = g_strdup (host);
  call->port = port;
  call->request = xmlrpc_http_make_request (host, port, body);
  call->func = func;
  call->data = data;
  call->timer = (RosTimer){ .func = on_timeout, .data = call };
  ros_loop_set_timer (loop, &call->timer, limit);
  lookup = ros_loop_look_up (loop, host, on_address, call);
  if (call->ended)
    return NULL;
  call->lookup = lookup;
  return call;
}

void
xmlrpc_call_cancel (XmlrpcCall *call)
{
  end_call (call);
}

GVariant *
ros_answer_get_value (GVariant *answer, GError **error)
{
  g_autoptr (GVariant) code = NULL;
  g_autoptr (GVariant) status = NULL;
  GVariant *value;

  if (!g_variant_is_of_type (answer, G_VARIANT_TYPE ("av")) || g_variant_n_children (answer) != 3) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         "an answer that is not [code, status, value]");
    return NULL;
  }
  g_variant_get_child (answer, 0, "v", &code);
  g_variant_get_child (answer, 1, "v", &status);
  if (!g_variant_is_of_type (code, G_VARIANT_TYPE_INT32) || g_variant_get_int32 (code) != 1) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s",
                 g_variant_is_of_type (status, G_VARIANT_TYPE_STRING)
                     ? g_variant_get_string (status, NULL)
                     : "refused");
    return NULL;
  }
  g_variant_get_child (answer, 2, "v", &value);
  return value;
}
