/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-file.h"

/*
 * Writes the last messages to a file when somebody asks for it: the tick notes that, the thread
 * that encodes takes the messages, and a thread of its own writes them.
 */
typedef struct _RecorderSaver RecorderSaver;

/* @observer: borrowed, as the others */
RecorderSaver *recorder_saver_new (OrreryObserver *observer, RecorderFile *file,
                                   RecorderQueue *queue);
/* Waits for the file that is being written. */
void recorder_saver_free (RecorderSaver *saver);

/* --- the tick's thread --- */

/* @now: simulated time of the last tick. Returns: (transfer full) (nullable): the file that will
 * have everything up to it; NULL with the error: one is being written */
char *recorder_saver_ask (RecorderSaver *saver, OrreryTime now, GError **error);
gboolean recorder_saver_is_busy (RecorderSaver *saver);

/* --- the thread that encodes --- */

/* Returns: whether somebody asks for the messages up to @until: once all of these are encoded,
 * recorder_saver_serve() is called */
gboolean recorder_saver_is_asked (RecorderSaver *saver, OrreryTime *until);
void recorder_saver_serve (RecorderSaver *saver);
