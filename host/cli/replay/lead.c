/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the recorded run again beside another one, which moves as it does. */
#include "replay.h"

#define RECORDER "orrery.observers.recorder.Recorder"

struct _ReplayLead {
  ReplayRun *run; /* borrowed */
  OrreryRecordingReader *reader;
  OrrerySimulation *simulation;
  gboolean checked, strict;
  ReplayInputs *inputs; /* (nullable): of the tick that comes next */
  ReplayCheck *check;   /* (nullable) */
};

void
replay_lead_free (ReplayLead *lead)
{
  g_clear_pointer (&lead->inputs, replay_inputs_free);
  g_clear_pointer (&lead->check, replay_check_free);
  g_clear_pointer (&lead->reader, orrery_recording_reader_unref);
  if (lead->simulation != NULL)
    orrery_simulation_close (lead->simulation);
  g_clear_object (&lead->simulation);
  g_free (lead);
}

ReplayLead *
replay_lead_new (OrreryRegistry *registry, ReplayRun *run, const char *path,
                 OrreryOptions *settings, gboolean checked, gboolean strict, GError **error)
{
  g_autoptr (ReplayLead) lead = g_new0 (ReplayLead, 1);

  lead->run = run;
  lead->checked = checked;
  lead->strict = strict;
  lead->reader = orrery_recording_reader_open (path, error);
  if (lead->reader == NULL)
    return NULL;
  lead->simulation = orrery_simulation_load_with_options (registry, run->path, settings, error);
  return lead->simulation != NULL ? g_steal_pointer (&lead) : NULL;
}

gboolean
replay_lead_begin (ReplayLead *lead, OrrerySimulation *simulation, GError **error)
{
  if (orrery_simulation_follow (simulation, lead->simulation, error)) {
    g_message ("the recorded run is run beside this one, and all objects move as they do in it");
    return TRUE;
  }
  g_prefix_error (error, "--open-loop: ");
  return FALSE;
}

/* Alone, from its inputs, such a run would go another way: it is kept to be looked at. */
gboolean
replay_lead_record (OrrerySimulation *simulation, const CliRecord *record, GError **error)
{
  GVariantBuilder properties;

  if (record->file == NULL)
    return TRUE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE_VARDICT);
  cli_record_add_properties (record, &properties);
  g_variant_builder_add (&properties, "{sv}", "file", g_variant_new_string (record->file));
  g_variant_builder_add (&properties, "{sv}", "wait", g_variant_new_boolean (TRUE));
  g_variant_builder_add (&properties, "{sv}", "inputs", g_variant_new_boolean (FALSE));
  g_variant_builder_add (&properties, "{sv}", "states", g_variant_new_double (0));
  return orrery_simulation_add_observer (simulation, RECORDER, g_variant_builder_end (&properties),
                                         error) != NULL;
}

/* --- the tick that comes next --- */

static gboolean
open_inputs (ReplayLead *lead, GError **error)
{
  const char *path = orrery_recording_reader_get_path (lead->reader);

  g_clear_pointer (&lead->inputs, replay_inputs_free);
  g_clear_pointer (&lead->check, replay_check_free);
  lead->inputs = replay_inputs_open (path, error);
  if (lead->inputs == NULL ||
      !replay_inputs_skip (lead->inputs, orrery_simulation_get_n_ticks (lead->simulation), error))
    return FALSE;
  if (lead->checked)
    lead->check = replay_check_open (path, lead->simulation, error);
  return lead->check != NULL || !lead->checked;
}

static gboolean
run_tick (ReplayLead *lead, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!replay_inputs_feed (lead->inputs, lead->simulation, lead->strict, error) ||
      !orrery_simulation_step (lead->simulation, 1, error))
    return FALSE;
  if (lead->check == NULL || replay_check_tick (lead->check, &local))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "--open-loop: the recorded run itself goes another way: %s",
                      replay_check_get_difference (lead->check));
  return FALSE;
}

/* From the nearest state, or from where it is, if that is nearer. */
static gboolean
go_to (ReplayLead *lead, guint64 tick, GError **error)
{
  guint64 found = 0;
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) state =
      replay_run_find_state (lead->run, lead->reader, tick, &found, NULL, &local);
  gboolean jumped;

  if (local != NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (!replay_jump (lead->simulation, tick, state, found, &jumped, error) ||
      !open_inputs (lead, error))
    return FALSE;
  while (orrery_simulation_get_n_ticks (lead->simulation) < tick)
    if (!run_tick (lead, error))
      return FALSE;
  return TRUE;
}

gboolean
replay_lead_tick (ReplayLead *lead, guint64 tick, GError **error)
{
  if ((lead->inputs == NULL || orrery_simulation_get_n_ticks (lead->simulation) != tick) &&
      !go_to (lead, tick, error))
    return FALSE;
  return run_tick (lead, error);
}

gboolean
replay_lead_go (ReplayLead *lead, guint64 n_ticks, GError **error)
{
  return (lead->inputs != NULL && orrery_simulation_get_n_ticks (lead->simulation) == n_ticks) ||
         go_to (lead, n_ticks, error);
}

OrrerySimulation *
replay_lead_get_simulation (ReplayLead *lead)
{
  return lead->simulation;
}
