/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of URDF files. */
#include "urdf.h"

/* A link is an object of its name; the value `joint` of it is the name of the joint that holds it.
 */
typedef struct {
  OrreryImporter parent_instance;
} OrreryUrdfImporter;
ORRERY_DEFINE_CLASS (OrreryUrdfImporter, orrery_urdf_importer, OrreryImporter, orrery_importer)

static void
orrery_urdf_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                           GError **error)
{
  urdf_read_file (path, import, error);
}

static void
orrery_urdf_importer_class_init (OrreryUrdfImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_urdf_importer_load;
}

ORRERY_PLUGIN ("Reads robots in the Unified Robot Description Format", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryUrdfImporter, orrery_urdf_importer))
