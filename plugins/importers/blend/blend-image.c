/* SPDX-License-Identifier: BSD-3-Clause */
#include "blend-image.h"

#ifdef HAVE_PIXBUF
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

/* px: a larger picture is scaled down while it is read. */
#define MAX_SIDE 1024
#define MAX_FILE ((goffset) 64 << 20)

static void
on_size (GdkPixbufLoader *loader, int width, int height, gpointer data)
{
  double scale = (double) MAX_SIDE / MAX (MAX (width, height), 1);

  if (scale < 1)
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

static OrreryBuffer *
decode (const guint8 *bytes, gsize n, gsize limit)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  gboolean fine;
  GdkPixbuf *pixbuf;

  g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size), NULL);
  fine = gdk_pixbuf_loader_write (loader, bytes, n, NULL);
  fine = gdk_pixbuf_loader_close (loader, NULL) && fine;
  pixbuf = fine ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;
  return pixbuf != NULL ? copy_pixels (pixbuf, limit) : NULL;
}

static OrreryBuffer *
decode_packed (const BlendStruct *image, gsize limit)
{
  BlendStruct packed;
  const guint8 *bytes;
  gint64 size;

  if (!blend_struct_follow (image, "packedfile", &packed)) {
    g_autoptr (GArray) list = blend_struct_get_list (image, "packedfiles");

    if (list->len == 0 ||
        !blend_struct_follow (&g_array_index (list, BlendStruct, 0), "packedfile", &packed))
      return NULL;
  }
  size = blend_struct_get_int (&packed, "size");
  if (size <= 0 || !blend_struct_follow_bytes (&packed, "data", (gsize) size, &bytes))
    return NULL;
  return decode (bytes, (gsize) size, limit);
}

/* `//` is the folder of the file; nothing outside of it is opened. */
static OrreryBuffer *
decode_file (const BlendStruct *image, const char *directory, gsize limit)
{
  g_autofree char *name = blend_struct_get_text (image, "name");
  g_autofree char *path = NULL;
  g_autofree char *bytes = NULL;
  gsize n;

  if (!g_str_has_prefix (name, "//") || strstr (name, "..") != NULL)
    return NULL;
  path = g_build_filename (directory, name + 2, NULL);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) ||
      !g_file_get_contents (path, &bytes, &n, NULL) || n > (gsize) MAX_FILE)
    return NULL;
  return decode ((const guint8 *) bytes, n, limit);
}

OrreryBuffer *
blend_image_read (const BlendStruct *image, const char *directory, gsize limit)
{
  OrreryBuffer *buffer = decode_packed (image, limit);

  return buffer != NULL ? buffer : decode_file (image, directory, limit);
}
#else
OrreryBuffer *
blend_image_read (const BlendStruct *image, const char *directory, gsize limit)
{
  return NULL;
}
#endif
