/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-runner-private.h"

#include "roles/orrery-request-manager-private.h"
#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

#include <glib-unix.h>
#include <inttypes.h>
#include <math.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* One tick in so many is timed component by component, and this many after one that was slow. */
#define SAMPLE_EVERY 31 /* no component's rhythm hides from a prime */
#define HOT_TICKS 32u

static OrreryTime
read_clock (gpointer data)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (OrreryTime) now.tv_sec * ORRERY_SECOND + now.tv_nsec;
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
  runner->calls = orrery_calls_new ();
  runner->alarms = g_array_new (FALSE, FALSE, sizeof (OrreryAlarm));
  g_array_set_clear_func (runner->alarms, clear_alarm);
  runner->context = g_main_context_new ();
  create_timer (runner);
  runner->frequency = frequency;
  runner->microhertz = (guint64) llround (frequency * 1e6);
  runner->substeps = substeps;
  runner->start = start;
  runner->clock = read_clock;
  runner->budget = (OrreryTime) (1e9 / frequency);
  runner->tick->start = runner->tick->time = start;
  runner->tick->dt = 1.0 / frequency;
  orrery_pacer_init (&runner->pacer, ORRERY_PACE_BEST_EFFORT, frequency, 1.0, 20);
  return runner;
}

void
orrery_runner_free (OrreryRunner *runner)
{
  g_clear_pointer (&runner->alarms, g_array_unref);
  g_clear_pointer (&runner->calls, orrery_calls_free);
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

static void
flush_requests (OrreryRunner *runner)
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
  orrery_calls_run (runner->calls);
  flush_requests (runner);
}

static gboolean
was_woken (OrreryRunner *runner)
{
  gboolean woken = FALSE;

  for (guint i = 0; i < runner->request_managers->len; i++)
    woken |= orrery_request_manager_take_wake (runner->request_managers->pdata[i]);
  return woken;
}

/* Holds the loop while it is paused or a gate is shut. FALSE: asked to stop, or end is reached. */
static gboolean
pass_gates (OrreryRunner *runner, OrreryTime end)
{
  gboolean held = FALSE;

  for (;;) {
    if (orrery_runner_is_stopping (runner))
      return FALSE;
    if (end != 0 && runner->clock (runner->clock_data) >= end)
      return FALSE;
    if (!runner->paused && gates_open (runner))
      break;
    if (end != 0 && !held)
      set_timer (runner, end);
    held = TRUE;
    if (was_woken (runner))
      orrery_runner_answer (runner);
    else
      g_main_context_iteration (runner->context, TRUE);
  }
  /* What was waited for is not made up for. */
  if (held)
    orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
  return TRUE;
}

/* --- the phases --- */

static void
intake (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->managers->len; i++) {
    OrreryDatastreamManager *manager = runner->managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->intake != NULL)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->intake (manager);
  }
  for (guint i = 0; i < runner->inputs->len; i++)
    orrery_stream_take (runner->inputs->pdata[i]);
  orrery_runner_intake_requests (runner);
}

static void
flush_streams (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->managers->len; i++) {
    OrreryDatastreamManager *manager = runner->managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->flush (manager);
  }
}

static gboolean
is_sample (OrreryRunner *runner)
{
  return runner->n_ticks < SAMPLE_EVERY || runner->n_ticks % SAMPLE_EVERY == 0;
}

static void
charge (OrreryRunner *runner, OrreryPipeline *pipeline, gint64 ns)
{
  OrreryCost *cost = &pipeline->cost;

  /* The first ticks, with cold caches, are counted as they were and stand for no others. */
  if (runner->n_ticks >= SAMPLE_EVERY && is_sample (runner)) {
    cost->n_sampled++;
    cost->sampled_ns += ns;
  }
  /* A step that is measured is counted as it was; the others are estimated from the samples. */
  cost->n_watched++;
  cost->watched_ns += ns;
  cost->worst_ns = MAX (cost->worst_ns, ns);
  if (ns <= pipeline->budget)
    return;

  runner->hot = TRUE;
  runner->hot_left = runner->hot_ticks;
  if (!cost->warned)
    g_warning ("%s takes %.1f ms for a step, %.0f times the %.1f ms of a tick", pipeline->name,
               ns * 1e-6, (double) ns / pipeline->budget, pipeline->budget * 1e-6);
  cost->warned = TRUE;
}

static void
run_timed (OrreryRunner *runner, const OrrerySteps *steps, OrreryStepOne one)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;
  gint64 before = read_clock (NULL);

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;
       step = orrery_step_next (step)) {
    gint64 after;

    if (one == orrery_step_robot ? !orrery_step_is_robot_up (step) : !orrery_step_is_up (step))
      continue;
    one (step, runner->tick);
    after = read_clock (NULL);
    charge (runner, step->pipeline, after - before);
    before = after;
  }
}

static void
run_steps (OrreryRunner *runner, const OrrerySteps *steps, OrreryStepOne one, OrreryStepAll all,
           gboolean timed)
{
  if (timed)
    run_timed (runner, steps, one);
  else
    all (steps, runner->tick);
}

