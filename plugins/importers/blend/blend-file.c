/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a .blend file and gives checked access to its structs, fields and pointers. */
#include "blend-file.h"

#include "blend-dna.h"

#include <orrery.h>
#include <string.h>

/* The largest file of MORSE has 24 MB, unpacked 60. */
#define MAX_BYTES ((gsize) 512 << 20)
#define MAX_BLOCKS 4000000u
#define HEADER_LENGTH 12
/* Limit of fields that are searched in all. The files of MORSE need 3 million. */
#define MAX_STEPS 500000000u
/* Limit of structs of one kind, of links of one list, and of bytes of a text; no model comes
 * near. */
#define MAX_STRUCTS 100000u
#define MAX_LINKS 10000u
#define MAX_TEXT ((gsize) 65536)

typedef struct {
  char code[5];
  guint64 address; /* where it was when the file was written */
  int type;
  guint n;
  const guint8 *data;
  gsize length;
} Block;

struct _BlendFile {
  guint8 *data;
  gsize length;
  guint pointer_size;
  gboolean big_endian;
  int version;
  GArray *blocks;  /* (element-type Block), by address */
  GArray *ordered; /* (element-type Block), as in the file */
  BlendDna dna;
  guint64 *n_steps; /* counted also where the file is const */
};

static void
set_error (GError **error, const char *path, const char *words)
{
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: %s", path, words);
}

/* --- bytes --- */

static guint8 *
read_stream (GInputStream *stream, const char *path, gsize *length, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) wrong = NULL;
  guint8 chunk[65536];
  gssize n;

  while ((n = g_input_stream_read (stream, chunk, sizeof chunk, NULL, &wrong)) > 0) {
    if (bytes->len + (gsize) n > MAX_BYTES) {
      set_error (error, path, "it has more than 512 MiB, or unpacks to more");
      return NULL;
    }
    g_byte_array_append (bytes, chunk, (guint) n);
  }
  if (n < 0) {
    set_error (error, path, wrong->message);
    return NULL;
  }
  if (bytes->len == 0) {
    set_error (error, path, "not a file of Blender: it is empty");
    return NULL;
  }
  return g_byte_array_steal (bytes, length);
}

static guint8 *
read_file (const char *path, gsize *length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) plain = g_file_read (file, NULL, error);
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GZlibDecompressor) gunzip = NULL;
  guint8 magic[2] = { 0 };

  if (plain == NULL ||
      !g_input_stream_read_all (G_INPUT_STREAM (plain), magic, sizeof magic, NULL, NULL, error) ||
      !g_seekable_seek (G_SEEKABLE (plain), 0, G_SEEK_SET, NULL, error)) {
    g_prefix_error (error, "%s: ", path);
    return NULL;
  }
  if (magic[0] != 0x1f || magic[1] != 0x8b)
    return read_stream (G_INPUT_STREAM (plain), path, length, error);
  gunzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  stream = g_converter_input_stream_new (G_INPUT_STREAM (plain), G_CONVERTER (gunzip));
  return read_stream (stream, path, length, error);
}

static guint64
read_unsigned (const BlendFile *file, const guint8 *at, gsize size)
{
  guint64 value = 0;

  for (gsize i = 0; i < size; i++)
    value |= (guint64) at[file->big_endian ? size - 1 - i : i] << (8 * i);
  return value;
}

/* --- blocks --- */

static gboolean
read_header (BlendFile *file)
{
  const char *text = (const char *) file->data;

  if (file->length < HEADER_LENGTH || memcmp (text, "BLENDER", 7) != 0 ||
      strchr ("_-", text[7]) == NULL || strchr ("vV", text[8]) == NULL ||
      !g_ascii_isdigit (text[9]) || !g_ascii_isdigit (text[10]) || !g_ascii_isdigit (text[11]))
    return FALSE;
  file->pointer_size = text[7] == '_' ? 4 : 8;
  file->big_endian = text[8] == 'V';
  file->version = (text[9] - '0') * 100 + (text[10] - '0') * 10 + text[11] - '0';
  return TRUE;
}

