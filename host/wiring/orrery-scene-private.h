/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-node.h"
#include "roles/orrery-log-levels-private.h"
#include "run/orrery-order-private.h"
#include "wiring/orrery-problems-private.h"
#include "wiring/orrery-registry.h"
#include "world/orrery-world.h"

/* What a scene says of the whole simulation. */
typedef struct {
  double frequency; /* Hz; 0: found from the components */
  gboolean fixed_step;
  guint logic_step_max;
  guint physics_step_max;
  double time_scale;
  gboolean relative_time;
  gboolean auto_tune;
  OrreryVec3 gravity;
  guint substeps;
  char *import;
  OrreryNode *import_node;    /* borrowed: where the name stands */
  gboolean import_components; /* whether those of the file are made */
  char *physics;
  OrreryNode *physics_node;   /* borrowed, or NULL: the default */
  char *raycaster;            /* NULL: the host's choice */
  OrreryNode *raycaster_node; /* borrowed */
  char *renderer;
  guint64 seed;
  double start; /* s, or NaN */
} OrreryEnvironment;

/* One component that a scene places. */
typedef struct {
  OrreryObject *object;
  OrreryNode *node; /* borrowed: the object in the scene */
  const OrreryClass *klass;
  const OrreryClass *realised; /* of the level */
  const char *level;
  double frequency; /* Hz; 0 for a robot that nobody gives one */
} OrreryPlacement;

/* One script that a scene places. */
typedef struct {
  OrreryScriptType type;
  guint index;          /* of its object, or of the add-on: as in an OrreryOrderEntry */
  OrreryObject *object; /* NULL: it belongs to the program */
  const char *classpath;
  OrreryNode *node; /* its dictionary */
} OrreryScriptPlace;

/* All scripts, and what orders them; also what orders objects. */
typedef struct {
  GArray *places; /* (element-type OrreryScriptPlace), as they are read: in no order of calls */
  OrreryOrderRule rule;
  GArray *objects; /* (element-type OrreryOrderObject): the first objects of the world */
  GArray *add_ons; /* (element-type OrreryScriptSettings) */
  OrreryScriptSettings sandbox;
} OrrerySceneScripts;

typedef struct {
  OrreryRegistry *registry;
  OrreryWorld *world;
  OrreryProblems *problems;
  OrreryLogLevels *log_levels;
  OrreryNode *root;
  char *file;
  char *directory;
  OrreryEnvironment environment;
  GArray *placements;   /* (element-type OrreryPlacement), in tree order */
  GHashTable *refused;  /* (element-type OrreryObject): components that could not be made */
  GPtrArray *expanding; /* (element-type OrreryClass): whose objects are being added */
  GPtrArray *nodes; /* (element-type OrreryNode): files that were imported; kept for their places */
  GPtrArray *sources; /* (element-type utf8): pairs of what and where from */
  OrrerySceneScripts scripts;
  GHashTable *texts;   /* (element-type utf8 GBytes): each file as it was read, by its path */
  GHashTable *models;  /* (element-type utf8 OrreryImport): what objects are made of, by path */
  GPtrArray *imported; /* (element-type OrreryObject): components that files brought */
  GPtrArray *imported_modifiers; /* (element-type OrreryNode): tables of theirs, in scene->nodes */
  GPtrArray *imported_streams;   /* (element-type OrreryNode): the same */
  GPtrArray *imported_services;  /* (element-type OrreryNode): the same */
  GHashTable *interfaces;        /* (element-type OrreryObject OrreryNode): the key; borrowed */
  char *import_path;             /* where the environment was found */
  GArray *visuals;               /* how objects look, until a camera wants to know; NULL: none */
  GArray *paints;                /* the same of their colours */
} OrreryScene;

OrreryScene *orrery_scene_new (OrreryRegistry *registry, OrreryWorld *world,
                               OrreryProblems *problems);
void orrery_scene_free (OrreryScene *scene);
/* A scene file, or a directory with scene.json. FALSE: nothing of it can be read. */
gboolean orrery_scene_read (OrreryScene *scene, const char *path, GError **error);
/* The same of what another process has read: @file is named in messages. */
gboolean orrery_scene_read_text (OrreryScene *scene, const char *file, const char *directory,
                                 GError **error);
/* Puts the objects of the environment and of the scene into the world. What is wrong is in
 * problems. */
void orrery_scene_build (OrreryScene *scene);

/* A file by its name with suffix, or one of MORSE's without; also in @folder of those. NULL: none.
 */
char *orrery_scene_find_model (OrreryScene *scene, const char *name, const char *folder);
/* (transfer none): read once for a load. */
OrreryImport *orrery_scene_get_model (OrreryScene *scene, const char *path, GError **error);

/* The key `visual`; then how many of the children are the class's. */
void orrery_scene_read_visual (OrreryScene *scene, OrreryNode *node, OrreryObject *object);
/* It looks as its shapes are. */
void orrery_scene_drop_visual (OrreryScene *scene, OrreryObject *object);
void orrery_scene_note_own_children (OrreryScene *scene, OrreryObject *object);
/* The key `color`; then how many of the children are the class's or the file's. */
void orrery_scene_read_paint (OrreryScene *scene, OrreryNode *node, OrreryObject *object);
void orrery_scene_note_painted_children (OrreryScene *scene, OrreryObject *object);
/* @placed: (element-type OrreryObject): all components */
void orrery_scene_paint (OrreryScene *scene, GHashTable *placed);
/* Gives objects the shapes of their visuals, where the files are there, and their colours: before
 * anything is drawn. */
void orrery_scene_dress (OrreryScene *scene);

/* A property of a scene: keys of a dictionary that is checked. Problems are taken, defaults kept.
 */
