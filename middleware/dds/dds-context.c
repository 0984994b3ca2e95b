/* SPDX-License-Identifier: BSD-3-Clause */
/* A participant of DDS with its thread, and the nodes on it. */
#define _GNU_SOURCE
#include "dds-node-private.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

/* How long what is on the way may take when a context stops. */
#define STOP_LIMIT 500
/* Ends of others that do not fit and that are told of, for each own end. */
#define MAX_REFUSED 10
/* By when two ends know each other, once one of them knows the other, ms. */
#define SETTLING 100

void
dds_context_options_init (DdsContextOptions *options)
{
  *options = (DdsContextOptions){
    .domain = -1,
    .max_message = (gsize) 256 * 1024 * 1024,
    .max_calls = 1024,
    .max_call_bytes = (gsize) 64 * 1024 * 1024,
    .wait_limit = 2000,
  };
}

gint64
dds_now (void)
{
  return g_get_monotonic_time () / 1000;
}

void
dds_context_log (DdsContext *context, DdsLogLevel level, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list list;

  if (context->options.log == NULL)
    return;
  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  context->options.log (context->options.log_data, level, text);
}

/* --- ends --- */

void
dds_end_mark (DdsEnd *end)
{
  DdsContext *context = end->node->context;

  if (end->pending || !end->ready || end->closed)
    return;
  end->pending = TRUE;
  end->next = NULL;
  *context->last = end;
  context->last = &end->next;
}

void
dds_end_wake (DdsEnd *end)
{
  DdsContext *context = end->node->context;

  g_mutex_lock (&context->lock);
  dds_end_mark (end);
  g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
}

void
dds_end_add (DdsEnd *end)
{
  DdsContext *context = end->node->context;

  g_mutex_lock (&context->lock);
  g_ptr_array_add (context->ends, end);
  end->ready = TRUE;
  context->graph_changed = TRUE;
  dds_end_mark (end);
  g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
}

static void
free_end (gpointer data)
{
  DdsEnd *end = data;

  g_free (end->name);
  end->free (end);
}

void
dds_end_abandon (DdsEnd *end)
{
  g_clear_pointer (&end->writer, dds_writer_free);
  g_clear_pointer (&end->reader, dds_reader_free);
  free_end (end);
}

void
dds_end_leave (DdsEnd *end)
{
  DdsContext *context = end->node->context;

  g_mutex_lock (&context->lock);
  if (!end->gone && !end->closed)
    context->n_leaving++;
  end->gone = TRUE;
  g_mutex_unlock (&context->lock);
  dds_end_wake (end);
}

gboolean
dds_end_is_gone (DdsEnd *end)
{
  DdsContext *context = end->node->context;
  gboolean gone;

  g_mutex_lock (&context->lock);
  gone = end->gone || context->stopping;
  g_mutex_unlock (&context->lock);
  return gone;
}

void
dds_end_set_due (DdsEnd *end, gint64 due)
{
  GPtrArray *waiting = end->node->context->waiting;

  if (end->due == 0 && due != 0)
    g_ptr_array_add (waiting, end);
  else if (end->due != 0 && due == 0)
    g_ptr_array_remove_fast (waiting, end);
  end->due = due;
}

void
dds_end_refuse (DdsEnd *end, const char *who, const char *policy)
{
  guint n = atomic_fetch_add (&end->n_refused, 1);

  if (n < MAX_REFUSED)
    dds_context_log (end->node->context, DDS_LOG_WARNING,
                     "ROS 2: %s of %s is not connected: what it wants of %s and what is offered "
                     "differ%s",
                     who, end->name, policy,
                     n + 1 == MAX_REFUSED ? "; others like this are not told" : "");
}

void
dds_others_change (GArray *others, const DdsGuid *guid, int change)
{
  DdsOther other = { *guid, dds_now () };

  if (change > 0) {
    g_array_append_vals (others, &other, 1);
    return;
  }
  for (guint i = 0; i < others->len; i++) {
    if (memcmp (&g_array_index (others, DdsOther, i).guid, guid, sizeof *guid) != 0)
      continue;
    g_array_remove_index_fast (others, i);
    return;
  }
}

