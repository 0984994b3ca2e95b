/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the calls and answers of XML-RPC (the specification at xmlrpc.com). */
#define _GNU_SOURCE
#include "xmlrpc-value.h"

#include <string.h>

typedef struct {
  const char *at;
  const char *end;
  guint depth;
} Cursor;

/* (transfer full) */
static GVariant *parse_value (Cursor *cursor, GError **error);

/* --- markup --- */

static gboolean
fail (Cursor *cursor, GError **error, const char *words)
{
  gsize n = MIN ((gsize) (cursor->end - cursor->at), 20);
  g_autofree char *near = g_strndup (n > 0 ? cursor->at : "", n);
  g_autofree char *shown = g_strescape (near, NULL);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "XML-RPC: %s at \"%s\"", words, shown);
  return FALSE;
}

static gboolean
starts_with (Cursor *cursor, const char *text)
{
  gsize n = strlen (text);

  return (gsize) (cursor->end - cursor->at) >= n && memcmp (cursor->at, text, n) == 0;
}

/* Moves behind the next @end; FALSE: there is none. */
static gboolean
skip_past (Cursor *cursor, const char *end)
{
  const char *found = memmem (cursor->at, (gsize) (cursor->end - cursor->at), end, strlen (end));

  if (found == NULL)
    return FALSE;
  cursor->at = found + strlen (end);
  return TRUE;
}

/* Blanks, comments and the line that begins a document. */
static void
skip_blanks (Cursor *cursor)
{
  while (cursor->at < cursor->end) {
    if (g_ascii_isspace (*cursor->at))
      cursor->at++;
    else if (!(starts_with (cursor, "<!--") && skip_past (cursor, "-->")) &&
             !(starts_with (cursor, "<?") && skip_past (cursor, "?>")))
      return;
  }
}

/* Takes `<name>` with blanks behind the name; with @empty also `<name/>`, which it then sets. */
static gboolean
take_tag (Cursor *cursor, const char *name, gboolean *empty)
{
  Cursor next = *cursor;

  if (!starts_with (&next, name))
    return FALSE;
  next.at += strlen (name);
  while (next.at < next.end && g_ascii_isspace (*next.at))
    next.at++;
  if (empty != NULL) {
    *empty = starts_with (&next, "/");
    next.at += *empty ? 1 : 0;
  }
  if (!starts_with (&next, ">"))
    return FALSE;
  cursor->at = next.at + 1;
  return TRUE;
}

static gboolean
expect_tag (Cursor *cursor, const char *name, GError **error)
{
  g_autofree char *words = NULL;

  skip_blanks (cursor);
  if (take_tag (cursor, name, NULL))
    return TRUE;
  words = g_strdup_printf ("no %s>", name);
  return fail (cursor, error, words);
}

/* --- text --- */

