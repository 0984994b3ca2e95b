/* SPDX-License-Identifier: BSD-3-Clause */
/* The observers of a simulation: each scene and each epoch is opened for them and closed again. */
#include "simulation/orrery-simulation-private.h"

#include "base/orrery-error-private.h"
#include "part/orrery-log-levels-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-observer-private.h"

#include <string.h>

/* A plugin, which the library does not link. */
#define RECORDER "orrery.observers.recorder.Recorder"

/* An observer, and what it watches in the present scene. */
typedef struct {
  OrrerySimulation *simulation; /* borrowed */
  OrreryObserver *observer;
  guint ticks;         /* number of its subscription to ticks; 0: none */
  GHashTable *watches; /* (element-type OrreryComponent guint): guarded by the observer's lock */
  gboolean takes_inputs, takes_faults;
  gboolean failed; /* it could not be opened, and is not asked again */
} Watcher;

static void
watcher_free (gpointer data)
{
  Watcher *watcher = data;

  orrery_observer_set_watch_func (watcher->observer, NULL, NULL);
  orrery_observer_set_renderer_func (watcher->observer, NULL, NULL);
  g_hash_table_unref (watcher->watches);
  orrery_part_release (watcher->observer);
  g_free (watcher);
}

void
orrery_simulation_init_observers (OrrerySimulation *self)
{
  self->observers.all = g_ptr_array_new_with_free_func (watcher_free);
}

void
orrery_simulation_clear_observers (OrrerySimulation *self)
{
  g_clear_pointer (&self->observers.all, g_ptr_array_unref);
  g_clear_pointer (&self->observers.playback, orrery_playback_unref);
}

OrreryPart *
orrery_simulation_find_observer (OrrerySimulation *self, const char *name)
{
  for (guint i = 0; i < self->observers.all->len; i++) {
    Watcher *watcher = self->observers.all->pdata[i];

    if (g_str_equal (orrery_part_get_name (ORRERY_PART (watcher->observer)), name))
      return ORRERY_PART (watcher->observer);
  }
  return NULL;
}

void
orrery_simulation_list_lost (OrrerySimulation *self, GVariantBuilder *list)
{
  for (guint i = 0; i < self->observers.all->len; i++)
    orrery_observer_list_lost (((Watcher *) self->observers.all->pdata[i])->observer, list);
}

/* --- what they are told --- */

static void
tell_record (OrreryComponent *component, gpointer data)
{
  OrreryObserver *observer = ((Watcher *) data)->observer;

  ORRERY_PART_CALL (observer, "record",
                    ORRERY_OBSERVER_GET_CLASS (observer)->record (observer, component));
}

/* An OrreryObserverSaveFunc. An engine that is only built again does not go on to the last bit. */
static GBytes *
save_state (gpointer host, GError **error)
{
  OrrerySimulation *self = host;
  OrreryPhysics *physics = self->instance->assembly.physics;

  if (physics != NULL && ORRERY_PART_GET_CLASS (physics)->save == NULL)
    return orrery_set_error_null (error, ORRERY_ERROR_STATE,
                                  "%s, the engine of physics, cannot save its state",
                                  orrery_part_get_classpath (ORRERY_PART (physics)));
  return orrery_simulation_save (self, error);
}

/* An OrreryObserverHashFunc. */
static guint64
get_hash (gpointer host)
{
  OrrerySimulation *self = host;

  return orrery_runner_get_digest (self->instance->runner);
}

static void
tell_tick (OrreryComponent *component, gpointer data)
{
  Watcher *watcher = data;
  OrreryObserver *observer = watcher->observer;
  OrreryTick *tick = orrery_runner_get_tick (watcher->simulation->instance->runner);

  orrery_observer_set_tick_funcs (observer, save_state, get_hash, watcher->simulation);
  ORRERY_PART_CALL (observer, "tick", ORRERY_OBSERVER_GET_CLASS (observer)->tick (observer, tick));
  orrery_observer_set_tick_funcs (observer, NULL, NULL, NULL);
}

/* With the observer's lock held. */
static void
watch (gpointer host, OrreryObserver *observer, OrreryComponent *component, gboolean watched)
{
  Watcher *watcher = host;
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (watcher->watches, component));

  if (ORRERY_OBSERVER_GET_CLASS (observer)->record == NULL || watched == (id != 0))
    return;
  if (watched) {
    id = orrery_simulation_subscribe (watcher->simulation, component, tell_record, watcher, NULL,
                                      NULL);
    if (id != 0)
      g_hash_table_insert (watcher->watches, component, GUINT_TO_POINTER (id));
  } else {
    orrery_simulation_unsubscribe (watcher->simulation, id);
    g_hash_table_remove (watcher->watches, component);
  }
}

