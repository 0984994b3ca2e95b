/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: a writer that appends bytes, text and numbers, and a reader that takes them. */
#include "base/orrery-message.h"

#include <math.h>
#include <string.h>

#include "base/orrery-counted-private.h"
#include "base/orrery-getter-private.h"
#include "base/orrery-message-private.h"
#include "base/orrery-number-private.h"

/* A name longer than this is cut in the note of it. */
#define NAME_SIZE 128

typedef struct {
  guint count;
  char first[NAME_SIZE];
} Note;

struct _OrreryReader {
  gatomicrefcount references;
  const char *data;
  gsize length;
  Note missing;
  Note unknown;
  gpointer scratch;
  gsize scratch_size;
};

G_DEFINE_BOXED_TYPE (OrreryWriter, orrery_writer, orrery_writer_ref, orrery_writer_unref)
G_DEFINE_BOXED_TYPE (OrreryReader, orrery_reader, orrery_reader_ref, orrery_reader_unref)

/* Letters of a value in a message. */
#define MAX_SHOWN 60
/* Of a dictionary, more are not named. */
#define MAX_KEYS 8

/* --- writer --- */

OrreryWriter *
orrery_writer_new (void)
{
  OrreryWriter *writer = g_new0 (OrreryWriter, 1);

  g_atomic_ref_count_init (&writer->references);
  writer->allocated = 256;
  writer->data = g_malloc (writer->allocated);
  writer->wanted = G_MAXUINT64;
  return writer;
}

static void
writer_free (OrreryWriter *writer)
{
  orrery_writer_forget_messages (writer);
  g_free (writer->data);
  g_free (writer);
}

ORRERY_DEFINE_COUNTED (OrreryWriter, orrery_writer, references, writer_free)

void
orrery_writer_clear (OrreryWriter *writer)
{
  g_return_if_fail (writer != NULL);
  orrery_writer_own_memory (writer, FALSE);
  writer->length = 0;
  writer->n_not_finite = 0;
  writer->has_null = FALSE;
  writer->n_marks = 0;
}

static G_GNUC_NO_INLINE void
grow (OrreryWriter *writer, gsize size)
{
  orrery_writer_own_memory (writer, TRUE);
  writer->allocated = MAX (2 * writer->allocated, writer->length + size);
  writer->data = g_realloc (writer->data, writer->allocated);
}

static inline char *
reserve (OrreryWriter *writer, gsize size)
{
  if (G_UNLIKELY (size > writer->allocated - writer->length))
    grow (writer, size);
  return writer->data + writer->length;
}

char *
orrery_writer_reserve (OrreryWriter *writer, gsize size)
{
  return reserve (writer, size);
}

void
orrery_writer_advance (OrreryWriter *writer, gsize size)
{
  g_assert (size <= writer->allocated - writer->length);
  writer->length += size;
}

void
orrery_writer_append (OrreryWriter *writer, gconstpointer data, gsize length)
{
  g_return_if_fail (writer != NULL);
  g_return_if_fail (data != NULL || length == 0);

  if (length == 0)
    return;
  memcpy (reserve (writer, length), data, length);
  writer->length += length;
}

void
orrery_writer_append_text (OrreryWriter *writer, const char *text)
{
  g_return_if_fail (text != NULL);
  orrery_writer_append (writer, text, strlen (text));
}

void
orrery_writer_append_char (OrreryWriter *writer, char c)
{
  g_return_if_fail (writer != NULL);
  *reserve (writer, 1) = c;
  writer->length++;
}

void
orrery_writer_append_double (OrreryWriter *writer, double value)
{
  g_return_if_fail (writer != NULL);
  writer->length += orrery_number_format (value, reserve (writer, ORRERY_NUMBER_SIZE));
}

static G_GNUC_NO_INLINE void
append_not_finite (OrreryWriter *writer, double value)
{
  writer->n_not_finite++;
  if (writer->names_not_finite) {
    orrery_writer_append_double (writer, value);
    return;
  }
  writer->has_null = TRUE;
  orrery_writer_append (writer, "null", 4);
}

void
orrery_writer_append_json_double (OrreryWriter *writer, double value)
{
  g_return_if_fail (writer != NULL);
  if (G_LIKELY (isfinite (value)))
    writer->length += orrery_number_format (value, reserve (writer, ORRERY_NUMBER_SIZE));
  else
    append_not_finite (writer, value);
}

void
orrery_writer_set_names_not_finite (OrreryWriter *writer, gboolean names)
{
  g_return_if_fail (writer != NULL);
  writer->names_not_finite = names;
}

