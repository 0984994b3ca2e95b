/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "scene/orrery-property-path-private.h"
#include "scene/orrery-scene-private.h"

/*
 * Settings: `PATH=VALUE` texts of whoever starts a run, which take the place of what the scene
 * says. PATH is `PART.PROPERTY`, `seed` or `simulation.KEY`, or one member of one that is a list;
 * VALUE is JSON.
 */
typedef struct {
  OrreryPropertyPath path; /* its owner is "simulation" for what the run as a whole has */
  OrreryNode *value;       /* stands at `--set PATH` in messages */
  gboolean is_used;        /* a part, an object or the simulation took it */
  gboolean is_pose;        /* an object of the scene took it, in place of its key */
  gboolean is_refused;     /* it is wrong, which was told */
} OrrerySetting;

/* No run has more. */
#define ORRERY_MAX_SETTINGS 10000

/* Reads one text; FALSE: with ORRERY_ERROR_INVALID. */
gboolean orrery_setting_parse (OrrerySetting *setting, const char *text, GError **error);
void orrery_setting_clear (gpointer setting);

/* Adds the texts to the scene, in their order: a value replaces those of the same path and of its
 * members, a member changes the list that was set before. Before the scene is built.
 * @texts: (nullable) */
gboolean orrery_scene_add_settings (OrreryScene *scene, const char *const *texts, GError **error);
/* What is set for the simulation, in place of keys of the environment. */
void orrery_scene_set_environment (OrreryScene *scene);
/* Members of the gravity that an imported file brings. */
void orrery_scene_settle_gravity (OrreryScene *scene, OrreryVec3 *gravity);
/* Whether a key of the environment is set as a whole. */
gboolean orrery_scene_sets_key (OrreryScene *scene, const char *key);
/* What is set for an object in place of its keys `position` and `rotation`, to which its class adds
 * its own. */
void orrery_scene_settle_pose (OrreryScene *scene, OrreryObject *object, OrreryObjectKeys *keys);
/* What else is set for objects: pose, size, body and values that they have. */
void orrery_scene_set_objects (OrreryScene *scene, guint first);
/* Returns: (transfer none) (nullable): @options, or a copy in which the settings of that part are
 */
OrreryNode *orrery_scene_settle (OrreryScene *scene, const char *part, OrreryNode *options);
/* The same for a component that is about to be placed: its keys and its node.
 * Returns: (transfer none): the node, or a copy */
OrreryNode *orrery_scene_settle_member (OrreryScene *scene, OrreryNode *node, OrreryObject *object,
                                        OrreryObjectKeys *keys);
/* The class that is set for an object in place of its own. */
void orrery_scene_settle_class (OrreryScene *scene, OrreryObject *object, OrreryObjectKeys *keys);
/* The same for the dictionary of a script. */
OrreryNode *orrery_scene_settle_node (OrreryScene *scene, const char *part, OrreryNode *node);
/* Members of lists that are set for a part and that its options do not have: the class has the
 * list. @options: (nullable): as orrery_scene_settle() has returned them; @i: (inout): where to go
 * on, at first 0. Returns: (nullable): the next one */
const OrrerySetting *orrery_scene_next_member (OrreryScene *scene, const char *part,
                                               OrreryNode *options, guint *i);
/* Whether components have a key of that name, as `frequency`. */
gboolean orrery_scene_is_key_of_member (const OrrerySetting *setting);
/* Whether objects have a key of that name, as `position`. */
gboolean orrery_scene_is_key_of_object (const OrrerySetting *setting);
/* Whether a value is that of a setting. */
gboolean orrery_scene_is_setting (OrreryScene *scene, OrreryNode *value);
