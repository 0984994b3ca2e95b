/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of meshes; those of other suffixes are JSON classes that have it as their base. */
#include "mesh-store.h"

#include <string.h>

typedef struct {
  OrreryImporter parent_instance;
} OrreryObjImporter;
ORRERY_DEFINE_CLASS (OrreryObjImporter, orrery_obj_importer, OrreryImporter, orrery_importer)

static char *
make_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (dot != NULL)
    *dot = '\0';
  /* Objects whose names begin with an underscore are left out of an imported object. */
  while (*base == '_')
    memmove (base, base + 1, strlen (base));
  return g_strdup (*base != '\0' ? base : "mesh");
}

/* Adds one static object, named after the file, with its mesh. */
static void
orrery_obj_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                          GError **error)
{
  const OrreryVec3 one = { 1, 1, 1 };
  g_autoptr (GHashTable) store = mesh_store_new ();
  g_autoptr (OrreryShape) shape = mesh_store_load (store, path, &one, FALSE, NULL, import, error);
  g_autofree char *name = make_name (path);
  OrreryObject *object;

  if (shape == NULL)
    return;
  object = orrery_import_add_object (import, name, NULL, error);
  if (object == NULL)
    return;
  orrery_object_get_body (object)->type = ORRERY_BODY_STATIC;
  orrery_object_add_shape (object, shape);
}

static void
orrery_obj_importer_class_init (OrreryObjImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_obj_importer_load;
}

ORRERY_PLUGIN ("Reads meshes in Wavefront OBJ", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryObjImporter, orrery_obj_importer))
