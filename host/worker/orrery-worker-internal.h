/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "channel/orrery-emitter.h"
#include "channel/orrery-receiver.h"
#include "process/orrery-child-private.h"
#include "worker/orrery-worker-message-private.h"
#include "worker/orrery-worker-private.h"

G_BEGIN_DECLS

/* What the files of workers share. */

typedef enum {
  ORRERY_WORKER_OFF,
  ORRERY_WORKER_STARTING,
  ORRERY_WORKER_UP,
  ORRERY_WORKER_DOWN, /* waits for its restart */
  ORRERY_WORKER_GIVEN_UP,
} OrreryWorkerState;

/* A component whose record another component reads. */
typedef struct {
  OrreryComponent *component; /* borrowed */
  guint place;
} OrrerySource;

/* The additional state of a script. */
typedef struct {
  gboolean made;         /* exists in the current process */
  gboolean begun;        /* its init was called: a replacement process calls it, too */
  GVariant *published;   /* (nullable): `as`, names of its services, from its last creation */
  guint64 tick;          /* 1 + index of its last commands */
  OrreryCallback saving; /* its state is taken after this callback */
} OrreryRemoteScript;

/* An option that was set in the host, and is not sent to the worker yet. */
typedef struct {
  char *name;
  GVariant *value;
} OrreryOptionChange;

struct _OrreryRemote {
  OrreryWorker *worker;
  char *name;
  OrreryPart *part;           /* borrowed (owned if a script); NULL: a script between two lives */
  OrreryComponent *component; /* the same object; NULL: it is a script */
  guint place;                /* its index in the scene; scripts follow all components */
  gboolean has_modifiers;     /* in the host, in the tick */
  OrreryReceiver *latest;     /* NULL: its records are sent with the answers */
  GArray *sources;            /* (element-type OrrerySource) */
  gboolean saves;
  gboolean gives_record; /* the record may differ from the worker's */
  gboolean halts;        /* with its next step */

  guint64 posted; /* number of the request that is to be answered; 0: none */
  GBytes *early;  /* that answer, if it was read ahead of its turn */
  GVariant *state;
  guint64 second;      /* simulated time at which it was applied */
  GHashTable *options; /* (element-type utf8 GVariant): set since the start */
  GArray *changes;     /* (element-type OrreryOptionChange): not sent yet, in order */
  gboolean muted;
  GArray *commands; /* (element-type OrreryCommand): commands of the last step */
  OrreryTime timestamp;
  gboolean zeroed;
  gboolean was_down;
  OrreryRemoteScript script;
  guint64 n_fresh;
  guint64 n_stale;
};

struct _OrreryWorker {
  OrreryWorkers *workers;
  char *name;
  OrreryWorkerSettings settings;
  GPtrArray *remotes; /* (element-type OrreryRemote) */
  int blueprint;      /* file descriptor of the description from which it builds its replica */
  char **command;     /* the program to run; NULL: the program of all workers */

  OrreryWorkerState state;
  OrreryWorkerState last_state; /* the state before the end of the run */
  OrreryChild *child;           /* its process; NULL: none runs or is being launched */
  pid_t pid;                    /* of the current process, or of the last one */
  OrreryEmitter *to;
  OrreryReceiver *from;
  GByteArray *message;
  gboolean begun; /* a step request is being written */
  guint n_entries;
  guint64 n_requests;
  guint64 n_answered; /* number of the last request that was answered completely */
  guint64 seen;       /* serial number of its snapshot */
  guint log_serial;   /* serial number of its levels of the log */
  guint64 n_calls;
  GHashTable *calls;     /* (element-type guint64 OrreryCall): calls in progress */
  GQueue answers;        /* (element-type GBytes): if it runs free: to be applied in the tick */
  GVariant *ready;       /* the answer to the first start, until it is applied */
  OrreryTime restart_at; /* if it is down */
  OrreryTime up_since;
  OrreryTime checked;
  OrreryTime asked; /* time of the last request */
  guint n_failures; /* number of failures in a row */
  guint64 n_faults; /* number of all failures */
  guint n_restarts;
  char *cause; /* time of the last failure */
  OrreryTime waited;
};

struct _OrreryWorkers {
  GPtrArray *workers; /* (element-type OrreryWorker) */
  OrreryWorld *world;
  GPtrArray *components; /* (element-type OrreryComponent), borrowed: of the scene, by index */
  OrreryTick *tick;
  const int *stopping; /* atomic */
  char *program;
  guint64 serial;              /* serial number of the snapshot */
  guint save_period;           /* ticks */
  OrreryLogLevels *log_levels; /* NULL: no levels were set */
  OrreryRunFaults *faults;     /* borrowed (nullable) */
  GError *fatal;
  gboolean loading; /* failures are errors of the scene */
  gboolean closing;
};

/* Begins a request; orrery_worker_send() sends it. */
void orrery_worker_begin (OrreryWorker *worker, OrreryRequestKind kind);
void orrery_worker_add_entry (OrreryWorker *worker, OrreryComponent *component, guint place,
                              guint flags);
