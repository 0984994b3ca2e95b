/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* One connection to a running simulation: lines out, lines in. Blocks; a cancellable ends it. */

#include <gio/gio.h>
#include <orrery.h>

typedef struct _CliClient CliClient;

CliClient *cli_client_new (const char *host, guint port, GCancellable *cancellable, GError **error);
void cli_client_free (CliClient *client);
gboolean cli_client_send (CliClient *client, const char *text, GError **error);
/* The next line, without its end. */
char *cli_client_receive (CliClient *client, GCancellable *cancellable, GError **error);
/* Whether something can be received within the time. */
gboolean cli_client_wait (CliClient *client, gint64 microseconds, GCancellable *cancellable);

/* Asks for a service, `arguments` being a JSON list; returns the id of the request. */
char *cli_client_request (CliClient *client, const char *component, const char *service,
                          const char *arguments, GError **error);
/* Waits for the answer: its JSON value, "" for none; %NULL with what the simulation says. */
char *cli_client_answer (CliClient *client, const char *id, GCancellable *cancellable,
                         GError **error);
char *cli_client_call (CliClient *client, const char *component, const char *service,
                       const char *arguments, GCancellable *cancellable, GError **error);
/* Connects to the port of a stream, which the services port tells. */
CliClient *cli_client_open_stream (CliClient *services, const char *host, const char *stream,
                                   GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliClient, cli_client_free)
