/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers that run freely. Their results come when they come, so each is an input of the run: it is
 * told where somebody keeps the inputs, and where they are fed it comes from there. The process is
 * then left alone.
 */
#include "worker/orrery-worker-internal.h"

#include "part/orrery-part-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* What is told of them: of the component the results of its steps, of the first component of the
 * worker all else. The numbers are in recordings. */
enum {
  TAKEN_STEP = 1, /* what a step has to apply */
  TAKEN_DOWN,     /* a step has nothing to apply, since the worker is down */
  TAKEN_AT_SENSE, /* an answer to something else, before the phase sense */
  TAKEN_AT_ACT,   /* the same before the phase act */
  TAKEN_FAILED,   /* calls have failed with the worker */
};

/* Flags of an answer that mean something to who applies it. */
#define KNOWN_FLAGS                                                                                \
  (ORRERY_ANSWER_RECORD | ORRERY_ANSWER_ACTIVE | ORRERY_ANSWER_LAST | ORRERY_ANSWER_STEP |         \
   ORRERY_ANSWER_HELD)

/* Bytes of a text that says why a worker failed. */
#define MAX_CAUSE 4096

static gboolean
is_kept (OrreryWorker *worker)
{
  const OrreryTick *tick = worker->workers->tick;

  return worker->settings.free_running && tick->take != NULL && !tick->is_fed;
}

gboolean
orrery_worker_is_fed (OrreryWorker *worker)
{
  return worker->settings.free_running && worker->workers->tick->is_fed;
}

static const char *
get_name (OrreryWorker *worker)
{
  return ((OrreryRemote *) worker->remotes->pdata[0])->name;
}

static void
tell (OrreryWorker *worker, const char *name, guint64 which, gconstpointer data, gsize size)
{
  const OrreryTick *tick = worker->workers->tick;
  gsize taken;

  tick->take (tick->take_host, name, which, data, size, &taken);
}

/* Returns: (transfer full) (nullable): an answer that was fed; NULL: none comes next */
static GBytes *
take_fed (OrreryWorker *worker, const char *name, guint64 which)
{
  const OrreryTick *tick = worker->workers->tick;
  gsize size;
  gconstpointer bytes = tick->take (tick->take_host, name, which, NULL, 0, &size);

  return bytes != NULL ? g_bytes_new (bytes, size) : NULL;
}

/* --- calls in an answer --- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/* Numbers of calls depend on how many there were before; how many in progress are older does not,
 * also where a run begins at a state. */
static guint64
number_to_rank (GArray *numbers, guint64 number)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint64, i) == number)
      return i;
  return G_MAXUINT64;
}

static guint64
rank_to_number (GArray *numbers, guint64 rank)
{
  return rank < numbers->len ? g_array_index (numbers, guint64, rank) : 0;
}

/* Returns: (transfer floating) */
static GVariant *
number_anew (OrreryWorker *worker, GVariant *payload, guint64 (*find) (GArray *, guint64))
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GVariant) calls = NULL, state = NULL;
  GVariantBuilder renamed;
  GHashTableIter iter;
  gpointer key;
  const char *words;
  gint32 code;

  g_hash_table_iter_init (&iter, worker->calls);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_vals (numbers, key, 1);
  g_array_sort (numbers, compare_numbers);
  g_variant_get (payload, "(i&s@a(tiismv)@mv)", &code, &words, &calls, &state);
  g_variant_builder_init (&renamed, G_VARIANT_TYPE ("a(tiismv)"));
  for (gsize i = 0; i < g_variant_n_children (calls); i++) {
    g_autoptr (GVariant) result = NULL;
    const char *text;
    guint64 number;
    gint32 fault, error;

    g_variant_get_child (calls, i, "(tii&s@mv)", &number, &fault, &error, &text, &result);
    g_variant_builder_add (&renamed, "(tiis@mv)", find (numbers, number), fault, error, text,
                           result);
  }
  return g_variant_new ("(is@a(tiismv)@mv)", code, words, g_variant_builder_end (&renamed), state);
}

