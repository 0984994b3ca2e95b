/* SPDX-License-Identifier: BSD-3-Clause */
/* Default values of fields, as definitions of ROS 2 write them. */
#include "message/orrery-message-encoding.h"
#include "message/orrery-message-type-private.h"

#include <string.h>

#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"

/* A text without its quotes, to be found in JSON. */
static void
append_text (OrreryWriter *json, const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  char quote = *text == '"' || *text == '\'' ? *text : '\0';

  for (const char *at = text + (quote != '\0'); *at != '\0' && *at != quote; at++) {
    if (quote != '\0' && *at == '\\' && (at[1] == quote || at[1] == '\\'))
      at++;
    g_string_append_c (plain, *at);
  }
  orrery_writer_append_json_text_len (json, plain->str, plain->len);
}

/* Numbers that JSON writes in another way: 0x10, +1, .5, and True. What is no number stays, and is
 * refused when it is read. */
static void
append_number (OrreryWriter *json, OrreryMessageKind kind, const char *text)
{
  gboolean is_negative = *text == '-';
  char *end = NULL;
  guint64 integer;
  double number;

  if (kind == ORRERY_MESSAGE_BOOL &&
      (g_ascii_strcasecmp (text, "true") == 0 || g_str_equal (text, "1"))) {
    orrery_writer_append_text (json, "true");
    return;
  }
  if (kind == ORRERY_MESSAGE_BOOL) {
    gboolean is_false = g_ascii_strcasecmp (text, "false") == 0 || g_str_equal (text, "0");

    orrery_writer_append_text (json, is_false ? "false" : text);
    return;
  }
  if (kind == ORRERY_MESSAGE_FLOAT32 || kind == ORRERY_MESSAGE_FLOAT64) {
    number = g_ascii_strtod (text, &end);
    if (end > text && *end == '\0')
      orrery_writer_append_double (json, number);
    else
      orrery_writer_append_text (json, text);
    return;
  }
  integer = g_ascii_strtoull (text + is_negative, &end, 0);
  if (end == text + is_negative || *end != '\0') {
    orrery_writer_append_text (json, text);
    return;
  }
  if (is_negative)
    orrery_writer_append_char (json, '-');
  orrery_writer_append_uint (json, integer);
}

static void
append_element (OrreryWriter *json, OrreryMessageKind kind, const char *text, gsize length)
{
  g_autofree char *element = g_strstrip (g_strndup (text, length));

  if (kind == ORRERY_MESSAGE_TEXT || kind == ORRERY_MESSAGE_WTEXT)
    append_text (json, element);
  else
    append_number (json, kind, element);
}

/* Returns: behind a text in quotes that begins at @at; of others, @at + 1 */
static const char *
skip_text (const char *at)
{
  char quote = *at;

  if (quote != '"' && quote != '\'')
    return at + 1;
  for (at++; *at != '\0' && *at != quote; at++)
    if (*at == '\\' && at[1] != '\0')
      at++;
  return *at == quote ? at + 1 : at;
}

/* `[1, 2]` */
static void
append_list (OrreryWriter *json, OrreryMessageKind kind, const char *text)
{
  const char *start = text + 1, *at = start;

  orrery_writer_append_char (json, '[');
  while (*at != '\0' && *at != ']') {
    if (*at == ',') {
      append_element (json, kind, start, (gsize) (at - start));
      orrery_writer_append_char (json, ',');
      start = at + 1;
    }
    at = skip_text (at);
  }
  if (start > text + 1 || strspn (start, " \t") < (gsize) (at - start))
    append_element (json, kind, start, (gsize) (at - start));
  if (*at == ']')
    orrery_writer_append_char (json, ']');
}

static void
append_default (OrreryWriter *json, const OrreryMessageField *field, const char *text)
{
  orrery_writer_append_char (json, '"');
  orrery_writer_append_text (json, field->name);
  orrery_writer_append_text (json, "\":");
  if (field->shape != ORRERY_MESSAGE_SINGLE && *text == '[')
    append_list (json, field->kind, text);
  else
    append_element (json, field->kind, text, strlen (text));
}

static gboolean
read_defaults (const OrreryMessageType *type, OrreryWriter *json, gpointer message, GError **error)
{
  gsize length;
  const char *text;

  orrery_writer_append_char (json, '}');
  text = orrery_writer_get_data (json, &length);
  return orrery_message_read (type, message, ORRERY_MESSAGE_ENCODING_JSON, (const guint8 *) text,
                              length, error);
}

/* Alone, so that a mistake is known to be in its line. */
static gboolean
check_default (const OrreryMessageType *type, const OrreryMessageField *field,
               const OrreryMessageEntry *entry, const char *file, GError **error)
{
  g_autoptr (OrreryWriter) json = orrery_writer_new ();
  g_autoptr (GError) why = NULL;
  gpointer message;
  gboolean is_right;

  if (field->kind == ORRERY_MESSAGE_NESTED)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s:%u: '%s' is a message, which has no default here", file,
                             entry->line, entry->name);
  message = orrery_message_new (type);
  orrery_writer_append_char (json, '{');
  append_default (json, field, entry->initial);
  is_right = read_defaults (type, json, message, &why);
  orrery_message_free (type, message);
  return is_right || orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s:%u: '%s' is no default: %s",
                                       file, entry->line, entry->initial, why->message);
}

gboolean
orrery_message_make_defaults (OrreryMessageType *type, const char *file, GError **error)
{
  g_autoptr (OrreryWriter) json = orrery_writer_new ();
  guint n = 0;
  gpointer message;

  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageEntry *entry =
        &g_array_index (type->definition->entries, OrreryMessageEntry, i);

    if (entry->initial == NULL)
      continue;
    if (!check_default (type, &type->fields[i], entry, file, error))
      return FALSE;
    orrery_writer_append_char (json, n++ == 0 ? '{' : ',');
    append_default (json, &type->fields[i], entry->initial);
  }
  if (n == 0)
    return TRUE;
  message = orrery_message_new (type);
  if (!read_defaults (type, json, message, error)) {
    orrery_message_free (type, message);
    return FALSE;
  }
  orrery_message_drop_nested (type, message);
  type->defaults = message;
  type->has_defaults = TRUE;
  return TRUE;
}
