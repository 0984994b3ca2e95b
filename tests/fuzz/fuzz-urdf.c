/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: plugins/importers/robot/file-reader.c plugins/importers/robot/inertia.c */
/* sources: plugins/importers/robot/urdf-files.c plugins/importers/robot/urdf-gazebo.c */
/* sources: plugins/importers/robot/urdf-lump.c plugins/importers/robot/urdf-tree.c */
/* sources: plugins/importers/robot/urdf.c plugins/importers/mesh/mesh-store.c */
/* sources: plugins/importers/robot/unread.c */
#include "fuzz.h"

#include "roles/orrery-importer-private.h"

#include "../../plugins/importers/robot/urdf.h"

/* Everything that the importer does with a file; meshes are not there. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  g_autoptr (OrreryImport) import = orrery_import_new (world);
  g_autoptr (GError) error = NULL;
  gboolean fine = urdf_read ((const char *) data, size, "fuzz", import, &error);

  g_assert_true (fine == (error == NULL));
  return 0;
}