/* --- whole answers --- */

/* An answer in one piece, with the record in it and not in memory that the worker shares.
 * Returns: (transfer full) (nullable): NULL: it is invalid */
static GBytes *
rewrite (OrreryRemote *remote, OrreryReply reply, guint64 (*find) (GArray *, guint64))
{
  g_autoptr (GByteArray) message = g_byte_array_new ();
  OrreryAnswer head = reply.head;
  gsize n_commands = head.n_commands * sizeof (OrreryCommand), n_record = head.n_record;
  gconstpointer commands = orrery_cursor_take (&reply.rest, n_commands);
  gconstpointer record =
      commands != NULL ? orrery_cursor_take (&reply.rest, reply.head.n_record) : NULL;

  if (record == NULL)
    return NULL;
  if (head.flags & ORRERY_ANSWER_LATEST) {
    if (remote->latest == NULL || orrery_receiver_read (remote->latest) == ORRERY_READING_NONE)
      return NULL;
    record = orrery_receiver_get_data (remote->latest, &n_record);
    head.flags |= ORRERY_ANSWER_RECORD;
  }
  head.flags &= KNOWN_FLAGS;
  head.n_record = n_record;
  head.n_inputs = 0;
  orrery_message_add (message, sizeof head);
  orrery_message_add_bytes (message, commands, n_commands);
  orrery_message_add_bytes (message, record, n_record);
  if (head.n_payload > 0) {
    g_autoptr (GVariant) payload =
        orrery_cursor_take_variant (&reply.rest, head.n_payload, ORRERY_ANSWER_TYPE);

    if (payload == NULL)
      return NULL;
    head.n_payload =
        orrery_message_add_variant (message, number_anew (remote->worker, payload, find));
  }
  memcpy (message->data, &head, sizeof head);
  return g_byte_array_free_to_bytes (g_steal_pointer (&message));
}

/* FALSE: it is no answer of the worker. @remote: (nullable): whose it is; NULL: the answer says */
static gboolean
parse (OrreryWorker *worker, OrreryRemote *remote, GBytes *bytes, OrreryReply *reply)
{
  gconstpointer head;

  *reply = (OrreryReply){ .remote = remote };
  reply->rest.bytes = g_bytes_get_data (bytes, &reply->rest.size);
  head = orrery_cursor_take (&reply->rest, sizeof reply->head);
  if (head == NULL)
    return FALSE;
  memcpy (&reply->head, head, sizeof reply->head);
  for (guint i = 0; reply->remote == NULL && i < worker->remotes->len; i++) {
    OrreryRemote *other = worker->remotes->pdata[i];

    if (other->place == reply->head.component)
      reply->remote = other;
  }
  return reply->remote != NULL;
}

/* Returns: (transfer full) (nullable) */
static GBytes *
rewrite_bytes (OrreryWorker *worker, OrreryRemote *remote, GBytes *bytes,
               guint64 (*find) (GArray *, guint64))
{
  OrreryReply reply;

  return parse (worker, remote, bytes, &reply) ? rewrite (reply.remote, reply, find) : NULL;
}

/* --- steps --- */

static gboolean
take_fed_step (OrreryRemote *remote)
{
  OrreryWorker *worker = remote->worker;
  g_autoptr (GBytes) taken = take_fed (worker, remote->name, TAKEN_STEP);
  g_autoptr (GBytes) down = NULL;

  g_clear_pointer (&remote->early, g_bytes_unref);
  if (taken != NULL) {
    remote->early = rewrite_bytes (worker, remote, taken, rank_to_number);
    if (remote->early == NULL)
      orrery_remote_log (remote, G_LOG_LEVEL_WARNING, "%s: a result that was fed is none",
                         remote->name);
    else
      remote->zeroed = FALSE;
    return FALSE;
  }
  down = take_fed (worker, remote->name, TAKEN_DOWN);
  return down != NULL;
}

