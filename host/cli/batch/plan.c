/* SPDX-License-Identifier: BSD-3-Clause */
/* Which values each run of a batch has. */
#include "plan.h"

#include "../support/cli.h"

#include <string.h>

#define SEED "seed"

struct _BatchPlan {
  GPtrArray *parameters; /* (element-type BatchParameter) */
  BatchParameter *seed;  /* (nullable): one of them */
  guint64 first_seed;
  guint64 n_points;
  guint64 n_runs;
};

void
batch_plan_free (BatchPlan *plan)
{
  g_ptr_array_unref (plan->parameters);
  g_free (plan);
}

static BatchParameter *
get_parameter (BatchPlan *plan, guint i)
{
  return plan->parameters->pdata[i];
}

static gboolean
is_draw (const BatchParameter *parameter)
{
  return parameter->kind == BATCH_UNIFORM || parameter->kind == BATCH_NORMAL ||
         parameter->kind == BATCH_CHOICE;
}

/* --- reading --- */

typedef BatchParameter *(*ParseFunc) (const char *text, GError **error);

static gboolean
parse_all (BatchPlan *plan, char **texts, ParseFunc parse, GError **error)
{
  for (char **each = texts; each != NULL && *each != NULL; each++) {
    BatchParameter *parameter = parse (*each, error);

    if (parameter == NULL)
      return FALSE;
    g_ptr_array_add (plan->parameters, parameter);
    if (plan->parameters->len > BATCH_MAX_PARAMETERS)
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "more than %d paths vary",
                               BATCH_MAX_PARAMETERS);
  }
  return TRUE;
}

/* Rows of the cases count as one axis, and are the slowest. */
static gboolean
multiply (BatchPlan *plan, guint n_columns, guint64 repetitions, GError **error)
{
  guint64 n = 1;

  for (guint i = plan->parameters->len; i-- > 0;) {
    BatchParameter *parameter = get_parameter (plan, i);

    if (is_draw (parameter))
      continue;
    parameter->stride = n;
    if (i == 0 || i >= n_columns)
      n *= parameter->n;
    if (n > BATCH_MAX_RUNS)
      break;
  }
  plan->n_points = n;
  plan->n_runs = n * repetitions;
  if (n <= BATCH_MAX_RUNS && plan->n_runs <= BATCH_MAX_RUNS)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "cases, sweeps and --runs make more than %d runs", BATCH_MAX_RUNS);
}

/* --- checks --- */

/* A path that has values. */
typedef struct {
  char *path;
  const char *option; /* that gives them */
  gint64 index;       /* of the member of a list; -1: the path is no member */
} Taken;

static void
taken_free (gpointer data)
{
  Taken *taken = data;

  g_free (taken->path);
  g_free (taken);
}

/* Returns: (transfer full): what a path is of, as `robot.arm.gains` of `robot.arm.gains[1]` */
static char *
find_property (const char *path, gint64 *index)
{
  g_autofree char *property = g_strdup (path);

  *index = cli_cut_index (property);
  /* `gravity` is `simulation.gravity`. */
  return g_strconcat (strchr (property, '.') != NULL ? "" : "simulation.", property, NULL);
}

/* @all: (element-type utf8 GPtrArray): by what they are of
 * Returns: those of the same property, and of its members; the last is the new one */
static GPtrArray *
take_path (GHashTable *all, const char *path, const char *option)
{
  Taken *taken = g_new0 (Taken, 1);
  char *property = find_property (path, &taken->index);
  GPtrArray *list = g_hash_table_lookup (all, property);

  taken->path = g_strdup (path);
  taken->option = option;
  if (list == NULL) {
    list = g_ptr_array_new_with_free_func (taken_free);
    g_hash_table_insert (all, g_strdup (property), list);
  }
  g_free (property);
  g_ptr_array_add (list, taken);
  return list;
}

/* The list that --set gives is there before its members vary. */
static gboolean
is_base_of (const Taken *set, const Taken *other)
{
  return g_str_equal (set->option, "--set") && set->index < 0 && other->index >= 0;
}

static gboolean
check_path (GHashTable *all, const BatchParameter *parameter, GError **error)
{
  GPtrArray *list = take_path (all, parameter->path, parameter->option);
  const Taken *now = list->pdata[list->len - 1];

  for (guint i = 0; i + 1 < list->len; i++) {
    const Taken *before = list->pdata[i];

    if (is_base_of (before, now) ||
        (before->index >= 0 && now->index >= 0 && before->index != now->index))
      continue;
    if (before->index == now->index)
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: %s has values by %s already",
                               now->option, now->path, before->option);
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: %s has values by %s already, as %s; a list and its members do "
                             "not vary together",
                             now->option, now->path, before->option, before->path);
  }
  return TRUE;
}

