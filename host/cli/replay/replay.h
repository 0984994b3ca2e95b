/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What `orrery replay` is made of. */

#include "../support/cli.h"

/* --- scene.c: the run that a recording holds --- */

typedef struct {
  char *path;      /* of the scene, once it is extracted */
  char *scene;     /* name of its file among the attachments */
  char *config;    /* (nullable): name of the component_config that took the place of its own */
  char *version;   /* of Orrery */
  char **settings; /* that the run had */
  guint64 seed;
  guint64 first_tick; /* at which the recording begins */
  guint64 n_ticks;    /* that the run had; 0: it did not end well */
  OrreryTime start;
  double frequency;
  GVariant *plugins; /* (nullable): `a{ss}`: checksums by name */
  GArray *cancelled; /* (nullable): of calls.c */
} ReplayRun;

void replay_run_clear (ReplayRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ReplayRun, replay_run_clear)

/* What the metadata say. */
gboolean replay_run_read (ReplayRun *run, OrreryRecordingReader *reader, GError **error);
/* Writes the files of the scene below a directory of ours. */
gboolean replay_run_extract (ReplayRun *run, OrreryRecordingReader *reader, const char *directory,
                             GError **error);
/* Whether version and plugins of this process are those of the run. @changed: they need not be, and
 * what is another one is logged. */
gboolean replay_run_check (const ReplayRun *run, gboolean changed, GError **error);
/* The newest state from which @tick can be reached, in the middle of no call that is cancelled.
 * @found: (out): the tick that comes next there; 0 without a state
 * @passed: (out) (nullable): whether a newer one was passed over, in the middle of a call
 * Returns: (transfer full) (nullable): NULL without an error: there is none */
GBytes *replay_run_find_state (ReplayRun *run, OrreryRecordingReader *reader, guint64 tick,
                               guint64 *found, gboolean *passed, GError **error);
/* To where @tick can be reached by stepping: to the state, unless the run is nearer; without one to
 * the start, if the run is behind @tick.
 * @state: (nullable): one at which the tick @found comes next
 * @jumped: (out): whether it is elsewhere than before */
gboolean replay_jump (OrrerySimulation *simulation, guint64 tick, GBytes *state, guint64 found,
                      gboolean *jumped, GError **error);

/* Returns: (transfer full) (nullable): why no states were recorded any more before @tick; it begins
 * with the part */
char *replay_run_find_reason (const ReplayRun *run, OrreryRecordingReader *reader, guint64 tick);

/* --- calls.c: calls of clients that were cancelled --- */

/* Reads them, unless they have been. */
gboolean replay_run_read_calls (ReplayRun *run, OrreryRecordingReader *reader, GError **error);
/* Whether, where @tick comes next, one has begun that is cancelled in that tick or later. */
gboolean replay_run_is_in_call (const ReplayRun *run, guint64 tick);

/* --- settings.c --- */

/* Returns: (transfer full) (nullable): what the run was loaded with, but without ports and pace */
OrreryOptions *replay_run_make_options (const ReplayRun *run, GError **error);

/* @swaps: (nullable): what --swap says. Returns: (transfer full): names of these components */
char **replay_list_swapped (char **swaps);
/* All parts go on from the state but @swapped, which begin afresh. */
gboolean replay_restore (OrrerySimulation *simulation, GBytes *state, char **swapped,
                         GError **error);
/* After a state was restored: what --set says counts again. @settings: (nullable) */
gboolean replay_set_again (OrrerySimulation *simulation, char **settings, char **swapped,
                           GError **error);

/* --- inputs.c: what came to the run from outside --- */

typedef struct _ReplayInputs ReplayInputs;
ReplayInputs *replay_inputs_open (const char *path, GError **error);
void replay_inputs_free (ReplayInputs *inputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReplayInputs, replay_inputs_free)
/* --open-loop: runs the tick of @lead, too, before it feeds those of a tick. @lead: borrowed */
typedef struct _ReplayLead ReplayLead;
void replay_inputs_set_lead (ReplayInputs *inputs, ReplayLead *lead);
/* Leaves out those of earlier ticks. */
gboolean replay_inputs_skip (ReplayInputs *inputs, guint64 tick, GError **error);
/* Feeds those of the tick that comes next. @strict: an input that the scene cannot take is an
 * error; else it is logged */