const DdsOther *
dds_others_find (GArray *others, const DdsGuid *guid, gsize length)
{
  for (guint i = 0; i < others->len; i++)
    if (memcmp (&g_array_index (others, DdsOther, i).guid, guid, length) == 0)
      return &g_array_index (others, DdsOther, i);
  return NULL;
}

/* A reader of Cyclone DDS never gets what was written before it knew the writer; one of Fast DDS
 * asks for it. */
gint64
dds_other_get_ready (const DdsOther *other)
{
  return dds_guid_is_cyclone (&other->guid) ? other->since + SETTLING : other->since;
}

/* --- the thread --- */

static void
close_end (DdsEnd *end)
{
  DdsContext *context = end->node->context;
  gboolean closed;

  g_mutex_lock (&context->lock);
  closed = end->closed;
  end->closed = TRUE;
  context->graph_changed = TRUE;
  g_mutex_unlock (&context->lock);
  if (closed)
    return;
  end->close (end);
  dds_end_set_due (end, 0);
  g_clear_pointer (&end->writer, dds_writer_free);
  g_clear_pointer (&end->reader, dds_reader_free);
  g_mutex_lock (&context->lock);
  if (end->gone)
    context->n_leaving--;
  g_cond_broadcast (&context->has_closed);
  g_mutex_unlock (&context->lock);
}

static void
run_end (DdsEnd *end, gboolean gone)
{
  if (gone)
    close_end (end);
  else
    end->run (end);
}

/* [lock] */
static DdsEnd *
take_pending (DdsContext *context)
{
  DdsEnd *end = context->first;

  if (end == NULL)
    return NULL;
  context->first = end->next;
  if (context->first == NULL)
    context->last = &context->first;
  end->pending = FALSE;
  return end;
}

/* The one whose time has come, or how long that takes. */
static DdsEnd *
find_due (DdsContext *context, gint64 *due)
{
  gint64 now = dds_now ();

  *due = 0;
  for (guint i = 0; i < context->waiting->len; i++) {
    DdsEnd *end = g_ptr_array_index (context->waiting, i);

    if (end->due <= now)
      return end;
    if (*due == 0 || end->due < *due)
      *due = end->due;
  }
  return NULL;
}

/* Waits for the next thing to do. Returns: FALSE: there is none, it is to stop */
static gboolean
next_turn (DdsContext *context, DdsEnd **end, gboolean *gone, gboolean *graph)
{
  gint64 due;
  DdsEnd *late = find_due (context, &due);
  gboolean stopping;

  g_mutex_lock (&context->lock);
  while (late == NULL && context->first == NULL && !context->stopping && !context->graph_changed)
    if (due == 0)
      g_cond_wait (&context->wake, &context->lock);
    else if (!g_cond_wait_until (&context->wake, &context->lock, due * 1000))
      break;
  *graph = context->graph_changed;
  context->graph_changed = FALSE;
  *end = late != NULL ? late : take_pending (context);
  *gone = *end != NULL && (*end)->gone;
  stopping = context->stopping;
  g_mutex_unlock (&context->lock);
  if (!stopping)
    return TRUE;
  if (context->deadline == 0)
    context->deadline = dds_now () + STOP_LIMIT;
  return *end != NULL && dds_now () < context->deadline;
}

static gpointer
run_thread (gpointer data)
{
  DdsContext *context = data;
  gboolean graph, gone;
  DdsEnd *end;

  while (next_turn (context, &end, &gone, &graph)) {
    if (end != NULL)
      run_end (end, gone);
    if (graph)
      dds_graph_write (context);
  }
  for (guint i = 0; i < context->ends->len; i++)
    close_end (g_ptr_array_index (context->ends, i));
  return NULL;
}

/* --- contexts --- */

