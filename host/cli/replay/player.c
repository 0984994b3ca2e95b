/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays a recorded run, at the pace of the clock or as fast as it goes, and moves it in time where
 * somebody who watches it asks for that. */
#include "replay.h"

#include "../support/cli.h"

#include <math.h>

/* Bytes of the states that are kept in memory: of more, each second one goes. */
#define MAX_STATES ((gsize) 256 * 1024 * 1024)
#define NOWHERE G_MAXUINT64

typedef struct {
  guint64 tick; /* that comes next there */
  GBytes *bytes;
} State;

struct _ReplayPlayer {
  ReplayPlan plan;
  ReplayInputs *inputs;
  ReplayCheck *check; /* (nullable): nothing is compared, or it differed */
  guint64 n_compared; /* by earlier ones */
  char *difference;   /* (nullable) */

  guint64 low;      /* the earliest tick that can be reached */
  GArray *states;   /* (element-type State): by tick */
  gsize n_bytes;    /* of them */
  guint64 interval; /* ticks between them; 0: a part cannot save itself */

  gboolean plays;
  double speed;
  guint64 target; /* tick that it is on its way to; NOWHERE: none */
  char *id;       /* (nullable): of the request that asked for that */
  OrreryTime since;
  gint64 begun; /* the pace counts from there, us */
};

static guint64
get_tick (ReplayPlayer *self)
{
  return orrery_simulation_get_n_ticks (self->plan.simulation);
}

/* --- states --- */

static void
clear_state (gpointer data)
{
  g_bytes_unref (((State *) data)->bytes);
}

static void
thin_out (ReplayPlayer *self)
{
  for (guint i = self->states->len - 1; i > 0; i--)
    if (i % 2 == 1) {
      self->n_bytes -= g_bytes_get_size (g_array_index (self->states, State, i).bytes);
      g_array_remove_index (self->states, i);
    }
  self->interval *= 2;
}

/* So that it can go back: a run that was changed has no states in the file. */
static void
keep_state (ReplayPlayer *self)
{
  guint n = self->states->len;
  State state = { .tick = get_tick (self) };
  g_autoptr (GError) error = NULL;

  if (self->plan.playback == NULL || self->interval == 0 ||
      (n > 0 && state.tick < g_array_index (self->states, State, n - 1).tick + self->interval))
    return;
  state.bytes = orrery_simulation_save (self->plan.simulation, &error);
  if (state.bytes == NULL) {
    self->interval = 0;
    g_warning ("to go back, the run is repeated from its start: %s", error->message);
    return;
  }
  g_array_append_val (self->states, state);
  self->n_bytes += g_bytes_get_size (state.bytes);
  if (self->n_bytes > MAX_STATES && n > 2)
    thin_out (self);
}

/* The newest one up to a tick.
 * Returns: (transfer full) (nullable) */
static GBytes *
find_kept (ReplayPlayer *self, guint64 tick, guint64 *found)
{
  for (guint i = self->states->len; i > 0; i--) {
    const State *state = &g_array_index (self->states, State, i - 1);

    if (state->tick > tick || replay_run_is_in_call (self->plan.run, state->tick))
      continue;
    *found = state->tick;
    return g_bytes_ref (state->bytes);
  }
  return NULL;
}

static GBytes *
find_state (ReplayPlayer *self, guint64 tick, guint64 *found, GError **error)
{
  g_autoptr (GBytes) kept = NULL;
  g_autoptr (GBytes) recorded = NULL;
  guint64 other = 0;

  if (!replay_run_read_calls (self->plan.run, self->plan.reader, error))
    return NULL;
  kept = find_kept (self, tick, found);
  if (!self->plan.is_changed)
    recorded = replay_run_find_state (self->plan.run, self->plan.reader, tick, &other, NULL, error);
  if (recorded == NULL || other > tick || (kept != NULL && *found >= other))
    return g_steal_pointer (&kept);
  *found = other;
  return g_steal_pointer (&recorded);
}

/* --- to another time --- */

