/* SPDX-License-Identifier: BSD-3-Clause */
/* Services, options and states of components that run in workers, as the host calls them. */
#include "worker/orrery-worker-internal.h"

#include "base/orrery-error-private.h"
#include "base/orrery-monotonic-private.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-component-private.h"

/* --- options --- */

static void
note_option (GObject *object, GParamSpec *pspec, gpointer data)
{
  OrreryRemote *remote = data;
  const char *name = orrery_param_get_name (pspec);
  g_autoptr (GVariant) value = NULL;
  OrreryOptionChange change;

  if (remote->muted || !(pspec->flags & G_PARAM_READABLE))
    return;
  value = orrery_part_get_option (ORRERY_PART (object), name);
  if (value == NULL)
    return;
  g_hash_table_insert (remote->options, g_strdup (name), g_variant_ref (value));
  /* In the order in which they were last set: a setter may use what another one has set. */
  for (guint i = remote->changes->len; i-- > 0;)
    if (g_str_equal (g_array_index (remote->changes, OrreryOptionChange, i).name, name))
      g_array_remove_index (remote->changes, i);
  change = (OrreryOptionChange){ g_strdup (name), g_steal_pointer (&value) };
  g_array_append_val (remote->changes, change);
}

/* Sends all levels of the log if the worker does not have the current ones. */
static gboolean
has_new_levels (OrreryWorker *worker)
{
  OrreryLogLevels *levels = worker->workers->log_levels;

  return levels != NULL && worker->log_serial != orrery_log_levels_get_serial (levels);
}

static void
add_levels (OrreryWorker *worker, GVariantBuilder *changes)
{
  OrreryLogLevels *levels = worker->workers->log_levels;

  worker->log_serial = orrery_log_levels_get_serial (levels);
  g_variant_builder_add (changes, "(usv)", ORRERY_CHANGE_OF_LOG, "",
                         orrery_log_levels_save (levels));
}

GVariant *
orrery_worker_take_changes (OrreryWorker *worker)
{
  GVariantBuilder changes;
  guint n = has_new_levels (worker) ? 1 : 0;

  for (guint i = 0; i < worker->remotes->len; i++)
    n += ((OrreryRemote *) worker->remotes->pdata[i])->changes->len;
  if (n == 0)
    return NULL;
  g_variant_builder_init (&changes, G_VARIANT_TYPE ("a(usv)"));
  if (has_new_levels (worker))
    add_levels (worker, &changes);
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    for (guint k = 0; k < remote->changes->len; k++) {
      const OrreryOptionChange *change = &g_array_index (remote->changes, OrreryOptionChange, k);

      g_variant_builder_add (&changes, "(usv)", remote->place, change->name, change->value);
    }
    g_array_set_size (remote->changes, 0);
  }
  return g_variant_ref_sink (g_variant_builder_end (&changes));
}

/* Sets the option of the part in the host, too: it is read while the worker is down, and by the
 * next process. */
static void
keep_option (OrreryRemote *remote, OrreryCall *call)
{
  const char *name = orrery_call_get_text (call, 0);
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, 1));

  remote->muted = TRUE;
  if (orrery_part_set_option (remote->part, name, value, NULL))
    g_hash_table_insert (remote->options, g_strdup (name), g_variant_ref (value));
  remote->muted = FALSE;
}

/* --- calls --- */

void
orrery_remote_answer_call (OrreryRemote *remote, guint64 number, guint fault, guint code,
                           const char *words, GVariant *result)
{
  OrreryWorker *worker = remote->worker;
  OrreryCall *known = g_hash_table_lookup (worker->calls, &number);
  g_autoptr (OrreryCall) call = known != NULL ? g_object_ref (known) : NULL;

  if (call == NULL)
    return;
  g_hash_table_remove (worker->calls, &number);
  if (fault == ORRERY_CALL_OK) {
    if (g_str_equal (orrery_call_get_service (call), "set_property"))
      keep_option (remote, call);
    orrery_call_return (call, result);
    return;
  }
  orrery_call_refuse (call, MIN (fault, ORRERY_CALL_PREEMPTED),
                      g_error_new_literal (ORRERY_ERROR, (int) MIN (code, ORRERY_ERROR_INTERNAL),
                                           words));
}

