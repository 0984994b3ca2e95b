/* SPDX-License-Identifier: BSD-3-Clause */
/* Scripts that run in workers: each callback is a request with the records that the script reads,
 * and its answer contains those that the script has changed. */
#include "worker/orrery-worker-internal.h"

#include "base/orrery-error.h"
#include "part/orrery-part-private.h"
#include "record/orrery-flat-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-script-private.h"
#include "world/orrery-world-private.h"

/* What a script was doing, for messages about a failure of its worker. */
#define SETUP " in its setup"
#define END " at its end"
#define TAKING_OVER " when it took over"

OrreryRemote *
orrery_workers_find_script (OrreryWorkers *workers, const char *name)
{
  for (guint i = 0; workers != NULL && i < workers->workers->len; i++) {
    OrreryWorker *worker = workers->workers->pdata[i];

    for (guint k = 0; k < worker->remotes->len; k++) {
      OrreryRemote *remote = worker->remotes->pdata[k];

      if (remote->component == NULL && g_str_equal (remote->name, name))
        return remote;
    }
  }
  return NULL;
}

/* --- requests --- */

void
orrery_remote_add_script (OrreryRemote *remote, guint flags)
{
  OrreryWorker *worker = remote->worker;
  OrreryEntry *entry;

  for (guint i = 0; i < remote->sources->len; i++) {
    const OrrerySource *source = &g_array_index (remote->sources, OrrerySource, i);
    guint more = orrery_component_was_commanded (source->component) ? ORRERY_ENTRY_COMMANDED : 0;

    orrery_worker_add_entry (worker, source->component, source->place,
                             more | ORRERY_ENTRY_SOURCE | ORRERY_ENTRY_INPUT | ORRERY_ENTRY_RECORD);
  }
  entry = orrery_message_add (worker->message, sizeof *entry);
  *entry = (OrreryEntry){ .component = remote->place, .flags = flags };
  worker->n_entries++;
}

/* A request that concerns the script alone: no records are sent. */
static void
begin_bare (OrreryRemote *remote, OrreryRequestKind kind)
{
  OrreryWorker *worker = remote->worker;
  OrreryEntry *entry;

  orrery_worker_begin (worker, kind);
  entry = orrery_message_add (worker->message, sizeof *entry);
  *entry = (OrreryEntry){ .component = remote->place };
  worker->n_entries++;
}

/* --- its life --- */

static GVariant *
describe (OrreryRemote *remote)
{
  return g_variant_new ("(s@a{sv})", remote->name, orrery_remote_describe_options (remote));
}

static void
take_sources (OrreryRemote *remote, GVariant *places)
{
  GPtrArray *components = remote->worker->workers->components;

  g_array_set_size (remote->sources, 0);
  for (gsize i = 0; i < g_variant_n_children (places); i++) {
    OrrerySource source;

    g_variant_get_child (places, i, "u", &source.place);
    if (source.place >= components->len)
      continue;
    source.component = components->pdata[source.place];
    orrery_component_pin (source.component);
    g_array_append_val (remote->sources, source);
  }
}

static void
take_made (OrreryRemote *remote, OrreryReply *reply, GError **error)
{
  g_autoptr (GVariant) made =
      orrery_cursor_take_variant (&reply->rest, reply->head.n_payload, ORRERY_MADE_TYPE);
  g_autoptr (GVariant) published = NULL;
  g_autoptr (GVariant) places = NULL;
  const char *words = "its worker sent an invalid answer";
  gint32 code = ORRERY_ERROR_PLUGIN;

  if (made != NULL)
    g_variant_get (made, "(i&s@as@au)", &code, &words, &published, &places);
  if (*words != '\0') {
    g_set_error_literal (error, ORRERY_ERROR, CLAMP (code, 0, ORRERY_ERROR_INTERNAL), words);
    return;
  }
  take_sources (remote, places);
  g_clear_pointer (&remote->script.published, g_variant_unref);
  remote->script.published = g_steal_pointer (&published);
  remote->script.made = TRUE;
}

/* FALSE: an error occurred, or (without an error) the worker is down */
static gboolean
make (OrreryRemote *remote, GError **error)
{
  OrreryWorker *worker = remote->worker;
  OrreryReply reply;
  guint64 id;

  begin_bare (remote, ORRERY_REQUEST_MAKE);
  id = orrery_worker_send (worker, describe (remote));
  if (id == 0 || !orrery_remote_await (remote, id, SETUP,
                                       worker->asked + worker->settings.start_timeout, &reply))
    return FALSE;
  take_made (remote, &reply, error);
  return remote->script.made;
}

