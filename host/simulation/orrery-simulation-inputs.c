/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds inputs of a run that was kept to another one, so that it goes the same way. */
#include "simulation/orrery-simulation-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

static gboolean
feed_record (OrreryInstance *instance, const OrreryRunInput *input, GError **error)
{
  OrreryComponent *component = g_hash_table_lookup (instance->assembly.by_name, input->part);
  OrreryPipeline *pipeline =
      component != NULL ? g_hash_table_lookup (instance->assembly.pipelines, component) : NULL;

  if (pipeline == NULL || !ORRERY_IS_ACTUATOR (component))
    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no actuator is named '%.200s'",
                             input->part);
  return orrery_pipeline_feed (pipeline, input->value, error);
}

/* NULL: the program, or a manager that this scene does not have. */
static OrreryRequestManager *
find_manager (OrreryInstance *instance, const char *classpath)
{
  GPtrArray *managers = orrery_runner_get_request_managers (instance->runner);

  for (guint i = 0; classpath != NULL && i < managers->len; i++)
    if (strcmp (orrery_part_get_classpath (managers->pdata[i]), classpath) == 0)
      return managers->pdata[i];
  return NULL;
}

/* Whoever feeds a run says when it goes on and when it ends. */
static gboolean
is_of_the_run (OrreryInstance *instance, OrreryRequestManager *manager, const OrreryRunInput *input)
{
  static const char *const services[] = { "start", "stop",  "pause",     "resume",
                                          "step",  "reset", "save",      "restore",
                                          "load",  "quit",  "terminate", NULL };
  OrreryPart *part =
      orrery_calls_find_service (instance->assembly.calls, manager, input->part, input->service);

  return part != NULL && g_strv_contains (services, input->service) &&
         g_ptr_array_find (instance->system, part, NULL);
}

static void
start_call (OrreryInstance *instance, OrreryRequestManager *manager, const OrreryRunInput *input)
{
  g_autoptr (OrreryCall) call = orrery_call_new (input->service, input->value);

  orrery_calls_start_outside (instance->assembly.calls, manager, input->part, call);
  orrery_inputs_keep_call (orrery_runner_get_inputs (instance->runner), input->number, call);
}

static void
feed_call (OrrerySimulation *self, const OrreryRunInput *input)
{
  OrreryInstance *instance = self->instance;
  OrreryRequestManager *manager = find_manager (instance, input->manager);

  if (is_of_the_run (instance, manager, input))
    return;
  if (input->in_services) {
    orrery_inputs_feed (orrery_runner_get_inputs (instance->runner), manager, input);
  } else if (input->manager == NULL) {
    start_call (instance, NULL, input);
  } else {
    g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_TURN);

    start_call (instance, manager, input);
  }
}

static void
feed_cancel (OrrerySimulation *self, const OrreryRunInput *input)
{
  OrreryInputs *inputs = orrery_runner_get_inputs (self->instance->runner);
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_TURN);

  if (input->in_services)
    orrery_inputs_feed (inputs, NULL, input);
  else
    orrery_inputs_end_call (inputs, input->number);
}

static gboolean
feed_taken (OrrerySimulation *self, const OrreryRunInput *input, GError **error)
{
  if (!self->instance->options->fed)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "parts take inputs only in a simulation with the option fed");
  if (input->part == NULL || orrery_simulation_find_part (self, input->part) == NULL)
    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no part is named '%.200s'",
                             input->part != NULL ? input->part : "");
  return orrery_inputs_offer (orrery_runner_get_inputs (self->instance->runner), input, error);
}

static gboolean
check (OrrerySimulation *self, const OrreryRunInput *input, GError **error)
{
  guint64 n_ticks = orrery_simulation_get_n_ticks (self);

  if (orrery_run_get_place (self->run) != ORRERY_PLACE_OUTSIDE || !self->instance->open)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "a simulation is fed between two ticks, while a scene is open");
  if (input->tick != n_ticks)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "an input of tick %" G_GUINT64_FORMAT ", and tick %" G_GUINT64_FORMAT
                             " comes next",
                             input->tick, n_ticks);
  return TRUE;
}

gboolean
orrery_simulation_feed (OrrerySimulation *simulation, const OrreryRunInput *input, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (input != NULL, FALSE);

  if (!check (simulation, input, error))
    return FALSE;
  switch (input->kind) {
  case ORRERY_RUN_INPUT_RECORD:
    return feed_record (simulation->instance, input, error);
  case ORRERY_RUN_INPUT_CALL:
    feed_call (simulation, input);
    return TRUE;
  case ORRERY_RUN_INPUT_CANCEL:
    feed_cancel (simulation, input);
    return TRUE;
  case ORRERY_RUN_INPUT_COMMANDS:
    return orrery_inputs_feed_commands (orrery_runner_get_inputs (simulation->instance->runner),
                                        input, error);
  case ORRERY_RUN_INPUT_TAKEN:
    return feed_taken (simulation, input, error);
  }
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "no kind of input: %d", (int) input->kind);
}

/* --- following --- */

static gboolean
is_alike (OrreryObject *a, OrreryObject *b)
{
  const OrreryJoint *x = orrery_object_get_joint (a), *y = orrery_object_get_joint (b);

  return strcmp (orrery_object_get_name (a), orrery_object_get_name (b)) == 0 &&
         orrery_object_get_body (a)->type == orrery_object_get_body (b)->type &&
         (x == NULL) == (y == NULL) && (x == NULL || x->kind == y->kind);
}

/* Commands name objects by their index. */
static gboolean
check_objects (OrreryWorld *world, OrreryWorld *leading, GError **error)
{
  guint n = orrery_world_get_n_objects (world);

  if (orrery_world_get_n_objects (leading) != n)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "it has %u objects, and the run that it is to follow has %u", n,
                             orrery_world_get_n_objects (leading));
  for (guint i = 0; i < n; i++)
    if (!is_alike (orrery_world_get_object (world, i), orrery_world_get_object (leading, i)))
      return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                               "its object %s, the body or the joint of it, is another one than in "
                               "the run that it is to follow",
                               orrery_object_get_name (orrery_world_get_object (world, i)));
  return TRUE;
}

gboolean
orrery_simulation_follow (OrrerySimulation *simulation, OrrerySimulation *leader, GError **error)
{
  OrreryRunner *own, *leading;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (ORRERY_IS_SIMULATION (leader), FALSE);
  g_return_val_if_fail (simulation != leader, FALSE);

  own = simulation->instance->runner;
  leading = leader->instance->runner;
  if (orrery_run_get_place (simulation->run) != ORRERY_PLACE_OUTSIDE ||
      orrery_run_get_place (leader->run) != ORRERY_PLACE_OUTSIDE)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "a simulation begins to follow another one between two ticks");
  if (orrery_runner_get_settings (own)->frequency !=
          orrery_runner_get_settings (leading)->frequency ||
      orrery_runner_get_settings (own)->substeps != orrery_runner_get_settings (leading)->substeps)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "its ticks, or the substeps of these, are others than in the run that "
                             "it is to follow");
  if (!check_objects (simulation->instance->world, leader->instance->world, error))
    return FALSE;
  orrery_runner_follow (own, leading);
  return TRUE;
}

guint64
orrery_simulation_get_digest (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);

  return orrery_runner_get_digest (simulation->instance->runner);
}
