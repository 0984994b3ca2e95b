/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"
#include "roles/orrery-log-levels-private.h"
#include "roles/orrery-script.h"
#include "run/orrery-emitter.h"
#include "run/orrery-receiver.h"
#include "run/orrery-worker-message-private.h"

G_BEGIN_DECLS

/* The worker's side: what its host asks for, done on a replica of the world. */

/* Given ORRERY_START_TYPE; returns: (transfer full): ORRERY_READY_TYPE */
typedef GVariant *(*OrreryStartFunc) (gpointer user_data, GVariant *start);

/* Makes a script and sets it up. Returns: (transfer full): ORRERY_MADE_TYPE */
typedef GVariant *(*OrreryMakeScriptFunc) (gpointer user_data, guint index, const char *name,
                                           GVariant *options);

/* What a script sees, as it came with a request. */
typedef struct {
  OrreryComponent *component;
  guint place;
  gboolean active;
  gconstpointer bytes; /* of its record; until the next request */
  gsize size;
} OrreryWorkerSight;

/* A request as it is worked on. */
typedef struct {
  OrreryRequest head;
  OrreryCursor rest;
} OrreryWork;

typedef struct {
  OrreryWorld *world;
  OrreryTick *tick;
  GPtrArray *components; /* (element-type OrreryComponent), by place */
  GPtrArray *scripts;    /* (element-type OrreryScript), owned; NULL: it is not made */
  GHashTable *latest;    /* (element-type OrreryComponent OrreryEmitter) */
  OrreryReceiver *from;  /* of the host */
  OrreryEmitter *to;
  OrreryLogLevels *log_levels; /* borrowed */
  gboolean free_running;
  OrreryStartFunc start;
  OrreryMakeScriptFunc make_script;
  gpointer start_data;

  GArray *sights;    /* (element-type OrreryWorkerSight): of the present request */
  GByteArray *sight; /* one of them as it is now */
  GByteArray *message;
  GHashTable *calls;   /* (element-type guint64 OrreryCall): under way */
  GPtrArray *finished; /* (element-type OrreryCall): not told yet */
} OrreryWorkerLoop;

void orrery_worker_loop_init (OrreryWorkerLoop *loop);
void orrery_worker_loop_clear (OrreryWorkerLoop *loop);
/* Until the host asks for the end. FALSE: host and worker do not understand each other */
gboolean orrery_worker_loop_run (OrreryWorkerLoop *loop, GError **error);

/* --- among the files of the loop --- */

gboolean orrery_worker_loop_fail (GError **error);
/* Takes all entries. Returns: the last, whom it is about; NULL: they make no sense */
const OrreryEntry *orrery_worker_loop_take_entries (OrreryWorkerLoop *loop, OrreryWork *work);
GVariant *orrery_worker_loop_take_payload (OrreryWork *work, const char *type);
/* Takes the error and the state. */
gboolean orrery_worker_loop_answer (OrreryWorkerLoop *loop, const OrreryWork *work, guint place,
                                    guint32 flags, gboolean gives_record, GError *failed,
                                    GVariant *state, GError **error);
/* NULL: it is not made, or there is none */
OrreryScript *orrery_worker_loop_get_script (OrreryWorkerLoop *loop, guint place);
GVariant *orrery_worker_loop_save (OrreryPart *part);
/* What was changed of what the script sees; returns: how many. */
guint64 orrery_worker_loop_add_sights (OrreryWorkerLoop *loop);
gboolean orrery_worker_loop_make (OrreryWorkerLoop *loop, OrreryWork *work, GError **error);
gboolean orrery_worker_loop_drop (OrreryWorkerLoop *loop, OrreryWork *work, GError **error);
gboolean orrery_worker_loop_call_back (OrreryWorkerLoop *loop, OrreryWork *work, GError **error);

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
