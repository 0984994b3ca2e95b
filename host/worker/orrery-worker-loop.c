/* SPDX-License-Identifier: BSD-3-Clause */
/* In a worker: carries out the requests of the host on a replica of the world. */
#include "worker/orrery-worker-loop-private.h"

#include "base/orrery-error-private.h"
#include "part/orrery-call-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "record/orrery-flat-private.h"
#include "record/orrery-record-private.h"
#include "roles/orrery-actuator-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-robot.h"
#include "roles/orrery-sensor.h"
#include "world/orrery-world-private.h"

#include <string.h>

void (*orrery_worker_point) (const char *name);

/* There may be no error. */
static void
free_script (gpointer script)
{
  g_clear_object (&script);
}

void
orrery_worker_loop_init (OrreryWorkerLoop *loop)
{
  *loop = (OrreryWorkerLoop){ 0 };
  loop->latest = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) orrery_emitter_unref);
  loop->message = g_byte_array_new ();
  loop->calls = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  loop->finished = g_ptr_array_new_with_free_func (g_object_unref);
  loop->scripts = g_ptr_array_new_with_free_func (free_script);
  loop->inputs = g_array_new (FALSE, FALSE, sizeof (OrreryWorkerInput));
  loop->input = g_byte_array_new ();
  orrery_worker_loop_init_taken (loop);
}

void
orrery_worker_loop_clear (OrreryWorkerLoop *loop)
{
  g_clear_pointer (&loop->latest, g_hash_table_unref);
  g_clear_pointer (&loop->message, g_byte_array_unref);
  g_clear_pointer (&loop->calls, g_hash_table_unref);
  g_clear_pointer (&loop->finished, g_ptr_array_unref);
  g_clear_pointer (&loop->scripts, g_ptr_array_unref);
  g_clear_pointer (&loop->inputs, g_array_unref);
  g_clear_pointer (&loop->input, g_byte_array_unref);
  orrery_worker_loop_clear_taken (loop);
  g_clear_pointer (&loop->from, orrery_receiver_unref);
  g_clear_pointer (&loop->to, orrery_emitter_unref);
}

/* --- answers --- */

static GVariant *
describe_call (OrreryCall *call)
{
  g_autoptr (GError) error = NULL;
  GVariant *result = orrery_call_get_result (call, &error);
  gboolean ours = error != NULL && error->domain == ORRERY_ERROR;

  return g_variant_new ("(tiis@mv)", orrery_call_get_number (call),
                        (gint32) orrery_call_get_fault (call),
                        (gint32) (ours ? error->code : (int) ORRERY_ERROR_INTERNAL),
                        error != NULL ? error->message : "",
                        g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                             result != NULL ? g_variant_new_variant (result)
                                                            : NULL));
}

static GVariant *
describe_answer (OrreryWorkerLoop *loop, const GError *error, GVariant *state)
{
  GVariantBuilder calls;
  int code =
      error != NULL && error->domain == ORRERY_ERROR ? error->code : (int) ORRERY_ERROR_INTERNAL;

  g_variant_builder_init (&calls, G_VARIANT_TYPE ("a(tiismv)"));
  for (guint i = 0; i < loop->finished->len; i++)
    g_variant_builder_add_value (&calls, describe_call (loop->finished->pdata[i]));
  g_ptr_array_set_size (loop->finished, 0);
  return g_variant_new ("(is@a(tiismv)@mv)", code, error != NULL ? error->message : "",
                        g_variant_builder_end (&calls),
                        g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                             state != NULL ? g_variant_new_variant (state) : NULL));
}

/* A component with a channel of its own sends its record through that. */
static gboolean
add_record (OrreryWorkerLoop *loop, OrreryComponent *component, guint32 *flags, guint64 *n_record,
            GError **error)
{
  OrreryEmitter *emitter = g_hash_table_lookup (loop->latest, component);
  OrreryRecord *record = orrery_component_get_record (component);
  gsize size;
  gpointer room;

  if (emitter == NULL) {
    *flags |= ORRERY_ANSWER_RECORD;
    *n_record = orrery_message_add_record (loop->message, record);
    return TRUE;
  }
  size = orrery_flat_measure_shallow (record);
  room = orrery_emitter_begin (emitter, size, NULL, error);
  if (room == NULL)
    return FALSE;
  orrery_worker_pass ("writing");
  orrery_flat_write_shallow (record, room, size);
  orrery_emitter_commit (emitter, orrery_record_get_timestamp (record));
  *flags |= ORRERY_ANSWER_LATEST;
  return TRUE;
}