/* Among the callbacks that run once per tick, the last one that the class has. */
static OrreryCallback
find_saving (OrreryScript *script)
{
  static const OrreryCallback steady[] = { ORRERY_CALLBACK_ACTUATION, ORRERY_CALLBACK_THREAD,
                                           ORRERY_CALLBACK_SENSING };

  if (!orrery_part_class_has_state (ORRERY_PART_GET_CLASS (script)))
    return ORRERY_N_CALLBACKS;
  for (guint i = 0; i < G_N_ELEMENTS (steady); i++)
    if (orrery_callback_is_in_class (steady[i], ORRERY_SCRIPT_GET_CLASS (script)))
      return steady[i];
  return ORRERY_N_CALLBACKS;
}

static void
forget (OrreryRemote *remote)
{
  g_clear_pointer (&remote->state, g_variant_unref);
  g_hash_table_remove_all (remote->options);
  g_array_set_size (remote->changes, 0);
  g_array_set_size (remote->commands, 0);
  remote->second = G_MAXUINT64;
  remote->zeroed = FALSE;
  remote->script.made = remote->script.begun = FALSE;
  remote->script.tick = 0;
}

gboolean
orrery_remote_make_script (OrreryRemote *remote, OrreryScript *script, GError **error)
{
  OrreryWorker *worker = remote->worker;
  g_autoptr (GError) local = NULL;

  forget (remote);
  remote->part = g_object_ref (ORRERY_PART (script));
  remote->saves = orrery_part_class_has_state (ORRERY_PART_GET_CLASS (script));
  remote->script.saving = find_saving (script);
  orrery_remote_connect (remote);
  if (orrery_remote_is_ready (remote) && make (remote, &local))
    return TRUE;
  if (local == NULL && worker->workers->loading)
    local = g_error_new (ORRERY_ERROR, ORRERY_ERROR_PLUGIN, "worker %s %s", worker->name,
                         worker->cause != NULL ? worker->cause : "is not up");
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

void
orrery_remote_drop_script (OrreryRemote *remote)
{
  OrreryWorker *worker = remote->worker;
  OrreryReply reply;
  guint64 id = 0;

  if (remote->script.made && orrery_remote_is_ready (remote)) {
    begin_bare (remote, ORRERY_REQUEST_DROP);
    id = orrery_worker_send (worker, NULL);
  }
  if (id != 0)
    orrery_remote_await (remote, id, END, worker->asked + worker->settings.timeout, &reply);
  orrery_remote_disconnect (remote);
  forget (remote);
}

/* --- callbacks --- */

static gboolean
is_of_tick (OrreryCallback callback)
{
  return callback == ORRERY_CALLBACK_SENSING || callback == ORRERY_CALLBACK_ACTUATION ||
         callback == ORRERY_CALLBACK_THREAD;
}

/* Whether this is the first callback of the script in this tick. */
static gboolean
begin_tick (OrreryRemote *remote, OrreryCallback callback, OrreryTick *tick)
{
  if (!is_of_tick (callback) || remote->script.tick == tick->number + 1)
    return FALSE;
  remote->script.tick = tick->number + 1;
  return TRUE;
}

static guint
find_flags (OrreryRemote *remote, OrreryCallback callback, OrreryTick *tick)
{
  guint64 second = tick->number / remote->worker->workers->save_period;

  if (callback != remote->script.saving || second == remote->second)
    return 0;
  remote->second = second;
  return ORRERY_ENTRY_SAVE;
}

static void
add_occasion (OrreryRemote *remote, OrreryCallback callback, OrreryTick *tick)
{
  OrreryOccasion occasion = { .callback = callback, .substep = tick->substep };

  if (tick->after_substep)
    occasion.flags |= ORRERY_OCCASION_AFTER;
  if (begin_tick (remote, callback, tick))
    occasion.flags |= ORRERY_OCCASION_ANEW;
  if (tick->has_pair) {
    occasion.flags |= ORRERY_OCCASION_PAIR;
    occasion.pair[0] = tick->pair[0];
    occasion.pair[1] = tick->pair[1];
  }
  if (tick->joint != NULL) {
    occasion.flags |= ORRERY_OCCASION_JOINT;
    occasion.joint = orrery_object_get_index (tick->joint);
  }
  orrery_message_add_bytes (remote->worker->message, &occasion, sizeof occasion);
}

/* FALSE: the worker is down */
static gboolean
ask (OrreryRemote *remote, OrreryCallback callback, const char *doing, OrreryTick *tick,
     OrreryReply *reply, GError **error)
{
  OrreryWorker *worker = remote->worker;
  guint64 id;

  orrery_worker_begin (worker, ORRERY_REQUEST_CALLBACK);
  orrery_remote_add_script (remote, find_flags (remote, callback, tick));
  add_occasion (remote, callback, tick);
  id = orrery_worker_send (worker, NULL);
  return id != 0 && orrery_remote_exchange (remote, id, doing, reply, error);
}

static gboolean
restore (OrreryRemote *remote, GError **error)
{
  OrreryWorker *worker = remote->worker;
  OrreryReply reply;
  guint64 id;

  if (remote->state == NULL)
    return TRUE;
  orrery_worker_begin (worker, ORRERY_REQUEST_RESTORE);
  orrery_remote_add_script (remote, 0);
  id = orrery_worker_send (worker, g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                                        g_variant_new_variant (remote->state)));
  return id != 0 && orrery_remote_exchange (remote, id, TAKING_OVER, &reply, error);
}

