/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a run recorded and filmed. */
#include "cli.h"

#define FILM "orrery.observers.film.Film"

gboolean
cli_record (OrrerySimulation *simulation, const char *path, gboolean waits, GError **error)
{
  GVariantBuilder properties;

  if (path == NULL)
    return TRUE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&properties, "{sv}", "wait", g_variant_new_boolean (waits));
  return orrery_simulation_record (simulation, path, g_variant_builder_end (&properties), error) !=
         NULL;
}

gboolean
cli_film_add (OrrerySimulation *simulation, GVariant *properties, GError **error)
{
  if (orrery_simulation_add_observer (simulation, FILM, properties, error) != NULL)
    return TRUE;
  if (error != NULL && g_error_matches (*error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
    g_prefix_error (error, "drawing needs libgdk-pixbuf-2.0-dev and libmujoco-dev when Orrery is "
                           "built, and libegl1 or libosmesa6: ");
  return FALSE;
}

gboolean
cli_film (OrrerySimulation *simulation, const char *path, GError **error)
{
  GVariantBuilder properties;

  if (path == NULL)
    return TRUE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&properties, "{sv}", "file", g_variant_new_string (path));
  return cli_film_add (simulation, g_variant_builder_end (&properties), error);
}
