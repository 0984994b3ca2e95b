/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Pixels of the textures that no file has. */

#define SKY_SIDE 64 /* px, of a face of the sky's cube */

/* Returns: (transfer full): six faces below each other: right, left, up, down, front, back */
OrreryBuffer *sky_new (void);
/* Returns: (transfer full): two by two cells of a grid, light and less light, between lines */
OrreryBuffer *grid_new (void);
