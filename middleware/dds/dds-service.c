/* SPDX-License-Identifier: BSD-3-Clause */
/* Services of a context, which clients of Fast DDS and of Cyclone DDS call. */
#include "dds-node-private.h"

#include <string.h>

/* How long clients that do not take their answers are waited for, ms, all services together. */
#define DRAIN_LIMIT 500

struct _DdsService {
  DdsEnd end;
  DdsRequestFunc func;
  gpointer data;
  GArray *readers;     /* [lock] (element-type DdsOther) of answers */
  GQueue answers;      /* [lock] (element-type DdsServiceCall) to be written */
  GQueue held;         /* [io] (element-type DdsServiceCall) whose reader is not known yet */
  gboolean told_short; /* [io] */
};

struct _DdsServiceCall {
  DdsService *service;
  DdsIdentity identity; /* of the request, as its client knows it */
  gsize n_compared;     /* bytes of the GUID that the reader of the answer has */
  gsize size;           /* of the request */
  gboolean has_header;
  guint8 header[DDS_HEADER_LENGTH];
  GBytes *response;
  gint64 due;
};

static void
free_call (DdsServiceCall *call)
{
  atomic_fetch_sub (&call->service->end.node->context->n_calls, 1);
  atomic_fetch_sub (&call->service->end.node->context->n_call_bytes, call->size);
  g_clear_pointer (&call->response, g_bytes_unref);
  g_free (call);
}

/* --- requests --- */

static void
tell_full (DdsContext *context)
{
  if (!atomic_exchange (&context->told_full, TRUE))
    dds_context_log (context, DDS_LOG_WARNING,
                     "ROS 2: %u calls wait for an answer, of %" G_GSIZE_FORMAT
                     " bytes; others are ignored until there are fewer than %u, "
                     "and less than %" G_GSIZE_FORMAT " bytes",
                     atomic_load (&context->n_calls), atomic_load (&context->n_call_bytes),
                     context->options.max_calls, context->options.max_call_bytes);
}

/* Takes a slot for one more, if there is one. Only the thread of the context adds calls. */
static gboolean
admit (DdsContext *context, gsize size)
{
  if (atomic_load (&context->n_calls) >= context->options.max_calls ||
      atomic_load (&context->n_call_bytes) >= context->options.max_call_bytes) {
    tell_full (context);
    return FALSE;
  }
  atomic_fetch_add (&context->n_calls, 1);
  atomic_fetch_add (&context->n_call_bytes, size);
  return TRUE;
}

static void
ignore_request (DdsService *service, const char *why)
{
  if (!service->told_short)
    dds_context_log (service->end.node->context, DDS_LOG_WARNING,
                     "ROS 2: a call of %s is ignored, as are others like it: %s", service->end.name,
                     why);
  service->told_short = TRUE;
}

static void
take_request (DdsService *service, const DdsSampleInfo *info, GBytes *sample)
{
  static const DdsGuid none;
  gboolean has_header = dds_guid_is_cyclone (&info->identity.guid);
  gboolean names_reader = memcmp (&info->related.guid, &none, sizeof none) != 0;
  guint8 header[DDS_HEADER_LENGTH];
  g_autoptr (GBytes) request = NULL;
  DdsServiceCall *call;

  if (sample != NULL && g_bytes_get_size (sample) >= DDS_ENCAPSULATION)
    request = has_header ? dds_sample_split (sample, header) : g_bytes_ref (sample);
  if (request == NULL) {
    ignore_request (service, sample != NULL ? "it is too short" : "it is too long");
    return;
  }
  if (!admit (service->end.node->context, g_bytes_get_size (request)))
    return;
  call = g_new0 (DdsServiceCall, 1);
  call->size = g_bytes_get_size (request);
  call->service = service;
  call->identity.number = info->identity.number;
  call->identity.guid = names_reader ? info->related.guid : info->identity.guid;
  call->n_compared = names_reader && !has_header ? sizeof none : DDS_GUID_PREFIX;
  call->has_header = has_header;
  if (has_header)
    memcpy (call->header, header, sizeof header);
  service->func (service->data, call, request);
}

/* --- answers --- */

/* When the answer is to be written: at once, or when its reader is known, or when it has waited
 * long enough, whether or not somebody reads it. */
static gint64
find_time (DdsService *service, DdsServiceCall *call)
{
  DdsContext *context = service->end.node->context;
  const DdsOther *reader;
  gint64 time = call->due;

  g_mutex_lock (&context->lock);
  reader = dds_others_find (service->readers, &call->identity.guid, call->n_compared);
  if (reader != NULL)
    time = MIN (time, dds_other_get_ready (reader));
  g_mutex_unlock (&context->lock);
  return call->response != NULL ? time : 0;
}

static void
write_answer (DdsService *service, DdsServiceCall *call)
{
  if (call->response != NULL)
    dds_sample_write (service->end.writer, call->response, call->has_header ? call->header : NULL,
                      &call->identity, NULL);
  free_call (call);
}

