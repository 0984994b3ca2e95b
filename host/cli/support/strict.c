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
count_failed (GVariant *report)
{
  g_autoptr (GVariant) faults = g_variant_lookup_value (report, "faults", NULL);
  GVariantIter iter;
  guint64 failed = 0;
  guint64 sum = 0;

  if (faults == NULL)
    return 0;
  g_variant_iter_init (&iter, faults);
  while (g_variant_iter_next (&iter, "(&sttt)", NULL, NULL, NULL, &failed))
    sum += failed;
  return sum;
}

/* The step that failed first; of one tick, of the component that comes first. */
static GVariant *
find_first (GVariant *report)
{
  g_autoptr (GVariant) failures =
      g_variant_lookup_value (report, "failures", G_VARIANT_TYPE ("a(sssts)"));
  g_autoptr (GVariant) first = NULL;
  guint64 earliest = G_MAXUINT64;

  for (gsize i = 0; failures != NULL && i < g_variant_n_children (failures); i++) {
    g_autoptr (GVariant) failure = g_variant_get_child_value (failures, i);
    guint64 tick = 0;

    g_variant_get_child (failure, 3, "t", &tick);
    if (first != NULL && tick >= earliest)
      continue;
    earliest = tick;
    g_clear_pointer (&first, g_variant_unref);
    first = g_steal_pointer (&failure);
  }
  return g_steal_pointer (&first);
}

/* The report of a batch finds class, component and callback by the words that a crash has, too, and
 * groups runs by the message without its numbers.
 * Returns: (transfer full): what a run is told that failed in no other way */
static char *
explain (GVariant *report, guint64 n)
{
  g_autoptr (GVariant) first = find_first (report);
  const char *name = NULL, *classpath = NULL, *phase = NULL, *why = NULL;
  guint64 tick = 0;

  if (first == NULL)
    return g_strdup_printf ("--strict: failed steps in all: %" G_GUINT64_FORMAT, n);
  g_variant_get (first, "(&s&s&st&s)", &name, &classpath, &phase, &tick, &why);
  return g_strdup_printf ("--strict: a step failed in %s of %s (%s), tick %" G_GUINT64_FORMAT
                          ": %s; failed steps in all: %" G_GUINT64_FORMAT,
                          phase, name, classpath, tick, why, n);
}

gboolean
cli_strict_allow (gpointer user_data, GError **error)
{
  guint n = is_strict ? cli_log_get_n_warnings () : 0;

  return n == 0 || orrery_set_error (error, ORRERY_ERROR_CONFIG,
                                     "--strict: %u warning%s while the scene was set up, the "
                                     "first: %s",
                                     n, n == 1 ? "" : "s", cli_log_get_first_warning ());
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
  guint64 n = is_strict ? count_failed (report) : 0;
  g_autofree char *safe = NULL;
  g_autofree char *line = NULL;

  if (status != CLI_OK || n == 0)
    return status;
  g_free (*message);
  *message = explain (report, n);
  safe = orrery_escape_text (*message, FALSE);
  line = g_strdup_printf ("orrery: %s\n", safe);
  cli_write (stderr, line);
  return CLI_INTERNAL;
}
