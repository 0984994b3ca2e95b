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

/* What lists have for clocks and components: the bytes of such structs, as variants place them. */
#define CLOCK_TYPE "(txtubb)"
typedef struct {
  guint64 ticks;
  gint64 start;
  guint64 hash;
  guint32 run;
  guint8 suspended;
  guint8 undrawn;
} SavedClock;
G_STATIC_ASSERT (sizeof (SavedClock) == 32);

#define PIPELINE_TYPE "(ttxbbbbbb)"
typedef struct {
  guint64 phase;
  guint64 n_steps;
  gint64 told_at; /* 0: never */
  guint8 active;
  guint8 commanded;
  guint8 written;
  guint8 kept;
  guint8 stale;
  guint8 told;
} SavedPipeline;
G_STATIC_ASSERT (sizeof (SavedPipeline) == 32);

/* Of each component: record, raw and standing input. */
#define N_RECORDS 3

enum { CLOCK, TOUCHING, NAMES, PIPELINES, RECORDS };
G_STATIC_ASSERT (sizeof ORRERY_RUNNER_TYPE ==
                 sizeof ("(" CLOCK_TYPE "a(uu)asa" PIPELINE_TYPE "aay)"));

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

typedef struct {
  GVariantBuilder names;
  GVariantBuilder records;
  GArray *pipelines; /* (element-type SavedPipeline) */
} Lists;

static void
save_pipeline (Lists *lists, OrreryPipeline *pipeline)
{
  const OrreryStep *step = pipeline->step;
  SavedPipeline saved;

  orrery_pipeline_renew_raw (pipeline);
  /* The bytes behind the members are saved, too. */
  memset (&saved, 0, sizeof saved);
  saved.phase = step->phase;
  saved.n_steps = step->n_steps;
  saved.told_at = pipeline->told ? pipeline->told_at : 0;
  saved.active = step->active != FALSE;
  saved.commanded = *pipeline->commanded != FALSE;
  saved.written = pipeline->written != FALSE;
  saved.kept = pipeline->kept != FALSE;
  saved.stale = orrery_component_is_stale (pipeline->component) != FALSE;
  saved.told = pipeline->told != FALSE;
  g_array_append_val (lists->pipelines, saved);
  g_variant_builder_add (&lists->names, "s", pipeline->name);
  g_variant_builder_add_value (&lists->records, box_record (pipeline->record));
  g_variant_builder_add_value (&lists->records, box_record (pipeline->raw));
  g_variant_builder_add_value (&lists->records, box_record (pipeline->standing));
}

static GVariant *
save_clock (OrreryRunner *runner)
{
  return g_variant_new (CLOCK_TYPE, runner->n_ticks, runner->settings.start, runner->hash.value,
                        runner->run, runner->physics_suspended,
                        orrery_runner_lacks_records (runner));
}

GVariant *
orrery_runner_save (OrreryRunner *runner)
{
  g_autoptr (GArray) pipelines = g_array_new (FALSE, FALSE, sizeof (SavedPipeline));
  Lists lists = { .pipelines = pipelines };

  if (!runner->packed)
    orrery_runner_pack (runner);
  g_variant_builder_init (&lists.names, G_VARIANT_TYPE ("as"));
  g_variant_builder_init (&lists.records, G_VARIANT_TYPE ("aay"));
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    for (guint k = 0; k < runner->stages[i].pipelines->len; k++)
      save_pipeline (&lists, runner->stages[i].pipelines->pdata[k]);

  GVariant *all[] = {
    [CLOCK] = save_clock (runner),
    [TOUCHING] = orrery_scripts_save_contacts (runner->scripts),
    [NAMES] = g_variant_builder_end (&lists.names),
    [PIPELINES] = g_variant_new_fixed_array (G_VARIANT_TYPE (PIPELINE_TYPE), pipelines->data,
                                             pipelines->len, sizeof (SavedPipeline)),
    [RECORDS] = g_variant_builder_end (&lists.records),
  };

  return g_variant_new_tuple (all, G_N_ELEMENTS (all));
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
take_record (OrreryRecord *record, GVariant *records, gsize i, GError **error)
{
  g_autoptr (GVariant) boxed = g_variant_get_child_value (records, i);

  if (record != NULL)
    return orrery_record_restore (record, boxed, error);
  if (g_variant_n_children (boxed) == 0)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "a modifier is gone since it was saved");
}