/* An answer before its reader is known would be lost. */
static void
write_answers (DdsService *service)
{
  DdsContext *context = service->end.node->context;
  gint64 now = dds_now (), due = 0;
  GQueue kept = G_QUEUE_INIT;
  DdsServiceCall *call;

  g_mutex_lock (&context->lock);
  while ((call = g_queue_pop_head (&service->answers)) != NULL)
    g_queue_push_tail (&service->held, call);
  g_mutex_unlock (&context->lock);
  while ((call = g_queue_pop_head (&service->held)) != NULL) {
    gint64 time;

    if (call->due == 0)
      call->due = now + context->options.wait_limit;
    time = find_time (service, call);
    if (time <= now) {
      write_answer (service, call);
      continue;
    }
    due = due == 0 ? time : MIN (due, time);
    g_queue_push_tail (&kept, call);
  }
  service->held = kept;
  dds_end_set_due (&service->end, due);
}

static void
run_service (DdsEnd *end)
{
  DdsService *service = (DdsService *) end;

  write_answers (service);
  for (guint i = 0; i < DDS_TURN; i++) {
    g_autoptr (GBytes) sample = NULL;
    DdsSampleInfo info;

    if (!dds_reader_take (end->reader, end->node->context->options.max_message, &info, &sample))
      return;
    take_request (service, &info, sample);
  }
  dds_end_wake (end);
}

static void
drop_answers (DdsService *service)
{
  DdsServiceCall *call;

  while ((call = g_queue_pop_head (&service->answers)) != NULL)
    free_call (call);
  while ((call = g_queue_pop_head (&service->held)) != NULL)
    free_call (call);
}

static void
close_service (DdsEnd *end)
{
  DdsService *service = (DdsService *) end;
  DdsContext *context = end->node->context;
  DdsServiceCall *call;

  /* Those that have their answer get it. */
  write_answers (service);
  while ((call = g_queue_pop_head (&service->held)) != NULL)
    write_answer (service, call);
  /* The writer goes, and what a client has not taken by then goes with it. Services are closed
   * together, at the end. */
  if (context->drained == 0)
    context->drained = dds_now () + DRAIN_LIMIT;
  if (dds_now () < context->drained)
    dds_writer_drain (service->end.writer, context->drained - dds_now ());
  g_mutex_lock (&context->lock);
  g_array_set_size (service->readers, 0);
  g_mutex_unlock (&context->lock);
}

static void
free_service (DdsEnd *end)
{
  DdsService *service = (DdsService *) end;

  drop_answers (service);
  g_array_unref (service->readers);
  g_free (service);
}

static void
on_reader (gpointer data, const DdsGuid *other, int change, guint n)
{
  DdsService *service = data;
  DdsContext *context = service->end.node->context;

  g_mutex_lock (&context->lock);
  dds_others_change (service->readers, other, change);
  g_mutex_unlock (&context->lock);
  dds_end_wake (&service->end);
}

static void
on_writer (gpointer data, const DdsGuid *other, int change, guint n)
{
}

static void
on_request (gpointer data)
{
  DdsService *service = data;

  dds_end_wake (&service->end);
}

static void
on_refused (gpointer data, const char *policy)
{
  DdsService *service = data;

  dds_end_refuse (&service->end, "a client", policy);
}

static const DdsEvents reply_events = { on_reader, NULL, on_refused };
static const DdsEvents request_events = { on_writer, on_request, on_refused };

DdsService *
dds_node_advertise_service (DdsNode *node, const char *name, const char *type, DdsRequestFunc func,
                            gpointer data, GError **error)
{
  g_autofree char *full = dds_node_resolve (node, name, error);
  DdsService *service;

  if (full == NULL)
    return NULL;
  if (node->context->stopped) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "ROS 2: the node has stopped");
    return NULL;
  }
  service = g_new0 (DdsService, 1);
  service->end = (DdsEnd){ .node = node,
                           .name = g_steal_pointer (&full),
                           .run = run_service,
                           .close = close_service,
                           .free = free_service };
  service->func = func;
  service->data = data;
  service->readers = g_array_new (FALSE, FALSE, sizeof (DdsOther));
  if (dds_end_open_service (&service->end, type, FALSE, &reply_events, &request_events, error)) {
    dds_end_add (&service->end);
    return service;
  }
  dds_end_abandon (&service->end);
  return NULL;
}

void
dds_service_unadvertise (DdsService *service)
{
  dds_end_leave (&service->end);
}

void
dds_service_call_return (DdsServiceCall *call, GBytes *response)
{
  DdsService *service = call->service;
  DdsContext *context = service->end.node->context;
  gboolean closed;

  call->response = response != NULL ? g_bytes_ref (response) : NULL;
  g_mutex_lock (&context->lock);
  closed = service->end.closed;
  if (!closed)
    g_queue_push_tail (&service->answers, call);
  dds_end_mark (&service->end);
  g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
  if (closed)
    free_call (call);
}

void
dds_service_call_drop (DdsServiceCall *call)
{
  dds_service_call_return (call, NULL);
}
