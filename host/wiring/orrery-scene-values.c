/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "base/orrery-message.h"

#include <math.h>

#define MAX_SHOWN 48

/* Values of a scene's dictionaries: each is there and right, or not there, or a problem. */

gboolean
orrery_scene_check_keys (OrreryProblems *problems, OrreryNode *node, const char *const *known,
                         const char *what)
{
  gboolean fine = TRUE;

  for (guint i = 0; i < orrery_node_get_length (node); i++) {
    const char *key = orrery_node_get_key (node, i);
    g_autofree char *nearest = NULL;

    if (g_strv_contains (known, key))
      continue;
    nearest = orrery_nearest_names (key, known);
    orrery_problems_take (problems,
                          orrery_node_key_error (node, i, ORRERY_ERROR_CONFIG,
                                                 "%s has no key '%.60s'%s", what, key, nearest));
    fine = FALSE;
  }
  return fine;
}

char *
orrery_scene_show (OrreryNode *node)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) value = orrery_node_to_variant (node);
  g_autofree char *text = NULL;
  const char *data;
  gsize length;

  orrery_writer_append_json_variant (writer, value);
  data = orrery_writer_get_data (writer, &length);
  text = g_strndup (data, MIN (length, MAX_SHOWN));
  return g_strconcat (text, length > MAX_SHOWN ? "..." : "", NULL);
}

static const char *
kind_name (OrreryNodeKind kind)
{
  static const char *const names[] = { "null",   "a bool", "an integer",  "a number",
                                       "a text", "a list", "a dictionary" };

  return names[kind];
}

OrreryNode *
orrery_scene_find (OrreryProblems *problems, OrreryNode *node, const char *key, OrreryNodeKind kind)
{
  OrreryNode *value = orrery_node_find (node, key);
  OrreryNodeKind found;

  if (value == NULL)
    return NULL;
  found = orrery_node_get_kind (value);
  if (found == kind || (kind == ORRERY_NODE_DOUBLE && found == ORRERY_NODE_INT))
    return value;
  orrery_problems_take (problems,
                        orrery_node_error (value, ORRERY_ERROR_CONFIG, "'%s' is %s, not %s", key,
                                           orrery_node_get_kind_name (value), kind_name (kind)));
  return NULL;
}

gboolean
orrery_scene_get_double (OrreryProblems *problems, OrreryNode *node, const char *key, double low,
                         double high, double *value)
{
  OrreryNode *found = orrery_scene_find (problems, node, key, ORRERY_NODE_DOUBLE);
  g_autofree char *shown = NULL;
  double d;

  if (found == NULL)
    return FALSE;
  d = orrery_node_get_double (found);
  if (isfinite (d) && d >= low && d <= high) {
    *value = d;
    return TRUE;
  }
  shown = orrery_scene_show (found);
  orrery_problems_take (problems, orrery_node_error (found, ORRERY_ERROR_CONFIG,
                                                     "'%s' is %s, out of range: %g to %g", key,
                                                     shown, low, high));
  return FALSE;
}

gboolean
orrery_scene_get_vec3 (OrreryProblems *problems, OrreryNode *node, const char *key,
                       OrreryVec3 *value)
{
  OrreryNode *found = orrery_scene_find (problems, node, key, ORRERY_NODE_LIST);
  double d[3];
  gboolean fine;

  if (found == NULL)
    return FALSE;
  fine = orrery_node_get_length (found) == 3;
  for (guint i = 0; fine && i < 3; i++) {
    OrreryNode *item = orrery_node_get_item (found, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    fine = kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE;
    d[i] = fine ? orrery_node_get_double (item) : 0.0;
    fine = fine && isfinite (d[i]);
  }
  if (!fine) {
    g_autofree char *shown = orrery_scene_show (found);

    orrery_problems_take (problems,
                          orrery_node_error (found, ORRERY_ERROR_CONFIG,
                                             "'%s' is %s, not a list of three finite numbers", key,
                                             shown));
    return FALSE;
  }
  *value = (OrreryVec3){ d[0], d[1], d[2] };
  return TRUE;
}

gboolean
orrery_scene_get_bool (OrreryProblems *problems, OrreryNode *node, const char *key, gboolean *value)
{
  OrreryNode *found = orrery_scene_find (problems, node, key, ORRERY_NODE_BOOL);

  if (found == NULL)
    return FALSE;
  *value = orrery_node_get_bool (found);
  return TRUE;
}

gboolean
orrery_scene_get_uint (OrreryProblems *problems, OrreryNode *node, const char *key, guint low,
                       guint high, guint *value)
{
  OrreryNode *found = orrery_scene_find (problems, node, key, ORRERY_NODE_INT);
  gint64 n;

  if (found == NULL)
    return FALSE;
  n = orrery_node_get_int (found);
  if (n >= low && n <= high) {
    *value = (guint) n;
    return TRUE;
  }
  orrery_problems_take (problems,
                        orrery_node_error (found, ORRERY_ERROR_CONFIG,
                                           "'%s' is %" G_GINT64_FORMAT ", out of range: %u to %u",
                                           key, n, low, high));
  return FALSE;
}

const char *
orrery_scene_get_text (OrreryProblems *problems, OrreryNode *node, const char *key)
{
  OrreryNode *found = orrery_scene_find (problems, node, key, ORRERY_NODE_TEXT);

  return found != NULL ? orrery_node_get_text (found) : NULL;
}

int
orrery_scene_get_word (OrreryProblems *problems, OrreryNode *node, const char *key,
                       const char *const *words)
{
  OrreryNode *found = orrery_scene_find (problems, node, key, ORRERY_NODE_TEXT);
  g_autofree char *nearest = NULL;

  if (found == NULL)
    return -1;
  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], orrery_node_get_text (found)))
      return i;
  nearest = orrery_nearest_names (orrery_node_get_text (found), words);
  orrery_problems_take (problems,
                        orrery_node_error (found, ORRERY_ERROR_CONFIG, "no %s is called '%.40s'%s",
                                           key, orrery_node_get_text (found), nearest));
  return -1;
}
