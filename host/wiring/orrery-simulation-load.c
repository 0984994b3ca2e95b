/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

#include "roles/orrery-log.h"
#include "roles/orrery-part-private.h"
#include "roles/orrery-raycaster-private.h"
#include "roles/orrery-request-manager-private.h"
#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

#include <errno.h>
#include <math.h>

/* --- loading, step by step; each step goes on as far as it can and takes its problems --- */

static OrreryTime
find_start (OrrerySimulation *self)
{
  const OrreryEnvironment *env = &self->scene->environment;

  if (isfinite (self->options->start))
    return orrery_time_from_seconds (self->options->start);
  if (isfinite (env->start))
    return orrery_time_from_seconds (env->start);
  return env->relative_time ? 0 : g_get_real_time () * 1000;
}

static double
find_base_frequency (OrrerySimulation *self, double highest)
{
  const OrreryEnvironment *env = &self->scene->environment;

  if (env->frequency > 0)
    return env->frequency;
  return env->auto_tune ? MAX (ORRERY_DEFAULT_FREQUENCY, highest) : ORRERY_DEFAULT_FREQUENCY;
}

static OrreryPace
find_pace (OrrerySimulation *self)
{
  switch (self->options->pacing) {
  case ORRERY_PACING_BEST_EFFORT:
    return ORRERY_PACE_BEST_EFFORT;
  case ORRERY_PACING_FIXED_STEP:
    return ORRERY_PACE_FIXED_STEP;
  case ORRERY_PACING_FAST:
    return ORRERY_PACE_FAST;
  default:
    return self->scene->environment.fixed_step ? ORRERY_PACE_FIXED_STEP : ORRERY_PACE_BEST_EFFORT;
  }
}

static void
create_assembly (OrrerySimulation *self)
{
  OrreryAssembly *assembly = &self->assembly;

  assembly->registry = self->registry;
  assembly->world = self->world;
  assembly->scene = self->scene;
  assembly->options = self->options;
  assembly->problems = &self->problems;
  assembly->seed = self->options->has_seed ? self->options->seed : self->scene->environment.seed;
  assembly->components = g_ptr_array_new_with_free_func (g_object_unref);
  assembly->places = g_ptr_array_new ();
  assembly->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  assembly->pipelines = g_hash_table_new (NULL, NULL);
  assembly->parts = g_ptr_array_new_with_free_func (g_object_unref);
  assembly->managers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  assembly->request_managers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  assembly->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/* One that takes the place of another, while the simulation runs. */
static OrreryScript *
make_script (gpointer host, OrreryScriptSlot *slot, GError **error)
{
  OrrerySimulation *self = host;
  OrreryScript *script = orrery_assembly_make_script (&self->assembly, slot);

  if (script != NULL)
    return script;
  orrery_problems_report (&self->problems, error);
  orrery_problems_clear (&self->problems);
  orrery_problems_init (&self->problems);
  return NULL;
}

static void
drop_script (gpointer host, OrreryScriptSlot *slot)
{
  orrery_assembly_drop_script (&((OrrerySimulation *) host)->assembly, slot->script);
}

static void
create_runner (OrrerySimulation *self)
{
  const OrreryEnvironment *env = &self->scene->environment;
  double frequency = find_base_frequency (self, orrery_assembly_find_frequency (&self->assembly));

  self->runner = orrery_runner_new (self->world, frequency, env->substeps, find_start (self));
  self->assembly.runner = self->runner;
  orrery_pacer_init (&self->runner->pacer, find_pace (self), frequency, env->time_scale,
                     MIN (env->logic_step_max, env->physics_step_max));
  self->runner->state = ORRERY_STATE_STOPPED;
  self->runner->settle = orrery_simulation_settle;
  self->runner->settle_host = self;
  self->runner->scripts->make = make_script;
  self->runner->scripts->drop = drop_script;
  self->runner->scripts->host = self;
  if (self->lender != NULL)
    orrery_simulation_lend_scripts (self->lender, self->runner->scripts);
  self->runner->n_threads = self->options->threads > 0
                                ? self->options->threads
                                : MIN (g_get_num_processors (), ORRERY_MAX_THREADS);
  self->runner->hashing = self->options->hash || self->options->hash_file != NULL;
}

static void
add_system_parts (OrrerySimulation *self)
{
  OrreryPart *supervision = orrery_supervision_new (self);
  OrreryPart *time = orrery_time_services_new (self);
  OrreryPart *states = orrery_state_services_new (self);
  OrreryPart *communication = orrery_communication_new (self);
  OrreryPart *viewer = orrery_viewer_services_new (self);

  g_ptr_array_add (self->system, supervision);
  g_ptr_array_add (self->system, time);
  g_ptr_array_add (self->system, states);
  g_ptr_array_add (self->system, communication);
  g_ptr_array_add (self->system, viewer);
  orrery_calls_map (self->runner->calls, NULL, "simulation", viewer, NULL);
  orrery_calls_map (self->runner->calls, NULL, "simulation", states, NULL);
  orrery_calls_map (self->runner->calls, NULL, "simulation", supervision, NULL);
  orrery_calls_map (self->runner->calls, NULL, "time", time, NULL);
  orrery_calls_map (self->runner->calls, NULL, "communication", communication, NULL);
}

static void
create_physics (OrrerySimulation *self)
{
  const OrreryEnvironment *env = &self->scene->environment;
  OrreryPart *part = orrery_assembly_create (&self->assembly, env->physics_node, env->physics,
                                             ORRERY_ROLE_PHYSICS, "physics");

  if (part == NULL)
    return;
  self->runner->physics = ORRERY_PHYSICS (part);
  orrery_assembly_setup (&self->assembly, env->physics_node, part, NULL, NULL);
}

/* Loops of a mechanism that the engine does not close. */
static void
name_open_constraints (OrrerySimulation *self)
{
  OrreryObject *first = NULL;
  guint n = 0;

  for (guint i = 0; i < orrery_world_get_n_objects (self->world); i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);
    GArray *list = orrery_object_get_constraints (object);

    for (guint k = 0; list != NULL && k < list->len; k++) {
      const OrreryConstraint *constraint = &g_array_index (list, OrreryConstraint, k);

      if (constraint->taken || constraint->kind == ORRERY_CONSTRAINT_COUPLING)
        continue;
      first = n++ == 0 ? object : first;
    }
  }
  if (n > 0)
    orrery_part_log_plain (
        self->runner->physics, G_LOG_LEVEL_WARNING,
        "%s holds no bodies to each other: %u such constraints are left open, the first of "
        "them of '%s'; orrery.physics.mujoco.MuJoCo holds those of bodies that move",
        orrery_part_get_classpath (ORRERY_PART (self->runner->physics)), n,
        orrery_object_get_name (first));
}

