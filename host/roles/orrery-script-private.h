/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-script.h"

/* What a script asks for in a callback. */
typedef enum {
  ORRERY_SCRIPT_WISH_NONE,
  ORRERY_SCRIPT_WISH_CLEANUP,
  ORRERY_SCRIPT_WISH_RESTART,
} OrreryScriptWish;

/* Where it belongs: once, after it is made. */
void orrery_script_place (OrreryScript *script, OrreryScriptType type, OrreryObject *object);
/* Raised by one when the script has a wish, or its thread is over; NULL: by nobody seen. */
void orrery_script_watch (OrreryScript *script, guint *n_wishes);
/* What it asked for since the last question. */
OrreryScriptWish orrery_script_take_wish (OrreryScript *script);

/* One step of its thread: as any other callback. */
void orrery_script_run_thread (OrreryScript *script, OrreryTick *tick, GError **error);
/* Its thread is over: of a script whose thread runs elsewhere. */
void orrery_script_end_thread (OrreryScript *script);
gboolean orrery_script_is_thread_over (OrreryScript *script);
