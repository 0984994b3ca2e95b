/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores the clock of ticks, and the record and schedule of each component. */
#include "tick/orrery-runner-internal.h"

#include "part/orrery-part-private.h"
#include "roles/orrery-component-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

/*
 * Converts the state of a run to a variant and back: its clock, the schedule of each component, and
 * the records as the last tick left them. Messages that no step has read yet are not included.
 */

/* Name; phase and steps; active, commanded, written, kept, stale, told, when; record, raw and
 * standing input. */
#define PIPELINE_TYPE "(stt(bbbbbb)xayayay)"

/* The sum of start and duration must be a valid time, too. */
#define MAX_SECONDS 4e9

/* --- writing --- */

static GVariant *
box_record (OrreryRecord *record)
{
  if (record != NULL)
    return orrery_record_save (record);
  return g_variant_new_array (G_VARIANT_TYPE_BYTE, NULL, 0);
}

static void
save_pipelines (GVariantBuilder *list, GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];
    OrreryStep *step = pipeline->step;

    orrery_pipeline_renew_raw (pipeline);
    g_variant_builder_add (list, "(stt(bbbbbb)x@ay@ay@ay)", pipeline->name, step->phase,
                           step->n_steps, step->active, *pipeline->commanded, pipeline->written,
                           pipeline->kept, orrery_component_is_stale (pipeline->component),
                           pipeline->told, pipeline->told ? pipeline->told_at : 0,
                           box_record (pipeline->record), box_record (pipeline->raw),
                           box_record (pipeline->standing));
  }
}

GVariant *
orrery_runner_save (OrreryRunner *runner)
{
  GVariantBuilder map;
  GVariantBuilder list;

  if (!runner->packed)
    orrery_runner_pack (runner);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("a" PIPELINE_TYPE));
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    save_pipelines (&list, runner->stages[i].pipelines);
  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&map, "{sv}", "ticks", g_variant_new_uint64 (runner->n_ticks));
  g_variant_builder_add (&map, "{sv}", "start", g_variant_new_int64 (runner->settings.start));
  g_variant_builder_add (&map, "{sv}", "run", g_variant_new_uint32 (runner->run));
  g_variant_builder_add (&map, "{sv}", "hash", g_variant_new_uint64 (runner->hash.value));
  g_variant_builder_add (&map, "{sv}", "suspended",
                         g_variant_new_boolean (runner->physics_suspended));
  g_variant_builder_add (&map, "{sv}", "undrawn",
                         g_variant_new_boolean (orrery_runner_lacks_records (runner)));
  g_variant_builder_add (&map, "{sv}", "touching", orrery_scripts_save_contacts (runner->scripts));
  g_variant_builder_add (&map, "{sv}", "components", g_variant_builder_end (&list));
  return g_variant_builder_end (&map);
}

/* --- reading --- */

static OrreryPipeline *
find_pipeline (OrreryRunner *runner, const char *name)
{
  guint place = orrery_runner_find_place (runner, name);
  OrreryPipeline *pipeline = place < runner->by_name->len ? runner->by_name->pdata[place] : NULL;

  return pipeline != NULL && g_str_equal (pipeline->name, name) ? pipeline : NULL;
}

static gboolean
take_record (OrreryRecord *record, GVariant *boxed, GError **error)
{
  if (record != NULL)
    return orrery_record_restore (record, boxed, error);
  if (g_variant_n_children (boxed) == 0)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "a modifier is gone since it was saved");
}

