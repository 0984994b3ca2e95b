/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed pictures. */
#include "recorder-picture.h"

#ifdef HAVE_PIXBUF
#include <gdk-pixbuf/gdk-pixbuf.h>

/* GdkPixbuf knows no grey. */
static GdkPixbuf *
make_grey (const guint8 *pixels, gsize width, gsize height)
{
  GdkPixbuf *pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, (int) width, (int) height);

  for (gsize y = 0; pixbuf != NULL && y < height; y++) {
    guint8 *to = gdk_pixbuf_get_pixels (pixbuf) + y * (gsize) gdk_pixbuf_get_rowstride (pixbuf);

    for (gsize x = 0; x < width; x++, to += 3)
      to[0] = to[1] = to[2] = pixels[y * width + x];
  }
  return pixbuf;
}

gboolean
recorder_picture_write (const guint8 *pixels, gsize width, gsize height, gsize n_channels,
                        const char *format, GByteArray *out)
{
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autofree char *bytes = NULL;
  gsize n;

  if (width > G_MAXINT / 4 || height > G_MAXINT)
    return FALSE;
  pixbuf = n_channels == 1 ? make_grey (pixels, width, height)
                           : gdk_pixbuf_new_from_data (pixels, GDK_COLORSPACE_RGB, n_channels == 4,
                                                       8, (int) width, (int) height,
                                                       (int) (width * n_channels), NULL, NULL);
  if (pixbuf == NULL || !gdk_pixbuf_save_to_buffer (pixbuf, &bytes, &n, format, NULL, NULL))
    return FALSE;
  g_byte_array_set_size (out, 0);
  g_byte_array_append (out, (const guint8 *) bytes, (guint) n);
  return TRUE;
}

gboolean
recorder_picture_check (const char *format, GError **error)
{
  const guint8 pixel[3] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();

  if (recorder_picture_write (pixel, 1, 1, 3, format, out))
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "GdkPixbuf writes no %s here", format);
  return FALSE;
}
#else
gboolean
recorder_picture_write (const guint8 *pixels, gsize width, gsize height, gsize n_channels,
                        const char *format, GByteArray *out)
{
  return FALSE;
}

gboolean
recorder_picture_check (const char *format, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
               "no %s: this was built without GdkPixbuf", format);
  return FALSE;
}
#endif
