/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `log_levels` of a scene: how much parts log, by names of parts and classes. */
#include "scene/orrery-scene-private.h"

#include "registry/orrery-loader.h"

/* Parts in another language may have their own logging. */
static void
tell_loader (const char *name, int level)
{
  OrreryLoader *loader = orrery_loader_get_default ();

  if (loader != NULL && ORRERY_LOADER_GET_CLASS (loader)->set_log_level != NULL)
    ORRERY_LOADER_GET_CLASS (loader)->set_log_level (loader, name, level);
}

OrreryLogLevels *
orrery_scene_create_log_levels (void)
{
  return orrery_log_levels_new (tell_loader);
}

void
orrery_scene_read_log_levels (OrreryScene *scene)
{
  OrreryNode *table = scene->keys.log_levels;

  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    const char *name = orrery_node_get_key (table, i);
    OrreryNode *word = orrery_keys_expect (scene->problems, orrery_node_get_item (table, i), name,
                                           ORRERY_NODE_TEXT);
    GError *error = NULL;
    int level = word != NULL ? orrery_log_level_parse (orrery_node_get_text (word), &error) : 0;

    if (level > 0)
      orrery_log_levels_set (scene->log_levels, name, level, &error);
    if (error != NULL)
      orrery_keys_refuse (scene->problems, orrery_node_get_item (table, i), "%s", error->message);
    g_clear_error (&error);
  }
}

void
orrery_scene_check_log_levels (OrreryScene *scene)
{
  OrreryNode *table = scene->keys.log_levels;

  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    const char *name = orrery_node_get_key (table, i);
    g_autofree char *nearest = NULL;
    g_autoptr (GError) words = NULL;

    if (orrery_log_levels_has (scene->log_levels, name, &nearest))
      continue;
    words =
        orrery_node_error (orrery_node_get_item (table, i), ORRERY_ERROR_CONFIG,
                           "log_levels: no part or class has the name '%.60s'%s", name, nearest);
    g_warning ("%s", words->message);
  }
}
