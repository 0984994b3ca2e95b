/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces places in built files by the lines of the script that built them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Where a script's scene was built, which is gone when its errors are read, and its name for it. */
static struct {
  char *directory;
  char *words;
} built;

void
cli_set_built (const char *directory, const char *script)
{
  g_clear_pointer (&built.directory, g_free);
  g_clear_pointer (&built.words, g_free);
  if (directory == NULL)
    return;
  built.directory = g_strconcat (directory, "/", NULL);
  built.words = g_strconcat (script, ", built: ", NULL);
}

/* A place in one of the files, `NAME:LINE:COLUMN: `. */
typedef struct {
  const char *name;
  gsize name_length;
  glong line;
  glong column;
  const char *end;
} Place;

static gboolean
read_number (const char **at, glong *number)
{
  char *end = NULL;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  *number = strtol (*at, &end, 10);
  *at = end;
  return TRUE;
}

static gboolean
read_place (const char *text, Place *place)
{
  const char *at = strchr (text, ':');

  if (at == NULL)
    return FALSE;
  place->name = text;
  place->name_length = (gsize) (at++ - text);
  if (!read_number (&at, &place->line) || *at++ != ':' || !read_number (&at, &place->column) ||
      !g_str_has_prefix (at, ": "))
    return FALSE;
  place->end = at + strlen (": ");
  return TRUE;
}

/* The rows are those of one file after the other, each from its top to its end. */
static const char *
find_origin (char **rows, const Place *place)
{
  const char *found = NULL;

  for (char **row = rows; *row != NULL; row++) {
    const char *at = *row + place->name_length;
    glong line = 0, column = 0;

    if (strncmp (*row, place->name, place->name_length) != 0 || *at++ != ' ')
      continue;
    if (!read_number (&at, &line) || *at++ != ' ' || !read_number (&at, &column) || *at++ != ' ')
      continue;
    if (line > place->line || (line == place->line && column > place->column))
      break;
    found = at;
  }
  return found;
}

typedef struct {
  GString *text;
  guint n_more;
} Line;

static void
line_free (Line *line)
{
  g_string_free (line->text, TRUE);
  g_free (line);
}

/* Returns: (nullable) (transfer full): what a line of the script does, whichever of its components
 * it does it to; %NULL: no place in the script is known */
static char *
map_line (GString *line, char **rows, gboolean *begins)
{
  char *at = strstr (line->str, built.directory);
  const char *origin = NULL;
  const char *rest = NULL;
  Place place;
  gsize start;

  if (at == NULL)
    return NULL;
  start = (gsize) (at - line->str);
  if (rows != NULL && read_place (at + strlen (built.directory), &place))
    origin = find_origin (rows, &place);
  if (origin == NULL) {
    g_string_replace (line, built.directory, built.words, 0);
    return NULL;
  }
  *begins = start == 0;
  g_string_erase (line, (gssize) start, place.end - at);
  g_string_insert (line, (gssize) start, ": ");
  g_string_insert (line, (gssize) start, origin);
  rest = strstr (line->str + start + strlen (origin) + strlen (": "), ": ");
  return g_strconcat (origin, rest, NULL);
}

static GPtrArray *
map_lines (const char *text, gboolean *begins_with_place)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *file = g_strconcat (built.directory, "origins.txt", NULL);
  g_autofree char *table = NULL;
  g_auto (GStrv) rows = NULL;
  g_auto (GStrv) parts = g_strsplit (text, "\n", -1);
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) line_free);

  if (g_file_get_contents (file, &table, NULL, NULL))
    rows = g_strsplit (table, "\n", -1);
  for (char **part = parts; *part != NULL; part++) {
    gboolean begins = FALSE;
    Line *line = g_new0 (Line, 1);
    char *key = NULL;
    Line *first = NULL;

    line->text = g_string_new (*part);
    key = map_line (line->text, rows, &begins);
    if (part == parts && begins_with_place != NULL)
      *begins_with_place = begins;
    first = key != NULL ? g_hash_table_lookup (known, key) : NULL;
    if (first == NULL) {
      g_ptr_array_add (lines, line);
      if (key != NULL)
        g_hash_table_insert (known, key, line);
      continue;
    }
    first->n_more++;
    line_free (line);
    g_free (key);
  }
  return lines;
}

char *
cli_map_places (const char *text, gboolean *begins_with_place)
{
  g_autoptr (GPtrArray) lines = NULL;
  GString *mapped = NULL;

  if (built.directory == NULL || strstr (text, built.directory) == NULL)
    return g_strdup (text);
  lines = map_lines (text, begins_with_place);
  mapped = g_string_new (NULL);
  for (guint i = 0; i < lines->len; i++) {
    const Line *line = lines->pdata[i];

    g_string_append_printf (mapped, "%s%s", i > 0 ? "\n" : "", line->text->str);
    if (line->n_more > 0)
      g_string_append_printf (mapped, " (and %u more from this line)", line->n_more);
  }
  return g_string_free (mapped, FALSE);
}
