/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a record as bytes without pointers, and reads one from bytes that anybody may send. */
#include "record/orrery-flat-private.h"

#include "base/orrery-error.h"
#include "base/orrery-random.h"
#include "record/orrery-buffer.h"
#include "record/orrery-field-private.h"
#include "record/orrery-record-private.h"

#include <string.h>

#define MAGIC G_GUINT64_CONSTANT (0x314454414c46524f)
#define MAX_DEPTH 16
/* From this size on it is cheaper to hold a buffer where it lies than to copy it. */
#define HELD_BYTES 16384

/* What a field of type record has in its place. */
#define REFERS_TO_NONE 0
#define REFERS_TO_NEXT 1 /* the record follows */
#define REFERS_AS_BEFORE 2

#define FLAG_TIMESTAMP 1u
#define FLAG_HELD 2u

typedef struct {
  guint64 magic;
  guint64 fields; /* names and types, folded */
  gint64 timestamp;
  guint64 flags;
} Head;

/* The header of the bytes of a buffer; without dimensions there is no buffer. */
typedef struct {
  guint64 element;
  guint64 n_dimensions;
  guint64 shape[ORRERY_BUFFER_MAX_DIMENSIONS];
} Form;

static guint64
fold_fields (OrrerySchema *schema)
{
  guint n_fields = orrery_schema_get_n_fields (schema);
  guint64 hash = orrery_hash_word (0, n_fields);

  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    hash = orrery_hash_bytes (hash, field->name, strlen (field->name));
    hash = orrery_hash_word (hash, field->type);
  }
  return hash;
}

static inline gpointer
place (OrreryRecord *record, const OrreryField *field)
{
  return (char *) record->data + field->offset;
}

/* --- writing; to nowhere, it measures --- */

typedef struct {
  guint8 *bytes; /* NULL: measure */
  gsize at;
  guint depth;
  gboolean shallow;
  GError **error;
} Writer;

static void
put (Writer *writer, gconstpointer data, gsize n)
{
  gsize padding = -n & 7;

  if (writer->bytes != NULL) {
    if (n > 0)
      memcpy (writer->bytes + writer->at, data, n);
    memset (writer->bytes + writer->at + n, 0, padding);
  }
  writer->at += n + padding;
}

static void
put_word (Writer *writer, guint64 word)
{
  put (writer, &word, sizeof word);
}

static void
put_text (Writer *writer, const OrreryText *text)
{
  const char *str = orrery_text_get (text);
  gsize length = strlen (str);

  put_word (writer, length);
  put (writer, str, length);
}

static void
put_buffer (Writer *writer, OrreryBuffer *buffer)
{
  Form form = { 0 };

  if (buffer != NULL) {
    form.element = orrery_buffer_get_element (buffer);
    form.n_dimensions = orrery_buffer_get_n_dimensions (buffer);
    for (guint i = 0; i < form.n_dimensions; i++)
      form.shape[i] = orrery_buffer_get_length (buffer, i);
  }
  put (writer, &form, sizeof form);
  if (buffer != NULL)
    put (writer, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
}

static void
put_variant (Writer *writer, GVariant *variant)
{
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;

  if (variant == NULL) {
    put_word (writer, 0);
    return;
  }
  boxed = g_variant_ref_sink (g_variant_new_variant (variant));
  normal = g_variant_get_normal_form (boxed);
  put_word (writer, g_variant_get_size (normal));
  put (writer, g_variant_get_data (normal), g_variant_get_size (normal));
}

static gboolean put_record (Writer *writer, OrreryRecord *record);

static gboolean
put_reference (Writer *writer, OrreryRecord *record)
{
  if (writer->shallow) {
    put_word (writer, REFERS_AS_BEFORE);
    return TRUE;
  }
  put_word (writer, record != NULL ? REFERS_TO_NEXT : REFERS_TO_NONE);
  return record == NULL || put_record (writer, record);
}

static gboolean
put_field (Writer *writer, const OrreryField *field, gconstpointer value)
{
  switch (field->type) {
  case ORRERY_FIELD_TEXT:
    put_text (writer, value);
    return TRUE;
  case ORRERY_FIELD_ARRAY:
  case ORRERY_FIELD_POINTS:
  case ORRERY_FIELD_BUFFER:
    put_buffer (writer, *(OrreryBuffer *const *) value);
    return TRUE;
  case ORRERY_FIELD_VARIANT:
    put_variant (writer, *(GVariant *const *) value);
    return TRUE;
  case ORRERY_FIELD_RECORD:
    return put_reference (writer, *(OrreryRecord *const *) value);
  default:
    put (writer, value, orrery_field_type_get_size (field->type));
    return TRUE;
  }
}

static gboolean
put_record (Writer *writer, OrreryRecord *record)
{
  guint n_fields = orrery_schema_get_n_fields (record->schema);
  Head head = { MAGIC, fold_fields (record->schema), record->timestamp,
                (record->has_timestamp ? FLAG_TIMESTAMP : 0) | (record->held ? FLAG_HELD : 0) };

  if (writer->depth == MAX_DEPTH) {
    g_set_error (writer->error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "records refer to records more than %d deep", MAX_DEPTH);
    return FALSE;
  }
  writer->depth++;
  put (writer, &head, sizeof head);
  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (!put_field (writer, field, place (record, field)))
      return FALSE;
  }
  writer->depth--;
  return TRUE;
}

