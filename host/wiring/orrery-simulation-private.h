/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "wiring/orrery-assembly-private.h"
#include "wiring/orrery-simulation.h"
#include "wiring/orrery-system-part-private.h"

typedef enum {
  ORRERY_CHANGE_START,
  ORRERY_CHANGE_STOP,
  ORRERY_CHANGE_PAUSE,
  ORRERY_CHANGE_RESUME,
  ORRERY_CHANGE_STEP,
  ORRERY_CHANGE_RESET,
  ORRERY_CHANGE_LOAD,
  ORRERY_CHANGE_SAVE,
  ORRERY_CHANGE_RESTORE,
} OrreryChangeKind;

/* A change of state that somebody asked for. */
typedef struct {
  OrreryChangeKind kind;
  guint64 n;        /* ticks */
  char *path;       /* of a scene; name of a state that is kept */
  OrreryCall *call; /* to be answered, or NULL */
} OrreryChange;

/* A call of `step` that waits for its ticks. */
typedef struct {
  guint64 target; /* in ticks ever run */
  OrreryCall *call;
} OrreryStepCall;

struct _OrrerySimulation {
  GObject parent_instance;

  OrreryRegistry *registry;
  OrreryOptions *options;
  OrreryWorld *world;
  OrreryProblems problems;
  OrreryScene *scene;
  OrreryRunner *runner;
  OrreryAssembly assembly;
  GPtrArray *system;  /* (element-type OrreryPart): supervision and time */
  GHashTable *states; /* (element-type OrreryPart GVariant): after setup, for a reset */
  gint64 wall_ns;     /* spent in step and run */
  GHashTable *kept;   /* (element-type utf8 GBytes): states that clients have named */
  GError *failure;    /* its streams could not be opened: it cannot run, or NULL */
  gboolean loaded;
  gboolean closed;
  gboolean interrupted; /* under lock: it stops for that alone */
  GMutex lock;          /* of runner, where other threads look at it */
  guint last_watch;     /* guarded by lock */
  GQueue requests;      /* (element-type OrreryChange) */
  GArray *step_calls;   /* (element-type OrreryStepCall) */
  gboolean begun;       /* somebody said what to do, or began to run */
  gboolean begin_paused;
  gboolean has_run;      /* since it was loaded or reset */
  gboolean in_loop;      /* runs or steps */
  OrreryScripts *lender; /* while it is set up: of the scene before it */
};

/* The services `simulation` and `time`; each borrows the simulation, which outlives it. */
OrreryPart *orrery_supervision_new (OrrerySimulation *simulation);
OrreryPart *orrery_time_services_new (OrrerySimulation *simulation);
/* `communication`. */
OrreryPart *orrery_communication_new (OrrerySimulation *simulation);

/* `simulation` again: start, stop, pause ... */
OrreryPart *orrery_state_services_new (OrrerySimulation *simulation);
OrreryPart *orrery_viewer_services_new (OrrerySimulation *simulation);

/* orrery-simulation-state.c */
/* Now, or at the end of the present turn; the call is answered then. */
void orrery_simulation_request (OrrerySimulation *self, OrreryChangeKind kind, guint64 n,
                                const char *path, OrreryCall *call);
/* Whether it can run: another scene may have come that could not open its streams. */
gboolean orrery_simulation_is_fit (OrrerySimulation *self, GError **error);
/* Between two turns: what was asked for. */
void orrery_simulation_settle (gpointer simulation);
void orrery_simulation_drop_requests (OrrerySimulation *self);
/* A line of the log that says which phase begins, or (@ends) has ended: MORSE's words. */
void orrery_simulation_log_phase (const char *words, gboolean ends);
/* Before it runs for the first time: as the options say. */
void orrery_simulation_begin (OrrerySimulation *self);
/* The last callbacks of all scripts. */
void orrery_simulation_end_scripts (OrrerySimulation *self);

/* Child scripts and customization scripts end, the others are told that the scene goes. */
void orrery_simulation_leave_scene (OrrerySimulation *self);

/* Pending calls end, then the run begins (or ends), as if somebody had asked for it. */
void orrery_simulation_end_all_calls (OrrerySimulation *self);
gboolean orrery_simulation_enter (OrrerySimulation *self, GError **error);
gboolean orrery_simulation_leave (OrrerySimulation *self, GError **error);

/* orrery-simulation-saved.c: between two turns. */
GBytes *orrery_simulation_take_state (OrrerySimulation *self, GError **error);
/* Nothing has changed where it fails. */
gboolean orrery_simulation_put_state (OrrerySimulation *self, GBytes *bytes, GError **error);

/* orrery-simulation-scene.c */
void orrery_simulation_lend_scripts (OrreryScripts *from, OrreryScripts *to);
/* Another scene takes the place of this one. Answers @call. */
gboolean orrery_simulation_replace (OrrerySimulation *self, const char *path, OrreryCall *call,
                                    GError **error);

/* orrery-simulation-load.c: from a scene to a simulation that stands before tick 0. */
gboolean orrery_simulation_assemble (OrrerySimulation *self, const char *path, GError **error);
/* The same without streams and services: nothing is opened yet. */
gboolean orrery_simulation_set_up (OrrerySimulation *self, const char *path, GError **error);
/* Streams, services, then the scripts that are not running yet. */
gboolean orrery_simulation_open (OrrerySimulation *self, GError **error);
/* Makes the engine's model at the poses of the snapshot, at first and again after a reset. */
gboolean orrery_simulation_build_physics (OrrerySimulation *self, GError **error);
/* For a worker: a world with all components, none set up, and nothing that runs. */
void orrery_simulation_replicate (OrrerySimulation *self, OrreryScene *scene);
/* orrery-report.c: `aa{sv}`, floating, as orrery_simulation_get_report() has it. */
GVariant *orrery_simulation_describe_workers (OrrerySimulation *simulation);
