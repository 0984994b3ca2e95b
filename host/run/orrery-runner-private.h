/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-physics.h"
#include "run/orrery-pacer-private.h"
#include "run/orrery-parallel-private.h"
#include "run/orrery-router-private.h"
#include "run/orrery-script-runner-private.h"
#include "run/orrery-state.h"
#include "run/orrery-step-private.h"
#include "run/orrery-worker-private.h"

#include <stdio.h>

/* The phases of a tick, as the report names them. */
typedef enum {
  ORRERY_PHASE_INTAKE,
  ORRERY_PHASE_SERVICES,
  ORRERY_PHASE_SENSE,
  ORRERY_PHASE_SCRIPTS,
  ORRERY_PHASE_ACT,
  ORRERY_PHASE_PHYSICS,
  ORRERY_N_PHASES,
} OrreryPhase;

/* A call that is answered when simulation time has come. */
typedef struct {
  OrreryTime when;
  OrreryCall *call;
} OrreryAlarm;

/* Wall time between ticks, by Welford's recurrence, and ticks per second of wall time. */
typedef struct {
  OrreryTime since; /* simulated, before the first tick */
  gint64 last;      /* 0: none since the run began or went on */
  guint64 n;
  double mean;
  double m2;
  gint64 window_start;
  guint window_ticks;
  guint64 n_windows;
  double window_mean;
  double window_m2;
} OrreryWallStatistics;

/*
 * Runs the ticks of one simulation: what is wired is put into its lists in the resolved order, and
 * then it turns. Tick thread only; stop and wake from any.
 */
typedef struct {
  OrreryWorld *world;
  OrreryTick *tick;
  OrreryPhysics *physics;
  GPtrArray *robots;    /* (element-type OrreryPipeline) */
  GPtrArray *sensors;   /* (element-type OrreryPipeline), owned as all pipelines */
  GPtrArray *actuators; /* (element-type OrreryPipeline) */
  gboolean packed;      /* before the first tick: */
  OrrerySteps robot_steps;
  OrrerySteps sensor_steps;
  OrrerySteps actuator_steps;
  guint n_threads;             /* for sensors; before they are packed */
  OrreryParallel *parallel;    /* NULL: sensors run one after the other */
  GPtrArray *writers;          /* (element-type OrreryWriter), shared by all outputs */
  GPtrArray *by_name;          /* (element-type OrreryPipeline), for the hash */
  GPtrArray *inputs;           /* (element-type OrreryStream) */
  GPtrArray *managers;         /* (element-type OrreryDatastreamManager) */
  GPtrArray *request_managers; /* (element-type OrreryRequestManager) */
  GPtrArray *absent;           /* (element-type OrreryDatastreamManager): to be started anew */
  OrreryTime absent_due;       /* by the clock */
  OrreryTime absent_pause;
  OrreryCalls *calls;
  OrreryScripts *scripts;
  OrrerySnapshot *seen;   /* by dyn: what stood when the tick began */
  OrreryCommands *later;  /* what dyn stages, for the next tick */
  OrreryCommands *pushes; /* what dyn stages, for the next substep */
  guint n_later;          /* of later, what was sorted */
  gboolean warned_pushes;
  GMainContext *context;
  GSource *timer;
  int timer_fd;

  double frequency;
  guint64 microhertz;
  guint substeps;
  OrreryTime start;
  guint64 n_ticks; /* since start or reset */
  guint run;
  OrreryPacer pacer;
  OrreryTime (*clock) (gpointer data); /* monotonic nanoseconds; of the test's own in tests */
  gpointer clock_data;

  OrreryWorkers *workers; /* NULL: everything runs here */

  int stopping; /* atomic */
  OrreryState state;
  guint64 steps_left;  /* ticks that run although it is paused */
  guint64 n_total;     /* ticks ever run */
  OrreryTime idle_due; /* by the clock: the next idle turn */
  gboolean in_turn;    /* callbacks and services run: nothing changes under them */
  gboolean stepping;   /* whoever runs ticks waits for no start or resume */
  gboolean leaving;    /* whoever runs ticks gives way: this runner is to be replaced */
  /* Between two turns, if pending: what was asked for meanwhile. */
  gboolean pending;
  void (*settle) (gpointer host);
  gpointer settle_host;
  gboolean physics_suspended;
  gboolean hot; /* time every step: somebody is over his budget */
  guint hot_left;
  guint hot_ticks;
  OrreryTime budget;

  gboolean hashing;
  guint64 hash;
  FILE *hash_file;

  GMutex watch_lock;
  GPtrArray *watches;      /* (element-type OrreryWatch), owned; guarded by watch_lock */
  GPtrArray *tick_watches; /* (element-type OrreryWatch): of no component, but of each tick */
  int watches_changed;     /* atomic: some begin or end with the next tick */

  gint64 phase_ns[ORRERY_N_PHASES];
  gint64 wall_ns; /* inside run and step */
  guint64 refused_seen;
  GArray *alarms; /* (element-type OrreryAlarm) */
  OrreryWallStatistics wall;
} OrreryRunner;

