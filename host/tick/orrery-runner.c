/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when ticks run: the pace, the waiting before each tick, and the idle turns of a paused
 * run. */
#include "tick/orrery-runner-internal.h"

#include "loop/orrery-clock-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

#include <math.h>

static void
clear_alarm (gpointer data)
{
  OrreryAlarm *alarm = data;

  g_clear_object (&alarm->call);
}

/* An OrreryTickCallFunc. */
static void
start_call (gpointer host, const char *part, gpointer call)
{
  orrery_calls_start (((OrreryRunner *) host)->calls, NULL, part, call);
}

OrreryRunner *
orrery_runner_new (OrreryRun *run, OrreryWorld *world, OrreryScripts *scripts,
                   const OrreryRunnerSettings *settings)
{
  OrreryRunner *runner = g_new0 (OrreryRunner, 1);

  runner->of = run;
  runner->world = g_object_ref (world);
  runner->tick = orrery_tick_new (world);
  runner->scripts = scripts;
  runner->settings = *settings;
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    runner->stages[i].pipelines =
        g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_pipeline_free);
  runner->writers = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_writer_unref);
  runner->late = g_ptr_array_new ();
  runner->by_name = g_ptr_array_new ();
  runner->inputs = orrery_inputs_new (world, &runner->n_ticks);
  orrery_inputs_set_tick (runner->inputs, runner->tick, settings->fed);
  runner->faults.n_ticks = &runner->n_ticks;
  orrery_scripts_watch_faults (scripts, &runner->faults);
  runner->calls = orrery_calls_new (runner->inputs);
  runner->dyn.seen = orrery_snapshot_new ();
  runner->dyn.later = orrery_commands_new ();
  runner->dyn.pushes = orrery_commands_new ();
  runner->alarms = g_array_new (FALSE, FALSE, sizeof (OrreryAlarm));
  g_array_set_clear_func (runner->alarms, clear_alarm);
  orrery_managers_init (&runner->managers);
  orrery_watches_init (&runner->watches);
  runner->waker = orrery_waker_new ();
  orrery_runner_set_clock (runner, NULL);
  runner->microhertz = (guint64) llround (settings->frequency * 1e6);
  runner->budget = (OrreryTime) (1000000000000000 / runner->microhertz);
  runner->tick->start = runner->tick->time = settings->start;
  runner->tick->dt = 1.0 / settings->frequency;
  runner->tick->call = start_call;
  runner->tick->call_host = runner;
  orrery_pacer_init (&runner->pacer, settings->pace, settings->frequency, settings->time_scale,
                     settings->max_ticks);
  return runner;
}

static void
clear_stage (OrreryStage *stage)
{
  orrery_steps_clear (&stage->steps);
  g_clear_pointer (&stage->remote, g_ptr_array_unref);
  g_ptr_array_unref (stage->pipelines);
}

void
orrery_runner_free (OrreryRunner *runner)
{
  runner->tick->call = NULL;
  orrery_managers_detach (&runner->managers);
  orrery_watches_clear (&runner->watches);
  orrery_inputs_end (runner->inputs);
  g_array_unref (runner->alarms);
  orrery_calls_free (runner->calls);
  g_clear_pointer (&runner->workers, orrery_workers_free);
  orrery_scripts_free (runner->scripts);
  orrery_snapshot_unref (runner->dyn.seen);
  orrery_commands_unref (runner->dyn.later);
  orrery_commands_unref (runner->dyn.pushes);
  g_clear_pointer (&runner->leads, orrery_lead_unref);
  g_clear_pointer (&runner->follows, orrery_lead_unref);
  g_clear_pointer (&runner->parallel, orrery_parallel_free);
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    clear_stage (&runner->stages[i]);
  g_ptr_array_unref (runner->writers);
  g_ptr_array_unref (runner->late);
  g_ptr_array_unref (runner->by_name);
  g_clear_pointer (&runner->demands, g_ptr_array_unref);
  orrery_managers_clear (&runner->managers);
  g_clear_object (&runner->physics);
  orrery_tick_unref (runner->tick);
  g_object_unref (runner->world);
  g_clear_object (&runner->tasks);
  g_object_unref (runner->clock);
  orrery_waker_unref (runner->waker);
  orrery_run_hash_clear (&runner->hash);
  g_free (runner);
}

