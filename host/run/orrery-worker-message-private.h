/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-record.h"
#include "world/orrery-world.h"

G_BEGIN_DECLS

/*
 * What host and worker say to each other, through a ring in each direction. Every piece of a
 * message begins at a multiple of 8. Components are known by their place among those of the scene,
 * which is the same on both sides.
 */

typedef enum {
  ORRERY_REQUEST_START = 1, /* payload: what each component starts from */
  ORRERY_REQUEST_STEP,      /* an answer for each entry that is not a source */
  ORRERY_REQUEST_CALL,      /* one entry; payload: number, service, arguments */
  ORRERY_REQUEST_CANCEL,    /* one entry; payload: number */
  ORRERY_REQUEST_RESTORE,   /* one entry; payload: state, if there is one */
  ORRERY_REQUEST_END,       /* no answer: it ends */
  ORRERY_REQUEST_MAKE,      /* the entry of a script; payload: its name, options to set */
  ORRERY_REQUEST_DROP,      /* the same without a payload */
  ORRERY_REQUEST_CALLBACK,  /* what a script sees, it, then an OrreryOccasion */
  ORRERY_REQUEST_SAVE,      /* one entry; answered with its state */
} OrreryRequestKind;

/* A request: this, then snapshot, properties, entries each with its record, payload. */
typedef struct {
  guint32 kind;
  guint32 n_entries;
  guint64 id;
  guint64 number; /* of the tick */
  OrreryTime time;
  guint32 n_objects; /* 0: what is seen is as before */
  guint32 n_contacts;
  guint64 n_properties; /* bytes of a variant: what was changed since; 0: nothing */
  guint64 n_payload;    /* bytes of a variant; 0: none */
} OrreryRequest;

/* Among the changed properties, in place of a part: levels of the log. */
#define ORRERY_CHANGE_OF_LOG G_MAXUINT32

#define ORRERY_ENTRY_RECORD 1u    /* its record follows */
#define ORRERY_ENTRY_COMMANDED 2u /* it has new input */
#define ORRERY_ENTRY_ACTIVE 4u
#define ORRERY_ENTRY_SAVE 8u    /* its state is wanted afterwards */
#define ORRERY_ENTRY_SOURCE 16u /* it does not step: another reads its record */
#define ORRERY_ENTRY_SIGHT 32u  /* the same, and that is a script, which may change it */
#define ORRERY_ENTRY_STALE 64u

typedef struct {
  guint32 component;
  guint32 flags;
  OrreryTime timestamp; /* its robot's clock */
  guint64 n_record;
} OrreryEntry;

#define ORRERY_OCCASION_AFTER 1u
#define ORRERY_OCCASION_PAIR 2u
#define ORRERY_OCCASION_JOINT 4u
#define ORRERY_OCCASION_ANEW 8u /* the first of its callbacks in a tick */

/* A callback, with what the tick says of it. */
typedef struct {
  guint32 callback;
  guint32 flags;
  guint32 substep;
  guint32 pair[2];
  guint32 joint;
} OrreryOccasion;

#define ORRERY_ANSWER_READY 1u  /* to a start; payload: what came of each setup */
#define ORRERY_ANSWER_RECORD 2u /* its record follows */
#define ORRERY_ANSWER_LATEST 4u /* its record is the newest value of its own channel */
#define ORRERY_ANSWER_ACTIVE 8u /* the component takes part in the ticks */
#define ORRERY_ANSWER_TOLD 16u  /* of a cancel: the part itself answered the call */
#define ORRERY_ANSWER_LAST 32u  /* nothing more comes for this request */
#define ORRERY_ANSWER_STEP 64u  /* of a step; else of something that is asked between them */
#define ORRERY_ANSWER_ANEW 128u /* of the first, where a tick has several */
/* Of a callback: */
#define ORRERY_ANSWER_HANDLED 256u     /* it returned TRUE */
#define ORRERY_ANSWER_THREAD_OVER 512u /* and its thread has ended */
#define ORRERY_ANSWER_CLEANUP 1024u    /* the script asks for its end */
#define ORRERY_ANSWER_RESTART 2048u    /* or for a new one */

/* An answer: this, then commands, record, entries each with its record, payload. */
typedef struct {
  guint32 component;
  guint32 flags;
  guint64 id;
  guint64 n_record;
  guint64 n_payload; /* bytes of a variant; 0: nothing went wrong, nothing was called */
  guint32 n_commands;
  guint32 refused_object;
  guint64 n_refused;
  guint64 n_sights; /* of what a script sees, what it has changed */
} OrreryAnswer;

/* Of an answer: error (code, words; "": none), calls that were answered (number, fault, error
 * code, words, result), state. */
#define ORRERY_ANSWER_TYPE "(isa(tiismv)mv)"
/* Of START, for each component by its name: state, record, options to set. */
#define ORRERY_START_TYPE "a{s(mvaya{sv})}"
/* Of MAKE: name, options to set. */
#define ORRERY_MAKE_TYPE "(sa{sv})"
/* Of its answer: error code and words, names of its services, places of what it sees. */
#define ORRERY_MADE_TYPE "(isasau)"
/* Of READY, for each: error code and words, fields, record, what its record fields refer to,
 * sources, names under which its services are published beside its own, state. */
#define ORRERY_READY_TYPE "a{s(isa(ssss)aya{ss}asasmv)}"

/* A message that is being made. */
static inline void
orrery_message_clear (GByteArray *message)
{
  g_byte_array_set_size (message, 0);
}

/* Room for @n bytes; the next call may move it. */
gpointer orrery_message_add (GByteArray *message, gsize n);
void orrery_message_add_bytes (GByteArray *message, gconstpointer data, gsize n);
/* Returns: how many bytes it takes */
guint64 orrery_message_add_record (GByteArray *message, OrreryRecord *record);
/* Sinks the variant. */
guint64 orrery_message_add_variant (GByteArray *message, GVariant *variant);
void orrery_message_add_snapshot (GByteArray *message, OrreryWorld *world,
                                  OrrerySnapshot *snapshot);

/* One that is read; every piece is looked for within what is there. */
typedef struct {
  const char *bytes;
  gsize size;
  gsize at;
} OrreryCursor;

/* NULL: it ends too early */
gconstpointer orrery_cursor_take (OrreryCursor *cursor, gsize n);
/* Returns: (transfer full): a variant of the type; NULL: there is none */
GVariant *orrery_cursor_take_variant (OrreryCursor *cursor, guint64 n, const char *type);
/* FALSE: it is none for this world */
gboolean orrery_cursor_take_snapshot (OrreryCursor *cursor, OrreryWorld *world, guint n_objects,
                                      guint n_contacts);

G_END_DECLS
