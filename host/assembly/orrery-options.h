/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tick/orrery-state.h"

G_BEGIN_DECLS

/**
 * OrreryReadyFunc: (skip)
 * @user_data: what was given with it
 * @error: why not
 *
 * Called when a scene is set up, before any port, connection or file is opened; on the thread that
 * loads.
 *
 * Returns: whether to go on; else %FALSE with @error set, and the load fails with it
 */
typedef gboolean (*OrreryReadyFunc) (gpointer user_data, GError **error);

/**
 * OrreryPacing:
 * @ORRERY_PACING_SCENE: as the scene says
 * @ORRERY_PACING_BEST_EFFORT: follows the wall clock, drops what it cannot reach
 * @ORRERY_PACING_FIXED_STEP: follows the wall clock as far as it can, drops nothing
 * @ORRERY_PACING_FAST: never sleeps
 *
 * How the ticks of a run follow the wall clock. It does not change what a tick computes.
 */
typedef enum {
  ORRERY_PACING_SCENE,
  ORRERY_PACING_BEST_EFFORT,
  ORRERY_PACING_FIXED_STEP,
  ORRERY_PACING_FAST,
} OrreryPacing;

#define ORRERY_TYPE_PACING (orrery_pacing_get_type ())
ORRERY_API GType orrery_pacing_get_type (void);

/**
 * ORRERY_READ_LIMIT:
 *
 * How long reading a file of another format may take if nothing else is said, s of processor time.
 */
#define ORRERY_READ_LIMIT 10

/**
 * ORRERY_MAX_THREADS:
 *
 * No run has more threads that sense.
 */
#define ORRERY_MAX_THREADS 256

/**
 * OrreryOptions:
 *
 * What is said about one run beside the scene: plain settings, in the form of properties. They are
 * set before the load that they are given to.
 */
#define ORRERY_TYPE_OPTIONS (orrery_options_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryOptions, orrery_options, ORRERY, OPTIONS, GObject)

/**
 * OrreryOptions:seed:
 *
 * Where the random numbers of all parts start. To set it sets #OrreryOptions:has-seed. Default:
 * that of the scene.
 */
/**
 * OrreryOptions:has-seed:
 *
 * Whether #OrreryOptions:seed counts in place of the scene's seed. Default: %FALSE.
 */
/**
 * OrreryOptions:start:
 *
 * Simulated time before tick 0, in seconds, -9e9 to 9e9. Infinity, the default: as the scene says.
 */
/**
 * OrreryOptions:start-time:
 *
 * Simulated time before tick 0, in nanoseconds, -9e18 to 9e18, in front of #OrreryOptions:start.
 * The least integer, the default: not given.
 */
/**
 * OrreryOptions:pacing:
 *
 * How ticks follow the wall clock. Default: %ORRERY_PACING_SCENE.
 */
/**
 * OrreryOptions:check-only:
 *
 * Whether the scene is only checked: everything is set up, but no port is opened, no file is
 * written and no worker is started. Default: %FALSE.
 */
/**
 * OrreryOptions:hash:
 *
 * Whether each tick folds the state of all components and of physics into a hash,
 * orrery_simulation_get_hash(). Default: %FALSE.
 */
/**
 * OrreryOptions:hash-file:
 *
 * Path of a file that gets a line for each tick and component, as `orrery diff` reads it; the run
 * has a hash then, whatever #OrreryOptions:hash says. It belongs to the first scene of a run.
 * Default: %NULL, none.
 */
/**
 * OrreryOptions:config-file:
 *
 * Path of a component_config that takes the place of the scene's. It belongs to the first scene of
 * a run. Default: %NULL, the scene's own.
 */
/**
 * OrreryOptions:output-dir:
 *
 * The directory below which streams write their files. Default: %NULL, the current one.
 */
/**
 * OrreryOptions:root:
 *
 * The directory below which clients may load scenes. It has to exist. Default: %NULL, the directory
 * of the scene.
 */
/**
 * OrreryOptions:listen:
 *
 * Whether the socket request manager is loaded even where the scene does not ask for it. Default:
 * %FALSE.
 */
