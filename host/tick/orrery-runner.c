/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when ticks run: the pace, the waiting before each tick, and the idle turns of a paused
 * run. */
#include "tick/orrery-runner-private.h"

#include "tick/orrery-run-struct-private.h"

#include "base/orrery-monotonic-private.h"
#include "loop/orrery-clock-private.h"
#include "roles/orrery-request-manager-private.h"
#include "world/orrery-world-private.h"

#include <math.h>

OrreryTime
orrery_runner_read_clock (gpointer data)
{
  return orrery_monotonic_now ();
}

static void
clear_alarm (gpointer data)
{
  OrreryAlarm *alarm = data;

  g_clear_object (&alarm->call);
}

OrreryRunner *
orrery_runner_new (OrreryRun *run, OrreryWorld *world, double frequency, guint substeps,
                   OrreryTime start)
{
  OrreryRunner *runner = g_new0 (OrreryRunner, 1);

  runner->of = run;
  runner->world = g_object_ref (world);
  runner->tick = orrery_tick_new (world);
  runner->robots = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_pipeline_free);
  runner->sensors = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_pipeline_free);
  runner->actuators = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_pipeline_free);
  runner->writers = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_writer_unref);
  runner->by_name = g_ptr_array_new ();
  runner->inputs = g_ptr_array_new_with_free_func (g_object_unref);
  runner->managers = g_ptr_array_new_with_free_func (g_object_unref);
  runner->request_managers = g_ptr_array_new_with_free_func (g_object_unref);
  runner->absent = g_ptr_array_new_with_free_func (g_object_unref);
  runner->calls = orrery_calls_new ();
  runner->scripts = orrery_scripts_new (NULL, NULL, NULL);
  runner->seen = orrery_snapshot_new ();
  runner->later = orrery_commands_new ();
  runner->pushes = orrery_commands_new ();
  runner->alarms = g_array_new (FALSE, FALSE, sizeof (OrreryAlarm));
  g_array_set_clear_func (runner->alarms, clear_alarm);
  runner->watches = g_ptr_array_new ();
  runner->tick_watches = g_ptr_array_new ();
  g_mutex_init (&runner->watch_lock);
  runner->waker = orrery_waker_new ();
  runner->clock = ORRERY_CLOCK (orrery_wall_clock_new (1.0));
  runner->frequency = frequency;
  runner->microhertz = (guint64) llround (frequency * 1e6);
  runner->substeps = substeps;
  runner->start = start;
  runner->budget = (OrreryTime) (1e9 / frequency);
  runner->tick->start = runner->tick->time = start;
  runner->tick->dt = 1.0 / frequency;
  orrery_pacer_init (&runner->pacer, ORRERY_PACE_BEST_EFFORT, frequency, 1.0, 20);
  return runner;
}

void
orrery_runner_free (OrreryRunner *runner)
{
  orrery_runner_free_watches (runner);
  g_mutex_clear (&runner->watch_lock);
  g_clear_pointer (&runner->alarms, g_array_unref);
  g_clear_pointer (&runner->calls, orrery_calls_free);
  g_clear_pointer (&runner->workers, orrery_workers_free);
  g_clear_pointer (&runner->scripts, orrery_scripts_free);
  g_clear_pointer (&runner->seen, orrery_snapshot_unref);
  g_clear_pointer (&runner->later, orrery_commands_unref);
  g_clear_pointer (&runner->pushes, orrery_commands_unref);
  g_clear_pointer (&runner->parallel, orrery_parallel_free);
  orrery_steps_clear (&runner->robot_steps);
  orrery_steps_clear (&runner->sensor_steps);
  orrery_steps_clear (&runner->actuator_steps);
  g_clear_pointer (&runner->writers, g_ptr_array_unref);
  g_clear_pointer (&runner->robots, g_ptr_array_unref);
  g_clear_pointer (&runner->remote_sensors, g_ptr_array_unref);
  g_clear_pointer (&runner->remote_actuators, g_ptr_array_unref);
  g_clear_pointer (&runner->sensors, g_ptr_array_unref);
  g_clear_pointer (&runner->actuators, g_ptr_array_unref);
  g_clear_pointer (&runner->by_name, g_ptr_array_unref);
  g_clear_pointer (&runner->inputs, g_ptr_array_unref);
  g_clear_pointer (&runner->managers, g_ptr_array_unref);
  g_clear_pointer (&runner->request_managers, g_ptr_array_unref);
  g_clear_pointer (&runner->absent, g_ptr_array_unref);
  g_clear_object (&runner->physics);
  g_clear_pointer (&runner->tick, orrery_tick_unref);
  g_clear_object (&runner->world);
  g_clear_object (&runner->tasks);
  g_clear_object (&runner->clock);
  g_clear_pointer (&runner->waker, orrery_waker_unref);
  g_clear_pointer (&runner->hash_file, fclose);
  g_free (runner);
}

