/* SPDX-License-Identifier: BSD-3-Clause */
/* Message types: fields, and where they lie in memory. */
#include "message/orrery-message-type-private.h"

#include <string.h>

#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "message/orrery-message-cbor-private.h"

typedef struct {
  gsize size;
  gsize alignment;
} Layout;

#define LAYOUT(Type)                                                                               \
  {                                                                                                \
    sizeof (Type), G_ALIGNOF (Type)                                                                \
  }

/* In the order of OrreryMessageKind; a message inside has its own. */
static const Layout layouts[] = {
  LAYOUT (guint8),
  LAYOUT (gint8),
  LAYOUT (guint8),
  LAYOUT (gint16),
  LAYOUT (guint16),
  LAYOUT (gint32),
  LAYOUT (guint32),
  LAYOUT (gint64),
  LAYOUT (guint64),
  LAYOUT (gfloat),
  LAYOUT (gdouble),
  LAYOUT (OrreryMessageText),
  LAYOUT (OrreryMessageText),
};

void
orrery_message_type_free (OrreryMessageType *type)
{
  if (type == NULL)
    return;
  orrery_message_free_defaults (type);
  orrery_message_definition_free (type->definition);
  for (guint i = 0; type->keys != NULL && i < type->n_fields; i++) {
    g_free (type->keys[i].text);
    g_free (type->keys[i].cbor);
  }
  g_free (type->name);
  g_free (type->keys);
  g_free (type->runs);
  g_free (type->fields);
  g_free (type->md5);
  g_free (type->hash);
  g_free (type->text);
  g_free (type);
}

/* --- layout --- */

static Layout
find_layout (const OrreryMessageField *field)
{
  static const Layout array = LAYOUT (OrreryMessageArray);
  Layout layout = field->kind == ORRERY_MESSAGE_NESTED
                      ? (Layout){ field->type->size, field->type->alignment }
                      : layouts[field->kind];

  if (field->shape == ORRERY_MESSAGE_SEQUENCE)
    return array;
  if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY)
    layout.size *= field->count;
  return layout;
}

static gsize
round_up (gsize size, gsize alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

static gboolean
place_field (OrreryMessageType *type, OrreryMessageField *field, const char *file, guint line,
             GError **error)
{
  Layout layout = find_layout (field);

  field->offset = round_up (type->size, layout.alignment);
  type->size = field->offset + layout.size;
  type->alignment = MAX (type->alignment, layout.alignment);
  if (type->size <= ORRERY_MESSAGE_MAX_SIZE)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s:%u: '%s' makes messages of more than %d bytes", file, line,
                           field->name, ORRERY_MESSAGE_MAX_SIZE);
}

static gboolean
find_inside (OrreryMessageType *type, OrreryMessageField *field, const OrreryMessageEntry *entry,
             const char *file, OrreryMessageFindFunc find, gpointer data, GError **error)
{
  if (entry->nested == NULL)
    return TRUE;
  field->type = find (data, entry->nested, error);
  if (field->type == NULL) {
    g_prefix_error (error, "%s:%u: ", file, entry->line);
    return FALSE;
  }
  type->depth = MAX (type->depth, field->type->depth + 1);
  if (type->depth <= ORRERY_MESSAGE_MAX_DEPTH)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s:%u: messages inside messages, %d deep",
                           file, entry->line, ORRERY_MESSAGE_MAX_DEPTH);
}

gsize
orrery_message_get_element_size (const OrreryMessageField *field)
{
  return field->kind == ORRERY_MESSAGE_NESTED ? field->type->size : layouts[field->kind].size;
}

gsize
orrery_message_get_least_bytes (const OrreryMessageField *field)
{
  if (field->kind == ORRERY_MESSAGE_NESTED)
    return field->type->least;
  return field->kind < ORRERY_MESSAGE_TEXT ? layouts[field->kind].size : sizeof (guint32);
}

