/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * orrery_worker_main: (skip)
 * @argc: number of arguments
 * @argv: `worker`, and the number of the process that is its host
 *
 * What a worker is from its start to its end: it builds a replica of the world that its host sends
 * it, and does the steps and services of its components there. For the program that is started as
 * one; it takes descriptors 3 and 4, the log and what ends a process for itself.
 *
 * Returns: exit code
 */
ORRERY_API int orrery_worker_main (int argc, char **argv);

/**
 * OrreryWorkerWatch: (skip)
 * @place: name of a place in the life of a worker
 *
 * Told of each place that a worker passes: begin, built, setup, set-up, ready; then, over and over,
 * request, step, stepped, writing, answering, answered, call, called; end.
 */
typedef void (*OrreryWorkerWatch) (const char *place);

/**
 * orrery_worker_watch: (skip)
 * @watch: (nullable): told from then on
 *
 * For tests, which have workers die where they want.
 */
ORRERY_API void orrery_worker_watch (OrreryWorkerWatch watch);

G_END_DECLS
