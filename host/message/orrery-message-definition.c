/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads definitions of messages, services and actions, as ROS writes them. */
#include "message/orrery-message-type-private.h"

#include <string.h>

#include "base/orrery-error-private.h"

#define MAX_LINE 4096
#define MAX_NAME 128
#define SEPARATOR "---"

typedef struct {
  const char *file;
  const char *package;
  OrreryMessageDialect dialect;
  guint line;
  OrreryMessageDefinition *definition; /* the part that is being read */
} Reading;

static void
entry_clear (gpointer data)
{
  OrreryMessageEntry *entry = data;

  g_free (entry->name);
  g_free (entry->spelling);
  g_free (entry->nested);
  g_free (entry->initial);
}

static void
value_clear (gpointer data)
{
  OrreryMessageNamedValue *value = data;

  g_free (value->name);
  g_free (value->spelling);
  g_free (value->value);
}

static OrreryMessageDefinition *
definition_new (void)
{
  OrreryMessageDefinition *definition = g_new0 (OrreryMessageDefinition, 1);

  definition->entries = g_array_new (FALSE, TRUE, sizeof (OrreryMessageEntry));
  definition->constants = g_array_new (FALSE, TRUE, sizeof (OrreryMessageNamedValue));
  g_array_set_clear_func (definition->entries, entry_clear);
  g_array_set_clear_func (definition->constants, value_clear);
  return definition;
}

void
orrery_message_definition_free (OrreryMessageDefinition *definition)
{
  if (definition == NULL)
    return;
  g_array_unref (definition->entries);
  g_array_unref (definition->constants);
  g_free (definition);
}

static gboolean fail (Reading *reading, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (Reading *reading, GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s:%u: %s", reading->file, reading->line,
                           words);
}

/* --- types --- */

static const struct {
  const char *name;
  OrreryMessageKind kind;
} primitives[] = {
  { "bool", ORRERY_MESSAGE_BOOL },       { "int8", ORRERY_MESSAGE_INT8 },
  { "uint8", ORRERY_MESSAGE_UINT8 },     { "int16", ORRERY_MESSAGE_INT16 },
  { "uint16", ORRERY_MESSAGE_UINT16 },   { "int32", ORRERY_MESSAGE_INT32 },
  { "uint32", ORRERY_MESSAGE_UINT32 },   { "int64", ORRERY_MESSAGE_INT64 },
  { "uint64", ORRERY_MESSAGE_UINT64 },   { "float32", ORRERY_MESSAGE_FLOAT32 },
  { "float64", ORRERY_MESSAGE_FLOAT64 }, { "string", ORRERY_MESSAGE_TEXT },
  { "wstring", ORRERY_MESSAGE_WTEXT },   { "char", ORRERY_MESSAGE_UINT8 },
  { "byte", ORRERY_MESSAGE_UINT8 },
};

/* What ROS 1 may write without a package. */
static const struct {
  const char *name;
  const char *full;
} short_names[] = {
  { "time", "builtin_interfaces/Time" },
  { "duration", "builtin_interfaces/Duration" },
  { "Header", "std_msgs/Header" },
};

static gboolean
is_name (const char *text, gboolean may_begin_with_capital)
{
  gsize length = strlen (text);

  if (length == 0 || length > MAX_NAME || !g_ascii_isalpha (*text) ||
      (!may_begin_with_capital && g_ascii_isupper (*text)))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_')
      return FALSE;
  return TRUE;
}

static gboolean
read_count (Reading *reading, const char *text, gsize *out, GError **error)
{
  guint64 value;

  if (g_ascii_string_to_unsigned (text, 10, 1, ORRERY_MESSAGE_MAX_SIZE, &value, NULL)) {
    *out = (gsize) value;
    return TRUE;
  }
  return fail (reading, error, "'%.40s' is no number of elements from 1 to %d", text,
               ORRERY_MESSAGE_MAX_SIZE);
}

/* What is in the brackets behind a type: nothing, `9` or `<=9`. */
static gboolean
read_brackets (Reading *reading, OrreryMessageEntry *entry, char *inside, GError **error)
{
  char *end = strchr (inside, ']');

  if (end == NULL || end[1] != '\0')
    return fail (reading, error, "'%.60s': the brackets of a type end it", entry->spelling);
  *end = '\0';
  if (*inside == '\0') {
    entry->shape = ORRERY_MESSAGE_SEQUENCE;
    return TRUE;
  }
  if (g_str_has_prefix (inside, "<=")) {
    entry->shape = ORRERY_MESSAGE_SEQUENCE;
    return read_count (reading, inside + 2, &entry->count, error);
  }
  entry->shape = ORRERY_MESSAGE_FIXED_ARRAY;
  return read_count (reading, inside, &entry->count, error);
}

