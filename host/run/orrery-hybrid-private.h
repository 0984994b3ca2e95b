/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-hybrid.h"
#include "run/orrery-loop-private.h"
#include "run/orrery-signals-private.h"

G_BEGIN_DECLS

typedef enum {
  ORRERY_HYBRID_NEW,
  ORRERY_HYBRID_RUNNING,
  ORRERY_HYBRID_STOPPING, /* processes are waited for, nothing else is left */
  ORRERY_HYBRID_ENDED,
} OrreryHybridState;

struct _OrreryHybrid {
  GObject parent_instance;

  OrreryClock *clock;
  GCancellable *stop;
  OrreryScheduler *scheduler;
  gboolean local;
  OrreryHybridState state;
  GPtrArray *pipes;  /* (element-type OrreryChannel) */
  GPtrArray *shared; /* (element-type utf8): pipes that ask for memory that a local world has not */
  GPtrArray *loops;  /* (element-type OrreryLoop) */
  char **command;    /* NULL: this program */
  gboolean brings_clock;
  OrreryTime limit;

  GMainContext *context;
  GSource *stop_source;
  GSource *reap;     /* loops of this thread have ended */
  GSource *deadline; /* of processes that were told to stop */
  OrrerySignals *caught;
  GError *error;
};

/* Emits the signal `message`. */
void orrery_hybrid_say (OrreryHybrid *hybrid, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* From whichever place a loop has ended; takes @error, which may be NULL. */
void orrery_hybrid_end_loop (OrreryHybrid *hybrid, OrreryLoop *loop, GError *error);
/* A process was joined: the world may have ended. */
void orrery_hybrid_join (OrreryHybrid *hybrid);
/* Runs in its context, once or not until it is destroyed. */
GSource *orrery_hybrid_attach (OrreryHybrid *hybrid, GSource *source, GSourceFunc func,
                               gpointer data);
void orrery_hybrid_clear_source (GSource **source);

/* Processes: whether what crosses can; a start; a stop; an end by force. */
gboolean orrery_hybrid_check_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error);
gboolean orrery_hybrid_start_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error);
void orrery_hybrid_stop_process (OrreryHybrid *hybrid, OrreryLoop *loop);
void orrery_hybrid_kill_process (OrreryHybrid *hybrid, OrreryLoop *loop);
/* Kills, and waits for the end. */
void orrery_hybrid_drop_process (OrreryLoop *loop);

G_END_DECLS
