/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Services as messages: which type a service has on a middleware of typed messages, which fields of
 * a request are its arguments, and what the answer becomes. What is not said in a file
 * `services.json` of the directories of messages follows from the signature of the service. */

typedef struct _MessageCalls MessageCalls;
typedef struct _MessageCall MessageCall;

/* Returns: (nullable): NULL: ORRERY_ERROR_CONFIG, with the file and the line */
MessageCalls *message_calls_new (OrreryMessageCatalogue *catalogue, OrreryMessageDialect dialect,
                                 GError **error);
void message_calls_free (MessageCalls *calls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MessageCalls, message_calls_free)

/* How a service of a class is called. @type: (nullable): its type, if no table says another.
 * Returns: (transfer none) (nullable): as long as @calls; NULL: ORRERY_ERROR_CONFIG */
const MessageCall *message_calls_find (MessageCalls *calls, const char *classpath,
                                       const OrreryService *service, const char *type,
                                       GError **error);
/* Of a service that answers at once. Returns: (nullable) */
const OrreryMessageService *message_call_get_service (const MessageCall *call);
/* Of one that takes longer. Returns: (nullable) */
const OrreryMessageAction *message_call_get_action (const MessageCall *call);

/* The arguments by place. Returns: (transfer full) (nullable): `av`; NULL: ORRERY_ERROR_INVALID */
GVariant *message_call_get_arguments (const MessageCall *call, gconstpointer request,
                                      GError **error);
/* Fills the response, or the result of an action. @value: (nullable) */
gboolean message_call_fill_response (const MessageCall *call, gpointer response, GVariant *value,
                                     GError **error);
/* Says in the response why a call failed. FALSE: the response has no fields for that. */
gboolean message_call_fill_failure (const MessageCall *call, gpointer response, const char *why);
gboolean message_call_fill_feedback (const MessageCall *call, gpointer feedback, GVariant *value,
                                     GError **error);