static gboolean
read_nested (Reading *reading, OrreryMessageEntry *entry, const char *name, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", 4);
  guint n = g_strv_length (parts);

  entry->kind = ORRERY_MESSAGE_NESTED;
  for (guint i = 0; n == 1 && i < G_N_ELEMENTS (short_names); i++)
    if (g_str_equal (name, short_names[i].name)) {
      entry->nested = g_strdup (short_names[i].full);
      return TRUE;
    }
  if (n == 3 && g_str_equal (parts[1], "msg"))
    entry->nested = g_strdup_printf ("%s/%s", parts[0], parts[2]);
  else if (n == 2)
    entry->nested = g_strdup (name);
  else if (n == 1)
    entry->nested = g_strdup_printf ("%s/%s", reading->package, name);
  if (entry->nested != NULL && is_name (parts[n - 1], TRUE) &&
      (n == 1 || is_name (parts[0], FALSE)))
    return TRUE;
  return fail (reading, error,
               "'%.80s' is no type; there is a primitive type, NAME and PACKAGE/NAME", name);
}

static gboolean
read_element (Reading *reading, OrreryMessageEntry *entry, const char *name, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (primitives); i++) {
    gsize length = strlen (primitives[i].name);
    gboolean is_text =
        primitives[i].kind == ORRERY_MESSAGE_TEXT || primitives[i].kind == ORRERY_MESSAGE_WTEXT;

    if (!g_str_has_prefix (name, primitives[i].name))
      continue;
    if (is_text && g_str_has_prefix (name + length, "<=")) {
      entry->kind = primitives[i].kind;
      return read_count (reading, name + length + 2, &entry->text_bound, error);
    }
    if (name[length] != '\0')
      continue;
    entry->kind = primitives[i].kind;
    entry->is_byte = g_str_equal (name, "byte");
    if (entry->is_byte && reading->dialect == ORRERY_MESSAGE_ROS1)
      entry->kind = ORRERY_MESSAGE_INT8;
    return TRUE;
  }
  return read_nested (reading, entry, name, error);
}

static gboolean
read_type (Reading *reading, OrreryMessageEntry *entry, const char *spelling, GError **error)
{
  g_autofree char *name = g_strdup (spelling);
  char *bracket = strchr (name, '[');

  entry->spelling = g_strdup (spelling);
  entry->line = reading->line;
  if (bracket != NULL) {
    *bracket = '\0';
    if (!read_brackets (reading, entry, bracket + 1, error))
      return FALSE;
  }
  return read_element (reading, entry, name, error);
}

/* --- lines --- */

static gboolean
has_name (const OrreryMessageDefinition *definition, const char *name)
{
  for (guint i = 0; i < definition->entries->len; i++)
    if (g_str_equal (g_array_index (definition->entries, OrreryMessageEntry, i).name, name))
      return TRUE;
  for (guint i = 0; i < definition->constants->len; i++)
    if (g_str_equal (g_array_index (definition->constants, OrreryMessageNamedValue, i).name, name))
      return TRUE;
  return FALSE;
}

static gboolean
check_new_name (Reading *reading, const char *name, GError **error)
{
  if (!is_name (name, TRUE))
    return fail (reading, error, "'%.80s' is no name: letters, digits and _, a letter first", name);
  if (has_name (reading->definition, name))
    return fail (reading, error, "'%s' is there twice", name);
  if (reading->definition->entries->len + reading->definition->constants->len >=
      ORRERY_MESSAGE_MAX_FIELDS)
    return fail (reading, error, "more than %d fields and constants", ORRERY_MESSAGE_MAX_FIELDS);
  return TRUE;
}

/* Takes @name and @value, what is behind the sign. */
static gboolean
add_constant (Reading *reading, const char *spelling, const char *name, const char *value,
              GError **error)
{
  OrreryMessageNamedValue constant = { NULL };

  if (!check_new_name (reading, name, error))
    return FALSE;
  if (*value == '\0')
    return fail (reading, error, "the constant '%s' has no value", name);
  constant.name = g_strdup (name);
  constant.spelling = g_strdup (spelling);
  constant.value = g_strdup (value);
  g_array_append_val (reading->definition->constants, constant);
  return TRUE;
}

static gboolean
add_field (Reading *reading, OrreryMessageEntry *entry, const char *name, GError **error)
{
  if (!check_new_name (reading, name, error))
    return FALSE;
  entry->name = g_strdup (name);
  g_array_append_val (reading->definition->entries, *entry);
  *entry = (OrreryMessageEntry){ NULL };
  return TRUE;
}

