/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"
#include "run/orrery-emitter.h"
#include "run/orrery-receiver.h"
#include "run/orrery-worker-message-private.h"

G_BEGIN_DECLS

/* The worker's side: what its host asks for, done on a replica of the world. */

/* Given ORRERY_START_TYPE; returns: (transfer full): ORRERY_READY_TYPE */
typedef GVariant *(*OrreryStartFunc) (gpointer user_data, GVariant *start);

typedef struct {
  OrreryWorld *world;
  OrreryTick *tick;
  GPtrArray *components; /* (element-type OrreryComponent), by place */
  GHashTable *latest;    /* (element-type OrreryComponent OrreryEmitter) */
  OrreryReceiver *from;  /* of the host */
  OrreryEmitter *to;
  gboolean free_running;
  OrreryStartFunc start;
  gpointer start_data;

  GByteArray *message;
  GHashTable *calls;   /* (element-type guint64 OrreryCall): under way */
  GPtrArray *finished; /* (element-type OrreryCall): not told yet */
} OrreryWorkerLoop;

void orrery_worker_loop_init (OrreryWorkerLoop *loop);
void orrery_worker_loop_clear (OrreryWorkerLoop *loop);
/* Until the host asks for the end. FALSE: host and worker do not understand each other */
gboolean orrery_worker_loop_run (OrreryWorkerLoop *loop, GError **error);

/*
 * Places in the life of a worker at which tests kill it; NULL: nobody does. The names are in the
 * order in which they are passed.
 */
extern void (*orrery_worker_point) (const char *name);

static inline void
orrery_worker_pass (const char *name)
{
  if (G_UNLIKELY (orrery_worker_point != NULL))
    orrery_worker_point (name);
}

G_END_DECLS
