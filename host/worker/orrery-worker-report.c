/* SPDX-License-Identifier: BSD-3-Clause */
/* What other rooms ask of workers: their reports, their descriptions and their members. */
#include "worker/orrery-worker-internal.h"

#include "record/orrery-record-private.h"

/* --- all workers --- */

GPtrArray *
orrery_workers_list (OrreryWorkers *workers)
{
  return workers->workers;
}

void
orrery_workers_watch_faults (OrreryWorkers *workers, OrreryRunFaults *faults)
{
  workers->faults = faults;
}

void
orrery_workers_end_loading (OrreryWorkers *workers)
{
  workers->loading = FALSE;
}

void
orrery_workers_end_adoption (OrreryWorkers *workers)
{
  for (guint i = 0; i < workers->workers->len; i++)
    g_clear_pointer (&((OrreryWorker *) workers->workers->pdata[i])->ready, g_variant_unref);
}

gboolean
orrery_workers_check (OrreryWorkers *workers, GError **error)
{
  if (G_LIKELY (workers->fatal == NULL))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&workers->fatal));
  return FALSE;
}

void
orrery_workers_renew_snapshot (OrreryWorkers *workers)
{
  workers->serial++;
}

static GVariant *
report_worker (OrreryWorker *worker)
{
  static const char *const states[] = { "off", "starting", "up", "down", "given up" };
  GVariantBuilder names;
  guint64 n_fresh = 0;
  guint64 n_stale = 0;
  GVariantDict dict;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    g_variant_builder_add (&names, "s", remote->name);
    n_fresh += remote->n_fresh;
    n_stale += remote->n_stale;
  }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", worker->name);
  g_variant_dict_insert (
      &dict, "state", "s",
      states[worker->state != ORRERY_WORKER_OFF ? worker->state : worker->last_state]);
  g_variant_dict_insert (&dict, "pid", "u", (guint) worker->pid);
  g_variant_dict_insert (&dict, "free-running", "b", worker->settings.free_running);
  g_variant_dict_insert_value (&dict, "components", g_variant_builder_end (&names));
  g_variant_dict_insert (&dict, "fresh", "t", n_fresh);
  g_variant_dict_insert (&dict, "stale", "t", n_stale);
  g_variant_dict_insert (&dict, "restarts", "u", worker->n_restarts);
  g_variant_dict_insert (&dict, "waited", "d", orrery_time_to_seconds (worker->waited));
  g_variant_dict_insert (&dict, "cause", "s", worker->cause != NULL ? worker->cause : "");
  return g_variant_dict_end (&dict);
}

GVariant *
orrery_workers_report (OrreryWorkers *workers)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; workers != NULL && i < workers->workers->len; i++)
    g_variant_builder_add_value (&list, report_worker (workers->workers->pdata[i]));
  return g_variant_builder_end (&list);
}

/* --- a worker --- */

const char *
orrery_worker_get_name (OrreryWorker *worker)
{
  return worker->name;
}

const OrreryWorkerSettings *
orrery_worker_get_settings (OrreryWorker *worker)
{
  return &worker->settings;
}

void
orrery_worker_set_command (OrreryWorker *worker, const char *const *command)
{
  if (worker->command == NULL)
    worker->command = g_strdupv ((char **) command);
}

/* Collects the components whose records have channels of their own. */
static GVariant *
list_latest (OrreryWorker *worker)
{
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    if (worker->settings.transport == ORRERY_TRANSPORT_LATEST && remote->component != NULL)
      g_variant_builder_add (&names, "s", remote->name);
  }
  return g_variant_builder_end (&names);
}

/* Lists the scripts whose classes a worker should load in advance. */
static GVariant *
list_scripts (OrreryWorker *worker)
{
  GVariantBuilder places;

  g_variant_builder_init (&places, G_VARIANT_TYPE ("au"));
  for (guint i = 0; i < worker->remotes->len; i++) {
    OrreryRemote *remote = worker->remotes->pdata[i];

    if (remote->component == NULL)
      g_variant_builder_add (&places, "u", remote->place - worker->workers->components->len);
  }
  return g_variant_builder_end (&places);
}

void
orrery_worker_describe (OrreryWorker *worker, GVariantDict *dict)
{
  g_variant_dict_insert (dict, "name", "s", worker->name);
  g_variant_dict_insert (dict, "free", "b", worker->settings.free_running);
  g_variant_dict_insert_value (dict, "latest", list_latest (worker));
  g_variant_dict_insert_value (dict, "scripts", list_scripts (worker));
  g_variant_dict_insert (dict, "memory", "t", worker->settings.memory);
}

/* --- a component or script --- */

OrreryComponent *
orrery_remote_get_component (OrreryRemote *remote)
{
  return remote->component;
}

guint
orrery_remote_get_place (OrreryRemote *remote)
{
  return remote->place;
}

void
orrery_remote_keep_time (OrreryRemote *remote)
{
  if (remote->component != NULL)
    remote->timestamp = orrery_component_get_record (remote->component)->timestamp;
}

gboolean
orrery_remote_is_free (OrreryRemote *remote)
{
  return remote->worker->settings.free_running;
}

void
orrery_remote_set_modified (OrreryRemote *remote, gboolean modified)
{
  remote->has_modifiers = modified;
}

void
orrery_remote_add_source (OrreryRemote *remote, OrreryComponent *component, guint place)
{
  OrrerySource source = { component, place };

  g_array_append_val (remote->sources, source);
}

GVariant *
orrery_remote_get_first_answer (OrreryRemote *remote)
{
  return remote->worker->ready;
}

void
orrery_remote_take_state (OrreryRemote *remote, GVariant *state)
{
  remote->state = state;
  remote->saves = state != NULL;
}

GVariant *
orrery_remote_get_state (OrreryRemote *remote)
{
  return remote->state;
}

GVariant *
orrery_remote_get_published (OrreryRemote *remote)
{
  return remote->script.published;
}
