/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-pipeline-private.h"

#include "base/orrery-message-private.h"
#include "base/orrery-record-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-stream-private.h"

#include <math.h>

/* Frequencies are exact to a millionth of a hertz. */
#define MICROHERTZ 1e6
#define CACHE_LINE 64

static OrreryStepFunc
find_step (OrreryComponent *component)
{
  if (ORRERY_IS_SENSOR (component))
    return (OrreryStepFunc) ORRERY_SENSOR_GET_CLASS (component)->sense;
  if (ORRERY_IS_ACTUATOR (component))
    return (OrreryStepFunc) ORRERY_ACTUATOR_GET_CLASS (component)->act;
  return (OrreryStepFunc) ORRERY_ROBOT_GET_CLASS (component)->act;
}

static void
clear_output (gpointer data)
{
  OrreryOutput *output = data;

  g_clear_object (&output->stream);
  g_clear_pointer (&output->writer, orrery_writer_unref);
}

static void
clear_input (gpointer data)
{
  OrreryInput *input = data;

  g_clear_object (&input->stream);
}

static void
clear_modifier (gpointer data)
{
  OrreryModifierSlot *slot = data;

  g_clear_object (&slot->modifier);
}

OrreryPipeline *
orrery_pipeline_new (OrreryComponent *component, double frequency, double base)
{
  OrreryPipeline *pipeline = g_aligned_alloc0 (1, sizeof (OrreryPipeline), CACHE_LINE);
  OrreryComponent *robot = orrery_component_get_robot (component);

  pipeline->component = g_object_ref (component);
  pipeline->name = orrery_part_get_name (ORRERY_PART (component));
  pipeline->step = find_step (component);
  pipeline->active = orrery_component_get_active_flag (component);
  pipeline->commanded = orrery_component_get_commanded_flag (component);
  pipeline->record = orrery_component_get_record (component);
  if (robot != NULL)
    pipeline->clock =
        &((OrreryRobotData *) orrery_record_data (orrery_component_get_record (robot)))->time;
  pipeline->period = (guint64) llround (base * MICROHERTZ);
  pipeline->increment = MIN (pipeline->period, (guint64) llround (frequency * MICROHERTZ));
  pipeline->modifiers = g_array_new (FALSE, FALSE, sizeof (OrreryModifierSlot));
  pipeline->outputs = g_array_new (FALSE, FALSE, sizeof (OrreryOutput));
  pipeline->inputs = g_array_new (FALSE, FALSE, sizeof (OrreryInput));
  g_array_set_clear_func (pipeline->modifiers, clear_modifier);
  g_array_set_clear_func (pipeline->outputs, clear_output);
  g_array_set_clear_func (pipeline->inputs, clear_input);
  orrery_pipeline_restart (pipeline);
  return pipeline;
}

void
orrery_pipeline_free (OrreryPipeline *pipeline)
{
  g_array_unref (pipeline->modifiers);
  g_array_unref (pipeline->outputs);
  g_array_unref (pipeline->inputs);
  g_clear_pointer (&pipeline->reader, orrery_reader_unref);
  g_clear_pointer (&pipeline->raw, orrery_record_unref);
  g_object_unref (pipeline->component);
  g_aligned_free (pipeline);
}

void
orrery_pipeline_restart (OrreryPipeline *pipeline)
{
  pipeline->phase = pipeline->period - pipeline->increment;
}

void
orrery_pipeline_add_modifier (OrreryPipeline *pipeline, OrreryModifier *modifier,
                              OrreryModifierFunc func)
{
  OrreryModifierSlot slot = { func, g_object_ref (modifier) };

  g_array_append_val (pipeline->modifiers, slot);
  pipeline->slots = (OrreryModifierSlot *) (gpointer) pipeline->modifiers->data;
  pipeline->n_slots = pipeline->modifiers->len;
  if (pipeline->raw == NULL && ORRERY_IS_ACTUATOR (pipeline->component)) {
    pipeline->raw = orrery_record_new (orrery_record_get_schema (pipeline->record));
    orrery_record_copy (pipeline->raw, pipeline->record);
  }
}

void
orrery_pipeline_add_output (OrreryPipeline *pipeline, OrreryStream *stream,
                            OrreryDatastreamManager *manager, int same_as)
{
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  OrreryOutput output = { .listening = orrery_stream_get_listening (stream),
                          .encode = ORRERY_DATASTREAM_GET_CLASS (codec)->encode,
                          .codec = codec,
                          .writer = orrery_writer_new (),
                          .send = ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->send,
                          .manager = manager,
                          .stream = g_object_ref (stream),
                          .same_as = same_as };

  g_array_append_val (pipeline->outputs, output);
  pipeline->exits = (OrreryOutput *) (gpointer) pipeline->outputs->data;
  pipeline->n_exits = pipeline->outputs->len;
}

