/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: plugins/importers/blend/blend-armature.c plugins/importers/blend/blend-logic.c */
/* sources: plugins/importers/blend/blend-dna.c plugins/importers/blend/blend-file.c */
/* sources: plugins/importers/blend/blend-image.c plugins/importers/blend/blend-look.c */
/* sources: plugins/importers/blend/blend-mesh.c plugins/importers/blend/blend-object.c */
/* sources: plugins/importers/picture/picture.c */
#include "fuzz.h"

#include "roles/orrery-importer-private.h"

#include "../../plugins/importers/blend/blend-armature.h"
#include "../../plugins/importers/blend/blend-logic.h"

/* Everything that the importer does with a file, object by object. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (BlendFile) file = blend_file_new (data, size, "fuzz", NULL);
  g_autoptr (GArray) objects = file != NULL ? blend_file_list (file, "OB") : NULL;

  for (guint i = 0; objects != NULL && i < objects->len; i++) {
    g_autoptr (OrreryWorld) world = orrery_world_new ();
    g_autoptr (OrreryImport) import = orrery_import_new (world);
    BlendObject object;
    BlendLook look;

    blend_look_init (&look, "fuzz");
    blend_object_init (&object, &g_array_index (objects, BlendStruct, i));
    object.out = orrery_import_add_object (import, "object", NULL, NULL);
    blend_object_read_camera (&object);
    blend_object_read_values (&object);
    blend_logic_read (&object, import, 60);
    blend_armature_read (&object, import, NULL);
    if (blend_object_read_body (&object, NULL, &look))
      blend_object_read_look (&object);
    blend_object_clear (&object);
    blend_look_clear (&look);
  }
  return 0;
}
