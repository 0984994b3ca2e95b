/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery-test.h>

/*
 * A scene of one test: written to a directory of its own, loaded, stepped by hand. Texts of scenes
 * are JSON with ' in place of ". Whatever the host logs is kept.
 */
typedef struct {
  char *directory;
  OrreryRegistry *registry;
  OrrerySimulation *simulation;
} Stage;

#define STAGE_KINEMATIC "'physics': 'orrery.physics.kinematic.Kinematic'"
/* An environment without dynamics that starts at 0. */
#define STAGE_PLAIN "{'start': 0, " STAGE_KINEMATIC "}"

/* Calls g_test_init(), lets failures of a test be counted instead of ending the program. */
void stage_init (int *argc, char ***argv);

/* @tables: further keys of the scene, each with a comma behind it, or "". */
char *stage_scene (const char *environment, const char *tables, const char *objects);
/* @options may be NULL: no port, never sleeping, a hash. */
Stage *stage_new (const char *scene, OrreryOptions *options);
/* A second scene beside it, to change to: its path. */
char *stage_add_scene (Stage *stage, const char *scene);
Stage *stage_try (const char *scene, OrreryOptions *options, GError **error);
OrreryOptions *stage_options (void);
void stage_free (Stage *stage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stage, stage_free)

void stage_step (Stage *stage, guint64 n);

/* The world; all of them assert that what is named is there, and that what they ask for is done. */
OrreryWorld *stage_get_world (Stage *stage);
OrrerySnapshot *stage_get_snapshot (Stage *stage);
OrreryObject *stage_find_object (Stage *stage, const char *name);
/* The position of an object in the world, m. */
const OrreryVec3 *stage_get_place (Stage *stage, const char *name);
/* A quantity, as orrery_simulation_set_quantity() has them. */
void stage_set (Stage *stage, const char *path, double value);
void stage_set_vec3 (Stage *stage, const char *path, double x, double y, double z);
/* Spawns an object, upright. Returns: its name */
char *stage_spawn (Stage *stage, const char *kind, double x, double y, double z);
void stage_remove (Stage *stage, const char *name);

OrreryComponent *stage_find (Stage *stage, const char *component);
double stage_get (Stage *stage, const char *component, const char *field);
/* The whole record, as its messages are. */
char *stage_json (Stage *stage, const char *component);
/* @arguments: a GVariant text of `av`, e.g. "[<1.5>, <'x'>]", or NULL. */
OrreryCall *stage_start (Stage *stage, const char *part, const char *service,
                         const char *arguments);
/* Calls, asserts success, returns the value; NULL for none. */
GVariant *stage_call (Stage *stage, const char *part, const char *service, const char *arguments);
/* Asserts that it fails, with words that match @pattern. */
void stage_call_fails (Stage *stage, const char *part, const char *service, const char *arguments,
                       OrreryCallFault fault, const char *pattern);
gint64 stage_runs (Stage *stage, const char *modifier);
/* Streams of probe.loop: puts a message in; takes the messages that came out. */
void stage_put (Stage *stage, const char *component, int stream, int source, const char *json);
char **stage_sent (Stage *stage, const char *component, int stream);
GVariant *stage_report (Stage *stage, const char *key, const char *type);
/* The whole state; both assert success. */
GBytes *stage_save (Stage *stage);
void stage_restore (Stage *stage, GBytes *state);

/* Messages of that level or graver since stage_log_clear() that match. */
guint stage_log_count (GLogLevelFlags level, const char *pattern);
/* Those messages themselves, in order. */
char **stage_log_list (GLogLevelFlags level, const char *pattern);
void stage_log_clear (void);
