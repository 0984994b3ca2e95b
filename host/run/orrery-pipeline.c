/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-pipeline-private.h"

#include "roles/orrery-component-private.h"
#include "roles/orrery-stream-private.h"

#include <math.h>

/* Frequencies are exact to a millionth of a hertz. */
#define MICROHERTZ 1e6

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
  OrreryPipeline *pipeline = g_new0 (OrreryPipeline, 1);
  OrreryComponent *robot = orrery_component_get_robot (component);

  pipeline->component = g_object_ref (component);
  pipeline->name = orrery_part_get_name (ORRERY_PART (component));
  pipeline->step = find_step (component);
  pipeline->record = orrery_component_get_record (component);
  if (robot != NULL)
    pipeline->clock =
        &((OrreryRobotData *) orrery_record_data (orrery_component_get_record (robot)))->time;
  pipeline->period = (guint64) llround (base * MICROHERTZ);
  pipeline->increment = MIN (pipeline->period, (guint64) llround (frequency * MICROHERTZ));
  pipeline->modifiers = g_array_new (FALSE, FALSE, sizeof (OrreryModifierSlot));
  pipeline->outputs = g_array_new (FALSE, FALSE, sizeof (OrreryOutput));
  pipeline->inputs = g_array_new (FALSE, FALSE, sizeof (OrreryInput));
  pipeline->reader = orrery_reader_new ();
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
  orrery_reader_unref (pipeline->reader);
  g_clear_pointer (&pipeline->raw, orrery_record_unref);
  g_object_unref (pipeline->component);
  g_free (pipeline);
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
  OrreryModifierSlot slot = { g_object_ref (modifier), func };

  g_array_append_val (pipeline->modifiers, slot);
  if (pipeline->raw == NULL && ORRERY_IS_ACTUATOR (pipeline->component)) {
    pipeline->raw = orrery_record_new (orrery_record_get_schema (pipeline->record));
    orrery_record_copy (pipeline->raw, pipeline->record);
  }
}

void
orrery_pipeline_add_output (OrreryPipeline *pipeline, OrreryStream *stream,
                            OrreryDatastreamManager *manager, int same_as)
{
  OrreryOutput output = { .stream = g_object_ref (stream),
                          .codec = orrery_stream_get_codec (stream),
                          .manager = manager,
                          .writer = orrery_writer_new (),
                          .same_as = same_as };

  g_array_append_val (pipeline->outputs, output);
}