guint64
orrery_writer_get_n_not_finite (OrreryWriter *writer)
{
  g_return_val_if_fail (writer != NULL, 0);
  return writer->n_not_finite;
}

void
orrery_writer_append_fixed (OrreryWriter *writer, double value, guint decimals)
{
  g_return_if_fail (writer != NULL);
  g_return_if_fail (decimals <= ORRERY_NUMBER_MAX_DECIMALS);
  writer->length +=
      orrery_number_format_fixed (value, decimals, reserve (writer, ORRERY_NUMBER_FIXED_SIZE));
}

void
orrery_writer_append_int (OrreryWriter *writer, gint64 value)
{
  g_return_if_fail (writer != NULL);
  writer->length += orrery_number_format_int (value, reserve (writer, ORRERY_NUMBER_SIZE));
}

void
orrery_writer_append_uint (OrreryWriter *writer, guint64 value)
{
  g_return_if_fail (writer != NULL);
  writer->length += orrery_number_format_uint (value, reserve (writer, ORRERY_NUMBER_SIZE));
}

const char *
orrery_writer_get_data (OrreryWriter *writer, gsize *length)
{
  g_return_val_if_fail (writer != NULL, NULL);
  if (length != NULL)
    *length = writer->length;
  return writer->data;
}

ORRERY_DEFINE_GETTER (GBytes *, orrery_writer_dup_bytes, OrreryWriter, ORRERY_IS_STRUCT,
                      g_bytes_new (self->data, self->length))

/* --- JSON of texts and variants --- */

static void
append_escape (OrreryWriter *writer, guint32 unit)
{
  static const char digits[] = "0123456789abcdef";
  const char text[6] = { '\\',
                         'u',
                         digits[unit >> 12 & 15],
                         digits[unit >> 8 & 15],
                         digits[unit >> 4 & 15],
                         digits[unit & 15] };

  orrery_writer_append (writer, text, sizeof text);
}

static void
append_json_character (OrreryWriter *writer, gunichar c)
{
  static const char plain[] = "\"\\\n\r\t\f\b";
  static const char letters[] = "\"\\nrtfb";
  const char *found = c != 0 && c < 0x80 ? strchr (plain, (int) c) : NULL;

  if (found != NULL) {
    orrery_writer_append_char (writer, '\\');
    orrery_writer_append_char (writer, letters[found - plain]);
  } else if (c >= 0x10000) {
    append_escape (writer, 0xd800 + ((c - 0x10000) >> 10));
    append_escape (writer, 0xdc00 + ((c - 0x10000) & 0x3ff));
  } else {
    append_escape (writer, c);
  }
}

static inline gboolean
is_plain (char c)
{
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

void
orrery_writer_append_json_text_len (OrreryWriter *writer, const char *text, gsize length)
{
  const char *end = length > 0 ? text + length : text;

  g_return_if_fail (writer != NULL);
  g_return_if_fail (text != NULL || length == 0);

  orrery_writer_append_char (writer, '"');
  while (text < end) {
    const char *run = text;
    gunichar c;

    while (text < end && is_plain (*text))
      text++;
    orrery_writer_append (writer, run, (gsize) (text - run));
    if (text == end)
      break;

    /* What is no UTF-8 shows as the replacement character, one for each byte. */
    c = *text == '\0' ? 0 : g_utf8_get_char_validated (text, end - text);
    if (c >= (gunichar) -2) {
      append_escape (writer, 0xfffd);
      text++;
    } else {
      append_json_character (writer, c);
      text = g_utf8_next_char (text);
    }
  }
  orrery_writer_append_char (writer, '"');
}

void
orrery_writer_append_json_text (OrreryWriter *writer, const char *text)
{
  g_return_if_fail (writer != NULL);
  g_return_if_fail (text != NULL);

  orrery_writer_append_json_text_len (writer, text, strlen (text));
}

/* Python's json writes keys that are no texts as texts: {1: 2} is {"1": 2}. */
static void
append_json_key (OrreryWriter *writer, GVariant *key)
{
  gboolean is_text = g_variant_is_of_type (key, G_VARIANT_TYPE_STRING) ||
                     g_variant_is_of_type (key, G_VARIANT_TYPE_OBJECT_PATH) ||
                     g_variant_is_of_type (key, G_VARIANT_TYPE_SIGNATURE);

  if (!is_text)
    orrery_writer_append_char (writer, '"');
  orrery_writer_append_json_variant (writer, key);
  if (!is_text)
    orrery_writer_append_char (writer, '"');
}

static void
append_json_children (OrreryWriter *writer, GVariant *value)
{
  gboolean is_object = g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY);
  gsize n = g_variant_n_children (value);

  orrery_writer_append_char (writer, is_object ? '{' : '[');
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

    if (i > 0)
      orrery_writer_append (writer, ", ", 2);
    if (is_object) {
      g_autoptr (GVariant) key = g_variant_get_child_value (child, 0);
      g_autoptr (GVariant) item = g_variant_get_child_value (child, 1);

      append_json_key (writer, key);
      orrery_writer_append (writer, ": ", 2);
      orrery_writer_append_json_variant (writer, item);
    } else {
      orrery_writer_append_json_variant (writer, child);
    }
  }
  orrery_writer_append_char (writer, is_object ? '}' : ']');
}

