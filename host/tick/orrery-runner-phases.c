/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the phases of one tick in their order, and measures what each of them costs. */
#include "tick/orrery-runner-internal.h"

#include "base/orrery-monotonic-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

/* One tick in so many is timed per component, and so are this many ticks after a slow one. */
#define SAMPLE_EVERY 31 /* prime, so no period of a component coincides with it */
/* Records are looked through for NaN in the first ticks, then in one in so many. */
#define LOOK_EVERY (8 * SAMPLE_EVERY)

/* --- streams --- */

static void
intake (OrreryRunner *runner)
{
  OrreryManagers *managers = &runner->managers;

  if (G_UNLIKELY (managers->absent->len > 0))
    orrery_runner_retry_absent (runner);
  for (guint i = 0; i < managers->all->len; i++) {
    OrreryDatastreamManager *manager = managers->all->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->intake != NULL)
      ORRERY_PART_CALL (manager, "intake",
                        ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->intake (manager));
  }
  for (guint i = 0; i < managers->inputs->len; i++)
    orrery_stream_take (managers->inputs->pdata[i]);
  orrery_runner_intake_requests (runner);
  if (runner->workers != NULL)
    orrery_workers_tend (runner->workers);
}

static void
flush_streams (OrreryRunner *runner)
{
  GPtrArray *managers = runner->managers.all;

  for (guint i = 0; i < managers->len; i++) {
    OrreryDatastreamManager *manager = managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_PART_CALL (manager, "flush",
                        ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->flush (manager));
  }
}

/* --- components in workers --- */

/* Starts the steps that are due in all workers at once. */
static void
post (OrreryRunner *runner, GPtrArray *pipelines, gboolean acts)
{
  if (G_LIKELY (pipelines == NULL))
    return;
  orrery_workers_take_answers (runner->workers, acts);
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];

    if (!orrery_remote_can_post (pipeline->remote) || !orrery_step_will_be_up (pipeline->step))
      continue;
    if (ORRERY_IS_ACTUATOR (pipeline->component))
      orrery_pipeline_read_early (pipeline, runner->tick->time);
    orrery_remote_add_step (pipeline->remote);
  }
  orrery_workers_send_steps (runner->workers);
}

static gboolean
check_workers (OrreryRunner *runner, GError **error)
{
  return runner->workers == NULL || orrery_workers_check (runner->workers, error);
}

static gboolean
is_sample (OrreryRunner *runner)
{
  return runner->n_ticks < SAMPLE_EVERY || runner->n_ticks % SAMPLE_EVERY == 0;
}

/* From now on times each component, until the slow one has stepped again. */
static void
be_hot (OrreryRunner *runner)
{
  runner->hot.on = TRUE;
  runner->hot.left = runner->hot.ticks;
}

static void
charge (OrreryRunner *runner, OrreryCost *cost, gpointer part, OrreryTime budget, gint64 ns)
{
  /* The first ticks run with cold caches: they are counted as measured and not used for
   * estimates. */
  if (runner->n_ticks >= SAMPLE_EVERY && is_sample (runner)) {
    cost->n_sampled++;
    cost->sampled_ns += ns;
  }
  /* A measured step is counted as measured; the others are estimated from the samples. */
  cost->n_watched++;
  cost->watched_ns += ns;
  cost->worst_ns = MAX (cost->worst_ns, ns);
  if (ns <= budget)
    return;

  be_hot (runner);
  /* Many components allocate what they need in their first step: a camera, its images and
   * shaders. */
  if (cost->n_watched == 1)
    return;
  /* A run that follows no clock has no time that a tick may take. */
  if (!cost->warned && runner->settings.pace != ORRERY_PACE_FAST)
    orrery_part_log_plain (part, G_LOG_LEVEL_WARNING,
                           "%s takes %.1f ms for a step, %.1f times the %.1f ms of a tick",
                           orrery_part_get_name (part), ns * 1e-6, (double) ns / budget,
                           budget * 1e-6);
  cost->warned = TRUE;
}

