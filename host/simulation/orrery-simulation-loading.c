/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the scene that a client asks for in a thread, while the present one runs. */
#include "simulation/orrery-simulation-private.h"

#include "part/orrery-call-private.h"
#include "registry/orrery-registry-private.h"

#include <signal.h>

struct _OrreryLoading {
  OrrerySimulation *simulation; /* borrowed: it ends this one */
  OrreryRunRequest *request;
  OrreryInstance *next;
  GCancellable *cancellable;
  GThread *thread; /* NULL: it has ended */
  GError *error;   /* of the thread */
  gboolean read;
  GMutex lock;
  gboolean ended;     /* [lock] the thread needs nothing of this any more */
  gboolean abandoned; /* [lock] the simulation is no more: the thread frees this */
};

static void
loading_free (OrreryLoading *loading)
{
  g_clear_pointer (&loading->request, orrery_run_request_free);
  g_clear_pointer (&loading->next, orrery_instance_free);
  g_clear_object (&loading->cancellable);
  g_clear_error (&loading->error);
  g_mutex_clear (&loading->lock);
  g_free (loading);
}

/* Returns: whether nobody else will free it */
static gboolean
tell_ended (OrreryLoading *loading)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&loading->lock);
  OrrerySimulation *self = loading->simulation;

  loading->ended = TRUE;
  if (loading->abandoned)
    return TRUE;
  orrery_run_tell_ready (self->run);
  g_mutex_lock (&self->lock);
  orrery_runner_wake (self->instance->runner);
  g_mutex_unlock (&self->lock);
  return FALSE;
}

static gpointer
read_scene (gpointer data)
{
  OrreryLoading *loading = data;

  loading->read = orrery_instance_read (loading->next, loading->request->path, loading->cancellable,
                                        &loading->error);
  if (tell_ended (loading))
    loading_free (loading);
  return NULL;
}

/* Signals are for the main thread. */
static GThread *
start_thread (OrreryLoading *loading)
{
  sigset_t all, before;
  GThread *thread;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  thread = g_thread_try_new ("orrery-load", read_scene, loading, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return thread;
}

gboolean
orrery_simulation_begin_loading (OrrerySimulation *self, OrreryRunRequest *request)
{
  g_autoptr (OrreryOptions) options = NULL;
  g_autoptr (OrreryRegistry) registry = NULL;
  OrreryLoading *loading;

  g_return_val_if_fail (self->loading == NULL, FALSE);

  options = orrery_simulation_copy_options (self);
  /* Classes are looked up in the ticks, too. */
  registry = orrery_registry_copy (self->instance->registry);
  loading = g_new0 (OrreryLoading, 1);
  g_mutex_init (&loading->lock);
  loading->simulation = self;
  loading->request = request;
  loading->next = orrery_instance_new (self, self->run, registry, options);
  loading->cancellable = g_cancellable_new ();
  loading->thread = start_thread (loading);
  if (loading->thread != NULL) {
    self->loading = loading;
    return TRUE;
  }
  loading->request = NULL;
  loading_free (loading);
  return FALSE;
}

OrreryRunRequest *
orrery_simulation_take_loaded (OrrerySimulation *self, gboolean wait)
{
  OrreryLoading *loading = self->loading;

  if (loading == NULL || loading->thread == NULL || (!orrery_run_take_ready (self->run) && !wait))
    return NULL;
  g_thread_join (g_steal_pointer (&loading->thread));
  orrery_run_take_ready (self->run);
  return g_steal_pointer (&loading->request);
}

OrreryInstance *
orrery_simulation_take_instance (OrrerySimulation *self, const OrreryRunRequest *request,
                                 GError **error)
{
  OrreryLoading *loading = self->loading;
  OrreryInstance *next;

  /* Only that of the request that was taken last has no request of its own. */
  if (loading == NULL || loading->request != NULL || request->call == NULL)
    return NULL;
  next = g_steal_pointer (&loading->next);
  if (loading->error != NULL)
    g_propagate_error (error, g_steal_pointer (&loading->error));
  self->loading = NULL;
  loading_free (loading);
  return next;
}

static void
fail_load (OrreryLoading *loading, const char *why)
{
  OrreryCall *call = loading->request != NULL ? loading->request->call : NULL;

  if (call != NULL && !orrery_call_is_done (call))
    orrery_call_fail (call, g_error_new_literal (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, why));
}

void
orrery_simulation_end_loading (OrrerySimulation *self, const char *why)
{
  OrreryLoading *loading = g_steal_pointer (&self->loading);

  if (loading == NULL)
    return;
  g_cancellable_cancel (loading->cancellable);
  if (loading->thread != NULL)
    g_thread_join (g_steal_pointer (&loading->thread));
  orrery_run_take_ready (self->run);
  fail_load (loading, why);
  loading_free (loading);
}

void
orrery_simulation_abandon_loading (OrrerySimulation *self)
{
  OrreryLoading *loading = self->loading;
  gboolean ended;

  if (loading == NULL || loading->thread == NULL)
    return;
  g_cancellable_cancel (loading->cancellable);
  fail_load (loading, "the simulation ends");
  g_mutex_lock (&loading->lock);
  ended = loading->ended;
  if (!ended) {
    /* The thread reads its path. */
    g_clear_object (&loading->request->call);
    g_clear_pointer (&loading->thread, g_thread_unref);
    self->loading = NULL;
    loading->abandoned = TRUE;
  }
  g_mutex_unlock (&loading->lock);
}
