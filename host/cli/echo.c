/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery echo`: prints the records of a stream. */
#include "commands.h"
#include "support/cli.h"
#include "support/client.h"

typedef struct {
  const char *host;
  char *count_text;
  char *wait_text;
  guint64 count;
  double wait; /* s */
  int port;
} EchoOptions;

static gboolean
parse_options (EchoOptions *options, int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "host", 0, 0, G_OPTION_ARG_STRING, &options->host, "Where the simulation runs; 127.0.0.1",
      "HOST" },
    { "port", 0, 0, G_OPTION_ARG_INT, &options->port, "Its port for services; 4000", "PORT" },
    { "count", 'n', 0, G_OPTION_ARG_STRING, &options->count_text, "End after so many messages",
      "N" },
    { "wait", 0, 0, G_OPTION_ARG_STRING, &options->wait_text,
      "How long to wait until a simulation answers; 0", "SECONDS" },
    { NULL },
  };

  if (!cli_parse ("echo", "STREAM", "Prints the messages of a stream of a running simulation.",
                  entries, FALSE, 1, 1, argc, argv))
    return FALSE;
  if (options->count_text != NULL &&
      !cli_parse_count ("--count", options->count_text, &options->count, &error)) {
    cli_usage ("echo", "%s", error->message);
    return FALSE;
  }
  return cli_read_seconds ("echo", "--wait", options->wait_text, &options->wait);
}

static gboolean
print_messages (CliClient *stream, guint64 count, GError **error)
{
  for (guint64 n = 0; count == 0 || n < count; n++) {
    g_autofree char *line = cli_client_receive (stream, NULL, error);
    g_autofree char *safe = line != NULL ? cli_client_escape (line) : NULL;

    if (line == NULL)
      return FALSE;
    if (fprintf (stdout, "%s\n", safe) < 0 || fflush (stdout) != 0)
      return TRUE;
  }
  return TRUE;
}

static void
explain (CliClient *services, const char *component, GError **error)
{
  GError *reason = NULL;

  if (g_str_has_prefix ((*error)->message, "Stream unavailable for component "))
    reason = cli_missing_stream (services, component);
  if (reason == NULL)
    return;
  g_clear_error (error);
  *error = reason;
}

int
cli_echo (int argc, char **argv)
{
  static EchoOptions options = { .host = "127.0.0.1", .port = 4000 };
  g_autoptr (CliClient) services = NULL;
  g_autoptr (CliClient) stream = NULL;
  g_autoptr (GError) error = NULL;

  if (!parse_options (&options, &argc, &argv))
    return CLI_USAGE;
  if (!cli_check_port ("echo", options.port))
    return CLI_USAGE;
  services = cli_client_await (options.host, (guint) options.port, options.wait, &error);
  if (services != NULL)
    stream = cli_client_open_stream (services, options.host, argv[0], NULL, &error);
  if (services != NULL && stream == NULL)
    explain (services, argv[0], &error);
  if (stream != NULL)
    error = cli_silent_stream (services, argv[0]);
  if (stream != NULL && error == NULL)
    print_messages (stream, options.count, &error);
  return error != NULL ? cli_fail (error) : CLI_OK;
}
