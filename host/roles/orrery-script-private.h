/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-script.h"

/* What a script asks for in a callback. */
typedef enum {
  ORRERY_SCRIPT_REQUEST_NONE,
  ORRERY_SCRIPT_REQUEST_CLEANUP,
  ORRERY_SCRIPT_REQUEST_RESTART,
} OrreryScriptRequest;

/* Where it belongs: once, after it is made. */
void orrery_script_place (OrreryScript *script, OrreryScriptType type, OrreryObject *object);
/* @n_requests: counted up when the script makes a request or its thread ends; NULL: not counted */
void orrery_script_watch (OrreryScript *script, guint *n_requests);
/* What it asked for since the last question. */
OrreryScriptRequest orrery_script_take_request (OrreryScript *script);

/* One step of its thread: as any other callback. */
void orrery_script_run_thread (OrreryScript *script, OrreryTick *tick, GError **error);
/* Its thread is over: of a script whose thread runs elsewhere. */
void orrery_script_end_thread (OrreryScript *script);
gboolean orrery_script_is_thread_over (OrreryScript *script);
