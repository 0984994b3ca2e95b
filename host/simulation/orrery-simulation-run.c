/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives a simulation: its ticks, its idle turns, its end. */
#include "simulation/orrery-simulation-private.h"

/* Waiting callers are answered at once: the next turn may be far away. */
void
orrery_simulation_end_turn (OrrerySimulation *self)
{
  if (G_UNLIKELY (orrery_run_is_asked (self->run))) {
    orrery_simulation_settle (self);
    orrery_runner_flush_requests (self->instance->runner);
  }
  orrery_runner_end_tick (self->instance->runner);
}

gboolean
orrery_simulation_prepare (OrrerySimulation *self, OrreryRunRequestKind kind, GError **error)
{
  const OrreryTransition *transition = orrery_simulation_check (self, kind, error);

  return transition != NULL &&
         (!(transition->actions >> ORRERY_ACTION_START & 1) ||
          orrery_simulation_ask (self, ORRERY_RUN_REQUEST_START, NULL, error));
}

/* A call that runs ticks leaves nothing behind that it was asked for; only its ticks go on
 * meanwhile. */
static void
end_loop (OrrerySimulation *self)
{
  orrery_simulation_end_turn (self);
  if (G_LIKELY (self->loading == NULL) || orrery_run_is_quitting (self->run))
    return;
  orrery_simulation_settle_loading (self, TRUE);
  orrery_runner_flush_requests (self->instance->runner);
}

/* Runs so many ticks. */
static gboolean
run_ticks (OrrerySimulation *self, guint64 n, guint64 *done, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_LOOP);
  OrreryStretch how = ORRERY_STRETCH_OVER;

  for (*done = 0; *done < n;) {
    gboolean ran;

    if (G_UNLIKELY (orrery_run_is_asked (self->run)))
      orrery_simulation_end_turn (self);
    how = orrery_runner_tick (self->instance->runner, &ran, error);
    if (G_UNLIKELY (how == ORRERY_STRETCH_ASKED))
      orrery_simulation_end_turn (self);
    *done += ran;
    if (!ran && how != ORRERY_STRETCH_ASKED)
      break;
  }
  end_loop (self);
  return how != ORRERY_STRETCH_FAILED;
}

gboolean
orrery_simulation_step (OrrerySimulation *simulation, guint64 n, GError **error)
{
  gint64 before = g_get_monotonic_time ();
  gboolean paused;
  gboolean fine;
  guint64 done;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (orrery_run_get_place (simulation->run) == ORRERY_PLACE_OUTSIDE, FALSE);

  if (!orrery_simulation_prepare (simulation, ORRERY_RUN_REQUEST_TICKS, error))
    return FALSE;
  paused = orrery_run_get_state (simulation->run) == ORRERY_RUN_PAUSED;
  if (paused)
    orrery_run_add_steps (simulation->run, n, NULL);
  fine = run_ticks (simulation, n, &done, error);
  if (paused)
    orrery_run_drop_steps (simulation->run, n - done);
  simulation->wall_ns += (g_get_monotonic_time () - before) * 1000;
  return fine && orrery_instance_is_fit (simulation->instance, error);
}

/* Runs until a limit is reached, across scenes that are loaded meanwhile. */
static gboolean
run_until (OrrerySimulation *self, guint64 n_total, OrreryTime end, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_LOOP);
  OrreryInstance *instance = NULL;
  OrreryStretch how;

  do {
    orrery_simulation_end_turn (self);
    if (instance != self->instance)
      orrery_runner_begin (self->instance->runner);
    instance = self->instance;
    how = orrery_runner_run (instance->runner, n_total, end, error);
    orrery_simulation_end_turn (self);
    if (how != ORRERY_STRETCH_FAILED && !orrery_instance_is_fit (self->instance, error))
      return FALSE;
  } while (how == ORRERY_STRETCH_ASKED);
  end_loop (self);
  return how == ORRERY_STRETCH_OVER;
}

gboolean
orrery_simulation_run (OrrerySimulation *simulation, guint64 n, OrreryTime wall, GError **error)
{
  g_autoptr (OrreryClock) clock = NULL;
  OrreryTime start;
  gboolean fine;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (orrery_run_get_place (simulation->run) == ORRERY_PLACE_OUTSIDE, FALSE);

  clock = g_object_ref (orrery_runner_get_clock (simulation->instance->runner));
  start = orrery_clock_get_time (clock);
  if (!orrery_simulation_prepare (simulation, ORRERY_RUN_REQUEST_RUN, error))
    return FALSE;
  fine = run_until (simulation, n > 0 ? orrery_run_get_n_total (simulation->run) + n : G_MAXUINT64,
                    wall > 0 ? start + wall : 0, error);
  simulation->wall_ns += orrery_clock_get_time (clock) - start;
  return fine && orrery_runner_flush_hash_file (simulation->instance->runner, error);
}

static void
turn (OrrerySimulation *self, OrreryInstance *instance)
{
  orrery_runner_answer (instance->runner);
  orrery_simulation_end_turn (self);
  if (self->instance == instance && orrery_run_get_state (self->run) != ORRERY_RUN_RUNNING)
    orrery_runner_call_idle (instance->runner);
  orrery_simulation_end_turn (self);
}

gboolean
orrery_simulation_idle (OrrerySimulation *simulation, guint64 n, GError **error)
{
  OrreryInstance *instance;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (orrery_run_get_place (simulation->run) == ORRERY_PLACE_OUTSIDE, FALSE);

  if (!orrery_simulation_prepare (simulation, ORRERY_RUN_REQUEST_IDLE, error))
    return FALSE;
  instance = simulation->instance;
  {
    g_auto (OrreryGuard) guard = orrery_run_guard (simulation->run, ORRERY_PLACE_LOOP);

    for (guint64 i = 0; i < n && simulation->instance == instance; i++)
      turn (simulation, instance);
    orrery_simulation_end_turn (simulation);
  }
  return orrery_instance_is_fit (simulation->instance, error);
}

/* Ends the simulation: waiting calls are answered. */
static void
drop_requests (OrrerySimulation *self)
{
  orrery_run_end_steps (self->run, "the simulation ends");
  while (orrery_run_get_n_requests (self->run) > 0) {
    g_autoptr (OrreryRunRequest) request = orrery_run_take_request (self->run);

    if (request->call != NULL)
      orrery_call_fail (request->call,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "the simulation ends"));
  }
}

void
orrery_simulation_close (OrrerySimulation *simulation)
{
  OrreryRunRequest request = { ORRERY_RUN_REQUEST_CLOSE };

  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  if (simulation->run == NULL || simulation->instance == NULL ||
      orrery_run_get_state (simulation->run) == ORRERY_RUN_CLOSED)
    return;
  g_return_if_fail (orrery_run_get_place (simulation->run) == ORRERY_PLACE_OUTSIDE);
  orrery_simulation_detach (simulation);
  orrery_simulation_end_loading (simulation, "the simulation ends");
  if (simulation->instance->open) {
    g_auto (OrreryGuard) guard = orrery_run_guard (simulation->run, ORRERY_PLACE_TURN);

    orrery_simulation_apply (simulation, &request, NULL);
  }
  orrery_simulation_close_observers (simulation);
  orrery_run_set_state (simulation->run, ORRERY_RUN_CLOSED);
  drop_requests (simulation);
  orrery_instance_close (simulation->instance);
}
