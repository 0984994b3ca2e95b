/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What parts of workers in lock step take from outside. The worker sends it with its answers, and
 * the host keeps it as if the parts had run there. Where inputs are fed, the host sends those of a
 * tick with its first request, and the worker gives them to the parts.
 */
#include "part/orrery-part.h"
#include "worker/orrery-worker-internal.h"
#include "worker/orrery-worker-loop-private.h"
#include "world/orrery-world-private.h"

/* What one answer brings: the rest is told as too long. */
#define MAX_BYTES ((gsize) 64 * 1024 * 1024)
/* Part and bytes; without these: they were too long. */
#define TAKEN_TYPE "a(smay)"
/* Part and bytes that are fed. */
#define FED_TYPE "a(say)"

/* --- the host --- */

static OrreryTaking
find_mode (OrreryWorker *worker)
{
  const OrreryTick *tick = worker->workers->tick;

  /* Of one that runs freely, the results are the inputs. */
  if (worker->settings.free_running || tick->take == NULL)
    return ORRERY_TAKING_OWN;
  return tick->is_fed ? ORRERY_TAKING_FED : ORRERY_TAKING_KEPT;
}

static GVariant *
create_bytes (gconstpointer data, gsize size)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, data, size, 1);
}

/* Returns: (nullable), floating: all that is fed for its parts; NULL: nothing */
static GVariant *
take_fed (OrreryWorker *worker)
{
  const OrreryTick *tick = worker->workers->tick;
  GVariantBuilder fed;
  guint n = 0;

  g_variant_builder_init (&fed, G_VARIANT_TYPE (FED_TYPE));
  for (guint i = 0; i < worker->remotes->len; i++) {
    const OrreryRemote *remote = worker->remotes->pdata[i];
    gconstpointer data;
    gsize size;

    while ((data = tick->take (tick->take_host, remote->name, 0, NULL, 0, &size)) != NULL) {
      g_variant_builder_add (&fed, "(s@ay)", remote->name, create_bytes (data, size));
      n++;
    }
  }
  if (n > 0)
    return g_variant_builder_end (&fed);
  g_variant_builder_clear (&fed);
  return NULL;
}

void
orrery_worker_add_taken (OrreryWorker *worker, OrreryRequestKind kind)
{
  OrreryTaking mode = find_mode (worker);
  gboolean steps =
      kind == ORRERY_REQUEST_STEP || kind == ORRERY_REQUEST_CALLBACK || kind == ORRERY_REQUEST_CALL;
  GVariant *fed = mode == ORRERY_TAKING_FED && steps ? take_fed (worker) : NULL;
  guint64 n = fed != NULL ? orrery_message_add_variant (worker->message, fed) : 0;
  OrreryRequest *head = (OrreryRequest *) (gpointer) worker->message->data;

  head->taking = mode;
  head->n_fed = n;
}

static void
keep (OrreryRemote *remote, const char *name, GVariant *bytes)
{
  const OrreryTick *tick = remote->worker->workers->tick;
  g_autoptr (GVariant) array = g_variant_get_maybe (bytes);
  gconstpointer data = NULL;
  gsize size = (gsize) ORRERY_INPUT_MAX_SIZE + 1;

  if (array != NULL)
    data = g_variant_get_fixed_array (array, &size, 1);
  if (size > 0)
    tick->take (tick->take_host, name, 0, data, size, &size);
}

