/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelines: one component with its modifiers, inputs, outputs, faults and statistics. */
#include "tick/orrery-pipeline-private.h"

#include "base/orrery-message-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "record/orrery-record-private.h"
#include "roles/orrery-actuator-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-stream-private.h"
#include "tick/orrery-step-private.h"
#include "worker/orrery-worker-private.h"

#include <math.h>

/* Frequencies are exact to a millionth of a hertz. */
#define MICROHERTZ 1e6

static void
clear_output (gpointer data)
{
  OrreryOutput *output = data;

  g_clear_object (&output->stream);
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
orrery_pipeline_new (OrreryComponent *component, double frequency, double base,
                     gboolean thread_safe)
{
  OrreryPipeline *pipeline = g_new0 (OrreryPipeline, 1);
  GPtrArray *sources = orrery_part_get_sources (ORRERY_PART (component));

  pipeline->component = g_object_ref (component);
  pipeline->name = orrery_part_get_name (ORRERY_PART (component));
  pipeline->record = orrery_component_get_record (component);
  pipeline->commanded = orrery_component_get_commanded_flag (component);
  if (ORRERY_IS_ACTUATOR (component))
    pipeline->timeout = orrery_actuator_get_timeout (ORRERY_ACTUATOR (component));
  pipeline->period = (guint64) llround (base * MICROHERTZ);
  pipeline->increment = MIN (pipeline->period, (guint64) llround (frequency * MICROHERTZ));
  pipeline->thread_safe = thread_safe;
  pipeline->sources = sources != NULL ? g_ptr_array_ref (sources) : NULL;
  pipeline->modifiers = g_array_new (FALSE, FALSE, sizeof (OrreryModifierSlot));
  pipeline->outputs = g_array_new (FALSE, FALSE, sizeof (OrreryOutput));
  pipeline->inputs = g_array_new (FALSE, FALSE, sizeof (OrreryInput));
  g_array_set_clear_func (pipeline->modifiers, clear_modifier);
  g_array_set_clear_func (pipeline->outputs, clear_output);
  g_array_set_clear_func (pipeline->inputs, clear_input);
  return pipeline;
}

void
orrery_pipeline_free (OrreryPipeline *pipeline)
{
  g_clear_pointer (&pipeline->sources, g_ptr_array_unref);
  g_array_unref (pipeline->modifiers);
  g_array_unref (pipeline->outputs);
  g_array_unref (pipeline->inputs);
  g_clear_pointer (&pipeline->watches, g_ptr_array_unref);
  g_clear_pointer (&pipeline->reader, orrery_reader_unref);
  g_clear_pointer (&pipeline->raw, orrery_record_unref);
  g_clear_pointer (&pipeline->incoming, orrery_record_unref);
  g_clear_pointer (&pipeline->standing, orrery_record_unref);
  g_clear_pointer (&pipeline->shown, orrery_record_unref);
  g_clear_pointer (&pipeline->fed, orrery_record_unref);
  orrery_part_release (pipeline->component);
  g_free (pipeline->failure);
  g_free (pipeline);
}

/* Due in the next step. */
static void
restart_output (OrreryOutput *output)
{
  if (output->period > 0)
    output->phase = output->period - output->increment;
}

void
orrery_pipeline_restart (OrreryPipeline *pipeline)
{
  /* A pipeline that is not packed has not started. */
  if (pipeline->step != NULL)
    pipeline->step->phase = pipeline->period - pipeline->increment;
  pipeline->written = pipeline->kept = *pipeline->commanded = pipeline->read_early = FALSE;
  pipeline->raw_is_old = FALSE;
  pipeline->told = pipeline->is_fed = FALSE;
  pipeline->n_calls = orrery_part_get_n_calls (ORRERY_PART (pipeline->component));
  orrery_component_set_active (pipeline->component, TRUE);
  orrery_record_release (pipeline->record);
  orrery_record_reset (pipeline->record);
  if (pipeline->raw != NULL)
    orrery_record_copy (pipeline->raw, pipeline->record);
  if (pipeline->shown != NULL) {
    orrery_record_copy (pipeline->shown, pipeline->record);
    /* As before the first tick: a reset of a record leaves its time. */
    orrery_record_set_timestamp (pipeline->shown, 0);
  }
  for (guint i = 0; i < pipeline->outputs->len; i++)
    restart_output (&g_array_index (pipeline->outputs, OrreryOutput, i));
  for (guint i = 0; i < pipeline->inputs->len; i++) {
    OrreryStream *stream = g_array_index (pipeline->inputs, OrreryInput, i).stream;

    orrery_stream_take (stream);
    orrery_stream_drop (stream);
  }
}

static void
create_inputs (OrreryPipeline *pipeline)
{
  OrrerySchema *schema = orrery_record_get_schema (pipeline->record);

  pipeline->raw = orrery_record_new (schema);
  pipeline->incoming = orrery_record_new (schema);
  pipeline->standing = orrery_record_new (schema);
  orrery_record_copy (pipeline->raw, pipeline->record);
}

void
orrery_pipeline_add_modifier (OrreryPipeline *pipeline, OrreryModifier *modifier,
                              OrreryModifierFunc func, gboolean thread_safe)
{
  OrreryModifierSlot slot = { func, g_object_ref (modifier), orrery_part_get_callee (modifier) };

  g_assert (pipeline->step == NULL);
  if (thread_safe && pipeline->n_safe_modifiers == pipeline->modifiers->len)
    pipeline->n_safe_modifiers++;
  g_array_append_val (pipeline->modifiers, slot);
  if (pipeline->raw == NULL && ORRERY_IS_ACTUATOR (pipeline->component))
    create_inputs (pipeline);
  if (pipeline->shown == NULL && ORRERY_IS_SENSOR (pipeline->component) &&
      ORRERY_MODIFIER_GET_CLASS (modifier)->release != NULL) {
    pipeline->shown = orrery_record_new (orrery_record_get_schema (pipeline->record));
    orrery_record_copy (pipeline->shown, pipeline->record);
  }
}

void
orrery_pipeline_add_output (OrreryPipeline *pipeline, OrreryStream *stream,
                            OrreryDatastreamManager *manager, int same_as)
{
  OrreryOutput output = { g_object_ref (stream), orrery_stream_get_codec (stream), manager,
                          same_as };
  double rate = orrery_stream_options_get_rate (orrery_stream_get_options (stream));

  g_assert (pipeline->step == NULL);
  output.increment = (guint64) llround (rate * 1e6);
  /* A rate that the component does not reach limits nothing. */
  if (output.increment > 0 && output.increment < pipeline->increment)
    output.period = pipeline->increment;
  restart_output (&output);
  g_array_append_val (pipeline->outputs, output);
}

gboolean
orrery_pipeline_output_is_due (OrreryPipeline *pipeline, guint output)
{
  OrreryOutput *self = &g_array_index (pipeline->outputs, OrreryOutput, output);
  guint64 phase = self->phase + self->increment;
  gboolean is_due = phase >= self->period;

  self->phase = is_due ? phase - self->period : phase;
  return is_due;
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

/* --- faults: each is logged once, and counted and told every time --- */

const char *
orrery_pipeline_get_phase (OrreryPipeline *pipeline)
{
  return ORRERY_IS_ACTUATOR (pipeline->component) ? "act" : "sense";
}

static void
tell_fault (OrreryPipeline *pipeline, OrreryRunFaultKind kind, const GError *error, guint64 count)
{
  OrreryRunFault fault = { .kind = kind,
                           .part = pipeline->name,
                           .where = orrery_pipeline_get_phase (pipeline),
                           .message = error->message,
                           .count = count };

  fault.classpath = orrery_part_get_classpath (ORRERY_PART (pipeline->component));
  orrery_run_faults_tell (pipeline->faults, fault);
}

void
orrery_pipeline_take_fault (OrreryPipeline *pipeline, GError *error)
{
  pipeline->n_failed++;
  if (!pipeline->warned_failed)
    orrery_part_warning (pipeline->component,
                         "%s; its step is skipped (further ones are only counted)", error->message);
  pipeline->warned_failed = TRUE;
  if (pipeline->failure == NULL) {
    pipeline->failure = g_utf8_make_valid (error->message, -1);
    pipeline->failed_at = pipeline->faults != NULL ? *pipeline->faults->n_ticks : 0;
  }
  tell_fault (pipeline, ORRERY_RUN_FAULT_STEP, error, pipeline->n_failed);
  g_error_free (error);
}

static void
message_refused (OrreryPipeline *pipeline, GError *error)
{
  pipeline->n_refused++;
  if (!pipeline->warned_refused)
    orrery_part_warning (pipeline->component,
                         "a message is refused: %s (further ones are only counted)",
                         error->message);
  pipeline->warned_refused = TRUE;
  tell_fault (pipeline, ORRERY_RUN_FAULT_MESSAGE, error, pipeline->n_refused);
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
    orrery_part_warning (pipeline->component, "a message lacks '%s'; the default is used", missing);
  if (unknown != NULL)
    orrery_part_warning (pipeline->component,
                         "a message has '%s', which is not a field; it is ignored", unknown);
}

static void
note_rivals (OrreryPipeline *pipeline)
{
  if (pipeline->warned_rivals)
    return;
  pipeline->warned_rivals = TRUE;
  orrery_part_warning (pipeline->component,
                       "several clients write in one tick; the last message of a tick wins");
}

void
orrery_pipeline_note_not_finite (OrreryPipeline *pipeline, OrreryWriter *writer)
{
  const char *field;
  gboolean has_null = writer->has_null;

  pipeline->n_not_finite += writer->n_not_finite;
  writer->n_not_finite = 0;
  writer->has_null = FALSE;
  /* Whoever asks for the words knows that there are such numbers. */
  if (pipeline->warned_not_finite || !has_null)
    return;
  pipeline->warned_not_finite = TRUE;
  field = orrery_record_find_not_finite (pipeline->record);
  orrery_part_warning (pipeline->component,
                       "%s%s%s has a number that is not finite, which JSON writes as null "
                       "(further ones are only counted)",
                       field != NULL ? "the field '" : "its record", field != NULL ? field : "",
                       field != NULL ? "'" : "");
}

void
orrery_pipeline_look_for_nan (OrreryPipeline *pipeline)
{
  const char *field;

  if (pipeline->warned_nan || pipeline->warned_not_finite)
    return;
  field = orrery_record_find_nan (pipeline->record);
  if (G_LIKELY (field == NULL))
    return;
  pipeline->warned_nan = TRUE;
  orrery_part_warning (pipeline->component, "the field '%s' is not a number (NaN)", field);
}

/* --- input --- */

static gboolean
decode (OrreryPipeline *pipeline, OrreryInput *input)
{
  OrreryReader *reader = pipeline->reader;
  GError *error = NULL;
  const char *data;
  gsize length;

  data = orrery_stream_get_message (input->stream, &length);
  orrery_reader_set_data (reader, data, length);
  orrery_calling_set (orrery_part_get_callee (input->codec));
  ORRERY_DATASTREAM_GET_CLASS (input->codec)
      ->decode (input->codec, reader, pipeline->record, &error);
  orrery_stream_drop (input->stream);
  if (orrery_stream_has_rivals (input->stream))
    note_rivals (pipeline);
  if (error == NULL)
    note_keys (pipeline, reader);
  /* A codec in Python may have kept the reader, but the message belongs to the stream. */
  orrery_reader_set_data (reader, NULL, 0);
  if (error == NULL)
    return TRUE;
  message_refused (pipeline, error);
  return FALSE;
}

/* Keeps a copy of the record before an input changes it, for the case that a modifier drops the
 * input. */
static void
keep_standing (OrreryPipeline *pipeline)
{
  if (pipeline->standing == NULL || pipeline->kept)
    return;
  orrery_record_copy (pipeline->standing, pipeline->record);
  pipeline->kept = TRUE;
}

/* --- silence --- */

static void
halt (OrreryPipeline *pipeline)
{
  if (!pipeline->warned_silence)
    orrery_part_warning (pipeline->component,
                         "nothing was told to it for %g s, its timeout: it stops until the next "
                         "command (further times are not told)",
                         *pipeline->timeout);
  pipeline->warned_silence = TRUE;
  pipeline->told = FALSE;
  *pipeline->commanded = TRUE;
  if (pipeline->remote != NULL) {
    orrery_remote_halt (pipeline->remote, TRUE);
    pipeline->raw_is_old = TRUE;
    return;
  }
  orrery_calling_set (orrery_part_get_callee (pipeline->component));
  orrery_actuator_halt (ORRERY_ACTUATOR (pipeline->component), pipeline->record);
  if (pipeline->raw != NULL)
    orrery_record_copy (pipeline->raw, pipeline->record);
}

/* A call that is not answered yet commands it as long. */
static void
look_for_silence (OrreryPipeline *pipeline, gboolean commanded, OrreryTime now)
{
  OrreryPart *part = ORRERY_PART (pipeline->component);
  guint64 n_calls = orrery_part_get_n_calls (part);

  if (commanded || n_calls != pipeline->n_calls || orrery_part_get_busy (part) != NULL) {
    pipeline->told = TRUE;
    pipeline->told_at = now;
    pipeline->n_calls = n_calls;
    /* A worker that was late has not stopped it yet, and must not do so with this command. */
    if (pipeline->remote != NULL)
      orrery_remote_halt (pipeline->remote, FALSE);
  } else if (pipeline->told &&
             now - pipeline->told_at >= orrery_time_from_seconds (*pipeline->timeout)) {
    halt (pipeline);
  }
}

gboolean
orrery_pipeline_feed (OrreryPipeline *pipeline, GVariant *values, GError **error)
{
  if (pipeline->fed == NULL)
    pipeline->fed = orrery_record_new (orrery_record_get_schema (pipeline->record));
  if (!orrery_record_set_values (pipeline->fed, values, error)) {
    g_prefix_error (error, "%s: ", pipeline->name);
    return FALSE;
  }
  pipeline->is_fed = TRUE;
  return TRUE;
}

/* Returns: whether it has new input */
static gboolean
take_fed (OrreryPipeline *pipeline)
{
  OrreryRecord *record = pipeline->record;

  if (G_LIKELY (!pipeline->is_fed))
    return FALSE;
  keep_standing (pipeline);
  /* Its time is that of its step. */
  pipeline->fed->timestamp = record->timestamp;
  pipeline->fed->has_timestamp = record->has_timestamp;
  pipeline->fed->held = record->held;
  orrery_record_copy (record, pipeline->fed);
  pipeline->is_fed = FALSE;
  return TRUE;
}

gboolean
orrery_pipeline_read (OrreryPipeline *pipeline, OrreryTime now)
{
  gboolean commanded = pipeline->written;
  guint n_messages = 0;

  if (G_UNLIKELY (pipeline->read_early)) {
    pipeline->read_early = FALSE;
    return *pipeline->commanded;
  }
  for (guint i = 0; i < pipeline->inputs->len; i++) {
    OrreryInput *input = &g_array_index (pipeline->inputs, OrreryInput, i);
    gsize length;

    if (orrery_stream_read (input->stream, &length) == NULL)
      continue;
    keep_standing (pipeline);
    commanded |= decode (pipeline, input);
    n_messages++;
  }
  commanded |= take_fed (pipeline);
  if (n_messages > 1) {
    pipeline->n_displaced += n_messages - 1;
    note_rivals (pipeline);
  }
  /* A message that is refused leaves the record unchanged, so no copy is kept. */
  pipeline->kept = pipeline->kept && commanded;
  pipeline->written = FALSE;
  *pipeline->commanded = commanded;
  if (commanded && G_UNLIKELY (pipeline->taps->func != NULL))
    orrery_inputs_note_record (pipeline->taps, pipeline->component);
  if (G_UNLIKELY (*pipeline->timeout > 0))
    look_for_silence (pipeline, commanded, now);
  return commanded;
}

void
orrery_pipeline_read_early (OrreryPipeline *pipeline, OrreryTime now)
{
  orrery_pipeline_read (pipeline, now);
  pipeline->read_early = TRUE;
}

void
orrery_pipeline_begin_input (OrreryPipeline *pipeline)
{
  orrery_record_copy (pipeline->incoming, pipeline->record);
}

void
orrery_pipeline_end_input (OrreryPipeline *pipeline, gboolean passed, GError *error)
{
  OrreryRecord *previous = pipeline->raw;

  pipeline->kept = FALSE;
  if (passed) {
    pipeline->raw = pipeline->incoming;
    pipeline->incoming = previous;
    pipeline->raw_is_old = FALSE;
    return;
  }
  orrery_record_copy (pipeline->record, pipeline->standing);
  *pipeline->commanded = FALSE;
  if (error != NULL)
    message_refused (pipeline, error);
}

/* The worker has answered since it stopped the component, and its answer is in the record. */
void
orrery_pipeline_renew_raw (OrreryPipeline *pipeline)
{
  if (pipeline->raw_is_old)
    orrery_record_copy (pipeline->raw, pipeline->record);
  pipeline->raw_is_old = FALSE;
}

gboolean
orrery_pipeline_write (OrreryPipeline *pipeline, const char *field, GVariant *value, GError **error)
{
  orrery_pipeline_renew_raw (pipeline);
  keep_standing (pipeline);
  /* Modifiers change the record in place, so their result of the last input is not used as
   * input. */
  if (pipeline->raw != NULL && !pipeline->written)
    orrery_record_copy (pipeline->record, pipeline->raw);
  if (orrery_record_set_value (pipeline->record, field, value, error)) {
    pipeline->written = TRUE;
    return TRUE;
  }
  if (pipeline->raw != NULL && !pipeline->written)
    orrery_record_copy (pipeline->record, pipeline->standing);
  pipeline->kept = pipeline->kept && pipeline->written;
  return FALSE;
}

/* --- statistics --- */

gboolean
orrery_pipeline_is_hashed (const OrreryPipeline *pipeline)
{
  return pipeline->remote == NULL || !orrery_remote_is_free (pipeline->remote);
}

guint64
orrery_pipeline_get_n_steps (const OrreryPipeline *pipeline)
{
  return pipeline->step != NULL ? pipeline->step->n_steps : 0;
}

void
orrery_cost_get_seconds (const OrreryCost *cost, guint64 n_steps, double *measured, double *guessed)
{
  guint64 n = cost->n_sampled > 0 ? cost->n_sampled : cost->n_watched;
  gint64 ns = cost->n_sampled > 0 ? cost->sampled_ns : cost->watched_ns;
  double each = n > 0 ? (double) ns / n : 0.0;

  *measured = 1e-9 * cost->watched_ns;
  *guessed = 1e-9 * each * (double) (n_steps - cost->n_watched);
}

void
orrery_pipeline_get_seconds (const OrreryPipeline *pipeline, double *measured, double *guessed)
{
  orrery_cost_get_seconds (&pipeline->cost, orrery_pipeline_get_n_steps (pipeline), measured,
                           guessed);
}

guint64
orrery_pipeline_get_n_displaced (const OrreryPipeline *pipeline)
{
  guint64 n = pipeline->n_displaced;

  for (guint i = 0; i < pipeline->inputs->len; i++)
    n += orrery_stream_get_n_displaced (g_array_index (pipeline->inputs, OrreryInput, i).stream);
  return n;
}
