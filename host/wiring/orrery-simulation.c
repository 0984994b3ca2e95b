/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include "roles/orrery-call-private.h"
#include "roles/orrery-request-manager-private.h"

#include <math.h>

/* s, as in a scene. */
#define MAX_START 9e9

G_DEFINE_FINAL_TYPE (OrrerySimulation, orrery_simulation, G_TYPE_OBJECT)

static void
clear_assembly (OrreryAssembly *assembly)
{
  g_clear_object (&assembly->renderer);
  g_clear_error (&assembly->no_renderer);
  g_clear_pointer (&assembly->parts, g_ptr_array_unref);
  g_clear_pointer (&assembly->managers, g_hash_table_unref);
  g_clear_pointer (&assembly->request_managers, g_hash_table_unref);
  g_clear_pointer (&assembly->counts, g_hash_table_unref);
  g_clear_pointer (&assembly->pipelines, g_hash_table_unref);
  g_clear_pointer (&assembly->by_name, g_hash_table_unref);
  g_clear_pointer (&assembly->components, g_ptr_array_unref);
  g_clear_pointer (&assembly->places, g_ptr_array_unref);
  g_clear_pointer (&assembly->config, orrery_node_unref);
  g_clear_object (&assembly->rays);
}

/* What somebody keeps longer reaches nothing of the simulation any more. */
static void
leave_parts (OrrerySimulation *self)
{
  GHashTableIter iter;
  gpointer manager;

  if (self->assembly.request_managers != NULL) {
    g_hash_table_iter_init (&iter, self->assembly.request_managers);
    while (g_hash_table_iter_next (&iter, NULL, &manager))
      /* Without one: there is none of that name. */
      if (manager != NULL)
        orrery_request_manager_detach (manager);
  }
  for (guint i = 0; self->system != NULL && i < self->system->len; i++)
    orrery_system_part_set_simulation (self->system->pdata[i], NULL);
}

static void
orrery_simulation_dispose (GObject *object)
{
  OrrerySimulation *self = ORRERY_SIMULATION (object);

  orrery_simulation_close (self);
  leave_parts (self);
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
  OrrerySimulation *self = ORRERY_SIMULATION (object);

  orrery_problems_clear (&self->problems);
  g_clear_error (&self->failure);
  g_hash_table_unref (self->kept);
  g_array_unref (self->step_calls);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (orrery_simulation_parent_class)->finalize (object);
}

void
orrery_simulation_interrupt (OrrerySimulation *self, gboolean interrupted)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (self));

  g_mutex_lock (&self->lock);
  if (self->runner != NULL && interrupted && !orrery_runner_is_stopping (self->runner)) {
    self->interrupted = TRUE;
    orrery_runner_stop (self->runner);
  } else if (self->runner != NULL && !interrupted && self->interrupted) {
    self->interrupted = FALSE;
    __atomic_store_n (&self->runner->stopping, 0, __ATOMIC_RELEASE);
  }
  g_mutex_unlock (&self->lock);
}

static void
orrery_simulation_class_init (OrrerySimulationClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = orrery_simulation_dispose;
  G_OBJECT_CLASS (klass)->finalize = orrery_simulation_finalize;
}

static void
clear_step_call (gpointer data)
{
  OrreryStepCall *waiting = data;

  g_clear_object (&waiting->call);
}

static void
orrery_simulation_init (OrrerySimulation *self)
{
  orrery_problems_init (&self->problems);
  g_mutex_init (&self->lock);
  g_queue_init (&self->requests);
  self->step_calls = g_array_new (FALSE, FALSE, sizeof (OrreryStepCall));
  g_array_set_clear_func (self->step_calls, clear_step_call);
  self->world = orrery_world_new ();
  self->system = g_ptr_array_new_with_free_func (g_object_unref);
  self->kept =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
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
  self->begin_paused = self->options->state == ORRERY_STATE_PAUSED;
  if (isfinite (self->options->start) && fabs (self->options->start) > MAX_START) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "start: %g s is not from -9e9 to 9e9; infinity is what the scene says",
                 self->options->start);
    return NULL;
  }
  return orrery_simulation_assemble (self, path, error) ? g_steal_pointer (&self) : NULL;
}

OrrerySimulation *
orrery_simulation_load (OrreryRegistry *registry, const char *path, GError **error)
{
  return orrery_simulation_load_with_options (registry, path, NULL, error);
}

/* --- what it is --- */

guint64
orrery_simulation_get_n_ticks (OrrerySimulation *simulation)
{
  guint64 n;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);

  g_mutex_lock (&simulation->lock);
  n = __atomic_load_n (&simulation->runner->n_ticks, __ATOMIC_RELAXED);
  g_mutex_unlock (&simulation->lock);
  return n;
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
  double frequency;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);

  g_mutex_lock (&simulation->lock);
  frequency = simulation->runner->frequency;
  g_mutex_unlock (&simulation->lock);
  return frequency;
}

