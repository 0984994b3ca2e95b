/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that wait for the tick, limited in number and in bytes. */
#include "backlog.h"

char *
backlog_add (Backlog *self, gpointer item, gsize size, const BacklogLimits *limits)
{
  char *why = NULL;

  if (size > limits->size)
    why = g_strdup_printf ("the request has %" G_GSIZE_FORMAT
                           " bytes, and the limit is %" G_GSIZE_FORMAT,
                           size, limits->size);
  else if (self->items.length >= limits->length)
    why =
        g_strdup_printf ("%u requests wait for the simulation, which is the limit", limits->length);
  else if (size > limits->bytes - self->n_bytes)
    why = g_strdup_printf ("the requests that wait for the simulation have %" G_GSIZE_FORMAT
                           " bytes, this one has %" G_GSIZE_FORMAT
                           ", and the limit is %" G_GSIZE_FORMAT,
                           self->n_bytes, size, limits->bytes);
  if (why != NULL)
    return why;
  g_queue_push_tail (&self->items, item);
  self->n_bytes += size;
  return NULL;
}

void
backlog_count (Backlog *self, gboolean is_answered)
{
  self->n_refused++;
  self->n_dropped += !is_answered;
}

Backlog
backlog_take (Backlog *self)
{
  Backlog taken = *self;

  g_queue_init (&self->items);
  self->n_bytes = 0;
  return taken;
}

char *
backlog_describe (const Backlog *self, const BacklogLimits *limits)
{
  return g_strdup_printf ("requests were refused, %" G_GUINT64_FORMAT " so far, %" G_GUINT64_FORMAT
                          " of them without an answer: at most %u "
                          "requests and %" G_GSIZE_FORMAT " bytes wait for the simulation, and a "
                          "request has at most %" G_GSIZE_FORMAT " bytes",
                          self->n_refused, self->n_dropped, limits->length, limits->bytes,
                          limits->size);
}

/* --- with a lock --- */

void
request_queue_init (RequestQueue *self, const BacklogLimits *limits)
{
  *self = (RequestQueue){ .limits = *limits };
  g_mutex_init (&self->lock);
}

void
request_queue_clear (RequestQueue *self)
{
  g_mutex_clear (&self->lock);
}

char *
request_queue_add (RequestQueue *self, gpointer item, gsize size)
{
  char *why;

  g_mutex_lock (&self->lock);
  why = backlog_add (&self->backlog, item, size, &self->limits);
  g_mutex_unlock (&self->lock);
  return why;
}

void
request_queue_count (RequestQueue *self, gboolean is_answered)
{
  g_mutex_lock (&self->lock);
  backlog_count (&self->backlog, is_answered);
  g_mutex_unlock (&self->lock);
}

GQueue
request_queue_take (RequestQueue *self, char **words)
{
  Backlog taken;

  g_mutex_lock (&self->lock);
  taken = backlog_take (&self->backlog);
  g_mutex_unlock (&self->lock);
  *words = NULL;
  if (taken.n_refused > 0 && !self->told) {
    *words = backlog_describe (&taken, &self->limits);
    self->told = TRUE;
  }
  return taken.items;
}
