/* SPDX-License-Identifier: BSD-3-Clause */
/* Record fields of text, records and variants, and the table of all field types. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "base/orrery-message-private.h"
#include "base/orrery-random.h"
#include "record/orrery-record.h"

#include <math.h>
#include <string.h>

/* --- text --- */

static void
clear_text (gpointer field)
{
  OrreryText *text = field;

  g_clear_pointer (&text->str, g_free);
  text->allocated = 0;
}

static void
copy_text (gpointer to, gconstpointer from)
{
  const OrreryText *source = from;
  OrreryText *target = to;

  /* Two empty texts need no room. */
  if (source->str != NULL || target->str != NULL)
    orrery_text_set (target, source->str);
}

static guint64
hash_text (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  const char *text = orrery_text_get (field);

  return orrery_hash_bytes (hash, text, strlen (text));
}

static GVariant *
text_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  const char *text = orrery_text_get (field);

  /* Check the text, because a plugin may pass on text from outside. */
  if (!g_utf8_validate (text, -1, NULL))
    return g_variant_new_take_string (g_utf8_make_valid (text, -1));
  return g_variant_new_string (text);
}

static gboolean
text_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return orrery_field_refuse ("a text", value, error);
  orrery_text_set (field, g_variant_get_string (value, NULL));
  return TRUE;
}

static void
write_text (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  orrery_writer_append_json_text (writer, orrery_text_get (field));
}

static gboolean
take_text (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot)
{
  char *text;

  if (!orrery_take_token (take, ORRERY_JSON_TEXT, "a text"))
    return FALSE;
  slot->offset = orrery_take_push (take, take->json.length + 1);
  text = orrery_take_at (take, slot->offset);
  text[orrery_json_unescape (&take->json, text)] = '\0';
  return TRUE;
}

static void
put_text (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field)
{
  orrery_text_set (field, orrery_take_at (take, slot->offset));
}

static gboolean
write_flat_text (OrreryFlatWriter *writer, gconstpointer field)
{
  const char *text = orrery_text_get (field);
  gsize length = strlen (text);

  orrery_flat_put_word (writer, length);
  orrery_flat_put (writer, text, length);
  return TRUE;
}

static gboolean
read_flat_text (const OrreryFieldClass *klass, OrreryFlatReader *reader, gpointer field)
{
  guint64 length;
  const char *bytes = orrery_flat_look_counted (reader, &length);

  if (bytes != NULL && reader->writes) {
    g_autofree char *copy = g_strndup (bytes, length);

    orrery_text_set (field, copy);
  }
  return bytes != NULL;
}

static const OrreryFieldClass text_class = {
  .name = "text",
  PLACE (OrreryText),
  .clear = clear_text,
  .copy = copy_text,
  .hash = hash_text,
  .to_variant = text_to_variant,
  .from_variant = text_from_variant,
  .write_json = write_text,
  .take_json = take_text,
  .put_json = put_text,
  .write_flat = write_flat_text,
  .read_flat = read_flat_text,
};

/* --- records --- */

/* What a record has in its place as flat bytes. */
#define REFERS_TO_NONE 0
#define REFERS_TO_NEXT 1 /* the record follows */
#define REFERS_AS_BEFORE 2

static void
clear_record (gpointer field)
{
  g_clear_pointer ((OrreryRecord **) field, orrery_record_unref);
}

static void
copy_record (gpointer to, gconstpointer from)
{
  OrreryRecord *source = *(OrreryRecord *const *) from;
  OrreryRecord *before = *(OrreryRecord **) to;

  *(OrreryRecord **) to = source != NULL ? orrery_record_ref (source) : NULL;
  if (before != NULL)
    orrery_record_unref (before);
}

static guint64
hash_record (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  OrreryRecord *record = *(OrreryRecord *const *) field;

  hash = orrery_hash_word (hash, record != NULL);
  return record != NULL ? orrery_record_hash (record, hash, start) : hash;
}

static GVariant *
record_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  OrreryRecord *record = *(OrreryRecord *const *) field;

  if (record == NULL)
    return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0);
  return orrery_record_to_variant (record);
}

static gboolean
record_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  OrreryRecord *record = *(OrreryRecord **) field;

  if (record != NULL)
    return orrery_record_set_values (record, value, error);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    return orrery_field_refuse ("a dictionary of fields", value, error);
  if (g_variant_n_children (value) == 0)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "there is no record that it refers to");
}

static void
write_record (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  OrreryRecord *record = *(OrreryRecord *const *) field;

  if (record != NULL)
    orrery_record_write_json (record, writer);
  else
    orrery_json_write_null (writer);
}

