/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* One object of the file's name, that stands still and is what the file shows. */
void mesh_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                         GError **error);

/* An importer is found by its suffix, so each has a module; all that differs is the name. */
#define MESH_IMPORTER(TypeName, type_name, words)                                                  \
  typedef struct {                                                                                 \
    OrreryImporter parent_instance;                                                                \
  } TypeName;                                                                                      \
  typedef OrreryImporterClass TypeName##Class;                                                     \
  static GType type_name##_get_type (void);                                                        \
  G_DEFINE_TYPE (TypeName, type_name, ORRERY_TYPE_IMPORTER)                                        \
  static void type_name##_class_init (TypeName##Class *klass)                                      \
  {                                                                                                \
    ORRERY_IMPORTER_CLASS (klass)->load = mesh_importer_load;                                      \
  }                                                                                                \
  static void type_name##_init (TypeName *self)                                                    \
  {                                                                                                \
  }                                                                                                \
  ORRERY_PLUGIN (words, "BSD-3-Clause", ORRERY_CLASS (Importer, TypeName, type_name))
