/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes pictures by gdk-pixbuf, within limits of size. */
#include "picture.h"

#include <gio/gio.h>
#ifdef HAVE_PIXBUF
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

/* A size of 0 stops the loader before it allocates the pixels. */
static void
on_size (GdkPixbufLoader *loader, int width, int height, gpointer data)
{
  gboolean *too_large = data;
  double scale = (double) PICTURE_MAX_SIDE / MAX (MAX (width, height), 1);

  *too_large = (gint64) width * height > PICTURE_MAX_PIXELS;
  if (*too_large)
    gdk_pixbuf_loader_set_size (loader, 0, 0);
  else if (scale < 1)
    gdk_pixbuf_loader_set_size (loader, MAX ((int) (width * scale), 1),
                                MAX ((int) (height * scale), 1));
}

static OrreryBuffer *
copy_pixels (GdkPixbuf *pixbuf, gsize limit)
{
  gsize shape[3] = { (gsize) gdk_pixbuf_get_height (pixbuf), (gsize) gdk_pixbuf_get_width (pixbuf),
                     3 };
  gsize n_channels = (gsize) gdk_pixbuf_get_n_channels (pixbuf);
  const guint8 *pixels = gdk_pixbuf_read_pixels (pixbuf);
  gsize stride = (gsize) gdk_pixbuf_get_rowstride (pixbuf);
  OrreryBuffer *buffer;
  guint8 *out;

  if (n_channels < 3 || shape[0] * shape[1] * 3 > limit)
    return NULL;
  buffer = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
  out = buffer != NULL ? orrery_buffer_get_data (buffer) : NULL;
  for (gsize y = 0; out != NULL && y < shape[0]; y++)
    for (gsize x = 0; x < shape[1]; x++, out += 3)
      memcpy (out, pixels + y * stride + x * n_channels, 3);
  return buffer;
}

OrreryBuffer *
picture_decode (const guint8 *bytes, gsize n, gsize limit, GError **error)
{
  g_autoptr (GdkPixbufLoader) loader = NULL;
  g_autoptr (GError) local = NULL;
  gboolean too_large = FALSE;
  GdkPixbuf *pixbuf = NULL;
  OrreryBuffer *buffer;

  /* The loader takes no bytes for a mistake of its caller. */
  if (n == 0) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "no picture that can be read: it is empty");
    return NULL;
  }
  loader = gdk_pixbuf_loader_new ();
  g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size), &too_large);
  /* The loader must be closed in any case; only its first error is reported. */
  if (gdk_pixbuf_loader_write (loader, bytes, n, &local))
    gdk_pixbuf_loader_close (loader, &local);
  else
    gdk_pixbuf_loader_close (loader, NULL);
  if (local == NULL)
    pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  buffer = pixbuf != NULL ? copy_pixels (pixbuf, limit) : NULL;
  if (too_large)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "a picture of more than %u pixels",
                      PICTURE_MAX_PIXELS);
  else if (buffer == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "no picture that can be read: %s",
                      local != NULL ? local->message : "it has no pixels, or there are too many");
  return buffer;
}
#else
OrreryBuffer *
picture_decode (const guint8 *bytes, gsize n, gsize limit, GError **error)
{
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                    "pictures are read by gdk-pixbuf, which was not there when this was built "
                    "(libgdk-pixbuf-2.0-dev)");
  return NULL;
}
#endif

/* Reads at most one byte more than the limit, whatever length the file claims. */
static GBytes *
read_bytes (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 chunk[65536];
  gssize n;

  if (stream == NULL)
    return NULL;
  while ((n = g_input_stream_read (G_INPUT_STREAM (stream), chunk, sizeof chunk, NULL, error)) >
         0) {
    g_byte_array_append (bytes, chunk, (guint) n);
    if (bytes->len > PICTURE_MAX_FILE) {
      orrery_set_error (error, ORRERY_ERROR_CONFIG, "a picture of more than %u MiB",
                        (guint) (PICTURE_MAX_FILE >> 20));
      return NULL;
    }
  }
  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

OrreryBuffer *
picture_read (const char *path, gsize limit, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  OrreryBuffer *buffer = NULL;
  gconstpointer data;
  gsize n;

  /* Only regular files are opened, because opening anything else may block. */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "there is no file %s", path);
    return NULL;
  }
  bytes = read_bytes (path, error);
  data = bytes != NULL ? g_bytes_get_data (bytes, &n) : NULL;
  if (bytes != NULL)
    buffer = picture_decode (data, n, limit, error);
  if (buffer == NULL)
    g_prefix_error (error, "%s: ", path);
  return buffer;
}
