/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the command that the command line names. */
#include "commands.h"
#include "help/help.h"
#include "support/cli.h"

#include <locale.h>
#include <signal.h>
#include <string.h>

static const CliCommand commands[] = {
  { "run", "run a builder script, a scene file or a built scene", cli_run },
  { "batch", "run a scene many times, with one seed after the other", cli_batch },
  { "build", "run a builder script and keep the scene that it makes", cli_build },
  { "check", "say what is wrong with a scene without running it", cli_check },
  { "order", "print in which order a scene's parts are called", cli_order },
  { "plugins", "list and describe what can be put in a scene", cli_plugins },
  { "messages", "list and show the types of messages", cli_messages },
  { "new", "write a plugin to start from", cli_new },
  { "diff", "say where two runs part, by their hashes or recordings", cli_diff },
  { "recording", "look into a recording, and make other files of it", cli_recording },
  { "replay", "run a recorded run again, and say whether it goes the same way", cli_replay },
  { "render", "draw a scene, as a picture or a film", cli_render },
  { "python", "run a Python program that imports orrery", cli_python },
  { "echo", "print a stream of a running simulation", cli_echo },
  { "call", "call a service of a running simulation", cli_call },
  { "doctor", "say what is installed, what works and what is missing", cli_doctor },
  { "help", "print the help of a command, or search the manual for words", cli_help },
  { "morse-root", "make a directory with the command morse", cli_morse_root },
  { NULL },
};

/* Not for people: scripts of shells, the build and hosts start them. */
static const CliCommand hidden[] = {
  { "complete", NULL, cli_complete },
  { "man-page", NULL, cli_man_page },
  { "worker", NULL, orrery_worker_main },
  { NULL },
};

const CliCommand *
cli_get_commands (void)
{
  return commands;
}

static const CliCommand *
find_command (const CliCommand *list, const char *name)
{
  for (; list->name != NULL; list++)
    if (strcmp (list->name, name) == 0)
      return list;
  return NULL;
}

const CliCommand *
cli_find_command (const char *name)
{
  return find_command (commands, name);
}

/* Columns of the help. */
#define HELP_WIDTH 90

void
cli_print_help (FILE *stream)
{
  g_autoptr (GString) text =
      g_string_new ("`orrery COMMAND --help` says more of each. Exit codes: ");
  g_autofree char *wrapped = NULL;

  fputs ("Usage: orrery COMMAND [OPTION...] [ARGUMENT...]\n\n"
         "Orrery simulates robots without a display; every part of it is a plugin.\n\n"
         "Commands:\n",
         stream);
  for (const CliCommand *command = commands; command->name != NULL; command++)
    fprintf (stream, "  %-10s %s\n", command->name, command->words);
  for (const CliTopic *topic = cli_exit_codes; topic->name != NULL; topic++)
    g_string_append_printf (text, "%s %s%s", topic->name, topic->words,
                            topic[1].name != NULL ? ", " : ".");
  wrapped = cli_wrap (text->str, 0, HELP_WIDTH);
  fprintf (stream, "\n%s", wrapped);
}

static int
unknown_command (const char *name)
{
  const char *names[G_N_ELEMENTS (commands)] = { NULL };
  static const char *const morse[] = { "morse",     "edit",      "create",           "import",
                                       "rm",        "add",       "multinode_server", "morse_sync",
                                       "morseexec", "inspector", "morse_inspector",  NULL };
  g_autofree char *nearest = NULL;

  for (guint i = 0; commands[i].name != NULL; i++)
    names[i] = commands[i].name;
  nearest = orrery_nearest_names (name, names);
  if (g_strv_contains (morse, name))
    return cli_usage (NULL,
                      "no command '%s': `orrery morse-root DIR` makes a directory whose bin/ has "
                      "MORSE's programs",
                      name);
  if (g_file_test (name, G_FILE_TEST_EXISTS))
    return cli_usage (NULL, "no command '%s': a scene is run by `orrery run %s`", name, name);
  return cli_usage (NULL, "no command '%s'%s", name, nearest);
}

static int
dispatch (int argc, char **argv)
{
  const CliCommand *command = cli_find_command (argv[0]);

  if (command != NULL)
    return cli_morse_exit_code (command->run (argc, argv));
  command = find_command (hidden, argv[0]);
  return command != NULL ? command->run (argc, argv) : unknown_command (argv[0]);
}

static int
run_command (int argc, char **argv)
{
  if (argc < 2) {
    cli_print_help (stderr);
    return CLI_USAGE;
  }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0) {
    cli_print_help (stdout);
    return CLI_OK;
  }
  if (strcmp (argv[1], "--version") == 0) {
    fputs ("orrery " ORRERY_VERSION "\n", stdout);
    return CLI_OK;
  }
  if (argv[1][0] == '-')
    return cli_usage (NULL, "unknown option %s; those of a command stand after it", argv[1]);
  return dispatch (argc - 1, argv + 1);
}

/* An empty element of PYTHONPATH, and a home that is not absolute, would each be the directory
 * where the program happens to run, with modules and plugins of whoever may write there. */
static void
mend_environment (void)
{
  static const char *const homes[] = { "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                       "PYTHONUSERBASE" };
  g_auto (GStrv) parts =
      g_strsplit (g_getenv ("PYTHONPATH") != NULL ? g_getenv ("PYTHONPATH") : "", ":", -1);
  g_autoptr (GPtrArray) full = g_ptr_array_new ();
  g_autofree char *path = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    if (g_getenv (homes[i]) != NULL && !g_path_is_absolute (g_getenv (homes[i])))
      g_unsetenv (homes[i]);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (full, parts[i]);
  g_ptr_array_add (full, NULL);
  path = g_strjoinv (":", (char **) full->pdata);
  if (*path != '\0')
    g_setenv ("PYTHONPATH", path, TRUE);
  else
    g_unsetenv ("PYTHONPATH");
}

int
orrery_cli_main (int argc, char **argv)
{
  int status;

  cli_check_system ();
  mend_environment ();

  /* Options are parsed in place. */
  cli_set_arguments (argv);
  /* Letters as the terminal has them; numbers stay those of C. */
  setlocale (LC_CTYPE, "");
  /* A reader that left is an error of a write, not the end of the program. */
  signal (SIGPIPE, SIG_IGN);

  /* Also for Python, which ends the process without a look at the streams of C. */
  status = run_command (argc, argv);
  return cli_check_output (status);
}
