/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells of what comes to a run from outside, and feeds it to another one. */
#include "tick/orrery-inputs-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "world/orrery-world-private.h"

typedef struct {
  OrreryRequestManager *manager; /* borrowed, as long as the runner */
  OrreryCommands *commands;      /* NULL: a call, or its end */
  char *part;
  char *service; /* NULL: the end of a call */
  guint64 number;
  GVariant *arguments;
} Fed;

static void
fed_free (gpointer data)
{
  Fed *fed = data;

  g_free (fed->part);
  g_free (fed->service);
  g_clear_pointer (&fed->commands, orrery_commands_unref);
  g_clear_pointer (&fed->arguments, g_variant_unref);
  g_free (fed);
}

OrreryInputs *
orrery_inputs_new (OrreryWorld *world, const guint64 *n_ticks)
{
  OrreryInputs *inputs = g_rc_box_new0 (OrreryInputs);

  inputs->world = world;
  inputs->n_ticks = n_ticks;
  g_queue_init (&inputs->fed);
  orrery_inputs_init_taken (inputs);
  return inputs;
}

static void
clear (gpointer inputs)
{
  orrery_inputs_clear_taken (inputs);
}

static void
release (gpointer inputs)
{
  g_rc_box_release_full (inputs, clear);
}

void
orrery_inputs_watch (OrreryInputs *inputs, OrreryInputFunc func, gpointer data)
{
  /* Before the first tick the scene has staged nothing. */
  if (inputs->func == NULL && func != NULL && *inputs->n_ticks == 0)
    inputs->n_known = inputs->n_known_changes = 0;
  else if (inputs->func == NULL && func != NULL)
    orrery_inputs_settle (inputs);
  inputs->func = func;
  inputs->data = data;
  orrery_inputs_settle_taken (inputs);
}

void
orrery_inputs_restart (OrreryInputs *inputs)
{
  inputs->n_known = inputs->n_known_changes = 0;
  g_queue_clear_full (&inputs->fed, fed_free);
  g_clear_pointer (&inputs->pending, g_hash_table_unref);
  orrery_inputs_forget_taken (inputs);
}

void
orrery_inputs_end (OrreryInputs *inputs)
{
  orrery_inputs_watch (inputs, NULL, NULL);
  orrery_inputs_set_tick (inputs, NULL, FALSE);
  orrery_inputs_restart (inputs);
  release (inputs);
}

/* --- telling --- */

void
orrery_inputs_tell (OrreryInputs *inputs, OrreryRunInput *input)
{
  input->tick = *inputs->n_ticks;
  /* Commands that are fed amid the steps of parts have their place behind those. */
  input->in_services =
      inputs->in_services || (inputs->in_tick && input->kind == ORRERY_RUN_INPUT_COMMANDS);
  inputs->func (inputs->data, input);
}

void
orrery_inputs_note_record (OrreryInputs *inputs, OrreryComponent *component)
{
  OrreryRunInput input = { .kind = ORRERY_RUN_INPUT_RECORD,
                           .part = orrery_part_get_name (ORRERY_PART (component)),
                           .component = component };

  orrery_inputs_tell (inputs, &input);
}

static void
note_cancel (gpointer user_data, guint64 number)
{
  OrreryInputs *inputs = user_data;
  OrreryRunInput input = { .kind = ORRERY_RUN_INPUT_CANCEL, .number = number };

  if (inputs->func != NULL)
    orrery_inputs_tell (inputs, &input);
}

/* The service has staged what it stages; the caller, who is told now, is not there to do the same
 * where the call is repeated. */
static void
before_answer (gpointer user_data)
{
  OrreryInputs *inputs = user_data;

  if (inputs->func != NULL)
    orrery_inputs_settle (inputs);
}

static void
after_answer (gpointer user_data)
{
  OrreryInputs *inputs = user_data;

  if (inputs->func != NULL)
    orrery_inputs_note_commands (inputs);
}

