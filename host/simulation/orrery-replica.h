/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * orrery_worker_main: (skip)
 * @argc: number of arguments
 * @argv: `worker`, and the number of the process that is its host
 *
 * The main function of a worker process: it builds a replica of the world that its host sends, and
 * runs the steps and services of its components there. It takes over file descriptors 3 and 4, the
 * log, and the signals that end a process.
 *
 * Returns: exit code
 */
ORRERY_API int orrery_worker_main (int argc, char **argv);

/**
 * OrreryWorkerWatch: (skip)
 * @place: name of a point in the life of a worker
 *
 * Called at each point that a worker passes: begin, built, setup, set-up, ready; then, over and
 * over, request, step, stepped, writing, answering, answered, call, called; end.
 */
typedef void (*OrreryWorkerWatch) (const char *place);

/**
 * orrery_worker_watch: (skip)
 * @watch: (nullable): called from now on
 *
 * For tests, which kill workers at chosen points.
 */
ORRERY_API void orrery_worker_watch (OrreryWorkerWatch watch);

G_END_DECLS
