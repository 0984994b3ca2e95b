/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop/orrery-due-list-private.h"

#include <glib.h>

/* What is due is taken from a heap in its order, however much it is and however far apart. */

typedef struct {
  OrreryHeap heap;
  OrreryDueList list;
  GRand *random;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  f->random = g_rand_new_with_seed (7);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  g_rand_free (f->random);
  orrery_due_list_clear (&f->list);
  g_free (f->heap.entries);
}

/* Keys below @range; 0: of 64 bits, both signs. Sequences from @first on, not in their order. */
static void
fill (Fixture *f, guint n, guint64 range, guint64 first)
{
  guint64 step = 1;

  /* Multiples of an odd number do not repeat within 32 bits. */
  for (guint i = 0; i < n; i++, step += 2654435761u) {
    guint64 number = (guint64) g_rand_int (f->random) << 32 | g_rand_int (f->random);
    gint64 key = (gint64) (range > 0 ? number % range : number);

    orrery_heap_push (&f->heap, (OrreryHeapEntry){ key, first + (guint32) step, NULL });
  }
}

static guint
count_due (Fixture *f, gint64 limit)
{
  guint n = 0;

  for (guint i = 0; i < f->heap.n; i++)
    n += f->heap.entries[i].key <= limit;
  return n;
}

static void
assert_sorted (const OrreryHeapEntry *entries, guint n)
{
  for (guint i = 1; i < n; i++)
    g_assert_true (orrery_heap_is_before (&entries[i - 1], &entries[i]));
}

static void
assert_is_heap (const OrreryHeap *heap)
{
  for (guint i = 1; i < heap->n; i++)
    g_assert_true (orrery_heap_is_before (&heap->entries[(i - 1) / 2], &heap->entries[i]));
}

/* Takes what is up to @limit, and checks all that there is. */
static void
take (Fixture *f, gint64 limit)
{
  guint n_due = count_due (f, limit);
  guint n = f->heap.n;

  orrery_due_list_take (&f->list, &f->heap, limit);
  g_assert_cmpuint (f->list.n, ==, n_due);
  g_assert_cmpuint (f->heap.n, ==, n - n_due);
  assert_sorted (f->list.entries, n_due);
  assert_is_heap (&f->heap);
  g_assert_cmpuint (count_due (f, limit), ==, 0);
  if (n_due > 0)
    g_assert_cmpint (f->list.entries[n_due - 1].key, <=, limit);
}

static void
test_order (Fixture *f, gconstpointer data)
{
  const guint64 ranges[] = { 1, 2, 1000, 1000000000, G_MAXINT64, 0 };
  const guint numbers[] = { 0, 1, 2, 7, 32, 33, 500, 5000 };

  g_test_summary ("by key, then by sequence: some, many, or all, near each other or far apart");
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++) {
      gint64 middle = (gint64) (ranges[i] / 2);

      fill (f, numbers[k], ranges[i], i % 2 == 0 ? 0 : G_GUINT64_CONSTANT (1) << 40);
      take (f, middle / 8);
      f->list.next = f->list.n;
      take (f, middle);
      f->list.next = f->list.n;
      take (f, G_MAXINT64);
      f->list.next = f->list.n;
      g_assert_cmpuint (f->heap.n, ==, 0);
    }
}

static void
test_give_back (Fixture *f, gconstpointer data)
{
  g_test_summary ("what was not consumed is in the heap again, and is taken again");
  fill (f, 1000, 100, 0);
  take (f, 50);
  f->list.next = 10;
  orrery_due_list_give_back (&f->list, &f->heap);
  g_assert_cmpuint (f->heap.n, ==, 990);
  assert_is_heap (&f->heap);
  take (f, 100);
  g_assert_cmpuint (f->list.n, ==, 990);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/loop/due-list/order", Fixture, NULL, setup, test_order, teardown);
  g_test_add ("/loop/due-list/give-back", Fixture, NULL, setup, test_give_back, teardown);
  return g_test_run ();
}
