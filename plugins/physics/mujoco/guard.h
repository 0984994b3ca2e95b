/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * MuJoCo's own handlers write a file, ask at the terminal and end the process. Within a guard its
 * errors and warnings are ours: an error leaves the guarded call at once, by a jump.
 *
 *   guard_enter ();
 *   if (setjmp (guard_here ()) == 0)
 *     mj_...
 *   failed = guard_leave (&words);
 */

#include <glib.h>
#include <setjmp.h>

/* Of this thread; one at a time. */
void guard_enter (void);
jmp_buf *guard_buffer (void);
#define guard_here() (*guard_buffer ())
/* What MuJoCo said since guard_enter (), or NULL; @failed: whether it was an error. */
const char *guard_leave (gboolean *failed);
