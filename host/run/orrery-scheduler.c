/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-scheduler.h"

#include "run/orrery-clock-private.h"
#include "run/orrery-scheduler-private.h"
#include "run/orrery-signals-private.h"

#include <sys/prctl.h>

/* Steps in one turn, however few tasks there are: a turn of a loop costs as much as dozens. */
#define MIN_TURN 64
/* Tasks that no longer stay in the nearest cache. */
#define MANY 256
/* To sleep and to be woken costs the processor as much time as to wait for what is due so soon. */
#define NEAR 6000

enum {
  PROP_CLOCK = 1,
  PROP_STOP,
  N_PROPS,
};

enum {
  SIGNAL_FAILED,
  SIGNAL_FINISHED,
  N_SIGNALS,
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OrreryScheduler, orrery_scheduler, G_TYPE_OBJECT)

/* --- what other threads touch --- */

static void
clear_shared (gpointer data)
{
  OrreryShared *shared = data;

  orrery_waker_unref (shared->waker);
}

static void
release_shared (gpointer data, GClosure *closure)
{
  g_atomic_rc_box_release_full (data, clear_shared);
}

static void
on_stop (GCancellable *stop, gpointer data)
{
  OrreryShared *shared = data;

  g_atomic_int_set (&shared->stopped, TRUE);
  orrery_waker_wake (shared->waker);
}

static void
on_moved (OrreryClock *clock, gpointer data)
{
  OrreryShared *shared = data;

  g_atomic_int_inc (&shared->n_moves);
  orrery_waker_wake (shared->waker);
}

/* Not g_cancellable_connect(): a token that is cancelled now may be reset later. */
static void
watch (OrreryScheduler *self)
{
  self->stop_handler =
      g_signal_connect_data (self->stop, "cancelled", G_CALLBACK (on_stop),
                             g_atomic_rc_box_acquire (self->shared), release_shared, 0);
  self->moved_handler =
      g_signal_connect_data (self->clock, "moved", G_CALLBACK (on_moved),
                             g_atomic_rc_box_acquire (self->shared), release_shared, 0);
}

/* The token may have been reset, or cancelled before anybody watched it. */
static void
look_at_stop (OrreryScheduler *self)
{
  g_atomic_int_set (&self->shared->stopped, FALSE);
  if (g_cancellable_is_cancelled (self->stop))
    g_atomic_int_set (&self->shared->stopped, TRUE);
}

/* --- the order --- */

static inline OrreryTime
get_time (OrreryScheduler *self)
{
  return self->get_time != NULL ? self->get_time (self->clock) : orrery_clock_read_monotonic ();
}

static inline void
read_clock (OrreryScheduler *self)
{
  self->now = get_time (self);
  self->stale = self->sequence;
}

static inline OrreryHeapEntry
make_entry (OrreryScheduler *self, OrreryTask *task, OrreryTime wake)
{
  return (OrreryHeapEntry){ wake, self->sequence++, task };
}

/* What was added between runs begins at one time, in the order in which it was added. */
static void
start_pending (OrreryScheduler *self)
{
  if (self->pending->len == 0)
    return;
  read_clock (self);
  for (guint i = 0; i < self->pending->len; i++) {
    OrreryTask *task = g_ptr_array_index (self->pending, i);

    task->pending = FALSE;
    task->due = self->now;
    orrery_heap_push (&self->heap, make_entry (self, task, self->now));
  }
  g_ptr_array_set_size (self->pending, 0);
  self->stale = self->sequence;
}

static void
drop_ended (OrreryScheduler *self)
{
  OrreryTask *task = self->heap.entries[0].task;

  orrery_heap_drop_first (&self->heap);
  self->n_ended--;
  orrery_task_unref (task);
}

