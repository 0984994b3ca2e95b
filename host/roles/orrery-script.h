/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/**
 * OrreryScriptType:
 * @ORRERY_SCRIPT_CHILD: belongs to an object; lives while the simulation runs
 * @ORRERY_SCRIPT_CUSTOMIZATION: belongs to an object; lives as long as its scene is loaded
 * @ORRERY_SCRIPT_ADD_ON: belongs to the program; lives across scenes
 * @ORRERY_SCRIPT_SANDBOX: belongs to the program, which has one; lives across scenes
 *
 * What a script belongs to, in the order in which the types are called: the longer a script lives,
 * the later.
 */
typedef enum {
  ORRERY_SCRIPT_CHILD,
  ORRERY_SCRIPT_CUSTOMIZATION,
  ORRERY_SCRIPT_ADD_ON,
  ORRERY_SCRIPT_SANDBOX,
} OrreryScriptType;

/**
 * OrreryPriority:
 * @ORRERY_PRIORITY_FIRST: before its siblings
 * @ORRERY_PRIORITY_NORMAL: in the order of the scene
 * @ORRERY_PRIORITY_LAST: after its siblings
 *
 * Place among siblings, of a script or of an object.
 */
typedef enum {
  ORRERY_PRIORITY_FIRST = -1,
  ORRERY_PRIORITY_NORMAL = 0,
  ORRERY_PRIORITY_LAST = 1,
} OrreryPriority;

/**
 * OrreryTraversal:
 * @ORRERY_TRAVERSAL_REVERSE: scripts of descendants before the object's own
 * @ORRERY_TRAVERSAL_FORWARD: the object's own script before those of its descendants
 * @ORRERY_TRAVERSAL_PARENT: as the nearest ancestor that has a script of the same type and does not
 *   itself say parent
 *
 * Place among the scripts of one branch of the tree.
 */
typedef enum {
  ORRERY_TRAVERSAL_REVERSE,
  ORRERY_TRAVERSAL_FORWARD,
  ORRERY_TRAVERSAL_PARENT,
} OrreryTraversal;

/**
 * orrery_script_type_get_name:
 * @type: a type
 *
 * The name by which scenes and messages call a type of scripts: `child`, `customization`, `add-on`
 * or `sandbox`.
 *
 * Returns: its name, static; `unknown` for a number that is no type
 */
ORRERY_API const char *orrery_script_type_get_name (OrreryScriptType type);

/**
 * OrreryScript:
 *
 * Code of a user that is called at defined moments, in a defined order. What it does not implement
 * is not called. Each callback sees the world by the tick's snapshot and changes it by the tick's
 * commands; outside of a tick, those are the ones of the tick before, and commands take effect in
 * the next. A callback that sets its error disables its script, with a warning; the run continues.
 */
#define ORRERY_TYPE_SCRIPT (orrery_script_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryScript, orrery_script, ORRERY, SCRIPT, OrreryPart)

/**
 * OrreryScriptClass:
 * @init: before any other callback of the script
 * @before_simulation: a simulation starts; not of child scripts
 * @after_simulation: a simulation has ended; not of child scripts
 * @sensing: every tick, after the sensors
 * @actuation: every tick, after all `sensing`, before the actuators
 * @non_simulation: on every idle turn while the simulation is stopped; not of child scripts
 * @suspend: once, when the simulation is paused
 * @suspended: on every idle turn while it is paused
 * @resume: once, when it goes on
 * @thread: work that goes on over many ticks, one step of it per tick, right before the script's
 *   own `actuation`; %FALSE: it is over. It begins anew after each `init`
 * @dyn: before and after each substep of physics, as orrery_tick_is_after_substep() says; child and
 *   customization scripts. Forces that it stages act in the coming substep alone, after the last
 *   one in the first of the next tick; everything else waits for the next tick
 * @contact: two bodies touch that did not in the tick before: orrery_tick_get_contact_pair(). After
 *   the sensors, before `sensing`; child and customization scripts, in reverse order, until one
 *   returns %TRUE
 * @joint: a driven joint asks what to do: orrery_tick_get_joint(). Child scripts from the joint
 *   upward through its ancestors, then customization scripts, add-ons and the sandbox, until one
 *   returns %TRUE
 * @before_instance_switch: another scene takes the place of this one; not of child scripts
 * @after_instance_switch: another scene has taken its place; not of child scripts
 * @cleanup: the last callback of the script
 */
struct _OrreryScriptClass {
  OrreryPartClass parent_class;

  void (*init) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*before_simulation) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*after_simulation) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*sensing) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*actuation) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*non_simulation) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*suspend) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*suspended) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*resume) (OrreryScript *self, OrreryTick *tick, GError **error);
  gboolean (*thread) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*dyn) (OrreryScript *self, OrreryTick *tick, GError **error);
  gboolean (*contact) (OrreryScript *self, OrreryTick *tick, GError **error);
  gboolean (*joint) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*before_instance_switch) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*after_instance_switch) (OrreryScript *self, OrreryTick *tick, GError **error);
  void (*cleanup) (OrreryScript *self, OrreryTick *tick, GError **error);

  /*< private >*/
  gpointer _reserved[8];
};

/**
 * orrery_script_get_script_type:
 *
 * Which of the types of scripts it was made as; one class can be any of them. Known from the setup
 * on.
 *
 * Returns: what it belongs to
 */
ORRERY_API OrreryScriptType orrery_script_get_script_type (OrreryScript *script);
/**
 * orrery_script_get_object:
 *
 * The object that the scene attaches the script to. Known from the setup on.
 *
 * Returns: (transfer none) (nullable): the scene object that it belongs to; %NULL: an add-on or the
 *   sandbox
 */
ORRERY_API OrreryObject *orrery_script_get_object (OrreryScript *script);
/**
 * orrery_script_request_cleanup:
 * @script: a script, in one of its callbacks
 *
 * Requests its end: after the callbacks of the current kind its `cleanup` is called, and then no
 * other callback.
 */
ORRERY_API void orrery_script_request_cleanup (OrreryScript *script);
/**
 * orrery_script_request_restart:
 * @script: a script, in one of its callbacks
 *
 * Requests a restart: after the callbacks of the current kind its `cleanup` is called, and then
 * `init` of a new script in its place, with the properties of the scene and without other state.
 */
ORRERY_API void orrery_script_request_restart (OrreryScript *script);

G_END_DECLS
