/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-actuator.h"
#include "roles/orrery-datastream-manager.h"
#include "roles/orrery-modifier.h"
#include "roles/orrery-robot.h"
#include "roles/orrery-sensor.h"

/*
 * One component with its modifiers and datastreams, wired once, run every due tick. Everything that
 * has a name, a class or a type was looked up before: a step follows pointers.
 */

typedef void (*OrreryStepFunc) (gpointer self, OrreryTick *tick, OrreryRecord *record,
                                GError **error);
typedef void (*OrreryEncodeFunc) (OrreryDatastream *codec, OrreryRecord *record,
                                  OrreryWriter *writer, GError **error);
typedef void (*OrrerySendFunc) (OrreryDatastreamManager *manager, OrreryStream *stream,
                                const char *data, gsize length);

typedef struct {
  OrreryModifierFunc func;
  OrreryModifier *modifier;
} OrreryModifierSlot;

/* One encoding of a record, sent to every stream of one manager class that asked for the same. */
typedef struct {
  const int *listening; /* atomic, of the stream */
  OrreryEncodeFunc encode;
  OrreryDatastream *codec;
  OrreryWriter *writer;
  OrrerySendFunc send;
  OrreryDatastreamManager *manager;
  OrreryStream *stream;
  guint64 encoded; /* the step that writer holds */
  int same_as; /* index of an earlier output of the component with the same codec and options, or -1
                */
} OrreryOutput;

typedef struct {
  OrreryStream *stream;
  OrreryDatastream *codec;
  OrreryDatastreamManager *manager;
} OrreryInput;

/* What a pipeline has cost: whole ticks are sampled, all of them while one is over its budget. */
typedef struct {
  guint64 n_steps;
  guint64 n_sampled;
  gint64 sampled_ns;
  guint64 n_watched;
  gint64 watched_ns;
  gint64 worst_ns;
  gboolean warned;
} OrreryCost;

/* What every tick reads comes first, in two lines of the cache; then what only some steps need. */
typedef struct {
  /* Due when phase + increment reaches period; in millionths of a hertz. */
  guint64 phase;
  guint64 increment;
  guint64 period;
  const gboolean *active;
  OrreryStepFunc step; /* NULL for a robot without an action of its own */
  OrreryComponent *component;
  OrreryRecord *record;
  const OrreryStamp *clock; /* the robot's time; NULL outside of a robot */

  const OrreryModifierSlot *slots; /* those of modifiers */
  OrreryOutput *exits;             /* those of outputs */
  guint n_slots;
  guint n_exits;
  OrreryCost cost;

  const char *name;
  gboolean *commanded;
  gboolean written;  /* orrery_simulation_write() was here */
  GArray *modifiers; /* (element-type OrreryModifierSlot) */
  GArray *outputs;   /* (element-type OrreryOutput) */
  GArray *inputs;    /* (element-type OrreryInput) */
  OrreryReader *reader;
  OrreryRecord *raw; /* an actuator's input before its modifiers, where it has any */
  guint64 n_refused; /* messages */
  guint64 n_failed;  /* steps */
  gboolean warned_refused;
  gboolean warned_failed;
  gboolean warned_keys;
  gboolean warned_rivals;
  OrreryTime budget;
} OrreryPipeline;

OrreryPipeline *orrery_pipeline_new (OrreryComponent *component, double frequency, double base);
void orrery_pipeline_free (OrreryPipeline *pipeline);
void orrery_pipeline_add_modifier (OrreryPipeline *pipeline, OrreryModifier *modifier,
                                   OrreryModifierFunc func);
void orrery_pipeline_add_output (OrreryPipeline *pipeline, OrreryStream *stream,
                                 OrreryDatastreamManager *manager, int same_as);
void orrery_pipeline_add_input (OrreryPipeline *pipeline, OrreryStream *stream,
                                OrreryDatastreamManager *manager);
/* Back to being due at the next tick. */
void orrery_pipeline_restart (OrreryPipeline *pipeline);

/* Moves the rule of frequencies one tick on. Returns whether the component is due. */
static inline gboolean
orrery_pipeline_is_due (OrreryPipeline *pipeline)
{
  guint64 phase = pipeline->phase + pipeline->increment;
  gboolean due = phase >= pipeline->period;

  pipeline->phase = due ? phase - pipeline->period : phase;
  return due;
}

/* Whether it has something to do in this tick. A component that sleeps keeps its rhythm. */
static inline gboolean
orrery_pipeline_is_up (OrreryPipeline *pipeline)
{
  return orrery_pipeline_is_due (pipeline) && *pipeline->active;
}

/* One step, whether due or not. */
void orrery_pipeline_tick_robot (OrreryPipeline *pipeline, OrreryTick *tick);
void orrery_pipeline_sense (OrreryPipeline *pipeline, OrreryTick *tick);
void orrery_pipeline_act (OrreryPipeline *pipeline, OrreryTick *tick);
/* One step of each that is due and active, in this order. */
void orrery_pipelines_tick_robots (GPtrArray *pipelines, OrreryTick *tick);
void orrery_pipelines_sense (GPtrArray *pipelines, OrreryTick *tick);
void orrery_pipelines_act (GPtrArray *pipelines, OrreryTick *tick);
/* Writes one field of an actuator's input, as a message would. */
gboolean orrery_pipeline_write (OrreryPipeline *pipeline, const char *field, GVariant *value,
                                GError **error);
double orrery_pipeline_get_seconds (const OrreryPipeline *pipeline);
