/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Performs the transitions of host/tick/orrery-transitions.c, and accepts the requests for them.
 * Nothing changes within a turn: a request that is made during one is applied at its end.
 */
#include "simulation/orrery-simulation-private.h"
#include "simulation/orrery-spawn-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"

/* --- the current state, and restoring it --- */

static void
cancel_calls (GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (parts->pdata[i]);

    if (busy != NULL)
      orrery_call_cancel (busy);
  }
}

void
orrery_simulation_end_calls (OrrerySimulation *self)
{
  orrery_runner_end_calls (self->instance->runner);
  cancel_calls (self->instance->assembly.components);
  cancel_calls (self->instance->assembly.parts);
}

gboolean
orrery_simulation_put_part_back (OrreryInstance *self, OrreryPart *part, GError **error)
{
  GVariant *state = g_hash_table_lookup (self->states, part);
  GError *local = NULL;

  orrery_part_restart_random (part);
  orrery_part_restore_options (part);
  if (orrery_remote_find (part) != NULL)
    orrery_remote_restore (orrery_remote_find (part), state, &local);
  else
    orrery_part_restore_state (part, state, &local);
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "%s: ", orrery_part_get_name (part));
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
restore_parts (OrreryInstance *self, GPtrArray *parts, GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    if (!orrery_simulation_put_part_back (self, parts->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* --- actions --- */

static gboolean
hold (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_run_set_held (self->run, TRUE);
  return TRUE;
}

static gboolean
release (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_run_set_held (self->run, FALSE);
  return TRUE;
}

static gboolean
end_calls (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_simulation_end_calls (self);
  return TRUE;
}

static gboolean
leave (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  OrreryRunner *runner = self->instance->runner;

  orrery_run_set_state (self->run, ORRERY_RUN_STOPPING);
  orrery_run_end_steps (self->run, "the simulation was stopped");
  orrery_runner_end_scripts (runner, ORRERY_SCRIPTS_CHILDREN);
  orrery_runner_call_scripts (self->instance->runner, ORRERY_CALLBACK_AFTER_SIMULATION);
  orrery_run_set_state (self->run, ORRERY_RUN_ENDED);
  orrery_runner_begin_idle (runner);
  return TRUE;
}

static gboolean
put_back (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  OrreryInstance *instance = self->instance;

  orrery_runner_rewind (instance->runner);
  orrery_spawn_empty (instance->spawn);
  orrery_instance_forget_scene (instance);
  instance->episode++;
  return restore_parts (instance, instance->assembly.components, error) &&
         restore_parts (instance, instance->assembly.parts, error) &&
         orrery_assembly_randomise (&instance->assembly, instance->episode, error) &&
         orrery_assembly_build_physics (&instance->assembly, error) &&
         orrery_assembly_begin_quantities (&instance->assembly, instance->episode, error);
}

static gboolean
renew (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  OrreryRunner *runner = self->instance->runner;

  orrery_runner_end_scripts (runner, ORRERY_SCRIPTS_LASTING);
  if (!put_back (self, request, error))
    return FALSE;
  orrery_runner_restart (runner);
  orrery_scripts_clear_failures (orrery_runner_get_scripts (runner), ORRERY_SCRIPTS_ALL);
  orrery_runner_begin_scripts (runner, ORRERY_SCRIPTS_LASTING);
  return TRUE;
}

static gboolean
count (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_runner_restart (self->instance->runner);
  return TRUE;
}

static gboolean
begin (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  OrreryRunner *runner = self->instance->runner;

  orrery_run_set_held (self->run, FALSE);
  orrery_run_set_state (self->run, ORRERY_RUN_RUNNING);
  orrery_runner_restart_pace (runner);
  orrery_runner_call_scripts (self->instance->runner, ORRERY_CALLBACK_BEFORE_SIMULATION);
  orrery_scripts_clear_failures (orrery_runner_get_scripts (runner), ORRERY_SCRIPTS_CHILDREN);
  orrery_runner_begin_scripts (runner, ORRERY_SCRIPTS_CHILDREN);
  return TRUE;
}

static gboolean
resume (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_run_end_steps (self->run, "the simulation was resumed");
  orrery_run_set_state (self->run, ORRERY_RUN_RUNNING);
  orrery_runner_restart_pace (self->instance->runner);
  orrery_runner_call_scripts (self->instance->runner, ORRERY_CALLBACK_RESUME);
  return TRUE;
}

static gboolean
hold_ticks (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_run_set_state (self->run, ORRERY_RUN_PAUSED);
  orrery_runner_begin_idle (self->instance->runner);
  orrery_runner_call_scripts (self->instance->runner, ORRERY_CALLBACK_SUSPEND);
  return TRUE;
}

static gboolean
add_ticks (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  orrery_run_add_steps (self->run, request->n, request->call);
  return TRUE;
}

static gboolean
replace (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  return orrery_simulation_replace (self, request, error);
}

#define MAX_KEPT 16

static gboolean
save (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  const char *name = request->path;
  GBytes *state;

  if (g_hash_table_size (self->kept) >= MAX_KEPT && !g_hash_table_contains (self->kept, name))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%d states are already kept; use the name of one of them", MAX_KEPT);
  state = orrery_simulation_take_state (self, error);
  if (state == NULL)
    return FALSE;
  g_hash_table_replace (self->kept, g_strdup (name), state);
  return TRUE;
}

static gboolean
restore (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  const char *name = request->path;
  GBytes *state = g_hash_table_lookup (self->kept, name);
  g_autofree const char **names = NULL;
  g_autofree char *nearest = NULL;

  if (state != NULL)
    return orrery_simulation_put_state (self, state, NULL, error);
  names = (const char **) g_hash_table_get_keys_as_array (self->kept, NULL);
  nearest = orrery_nearest_names (name, names);
  return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no state was saved as '%.60s'%s", name,
                           nearest);
}

static gboolean
add (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  g_autofree char *config = orrery_spawn_services_read_json (request->call, 2);

  return orrery_instance_extend (self->instance, request->path, config, request->n,
                                 orrery_call_is_client (request->call), error);
}

static gboolean
end_scripts (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  OrreryRunner *runner = self->instance->runner;

  orrery_runner_end_scripts (runner, ORRERY_SCRIPTS_LASTING);
  return TRUE;
}

typedef gboolean (*ActionFunc) (OrrerySimulation *self, const OrreryRunRequest *request,
                                GError **error);

/* The caller starts the run and drives its turns: orrery-simulation-run.c. */
static const ActionFunc actions[ORRERY_N_ACTIONS] = {
  [ORRERY_ACTION_HOLD] = hold,
  [ORRERY_ACTION_RELEASE] = release,
  [ORRERY_ACTION_END_CALLS] = end_calls,
  [ORRERY_ACTION_LEAVE] = leave,
  [ORRERY_ACTION_PUT_BACK] = put_back,
  [ORRERY_ACTION_RENEW] = renew,
  [ORRERY_ACTION_COUNT] = count,
  [ORRERY_ACTION_BEGIN] = begin,
  [ORRERY_ACTION_RESUME] = resume,
  [ORRERY_ACTION_PAUSE] = hold_ticks,
  [ORRERY_ACTION_TICKS] = add_ticks,
  [ORRERY_ACTION_REPLACE] = replace,
  [ORRERY_ACTION_SAVE] = save,
  [ORRERY_ACTION_RESTORE] = restore,
  [ORRERY_ACTION_ADD] = add,
  [ORRERY_ACTION_CLOSE] = end_scripts,
};

/* --- the state machine --- */

static const char *
find_hint (OrreryRunRequestKind kind)
{
  if (kind == ORRERY_RUN_REQUEST_PAUSE)
    return "there is nothing to pause";
  return kind == ORRERY_RUN_REQUEST_RESUME ? "start it"
                                           : "only one that is stopped or paused has idle turns";
}

const OrreryTransition *
orrery_simulation_check (OrrerySimulation *self, OrreryRunRequestKind kind, GError **error)
{
  OrreryRunState state = orrery_run_get_state (self->run);
  const OrreryTransition *transition = orrery_transition_find (state, kind);

  g_return_val_if_fail (transition->refusal != ORRERY_REFUSAL_BUG, NULL);
  if (transition->refusal == ORRERY_REFUSAL_NONE)
    return transition;
  if (transition->refusal == ORRERY_REFUSAL_FAILURE)
    g_propagate_error (error, g_error_copy (self->instance->failure));
  else
    orrery_set_error (error, ORRERY_ERROR_STATE, "the simulation is %s: %s",
                      orrery_state_get_name (orrery_run_state_get_public (state)),
                      find_hint (kind));
  return NULL;
}

gboolean
orrery_simulation_change (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  gboolean held = request->kind == ORRERY_RUN_REQUEST_START && orrery_run_is_held (self->run);
  const OrreryTransition *transition =
      orrery_simulation_check (self, held ? ORRERY_RUN_REQUEST_START_PAUSED : request->kind, error);

  if (transition == NULL)
    return FALSE;
  for (guint i = 0; i < ORRERY_N_ACTIONS; i++)
    if ((transition->actions >> i & 1) && !actions[i](self, request, error))
      return FALSE;
  /* A saved state is running or stopped, whatever the state before. */
  if (request->kind != ORRERY_RUN_REQUEST_RESTORE)
    orrery_run_set_state (self->run, transition->next);
  return TRUE;
}

gboolean
orrery_simulation_apply (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  gboolean changed = orrery_simulation_change (self, request, error);

  /* They were closed before something was added, also by a state, or could not be in the end. */
  if (changed || request->kind == ORRERY_RUN_REQUEST_ADD ||
      request->kind == ORRERY_RUN_REQUEST_RESTORE)
    orrery_simulation_settle_observers (self);
  return changed;
}

/* --- pending requests --- */

static gboolean
apply_in_turn (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_TURN);

  return orrery_simulation_apply (self, request, error);
}

/* A call of `step` is answered after its ticks, one of `load` before its connection is closed. */
static void
answer (OrrerySimulation *self, const OrreryRunRequest *request, GError *error)
{
  OrreryCall *call = request->call;

  /* An error after the call was answered ends the run, which reports it. */
  if (error != NULL && call == NULL)
    g_warning ("%s", error->message);
  if (error != NULL && call != NULL && !orrery_call_is_done (call))
    orrery_call_fail (call, error);
  else if (error != NULL)
    g_error_free (error);
  else if (call != NULL && request->kind == ORRERY_RUN_REQUEST_ADD)
    orrery_call_return (call, NULL);
  else if (call != NULL && request->kind != ORRERY_RUN_REQUEST_STEP && !orrery_call_is_done (call))
    orrery_call_return (call, g_variant_new_string (
                                  orrery_state_get_name (orrery_run_get_public_state (self->run))));
}

/* Whether a request of this kind is applied at the end of this turn, or else of the next one. */
static gboolean
may_apply (OrrerySimulation *self, OrreryRunRequestKind kind)
{
  OrreryRequestPlace place = orrery_run_get_place (self->run);

  return place < ORRERY_PLACE_TICKS ||
         (place == ORRERY_PLACE_TICKS &&
          orrery_run_request_get_info (kind)->in_run == ORRERY_HANDLING_NOW);
}

static void
carry_out (OrrerySimulation *self, const OrreryRunRequest *request)
{
  GError *error = NULL;

  /* The watches are told of the last tick before their scene is replaced. */
  if (request->kind == ORRERY_RUN_REQUEST_LOAD)
    orrery_runner_end_tick (self->instance->runner);
  apply_in_turn (self, request, &error);
  answer (self, request, error);
}

/* What a client has loaded while ticks run does not stop them: its files are read beside them. A
 * script's request takes effect in its tick. Takes the request unless it is to be applied now. */
static gboolean
put_off (OrrerySimulation *self, OrreryRunRequest *request)
{
  gboolean runs = orrery_run_get_state (self->run) == ORRERY_RUN_RUNNING &&
                  orrery_run_get_place (self->run) == ORRERY_PLACE_LOOP;

  if (request->kind != ORRERY_RUN_REQUEST_LOAD)
    return FALSE;
  if (self->loading != NULL && request->call != NULL) {
    orrery_call_fail (request->call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_STATE,
                                                  "another scene is being loaded"));
    orrery_run_request_free (request);
    return TRUE;
  }
  orrery_simulation_end_loading (self, "another scene was loaded");
  return runs && request->call != NULL && orrery_simulation_begin_loading (self, request);
}

