/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a run recorded, filmed, and made a page of. */
#include "cli.h"

#define FILM "orrery.observers.film.Film"
#define PAGE "orrery.middleware.viewer.Page"

gboolean
cli_record_check (const char *command, const CliRecord *record)
{
  const char *option = record->only != NULL ? "--record-only" : "--record-full";

  if (record->file == NULL && (record->only != NULL || record->full)) {
    cli_usage (command, "%s says how --record records, which is missing", option);
    return FALSE;
  }
  if (record->only != NULL && !g_str_equal (record->only, "inputs")) {
    cli_usage (command,
               "--record-only: '%.60s' is nothing that can be recorded alone; there is "
               "inputs",
               record->only);
    return FALSE;
  }
  if (record->only != NULL && record->full) {
    cli_usage (command, "--record-full is about records, of which --record-only=%s has none",
               record->only);
    return FALSE;
  }
  return TRUE;
}

void
cli_record_add_properties (const CliRecord *record, GVariantBuilder *properties)
{
  if (record->only != NULL)
    g_variant_builder_add (properties, "{sv}", "contents", g_variant_new_string (record->only));
  if (!record->full)
    return;
  g_variant_builder_add (properties, "{sv}", "precise", g_variant_new_boolean (TRUE));
  g_variant_builder_add (properties, "{sv}", "derived", g_variant_new_boolean (TRUE));
}

gboolean
cli_record (OrrerySimulation *simulation, const CliRecord *record, gboolean waits, GError **error)
{
  GVariantBuilder properties;

  if (record->file == NULL)
    return TRUE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&properties, "{sv}", "wait", g_variant_new_boolean (waits));
  cli_record_add_properties (record, &properties);
  return orrery_simulation_record (simulation, record->file, g_variant_builder_end (&properties),
                                   error) != NULL;
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

gboolean
cli_page_check (const char *command, const char *path)
{
  if (path == NULL || g_str_has_suffix (path, ".html"))
    return TRUE;
  cli_usage (command, "--page FILE.html writes a page for a browser, so %.200s must end in .html",
             path);
  return FALSE;
}

gboolean
cli_page (OrrerySimulation *simulation, const char *path, const char *file, GError **error)
{
  g_autofree char *title = g_path_get_basename (file);
  GVariantBuilder properties;

  if (path == NULL)
    return TRUE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&properties, "{sv}", "file", g_variant_new_string (path));
  g_variant_builder_add (&properties, "{sv}", "title", g_variant_new_string (title));
  if (orrery_simulation_add_observer (simulation, PAGE, g_variant_builder_end (&properties),
                                      error) != NULL)
    return TRUE;
  if (error != NULL && g_error_matches (*error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
    g_prefix_error (error, "--page: this build has no viewer; install the package "
                           "libsoup-3.0-dev and build it anew: ");
  else
    g_prefix_error (error, "--page: ");
  return FALSE;
}