void
orrery_pipeline_add_input (OrreryPipeline *pipeline, OrreryStream *stream,
                           OrreryDatastreamManager *manager)
{
  OrreryInput input = { g_object_ref (stream), orrery_stream_get_codec (stream), manager };

  if (pipeline->reader == NULL)
    pipeline->reader = orrery_reader_new ();
  g_array_append_val (pipeline->inputs, input);
}

/* --- faults: each is said once and counted ever after --- */

static void
step_failed (OrreryPipeline *pipeline, GError *error)
{
  pipeline->n_failed++;
  if (!pipeline->warned_failed)
    g_warning ("%s: %s; its step is skipped (further ones are only counted)", pipeline->name,
               error->message);
  pipeline->warned_failed = TRUE;
  g_error_free (error);
}

static void
message_refused (OrreryPipeline *pipeline, GError *error)
{
  pipeline->n_refused++;
  if (!pipeline->warned_refused)
    g_warning ("%s: a message is refused: %s (further ones are only counted)", pipeline->name,
               error->message);
  pipeline->warned_refused = TRUE;
  g_error_free (error);
}

static void
note_keys (OrreryPipeline *pipeline, OrreryReader *reader)
{
  const char *missing = orrery_reader_get_missing (reader);
  const char *unknown = orrery_reader_get_unknown (reader);

  if (pipeline->warned_keys || (missing == NULL && unknown == NULL))
    return;
  pipeline->warned_keys = TRUE;
  if (missing != NULL)
    g_warning ("%s: a message lacks '%s'; it takes its default", pipeline->name, missing);
  if (unknown != NULL)
    g_warning ("%s: a message has '%s', which is no field; it is ignored", pipeline->name, unknown);
}

static void
note_rivals (OrreryPipeline *pipeline, OrreryStream *stream)
{
  if (pipeline->warned_rivals || !orrery_stream_has_rivals (stream))
    return;
  pipeline->warned_rivals = TRUE;
  g_warning ("%s: several clients write in one tick; the last message of a tick wins",
             pipeline->name);
}

/* --- the step --- */

static G_GNUC_NO_INLINE void
modifier_failed (OrreryPipeline *pipeline, const OrreryModifierSlot *slot, GError *error)
{
  g_prefix_error (&error, "%s: ", orrery_part_get_name (ORRERY_PART (slot->modifier)));
  step_failed (pipeline, error);
}

/* Until one fails, or holds the record. Returns FALSE if one failed. */
static inline gboolean
run_modifiers (OrreryPipeline *pipeline, OrreryTick *tick)
{
  const OrreryModifierSlot *end = pipeline->slots + pipeline->n_slots;
  const OrreryRecord *record = pipeline->record;
  GError *error = NULL;

  for (const OrreryModifierSlot *slot = pipeline->slots; slot < end; slot++) {
    slot->func (slot->modifier, tick, &error);
    if (G_UNLIKELY (error != NULL)) {
      modifier_failed (pipeline, slot, error);
      return FALSE;
    }
    if (G_UNLIKELY (record->held))
      break;
  }
  return TRUE;
}

/* The earlier output's bytes, if it was listened to in this step. */
static OrreryWriter *
find_encoding (OrreryPipeline *pipeline, const OrreryOutput *output)
{
  const OrreryOutput *first;

  if (G_LIKELY (output->same_as < 0))
    return NULL;
  first = &pipeline->exits[output->same_as];
  return first->encoded == pipeline->cost.n_steps ? first->writer : NULL;
}

static inline OrreryWriter *
encode (OrreryPipeline *pipeline, OrreryOutput *output)
{
  OrreryWriter *writer = output->writer;
  GError *error = NULL;

  writer->length = 0;
  output->encode (output->codec, pipeline->record, writer, &error);
  if (G_UNLIKELY (error != NULL)) {
    step_failed (pipeline, error);
    return NULL;
  }
  output->encoded = pipeline->cost.n_steps;
  return writer;
}

static inline void
publish (OrreryPipeline *pipeline)
{
  OrreryOutput *end = pipeline->exits + pipeline->n_exits;

  for (OrreryOutput *output = pipeline->exits; output < end; output++) {
    OrreryWriter *writer;

    if (!__atomic_load_n (output->listening, __ATOMIC_ACQUIRE))
      continue;
    writer = find_encoding (pipeline, output);
    if (writer == NULL)
      writer = encode (pipeline, output);
    if (writer != NULL && writer->length > 0)
      output->send (output->manager, output->stream, writer->data, writer->length);
  }
}

static inline void
tick_robot (OrreryPipeline *pipeline, OrreryTick *tick)
{
  OrreryRobotData *data = orrery_record_data (pipeline->record);
  GError *error = NULL;

  pipeline->cost.n_steps++;
  pipeline->record->held = FALSE;
  data->time.ns = orrery_tick_get_time (tick);
  if (!run_modifiers (pipeline, tick))
    return;
  if (pipeline->step != NULL)
    pipeline->step (pipeline->component, tick, pipeline->record, &error);
  if (G_UNLIKELY (error != NULL))
    step_failed (pipeline, error);
  if (G_LIKELY (!pipeline->record->held))
    publish (pipeline);
}

