/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-assembly-private.h"
#include "wiring/orrery-loader.h"

#include <string.h>

/* What the tables of component_config name in their lists, looked up before any part is set up: a
 * program that has to go on in Python learns it while nothing has been done yet. */

static const char *const table_names[] = { "component_datastream", "component_modifier",
                                           "component_service", "overlays", NULL };

/* In overlays a dictionary of components lies in one of managers. */
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
    /* Said where the table is read. */
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
