/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs pipelines into steps, and runs a step: the component, its modifiers and its outputs. */
#include "tick/orrery-step-private.h"

#include "base/orrery-message-private.h"
#include "part/orrery-part-private.h"
#include "record/orrery-record-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-robot-private.h"
#include "roles/orrery-stream-private.h"
#include "worker/orrery-worker-private.h"
#include "world/orrery-world-private.h"

#define CACHE_LINE 64
/* Equal outputs are encoded once among the first so many outputs of a component. */
#define MAX_SHARED 64

static inline OrreryExit *
get_exits (OrreryStep *step)
{
  return (OrreryExit *) (gpointer) &step->modifiers[step->n_modifiers];
}

/* --- packing --- */

static gsize
find_size (const OrreryPipeline *pipeline)
{
  return sizeof (OrreryStep) + pipeline->modifiers->len * sizeof (OrreryModifierSlot) +
         pipeline->outputs->len * sizeof (OrreryExit);
}

static OrreryComponentStepFunc
find_func (const OrreryPipeline *pipeline)
{
  OrreryComponent *component = pipeline->component;

  if (pipeline->remote != NULL)
    return orrery_remote_step;
  if (ORRERY_IS_SENSOR (component))
    return (OrreryComponentStepFunc) ORRERY_SENSOR_GET_CLASS (component)->sense;
  if (ORRERY_IS_ACTUATOR (component))
    return (OrreryComponentStepFunc) ORRERY_ACTUATOR_GET_CLASS (component)->act;
  return (OrreryComponentStepFunc) ORRERY_ROBOT_GET_CLASS (component)->act;
}

static const OrreryStamp *
find_clock (OrreryComponent *component)
{
  OrreryComponent *robot = orrery_component_get_robot (component);
  OrreryRobotData *data;

  if (robot == NULL)
    return NULL;
  data = orrery_record_data (orrery_component_get_record (robot));
  return &data->time;
}

static OrreryWriter *
get_writer (GPtrArray *writers, guint i)
{
  while (writers->len <= i)
    g_ptr_array_add (writers, orrery_writer_new ());
  return writers->pdata[i];
}

static void
pack_exit (OrreryExit *out, const OrreryOutput *output, OrreryWriter *writer)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_GET_CLASS (output->manager);

  *out = (OrreryExit){
    .encode = ORRERY_DATASTREAM_GET_CLASS (output->codec)->encode,
    .codec = output->codec,
    .callee = orrery_part_get_callee (output->codec),
    .writer = writer,
    .manager = output->manager,
    .stream = output->stream,
    .same_as = (gint16) (output->same_as < MAX_SHARED ? output->same_as : -1),
    .has_rate = output->period > 0,
    .kind = manager->send_messages != NULL ? ORRERY_EXIT_TOPICS : ORRERY_EXIT_PLAIN,
  };
  if (out->kind == ORRERY_EXIT_TOPICS)
    out->send_messages = manager->send_messages;
  else
    out->send = manager->send;
}

/* An exit and the one that it takes the encoding of know of each other. */
static void
share_exit (OrreryExit *exits, guint i)
{
  if (exits[i].same_as >= 0)
    exits[i].kind = exits[exits[i].same_as].kind = ORRERY_EXIT_SHARED;
}

/* What a fault in its code is told with. */
static const OrreryCallee *
name_callee (gpointer part, const char *function)
{
  OrreryCallee *callee = orrery_part_get_callee (part);

  callee->function = function;
  return callee;
}

static const OrreryCallee *
name_parts (const OrreryPipeline *pipeline)
{
  for (guint i = 0; i < pipeline->modifiers->len; i++)
    name_callee (g_array_index (pipeline->modifiers, OrreryModifierSlot, i).modifier, "modify");
  for (guint i = 0; i < pipeline->outputs->len; i++) {
    const OrreryOutput *output = &g_array_index (pipeline->outputs, OrreryOutput, i);

    name_callee (output->codec, "encode");
    name_callee (output->manager,
                 ORRERY_DATASTREAM_MANAGER_GET_CLASS (output->manager)->send_messages != NULL
                     ? "send_messages"
                     : "send");
  }
  for (guint i = 0; i < pipeline->inputs->len; i++)
    name_callee (g_array_index (pipeline->inputs, OrreryInput, i).codec, "decode");
  return name_callee (pipeline->component,
                      ORRERY_IS_SENSOR (pipeline->component) ? "sense" : "act");
}