void
orrery_simulation_settle_loading (OrrerySimulation *self, gboolean wait)
{
  g_autoptr (OrreryRunRequest) loaded = orrery_simulation_take_loaded (self, wait);

  if (loaded == NULL)
    return;
  carry_out (self, loaded);
  orrery_simulation_end_loading (self, "");
}

/* A request that is made while these are applied waits for the end of the next turn. */
void
orrery_simulation_settle (OrrerySimulation *self)
{
  OrreryRunRequest *next;

  orrery_simulation_settle_loading (self, FALSE);
  for (guint n = orrery_run_get_n_requests (self->run);
       n > 0 && (next = orrery_run_peek_request (self->run)) != NULL &&
       may_apply (self, next->kind);
       n--) {
    g_autoptr (OrreryRunRequest) request = orrery_run_take_request (self->run);

    if (put_off (self, request))
      request = NULL;
    else
      carry_out (self, request);
  }
  orrery_run_answer_steps (self->run, orrery_runner_get_n_ticks (self->instance->runner));
  orrery_run_note_asked (self->run);
}

static OrreryRunRequest *
make_request (OrreryRunRequestKind kind, guint64 n, const char *path, OrreryCall *call)
{
  OrreryRunRequest *request = g_new0 (OrreryRunRequest, 1);

  request->kind = kind;
  request->n = n;
  request->path = g_strdup (path);
  request->call = call != NULL ? g_object_ref (call) : NULL;
  return request;
}

