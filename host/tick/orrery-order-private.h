/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-script.h"

/*
 * The order in which a tick calls its parts: scripts by type, tree and settings, components by the
 * tree and by which records they read. The functions take plain arrays and return plain lists; none
 * of them is recursive, so a tree may have any depth.
 */

#define ORRERY_ORDER_N_TREE_TYPES 2 /* child and customization: scripts of objects of the tree */

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
  OrreryPriority priority; /* the priority of the object itself */
  gboolean inactive;       /* no script of this object or below it is called */
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

/* A component that reads a record, and the component that the record belongs to. */
typedef struct {
  guint reader;
  guint source;
} OrreryOrderSource;

/*
 * The scripts that are called, in calling order, all types one after the other. Callbacks that are
 * declared as reverse traverse the list from its end.
 * Returns: (element-type OrreryOrderEntry)
 */
GArray *orrery_order_scripts (const OrreryOrderInput *input);

/* All objects: parents before children, siblings by their own priority.
 * Returns: (element-type guint): indices */
GArray *orrery_order_objects (const OrreryOrderObject *objects, guint n);

/*
 * The numbers 0 to n - 1 in this order, except that a reader comes after everything that it reads:
 * a reader that would come too early is moved behind the last of its sources; nothing else moves.
 * Returns NULL if readers form a cycle, which is stored in @cycle, each reader before its source.
 * Returns: (element-type guint) (nullable)
 */
GArray *orrery_order_sources (guint n, const OrreryOrderSource *sources, guint n_sources,
                              GArray **cycle);
