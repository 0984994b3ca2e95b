/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the topic /orrery/inputs of a recording, and feeds it to a simulation tick by tick. */
#include "replay.h"

#include <string.h>

struct _ReplayInputs {
  OrreryRecordingReader *reader;
  OrreryNode *message; /* (nullable): the next one; NULL: there is none */
  guint64 tick;        /* of that one */
  gboolean said_lost, said_long;
  ReplayLead *lead; /* (nullable): borrowed */
};

void
replay_inputs_free (ReplayInputs *inputs)
{
  g_clear_pointer (&inputs->message, orrery_node_unref);
  g_clear_pointer (&inputs->reader, orrery_recording_reader_unref);
  g_free (inputs);
}

static gboolean
refuse (ReplayInputs *inputs, const char *what, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: /orrery/inputs: %s",
                           orrery_recording_reader_get_path (inputs->reader), what);
}

static const char *
find_text (OrreryNode *dict, const char *key)
{
  OrreryNode *node = orrery_node_find (dict, key);

  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT
             ? orrery_node_get_text (node)
             : NULL;
}

static gboolean
find_number (OrreryNode *dict, const char *key, guint64 *out)
{
  OrreryNode *node = orrery_node_find (dict, key);

  if (node == NULL || orrery_node_get_kind (node) != ORRERY_NODE_INT ||
      orrery_node_get_int (node) < 0)
    return FALSE;
  *out = (guint64) orrery_node_get_int (node);
  return TRUE;
}

/* Goes to the next message. */
static gboolean
advance (ReplayInputs *inputs, GError **error)
{
  GError *local = NULL;
  const char *text;
  gsize length;

  g_clear_pointer (&inputs->message, orrery_node_unref);
  if (!orrery_recording_reader_next (inputs->reader, &local)) {
    if (local == NULL)
      return TRUE;
    g_propagate_error (error, local);
    return FALSE;
  }
  text = (const char *) orrery_recording_reader_get_message_data (inputs->reader, &length);
  inputs->message = orrery_node_parse_json (text, length, "/orrery/inputs", error);
  if (inputs->message == NULL)
    return FALSE;
  if (orrery_node_get_kind (inputs->message) == ORRERY_NODE_DICT &&
      find_number (inputs->message, "tick", &inputs->tick))
    return TRUE;
  return refuse (inputs, "a message without a tick", error);
}

ReplayInputs *
replay_inputs_open (const char *path, GError **error)
{
  static const char *const topics[] = { "/orrery/inputs", NULL };
  OrreryRecordingReader *reader = orrery_recording_reader_open (path, error);
  g_autoptr (ReplayInputs) inputs = NULL;

  if (reader == NULL)
    return NULL;
  inputs = g_new0 (ReplayInputs, 1);
  inputs->reader = reader;
  orrery_recording_reader_select (reader, topics, 0, -1);
  return advance (inputs, error) ? g_steal_pointer (&inputs) : NULL;
}

void
replay_inputs_set_lead (ReplayInputs *inputs, ReplayLead *lead)
{
  inputs->lead = lead;
}

gboolean
replay_inputs_skip (ReplayInputs *inputs, guint64 tick, GError **error)
{
  while (inputs->message != NULL && inputs->tick < tick)
    if (!advance (inputs, error))
      return FALSE;
  return TRUE;
}

/* --- one input --- */

/* A null is a number that is not finite, which an actuator was told; its field stays as it is. */
static GVariant *
read_record (OrreryNode *record)
{
  GVariantBuilder values;

  g_variant_builder_init (&values, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < orrery_node_get_length (record); i++) {
    OrreryNode *item = orrery_node_get_item (record, i);
    g_autoptr (GVariant) value = NULL;

    if (orrery_node_get_kind (item) == ORRERY_NODE_NULL)
      continue;
    value = orrery_node_to_variant (item);
    g_variant_builder_add (&values, "{sv}", orrery_node_get_key (record, i), value);
  }
  return g_variant_ref_sink (g_variant_builder_end (&values));
}

static GVariant *
read_arguments (OrreryNode *list)
{
  GVariantBuilder arguments;

  g_variant_builder_init (&arguments, G_VARIANT_TYPE ("av"));
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (list, i));

    g_variant_builder_add (&arguments, "v", value);
  }
  return g_variant_ref_sink (g_variant_builder_end (&arguments));
}

static gboolean
read_call (ReplayInputs *inputs, OrreryRunInput *input, GVariant **value, GError **error)
{
  OrreryNode *arguments = orrery_node_find (inputs->message, "arguments");

  input->part = find_text (inputs->message, "part");
  input->service = find_text (inputs->message, "service");
  input->manager = find_text (inputs->message, "manager");
  if (input->part == NULL || input->service == NULL)
    return refuse (inputs, "a call without part or service", error);
  if (arguments != NULL && orrery_node_get_kind (arguments) == ORRERY_NODE_LIST)
    *value = read_arguments (arguments);
  return TRUE;
}

