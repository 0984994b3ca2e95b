/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/*
 * The limit: components as arrays of function pointers in plain C, with the same arguments as the
 * host's functions take. No schedule, no errors, no clock, no statistics.
 */
typedef struct _BareStep BareStep;

BareStep *bare_new (guint n, guint n_pointers);
/* Euler angles of a pose, three Gaussians, nothing: the arithmetic is the host's own, inlined. */
BareStep *bare_new_poses (guint n);
void bare_run (BareStep *steps, guint n, guint n_pointers);
void bare_free (BareStep *steps, guint n);