gboolean
orrery_flat_measure (OrreryRecord *record, gsize *size, GError **error)
{
  Writer writer = { .error = error };

  if (!put_record (&writer, record))
    return FALSE;
  *size = writer.at;
  return TRUE;
}

void
orrery_flat_write (OrreryRecord *record, gpointer bytes, gsize size)
{
  Writer writer = { .bytes = bytes };
  gboolean written = put_record (&writer, record);

  g_assert (written && writer.at == size);
}

gsize
orrery_flat_measure_shallow (OrreryRecord *record)
{
  Writer writer = { .shallow = TRUE };

  put_record (&writer, record);
  return writer.at;
}

void
orrery_flat_write_shallow (OrreryRecord *record, gpointer bytes, gsize size)
{
  Writer writer = { .bytes = bytes, .shallow = TRUE };

  put_record (&writer, record);
  g_assert (writer.at == size);
}

/* --- reading, twice: first everything is checked, then it is written to the record --- */

typedef struct {
  const guint8 *bytes;
  gsize size;
  gsize at;
  gboolean writes;
  guint depth;
  OrreryFlatHold hold; /* NULL: copy */
  gpointer owner;
  GError **error;
} Reader;

static gboolean
fail (Reader *reader, const char *what)
{
  g_set_error (reader->error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "no record: %s", what);
  return FALSE;
}

/* Where @n bytes are, or NULL. */
static gconstpointer
look (Reader *reader, gsize n)
{
  gconstpointer bytes = reader->bytes + reader->at;
  gsize padded = (n + 7) & ~(gsize) 7;

  if (padded < n || padded > reader->size - reader->at) {
    fail (reader, "it ends too early");
    return NULL;
  }
  reader->at += padded;
  return bytes;
}

static gboolean
take (Reader *reader, gpointer to, gsize n)
{
  gconstpointer bytes = look (reader, n);

  if (bytes != NULL)
    memcpy (to, bytes, n);
  return bytes != NULL;
}

static gboolean
take_plain (Reader *reader, const OrreryField *field, gpointer value)
{
  gsize size = orrery_field_type_get_size (field->type);
  gconstpointer bytes = look (reader, size);

  if (bytes == NULL)
    return FALSE;
  if (!reader->writes)
    return TRUE;
  /* Any bool other than 0 becomes 1. */
  if (field->type == ORRERY_FIELD_BOOL)
    *(OrreryBool *) value = *(const guint8 *) bytes != 0;
  else
    memcpy (value, bytes, size);
  return TRUE;
}

static gboolean
take_text (Reader *reader, OrreryText *text)
{
  g_autofree char *copy = NULL;
  gconstpointer bytes;
  guint64 length;

  if (!take (reader, &length, sizeof length))
    return FALSE;
  bytes = look (reader, length);
  if (bytes == NULL)
    return FALSE;
  if (!reader->writes)
    return TRUE;
  copy = g_strndup (bytes, length);
  orrery_text_set (text, copy);
  return TRUE;
}

