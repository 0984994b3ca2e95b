/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of URDF files. */
#include "urdf.h"

/* A link is an object of its name; the value `joint` of it is the name of the joint that holds it.
 */
#define ORRERY_TYPE_URDF_IMPORTER (orrery_urdf_importer_get_type ())
G_DECLARE_FINAL_TYPE (OrreryUrdfImporter, orrery_urdf_importer, ORRERY, URDF_IMPORTER,
                      OrreryImporter)
struct _OrreryUrdfImporter {
  OrreryImporter parent_instance;
};
ORRERY_DEFINE_FINAL_TYPE (OrreryUrdfImporter, orrery_urdf_importer, ORRERY_TYPE_IMPORTER)

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
