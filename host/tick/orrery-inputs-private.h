/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-service.h"
#include "roles/orrery-observer.h"
#include "roles/orrery-request-manager.h"
#include "world/orrery-world.h"

/*
 * What comes to a run from outside: whoever keeps it, to repeat the run, is told here, and what was
 * kept is fed here. It belongs to the runner; pipelines and the queue of calls know it, too.
 */

typedef void (*OrreryInputFunc) (gpointer data, const OrreryRunInput *input);

typedef struct _OrreryInputs {
  OrreryInputFunc func; /* NULL: nobody keeps them, and nothing here costs anything */
  gpointer data;
  OrreryWorld *world;     /* borrowed */
  const guint64 *n_ticks; /* borrowed: the number of the next tick, or of the present one */
  guint n_known;          /* of the staged commands: those that the scene itself has staged */
  guint n_known_changes;  /* the same of changes of values */
  guint64 n_calls;        /* their numbers */
  gboolean in_tick;       /* parts step, or services run */
  gboolean in_services;   /* the phase of services runs */
  GQueue fed;             /* (element-type Fed): for the services of the next tick */
  GHashTable *pending;    /* (element-type guint64 OrreryCall): fed calls that may be ended */
  OrreryTick *tick;       /* (nullable): owned; its parts take inputs */
  GMutex lock;            /* sensors step in several threads */
  GPtrArray *taken;       /* (element-type Taken): in this tick; guarded by lock, as the next two */
  GHashTable *offered;    /* (element-type utf8 GQueue(Taken)): fed, for this tick */
  gsize n_offered;        /* bytes of those, and of what each costs */
} OrreryInputs;

OrreryInputs *orrery_inputs_new (OrreryWorld *world, const guint64 *n_ticks);
/* @fed: parts take what is fed, and nothing else */
void orrery_inputs_set_tick (OrreryInputs *inputs, OrreryTick *tick, gboolean fed);
/* Nobody is told any more. Calls that somebody keeps may still have it. */
void orrery_inputs_end (OrreryInputs *inputs);
/* Has @func told of all inputs from now on; NULL: nobody. */
void orrery_inputs_watch (OrreryInputs *inputs, OrreryInputFunc func, gpointer data);

/* Tick 0 comes next: forgets what was fed. */
void orrery_inputs_restart (OrreryInputs *inputs);

/* Where somebody is told: */

void orrery_inputs_note_record (OrreryInputs *inputs, OrreryComponent *component);
/* Before the call starts. @manager: NULL: the program */
void orrery_inputs_note_call (OrreryInputs *inputs, OrreryRequestManager *manager, const char *part,
                              OrreryCall *call);
/* Commands that were staged since the last time by others than the scene, or than services that are
 * called again where this run is repeated. */
void orrery_inputs_note_commands (OrreryInputs *inputs);
/* All that is staged now will be staged again by a scene that is fed. */
void orrery_inputs_settle (OrreryInputs *inputs);

/* --- orrery-inputs-taken.c: what parts take from outside --- */

void orrery_inputs_init_taken (OrreryInputs *inputs);
void orrery_inputs_clear_taken (OrreryInputs *inputs);
/* Has parts of the tick ask here while somebody is told or feeds them, and only then. */
void orrery_inputs_settle_taken (OrreryInputs *inputs);
void orrery_inputs_forget_taken (OrreryInputs *inputs);
/* For a part in the tick that comes next. Inputs may come from anywhere. */
gboolean orrery_inputs_offer (OrreryInputs *inputs, const OrreryRunInput *input, GError **error);
/* At the end of a tick: tells what was taken, in the tick's thread, and forgets what was not. */
void orrery_inputs_end_tick (OrreryInputs *inputs);
void orrery_inputs_tell (OrreryInputs *inputs, OrreryRunInput *input);

/* Feeding; records go to their pipelines. */

/* Calls, starts and ends in the services of the next tick. */
void orrery_inputs_feed (OrreryInputs *inputs, OrreryRequestManager *manager,
                         const OrreryRunInput *input);
/* Commands: now, or in the services of the next tick. They may come from anywhere. */
gboolean orrery_inputs_feed_commands (OrreryInputs *inputs, const OrreryRunInput *input,
                                      GError **error);
/* A call that was fed may be ended by its number later. */
void orrery_inputs_keep_call (OrreryInputs *inputs, guint64 number, OrreryCall *call);
void orrery_inputs_end_call (OrreryInputs *inputs, guint64 number);
typedef void (*OrreryInputsStartFunc) (gpointer host, OrreryRequestManager *manager,
                                       const char *part, OrreryCall *call);
/* In the phase of services: does what was fed for it. */
void orrery_inputs_run_fed (OrreryInputs *inputs, OrreryInputsStartFunc start, gpointer host);
