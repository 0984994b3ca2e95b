/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-name.h"
#include "dds-node.h"
#include "dds-shim.h"

#include <stdatomic.h>

/* What the files of a context share: dds-context.c, its thread and its nodes; dds-environment.c,
 * what the environment says; dds-graph.c, what it tells others about its nodes; dds-topic.c,
 * publishers and subscribers; dds-service.c and dds-client.c, both sides of services. Marks: [io]
 * of the thread of the context alone, [lock] of whoever holds its lock. Events of Fast DDS take the
 * lock, so nobody calls the shim while he holds it. */

/* What one ends' turn handles at most, so that others get theirs. */
#define DDS_TURN 64

/* Begins a publisher, a subscriber, a service, or a client. */
typedef struct _DdsEnd DdsEnd;
struct _DdsEnd {
  DdsNode *node;
  char *name;                /* of the topic or service */
  void (*run) (DdsEnd *end); /* [io] something happened, or its time has come */
  void (*close) (DdsEnd *end);
  void (*free) (DdsEnd *end);
  DdsWriter *writer; /* (nullable): closed [io] */
  DdsReader *reader; /* (nullable) */
  DdsGuid writer_guid, reader_guid;
  gboolean ready;   /* [lock] made: it may run */
  gboolean pending; /* [lock] in the list of the context */
  gboolean gone;    /* [lock] to be closed */
  gboolean closed;  /* [lock] it is being closed, or was */
  DdsEnd *next;     /* [lock] */
  gint64 due;       /* [io] ms; 0: waits for nothing */
  atomic_uint n_refused;
};

struct _DdsNode {
  DdsContext *context;
  char *name, *name_space, *full;
};

struct _DdsContext {
  DdsContextOptions options;
  DdsParticipant *participant;
  DdsGuid guid;
  GThread *thread;
  atomic_uint n_calls; /* of others that wait for an answer */
  atomic_size_t n_call_bytes;
  atomic_bool told_full; /* there were too many */
  guint n_made;          /* services and clients so far */
  GMutex lock;
  GCond wake, has_closed;
  gboolean stopping;      /* [lock] */
  guint n_leaving;        /* [lock] ends that are gone and not yet closed */
  gboolean stopped;       /* of the thread of the simulation */
  gboolean graph_changed; /* [lock] */
  GPtrArray *nodes;       /* [lock] (element-type DdsNode) */
  GPtrArray *ends;        /* [lock] (element-type DdsEnd) */
  DdsEnd *first, **last;  /* [lock] that are pending */
  GPtrArray *waiting;     /* [io] (element-type DdsEnd): have a time */
  gint64 deadline;        /* [io] ms, of the stop */
  gint64 drained;         /* [io] ms: answers are waited for until then; 0: nothing was closed */
  /* The graph. */
  const OrreryMessageType *graph_type;
  OrreryWriter *bytes; /* [io] */
  DdsWriter *graph;    /* [io] */
};

gint64 dds_now (void);
void dds_context_log (DdsContext *context, DdsLogLevel level, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* --- ends --- */

/* Takes @end, whose first members are filled, over; it runs from now on. */
void dds_end_add (DdsEnd *end);
/* Frees one that was not added. */
void dds_end_abandon (DdsEnd *end);
/* It is to run. [lock]; the thread wakes up with the next dds_context_wake() or flush. */
void dds_end_mark (DdsEnd *end);
/* The same without the lock, and wakes the thread. */
void dds_end_wake (DdsEnd *end);
/* It is to be closed. */
void dds_end_leave (DdsEnd *end);
/* [io] When it is to run again at the latest, 0: never */
void dds_end_set_due (DdsEnd *end, gint64 due);
gboolean dds_end_is_gone (DdsEnd *end);
/* An event: somebody else's end of its topic does not fit. */
void dds_end_refuse (DdsEnd *end, const char *who, const char *policy);

/* An end of somebody else. */
typedef struct {
  DdsGuid guid;
  gint64 since; /* ms */
} DdsOther;

/* Others that are matched. [lock] */
void dds_others_change (GArray *others, const DdsGuid *guid, int change);
/* The one whose name begins with these bytes. */
const DdsOther *dds_others_find (GArray *others, const DdsGuid *guid, gsize length);
/* When it surely knows this end, too. */
gint64 dds_other_get_ready (const DdsOther *other);

/* --- both sides of services --- */

#define DDS_HEADER_LENGTH 16
#define DDS_ENCAPSULATION 4

/* The libraries tie an answer to its request in two ways: Fast DDS beside the sample, Cyclone DDS
 * by a header in it. */
gboolean dds_guid_is_cyclone (const DdsGuid *guid);
/* Takes the header out of a sample. Returns: (transfer full) (nullable): NULL: it is too short */
GBytes *dds_sample_split (GBytes *sample, guint8 header[DDS_HEADER_LENGTH]);
/* Writes a sample with @header inside, unless it is NULL. */
gboolean dds_sample_write (DdsWriter *writer, GBytes *sample, const guint8 *header,
                           const DdsIdentity *related, gint64 *number);
/* User data by which Cyclone DDS finds the other half. Returns: (transfer full) */
char *dds_context_make_id (DdsContext *context, const char *key);
/* Two ends for a service: @written and @read are `rq` and `Request`, `rr` and `Reply`. */
gboolean dds_end_open_service (DdsEnd *end, const char *type, gboolean is_client,
                               const DdsEvents *writer_events, const DdsEvents *reader_events,
                               GError **error);

/* --- the rest --- */

/* Who takes part, as the shim wants to know it. */
typedef struct {
  guint domain;
  gboolean discovers, multicast;
  GPtrArray *interfaces; /* (nullable) (element-type utf8) */
  GPtrArray *peers;      /* (element-type utf8) */
} DdsPlan;

gboolean dds_plan_make (DdsPlan *plan, const DdsContextOptions *options, GError **error);
void dds_plan_clear (DdsPlan *plan);

gboolean dds_graph_open (DdsContext *context, GError **error);
/* [io] */
void dds_graph_write (DdsContext *context);
void dds_graph_close (DdsContext *context);
