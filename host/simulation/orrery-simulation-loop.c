/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a simulation in a scheduler: its ticks as a task, and tasks that follow its time. */
#include "loop/orrery-scheduler-private.h"
#include "simulation/orrery-simulation-private.h"

/* Ticks in one step of the task while nothing else is due: the cost of the loop is shared by
 * all. */
#define MAX_STEP 64

static OrreryTime
advance (OrrerySimulation *self, OrreryTask *task, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_LOOP);
  OrreryInstance *instance = self->instance;
  OrreryTime due = ORRERY_RUNNER_NOW;

  for (guint i = 0; i < MAX_STEP && due == ORRERY_RUNNER_NOW; i++) {
    orrery_simulation_end_turn (self);
    if (self->instance == instance)
      due = orrery_runner_advance (instance->runner, G_MAXUINT64, 0, error);
    orrery_simulation_end_turn (self);
    if (self->instance != instance || orrery_task_is_ended (task) ||
        orrery_scheduler_has_other (task->scheduler))
      break;
  }
  return self->instance == instance ? due : ORRERY_RUNNER_NOW;
}

/* Runs ticks as a step of the task. The other tasks of the loop run between two ticks, because
 * inside a tick no scheduler is entered. */
static OrreryNext
step_ticks (OrreryTask *task, gpointer data, GError **error)
{
  g_autoptr (OrrerySimulation) self = g_object_ref (data);
  OrreryInstance *instance = self->instance;
  OrreryTime begin = g_get_monotonic_time ();
  OrreryTime due;

  /* A callback inside of a tick runs the main loop that the scheduler belongs to. */
  if (orrery_run_get_place (self->run) != ORRERY_PLACE_OUTSIDE)
    return orrery_next_sleep (
        orrery_time_from_seconds (1 / orrery_runner_get_settings (instance->runner)->frequency));
  if (!orrery_simulation_prepare (self, ORRERY_RUN_REQUEST_RUN, error))
    return orrery_next_done ();
  due = advance (self, task, error);
  self->wall_ns += (g_get_monotonic_time () - begin) * 1000;
  if (self->instance != instance)
    orrery_runner_begin (self->instance->runner);
  if (*error != NULL || !orrery_instance_is_fit (self->instance, error) ||
      orrery_run_is_quitting (self->run))
    return orrery_next_done ();
  return due <= ORRERY_RUNNER_NOW ? orrery_next_yield () : orrery_next_due (due);
}

static void
end_ticks (gpointer data)
{
  OrrerySimulation *self = data;

  self->tick_task = NULL;
  if (orrery_run_get_state (self->run) != ORRERY_RUN_CLOSED)
    orrery_runner_set_clock (self->instance->runner, NULL);
  g_object_unref (self);
}

void
orrery_simulation_follow_scene (OrrerySimulation *self)
{
  OrreryTask *task = self->tick_task;

  if (task != NULL && !orrery_task_is_ended (task))
    orrery_scheduler_set_waker (task->scheduler, task,
                                orrery_runner_get_waker (self->instance->runner));
}

OrreryTask *
orrery_simulation_attach (OrrerySimulation *simulation, OrreryScheduler *scheduler)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), NULL);
  g_return_val_if_fail (orrery_run_get_state (simulation->run) != ORRERY_RUN_CLOSED, NULL);
  g_return_val_if_fail (simulation->tick_task == NULL, NULL);

  orrery_runner_set_clock (simulation->instance->runner, orrery_scheduler_get_clock (scheduler));
  orrery_runner_begin (simulation->instance->runner);
  simulation->tick_task =
      orrery_scheduler_add (scheduler, "ticks", step_ticks, g_object_ref (simulation), end_ticks);
  orrery_simulation_follow_scene (simulation);
  return simulation->tick_task;
}

void
orrery_simulation_detach (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  if (simulation->tick_task != NULL)
    orrery_scheduler_remove (simulation->tick_task->scheduler, simulation->tick_task);
}

OrreryScheduler *
orrery_simulation_get_tasks (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  return orrery_runner_get_tasks (simulation->instance->runner);
}
