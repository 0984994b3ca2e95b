/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of components that run in workers: posted when a phase begins, applied at their turn. */
#include "worker/orrery-worker-internal.h"

#include "base/orrery-error.h"
#include "base/orrery-monotonic-private.h"
#include "channel/orrery-channel-private.h"
#include "part/orrery-part-private.h"
#include "record/orrery-flat-private.h"
#include "record/orrery-record-private.h"
#include "roles/orrery-actuator.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-robot.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* --- requests --- */

void
orrery_worker_begin (OrreryWorker *worker, OrreryRequestKind kind)
{
  OrreryWorkers *workers = worker->workers;
  OrrerySnapshot *snapshot = workers->tick->snapshot;
  gboolean shows = kind != ORRERY_REQUEST_START && worker->seen != workers->serial;
  OrreryRequest *head;
  g_autoptr (GVariant) changes = NULL;

  orrery_message_clear (worker->message);
  head = orrery_message_add (worker->message, sizeof *head);
  *head = (OrreryRequest){
    .kind = kind,
    .id = ++worker->n_requests,
    .number = workers->tick->number,
    .time = workers->tick->time,
    .n_objects = shows ? snapshot->n_objects : 0,
    .n_contacts = shows ? snapshot->contacts->len : 0,
  };
  if (shows)
    orrery_message_add_snapshot (worker->message, workers->world, snapshot);
  worker->seen = workers->serial;
  worker->n_entries = 0;
  changes = orrery_worker_take_changes (worker);
  if (changes != NULL) {
    guint64 n = orrery_message_add_variant (worker->message, changes);

    ((OrreryRequest *) (gpointer) worker->message->data)->n_properties = n;
  }
  orrery_worker_add_taken (worker, kind);
}

void
orrery_worker_add_entry (OrreryWorker *worker, OrreryComponent *component, guint place, guint flags)
{
  OrreryRecord *record = orrery_component_get_record (component);
  OrreryComponent *robot = orrery_component_get_robot (component);
  OrreryTime now = worker->workers->tick->time;
  guint at = worker->message->len;
  OrreryEntry *entry = orrery_message_add (worker->message, sizeof *entry);
  guint64 n = 0;

  if (robot != NULL)
    now = ((OrreryRobotData *) orrery_component_get_record (robot)->data)->time.ns;
  if (orrery_component_is_active (component))
    flags |= ORRERY_ENTRY_ACTIVE;
  if (orrery_component_is_stale (component))
    flags |= ORRERY_ENTRY_STALE;
  *entry = (OrreryEntry){ .component = place, .flags = flags, .timestamp = now };
  if (flags & ORRERY_ENTRY_RECORD)
    n = orrery_message_add_record (worker->message, record);
  ((OrreryEntry *) (gpointer) (worker->message->data + at))->n_record = n;
  worker->n_entries++;
}

guint64
orrery_worker_send (OrreryWorker *worker, GVariant *payload)
{
  guint64 n = payload != NULL ? orrery_message_add_variant (worker->message, payload) : 0;
  OrreryRequest *head = (OrreryRequest *) (gpointer) worker->message->data;
  g_autoptr (GError) error = NULL;

  head->n_entries = worker->n_entries;
  head->n_payload = n;
  worker->begun = FALSE;
  worker->asked = orrery_monotonic_now ();
  if (orrery_emitter_emit (worker->to, worker->message->data, worker->message->len, head->time,
                           &error))
    return worker->n_requests;
  orrery_worker_fail (worker, NULL, "",
                      g_strdup_printf ("cannot be sent a request: %s", error->message));
  return 0;
}

/* --- posting --- */

static gboolean
is_late (OrreryRemote *remote)
{
  if (remote->worker->settings.free_running)
    return FALSE;
  /* Records of components of the same phase, and inputs after modifiers, are known only at its
   * turn. */
  return ORRERY_IS_ACTUATOR (remote->component) ? remote->has_modifiers : remote->sources->len > 0;
}

static guint
find_flags (OrreryRemote *remote)
{
  OrreryWorkers *workers = remote->worker->workers;
  guint flags = 0;

  if (ORRERY_IS_ACTUATOR (remote->component) || remote->gives_record ||
      (remote->has_modifiers && !remote->worker->settings.free_running))
    flags |= ORRERY_ENTRY_RECORD;
  if (orrery_component_was_commanded (remote->component))
    flags |= ORRERY_ENTRY_COMMANDED;
  if (orrery_component_is_wanted (remote->component))
    flags |= ORRERY_ENTRY_WANTED;
  if (remote->halts)
    flags |= ORRERY_ENTRY_HALT;
  remote->halts = FALSE;
  /* The first step of each second of simulated time. */
  if (remote->saves && workers->tick->number / workers->save_period != remote->second)
    flags |= ORRERY_ENTRY_SAVE;
  remote->second = workers->tick->number / workers->save_period;
  return flags;
}

