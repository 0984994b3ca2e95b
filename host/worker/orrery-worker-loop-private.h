/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "channel/orrery-emitter.h"
#include "channel/orrery-receiver.h"
#include "part/orrery-log-levels-private.h"
#include "roles/orrery-component.h"
#include "roles/orrery-script.h"
#include "worker/orrery-worker-message-private.h"

G_BEGIN_DECLS

/* The worker's side: carries out the requests of its host on a replica of the world. */

/* Given ORRERY_START_TYPE; returns: (transfer full): ORRERY_READY_TYPE */
typedef GVariant *(*OrreryStartFunc) (gpointer user_data, GVariant *start);

/* Creates a script and sets it up. Returns: (transfer full): ORRERY_MADE_TYPE */
typedef GVariant *(*OrreryMakeScriptFunc) (gpointer user_data, guint index, const char *name,
                                           GVariant *options);

/* A component that a script reads, as it was sent with a request. */
typedef struct {
  OrreryComponent *component;
  guint place;
  gboolean active;
  gconstpointer bytes; /* of its record; valid until the next request */
  gsize size;
} OrreryWorkerInput;

/* A request that is being carried out. */
typedef struct {
  OrreryRequest head;
  OrreryCursor rest;
} OrreryWork;

typedef struct {
  OrreryWorld *world;
  OrreryTick *tick;
  GPtrArray *components; /* (element-type OrreryComponent), by index */
  GPtrArray *scripts;    /* (element-type OrreryScript), owned; NULL: it is not created */
  GHashTable *latest;    /* (element-type OrreryComponent OrreryEmitter) */
  OrreryReceiver *from;  /* the calls of the host */
  OrreryEmitter *to;
  OrreryLogLevels *log_levels; /* borrowed */
  gboolean free_running;
  OrreryStartFunc start;
  OrreryMakeScriptFunc make_script;
  gpointer start_data;

  GArray *inputs;    /* (element-type OrreryWorkerInput): inputs of the current request */
  GByteArray *input; /* the current record of one of them */
  GByteArray *message;
  GHashTable *fed;     /* (element-type utf8 GQueue(GBytes)): inputs of parts in this tick */
  guint64 fed_number;  /* that of the tick */
  GPtrArray *given;    /* (element-type GBytes): those that parts have got */
  GArray *taken;       /* inputs that parts have taken, for the next answer */
  gsize n_taken;       /* bytes of these */
  GHashTable *calls;   /* (element-type guint64 OrreryCall): calls in progress */
  GPtrArray *finished; /* (element-type OrreryCall): answered, but not yet sent to the host */
} OrreryWorkerLoop;

void orrery_worker_loop_init (OrreryWorkerLoop *loop);
void orrery_worker_loop_clear (OrreryWorkerLoop *loop);
/* Runs until the host requests the end. FALSE: a message is malformed */
gboolean orrery_worker_loop_run (OrreryWorkerLoop *loop, GError **error);

/* --- shared between the files of the loop --- */

gboolean orrery_worker_loop_fail (GError **error);
/* Reads all entries. Returns: the last one, which the request is for; NULL: they are malformed */
const OrreryEntry *orrery_worker_loop_take_entries (OrreryWorkerLoop *loop, OrreryWork *work);
GVariant *orrery_worker_loop_take_payload (OrreryWork *work, const char *type);
/* Takes the error and the state. */
gboolean orrery_worker_loop_answer (OrreryWorkerLoop *loop, const OrreryWork *work, guint place,
                                    guint32 flags, gboolean gives_record, GError *failed,
                                    GVariant *state, GError **error);
/* NULL: it is not created, or does not exist */
OrreryScript *orrery_worker_loop_get_script (OrreryWorkerLoop *loop, guint place);
/* Adds the records that the script reads and has changed. Returns: their number */
guint64 orrery_worker_loop_add_inputs (OrreryWorkerLoop *loop);
gboolean orrery_worker_loop_make (OrreryWorkerLoop *loop, OrreryWork *work, GError **error);
gboolean orrery_worker_loop_drop (OrreryWorkerLoop *loop, OrreryWork *work, GError **error);
gboolean orrery_worker_loop_call_back (OrreryWorkerLoop *loop, OrreryWork *work, GError **error);

/* --- orrery-worker-taken.c: what parts take from outside --- */

void orrery_worker_loop_init_taken (OrreryWorkerLoop *loop);
void orrery_worker_loop_clear_taken (OrreryWorkerLoop *loop);
/* Has parts take what the request says. FALSE: it is malformed */
gboolean orrery_worker_loop_take_fed (OrreryWorkerLoop *loop, OrreryWork *work);
/* Adds what was taken to the answer. Returns: flags */
guint32 orrery_worker_loop_add_taken (OrreryWorkerLoop *loop);

/*
 * Points in the life of a worker at which tests kill it; NULL: none. The names are in the order in
 * which the points are passed.
 */
extern void (*orrery_worker_point) (const char *name);

static inline void
orrery_worker_pass (const char *name)
{
  if (G_UNLIKELY (orrery_worker_point != NULL))
    orrery_worker_point (name);
}

G_END_DECLS
