/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include <inttypes.h>

/* What a run was: how far, how fast, and where the time went. */

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

/* A phase is measured in every tick, a step in some: what is guessed of the others cannot be more
 * than the phase has left. Returns by what the guesses of its components are to be multiplied. */
static double
find_scale (OrreryRunner *runner, OrreryPhase phase, GPtrArray *pipelines, GPtrArray *more)
{
  double measured = 0, guessed = 0, left;

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

/* Messages refused, messages displaced by later ones, steps failed: of whom any is not zero. */
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
list_phases (OrreryRunner *runner)
{
  static const char *const names[] = { "intake", "services", "sense", "act", "physics" };
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sd)"));
  for (guint i = 0; i < ORRERY_N_PHASES; i++)
    g_variant_builder_add (&list, "(sd)", names[i], runner->phase_ns[i] * 1e-9);
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

  runner = simulation->runner;
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
  g_variant_builder_add (&report, "{sv}", "seed", g_variant_new_uint64 (simulation->assembly.seed));
  g_variant_builder_add (&report, "{sv}", "run", g_variant_new_uint32 (runner->run));
  if (runner->hashing) {
    g_autofree char *hash = g_strdup_printf ("%016" PRIx64, runner->hash);

    g_variant_builder_add (&report, "{sv}", "hash", g_variant_new_string (hash));
  }
  g_variant_builder_add (&report, "{sv}", "components", list_components (runner));
  g_variant_builder_add (&report, "{sv}", "faults", list_faults (runner));
  g_variant_builder_add (&report, "{sv}", "phases", list_phases (runner));
  g_variant_builder_add (&report, "{sv}", "sources", list_sources (simulation->scene));
  g_variant_builder_add (&report, "{sv}", "unhashed", g_variant_new_strv (NULL, 0));
  return g_variant_ref_sink (g_variant_builder_end (&report));
}
