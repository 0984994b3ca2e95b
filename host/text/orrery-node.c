/* SPDX-License-Identifier: BSD-3-Clause */
/* A value that was read from a file, with the place where it stands there. */
#include "text/orrery-node.h"

#include <string.h>

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-escape.h"
#include "base/orrery-getter-private.h"
#include "base/orrery-hash-private.h"
#include "text/orrery-node-private.h"

/* From this many keys on a dictionary has an index: a hostile file must not cost its square. */
#define INDEX_FROM 16

typedef struct {
  char *text;
  guint line;
  guint column;
} Key;

struct _OrreryNode {
  gatomicrefcount references;
  OrreryNodeKind kind;
  guint line;
  guint column;
  char *file; /* a reference string */
  union {
    gboolean boolean;
    gint64 integer;
    double number;
    char *text;
    GPtrArray *items; /* (element-type OrreryNode) */
  } value;
  GArray *keys;      /* (element-type Key): of a dictionary, beside its items */
  GHashTable *index; /* (element-type utf8 guint): text of a key, its place + 1 */
};

G_DEFINE_BOXED_TYPE (OrreryNode, orrery_node, orrery_node_ref, orrery_node_unref)

/* --- places --- */

void
orrery_place_init (OrreryPlace *place, const char *text, gsize length)
{
  place->at = text;
  place->end = text + length;
  place->line = 1;
  place->column = 1;
}

void
orrery_place_move (OrreryPlace *place, const char *at)
{
  while (place->at < at) {
    char c = *place->at++;

    if (c == '\n' || (c == '\r' && (place->at == place->end || *place->at != '\n'))) {
      place->line++;
      place->column = 1;
    } else if (((guchar) c & 0xc0) != 0x80) {
      place->column++;
    }
  }
}

static GError *
place_error_valist (const char *file, guint line, guint column, int code, const char *format,
                    va_list args)
{
  g_autofree char *what = g_strdup_vprintf (format, args);

  g_autofree char *placed = g_strdup_printf ("%s:%u:%u: %s", file, line, column, what);
  g_autofree char *escaped = orrery_escape_text (placed, TRUE);

  return g_error_new_literal (ORRERY_ERROR, code, escaped);
}

GError *
orrery_place_error (const OrreryPlace *place, const char *file, const char *format, ...)
{
  GError *error;
  va_list args;

  va_start (args, format);
  error = place_error_valist (file, place->line, place->column, ORRERY_ERROR_CONFIG, format, args);
  va_end (args);
  return error;
}

gboolean
orrery_node_check_text (const char **text, gsize *length, const char *file, GError **error)
{
  const char *wrong;
  OrreryPlace place;

  if (*length > ORRERY_NODE_MAX_BYTES)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s:1:1: a file of %" G_GSIZE_FORMAT " bytes; at most %d are read",
                             file, *length, ORRERY_NODE_MAX_BYTES);
  if (*length >= 3 && memcmp (*text, "\xef\xbb\xbf", 3) == 0) {
    *text += 3;
    *length -= 3;
  }
  if (g_utf8_validate_len (*text, *length, &wrong))
    return TRUE;

  orrery_place_init (&place, *text, *length);
  orrery_place_move (&place, wrong);
  if (*wrong == '\0')
    g_propagate_error (error, orrery_place_error (&place, file, "a NUL byte; this is no text"));
  else
    g_propagate_error (error, orrery_place_error (&place, file,
                                                  "byte 0x%02x is no UTF-8; save the file as UTF-8",
                                                  (guchar) *wrong));
  return FALSE;
}

/* --- making --- */

static void
key_clear (gpointer data)
{
  g_free (((Key *) data)->text);
}

OrreryNode *
orrery_node_new (OrreryNodeKind kind, char *file, const OrreryPlace *place)
{
  OrreryNode *node = g_new0 (OrreryNode, 1);

  g_atomic_ref_count_init (&node->references);
  node->kind = kind;
  node->line = place->line;
  node->column = place->column;
  node->file = g_ref_string_acquire (file);
  if (kind == ORRERY_NODE_LIST || kind == ORRERY_NODE_DICT)
    node->value.items = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_node_unref);
  if (kind == ORRERY_NODE_DICT) {
    node->keys = g_array_new (FALSE, FALSE, sizeof (Key));
    g_array_set_clear_func (node->keys, key_clear);
  }
  return node;
}

void
orrery_node_set_bool (OrreryNode *node, gboolean value)
{
  node->value.boolean = value;
}

void
orrery_node_set_int (OrreryNode *node, gint64 value)
{
  node->value.integer = value;
}