static OrreryComponent *
get_component (OrreryWorkerLoop *loop, guint place)
{
  return place < loop->components->len ? loop->components->pdata[place] : NULL;
}

/* A component or a script. */
static OrreryPart *
get_part (OrreryWorkerLoop *loop, guint place)
{
  OrreryComponent *component = get_component (loop, place);
  OrreryScript *script = component == NULL ? orrery_worker_loop_get_script (loop, place) : NULL;

  if (component != NULL)
    return ORRERY_PART (component);
  return script != NULL ? ORRERY_PART (script) : NULL;
}

static OrreryAnswer *
get_head (OrreryWorkerLoop *loop)
{
  return (OrreryAnswer *) (gpointer) loop->message->data;
}

static void
add_commands (OrreryWorkerLoop *loop, OrreryAnswer *head)
{
  OrreryCommands *commands = loop->tick->commands;

  /* The host owns the world: changes of properties in the worker are not sent back. */
  for (guint i = 0; i < commands->changes->len; i++) {
    commands->n_refused++;
    commands->refused_object = g_array_index (commands->changes, OrreryValueChange, i).object;
  }
  head->n_commands = commands->staged->len;
  head->n_refused = commands->n_refused;
  head->refused_object = commands->refused_object;
  orrery_message_add_bytes (loop->message, commands->staged->data,
                            commands->staged->len * sizeof (OrreryCommand));
  orrery_commands_clear (commands);
  commands->n_refused = 0;
}

gboolean
orrery_worker_loop_answer (OrreryWorkerLoop *loop, const OrreryWork *work, guint place,
                           guint32 flags, gboolean gives_record, GError *failed, GVariant *state,
                           GError **error)
{
  OrreryComponent *component = get_component (loop, place);
  OrreryAnswer head = { .component = place, .id = work->head.id };
  g_autoptr (GError) refused = NULL;
  g_autoptr (GError) held = failed;
  g_autoptr (GVariant) held_state = state;

  orrery_message_clear (loop->message);
  orrery_message_add (loop->message, sizeof head);
  add_commands (loop, &head);
  if (component != NULL && gives_record &&
      !add_record (loop, component, &flags, &head.n_record, &refused) && held == NULL)
    held = g_steal_pointer (&refused);
  if (component != NULL && orrery_component_is_active (component))
    flags |= ORRERY_ANSWER_ACTIVE;
  if (component == NULL)
    head.n_inputs = orrery_worker_loop_add_inputs (loop);
  flags |= orrery_worker_loop_add_taken (loop);
  if (held != NULL || state != NULL || loop->finished->len > 0)
    head.n_payload =
        orrery_message_add_variant (loop->message, describe_answer (loop, held, state));
  head.flags = flags;
  *get_head (loop) = head;
  orrery_worker_pass ("answering");
  return orrery_emitter_emit (loop->to, loop->message->data, loop->message->len, work->head.time,
                              error);
}

/* --- what comes with a request --- */

gboolean
orrery_worker_loop_fail (GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "the host sent an invalid request");
}

static gboolean
take_properties (OrreryWorkerLoop *loop, OrreryWork *work)
{
  g_autoptr (GVariant) changes =
      orrery_cursor_take_variant (&work->rest, work->head.n_properties, "a(usv)");
  GVariantIter iter;
  GVariant *value;
  const char *name;
  guint32 place;

  if (changes == NULL)
    return FALSE;
  g_variant_iter_init (&iter, changes);
  while (g_variant_iter_next (&iter, "(u&sv)", &place, &name, &value)) {
    OrreryPart *part = get_part (loop, place);
    g_autoptr (GVariant) held = value;
    g_autoptr (GError) error = NULL;

    if (place == ORRERY_CHANGE_OF_LOG)
      orrery_log_levels_restore (loop->log_levels, held);
    else if (part != NULL && !orrery_part_set_option (part, name, held, &error))
      orrery_part_warning (part, "%s", error->message);
  }
  return TRUE;
}

static void
set_clock (OrreryComponent *component, OrreryTime now)
{
  OrreryComponent *robot = orrery_component_get_robot (component);

  if (robot != NULL && ORRERY_IS_ROBOT (robot))
    ((OrreryRobotData *) orrery_component_get_record (robot)->data)->time.ns = now;
}

