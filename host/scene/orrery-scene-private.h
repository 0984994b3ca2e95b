/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-log-levels-private.h"
#include "registry/orrery-registry.h"
#include "scene/orrery-scene-keys-private.h"

/* One component of a scene. */
typedef struct {
  OrreryObject *object;
  OrreryNode *node; /* the object in the scene */
  OrreryObjectKeys keys;
  const OrreryClass *klass;
  const OrreryClass *realised; /* the class that realises the level */
  const char *level;
  double frequency; /* Hz; 0 for a robot without one */
} OrreryMember;

/* An object that may be spawned. */
typedef struct {
  char *name;
  GPtrArray *objects; /* (element-type OrreryObject): one for each that may be there at once */
  OrreryNode *place;  /* borrowed: in the file */
} OrrerySpawnable;

/* One script of a scene. */
typedef struct {
  OrreryScriptType type;
  guint index;          /* of its object, or of the add-on: as in an OrreryOrderEntry */
  OrreryObject *object; /* NULL: it belongs to the program */
  const char *classpath;
  OrreryScriptKeys keys;
  OrreryNode *node; /* its dictionary */
} OrreryScriptPlace;

/* All scripts, and what determines their order and that of objects. */
typedef struct {
  GArray *places; /* (element-type OrreryScriptPlace), in the order in which they are read */
  OrreryOrderRule rule;
  GArray *objects; /* (element-type OrreryOrderObject): the first objects of the world */
  GArray *add_ons; /* (element-type OrreryScriptSettings) */
  OrreryScriptSettings sandbox;
} OrrerySceneScripts;

/* What a file says of the simulation as a whole. */
typedef struct {
  char *name;
  GVariant *value;
  char *place; /* file and line */
} OrrerySceneOption;

typedef struct {
  OrreryRegistry *registry;
  OrreryWorld *world;
  OrreryProblems *problems;
  OrreryLogLevels *log_levels;
  OrreryNode *root;
  char *file;
  char *directory;
  OrrerySceneKeys keys;
  OrreryEnvironment environment;
  GArray *members;      /* (element-type OrreryMember), in tree order */
  GArray *spawnables;   /* (element-type OrrerySpawnable); NULL: none */
  GHashTable *refused;  /* (element-type OrreryObject): components that could not be made */
  guint n_expanded;     /* objects that classes gave to the present object of the scene */
  gboolean full;        /* no object can be added any more */
  GPtrArray *expanding; /* (element-type OrreryClass): whose objects are being added */
  GPtrArray
      *nodes; /* (element-type OrreryNode): files that were imported, and what was made of them */
  GPtrArray *sources; /* (element-type utf8): pairs of a name and the path that it was found at */
  GArray *options;    /* (element-type OrrerySceneOption): of imported files */
  GArray *settings;   /* (element-type OrrerySetting): in place of what the scene says */
  OrrerySceneScripts scripts;
  GHashTable *files;  /* (element-type utf8): set of the files of which the scene consists */
  GHashTable *texts;  /* (element-type utf8 GBytes): each file as it was read, by its path */
  GHashTable *models; /* (element-type utf8 OrreryImport): what objects are made of, by path */
  GPtrArray *imported_components; /* (element-type OrreryObject): from imported files */
  OrreryConfigKeys imported;      /* (nullable): what they add to the five tables; in nodes */
  GHashTable *interfaces;         /* (element-type OrreryObject OrreryNode): the key; borrowed */
  char *import_path;              /* where the environment was found */
  GArray *visuals;           /* visuals that are to be applied when a camera asks; NULL: none */
  GArray *paints;            /* colours, likewise */
  GHashTable *materials;     /* (element-type utf8 OrreryVec3): colours by the name of a material,
                                likewise */
  guint n_painted;           /* objects whose materials have these colours */
  gboolean has_looks;        /* they were applied */
  gsize texture_bytes;       /* of all pictures of materials */
  guint read_limit;          /* of one file of another format, s */
  gboolean confined;         /* what is added names files below the directories alone */
  const char *added_root;    /* (nullable): a second directory of what is added; borrowed */
  GCancellable *cancellable; /* (nullable): of whoever waits for the scene */
} OrreryScene;

OrreryScene *orrery_scene_new (OrreryRegistry *registry, OrreryWorld *world,
                               OrreryProblems *problems);
void orrery_scene_free (OrreryScene *scene);
/* Reads a scene file, or a directory with scene.json. FALSE: nothing of it can be read. */
gboolean orrery_scene_read (OrreryScene *scene, const char *path, GError **error);
/* The same from the text that another process has read; @file is the name for messages. */
gboolean orrery_scene_read_text (OrreryScene *scene, const char *file, const char *directory,
                                 GError **error);
