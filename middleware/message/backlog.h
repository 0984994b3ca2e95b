/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Requests that wait for the tick, limited in number and in bytes. Threads of I/O add them and the
 * tick takes them; the lock of the owner guards all of it. A struct that is zero is empty. */

/* @length, @bytes: of all that wait; @size: bytes of one */
typedef struct {
  guint length;
  gsize bytes, size;
} BacklogLimits;

/* Bytes that may wait in one queue. */
#define BACKLOG_BYTES ((gsize) 16 * 1024 * 1024)
/* Those of requests that may have 1 MiB. */
#define BACKLOG_LIMITS ((BacklogLimits){ 1000, BACKLOG_BYTES, 1024 * 1024 })

typedef struct {
  GQueue items;
  gsize n_bytes;     /* of the items */
  guint64 n_refused; /* since the start */
  guint64 n_dropped; /* those of them that got no answer */
} Backlog;

/**
 * backlog_add:
 * @item: an item of the owner's; it is taken, unless it is refused
 * @size: bytes that it holds
 *
 * Returns: (transfer full) (nullable): NULL, or why it is refused, with the limit
 */
char *backlog_add (Backlog *self, gpointer item, gsize size, const BacklogLimits *limits);
/* Counts one that was refused. */
void backlog_count (Backlog *self, gboolean is_answered);
/* Empties it. Returns: what it held, with the counts; the owner clears `items` */
Backlog backlog_take (Backlog *self);
/* Returns: (transfer full): how many were refused so far, and why */
char *backlog_describe (const Backlog *self, const BacklogLimits *limits);

/* A backlog with a lock of its own. What was refused is told of once. */
typedef struct {
  GMutex lock;
  Backlog backlog; /* [lock] */
  BacklogLimits limits;
  gboolean told; /* the tick's */
} RequestQueue;

void request_queue_init (RequestQueue *self, const BacklogLimits *limits);
/* What is left in it was freed before. */
void request_queue_clear (RequestQueue *self);
/* As backlog_add(). Any thread. */
char *request_queue_add (RequestQueue *self, gpointer item, gsize size);
/* Counts one that was refused. Any thread. */
void request_queue_count (RequestQueue *self, gboolean is_answered);
/**
 * request_queue_take:
 * @words: (out) (nullable) (transfer full): what to warn of, the first time that there is something
 *
 * Empties it; in the tick.
 *
 * Returns: what it held
 */
GQueue request_queue_take (RequestQueue *self, char **words);
