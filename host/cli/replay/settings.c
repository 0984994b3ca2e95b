/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recorded run was loaded with; and properties again once a state was restored, which holds
 * them as they were. */
#include "replay.h"

#include "../support/cli.h"

#include <string.h>

OrreryOptions *
replay_run_make_options (const ReplayRun *run, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (run->path);
  g_autofree char *config =
      run->config != NULL ? g_build_filename (directory, run->config, NULL) : NULL;
  g_autofree char *seed = g_strdup_printf ("seed=%" G_GUINT64_FORMAT, run->seed);
  g_autoptr (OrreryOptions) options = orrery_options_new ();

  /* What streams write to files goes with the directory. */
  g_object_set (options, "offline", TRUE, "fed", TRUE, "on-demand", TRUE, "pacing",
                ORRERY_PACING_FAST, "start-time", run->start, "config-file", config, "output-dir",
                directory, "read-limit", cli_get_read_limit (), NULL);
  if (!orrery_options_add_setting (options, seed, error))
    return NULL;
  for (char **each = run->settings; each != NULL && *each != NULL; each++)
    if (!g_str_has_prefix (*each, "seed=") && !orrery_options_add_setting (options, *each, error))
      return NULL;
  return g_steal_pointer (&options);
}

static gboolean
set_property (OrrerySimulation *simulation, const char *name, char *property, const char *json,
              GError **error)
{
  gint64 index = cli_cut_index (property);
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
  if (index < 0 ? orrery_part_set_option (part, property, value, error)
                : orrery_part_set_option_member (part, property, (guint) index, value, error))
    return TRUE;
  g_prefix_error (error, "--set %s.%s: ", name, property);
  return FALSE;
}

/* It had all of them from its start on. */
static gboolean
is_fresh (const char *name, char **swapped)
{
  gsize length = strcspn (name, "/");

  for (char **each = swapped; *each != NULL; each++)
    if (strlen (*each) == length && strncmp (*each, name, length) == 0)
      return TRUE;
  return FALSE;
}

char **
replay_list_swapped (char **swaps)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (char **each = swaps; each != NULL && *each != NULL; each++)
    g_ptr_array_add (names, g_strndup (*each, strcspn (*each, "=")));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

gboolean
replay_restore (OrrerySimulation *simulation, GBytes *state, char **swapped, GError **error)
{
  g_autofree char *names = g_strjoinv (", ", swapped);

  if (!orrery_simulation_restore_others (simulation, state, (const char *const *) swapped, error))
    return FALSE;
  if (*names != '\0')
    g_message ("%s: begins afresh here, while all other parts go on", names);
  return TRUE;
}

gboolean
replay_set_again (OrrerySimulation *simulation, char **settings, char **swapped, GError **error)
{
  for (char **each = settings; each != NULL && *each != NULL; each++) {
    const char *equals = strchr (*each, '=');
    g_autofree char *path = equals != NULL ? g_strndup (*each, (gsize) (equals - *each)) : NULL;
    char *dot = path != NULL ? strrchr (path, '.') : NULL;

    /* A state goes on with another seed. */
    if (dot == NULL)
      continue;
    *dot = '\0';
    if (!is_fresh (path, swapped) && !set_property (simulation, path, dot + 1, equals + 1, error))
      return FALSE;
  }
  return TRUE;
}