/* From the present tick on. */
static gboolean
open_again (ReplayPlayer *self, GError **error)
{
  const ReplayPlan *plan = &self->plan;
  const char *path = orrery_recording_reader_get_path (plan->reader);

  g_clear_pointer (&self->inputs, replay_inputs_free);
  self->inputs = replay_inputs_open (path, error);
  if (self->inputs == NULL || !replay_inputs_skip (self->inputs, get_tick (self), error))
    return FALSE;
  replay_inputs_set_lead (self->inputs, plan->lead);
  if (self->check != NULL)
    self->n_compared += replay_check_get_n (self->check);
  g_clear_pointer (&self->check, replay_check_free);
  if (!plan->is_checked || self->difference != NULL)
    return TRUE;
  self->check = replay_check_open (path, plan->simulation, error);
  return self->check != NULL;
}

static gboolean
step (ReplayPlayer *self, GError **error)
{
  keep_state (self);
  /* First, since those who watch this run look at both when its tick is over. */
  if (self->plan.beside != NULL && !replay_beside_tick (self->plan.beside, get_tick (self), error))
    return FALSE;
  if (!replay_inputs_feed (self->inputs, self->plan.simulation, self->plan.is_strict, error) ||
      !orrery_simulation_step (self->plan.simulation, 1, error))
    return FALSE;
  if (self->check == NULL || replay_check_tick (self->check, error))
    return TRUE;
  if (*error != NULL)
    return FALSE;
  self->difference = g_strdup (replay_check_get_difference (self->check));
  self->n_compared += replay_check_get_n (self->check);
  g_clear_pointer (&self->check, replay_check_free);
  return TRUE;
}

static gboolean
is_interrupted (ReplayPlayer *self)
{
  return orrery_simulation_is_quitting (self->plan.simulation) ||
         (self->plan.playback != NULL && orrery_playback_is_asked (self->plan.playback));
}

/* Steps to the target, as far as nobody asks for anything else: then it is called again. The last
 * step makes the records of its tick, so a state of the tick itself is not enough; who asks for the
 * present tick wants to see them again. */
