/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates expressions over fields of records, tick by tick. */
#include "record/orrery-expression-private.h"

#include "base/orrery-types.h"

#include <math.h>

OrreryExpression *
orrery_expression_new (const char *text, OrreryFindRecordFunc find, gpointer user_data,
                       GError **error)
{
  g_autoptr (OrreryExpression) expression = NULL;

  g_return_val_if_fail (text != NULL && find != NULL, NULL);

  expression = g_new0 (OrreryExpression, 1);
  expression->records = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_record_unref);
  expression->steps = g_array_new (FALSE, TRUE, sizeof (OrreryExpressionStep));
  expression->value = NAN;
  if (!orrery_expression_parse (expression, text, find, user_data, error))
    return NULL;
  expression->stack = g_new (double, expression->max_stack);
  return g_steal_pointer (&expression);
}

void
orrery_expression_free (OrreryExpression *expression)
{
  g_ptr_array_unref (expression->records);
  g_array_unref (expression->steps);
  g_free (expression->stack);
  g_free (expression);
}

void
orrery_expression_reset (OrreryExpression *expression)
{
  expression->n_ticks = 0;
  expression->value = NAN;
}

double
orrery_expression_get_value (OrreryExpression *expression)
{
  return expression->value;
}

/* Ticks, value, and the number of each step. */
#define STATE "(tdad)"

GVariant *
orrery_expression_save (OrreryExpression *expression)
{
  GVariantBuilder numbers;

  g_variant_builder_init (&numbers, G_VARIANT_TYPE ("ad"));
  for (guint i = 0; i < expression->steps->len; i++)
    g_variant_builder_add (&numbers, "d",
                           g_array_index (expression->steps, OrreryExpressionStep, i).number);
  return g_variant_new (STATE, expression->n_ticks, expression->value, &numbers);
}

gboolean
orrery_expression_restore (OrreryExpression *expression, GVariant *state)
{
  g_autoptr (GVariant) list = NULL;
  const double *numbers;
  gsize n = 0;

  if (!g_variant_is_of_type (state, G_VARIANT_TYPE (STATE)))
    return FALSE;
  list = g_variant_get_child_value (state, 2);
  numbers = g_variant_get_fixed_array (list, &n, sizeof *numbers);
  if (n != expression->steps->len)
    return FALSE;
  g_variant_get_child (state, 0, "t", &expression->n_ticks);
  g_variant_get_child (state, 1, "d", &expression->value);
  for (gsize i = 0; i < n; i++) {
    OrreryExpressionStep *step = &g_array_index (expression->steps, OrreryExpressionStep, i);

    /* The numbers of the text are those of the text. */
    if (step->op >= ORRERY_OP_FIRST)
      step->number = numbers[i];
  }
  return TRUE;
}

static gboolean
is_true (double x)
{
  return x < 0 || x > 0;
}

/* What is not a number stays. */
static double
get_least (double a, double b)
{
  return a < b || isnan (a) ? a : b;
}

static double
get_greatest (double a, double b)
{
  return a > b || isnan (a) ? a : b;
}

static double
find_leaf (const OrreryExpressionStep *step, double time)
{
  switch (step->op) {
  case ORRERY_OP_NUMBER:
    return step->number;
  case ORRERY_OP_FIELD:
    return step->to_double (step->place);
  case ORRERY_OP_TIMESTAMP:
    return orrery_time_to_seconds (orrery_record_get_timestamp ((OrreryRecord *) step->place));
  case ORRERY_OP_TIME:
    return time;
  default:
    return orrery_expression_read_array (step);
  }
}

static double
apply_function (OrreryOp op, const double *x)
{
  switch (op) {
  case ORRERY_OP_NEGATE:
    return -x[0];
  case ORRERY_OP_NOT:
    return !is_true (x[0]);
  case ORRERY_OP_ABS:
    return fabs (x[0]);
  case ORRERY_OP_SQRT:
    return sqrt (x[0]);
  case ORRERY_OP_SIN:
    return sin (x[0]);
  case ORRERY_OP_COS:
    return cos (x[0]);
  case ORRERY_OP_HYPOT:
    return hypot (x[0], x[1]);
  default:
    return get_greatest (get_least (x[0], x[2]), x[1]);
  }
}

static double
apply_operator (OrreryOp op, double a, double b)
{
  switch (op) {
  case ORRERY_OP_ADD:
    return a + b;
  case ORRERY_OP_SUBTRACT:
    return a - b;
  case ORRERY_OP_MULTIPLY:
    return a * b;
  case ORRERY_OP_DIVIDE:
    return a / b;
  case ORRERY_OP_LESS:
    return a < b;
  case ORRERY_OP_LESS_EQUAL:
    return a <= b;
  case ORRERY_OP_GREATER:
    return a > b;
  case ORRERY_OP_GREATER_EQUAL:
    return a >= b;
  case ORRERY_OP_EQUAL:
    return a == b;
  case ORRERY_OP_NOT_EQUAL:
    return a != b;
  case ORRERY_OP_AND:
    return is_true (a) && is_true (b);
  default:
    return is_true (a) || is_true (b);
  }
}

static double
fold_two (OrreryOp op, double a, double b)
{
  switch (op) {
  case ORRERY_OP_MIN:
    return get_least (a, b);
  case ORRERY_OP_MAX:
    return get_greatest (a, b);
  case ORRERY_OP_NORM:
    return hypot (a, b);
  default:
    return a + b;
  }
}

/* min, max, norm, sum, mean and count */
static double
fold (OrreryOp op, const double *x, guint n)
{
  double out = op == ORRERY_OP_NORM ? fabs (x[0]) : x[0];

  if (op == ORRERY_OP_COUNT)
    return n;
  for (guint i = 1; i < n; i++)
    out = fold_two (op, out, x[i]);
  return op == ORRERY_OP_MEAN ? out / n : out;
}

/* @n_ticks: before this one */
static double
go_on (OrreryExpressionStep *step, double x, guint64 n_ticks)
{
  if (n_ticks == 0 || step->op == ORRERY_OP_LAST) {
    step->number = x;
    return x;
  }
  if (step->op == ORRERY_OP_MIN_OVER)
    step->number = get_least (step->number, x);
  else if (step->op == ORRERY_OP_MAX_OVER)
    step->number = get_greatest (step->number, x);
  else if (step->op == ORRERY_OP_MEAN_OVER)
    step->number += (x - step->number) / (double) (n_ticks + 1);
  return step->number;
}

double
orrery_expression_step (OrreryExpression *expression, double time)
{
  double *top = expression->stack;

  for (guint i = 0; i < expression->steps->len; i++) {
    OrreryExpressionStep *step = &g_array_index (expression->steps, OrreryExpressionStep, i);

    top -= step->n;
    if (step->op <= ORRERY_OP_TIME)
      *top = find_leaf (step, time);
    else if (step->op >= ORRERY_OP_FIRST)
      *top = go_on (step, *top, expression->n_ticks);
    else if (step->op >= ORRERY_OP_MIN)
      *top = fold (step->op, top, step->n);
    else if (step->op >= ORRERY_OP_ADD && step->op <= ORRERY_OP_OR)
      *top = apply_operator (step->op, top[0], top[1]);
    else
      *top = apply_function (step->op, top);
    top++;
  }
  expression->n_ticks++;
  expression->value = expression->stack[0];
  return expression->value;
}
