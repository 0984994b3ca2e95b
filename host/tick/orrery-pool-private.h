/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * Threads that share the items of one piece of work at a time with the calling thread. Each thread
 * takes the next few items when it is free; this takes no lock and allocates nothing. A thread
 * without work spins for a while, then sleeps.
 */
typedef struct _OrreryPool OrreryPool;

typedef void (*OrreryPoolFunc) (gpointer data, guint item);

/* @n_threads: includes the calling thread. If no more threads can be started, there are fewer. */
OrreryPool *orrery_pool_new (guint n_threads);
/* Waits until all threads have ended. */
void orrery_pool_free (OrreryPool *pool);
/* The number of threads, including the calling one. */
guint orrery_pool_get_n_threads (OrreryPool *pool);
/*
 * Calls func for each item below n, in any order, on any of the threads; returns after the last
 * one. The first n_long items take long, and each of them is taken alone. Always called from the
 * same thread.
 */
void orrery_pool_run (OrreryPool *pool, OrreryPoolFunc func, gpointer data, guint n, guint n_long);
