/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include "roles/orrery-call-private.h"
#include "roles/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"
#include "world/orrery-world-private.h"

#include <inttypes.h>
#include <math.h>

G_DEFINE_FINAL_TYPE (OrrerySimulation, orrery_simulation, G_TYPE_OBJECT)

static void
clear_assembly (OrreryAssembly *assembly)
{
  g_clear_pointer (&assembly->parts, g_ptr_array_unref);
  g_clear_pointer (&assembly->managers, g_hash_table_unref);
  g_clear_pointer (&assembly->request_managers, g_hash_table_unref);
  g_clear_pointer (&assembly->counts, g_hash_table_unref);
  g_clear_pointer (&assembly->pipelines, g_hash_table_unref);
  g_clear_pointer (&assembly->by_name, g_hash_table_unref);
  g_clear_pointer (&assembly->components, g_ptr_array_unref);
  g_clear_pointer (&assembly->places, g_ptr_array_unref);
  g_clear_pointer (&assembly->config, orrery_node_unref);
}

static void
orrery_simulation_dispose (GObject *object)
{
  OrrerySimulation *self = ORRERY_SIMULATION (object);

  orrery_simulation_close (self);
  g_clear_pointer (&self->runner, orrery_runner_free);
  g_clear_pointer (&self->states, g_hash_table_unref);
  g_clear_pointer (&self->system, g_ptr_array_unref);
  clear_assembly (&self->assembly);
  g_clear_pointer (&self->scene, orrery_scene_free);
  g_clear_object (&self->world);
  g_clear_object (&self->options);
  g_clear_object (&self->registry);
  G_OBJECT_CLASS (orrery_simulation_parent_class)->dispose (object);
}

static void
orrery_simulation_finalize (GObject *object)
{
  orrery_problems_clear (&ORRERY_SIMULATION (object)->problems);
  G_OBJECT_CLASS (orrery_simulation_parent_class)->finalize (object);
}

static void
orrery_simulation_class_init (OrrerySimulationClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = orrery_simulation_dispose;
  G_OBJECT_CLASS (klass)->finalize = orrery_simulation_finalize;
}

static void
orrery_simulation_init (OrrerySimulation *self)
{
  orrery_problems_init (&self->problems);
  self->world = orrery_world_new ();
  self->system = g_ptr_array_new_with_free_func (g_object_unref);
  self->states = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_variant_unref);
}

/* --- loading --- */

OrrerySimulation *
orrery_simulation_load_with_options (OrreryRegistry *registry, const char *path,
                                     OrreryOptions *options, GError **error)
{
  g_autoptr (OrrerySimulation) self = NULL;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (ORRERY_TYPE_SIMULATION, NULL);
  self->registry = g_object_ref (registry);
  self->options = options != NULL ? g_object_ref (options) : orrery_options_new ();
  return orrery_simulation_assemble (self, path, error) ? g_steal_pointer (&self) : NULL;
}

OrrerySimulation *
orrery_simulation_load (OrreryRegistry *registry, const char *path, GError **error)
{
  return orrery_simulation_load_with_options (registry, path, NULL, error);
}

/* --- running --- */

gboolean
orrery_simulation_step (OrrerySimulation *simulation, guint64 n, GError **error)
{
  GError *local = NULL;
  gint64 before;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);

  before = g_get_monotonic_time ();
  for (guint64 i = 0; i < n && local == NULL; i++)
    if (!orrery_runner_tick (simulation->runner, &local))
      break;
  simulation->wall_ns += (g_get_monotonic_time () - before) * 1000;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
orrery_simulation_run (OrrerySimulation *simulation, guint64 n, OrreryTime wall, GError **error)
{
  OrreryRunner *runner;
  OrreryTime now;
  gboolean fine;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (!simulation->closed, FALSE);

  runner = simulation->runner;
  now = runner->clock (runner->clock_data);
  fine = orrery_runner_run (runner, n, wall > 0 ? now + wall : 0, error);
  simulation->wall_ns += runner->clock (runner->clock_data) - now;
  return fine;
}

void
orrery_simulation_stop (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  orrery_runner_stop (simulation->runner);
}

gboolean
orrery_simulation_is_stopping (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), TRUE);
  return orrery_runner_is_stopping (simulation->runner);
}

void
orrery_simulation_set_paused (OrrerySimulation *simulation, gboolean paused)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));
  simulation->runner->paused = paused != FALSE;
  g_main_context_wakeup (simulation->runner->context);
}

