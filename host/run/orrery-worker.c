/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-worker-private.h"

#include "base/orrery-error.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-part-private.h"
#include "run/orrery-clock-private.h"
#include "run/orrery-packet-private.h"
#include "world/orrery-world-private.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* The life of a worker: start, failure, restart, end. */

/* Requests under way, at most; the ring keeps some more. */
#define MAX_REQUESTS 60
#define REQUEST_DEPTH 64
/* A worker that was up for so many times its back-off begins anew to count its failures. */
#define SOUND_TIMES 100
#define MAX_BACK_OFF (10 * ORRERY_SECOND)
/* How often what they say is looked for. */
#define HEARING_TIME (5 * ORRERY_MILLISECOND)
#define ORRERY_MILLISECOND (ORRERY_SECOND / 1000)
/* For all of them to end by themselves. */
#define CLOSING_TIME (300 * ORRERY_MILLISECOND)
/* Between two looks at whether the process that is waited for still lives. */
#define LOOKING_TIME (5 * ORRERY_MILLISECOND)

/* --- made and freed --- */

static void
remote_free (gpointer data)
{
  OrreryRemote *remote = data;

  orrery_remote_disconnect (remote);
  g_clear_pointer (&remote->script.published, g_variant_unref);
  g_free (remote->name);
  g_clear_pointer (&remote->latest, orrery_receiver_unref);
  g_clear_pointer (&remote->sources, g_array_unref);
  g_clear_pointer (&remote->stash, g_bytes_unref);
  g_clear_pointer (&remote->state, g_variant_unref);
  g_clear_pointer (&remote->options, g_hash_table_unref);
  g_clear_pointer (&remote->changes, g_array_unref);
  g_clear_pointer (&remote->commands, g_array_unref);
  g_free (remote);
}

static void
drop_process (OrreryWorker *worker)
{
  if (worker->birth != NULL)
    orrery_birth_end (g_steal_pointer (&worker->birth), &worker->process, NULL);
  orrery_process_kill (&worker->process);
  orrery_process_clear (&worker->process);
  g_clear_pointer (&worker->to, orrery_emitter_unref);
  g_clear_pointer (&worker->from, orrery_receiver_unref);
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    g_clear_pointer (&remote->latest, orrery_receiver_unref);
    g_clear_pointer (&remote->stash, g_bytes_unref);
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
  g_clear_pointer (&worker->ready, g_variant_unref);
  g_clear_pointer (&worker->message, g_byte_array_unref);
  g_free (worker->cause);
  g_strfreev (worker->command);
  g_free (worker->name);
  g_free (worker);
}

OrreryWorkers *
orrery_workers_new (OrreryWorld *world, GPtrArray *components, OrreryTick *tick,
                    const int *stopping, const char *program, guint save_period)
{
  OrreryWorkers *workers = g_new0 (OrreryWorkers, 1);

  workers->workers = g_ptr_array_new_with_free_func (worker_free);
  workers->phases[0] = g_ptr_array_new ();
  workers->phases[1] = g_ptr_array_new ();
  workers->world = g_object_ref (world);
  workers->components = components;
  workers->loading = TRUE;
  workers->tick = orrery_tick_ref (tick);
  workers->stopping = stopping;
  workers->program = g_strdup (program);
  workers->serial = 1;
  workers->save_period = MAX (1, save_period);
  return workers;
}

void
orrery_workers_free (OrreryWorkers *workers)
{
  g_ptr_array_unref (workers->phases[0]);
  g_ptr_array_unref (workers->phases[1]);
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
  worker->process = ORRERY_PROCESS_NONE;
  worker->blueprint = -1;
  worker->remotes = g_ptr_array_new_with_free_func (remote_free);
  worker->calls = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  worker->message = g_byte_array_new ();
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
  remote->options =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
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
  if (channel == NULL || !orrery_channel_send (channel, worker->process.socket, error))
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
  if (channel == NULL || !orrery_channel_send (channel, worker->process.socket, error))
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

  if (!orrery_file_pass (worker->process.socket, worker->blueprint, error))
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

/* What a process begins with: at first nothing but the scene, later what stands. */
static GVariant *
describe_start (OrreryWorker *worker)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE (ORRERY_START_TYPE));
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    GVariant *state;

    /* Scripts are made when it is up. */
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

