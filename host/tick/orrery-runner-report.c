/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports a run: its length and speed, and how its time was spent. */
#include "tick/orrery-runner-internal.h"

#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

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
 * be multiplied. @last: the last of its stages
 */
static double
find_scale (OrreryRunner *runner, OrreryPhase phase, OrreryStageKind first, OrreryStageKind last)
{
  double measured = 0, guessed = 0, left;

  /* Steps that run in parallel may take longer in total than their phase. */
  if (runner->parallel != NULL || runner->workers != NULL)
    return 1;
  for (OrreryStageKind i = first; i <= last; i++)
    sum_costs (runner->stages[i].pipelines, &measured, &guessed);
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
  double sense = find_scale (runner, ORRERY_PHASE_SENSE, ORRERY_STAGE_ROBOTS, ORRERY_STAGE_SENSORS);
  double act =
      find_scale (runner, ORRERY_PHASE_ACT, ORRERY_STAGE_ACTUATORS, ORRERY_STAGE_ACTUATORS);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(stdd)"));
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    add_costs (&list, runner->stages[i].pipelines, i == ORRERY_STAGE_ACTUATORS ? act : sense);
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
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    add_faults (&list, runner->stages[i].pipelines);
  return g_variant_builder_end (&list);
}

/* The first failed step of each component that has one. */
static void
add_failures (GVariantBuilder *list, GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];

    const char *classpath = orrery_part_get_classpath (ORRERY_PART (pipeline->component));

    if (pipeline->failure != NULL)
      g_variant_builder_add (list, "(sssts)", pipeline->name, classpath != NULL ? classpath : "",
                             orrery_pipeline_get_phase (pipeline), pipeline->failed_at,
                             pipeline->failure);
  }
}

static GVariant *
list_failures (OrreryRunner *runner)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sssts)"));
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    add_failures (&list, runner->stages[i].pipelines);
  return g_variant_builder_end (&list);
}

static void
add_not_finite (GVariantBuilder *list, GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];

    if (pipeline->n_not_finite > 0)
      g_variant_builder_add (list, "(st)", pipeline->name, pipeline->n_not_finite);
  }
}

static GVariant *
list_not_finite (OrreryRunner *runner)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(st)"));
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    add_not_finite (&list, runner->stages[i].pipelines);
  return g_variant_builder_end (&list);
}

static GVariant *
list_scripts (OrreryRunner *runner)
{
  GPtrArray *slots = orrery_scripts_get_slots (runner->scripts);
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
  GPtrArray *slots = orrery_scripts_get_slots (runner->scripts);
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
  static const char *const names[] = { "intake", "sense", "scripts", "act", "services", "physics" };
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sd)"));
  for (guint i = 0; i < ORRERY_N_PHASES; i++)
    g_variant_builder_add (&list, "(sd)", names[i], runner->phase_ns[i] * 1e-9);
  return g_variant_builder_end (&list);
}

static GVariant *
list_unhashed (OrreryRunner *runner)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < runner->by_name->len; i++) {
    OrreryPipeline *pipeline = runner->by_name->pdata[i];

    if (!orrery_pipeline_is_hashed (pipeline))
      g_variant_builder_add (&list, "s", pipeline->name);
  }
  return g_variant_builder_end (&list);
}

static GVariant *
list_lost (OrreryRunner *runner, GVariantBuilder *list)
{
  GPtrArray *managers = runner->managers.all;

  for (guint i = 0; i < managers->len; i++) {
    GPtrArray *lost = orrery_datastream_manager_get_lost (managers->pdata[i]);

    for (guint j = 0; lost != NULL && j < lost->len; j++)
      g_variant_builder_add (list, "s", lost->pdata[j]);
  }
  return g_variant_builder_end (list);
}

static void
add (GVariantBuilder *report, const char *key, GVariant *value)
{
  g_variant_builder_add (report, "{sv}", key, value);
}

static void
add_times (GVariantBuilder *report, OrreryRunner *runner, double wall)
{
  OrreryTime start = runner->settings.start;
  double simulated = orrery_time_to_seconds (orrery_runner_get_time (runner) - start);

  add (report, "ticks", g_variant_new_uint64 (runner->n_ticks));
  add (report, "simulated", g_variant_new_double (simulated));
  add (report, "wall", g_variant_new_double (wall));
  add (report, "real-time-factor", g_variant_new_double (wall > 0 ? simulated / wall : 0.0));
  add (report, "dropped", g_variant_new_uint64 (runner->pacer.n_dropped));
  add (report, "start", g_variant_new_double (orrery_time_to_seconds (start)));
}

GVariant *
orrery_runner_get_report (OrreryRunner *runner, gint64 wall_ns, guint64 seed, GVariant *drawn,
                          GVariant *added, GVariant *sources, GVariantBuilder *lost)
{
  const char *state = orrery_state_get_name (orrery_run_get_public_state (runner->of));
  GVariantBuilder report;

  g_variant_builder_init (&report, G_VARIANT_TYPE_VARDICT);
  add_times (&report, runner, wall_ns * 1e-9);
  add (&report, "seed", g_variant_new_uint64 (seed));
  if (drawn != NULL)
    add (&report, "randomisation", drawn);
  if (added != NULL)
    add (&report, "added", added);
  add (&report, "substeps", g_variant_new_uint32 (runner->settings.substeps));
  add (&report, "run", g_variant_new_uint32 (runner->run));
  if (runner->settings.hashing)
    add (&report, "hash",
         g_variant_new_take_string (g_strdup_printf ("%016" PRIx64, runner->hash.value)));
  add (&report, "components", list_components (runner));
  add (&report, "faults", list_faults (runner));
  add (&report, "failures", list_failures (runner));
  add (&report, "not-finite", list_not_finite (runner));
  add (&report, "scripts", list_scripts (runner));
  add (&report, "disabled", list_disabled (runner));
  add (&report, "state", g_variant_new_string (state));
  add (&report, "phases", list_phases (runner));
  add (&report, "sources", sources);
  add (&report, "unhashed", list_unhashed (runner));
  add (&report, "lost", list_lost (runner, lost));
  add (&report, "workers", orrery_workers_report (runner->workers));
  return g_variant_builder_end (&report);
}

GVariant *
orrery_runner_get_statistics (OrreryRunner *runner)
{
  const OrreryWallStatistics *wall = &runner->wall;
  gboolean best_effort = runner->settings.pace == ORRERY_PACE_BEST_EFFORT;
  double variance = wall->n > 1 ? wall->m2 / (wall->n - 1) : 0.0;
  double windows = wall->n_windows > 1 ? wall->window_m2 / (wall->n_windows - 1) : 0.0;
  double real = orrery_time_to_seconds (wall->n * (OrreryTime) (wall->mean * 1e9));
  double simulated = orrery_time_to_seconds (runner->tick->time - wall->since);
  GVariantBuilder map;

  /* All ticks are equally long: simulated time has no variance. */
  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  add (&map, "mean_time", g_variant_new_double (best_effort ? runner->tick->dt : wall->mean));
  add (&map, "variance_time", g_variant_new_double (best_effort ? 0.0 : variance));
  if (best_effort) {
    add (&map, "mean_frame_by_sec", g_variant_new_double (wall->window_mean));
    add (&map, "variance_frame_by_sec", g_variant_new_double (windows));
  } else {
    add (&map, "diff_real_time", g_variant_new_double (simulated - real));
  }
  return g_variant_builder_end (&map);
}