/**
 * OrreryOptions:threads:
 *
 * How many threads sense, up to %ORRERY_MAX_THREADS; 0: as many as there are processors. It does
 * not change results. Default: 1.
 */
/**
 * OrreryOptions:offline:
 *
 * Whether managers open no port and no connection, whatever the scene asks for. Default: %FALSE.
 */
/**
 * OrreryOptions:fed:
 *
 * Whether parts take from outside what orrery_simulation_feed() gives them, and nothing else; see
 * orrery_part_take_input(). Workers that run freely then do not step. To be set with
 * #OrreryOptions:offline. Default: %FALSE.
 */
/**
 * OrreryOptions:on-demand:
 *
 * Whether sensors may save what nobody reads. Then nobody reads records but those that the run
 * knows of: streams, subscribers, and parts that found a component in their setup. A program that
 * looks at the record of a camera subscribes to it: orrery_simulation_subscribe(). It has no effect
 * while the run has a hash. Default: %FALSE.
 */
/**
 * OrreryOptions:allow-users:
 *
 * Whose processes may connect to ports, beside those of one's own user and root: `any`, or numbers
 * of users with commas between. Default: %NULL, nobody's.
 */
/**
 * OrreryOptions:token-file:
 *
 * Path of a file whose first line lets in whoever sends it. Default: %NULL, none.
 */
/**
 * OrreryOptions:state:
 *
 * What the simulation does when it is told to run or step for the first time: it is running; paused
 * before tick 0; or stopped, until it is started. Default: %ORRERY_STATE_RUNNING.
 */
/**
 * OrreryOptions:read-limit:
 *
 * How long reading one file of another format may take, in seconds of processor time, 1 to 86400.
 * Default: %ORRERY_READ_LIMIT.
 */
/**
 * OrreryOptions:settings:
 *
 * Values in place of what the scene says: texts as orrery_options_add_setting() takes them, which
 * are checked by the load. They belong to the first scene of a run. Default: %NULL, none.
 */
/**
 * OrreryOptions:request-managers:
 *
 * Classpaths of request managers beside those of the scene. They reach every part. Default: %NULL,
 * none.
 */

struct _OrreryOptions {
  GObject parent_instance;

  /*< private >*/
  guint64 seed;
  gboolean has_seed;
  double start;
  gint64 start_time;
  OrreryPacing pacing;
  gboolean check_only;
  gboolean hash;
  char *hash_file;
  char *config_file;
  char *output_dir;
  char *root;
  char *allow_users;
  char *token_file;
  char **settings;
  char **request_managers;
  gboolean listen;
  gboolean offline;
  gboolean fed;
  gboolean on_demand;
  OrreryState state;
  guint threads;
  guint read_limit;
  OrreryReadyFunc ready;
  gpointer ready_data;
};

/**
 * orrery_options_new:
 *
 * Makes options that say nothing: each property has its default.
 *
 * Returns: (transfer full): options of a run as the scene says: its seed, start and pacing
 */
ORRERY_API OrreryOptions *orrery_options_new (void);
/**
 * orrery_options_set_ready_func: (skip)
 * @func: (nullable): asked once, by the load that these options are given to
 * @user_data: passed to it; borrowed until then
 *
 * For programs that refuse a scene by what its setup told of, as a warning in the log.
 */
ORRERY_API void orrery_options_set_ready_func (OrreryOptions *options, OrreryReadyFunc func,
                                               gpointer user_data);

/**
 * orrery_options_add_setting:
 * @setting: `PATH=VALUE`: PATH is `PART.PROPERTY` with the full name of a part or an object, or
 * `simulation.KEY` with a key of the `environment`; `[I]` behind it is a member; VALUE is JSON
 *
 * Sets a value in place of what the scene says. Of several for one path the last one counts, and a
 * member counts if no whole value follows. The load finds out whether there is such a path.
 *
 * Returns: whether it is a setting; else %FALSE with %ORRERY_ERROR_INVALID
 */
ORRERY_API gboolean orrery_options_add_setting (OrreryOptions *options, const char *setting,
                                                GError **error);

G_END_DECLS
