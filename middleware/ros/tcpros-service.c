/* SPDX-License-Identifier: BSD-3-Clause */
/* Services: calls of others that come in, and calls of services that others have. */
#include "ros-name.h"
#include "ros-node-private.h"

#include <errno.h>
#include <string.h>

/* --- those of ours --- */

struct _RosServiceCall {
  RosNode *node;
  guint64 peer; /* its number */
  char *caller;
  gboolean ok;
  GBytes *result;
};

static void
free_call (RosServiceCall *call)
{
  g_clear_pointer (&call->result, g_bytes_unref);
  g_free (call->caller);
  g_free (call);
}

static void
deliver (gpointer data)
{
  RosServiceCall *call = data;
  RosPeer *peer = NULL;
  RosBlock *block;

  for (guint i = 0; i < call->node->peers->len && peer == NULL; i++) {
    peer = g_ptr_array_index (call->node->peers, i);
    peer = peer->number == call->peer ? peer : NULL;
  }
  if (peer != NULL) {
    block = ros_block_new_for (NULL, call->result);
    ros_block_set_prefix (block, 5, call->ok);
    ros_link_send (peer->link, block);
    ros_block_unref (block);
    peer->busy = FALSE;
    ros_link_pause (peer->link, FALSE);
    ros_link_write (peer->link);
    if (peer->persistent && !peer->link->closed)
      ros_service_read (peer->service, peer);
    else if (!peer->link->closed)
      ros_link_finish (peer->link);
  }
  free_call (call);
}

void
ros_service_call_return (RosServiceCall *call, GBytes *response)
{
  call->ok = TRUE;
  call->result = g_bytes_ref (response);
  ros_loop_do (call->node->loop, deliver, call);
}

void
ros_service_call_fail (RosServiceCall *call, const char *why)
{
  call->result = g_bytes_new (why, strlen (why));
  ros_loop_do (call->node->loop, deliver, call);
}

const char *
ros_service_call_get_caller (RosServiceCall *call)
{
  return call->caller;
}

/* It is not read: the connection ends behind the words. */
static void
refuse_too_long (RosPeer *peer, gsize size)
{
  g_autofree char *words =
      g_strdup_printf ("%s: the request has %zu bytes, and the limit is %zu", peer->service->name,
                       size, peer->node->options.max_request);
  g_autoptr (GBytes) bytes = g_bytes_new (words, strlen (words));
  RosBlock *block = ros_block_new_for (NULL, bytes);

  ros_node_log (peer->node, ROS_LOG_WARNING, "%s: %s", peer->caller, words);
  ros_block_set_prefix (block, 5, FALSE);
  ros_link_send (peer->link, block);
  ros_block_unref (block);
  ros_link_finish (peer->link);
}

/* One request at a time; the next is read when this one is answered. */
void
ros_service_read (RosService *service, RosPeer *peer)
{
  RosServiceCall *call;
  g_autoptr (GBytes) request = NULL;
  gsize length, size;
  const guint8 *bytes = ros_link_peek (peer->link, &length);

  if (peer->busy || length < 4)
    return;
  size = tcpros_get_u32 (bytes);
  if (size > peer->node->options.max_request) {
    refuse_too_long (peer, size);
    return;
  }
  if (length - 4 < size)
    return;
  request = g_bytes_new (bytes + 4, size);
  ros_link_take (peer->link, 4 + size);
  peer->busy = TRUE;
  ros_link_pause (peer->link, TRUE);
  call = g_new0 (RosServiceCall, 1);
  call->node = peer->node;
  call->peer = peer->number;
  call->caller = g_strdup (peer->caller);
  service->func (service->data, call, request);
}

void
ros_service_free (gpointer data)
{
  RosService *service = data;

  g_free (service->entry.uri);
  g_free (service->name);
  g_free (service->type);
  g_free (service->md5);
  g_free (service);
}

/* --- those of others --- */

/* How often the master is asked who offers a service that nobody did. */
#define ASK_MS 300

typedef struct {
  RosNode *node;
  guint64 number;
  char *name;
  char *md5;
  GBytes *request;
  gint64 limit; /* ms; 0: none */
  gboolean waits;
  gsize max_answer;
  RosSentFunc sent;
  RosResponseFunc func;
  gpointer data;
  RosTimer timer;
  RosTimer again; /* the master is asked */
  RosLookup *lookup;
  RosLink *link;
  guint16 port;
  gboolean asking; /* the master, which still holds on to it */
  gboolean has_header;
  gboolean ended;
} Request;

