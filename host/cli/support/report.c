/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report of a run. */
#include "cli.h"

#include <string.h>

static void
append_totals (GString *text, GVariantDict *report)
{
  guint64 ticks = 0;
  guint64 dropped = 0;
  double simulated = 0.0;
  double wall = 0.0;
  double factor = 0.0;
  double start = 0.0;

  g_variant_dict_lookup (report, "ticks", "t", &ticks);
  g_variant_dict_lookup (report, "dropped", "t", &dropped);
  g_variant_dict_lookup (report, "simulated", "d", &simulated);
  g_variant_dict_lookup (report, "wall", "d", &wall);
  g_variant_dict_lookup (report, "real-time-factor", "d", &factor);
  g_variant_dict_lookup (report, "start", "d", &start);
  g_string_append_printf (text,
                          "%" G_GUINT64_FORMAT " ticks, %.3f s simulated in %.3f s, "
                          "real-time factor %.2f, %" G_GUINT64_FORMAT
                          " ticks dropped, start %.9f\n",
                          ticks, simulated, wall, factor, dropped, start);
}

static double
sum_of_phases (GVariant *phases)
{
  GVariantIter iter;
  double seconds = 0.0;
  double sum = 0.0;

  g_variant_iter_init (&iter, phases);
  while (g_variant_iter_next (&iter, "(sd)", NULL, &seconds))
    sum += seconds;
  return sum;
}

static void
append_phases (GString *text, GVariant *phases)
{
  GVariantIter iter;
  const char *name = NULL;
  double seconds = 0.0;
  double sum = sum_of_phases (phases);

  g_string_append (text, "\nphase                             seconds   share\n");
  g_variant_iter_init (&iter, phases);
  while (g_variant_iter_next (&iter, "(&sd)", &name, &seconds))
    g_string_append_printf (text, "  %-28s %10.6f %6.1f %%\n", name, seconds,
                            sum > 0.0 ? 100.0 * seconds / sum : 0.0);
}

/* The share is that of its budget, the time that it may take per step, or all callbacks of a script
 * per tick. */
static void
append_costs (GString *text, const char *what, GVariant *components)
{
  GVariantIter iter;
  const char *name = NULL;
  guint64 steps = 0;
  double seconds = 0.0;
  double budget = 0.0;

  if (g_variant_n_children (components) == 0)
    return;
  g_string_append_printf (text, "\n%-28s      seconds      steps   us/step  of its budget\n", what);
  g_variant_iter_init (&iter, components);
  while (g_variant_iter_next (&iter, "(&stdd)", &name, &steps, &seconds, &budget)) {
    double step = steps > 0 ? seconds / (double) steps : 0.0;

    g_string_append_printf (text, "  %-28s %10.6f %10" G_GUINT64_FORMAT " %9.2f %6.1f %%\n", name,
                            seconds, steps, 1e6 * step, budget > 0.0 ? 100.0 * step / budget : 0.0);
  }
}

/* Only who had any is there. */
static void
append_faults (GString *text, GVariant *faults)
{
  GVariantIter iter;
  const char *name = NULL;
  guint64 refused = 0;
  guint64 displaced = 0;
  guint64 failed = 0;

  if (g_variant_n_children (faults) > 0)
    g_string_append (
        text, "\nfaults              messages refused   displaced by later ones   steps failed\n");
  g_variant_iter_init (&iter, faults);
  while (g_variant_iter_next (&iter, "(&sttt)", &name, &refused, &displaced, &failed))
    g_string_append_printf (text,
                            "  %-24s %9" G_GUINT64_FORMAT " %25" G_GUINT64_FORMAT
                            " %14" G_GUINT64_FORMAT "\n",
                            name, refused, displaced, failed);
}

static void
append_not_finite (GString *text, GVariant *list)
{
  GVariantIter iter;
  const char *name = NULL;
  guint64 n = 0;

  if (g_variant_n_children (list) > 0)
    g_string_append (text, "\nnot finite        numbers of messages\n");
  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(&st)", &name, &n))
    g_string_append_printf (text, "  %-24s %9" G_GUINT64_FORMAT "\n", name, n);
}

static void
append_components (GString *text, GVariant *components)
{
  append_costs (text, "component", components);
}

static void
append_scripts (GString *text, GVariant *scripts)
{
  append_costs (text, "script", scripts);
}

static void
append_pairs (GString *text, const char *first, const char *second, GVariant *pairs)
{
  GVariantIter iter;
  const char *name = NULL;
  const char *words = NULL;

  if (g_variant_n_children (pairs) > 0)
    g_string_append_printf (text, "\n%-28s %s\n", first, second);
  g_variant_iter_init (&iter, pairs);
  while (g_variant_iter_next (&iter, "(&s&s)", &name, &words)) {
    g_autofree char *safe = orrery_escape_text (words, TRUE);

    g_string_append_printf (text, "  %-26s %s\n", name, safe);
  }
}

static void
append_disabled (GString *text, GVariant *disabled)
{
  append_pairs (text, "script", "disabled since", disabled);
}

static void
append_sources (GString *text, GVariant *sources)
{
  append_pairs (text, "model", "from", sources);
}

