/* SPDX-License-Identifier: BSD-3-Clause */
/* Several commands on one directory, each of which claims blocks of runs. A block is over when
 * nobody has it and each of its runs has a result, or was given up. */
#include "batch.h"

#include "../support/cli.h"

#include <signal.h>

/* How often blocks of others are looked at when there is nothing else to do. */
#define LOOK_MS 500

struct _BatchShared {
  BatchClaims *claims;
  guint64 size;
  GArray *blocks;   /* (element-type guint64): those of this pass */
  GArray *others;   /* (element-type guint64): those of the next one, which others had */
  guint at;         /* of blocks */
  GHashTable *held; /* (element-type guint64 guint): how many runs of our blocks are not over */
  guint timer;
  gint lost; /* atomic: others hold this command for dead */
};

/* --- one block --- */

static void
note_others (Batch *batch, gboolean failed)
{
  batch->n_done++;
  batch->n_skipped++;
  batch->n_failed += failed ? 1 : 0;
}

/* @n_open: how many runs of the block have no result
 * Returns: (transfer full): those of them that no command has given up */
static GArray *
list_missing (Batch *batch, guint64 block, guint *n_open)
{
  BatchShared *shared = batch->shared;
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 end = MIN ((block + 1) * shared->size, batch->end);

  *n_open = 0;
  for (guint64 run = MAX (block * shared->size, batch->first); run < end; run++) {
    gboolean failed = FALSE;

    if (batch->cells[run] != NULL)
      continue;
    if (batch_find_result (batch, run, &failed)) {
      note_others (batch, failed);
      continue;
    }
    (*n_open)++;
    if (!batch_claims_is_given_up (shared->claims, run))
      g_array_append_val (runs, run);
  }
  return runs;
}

/* Returns: (transfer full) (nullable): what is to be done of it; @over: it is not looked at again
 */
static GArray *
try_block (Batch *batch, guint64 block, gboolean *over)
{
  BatchShared *shared = batch->shared;
  guint n_open;
  g_autoptr (GArray) runs = list_missing (batch, block, &n_open);
  guint n;

  *over = runs->len == 0 && batch_claims_is_free (shared->claims, block);
  if (!*over && batch_claims_take (shared->claims, block, &batch->error)) {
    /* Whoever had it may have done some meanwhile. */
    g_array_unref (runs);
    runs = list_missing (batch, block, &n_open);
    *over = TRUE;
    if (runs->len == 0)
      batch_claims_release (shared->claims, block);
  }
  if (!*over)
    return NULL;
  for (n = runs->len; n < n_open; n++)
    note_others (batch, TRUE);
  return runs->len > 0 ? g_steal_pointer (&runs) : NULL;
}

/* --- all of them --- */

static void
begin_pass (BatchShared *shared)
{
  GArray *done = shared->blocks;

  shared->blocks = shared->others;
  shared->others = done;
  g_array_set_size (shared->others, 0);
  shared->at = 0;
}

static gboolean
on_look (gpointer user_data)
{
  Batch *batch = user_data;

  batch->shared->timer = 0;
  batch_fill (batch);
  return G_SOURCE_REMOVE;
}

GArray *
batch_shared_take (Batch *batch)
{
  BatchShared *shared = batch->shared;
  guint n = shared->blocks->len - shared->at + shared->others->len;

  for (; n > 0 && batch->error == NULL; n--) {
    guint64 block;
    gboolean over;
    GArray *runs;

    if (shared->at == shared->blocks->len)
      begin_pass (shared);
    block = g_array_index (shared->blocks, guint64, shared->at++);
    runs = try_block (batch, block, &over);
    if (!over)
      g_array_append_val (shared->others, block);
    if (runs == NULL)
      continue;
    g_hash_table_insert (shared->held, g_memdup2 (&block, sizeof block),
                         GUINT_TO_POINTER (runs->len));
    return runs;
  }
  return NULL;
}

gboolean
batch_shared_wait (Batch *batch)
{
  BatchShared *shared = batch->shared;

  if (shared->at == shared->blocks->len && shared->others->len == 0)
    return FALSE;
  if (shared->timer == 0)
    shared->timer = g_timeout_add (LOOK_MS, on_look, batch);
  return TRUE;
}

void
batch_shared_settle (Batch *batch, guint64 run, gboolean found)
{
  BatchShared *shared = batch->shared;
  guint64 block = run / shared->size;
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (shared->held, &block));

  if (!found)
    batch_claims_give_up (shared->claims, run);
  if (n > 1) {
    g_hash_table_insert (shared->held, g_memdup2 (&block, sizeof block), GUINT_TO_POINTER (n - 1));
    return;
  }
  g_hash_table_remove (shared->held, &block);
  batch_claims_release (shared->claims, block);
}

/* --- the beginning and the end --- */

static gboolean
end_lost (gpointer user_data)
{
  batch_stop (user_data, SIGKILL);
  return G_SOURCE_REMOVE;
}

/* In the thread of the heart. What this command does is done elsewhere again. */
static void
on_lost (gpointer user_data)
{
  Batch *batch = user_data;

  g_atomic_int_set (&batch->shared->lost, TRUE);
  g_idle_add (end_lost, batch);
}

void
batch_shared_look (Batch *batch)
{
  if (batch->shared != NULL && batch_claims_is_lost (batch->shared->claims))
    g_atomic_int_set (&batch->shared->lost, TRUE);
}

gboolean
batch_shared_is_lost (Batch *batch)
{
  return batch->shared != NULL && g_atomic_int_get (&batch->shared->lost);
}

int
batch_shared_open (Batch *batch)
{
  g_autoptr (GError) error = NULL;
  BatchClaims *claims = batch_claims_open (batch->options, &error);

  if (claims == NULL)
    return cli_fail (error);
  batch->shared = g_new0 (BatchShared, 1);
  batch->shared->claims = claims;
  batch->shared->size = batch_claims_get_size (claims);
  batch->shared->held = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  batch->alive = batch_claims_get_fd (claims);
  return CLI_OK;
}

/* Ranks begin at different places, so that they seldom want the same block. */
void
batch_shared_begin (Batch *batch)
{
  BatchShared *shared = batch->shared;
  const BatchOptions *options = batch->options;
  guint64 first = batch->first / shared->size;
  guint64 end = (batch->end + shared->size - 1) / shared->size;
  guint64 n = batch->end > batch->first ? end - first : 0;
  guint64 shift = n * options->rank / options->n_ranks;

  shared->blocks = g_array_new (FALSE, FALSE, sizeof (guint64));
  shared->others = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint64 i = 0; i < n; i++) {
    guint64 block = first + (i + shift) % n;

    g_array_append_val (shared->blocks, block);
  }
  batch_claims_start_heart (shared->claims, on_lost, batch);
}

void
batch_shared_close (Batch *batch)
{
  BatchShared *shared = batch->shared;
  GHashTableIter iter;
  gpointer block;

  if (shared == NULL)
    return;
  g_hash_table_iter_init (&iter, shared->held);
  while (g_hash_table_iter_next (&iter, &block, NULL))
    batch_claims_release (shared->claims, *(guint64 *) block);
  if (shared->timer != 0)
    g_source_remove (shared->timer);
  batch_claims_close (shared->claims);
  g_idle_remove_by_data (batch);
  g_clear_pointer (&shared->blocks, g_array_unref);
  g_clear_pointer (&shared->others, g_array_unref);
  g_hash_table_unref (shared->held);
  g_clear_pointer (&batch->shared, g_free);
}