static gboolean
read_commands (ReplayInputs *inputs, GVariant **value, GError **error)
{
  const char *text = find_text (inputs->message, "commands");
  const char *type = text != NULL && *text == '('
                         ? "(a(uub(ddd)(ddd)(ddddddd))a(usmv))" /* with changes of values */
                         : "a(uub(ddd)(ddd)(ddddddd))";
  g_autoptr (GError) local = NULL;

  if (text != NULL)
    *value = g_variant_parse (G_VARIANT_TYPE (type), text, NULL, NULL, &local);
  return *value != NULL || refuse (inputs, "commands that cannot be read", error);
}

/* Whether it is base64, whole and padded. */
static gboolean
is_base64 (const char *text)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  gsize length = strlen (text), n = strspn (text, letters);

  return length > 0 && length % 4 == 0 && length - n <= 2 && strspn (text + n, "=") == length - n;
}

/* @value: left NULL: it was too long to be kept */
static gboolean
read_taken (ReplayInputs *inputs, OrreryRunInput *input, GVariant **value, GError **error)
{
  const char *text = find_text (inputs->message, "data");
  guchar *bytes;
  gsize size;

  input->part = find_text (inputs->message, "part");
  if (input->part == NULL)
    return refuse (inputs, "an input that no part has taken", error);
  if (orrery_node_find (inputs->message, "data") == NULL)
    return TRUE;
  if (text == NULL || !is_base64 (text))
    return refuse (inputs, "an input of a part that is not base64", error);
  bytes = g_base64_decode (text, &size);
  *value = g_variant_ref_sink (
      g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, bytes, size, TRUE, g_free, bytes));
  return TRUE;
}

/* @value: (out) (transfer full) (nullable): what @input borrows, beside texts of the message */
static gboolean
read_input (ReplayInputs *inputs, OrreryRunInput *input, GVariant **value, GError **error)
{
  const char *kind = find_text (inputs->message, "kind");
  const char *phase = find_text (inputs->message, "phase");
  OrreryNode *record = orrery_node_find (inputs->message, "record");

  input->tick = inputs->tick;
  input->in_services = g_strcmp0 (phase, "services") == 0;
  find_number (inputs->message, "number", &input->number);
  if (g_strcmp0 (kind, "record") == 0) {
    input->kind = ORRERY_RUN_INPUT_RECORD;
    input->part = find_text (inputs->message, "part");
    if (input->part == NULL || record == NULL || orrery_node_get_kind (record) != ORRERY_NODE_DICT)
      return refuse (inputs, "a record without part or fields", error);
    *value = read_record (record);
  } else if (g_strcmp0 (kind, "call") == 0) {
    input->kind = ORRERY_RUN_INPUT_CALL;
    if (!read_call (inputs, input, value, error))
      return FALSE;
  } else if (g_strcmp0 (kind, "cancel") == 0) {
    input->kind = ORRERY_RUN_INPUT_CANCEL;
  } else if (g_strcmp0 (kind, "commands") == 0) {
    input->kind = ORRERY_RUN_INPUT_COMMANDS;
    if (!read_commands (inputs, value, error))
      return FALSE;
  } else if (g_strcmp0 (kind, "taken") == 0) {
    input->kind = ORRERY_RUN_INPUT_TAKEN;
    if (!read_taken (inputs, input, value, error))
      return FALSE;
  } else {
    return refuse (inputs, "a message of no known kind", error);
  }
  input->value = *value;
  return TRUE;
}

/* What is longer than the recorder's `input_size` has no data. */
static void
say_long (ReplayInputs *inputs, const OrreryRunInput *input)
{
  if (!inputs->said_long)
    g_warning ("tick %" G_GUINT64_FORMAT ": what %s got from outside was too long to be recorded "
               "(the recorder's property input_size), and is left out, as all else that is; what "
               "reads it may go another way",
               inputs->tick, input->part);
  inputs->said_long = TRUE;
}

static gboolean
feed_one (ReplayInputs *inputs, OrrerySimulation *simulation, gboolean strict, GError **error)
{
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) local = NULL;
  OrreryRunInput input = { 0 };

  if (g_strcmp0 (find_text (inputs->message, "kind"), "lost") == 0) {
    if (!inputs->said_lost)
      g_warning ("inputs of tick %" G_GUINT64_FORMAT
                 " were lost when they were recorded: from here "
                 "on the run may go another way",
                 inputs->tick);
    inputs->said_lost = TRUE;
    return TRUE;
  }
  if (!read_input (inputs, &input, &value, error))
    return FALSE;
  if (input.kind == ORRERY_RUN_INPUT_TAKEN && value == NULL) {
    say_long (inputs, &input);
    return TRUE;
  }
  if (orrery_simulation_feed (simulation, &input, &local))
    return TRUE;
  g_prefix_error (&local, "tick %" G_GUINT64_FORMAT ": ", inputs->tick);
  if (strict) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  g_warning ("an input is left out: %s", local->message);
  return TRUE;
}

gboolean
replay_inputs_feed (ReplayInputs *inputs, OrrerySimulation *simulation, gboolean strict,
                    GError **error)
{
  guint64 tick = orrery_simulation_get_n_ticks (simulation);

  if (inputs->lead != NULL && !replay_lead_tick (inputs->lead, tick, error))
    return FALSE;
  while (inputs->message != NULL && inputs->tick <= tick) {
    if (inputs->tick == tick && !feed_one (inputs, simulation, strict, error))
      return FALSE;
    if (!advance (inputs, error))
      return FALSE;
  }
  return TRUE;
}
