/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The description of its structs that a .blend file contains. */

typedef enum {
  BLEND_NONE,
  BLEND_CHAR,
  BLEND_UCHAR,
  BLEND_SHORT,
  BLEND_USHORT,
  BLEND_INT,
  BLEND_FLOAT,
  BLEND_DOUBLE,
  BLEND_INT64,
  BLEND_UINT64,
  BLEND_STRUCT,
} BlendKind;

typedef struct {
  const char *name; /* without stars and brackets; ends at name_length */
  gsize name_length;
  gboolean is_pointer;
  BlendKind kind; /* of what a pointer points at, too */
  int type;       /* of a struct: index of its description, or -1 */
  guint n;        /* elements */
  gsize offset;   /* bytes */
  gsize size;     /* bytes of all elements */
} BlendField;

typedef struct {
  const char *name;
  gsize size;
  guint first; /* index of its first field */
  guint n;
} BlendType;

typedef struct {
  GArray *fields;      /* (element-type BlendField) */
  GArray *types;       /* (element-type BlendType) */
  GHashTable *by_name; /* (element-type utf8 int): index + 1 of a description */
} BlendDna;

/* FALSE: not a valid description. The names point into @data, which must outlive it. */
gboolean blend_dna_read (BlendDna *dna, const guint8 *data, gsize length, gboolean big_endian,
                         guint pointer_size);
void blend_dna_clear (BlendDna *dna);
/* @n_steps: is increased by the number of fields that were searched */
const BlendField *blend_dna_find (const BlendDna *dna, int type, const char *field,
                                  guint64 *n_steps);
