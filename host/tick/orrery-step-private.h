/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-calling-private.h"
#include "tick/orrery-pipeline-private.h"

/*
 * The part of its pipelines that a tick reads: their steps, packed in the order in which they run,
 * each followed by its modifiers and outputs. A tick traverses the memory once, front to back, and
 * accesses a pipeline itself only after an error.
 */

typedef void (*OrreryEncodeFunc) (OrreryDatastream *codec, OrreryRecord *record,
                                  OrreryWriter *writer, GError **error);
typedef void (*OrrerySendFunc) (OrreryDatastreamManager *manager, OrreryStream *stream,
                                const char *data, gsize length);
typedef void (*OrrerySendMessagesFunc) (OrreryDatastreamManager *manager, OrreryStream *stream,
                                        OrreryWriter *writer);

typedef enum {
  ORRERY_EXIT_PLAIN,
  ORRERY_EXIT_SHARED, /* exits with the same codec and options are encoded once */
  ORRERY_EXIT_TOPICS, /* send_messages in place of send */
} OrreryExitKind;

/* One output: an encoding of the record, and the streams that it is sent to. It fills a line of the
 * cache. */
typedef struct {
  OrreryEncodeFunc encode;
  OrreryDatastream *codec;
  const OrreryCallee *callee; /* of the codec */
  OrreryWriter *writer;
  union {
    OrrerySendFunc send;
    OrrerySendMessagesFunc send_messages;
  };
  OrreryDatastreamManager *manager;
  OrreryStream *stream;
  gint16 same_as;  /* index of an earlier exit with the same codec and options, or -1 */
  guint8 kind;     /* an OrreryExitKind */
  guint8 has_rate; /* not in each step; the pipeline counts */
} OrreryExit;

typedef struct _OrreryStep OrreryStep;
struct _OrreryStep {
  /* Due when phase + increment reaches period; in millionths of a hertz. */
  guint64 phase;
  guint64 increment;
  guint64 period;
  gboolean active; /* the component's own flag */
  guint32 size;    /* bytes to the next step that is not parked */
  guint16 n_modifiers;
  guint16 n_exits;
  guint8 has_one_exit; /* and that has no rate */
  guint8 is_watched;   /* has watches, which the pipeline knows */
  guint8 is_late;      /* its records may come later: the pipeline has the one that is shown */
  OrreryComponentStepFunc func; /* NULL for a robot without an action of its own */
  gpointer self; /* the first argument of func: the component, or its remote in a worker */
  OrreryRecord *record;
  const OrreryCallee *callee; /* told if its code ends the program */
  const OrreryStamp *clock;   /* the robot's time; NULL for parts outside of a robot */
  guint64 n_steps;
  const int *listening; /* atomic: whether somebody listens to the stream of each exit */
  OrreryPipeline *pipeline;
  OrreryModifierSlot modifiers[]; /* and the exits after them */
};

/* The steps of one phase. */
typedef struct {
  char *memory; /* the first one, parked or not */
  char *first;
  char *end;
  int *listening; /* an atomic box: the flags of all exits, one after the other */
} OrrerySteps;

/*
 * Packs pipelines in this order; none can be added afterwards. Writers are shared: the n-th output
 * of every pipeline writes into the n-th writer, which the next pipeline may overwrite.
 */
void orrery_steps_pack (OrrerySteps *steps, GPtrArray *pipelines, GPtrArray *writers);
/* After pipelines were parked, or are so no longer: a tick goes past the steps of those that are.
 */
void orrery_steps_link (OrrerySteps *steps);
void orrery_steps_clear (OrrerySteps *steps);

static inline OrreryStep *
orrery_step_next (OrreryStep *step)
{
  return (OrreryStep *) (gpointer) ((char *) step + step->size);
}

/* Advances the frequency divider by one tick. Returns: whether the component is due */
static inline gboolean
orrery_step_is_due (OrreryStep *step)
{
  guint64 phase = step->phase + step->increment;
  gboolean due = phase >= step->period;

  step->phase = due ? phase - step->period : phase;
  return due;
}

/* The same question ahead of the tick's own, which advances the divider. */
static inline gboolean
orrery_step_will_be_up (const OrreryStep *step)
{
  return step->active && step->phase + step->increment >= step->period;
}

/* Whether it runs in this tick. An inactive component keeps its phase. */
static inline gboolean
orrery_step_is_up (OrreryStep *step)
{
  return orrery_step_is_due (step) && step->active;
}

/* The clock of a robot advances whether the robot acts or not: it calls orrery_step_is_up()
 * itself. */
static inline gboolean
orrery_step_is_robot_up (OrreryStep *step)
{
  return TRUE;
}

/* One step, whether due or not. */
typedef void (*OrreryStepOne) (OrreryStep *step, OrreryTick *tick);
void orrery_step_robot (OrreryStep *step, OrreryTick *tick);
void orrery_step_sensor (OrreryStep *step, OrreryTick *tick);
void orrery_step_actuator (OrreryStep *step, OrreryTick *tick);

/*
 * The step of a sensor in three parts, for running them on several threads: first up to some
 * modifier, which accesses nothing but its record; then the other modifiers; at last the outcome,
 * which is a fault or what is sent. The first two return an error, which the last one takes.
 */
GError *orrery_step_begin_sensor (OrreryStep *step, OrreryTick *tick, guint n_modifiers);
GError *orrery_step_modify_sensor (OrreryStep *step, OrreryTick *tick, guint first);
void orrery_step_end_sensor (OrreryStep *step, GError *error);
/* Passes on the records that modifiers of the sensor held back until now. */
void orrery_step_release (OrreryStep *step, OrreryTick *tick);

/* Runs one step of each component that is due and active, in this order. */
typedef void (*OrreryStepAll) (const OrrerySteps *steps, OrreryTick *tick);
void orrery_steps_run_robots (const OrrerySteps *steps, OrreryTick *tick);
void orrery_steps_run_sensors (const OrrerySteps *steps, OrreryTick *tick);
void orrery_steps_run_actuators (const OrrerySteps *steps, OrreryTick *tick);
