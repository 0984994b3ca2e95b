/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Hybrid worlds of a test's own, whose background processes are the test itself. */

#include <orrery.h>

typedef struct {
  OrreryHybrid *world;
  GPtrArray *said; /* (element-type utf8): messages, and failures after "failed: " */
} HybridTrial;

/* Whatever the tests let loops do; the first call in main. */
gboolean hybrid_trial_main (int argc, char **argv, int *code);
const OrreryLoopFuncs *hybrid_trial_find (const char *name);

void hybrid_trial_init (HybridTrial *trial, OrreryClock *clock, const char *parallelism);
void hybrid_trial_clear (HybridTrial *trial);
OrreryChannel *hybrid_trial_add_pipe (HybridTrial *trial, const char *name,
                                      OrreryTransport transport);
/* A background loop that does @what, and emits into @pipe (nullable). */
OrreryLoop *hybrid_trial_add (HybridTrial *trial, const char *what, OrreryChannel *pipe,
                              GVariant *arguments);
/* In front: reads @pipe until it had @n different values, or for ever if 0; then stops the world.
   The values are kept in @values, as numbers (element-type gint64). */
OrreryLoop *hybrid_trial_add_watch (HybridTrial *trial, OrreryChannel *pipe, guint n,
                                    GArray *values);
void hybrid_trial_run (HybridTrial *trial);
/* Whether something was said that matches @pattern (with * and ?); how often. */
guint hybrid_trial_count (HybridTrial *trial, const char *pattern);
/* Ids of the processes of which was said that they started, in that order (element-type GPid) */
GArray *hybrid_trial_get_pids (HybridTrial *trial);

/* Processes on this machine that have @mark among their variables, and are no zombies. */
guint hybrid_trial_count_processes (const char *mark);
guint hybrid_trial_count_fds (void);
/* Names in the directory of named shared memory, in order. */
char *hybrid_trial_list_shm (void);
