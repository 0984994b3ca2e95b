/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "channel/orrery-emitter.h"
#include "channel/orrery-receiver.h"
#include "loop/orrery-loop.h"
#include "loop/orrery-scheduler.h"
#include "process/orrery-child-private.h"

G_BEGIN_DECLS

/* Messages between a hybrid and its background process: a letter, and a text after ERROR. */
#define ORRERY_LOOP_SPEC 'l'  /* to the process: its description in memory, then its channels */
#define ORRERY_LOOP_STOP 's'  /* to the process: end; from it: stop the hybrid */
#define ORRERY_LOOP_READY 'r' /* from the process: its first step is next */
#define ORRERY_LOOP_ERROR 'e' /* from the process: it has failed */
#define ORRERY_LOOP_DONE 'd'  /* from the process: it has ended */
/* The largest size of a message in bytes. */
#define ORRERY_LOOP_MAX_MESSAGE 8192
/* The largest size of the description, with all arguments, in bytes. */
#define ORRERY_LOOP_MAX_SPEC (G_GUINT64_CONSTANT (256) << 20)
/* Name, arguments, origin and rate of a wall clock, channels and whether it emits into them. */
#define ORRERY_LOOP_SPEC_TYPE G_VARIANT_TYPE ("(smvm(xd)a(sb))")
/* The argument by which orrery_loop_main() recognizes a background process. */
#define ORRERY_LOOP_ARGUMENT "--orrery-background-loop"

/* An end of a channel; opened on first use. */
typedef struct {
  OrreryChannel *channel;
  gboolean emits;
  OrreryEmitter *emitter;
  OrreryReceiver *receiver;
} OrreryLoopEnd;

/* A process, as seen by the hybrid that started it. */
typedef struct {
  OrreryChild *child; /* NULL: there is no process */
  gboolean ready;
  gboolean done;
  char *message; /* the error of the loop */
  GSource *watch;
  GSource *input;
  GSource *late; /* until it is ready */
} OrreryLoopProcess;

struct _OrreryLoop {
  GObject parent_instance;

  char *name;
  GVariant *arguments;
  OrreryClock *clock;
  GCancellable *stop;
  GArray *ends; /* (element-type OrreryLoopEnd) */

  /* The function that it runs; one of these. */
  const OrreryLoopFuncs *funcs;
  OrreryTaskFunc func;
  gpointer func_data;
  GDestroyNotify func_destroy;

  /* While it runs in this thread: */
  OrreryTask *task; /* kept until its end was handled */
  gboolean begun;
  gpointer data;
  GError *error;
  void (*on_end) (OrreryLoop *loop); /* nullable: its task has ended */

  /* In its hybrid: */
  gpointer hybrid; /* borrowed */
  gboolean background;
  OrreryOnExit on_exit;
  OrreryLoopProcess process;
  OrreryTime began;  /* monotonic */
  guint n_restarts;  /* number of failures in a row, each soon after the last */
  gboolean finished; /* and will not be restarted */
  GSource *restart;
  gboolean waits; /* ended, and not handled yet */

  /* In its own process: */
  int socket;
};

OrreryLoop *orrery_loop_new (const char *name, GVariant *arguments);
/* Adds it to a scheduler, which sets loop->task. */
void orrery_loop_add_to (OrreryLoop *loop, OrreryScheduler *scheduler);
/* Closes the channel ends of one kind that it opened. */
void orrery_loop_close_ends (OrreryLoop *loop, gboolean emitters);
/* "latest", "queue, latest": what its channels are known by */
char *orrery_loop_get_transports (OrreryLoop *loop);

/* How background processes of this program are started; NULL: orrery_loop_main() was not called */
const char *orrery_loop_get_program (void);
gboolean orrery_loop_is_known (const OrreryLoopFuncs *funcs);

G_END_DECLS
