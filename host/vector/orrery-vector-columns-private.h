/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-number-place-private.h"
#include "simulation/orrery-simulation.h"

/*
 * What is named of a scene, as columns, and where it lies in one of its simulations. All
 * simulations of a scene have the same columns.
 */
typedef struct {
  char *name;  /* as the user wrote it */
  guint width; /* columns */
} OrreryColumns;

/* Of one simulation: one number, or the numbers of an array. */
typedef struct {
  OrreryNumberPlace number;
  OrreryBuffer *const *buffer; /* NULL: it is one number */
  guint width;                 /* columns of the array */
} OrreryColumnPlace;

void orrery_columns_clear (gpointer columns);

/* Appends the places of @name to @places (element-type OrreryColumnPlace).
 * @component: (out): the one that it is of */
gboolean orrery_columns_find (OrrerySimulation *simulation, const char *name, GArray *places,
                              OrreryComponent **component, GError **error);
/* How many numbers the arrays among the places have now: FALSE if one of them is empty. */
gboolean orrery_columns_measure (GArray *places, guint begin, guint *width);
/* @row: as many numbers as the places have columns */
void orrery_columns_read (GArray *places, double *row);
/* Returns the index of the first number that its place cannot take, or -1. */
int orrery_columns_check (GArray *places, const double *row);
void orrery_columns_write (GArray *places, const double *row);