void
orrery_remote_add_step (OrreryRemote *remote)
{
  OrreryWorker *worker = remote->worker;

  if (!worker->begun)
    orrery_worker_begin (worker, ORRERY_REQUEST_STEP);
  worker->begun = TRUE;
  for (guint i = 0; i < remote->sources->len; i++) {
    OrrerySource *source = &g_array_index (remote->sources, OrrerySource, i);

    orrery_worker_add_entry (worker, source->component, source->place,
                             ORRERY_ENTRY_SOURCE | ORRERY_ENTRY_RECORD);
  }
  orrery_worker_add_entry (worker, remote->component, remote->place, find_flags (remote));
  remote->gives_record = FALSE;
  remote->posted = worker->n_requests;
}

/* For a worker that runs free: reads the answers so far. */
static void
read_answers (OrreryWorker *worker)
{
  OrreryReply reply;

  while (worker->state == ORRERY_WORKER_UP && orrery_worker_read (worker, &reply))
    orrery_worker_dispatch (worker, &reply);
}

void
orrery_workers_take_answers (OrreryWorkers *workers, gboolean acts)
{
  for (guint i = 0; i < workers->workers->len; i++) {
    OrreryWorker *worker = workers->workers->pdata[i];

    if (!worker->settings.free_running)
      continue;
    read_answers (worker);
    orrery_worker_apply_answers (worker, acts);
  }
}

gboolean
orrery_remote_can_post (OrreryRemote *remote)
{
  return remote->worker->state == ORRERY_WORKER_UP && remote->posted == 0 && !is_late (remote) &&
         !orrery_worker_is_fed (remote->worker);
}

void
orrery_workers_send_steps (OrreryWorkers *workers)
{
  for (guint i = 0; i < workers->workers->len; i++) {
    OrreryWorker *worker = workers->workers->pdata[i];

    if (worker->begun)
      orrery_worker_send (worker, NULL);
  }
}

/* --- answers --- */

static gboolean
find_remote (OrreryWorker *worker, OrreryReply *reply)
{
  for (guint i = 0; i < worker->remotes->len; i++) {
    reply->remote = worker->remotes->pdata[i];
    if (reply->remote->place == reply->head.component)
      return TRUE;
  }
  return FALSE;
}

static gboolean
judge (OrreryWorker *worker, OrreryReply *reply)
{
  gconstpointer head = orrery_cursor_take (&reply->rest, sizeof reply->head);

  if (head == NULL)
    return FALSE;
  memcpy (&reply->head, head, sizeof reply->head);
  /* A start is answered for all components. */
  if (reply->head.id > worker->n_requests ||
      !((reply->head.flags & ORRERY_ANSWER_READY) || find_remote (worker, reply)))
    return FALSE;
  if (reply->head.flags & ORRERY_ANSWER_LAST)
    worker->n_answered = MAX (worker->n_answered, reply->head.id);
  return TRUE;
}

gboolean
orrery_worker_read (OrreryWorker *worker, OrreryReply *reply)
{
  while (worker->from != NULL && orrery_receiver_read (worker->from) == ORRERY_READING_FRESH) {
    *reply = (OrreryReply){ 0 };
    reply->rest.bytes = orrery_receiver_get_data (worker->from, &reply->rest.size);
    if (judge (worker, reply))
      return TRUE;
    orrery_worker_fail (worker, NULL, "", g_strdup ("sent an invalid answer"));
  }
  return FALSE;
}

static void
keep_for_later (OrreryReply *reply)
{
  g_clear_pointer (&reply->remote->early, g_bytes_unref);
  reply->remote->early = g_bytes_new (reply->rest.bytes, reply->rest.size);
}

void
orrery_worker_dispatch (OrreryWorker *worker, OrreryReply *reply)
{
  g_autoptr (GError) error = NULL;

  if (reply->head.flags & ORRERY_ANSWER_READY) {
    orrery_worker_take_ready (worker, reply);
    return;
  }
  if (reply->head.flags & ORRERY_ANSWER_STEP) {
    /* The answer to a step from before a reset is dropped. */
    if (reply->head.id == reply->remote->posted)
      keep_for_later (reply);
    return;
  }
  if (worker->settings.free_running) {
    orrery_worker_keep_answer (worker, reply);
    return;
  }
  if (!orrery_remote_apply (reply->remote, reply, &error))
    orrery_remote_log (reply->remote, G_LOG_LEVEL_WARNING, "%s: %s", reply->remote->name,
                       error->message);
}

