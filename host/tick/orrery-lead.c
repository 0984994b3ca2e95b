/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what moved the world in a tick, and has the world of another run move by it. */
#include "tick/orrery-lead-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

struct _OrreryLead {
  gatomicrefcount refs;
  OrrerySnapshot *snapshot;
  guint64 n_ticks; /* whose last one is kept */
  OrreryCommands *commands;
  GPtrArray *pushes; /* (element-type OrreryCommands): of each substep that had any */
};

OrreryLead *
orrery_lead_new (OrrerySnapshot *snapshot)
{
  OrreryLead *lead = g_new0 (OrreryLead, 1);

  g_atomic_ref_count_init (&lead->refs);
  lead->snapshot = orrery_snapshot_ref (snapshot);
  lead->commands = orrery_commands_new ();
  lead->pushes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_commands_unref);
  return lead;
}

static void
lead_free (OrreryLead *lead)
{
  orrery_snapshot_unref (lead->snapshot);
  orrery_commands_unref (lead->commands);
  g_ptr_array_unref (lead->pushes);
  g_free (lead);
}

ORRERY_DEFINE_COUNTED (OrreryLead, orrery_lead, refs, lead_free)

static void
copy_commands (OrreryCommands *to, OrreryCommands *from)
{
  orrery_commands_clear (to);
  orrery_commands_append (to, from);
}

void
orrery_lead_keep (OrreryLead *lead, guint64 number, OrreryCommands *commands)
{
  copy_commands (lead->commands, commands);
  for (guint i = 0; i < lead->pushes->len; i++)
    orrery_commands_clear (lead->pushes->pdata[i]);
  lead->n_ticks = number + 1;
}

void
orrery_lead_keep_pushes (OrreryLead *lead, guint substep, OrreryCommands *pushes)
{
  if (G_LIKELY (pushes->staged->len == 0))
    return;
  while (lead->pushes->len <= substep)
    g_ptr_array_add (lead->pushes, orrery_commands_new ());
  copy_commands (lead->pushes->pdata[substep], pushes);
}

gboolean
orrery_lead_take (OrreryLead *lead, guint64 number, OrreryCommands *commands, GError **error)
{
  if (lead->n_ticks != number + 1)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "it follows a run that has had %" G_GUINT64_FORMAT
                             " ticks, and cannot run its tick %" G_GUINT64_FORMAT,
                             lead->n_ticks, number);
  copy_commands (commands, lead->commands);
  return TRUE;
}

void
orrery_lead_take_pushes (OrreryLead *lead, guint substep, OrreryCommands *pushes)
{
  orrery_commands_clear (pushes);
  if (G_UNLIKELY (substep < lead->pushes->len))
    copy_commands (pushes, lead->pushes->pdata[substep]);
}

/* What is carried by another object may be fixed elsewhere on it, as a sensor that was moved. */
gint64
orrery_lead_find_other (OrreryLead *lead, OrrerySnapshot *snapshot)
{
  OrrerySnapshot *first = lead->snapshot;

  for (guint i = 0; i < snapshot->n_objects; i++)
    if ((snapshot->driven[i] || snapshot->parents[i] == G_MAXUINT) &&
        (memcmp (&first->poses[i], &snapshot->poses[i], sizeof *snapshot->poses) != 0 ||
         memcmp (&first->linear[i], &snapshot->linear[i], sizeof *snapshot->linear) != 0 ||
         memcmp (&first->angular[i], &snapshot->angular[i], sizeof *snapshot->angular) != 0))
      return i;
  for (guint i = 0; i < snapshot->n_objects; i++)
    if (snapshot->slots[i] != G_MAXUINT &&
        memcmp (&first->joints[snapshot->slots[i]], &snapshot->joints[snapshot->slots[i]],
                sizeof *snapshot->joints) != 0)
      return i;
  return -1;
}