/* Removed tasks leave the heap at once they are half of it: no search, and no growth. */
static void
sweep (OrreryScheduler *self)
{
  OrreryHeap *heap = &self->heap;
  guint n = 0;

  if (self->n_ended <= heap->n / 2 || heap->n < 16)
    return;
  for (guint i = 0; i < heap->n; i++) {
    OrreryTask *task = heap->entries[i].task;

    if (task->step != NULL || task == self->current)
      heap->entries[n++] = heap->entries[i];
    else
      orrery_task_unref (task);
  }
  self->n_ended -= heap->n - n;
  heap->n = n;
  orrery_heap_restore (heap);
}

static inline gboolean
is_due (OrreryScheduler *self)
{
  const OrreryHeapEntry *first;

  while (self->heap.n > 0 && G_UNLIKELY (self->heap.entries[0].task->step == NULL))
    drop_ended (self);
  if (self->heap.n == 0)
    return FALSE;
  /* Whoever was queued after the last look at the clock is no part of that round any more. */
  first = &self->heap.entries[0];
  if (first->wake > self->now || first->sequence >= self->stale)
    read_clock (self);
  return self->heap.entries[0].wake <= self->now;
}

gboolean
orrery_scheduler_is_due (OrreryScheduler *self)
{
  return self->pending->len > 0 || is_due (self);
}

/* --- steps --- */

static void
report (OrreryScheduler *self, OrreryTask *task, GError *error)
{
  gboolean handled = FALSE;

  g_prefix_error (&error, "%s: ", task->name);
  task->error = error;
  self->n_failed++;
  g_signal_emit (self, signals[SIGNAL_FAILED], 0, task, error, &handled);
}

static gboolean
orrery_scheduler_real_failed (OrreryScheduler *self, OrreryTask *task, GError *error)
{
  g_warning ("%s", error->message);
  return TRUE;
}

/* The first task has no further step; it owns @error from now on. */
static void
end_first (OrreryScheduler *self, GError *error)
{
  g_autoptr (OrreryTask) task = self->heap.entries[0].task;

  orrery_heap_drop_first (&self->heap);
  if (task->step == NULL)
    self->n_ended--;
  orrery_task_end (task);
  if (error != NULL)
    report (self, task, error);
}

/* Only a sleep needs to know when the step ended; the next task is then judged by the same look. */
static inline gboolean
plan (OrreryScheduler *self, OrreryTask *task, OrreryNext next, GError **error)
{
  if (next.kind == ORRERY_NEXT_SLEEP || next.kind == ORRERY_NEXT_SLEEP_SECONDS) {
    self->now = get_time (self);
    self->stale = self->sequence + 1;
  }
  if (G_LIKELY (next.kind == ORRERY_NEXT_SLEEP && next.time >= 0 &&
                !__builtin_add_overflow (self->now, next.time, &task->due)))
    return TRUE;
  return orrery_task_plan (task, next, self->now, &task->due, error);
}

/* Of many tasks most are in no cache: the next is one of two, and what comes then one of four.
 * (As a function of its own it has no effect that gcc 12 would know of, and is left out.) */
static inline void __attribute__ ((always_inline)) fetch_ahead (const OrreryHeap *heap)
{
  if (heap->n < MANY)
    return;
  for (guint i = 3; i < 7; i++)
    __builtin_prefetch (heap->entries[i].task);
  /* By now these are there. */
  __builtin_prefetch (heap->entries[1].task->data);
  __builtin_prefetch (heap->entries[2].task->data);
}

static inline void
take_step (OrreryScheduler *self)
{
  OrreryTask *task = self->heap.entries[0].task;
  GError *error = NULL;
  OrreryNext next;

  fetch_ahead (&self->heap);
  self->current = task;
  next = task->step (task, task->data, &error);
  self->current = NULL;
  if (G_UNLIKELY (error != NULL || task->step == NULL || next.kind == ORRERY_NEXT_DONE)) {
    end_first (self, error);
    return;
  }
  if (G_UNLIKELY (!plan (self, task, next, &error))) {
    end_first (self, error);
    return;
  }
  /* Who is late comes after those who are due already: nobody keeps the others from their turn. */
  orrery_heap_replace_first (&self->heap, make_entry (self, task, MAX (task->due, self->now)));
}