/* What writing and reading want to know of a type as a whole. */
static void
note_field (OrreryMessageType *type, const OrreryMessageField *field)
{
  gboolean is_text = field->kind == ORRERY_MESSAGE_TEXT || field->kind == ORRERY_MESSAGE_WTEXT;
  gboolean is_inside = field->kind == ORRERY_MESSAGE_NESTED;
  gsize unit = is_text ? 0 : is_inside ? field->type->unit : layouts[field->kind].size;

  if (field->shape == ORRERY_MESSAGE_SEQUENCE || field->kind == ORRERY_MESSAGE_BOOL)
    unit = 0;
  type->unit = field == type->fields || type->unit == unit ? unit : 0;
  type->is_plain &=
      !is_text && field->shape != ORRERY_MESSAGE_SEQUENCE && (!is_inside || field->type->is_plain);
  type->has_wide_texts |=
      field->kind == ORRERY_MESSAGE_WTEXT || (is_inside && field->type->has_wide_texts);
  type->has_defaults |= is_inside && field->type->has_defaults;
  type->least += field->shape == ORRERY_MESSAGE_SEQUENCE
                     ? sizeof (guint32)
                     : orrery_message_get_least_bytes (field) *
                           (field->shape == ORRERY_MESSAGE_SINGLE ? 1 : field->count);
}

static gboolean
lay_out (OrreryMessageType *type, const char *file, OrreryMessageFindFunc find, gpointer data,
         GError **error)
{
  GArray *entries = type->definition->entries;

  type->n_fields = entries->len;
  type->fields = g_new0 (OrreryMessageField, MAX (entries->len, 1));
  for (guint i = 0; i < entries->len; i++) {
    const OrreryMessageEntry *entry = &g_array_index (entries, OrreryMessageEntry, i);
    OrreryMessageField *field = &type->fields[i];

    *field = (OrreryMessageField){ .name = entry->name,
                                   .spelling = entry->spelling,
                                   .kind = entry->kind,
                                   .shape = entry->shape,
                                   .count = entry->count,
                                   .text_bound = entry->text_bound };
    if (!find_inside (type, field, entry, file, find, data, error) ||
        !place_field (type, field, file, entry->line, error))
      return FALSE;
    note_field (type, field);
  }
  type->size = MAX (round_up (type->size, type->alignment), 1);
  return TRUE;
}

static gsize
get_unit (const OrreryMessageField *field)
{
  gboolean is_number = field->kind < ORRERY_MESSAGE_TEXT && field->kind != ORRERY_MESSAGE_BOOL;

  if (field->shape == ORRERY_MESSAGE_SEQUENCE)
    return 0;
  if (field->kind == ORRERY_MESSAGE_NESTED)
    return field->type->unit;
  return is_number ? layouts[field->kind].size : 0;
}

/* From the last field to the first, each run is the field and the run behind it. */
static void
make_runs (OrreryMessageType *type)
{
  type->runs = g_new0 (OrreryMessageRun, type->n_fields + 1);
  for (guint i = type->n_fields; i-- > 0;) {
    const OrreryMessageField *field = &type->fields[i];
    OrreryMessageRun *run = &type->runs[i], *next = run + 1;
    gsize size = find_layout (field).size;

    *run = (OrreryMessageRun){ get_unit (field), 0, i + 1 };
    if (run->unit == 0)
      continue;
    run->n = size / run->unit;
    if (next->unit == run->unit && field[1].offset == field->offset + size) {
      run->n += next->n;
      run->end = next->end;
    }
  }
}

static void
make_keys (OrreryMessageType *type)
{
  type->keys = g_new0 (OrreryMessageKey, MAX (type->n_fields, 1));
  for (guint i = 0; i < type->n_fields; i++) {
    OrreryMessageKey *key = &type->keys[i];

    key->text = g_strdup_printf (",\"%s\":", orrery_message_get_shown_name (type, i));
    key->length = strlen (key->text);
    key->cbor =
        orrery_message_make_cbor_key (orrery_message_get_shown_name (type, i), &key->cbor_length);
    key->kind = orrery_message_get_shown_kind (type, i);
  }
}

