/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-waker-private.h"
#include "loop/orrery-scheduler.h"
#include "roles/orrery-physics.h"
#include "tick/orrery-pacer-private.h"
#include "tick/orrery-pipeline-private.h"
#include "tick/orrery-router-private.h"
#include "tick/orrery-run-private.h"
#include "tick/orrery-script-runner-private.h"
#include "worker/orrery-worker-private.h"

/*
 * Runs the ticks of one simulation: pipelines are added in the resolved order, then the phases run
 * through them. Tick thread only, unless a function says otherwise.
 */
typedef struct _OrreryRunner OrreryRunner;

typedef struct {
  double frequency; /* ticks per second of simulated time */
  guint substeps;
  OrreryTime start; /* simulated time before the first tick */
  OrreryPace pace;
  double time_scale;
  guint max_ticks; /* that best effort catches up in one round */
  guint n_threads; /* for sensors */
  gboolean hashing;
  gboolean on_demand; /* who reads records is known */
  gboolean fed;       /* parts take from outside what is fed, and nothing else */
} OrreryRunnerSettings;

/* The components of one role; a tick runs them in this order. */
typedef enum {
  ORRERY_STAGE_ROBOTS,
  ORRERY_STAGE_SENSORS,
  ORRERY_STAGE_ACTUATORS,
  ORRERY_N_STAGES,
} OrreryStageKind;

/* Why a run of ticks ended. */
typedef enum {
  ORRERY_STRETCH_OVER,   /* its limit or a quit is reached, or there is nothing to wait for */
  ORRERY_STRETCH_ASKED,  /* a request is pending: the run continues after it */
  ORRERY_STRETCH_FAILED, /* the error is set */
} OrreryStretch;

/* @run is borrowed, @scripts (transfer full). */
OrreryRunner *orrery_runner_new (OrreryRun *run, OrreryWorld *world, OrreryScripts *scripts,
                                 const OrreryRunnerSettings *settings);
void orrery_runner_free (OrreryRunner *runner);
/* Continues the run of the previous scene: its number, clock, tasks and file of hashes. */
void orrery_runner_take_over (OrreryRunner *runner, OrreryRunner *old);

/* --- wiring, before the first tick --- */

/* Takes the ownership, as the next three. */
void orrery_runner_set_physics (OrreryRunner *runner, OrreryPhysics *physics);
/* The last one of its role to be called. */
void orrery_runner_add_pipeline (OrreryRunner *runner, OrreryPipeline *pipeline);
void orrery_runner_add_manager (OrreryRunner *runner, OrreryDatastreamManager *manager);
void orrery_runner_add_request_manager (OrreryRunner *runner, OrreryRequestManager *manager);
/* (nullable): no component runs in a worker. */
OrreryWorkers *orrery_runner_get_workers (OrreryRunner *runner);
/* Makes them; once. @components is borrowed. */
OrreryWorkers *orrery_runner_make_workers (OrreryRunner *runner, GPtrArray *components,
                                           const char *program, OrreryLogLevels *levels);
/* Writes the hash of each component in each tick, but into none of the files @kept. */
gboolean orrery_runner_open_hash_file (OrreryRunner *runner, const char *path,
                                       const char *const *kept, GError **error);
/* Starts all managers; one that cannot reach its peer is tried again during the run. */
gboolean orrery_runner_start_managers (OrreryRunner *runner, GError **error);
/* Ends its managers and workers, in bounded time. */
void orrery_runner_close (OrreryRunner *runner);

/* Logs a line that says which phase begins, or (@ends) has ended, in MORSE's words. */
void orrery_runner_log_phase (const char *words, gboolean ends);

/* --- its parts --- */