void
orrery_pipeline_add_input (OrreryPipeline *pipeline, OrreryStream *stream,
                           OrreryDatastreamManager *manager)
{
  OrreryInput input = { g_object_ref (stream), orrery_stream_get_codec (stream), manager };

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

static gboolean
run_modifiers (OrreryPipeline *pipeline, OrreryTick *tick, GError **error)
{
  GError *local = NULL;

  for (guint i = 0; i < pipeline->modifiers->len; i++) {
    OrreryModifierSlot *slot = &g_array_index (pipeline->modifiers, OrreryModifierSlot, i);

    slot->func (slot->modifier, tick, &local);
    if (G_UNLIKELY (local != NULL)) {
      g_prefix_error (&local, "%s: ", orrery_part_get_name (ORRERY_PART (slot->modifier)));
      g_propagate_error (error, local);
      return FALSE;
    }
    if (G_UNLIKELY (orrery_record_is_held (pipeline->record)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
encode (OrreryPipeline *pipeline, OrreryOutput *output, GError **error)
{
  GError *local = NULL;

  orrery_writer_clear (output->writer);
  ORRERY_DATASTREAM_GET_CLASS (output->codec)
      ->encode (output->codec, pipeline->record, output->writer, &local);
  if (G_LIKELY (local == NULL)) {
    output->encoded = pipeline->cost.n_steps;
    return TRUE;
  }
  g_propagate_error (error, local);
  return FALSE;
}

static OrreryWriter *
find_encoding (OrreryPipeline *pipeline, OrreryOutput *output, GError **error)
{
  OrreryOutput *first;

  if (output->same_as < 0)
    return encode (pipeline, output, error) ? output->writer : NULL;

  first = &g_array_index (pipeline->outputs, OrreryOutput, output->same_as);
  if (first->encoded == pipeline->cost.n_steps)
    return first->writer;
  return encode (pipeline, output, error) ? output->writer : NULL;
}

static void
publish (OrreryPipeline *pipeline)
{
  for (guint i = 0; i < pipeline->outputs->len; i++) {
    OrreryOutput *output = &g_array_index (pipeline->outputs, OrreryOutput, i);
    GError *error = NULL;
    OrreryWriter *writer;
    const char *data;
    gsize length;

    if (!orrery_stream_is_listening (output->stream))
      continue;
    writer = find_encoding (pipeline, output, &error);
    if (G_UNLIKELY (writer == NULL)) {
      step_failed (pipeline, error);
      continue;
    }
    data = orrery_writer_get_data (writer, &length);
    if (length > 0)
      ORRERY_DATASTREAM_MANAGER_GET_CLASS (output->manager)
          ->send (output->manager, output->stream, data, length);
  }
}

static void
pass_on (OrreryPipeline *pipeline, OrreryTick *tick, GError *error)
{
  if (G_UNLIKELY (error != NULL)) {
    step_failed (pipeline, error);
    return;
  }
  if (G_UNLIKELY (orrery_record_is_held (pipeline->record)))
    return;
  if (!run_modifiers (pipeline, tick, &error)) {
    if (error != NULL)
      step_failed (pipeline, error);
    return;
  }
  if (pipeline->outputs->len > 0)
    publish (pipeline);
}

void
orrery_pipeline_tick_robot (OrreryPipeline *pipeline, OrreryTick *tick)
{
  OrreryRobotData *data = orrery_record_data (pipeline->record);
  GError *error = NULL;

  pipeline->cost.n_steps++;
  data->time.ns = orrery_tick_get_time (tick);
  if (pipeline->modifiers->len > 0 && !run_modifiers (pipeline, tick, &error) && error != NULL) {
    step_failed (pipeline, g_steal_pointer (&error));
    return;
  }
  if (pipeline->step != NULL)
    pipeline->step (pipeline->component, tick, pipeline->record, &error);
  if (G_UNLIKELY (error != NULL))
    step_failed (pipeline, error);
  if (pipeline->outputs->len > 0)
    publish (pipeline);
}

void
orrery_pipeline_sense (OrreryPipeline *pipeline, OrreryTick *tick)
{
  GError *error = NULL;

  pipeline->cost.n_steps++;
  orrery_record_release (pipeline->record);
  orrery_record_set_timestamp (pipeline->record, pipeline->clock != NULL
                                                     ? pipeline->clock->ns
                                                     : orrery_tick_get_time (tick));
  pipeline->step (pipeline->component, tick, pipeline->record, &error);
  pass_on (pipeline, tick, error);
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

void
orrery_pipeline_act (OrreryPipeline *pipeline, OrreryTick *tick)
{
  gboolean commanded = pipeline->written;
  GError *error = NULL;

  pipeline->cost.n_steps++;
  if (pipeline->inputs->len > 0)
    commanded |= read_inputs (pipeline);
  pipeline->written = FALSE;
  orrery_component_set_commanded (pipeline->component, commanded);
  if (commanded && pipeline->modifiers->len > 0) {
    orrery_record_copy (pipeline->raw, pipeline->record);
    run_modifiers (pipeline, tick, &error);
  }
  if (error == NULL)
    pipeline->step (pipeline->component, tick, pipeline->record, &error);
  if (G_UNLIKELY (error != NULL))
    step_failed (pipeline, error);
  if (pipeline->outputs->len > 0)
    publish (pipeline);
}

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