void
orrery_runner_take_over (OrreryRunner *runner, OrreryRunner *old)
{
  runner->run = old->run + 1;
  orrery_run_begin_epoch (runner->of);
  g_set_object (&runner->clock, old->clock);
  runner->tasks = g_steal_pointer (&old->tasks);
  runner->hash.file = g_steal_pointer (&old->hash.file);
  runner->hash.path = g_steal_pointer (&old->hash.path);
}

/* --- wiring --- */

void
orrery_runner_set_physics (OrreryRunner *runner, OrreryPhysics *physics)
{
  runner->physics = physics;
}

guint
orrery_runner_find_place (OrreryRunner *runner, const char *name)
{
  guint low = 0;
  guint high = runner->by_name->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (strcmp (((OrreryPipeline *) runner->by_name->pdata[middle])->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static OrreryStageKind
find_stage (OrreryComponent *component)
{
  if (ORRERY_IS_ROBOT (component))
    return ORRERY_STAGE_ROBOTS;
  return ORRERY_IS_SENSOR (component) ? ORRERY_STAGE_SENSORS : ORRERY_STAGE_ACTUATORS;
}

void
orrery_runner_add_pipeline (OrreryRunner *runner, OrreryPipeline *pipeline)
{
  pipeline->budget = runner->budget;
  pipeline->taps = runner->inputs;
  pipeline->faults = &runner->faults;
  pipeline->remote = orrery_remote_find (ORRERY_PART (pipeline->component));
  g_ptr_array_add (runner->stages[find_stage (pipeline->component)].pipelines, pipeline);
  g_ptr_array_insert (runner->by_name, (int) orrery_runner_find_place (runner, pipeline->name),
                      pipeline);
}

void
orrery_runner_drop_pipeline (OrreryRunner *runner, OrreryPipeline *pipeline)
{
  g_ptr_array_remove (runner->by_name, pipeline);
  g_ptr_array_remove (runner->stages[find_stage (pipeline->component)].pipelines, pipeline);
}

OrreryWorkers *
orrery_runner_make_workers (OrreryRunner *runner, GPtrArray *components, const char *program,
                            OrreryLogLevels *levels)
{
  guint period = (guint) MIN (lround (runner->settings.frequency), G_MAXINT);

  runner->workers =
      orrery_workers_new (runner->world, components, runner->tick,
                          orrery_run_get_quit_flag (runner->of), program, period, levels);
  orrery_workers_watch_faults (runner->workers, &runner->faults);
  return runner->workers;
}

/* --- its parts --- */

OrreryWorkers *
orrery_runner_get_workers (OrreryRunner *runner)
{
  return runner->workers;
}

const OrreryRunnerSettings *
orrery_runner_get_settings (OrreryRunner *runner)
{
  return &runner->settings;
}

OrreryTick *
orrery_runner_get_tick (OrreryRunner *runner)
{
  return runner->tick;
}

OrreryCalls *
orrery_runner_get_calls (OrreryRunner *runner)
{
  return runner->calls;
}

OrreryInputs *
orrery_runner_get_inputs (OrreryRunner *runner)
{
  return runner->inputs;
}

void
orrery_runner_watch_faults (OrreryRunner *runner, OrreryRunFaultFunc func, gpointer data)
{
  runner->faults.func = func;
  runner->faults.data = data;
}

void
orrery_runner_set_draw_func (OrreryRunner *runner, OrreryDrawFunc func, gpointer data)
{
  runner->draw = func;
  runner->draw_data = data;
}

void
orrery_runner_watch_presence (OrreryRunner *runner, OrreryPresenceFunc func, gpointer data)
{
  runner->presence = func;
  runner->presence_data = data;
}

OrreryScripts *
orrery_runner_get_scripts (OrreryRunner *runner)
{
  return runner->scripts;
}

GPtrArray *
orrery_runner_get_pipelines (OrreryRunner *runner, OrreryStageKind stage)
{
  return runner->stages[stage].pipelines;
}

OrreryWaker *
orrery_runner_get_waker (OrreryRunner *runner)
{
  return runner->waker;
}

OrreryClock *
orrery_runner_get_clock (OrreryRunner *runner)
{
  return runner->clock;
}

void
orrery_runner_set_clock (OrreryRunner *runner, OrreryClock *clock)
{
  g_autoptr (OrreryClock) new_clock =
      clock != NULL ? g_object_ref (clock) : ORRERY_CLOCK (orrery_wall_clock_new (1.0));

  g_set_object (&runner->clock, new_clock);
}

guint64
orrery_runner_get_n_ticks (OrreryRunner *runner)
{
  return __atomic_load_n (&runner->n_ticks, __ATOMIC_RELAXED);
}

OrreryTime
orrery_runner_get_time_of (OrreryRunner *runner, guint64 k)
{
  return runner->settings.start +
         (OrreryTime) ((unsigned __int128) (k + 1) * 1000000000000000 / runner->microhertz);
}

OrreryTime
orrery_runner_get_time (OrreryRunner *runner)
{
  return runner->n_ticks > 0 ? orrery_runner_get_time_of (runner, runner->n_ticks - 1)
                             : runner->settings.start;
}

static OrreryPart *
find_among (GPtrArray *parts, const char *name)
{
  for (guint i = 0; i < parts->len; i++)
    if (g_str_equal (orrery_part_get_name (parts->pdata[i]), name))
      return parts->pdata[i];
  return NULL;
}

static OrreryPart *
find_script (GPtrArray *slots, const char *name)
{
  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];

    if (slot->script != NULL && g_str_equal (slot->name, name))
      return ORRERY_PART (slot->script);
  }
  return NULL;
}

OrreryPart *
orrery_runner_find_part (OrreryRunner *runner, const char *name)
{
  OrreryPart *part = find_among (runner->managers.all, name);

  if (part == NULL)
    part = find_among (runner->managers.requests, name);
  return part != NULL ? part : find_script (orrery_scripts_get_slots (runner->scripts), name);
}

gboolean
orrery_runner_is_led (OrreryRunner *runner)
{
  return runner->leads != NULL || runner->follows != NULL;
}

void
orrery_runner_suspend_physics (OrreryRunner *runner, gboolean suspended)
{
  runner->physics_suspended = suspended;
}

/* --- scripts --- */

void
orrery_runner_call_scripts (OrreryRunner *runner, OrreryCallback callback)
{
  orrery_scripts_call (runner->scripts, callback, runner->tick);
}

void
orrery_runner_begin_scripts (OrreryRunner *runner, guint types)
{
  orrery_scripts_begin (runner->scripts, types, runner->tick);
}

void
orrery_runner_end_scripts (OrreryRunner *runner, guint types)
{
  orrery_scripts_end (runner->scripts, types, runner->tick);
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
  GPtrArray *managers = runner->managers.all;

  for (guint i = 0; i < managers->len; i++) {
    OrreryDatastreamManagerClass *klass = ORRERY_DATASTREAM_MANAGER_GET_CLASS (managers->pdata[i]);

    if (klass->gate != NULL && !klass->gate (managers->pdata[i]))
      return FALSE;
  }
  return TRUE;
}

void
orrery_runner_answer (OrreryRunner *runner)
{
  orrery_runner_intake_requests (runner);
  {
    g_auto (OrreryGuard) guard = orrery_run_guard (runner->of, ORRERY_PLACE_TURN);

    orrery_calls_run (runner->calls);
    /* No step comes that they could wait for. */
    orrery_runner_answer_demands (runner, TRUE);
  }
  orrery_runner_flush_requests (runner);
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

  if (orrery_runner_was_woken (runner)) {
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

  orrery_manual_clock_put_time (ORRERY_MANUAL_CLOCK (clock), orrery_runner_get_time (runner));
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
  gboolean passed;

  if (G_UNLIKELY (!runner->packed))
    orrery_runner_pack (runner);
  passed = run_phases (runner, error);
  if (G_UNLIKELY (runner->tick->take != NULL))
    orrery_inputs_end_tick (runner->inputs);
  if (!passed)
    return FALSE;
  /* Also read by other threads: orrery_simulation_get_n_ticks(). */
  __atomic_store_n (&runner->n_ticks, runner->n_ticks + 1, __ATOMIC_RELAXED);
  run->n_total++;
  if (run->state == ORRERY_RUN_PAUSED) {
    run->steps_left--;
    __atomic_store_n (&run->asked, TRUE, __ATOMIC_RELAXED);
  }
  runner->untold = runner->tasks != NULL || runner->watches.ticks->len > 0;
  if (G_UNLIKELY (runner->untold && !orrery_run_is_asked (run)))
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

    if (orrery_run_is_asked (runner->of))
      return ORRERY_STRETCH_ASKED;
    if (due != ORRERY_RUNNER_NOW)
      sleep_until (runner, due);
  }
  if (gate == GATE_END)
    return ORRERY_STRETCH_OVER;
  *ran = run_tick (runner, error);
  if (!*ran)
    return ORRERY_STRETCH_FAILED;
  return orrery_run_is_asked (runner->of) ? ORRERY_STRETCH_ASKED : ORRERY_STRETCH_OVER;
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
    if (orrery_run_is_asked (runner->of))
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
    if (orrery_run_is_asked (runner->of)) {
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
  if (runner->tasks == NULL) {
    g_autoptr (OrreryClock) clock =
        ORRERY_CLOCK (orrery_manual_clock_new (orrery_runner_get_time (runner), FALSE));

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

/* All streams are told: those of a scene that was loaded, too. */
void
orrery_runner_tell_epoch (OrreryRunner *runner)
{
  guint64 epoch = orrery_run_get_epoch (runner->of);

  for (guint i = 0; i < runner->by_name->len; i++) {
    GArray *outputs = ((OrreryPipeline *) runner->by_name->pdata[i])->outputs;

    for (guint j = 0; j < outputs->len; j++)
      orrery_datastream_set_epoch (g_array_index (outputs, OrreryOutput, j).codec, epoch);
  }
}

void
orrery_runner_follow (OrreryRunner *runner, OrreryRunner *leader)
{
  if (leader->leads == NULL)
    leader->leads = orrery_lead_new (leader->tick->snapshot);
  g_clear_pointer (&runner->follows, orrery_lead_unref);
  runner->follows = orrery_lead_ref (leader->leads);
}

void
orrery_runner_rewind (OrreryRunner *runner)
{
  orrery_run_begin_epoch (runner->of);
  orrery_runner_tell_epoch (runner);
  runner->tick->time = runner->settings.start;
  runner->tick->number = 0;
  runner->physics_suspended = FALSE;
  for (guint i = 0; i < runner->by_name->len; i++)
    orrery_pipeline_restart (runner->by_name->pdata[i]);
  orrery_scripts_forget_contacts (runner->scripts);
  orrery_commands_clear (runner->dyn.pushes);
  orrery_world_place (runner->world);
  orrery_inputs_restart (runner->inputs);
  if (runner->workers != NULL)
    orrery_workers_renew_snapshot (runner->workers);
}

void
orrery_runner_restart (OrreryRunner *runner)
{
  __atomic_store_n (&runner->n_ticks, 0, __ATOMIC_RELAXED);
  runner->run++;
  runner->hash.value = 0;
  memset (&runner->wall, 0, sizeof runner->wall);
  orrery_pacer_restart (&runner->pacer, orrery_clock_get_time (runner->clock));
}