static char **
make_command (OrreryWorker *worker, const char *host)
{
  char *own[] = { worker->workers->program, (char *) "worker", NULL };
  char **words = worker->command != NULL ? worker->command : own;
  GPtrArray *argv = g_ptr_array_new ();

  for (; *words != NULL; words++)
    g_ptr_array_add (argv, g_strdup (*words));
  g_ptr_array_add (argv, g_strdup (host));
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (argv, FALSE);
}

static void
begin_anew (OrreryWorker *worker)
{
  worker->n_requests = worker->n_answered = worker->seen = 0;
  worker->log_serial = 0;
  worker->excess = NULL;
  worker->deadline = orrery_clock_read_monotonic () + worker->settings.start_timeout;
}

static gboolean
has_hung_up (OrreryWorker *worker)
{
  struct pollfd poll_fd = { .fd = worker->process.socket, .events = POLLIN };

  return poll (&poll_fd, 1, 0) > 0 && (poll_fd.revents & POLLHUP) != 0;
}

/* That something could not be sent to one that has ended is no news: how it ended is. */
static void
fail_to_greet (OrreryWorker *worker, GError *local, GError **error)
{
  gboolean ended = has_hung_up (worker);
  g_autofree char *end = NULL;

  orrery_process_kill (&worker->process);
  end = orrery_process_describe_end (&worker->process);
  drop_process (worker);
  if (!ended) {
    g_propagate_error (error, local);
    return;
  }
  g_error_free (local);
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN, "it %s", end);
}

/* There is a process; it is told what it is. */
static gboolean
greet (OrreryWorker *worker, GError **error)
{
  GError *local = NULL;

  worker->pid = worker->process.pid;
  if (!open_channels (worker, &local)) {
    fail_to_greet (worker, local, error);
    return FALSE;
  }
  worker->state = ORRERY_WORKER_STARTING;
  orrery_worker_begin (worker, ORRERY_REQUEST_START);
  orrery_worker_send (worker, describe_start (worker));
  return TRUE;
}

gboolean
orrery_worker_start (OrreryWorker *worker, GError **error)
{
  g_autofree char *host = g_strdup_printf ("%d", (int) getpid ());
  g_auto (GStrv) argv = make_command (worker, host);

  begin_anew (worker);
  return orrery_process_start (&worker->process, argv, error) && greet (worker, error);
}

/* --- failing --- */

char *
orrery_worker_get_cause (OrreryWorker *worker)
{
  g_autofree char *end = orrery_process_describe_end (&worker->process);

  if (worker->excess == NULL)
    return g_steal_pointer (&end);
  return g_strdup_printf ("%s and %s", worker->excess, end);
}

static char *
describe_prospect (OrreryWorker *worker, OrreryTime wait)
{
  const char *policies[] = { "its last value stands", "it reads as at its start",
                             "the run is stopped" };

  if (worker->settings.policy == ORRERY_POLICY_STOP)
    return g_strdup (policies[worker->settings.policy]);
  if (worker->state == ORRERY_WORKER_GIVEN_UP)
    return g_strdup_printf ("it is given up after %u restarts; %s", worker->n_failures - 1,
                            policies[worker->settings.policy]);
  return g_strdup_printf ("it is restarted in %g s; until then %s", orrery_time_to_seconds (wait),
                          policies[worker->settings.policy]);
}

static OrreryTime
plan_restart (OrreryWorker *worker)
{
  OrreryTime now = orrery_clock_read_monotonic ();
  OrreryTime wait = worker->settings.back_off;

  if (worker->state == ORRERY_WORKER_UP && now - worker->up_since >= SOUND_TIMES * wait)
    worker->n_failures = 0;
  for (guint i = 0; i < worker->n_failures && wait < MAX_BACK_OFF; i++)
    wait *= 2;
  wait = MIN (wait, MAX (MAX_BACK_OFF, worker->settings.back_off));
  worker->deadline = now + wait;
  worker->n_failures++;
  worker->state = worker->n_failures > worker->settings.max_restarts ? ORRERY_WORKER_GIVEN_UP
                                                                     : ORRERY_WORKER_DOWN;
  return wait;
}

