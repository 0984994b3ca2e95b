/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-overlay.h"
#include "roles/orrery-request-manager.h"
#include "tick/orrery-inputs-private.h"

/*
 * Maps names to the parts that answer to them on each request manager, and queues calls. A manager
 * reaches the parts that are mapped to it and those that are mapped to all managers. Tick thread
 * only.
 */

typedef struct _OrreryCalls OrreryCalls;

/* @inputs: borrowed: who is told of calls that come from outside */
OrreryCalls *orrery_calls_new (OrreryInputs *inputs);
void orrery_calls_free (OrreryCalls *calls);
/*
 * Makes @part answer to @name on @manager or, if that is NULL, on all managers. Several parts may
 * share a name: the one mapped last that has a service answers a call of it, so an overlay takes
 * precedence over its component. It is an error if a part that is not a component has the same
 * service under that name already.
 */
gboolean orrery_calls_map (OrreryCalls *calls, OrreryRequestManager *manager, const char *name,
                           OrreryPart *part, GError **error);
/* Makes a part reachable for callers in this process: for components that no manager is mapped
 * to. */
void orrery_calls_map_inside (OrreryCalls *calls, const char *name, OrreryPart *part);
/* Lets a manager that cannot tell who calls have what ends or replaces the run. */
void orrery_calls_allow_all (OrreryCalls *calls, OrreryRequestManager *manager);
/* Lets a manager reach every part, as callers in this process do. */
void orrery_calls_reach_all (OrreryCalls *calls, OrreryRequestManager *manager);
/* Removes @part: it receives no calls any more. */
void orrery_calls_unmap (OrreryCalls *calls, OrreryPart *part);
/* The parts that answer to a name on a manager, or those mapped to all managers; (element-type
 * OrreryPart) or NULL. */
GPtrArray *orrery_calls_find (OrreryCalls *calls, OrreryRequestManager *manager, const char *name);
/* What a manager reaches, sorted by name: a floating `a(ssu)` of name, service,
 * OrreryServiceFlags. */
GVariant *orrery_calls_list (OrreryCalls *calls, OrreryRequestManager *manager);
/* Returns: (nullable): the part that answers a call of a manager */
OrreryPart *orrery_calls_find_service (OrreryCalls *calls, OrreryRequestManager *manager,
                                       const char *part, const char *service);
/* Queues a call for orrery_calls_run(). */
void orrery_calls_submit (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                          OrreryCall *call);
/* Whether calls wait for orrery_calls_run(). */
gboolean orrery_calls_are_queued (const OrreryCalls *calls);
/* Starts the queued calls in order. */
void orrery_calls_run (OrreryCalls *calls);
/* Ends the queued calls as preempted. */
void orrery_calls_end (OrreryCalls *calls);
/* The same as orrery_calls_start(), for what comes from outside: a request manager, or the program
 * between ticks. */
void orrery_calls_start_outside (OrreryCalls *calls, OrreryRequestManager *manager,
                                 const char *part, OrreryCall *call);
/* Runs one call immediately; a manager of NULL reaches every part. */
void orrery_calls_start (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                         OrreryCall *call);
