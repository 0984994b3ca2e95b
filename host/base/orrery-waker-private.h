/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * Ends a sleep from any thread. Counted, since who wakes may come when the sleeper is gone already.
 */
typedef struct _OrreryWaker OrreryWaker;

OrreryWaker *orrery_waker_new (void);
OrreryWaker *orrery_waker_ref (OrreryWaker *waker);
void orrery_waker_unref (OrreryWaker *waker);

/* Ends the sleep of now, or the next one if there is none now. Any thread. */
void orrery_waker_wake (OrreryWaker *waker);
/* From now on the sleep is that of a main loop; NULL: again in orrery_waker_sleep(). */
void orrery_waker_set_context (OrreryWaker *waker, GMainContext *context);
/* Who wakes @waker wakes @next, too; NULL: no more. */
void orrery_waker_set_next (OrreryWaker *waker, OrreryWaker *next);
/* At most @wait ns by the wall; without end if less than 0. One thread at a time. */
void orrery_waker_sleep (OrreryWaker *waker, OrreryTime wait);
/* Whether it was woken since the last question, or the last sleep. */
gboolean orrery_waker_take (OrreryWaker *waker);
/*
 * Sleeps of this thread end on time: by default the kernel may be 50 us late, to save wake-ups.
 * Returns: what orrery_waker_end_precision() wants
 */
int orrery_waker_begin_precision (void);
void orrery_waker_end_precision (int slack);
