/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "wiring/orrery-prefix-private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Where configure was told to put the library: ORRERY_LIBDIR, and as seen from the prefix
 * ORRERY_LIBDIR_FROM_PREFIX: lib, lib/x86_64-linux-gnu. */

static char *
find_library_directory (void)
{
  g_autofree char *real = NULL;
  Dl_info info;

  if (dladdr ((gpointer) orrery_get_library_path, &info) != 0)
    real = realpath (info.dli_fname, NULL);
  return real != NULL ? g_path_get_dirname (real) : g_strdup (ORRERY_LIBDIR);
}

/* Found once: a relative path of the library would mean another place after a chdir(). */
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
  g_autofree char *tail = g_strconcat ("/", ORRERY_LIBDIR_FROM_PREFIX, NULL);

  /* A library directory beside the prefix, not under it, cannot be moved with it. */
  if (g_str_equal (directory, ORRERY_LIBDIR))
    return g_strdup (ORRERY_PREFIX);
  if (g_str_has_suffix (directory, tail))
    return g_strndup (directory, strlen (directory) - strlen (tail));
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
  return g_build_filename (*prefix != '\0' ? prefix : "/", relative, NULL);
}
