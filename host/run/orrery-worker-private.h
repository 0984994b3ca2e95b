/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-callback-private.h"
#include "roles/orrery-component.h"
#include "roles/orrery-log-levels-private.h"
#include "roles/orrery-log.h"
#include "run/orrery-channel.h"
#include "run/orrery-emitter.h"
#include "run/orrery-process-private.h"
#include "run/orrery-receiver.h"
#include "run/orrery-worker-message-private.h"

G_BEGIN_DECLS

/*
 * The host's side of workers: processes in which components run. A component that does has its
 * name, class, record, modifiers and streams here, and its setup, steps and services there. All of
 * it belongs to the tick thread.
 */

/* What becomes of a component whose worker is down. */
typedef enum {
  ORRERY_POLICY_HOLD, /* its last value stands, its last commands are given again */
  ORRERY_POLICY_ZERO, /* its record is as it was at first, what it drove is stopped */
  ORRERY_POLICY_STOP, /* the run ends with an error */
} OrreryPolicy;

typedef struct {
  gboolean free_running; /* else the tick waits for its answers */
  OrreryTransport transport;
  OrreryPolicy policy;
  OrreryTime timeout;       /* of an answer, wall time */
  OrreryTime start_timeout; /* of all setups together */
  OrreryTime back_off;      /* before the first restart; then twice as long each time */
  guint64 memory;           /* bytes; 0: no limit */
  guint max_restarts;       /* in a row */
} OrreryWorkerSettings;

typedef enum {
  ORRERY_WORKER_OFF,
  ORRERY_WORKER_STARTING,
  ORRERY_WORKER_UP,
  ORRERY_WORKER_DOWN, /* until it is time to restart it */
  ORRERY_WORKER_GIVEN_UP,
} OrreryWorkerState;

typedef struct _OrreryWorker OrreryWorker;
typedef struct _OrreryWorkers OrreryWorkers;
struct _OrreryPipeline;

/* A component whose record another one reads. */
typedef struct {
  OrreryComponent *component; /* borrowed */
  guint place;
} OrrerySource;

/* What there is of a script beside that. */
typedef struct {
  gboolean made;         /* the present process has it */
  gboolean begun;        /* its init was called: a process that takes over calls it, too */
  GVariant *published;   /* (nullable): `as`, names of its services, of when it was last made */
  guint64 tick;          /* 1 + that of its last commands */
  OrreryCallback saving; /* after which its state is taken */
} OrreryRemoteScript;

/* An option that was set here, and not yet in the worker. */
typedef struct {
  char *name;
  GVariant *value;
} OrreryOptionChange;

/* One component or script that runs in a worker. */
typedef struct _OrreryRemote OrreryRemote;
struct _OrreryRemote {
  OrreryWorker *worker;
  char *name;
  OrreryPart *part;           /* borrowed, but of a script; NULL: that is between two lives */
  OrreryComponent *component; /* the same part; NULL: it is a script */
  guint place;                /* among those of the scene; scripts come after all components */
  struct _OrreryPipeline *pipeline;
  OrreryReceiver *latest; /* NULL: records come with the answers */
  GArray *sources;        /* (element-type OrrerySource) */
  gboolean saves;
  gboolean gives_record; /* the record may be another than the worker knows */

  guint64 posted; /* request whose answer is due; 0: none */
  GBytes *stash;  /* that answer, read before its turn */
  GVariant *state;
  guint64 second;      /* of simulated time, that it was taken in */
  GHashTable *options; /* (element-type utf8 GVariant): set since the start */
  GArray *changes;     /* (element-type OrreryOptionChange): not told yet, in order */
  gboolean muted;
  GArray *commands; /* (element-type OrreryCommand): of the last step */
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
  int blueprint;      /* descriptor; what it builds its replica from */
  char **command;     /* what runs it where the program of all workers does not; NULL: that does */

