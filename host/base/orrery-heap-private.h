/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * A binary heap of items, the least (key, sequence) first. Inline: the scheduler pays for it in
 * every step of a task, which costs less than a call or two.
 */

typedef struct {
  gint64 key;
  guint64 sequence;
  gpointer item;
} OrreryHeapEntry;

typedef struct {
  OrreryHeapEntry *entries;
  guint n;
  guint room;
} OrreryHeap;

/* Both numbers as one: a comparison without a branch, since which is less cannot be guessed. */
static inline gboolean
orrery_heap_is_before (const OrreryHeapEntry *a, const OrreryHeapEntry *b)
{
  __extension__ typedef __int128 Key;
  __extension__ typedef unsigned __int128 Bits;

  /* A shift of what is negative is not defined. */
  return (Key) ((Bits) a->key << 64 | a->sequence) < (Key) ((Bits) b->key << 64 | b->sequence);
}

/* Puts @entry where it belongs at or below @hole. */
static inline void
orrery_heap_sift_down (OrreryHeap *heap, guint hole, OrreryHeapEntry entry)
{
  OrreryHeapEntry *entries = heap->entries;
  guint n = heap->n;
  guint child;

  for (; (child = 2 * hole + 1) < n; hole = child) {
    if (child + 1 < n)
      child += (guint) orrery_heap_is_before (&entries[child + 1], &entries[child]);
    if (!orrery_heap_is_before (&entries[child], &entry))
      break;
    entries[hole] = entries[child];
  }
  entries[hole] = entry;
}

static inline void
orrery_heap_replace_first (OrreryHeap *heap, OrreryHeapEntry entry)
{
  orrery_heap_sift_down (heap, 0, entry);
}

static inline void
orrery_heap_drop_first (OrreryHeap *heap)
{
  heap->n--;
  if (heap->n > 0)
    orrery_heap_sift_down (heap, 0, heap->entries[heap->n]);
}

/* Entry @i gives way to one that comes before it. */
static inline void
orrery_heap_lower (OrreryHeap *heap, guint i, OrreryHeapEntry entry)
{
  for (; i > 0 && orrery_heap_is_before (&entry, &heap->entries[(i - 1) / 2]); i = (i - 1) / 2)
    heap->entries[i] = heap->entries[(i - 1) / 2];
  heap->entries[i] = entry;
}

static inline void
orrery_heap_push (OrreryHeap *heap, OrreryHeapEntry entry)
{
  if (heap->n == heap->room) {
    heap->room = MAX (16, 2 * heap->room);
    heap->entries = g_renew (OrreryHeapEntry, heap->entries, heap->room);
  }
  orrery_heap_lower (heap, heap->n++, entry);
}

/*
 * Takes all entries with keys up to @limit, in no order, and gives how many; @taken and @holes have
 * room for heap->n. They are connected at the top of the heap: nothing else is looked at, and one
 * of them costs what orrery_heap_drop_first() costs, all of them one pass.
 */
static inline guint
orrery_heap_take_up_to (OrreryHeap *heap, gint64 limit, OrreryHeapEntry *taken, guint *holes)
{
  guint n_taken = 0;

  if (heap->n > 0 && heap->entries[0].key <= limit)
    holes[n_taken++] = 0;
  for (guint i = 0; i < n_taken; i++) {
    guint child = 2 * holes[i] + 1;

    taken[i] = heap->entries[holes[i]];
    for (guint end = MIN (child + 2, heap->n); child < end; child++)
      if (heap->entries[child].key <= limit)
        holes[n_taken++] = child;
  }
  /* From below, so that what is under a hole is a heap again when it is filled. */
  for (guint i = n_taken; i-- > 0;)
    if (holes[i] < --heap->n)
      orrery_heap_sift_down (heap, holes[i], heap->entries[heap->n]);
  return n_taken;
}

/* Any order becomes that of a heap. */
static inline void
orrery_heap_restore (OrreryHeap *heap)
{
  for (guint i = heap->n / 2; i-- > 0;)
    orrery_heap_sift_down (heap, i, heap->entries[i]);
}
