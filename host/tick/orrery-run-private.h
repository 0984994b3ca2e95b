/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-call-private.h"
#include "tick/orrery-transitions-private.h"

/*
 * The run of a simulation, across all scenes that it loads: its state, from where its thread is
 * called, and pending requests. What a transition does is up to the simulation. Tick thread only,
 * except for quitting.
 */
typedef struct _OrreryRun OrreryRun;

/* A request for a change of the run. */
typedef struct {
  OrreryRunRequestKind kind;
  guint64 n;        /* ticks */
  char *path;       /* path of a scene, or name of a saved state */
  OrreryCall *call; /* the call that is to be answered, or NULL */
} OrreryRunRequest;

void orrery_run_request_free (OrreryRunRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRunRequest, orrery_run_request_free)

OrreryRun *orrery_run_new (OrreryRunState state, gboolean held);
void orrery_run_free (OrreryRun *run);

OrreryRunState orrery_run_get_state (OrreryRun *run);
void orrery_run_set_state (OrreryRun *run, OrreryRunState state);
OrreryState orrery_run_get_public_state (OrreryRun *run);
gboolean orrery_run_is_stopped (OrreryRun *run);
/* Whether the next start pauses the run at once. */
gboolean orrery_run_is_held (OrreryRun *run);
/* See orrery_simulation_get_epoch(). */
guint64 orrery_run_get_epoch (OrreryRun *run);
/* Simulated time is set anew: nothing changes if no tick has run since it was set last. */
void orrery_run_begin_epoch (OrreryRun *run);
void orrery_run_set_held (OrreryRun *run, gboolean held);

/* Sets the place of the run as long as the guard exists: g_auto (OrreryGuard). */
typedef struct {
  OrreryRun *run;
  OrreryRequestPlace before;
} OrreryGuard;

OrreryRequestPlace orrery_run_get_place (OrreryRun *run);
OrreryGuard orrery_run_guard (OrreryRun *run, OrreryRequestPlace place);
void orrery_guard_clear (OrreryGuard *guard);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OrreryGuard, orrery_guard_clear)

/* Requests the end of the program; the caller must wake a waiting run. Any thread, as the next
 * three. */
void orrery_run_quit (OrreryRun *run);
/* As a quit, but it can be taken back. */
void orrery_run_interrupt (OrreryRun *run, gboolean interrupted);
gboolean orrery_run_is_quitting (OrreryRun *run);
/* Atomic; valid as long as the run exists. */
const int *orrery_run_get_quit_flag (OrreryRun *run);

/* Queues a request until the end of the turn, in order. Takes the request. */
void orrery_run_ask (OrreryRun *run, OrreryRunRequest *request);
OrreryRunRequest *orrery_run_peek_request (OrreryRun *run);
/* (transfer full) (nullable) */
OrreryRunRequest *orrery_run_take_request (OrreryRun *run);
guint orrery_run_get_n_requests (OrreryRun *run);
/* Says from another thread that what it had to do is done; the caller must wake a waiting run. */
void orrery_run_tell_ready (OrreryRun *run);
/* Whether that was said since the last call. */
gboolean orrery_run_take_ready (OrreryRun *run);
/* Whether something must be done before the next turn: a request waits, steps are complete, or
 * another thread is ready. */
gboolean orrery_run_is_asked (OrreryRun *run);
void orrery_run_note_asked (OrreryRun *run);

/* Requests ticks that run although the run is paused; @call, if any, is answered after the last
 * one. */
void orrery_run_add_steps (OrreryRun *run, guint64 n, OrreryCall *call);
/* Drops the last n of these ticks. */
void orrery_run_drop_steps (OrreryRun *run, guint64 n);
/* Drops all of them; pending calls are answered with the reason. */
void orrery_run_end_steps (OrreryRun *run, const char *why);
/* Answers the calls whose ticks are complete with the number of ticks since the start. */
void orrery_run_answer_steps (OrreryRun *run, guint64 n_ticks);
/* The number of ticks that were ever run. */
guint64 orrery_run_get_n_total (OrreryRun *run);