static void
take_input (OrreryWorkerLoop *loop, OrreryComponent *component, const OrreryEntry *entry,
            gconstpointer bytes)
{
  OrreryWorkerInput input = { .component = component,
                              .place = entry->component,
                              .active = (entry->flags & ORRERY_ENTRY_ACTIVE) != 0,
                              .bytes = bytes,
                              .size = entry->n_record };

  orrery_component_set_stale (component, (entry->flags & ORRERY_ENTRY_STALE) != 0);
  orrery_component_set_active (component, input.active);
  g_array_append_val (loop->inputs, input);
}

/* Returns: the entry, applied; NULL: it is invalid */
static const OrreryEntry *
take_entry (OrreryWorkerLoop *loop, OrreryWork *work)
{
  const OrreryEntry *entry = orrery_cursor_take (&work->rest, sizeof *entry);
  OrreryComponent *component = entry != NULL ? get_component (loop, entry->component) : NULL;
  gconstpointer bytes = entry != NULL ? orrery_cursor_take (&work->rest, entry->n_record) : NULL;

  if (bytes == NULL)
    return NULL;
  /* A script has no record. */
  if (component == NULL)
    return entry->component - loop->components->len < loop->scripts->len ? entry : NULL;
  if (entry->flags & ORRERY_ENTRY_INPUT)
    take_input (loop, component, entry, bytes);
  set_clock (component, entry->timestamp);
  *orrery_component_get_commanded_flag (component) = (entry->flags & ORRERY_ENTRY_COMMANDED) != 0;
  if (!(entry->flags & ORRERY_ENTRY_SOURCE)) {
    orrery_component_set_active (component, (entry->flags & ORRERY_ENTRY_ACTIVE) != 0);
    orrery_component_set_wanted (component, (entry->flags & ORRERY_ENTRY_WANTED) != 0);
  }
  if ((entry->flags & ORRERY_ENTRY_RECORD) &&
      !orrery_flat_read (orrery_component_get_record (component), bytes, entry->n_record, NULL))
    return NULL;
  return entry;
}

const OrreryEntry *
orrery_worker_loop_take_entries (OrreryWorkerLoop *loop, OrreryWork *work)
{
  const OrreryEntry *entry = NULL;

  for (guint i = 0; i < work->head.n_entries; i++) {
    entry = take_entry (loop, work);
    if (entry == NULL)
      return NULL;
  }
  return entry;
}

/* The part that a request is for, if that is no step; the request must have one. */
static const OrreryEntry *
take_subject (OrreryWorkerLoop *loop, OrreryWork *work)
{
  const OrreryEntry *entry = orrery_worker_loop_take_entries (loop, work);

  return entry != NULL && get_part (loop, entry->component) != NULL ? entry : NULL;
}

/* --- steps --- */

static void
step (OrreryWorkerLoop *loop, OrreryComponent *component, const OrreryEntry *entry, GError **error)
{
  OrreryRecord *record = orrery_component_get_record (component);

  record->held = FALSE;
  __atomic_store_n (&orrery_calling_tick, loop->tick->number, __ATOMIC_RELAXED);
  if (ORRERY_IS_SENSOR (component)) {
    record->timestamp = entry->timestamp;
    record->has_timestamp = TRUE;
    ORRERY_PART_CALL (component, "sense",
                      ORRERY_SENSOR_GET_CLASS (component)->sense (ORRERY_SENSOR (component),
                                                                  loop->tick, record, error));
  } else {
    if (entry->flags & ORRERY_ENTRY_HALT)
      orrery_actuator_halt (ORRERY_ACTUATOR (component), record);
    ORRERY_PART_CALL (component, "act",
                      ORRERY_ACTUATOR_GET_CLASS (component)->act (ORRERY_ACTUATOR (component),
                                                                  loop->tick, record, error));
  }
}

static gboolean
do_step (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  for (guint i = 0; i < work->head.n_entries; i++) {
    const OrreryEntry *entry = take_entry (loop, work);
    guint32 flags = ORRERY_ANSWER_STEP | ORRERY_ANSWER_ANEW;
    GVariant *state = NULL;
    GError *failed = NULL;

    if (entry == NULL || get_component (loop, entry->component) == NULL)
      return orrery_worker_loop_fail (error);
    if (entry->flags & ORRERY_ENTRY_SOURCE)
      continue;
    orrery_worker_pass ("step");
    step (loop, loop->components->pdata[entry->component], entry, &failed);
    orrery_worker_pass ("stepped");
    if (entry->flags & ORRERY_ENTRY_SAVE)
      state = orrery_part_save_state (loop->components->pdata[entry->component]);
    if (i + 1 == work->head.n_entries)
      flags |= ORRERY_ANSWER_LAST;
    if (orrery_component_get_record (loop->components->pdata[entry->component])->held)
      flags |= ORRERY_ANSWER_HELD;
    if (!orrery_worker_loop_answer (loop, work, entry->component, flags, TRUE, failed, state,
                                    error))
      return FALSE;
    orrery_worker_pass ("answered");
  }
  return TRUE;
}

