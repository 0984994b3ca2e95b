/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-record.h"
#include "world/orrery-world.h"

G_BEGIN_DECLS

/*
 * The messages between host and worker, which are sent through one ring in each direction. Each
 * piece of a message begins at a multiple of 8. Components are identified by their index in the
 * scene, which is the same on both sides.
 */

typedef enum {
  ORRERY_REQUEST_START = 1, /* payload: the initial state of each component */
  ORRERY_REQUEST_STEP,      /* answered for each entry that is not a source */
  ORRERY_REQUEST_CALL,      /* one entry; payload: number, service, arguments */
  ORRERY_REQUEST_CANCEL,    /* one entry; payload: number */
  ORRERY_REQUEST_RESTORE,   /* one entry; payload: state, if there is one */
  ORRERY_REQUEST_END,       /* ends the worker; not answered */
  ORRERY_REQUEST_MAKE,      /* the entry of a script; payload: its name, options to set */
  ORRERY_REQUEST_DROP,      /* as above, without a payload */
  ORRERY_REQUEST_CALLBACK,  /* what the script reads, the script itself, then an OrreryOccasion */
  ORRERY_REQUEST_SAVE,      /* one entry; answered with its state */
} OrreryRequestKind;

/* Where parts get what they take from outside. */
typedef enum {
  ORRERY_TAKING_OWN,  /* what they have read */
  ORRERY_TAKING_KEPT, /* the same, and it is sent with the answer */
  ORRERY_TAKING_FED,  /* what comes with the requests of the tick */
} OrreryTaking;

/* A request: this header, then snapshot, properties, fed inputs, entries each with its record,
 * payload. */
typedef struct {
  guint32 kind;
  guint32 n_entries;
  guint64 id;
  guint64 number; /* simulated time of the tick */
  OrreryTime time;
  guint32 n_objects; /* 0: the snapshot has not changed */
  guint32 n_contacts;
  guint64 n_properties; /* bytes of a variant of changed properties; 0: none changed */
  guint64 n_fed;        /* bytes of a variant of inputs of parts; 0: none */
  guint64 n_payload;    /* bytes of a variant; 0: none */
  guint32 taking;       /* OrreryTaking */
} OrreryRequest;

/* In place of a part among the changed properties: levels of the log. */
#define ORRERY_CHANGE_OF_LOG G_MAXUINT32

#define ORRERY_ENTRY_RECORD 1u    /* its record follows */
#define ORRERY_ENTRY_COMMANDED 2u /* it has new input */
#define ORRERY_ENTRY_ACTIVE 4u
#define ORRERY_ENTRY_SAVE 8u    /* its state is requested with the answer */
#define ORRERY_ENTRY_SOURCE 16u /* it does not step: its record is sent for a reader */
#define ORRERY_ENTRY_INPUT 32u  /* the same for a script, which may change the record */
#define ORRERY_ENTRY_STALE 64u
#define ORRERY_ENTRY_WANTED 128u /* somebody reads the record of this step */
#define ORRERY_ENTRY_HALT 256u   /* an actuator: it is to stand still */

typedef struct {
  guint32 component;
  guint32 flags;
  OrreryTime timestamp; /* time of its robot's clock */
  guint64 n_record;
} OrreryEntry;

#define ORRERY_OCCASION_AFTER 1u
#define ORRERY_OCCASION_PAIR 2u
#define ORRERY_OCCASION_JOINT 4u
#define ORRERY_OCCASION_ANEW 8u /* the first of its callbacks in a tick */

/* A callback and its arguments. */
typedef struct {
  guint32 callback;
  guint32 flags;
  guint32 substep;
  guint32 pair[2];
  guint32 joint;
} OrreryOccasion;

