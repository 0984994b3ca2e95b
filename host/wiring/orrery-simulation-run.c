/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include "roles/orrery-call-private.h"
#include "roles/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"

#include <errno.h>

/* --- running --- */

/* What was left for whoever runs this scene to give way; then another scene may be there. */
static void
give_way (OrrerySimulation *self)
{
  self->in_loop = FALSE;
  self->runner->leaving = FALSE;
  orrery_simulation_settle (self);
}

gboolean
orrery_simulation_is_fit (OrrerySimulation *self, GError **error)
{
  if (G_LIKELY (self->failure == NULL))
    return TRUE;
  g_propagate_error (error, g_error_copy (self->failure));
  return FALSE;
}

/* A file of hashes that was cut would be taken for another run. */
static gboolean
write_hash_file (OrrerySimulation *self, GError **error)
{
  FILE *file = self->runner->hash_file;

  if (file == NULL || (fflush (file) == 0 && !ferror (file)))
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: the hashes cannot be written: %s",
               self->options->hash_file, g_strerror (errno));
  return FALSE;
}

gboolean
orrery_simulation_step (OrrerySimulation *simulation, guint64 n, GError **error)
{
  OrreryRunner *runner;
  GError *local = NULL;
  gboolean paused;
  gint64 before;
  guint64 i;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  g_return_val_if_fail (!simulation->in_loop, FALSE);

  if (!orrery_simulation_is_fit (simulation, error))
    return FALSE;
  before = g_get_monotonic_time ();
  orrery_simulation_begin (simulation);
  if (simulation->runner->state == ORRERY_STATE_STOPPED)
    orrery_simulation_start (simulation, NULL);
  runner = simulation->runner;
  paused = runner->state == ORRERY_STATE_PAUSED;
  if (paused)
    runner->steps_left += n;
  simulation->in_loop = runner->stepping = TRUE;
  for (i = 0; i < n && local == NULL; i++)
    if (!orrery_runner_tick (runner, &local))
      break;
  runner->stepping = FALSE;
  if (paused)
    runner->steps_left -= MIN (runner->steps_left, n - i);
  give_way (simulation);
  simulation->wall_ns += (g_get_monotonic_time () - before) * 1000;
  if (local == NULL)
    return orrery_simulation_is_fit (simulation, error);
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
orrery_simulation_run (OrrerySimulation *simulation, guint64 n, OrreryTime wall, GError **error)
{
  OrreryTime (*clock) (gpointer data);
  gpointer data;
  OrreryTime begin;
  guint64 done = 0;
  gboolean fine = TRUE;
  gboolean again = TRUE;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  g_return_val_if_fail (!simulation->in_loop, FALSE);

  if (!orrery_simulation_is_fit (simulation, error))
    return FALSE;
  clock = simulation->runner->clock;
  data = simulation->runner->clock_data;
  begin = clock (data);
  orrery_simulation_begin (simulation);
  while (fine && again && (n == 0 || done < n)) {
    OrreryRunner *runner = simulation->runner;
    guint64 total = runner->n_total;

    simulation->in_loop = TRUE;
    fine = orrery_runner_run (runner, n > 0 ? n - done : 0, wall > 0 ? begin + wall : 0, error);
    done += runner->n_total - total;
    again = runner->leaving;
    give_way (simulation);
    fine = fine && orrery_simulation_is_fit (simulation, error);
  }
  simulation->wall_ns += clock (data) - begin;
  return fine && write_hash_file (simulation, error);
}

gboolean
orrery_simulation_idle (OrrerySimulation *simulation, guint64 n, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);
  g_return_val_if_fail (!simulation->in_loop, FALSE);

  if (!orrery_simulation_is_fit (simulation, error))
    return FALSE;
  if (simulation->runner->state == ORRERY_STATE_RUNNING) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE,
                 "the simulation is running: only one that is stopped or paused has idle turns");
    return FALSE;
  }
  simulation->in_loop = TRUE;
  for (guint64 i = 0; i < n && !simulation->runner->leaving; i++)
    orrery_runner_turn (simulation->runner);
  give_way (simulation);
  return orrery_simulation_is_fit (simulation, error);
}

void
orrery_simulation_stop (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  g_mutex_lock (&simulation->lock);
  orrery_runner_stop (simulation->runner);
  g_mutex_unlock (&simulation->lock);
}

gboolean
orrery_simulation_is_stopping (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), TRUE);
  return orrery_runner_is_stopping (simulation->runner);
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
close_streams (GPtrArray *managers)
{
  for (guint i = 0; i < managers->len; i++) {
    OrreryDatastreamManager *manager = managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close (manager);
  }
}

void
orrery_simulation_log_phase (const char *words, gboolean ends)
{
  g_log_structured (G_LOG_DOMAIN, G_LOG_LEVEL_INFO, "ORRERY_PHASE", ends ? "end" : "begin",
                    "MESSAGE", "%s", words);
}

static void
close_managers (OrreryRunner *runner)
{
  orrery_simulation_log_phase ("CLOSING REQUEST MANAGERS...", TRUE);
  for (guint i = 0; i < runner->request_managers->len; i++) {
    OrreryRequestManager *manager = runner->request_managers->pdata[i];

    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush (manager);
    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close (manager);
  }
  orrery_simulation_log_phase ("CLOSING DATASTREAMS...", TRUE);
  close_streams (runner->managers);
  close_streams (runner->absent);
  orrery_simulation_log_phase ("CLOSING OVERLAYS...", TRUE);
}

void
orrery_simulation_close (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  if (simulation->closed || simulation->runner == NULL)
    return;
  simulation->closed = TRUE;
  if (simulation->loaded) {
    orrery_simulation_end_scripts (simulation);
    orrery_simulation_drop_requests (simulation);
    orrery_runner_intake_requests (simulation->runner);
  }
  orrery_runner_end_calls (simulation->runner);
  end_calls (simulation->assembly.components);
  end_calls (simulation->assembly.parts);
  close_managers (simulation->runner);
  if (simulation->runner->workers != NULL)
    orrery_workers_close (simulation->runner->workers);
}
