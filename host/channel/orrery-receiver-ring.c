/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the values of a ring in their order. */
#include "channel/orrery-channel-private.h"
#include "channel/orrery-words-private.h"

#include <string.h>

/*
 * A receiver of a ring writes nothing that is shared. It copies, and looks at the number of the
 * value before and after: if it is the same, nothing was written meanwhile.
 */

/* Copies up to this size get the room of their size class. */
#define SMALL 4096

/* Limits the retries, so that an emitter that keeps overtaking cannot trap a receiver. */
#define MAX_TRIES 64

/* Grows both copies; the present value is moved. */
static gboolean
make_room (OrreryReceiver *receiver, gsize size)
{
  gpointer data, spare;

  if (size <= receiver->room)
    return TRUE;
  if (posix_memalign (&data, ORRERY_MEMORY_LINE, size) != 0)
    return FALSE;
  if (posix_memalign (&spare, ORRERY_MEMORY_LINE, size) != 0) {
    free (data);
    return FALSE;
  }
  if (receiver->room > 0)
    memcpy (data, receiver->copy, receiver->room);
  free (receiver->copy);
  free (receiver->spare);
  receiver->copy = data;
  receiver->spare = spare;
  receiver->room = size;
  if (receiver->any)
    receiver->data = data;
  return TRUE;
}

static inline void
swap_copies (OrreryReceiver *receiver)
{
  gpointer copy = receiver->spare;

  receiver->spare = receiver->copy;
  receiver->copy = copy;
  receiver->data = copy;
}

/* Checks the sizes, finds the piece, and makes room for a copy. */
static const guint64 *__attribute__ ((noinline))
find_piece (OrreryReceiver *receiver, guint64 sizes, gsize *found)
{
  gsize size, n_parameters, extent, high;

  if (!orrery_slot_split (sizes, &size, &n_parameters))
    return NULL;
  extent = orrery_memory_get_extent (size, n_parameters);
  /* Small values get the room of their size class, so that it is allocated once. */
  high = (gsize) ORRERY_MEMORY_LINE << orrery_memory_get_class (extent);
  if (high > SMALL)
    high = (extent + ORRERY_MEMORY_LINE - 1) & ~(gsize) (ORRERY_MEMORY_LINE - 1);
  if (!orrery_memory_is_backed (receiver->memory, extent) ||
      orrery_memory_get_piece (receiver->memory, 0, extent) == NULL || !make_room (receiver, high))
    return NULL;
  *found = extent;
  receiver->quick = orrery_quick_new (receiver->memory, extent, high);
  return orrery_memory_get_piece (receiver->memory, receiver->slot, extent);
}

/* Reads the next value; FALSE if it is not there yet, or was overwritten. */
static inline gboolean __attribute__ ((always_inline)) take_value (OrreryReceiver *receiver)
{
  guint index = receiver->slot;
  guint64 sequence = 2 * receiver->next + 2;
  OrrerySlot *slot = &receiver->header->slots[index];
  const guint64 *piece;
  guint64 sizes;
  OrreryTime time;
  gsize extent;

  if (__atomic_load_n (&slot->sequence, __ATOMIC_ACQUIRE) != sequence)
    return FALSE;
  time = __atomic_load_n (&slot->time, __ATOMIC_ACQUIRE);
  sizes = __atomic_load_n (&slot->sizes, __ATOMIC_ACQUIRE);
  /* Values with parameters are never cached. */
  extent = sizes;
  piece = orrery_quick_get_piece (&receiver->quick, index, sizes);
  if (G_UNLIKELY (piece == NULL)) {
    piece = find_piece (receiver, sizes, &extent);
    if (piece == NULL)
      return FALSE;
  }
  orrery_words_get (receiver->spare, piece, extent);
  if (__atomic_load_n (&slot->sequence, __ATOMIC_RELAXED) != sequence)
    return FALSE;
  swap_copies (receiver);
  receiver->size = sizes & G_MAXUINT32;
  receiver->n_parameters = sizes >> 32;
  receiver->time = time;
  return TRUE;
}

static void
skip_to (OrreryReceiver *receiver, guint64 next)
{
  receiver->n_dropped += next - receiver->next;
  receiver->next = next;
  receiver->slot = (guint) (next % receiver->n_slots);
}

/* Whether the emitter has announced another value. */
static inline gboolean
look_ahead (OrreryReceiver *receiver)
{
  guint depth = receiver->n_slots - 1;

  if (receiver->next >= receiver->head)
    receiver->head = __atomic_load_n (&receiver->header->head, __ATOMIC_ACQUIRE);
  if (G_UNLIKELY (receiver->next > receiver->head)) {
    /* Numbers never decrease, unless the contents are corrupt. */
    receiver->next = receiver->head;
    receiver->slot = (guint) (receiver->next % receiver->n_slots);
  }
  if (receiver->head - receiver->next > depth)
    skip_to (receiver, receiver->head - depth);
  return receiver->next < receiver->head;
}

/*
 * The next value was overwritten: skip to one that is left. The oldest is overwritten first, so
 * each retry leaves a larger distance to the emitter, up to the newest value.
 */
static void
fall_back (OrreryReceiver *receiver, guint tries)
{
  guint64 depth = receiver->n_slots - 1;
  guint64 left = MAX (1, depth - (depth >> MAX (1, 4 - MIN (tries, 3))));

  receiver->head = __atomic_load_n (&receiver->header->head, __ATOMIC_ACQUIRE);
  if (tries > 3)
    left = 1;
  skip_to (receiver,
           receiver->head > receiver->next + left ? receiver->head - left : receiver->next + 1);
}

static gboolean __attribute__ ((noinline)) try_again (OrreryReceiver *receiver)
{
  for (guint tries = 0; tries < MAX_TRIES; tries++) {
    fall_back (receiver, tries);
    if (!look_ahead (receiver))
      return FALSE;
    if (take_value (receiver))
      return TRUE;
  }
  return FALSE;
}

gboolean
orrery_receiver_read_ring (OrreryReceiver *receiver)
{
  if (!look_ahead (receiver))
    return FALSE;
  if (G_UNLIKELY (!take_value (receiver)) && !try_again (receiver))
    return FALSE;
  receiver->next++;
  receiver->slot = receiver->slot + 1 < receiver->n_slots ? receiver->slot + 1 : 0;
  return TRUE;
}