static void
append_json_wrapped (OrreryWriter *writer, GVariant *value)
{
  g_autoptr (GVariant) child = NULL;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT))
    child = g_variant_get_variant (value);
  else
    child = g_variant_get_maybe (value);

  if (child != NULL)
    orrery_writer_append_json_variant (writer, child);
  else
    orrery_writer_append (writer, "null", 4);
}

gboolean
orrery_variant_get_integer (GVariant *value, gint64 *out, gboolean *beyond)
{
  *beyond = FALSE;
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BYTE:
    *out = g_variant_get_byte (value);
    return TRUE;
  case G_VARIANT_CLASS_INT16:
    *out = g_variant_get_int16 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT16:
    *out = g_variant_get_uint16 (value);
    return TRUE;
  case G_VARIANT_CLASS_INT32:
    *out = g_variant_get_int32 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT32:
    *out = g_variant_get_uint32 (value);
    return TRUE;
  case G_VARIANT_CLASS_INT64:
    *out = g_variant_get_int64 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT64:
    *out = (gint64) g_variant_get_uint64 (value);
    *beyond = *out < 0;
    return TRUE;
  default:
    return FALSE;
  }
}

void
orrery_writer_append_json_variant (OrreryWriter *writer, GVariant *value)
{
  gboolean beyond;
  gint64 integer;

  g_return_if_fail (writer != NULL);
  g_return_if_fail (value != NULL);

  if (orrery_variant_get_integer (value, &integer, &beyond)) {
    if (beyond)
      orrery_writer_append_uint (writer, (guint64) integer);
    else
      orrery_writer_append_int (writer, integer);
    return;
  }
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BOOLEAN:
    orrery_writer_append_text (writer, g_variant_get_boolean (value) ? "true" : "false");
    break;
  case G_VARIANT_CLASS_HANDLE:
    orrery_writer_append_int (writer, g_variant_get_handle (value));
    break;
  case G_VARIANT_CLASS_DOUBLE:
    orrery_writer_append_json_double (writer, g_variant_get_double (value));
    break;
  case G_VARIANT_CLASS_STRING:
  case G_VARIANT_CLASS_OBJECT_PATH:
  case G_VARIANT_CLASS_SIGNATURE:
    orrery_writer_append_json_text (writer, g_variant_get_string (value, NULL));
    break;
  case G_VARIANT_CLASS_VARIANT:
  case G_VARIANT_CLASS_MAYBE:
    append_json_wrapped (writer, value);
    break;
  case G_VARIANT_CLASS_ARRAY:
  case G_VARIANT_CLASS_TUPLE:
  case G_VARIANT_CLASS_DICT_ENTRY:
    append_json_children (writer, value);
    break;
  default:
    g_assert_not_reached ();
  }
}

/* What stands in no list needs no JSON. */
char *
orrery_variant_print (GVariant *value)
{
  g_autoptr (OrreryWriter) writer = NULL;
  const char *text = NULL;
  gsize length = 0;

  g_return_val_if_fail (value != NULL, NULL);

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    g_autoptr (GVariant) inner = g_variant_get_variant (value);

    return orrery_variant_print (inner);
  }
  if (!g_variant_is_container (value))
    return g_variant_print (value, FALSE);
  writer = orrery_writer_new ();
  orrery_writer_set_names_not_finite (writer, TRUE);
  orrery_writer_append_json_variant (writer, value);
  text = orrery_writer_get_data (writer, &length);
  return g_strndup (text, length);
}

char *
orrery_variant_show (GVariant *value)
{
  g_autofree char *text = NULL;
  g_autofree char *cut = NULL;

  g_return_val_if_fail (value != NULL, NULL);
  text = orrery_variant_print (value);
  if (g_utf8_strlen (text, -1) <= MAX_SHOWN)
    return g_steal_pointer (&text);
  cut = g_utf8_substring (text, 0, MAX_SHOWN - 3);
  return g_strconcat (cut, "...", NULL);
}

