/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tick/orrery-state.h"

/*
 * The states of a run and the transitions between them: the table of docs/run.md, which a test
 * compares with this one.
 */

typedef enum {
  ORRERY_RUN_LOADED, /* stopped at its start; the first run or step starts it */
  ORRERY_RUN_READY,  /* stopped at its start; only a request starts it */
  ORRERY_RUN_ENDED,  /* stopped; ticks, hash and report are those of the finished run */
  ORRERY_RUN_RUNNING,
  ORRERY_RUN_PAUSED,
  ORRERY_RUN_FAILED, /* stopped; another scene was loaded whose streams could not be opened */
  ORRERY_RUN_CLOSED,
  ORRERY_N_RUN_STATES,
  /* Transient: the last callbacks of a run are called. */
  ORRERY_RUN_STOPPING = ORRERY_N_RUN_STATES,
} OrreryRunState;

typedef enum {
  ORRERY_RUN_REQUEST_START,
  ORRERY_RUN_REQUEST_START_PAUSED, /* a start after a hold */
  ORRERY_RUN_REQUEST_STOP,
  ORRERY_RUN_REQUEST_PAUSE,
  ORRERY_RUN_REQUEST_RESUME,
  ORRERY_RUN_REQUEST_HOLD,    /* as pause; a stopped run will start paused */
  ORRERY_RUN_REQUEST_RELEASE, /* as resume; takes a hold back */
  ORRERY_RUN_REQUEST_STEP,
  ORRERY_RUN_REQUEST_RESET,
  ORRERY_RUN_REQUEST_LOAD,
  ORRERY_RUN_REQUEST_SAVE,
  ORRERY_RUN_REQUEST_RESTORE,
  ORRERY_RUN_REQUEST_ADD, /* a spawnable */
  ORRERY_RUN_REQUEST_RUN,
  ORRERY_RUN_REQUEST_TICKS,
  ORRERY_RUN_REQUEST_IDLE,
  ORRERY_RUN_REQUEST_CLOSE,
  ORRERY_N_RUN_REQUESTS,
} OrreryRunRequestKind;

/* The actions of a transition, in the order in which they run. */
typedef enum {
  ORRERY_ACTION_HOLD,
  ORRERY_ACTION_RELEASE,
  ORRERY_ACTION_START,     /* requests a start */
  ORRERY_ACTION_END_CALLS, /* preempts pending calls */
  ORRERY_ACTION_LEAVE,     /* ends child scripts, and tells the others that the run is over */
  ORRERY_ACTION_PUT_BACK,  /* resets all but the scripts to the state after setup */
  ORRERY_ACTION_RENEW,     /* all as after setup, with new scripts and the next run number */
  ORRERY_ACTION_COUNT,     /* counts ticks from 0 again, with the next run number */
  ORRERY_ACTION_BEGIN,     /* tells scripts of the start, and creates child scripts */
  ORRERY_ACTION_RESUME,
  ORRERY_ACTION_PAUSE,
  ORRERY_ACTION_TICKS,
  ORRERY_ACTION_REPLACE, /* loads another scene, if it can be set up */
  ORRERY_ACTION_SAVE,
  ORRERY_ACTION_RESTORE, /* restores the saved state; after a start or stop if needed */
  ORRERY_ACTION_ADD,     /* adds a spawnable to the scene */
  ORRERY_ACTION_TURNS,
  ORRERY_ACTION_CLOSE,
  ORRERY_N_ACTIONS,
} OrreryAction;

typedef enum {
  ORRERY_REFUSAL_NONE,
  ORRERY_REFUSAL_STATE,   /* ORRERY_ERROR_STATE */
  ORRERY_REFUSAL_FAILURE, /* the error that kept the scene from being opened */
  ORRERY_REFUSAL_BUG,     /* a critical warning: a program error */
} OrreryRefusal;

typedef struct {
  OrreryRefusal refusal;
  OrreryRunState next; /* the state if all actions succeed */
  guint actions;       /* a bit for each OrreryAction */
} OrreryTransition;

/* Where the thread of the run is when a request is made. */
typedef enum {
  ORRERY_PLACE_OUTSIDE,
  ORRERY_PLACE_LOOP,  /* in a call that runs ticks or idle turns, outside of the runner */
  ORRERY_PLACE_TICKS, /* in the runner, between two turns: watches of ticks */
  ORRERY_PLACE_TURN,  /* callbacks and services: no transition happens during them */
} OrreryRequestPlace;

/* What happens to a request that is made at another place than outside. */
typedef enum {
  ORRERY_HANDLING_NOW,
  ORRERY_HANDLING_WAITS, /* waits until the turn is over */
  ORRERY_HANDLING_STATE, /* refused with ORRERY_ERROR_STATE */
  ORRERY_HANDLING_BUG,   /* a critical warning: a program error */
} OrreryHandling;

typedef struct {
  const char *name;
  const char *service;  /* (nullable): service of the part `simulation`, for clients and scripts */
  const char *function; /* (nullable): orrery_simulation_..., for scripts and the program */
  OrreryHandling in_turn;
  OrreryHandling in_run; /* in a run, step or idle call, but outside of a turn */
} OrreryRunRequestInfo;

const char *orrery_run_state_get_name (OrreryRunState state);
/* The state as users see it. */
OrreryState orrery_run_state_get_public (OrreryRunState state);
const char *orrery_action_get_name (OrreryAction action);
const OrreryRunRequestInfo *orrery_run_request_get_info (OrreryRunRequestKind kind);
/* The first request that this service makes, which must exist. */
OrreryRunRequestKind orrery_run_request_find (const char *service);
const OrreryTransition *orrery_transition_find (OrreryRunState state, OrreryRunRequestKind kind);