static void
run_timed (OrreryRunner *runner, const OrrerySteps *steps, OrreryStepOne one)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;
  /* Later, what a part changes is noticed at the end of the tick, and only then looked for. */
  gboolean checks = runner->thread.suspected || runner->n_ticks < SAMPLE_EVERY;
  gint64 before = orrery_monotonic_now ();

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;
       step = orrery_step_next (step)) {
    gint64 after;

    if (one == orrery_step_robot ? !orrery_step_is_robot_up (step) : !orrery_step_is_up (step))
      continue;
    one (step, runner->tick);
    if (G_UNLIKELY (checks))
      orrery_runner_check_part (runner, ORRERY_PART (step->pipeline->component),
                                &step->pipeline->meddles);
    after = orrery_monotonic_now ();
    charge (runner, &step->pipeline->cost, step->pipeline->component, step->pipeline->budget,
            after - before);
    before = after;
  }
}

static void
run_steps (OrreryRunner *runner, const OrrerySteps *steps, OrreryStepOne one, OrreryStepAll all,
           gboolean timed)
{
  if (steps->first == steps->end)
    return;
  if (timed)
    run_timed (runner, steps, one);
  else
    all (steps, runner->tick);
  orrery_calling_set (NULL);
}

/* --- records that come later --- */

/* Before the sensors step, those that do not step now: who reads their records in this phase sees
 * what is due. */
static void
release_idle (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->late->len; i++)
    if (!orrery_step_will_be_up (runner->late->pdata[i]))
      orrery_step_release (runner->late->pdata[i], runner->tick);
}

/* Afterwards all of them, for more than one may be due in a tick. */
static void
release_rest (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->late->len; i++)
    orrery_step_release (runner->late->pdata[i], runner->tick);
  orrery_calling_set (NULL);
}

static void
sense (OrreryRunner *runner, gboolean timed)
{
  OrreryParallel *parallel = runner->parallel;

  if (G_LIKELY (parallel == NULL || (parallel->is_light && !timed))) {
    run_steps (runner, &runner->stages[ORRERY_STAGE_SENSORS].steps, orrery_step_sensor,
               orrery_steps_run_sensors, timed);
    return;
  }
  orrery_parallel_run (parallel, runner->tick, timed);
  orrery_calling_set (NULL);
  for (guint i = 0; timed && i < parallel->n_up; i++) {
    OrreryPipeline *pipeline = parallel->up[i]->step->pipeline;

    charge (runner, &pipeline->cost, pipeline->component, pipeline->budget, parallel->up[i]->ns);
  }
}

static void
run_sensors (OrreryRunner *runner, gboolean timed)
{
  if (G_LIKELY (runner->late->len == 0)) {
    sense (runner, timed);
    return;
  }
  release_idle (runner);
  sense (runner, timed);
  release_rest (runner);
}

static gboolean
check_state (OrreryRunner *runner, GError **error)
{
  gint64 bad = orrery_snapshot_find_bad (runner->tick->snapshot);

  if (G_LIKELY (bad < 0))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "%s: its pose or velocity is not finite after tick %" G_GUINT64_FORMAT,
                           orrery_object_get_name (
                               orrery_world_get_object (runner->world, (guint) bad)),
                           runner->n_ticks);
}

static void
report_refused (OrreryRunner *runner)
{
  OrreryCommands *commands = runner->tick->commands;

  if (G_LIKELY (commands->n_refused == runner->refused_seen))
    return;
  if (runner->refused_seen == 0)
    g_warning ("%s: a command with a number that is not finite, or too large, is refused "
               "(further ones are only "
               "counted)",
               orrery_object_get_name (
                   orrery_world_get_object (runner->world, commands->refused_object)));
  runner->refused_seen = commands->n_refused;
}

/* --- physics, and the scripts around its substeps --- */

static void
lose_pushes (OrreryRunner *runner)
{
  if (!runner->dyn.warned)
    orrery_part_log_plain (runner->physics, G_LOG_LEVEL_WARNING,
                           "%s takes no forces for one substep: those of dyn are lost",
                           orrery_part_get_classpath (ORRERY_PART (runner->physics)));
  runner->dyn.warned = TRUE;
  orrery_commands_clear (runner->dyn.pushes);
}

