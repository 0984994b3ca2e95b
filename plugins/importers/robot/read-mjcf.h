/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What read-mjcf writes, to standard output: keys and values of JSON, each with a comma behind it.
 */

#include <mujoco/mujoco.h>

extern const mjModel *m;

void put_text (const char *key, const char *text);
void put_numbers (const char *key, int n, const double *numbers);
void put_number (const char *key, double number);
/* The list of a body's shapes, and its friction. */
void put_geoms (int body);
