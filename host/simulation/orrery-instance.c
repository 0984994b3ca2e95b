/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds an instance that can run from a scene file, and ends it. */
#include "simulation/orrery-instance-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-raycaster-private.h"
#include "roles/orrery-request-manager-private.h"
#include "roles/orrery-stream-private.h"
#include "simulation/orrery-simulation-private.h"
#include "world/orrery-world-private.h"

#include <errno.h>
#include <math.h>

#define DEFAULT_PHYSICS "orrery.physics.bullet.Bullet"

/* --- members --- */

OrreryInstance *
orrery_instance_new (OrrerySimulation *simulation, OrreryRun *run, OrreryRegistry *registry,
                     OrreryOptions *options)
{
  OrreryInstance *self = g_new0 (OrreryInstance, 1);

  self->simulation = simulation;
  self->run = run;
  self->registry = g_object_ref (registry);
  self->options = g_object_ref (options);
  self->world = orrery_world_new ();
  self->system = g_ptr_array_new_with_free_func (g_object_unref);
  self->states = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_variant_unref);
  orrery_problems_init (&self->problems);
  return self;
}

gboolean
orrery_instance_is_fit (OrreryInstance *self, GError **error)
{
  if (G_LIKELY (self->failure == NULL))
    return TRUE;
  g_propagate_error (error, g_error_copy (self->failure));
  return FALSE;
}

/* --- scripts of the program, which belong to two scenes while the second one is set up --- */

void
orrery_scripts_share (OrreryScripts *scripts, OrreryScripts *from)
{
  for (guint i = 0; i < from->slots->len; i++) {
    OrreryScriptSlot *slot = from->slots->pdata[i];

    if (ORRERY_SCRIPTS_OF_PROGRAM >> slot->type & 1)
      g_ptr_array_add (scripts->slots, slot);
  }
}

void
orrery_scripts_leave (OrreryScripts *scripts, OrreryScripts *others)
{
  guint n = 0;

  for (guint i = 0; i < scripts->slots->len; i++)
    if (!g_ptr_array_find (others->slots, scripts->slots->pdata[i], NULL))
      scripts->slots->pdata[n++] = scripts->slots->pdata[i];
  g_ptr_array_set_free_func (scripts->slots, NULL);
  g_ptr_array_set_size (scripts->slots, n);
  g_ptr_array_set_free_func (scripts->slots, (GDestroyNotify) orrery_script_slot_free);
  scripts->changed = TRUE;
}

/* --- loading in steps, each of which continues as far as it can and collects its problems --- */

static OrreryTime
find_start (OrreryInstance *self)
{
  const OrreryEnvironment *env = &self->scene->environment;

  if (isfinite (self->options->start))
    return orrery_time_from_seconds (self->options->start);
  if (isfinite (env->start))
    return orrery_time_from_seconds (env->start);
  return env->relative_time ? 0 : g_get_real_time () * 1000;
}

static double
find_base_frequency (OrreryInstance *self, double highest)
{
  const OrreryEnvironment *env = &self->scene->environment;

  if (env->frequency > 0)
    return env->frequency;
  return env->auto_tune ? MAX (ORRERY_DEFAULT_FREQUENCY, highest) : ORRERY_DEFAULT_FREQUENCY;
}

static OrreryPace
find_pace (OrreryInstance *self)
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
create_assembly (OrreryInstance *self)
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

/* An instance that replaces another one while the simulation runs. */
static OrreryScript *
make_script (gpointer host, OrreryScriptSlot *slot, GError **error)
{
  OrreryInstance *self = host;
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
  orrery_assembly_drop_script (&((OrreryInstance *) host)->assembly, slot->script);
}

static void
create_runner (OrreryInstance *self, OrreryScripts *shared)
{
  const OrreryEnvironment *env = &self->scene->environment;
  double frequency = find_base_frequency (self, orrery_assembly_find_frequency (&self->assembly));

  self->runner =
      orrery_runner_new (self->run, self->world, frequency, env->substeps, find_start (self));
  self->assembly.runner = self->runner;
  orrery_pacer_init (&self->runner->pacer, find_pace (self), frequency, env->time_scale,
                     MIN (env->logic_step_max, env->physics_step_max));
  self->runner->scripts->make = make_script;
  self->runner->scripts->drop = drop_script;
  self->runner->scripts->host = self;
  if (shared != NULL)
    orrery_scripts_share (self->runner->scripts, shared);
  self->runner->n_threads = self->options->threads > 0
                                ? self->options->threads
                                : MIN (g_get_num_processors (), ORRERY_MAX_THREADS);
  self->runner->hashing = self->options->hash || self->options->hash_file != NULL;
}

