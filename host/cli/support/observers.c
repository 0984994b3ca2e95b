/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the observers that a command line asks for. */
#include "cli.h"

#include <string.h>

/* What stands behind the classpath. Returns: (transfer full) (nullable) */
static GVariant *
read_properties (const char *text, GError **error)
{
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, strlen (text), "--observer", error);

  if (node == NULL)
    return NULL;
  if (orrery_node_get_kind (node) != ORRERY_NODE_DICT) {
    g_propagate_error (error, orrery_node_error (node, ORRERY_ERROR_INVALID,
                                                 "a JSON object of properties is needed behind the "
                                                 "classpath, not a %s",
                                                 orrery_node_get_kind_name (node)));
    return NULL;
  }
  return orrery_node_to_variant (node);
}

gboolean
cli_observers_add (OrrerySimulation *simulation, char **given, GError **error)
{
  for (; given != NULL && *given != NULL; given++) {
    gsize length = strcspn (*given, " ");
    g_autofree char *classpath = g_strndup (*given, length);
    const char *rest = *given + length + strspn (*given + length, " ");
    g_autoptr (GVariant) properties = *rest != '\0' ? read_properties (rest, error) : NULL;

    if (*rest != '\0' && properties == NULL)
      return FALSE;
    if (orrery_simulation_add_observer (simulation, classpath, properties, error) == NULL)
      return FALSE;
  }
  return TRUE;
}