static void
mark_stale (OrreryWorker *worker)
{
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    remote->was_down = TRUE;
    remote->zeroed = FALSE;
    if (remote->component != NULL)
      orrery_component_set_stale (remote->component, TRUE);
  }
}

/* Whom it is told of: who was at work, else the first. */
static OrreryRemote *
find_culprit (OrreryWorker *worker, OrreryRemote *remote)
{
  for (guint i = 0; remote == NULL && i < worker->remotes->len; i++) {
    OrreryRemote *other = worker->remotes->pdata[i];

    if (other->posted != 0 && other->stash == NULL)
      remote = other;
  }
  if (remote == NULL)
    remote = worker->remotes->pdata[0];
  return remote;
}

void
orrery_worker_fail (OrreryWorker *worker, OrreryRemote *remote, const char *doing, char *cause)
{
  OrreryWorkers *workers = worker->workers;
  OrreryRemote *culprit = find_culprit (worker, remote);
  g_autofree char *prospect = NULL;
  OrreryTime wait;

  orrery_process_kill (&worker->process);
  orrery_worker_hear (worker);
  drop_process (worker);
  g_free (worker->cause);
  worker->cause = cause;
  wait = plan_restart (worker);
  prospect = describe_prospect (worker, wait);
  mark_stale (worker);
  if (!workers->closing && !__atomic_load_n (workers->stopping, __ATOMIC_ACQUIRE))
    orrery_remote_log (culprit, G_LOG_LEVEL_WARNING, "%s is stale: worker %s (PID %d) %s%s; %s",
                       culprit->name, worker->name, (int) worker->pid, cause, doing, prospect);
  if (worker->settings.policy == ORRERY_POLICY_STOP && workers->fatal == NULL)
    workers->fatal = g_error_new (ORRERY_ERROR, ORRERY_ERROR_PLUGIN, "%s: worker %s %s%s",
                                  culprit->name, worker->name, cause, doing);
  orrery_worker_fail_calls (worker);
}

/* --- waiting --- */

/* The end of the run is waited for no longer than that of the process at its end. */
static OrreryTime
get_limit (OrreryWorker *worker, OrreryTime now, OrreryTime deadline)
{
  if (!__atomic_load_n (worker->workers->stopping, __ATOMIC_ACQUIRE))
    return deadline;
  return MIN (deadline, now + CLOSING_TIME);
}

static void
fail_hung (OrreryWorker *worker, OrreryRemote *remote, const char *doing)
{
  OrreryTime waited = worker->state == ORRERY_WORKER_STARTING ? worker->settings.start_timeout
                                                              : worker->settings.timeout;

  orrery_worker_fail (worker, remote, doing,
                      g_strdup_printf ("gave no answer within %.3g s",
                                       orrery_time_to_seconds (waited)));
}

gboolean
orrery_worker_wait (OrreryWorker *worker, OrreryRemote *remote, const char *doing,
                    OrreryTime deadline, OrreryReply *reply)
{
  OrreryTime start, now, limit = deadline;

  if (orrery_worker_read (worker, reply))
    return TRUE;
  start = now = orrery_clock_read_monotonic ();
  while (worker->state != ORRERY_WORKER_DOWN && worker->state != ORRERY_WORKER_GIVEN_UP) {
    gboolean ended;

    limit = MIN (limit, get_limit (worker, now, deadline));
    if (orrery_receiver_wait (worker->from, CLAMP (limit - now, 0, LOOKING_TIME)) &&
        orrery_worker_read (worker, reply)) {
      worker->waited += orrery_clock_read_monotonic () - start;
      return TRUE;
    }
    /* What it said before it ended counts. */
    ended = orrery_process_has_ended (&worker->process);
    if (orrery_worker_read (worker, reply))
      return TRUE;
    now = orrery_clock_read_monotonic ();
    if (ended || worker->excess != NULL) {
      orrery_process_kill (&worker->process);
      orrery_worker_hear (worker);
      orrery_worker_fail (worker, remote, doing, orrery_worker_get_cause (worker));
    } else if (now >= limit) {
      fail_hung (worker, remote, doing);
    } else {
      orrery_worker_hear (worker);
    }
  }
  return FALSE;
}

