/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-last.h"

/*
 * Saved states of the run, on their way to the thread that writes. A few wait at most; the next one
 * is then taken as soon as there is room.
 */
typedef struct _RecorderStates RecorderStates;

/* @observer: borrowed; @period: of simulated time between two states */
RecorderStates *recorder_states_new (OrreryObserver *observer, OrreryTime period);
void recorder_states_free (RecorderStates *states);
/* The tick's thread, within `tick`: takes a state if one is due. */
void recorder_states_take (RecorderStates *states, OrreryTick *tick);

/* The writer's thread, or before it is started: tells a file of the topic. */
gboolean recorder_states_enter (RecorderStates *states, OrreryRecordingWriter *writer,
                                GError **error);
/* Writes what waits and is not of a later time than @until. @n: (inout): messages that were written
 */
gboolean recorder_states_write (RecorderStates *states, RecorderSink *sink, OrreryTime until,
                                guint64 *n, GError **error);
