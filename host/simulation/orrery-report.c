/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports a run: its length and speed, and how its time was spent. */
#include "simulation/orrery-simulation-private.h"

#include <inttypes.h>

static void
sum_costs (GPtrArray *pipelines, double *measured, double *guessed)
{
  for (guint i = 0; i < pipelines->len; i++) {
    double m, g;

    orrery_pipeline_get_seconds (pipelines->pdata[i], &m, &g);
    *measured += m;
    *guessed += g;
  }
}

/*
 * A phase is measured in every tick, a step only in some ticks: the estimates for the others cannot
 * exceed the rest of the phase. Returns the factor by which the estimates of its components are to
 * be multiplied.
 */
static double
find_scale (OrreryRunner *runner, OrreryPhase phase, GPtrArray *pipelines, GPtrArray *more)
{
  double measured = 0, guessed = 0, left;

  /* Steps that run in parallel may take longer in total than their phase. */
  if (runner->parallel != NULL || runner->workers != NULL)
    return 1;
  sum_costs (pipelines, &measured, &guessed);
  if (more != NULL)
    sum_costs (more, &measured, &guessed);
  left = MAX (0, runner->phase_ns[phase] * 1e-9 - measured);
  return guessed > left ? left / guessed : 1;
}

static void
add_costs (GVariantBuilder *list, GPtrArray *pipelines, double scale)
{
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];
    double measured, guessed;

    orrery_pipeline_get_seconds (pipeline, &measured, &guessed);
    g_variant_builder_add (list, "(stdd)", pipeline->name, orrery_pipeline_get_n_steps (pipeline),
                           measured + scale * guessed, pipeline->budget * 1e-9);
  }
}

static GVariant *
list_components (OrreryRunner *runner)
{
  double sense = find_scale (runner, ORRERY_PHASE_SENSE, runner->robots, runner->sensors);
  double act = find_scale (runner, ORRERY_PHASE_ACT, runner->actuators, NULL);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(stdd)"));
  add_costs (&list, runner->robots, sense);
  add_costs (&list, runner->sensors, sense);
  add_costs (&list, runner->actuators, act);
  return g_variant_builder_end (&list);
}

/* Messages refused, messages replaced by later ones, steps failed: of the components for which any
 * of these is not zero. */
static void
add_faults (GVariantBuilder *list, GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];
    guint64 displaced = orrery_pipeline_get_n_displaced (pipeline);

    if (pipeline->n_refused + displaced + pipeline->n_failed > 0)
      g_variant_builder_add (list, "(sttt)", pipeline->name, pipeline->n_refused, displaced,
                             pipeline->n_failed);
  }
}

static GVariant *
list_faults (OrreryRunner *runner)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sttt)"));
  add_faults (&list, runner->robots);
  add_faults (&list, runner->sensors);
  add_faults (&list, runner->actuators);
  return g_variant_builder_end (&list);
}

static GVariant *
list_scripts (OrreryRunner *runner)
{
  GPtrArray *slots = runner->scripts->slots;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(stdd)"));
  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];
    guint64 n_ticks = orrery_script_slot_get_n_ticks (runner->scripts, slot);
    double measured, guessed;

    orrery_cost_get_seconds (&slot->cost, n_ticks, &measured, &guessed);
    g_variant_builder_add (&list, "(stdd)", slot->name, n_ticks, measured + guessed,
                           runner->budget * 1e-9);
  }
  return g_variant_builder_end (&list);
}

static GVariant *
list_disabled (OrreryRunner *runner)
{
  GPtrArray *slots = runner->scripts->slots;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ss)"));
  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];

    if (slot->failed)
      g_variant_builder_add (&list, "(ss)", slot->name, slot->failure);
  }
  return g_variant_builder_end (&list);
}

static GVariant *
list_phases (OrreryRunner *runner)
{
  static const char *const names[] = { "intake", "services", "sense", "scripts", "act", "physics" };
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sd)"));
  for (guint i = 0; i < ORRERY_N_PHASES; i++)
    g_variant_builder_add (&list, "(sd)", names[i], runner->phase_ns[i] * 1e-9);
  return g_variant_builder_end (&list);
}

