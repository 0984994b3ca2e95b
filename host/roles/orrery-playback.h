/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"
#include "world/orrery-world.h"

G_BEGIN_DECLS

/**
 * OrreryPlayback:
 *
 * How those who watch a run move it in time, where a program lets them: between the program that
 * plays a run whose length is known, as `orrery replay` does, and observers that show it. Observers
 * post requests, the program takes them between two ticks and says what it does. Counted; any
 * thread, but where a function says otherwise.
 */
#define ORRERY_TYPE_PLAYBACK (orrery_playback_get_type ())
ORRERY_API GType orrery_playback_get_type (void);
typedef struct _OrreryPlayback OrreryPlayback;

/**
 * OrreryPlaybackStatus:
 * @ORRERY_PLAYBACK_PLAYING: ticks run
 * @ORRERY_PLAYBACK_PAUSED: it is held between two ticks
 * @ORRERY_PLAYBACK_SEEKING: it is on its way to another time
 * @ORRERY_PLAYBACK_ENDED: it is at its end, and can only go back
 *
 * What a program that plays a run does at present.
 */
typedef enum {
  ORRERY_PLAYBACK_PLAYING,
  ORRERY_PLAYBACK_PAUSED,
  ORRERY_PLAYBACK_SEEKING,
  ORRERY_PLAYBACK_ENDED,
} OrreryPlaybackStatus;

/**
 * ORRERY_PLAYBACK_MAX_SPEED:
 *
 * Simulated seconds per second of the clock.
 */
#define ORRERY_PLAYBACK_MAX_SPEED 1000.0

/**
 * OrreryPlaybackRequest:
 * @plays: whether ticks are to run, once @time is reached
 * @speed: simulated seconds per second of the clock, above 0, at most %ORRERY_PLAYBACK_MAX_SPEED
 * @seeks: whether @time counts
 * @time: simulated time to go to, ns
 * @id: (nullable): by which whoever asks knows the state that answers this
 *
 * What an observer asks for.
 */
typedef struct {
  gboolean plays;
  double speed;
  gboolean seeks;
  OrreryTime time;
  const char *id;
} OrreryPlaybackRequest;

/**
 * OrreryPlaybackState:
 * @status: what it does
 * @speed: as in a request
 * @time: simulated time, ns, when this was said
 * @sought: whether it has just gone to another time
 * @id: (nullable): of the request that this answers
 *
 * What the program does.
 */
typedef struct {
  OrreryPlaybackStatus status;
  double speed;
  OrreryTime time;
  gboolean sought;
  const char *id;
} OrreryPlaybackState;

/**
 * OrreryPlaybackFunc:
 * @state: the new state, valid until the function returns
 * @user_data: as given to orrery_playback_watch()
 *
 * Called on the program's thread; calls no function of the playback.
 */
typedef void (*OrreryPlaybackFunc) (const OrreryPlaybackState *state, gpointer user_data);

/**
 * orrery_playback_new: (constructor)
 * @start: simulated time at which the run begins, ns
 * @end: and at which it ends, not before
 *
 * It begins as playing, at @start, at the speed of the clock.
 *
 * Returns: (transfer full) (nullable): %NULL with %ORRERY_ERROR_IO: no descriptor is left
 */
ORRERY_API OrreryPlayback *orrery_playback_new (OrreryTime start, OrreryTime end, GError **error);
/**
 * orrery_playback_ref:
 * @playback: a playback
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @playback
 */
ORRERY_API OrreryPlayback *orrery_playback_ref (OrreryPlayback *playback);
/**
 * orrery_playback_unref:
 * @playback: a playback
 *
 * Drops a reference. The last one closes its descriptor and forgets a request that waits.
 */
ORRERY_API void orrery_playback_unref (OrreryPlayback *playback);

/**
 * orrery_playback_get_start:
 *
 * The earliest time that a request can go to.
 *
 * Returns: simulated time at which the run begins, ns
 */
ORRERY_API OrreryTime orrery_playback_get_start (OrreryPlayback *playback);
/**
 * orrery_playback_get_end:
 *
 * The latest time that a request can go to.
 *
 * Returns: simulated time at which the run ends, ns
 */
ORRERY_API OrreryTime orrery_playback_get_end (OrreryPlayback *playback);

/**
 * orrery_playback_set_beside:
 * @world: (nullable): the world of another run, at the same time in each tick; a reference is taken
 * @title: (nullable): what people call that run; %NULL without a world
 *
 * Has observers show another run together with this one. Before they are added, on the thread of
 * the ticks.
 */
ORRERY_API void orrery_playback_set_beside (OrreryPlayback *playback, OrreryWorld *world,
                                            const char *title);

/* --- observers --- */

/**
 * orrery_playback_get_beside:
 * @title: (out) (optional) (nullable) (transfer none): its title
 *
 * The thread of the ticks.
 *
 * Returns: (transfer none) (nullable): the world of the run that is shown together with this one
 */
ORRERY_API OrreryWorld *orrery_playback_get_beside (OrreryPlayback *playback, const char **title);

/**
 * orrery_playback_post: (skip)
 * @request: copied. A @time outside of the range means its nearer end
 * @error: return location for %ORRERY_ERROR_INVALID: the speed is out of range
 *
 * Asks the program. One request waits at most: a later one takes its place, and keeps the time to
 * go to if it has none of its own.
 *
 * Returns: whether it will be looked at
 */
ORRERY_API gboolean orrery_playback_post (OrreryPlayback *playback,
                                          const OrreryPlaybackRequest *request, GError **error);
/**
 * orrery_playback_watch: (skip)
 * @func: called with each new state; %NULL: nobody is any more
 * @user_data: for @func
 *
 * Has one function called; a later one takes its place.
 */
ORRERY_API void orrery_playback_watch (OrreryPlayback *playback, OrreryPlaybackFunc func,
                                       gpointer user_data);
/**
 * orrery_playback_get_state: (skip)
 * @state: (out): the last one, without `id` and `sought`
 *
 * For an observer that comes later: what the program has said last. Before it says anything, it
 * plays at the start, at the speed of the clock.
 */
ORRERY_API void orrery_playback_get_state (OrreryPlayback *playback, OrreryPlaybackState *state);

/* --- the program --- */

/**
 * orrery_playback_is_asked:
 *
 * Whether orrery_playback_take() would find something. It takes no lock, so that a program may ask
 * after each tick.
 *
 * Returns: whether a request waits
 */
ORRERY_API gboolean orrery_playback_is_asked (OrreryPlayback *playback);
/**
 * orrery_playback_get_fd:
 *
 * For programs that wait in poll(): the descriptor can be read while a request waits. Do not read
 * it: orrery_playback_take() does.
 *
 * Returns: the file descriptor, which the playback closes
 */
ORRERY_API int orrery_playback_get_fd (OrreryPlayback *playback);
/**
 * orrery_playback_take: (skip)
 * @request: (out): the request that waits
 * @id: (out) (transfer full) (nullable): its id, which @request borrows
 *
 * Takes the request that waits. Where there is none, @request is left as it is. One thread takes
 * requests.
 *
 * Returns: whether there was one
 */
ORRERY_API gboolean orrery_playback_take (OrreryPlayback *playback, OrreryPlaybackRequest *request,
                                          char **id);
/**
 * orrery_playback_say: (skip)
 * @state: copied
 *
 * Tells observers what the program does: when it changes, and in answer to each request.
 */
ORRERY_API void orrery_playback_say (OrreryPlayback *playback, const OrreryPlaybackState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryPlayback, orrery_playback_unref)

G_END_DECLS
