/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of MJCF files. */
#include "mjcf.h"

/* A body is an object of its name; values `joint` and `motor` of it are those of the file. */
#define ORRERY_TYPE_MJCF_IMPORTER (orrery_mjcf_importer_get_type ())
G_DECLARE_FINAL_TYPE (OrreryMjcfImporter, orrery_mjcf_importer, ORRERY, MJCF_IMPORTER,
                      OrreryImporter)
struct _OrreryMjcfImporter {
  OrreryImporter parent_instance;
};
ORRERY_DEFINE_FINAL_TYPE (OrreryMjcfImporter, orrery_mjcf_importer, ORRERY_TYPE_IMPORTER)

static void
orrery_mjcf_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                           GError **error)
{
  mjcf_read (path, import, error);
}

static void
orrery_mjcf_importer_class_init (OrreryMjcfImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_mjcf_importer_load;
}

ORRERY_PLUGIN ("Reads robots and environments in MuJoCo's format", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryMjcfImporter, orrery_mjcf_importer))