guint
orrery_scheduler_run_batch (OrreryScheduler *self, guint64 end, guint limit)
{
  guint n = 0;

  look_at_stop (self);
  start_pending (self);
  self->stepping = TRUE;
  for (; n < limit && !g_atomic_int_get (&self->shared->stopped) && is_due (self); n++) {
    if (self->heap.entries[0].sequence >= end)
      break;
    take_step (self);
  }
  self->stepping = FALSE;
  return n;
}

guint
orrery_scheduler_get_turn (OrreryScheduler *self)
{
  return MAX (MIN_TURN, self->heap.n + self->pending->len);
}

gboolean
orrery_scheduler_is_at_end (OrreryScheduler *self)
{
  return orrery_scheduler_get_n_tasks (self) == 0 || g_cancellable_is_cancelled (self->stop);
}

void
orrery_scheduler_finish (OrreryScheduler *self)
{
  if (!self->has_work)
    return;
  self->has_work = FALSE;
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
}

/* --- tasks --- */

static OrreryTask *
add (OrreryScheduler *self, OrreryTask *task)
{
  task->scheduler = self;
  self->has_work = TRUE;
  if (self->stepping) {
    task->due = self->now;
    orrery_heap_push (&self->heap, make_entry (self, task, self->now));
    return task;
  }
  task->pending = TRUE;
  g_ptr_array_add (self->pending, task);
  if (self->source != NULL)
    orrery_waker_wake (self->shared->waker);
  return task;
}

OrreryTask *
orrery_scheduler_add (OrreryScheduler *scheduler, const char *name, OrreryStepFunc step,
                      gpointer data, GDestroyNotify destroy)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), NULL);
  g_return_val_if_fail (name != NULL && step != NULL, NULL);
  return add (scheduler, orrery_task_new (name, step, data, destroy));
}

OrreryTask *
orrery_scheduler_add_func (OrreryScheduler *scheduler, const char *name, OrreryTaskFunc func,
                           gpointer data, GDestroyNotify destroy)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), NULL);
  g_return_val_if_fail (name != NULL && func != NULL, NULL);
  return add (scheduler, orrery_task_new_for_func (name, func, data, destroy));
}

void
orrery_scheduler_remove (OrreryScheduler *scheduler, OrreryTask *task)
{
  g_return_if_fail (ORRERY_IS_SCHEDULER (scheduler) && task != NULL);
  g_return_if_fail (task->scheduler == scheduler || task->scheduler == NULL);
  if (task->step == NULL)
    return;
  if (task->pending) {
    g_ptr_array_remove (scheduler->pending, task);
    orrery_task_end (task);
    orrery_task_unref (task);
    return;
  }
  scheduler->n_ended++;
  if (task == scheduler->current) {
    task->step = NULL;
    return;
  }
  orrery_task_ref (task);
  orrery_task_end (task);
  orrery_task_unref (task);
  sweep (scheduler);
}

guint
orrery_scheduler_get_n_tasks (OrreryScheduler *scheduler)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), 0);
  return scheduler->heap.n - scheduler->n_ended + scheduler->pending->len;
}

guint
orrery_scheduler_get_n_failed (OrreryScheduler *scheduler)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), 0);
  return scheduler->n_failed;
}

/* --- runs --- */

gboolean
orrery_scheduler_stay_awake (OrreryTime wait)
{
  OrreryTime end;

  if (wait <= 0 || wait > NEAR)
    return FALSE;
  end = orrery_clock_read_monotonic () + wait;
  while (orrery_clock_read_monotonic () < end)
    ;
  return TRUE;
}

static void
sleep_until_due (OrreryScheduler *self)
{
  OrreryTime wait = orrery_clock_get_wait (self->clock, self->heap.entries[0].wake);

  if (wait != 0 && !orrery_scheduler_stay_awake (wait))
    orrery_waker_sleep (self->shared->waker, wait);
}