static const struct {
  const char *name;
  char character;
} entities[] = {
  { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' },
};

static gboolean
take_number_entity (Cursor *cursor, GString *text)
{
  gboolean hex = starts_with (cursor, "&#x");
  const char *at = cursor->at + (hex ? 3 : 2);
  gunichar character = 0;
  gsize n = 0;

  for (; at < cursor->end && n < 8; at++, n++) {
    int digit = hex ? g_ascii_xdigit_value (*at) : g_ascii_digit_value (*at);

    if (digit < 0)
      break;
    character = character * (hex ? 16 : 10) + (gunichar) digit;
  }
  if (n == 0 || at == cursor->end || *at != ';' || character == 0 ||
      !g_unichar_validate (character))
    return FALSE;
  g_string_append_unichar (text, character);
  cursor->at = at + 1;
  return TRUE;
}

static gboolean
take_entity (Cursor *cursor, GString *text)
{
  if (starts_with (cursor, "&#"))
    return take_number_entity (cursor, text);
  for (guint i = 0; i < G_N_ELEMENTS (entities); i++) {
    if (!starts_with (cursor, entities[i].name))
      continue;
    g_string_append_c (text, entities[i].character);
    cursor->at += strlen (entities[i].name);
    return TRUE;
  }
  return FALSE;
}

/* What stands before the next tag. */
static char *
take_text (Cursor *cursor, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (cursor->at < cursor->end && *cursor->at != '<') {
    if (*cursor->at == '&') {
      if (take_entity (cursor, text))
        continue;
      fail (cursor, error, "unknown entity");
      return NULL;
    }
    g_string_append_c (text, *cursor->at++);
  }
  if (!g_utf8_validate (text->str, (gssize) text->len, NULL)) {
    fail (cursor, error, "text that is no UTF-8");
    return NULL;
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- values --- */

static GVariant *
make_int (char *text)
{
  gint64 number;

  if (!g_ascii_string_to_signed (g_strstrip (text), 10, G_MININT64, G_MAXINT64, &number, NULL))
    return NULL;
  if (number < G_MININT32 || number > G_MAXINT32)
    return g_variant_new_int64 (number);
  return g_variant_new_int32 ((gint32) number);
}

static GVariant *
make_double (char *text)
{
  char *end;
  double number = g_ascii_strtod (g_strstrip (text), &end);

  return *text != '\0' && *end == '\0' ? g_variant_new_double (number) : NULL;
}

static GVariant *
make_boolean (char *text)
{
  g_strstrip (text);
  if (g_str_equal (text, "1") || g_str_equal (text, "0"))
    return g_variant_new_boolean (*text == '1');
  return NULL;
}

static GVariant *
make_text (char *text)
{
  return g_variant_new_string (text);
}

static GVariant *
make_binary (char *text)
{
  gsize length;
  g_autofree guchar *data = g_base64_decode (text, &length);

  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, data, length, 1);
}

static const struct {
  const char *begin;
  const char *end;
  GVariant *(*make) (char *text);
} scalars[] = {
  { "<i4", "</i4", make_int },
  { "<int", "</int", make_int },
  { "<i8", "</i8", make_int },
  { "<boolean", "</boolean", make_boolean },
  { "<string", "</string", make_text },
  { "<double", "</double", make_double },
  { "<base64", "</base64", make_binary },
  { "<dateTime.iso8601", "</dateTime.iso8601", make_text },
};

static GVariant *
parse_scalar (Cursor *cursor, guint i, gboolean empty, GError **error)
{
  g_autofree char *text = empty ? g_strdup ("") : take_text (cursor, error);
  GVariant *value;

  if (text == NULL || (!empty && !expect_tag (cursor, scalars[i].end, error)))
    return NULL;
  value = scalars[i].make (text);
  if (value == NULL)
    fail (cursor, error, "a value that is no number");
  return value;
}

static GVariant *
parse_array (Cursor *cursor, GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  gboolean empty = FALSE;

  skip_blanks (cursor);
  if (!take_tag (cursor, "<data", &empty)) {
    fail (cursor, error, "no <data>");
    return NULL;
  }
  for (skip_blanks (cursor); !empty && !take_tag (cursor, "</data", NULL); skip_blanks (cursor)) {
    g_autoptr (GVariant) value = parse_value (cursor, error);

    if (value == NULL)
      return NULL;
    g_variant_builder_add (&builder, "v", value);
  }
  return expect_tag (cursor, "</array", error) ? g_variant_builder_end (&builder) : NULL;
}

static gboolean
parse_member (Cursor *cursor, GVariantBuilder *builder, GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) value = NULL;

  if (!expect_tag (cursor, "<member", error) || !expect_tag (cursor, "<name", error) ||
      (name = take_text (cursor, error)) == NULL || !expect_tag (cursor, "</name", error) ||
      (value = parse_value (cursor, error)) == NULL)
    return FALSE;
  g_variant_builder_add (builder, "{sv}", name, value);
  return expect_tag (cursor, "</member", error);
}

static GVariant *
parse_struct (Cursor *cursor, GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  for (skip_blanks (cursor); !take_tag (cursor, "</struct", NULL); skip_blanks (cursor))
    if (!parse_member (cursor, &builder, error))
      return NULL;
  return g_variant_builder_end (&builder);
}

/* What a value holds: a tag with its type, or bare text. */
static GVariant *
parse_content (Cursor *cursor, GError **error)
{
  Cursor begin = *cursor;
  gboolean empty = FALSE;
  g_autofree char *text = NULL;

  skip_blanks (cursor);
  for (guint i = 0; i < G_N_ELEMENTS (scalars); i++)
    if (take_tag (cursor, scalars[i].begin, &empty))
      return parse_scalar (cursor, i, empty, error);
  if (take_tag (cursor, "<array", NULL))
    return parse_array (cursor, error);
  if (take_tag (cursor, "<struct", &empty))
    return empty ? g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0)
                 : parse_struct (cursor, error);
  if (take_tag (cursor, "<nil", &empty) && empty)
    return g_variant_new_tuple (NULL, 0);
  *cursor = begin;
  text = take_text (cursor, error);
  return text != NULL ? g_variant_new_string (text) : NULL;
}

