/* SPDX-License-Identifier: BSD-3-Clause */
/* A pool of threads that shares the items of one piece of work. */
#include "tick/orrery-pool-private.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE_LINE 64
/* How often a thread checks a word that another thread may change before it sleeps: about 10 us. */
#define SPINS 400
/* The most items that are taken at once; each time costs the transfer of a contended cache line. */
#define MAX_TAKEN 8
/* A thread takes this fraction of its share at a time, so that all end at about the same time. */
#define PARTS 8

/* Not the index of an item. */
#define CLOSED G_MAXUINT32

/*
 * The upper half of `place` is the number of the work, the lower half is the next item. A thread
 * takes items by advancing it; that fails if the work has changed meanwhile, so what the thread has
 * read belongs to the work that it takes items of. Between two works `place` is closed.
 */
struct _OrreryPool {
  guint n_threads;
  guint n_spins;
  GThread **threads; /* the threads besides the calling one */

  _Alignas(CACHE_LINE) guint64 place; /* atomic, as all members below */
  OrreryPoolFunc func;
  gpointer data;
  guint n;
  guint n_long;
  guint n_taken_at_once;

  _Alignas(CACHE_LINE) guint n_done;
  gboolean waiting; /* the calling thread sleeps until the last of them is done */

  _Alignas(CACHE_LINE) guint signal; /* changes with each work, and at the end */
  guint n_asleep;
  gboolean ending;
};