static gboolean
open_participant (DdsContext *context, GError **error)
{
  DdsPlan plan = { 0 };
  DdsParticipantOptions options = { .name = "orrery" };

  if (dds_plan_make (&plan, &context->options, error)) {
    options.domain = plan.domain;
    options.discovers = plan.discovers;
    options.multicast = plan.multicast;
    options.interfaces =
        plan.interfaces != NULL ? (const char *const *) plan.interfaces->pdata : NULL;
    options.peers = (const char *const *) plan.peers->pdata;
    context->options.domain = (int) plan.domain;
    context->participant = dds_participant_new (&options, error);
  }
  dds_plan_clear (&plan);
  if (context->participant == NULL)
    return FALSE;
  dds_participant_get_guid (context->participant, &context->guid);
  return dds_graph_open (context, error);
}

DdsContext *
dds_context_new (const DdsContextOptions *options, GError **error)
{
  DdsContext *context = g_new0 (DdsContext, 1);
  sigset_t all, before;

  context->options = *options;
  orrery_message_catalogue_ref (options->catalogue);
  g_mutex_init (&context->lock);
  g_cond_init (&context->wake);
  g_cond_init (&context->has_closed);
  context->last = &context->first;
  context->nodes = g_ptr_array_new ();
  context->ends = g_ptr_array_new_with_free_func (free_end);
  context->waiting = g_ptr_array_new ();
  /* Signals are for the main thread; those of Fast DDS are made here, too. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  if (open_participant (context, error))
    context->thread = g_thread_try_new ("orrery-dds", run_thread, context, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (context->thread != NULL)
    return context;
  dds_context_free (context);
  return NULL;
}

void
dds_context_stop (DdsContext *context)
{
  if (context->stopped)
    return;
  context->stopped = TRUE;
  if (context->thread != NULL) {
    g_mutex_lock (&context->lock);
    context->stopping = TRUE;
    g_cond_signal (&context->wake);
    g_mutex_unlock (&context->lock);
    g_thread_join (context->thread);
  }
  dds_graph_close (context);
  g_clear_pointer (&context->participant, dds_participant_free);
}

void
dds_context_settle (DdsContext *context)
{
  g_mutex_lock (&context->lock);
  while (!context->stopped && context->n_leaving > 0)
    g_cond_wait (&context->has_closed, &context->lock);
  g_mutex_unlock (&context->lock);
}

static void
free_node (DdsNode *node)
{
  g_free (node->name);
  g_free (node->name_space);
  g_free (node->full);
  g_free (node);
}

void
dds_context_free (DdsContext *context)
{
  dds_context_stop (context);
  g_ptr_array_unref (context->waiting);
  g_ptr_array_unref (context->ends);
  g_ptr_array_foreach (context->nodes, (GFunc) (void (*) (void)) free_node, NULL);
  g_ptr_array_unref (context->nodes);
  orrery_message_catalogue_unref (context->options.catalogue);
  g_mutex_clear (&context->lock);
  g_cond_clear (&context->wake);
  g_cond_clear (&context->has_closed);
  g_free (context);
}

guint
dds_context_get_domain (DdsContext *context)
{
  return (guint) context->options.domain;
}

void
dds_context_flush (DdsContext *context)
{
  g_mutex_lock (&context->lock);
  if (context->first != NULL)
    g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
}

/* --- nodes --- */

DdsNode *
dds_node_new (DdsContext *context, const char *name, const char *name_space)
{
  DdsNode *node = g_new0 (DdsNode, 1);
  g_autofree char *whole = g_strconcat ("/", name_space, NULL);

  node->context = context;
  node->name = dds_name_make_valid_part (name);
  node->name_space = dds_name_make_valid (whole);
  if (*node->name_space == '\0') {
    g_free (node->name_space);
    node->name_space = g_strdup ("/");
  }
  node->full =
      g_strconcat (node->name_space[1] == '\0' ? "" : node->name_space, "/", node->name, NULL);
  g_mutex_lock (&context->lock);
  g_ptr_array_add (context->nodes, node);
  context->graph_changed = TRUE;
  g_cond_signal (&context->wake);
  g_mutex_unlock (&context->lock);
  return node;
}

const char *
dds_node_get_name (DdsNode *node)
{
  return node->full;
}

char *
dds_node_resolve (DdsNode *node, const char *name, GError **error)
{
  return dds_name_resolve (node->name_space, node->full, name, error);
}