static void
append_added (GString *text, GVariant *added)
{
  GVariantIter iter;
  const char *name = NULL;
  guint64 tick = 0;
  double ms = 0;

  g_string_append (text, "\nadded                           before tick         ms\n");
  g_variant_iter_init (&iter, added);
  while (g_variant_iter_next (&iter, "(&std)", &name, &tick, &ms))
    g_string_append_printf (text, "  %-28s %12" G_GUINT64_FORMAT " %10.3f\n", name, tick, ms);
}

static void
append_workers (GString *text, GVariant *workers)
{
  GVariantIter iter;
  GVariant *worker;

  if (g_variant_n_children (workers) > 0)
    g_string_append (text, "\nworker                            state       fresh      stale  "
                           "restarts   waited s\n");
  g_variant_iter_init (&iter, workers);
  while (g_variant_iter_next (&iter, "@a{sv}", &worker)) {
    g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (worker);
    const char *name = "";
    const char *state = "";
    guint64 fresh = 0;
    guint64 stale = 0;
    guint restarts = 0;
    double waited = 0.0;

    g_variant_dict_lookup (&dict, "name", "&s", &name);
    g_variant_dict_lookup (&dict, "state", "&s", &state);
    g_variant_dict_lookup (&dict, "fresh", "t", &fresh);
    g_variant_dict_lookup (&dict, "stale", "t", &stale);
    g_variant_dict_lookup (&dict, "restarts", "u", &restarts);
    g_variant_dict_lookup (&dict, "waited", "d", &waited);
    g_string_append_printf (text,
                            "  %-28s %8s %11" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT
                            " %9u %10.6f\n",
                            name, state, fresh, stale, restarts, waited);
    g_variant_unref (worker);
  }
}

static void
append_table (GString *text, GVariantDict *report, const char *key, const char *type,
              void (*append) (GString *, GVariant *))
{
  g_autoptr (GVariant) table = g_variant_dict_lookup_value (report, key, G_VARIANT_TYPE (type));

  if (table != NULL)
    append (text, table);
}

static void
append_hash (GString *text, GVariantDict *report)
{
  const char *hash = NULL;
  g_autofree const char **unhashed = NULL;

  if (!g_variant_dict_lookup (report, "hash", "&s", &hash))
    return;
  g_string_append_printf (text, "hash %s", hash);
  if (g_variant_dict_lookup (report, "unhashed", "^a&s", &unhashed) && unhashed[0] != NULL) {
    g_autofree char *names = g_strjoinv (", ", (char **) unhashed);

    g_string_append_printf (text, " without %s", names);
  }
  g_string_append_c (text, '\n');
}

static guint64
find_steps (GVariant *components, const char *wanted)
{
  GVariantIter iter;
  const char *name = NULL;
  guint64 n = 0;

  g_variant_iter_init (&iter, components);
  while (g_variant_iter_next (&iter, "(&stdd)", &name, &n, NULL, NULL))
    if (g_str_equal (name, wanted))
      return n;
  return 0;
}

/* A run whose parts failed has not simply gone well: that is said last, however brief it is. */
static void
print_failures (GVariantDict *report)
{
  g_autoptr (GVariant) components =
      g_variant_dict_lookup_value (report, "components", G_VARIANT_TYPE ("a(stdd)"));
  g_autoptr (GVariant) faults =
      g_variant_dict_lookup_value (report, "faults", G_VARIANT_TYPE ("a(sttt)"));
  g_autoptr (GVariant) disabled =
      g_variant_dict_lookup_value (report, "disabled", G_VARIANT_TYPE ("a(ss)"));
  g_autoptr (GString) text = g_string_new (NULL);
  GVariantIter iter;
  const char *name = NULL;
  guint64 n_failed = 0;

  g_variant_iter_init (&iter, faults);
  while (g_variant_iter_next (&iter, "(&sttt)", &name, NULL, NULL, &n_failed))
    if (n_failed > 0)
      g_string_append_printf (text,
                              "orrery: %s failed in %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                              " steps\n",
                              name, n_failed, find_steps (components, name));
  g_variant_iter_init (&iter, disabled);
  while (g_variant_iter_next (&iter, "(&s&s)", &name, NULL))
    g_string_append_printf (text, "orrery: the script %s failed and was disabled\n", name);
  if (text->len > 0)
    cli_write (stderr, text->str);
}

void
cli_report_print (GVariant *report, gboolean brief)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (report);
  g_autoptr (GString) text = g_string_new (NULL);

  if (!brief) {
    append_totals (text, &dict);
    append_table (text, &dict, "phases", "a(sd)", append_phases);
    append_table (text, &dict, "components", "a(stdd)", append_components);
    append_table (text, &dict, "scripts", "a(stdd)", append_scripts);
    append_table (text, &dict, "disabled", "a(ss)", append_disabled);
    append_table (text, &dict, "faults", "a(sttt)", append_faults);
    append_table (text, &dict, "not-finite", "a(st)", append_not_finite);
    append_table (text, &dict, "workers", "aa{sv}", append_workers);
    append_table (text, &dict, "sources", "a(ss)", append_sources);
    append_table (text, &dict, "added", "a(std)", append_added);
    g_string_append_c (text, '\n');
  }
  append_hash (text, &dict);
  cli_write (stdout, text->str);
  print_failures (&dict);
}