void
orrery_node_set_double (OrreryNode *node, double value)
{
  node->value.number = value;
}

void
orrery_node_set_text (OrreryNode *node, char *text)
{
  node->value.text = text;
}

void
orrery_node_append (OrreryNode *list, OrreryNode *item)
{
  g_ptr_array_add (list->value.items, item);
}

static void
index_key (OrreryNode *dict, guint i)
{
  g_hash_table_insert (dict->index, g_array_index (dict->keys, Key, i).text,
                       GUINT_TO_POINTER (i + 1));
}

void
orrery_node_add (OrreryNode *dict, char *key, const OrreryPlace *place, OrreryNode *item)
{
  Key entry = { key, place->line, place->column };

  g_array_append_val (dict->keys, entry);
  g_ptr_array_add (dict->value.items, item);
  if (dict->index != NULL) {
    index_key (dict, dict->keys->len - 1);
  } else if (dict->keys->len == INDEX_FROM) {
    dict->index = g_hash_table_new (orrery_text_hash, g_str_equal);
    for (guint i = 0; i < dict->keys->len; i++)
      index_key (dict, i);
  }
}

/* --- made, not read --- */

static const Key *
get_key (OrreryNode *node, guint i)
{
  g_return_val_if_fail (node != NULL && node->kind == ORRERY_NODE_DICT, NULL);
  g_return_val_if_fail (i < node->keys->len, NULL);
  return &g_array_index (node->keys, Key, i);
}

OrreryNode *
orrery_node_new_at (OrreryNodeKind kind, OrreryNode *place)
{
  OrreryPlace start = { .line = place->line, .column = place->column };

  return orrery_node_new (kind, place->file, &start);
}

OrreryNode *
orrery_node_new_text_at (const char *text, OrreryNode *place)
{
  OrreryNode *node = orrery_node_new_at (ORRERY_NODE_TEXT, place);

  node->value.text = g_strdup (text);
  return node;
}

void
orrery_node_add_here (OrreryNode *dict, const char *key, OrreryNode *item)
{
  OrreryPlace start = { .line = dict->line, .column = dict->column };

  orrery_node_add (dict, g_strdup (key), &start, item);
}

void
orrery_node_add_pair (OrreryNode *dict, OrreryNode *from, guint index, OrreryNode *item)
{
  const Key *key = get_key (from, index);
  OrreryPlace start = { .line = key->line, .column = key->column };

  orrery_node_add (dict, g_strdup (key->text), &start, item);
}

int
orrery_node_index (OrreryNode *dict, const char *key)
{
  if (dict->index != NULL)
    return (int) GPOINTER_TO_UINT (g_hash_table_lookup (dict->index, key)) - 1;
  for (guint i = 0; i < dict->keys->len; i++)
    if (strcmp (g_array_index (dict->keys, Key, i).text, key) == 0)
      return (int) i;
  return -1;
}

static void
node_free (OrreryNode *node)
{
  if (node->kind == ORRERY_NODE_TEXT)
    g_free (node->value.text);
  if (node->kind == ORRERY_NODE_LIST || node->kind == ORRERY_NODE_DICT)
    g_clear_pointer (&node->value.items, g_ptr_array_unref);
  g_clear_pointer (&node->index, g_hash_table_unref);
  g_clear_pointer (&node->keys, g_array_unref);
  g_ref_string_release (node->file);
  g_free (node);
}

ORRERY_DEFINE_COUNTED (OrreryNode, orrery_node, references, node_free)

/* --- reading --- */

OrreryNodeKind
orrery_node_get_kind (OrreryNode *node)
{
  g_return_val_if_fail (node != NULL, ORRERY_NODE_NULL);
  return node->kind;
}

const char *
orrery_node_name_kind (OrreryNodeKind kind)
{
  static const char *const names[] = { "null",   "a bool", "an integer",  "a number",
                                       "a text", "a list", "a dictionary" };

  return names[kind];
}

ORRERY_DEFINE_GETTER (const char *, orrery_node_get_kind_name, OrreryNode, ORRERY_IS_STRUCT,
                      orrery_node_name_kind (self->kind))

gboolean
orrery_node_get_bool (OrreryNode *node)
{
  g_return_val_if_fail (node != NULL && node->kind == ORRERY_NODE_BOOL, FALSE);
  return node->value.boolean;
}

gint64
orrery_node_get_int (OrreryNode *node)
{
  g_return_val_if_fail (node != NULL && node->kind == ORRERY_NODE_INT, 0);
  return node->value.integer;
}

