/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-script.h"

/*
 * In which order the parts of a tick are called: of scripts by type, tree and settings; of
 * components by the tree and by what reads what. Plain arrays in, plain lists out; none of it
 * recurses, a tree may be as deep as it likes.
 */

#define ORRERY_ORDER_N_TREE_TYPES 2 /* child, customization: scripts of the tree's objects */

typedef enum {
  ORRERY_ORDER_TREE,  /* by branches: CoppeliaSim up to 4.6 */
  ORRERY_ORDER_LEVEL, /* by depth: CoppeliaSim since 4.7 */
} OrreryOrderRule;

typedef struct {
  gboolean is_there;
  gboolean enabled;
  OrreryPriority priority;
  OrreryTraversal traversal;
} OrreryScriptSettings;

typedef struct {
  int parent;              /* index of an earlier object; -1: a root */
  OrreryPriority priority; /* of the object itself */
  gboolean inactive;       /* no script at or below it is called */
  OrreryScriptSettings scripts[ORRERY_ORDER_N_TREE_TYPES];
} OrreryOrderObject;

typedef struct {
  OrreryOrderRule rule;
  const OrreryOrderObject *objects; /* siblings in the order of the scene */
  guint n_objects;
  const OrreryScriptSettings *add_ons; /* in the order in which they were added */
  guint n_add_ons;
  OrreryScriptSettings sandbox;
} OrreryOrderInput;

/* One script: its type, and the index of its object, of the add-on, or 0 for the sandbox. */
typedef struct {
  OrreryScriptType type;
  guint index;
} OrreryOrderEntry;

/* What reads a record, and whose. */
typedef struct {
  guint reader;
  guint source;
} OrreryOrderSource;

/*
 * The scripts that are called, in calling order, all types one behind the other. Callbacks that are
 * declared as reverse go through it from its end.
 * Returns: (element-type OrreryOrderEntry)
 */
GArray *orrery_order_scripts (const OrreryOrderInput *input);

/* All objects, parents before children, siblings by their own priority.
 * Returns: (element-type guint): indices */
GArray *orrery_order_objects (const OrreryOrderObject *objects, guint n);

/*
 * 0 to n - 1 in this order, but readers after all that they read: a reader that comes too early
 * waits until the last of its sources was placed; nothing else moves. NULL: they read each other
 * in a ring, which is put into cycle, each reader before its source.
 * Returns: (element-type guint) (nullable)
 */
GArray *orrery_order_sources (guint n, const OrreryOrderSource *sources, guint n_sources,
                              GArray **cycle);
