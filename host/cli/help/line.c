/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a command line apart that is not complete yet, by the table of its command's options. */
#include "help.h"

#include <string.h>

typedef struct {
  CliLine *line;
  const GOptionEntry *entries;
  gboolean ended; /* by `--`, or by the program that `orrery python` runs */
} Reader;

static gboolean
takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE &&
         (entry->arg != G_OPTION_ARG_CALLBACK || (entry->flags & G_OPTION_FLAG_NO_ARG) == 0);
}

/* `orrery run --hash` has a file behind a `=` or none, which GOption has no word for. */
static gboolean
has_optional_value (const GOptionEntry *entry)
{
  return g_str_equal (entry->long_name, "hash");
}

/* Returns: (nullable): the entry of a word as `--seed`, `--seed=1`, `-o` */
static const GOptionEntry *
find_option (const GOptionEntry *entries, const char *word)
{
  const char *name = word + 2;
  gsize length = strcspn (name, "=");

  for (; entries->long_name != NULL; entries++) {
    if (word[1] != '-' && word[1] == entries->short_name && word[2] == '\0')
      return entries;
    if (word[1] == '-' && strlen (entries->long_name) == length &&
        strncmp (entries->long_name, name, length) == 0)
      return entries;
  }
  return NULL;
}

static void
take_value (CliLine *line, const GOptionEntry *entry, const char *value)
{
  if (g_str_equal (entry->long_name, "host")) {
    g_free (line->host);
    line->host = g_strdup (value);
  } else if (g_str_equal (entry->long_name, "port")) {
    line->port = (guint) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, G_MAXUINT16);
  }
}

/* A word before the last one. Returns: (nullable): the option whose value comes next */
static const GOptionEntry *
read_word (Reader *reader, const char *word)
{
  const GOptionEntry *entry;

  if (strcmp (word, "--") == 0) {
    reader->ended = TRUE;
    return NULL;
  }
  if (reader->ended || word[0] != '-' || word[1] == '\0') {
    g_ptr_array_add (reader->line->places, g_strdup (word));
    reader->ended |= g_str_equal (reader->line->command, "python");
    return NULL;
  }
  entry = find_option (reader->entries, word);
  if (entry == NULL || !takes_value (entry))
    return NULL;
  if (word[1] != '-' || strchr (word, '=') == NULL)
    return has_optional_value (entry) ? NULL : entry;
  take_value (reader->line, entry, strchr (word, '=') + 1);
  return NULL;
}

/* What the n-th place takes: of `FILE [-- SCRIPT-ARGUMENT...]` FILE is the first and the last one.
 */
static char *
find_wanted (const char *arguments, guint n)
{
  g_auto (GStrv) parts = g_strsplit (arguments, " | ", -1);
  g_autofree char *joined = g_strjoinv ("|", parts);
  g_auto (GStrv) words = g_strsplit (joined, " ", -1);

  for (guint i = 0;
       words[i] != NULL && !g_str_has_prefix (words[i], "-") && !g_str_has_prefix (words[i], "[-");
       i++)
    if (i == n || (i < n && strstr (words[i], "...") != NULL))
      return g_strdup (words[i]);
  return g_strdup ("");
}

static void
find_last (Reader *reader, const GOptionEntry *pending)
{
  CliLine *line = reader->line;
  const char *equals = strchr (line->last, '=');

  if (pending == NULL && !reader->ended && g_str_has_prefix (line->last, "--") && equals != NULL) {
    pending = find_option (reader->entries, line->last);
    line->before = g_strndup (line->last, (gsize) (equals + 1 - line->last));
    line->last = equals + 1;
    line->wanted = g_strdup (
        pending != NULL && pending->arg_description != NULL ? pending->arg_description : "");
    return;
  }
  line->before = g_strdup ("");
  if (pending != NULL)
    line->wanted = g_strdup (pending->arg_description != NULL ? pending->arg_description : "");
  else if (reader->ended)
    line->wanted = g_strdup ("FILE");
  else if (*line->last != '-')
    line->wanted = find_wanted (line->arguments, line->places->len);
}

static void
list_options (CliLine *line, const GOptionEntry *entries)
{
  for (; entries->long_name != NULL; entries++) {
    if ((entries->flags & G_OPTION_FLAG_HIDDEN) != 0)
      continue;
    g_ptr_array_add (line->options,
                     g_strdup_printf ("--%s%s", entries->long_name,
                                      takes_value (entries) && !has_optional_value (entries) ? "="
                                                                                             : ""));
    g_ptr_array_add (line->options_words, g_strdup (entries->description));
  }
  g_ptr_array_add (line->options, g_strdup ("--help"));
  g_ptr_array_add (line->options_words, g_strdup ("Show help options"));
}

/* The table is there only while this runs. */
static void
read_line (const CliSynopsis *synopsis, gpointer user_data)
{
  Reader reader = { .line = user_data, .entries = synopsis->entries };
  CliLine *line = reader.line;
  const GOptionEntry *pending = NULL;
  char **word = line->words;

  line->command = g_intern_string (synopsis->command);
  line->arguments = g_strdup (synopsis->arguments);
  list_options (line, synopsis->entries);
  for (; word[1] != NULL; word++) {
    if (pending != NULL) {
      take_value (line, pending, *word);
      pending = NULL;
    } else {
      pending = read_word (&reader, *word);
    }
  }
  line->last = *word;
  find_last (&reader, pending);
}

CliLine *
cli_line_new (const CliCommand *command, char **words)
{
  CliLine *line = g_new0 (CliLine, 1);

  line->words = words;
  line->options = g_ptr_array_new_with_free_func (g_free);
  line->options_words = g_ptr_array_new_with_free_func (g_free);
  line->places = g_ptr_array_new_with_free_func (g_free);
  line->host = g_strdup ("127.0.0.1");
  line->port = 4000;
  cli_read_synopsis (command->run, read_line, line);
  return line;
}

void
cli_line_free (CliLine *line)
{
  g_ptr_array_unref (line->options);
  g_ptr_array_unref (line->options_words);
  g_ptr_array_unref (line->places);
  g_free (line->arguments);
  g_free (line->before);
  g_free (line->wanted);
  g_free (line->host);
  g_free (line);
}