static gboolean
take_records (OrreryPipeline *pipeline, GVariant *records, gsize i, GError **error)
{
  return take_record (pipeline->record, records, N_RECORDS * i, error) &&
         take_record (pipeline->raw, records, N_RECORDS * i + 1, error) &&
         take_record (pipeline->standing, records, N_RECORDS * i + 2, error);
}

static gboolean
restore_pipeline (OrreryRunner *runner, const char *name, const SavedPipeline *saved,
                  GVariant *records, gsize i, GError **error)
{
  OrreryPipeline *pipeline = find_pipeline (runner, name);

  if (saved->told && !(fabs (orrery_time_to_seconds (saved->told_at)) < MAX_SECONDS))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%.60s: the time of its last command is out of range", name);
  if (pipeline == NULL || saved->phase >= pipeline->period)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "no component %.60s with this frequency and phase", name);
  if (!take_records (pipeline, records, i, error)) {
    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  /* After a tick the record is the one that was passed on last. */
  if (pipeline->shown != NULL)
    orrery_record_copy (pipeline->shown, pipeline->record);
  pipeline->step->phase = saved->phase;
  pipeline->step->n_steps = saved->n_steps;
  orrery_component_set_active (pipeline->component, saved->active != 0);
  orrery_component_set_stale (pipeline->component, saved->stale && pipeline->remote != NULL);
  *pipeline->commanded = saved->commanded != 0;
  pipeline->written = saved->written != 0;
  pipeline->kept = saved->kept && pipeline->standing != NULL;
  pipeline->read_early = pipeline->raw_is_old = FALSE;
  pipeline->told = saved->told != 0;
  pipeline->told_at = saved->told_at;
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
  g_autoptr (GVariant) names = g_variant_get_child_value (state, NAMES);
  g_autoptr (GVariant) list = g_variant_get_child_value (state, PIPELINES);
  g_autoptr (GVariant) records = g_variant_get_child_value (state, RECORDS);
  const SavedPipeline *saved;
  gsize n;

  saved = g_variant_get_fixed_array (list, &n, sizeof *saved);
  if (n != runner->by_name->len || g_variant_n_children (names) != n ||
      g_variant_n_children (records) != N_RECORDS * n)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "its components are not those of this scene");
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) boxed = g_variant_get_child_value (names, i);
    const char *name = g_variant_get_string (boxed, NULL);

    if (fresh != NULL && g_strv_contains (fresh, name)
            ? !begin_afresh (runner, name, ticks, error)
            : !restore_pipeline (runner, name, &saved[i], records, i, error))
      return FALSE;
  }
  return TRUE;
}

/* A hash has all records, from the first tick on. */
static void
warn_of_pictures (OrreryRunner *runner, gboolean undrawn)
{
  if (runner->settings.hashing && undrawn)
    g_warning (
        "the state has no pictures of cameras that nobody looked at, so the hash is not that "
        "of a run that goes on without a break; a run with --hash saves them");
}

gboolean
orrery_runner_restore (OrreryRunner *runner, GVariant *state, const char *const *fresh,
                       GError **error)
{
  g_autoptr (GVariant) boxed = g_variant_get_child_value (state, CLOCK);
  g_autoptr (GVariant) touching = g_variant_get_child_value (state, TOUCHING);
  const SavedClock *clock = g_variant_get_data (boxed);

  runner->run = clock->run;
  runner->hash.value = clock->hash;
  runner->physics_suspended = clock->suspended != 0;
  /* Whatever the values are, times must not overflow. */
  if (!(clock->ticks / runner->settings.frequency < MAX_SECONDS) ||
      !(fabs (orrery_time_to_seconds (clock->start)) < MAX_SECONDS))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "the time of its clock is out of range");
  if (!runner->packed)
    orrery_runner_pack (runner);
  if (!restore_pipelines (runner, state, clock->ticks, fresh, error))
    return FALSE;
  orrery_inputs_settle (runner->inputs);
  warn_of_pictures (runner, clock->undrawn != 0);
  orrery_scripts_restore_contacts (runner->scripts, touching);
  runner->settings.start = runner->tick->start = clock->start;
  __atomic_store_n (&runner->n_ticks, clock->ticks, __ATOMIC_RELAXED);
  memset (&runner->wall, 0, sizeof runner->wall);
  runner->tick->number = clock->ticks > 0 ? clock->ticks - 1 : 0;
  runner->tick->time = orrery_runner_get_time (runner);
  if (runner->workers != NULL)
    orrery_workers_renew_snapshot (runner->workers);
  return TRUE;
}
