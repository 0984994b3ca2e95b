/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "assembly/orrery-options.h"
#include "roles/orrery-component.h"
#include "scene/orrery-scene-private.h"
#include "tick/orrery-runner-private.h"

/*
 * From a scene and its config to pipelines: who there is, what is wired to whom. Everything is
 * looked up here, once.
 */
typedef struct {
  OrreryRegistry *registry;
  OrreryWorld *world;
  OrreryScene *scene;
  OrreryOptions *options;
  OrreryProblems *problems;
  OrreryRunner *runner;
  OrreryCalls *calls; /* of the runner */
  guint64 seed;
  GPtrArray *components;        /* (element-type OrreryComponent), in tree order */
  GArray *places;               /* (element-type guint): of each component among the members */
  GHashTable *by_name;          /* (element-type utf8 OrreryComponent) */
  GHashTable *pipelines;        /* (element-type OrreryComponent OrreryPipeline) */
  GPtrArray *parts;             /* (element-type OrreryPart): modifiers, codecs, overlays */
  GHashTable *managers;         /* (element-type OrreryClass OrreryDatastreamManager) */
  GHashTable *request_managers; /* (element-type OrreryClass OrreryRequestManager) */
  GHashTable *counts;           /* (element-type utf8 guint): how many of a class on a component */
  OrreryNode *config;           /* (nullable): the file of the five tables */
  OrreryConfigKeys tables;      /* of that file, else of the scene */
  OrreryPhysics *physics;       /* (nullable): owned by the runner */
  OrreryRaycaster *rays;        /* NULL: none was asked for */
  OrreryRenderer *renderer;     /* NULL: not asked for yet, or there is none: */
  GError *no_renderer;
  GArray *variations; /* (nullable) (element-type OrreryVariation): what each episode draws */
  GArray
      *spawned; /* (nullable) (element-type OrreryVariation): what is drawn for what is spawned */
  gboolean draws_at_ticks; /* some of them are drawn, or told to the engine, at ticks */
  OrreryCommands *drawn;   /* (nullable): those of a tick; NULL: no quantity varies */
  gboolean is_replica;     /* of a worker: its host has warned already */
  gboolean has_inertia;    /* physics was built once already, before everything was set up */
  gboolean is_extended;    /* it runs, and what is set up was added */
  guint first_added;       /* then the first of its objects */
  GArray *later; /* (nullable) (element-type OrreryLaterStream): streams that are to be opened */
  /* (nullable): called for every component that another one looks up by name */
  void (*found) (gpointer data, OrreryComponent *component);
  gpointer found_data;
} OrreryAssembly;

/* A stream of what was added, all of which is fine but for what only its manager knows. */
typedef struct {
  OrreryStream *stream;
  OrreryDatastreamManager *manager; /* borrowed */
  GVariant *options;
} OrreryLaterStream;

/* All but the assembly itself is borrowed. */
void orrery_assembly_init (OrreryAssembly *assembly, OrreryRegistry *registry, OrreryScene *scene,
                           OrreryOptions *options, OrreryRunner *runner);
void orrery_assembly_clear (OrreryAssembly *assembly);

/* Another seed for all parts of the scene, between two runs. */
void orrery_assembly_set_seed (OrreryAssembly *assembly, guint64 seed);

static inline const OrreryMember *
orrery_assembly_get_place (OrreryAssembly *assembly, guint component)
{
  return &g_array_index (assembly->scene->members, OrreryMember,
                         g_array_index (assembly->places, guint, component));
}

/* Whether a component is placed at one of the objects from index @first on. */
static inline gboolean
orrery_assembly_is_from (OrreryComponent *component, guint first)
{
  return orrery_object_get_index (orrery_component_get_object (component)) >= first;
}

/* Components: made, placed, given their options. @first: among the members of the scene */
void orrery_assembly_add_components (OrreryAssembly *assembly, guint first);
/* Components: set up; they are at their start. @first: among the components */
void orrery_assembly_setup_components (OrreryAssembly *assembly, guint first);
/* orrery-assembly-order.c: the order of a tick, and a pipeline for each component. @first: the
 * index of the object from which on they are added, behind those that there are */
void orrery_assembly_add_pipelines (OrreryAssembly *assembly, guint first);
/* Finds each component's frequency; returns the highest, or 0. Comes before the others. */
double orrery_assembly_find_frequency (OrreryScene *scene);

/* The manager that serves components of imported files, for which no config could be written. */
#define ORRERY_SOCKET_REQUEST_MANAGER                                                              \
  "orrery.middleware.socket_request_manager.SocketRequestManager"

/* The five tables; then with what files that are imported add to them. */
void orrery_assembly_read_config (OrreryAssembly *assembly);
void orrery_assembly_merge_imported (OrreryAssembly *assembly);
/* In place of the tables those of what is added, with what files give to the components that were
 * imported from @first on. */
void orrery_assembly_take_tables (OrreryAssembly *assembly, const OrreryConfigKeys *given,
                                  guint first);
/* Returns whether a class is in Python and this process has no interpreter, which is a problem that
 * ends the load. */
