/* SPDX-License-Identifier: BSD-3-Clause */
/* Record fields of text, records and variants, and the table of all field types. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-random.h"
#include "record/orrery-record.h"

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

const OrreryFieldClass orrery_text_field_class = {
  .name = "text",
  PLACE (OrreryText),
  .clear = clear_text,
  .copy = copy_text,
  .hash = hash_text,
  .to_variant = text_to_variant,
  .from_variant = text_from_variant,
};

/* --- records and variants --- */

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
  return orrery_fail (error, ORRERY_ERROR_INVALID, "there is no record that it refers to");
}

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

const OrreryFieldClass orrery_record_field_class = {
  .name = "record",
  PLACE (OrreryRecord *),
  .clear = clear_record,
  .copy = copy_record,
  .hash = hash_record,
  .to_variant = record_to_variant,
  .from_variant = record_from_variant,
};

const OrreryFieldClass orrery_variant_field_class = {
  .name = "variant",
  PLACE (GVariant *),
  .clear = clear_variant,
  .copy = copy_variant,
  .hash = hash_variant,
  .to_variant = variant_to_variant,
  .from_variant = variant_from_variant,
};

/* --- the table --- */

static const OrreryFieldClass *const classes[] = {
  [ORRERY_FIELD_NONE] = NULL,
  [ORRERY_FIELD_BOOL] = &orrery_bool_field_class,
  [ORRERY_FIELD_INT64] = &orrery_int64_field_class,
  [ORRERY_FIELD_DOUBLE] = &orrery_double_field_class,
  [ORRERY_FIELD_TIME] = &orrery_time_field_class,
  [ORRERY_FIELD_TEXT] = &orrery_text_field_class,
  [ORRERY_FIELD_VEC3] = &orrery_vec3_field_class,
  [ORRERY_FIELD_EULER] = &orrery_euler_field_class,
  [ORRERY_FIELD_QUAT] = &orrery_quat_field_class,
  [ORRERY_FIELD_MAT3] = &orrery_mat3_field_class,
  [ORRERY_FIELD_MAT4] = &orrery_mat4_field_class,
  [ORRERY_FIELD_ARRAY] = &orrery_array_field_class,
  [ORRERY_FIELD_POINTS] = &orrery_points_field_class,
  [ORRERY_FIELD_BUFFER] = &orrery_buffer_field_class,
  [ORRERY_FIELD_RECORD] = &orrery_record_field_class,
  [ORRERY_FIELD_VARIANT] = &orrery_variant_field_class,
};

const OrreryFieldClass *
orrery_field_class_get (OrreryFieldType type)
{
  return (guint) type < G_N_ELEMENTS (classes) ? classes[type] : NULL;
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
  const char **names = g_new0 (const char *, G_N_ELEMENTS (classes));

  for (guint i = 1; i < G_N_ELEMENTS (classes); i++)
    names[i - 1] = classes[i]->name;
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

  for (guint i = 1; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (classes[i]->name, name) == 0)
      return (OrreryFieldType) i;
  return ORRERY_FIELD_NONE;
}

gsize
orrery_field_type_get_size (OrreryFieldType type)
{
  const OrreryFieldClass *klass = orrery_field_class_get (type);

  return klass != NULL ? klass->size : 0;
}
