/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a worker: starts its process, monitors it, restarts it after failures, and ends
 * it. */
#include "worker/orrery-worker-internal.h"

#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "base/orrery-monotonic-private.h"
#include "part/orrery-part-private.h"
#include "process/orrery-packet-private.h"
#include "process/orrery-restart-private.h"
#include "roles/orrery-component-private.h"
#include "world/orrery-world-private.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* The most requests in progress; the ring has room for some more. */
#define MAX_REQUESTS 60
#define REQUEST_DEPTH 64
/* A worker that was up for this multiple of its back-off counts its failures from 0 again. */
#define SOUND_TIMES 100
#define MAX_BACK_OFF (10 * ORRERY_SECOND)
/* Polling interval for the output and log of a worker. */
#define OUTPUT_TIME (5 * ORRERY_MILLISECOND)
#define ORRERY_MILLISECOND (ORRERY_SECOND / 1000)
/* Time for all workers to end by themselves. */
#define CLOSING_TIME (300 * ORRERY_MILLISECOND)
/* Polling interval for the end of a process that is waited for. */
#define LOOKING_TIME (5 * ORRERY_MILLISECOND)

/* --- creation and release --- */

static void
remote_free (gpointer data)
{
  OrreryRemote *remote = data;

  orrery_remote_disconnect (remote);
  g_clear_pointer (&remote->script.published, g_variant_unref);
  g_free (remote->name);
  g_clear_pointer (&remote->latest, orrery_receiver_unref);
  g_clear_pointer (&remote->sources, g_array_unref);
  g_clear_pointer (&remote->early, g_bytes_unref);
  g_clear_pointer (&remote->state, g_variant_unref);
  g_clear_pointer (&remote->options, g_hash_table_unref);
  g_clear_pointer (&remote->changes, g_array_unref);
  g_clear_pointer (&remote->commands, g_array_unref);
  g_free (remote);
}

static void
drop_process (OrreryWorker *worker)
{
  g_clear_pointer (&worker->child, orrery_child_free);
  g_clear_pointer (&worker->to, orrery_emitter_unref);
  g_clear_pointer (&worker->from, orrery_receiver_unref);
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    g_clear_pointer (&remote->latest, orrery_receiver_unref);
    g_clear_pointer (&remote->early, g_bytes_unref);
    remote->posted = 0;
    remote->script.made = FALSE;
  }
}

static void
worker_free (gpointer data)
{
  OrreryWorker *worker = data;

  drop_process (worker);
  if (worker->blueprint >= 0)
    close (worker->blueprint);
  g_clear_pointer (&worker->remotes, g_ptr_array_unref);
  g_clear_pointer (&worker->calls, g_hash_table_unref);
  g_queue_clear_full (&worker->answers, (GDestroyNotify) g_bytes_unref);
  g_clear_pointer (&worker->ready, g_variant_unref);
  g_clear_pointer (&worker->message, g_byte_array_unref);
  g_free (worker->cause);
  g_strfreev (worker->command);
  g_free (worker->name);
  g_free (worker);
}

OrreryWorkers *
orrery_workers_new (OrreryWorld *world, GPtrArray *components, OrreryTick *tick,
                    const int *stopping, const char *program, guint save_period,
                    OrreryLogLevels *levels)
{
  OrreryWorkers *workers = g_new0 (OrreryWorkers, 1);

  workers->workers = g_ptr_array_new_with_free_func (worker_free);
  workers->world = g_object_ref (world);
  workers->components = components;
  workers->loading = TRUE;
  workers->tick = orrery_tick_ref (tick);
  workers->stopping = stopping;
  workers->program = g_strdup (program);
  workers->serial = 1;
  workers->save_period = MAX (1, save_period);
  workers->log_levels = orrery_log_levels_ref (levels);
  return workers;
}

void
orrery_workers_free (OrreryWorkers *workers)
{
  g_ptr_array_unref (workers->workers);
  g_object_unref (workers->world);
  orrery_tick_unref (workers->tick);
  g_clear_error (&workers->fatal);
  g_clear_pointer (&workers->log_levels, orrery_log_levels_unref);
  g_free (workers->program);
  g_free (workers);
}

