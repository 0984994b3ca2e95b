/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the steps of all pipelines before the first tick, and again when pipelines were added. */
#include "tick/orrery-runner-internal.h"

#include "roles/orrery-component-private.h"

/* So many ticks after a slow one are timed per component. */
#define HOT_TICKS 32u

static void
list_remotes (OrreryStage *stage)
{
  stage->remote = g_ptr_array_new ();
  for (guint i = 0; i < stage->pipelines->len; i++) {
    OrreryPipeline *pipeline = stage->pipelines->pdata[i];

    if (pipeline->remote == NULL)
      continue;
    orrery_remote_set_modified (pipeline->remote, pipeline->modifiers->len > 0);
    g_ptr_array_add (stage->remote, pipeline);
  }
}

static void
list_late (OrreryRunner *runner)
{
  const OrrerySteps *steps = &runner->stages[ORRERY_STAGE_SENSORS].steps;
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;
       step = orrery_step_next (step))
    if (step->is_late)
      g_ptr_array_add (runner->late, step);
}

/* Ticks are timed until the slow component has stepped again, however rare its steps are. */
static void
find_hot_ticks (OrreryRunner *runner, const OrrerySteps *steps)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;
       step = orrery_step_next (step)) {
    guint64 ticks = step->period / MAX (1, step->increment) + 2;

    runner->hot.ticks = MAX (runner->hot.ticks, (guint) MIN (ticks, G_MAXUINT));
  }
}

static void
pack_stage (OrreryRunner *runner, OrreryStage *stage)
{
  orrery_steps_pack (&stage->steps, stage->pipelines, runner->writers);
  find_hot_ticks (runner, &stage->steps);
  if (runner->workers != NULL)
    list_remotes (stage);
}

static void
list_inputs (OrreryRunner *runner, GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++) {
    GArray *inputs = ((OrreryPipeline *) pipelines->pdata[i])->inputs;

    for (guint j = 0; j < inputs->len; j++)
      g_ptr_array_add (runner->managers.inputs, g_array_index (inputs, OrreryInput, j).stream);
  }
}

static void
pack (OrreryRunner *runner)
{
  runner->hot.ticks = HOT_TICKS;
  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    pack_stage (runner, &runner->stages[i]);
  list_inputs (runner, runner->stages[ORRERY_STAGE_ACTUATORS].pipelines);
  list_late (runner);
  if (runner->settings.n_threads > 1)
    runner->parallel = orrery_parallel_new (&runner->stages[ORRERY_STAGE_SENSORS].steps,
                                            runner->settings.n_threads);
  orrery_runner_find_demands (runner);
  runner->packed = TRUE;
}

void
orrery_runner_pack (OrreryRunner *runner)
{
  pack (runner);
  /* Lists of all of them were made. */
  orrery_runner_link_steps (runner);
}

void
orrery_runner_link_steps (OrreryRunner *runner)
{
  for (guint i = 0; runner->packed && i < ORRERY_N_STAGES; i++)
    orrery_steps_link (&runner->stages[i].steps);
}

/* --- again --- */

/* What a step knows of a run. */
typedef struct {
  OrreryPipeline *pipeline;
  guint64 phase;
  guint64 n_steps;
} Kept;

static GArray *
keep_steps (OrreryRunner *runner)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Kept));

  for (guint i = 0; i < ORRERY_N_STAGES; i++) {
    GPtrArray *pipelines = runner->stages[i].pipelines;

    for (guint k = 0; k < pipelines->len; k++) {
      Kept kept = { .pipeline = pipelines->pdata[k] };

      if (kept.pipeline->step == NULL)
        continue;
      kept.phase = kept.pipeline->step->phase;
      kept.n_steps = kept.pipeline->step->n_steps;
      g_array_append_val (list, kept);
    }
  }
  return list;
}

static void
unpack (OrreryRunner *runner)
{
  g_clear_pointer (&runner->demands, g_ptr_array_unref);
  g_clear_pointer (&runner->parallel, orrery_parallel_free);
  g_ptr_array_set_size (runner->late, 0);
  g_ptr_array_set_size (runner->managers.inputs, 0);
  for (guint i = 0; i < ORRERY_N_STAGES; i++) {
    orrery_steps_clear (&runner->stages[i].steps);
    g_clear_pointer (&runner->stages[i].remote, g_ptr_array_unref);
  }
}

void
orrery_runner_pack_again (OrreryRunner *runner)
{
  g_autoptr (GArray) list = keep_steps (runner);

  if (!runner->packed)
    return;
  unpack (runner);
  pack (runner);
  for (guint i = 0; i < list->len; i++) {
    const Kept *kept = &g_array_index (list, Kept, i);

    kept->pipeline->step->phase = kept->phase;
    kept->pipeline->step->n_steps = kept->n_steps;
  }
  orrery_runner_begin_demands (runner);
  orrery_runner_link_steps (runner);
}
