/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * What a page that plays a run without a server has of it: poses and records with their times,
 * compressed as they come. Used on one thread.
 */

typedef struct {
  GConverter *compressor;
  GByteArray *bytes; /* compressed, RFC 1950 */
  GByteArray *poses; /* the last ones */
  guint64 size;      /* before that */
  guint64 limit;     /* of size */
  gboolean full;
} KeptRun;

/* @limit: bytes before they are compressed, which is what a browser has to hold */
void kept_run_init (KeptRun *kept, guint64 limit);
void kept_run_clear (KeptRun *kept);
/*
 * An entry is channel and length, uint32, time, uint64 in ns, all little-endian, and the bytes.
 * Returns: FALSE: it found no room, nor will what comes later
 */
gboolean kept_run_add (KeptRun *kept, guint32 channel, OrreryTime time, gconstpointer data,
                       gsize length);
/* The same in channel 0, XOR those before: what stands still is zeros. All have the same length. */
gboolean kept_run_add_poses (KeptRun *kept, OrreryTime time, const guint8 *data, gsize length);
/* Behind the last one: no more can be added. */
void kept_run_end (KeptRun *kept);
