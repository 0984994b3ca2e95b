/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tick/orrery-lead-private.h"
#include "tick/orrery-parallel-private.h"
#include "tick/orrery-run-internal.h"
#include "tick/orrery-runner-private.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

/* The members of a runner, for the files of this folder. */

/* The phases of a tick, as they are named in the report. */
typedef enum {
  ORRERY_PHASE_INTAKE,
  ORRERY_PHASE_SENSE,
  ORRERY_PHASE_SCRIPTS,
  ORRERY_PHASE_ACT,
  ORRERY_PHASE_SERVICES,
  ORRERY_PHASE_PHYSICS,
  ORRERY_N_PHASES,
} OrreryPhase;

typedef struct {
  GPtrArray *pipelines; /* (element-type OrreryPipeline), owned, in calling order */
  GPtrArray *remote;    /* (element-type OrreryPipeline) (nullable): those that run in workers */
  OrrerySteps steps;    /* from the first tick on */
} OrreryStage;

typedef struct {
  GPtrArray *all;      /* (element-type OrreryDatastreamManager): those that have started */
  GPtrArray *requests; /* (element-type OrreryRequestManager) */
  GPtrArray *inputs;   /* (element-type OrreryStream), from the first tick on */
  GPtrArray *ticking;  /* (element-type OrreryDatastreamManager): of all, those that have `tick` */
  GPtrArray *ticking_requests; /* (element-type OrreryRequestManager): those that have it */
  GPtrArray *absent;           /* (element-type OrreryDatastreamManager): to be restarted */
  OrreryTime due;              /* time of the next attempt, by the clock */
  OrreryTime pause;
} OrreryManagers;

/* What scripts do around substeps. */
typedef struct {
  OrrerySnapshot *seen;   /* the snapshot from the beginning of the tick */
  OrreryCommands *later;  /* staged for the next tick */
  OrreryCommands *pushes; /* staged for the next substep */
  guint n_later;          /* number of commands in later that are sorted */
  gboolean warned;
} OrreryDyn;

typedef struct {
  gboolean on; /* time every step: a component exceeds its budget */
  guint left;
  guint ticks;
} OrreryHot;

typedef struct {
  guint64 value;
  FILE *file; /* (nullable) */
  char *path;
} OrreryRunHash;

typedef struct {
  GMutex lock;
  GPtrArray *all;   /* (element-type OrreryWatch), owned; guarded by lock */
  GPtrArray *ticks; /* (element-type OrreryWatch): of ticks, without a component */
  int changed;      /* atomic: watches are added or removed with the next tick */
} OrreryWatches;

/* What the thread was like when it ran its first tick. */
typedef struct {
  gboolean known;
  pthread_t id;
  sigset_t mask;
  gboolean suspected; /* it was changed: each component is checked */
  gboolean warned;
} OrreryRunnerThread;