OrreryTime
orrery_runner_get_time_of (OrreryRunner *runner, guint64 k)
{
  return runner->start +
         (OrreryTime) ((unsigned __int128) (k + 1) * 1000000000000000 / runner->microhertz);
}

/* --- waiting: one function for pause, managers and pace --- */

void
orrery_runner_wake (OrreryRunner *runner)
{
  orrery_waker_wake (runner->waker);
}

void
orrery_runner_restart_pace (OrreryRunner *runner)
{
  runner->wall.last = 0;
  orrery_pacer_restart (&runner->pacer, orrery_clock_get_time (runner->clock));
}

/* A wake-up ends it early. */
static void
sleep_until (OrreryRunner *runner, OrreryTime due)
{
  OrreryTime wait = due < ORRERY_RUNNER_WOKEN ? orrery_clock_get_wait (runner->clock, due) : -1;

  if (wait != 0)
    orrery_waker_sleep (runner->waker, wait);
}

static gboolean
gates_open (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->managers->len; i++) {
    OrreryDatastreamManager *manager = runner->managers->pdata[i];
    OrreryDatastreamManagerClass *klass = ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager);

    if (klass->gate != NULL && !klass->gate (manager))
      return FALSE;
  }
  return TRUE;
}

void
orrery_runner_intake_requests (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->request_managers->len; i++) {
    OrreryRequestManager *manager = runner->request_managers->pdata[i];

    orrery_request_manager_take_wake (manager);
    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->intake != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->intake (manager);
  }
}

void
orrery_runner_flush_requests (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->request_managers->len; i++) {
    OrreryRequestManager *manager = runner->request_managers->pdata[i];

    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush (manager);
  }
}

void
orrery_runner_answer (OrreryRunner *runner)
{
  orrery_runner_intake_requests (runner);
  {
    g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TURN);

    orrery_calls_run (runner->calls);
  }
  orrery_runner_flush_requests (runner);
}

static gboolean
was_woken (OrreryRunner *runner)
{
  gboolean woken = FALSE;

  for (guint i = 0; i < runner->request_managers->len; i++)
    woken |= orrery_request_manager_take_wake (runner->request_managers->pdata[i]);
  return woken;
}

/* --- idle turns, while it is stopped or paused --- */

static OrreryCallback
get_idle_callback (OrreryRunner *runner)
{
  return runner->of->state == ORRERY_RUN_PAUSED ? ORRERY_CALLBACK_SUSPENDED
                                                : ORRERY_CALLBACK_NON_SIMULATION;
}

void
orrery_runner_call_idle (OrreryRunner *runner)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TURN);

  orrery_scripts_call (runner->scripts, get_idle_callback (runner), runner->tick);
}

void
orrery_runner_begin_idle (OrreryRunner *runner)
{
  runner->idle_due = orrery_clock_get_time (runner->clock);
}

/* Runs what is due while the run is stopped or paused. Returns: when it is to be called again */
static OrreryTime
idle (OrreryRunner *runner)
{
  OrreryTime now;

  if (was_woken (runner)) {
    orrery_runner_answer (runner);
    return ORRERY_RUNNER_NOW;
  }
  if (runner->of->state == ORRERY_RUN_RUNNING ||
      !orrery_scripts_has (runner->scripts, get_idle_callback (runner)))
    return ORRERY_RUNNER_WOKEN;
  now = orrery_clock_get_time (runner->clock);
  if (now < runner->idle_due)
    return runner->idle_due;
  orrery_runner_call_idle (runner);
  runner->idle_due = MAX (runner->idle_due + runner->budget, now);
  return ORRERY_RUNNER_NOW;
}