void
orrery_remote_take_early (OrreryRemote *remote, OrreryReply *reply)
{
  *reply = (OrreryReply){ .remote = remote };
  reply->rest.bytes = g_bytes_get_data (remote->early, &reply->rest.size);
  memcpy (&reply->head, orrery_cursor_take (&reply->rest, sizeof reply->head), sizeof reply->head);
}

/* --- the contents of an answer --- */

static void
stage (OrreryRemote *remote, const OrreryCommand *commands, guint n)
{
  const OrreryTick *tick = remote->worker->workers->tick;

  orrery_commands_take (tick->commands, commands, n, tick->snapshot->n_objects);
}

static gboolean
take_commands (OrreryRemote *remote, OrreryReply *reply)
{
  const OrreryTick *tick = remote->worker->workers->tick;
  guint n = reply->head.n_commands;
  gconstpointer commands = orrery_cursor_take (&reply->rest, n * sizeof (OrreryCommand));

  if (commands == NULL)
    return FALSE;
  stage (remote, commands, n);
  orrery_commands_note_refused (tick->commands, reply->head.n_refused,
                                MIN (reply->head.refused_object, tick->snapshot->n_objects - 1));
  if (reply->head.flags & ORRERY_ANSWER_ANEW)
    g_array_set_size (remote->commands, 0);
  if (reply->head.flags & ORRERY_ANSWER_STEP)
    g_array_append_vals (remote->commands, commands, n);
  return TRUE;
}

static gboolean
take_record (OrreryRemote *remote, OrreryReply *reply, GError **error)
{
  OrreryRecord *record = orrery_component_get_record (remote->component);
  gconstpointer bytes = orrery_cursor_take (&reply->rest, reply->head.n_record);
  gsize size = reply->head.n_record;

  if (reply->head.flags & ORRERY_ANSWER_LATEST) {
    if (remote->latest == NULL || orrery_receiver_read (remote->latest) == ORRERY_READING_NONE)
      return FALSE;
    bytes = orrery_receiver_get_data (remote->latest, &size);
    return orrery_flat_read_in_place (record, bytes, size, orrery_receiver_hold_part,
                                      remote->latest, error);
  }
  if (!(reply->head.flags & ORRERY_ANSWER_RECORD))
    return TRUE;
  return bytes != NULL && orrery_flat_read (record, bytes, size, error);
}

static void
take_calls (OrreryRemote *remote, GVariant *calls)
{
  GVariantIter iter;
  guint64 number;
  gint32 fault, code;
  const char *words;
  GVariant *result;

  g_variant_iter_init (&iter, calls);
  while (g_variant_iter_next (&iter, "(tii&s@mv)", &number, &fault, &code, &words, &result)) {
    g_autoptr (GVariant) boxed = g_variant_get_maybe (result);
    g_autoptr (GVariant) value = boxed != NULL ? g_variant_get_variant (boxed) : NULL;

    orrery_remote_answer_call (remote, number, (guint) fault, (guint) code, words, value);
    g_variant_unref (result);
  }
}

/* Returns: whether the step or service succeeded */
static gboolean
take_payload (OrreryRemote *remote, OrreryReply *reply, GError **error)
{
  g_autoptr (GVariant) payload =
      orrery_cursor_take_variant (&reply->rest, reply->head.n_payload, ORRERY_ANSWER_TYPE);
  g_autoptr (GVariant) calls = NULL;
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GVariant) boxed = NULL;
  const char *words;
  gint32 code;

  if (payload == NULL)
    return FALSE;
  g_variant_get (payload, "(i&s@a(tiismv)@mv)", &code, &words, &calls, &state);
  boxed = g_variant_get_maybe (state);
  if (boxed != NULL) {
    g_clear_pointer (&remote->state, g_variant_unref);
    remote->state = g_variant_get_variant (boxed);
  }
  take_calls (remote, calls);
  if (*words == '\0')
    return TRUE;
  g_set_error_literal (error, ORRERY_ERROR, CLAMP (code, 0, ORRERY_ERROR_INTERNAL), words);
  return FALSE;
}

gboolean
orrery_remote_apply (OrreryRemote *remote, OrreryReply *reply, GError **error)
{
  gboolean is_script = remote->component == NULL;
  gboolean fine =
      take_commands (remote, reply) &&
      (is_script ? orrery_remote_take_inputs (remote, reply) : take_record (remote, reply, error));

  if (fine && !is_script)
    orrery_component_set_active (remote->component,
                                 (reply->head.flags & ORRERY_ANSWER_ACTIVE) != 0);
  if (fine && !is_script && (reply->head.flags & ORRERY_ANSWER_HELD))
    orrery_record_hold (orrery_component_get_record (remote->component));
  fine = fine && orrery_remote_keep_taken (remote, reply);
  if (fine && reply->head.n_payload > 0)
    fine = take_payload (remote, reply, error);
  if (!fine && error != NULL && *error == NULL)
    orrery_set_error (error, ORRERY_ERROR_PLUGIN, "its worker sent an invalid answer");
  return fine;
}

