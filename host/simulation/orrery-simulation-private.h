/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "assembly/orrery-assembly-private.h"
#include "simulation/orrery-instance-private.h"
#include "simulation/orrery-simulation.h"
#include "simulation/orrery-system-part-private.h"

/* A scene that a thread reads for a client while another one runs. */
typedef struct _OrreryLoading OrreryLoading;

/* They belong to the simulation; each scene is opened for them, and closed. */
typedef struct {
  GPtrArray *all;           /* (element-type Watcher): see orrery-simulation-observers.c */
  OrreryInstance *instance; /* (nullable): which is open for them; borrowed */
  guint64 epoch;            /* which one of it */
  OrreryPlayback *playback; /* (nullable): owned */
} OrreryObservers;

struct _OrrerySimulation {
  GObject parent_instance;

  OrreryOptions *options;   /* of the first scene, and of the run */
  OrreryInstance *instance; /* owned; the instance of the current scene, replaced as a whole */
  OrreryRun *run;           /* owned; kept across scenes */
  OrreryTask *tick_task;    /* the task of its ticks in a scheduler, or NULL */
  gint64 wall_ns;           /* spent in step and run */
  char *root;               /* real path of the directory below which clients load scenes */
  GHashTable *kept;         /* (element-type utf8 GBytes): states that clients have saved by name */
  OrreryLoading *loading;   /* (nullable): owned */
  OrreryObservers observers;
  GMutex lock;      /* of the instance, for other threads */
  guint last_watch; /* guarded by lock */
};

/* orrery-simulation-state.c */
/* For a client: applied now, or at the end of the current turn; the call is answered then. */
void orrery_simulation_request (OrrerySimulation *self, OrreryRunRequestKind kind, guint64 n,
                                const char *path, OrreryCall *call);
/* For the program: applied now, or at the end of the turn, in which case errors are only logged. */
gboolean orrery_simulation_ask (OrrerySimulation *self, OrreryRunRequestKind kind, const char *path,
                                GError **error);
/* Within a turn: applies the transition of the table, and opens a new epoch for observers. */
gboolean orrery_simulation_apply (OrrerySimulation *self, const OrreryRunRequest *request,
                                  GError **error);
/* The same, but whoever calls it has the epoch opened, by orrery_simulation_settle_observers(). */
gboolean orrery_simulation_change (OrrerySimulation *self, const OrreryRunRequest *request,
                                   GError **error);
/* Between two turns: applies pending requests, then calls the watches of ticks. */
void orrery_simulation_settle (OrrerySimulation *self);
/* Applies the request whose scene a thread has read. @wait: until that is done. */
void orrery_simulation_settle_loading (OrrerySimulation *self, gboolean wait);
/* How the table treats a request that is no transition; NULL: it is refused. */
const OrreryTransition *orrery_simulation_check (OrrerySimulation *self, OrreryRunRequestKind kind,
                                                 GError **error);
/* Ends child scripts and customization scripts, and tells the others that the scene is replaced. */
void orrery_simulation_leave_scene (OrrerySimulation *self);
/* Properties and state of a part as they were at the start. */
gboolean orrery_simulation_put_part_back (OrreryInstance *self, OrreryPart *part, GError **error);
/* Ends pending calls as preempted. */
void orrery_simulation_end_calls (OrrerySimulation *self);

/* orrery-simulation-loop.c: lets the managers of another scene wake the task of ticks. */
void orrery_simulation_follow_scene (OrrerySimulation *self);

/* orrery-simulation-run.c */
/* Called before it is driven: checks whether it may be, and starts it if that is due. */
gboolean orrery_simulation_prepare (OrrerySimulation *self, OrreryRunRequestKind kind,
                                    GError **error);
/* Between two turns: applies the requests of the finished turn, then calls the watches of ticks. */
void orrery_simulation_end_turn (OrrerySimulation *self);

/* Returns: (transfer full): those of a scene that takes the place of this one */
OrreryOptions *orrery_simulation_copy_options (OrrerySimulation *self);

/* orrery-saved-scene.c: what a state says of its scene, so that differences can be named. */

#define ORRERY_SAVED_SCENE_TYPE "(dusa(ss)a(st)a(s))"

/* Returns: (transfer none): of that type, in one piece */
GVariant *orrery_saved_scene_describe (OrrerySimulation *self);
/* A hash of all that the description says. */
guint64 orrery_saved_scene_fold (OrrerySimulation *self);
/* Whether @theirs describes this scene. @fresh: (nullable): names of parts that are left out */
gboolean orrery_saved_scene_check (OrrerySimulation *self, GVariant *theirs,
                                   const char *const *fresh, GError **error);
/* Whether this scene is that of @theirs without the objects from @n_objects on, and their parts. */
gboolean orrery_saved_scene_begins (OrrerySimulation *self, GVariant *theirs, guint n_objects,
                                    GError **error);
/* A part that begins afresh does so with its modifiers. */
gboolean orrery_saved_scene_is_fresh (const char *name, const char *const *fresh);

/* orrery-simulation-saved.c: between two turns. */
GBytes *orrery_simulation_take_state (OrrerySimulation *self, GError **error);
/* Changes nothing if it fails. @fresh: (nullable): components that begin afresh */
gboolean orrery_simulation_put_state (OrrerySimulation *self, GBytes *bytes,
                                      const char *const *fresh, GError **error);

/* orrery-simulation-scene.c: replaces this scene by that of a request, whose call it answers. */
gboolean orrery_simulation_replace (OrrerySimulation *self, const OrreryRunRequest *request,
                                    GError **error);

/* orrery-simulation-observers.c */
void orrery_simulation_init_observers (OrrerySimulation *self);
void orrery_simulation_clear_observers (OrrerySimulation *self);
/* Where the scene or the epoch is another one than they know: closes that, and opens this one. */
void orrery_simulation_settle_observers (OrrerySimulation *self);
void orrery_simulation_close_observers (OrrerySimulation *self);
/* Appends what observers have lost to a list of strings. */
void orrery_simulation_list_lost (OrrerySimulation *self, GVariantBuilder *list);
/* Returns: (nullable): borrowed */
OrreryPart *orrery_simulation_find_observer (OrrerySimulation *self, const char *name);

/* orrery-simulation-loading.c */
/* Begins to read the scene of a request in a thread; the run goes on. Takes the request. FALSE, and
 * does not: it is to be read at once. */
gboolean orrery_simulation_begin_loading (OrrerySimulation *self, OrreryRunRequest *request);
/* If the thread is done: the request, to be applied, and with it what was read. @wait: until it is
 * done. Returns: (transfer full) (nullable) */
OrreryRunRequest *orrery_simulation_take_loaded (OrrerySimulation *self, gboolean wait);
/* Within the application of that request. Returns: (transfer full) (nullable): what was read;
 * NULL with an error, or without one: nothing was read for this request. */
OrreryInstance *orrery_simulation_take_instance (OrrerySimulation *self,
                                                 const OrreryRunRequest *request, GError **error);
/* Ends the thread; the client is told why. */
void orrery_simulation_end_loading (OrrerySimulation *self, const char *why);
/* The same without waiting for the thread: whoever drops the last reference may hold a lock that
 * the thread needs to import a class, as that of a Python interpreter. */
void orrery_simulation_abandon_loading (OrrerySimulation *self);
