/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the materials, textures and lamps of a .blend file. */
#include "blend-look.h"

#include "blend-image.h"

#include <math.h>
#include <string.h>

/* Of all pictures of a file together. */
#define MAX_BYTES ((gsize) 256 << 20)
/* Of one mesh: what its triangles can refer to. */
#define MAX_SLOTS 256

/* Lamp.type */
#define LAMP_LOCAL 0
#define LAMP_SUN 1
#define LAMP_SPOT 2
#define LAMP_HEMI 3
/* Material.mode */
#define MATERIAL_TRANSPARENT (1 << 6)
/* Texture slots of a material; the type of a texture that is an image; what it colours. */
#define MAX_TEXTURES 18
#define TEXTURE_IMAGE 8
#define MAP_COLOR 1

void
blend_look_init (BlendLook *look, const char *path)
{
  *look = (BlendLook){ .textures = g_hash_table_new (NULL, NULL),
                       .directory = g_path_get_dirname (path),
                       .missing = g_ptr_array_new_with_free_func (g_free) };
}

void
blend_look_clear (BlendLook *look)
{
  GHashTableIter iter;
  gpointer buffer;

  g_hash_table_iter_init (&iter, look->textures);
  while (g_hash_table_iter_next (&iter, NULL, &buffer))
    if (buffer != NULL)
      orrery_buffer_unref (buffer);
  g_clear_pointer (&look->textures, g_hash_table_unref);
  g_clear_pointer (&look->directory, g_free);
  g_clear_pointer (&look->missing, g_ptr_array_unref);
}

/* --- pictures --- */

static OrreryBuffer *
find_texture (BlendLook *look, const BlendStruct *image)
{
  gconstpointer key = blend_struct_get_key (image);
  gpointer known;
  OrreryBuffer *buffer;

  if (g_hash_table_lookup_extended (look->textures, key, NULL, &known))
    return known;
  buffer = blend_image_read (image, look->directory, MAX_BYTES - look->n_bytes);
  if (buffer != NULL)
    look->n_bytes += orrery_buffer_get_size (buffer);
  else
    g_ptr_array_add (look->missing, blend_image_get_name (image));
  g_hash_table_insert (look->textures, (gpointer) key, buffer);
  return buffer;
}

/* Finds the first picture of a material that sets its colour (@colors), or one that has another
 * effect. */
static gboolean
find_material_image (const BlendStruct *material, gboolean colors, BlendStruct *image)
{
  for (guint i = 0; i < MAX_TEXTURES; i++) {
    BlendStruct slot, texture;

    if (blend_struct_follow_place (material, "mtex", i, &slot) &&
        ((blend_struct_get_int (&slot, "mapto") & MAP_COLOR) != 0) == colors &&
        blend_struct_follow (&slot, "tex", &texture) &&
        blend_struct_get_int (&texture, "type") == TEXTURE_IMAGE &&
        blend_struct_follow (&texture, "ima", image))
      return TRUE;
  }
  return FALSE;
}

/* --- materials --- */

static double
get_share (const BlendStruct *s, const char *field, double otherwise)
{
  double value = blend_struct_has (s, field) ? blend_struct_get_number (s, field, 0) : otherwise;

  return value >= 0 && value <= 1 ? value : otherwise;
}

/* Blender's names of data begin with two letters that say what it is. */
static void
set_name (OrreryMaterial *out, const BlendStruct *material)
{
  g_autofree char *name = NULL;
  BlendStruct id;

  if (!blend_struct_get_struct (material, "id", &id))
    return;
  name = blend_struct_get_text (&id, "name");
  if (g_str_has_prefix (name, "MA"))
    orrery_material_set_name (out, name + 2);
}

static OrreryMaterial *
make_material (BlendLook *look, const BlendStruct *material, gboolean has_coordinates)
{
  gboolean transparent = (blend_struct_get_int (material, "mode") & MATERIAL_TRANSPARENT) != 0;
  double alpha = transparent ? get_share (material, "alpha", 1) : 1;
  double hardness = blend_struct_get_number (material, "har", 0);
  double diffuse = get_share (material, "ref", 0.8);
  OrreryBuffer *texture = NULL;
  BlendStruct image;
  OrreryMaterial *out;

  if (has_coordinates && find_material_image (material, TRUE, &image))
    texture = find_texture (look, &image);
  /* A picture replaces the colour. */
  if (texture != NULL)
    out = orrery_material_new (diffuse, diffuse, diffuse, alpha);
  else
    out = orrery_material_new (diffuse * get_share (material, "r", 0.8),
                               diffuse * get_share (material, "g", 0.8),
                               diffuse * get_share (material, "b", 0.8), alpha);
  set_name (out, material);
  orrery_material_set_texture (out, texture);
  /* Both raise a cosine to a power: Blender to the hardness, renderers to 128 times the gloss. */
  orrery_material_set_gloss (out, get_share (material, "spec", 0) / 2, fmin (1, hardness / 128));
  orrery_material_set_emission (out, get_share (material, "emit", 0));
  return out;
}

static gboolean
find_material (const BlendStruct *object, const BlendStruct *data, guint slot, BlendStruct *out)
{
  /* Each slot belongs to the object or to its mesh. */
  if (blend_struct_follow_list (object, "mat", slot, out))
    return TRUE;
  return blend_struct_follow_list (data, "mat", slot, out);
}