/* Forces apply to the next substep, all other commands wait for the next tick. */
static void
sort_staged (OrreryRunner *runner)
{
  GArray *staged = runner->dyn.later->staged;
  guint first = runner->dyn.n_later;
  guint n = first;

  for (guint i = first; i < staged->len; i++) {
    OrreryCommand *command = &g_array_index (staged, OrreryCommand, i);

    if (command->kind == ORRERY_COMMAND_FORCE)
      g_array_append_vals (runner->dyn.pushes->staged, command, 1);
    else
      g_array_index (staged, OrreryCommand, n++) = *command;
  }
  g_array_set_size (staged, n);
  runner->dyn.n_later = n;
  if (runner->dyn.pushes->staged->len > 0 &&
      ORRERY_PHYSICS_GET_CLASS (runner->physics)->push == NULL)
    lose_pushes (runner);
}

static void
call_dyn (OrreryRunner *runner, guint substep, gboolean after)
{
  OrreryTick *tick = runner->tick;
  OrreryCommands *commands = tick->commands;
  OrrerySnapshot *snapshot = tick->snapshot;

  if (!runner->has_scripts || !orrery_scripts_has (runner->scripts, ORRERY_CALLBACK_DYN))
    return;
  tick->substep = substep;
  tick->after_substep = after;
  tick->commands = runner->dyn.later;
  tick->snapshot = runner->dyn.seen;
  orrery_scripts_call (runner->scripts, ORRERY_CALLBACK_DYN, tick);
  tick->commands = commands;
  tick->snapshot = snapshot;
  tick->substep = 0;
  tick->after_substep = FALSE;
  sort_staged (runner);
}

static void
run_substep (OrreryRunner *runner, guint i, double dt, GError **error)
{
  OrreryPhysicsClass *klass = ORRERY_PHYSICS_GET_CLASS (runner->physics);
  GError *local = NULL;

  call_dyn (runner, i, FALSE);
  if (G_UNLIKELY (runner->follows != NULL))
    orrery_lead_take_pushes (runner->follows, i, runner->dyn.pushes);
  if (G_UNLIKELY (runner->leads != NULL))
    orrery_lead_keep_pushes (runner->leads, i, runner->dyn.pushes);
  if (G_UNLIKELY (runner->dyn.pushes->staged->len > 0)) {
    ORRERY_PART_CALL (runner->physics, "push",
                      klass->push (runner->physics, runner->dyn.pushes, &local));
    orrery_commands_clear (runner->dyn.pushes);
  }
  if (local == NULL)
    ORRERY_PART_CALL (runner->physics, "step", klass->step (runner->physics, dt, &local));
  if (local == NULL)
    call_dyn (runner, i, TRUE);
  else
    g_propagate_error (error, local);
}

static gboolean
step_engine (OrreryRunner *runner, GError **error)
{
  OrreryPhysicsClass *klass = ORRERY_PHYSICS_GET_CLASS (runner->physics);
  double dt = 1.0 / (runner->settings.substeps * runner->settings.frequency);
  GError *local = NULL;

  ORRERY_PART_CALL (runner->physics, "apply",
                    klass->apply (runner->physics, runner->tick->commands, &local));
  for (guint i = 0; local == NULL && i < runner->settings.substeps && !runner->physics_suspended;
       i++)
    run_substep (runner, i, dt, &local);
  orrery_snapshot_set_substep (runner->tick->snapshot, dt);
  if (local == NULL)
    ORRERY_PART_CALL (runner->physics, "read",
                      klass->read (runner->physics, runner->tick->snapshot, &local));
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "%s: in tick %" G_GUINT64_FORMAT ": ",
                  orrery_part_get_classpath (ORRERY_PART (runner->physics)), runner->n_ticks);
  g_propagate_error (error, local);
  return FALSE;
}

