/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-flat-private.h"
#include "record/orrery-record-json-private.h"
#include "record/orrery-schema.h"

G_BEGIN_DECLS

typedef struct _OrreryFieldClass OrreryFieldClass;

/* One number of a field that is represented as a dictionary of numbers. */
typedef struct {
  const char *name;
  gsize offset;
} OrreryFieldMember;

/* Everything that depends on the type of a field. */
struct _OrreryFieldClass {
  const char *name;
  gsize size;
  gsize alignment;
  /* For a type made of a few numbers: their names in the order in which they are written, or how
   * many there are, in how many rows (0: in one list), and what messages call them. */
  const OrreryFieldMember *members;
  guint n_members;
  guint rows;
  guint columns;
  const char *needed;
  /* For a type that holds a buffer: of how many dimensions, 0 for any. */
  gboolean holds_buffer;
  guint n_dimensions;
  /* Frees what it owns and zeroes it; NULL: there is nothing to free, and the field is plain. */
  void (*clear) (gpointer field);
  /* NULL: a plain copy of the bytes is enough. */
  void (*copy) (gpointer to, gconstpointer from);
  guint64 (*hash) (const OrreryFieldClass *klass, guint64 hash, gconstpointer field,
                   OrreryTime start);
  /* May be floating, or a reference. */
  GVariant *(*to_variant) (const OrreryFieldClass *klass, gconstpointer field);
  /* Leaves the field unchanged on error, unless it is plain. */
  gboolean (*from_variant) (const OrreryFieldClass *klass, gpointer field, GVariant *value,
                            GError **error);
  /* NULL: the type is no number. */
  double (*to_double) (gconstpointer field);
  void (*write_json) (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field);
  /* Of a plain type: reads the value to @field. */
  gboolean (*take_plain) (const OrreryFieldClass *klass, OrreryTake *take, gpointer field);
  /* Of others: checks the value and leaves it in the scratch; the field does not change. */
  gboolean (*take_json) (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot);
  void (*put_json) (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field);
  /* NULL: the bytes of the field. FALSE sets the error. */
  gboolean (*write_flat) (OrreryFlatWriter *writer, gconstpointer field);
  gboolean (*read_flat) (const OrreryFieldClass *klass, OrreryFlatReader *reader, gpointer field);
};

/* The size and alignment, and the members, of a class */
#define PLACE(Type) .size = sizeof (Type), .alignment = G_ALIGNOF (Type)
#define MEMBERS(table) .members = (table), .n_members = G_N_ELEMENTS (table)

extern const OrreryFieldClass orrery_bool_field_class;
extern const OrreryFieldClass orrery_int64_field_class;
extern const OrreryFieldClass orrery_double_field_class;
extern const OrreryFieldClass orrery_time_field_class;
extern const OrreryFieldClass orrery_vec3_field_class;
extern const OrreryFieldClass orrery_euler_field_class;
extern const OrreryFieldClass orrery_quat_field_class;
extern const OrreryFieldClass orrery_mat3_field_class;
extern const OrreryFieldClass orrery_mat4_field_class;
extern const OrreryFieldClass orrery_array_field_class;
extern const OrreryFieldClass orrery_points_field_class;
extern const OrreryFieldClass orrery_buffer_field_class;

/* By their types; NULL for ORRERY_FIELD_NONE. */
extern const OrreryFieldClass *const orrery_field_classes[];

static inline const OrreryFieldClass *
orrery_field_get_class (const OrreryField *field)
{
  return orrery_field_classes[field->type];
}

/* Returns NULL for ORRERY_FIELD_NONE and invalid types. */
const OrreryFieldClass *orrery_field_class_get (OrreryFieldType type);

void orrery_field_class_clear (const OrreryFieldClass *klass, gpointer field);
void orrery_field_class_copy (const OrreryFieldClass *klass, gpointer to, gconstpointer from);

/* Whether a field of the class takes buffers with that type of elements and those dimensions. */
gboolean orrery_field_class_takes_form (const OrreryFieldClass *klass,
                                        const OrreryBufferForm *form);

/* All types by name, for messages. */
const char **orrery_field_type_list_names (void);

/*
 * Reads variants. Numbers are converted only without loss; an ORRERY_ERROR_INVALID says what is
 * needed. A number may be boxed (`v`).
 */
GVariant *orrery_field_unbox (GVariant *value);
gboolean orrery_field_is_list (GVariant *value);
gboolean orrery_field_refuse (const char *needed, GVariant *value, GError **error);
gboolean orrery_field_refuse_value (const char *needed, GVariant *value, GError **error);
gboolean orrery_field_read_double (GVariant *boxed, double *out, GError **error);
gboolean orrery_field_read_integer (GVariant *boxed, gint64 *out, GError **error);
/* The @n children of a list, numbers all */
gboolean orrery_field_read_list (GVariant *value, double *out, gsize n, GError **error);
/* The @rows children of a list, each a list of @n numbers */
gboolean orrery_field_read_rows (GVariant *value, double *out, gsize rows, gsize n, GError **error);
GVariant *orrery_field_rows_to_variant (const double *numbers, gsize rows, gsize n);

G_END_DECLS
