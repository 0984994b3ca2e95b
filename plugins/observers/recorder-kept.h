/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* The files that a recorder made, the oldest first */
typedef struct _RecorderKept RecorderKept;

RecorderKept *recorder_kept_new (void);
void recorder_kept_free (RecorderKept *kept);
/* Notes a file that was opened just now, and removes the oldest ones, so that @n are left; 0: all
 * are. Only files that are still those that the recorder made are removed. */
void recorder_kept_add (RecorderKept *kept, const char *path, guint n);
/* Number of files that could not be removed since the last call */
guint recorder_kept_take_failures (RecorderKept *kept);