static gboolean
has_part (OrreryWorker *worker, const char *name)
{
  for (guint i = 0; i < worker->remotes->len; i++)
    if (g_str_equal (((OrreryRemote *) worker->remotes->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

gboolean
orrery_remote_keep_taken (OrreryRemote *remote, OrreryReply *reply)
{
  const OrreryTick *tick = remote->worker->workers->tick;
  const guint64 *n;
  g_autoptr (GVariant) taken = NULL;
  GVariantIter iter;
  GVariant *bytes;
  const char *name;

  if (!(reply->head.flags & ORRERY_ANSWER_TAKEN))
    return TRUE;
  n = orrery_cursor_take (&reply->rest, sizeof *n);
  taken = n != NULL ? orrery_cursor_take_variant (&reply->rest, *n, TAKEN_TYPE) : NULL;
  if (taken == NULL)
    return FALSE;
  g_variant_iter_init (&iter, taken);
  while (g_variant_iter_next (&iter, "(&s@may)", &name, &bytes)) {
    /* Meanwhile, whoever kept them may be gone. */
    if (tick->take != NULL && !tick->is_fed && has_part (remote->worker, name))
      keep (remote, name, bytes);
    g_variant_unref (bytes);
  }
  return TRUE;
}

/* --- the worker --- */

typedef struct {
  char *part;
  GBytes *bytes; /* NULL: they are too long */
} Taken;

static void
clear_taken (gpointer data)
{
  Taken *taken = data;

  g_free (taken->part);
  g_clear_pointer (&taken->bytes, g_bytes_unref);
}

static void
free_queue (gpointer queue)
{
  g_queue_free_full (queue, (GDestroyNotify) g_bytes_unref);
}

void
orrery_worker_loop_init_taken (OrreryWorkerLoop *loop)
{
  loop->taken = g_array_new (FALSE, FALSE, sizeof (Taken));
  g_array_set_clear_func (loop->taken, clear_taken);
  loop->fed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_queue);
  loop->given = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
}

void
orrery_worker_loop_clear_taken (OrreryWorkerLoop *loop)
{
  g_clear_pointer (&loop->taken, g_array_unref);
  g_clear_pointer (&loop->fed, g_hash_table_unref);
  g_clear_pointer (&loop->given, g_ptr_array_unref);
}

/* What was given to a part stays until the next tick. */
static gconstpointer
give (OrreryWorkerLoop *loop, const char *part, gsize *taken)
{
  GQueue *queue = g_hash_table_lookup (loop->fed, part);
  GBytes *bytes = queue != NULL ? g_queue_pop_head (queue) : NULL;

  *taken = 0;
  if (bytes == NULL)
    return NULL;
  g_ptr_array_add (loop->given, bytes);
  return g_bytes_get_data (bytes, taken);
}

static void
note (OrreryWorkerLoop *loop, const char *part, gconstpointer data, gsize size)
{
  gboolean fits = size <= ORRERY_INPUT_MAX_SIZE && size <= MAX_BYTES - loop->n_taken;
  Taken taken = { g_strdup (part), fits ? g_bytes_new (data, size) : NULL };

  loop->n_taken += fits ? size : 0;
  g_array_append_val (loop->taken, taken);
}

/* An OrreryTickTakeFunc. */
static gconstpointer
take (gpointer host, const char *part, guint64 which, gconstpointer data, gsize size, gsize *taken)
{
  OrreryWorkerLoop *loop = host;

  if (loop->tick->is_fed)
    return give (loop, part, taken);
  if (size > 0)
    note (loop, part, data, size);
  *taken = size;
  return size > 0 ? data : NULL;
}

gboolean
orrery_worker_loop_take_fed (OrreryWorkerLoop *loop, OrreryWork *work)
{
  g_autoptr (GVariant) fed = NULL;
  GVariantIter iter;
  GVariant *bytes;
  const char *name;

  loop->tick->take = work->head.taking != ORRERY_TAKING_OWN ? take : NULL;
  loop->tick->take_host = loop;
  loop->tick->is_fed = work->head.taking == ORRERY_TAKING_FED;
  if (loop->fed_number != work->head.number) {
    g_hash_table_remove_all (loop->fed);
    g_ptr_array_set_size (loop->given, 0);
  }
  loop->fed_number = work->head.number;
  if (work->head.n_fed == 0)
    return TRUE;
  fed = orrery_cursor_take_variant (&work->rest, work->head.n_fed, FED_TYPE);
  if (fed == NULL)
    return FALSE;
  g_variant_iter_init (&iter, fed);
  while (g_variant_iter_next (&iter, "(&s@ay)", &name, &bytes)) {
    GQueue *queue = g_hash_table_lookup (loop->fed, name);

    if (queue == NULL) {
      queue = g_queue_new ();
      g_hash_table_insert (loop->fed, g_strdup (name), queue);
    }
    g_queue_push_tail (queue, g_variant_get_data_as_bytes (bytes));
    g_variant_unref (bytes);
  }
  return TRUE;
}

guint32
orrery_worker_loop_add_taken (OrreryWorkerLoop *loop)
{
  guint at = loop->message->len;
  GVariantBuilder all;
  guint64 n;

  if (loop->taken->len == 0)
    return 0;
  g_variant_builder_init (&all, G_VARIANT_TYPE (TAKEN_TYPE));
  for (guint i = 0; i < loop->taken->len; i++) {
    const Taken *taken = &g_array_index (loop->taken, Taken, i);
    GVariant *bytes = taken->bytes != NULL
                          ? g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, taken->bytes, TRUE)
                          : NULL;

    g_variant_builder_add (&all, "(s@may)", taken->part,
                           g_variant_new_maybe (G_VARIANT_TYPE_BYTESTRING, bytes));
  }
  g_array_set_size (loop->taken, 0);
  loop->n_taken = 0;
  orrery_message_add (loop->message, sizeof n);
  n = orrery_message_add_variant (loop->message, g_variant_builder_end (&all));
  *(guint64 *) (gpointer) (loop->message->data + at) = n;
  return ORRERY_ANSWER_TAKEN;
}
