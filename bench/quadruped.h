/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#define BENCH_LEGS 4

/* So many robots r0, r1 and so on, with the actuators ma0_0, mb0_0, mc0_0, ma0_1 ...: hip, thigh
 * and knee of each leg. MuJoCo is given room for @n_rows of constraints and for @n_contacts. */
char *bench_write_quadrupeds (guint n, guint n_rows, guint n_contacts);
