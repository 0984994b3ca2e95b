/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* The numbers of a record that a modifier works on. */
typedef struct {
  double **values; /* single ones, by field and axis */
  guint n_values;
  OrreryBuffer ***arrays; /* where fields of type array and points keep theirs */
  guint n_arrays;
} Selection;

/*
 * @names: fields with commas between, each a double, vec3, euler, array or points, or one axis of a
 * vec3 or euler (`linear_acceleration.x`); "": all of them that the record has.
 * @arrays: whether arrays and points will do.
 */
gboolean selection_find (Selection *self, OrreryRecord *record, const char *names, gboolean arrays,
                         GError **error);
void selection_clear (Selection *self);

/* The numbers of an array, to be written; a view of the old ones keeps them. */
double *selection_get_array (Selection *self, guint index, gsize *n);
