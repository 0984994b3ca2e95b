/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a record as bytes without pointers, and reads one from bytes that anybody may send. */
#include "record/orrery-flat-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-random.h"
#include "record/orrery-field-private.h"
#include "record/orrery-record-private.h"

#include <string.h>

#define MAGIC G_GUINT64_CONSTANT (0x314454414c46524f)
#define MAX_DEPTH 16

#define FLAG_TIMESTAMP 1u
#define FLAG_HELD 2u

typedef struct {
  guint64 magic;
  guint64 fields; /* names and types, folded */
  gint64 timestamp;
  guint64 flags;
} Head;

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

/* --- writing; to nowhere, it measures --- */

void
orrery_flat_put (OrreryFlatWriter *writer, gconstpointer data, gsize n)
{
  gsize padding = -n & 7;

  if (writer->bytes != NULL) {
    if (n > 0)
      memcpy (writer->bytes + writer->at, data, n);
    memset (writer->bytes + writer->at + n, 0, padding);
  }
  writer->at += n + padding;
}

void
orrery_flat_put_word (OrreryFlatWriter *writer, guint64 word)
{
  orrery_flat_put (writer, &word, sizeof word);
}

static gboolean
put_field (OrreryFlatWriter *writer, const OrreryFieldClass *klass, gconstpointer value)
{
  if (klass->write_flat != NULL)
    return klass->write_flat (writer, value);
  orrery_flat_put (writer, value, klass->size);
  return TRUE;
}

gboolean
orrery_flat_put_record (OrreryFlatWriter *writer, OrreryRecord *record)
{
  guint n_fields = orrery_schema_get_n_fields (record->schema);
  Head head = { MAGIC, fold_fields (record->schema), record->timestamp,
                (record->has_timestamp ? FLAG_TIMESTAMP : 0) | (record->held ? FLAG_HELD : 0) };

  if (writer->depth == MAX_DEPTH)
    return orrery_set_error (writer->error, ORRERY_ERROR_INVALID,
                             "records refer to records more than %d deep", MAX_DEPTH);
  writer->depth++;
  orrery_flat_put (writer, &head, sizeof head);
  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (!put_field (writer, orrery_field_get_class (field), orrery_record_place (record, field)))
      return FALSE;
  }
  writer->depth--;
  return TRUE;
}

gboolean
orrery_flat_measure (OrreryRecord *record, gsize *size, GError **error)
{
  OrreryFlatWriter writer = { .error = error };

  if (!orrery_flat_put_record (&writer, record))
    return FALSE;
  *size = writer.at;
  return TRUE;
}

void
orrery_flat_write (OrreryRecord *record, gpointer bytes, gsize size)
{
  OrreryFlatWriter writer = { .bytes = bytes };
  gboolean written = orrery_flat_put_record (&writer, record);

  g_assert (written && writer.at == size);
}

gsize
orrery_flat_measure_shallow (OrreryRecord *record)
{
  OrreryFlatWriter writer = { .shallow = TRUE };

  orrery_flat_put_record (&writer, record);
  return writer.at;
}

void
orrery_flat_write_shallow (OrreryRecord *record, gpointer bytes, gsize size)
{
  OrreryFlatWriter writer = { .bytes = bytes, .shallow = TRUE };

  orrery_flat_put_record (&writer, record);
  g_assert (writer.at == size);
}

/* --- reading --- */

gboolean
orrery_flat_fail (OrreryFlatReader *reader, const char *what)
{
  return orrery_set_error (reader->error, ORRERY_ERROR_INVALID, "no record: %s", what);
}

gconstpointer
orrery_flat_look (OrreryFlatReader *reader, gsize n)
{
  gconstpointer bytes = reader->bytes + reader->at;
  gsize padded = (n + 7) & ~(gsize) 7;

  if (padded < n || padded > reader->size - reader->at) {
    orrery_flat_fail (reader, "it ends too early");
    return NULL;
  }
  reader->at += padded;
  return bytes;
}

gboolean
orrery_flat_take (OrreryFlatReader *reader, gpointer to, gsize n)
{
  gconstpointer bytes = orrery_flat_look (reader, n);

  if (bytes != NULL)
    memcpy (to, bytes, n);
  return bytes != NULL;
}

gconstpointer
orrery_flat_look_counted (OrreryFlatReader *reader, guint64 *n)
{
  return orrery_flat_take (reader, n, sizeof *n) ? orrery_flat_look (reader, *n) : NULL;
}

static gboolean
take_field (OrreryFlatReader *reader, const OrreryFieldClass *klass, gpointer value)
{
  gconstpointer bytes;

  if (klass->read_flat != NULL)
    return klass->read_flat (klass, reader, value);
  bytes = orrery_flat_look (reader, klass->size);
  if (bytes != NULL && reader->writes)
    memcpy (value, bytes, klass->size);
  return bytes != NULL;
}

static gboolean
take_head (OrreryFlatReader *reader, OrreryRecord *record)
{
  Head head;

  if (!orrery_flat_take (reader, &head, sizeof head))
    return FALSE;
  if (head.magic != MAGIC)
    return orrery_flat_fail (reader, "it does not begin as one");
  if (head.fields != fold_fields (record->schema))
    return orrery_flat_fail (reader, "its fields are others");
  if (!reader->writes)
    return TRUE;
  record->timestamp = head.timestamp;
  record->has_timestamp = (head.flags & FLAG_TIMESTAMP) != 0;
  record->held = (head.flags & FLAG_HELD) != 0;
  return TRUE;
}

gboolean
orrery_flat_take_record (OrreryFlatReader *reader, OrreryRecord *record)
{
  guint n_fields = orrery_schema_get_n_fields (record->schema);

  if (reader->depth == MAX_DEPTH)
    return orrery_flat_fail (reader, "it is too deep");
  reader->depth++;
  if (!take_head (reader, record))
    return FALSE;
  for (guint i = 0; i < n_fields; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (!take_field (reader, orrery_field_get_class (field), orrery_record_place (record, field)))
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

static gboolean
check_record (OrreryFlatReader *reader, gsize size, OrreryRecord *record)
{
  if (!orrery_flat_take_record (reader, record))
    return FALSE;
  return reader->at == size || orrery_flat_fail (reader, "there is more behind it");
}

gboolean
orrery_flat_check (OrreryRecord *record, gconstpointer bytes, gsize size, GError **error)
{
  OrreryFlatReader reader = { .bytes = bytes, .size = size & ~(gsize) 7, .error = error };

  return check_record (&reader, size, record);
}

gboolean
orrery_flat_read_in_place (OrreryRecord *record, gconstpointer bytes, gsize size,
                           OrreryFlatHold hold, gpointer owner, GError **error)
{
  OrreryFlatReader reader = {
    .bytes = bytes, .size = size & ~(gsize) 7, .hold = hold, .owner = owner, .error = error
  };

  if (!check_record (&reader, size, record))
    return FALSE;
  reader.at = 0;
  reader.writes = TRUE;
  return orrery_flat_take_record (&reader, record);
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
