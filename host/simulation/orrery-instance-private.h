/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "assembly/orrery-assembly-private.h"
#include "simulation/orrery-simulation.h"

/* A state of this scene. */
typedef struct {
  GBytes *bytes; /* NULL: none */
  GVariant *state;
  guint64 scene;      /* what the scene was then */
  gboolean is_proven; /* it was restored, so it can be */
  GArray *parts;      /* (element-type OrrerySavedPart): of one that is proven */
  guint64 values;     /* of a proven one: orrery_world_count_set_values() when it was restored */
} OrreryKnownState;

/* What a state says of a part. */
typedef struct {
  const char *name;
  GVariant *state;    /* (nullable) */
  GVariant *busy;     /* (nullable): the call that it works on, of type (sav) */
  GArray *options;    /* (element-type OrreryOptionValue) */
  GPtrArray *strings; /* (element-type GVariant): has the name, and names and values of options */
} OrrerySavedPart;

#define ORRERY_N_KNOWN_STATES 4u

/* Where a state has its parts. */
#define ORRERY_STATE_PARTS 5

/* orrery-spawn-private.h */
typedef struct _OrrerySpawn OrrerySpawn;

/* A spawnable that was added while the scene ran. */
typedef struct {
  char *name;
  char *object; /* JSON */
  char *config; /* JSON; "": none */
  guint count;
  guint first;  /* of its objects, by the index in the world */
  guint64 tick; /* the one that came next */
  gint64 ns;    /* of wall time that it took */
} OrreryExtension;

/*
 * A scene that was set up, and everything that is replaced with it: its world, its parts, and the
 * runner of its ticks. Its members point to it as long as they exist; a simulation has one instance
 * at a time.
 */
typedef struct {
  OrrerySimulation *simulation; /* borrowed; NULL: an instance of a worker */
  OrreryRun *run;               /* borrowed */
  OrreryRegistry *registry;
  OrreryOptions *options;
  OrreryWorld *world;
  OrreryProblems problems;
  OrreryScene *scene;
  OrreryRunner *runner;
  OrreryAssembly assembly;
  OrrerySpawn *spawn; /* NULL: nothing can be spawned */
  GArray *extensions; /* (element-type OrreryExtension), in their order; a reset keeps them */
  GPtrArray *system;  /* (element-type OrreryPart): supervision, time, ... */
  GHashTable *states; /* (element-type OrreryPart GVariant): the state after setup, for a reset */
  OrreryKnownState known[ORRERY_N_KNOWN_STATES];
  GVariant *description; /* (nullable): of the scene, for states, as long as nothing changes it */
  guint64 folded;        /* hash of all that it says; 0: not known */
  guint64 episode;  /* how often it was put back to its start since load, or since a new seed */
  guint next_known; /* the place of the next one, modulo their number */
  gboolean open;    /* streams and services are open, scripts have begun */
  GError *failure;  /* why it could not be opened, and so cannot run; or NULL */
} OrreryInstance;

/* @run is borrowed. */
OrreryInstance *orrery_instance_new (OrrerySimulation *simulation, OrreryRun *run,
                                     OrreryRegistry *registry, OrreryOptions *options);
/* Fails the long calls of its parts: a part and the call that it is busy with hold each other. */
void orrery_instance_end_calls (OrreryInstance *self);
/* Ends its calls, streams, threads and workers; its scripts must have ended before. */
void orrery_instance_close (OrreryInstance *self);
/* Detaches it: parts that other code keeps a reference to no longer use it. */
void orrery_instance_free (OrreryInstance *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryInstance, orrery_instance_free)

/* Reads the scene and the files that it names into the world; for another thread than that of the
 * ticks, if the instance has a registry of its own. @cancellable: (nullable) */
gboolean orrery_instance_read (OrreryInstance *self, const char *path, GCancellable *cancellable,
                               GError **error);
/* Reads the scene, unless that is done, and wires it, but opens nothing yet. @scripts: (nullable):
 * those of the previous scene, whose add-ons and sandbox belong to both until one of them releases
 * them. */
gboolean orrery_instance_set_up (OrreryInstance *self, const char *path, OrreryScripts *scripts,
                                 GError **error);
/* Opens streams and services, then begins the scripts that do not run yet. */
gboolean orrery_instance_open (OrreryInstance *self, GError **error);
gboolean orrery_instance_open_hash_file (OrreryInstance *self, GError **error);
/* orrery-extension.c: between two ticks. @object: JSON; @config: JSON of the tables for it, or "";
 * @count: how many may be there at once; @confined: files that it names are below the directory of
 * the scene. FALSE: with an error, and nothing has changed. */
gboolean orrery_instance_extend (OrreryInstance *self, const char *object, const char *config,
                                 guint64 count, gboolean confined, GError **error);
/* Those that were made, of the type ORRERY_EXTENSIONS_TYPE; floating. */
#define ORRERY_EXTENSIONS_TYPE "a(susu)"
GVariant *orrery_instance_save_extensions (OrreryInstance *self);
/* Makes those of a state that are not made yet. @scene: what the state says of its scene.
 * FALSE: they do not begin with those that are, it is another scene, or one cannot be made: then
 * those before it are there */
gboolean orrery_instance_restore_extensions (OrreryInstance *self, GVariant *state, GVariant *scene,
                                             GError **error);
/* Returns: (transfer floating): name, tick and ms of each, `a(std)` */
GVariant *orrery_instance_list_extensions (OrreryInstance *self);
/* What a reset gives back to the components and other parts from these places on. */
void orrery_instance_keep_states (OrreryInstance *self, guint first_component, guint first_part);
/* For a worker: a world with all components, none of them set up. @start: the host's */
void orrery_instance_replicate (OrreryInstance *self, OrreryScene *scene, OrreryTime start);
/* Fails with the error that kept it from being opened. */
gboolean orrery_instance_is_fit (OrreryInstance *self, GError **error);
/* orrery-saved-scene.c. What states say of the scene has changed. */
void orrery_instance_forget_scene (OrreryInstance *self);
/* orrery-simulation-known.c. @scene: a hash of all that a state is compared with */
/* @proven: out: NULL: it was not restored here. Returns: (transfer full) (nullable) */
GVariant *orrery_instance_find_known (OrreryInstance *self, GBytes *bytes, guint64 scene,
                                      const OrreryKnownState **proven);
void orrery_instance_know (OrreryInstance *self, GBytes *bytes, GVariant *state, guint64 scene,
                           gboolean is_proven);
void orrery_instance_forget (OrreryInstance *self, GBytes *bytes);
void orrery_instance_clear_known (OrreryInstance *self);
/* The list of parts of a state. Returns: (transfer full) (element-type OrrerySavedPart) */
GArray *orrery_saved_parts_read (GVariant *list);