gboolean
orrery_worker_await (OrreryWorker *worker, GError **error)
{
  OrreryReply reply;

  while (worker->state == ORRERY_WORKER_STARTING) {
    if (!orrery_worker_wait (worker, NULL, " in its setup", worker->deadline, &reply))
      break;
    orrery_worker_dispatch (worker, &reply);
  }
  orrery_worker_hear (worker);
  if (worker->state == ORRERY_WORKER_UP)
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN, "worker %s (%s) %s", worker->name,
               find_culprit (worker, NULL)->name, worker->cause);
  return FALSE;
}

/* --- once a tick --- */

static void
fail_to_start (OrreryWorker *worker, const GError *error)
{
  orrery_worker_fail (worker, NULL, "", g_strdup_printf ("cannot be started: %s", error->message));
}

/* On a busy machine a new process takes its time: no tick waits for that. */
static void
restart (OrreryWorker *worker)
{
  g_autofree char *host = g_strdup_printf ("%d", (int) getpid ());
  g_autoptr (GError) error = NULL;

  worker->n_restarts++;
  begin_anew (worker);
  worker->birth = orrery_birth_new (make_command (worker, host), &error);
  if (worker->birth == NULL)
    fail_to_start (worker, error);
}

static void
take_birth (OrreryWorker *worker)
{
  g_autoptr (GError) error = NULL;

  if (!orrery_birth_end (g_steal_pointer (&worker->birth), &worker->process, &error) ||
      !greet (worker, &error))
    fail_to_start (worker, error);
}

static void
look_after (OrreryWorker *worker)
{
  OrreryReply reply;

  /* First whether it has ended, then what it said before. */
  gboolean ended = orrery_process_has_ended (&worker->process);

  orrery_worker_hear (worker);
  while (worker->from != NULL && (ended || worker->state == ORRERY_WORKER_STARTING) &&
         orrery_worker_read (worker, &reply))
    orrery_worker_dispatch (worker, &reply);
  if (worker->from == NULL)
    return;
  if (ended || worker->excess != NULL) {
    orrery_process_kill (&worker->process);
    orrery_worker_fail (worker, NULL,
                        worker->state == ORRERY_WORKER_STARTING ? " in its setup" : "",
                        orrery_worker_get_cause (worker));
  } else if (worker->state == ORRERY_WORKER_STARTING &&
             orrery_clock_read_monotonic () >= worker->deadline) {
    fail_hung (worker, NULL, " in its setup");
  }
}

void
orrery_workers_tend (OrreryWorkers *workers)
{
  OrreryTime now = orrery_clock_read_monotonic ();

  for (guint i = 0; i < workers->workers->len; i++) {
    OrreryWorker *worker = workers->workers->pdata[i];

    if (worker->birth != NULL) {
      if (orrery_birth_is_over (worker->birth))
        take_birth (worker);
    } else if (worker->state == ORRERY_WORKER_DOWN && now >= worker->deadline) {
      restart (worker);
    } else if (worker->process.pid != 0 && now - worker->heard >= HEARING_TIME) {
      worker->heard = now;
      look_after (worker);
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
  } else {
    orrery_process_kill (&worker->process);
  }
}

/* Its socket hangs up when it has ended. */
static void
wait_for_end (OrreryWorker *worker, OrreryTime deadline)
{
  struct pollfd poll_fd = { .fd = worker->process.socket, .events = POLLIN };

  while (worker->process.pid != 0 && !orrery_process_has_ended (&worker->process)) {
    OrreryTime left = deadline - orrery_clock_read_monotonic ();

    if (left <= 0)
      break;
    poll_fd.revents = 0;
    poll (&poll_fd, 1, (int) MIN (left / ORRERY_MILLISECOND + 1, 5));
    orrery_worker_hear (worker);
  }
  orrery_process_kill (&worker->process);
  orrery_worker_hear (worker);
  drop_process (worker);
  worker->last_state = worker->state;
  worker->state = ORRERY_WORKER_OFF;
}

void
orrery_workers_close (OrreryWorkers *workers)
{
  OrreryTime deadline = orrery_clock_read_monotonic () + CLOSING_TIME;

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
