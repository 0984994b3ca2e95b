/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-calling-private.h"
#include "roles/orrery-actuator.h"
#include "roles/orrery-datastream-manager.h"
#include "roles/orrery-modifier.h"
#include "roles/orrery-observer-private.h"
#include "roles/orrery-robot.h"
#include "roles/orrery-sensor.h"
#include "tick/orrery-inputs-private.h"

/*
 * One component with its modifiers and datastreams, as it was wired. Everything that has a name, a
 * class or a type is looked up before the pipeline is packed; from then on a tick uses only its
 * step (orrery-step-private.h).
 */

typedef void (*OrreryComponentStepFunc) (gpointer self, OrreryTick *tick, OrreryRecord *record,
                                         GError **error);

typedef struct {
  OrreryModifierFunc func;
  OrreryModifier *modifier;
  const OrreryCallee *callee; /* told if its code ends the program */
} OrreryModifierSlot;

/* One encoding of a record, sent to every stream of one manager class that uses the same codec and
 * options. */
typedef struct {
  OrreryStream *stream;
  OrreryDatastream *codec;
  OrreryDatastreamManager *manager;
  int same_as; /* index of an earlier output with the same codec and options, or -1 */
  /* Of one with a rate: due when phase + increment reaches period, by the steps of the component;
   * in millionths of a hertz. */
  guint64 phase;
  guint64 increment;
  guint64 period; /* 0: due in each step */
} OrreryOutput;

typedef struct {
  OrreryStream *stream;
  OrreryDatastream *codec;
  OrreryDatastreamManager *manager;
} OrreryInput;

/* A watch: a function that is called with each record that is passed on or, without a pipeline,
 * after each tick. */
typedef void (*OrreryWatchFunc) (OrreryComponent *component, gpointer data);
typedef struct {
  guint id;
  struct _OrreryPipeline *pipeline; /* NULL: none */
  OrreryWatchFunc func;
  gpointer data;
  GDestroyNotify destroy; /* NULL: nothing to free */
  gboolean placed;        /* among those of its pipeline */
  int ended;              /* atomic: not called again */
} OrreryWatch;

/* What a pipeline costs: one tick in many is timed, and every tick while a pipeline exceeds its
 * budget. */
typedef struct {
  guint64 n_sampled;
  gint64 sampled_ns;
  guint64 n_watched;
  gint64 watched_ns;
  gint64 worst_ns;
  gboolean warned;
} OrreryCost;

/* Of @n_steps: the time in seconds of the steps that were timed, and the estimated time of the
 * others. */
void orrery_cost_get_seconds (const OrreryCost *cost, guint64 n_steps, double *measured,
                              double *guessed);

typedef struct _OrreryPipeline {
  OrreryComponent *component;
  const char *name;
  OrreryRecord *record;
  guint64 increment; /* frequency and base frequency, in millionths of a hertz */
  guint64 period;
  struct _OrreryStep *step; /* once it is packed */

  gboolean meddles;       /* changes what belongs to the thread: that was said */
  gboolean thread_safe;   /* its class declares that several of them may sense at once */
  guint n_safe_modifiers; /* how many of the first modifiers declare the same */
  GPtrArray *sources;     /* (element-type OrreryComponent) (nullable): whose records it reads */
  GArray *modifiers;      /* (element-type OrreryModifierSlot) */
  GArray *outputs;        /* (element-type OrreryOutput) */
  GArray *inputs;         /* (element-type OrreryInput) */
  GPtrArray *watches;     /* (element-type OrreryWatch) (nullable): borrowed */
  OrreryReader *reader;
  /* Of an actuator with modifiers: its last input before they changed it, which they inspect, and
   * the record to restore when they drop an input. */
  OrreryRecord *raw;
  OrreryRecord *incoming;
  OrreryRecord *standing;
  OrreryRecord *shown;          /* of a sensor whose records may come later: the last passed on */
  OrreryRecord *fed;            /* (nullable): what was fed to it, once */
  gboolean is_fed;              /* that is for its next step */
  OrreryInputs *taps;           /* borrowed: who is told of its input */
  OrreryRunFaults *faults;      /* borrowed (nullable): who is told of its faults */
  gboolean kept;                /* standing holds the record from before the pending input */
  gboolean *commanded;          /* of the component */
  const double *timeout;        /* of an actuator, s of silence; 0: none */
  gboolean told;                /* something came since it started or stopped */
  OrreryTime told_at;           /* when */
  guint64 n_calls;              /* of its services, then */
  gboolean written;             /* orrery_simulation_write() has written to it */
  gboolean read_early;          /* the input of this step is in the record already */
  gboolean raw_is_old;          /* it is from before a worker stopped the component */
  struct _OrreryRemote *remote; /* borrowed; NULL: the component runs in this process */
  guint64 n_refused;            /* number of messages */
  guint64 n_failed;             /* number of steps */
  char *failure;                /* (nullable): message of the first of them */
  guint64 failed_at;            /* tick of that */
  guint64 n_displaced;  /* messages that were replaced by one of another stream in the same tick */
  guint64 n_not_finite; /* numbers of its messages */
  gboolean parked;      /* its component is not in the world, and does not step */
  gboolean warned_refused;
  gboolean warned_failed;
  gboolean warned_keys;
  gboolean warned_rivals;
  gboolean warned_not_finite;
  gboolean warned_nan;
  gboolean warned_silence;
  OrreryTime budget;
  OrreryCost cost;
} OrreryPipeline;

