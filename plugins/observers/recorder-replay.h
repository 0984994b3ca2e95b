/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-last.h"
#include "recorder-queue.h"

/*
 * What it takes to run a recorded run again: the topics /orrery/inputs, all that came to it from
 * outside, and /orrery/hash, by which both are compared.
 */

typedef struct _RecorderReplay RecorderReplay;

/* @period: between two hashes; 0: none. @waits: rather than lose inputs. @largest: bytes of what a
 * part takes: what is longer is not kept */
RecorderReplay *recorder_replay_new (OrreryObserver *observer, RecorderClock clock,
                                     OrreryTime period, gboolean waits, gsize largest);
void recorder_replay_free (RecorderReplay *replay);

/* --- the tick's thread --- */

void recorder_replay_take_input (RecorderReplay *replay, const OrreryRunInput *input);
/* At the end of a tick. */
void recorder_replay_end_tick (RecorderReplay *replay, OrreryTick *tick);

/* --- the writer's thread --- */

gboolean recorder_replay_enter (RecorderReplay *replay, OrreryRecordingWriter *writer,
                                GError **error);
/* Writes what waits, up to that time; of very many more also what is later, but not if the file
 * ends there. @n: messages that were written, counted on */
gboolean recorder_replay_write (RecorderReplay *replay, RecorderSink *sink, OrreryTime until,
                                gboolean ends, guint64 *n, GError **error);
/* Nothing is written any more, and no tick waits for it. */
void recorder_replay_end (RecorderReplay *replay);