static char *
describe_dictionary (GVariant *value)
{
  gsize n = g_variant_n_children (value);
  g_autoptr (GString) words = g_string_new ("a dictionary of ");

  if (n == 0)
    return g_strdup ("an empty dictionary");
  if (n > MAX_KEYS) {
    g_string_append_printf (words, "%" G_GSIZE_FORMAT " keys", n);
    return g_string_free (g_steal_pointer (&words), FALSE);
  }
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) key = g_variant_get_child_value (entry, 0);
    g_autofree char *shown = g_variant_is_of_type (key, G_VARIANT_TYPE_STRING)
                                 ? g_variant_dup_string (key, NULL)
                                 : g_variant_print (key, FALSE);

    g_string_append_printf (words, "%s%.40s", i > 0 ? ", " : "", shown);
  }
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static char *
describe_list (GVariant *value)
{
  gsize n = g_variant_n_children (value);

  if (n == 0)
    return g_strdup ("an empty list");
  return g_strdup_printf ("a list of %" G_GSIZE_FORMAT " item%s", n, n > 1 ? "s" : "");
}

char *
orrery_variant_describe (GVariant *value)
{
  g_return_val_if_fail (value != NULL, NULL);

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    g_autoptr (GVariant) inner = g_variant_get_variant (value);

    return orrery_variant_describe (inner);
  }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_strdup ("a text");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return g_strdup ("a truth value");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE))
    return g_strdup ("nothing");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY))
    return describe_dictionary (value);
  return g_variant_is_container (value) ? describe_list (value) : g_strdup ("a number");
}

/* --- reader --- */

OrreryReader *
orrery_reader_new (void)
{
  OrreryReader *reader = g_new0 (OrreryReader, 1);

  g_atomic_ref_count_init (&reader->references);
  return reader;
}

static void
reader_free (OrreryReader *reader)
{
  g_free (reader->scratch);
  g_free (reader);
}

ORRERY_DEFINE_COUNTED (OrreryReader, orrery_reader, references, reader_free)

void
orrery_reader_set_data (OrreryReader *reader, const char *data, gsize length)
{
  g_return_if_fail (reader != NULL);
  g_return_if_fail (data != NULL || length == 0);

  reader->data = data;
  reader->length = length;
  reader->missing.count = 0;
  reader->unknown.count = 0;
}

const char *
orrery_reader_get_data (OrreryReader *reader, gsize *length)
{
  g_return_val_if_fail (reader != NULL, NULL);
  if (length != NULL)
    *length = reader->length;
  return reader->data;
}

ORRERY_DEFINE_GETTER (GBytes *, orrery_reader_dup_bytes, OrreryReader, ORRERY_IS_STRUCT,
                      g_bytes_new (self->data, self->length))

static void
note (Note *kept, const char *name, gsize length)
{
  const char *end = name + MIN (length, NAME_SIZE - 1);

  if (kept->count++ > 0)
    return;
  /* Cut between characters, never within one. */
  if (length >= NAME_SIZE)
    g_utf8_validate (name, NAME_SIZE - 1, &end);
  memcpy (kept->first, name, end - name);
  kept->first[end - name] = '\0';
}

void
orrery_reader_note_missing (OrreryReader *reader, const char *name)
{
  g_return_if_fail (reader != NULL);
  g_return_if_fail (name != NULL);
  note (&reader->missing, name, strlen (name));
}

void
orrery_reader_note_unknown (OrreryReader *reader, const char *name, gsize length)
{
  g_return_if_fail (reader != NULL);
  g_return_if_fail (name != NULL);
  note (&reader->unknown, name, length);
}

const char *
orrery_reader_get_missing (OrreryReader *reader)
{
  g_return_val_if_fail (reader != NULL, NULL);
  return reader->missing.count > 0 ? reader->missing.first : NULL;
}

const char *
orrery_reader_get_unknown (OrreryReader *reader)
{
  g_return_val_if_fail (reader != NULL, NULL);
  return reader->unknown.count > 0 ? reader->unknown.first : NULL;
}

ORRERY_DEFINE_GETTER (guint, orrery_reader_get_n_missing, OrreryReader, ORRERY_IS_STRUCT,
                      self->missing.count)

ORRERY_DEFINE_GETTER (guint, orrery_reader_get_n_unknown, OrreryReader, ORRERY_IS_STRUCT,
                      self->unknown.count)

gpointer
orrery_reader_get_scratch (OrreryReader *reader, gsize size)
{
  if (size > reader->scratch_size) {
    reader->scratch_size = MAX (size, 2 * reader->scratch_size);
    reader->scratch = g_realloc (reader->scratch, reader->scratch_size);
  }
  return reader->scratch;
}
