/* SPDX-License-Identifier: BSD-3-Clause */
/* The context that a part gets with each tick: time, step, snapshot and commands. */
#include "world/orrery-world-private.h"

#include "base/orrery-counted-private.h"

G_DEFINE_BOXED_TYPE (OrreryTick, orrery_tick, orrery_tick_ref, orrery_tick_unref)

OrreryTick *
orrery_tick_new (OrreryWorld *world)
{
  OrreryTick *tick = g_new0 (OrreryTick, 1);

  g_atomic_ref_count_init (&tick->refs);
  tick->snapshot = orrery_snapshot_ref (orrery_world_get_snapshot (world));
  tick->commands = orrery_commands_ref (orrery_world_get_commands (world));
  return tick;
}

static void
tick_free (OrreryTick *tick)
{
  g_clear_pointer (&tick->snapshot, orrery_snapshot_unref);
  g_clear_pointer (&tick->commands, orrery_commands_unref);
  g_free (tick);
}

ORRERY_DEFINE_COUNTED (OrreryTick, orrery_tick, refs, tick_free)

OrreryTime
orrery_tick_get_time (OrreryTick *tick)
{
  return tick->time;
}

ORRERY_DEFINE_GETTER (OrreryTime, orrery_tick_get_start, OrreryTick, ORRERY_IS_STRUCT, self->start)
ORRERY_DEFINE_GETTER (guint64, orrery_tick_get_number, OrreryTick, ORRERY_IS_STRUCT, self->number)
ORRERY_DEFINE_GETTER (double, orrery_tick_get_dt, OrreryTick, ORRERY_IS_STRUCT, self->dt)
ORRERY_DEFINE_GETTER (OrrerySnapshot *, orrery_tick_get_snapshot, OrreryTick, ORRERY_IS_STRUCT,
                      self->snapshot)
ORRERY_DEFINE_GETTER (OrreryCommands *, orrery_tick_get_commands, OrreryTick, ORRERY_IS_STRUCT,
                      self->commands)
ORRERY_DEFINE_GETTER (guint, orrery_tick_get_substep, OrreryTick, ORRERY_IS_STRUCT, self->substep)
ORRERY_DEFINE_GETTER (gboolean, orrery_tick_is_after_substep, OrreryTick, ORRERY_IS_STRUCT,
                      self->after_substep)

gboolean
orrery_tick_get_contact_pair (OrreryTick *tick, guint *a, guint *b)
{
  *a = tick->has_pair ? tick->pair[0] : 0;
  *b = tick->has_pair ? tick->pair[1] : 0;
  return tick->has_pair;
}

ORRERY_DEFINE_GETTER (OrreryObject *, orrery_tick_get_joint, OrreryTick, ORRERY_IS_STRUCT,
                      self->joint)