static gboolean
restore_pipeline (OrreryRunner *runner, GVariant *one, GError **error)
{
  g_autoptr (GVariant) record = NULL, raw = NULL, standing = NULL;
  gboolean active, commanded, written, kept, stale, told;
  OrreryTime told_at;
  OrreryPipeline *pipeline;
  guint64 phase, n_steps;
  const char *name;

  g_variant_get (one, "(&stt(bbbbbb)x@ay@ay@ay)", &name, &phase, &n_steps, &active, &commanded,
                 &written, &kept, &stale, &told, &told_at, &record, &raw, &standing);
  pipeline = find_pipeline (runner, name);
  if (told && !(fabs (orrery_time_to_seconds (told_at)) < MAX_SECONDS))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%.60s: the time of its last command is out of range", name);
  if (pipeline == NULL || phase >= pipeline->period)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "no component %.60s with this frequency and phase", name);
  if (!take_record (pipeline->record, record, error) || !take_record (pipeline->raw, raw, error) ||
      !take_record (pipeline->standing, standing, error)) {
    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  /* After a tick the record is the one that was passed on last. */
  if (pipeline->shown != NULL)
    orrery_record_copy (pipeline->shown, pipeline->record);
  pipeline->step->phase = phase;
  pipeline->step->n_steps = n_steps;
  orrery_component_set_active (pipeline->component, active);
  orrery_component_set_stale (pipeline->component, stale && pipeline->remote != NULL);
  *pipeline->commanded = commanded;
  pipeline->written = written;
  pipeline->kept = kept && pipeline->standing != NULL;
  pipeline->read_early = pipeline->raw_is_old = FALSE;
  pipeline->told = told;
  pipeline->told_at = told_at;
  pipeline->n_calls = orrery_part_get_n_calls (ORRERY_PART (pipeline->component));
  return TRUE;
}

/* It was restarted: only its rhythm is that of a run from the start. */
static gboolean
begin_afresh (OrreryRunner *runner, const char *name, guint64 ticks, GError **error)
{
  OrreryPipeline *pipeline = find_pipeline (runner, name);

  if (pipeline == NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "no component %.60s", name);
  pipeline->step->phase = (guint64) ((pipeline->period - pipeline->increment +
                                      (unsigned __int128) ticks * pipeline->increment) %
                                     pipeline->period);
  return TRUE;
}

static gboolean
restore_pipelines (OrreryRunner *runner, GVariant *state, guint64 ticks, const char *const *fresh,
                   GError **error)
{
  g_autoptr (GVariant) list =
      g_variant_lookup_value (state, "components", G_VARIANT_TYPE ("a" PIPELINE_TYPE));

  if (list == NULL || g_variant_n_children (list) != runner->by_name->len)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "its components are not those of this scene");
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
    const char *name;

    g_variant_get_child (one, 0, "&s", &name);
    if (fresh != NULL && g_strv_contains (fresh, name) ? !begin_afresh (runner, name, ticks, error)
                                                       : !restore_pipeline (runner, one, error))
      return FALSE;
  }
  return TRUE;
}

/* A hash has all records, from the first tick on. */
static void
warn_of_pictures (OrreryRunner *runner, GVariant *state)
{
  gboolean undrawn = FALSE;

  if (runner->settings.hashing && g_variant_lookup (state, "undrawn", "b", &undrawn) && undrawn)
    g_warning (
        "the state has no pictures of cameras that nobody looked at, so the hash is not that "
        "of a run that goes on without a break; a run with --hash saves them");
}

gboolean
orrery_runner_restore (OrreryRunner *runner, GVariant *state, const char *const *fresh,
                       GError **error)
{
  g_autoptr (GVariant) touching =
      g_variant_lookup_value (state, "touching", G_VARIANT_TYPE ("a(uu)"));
  OrreryTime start;
  guint64 ticks;

  if (touching == NULL || !g_variant_lookup (state, "ticks", "t", &ticks) ||
      !g_variant_lookup (state, "start", "x", &start) ||
      !g_variant_lookup (state, "run", "u", &runner->run) ||
      !g_variant_lookup (state, "hash", "t", &runner->hash.value) ||
      !g_variant_lookup (state, "suspended", "b", &runner->physics_suspended))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "it has no clock");
  /* Whatever the values are, times must not overflow. */
  if (!(ticks / runner->settings.frequency < MAX_SECONDS) ||
      !(fabs (orrery_time_to_seconds (start)) < MAX_SECONDS))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "the time of its clock is out of range");
  if (!runner->packed)
    orrery_runner_pack (runner);
  if (!restore_pipelines (runner, state, ticks, fresh, error))
    return FALSE;
  orrery_inputs_settle (runner->inputs);
  warn_of_pictures (runner, state);
  orrery_scripts_restore_contacts (runner->scripts, touching);
  runner->settings.start = runner->tick->start = start;
  __atomic_store_n (&runner->n_ticks, ticks, __ATOMIC_RELAXED);
  memset (&runner->wall, 0, sizeof runner->wall);
  runner->tick->number = ticks > 0 ? ticks - 1 : 0;
  runner->tick->time = orrery_runner_get_time (runner);
  if (runner->workers != NULL)
    orrery_workers_renew_snapshot (runner->workers);
  return TRUE;
}
