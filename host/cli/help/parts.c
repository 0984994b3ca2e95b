/* SPDX-License-Identifier: BSD-3-Clause */
/* The names in a scene, from its file alone. */
#include "help.h"

#include <glib/gstdio.h>
#include <string.h>

/* Larger files are left alone: somebody waits for the answer. */
#define MAX_FILE (32 << 20)
#define MAX_DEPTH 32

typedef struct {
  GPtrArray *names;
  GPtrArray *classpaths;
} Parts;

static void
add_objects (Parts *parts, OrreryNode *dict, const char *above, guint depth)
{
  OrreryNode *list = orrery_node_find (dict, "objects");

  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST || depth > MAX_DEPTH)
    return;
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *object = orrery_node_get_item (list, i);
    gboolean is_dict = orrery_node_get_kind (object) == ORRERY_NODE_DICT;
    const char *name = is_dict ? cli_node_get_text (object, "name") : "";
    g_autofree char *full = g_strdup_printf ("%s%s%s", above, *above != '\0' ? "." : "", name);

    if (*name == '\0')
      continue;
    g_ptr_array_add (parts->names, g_strdup (full));
    g_ptr_array_add (parts->classpaths, g_strdup (cli_node_get_text (object, "classpath")));
    add_objects (parts, object, full, depth + 1);
  }
}

/* A shell expands a `~` after the completion. */
static char *
expand (const char *file)
{
  return g_str_has_prefix (file, "~/") ? g_build_filename (g_get_home_dir (), file + 2, NULL)
                                       : g_strdup (file);
}

/* Returns: (nullable): the text of a scene in JSON: the file, or that of a directory */
static char *
read_scene (const char *file)
{
  g_autofree char *given = expand (file);
  g_autofree char *inner = g_build_filename (given, "scene.json", NULL);
  const char *path = g_file_test (given, G_FILE_TEST_IS_DIR) ? inner : given;
  GStatBuf info;
  char *text = NULL;

  if (g_str_has_suffix (path, ".json") && g_stat (path, &info) == 0 && S_ISREG (info.st_mode) &&
      info.st_size <= MAX_FILE)
    g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

GPtrArray *
cli_parts_list (const char *file, GPtrArray **classpaths)
{
  Parts parts = { g_ptr_array_new_with_free_func (g_free),
                  g_ptr_array_new_with_free_func (g_free) };
  g_autofree char *text = read_scene (file);
  g_autoptr (OrreryNode) scene =
      text != NULL ? orrery_node_parse_json (text, strlen (text), file, NULL) : NULL;

  if (scene != NULL && orrery_node_get_kind (scene) == ORRERY_NODE_DICT)
    add_objects (&parts, scene, "", 0);
  *classpaths = parts.classpaths;
  return parts.names;
}
