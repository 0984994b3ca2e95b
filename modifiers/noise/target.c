/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes pictures, clouds and arrays of any element type as doubles. */
#include "target.h"

#include <math.h>
#include <string.h>

/* Red, green, blue and alpha. */
#define COLOURS 4

/* --- writable --- */

static OrreryBuffer *
new_like (OrreryBuffer *buffer)
{
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS] = { 0 };
  guint n = orrery_buffer_get_n_dimensions (buffer);

  for (guint i = 0; i < n; i++)
    shape[i] = orrery_buffer_get_length (buffer, i);
  return orrery_buffer_new (orrery_buffer_get_element (buffer), n, shape);
}

/* What somebody else holds is copied. */
static gboolean
make_writable (OrreryBuffer **place)
{
  OrreryBuffer *copy;

  if (orrery_buffer_is_writable (*place))
    return TRUE;
  copy = new_like (*place);
  if (copy == NULL)
    return FALSE;
  memcpy (orrery_buffer_get_data (copy), orrery_buffer_get_data (*place),
          orrery_buffer_get_size (copy));
  orrery_buffer_unref (*place);
  *place = copy;
  return TRUE;
}

static void
find_shape (View *self, OrreryBuffer *buffer)
{
  guint n = orrery_buffer_get_n_dimensions (buffer);
  gsize last = orrery_buffer_get_length (buffer, n - 1);

  self->stride = 1;
  if (n == 2 && self->is_cloud)
    self->stride = last == 3 ? 3 : 1;
  else if (n == 3 && last <= VIEW_MOST)
    self->stride = (guint) last;
  self->is_cloud = self->is_cloud && self->stride == 3;
  self->used = n == 3 && self->stride == COLOURS ? COLOURS - 1 : self->stride;
  if (n >= 2 && !self->is_cloud) {
    self->height = orrery_buffer_get_length (buffer, 0);
    self->width = orrery_buffer_get_length (buffer, 1);
  }
}

gboolean
view_open (View *self, Target *target)
{
  gsize size;

  if (target->place == NULL || *target->place == NULL ||
      orrery_buffer_get_size (*target->place) == 0 || !make_writable (target->place))
    return FALSE;
  *self = (View){ .element = orrery_buffer_get_element (*target->place),
                  .data = orrery_buffer_get_data (*target->place),
                  .is_cloud = target->is_cloud,
                  .part = target->part };
  find_shape (self, *target->place);
  size = orrery_element_get_size (self->element) * self->stride;
  self->n = orrery_buffer_get_size (*target->place) / size;
  return TRUE;
}

double
view_get_most (const View *self)
{
  static const double most[] = {
    [ORRERY_ELEMENT_UINT8] = G_MAXUINT8,     [ORRERY_ELEMENT_INT8] = G_MAXINT8,
    [ORRERY_ELEMENT_UINT16] = G_MAXUINT16,   [ORRERY_ELEMENT_INT16] = G_MAXINT16,
    [ORRERY_ELEMENT_UINT32] = G_MAXUINT32,   [ORRERY_ELEMENT_INT32] = G_MAXINT32,
    [ORRERY_ELEMENT_UINT64] = 0x1p64 - 2048, [ORRERY_ELEMENT_INT64] = 0x1p63 - 1024,
    [ORRERY_ELEMENT_FLOAT] = INFINITY,       [ORRERY_ELEMENT_DOUBLE] = INFINITY,
  };

  return most[self->element];
}

/* --- numbers of all types --- */

#define READ(Type)                                                                                 \
  for (gsize i = 0; i < n; i++)                                                                    \
    for (guint c = 0; c < used; c++)                                                               \
      out[i * used + c] = (double) ((const Type *) self->data)[(first + i) * stride + c];          \
  break

static void
read_items (const View *self, gsize first, gsize n, double *out)
{
  guint used = self->used, stride = self->stride;

  switch (self->element) {
  case ORRERY_ELEMENT_UINT8:
    READ (guint8);
  case ORRERY_ELEMENT_INT8:
    READ (gint8);
  case ORRERY_ELEMENT_UINT16:
    READ (guint16);
  case ORRERY_ELEMENT_INT16:
    READ (gint16);
  case ORRERY_ELEMENT_UINT32:
    READ (guint32);
  case ORRERY_ELEMENT_INT32:
    READ (gint32);
  case ORRERY_ELEMENT_UINT64:
    READ (guint64);
  case ORRERY_ELEMENT_INT64:
    READ (gint64);
  case ORRERY_ELEMENT_FLOAT:
    READ (float);
  case ORRERY_ELEMENT_DOUBLE:
    READ (double);
  }
}

