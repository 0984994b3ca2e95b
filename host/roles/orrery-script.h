/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-part.h"

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

G_END_DECLS