gboolean orrery_assembly_needs_python (OrreryAssembly *assembly);
void orrery_assembly_add_modifiers (OrreryAssembly *assembly);
void orrery_assembly_add_streams (OrreryAssembly *assembly);
/* It is open: its component has it. */
void orrery_assembly_join_stream (OrreryAssembly *assembly, OrreryStream *stream,
                                  OrreryDatastreamManager *manager);
/* orrery-assembly-extension.c: a stream of what is added, to be opened when all is fine. */
void orrery_assembly_keep_stream (OrreryAssembly *assembly, OrreryNode *entry, OrreryStream *stream,
                                  OrreryDatastreamManager *manager, GVariant *options);
void orrery_assembly_add_services (OrreryAssembly *assembly);
/* orrery-assembly-overlays.c */
void orrery_assembly_add_overlays (OrreryAssembly *assembly);
/* Returns the component that a key of a table names, or NULL after taking a problem. */
OrreryComponent *orrery_assembly_find_component (OrreryAssembly *assembly, OrreryNode *table,
                                                 guint i);
/* Returns: (transfer full): `owner/Class#n`: n counts the class at the owner. */
char *orrery_assembly_count_class (OrreryAssembly *assembly, const char *owner,
                                   const char *classpath);
/* The same for a part of a component. */
char *orrery_assembly_name_attached (OrreryAssembly *assembly, OrreryComponent *component,
                                     const char *classpath);

/* Fills one slot for each script that is called, in calling order; scripts that are not called are
 * only checked for errors. Add-ons and a sandbox that @scripts has already are kept. */
void orrery_assembly_add_scripts (OrreryAssembly *assembly, OrreryScripts *scripts);
/* Sets up again, in this scene, the scripts of the program that have started. */
void orrery_assembly_set_up_again (OrreryAssembly *assembly, OrreryScripts *scripts);
/* Fills one slot; returns NULL if it took problems. */
OrreryScript *orrery_assembly_make_script (OrreryAssembly *assembly, OrreryScriptSlot *slot);
/* Full name of a script; those of add-ons are counted. */
char *orrery_assembly_name_script (OrreryAssembly *assembly, const OrreryScriptPlace *place);
/* Unpublishes the services of a script. */
void orrery_assembly_drop_script (OrreryAssembly *assembly, OrreryScript *script);

/* NULL: a problem was taken. @place: where in a file; @name: (nullable): of the part that is to be
 * of this class, for the problem */
const OrreryClass *orrery_assembly_find_class (OrreryAssembly *assembly, OrreryNode *place,
                                               const char *classpath, const char *name);
/* Makes a part, names it, sets its options; NULL: @klass is, or a problem was taken. */
OrreryPart *orrery_assembly_create_of (OrreryAssembly *assembly, OrreryNode *place,
                                       const OrreryClass *klass, OrreryRole role, const char *name);
OrreryPart *orrery_assembly_create (OrreryAssembly *assembly, OrreryNode *place,
                                    const char *classpath, OrreryRole role, const char *name);
/* Connects the part to the log levels of the scene and its clients. @placed: (nullable): the class
 * that its class is a level of. */
void orrery_assembly_set_log_levels (OrreryAssembly *assembly, OrreryPart *part,
                                     const OrreryClass *klass, const OrreryClass *placed);
gboolean orrery_assembly_set_options (OrreryAssembly *assembly, OrreryPart *part,
                                      OrreryNode *options);
/* Options that a JSON class gives. FALSE: problems were taken. */
gboolean orrery_assembly_apply_class (OrreryAssembly *assembly, OrreryPart *part,
                                      const OrreryClass *klass);
/* Runs setup; what the part publishes is mapped. options: a dictionary, or NULL. */
gboolean orrery_assembly_setup (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                                OrreryComponent *component, OrreryNode *options);
/* The setup alone: sources and published names are in what is returned (transfer full). */
OrrerySetup *orrery_assembly_run_setup (OrreryAssembly *assembly, OrreryPart *part,
                                        OrreryComponent *component, OrreryNode *options,
                                        GError **error);
/* The names of services, beside its own, that a worker told of a part. @names: (nullable): `as` */
gboolean orrery_assembly_publish_remote (OrreryAssembly *assembly, OrreryNode *place,
                                         OrreryPart *part, GVariant *names);
OrreryRequestManager *orrery_assembly_get_request_manager (OrreryAssembly *assembly,
                                                           OrreryNode *place,
                                                           const char *classpath);
