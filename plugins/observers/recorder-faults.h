/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-last.h"
#include "recorder-queue.h"

/*
 * The topic /orrery/faults: parts that failed, on their way to the thread that writes. So many wait
 * at most; further ones are counted.
 */
typedef struct _RecorderFaults RecorderFaults;

RecorderFaults *recorder_faults_new (RecorderClock clock);
void recorder_faults_free (RecorderFaults *faults);

/* The tick's thread. @now: simulated time of the last tick */
void recorder_faults_take (RecorderFaults *faults, const OrreryRunFault *fault, OrreryTime now);

/* The writer's thread, or before it is started: tells a file of the topic. */
gboolean recorder_faults_enter (RecorderFaults *faults, OrreryRecordingWriter *writer,
                                GError **error);
/* Writes what waits and is not of a later time than @until. @n: (inout): messages that were written
 */
gboolean recorder_faults_write (RecorderFaults *faults, RecorderSink *sink, OrreryTime until,
                                guint64 *n, GError **error);
