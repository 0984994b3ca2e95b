/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the images of a .blend file, whether packed into it or stored beside it. */
#include "blend-image.h"

#include "../picture/picture.h"

#include <string.h>

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
  return picture_decode (bytes, (gsize) size, limit, NULL);
}

/* `//` is the folder of the file; nothing outside of it is opened. */
static OrreryBuffer *
decode_file (const BlendStruct *image, const char *directory, gsize limit)
{
  g_autofree char *name = blend_struct_get_text (image, "name");
  g_autofree char *path = NULL;

  if (!g_str_has_prefix (name, "//") || strstr (name, "..") != NULL)
    return NULL;
  path = g_build_filename (directory, name + 2, NULL);
  return picture_read (path, limit, NULL);
}

OrreryBuffer *
blend_image_read (const BlendStruct *image, const char *directory, gsize limit)
{
  OrreryBuffer *buffer = decode_packed (image, limit);

  return buffer != NULL ? buffer : decode_file (image, directory, limit);
}

char *
blend_image_get_name (const BlendStruct *image)
{
  g_autofree char *path = blend_struct_get_text (image, "name");
  g_autofree char *name = NULL;
  BlendStruct id;

  if (*path != '\0')
    return g_steal_pointer (&path);
  name = blend_struct_get_struct (image, "id", &id) ? blend_struct_get_text (&id, "name")
                                                    : g_strdup ("");
  /* "IM" and the name. */
  return g_strdup (strlen (name) > 2 ? name + 2 : "without a name");
}