OrreryMessageType *
orrery_message_type_new (const char *name, OrreryMessageDialect dialect,
                         OrreryMessageDefinition *definition, const char *file,
                         OrreryMessageFindFunc find, gpointer data, GError **error)
{
  OrreryMessageType *type = g_new0 (OrreryMessageType, 1);

  type->name = g_strdup (name);
  type->dialect = dialect;
  type->definition = definition;
  type->alignment = 1;
  type->is_plain = TRUE;
  if (!lay_out (type, file, find, data, error)) {
    orrery_message_type_free (type);
    return NULL;
  }
  make_keys (type);
  make_runs (type);
  if (!orrery_message_make_defaults (type, file, error)) {
    orrery_message_type_free (type);
    return NULL;
  }
  type->md5 = orrery_message_reckon_md5 (type);
  type->hash = orrery_message_reckon_hash (type);
  type->text = orrery_message_write_definition (type);
  return type;
}

/* --- looking --- */

ORRERY_DEFINE_GETTER (const char *, orrery_message_type_get_name, const OrreryMessageType,
                      ORRERY_IS_STRUCT, self->name)
ORRERY_DEFINE_GETTER (OrreryMessageDialect, orrery_message_type_get_dialect,
                      const OrreryMessageType, ORRERY_IS_STRUCT, self->dialect)
ORRERY_DEFINE_GETTER (gsize, orrery_message_type_get_size, const OrreryMessageType,
                      ORRERY_IS_STRUCT, self->size)
ORRERY_DEFINE_GETTER (const char *, orrery_message_type_get_md5, const OrreryMessageType,
                      ORRERY_IS_STRUCT, self->md5)
ORRERY_DEFINE_GETTER (const char *, orrery_message_type_get_hash, const OrreryMessageType,
                      ORRERY_IS_STRUCT, self->hash)
ORRERY_DEFINE_GETTER (const char *, orrery_message_type_get_definition, const OrreryMessageType,
                      ORRERY_IS_STRUCT, self->text)

const OrreryMessageField *
orrery_message_type_get_fields (const OrreryMessageType *type, guint *n)
{
  g_return_val_if_fail (type != NULL, NULL);
  g_return_val_if_fail (n != NULL, NULL);

  *n = type->n_fields;
  return type->fields;
}

const OrreryMessageConstant *
orrery_message_type_get_constants (const OrreryMessageType *type, guint *n)
{
  G_STATIC_ASSERT (sizeof (OrreryMessageConstant) == sizeof (OrreryMessageNamedValue));

  g_return_val_if_fail (type != NULL, NULL);
  g_return_val_if_fail (n != NULL, NULL);

  *n = type->definition->constants->len;
  return (const OrreryMessageConstant *) (gpointer) type->definition->constants->data;
}

static const OrreryMessageField *
find_field (const OrreryMessageType *type, const char *name, gsize length)
{
  for (guint i = 0; i < type->n_fields; i++)
    if (strncmp (type->fields[i].name, name, length) == 0 && type->fields[i].name[length] == '\0')
      return &type->fields[i];
  return NULL;
}

static void
no_field (const OrreryMessageType *type, const char *name, gsize length, GError **error)
{
  g_autofree const char **names = g_new0 (const char *, type->n_fields + 1);
  g_autofree char *wanted = g_strndup (name, MIN (length, 80));
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < type->n_fields; i++)
    names[i] = type->fields[i].name;
  nearest = orrery_nearest_names (wanted, names);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s has no field '%s'%s", type->name, wanted,
                    nearest);
}

const OrreryMessageField *
orrery_message_type_find (const OrreryMessageType *type, const char *path, gsize *offset,
                          GError **error)
{
  const OrreryMessageField *field = NULL;
  gsize place = 0;

  g_return_val_if_fail (type != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  while (TRUE) {
    gsize length = strcspn (path, ".");

    field = find_field (type, path, length);
    if (field == NULL) {
      no_field (type, path, length, error);
      return NULL;
    }
    place += field->offset;
    if (path[length] == '\0')
      break;
    if (field->kind != ORRERY_MESSAGE_NESTED || field->shape != ORRERY_MESSAGE_SINGLE) {
      orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                        "%s: '%s' is %s, in which there are no fields", type->name, field->name,
                        field->spelling);
      return NULL;
    }
    type = field->type;
    path += length + 1;
  }
  if (offset != NULL)
    *offset = place;
  return field;
}
