/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-flat-private.h"

#include "base/orrery-buffer.h"
#include "base/orrery-error.h"
#include "base/orrery-field-private.h"
#include "base/orrery-random.h"
#include "base/orrery-record-private.h"

#include <string.h>

#define MAGIC G_GUINT64_CONSTANT (0x314454414c46524f)
#define MAX_DEPTH 16
/* From here on it is cheaper to hold a buffer where it lies than to copy it. */
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

/* What is before the bytes of a buffer; no dimension: there is no buffer. */
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
} Pen;

static void
put (Pen *pen, gconstpointer data, gsize n)
{
  gsize padding = -n & 7;

  if (pen->bytes != NULL) {
    if (n > 0)
      memcpy (pen->bytes + pen->at, data, n);
    memset (pen->bytes + pen->at + n, 0, padding);
  }
  pen->at += n + padding;
}

static void
put_word (Pen *pen, guint64 word)
{
  put (pen, &word, sizeof word);
}

static void
put_text (Pen *pen, const OrreryText *text)
{
  const char *str = orrery_text_get (text);
  gsize length = strlen (str);

  put_word (pen, length);
  put (pen, str, length);
}

static void
put_buffer (Pen *pen, OrreryBuffer *buffer)
{
  Form form = { 0 };

  if (buffer != NULL) {
    form.element = orrery_buffer_get_element (buffer);
    form.n_dimensions = orrery_buffer_get_n_dimensions (buffer);
    for (guint i = 0; i < form.n_dimensions; i++)
      form.shape[i] = orrery_buffer_get_length (buffer, i);
  }
  put (pen, &form, sizeof form);
  if (buffer != NULL)
    put (pen, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
}

static void
put_variant (Pen *pen, GVariant *variant)
{
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;

  if (variant == NULL) {
    put_word (pen, 0);
    return;
  }
  boxed = g_variant_ref_sink (g_variant_new_variant (variant));
  normal = g_variant_get_normal_form (boxed);
  put_word (pen, g_variant_get_size (normal));
  put (pen, g_variant_get_data (normal), g_variant_get_size (normal));
}

static gboolean put_record (Pen *pen, OrreryRecord *record);

static gboolean
put_reference (Pen *pen, OrreryRecord *record)
{
  if (pen->shallow) {
    put_word (pen, REFERS_AS_BEFORE);
    return TRUE;
  }
  put_word (pen, record != NULL ? REFERS_TO_NEXT : REFERS_TO_NONE);
  return record == NULL || put_record (pen, record);
}

static gboolean
put_field (Pen *pen, const OrreryField *field, gconstpointer value)
{
  switch (field->type) {
  case ORRERY_FIELD_TEXT:
    put_text (pen, value);
    return TRUE;
  case ORRERY_FIELD_ARRAY:
  case ORRERY_FIELD_POINTS:
  case ORRERY_FIELD_BUFFER:
    put_buffer (pen, *(OrreryBuffer *const *) value);
    return TRUE;
  case ORRERY_FIELD_VARIANT:
    put_variant (pen, *(GVariant *const *) value);
    return TRUE;
  case ORRERY_FIELD_RECORD:
    return put_reference (pen, *(OrreryRecord *const *) value);
  default:
    put (pen, value, orrery_field_type_get_size (field->type));
    return TRUE;
  }
}

static gboolean
put_record (Pen *pen, OrreryRecord *record)
{
  guint n_fields = orrery_schema_get_n_fields (record->schema);
  Head head = { MAGIC, fold_fields (record->schema), record->timestamp,
                (record->has_timestamp ? FLAG_TIMESTAMP : 0) | (record->held ? FLAG_HELD : 0) };

  if (pen->depth == MAX_DEPTH) {
    g_set_error (pen->error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "records refer to records more than %d deep", MAX_DEPTH);
    return FALSE;
  }
  pen->depth++;
  put (pen, &head, sizeof head);
  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (!put_field (pen, field, place (record, field)))
      return FALSE;
  }
  pen->depth--;
  return TRUE;
}

