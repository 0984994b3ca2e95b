/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of MJCF files. */
#include "mjcf.h"

/* A body is an object of its name; values `joint` and `motor` of it are those of the file. */
typedef struct {
  OrreryImporter parent_instance;
} OrreryMjcfImporter;
ORRERY_DEFINE_CLASS (OrreryMjcfImporter, orrery_mjcf_importer, OrreryImporter, orrery_importer)

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
