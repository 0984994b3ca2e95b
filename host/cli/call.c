/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery call`: calls a service of a running simulation. */
#include "commands.h"
#include "support/cli.h"
#include "support/client.h"

#include <string.h>

static gboolean
is_json (const char *text, OrreryNodeKind *kind)
{
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, strlen (text), "argument", NULL);

  *kind = node != NULL ? orrery_node_get_kind (node) : ORRERY_NODE_NULL;
  return node != NULL;
}

/* One list is the list of arguments; else each word is an argument: JSON, or else a text. */
static char *
make_arguments (char **words, int n)
{
  g_autoptr (OrreryWriter) list = orrery_writer_new ();
  OrreryNodeKind kind = ORRERY_NODE_NULL;
  const char *data = NULL;
  gsize length = 0;

  if (n == 1 && is_json (words[0], &kind) && kind == ORRERY_NODE_LIST)
    return g_strdup (words[0]);
  orrery_writer_append_char (list, '[');
  for (int i = 0; i < n; i++) {
    if (i > 0)
      orrery_writer_append_text (list, ", ");
    if (is_json (words[i], &kind))
      orrery_writer_append_text (list, words[i]);
    else
      orrery_writer_append_json_text (list, words[i]);
  }
  orrery_writer_append_char (list, ']');
  data = orrery_writer_get_data (list, &length);
  return g_strndup (data, length);
}

/* The request is one line. */
static void
flatten (char *text)
{
  g_strdelimit (text, "\r\n", ' ');
}

/* MORSE's words for it, which say neither what is missing nor why. */
static gboolean
is_missing (const GError *error)
{
  return strstr (error->message, " has not been registered in ") != NULL;
}

static int
fail_call (CliClient *services, const char *component, const char *service, const GError *error)
{
  g_autoptr (GError) reason = services != NULL && is_missing (error)
                                  ? cli_missing_service (services, component, service)
                                  : NULL;
  int status = cli_fail (reason != NULL ? reason : error);

  if (g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_INVALID))
    return CLI_USAGE;
  return error->domain == ORRERY_ERROR && error->code != ORRERY_ERROR_IO ? CLI_MISSING : status;
}

/* The arguments, those before and those after `--`. */
static GPtrArray *
join_words (char **words, char **rest)
{
  GPtrArray *out = g_ptr_array_new ();

  for (; *words != NULL; words++)
    g_ptr_array_add (out, *words);
  for (; rest != NULL && *rest != NULL; rest++)
    g_ptr_array_add (out, *rest);
  return out;
}

static gboolean
is_negative_number (const char *word)
{
  char *end = NULL;

  if (word[0] != '-' || !g_ascii_isdigit (word[1]))
    return FALSE;
  g_ascii_strtod (word, &end);
  return *end == '\0';
}

/* A blank before it, which JSON does not mind, keeps a number from being read as an option.
 * Returns: (transfer full): the words that take the place of others in @argv */
static GPtrArray *
shield_numbers (int argc, char **argv)
{
  GPtrArray *shielded = g_ptr_array_new_with_free_func (g_free);

  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (is_negative_number (argv[i])) {
      argv[i] = g_strdup_printf (" %s", argv[i]);
      g_ptr_array_add (shielded, argv[i]);
    }
  return shielded;
}

int
cli_call (int argc, char **argv)
{
  g_autoptr (GPtrArray) numbers = shield_numbers (argc, argv);
  char **rest = cli_cut_arguments (&argc, argv);
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *host = g_strdup ("127.0.0.1");
  g_autofree char *arguments = NULL;
  g_autofree char *value = NULL;
  g_autoptr (CliClient) services = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *wait_text = NULL;
  double wait = 0;
  int port = 4000;
  const GOptionEntry entries[] = {
    { "host", 0, 0, G_OPTION_ARG_STRING, &host, "Where the simulation runs; 127.0.0.1", "HOST" },
    { "port", 0, 0, G_OPTION_ARG_INT, &port, "Its port for services; 4000", "PORT" },
    { "wait", 0, 0, G_OPTION_ARG_STRING, &wait_text,
      "How long to wait until a simulation answers; 0", "SECONDS" },
    { NULL },
  };

  if (!cli_parse (
          "call", "COMPONENT SERVICE [ARGUMENT...]",
          "Calls a service of a running simulation and prints the value that it returns. An\n"
          "ARGUMENT is JSON, or else a text; one that is a list holds all arguments.\n"
          "Texts that begin with - come after `--`.",
          entries, FALSE, 2, G_MAXINT, &argc, &argv))
    return CLI_USAGE;
  words = join_words (argv + 2, rest);
  arguments = make_arguments ((char **) words->pdata, (int) words->len);
  flatten (arguments);
  if (!cli_check_port ("call", port) || !cli_read_seconds ("call", "--wait", wait_text, &wait))
    return CLI_USAGE;
  services = cli_client_await (host, (guint) port, wait, &error);
  if (services != NULL)
    value = cli_client_call (services, argv[0], argv[1], arguments, NULL, &error);
  if (error != NULL)
    return fail_call (services, argv[0], argv[1], error);
  if (*value != '\0') {
    g_autofree char *safe = cli_client_escape (value);

    fprintf (stdout, "%s\n", safe);
  }
  return CLI_OK;
}