  OrreryWorkerState state;
  OrreryWorkerState last_state; /* before the end of the run */
  OrreryProcess process;
  OrreryBirth *birth; /* of the next process; NULL: it is there, or it is not time yet */
  pid_t pid;          /* of the present process, or the last */
  OrreryEmitter *to;
  OrreryReceiver *from;
  GByteArray *message;
  gboolean begun; /* a step is being made */
  guint n_entries;
  guint64 n_requests;
  guint64 n_answered; /* the last request that is answered in full */
  guint64 seen;       /* serial of the snapshot that it has */
  guint log_serial;   /* of the levels of its log that it has */
  guint64 n_calls;
  GHashTable *calls; /* (element-type guint64 OrreryCall): under way */
  GVariant *ready;   /* of the first start, until it is taken */
  OrreryTime deadline;
  OrreryTime up_since;
  OrreryTime heard;
  OrreryTime asked;   /* when it was last asked for something */
  const char *excess; /* what it said it has too much of */
  guint n_failures;   /* in a row */
  guint n_restarts;
  char *cause; /* of the last failure */
  OrreryTime waited;
};

struct _OrreryWorkers {
  GPtrArray *workers;   /* (element-type OrreryWorker) */
  GPtrArray *phases[2]; /* (element-type OrreryRemote): sensors and actuators in their order */
  OrreryWorld *world;
  GPtrArray *components; /* (element-type OrreryComponent), borrowed: of the scene, by place */
  OrreryTick *tick;
  const int *stopping; /* atomic */
  char *program;
  guint64 serial;              /* of what is seen */
  guint save_period;           /* ticks */
  OrreryLogLevels *log_levels; /* NULL: nobody sets any */
  GError *fatal;
  gboolean loading; /* what goes wrong is an error of the scene */
  gboolean closing;
};

OrreryWorkers *orrery_workers_new (OrreryWorld *world, GPtrArray *components, OrreryTick *tick,
                                   const int *stopping, const char *program, guint save_period);
void orrery_workers_free (OrreryWorkers *workers);
/* NULL: there is none of that name */
OrreryWorker *orrery_workers_find (OrreryWorkers *workers, const char *name);
OrreryWorker *orrery_workers_add (OrreryWorkers *workers, const char *name,
                                  const OrreryWorkerSettings *settings);
OrreryRemote *orrery_worker_add (OrreryWorker *worker, OrreryComponent *component, guint place);
/* A script, which is made later; @n_components: of the scene; @index: among its scripts */
OrreryRemote *orrery_worker_add_script (OrreryWorker *worker, const char *name, guint n_components,
                                        guint index);
/* @blueprint: what its processes are given; copied */
gboolean orrery_worker_set_blueprint (OrreryWorker *worker, gconstpointer blueprint, gsize size,
                                      GError **error);
/* Starts it; orrery_worker_await() then waits until it is up, and fails with what went wrong. */
gboolean orrery_worker_start (OrreryWorker *worker, GError **error);
gboolean orrery_worker_await (OrreryWorker *worker, GError **error);
/* Ends all, in bounded time. */
void orrery_workers_close (OrreryWorkers *workers);

/* Once a tick: hears what they say, restarts what is down. */
void orrery_workers_tend (OrreryWorkers *workers);
/* Begin of a phase: all of its components that are due begin at once. */
void orrery_workers_post (OrreryWorkers *workers, GPtrArray *remotes);
/* An OrreryStepFunc: takes the answer of a step, at its turn. */
void orrery_remote_step (gpointer remote, OrreryTick *tick, OrreryRecord *record, GError **error);
/* Asks for what it knows now. @state: (nullable): borrowed. FALSE: it is down, or busy */
gboolean orrery_remote_save (OrreryRemote *remote, GVariant **state, GError **error);
/* Reset: the component begins with @state (NULL: it has none) and its record as it is here. */
gboolean orrery_remote_restore (OrreryRemote *remote, GVariant *state, GError **error);
/* NULL: it runs here */
OrreryRemote *orrery_remote_find (OrreryPart *part);

/* --- scripts: orrery-worker-script.c --- */

/* NULL: the script of that name runs here */
OrreryRemote *orrery_workers_find_script (OrreryWorkers *workers, const char *name);
/* @script stands here for one that is made and set up there, now, or when its worker is up again.
 */
gboolean orrery_remote_make_script (OrreryRemote *remote, OrreryScript *script, GError **error);
void orrery_remote_drop_script (OrreryRemote *remote);
/* What a pass calls in place of the class's own function; NULL: that has none. */
GCallback orrery_remote_get_callback (OrreryScript *script, OrreryCallback callback);

