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
/**
 * orrery_tick_ref:
 *
 * Takes a reference; any thread. The content goes on changing with each tick.
 *
 * Returns: @tick
 */
ORRERY_API OrreryTick *orrery_tick_ref (OrreryTick *tick);
/**
 * orrery_tick_unref:
 * @tick: a tick
 *
 * Drops a reference; any thread.
 */
ORRERY_API void orrery_tick_unref (OrreryTick *tick);
/**
 * orrery_tick_get_time:
 *
 * The time does not depend on the clock of the machine: it is the start plus the ticks that have
 * been run, of 1/frequency each.
 *
 * Returns: simulation time of this tick, the same for all parts
 */
ORRERY_API OrreryTime orrery_tick_get_time (OrreryTick *tick);
/**
 * orrery_tick_get_start:
 *
 * The same in all ticks of a run.
 *
 * Returns: the time that the run started at; tick 0 is one step later
 */
ORRERY_API OrreryTime orrery_tick_get_start (OrreryTick *tick);
/**
 * orrery_tick_get_number:
 *
 * The number of this tick since the start or the last reset.
 *
 * Returns: counted from 0
 */
ORRERY_API guint64 orrery_tick_get_number (OrreryTick *tick);
/**
 * orrery_tick_get_dt:
 *
 * The length of a step, the same in all ticks.
 *
 * Returns: s, 1/frequency of the simulation
 */
ORRERY_API double orrery_tick_get_dt (OrreryTick *tick);
/**
 * orrery_tick_get_snapshot:
 *
 * The world at the beginning of this tick: what commands of this tick change is in the next one.
 *
 * Returns: (transfer none): what is seen
 */
ORRERY_API OrrerySnapshot *orrery_tick_get_snapshot (OrreryTick *tick);
/**
 * orrery_tick_get_commands:
 *
 * What is staged here acts at the end of the tick. In a script's `dyn`, forces act in the substep
 * that comes, all else in the next tick.
 *
 * Returns: (transfer none): where changes are staged
 */
ORRERY_API OrreryCommands *orrery_tick_get_commands (OrreryTick *tick);

/**
 * orrery_tick_get_substep:
 * @tick: a tick, in a script's `dyn`
 *
 * Before and after each substep `dyn` is called once. Outside of `dyn` it is 0.
 *
 * Returns: the substep of physics that comes, or has been; counted from 0
 */
ORRERY_API guint orrery_tick_get_substep (OrreryTick *tick);
/**
 * orrery_tick_is_after_substep:
 * @tick: a tick, in a script's `dyn`
 *
 * Tells the two calls of `dyn` in one substep apart. %FALSE outside of `dyn`.
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
 * The callback is called once in a tick for each joint whose motor has a command.
 *
 * Returns: (transfer none) (nullable): the joint's object; %NULL outside of `joint`
 */
ORRERY_API OrreryObject *orrery_tick_get_joint (OrreryTick *tick);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryTick, orrery_tick_unref)

G_END_DECLS