/* @thread_safe: several components of its class may sense at once. */
OrreryPipeline *orrery_pipeline_new (OrreryComponent *component, double frequency, double base,
                                     gboolean thread_safe);
void orrery_pipeline_free (OrreryPipeline *pipeline);
void orrery_pipeline_add_modifier (OrreryPipeline *pipeline, OrreryModifier *modifier,
                                   OrreryModifierFunc func, gboolean thread_safe);
void orrery_pipeline_add_output (OrreryPipeline *pipeline, OrreryStream *stream,
                                 OrreryDatastreamManager *manager, int same_as);
/* Advances the divider of an output with a rate by one step. Returns: whether it is due */
gboolean orrery_pipeline_output_is_due (OrreryPipeline *pipeline, guint output);
void orrery_pipeline_add_input (OrreryPipeline *pipeline, OrreryStream *stream,
                                OrreryDatastreamManager *manager);
/* Resets it to the state before the first tick: due, active, with default values and no message. */
void orrery_pipeline_restart (OrreryPipeline *pipeline);

/* In place of messages and writes before its next step: all its fields, `a{sv}`. */
gboolean orrery_pipeline_feed (OrreryPipeline *pipeline, GVariant *values, GError **error);

/* Takes the messages that arrived since the last step; without any for too long, stops the
 * actuator. Returns: whether the record has new input */
gboolean orrery_pipeline_read (OrreryPipeline *pipeline, OrreryTime now);
/* The same ahead of the step, which then does not read again. */
void orrery_pipeline_read_early (OrreryPipeline *pipeline, OrreryTime now);
/* Called before and after the modifiers of new input: they passed it on, held it back or failed.
 * Takes the error. */
void orrery_pipeline_begin_input (OrreryPipeline *pipeline);
void orrery_pipeline_end_input (OrreryPipeline *pipeline, gboolean passed, GError *error);
/* Brings the last input up to date, between ticks, before somebody looks at it. */
void orrery_pipeline_renew_raw (OrreryPipeline *pipeline);
/* Writes one field of an actuator's input, as a message would do. */
gboolean orrery_pipeline_write (OrreryPipeline *pipeline, const char *field, GVariant *value,
                                GError **error);
/* In which its component runs: "sense" or "act". */
const char *orrery_pipeline_get_phase (OrreryPipeline *pipeline);
/* Logs a fault once, counts it and tells of it. Takes the error. */
void orrery_pipeline_take_fault (OrreryPipeline *pipeline, GError *error);

/* Logs once, and counts, the numbers of a message that were not finite. */
void orrery_pipeline_note_not_finite (OrreryPipeline *pipeline, OrreryWriter *writer);
/* Logs once that its record has NaN, whether or not somebody reads it. */
void orrery_pipeline_look_for_nan (OrreryPipeline *pipeline);

/* orrery-runner-watch.c: calls its watches in the order in which they were added. */
void orrery_pipeline_tell_watches (OrreryPipeline *pipeline);

/* Whether its record is the same in every run: those of workers that run free are not. */
gboolean orrery_pipeline_is_hashed (const OrreryPipeline *pipeline);
guint64 orrery_pipeline_get_n_steps (const OrreryPipeline *pipeline);
void orrery_pipeline_get_seconds (const OrreryPipeline *pipeline, double *measured,
                                  double *guessed);
/* Number of messages that were replaced by a later one of the same tick. */
guint64 orrery_pipeline_get_n_displaced (const OrreryPipeline *pipeline);
