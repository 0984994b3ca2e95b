/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-version.h"
#include "roles/orrery-actuator.h"
#include "roles/orrery-datastream-manager.h"
#include "roles/orrery-importer.h"
#include "roles/orrery-modifier.h"
#include "roles/orrery-observer.h"
#include "roles/orrery-overlay.h"
#include "roles/orrery-physics.h"
#include "roles/orrery-raycaster.h"
#include "roles/orrery-renderer.h"
#include "roles/orrery-request-manager.h"
#include "roles/orrery-robot.h"
#include "roles/orrery-script.h"
#include "roles/orrery-sensor.h"

G_BEGIN_DECLS

/**
 * OrreryRole:
 * @ORRERY_ROLE_NONE: none of those below
 * @ORRERY_ROLE_SENSOR: an #OrrerySensor
 * @ORRERY_ROLE_ACTUATOR: an #OrreryActuator
 * @ORRERY_ROLE_ROBOT: an #OrreryRobot
 * @ORRERY_ROLE_MODIFIER: an #OrreryModifier, which changes records
 * @ORRERY_ROLE_DATASTREAM: an #OrreryDatastream, a codec
 * @ORRERY_ROLE_DATASTREAM_MANAGER: an #OrreryDatastreamManager, a transport of messages
 * @ORRERY_ROLE_REQUEST_MANAGER: an #OrreryRequestManager, a transport of calls
 * @ORRERY_ROLE_OVERLAY: an #OrreryOverlay, which stands in for a component
 * @ORRERY_ROLE_PHYSICS: an #OrreryPhysics engine
 * @ORRERY_ROLE_SCRIPT: an #OrreryScript
 * @ORRERY_ROLE_IMPORTER: an #OrreryImporter of files
 * @ORRERY_ROLE_RAYCASTER: an #OrreryRaycaster
 * @ORRERY_ROLE_RENDERER: an #OrreryRenderer
 * @ORRERY_ROLE_OBSERVER: an #OrreryObserver of runs
 *
 * What a class of a plugin can be.
 */
typedef enum {
  ORRERY_ROLE_NONE,
  ORRERY_ROLE_SENSOR,
  ORRERY_ROLE_ACTUATOR,
  ORRERY_ROLE_ROBOT,
  ORRERY_ROLE_MODIFIER,
  ORRERY_ROLE_DATASTREAM,
  ORRERY_ROLE_DATASTREAM_MANAGER,
  ORRERY_ROLE_REQUEST_MANAGER,
  ORRERY_ROLE_OVERLAY,
  ORRERY_ROLE_PHYSICS,
  ORRERY_ROLE_SCRIPT,
  ORRERY_ROLE_IMPORTER,
  ORRERY_ROLE_RAYCASTER,
  ORRERY_ROLE_RENDERER,
  ORRERY_ROLE_OBSERVER,
} OrreryRole;

/**
 * OrreryLevel: (skip)
 * @name: name of the level
 * @class_name: class of the same module that realises it; %NULL: the class itself
 * @by_default: whether it is taken where none is named
 *
 * One of the levels of abstraction at which a class can be simulated, and what realises it. At most
 * one level of a class is the default; where none is, the first one is taken.
 */
typedef struct {
  const char *name;
  const char *class_name;
  gboolean by_default;
} OrreryLevel;

/**
 * OrreryAlias: (skip)
 * @name: what a builder script says: a modifier's alias (`Noise`), or for a datastream the stream
 * (`socket`)
 * @component: classpath of the component that it fits, with its levels and derived classes
 * @level: (nullable): only this level of it
 *
 * A short name for a modifier or a codec that fits one kind of component, by which builder scripts
 * find its class.
 */
typedef struct {
  const char *name;
  const char *component;
  const char *level;
} OrreryAlias;

/**
 * ORRERY_DEFAULT_FREQUENCY:
 *
 * The default frequency of sensors, actuators and simulations, Hz.
 */
#define ORRERY_DEFAULT_FREQUENCY 60.0

/**
 * OrreryClassDesc: (skip)
 * @name: last part of the classpath
 * @type_name: name of the GType
 * @role: what it is
 * @get_type: its get-type function; not called before the descriptor is judged
 * @frequency: Hz; 0: %ORRERY_DEFAULT_FREQUENCY for sensors and actuators, every tick for robots
 * @levels: (nullable): ended by an entry without a name
 * @aliases: (nullable): ended by an entry without a name
 * @stream: (nullable): of a manager: the name by which streams or services are asked for
 * @publisher: (nullable): of a datastream manager: classpath of the codec that sends any record
 * @reader: (nullable): of a datastream manager: classpath of the codec that reads any record
 * @thread_safe: of a sensor: several instances may `sense` at once on different threads; of a
 * modifier: several may modify at once. They read the tick, their part and records that are theirs
 * or were declared as sources, write only their part and record, and stage no command
 * @direction: (nullable): of a datastream that goes one way only: OUT (it encodes) or IN (it
 * decodes)
 * @encoding: (nullable): of a datastream manager: how typed messages are encoded on it: ros1, cdr,
 * json or cbor
 *
 * What a plugin says of one of its classes; ORRERY_CLASS() makes one. The host judges all of it
 * before it calls a function of the plugin, and keeps pointers into it for good.
 */