static GVariant *
describe_worker (OrreryWorker *worker)
{
  static const char *const states[] = { "off", "starting", "up", "down", "given up" };
  GVariantBuilder names;
  guint64 n_fresh = 0;
  guint64 n_stale = 0;
  GVariantDict dict;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    g_variant_builder_add (&names, "s", remote->name);
    n_fresh += remote->n_fresh;
    n_stale += remote->n_stale;
  }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", worker->name);
  g_variant_dict_insert (
      &dict, "state", "s",
      states[worker->state != ORRERY_WORKER_OFF ? worker->state : worker->last_state]);
  g_variant_dict_insert (&dict, "pid", "u", (guint) worker->pid);
  g_variant_dict_insert (&dict, "free-running", "b", worker->settings.free_running);
  g_variant_dict_insert_value (&dict, "components", g_variant_builder_end (&names));
  g_variant_dict_insert (&dict, "fresh", "t", n_fresh);
  g_variant_dict_insert (&dict, "stale", "t", n_stale);
  g_variant_dict_insert (&dict, "restarts", "u", worker->n_restarts);
  g_variant_dict_insert (&dict, "waited", "d", orrery_time_to_seconds (worker->waited));
  g_variant_dict_insert (&dict, "cause", "s", worker->cause != NULL ? worker->cause : "");
  return g_variant_dict_end (&dict);
}

GVariant *
orrery_simulation_describe_workers (OrrerySimulation *simulation)
{
  OrreryWorkers *workers = simulation->instance->runner->workers;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; workers != NULL && i < workers->workers->len; i++)
    g_variant_builder_add_value (&list, describe_worker (workers->workers->pdata[i]));
  return g_variant_builder_end (&list);
}

static GVariant *
list_unhashed (OrreryRunner *runner)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < runner->by_name->len; i++) {
    OrreryPipeline *pipeline = runner->by_name->pdata[i];

    if (pipeline->remote != NULL && pipeline->remote->worker->settings.free_running)
      g_variant_builder_add (&list, "s", pipeline->name);
  }
  return g_variant_builder_end (&list);
}

static GVariant *
list_sources (OrreryScene *scene)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ss)"));
  for (guint i = 0; i + 1 < scene->sources->len; i += 2)
    g_variant_builder_add (&list, "(ss)", scene->sources->pdata[i], scene->sources->pdata[i + 1]);
  return g_variant_builder_end (&list);
}

GVariant *
orrery_simulation_get_report (OrrerySimulation *simulation)
{
  OrreryRunner *runner;
  GVariantBuilder report;
  double simulated;
  double wall;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  runner = simulation->instance->runner;
  simulated = orrery_time_to_seconds (orrery_simulation_get_time (simulation) - runner->start);
  wall = simulation->wall_ns * 1e-9;
  g_variant_builder_init (&report, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&report, "{sv}", "ticks", g_variant_new_uint64 (runner->n_ticks));
  g_variant_builder_add (&report, "{sv}", "simulated", g_variant_new_double (simulated));
  g_variant_builder_add (&report, "{sv}", "wall", g_variant_new_double (wall));
  g_variant_builder_add (&report, "{sv}", "real-time-factor",
                         g_variant_new_double (wall > 0 ? simulated / wall : 0.0));
  g_variant_builder_add (&report, "{sv}", "dropped",
                         g_variant_new_uint64 (runner->pacer.n_dropped));
  g_variant_builder_add (&report, "{sv}", "start",
                         g_variant_new_double (orrery_time_to_seconds (runner->start)));
  g_variant_builder_add (&report, "{sv}", "seed",
                         g_variant_new_uint64 (simulation->instance->assembly.seed));
  g_variant_builder_add (&report, "{sv}", "run", g_variant_new_uint32 (runner->run));
  if (runner->hashing) {
    g_autofree char *hash = g_strdup_printf ("%016" PRIx64, runner->hash);

    g_variant_builder_add (&report, "{sv}", "hash", g_variant_new_string (hash));
  }
  g_variant_builder_add (&report, "{sv}", "components", list_components (runner));
  g_variant_builder_add (&report, "{sv}", "faults", list_faults (runner));
  g_variant_builder_add (&report, "{sv}", "scripts", list_scripts (runner));
  g_variant_builder_add (&report, "{sv}", "disabled", list_disabled (runner));
  g_variant_builder_add (&report, "{sv}", "state",
                         g_variant_new_string (orrery_state_get_name (
                             orrery_run_get_public_state (simulation->run))));
  g_variant_builder_add (&report, "{sv}", "phases", list_phases (runner));
  g_variant_builder_add (&report, "{sv}", "sources", list_sources (simulation->instance->scene));
  g_variant_builder_add (&report, "{sv}", "unhashed", list_unhashed (runner));
  g_variant_builder_add (&report, "{sv}", "workers",
                         orrery_simulation_describe_workers (simulation));
  return g_variant_ref_sink (g_variant_builder_end (&report));
}