OrreryWorld *
orrery_simulation_get_world (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  return simulation->world;
}

gboolean
orrery_simulation_set_log_level (OrrerySimulation *self, const char *component, const char *level,
                                 GError **error)
{
  OrreryLogLevels *levels = NULL;
  g_autofree char *nearest = NULL;
  int number = 0;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (self), FALSE);
  g_return_val_if_fail (component != NULL && level != NULL, FALSE);

  number = orrery_log_level_parse (level, error);
  if (number == 0)
    return FALSE;
  levels = self->scene->log_levels;
  if (!orrery_log_levels_set (levels, component, number, error))
    return FALSE;
  if (!orrery_log_levels_has (levels, component, &nearest))
    g_warning ("set_log_level: nothing is called '%.60s'%s", component, nearest);
  return TRUE;
}

OrreryComponent *
orrery_simulation_find_component (OrrerySimulation *simulation, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  return g_hash_table_lookup (simulation->assembly.by_name, name);
}

/* @parts: (element-type OrreryPart). */
static OrreryPart *
find_among (GPtrArray *parts, const char *name)
{
  for (guint i = 0; i < parts->len; i++)
    if (g_str_equal (orrery_part_get_name (parts->pdata[i]), name))
      return parts->pdata[i];
  return NULL;
}

static OrreryPart *
find_script (OrreryScripts *scripts, const char *name)
{
  for (guint i = 0; i < scripts->slots->len; i++) {
    OrreryScriptSlot *slot = scripts->slots->pdata[i];

    if (slot->script != NULL && g_str_equal (slot->name, name))
      return ORRERY_PART (slot->script);
  }
  return NULL;
}

static OrreryPart *
find_engine (OrrerySimulation *simulation, const char *name)
{
  gpointer engines[] = { simulation->runner->physics, simulation->assembly.rays,
                         simulation->assembly.renderer };

  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (engines[i] != NULL && g_str_equal (orrery_part_get_name (engines[i]), name))
      return engines[i];
  return NULL;
}

OrreryPart *
orrery_simulation_find_part (OrrerySimulation *simulation, const char *name)
{
  OrreryComponent *component;
  OrreryRunner *runner;
  OrreryPart *part;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  component = g_hash_table_lookup (simulation->assembly.by_name, name);
  if (component != NULL)
    return ORRERY_PART (component);
  runner = simulation->runner;
  part = find_among (simulation->assembly.parts, name);
  if (part == NULL)
    part = find_among (runner->managers, name);
  if (part == NULL)
    part = find_among (runner->request_managers, name);
  if (part == NULL)
    part = find_script (runner->scripts, name);
  return part != NULL ? part : find_engine (simulation, name);
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
  g_return_val_if_fail (part != NULL && service != NULL, NULL);

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
  if (!orrery_pipeline_write (pipeline, field, held, error)) {
    g_prefix_error (error, "%s: ", orrery_part_get_name (ORRERY_PART (component)));
    return FALSE;
  }
  return TRUE;
}

guint
orrery_simulation_subscribe (OrrerySimulation *simulation, OrreryComponent *component,
                             OrreryRecordFunc func, gpointer user_data, GDestroyNotify destroy,
                             GError **error)
{
  OrreryPipeline *pipeline = NULL;
  guint id = 0;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  g_return_val_if_fail (component == NULL || ORRERY_IS_COMPONENT (component), 0);
  g_return_val_if_fail (func != NULL, 0);

  g_mutex_lock (&simulation->lock);
  if (component != NULL)
    pipeline = g_hash_table_lookup (simulation->assembly.pipelines, component);
  if (!simulation->closed && (component == NULL) == (pipeline == NULL)) {
    OrreryWatch *watch = g_new0 (OrreryWatch, 1);

    id = ++simulation->last_watch;
    *watch = (OrreryWatch){ id, pipeline, func, user_data, destroy };
    orrery_runner_add_watch (simulation->runner, watch);
  }
  g_mutex_unlock (&simulation->lock);
  if (id != 0)
    return id;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE,
               "%s is no component of this simulation, or it is closed",
               component != NULL ? orrery_part_get_name (ORRERY_PART (component)) : "nothing");
  if (destroy != NULL)
    destroy (user_data);
  return 0;
}

gboolean
orrery_simulation_unsubscribe (OrrerySimulation *simulation, guint id)
{
  gboolean found;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);

  g_mutex_lock (&simulation->lock);
  found = orrery_runner_end_watch (simulation->runner, id);
  g_mutex_unlock (&simulation->lock);
  return found;
}
