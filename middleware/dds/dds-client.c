/* SPDX-License-Identifier: BSD-3-Clause */
/* Clients of a context, which call services of Fast DDS and of Cyclone DDS. */
#include "dds-node-private.h"

#include <string.h>

struct _DdsClient {
  DdsEnd end;
  GArray *readers;  /* [lock] (element-type DdsOther) of requests */
  GArray *writers;  /* [lock] (element-type DdsOther) of answers */
  GQueue fresh;     /* [lock] (element-type Call) */
  GArray *ended;    /* [lock] (element-type guint64): calls that nobody waits for */
  guint64 n_begun;  /* [lock] */
  GPtrArray *calls; /* [io] (element-type Call) */
  gint64 n_headers; /* [io] calls by header so far */
};

typedef struct {
  GBytes *request;
  guint64 id;          /* from 1 */
  DdsSentFunc on_sent; /* (nullable) */
  DdsResponseFunc func;
  gpointer data;
  gint64 due; /* 0: it waits until it is cancelled */
  gboolean sent, by_header;
  gint64 number;
} Call;

static void
free_call (gpointer data)
{
  Call *call = data;

  g_bytes_unref (call->request);
  g_free (call);
}

static void
fail_call (DdsClient *client, Call *call, GIOErrorEnum code, const char *what)
{
  g_autoptr (GError) error =
      g_error_new (G_IO_ERROR, (int) code, "ROS 2: %s: %s", client->end.name, what);

  call->func (call->data, NULL, error);
}

/* --- requests --- */

/* When a request may be written, 0: nobody reads requests and writes answers. @by_header: (out):
 * whether all who do need a header. */
static gint64
find_server (DdsClient *client, gboolean *by_header)
{
  DdsContext *context = client->end.node->context;
  gint64 time = 0;

  *by_header = TRUE;
  g_mutex_lock (&context->lock);
  for (guint i = 0; i < client->readers->len; i++) {
    const DdsOther *reader = &g_array_index (client->readers, DdsOther, i);
    gint64 ready = dds_other_get_ready (reader);

    if (dds_others_find (client->writers, &reader->guid, DDS_GUID_PREFIX) == NULL)
      continue;
    time = time == 0 ? ready : MIN (time, ready);
    *by_header &= dds_guid_is_cyclone (&reader->guid);
  }
  g_mutex_unlock (&context->lock);
  return time;
}

static void
put_number (guint8 *to, gint64 number)
{
  for (guint i = 0; i < 8; i++)
    to[i] = (guint8) ((guint64) number >> 8 * i);
}

/* What a client of Cyclone DDS would write: eight bytes that are its own, and a number. */
static void
make_header (DdsClient *client, gint64 number, guint8 header[DDS_HEADER_LENGTH])
{
  memcpy (header, client->end.reader_guid.bytes + 8, 8);
  put_number (header + 8, number);
}

static void
send_call (DdsClient *client, Call *call, gboolean by_header)
{
  DdsIdentity related = { client->end.reader_guid, 0 };
  guint8 header[DDS_HEADER_LENGTH];

  call->by_header = by_header;
  if (by_header) {
    call->number = ++client->n_headers;
    make_header (client, call->number, header);
    call->sent = dds_sample_write (client->end.writer, call->request, header, NULL, NULL);
  } else {
    call->sent =
        dds_sample_write (client->end.writer, call->request, NULL, &related, &call->number);
  }
  if (call->sent && call->on_sent != NULL)
    call->on_sent (call->data);
}

/* --- answers --- */

static void
answer_call (DdsClient *client, gint64 number, gboolean by_header, GBytes *response)
{
  for (guint i = 0; i < client->calls->len; i++) {
    Call *call = g_ptr_array_index (client->calls, i);

    if (!call->sent || call->by_header != by_header || call->number != number)
      continue;
    call->func (call->data, response, NULL);
    g_ptr_array_remove_index (client->calls, i);
    return;
  }
}

