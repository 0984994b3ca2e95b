/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise of bytes by tables: exact distributions at the cost of a look-up. */
#include "table.h"

#include <math.h>
#include <string.h>

#define SHIFT 8
#define CERTAIN 0x1p24

/* Columns that have less than their share are filled up by those that have more. */
static void
make_row (double *weights, guint32 *row)
{
  guint8 low[TABLE_SIZE], high[TABLE_SIZE];
  guint n_low = 0, n_high = 0;
  double sum = 0;

  for (guint i = 0; i < TABLE_SIZE; i++)
    sum += weights[i];
  for (guint i = 0; i < TABLE_SIZE; i++) {
    weights[i] *= TABLE_SIZE / sum;
    row[i] = i;
    if (weights[i] < 1)
      low[n_low++] = (guint8) i;
    else
      high[n_high++] = (guint8) i;
  }
  while (n_low > 0 && n_high > 0) {
    guint8 small = low[--n_low], large = high[n_high - 1];

    row[small] = (guint32) (weights[small] * CERTAIN) << SHIFT | large;
    weights[large] -= 1 - weights[small];
    if (weights[large] < 1) {
      n_high--;
      low[n_low++] = large;
    }
  }
}

void
table_prepare (Table *self, TableWeigh weigh, const double *options)
{
  double weights[TABLE_SIZE];

  if (self->is_made && memcmp (self->options, options, sizeof self->options) == 0)
    return;
  for (guint value = 0; value < TABLE_SIZE; value++) {
    memset (weights, 0, sizeof weights);
    weigh (options, value, weights);
    make_row (weights, self->entries[value]);
  }
  memcpy (self->options, options, sizeof self->options);
  self->is_made = TRUE;
}

/* @bits: 32, of which the upper 8 choose the column. */
static inline guint8
draw (const guint32 *row, guint32 bits)
{
  guint column = bits >> 24;
  guint32 entry = row[column];

  return (guint8) ((bits & 0xffffff) < entry >> SHIFT ? column : entry & 0xff);
}

void
table_apply (const Table *self, OrreryRandom *random, const View *view)
{
  guint8 *item = view->data;
  guint64 bits = 0;
  gboolean half = FALSE;

  for (gsize i = 0; i < view->n; i++, item += view->stride)
    for (guint c = 0; c < view->used; c++) {
      bits = half ? bits >> 32 : orrery_random_next (random);
      half = !half;
      item[c] = draw (self->entries[item[c]], (guint32) bits);
    }
}

void
table_map (const double *values, const View *view)
{
  guint8 map[TABLE_SIZE];
  guint8 *item = view->data;

  for (guint i = 0; i < TABLE_SIZE; i++)
    map[i] = (guint8) (values[i] > 0 ? rint (MIN (values[i], TABLE_SIZE - 1)) : 0);
  for (gsize i = 0; i < view->n; i++, item += view->stride)
    for (guint c = 0; c < view->used; c++)
      item[c] = map[item[c]];
}
