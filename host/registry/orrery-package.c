/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows which package of the distribution has a module, where packages were made of this tree. */
#include "registry/orrery-package-private.h"

#include "registry/orrery-registry-private.h"

/* A line for each module: its name and the package; made with the packages, of what is in them. */
#define TABLE "share/orrery-1/packages"

char *
orrery_find_package (const char *module)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (module != NULL, NULL);

  path = orrery_get_prefix_path (TABLE);
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", 2);

    if (g_strv_length (words) == 2 && g_str_equal (words[0], module))
      return g_strdup (words[1]);
  }
  return NULL;
}

/* Returns: (nullable): what a message says at its end; NULL: no package is known to have it */
char *
orrery_package_get_words (const char *module)
{
  g_autofree char *package = orrery_find_package (module);

  return package != NULL ? g_strdup_printf ("; it is in the package %s", package) : NULL;
}

/* For a file that is there: its package depends on what it needs to be loaded. */
void
orrery_package_amend_error (const char *module, GError **error)
{
  g_autofree char *words = error != NULL ? orrery_package_get_words (module) : NULL;
  char *message;

  if (words == NULL)
    return;
  message = g_strconcat ((*error)->message, words, NULL);
  g_free ((*error)->message);
  (*error)->message = message;
}
