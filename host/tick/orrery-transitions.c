/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the requests that a run accepts in each state, and the transition of each. */
#include "tick/orrery-transitions-private.h"

#define A(action) (1u << ORRERY_ACTION_##action)
#define GO(state, actions)                                                                         \
  {                                                                                                \
    ORRERY_REFUSAL_NONE, ORRERY_RUN_##state, actions                                               \
  }
#define REFUSED(why)                                                                               \
  {                                                                                                \
    ORRERY_REFUSAL_##why, 0, 0                                                                     \
  }

#define BEGIN A (BEGIN)
#define AGAIN A (COUNT) | A (BEGIN)
#define OVER A (END_CALLS) | A (LEAVE)
#define NEW A (END_CALLS) | A (RENEW)
#define OTHER A (REPLACE)

/* clang-format off */
static const OrreryTransition transitions[ORRERY_N_RUN_REQUESTS][ORRERY_N_RUN_STATES] = {
  [ORRERY_RUN_REQUEST_START] = {
    [ORRERY_RUN_LOADED] = GO (RUNNING, BEGIN),
    [ORRERY_RUN_READY] = GO (RUNNING, BEGIN),
    [ORRERY_RUN_ENDED] = GO (RUNNING, AGAIN),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, 0),
    [ORRERY_RUN_PAUSED] = GO (RUNNING, A (RESUME)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_START_PAUSED] = {
    [ORRERY_RUN_LOADED] = GO (PAUSED, BEGIN | A (PAUSE)),
    [ORRERY_RUN_READY] = GO (PAUSED, BEGIN | A (PAUSE)),
    [ORRERY_RUN_ENDED] = GO (PAUSED, AGAIN | A (PAUSE)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, 0),
    [ORRERY_RUN_PAUSED] = GO (RUNNING, A (RESUME)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_STOP] = {
    [ORRERY_RUN_LOADED] = GO (READY, 0),
    [ORRERY_RUN_READY] = GO (READY, 0),
    [ORRERY_RUN_ENDED] = GO (ENDED, 0),
    [ORRERY_RUN_RUNNING] = GO (ENDED, OVER | A (PUT_BACK)),
    [ORRERY_RUN_PAUSED] = GO (ENDED, OVER | A (PUT_BACK)),
    [ORRERY_RUN_FAILED] = GO (FAILED, 0),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_PAUSE] = {
    [ORRERY_RUN_LOADED] = REFUSED (STATE),
    [ORRERY_RUN_READY] = REFUSED (STATE),
    [ORRERY_RUN_ENDED] = REFUSED (STATE),
    [ORRERY_RUN_RUNNING] = GO (PAUSED, A (PAUSE)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, 0),
    [ORRERY_RUN_FAILED] = REFUSED (STATE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_RESUME] = {
    [ORRERY_RUN_LOADED] = REFUSED (STATE),
    [ORRERY_RUN_READY] = REFUSED (STATE),
    [ORRERY_RUN_ENDED] = REFUSED (STATE),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, 0),
    [ORRERY_RUN_PAUSED] = GO (RUNNING, A (RESUME)),
    [ORRERY_RUN_FAILED] = REFUSED (STATE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_HOLD] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, A (HOLD)),
    [ORRERY_RUN_READY] = GO (READY, A (HOLD)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (HOLD)),
    [ORRERY_RUN_RUNNING] = GO (PAUSED, A (PAUSE)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, 0),
    [ORRERY_RUN_FAILED] = GO (FAILED, A (HOLD)),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_RELEASE] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, A (RELEASE)),
    [ORRERY_RUN_READY] = GO (READY, A (RELEASE)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (RELEASE)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, 0),
    [ORRERY_RUN_PAUSED] = GO (RUNNING, A (RESUME)),
    [ORRERY_RUN_FAILED] = GO (FAILED, A (RELEASE)),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_STEP] = {
    [ORRERY_RUN_LOADED] = GO (PAUSED, BEGIN | A (PAUSE) | A (TICKS)),
    [ORRERY_RUN_READY] = GO (PAUSED, BEGIN | A (PAUSE) | A (TICKS)),
    [ORRERY_RUN_ENDED] = GO (PAUSED, AGAIN | A (PAUSE) | A (TICKS)),
    [ORRERY_RUN_RUNNING] = GO (PAUSED, A (PAUSE) | A (TICKS)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (TICKS)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_RESET] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, NEW),
    [ORRERY_RUN_READY] = GO (READY, NEW),
    [ORRERY_RUN_ENDED] = GO (READY, NEW),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, OVER | NEW | BEGIN),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, OVER | NEW | BEGIN | A (PAUSE)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_LOAD] = {
    [ORRERY_RUN_LOADED] = GO (READY, OTHER),
    [ORRERY_RUN_READY] = GO (READY, OTHER),
    [ORRERY_RUN_ENDED] = GO (READY, OTHER),
    [ORRERY_RUN_RUNNING] = GO (READY, OTHER),
    [ORRERY_RUN_PAUSED] = GO (READY, OTHER),
    [ORRERY_RUN_FAILED] = GO (READY, OTHER),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_SAVE] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, A (SAVE)),
    [ORRERY_RUN_READY] = GO (READY, A (SAVE)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (SAVE)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, A (SAVE)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (SAVE)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_RESTORE] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, A (RESTORE)),
    [ORRERY_RUN_READY] = GO (READY, A (RESTORE)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (RESTORE)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, A (RESTORE)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (RESTORE)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_ADD] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, A (ADD)),
    [ORRERY_RUN_READY] = GO (READY, A (ADD)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (ADD)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, A (ADD)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (ADD)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_RUN] = {
    [ORRERY_RUN_LOADED] = GO (RUNNING, A (START) | A (TICKS)),
    [ORRERY_RUN_READY] = GO (READY, A (TURNS)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (TURNS)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, A (TICKS)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (TURNS)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_TICKS] = {
    [ORRERY_RUN_LOADED] = GO (RUNNING, A (START) | A (TICKS)),
    [ORRERY_RUN_READY] = GO (RUNNING, A (START) | A (TICKS)),
    [ORRERY_RUN_ENDED] = GO (RUNNING, A (START) | A (TICKS)),
    [ORRERY_RUN_RUNNING] = GO (RUNNING, A (TICKS)),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (TICKS)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_IDLE] = {
    [ORRERY_RUN_LOADED] = GO (LOADED, A (TURNS)),
    [ORRERY_RUN_READY] = GO (READY, A (TURNS)),
    [ORRERY_RUN_ENDED] = GO (ENDED, A (TURNS)),
    [ORRERY_RUN_RUNNING] = REFUSED (STATE),
    [ORRERY_RUN_PAUSED] = GO (PAUSED, A (TURNS)),
    [ORRERY_RUN_FAILED] = REFUSED (FAILURE),
    [ORRERY_RUN_CLOSED] = REFUSED (BUG),
  },
  [ORRERY_RUN_REQUEST_CLOSE] = {
    [ORRERY_RUN_LOADED] = GO (CLOSED, A (CLOSE)),
    [ORRERY_RUN_READY] = GO (CLOSED, A (CLOSE)),
    [ORRERY_RUN_ENDED] = GO (CLOSED, A (CLOSE)),
    [ORRERY_RUN_RUNNING] = GO (CLOSED, A (LEAVE) | A (CLOSE)),
    [ORRERY_RUN_PAUSED] = GO (CLOSED, A (LEAVE) | A (CLOSE)),
    [ORRERY_RUN_FAILED] = GO (CLOSED, A (CLOSE)),
    [ORRERY_RUN_CLOSED] = GO (CLOSED, 0),
  },
};
/* clang-format on */