gboolean
orrery_flat_measure (OrreryRecord *record, gsize *size, GError **error)
{
  Pen pen = { .error = error };

  if (!put_record (&pen, record))
    return FALSE;
  *size = pen.at;
  return TRUE;
}

void
orrery_flat_write (OrreryRecord *record, gpointer bytes, gsize size)
{
  Pen pen = { .bytes = bytes };
  gboolean written = put_record (&pen, record);

  g_assert (written && pen.at == size);
}

gsize
orrery_flat_measure_shallow (OrreryRecord *record)
{
  Pen pen = { .shallow = TRUE };

  put_record (&pen, record);
  return pen.at;
}

void
orrery_flat_write_shallow (OrreryRecord *record, gpointer bytes, gsize size)
{
  Pen pen = { .bytes = bytes, .shallow = TRUE };

  put_record (&pen, record);
  g_assert (pen.at == size);
}

/* --- reading, twice: first it judges, then it puts --- */

typedef struct {
  const guint8 *bytes;
  gsize size;
  gsize at;
  gboolean puts;
  guint depth;
  OrreryFlatHold hold; /* NULL: copy */
  gpointer owner;
  GError **error;
} Eye;

static gboolean
fail (Eye *eye, const char *what)
{
  g_set_error (eye->error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "no record: %s", what);
  return FALSE;
}

/* Where @n bytes are, or NULL. */
static gconstpointer
look (Eye *eye, gsize n)
{
  gconstpointer bytes = eye->bytes + eye->at;
  gsize padded = (n + 7) & ~(gsize) 7;

  if (padded < n || padded > eye->size - eye->at) {
    fail (eye, "it ends too early");
    return NULL;
  }
  eye->at += padded;
  return bytes;
}

static gboolean
take (Eye *eye, gpointer to, gsize n)
{
  gconstpointer bytes = look (eye, n);

  if (bytes != NULL)
    memcpy (to, bytes, n);
  return bytes != NULL;
}

static gboolean
take_plain (Eye *eye, const OrreryField *field, gpointer value)
{
  gsize size = orrery_field_type_get_size (field->type);
  gconstpointer bytes = look (eye, size);

  if (bytes == NULL)
    return FALSE;
  if (!eye->puts)
    return TRUE;
  /* A bool is 0 or 1, whatever came. */
  if (field->type == ORRERY_FIELD_BOOL)
    *(OrreryBool *) value = *(const guint8 *) bytes != 0;
  else
    memcpy (value, bytes, size);
  return TRUE;
}

static gboolean
take_text (Eye *eye, OrreryText *text)
{
  g_autofree char *copy = NULL;
  gconstpointer bytes;
  guint64 length;

  if (!take (eye, &length, sizeof length))
    return FALSE;
  bytes = look (eye, length);
  if (bytes == NULL)
    return FALSE;
  if (!eye->puts)
    return TRUE;
  copy = g_strndup (bytes, length);
  orrery_text_set (text, copy);
  return TRUE;
}

/* @size: bytes; FALSE: no such buffer can be, or not for a field of this type */
static gboolean
judge_form (const Form *form, OrreryFieldType type, gsize *size)
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

/* Whoever holds the present value keeps it; where nobody does, its room is used again. */
static gboolean
ensure_buffer (Eye *eye, const Form *form, OrreryBuffer **field)
{
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
  OrreryBuffer *buffer;

  if (*field != NULL && orrery_buffer_is_writable (*field) && has_form (*field, form))
    return TRUE;
  for (guint i = 0; i < form->n_dimensions; i++)
    shape[i] = form->shape[i];
  buffer = orrery_buffer_new ((OrreryElement) form->element, (guint) form->n_dimensions, shape);
  if (buffer == NULL)
    return fail (eye, "no memory for its buffer");
  g_clear_pointer (field, orrery_buffer_unref);
  *field = buffer;
  return TRUE;
}

static gboolean
hold_buffer (Eye *eye, const Form *form, gconstpointer bytes, OrreryBuffer **field)
{
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
  OrreryBuffer *buffer;

  for (guint i = 0; i < form->n_dimensions; i++)
    shape[i] = form->shape[i];
  buffer = eye->hold (eye->owner, (OrreryElement) form->element, (guint) form->n_dimensions, shape,
                      bytes);
  if (buffer == NULL)
    return FALSE;
  g_clear_pointer (field, orrery_buffer_unref);
  *field = buffer;
  return TRUE;
}