/* Brings a script in a replacement process to the state that it had: created, init, its last state.
 * FALSE: an error occurred, or (without an error) the worker is down */
static gboolean
take_over (OrreryRemote *remote, OrreryCallback callback, OrreryTick *tick, GError **error)
{
  GError *local = NULL;
  OrreryReply reply;
  gboolean fine;

  if (G_LIKELY (remote->script.made))
    return TRUE;
  fine = make (remote, &local);
  if (fine && callback != ORRERY_CALLBACK_INIT && remote->script.begun)
    fine =
        (orrery_remote_get_callback (ORRERY_SCRIPT (remote->part), ORRERY_CALLBACK_INIT) == NULL ||
         ask (remote, ORRERY_CALLBACK_INIT, TAKING_OVER, tick, &reply, &local)) &&
        local == NULL && restore (remote, &local);
  if (local == NULL)
    return fine;
  g_propagate_error (error, local);
  return FALSE;
}

static void
go_stale (OrreryRemote *remote, OrreryCallback callback, OrreryTick *tick)
{
  gboolean zeroes = remote->worker->settings.policy == ORRERY_POLICY_ZERO;

  if (!begin_tick (remote, callback, tick))
    return;
  remote->n_stale++;
  if (!zeroes)
    orrery_remote_repeat_commands (remote);
  else if (!remote->zeroed)
    orrery_remote_stop_commands (remote);
  remote->zeroed = zeroes;
}

static void
take_requests (OrreryScript *script, guint flags)
{
  if (flags & ORRERY_ANSWER_CLEANUP)
    orrery_script_request_cleanup (script);
  if (flags & ORRERY_ANSWER_RESTART)
    orrery_script_request_restart (script);
  if (flags & ORRERY_ANSWER_THREAD_OVER)
    orrery_script_end_thread (script);
}

static gboolean
call (OrreryScript *script, OrreryCallback callback, const char *doing, OrreryTick *tick,
      GError **error)
{
  OrreryRemote *remote = orrery_remote_find (ORRERY_PART (script));
  GError *local = NULL;
  OrreryReply reply;
  gboolean answered = orrery_remote_is_ready (remote) &&
                      take_over (remote, callback, tick, &local) &&
                      ask (remote, callback, doing, tick, &reply, &local);

  /* Stored whether it was answered or not: a process that starts later takes this state over. */
  if (callback == ORRERY_CALLBACK_INIT || callback == ORRERY_CALLBACK_CLEANUP)
    remote->script.begun = callback == ORRERY_CALLBACK_INIT;
  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  if (!answered) {
    go_stale (remote, callback, tick);
    return FALSE;
  }
  orrery_remote_be_fresh (remote);
  take_requests (script, reply.head.flags);
  return (reply.head.flags & ORRERY_ANSWER_HANDLED) != 0;
}