gboolean replay_inputs_feed (ReplayInputs *inputs, OrrerySimulation *simulation, gboolean strict,
                             GError **error);

/* --- check.c: whether the run goes as it went --- */

typedef struct _ReplayCheck ReplayCheck;
ReplayCheck *replay_check_open (const char *path, OrrerySimulation *simulation, GError **error);
void replay_check_free (ReplayCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReplayCheck, replay_check_free)
/* After a tick. FALSE without an error: it differs, and replay_check_get_difference() says where.
 */
gboolean replay_check_tick (ReplayCheck *check, GError **error);
const char *replay_check_get_difference (ReplayCheck *check);
/* Messages that were compared so far. */
guint64 replay_check_get_n (ReplayCheck *check);
/* Prints which fields the records of a recording lack. */
void replay_check_print_left_out (OrreryRecordingReader *reader);

/* --- lead.c: the recorded run, beside one that moves as it does --- */

/* @settings: those that the run had
 * @checked: it is compared with the file
 * @strict: as replay_inputs_feed() takes it */
ReplayLead *replay_lead_new (OrreryRegistry *registry, ReplayRun *run, const char *path,
                             OrreryOptions *settings, gboolean checked, gboolean strict,
                             GError **error);
void replay_lead_free (ReplayLead *lead);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReplayLead, replay_lead_free)
/* From now on the world of @simulation goes as that of the recorded run. */
gboolean replay_lead_begin (ReplayLead *lead, OrrerySimulation *simulation, GError **error);
/* Keeps a run that follows, if it is to be kept. */
gboolean replay_lead_record (OrrerySimulation *simulation, const CliRecord *record, GError **error);
/* Runs this tick of the recorded run, wherever that is. */
gboolean replay_lead_tick (ReplayLead *lead, guint64 tick, GError **error);
/* Only goes there: so many ticks have run then. */
gboolean replay_lead_go (ReplayLead *lead, guint64 n_ticks, GError **error);
OrrerySimulation *replay_lead_get_simulation (ReplayLead *lead);

/* --- beside.c: another recorded run, at the same time as this one --- */

typedef struct _ReplayBeside ReplayBeside;
/* @directory: a temporary one, in which its files get one of their own
 * Returns: (nullable): NULL with an error */
ReplayBeside *replay_beside_new (OrreryRegistry *registry, const char *path, const char *directory,
                                 gboolean changed, GError **error);
void replay_beside_free (ReplayBeside *beside);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReplayBeside, replay_beside_free)
/* Whether both have the same ticks. */
gboolean replay_beside_check (ReplayBeside *beside, const ReplayRun *run, GError **error);
void replay_beside_show (ReplayBeside *beside, OrreryPlayback *playback);
/* So many ticks have run then; behind its end it stands still. */
gboolean replay_beside_go (ReplayBeside *beside, guint64 n_ticks, GError **error);
/* Runs this tick of it, wherever it is. */
gboolean replay_beside_tick (ReplayBeside *beside, guint64 tick, GError **error);

/* --- player.c: runs it, and moves it in time --- */

typedef struct {
  ReplayRun *run;
  OrreryRecordingReader *reader; /* of states */
  OrrerySimulation *simulation;  /* where the replay begins */
  OrreryPlayback *playback;      /* (nullable): by which it is asked for another time */
  ReplayLead *lead;              /* (nullable): the run that this one follows */
  ReplayBeside *beside;          /* (nullable): the run that is seen together with this one */
  guint64 end;                   /* the number of ticks after which it ends */
  gboolean is_changed;           /* what the recording has of states is of another run */
  gboolean is_strict;            /* an input that the scene cannot take is an error */
  gboolean is_checked;
  gboolean is_paced; /* by the clock */
} ReplayPlan;

typedef struct _ReplayPlayer ReplayPlayer;
/* @plan: copied; what it names outlives the player */
ReplayPlayer *replay_player_new (const ReplayPlan *plan, GError **error);
void replay_player_free (ReplayPlayer *player);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReplayPlayer, replay_player_free)
/* To the end, a signal, or the first difference, which is printed. Returns: an exit code */
int replay_player_run (ReplayPlayer *player);
/* From there on, until a signal: it goes where it is asked to. Needs a playback. */
int replay_player_stay (ReplayPlayer *player);
/* Messages that were compared so far. */
guint64 replay_player_get_n (ReplayPlayer *player);
