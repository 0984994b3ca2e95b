/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out, before the steps of a tick, whose records nobody reads. */
#include "tick/orrery-runner-internal.h"

#include "roles/orrery-component-private.h"

/*
 * A sensor on demand saves its work in a step whose record nobody reads. Who might is known when
 * the pipelines are packed: its streams and watches, and what found it in its setup. A reader that
 * is on demand, too, counts only while itself is read; any other one always does.
 */
typedef struct {
  OrreryPipeline *pipeline;
  GPtrArray
      *readers; /* (element-type OrreryPipeline): itself, and readers on demand of any of them */
  gboolean always;
  guint64 n_steps; /* as of the last tick */
} Demand;

static void
demand_free (gpointer data)
{
  Demand *demand = data;

  g_ptr_array_unref (demand->readers);
  g_free (demand);
}

/* --- who reads whom --- */

static void
add_reader (GHashTable *readers, OrreryComponent *component, OrreryPipeline *reader)
{
  GPtrArray *list = g_hash_table_lookup (readers, component);

  if (list == NULL) {
    list = g_ptr_array_new ();
    g_hash_table_insert (readers, component, list);
  }
  g_ptr_array_add (list, reader);
}

/* Returns: (element-type OrreryComponent GPtrArray): the pipelines that read each of them */
static GHashTable *
index_readers (OrreryRunner *runner)
{
  GHashTable *readers =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < runner->by_name->len; i++) {
    OrreryPipeline *pipeline = runner->by_name->pdata[i];
    GPtrArray *reads = orrery_component_get_reads (pipeline->component);

    for (guint j = 0; reads != NULL && j < reads->len; j++)
      add_reader (readers, reads->pdata[j], pipeline);
  }
  return readers;
}

static Demand *
create_demand (OrreryPipeline *pipeline, GHashTable *readers)
{
  Demand *demand = g_new0 (Demand, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  demand->pipeline = pipeline;
  demand->readers = g_ptr_array_new ();
  g_ptr_array_add (demand->readers, pipeline);
  g_hash_table_add (seen, pipeline);
  for (guint i = 0; i < demand->readers->len; i++) {
    OrreryPipeline *each = demand->readers->pdata[i];
    GPtrArray *further = g_hash_table_lookup (readers, each->component);

    /* What a modifier makes of a record may depend on all records before. */
    demand->always |= !orrery_component_is_on_demand (each->component) || each->modifiers->len > 0;
    for (guint j = 0; further != NULL && j < further->len; j++)
      if (g_hash_table_add (seen, further->pdata[j]))
        g_ptr_array_add (demand->readers, further->pdata[j]);
  }
  return demand;
}

void
orrery_runner_find_demands (OrreryRunner *runner)
{
  GPtrArray *sensors = runner->stages[ORRERY_STAGE_SENSORS].pipelines;
  g_autoptr (GHashTable) readers = NULL;

  runner->demands = g_ptr_array_new_with_free_func (demand_free);
  if (!runner->settings.on_demand || runner->settings.hashing)
    return;
  for (guint i = 0; i < sensors->len; i++) {
    OrreryPipeline *pipeline = sensors->pdata[i];

    if (!orrery_component_is_on_demand (pipeline->component))
      continue;
    if (readers == NULL)
      readers = index_readers (runner);
    g_ptr_array_add (runner->demands, create_demand (pipeline, readers));
  }
}

void
orrery_runner_begin_demands (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->demands->len; i++) {
    Demand *demand = runner->demands->pdata[i];

    demand->n_steps = demand->pipeline->step->n_steps;
  }
}

/* --- in the tick --- */

static gboolean
is_read (const OrreryPipeline *pipeline)
{
  if (pipeline->step->is_watched || orrery_component_is_pinned (pipeline->component))
    return TRUE;
  for (guint i = 0; i < pipeline->outputs->len; i++)
    if (orrery_stream_is_listening (g_array_index (pipeline->outputs, OrreryOutput, i).stream))
      return TRUE;
  return FALSE;
}

void
orrery_runner_settle_demands (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->demands->len; i++) {
    Demand *demand = runner->demands->pdata[i];
    gboolean wanted = demand->always;

    for (guint j = 0; !wanted && j < demand->readers->len; j++)
      wanted = is_read (demand->readers->pdata[j]);
    orrery_component_set_wanted (demand->pipeline->component, wanted);
  }
}

void
orrery_runner_answer_demands (OrreryRunner *runner, gboolean all)
{
  for (guint i = 0; runner->demands != NULL && i < runner->demands->len; i++) {
    Demand *demand = runner->demands->pdata[i];
    OrreryStep *step = demand->pipeline->step;

    if (step->n_steps != demand->n_steps)
      orrery_component_note_step (demand->pipeline->component);
    if (all || step->n_steps != demand->n_steps || !step->active)
      orrery_component_answer_waiting (demand->pipeline->component);
    demand->n_steps = step->n_steps;
  }
}

gboolean
orrery_runner_lacks_records (OrreryRunner *runner)
{
  for (guint i = 0; runner->demands != NULL && i < runner->demands->len; i++) {
    Demand *demand = runner->demands->pdata[i];

    if (!orrery_component_is_wanted (demand->pipeline->component))
      return TRUE;
  }
  return FALSE;
}
