/* SPDX-License-Identifier: BSD-3-Clause */
/* The current data of a component: a struct with its schema, defaults and timestamp. */
#include "record/orrery-record-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "base/orrery-random.h"
#include "record/orrery-buffer-private.h"
#include "record/orrery-field-private.h"
#include "record/orrery-schema-private.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT 64
/* Records that refer to each other, which are copied */
#define MAX_INNER 8

G_DEFINE_BOXED_TYPE (OrreryRecord, orrery_record, orrery_record_ref, orrery_record_unref)

#define NOWHERE_BYTES 65536

/* Where the struct of a record without fields is: memory that nobody may touch, so that a plugin
 * that forgot to declare its fields, and writes them, ends there and then, with its name told. */
static gpointer
get_nowhere (void)
{
  static gpointer nowhere;

  if (g_once_init_enter (&nowhere)) {
    gpointer made =
        mmap (NULL, NOWHERE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    g_once_init_leave (&nowhere, made != MAP_FAILED ? made : g_aligned_alloc0 (1, 1, ALIGNMENT));
  }
  return nowhere;
}

static gpointer
struct_new (OrrerySchema *schema)
{
  if (orrery_schema_get_size (schema) == 0)
    return get_nowhere ();
  return g_aligned_alloc0 (1, MAX (1, orrery_schema_get_size (schema)), ALIGNMENT);
}

static inline gpointer
place (gpointer data, const OrreryField *field)
{
  return (char *) data + field->offset;
}

static inline void
copy_spans (const OrreryLayout *layout, gpointer to, gconstpointer from)
{
  for (guint i = 0; i < layout->n_spans; i++) {
    const OrrerySpan *span = &layout->spans[i];

    memcpy ((char *) to + span->offset, (const char *) from + span->offset, span->size);
  }
}

static void
struct_copy (OrrerySchema *schema, gpointer to, gpointer from)
{
  const OrreryLayout *layout = orrery_schema_get_layout (schema);

  copy_spans (layout, to, from);
  for (guint i = 0; i < layout->n_owners; i++) {
    const OrreryField *field = layout->owners[i];

    orrery_field_class_copy (orrery_field_get_class (field), place (to, field),
                             place (from, field));
  }
}

void
orrery_schema_clear_struct (OrrerySchema *schema, gpointer data)
{
  guint n_fields = orrery_schema_get_n_fields (schema);

  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    orrery_field_class_clear (orrery_field_get_class (field), place (data, field));
  }
}

static void
struct_free (OrrerySchema *schema, gpointer data)
{
  if (data == NULL || orrery_schema_get_size (schema) == 0)
    return;
  orrery_schema_clear_struct (schema, data);
  g_aligned_free (data);
}

OrreryRecord *
orrery_record_new (OrrerySchema *schema)
{
  g_return_val_if_fail (schema != NULL, NULL);

  OrreryRecord *record = g_slice_new0 (OrreryRecord);
  g_atomic_ref_count_init (&record->ref_count);
  record->schema = orrery_schema_ref (schema);
  record->data = struct_new (schema);
  return record;
}

static void
record_free (OrreryRecord *record)
{
  struct_free (record->schema, record->data);
  struct_free (record->schema, record->defaults);
  orrery_schema_unref (record->schema);
  g_slice_free (OrreryRecord, record);
}

ORRERY_DEFINE_COUNTED (OrreryRecord, orrery_record, ref_count, record_free)

ORRERY_DEFINE_GETTER (OrrerySchema *, orrery_record_get_schema, OrreryRecord, ORRERY_IS_STRUCT,
                      self->schema)

gpointer
orrery_record_data (OrreryRecord *record)
{
  return record->data;
}

gboolean
orrery_record_has_timestamp (OrreryRecord *record)
{
  return record->has_timestamp;
}

OrreryTime
orrery_record_get_timestamp (OrreryRecord *record)
{
  return record->timestamp;
}

void
orrery_record_set_timestamp (OrreryRecord *record, OrreryTime time)
{
  record->timestamp = time;
  record->has_timestamp = TRUE;
}

void
orrery_record_hold (OrreryRecord *record)
{
  record->held = TRUE;
}

gboolean
orrery_record_is_held (OrreryRecord *record)
{
  return record->held;
}

void
orrery_record_release (OrreryRecord *record)
{
  record->held = FALSE;
}

gpointer
orrery_record_find (OrreryRecord *record, const char *name, OrreryFieldType type)
{
  g_return_val_if_fail (record != NULL && name != NULL, NULL);

  const OrreryField *field = orrery_schema_find_field (record->schema, name);
  return field != NULL && field->type == type ? orrery_record_place (record, field) : NULL;
}

