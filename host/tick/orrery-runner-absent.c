/* SPDX-License-Identifier: BSD-3-Clause */
/* Restarts managers that could not reach their peer. */
#include "tick/orrery-runner-private.h"

#include "part/orrery-log.h"
#include "roles/orrery-datastream-manager.h"

/* Managers whose peer (a broker, a master) could not be reached when they started. The run
 * continues without their streams, and they are restarted from time to time by the wall clock. */

#define FIRST_PAUSE (1 * ORRERY_SECOND)
#define LONGEST_PAUSE (30 * ORRERY_SECOND)

void
orrery_runner_add_absent (OrreryRunner *runner, OrreryDatastreamManager *manager)
{
  g_ptr_array_add (runner->absent, g_object_ref (manager));
  g_ptr_array_remove (runner->managers, manager);
  runner->absent_pause = FIRST_PAUSE;
  runner->absent_due = orrery_clock_get_time (runner->clock) + FIRST_PAUSE;
}

/* Tries to start a manager. Returns: whether no further attempt is needed */
static gboolean
has_come (OrreryRunner *runner, OrreryDatastreamManager *manager)
{
  const char *name = orrery_part_get_classpath (ORRERY_PART (manager));
  g_autoptr (GError) error = NULL;

  ORRERY_DATASTREAM_MANAGER_GET_CLASS (manager)->start (manager, &error);
  if (g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_BUSY))
    return FALSE;
  if (error == NULL)
    orrery_part_log_plain (manager, G_LOG_LEVEL_MESSAGE,
                           "%s: it is there now: its streams are open", name);
  else
    orrery_part_log_plain (manager, G_LOG_LEVEL_WARNING, "%s: %s; it is not tried again", name,
                           error->message);
  if (error == NULL)
    g_ptr_array_add (runner->managers, g_object_ref (manager));
  return TRUE;
}

void
orrery_runner_retry_absent (OrreryRunner *runner)
{
  OrreryTime now = orrery_clock_get_time (runner->clock);

  if (now < runner->absent_due)
    return;
  for (guint i = runner->absent->len; i-- > 0;)
    if (has_come (runner, runner->absent->pdata[i]))
      g_ptr_array_remove_index (runner->absent, i);
  runner->absent_pause = MIN (2 * runner->absent_pause, LONGEST_PAUSE);
  runner->absent_due = now + runner->absent_pause;
}
