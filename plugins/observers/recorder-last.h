/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * The messages of the last seconds, in memory, in the order in which they were written. They begin
 * with the state before those seconds, if there are states, so that a run can go on from there. One
 * thread; the messages themselves never change, and any thread may have a reference.
 */

typedef struct {
  const guint16 *channel; /* where its number stands */
  OrreryTime time;
  guint64 ticks; /* of a state, how many had run; 0: it is none */
  gsize length;
  char data[];
} RecorderMessage; /* g_atomic_rc_box */

typedef struct _RecorderLast RecorderLast;

/* @max_bytes: of messages and what it costs to keep them; the oldest ones are dropped */
RecorderLast *recorder_last_new (OrreryTime length, gsize max_bytes);
void recorder_last_free (RecorderLast *last);

/* The next message is a state behind so many ticks. */
void recorder_last_mark (RecorderLast *last, guint64 ticks);
void recorder_last_add (RecorderLast *last, const guint16 *channel, OrreryTime time,
                        const char *data, gsize length);

/* Returns: (transfer full) (element-type RecorderMessage): all that are not of a later time */
GPtrArray *recorder_last_copy (RecorderLast *last, OrreryTime until);
/* Whether the first message of all is still there */
gboolean recorder_last_is_whole (RecorderLast *last);
/* How many messages of the last seconds there was no room for, since the beginning */
guint64 recorder_last_get_n_dropped (RecorderLast *last);

/* Where messages go: to a file, or to the last ones. */
typedef struct {
  OrreryRecordingWriter *writer; /* (nullable) */
  RecorderLast *last;            /* (nullable): in place of the writer */
} RecorderSink;

gboolean recorder_sink_write (RecorderSink *sink, const guint16 *channel, OrreryTime time,
                              const char *data, gsize length, GError **error);
