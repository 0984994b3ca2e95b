/* SPDX-License-Identifier: BSD-3-Clause */
/* OrreryTask: a function that a scheduler calls in steps, and the commands that its steps
 * return. */
#include "loop/orrery-task.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error.h"
#include "loop/orrery-scheduler-private.h"

#define MAX_SECONDS 9.2e9
/* All members that each step reads are in one cache line. */
#define TASK_ALIGNMENT 64

G_DEFINE_BOXED_TYPE (OrreryTask, orrery_task, orrery_task_ref, orrery_task_unref)

OrreryTask *
orrery_task_new (const char *name, OrreryStepFunc step, gpointer data, GDestroyNotify destroy)
{
  OrreryTask *task = g_aligned_alloc0 (1, sizeof *task, TASK_ALIGNMENT);

  task->step = step;
  task->data = data;
  task->destroy = destroy;
  task->name = g_strdup (name);
  g_atomic_ref_count_init (&task->refs);
  return task;
}

static void
task_free (OrreryTask *task)
{
  orrery_task_end (task);
  g_clear_error (&task->error);
  g_free (task->name);
  g_aligned_free (task);
}

ORRERY_DEFINE_COUNTED (OrreryTask, orrery_task, refs, task_free)

void
orrery_task_end (OrreryTask *task)
{
  GDestroyNotify destroy = g_steal_pointer (&task->destroy);
  GDestroyNotify func_destroy = g_steal_pointer (&task->func_destroy);

  task->step = NULL;
  if (task->waker != NULL)
    task->forget_waker (task);
  task->scheduler = NULL;
  if (destroy != NULL)
    destroy (task->data);
  if (func_destroy != NULL)
    func_destroy (task->func_data);
}

/* --- steps of language bindings --- */

static OrreryNext
call_func (OrreryTask *task, gpointer data, GError **error)
{
  task->next = orrery_next_make (ORRERY_NEXT_NONE, 0);
  task->func (task, task->func_data, error);
  return task->next;
}

OrreryTask *
orrery_task_new_for_func (const char *name, OrreryTaskFunc func, gpointer data,
                          GDestroyNotify destroy)
{
  OrreryTask *task = orrery_task_new (name, call_func, NULL, NULL);

  task->func = func;
  task->func_data = data;
  task->func_destroy = destroy;
  return task;
}

void
orrery_task_yield (OrreryTask *task)
{
  g_return_if_fail (task != NULL && task->func != NULL);
  task->next = orrery_next_yield ();
}

void
orrery_task_sleep (OrreryTask *task, double seconds)
{
  g_return_if_fail (task != NULL && task->func != NULL);
  task->next = orrery_next_sleep_seconds (seconds);
}

void
orrery_task_repeat (OrreryTask *task, double seconds)
{
  g_return_if_fail (task != NULL && task->func != NULL);
  task->next = orrery_next_period_seconds (seconds);
}

void
orrery_task_wait_until (OrreryTask *task, OrreryTime time)
{
  g_return_if_fail (task != NULL && task->func != NULL);
  task->next = orrery_next_due (time);
}

void
orrery_task_finish (OrreryTask *task)
{
  g_return_if_fail (task != NULL && task->func != NULL);
  task->next = orrery_next_done ();
}

/* --- the command of a step --- */

static OrreryTime
add_saturated (OrreryTime time, OrreryTime duration)
{
  OrreryTime sum;

  return __builtin_add_overflow (time, duration, &sum) ? G_MAXINT64 : sum;
}

/* A new period, or one after another command, counts from the current step. */
static OrreryTime
plan_period (OrreryTask *task, double seconds)
{
  OrreryTime last = add_saturated (task->base, orrery_time_from_seconds ((double) task->n_periods *
                                                                         task->period));

  if (seconds != task->period || last != task->due ||
      (double) (task->n_periods + 1) * seconds > MAX_SECONDS) {
    task->base = task->due;
    task->n_periods = 0;
    task->period = seconds;
  }
  task->n_periods++;
  return add_saturated (task->base, orrery_time_from_seconds ((double) task->n_periods * seconds));
}

static gboolean
refuse (GError **error, OrreryNext next)
{
  static const char what[][16] = { "sleep", "period" };
  gboolean period = next.kind == ORRERY_NEXT_PERIOD || next.kind == ORRERY_NEXT_PERIOD_SECONDS;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (next.kind) {
  case ORRERY_NEXT_NONE:
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "returned no command; there is: yield, sleep, period, due, done");
    break;
  case ORRERY_NEXT_SLEEP:
  case ORRERY_NEXT_PERIOD:
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "gave a %s of %" G_GINT64_FORMAT " ns; it is %d or more", what[period],
                      next.time, period);
    break;
  case ORRERY_NEXT_SLEEP_SECONDS:
  case ORRERY_NEXT_PERIOD_SECONDS:
    orrery_set_error (error, ORRERY_ERROR_INVALID, "gave a %s of %s s; it is %s to 9.2e9",
                      what[period], g_ascii_formatd (number, sizeof number, "%g", next.seconds),
                      period ? "1e-9" : "0");
    break;
  default:
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "gave command %d, which is none; there is: yield, sleep, period, due, done",
                      (int) next.kind);
  }
  return FALSE;
}

gboolean
orrery_task_plan (OrreryTask *task, OrreryNext next, OrreryTime now, OrreryTime *due,
                  GError **error)
{
  gboolean valid = TRUE;

  switch (next.kind) {
  case ORRERY_NEXT_YIELD:
    *due = now;
    break;
  case ORRERY_NEXT_SLEEP:
    valid = next.time >= 0;
    *due = add_saturated (now, next.time);
    break;
  case ORRERY_NEXT_SLEEP_SECONDS:
    valid = next.seconds >= 0.0 && next.seconds <= MAX_SECONDS;
    *due = valid ? add_saturated (now, orrery_time_from_seconds (next.seconds)) : now;
    break;
  case ORRERY_NEXT_PERIOD:
    valid = next.time > 0;
    *due = add_saturated (task->due, next.time);
    break;
  case ORRERY_NEXT_PERIOD_SECONDS:
    valid = next.seconds >= 1e-9 && next.seconds <= MAX_SECONDS;
    *due = valid ? plan_period (task, next.seconds) : now;
    break;
  case ORRERY_NEXT_DUE:
    *due = next.time;
    break;
  default:
    valid = FALSE;
  }
  return valid || refuse (error, next);
}

/* --- interface --- */

ORRERY_DEFINE_GETTER (const char *, orrery_task_get_name, OrreryTask, ORRERY_IS_STRUCT, self->name)
ORRERY_DEFINE_GETTER (OrreryTime, orrery_task_get_due, OrreryTask, ORRERY_IS_STRUCT, self->due)

gboolean
orrery_task_is_ended (OrreryTask *task)
{
  g_return_val_if_fail (task != NULL, TRUE);
  return task->step == NULL;
}

ORRERY_DEFINE_GETTER (const GError *, orrery_task_get_error, OrreryTask, ORRERY_IS_STRUCT,
                      self->error)
