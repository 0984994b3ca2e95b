/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets properties again after a state was restored, which holds them as they were. */
#include "replay.h"

#include <string.h>

static gboolean
set_property (OrrerySimulation *simulation, const char *name, const char *property,
              const char *json, GError **error)
{
  OrreryPart *part = orrery_simulation_find_part (simulation, name);
  g_autoptr (OrreryNode) node = orrery_node_parse_json (json, strlen (json), "--set", error);
  g_autoptr (GVariant) known = part != NULL ? orrery_part_get_option (part, property) : NULL;
  g_autoptr (GVariant) value = node != NULL ? orrery_node_to_variant (node) : NULL;

  if (value == NULL)
    return FALSE;
  if (known == NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "--set %s.%s: with --from only properties of parts can be set; "
                             "without it the run is repeated from its start",
                             name, property);
  if (orrery_part_is_option_fixed (part, property))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "--set %s.%s: it is read at the start of a run; leave --from out",
                             name, property);
  if (orrery_part_set_option (part, property, value, error))
    return TRUE;
  g_prefix_error (error, "--set %s.%s: ", name, property);
  return FALSE;
}

gboolean
replay_set_again (OrrerySimulation *simulation, char **settings, GError **error)
{
  for (char **each = settings; each != NULL && *each != NULL; each++) {
    const char *equals = strchr (*each, '=');
    g_autofree char *path = equals != NULL ? g_strndup (*each, (gsize) (equals - *each)) : NULL;
    char *dot = path != NULL ? strrchr (path, '.') : NULL;

    /* A state goes on with another seed. */
    if (dot == NULL)
      continue;
    *dot = '\0';
    if (!set_property (simulation, path, dot + 1, equals + 1, error))
      return FALSE;
  }
  return TRUE;
}
