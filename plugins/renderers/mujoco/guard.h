/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/*
 * Runs functions of MuJoCo, whose own handler of errors writes a file, asks for a key and ends the
 * program. Its handlers belong to the whole process: they are ours while a function runs, and
 * afterwards what they were before.
 */

typedef void (*GuardFunc) (gpointer data);

/* FALSE: it failed, and the error says what MuJoCo said. */
gboolean guard_run (GuardFunc func, gpointer data, GError **error);