static const guint64 *
find_oldest (OrreryWorker *worker)
{
  const guint64 *oldest = NULL;
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, worker->calls);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (oldest == NULL || *(const guint64 *) key < *oldest)
      oldest = key;
  return oldest;
}

void
orrery_worker_fail_calls (OrreryWorker *worker)
{
  /* Callers may call again in their callbacks: calls are answered one at a time, oldest first. */
  for (;;) {
    const guint64 *number = find_oldest (worker);
    g_autoptr (OrreryCall) one = NULL;

    if (number == NULL)
      return;
    one = g_object_ref (g_hash_table_lookup (worker->calls, number));
    g_hash_table_remove (worker->calls, number);
    orrery_call_fail (one, g_error_new (ORRERY_ERROR, ORRERY_ERROR_BUSY, "worker %s %s",
                                        worker->name, worker->cause));
  }
}

gboolean
orrery_remote_await (OrreryRemote *remote, guint64 id, const char *doing, OrreryTime deadline,
                     OrreryReply *reply)
{
  OrreryWorker *worker = remote->worker;

  while (orrery_worker_wait (worker, remote, doing, deadline, reply)) {
    if (reply->head.id == id)
      return TRUE;
    orrery_worker_dispatch (worker, reply);
  }
  return FALSE;
}

gboolean
orrery_remote_exchange (OrreryRemote *remote, guint64 id, const char *doing, OrreryReply *reply,
                        GError **error)
{
  OrreryWorker *worker = remote->worker;

  if (!orrery_remote_await (remote, id, doing, worker->asked + worker->settings.timeout, reply))
    return FALSE;
  orrery_remote_apply (remote, reply, error);
  return TRUE;
}

/* The entry of the part that a request is for. */
static void
add_self (OrreryRemote *remote)
{
  OrreryWorker *worker = remote->worker;

  if (remote->component != NULL)
    orrery_worker_add_entry (worker, remote->component, remote->place,
                             worker->settings.free_running ? 0 : ORRERY_ENTRY_RECORD);
  else
    orrery_remote_add_script (remote, 0);
}

static guint64
expect (OrreryWorker *worker, OrreryCall *call)
{
  guint64 number = ++worker->n_calls;

  g_hash_table_insert (worker->calls, g_memdup2 (&number, sizeof number), g_object_ref (call));
  orrery_call_set_number (call, number);
  return number;
}

static guint64
post_call (OrreryRemote *remote, OrreryCall *call)
{
  OrreryWorker *worker = remote->worker;
  guint64 number = expect (worker, call);

  orrery_worker_begin (worker, ORRERY_REQUEST_CALL);
  add_self (remote);
  return orrery_worker_send (worker,
                             g_variant_new ("(ts@av)", number, orrery_call_get_service (call),
                                            orrery_call_get_given (call)));
}

static gboolean
runs_here (OrreryRemote *remote, const char *service)
{
  static const char *const settings[] = { "get_properties", "set_property", "get_configurations",
                                          NULL };

  if (g_str_equal (service, "get_local_data"))
    return TRUE;
  return remote->worker->state != ORRERY_WORKER_UP && !orrery_worker_is_fed (remote->worker) &&
         g_strv_contains (settings, service);
}

static gboolean
is_ready (OrreryWorker *worker, GError **error)
{
  if (worker->state == ORRERY_WORKER_UP && !orrery_worker_is_full (worker))
    return TRUE;
  if (worker->state == ORRERY_WORKER_UP)
    return orrery_set_error (error, ORRERY_ERROR_BUSY, "worker %s has too many calls waiting",
                             worker->name);
  return orrery_set_error (error, ORRERY_ERROR_BUSY, "worker %s is down%s%s", worker->name,
                           worker->cause != NULL ? ": it " : "",
                           worker->cause != NULL ? worker->cause : "");
}

gboolean
orrery_remote_is_ready (OrreryRemote *remote)
{
  return is_ready (remote->worker, NULL);
}