/* Returns: what is wrong, or NULL */
static const char *
read_block (BlendFile *file, gsize *at, Block *block)
{
  gsize head = 16 + file->pointer_size;
  const guint8 *data = file->data + *at;

  if (file->length - *at < head)
    return "it ends in the middle of a block";
  memcpy (block->code, data, 4);
  block->code[4] = '\0';
  block->length = read_unsigned (file, data + 4, 4);
  block->address = read_unsigned (file, data + 8, file->pointer_size);
  block->type = (int) read_unsigned (file, data + 8 + file->pointer_size, 4);
  block->n = (guint) read_unsigned (file, data + 12 + file->pointer_size, 4);
  block->data = data + head;
  if (block->length > file->length - *at - head)
    return "a block is longer than the rest of the file";
  *at += head + block->length;
  return NULL;
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const Block *) a)->address;
  guint64 y = ((const Block *) b)->address;

  return (x > y) - (x < y);
}

static const char *
read_blocks (BlendFile *file)
{
  gsize at = HEADER_LENGTH;
  gboolean described = FALSE;
  Block block;

  for (;;) {
    const char *wrong = read_block (file, &at, &block);

    if (wrong != NULL)
      return wrong;
    if (strcmp (block.code, "ENDB") == 0)
      break;
    if (file->ordered->len >= MAX_BLOCKS)
      return "it has more than 4 million blocks";
    if (strcmp (block.code, "DNA1") == 0 && !described) {
      described = TRUE;
      if (!blend_dna_read (&file->dna, block.data, block.length, file->big_endian,
                           file->pointer_size))
        return "its description of structs (SDNA) is broken";
      continue;
    }
    g_array_append_val (file->ordered, block);
  }
  return described ? NULL : "it has no description of its structs (SDNA)";
}

/* Structs that a block claims to hold but has no room for are ignored. */
static void
check_blocks (BlendFile *file)
{
  for (guint i = 0; i < file->ordered->len; i++) {
    Block *block = &g_array_index (file->ordered, Block, i);
    gsize size = 0;

    if (block->type < 0 || (guint) block->type >= file->dna.types->len)
      block->type = -1;
    else
      size = g_array_index (file->dna.types, BlendType, block->type).size;
    if (size == 0 || block->n > block->length / size)
      block->n = size == 0 ? 0 : (guint) MIN (block->length / size, G_MAXUINT);
  }
  g_array_append_vals (file->blocks, file->ordered->data, file->ordered->len);
  g_array_sort (file->blocks, compare_addresses);
}

static BlendFile *
take_bytes (guint8 *data, gsize length, const char *path, GError **error)
{
  g_autoptr (BlendFile) file = g_new0 (BlendFile, 1);
  const char *wrong = NULL;

  file->data = data;
  file->length = length;
  file->n_steps = g_new0 (guint64, 1);
  file->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  file->ordered = g_array_new (FALSE, FALSE, sizeof (Block));
  if (!read_header (file)) {
    set_error (error, path, "not a file of Blender");
    return NULL;
  }
  wrong = read_blocks (file);
  if (wrong != NULL) {
    set_error (error, path, wrong);
    return NULL;
  }
  check_blocks (file);
  return g_steal_pointer (&file);
}

BlendFile *
blend_file_new (const guint8 *data, gsize length, const char *path, GError **error)
{
  return take_bytes (g_memdup2 (data, length), length, path, error);
}

BlendFile *
blend_file_open (const char *path, GError **error)
{
  gsize length = 0;
  guint8 *data = read_file (path, &length, error);

  return data != NULL ? take_bytes (data, length, path, error) : NULL;
}

void
blend_file_free (BlendFile *file)
{
  blend_dna_clear (&file->dna);
  g_clear_pointer (&file->blocks, g_array_unref);
  g_clear_pointer (&file->ordered, g_array_unref);
  g_free (file->n_steps);
  g_free (file->data);
  g_free (file);
}

int
blend_file_get_version (const BlendFile *file)
{
  return file->version;
}

gboolean
blend_file_is_spent (const BlendFile *file)
{
  return *file->n_steps >= MAX_STEPS;
}

static gsize
get_size (const BlendFile *file, int type)
{
  return g_array_index (file->dna.types, BlendType, type).size;
}

GArray *
blend_file_list (const BlendFile *file, const char *code)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (BlendStruct));

  for (guint i = 0; i < file->ordered->len; i++) {
    const Block *block = &g_array_index (file->ordered, Block, i);

    for (guint k = 0; strcmp (block->code, code) == 0 && k < block->n && out->len <= MAX_STRUCTS;
         k++) {
      BlendStruct s = { file, block->type, block->data + k * get_size (file, block->type) };

      g_array_append_val (out, s);
    }
  }
  return out;
}

