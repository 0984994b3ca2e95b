/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts, serves and closes the managers of streams and requests. */
#include "tick/orrery-runner-internal.h"

#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"
#include "roles/orrery-stream-private.h"

void
orrery_managers_init (OrreryManagers *managers)
{
  managers->all = g_ptr_array_new_with_free_func (orrery_part_release);
  managers->requests = g_ptr_array_new_with_free_func (orrery_part_release);
  managers->inputs = g_ptr_array_new ();
  managers->ticking = g_ptr_array_new ();
  managers->ticking_requests = g_ptr_array_new ();
  managers->absent = g_ptr_array_new_with_free_func (orrery_part_release);
}

void
orrery_managers_detach (OrreryManagers *managers)
{
  for (guint i = 0; i < managers->requests->len; i++)
    orrery_request_manager_detach (managers->requests->pdata[i]);
}

void
orrery_managers_clear (OrreryManagers *managers)
{
  g_ptr_array_unref (managers->requests);
  g_ptr_array_unref (managers->all);
  g_ptr_array_unref (managers->inputs);
  g_ptr_array_unref (managers->ticking);
  g_ptr_array_unref (managers->ticking_requests);
  g_ptr_array_unref (managers->absent);
}

void
orrery_runner_add_manager (OrreryRunner *runner, OrreryDatastreamManager *manager)
{
  g_ptr_array_add (runner->managers.all, manager);
  orrery_datastream_manager_attach (manager, runner->waker);
}

static GVariant *
list_services (gpointer runner, OrreryRequestManager *manager)
{
  return orrery_calls_list (((OrreryRunner *) runner)->calls, manager);
}

static OrreryPart *
find_service (gpointer runner, OrreryRequestManager *manager, const char *part, const char *service)
{
  return orrery_calls_find_service (((OrreryRunner *) runner)->calls, manager, part, service);
}

static OrreryTime
get_time (gpointer runner)
{
  return orrery_tick_get_time (((OrreryRunner *) runner)->tick);
}

static void
submit (gpointer runner, OrreryRequestManager *manager, const char *part, OrreryCall *call)
{
  orrery_calls_submit (((OrreryRunner *) runner)->calls, manager, part, call);
}

void
orrery_runner_add_request_manager (OrreryRunner *runner, OrreryRequestManager *manager)
{
  g_ptr_array_add (runner->managers.requests, manager);
  if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->tick != NULL)
    g_ptr_array_add (runner->managers.ticking_requests, manager);
  orrery_request_manager_attach (manager, submit, runner, runner->waker);
  orrery_request_manager_set_host (manager,
                                   &(OrreryRequestHost){ list_services, find_service, get_time });
}

GPtrArray *
orrery_runner_get_request_managers (OrreryRunner *runner)
{
  return runner->managers.requests;
}

/* --- managers that are absent ---
 *
 * Their peer (a broker, a master) could not be reached when they started. The run continues without
 * their streams, and they are restarted from time to time by the wall clock.
 */

#define FIRST_PAUSE (1 * ORRERY_SECOND)
#define LONGEST_PAUSE (30 * ORRERY_SECOND)

static void
add_absent (OrreryRunner *runner, OrreryDatastreamManager *manager, const GError *error)
{
  OrreryManagers *managers = &runner->managers;
  GPtrArray *names = orrery_datastream_manager_get_streams (manager);
  g_autofree char *list = NULL;

  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  orrery_part_log_plain (manager, G_LOG_LEVEL_WARNING,
                         "%s: %s; not on a stream: %s; it is tried again while the simulation runs",
                         orrery_part_get_classpath (ORRERY_PART (manager)), error->message, list);
  g_ptr_array_add (managers->absent, g_object_ref (manager));
  g_ptr_array_remove (managers->all, manager);
  managers->pause = FIRST_PAUSE;
  managers->due = orrery_clock_get_time (runner->clock) + FIRST_PAUSE;
}

static void
note_started (OrreryManagers *managers, OrreryDatastreamManager *manager)
{
  if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->tick != NULL)
    g_ptr_array_add (managers->ticking, manager);
}

void
orrery_runner_tick_managers (OrreryRunner *runner)
{
  GPtrArray *ticking = runner->managers.ticking;
  GPtrArray *requests = runner->managers.ticking_requests;

  for (guint i = 0; i < ticking->len; i++)
    ORRERY_PART_CALL (ticking->pdata[i], "tick",
                      ORRERY_DATASTREAM_MANAGER_GET_CLASS (ticking->pdata[i])
                          ->tick (ticking->pdata[i], runner->tick));
  for (guint i = 0; i < requests->len; i++)
    ORRERY_PART_CALL (requests->pdata[i], "tick",
                      ORRERY_REQUEST_MANAGER_GET_CLASS (requests->pdata[i])
                          ->tick (requests->pdata[i], runner->tick));
}