void
orrery_inputs_note_call (OrreryInputs *inputs, OrreryRequestManager *manager, const char *part,
                         OrreryCall *call)
{
  static const OrreryCallWatch watch = { note_cancel, before_answer, after_answer, release };
  OrreryRunInput input = { .kind = ORRERY_RUN_INPUT_CALL,
                           .part = part,
                           .service = orrery_call_get_service (call),
                           .number = ++inputs->n_calls,
                           .value = orrery_call_get_given (call) };

  if (manager != NULL)
    input.manager = orrery_part_get_classpath (ORRERY_PART (manager));
  orrery_inputs_note_commands (inputs);
  orrery_inputs_tell (inputs, &input);
  orrery_call_watch (call, &watch, input.number, g_rc_box_acquire (inputs));
}

void
orrery_inputs_note_commands (OrreryInputs *inputs)
{
  OrreryCommands *commands = orrery_world_get_commands (inputs->world);
  g_autoptr (GVariant) value = NULL;
  OrreryRunInput input = { .kind = ORRERY_RUN_INPUT_COMMANDS };

  if (commands->staged->len <= inputs->n_known && commands->changes->len <= inputs->n_known_changes)
    return;
  value = g_variant_ref_sink (
      orrery_commands_save_all (commands, inputs->n_known, inputs->n_known_changes));
  input.value = value;
  orrery_inputs_tell (inputs, &input);
  orrery_inputs_settle (inputs);
}

void
orrery_inputs_settle (OrreryInputs *inputs)
{
  OrreryCommands *commands = orrery_world_get_commands (inputs->world);

  inputs->n_known = commands->staged->len;
  inputs->n_known_changes = commands->changes->len;
}

/* --- feeding --- */

void
orrery_inputs_feed (OrreryInputs *inputs, OrreryRequestManager *manager,
                    const OrreryRunInput *input)
{
  Fed *fed = g_new0 (Fed, 1);

  fed->manager = manager;
  fed->part = g_strdup (input->part);
  fed->service = g_strdup (input->service);
  fed->number = input->number;
  fed->arguments = input->value != NULL ? g_variant_ref (input->value) : NULL;
  g_queue_push_tail (&inputs->fed, fed);
}

gboolean
orrery_inputs_feed_commands (OrreryInputs *inputs, const OrreryRunInput *input, GError **error)
{
  g_autoptr (OrreryCommands) commands =
      orrery_commands_read (input->value, orrery_world_get_n_objects (inputs->world), error);
  Fed *fed;

  if (commands == NULL)
    return FALSE;
  if (!input->in_services) {
    orrery_commands_append (orrery_world_get_commands (inputs->world), commands);
    return TRUE;
  }
  fed = g_new0 (Fed, 1);
  fed->commands = g_steal_pointer (&commands);
  g_queue_push_tail (&inputs->fed, fed);
  return TRUE;
}

void
orrery_inputs_keep_call (OrreryInputs *inputs, guint64 number, OrreryCall *call)
{
  guint64 *key;

  if (orrery_call_is_done (call))
    return;
  if (inputs->pending == NULL)
    inputs->pending = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  key = g_new (guint64, 1);
  *key = number;
  g_hash_table_replace (inputs->pending, key, g_object_ref (call));
}

void
orrery_inputs_end_call (OrreryInputs *inputs, guint64 number)
{
  g_autoptr (OrreryCall) call = NULL;
  gpointer key;

  if (inputs->pending == NULL ||
      !g_hash_table_steal_extended (inputs->pending, &number, &key, (gpointer *) &call))
    return;
  g_free (key);
  orrery_call_cancel (call);
}

void
orrery_inputs_run_fed (OrreryInputs *inputs, OrreryInputsStartFunc start, gpointer host)
{
  Fed *fed;

  while ((fed = g_queue_pop_head (&inputs->fed)) != NULL) {
    if (fed->commands != NULL) {
      orrery_commands_append (orrery_world_get_commands (inputs->world), fed->commands);
    } else if (fed->service != NULL) {
      g_autoptr (OrreryCall) call = orrery_call_new (fed->service, fed->arguments);

      start (host, fed->manager, fed->part, call);
      orrery_inputs_keep_call (inputs, fed->number, call);
    } else {
      orrery_inputs_end_call (inputs, fed->number);
    }
    fed_free (fed);
  }
}
