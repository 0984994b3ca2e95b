/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text/orrery-keys-private.h"
#include "tick/orrery-order-private.h"
#include "world/orrery-joint.h"
#include "world/orrery-lamp.h"
#include "world/orrery-world.h"

/* The contents of a scene file: the structs that the tables of orrery-scene-keys.c fill. */

/* The five tables of a component_config. */
typedef struct {
  OrreryNode *streams;
  OrreryNode *modifiers;
  OrreryNode *services;
  OrreryNode *overlays;
  OrreryNode *managers;
} OrreryConfigKeys;

typedef struct {
  OrreryNode *schema;
  OrreryNode *environment;
  OrreryNode *objects;
  OrreryNode *component_config;
  OrreryConfigKeys config;
  OrreryNode *workers;
  OrreryNode *log_levels;
  OrreryNode *materials;
  OrreryNode *spawnables;
  OrreryNode *randomisation;
} OrrerySceneKeys;

/* How components are ordered within a tick. */
typedef enum {
  ORRERY_COMPONENT_ORDER_SCENE, /* by the tree */
  ORRERY_COMPONENT_ORDER_MORSE, /* by `created`, the newest first */
} OrreryComponentOrder;
#define ORRERY_MAX_SUBSTEPS 10000 /* of a tick */

/* Keys of the whole simulation. */
typedef struct {
  double frequency; /* Hz; NAN: found from the components */
  gboolean fixed_step;
  guint logic_step_max;
  guint physics_step_max;
  double time_scale;
  gboolean relative_time;
  gboolean auto_tune;
  guint64 seed;
  double start; /* s, or NAN */
  OrreryVec3 gravity;
  OrreryNode *physics;
  guint substeps;
  OrreryNode *raycaster;
  OrreryNode *renderer;
  OrreryNode *import;
  gboolean import_components; /* whether those of the file are made */
  OrreryNode *changes;
  OrreryNode *properties;
  guint room; /* objects that may be added while the scene runs */
  gboolean warn_of_unknown;
  OrreryComponentOrder component_order;
  gboolean not_finite_words; /* NaN, Infinity and -Infinity in place of null */
  OrreryOrderRule script_order;
  OrreryNode *add_ons;
  OrreryNode *sandbox;
} OrreryEnvironment;

typedef struct {
  OrreryNode *objects;
  OrreryNode *properties;
} OrreryEnvironmentFileKeys;

typedef struct {
  OrreryNode *name;
  OrreryVec3 position;
  OrreryVec3 rotation;
  OrreryVec3 move;
  OrreryVec3 turn;
  OrreryVec3 size; /* NAN: not given; the same for the next */
  OrreryVec3 scale;
  OrreryNode *body;
  gboolean visible;
  OrreryNode *properties;
} OrreryChangeKeys;

typedef struct {
  OrreryNode *name;
  OrreryNode *classpath;
  OrreryVec3 position;
  OrreryVec3 rotation;
  double frequency; /* Hz; NAN: that of the class */
  OrreryNode *level;
  OrreryNode *placement;
  int transport; /* OrreryTransport, or -1 */
  gboolean free_running;
  OrreryNode *properties;
  OrreryNode *import;
  OrreryNode *interfaces;
  OrreryNode *body;
  OrreryNode *shapes;
  OrreryNode *visual;
  OrreryVec3 color; /* NAN: not given */
  OrreryNode *material;
  OrreryNode *joint;
  OrreryNode *lamp;
  guint created; /* G_MAXUINT: not by a script */
  OrreryPriority priority;
  OrreryNode *scripts;
  gboolean scripts_inactive;
  OrreryNode *objects;
} OrreryObjectKeys;

typedef struct {
  OrreryNode *object;
  guint count;
} OrrerySpawnableKeys;

#define ORRERY_MAX_SPAWNABLE 1000 /* of one kind */
/* Objects that may be added while the scene runs: a robot with all its links, and more. */
#define ORRERY_DEFAULT_ROOM 64
#define ORRERY_MAX_ROOM 100000

