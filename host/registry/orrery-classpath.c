/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a classpath apart and finds the file that has its class. */
#include "base/orrery-error-private.h"
#include "registry/orrery-classpath-private.h"

#include <string.h>

static const char *const suffixes[ORRERY_N_MODULE_KINDS] = { ".so", ".py", ".json" };

void
orrery_module_place_free (OrreryModulePlace *place)
{
  if (place == NULL)
    return;
  g_free (place->module);
  g_free (place->file);
  g_free (place->directory);
  g_free (place->class_name);
  g_free (place);
}

const char *
orrery_module_kind_get_name (OrreryModuleKind kind)
{
  return suffixes[kind] + 1;
}

/* Returns the end of the identifier at @text, or NULL if there is none. */
static const char *
skip_identifier (const char *text)
{
  if (!g_ascii_isalpha (*text) && *text != '_')
    return NULL;
  while (g_ascii_isalnum (*text) || *text == '_')
    text++;
  return text;
}

gboolean
orrery_is_dotted_name (const char *text, guint max_parts)
{
  for (guint parts = 1; parts <= max_parts; parts++) {
    text = skip_identifier (text);
    if (text == NULL)
      return FALSE;
    if (*text == '\0')
      return TRUE;
    if (*text++ != '.')
      return FALSE;
  }
  return FALSE;
}

char *
orrery_classpath_read (const char *text, GError **error)
{
  g_autofree char *classpath = NULL;

  if (strlen (text) > ORRERY_CLASSPATH_MAX_LENGTH)
    return orrery_set_error_null (error, ORRERY_ERROR_CONFIG,
                                  "%.40s...: a classpath has at most %d letters, this one has %zu",
                                  text, ORRERY_CLASSPATH_MAX_LENGTH, strlen (text));
  if (g_str_has_prefix (text, "morse."))
    classpath = g_strconcat ("orrery.", text + strlen ("morse."), NULL);
  else
    classpath = g_strdup (text);
  if (strchr (text, '.') == NULL || !orrery_is_dotted_name (text, ORRERY_CLASSPATH_MAX_PARTS)) {
    g_autofree char *shown = g_strescape (text, NULL);

    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
        "'%s' is no classpath: that is a module and a class, 2 to %d names joined by dots, "
        "as orrery.sensors.pose.Pose",
        shown, ORRERY_CLASSPATH_MAX_PARTS);
    return NULL;
  }
  return g_steal_pointer (&classpath);
}

char *
orrery_module_get_path (const char *module, OrreryModuleKind kind)
{
  g_autofree char *stem = g_strdelimit (g_strdup (module), ".", '/');

  return g_strconcat (stem, suffixes[kind], NULL);
}

/* Returns a file of that kind, or NULL. A module in Python may also be a package. */
static char *
find_file_of_kind (const char *directory, const char *module, OrreryModuleKind kind)
{
  g_autofree char *name = orrery_module_get_path (module, kind);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *package = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&path);
  if (kind != ORRERY_MODULE_PY)
    return NULL;
  name[strlen (name) - strlen (suffixes[kind])] = '\0';
  package = g_build_filename (directory, name, ORRERY_PYTHON_PACKAGE, NULL);
  return g_file_test (package, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&package) : NULL;
}

/* The file of @module in one directory, or NULL. */
static char *
find_file (const char *directory, const char *module, guint kinds, OrreryModuleKind *kind)
{
  char *found = NULL;

  for (guint i = 0; i < ORRERY_N_MODULE_KINDS; i++) {
    g_autofree char *path = (kinds & 1u << i) ? find_file_of_kind (directory, module, i) : NULL;

    if (path == NULL)
      continue;
    if (found != NULL) {
      g_info ("%s: not used, since %s comes first", path, found);
      continue;
    }
    *kind = i;
    found = g_steal_pointer (&path);
  }
  return found;
}

static OrreryModulePlace *
find_module (const char *const *directories, const char *module, guint kinds)
{
  OrreryModuleKind kind;

  for (guint i = 0; directories[i] != NULL; i++) {
    char *file = find_file (directories[i], module, kinds, &kind);

    if (file != NULL) {
      OrreryModulePlace *place = g_new0 (OrreryModulePlace, 1);

      place->kind = kind;
      place->module = g_strdup (module);
      place->file = file;
      place->directory = g_strdup (directories[i]);
      return place;
    }
  }
  return NULL;
}

static OrreryModulePlace *
find_place (const char *const *directories, const char *classpath, guint kinds)
{
  g_autofree char *module = g_strdup (classpath);
  char *dot;

  /* The longest path is tried first, so that the file of a single class takes precedence over that
   * of a family. */
  while ((dot = strrchr (module, '.')) != NULL) {
    OrreryModulePlace *place;

    *dot = '\0';
    place = find_module (directories, module, kinds);
    if (place != NULL) {
      place->class_name = g_strdup (classpath + (dot - module) + 1);
      return place;
    }
  }
  return NULL;
}

OrreryModulePlace *
orrery_classpath_find (const char *const *directories, const char *classpath)
{
  return find_place (directories, classpath, (1u << ORRERY_N_MODULE_KINDS) - 1);
}

OrreryModulePlace *
orrery_classpath_find_kind (const char *const *directories, const char *classpath,
                            OrreryModuleKind kind)
{
  return find_place (directories, classpath, 1u << kind);
}
