/* SPDX-License-Identifier: BSD-3-Clause */
/* Schemas: the fields of a record, their checks and their layout. */
#include "record/orrery-schema-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "base/orrery-hash-private.h"
#include "record/orrery-field-private.h"

#include <stdlib.h>
#include <string.h>

struct _OrrerySchema {
  gatomicrefcount ref_count;
  const OrreryField *fields;
  guint n_fields;
  gsize size;
  OrreryLayout layout;
  GHashTable *by_name; /* (element-type utf8 OrreryField) */
  OrreryField *owned;  /* fields, if they are a copy */
  GStringChunk *texts; /* of the copy */
};

G_DEFINE_BOXED_TYPE (OrrerySchema, orrery_schema, orrery_schema_ref, orrery_schema_unref)

static gboolean
check_name (const OrreryField *field, GHashTable *names, int code, GError **error)
{
  if (field->name == NULL || field->name[0] == '\0')
    return orrery_set_error (error, code, "field %u: no name", g_hash_table_size (names));
  if (!g_utf8_validate (field->name, -1, NULL))
    return orrery_set_error (error, code, "field %u: its name is not UTF-8",
                             g_hash_table_size (names));
  if (strcmp (field->name, "timestamp") == 0)
    return orrery_set_error (
        error, code,
        "field timestamp: the name is reserved; the host sets the time of every sensor");
  if (!g_hash_table_add (names, (gpointer) field->name))
    return orrery_set_error (error, code, "field %s: there are two of that name", field->name);
  return TRUE;
}

static gboolean
check_place (const OrreryField *field, gsize size, GError **error)
{
  const OrreryFieldClass *klass = orrery_field_class_get (field->type);

  if (klass == NULL)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "field %s: %d is no type", field->name,
                             field->type);
  if (field->offset % klass->alignment != 0 || field->offset > size ||
      klass->size > size - field->offset)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "field %s: no %s at offset %u of a struct of %" G_GSIZE_FORMAT
                             " bytes",
                             field->name, klass->name, field->offset, size);
  if (field->unit == NULL || field->words == NULL)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "field %s: no unit or no words",
                             field->name);
  return TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const OrreryField *one = *(const OrreryField *const *) a;
  const OrreryField *other = *(const OrreryField *const *) b;

  return (one->offset > other->offset) - (one->offset < other->offset);
}

static gboolean
check_overlap (const OrreryField *fields, guint n_fields, GError **error)
{
  g_autofree const OrreryField **sorted = g_new (const OrreryField *, n_fields + 1);

  for (guint i = 0; i < n_fields; i++)
    sorted[i] = &fields[i];
  qsort (sorted, n_fields, sizeof *sorted, compare_places);
  for (guint i = 1; i < n_fields; i++) {
    gsize end = sorted[i - 1]->offset + orrery_field_type_get_size (sorted[i - 1]->type);

    if (end > sorted[i]->offset)
      return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "field %s: lies on field %s",
                               sorted[i]->name, sorted[i - 1]->name);
  }
  return TRUE;
}

gboolean
orrery_fields_check (const OrreryField *fields, guint n_fields, gsize size, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (orrery_text_hash, g_str_equal);

  g_return_val_if_fail (fields != NULL || n_fields == 0, FALSE);

  if (n_fields > ORRERY_SCHEMA_MAX_FIELDS)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "%u fields, more than %d", n_fields,
                             ORRERY_SCHEMA_MAX_FIELDS);
  for (guint i = 0; i < n_fields; i++)
    if (!check_name (&fields[i], names, ORRERY_ERROR_PLUGIN, error) ||
        !check_place (&fields[i], size, error))
      return FALSE;
  return check_overlap (fields, n_fields, error);
}

static void
lay_out_fields (OrreryLayout *layout, const OrreryField *fields, guint n_fields)
{
  g_autofree const OrreryField **sorted = g_new (const OrreryField *, n_fields + 1);
  OrrerySpan *last = NULL;

  layout->spans = g_new0 (OrrerySpan, n_fields);
  layout->owners = g_new0 (const OrreryField *, n_fields);
  for (guint i = 0; i < n_fields; i++)
    sorted[i] = &fields[i];
  qsort (sorted, n_fields, sizeof *sorted, compare_places);
  for (guint i = 0; i < n_fields; i++) {
    const OrreryFieldClass *klass = orrery_field_get_class (sorted[i]);

    if (klass->copy != NULL) {
      layout->owners[layout->n_owners++] = sorted[i];
      continue;
    }
    if (last == NULL || last->offset + last->size != sorted[i]->offset) {
      last = &layout->spans[layout->n_spans++];
      last->offset = sorted[i]->offset;
    }
    last->size += klass->size;
  }
}

static OrrerySchema *
schema_new (const OrreryField *fields, guint n_fields, gsize size)
{
  OrrerySchema *schema = g_new0 (OrrerySchema, 1);

  g_atomic_ref_count_init (&schema->ref_count);
  schema->fields = fields;
  schema->n_fields = n_fields;
  schema->size = size;
  lay_out_fields (&schema->layout, fields, n_fields);
  schema->by_name = g_hash_table_new (orrery_text_hash, g_str_equal);
  for (guint i = 0; i < n_fields; i++)
    g_hash_table_insert (schema->by_name, (gpointer) fields[i].name, (gpointer) &fields[i]);
  return schema;
}

