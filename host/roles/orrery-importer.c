/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles/orrery-importer-private.h"

struct _OrreryImport {
  gatomicrefcount refs;
  OrreryWorld *world;
};

G_DEFINE_BOXED_TYPE (OrreryImport, orrery_import, orrery_import_ref, orrery_import_unref)
G_DEFINE_ABSTRACT_TYPE (OrreryImporter, orrery_importer, ORRERY_TYPE_PART)

static void
orrery_importer_class_init (OrreryImporterClass *klass)
{
}

static void
orrery_importer_init (OrreryImporter *self)
{
}

OrreryImport *
orrery_import_new (OrreryWorld *world)
{
  OrreryImport *import = g_new0 (OrreryImport, 1);

  g_atomic_ref_count_init (&import->refs);
  import->world = g_object_ref (world);
  return import;
}

OrreryImport *
orrery_import_ref (OrreryImport *import)
{
  g_atomic_ref_count_inc (&import->refs);
  return import;
}

void
orrery_import_unref (OrreryImport *import)
{
  if (!g_atomic_ref_count_dec (&import->refs))
    return;
  g_clear_object (&import->world);
  g_free (import);
}

OrreryWorld *
orrery_import_get_world (OrreryImport *import)
{
  return import->world;
}

static gboolean
is_taken (OrreryImport *import, const char *name, OrreryObject *parent)
{
  g_autofree char *full = parent != NULL
                              ? g_strconcat (orrery_object_get_name (parent), ".", name, NULL)
                              : g_strdup (name);

  return orrery_world_find_object (import->world, full) != NULL;
}

OrreryObject *
orrery_import_add_object (OrreryImport *import, const char *name, OrreryObject *parent,
                          GError **error)
{
  g_autofree char *mended = g_strdup (*name != '\0' ? name : "object");
  g_autofree char *free_name = NULL;

  if (parent != NULL)
    g_strdelimit (mended, ".", '_');
  free_name = g_strdup (mended);
  for (guint i = 2; is_taken (import, free_name, parent); i++) {
    g_free (free_name);
    free_name = g_strdup_printf ("%s_%u", mended, i);
  }
  return orrery_world_add_object (import->world, free_name, parent, error);
}
