/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads arrays for expressions: single elements, and numbers over all of them. */
#include "record/orrery-expression-private.h"

#include <math.h>

static double
find_element (const OrreryExpressionStep *step, OrreryBuffer *buffer)
{
  gsize at = 0;

  if (orrery_buffer_get_n_dimensions (buffer) != step->n_indexes)
    return NAN;
  for (guint i = 0; i < step->n_indexes; i++) {
    gint64 length = (gint64) orrery_buffer_get_length (buffer, i);
    gint64 index = step->indexes[i] < 0 ? step->indexes[i] + length : step->indexes[i];

    if (index < 0 || index >= length)
      return NAN;
    at = at * (gsize) length + (gsize) index;
  }
  return orrery_element_read (orrery_buffer_get_element (buffer), orrery_buffer_get_data (buffer),
                              at);
}

/* What is not a number stays, as in min() and max(). */
static double
reduce (OrreryOp op, OrreryBuffer *buffer, gsize n)
{
  OrreryElement element = orrery_buffer_get_element (buffer);
  gconstpointer data = orrery_buffer_get_data (buffer);
  double out = op == ORRERY_OP_ARRAY_SUM || op == ORRERY_OP_ARRAY_MEAN ? 0 : NAN;

  for (gsize i = 0; i < n; i++) {
    double x = orrery_element_read (element, data, i);

    if (op == ORRERY_OP_ARRAY_SUM || op == ORRERY_OP_ARRAY_MEAN)
      out += x;
    else if (i == 0 || isnan (x) || (op == ORRERY_OP_ARRAY_MIN ? x < out : x > out))
      out = x;
    if (isnan (out))
      break;
  }
  return op == ORRERY_OP_ARRAY_MEAN ? out / (double) n : out;
}

double
orrery_expression_read_array (const OrreryExpressionStep *step)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) step->place;
  gsize n = 0;

  if (buffer != NULL)
    n = orrery_buffer_get_size (buffer) /
        orrery_element_get_size (orrery_buffer_get_element (buffer));
  if (step->op == ORRERY_OP_ARRAY_COUNT)
    return (double) n;
  if (n == 0)
    return step->op == ORRERY_OP_ARRAY_SUM ? 0 : NAN;
  return step->op == ORRERY_OP_ELEMENT ? find_element (step, buffer) : reduce (step->op, buffer, n);
}