double *
orrery_record_find_double (OrreryRecord *record, const char *name)
{
  return orrery_record_find (record, name, ORRERY_FIELD_DOUBLE);
}

gboolean
orrery_record_get (OrreryRecord *record, const char *name, gpointer value)
{
  g_return_val_if_fail (record != NULL && name != NULL && value != NULL, FALSE);

  const OrreryField *field = orrery_schema_find_field (record->schema, name);
  if (field == NULL)
    return FALSE;
  memcpy (value, orrery_record_place (record, field), orrery_field_type_get_size (field->type));
  return TRUE;
}

static gboolean
is_timestamp (OrreryRecord *record, const char *name)
{
  return record->has_timestamp && strcmp (name, "timestamp") == 0;
}

double
orrery_record_get_double (OrreryRecord *record, const char *name)
{
  g_return_val_if_fail (record != NULL && name != NULL, NAN);

  if (is_timestamp (record, name))
    return orrery_time_to_seconds (record->timestamp);
  const OrreryField *field = orrery_schema_find_field (record->schema, name);
  if (field == NULL)
    return NAN;
  const OrreryFieldClass *klass = orrery_field_get_class (field);
  return klass->to_double != NULL ? klass->to_double (orrery_record_place (record, field)) : NAN;
}

static GVariant *
get_value (OrreryRecord *record, const OrreryField *field)
{
  const OrreryFieldClass *klass = orrery_field_get_class (field);

  return g_variant_take_ref (klass->to_variant (klass, orrery_record_place (record, field)));
}

static GVariant *
get_timestamp (OrreryRecord *record)
{
  double seconds = orrery_time_to_seconds (record->timestamp);

  return g_variant_ref_sink (g_variant_new_double (seconds));
}

GVariant *
orrery_record_get_value (OrreryRecord *record, const char *name)
{
  g_return_val_if_fail (record != NULL && name != NULL, NULL);

  if (is_timestamp (record, name))
    return get_timestamp (record);
  const OrreryField *field = orrery_schema_find_field (record->schema, name);
  return field != NULL ? get_value (record, field) : NULL;
}

static const OrreryField *
find_field (OrreryRecord *record, const char *name, GError **error)
{
  const OrreryField *field = orrery_schema_find_field (record->schema, name);

  if (field != NULL)
    return field;
  if (is_timestamp (record, name))
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "timestamp: only the host sets it");
  g_autofree const char **names = orrery_schema_get_names (record->schema);
  g_autofree char *nearest = orrery_nearest_names (name, names);
  return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "no field %s%s", name, nearest);
}

static gboolean
set_field (OrreryRecord *record, const OrreryField *field, GVariant *value, GError **error)
{
  const OrreryFieldClass *klass = orrery_field_get_class (field);
  g_autoptr (GVariant) inner = orrery_field_unbox (value);
  OrreryMat4 plain; /* the largest of them */
  gboolean is_plain = klass->clear == NULL;
  gpointer to = is_plain ? (gpointer) &plain : orrery_record_place (record, field);

  if (!klass->from_variant (klass, to, inner, error))
    return orrery_prefix_error (error, "%s: ", field->name);
  if (is_plain)
    memcpy (orrery_record_place (record, field), &plain, klass->size);
  return TRUE;
}

gboolean
orrery_record_set_value (OrreryRecord *record, const char *name, GVariant *value, GError **error)
{
  g_return_val_if_fail (record != NULL && name != NULL && value != NULL, FALSE);

  g_autoptr (GVariant) held = g_variant_ref_sink (value);
  const OrreryField *field = find_field (record, name, error);
  return field != NULL && set_field (record, field, held, error);
}

static gboolean
set_entry (OrreryRecord *record, GVariant *values, gsize index, GError **error)
{
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GVariant) entry = g_variant_get_child_value (values, index);
  const char *name;

  g_variant_get (entry, "{&sv}", &name, &value);
  if (is_timestamp (record, name))
    return TRUE;
  const OrreryField *field = find_field (record, name, error);
  return field != NULL && set_field (record, field, value, error);
}

