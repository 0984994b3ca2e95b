/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files that a URDF file names: meshes, by path or by ROS package. */
#include "urdf-private.h"

#include <string.h>

/* Limit of the file and of each mesh that it names, bytes. */

#define MAX_BYTES (64 * 1024 * 1024)
#define MAX_ABOVE 16 /* folders above the file */

/* ROS 2 installs a package as share/NAME below each of these, ROS 1 beside others. */
static const struct {
  const char *variable;
  const char *below;
} searched[] = {
  { "ROS_PACKAGE_PATH", "" },
  { "AMENT_PREFIX_PATH", "share" },
  { "GAZEBO_MODEL_PATH", "" },
  { "GZ_SIM_RESOURCE_PATH", "" },
};

static char *
find_in_variable (guint i, const char *name)
{
  const char *path = g_getenv (searched[i].variable);
  g_auto (GStrv) given = g_strsplit (path != NULL ? path : "", ":", -1);

  for (char **each = given; *each != NULL; each++) {
    g_autofree char *file = g_build_filename (*each, searched[i].below, name, NULL);

    if (**each != '\0' && g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&file);
  }
  return NULL;
}

/* The folder of a package is the one of the file or one above it, whatever the file's own name for
 * it, or below one that a variable names. */
static char *
find_in_package (const Urdf *urdf, const char *name)
{
  const char *inside = strchr (name, '/');
  g_autofree char *folder = g_strdup (urdf->folder);
  char *found;

  for (guint i = 0; i < G_N_ELEMENTS (searched); i++)
    if ((found = find_in_variable (i, name)) != NULL)
      return found;
  for (guint i = 0; i < MAX_ABOVE && !g_str_equal (folder, "/"); i++) {
    g_autofree char *file = g_build_filename (folder, name, NULL);
    g_autofree char *above = g_path_get_dirname (folder);

    if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&file);
    if (g_str_equal (above, folder))
      break;
    g_free (folder);
    folder = g_steal_pointer (&above);
  }
  /* A package that was copied to a folder of another name: robot/urdf/a.urdf, robot/meshes/b.stl.
   */
  for (guint i = 0; inside != NULL && i < 2; i++) {
    g_autofree char *file = g_build_filename (urdf->folder, i == 0 ? "." : "..", inside, NULL);

    if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&file);
  }
  return NULL;
}

char *
urdf_find_file (const Urdf *urdf, const char *name, GError **error)
{
  g_autofree char *found = NULL;

  if (strstr (name, "..") != NULL && strstr (name, "://") != NULL) {
    urdf_fail (urdf, error, "link '%s': mesh %.200s is outside of its package", urdf->link->name,
               name);
    return NULL;
  }
  if (g_str_has_prefix (name, "package://") || g_str_has_prefix (name, "model://"))
    found = find_in_package (urdf, strstr (name, "://") + strlen ("://"));
  else if (g_str_has_prefix (name, "file://"))
    found = g_strdup (name + strlen ("file://"));
  else if (g_path_is_absolute (name))
    found = g_strdup (name);
  else
    found = g_build_filename (urdf->folder, name, NULL);
  if (found == NULL || !g_file_test (found, G_FILE_TEST_IS_REGULAR)) {
    urdf_fail (urdf, error,
               "link '%s': there is no file %.200s, looked for from %s and in ROS_PACKAGE_PATH, "
               "AMENT_PREFIX_PATH, GAZEBO_MODEL_PATH and GZ_SIM_RESOURCE_PATH",
               urdf->link->name, name, urdf->folder);
    return NULL;
  }
  return g_steal_pointer (&found);
}

gboolean
urdf_read_file (const char *path, OrreryImport *import, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  gsize length;

  if (file == NULL)
    return FALSE;
  orrery_import_note_file (import, path);
  length = g_mapped_file_get_length (file);
  if (length <= MAX_BYTES)
    return urdf_read (length > 0 ? g_mapped_file_get_contents (file) : "", length, path, import,
                      error);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: more than %d MiB", path,
                           MAX_BYTES >> 20);
}