double
orrery_node_get_double (OrreryNode *node)
{
  g_return_val_if_fail (node != NULL, 0);
  if (node->kind == ORRERY_NODE_INT)
    return (double) node->value.integer;
  g_return_val_if_fail (node->kind == ORRERY_NODE_DOUBLE, 0);
  return node->value.number;
}

const char *
orrery_node_get_text (OrreryNode *node)
{
  g_return_val_if_fail (node != NULL && node->kind == ORRERY_NODE_TEXT, NULL);
  return node->value.text;
}

static gboolean
has_items (OrreryNode *node)
{
  return node != NULL && (node->kind == ORRERY_NODE_LIST || node->kind == ORRERY_NODE_DICT);
}

guint
orrery_node_get_length (OrreryNode *node)
{
  g_return_val_if_fail (has_items (node), 0);
  return node->value.items->len;
}

OrreryNode *
orrery_node_get_item (OrreryNode *node, guint index)
{
  g_return_val_if_fail (has_items (node), NULL);
  g_return_val_if_fail (index < node->value.items->len, NULL);
  return g_ptr_array_index (node->value.items, index);
}

const char *
orrery_node_get_key (OrreryNode *node, guint index)
{
  const Key *key = get_key (node, index);

  return key != NULL ? key->text : NULL;
}

OrreryNode *
orrery_node_find (OrreryNode *node, const char *key)
{
  int index;

  g_return_val_if_fail (node != NULL && node->kind == ORRERY_NODE_DICT, NULL);
  g_return_val_if_fail (key != NULL, NULL);
  index = orrery_node_index (node, key);
  return index < 0 ? NULL : g_ptr_array_index (node->value.items, (guint) index);
}

ORRERY_DEFINE_GETTER (guint, orrery_node_get_line, OrreryNode, ORRERY_IS_STRUCT, self->line)

ORRERY_DEFINE_GETTER (guint, orrery_node_get_column, OrreryNode, ORRERY_IS_STRUCT, self->column)

guint
orrery_node_get_key_line (OrreryNode *node, guint index)
{
  const Key *key = get_key (node, index);

  return key != NULL ? key->line : 0;
}

guint
orrery_node_get_key_column (OrreryNode *node, guint index)
{
  const Key *key = get_key (node, index);

  return key != NULL ? key->column : 0;
}

ORRERY_DEFINE_GETTER (const char *, orrery_node_get_file, OrreryNode, ORRERY_IS_STRUCT, self->file)

static GVariant *node_to_floating_variant (OrreryNode *node);

static GVariant *
list_to_variant (OrreryNode *node)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("av"));
  for (guint i = 0; i < node->value.items->len; i++)
    g_variant_builder_add (&builder, "v",
                           node_to_floating_variant (g_ptr_array_index (node->value.items, i)));
  return g_variant_builder_end (&builder);
}

static GVariant *
dict_to_variant (OrreryNode *node)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < node->keys->len; i++)
    g_variant_builder_add (&builder, "{sv}", g_array_index (node->keys, Key, i).text,
                           node_to_floating_variant (g_ptr_array_index (node->value.items, i)));
  return g_variant_builder_end (&builder);
}

static GVariant *
node_to_floating_variant (OrreryNode *node)
{
  switch (node->kind) {
  case ORRERY_NODE_NULL:
    return g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL);
  case ORRERY_NODE_BOOL:
    return g_variant_new_boolean (node->value.boolean);
  case ORRERY_NODE_INT:
    return g_variant_new_int64 (node->value.integer);
  case ORRERY_NODE_DOUBLE:
    return g_variant_new_double (node->value.number);
  case ORRERY_NODE_TEXT:
    return g_variant_new_string (node->value.text);
  case ORRERY_NODE_LIST:
    return list_to_variant (node);
  case ORRERY_NODE_DICT:
    return dict_to_variant (node);
  default:
    g_assert_not_reached ();
  }
}

GVariant *
orrery_node_to_variant (OrreryNode *node)
{
  g_return_val_if_fail (node != NULL, NULL);
  return g_variant_ref_sink (node_to_floating_variant (node));
}

GError *
orrery_node_error (OrreryNode *node, int code, const char *format, ...)
{
  GError *error;
  va_list args;

  g_return_val_if_fail (node != NULL, NULL);
  va_start (args, format);
  error = place_error_valist (node->file, node->line, node->column, code, format, args);
  va_end (args);
  return error;
}

GError *
orrery_node_key_error (OrreryNode *node, guint index, int code, const char *format, ...)
{
  const Key *key = get_key (node, index);
  GError *error;
  va_list args;

  g_return_val_if_fail (key != NULL, NULL);
  va_start (args, format);
  error = place_error_valist (node->file, key->line, key->column, code, format, args);
  va_end (args);
  return error;
}