static gboolean
may_tick (OrreryRunner *runner)
{
  return runner->of->state == ORRERY_RUN_RUNNING ||
         (runner->of->state == ORRERY_RUN_PAUSED && runner->of->steps_left > 0);
}

typedef enum {
  GATE_OPEN,
  GATE_SHUT, /* the run is stopped or paused, or it waits for a manager */
  GATE_END,  /* no further tick: an end was requested, or the limit is reached */
} Gate;

/* @waits: also waits for a start or a resume */
static Gate
look_at_gates (OrreryRunner *runner, OrreryTime end, gboolean waits)
{
  if (orrery_run_is_quitting (runner->of) ||
      (end != 0 && orrery_clock_get_time (runner->clock) >= end))
    return GATE_END;
  if (may_tick (runner) && gates_open (runner)) {
    /* The pacer does not catch up for the time of the wait. */
    if (runner->held)
      orrery_pacer_restart (&runner->pacer, orrery_clock_get_time (runner->clock));
    runner->held = FALSE;
    return GATE_OPEN;
  }
  if (!waits && !may_tick (runner))
    return GATE_END;
  runner->held = TRUE;
  return GATE_SHUT;
}

/* In the order (due, sequence), independent of the pace: the time is that of the tick only. */
static void
drain_tasks (OrreryRunner *runner)
{
  OrreryClock *clock = orrery_scheduler_get_clock (runner->tasks);

  orrery_manual_clock_put_time (ORRERY_MANUAL_CLOCK (clock),
                                orrery_runner_get_time_of (runner, runner->n_ticks - 1));
  orrery_scheduler_run_due (runner->tasks);
}

void
orrery_runner_end_tick (OrreryRunner *runner)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TICKS);

  if (!runner->untold)
    return;
  runner->untold = FALSE;
  if (runner->tasks != NULL && runner->n_ticks > 0)
    drain_tasks (runner);
  orrery_runner_tell_watches (runner);
}

static gboolean
run_phases (OrreryRunner *runner, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TURN);

  return orrery_runner_run_phases (runner, error);
}

/* Runs one tick, which has nothing to wait for, and what follows it, unless a request is
 * pending. */
static gboolean
run_tick (OrreryRunner *runner, GError **error)
{
  OrreryRun *run = runner->of;

  if (G_UNLIKELY (!runner->packed))
    orrery_runner_pack (runner);
  if (!run_phases (runner, error))
    return FALSE;
  /* Also read by other threads: orrery_simulation_get_n_ticks(). */
  __atomic_store_n (&runner->n_ticks, runner->n_ticks + 1, __ATOMIC_RELAXED);
  run->n_total++;
  if (run->state == ORRERY_RUN_PAUSED) {
    run->steps_left--;
    run->asked = TRUE;
  }
  runner->untold = runner->tasks != NULL || runner->tick_watches->len > 0;
  if (G_UNLIKELY (runner->untold && !run->asked))
    orrery_runner_end_tick (runner);
  return TRUE;
}

OrreryStretch
orrery_runner_tick (OrreryRunner *runner, gboolean *ran, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TICKS);
  Gate gate;

  *ran = FALSE;
  while ((gate = look_at_gates (runner, 0, FALSE)) == GATE_SHUT) {
    OrreryTime due = idle (runner);

    if (runner->of->asked)
      return ORRERY_STRETCH_ASKED;
    if (due != ORRERY_RUNNER_NOW)
      sleep_until (runner, due);
  }
  if (gate == GATE_END)
    return ORRERY_STRETCH_OVER;
  *ran = run_tick (runner, error);
  if (!*ran)
    return ORRERY_STRETCH_FAILED;
  return runner->of->asked ? ORRERY_STRETCH_ASKED : ORRERY_STRETCH_OVER;
}

void
orrery_runner_begin (OrreryRunner *runner)
{
  runner->round = 0;
  runner->held = FALSE;
  orrery_pacer_restart (&runner->pacer, orrery_clock_get_time (runner->clock));
}

/* FALSE: none of this round runs now; *due: when to check again. */
static gboolean
pass_gates (OrreryRunner *runner, OrreryTime end, OrreryTime *due)
{
  Gate gate = look_at_gates (runner, end, TRUE);

  if (gate == GATE_END)
    *due = ORRERY_RUNNER_END;
  else if (gate == GATE_SHUT)
    *due = idle (runner);
  return gate == GATE_OPEN;
}

