/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of all keys of a scene: a new key is one row here and one member of the struct that it
 * fills. Parser, scene.schema.json and scene.md follow.
 */
#include "scene/orrery-scene-keys-private.h"

#include "channel/orrery-channel.h"
#include "text/orrery-key-rows-private.h"

#include <math.h>

#define OF_COMPONENT .flags = ORRERY_KEY_OF_COMPONENT

#define TABLE(table, title, words, about)                                                          \
  const OrreryKeyTable orrery_##table##_keys = { .name = title,                                    \
                                                 .what = words,                                    \
                                                 .doc = about,                                     \
                                                 .keys = table##_keys,                             \
                                                 .n_keys = G_N_ELEMENTS (table##_keys) }

#define PROPERTIES(T)                                                                              \
  NODE ("properties", DICT, T, properties, "Values of any JSON type; integers of 64 bits")
#define PLACEMENT_DOC                                                                              \
  "Where it runs: `host`, `worker` (a process of its own) or the name of a worker that others "    \
  "share"
#define FILE_DOC                                                                                   \
  "A full path, or a path relative to the scene, to MORSE_RESOURCE_PATH or to MORSE's models"

static const char *const strategy_words[] = { "best_effort", "fixed_step", NULL };
static const char *const order_words[] = { "scene", "morse", NULL };
static const char *const unknown_words[] = { "refuse", "warn", NULL };
static const char *const not_finite_words[] = { "null", "words", NULL };
static const char *const rule_words[] = { "tree", "level", NULL };
static const char *const transport_words[] = { "queue", "latest", NULL };
static const char *const priority_words[] = { "first", "normal", "last", NULL };
static const char *const type_words[] = { "child", "customization", NULL };
static const char *const traversal_words[] = { "reverse", "forward", "parent", NULL };
static const char *const policy_words[] = { "hold", "zero", "stop", NULL };
static const char *const body_words[] = { "none", "static", "dynamic", "rigid", "ghost", NULL };
static const char *const joint_words[] = { "fixed", "hinge", "slide", "ball", NULL };
static const char *const shape_words[] = { "box",  "sphere", "cylinder", "capsule",
                                           "cone", "hull",   "mesh",     NULL };
static const char *const lamp_words[] = { "point", "spot", "sun", NULL };
const char *const orrery_operation_words[] = { "set", "add", "scale", NULL };

#define PRIORITY(T, m, what)                                                                       \
  WORD ("priority", T, m, priority_words, 0, what, .low = ORRERY_PRIORITY_FIRST)

/* --- the scene and its config --- */

#define TEXTS "\"propertyNames\": { \"$ref\": \"#/$defs/classpath\" }, "
#define LISTS(item)                                                                                \
  "\"type\": \"object\", \"additionalProperties\": { \"type\": \"array\", \"items\": { "           \
  "\"$ref\": \"#/$defs/" item "\" } }"

#define CONFIG(T, at)                                                                              \
  NODE ("component_datastream", DICT, T, at streams,                                               \
        "Streams of components, by their full names: [manager, codec, IN or OUT, options]",        \
        .schema = LISTS ("stream")),                                                               \
      NODE ("component_modifier", DICT, T, at modifiers,                                           \
            "Modifiers of components, by their full names: [classpath, IN, OUT or a method, "      \
            "options]",                                                                            \
            .schema = LISTS ("modifier")),                                                         \
      NODE ("component_service", DICT, T, at services,                                             \
            "Request managers of components, by their full names: one or a list",                  \
            .schema = "\"type\": \"object\", \"additionalProperties\": { \"oneOf\": [{ "           \
                      "\"$ref\": \"#/$defs/classpath\" }, { \"type\": \"array\", \"items\": { "    \
                      "\"$ref\": \"#/$defs/classpath\" } }] }"),                                   \
      NODE ("overlays", DICT, T, at overlays,                                                      \
            "By request manager, then by component: a classpath, several, or one with its "        \
            "options",                                                                             \
            .schema = "\"type\": \"object\", " TEXTS                                               \
                      "\"additionalProperties\": { \"type\": \"object\", "                         \
                      "\"additionalProperties\": { \"$ref\": \"#/$defs/overlay\" } }"),            \
      NODE ("stream_manager", DICT, T, at managers, "Options of managers, by their classpaths",    \
            .schema = "\"type\": \"object\", " TEXTS                                               \
                      "\"additionalProperties\": { \"type\": \"object\" }")

static const OrreryKey scene_keys[] = {
  ROW ("orrery", VERSION, 0, "Version of the format", REQUIRED),
  NODE ("$schema", TEXT, OrrerySceneKeys, schema,
        "For editors: where scene.schema.json is; the host does not read it"),
  NODE ("environment", OBJECT, OrrerySceneKeys, environment, NULL,
        .table = &orrery_environment_keys),
  NODE ("objects", LIST, OrrerySceneKeys, objects,
        "The roots of the tree, in the order in which they run", .table = &orrery_object_keys),
  NODE ("component_config", TEXT, OrrerySceneKeys, component_config,
        "The file of the five tables, relative to this one; in place of the five keys below"),
  CONFIG (OrrerySceneKeys, config.),
  NODE ("workers", MAP, OrrerySceneKeys, workers,
        "Limits of workers, by their names: that of the component for a worker of its own",
        .table = &orrery_worker_keys),
  NODE ("log_levels", DICT, OrrerySceneKeys, log_levels,
        "How much parts log: by a full name (`robot.gps`), a class (`GPS`) or a classpath with or "
        "without the class (`orrery.sensors.gps`, `morse.sensors`); a name cut at a dot stands "
        "for all below it, the closest counts",
        .schema = "\"type\": \"object\", \"propertyNames\": { \"$ref\": \"#/$defs/text\" }, "
                  "\"additionalProperties\": { \"enum\": [\"DEBUG\", \"INFO\", \"SECTION\", "
                  "\"ENDSECTION\", \"WARNING\", \"ERROR\", \"CRITICAL\"] }"),
  NODE ("materials", LIST, OrrerySceneKeys, materials,
        "What objects may be given, at the start by their key `material` and while the scene runs "
        "by `OBJECT.material`, and colours of materials that files bring; of two entries with the "
        "same name the last counts",
        .table = &orrery_material_keys),
  NODE ("spawnables", LIST, OrrerySceneKeys, spawnables,
        "Roots that are not there at the start: they are spawned and removed while the scene runs",
        .table = &orrery_spawnable_keys),
  NODE ("randomisation", LIST, OrrerySceneKeys, randomisation,
        "What is drawn anew at the start of each episode, at load and at each reset, and what is "
        "drawn again while it lasts",
        .table = &orrery_randomisation_keys),
};
TABLE (scene, "scene", "a scene",
       "What a simulation is made of. Lengths in metres, angles in radians, z up. What is absent "
       "has the default named here; a component's frequency, level and properties are then those "
       "of its class");

static const OrreryKey material_keys[] = {
  NODE ("name", TEXT, OrreryMaterialKeys, name,
        "All materials of files that are called so have its colour, if it has one", REQUIRED),
  COLOR ("color", OrreryMaterialKeys, color, NAN, 0, 0,
         "Also in place of the colour in a file; a material there that has a texture keeps the "
         "texture. Without it a material with a texture is white, and another one light grey"),
  NUMBER ("alpha", OrreryMaterialKeys, alpha, 0, 1, 1, "From 0, invisible, to 1, opaque"),
  NUMBER ("specular", OrreryMaterialKeys, specular, 0, 1, 0,
          "Share of the light that is reflected like a mirror"),
  NUMBER ("shininess", OrreryMaterialKeys, shininess, 0, 1, 0.5,
          "From 0, a wide highlight, to 1, a narrow one"),
  NUMBER ("emission", OrreryMaterialKeys, emission, 0, 1, 0,
          "Share of its colour that is visible without any light"),
  NODE ("texture", TEXT, OrreryMaterialKeys, texture,
        "A picture that the colour is multiplied with, PNG or JPEG. " FILE_DOC),
};
TABLE (material, "material", "a material",
       "A material that objects may be given, or another colour for one of an "
       "imported file or of a `visual`");

static const OrreryKey randomisation_keys[] = {
  NODE (
      "path", TEXT, OrreryRandomisationKeys, path,
      "What varies, as in `--set`: a property of a component or of a modifier, or `position` or "
      "`rotation` of an object; with an index, as `position[0]`, one member of a list; a quantity "
      "of a spawnable, as `box.mass`, for each that is spawned",
      REQUIRED),
  NODE ("distribution", TEXT, OrreryRandomisationKeys, distribution,
        "`uniform(LEAST,GREATEST)`, `normal(MEAN,DEVIATION)` or `choice([...])`", REQUIRED),
  WORD ("operation", OrreryRandomisationKeys, operation, orrery_operation_words, 0,
        "`set`: what is drawn replaces what the scene says elsewhere; `add`: it is added to that; "
        "`scale`: it multiplies that, all members of a list alike or each by its own"),
  NUMBER ("every", OrreryRandomisationKeys, every, 1e-6, 1e9, NAN,
          "s of simulated time after which it is drawn again, each time; at most once in a tick"),
  COUNT ("every_ticks", OrreryRandomisationKeys, every_ticks, 1, 1e9, NAN,
         "The same as a number of ticks"),
};
TABLE (randomisation, "randomisation", "a randomisation",
       "A value that depends on the seed, its path, the number of the episode and how often it "
       "was drawn in it alone");

static const OrreryKey config_keys[] = { CONFIG (OrreryConfigKeys, ) };
TABLE (config, "config", "a component_config",
       "The five tables in a file of their own, in JSON or as assignments of Python");

static const OrreryKey worker_keys[] = {
  NUMBER ("timeout", OrreryWorkerKeys, timeout, 0.001, 86400, 2,
          "s of the wall clock that a tick waits for an answer; then the worker counts as hung"),
  NUMBER ("start_timeout", OrreryWorkerKeys, start_timeout, 0.001, 86400, 30,
          "s for the setup of all of its components"),
  NUMBER ("back_off", OrreryWorkerKeys, back_off, 0.001, 86400, 0.1,
          "s before the first restart; doubled for each one in a row, up to 10"),
  NUMBER ("memory", OrreryWorkerKeys, memory, 16, 1e6, NAN,
          "MiB that it may have for itself; absent: no limit"),
  WORD ("on_failure", OrreryWorkerKeys, on_failure, policy_words, 0,
        "What its components do while it is down: keep their last values, take those of the start, "
        "or "
        "end the run"),
  COUNT ("restarts", OrreryWorkerKeys, restarts, 0, 1000000000, 5,
         "Restarts in a row; after that it stays down"),
};
TABLE (worker, "worker", "a worker", "A process that components and scripts run in");

/* --- the environment --- */

static const OrreryKey environment_keys[] = {
  NUMBER ("frequency", OrreryEnvironment, frequency, 1e-3, 1e5, NAN,
          "Hz: ticks per second of simulated time; absent: 60, or what `auto_tune` makes of it"),
  WORD ("time_strategy", OrreryEnvironment, fixed_step, strategy_words, 0,
        "`best_effort` drops ticks to keep up with the wall clock, `fixed_step` runs all of them"),
  COUNT ("logic_step_max", OrreryEnvironment, logic_step_max, 1, 100000, 20,
         "Most ticks in a row to catch up with the wall clock; the smaller of both keys counts"),
  COUNT ("physics_step_max", OrreryEnvironment, physics_step_max, 1, 100000, 20,
         "As `logic_step_max`"),
  NUMBER ("time_scale", OrreryEnvironment, time_scale, 1e-6, 1e6, 1,
          "Simulated seconds per second of the wall clock"),
  BOOL ("use_relative_time", OrreryEnvironment, relative_time, FALSE,
        "Simulated time starts at 0 instead of the wall clock's time"),
  BOOL ("auto_tune", OrreryEnvironment, auto_tune, TRUE,
        "Raise the frequency to that of the fastest component"),
  ROW ("seed", SEED, AT (OrreryEnvironment, seed, guint64), "Seed of all random numbers; absent: 0",
       .value = NONE),
  NUMBER ("start", OrreryEnvironment, start, -9e9, 9e9, NAN,
          "s at the start; absent: the wall clock's time, or 0 with `use_relative_time`"),
  VECTOR ("gravity", OrreryEnvironment, gravity, 0, 0, -9.81,
          "m/s2, in the world frame; absent: that of an imported file, or that of the Earth"),
  NODE ("physics", CLASSPATH, OrreryEnvironment, physics,
        "The physics engine; absent: the host's choice"),
  COUNT ("physics_substeps", OrreryEnvironment, substeps, 1, ORRERY_MAX_SUBSTEPS, 2,
         "Steps of physics per tick; absent: 2, or what the time step of an imported file makes of "
         "it"),
  NODE ("raycaster", CLASSPATH, OrreryEnvironment, raycaster,
        "The ray caster of lasers and so on; absent: Embree if it is built, else the exact "
        "one"),
  NODE ("renderer", CLASSPATH, OrreryEnvironment, renderer,
        "The renderer of cameras; absent: the host's choice"),
  NODE ("import", TEXT, OrreryEnvironment, import,
        "The environment of the objects: a name (`empty` is a plane; those of "
        "MORSE need its data), or a file of a format that an importer reads, such as "
        "`room.blend`"),
  BOOL ("import_components", OrreryEnvironment, import_components, TRUE,
        "Whether sensors and actuators in such a file become components"),
  NODE ("changes", LIST, OrreryEnvironment, changes,
        "Changes to objects of the environment that `import` names", .table = &orrery_change_keys),
  COUNT ("room", OrreryEnvironment, room, 0, ORRERY_MAX_ROOM, ORRERY_DEFAULT_ROOM,
         "Objects that may be added while the scene runs, those of a robot counted one by one"),
  PROPERTIES (OrreryEnvironment),
  WORD (
      "unknown_properties", OrreryEnvironment, warn_of_unknown, unknown_words, FALSE,
      "What a property is that the class of its component does not have: an error, or, as builder "
      "scripts of MORSE need it, a warning"),
  WORD ("component_order", OrreryEnvironment, component_order, order_words,
        ORRERY_COMPONENT_ORDER_SCENE,
        "How sensors, and then actuators, are ordered within a tick: as in the scene, or, as in "
        "MORSE, the one that was created last first"),
  WORD ("not_finite", OrreryEnvironment, not_finite_words, not_finite_words, FALSE,
        "What messages and answers in JSON have in place of a number that is not finite: null, or "
        "the words NaN, Infinity and -Infinity, which are no JSON, but MORSE's and Python's"),
  WORD ("script_order", OrreryEnvironment, script_order, rule_words, 0,
        "How scripts of a tree are ordered: by branches or by depth"),
  NODE ("add_ons", LIST, OrreryEnvironment, add_ons,
        "Scripts of the program, in the order in which they are added",
        .table = &orrery_add_on_keys),
  NODE ("sandbox", OBJECT, OrreryEnvironment, sandbox, "The program's last script",
        .table = &orrery_sandbox_keys),
};
TABLE (environment, "environment", "the environment", "What holds for the whole simulation");

static const OrreryKey environment_file_keys[] = {
  NODE ("objects", LIST, OrreryEnvironmentFileKeys, objects, NULL, .table = &orrery_object_keys),
  PROPERTIES (OrreryEnvironmentFileKeys),
};
TABLE (environment_file, "environment_file", "an environment",
       "The key `environment` of a file that `import` of a scene names");

static const OrreryKey change_keys[] = {
  NODE ("name", TEXT, OrreryChangeKeys, name,
        "The object's full name, or its own if no other bears it", REQUIRED),
  VECTOR ("position", OrreryChangeKeys, position, NAN, 0, 0, "m, in the parent's frame"),
  VECTOR ("rotation", OrreryChangeKeys, rotation, NAN, 0, 0, "rad: roll, pitch, yaw"),
  VECTOR ("move", OrreryChangeKeys, move, 0, 0, 0, "m, added to the position"),
  VECTOR ("turn", OrreryChangeKeys, turn, 0, 0, 0, "rad, added to the rotation"),
  VECTOR ("size", OrreryChangeKeys, size, NAN, 0, 0, "m, of an object that is one box"),
  VECTOR (
      "scale", OrreryChangeKeys, scale, NAN, 0, 0,
      "Along its axes, in place of the scale in its file; an object of a file without scales that "
      "is one box is that of a cube of 2 m"),
  NODE ("body", OBJECT, OrreryChangeKeys, body, NULL, .table = &orrery_body_keys),
  BOOL ("visible", OrreryChangeKeys, visible, NAN, "Whether sensors see it"),
  PROPERTIES (OrreryChangeKeys),
};
TABLE (change, "change", "a change",
       "Keys that are absent keep the values of the environment's file");

/* --- objects --- */

static const OrreryKey object_keys[] = {
  NODE ("name", NAME, OrreryObjectKeys, name, NULL, REQUIRED),
  NODE ("classpath", CLASSPATH, OrreryObjectKeys, classpath,
        "Of a robot, sensor or actuator; absent: a plain object"),
  VECTOR ("position", OrreryObjectKeys, position, 0, 0, 0,
          "m, in the parent's frame; added to the position that its class has"),
  VECTOR ("rotation", OrreryObjectKeys, rotation, 0, 0, 0,
          "rad: roll, pitch, yaw: Rz(yaw) Ry(pitch) Rx(roll)"),
  NUMBER ("frequency", OrreryObjectKeys, frequency, 1e-6, 1e6, NAN, "Hz; absent: that of the class",
          OF_COMPONENT),
  NODE ("level", TEXT, OrreryObjectKeys, level, "One of the levels of its class", OF_COMPONENT),
  NODE ("placement", PLACEMENT, OrreryObjectKeys, placement, PLACEMENT_DOC, OF_COMPONENT),
  WORD ("transport", OrreryObjectKeys, transport, transport_words, NAN,
        "How its record comes from its worker: copied (`queue`) or read in place (`latest`); "
        "absent: `queue`, or `latest` if it is free-running",
        .low = ORRERY_TRANSPORT_QUEUE, OF_COMPONENT),
  BOOL ("free_running", OrreryObjectKeys, free_running, FALSE,
        "Of a sensor in a worker: the tick does not wait for it; its transport is `latest`",
        OF_COMPONENT),
  PROPERTIES (OrreryObjectKeys),
  NODE ("import", OBJECT, OrreryObjectKeys, import, NULL, .table = &orrery_import_keys),
  NODE ("interfaces", LIST, OrreryObjectKeys, interfaces,
        "Streams and services of components in imported files at or below the object, beside those "
        "of the tables",
        .table = &orrery_interface_keys),
  NODE ("body", OBJECT, OrreryObjectKeys, body, NULL, .table = &orrery_body_keys),
  NODE ("shapes", LIST, OrreryObjectKeys, shapes, NULL, .table = &orrery_shape_keys),
  NODE ("visual", OBJECT, OrreryObjectKeys, visual, NULL, .table = &orrery_visual_keys),
  COLOR ("color", OrreryObjectKeys, color, NAN, 0, 0,
         "Colour of the shapes of the object and of the parts that its class or its file "
         "adds, except components; replaces all their materials and "
         "textures"),
  NODE ("material", TEXT, OrreryObjectKeys, material,
        "Name of one of the `materials` of the scene: what `OBJECT.material` is at the start, for "
        "the object and the parts that its class or its file adds, except components. It takes the "
        "place of `color`, and may change while the scene runs; absent or empty: each shape has "
        "its own"),
  NODE ("joint", OBJECT, OrreryObjectKeys, joint, NULL, .table = &orrery_joint_keys),
  NODE ("lamp", OBJECT, OrreryObjectKeys, lamp, NULL, .table = &orrery_lamp_keys),
  COUNT ("created", OrreryObjectKeys, created, 0, 1000000000, NAN,
         "When a builder script constructed it, counted from 0; absent: not by a script. For the "
         "`component_order` of MORSE",
         OF_COMPONENT),
  PRIORITY (OrreryObjectKeys, priority,
            "Place among its siblings, of components in a tick and of scripts by level"),
  NODE ("scripts", LIST, OrreryObjectKeys, scripts, "At most one of each type",
        .table = &orrery_script_keys, .high = 2),
  BOOL ("scripts_inactive", OrreryObjectKeys, scripts_inactive, FALSE,
        "No script at or below the object is called"),
  NODE ("objects", LIST, OrreryObjectKeys, objects, NULL, .table = &orrery_object_keys),
};
TABLE (object, "object", "an object",
       "A robot, sensor or actuator, with its parts. Siblings have different names");

static const OrreryKey spawnable_keys[] = {
  NODE ("object", OBJECT, OrrerySpawnableKeys, object,
        "What is spawned, by its name: a root of the tree, which is no link of a joint and has no "
        "scripts, nor has anything below it",
        REQUIRED, .table = &orrery_object_keys),
  COUNT ("count", OrrerySpawnableKeys, count, 1, ORRERY_MAX_SPAWNABLE, 1,
         "How many may be there at once; they are made with the scene, as roots named NAME_1, "
         "NAME_2 and so on, and wait outside of the world"),
};
TABLE (spawnable, "spawnable", "a spawnable",
       "An object that may be spawned, with all that is below it");

static const OrreryKey import_keys[] = {
  NODE ("file", TEXT, OrreryImportKeys, file, FILE_DOC, REQUIRED),
  NODE ("object", TEXT, OrreryImportKeys, object,
        "The object of that name, with its descendants; absent: everything"),
  NODE ("prefix", TEXT, OrreryImportKeys, prefix,
        "Objects whose names begin with this text, with their descendants"),
  BOOL ("components", OrreryImportKeys, components, TRUE,
        "Whether sensors and actuators in the file become components; one of the scene "
        "with the same name replaces it"),
  BOOL ("keep_pose", OrreryImportKeys, keep_pose, TRUE,
        "Whether the pose in the file is used; that of the scene is added to it"),
  BOOL ("keep_position", OrreryImportKeys, keep_position, TRUE, "Whether its position is used"),
  BOOL ("keep_rotation", OrreryImportKeys, keep_rotation, TRUE, "Whether its rotation is used"),
};
TABLE (import, "import", "an import",
       "What the object gets from a file: shapes, body, properties and parts of objects, in a "
       "format that an importer reads (`.blend` ...). The object becomes the first that is chosen; "
       "`body`, `shapes` and `properties` of the scene override it. Names that begin with `_` "
       "are left out");

static const OrreryKey interface_keys[] = {
  NODE ("streams", CLASSPATH, OrreryInterfaceKeys, streams,
        "The datastream manager; a component that is on one of its streams already gets no other"),
  NODE ("out", CLASSPATH, OrreryInterfaceKeys, out,
        "The codec of sensors; absent: only classes in `codecs` have a stream"),
  NODE ("in", CLASSPATH, OrreryInterfaceKeys, in, "The codec of actuators"),
  NODE ("codecs", DICT, OrreryInterfaceKeys, codecs,
        "Codecs of single classes, by the classpath of the component",
        .schema = "\"type\": \"object\", " TEXTS
                  "\"additionalProperties\": { \"$ref\": \"#/$defs/classpath\" }"),
  NODE ("services", CLASSPATH, OrreryInterfaceKeys, services, "The request manager"),
};
TABLE (interface, "interface", "an interface",
       "Streams, services, or both, of components that an imported file adds");

static const OrreryKey visual_keys[] = {
  NODE ("file", TEXT, OrreryVisualKeys, file, FILE_DOC, REQUIRED),
  NODE ("object", TEXT, OrreryVisualKeys, object,
        "Its full name in the file; its descendants are visible, too", REQUIRED),
  VECTOR ("position", OrreryVisualKeys, position, 0, 0, 0,
          "m, of that object, in the frame of this one"),
  VECTOR ("rotation", OrreryVisualKeys, rotation, 0, 0, 0, "rad: roll, pitch, yaw"),
};
TABLE (visual, "visual", "a visual",
       "What cameras see instead of the shapes of the object and its class's parts, which remain "
       "in use for physics and rays: an object of a file that may be "
       "missing. If a part of the class has the name of a part of that object, both move "
       "together. Read when the first camera of a scene is set up");

/* --- scripts --- */

#define CLASSPATH_OF_SCRIPT                                                                        \
  NODE ("classpath", CLASSPATH, OrreryScriptKeys, classpath, "Its class", REQUIRED)
#define ENABLED BOOL ("enabled", OrreryScriptKeys, settings.enabled, TRUE, "Whether it is called")
#define IN_HOST                                                                                    \
  NODE ("placement", PLACEMENT, OrreryScriptKeys, placement,                                       \
        "Scripts of the program outlive a scene and its workers", .schema = "\"const\": \"host\"")

static const OrreryKey script_keys[] = {
  WORD ("type", OrreryScriptKeys, type, type_words, NAN,
        "A child lives while the simulation runs, a customization as long as the scene is loaded",
        REQUIRED),
  CLASSPATH_OF_SCRIPT,
  PRIORITY (OrreryScriptKeys, settings.priority, "Among scripts of its type on siblings"),
  WORD ("traversal", OrreryScriptKeys, settings.traversal, traversal_words, 0,
        "Whether scripts below it come before it, after it, or as the nearest script of its type "
        "above "
        "says"),
  ENABLED,
  NODE ("placement", PLACEMENT, OrreryScriptKeys, placement, PLACEMENT_DOC),
  PROPERTIES (OrreryScriptKeys),
};
TABLE (script, "script", "a script", "A script of an object");

static const OrreryKey add_on_keys[] = {
  CLASSPATH_OF_SCRIPT,
  PRIORITY (OrreryScriptKeys, settings.priority, "Among add-ons"),
  ENABLED,
  IN_HOST,
  PROPERTIES (OrreryScriptKeys),
};
TABLE (add_on, "add_on", "an add-on", "A script of the program");

static const OrreryKey sandbox_keys[] = { CLASSPATH_OF_SCRIPT, ENABLED, IN_HOST,
                                          PROPERTIES (OrreryScriptKeys) };
TABLE (sandbox, "sandbox", "the sandbox", "The script of the program that is called last");

/* --- body and joint --- */

static const OrreryKey body_keys[] = {
  WORD ("type", OrreryBody, type, body_words, ORRERY_BODY_NONE, "How it moves"),
  NUMBER ("mass", OrreryBody, mass, 1e-9, 1e12, 1, "kg"),
  NUMBER (
      "margin", OrreryBody, margin, ORRERY_NO_MARGIN, 100, ORRERY_NO_MARGIN,
      "m, around its shapes; -1: none, and it rests on surfaces whatever margin the ground has"),
  NUMBER ("friction", OrreryBody, friction, 0, 1e6, 0.5, "Two bodies combine by product"),
  NUMBER ("restitution", OrreryBody, restitution, 0, 1, 0, "Share of the speed after a bounce"),
  PAIR ("damping", OrreryBody, linear_damping, 0, 1, 0.04, 0.1,
        "Share of the velocity lost in a second: linear, angular"),
  ROW ("lock_position", LOCKS, AT (OrreryBody, linear_factor, OrreryVec3),
       "Axes of the world along which it does not move", .value = { 1, 1, 1 }),
  ROW ("lock_rotation", LOCKS, AT (OrreryBody, angular_factor, OrreryVec3),
       "Axes of the world about which it does not turn", .value = { 1, 1, 1 }),
  BOOL ("gravity", OrreryBody, gravity, TRUE, "Whether gravity acts on it"),
};
TABLE (body, "body", "a body",
       "What physics knows of the object besides its shapes; what is absent is as the class says");

static const OrreryKey joint_keys[] = {
  WORD ("kind", OrreryJoint, kind, joint_words, NAN, NULL, REQUIRED),
  VECTOR ("axis", OrreryJoint, axis, 0, 0, 1, "In the object's axes; of any length above 0"),
  VECTOR ("anchor", OrreryJoint, anchor, 0, 0, 0,
          "m, in the object's frame: the point about which it turns"),
  PAIR ("limits", OrreryJoint, lower, -INFINITY, INFINITY, NAN, NAN,
        "Lower and upper; absent: none"),
  NUMBER ("reference", OrreryJoint, reference, -1e8, 1e8, 0,
          "Position at which the object has the pose of the scene"),
  NUMBER ("position", OrreryJoint, initial, -1e8, 1e8, NAN,
          "At the start of a run; absent: the reference"),
  NUMBER ("max_speed", OrreryJoint, max_speed, 0, 1e8, 0, "Of its motor; 0: no limit"),
  NUMBER ("max_effort", OrreryJoint, max_effort, 0, 1e8, 0, "Of its motor; 0: no limit"),
  NUMBER ("damping", OrreryJoint, damping, 0, 1e8, 0, "N m s or N s/m"),
  NUMBER ("friction", OrreryJoint, friction, 0, 1e8, 0, "Dry"),
  NUMBER ("armature", OrreryJoint, armature, 0, 1e8, 0,
          "kg m2 or kg that turn with it behind its gear"),
  NUMBER ("stiffness", OrreryJoint, stiffness, 0, 1e8, 0, "Of a spring"),
  NUMBER ("rest", OrreryJoint, rest, -1e8, 1e8, 0, "Position at which the spring is slack"),
  PAIR ("gains", OrreryJoint, position_gain, 0, INFINITY, 0, 0,
        "Of its motor: of the position, of the velocity; 0: as the engine chooses"),
};
TABLE (joint, "joint", "a joint",
       "How the object moves against its parent, a root against the world. Of a hinge in rad, "
       "rad/s, N m; of a slide in m, m/s, N");

/* --- what is seen --- */

static const OrreryKey shape_keys[] = {
  WORD ("kind", OrreryShapeKeys, kind, shape_words, NAN, NULL, REQUIRED),
  VECTOR ("size", OrreryShapeKeys, size, NAN, 0, 0, "Of a box: full extents"),
  NUMBER ("radius", OrreryShapeKeys, radius, 1e-6, 1e6, NAN, "Of a round shape"),
  NUMBER ("height", OrreryShapeKeys, height, 0, 1e6, NAN,
          "Full height; of a capsule without its caps"),
  NODE ("points", ROWS, OrreryShapeKeys, points, "Of a hull or mesh"),
  NODE ("triangles", ROWS, OrreryShapeKeys, triangles,
        "Of a mesh: indices of points, counter-clockwise from outside"),
  VECTOR ("position", OrreryShapeKeys, position, 0, 0, 0, "In the object's frame"),
  VECTOR ("rotation", OrreryShapeKeys, rotation, 0, 0, 0, "rad: roll, pitch, yaw"),
  BOOL ("solid", OrreryShapeKeys, solid, TRUE, "Whether bodies collide with it"),
  COLOR ("color", OrreryShapeKeys, color, 0.8, 0.8, 0.8, "The default is light grey"),
  NUMBER ("alpha", OrreryShapeKeys, alpha, 0, 1, 1, "From 0, invisible, to 1, opaque"),
  NUMBER ("specular", OrreryShapeKeys, specular, 0, 1, 0,
          "Share of the light that is reflected like a mirror"),
  NUMBER ("shininess", OrreryShapeKeys, shininess, 0, 1, 0.5,
          "From 0, a wide highlight, to 1, a narrow one"),
  NUMBER ("emission", OrreryShapeKeys, emission, 0, 1, 0,
          "Share of its colour that is visible without any light"),
  BOOL ("visible", OrreryShapeKeys, visible, TRUE,
        "Whether cameras see it: visible shapes may differ from solid ones"),
};
TABLE (shape, "shape", "a shape",
       "A piece of geometry in the object's frame; lengths in m, about z where it is round");

static const OrreryKey lamp_keys[] = {
  WORD ("kind", OrreryLamp, kind, lamp_words, ORRERY_LAMP_POINT,
        "In all directions, in a cone, or the same everywhere"),
  COLOR ("color", OrreryLamp, color, 1, 1, 1, NULL),
  NUMBER ("energy", OrreryLamp, energy, 0, 1000, 1,
          "Brightness; with 1, a near white wall that faces it looks white"),
  NUMBER ("distance", OrreryLamp, distance, 1e-3, 1e6, 25,
          "D, m: at d m the share D / (D + d2) of the light is left; not of a sun"),
  VECTOR ("direction", OrreryLamp, direction, 0, 0, -1, "Of a spot or sun, in the object's frame"),
  NUMBER ("angle", OrreryLamp, angle, 1e-3, G_PI, G_PI_4, "Of a spot: full angle of its cone, rad"),
  NUMBER ("blend", OrreryLamp, blend, 0, 1, 0.15, "Of a spot: how soft the edge of its cone is"),
  BOOL ("shadows", OrreryLamp, shadows, FALSE, "Whether it casts shadows, which costs time"),
  BOOL ("on", OrreryLamp, on, TRUE, "Whether it shines at the start"),
};
TABLE (lamp, "lamp", "a lamp",
       "A light at the object; a scene without lamps is lit from its cameras");

const OrreryKeyTable *const orrery_scene_tables[] = {
  &orrery_scene_keys,     &orrery_environment_keys,   &orrery_object_keys,
  &orrery_body_keys,      &orrery_shape_keys,         &orrery_joint_keys,
  &orrery_visual_keys,    &orrery_lamp_keys,          &orrery_material_keys,
  &orrery_import_keys,    &orrery_interface_keys,     &orrery_script_keys,
  &orrery_add_on_keys,    &orrery_sandbox_keys,       &orrery_worker_keys,
  &orrery_change_keys,    &orrery_config_keys,        &orrery_environment_file_keys,
  &orrery_spawnable_keys, &orrery_randomisation_keys,
};
const guint orrery_n_scene_tables = G_N_ELEMENTS (orrery_scene_tables);
