/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-world.h"

G_BEGIN_DECLS

/**
 * OrreryTick:
 *
 * The context of one step: its time and length, the snapshot of the world, the staged commands.
 * Opaque and counted; the same object in every tick.
 */
#define ORRERY_TYPE_TICK (orrery_tick_get_type ())
ORRERY_API GType orrery_tick_get_type (void);
ORRERY_API OrreryTick *orrery_tick_ref (OrreryTick *tick);
ORRERY_API void orrery_tick_unref (OrreryTick *tick);
/**
 * orrery_tick_get_time:
 *
 * Returns: simulation time of this tick, the same for all parts
 */
ORRERY_API OrreryTime orrery_tick_get_time (OrreryTick *tick);
/**
 * orrery_tick_get_start:
 *
 * Returns: the time that the run started at; tick 0 is one step later
 */
ORRERY_API OrreryTime orrery_tick_get_start (OrreryTick *tick);
/**
 * orrery_tick_get_number:
 *
 * Returns: counted from 0
 */
ORRERY_API guint64 orrery_tick_get_number (OrreryTick *tick);
/**
 * orrery_tick_get_dt:
 *
 * Returns: 1/frequency of the simulation, s
 */
ORRERY_API double orrery_tick_get_dt (OrreryTick *tick);
/**
 * orrery_tick_get_snapshot:
 *
 * Returns: (transfer none): what is seen
 */
ORRERY_API OrrerySnapshot *orrery_tick_get_snapshot (OrreryTick *tick);
/**
 * orrery_tick_get_commands:
 *
 * Returns: (transfer none): where changes are staged
 */
ORRERY_API OrreryCommands *orrery_tick_get_commands (OrreryTick *tick);

/**
 * orrery_tick_get_substep:
 * @tick: a tick, in a script's `dyn`
 *
 * Returns: the substep of physics that comes, or has been; counted from 0
 */
ORRERY_API guint orrery_tick_get_substep (OrreryTick *tick);
/**
 * orrery_tick_is_after_substep:
 * @tick: a tick, in a script's `dyn`
 *
 * Returns: whether the substep has been; the snapshot is that of the tick's beginning all the same
 */
ORRERY_API gboolean orrery_tick_is_after_substep (OrreryTick *tick);
/**
 * orrery_tick_get_contact_pair:
 * @tick: a tick, in a script's `contact`
 * @a: (out): index of one object
 * @b: (out): index of the other, above @a
 *
 * The contact points are in the snapshot: orrery_snapshot_get_contacts().
 *
 * Returns: whether there is a pair; %FALSE outside of `contact`
 */
ORRERY_API gboolean orrery_tick_get_contact_pair (OrreryTick *tick, guint *a, guint *b);
/**
 * orrery_tick_get_joint:
 * @tick: a tick, in a script's `joint`
 *
 * Returns: (transfer none) (nullable): the joint's object; %NULL outside of `joint`
 */
ORRERY_API OrreryObject *orrery_tick_get_joint (OrreryTick *tick);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryTick, orrery_tick_unref)

G_END_DECLS
