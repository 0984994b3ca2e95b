/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-transform.h"

#include <stddef.h>

G_BEGIN_DECLS

/**
 * OrreryFieldType:
 * @ORRERY_FIELD_NONE: no type
 * @ORRERY_FIELD_BOOL: #OrreryBool
 * @ORRERY_FIELD_INT64: #gint64
 * @ORRERY_FIELD_DOUBLE: #gdouble
 * @ORRERY_FIELD_TIME: #OrreryStamp: nanoseconds inside, seconds in every view from outside
 * @ORRERY_FIELD_TEXT: #OrreryText
 * @ORRERY_FIELD_VEC3: #OrreryVec3
 * @ORRERY_FIELD_EULER: #OrreryEuler
 * @ORRERY_FIELD_QUAT: #OrreryQuat
 * @ORRERY_FIELD_MAT3: #OrreryMat3
 * @ORRERY_FIELD_MAT4: #OrreryMat4
 * @ORRERY_FIELD_ARRAY: #OrreryArray: doubles
 * @ORRERY_FIELD_POINTS: #OrreryPoints: triples of doubles
 * @ORRERY_FIELD_BUFFER: a pointer to an #OrreryBuffer, or %NULL: bytes with shape and element type
 * @ORRERY_FIELD_RECORD: a pointer to an #OrreryRecord, or %NULL: another component's, live
 * @ORRERY_FIELD_VARIANT: a pointer to a #GVariant, or %NULL: free form
 *
 * The type of a field of a record.
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
 * @name: as users and messages see it; not "timestamp", which is the host's
 * @type: its type
 * @offset: its place in the struct, bytes
 * @unit: SI unit, "" for none
 * @words: what it means, one line
 *
 * One field of a record. What a member points at belongs to the record, which frees, copies and
 * resets it: assign a reference of your own (of a floating variant by g_variant_ref_sink()), after
 * giving back the one that was there.
 */
typedef struct {
  const char *name;
  OrreryFieldType type;
  guint32 offset;
  const char *unit;
  const char *words;
} OrreryField;

#ifndef __GI_SCANNER__
#ifndef __cplusplus
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
 * @Struct: the struct that is the record
 * @member: one of its members, of a type of #OrreryFieldType; its name becomes the field's
 * @unit: SI unit, "" for none
 * @words: what it means, one line
 *
 * One entry of a field table; type and place come from the member itself.
 */
#define ORRERY_FIELD(Struct, member, unit, words)                                                  \
  ORRERY_FIELD_AS (#member, ORRERY_FIELD_TYPE_OF (((Struct *) 0)->member),                         \
                   offsetof (Struct, member), unit, words)
#endif
#endif

/**
 * ORRERY_FIELD_AS: (skip)
 * @name: the field's name
 * @type: an #OrreryFieldType
 * @offset: place in the struct, bytes
 * @unit: SI unit, "" for none
 * @words: what it means, one line
 *
 * ORRERY_FIELD() with name, type and place given, for C++ or another name.
 */
#define ORRERY_FIELD_AS(name, type, offset, unit, words)                                           \
  {                                                                                                \
    name, type, (guint32) (offset), unit, words                                                    \
  }

/**
 * OrrerySchema:
 *
 * The fields of a record: immutable, counted, from any thread. A schema borrows the table that it
 * was made from if that is static, or owns a copy.
 */
#define ORRERY_TYPE_SCHEMA (orrery_schema_get_type ())
ORRERY_API GType orrery_schema_get_type (void);

/**
 * ORRERY_SCHEMA_MAX_FIELDS:
 *
 * A schema has at most as many fields.
 */
#define ORRERY_SCHEMA_MAX_FIELDS 65536

/**
 * orrery_fields_check: (skip)
 * @fields: (array length=n_fields) (nullable): a table; %NULL if @n_fields is 0
 * @n_fields: its length
 * @size: size of the struct that the table describes, bytes
 *
 * Judges the table of a plugin before it is used: names and types given, no name twice, none
 * "timestamp"; each field aligned, inside the struct, on no other.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_PLUGIN
 */
ORRERY_API gboolean orrery_fields_check (const OrreryField *fields, guint n_fields, gsize size,
                                         GError **error);

/**
 * orrery_schema_new: (skip)
 * @fields: (array length=n_fields) (nullable): a static table that orrery_fields_check() accepts;
 *   borrowed; %NULL if @n_fields is 0
 * @n_fields: its length
 * @size: size of the struct that the table describes, bytes
 *
 * The table has to outlive the schema, and all records of it. One that orrery_fields_check()
 * refuses is a mistake of the caller: it is logged, and the result is %NULL.
 *
 * Returns: (transfer full): a schema
 */