#define NOW ORRERY_HANDLING_NOW
#define WAITS ORRERY_HANDLING_WAITS
#define STATE ORRERY_HANDLING_STATE
#define BUG ORRERY_HANDLING_BUG

static const OrreryRunRequestInfo infos[ORRERY_N_RUN_REQUESTS] = {
  [ORRERY_RUN_REQUEST_START] = { "start", "start", "start", WAITS, NOW },
  [ORRERY_RUN_REQUEST_START_PAUSED] = { "start, held", "start", "start", WAITS, NOW },
  [ORRERY_RUN_REQUEST_STOP] = { "stop", "stop", "stop", WAITS, NOW },
  [ORRERY_RUN_REQUEST_PAUSE] = { "pause", "pause", NULL, WAITS, NOW },
  [ORRERY_RUN_REQUEST_RESUME] = { "resume", "resume", NULL, WAITS, NOW },
  [ORRERY_RUN_REQUEST_HOLD] = { "hold", NULL, "pause", WAITS, NOW },
  [ORRERY_RUN_REQUEST_RELEASE] = { "release", NULL, "resume", WAITS, NOW },
  [ORRERY_RUN_REQUEST_STEP] = { "step", "step", NULL, WAITS, NOW },
  [ORRERY_RUN_REQUEST_RESET] = { "reset", "reset", "reset", WAITS, NOW },
  [ORRERY_RUN_REQUEST_LOAD] = { "load", "load", "change_scene", WAITS, WAITS },
  [ORRERY_RUN_REQUEST_SAVE] = { "save", "save", "save", STATE, NOW },
  [ORRERY_RUN_REQUEST_RESTORE] = { "restore", "restore", "restore", STATE, NOW },
  [ORRERY_RUN_REQUEST_ADD] = { "add", "add_spawnable", "add_spawnable", WAITS, NOW },
  [ORRERY_RUN_REQUEST_RUN] = { "run", NULL, "run", BUG, BUG },
  [ORRERY_RUN_REQUEST_TICKS] = { "ticks", NULL, "step", BUG, BUG },
  [ORRERY_RUN_REQUEST_IDLE] = { "idle", NULL, "idle", BUG, BUG },
  [ORRERY_RUN_REQUEST_CLOSE] = { "close", NULL, "close", BUG, BUG },
};

const OrreryRunRequestInfo *
orrery_run_request_get_info (OrreryRunRequestKind kind)
{
  return &infos[kind];
}

OrreryRunRequestKind
orrery_run_request_find (const char *service)
{
  OrreryRunRequestKind kind = 0;

  while (g_strcmp0 (infos[kind].service, service) != 0)
    kind++;
  return kind;
}

const OrreryTransition *
orrery_transition_find (OrreryRunState state, OrreryRunRequestKind kind)
{
  return &transitions[kind][state];
}

const char *
orrery_run_state_get_name (OrreryRunState state)
{
  static const char *const names[] = { "loaded", "ready",  "ended",  "running",
                                       "paused", "failed", "closed", "stopping" };

  return names[state];
}

OrreryState
orrery_run_state_get_public (OrreryRunState state)
{
  switch (state) {
  case ORRERY_RUN_RUNNING:
    return ORRERY_STATE_RUNNING;
  case ORRERY_RUN_PAUSED:
    return ORRERY_STATE_PAUSED;
  case ORRERY_RUN_STOPPING:
    return ORRERY_STATE_STOPPING;
  default:
    return ORRERY_STATE_STOPPED;
  }
}

const char *
orrery_action_get_name (OrreryAction action)
{
  static const char *const names[] = { "hold",     "release", "start",       "end calls", "leave",
                                       "put back", "renew",   "count",       "begin",     "resume",
                                       "pause",    "ticks",   "other scene", "save",      "restore",
                                       "add",      "turns",   "close" };

  return names[action];
}
