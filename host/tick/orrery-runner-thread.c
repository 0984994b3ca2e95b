/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which part changes the rounding mode or the signal mask of the tick's thread. */
#include "tick/orrery-runner-internal.h"

#include "base/orrery-thread-state-private.h"
#include "part/orrery-log.h"

/* @signals: costs a system call */
static const char *
restore (OrreryRunner *runner, gboolean signals)
{
  gboolean rounds = orrery_thread_state_restore_rounding ();
  gboolean blocks = signals && orrery_thread_state_restore_signals (&runner->thread.mask);

  if (rounds)
    return "how floating-point numbers are rounded";
  return blocks ? "which signals are blocked" : NULL;
}

/* The mask belongs to the thread, and a program may tick on another one than before. */
void
orrery_runner_begin_thread (OrreryRunner *runner)
{
  if (runner->thread.known && pthread_equal (runner->thread.id, pthread_self ()))
    return;
  runner->thread.known = TRUE;
  runner->thread.id = pthread_self ();
  pthread_sigmask (SIG_SETMASK, NULL, &runner->thread.mask);
}

void
orrery_runner_check_part (OrreryRunner *runner, OrreryPart *part, gboolean *warned)
{
  const char *what = restore (runner, runner->thread.suspected);

  if (G_LIKELY (what == NULL))
    return;
  if (!*warned)
    orrery_part_log_plain (part, G_LOG_LEVEL_WARNING,
                           "%s changes %s for all parts of the simulation; this is undone after "
                           "its steps that are timed, and after each tick",
                           orrery_part_get_name (part), what);
  *warned = TRUE;
}

static void
warn (OrreryRunner *runner, const char *what, gboolean by_others)
{
  if (!runner->thread.warned)
    g_warning ("tick %" G_GUINT64_FORMAT ": %s has changed %s for all parts of the simulation; "
               "this is undone after each tick%s",
               runner->n_ticks,
               by_others ? "a script, a manager or the physics engine" : "a plugin", what,
               by_others ? "" : ", and the components are watched one by one");
  runner->thread.warned = TRUE;
}

gboolean
orrery_runner_check_thread (OrreryRunner *runner, gboolean timed)
{
  const char *what;

  if (G_LIKELY (!timed && orrery_thread_state_is_rounding_plain ()))
    return TRUE;
  what = restore (runner, timed);
  if (what == NULL)
    return TRUE;
  warn (runner, what, timed && runner->thread.suspected);
  runner->thread.suspected = TRUE;
  return FALSE;
}