static void
add_system_parts (OrreryInstance *self)
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
create_physics (OrreryInstance *self)
{
  OrreryNode *name = self->scene->environment.physics;
  OrreryPart *part =
      orrery_assembly_create (&self->assembly, name, orrery_keys_text (name, DEFAULT_PHYSICS),
                              ORRERY_ROLE_PHYSICS, "physics");

  if (part == NULL)
    return;
  self->runner->physics = ORRERY_PHYSICS (part);
  orrery_assembly_setup (&self->assembly, name, part, NULL, NULL);
}

/* Loops of a mechanism that the engine does not close. */
static void
name_open_constraints (OrreryInstance *self)
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
orrery_instance_build_physics (OrreryInstance *self, GError **error)
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

/* Prepares the raycaster if the scene needs one, so that errors are reported before the first
 * tick. */
static gboolean
build_rays (OrreryInstance *self, GError **error)
{
  OrreryRaycaster *rays = self->assembly.rays;

  return rays == NULL ||
         orrery_raycaster_prepare (rays, orrery_world_get_snapshot (self->world), error);
}

static void
keep_state (OrreryInstance *self, OrreryPart *part)
{
  OrreryRemote *remote = orrery_remote_find (part);
  GVariant *state = NULL;

  if (remote == NULL)
    state = orrery_part_save_state (part);
  else if (remote->state != NULL)
    state = g_variant_ref (remote->state);
  orrery_part_keep_options (part);
  if (state != NULL)
    g_hash_table_insert (self->states, part, state);
}

static void
keep_states (OrreryInstance *self)
{
  for (guint i = 0; i < self->assembly.components->len; i++)
    keep_state (self, self->assembly.components->pdata[i]);
  for (guint i = 0; i < self->assembly.parts->len; i++)
    keep_state (self, self->assembly.parts->pdata[i]);
}

gboolean
orrery_instance_open_hash_file (OrreryInstance *self, GError **error)
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

/* A stream that cannot be opened now may become available later: the run continues without it. */
static void
wait_for_manager (OrreryInstance *self, OrreryDatastreamManager *manager, const GError *error)
{
  GPtrArray *names = orrery_datastream_manager_get_streams (manager);
  g_autofree char *list = NULL;

  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  orrery_part_log_plain (manager, G_LOG_LEVEL_WARNING,
                         "%s: %s; not on a stream: %s; it is tried again while the simulation runs",
                         orrery_part_get_classpath (ORRERY_PART (manager)), error->message, list);
  orrery_runner_add_absent (self->runner, manager);
}

static gboolean
start_managers (OrreryInstance *self, GError **error)
{
  GPtrArray *managers = self->runner->managers;
  guint n = 0; /* the streams that have started */

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
start_request_managers (OrreryInstance *self, GError **error)
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

/* Logs what cameras name and grippers can take, as MORSE does at the start. */
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
announce (OrreryInstance *self)
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
assemble (OrreryInstance *self, OrreryScripts *shared)
{
  OrreryAssembly *assembly = &self->assembly;

  orrery_scene_build (self->scene);
  create_assembly (self);
  create_runner (self, shared);
  add_system_parts (self);
  create_physics (self);
  orrery_assembly_check_rays (assembly);
  orrery_assembly_add_components (assembly);
  orrery_assembly_read_config (assembly);
  orrery_assembly_merge_imported (assembly);
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
orrery_instance_replicate (OrreryInstance *self, OrreryScene *scene)
{
  self->scene = scene;
  orrery_scene_build (scene);
  create_assembly (self);
  create_runner (self, NULL);
  orrery_assembly_add_components (&self->assembly);
  orrery_world_place (self->world);
}

static gboolean
set_up (OrreryInstance *self, const char *path, OrreryScripts *shared, GError **error)
{
  self->scene = orrery_scene_new (self->registry, self->world, &self->problems);
  if (!orrery_scene_read (self->scene, path, error))
    return FALSE;
  assemble (self, shared);
  if (!orrery_problems_report (&self->problems, error))
    return FALSE;
  keep_states (self);
  return orrery_instance_build_physics (self, error) && build_rays (self, error);
}

gboolean
orrery_instance_set_up (OrreryInstance *self, const char *path, OrreryScripts *scripts,
                        GError **error)
{
  if (set_up (self, path, scripts, error))
    return TRUE;
  if (self->runner != NULL && scripts != NULL)
    orrery_scripts_leave (self->runner->scripts, scripts);
  return FALSE;
}

static void
begin_scripts (OrreryInstance *self)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_TURN);

  orrery_scripts_begin (self->runner->scripts, ORRERY_SCRIPTS_LASTING, self->runner->tick);
}

