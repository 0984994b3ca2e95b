/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls services of other nodes of ROS 2. */
#include "dds-remote.h"

/* Services that were called, each of which has a client until the end of the run. */
#define MAX_CLIENTS 256

typedef struct {
  char *name, *type;
  DdsClient *dds;
} Client;

/* A call that was not dropped yet. */
typedef struct {
  guint64 key;
  Client *client;
  guint64 id;
} Sent;

/* What the thread of the context has of a call. */
typedef struct {
  RemoteCalls *calls;
  guint64 key;
} Ticket;

struct _Ros2Remote {
  DdsNode *node;
  RemoteCalls *calls;
  GPtrArray *clients; /* (element-type Client) */
  GArray *sent;       /* (element-type Sent) */
};

static void
client_free (gpointer data)
{
  Client *client = data;

  g_free (client->name);
  g_free (client->type);
  g_free (client);
}

Ros2Remote *
ros2_remote_new (DdsNode *node, RemoteCalls *calls)
{
  Ros2Remote *remote = g_new0 (Ros2Remote, 1);

  remote->node = node;
  remote->calls = calls;
  remote->clients = g_ptr_array_new_with_free_func (client_free);
  remote->sent = g_array_new (FALSE, FALSE, sizeof (Sent));
  return remote;
}

void
ros2_remote_close (Ros2Remote *remote)
{
  for (guint i = 0; i < remote->clients->len; i++)
    dds_client_destroy (((Client *) remote->clients->pdata[i])->dds);
  g_ptr_array_set_size (remote->clients, 0);
  g_array_set_size (remote->sent, 0);
}

void
ros2_remote_free (Ros2Remote *remote)
{
  g_ptr_array_unref (remote->clients);
  g_array_unref (remote->sent);
  g_free (remote);
}

/* --- on the thread of the context --- */

static void
on_sent (gpointer data)
{
  Ticket *ticket = data;

  remote_calls_put_sent (ticket->calls, ticket->key);
}

static void
on_response (gpointer data, GBytes *response, const GError *error)
{
  Ticket *ticket = data;

  if (response != NULL)
    remote_calls_put_answer (ticket->calls, ticket->key, response);
  else
    remote_calls_put_failure (ticket->calls, ticket->key, error->message);
  g_free (ticket);
}

/* --- on that of the tick --- */

/* Returns: (nullable) */
static Client *
get_client (Ros2Remote *remote, const char *name, const char *type, GError **error)
{
  DdsClient *dds;
  Client *client;

  for (guint i = 0; i < remote->clients->len; i++) {
    client = remote->clients->pdata[i];
    if (g_str_equal (client->name, name) && g_str_equal (client->type, type))
      return client;
  }
  if (remote->clients->len >= MAX_CLIENTS) {
    orrery_set_error (error, ORRERY_ERROR_STATE,
                      "%d other services were called in this run, which is as many as may be",
                      MAX_CLIENTS);
    return NULL;
  }
  dds = dds_node_create_client (remote->node, name, type, error);
  if (dds == NULL)
    return NULL;
  client = g_new0 (Client, 1);
  *client = (Client){ g_strdup (name), g_strdup (type), dds };
  g_ptr_array_add (remote->clients, client);
  return client;
}

void
ros2_remote_send (gpointer data, guint64 key, const char *name, const OrreryMessageService *type,
                  gsize max_answer, GBytes *request)
{
  Ros2Remote *remote = data;
  g_autoptr (GError) error = NULL;
  Sent sent = { key, get_client (remote, name, type->name, &error), 0 };
  Ticket *ticket;

  if (sent.client == NULL) {
    remote_calls_put_failure (remote->calls, key, error->message);
    return;
  }
  ticket = g_new0 (Ticket, 1);
  *ticket = (Ticket){ remote->calls, key };
  sent.id = dds_client_begin_call (sent.client->dds, request, on_sent, on_response, ticket);
  g_array_append_val (remote->sent, sent);
}

void
ros2_remote_drop (gpointer data, guint64 key)
{
  Ros2Remote *remote = data;

  for (guint i = 0; i < remote->sent->len; i++) {
    const Sent *sent = &g_array_index (remote->sent, Sent, i);

    if (sent->key != key)
      continue;
    dds_client_end_call (sent->client->dds, sent->id);
    g_array_remove_index_fast (remote->sent, i);
    return;
  }
}