static void
run (OrreryScheduler *self)
{
  while (!orrery_scheduler_is_at_end (self)) {
    orrery_scheduler_run_batch (self, G_MAXUINT64, G_MAXUINT);
    if (!orrery_scheduler_is_at_end (self) && !orrery_scheduler_is_due (self))
      sleep_until_due (self);
  }
}

gboolean
orrery_scheduler_run (OrreryScheduler *scheduler)
{
  g_autoptr (OrreryScheduler) self = NULL;
  int slack;

  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), FALSE);
  g_return_val_if_fail (scheduler->source == NULL, FALSE);
  g_return_val_if_fail (!scheduler->running && !scheduler->stepping, FALSE);
  self = g_object_ref (scheduler);
  /* By default the kernel may be 50 us late, to save wake-ups. */
  slack = prctl (PR_GET_TIMERSLACK, 0, 0, 0, 0);
  prctl (PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  self->running = TRUE;
  run (self);
  self->running = FALSE;
  if (slack > 0)
    prctl (PR_SET_TIMERSLACK, (unsigned long) slack, 0, 0, 0);
  orrery_scheduler_finish (self);
  return orrery_scheduler_get_n_tasks (self) == 0;
}

gboolean
orrery_scheduler_run_until_signal (OrreryScheduler *scheduler, int *number, GError **error)
{
  OrrerySignals *caught;
  gboolean ended;

  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler) && number != NULL, FALSE);
  *number = 0;
  caught = orrery_signals_new (scheduler->stop, error);
  if (caught == NULL)
    return FALSE;
  ended = orrery_scheduler_run (scheduler);
  *number = orrery_signals_end (caught);
  return ended;
}

guint
orrery_scheduler_run_due (OrreryScheduler *scheduler)
{
  g_autoptr (OrreryScheduler) self = NULL;
  guint n;

  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), 0);
  g_return_val_if_fail (!scheduler->running && !scheduler->stepping, 0);
  self = g_object_ref (scheduler);
  n = orrery_scheduler_run_batch (self, self->sequence + self->pending->len, G_MAXUINT);
  if (orrery_scheduler_is_at_end (self))
    orrery_scheduler_finish (self);
  return n;
}

gboolean
orrery_scheduler_get_next_due (OrreryScheduler *scheduler, OrreryTime *due)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), FALSE);
  g_return_val_if_fail (due != NULL, FALSE);
  g_return_val_if_fail (!scheduler->stepping, FALSE);
  *due = G_MININT64;
  if (scheduler->pending->len > 0)
    return TRUE;
  while (scheduler->heap.n > 0 && scheduler->heap.entries[0].task->step == NULL)
    drop_ended (scheduler);
  if (scheduler->heap.n == 0)
    return FALSE;
  *due = scheduler->heap.entries[0].wake;
  return TRUE;
}

void
orrery_scheduler_stop (OrreryScheduler *scheduler)
{
  g_return_if_fail (ORRERY_IS_SCHEDULER (scheduler));
  g_cancellable_cancel (scheduler->stop);
}

GCancellable *
orrery_scheduler_get_stop (OrreryScheduler *scheduler)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), NULL);
  return scheduler->stop;
}

OrreryClock *
orrery_scheduler_get_clock (OrreryScheduler *scheduler)
{
  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), NULL);
  return scheduler->clock;
}

/* --- the class --- */

OrreryScheduler *
orrery_scheduler_new (OrreryClock *clock, GCancellable *stop)
{
  return g_object_new (ORRERY_TYPE_SCHEDULER, "clock", clock, "stop", stop, NULL);
}

