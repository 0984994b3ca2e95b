/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Three axes of which one option gives the deviations of noise. */
typedef struct {
  const char *option;
  const char *const *axes; /* (array zero-terminated=1): three names */
} Deviation;

/* @value: a number for all axes, or a dictionary by axis (axes that it lacks are -1). Errors do not
 * name the option. */
gboolean deviation_read (const Deviation *self, GVariant *value, double sigmas[3], GError **error);

/* An option of MORSE is the config's, else the environment's of the same name, else the default. */
gboolean deviation_read_number (OrrerySetup *setup, const char *name, double *number,
                                GError **error);