static gboolean
take_record (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot)
{
  OrreryRecord *record = *(OrreryRecord *const *) field;

  if (!orrery_take_token (take, ORRERY_JSON_OBJECT, "an object"))
    return FALSE;
  if (record == NULL)
    return orrery_take_fail (take, "an object where no record is expected");
  return orrery_take_record (take, record, &slot->offset);
}

static void
put_record (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field)
{
  orrery_put_record (take, *(OrreryRecord **) field, slot->offset);
}

static gboolean
write_flat_record (OrreryFlatWriter *writer, gconstpointer field)
{
  OrreryRecord *record = *(OrreryRecord *const *) field;

  if (writer->shallow) {
    orrery_flat_put_word (writer, REFERS_AS_BEFORE);
    return TRUE;
  }
  orrery_flat_put_word (writer, record != NULL ? REFERS_TO_NEXT : REFERS_TO_NONE);
  return record == NULL || orrery_flat_put_record (writer, record);
}

static gboolean
read_flat_record (const OrreryFieldClass *klass, OrreryFlatReader *reader, gpointer field)
{
  OrreryRecord *record = *(OrreryRecord **) field;
  guint64 present;

  if (!orrery_flat_take (reader, &present, sizeof present))
    return FALSE;
  if (present == REFERS_AS_BEFORE)
    return TRUE;
  if ((present != REFERS_TO_NONE) != (record != NULL))
    return orrery_flat_fail (reader, present != REFERS_TO_NONE
                                         ? "a field refers to one, where here it refers to none"
                                         : "a field refers to none, where here it refers to one");
  return record == NULL || orrery_flat_take_record (reader, record);
}

static const OrreryFieldClass record_class = {
  .name = "record",
  PLACE (OrreryRecord *),
  .clear = clear_record,
  .copy = copy_record,
  .hash = hash_record,
  .to_variant = record_to_variant,
  .from_variant = record_from_variant,
  .write_json = write_record,
  .take_json = take_record,
  .put_json = put_record,
  .write_flat = write_flat_record,
  .read_flat = read_flat_record,
};

/* --- variants --- */

static void
clear_variant (gpointer field)
{
  g_clear_pointer ((GVariant **) field, g_variant_unref);
}

static void
copy_variant (gpointer to, gconstpointer from)
{
  GVariant *source = *(GVariant *const *) from;
  GVariant *before = *(GVariant **) to;

  *(GVariant **) to = source != NULL ? g_variant_ref (source) : NULL;
  if (before != NULL)
    g_variant_unref (before);
}

static guint64
hash_variant (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  GVariant *value = *(GVariant *const *) field;

  if (value == NULL)
    return orrery_hash_word (hash, 0);

  g_autoptr (GVariant) normal = g_variant_get_normal_form (value);
  const char *type = g_variant_get_type_string (normal);
  hash = orrery_hash_bytes (hash, type, strlen (type));
  return orrery_hash_bytes (hash, g_variant_get_data (normal), g_variant_get_size (normal));
}

static GVariant *
variant_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  GVariant *value = *(GVariant *const *) field;

  return value != NULL ? g_variant_ref (value) : g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL);
}

static gboolean
is_nothing (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE) && g_variant_n_children (value) == 0;
}

static gboolean
variant_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value,
                      GError **error)
{
  clear_variant (field);
  if (!is_nothing (value))
    *(GVariant **) field = g_variant_ref (value);
  return TRUE;
}

static void
write_variant (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  GVariant *value = *(GVariant *const *) field;

  if (value != NULL)
    orrery_writer_append_json_variant (writer, value);
  else
    orrery_json_write_null (writer);
}

/* Skips a value whose first token was read, and stores only its position. */
static gboolean
take_variant (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot)
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