gboolean
orrery_simulation_build_physics (OrrerySimulation *self, GError **error)
{
  GError *local = NULL;

  if (self->runner->physics == NULL)
    return TRUE;
  ORRERY_PHYSICS_GET_CLASS (self->runner->physics)
      ->build (self->runner->physics, self->world, &local);
  if (local == NULL) {
    name_open_constraints (self);
    return TRUE;
  }
  g_prefix_error (&local, "%s: ", orrery_part_get_classpath (ORRERY_PART (self->runner->physics)));
  g_propagate_error (error, local);
  return FALSE;
}

/* Where somebody has asked for them: what cannot be built is said before the first tick. */
static gboolean
build_rays (OrrerySimulation *self, GError **error)
{
  OrreryRaycaster *rays = self->assembly.rays;

  return rays == NULL ||
         orrery_raycaster_prepare (rays, orrery_world_get_snapshot (self->world), error);
}

static void
keep_state (OrrerySimulation *self, OrreryPart *part)
{
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (part);
  OrreryRemote *remote = orrery_remote_find (part);
  GVariant *state = NULL;

  if (remote != NULL)
    state = remote->state;
  else if (klass->save != NULL)
    state = klass->save (part);
  orrery_part_keep_options (part);
  if (state != NULL)
    g_hash_table_insert (self->states, part, g_variant_ref_sink (state));
}

static void
keep_states (OrrerySimulation *self)
{
  for (guint i = 0; i < self->assembly.components->len; i++)
    keep_state (self, self->assembly.components->pdata[i]);
  for (guint i = 0; i < self->assembly.parts->len; i++)
    keep_state (self, self->assembly.parts->pdata[i]);
}

static gboolean
open_hash_file (OrrerySimulation *self, GError **error)
{
  const char *path = self->options->hash_file;

  if (path == NULL || self->options->check_only)
    return TRUE;
  self->runner->hash_file = fopen (path, "we");
  if (self->runner->hash_file != NULL)
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: cannot be written: %s", path,
               g_strerror (errno));
  return FALSE;
}

/* What cannot be had now may come: its streams are missed, the run is not. */
static void
wait_for_manager (OrrerySimulation *self, OrreryDatastreamManager *manager, const GError *error)
{
  GPtrArray *names = g_object_get_data (G_OBJECT (manager), ORRERY_MANAGER_STREAMS);
  g_autofree char *list = NULL;

  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  orrery_part_log_plain (manager, G_LOG_LEVEL_WARNING,
                         "%s: %s; not on a stream: %s; it is tried again while the simulation runs",
                         orrery_part_get_classpath (ORRERY_PART (manager)), error->message, list);
  orrery_runner_add_absent (self->runner, manager);
}

static gboolean
start_managers (OrrerySimulation *self, GError **error)
{
  GPtrArray *managers = self->runner->managers;
  guint n = 0; /* those that have started */

  while (n < managers->len && !self->options->check_only) {
    OrreryDatastreamManagerClass *klass = ORRERY_DATASTREAM_MANAGER_GET_CLASS (managers->pdata[n]);
    GError *local = NULL;

    if (klass->start != NULL)
      klass->start (managers->pdata[n], &local);
    if (local == NULL) {
      n++;
      continue;
    }
    if (!self->options->strict && g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_BUSY)) {
      wait_for_manager (self, managers->pdata[n], local);
      g_error_free (local);
      continue;
    }
    g_propagate_error (error, local);
    return FALSE;
  }
  return TRUE;
}