gboolean
orrery_record_set_values (OrreryRecord *record, GVariant *values, GError **error)
{
  g_return_val_if_fail (record != NULL && values != NULL, FALSE);

  g_autoptr (GVariant) held = g_variant_ref_sink (values);
  if (!g_variant_is_of_type (held, G_VARIANT_TYPE_VARDICT))
    return orrery_field_refuse ("a dictionary of fields", held, error);
  /* Values are set in a copy first, so that an error in the last one leaves the record
   * unchanged. */
  g_autoptr (OrreryRecord) copy = orrery_record_new (record->schema);
  orrery_record_copy (copy, record);
  for (gsize i = 0; i < g_variant_n_children (held); i++)
    if (!set_entry (copy, held, i, error))
      return FALSE;
  orrery_record_copy (record, copy);
  return TRUE;
}

static void
add_entry (GVariantBuilder *builder, const char *name, GVariant *value)
{
  g_variant_builder_add (builder, "{sv}", name, value);
  g_variant_unref (value);
}

GVariant *
orrery_record_to_variant (OrreryRecord *record)
{
  GVariantBuilder builder;

  g_return_val_if_fail (record != NULL, NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (record->has_timestamp)
    add_entry (&builder, "timestamp", get_timestamp (record));
  for (guint i = 0; i < orrery_schema_get_n_fields (record->schema); i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    add_entry (&builder, field->name, get_value (record, field));
  }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

OrreryBuffer *
orrery_record_get_buffer (OrreryRecord *record, const char *name)
{
  g_return_val_if_fail (record != NULL && name != NULL, NULL);

  const OrreryField *field = orrery_schema_find_field (record->schema, name);
  if (field == NULL || !orrery_field_get_class (field)->holds_buffer)
    return NULL;
  OrreryBuffer *buffer = *(OrreryBuffer **) orrery_record_place (record, field);
  return buffer != NULL ? orrery_buffer_ref (buffer) : NULL;
}

gboolean
orrery_record_set_text (OrreryRecord *record, const char *name, const char *text, GError **error)
{
  const OrreryField *field;

  g_return_val_if_fail (record != NULL && name != NULL && text != NULL, FALSE);

  field = find_field (record, name, error);
  if (field == NULL)
    return FALSE;
  if (field->type != ORRERY_FIELD_TEXT)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: a field of type %s, not text", name,
                             orrery_field_type_get_name (field->type));
  if (!g_utf8_validate (text, -1, NULL))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: not UTF-8", name);
  orrery_text_set (orrery_record_place (record, field), text);
  return TRUE;
}

ORRERY_DEFINE_GETTER (guint64, orrery_record_get_address, OrreryRecord, ORRERY_IS_STRUCT,
                      (guint64) (guintptr) self->data)

static gboolean
check_room (const OrreryField *field, const OrreryBufferForm *form, GError **error)
{
  if (form->n_dimensions >= 1 &&
      orrery_field_class_takes_form (orrery_field_get_class (field), form))
    return TRUE;
  return orrery_set_error (
      error, ORRERY_ERROR_INVALID,
      "%s: a field of type %s does not take elements of type %s in %u dimensions%s", field->name,
      orrery_field_type_get_name (field->type),
      form->element <= ORRERY_ELEMENT_DOUBLE
          ? orrery_element_get_name ((OrreryElement) form->element)
          : "none",
      (guint) form->n_dimensions,
      field->type == ORRERY_FIELD_POINTS ? "; points are rows of three float64" : "");
}

OrreryBuffer *
orrery_record_prepare_buffer (OrreryRecord *record, const char *name, OrreryElement element,
                              guint n_dimensions, const gsize *shape, GError **error)
{
  OrreryBufferForm form = { .element = element, .n_dimensions = n_dimensions };
  const OrreryField *field;
  OrreryBuffer **held;
  OrreryBuffer *room;

  g_return_val_if_fail (record != NULL && name != NULL && shape != NULL, NULL);

  memcpy (form.shape, shape, MIN (n_dimensions, ORRERY_BUFFER_MAX_DIMENSIONS) * sizeof *shape);
  field = find_field (record, name, error);
  if (field == NULL || !check_room (field, &form, error))
    return NULL;
  held = orrery_record_place (record, field);
  room = orrery_buffer_find_room (*held, &form);
  if (room == NULL)
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "%s: more than fits in memory",
                                  name);
  if (room == *held)
    return orrery_buffer_ref (room);
  /* An empty array is represented by no buffer, as in orrery_array_set(). */
  orrery_buffer_swap (held, field->type == ORRERY_FIELD_BUFFER || orrery_buffer_get_size (room) > 0
                                ? orrery_buffer_ref (room)
                                : NULL);
  return room;
}

void
orrery_record_keep_defaults (OrreryRecord *record)
{
  g_return_if_fail (record != NULL);

  if (record->defaults == NULL)
    record->defaults = struct_new (record->schema);
  struct_copy (record->schema, record->defaults, record->data);
}