/* A call that is answered when a simulated time has passed. */
typedef struct {
  OrreryTime since;
  OrreryTime delay;
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

struct _OrreryRunner {
  OrreryRun *of; /* borrowed */
  OrreryWorld *world;
  OrreryTick *tick;
  OrreryPhysics *physics;
  OrreryWorkers *workers; /* NULL: all components run in this process */
  OrreryCalls *calls;
  OrreryInputs *inputs;
  OrreryRunFaults faults;
  OrreryScripts *scripts;
  OrreryRunnerSettings settings;
  guint64 microhertz;
  OrreryTime budget; /* from tick to tick, rounded down */

  OrreryStage stages[ORRERY_N_STAGES];
  gboolean packed;          /* from the first tick on */
  GPtrArray *late;          /* (element-type OrreryStep): sensors whose records may come later */
  OrreryParallel *parallel; /* NULL: sensors run one after the other */
  GPtrArray *writers;       /* (element-type OrreryWriter), shared by all outputs */
  GPtrArray *by_name;       /* (element-type OrreryPipeline), for the hash */
  GPtrArray *demands;       /* of orrery-runner-demand.c, from the first tick on */
  OrreryManagers managers;
  GArray *alarms; /* (element-type OrreryAlarm) */
  OrreryDyn dyn;
  OrreryLead *leads;    /* (nullable): another run follows this one */
  OrreryLead *follows;  /* (nullable): this run follows another one */
  gboolean has_scripts; /* in this tick */
  gboolean physics_suspended;
  guint64 refused_seen;
  OrreryPresenceFunc presence; /* NULL: nothing can be spawned */
  gpointer presence_data;
  OrreryDrawFunc draw; /* NULL: nothing is drawn at ticks */
  gpointer draw_data;

  guint64 n_ticks; /* since start or reset; atomic */
  guint run;
  OrreryPacer pacer;
  OrreryClock *clock;     /* the clock that paces: the wall's, that of the loop, or one of a test */
  OrreryWaker *waker;     /* ends a sleep; managers hold it, too */
  OrreryScheduler *tasks; /* tasks in simulated time; NULL: none were requested */
  OrreryTime idle_due;    /* by the clock: when the next idle turn is due */
  guint round;            /* ticks that are due in this round and have not run yet */
  gboolean held;   /* since the last tick; the pacer does not catch up for the time of a wait */
  gboolean untold; /* the watches of ticks are called after the pending requests */

  OrreryHot hot;
  OrreryRunnerThread thread;
  OrreryRunHash hash;
  OrreryWatches watches;
  gint64 phase_ns[ORRERY_N_PHASES];
  OrreryWallStatistics wall;
};

/* Called before the first tick, when everything is wired. */
void orrery_runner_pack (OrreryRunner *runner);
/* Runs all phases of a tick in their order, without waiting; then computes the hash. */
gboolean orrery_runner_run_phases (OrreryRunner *runner, GError **error);
/* Tells the streams the epoch of the run. */
void orrery_runner_tell_epoch (OrreryRunner *runner);
/* Time of tick k: start + floor ((k + 1) 10^9 / frequency), from k alone. */
OrreryTime orrery_runner_get_time_of (OrreryRunner *runner, guint64 k);
/* Where a component of this name is among those sorted by name, or is to be inserted. */
guint orrery_runner_find_place (OrreryRunner *runner, const char *name);

/* orrery-runner-managers.c */
void orrery_managers_init (OrreryManagers *managers);
/* Other code may keep a request manager: it no longer uses the runner. */
void orrery_managers_detach (OrreryManagers *managers);
void orrery_managers_clear (OrreryManagers *managers);
/* Tells the managers that ask for it what time it is. */
void orrery_runner_tick_managers (OrreryRunner *runner);
/* Tries to start those that are absent, if that is due. */
void orrery_runner_retry_absent (OrreryRunner *runner);
/* Whether a request has arrived. */
gboolean orrery_runner_was_woken (OrreryRunner *runner);

/* orrery-runner-demand.c */
void orrery_runner_find_demands (OrreryRunner *runner);
/* In a run that has had ticks: no step so far has answered anybody. */
void orrery_runner_begin_demands (OrreryRunner *runner);
/* Before the steps of a tick: which records are wanted. */
void orrery_runner_settle_demands (OrreryRunner *runner);
/* Answers those who asked for a record that was not wanted: of components that have stepped, or
 * @all. */
void orrery_runner_answer_demands (OrreryRunner *runner, gboolean all);
/* Whether nobody read, in its last step, what some sensor on demand would have had. */
gboolean orrery_runner_lacks_records (OrreryRunner *runner);

/* orrery-runner-hash.c: folds the records and poses of this tick into the hash. */
void orrery_runner_fold_hash (OrreryRunner *runner);
void orrery_run_hash_clear (OrreryRunHash *hash);

/* orrery-runner-thread.c */
void orrery_runner_begin_thread (OrreryRunner *runner);
/* After a step: of the first ticks, and once something was changed. */
void orrery_runner_check_part (OrreryRunner *runner, OrreryPart *part, gboolean *warned);
/* After a tick. Returns: FALSE: a part is to be found, by timing each of them */
gboolean orrery_runner_check_thread (OrreryRunner *runner, gboolean timed);

/* orrery-runner-watch.c */
void orrery_watches_init (OrreryWatches *watches);
void orrery_watches_clear (OrreryWatches *watches);
/* Calls the watches of ticks, between two ticks. */
void orrery_runner_tell_watches (OrreryRunner *runner);
/* Applies additions and removals of watches. Tick thread, before any step. */
void orrery_runner_settle_watches (OrreryRunner *runner);