gboolean
orrery_instance_open (OrreryInstance *self, GError **error)
{
  orrery_scene_check_log_levels (self->scene);
  announce (self);
  orrery_instance_log_phase ("SUPERVISION SERVICES INITIALIZATION", FALSE);
  if (!start_managers (self, error) || !start_request_managers (self, error))
    return FALSE;
  orrery_instance_log_phase ("SUPERVISION SERVICES INITIALIZED", TRUE);
  self->open = TRUE;
  if (self->options->check_only)
    return TRUE;
  begin_scripts (self);
  return TRUE;
}

/* --- its end --- */

void
orrery_instance_end_calls (OrreryInstance *self)
{
  GPtrArray *const lists[] = { self->assembly.components, self->assembly.parts };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; lists[i] != NULL && j < lists[i]->len; j++) {
      OrreryCall *busy = orrery_part_get_busy (lists[i]->pdata[j]);

      if (busy != NULL)
        orrery_call_fail (busy, g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED,
                                             "the simulation ends"));
    }
}

static void
close_streams (GPtrArray *managers)
{
  for (guint i = 0; i < managers->len; i++) {
    OrreryDatastreamManager *manager = managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close (manager);
  }
}

void
orrery_instance_log_phase (const char *words, gboolean ends)
{
  g_log_structured (G_LOG_DOMAIN, G_LOG_LEVEL_INFO, "ORRERY_PHASE", ends ? "end" : "begin",
                    "MESSAGE", "%s", words);
}

static void
close_managers (OrreryRunner *runner)
{
  orrery_instance_log_phase ("CLOSING REQUEST MANAGERS...", TRUE);
  for (guint i = 0; i < runner->request_managers->len; i++) {
    OrreryRequestManager *manager = runner->request_managers->pdata[i];

    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush (manager);
    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close != NULL)
      ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->close (manager);
  }
  orrery_instance_log_phase ("CLOSING DATASTREAMS...", TRUE);
  close_streams (runner->managers);
  close_streams (runner->absent);
  orrery_instance_log_phase ("CLOSING OVERLAYS...", TRUE);
}

void
orrery_instance_close (OrreryInstance *self)
{
  if (self->runner == NULL)
    return;
  if (self->open)
    orrery_runner_intake_requests (self->runner);
  orrery_runner_end_calls (self->runner);
  orrery_instance_end_calls (self);
  close_managers (self->runner);
  if (self->runner->workers != NULL)
    orrery_workers_close (self->runner->workers);
}

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

static void
leave_parts (OrreryInstance *self)
{
  GHashTableIter iter;
  gpointer manager;

  if (self->assembly.request_managers != NULL) {
    g_hash_table_iter_init (&iter, self->assembly.request_managers);
    while (g_hash_table_iter_next (&iter, NULL, &manager))
      /* NULL: no manager has that name. */
      if (manager != NULL)
        orrery_request_manager_detach (manager);
  }
  for (guint i = 0; i < self->system->len; i++)
    orrery_system_part_leave (self->system->pdata[i]);
}

void
orrery_instance_free (OrreryInstance *self)
{
  leave_parts (self);
  g_clear_pointer (&self->runner, orrery_runner_free);
  g_clear_pointer (&self->states, g_hash_table_unref);
  g_clear_pointer (&self->system, g_ptr_array_unref);
  clear_assembly (&self->assembly);
  g_clear_pointer (&self->scene, orrery_scene_free);
  g_clear_object (&self->world);
  g_clear_object (&self->options);
  g_clear_object (&self->registry);
  orrery_problems_clear (&self->problems);
  g_clear_error (&self->failure);
  g_free (self);
}
