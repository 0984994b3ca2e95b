/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* px: a larger picture is scaled down. */
#define PICTURE_MAX_SIDE 1024
/* px: of a picture that is read at all, however well it is packed. */
#define PICTURE_MAX_PIXELS (1u << 26)
/* bytes of a file */
#define PICTURE_MAX_FILE ((goffset) 64 << 20)

/*
 * Decodes a picture (PNG, JPEG and what else gdk-pixbuf knows), scaled to PICTURE_MAX_SIDE; at most
 * @limit bytes of pixels. The error does not name the file.
 * Returns: (transfer full) (nullable): rows from the top x columns x 3
 */
OrreryBuffer *picture_decode (const guint8 *bytes, gsize n, gsize limit, GError **error);
/* The same of a file, which the error names. */
OrreryBuffer *picture_read (const char *path, gsize limit, GError **error);