#define WRITE(Type, value)                                                                         \
  for (gsize i = 0; i < n; i++)                                                                    \
    for (guint c = 0; c < used; c++) {                                                             \
      double v = in[i * used + c];                                                                 \
      ((Type *) self->data)[(first + i) * stride + c] = (Type) (value);                            \
    }                                                                                              \
  break
/* Doubles do not hold all of 64 bits: what was not changed stays as it was. */
#define WRITE_CHANGED(Type, value)                                                                 \
  for (gsize i = 0; i < n; i++)                                                                    \
    for (guint c = 0; c < used; c++) {                                                             \
      double v = in[i * used + c];                                                                 \
      if (before == NULL || v != before[i * used + c])                                             \
        ((Type *) self->data)[(first + i) * stride + c] = (Type) (value);                          \
    }                                                                                              \
  break
/* What is no number becomes the least. Comparisons and sums, since functions of the library would
 * take most of the time of a picture. */
#define WITHIN(least) (v > (least) ? v < most ? v : most : (least))
/* To the nearest whole number, of two to the even one, for what fits in 51 bits. */
#define TO_WHOLE 0x1.8p52
#define ROUNDED(least) ((WITHIN (least) + TO_WHOLE) - TO_WHOLE)

/* @before: (nullable): the numbers as they were read */
static void
write_items (const View *self, gsize first, gsize n, const double *in, const double *before)
{
  guint used = self->used, stride = self->stride;
  double most = view_get_most (self);

  switch (self->element) {
  case ORRERY_ELEMENT_UINT8:
    WRITE (guint8, ROUNDED (0));
  case ORRERY_ELEMENT_INT8:
    WRITE (gint8, ROUNDED (G_MININT8));
  case ORRERY_ELEMENT_UINT16:
    WRITE (guint16, ROUNDED (0));
  case ORRERY_ELEMENT_INT16:
    WRITE (gint16, ROUNDED (G_MININT16));
  case ORRERY_ELEMENT_UINT32:
    WRITE (guint32, ROUNDED (0));
  case ORRERY_ELEMENT_INT32:
    WRITE (gint32, ROUNDED (G_MININT32));
  case ORRERY_ELEMENT_UINT64:
    WRITE_CHANGED (guint64, rint (WITHIN (0)));
  case ORRERY_ELEMENT_INT64:
    WRITE_CHANGED (gint64, rint (WITHIN (-0x1p63)));
  case ORRERY_ELEMENT_FLOAT:
    WRITE (float, v);
  case ORRERY_ELEMENT_DOUBLE:
    WRITE (double, v);
  }
}

/* --- blocks --- */

static double
get_part (const double *point, TargetPart part)
{
  switch (part) {
  case TARGET_X:
    return point[0];
  case TARGET_Y:
    return point[1];
  case TARGET_RANGE:
    return sqrt (point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
  default:
    return point[2];
  }
}

static void
set_part (double *point, TargetPart part, double before, double value)
{
  if (part <= TARGET_Z) {
    point[part - TARGET_X] = value;
    return;
  }
  /* Behind the sensor there is nothing that it sees. */
  for (int c = 0; c < 3; c++)
    point[c] = before > 0 && value > 0 ? point[c] * (value / before) : 0;
}

static gboolean
is_nothing (const double *point)
{
  return point[0] == 0 && point[1] == 0 && point[2] == 0;
}

void
view_take (const View *self, Block *block, gsize first, gsize n)
{
  gboolean by_part = self->is_cloud && self->part != TARGET_ALL;

  block->first = first;
  block->n = n;
  block->n_values = by_part ? n : n * self->used;
  if (!self->is_cloud) {
    read_items (self, first, n, block->values);
  } else {
    read_items (self, first, n, block->points);
    if (!by_part)
      memcpy (block->values, block->points, block->n_values * sizeof (double));
    for (gsize i = 0; by_part && i < n; i++)
      block->values[i] = get_part (block->points + 3 * i, self->part);
  }
  memcpy (block->before, block->values, block->n_values * sizeof (double));
}

void
view_put (const View *self, Block *block)
{
  if (!self->is_cloud) {
    write_items (self, block->first, block->n, block->values, block->before);
    return;
  }
  for (gsize i = 0; i < block->n; i++) {
    double *point = block->points + 3 * i;

    if (is_nothing (point))
      continue;
    if (self->part == TARGET_ALL)
      memcpy (point, block->values + 3 * i, 3 * sizeof (double));
    else
      set_part (point, self->part, block->before[i], block->values[i]);
  }
  write_items (self, block->first, block->n, block->points, NULL);
}

void
view_set (const View *self, gsize item, double value)
{
  double numbers[VIEW_MOST] = { value, value, value, value };

  if (self->is_cloud && self->part != TARGET_ALL) {
    read_items (self, item, 1, numbers);
    set_part (numbers, self->part, get_part (numbers, self->part), value);
  }
  write_items (self, item, 1, numbers, NULL);
}
