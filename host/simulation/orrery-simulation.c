/* SPDX-License-Identifier: BSD-3-Clause */
/* OrrerySimulation, the object that users of the library see: loading, queries, subscriptions. */
#include "simulation/orrery-simulation-private.h"

#include "base/orrery-error-private.h"
#include "part/orrery-call-private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* In seconds, as in a scene. */
#define MAX_START 9e9

G_DEFINE_FINAL_TYPE (OrrerySimulation, orrery_simulation, G_TYPE_OBJECT)

static void
orrery_simulation_dispose (GObject *object)
{
  OrrerySimulation *self = ORRERY_SIMULATION (object);

  orrery_simulation_abandon_loading (self);
  orrery_simulation_close (self);
  g_clear_pointer (&self->instance, orrery_instance_free);
  orrery_simulation_clear_observers (self);
  g_clear_object (&self->options);
  G_OBJECT_CLASS (orrery_simulation_parent_class)->dispose (object);
}

static void
orrery_simulation_finalize (GObject *object)
{
  OrrerySimulation *self = ORRERY_SIMULATION (object);

  g_hash_table_unref (self->kept);
  free (self->root);
  g_clear_pointer (&self->run, orrery_run_free);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (orrery_simulation_parent_class)->finalize (object);
}

static void
wake (OrrerySimulation *self)
{
  g_mutex_lock (&self->lock);
  orrery_runner_wake (self->instance->runner);
  g_mutex_unlock (&self->lock);
}

void
orrery_simulation_interrupt (OrrerySimulation *self, gboolean interrupted)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (self));

  orrery_run_interrupt (self->run, interrupted);
  wake (self);
}

void
orrery_simulation_quit (OrrerySimulation *simulation)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  orrery_run_quit (simulation->run);
  wake (simulation);
}

gboolean
orrery_simulation_is_quitting (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), TRUE);
  return orrery_run_is_quitting (simulation->run);
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
  g_mutex_init (&self->lock);
  orrery_simulation_init_observers (self);
  self->kept =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
}

/* --- loading --- */

/* Whatever becomes the current directory, or the scene, later. */
static gboolean
keep_root (OrrerySimulation *self, GError **error)
{
  const char *root =
      self->options->root != NULL ? self->options->root : self->instance->scene->directory;

  self->root = realpath (root, NULL);
  return self->root != NULL ||
         orrery_set_error (error, ORRERY_ERROR_NO_FILE, "%s: %s", root, g_strerror (errno));
}

static gboolean
is_ready (OrreryOptions *options, GError **error)
{
  return options->ready == NULL || options->ready (options->ready_data, error);
}

/* Times that are further away could not be counted for long. */
static gboolean
check_start (const OrreryOptions *options, GError **error)
{
  const gint64 limit = (gint64) MAX_START * ORRERY_SECOND;

  if (isfinite (options->start) && fabs (options->start) > MAX_START)
    return orrery_set_error (
        error, ORRERY_ERROR_INVALID,
        "start: %g s is not from -9e9 to 9e9; use infinity for the value of the scene",
        options->start);
  if (options->start_time != G_MININT64 &&
      (options->start_time < -limit || options->start_time > limit))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "start-time: %" G_GINT64_FORMAT " ns is not from -9e18 to 9e18",
                             options->start_time);
  return TRUE;
}

OrrerySimulation *
orrery_simulation_load_with_options (OrreryRegistry *registry, const char *path,
                                     OrreryOptions *options, GError **error)
{
  g_autoptr (OrrerySimulation) self = NULL;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (ORRERY_TYPE_SIMULATION, NULL);
  self->options = options != NULL ? g_object_ref (options) : orrery_options_new ();
  self->run = orrery_run_new (self->options->state == ORRERY_STATE_STOPPED ? ORRERY_RUN_READY
                                                                           : ORRERY_RUN_LOADED,
                              self->options->state == ORRERY_STATE_PAUSED);
  if (!check_start (self->options, error))
    return NULL;
  self->instance = orrery_instance_new (self, self->run, registry, self->options);
  if (!orrery_instance_set_up (self->instance, path, NULL, error) || !keep_root (self, error) ||
      !is_ready (self->options, error) || !orrery_instance_open_hash_file (self->instance, error) ||
      !orrery_instance_open (self->instance, error))
    return NULL;
  return g_steal_pointer (&self);
}

OrrerySimulation *
orrery_simulation_load (OrreryRegistry *registry, const char *path, GError **error)
{
  return orrery_simulation_load_with_options (registry, path, NULL, error);
}

/* --- queries --- */

guint64
orrery_simulation_get_n_ticks (OrrerySimulation *simulation)
{
  guint64 n;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);

  g_mutex_lock (&simulation->lock);
  n = orrery_runner_get_n_ticks (simulation->instance->runner);
  g_mutex_unlock (&simulation->lock);
  return n;
}

OrreryTime
orrery_simulation_get_time (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  return orrery_runner_get_time (simulation->instance->runner);
}

guint64
orrery_simulation_get_epoch (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  return orrery_run_get_epoch (simulation->run);
}

double
orrery_simulation_get_frequency (OrrerySimulation *simulation)
{
  double frequency;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);

  g_mutex_lock (&simulation->lock);
  frequency = orrery_runner_get_settings (simulation->instance->runner)->frequency;
  g_mutex_unlock (&simulation->lock);
  return frequency;
}

