/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-last.h"

/*
 * The lines that parts log, on their way to the thread that writes: any thread adds one, and the
 * writer makes messages of them. So many lines wait at most; what comes then is counted.
 */
typedef struct _RecorderLog RecorderLog;

/* @part: whose simulation is listened to, until recorder_log_free() */
RecorderLog *recorder_log_new (OrreryPart *part);
void recorder_log_free (RecorderLog *log);
/* The tick's thread: what is logged from now on belongs to the tick after that of @number. What was
 * logged before the first call waits for it. */
void recorder_log_set_time (RecorderLog *log, OrreryTime time, guint64 number);

/* The writer's thread, or before it is started: tells a file of the topic. */
gboolean recorder_log_enter (RecorderLog *log, OrreryRecordingWriter *writer, GError **error);
/* Writes what waits and is not of a later time than @until. @n: (inout): messages that were written
 */
gboolean recorder_log_write (RecorderLog *log, RecorderSink *sink, OrreryTime until, guint64 *n,
                             GError **error);