OrreryRunner *orrery_runner_new (OrreryWorld *world, double frequency, guint substeps,
                                 OrreryTime start);
void orrery_runner_free (OrreryRunner *runner);
/* The monotonic clock of the machine: an OrreryRunner's clock, if a test has none of its own. */
OrreryTime orrery_runner_read_clock (gpointer data);
/* Has a manager whose `start` found nobody tried again while ticks run. */
void orrery_runner_add_absent (OrreryRunner *runner, OrreryDatastreamManager *manager);
/* Once per tick, while there are such. */
void orrery_runner_retry_absent (OrreryRunner *runner);
/* Time of tick k: start + floor ((k + 1) 10^9 / frequency), from k alone. */
OrreryTime orrery_runner_get_time_of (OrreryRunner *runner, guint64 k);
/* Before the first tick, when everything is wired. */
void orrery_runner_pack (OrreryRunner *runner);
/* All phases of a tick behind its gates, in their order; then the hash. */
gboolean orrery_runner_run_phases (OrreryRunner *runner, GError **error);
/* One turn of a simulation that is stopped or paused: calls, then its callback. */
void orrery_runner_turn (OrreryRunner *runner);
/* Stopped or paused from now on: the first idle turn comes at once. */
void orrery_runner_begin_idle (OrreryRunner *runner, OrreryState state);
/* One tick, gates included. FALSE: stopped at a gate, or an error. */
gboolean orrery_runner_tick (OrreryRunner *runner, GError **error);
/* Ticks at the pacer's pace: n (0: no limit), until the clock reads end (0: no limit). */
gboolean orrery_runner_run (OrreryRunner *runner, guint64 n, OrreryTime end, GError **error);
void orrery_runner_stop (OrreryRunner *runner);
gboolean orrery_runner_is_stopping (OrreryRunner *runner);
void orrery_runner_set_scale (OrreryRunner *runner, double scale);
/* Calls that wait are answered on the state that stands. */
void orrery_runner_answer (OrreryRunner *runner);
/* Takes in what request managers have, without answering. */
void orrery_runner_intake_requests (OrreryRunner *runner);
/* Gives request managers the answers that are there. */
void orrery_runner_flush_requests (OrreryRunner *runner);
/* Ends the calls that wait for their turn or for a time. */
void orrery_runner_end_calls (OrreryRunner *runner);
/* Everything at its start again; parts are restored by the caller. */
void orrery_runner_rewind (OrreryRunner *runner);
/* Ticks are counted from 0 again, with the next run number. */
void orrery_runner_restart (OrreryRunner *runner);
/* orrery-runner-watch.c: from the next tick on, the watch, which is taken, is told of each record
 * that is passed on. Any thread, as the next. */
void orrery_runner_add_watch (OrreryRunner *runner, OrreryWatch *watch);
/* It is not called again, but where that is under way. FALSE: there is none of this number. */
gboolean orrery_runner_end_watch (OrreryRunner *runner, guint id);
/* Between two ticks. */
void orrery_runner_tell_watches (OrreryRunner *runner);
/* Tick thread, before anybody steps. */
void orrery_runner_settle_watches (OrreryRunner *runner);
void orrery_runner_free_watches (OrreryRunner *runner);

/* orrery-runner-saved.c: where the run stands, between two ticks; floating. */
GVariant *orrery_runner_save (OrreryRunner *runner);
/* The same back, in a run of the same components. FALSE: it makes no sense; some may be in place.
 */
gboolean orrery_runner_restore (OrreryRunner *runner, GVariant *state, GError **error);
void orrery_runner_add_alarm (OrreryRunner *runner, OrreryTime when, OrreryCall *call);
/* What a request manager reaches: an OrreryListServicesFunc. */
GVariant *orrery_runner_list_services (gpointer runner, OrreryRequestManager *manager);
/* What is submitted by request managers: an OrrerySubmitFunc. */
void orrery_runner_submit (gpointer runner, OrreryRequestManager *manager, const char *part,
                           OrreryCall *call);
