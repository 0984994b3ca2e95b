/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a run, the place from which its thread is called, and pending requests. */
#include "tick/orrery-run-internal.h"

enum { INTERRUPTED = 1, QUIT };

/* A call of `step` that waits for its ticks. */
typedef struct {
  guint64 target; /* counted in ticks that were ever run */
  OrreryCall *call;
} OrreryStepCall;

void
orrery_run_request_free (OrreryRunRequest *request)
{
  g_clear_object (&request->call);
  g_free (request->path);
  g_free (request);
}

static void
clear_step_call (gpointer data)
{
  g_clear_object (&((OrreryStepCall *) data)->call);
}

OrreryRun *
orrery_run_new (OrreryRunState state, gboolean held)
{
  OrreryRun *run = g_new0 (OrreryRun, 1);

  run->state = state;
  run->held = held;
  g_queue_init (&run->requests);
  run->step_calls = g_array_new (FALSE, FALSE, sizeof (OrreryStepCall));
  g_array_set_clear_func (run->step_calls, clear_step_call);
  return run;
}

void
orrery_run_free (OrreryRun *run)
{
  g_queue_clear_full (&run->requests, (GDestroyNotify) orrery_run_request_free);
  g_array_unref (run->step_calls);
  g_free (run);
}

/* --- state --- */

OrreryRunState
orrery_run_get_state (OrreryRun *run)
{
  return run->state;
}

void
orrery_run_set_state (OrreryRun *run, OrreryRunState state)
{
  run->state = state;
}

OrreryState
orrery_run_get_public_state (OrreryRun *run)
{
  return orrery_run_state_get_public (run->state);
}

gboolean
orrery_run_is_stopped (OrreryRun *run)
{
  return orrery_run_get_public_state (run) == ORRERY_STATE_STOPPED;
}

guint64
orrery_run_get_epoch (OrreryRun *run)
{
  return run->epoch + 1;
}

void
orrery_run_begin_epoch (OrreryRun *run)
{
  if (run->n_total != run->epoch_start)
    run->epoch++;
  run->epoch_start = run->n_total;
}

gboolean
orrery_run_is_held (OrreryRun *run)
{
  return run->held;
}

void
orrery_run_set_held (OrreryRun *run, gboolean held)
{
  run->held = held;
}

/* --- place --- */

OrreryRequestPlace
orrery_run_get_place (OrreryRun *run)
{
  return run->place;
}

OrreryGuard
orrery_run_guard (OrreryRun *run, OrreryRequestPlace place)
{
  OrreryGuard guard = { run, run->place };

  run->place = place;
  return guard;
}

void
orrery_guard_clear (OrreryGuard *guard)
{
  guard->run->place = guard->before;
}

/* --- the end --- */

void
orrery_run_quit (OrreryRun *run)
{
  __atomic_store_n (&run->quit, QUIT, __ATOMIC_RELEASE);
}

void
orrery_run_interrupt (OrreryRun *run, gboolean interrupted)
{
  int before = interrupted ? 0 : INTERRUPTED;

  __atomic_compare_exchange_n (&run->quit, &before, interrupted ? INTERRUPTED : 0, FALSE,
                               __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

gboolean
orrery_run_is_quitting (OrreryRun *run)
{
  return __atomic_load_n (&run->quit, __ATOMIC_ACQUIRE) != 0;
}

const int *
orrery_run_get_quit_flag (OrreryRun *run)
{
  return &run->quit;
}

/* --- requests --- */

void
orrery_run_ask (OrreryRun *run, OrreryRunRequest *request)
{
  g_queue_push_tail (&run->requests, request);
  __atomic_store_n (&run->asked, TRUE, __ATOMIC_RELAXED);
}

OrreryRunRequest *
orrery_run_peek_request (OrreryRun *run)
{
  return g_queue_peek_head (&run->requests);
}

OrreryRunRequest *
orrery_run_take_request (OrreryRun *run)
{
  return g_queue_pop_head (&run->requests);
}

guint
orrery_run_get_n_requests (OrreryRun *run)
{
  return g_queue_get_length (&run->requests);
}

void
orrery_run_tell_ready (OrreryRun *run)
{
  __atomic_store_n (&run->ready, TRUE, __ATOMIC_SEQ_CST);
  __atomic_store_n (&run->asked, TRUE, __ATOMIC_SEQ_CST);
}

gboolean
orrery_run_take_ready (OrreryRun *run)
{
  return __atomic_exchange_n (&run->ready, FALSE, __ATOMIC_SEQ_CST);
}

gboolean
orrery_run_is_asked (OrreryRun *run)
{
  return __atomic_load_n (&run->asked, __ATOMIC_RELAXED);
}

/* Another thread may ask meanwhile: what it says is looked for after the store. */
void
orrery_run_note_asked (OrreryRun *run)
{
  __atomic_store_n (&run->asked, !g_queue_is_empty (&run->requests), __ATOMIC_SEQ_CST);
  if (__atomic_load_n (&run->ready, __ATOMIC_SEQ_CST))
    __atomic_store_n (&run->asked, TRUE, __ATOMIC_SEQ_CST);
}

/* --- steps of a paused run --- */

void
orrery_run_add_steps (OrreryRun *run, guint64 n, OrreryCall *call)
{
  OrreryStepCall waiting = { 0, call };

  run->steps_left += n;
  waiting.target = run->n_total + run->steps_left;
  if (call == NULL)
    return;
  g_object_ref (call);
  g_array_append_val (run->step_calls, waiting);
}

void
orrery_run_drop_steps (OrreryRun *run, guint64 n)
{
  run->steps_left -= MIN (run->steps_left, n);
}

static OrreryCall *
take_step_call (OrreryRun *run)
{
  OrreryCall *call = g_object_ref (g_array_index (run->step_calls, OrreryStepCall, 0).call);

  g_array_remove_index (run->step_calls, 0);
  return call;
}

void
orrery_run_end_steps (OrreryRun *run, const char *why)
{
  run->steps_left = 0;
  while (run->step_calls->len > 0) {
    g_autoptr (OrreryCall) call = take_step_call (run);

    orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "%s", why));
  }
}

void
orrery_run_answer_steps (OrreryRun *run, guint64 n_ticks)
{
  while (run->step_calls->len > 0) {
    g_autoptr (OrreryCall) call = NULL;

    if (g_array_index (run->step_calls, OrreryStepCall, 0).target > run->n_total &&
        run->state == ORRERY_RUN_PAUSED)
      return;
    call = take_step_call (run);
    orrery_call_return (call, g_variant_new_int64 ((gint64) n_ticks));
  }
}

guint64
orrery_run_get_n_total (OrreryRun *run)
{
  return run->n_total;
}
