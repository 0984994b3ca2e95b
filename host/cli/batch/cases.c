/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the cases of a batch: a table in CSV whose head has paths, and whose rows have values. */
#include "plan.h"

#include "../support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_BYTES (64 * 1024 * 1024)
#define MAX_CELL_BYTES (64 * 1024)

/* Where the reader stands. Lines and columns count from 1, columns in characters. */
typedef struct {
  const char *file;
  const char *at;
  guint line;
  guint column;
  guint cell_line;
  guint cell_column;
  GString *cell;
  gboolean quoted;
} Reader;

static gboolean fail_cell (const Reader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail_cell (const Reader *reader, GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s:%u:%u: %s", reader->file,
                           reader->cell_line, reader->cell_column, words);
}

/* --- cells: RFC 4180 --- */

static void
step (Reader *reader)
{
  if (*reader->at == '\n') {
    reader->line++;
    reader->column = 1;
  } else {
    reader->column += ((guchar) *reader->at & 0xc0) != 0x80 ? 1 : 0;
  }
  reader->at++;
}

static gboolean
take_char (Reader *reader, GError **error)
{
  if (reader->cell->len >= MAX_CELL_BYTES)
    return fail_cell (reader, error, "a cell of more than %d bytes", MAX_CELL_BYTES);
  g_string_append_c (reader->cell, *reader->at);
  step (reader);
  return TRUE;
}

static gboolean
read_quoted (Reader *reader, GError **error)
{
  step (reader);
  while (*reader->at != '"' || reader->at[1] == '"') {
    if (*reader->at == '\0')
      return fail_cell (reader, error, "the quotes of this cell are never closed");
    if (*reader->at == '"')
      step (reader);
    if (!take_char (reader, error))
      return FALSE;
  }
  step (reader);
  if (strchr (",\r\n", *reader->at) != NULL)
    return TRUE;
  return fail_cell (reader, error, "after the closing quotes a comma has to follow");
}

static gboolean
ends_line (const Reader *reader)
{
  return *reader->at == '\0' || *reader->at == '\n' ||
         (*reader->at == '\r' && (reader->at[1] == '\n' || reader->at[1] == '\0'));
}

/* Leaves the reader at the comma or the end of the line behind the cell. */
static gboolean
read_cell (Reader *reader, GError **error)
{
  g_string_truncate (reader->cell, 0);
  reader->cell_line = reader->line;
  reader->cell_column = reader->column;
  reader->quoted = *reader->at == '"';
  if (reader->quoted)
    return read_quoted (reader, error);
  while (*reader->at != ',' && !ends_line (reader))
    if (!take_char (reader, error))
      return FALSE;
  return TRUE;
}

static void
end_line (Reader *reader)
{
  if (*reader->at == '\r')
    step (reader);
  if (*reader->at == '\n')
    step (reader);
}

static void
skip_empty_lines (Reader *reader)
{
  while (*reader->at != '\0' && ends_line (reader))
    end_line (reader);
}

/* --- values --- */

gboolean
batch_is_word (const char *text)
{
  static const char *const numbers[] = {
    "nan", "inf", "infinity", "true", "false", "null", "none"
  };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_equal (lower, numbers[i]))
      return FALSE;
  if (!g_ascii_isalpha (*text) && *text != '_')
    return FALSE;
  return text[strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-./ ")] == '\0';
}

/* Returns: (transfer full) (nullable): the cell as JSON */
static char *
read_value (const Reader *reader, const char *path, GError **error)
{
  g_autofree char *text = g_strstrip (g_strdup (reader->cell->str));
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, strlen (text), path, NULL);

  char *value = node != NULL ? batch_print_json (node) : NULL;

  if (value != NULL)
    return value;
  if (batch_is_word (text)) {
    g_autoptr (OrreryWriter) writer = orrery_writer_new ();
    gsize length;
    const char *json;

    orrery_writer_append_json_text (writer, text);
    json = orrery_writer_get_data (writer, &length);
    return g_strndup (json, length);
  }
  if (*text == '\0')
    fail_cell (reader, error, "%.200s: the cell is empty", path);
  else
    fail_cell (reader, error, "%.200s: '%.80s' is neither JSON nor a word", path, text);
  return NULL;
}

/* --- rows --- */