gboolean
orrery_simulation_is_paused (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  return simulation->runner->paused;
}

static void
end_calls (GPtrArray *parts)
{
  for (guint i = 0; parts != NULL && i < parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (parts->pdata[i]);

    if (busy != NULL)
      orrery_call_fail (busy,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "the simulation ends"));
  }
}

static void
close_managers (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->request_managers->len; i++) {
    OrreryRequestManager *manager = runner->request_managers->pdata[i];

    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush (manager);
    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close (manager);
  }
  for (guint i = 0; i < runner->managers->len; i++) {
    OrreryDatastreamManager *manager = runner->managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close (manager);
  }
}

void
orrery_simulation_close (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  if (simulation->closed || simulation->runner == NULL)
    return;
  simulation->closed = TRUE;
  if (simulation->loaded)
    orrery_runner_intake_requests (simulation->runner);
  orrery_runner_end_calls (simulation->runner);
  end_calls (simulation->assembly.components);
  end_calls (simulation->assembly.parts);
  close_managers (simulation->runner);
}

/* --- reset --- */

static void
cancel_calls (GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (parts->pdata[i]);

    if (busy != NULL)
      orrery_call_cancel (busy);
  }
}

static gboolean
restore_part (OrrerySimulation *self, OrreryPart *part, GError **error)
{
  GVariant *state = g_hash_table_lookup (self->states, part);
  GError *local = NULL;

  orrery_part_restart_random (part);
  orrery_part_restore_options (part);
  if (state != NULL && ORRERY_PART_GET_CLASS (part)->restore != NULL)
    ORRERY_PART_GET_CLASS (part)->restore (part, state, &local);
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "%s: ", orrery_part_get_name (part));
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
restore_parts (OrrerySimulation *self, GPtrArray *parts, GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    if (!restore_part (self, parts->pdata[i], error))
      return FALSE;
  return TRUE;
}

gboolean
orrery_simulation_reset (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);

  /* Calls come first: a part that is told to stop may still stage a command. */
  orrery_runner_end_calls (simulation->runner);
  cancel_calls (simulation->assembly.components);
  cancel_calls (simulation->assembly.parts);
  orrery_runner_restart (simulation->runner);
  return restore_parts (simulation, simulation->assembly.components, error) &&
         restore_parts (simulation, simulation->assembly.parts, error) &&
         orrery_simulation_build_physics (simulation, error);
}

/* --- what it is --- */

guint64
orrery_simulation_get_n_ticks (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  return __atomic_load_n (&simulation->runner->n_ticks, __ATOMIC_RELAXED);
}

OrreryTime
orrery_simulation_get_time (OrrerySimulation *simulation)
{
  OrreryRunner *runner;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);

  runner = simulation->runner;
  return runner->n_ticks > 0 ? orrery_runner_get_time_of (runner, runner->n_ticks - 1)
                             : runner->start;
}

double
orrery_simulation_get_frequency (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  return simulation->runner->frequency;
}

OrreryWorld *
orrery_simulation_get_world (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  return simulation->world;
}

OrreryComponent *
orrery_simulation_find_component (OrrerySimulation *simulation, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  return g_hash_table_lookup (simulation->assembly.by_name, name);
}

const char **
orrery_simulation_get_component_names (OrrerySimulation *simulation)
{
  GPtrArray *components;
  const char **names;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  components = simulation->assembly.components;
  names = g_new0 (const char *, components->len + 1);
  for (guint i = 0; i < components->len; i++)
    names[i] = orrery_part_get_name (components->pdata[i]);
  return names;
}

guint64
orrery_simulation_get_hash (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  return simulation->runner->hash;
}

OrreryCall *
orrery_simulation_call (OrrerySimulation *simulation, const char *part, const char *service,
                        GVariant *arguments)
{
  OrreryCall *call;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  call = orrery_call_new (service, arguments);
  orrery_calls_start (simulation->runner->calls, NULL, part, call);
  return call;
}

gboolean
orrery_simulation_write (OrrerySimulation *simulation, OrreryComponent *component,
                         const char *field, GVariant *value, GError **error)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (value);
  OrreryPipeline *pipeline;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);

  pipeline = g_hash_table_lookup (simulation->assembly.pipelines, component);
  if (pipeline == NULL || !ORRERY_IS_ACTUATOR (component)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "%s is no actuator of this simulation",
                 orrery_part_get_name (ORRERY_PART (component)));
    return FALSE;
  }
  return orrery_pipeline_write (pipeline, field, held, error);
}
