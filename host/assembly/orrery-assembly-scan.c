/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out, before any part is set up, whether component_config names classes in Python. */
#include "assembly/orrery-assembly-private.h"
#include "registry/orrery-loader.h"

#include <string.h>

/* Classes that the tables of component_config name in their lists are looked up before any part is
 * set up. A program that must continue in Python learns it before anything has been done. */

static const char *const table_names[] = { "component_datastream", "component_modifier",
                                           "component_service", "overlays", NULL };

/* The table of overlays is a dictionary of managers, each of which is a dictionary of
 * components. */
#define MAX_DEPTH 3

static gboolean
look_up (OrreryAssembly *assembly, OrreryNode *node)
{
  const char *text = orrery_node_get_text (node);
  GError *error = NULL;

  if (strchr (text, '.') == NULL ||
      orrery_registry_find_class (assembly->registry, text, &error) != NULL)
    return TRUE;
  if (!orrery_registry_needs_python (assembly->registry)) {
    /* The error is reported where the table is read. */
    g_error_free (error);
    return TRUE;
  }
  orrery_assembly_problem (assembly, node, error);
  return FALSE;
}

static gboolean
look_up_all (OrreryAssembly *assembly, OrreryNode *node, guint depth)
{
  if (orrery_node_get_kind (node) == ORRERY_NODE_TEXT)
    return look_up (assembly, node);
  if (depth == MAX_DEPTH || (orrery_node_get_kind (node) != ORRERY_NODE_LIST &&
                             orrery_node_get_kind (node) != ORRERY_NODE_DICT))
    return TRUE;
  for (guint i = 0; i < orrery_node_get_length (node); i++)
    if (!look_up_all (assembly, orrery_node_get_item (node, i), depth + 1))
      return FALSE;
  return TRUE;
}

gboolean
orrery_assembly_needs_python (OrreryAssembly *assembly)
{
  if (orrery_loader_get_default () != NULL || assembly->config == NULL)
    return FALSE;
  for (guint i = 0; table_names[i] != NULL; i++) {
    OrreryNode *table = orrery_node_find (assembly->config, table_names[i]);

    if (!orrery_registry_needs_python (assembly->registry) && table != NULL)
      look_up_all (assembly, table, 0);
  }
  return orrery_registry_needs_python (assembly->registry);
}
