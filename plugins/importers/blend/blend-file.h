/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/*
 * A .blend file as what it says of itself: blocks of structs whose layout the file's own
 * description (SDNA) tells. Works for 32 and 64 bit pointers, both byte orders, plain and gzip.
 * Nothing of the file is believed: every offset, count and pointer is checked where it is used.
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
/* TRUE: so much was asked of it that nothing more is found: it leads in circles. */
gboolean blend_file_is_spent (const BlendFile *file);
/* The structs of all blocks of a code ("OB", "ME", "SC"), in the order of the file.
 * Returns: (element-type BlendStruct) */
GArray *blend_file_list (const BlendFile *file, const char *code);

const char *blend_struct_get_type (const BlendStruct *s);
gboolean blend_struct_has (const BlendStruct *s, const char *field);
/* Numbers of any C type; element i of an array, row by row; 0 where there is no such field. */
double blend_struct_get_number (const BlendStruct *s, const char *field, guint i);
gint64 blend_struct_get_int (const BlendStruct *s, const char *field);
/* A char array; "" where there is none; broken UTF-8 is mended.
 * Returns: (transfer full) */
char *blend_struct_get_text (const BlendStruct *s, const char *field);
/* A struct inside of this one. */
gboolean blend_struct_get_struct (const BlendStruct *s, const char *field, BlendStruct *out);
/* Where a pointer leads to; FALSE: nowhere. */
gboolean blend_struct_follow (const BlendStruct *s, const char *field, BlendStruct *out);
/* The structs that a pointer leads to, at least n of them. FALSE: nowhere, or fewer. */
gboolean blend_struct_follow_array (const BlendStruct *s, const char *field, guint n,
                                    BlendArray *out);
/* The text that a pointer leads to, "" where it leads nowhere.
 * Returns: (transfer full) */
char *blend_struct_follow_text (const BlendStruct *s, const char *field);
/* The bytes that a pointer leads to, at least n of them; they live as long as the file. */
gboolean blend_struct_follow_bytes (const BlendStruct *s, const char *field, gsize n,
                                    const guint8 **out);
/* Where pointer i of a field leads to that is an array of pointers itself. */
gboolean blend_struct_follow_place (const BlendStruct *s, const char *field, guint i,
                                    BlendStruct *out);
/* Pointer i of an array of pointers that a field leads to. */
gboolean blend_struct_follow_list (const BlendStruct *s, const char *field, guint i,
                                   BlendStruct *out);
/* All that a ListBase holds, in order; ends where it leads nowhere or begins anew.
 * Returns: (element-type BlendStruct) */
GArray *blend_struct_get_list (const BlendStruct *s, const char *field);
BlendStruct blend_array_get (const BlendArray *array, guint i);
/* What tells two structs of one file apart. */
static inline gconstpointer
blend_struct_get_key (const BlendStruct *s)
{
  return s->data;
}
