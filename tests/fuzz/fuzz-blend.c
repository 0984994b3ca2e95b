/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: host/base host/world */
/* sources: plugins/importers/blend/blend-dna.c plugins/importers/blend/blend-file.c */
/* sources: plugins/importers/blend/blend-image.c plugins/importers/blend/blend-look.c */
/* sources: plugins/importers/blend/blend-mesh.c plugins/importers/blend/blend-object.c */
#include "fuzz.h"

#include "../../plugins/importers/blend/blend-object.h"

/* Everything that the importer does with a file, short of the world. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (BlendFile) file = blend_file_new (data, size, "fuzz", NULL);
  g_autoptr (GArray) objects = file != NULL ? blend_file_list (file, "OB") : NULL;

  for (guint i = 0; objects != NULL && i < objects->len; i++) {
    g_autoptr (OrreryWorld) world = orrery_world_new ();
    BlendObject object;
    BlendLook look;

    blend_look_init (&look, "fuzz");
    blend_object_init (&object, &g_array_index (objects, BlendStruct, i));
    object.out = orrery_world_add_object (world, "object", NULL, NULL);
    blend_object_read_values (&object);
    if (blend_object_read_body (&object, NULL, &look))
      blend_object_read_look (&object);
    blend_object_clear (&object);
    blend_look_clear (&look);
  }
  return 0;
}