/* An OrreryInputFunc. */
static void
tell_input (gpointer data, const OrreryRunInput *input)
{
  OrrerySimulation *self = data;

  for (guint i = 0; i < self->observers.all->len; i++) {
    Watcher *watcher = self->observers.all->pdata[i];
    OrreryObserver *observer = watcher->observer;

    if (watcher->takes_inputs)
      ORRERY_PART_CALL (observer, "input",
                        ORRERY_OBSERVER_GET_CLASS (observer)->input (observer, input));
  }
}

static void
tell_fault_to (Watcher *watcher, const OrreryRunFault *fault)
{
  OrreryObserver *observer = watcher->observer;

  if (watcher->takes_faults)
    ORRERY_PART_CALL (observer, "fault",
                      ORRERY_OBSERVER_GET_CLASS (observer)->fault (observer, fault));
}

/* An OrreryRunFaultFunc. */
static void
tell_fault (gpointer data, const OrreryRunFault *fault)
{
  OrrerySimulation *self = data;

  for (guint i = 0; i < self->observers.all->len; i++)
    tell_fault_to (self->observers.all->pdata[i], fault);
}

/* An OrreryRunFaultFunc: those that were before an observer came. */
static void
tell_old_fault (gpointer data, const OrreryRunFault *fault)
{
  tell_fault_to (data, fault);
}

static void
tell_old_faults (Watcher *watcher)
{
  OrreryRunner *runner = watcher->simulation->instance->runner;
  guint64 n_ticks = orrery_runner_get_n_ticks (runner);
  OrreryRunFaults faults = { tell_old_fault, watcher, &n_ticks };

  orrery_scripts_tell_failed (orrery_runner_get_scripts (runner), &faults);
}

static void
watch_run (OrrerySimulation *self)
{
  OrreryRunner *runner = self->instance->runner;
  gboolean inputs = FALSE, faults = FALSE;

  for (guint i = 0; i < self->observers.all->len; i++) {
    const Watcher *watcher = self->observers.all->pdata[i];

    inputs |= watcher->takes_inputs;
    faults |= watcher->takes_faults;
  }
  orrery_inputs_watch (orrery_runner_get_inputs (runner), inputs ? tell_input : NULL, self);
  orrery_runner_watch_faults (runner, faults ? tell_fault : NULL, self);
}

/* --- opening and closing --- */

/* Whether @watcher may ask for anything */
static void
connect_watcher (Watcher *watcher, gboolean connected)
{
  orrery_observer_set_watch_func (watcher->observer, connected ? watch : NULL,
                                  connected ? watcher : NULL);
  orrery_observer_set_renderer_func (watcher->observer,
                                     connected ? orrery_assembly_get_renderer : NULL,
                                     connected ? &watcher->simulation->instance->assembly : NULL);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* In an order of their own, since that of the table is none. */
static GPtrArray *
list_files (OrreryScene *scene)
{
  GPtrArray *files = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, scene->files);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_ptr_array_add (files, path);
  g_ptr_array_sort (files, compare_paths);
  g_ptr_array_add (files, NULL);
  return files;
}

/* To all, under its name; a name belongs to one class, so that nothing clashes but a second one of
 * the class, which then has no services of its own. */
static void
publish_services (Watcher *watcher)
{
  OrreryPart *part = ORRERY_PART (watcher->observer);

  orrery_calls_map (watcher->simulation->instance->assembly.calls, NULL,
                    orrery_part_get_name (part), part, NULL);
}

/* What the episode began with was shown before the observer was there. */
static void
tell_drawn (Watcher *watcher)
{
  OrreryInstance *instance = watcher->simulation->instance;
  g_autoptr (GPtrArray) lines = NULL;

  if (instance->assembly.variations == NULL)
    return;
  lines = orrery_assembly_describe_drawn (&instance->assembly, instance->episode);
  for (guint i = 0; i < lines->len; i++)
    orrery_part_tell_watcher (ORRERY_PART (watcher->observer), instance->system->pdata[0],
                              ORRERY_LOG_LEVEL_INFO, lines->pdata[i]);
}

