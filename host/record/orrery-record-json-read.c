/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a JSON object into a record: first the whole message is checked, then it is stored. */
#include "record/orrery-record.h"

#include <math.h>
#include <string.h>

#include "record/orrery-record-json-private.h"

#define KEY_SIZE 256

static gboolean take_record (OrreryTake *take, OrreryRecord *record, gsize *frame);
static void put_record (OrreryTake *take, OrreryRecord *record, gsize frame);

/* --- what grows --- */

static gboolean
take_text (OrreryTake *take, OrreryTakeSlot *slot)
{
  char *text;

  if (!orrery_take_token (take, ORRERY_JSON_TEXT, "a text"))
    return FALSE;
  slot->offset = orrery_take_push (take, take->json.length + 1);
  text = orrery_take_at (take, slot->offset);
  text[orrery_json_unescape (&take->json, text)] = '\0';
  return TRUE;
}

static gboolean
take_array (OrreryTake *take, OrreryTakeSlot *slot)
{
  OrreryJsonToken token;

  if (!orrery_take_token (take, ORRERY_JSON_LIST, "a list"))
    return FALSE;
  slot->offset = orrery_take_push_aligned (take, 0);
  slot->count = 0;
  while ((token = orrery_json_next (&take->json)) != ORRERY_JSON_LIST_END) {
    gsize offset;

    if (!orrery_take_check_number (take, token))
      return FALSE;
    offset = orrery_take_push (take, sizeof (double));
    *(double *) orrery_take_at (take, offset) = take->json.number;
    slot->count++;
  }
  return TRUE;
}

static gboolean
take_points (OrreryTake *take, OrreryTakeSlot *slot)
{
  OrreryJsonToken token;
  double point[3];

  if (!orrery_take_token (take, ORRERY_JSON_LIST, "a list of points"))
    return FALSE;
  slot->offset = orrery_take_push_aligned (take, 0);
  slot->count = 0;
  while ((token = orrery_json_next (&take->json)) != ORRERY_JSON_LIST_END) {
    gsize offset;

    if (token != ORRERY_JSON_LIST)
      return orrery_take_fail_type (take, token, "a list of 3 numbers");
    if (!orrery_take_items (take, point, 3))
      return FALSE;
    offset = orrery_take_push (take, sizeof point);
    memcpy (orrery_take_at (take, offset), point, sizeof point);
    slot->count++;
  }
  return TRUE;
}

/* --- variants --- */

/* Skips a value whose first token was read, and stores only its position. */
static gboolean
take_variant (OrreryTake *take, OrreryTakeSlot *slot)
{
  OrreryJsonToken token = orrery_json_next (&take->json);
  guint depth = take->json.depth;
  gsize start = take->json.start - take->message;

  slot->count = start;
  slot->offset = orrery_take_push_aligned (take, 1);
  if (token == ORRERY_JSON_OBJECT || token == ORRERY_JSON_LIST)
    depth--;
  for (;; token = orrery_json_next (&take->json)) {
    if (token == ORRERY_JSON_ERROR)
      return orrery_take_fail_json (take);
    if (token == ORRERY_JSON_DOUBLE && !isfinite (take->json.number))
      return orrery_take_fail (take, "a number that is not finite");
    if (token != ORRERY_JSON_KEY && take->json.depth <= depth)
      return TRUE;
  }
}

static GVariant *make_variant (OrreryJson *json, OrreryJsonToken token);

static GVariant *
make_list (OrreryJson *json)
{
  GVariantBuilder builder;
  OrreryJsonToken token;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("av"));
  while ((token = orrery_json_next (json)) != ORRERY_JSON_LIST_END)
    g_variant_builder_add (&builder, "v", make_variant (json, token));
  return g_variant_builder_end (&builder);
}

static char *
dup_text (const OrreryJson *json)
{
  char *text = g_malloc (json->length + 1);

  text[orrery_json_unescape (json, text)] = '\0';
  return text;
}

/* A key given twice keeps its place and takes the last value, as in Python. */
static GVariant *
make_object (OrreryJson *json)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (orrery_json_next (json) == ORRERY_JSON_KEY) {
    g_autofree char *key = dup_text (json);
    GVariant *value = make_variant (json, orrery_json_next (json));
    GVariant *entry =
        g_variant_new_dict_entry (g_variant_new_string (key), g_variant_new_variant (value));
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));

    g_variant_ref_sink (entry);
    if (place > 0) {
      g_variant_unref (g_ptr_array_index (entries, place - 1));
      g_ptr_array_index (entries, place - 1) = entry;
    } else {
      g_ptr_array_add (entries, entry);
      g_hash_table_insert (places, g_steal_pointer (&key), GUINT_TO_POINTER (entries->len));
    }
  }
  return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), (GVariant **) entries->pdata, entries->len);
}

