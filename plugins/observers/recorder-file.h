/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-faults.h"
#include "recorder-kept.h"
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
  OrreryTime split_period; /* after which another file begins; 0: never */
  guint n_kept;            /* files that are left, the newest ones; 0: all */
  RecorderKept *made;      /* (unowned) */
  char **kept;             /* files that are never written */
  GPtrArray *attachments;  /* RecorderAttachment */
  GVariant *run, *plugins; /* metadata, a{ss} */
  char **objects;          /* names, by index */
  RecorderLog *log;        /* (nullable) */
  RecorderFaults *faults;
  RecorderReplay *replay;  /* (nullable) */
  RecorderStates *states;  /* (nullable) */

  OrreryRecordingWriter *writer; /* (nullable) */
  OrreryWriter *text;            /* the present message */
  guint n_files;
  guint64 n_messages;
  guint64 n_ticks;       /* the tick's, until the writer is to end */
  OrreryTransform *last; /* poses as they were last written */
  OrreryTime split_due;  /* when another file begins; 0: not known before the first message */
  OrreryTime whole_due;  /* when all are written, whether they changed or not */
} RecorderFile;

void recorder_file_clear (RecorderFile *file);
/* A file that each recording has inside. */
void recorder_file_attach (RecorderFile *file, const char *name, GBytes *content);
/* Opens the next file and writes what all begin with. */
gboolean recorder_file_open (RecorderFile *file, RecorderQueue *queue, GError **error);
/* Begins another file if a message of @time belongs to it. */
gboolean recorder_file_advance (RecorderFile *file, RecorderQueue *queue, OrreryTime time,
                                GError **error);
gboolean recorder_file_write (RecorderFile *file, RecorderQueue *queue, const RecorderEntry *entry,
                              GError **error);
/* Writes the lines of the log, the faults, the inputs and the states that wait, up to a time: messages are in
 * its order. */
gboolean recorder_file_write_others (RecorderFile *file, OrreryTime until, GError **error);
gboolean recorder_file_flush (RecorderFile *file, GError **error);
gboolean recorder_file_close (RecorderFile *file, GError **error);