/* --- calls --- */

typedef struct {
  OrreryWorkerLoop *loop;
  guint64 number;
} Ticket;

static void
on_done (OrreryCall *call, gpointer data)
{
  Ticket *ticket = data;

  g_ptr_array_add (ticket->loop->finished, g_object_ref (call));
  g_hash_table_remove (ticket->loop->calls, &ticket->number);
}

GVariant *
orrery_worker_loop_take_payload (OrreryWork *work, const char *type)
{
  return orrery_cursor_take_variant (&work->rest, work->head.n_payload, type);
}

static void
start_call (OrreryWorkerLoop *loop, OrreryPart *part, guint64 number, const char *service,
            GVariant *arguments)
{
  g_autoptr (OrreryCall) call = orrery_call_new (service, arguments);
  Ticket *ticket = g_new (Ticket, 1);

  *ticket = (Ticket){ loop, number };
  orrery_call_set_number (call, number);
  g_hash_table_insert (loop->calls, g_memdup2 (&number, sizeof number), g_object_ref (call));
  orrery_call_set_done_func (call, on_done, ticket, g_free);
  orrery_call_start (call, part);
}

static gboolean
do_call (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryEntry *entry = take_subject (loop, work);
  g_autoptr (GVariant) payload =
      entry != NULL ? orrery_worker_loop_take_payload (work, "(tsav)") : NULL;
  g_autoptr (GVariant) arguments = NULL;
  const char *service;
  guint64 number;

  if (payload == NULL)
    return orrery_worker_loop_fail (error);
  g_variant_get (payload, "(t&s@av)", &number, &service, &arguments);
  orrery_worker_pass ("call");
  start_call (loop, get_part (loop, entry->component), number, service, arguments);
  orrery_worker_pass ("called");
  return orrery_worker_loop_answer (loop, work, entry->component, ORRERY_ANSWER_LAST,
                                    !loop->free_running, NULL, NULL, error);
}

/* A part may answer a call that is cancelled; if it does not, the host ends the call. */
static void
cancel (OrreryWorkerLoop *loop, guint64 number)
{
  OrreryCall *known = g_hash_table_lookup (loop->calls, &number);
  g_autoptr (OrreryCall) call = known != NULL ? g_object_ref (known) : NULL;

  if (call == NULL)
    return;
  orrery_call_tell_part (call);
  if (orrery_call_is_done (call))
    return;
  orrery_call_set_done_func (call, NULL, NULL, NULL);
  orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "cancelled"));
  g_hash_table_remove (loop->calls, &number);
}

static gboolean
do_cancel (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryEntry *entry = take_subject (loop, work);
  g_autoptr (GVariant) payload = entry != NULL ? orrery_worker_loop_take_payload (work, "t") : NULL;

  if (payload == NULL)
    return orrery_worker_loop_fail (error);
  cancel (loop, g_variant_get_uint64 (payload));
  return orrery_worker_loop_answer (loop, work, entry->component, ORRERY_ANSWER_LAST,
                                    !loop->free_running, NULL, NULL, error);
}

/* --- save, reset, start --- */

static gboolean
do_save (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryEntry *entry = take_subject (loop, work);
  GVariant *state;

  if (entry == NULL)
    return orrery_worker_loop_fail (error);
  orrery_worker_pass ("save");
  state = orrery_part_save_state (get_part (loop, entry->component));
  return orrery_worker_loop_answer (loop, work, entry->component, ORRERY_ANSWER_LAST, FALSE, NULL,
                                    state, error);
}