static gboolean
open_watcher (Watcher *watcher, GError **error)
{
  OrrerySimulation *self = watcher->simulation;
  OrreryInstance *instance = self->instance;
  OrreryObserver *observer = watcher->observer;
  g_autoptr (GPtrArray) files = list_files (instance->scene);
  const OrreryObserved observed = {
    .world = instance->world,
    .components = (OrreryComponent *const *) instance->assembly.components->pdata,
    .n_components = instance->assembly.components->len,
    .frequency = orrery_runner_get_settings (instance->runner)->frequency,
    .seed = instance->assembly.seed,
    .epoch = orrery_run_get_epoch (self->run),
    .start = orrery_runner_get_settings (instance->runner)->start,
    .n_ticks = orrery_runner_get_n_ticks (instance->runner),
    .settings = (const char *const *) instance->options->settings,
    .config = instance->options->config_file,
    .scene = instance->scene->file,
    .texts = instance->scene->texts,
    .files = (const char *const *) files->pdata,
    .playback = self->observers.playback,
  };
  gboolean opened = FALSE;

  connect_watcher (watcher, TRUE);
  ORRERY_PART_CALL (observer, "open",
                    opened =
                        ORRERY_OBSERVER_GET_CLASS (observer)->open (observer, &observed, error));
  if (opened && ORRERY_OBSERVER_GET_CLASS (observer)->tick != NULL)
    watcher->ticks = orrery_simulation_subscribe (self, NULL, tell_tick, watcher, NULL, NULL);
  watcher->takes_inputs = opened && ORRERY_OBSERVER_GET_CLASS (observer)->input != NULL;
  watcher->takes_faults = opened && ORRERY_OBSERVER_GET_CLASS (observer)->fault != NULL;
  watcher->failed = !opened;
  if (!opened) {
    connect_watcher (watcher, FALSE);
    return FALSE;
  }
  publish_services (watcher);
  tell_drawn (watcher);
  tell_old_faults (watcher);
  return TRUE;
}

static void
end_watches (Watcher *watcher)
{
  GHashTableIter iter;
  gpointer id;

  /* From here on nobody else uses the table. */
  orrery_observer_set_watch_func (watcher->observer, NULL, NULL);
  g_hash_table_iter_init (&iter, watcher->watches);
  while (g_hash_table_iter_next (&iter, NULL, &id))
    orrery_simulation_unsubscribe (watcher->simulation, GPOINTER_TO_UINT (id));
  g_hash_table_remove_all (watcher->watches);
  if (watcher->ticks != 0)
    orrery_simulation_unsubscribe (watcher->simulation, watcher->ticks);
  watcher->ticks = 0;
}

static void
close_watcher (Watcher *watcher)
{
  if (watcher->failed)
    return;
  watcher->takes_inputs = watcher->takes_faults = FALSE;
  orrery_calls_unmap (watcher->simulation->instance->assembly.calls,
                      ORRERY_PART (watcher->observer));
  end_watches (watcher);
  ORRERY_PART_CALL (watcher->observer, "close",
                    ORRERY_OBSERVER_GET_CLASS (watcher->observer)->close (watcher->observer));
  orrery_observer_set_renderer_func (watcher->observer, NULL, NULL);
}

void
orrery_simulation_close_observers (OrrerySimulation *self)
{
  if (self->observers.instance == NULL)
    return;
  self->observers.instance = NULL;
  for (guint i = 0; i < self->observers.all->len; i++)
    close_watcher (self->observers.all->pdata[i]);
}

static void
note_open (OrrerySimulation *self)
{
  self->observers.instance = self->instance;
  self->observers.epoch = orrery_run_get_epoch (self->run);
}

void
orrery_simulation_settle_observers (OrrerySimulation *self)
{
  if (self->observers.all->len == 0 || !self->instance->open ||
      (self->observers.instance == self->instance &&
       self->observers.epoch == orrery_run_get_epoch (self->run)))
    return;
  orrery_simulation_close_observers (self);
  note_open (self);
  for (guint i = 0; i < self->observers.all->len; i++) {
    Watcher *watcher = self->observers.all->pdata[i];
    g_autoptr (GError) error = NULL;

    if (!watcher->failed && !open_watcher (watcher, &error))
      orrery_part_log_plain (ORRERY_PART (watcher->observer), G_LOG_LEVEL_WARNING,
                             "%s: no longer observes: %s",
                             orrery_part_get_name (ORRERY_PART (watcher->observer)),
                             error != NULL ? error->message : "it could not be opened again");
  }
  watch_run (self);
}

/* --- interface --- */