static gboolean
go (ReplayPlayer *self, GError **error)
{
  guint64 before = self->target > self->low ? self->target - 1 : self->low, found = 0;
  g_autoptr (GBytes) state = NULL;
  gboolean jumped;
  GError *local = NULL;

  if (self->target == self->low && get_tick (self) == self->low)
    return TRUE;
  /* States of a run that was changed are its own, and hold what --set says. */
  state = find_state (self, before, &found, &local);
  /* No step moves the other run to the first tick. */
  if (local == NULL && self->plan.beside != NULL && self->target == self->low)
    replay_beside_go (self->plan.beside, self->low, &local);
  if (local == NULL && replay_jump (self->plan.simulation, before, state, found, &jumped, &local) &&
      jumped)
    open_again (self, &local);
  while (local == NULL && get_tick (self) < self->target && !is_interrupted (self))
    step (self, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* --- what is asked, and told --- */

static OrreryPlaybackStatus
get_status (ReplayPlayer *self)
{
  if (self->target != NOWHERE)
    return ORRERY_PLAYBACK_SEEKING;
  if (get_tick (self) >= self->plan.end)
    return ORRERY_PLAYBACK_ENDED;
  return self->plays ? ORRERY_PLAYBACK_PLAYING : ORRERY_PLAYBACK_PAUSED;
}

static void
say (ReplayPlayer *self, gboolean sought, const char *id)
{
  OrreryPlaybackState state = {
    .status = get_status (self),
    .speed = self->speed,
    .time = orrery_simulation_get_time (self->plan.simulation),
    .sought = sought,
    .id = id,
  };

  self->since = state.time;
  self->begun = g_get_monotonic_time ();
  if (self->plan.playback != NULL)
    orrery_playback_say (self->plan.playback, &state);
}

static void
take_request (ReplayPlayer *self)
{
  const ReplayPlan *plan = &self->plan;
  OrreryPlaybackRequest request;
  g_autofree char *id = NULL;

  if (!orrery_playback_take (plan->playback, &request, &id))
    return;
  self->plays = request.plays;
  self->speed = request.speed;
  if (request.seeks) {
    double ticks =
        (double) (request.time - plan->run->start) / ORRERY_SECOND * plan->run->frequency;

    self->target = CLAMP ((guint64) llround (MAX (ticks, 0)), self->low, plan->end);
    g_free (self->id);
    self->id = g_steal_pointer (&id);
  }
  say (self, FALSE, id);
}

static gboolean
seek (ReplayPlayer *self, GError **error)
{
  g_autofree char *id = NULL;

  if (!go (self, error))
    return FALSE;
  if (get_tick (self) < self->target)
    return TRUE;
  self->target = NOWHERE;
  id = g_steal_pointer (&self->id);
  say (self, TRUE, id);
  return TRUE;
}

/* --- running --- */

static void
keep_pace (ReplayPlayer *self)
{
  double seconds = (double) (orrery_simulation_get_time (self->plan.simulation) - self->since) /
                   ORRERY_SECOND / self->speed;
  gint64 wait = self->begun + (gint64) (seconds * 1e6) - g_get_monotonic_time ();
  int fd = self->plan.playback != NULL ? orrery_playback_get_fd (self->plan.playback) : -1;

  if (self->plan.is_paced && wait > 1000)
    cli_control_await (fd, (int) MIN (wait / 1000, G_MAXINT));
}

/* One turn. @stays: at the end it waits for whoever wants to go back */
static gboolean
turn (ReplayPlayer *self, gboolean stays, GError **error)
{
  gboolean differed = self->difference != NULL;

  if (self->plan.playback != NULL)
    take_request (self);
  if (self->target != NOWHERE)
    return seek (self, error);
  if (get_status (self) != ORRERY_PLAYBACK_PLAYING) {
    if (get_status (self) != ORRERY_PLAYBACK_ENDED || stays)
      cli_control_await (orrery_playback_get_fd (self->plan.playback), -1);
    return TRUE;
  }
  if (!step (self, error))
    return FALSE;
  if (!differed && self->difference != NULL)
    self->plays = FALSE;
  if (get_status (self) != ORRERY_PLAYBACK_PLAYING)
    say (self, FALSE, NULL);
  else
    keep_pace (self);
  return TRUE;
}

int
replay_player_run (ReplayPlayer *self)
{
  g_autoptr (GError) error = NULL;

  say (self, FALSE, NULL);
  while (!orrery_simulation_is_quitting (self->plan.simulation) && self->difference == NULL &&
         get_status (self) != ORRERY_PLAYBACK_ENDED)
    if (!turn (self, FALSE, &error))
      return cli_fail (error);
  if (self->difference == NULL)
    return CLI_OK;
  printf ("the run goes another way: %s\n", self->difference);
  return CLI_DIFFERENT;
}

int
replay_player_stay (ReplayPlayer *self)
{
  g_autoptr (GError) error = NULL;

  g_message ("The page can still move the run in time, until Ctrl-C.");
  say (self, FALSE, NULL);
  while (!orrery_simulation_is_quitting (self->plan.simulation))
    if (!turn (self, TRUE, &error))
      return cli_fail (error);
  /* It was asked to end when there was nothing else to do. */
  cli_control_await_end ();
  return CLI_OK;
}

guint64
replay_player_get_n (ReplayPlayer *self)
{
  return self->n_compared + (self->check != NULL ? replay_check_get_n (self->check) : 0);
}

/* --- making --- */

void
replay_player_free (ReplayPlayer *self)
{
  g_clear_pointer (&self->inputs, replay_inputs_free);
  g_clear_pointer (&self->check, replay_check_free);
  g_array_unref (self->states);
  g_free (self->difference);
  g_free (self->id);
  g_free (self);
}

ReplayPlayer *
replay_player_new (const ReplayPlan *plan, GError **error)
{
  g_autoptr (ReplayPlayer) self = g_new0 (ReplayPlayer, 1);

  self->plan = *plan;
  self->states = g_array_new (FALSE, FALSE, sizeof (State));
  g_array_set_clear_func (self->states, clear_state);
  self->plays = TRUE;
  self->speed = 1.0;
  self->target = NOWHERE;
  self->interval = MAX ((guint64) ceil (plan->run->frequency), 1);
  self->low = plan->is_changed ? get_tick (self) : plan->run->first_tick;
  return open_again (self, error) ? g_steal_pointer (&self) : NULL;
}