static gboolean
check_state (OrreryRunner *runner, GError **error)
{
  gint64 bad = orrery_snapshot_find_bad (runner->tick->snapshot);

  if (G_LIKELY (bad < 0))
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE,
               "%s: its pose or velocity is not finite after tick %" G_GUINT64_FORMAT,
               orrery_object_get_name (orrery_world_get_object (runner->world, (guint) bad)),
               runner->n_ticks);
  return FALSE;
}

static void
report_refused (OrreryRunner *runner)
{
  OrreryCommands *commands = runner->tick->commands;

  if (G_LIKELY (commands->n_refused == runner->refused_seen))
    return;
  if (runner->refused_seen == 0)
    g_warning ("%s: a command with a number that is not finite or beyond all measure is refused "
               "(further ones are only "
               "counted)",
               orrery_object_get_name (
                   orrery_world_get_object (runner->world, commands->refused_object)));
  runner->refused_seen = commands->n_refused;
}

static gboolean
step_engine (OrreryRunner *runner, GError **error)
{
  OrreryPhysicsClass *klass = ORRERY_PHYSICS_GET_CLASS (runner->physics);
  OrrerySnapshot *snapshot = runner->tick->snapshot;
  double dt = 1.0 / (runner->substeps * runner->frequency);
  GError *local = NULL;

  klass->apply (runner->physics, runner->tick->commands, &local);
  for (guint i = 0; local == NULL && i < runner->substeps && !runner->physics_suspended; i++)
    klass->step (runner->physics, dt, &local);
  if (local == NULL)
    klass->read (runner->physics, snapshot, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
step_physics (OrreryRunner *runner, GError **error)
{
  report_refused (runner);
  orrery_world_apply (runner->world, runner->tick->dt);
  orrery_snapshot_begin (runner->tick->snapshot);
  if (runner->physics != NULL && !step_engine (runner, error))
    return FALSE;
  orrery_snapshot_finish (runner->tick->snapshot);
  orrery_commands_clear (runner->tick->commands);
  return check_state (runner, error);
}

/* --- calls that wait for a time --- */

void
orrery_runner_add_alarm (OrreryRunner *runner, OrreryTime when, OrreryCall *call)
{
  OrreryAlarm alarm = { when, g_object_ref (call) };

  g_array_append_val (runner->alarms, alarm);
}

static void
ring_alarms (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->alarms->len;) {
    OrreryAlarm *alarm = &g_array_index (runner->alarms, OrreryAlarm, i);
    g_autoptr (OrreryCall) call = NULL;

    if (!orrery_call_is_done (alarm->call) && alarm->when > runner->tick->time) {
      i++;
      continue;
    }
    call = g_object_ref (alarm->call);
    g_array_remove_index (runner->alarms, i);
    orrery_call_return (call, NULL);
  }
}

/* Who is told may call again: what that queues is ended, too. */
void
orrery_runner_end_calls (OrreryRunner *runner)
{
  orrery_calls_end (runner->calls);
  while (runner->alarms->len > 0) {
    guint last = runner->alarms->len - 1;
    g_autoptr (OrreryCall) call =
        g_object_ref (g_array_index (runner->alarms, OrreryAlarm, last).call);

    g_array_set_size (runner->alarms, last);
    orrery_call_cancel (call);
  }
}

/* --- the hash --- */

static guint64
hash_part (OrreryRunner *runner, const char *name, guint64 part)
{
  if (runner->hash_file != NULL)
    fprintf (runner->hash_file, "%" PRIu64 " %s %016" PRIx64 "\n", runner->n_ticks, name, part);
  return part;
}

static void
fold_hash (OrreryRunner *runner)
{
  guint64 part;

  for (guint i = 0; i < runner->by_name->len; i++) {
    OrreryPipeline *pipeline = runner->by_name->pdata[i];

    part = orrery_hash_bytes (0, pipeline->name, strlen (pipeline->name));
    part = orrery_record_hash (pipeline->record, part, runner->start);
    runner->hash = orrery_hash_word (runner->hash, hash_part (runner, pipeline->name, part));
  }
  part = orrery_snapshot_hash (runner->tick->snapshot, 0);
  runner->hash = orrery_hash_word (runner->hash, hash_part (runner, "physics", part));
}

/* --- the tick --- */

static void
note_phase (OrreryRunner *runner, OrreryPhase phase, gint64 *since)
{
  gint64 now = read_clock (NULL);
  gint64 ns = now - *since;

  *since = now;
  runner->phase_ns[phase] += ns;
  /* A phase that takes a whole tick: from now on see who it is. */
  if (ns > runner->budget && !runner->hot) {
    runner->hot = TRUE;
    runner->hot_left = runner->hot_ticks;
  }
}

static void
welford (double value, guint64 *n, double *mean, double *m2)
{
  double delta = value - *mean;

  *mean += delta / ++*n;
  *m2 += delta * (value - *mean);
}

static void
note_wall (OrreryWallStatistics *wall, gint64 now)
{
  if (wall->last == 0)
    wall->window_start = now;
  else
    welford ((now - wall->last) * 1e-9, &wall->n, &wall->mean, &wall->m2);
  wall->last = now;
  wall->window_ticks++;
  if (now - wall->window_start < ORRERY_SECOND)
    return;
  welford (wall->window_ticks * 1e9 / (now - wall->window_start), &wall->n_windows,
           &wall->window_mean, &wall->window_m2);
  wall->window_start = now;
  wall->window_ticks = 0;
}

/* Ticks are timed until whoever was slow has stepped again, however seldom he does. */
static void
find_hot_ticks (OrreryRunner *runner, const OrrerySteps *steps)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;
       step = orrery_step_next (step)) {
    guint64 ticks = step->period / MAX (1, step->increment) + 2;

    runner->hot_ticks = MAX (runner->hot_ticks, (guint) MIN (ticks, G_MAXUINT));
  }
}