/* Tries to start a manager. Returns: whether no further attempt is needed */
static gboolean
has_come (OrreryRunner *runner, OrreryDatastreamManager *manager)
{
  const char *name = orrery_part_get_classpath (ORRERY_PART (manager));
  g_autoptr (GError) error = NULL;

  ORRERY_PART_CALL (manager, "start",
                    ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->start (manager, &error));
  if (g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_BUSY))
    return FALSE;
  if (error == NULL)
    orrery_part_log_plain (manager, G_LOG_LEVEL_MESSAGE,
                           "%s: it is there now: its streams are open", name);
  else
    orrery_part_log_plain (manager, G_LOG_LEVEL_WARNING, "%s: %s; it is not tried again", name,
                           error->message);
  if (error == NULL) {
    g_ptr_array_add (runner->managers.all, g_object_ref (manager));
    note_started (&runner->managers, manager);
  }
  return TRUE;
}

void
orrery_runner_retry_absent (OrreryRunner *runner)
{
  OrreryManagers *managers = &runner->managers;
  OrreryTime now = orrery_clock_get_time (runner->clock);

  if (now < managers->due)
    return;
  for (guint i = managers->absent->len; i-- > 0;)
    if (has_come (runner, managers->absent->pdata[i]))
      g_ptr_array_remove_index (managers->absent, i);
  managers->pause = MIN (2 * managers->pause, LONGEST_PAUSE);
  managers->due = now + managers->pause;
}

/* --- start and end --- */

static gboolean
start_streams (OrreryRunner *runner, GError **error)
{
  GPtrArray *managers = runner->managers.all;
  guint n = 0; /* those that have started */

  while (n < managers->len) {
    OrreryDatastreamManagerClass *klass = ORRERY_DATASTREAM_MANAGER_GET_CLASS (managers->pdata[n]);
    g_autoptr (GError) local = NULL;

    if (klass->start != NULL)
      ORRERY_PART_CALL (managers->pdata[n], "start", klass->start (managers->pdata[n], &local));
    if (local == NULL) {
      note_started (&runner->managers, managers->pdata[n++]);
    } else if (g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_BUSY)) {
      add_absent (runner, managers->pdata[n], local);
    } else {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
orrery_runner_start_managers (OrreryRunner *runner, GError **error)
{
  GPtrArray *requests = runner->managers.requests;
  GError *local = NULL;

  orrery_runner_tell_epoch (runner);
  if (!start_streams (runner, error))
    return FALSE;
  for (guint i = 0; local == NULL && i < requests->len; i++)
    ORRERY_PART_CALL (
        requests->pdata[i], "start",
        ORRERY_REQUEST_MANAGER_GET_CLASS (requests->pdata[i])->start (requests->pdata[i], &local));
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

void
orrery_runner_log_phase (const char *words, gboolean ends)
{
  g_log_structured (G_LOG_DOMAIN, G_LOG_LEVEL_INFO, "ORRERY_PHASE", ends ? "end" : "begin",
                    "MESSAGE", "%s", words);
}

static void
close_streams (GPtrArray *managers)
{
  for (guint i = 0; i < managers->len; i++) {
    OrreryDatastreamManager *manager = managers->pdata[i];

    if (ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close != NULL &&
        orrery_part_is_started (ORRERY_PART (manager)))
      ORRERY_PART_CALL (manager, "close",
                        ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->close (manager));
  }
}

static void
close_requests (OrreryRunner *runner)
{
  GPtrArray *requests = runner->managers.requests;

  for (guint i = 0; i < requests->len; i++) {
    OrreryRequestManagerClass *klass = ORRERY_REQUEST_MANAGER_GET_CLASS (requests->pdata[i]);

    if (!orrery_part_is_started (requests->pdata[i]))
      continue;
    if (klass->flush != NULL)
      ORRERY_PART_CALL (requests->pdata[i], "flush", klass->flush (requests->pdata[i]));
    if (klass->close != NULL)
      ORRERY_PART_CALL (requests->pdata[i], "close", klass->close (requests->pdata[i]));
  }
}

void
orrery_runner_close (OrreryRunner *runner)
{
  orrery_runner_log_phase ("CLOSING REQUEST MANAGERS...", TRUE);
  close_requests (runner);
  orrery_runner_log_phase ("CLOSING DATASTREAMS...", TRUE);
  close_streams (runner->managers.all);
  close_streams (runner->managers.absent);
  orrery_runner_log_phase ("CLOSING OVERLAYS...", TRUE);
  if (runner->workers != NULL)
    orrery_workers_close (runner->workers);
}

/* --- requests --- */

void
orrery_runner_intake_requests (OrreryRunner *runner)
{
  GPtrArray *requests = runner->managers.requests;

  for (guint i = 0; i < requests->len; i++) {
    OrreryRequestManager *manager = requests->pdata[i];

    orrery_request_manager_take_wake (manager);
    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->intake != NULL)
      ORRERY_PART_CALL (manager, "intake",
                        ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->intake (manager));
  }
}

void
orrery_runner_flush_requests (OrreryRunner *runner)
{
  GPtrArray *requests = runner->managers.requests;

  for (guint i = 0; i < requests->len; i++) {
    OrreryRequestManager *manager = requests->pdata[i];

    if (ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush != NULL)
      ORRERY_PART_CALL (manager, "flush",
                        ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->flush (manager));
  }
}

gboolean
orrery_runner_was_woken (OrreryRunner *runner)
{
  GPtrArray *requests = runner->managers.requests;
  gboolean woken = FALSE;

  for (guint i = 0; i < requests->len; i++)
    woken |= orrery_request_manager_take_wake (requests->pdata[i]);
  return woken;
}
