/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-faults.h"
#include "recorder-kept.h"
#include "recorder-last.h"
#include "recorder-log.h"
#include "recorder-queue.h"
#include "recorder-replay.h"
#include "recorder-states.h"

/* A file inside of each recording */
typedef struct {
  char *name;
  GBytes *content;
} RecorderAttachment;

/* The files of a run, one after the other */
typedef struct {
  char *path;              /* of the first one */
  char *compression;       /* "auto", "none", or its name */
  guint64 split;           /* bytes after which another file begins; 0: never */
  guint n_kept;            /* files that are left, the newest ones; 0: all */
  RecorderKept *made;      /* (unowned) */
  char **kept;             /* files that are never written */
  GPtrArray *attachments;  /* RecorderAttachment */
  GVariant *run, *plugins; /* metadata, a{ss} */
  RecorderClock clock;
  char **objects;   /* names, by index */
  RecorderLog *log; /* (nullable) */
  RecorderFaults *faults;
  RecorderReplay *replay; /* (nullable) */
  RecorderStates *states; /* (nullable): also where files begin */

  RecorderSink sink;  /* with last, files are only made by recorder_file_save() */
  OrreryWriter *text; /* the present message */
  guint n_files;
  guint64 n_messages;
  guint64 n_ticks;       /* the tick's, until the writer is to end */
  OrreryTransform *last; /* poses as they were last written */
  gboolean is_full;      /* another file was asked for */
  OrreryTime whole_due;  /* when all are written, whether they changed or not */
} RecorderFile;

/* Messages that are saved to a file of their own */
typedef struct {
  GPtrArray *messages; /* (element-type RecorderMessage) */
  guint64 n_ticks;     /* how many had run in the end */
  gboolean is_whole;   /* they begin where the recorder began */
  guint64 n_dropped;   /* for which there was no room, so far */
} RecorderExtract;

void recorder_file_clear (RecorderFile *file);
/* A file that each recording has inside. */
void recorder_file_attach (RecorderFile *file, const char *name, GBytes *content);
/* (transfer full): the path of the next file */
char *recorder_file_make_path (const RecorderFile *file);
/* Opens the next file and writes what all begin with, unless the last messages are kept. */
gboolean recorder_file_open (RecorderFile *file, RecorderQueue *queue, GError **error);
gboolean recorder_file_write (RecorderFile *file, RecorderQueue *queue, const RecorderEntry *entry,
                              GError **error);
/* Writes the lines of the log, the faults, the inputs and the states that wait, up to a time:
 * messages are in its order. Begins another file where one begins until then. */
gboolean recorder_file_write_others (RecorderFile *file, RecorderQueue *queue, OrreryTime until,
                                     GError **error);
/* Nothing is written any more: no tick waits for it. */
void recorder_file_give_up (RecorderFile *file);
gboolean recorder_file_flush (RecorderFile *file, GError **error);
gboolean recorder_file_close (RecorderFile *file, GError **error);
/* Writes a file of its own. Any thread, one at a time, while the others write to the last messages.
 */
gboolean recorder_file_save (RecorderFile *file, RecorderQueue *queue,
                             const RecorderExtract *extract, GError **error);