/* Where a value ends: behind its text or its list, or at a comment. */
static const char *
find_value_end (const char *text)
{
  const char *at = text;
  char closing = *text == '[' ? ']' : '\0', quote = '\0';

  if (*text != '[' && *text != '"' && *text != '\'')
    return text + strcspn (text, "#");
  for (; *at != '\0'; at++) {
    if (quote != '\0' && *at == '\\' && at[1] != '\0')
      at++;
    else if (quote != '\0' ? *at == quote : (*at == '"' || *at == '\''))
      quote = quote != '\0' ? '\0' : *at;
    if (quote == '\0' && (closing == '\0' || *at == closing))
      return at + 1;
  }
  return at;
}

static gboolean
read_default (Reading *reading, OrreryMessageEntry *entry, const char *text, GError **error)
{
  const char *end = find_value_end (text);
  const char *behind = end + strspn (end, " \t");

  if (*behind != '\0' && *behind != '#')
    return fail (reading, error, "'%.40s' behind a default", behind);
  entry->initial = g_strchomp (g_strndup (text, (gsize) (end - text)));
  return TRUE;
}

/* `NAME`, `NAME=VALUE` or, with a default, `NAME VALUE`. */
static gboolean
read_name (Reading *reading, OrreryMessageEntry *entry, char *rest, GError **error)
{
  gboolean is_text = entry->kind == ORRERY_MESSAGE_TEXT || entry->kind == ORRERY_MESSAGE_WTEXT;
  char *sign = strpbrk (rest, "= \t");
  char *name_end = rest + strcspn (rest, "= \t");
  char *behind = sign != NULL ? sign + strspn (sign, " \t") : rest + strlen (rest);

  if (sign != NULL && *behind == '=' && entry->shape == ORRERY_MESSAGE_SINGLE &&
      entry->kind != ORRERY_MESSAGE_NESTED) {
    g_autofree char *name = g_strndup (rest, (gsize) (name_end - rest));
    char *value = behind + 1;

    /* A text is the rest of the line, with what looks like a comment. */
    if (!is_text)
      value[strcspn (value, "#")] = '\0';
    return add_constant (reading, entry->spelling, name, g_strstrip (value), error);
  }
  if (*behind == '=')
    return fail (reading, error, "'%.40s' cannot be a constant", entry->spelling);
  *name_end = '\0';
  if (*behind != '\0' && *behind != '#' && reading->dialect == ORRERY_MESSAGE_ROS2 &&
      !read_default (reading, entry, behind, error))
    return FALSE;
  return add_field (reading, entry, rest, error);
}

static gboolean
read_line (Reading *reading, char *line, GError **error)
{
  OrreryMessageEntry entry = { NULL };
  g_autofree char *spelling = NULL;
  gboolean is_right;
  gsize length;

  g_strstrip (line);
  if (*line == '\0' || *line == '#')
    return TRUE;
  length = strcspn (line, " \t");
  spelling = g_strndup (line, length);
  line += length + strspn (line + length, " \t");
  if (!read_type (reading, &entry, spelling, error)) {
    entry_clear (&entry);
    return FALSE;
  }
  if (entry.kind != ORRERY_MESSAGE_TEXT && entry.kind != ORRERY_MESSAGE_WTEXT)
    line[strcspn (line, "#")] = '\0';
  is_right = *g_strchomp (line) != '\0'
                 ? read_name (reading, &entry, line, error)
                 : fail (reading, error, "'%.60s' has no name behind it", spelling);
  entry_clear (&entry);
  return is_right;
}

/* --- parts --- */

static gboolean
check_line (Reading *reading, const char *line, GError **error)
{
  if (strlen (line) > MAX_LINE)
    return fail (reading, error, "a line of more than %d bytes", MAX_LINE);
  if (!g_utf8_validate (line, -1, NULL))
    return fail (reading, error, "not UTF-8");
  return TRUE;
}

GPtrArray *
orrery_message_definition_parse (const char *text, const char *file, const char *package,
                                 OrreryMessageDialect dialect, guint n_parts, GError **error)
{
  g_autoptr (GPtrArray) parts =
      g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_message_definition_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Reading reading = { file, package, dialect, 0, definition_new () };

  g_ptr_array_add (parts, reading.definition);
  for (guint i = 0; lines[i] != NULL; i++) {
    reading.line = i + 1;
    if (!check_line (&reading, lines[i], error))
      return NULL;
    if (g_str_has_prefix (lines[i], SEPARATOR)) {
      reading.definition = definition_new ();
      g_ptr_array_add (parts, reading.definition);
    } else if (!read_line (&reading, lines[i], error)) {
      return NULL;
    }
    if (parts->len > n_parts)
      break;
  }
  if (parts->len == n_parts)
    return g_steal_pointer (&parts);
  fail (&reading, error, "%s parts than %u, which lines of %s separate",
        parts->len > n_parts ? "more" : "fewer", n_parts, SEPARATOR);
  return NULL;
}