static void
keep_later (OrreryRunner *runner)
{
  OrreryCommands *commands = runner->tick->commands;
  OrreryCommands *later = runner->dyn.later;
  GArray *changes = commands->changes;

  orrery_commands_clear (commands);
  commands->changes = later->changes;
  later->changes = changes;
  if (later->staged->len > 0)
    g_array_append_vals (commands->staged, later->staged->data, later->staged->len);
  orrery_commands_note_refused (commands, later->n_refused, later->refused_object);
  later->n_refused = 0;
  orrery_commands_clear (later);
  runner->dyn.n_later = 0;
  if (G_UNLIKELY (runner->inputs->func != NULL))
    orrery_inputs_settle (runner->inputs);
}

/* What a script sets of a joint applies in this tick. */
static void
call_joints (OrreryRunner *runner)
{
  OrreryObject *joint;
  guint at = 0;

  if (!runner->has_scripts || !orrery_scripts_has (runner->scripts, ORRERY_CALLBACK_JOINT))
    return;
  while ((joint = orrery_world_get_driven (runner->world, &at)) != NULL)
    orrery_scripts_call_joint (runner->scripts, joint, runner->tick);
}

/* All that is staged is staged: from here on the tick is the world's. */
static gboolean
settle_lead (OrreryRunner *runner, GError **error)
{
  if (runner->follows != NULL &&
      !orrery_lead_take (runner->follows, runner->n_ticks, runner->tick->commands, error))
    return FALSE;
  if (runner->leads != NULL)
    orrery_lead_keep (runner->leads, runner->n_ticks, runner->tick->commands);
  return TRUE;
}

static gboolean
check_lead (OrreryRunner *runner, GError **error)
{
  gint64 other = orrery_lead_find_other (runner->follows, runner->tick->snapshot);

  return other < 0 ||
         orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s: it moves another way than in the run that is followed, in tick "
                           "%" G_GUINT64_FORMAT ": a part or property that differs moves it",
                           orrery_object_get_name (
                               orrery_world_get_object (runner->world, (guint) other)),
                           runner->n_ticks);
}

static gboolean
settle_presence (OrreryRunner *runner, GError **error)
{
  return runner->presence == NULL || !orrery_world_take_presence (runner->world) ||
         runner->presence (runner->presence_data, error);
}

static gboolean
step_physics (OrreryRunner *runner, GError **error)
{
  call_joints (runner);
  report_refused (runner);
  if (!settle_lead (runner, error))
    return FALSE;
  if (runner->has_scripts && orrery_scripts_has (runner->scripts, ORRERY_CALLBACK_DYN))
    orrery_snapshot_copy (runner->dyn.seen, runner->tick->snapshot);
  orrery_world_apply (runner->world, runner->tick->dt);
  orrery_snapshot_begin (runner->tick->snapshot);
  if (runner->physics != NULL && !step_engine (runner, error))
    return FALSE;
  orrery_snapshot_finish (runner->tick->snapshot);
  if (runner->workers != NULL)
    orrery_workers_renew_snapshot (runner->workers);
  keep_later (runner);
  if (G_UNLIKELY (runner->follows != NULL) && !check_lead (runner, error))
    return FALSE;
  return check_state (runner, error) && settle_presence (runner, error);
}

/* --- calls that wait for a time --- */

void
orrery_runner_add_alarm (OrreryRunner *runner, OrreryTime delay, OrreryCall *call)
{
  OrreryAlarm alarm = { runner->tick->time, delay, g_object_ref (call) };

  g_array_append_val (runner->alarms, alarm);
}

/* In the first tick that is nearer to the end of the delay than the next one, and never in the tick
 * of the call itself. In whole nanoseconds, so that rounding decides nothing. */
static gboolean
is_over (OrreryRunner *runner, const OrreryAlarm *alarm)
{
  OrreryTime passed = runner->tick->time - alarm->since;

  return passed > 0 && 2 * passed > 2 * alarm->delay - runner->budget;
}

static void
ring_alarms (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->alarms->len;) {
    OrreryAlarm *alarm = &g_array_index (runner->alarms, OrreryAlarm, i);
    g_autoptr (OrreryCall) call = NULL;

    if (!orrery_call_is_done (alarm->call) && !is_over (runner, alarm)) {
      i++;
      continue;
    }
    call = g_object_ref (alarm->call);
    g_array_remove_index (runner->alarms, i);
    orrery_call_return (call, NULL);
  }
}