/* FALSE: no tick is due before *due. */
static gboolean
begin_round (OrreryRunner *runner, OrreryTime end, OrreryTime *due)
{
  OrreryTime now = orrery_clock_get_time (runner->clock);

  if (orrery_run_is_quitting (runner->of) || (end != 0 && now >= end)) {
    *due = ORRERY_RUNNER_END;
    return FALSE;
  }
  runner->round = orrery_pacer_next (&runner->pacer, now, due);
  return runner->round > 0;
}

OrreryTime
orrery_runner_advance (OrreryRunner *runner, guint64 n_total, OrreryTime end, GError **error)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TICKS);
  OrreryTime due = ORRERY_RUNNER_NOW;

  if (runner->of->n_total >= n_total)
    return ORRERY_RUNNER_END;
  if (runner->round == 0 && !begin_round (runner, end, &due))
    return end != 0 ? MIN (due, end) : due;
  while (runner->round > 0 && runner->of->n_total < n_total) {
    if (!pass_gates (runner, end, &due))
      return end != 0 ? MIN (due, end) : due;
    runner->round--;
    if (!run_tick (runner, error))
      return ORRERY_RUNNER_END;
    if (runner->of->asked)
      break;
  }
  return ORRERY_RUNNER_NOW;
}

OrreryStretch
orrery_runner_run (OrreryRunner *runner, guint64 n_total, OrreryTime end, GError **error)
{
  int slack = orrery_waker_begin_precision ();
  OrreryStretch how = ORRERY_STRETCH_OVER;
  GError *local = NULL;
  OrreryTime due;

  while ((due = orrery_runner_advance (runner, n_total, end, &local)) != ORRERY_RUNNER_END) {
    if (runner->of->asked) {
      how = ORRERY_STRETCH_ASKED;
      break;
    }
    if (due != ORRERY_RUNNER_NOW)
      sleep_until (runner, due);
  }
  orrery_waker_end_precision (slack);
  if (local == NULL)
    return how;
  g_propagate_error (error, local);
  return ORRERY_STRETCH_FAILED;
}

OrreryScheduler *
orrery_runner_get_tasks (OrreryRunner *runner)
{
  g_autoptr (OrreryClock) clock = NULL;

  if (runner->tasks == NULL) {
    clock = ORRERY_CLOCK (
        orrery_manual_clock_new (runner->n_ticks > 0
                                     ? orrery_runner_get_time_of (runner, runner->n_ticks - 1)
                                     : runner->start,
                                 FALSE));
    runner->tasks = orrery_scheduler_new (clock, NULL);
  }
  return runner->tasks;
}

void
orrery_runner_set_scale (OrreryRunner *runner, double scale)
{
  runner->pacer.scale = scale;
  orrery_pacer_restart (&runner->pacer, orrery_clock_get_time (runner->clock));
}

static void
restart_all (GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++)
    orrery_pipeline_restart (pipelines->pdata[i]);
}

void
orrery_runner_rewind (OrreryRunner *runner)
{
  runner->tick->time = runner->start;
  runner->tick->number = 0;
  runner->physics_suspended = FALSE;
  restart_all (runner->robots);
  restart_all (runner->sensors);
  restart_all (runner->actuators);
  orrery_scripts_forget_contacts (runner->scripts);
  orrery_commands_clear (runner->pushes);
  orrery_world_place (runner->world);
  if (runner->workers != NULL)
    runner->workers->serial++;
}

void
orrery_runner_restart (OrreryRunner *runner)
{
  __atomic_store_n (&runner->n_ticks, 0, __ATOMIC_RELAXED);
  runner->run++;
  runner->hash = 0;
  memset (&runner->wall, 0, sizeof runner->wall);
  orrery_pacer_restart (&runner->pacer, orrery_clock_get_time (runner->clock));
}

GVariant *
orrery_runner_list_services (gpointer runner, OrreryRequestManager *manager)
{
  return orrery_calls_list (((OrreryRunner *) runner)->calls, manager);
}

void
orrery_runner_submit (gpointer runner, OrreryRequestManager *manager, const char *part,
                      OrreryCall *call)
{
  orrery_calls_submit (((OrreryRunner *) runner)->calls, manager, part, call);
}
