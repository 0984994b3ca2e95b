/* SPDX-License-Identifier: BSD-3-Clause */
/* What --strict means: no warning while a scene is set up, no step of a component that fails. */
#include "cli.h"

static gboolean is_strict;

void
cli_strict_set (gboolean strict)
{
  is_strict = strict;
}

gboolean
cli_strict_get (void)
{
  return is_strict;
}

static guint64
count_failed (GVariant *report, const char **first)
{
  g_autoptr (GVariant) faults = g_variant_lookup_value (report, "faults", NULL);
  GVariantIter iter;
  const char *name = NULL;
  guint64 refused = 0;
  guint64 displaced = 0;
  guint64 failed = 0;
  guint64 sum = 0;

  if (faults == NULL)
    return 0;
  g_variant_iter_init (&iter, faults);
  while (g_variant_iter_next (&iter, "(&sttt)", &name, &refused, &displaced, &failed)) {
    if (failed > 0 && *first == NULL)
      *first = g_intern_string (name);
    sum += failed;
  }
  return sum;
}

gboolean
cli_strict_allow (gpointer user_data, GError **error)
{
  guint n = is_strict ? cli_log_get_n_warnings () : 0;

  return n == 0 || orrery_set_error (error, ORRERY_ERROR_CONFIG,
                                     "--strict: %u warning%s while the scene was set up", n,
                                     n == 1 ? "" : "s");
}

int
cli_strict_judge_setup (void)
{
  guint n = is_strict ? cli_log_get_n_warnings () : 0;
  g_autofree char *line = NULL;

  if (n == 0)
    return CLI_OK;
  line = g_strdup_printf ("orrery: --strict: %u warning%s while the scene was set up\n", n,
                          n == 1 ? "" : "s");
  cli_write (stderr, line);
  return CLI_CONFIG;
}

int
cli_strict_judge_run (GVariant *report, int status, char **message)
{
  const char *first = NULL;
  guint64 n = is_strict ? count_failed (report, &first) : 0;
  g_autofree char *line = NULL;

  if (status != CLI_OK || n == 0)
    return status;
  g_free (*message);
  *message =
      g_strdup_printf ("--strict: %" G_GUINT64_FORMAT " step%s failed, the first of %s; the log "
                       "says why",
                       n, n == 1 ? "" : "s", first);
  line = g_strdup_printf ("orrery: %s\n", *message);
  cli_write (stderr, line);
  return CLI_INTERNAL;
}