static void
free_request (gpointer data)
{
  Request *request = data;

  g_free (request->name);
  g_free (request->md5);
  g_bytes_unref (request->request);
  g_free (request);
}

static void
end_request (Request *request, GBytes *response, const GError *error)
{
  RosLoop *loop = request->node->loop;

  if (request->ended)
    return;
  request->ended = TRUE;
  if (request->lookup != NULL)
    ros_loop_forget_lookup (loop, g_steal_pointer (&request->lookup));
  if (request->link != NULL)
    ros_link_close (g_steal_pointer (&request->link));
  ros_loop_clear_timer (loop, &request->timer);
  ros_loop_clear_timer (loop, &request->again);
  g_ptr_array_remove_fast (request->node->calls, request);
  request->func (request->data, response, error);
  if (!request->asking)
    ros_loop_bury (loop, request, free_request);
}

static void
fail_request (Request *request, GIOErrorEnum code, const char *why)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, (int) code, why);

  end_request (request, NULL, error);
}

static void
on_late (gpointer data)
{
  fail_request (data, G_IO_ERROR_TIMED_OUT, "no answer in time");
}

/* Not before the header of the other end has come: rospy loses what comes with ours. */
static void
send_request (Request *request)
{
  RosBlock *block = ros_block_new_for (NULL, request->request);

  ros_block_set_prefix (block, 4, 0);
  ros_link_send (request->link, block);
  ros_block_unref (block);
  ros_link_write (request->link);
}

static gboolean
read_answer_header (Request *request)
{
  g_autoptr (TcprosHeader) header = NULL;
  g_autoptr (GError) error = NULL;
  const char *failure;
  gsize length, size;
  const guint8 *bytes = ros_link_peek (request->link, &length);

  header = tcpros_header_parse (bytes, length, &size, &error);
  if (error != NULL)
    fail_request (request, G_IO_ERROR_INVALID_DATA, error->message);
  if (header == NULL)
    return FALSE;
  failure = tcpros_header_get (header, "error");
  if (failure != NULL) {
    fail_request (request, G_IO_ERROR_FAILED, failure);
    return FALSE;
  }
  ros_link_take (request->link, size);
  request->has_header = TRUE;
  send_request (request);
  return !request->ended;
}

static void
on_input (gpointer data, RosLink *link)
{
  Request *request = data;
  g_autoptr (GBytes) response = NULL;
  g_autofree char *words = NULL;
  gsize length, size;
  const guint8 *bytes;

  if (!request->has_header && !read_answer_header (request))
    return;
  bytes = ros_link_peek (link, &length);
  if (length < 5)
    return;
  size = tcpros_get_u32 (bytes + 1);
  if (size > request->max_answer) {
    words = g_strdup_printf ("the answer has %zu bytes, and at most %zu are taken", size,
                             request->max_answer);
    fail_request (request, G_IO_ERROR_INVALID_DATA, words);
    return;
  }
  if (length - 5 < size)
    return;
  if (bytes[0] == 1) {
    response = g_bytes_new (bytes + 5, size);
    end_request (request, response, NULL);
    return;
  }
  words = g_strndup ((const char *) bytes + 5, MIN (size, 4096));
  fail_request (request, G_IO_ERROR_FAILED, words);
}

static void
on_closed (gpointer data, RosLink *link, const char *why)
{
  Request *request = data;

  request->link = NULL;
  fail_request (request, G_IO_ERROR_CONNECTION_CLOSED,
                why != NULL ? why : "closed without an answer");
}

static const RosLinkFuncs link_funcs = { on_input, on_closed };

