/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributes the steps of sensors to threads without changing the outcome of a tick. */
#include "tick/orrery-parallel-private.h"

#include "base/orrery-calling-private.h"
#include "base/orrery-monotonic-private.h"
#include "base/orrery-thread-state-private.h"

/* Work that is finished before another thread would be awake. */
#define LEAST_NS 10000
/* Work that takes longer than it takes to fetch it. */
#define LONG_NS 1000

/* --- the plan --- */

/* The step of a remote component calls another function. */
static gboolean
is_parallel (const OrreryStep *step)
{
  OrreryPipeline *pipeline = step->pipeline;

  return pipeline->thread_safe &&
         step->func ==
             (OrreryComponentStepFunc) ORRERY_SENSOR_GET_CLASS (pipeline->component)->sense;
}

/* Whether a part of the step, before what it sends, must run on the tick's own thread. */
static gboolean
has_serial_part (const OrrerySensing *item)
{
  return !item->is_parallel || item->n_modifiers < item->step->n_modifiers;
}

static void
list_items (OrreryParallel *self, const OrrerySteps *steps)
{
  OrreryStep *end = (OrreryStep *) (gpointer) steps->end;
  GArray *items = g_array_new (FALSE, TRUE, sizeof (OrrerySensing));

  for (OrreryStep *step = (OrreryStep *) (gpointer) steps->first; step < end;
       step = orrery_step_next (step)) {
    OrrerySensing item = { .step = step, .is_parallel = is_parallel (step), .cost_ns = -1 };

    item.n_modifiers = item.is_parallel ? step->pipeline->n_safe_modifiers : step->n_modifiers;
    g_array_append_val (items, item);
  }
  self->n = items->len;
  self->items = (OrrerySensing *) (gpointer) g_array_free (items, FALSE);
}

/*
 * In each level the parallel sensors run first, then the others in order. So a sensor that is not
 * parallel may read everything before it, and one that is parallel waits for the next level.
 */
static guint
find_level (const OrrerySensing *item, GHashTable *by_component)
{
  GPtrArray *sources = item->step->pipeline->sources;
  guint level = 0;

  for (guint i = 0; sources != NULL && i < sources->len; i++) {
    OrrerySensing *source = g_hash_table_lookup (by_component, sources->pdata[i]);

    if (source != NULL)
      level = MAX (level, source->level + (item->is_parallel ? 1 : 0));
  }
  return level;
}

/* Sensors that run on the tick's thread keep their order, whatever their levels. */
static void
find_levels (OrreryParallel *self)
{
  g_autoptr (GHashTable) by_component = g_hash_table_new (NULL, NULL);
  guint last_serial = 0;

  for (guint i = 0; i < self->n; i++) {
    OrrerySensing *item = &self->items[i];

    item->level = find_level (item, by_component);
    if (has_serial_part (item))
      item->level = last_serial = MAX (item->level, last_serial);
    self->n_levels = MAX (self->n_levels, item->level + 1);
    g_hash_table_insert (by_component, item->step->pipeline->component, item);
  }
}

static void
make_room (OrreryParallel *self)
{
  self->up = g_new0 (OrrerySensing *, self->n);
  self->parallel = g_new0 (OrrerySensing *, self->n);
  self->serial = g_new0 (OrrerySensing *, self->n);
  self->n_long = g_new0 (guint, self->n_levels);
  self->n_parallel = g_new0 (guint, self->n_levels);
  self->n_serial = g_new0 (guint, self->n_levels);
  self->starts = g_new0 (guint, self->n_levels + 1);
  for (guint i = 0; i < self->n; i++)
    self->starts[self->items[i].level + 1]++;
  for (guint i = 0; i < self->n_levels; i++)
    self->starts[i + 1] += self->starts[i];
}

static gboolean
has_two_at_once (const OrreryParallel *self)
{
  g_autofree guint *n = g_new0 (guint, self->n_levels);

  for (guint i = 0; i < self->n; i++)
    if (self->items[i].is_parallel && ++n[self->items[i].level] == 2)
      return TRUE;
  return FALSE;
}

static gint64
measure_clock (void)
{
  gint64 least = LEAST_NS;

  for (guint i = 0; i < 100; i++) {
    gint64 before = orrery_monotonic_now ();

    least = MIN (least, orrery_monotonic_now () - before);
  }
  return least;
}

OrreryParallel *
orrery_parallel_new (const OrrerySteps *steps, guint n_threads)
{
  OrreryParallel *self = g_new0 (OrreryParallel, 1);

  list_items (self, steps);
  find_levels (self);
  if (n_threads < 2 || !has_two_at_once (self)) {
    orrery_parallel_free (self);
    return NULL;
  }
  make_room (self);
  self->clock_ns = measure_clock ();
  self->pool = orrery_pool_new (n_threads);
  return self;
}

