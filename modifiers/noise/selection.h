/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "target.h"

/* A whole number, and what stands for it while it is changed. */
typedef struct {
  gint64 *place;
  double *value;
} Whole;

/* The numbers of a record that a modifier works on. */
typedef struct {
  double **values;            /* single ones, by field and axis */
  const OrreryField **fields; /* whose they are */
  guint n_values;
  Whole *wholes; /* those of the values that are not doubles in the record */
  guint n_wholes;
  OrreryQuat **turns; /* whose length is 1 */
  guint n_turns;
  Target *targets;
  guint n_targets;
} Selection;

typedef enum {
  SELECT_DOUBLES,    /* numbers that stay at their place for the life of the record */
  SELECT_NUMBERS,    /* and whole numbers */
  SELECT_EVERYTHING, /* and arrays, points, pictures, and numbers in variants */
} SelectionKinds;

/*
 * @sensor: (nullable): knows which fields hang on others.
 * @names: fields with commas between, each with numbers in it, or one axis of a vec3 or euler
 * (`linear_acceleration.x`), or a part of points (`points.range`); "": all measured numbers that
 * the record has, without those that are computed from others.
 */
gboolean selection_find (Selection *self, OrreryRecord *record, OrrerySensor *sensor,
                         const char *names, SelectionKinds kinds, GError **error);
void selection_clear (Selection *self);

/* Before and after the values are changed: whole numbers are rounded, turns get their length. */
void selection_open (Selection *self);
void selection_close (Selection *self);