const OrreryRunnerSettings *orrery_runner_get_settings (OrreryRunner *runner);
OrreryTick *orrery_runner_get_tick (OrreryRunner *runner);
OrreryCalls *orrery_runner_get_calls (OrreryRunner *runner);
OrreryInputs *orrery_runner_get_inputs (OrreryRunner *runner);
/* Has @func told of all faults of parts from now on; NULL: nobody. */
void orrery_runner_watch_faults (OrreryRunner *runner, OrreryRunFaultFunc func, gpointer data);
/* A hash of poses and records as they are, without those that depend on who looks. */
guint64 orrery_runner_get_digest (OrreryRunner *runner);
OrreryScripts *orrery_runner_get_scripts (OrreryRunner *runner);
/* (element-type OrreryPipeline), in calling order. */
GPtrArray *orrery_runner_get_pipelines (OrreryRunner *runner, OrreryStageKind stage);
/* (element-type OrreryRequestManager). */
GPtrArray *orrery_runner_get_request_managers (OrreryRunner *runner);
/* (nullable): a manager or a script. */
OrreryPart *orrery_runner_find_part (OrreryRunner *runner, const char *name);
OrreryWaker *orrery_runner_get_waker (OrreryRunner *runner);
/* The clock that paces. */
OrreryClock *orrery_runner_get_clock (OrreryRunner *runner);
/* NULL: that of the wall. */
void orrery_runner_set_clock (OrreryRunner *runner, OrreryClock *clock);
/* The scheduler of tasks in simulated time, which runs after each tick; borrowed. */
OrreryScheduler *orrery_runner_get_tasks (OrreryRunner *runner);

/* --- time --- */

/* The number of ticks since the start. Any thread. */
guint64 orrery_runner_get_n_ticks (OrreryRunner *runner);
/* Simulated time of the last tick, or of the start. */
OrreryTime orrery_runner_get_time (OrreryRunner *runner);
/* Wakes a waiting run, which then checks its conditions again. Any thread. */
void orrery_runner_wake (OrreryRunner *runner);
void orrery_runner_set_scale (OrreryRunner *runner, double scale);
/* Ticks are paced from now on; time that has passed does not count. */
void orrery_runner_restart_pace (OrreryRunner *runner);
/* Called before the run is driven: ticks are paced from now on, whatever was due before. */
void orrery_runner_begin (OrreryRunner *runner);
/* Runs one tick, including the waiting before it, but does not wait for a start or resume. @ran:
 * whether the tick was run */
OrreryStretch orrery_runner_tick (OrreryRunner *runner, gboolean *ran, GError **error);
/* Runs ticks at the pace of the pacer until the run has had so many, or until the clock reads end
 * (0: no limit). */
OrreryStretch orrery_runner_run (OrreryRunner *runner, guint64 n_total, OrreryTime end,
                                 GError **error);
#define ORRERY_RUNNER_END G_MININT64
#define ORRERY_RUNNER_NOW (G_MININT64 + 1)
#define ORRERY_RUNNER_WOKEN G_MAXINT64
/*
 * Runs what is due by the clock, and never sleeps: an idle turn, or a round of ticks until so many
 * were ever run, the clock reads @end (0: no limit) or a request is pending.
 * Returns: when to call it again: at once, when its waker is woken, at a time of the clock, or
 * never
 */
OrreryTime orrery_runner_advance (OrreryRunner *runner, guint64 n_total, OrreryTime end,
                                  GError **error);
/* Runs what follows the last tick, if that was postponed until pending requests were done: first
 * tasks in simulated time, then the watches of ticks. Between two turns. */
void orrery_runner_end_tick (OrreryRunner *runner);
/* The callback of a turn while the run is stopped or paused. */
void orrery_runner_call_idle (OrreryRunner *runner);
/* The run is stopped or paused from now on: the first idle turn is due at once. */
void orrery_runner_begin_idle (OrreryRunner *runner);
/* No substeps are run until it is taken back. */
void orrery_runner_suspend_physics (OrreryRunner *runner, gboolean suspended);

/* From now on the world of @runner is told what that of @leader is told in its tick of the same
 * number. They have the same objects. */
void orrery_runner_follow (OrreryRunner *runner, OrreryRunner *leader);

