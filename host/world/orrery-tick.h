/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-world.h"

G_BEGIN_DECLS

/**
 * OrreryTick:
 *
 * The context of one step: when it is, how long it is, what is seen, where changes are staged.
 * Opaque and counted; the same object in every tick.
 */
#define ORRERY_TYPE_TICK (orrery_tick_get_type ())
ORRERY_API GType orrery_tick_get_type (void);
/**
 * orrery_tick_ref:
 * @tick: a tick
 *
 * Returns: (transfer full): the same
 */
ORRERY_API OrreryTick *orrery_tick_ref (OrreryTick *tick);
ORRERY_API void orrery_tick_unref (OrreryTick *tick);
/**
 * orrery_tick_get_time:
 * @tick: a tick
 *
 * Returns: simulation time of this tick, the same for all parts
 */
ORRERY_API OrreryTime orrery_tick_get_time (OrreryTick *tick);
/**
 * orrery_tick_get_start:
 * @tick: a tick
 *
 * Returns: the time that the run started at; tick 0 is one step later
 */
ORRERY_API OrreryTime orrery_tick_get_start (OrreryTick *tick);
/**
 * orrery_tick_get_number:
 * @tick: a tick
 *
 * Returns: counted from 0
 */
ORRERY_API guint64 orrery_tick_get_number (OrreryTick *tick);
/**
 * orrery_tick_get_dt:
 * @tick: a tick
 *
 * Returns: 1/frequency of the simulation, s
 */
ORRERY_API double orrery_tick_get_dt (OrreryTick *tick);
/**
 * orrery_tick_get_snapshot:
 * @tick: a tick
 *
 * Returns: (transfer none): what is seen
 */
ORRERY_API OrrerySnapshot *orrery_tick_get_snapshot (OrreryTick *tick);
/**
 * orrery_tick_get_commands:
 * @tick: a tick
 *
 * Returns: (transfer none): where changes are staged
 */
ORRERY_API OrreryCommands *orrery_tick_get_commands (OrreryTick *tick);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryTick, orrery_tick_unref)

G_END_DECLS