ORRERY_API OrrerySchema *orrery_schema_new (const OrreryField *fields, guint n_fields, gsize size);

/**
 * orrery_schema_new_from_variant: (constructor)
 * @description: an array of (name, type, unit, words): `a(ssss)`; types are named as by
 *   orrery_field_type_get_name()
 *
 * A schema made at setup, laid out by the host in the order given: armature joints, classes
 * written in Python. A floating @description is consumed.
 *
 * Returns: (transfer full): the schema, or %NULL with %ORRERY_ERROR_INVALID: another kind of
 *   variant, a name given twice, an empty name, "timestamp", a type that is none
 */
ORRERY_API OrrerySchema *orrery_schema_new_from_variant (GVariant *description, GError **error);

/**
 * orrery_schema_to_variant:
 *
 * Describes the fields for another process or a binding. Their places are not in it.
 *
 * Returns: (transfer full): an `a(ssss)`, as orrery_schema_new_from_variant() takes it
 */
ORRERY_API GVariant *orrery_schema_to_variant (OrrerySchema *schema);

/**
 * orrery_schema_ref:
 * @schema: a schema
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @schema
 */
ORRERY_API OrrerySchema *orrery_schema_ref (OrrerySchema *schema);

/**
 * orrery_schema_unref:
 * @schema: (transfer full): a schema; freed with its last reference
 *
 * Any thread. Its fields and their names are valid until then.
 */
ORRERY_API void orrery_schema_unref (OrrerySchema *schema);

/**
 * orrery_schema_get_n_fields:
 *
 * From 0 to %ORRERY_SCHEMA_MAX_FIELDS.
 *
 * Returns: number of fields, the timestamp not counted
 */
ORRERY_API guint orrery_schema_get_n_fields (OrrerySchema *schema);

/**
 * orrery_schema_get_field: (skip)
 * @index: below orrery_schema_get_n_fields()
 *
 * Fields are in the order of the table, which need not be that of the struct.
 *
 * Returns: (transfer none): the field, valid as long as the schema
 */
ORRERY_API const OrreryField *orrery_schema_get_field (OrrerySchema *schema, guint index);

/**
 * orrery_schema_find_field: (skip)
 * @name: a name
 *
 * Looks in a hash table. The field is valid as long as the schema.
 *
 * Returns: (transfer none) (nullable): the field of that name, or %NULL
 */
ORRERY_API const OrreryField *orrery_schema_find_field (OrrerySchema *schema, const char *name);

/**
 * orrery_schema_get_offset:
 * @name: a name
 *
 * For bindings that read the struct at orrery_record_get_address().
 *
 * Returns: bytes from the start of the struct to the field of that name; -1 if there is none
 */
ORRERY_API gint64 orrery_schema_get_offset (OrrerySchema *schema, const char *name);

/**
 * orrery_schema_get_size:
 *
 * 0 for a schema without fields.
 *
 * Returns: bytes of the struct
 */
ORRERY_API gsize orrery_schema_get_size (OrrerySchema *schema);

/**
 * orrery_schema_get_names:
 *
 * The names belong to the schema; the caller frees the array alone, by g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1): names in order
 */
ORRERY_API const char **orrery_schema_get_names (OrrerySchema *schema);

/**
 * orrery_field_type_get_name:
 * @type: a type
 *
 * The text is static. What is no type is called "none".
 *
 * Returns: (transfer none): "bool", "int64", "double", "time", "text", "vec3", "euler", "quat",
 *   "mat3", "mat4", "array", "points", "buffer", "record", "variant"; "none"
 */
ORRERY_API const char *orrery_field_type_get_name (OrreryFieldType type);

/**
 * orrery_field_type_from_name:
 * @name: a name as of orrery_field_type_get_name()
 *
 * Upper and lower case differ; "none" is the name of no type.
 *
 * Returns: the type, %ORRERY_FIELD_NONE if there is none of that name
 */
ORRERY_API OrreryFieldType orrery_field_type_from_name (const char *name);

/**
 * orrery_field_type_get_size:
 * @type: a type
 *
 * Of a text, a buffer, a record or a variant that is what stands in the struct, not what it points
 * at.
 *
 * Returns: bytes of a field in the struct; 0 for %ORRERY_FIELD_NONE
 */
ORRERY_API gsize orrery_field_type_get_size (OrreryFieldType type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrrerySchema, orrery_schema_unref)

G_END_DECLS