/* The caller may call again in its callback: a call that this queues is ended, too. */
void
orrery_runner_end_calls (OrreryRunner *runner)
{
  orrery_calls_end (runner->calls);
  orrery_runner_answer_demands (runner, TRUE);
  while (runner->alarms->len > 0) {
    guint last = runner->alarms->len - 1;
    g_autoptr (OrreryCall) call =
        g_object_ref (g_array_index (runner->alarms, OrreryAlarm, last).call);

    g_array_set_size (runner->alarms, last);
    orrery_call_cancel (call);
  }
}

/* An OrreryInputsStartFunc. */
static void
start_fed (gpointer calls, OrreryRequestManager *manager, const char *part, OrreryCall *call)
{
  orrery_calls_start_outside (calls, manager, part, call);
}

/* Calls come after all components have stepped: what they stage replaces what those have staged,
 * and their answers leave behind the records of this tick. */
static void
run_services (OrreryRunner *runner)
{
  OrreryInputs *inputs = runner->inputs;

  ring_alarms (runner);
  if (G_UNLIKELY (inputs->func != NULL))
    orrery_inputs_settle (inputs);
  inputs->in_services = TRUE;
  if (G_UNLIKELY (inputs->fed.length > 0))
    orrery_inputs_run_fed (inputs, start_fed, runner->calls);
  orrery_calls_run (runner->calls);
  orrery_runner_flush_requests (runner);
  if (G_UNLIKELY (inputs->func != NULL))
    orrery_inputs_note_commands (inputs);
  inputs->in_services = FALSE;
}

static gboolean
has_services (OrreryRunner *runner)
{
  return runner->managers.requests->len > 0 || runner->alarms->len > 0 ||
         runner->inputs->fed.length > 0 || orrery_calls_are_queued (runner->calls);
}

/* --- the tick --- */

/* Reading the clock takes as long as a small component. A phase without anything to do is not
 * noted: its few nanoseconds count for the next one. */
static void
note_phase (OrreryRunner *runner, OrreryPhase phase, gint64 *since)
{
  gint64 now = orrery_monotonic_now ();
  gint64 ns = now - *since;

  *since = now;
  runner->phase_ns[phase] += ns;
  /* This phase takes a whole tick: the components are timed to find the cause. */
  if (ns > runner->budget && !runner->hot.on)
    be_hot (runner);
}

static void
run_scripts (OrreryRunner *runner, gboolean timed, gint64 *since)
{
  runner->has_scripts = orrery_scripts_begin_tick (runner->scripts, timed);
  if (!runner->has_scripts)
    return;
  orrery_scripts_call_contacts (runner->scripts, runner->tick);
  orrery_runner_call_scripts (runner, ORRERY_CALLBACK_SENSING);
  orrery_runner_call_scripts (runner, ORRERY_CALLBACK_ACTUATION);
  note_phase (runner, ORRERY_PHASE_SCRIPTS, since);
}

/* The time of all callbacks of this tick. */
static void
charge_scripts (OrreryRunner *runner)
{
  GPtrArray *slots = orrery_scripts_get_slots (runner->scripts);

  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];

    if (slot->alive)
      charge (runner, &slot->cost, slot->script, runner->budget, slot->tick_ns);
    slot->tick_ns = 0;
  }
  orrery_scripts_end_tick (runner->scripts);
}

static void
welford (double value, guint64 *n, double *mean, double *m2)
{
  double delta = value - *mean;

  *mean += delta / ++*n;
  *m2 += delta * (value - *mean);
}

