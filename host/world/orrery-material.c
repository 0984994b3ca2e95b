/* SPDX-License-Identifier: BSD-3-Clause */
/* Materials: colours, textures and how they reflect. */
#include "world/orrery-material.h"

#include "base/orrery-counted-private.h"

struct _OrreryMaterial {
  gatomicrefcount refs;
  double color[4];
  double specular;
  double shininess;
  double emission;
  OrreryBuffer *texture;
  char *name; /* (nullable) */
};

G_DEFINE_BOXED_TYPE (OrreryMaterial, orrery_material, orrery_material_ref, orrery_material_unref)

/* NaN becomes 0. */
static double
cut (double value)
{
  return value > 0 ? MIN (value, 1) : 0;
}

OrreryMaterial *
orrery_material_new (double red, double green, double blue, double alpha)
{
  OrreryMaterial *material = g_new0 (OrreryMaterial, 1);

  g_atomic_ref_count_init (&material->refs);
  material->color[0] = cut (red);
  material->color[1] = cut (green);
  material->color[2] = cut (blue);
  material->color[3] = cut (alpha);
  material->shininess = 0.5;
  return material;
}

static void
material_free (OrreryMaterial *material)
{
  g_clear_pointer (&material->texture, orrery_buffer_unref);
  g_free (material->name);
  g_free (material);
}

ORRERY_DEFINE_COUNTED (OrreryMaterial, orrery_material, refs, material_free)

const double *
orrery_material_get_color (OrreryMaterial *material)
{
  return material->color;
}

void
orrery_material_set_gloss (OrreryMaterial *material, double specular, double shininess)
{
  material->specular = cut (specular);
  material->shininess = cut (shininess);
}

double
orrery_material_get_specular (OrreryMaterial *material)
{
  return material->specular;
}

double
orrery_material_get_shininess (OrreryMaterial *material)
{
  return material->shininess;
}

void
orrery_material_set_name (OrreryMaterial *material, const char *name)
{
  g_autofree char *old = g_steal_pointer (&material->name);

  material->name = name != NULL && *name != '\0' ? g_strdup (name) : NULL;
}

const char *
orrery_material_get_name (OrreryMaterial *material)
{
  return material->name;
}

void
orrery_material_set_emission (OrreryMaterial *material, double emission)
{
  material->emission = cut (emission);
}

double
orrery_material_get_emission (OrreryMaterial *material)
{
  return material->emission;
}

void
orrery_material_set_texture (OrreryMaterial *material, OrreryBuffer *pixels)
{
  if (pixels != NULL) {
    g_return_if_fail (orrery_buffer_get_element (pixels) == ORRERY_ELEMENT_UINT8);
    g_return_if_fail (orrery_buffer_get_n_dimensions (pixels) == 3);
    g_return_if_fail (orrery_buffer_get_length (pixels, 2) == 3);
    orrery_buffer_ref (pixels);
  }
  g_clear_pointer (&material->texture, orrery_buffer_unref);
  material->texture = pixels;
}

OrreryBuffer *
orrery_material_get_texture (OrreryMaterial *material)
{
  return material->texture;
}
