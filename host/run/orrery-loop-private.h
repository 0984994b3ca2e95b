/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-emitter.h"
#include "run/orrery-loop.h"
#include "run/orrery-receiver.h"
#include "run/orrery-scheduler.h"

#include <sys/types.h>

G_BEGIN_DECLS

/* What a world and its background process say to each other: a letter, and words after ERROR. */
#define ORRERY_LOOP_SPEC 'l'  /* to it, first: a description in memory, then its channels */
#define ORRERY_LOOP_STOP 's'  /* to it: end; from it: stop the world */
#define ORRERY_LOOP_READY 'r' /* from it: its first step is next */
#define ORRERY_LOOP_ERROR 'e' /* from it: it has failed */
#define ORRERY_LOOP_DONE 'd'  /* from it: it has ended */
/* Bytes of a message, at most. */
#define ORRERY_LOOP_MAX_MESSAGE 8192
/* Bytes of the description, with all arguments. */
#define ORRERY_LOOP_MAX_SPEC (G_GUINT64_CONSTANT (256) << 20)
/* Name, arguments, origin and rate of a wall clock, pipes and whether it emits into them. */
#define ORRERY_LOOP_SPEC_TYPE G_VARIANT_TYPE ("(smvm(xd)a(sb))")
/* The argument by which orrery_loop_main() knows a background process. */
#define ORRERY_LOOP_ARGUMENT "--orrery-background-loop"

/* An end of a pipe; opened when it is first asked for. */
typedef struct {
  OrreryChannel *channel;
  gboolean emits;
  OrreryEmitter *emitter;
  OrreryReceiver *receiver;
} OrreryLoopEnd;

/* A process, in the world that started it. */
typedef struct {
  pid_t pid;  /* 0: there is none */
  int pid_fd; /* -1: the kernel has none */
  int socket;
  gboolean ready;
  gboolean done;
  char *words; /* its error */
  GSource *watch;
  GSource *input;
} OrreryLoopProcess;

struct _OrreryLoop {
  GObject parent_instance;

  char *name;
  GVariant *arguments;
  OrreryClock *clock;
  GCancellable *stop;
  GArray *ends; /* (element-type OrreryLoopEnd) */

  /* What it does: one or the other. */
  const OrreryLoopFuncs *funcs;
  OrreryTaskFunc func;
  gpointer func_data;
  GDestroyNotify func_destroy;

  /* While it runs in this thread: */
  OrreryTask *task; /* kept until its end was dealt with */
  gboolean begun;
  gpointer data;
  GError *error;
  void (*on_end) (OrreryLoop *loop); /* nullable: its task has ended */

  /* In its world: */
  gpointer hybrid; /* borrowed */
  gboolean background;
  OrreryOnExit on_exit;
  OrreryLoopProcess process;
  gint64 began;      /* monotonic, us */
  guint n_restarts;  /* in a row, each soon after the last */
  gboolean finished; /* and will not begin anew */
  GSource *restart;
  gboolean waits; /* ended, and not yet dealt with */

  /* In its own process: */
  int socket;
};

OrreryLoop *orrery_loop_new (const char *name, GVariant *arguments);
/* Adds it to a scheduler; loop->task from then on. */
void orrery_loop_add_to (OrreryLoop *loop, OrreryScheduler *scheduler);
/* Closes what it opened, of one kind. */
void orrery_loop_close_ends (OrreryLoop *loop, gboolean emitters);
/* "latest", "queue, latest": what its pipes go by */
char *orrery_loop_get_transports (OrreryLoop *loop);

/* How background processes of this program are started; NULL: orrery_loop_main() was not called */
const char *orrery_loop_get_program (void);
gboolean orrery_loop_is_known (const OrreryLoopFuncs *funcs);

G_END_DECLS
