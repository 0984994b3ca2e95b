/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/*
 * What a worker says to its host, by packets: lines of its log and of what it prints, limited in
 * rate, and which limit it is about to die of. Nothing of this waits for the host.
 */

#define ORRERY_VOICE_MAX 4096

typedef enum {
  ORRERY_VOICE_LINE = 'L',   /* level, domain, text */
  ORRERY_VOICE_FLOOD = 'F',  /* more lines than can be told */
  ORRERY_VOICE_MEMORY = 'M', /* its limit of memory */
} OrreryVoiceKind;

typedef struct {
  guint32 kind;
  guint32 level;
  /* Bytes of what stands one behind the other, without a NUL; the text is behind them. */
  guint32 n_domain;
  guint32 n_part; /* full name and class of the part that speaks; 0: none does */
  guint32 n_class;
  guint32 asked; /* a level was set that asks for the line */
  char text[ORRERY_VOICE_MAX];
} OrreryVoicePacket;

#define ORRERY_VOICE_HEAD G_STRUCT_OFFSET (OrreryVoicePacket, text)

/* So many lines at once and a second; what is more is counted. */
#define ORRERY_VOICE_BURST 100
#define ORRERY_VOICE_RATE 50
/* Whoever says as much in a second floods its log, and is taken down. */
#define ORRERY_VOICE_FLOOD_LINES 20000

/* In the worker: from now on the log and what is printed go to the host. */
void orrery_voice_start (int socket, int words);
/* Bytes of data that the process may have; 0: no limit */
void orrery_voice_limit_memory (guint64 memory);

G_END_DECLS
