/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/*
 * Packets from a worker to its host: lines of its log and of its output, limited in rate, and
 * notices of a limit that it is about to be killed for. The functions never wait for the host.
 */

#define ORRERY_WORKER_LOG_MAX 4096

typedef enum {
  ORRERY_WORKER_LOG_LINE = 'L',   /* level, domain, text */
  ORRERY_WORKER_LOG_FLOOD = 'F',  /* far more lines than the rate allows */
  ORRERY_WORKER_LOG_MEMORY = 'M', /* its memory limit */
} OrreryWorkerLogKind;

typedef struct {
  guint32 kind;
  guint32 level;
  /* Sizes in bytes of consecutive strings, without a NUL; the text follows them. */
  guint32 n_domain;
  guint32 n_part; /* full name and class of the part that logs; 0: none does */
  guint32 n_class;
  guint32 asked; /* the line was requested by a level of the log that was set */
  char text[ORRERY_WORKER_LOG_MAX];
} OrreryWorkerLogPacket;

#define ORRERY_WORKER_LOG_HEAD G_STRUCT_OFFSET (OrreryWorkerLogPacket, text)

/* Largest number of lines at once, and per second; more are dropped and counted. */
#define ORRERY_WORKER_LOG_BURST 100
#define ORRERY_WORKER_LOG_RATE 50
/* A worker that logs so many lines in a second is killed. */
#define ORRERY_WORKER_LOG_FLOOD_LINES 20000

/* In the worker: sends the log and the output to the host from now on. */
void orrery_worker_log_start (int socket, int printed);
/* While it is muted nothing but errors is sent: the host has said the rest of the same scene. */
void orrery_worker_log_mute (gboolean muted);
/* Largest size of the data of the process in bytes; 0: no limit */
void orrery_worker_log_limit_memory (guint64 memory);

G_END_DECLS
