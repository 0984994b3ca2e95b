/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the functions that watch the records of a component, or the ticks of a run. */
#include "tick/orrery-runner-internal.h"

/*
 * Watches are added and removed from any thread; the tick checks one flag, and applies the changes
 * before any step.
 */

static void
free_watch (gpointer data)
{
  OrreryWatch *watch = data;

  if (watch->destroy != NULL)
    watch->destroy (watch->data);
  g_free (watch);
}

static gboolean
is_ended (OrreryWatch *watch)
{
  return __atomic_load_n (&watch->ended, __ATOMIC_ACQUIRE);
}

/* --- calling --- */

static void
tell (GPtrArray *watches, OrreryComponent *component)
{
  for (guint i = 0; i < watches->len; i++) {
    OrreryWatch *watch = watches->pdata[i];

    if (!is_ended (watch))
      watch->func (component, watch->data);
  }
}

void
orrery_pipeline_tell_watches (OrreryPipeline *pipeline)
{
  tell (pipeline->watches, pipeline->component);
}

void
orrery_runner_tell_watches (OrreryRunner *runner)
{
  tell (runner->watches.ticks, NULL);
}

/* --- adding and removing --- */

void
orrery_watches_init (OrreryWatches *watches)
{
  watches->all = g_ptr_array_new ();
  watches->ticks = g_ptr_array_new ();
  g_mutex_init (&watches->lock);
}

void
orrery_watches_clear (OrreryWatches *watches)
{
  g_ptr_array_set_free_func (watches->all, free_watch);
  g_ptr_array_unref (watches->all);
  g_ptr_array_unref (watches->ticks);
  g_mutex_clear (&watches->lock);
}

static void
note_watched (OrreryPipeline *pipeline)
{
  if (pipeline != NULL && pipeline->step != NULL)
    pipeline->step->is_watched = pipeline->watches->len > 0;
}

static void
place (OrreryRunner *runner, OrreryWatch *watch)
{
  OrreryPipeline *pipeline = watch->pipeline;

  if (pipeline != NULL && pipeline->watches == NULL)
    pipeline->watches = g_ptr_array_new ();
  g_ptr_array_add (pipeline != NULL ? pipeline->watches : runner->watches.ticks, watch);
  note_watched (pipeline);
  watch->placed = TRUE;
}

static void
drop (OrreryRunner *runner, OrreryWatch *watch)
{
  OrreryPipeline *pipeline = watch->pipeline;

  g_ptr_array_remove (runner->watches.all, watch);
  if (!watch->placed)
    return;
  g_ptr_array_remove (pipeline != NULL ? pipeline->watches : runner->watches.ticks, watch);
  note_watched (pipeline);
}

static void
note_change (OrreryRunner *runner)
{
  __atomic_store_n (&runner->watches.changed, TRUE, __ATOMIC_RELEASE);
}

void
orrery_runner_add_watch (OrreryRunner *runner, OrreryWatch *watch)
{
  g_mutex_lock (&runner->watches.lock);
  g_ptr_array_add (runner->watches.all, watch);
  note_change (runner);
  g_mutex_unlock (&runner->watches.lock);
}

gboolean
orrery_runner_end_watch (OrreryRunner *runner, guint id)
{
  gboolean found = FALSE;

  g_mutex_lock (&runner->watches.lock);
  for (guint i = 0; i < runner->watches.all->len && !found; i++) {
    OrreryWatch *watch = runner->watches.all->pdata[i];

    found = watch->id == id && !is_ended (watch);
    if (found)
      __atomic_store_n (&watch->ended, TRUE, __ATOMIC_RELEASE);
  }
  if (found)
    note_change (runner);
  g_mutex_unlock (&runner->watches.lock);
  return found;
}

void
orrery_runner_settle_watches (OrreryRunner *runner)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (free_watch);

  g_mutex_lock (&runner->watches.lock);
  __atomic_store_n (&runner->watches.changed, FALSE, __ATOMIC_RELEASE);
  for (guint i = 0; i < runner->watches.all->len; i++) {
    OrreryWatch *watch = runner->watches.all->pdata[i];

    if (is_ended (watch))
      g_ptr_array_add (gone, watch);
    else if (!watch->placed)
      place (runner, watch);
  }
  for (guint i = 0; i < gone->len; i++)
    drop (runner, gone->pdata[i]);
  g_mutex_unlock (&runner->watches.lock);
  /* The function that frees the data may add a watch, so it is called outside of the lock. */
}
