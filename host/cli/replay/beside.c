/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs another recording again, tick by tick with the first one, so that both are seen together. */
#include "replay.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct _ReplayBeside {
  ReplayRun run;
  ReplayLead *lead;
  guint64 end; /* ticks that it has */
  char *title;
};

void
replay_beside_free (ReplayBeside *beside)
{
  g_clear_pointer (&beside->lead, replay_lead_free);
  replay_run_clear (&beside->run);
  g_free (beside->title);
  g_free (beside);
}

/* Its files may have the names of those of the first one. */
static char *
make_directory (const char *parent, GError **error)
{
  g_autofree char *path = g_build_filename (parent, "beside-XXXXXX", NULL);

  if (g_mkdtemp (path) != NULL)
    return g_steal_pointer (&path);
  orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", path, g_strerror (errno));
  return NULL;
}

/* A run that was killed has no number of ticks: as far as the file goes. */
static guint64
find_end (const ReplayRun *run, OrreryRecordingReader *reader)
{
  OrreryTime last = orrery_recording_reader_get_end (reader) - run->start;
  double ticks = (double) last / ORRERY_SECOND * run->frequency;

  if (run->n_ticks > 0)
    return run->n_ticks;
  return ticks > 0 && ticks < 1e18 ? (guint64) llround (ticks) : 0;
}

static gboolean
load (ReplayBeside *beside, OrreryRegistry *registry, const char *path, const char *parent,
      gboolean changed, GError **error)
{
  g_autoptr (OrreryRecordingReader) reader = orrery_recording_reader_open (path, error);
  g_autoptr (OrreryOptions) options = NULL;
  g_autofree char *directory = NULL;

  if (reader == NULL || !replay_run_read (&beside->run, reader, error))
    return FALSE;
  directory = make_directory (parent, error);
  if (directory == NULL || !replay_run_extract (&beside->run, reader, directory, error))
    return FALSE;
  beside->title = g_filename_display_basename (path);
  beside->end = find_end (&beside->run, reader);
  options = replay_run_make_options (&beside->run, error);
  if (options == NULL)
    return FALSE;
  /* What it does is looked at, and not compared with its file. */
  beside->lead = replay_lead_new (registry, &beside->run, path, options, FALSE, !changed, error);
  return beside->lead != NULL && replay_run_check (&beside->run, changed, error) &&
         replay_lead_go (beside->lead, beside->run.first_tick, error);
}

ReplayBeside *
replay_beside_new (OrreryRegistry *registry, const char *path, const char *directory,
                   gboolean changed, GError **error)
{
  g_autoptr (ReplayBeside) beside = g_new0 (ReplayBeside, 1);

  if (load (beside, registry, path, directory, changed, error))
    return g_steal_pointer (&beside);
  g_prefix_error (error, "--beside: ");
  return NULL;
}

gboolean
replay_beside_check (ReplayBeside *beside, const ReplayRun *run, GError **error)
{
  return beside->run.frequency == run->frequency ||
         orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "--beside: it has %g ticks a second, and the other run has %g: such "
                           "runs are not seen together",
                           beside->run.frequency, run->frequency);
}

void
replay_beside_show (ReplayBeside *beside, OrreryPlayback *playback)
{
  OrreryWorld *world = orrery_simulation_get_world (replay_lead_get_simulation (beside->lead));

  orrery_playback_set_beside (playback, world, beside->title);
}

gboolean
replay_beside_go (ReplayBeside *beside, guint64 n_ticks, GError **error)
{
  guint64 nearest =
      CLAMP (n_ticks, beside->run.first_tick, MAX (beside->run.first_tick, beside->end));

  return replay_lead_go (beside->lead, nearest, error);
}

gboolean
replay_beside_tick (ReplayBeside *beside, guint64 tick, GError **error)
{
  if (tick < beside->run.first_tick || tick >= beside->end)
    return replay_beside_go (beside, tick, error);
  return replay_lead_tick (beside->lead, tick, error);
}