static GVariant *
parse_value (Cursor *cursor, GError **error)
{
  g_autoptr (GVariant) value = NULL;
  gboolean empty = FALSE;

  skip_blanks (cursor);
  if (cursor->depth == XMLRPC_MAX_DEPTH) {
    fail (cursor, error, "values nested too deep");
    return NULL;
  }
  if (!take_tag (cursor, "<value", &empty)) {
    fail (cursor, error, "no <value>");
    return NULL;
  }
  if (empty)
    return g_variant_ref_sink (g_variant_new_string (""));
  cursor->depth++;
  value = parse_content (cursor, error);
  cursor->depth--;
  if (value != NULL)
    g_variant_ref_sink (value);
  if (value == NULL || !expect_tag (cursor, "</value", error))
    return NULL;
  return g_steal_pointer (&value);
}

/* --- documents --- */

static GVariant *
parse_parameters (Cursor *cursor, GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  gboolean empty = FALSE;

  skip_blanks (cursor);
  if (!take_tag (cursor, "<params", &empty) || empty)
    return g_variant_ref_sink (g_variant_builder_end (&builder));
  for (skip_blanks (cursor); !take_tag (cursor, "</params", NULL); skip_blanks (cursor)) {
    g_autoptr (GVariant) value = NULL;

    if (!expect_tag (cursor, "<param", error) || (value = parse_value (cursor, error)) == NULL ||
        !expect_tag (cursor, "</param", error))
      return NULL;
    g_variant_builder_add (&builder, "v", value);
  }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static gboolean
parse_end (Cursor *cursor, const char *tag, GError **error)
{
  if (!expect_tag (cursor, tag, error))
    return FALSE;
  skip_blanks (cursor);
  return cursor->at == cursor->end || fail (cursor, error, "more behind the end");
}

gboolean
xmlrpc_parse_call (const char *text, gsize length, char **method, GVariant **parameters,
                   GError **error)
{
  Cursor cursor = { text, text + length, 0 };
  g_autofree char *name = NULL;
  g_autoptr (GVariant) found = NULL;

  if (!expect_tag (&cursor, "<methodCall", error) || !expect_tag (&cursor, "<methodName", error) ||
      (name = take_text (&cursor, error)) == NULL || !expect_tag (&cursor, "</methodName", error) ||
      (found = parse_parameters (&cursor, error)) == NULL ||
      !parse_end (&cursor, "</methodCall", error))
    return FALSE;
  *method = g_steal_pointer (&name);
  *parameters = g_steal_pointer (&found);
  return TRUE;
}

static void
parse_fault (Cursor *cursor, GError **error)
{
  g_autoptr (GVariant) fault = parse_value (cursor, error);
  const char *words = "no words";

  if (fault == NULL)
    return;
  if (g_variant_is_of_type (fault, G_VARIANT_TYPE_VARDICT))
    g_variant_lookup (fault, "faultString", "&s", &words);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", words);
}

GVariant *
xmlrpc_parse_answer (const char *text, gsize length, GError **error)
{
  Cursor cursor = { text, text + length, 0 };
  g_autoptr (GVariant) values = NULL;
  GVariant *value;

  if (!expect_tag (&cursor, "<methodResponse", error))
    return NULL;
  skip_blanks (&cursor);
  if (take_tag (&cursor, "<fault", NULL)) {
    parse_fault (&cursor, error);
    return NULL;
  }
  values = parse_parameters (&cursor, error);
  if (values == NULL || !parse_end (&cursor, "</methodResponse", error))
    return NULL;
  if (g_variant_n_children (values) != 1) {
    fail (&cursor, error, "an answer of other than one value");
    return NULL;
  }
  g_variant_get_child (values, 0, "v", &value);
  return value;
}

/* --- writing --- */

static void write_value (GString *text, GVariant *value);

static void
write_escaped (GString *text, const char *words)
{
  for (; *words != '\0'; words++) {
    if (*words == '<')
      g_string_append (text, "&lt;");
    else if (*words == '>')
      g_string_append (text, "&gt;");
    else if (*words == '&')
      g_string_append (text, "&amp;");
    else if (*words == '\r')
      g_string_append (text, "&#13;");
    else
      g_string_append_c (text, *words);
  }
}

static void
write_int (GString *text, gint64 number)
{
  const char *type = number >= G_MININT32 && number <= G_MAXINT32 ? "i4" : "i8";

  g_string_append_printf (text, "<%s>%" G_GINT64_FORMAT "</%s>", type, number, type);
}

static void
write_members (GString *text, GVariant *value)
{
  gsize n = g_variant_n_children (value);

  g_string_append (text, "<struct>");
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) name = g_variant_get_child_value (entry, 0);
    g_autoptr (GVariant) member = g_variant_get_child_value (entry, 1);

    g_string_append (text, "<member><name>");
    write_escaped (text, g_variant_get_string (name, NULL));
    g_string_append (text, "</name>");
    write_value (text, member);
    g_string_append (text, "</member>");
  }
  g_string_append (text, "</struct>");
}