/* Called in a tick in which objects were spawned or removed, after physics. FALSE: the run ends */
typedef gboolean (*OrreryPresenceFunc) (gpointer data, GError **error);
/* Whether it follows another run, or is followed. */
gboolean orrery_runner_is_led (OrreryRunner *runner);
/* After pipelines were added between two ticks; those that were there go on as they were. */
void orrery_runner_pack_again (OrreryRunner *runner);
/* Takes back a pipeline that was added and not packed yet, and frees it. */
void orrery_runner_drop_pipeline (OrreryRunner *runner, OrreryPipeline *pipeline);
/* After pipelines were parked, or are so no longer; not while they step. */
void orrery_runner_link_steps (OrreryRunner *runner);
void orrery_runner_watch_presence (OrreryRunner *runner, OrreryPresenceFunc func, gpointer data);

/* Called at the start of each tick, before its components. @elapsed: simulated time since the
 * start, @before: the same for the tick before. FALSE: the run ends */
typedef gboolean (*OrreryDrawFunc) (gpointer data, guint64 tick, OrreryTime elapsed,
                                    OrreryTime before, GError **error);
void orrery_runner_set_draw_func (OrreryRunner *runner, OrreryDrawFunc func, gpointer data);

/* --- calls --- */

/* Answers waiting calls from the current state. */
void orrery_runner_answer (OrreryRunner *runner);
/* Reads the requests that managers have received, without answering. */
void orrery_runner_intake_requests (OrreryRunner *runner);
/* Passes finished answers to the request managers. */
void orrery_runner_flush_requests (OrreryRunner *runner);
/* Ends the calls that wait for their turn or for a time. */
void orrery_runner_end_calls (OrreryRunner *runner);
/* Returns the call when so much simulated time has passed, to the nearest tick, in a later tick. */
void orrery_runner_add_alarm (OrreryRunner *runner, OrreryTime delay, OrreryCall *call);

/* --- scripts --- */

void orrery_runner_call_scripts (OrreryRunner *runner, OrreryCallback callback);
/* orrery_scripts_begin() and orrery_scripts_end() in the present tick. */
void orrery_runner_begin_scripts (OrreryRunner *runner, guint types);
void orrery_runner_end_scripts (OrreryRunner *runner, guint types);

/* --- state --- */

/* Resets the runner; the caller restores the parts. */
void orrery_runner_rewind (OrreryRunner *runner);
/* Restarts the count of ticks from 0, with the next run number. */
void orrery_runner_restart (OrreryRunner *runner);
/* orrery-runner-saved.c: the state of the run, between two ticks; floating. */
#define ORRERY_RUNNER_TYPE "((txtubb)a(uu)asa(ttxbbbbbb)aay)"
GVariant *orrery_runner_save (OrreryRunner *runner);
/* Restores it in a run of the same components. FALSE: it is invalid; parts of it may have been
 * applied. @fresh: (nullable): names of components that begin afresh */
gboolean orrery_runner_restore (OrreryRunner *runner, GVariant *state, const char *const *fresh,
                                GError **error);

/* orrery-runner-watch.c: adds a watch, whose ownership is taken; from the next tick on it is called
 * with each record that is passed on. Any thread, as the next. */
void orrery_runner_add_watch (OrreryRunner *runner, OrreryWatch *watch);
/* Removes a watch: it is not called again, except for a call that is in progress. FALSE: no watch
 * has this number. */
gboolean orrery_runner_end_watch (OrreryRunner *runner, guint id);

/* --- results --- */

guint64 orrery_runner_get_hash (OrreryRunner *runner);
/* FALSE: hashes could not be written to the file. */
gboolean orrery_runner_flush_hash_file (OrreryRunner *runner, GError **error);
/* orrery-runner-report.c: what orrery_simulation_get_report() returns. @wall_ns: time spent in
 * running; @drawn: (nullable), @added: (nullable) and @sources: (transfer floating); @lost: a list
 * of strings, begun with what the observers have lost; it is ended */
GVariant *orrery_runner_get_report (OrreryRunner *runner, gint64 wall_ns, guint64 seed,
                                    GVariant *drawn, GVariant *added, GVariant *sources,
                                    GVariantBuilder *lost);
/* Mean and variance of the time between ticks, as MORSE's clients expect them; floating. */
GVariant *orrery_runner_get_statistics (OrreryRunner *runner);
