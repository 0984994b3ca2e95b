/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-overlay.h"
#include "roles/orrery-request-manager.h"

/*
 * Which part answers to which name on which request manager, and the calls that wait. A manager
 * reaches only what is mapped to it and what is mapped to all. Tick thread only.
 */

typedef struct _OrreryCalls OrreryCalls;

OrreryCalls *orrery_calls_new (void);
void orrery_calls_free (OrreryCalls *calls);
/*
 * Makes @part answer to @name: on @manager, or on all where that is NULL. Several parts may share a
 * name: the one mapped last that has a service answers for it; so a component gives way to its
 * overlays. An error if a part that is no component has the same service there already, under that
 * name.
 */
gboolean orrery_calls_map (OrreryCalls *calls, OrreryRequestManager *manager, const char *name,
                           OrreryPart *part, GError **error);
/* Every part, for callers inside: components that no manager is mapped to. */
void orrery_calls_map_inside (OrreryCalls *calls, const char *name, OrreryPart *part);
/* Nobody's calls go to @part any more. */
void orrery_calls_unmap (OrreryCalls *calls, OrreryPart *part);
/* The parts that answer to a name on a manager, without one on all; (element-type OrreryPart) or
 * NULL. */
GPtrArray *orrery_calls_find (OrreryCalls *calls, OrreryRequestManager *manager, const char *name);
/* What a manager reaches, by name: `a(ssu)`, a floating one: name, service, OrreryServiceFlags. */
GVariant *orrery_calls_list (OrreryCalls *calls, OrreryRequestManager *manager);
/* Queues a call for orrery_calls_run(). */
void orrery_calls_submit (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                          OrreryCall *call);
gboolean orrery_calls_has_queued (OrreryCalls *calls);
/* Starts what is queued, in order. */
void orrery_calls_run (OrreryCalls *calls);
/* Ends what is queued: preempted. */
void orrery_calls_end (OrreryCalls *calls);
/* Runs one call now; manager NULL reaches every part. */
void orrery_calls_start (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                         OrreryCall *call);
