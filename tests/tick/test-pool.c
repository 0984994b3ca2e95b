/* SPDX-License-Identifier: BSD-3-Clause */
#include "tick/orrery-pool-private.h"

/* Each item once, on whatever thread, and all before the work ends. */

#define MAX_ITEMS 3000

typedef struct {
  guint times[MAX_ITEMS];
  GThread *threads[MAX_ITEMS];
  guint work;
  guint n_stale;
} Work;

static void
note (gpointer data, guint item)
{
  Work *work = data;

  work->times[item]++;
  work->threads[item] = g_thread_self ();
}

static void
check_work (OrreryPool *pool, guint n)
{
  Work work = { { 0 } };

  orrery_pool_run (pool, note, &work, n, n / 3);
  for (guint i = 0; i < MAX_ITEMS; i++)
    if (work.times[i] != (i < n))
      work.n_stale++;
  g_assert_cmpuint (work.n_stale, ==, 0);
}

static void
test_each_once (gconstpointer data)
{
  OrreryPool *pool = orrery_pool_new (GPOINTER_TO_UINT (data));
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  g_assert_cmpuint (orrery_pool_get_n_threads (pool), ==, GPOINTER_TO_UINT (data));
  for (guint n = 0; n < 200; n++)
    check_work (pool, n);
  for (guint i = 0; i < 300; i++)
    check_work (pool, (guint) g_rand_int_range (rand, 0, MAX_ITEMS + 1));
  orrery_pool_free (pool);
}

/* Small works close upon each other: threads come late to one and find the next. */
typedef struct {
  guint64 number; /* of the work; plain: it changes between works */
  guint64 sum;    /* atomic */
} Sum;

static void
add (gpointer data, guint item)
{
  Sum *sum = data;

  __atomic_add_fetch (&sum->sum, sum->number * (item + 1), __ATOMIC_RELAXED);
}

static void
test_many_works (gconstpointer data)
{
  guint64 n_works = g_test_slow () ? 2000000 : 50000;
  OrreryPool *pool = orrery_pool_new (GPOINTER_TO_UINT (data));
  Sum sum = { 0 };
  guint64 expected = 0;

  for (guint64 i = 1; i <= n_works; i++) {
    guint n = 1 + (guint) (i * 2654435761u >> 7) % 9;

    sum.number = i;
    orrery_pool_run (pool, add, &sum, n, n % 3);
    expected += i * n * (n + 1) / 2;
    if (__atomic_load_n (&sum.sum, __ATOMIC_RELAXED) != expected)
      break;
  }
  g_assert_cmpuint (sum.number, ==, n_works);
  g_assert_cmpuint (sum.sum, ==, expected);
  orrery_pool_free (pool);
}

/* Items that wait for each other: they end only if as many threads have them at once. */
typedef struct {
  guint n_there; /* atomic */
  guint n;
  gboolean met; /* atomic */
} Meeting;

static void
meet (gpointer data, guint item)
{
  Meeting *meeting = data;
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  __atomic_add_fetch (&meeting->n_there, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n (&meeting->n_there, __ATOMIC_SEQ_CST) < meeting->n)
    if (g_get_monotonic_time () > end)
      __atomic_store_n (&meeting->met, FALSE, __ATOMIC_SEQ_CST);
    else
      g_thread_yield ();
}

static void
test_all_at_once (gconstpointer data)
{
  guint n = GPOINTER_TO_UINT (data);
  OrreryPool *pool = orrery_pool_new (n);

  g_test_summary ("all threads have a part; also after they slept");
  for (guint i = 0; i < 20; i++) {
    Meeting meeting = { 0, n, TRUE };

    orrery_pool_run (pool, meet, &meeting, n, 0);
    g_assert_true (meeting.met);
    /* Longer than they look for work. */
    if (i % 5 == 4)
      g_usleep (20000);
  }
  orrery_pool_free (pool);
}

static void
test_free_unused (void)
{
  for (guint i = 0; i < 50; i++)
    orrery_pool_free (orrery_pool_new (1 + i % 5));
}

static void
add_test (const char *name, guint n_threads, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/tick/pool/%s/%u", name, n_threads);

  g_test_add_data_func (path, GUINT_TO_POINTER (n_threads), func);
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 1, 2, 3, 8 };

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    add_test ("each-once", sizes[i], test_each_once);
    add_test ("many-works", sizes[i], test_many_works);
    add_test ("all-at-once", sizes[i], test_all_at_once);
  }
  g_test_add_func ("/tick/pool/free-unused", test_free_unused);
  return g_test_run ();
}
