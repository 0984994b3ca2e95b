/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "scene/orrery-property-path-private.h"
#include "scene/orrery-scene-private.h"

/*
 * Settings: `PATH=VALUE` texts of whoever starts a run, which take the place of what the scene
 * says. PATH is `PART.PROPERTY`, `seed` or `simulation.KEY`; VALUE is JSON.
 */
typedef struct {
  char *part;        /* full name; "simulation" for what the run as a whole has */
  char *property;    /* without dots */
  OrreryNode *value; /* stands at `--set PATH` in messages */
  gboolean is_used;  /* a part, an object or the simulation took it */
  gboolean is_pose;  /* an object of the scene took it, in place of its key */
} OrrerySetting;

/* No run has more. */
#define ORRERY_MAX_SETTINGS 10000

/* Splits PART.PROPERTY at its last dot; `seed` and quantities of the world, such as `gravity`, are
 * of the simulation. Both: (out) (transfer full). FALSE: it is no path */
gboolean orrery_setting_split (const char *path, char **part, char **property);
/* Reads one text; FALSE: with ORRERY_ERROR_INVALID. */
gboolean orrery_setting_parse (OrrerySetting *setting, const char *text, GError **error);
void orrery_setting_clear (gpointer setting);

/* Adds the texts to the scene; of several of one path the last counts. Before it is built.
 * @texts: (nullable) */
gboolean orrery_scene_add_settings (OrreryScene *scene, const char *const *texts, GError **error);
/* What is set for the simulation, in place of keys of the environment. */
void orrery_scene_set_environment (OrreryScene *scene);
/* What is set for an object in place of its keys `position` and `rotation`, to which its class adds
 * its own. */
void orrery_scene_settle_pose (OrreryScene *scene, OrreryObject *object, OrreryObjectKeys *keys);
/* What else is set for objects: pose, size, body and values that they have. */
void orrery_scene_set_objects (OrreryScene *scene);
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
/* Whether components have a key of that name, as `frequency`. */
gboolean orrery_scene_is_key_of_member (const OrrerySetting *setting);
/* Whether objects have a key of that name, as `position`. */
gboolean orrery_scene_is_key_of_object (const OrrerySetting *setting);
/* Whether a value is that of a setting. */
gboolean orrery_scene_is_setting (OrreryScene *scene, OrreryNode *value);