OrreryWorker *
orrery_workers_find (OrreryWorkers *workers, const char *name)
{
  for (guint i = 0; i < workers->workers->len; i++) {
    OrreryWorker *worker = workers->workers->pdata[i];

    if (g_str_equal (worker->name, name))
      return worker;
  }
  return NULL;
}

OrreryWorker *
orrery_workers_add (OrreryWorkers *workers, const char *name, const OrreryWorkerSettings *settings)
{
  OrreryWorker *worker = g_new0 (OrreryWorker, 1);

  worker->workers = workers;
  worker->name = g_strdup (name);
  worker->settings = *settings;
  worker->blueprint = -1;
  worker->remotes = g_ptr_array_new_with_free_func (remote_free);
  worker->calls = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  worker->message = g_byte_array_new ();
  g_queue_init (&worker->answers);
  g_ptr_array_add (workers->workers, worker);
  return worker;
}

static void
clear_change (gpointer data)
{
  OrreryOptionChange *change = data;

  g_free (change->name);
  g_variant_unref (change->value);
}

static OrreryRemote *
add_remote (OrreryWorker *worker, const char *name, guint place)
{
  OrreryRemote *remote = g_new0 (OrreryRemote, 1);

  remote->worker = worker;
  remote->name = g_strdup (name);
  remote->place = place;
  remote->sources = g_array_new (FALSE, FALSE, sizeof (OrrerySource));
  remote->commands = g_array_new (FALSE, FALSE, sizeof (OrreryCommand));
  remote->options = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                           (GDestroyNotify) g_variant_unref);
  remote->changes = g_array_new (FALSE, FALSE, sizeof (OrreryOptionChange));
  g_array_set_clear_func (remote->changes, clear_change);
  g_ptr_array_add (worker->remotes, remote);
  return remote;
}

OrreryRemote *
orrery_worker_add (OrreryWorker *worker, OrreryComponent *component, guint place)
{
  OrreryRemote *remote = add_remote (worker, orrery_part_get_name (ORRERY_PART (component)), place);

  remote->component = component;
  remote->part = ORRERY_PART (component);
  orrery_remote_connect (remote);
  return remote;
}

OrreryRemote *
orrery_worker_add_script (OrreryWorker *worker, const char *name, guint n_components, guint index)
{
  return add_remote (worker, name, n_components + index);
}

gboolean
orrery_worker_set_blueprint (OrreryWorker *worker, gconstpointer blueprint, gsize size,
                             GError **error)
{
  worker->blueprint = orrery_sealed_file_new ("orrery-blueprint", blueprint, size, error);
  return worker->blueprint >= 0;
}

/* --- starting --- */

static gboolean
send_and_open (OrreryWorker *worker, OrreryChannel *channel, gboolean ours, GError **error)
{
  if (channel == NULL || !orrery_channel_send (channel, worker->child->socket, error))
    return FALSE;
  if (ours)
    worker->to = orrery_emitter_new (channel, error);
  else
    worker->from = orrery_receiver_new (channel, error);
  return ours ? worker->to != NULL : worker->from != NULL;
}

static gboolean
open_latest (OrreryWorker *worker, OrreryRemote *remote, GError **error)
{
  g_autoptr (OrreryChannel) channel = NULL;

  if (worker->settings.transport != ORRERY_TRANSPORT_LATEST || remote->component == NULL)
    return TRUE;
  channel = orrery_channel_new_latest (remote->name, 0, FALSE, error);
  if (channel == NULL || !orrery_channel_send (channel, worker->child->socket, error))
    return FALSE;
  remote->latest = orrery_receiver_new (channel, error);
  return remote->latest != NULL;
}

