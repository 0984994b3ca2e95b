/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* What of a point is changed. With a distance the point moves along its ray. */
typedef enum {
  TARGET_ALL, /* every number by itself */
  TARGET_X,
  TARGET_Y,
  TARGET_Z,
  TARGET_RANGE, /* from the sensor */
  TARGET_DEPTH, /* from the plane of the sensor, along z */
} TargetPart;

/* Many numbers of one field: those of a buffer, or of a variant. */
typedef struct {
  const OrreryField *field;
  OrreryBuffer **place; /* NULL: it is a variant */
  GVariant **variant;
  gboolean is_cloud; /* triples, of which 0, 0, 0 stands for nothing */
  TargetPart part;
} Target;

/*
 * The buffer of a target, to be written. An item is a pixel, a point or a number; alpha is not
 * among the numbers that are changed.
 */
typedef struct {
  OrreryElement element;
  gpointer data;
  gsize n;      /* items */
  guint stride; /* numbers from one item to the next */
  guint used;   /* numbers of an item that are read and written, the first ones */
  gsize width;  /* items of a row; 0: it has no rows */
  gsize height;
  gboolean is_cloud;
  TargetPart part;
} View;

/* Items that are taken out at once, and the most numbers that one has. */
#define VIEW_BLOCK 256
#define VIEW_MOST 4

/* FALSE: there is nothing in it, or no memory. Somebody else who reads what is there keeps it. */
gboolean view_open (View *self, Target *target);

/* What is taken out of a view: numbers, and of points the triples that they are of. */
typedef struct {
  gsize first, n; /* items */
  gsize n_values;
  double values[VIEW_BLOCK * VIEW_MOST];
  double before[VIEW_BLOCK * VIEW_MOST]; /* the values as they were */
  double points[VIEW_BLOCK * 3];
} Block;

/* At most VIEW_BLOCK items from @first on. */
void view_take (const View *self, Block *block, gsize first, gsize n);
/* Puts the values back: whole numbers are rounded and kept within what their type holds, and points
 * that stand for nothing stay. */
void view_put (const View *self, Block *block);
/* The same value for all numbers of an item, also of a point that stands for nothing. */
void view_set (const View *self, gsize item, double value);

/* The largest number that the elements hold; infinity for floats. */
double view_get_most (const View *self);