static OrreryMaterial *
make_slot (BlendLook *look, const BlendMesh *mesh, const BlendStruct *object,
           const BlendStruct *data, guint slot)
{
  BlendStruct material;

  if (find_material (object, data, slot, &material))
    return make_material (look, &material, mesh->coordinates->len > 0);
  return orrery_material_new (0.8, 0.8, 0.8, 1);
}

/* --- pictures of faces, which the game shows in place of materials --- */

static void
add_materials (BlendLook *look, OrreryShape *shape, const BlendMesh *mesh,
               const BlendStruct *object, const BlendStruct *data, guint n_slots)
{
  for (guint i = 0; i < n_slots; i++) {
    g_autoptr (OrreryMaterial) material = make_slot (look, mesh, object, data, i);

    orrery_shape_add_material (shape, material);
  }
  for (guint i = 0; i < mesh->images->len; i++) {
    g_autoptr (OrreryMaterial) material = orrery_material_new (0.8, 0.8, 0.8, 1);
    OrreryBuffer *texture = find_texture (look, &g_array_index (mesh->images, BlendStruct, i));

    orrery_material_set_texture (material, texture);
    orrery_shape_add_material (shape, material);
  }
}

/* Whether the pictures of a material do not set its colour; then the picture of a face may be one
 * of these. */
static gboolean
is_bumpy (const BlendStruct *object, const BlendStruct *data, guint slot)
{
  BlendStruct material, image;

  return find_material (object, data, slot, &material) &&
         !find_material_image (&material, TRUE, &image) &&
         find_material_image (&material, FALSE, &image);
}

/* If the picture of a face is missing, its material is used. */
static guint32
find_slot (BlendLook *look, const BlendMesh *mesh, guint triangle, guint n_slots,
           const gboolean *ignores)
{
  guint32 slot = MIN (g_array_index (mesh->slots, guint32, triangle), n_slots - 1);
  guint32 image = g_array_index (mesh->faces, guint32, triangle);

  if (!ignores[slot] && image > 0 && image <= mesh->images->len &&
      find_texture (look, &g_array_index (mesh->images, BlendStruct, image - 1)) != NULL)
    return n_slots + image - 1;
  return slot;
}

void
blend_look_paint (BlendLook *look, OrreryShape *shape, const BlendMesh *mesh,
                  const BlendStruct *object, const BlendStruct *data)
{
  gsize n = mesh->triangles->len / 3;
  gsize corners[3] = { n, 3, 2 };
  guint n_slots = 1;
  gboolean ignores[MAX_SLOTS];
  g_autoptr (OrreryBuffer) indices = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 1, &n);
  g_autoptr (OrreryBuffer) coordinates = NULL;
  guint32 *out = indices != NULL ? orrery_buffer_get_data (indices) : NULL;

  for (gsize i = 0; i < n; i++)
    n_slots = MAX (n_slots, g_array_index (mesh->slots, guint32, i) + 1);
  n_slots = MIN (n_slots, MAX_SLOTS);
  add_materials (look, shape, mesh, object, data, n_slots);
  if (out == NULL)
    return;
  for (guint i = 0; i < n_slots; i++)
    ignores[i] = is_bumpy (object, data, i);
  for (guint i = 0; i < n; i++)
    out[i] = find_slot (look, mesh, i, n_slots, ignores);
  orrery_shape_set_triangle_materials (shape, indices);
  if (mesh->coordinates->len != 6 * n)
    return;
  coordinates = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 3, corners);
  if (coordinates == NULL)
    return;
  memcpy (orrery_buffer_get_data (coordinates), mesh->coordinates->data, 6 * n * sizeof (float));
  orrery_shape_set_texture_coordinates (shape, coordinates);
}

/* --- lamps --- */

void
blend_look_add_lamp (OrreryObject *out, const BlendStruct *data)
{
  gint64 type = blend_struct_get_int (data, "type");
  double energy = blend_struct_get_number (data, "energy", 0);
  double distance = blend_struct_get_number (data, "dist", 0);
  double angle = blend_struct_get_number (data, "spotsize", 0);
  OrreryLamp *lamp = orrery_object_add_lamp (out);

  lamp->kind = type == LAMP_SPOT                       ? ORRERY_LAMP_SPOT
               : type == LAMP_SUN || type == LAMP_HEMI ? ORRERY_LAMP_SUN
                                                       : ORRERY_LAMP_POINT;
  lamp->color =
      (OrreryVec3){ get_share (data, "r", 1), get_share (data, "g", 1), get_share (data, "b", 1) };
  lamp->energy = energy >= 0 && energy <= 1000 ? energy : 1;
  lamp->distance = distance >= 1e-3 && distance <= 1e6 ? distance : 25;
  /* Degrees up to Blender 2.59, radians since. */
  if (angle > G_PI)
    angle *= G_PI / 180;
  lamp->angle = angle >= 1e-3 && angle <= G_PI ? angle : G_PI_4;
  lamp->blend = get_share (data, "spotblend", 0.15);
  lamp->shadows = FALSE;
}