static gboolean
open_channels (OrreryWorker *worker, GError **error)
{
  g_autoptr (OrreryChannel) to = NULL;
  g_autoptr (OrreryChannel) from = NULL;
  guint depth = 2 * MAX_REQUESTS + 2 * worker->remotes->len;

  if (!orrery_file_pass (worker->child->socket, worker->blueprint, error))
    return FALSE;
  to = orrery_channel_new_queue (worker->name, REQUEST_DEPTH, error);
  if (!send_and_open (worker, to, TRUE, error))
    return FALSE;
  from = orrery_channel_new_queue (worker->name, MIN (depth, ORRERY_CHANNEL_MAX_DEPTH), error);
  if (!send_and_open (worker, from, FALSE, error))
    return FALSE;
  for (guint i = 0; i < worker->remotes->len; i++)
    if (!open_latest (worker, worker->remotes->pdata[i], error))
      return FALSE;
  return TRUE;
}

GVariant *
orrery_remote_describe_options (OrreryRemote *remote)
{
  g_autoptr (GList) names = g_hash_table_get_keys (remote->options);
  GVariantBuilder options;

  names = g_list_sort (names, (GCompareFunc) strcmp);
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  for (GList *l = names; l != NULL; l = l->next)
    g_variant_builder_add (&options, "{sv}", l->data,
                           g_hash_table_lookup (remote->options, l->data));
  return g_variant_builder_end (&options);
}

/* The initial state of a process: at first only the scene, later also the current state. */
static GVariant *
describe_start (OrreryWorker *worker)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE (ORRERY_START_TYPE));
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    GVariant *state;

    /* Scripts are created when it is up. */
    if (remote->component == NULL)
      continue;
    state = remote->state != NULL ? g_variant_new_variant (remote->state) : NULL;
    if (worker->n_restarts > 0)
      orrery_message_add_record (bytes, orrery_component_get_record (remote->component));
    g_variant_builder_add (&all, "{s(@mv@ay@a{sv})}", remote->name,
                           g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, state),
                           g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes->data, bytes->len,
                                                      1),
                           orrery_remote_describe_options (remote));
    g_array_set_size (remote->changes, 0);
  }
  return g_variant_builder_end (&all);
}

/* Starts a new process, for which the state of the last one is cleared. */
static gboolean
create_child (OrreryWorker *worker, GError **error)
{
  char *own[] = { worker->workers->program, (char *) "worker", NULL };
  g_autofree char *host = g_strdup_printf ("%d", (int) getpid ());
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  OrreryChildSpec spec = { .flags = ORRERY_CHILD_SOCKET | ORRERY_CHILD_PRINTED |
                                    ORRERY_CHILD_OWN_GROUP };

  for (char **word = worker->command != NULL ? worker->command : own; *word != NULL; word++)
    g_ptr_array_add (argv, *word);
  g_ptr_array_add (argv, host);
  g_ptr_array_add (argv, NULL);
  spec.argv = (const char *const *) argv->pdata;
  worker->n_requests = worker->n_answered = worker->seen = 0;
  worker->log_serial = 0;
  worker->child = orrery_child_new (&spec, error);
  if (worker->child != NULL)
    orrery_child_expect (worker->child, worker->settings.start_timeout);
  return worker->child != NULL;
}

static gboolean
has_hung_up (OrreryWorker *worker)
{
  struct pollfd poll_fd = { .fd = worker->child->socket, .events = POLLIN };

  return poll (&poll_fd, 1, 0) > 0 && (poll_fd.revents & POLLHUP) != 0;
}

/* If the process has ended, the error describes its end, not the failure to send to it. */
static void
fail_to_open (OrreryWorker *worker, GError *local, GError **error)
{
  gboolean ended = has_hung_up (worker);
  g_autofree char *end = NULL;

  orrery_child_kill (worker->child);
  end = orrery_child_describe_end (worker->child);
  if (!ended) {
    g_propagate_error (error, local);
    return;
  }
  g_error_free (local);
  orrery_set_error (error, ORRERY_ERROR_PLUGIN, "it %s", end);
}

/* Called when its process runs: sends its channels and the request that starts it. Returns: FALSE:
 * there is no process */