static inline void
relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void
sleep_on (guint *word, guint value)
{
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void
wake (guint *word, guint n)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

/* --- work --- */

static void
finish_items (OrreryPool *pool, guint n_items, guint n)
{
  guint n_done = __atomic_add_fetch (&pool->n_done, n_items, __ATOMIC_SEQ_CST);

  if (n_done == n && __atomic_load_n (&pool->waiting, __ATOMIC_SEQ_CST))
    wake (&pool->n_done, 1);
}

/* Takes items until there are none. */
static void
work (OrreryPool *pool)
{
  guint64 place = __atomic_load_n (&pool->place, __ATOMIC_ACQUIRE);

  for (;;) {
    OrreryPoolFunc func = __atomic_load_n (&pool->func, __ATOMIC_ACQUIRE);
    gpointer data = __atomic_load_n (&pool->data, __ATOMIC_ACQUIRE);
    guint n = __atomic_load_n (&pool->n, __ATOMIC_ACQUIRE);
    guint n_long = __atomic_load_n (&pool->n_long, __ATOMIC_ACQUIRE);
    guint n_taken = __atomic_load_n (&pool->n_taken_at_once, __ATOMIC_ACQUIRE);
    guint first = (guint) place;

    if (first >= n)
      return;
    n_taken = first < n_long ? 1 : MIN (n_taken, n - first);
    if (!__atomic_compare_exchange_n (&pool->place, &place, place + n_taken, FALSE,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      continue;
    for (guint i = 0; i < n_taken; i++)
      func (data, first + i);
    finish_items (pool, n_taken, n);
    place = __atomic_load_n (&pool->place, __ATOMIC_ACQUIRE);
  }
}

static void
open_work (OrreryPool *pool, OrreryPoolFunc func, gpointer data, guint n, guint n_long)
{
  guint64 number = (__atomic_load_n (&pool->place, __ATOMIC_RELAXED) >> 32) + 1;
  guint n_taken = n / (pool->n_threads * PARTS);

  __atomic_store_n (&pool->place, number << 32 | CLOSED, __ATOMIC_RELEASE);
  __atomic_store_n (&pool->func, func, __ATOMIC_RELEASE);
  __atomic_store_n (&pool->data, data, __ATOMIC_RELEASE);
  __atomic_store_n (&pool->n, n, __ATOMIC_RELEASE);
  __atomic_store_n (&pool->n_long, n_long, __ATOMIC_RELEASE);
  __atomic_store_n (&pool->n_taken_at_once, CLAMP (n_taken, 1, MAX_TAKEN), __ATOMIC_RELEASE);
  __atomic_store_n (&pool->n_done, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&pool->place, number << 32, __ATOMIC_SEQ_CST);
}

static void
call_others (OrreryPool *pool, guint n)
{
  guint n_asleep;

  __atomic_add_fetch (&pool->signal, 1, __ATOMIC_SEQ_CST);
  n_asleep = __atomic_load_n (&pool->n_asleep, __ATOMIC_SEQ_CST);
  if (n_asleep > 0)
    wake (&pool->signal, MIN (n_asleep, n));
}

static void
wait_for_last (OrreryPool *pool, guint n)
{
  guint n_done = __atomic_load_n (&pool->n_done, __ATOMIC_ACQUIRE);

  for (guint i = 0; n_done < n && i < pool->n_spins; i++) {
    relax ();
    n_done = __atomic_load_n (&pool->n_done, __ATOMIC_ACQUIRE);
  }
  if (n_done == n)
    return;
  __atomic_store_n (&pool->waiting, TRUE, __ATOMIC_SEQ_CST);
  while ((n_done = __atomic_load_n (&pool->n_done, __ATOMIC_SEQ_CST)) < n)
    sleep_on (&pool->n_done, n_done);
  __atomic_store_n (&pool->waiting, FALSE, __ATOMIC_SEQ_CST);
}

void
orrery_pool_run (OrreryPool *pool, OrreryPoolFunc func, gpointer data, guint n, guint n_long)
{
  g_assert (n < CLOSED);
  if (n == 0)
    return;
  open_work (pool, func, data, n, n_long);
  if (n > 1)
    call_others (pool, n - 1);
  work (pool);
  wait_for_last (pool, n);
}

/* --- threads --- */

static void
wait_for_work (OrreryPool *pool, guint seen)
{
  for (guint i = 0; i < pool->n_spins; i++) {
    if (__atomic_load_n (&pool->signal, __ATOMIC_ACQUIRE) != seen)
      return;
    relax ();
  }
  __atomic_add_fetch (&pool->n_asleep, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n (&pool->signal, __ATOMIC_SEQ_CST) == seen)
    sleep_on (&pool->signal, seen);
  __atomic_sub_fetch (&pool->n_asleep, 1, __ATOMIC_SEQ_CST);
}

static gpointer
run_thread (gpointer data)
{
  OrreryPool *pool = data;
  sigset_t all;

  /* Signals are delivered to the threads that received them before. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  for (;;) {
    guint seen = __atomic_load_n (&pool->signal, __ATOMIC_ACQUIRE);

    if (__atomic_load_n (&pool->ending, __ATOMIC_ACQUIRE))
      return NULL;
    work (pool);
    wait_for_work (pool, seen);
  }
}

OrreryPool *
orrery_pool_new (guint n_threads)
{
  OrreryPool *pool = g_aligned_alloc0 (1, sizeof *pool, CACHE_LINE);

  g_assert (n_threads > 0);
  pool->threads = g_new0 (GThread *, n_threads);
  pool->place = CLOSED;
  /* Where threads share a processor, a thread that spins keeps another one from working. */
  pool->n_spins = n_threads <= g_get_num_processors () ? SPINS : 0;
  for (pool->n_threads = 1; pool->n_threads < n_threads; pool->n_threads++) {
    g_autoptr (GError) error = NULL;
    GThread *thread = g_thread_try_new ("orrery-sense", run_thread, pool, &error);

    if (thread == NULL) {
      g_warning ("%u threads instead of %u: %s", pool->n_threads, n_threads, error->message);
      break;
    }
    pool->threads[pool->n_threads - 1] = thread;
  }
  return pool;
}

void
orrery_pool_free (OrreryPool *pool)
{
  __atomic_store_n (&pool->ending, TRUE, __ATOMIC_RELEASE);
  call_others (pool, G_MAXINT);
  for (guint i = 0; i + 1 < pool->n_threads; i++)
    g_thread_join (pool->threads[i]);
  g_free (pool->threads);
  g_aligned_free (pool);
}

guint
orrery_pool_get_n_threads (OrreryPool *pool)
{
  return pool->n_threads;
}
