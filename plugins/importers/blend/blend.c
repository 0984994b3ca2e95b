/* SPDX-License-Identifier: BSD-3-Clause */
#include "blend-object.h"

#include <math.h>

/*
 * Reads files of Blender up to 2.79, as MORSE's models and environments are: objects, their tree
 * and matrices, meshes, materials, pictures on them, lamps, physics settings of the game engine,
 * game properties. Cameras are places without a body. What it knows not (armatures, logic bricks,
 * particles) is left out, and said.
 */
G_DECLARE_FINAL_TYPE (OrreryBlendImporter, orrery_blend_importer, ORRERY, BLEND_IMPORTER,
                      OrreryImporter)
struct _OrreryBlendImporter {
  OrreryImporter parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryBlendImporter, orrery_blend_importer, ORRERY_TYPE_IMPORTER)

static void
clear_object (gpointer data)
{
  blend_object_clear (data);
}

static GArray *
list_objects (const BlendFile *file)
{
  g_autoptr (GArray) structs = blend_file_list (file, "OB");
  GArray *objects = g_array_new (FALSE, FALSE, sizeof (BlendObject));
  g_autoptr (GHashTable) indices = g_hash_table_new (NULL, NULL);

  g_array_set_clear_func (objects, clear_object);
  for (guint i = 0; i < structs->len; i++) {
    const BlendStruct *s = &g_array_index (structs, BlendStruct, i);
    BlendObject object;

    blend_object_init (&object, s);
    g_array_append_val (objects, object);
    g_hash_table_insert (indices, (gpointer) blend_struct_get_key (s), GUINT_TO_POINTER (i + 1));
  }
  for (guint i = 0; i < objects->len; i++) {
    BlendObject *object = &g_array_index (objects, BlendObject, i);
    BlendStruct parent;

    if (blend_struct_follow (&object->object, "parent", &parent))
      object->parent =
          GPOINTER_TO_INT (g_hash_table_lookup (indices, blend_struct_get_key (&parent))) - 1;
  }
  return objects;
}

/* Who is its own ancestor has no parent. */
static void
cut_rings (GArray *objects)
{
  for (guint i = 0; i < objects->len; i++) {
    BlendObject *object = &g_array_index (objects, BlendObject, i);
    int at = object->parent;

    for (guint steps = 0; at >= 0 && at != (int) i && steps <= objects->len; steps++)
      at = g_array_index (objects, BlendObject, at).parent;
    if (at >= 0)
      object->parent = -1;
  }
}

static gboolean
add_object (OrreryImport *import, GArray *objects, BlendObject *object, BlendLook *look,
            GError **error)
{
  BlendObject *parent =
      object->parent >= 0 ? &g_array_index (objects, BlendObject, object->parent) : NULL;
  OrreryTransform start = object->pose;

  object->out =
      orrery_import_add_object (import, object->name, parent != NULL ? parent->out : NULL, error);
  if (object->out == NULL)
    return FALSE;
  if (parent != NULL)
    orrery_transform_relative (&parent->pose, &object->pose, &start);
  orrery_object_set_start (object->out, &start);
  blend_object_read_values (object);
  if (blend_object_read_body (object, parent, look)) {
    blend_object_read_look (object);
    return TRUE;
  }
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "%s: more than %u triangles", object->name,
               BLEND_MAX_TRIANGLES);
  return FALSE;
}

/* Parents first, else as they stand in the file: by their names. */
static gboolean
add_objects (OrreryImport *import, GArray *objects, BlendLook *look, GError **error)
{
  guint n_added = 0;
  guint before;

  do {
    before = n_added;
    for (guint i = 0; i < objects->len; i++) {
      BlendObject *object = &g_array_index (objects, BlendObject, i);

      if (object->out != NULL ||
          (object->parent >= 0 && g_array_index (objects, BlendObject, object->parent).out == NULL))
        continue;
      if (!add_object (import, objects, object, look, error))
        return FALSE;
      n_added++;
    }
  } while (n_added > before);
  return TRUE;
}

static void
note_missing (GArray *objects, const BlendLook *look, const char *path)
{
  guint n = 0;

  for (guint i = 0; i < objects->len; i++)
    n += g_array_index (objects, BlendObject, i).kind == BLEND_ARMATURE ? 1 : 0;
  if (n > 0)
    g_message ("%s: %u armatures stand still: their bones are not read", path, n);
  if (look->n_missing > 0)
    g_message ("%s: %u pictures of surfaces could not be read; their colours are seen", path,
               look->n_missing);
}

static void
orrery_blend_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                            GError **error)
{
  g_autoptr (BlendFile) file = blend_file_open (path, error);
  g_autoptr (GArray) objects = file != NULL ? list_objects (file) : NULL;
  BlendLook look;

  if (objects == NULL)
    return;
  cut_rings (objects);
  blend_look_init (&look, path);
  if (add_objects (import, objects, &look, error))
    note_missing (objects, &look, path);
  else
    g_prefix_error (error, "%s: ", path);
  blend_look_clear (&look);
}

static void
orrery_blend_importer_class_init (OrreryBlendImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_blend_importer_load;
}

static void
orrery_blend_importer_init (OrreryBlendImporter *self)
{
}

ORRERY_PLUGIN ("Reads files of Blender up to 2.79", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryBlendImporter, orrery_blend_importer))
