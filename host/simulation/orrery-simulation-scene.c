/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the scene by another one: all is created anew except for the scripts of the program. */
#include "simulation/orrery-simulation-private.h"

/* Options that apply to the run as a whole; files given by name belong to its first scene. */
OrreryOptions *
orrery_simulation_copy_options (OrrerySimulation *self)
{
  const OrreryOptions *options = self->options;
  OrreryOptions *copy = orrery_options_new ();

  copy->seed = options->seed;
  copy->has_seed = options->has_seed;
  copy->start = options->start;
  copy->start_time = options->start_time;
  copy->pacing = options->pacing;
  copy->check_only = options->check_only;
  copy->hash = options->hash || options->hash_file != NULL;
  copy->listen = options->listen;
  copy->offline = options->offline;
  copy->fed = options->fed;
  copy->on_demand = options->on_demand;
  copy->allow_users = g_strdup (options->allow_users);
  copy->token_file = g_strdup (options->token_file);
  copy->threads = options->threads;
  copy->read_limit = options->read_limit;
  copy->output_dir = g_strdup (options->output_dir);
  copy->request_managers = g_strdupv (options->request_managers);
  return copy;
}

/* The caller is answered before the connection is closed with the scene. */
static void
tell (OrreryRunner *runner, OrreryCall *call)
{
  if (call == NULL)
    return;
  orrery_call_return (call, g_variant_new_string (orrery_state_get_name (ORRERY_STATE_STOPPED)));
  orrery_runner_flush_requests (runner);
}

/* What a file that is no scene holds is told here, but not to clients. */
static void
hide_content (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  g_warning ("load: %s", (*error)->message);
  g_clear_error (error);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: not a scene", name);
}

/* @scripts: of the present scene */
static OrreryInstance *
set_up (OrrerySimulation *self, const OrreryRunRequest *request, OrreryScripts *scripts,
        GError **error)
{
  GError *local = NULL;
  g_autoptr (OrreryInstance) next = orrery_simulation_take_instance (self, request, &local);

  if (next == NULL) {
    g_autoptr (OrreryOptions) options = orrery_simulation_copy_options (self);

    next = orrery_instance_new (self, self->run, self->instance->registry, options);
  }
  if (local == NULL && orrery_instance_set_up (next, request->path, scripts, &local))
    return g_steal_pointer (&next);
  if (request->call != NULL && !orrery_scene_is_one (next->scene))
    hide_content (request->path, &local);
  g_propagate_error (error, local);
  return NULL;
}

gboolean
orrery_simulation_replace (OrrerySimulation *self, const OrreryRunRequest *request, GError **error)
{
  OrreryScripts *scripts = orrery_runner_get_scripts (self->instance->runner);
  g_autoptr (OrreryInstance) next = set_up (self, request, scripts, error);
  g_autoptr (OrreryInstance) old = NULL;
  OrreryRunner *runner;

  if (next == NULL)
    return FALSE;
  orrery_simulation_leave_scene (self);
  orrery_simulation_close_observers (self);
  tell (self->instance->runner, request->call);
  runner = next->runner;
  orrery_scripts_leave (scripts, orrery_runner_get_scripts (runner));
  g_mutex_lock (&self->lock);
  old = self->instance;
  self->instance = g_steal_pointer (&next);
  orrery_runner_take_over (runner, old->runner);
  g_mutex_unlock (&self->lock);
  orrery_simulation_follow_scene (self);
  orrery_instance_close (old);
  orrery_run_set_held (self->run, FALSE);
  orrery_assembly_set_up_again (&self->instance->assembly, orrery_runner_get_scripts (runner));
  orrery_runner_begin_idle (runner);
  /* The old scene is gone: without its streams the new one receives nothing, and could not be
   * stopped. */
  orrery_run_set_state (self->run, ORRERY_RUN_FAILED);
  orrery_instance_open (self->instance, &self->instance->failure);
  if (!orrery_instance_is_fit (self->instance, error))
    return FALSE;
  orrery_run_set_state (self->run, ORRERY_RUN_READY);
  orrery_runner_call_scripts (runner, ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH);
  return TRUE;
}