static void
orrery_scheduler_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OrreryScheduler *self = ORRERY_SCHEDULER (object);

  switch (id) {
  case PROP_CLOCK:
    self->clock = g_value_dup_object (value);
    break;
  case PROP_STOP:
    self->stop = g_value_dup_object (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_scheduler_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryScheduler *self = ORRERY_SCHEDULER (object);

  switch (id) {
  case PROP_CLOCK:
    g_value_set_object (value, self->clock);
    break;
  case PROP_STOP:
    g_value_set_object (value, self->stop);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_scheduler_constructed (GObject *object)
{
  OrreryScheduler *self = ORRERY_SCHEDULER (object);

  if (self->clock == NULL)
    self->clock = ORRERY_CLOCK (orrery_wall_clock_new (1.0));
  if (self->stop == NULL)
    self->stop = g_cancellable_new ();
  /* For a class without one, what complains of that. */
  self->get_time = ORRERY_CLOCK_GET_CLASS (self->clock)->get_time;
  if (self->get_time == NULL)
    self->get_time = orrery_clock_get_time;
  if (orrery_clock_is_monotonic (self->clock))
    self->get_time = NULL;
  watch (self);
  G_OBJECT_CLASS (orrery_scheduler_parent_class)->constructed (object);
}

static void
end_and_unref (gpointer task)
{
  orrery_task_end (task);
  orrery_task_unref (task);
}

static void
orrery_scheduler_dispose (GObject *object)
{
  OrreryScheduler *self = ORRERY_SCHEDULER (object);

  orrery_scheduler_detach (self);
  g_clear_signal_handler (&self->stop_handler, self->stop);
  g_clear_signal_handler (&self->moved_handler, self->clock);
  while (self->heap.n > 0)
    end_and_unref (self->heap.entries[--self->heap.n].task);
  while (self->pending->len > 0)
    end_and_unref (g_ptr_array_steal_index (self->pending, self->pending->len - 1));
  self->n_ended = 0;
  G_OBJECT_CLASS (orrery_scheduler_parent_class)->dispose (object);
}

static void
orrery_scheduler_finalize (GObject *object)
{
  OrreryScheduler *self = ORRERY_SCHEDULER (object);

  g_clear_object (&self->clock);
  g_clear_object (&self->stop);
  g_clear_pointer (&self->pending, g_ptr_array_unref);
  g_clear_pointer (&self->heap.entries, g_free);
  g_atomic_rc_box_release_full (self->shared, clear_shared);
  G_OBJECT_CLASS (orrery_scheduler_parent_class)->finalize (object);
}

static void
add_signals (OrrerySchedulerClass *klass)
{
  /**
   * OrreryScheduler::failed:
   * @scheduler: a scheduler
   * @task: the task, which has ended
   * @error: the name of the task, and why it failed or what it gave that is no command
   *
   * By default the message is logged as a warning.
   *
   * Returns: %TRUE: dealt with, nothing more is said
   */
  signals[SIGNAL_FAILED] =
      g_signal_new_class_handler ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                  G_CALLBACK (orrery_scheduler_real_failed),
                                  g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 2,
                                  ORRERY_TYPE_TASK, G_TYPE_ERROR);

  /**
   * OrreryScheduler::finished:
   * @scheduler: a scheduler
   *
   * All tasks have ended, or it was stopped; for main loops. Once, until a task is added.
   */
  signals[SIGNAL_FINISHED] =
      g_signal_new_class_handler ("finished", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL,
                                  NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
orrery_scheduler_class_init (OrrerySchedulerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_scheduler_set_property;
  object_class->get_property = orrery_scheduler_get_property;
  object_class->constructed = orrery_scheduler_constructed;
  object_class->dispose = orrery_scheduler_dispose;
  object_class->finalize = orrery_scheduler_finalize;

  props[PROP_CLOCK] = g_param_spec_object ("clock", "clock", "What it goes by; the wall clock",
                                           ORRERY_TYPE_CLOCK, flags);
  props[PROP_STOP] = g_param_spec_object ("stop", "stop", "What ends it; a token of its own",
                                          G_TYPE_CANCELLABLE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  add_signals (klass);
}

static void
orrery_scheduler_init (OrreryScheduler *self)
{
  self->pending = g_ptr_array_new ();
  self->shared = g_atomic_rc_box_new0 (OrreryShared);
  self->shared->waker = orrery_waker_new ();
}
