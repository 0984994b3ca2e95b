/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

typedef struct _OrreryCompressor OrreryCompressor;

/*
 * @name: "", "lz4" or "zstd"
 * Returns: (transfer full): what compresses so, for one thread; or NULL with INVALID if there is no
 *   such compression, or NOT_FOUND if this build lacks its library
 */
OrreryCompressor *orrery_compressor_new (const char *name, GError **error);
void orrery_compressor_free (OrreryCompressor *compressor);
/* Returns: the compressed bytes, valid until the next call; @data itself if nothing is compressed;
 *   NULL with INTERNAL */
const guint8 *orrery_compressor_run (OrreryCompressor *compressor, const guint8 *data, gsize length,
                                     gsize *packed, GError **error);

/* @size: bytes that have to come out. FALSE with INVALID if others do, or with NOT_FOUND as above.
 */
gboolean orrery_decompress (const char *name, const guint8 *data, gsize length, guint8 *out,
                            gsize size, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryCompressor, orrery_compressor_free)

G_END_DECLS
