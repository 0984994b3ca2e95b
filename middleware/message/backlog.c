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
