/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds an instance that can run from a scene file, and ends it. */
#include "simulation/orrery-instance-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-raycaster-private.h"
#include "scene/orrery-settings-private.h"
#include "simulation/orrery-simulation-private.h"
#include "simulation/orrery-spawn-private.h"
#include "simulation/orrery-system-part-private.h"
#include "worker/orrery-worker-log-private.h"
#include "world/orrery-world-private.h"

#include <math.h>

/* --- members --- */

static void
clear_extension (gpointer data)
{
  OrreryExtension *extension = data;

  g_free (extension->name);
  g_free (extension->object);
  g_free (extension->config);
}

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
  self->extensions = g_array_new (FALSE, FALSE, sizeof (OrreryExtension));
  g_array_set_clear_func (self->extensions, clear_extension);
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

/* --- loading in steps, each of which continues as far as it can and collects its problems --- */

static OrreryTime
find_start (OrreryInstance *self)
{
  const OrreryEnvironment *env = &self->scene->environment;

  if (self->options->start_time != G_MININT64)
    return self->options->start_time;
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

/* An OrreryScriptMakeFunc. */
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
create_runner (OrreryInstance *self, OrreryTime start, OrreryScripts *shared)
{
  const OrreryEnvironment *env = &self->scene->environment;
  const OrreryOptions *options = self->options;
  OrreryScripts *scripts = orrery_scripts_new (make_script, drop_script, self);
  double frequency = find_base_frequency (self, orrery_assembly_find_frequency (self->scene));
  OrreryRunnerSettings settings = {
    .frequency = frequency,
    .substeps = orrery_scene_find_substeps (self->scene, frequency),
    .start = start,
    .pace = find_pace (self),
    .time_scale = env->time_scale,
    .max_ticks = MIN (env->logic_step_max, env->physics_step_max),
    .n_threads =
        options->threads > 0 ? options->threads : MIN (g_get_num_processors (), ORRERY_MAX_THREADS),
    .hashing = options->hash || options->hash_file != NULL,
    .on_demand = options->on_demand,
    .fed = options->fed,
  };

  if (shared != NULL)
    orrery_scripts_share (scripts, shared);
  self->runner = orrery_runner_new (self->run, self->world, scripts, &settings);
  orrery_assembly_init (&self->assembly, self->registry, self->scene, self->options, self->runner);
}

static void
add_system_parts (OrreryInstance *self)
{
  for (const OrrerySystemPartDesc *desc = orrery_system_parts; desc->name != NULL; desc++) {
    OrreryPart *part = orrery_system_part_new (desc->get_type (), desc->name, self);

    g_ptr_array_add (self->system, part);
    orrery_calls_map (self->assembly.calls, NULL, desc->name, part, NULL);
  }
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
  else if (orrery_remote_get_state (remote) != NULL)
    state = g_variant_ref (orrery_remote_get_state (remote));
  orrery_part_keep_options (part);
  if (state != NULL)
    g_hash_table_insert (self->states, part, state);
}

void
orrery_instance_keep_states (OrreryInstance *self, guint first_component, guint first_part)
{
  for (guint i = first_component; i < self->assembly.components->len; i++)
    keep_state (self, self->assembly.components->pdata[i]);
  for (guint i = first_part; i < self->assembly.parts->len; i++)
    keep_state (self, self->assembly.parts->pdata[i]);
}

gboolean
orrery_instance_open_hash_file (OrreryInstance *self, GError **error)
{
  const char *path = self->options->hash_file;
  g_autofree const char **kept = NULL;

  if (path == NULL || self->options->check_only)
    return TRUE;
  kept = (const char **) g_hash_table_get_keys_as_array (self->scene->files, NULL);
  return orrery_runner_open_hash_file (self->runner, path, kept, error);
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

/* The words that tools of MORSE look for, in a scene that a script of MORSE made. */
static void
announce_as_morse (OrreryInstance *self, const OrreryRunnerSettings *settings)
{
  if (settings->pace == ORRERY_PACE_BEST_EFFORT)
    g_info ("Morse configured in Best Effort Mode");
  else
    g_info ("Morse configured in Fixed Simulation Step Mode with time step of %f sec ( 1.0 /  "
            "%.0f)",
            orrery_tick_get_dt (orrery_runner_get_tick (self->runner)), settings->frequency);
}

static void
announce (OrreryInstance *self)
{
  const OrreryRunnerSettings *settings = orrery_runner_get_settings (self->runner);
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
  if (self->scene->environment.component_order == ORRERY_COMPONENT_ORDER_MORSE)
    announce_as_morse (self, settings);
  else
    g_info ("%g ticks per second of simulated time, %s", settings->frequency,
            settings->pace == ORRERY_PACE_BEST_EFFORT
                ? "following the clock; late ticks are dropped"
            : settings->pace == ORRERY_PACE_FIXED_STEP ? "following the clock; none is dropped"
                                                       : "as fast as they can be computed");
}

/* Returns: whether the world is as its files say, and complete; parts may be wrong all the same */
static gboolean
assemble (OrreryInstance *self, OrreryScripts *shared)
{
  OrreryAssembly *assembly = &self->assembly;
  gboolean is_sound;

  create_runner (self, find_start (self), shared);
  add_system_parts (self);
  orrery_assembly_add_physics (assembly);
  is_sound = self->problems.n == 0;
  orrery_assembly_check_rays (assembly);
  orrery_assembly_add_components (assembly, 0);
  orrery_assembly_read_config (assembly);
  orrery_assembly_merge_imported (assembly);
  if (orrery_assembly_needs_python (assembly))
    return FALSE;
  orrery_world_make_room (self->world, self->scene->environment.room);
  orrery_world_place (self->world);
  orrery_assembly_read_workers (assembly);
  orrery_assembly_start_workers (assembly);
  orrery_assembly_setup_components (assembly, 0);
  orrery_assembly_add_pipelines (assembly, 0);
  orrery_assembly_add_modifiers (assembly);
  orrery_assembly_add_streams (assembly);
  orrery_assembly_add_services (assembly);
  orrery_assembly_add_overlays (assembly);
  orrery_assembly_add_scripts (assembly, orrery_runner_get_scripts (self->runner));
  orrery_assembly_check_settings (assembly);
  orrery_assembly_read_randomisation (assembly);
  return is_sound;
}

static gboolean
build_world (OrreryInstance *self, GError **error)
{
  if (!orrery_assembly_build_physics (&self->assembly, error) || !build_rays (self, error))
    return FALSE;
  orrery_assembly_check_quantities (&self->assembly);
  return TRUE;
}

/* What the engine finds wrong is told with what is wrong elsewhere. */
static gboolean
report_problems (OrreryInstance *self, gboolean is_sound, GError **error)
{
  GError *local = NULL;

  if (self->problems.n > 0 && is_sound && !build_world (self, &local))
    orrery_problems_take (&self->problems, local);
  return orrery_problems_report (&self->problems, error);
}

void
orrery_instance_replicate (OrreryInstance *self, OrreryScene *scene, OrreryTime start)
{
  self->scene = scene;
  /* What the files of the scene give rise to was said where it was read first. */
  orrery_worker_log_mute (TRUE);
  orrery_scene_build (scene);
  create_runner (self, start, NULL);
  orrery_worker_log_mute (FALSE);
  self->assembly.is_replica = TRUE;
  orrery_assembly_add_components (&self->assembly, 0);
  orrery_world_place (self->world);
}

gboolean
orrery_instance_read (OrreryInstance *self, const char *path, GCancellable *cancellable,
                      GError **error)
{
  self->scene = orrery_scene_new (self->registry, self->world, &self->problems);
  self->scene->read_limit = self->options->read_limit;
  g_set_object (&self->scene->cancellable, cancellable);
  if (!orrery_scene_add_settings (self->scene, (const char *const *) self->options->settings,
                                  error) ||
      !orrery_scene_read (self->scene, path, error))
    return FALSE;
  orrery_scene_build (self->scene);
  return TRUE;
}

static gboolean
add_spawn (OrreryInstance *self, GError **error)
{
  GError *local = NULL;

  self->spawn = orrery_spawn_new (self, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* An OrreryDrawFunc. */
static gboolean
draw_again (gpointer data, guint64 tick, OrreryTime elapsed, OrreryTime before, GError **error)
{
  OrreryInstance *self = data;

  return orrery_assembly_draw_again (&self->assembly, self->episode, tick, elapsed, before, error);
}

static gboolean
set_up (OrreryInstance *self, const char *path, OrreryScripts *shared, GError **error)
{
  if (self->scene == NULL && !orrery_instance_read (self, path, NULL, error))
    return FALSE;
  if (!report_problems (self, assemble (self, shared), error))
    return FALSE;
  orrery_scene_check_log_levels (self->scene);
  orrery_instance_keep_states (self, 0, 0);
  if (self->assembly.draws_at_ticks)
    orrery_runner_set_draw_func (self->runner, draw_again, self);
  return add_spawn (self, error) &&
         orrery_assembly_randomise (&self->assembly, self->episode, error) &&
         build_world (self, error) && orrery_problems_report (&self->problems, error) &&
         orrery_assembly_begin_quantities (&self->assembly, self->episode, error);
}

gboolean
orrery_instance_set_up (OrreryInstance *self, const char *path, OrreryScripts *scripts,
                        GError **error)
{
  if (set_up (self, path, scripts, error))
    return TRUE;
  if (self->runner != NULL && scripts != NULL)
    orrery_scripts_leave (orrery_runner_get_scripts (self->runner), scripts);
  return FALSE;
}

static void
begin_scripts (OrreryInstance *self)
{
  g_auto (OrreryGuard) guard = orrery_run_guard (self->run, ORRERY_PLACE_TURN);

  orrery_runner_begin_scripts (self->runner, ORRERY_SCRIPTS_LASTING);
}

gboolean
orrery_instance_open (OrreryInstance *self, GError **error)
{
  announce (self);
  orrery_runner_log_phase ("SUPERVISION SERVICES INITIALIZATION", FALSE);
  if (!self->options->check_only && !orrery_runner_start_managers (self->runner, error))
    return FALSE;
  orrery_runner_log_phase ("SUPERVISION SERVICES INITIALIZED", TRUE);
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

void
orrery_instance_close (OrreryInstance *self)
{
  if (self->runner == NULL)
    return;
  if (self->open)
    orrery_runner_intake_requests (self->runner);
  orrery_runner_end_calls (self->runner);
  orrery_instance_end_calls (self);
  orrery_runner_close (self->runner);
}

void
orrery_instance_free (OrreryInstance *self)
{
  for (guint i = 0; i < self->system->len; i++)
    orrery_system_part_leave (self->system->pdata[i]);
  g_clear_pointer (&self->spawn, orrery_spawn_free);
  g_clear_pointer (&self->runner, orrery_runner_free);
  g_clear_pointer (&self->states, g_hash_table_unref);
  orrery_instance_clear_known (self);
  orrery_instance_forget_scene (self);
  g_clear_pointer (&self->system, g_ptr_array_unref);
  g_clear_pointer (&self->extensions, g_array_unref);
  orrery_assembly_clear (&self->assembly);
  g_clear_pointer (&self->scene, orrery_scene_free);
  g_clear_object (&self->world);
  g_clear_object (&self->options);
  g_clear_object (&self->registry);
  orrery_problems_clear (&self->problems);
  g_clear_error (&self->failure);
  g_free (self);
}