/* --- among the files of workers --- */

/* Begins a request; orrery_worker_send() sends it. */
void orrery_worker_begin (OrreryWorker *worker, OrreryRequestKind kind);
void orrery_worker_add_entry (OrreryWorker *worker, OrreryComponent *component, guint place,
                              guint flags);
/* Of a script: what it sees of others, then itself. */
void orrery_remote_add_script (OrreryRemote *remote, guint flags);
/* Returns: its number, or 0: it is down, and that was said */
guint64 orrery_worker_send (OrreryWorker *worker, GVariant *payload);
gboolean orrery_worker_is_full (OrreryWorker *worker);

typedef struct {
  OrreryAnswer head;
  OrreryCursor rest;
  OrreryRemote *remote;
} OrreryReply;

/* The next answer, judged; FALSE: there is none yet. It stays until the next one. */
gboolean orrery_worker_read (OrreryWorker *worker, OrreryReply *reply);
/* Waits for it; FALSE: the worker is down, and that was said. @doing: for words */
gboolean orrery_worker_wait (OrreryWorker *worker, OrreryRemote *remote, const char *doing,
                             OrreryTime deadline, OrreryReply *reply);
/* Every answer but the one that is waited for. */
void orrery_worker_dispatch (OrreryWorker *worker, OrreryReply *reply);
/* Commands, record, answered calls, state. */
gboolean orrery_remote_apply (OrreryRemote *remote, OrreryReply *reply, GError **error);
void orrery_remote_take_stash (OrreryRemote *remote, OrreryReply *reply);
/* Ends its process, says why, and plans the next. Takes @cause. */
void orrery_worker_fail (OrreryWorker *worker, OrreryRemote *remote, const char *doing,
                         char *cause);
/* How a process that has ended did so. */
char *orrery_worker_get_cause (OrreryWorker *worker);
/* What it said, as the host's log. */
void orrery_worker_hear (OrreryWorker *worker);
void orrery_worker_fail_calls (OrreryWorker *worker);
/* Waits for the answer to a request. FALSE: the worker is down. */
gboolean orrery_remote_await (OrreryRemote *remote, guint64 id, const char *doing,
                              OrreryTime deadline, OrreryReply *reply);
/* The same, and takes it; what it says went wrong is the error. */
gboolean orrery_remote_exchange (OrreryRemote *remote, guint64 id, const char *doing,
                                 OrreryReply *reply, GError **error);
gboolean orrery_remote_is_ready (OrreryRemote *remote);
/* What it drove, once more, or stopped. */
void orrery_remote_repeat_commands (OrreryRemote *remote);
void orrery_remote_stop_commands (OrreryRemote *remote);
/* As the part that stands for it here; between two lives of a script nobody does. */
#define orrery_remote_log(remote, level, ...)                                                      \
  do {                                                                                             \
    if ((remote)->part != NULL)                                                                    \
      orrery_part_log_plain ((remote)->part, level, __VA_ARGS__);                                  \
    else                                                                                           \
      g_log_structured (G_LOG_DOMAIN, level, "MESSAGE", __VA_ARGS__);                              \
  } while (0)
/* It has answered: whoever was told that it is stale is told so. */
void orrery_remote_be_fresh (OrreryRemote *remote);
/* Of an answer: what a script made of records that it sees. */
gboolean orrery_remote_take_sights (OrreryRemote *remote, OrreryReply *reply);
void orrery_remote_disconnect (OrreryRemote *remote);
void orrery_remote_connect (OrreryRemote *remote);
void orrery_worker_take_ready (OrreryWorker *worker, OrreryReply *reply);
/* A variant `a(usv)` of what was changed; NULL: nothing */
GVariant *orrery_worker_take_changes (OrreryWorker *worker);
/* All that were set, a{sv} in the order of their names; floating. */
GVariant *orrery_remote_describe_options (OrreryRemote *remote);
void orrery_remote_answer_call (OrreryRemote *remote, guint64 number, guint fault, guint code,
                                const char *words, GVariant *result);

G_END_DECLS
