/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"

G_BEGIN_DECLS

/**
 * OrreryMaterial:
 *
 * The look of a surface: colour, gloss, emission, texture. Immutable once a shape has it;
 * reference-counted.
 */
#define ORRERY_TYPE_MATERIAL (orrery_material_get_type ())
ORRERY_API GType orrery_material_get_type (void);

/**
 * orrery_material_new:
 * @red: 0 to 1
 * @green: 0 to 1
 * @blue: 0 to 1
 * @alpha: 0, not to be seen, to 1, opaque
 *
 * Numbers beyond these limits are clamped.
 *
 * Returns: (transfer full): a matt material that does not glow
 */
ORRERY_API OrreryMaterial *orrery_material_new (double red, double green, double blue,
                                                double alpha);
ORRERY_API OrreryMaterial *orrery_material_ref (OrreryMaterial *material);
ORRERY_API void orrery_material_unref (OrreryMaterial *material);
/**
 * orrery_material_get_color: (skip)
 *
 * Returns: (transfer none): red, green, blue, alpha, 0 to 1
 */
ORRERY_API const double *orrery_material_get_color (OrreryMaterial *material);
/**
 * orrery_material_set_gloss:
 * @material: a material that no shape has yet
 * @specular: share of the light that is mirrored, 0 to 1
 * @shininess: 0, a wide highlight, to 1, a narrow one
 */
ORRERY_API void orrery_material_set_gloss (OrreryMaterial *material, double specular,
                                           double shininess);
/**
 * orrery_material_get_specular:
 *
 * Returns: share of the light that is mirrored, 0 to 1
 */
ORRERY_API double orrery_material_get_specular (OrreryMaterial *material);
/**
 * orrery_material_get_shininess:
 *
 * Returns: 0, a wide highlight, to 1, a narrow one
 */
ORRERY_API double orrery_material_get_shininess (OrreryMaterial *material);
/**
 * orrery_material_set_name:
 * @material: a material that no shape has yet
 * @name: (nullable): its name in the file that it comes from; an empty text is none
 */
ORRERY_API void orrery_material_set_name (OrreryMaterial *material, const char *name);
/**
 * orrery_material_get_name:
 *
 * Returns: (transfer none) (nullable): its name in the file that it comes from
 */
ORRERY_API const char *orrery_material_get_name (OrreryMaterial *material);
/**
 * orrery_material_set_emission:
 * @material: a material that no shape has yet
 * @emission: share of its colour that it shows without any light, 0 to 1
 */
ORRERY_API void orrery_material_set_emission (OrreryMaterial *material, double emission);
/**
 * orrery_material_get_emission:
 *
 * Returns: share of its colour that it shows without any light, 0 to 1
 */
ORRERY_API double orrery_material_get_emission (OrreryMaterial *material);
/**
 * orrery_material_set_texture:
 * @material: a material that no shape has yet
 * @pixels: (nullable): uint8, rows from the top x columns x 3 (red, green, blue)
 *
 * A texture that the colour is multiplied with, if the shape has texture coordinates.
 */
ORRERY_API void orrery_material_set_texture (OrreryMaterial *material, OrreryBuffer *pixels);
/**
 * orrery_material_get_texture:
 *
 * Returns: (transfer none) (nullable): uint8, rows from the top x columns x 3
 */
ORRERY_API OrreryBuffer *orrery_material_get_texture (OrreryMaterial *material);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryMaterial, orrery_material_unref)

G_END_DECLS
