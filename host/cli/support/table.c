/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines in columns, for people, and cells of tables in files. */
#include "cli.h"

#include <string.h>

/* Where a cell is longer, its line alone is moved to the right. */
#define WIDEST 56

struct _CliTable {
  GPtrArray *rows; /* (element-type GStrv) */
  int bold;
};

CliTable *
cli_table_new (int bold)
{
  CliTable *table = g_new0 (CliTable, 1);

  table->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  table->bold = bold;
  return table;
}

void
cli_table_free (CliTable *table)
{
  g_ptr_array_unref (table->rows);
  g_free (table);
}

void
cli_table_add (CliTable *table, const char *cell, ...)
{
  GPtrArray *row = g_ptr_array_new ();
  va_list args;

  va_start (args, cell);
  for (; cell != NULL; cell = va_arg (args, const char *)) {
    char *safe = orrery_escape_text (cell, FALSE);

    /* One row is one line. */
    g_ptr_array_add (row, g_strdelimit (safe, "\n\r\t", ' '));
  }
  va_end (args);
  g_ptr_array_add (row, NULL);
  g_ptr_array_add (table->rows, g_ptr_array_free (row, FALSE));
}

static void
widen (GArray *widths, char **row)
{
  for (guint i = 0; row[i] != NULL; i++) {
    guint width = (guint) g_utf8_strlen (row[i], -1);

    if (i >= widths->len)
      g_array_set_size (widths, i + 1);
    if (width <= WIDEST && width > g_array_index (widths, guint, i))
      g_array_index (widths, guint, i) = width;
  }
}

char *
cli_wrap (const char *text, guint indent, guint width)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  GString *out = g_string_new (NULL);
  guint column = 0;

  for (char **word = words; *word != NULL; word++) {
    guint length = (guint) g_utf8_strlen (*word, -1);

    if (length == 0)
      continue;
    if (column > 0 && column + 1 + length > width) {
      g_string_append_c (out, '\n');
      column = 0;
    }
    g_string_append_printf (out, "%*s%s", column == 0 ? (int) indent : 1, "", *word);
    column += (column == 0 ? indent : 1) + length;
  }
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

/* The least that is left to a cell that is broken into lines. */
#define NARROWEST 20

/* A last cell that the terminal has no room for goes on below itself. */
static void
append_last (GString *text, const char *cell, guint column, guint columns)
{
  g_autofree char *wrapped = NULL;

  if (column + NARROWEST > columns || column + g_utf8_strlen (cell, -1) <= columns) {
    g_string_append (text, cell);
    return;
  }
  wrapped = cli_wrap (cell, column, columns);
  g_string_append (text, g_strchomp (wrapped) + column);
}

static void
append_row (GString *text, char **row, GArray *widths, const char *indent, int bold)
{
  guint pending = 0;
  guint columns = cli_get_columns (stdout);
  guint column = (guint) strlen (indent);

  g_string_append (text, indent);
  for (guint i = 0; row[i] != NULL; i++) {
    guint width = g_array_index (widths, guint, i);
    guint length = (guint) g_utf8_strlen (row[i], -1);
    gboolean is_bold = (int) i == bold;

    /* Spaces are written before a cell, so that no line ends in some. */
    if (length > 0) {
      g_string_append_printf (text, "%*s", (int) pending, "");
      column += pending;
      if (row[i + 1] == NULL && !is_bold)
        append_last (text, row[i], column, columns);
      else
        g_string_append_printf (text, "%s%s%s", is_bold ? "\033[1m" : "", row[i],
                                is_bold ? "\033[0m" : "");
      column += length;
      pending = 0;
    }
    pending += 2 + (width > length ? width - length : 0);
  }
  g_string_append_c (text, '\n');
}

void
cli_table_print (CliTable *table, const char *indent)
{
  g_autoptr (GArray) widths = g_array_new (FALSE, TRUE, sizeof (guint));
  g_autoptr (GString) text = g_string_new (NULL);
  int bold = cli_is_terminal (stdout) ? table->bold : -1;

  for (guint i = 0; i < table->rows->len; i++)
    widen (widths, table->rows->pdata[i]);
  for (guint i = 0; i < table->rows->len; i++)
    append_row (text, table->rows->pdata[i], widths, indent, bold);
  cli_write (stdout, text->str);
}

void
cli_append_csv (GString *text, const char *cell)
{
  if (strpbrk (cell, ",\"\r\n") == NULL) {
    g_string_append (text, cell);
    return;
  }
  g_string_append_c (text, '"');
  for (const char *c = cell; *c != '\0'; c++) {
    if (*c == '"')
      g_string_append_c (text, '"');
    g_string_append_c (text, *c);
  }
  g_string_append_c (text, '"');
}
