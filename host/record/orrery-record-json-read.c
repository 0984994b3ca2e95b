/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a JSON object into a record: first the whole message is checked, then it is stored. */
#include "record/orrery-record.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"
#include "record/orrery-field-private.h"
#include "record/orrery-record-private.h"

#include <math.h>
#include <string.h>

#define KEY_SIZE 256

/* --- scratch --- */

gsize
orrery_take_push (OrreryTake *take, gsize size)
{
  gsize offset = take->top;

  take->top += size;
  if (G_UNLIKELY (take->top > take->room)) {
    take->room = MAX (2 * take->top, 1024);
    take->scratch = orrery_reader_get_scratch (take->reader, take->room);
  }
  return offset;
}

gsize
orrery_take_push_aligned (OrreryTake *take, gsize size)
{
  take->top = (take->top + 15) & ~(gsize) 15;
  return orrery_take_push (take, size);
}

/* --- tokens --- */

gboolean
orrery_take_fail (OrreryTake *take, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (take->error != NULL)
    *take->error = g_error_new_valist (ORRERY_ERROR, ORRERY_ERROR_INVALID, format, args);
  va_end (args);
  return FALSE;
}

gboolean
orrery_take_fail_json (OrreryTake *take)
{
  return orrery_take_fail (take, "%s, at byte %" G_GSIZE_FORMAT, take->json.what,
                           (gsize) (take->json.wrong - take->message));
}

gboolean
orrery_take_fail_type (OrreryTake *take, OrreryJsonToken token, const char *expected)
{
  if (token == ORRERY_JSON_ERROR)
    return orrery_take_fail_json (take);
  return orrery_take_fail (take, "%s where %s is expected", orrery_json_token_get_name (token),
                           expected);
}

gboolean
orrery_take_token (OrreryTake *take, OrreryJsonToken token, const char *expected)
{
  OrreryJsonToken found = orrery_json_next (&take->json);

  return found == token || orrery_take_fail_type (take, found, expected);
}

/* --- numbers --- */

gboolean
orrery_take_check_number (OrreryTake *take, OrreryJsonToken token)
{
  if (G_LIKELY (token == ORRERY_JSON_INT))
    return TRUE;
  if (token != ORRERY_JSON_DOUBLE)
    return orrery_take_fail_type (take, token, "a number");
  return isfinite (take->json.number) || orrery_take_fail (take, "a number that is not finite");
}

gboolean
orrery_take_int (OrreryTake *take, OrreryJsonToken token, gint64 *out)
{
  double number;

  if (!orrery_take_check_number (take, token))
    return FALSE;
  number = take->json.number;
  if (token == ORRERY_JSON_INT)
    *out = take->json.integer;
  else if (number == floor (number) && number >= -0x1p63 && number < 0x1p63)
    *out = (gint64) number;
  else
    return orrery_take_fail (take, "a number that is not an integer of 64 bits");
  return TRUE;
}

static gboolean
fail_short (OrreryTake *take, guint length, guint n)
{
  return orrery_take_fail (take, "a list of %u where one of %u is expected", length, n);
}

/* The end of a list of @n items. */
static gboolean
take_list_end (OrreryTake *take, guint n)
{
  OrreryJsonToken token = orrery_json_next (&take->json);

  if (token == ORRERY_JSON_LIST_END)
    return TRUE;
  if (token == ORRERY_JSON_ERROR)
    return orrery_take_fail_json (take);
  return orrery_take_fail (take, "a list of more than %u", n);
}

gboolean
orrery_take_items (OrreryTake *take, double *out, guint n)
{
  for (guint i = 0; i < n; i++) {
    OrreryJsonToken token = orrery_json_next (&take->json);

    if (token == ORRERY_JSON_LIST_END)
      return fail_short (take, i, n);
    if (!orrery_take_check_number (take, token))
      return FALSE;
    out[i] = take->json.number;
  }
  return take_list_end (take, n);
}

gboolean
orrery_take_rows (OrreryTake *take, double *out, guint rows, guint columns)
{
  if (!orrery_take_token (take, ORRERY_JSON_LIST, "a list of lists"))
    return FALSE;
  for (guint i = 0; i < rows; i++) {
    OrreryJsonToken token = orrery_json_next (&take->json);

    if (token == ORRERY_JSON_LIST_END)
      return fail_short (take, i, rows);
    if (token != ORRERY_JSON_LIST)
      return orrery_take_fail_type (take, token, "a list");
    if (!orrery_take_items (take, out + i * columns, columns))
      return FALSE;
  }
  return take_list_end (take, rows);
}

/* --- records --- */

static gboolean
take_field (OrreryTake *take, const OrreryFieldClass *klass, gconstpointer present,
            OrreryTakeSlot *slot)
{
  if (klass->take_json != NULL)
    return klass->take_json (take, present, slot);
  slot->offset = orrery_take_push_aligned (take, klass->size);
  return klass->take_plain (klass, take, orrery_take_at (take, slot->offset));
}

