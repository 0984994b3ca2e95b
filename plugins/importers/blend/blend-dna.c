/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the description of structs (SDNA) that every .blend file contains. */
#include "blend-dna.h"

#include <string.h>

/* Blender 2.79 has 662 structs and 4,200 names. */
#define MAX_NAMES 65535
#define MAX_ELEMENTS 65536
/* The largest struct of Blender 2.79 has 200 fields, all have 9,000. */
#define MAX_FIELDS 100000
#define MAX_STRUCT 2000

/* A reader at a position. After the first error all further reads fail, too. */
typedef struct {
  const guint8 *data;
  gsize length;
  gsize at;
  gboolean big_endian;
  gboolean broken;
} Cursor;

static void
expect (Cursor *cursor, const char *code)
{
  cursor->broken |=
      cursor->length - cursor->at < 4 || memcmp (cursor->data + cursor->at, code, 4) != 0;
  if (!cursor->broken)
    cursor->at += 4;
}

static guint
take_number (Cursor *cursor, gsize size)
{
  guint32 wide;
  guint16 narrow;

  cursor->broken |= cursor->length - cursor->at < size;
  if (cursor->broken)
    return 0;
  cursor->at += size;
  if (size == 2) {
    memcpy (&narrow, cursor->data + cursor->at - size, size);
    return cursor->big_endian ? GUINT16_FROM_BE (narrow) : GUINT16_FROM_LE (narrow);
  }
  memcpy (&wide, cursor->data + cursor->at - size, size);
  return cursor->big_endian ? GUINT32_FROM_BE (wide) : GUINT32_FROM_LE (wide);
}

static void
align (Cursor *cursor)
{
  cursor->at = MIN ((cursor->at + 3) & ~(gsize) 3, cursor->length);
}

/* A count, followed by as many texts, each terminated by a zero. */
static GPtrArray *
take_names (Cursor *cursor, const char *code)
{
  GPtrArray *names = g_ptr_array_new ();
  guint n;

  expect (cursor, code);
  n = take_number (cursor, 4);
  cursor->broken |= n > MAX_NAMES;
  for (guint i = 0; i < n && !cursor->broken; i++) {
    const guint8 *name = cursor->data + cursor->at;
    const guint8 *end = memchr (name, '\0', cursor->length - cursor->at);

    cursor->broken |= end == NULL;
    if (cursor->broken)
      break;
    g_ptr_array_add (names, (gpointer) name);
    cursor->at += (gsize) (end - name) + 1;
  }
  align (cursor);
  return names;
}

static BlendKind
find_kind (const char *type)
{
  static const struct {
    const char *name;
    BlendKind kind;
  } kinds[] = {
    { "char", BLEND_CHAR },     { "uchar", BLEND_UCHAR },     { "short", BLEND_SHORT },
    { "ushort", BLEND_USHORT }, { "int", BLEND_INT },         { "long", BLEND_INT },
    { "ulong", BLEND_INT },     { "float", BLEND_FLOAT },     { "double", BLEND_DOUBLE },
    { "int64_t", BLEND_INT64 }, { "uint64_t", BLEND_UINT64 }, { "void", BLEND_NONE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, type) == 0)
      return kinds[i].kind;
  return BLEND_STRUCT;
}

/* Splits "*next", "mat[4][4]" or "(*draw)()" into a name and a number of elements. */
static gboolean
read_name (const char *text, BlendField *field)
{
  gsize stars = strspn (text, "(*");

  field->is_pointer = stars > 0;
  field->name = text + stars;
  field->name_length = strcspn (field->name, "[)");
  field->n = 1;
  for (const char *at = strchr (text, '['); at != NULL; at = strchr (at + 1, '[')) {
    guint64 count = g_ascii_strtoull (at + 1, NULL, 10);

    if (count == 0 || count > MAX_ELEMENTS || field->n > MAX_ELEMENTS / count)
      return FALSE;
    field->n *= (guint) count;
  }
  return TRUE;
}

typedef struct {
  GPtrArray *names;
  GPtrArray *type_names;
  guint *lengths;
  guint pointer_size;
} Tables;