/* --- the step --- */

void
orrery_remote_repeat_commands (OrreryRemote *remote)
{
  stage (remote, (const OrreryCommand *) (gpointer) remote->commands->data, remote->commands->len);
}

void
orrery_remote_stop_commands (OrreryRemote *remote)
{
  OrreryCommands *staged = remote->worker->workers->tick->commands;

  for (guint i = 0; i < remote->commands->len; i++) {
    OrreryCommand command = g_array_index (remote->commands, OrreryCommand, i);

    if (command.kind != ORRERY_COMMAND_VELOCITY && command.kind != ORRERY_COMMAND_JOINT_VELOCITY &&
        command.kind != ORRERY_COMMAND_JOINT_EFFORT)
      continue;
    command.linear = command.angular = (OrreryVec3){ 0 };
    g_array_append_val (staged->staged, command);
  }
}

/* This step is not answered: the record is marked as stale. */
static void
go_stale (OrreryRemote *remote, OrreryRecord *record, gboolean down)
{
  gboolean zeroes = down && remote->worker->settings.policy == ORRERY_POLICY_ZERO;

  remote->n_stale++;
  orrery_component_set_stale (remote->component, TRUE);
  if (zeroes && !remote->zeroed) {
    orrery_record_reset (record);
    if (ORRERY_IS_ACTUATOR (remote->component))
      orrery_remote_stop_commands (remote);
    remote->zeroed = TRUE;
  }
  if (zeroes)
    return;
  record->timestamp = remote->timestamp;
  orrery_record_hold (record);
  if (down)
    orrery_remote_repeat_commands (remote);
}

void
orrery_remote_be_fresh (OrreryRemote *remote)
{
  remote->n_fresh++;
  if (!remote->was_down)
    return;
  remote->was_down = FALSE;
  orrery_remote_log (remote, G_LOG_LEVEL_MESSAGE, "%s is fresh again: worker %s runs (PID %d)",
                     remote->name, remote->worker->name, (int) remote->worker->pid);
}

static void
go_fresh (OrreryRemote *remote, OrreryRecord *record)
{
  remote->timestamp = record->timestamp;
  orrery_component_set_stale (remote->component, FALSE);
  orrery_remote_be_fresh (remote);
}

static gboolean
post_alone (OrreryRemote *remote)
{
  orrery_remote_add_step (remote);
  return orrery_worker_send (remote->worker, NULL) != 0;
}

/* The answer of a worker that runs freely. */
static gboolean
find_free_answer (OrreryRemote *remote, OrreryReply *reply, gboolean *down)
{
  if (remote->early == NULL)
    read_answers (remote->worker);
  *down = orrery_remote_take_free (remote);
  if (remote->early == NULL)
    return FALSE;
  orrery_remote_take_early (remote, reply);
  return TRUE;
}

/* Waits for the answer; FALSE: there is none. */
static gboolean
find_answer (OrreryRemote *remote, OrreryReply *reply)
{
  OrreryWorker *worker = remote->worker;
  OrreryTime deadline;

  if (remote->early != NULL) {
    orrery_remote_take_early (remote, reply);
    return TRUE;
  }
  if (worker->state != ORRERY_WORKER_UP || (remote->posted == 0 && !post_alone (remote)))
    return FALSE;
  /* Counted from the start of the phase: several workers that hang do so at the same time. */
  deadline = worker->asked + worker->settings.timeout;
  while (orrery_worker_wait (worker, remote, " in a step", deadline, reply)) {
    if (reply->remote == remote && reply->head.id == remote->posted &&
        (reply->head.flags & ORRERY_ANSWER_STEP))
      return TRUE;
    orrery_worker_dispatch (worker, reply);
  }
  return FALSE;
}

void
orrery_remote_halt (OrreryRemote *remote, gboolean halts)
{
  remote->halts = halts;
}

void
orrery_remote_step (gpointer self, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryRemote *remote = self;
  gboolean is_free = remote->worker->settings.free_running, down;
  OrreryReply reply;

  if (!(is_free ? find_free_answer (remote, &reply, &down) : find_answer (remote, &reply))) {
    go_stale (remote, record, is_free ? down : remote->worker->state != ORRERY_WORKER_UP);
    return;
  }
  remote->posted = 0;
  /* A step that fails counts as done. */
  orrery_remote_apply (remote, &reply, error);
  go_fresh (remote, record);
  g_clear_pointer (&remote->early, g_bytes_unref);
}