/* A key given twice keeps its place and takes the last value, as in Python. */
static GVariant *
make_object (OrreryJson *json)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_autoptr (GHashTable) places =
      g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);

  while (orrery_json_next (json) == ORRERY_JSON_KEY) {
    g_autofree char *key = orrery_json_dup_text (json);
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
    return g_variant_new_take_string (orrery_json_dup_text (json));
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

static void
put_variant (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field)
{
  OrreryJson json;
  OrreryJsonToken token;

  orrery_json_init (&json, take->message + slot->count, take->length - slot->count,
                    ORRERY_TAKE_MAX_DEPTH);
  token = orrery_json_next (&json);
  clear_variant (field);
  if (token != ORRERY_JSON_NULL)
    *(GVariant **) field = g_variant_ref_sink (make_variant (&json, token));
}

static gboolean
write_flat_variant (OrreryFlatWriter *writer, gconstpointer field)
{
  GVariant *variant = *(GVariant *const *) field;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;

  if (variant == NULL) {
    orrery_flat_put_word (writer, 0);
    return TRUE;
  }
  boxed = g_variant_ref_sink (g_variant_new_variant (variant));
  normal = g_variant_get_normal_form (boxed);
  orrery_flat_put_word (writer, g_variant_get_size (normal));
  orrery_flat_put (writer, g_variant_get_data (normal), g_variant_get_size (normal));
  return TRUE;
}

static gboolean
read_flat_variant (const OrreryFieldClass *klass, OrreryFlatReader *reader, gpointer field)
{
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;
  guint64 size;
  gconstpointer bytes = orrery_flat_look_counted (reader, &size);

  if (bytes == NULL || !reader->writes)
    return bytes != NULL;
  clear_variant (field);
  if (size == 0)
    return TRUE;
  copy = g_bytes_new (bytes, size);
  boxed = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, copy, FALSE));
  normal = g_variant_get_normal_form (boxed);
  *(GVariant **) field = g_variant_get_variant (normal);
  return TRUE;
}

static const OrreryFieldClass variant_class = {
  .name = "variant",
  PLACE (GVariant *),
  .clear = clear_variant,
  .copy = copy_variant,
  .hash = hash_variant,
  .to_variant = variant_to_variant,
  .from_variant = variant_from_variant,
  .write_json = write_variant,
  .take_json = take_variant,
  .put_json = put_variant,
  .write_flat = write_flat_variant,
  .read_flat = read_flat_variant,
};

/* --- the table --- */

const OrreryFieldClass *const orrery_field_classes[] = {
  [ORRERY_FIELD_NONE] = NULL,
  [ORRERY_FIELD_BOOL] = &orrery_bool_field_class,
  [ORRERY_FIELD_INT64] = &orrery_int64_field_class,
  [ORRERY_FIELD_DOUBLE] = &orrery_double_field_class,
  [ORRERY_FIELD_TIME] = &orrery_time_field_class,
  [ORRERY_FIELD_TEXT] = &text_class,
  [ORRERY_FIELD_VEC3] = &orrery_vec3_field_class,
  [ORRERY_FIELD_EULER] = &orrery_euler_field_class,
  [ORRERY_FIELD_QUAT] = &orrery_quat_field_class,
  [ORRERY_FIELD_MAT3] = &orrery_mat3_field_class,
  [ORRERY_FIELD_MAT4] = &orrery_mat4_field_class,
  [ORRERY_FIELD_ARRAY] = &orrery_array_field_class,
  [ORRERY_FIELD_POINTS] = &orrery_points_field_class,
  [ORRERY_FIELD_BUFFER] = &orrery_buffer_field_class,
  [ORRERY_FIELD_RECORD] = &record_class,
  [ORRERY_FIELD_VARIANT] = &variant_class,
};

const OrreryFieldClass *
orrery_field_class_get (OrreryFieldType type)
{
  return (guint) type < G_N_ELEMENTS (orrery_field_classes) ? orrery_field_classes[type] : NULL;
}

void
orrery_field_class_clear (const OrreryFieldClass *klass, gpointer field)
{
  if (klass->clear != NULL)
    klass->clear (field);
  else
    memset (field, 0, klass->size);
}

void
orrery_field_class_copy (const OrreryFieldClass *klass, gpointer to, gconstpointer from)
{
  if (klass->copy != NULL)
    klass->copy (to, from);
  else
    memcpy (to, from, klass->size);
}

const char **
orrery_field_type_list_names (void)
{
  const char **names = g_new0 (const char *, G_N_ELEMENTS (orrery_field_classes));

  for (guint i = 1; i < G_N_ELEMENTS (orrery_field_classes); i++)
    names[i - 1] = orrery_field_classes[i]->name;
  return names;
}

const char *
orrery_field_type_get_name (OrreryFieldType type)
{
  const OrreryFieldClass *klass = orrery_field_class_get (type);

  return klass != NULL ? klass->name : "none";
}

OrreryFieldType
orrery_field_type_from_name (const char *name)
{
  g_return_val_if_fail (name != NULL, ORRERY_FIELD_NONE);

  for (guint i = 1; i < G_N_ELEMENTS (orrery_field_classes); i++)
    if (strcmp (orrery_field_classes[i]->name, name) == 0)
      return (OrreryFieldType) i;
  return ORRERY_FIELD_NONE;
}

gsize
orrery_field_type_get_size (OrreryFieldType type)
{
  const OrreryFieldClass *klass = orrery_field_class_get (type);

  return klass != NULL ? klass->size : 0;
}