void
orrery_parallel_free (OrreryParallel *self)
{
  g_clear_pointer (&self->pool, orrery_pool_free);
  g_free (self->items);
  g_free (self->up);
  g_free (self->parallel);
  g_free (self->serial);
  g_free (self->n_long);
  g_free (self->n_parallel);
  g_free (self->n_serial);
  g_free (self->starts);
  g_free (self);
}

/* --- a tick --- */

static inline gint64
get_cost (const OrrerySensing *item)
{
  return item->cost_ns >= 0 ? item->cost_ns : LEAST_NS;
}

/* Long steps first. */
static void
add_parallel (OrreryParallel *self, OrrerySensing *item)
{
  OrrerySensing **list = self->parallel + self->starts[item->level];
  guint place = self->n_parallel[item->level]++;

  if (get_cost (item) >= LONG_NS) {
    guint first = self->n_long[item->level]++;

    list[place] = list[first];
    place = first;
  }
  list[place] = item;
  self->work_ns += get_cost (item);
}

/* Which sensors are due is decided before any of them runs. */
static void
find_up (OrreryParallel *self)
{
  self->n_up = 0;
  self->work_ns = 0;
  for (guint i = 0; i < self->n_levels; i++)
    self->n_long[i] = self->n_parallel[i] = self->n_serial[i] = 0;
  for (guint i = 0; i < self->n; i++) {
    OrrerySensing *item = &self->items[i];
    guint level = item->level;

    if (!orrery_step_is_up (item->step))
      continue;
    item->error = NULL;
    item->ns = 0;
    self->up[self->n_up++] = item;
    if (item->is_parallel)
      add_parallel (self, item);
    if (has_serial_part (item))
      self->serial[self->starts[level] + self->n_serial[level]++] = item;
  }
}

static void
begin (OrreryParallel *self, OrrerySensing *item)
{
  gint64 before = self->timed ? orrery_monotonic_now () : 0;

  item->error = orrery_step_begin_sensor (item->step, self->tick, item->n_modifiers);
  if (!self->timed)
    return;
  item->ns = orrery_monotonic_now () - before;
  item->cost_ns = MAX (0, item->ns - self->clock_ns);
}

static void
modify (OrreryParallel *self, OrrerySensing *item)
{
  gint64 before = self->timed ? orrery_monotonic_now () : 0;

  if (item->error == NULL)
    item->error = orrery_step_modify_sensor (item->step, self->tick, item->n_modifiers);
  if (self->timed)
    item->ns += orrery_monotonic_now () - before;
}

typedef struct {
  OrreryParallel *self;
  OrrerySensing **items;
} Share;

static void
begin_one (gpointer data, guint i)
{
  Share *share = data;

  begin (share->self, share->items[i]);
  orrery_calling_set (NULL);
  /* On whichever thread: what it changed there would be another sensor's. */
  if (G_UNLIKELY (!orrery_thread_state_is_rounding_plain ()))
    orrery_thread_state_restore_rounding ();
}

static void
run_level (OrreryParallel *self, guint level, gboolean shared)
{
  Share share = { self, self->parallel + self->starts[level] };
  OrrerySensing **serial = self->serial + self->starts[level];

  if (shared && self->n_parallel[level] > 1)
    orrery_pool_run (self->pool, begin_one, &share, self->n_parallel[level], self->n_long[level]);
  else
    for (guint i = 0; i < self->n_parallel[level]; i++)
      begin_one (&share, i);
  for (guint i = 0; i < self->n_serial[level]; i++)
    if (serial[i]->is_parallel)
      modify (self, serial[i]);
    else
      begin (self, serial[i]);
}

static void
weigh (OrreryParallel *self)
{
  gint64 sum = 0;

  for (guint i = 0; i < self->n && sum < LEAST_NS; i++)
    sum += self->items[i].is_parallel ? get_cost (&self->items[i]) : 0;
  self->is_light = sum < LEAST_NS;
}

void
orrery_parallel_run (OrreryParallel *self, OrreryTick *tick, gboolean timed)
{
  gboolean shared;

  self->tick = tick;
  self->timed = timed;
  find_up (self);
  shared = self->work_ns >= LEAST_NS;
  for (guint level = 0; level < self->n_levels; level++)
    run_level (self, level, shared);
  if (timed)
    weigh (self);
  for (guint i = 0; i < self->n_up; i++) {
    OrrerySensing *item = self->up[i];
    gint64 before = timed ? orrery_monotonic_now () : 0;

    orrery_step_end_sensor (item->step, g_steal_pointer (&item->error));
    if (timed)
      item->ns += orrery_monotonic_now () - before;
  }
}
