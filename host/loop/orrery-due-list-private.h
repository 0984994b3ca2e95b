/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-heap-private.h"

/*
 * The due entries of a heap, taken all at once and sorted: if many are due, this costs less per
 * entry than to pop each from the heap.
 */
typedef struct {
  OrreryHeapEntry *entries;
  OrreryHeapEntry *spare; /* of the same length, for sorting */
  guint *holes;           /* of the same length, for taking */
  guint room;
  guint next; /* of n: the entries before it were consumed */
  guint n;
} OrreryDueList;

/* Fills an empty list with all entries of @heap with keys up to @limit, in their order. */
void orrery_due_list_take (OrreryDueList *list, OrreryHeap *heap, gint64 limit);
/* Puts the entries that were not consumed back. */
void orrery_due_list_give_back (OrreryDueList *list, OrreryHeap *heap);
void orrery_due_list_clear (OrreryDueList *list);
