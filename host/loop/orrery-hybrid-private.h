/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "loop/orrery-hybrid.h"
#include "loop/orrery-loop-private.h"
#include "process/orrery-signals-private.h"

G_BEGIN_DECLS

typedef enum {
  ORRERY_HYBRID_NEW,
  ORRERY_HYBRID_RUNNING,
  ORRERY_HYBRID_STOPPING, /* all loops have ended, and processes are waited for */
  ORRERY_HYBRID_ENDED,
} OrreryHybridState;

struct _OrreryHybrid {
  GObject parent_instance;

  OrreryClock *clock;
  GCancellable *stop;
  OrreryScheduler *scheduler;
  gboolean local;
  OrreryHybridState state;
  GPtrArray *channels; /* (element-type OrreryChannel) */
  GPtrArray *shared;   /* (element-type utf8): channels that need shared memory, if local */
  GPtrArray *loops;    /* (element-type OrreryLoop) */
  char **command;      /* NULL: the running program */
  gboolean brings_clock;
  OrreryTime start_limit; /* 0: none */
  OrreryTime limit;

  GMainContext *context;
  GSource *stop_source;
  GSource *reap;     /* the loops of this thread have ended */
  GSource *deadline; /* of processes that were requested to stop */
  OrrerySignals *caught;
  GError *error;
};

/* Emits the signal `message`. */
void orrery_hybrid_say (OrreryHybrid *hybrid, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Called when a loop has ended, wherever it ran; takes @error, which may be NULL. */
void orrery_hybrid_end_loop (OrreryHybrid *hybrid, OrreryLoop *loop, GError *error);
/* Called when a process was joined: the hybrid may have ended. */
void orrery_hybrid_join (OrreryHybrid *hybrid);
/* Runs a function once in the hybrid's context, unless the source is destroyed before. */
GSource *orrery_hybrid_attach (OrreryHybrid *hybrid, GSource *source, GSourceFunc func,
                               gpointer data);
void orrery_hybrid_clear_source (GSource **source);

/* Processes: checking whether arguments and channels can be passed; start, stop and kill. */
gboolean orrery_hybrid_check_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error);
gboolean orrery_hybrid_start_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error);
void orrery_hybrid_stop_process (OrreryHybrid *hybrid, OrreryLoop *loop);
void orrery_hybrid_kill_process (OrreryHybrid *hybrid, OrreryLoop *loop);
/* Kills the process, and waits for its end. */
void orrery_hybrid_drop_process (OrreryLoop *loop);

G_END_DECLS
