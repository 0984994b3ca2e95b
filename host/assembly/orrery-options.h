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
 * What is said about one run beside the scene. Plain settings, with setters for bindings in the
 * form of properties: `seed` (guint64), `has-seed`, `start` (seconds, infinity: as the scene says),
 * `start-time` (the same in nanoseconds, in front of it; the least integer: not given),
 * `pacing`, `check-only` (sets everything up, opens no port, writes no file), `hash` (fold a hash
 * every tick), `hash-file` (path of the lines for `orrery diff`, or %NULL), `config-file` (a
 * component_config that takes the place of the scene's, or %NULL), `request-managers` (classpaths
 * of request managers beside those of the scene, which reach every part; %NULL: none), `output-dir`
 * (the directory below which streams write their files, or %NULL for the current one), `root` (the
 * directory below which clients may load scenes, or %NULL for that of the scene), `listen` (whether
 * the socket request manager is loaded where the scene does not ask for it), `offline` (managers
 * open no port and no connection, whatever the scene asks for), `allow-users` (whose processes may
 * connect to ports beside those of one's own user and root: "any", or numbers of users with commas
 * between; %NULL: nobody's), `token-file` (a file whose first line lets in whoever sends it, or
 * %NULL), `on-demand` (nobody reads records but those that the run knows of: streams, subscribers,
 * parts that found a component in their setup; sensors that say so then save what nobody reads, and
 * a program that looks at the record of a camera subscribes to it), `read-limit` (how long reading
 * one file of another format may take, seconds of processor time), `settings` (texts as
 * orrery_options_add_setting() takes them, or %NULL; another scene that is loaded later is without
 * them), `state` (what it does when it is
 * told to run or step for the first time: running; paused before tick 0; or stopped, until it is
 * started).
 */
#define ORRERY_TYPE_OPTIONS (orrery_options_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryOptions, orrery_options, ORRERY, OPTIONS, GObject)

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
 * @setting: `PATH=VALUE`: PATH is `PART.PROPERTY` with the full name of a part or an object,
 * `seed`, or `simulation.KEY` with a key of the scene's `environment`; VALUE is JSON
 *
 * Sets a value in place of what the scene says. Of several for one path the last one counts.
 * Whether there is such a path, and what values it takes, is found out by the load.
 *
 * Returns: whether it is a setting; else %FALSE with %ORRERY_ERROR_INVALID
 */
ORRERY_API gboolean orrery_options_add_setting (OrreryOptions *options, const char *setting,
                                                GError **error);

G_END_DECLS
