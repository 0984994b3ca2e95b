/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that writes its state now and then, and goes on from it when it is started again. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* What it is, seed, ticks so far, metrics, state of the simulation */
#define CHECKPOINT "(stt(xav)ay)"
#define MARK "orrery checkpoint 1"

typedef struct {
  OrrerySimulation *simulation;
  CliMetrics *metrics;
  const char *file;
  guint64 n_done; /* ticks, those before a reset included */
  gboolean is_off;
} Checkpoint;

static void
on_tick (OrreryComponent *component, gpointer user_data)
{
  Checkpoint *self = user_data;

  self->n_done++;
}

/* The state of another scene, which the run has loaded meanwhile, is no use to one that begins with
 * this scene; the last one of this scene is. */
static void
on_other_scene (gpointer user_data)
{
  Checkpoint *self = user_data;

  self->is_off = TRUE;
  g_rc_box_release (self);
}

static guint64
get_seed (OrrerySimulation *simulation)
{
  g_autoptr (GVariant) report = orrery_simulation_get_report (simulation);
  guint64 seed = 0;

  g_variant_lookup (report, "seed", "t", &seed);
  return seed;
}

/* Without one the run would only begin anew: it goes on. */
static void
save (Checkpoint *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GBytes) state = NULL;

  if (self->is_off)
    return;
  state = orrery_simulation_save (self->simulation, &error);
  if (state != NULL) {
    GVariant *bytes = g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, state, TRUE);

    all =
        g_variant_ref_sink (g_variant_new ("(stt@(xav)@ay)", MARK, get_seed (self->simulation),
                                           self->n_done, cli_metrics_save (self->metrics), bytes));
    if (orrery_output_replace (self->file, g_variant_get_data (all),
                               (gssize) g_variant_get_size (all), NULL, &error))
      return;
  }
  g_warning ("no checkpoint: %s", error->message);
  self->is_off = TRUE;
}

/* @all: as it was read. Returns: whether it is one of this run; what it says is then in use */
static gboolean
restore (Checkpoint *self, GVariant *all, GError **error)
{
  g_autoptr (GVariant) metrics = NULL, bytes = NULL;
  g_autoptr (GBytes) state = NULL;
  const char *mark = NULL;
  guint64 seed = 0, n_done = 0;

  if (!g_variant_is_normal_form (all))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "it is damaged");
  g_variant_get (all, "(&stt@(xav)@ay)", &mark, &seed, &n_done, &metrics, &bytes);
  if (!g_str_equal (mark, MARK))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "it is none of this version");
  if (seed != get_seed (self->simulation))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "it is of another seed");
  state = g_variant_get_data_as_bytes (bytes);
  if (!orrery_simulation_restore (self->simulation, state, error))
    return FALSE;
  self->n_done = n_done;
  /* The state is in use: there is no way back to the begin. */
  return cli_metrics_restore (self->metrics, metrics) ||
         orrery_set_error (error, ORRERY_ERROR_CONFIG, "it has other metrics");
}

/* FALSE: the run cannot go on. */
static gboolean
resume (Checkpoint *self, GError **error)
{
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GBytes) content = NULL;
  g_autoptr (GError) local = NULL;
  g_autofree char *data = NULL;
  gsize length = 0;

  if (!g_file_get_contents (self->file, &data, &length, &local)) {
    if (g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
      return TRUE;
    return orrery_set_error (error, ORRERY_ERROR_IO, "--checkpoint: %s", local->message);
  }
  content = g_bytes_new_take (g_steal_pointer (&data), length);
  all = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (CHECKPOINT), content, FALSE));
  if (restore (self, all, &local)) {
    g_message ("going on after %" G_GUINT64_FORMAT " ticks, from %s", self->n_done, self->file);
    return TRUE;
  }
  if (g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_CONFIG))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "--checkpoint: %s: %s", self->file,
                             local->message);
  g_warning ("%s: %s; the run begins at its start", self->file, local->message);
  return TRUE;
}

static gboolean
run (Checkpoint *self, guint64 n_every, guint64 n_ticks, GError **error)
{
  while (n_ticks == 0 || self->n_done < n_ticks) {
    guint64 n = n_ticks == 0 ? n_every : MIN (n_every, n_ticks - self->n_done);
    guint64 goal = self->n_done + n;

    if (!orrery_simulation_run (self->simulation, n, 0, error))
      return FALSE;
    if (orrery_simulation_is_quitting (self->simulation))
      break;
    self->n_done = goal;
    if (n_ticks == 0 || self->n_done < n_ticks)
      save (self);
  }
  return TRUE;
}

/* Whoever was asked to end by a signal may be started again. */
static void
finish (Checkpoint *self, gboolean good)
{
  if (cli_control_get_exit_code (CLI_OK) != CLI_OK) {
    if (good)
      save (self);
  } else if (unlink (self->file) != 0 && errno != ENOENT) {
    g_warning ("%s: %s", self->file, g_strerror (errno));
  }
}

gboolean
cli_checkpoint_run (OrrerySimulation *simulation, CliMetrics *metrics, const char *file,
                    double seconds, guint64 n_ticks, GError **error)
{
  double n_every = MAX (1, round (seconds * orrery_simulation_get_frequency (simulation)));
  Checkpoint *self = g_rc_box_new0 (Checkpoint);
  gboolean is_there, good;
  guint id;

  *self = (Checkpoint){ simulation, metrics, file, 0, FALSE };
  /* The simulation gives it back later. */
  id = orrery_simulation_subscribe (simulation, NULL, on_tick, g_rc_box_acquire (self),
                                    on_other_scene, error);
  is_there = id != 0 && resume (self, error);
  good = is_there && run (self, (guint64) MIN (n_every, 1e15), n_ticks, error);
  if (is_there)
    finish (self, good);
  if (id != 0)
    orrery_simulation_unsubscribe (simulation, id);
  g_rc_box_release (self);
  return good;
}
