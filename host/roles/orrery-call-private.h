/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-service.h"

/* A call that is asked for, with arguments `av` by place (NULL: none); floating ones are sunk. */
OrreryCall *orrery_call_new (const char *service, GVariant *arguments);
/* A call that was under way when its part was saved: the part knows of it, and answers it. FALSE:
 * it has no such service that takes long. */
gboolean orrery_call_resume (OrreryCall *call, OrreryPart *part);
/* Checks the call against the part's service, and runs it. */
void orrery_call_start (OrreryCall *call, OrreryPart *part);
/* Ends a call that no part was found for. */
void orrery_call_refuse (OrreryCall *call, OrreryCallFault fault, GError *error);
/* Its arguments `av` as they came; borrowed */
GVariant *orrery_call_get_given (OrreryCall *call);
/* Has the part stop what it does for the call, which it may answer or not. */
void orrery_call_tell_part (OrreryCall *call);
