/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib/gstdio.h>

#include "base/orrery-error.h"
#include "message/orrery-message-catalogue.h"

/* Definitions of a test, in a directory of their own. */
typedef struct {
  char *directory;
  GPtrArray *files; /* (element-type utf8) */
} Definitions;

static inline Definitions *
definitions_new (void)
{
  Definitions *self = g_new0 (Definitions, 1);

  self->directory = g_dir_make_tmp ("orrery-message-XXXXXX", NULL);
  self->files = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/* @path: `acme/msg/A.msg` */
static inline void
definitions_add (Definitions *self, const char *path, const char *text)
{
  char *file = g_build_filename (self->directory, path, NULL);
  g_autofree char *folder = g_path_get_dirname (file);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  g_ptr_array_add (self->files, file);
}

static inline void
definitions_free (Definitions *self)
{
  for (guint i = 0; i < self->files->len; i++) {
    g_autofree char *folder = g_path_get_dirname (self->files->pdata[i]);
    g_autofree char *package = g_path_get_dirname (folder);

    g_remove (self->files->pdata[i]);
    g_rmdir (folder);
    g_rmdir (package);
  }
  g_rmdir (self->directory);
  g_ptr_array_unref (self->files);
  g_free (self->directory);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Definitions, definitions_free)

static inline OrreryMessageCatalogue *
definitions_open (const Definitions *self, const char *distro)
{
  g_autofree char *own =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "data", "messages", NULL);
  const char *const directories[] = { self != NULL ? self->directory : own,
                                      self != NULL ? own : NULL, NULL };

  return orrery_message_catalogue_new (directories, distro);
}