/* The block that an address lies in. */
static const Block *
find_block (const BlendFile *file, guint64 address)
{
  guint low = 0;
  guint high = file->blocks->len;
  const Block *block;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (file->blocks, Block, middle).address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || address == 0)
    return NULL;
  block = &g_array_index (file->blocks, Block, low - 1);
  return address - block->address < block->length ? block : NULL;
}

/* --- fields --- */

static const BlendField *
find_field (const BlendStruct *s, const char *name, const guint8 **at)
{
  const BlendField *field;

  if (blend_file_is_spent (s->file))
    return NULL;
  field = blend_dna_find (&s->file->dna, s->type, name, s->file->n_steps);
  if (field != NULL)
    *at = s->data + field->offset;
  return field;
}

const char *
blend_struct_get_type (const BlendStruct *s)
{
  return g_array_index (s->file->dna.types, BlendType, s->type).name;
}

gboolean
blend_struct_has (const BlendStruct *s, const char *field)
{
  return blend_dna_find (&s->file->dna, s->type, field, s->file->n_steps) != NULL;
}

static double
read_float (const BlendFile *file, const guint8 *at, gsize size)
{
  guint64 bits = read_unsigned (file, at, size);
  guint32 narrow = (guint32) bits;
  float single;
  double wide;

  if (size == 4) {
    memcpy (&single, &narrow, sizeof single);
    return (double) single;
  }
  memcpy (&wide, &bits, sizeof wide);
  return wide;
}

static double
read_number (const BlendFile *file, const BlendField *field, const guint8 *at, gsize size)
{
  guint64 bits = read_unsigned (file, at, size);

  switch (field->kind) {
  case BLEND_CHAR:
    return (gint8) bits;
  case BLEND_UCHAR:
    return (guint8) bits;
  case BLEND_SHORT:
    return (gint16) bits;
  case BLEND_USHORT:
    return (guint16) bits;
  case BLEND_INT:
    return (gint32) bits;
  case BLEND_INT64:
    return (double) (gint64) bits;
  case BLEND_UINT64:
    return (double) bits;
  case BLEND_FLOAT:
  case BLEND_DOUBLE:
    return read_float (file, at, size);
  default:
    return 0;
  }
}

double
blend_struct_get_number (const BlendStruct *s, const char *name, guint i)
{
  const guint8 *at = NULL;
  const BlendField *field = find_field (s, name, &at);
  gsize size;

  if (field == NULL || field->is_pointer || i >= field->n)
    return 0;
  size = field->size / field->n;
  return size == 0 || size > 8 ? 0 : read_number (s->file, field, at + i * size, size);
}

gint64
blend_struct_get_int (const BlendStruct *s, const char *field)
{
  double value = blend_struct_get_number (s, field, 0);

  return value > -9e15 && value < 9e15 ? (gint64) value : 0;
}

char *
blend_struct_get_text (const BlendStruct *s, const char *name)
{
  const guint8 *at = NULL;
  const BlendField *field = find_field (s, name, &at);

  if (field == NULL || field->is_pointer || field->kind != BLEND_CHAR)
    return g_strdup ("");
  return g_utf8_make_valid ((const char *) at, (gssize) strnlen ((const char *) at, field->size));
}

gboolean
blend_struct_get_struct (const BlendStruct *s, const char *name, BlendStruct *out)
{
  const guint8 *at = NULL;
  const BlendField *field = find_field (s, name, &at);

  if (field == NULL || field->is_pointer || field->type < 0 ||
      get_size (s->file, field->type) > field->size)
    return FALSE;
  *out = (BlendStruct){ s->file, field->type, at };
  return TRUE;
}

/* --- pointers --- */

/* Resolves an address to structs of the type, or of the type of the block if that is unknown. */
static gboolean
resolve (const BlendFile *file, guint64 address, int type, BlendArray *out)
{
  const Block *block = find_block (file, address);
  gsize offset;

  if (block == NULL)
    return FALSE;
  /* A pointer to an ID or a link points to a struct that begins with one; the block knows the
   * actual type. */
  if (type < 0 || (block->type > 0 && address == block->address))
    type = block->type;
  if (type < 0)
    return FALSE;
  offset = (gsize) (address - block->address);
  out->size = get_size (file, type);
  out->n = (guint) MIN ((block->length - offset) / out->size, G_MAXUINT);
  out->first = (BlendStruct){ file, type, block->data + offset };
  return out->n > 0;
}

