/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * Threads that share the items of one piece of work after the other with the thread that has it.
 * Whoever is free takes the next few; no lock is held, nothing is allocated. One who finds no work
 * looks for some for a while, then sleeps.
 */
typedef struct _OrreryPool OrreryPool;

typedef void (*OrreryPoolFunc) (gpointer data, guint item);

/* @n_threads: the calling one among them. Where no more can be started, it is fewer. */
OrreryPool *orrery_pool_new (guint n_threads);
/* Waits until all have ended. */
void orrery_pool_free (OrreryPool *pool);
/* How many there are, the calling one among them. */
guint orrery_pool_get_n_threads (OrreryPool *pool);
/* Calls func for each item below n, in any order, on any of the threads; returns after the last.
 * The first n_long of them take long: each is taken alone. Comes from the same thread each time. */
void orrery_pool_run (OrreryPool *pool, OrreryPoolFunc func, gpointer data, guint n, guint n_long);
