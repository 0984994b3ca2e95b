/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"

G_BEGIN_DECLS

/**
 * ORRERY_MAX_MATERIALS:
 *
 * How many materials a scene may declare for its objects.
 */
#define ORRERY_MAX_MATERIALS 1000

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
/**
 * orrery_material_ref:
 *
 * Takes a reference; any thread.
 *
 * Returns: @material
 */
ORRERY_API OrreryMaterial *orrery_material_ref (OrreryMaterial *material);
/**
 * orrery_material_unref:
 * @material: a material
 *
 * Drops a reference; the last one frees the material and its texture. Any thread.
 */
ORRERY_API void orrery_material_unref (OrreryMaterial *material);
/**
 * orrery_material_get_color: (skip)
 *
 * Four numbers, which belong to the material and do not change.
 *
 * Returns: (transfer none): red, green, blue, alpha, 0 to 1
 */
ORRERY_API const double *orrery_material_get_color (OrreryMaterial *material);
/**
 * orrery_material_set_gloss:
 * @material: a material that no shape has yet
 * @specular: share of the light that is mirrored, 0 to 1
 * @shininess: 0, a wide highlight, to 1, a narrow one
 *
 * Numbers beyond these limits are clamped, and NaN counts as 0. A new material has 0 and 0.5.
 */
ORRERY_API void orrery_material_set_gloss (OrreryMaterial *material, double specular,
                                           double shininess);
/**
 * orrery_material_get_specular:
 *
 * A matt surface, as a new material has it, has 0.
 *
 * Returns: share of the light that is mirrored, 0 to 1
 */
ORRERY_API double orrery_material_get_specular (OrreryMaterial *material);
/**
 * orrery_material_get_shininess:
 *
 * It counts only where orrery_material_get_specular() is above 0; a new material has 0.5.
 *
 * Returns: 0, a wide highlight, to 1, a narrow one
 */
ORRERY_API double orrery_material_get_shininess (OrreryMaterial *material);
/**
 * orrery_material_set_name:
 * @material: a material that no shape has yet
 * @name: (nullable): its name in the file that it comes from; an empty text is none
 *
 * By its name a scene finds a material of an imported file, to give it another colour.
 */
ORRERY_API void orrery_material_set_name (OrreryMaterial *material, const char *name);
/**
 * orrery_material_get_name:
 *
 * Materials that were made without a file have none.
 *
 * Returns: (transfer none) (nullable): its name in the file that it comes from, or %NULL; valid as
 *   long as the material, until it gets another name
 */
ORRERY_API const char *orrery_material_get_name (OrreryMaterial *material);
/**
 * orrery_material_set_emission:
 * @material: a material that no shape has yet
 * @emission: share of its colour that it shows without any light, 0 to 1
 *
 * A number beyond these limits is clamped, and NaN counts as 0. The surface looks bright, but
 * shines on nothing else.
 */
ORRERY_API void orrery_material_set_emission (OrreryMaterial *material, double emission);
/**
 * orrery_material_get_emission:
 *
 * A new material has 0: it is dark without a lamp.
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
 * The pixels that orrery_material_set_texture() was given, not a copy.
 *
 * Returns: (transfer none) (nullable): uint8, rows from the top x columns x 3 (red, green, blue);
 *   %NULL without a texture
 */
ORRERY_API OrreryBuffer *orrery_material_get_texture (OrreryMaterial *material);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryMaterial, orrery_material_unref)

G_END_DECLS