static void
pack (OrrerySteps *steps, OrreryPipeline *pipeline, GPtrArray *writers, int **listening)
{
  OrreryStep *step = (OrreryStep *) (gpointer) steps->end;
  OrreryComponent *component = pipeline->component;

  *step = (OrreryStep){
    .increment = pipeline->increment,
    .period = pipeline->period,
    .func = find_func (pipeline),
    .self = pipeline->remote != NULL ? (gpointer) pipeline->remote : component,
    .callee = name_parts (pipeline),
    .record = pipeline->record,
    .clock = find_clock (component),
    .n_modifiers = (guint16) pipeline->modifiers->len,
    .n_exits = (guint16) pipeline->outputs->len,
    .is_watched = pipeline->watches != NULL,
    .is_late = pipeline->shown != NULL,
    .listening = *listening,
    .size = (guint32) find_size (pipeline),
    .pipeline = pipeline,
  };
  for (guint i = 0; i < step->n_modifiers; i++)
    step->modifiers[i] = g_array_index (pipeline->modifiers, OrreryModifierSlot, i);
  for (guint i = 0; i < step->n_exits; i++) {
    const OrreryOutput *output = &g_array_index (pipeline->outputs, OrreryOutput, i);
    int *place = (*listening)++;

    orrery_stream_place_listening (output->stream, steps->listening, place);
    pack_exit (&get_exits (step)[i], output, get_writer (writers, i));
    share_exit (get_exits (step), i);
  }
  step->has_one_exit = step->n_exits == 1 && !get_exits (step)->has_rate;
  orrery_component_place_active (component, &step->active);
  steps->end += step->size;
  step->phase = step->period - step->increment;
  pipeline->step = step;
}

void
orrery_steps_pack (OrrerySteps *steps, GPtrArray *pipelines, GPtrArray *writers)
{
  gsize size = 0;
  guint n_exits = 0;
  int *listening;

  for (guint i = 0; i < pipelines->len; i++) {
    size += find_size (pipelines->pdata[i]);
    n_exits += ((OrreryPipeline *) pipelines->pdata[i])->outputs->len;
  }
  steps->memory = steps->first = steps->end = g_aligned_alloc0 (1, MAX (size, 1), CACHE_LINE);
  steps->listening = listening = g_atomic_rc_box_alloc0 ((n_exits + 1) * sizeof *listening);
  for (guint i = 0; i < pipelines->len; i++)
    pack (steps, pipelines->pdata[i], writers, &listening);
}

/* Its own bytes, wherever the next step is that is not parked. */
static OrreryStep *
get_neighbour (OrreryStep *step)
{
  return (OrreryStep *) (gpointer) ((char *) step + find_size (step->pipeline));
}

void
orrery_steps_link (OrrerySteps *steps)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;
  OrreryStep *last = NULL;

  steps->first = steps->end;
  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->memory; step < end;
       step = get_neighbour (step)) {
    if (step->pipeline->parked)
      continue;
    if (last != NULL)
      last->size = (guint32) ((char *) step - (char *) last);
    else
      steps->first = (char *) step;
    last = step;
  }
  if (last != NULL)
    last->size = (guint32) ((char *) end - (char *) last);
}

void
orrery_steps_clear (OrrerySteps *steps)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;
  OrreryStep *next;

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->memory; step < end; step = next) {
    next = get_neighbour (step);
    orrery_component_place_active (step->pipeline->component, NULL);
    step->pipeline->step = NULL;
  }
  g_clear_pointer (&steps->listening, g_atomic_rc_box_release);
  g_clear_pointer (&steps->memory, g_aligned_free);
  steps->first = steps->end = NULL;
}