static gboolean
finish_start (OrreryWorker *worker, GError **error)
{
  GError *local = NULL;

  if (orrery_child_start (worker->child, error)) {
    worker->pid = worker->child->pid;
    if (open_channels (worker, &local)) {
      worker->state = ORRERY_WORKER_STARTING;
      orrery_worker_begin (worker, ORRERY_REQUEST_START);
      orrery_worker_send (worker, describe_start (worker));
      return TRUE;
    }
    fail_to_open (worker, local, error);
  }
  drop_process (worker);
  return FALSE;
}

gboolean
orrery_worker_start (OrreryWorker *worker, GError **error)
{
  return create_child (worker, error) && finish_start (worker, error);
}

/* --- failing --- */

/* What happens to a worker after a failure. */
static char *
describe_plan (OrreryWorker *worker, OrreryTime wait)
{
  const char *policies[] = { "its last value stands", "it reads as at its start",
                             "the run is stopped" };
  const char *policy = policies[worker->settings.policy];

  if (worker->settings.policy == ORRERY_POLICY_STOP)
    return g_strdup (policy);
  if (worker->state == ORRERY_WORKER_GIVEN_UP)
    return g_strdup_printf ("it is given up after %u restarts; %s", worker->n_failures, policy);
  return g_strdup_printf ("it is restarted in %g s; until then %s", orrery_time_to_seconds (wait),
                          policy);
}

static OrreryTime
plan_restart (OrreryWorker *worker)
{
  OrreryTime now = orrery_monotonic_now ();
  const OrreryRestartPolicy policy = {
    .first = worker->settings.back_off,
    .longest = MAX (MAX_BACK_OFF, worker->settings.back_off),
    .sound = SOUND_TIMES * worker->settings.back_off,
    .max_restarts = worker->settings.max_restarts,
  };
  OrreryTime ran = worker->state == ORRERY_WORKER_UP ? now - worker->up_since : -1;
  OrreryTime wait = orrery_restart_policy_next (&policy, ran, &worker->n_failures);

  worker->restart_at = now + wait;
  worker->state = wait < 0 ? ORRERY_WORKER_GIVEN_UP : ORRERY_WORKER_DOWN;
  return wait;
}

static void
mark_stale (OrreryWorker *worker)
{
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    remote->was_down = TRUE;
    if (orrery_worker_is_fed (worker))
      continue;
    remote->zeroed = FALSE;
    if (remote->component != NULL)
      orrery_component_set_stale (remote->component, TRUE);
  }
}

/* The part that a failure is reported for: the one that was running, or else the first one. */
static OrreryRemote *
find_affected (OrreryWorker *worker, OrreryRemote *remote)
{
  for (guint i = 0; remote == NULL && i < worker->remotes->len; i++) {
    OrreryRemote *other = worker->remotes->pdata[i];

    if (other->posted != 0 && other->early == NULL)
      remote = other;
  }
  if (remote == NULL)
    remote = worker->remotes->pdata[0];
  return remote;
}

static void
tell_fault (OrreryWorker *worker, const OrreryRemote *affected, const char *doing)
{
  g_autofree char *message = g_strconcat (worker->cause, doing, NULL);
  OrreryRunFault fault = { .kind = ORRERY_RUN_FAULT_WORKER,
                           .part = affected->name,
                           .where = worker->name,
                           .message = message,
                           .count = worker->n_faults };

  if (affected->part != NULL)
    fault.classpath = orrery_part_get_classpath (affected->part);
  orrery_run_faults_tell (worker->workers->faults, fault);
}

/* A run that ends has its workers end, too. */
static void
note_failure (OrreryWorker *worker, const OrreryRemote *affected, const char *doing,
              const char *plan)
{
  OrreryWorkers *workers = worker->workers;

  worker->n_faults++;
  if (workers->closing || __atomic_load_n (workers->stopping, __ATOMIC_ACQUIRE))
    return;
  orrery_remote_log (affected, G_LOG_LEVEL_WARNING, "%s is stale: worker %s (PID %d) %s%s; %s",
                     affected->name, worker->name, (int) worker->pid, worker->cause, doing, plan);
  tell_fault (worker, affected, doing);
}

