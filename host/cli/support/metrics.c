/* SPDX-License-Identifier: BSD-3-Clause */
/* What --metric means: expressions over the records of a run, evaluated after each tick. */
#include "cli.h"

#include <string.h>

#define MAX_METRICS 256
#define MAX_NAME 64
/* The epoch of the next tick goes on with what they know. */
#define ANY_EPOCH G_MAXUINT64

struct _CliMetrics {
  OrrerySimulation *simulation; /* borrowed */
  GPtrArray *names;             /* (element-type utf8) */
  GPtrArray *expressions;       /* (element-type OrreryExpression) */
  GHashTable *read;             /* (element-type OrreryComponent): those that they read */
  guint64 epoch;                /* 0: before the first tick */
  OrreryTime begin;             /* of its first tick */
  char *missing;                /* (nullable): what was looked for last, if it is no component */
};

CliMetrics *
cli_metrics_new (void)
{
  CliMetrics *metrics = g_new0 (CliMetrics, 1);

  metrics->names = g_ptr_array_new_with_free_func (g_free);
  metrics->expressions = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_expression_free);
  metrics->read = g_hash_table_new (NULL, NULL);
  return metrics;
}

void
cli_metrics_free (CliMetrics *metrics)
{
  g_ptr_array_unref (metrics->names);
  g_ptr_array_unref (metrics->expressions);
  g_hash_table_unref (metrics->read);
  g_free (metrics->missing);
  g_free (metrics);
}

char *
cli_metric_cut_name (const char *text)
{
  return g_strndup (text, strcspn (text, "="));
}

static gboolean
is_name (const char *name)
{
  gsize length = strlen (name);

  return length <= MAX_NAME && (g_ascii_isalpha (*name) || *name == '_') &&
         strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == length;
}

gboolean
cli_metrics_check (const char *command, char **given)
{
  /* Columns that the tables of batches have. */
  static const char *const taken[] = { "run", "seed", "exit", "ticks", "hash", NULL };
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (char **each = given; each != NULL && *each != NULL; each++) {
    g_autofree char *name = cli_metric_cut_name (*each);
    const char *wrong = NULL;

    if (!g_utf8_validate (*each, -1, NULL))
      wrong = "the text is not UTF-8";
    else if (strchr (*each, '=') == NULL || !is_name (name))
      wrong = "write NAME=EXPRESSION, with a name of letters, digits and _";
    else if (g_strv_contains (taken, name))
      wrong = "the tables have another column of this name";
    else if (g_hash_table_contains (names, name))
      wrong = "there are two metrics of this name";
    else if (g_hash_table_size (names) >= MAX_METRICS)
      wrong = "at most 256 of them";
    if (wrong != NULL) {
      g_autofree char *shown = orrery_escape_text (name, FALSE);

      cli_usage (command, "--metric: '%.80s': %s", shown, wrong);
      return FALSE;
    }
    g_hash_table_add (names, g_steal_pointer (&name));
  }
  return TRUE;
}

/* An OrreryFindRecordFunc. */
static OrreryRecord *
find_record (const char *name, gpointer user_data)
{
  CliMetrics *metrics = user_data;
  OrreryComponent *component = orrery_simulation_find_component (metrics->simulation, name);

  g_free (metrics->missing);
  metrics->missing = component == NULL ? g_strdup (name) : NULL;
  if (component == NULL)
    return NULL;
  g_hash_table_add (metrics->read, component);
  return orrery_component_get_record (component);
}

/* Which components the path may mean that is refused: the parser looks for the whole path last, and
 * knows no other names. */
static char *
print_nearest (CliMetrics *metrics)
{
  const char *dot = metrics->missing != NULL ? strrchr (metrics->missing, '.') : NULL;
  g_autofree char *name = NULL, *nearest = NULL;
  g_autofree const char **names = NULL;

  if (dot == NULL)
    return g_strdup ("");
  name = g_strndup (metrics->missing, (gsize) (dot - metrics->missing));
  if (orrery_simulation_find_component (metrics->simulation, name) != NULL)
    return g_strdup ("");
  names = orrery_simulation_get_component_names (metrics->simulation);
  nearest = orrery_nearest_names (name, names);
  return g_strdup_printf ("; no component is named %.80s%s", name, nearest);
}

