/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-last.h"

/*
 * What a sensor says once more, in a message that Foxglove draws: a pose, a scan, a cloud of
 * points, a picture with the lens of its camera, a place on the Earth. Which of them is told by the
 * fields of its record.
 */
typedef struct _RecorderDrawn RecorderDrawn;

/* How messages are written. */
typedef struct {
  gboolean packed;                 /* what is large in CDR */
  const char *format;              /* (nullable): pictures as "png" or "jpeg", where they can be */
  const OrreryRecordingForm *form; /* of the component's records: its digits are those of scans */
} RecorderDrawnKind;

/* Whether they can be written so. */
gboolean recorder_drawn_check (const RecorderDrawnKind *kind, GError **error);
/* Before the first tick. Returns: (nullable): NULL: Foxglove draws nothing of it */
RecorderDrawn *recorder_drawn_new (OrreryComponent *component, const RecorderDrawnKind *kind);
void recorder_drawn_free (RecorderDrawn *drawn);

/* Tells a file of the topic, /orrery/foxglove/ and the topic of the component without its /. */
gboolean recorder_drawn_enter (RecorderDrawn *drawn, OrreryRecordingWriter *writer, GError **error);
/* @record: a copy of the component's, of that time. A record that has nothing to draw, as a
 * camera's before its first picture, makes no message. @n: (inout): messages that were written */
gboolean recorder_drawn_write (RecorderDrawn *drawn, RecorderSink *sink, OrreryRecord *record,
                               OrreryTime time, guint64 *n, GError **error);
