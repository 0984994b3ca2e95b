/* SPDX-License-Identifier: BSD-3-Clause */
/* The scheduler: runs tasks, one step at a time, in the order in which they are due. */
#include "loop/orrery-scheduler.h"

#include "base/orrery-monotonic-private.h"
#include "loop/orrery-clock-private.h"
#include "loop/orrery-scheduler-private.h"
#include "process/orrery-signals-private.h"

/* The least number of steps in one turn: a turn of a main loop costs as much as dozens of steps. */
#define MIN_TURN 64
/* Tasks are prefetched so many steps ahead, because many tasks do not fit into the near caches. */
#define AHEAD 8
/* For a wait shorter than this, to sleep and be woken costs the processor as much as to spin. */
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

/* --- access by other threads --- */

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

/* The token may have been reset, or cancelled before it was watched. */
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
  return self->get_time != NULL ? self->get_time (self->clock) : orrery_monotonic_now ();
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

/* Tasks that are added between runs start at the same time, in the order in which they were
 * added. */
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
  OrreryTask *task = self->heap.entries[0].item;

  orrery_heap_drop_first (&self->heap);
  self->n_ended--;
  orrery_task_unref (task);
}

/* Removes entries, and keeps the order of the others. Returns: how many are left */
static guint
drop_all_ended (OrreryHeapEntry *entries, guint n)
{
  guint n_kept = 0;

  for (guint i = 0; i < n; i++) {
    OrreryTask *task = entries[i].item;

    if (task->step != NULL)
      entries[n_kept++] = entries[i];
    else
      orrery_task_unref (task);
  }
  return n_kept;
}

/* Entries of removed tasks are purged when they are half of all, which needs no search and bounds
 * the size. */
static void
sweep (OrreryScheduler *self)
{
  OrreryDueList *due = &self->due;
  guint n = self->heap.n + due->n - due->next;

  if (self->n_ended <= n / 2 || n < 16)
    return;
  self->heap.n = drop_all_ended (self->heap.entries, self->heap.n);
  orrery_heap_restore (&self->heap);
  due->n = due->next + drop_all_ended (due->entries + due->next, due->n - due->next);
  self->n_ended = 0;
}

/* A task that is in no list waits for its start, or makes its step now: it need not be woken. */
static void
advance (OrreryScheduler *self, OrreryTask *task)
{
  for (guint i = 0; i < self->heap.n; i++)
    if (self->heap.entries[i].item == task) {
      orrery_heap_lower (&self->heap, i, make_entry (self, task, get_time (self)));
      return;
    }
}

static void
look_at_wakers (OrreryScheduler *self)
{
  for (guint i = 0; i < self->woken->len; i++) {
    OrreryTask *task = self->woken->pdata[i];

    if (orrery_waker_take (task->waker))
      advance (self, task);
  }
}