typedef struct {
  const char *name;
  const char *type_name;
  OrreryRole role;
  GType (*get_type) (void);
  double frequency;
  const OrreryLevel *levels;
  const OrreryAlias *aliases;
  const char *stream;
  const char *publisher;
  const char *reader;
  gboolean thread_safe;
  const char *direction;
  const char *encoding;
} OrreryClassDesc;

/**
 * OrreryPluginDesc: (skip)
 * @size: size of this struct, as compiled
 * @class_size: size of OrreryClassDesc, as compiled
 * @abi_major: ABI that it was compiled for
 * @abi_minor: what it needs of that ABI
 * @summary: one line
 * @licence: SPDX expression
 * @classes: ended by an entry without a name
 *
 * The one symbol that a plugin exports.
 */
typedef struct {
  guint32 size;
  guint32 class_size;
  guint16 abi_major;
  guint16 abi_minor;
  const char *summary;
  const char *licence;
  const OrreryClassDesc *classes;
} OrreryPluginDesc;

/**
 * ORRERY_LEVELS: (skip)
 * @...: one #OrreryLevel or more, with commas between
 *
 * A table of levels for `.levels` of ORRERY_CLASS(), with its end. At file scope.
 */
#define ORRERY_LEVELS(...)                                                                         \
  (const OrreryLevel[])                                                                            \
  {                                                                                                \
    __VA_ARGS__,                                                                                   \
    {                                                                                              \
      NULL                                                                                         \
    }                                                                                              \
  }
/**
 * ORRERY_ALIASES: (skip)
 * @...: one #OrreryAlias or more, with commas between
 *
 * A table of aliases for `.aliases` of ORRERY_CLASS(), with its end. At file scope.
 */
#define ORRERY_ALIASES(...)                                                                        \
  (const OrreryAlias[])                                                                            \
  {                                                                                                \
    __VA_ARGS__,                                                                                   \
    {                                                                                              \
      NULL                                                                                         \
    }                                                                                              \
  }

#ifndef __GI_SCANNER__
#ifndef __cplusplus
/* The role follows from the type that the class derives from; a class that derives from another
 * class of its module says `.role =` itself. */
#define ORRERY_ROLE_OF(Type)                                                                       \
  _Generic(((Type *) 0)->parent_instance, OrrerySensor                                             \
           : ORRERY_ROLE_SENSOR, OrreryActuator                                                    \
           : ORRERY_ROLE_ACTUATOR, OrreryRobot                                                     \
           : ORRERY_ROLE_ROBOT, OrreryModifier                                                     \
           : ORRERY_ROLE_MODIFIER, OrreryDatastream                                                \
           : ORRERY_ROLE_DATASTREAM, OrreryDatastreamManager                                       \
           : ORRERY_ROLE_DATASTREAM_MANAGER, OrreryRequestManager                                  \
           : ORRERY_ROLE_REQUEST_MANAGER, OrreryOverlay                                            \
           : ORRERY_ROLE_OVERLAY, OrreryPhysics                                                    \
           : ORRERY_ROLE_PHYSICS, OrreryScript                                                     \
           : ORRERY_ROLE_SCRIPT, OrreryImporter                                                    \
           : ORRERY_ROLE_IMPORTER, OrreryRaycaster                                                 \
           : ORRERY_ROLE_RAYCASTER, OrreryRenderer                                                 \
           : ORRERY_ROLE_RENDERER, OrreryObserver                                                  \
           : ORRERY_ROLE_OBSERVER, default                                                         \
           : ORRERY_ROLE_NONE)

/**
 * ORRERY_CLASS: (skip)
 *
 * One class of a plugin: ORRERY_CLASS (Pose, OrreryPoseSensor, orrery_pose_sensor, .frequency =
 * 30).
 */
#define ORRERY_CLASS(Name, Type, prefix, ...)                                                      \
  {                                                                                                \
    .name = #Name, .type_name = #Type, .get_type = prefix##_get_type,                              \
    .role = ORRERY_ROLE_OF (Type), ##__VA_ARGS__                                                   \
  }

/**
 * ORRERY_PLUGIN: (skip)
 *
 * The descriptor of a plugin: one line of summary, licence, classes.
 */
#define ORRERY_PLUGIN(Summary, Licence, ...)                                                       \
  ORRERY_API extern const OrreryPluginDesc orrery_plugin_desc;                                     \
  _Pragma ("GCC diagnostic push") _Pragma ("GCC diagnostic ignored \"-Woverride-init\"")           \
      const OrreryPluginDesc orrery_plugin_desc = {                                                \
        sizeof (OrreryPluginDesc),                                                                 \
        sizeof (OrreryClassDesc),                                                                  \
        ORRERY_ABI_MAJOR,                                                                          \
        ORRERY_ABI_MINOR,                                                                          \
        Summary,                                                                                   \
        Licence,                                                                                   \
        (const OrreryClassDesc[]){ __VA_ARGS__, { NULL } },                                        \
      };                                                                                           \
  _Pragma ("GCC diagnostic pop")
#endif
#endif

/**
 * orrery_role_get_name:
 * @role: a role
 *
 * The name by which messages and descriptions call a role: in small letters with underscores,
 * `datastream_manager`.
 *
 * Returns: its name, static; `unknown` for a number that is no role
 */
ORRERY_API const char *orrery_role_get_name (OrreryRole role);

G_END_DECLS
