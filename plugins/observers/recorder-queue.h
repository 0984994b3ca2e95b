/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recorder-form.h"
#include "recorder-foxglove.h"

#include <stdatomic.h>

/*
 * What passes from the tick to the thread that writes: copies of records, and the poses of all
 * objects. Each source has its own slots, all made before the first tick.
 */

/* When a tick is, whether it has begun or not. */
typedef struct {
  OrreryTime start; /* simulated time before tick 0 */
  guint64 microhertz;
} RecorderClock;

/* The time of the messages of a tick. */
static inline OrreryTime
recorder_clock_get_time (const RecorderClock *clock, guint64 tick)
{
  return clock->start +
         (OrreryTime) ((unsigned __int128) (tick + 1) * 1000000000000000 / clock->microhertz);
}

/* The number of the tick whose messages are of that time, above 0. */
static inline guint64
recorder_clock_find_tick (const RecorderClock *clock, OrreryTime time)
{
  unsigned __int128 length = (unsigned __int128) MAX (time - clock->start, 0);
  guint64 n = (guint64) ((length * clock->microhertz + 500000000000000) / 1000000000000000);

  return MAX (n, 2) - 1;
}

typedef struct {
  OrreryComponent *component; /* NULL: the poses of all objects */
  char *topic;
  char *schema; /* JSON */
  char *classpath;
  RecorderForm form;          /* of its records */
  RecorderDrawn *drawn;       /* (nullable): what viewers are told of it, too */
  guint next;                 /* slot; the tick's */
  guint n_put;                /* the tick's */
  guint n_released;           /* atomic, set by the writer alone */
  OrreryTime due;             /* the tick's: the earliest time of the next one */
  guint16 schema_id, channel; /* the writer's */
} RecorderSource;

typedef struct {
  guint source;
  guint slot;
  OrreryTime time;
} RecorderEntry;

typedef struct {
  RecorderSource *sources;
  guint n_sources;
  guint n_slots; /* of each source */
  guint n_objects;
  OrreryRecord **slots;   /* n_slots times n_sources; NULL: of the poses */
  OrreryTransform *poses; /* n_slots times n_objects */

  RecorderEntry *ring; /* has room for all slots */
  guint mask;
  guint head;                 /* the tick's */
  guint published;            /* atomic: before these, the writer may read */
  guint tail;                 /* the writer's */
  OrreryTime time;            /* the tick's: of what was published last */
  atomic_int_least64_t until; /* all up to this time was published */

  gboolean waits;     /* rather than drop */
  guint n_dropped;    /* atomic */
  gint n_waiting;     /* atomic: the tick waits for a slot */
  guint n_unsignaled; /* ticks */
  gint stop;          /* atomic */
  gboolean woken;     /* guarded by lock */
  GMutex lock;        /* for the conditions only */
  GCond filled, freed;
} RecorderQueue;

/* @n_slots: of each source. Takes the sources. */
RecorderQueue *recorder_queue_new (RecorderSource *sources, guint n_sources, guint n_slots,
                                   guint n_objects);
void recorder_queue_free (RecorderQueue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RecorderQueue, recorder_queue_free)

/* --- the tick's thread --- */

/* Returns: a slot to write to, or -1: the queue is full, which is counted */
gint recorder_queue_take (RecorderQueue *queue, guint source);
/* The slot was written; the writer sees it after recorder_queue_publish(). */
void recorder_queue_put (RecorderQueue *queue, guint source, guint slot);
/* All that was put since the last time belongs to this time. */
void recorder_queue_publish (RecorderQueue *queue, OrreryTime time);
/* The writer is to look now. */
void recorder_queue_wake (RecorderQueue *queue);
/* Nothing more comes. */
void recorder_queue_stop (RecorderQueue *queue);

/* --- the writer's thread --- */

/* Returns: the time up to which all was published before this call */
OrreryTime recorder_queue_get_time (RecorderQueue *queue);
/* Returns: whether there is an entry; it is the writer's until recorder_queue_release() */
gboolean recorder_queue_get (RecorderQueue *queue, RecorderEntry *entry);
void recorder_queue_release (RecorderQueue *queue, const RecorderEntry *entry);
/* Until there is something, or a while has passed. */
void recorder_queue_wait (RecorderQueue *queue, guint ms);

static inline OrreryRecord *
recorder_queue_get_record (RecorderQueue *queue, guint source, guint slot)
{
  return queue->slots[(gsize) slot * queue->n_sources + source];
}

static inline OrreryTransform *
recorder_queue_get_poses (RecorderQueue *queue, guint slot)
{
  return queue->poses + (gsize) slot * queue->n_objects;
}