static gboolean
remote_call (gpointer proxy, OrreryCall *call, GError **error)
{
  OrreryRemote *remote = proxy;
  OrreryPart *part = remote->part;
  const char *service = orrery_call_get_service (call);
  g_autofree char *doing = g_strdup_printf (" in its service %s", service);
  OrreryReply reply;
  guint64 id;

  if (runs_here (remote, service)) {
    ORRERY_PART_GET_CLASS (part)->call (part, service, call, error);
    return FALSE;
  }
  /* It is answered in the tick in which it was answered. */
  if (orrery_worker_is_fed (remote->worker)) {
    expect (remote->worker, call);
    return TRUE;
  }
  if (!is_ready (remote->worker, error))
    return TRUE;
  id = post_call (remote, call);
  /* If the worker turns out to be down, its calls have failed, including this one. */
  if (id != 0 && !remote->worker->settings.free_running)
    orrery_remote_exchange (remote, id, doing, &reply, error);
  return TRUE;
}

static void
remote_cancel (gpointer proxy, OrreryCall *call)
{
  OrreryRemote *remote = proxy;
  OrreryWorker *worker = remote->worker;
  guint64 number = orrery_call_get_number (call);
  g_autoptr (GError) error = NULL;
  OrreryReply reply;
  guint64 id;

  if (g_hash_table_lookup (worker->calls, &number) != call)
    return;
  if (!orrery_worker_is_fed (worker) && is_ready (worker, NULL)) {
    orrery_worker_begin (worker, ORRERY_REQUEST_CANCEL);
    add_self (remote);
    id = orrery_worker_send (worker, g_variant_new_uint64 (number));
    if (id != 0 && !worker->settings.free_running)
      orrery_remote_exchange (remote, id, " when told to stop", &reply, &error);
  }
  g_hash_table_remove (worker->calls, &number);
}

static const OrreryProxyFuncs proxy_funcs = { remote_call, remote_cancel };

void
orrery_remote_connect (OrreryRemote *remote)
{
  orrery_part_set_proxy (remote->part, &proxy_funcs, remote);
  g_signal_connect (remote->part, "notify", G_CALLBACK (note_option), remote);
}

void
orrery_remote_disconnect (OrreryRemote *remote)
{
  if (remote->part == NULL)
    return;
  g_signal_handlers_disconnect_by_data (remote->part, remote);
  orrery_part_set_proxy (remote->part, NULL, NULL);
  if (remote->component == NULL)
    g_clear_object (&remote->part);
}

OrreryRemote *
orrery_remote_find (OrreryPart *part)
{
  gpointer proxy;

  return orrery_part_get_proxy (part, &proxy) == &proxy_funcs ? proxy : NULL;
}

/* --- save, reset --- */

/* Answers that arrived before do not belong to this request. */
static gboolean
ask_for_state (OrreryRemote *remote, GError **error)
{
  OrreryWorker *worker = remote->worker;
  g_autoptr (GError) local = NULL;
  OrreryReply reply;
  guint64 id;

  if (!is_ready (worker, error))
    return FALSE;
  g_clear_pointer (&remote->state, g_variant_unref);
  orrery_worker_begin (worker, ORRERY_REQUEST_SAVE);
  add_self (remote);
  id = orrery_worker_send (worker, NULL);
  if (id != 0 && orrery_remote_exchange (remote, id, " when it was saved", &reply, &local) &&
      local == NULL)
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    is_ready (worker, error);
  return FALSE;
}

gboolean
orrery_remote_save (OrreryRemote *remote, GVariant **state, GError **error)
{
  *state = NULL;
  if (!orrery_part_class_has_state (ORRERY_PART_GET_CLASS (remote->part)))
    return TRUE;
  /* Only the process that carries out a call knows its caller. */
  if (orrery_part_get_busy (remote->part) != NULL)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "worker %s carries out its service %s; save when that is answered",
                             remote->worker->name,
                             orrery_call_get_service (orrery_part_get_busy (remote->part)));
  if (remote->component == NULL && !remote->script.made)
    return is_ready (remote->worker, error);
  /* The process has not made the steps whose results are fed; the last state that it sent is as
   * good as any, since none of its steps will be run. */
  if (!orrery_worker_is_fed (remote->worker) && !ask_for_state (remote, error))
    return FALSE;
  *state = remote->state != NULL ? g_variant_ref (remote->state) : NULL;
  return TRUE;
}