void orrery_assembly_problem (OrreryAssembly *assembly, OrreryNode *place, GError *error);
/* The same with a new error. */
void orrery_assembly_refuse (OrreryAssembly *assembly, OrreryNode *place, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Logs a warning about a part, with the place in the file. */
void orrery_assembly_warn (OrreryNode *place, OrreryPart *part, const char *words);
/* Takes an error of a part about its options or neighbours as a problem of the file that gives
 * them. */
void orrery_assembly_take_part_error (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                                      GError *error);
/* Whether an object, or one above it, is a component that could not be made. */
gboolean orrery_assembly_is_refused (OrreryAssembly *assembly, OrreryObject *object);

/* orrery-assembly-settings.c: takes a problem for each setting that nothing took. */
void orrery_assembly_check_settings (OrreryAssembly *assembly);

/* orrery-assembly-randomisation.c: the key `randomisation` of a scene. */
/* Reads it, and tries the values; when all parts are set up. */
void orrery_assembly_read_randomisation (OrreryAssembly *assembly);
/* Draws the values of an episode; the scene is at its start, and physics not built yet. */
gboolean orrery_assembly_randomise (OrreryAssembly *assembly, guint64 episode, GError **error);
/* Takes a problem for each quantity that the engine, which is built now, cannot change. */
void orrery_assembly_check_quantities (OrreryAssembly *assembly);
/* Sets the quantities of an episode that was drawn; physics was built since. */
gboolean orrery_assembly_begin_quantities (OrreryAssembly *assembly, guint64 episode,
                                           GError **error);
/* Draws what is due at the start of a tick, see OrreryDrawFunc. */
gboolean orrery_assembly_draw_again (OrreryAssembly *assembly, guint64 episode, guint64 tick,
                                     OrreryTime elapsed, OrreryTime before, GError **error);
/* Draws what varies of an object that is spawned.
 * @kind: the spawnable; @place: which of its objects; @number: of the instance, from 1
 * @commands: (nullable): where the quantities are staged, to be dropped after FALSE; NULL will do
 *   where nothing varies */
gboolean orrery_assembly_draw_spawned (OrreryAssembly *assembly, guint64 episode, const char *kind,
                                       guint place, guint64 number, OrreryCommands *commands,
                                       GError **error);
/* Returns: (transfer floating): of each path, what the episode began with, as {sv} */
GVariant *orrery_assembly_list_drawn (OrreryAssembly *assembly, guint64 episode);
/* Returns: (transfer full) (element-type utf8): the same as lines of the log */
GPtrArray *orrery_assembly_describe_drawn (OrreryAssembly *assembly, guint64 episode);
void orrery_assembly_clear_randomisation (OrreryAssembly *assembly);

/* orrery-assembly-extension.c */
/* What an assembly had before something was added to its scene. */
typedef struct {
  guint first_object;
  guint first_component;
  guint first_part;
} OrreryAssemblyExtension;
/* Makes the components of new objects and sets them up, and extends physics; the objects are at
 * their start. @config: tables of these components. FALSE: with an error, or problems were taken;
 * it is to be dropped */
gboolean orrery_assembly_extend (OrreryAssembly *assembly, const OrrerySceneExtension *scene,
                                 const OrreryConfigKeys *config, OrreryAssemblyExtension *extension,
                                 GError **error);
/* The new components step from now on; nothing can fail any more. */
void orrery_assembly_end_extension (OrreryAssembly *assembly,
                                    const OrreryAssemblyExtension *extension);
void orrery_assembly_drop_extension (OrreryAssembly *assembly,
                                     const OrreryAssemblyExtension *extension);

/* orrery-assembly-engines.c */
#define ORRERY_DEFAULT_PHYSICS "orrery.physics.bullet.Bullet"
void orrery_assembly_add_physics (OrreryAssembly *assembly);
/* Builds the engine's model at the poses of the snapshot: at first, and after each reset. */
gboolean orrery_assembly_build_physics (OrreryAssembly *assembly, GError **error);
/* The model becomes that of the first @n_objects objects of the world, whatever it had of those
 * behind. */
gboolean orrery_assembly_extend_physics (OrreryAssembly *assembly, guint n_objects, GError **error);
/* Builds it for the first time, for a setup that needs masses. */
gboolean orrery_assembly_reckon_inertia (gpointer assembly, GError **error);
gboolean orrery_assembly_measure (gpointer assembly, OrreryMeasurement what, OrreryObject *object,
                                  GError **error);
/* An OrreryRaysFunc. Makes the ray caster when it is first asked for. */
OrreryRaycaster *orrery_assembly_get_rays (gpointer assembly, GError **error);
/* The same for the renderer. */
/* An engine, or another part of none of the tables, with the properties of its class.
 * @name: (nullable): that of its class */
OrreryPart *orrery_assembly_create_part (OrreryAssembly *assembly, const char *classpath,
                                         OrreryRole role, const char *name, GError **error);
OrreryRenderer *orrery_assembly_get_renderer (gpointer assembly, GError **error);
/* Checks the ray caster that the scene names, whether or not a part asks for it. */
void orrery_assembly_check_rays (OrreryAssembly *assembly);

/* orrery-assembly-workers.c: components in processes of their own. */
/* Which component and which script is to run in which worker. */
void orrery_assembly_read_workers (OrreryAssembly *assembly);
/* Starts them, and waits until all of their components are set up. */
void orrery_assembly_start_workers (OrreryAssembly *assembly);
/* Takes what the setup in a worker made of a component. FALSE: it runs here */
gboolean orrery_assembly_adopt (OrreryAssembly *assembly, OrreryComponent *component);
/* All of them were adopted: frees what the workers told of them. */
void orrery_assembly_end_adoption (OrreryAssembly *assembly);
/* The program that runs as a worker; NULL is the one of this library. Tests set their own. */
extern const char *orrery_worker_program;
