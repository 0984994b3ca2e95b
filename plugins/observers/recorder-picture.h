/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Pictures as PNG or JPEG, by GdkPixbuf where this was built with it. */

/* Whether pictures can be written as @format, "png" or "jpeg". */
gboolean recorder_picture_check (const char *format, GError **error);
/* @pixels: rows of @n_channels bytes a pixel: 1, 3 or 4, the last one left out of JPEG. @out: what
 * it has is replaced. FALSE: it could not be written */
gboolean recorder_picture_write (const guint8 *pixels, gsize width, gsize height, gsize n_channels,
                                 const char *format, GByteArray *out);
