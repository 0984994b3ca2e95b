/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-transform.h"

#include <stddef.h>

G_BEGIN_DECLS

/**
 * OrreryFieldType:
 *
 * The type of a field of a record. %ORRERY_FIELD_NONE is no type.
 */
typedef enum {
  ORRERY_FIELD_NONE,
  ORRERY_FIELD_BOOL,
  ORRERY_FIELD_INT64,
  ORRERY_FIELD_DOUBLE,
  ORRERY_FIELD_TIME,
  ORRERY_FIELD_TEXT,
  ORRERY_FIELD_VEC3,
  ORRERY_FIELD_EULER,
  ORRERY_FIELD_QUAT,
  ORRERY_FIELD_MAT3,
  ORRERY_FIELD_MAT4,
  ORRERY_FIELD_ARRAY,
  ORRERY_FIELD_POINTS,
  ORRERY_FIELD_BUFFER,
  ORRERY_FIELD_RECORD,
  ORRERY_FIELD_VARIANT,
} OrreryFieldType;

/**
 * OrreryField: (skip)
 * @name: as users and messages see it
 * @type: its type
 * @offset: its place in the struct
 * @unit: SI unit, "" for none
 * @words: what it means, one line
 */
typedef struct {
  const char *name;
  OrreryFieldType type;
  guint32 offset;
  const char *unit;
  const char *words;
} OrreryField;

#if !defined(__cplusplus) && !defined(__GI_SCANNER__)
/* A member of any other type does not compile: that is meant. */
#define ORRERY_FIELD_TYPE_OF(member)                                                               \
  _Generic ((member),                                                                              \
      OrreryBool: ORRERY_FIELD_BOOL,                                                               \
      gint64: ORRERY_FIELD_INT64,                                                                  \
      double: ORRERY_FIELD_DOUBLE,                                                                 \
      OrreryStamp: ORRERY_FIELD_TIME,                                                              \
      OrreryText: ORRERY_FIELD_TEXT,                                                               \
      OrreryVec3: ORRERY_FIELD_VEC3,                                                               \
      OrreryEuler: ORRERY_FIELD_EULER,                                                             \
      OrreryQuat: ORRERY_FIELD_QUAT,                                                               \
      OrreryMat3: ORRERY_FIELD_MAT3,                                                               \
      OrreryMat4: ORRERY_FIELD_MAT4,                                                               \
      OrreryArray: ORRERY_FIELD_ARRAY,                                                             \
      OrreryPoints: ORRERY_FIELD_POINTS,                                                           \
      OrreryBuffer *: ORRERY_FIELD_BUFFER,                                                         \
      OrreryRecord *: ORRERY_FIELD_RECORD,                                                         \
      GVariant *: ORRERY_FIELD_VARIANT)

/**
 * ORRERY_FIELD: (skip)
 *
 * One entry of a field table; type and place come from the member itself.
 */
#define ORRERY_FIELD(Struct, member, unit, words)                                                  \
  ORRERY_FIELD_AS (#member, ORRERY_FIELD_TYPE_OF (((Struct *) 0)->member),                         \
                   offsetof (Struct, member), unit, words)
#endif

/** ORRERY_FIELD_AS: (skip): the same with name, type and place given, for C++ or another name */
#define ORRERY_FIELD_AS(name, type, offset, unit, words)                                           \
  {                                                                                                \
    name, type, (guint32) (offset), unit, words                                                    \
  }

/**
 * OrrerySchema:
 *
 * The fields of a record: immutable, counted. A schema borrows the table that it was made from if
 * that is static, or owns a copy.
 */
#define ORRERY_TYPE_SCHEMA (orrery_schema_get_type ())
ORRERY_API GType orrery_schema_get_type (void);

/**
 * orrery_schema_new: (skip)
 * @fields: (array length=n_fields): a static table; borrowed
 * @n_fields: its length
 * @size: size of the struct that the table describes, bytes
 */
ORRERY_API OrrerySchema *orrery_schema_new (const OrreryField *fields, guint n_fields, gsize size);

/**
 * orrery_schema_new_from_variant:
 * @description: an array of (name, type, unit, words): `a(ssss)`; types are named as by orrery_field_type_get_name()
 * @error: return location
 *
 * A schema made at setup, laid out by the host: armature joints, classes written in Python.
 *
 * Returns: (transfer full): the schema, or %NULL with %ORRERY_ERROR_INVALID: a name given twice, an
 *   empty name, a type that is none
 */
ORRERY_API OrrerySchema *orrery_schema_new_from_variant (GVariant *description, GError **error);
ORRERY_API OrrerySchema *orrery_schema_ref (OrrerySchema *schema);
ORRERY_API void orrery_schema_unref (OrrerySchema *schema);
ORRERY_API guint orrery_schema_get_n_fields (OrrerySchema *schema);
/** orrery_schema_get_field: (skip) */
ORRERY_API const OrreryField *orrery_schema_get_field (OrrerySchema *schema, guint index);
/** orrery_schema_find_field: (skip): the field of that name, or %NULL */
ORRERY_API const OrreryField *orrery_schema_find_field (OrrerySchema *schema, const char *name);
ORRERY_API gsize orrery_schema_get_size (OrrerySchema *schema);
/** orrery_schema_get_names: (transfer container) (array zero-terminated=1): names in order */
ORRERY_API const char **orrery_schema_get_names (OrrerySchema *schema);
ORRERY_API const char *orrery_field_type_get_name (OrreryFieldType type);
ORRERY_API OrreryFieldType orrery_field_type_from_name (const char *name);
/** orrery_field_type_get_size: bytes of a field in the struct; 0 for %ORRERY_FIELD_NONE */
ORRERY_API gsize orrery_field_type_get_size (OrreryFieldType type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrrerySchema, orrery_schema_unref)

G_END_DECLS
