/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-waker-private.h"
#include "loop/orrery-scheduler.h"
#include "roles/orrery-physics.h"
#include "tick/orrery-pacer-private.h"
#include "tick/orrery-parallel-private.h"
#include "tick/orrery-router-private.h"
#include "tick/orrery-run-private.h"
#include "tick/orrery-script-runner-private.h"
#include "tick/orrery-step-private.h"
#include "worker/orrery-worker-private.h"

#include <stdio.h>

/* The phases of a tick, as they are named in the report. */
typedef enum {
  ORRERY_PHASE_INTAKE,
  ORRERY_PHASE_SERVICES,
  ORRERY_PHASE_SENSE,
  ORRERY_PHASE_SCRIPTS,
  ORRERY_PHASE_ACT,
  ORRERY_PHASE_PHYSICS,
  ORRERY_N_PHASES,
} OrreryPhase;

/* A call that is answered at a given simulated time. */
typedef struct {
  OrreryTime when;
  OrreryCall *call;
} OrreryAlarm;

/* Wall time between ticks, by Welford's recurrence, and ticks per second of wall time. */
typedef struct {
  OrreryTime since; /* simulated time, before the first tick */
  gint64 last;      /* 0: no tick since the run started or resumed */
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
 * Runs the ticks of one simulation: pipelines are added to its lists in the resolved order, then
 * the phases run through these lists. Tick thread only; wake may be called from any thread.
 */
typedef struct {
  OrreryWorld *world;
  OrreryTick *tick;
  OrreryPhysics *physics;
  GPtrArray *robots;         /* (element-type OrreryPipeline) */
  GPtrArray *sensors;        /* (element-type OrreryPipeline), owned as all pipelines */
  GPtrArray *remote_sensors; /* (nullable): the pipelines that run in workers, once packed */
  GPtrArray *remote_actuators;
  GPtrArray *actuators; /* (element-type OrreryPipeline) */
  gboolean packed;      /* before the first tick: */
  OrrerySteps robot_steps;
  OrrerySteps sensor_steps;
  OrrerySteps actuator_steps;
  guint n_threads;             /* for sensors; set before they are packed */
  OrreryParallel *parallel;    /* NULL: sensors run one after the other */
  GPtrArray *writers;          /* (element-type OrreryWriter), shared by all outputs */
  GPtrArray *by_name;          /* (element-type OrreryPipeline), for the hash */
  GPtrArray *inputs;           /* (element-type OrreryStream) */
  GPtrArray *managers;         /* (element-type OrreryDatastreamManager) */
  GPtrArray *request_managers; /* (element-type OrreryRequestManager) */
  GPtrArray *absent;           /* (element-type OrreryDatastreamManager): to be restarted */
  OrreryTime absent_due;       /* time of the next attempt, by the clock */
  OrreryTime absent_pause;
  OrreryCalls *calls;
  OrreryScripts *scripts;
  OrrerySnapshot *seen;   /* for dyn: the snapshot from the beginning of the tick */
  OrreryCommands *later;  /* commands that dyn stages for the next tick */
  OrreryCommands *pushes; /* commands that dyn stages for the next substep */
  guint n_later;          /* number of commands in later that are sorted */
  gboolean warned_pushes;
  OrreryWaker *waker;     /* ends a sleep; managers hold it, too */
  OrreryScheduler *tasks; /* tasks in simulated time; NULL: none were requested */

  double frequency;
  guint64 microhertz;
  guint substeps;
  OrreryTime start;
  guint64 n_ticks; /* since start or reset */
  guint run;
  OrreryPacer pacer;
  OrreryClock *clock; /* the clock that paces: the wall's, that of the loop, or one of a test */

  OrreryWorkers *workers; /* NULL: all components run in this process */

  OrreryRun *of;       /* borrowed */
  OrreryTime idle_due; /* by the clock: when the next idle turn is due */
  guint round;         /* ticks that are due in this round and have not run yet */
  gboolean held;       /* since the last tick; the pacer does not catch up for the time of a wait */
  gboolean untold;     /* the watches of ticks are called after the pending requests */
  gboolean physics_suspended;
  gboolean hot; /* time every step: a component exceeds its budget */
  guint hot_left;
  guint hot_ticks;
  OrreryTime budget;

  gboolean hashing;
  guint64 hash;
  FILE *hash_file;

  GMutex watch_lock;
  GPtrArray *watches;      /* (element-type OrreryWatch), owned; guarded by watch_lock */
  GPtrArray *tick_watches; /* (element-type OrreryWatch): of ticks, without a component */
  int watches_changed;     /* atomic: watches are added or removed with the next tick */

  gint64 phase_ns[ORRERY_N_PHASES];
  gint64 wall_ns; /* spent in run and step */
  guint64 refused_seen;
  GArray *alarms; /* (element-type OrreryAlarm) */
  OrreryWallStatistics wall;
} OrreryRunner;

/* Why a run of ticks ended. */
typedef enum {
  ORRERY_STRETCH_OVER,   /* its limit or a quit is reached, or there is nothing to wait for */
  ORRERY_STRETCH_ASKED,  /* a request is pending: the run continues after it */
  ORRERY_STRETCH_FAILED, /* the error is set */
} OrreryStretch;

/* @run is borrowed. */
OrreryRunner *orrery_runner_new (OrreryRun *run, OrreryWorld *world, double frequency,
                                 guint substeps, OrreryTime start);
void orrery_runner_free (OrreryRunner *runner);
/* The monotonic clock of the machine, for measuring costs. */
OrreryTime orrery_runner_read_clock (gpointer data);
/* Schedules further attempts to start a manager whose `start` could not reach its peer. */
void orrery_runner_add_absent (OrreryRunner *runner, OrreryDatastreamManager *manager);
/* Called once per tick while there are such managers. */
void orrery_runner_retry_absent (OrreryRunner *runner);
/* Time of tick k: start + floor ((k + 1) 10^9 / frequency), from k alone. */
OrreryTime orrery_runner_get_time_of (OrreryRunner *runner, guint64 k);
/* Called before the first tick, when everything is wired. */
void orrery_runner_pack (OrreryRunner *runner);
/* Runs all phases of a tick in their order, without waiting; then computes the hash. */
gboolean orrery_runner_run_phases (OrreryRunner *runner, GError **error);
/* The callback of a turn while the run is stopped or paused. */
void orrery_runner_call_idle (OrreryRunner *runner);
/* The run is stopped or paused from now on: the first idle turn is due at once. */
void orrery_runner_begin_idle (OrreryRunner *runner);
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
/* Sets the scheduler of tasks in simulated time, which runs after each tick; borrowed. */
OrreryScheduler *orrery_runner_get_tasks (OrreryRunner *runner);
/* Wakes a waiting run, which then checks its conditions again. */
void orrery_runner_wake (OrreryRunner *runner);
void orrery_runner_set_scale (OrreryRunner *runner, double scale);
/* Answers waiting calls from the current state. */
void orrery_runner_answer (OrreryRunner *runner);
/* Reads the requests that managers have received, without answering. */
void orrery_runner_intake_requests (OrreryRunner *runner);
/* Passes finished answers to the request managers. */
void orrery_runner_flush_requests (OrreryRunner *runner);
/* Ends the calls that wait for their turn or for a time. */
void orrery_runner_end_calls (OrreryRunner *runner);
/* Resets the runner; the caller restores the parts. */
void orrery_runner_rewind (OrreryRunner *runner);
/* Restarts the count of ticks from 0, with the next run number. */
void orrery_runner_restart (OrreryRunner *runner);
/* orrery-runner-watch.c: adds a watch, whose ownership is taken; from the next tick on it is called
 * with each record that is passed on. Any thread, as the next. */
void orrery_runner_add_watch (OrreryRunner *runner, OrreryWatch *watch);
/* Removes a watch: it is not called again, except for a call that is in progress. FALSE: no watch
 * has this number. */
gboolean orrery_runner_end_watch (OrreryRunner *runner, guint id);
/* Calls the watches of ticks, between two ticks. */
void orrery_runner_tell_watches (OrreryRunner *runner);
/* Applies additions and removals of watches. Tick thread, before any step. */
void orrery_runner_settle_watches (OrreryRunner *runner);
void orrery_runner_free_watches (OrreryRunner *runner);

/* orrery-runner-saved.c: the state of the run, between two ticks; floating. */
GVariant *orrery_runner_save (OrreryRunner *runner);
/* Restores it in a run of the same components. FALSE: it is invalid; parts of it may have been
 * applied. */
gboolean orrery_runner_restore (OrreryRunner *runner, GVariant *state, GError **error);
void orrery_runner_add_alarm (OrreryRunner *runner, OrreryTime when, OrreryCall *call);
/* What a request manager reaches: an OrreryListServicesFunc. */
GVariant *orrery_runner_list_services (gpointer runner, OrreryRequestManager *manager);
/* What is submitted by request managers: an OrrerySubmitFunc. */
void orrery_runner_submit (gpointer runner, OrreryRequestManager *manager, const char *part,
                           OrreryCall *call);