/* @size: bytes; FALSE: no such buffer can be, or not for a field of this type */
static gboolean
check_form (const Form *form, OrreryFieldType type, gsize *size)
{
  if (form->element > ORRERY_ELEMENT_DOUBLE || form->n_dimensions > ORRERY_BUFFER_MAX_DIMENSIONS)
    return FALSE;
  *size = orrery_element_get_size ((OrreryElement) form->element);
  for (guint i = 0; i < form->n_dimensions; i++)
    if (form->shape[i] > G_MAXSIZE / 2 || !g_size_checked_mul (size, *size, form->shape[i]))
      return FALSE;
  if (type == ORRERY_FIELD_BUFFER)
    return TRUE;
  return form->element == ORRERY_ELEMENT_DOUBLE &&
         (type == ORRERY_FIELD_ARRAY ? form->n_dimensions == 1
                                     : form->n_dimensions == 2 && form->shape[1] == 3);
}

static gboolean
has_form (OrreryBuffer *buffer, const Form *form)
{
  if (orrery_buffer_get_element (buffer) != (OrreryElement) form->element ||
      orrery_buffer_get_n_dimensions (buffer) != form->n_dimensions)
    return FALSE;
  for (guint i = 0; i < form->n_dimensions; i++)
    if (orrery_buffer_get_length (buffer, i) != form->shape[i])
      return FALSE;
  return TRUE;
}

/* A present buffer with other owners is left to them; otherwise its memory is reused. */
static gboolean
ensure_buffer (Reader *reader, const Form *form, OrreryBuffer **field)
{
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
  OrreryBuffer *buffer;

  if (*field != NULL && orrery_buffer_is_writable (*field) && has_form (*field, form))
    return TRUE;
  for (guint i = 0; i < form->n_dimensions; i++)
    shape[i] = form->shape[i];
  buffer = orrery_buffer_new ((OrreryElement) form->element, (guint) form->n_dimensions, shape);
  if (buffer == NULL)
    return fail (reader, "no memory for its buffer");
  g_clear_pointer (field, orrery_buffer_unref);
  *field = buffer;
  return TRUE;
}

static gboolean
hold_buffer (Reader *reader, const Form *form, gconstpointer bytes, OrreryBuffer **field)
{
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
  OrreryBuffer *buffer;

  for (guint i = 0; i < form->n_dimensions; i++)
    shape[i] = form->shape[i];
  buffer = reader->hold (reader->owner, (OrreryElement) form->element, (guint) form->n_dimensions,
                         shape, bytes);
  if (buffer == NULL)
    return FALSE;
  g_clear_pointer (field, orrery_buffer_unref);
  *field = buffer;
  return TRUE;
}

static gboolean
take_buffer (Reader *reader, OrreryFieldType type, OrreryBuffer **field)
{
  gconstpointer bytes;
  gsize size;
  Form form;

  if (!take (reader, &form, sizeof form))
    return FALSE;
  if (form.n_dimensions == 0) {
    if (reader->writes)
      g_clear_pointer (field, orrery_buffer_unref);
    return TRUE;
  }
  if (!check_form (&form, type, &size))
    return fail (reader, "a buffer of a form that is none");
  bytes = look (reader, size);
  if (bytes == NULL)
    return FALSE;
  if (!reader->writes)
    return TRUE;
  if (reader->hold != NULL && size >= HELD_BYTES && hold_buffer (reader, &form, bytes, field))
    return TRUE;
  if (!ensure_buffer (reader, &form, field))
    return FALSE;
  if (size > 0)
    memcpy (orrery_buffer_get_data (*field), bytes, size);
  return TRUE;
}

