/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include "roles/orrery-call-private.h"
#include "roles/orrery-part-private.h"

/*
 * The states of a simulation, and what leads from one to another. Nothing changes within a turn:
 * what is asked for there is done when it is over.
 */

/* --- what stands, and what is put back --- */

static void
cancel_calls (GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (parts->pdata[i]);

    if (busy != NULL)
      orrery_call_cancel (busy);
  }
}

static void
end_calls (OrrerySimulation *self)
{
  orrery_runner_end_calls (self->runner);
  cancel_calls (self->assembly.components);
  cancel_calls (self->assembly.parts);
}

static gboolean
restore_part (OrrerySimulation *self, OrreryPart *part, GError **error)
{
  GVariant *state = g_hash_table_lookup (self->states, part);
  GError *local = NULL;

  orrery_part_restart_random (part);
  orrery_part_restore_options (part);
  if (orrery_remote_find (part) != NULL)
    orrery_remote_restore (orrery_remote_find (part), state, &local);
  else if (state != NULL && ORRERY_PART_GET_CLASS (part)->restore != NULL)
    ORRERY_PART_GET_CLASS (part)->restore (part, state, &local);
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "%s: ", orrery_part_get_name (part));
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
restore_parts (OrrerySimulation *self, GPtrArray *parts, GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    if (!restore_part (self, parts->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
put_back (OrrerySimulation *self, GError **error)
{
  orrery_runner_rewind (self->runner);
  return restore_parts (self, self->assembly.components, error) &&
         restore_parts (self, self->assembly.parts, error) &&
         orrery_simulation_build_physics (self, error);
}

/* --- calls of `step`, which wait for their ticks --- */

static void
answer_steps (OrrerySimulation *self)
{
  OrreryRunner *runner = self->runner;

  while (self->step_calls->len > 0) {
    OrreryStepCall *first = &g_array_index (self->step_calls, OrreryStepCall, 0);
    g_autoptr (OrreryCall) call = NULL;

    if (first->target > runner->n_total && runner->state == ORRERY_STATE_PAUSED)
      return;
    call = g_object_ref (first->call);
    g_array_remove_index (self->step_calls, 0);
    orrery_call_return (call, g_variant_new_int64 ((gint64) runner->n_ticks));
  }
}

static void
end_steps (OrrerySimulation *self, const char *why)
{
  self->runner->steps_left = 0;
  while (self->step_calls->len > 0) {
    g_autoptr (OrreryCall) call =
        g_object_ref (g_array_index (self->step_calls, OrreryStepCall, 0).call);

    g_array_remove_index (self->step_calls, 0);
    orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "%s", why));
  }
}

/* --- from state to state --- */

static void
call_scripts (OrrerySimulation *self, OrreryCallback callback)
{
  orrery_scripts_call (self->runner->scripts, callback, self->runner->tick);
}

static void
enter_pause (OrrerySimulation *self)
{
  orrery_runner_begin_idle (self->runner, ORRERY_STATE_PAUSED);
  call_scripts (self, ORRERY_CALLBACK_SUSPEND);
}

static void
leave_pause (OrrerySimulation *self)
{
  OrreryRunner *runner = self->runner;

  end_steps (self, "the simulation was resumed");
  runner->state = ORRERY_STATE_RUNNING;
  /* The pause is no tick. */
  runner->wall.last = 0;
  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
  call_scripts (self, ORRERY_CALLBACK_RESUME);
}

static void
enter_run (OrrerySimulation *self)
{
  OrreryRunner *runner = self->runner;

  runner->state = ORRERY_STATE_RUNNING;
  self->has_run = TRUE;
  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
  call_scripts (self, ORRERY_CALLBACK_BEFORE_SIMULATION);
  orrery_scripts_forgive (runner->scripts, ORRERY_SCRIPTS_CHILDREN);
  orrery_scripts_begin (runner->scripts, ORRERY_SCRIPTS_CHILDREN, runner->tick);
}

static void
start (OrrerySimulation *self)
{
  gboolean paused = self->begin_paused;

  if (self->runner->state == ORRERY_STATE_PAUSED)
    leave_pause (self);
  if (self->runner->state != ORRERY_STATE_STOPPED)
    return;
  if (self->has_run)
    orrery_runner_restart (self->runner);
  self->begin_paused = FALSE;
  enter_run (self);
  if (paused)
    enter_pause (self);
}

static void
leave_run (OrrerySimulation *self)
{
  OrreryRunner *runner = self->runner;

  if (runner->state == ORRERY_STATE_STOPPED)
    return;
  runner->state = ORRERY_STATE_STOPPING;
  end_steps (self, "the simulation was stopped");
  orrery_scripts_end (runner->scripts, ORRERY_SCRIPTS_CHILDREN, runner->tick);
  call_scripts (self, ORRERY_CALLBACK_AFTER_SIMULATION);
  runner->state = ORRERY_STATE_STOPPED;
}

static gboolean
stop (OrrerySimulation *self, GError **error)
{
  if (self->runner->state == ORRERY_STATE_STOPPED)
    return TRUE;
  /* Calls come first: a part that is told to stop may still stage a command. */
  end_calls (self);
  leave_run (self);
  orrery_runner_begin_idle (self->runner, ORRERY_STATE_STOPPED);
  return put_back (self, error);
}

/* --- for orrery-simulation-saved.c --- */

void
orrery_simulation_end_all_calls (OrrerySimulation *self)
{
  end_calls (self);
}

gboolean
orrery_simulation_enter (OrrerySimulation *self, GError **error)
{
  self->begun = TRUE;
  start (self);
  return TRUE;
}

gboolean
orrery_simulation_leave (OrrerySimulation *self, GError **error)
{
  return stop (self, error);
}

/* As after setup: scripts are new ones, too, and begin as at the first start. */
static gboolean
reset (OrrerySimulation *self, GError **error)
{
  OrreryRunner *runner = self->runner;
  OrreryState state = runner->state;

  end_calls (self);
  leave_run (self);
  orrery_scripts_end (runner->scripts, ORRERY_SCRIPTS_LASTING, runner->tick);
  if (!put_back (self, error))
    return FALSE;
  orrery_runner_restart (runner);
  self->has_run = FALSE;
  orrery_scripts_forgive (runner->scripts, ORRERY_SCRIPTS_ALL);
  orrery_scripts_begin (runner->scripts, ORRERY_SCRIPTS_LASTING, runner->tick);
  if (state == ORRERY_STATE_STOPPED)
    return TRUE;
  enter_run (self);
  if (state == ORRERY_STATE_PAUSED)
    enter_pause (self);
  return TRUE;
}

static void
step (OrrerySimulation *self, guint64 n, OrreryCall *call)
{
  OrreryRunner *runner = self->runner;
  OrreryStepCall waiting = { 0, NULL };

  if (runner->state == ORRERY_STATE_STOPPED)
    start (self);
  if (runner->state == ORRERY_STATE_RUNNING)
    enter_pause (self);
  runner->steps_left += n;
  waiting.target = runner->n_total + runner->steps_left;
  if (call == NULL)
    return;
  waiting.call = g_object_ref (call);
  g_array_append_val (self->step_calls, waiting);
}

/* --- states that clients keep here --- */

#define MAX_KEPT 16

static gboolean
keep (OrrerySimulation *self, const char *name, GError **error)
{
  GBytes *state;

  if (g_hash_table_size (self->kept) >= MAX_KEPT && !g_hash_table_contains (self->kept, name)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "%d states are kept already; save under a name that is there", MAX_KEPT);
    return FALSE;
  }
  state = orrery_simulation_take_state (self, error);
  if (state == NULL)
    return FALSE;
  g_hash_table_replace (self->kept, g_strdup (name), state);
  return TRUE;
}