static void
forget (OrreryRemote *remote, GVariant *state)
{
  remote->posted = remote->second = 0;
  remote->halts = FALSE;
  g_clear_pointer (&remote->early, g_bytes_unref);
  g_clear_pointer (&remote->state, g_variant_unref);
  remote->state = state != NULL ? g_variant_ref (state) : NULL;
  g_hash_table_remove_all (remote->options);
  g_array_set_size (remote->commands, 0);
  remote->timestamp = 0;
}

gboolean
orrery_remote_restore (OrreryRemote *remote, GVariant *state, GError **error)
{
  OrreryWorker *worker = remote->worker;
  g_autoptr (GError) local = NULL;
  OrreryReply reply;
  guint64 id;

  forget (remote, state);
  g_queue_clear_full (&worker->answers, (GDestroyNotify) g_bytes_unref);
  if (orrery_worker_is_fed (worker))
    return TRUE;
  /* A worker that is down applies this state when it is up again. */
  if (!is_ready (worker, NULL) || (remote->component == NULL && !remote->script.made))
    return TRUE;
  orrery_worker_begin (worker, ORRERY_REQUEST_RESTORE);
  if (remote->component != NULL)
    orrery_worker_add_entry (worker, remote->component, remote->place, ORRERY_ENTRY_RECORD);
  else
    orrery_remote_add_script (remote, 0);
  id =
      orrery_worker_send (worker, g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                                       state != NULL ? g_variant_new_variant (state)
                                                                     : NULL));
  if (id == 0 || worker->settings.free_running)
    return TRUE;
  orrery_remote_exchange (remote, id, " in a reset", &reply, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* --- the start --- */

/* Whether a restarted process has the same setup as the one before it. */
static gboolean
is_as_before (OrreryRemote *remote, GVariant *fields)
{
  OrrerySchema *schema = orrery_record_get_schema (orrery_component_get_record (remote->component));
  g_autoptr (GVariant) known = orrery_schema_to_variant (schema);

  return g_variant_equal (known, fields);
}

static char *
judge_start (OrreryWorker *worker, GVariant *ready)
{
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];
    const char *name = remote->name;
    g_autoptr (GVariant) one =
        g_variant_lookup_value (ready, name, G_VARIANT_TYPE (ORRERY_READY_ONE_TYPE));
    g_autoptr (GVariant) fields = NULL;
    const char *words;

    if (remote->component == NULL)
      continue;
    if (one == NULL)
      return g_strdup_printf ("has no %s", name);
    g_variant_get_child (one, 1, "&s", &words);
    if (*words != '\0')
      return g_strdup_printf ("cannot be set up: %s: %s", name, words);
    fields = g_variant_get_child_value (one, 2);
    if (!is_as_before (remote, fields))
      return g_strdup_printf ("has other fields for %s than before", name);
  }
  return NULL;
}

static void
be_up (OrreryWorker *worker)
{
  worker->state = ORRERY_WORKER_UP;
  worker->up_since = orrery_monotonic_now ();
  g_info ("worker %s runs (PID %d)", worker->name, (int) worker->pid);
}

void
orrery_worker_take_ready (OrreryWorker *worker, OrreryReply *reply)
{
  g_autoptr (GVariant) list =
      orrery_cursor_take_variant (&reply->rest, reply->head.n_payload, ORRERY_READY_TYPE);
  char *wrong = NULL;

  if (list == NULL) {
    orrery_worker_fail (worker, NULL, "", g_strdup ("sent an invalid answer"));
    return;
  }
  if (worker->n_restarts == 0) {
    worker->ready = g_steal_pointer (&list);
    be_up (worker);
    return;
  }
  wrong = judge_start (worker, list);
  if (wrong != NULL)
    orrery_worker_fail (worker, NULL, "", wrong);
  else
    be_up (worker);
}
