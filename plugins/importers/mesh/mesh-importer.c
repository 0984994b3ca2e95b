/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

#include "../robot/child.h"

#include <string.h>

static char *
make_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (dot != NULL)
    *dot = '\0';
  /* What begins with a line is left out of an object. */
  while (*base == '_')
    memmove (base, base + 1, strlen (base));
  return g_strdup (*base != '\0' ? base : "mesh");
}

void
mesh_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                    GError **error)
{
  const OrreryVec3 one = { 1, 1, 1 };
  g_autoptr (GHashTable) store = mesh_store_new ();
  g_autoptr (OrreryShape) shape = mesh_load (store, path, &one, FALSE, NULL, error);
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