static gboolean
take_variant (Reader *reader, GVariant **field)
{
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;
  gconstpointer bytes;
  guint64 size;

  if (!take (reader, &size, sizeof size))
    return FALSE;
  bytes = look (reader, size);
  if (bytes == NULL)
    return FALSE;
  if (!reader->writes)
    return TRUE;
  g_clear_pointer (field, g_variant_unref);
  if (size == 0)
    return TRUE;
  copy = g_bytes_new (bytes, size);
  boxed = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, copy, FALSE));
  normal = g_variant_get_normal_form (boxed);
  *field = g_variant_get_variant (normal);
  return TRUE;
}

static gboolean take_record (Reader *reader, OrreryRecord *record);

static gboolean
take_reference (Reader *reader, OrreryRecord *record)
{
  guint64 present;

  if (!take (reader, &present, sizeof present))
    return FALSE;
  if (present == REFERS_AS_BEFORE)
    return TRUE;
  if ((present != REFERS_TO_NONE) != (record != NULL))
    return fail (reader, present != REFERS_TO_NONE
                             ? "a field refers to one, where here it refers to none"
                             : "a field refers to none, where here it refers to one");
  return record == NULL || take_record (reader, record);
}

static gboolean
take_field (Reader *reader, const OrreryField *field, gpointer value)
{
  switch (field->type) {
  case ORRERY_FIELD_TEXT:
    return take_text (reader, value);
  case ORRERY_FIELD_ARRAY:
  case ORRERY_FIELD_POINTS:
  case ORRERY_FIELD_BUFFER:
    return take_buffer (reader, field->type, value);
  case ORRERY_FIELD_VARIANT:
    return take_variant (reader, value);
  case ORRERY_FIELD_RECORD:
    return take_reference (reader, *(OrreryRecord **) value);
  default:
    return take_plain (reader, field, value);
  }
}

static gboolean
take_head (Reader *reader, OrreryRecord *record)
{
  Head head;

  if (!take (reader, &head, sizeof head))
    return FALSE;
  if (head.magic != MAGIC)
    return fail (reader, "it does not begin as one");
  if (head.fields != fold_fields (record->schema))
    return fail (reader, "its fields are others");
  if (!reader->writes)
    return TRUE;
  record->timestamp = head.timestamp;
  record->has_timestamp = (head.flags & FLAG_TIMESTAMP) != 0;
  record->held = (head.flags & FLAG_HELD) != 0;
  return TRUE;
}

static gboolean
take_record (Reader *reader, OrreryRecord *record)
{
  guint n_fields = orrery_schema_get_n_fields (record->schema);

  if (reader->depth == MAX_DEPTH)
    return fail (reader, "it is too deep");
  reader->depth++;
  if (!take_head (reader, record))
    return FALSE;
  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (!take_field (reader, field, place (record, field)))
      return FALSE;
  }
  reader->depth--;
  return TRUE;
}

gboolean
orrery_flat_read (OrreryRecord *record, gconstpointer bytes, gsize size, GError **error)
{
  return orrery_flat_read_in_place (record, bytes, size, NULL, NULL, error);
}

gboolean
orrery_flat_read_in_place (OrreryRecord *record, gconstpointer bytes, gsize size,
                           OrreryFlatHold hold, gpointer owner, GError **error)
{
  Reader reader = {
    .bytes = bytes, .size = size & ~(gsize) 7, .hold = hold, .owner = owner, .error = error
  };

  if (!take_record (&reader, record))
    return FALSE;
  if (reader.at != size)
    return fail (&reader, "there is more behind it");
  reader.at = 0;
  reader.writes = TRUE;
  return take_record (&reader, record);
}

/* --- as a variant --- */

GVariant *
orrery_record_save (OrreryRecord *record)
{
  gsize size = orrery_flat_measure_shallow (record);
  guint8 *bytes = g_malloc (size);

  orrery_flat_write_shallow (record, bytes, size);
  return g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, bytes, size, TRUE, g_free, bytes);
}

gboolean
orrery_record_restore (OrreryRecord *record, GVariant *state, GError **error)
{
  gsize size = 0;
  gconstpointer bytes = NULL;

  if (g_variant_is_of_type (state, G_VARIANT_TYPE_BYTESTRING))
    bytes = g_variant_get_fixed_array (state, &size, 1);
  return orrery_flat_read (record, bytes, size, error);
}