static gboolean
read_head (Reader *reader, GPtrArray *columns, GError **error)
{
  do {
    g_autofree char *path = NULL;

    if (columns->len > 0)
      step (reader);
    if (!read_cell (reader, error))
      return FALSE;
    path = batch_cut_path (g_strstrip (reader->cell->str));
    if (*path == '\0' || strchr (reader->cell->str, '=') != NULL)
      return fail_cell (reader, error, "'%.80s' is no path", reader->cell->str);
    if (columns->len >= BATCH_MAX_PARAMETERS)
      return fail_cell (reader, error, "more than %d columns", BATCH_MAX_PARAMETERS);
    g_ptr_array_add (columns, batch_parameter_new ("--cases", path));
  } while (*reader->at == ',');
  end_line (reader);
  return TRUE;
}

static gboolean
read_row (Reader *reader, GPtrArray *columns, GError **error)
{
  for (guint i = 0; i < columns->len; i++) {
    BatchParameter *column = columns->pdata[i];
    char *value;

    if (i > 0)
      step (reader);
    if (!read_cell (reader, error))
      return FALSE;
    value = read_value (reader, column->path, error);
    if (value == NULL)
      return FALSE;
    g_ptr_array_add (column->values, value);
    if (++column->n > BATCH_MAX_RUNS)
      return fail_cell (reader, error, "more than %d cases", BATCH_MAX_RUNS);
    if ((*reader->at == ',') == (i + 1 < columns->len))
      continue;
    reader->cell_column = reader->column;
    reader->cell_line = reader->line;
    return *reader->at == ','
               ? fail_cell (reader, error, "a further cell; the head has %u", columns->len)
               : fail_cell (reader, error, "the row ends after %u of %u cells", i + 1,
                            columns->len);
  }
  end_line (reader);
  return TRUE;
}

static gboolean
read_table (Reader *reader, GPtrArray *columns, GError **error)
{
  skip_empty_lines (reader);
  if (!read_head (reader, columns, error))
    return FALSE;
  for (skip_empty_lines (reader); *reader->at != '\0'; skip_empty_lines (reader))
    if (!read_row (reader, columns, error))
      return FALSE;
  if (((BatchParameter *) columns->pdata[0])->n > 0)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: a head without a row", reader->file);
}

/* --- the file --- */

static gboolean
load (const char *path, char **text, gsize *length, GError **error)
{
  g_autoptr (GError) local = NULL;
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    return orrery_set_error (error, errno == ENOENT ? ORRERY_ERROR_NO_FILE : ORRERY_ERROR_IO,
                             "--cases: %s: %s", path, g_strerror (errno));
  if (!S_ISREG (info.st_mode))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "--cases: %s: no file", path);
  if (info.st_size > MAX_BYTES)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "--cases: %s: a file of %" G_GINT64_FORMAT
                             " bytes; at most %d are read",
                             path, (gint64) info.st_size, MAX_BYTES);
  if (!g_file_get_contents (path, text, length, &local))
    return orrery_set_error (error, ORRERY_ERROR_IO, "--cases: %s", local->message);
  return TRUE;
}

/* One with a NUL is none. */
static gboolean
check_text (const char *path, const char *text, gsize length, GError **error)
{
  const char *end = text;
  guint line = 1;

  if (g_utf8_validate (text, (gssize) length, &end))
    return TRUE;
  for (const char *c = text; c < end; c++)
    line += *c == '\n' ? 1 : 0;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s:%u: the line is not UTF-8", path, line);
}

gboolean
batch_cases_read (const char *path, GPtrArray *parameters, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *text = NULL;
  g_autoptr (GString) cell = g_string_new (NULL);
  g_autoptr (GPtrArray) columns =
      g_ptr_array_new_with_free_func ((GDestroyNotify) batch_parameter_free);
  Reader reader = { .file = name, .line = 1, .column = 1, .cell = cell };
  gsize length = 0;

  if (!load (path, &text, &length, error) || !check_text (name, text, length, error))
    return FALSE;
  /* A mark of byte order, as spreadsheets write it. */
  reader.at = g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text;
  if (!read_table (&reader, columns, error))
    return FALSE;
  g_ptr_array_extend_and_steal (parameters, g_steal_pointer (&columns));
  return TRUE;
}
