/* SPDX-License-Identifier: BSD-3-Clause */
#include "urdf.h"

/* For files of that suffix that have no macros left in them; of others it says what to do. */
#define ORRERY_TYPE_XACRO_IMPORTER (orrery_xacro_importer_get_type ())
G_DECLARE_FINAL_TYPE (OrreryXacroImporter, orrery_xacro_importer, ORRERY, XACRO_IMPORTER,
                      OrreryImporter)
struct _OrreryXacroImporter {
  OrreryImporter parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryXacroImporter, orrery_xacro_importer, ORRERY_TYPE_IMPORTER)

static void
orrery_xacro_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                            GError **error)
{
  urdf_read_file (path, import, error);
}

static void
orrery_xacro_importer_class_init (OrreryXacroImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_xacro_importer_load;
}

static void
orrery_xacro_importer_init (OrreryXacroImporter *self)
{
}

ORRERY_PLUGIN ("Reads what xacro has made URDF of", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryXacroImporter, orrery_xacro_importer))