void
orrery_simulation_request (OrrerySimulation *self, OrreryRunRequestKind kind, guint64 n,
                           const char *path, OrreryCall *call)
{
  if (orrery_run_get_state (self->run) == ORRERY_RUN_CLOSED) {
    orrery_call_fail (call,
                      g_error_new (ORRERY_ERROR, ORRERY_ERROR_STATE, "the simulation is closed"));
    return;
  }
  orrery_run_ask (self->run, make_request (kind, n, path, call));
  if (orrery_run_get_place (self->run) != ORRERY_PLACE_TURN)
    orrery_simulation_settle (self);
}

gboolean
orrery_simulation_ask (OrrerySimulation *self, OrreryRunRequestKind kind, const char *path,
                       GError **error)
{
  g_autoptr (OrreryRunRequest) request = make_request (kind, 0, path, NULL);
  OrreryRequestPlace place = orrery_run_get_place (self->run);
  gboolean fine;

  g_return_val_if_fail (orrery_run_get_state (self->run) != ORRERY_RUN_CLOSED, FALSE);

  if (place == ORRERY_PLACE_TURN ||
      (kind == ORRERY_RUN_REQUEST_LOAD && place != ORRERY_PLACE_OUTSIDE)) {
    orrery_run_ask (self->run, g_steal_pointer (&request));
    return TRUE;
  }
  if (kind == ORRERY_RUN_REQUEST_LOAD)
    orrery_simulation_end_loading (self, "another scene was loaded");
  fine = apply_in_turn (self, request, error);
  /* A task of ticks may be waiting without a time. */
  orrery_runner_wake (self->instance->runner);
  if (orrery_run_is_asked (self->run))
    orrery_simulation_settle (self);
  return fine;
}

