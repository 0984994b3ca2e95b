/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"
#include "world/orrery-commands.h"
#include "world/orrery-snapshot.h"

/*
 * What the world and the physics of a run were told in its last tick, for another run of the same
 * objects that follows it: told the same, its world goes the same way to the last bit, whatever its
 * own parts command. Counted; both runs are run by one thread.
 */
typedef struct _OrreryLead OrreryLead;

/* @snapshot: of the run that leads */
OrreryLead *orrery_lead_new (OrrerySnapshot *snapshot);
OrreryLead *orrery_lead_ref (OrreryLead *lead);
void orrery_lead_unref (OrreryLead *lead);

/* The run that leads: what is staged for the world, complete, in tick @number; */
void orrery_lead_keep (OrreryLead *lead, guint64 number, OrreryCommands *commands);
/* and the forces of one substep. */
void orrery_lead_keep_pushes (OrreryLead *lead, guint substep, OrreryCommands *pushes);

/* The run that follows: in place of what its own parts have staged. */
gboolean orrery_lead_take (OrreryLead *lead, guint64 number, OrreryCommands *commands,
                           GError **error);
void orrery_lead_take_pushes (OrreryLead *lead, guint substep, OrreryCommands *pushes);
/* After physics. Returns: an object that moves by itself and is elsewhere than in the run that
 * leads, or -1 */
gint64 orrery_lead_find_other (OrreryLead *lead, OrrerySnapshot *snapshot);
