/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables of the program say of a word. */
#include "help.h"

#include <string.h>

typedef struct {
  const char *name;
  GPtrArray *commands; /* (element-type utf8): those that have the option, as the first has it */
  char *option;        /* `--seed=N`; NULL: none has it */
  char *words;
} Search;

static void
search_options (const CliSynopsis *synopsis, gpointer user_data)
{
  Search *search = user_data;

  for (const GOptionEntry *entry = synopsis->entries; entry->long_name != NULL; entry++) {
    if (!g_str_equal (entry->long_name, search->name) || (entry->flags & G_OPTION_FLAG_HIDDEN) != 0)
      continue;
    g_ptr_array_add (search->commands, g_strdup (synopsis->command));
    if (search->option == NULL) {
      search->option =
          g_strdup_printf ("--%s%s%s", entry->long_name, entry->arg_description != NULL ? "=" : "",
                           entry->arg_description != NULL ? entry->arg_description : "");
      search->words = g_strdup (entry->description);
    }
  }
}

static guint
print_options (const char *word)
{
  Search search = { .name = word + strspn (word, "-") };
  g_autofree char *commands = NULL;

  search.commands = g_ptr_array_new_with_free_func (g_free);
  for (const CliCommand *command = cli_get_commands (); command->name != NULL; command++)
    cli_read_synopsis (command->run, search_options, &search);
  for (const CliCommand *verb = cli_recording_get_verbs (); verb->name != NULL; verb++)
    cli_read_synopsis (verb->run, search_options, &search);
  g_ptr_array_add (search.commands, NULL);
  commands = g_strjoinv (", ", (char **) search.commands->pdata);
  if (search.option != NULL)
    fprintf (stdout, "option %s of %s: %s\n", search.option, commands, search.words);
  g_ptr_array_unref (search.commands);
  g_free (search.words);
  if (search.option == NULL)
    return 0;
  g_free (search.option);
  return 1;
}

/* @is_list: the names are numbers: `129, 130 and 143` */
static guint
print_topic (const CliTopic *topics, const char *title, const char *word, gboolean is_list)
{
  for (; topics->name != NULL; topics++) {
    g_auto (GStrv) names = g_strsplit_set (is_list ? topics->name : "", ", ", -1);

    if (!g_str_equal (topics->name, word) &&
        (*word == '\0' || !g_strv_contains ((const char *const *) names, word) ||
         !g_ascii_isdigit (*word)))
      continue;
    fprintf (stdout, "%s %s: %s\n", title, word, topics->words);
    return 1;
  }
  return 0;
}

guint
cli_tables_print (const char *word)
{
  return print_options (word) + print_topic (cli_exit_codes, "exit code", word, TRUE) +
         print_topic (cli_environment, "variable", word, FALSE);
}