/* Puts the objects of the environment and of the scene into the world, and takes problems. */
void orrery_scene_build (OrreryScene *scene);

/* A file by its name with suffix, or one of MORSE's without; also in @folder of those. NULL: none.
 */
char *orrery_scene_find_model (OrreryScene *scene, const char *name, const char *folder);
/* (transfer none): read once for a load. */
OrreryImport *orrery_scene_get_model (OrreryScene *scene, const char *path, GError **error);

/* Reads the key `visual`, or NULL; then notes how many of the children are those of the class. */
void orrery_scene_read_visual (OrreryScene *scene, OrreryNode *node, OrreryObject *object);
/* Drops the visual, so that the object is shown by its shapes. */
void orrery_scene_drop_visual (OrreryScene *scene, OrreryObject *object);
void orrery_scene_note_own_children (OrreryScene *scene, OrreryObject *object);
/* Reads the key `color`; then notes how many of the children are those of the class or file. */
void orrery_scene_read_paint (OrreryScene *scene, const OrreryVec3 *color, OrreryObject *object);
void orrery_scene_note_painted_children (OrreryScene *scene, OrreryObject *object);
/* Reads the key `materials`; then the key `material`, of an object that has all parts from its
 * class and its file by now, and no others. */
void orrery_scene_read_materials (OrreryScene *scene);
void orrery_scene_read_material (OrreryScene *scene, OrreryNode *name, OrreryObject *object);
/* @placed: (element-type OrreryObject): all components */
void orrery_scene_paint (OrreryScene *scene, GHashTable *placed);
/* Gives objects the shapes of their visuals, if the files are installed, and their colours. Called
 * before anything is drawn. */
void orrery_scene_apply_visuals (OrreryScene *scene);

/* orrery-scene.c: applies what an imported file gives to an object. */
/* Whether what was read says of itself that it is a scene, right or wrong. */
gboolean orrery_scene_is_one (OrreryScene *scene);
/* Says that a file belongs to the scene: it is never written. */
void orrery_scene_note_file (OrreryScene *scene, const char *path);
OrreryNode *orrery_scene_read_json (OrreryScene *scene, const char *path, GError **error);
/* The key `properties`, or NULL, of an object or of the world. */
void orrery_scene_read_values (OrreryScene *scene, OrreryNode *dict, OrreryObject *object);
void orrery_scene_add_object (OrreryScene *scene, OrreryNode *node, OrreryObject *parent);
void orrery_scene_add_objects (OrreryScene *scene, OrreryNode *list, OrreryObject *parent);
/* Notes for the report where a model or environment was found. */
void orrery_scene_note_source (OrreryScene *scene, const char *what, const char *from);

/* Adds the component that an object of this class is. */
void orrery_scene_place (OrreryScene *scene, OrreryNode *node, const OrreryObjectKeys *keys,
                         const OrreryClass *klass, OrreryObject *object);

/* orrery-scene-options.c: takes what a file says of the simulation, unless a key of the scene says
 * it. FALSE: another file says something else. */
gboolean orrery_scene_take_options (OrreryScene *scene, OrreryImport *import, GError **error);
void orrery_scene_clear_option (gpointer data);
/* NULL: no file says it. */
const OrrerySceneOption *orrery_scene_find_option (OrreryScene *scene, const char *name);
void orrery_scene_apply_gravity (OrreryScene *scene);
/* Steps of physics per tick, at @frequency ticks per second. */
guint orrery_scene_find_substeps (OrreryScene *scene, double frequency);

/* orrery-scene-parts.c: components (if they are wanted) and scripts that a file has. @node: the
 * object of the scene that they go below, whose own parts come first; NULL: the environment. */
void orrery_scene_add_parts (OrreryScene *scene, OrreryImport *import, gboolean components,
                             OrreryNode *node);
/* Adds entries of a component to one of the tables for imported files. @entries: (transfer full) */
void orrery_scene_enter (OrreryScene *scene, OrreryNode **table, OrreryObject *object,
                         OrreryNode *entries);

/* orrery-scene-offers.c: reads the key `interfaces` of an object, or NULL. */
void orrery_scene_read_interfaces (OrreryScene *scene, OrreryNode *list, OrreryObject *object);
/* Adds a component of an imported file to the managers that the objects above it name. */
void orrery_scene_offer (OrreryScene *scene, OrreryObject *object, const OrreryClass *klass);

