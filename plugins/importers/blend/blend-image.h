/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-file.h"

#include <orrery.h>

/* The pixels of an Image, packed into the file or beside it; at most @limit bytes.
 * Returns: (transfer full) (nullable): rows from the top x columns x 3; NULL: there are none */
OrreryBuffer *blend_image_read (const BlendStruct *image, const char *directory, gsize limit);
/* Its file as the file calls it, or its own name.
 * Returns: (transfer full) */
char *blend_image_get_name (const BlendStruct *image);