void
orrery_worker_fail (OrreryWorker *worker, OrreryRemote *remote, const char *doing, char *cause)
{
  OrreryWorkers *workers = worker->workers;
  OrreryRemote *affected = find_affected (worker, remote);
  g_autofree char *plan = NULL;

  if (worker->child != NULL) {
    orrery_child_kill (worker->child);
    orrery_worker_read_output (worker);
  }
  drop_process (worker);
  g_free (worker->cause);
  worker->cause = cause;
  plan = describe_plan (worker, plan_restart (worker));
  mark_stale (worker);
  note_failure (worker, affected, doing, plan);
  if (worker->settings.policy == ORRERY_POLICY_STOP && workers->fatal == NULL)
    workers->fatal = g_error_new (ORRERY_ERROR, ORRERY_ERROR_PLUGIN, "%s: worker %s %s%s",
                                  affected->name, worker->name, cause, doing);
  if (orrery_worker_is_fed (worker))
    return;
  /* What it had answered counts. */
  orrery_worker_apply_answers (worker, FALSE);
  orrery_worker_note_failed (worker);
  orrery_worker_fail_calls (worker);
}

/* --- waiting --- */

/* When the run is stopping, an answer is waited for no longer than the end of a process. */
static OrreryTime
get_limit (OrreryWorker *worker, OrreryTime now, OrreryTime deadline)
{
  if (!__atomic_load_n (worker->workers->stopping, __ATOMIC_ACQUIRE))
    return deadline;
  return MIN (deadline, now + CLOSING_TIME);
}

/* Whether it has ended, or reported that it is about to end. */
static void
fail_ended (OrreryWorker *worker, OrreryRemote *remote, const char *doing)
{
  orrery_child_kill (worker->child);
  orrery_worker_read_output (worker);
  orrery_worker_fail (worker, remote, doing, orrery_child_describe_end (worker->child));
}

static void
fail_late (OrreryWorker *worker, OrreryRemote *remote, const char *doing)
{
  gboolean starting = worker->state == ORRERY_WORKER_STARTING;

  orrery_child_kill_late (worker->child,
                          starting ? worker->settings.start_timeout : worker->settings.timeout);
  orrery_worker_fail (worker, remote, doing, orrery_child_describe_end (worker->child));
}

gboolean
orrery_worker_wait (OrreryWorker *worker, OrreryRemote *remote, const char *doing,
                    OrreryTime deadline, OrreryReply *reply)
{
  OrreryTime start, now, limit = deadline;

  if (orrery_worker_read (worker, reply))
    return TRUE;
  start = now = orrery_monotonic_now ();
  while (worker->state != ORRERY_WORKER_DOWN && worker->state != ORRERY_WORKER_GIVEN_UP) {
    gboolean ended;

    limit = MIN (limit, get_limit (worker, now, deadline));
    if (orrery_receiver_wait (worker->from, CLAMP (limit - now, 0, LOOKING_TIME)) &&
        orrery_worker_read (worker, reply)) {
      worker->waited += orrery_monotonic_now () - start;
      return TRUE;
    }
    /* An answer that was sent before the process ended counts. */
    ended = orrery_child_has_ended (worker->child);
    if (orrery_worker_read (worker, reply))
      return TRUE;
    now = orrery_monotonic_now ();
    if (ended || worker->child->excess != NULL)
      fail_ended (worker, remote, doing);
    else if (now >= limit)
      fail_late (worker, remote, doing);
    else
      orrery_worker_read_output (worker);
  }
  return FALSE;
}

gboolean
orrery_worker_await (OrreryWorker *worker, GError **error)
{
  OrreryReply reply;

  while (worker->state == ORRERY_WORKER_STARTING) {
    if (!orrery_worker_wait (worker, NULL, " in its setup", worker->child->deadline, &reply))
      break;
    orrery_worker_dispatch (worker, &reply);
  }
  orrery_worker_read_output (worker);
  if (worker->state == ORRERY_WORKER_UP)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "worker %s (%s) %s", worker->name,
                           find_affected (worker, NULL)->name, worker->cause);
}