#define ORRERY_ANSWER_READY 1u     /* to a start; payload: the outcome of each setup */
#define ORRERY_ANSWER_RECORD 2u    /* its record follows */
#define ORRERY_ANSWER_LATEST 4u    /* its record is the latest value of its own channel */
#define ORRERY_ANSWER_ACTIVE 8u    /* the component is active */
#define ORRERY_ANSWER_ANSWERED 16u /* of a cancel: the part itself answered the call */
#define ORRERY_ANSWER_LAST 32u     /* the last answer to this request */
#define ORRERY_ANSWER_STEP 64u     /* of a step; otherwise of a request between steps */
#define ORRERY_ANSWER_ANEW 128u    /* of the first of several callbacks in a tick */
/* Of a callback: */
#define ORRERY_ANSWER_HANDLED 256u     /* it returned TRUE */
#define ORRERY_ANSWER_THREAD_OVER 512u /* and its thread has ended */
#define ORRERY_ANSWER_CLEANUP 1024u    /* the script asks to be ended */
#define ORRERY_ANSWER_RESTART 2048u    /* or to be restarted */
#define ORRERY_ANSWER_HELD 4096u       /* of a step: its record is not passed on */
#define ORRERY_ANSWER_TAKEN 8192u      /* its parts have taken inputs */

/* An answer: this header, then commands, record, entries each with its record, the size of a
 * variant of inputs and the variant, if any were taken, payload. */
typedef struct {
  guint32 component;
  guint32 flags;
  guint64 id;
  guint64 n_record;
  guint64 n_payload; /* bytes of a variant; 0: no error, and no call was answered */
  guint32 n_commands;
  guint32 refused_object;
  guint64 n_refused;
  guint64 n_inputs; /* number of records that a script reads and has changed */
} OrreryAnswer;

/* Part of an answer: error (code, message; "": none), calls that were answered (number, fault,
 * error code, message, result), state. */
#define ORRERY_ANSWER_TYPE "(isa(tiismv)mv)"
/* Part of START, for each component by its name: state, record, options to set. */
#define ORRERY_START_TYPE "a{s(mvaya{sv})}"
/* Part of MAKE: name, options to set. */
#define ORRERY_MAKE_TYPE "(sa{sv})"
/* Part of the answer to MAKE: error code and message, names of its services, indices of what it
 * reads. */
#define ORRERY_MADE_TYPE "(isasau)"
/* Part of READY, for each component: error code and message, fields, record, what its record fields
 * refer to, sources, names under which its services are published besides its own, state, axes,
 * whether it makes its record on demand, what its setup found, what it commands. */
#define ORRERY_READY_ONE_TYPE "(isa(ssss)aya{ss}asasmv(dddd)basa(uu))"
#define ORRERY_READY_TYPE "a{s" ORRERY_READY_ONE_TYPE "}"

/* A message that is being written. */
static inline void
orrery_message_clear (GByteArray *message)
{
  g_byte_array_set_size (message, 0);
}

/* Appends @n bytes; the pointer is valid until the next call. */
gpointer orrery_message_add (GByteArray *message, gsize n);
void orrery_message_add_bytes (GByteArray *message, gconstpointer data, gsize n);
/* Returns: the number of bytes that were written */
guint64 orrery_message_add_record (GByteArray *message, OrreryRecord *record);
/* Sinks the variant. */
guint64 orrery_message_add_variant (GByteArray *message, GVariant *variant);
void orrery_message_add_snapshot (GByteArray *message, OrreryWorld *world,
                                  OrrerySnapshot *snapshot);

/* A message that is being read; each piece is checked to lie within it. */
typedef struct {
  const char *bytes;
  gsize size;
  gsize at;
} OrreryCursor;

/* NULL: the message is too short */
gconstpointer orrery_cursor_take (OrreryCursor *cursor, gsize n);
/* Returns: (transfer full): a variant of the type; NULL: it is invalid */
GVariant *orrery_cursor_take_variant (OrreryCursor *cursor, guint64 n, const char *type);
/* FALSE: it does not fit this world */
gboolean orrery_cursor_take_snapshot (OrreryCursor *cursor, OrreryWorld *world, guint n_objects,
                                      guint n_contacts);

G_END_DECLS
