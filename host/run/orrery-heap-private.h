/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-task.h"

/*
 * Tasks by (wake time, sequence number): a binary heap. Inline, since a step of an idle task costs
 * less than a call or two.
 */

typedef struct {
  OrreryTime wake;
  guint64 sequence;
  OrreryTask *task; /* owned */
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

  return ((Key) a->wake << 64 | a->sequence) < ((Key) b->wake << 64 | b->sequence);
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

static inline void
orrery_heap_push (OrreryHeap *heap, OrreryHeapEntry entry)
{
  guint hole = heap->n;

  if (heap->n == heap->room) {
    heap->room = MAX (16, 2 * heap->room);
    heap->entries = g_renew (OrreryHeapEntry, heap->entries, heap->room);
  }
  heap->n++;
  while (hole > 0 && orrery_heap_is_before (&entry, &heap->entries[(hole - 1) / 2])) {
    heap->entries[hole] = heap->entries[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  heap->entries[hole] = entry;
}

/* Any order becomes that of a heap. */
static inline void
orrery_heap_restore (OrreryHeap *heap)
{
  for (guint i = heap->n / 2; i-- > 0;)
    orrery_heap_sift_down (heap, i, heap->entries[i]);
}