/* The value whose first token was read, from a text that was checked. */
static GVariant *
make_variant (OrreryJson *json, OrreryJsonToken token)
{
  switch (token) {
  case ORRERY_JSON_OBJECT:
    return make_object (json);
  case ORRERY_JSON_LIST:
    return make_list (json);
  case ORRERY_JSON_TEXT:
    return g_variant_new_take_string (dup_text (json));
  case ORRERY_JSON_INT:
    return g_variant_new_int64 (json->integer);
  case ORRERY_JSON_DOUBLE:
    return g_variant_new_double (json->number);
  case ORRERY_JSON_BOOL:
    return g_variant_new_boolean (json->boolean);
  case ORRERY_JSON_NULL:
    return g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL);
  default:
    g_assert_not_reached ();
  }
}

/* --- records --- */

static gboolean
take_nested (OrreryTake *take, OrreryRecord *record, OrreryTakeSlot *slot)
{
  if (!orrery_take_token (take, ORRERY_JSON_OBJECT, "an object"))
    return FALSE;
  if (record == NULL)
    return orrery_take_fail (take, "an object where there is no record");
  return take_record (take, record, &slot->offset);
}

static gboolean
take_field (OrreryTake *take, const OrreryField *field, gpointer present, OrreryTakeSlot *slot)
{
  union {
    double numbers[16];
    gint64 integer;
  } plain;

  if (orrery_take_is_plain (field->type)) {
    if (!orrery_take_plain (take, field->type, &plain))
      return FALSE;
    slot->offset = orrery_take_push_aligned (take, orrery_field_type_get_size (field->type));
    memcpy (orrery_take_at (take, slot->offset), &plain, orrery_field_type_get_size (field->type));
    return TRUE;
  }
  switch (field->type) {
  case ORRERY_FIELD_TEXT:
    return take_text (take, slot);
  case ORRERY_FIELD_ARRAY:
    return take_array (take, slot);
  case ORRERY_FIELD_POINTS:
    return take_points (take, slot);
  case ORRERY_FIELD_BUFFER:
    return orrery_take_buffer (take, *(OrreryBuffer **) present, slot);
  case ORRERY_FIELD_RECORD:
    return take_nested (take, *(OrreryRecord **) present, slot);
  case ORRERY_FIELD_VARIANT:
    return take_variant (take, slot);
  default:
    g_assert_not_reached ();
  }
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

/* Skips a key that is no field; only the host sets the timestamp. */
static gboolean
skip_other (OrreryTake *take, OrreryRecord *record)
{
  if (!orrery_record_has_timestamp (record) || !is_key (&take->json, "timestamp"))
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
  if (!take_field (take, field, (char *) orrery_record_data (record) + field->offset, &slot)) {
    g_prefix_error (take->error, "%s: ", field->name);
    return FALSE;
  }
  ((OrreryTakeSlot *) orrery_take_at (take, frame))[index] = slot;
  *next = (guint) index + 1;
  return TRUE;
}

/* The pairs of an object, whose bracket was read. @frame: out, a slot for each field */
static gboolean
take_record (OrreryTake *take, OrreryRecord *record, gsize *frame)
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
put_variant (OrreryTake *take, gsize start, GVariant **field)
{
  OrreryJson json;
  OrreryJsonToken token;

  orrery_json_init (&json, take->message + start, take->length - start, ORRERY_TAKE_MAX_DEPTH);
  token = orrery_json_next (&json);
  g_clear_pointer (field, g_variant_unref);
  if (token != ORRERY_JSON_NULL)
    *field = g_variant_ref_sink (make_variant (&json, token));
}

static void
put_field (OrreryTake *take, const OrreryField *field, const OrreryTakeSlot *slot, gpointer out)
{
  gpointer found = orrery_take_at (take, slot->offset);

  if (orrery_take_is_plain (field->type)) {
    memcpy (out, found, orrery_field_type_get_size (field->type));
    return;
  }
  switch (field->type) {
  case ORRERY_FIELD_TEXT:
    orrery_text_set (out, found);
    break;
  case ORRERY_FIELD_ARRAY:
    orrery_array_set (out, found, slot->count);
    break;
  case ORRERY_FIELD_POINTS:
    orrery_points_set (out, found, slot->count);
    break;
  case ORRERY_FIELD_BUFFER:
    orrery_put_buffer (take, slot, out);
    break;
  case ORRERY_FIELD_RECORD:
    put_record (take, *(OrreryRecord **) out, slot->offset);
    break;
  case ORRERY_FIELD_VARIANT:
    put_variant (take, slot->count, out);
    break;
  default:
    g_assert_not_reached ();
  }
}

static void
put_record (OrreryTake *take, OrreryRecord *record, gsize frame)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  const OrreryTakeSlot *slots = orrery_take_at (take, frame);
  char *data = orrery_record_data (record);
  guint n = orrery_schema_get_n_fields (schema);

  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (slots[i].offset > 0) {
      put_field (take, field, &slots[i], data + field->offset);
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
      !take_record (&take, record, &frame) ||
      !orrery_take_token (&take, ORRERY_JSON_END, "the end"))
    return FALSE;
  put_record (&take, record, frame);
  return TRUE;
}
