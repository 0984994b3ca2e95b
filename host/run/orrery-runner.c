/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-runner-private.h"

#include "roles/orrery-request-manager-private.h"
#include "run/orrery-clock-private.h"
#include "world/orrery-world-private.h"

#include <glib-unix.h>
#include <math.h>
#include <sys/timerfd.h>
#include <unistd.h>

OrreryTime
orrery_runner_read_clock (gpointer data)
{
  return orrery_clock_read_monotonic ();
}

static gboolean
timer_fired (int fd, GIOCondition condition, gpointer data)
{
  guint64 times;

  /* Nothing to read: somebody set it anew meanwhile. */
  if (read (fd, &times, sizeof times) < 0)
    return G_SOURCE_CONTINUE;
  return G_SOURCE_CONTINUE;
}

/* GLib's own time-outs are whole milliseconds, and late; one timerfd is neither. */
static void
create_timer (OrreryRunner *runner)
{
  runner->timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  g_assert (runner->timer_fd >= 0);
  runner->timer = g_unix_fd_source_new (runner->timer_fd, G_IO_IN);
  g_source_set_callback (runner->timer, G_SOURCE_FUNC (timer_fired), NULL, NULL);
  /* Else GLib takes its descriptor out of the poll, and puts it back, each time that it fires. */
  g_source_set_can_recurse (runner->timer, TRUE);
  g_source_attach (runner->timer, runner->context);
}

static void
clear_alarm (gpointer data)
{
  OrreryAlarm *alarm = data;

  g_clear_object (&alarm->call);
}

OrreryRunner *
orrery_runner_new (OrreryWorld *world, double frequency, guint substeps, OrreryTime start)
{
  OrreryRunner *runner = g_new0 (OrreryRunner, 1);

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
  runner->context = g_main_context_new ();
  create_timer (runner);
  runner->frequency = frequency;
  runner->microhertz = (guint64) llround (frequency * 1e6);
  runner->substeps = substeps;
  runner->start = start;
  runner->state = ORRERY_STATE_RUNNING;
  runner->clock = orrery_runner_read_clock;
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
  g_source_destroy (runner->timer);
  g_clear_pointer (&runner->timer, g_source_unref);
  close (runner->timer_fd);
  g_clear_pointer (&runner->context, g_main_context_unref);
  g_clear_pointer (&runner->hash_file, fclose);
  g_free (runner);
}

OrreryTime
orrery_runner_get_time_of (OrreryRunner *runner, guint64 k)
{
  return runner->start +
         (OrreryTime) ((unsigned __int128) (k + 1) * 1000000000000000 / runner->microhertz);
}

/* --- waiting: one place, for pause, gates and pace --- */

gboolean
orrery_runner_is_stopping (OrreryRunner *runner)
{
  return __atomic_load_n (&runner->stopping, __ATOMIC_ACQUIRE);
}

void
orrery_runner_stop (OrreryRunner *runner)
{
  __atomic_store_n (&runner->stopping, 1, __ATOMIC_RELEASE);
  g_main_context_wakeup (runner->context);
}