gboolean orrery_scene_check_keys (OrreryProblems *problems, OrreryNode *node,
                                  const char *const *known, const char *what);
OrreryNode *orrery_scene_find (OrreryProblems *problems, OrreryNode *node, const char *key,
                               OrreryNodeKind kind);
gboolean orrery_scene_get_double (OrreryProblems *problems, OrreryNode *node, const char *key,
                                  double low, double high, double *value);
gboolean orrery_scene_get_vec3 (OrreryProblems *problems, OrreryNode *node, const char *key,
                                OrreryVec3 *value);
gboolean orrery_scene_get_bool (OrreryProblems *problems, OrreryNode *node, const char *key,
                                gboolean *value);
gboolean orrery_scene_get_uint (OrreryProblems *problems, OrreryNode *node, const char *key,
                                guint low, guint high, guint *value);
const char *orrery_scene_get_text (OrreryProblems *problems, OrreryNode *node, const char *key);
/* Index of one of a few words, or -1: not there, or none of them. */
int orrery_scene_get_word (OrreryProblems *problems, OrreryNode *node, const char *key,
                           const char *const *words);
/* Returns: (transfer full): the value as it stands in a file, cut where it is long */
char *orrery_scene_show (OrreryNode *node);

/* orrery-scene.c: what a file that is imported has as the scene has it. */
OrreryNode *orrery_scene_read_json (OrreryScene *scene, const char *path, GError **error);
/* The key `properties`, of an object or of the world. */
void orrery_scene_read_values (OrreryScene *scene, OrreryNode *node, OrreryObject *object);
void orrery_scene_add_object (OrreryScene *scene, OrreryNode *node, OrreryObject *parent);
void orrery_scene_add_objects (OrreryScene *scene, OrreryNode *list, OrreryObject *parent);
/* For the report: where a model or environment comes from. */
void orrery_scene_note_source (OrreryScene *scene, const char *what, const char *from);

/* A component of a class that an object is. */
void orrery_scene_place (OrreryScene *scene, OrreryNode *node, const OrreryClass *klass,
                         OrreryObject *object);

/* orrery-scene-parts.c: components (if they are wanted) and scripts that a file has. @node: the
 * object of the scene that they go below, whose own parts come first; NULL: the environment. */
void orrery_scene_add_parts (OrreryScene *scene, OrreryImport *import, gboolean components,
                             OrreryNode *node);
/* A dictionary of the scene that says what @values do; kept with the scene's nodes. NULL: a problem
 * was taken. */
OrreryNode *orrery_scene_make_node (OrreryScene *scene, GVariantDict *values);

/* orrery-scene-offers.c: the key `interfaces` of an object; what is there of it counts. */
void orrery_scene_read_interfaces (OrreryScene *scene, OrreryNode *node, OrreryObject *object);
/* Enters a component of a file where those above it say. */
void orrery_scene_offer (OrreryScene *scene, OrreryObject *object, const OrreryClass *klass);

/* A body that moves and has no shapes of its own takes those of what is below it: their bodies are
 * a part of it, and meshes collide as their hulls. */
void orrery_scene_gather_body (OrreryObject *object);

/* Meshes of an object, or (@all) all of its shapes, collide as something that can move. */
void orrery_scene_harden_shapes (OrreryObject *object, gboolean all);

/* orrery-scene-logs.c: the key `log_levels`; then, once all parts are there, whether each of its
 * names is that of one: words to the log. */
OrreryLogLevels *orrery_scene_create_log_levels (void);
void orrery_scene_read_log_levels (OrreryScene *scene);
void orrery_scene_check_log_levels (OrreryScene *scene);

/* orrery-scene-changes.c: the key `changes`, once the environment's file is read. */
void orrery_scene_change_environment (OrreryScene *scene, OrreryNode *environment);

/* orrery-scene-import.c */
void orrery_scene_import_environment (OrreryScene *scene);
/* The key `import` of an object. TRUE: its start is the pose that it has in the file, and counts.
 */
gboolean orrery_scene_import_object (OrreryScene *scene, OrreryNode *node, OrreryObject *object);

/* orrery-geometry.c: body and shapes of one object. */
void orrery_scene_read_body (OrreryProblems *problems, OrreryNode *node, OrreryObject *object);
void orrery_scene_read_shapes (OrreryProblems *problems, OrreryNode *node, OrreryObject *object);

/* orrery-scene-joint.c: the key `joint` of one object. */
void orrery_scene_read_joint (OrreryProblems *problems, OrreryNode *node, OrreryObject *object);

/* orrery-scene-look.c: what cameras see. */
void orrery_scene_read_look (OrreryProblems *problems, OrreryNode *node, OrreryShape *shape);
/* @color: what the key `color` says; FALSE: nothing, or nothing that is one. */
gboolean orrery_scene_get_color (OrreryProblems *problems, OrreryNode *node, OrreryVec3 *color);
void orrery_scene_read_lamp (OrreryProblems *problems, OrreryNode *node, OrreryObject *object);

/* orrery-scene-scripts.c: scripts, and what orders them and objects. */
void orrery_scene_init_scripts (OrreryScene *scene);
void orrery_scene_clear_scripts (OrreryScene *scene);
/* The keys `scripts`, `scripts_inactive` and `priority` of an object. */
void orrery_scene_read_object_scripts (OrreryScene *scene, OrreryNode *node, OrreryObject *object);
/* The keys `script_order`, `add_ons` and `sandbox` of the environment. */
void orrery_scene_read_program_scripts (OrreryScene *scene, OrreryNode *node);
/* What is to be ordered, with all objects that the world has by now; the scene keeps the arrays. */
OrreryOrderInput orrery_scene_get_order_input (OrreryScene *scene);
