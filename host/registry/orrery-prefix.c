/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the library is installed. */
#define _GNU_SOURCE
#include "registry/orrery-prefix-private.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Where configure was told to put the library: ORRERY_LIBDIR, and from there to the prefix:
 * ORRERY_PREFIX_FROM_LIBDIR: .., ../.. of lib/x86_64-linux-gnu. */
#define DATA "share/orrery-1"

static char *
find_library_directory (void)
{
  g_autofree char *real = NULL;
  Dl_info info;

  if (dladdr ((gpointer) orrery_get_library_path, &info) != 0)
    real = realpath (info.dli_fname, NULL);
  return real != NULL ? g_path_get_dirname (real) : g_strdup (ORRERY_LIBDIR);
}

/* Found only once, because a relative path of the library would change its meaning after a
 * chdir(). */
static const char *
get_library_directory (void)
{
  static char *directory;

  if (g_once_init_enter (&directory))
    g_once_init_leave (&directory, find_library_directory ());
  return directory;
}

static char *
find_prefix (const char *directory)
{
  g_autofree char *prefix = g_canonicalize_filename (ORRERY_PREFIX_FROM_LIBDIR, directory);
  g_autofree char *data = g_build_filename (prefix, DATA, NULL);

  /* In the build tree the library is in lib/, wherever it will be installed. */
  if (g_file_test (data, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&prefix);
  return g_path_get_dirname (directory);
}

char *
orrery_get_library_path (const char *relative)
{
  return g_build_filename (get_library_directory (), relative, NULL);
}

char *
orrery_get_prefix_path (const char *relative)
{
  g_autofree char *prefix = NULL;

  g_return_val_if_fail (relative != NULL, NULL);

  prefix = find_prefix (get_library_directory ());
  return g_build_filename (prefix, relative, NULL);
}