static gboolean
take_back (OrrerySimulation *self, const char *name, GError **error)
{
  GBytes *state = g_hash_table_lookup (self->kept, name);
  g_autofree const char **names = NULL;
  g_autofree char *nearest = NULL;

  if (state != NULL)
    return orrery_simulation_put_state (self, state, error);
  names = (const char **) g_hash_table_get_keys_as_array (self->kept, NULL);
  nearest = orrery_nearest_names (name, names);
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "no state was saved as '%.60s'%s", name,
               nearest);
  return FALSE;
}

/* --- requests --- */

static gboolean
fail_state (OrrerySimulation *self, const char *what, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "the simulation is %s: %s",
               orrery_state_get_name (self->runner->state), what);
  return FALSE;
}

/* In no turn. */
static gboolean
perform (OrrerySimulation *self, const OrreryChange *request, GError **error)
{
  gboolean stopped = self->runner->state == ORRERY_STATE_STOPPED;

  switch (request->kind) {
  case ORRERY_CHANGE_START:
    self->begun = TRUE;
    start (self);
    return TRUE;
  case ORRERY_CHANGE_STOP:
    self->begun = TRUE;
    return stop (self, error);
  case ORRERY_CHANGE_PAUSE:
    if (stopped)
      return fail_state (self, "there is nothing to pause", error);
    if (self->runner->state == ORRERY_STATE_RUNNING)
      enter_pause (self);
    return TRUE;
  case ORRERY_CHANGE_RESUME:
    if (stopped)
      return fail_state (self, "start it", error);
    if (self->runner->state == ORRERY_STATE_PAUSED)
      leave_pause (self);
    return TRUE;
  case ORRERY_CHANGE_STEP:
    self->begun = TRUE;
    step (self, request->n, request->call);
    return TRUE;
  case ORRERY_CHANGE_RESET:
    return reset (self, error);
  case ORRERY_CHANGE_LOAD:
    self->begun = TRUE;
    return orrery_simulation_replace (self, request->path, request->call, error);
  case ORRERY_CHANGE_SAVE:
    return keep (self, request->path, error);
  case ORRERY_CHANGE_RESTORE:
    return take_back (self, request->path, error);
  }
  g_assert_not_reached ();
}

