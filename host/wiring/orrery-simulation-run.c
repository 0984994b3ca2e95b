/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include "roles/orrery-call-private.h"
#include "roles/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"

/* --- running --- */

gboolean
orrery_simulation_step (OrrerySimulation *simulation, guint64 n, GError **error)
{
  GError *local = NULL;
  gint64 before;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);

  before = g_get_monotonic_time ();
  for (guint64 i = 0; i < n && local == NULL; i++)
    if (!orrery_runner_tick (simulation->runner, &local))
      break;
  simulation->wall_ns += (g_get_monotonic_time () - before) * 1000;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
orrery_simulation_run (OrrerySimulation *simulation, guint64 n, OrreryTime wall, GError **error)
{
  OrreryRunner *runner;
  OrreryTime now;
  gboolean fine;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);

  runner = simulation->runner;
  now = runner->clock (runner->clock_data);
  fine = orrery_runner_run (runner, n, wall > 0 ? now + wall : 0, error);
  simulation->wall_ns += runner->clock (runner->clock_data) - now;
  return fine;
}

void
orrery_simulation_stop (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  orrery_runner_stop (simulation->runner);
}

gboolean
orrery_simulation_is_stopping (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), TRUE);
  return orrery_runner_is_stopping (simulation->runner);
}

void
orrery_simulation_set_paused (OrrerySimulation *simulation, gboolean paused)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  simulation->runner->paused = paused != FALSE;
  g_main_context_wakeup (simulation->runner->context);
}

gboolean
orrery_simulation_is_paused (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return simulation->runner->paused;
}

static void
end_calls (GPtrArray *parts)
{
  for (guint i = 0; parts != NULL && i < parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (parts->pdata[i]);

    if (busy != NULL)
      orrery_call_fail (busy,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "the simulation ends"));
  }
}

static void
close_managers (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->request_managers->len; i++) {
    OrreryRequestManager *manager = runner->request_managers->pdata[i];

    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush (manager);
    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close (manager);
  }
  for (guint i = 0; i < runner->managers->len; i++) {
    OrreryDatastreamManager *manager = runner->managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close (manager);
  }
}

void
orrery_simulation_close (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  if (simulation->closed || simulation->runner == NULL)
    return;
  simulation->closed = TRUE;
  if (simulation->loaded)
    orrery_runner_intake_requests (simulation->runner);
  orrery_runner_end_calls (simulation->runner);
  end_calls (simulation->assembly.components);
  end_calls (simulation->assembly.parts);
  close_managers (simulation->runner);
  if (simulation->runner->workers != NULL)
    orrery_workers_close (simulation->runner->workers);
}

/* --- reset --- */

static void
cancel_calls (GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (parts->pdata[i]);

    if (busy != NULL)
      orrery_call_cancel (busy);
  }
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

gboolean
orrery_simulation_reset (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);

  /* Calls come first: a part that is told to stop may still stage a command. */
  orrery_runner_end_calls (simulation->runner);
  cancel_calls (simulation->assembly.components);
  cancel_calls (simulation->assembly.parts);
  orrery_runner_restart (simulation->runner);
  return restore_parts (simulation, simulation->assembly.components, error) &&
         restore_parts (simulation, simulation->assembly.parts, error) &&
         orrery_simulation_build_physics (simulation, error);
}