static gboolean
set_properties (OrreryPart *part, GVariant *properties, GError **error)
{
  GVariantIter iter;
  const char *name = NULL;
  GVariant *value = NULL;

  g_variant_iter_init (&iter, properties);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &value)) {
    g_autoptr (GVariant) held = value;

    if (!orrery_part_set_option (part, name, held, error))
      return FALSE;
  }
  return TRUE;
}

static OrreryPart *
create_observer (OrrerySimulation *self, const char *classpath, GVariant *properties,
                 GError **error)
{
  g_autoptr (OrreryPart) part = orrery_assembly_create_part (&self->instance->assembly, classpath,
                                                             ORRERY_ROLE_OBSERVER, NULL, error);

  if (part == NULL || (properties != NULL && !set_properties (part, properties, error)))
    return NULL;
  orrery_part_mark_started (part);
  return g_steal_pointer (&part);
}

void
orrery_simulation_set_playback (OrrerySimulation *simulation, OrreryPlayback *playback)
{
  g_return_if_fail (ORRERY_IS_SIMULATION (simulation));

  if (playback != NULL)
    orrery_playback_ref (playback);
  g_clear_pointer (&simulation->observers.playback, orrery_playback_unref);
  simulation->observers.playback = playback;
}

OrreryObserver *
orrery_simulation_add_observer (OrrerySimulation *simulation, const char *classpath,
                                GVariant *properties, GError **error)
{
  g_autoptr (GVariant) held = properties != NULL ? g_variant_ref_sink (properties) : NULL;
  OrreryPart *part = NULL;
  Watcher *watcher = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (classpath != NULL, NULL);
  g_return_val_if_fail (held == NULL || g_variant_is_of_type (held, G_VARIANT_TYPE_VARDICT), NULL);

  if (orrery_run_get_place (simulation->run) != ORRERY_PLACE_OUTSIDE ||
      orrery_run_get_state (simulation->run) == ORRERY_RUN_CLOSED || !simulation->instance->open) {
    orrery_set_error (error, ORRERY_ERROR_STATE,
                      "observers are added between ticks, while a scene is open");
    return NULL;
  }
  part = create_observer (simulation, classpath, held, error);
  if (part == NULL)
    return NULL;
  watcher = g_new0 (Watcher, 1);
  watcher->simulation = simulation;
  watcher->observer = ORRERY_OBSERVER (part);
  watcher->watches = g_hash_table_new (NULL, NULL);
  if (!open_watcher (watcher, error)) {
    g_prefix_error (error, "%s: ", classpath);
    watcher_free (watcher);
    return NULL;
  }
  g_ptr_array_add (simulation->observers.all, watcher);
  note_open (simulation);
  watch_run (simulation);
  return watcher->observer;
}

gboolean
orrery_simulation_remove_observer (OrrerySimulation *simulation, OrreryObserver *observer)
{
  GPtrArray *all = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (ORRERY_IS_OBSERVER (observer), FALSE);

  all = simulation->observers.all;
  for (guint i = 0; i < all->len; i++) {
    Watcher *watcher = all->pdata[i];

    if (watcher->observer != observer ||
        orrery_run_get_place (simulation->run) != ORRERY_PLACE_OUTSIDE)
      continue;
    if (simulation->observers.instance != NULL)
      close_watcher (watcher);
    g_ptr_array_remove_index (all, i);
    watch_run (simulation);
    return TRUE;
  }
  return FALSE;
}

OrreryObserver *
orrery_simulation_record (OrrerySimulation *simulation, const char *path, GVariant *properties,
                          GError **error)
{
  g_autoptr (GVariant) given = properties != NULL ? g_variant_ref_sink (properties) : NULL;
  GVariantDict all;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (given == NULL || g_variant_is_of_type (given, G_VARIANT_TYPE_VARDICT),
                        NULL);

  g_variant_dict_init (&all, given);
  if (g_variant_dict_contains (&all, "file")) {
    g_variant_dict_clear (&all);
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "a recording has its file as the path, and no property 'file'");
  }
  /* A path is bytes; properties are texts. */
  if (!g_utf8_validate (path, -1, NULL)) {
    g_variant_dict_clear (&all);
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "the path of a recording is UTF-8");
  }
  g_variant_dict_insert (&all, "file", "s", path);
  if (!g_variant_dict_contains (&all, "wait"))
    g_variant_dict_insert (&all, "wait", "b", TRUE);
  return orrery_simulation_add_observer (simulation, RECORDER, g_variant_dict_end (&all), error);
}