static gboolean
do_restore (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryEntry *entry = take_subject (loop, work);
  g_autoptr (GVariant) payload =
      entry != NULL ? orrery_worker_loop_take_payload (work, "mv") : NULL;
  g_autoptr (GVariant) boxed = payload != NULL ? g_variant_get_maybe (payload) : NULL;
  g_autoptr (GVariant) state = boxed != NULL ? g_variant_get_variant (boxed) : NULL;
  OrreryPart *part;
  GError *failed = NULL;

  if (payload == NULL)
    return orrery_worker_loop_fail (error);
  part = get_part (loop, entry->component);
  /* A script was created by this request, and has its options already. */
  if (ORRERY_IS_COMPONENT (part)) {
    orrery_part_restart_random (part);
    orrery_part_restore_options (part);
  }
  orrery_part_restore_state (part, state, &failed);
  return orrery_worker_loop_answer (loop, work, entry->component, ORRERY_ANSWER_LAST,
                                    !loop->free_running, failed, NULL, error);
}

static gboolean
do_start (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  g_autoptr (GVariant) start = orrery_worker_loop_take_payload (work, ORRERY_START_TYPE);
  g_autoptr (GVariant) ready = NULL;
  OrreryAnswer head = { .id = work->head.id, .flags = ORRERY_ANSWER_READY | ORRERY_ANSWER_LAST };

  if (start == NULL)
    return orrery_worker_loop_fail (error);
  ready = loop->start (loop->start_data, start);
  /* The answer to a start is sent in the name of its first component. */
  if (g_variant_n_children (start) > 0) {
    g_autoptr (GVariant) first = g_variant_get_child_value (start, 0);
    g_autofree char *name = NULL;

    g_variant_get_child (first, 0, "s", &name);
    for (guint i = 0; i < loop->components->len; i++)
      if (g_strcmp0 (orrery_part_get_name (loop->components->pdata[i]), name) == 0)
        head.component = i;
  }
  orrery_message_clear (loop->message);
  orrery_message_add (loop->message, sizeof head);
  head.n_payload = orrery_message_add_variant (loop->message, ready);
  *get_head (loop) = head;
  orrery_worker_pass ("ready");
  orrery_commands_clear (loop->tick->commands);
  return orrery_emitter_emit (loop->to, loop->message->data, loop->message->len, 0, error);
}

/* --- the loop --- */

static gboolean
take_head (OrreryWorkerLoop *loop, OrreryWork *work)
{
  gconstpointer head;

  work->rest = (OrreryCursor){ 0 };
  work->rest.bytes = orrery_receiver_get_data (loop->from, &work->rest.size);
  g_array_set_size (loop->inputs, 0);
  head = orrery_cursor_take (&work->rest, sizeof work->head);
  if (head == NULL)
    return FALSE;
  memcpy (&work->head, head, sizeof work->head);
  loop->tick->number = work->head.number;
  loop->tick->time = work->head.time;
  if (work->head.n_objects > 0 &&
      !orrery_cursor_take_snapshot (&work->rest, loop->world, work->head.n_objects,
                                    work->head.n_contacts))
    return FALSE;
  return (work->head.n_properties == 0 || take_properties (loop, work)) &&
         orrery_worker_loop_take_fed (loop, work);
}

static gboolean
do_work (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  switch (work->head.kind) {
  case ORRERY_REQUEST_START:
    return do_start (loop, work, error);
  case ORRERY_REQUEST_STEP:
    return do_step (loop, work, error);
  case ORRERY_REQUEST_CALL:
    return do_call (loop, work, error);
  case ORRERY_REQUEST_CANCEL:
    return do_cancel (loop, work, error);
  case ORRERY_REQUEST_RESTORE:
    return do_restore (loop, work, error);
  case ORRERY_REQUEST_SAVE:
    return do_save (loop, work, error);
  case ORRERY_REQUEST_MAKE:
    return orrery_worker_loop_make (loop, work, error);
  case ORRERY_REQUEST_DROP:
    return orrery_worker_loop_drop (loop, work, error);
  case ORRERY_REQUEST_CALLBACK:
    return orrery_worker_loop_call_back (loop, work, error);
  default:
    return orrery_worker_loop_fail (error);
  }
}

gboolean
orrery_worker_loop_run (OrreryWorkerLoop *loop, GError **error)
{
  OrreryWork request;

  for (;;) {
    if (orrery_receiver_read (loop->from) != ORRERY_READING_FRESH) {
      orrery_receiver_wait (loop->from, -1);
      continue;
    }
    orrery_worker_pass ("request");
    if (orrery_receiver_get_n_dropped (loop->from) > 0 || !take_head (loop, &request))
      return orrery_worker_loop_fail (error);
    if (request.head.kind == ORRERY_REQUEST_END)
      return TRUE;
    if (!do_work (loop, &request, error))
      return FALSE;
  }
}