/* A body that moves and has no shapes of its own takes the shapes of the objects below it: these
 * become part of the body, and meshes collide as their hulls. */
void orrery_scene_gather_body (OrreryObject *object);

/* Makes the solid meshes of an object collide as their hulls, which engines need for bodies that
 * move. @all: all of its shapes become solid, too. */
void orrery_scene_use_hulls (OrreryObject *object, gboolean all);

/* orrery-scene-logs.c: reads the key `log_levels`; once all parts exist, logs a warning for each
 * name that is not that of a part. */
OrreryLogLevels *orrery_scene_create_log_levels (void);
void orrery_scene_read_log_levels (OrreryScene *scene);
void orrery_scene_check_log_levels (OrreryScene *scene);

/* orrery-scene-changes.c: applies the key `changes`, after the file of the environment was read. */
void orrery_scene_change_environment (OrreryScene *scene);
/* The present position, rotation, size (of one that is no box: 0) and scale of an object. */
void orrery_scene_read_object (OrreryObject *object, OrreryChangeKeys *keys);
/* Changes one object by a dictionary of such keys, without `name`. */
void orrery_scene_change_object (OrreryScene *scene, OrreryNode *node, OrreryObject *object);

/* orrery-scene-spawnables.c: the key `spawnables`: its objects; then, with all below them, out of
 * the world, unless there is something that cannot be spawned. */
void orrery_scene_add_spawnables (OrreryScene *scene);
void orrery_scene_pool_spawnables (OrreryScene *scene);
/* One entry of that table; and the same for the one at place @i. */
void orrery_scene_add_spawnable (OrreryScene *scene, OrreryNode *node);
void orrery_scene_pool_spawnable (OrreryScene *scene, guint i);

/* What a scene that runs had before something was added to it. */
typedef struct {
  guint first_object;
  guint first_member;
  guint first_spawnable;
  guint first_script;
  guint first_visual;
  guint first_paint;
  guint first_option;
  guint first_component;
  OrreryConfigKeys imported;
} OrrerySceneExtension;

/* orrery-scene-extension.c: adds an entry of the table `spawnables` between two ticks. @spawnable:
 * is to live as long as the scene. FALSE: problems were taken, and it is to be dropped */
gboolean orrery_scene_extend (OrreryScene *scene, OrreryNode *spawnable,
                              OrrerySceneExtension *extension);
/* After the world was extended. */
void orrery_scene_end_extension (OrreryScene *scene, const OrrerySceneExtension *extension);
/* All is as before. */
void orrery_scene_drop_extension (OrreryScene *scene, const OrrerySceneExtension *extension);

/* orrery-scene-import.c */
/* Whether the scene may read what is named here, or a problem was taken. */
gboolean orrery_scene_may_read (OrreryScene *scene, OrreryNode *name);
void orrery_scene_import_environment (OrreryScene *scene);
/* The key `import` of an object at @node. */
void orrery_scene_import_object (OrreryScene *scene, OrreryNode *node, const OrreryImportKeys *keys,
                                 OrreryObject *object);

/* The keys `body`, `shapes`, `joint` and `lamp` of an object, or NULL. */
void orrery_scene_read_body (OrreryProblems *problems, OrreryNode *dict, OrreryObject *object);
void orrery_scene_read_shapes (OrreryProblems *problems, OrreryNode *list, OrreryObject *object);
void orrery_scene_read_joint (OrreryProblems *problems, OrreryNode *dict, OrreryObject *object);
void orrery_scene_read_lamp (OrreryProblems *problems, OrreryNode *dict, OrreryObject *object);

/* orrery-scene-scripts.c: scripts, and what determines their order and that of objects. */
void orrery_scene_init_scripts (OrreryScene *scene);
void orrery_scene_clear_scripts (OrreryScene *scene);
/* The keys `scripts`, `scripts_inactive` and `priority` of an object. */
void orrery_scene_read_object_scripts (OrreryScene *scene, const OrreryObjectKeys *keys,
                                       OrreryObject *object);
/* The scripts of a list, or NULL. */
void orrery_scene_add_scripts (OrreryScene *scene, OrreryNode *list, OrreryObject *object);
/* The keys `script_order`, `add_ons` and `sandbox` of the environment. */
void orrery_scene_read_program_scripts (OrreryScene *scene);
/* Returns the input of the ordering, with all objects that the world has by now; the scene owns the
 * arrays. */
OrreryOrderInput orrery_scene_get_order_input (OrreryScene *scene);
/* What it has of the objects from @first on. */
void orrery_scene_drop_order (OrreryScene *scene, guint first);