void
orrery_record_reset (OrreryRecord *record)
{
  g_return_if_fail (record != NULL);

  if (record->defaults != NULL)
    struct_copy (record->schema, record->data, record->defaults);
  else
    orrery_schema_clear_struct (record->schema, record->data);
}

void
orrery_record_reset_field (OrreryRecord *record, const OrreryField *field)
{
  const OrreryFieldClass *klass = orrery_field_get_class (field);

  if (record->defaults != NULL)
    orrery_field_class_copy (klass, orrery_record_place (record, field),
                             place (record->defaults, field));
  else
    orrery_field_class_clear (klass, orrery_record_place (record, field));
}

void
orrery_record_copy (OrreryRecord *record, OrreryRecord *from)
{
  g_return_if_fail (record != NULL && from != NULL);
  g_return_if_fail (record->schema == from->schema);

  struct_copy (record->schema, record->data, from->data);
  record->timestamp = from->timestamp;
  record->has_timestamp = from->has_timestamp;
  record->held = from->held;
}

/* --- copies that share nothing --- */

/* The buffer of @to becomes an equal one of its own. */
static void
copy_buffer (OrreryBuffer **to, OrreryBuffer *from)
{
  OrreryBufferForm form = orrery_buffer_get_form (from);
  OrreryBuffer *room = from != NULL ? orrery_buffer_find_room (*to, &form) : NULL;

  if (room != NULL)
    memcpy (orrery_buffer_get_data (room), orrery_buffer_get_data (from),
            orrery_buffer_get_size (from));
  orrery_buffer_swap (to, room);
}

static void copy_whole (OrreryRecord *record, OrreryRecord *from, guint depth);

/* The record that @to refers to becomes an equal one that nobody else has. */
static void
copy_inner (OrreryRecord **to, OrreryRecord *from, guint depth)
{
  if (*to != NULL && (from == NULL || *to == from || (*to)->schema != from->schema))
    g_clear_pointer (to, orrery_record_unref);
  if (from == NULL || depth == 0)
    return;
  if (*to == NULL)
    *to = orrery_record_new (from->schema);
  copy_whole (*to, from, depth - 1);
}

static void
copy_whole (OrreryRecord *record, OrreryRecord *from, guint depth)
{
  const OrreryLayout *layout = orrery_schema_get_layout (record->schema);

  copy_spans (layout, record->data, from->data);
  for (guint i = 0; i < layout->n_owners; i++) {
    const OrreryField *field = layout->owners[i];
    const OrreryFieldClass *klass = orrery_field_get_class (field);
    gpointer to = orrery_record_place (record, field), source = orrery_record_place (from, field);

    if (klass->holds_buffer)
      copy_buffer (to, *(OrreryBuffer **) source);
    else if (field->type == ORRERY_FIELD_RECORD)
      copy_inner (to, *(OrreryRecord **) source, depth);
    else
      orrery_field_class_copy (klass, to, source);
  }
  record->timestamp = from->timestamp;
  record->has_timestamp = from->has_timestamp;
  record->held = from->held;
}

void
orrery_record_copy_whole (OrreryRecord *record, OrreryRecord *from)
{
  g_return_if_fail (record != NULL && from != NULL && record != from);
  g_return_if_fail (record->schema == from->schema);

  copy_whole (record, from, MAX_INNER);
}

guint64
orrery_record_hash (OrreryRecord *record, guint64 hash, OrreryTime start)
{
  g_return_val_if_fail (record != NULL, hash);

  if (record->has_timestamp)
    hash = orrery_hash_word (hash, (guint64) record->timestamp - (guint64) start);
  for (guint i = 0; i < orrery_schema_get_n_fields (record->schema); i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);
    const OrreryFieldClass *klass = orrery_field_get_class (field);

    hash = klass->hash (klass, hash, orrery_record_place (record, field), start);
  }
  return hash;
}

const char *
orrery_record_find_nan (OrreryRecord *record)
{
  for (guint i = 0; i < orrery_schema_get_n_fields (record->schema); i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);
    gboolean is_numbers = field->type == ORRERY_FIELD_DOUBLE ||
                          (field->type >= ORRERY_FIELD_VEC3 && field->type <= ORRERY_FIELD_MAT4);
    gsize n = is_numbers ? orrery_field_get_class (field)->size / sizeof (double) : 0;
    const double *numbers = (const double *) orrery_record_place (record, field);

    for (gsize j = 0; j < n; j++)
      if (G_UNLIKELY (isnan (numbers[j])))
        return field->name;
  }
  return NULL;
}