static void
clear_request (OrreryChange *request)
{
  g_clear_object (&request->call);
  g_free (request->path);
  g_free (request);
}

/* A call of `step` is answered by its ticks, one of `load` before its connection ends. */
static void
answer (OrrerySimulation *self, const OrreryChange *request, GError *error)
{
  OrreryCall *call = request->call;

  /* What comes after an answer ends the run, which tells of it. */
  if (error != NULL && call == NULL)
    g_warning ("%s", error->message);
  if (error != NULL && call != NULL && !orrery_call_is_done (call))
    orrery_call_fail (call, error);
  else if (error != NULL)
    g_error_free (error);
  else if (call != NULL && request->kind != ORRERY_CHANGE_STEP && !orrery_call_is_done (call))
    orrery_call_return (call, g_variant_new_string (orrery_state_get_name (self->runner->state)));
}

/* Returns whether it was done; another scene can wait for whoever runs this one to give way. */
static gboolean
take_request (OrrerySimulation *self)
{
  OrreryChange *request = g_queue_peek_head (&self->requests);
  GError *error = NULL;

  if (request->kind == ORRERY_CHANGE_LOAD && self->in_loop) {
    self->runner->leaving = TRUE;
    return FALSE;
  }
  g_queue_pop_head (&self->requests);
  self->runner->in_turn = TRUE;
  perform (self, request, &error);
  self->runner->in_turn = FALSE;
  answer (self, request, error);
  clear_request (request);
  return TRUE;
}

/* What is asked for by what is done here waits for the end of the next turn. */
void
orrery_simulation_settle (gpointer simulation)
{
  OrrerySimulation *self = simulation;
  guint n = g_queue_get_length (&self->requests);

  for (guint i = 0; i < n && take_request (self); i++)
    ;
  answer_steps (self);
  self->runner->pending = !g_queue_is_empty (&self->requests);
}