static gboolean
start_request_managers (OrrerySimulation *self, GError **error)
{
  GPtrArray *managers = self->runner->request_managers;

  for (guint i = 0; i < managers->len && !self->options->check_only; i++) {
    OrreryRequestManagerClass *klass = ORRERY_REQUEST_MANAGER_GET_CLASS (managers->pdata[i]);
    GError *local = NULL;

    klass->start (managers->pdata[i], &local);
    if (local == NULL)
      continue;
    g_propagate_error (error, local);
    return FALSE;
  }
  return TRUE;
}

/* What cameras name and grippers take, as MORSE tells it at the start. */
static void
announce_passive (OrreryWorld *world)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);
    const char *name = orrery_object_get_name (object);

    if (orrery_object_is_set (object, "Object"))
      g_info ("Passive object %s: label %s, type %s%s", name,
              orrery_object_get_text (object, "Label", name),
              orrery_object_get_text (object, "Type", "Object"),
              orrery_object_is_set (object, "Graspable") ? ", graspable" : "");
  }
}

static void
announce (OrrerySimulation *self)
{
  GPtrArray *components = self->assembly.components;

  for (guint i = 0; i < components->len; i++) {
    OrreryComponent *component = components->pdata[i];
    OrreryComponent *robot = orrery_component_get_robot (component);
    const char *level = orrery_component_get_level (component);

    if (robot != component)
      orrery_part_log_plain (component, G_LOG_LEVEL_INFO, "Component %s (level: %s) added to %s",
                             orrery_part_get_name (components->pdata[i]),
                             level != NULL ? level : "default",
                             orrery_part_get_name (ORRERY_PART (robot)));
  }
  announce_passive (self->world);
  if (self->runner->pacer.pace == ORRERY_PACE_BEST_EFFORT)
    g_message ("Morse configured in Best Effort Mode");
  else
    g_message ("Morse configured in Fixed Simulation Step Mode with time step of %f sec ( 1.0 /  "
               "%.0f)",
               self->runner->tick->dt, self->runner->frequency);
}

static void
assemble (OrrerySimulation *self)
{
  OrreryAssembly *assembly = &self->assembly;

  orrery_scene_build (self->scene);
  create_assembly (self);
  create_runner (self);
  add_system_parts (self);
  create_physics (self);
  orrery_assembly_check_rays (assembly);
  orrery_assembly_add_components (assembly);
  orrery_assembly_read_config (assembly);
  if (orrery_assembly_needs_python (assembly))
    return;
  orrery_world_place (self->world);
  orrery_assembly_read_workers (assembly);
  orrery_assembly_start_workers (assembly);
  orrery_assembly_setup_components (assembly);
  orrery_assembly_add_pipelines (assembly);
  orrery_assembly_bind_workers (assembly);
  orrery_assembly_add_modifiers (assembly);
  orrery_assembly_add_streams (assembly);
  orrery_assembly_add_services (assembly);
  orrery_assembly_add_overlays (assembly);
  orrery_assembly_add_scripts (assembly, self->runner->scripts);
}

void
orrery_simulation_replicate (OrrerySimulation *self, OrreryScene *scene)
{
  self->scene = scene;
  orrery_scene_build (scene);
  create_assembly (self);
  create_runner (self);
  orrery_assembly_add_components (&self->assembly);
  orrery_world_place (self->world);
}

gboolean
orrery_simulation_set_up (OrrerySimulation *self, const char *path, GError **error)
{
  self->scene = orrery_scene_new (self->registry, self->world, &self->problems);
  if (!orrery_scene_read (self->scene, path, error))
    return FALSE;
  assemble (self);
  if (!orrery_problems_report (&self->problems, error))
    return FALSE;
  keep_states (self);
  return orrery_simulation_build_physics (self, error) && build_rays (self, error);
}

gboolean
orrery_simulation_open (OrrerySimulation *self, GError **error)
{
  orrery_scene_check_log_levels (self->scene);
  announce (self);
  orrery_simulation_log_phase ("SUPERVISION SERVICES INITIALIZATION", FALSE);
  if (!start_managers (self, error) || !start_request_managers (self, error))
    return FALSE;
  orrery_simulation_log_phase ("SUPERVISION SERVICES INITIALIZED", TRUE);
  self->loaded = TRUE;
  if (self->options->check_only)
    return TRUE;
  self->runner->in_turn = TRUE;
  orrery_scripts_begin (self->runner->scripts, ORRERY_SCRIPTS_LASTING, self->runner->tick);
  self->runner->in_turn = FALSE;
  return TRUE;
}

gboolean
orrery_simulation_assemble (OrrerySimulation *self, const char *path, GError **error)
{
  return orrery_simulation_set_up (self, path, error) && open_hash_file (self, error) &&
         orrery_simulation_open (self, error);
}
