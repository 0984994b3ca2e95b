/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "target.h"

/* How likely it is that a number of a picture becomes another: @weights: 256 of them, in any
 * measure. @options: those of the modifier. */
typedef void (*TableWeigh) (const double *options, guint value, double *weights);

#define TABLE_SIZE 256
#define TABLE_OPTIONS 4

/*
 * What becomes of each number of a byte, drawn with one word for two numbers: an alias table for
 * each of the 256 (Walker: An efficient method for generating discrete random variables with
 * general distributions, ACM Trans. Math. Softw. 3, 1977; made as by Vose, IEEE Trans. Softw. Eng.
 * 17, 1991). An entry has 24 bits of probability, and in the lowest 8 what comes else.
 */
typedef struct {
  gboolean is_made;
  double options[TABLE_OPTIONS]; /* that it was made for */
  guint32 entries[TABLE_SIZE][TABLE_SIZE];
} Table;

/* Makes the table, unless it is made for these options. */
void table_prepare (Table *self, TableWeigh weigh, const double *options);
/* Draws every number of a view of bytes. */
void table_apply (const Table *self, OrreryRandom *random, const View *view);

/* What becomes of each byte where nothing is drawn. */
void table_map (const double *values, const View *view);
