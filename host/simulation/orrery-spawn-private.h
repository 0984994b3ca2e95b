/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "simulation/orrery-instance-private.h"

/*
 * What the table `spawnables` of a scene gives: which of its objects are spawned, under which
 * names. An object is spawned by a command to the world, so it comes and goes in the phase of
 * physics; its components are put back as at the start then. Tick thread.
 */

/* After everything is set up. Returns: NULL: the scene has none, or with an error */
OrrerySpawn *orrery_spawn_new (OrreryInstance *instance, GError **error);
void orrery_spawn_free (OrrerySpawn *spawn);
/* Whether what the scene says can be spawned, once its components are set up. */
gboolean orrery_spawn_check (OrreryInstance *instance, const OrrerySpawnable *spawnable,
                             GError **error);
/* The last spawnable of the scene was added to it. @spawn: (nullable): there were none.
 * Returns: @spawn, or the first one */
OrrerySpawn *orrery_spawn_extend (OrrerySpawn *spawn, OrreryInstance *instance);

/* @spawn, of all functions: (nullable): of a scene without spawnables. */

/* @called: (nullable): the name of the new instance; NULL: NAME.N, which is not given again
 * @pose: (nullable): in the world; NULL: that of the scene
 * @error: NOT_FOUND: no such spawnable; INVALID: @called or @pose cannot be; STATE: @called is the
 *   name of something; BUSY: all are spawned
 * Returns: (transfer full): the name of the new instance */
char *orrery_spawn_add (OrrerySpawn *spawn, const char *name, const char *called,
                        const OrreryTransform *pose, GError **error);
/* Whether something was spawned as the N-th of the run, NAME.N, and is not there any more. */
gboolean orrery_spawn_is_gone (OrrerySpawn *spawn, const char *name);
gboolean orrery_spawn_remove (OrrerySpawn *spawn, const char *name, GError **error);
/* Returns: (transfer none) (nullable): where the scene has one of this name */
const OrreryTransform *orrery_spawn_get_start (OrrerySpawn *spawn, const char *name,
                                               GError **error);
/* orrery-spawn-services.c. Returns: (transfer full): JSON, which callers give as such or as a
 * dictionary; "": null */
char *orrery_spawn_services_read_json (OrreryCall *call, guint argument);
/* Names of instances and the roots that they are now, `a{ss}`; floating. */
GVariant *orrery_spawn_list (OrrerySpawn *spawn);
/* Returns: (transfer floating): `a{sas}`: spawnables, and the objects that each of them may be */
GVariant *orrery_spawn_list_kinds (OrrerySpawn *spawn);

/* The run is at its start: nothing was ever spawned. After the pipelines were put back. */
void orrery_spawn_empty (OrrerySpawn *spawn);
/* Of a state; floating. After the world and the pipelines were restored. */
#define ORRERY_SPAWN_TYPE "a(ta(tts))"
GVariant *orrery_spawn_save (OrrerySpawn *spawn);
/* @state: (nullable): of that type. */
gboolean orrery_spawn_restore (OrrerySpawn *spawn, GVariant *state, GError **error);
