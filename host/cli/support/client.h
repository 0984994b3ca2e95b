/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* One connection to a running simulation: lines out, lines in. Blocks; a cancellable ends it. */

#include <gio/gio.h>
#include <orrery.h>

typedef struct _CliClient CliClient;

CliClient *cli_client_new (const char *host, guint port, GCancellable *cancellable, GError **error);
/* The same, for at most so many seconds as long as nobody listens there yet. */
CliClient *cli_client_await (const char *host, guint port, double seconds, GError **error);
void cli_client_free (CliClient *client);
gboolean cli_client_send (CliClient *client, const char *text, GError **error);
/* The next line, without its end, as it was sent: to be parsed, or escaped before it is printed. */
char *cli_client_receive (CliClient *client, GCancellable *cancellable, GError **error);
/* Returns: (transfer full): a line to print: whoever answers, the terminal is not his. JSON stays
 * JSON. */
char *cli_client_escape (const char *text);
/* Whether something can be received within the time. */
gboolean cli_client_wait (CliClient *client, gint64 microseconds, GCancellable *cancellable);

/* Asks for a service, `arguments` being a JSON list; returns the id of the request. */
char *cli_client_request (CliClient *client, const char *component, const char *service,
                          const char *arguments, GError **error);
/* Waits for the answer: its JSON value, "" for none; %NULL with what the simulation says. Where it
 * knows no such service, cli_missing_service() says why. */
char *cli_client_answer (CliClient *client, const char *id, GCancellable *cancellable,
                         GError **error);
char *cli_client_call (CliClient *client, const char *component, const char *service,
                       const char *arguments, GCancellable *cancellable, GError **error);
/* Connects to the port of a stream, which the services port tells. */
CliClient *cli_client_open_stream (CliClient *services, const char *host, const char *stream,
                                   GCancellable *cancellable, GError **error);

/* --- missing.c: the names that there are --- */

/* Returns: (transfer full) (element-type utf8): the streams that can be had; empty: it does not
 * tell */
GPtrArray *cli_list_streams (CliClient *services);
/* The same of services of a component; NULL: of components that have services. */
GPtrArray *cli_list_services (CliClient *services, const char *component);

/* --- and why a name of the command line leads nowhere --- */

/* Which of them is wrong: the component, the service, or that the component has none; with the
 * nearest name. %NULL: the simulation does not tell. Transfer full. */
GError *cli_missing_service (CliClient *services, const char *component, const char *service);
/* The same of a stream. */
GError *cli_missing_stream (CliClient *services, const char *component);
/* Why nothing ever comes from a stream that is there; NULL: something may. */
GError *cli_silent_stream (CliClient *services, const char *component);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliClient, cli_client_free)