static inline void
sense (OrreryPipeline *pipeline, OrreryTick *tick)
{
  OrreryRecord *record = pipeline->record;
  const OrreryStamp *clock = pipeline->clock;
  GError *error = NULL;

  pipeline->cost.n_steps++;
  record->held = FALSE;
  record->timestamp = clock != NULL ? clock->ns : orrery_tick_get_time (tick);
  record->has_timestamp = TRUE;
  pipeline->step (pipeline->component, tick, record, &error);
  if (G_UNLIKELY (error != NULL)) {
    step_failed (pipeline, error);
    return;
  }
  if (G_LIKELY (!record->held) && run_modifiers (pipeline, tick) && !record->held)
    publish (pipeline);
}

static gboolean
decode (OrreryPipeline *pipeline, OrreryInput *input)
{
  OrreryReader *reader = pipeline->reader;
  GError *error = NULL;
  const char *data;
  gsize length;

  data = orrery_stream_get_message (input->stream, &length);
  orrery_reader_set_data (reader, data, length);
  ORRERY_DATASTREAM_GET_CLASS (input->codec)
      ->decode (input->codec, reader, pipeline->record, &error);
  orrery_stream_drop (input->stream);
  note_rivals (pipeline, input->stream);
  if (error != NULL) {
    message_refused (pipeline, error);
    return FALSE;
  }
  note_keys (pipeline, reader);
  return TRUE;
}

static gboolean
read_inputs (OrreryPipeline *pipeline)
{
  gboolean commanded = FALSE;

  for (guint i = 0; i < pipeline->inputs->len; i++) {
    OrreryInput *input = &g_array_index (pipeline->inputs, OrreryInput, i);
    gsize length;

    if (orrery_stream_get_message (input->stream, &length) != NULL)
      commanded |= decode (pipeline, input);
  }
  return commanded;
}

static inline void
act (OrreryPipeline *pipeline, OrreryTick *tick)
{
  gboolean commanded = pipeline->written;
  gboolean fine = TRUE;
  GError *error = NULL;

  pipeline->cost.n_steps++;
  pipeline->record->held = FALSE;
  if (pipeline->reader != NULL)
    commanded |= read_inputs (pipeline);
  pipeline->written = FALSE;
  *pipeline->commanded = commanded;
  if (commanded && pipeline->n_slots > 0) {
    orrery_record_copy (pipeline->raw, pipeline->record);
    fine = run_modifiers (pipeline, tick);
  }
  if (fine)
    pipeline->step (pipeline->component, tick, pipeline->record, &error);
  if (G_UNLIKELY (error != NULL))
    step_failed (pipeline, error);
  if (G_LIKELY (!pipeline->record->held))
    publish (pipeline);
}

/* --- one, and all of a phase: the loops are here so that the steps are part of them --- */

#define DEFINE_STEP(one, all, step)                                                                \
  void one (OrreryPipeline *pipeline, OrreryTick *tick)                                            \
  {                                                                                                \
    step (pipeline, tick);                                                                         \
  }                                                                                                \
  void all (GPtrArray *pipelines, OrreryTick *tick)                                                \
  {                                                                                                \
    for (guint i = 0; i < pipelines->len; i++) {                                                   \
      OrreryPipeline *pipeline = pipelines->pdata[i];                                              \
                                                                                                   \
      if (orrery_pipeline_is_up (pipeline))                                                        \
        step (pipeline, tick);                                                                     \
    }                                                                                              \
  }

DEFINE_STEP (orrery_pipeline_tick_robot, orrery_pipelines_tick_robots, tick_robot)
DEFINE_STEP (orrery_pipeline_sense, orrery_pipelines_sense, sense)
DEFINE_STEP (orrery_pipeline_act, orrery_pipelines_act, act)

gboolean
orrery_pipeline_write (OrreryPipeline *pipeline, const char *field, GVariant *value, GError **error)
{
  /* Modifiers change the record in place: what they made of the last input is not input. */
  if (pipeline->raw != NULL && !pipeline->written)
    orrery_record_copy (pipeline->record, pipeline->raw);
  if (!orrery_record_set_value (pipeline->record, field, value, error))
    return FALSE;
  pipeline->written = TRUE;
  return TRUE;
}

double
orrery_pipeline_get_seconds (const OrreryPipeline *pipeline)
{
  const OrreryCost *cost = &pipeline->cost;
  double each = cost->n_sampled > 0 ? (double) cost->sampled_ns / cost->n_sampled : 0.0;

  return 1e-9 * (cost->watched_ns + each * (double) (cost->n_steps - cost->n_watched));
}