static void
take_answer (DdsClient *client, const DdsSampleInfo *info, GBytes *sample)
{
  guint8 header[DDS_HEADER_LENGTH], own[DDS_HEADER_LENGTH];
  const DdsGuid *guid = &info->related.guid;
  g_autoptr (GBytes) response = NULL;
  guint64 number;

  if (g_bytes_get_size (sample) < DDS_ENCAPSULATION)
    return;
  if (!dds_guid_is_cyclone (&info->identity.guid)) {
    /* Answers to other clients come here, too. */
    if (memcmp (guid, &client->end.reader_guid, sizeof *guid) == 0 ||
        memcmp (guid, &client->end.writer_guid, sizeof *guid) == 0)
      answer_call (client, info->related.number, FALSE, sample);
    return;
  }
  response = dds_sample_split (sample, header);
  if (response == NULL)
    return;
  memcpy (&number, header + 8, sizeof number);
  make_header (client, (gint64) GUINT64_FROM_LE (number), own);
  if (memcmp (header, own, sizeof own) == 0)
    answer_call (client, (gint64) GUINT64_FROM_LE (number), TRUE, response);
}

/* --- turns --- */

static void
end_call (DdsClient *client, guint64 id)
{
  for (guint i = 0; i < client->calls->len; i++) {
    Call *call = g_ptr_array_index (client->calls, i);

    if (call->id != id)
      continue;
    fail_call (client, call, G_IO_ERROR_CANCELLED, "the call was cancelled");
    g_ptr_array_remove_index (client->calls, i);
    return;
  }
}

static void
take_fresh (DdsClient *client)
{
  DdsContext *context = client->end.node->context;
  g_autoptr (GArray) ended = NULL;
  Call *call;

  g_mutex_lock (&context->lock);
  while ((call = g_queue_pop_head (&client->fresh)) != NULL)
    g_ptr_array_add (client->calls, call);
  ended = g_steal_pointer (&client->ended);
  g_mutex_unlock (&context->lock);
  for (guint i = 0; ended != NULL && i < ended->len; i++)
    end_call (client, g_array_index (ended, guint64, i));
}

static void
send_calls (DdsClient *client)
{
  gint64 now = dds_now (), due = 0, ready;
  gboolean by_header;

  ready = find_server (client, &by_header);

  for (guint i = 0; i < client->calls->len;) {
    Call *call = g_ptr_array_index (client->calls, i);

    if (!call->sent && ready != 0 && ready <= now)
      send_call (client, call, by_header);
    if (call->due != 0 && call->due <= now) {
      fail_call (client, call, G_IO_ERROR_TIMED_OUT,
                 call->sent ? "no answer came in time" : "no such service was found in time");
      g_ptr_array_remove_index (client->calls, i);
      continue;
    }
    due = due == 0 || (call->due != 0 && call->due < due) ? call->due : due;
    due = ready > now && (due == 0 || ready < due) ? ready : due;
    i++;
  }
  dds_end_set_due (&client->end, due);
}

static void
run_client (DdsEnd *end)
{
  DdsClient *client = (DdsClient *) end;
  DdsContext *context = end->node->context;

  take_fresh (client);
  for (guint i = 0; i < DDS_TURN; i++) {
    g_autoptr (GBytes) sample = NULL;
    DdsSampleInfo info;

    if (!dds_reader_take (end->reader, context->options.max_message, &info, &sample)) {
      send_calls (client);
      return;
    }
    if (sample != NULL)
      take_answer (client, &info, sample);
  }
  send_calls (client);
  dds_end_wake (end);
}

static void
close_client (DdsEnd *end)
{
  DdsClient *client = (DdsClient *) end;

  take_fresh (client);
  for (guint i = 0; i < client->calls->len; i++)
    fail_call (client, g_ptr_array_index (client->calls, i), G_IO_ERROR_CANCELLED,
               "the node has stopped");
  g_ptr_array_set_size (client->calls, 0);
}

