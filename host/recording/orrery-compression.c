/* SPDX-License-Identifier: BSD-3-Clause */
/* Compresses and decompresses chunks of recordings with zstd and lz4, where the build has them. */
#include "recording/orrery-compression-private.h"

#include "base/orrery-error-private.h"

#include <string.h>

#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* Of zstd: a recording is written while the simulation runs, beside it. */
#define ZSTD_LEVEL 1
/* Bytes: records are mostly digits, in which shorter matches cost more than they save. */
#define ZSTD_MIN_MATCH 7

typedef struct {
  const char *name;
  const char *package; /* of Debian, for messages */
  /* Grows compressor->room. */
  gboolean (*compress) (OrreryCompressor *compressor, const guint8 *data, gsize length,
                        gsize *packed, GError **error);
  gboolean (*decompress) (const guint8 *data, gsize length, guint8 *out, gsize size,
                          GError **error);
} Method;

struct _OrreryCompressor {
  const Method *method;
  guint8 *room;
  gsize size;
#ifdef HAVE_ZSTD
  ZSTD_CCtx *zstd;
#endif
};

#if defined(HAVE_LZ4) || defined(HAVE_ZSTD)
static void
ensure_room (OrreryCompressor *compressor, gsize size)
{
  if (size <= compressor->size)
    return;
  g_free (compressor->room);
  compressor->room = g_malloc (size);
  compressor->size = size;
}

static gboolean
fail_compress (const char *reason, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INTERNAL, "a chunk was not compressed: %s", reason);
}

static gboolean
fail_decompress (const char *reason, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "compressed bytes that are damaged: %s",
                           reason);
}
#endif

#ifdef HAVE_LZ4
static gboolean
compress_lz4 (OrreryCompressor *compressor, const guint8 *data, gsize length, gsize *packed,
              GError **error)
{
  LZ4F_preferences_t preferences = { .frameInfo = { .blockSizeID = LZ4F_max1MB,
                                                    .contentSize = length } };

  ensure_room (compressor, LZ4F_compressFrameBound (length, &preferences));
  *packed = LZ4F_compressFrame (compressor->room, compressor->size, data, length, &preferences);
  return !LZ4F_isError (*packed) || fail_compress (LZ4F_getErrorName (*packed), error);
}

static gboolean
decompress_lz4 (const guint8 *data, gsize length, guint8 *out, gsize size, GError **error)
{
  LZ4F_dctx *context = NULL;
  gsize done = 0, state = LZ4F_createDecompressionContext (&context, LZ4F_VERSION);

  while (!LZ4F_isError (state) && length > 0) {
    gsize room = size - done, used = length;

    state = LZ4F_decompress (context, out + done, &room, data, &used, NULL);
    done += room;
    data += used;
    length -= used;
    if (state == 0 || (room == 0 && used == 0))
      break;
  }
  LZ4F_freeDecompressionContext (context);
  if (LZ4F_isError (state))
    return fail_decompress (LZ4F_getErrorName (state), error);
  return (state == 0 && length == 0 && done == size) ||
         fail_decompress ("not as many bytes as the chunk says", error);
}
#define LZ4_METHOD compress_lz4, decompress_lz4
#else
#define LZ4_METHOD NULL, NULL
#endif

#ifdef HAVE_ZSTD
static gboolean
compress_zstd (OrreryCompressor *compressor, const guint8 *data, gsize length, gsize *packed,
               GError **error)
{
  if (compressor->zstd == NULL) {
    compressor->zstd = ZSTD_createCCtx ();
    if (compressor->zstd == NULL)
      return fail_compress ("no memory", error);
    ZSTD_CCtx_setParameter (compressor->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter (compressor->zstd, ZSTD_c_minMatch, ZSTD_MIN_MATCH);
  }
  ensure_room (compressor, ZSTD_compressBound (length));
  *packed = ZSTD_compress2 (compressor->zstd, compressor->room, compressor->size, data, length);
  return !ZSTD_isError (*packed) || fail_compress (ZSTD_getErrorName (*packed), error);
}

static gboolean
decompress_zstd (const guint8 *data, gsize length, guint8 *out, gsize size, GError **error)
{
  gsize done = ZSTD_decompress (out, size, data, length);

  if (ZSTD_isError (done))
    return fail_decompress (ZSTD_getErrorName (done), error);
  return done == size || fail_decompress ("not as many bytes as the chunk says", error);
}
#define ZSTD_METHOD compress_zstd, decompress_zstd
#else
#define ZSTD_METHOD NULL, NULL
#endif

static const Method methods[] = {
  { "lz4", "liblz4-dev", LZ4_METHOD },
  { "zstd", "libzstd-dev", ZSTD_METHOD },
};

/* @method: out; NULL for "" */
static gboolean
find_method (const char *name, const Method **method, GError **error)
{
  *method = NULL;
  if (*name == '\0')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strcmp (methods[i].name, name) == 0)
      *method = &methods[i];
  if (*method == NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "compression '%s': there is none of that name; there is: zstd, lz4",
                             name);
  if ((*method)->compress == NULL)
    return orrery_set_error (
        error, ORRERY_ERROR_NOT_FOUND,
        "compression '%s': this build lacks it; install %s, then configure and "
        "build again",
        name, (*method)->package);
  return TRUE;
}

OrreryCompressor *
orrery_compressor_new (const char *name, GError **error)
{
  const Method *method;
  OrreryCompressor *compressor;

  if (!find_method (name, &method, error))
    return NULL;
  compressor = g_new0 (OrreryCompressor, 1);
  compressor->method = method;
  return compressor;
}

void
orrery_compressor_free (OrreryCompressor *compressor)
{
#ifdef HAVE_ZSTD
  ZSTD_freeCCtx (compressor->zstd);
#endif
  g_free (compressor->room);
  g_free (compressor);
}

const guint8 *
orrery_compressor_run (OrreryCompressor *compressor, const guint8 *data, gsize length,
                       gsize *packed, GError **error)
{
  *packed = length;
  if (compressor->method == NULL)
    return data;
  if (!compressor->method->compress (compressor, data, length, packed, error))
    return NULL;
  return compressor->room;
}

gboolean
orrery_decompress (const char *name, const guint8 *data, gsize length, guint8 *out, gsize size,
                   GError **error)
{
  const Method *method;

  if (!find_method (name, &method, error))
    return FALSE;
  if (method != NULL)
    return method->decompress (data, length, out, size, error);
  if (length != size)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%" G_GSIZE_FORMAT " bytes that are not compressed where the chunk "
                             "says %" G_GSIZE_FORMAT,
                             length, size);
  if (size > 0)
    memcpy (out, data, size);
  return TRUE;
}