static gboolean
get_address (const BlendStruct *s, const char *name, guint64 *address, int *type)
{
  const guint8 *at = NULL;
  const BlendField *field = find_field (s, name, &at);

  if (field == NULL || !field->is_pointer)
    return FALSE;
  *address = read_unsigned (s->file, at, s->file->pointer_size);
  *type = field->type;
  return *address != 0;
}

gboolean
blend_struct_follow_array (const BlendStruct *s, const char *field, guint n, BlendArray *out)
{
  guint64 address;
  int type;

  return get_address (s, field, &address, &type) && resolve (s->file, address, type, out) &&
         out->n >= n;
}

gboolean
blend_struct_follow (const BlendStruct *s, const char *field, BlendStruct *out)
{
  BlendArray array;

  if (!blend_struct_follow_array (s, field, 1, &array))
    return FALSE;
  *out = array.first;
  return TRUE;
}

char *
blend_struct_follow_text (const BlendStruct *s, const char *field)
{
  const Block *block = NULL;
  guint64 address;
  gsize offset;
  int type;

  if (get_address (s, field, &address, &type))
    block = find_block (s->file, address);
  if (block == NULL)
    return g_strdup ("");
  offset = (gsize) (address - block->address);
  return g_utf8_make_valid ((const char *) block->data + offset,
                            (gssize) strnlen ((const char *) block->data + offset,
                                              MIN (block->length - offset, MAX_TEXT)));
}

gboolean
blend_struct_follow_place (const BlendStruct *s, const char *name, guint i, BlendStruct *out)
{
  gsize size = s->file->pointer_size;
  const guint8 *at = NULL;
  const BlendField *field = find_field (s, name, &at);
  BlendArray array;

  if (field == NULL || !field->is_pointer || i >= field->n ||
      !resolve (s->file, read_unsigned (s->file, at + i * size, size), field->type, &array))
    return FALSE;
  *out = array.first;
  return TRUE;
}

gboolean
blend_struct_follow_bytes (const BlendStruct *s, const char *field, gsize n, const guint8 **out)
{
  const Block *block = NULL;
  guint64 address;
  gsize offset;
  int type;

  if (get_address (s, field, &address, &type))
    block = find_block (s->file, address);
  if (block == NULL)
    return FALSE;
  offset = (gsize) (address - block->address);
  *out = block->data + offset;
  return n <= block->length - offset;
}

gboolean
blend_struct_follow_list (const BlendStruct *s, const char *field, guint i, BlendStruct *out)
{
  gsize size = s->file->pointer_size;
  const Block *block;
  guint64 address;
  BlendArray array;
  gsize offset;
  int type;

  if (!get_address (s, field, &address, &type))
    return FALSE;
  block = find_block (s->file, address);
  if (block == NULL)
    return FALSE;
  offset = (gsize) (address - block->address);
  if (i >= (block->length - offset) / size)
    return FALSE;
  address = read_unsigned (s->file, block->data + offset + i * size, size);
  if (!resolve (s->file, address, type, &array))
    return FALSE;
  *out = array.first;
  return TRUE;
}

/* Items of a list begin with the pointer to the next one, some of them inside of a nested
 * struct. */
static gboolean
follow_next (const BlendStruct *s, BlendStruct *out)
{
  gsize size = s->file->pointer_size;
  BlendArray array;

  if (blend_file_is_spent (s->file) || get_size (s->file, s->type) < size ||
      !resolve (s->file, read_unsigned (s->file, s->data, size), s->type, &array))
    return FALSE;
  ++*s->file->n_steps;
  *out = array.first;
  return TRUE;
}

GArray *
blend_struct_get_list (const BlendStruct *s, const char *field)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (BlendStruct));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  BlendStruct list;
  BlendStruct each;

  if (!blend_struct_get_struct (s, field, &list) || !blend_struct_follow (&list, "first", &each))
    return out;
  while (out->len < MAX_LINKS && g_hash_table_add (seen, (gpointer) each.data)) {
    g_array_append_val (out, each);
    if (!follow_next (&each, &each))
      break;
  }
  return out;
}

BlendStruct
blend_array_get (const BlendArray *array, guint i)
{
  BlendStruct s = array->first;

  s.data += i * array->size;
  return s;
}
