/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryState:
 * @ORRERY_STATE_STOPPED: the world is at its start, and no tick runs
 * @ORRERY_STATE_RUNNING: ticks run
 * @ORRERY_STATE_PAUSED: held between two ticks
 * @ORRERY_STATE_STOPPING: the last callbacks of a run are called
 *
 * The state of a simulation. While it is stopped or paused, calls are answered, and scripts get a
 * turn once per 1/frequency of the clock.
 */
typedef enum {
  ORRERY_STATE_STOPPED,
  ORRERY_STATE_RUNNING,
  ORRERY_STATE_PAUSED,
  ORRERY_STATE_STOPPING,
} OrreryState;

#define ORRERY_TYPE_STATE (orrery_state_get_type ())
ORRERY_API GType orrery_state_get_type (void);
/**
 * orrery_state_get_name:
 * @state: a state
 *
 * The nick of the value in its enumeration type, as services and messages show it.
 *
 * Returns: its name: `stopped`, `running`, `paused`, `stopping`; `unknown` for any other number
 */
ORRERY_API const char *orrery_state_get_name (OrreryState state);

G_END_DECLS
