/* SPDX-License-Identifier: BSD-3-Clause */
/* What modifiers with Gaussian noise share. */
#include "deviation.h"

#include <math.h>

static double
get_number (GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return (double) g_variant_get_int64 (value);
  return NAN;
}

static gboolean
read_sigma (GVariant *value, double *sigma, GError **error)
{
  g_autofree char *text = NULL;

  *sigma = get_number (value);
  if (isfinite (*sigma) && *sigma >= 0)
    return TRUE;

  text = orrery_variant_show (value);
  return orrery_set_error (
      error, ORRERY_ERROR_CONFIG,
      "%s is not a deviation: a number of at least 0, or a dictionary of them by axis", text);
}

static int
find_axis (const Deviation *self, const char *name, GError **error)
{
  g_autofree char *nearest = NULL;

  for (int i = 0; i < 3; i++)
    if (g_str_equal (self->axes[i], name))
      return i;
  nearest = orrery_nearest_names (name, self->axes);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "no axis '%.60s'%s", name, nearest);
  return -1;
}

gboolean
deviation_read (const Deviation *self, GVariant *value, double sigmas[3], GError **error)
{
  GVariantIter iter;
  const char *name;
  GVariant *item;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT)) {
    if (!read_sigma (value, &sigmas[0], error))
      return FALSE;
    sigmas[1] = sigmas[2] = sigmas[0];
    return TRUE;
  }

  sigmas[0] = sigmas[1] = sigmas[2] = -1;
  g_variant_iter_init (&iter, value);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &item)) {
    g_autoptr (GVariant) owned = item;
    int axis = find_axis (self, name, error);

    if (axis < 0 || !read_sigma (owned, &sigmas[axis], error))
      return FALSE;
  }
  return TRUE;
}

gboolean
deviation_read_number (OrrerySetup *setup, const char *name, double *number, GError **error)
{
  GVariant *value = orrery_world_get_value (orrery_setup_get_world (setup), name);
  g_autofree char *text = NULL;

  if (value == NULL || orrery_setup_has_option (setup, name))
    return TRUE;
  *number = get_number (value);
  if (isfinite (*number))
    return TRUE;
  text = orrery_variant_show (value);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "the environment's property '%s' is %s, not a finite number", name,
                           text);
}
