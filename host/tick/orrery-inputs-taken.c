/* SPDX-License-Identifier: BSD-3-Clause */
/* What parts take from outside by themselves: tells of it, and gives it to them where it is fed. */
#include "tick/orrery-inputs-private.h"

#include "part/orrery-part.h"
#include "world/orrery-world-private.h"

/* What is fed for one tick: more is no run that was recorded. */
#define MAX_OFFERED ((gsize) 256 * 1024 * 1024)
#define COST 256 /* bytes that one costs beside its own */

typedef struct {
  char *part;
  guint64 which;
  GBytes *bytes; /* NULL: they were too long */
} Taken;

static void
taken_free (gpointer data)
{
  Taken *taken = data;

  g_free (taken->part);
  g_clear_pointer (&taken->bytes, g_bytes_unref);
  g_free (taken);
}

static Taken *
taken_new (const char *part, guint64 which)
{
  Taken *taken = g_new0 (Taken, 1);

  taken->part = g_strdup (part);
  taken->which = which;
  return taken;
}

static void
free_queue (gpointer queue)
{
  g_queue_free_full (queue, taken_free);
}

void
orrery_inputs_init_taken (OrreryInputs *inputs)
{
  g_mutex_init (&inputs->lock);
  inputs->taken = g_ptr_array_new_with_free_func (taken_free);
  inputs->offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_queue);
}

void
orrery_inputs_clear_taken (OrreryInputs *inputs)
{
  g_ptr_array_unref (inputs->taken);
  g_hash_table_unref (inputs->offered);
  g_mutex_clear (&inputs->lock);
}

void
orrery_inputs_forget_taken (OrreryInputs *inputs)
{
  g_ptr_array_set_size (inputs->taken, 0);
  g_hash_table_remove_all (inputs->offered);
  inputs->n_offered = 0;
}

/* --- within the tick --- */

/* The next one that was fed for a part, if it is of this kind. What was given to it stays until
 * the end of the tick. */
static Taken *
find_offered (OrreryInputs *inputs, const char *part, guint64 which)
{
  GQueue *queue = g_hash_table_lookup (inputs->offered, part);
  Taken *next = queue != NULL ? g_queue_peek_head (queue) : NULL;

  if (next == NULL || next->which != which)
    return NULL;
  g_ptr_array_add (inputs->taken, g_queue_pop_head (queue));
  return next;
}

static Taken *
keep (OrreryInputs *inputs, const char *part, guint64 which, gconstpointer data, gsize size)
{
  Taken *taken = taken_new (part, which);

  if (size <= ORRERY_INPUT_MAX_SIZE)
    taken->bytes = g_bytes_new (data, size);
  g_ptr_array_add (inputs->taken, taken);
  return taken;
}

/* An OrreryTickTakeFunc. */
static gconstpointer
take (gpointer host, const char *part, guint64 which, gconstpointer data, gsize size, gsize *taken)
{
  OrreryInputs *inputs = host;
  const Taken *offered = NULL;

  g_mutex_lock (&inputs->lock);
  if (inputs->tick->is_fed)
    offered = find_offered (inputs, part, which);
  else if (size > 0)
    keep (inputs, part, which, data, size);
  g_mutex_unlock (&inputs->lock);
  if (inputs->tick->is_fed) {
    *taken = 0;
    return offered != NULL ? g_bytes_get_data (offered->bytes, taken) : NULL;
  }
  *taken = size;
  return size > 0 ? data : NULL;
}

/* --- around it --- */

void
orrery_inputs_settle_taken (OrreryInputs *inputs)
{
  OrreryTick *tick = inputs->tick;

  if (tick == NULL)
    return;
  tick->take = inputs->func != NULL || tick->is_fed ? take : NULL;
  tick->take_host = inputs;
}

void
orrery_inputs_set_tick (OrreryInputs *inputs, OrreryTick *tick, gboolean fed)
{
  if (inputs->tick != NULL)
    inputs->tick->take = NULL;
  g_clear_pointer (&inputs->tick, orrery_tick_unref);
  if (tick == NULL)
    return;
  inputs->tick = orrery_tick_ref (tick);
  tick->is_fed = fed;
  orrery_inputs_settle_taken (inputs);
}

gboolean
orrery_inputs_offer (OrreryInputs *inputs, const OrreryRunInput *input, GError **error)
{
  gsize size = input->value != NULL ? g_variant_get_size (input->value) : 0;
  GQueue *queue = g_hash_table_lookup (inputs->offered, input->part);
  Taken *taken;

  if (size == 0 || size > ORRERY_INPUT_MAX_SIZE ||
      !g_variant_is_of_type (input->value, G_VARIANT_TYPE_BYTESTRING))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "what %.200s took has to be of 1 to %d bytes", input->part,
                             ORRERY_INPUT_MAX_SIZE);
  if (size + COST > MAX_OFFERED - inputs->n_offered)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "what parts took in one tick is more than %" G_GSIZE_FORMAT " bytes",
                             MAX_OFFERED);
  inputs->n_offered += size + COST;
  if (queue == NULL) {
    queue = g_queue_new ();
    g_hash_table_insert (inputs->offered, g_strdup (input->part), queue);
  }
  taken = taken_new (input->part, input->number);
  taken->bytes = g_bytes_new (g_variant_get_data (input->value), size);
  g_queue_push_tail (queue, taken);
  return TRUE;
}

static void
tell_taken (OrreryInputs *inputs, const Taken *taken)
{
  g_autoptr (GVariant) value = NULL;
  OrreryRunInput input = { .kind = ORRERY_RUN_INPUT_TAKEN,
                           .part = taken->part,
                           .number = taken->which };

  if (taken->bytes != NULL)
    value = g_variant_ref_sink (
        g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, taken->bytes, TRUE));
  input.value = value;
  orrery_inputs_tell (inputs, &input);
}

void
orrery_inputs_end_tick (OrreryInputs *inputs)
{
  for (guint i = 0; inputs->func != NULL && i < inputs->taken->len; i++)
    tell_taken (inputs, inputs->taken->pdata[i]);
  orrery_inputs_forget_taken (inputs);
}
