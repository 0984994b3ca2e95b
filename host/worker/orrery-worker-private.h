/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "channel/orrery-channel.h"
#include "part/orrery-log-levels-private.h"
#include "part/orrery-log.h"
#include "roles/orrery-callback-private.h"
#include "roles/orrery-component.h"
#include "roles/orrery-observer-private.h"

G_BEGIN_DECLS

/*
 * The host's side of workers, which are processes in which components run. Such a component has its
 * name, class, record, modifiers and streams in the host, and its setup, steps and services in the
 * worker. Tick thread only.
 */

/* What happens to a component while its worker is down. */
typedef enum {
  ORRERY_POLICY_HOLD, /* keeps its last value, and its last commands are repeated */
  ORRERY_POLICY_ZERO, /* resets its record, and stops what it moved */
  ORRERY_POLICY_STOP, /* the run ends with an error */
} OrreryPolicy;

typedef struct {
  gboolean free_running; /* else the tick waits for its answers */
  OrreryTransport transport;
  OrreryPolicy policy;
  OrreryTime timeout;       /* for an answer, in wall time */
  OrreryTime start_timeout; /* for all setups together */
  OrreryTime back_off;      /* before the first restart; doubled with each further one */
  guint64 memory;           /* bytes; 0: no limit */
  guint max_restarts;       /* number in a row */
} OrreryWorkerSettings;

typedef struct _OrreryWorker OrreryWorker;
typedef struct _OrreryWorkers OrreryWorkers;

/* One component or script that runs in a worker. */
typedef struct _OrreryRemote OrreryRemote;

/* @components: borrowed; @stopping: atomic; @save_period: in ticks; @levels: referenced */
OrreryWorkers *orrery_workers_new (OrreryWorld *world, GPtrArray *components, OrreryTick *tick,
                                   const int *stopping, const char *program, guint save_period,
                                   OrreryLogLevels *levels);
void orrery_workers_free (OrreryWorkers *workers);
/* NULL: no worker has that name */
OrreryWorker *orrery_workers_find (OrreryWorkers *workers, const char *name);
OrreryWorker *orrery_workers_add (OrreryWorkers *workers, const char *name,
                                  const OrreryWorkerSettings *settings);
/* Returns: (transfer none) (element-type OrreryWorker): all of them */
GPtrArray *orrery_workers_list (OrreryWorkers *workers);
/* Has the failures of workers told from now on; borrowed. */
void orrery_workers_watch_faults (OrreryWorkers *workers, OrreryRunFaults *faults);
/* Failures are errors of the scene until this is called. */
void orrery_workers_end_loading (OrreryWorkers *workers);
/* FALSE: a worker that the run needs has failed. */
gboolean orrery_workers_check (OrreryWorkers *workers, GError **error);
/* The world has changed: every worker gets the snapshot with its next request. */
void orrery_workers_renew_snapshot (OrreryWorkers *workers);
/* Returns: (transfer floating): `aa{sv}`, for the report of a run */
GVariant *orrery_workers_report (OrreryWorkers *workers);
const char *orrery_worker_get_name (OrreryWorker *worker);
const OrreryWorkerSettings *orrery_worker_get_settings (OrreryWorker *worker);
/* The program that it runs in place of that of all workers; the first call counts. */
void orrery_worker_set_command (OrreryWorker *worker, const char *const *command);
/* Adds what its processes must know of it to the description of the world. */
void orrery_worker_describe (OrreryWorker *worker, GVariantDict *dict);
OrreryRemote *orrery_worker_add (OrreryWorker *worker, OrreryComponent *component, guint place);
/* Adds a script, which is created later; @n_components: of the scene; @index: among its scripts */
OrreryRemote *orrery_worker_add_script (OrreryWorker *worker, const char *name, guint n_components,
                                        guint index);
/* @blueprint: the description that its processes receive; copied */
gboolean orrery_worker_set_blueprint (OrreryWorker *worker, gconstpointer blueprint, gsize size,
                                      GError **error);
/* Starts it; orrery_worker_await() then waits until it is up, or fails with the error. */
gboolean orrery_worker_start (OrreryWorker *worker, GError **error);
gboolean orrery_worker_await (OrreryWorker *worker, GError **error);
/* Ends all, in bounded time. */
void orrery_workers_close (OrreryWorkers *workers);

/* Called once per tick: passes on output and logs, and restarts workers that are down. */
void orrery_workers_tend (OrreryWorkers *workers);
/*
 * Called at the start of a phase: all of its components that are due begin at once. Applies the
 * answers of workers that run free, adds the steps of those that can_post, and sends the requests.
 * @acts: the phase is act, else sense
 */
void orrery_workers_take_answers (OrreryWorkers *workers, gboolean acts);
gboolean orrery_remote_can_post (OrreryRemote *remote);
void orrery_remote_add_step (OrreryRemote *remote);
void orrery_workers_send_steps (OrreryWorkers *workers);
/* An OrreryStepFunc: applies the answer of a step at its turn. */
void orrery_remote_step (gpointer remote, OrreryTick *tick, OrreryRecord *record, GError **error);
/* An actuator stands still from its next step on, until it is commanded again. */
void orrery_remote_halt (OrreryRemote *remote, gboolean halts);
/* Requests the current state. @state: (nullable) (transfer full). FALSE: the worker is down or
 * busy */
gboolean orrery_remote_save (OrreryRemote *remote, GVariant **state, GError **error);
/* Resets the component to @state (NULL: it has none) and to its record in the host. */
gboolean orrery_remote_restore (OrreryRemote *remote, GVariant *state, GError **error);
/* Its record was restored: while it is stale, it has the time of that. */
void orrery_remote_keep_time (OrreryRemote *remote);
/* NULL: the component runs in the host */
OrreryRemote *orrery_remote_find (OrreryPart *part);
/* NULL: it is a script */
OrreryComponent *orrery_remote_get_component (OrreryRemote *remote);
/* Its index in the scene; scripts follow all components. */
guint orrery_remote_get_place (OrreryRemote *remote);
/* Whether it runs free: the tick does not wait for its answers. */
gboolean orrery_remote_is_free (OrreryRemote *remote);
/* Whether modifiers in the host change its record after a step. */
void orrery_remote_set_modified (OrreryRemote *remote, gboolean modified);
/* Another component whose record it reads, with its index in the scene. */
void orrery_remote_add_source (OrreryRemote *remote, OrreryComponent *component, guint place);
/* (nullable): the answer to the first start of its worker, until orrery_workers_end_adoption () */
GVariant *orrery_remote_get_first_answer (OrreryRemote *remote);
void orrery_workers_end_adoption (OrreryWorkers *workers);
/* @state: (nullable) (transfer full): its state after its setup; NULL: it has none */
void orrery_remote_take_state (OrreryRemote *remote, GVariant *state);
GVariant *orrery_remote_get_state (OrreryRemote *remote);

/* --- scripts: orrery-worker-script.c --- */

/* NULL: the script of that name runs in the host */
OrreryRemote *orrery_workers_find_script (OrreryWorkers *workers, const char *name);
/* Makes @script the host's object for a script that is created and set up in the worker, now or
 * when that is up again. */
gboolean orrery_remote_make_script (OrreryRemote *remote, OrreryScript *script, GError **error);
void orrery_remote_drop_script (OrreryRemote *remote);
/* (nullable): `as`, the names of the services of a script, from its last creation */
GVariant *orrery_remote_get_published (OrreryRemote *remote);
/* The function that a pass calls in place of the class's own; NULL: the class has none. */
GCallback orrery_remote_get_callback (OrreryScript *script, OrreryCallback callback);

G_END_DECLS