static void
write_items (GString *text, GVariant *value)
{
  gsize n = g_variant_n_children (value);

  g_string_append (text, "<array><data>");
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);

    write_value (text, item);
  }
  g_string_append (text, "</data></array>");
}

static void
write_container (GString *text, GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE ("ay"))) {
    g_autofree char *coded =
        g_base64_encode (g_variant_get_data (value), g_variant_get_size (value));

    g_string_append_printf (text, "<base64>%s</base64>", coded);
  } else if (g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")))
    write_members (text, value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT))
    g_string_append (text, "<nil/>");
  else
    write_items (text, value);
}

static void
write_content (GString *text, GVariant *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BOOLEAN:
    g_string_append_printf (text, "<boolean>%d</boolean>", g_variant_get_boolean (value));
    break;
  case G_VARIANT_CLASS_BYTE:
    write_int (text, g_variant_get_byte (value));
    break;
  case G_VARIANT_CLASS_INT32:
    write_int (text, g_variant_get_int32 (value));
    break;
  case G_VARIANT_CLASS_UINT32:
    write_int (text, g_variant_get_uint32 (value));
    break;
  case G_VARIANT_CLASS_INT64:
    write_int (text, g_variant_get_int64 (value));
    break;
  case G_VARIANT_CLASS_DOUBLE:
    g_ascii_dtostr (number, sizeof number, g_variant_get_double (value));
    g_string_append_printf (text, "<double>%s</double>", number);
    break;
  case G_VARIANT_CLASS_STRING:
    g_string_append (text, "<string>");
    write_escaped (text, g_variant_get_string (value, NULL));
    g_string_append (text, "</string>");
    break;
  default:
    write_container (text, value);
  }
}

static void
write_value (GString *text, GVariant *value)
{
  g_autoptr (GVariant) inner = NULL;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    inner = g_variant_get_variant (value);
    write_value (text, inner);
    return;
  }
  g_string_append (text, "<value>");
  write_content (text, value);
  g_string_append (text, "</value>");
}

void
xmlrpc_write_call (GString *text, const char *method, GVariant *parameters)
{
  g_autoptr (GVariant) own = g_variant_ref_sink (parameters);
  gsize n = g_variant_n_children (own);

  g_string_append (text, "<?xml version=\"1.0\"?>\n<methodCall><methodName>");
  write_escaped (text, method);
  g_string_append (text, "</methodName><params>");
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) value = g_variant_get_child_value (own, i);

    g_string_append (text, "<param>");
    write_value (text, value);
    g_string_append (text, "</param>");
  }
  g_string_append (text, "</params></methodCall>\n");
}

void
xmlrpc_write_answer (GString *text, GVariant *value)
{
  g_autoptr (GVariant) own = g_variant_ref_sink (value);

  g_string_append (text, "<?xml version=\"1.0\"?>\n<methodResponse><params><param>");
  write_value (text, own);
  g_string_append (text, "</param></params></methodResponse>\n");
}

void
xmlrpc_write_fault (GString *text, int code, const char *words)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) fault = NULL;

  g_variant_builder_add (&builder, "{sv}", "faultCode", g_variant_new_int32 (code));
  g_variant_builder_add (&builder, "{sv}", "faultString", g_variant_new_string (words));
  fault = g_variant_ref_sink (g_variant_builder_end (&builder));
  g_string_append (text, "<?xml version=\"1.0\"?>\n<methodResponse><fault>");
  write_value (text, fault);
  g_string_append (text, "</fault></methodResponse>\n");
}