static void
on_tick (OrreryComponent *component, gpointer user_data)
{
  CliMetrics *metrics = user_data;
  guint64 epoch = orrery_simulation_get_epoch (metrics->simulation);
  OrreryTime time = orrery_simulation_get_time (metrics->simulation);

  if (metrics->epoch == ANY_EPOCH)
    metrics->epoch = epoch;
  /* After a reset the run begins anew. */
  for (guint i = 0; epoch != metrics->epoch && i < metrics->expressions->len; i++)
    orrery_expression_reset (metrics->expressions->pdata[i]);
  if (epoch != metrics->epoch)
    metrics->begin = time;
  metrics->epoch = epoch;
  for (guint i = 0; i < metrics->expressions->len; i++)
    orrery_expression_step (metrics->expressions->pdata[i],
                            orrery_time_to_seconds (time - metrics->begin));
}

/* That somebody reads a component is why it steps. */
static void
on_record (OrreryComponent *component, gpointer user_data)
{
}

static gboolean
subscribe (CliMetrics *metrics, GError **error)
{
  GHashTableIter iter;
  gpointer component;

  g_hash_table_iter_init (&iter, metrics->read);
  while (g_hash_table_iter_next (&iter, &component, NULL))
    if (orrery_simulation_subscribe (metrics->simulation, component, on_record, NULL, NULL,
                                     error) == 0)
      return FALSE;
  return orrery_simulation_subscribe (metrics->simulation, NULL, on_tick, metrics, NULL, error) !=
         0;
}

gboolean
cli_metrics_compile (CliMetrics *metrics, OrrerySimulation *simulation, char **given,
                     GError **error)
{
  metrics->simulation = simulation;
  for (char **each = given; each != NULL && *each != NULL; each++) {
    g_autofree char *name = cli_metric_cut_name (*each);
    const char *text = *each + strlen (name) + 1;
    g_autoptr (GError) problem = NULL;
    OrreryExpression *expression = orrery_expression_new (text, find_record, metrics, &problem);

    if (expression == NULL) {
      g_autofree char *nearest = print_nearest (metrics);

      g_set_error (error, problem->domain, problem->code, "--metric %s: %s%s", name,
                   problem->message, nearest);
      return FALSE;
    }
    g_ptr_array_add (metrics->expressions, expression);
    g_ptr_array_add (metrics->names, g_steal_pointer (&name));
  }
  return TRUE;
}

gboolean
cli_metrics_add (CliMetrics *metrics, OrrerySimulation *simulation, char **given, GError **error)
{
  return given == NULL ||
         (cli_metrics_compile (metrics, simulation, given, error) && subscribe (metrics, error));
}

GVariant *
cli_metrics_save (CliMetrics *metrics)
{
  GVariantBuilder states;

  g_variant_builder_init (&states, G_VARIANT_TYPE ("av"));
  for (guint i = 0; i < metrics->expressions->len; i++)
    g_variant_builder_add (&states, "v", orrery_expression_save (metrics->expressions->pdata[i]));
  return g_variant_new ("(xav)", (gint64) metrics->begin, &states);
}

gboolean
cli_metrics_restore (CliMetrics *metrics, GVariant *state)
{
  g_autoptr (GVariant) states = NULL;
  gint64 begin;

  if (!g_variant_is_of_type (state, G_VARIANT_TYPE ("(xav)")))
    return FALSE;
  g_variant_get (state, "(x@av)", &begin, &states);
  if (g_variant_n_children (states) != metrics->expressions->len)
    return FALSE;
  for (guint i = 0; i < metrics->expressions->len; i++) {
    g_autoptr (GVariant) one = NULL;

    g_variant_get_child (states, i, "v", &one);
    if (!orrery_expression_restore (metrics->expressions->pdata[i], one))
      return FALSE;
  }
  metrics->begin = begin;
  metrics->epoch = ANY_EPOCH;
  return TRUE;
}

static void
print_metric (const char *name, double value)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length;

  orrery_writer_append_text (writer, "metric ");
  orrery_writer_append_text (writer, name);
  orrery_writer_append_char (writer, ' ');
  orrery_writer_append_double (writer, value);
  orrery_writer_append (writer, "\n", 2);
  cli_write (stdout, orrery_writer_get_data (writer, &length));
}

GVariant *
cli_metrics_report (CliMetrics *metrics, GVariant *report)
{
  GVariantBuilder builder, values;
  GVariantIter iter;
  const char *key;
  GVariant *value;

  if (metrics->names->len == 0)
    return report;
  g_variant_builder_init (&values, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < metrics->names->len; i++) {
    double number = orrery_expression_get_value (metrics->expressions->pdata[i]);

    print_metric (metrics->names->pdata[i], number);
    g_variant_builder_add (&values, "{sv}", metrics->names->pdata[i],
                           g_variant_new_double (number));
  }
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_iter_init (&iter, report);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    g_variant_builder_add (&builder, "{sv}", key, value);
  g_variant_builder_add (&builder, "{sv}", "metrics", g_variant_builder_end (&values));
  g_variant_unref (report);
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}
