/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-service.h"

/* A call that is asked for, with arguments `av` by place (NULL: none); floating ones are sunk. */
OrreryCall *orrery_call_new (const char *service, GVariant *arguments);
/* Restores a call that was pending when its part was saved: the part knows it and answers it.
 * FALSE: the part has no such long-running service. */
gboolean orrery_call_resume (OrreryCall *call, OrreryPart *part);
/* Checks the call against the part's service, and runs it. */
void orrery_call_start (OrreryCall *call, OrreryPart *part);
/* In an immediate service: it is answered later after all. */
void orrery_call_hold (OrreryCall *call);
/* Fails a call for which no part was found. */
void orrery_call_refuse (OrreryCall *call, OrreryCallFault fault, GError *error);
/* Its arguments `av` as they came; borrowed */
GVariant *orrery_call_get_given (OrreryCall *call);
/* Identifies the call between a worker and its host; 0: none. */
void orrery_call_set_number (OrreryCall *call, guint64 number);
guint64 orrery_call_get_number (OrreryCall *call);
/*
 * For who keeps calls, to repeat them.
 *
 * @cancelled: somebody cancels the call before it is done; its part was not told yet
 * @answering: the caller is about to be told that it is done
 * @answered: the caller was told
 * @free: of the user data
 */
typedef struct {
  void (*cancelled) (gpointer user_data, guint64 number);
  void (*answering) (gpointer user_data);
  void (*answered) (gpointer user_data);
  GDestroyNotify free;
} OrreryCallWatch;

/* Whether it came by a request manager, from somebody whom the host does not know. */
void orrery_call_set_client (OrreryCall *call);
gboolean orrery_call_is_client (OrreryCall *call);
/* Once for each call. @watch: static */
void orrery_call_watch (OrreryCall *call, const OrreryCallWatch *watch, guint64 number,
                        gpointer user_data);
/* Asks the part to stop working on the call. The part may answer the call, but need not. */
void orrery_call_tell_part (OrreryCall *call);