/* Before the first tick, when everything is wired. */
static void
pack_steps (OrreryRunner *runner)
{
  orrery_steps_pack (&runner->robot_steps, runner->robots, runner->writers);
  orrery_steps_pack (&runner->sensor_steps, runner->sensors, runner->writers);
  orrery_steps_pack (&runner->actuator_steps, runner->actuators, runner->writers);
  runner->hot_ticks = HOT_TICKS;
  find_hot_ticks (runner, &runner->robot_steps);
  find_hot_ticks (runner, &runner->sensor_steps);
  find_hot_ticks (runner, &runner->actuator_steps);
  runner->packed = TRUE;
}

static gboolean
run_phases (OrreryRunner *runner, GError **error)
{
  gboolean timed = runner->hot || is_sample (runner);
  gint64 since = read_clock (NULL);

  note_wall (&runner->wall, since);
  intake (runner);
  runner->tick->number = runner->n_ticks;
  runner->tick->time = orrery_runner_get_time_of (runner, runner->n_ticks);
  note_phase (runner, ORRERY_PHASE_INTAKE, &since);
  ring_alarms (runner);
  orrery_calls_run (runner->calls);
  flush_requests (runner);
  note_phase (runner, ORRERY_PHASE_SERVICES, &since);
  run_steps (runner, &runner->robot_steps, orrery_step_robot, orrery_steps_run_robots, timed);
  run_steps (runner, &runner->sensor_steps, orrery_step_sensor, orrery_steps_run_sensors, timed);
  flush_streams (runner);
  note_phase (runner, ORRERY_PHASE_SENSE, &since);
  run_steps (runner, &runner->actuator_steps, orrery_step_actuator, orrery_steps_run_actuators,
             timed);
  flush_streams (runner);
  note_phase (runner, ORRERY_PHASE_ACT, &since);
  if (!step_physics (runner, error))
    return FALSE;
  note_phase (runner, ORRERY_PHASE_PHYSICS, &since);
  if (runner->hot && --runner->hot_left == 0)
    runner->hot = FALSE;
  return TRUE;
}

static gboolean
tick_until (OrreryRunner *runner, OrreryTime end, GError **error)
{
  if (G_UNLIKELY (!runner->packed))
    pack_steps (runner);
  if (!pass_gates (runner, end))
    return FALSE;
  if (!run_phases (runner, error))
    return FALSE;
  if (runner->hashing)
    fold_hash (runner);
  /* Read by other threads, too: orrery_simulation_get_n_ticks(). */
  __atomic_store_n (&runner->n_ticks, runner->n_ticks + 1, __ATOMIC_RELAXED);
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
  guint64 last = n > 0 ? runner->n_ticks + n : G_MAXUINT64;
  GError *local = NULL;

  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
  while (local == NULL && runner->n_ticks < last && !orrery_runner_is_stopping (runner)) {
    OrreryTime now = runner->clock (runner->clock_data);
    OrreryTime due;
    guint round;

    if (end != 0 && now >= end)
      break;
    round = orrery_pacer_next (&runner->pacer, now, &due);
    if (round == 0)
      wait_until (runner, end != 0 ? MIN (due, end) : due);
    else
      run_round (runner, MIN (round, last - runner->n_ticks), end, &local);
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
orrery_runner_restart (OrreryRunner *runner)
{
  __atomic_store_n (&runner->n_ticks, 0, __ATOMIC_RELAXED);
  runner->run++;
  runner->hash = 0;
  runner->tick->time = runner->start;
  runner->physics_suspended = FALSE;
  restart_all (runner->robots);
  restart_all (runner->sensors);
  restart_all (runner->actuators);
  orrery_world_place (runner->world);
  orrery_pacer_restart (&runner->pacer, runner->clock (runner->clock_data));
}

void
orrery_runner_submit (gpointer runner, OrreryRequestManager *manager, const char *part,
                      OrreryCall *call)
{
  orrery_calls_submit (((OrreryRunner *) runner)->calls, manager, part, call);
}