/* --- interface --- */

void
orrery_simulation_leave_scene (OrrerySimulation *self)
{
  OrreryRunner *runner = self->instance->runner;

  orrery_simulation_end_calls (self);
  if (!orrery_run_is_stopped (self->run))
    leave (self, NULL, NULL);
  orrery_runner_call_scripts (self->instance->runner, ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH);
  orrery_runner_end_scripts (runner, ORRERY_SCRIPTS_OF_SCENE);
}

OrreryState
orrery_simulation_get_state (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), ORRERY_STATE_STOPPED);
  return orrery_run_get_public_state (simulation->run);
}

gboolean
orrery_simulation_start (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return orrery_simulation_ask (simulation, ORRERY_RUN_REQUEST_START, NULL, error);
}

gboolean
orrery_simulation_stop (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return orrery_simulation_ask (simulation, ORRERY_RUN_REQUEST_STOP, NULL, error);
}

gboolean
orrery_simulation_reset (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return orrery_simulation_ask (simulation, ORRERY_RUN_REQUEST_RESET, NULL, error);
}

gboolean
orrery_simulation_reset_with_seed (OrrerySimulation *simulation, guint64 seed, GError **error)
{
  OrreryWorkers *workers;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);

  workers = orrery_runner_get_workers (simulation->instance->runner);
  if (orrery_run_get_place (simulation->run) != ORRERY_PLACE_OUTSIDE)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "the seed of a run is changed between two ticks");
  if (workers != NULL && orrery_workers_list (workers)->len > 0)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "a scene with parts in workers keeps its seed: load it anew");
  orrery_assembly_set_seed (&simulation->instance->assembly, seed);
  /* The reset begins with episode 0. */
  simulation->instance->episode = G_MAXUINT64;
  return orrery_simulation_reset (simulation, error);
}

gboolean
orrery_simulation_change_scene (OrrerySimulation *simulation, const char *path, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  return orrery_simulation_ask (simulation, ORRERY_RUN_REQUEST_LOAD, path, error);
}

void
orrery_simulation_pause (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  orrery_simulation_ask (simulation, ORRERY_RUN_REQUEST_HOLD, NULL, NULL);
}

void
orrery_simulation_resume (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  orrery_simulation_ask (simulation, ORRERY_RUN_REQUEST_RELEASE, NULL, NULL);
}

gboolean
orrery_simulation_is_paused (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return orrery_run_get_state (simulation->run) == ORRERY_RUN_PAUSED ||
         (orrery_run_is_stopped (simulation->run) && orrery_run_is_held (simulation->run));
}
