/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-simulation-private.h"

/* Another scene in the place of one: everything is made anew but the scripts of the program. */

/* --- scripts of the program, which belong to both scenes while the second is set up --- */

static gboolean
is_of_program (const OrreryScriptSlot *slot)
{
  return ORRERY_SCRIPTS_OF_PROGRAM >> slot->type & 1;
}

static gboolean
has (GPtrArray *slots, OrreryScriptSlot *slot)
{
  return g_ptr_array_find (slots, slot, NULL);
}

/* Leaves what @others has, too, to them. */
static void
forget_scripts (OrreryScripts *scripts, OrreryScripts *others)
{
  guint n = 0;

  for (guint i = 0; i < scripts->slots->len; i++)
    if (!has (others->slots, scripts->slots->pdata[i]))
      scripts->slots->pdata[n++] = scripts->slots->pdata[i];
  g_ptr_array_set_free_func (scripts->slots, NULL);
  g_ptr_array_set_size (scripts->slots, n);
  g_ptr_array_set_free_func (scripts->slots, (GDestroyNotify) orrery_script_slot_free);
  scripts->changed = TRUE;
}

/* --- the scene that comes --- */

/* What was said of this run as a whole; files that were named are of its first scene. */
static OrreryOptions *
copy_options (const OrreryOptions *options)
{
  OrreryOptions *copy = orrery_options_new ();

  copy->seed = options->seed;
  copy->has_seed = options->has_seed;
  copy->start = options->start;
  copy->pacing = options->pacing;
  copy->check_only = options->check_only;
  copy->hash = options->hash || options->hash_file != NULL;
  copy->listen = options->listen;
  copy->offline = options->offline;
  copy->strict = options->strict;
  copy->threads = options->threads;
  return copy;
}

static OrrerySimulation *
set_up_other (OrrerySimulation *self, const char *path, GError **error)
{
  g_autoptr (OrrerySimulation) other = g_object_new (ORRERY_TYPE_SIMULATION, NULL);

  other->registry = g_object_ref (self->registry);
  other->options = copy_options (self->options);
  other->lender = self->runner->scripts;
  if (orrery_simulation_set_up (other, path, error))
    return g_steal_pointer (&other);
  if (other->runner != NULL)
    forget_scripts (other->runner->scripts, self->runner->scripts);
  return NULL;
}

void
orrery_simulation_lend_scripts (OrreryScripts *from, OrreryScripts *to)
{
  for (guint i = 0; i < from->slots->len; i++)
    if (is_of_program (from->slots->pdata[i]))
      g_ptr_array_add (to->slots, from->slots->pdata[i]);
}

/* --- the exchange --- */

#define SWAP(field)                                                                                \
  do {                                                                                             \
    gpointer kept = self->field;                                                                   \
    self->field = other->field;                                                                    \
    other->field = kept;                                                                           \
  } while (0)

/* What points back to the simulation that it belongs to. */
static void
adopt (OrrerySimulation *self)
{
  self->scene->problems = self->assembly.problems = &self->problems;
  self->assembly.options = self->options;
  self->runner->settle_host = self->runner->scripts->host = self;
  for (guint i = 0; i < self->system->len; i++)
    orrery_system_part_set_simulation (self->system->pdata[i], self);
}

static void
carry_over (OrrerySimulation *self, OrreryRunner *old)
{
  OrreryRunner *runner = self->runner;

  runner->run = old->run + 1;
  runner->clock = old->clock;
  runner->clock_data = old->clock_data;
  runner->hash_file = g_steal_pointer (&old->hash_file);
  runner->in_turn = TRUE;
  if (orrery_runner_is_stopping (old))
    orrery_runner_stop (runner);
}

static void
exchange (OrrerySimulation *self, OrrerySimulation *other)
{
  OrreryAssembly assembly = self->assembly;

  g_mutex_lock (&self->lock);
  SWAP (world);
  SWAP (scene);
  SWAP (runner);
  SWAP (system);
  SWAP (states);
  self->assembly = other->assembly;
  other->assembly = assembly;
  adopt (self);
  adopt (other);
  carry_over (self, other->runner);
  g_mutex_unlock (&self->lock);
  other->loaded = TRUE;
}

/* Whoever asked is told before his connection ends with the scene. */
static void
tell (OrrerySimulation *self, OrreryCall *call)
{
  if (call == NULL)
    return;
  orrery_call_return (call, g_variant_new_string (orrery_state_get_name (ORRERY_STATE_STOPPED)));
  orrery_runner_flush_requests (self->runner);
}

/* The old scene is gone: without its streams the new one is deaf, and nobody could stop it. */
static gboolean
open_scene (OrrerySimulation *self, GError **error)
{
  g_clear_error (&self->failure);
  orrery_simulation_open (self, &self->failure);
  return orrery_simulation_is_fit (self, error);
}

gboolean
orrery_simulation_replace (OrrerySimulation *self, const char *path, OrreryCall *call,
                           GError **error)
{
  g_autoptr (OrrerySimulation) other = set_up_other (self, path, error);

  if (other == NULL)
    return FALSE;
  orrery_simulation_leave_scene (self);
  tell (self, call);
  forget_scripts (self->runner->scripts, other->runner->scripts);
  exchange (self, other);
  orrery_simulation_close (other);
  self->has_run = self->begin_paused = FALSE;
  orrery_assembly_set_up_again (&self->assembly, self->runner->scripts);
  orrery_runner_begin_idle (self->runner, ORRERY_STATE_STOPPED);
  if (!open_scene (self, error))
    return FALSE;
  self->runner->in_turn = TRUE;
  orrery_scripts_call (self->runner->scripts, ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH,
                       self->runner->tick);
  return TRUE;
}
