/* SPDX-License-Identifier: BSD-3-Clause */
/* Records a run, for programs, for Python and for the command line alike. */
#include "simulation/orrery-simulation-private.h"

#include "base/orrery-error-private.h"

/* A plugin, which the library does not link. */
#define RECORDER "orrery.observers.recorder.Recorder"

OrreryObserver *
orrery_simulation_record (OrrerySimulation *simulation, const char *path, GVariant *properties,
                          GError **error)
{
  g_autoptr (GVariant) given = properties != NULL ? g_variant_ref_sink (properties) : NULL;
  GVariantDict all;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (given == NULL || g_variant_is_of_type (given, G_VARIANT_TYPE_VARDICT),
                        NULL);

  g_variant_dict_init (&all, given);
  if (g_variant_dict_contains (&all, "file")) {
    g_variant_dict_clear (&all);
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "a recording has its file as the path, and no property 'file'");
  }
  /* A path is bytes; properties are texts. */
  if (!g_utf8_validate (path, -1, NULL)) {
    g_variant_dict_clear (&all);
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "the path of a recording is UTF-8");
  }
  g_variant_dict_insert (&all, "file", "s", path);
  if (!g_variant_dict_contains (&all, "wait"))
    g_variant_dict_insert (&all, "wait", "b", TRUE);
  return orrery_simulation_add_observer (simulation, RECORDER, g_variant_dict_end (&all), error);
}