static void
take_field (BlendDna *dna, Cursor *cursor, const Tables *tables, gsize *offset)
{
  guint type = take_number (cursor, 2);
  guint name = take_number (cursor, 2);
  BlendField field = { 0 };
  gsize element;

  cursor->broken |= type >= tables->type_names->len || name >= tables->names->len;
  if (cursor->broken || !read_name (tables->names->pdata[name], &field)) {
    cursor->broken = TRUE;
    return;
  }
  field.kind = find_kind (tables->type_names->pdata[type]);
  /* Until all structs are known: the index of the type's name. */
  field.type = (int) type;
  element = field.is_pointer ? tables->pointer_size : tables->lengths[type];
  field.size = element * field.n;
  field.offset = *offset;
  *offset += field.size;
  g_array_append_val (dna->fields, field);
}

static void
take_struct (BlendDna *dna, Cursor *cursor, const Tables *tables)
{
  guint name = take_number (cursor, 2);
  guint n = take_number (cursor, 2);
  BlendType type = { .first = dna->fields->len, .n = n };
  gsize offset = 0;

  cursor->broken |=
      name >= tables->type_names->len || n > MAX_STRUCT || dna->fields->len + n > MAX_FIELDS;
  if (cursor->broken)
    return;
  type.name = tables->type_names->pdata[name];
  type.size = tables->lengths[name];
  for (guint i = 0; i < n && !cursor->broken; i++)
    take_field (dna, cursor, tables, &offset);
  /* Blender pads its structs explicitly, so the size follows from the fields and must match. */
  cursor->broken |= offset > type.size || type.size == 0;
  g_array_append_val (dna->types, type);
  g_hash_table_insert (dna->by_name, (gpointer) type.name, GUINT_TO_POINTER (dna->types->len));
}

static void
take_structs (BlendDna *dna, Cursor *cursor, const Tables *tables)
{
  guint n;

  expect (cursor, "STRC");
  n = take_number (cursor, 4);
  cursor->broken |= n > MAX_NAMES;
  for (guint i = 0; i < n && !cursor->broken; i++)
    take_struct (dna, cursor, tables);
}

static void
resolve_types (BlendDna *dna, const Tables *tables)
{
  for (guint i = 0; i < dna->fields->len; i++) {
    BlendField *field = &g_array_index (dna->fields, BlendField, i);
    gpointer found = g_hash_table_lookup (dna->by_name, tables->type_names->pdata[field->type]);

    field->type = GPOINTER_TO_INT (found) - 1;
    if (field->kind == BLEND_STRUCT && field->type < 0)
      field->kind = BLEND_NONE;
  }
}

static guint *
take_lengths (Cursor *cursor, guint n)
{
  guint *lengths = g_new0 (guint, n + 1);

  expect (cursor, "TLEN");
  for (guint i = 0; i < n; i++)
    lengths[i] = take_number (cursor, 2);
  align (cursor);
  return lengths;
}

gboolean
blend_dna_read (BlendDna *dna, const guint8 *data, gsize length, gboolean big_endian,
                guint pointer_size)
{
  Cursor cursor = { data, length, 0, big_endian, FALSE };
  Tables tables = { .pointer_size = pointer_size };

  dna->fields = g_array_new (FALSE, FALSE, sizeof (BlendField));
  dna->types = g_array_new (FALSE, FALSE, sizeof (BlendType));
  dna->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  expect (&cursor, "SDNA");
  tables.names = take_names (&cursor, "NAME");
  tables.type_names = take_names (&cursor, "TYPE");
  tables.lengths = take_lengths (&cursor, tables.type_names->len);
  take_structs (dna, &cursor, &tables);
  if (!cursor.broken)
    resolve_types (dna, &tables);
  g_ptr_array_unref (tables.names);
  g_ptr_array_unref (tables.type_names);
  g_free (tables.lengths);
  return !cursor.broken;
}

void
blend_dna_clear (BlendDna *dna)
{
  g_clear_pointer (&dna->fields, g_array_unref);
  g_clear_pointer (&dna->types, g_array_unref);
  g_clear_pointer (&dna->by_name, g_hash_table_unref);
}

const BlendField *
blend_dna_find (const BlendDna *dna, int type, const char *field, guint64 *n_steps)
{
  const BlendType *t;
  gsize length = strlen (field);

  if (type < 0 || (guint) type >= dna->types->len)
    return NULL;
  t = &g_array_index (dna->types, BlendType, type);
  for (guint i = 0; i < t->n; i++) {
    const BlendField *f = &g_array_index (dna->fields, BlendField, t->first + i);

    (*n_steps)++;
    if (f->name_length == length && memcmp (f->name, field, length) == 0)
      return f;
  }
  return NULL;
}