static gboolean
check_paths (BatchPlan *plan, char **settings, GError **error)
{
  g_autoptr (GHashTable) all =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  for (char **each = settings; each != NULL && *each != NULL; each++) {
    g_autofree char *path = batch_cut_path (*each);

    if (!g_str_equal (path, SEED))
      take_path (all, path, "--set");
  }
  for (guint i = 0; i < plan->parameters->len; i++)
    if (!check_path (all, get_parameter (plan, i), error))
      return FALSE;
  return TRUE;
}

/* The grammar is that of --set. */
static gboolean
check_grammar (const BatchParameter *parameter, GError **error)
{
  g_autoptr (OrreryOptions) tried = orrery_options_new ();
  g_autofree char *setting = g_strdup_printf ("%s=0", parameter->path);
  g_autoptr (GError) local = NULL;

  if (orrery_options_add_setting (tried, setting, &local))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s%s", parameter->option,
                           g_str_has_prefix (local->message, "--set")
                               ? local->message + strlen ("--set")
                               : local->message);
}

static gboolean
is_seed (const char *text)
{
  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, NULL, NULL);
}

static gboolean
check_seed (const BatchParameter *seed, GError **error)
{
  const char *wrong =
      seed->kind == BATCH_UNIFORM || seed->kind == BATCH_NORMAL ? "a fraction" : NULL;
  g_autofree char *first = NULL, *last = NULL;

  for (guint i = 0; wrong == NULL && i < seed->values->len; i++)
    if (!is_seed (seed->values->pdata[i]))
      wrong = seed->values->pdata[i];
  if (seed->kind == BATCH_RANGE) {
    first = batch_range_print (&seed->range, 0);
    last = batch_range_print (&seed->range, seed->n - 1);
    wrong = !is_seed (first) ? first : !is_seed (last) ? last : NULL;
  }
  return wrong == NULL ||
         orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "%s: a seed is a whole number from 0, not %.80s", seed->option, wrong);
}

static gboolean
check (BatchPlan *plan, const BatchOptions *options, GError **error)
{
  for (guint i = 0; i < plan->parameters->len; i++) {
    BatchParameter *parameter = get_parameter (plan, i);

    if (!check_grammar (parameter, error))
      return FALSE;
    if (g_str_equal (parameter->path, SEED))
      plan->seed = parameter;
  }
  return check_paths (plan, options->settings, error) &&
         (plan->seed == NULL || check_seed (plan->seed, error));
}

/* --- the plan --- */

BatchPlan *
batch_plan_new (const BatchOptions *options, GError **error)
{
  g_autoptr (BatchPlan) plan = g_new0 (BatchPlan, 1);
  guint n_columns;

  plan->parameters = g_ptr_array_new_with_free_func ((GDestroyNotify) batch_parameter_free);
  plan->first_seed = options->seed;
  if (options->cases != NULL && !batch_cases_read (options->cases, plan->parameters, error))
    return NULL;
  n_columns = plan->parameters->len;
  if (!parse_all (plan, options->sweeps, batch_sweep_parse, error) ||
      !parse_all (plan, options->draws, batch_draw_parse, error) || !check (plan, options, error) ||
      !multiply (plan, n_columns, options->n_runs, error))
    return NULL;
  for (guint i = 0; options->latin && i < plan->parameters->len; i++)
    if (is_draw (get_parameter (plan, i)))
      batch_draw_stratify (get_parameter (plan, i), plan->first_seed, plan->n_runs);
  return g_steal_pointer (&plan);
}

guint64
batch_plan_get_n_runs (BatchPlan *plan)
{
  return plan->n_runs;
}

guint
batch_plan_get_n_paths (BatchPlan *plan)
{
  return plan->parameters->len;
}

const char *
batch_plan_get_path (BatchPlan *plan, guint i)
{
  return get_parameter (plan, i)->path;
}

gboolean
batch_plan_is_seed (BatchPlan *plan, guint i)
{
  return get_parameter (plan, i) == plan->seed;
}

char *
batch_plan_print_value (BatchPlan *plan, guint i, guint64 run)
{
  BatchParameter *parameter = get_parameter (plan, i);
  guint64 index;

  if (is_draw (parameter))
    return batch_draw_print (parameter, plan->first_seed, run, plan->n_runs);
  index = run % plan->n_points / parameter->stride % parameter->n;
  return parameter->kind == BATCH_RANGE ? batch_range_print (&parameter->range, index)
                                        : g_strdup (parameter->values->pdata[index]);
}

guint64
batch_plan_get_seed (BatchPlan *plan, guint64 run)
{
  for (guint i = 0; i < plan->parameters->len; i++)
    if (batch_plan_is_seed (plan, i)) {
      g_autofree char *text = batch_plan_print_value (plan, i, run);

      return g_ascii_strtoull (text, NULL, 10);
    }
  return plan->first_seed + run;
}