static void
note_wall (OrreryRunner *runner, gint64 now)
{
  OrreryWallStatistics *wall = &runner->wall;

  if (wall->last == 0 && wall->n == 0)
    wall->since = orrery_runner_get_time_of (runner, runner->n_ticks);
  if (wall->last == 0) {
    wall->window_start = now;
    wall->window_ticks = 0;
  } else
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

/* Of infinities there is nothing to say: some sensors have them where they meet nothing. */
static void
look_at_records (OrreryRunner *runner)
{
  GPtrArray *sensors = runner->stages[ORRERY_STAGE_SENSORS].pipelines;

  if (runner->n_ticks >= SAMPLE_EVERY && runner->n_ticks % LOOK_EVERY != 0)
    return;
  for (guint i = 0; i < sensors->len; i++)
    orrery_pipeline_look_for_nan (sensors->pdata[i]);
}

static gboolean
has_streams (OrreryRunner *runner)
{
  const OrreryManagers *managers = &runner->managers;

  return managers->all->len > 0 || managers->absent->len > 0 || managers->requests->len > 0 ||
         runner->workers != NULL;
}

/* Of what ends at the start of a tick. What it stages is staged again where the run is repeated. */
static gboolean
draw (OrreryRunner *runner, GError **error)
{
  OrreryTime start = runner->settings.start;
  guint64 n = runner->n_ticks;
  gboolean fine =
      runner->draw (runner->draw_data, n, orrery_runner_get_time (runner) - start,
                    n > 1 ? orrery_runner_get_time_of (runner, n - 2) - start : 0, error);

  if (runner->inputs->func != NULL)
    orrery_inputs_settle (runner->inputs);
  return fine;
}

gboolean
orrery_runner_run_phases (OrreryRunner *runner, GError **error)
{
  const OrreryStage *robots = &runner->stages[ORRERY_STAGE_ROBOTS];
  const OrreryStage *sensors = &runner->stages[ORRERY_STAGE_SENSORS];
  const OrreryStage *actuators = &runner->stages[ORRERY_STAGE_ACTUATORS];
  gboolean timed = runner->hot.on || is_sample (runner);
  gboolean streams = has_streams (runner), services;
  gint64 since = orrery_monotonic_now ();

  note_wall (runner, since);
  if (timed)
    orrery_runner_begin_thread (runner);
  if (G_UNLIKELY (__atomic_load_n (&runner->watches.changed, __ATOMIC_ACQUIRE)))
    orrery_runner_settle_watches (runner);
  intake (runner);
  if (runner->demands->len > 0)
    orrery_runner_settle_demands (runner);
  runner->tick->number = runner->n_ticks;
  __atomic_store_n (&orrery_calling_tick, runner->n_ticks, __ATOMIC_RELAXED);
  runner->tick->time = orrery_runner_get_time_of (runner, runner->n_ticks);
  orrery_runner_tick_managers (runner);
  if (G_UNLIKELY (runner->inputs->func != NULL))
    orrery_inputs_note_commands (runner->inputs);
  if (G_UNLIKELY (runner->draw != NULL) && !draw (runner, error))
    return FALSE;
  runner->inputs->in_tick = TRUE;
  if (streams)
    note_phase (runner, ORRERY_PHASE_INTAKE, &since);
  run_steps (runner, &robots->steps, orrery_step_robot, orrery_steps_run_robots, timed);
  post (runner, sensors->remote, FALSE);
  run_sensors (runner, timed);
  if (timed)
    look_at_records (runner);
  if (runner->demands->len > 0)
    orrery_runner_answer_demands (runner, FALSE);
  flush_streams (runner);
  note_phase (runner, ORRERY_PHASE_SENSE, &since);
  run_scripts (runner, timed, &since);
  post (runner, actuators->remote, TRUE);
  run_steps (runner, &actuators->steps, orrery_step_actuator, orrery_steps_run_actuators, timed);
  flush_streams (runner);
  if (streams || actuators->steps.first != actuators->steps.end)
    note_phase (runner, ORRERY_PHASE_ACT, &since);
  services = has_services (runner);
  run_services (runner);
  runner->inputs->in_tick = FALSE;
  if (services)
    note_phase (runner, ORRERY_PHASE_SERVICES, &since);
  if (!check_workers (runner, error) || !step_physics (runner, error))
    return FALSE;
  note_phase (runner, ORRERY_PHASE_PHYSICS, &since);
  if (timed)
    charge_scripts (runner);
  if (runner->hot.on && --runner->hot.left == 0)
    runner->hot.on = FALSE;
  if (G_UNLIKELY (!orrery_runner_check_thread (runner, timed)))
    be_hot (runner);
  if (runner->settings.hashing)
    orrery_runner_fold_hash (runner);
  return TRUE;
}
