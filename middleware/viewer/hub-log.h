/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * What clients of the viewer are told of the log of parts and of their faults. It is kept for
 * clients that come later: the newest lines, and of each part and kind of fault the last one.
 */

/* Lines that are kept, and kinds of faults of parts. */
#define HUB_LOG_LENGTH 1000

typedef enum { HUB_LOG_LINE, HUB_LOG_FAULT } HubLogKind;

/* A line of the log, or a fault. It does not change; any thread may hold a reference. */
typedef struct {
  HubLogKind kind;
  guint64 serial; /* counts lines and faults from 1 */
  OrreryTime time;
  guint64 tick;
  char *part;
  char *text;
  OrreryLogLevel level;     /* of a line */
  OrreryRunFaultKind fault; /* of a fault, as the rest */
  char *classpath;          /* (nullable) */
  char *where;
  guint64 count;
} HubLogEntry;

typedef struct _HubLog HubLog;

HubLog *hub_log_new (void);
void hub_log_free (HubLog *log);

/* --- any thread --- */

/* When it is: for lines from now on. */
void hub_log_set_time (HubLog *log, OrreryTime time, guint64 tick);
void hub_log_add_line (HubLog *log, OrreryLogLevel level, const char *part, const char *text);
void hub_log_add_fault (HubLog *log, const OrreryRunFault *fault);
/* Another scene: its parts have had no faults. */
void hub_log_forget_faults (HubLog *log);
/* Returns: (transfer full) (element-type HubLogEntry): what came behind the one of that number, in
 * order */
GPtrArray *hub_log_get (HubLog *log, HubLogKind kind, guint64 serial);
/* As JSON: a foxglove.Log or an orrery.Fault. */
void hub_log_write (const HubLogEntry *entry, OrreryWriter *out);

/* --- I/O thread --- */

/* Has @func called here soon after something came, but not more often than ten times a second. It
 * takes the place of another one. */
void hub_log_watch (HubLog *log, GSourceFunc func, gpointer data);
void hub_log_unwatch (HubLog *log);

/* Schemas: those of recordings, but for what only these have. */
extern const char hub_log_schema[];
extern const char hub_faults_schema[];