static inline gboolean
is_due (OrreryScheduler *self)
{
  if (G_UNLIKELY (self->woken->len > 0))
    look_at_wakers (self);
  while (self->heap.n > 0 && G_UNLIKELY (((OrreryTask *) self->heap.entries[0].item)->step == NULL))
    drop_ended (self);
  if (self->heap.n == 0)
    return FALSE;
  if (self->heap.entries[0].key > self->now)
    read_clock (self);
  return self->heap.entries[0].key <= self->now;
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

/* Ends a task, which takes @error. */
static void
end_task (OrreryScheduler *self, OrreryTask *task, GError *error)
{
  orrery_task_end (task);
  if (error != NULL)
    report (self, task, error);
  orrery_task_unref (task);
}

/* Only a sleep needs the time at which the step ended; the next task is then checked against the
 * same time. */
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

/* Always inlined: gcc 12 sees no effect in it and drops calls of it as a function of its own. */
static inline void __attribute__ ((always_inline)) fetch_ahead (const OrreryDueList *due)
{
  if (due->next + AHEAD < due->n)
    __builtin_prefetch (due->entries[due->next + AHEAD].item);
  /* This entry has been prefetched by now. */
  if (due->next + AHEAD / 2 < due->n)
    __builtin_prefetch (((OrreryTask *) due->entries[due->next + AHEAD / 2].item)->data);
}

static inline void
take_step (OrreryScheduler *self, OrreryTask *task)
{
  GError *error = NULL;
  OrreryNext next;

  self->current = task;
  next = task->step (task, task->data, &error);
  self->current = NULL;
  if (G_UNLIKELY (error != NULL || task->step == NULL || next.kind == ORRERY_NEXT_DONE ||
                  !plan (self, task, next, &error))) {
    end_task (self, task, error);
    return;
  }
  /* A late task is queued behind those that are due already, so no task starves the others. */
  orrery_heap_push (&self->heap, make_entry (self, task, MAX (task->due, self->now)));
}

/*
 * Whether the list begins with a due entry. A step that is planned from now on is not due before
 * now, so it belongs behind the whole list, unless the clock is set back.
 */
static inline gboolean
has_due (OrreryScheduler *self)
{
  OrreryDueList *due = &self->due;

  if (G_UNLIKELY (self->now < self->due_until))
    orrery_due_list_give_back (due, &self->heap);
  if (due->next == due->n) {
    if (!is_due (self))
      return FALSE;
    orrery_due_list_take (due, &self->heap, self->now);
    self->due_until = self->now;
  }
  return TRUE;
}

guint
orrery_scheduler_run_batch (OrreryScheduler *self, guint64 end, guint limit)
{
  OrreryDueList *due = &self->due;
  guint n = 0;

  look_at_stop (self);
  start_pending (self);
  self->stepping = TRUE;
  while (n < limit && !g_atomic_int_get (&self->shared->stopped) && has_due (self)) {
    const OrreryHeapEntry *first = &due->entries[due->next];
    OrreryTask *task = first->item;

    if (first->sequence >= end)
      break;
    /* Tasks that were queued after the clock was read belong to the next round. */
    if (first->sequence >= self->stale)
      read_clock (self);
    fetch_ahead (due);
    due->next++;
    if (G_UNLIKELY (task->step == NULL)) {
      self->n_ended--;
      orrery_task_unref (task);
      continue;
    }
    take_step (self, task);
    n++;
  }
  orrery_due_list_give_back (due, &self->heap);
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

gboolean
orrery_scheduler_has_other (OrreryScheduler *self)
{
  return self->due.next < self->due.n || g_atomic_int_get (&self->shared->stopped) ||
         (self->heap.n > 0 && self->heap.entries[0].key <= get_time (self));
}

/* --- tasks --- */

/* Called when the task ends, or is given another waker. */
static void
forget_waker (OrreryTask *task)
{
  orrery_waker_set_next (task->waker, NULL);
  g_ptr_array_remove (task->scheduler->woken, task);
  g_clear_pointer (&task->waker, orrery_waker_unref);
}

void
orrery_scheduler_set_waker (OrreryScheduler *self, OrreryTask *task, OrreryWaker *waker)
{
  if (task->waker != NULL)
    forget_waker (task);
  task->waker = orrery_waker_ref (waker);
  task->forget_waker = forget_waker;
  g_ptr_array_add (self->woken, task);
  orrery_waker_set_next (waker, self->shared->waker);
}

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
  if (task == scheduler->current) {
    task->step = NULL;
    return;
  }
  scheduler->n_ended++;
  orrery_task_ref (task);
  orrery_task_end (task);
  orrery_task_unref (task);
  sweep (scheduler);
}

guint
orrery_scheduler_get_n_tasks (OrreryScheduler *scheduler)
{
  guint n;

  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), 0);
  n = scheduler->heap.n + scheduler->due.n - scheduler->due.next - scheduler->n_ended;
  if (scheduler->current != NULL && scheduler->current->step != NULL)
    n++;
  return n + scheduler->pending->len;
}

ORRERY_DEFINE_GETTER (guint, orrery_scheduler_get_n_failed, OrreryScheduler, ORRERY_IS_SCHEDULER,
                      self->n_failed)

/* --- runs --- */

gboolean
orrery_scheduler_stay_awake (OrreryTime wait)
{
  OrreryTime end;

  if (wait <= 0 || wait > NEAR)
    return FALSE;
  end = orrery_monotonic_now () + wait;
  while (orrery_monotonic_now () < end)
    ;
  return TRUE;
}

static void
sleep_until_due (OrreryScheduler *self)
{
  OrreryTime wait = orrery_clock_get_wait (self->clock, self->heap.entries[0].key);

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
  slack = orrery_waker_begin_precision ();
  self->running = TRUE;
  run (self);
  self->running = FALSE;
  orrery_waker_end_precision (slack);
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
  while (scheduler->heap.n > 0 && ((OrreryTask *) scheduler->heap.entries[0].item)->step == NULL)
    drop_ended (scheduler);
  if (scheduler->heap.n == 0)
    return FALSE;
  *due = scheduler->heap.entries[0].key;
  return TRUE;
}

void
orrery_scheduler_stop (OrreryScheduler *scheduler)
{
  g_return_if_fail (ORRERY_IS_SCHEDULER (scheduler));
  g_cancellable_cancel (scheduler->stop);
}

ORRERY_DEFINE_GETTER (GCancellable *, orrery_scheduler_get_stop, OrreryScheduler,
                      ORRERY_IS_SCHEDULER, self->stop)
ORRERY_DEFINE_GETTER (OrreryClock *, orrery_scheduler_get_clock, OrreryScheduler,
                      ORRERY_IS_SCHEDULER, self->clock)

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
  /* A class without get_time uses the function that reports that. */
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
    end_and_unref (self->heap.entries[--self->heap.n].item);
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
  g_clear_pointer (&self->woken, g_ptr_array_unref);
  g_clear_pointer (&self->heap.entries, g_free);
  orrery_due_list_clear (&self->due);
  g_atomic_rc_box_release_full (self->shared, clear_shared);
  G_OBJECT_CLASS (orrery_scheduler_parent_class)->finalize (object);
}

static void
add_signals (OrrerySchedulerClass *klass)
{
  signals[SIGNAL_FAILED] =
      g_signal_new_class_handler ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                  G_CALLBACK (orrery_scheduler_real_failed),
                                  g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 2,
                                  ORRERY_TYPE_TASK, G_TYPE_ERROR);

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
  self->woken = g_ptr_array_new ();
  self->shared = g_atomic_rc_box_new0 (OrreryShared);
  self->shared->waker = orrery_waker_new ();
}