/* --- modifiers --- */

/* Tells in the error, if there is one, which modifier failed. */
static G_GNUC_NO_INLINE void
name_failed (const OrreryModifierSlot *slot, GError **error)
{
  if (*error != NULL)
    g_prefix_error (error, "%s: ", orrery_part_get_name (ORRERY_PART (slot->modifier)));
}

/* Runs the modifiers from one to the one before end, until one fails or holds the record back.
 * @error: not NULL, and holds no error yet */
static inline void
run_some_modifiers (OrreryStep *step, OrreryTick *tick, guint first, guint end_index,
                    GError **error)
{
  const OrreryModifierSlot *end = step->modifiers + end_index;
  const OrreryRecord *record = step->record;

  for (const OrreryModifierSlot *slot = step->modifiers + first; slot < end; slot++) {
    orrery_calling_set (slot->callee);
    slot->func (slot->modifier, tick, error);
    if (G_UNLIKELY (*error != NULL || record->held)) {
      name_failed (slot, error);
      return;
    }
  }
}

/* Returns: FALSE: a modifier failed */
static inline gboolean
run_modifiers (OrreryStep *step, OrreryTick *tick, GError **error)
{
  run_some_modifiers (step, tick, 0, step->n_modifiers, error);
  return *error == NULL;
}

/* --- outputs --- */

static inline gboolean
encode (OrreryStep *step, OrreryExit *out, OrreryCalling *calling)
{
  GError *error = NULL;

  out->writer->length = 0;
  orrery_calling_mark (calling, out->callee);
  out->encode (out->codec, step->record, out->writer, &error);
  if (G_UNLIKELY (out->writer->n_not_finite > 0))
    orrery_pipeline_note_not_finite (step->pipeline, out->writer);
  if (G_LIKELY (error == NULL))
    return TRUE;
  orrery_pipeline_take_fault (step->pipeline, error);
  return FALSE;
}

/* A writer serves many outputs, so it is left as a new one is. */
static G_GNUC_NO_INLINE void
publish_messages (OrreryStep *step, OrreryExit *out, OrreryCalling *calling)
{
  OrreryWriter *writer = out->writer;

  writer->wanted = orrery_stream_get_wanted (out->stream);
  if (encode (step, out, calling) && orrery_writer_get_n_messages (writer) > 0) {
    orrery_calling_mark (calling, orrery_part_get_callee (out->manager));
    out->send_messages (out->manager, out->stream, writer);
  }
  writer->wanted = G_MAXUINT64;
  orrery_writer_clear (writer);
}

static inline void
send_message (OrreryExit *out, const OrreryWriter *writer, OrreryCalling *calling)
{
  if (writer->length == 0)
    return;
  orrery_calling_mark (calling, orrery_part_get_callee (out->manager));
  out->send (out->manager, out->stream, writer->data, writer->length);
}

/* @encoded: a bit for each exit that was encoded in this step */
static G_GNUC_NO_INLINE void
publish_shared (OrreryStep *step, guint i, OrreryCalling *calling, guint64 *encoded)
{
  OrreryExit *exits = get_exits (step);
  OrreryExit *out = &exits[i];

  if (out->kind == ORRERY_EXIT_TOPICS) {
    publish_messages (step, out, calling);
  } else if (out->same_as >= 0 && (*encoded >> out->same_as & 1)) {
    send_message (out, exits[out->same_as].writer, calling);
  } else if (encode (step, out, calling)) {
    *encoded |= i < MAX_SHARED ? G_GUINT64_CONSTANT (1) << i : 0;
    send_message (out, out->writer, calling);
  }
}