typedef struct {
  OrreryNode *file;
  OrreryNode *object;
  OrreryNode *prefix;
  gboolean components;
  gboolean keep_pose;
  gboolean keep_position;
  gboolean keep_rotation;
} OrreryImportKeys;

typedef struct {
  OrreryNode *streams;
  OrreryNode *out;
  OrreryNode *in;
  OrreryNode *codecs;
  OrreryNode *services;
} OrreryInterfaceKeys;

typedef struct {
  OrreryNode *file;
  OrreryNode *object;
  OrreryVec3 position;
  OrreryVec3 rotation;
} OrreryVisualKeys;

/* Also of add-ons and of the sandbox. */
typedef struct {
  OrreryScriptType type;
  OrreryNode *classpath;
  OrreryScriptSettings settings;
  OrreryNode *placement;
  OrreryNode *properties;
} OrreryScriptKeys;

typedef struct {
  OrreryNode *name;
  OrreryVec3 color; /* NAN: not given */
  double alpha;
  double specular;
  double shininess;
  double emission;
  OrreryNode *texture;
} OrreryMaterialKeys;

/* What becomes of a value of the scene by what is drawn. */
typedef enum {
  ORRERY_OPERATION_SET,   /* what is drawn replaces it, */
  ORRERY_OPERATION_ADD,   /* is added to it, */
  ORRERY_OPERATION_SCALE, /* or multiplies it */
} OrreryOperation;
extern const char *const orrery_operation_words[];

typedef struct {
  OrreryNode *path;
  OrreryNode *distribution;
  OrreryOperation operation;
  double every;      /* s; NAN: not by time */
  guint every_ticks; /* G_MAXUINT: not by ticks */
} OrreryRandomisationKeys;

typedef struct {
  double timeout;       /* s */
  double start_timeout; /* s */
  double back_off;      /* s */
  double memory;        /* MiB; NAN: no limit */
  int on_failure;       /* OrreryPolicy */
  guint restarts;
} OrreryWorkerKeys;

typedef struct {
  OrreryShapeKind kind;
  OrreryVec3 size; /* NAN: not given; the same for the two below */
  double radius;
  double height;
  OrreryNode *points;
  OrreryNode *triangles;
  OrreryVec3 position;
  OrreryVec3 rotation;
  gboolean solid;
  OrreryVec3 color;
  double alpha;
  double specular;
  double shininess;
  double emission;
  gboolean visible;
} OrreryShapeKeys;

extern const OrreryKeyTable orrery_scene_keys;
extern const OrreryKeyTable orrery_config_keys;
extern const OrreryKeyTable orrery_environment_keys;
extern const OrreryKeyTable orrery_environment_file_keys;
extern const OrreryKeyTable orrery_change_keys;
extern const OrreryKeyTable orrery_object_keys;
extern const OrreryKeyTable orrery_spawnable_keys;
extern const OrreryKeyTable orrery_import_keys;
extern const OrreryKeyTable orrery_interface_keys;
extern const OrreryKeyTable orrery_visual_keys;
extern const OrreryKeyTable orrery_script_keys;
extern const OrreryKeyTable orrery_add_on_keys;
extern const OrreryKeyTable orrery_sandbox_keys;
extern const OrreryKeyTable orrery_worker_keys;
extern const OrreryKeyTable orrery_body_keys;  /* OrreryBody */
extern const OrreryKeyTable orrery_joint_keys; /* OrreryJoint */
extern const OrreryKeyTable orrery_shape_keys;
extern const OrreryKeyTable orrery_lamp_keys; /* OrreryLamp */
extern const OrreryKeyTable orrery_material_keys;
extern const OrreryKeyTable orrery_randomisation_keys;

/* All of them, that of the scene first. */
extern const OrreryKeyTable *const orrery_scene_tables[];
extern const guint orrery_n_scene_tables;
