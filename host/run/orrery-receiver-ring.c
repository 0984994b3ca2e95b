/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-channel-private.h"
#include "run/orrery-words-private.h"

#include <string.h>

/*
 * A receiver of a ring writes nothing that is shared. It copies, and looks at the number of the
 * value before and after: where it is the same, nobody wrote meanwhile.
 */

/* Up to this size copies have the room of their class. */
#define SMALL 4096

/* An emitter that overtakes for ever must not keep anybody here. */
#define MAX_TRIES 64

/* Of both copies; the present value moves along. */
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

/* Judges sizes, finds the piece, and sees to it that there is room for a copy. */
static const guint64 *__attribute__ ((noinline))
find_piece (OrreryReceiver *receiver, guint64 sizes, gsize *found)
{
  gsize size, n_parameters, extent, high;

  if (!orrery_slot_split (sizes, &size, &n_parameters))
    return NULL;
  extent = orrery_memory_get_extent (size, n_parameters);
  /* The room of the small is that of their class, so that it is made once. */
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

/* The value to come; FALSE if it is no longer, or not yet, there. */
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
  /* One with parameters is never quick. */
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

/* Whether there is a value to come, as far as the emitter says. */
static inline gboolean
look_ahead (OrreryReceiver *receiver)
{
  guint depth = receiver->n_slots - 1;

  if (receiver->next >= receiver->head)
    receiver->head = __atomic_load_n (&receiver->header->head, __ATOMIC_ACQUIRE);
  if (G_UNLIKELY (receiver->next > receiver->head)) {
    /* Numbers never fall, unless they are rubbish. */
    receiver->next = receiver->head;
    receiver->slot = (guint) (receiver->next % receiver->n_slots);
  }
  if (receiver->head - receiver->next > depth)
    skip_to (receiver, receiver->head - depth);
  return receiver->next < receiver->head;
}

/*
 * The value to come was overtaken: on to one that is left. The oldest is the next to go, so each
 * try leaves the emitter a longer way to it, up to the newest.
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