/* For a script: adds the components that it reads, then the script itself. */
void orrery_remote_add_script (OrreryRemote *remote, guint flags);
/* Returns: the number of the request, or 0: the worker is down, which was logged */
guint64 orrery_worker_send (OrreryWorker *worker, GVariant *payload);
gboolean orrery_worker_is_full (OrreryWorker *worker);

typedef struct {
  OrreryAnswer head;
  OrreryCursor rest;
  OrreryRemote *remote;
} OrreryReply;

/* Reads the next answer and checks it; FALSE: there is none yet. Valid until the next call. */
gboolean orrery_worker_read (OrreryWorker *worker, OrreryReply *reply);
/* Waits for it; FALSE: the worker is down, which was logged. @doing: for the message */
gboolean orrery_worker_wait (OrreryWorker *worker, OrreryRemote *remote, const char *doing,
                             OrreryTime deadline, OrreryReply *reply);
/* Handles an answer other than the one that is waited for. */
void orrery_worker_dispatch (OrreryWorker *worker, OrreryReply *reply);
/* Applies commands, record, answered calls and state. */
gboolean orrery_remote_apply (OrreryRemote *remote, OrreryReply *reply, GError **error);
void orrery_remote_take_early (OrreryRemote *remote, OrreryReply *reply);
/* Ends its process, logs the reason, and schedules the restart. Takes @cause. */
void orrery_worker_fail (OrreryWorker *worker, OrreryRemote *remote, const char *doing,
                         char *cause);
/* Passes its output and log on to the host's log. */
void orrery_worker_read_output (OrreryWorker *worker);
void orrery_worker_fail_calls (OrreryWorker *worker);
/* Waits for the answer to a request. FALSE: the worker is down */
gboolean orrery_remote_await (OrreryRemote *remote, guint64 id, const char *doing,
                              OrreryTime deadline, OrreryReply *reply);
/* The same, and applies the answer; an error in it is returned as the error. */
gboolean orrery_remote_exchange (OrreryRemote *remote, guint64 id, const char *doing,
                                 OrreryReply *reply, GError **error);
gboolean orrery_remote_is_ready (OrreryRemote *remote);
/* Repeats its last commands, or stops what they moved. */
void orrery_remote_repeat_commands (OrreryRemote *remote);
void orrery_remote_stop_commands (OrreryRemote *remote);
/* Logs in the name of the part in the host; a script that is not created has none. */
#define orrery_remote_log(remote, level, ...)                                                      \
  do {                                                                                             \
    if ((remote)->part != NULL)                                                                    \
      orrery_part_log_plain ((remote)->part, level, __VA_ARGS__);                                  \
    else                                                                                           \
      g_log_structured (G_LOG_DOMAIN, level, "MESSAGE", __VA_ARGS__);                              \
  } while (0)
/* Called when it has answered: if it was stale, logs that it is up to date again. */
void orrery_remote_be_fresh (OrreryRemote *remote);
/* Applies the records of an answer that a script has read and changed. */
gboolean orrery_remote_take_inputs (OrreryRemote *remote, OrreryReply *reply);

/* --- orrery-worker-taken.c: what parts take from outside, of workers in lock step --- */

/* Adds to a request, behind its properties, what is fed. */
void orrery_worker_add_taken (OrreryWorker *worker, OrreryRequestKind kind);
/* Keeps what was taken, if it is kept. FALSE: the answer is invalid */
gboolean orrery_remote_keep_taken (OrreryRemote *remote, OrreryReply *reply);

/* --- orrery-worker-free.c: workers that run freely --- */

/* Whether its results are fed: the process is left alone. */
gboolean orrery_worker_is_fed (OrreryWorker *worker);
/* Keeps an answer to something else than a step until the tick takes it. */
void orrery_worker_keep_answer (OrreryWorker *worker, const OrreryReply *reply);
/* Calls have failed, as the worker has. */
void orrery_worker_note_failed (OrreryWorker *worker);
/* Applies what has come beside steps. @acts: in the phase act, else sense */
void orrery_worker_apply_answers (OrreryWorker *worker, gboolean acts);
/* What the step of a component that runs freely has to apply is @early from now on; NULL: nothing
 * has come. Returns: whether its worker is down */
gboolean orrery_remote_take_free (OrreryRemote *remote);

void orrery_remote_disconnect (OrreryRemote *remote);
void orrery_remote_connect (OrreryRemote *remote);
void orrery_worker_take_ready (OrreryWorker *worker, OrreryReply *reply);
/* A variant `a(usv)` of the changed properties; NULL: none */
GVariant *orrery_worker_take_changes (OrreryWorker *worker);
/* All options that were set, a{sv} sorted by name; floating. */
GVariant *orrery_remote_describe_options (OrreryRemote *remote);
void orrery_remote_answer_call (OrreryRemote *remote, guint64 number, guint fault, guint code,
                                const char *words, GVariant *result);

G_END_DECLS
