/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the due entries of the scheduler's heap as one sorted list. */
#include "loop/orrery-due-list-private.h"

#include <string.h>

/* Lists of up to so many entries are sorted by insertion. */
#define FEW 32
/* Bits of a digit; the array of counters is then no longer than the list that is sorted. */
#define SHORT_DIGIT 8
#define LONG_DIGIT 11
#define MAX_PASSES 6

static void
make_room (OrreryDueList *list, guint n)
{
  if (n <= list->room)
    return;
  list->room = MAX (n, 2 * list->room);
  list->entries = g_renew (OrreryHeapEntry, list->entries, list->room);
  list->spare = g_renew (OrreryHeapEntry, list->spare, list->room);
  list->holes = g_renew (guint, list->holes, list->room);
}

static void
sort_by_insertion (OrreryHeapEntry *entries, guint n)
{
  for (guint i = 1; i < n; i++) {
    OrreryHeapEntry entry = entries[i];
    guint hole = i;

    for (; hole > 0 && orrery_heap_is_before (&entry, &entries[hole - 1]); hole--)
      entries[hole] = entries[hole - 1];
    entries[hole] = entry;
  }
}

/* Merges two neighbouring runs, [0, middle) and [middle, n), into @to; stable. */
static void
merge (const OrreryHeapEntry *from, gsize middle, gsize n, OrreryHeapEntry *to)
{
  gsize left = 0;
  gsize right = middle;

  for (gsize i = 0; i < n; i++) {
    gboolean is_right =
        left == middle || (right < n && orrery_heap_is_before (&from[right], &from[left]));

    to[i] = is_right ? from[right++] : from[left++];
  }
}

/* For numbers of too many digits. Other than g_qsort_with_data(), which GLib 2.82 deprecates, it
 * allocates nothing. */
static void
sort_by_merging (OrreryDueList *list)
{
  const gsize n = list->n;

  for (gsize i = 0; i < n; i += FEW)
    sort_by_insertion (&list->entries[i], (guint) MIN (FEW, n - i));
  for (gsize width = FEW; width < n; width *= 2) {
    OrreryHeapEntry *sorted = list->spare;

    for (gsize i = 0; i < n; i += 2 * width)
      merge (&list->entries[i], MIN (width, n - i), MIN (2 * width, n - i), &sorted[i]);
    list->spare = list->entries;
    list->entries = sorted;
  }
}

/* Key and sequence as one small number, each counted from its minimum. */
typedef struct {
  gint64 key;
  guint64 sequence;
  guint sequence_bits;
  guint bits;
} Code;

static Code
find_code (const OrreryHeapEntry *entries, guint n)
{
  gint64 last_key = entries[0].key;
  guint64 last_sequence = entries[0].sequence;
  Code code = { .key = last_key, .sequence = last_sequence };

  for (guint i = 1; i < n; i++) {
    code.key = MIN (code.key, entries[i].key);
    last_key = MAX (last_key, entries[i].key);
    code.sequence = MIN (code.sequence, entries[i].sequence);
    last_sequence = MAX (last_sequence, entries[i].sequence);
  }
  code.sequence_bits = g_bit_storage (last_sequence - code.sequence);
  code.bits = code.sequence_bits + g_bit_storage ((guint64) last_key - (guint64) code.key);
  return code;
}

static inline guint64
encode (const Code *code, const OrreryHeapEntry *entry)
{
  return ((guint64) entry->key - (guint64) code->key) << code->sequence_bits |
         (entry->sequence - code->sequence);
}

/* Sorts by one digit; stable. */
static inline void
sort_by_digit (OrreryDueList *list, const Code *code, guint shift, guint digit_bits)
{
  const guint mask = (1u << digit_bits) - 1;
  OrreryHeapEntry *sorted = list->spare;
  guint starts[1 << LONG_DIGIT];
  guint sum = 0;

  memset (starts, 0, sizeof *starts << digit_bits);
  for (guint i = 0; i < list->n; i++)
    starts[encode (code, &list->entries[i]) >> shift & mask]++;
  for (guint i = 0; i <= mask; i++) {
    guint count = starts[i];

    starts[i] = sum;
    sum += count;
  }
  for (guint i = 0; i < list->n; i++) {
    const OrreryHeapEntry *entry = &list->entries[i];

    sorted[starts[encode (code, entry) >> shift & mask]++] = *entry;
  }
  list->spare = list->entries;
  list->entries = sorted;
}

static void
sort (OrreryDueList *list)
{
  Code code;
  guint digit_bits;

  if (list->n <= FEW) {
    sort_by_insertion (list->entries, list->n);
    return;
  }
  code = find_code (list->entries, list->n);
  digit_bits = list->n < 1 << LONG_DIGIT ? SHORT_DIGIT : LONG_DIGIT;
  if (code.bits > MAX_PASSES * digit_bits || code.bits > 64) {
    sort_by_merging (list);
    return;
  }
  /* Entries that are due within one second differ in three to five digits. */
  for (guint shift = 0; shift < code.bits; shift += digit_bits)
    sort_by_digit (list, &code, shift, digit_bits);
}

void
orrery_due_list_take (OrreryDueList *list, OrreryHeap *heap, gint64 limit)
{
  g_assert (list->next == list->n);
  make_room (list, heap->n);
  list->next = 0;
  list->n = orrery_heap_take_up_to (heap, limit, list->entries, list->holes);
  sort (list);
}

void
orrery_due_list_give_back (OrreryDueList *list, OrreryHeap *heap)
{
  while (list->next < list->n)
    orrery_heap_push (heap, list->entries[list->next++]);
}

void
orrery_due_list_clear (OrreryDueList *list)
{
  g_clear_pointer (&list->entries, g_free);
  g_clear_pointer (&list->spare, g_free);
  g_clear_pointer (&list->holes, g_free);
}
