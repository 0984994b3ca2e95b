/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/*
 * A .blend file: blocks of structs whose layout is described by the file itself (SDNA). Handles 32
 * and 64 bit pointers, both byte orders, plain and gzip. The file is not trusted: every offset,
 * count and pointer is checked where it is used.
 */
typedef struct _BlendFile BlendFile;

/* A struct somewhere in a block; data is at least as long as its description says. */
typedef struct {
  const BlendFile *file;
  int type; /* index of its description */
  const guint8 *data;
} BlendStruct;

/* A run of structs of one type. */
typedef struct {
  BlendStruct first;
  gsize size; /* bytes of one */
  guint n;
} BlendArray;

/* FALSE: no .blend file, cut off, or larger than what is read; the error names the file. */
BlendFile *blend_file_open (const char *path, GError **error);
BlendFile *blend_file_new (const guint8 *data, gsize length, const char *path, GError **error);
void blend_file_free (BlendFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlendFile, blend_file_free)

/* 279 for Blender 2.79. */
int blend_file_get_version (const BlendFile *file);
/* TRUE: the limit of searches was reached, most likely because the file has cycles; nothing more is
 * found. */
gboolean blend_file_is_spent (const BlendFile *file);
/* The structs of all blocks of a code ("OB", "ME", "SC"), in the order of the file.
 * Returns: (element-type BlendStruct) */
GArray *blend_file_list (const BlendFile *file, const char *code);

const char *blend_struct_get_type (const BlendStruct *s);
gboolean blend_struct_has (const BlendStruct *s, const char *field);
/* Numbers of any C type; element i of an array, row by row; 0 where there is no such field. */
double blend_struct_get_number (const BlendStruct *s, const char *field, guint i);
gint64 blend_struct_get_int (const BlendStruct *s, const char *field);
/* A char array; "" if there is none; invalid UTF-8 is repaired. Returns: (transfer full) */
char *blend_struct_get_text (const BlendStruct *s, const char *field);
/* A struct inside of this one. */
gboolean blend_struct_get_struct (const BlendStruct *s, const char *field, BlendStruct *out);
/* Follows a pointer; FALSE: it points to nothing. */
gboolean blend_struct_follow (const BlendStruct *s, const char *field, BlendStruct *out);
/* Follows a pointer to at least n structs. FALSE: there are fewer, or none. */
gboolean blend_struct_follow_array (const BlendStruct *s, const char *field, guint n,
                                    BlendArray *out);
/* Follows a pointer to a text; "" if there is none. Returns: (transfer full) */
char *blend_struct_follow_text (const BlendStruct *s, const char *field);
/* Follows a pointer to at least n bytes, which live as long as the file. */
gboolean blend_struct_follow_bytes (const BlendStruct *s, const char *field, gsize n,
                                    const guint8 **out);
/* Follows pointer i of a field that is an array of pointers. */
gboolean blend_struct_follow_place (const BlendStruct *s, const char *field, guint i,
                                    BlendStruct *out);
/* Follows pointer i of an array of pointers to which a field points. */
gboolean blend_struct_follow_list (const BlendStruct *s, const char *field, guint i,
                                   BlendStruct *out);
/* Lists the items of a ListBase in order, up to a pointer to nothing or to an earlier item.
 * Returns: (element-type BlendStruct) */
GArray *blend_struct_get_list (const BlendStruct *s, const char *field);
BlendStruct blend_array_get (const BlendArray *array, guint i);
/* A key that is unique for each struct of a file. */
static inline gconstpointer
blend_struct_get_key (const BlendStruct *s)
{
  return s->data;
}