OrrerySchema *
orrery_schema_new (const OrreryField *fields, guint n_fields, gsize size)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (fields != NULL || n_fields == 0, NULL);

  /* As g_return_val_if_fail(), but it says which field. */
  if (!orrery_fields_check (fields, n_fields, size, &error)) {
    g_return_if_fail_warning (G_LOG_DOMAIN, G_STRFUNC, error->message);
    return NULL;
  }
  return schema_new (fields, n_fields, size);
}

static gboolean
read_type (OrreryField *field, const char *name, GError **error)
{
  field->type = orrery_field_type_from_name (name);
  if (field->type != ORRERY_FIELD_NONE)
    return TRUE;

  g_autofree const char **names = orrery_field_type_list_names ();
  g_autofree char *nearest = orrery_nearest_names (name, names);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "field %s: no type %s%s", field->name, name,
                           nearest);
}

/* Puts the field behind @end, which it moves. */
static void
lay_out (OrreryField *field, gsize *end)
{
  const OrreryFieldClass *klass = orrery_field_class_get (field->type);
  gsize offset = (*end + klass->alignment - 1) / klass->alignment * klass->alignment;

  field->offset = (guint32) offset;
  *end = offset + klass->size;
}

static gboolean
read_fields (GVariant *description, OrreryField *fields, GStringChunk *texts, gsize *size,
             GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (orrery_text_hash, g_str_equal);
  gsize n_fields = g_variant_n_children (description);

  for (gsize i = 0; i < n_fields; i++) {
    const char *name, *type, *unit, *words;

    g_variant_get_child (description, i, "(&s&s&s&s)", &name, &type, &unit, &words);
    fields[i].name = g_string_chunk_insert (texts, name);
    fields[i].unit = g_string_chunk_insert (texts, unit);
    fields[i].words = g_string_chunk_insert (texts, words);
    if (!check_name (&fields[i], names, ORRERY_ERROR_INVALID, error) ||
        !read_type (&fields[i], type, error))
      return FALSE;
    lay_out (&fields[i], size);
  }
  return TRUE;
}

OrrerySchema *
orrery_schema_new_from_variant (GVariant *description, GError **error)
{
  g_return_val_if_fail (description != NULL, NULL);

  g_autoptr (GVariant) held = g_variant_ref_sink (description);
  if (!g_variant_is_of_type (held, G_VARIANT_TYPE ("a(ssss)")) ||
      g_variant_n_children (held) > ORRERY_SCHEMA_MAX_FIELDS)
    return orrery_set_error_null (
        error, ORRERY_ERROR_INVALID,
        "a description of fields is an array of at most %d (name, type, unit, words), "
        "a(ssss), not %s",
        ORRERY_SCHEMA_MAX_FIELDS, g_variant_get_type_string (held));

  guint n_fields = (guint) g_variant_n_children (held);
  g_autofree OrreryField *fields = g_new0 (OrreryField, n_fields);
  g_autoptr (GStringChunk) texts = g_string_chunk_new (1024);
  gsize size = 0;
  if (!read_fields (held, fields, texts, &size, error))
    return NULL;
  OrrerySchema *schema = schema_new (fields, n_fields, size);
  schema->owned = g_steal_pointer (&fields);
  schema->texts = g_steal_pointer (&texts);
  return schema;
}

GVariant *
orrery_schema_to_variant (OrrerySchema *schema)
{
  GVariantBuilder builder;

  g_return_val_if_fail (schema != NULL, NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssss)"));
  for (guint i = 0; i < schema->n_fields; i++) {
    const OrreryField *field = &schema->fields[i];

    g_variant_builder_add (&builder, "(ssss)", field->name,
                           orrery_field_type_get_name (field->type), field->unit, field->words);
  }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static void
schema_free (OrrerySchema *schema)
{
  g_clear_pointer (&schema->by_name, g_hash_table_unref);
  g_clear_pointer (&schema->texts, g_string_chunk_free);
  g_free (schema->layout.spans);
  g_free (schema->layout.owners);
  g_free (schema->owned);
  g_free (schema);
}

ORRERY_DEFINE_COUNTED (OrrerySchema, orrery_schema, ref_count, schema_free)

ORRERY_DEFINE_GETTER (const OrreryLayout *, orrery_schema_get_layout, OrrerySchema,
                      ORRERY_IS_STRUCT, &self->layout)
ORRERY_DEFINE_GETTER (guint, orrery_schema_get_n_fields, OrrerySchema, ORRERY_IS_STRUCT,
                      self->n_fields)

const OrreryField *
orrery_schema_get_field (OrrerySchema *schema, guint index)
{
  g_return_val_if_fail (schema != NULL && index < schema->n_fields, NULL);

  return &schema->fields[index];
}

const OrreryField *
orrery_schema_find_field (OrrerySchema *schema, const char *name)
{
  g_return_val_if_fail (schema != NULL && name != NULL, NULL);

  return g_hash_table_lookup (schema->by_name, name);
}

gint64
orrery_schema_get_offset (OrrerySchema *schema, const char *name)
{
  const OrreryField *field;

  g_return_val_if_fail (schema != NULL && name != NULL, -1);

  field = orrery_schema_find_field (schema, name);
  return field != NULL ? (gint64) field->offset : -1;
}

ORRERY_DEFINE_GETTER (gsize, orrery_schema_get_size, OrrerySchema, ORRERY_IS_STRUCT, self->size)

const char **
orrery_schema_get_names (OrrerySchema *schema)
{
  g_return_val_if_fail (schema != NULL, NULL);

  const char **names = g_new0 (const char *, schema->n_fields + 1);
  for (guint i = 0; i < schema->n_fields; i++)
    names[i] = schema->fields[i].name;
  return names;
}