OrreryWorld *
orrery_simulation_get_world (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  return simulation->instance->world;
}

const char **
orrery_simulation_get_files (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  return (const char **) g_hash_table_get_keys_as_array (simulation->instance->scene->files, NULL);
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
  levels = self->instance->scene->log_levels;
  if (!orrery_log_levels_set (levels, component, number, error))
    return FALSE;
  if (!orrery_log_levels_has (levels, component, &nearest))
    g_warning ("set_log_level: no part or class has the name '%.60s'%s", component, nearest);
  return TRUE;
}

/* A spawned one by its own name, too. */
static OrreryComponent *
find_component (OrrerySimulation *simulation, const char *name)
{
  OrreryObject *object = NULL;
  GHashTable *by_name = simulation->instance->assembly.by_name;
  OrreryComponent *component = g_hash_table_lookup (by_name, name);

  if (component == NULL)
    object = orrery_world_find_object (simulation->instance->world, name);
  return object != NULL ? g_hash_table_lookup (by_name, orrery_object_get_name (object))
                        : component;
}

OrreryComponent *
orrery_simulation_find_component (OrrerySimulation *simulation, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  return find_component (simulation, name);
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
find_engine (OrrerySimulation *simulation, const char *name)
{
  const OrreryAssembly *assembly = &simulation->instance->assembly;
  gpointer engines[] = { assembly->physics, assembly->rays, assembly->renderer };

  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (engines[i] != NULL && g_str_equal (orrery_part_get_name (engines[i]), name))
      return engines[i];
  return NULL;
}

OrreryPart *
orrery_simulation_find_part (OrrerySimulation *simulation, const char *name)
{
  OrreryComponent *component;
  OrreryPart *part;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  component = find_component (simulation, name);
  if (component != NULL)
    return ORRERY_PART (component);
  part = find_among (simulation->instance->assembly.parts, name);
  if (part == NULL)
    part = orrery_runner_find_part (simulation->instance->runner, name);
  if (part == NULL)
    part = orrery_simulation_find_observer (simulation, name);
  return part != NULL ? part : find_engine (simulation, name);
}

const char **
orrery_simulation_get_component_names (OrrerySimulation *simulation)
{
  GPtrArray *components;
  const char **names;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  components = simulation->instance->assembly.components;
  names = g_new0 (const char *, components->len + 1);
  for (guint i = 0; i < components->len; i++)
    names[i] = orrery_part_get_name (components->pdata[i]);
  return names;
}

guint64
orrery_simulation_get_hash (OrrerySimulation *simulation)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), 0);
  return orrery_runner_get_hash (simulation->instance->runner);
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
  OrreryInstance *instance;
  GVariantBuilder lost;
  GVariant *drawn = NULL, *added = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  instance = simulation->instance;
  g_variant_builder_init (&lost, G_VARIANT_TYPE ("as"));
  orrery_simulation_list_lost (simulation, &lost);
  if (instance->assembly.variations != NULL)
    drawn = orrery_assembly_list_drawn (&instance->assembly, instance->episode);
  if (instance->extensions->len > 0)
    added = orrery_instance_list_extensions (instance);
  return g_variant_ref_sink (orrery_runner_get_report (instance->runner, simulation->wall_ns,
                                                       instance->assembly.seed, drawn, added,
                                                       list_sources (instance->scene), &lost));
}

OrreryCall *
orrery_simulation_call (OrrerySimulation *simulation, const char *part, const char *service,
                        GVariant *arguments)
{
  OrreryCall *call;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (part != NULL && service != NULL, NULL);

  call = orrery_call_new (service, arguments);
  /* What a part calls within a turn is called again where the run is repeated. */
  if (orrery_run_get_place (simulation->run) == ORRERY_PLACE_TURN)
    orrery_calls_start (simulation->instance->assembly.calls, NULL, part, call);
  else
    orrery_calls_start_outside (simulation->instance->assembly.calls, NULL, part, call);
  return call;
}

gboolean
orrery_simulation_write (OrrerySimulation *simulation, OrreryComponent *component,
                         const char *field, GVariant *value, GError **error)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (value);
  OrreryPipeline *pipeline;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);

  pipeline = g_hash_table_lookup (simulation->instance->assembly.pipelines, component);
  if (pipeline == NULL || !ORRERY_IS_ACTUATOR (component))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s is no actuator of this simulation",
                             orrery_part_get_name (ORRERY_PART (component)));
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
    pipeline = g_hash_table_lookup (simulation->instance->assembly.pipelines, component);
  if (orrery_run_get_state (simulation->run) != ORRERY_RUN_CLOSED &&
      (component == NULL) == (pipeline == NULL)) {
    OrreryWatch *watch = g_new0 (OrreryWatch, 1);

    id = ++simulation->last_watch;
    *watch = (OrreryWatch){ id, pipeline, func, user_data, destroy };
    orrery_runner_add_watch (simulation->instance->runner, watch);
  }
  g_mutex_unlock (&simulation->lock);
  if (id != 0)
    return id;
  orrery_set_error (error, ORRERY_ERROR_STATE,
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
  found = orrery_runner_end_watch (simulation->instance->runner, id);
  g_mutex_unlock (&simulation->lock);
  return found;
}