static void
set_timer (OrreryRunner *runner, OrreryTime when)
{
  struct itimerspec spec = { .it_value = { when / ORRERY_SECOND, when % ORRERY_SECOND } };

  timerfd_settime (runner->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
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
  runner->in_turn = TRUE;
  orrery_calls_run (runner->calls);
  runner->in_turn = FALSE;
  orrery_runner_flush_requests (runner);
}

/* Between two turns. What was waited for is answered at once: the next turn may be far. */
static void
settle (OrreryRunner *runner)
{
  if (G_LIKELY (!runner->pending || runner->settle == NULL))
    return;
  runner->settle (runner->settle_host);
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
  return runner->state == ORRERY_STATE_PAUSED ? ORRERY_CALLBACK_SUSPENDED
                                              : ORRERY_CALLBACK_NON_SIMULATION;
}

static void
call_idle (OrreryRunner *runner)
{
  runner->in_turn = TRUE;
  orrery_scripts_call (runner->scripts, get_idle_callback (runner), runner->tick);
  runner->in_turn = FALSE;
}

void
orrery_runner_turn (OrreryRunner *runner)
{
  orrery_runner_answer (runner);
  settle (runner);
  if (runner->state != ORRERY_STATE_RUNNING && !runner->leaving)
    call_idle (runner);
  settle (runner);
}

void
orrery_runner_begin_idle (OrreryRunner *runner, OrreryState state)
{
  runner->state = state;
  runner->idle_due = runner->clock (runner->clock_data);
}

/* Does what is due, or waits until something is. */
static void
idle (OrreryRunner *runner, OrreryTime end)
{
  OrreryTime wake = end;

  if (was_woken (runner)) {
    orrery_runner_answer (runner);
    return;
  }
  if (runner->state != ORRERY_STATE_RUNNING &&
      orrery_scripts_has (runner->scripts, get_idle_callback (runner))) {
    OrreryTime now = runner->clock (runner->clock_data);

    if (now >= runner->idle_due) {
      call_idle (runner);
      runner->idle_due = MAX (runner->idle_due + runner->budget, now);
      return;
    }
    wake = end != 0 ? MIN (end, runner->idle_due) : runner->idle_due;
  }
  if (wake != 0)
    set_timer (runner, wake);
  g_main_context_iteration (runner->context, TRUE);
}

static gboolean
may_tick (OrreryRunner *runner)
{
  return runner->state == ORRERY_STATE_RUNNING ||
         (runner->state == ORRERY_STATE_PAUSED && runner->steps_left > 0);
}

/* Holds the loop while it is stopped or paused, or a gate is shut. FALSE: asked to end, or end is
 * reached. */
static gboolean
pass_gates (OrreryRunner *runner, OrreryTime end)
{
  gboolean held = FALSE;

  for (;;) {
    settle (runner);
    if (orrery_runner_is_stopping (runner) || runner->leaving)
      return FALSE;
    if (end != 0 && runner->clock (runner->clock_data) >= end)
      return FALSE;
    if (may_tick (runner) && gates_open (runner))
      break;
    if (runner->stepping && !may_tick (runner))
      return FALSE;
    held = TRUE;
    idle (runner, end);
  }
  /* What was waited for is not made up for. */
  if (held)
    orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
  return TRUE;
}

static gboolean
tick_until (OrreryRunner *runner, OrreryTime end, GError **error)
{
  gboolean fine;

  if (G_UNLIKELY (!runner->packed))
    orrery_runner_pack (runner);
  if (!pass_gates (runner, end))
    return FALSE;
  runner->in_turn = TRUE;
  fine = orrery_runner_run_phases (runner, error);
  runner->in_turn = FALSE;
  if (!fine)
    return FALSE;
  /* Read by other threads, too: orrery_simulation_get_n_ticks(). */
  __atomic_store_n (&runner->n_ticks, runner->n_ticks + 1, __ATOMIC_RELAXED);
  runner->n_total++;
  if (runner->state == ORRERY_STATE_PAUSED) {
    runner->steps_left--;
    runner->pending = TRUE;
  }
  settle (runner);
  if (G_UNLIKELY (runner->tick_watches->len > 0))
    orrery_runner_tell_watches (runner);
  return TRUE;
}

gboolean
orrery_runner_tick (OrreryRunner *runner, GError **error)
{
  return tick_until (runner, 0, error);
}

static gboolean
run_round (OrreryRunner *runner, guint n, OrreryTime end, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!tick_until (runner, end, error))
      return FALSE;
  return TRUE;
}

static void
wait_until (OrreryRunner *runner, OrreryTime when)
{
  set_timer (runner, when);
  g_main_context_iteration (runner->context, TRUE);
}

gboolean
orrery_runner_run (OrreryRunner *runner, guint64 n, OrreryTime end, GError **error)
{
  guint64 last = n > 0 ? runner->n_total + n : G_MAXUINT64;
  GError *local = NULL;

  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
  while (local == NULL && runner->n_total < last && !orrery_runner_is_stopping (runner) &&
         !runner->leaving) {
    OrreryTime now = runner->clock (runner->clock_data);
    OrreryTime due;
    guint round;

    if (end != 0 && now >= end)
      break;
    round = orrery_pacer_next (&runner->pacer, now, &due);
    if (round == 0)
      wait_until (runner, end != 0 ? MIN (due, end) : due);
    else
      run_round (runner, MIN (round, last - runner->n_total), end, &local);
  }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

void
orrery_runner_set_scale (OrreryRunner *runner, double scale)
{
  runner->pacer.scale = scale;
  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
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
  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
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
