/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-last.h"

/*
 * Saved states of the run, on their way to the thread that writes, and with which of them another
 * file begins. A few wait at most; the next one is then taken as soon as there is room.
 */
typedef struct _RecorderStates RecorderStates;

/* Where another file begins */
typedef struct {
  OrreryTime time; /* of its first messages */
  guint64 ticks;   /* that had run, with that of this time */
} RecorderBegin;

/* @observer: borrowed; @period: of simulated time between two states, 0: there are none;
 * @split_period: the same of files, 0: not by time; @waits: whether the tick waits for room */
RecorderStates *recorder_states_new (OrreryObserver *observer, OrreryTime period,
                                     OrreryTime split_period, gboolean waits);
void recorder_states_free (RecorderStates *states);
/* The tick's thread, within `tick`: takes a state if one is due, or if another file is to begin.
 * Returns: whether the writer has something to write */
gboolean recorder_states_take (RecorderStates *states, OrreryTick *tick);

/* The writer's thread, or before it is started: tells a file of the topic. */
gboolean recorder_states_enter (RecorderStates *states, OrreryRecordingWriter *writer,
                                GError **error);
/* The file is as large as it may be: another one begins with one of the next ticks. */
void recorder_states_ask_split (RecorderStates *states);
/* Finds where another file begins, up to a time, once each. Returns: whether there is such */
gboolean recorder_states_find_split (RecorderStates *states, OrreryTime until,
                                     RecorderBegin *begin);
/* Nothing is written any more, and no tick waits for it. */
void recorder_states_end (RecorderStates *states);
/* Writes what waits and is not of a later time than @until. @n: (inout): messages that were written
 */
gboolean recorder_states_write (RecorderStates *states, RecorderSink *sink, OrreryTime until,
                                guint64 *n, GError **error);