static void
free_client (DdsEnd *end)
{
  DdsClient *client = (DdsClient *) end;

  g_array_unref (client->readers);
  g_array_unref (client->writers);
  g_ptr_array_unref (client->calls);
  g_clear_pointer (&client->ended, g_array_unref);
  g_free (client);
}

static void
change (DdsClient *client, GArray *guids, const DdsGuid *other, int by)
{
  DdsContext *context = client->end.node->context;

  g_mutex_lock (&context->lock);
  dds_others_change (guids, other, by);
  g_mutex_unlock (&context->lock);
  dds_end_wake (&client->end);
}

static void
on_reader (gpointer data, const DdsGuid *other, int by, guint n)
{
  DdsClient *client = data;

  change (client, client->readers, other, by);
}

static void
on_writer (gpointer data, const DdsGuid *other, int by, guint n)
{
  DdsClient *client = data;

  change (client, client->writers, other, by);
}

static void
on_answer (gpointer data)
{
  DdsClient *client = data;

  dds_end_wake (&client->end);
}

static void
on_refused (gpointer data, const char *policy)
{
  DdsClient *client = data;

  dds_end_refuse (&client->end, "a service", policy);
}

static const DdsEvents request_events = { on_reader, NULL, on_refused };
static const DdsEvents reply_events = { on_writer, on_answer, on_refused };

DdsClient *
dds_node_create_client (DdsNode *node, const char *name, const char *type, GError **error)
{
  g_autofree char *full = dds_node_resolve (node, name, error);
  DdsClient *client;

  if (full == NULL)
    return NULL;
  if (node->context->stopped) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "ROS 2: the node has stopped");
    return NULL;
  }
  client = g_new0 (DdsClient, 1);
  client->end = (DdsEnd){ .node = node,
                          .name = g_steal_pointer (&full),
                          .run = run_client,
                          .close = close_client,
                          .free = free_client };
  client->readers = g_array_new (FALSE, FALSE, sizeof (DdsOther));
  client->writers = g_array_new (FALSE, FALSE, sizeof (DdsOther));
  client->calls = g_ptr_array_new_with_free_func (free_call);
  if (dds_end_open_service (&client->end, type, TRUE, &request_events, &reply_events, error)) {
    dds_end_add (&client->end);
    return client;
  }
  dds_end_abandon (&client->end);
  return NULL;
}

void
dds_client_destroy (DdsClient *client)
{
  dds_end_leave (&client->end);
}

static guint64
begin_call (DdsClient *client, Call *call)
{
  DdsContext *context = client->end.node->context;
  guint64 id;
  gboolean closed;

  g_mutex_lock (&context->lock);
  call->id = id = ++client->n_begun;
  closed = client->end.closed;
  if (!closed)
    g_queue_push_tail (&client->fresh, call);
  dds_end_mark (&client->end);
  g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
  if (!closed)
    return id;
  fail_call (client, call, G_IO_ERROR_CANCELLED, "the node has stopped");
  free_call (call);
  return id;
}

void
dds_client_call (DdsClient *client, GBytes *request, guint timeout_ms, DdsResponseFunc func,
                 gpointer data)
{
  Call *call = g_new0 (Call, 1);

  call->request = g_bytes_ref (request);
  call->func = func;
  call->data = data;
  call->due = dds_now () + timeout_ms;
  begin_call (client, call);
}

guint64
dds_client_begin_call (DdsClient *client, GBytes *request, DdsSentFunc sent, DdsResponseFunc func,
                       gpointer data)
{
  Call *call = g_new0 (Call, 1);

  call->request = g_bytes_ref (request);
  call->on_sent = sent;
  call->func = func;
  call->data = data;
  return begin_call (client, call);
}

void
dds_client_end_call (DdsClient *client, guint64 id)
{
  DdsContext *context = client->end.node->context;

  g_mutex_lock (&context->lock);
  if (client->ended == NULL)
    client->ended = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (client->ended, id);
  dds_end_mark (&client->end);
  g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
}