/* One of the two kinds of functions of OrreryScriptClass: the one that returns nothing. */
#define CALL(name, NAME)                                                                           \
  static void call_##name (OrreryScript *script, OrreryTick *tick, GError **error)                 \
  {                                                                                                \
    call (script, ORRERY_CALLBACK_##NAME, " in its " #name, tick, error);                          \
  }
#define ASK(name, NAME)                                                                            \
  static gboolean ask_##name (OrreryScript *script, OrreryTick *tick, GError **error)              \
  {                                                                                                \
    return call (script, ORRERY_CALLBACK_##NAME, " in its " #name, tick, error);                   \
  }

CALL (init, INIT)
CALL (before_simulation, BEFORE_SIMULATION)
CALL (after_simulation, AFTER_SIMULATION)
CALL (sensing, SENSING)
CALL (actuation, ACTUATION)
CALL (non_simulation, NON_SIMULATION)
CALL (suspend, SUSPEND)
CALL (suspended, SUSPENDED)
CALL (resume, RESUME)
CALL (thread, THREAD)
CALL (dyn, DYN)
CALL (before_instance_switch, BEFORE_INSTANCE_SWITCH)
CALL (after_instance_switch, AFTER_INSTANCE_SWITCH)
CALL (cleanup, CLEANUP)
ASK (contact, CONTACT)
ASK (joint, JOINT)

GCallback
orrery_remote_get_callback (OrreryScript *script, OrreryCallback callback)
{
  static const GCallback funcs[ORRERY_N_CALLBACKS] = {
    [ORRERY_CALLBACK_INIT] = G_CALLBACK (call_init),
    [ORRERY_CALLBACK_BEFORE_SIMULATION] = G_CALLBACK (call_before_simulation),
    [ORRERY_CALLBACK_AFTER_SIMULATION] = G_CALLBACK (call_after_simulation),
    [ORRERY_CALLBACK_SENSING] = G_CALLBACK (call_sensing),
    [ORRERY_CALLBACK_ACTUATION] = G_CALLBACK (call_actuation),
    [ORRERY_CALLBACK_NON_SIMULATION] = G_CALLBACK (call_non_simulation),
    [ORRERY_CALLBACK_SUSPEND] = G_CALLBACK (call_suspend),
    [ORRERY_CALLBACK_SUSPENDED] = G_CALLBACK (call_suspended),
    [ORRERY_CALLBACK_RESUME] = G_CALLBACK (call_resume),
    [ORRERY_CALLBACK_THREAD] = G_CALLBACK (call_thread),
    [ORRERY_CALLBACK_DYN] = G_CALLBACK (call_dyn),
    [ORRERY_CALLBACK_CONTACT] = G_CALLBACK (ask_contact),
    [ORRERY_CALLBACK_JOINT] = G_CALLBACK (ask_joint),
    [ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH] = G_CALLBACK (call_before_instance_switch),
    [ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH] = G_CALLBACK (call_after_instance_switch),
    [ORRERY_CALLBACK_CLEANUP] = G_CALLBACK (call_cleanup),
  };

  /* A callback that the class lacks is not called in the worker either. */
  if (!orrery_callback_is_in_class (callback, ORRERY_SCRIPT_GET_CLASS (script)))
    return NULL;
  return funcs[callback];
}

/* --- records that it has changed --- */

gboolean
orrery_remote_take_inputs (OrreryRemote *remote, OrreryReply *reply)
{
  GPtrArray *components = remote->worker->workers->components;

  for (guint64 i = 0; i < reply->head.n_inputs; i++) {
    const OrreryEntry *entry = orrery_cursor_take (&reply->rest, sizeof *entry);
    gconstpointer bytes = entry != NULL ? orrery_cursor_take (&reply->rest, entry->n_record) : NULL;
    OrreryComponent *component;
    OrreryRemote *other;

    if (bytes == NULL || entry->component >= components->len)
      return FALSE;
    component = components->pdata[entry->component];
    if (!orrery_flat_read (orrery_component_get_record (component), bytes, entry->n_record, NULL))
      return FALSE;
    orrery_component_set_active (component, (entry->flags & ORRERY_ENTRY_ACTIVE) != 0);
    other = orrery_remote_find (ORRERY_PART (component));
    if (other != NULL)
      other->gives_record = TRUE;
  }
  return TRUE;
}