static void
on_address (gpointer data, const struct sockaddr_in *found)
{
  Request *request = data;
  g_autoptr (GBytes) header = NULL;
  struct sockaddr_in address;

  request->lookup = NULL;
  if (found == NULL) {
    fail_request (request, G_IO_ERROR_HOST_NOT_FOUND,
                  "no machine of the name that the master gives");
    return;
  }
  address = *found;
  address.sin_port = g_htons (request->port);
  request->link = ros_link_connect (request->node->loop, &address, &link_funcs, request);
  if (request->link == NULL) {
    fail_request (request, G_IO_ERROR_CONNECTION_REFUSED, g_strerror (errno));
    return;
  }
  request->link->max_input = MAX (TCPROS_MAX_HEADER, request->max_answer) + 5;
  header = tcpros_header_make ("callerid", request->node->name, "service", request->name, "md5sum",
                               request->md5, NULL);
  ros_link_send_bytes (request->link, header);
  if (!request->ended && request->sent != NULL)
    request->sent (request->data);
}

static void
on_found (gpointer data, GVariant *answer, const GError *failure)
{
  Request *request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = answer != NULL ? ros_answer_get_value (answer, &error) : NULL;
  g_autofree char *host = NULL;

  request->asking = FALSE;
  if (request->ended) {
    ros_loop_bury (request->node->loop, request, free_request);
    return;
  }
  if (value == NULL && request->waits && !request->node->stopping)
    ros_loop_set_timer (request->node->loop, &request->again, ASK_MS);
  else if (value == NULL)
    fail_request (request, G_IO_ERROR_NOT_FOUND,
                  answer != NULL ? error->message : failure->message);
  else if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ||
           !ros_uri_parse (g_variant_get_string (value, NULL), "rosrpc://", &host, &request->port))
    fail_request (request, G_IO_ERROR_INVALID_DATA, "the master gives no address");
  else {
    RosLookup *lookup = ros_loop_look_up (request->node->loop, host, on_address, request);

    if (!request->ended)
      request->lookup = lookup;
  }
}

static void
ask_for_it (gpointer data)
{
  Request *request = data;
  RosNode *node = request->node;

  request->asking = TRUE;
  ros_master_ask (node->master, "lookupService", g_variant_new ("(ss)", node->name, request->name),
                  on_found, request);
}

static void
begin_request (gpointer data)
{
  Request *request = data;
  RosNode *node = request->node;
  g_autoptr (GError) error = NULL;
  char *name = ros_name_resolve (node->name_space, node->name, request->name, &error);

  g_ptr_array_add (node->calls, request);
  if (name == NULL || node->stopping) {
    g_free (name);
    fail_request (request, G_IO_ERROR_INVALID_ARGUMENT,
                  error != NULL ? error->message : "the node stops");
    return;
  }
  g_free (request->name);
  request->name = name;
  if (request->limit > 0)
    ros_loop_set_timer (node->loop, &request->timer, request->limit);
  ask_for_it (request);
}

guint64
ros_node_call_service (RosNode *node, const RosCallOptions *options, GBytes *bytes,
                       RosSentFunc sent, RosResponseFunc func, gpointer data)
{
  Request *request = g_new0 (Request, 1);
  gsize most = node->options.max_message;

  request->node = node;
  request->number = ++node->n_calls;
  request->name = g_strdup (options->name);
  request->md5 = g_strdup (options->md5);
  request->request = g_bytes_ref (bytes);
  request->limit = options->timeout_ms;
  request->waits = options->waits;
  request->max_answer = options->max_answer > 0 ? MIN (options->max_answer, most) : most;
  request->sent = sent;
  request->func = func;
  request->data = data;
  request->timer = (RosTimer){ .func = on_late, .data = request };
  request->again = (RosTimer){ .func = ask_for_it, .data = request };
  ros_loop_do (node->loop, begin_request, request);
  return node->n_calls;
}

typedef struct {
  RosNode *node;
  guint64 number;
} End;

static void
end_numbered (gpointer data)
{
  g_autofree End *end = data;

  for (guint i = 0; i < end->node->calls->len; i++) {
    Request *request = g_ptr_array_index (end->node->calls, i);

    if (request->number == end->number) {
      fail_request (request, G_IO_ERROR_CANCELLED, "nobody waits for it any more");
      return;
    }
  }
}

void
ros_node_end_call (RosNode *node, guint64 call)
{
  End *end = g_new (End, 1);

  *end = (End){ node, call };
  ros_loop_do (node->loop, end_numbered, end);
}

void
ros_calls_close (RosNode *node)
{
  while (node->calls->len > 0)
    fail_request (g_ptr_array_index (node->calls, 0), G_IO_ERROR_CANCELLED, "the node stops");
}