static gboolean
take_buffer (Eye *eye, OrreryFieldType type, OrreryBuffer **field)
{
  gconstpointer bytes;
  gsize size;
  Form form;

  if (!take (eye, &form, sizeof form))
    return FALSE;
  if (form.n_dimensions == 0) {
    if (eye->puts)
      g_clear_pointer (field, orrery_buffer_unref);
    return TRUE;
  }
  if (!judge_form (&form, type, &size))
    return fail (eye, "a buffer of a form that is none");
  bytes = look (eye, size);
  if (bytes == NULL)
    return FALSE;
  if (!eye->puts)
    return TRUE;
  if (eye->hold != NULL && size >= HELD_BYTES && hold_buffer (eye, &form, bytes, field))
    return TRUE;
  if (!ensure_buffer (eye, &form, field))
    return FALSE;
  if (size > 0)
    memcpy (orrery_buffer_get_data (*field), bytes, size);
  return TRUE;
}

static gboolean
take_variant (Eye *eye, GVariant **field)
{
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;
  gconstpointer bytes;
  guint64 size;

  if (!take (eye, &size, sizeof size))
    return FALSE;
  bytes = look (eye, size);
  if (bytes == NULL)
    return FALSE;
  if (!eye->puts)
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

static gboolean take_record (Eye *eye, OrreryRecord *record);

static gboolean
take_reference (Eye *eye, OrreryRecord *record)
{
  guint64 present;

  if (!take (eye, &present, sizeof present))
    return FALSE;
  if (present == REFERS_AS_BEFORE)
    return TRUE;
  if ((present != REFERS_TO_NONE) != (record != NULL))
    return fail (eye, present != REFERS_TO_NONE
                          ? "a field refers to one, where here it refers to none"
                          : "a field refers to none, where here it refers to one");
  return record == NULL || take_record (eye, record);
}

static gboolean
take_field (Eye *eye, const OrreryField *field, gpointer value)
{
  switch (field->type) {
  case ORRERY_FIELD_TEXT:
    return take_text (eye, value);
  case ORRERY_FIELD_ARRAY:
  case ORRERY_FIELD_POINTS:
  case ORRERY_FIELD_BUFFER:
    return take_buffer (eye, field->type, value);
  case ORRERY_FIELD_VARIANT:
    return take_variant (eye, value);
  case ORRERY_FIELD_RECORD:
    return take_reference (eye, *(OrreryRecord **) value);
  default:
    return take_plain (eye, field, value);
  }
}

static gboolean
take_head (Eye *eye, OrreryRecord *record)
{
  Head head;

  if (!take (eye, &head, sizeof head))
    return FALSE;
  if (head.magic != MAGIC)
    return fail (eye, "it does not begin as one");
  if (head.fields != fold_fields (record->schema))
    return fail (eye, "its fields are others");
  if (!eye->puts)
    return TRUE;
  record->timestamp = head.timestamp;
  record->has_timestamp = (head.flags & FLAG_TIMESTAMP) != 0;
  record->held = (head.flags & FLAG_HELD) != 0;
  return TRUE;
}

static gboolean
take_record (Eye *eye, OrreryRecord *record)
{
  guint n_fields = orrery_schema_get_n_fields (record->schema);

  if (eye->depth == MAX_DEPTH)
    return fail (eye, "it is too deep");
  eye->depth++;
  if (!take_head (eye, record))
    return FALSE;
  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (!take_field (eye, field, place (record, field)))
      return FALSE;
  }
  eye->depth--;
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
  Eye eye = {
    .bytes = bytes, .size = size & ~(gsize) 7, .hold = hold, .owner = owner, .error = error
  };

  if (!take_record (&eye, record))
    return FALSE;
  if (eye.at != size)
    return fail (&eye, "there is more behind it");
  eye.at = 0;
  eye.puts = TRUE;
  return take_record (&eye, record);
}