void
orrery_simulation_request (OrrerySimulation *self, OrreryChangeKind kind, guint64 n,
                           const char *path, OrreryCall *call)
{
  OrreryChange *request = g_new0 (OrreryChange, 1);

  request->kind = kind;
  request->n = n;
  request->path = g_strdup (path);
  request->call = call != NULL ? g_object_ref (call) : NULL;
  g_queue_push_tail (&self->requests, request);
  self->runner->pending = TRUE;
  if (!self->runner->in_turn)
    orrery_simulation_settle (self);
}

/* The simulation ends: nobody waits any longer. */
void
orrery_simulation_drop_requests (OrrerySimulation *self)
{
  OrreryChange *request;

  end_steps (self, "the simulation ends");
  while ((request = g_queue_pop_head (&self->requests)) != NULL) {
    if (request->call != NULL)
      orrery_call_fail (request->call,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "the simulation ends"));
    clear_request (request);
  }
}

/* Now, or at the end of the turn; what goes wrong then is only logged. */
static gboolean
do_now (OrrerySimulation *self, OrreryChange request, GError **error)
{
  GError *local = NULL;

  if (self->runner->in_turn || (request.kind == ORRERY_CHANGE_LOAD && self->in_loop)) {
    orrery_simulation_request (self, request.kind, request.n, request.path, NULL);
    return TRUE;
  }
  self->runner->in_turn = TRUE;
  perform (self, &request, &local);
  self->runner->in_turn = FALSE;
  if (self->runner->pending)
    orrery_simulation_settle (self);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* --- what others call --- */

void
orrery_simulation_begin (OrrerySimulation *self)
{
  if (self->begun)
    return;
  self->begun = TRUE;
  if (self->options->state != ORRERY_STATE_STOPPED)
    do_now (self, (OrreryChange){ ORRERY_CHANGE_START }, NULL);
}

void
orrery_simulation_leave_scene (OrrerySimulation *self)
{
  OrreryRunner *runner = self->runner;

  end_calls (self);
  leave_run (self);
  call_scripts (self, ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH);
  orrery_scripts_end (runner->scripts, ORRERY_SCRIPTS_OF_SCENE, runner->tick);
}

void
orrery_simulation_end_scripts (OrrerySimulation *self)
{
  OrreryRunner *runner = self->runner;

  runner->in_turn = TRUE;
  leave_run (self);
  orrery_scripts_end (runner->scripts, ORRERY_SCRIPTS_LASTING, runner->tick);
  runner->in_turn = FALSE;
}

OrreryState
orrery_simulation_get_state (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), ORRERY_STATE_STOPPED);
  return simulation->runner->state;
}

gboolean
orrery_simulation_start (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  return do_now (simulation, (OrreryChange){ ORRERY_CHANGE_START }, error);
}

gboolean
orrery_simulation_finish (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  return do_now (simulation, (OrreryChange){ ORRERY_CHANGE_STOP }, error);
}

gboolean
orrery_simulation_reset (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  return do_now (simulation, (OrreryChange){ ORRERY_CHANGE_RESET }, error);
}

gboolean
orrery_simulation_change_scene (OrrerySimulation *simulation, const char *path, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  return do_now (simulation, (OrreryChange){ ORRERY_CHANGE_LOAD, .path = (char *) path }, error);
}

void
orrery_simulation_set_paused (OrrerySimulation *simulation, gboolean paused)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  if (simulation->runner->state == ORRERY_STATE_STOPPED)
    simulation->begin_paused = paused != FALSE;
  else
    do_now (simulation, (OrreryChange){ paused ? ORRERY_CHANGE_PAUSE : ORRERY_CHANGE_RESUME },
            NULL);
  g_main_context_wakeup (simulation->runner->context);
}

gboolean
orrery_simulation_is_paused (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return simulation->runner->state == ORRERY_STATE_PAUSED ||
         (simulation->runner->state == ORRERY_STATE_STOPPED && simulation->begin_paused);
}