gboolean
orrery_remote_take_free (OrreryRemote *remote)
{
  OrreryWorker *worker = remote->worker;
  gboolean down = worker->state != ORRERY_WORKER_UP;
  g_autoptr (GBytes) whole = NULL;

  if (G_UNLIKELY (orrery_worker_is_fed (worker)))
    return take_fed_step (remote);
  if (!is_kept (worker))
    return down;
  if (remote->early == NULL) {
    if (down)
      tell (worker, remote->name, TAKEN_DOWN, "", 1);
    return down;
  }
  /* What is applied is what is kept, byte by byte. */
  whole = rewrite_bytes (worker, remote, remote->early, number_to_rank);
  if (whole == NULL)
    return down;
  tell (worker, remote->name, TAKEN_STEP, g_bytes_get_data (whole, NULL), g_bytes_get_size (whole));
  g_clear_pointer (&remote->early, g_bytes_unref);
  remote->early = rewrite_bytes (worker, remote, whole, rank_to_number);
  return down;
}

/* --- all else --- */

void
orrery_worker_keep_answer (OrreryWorker *worker, const OrreryReply *reply)
{
  g_queue_push_tail (&worker->answers, g_bytes_new (reply->rest.bytes, reply->rest.size));
}

static void
apply (OrreryWorker *worker, GBytes *bytes)
{
  g_autoptr (GBytes) whole = rewrite_bytes (worker, NULL, bytes, rank_to_number);
  g_autoptr (GError) error = NULL;
  OrreryReply reply;

  if (whole != NULL && parse (worker, NULL, whole, &reply) &&
      !orrery_remote_apply (reply.remote, &reply, &error))
    orrery_remote_log (reply.remote, G_LOG_LEVEL_WARNING, "%s: %s", reply.remote->name,
                       error->message);
}

/* @why: text, as it was told */
static void
fail_calls (OrreryWorker *worker, GBytes *why)
{
  gsize size;
  const char *text = g_bytes_get_data (why, &size);

  g_free (worker->cause);
  worker->cause = g_utf8_make_valid (text, (gssize) MIN (size, MAX_CAUSE));
  orrery_worker_fail_calls (worker);
}

/* Returns: whether there was any */
static gboolean
apply_fed (OrreryWorker *worker, guint64 which)
{
  g_autoptr (GBytes) taken = take_fed (worker, get_name (worker), which);

  if (taken == NULL)
    return FALSE;
  if (which == TAKEN_FAILED)
    fail_calls (worker, taken);
  else
    apply (worker, taken);
  return TRUE;
}

/* What came too late for one phase is there in the next one. */
static void
apply_all_fed (OrreryWorker *worker, gboolean acts)
{
  while (apply_fed (worker, TAKEN_AT_SENSE) || apply_fed (worker, TAKEN_FAILED) ||
         (acts && apply_fed (worker, TAKEN_AT_ACT)))
    continue;
}

void
orrery_worker_apply_answers (OrreryWorker *worker, gboolean acts)
{
  GBytes *next;

  if (G_UNLIKELY (orrery_worker_is_fed (worker))) {
    apply_all_fed (worker, acts);
    return;
  }
  while ((next = g_queue_pop_head (&worker->answers)) != NULL) {
    g_autoptr (GBytes) answer = next;
    g_autoptr (GBytes) whole = rewrite_bytes (worker, NULL, answer, number_to_rank);

    if (whole == NULL)
      continue;
    if (is_kept (worker))
      tell (worker, get_name (worker), acts ? TAKEN_AT_ACT : TAKEN_AT_SENSE,
            g_bytes_get_data (whole, NULL), g_bytes_get_size (whole));
    apply (worker, whole);
  }
}

void
orrery_worker_note_failed (OrreryWorker *worker)
{
  if (is_kept (worker) && g_hash_table_size (worker->calls) > 0)
    tell (worker, get_name (worker), TAKEN_FAILED, worker->cause, strlen (worker->cause) + 1);
}