static gboolean
is_key (const OrreryJson *json, const char *name)
{
  return strncmp (json->text, name, json->length) == 0 && name[json->length] == '\0';
}

/* @hint: the field that comes next if the message keeps the order.
 * Returns: the index of the field that the present key names, or -1 */
static int
find_field (const OrreryJson *json, OrrerySchema *schema, guint hint)
{
  char key[KEY_SIZE];
  const OrreryField *field;

  if (hint < orrery_schema_get_n_fields (schema) && !json->escaped &&
      is_key (json, orrery_schema_get_field (schema, hint)->name))
    return (int) hint;
  if (json->length >= sizeof key)
    return -1;
  key[orrery_json_unescape (json, key)] = '\0';
  field = orrery_schema_find_field (schema, key);
  return field == NULL ? -1 : (int) (field - orrery_schema_get_field (schema, 0));
}

/* Skips a key that is no field. Only the host sets the timestamp, which clients send back with a
 * record that they have read. */
static gboolean
skip_other (OrreryTake *take, OrreryRecord *record)
{
  if (!is_key (&take->json, "timestamp"))
    orrery_reader_note_unknown (take->reader, take->json.text, take->json.length);
  return orrery_json_skip (&take->json, orrery_json_next (&take->json)) ||
         orrery_take_fail_json (take);
}

/* The value behind a key. @next: in and out, the index of the field expected there */
static gboolean
take_pair (OrreryTake *take, OrreryRecord *record, gsize frame, guint *next)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  int index = find_field (&take->json, schema, *next);
  const OrreryField *field;
  OrreryTakeSlot slot = { 0 };

  if (index < 0)
    return skip_other (take, record);
  field = orrery_schema_get_field (schema, (guint) index);
  if (!take_field (take, orrery_field_get_class (field), orrery_record_place (record, field),
                   &slot))
    return orrery_prefix_error (take->error, "%s: ", field->name);
  ((OrreryTakeSlot *) orrery_take_at (take, frame))[index] = slot;
  *next = (guint) index + 1;
  return TRUE;
}

gboolean
orrery_take_record (OrreryTake *take, OrreryRecord *record, gsize *frame)
{
  guint n = orrery_schema_get_n_fields (orrery_record_get_schema (record));
  gsize size = n * sizeof (OrreryTakeSlot);
  OrreryJsonToken token;
  guint next = 0;

  *frame = orrery_take_push_aligned (take, size);
  memset (orrery_take_at (take, *frame), 0, size);
  while ((token = orrery_json_next (&take->json)) == ORRERY_JSON_KEY)
    if (!take_pair (take, record, *frame, &next))
      return FALSE;
  return token == ORRERY_JSON_OBJECT_END || orrery_take_fail_json (take);
}

/* --- into the record --- */

static void
put_field (OrreryTake *take, const OrreryFieldClass *klass, const OrreryTakeSlot *slot,
           gpointer field)
{
  if (klass->put_json != NULL)
    klass->put_json (take, slot, field);
  else
    memcpy (field, orrery_take_at (take, slot->offset), klass->size);
}

void
orrery_put_record (OrreryTake *take, OrreryRecord *record, gsize frame)
{
  const OrreryTakeSlot *slots = orrery_take_at (take, frame);
  guint n = orrery_schema_get_n_fields (record->schema);

  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);

    if (slots[i].offset > 0) {
      put_field (take, orrery_field_get_class (field), &slots[i],
                 orrery_record_place (record, field));
      continue;
    }
    orrery_reader_note_missing (take->reader, field->name);
    /* A reference to a record is not data, so a message never removes it. */
    if (field->type != ORRERY_FIELD_RECORD)
      orrery_record_reset_field (record, field);
  }
}

gboolean
orrery_record_read_json (OrreryRecord *record, OrreryReader *reader, GError **error)
{
  OrreryTake take = { .reader = reader, .error = error };
  gsize frame;

  g_return_val_if_fail (record != NULL, FALSE);
  g_return_val_if_fail (reader != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  take.message = orrery_reader_get_data (reader, &take.length);
  orrery_json_init (&take.json, take.message, take.length, ORRERY_TAKE_MAX_DEPTH);
  orrery_take_push (&take, sizeof (OrreryTakeSlot)); /* nothing found lies at 0 */
  if (!orrery_take_token (&take, ORRERY_JSON_OBJECT, "an object") ||
      !orrery_take_record (&take, record, &frame) ||
      !orrery_take_token (&take, ORRERY_JSON_END, "the end"))
    return FALSE;
  orrery_put_record (&take, record, frame);
  return TRUE;
}
