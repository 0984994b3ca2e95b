/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sim-run.h"

/* Spawning and deleting: requests about the table `spawnables` of the scene. */

/* @kinds: `a{sas}`: what can be spawned, and the objects that each may be */
typedef void (*SimKindsFunc) (SimJob *job, GVariant *kinds);

void sim_job_ask_kinds (SimJob *job, SimKindsFunc func);

/* Returns: (transfer full) (element-type SimAdded): none yet */
GArray *sim_added_new (void);

/* Each answers the job, perhaps later. */
void sim_get_spawnables (SimJob *job);
void sim_spawn_entity (SimJob *job);
void sim_spawn_entities (SimJob *job);
void sim_delete_entity (SimJob *job);
/* All that was spawned. */
void sim_delete_spawned (SimJob *job);