/* --- once per tick --- */

static void
fail_to_start (OrreryWorker *worker, const GError *error)
{
  orrery_worker_fail (worker, NULL, "", g_strdup_printf ("cannot be started: %s", error->message));
}

/* On a busy machine a new process needs time to start: no tick waits for that. */
static void
restart (OrreryWorker *worker)
{
  g_autoptr (GError) error = NULL;

  worker->n_restarts++;
  if (!create_child (worker, &error) || !orrery_child_start_later (worker->child, &error))
    fail_to_start (worker, error);
}

static void
check_launch (OrreryWorker *worker)
{
  g_autoptr (GError) error = NULL;

  if (!orrery_child_is_launching (worker->child) && !finish_start (worker, &error))
    fail_to_start (worker, error);
}

static void
check_process (OrreryWorker *worker)
{
  gboolean starting;
  OrreryReply reply;

  /* Checks first whether it has ended, then reads what it wrote before. */
  gboolean ended = orrery_child_has_ended (worker->child);

  orrery_worker_read_output (worker);
  while (worker->from != NULL && (ended || worker->state == ORRERY_WORKER_STARTING) &&
         orrery_worker_read (worker, &reply))
    orrery_worker_dispatch (worker, &reply);
  if (worker->from == NULL)
    return;
  starting = worker->state == ORRERY_WORKER_STARTING;
  if (ended || worker->child->excess != NULL)
    fail_ended (worker, NULL, starting ? " in its setup" : "");
  else if (starting && orrery_child_is_late (worker->child))
    fail_late (worker, NULL, " in its setup");
}

void
orrery_workers_tend (OrreryWorkers *workers)
{
  OrreryTime now = orrery_monotonic_now ();

  for (guint i = 0; i < workers->workers->len; i++) {
    OrreryWorker *worker = workers->workers->pdata[i];

    if (worker->child == NULL) {
      if (worker->state == ORRERY_WORKER_DOWN && now >= worker->restart_at)
        restart (worker);
    } else if (worker->child->launching) {
      check_launch (worker);
    } else if (now - worker->checked >= OUTPUT_TIME) {
      worker->checked = now;
      check_process (worker);
    }
  }
}

/* --- the end --- */

static void
ask_to_end (OrreryWorker *worker)
{
  if (worker->state == ORRERY_WORKER_UP && !orrery_worker_is_full (worker)) {
    orrery_worker_begin (worker, ORRERY_REQUEST_END);
    orrery_worker_send (worker, NULL);
  } else if (worker->child != NULL) {
    orrery_child_kill (worker->child);
  }
}

static void
wait_for_end (OrreryWorker *worker, OrreryTime deadline)
{
  OrreryTime left = deadline - orrery_monotonic_now ();

  if (worker->child != NULL && !worker->child->launching) {
    while (left > 0 && !orrery_child_wait (worker->child, MIN (left, LOOKING_TIME))) {
      orrery_worker_read_output (worker);
      left = deadline - orrery_monotonic_now ();
    }
    orrery_child_kill (worker->child);
    orrery_worker_read_output (worker);
  }
  drop_process (worker);
  worker->last_state = worker->state;
  worker->state = ORRERY_WORKER_OFF;
}

void
orrery_workers_close (OrreryWorkers *workers)
{
  OrreryTime deadline = orrery_monotonic_now () + CLOSING_TIME;

  workers->closing = TRUE;
  for (guint i = 0; i < workers->workers->len; i++)
    ask_to_end (workers->workers->pdata[i]);
  for (guint i = 0; i < workers->workers->len; i++)
    wait_for_end (workers->workers->pdata[i], deadline);
}

gboolean
orrery_worker_is_full (OrreryWorker *worker)
{
  return worker->n_requests - worker->n_answered >= MAX_REQUESTS;
}