static G_GNUC_NO_INLINE void
publish_all (OrreryStep *step)
{
  OrreryExit *exits = get_exits (step);
  OrreryCalling *calling = &orrery_calling;
  guint64 encoded = 0;

  for (guint i = 0; i < step->n_exits; i++) {
    OrreryExit *out = &exits[i];

    if (G_UNLIKELY (out->has_rate) && !orrery_pipeline_output_is_due (step->pipeline, i))
      continue;
    if (!__atomic_load_n (&step->listening[i], __ATOMIC_ACQUIRE))
      continue;
    if (G_UNLIKELY (out->kind != ORRERY_EXIT_PLAIN))
      publish_shared (step, i, calling, &encoded);
    else if (encode (step, out, calling))
      send_message (out, out->writer, calling);
  }
  if (G_UNLIKELY (step->is_watched))
    orrery_pipeline_tell_watches (step->pipeline);
}

/* Most components have no stream or one, so that is done without a call. */
static inline void
publish (OrreryStep *step)
{
  OrreryExit *out = get_exits (step);

  if (G_LIKELY (step->has_one_exit && !step->is_watched)) {
    if (!__atomic_load_n (step->listening, __ATOMIC_ACQUIRE))
      return;
    if (out->kind == ORRERY_EXIT_TOPICS)
      publish_messages (step, out, &orrery_calling);
    else if (encode (step, out, &orrery_calling))
      send_message (out, out->writer, &orrery_calling);
  } else if (step->n_exits > 0 || step->is_watched) {
    publish_all (step);
  }
}

/* --- the step --- */

static inline void
run_func (OrreryStep *step, OrreryTick *tick)
{
  GError *error = NULL;

  orrery_calling_set (step->callee);
  step->func (step->self, tick, step->record, &error);
  if (G_UNLIKELY (error != NULL))
    orrery_pipeline_take_fault (step->pipeline, error);
}

static inline void
run_robot (OrreryStep *step, OrreryTick *tick)
{
  OrreryRobotData *data = step->record->data;
  gboolean acts = orrery_step_is_up (step);
  GError *error = NULL;

  step->n_steps++;
  step->record->held = FALSE;
  data->time.ns = tick->time;
  if (G_UNLIKELY (!run_modifiers (step, tick, &error))) {
    orrery_pipeline_take_fault (step->pipeline, error);
    return;
  }
  orrery_robot_tell_gravity ((OrreryRobot *) step->pipeline->component, tick);
  if (!acts)
    return;
  if (step->func != NULL)
    run_func (step, tick);
  if (G_LIKELY (!step->record->held))
    publish (step);
}

/* While a modifier holds records back, everybody who looks at the record sees the last one that was
 * passed on, and not what was measured now. */
static G_GNUC_NO_INLINE void
keep_shown (OrreryStep *step, const GError *error)
{
  OrreryRecord *record = step->record;

  if (error == NULL && !record->held) {
    orrery_record_copy (step->pipeline->shown, record);
    return;
  }
  orrery_record_copy (record, step->pipeline->shown);
  record->held = TRUE;
}

static inline void
finish_record (OrreryStep *step, const GError *error)
{
  if (G_UNLIKELY (step->is_late))
    keep_shown (step, error);
}

/* The part that accesses nothing but the record: up to some modifier. Returns: the error, or
 * NULL */
static inline GError *
begin_sensor (OrreryStep *step, OrreryTick *tick, guint n_modifiers)
{
  OrreryRecord *record = step->record;
  GError *error = NULL;

  orrery_calling_set (step->callee);
  step->n_steps++;
  record->held = FALSE;
  record->timestamp = step->clock != NULL ? step->clock->ns : tick->time;
  record->has_timestamp = TRUE;
  step->func (step->self, tick, record, &error);
  if (G_LIKELY (error == NULL && !record->held))
    run_some_modifiers (step, tick, 0, n_modifiers, &error);
  return error;
}

/* Takes the error. */
static inline void
end_sensor (OrreryStep *step, GError *error)
{
  if (G_UNLIKELY (error != NULL)) {
    orrery_pipeline_take_fault (step->pipeline, error);
    return;
  }
  if (G_LIKELY (!step->record->held))
    publish (step);
}

static inline void
run_sensor (OrreryStep *step, OrreryTick *tick)
{
  GError *error = begin_sensor (step, tick, step->n_modifiers);

  finish_record (step, error);
  end_sensor (step, error);
}

