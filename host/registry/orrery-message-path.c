/* SPDX-License-Identifier: BSD-3-Clause */
/* Where definitions of messages are looked for. */
#include "registry/orrery-message-path.h"

#include "registry/orrery-registry-private.h"

/* Of one variable at most so many directories are searched. */
#define MAX_DIRECTORIES 256

/* @below: (nullable): what of each directory is meant */
static void
add_list (GPtrArray *directories, const char *variable, const char *below)
{
  const char *value = g_getenv (variable);
  g_auto (GStrv) parts = g_strsplit (value != NULL ? value : "", ":", MAX_DIRECTORIES);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (directories, below != NULL ? g_build_filename (parts[i], below, NULL)
                                                  : g_strdup (parts[i]));
}

char **
orrery_list_message_directories (void)
{
  GPtrArray *directories = g_ptr_array_new ();

  add_list (directories, "ORRERY_MESSAGE_PATH", NULL);
  g_ptr_array_add (directories, orrery_get_prefix_path ("share/orrery-1/messages"));
  add_list (directories, "ROS_PACKAGE_PATH", NULL);
  add_list (directories, "AMENT_PREFIX_PATH", "share");
  g_ptr_array_add (directories, NULL);
  return (char **) g_ptr_array_free (directories, FALSE);
}

OrreryMessageCatalogue *
orrery_registry_get_messages (OrreryRegistry *registry)
{
  static const char key[] = "orrery-message-catalogue";
  OrreryMessageCatalogue *catalogue = g_object_get_data (G_OBJECT (registry), key);
  g_auto (GStrv) directories = NULL;

  if (catalogue != NULL)
    return catalogue;
  directories = orrery_list_message_directories ();
  catalogue = orrery_message_catalogue_new ((const char *const *) directories, NULL);
  g_object_set_data_full (G_OBJECT (registry), key, catalogue,
                          (GDestroyNotify) orrery_message_catalogue_unref);
  return catalogue;
}