GError *
orrery_step_begin_sensor (OrreryStep *step, OrreryTick *tick, guint n_modifiers)
{
  GError *error = begin_sensor (step, tick, n_modifiers);

  if (n_modifiers == step->n_modifiers)
    finish_record (step, error);
  return error;
}

GError *
orrery_step_modify_sensor (OrreryStep *step, OrreryTick *tick, guint first)
{
  GError *error = NULL;

  if (!step->record->held)
    run_some_modifiers (step, tick, first, step->n_modifiers, &error);
  finish_record (step, error);
  return error;
}

void
orrery_step_end_sensor (OrreryStep *step, GError *error)
{
  end_sensor (step, error);
}

/* Passes one on to the modifiers from first on. Takes the error. */
static void
pass_released (OrreryStep *step, OrreryTick *tick, guint first, GError *error)
{
  step->record->held = FALSE;
  if (error == NULL)
    run_some_modifiers (step, tick, first, step->n_modifiers, &error);
  keep_shown (step, error);
  end_sensor (step, error);
}

void
orrery_step_release (OrreryStep *step, OrreryTick *tick)
{
  /* From the last to the first: what waits further behind was measured earlier. */
  for (guint i = step->n_modifiers; i > 0; i--) {
    OrreryModifier *modifier = step->modifiers[i - 1].modifier;
    OrreryModifierClass *klass = ORRERY_MODIFIER_GET_CLASS (modifier);
    gboolean more = klass->release != NULL;

    while (more) {
      GError *error = NULL;

      orrery_calling_set (orrery_part_get_callee (modifier));
      more = klass->release (modifier, tick, &error);
      name_failed (&step->modifiers[i - 1], &error);
      if (more || error != NULL)
        pass_released (step, tick, i, error);
      more = more && error == NULL;
    }
  }
}

/* Messages have finite numbers only; an actuator that keeps what it is told would keep a NaN. */
static gboolean
check_input (OrreryStep *step, GError **error)
{
  const char *field = orrery_record_find_nan (step->record);

  return G_LIKELY (field == NULL) ||
         orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "its modifiers made the field '%s' not a number (NaN)", field);
}

static void
modify_input (OrreryStep *step, OrreryTick *tick)
{
  GError *error = NULL;
  gboolean passed;

  orrery_pipeline_begin_input (step->pipeline);
  passed = run_modifiers (step, tick, &error) && !step->record->held && check_input (step, &error);
  orrery_pipeline_end_input (step->pipeline, passed, error);
}

static inline void
run_actuator (OrreryStep *step, OrreryTick *tick)
{
  step->n_steps++;
  step->record->held = FALSE;
  if (orrery_pipeline_read (step->pipeline, tick->time) && step->n_modifiers > 0)
    modify_input (step, tick);
  run_func (step, tick);
  if (G_LIKELY (!step->record->held))
    publish (step);
}

/* The loops are in this file so that the compiler inlines the steps into them. */
#define DEFINE_STEP(one, all, run, is_up)                                                          \
  void one (OrreryStep *step, OrreryTick *tick)                                                    \
  {                                                                                                \
    run (step, tick);                                                                              \
  }                                                                                                \
  void all (const OrrerySteps *steps, OrreryTick *tick)                                            \
  {                                                                                                \
    OrreryStep *end = (OrreryStep *) (gpointer) steps->end;                                        \
                                                                                                   \
    for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;                    \
         step = orrery_step_next (step))                                                           \
      if (is_up (step))                                                                            \
        run (step, tick);                                                                          \
  }

DEFINE_STEP (orrery_step_robot, orrery_steps_run_robots, run_robot, orrery_step_is_robot_up)
DEFINE_STEP (orrery_step_sensor, orrery_steps_run_sensors, run_sensor, orrery_step_is_up)
DEFINE_STEP (orrery_step_actuator, orrery_steps_run_actuators, run_actuator, orrery_step_is_up)
