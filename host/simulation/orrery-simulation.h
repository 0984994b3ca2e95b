/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "assembly/orrery-options.h"
#include "loop/orrery-scheduler.h"
#include "registry/orrery-registry.h"
#include "roles/orrery-observer.h"

G_BEGIN_DECLS

/**
 * OrrerySimulation:
 *
 * A scene that is set up and can run. Used from one thread at a time, which is the tick thread
 * while it steps or runs. Only orrery_simulation_quit(), orrery_simulation_interrupt(),
 * orrery_simulation_subscribe(), orrery_simulation_unsubscribe(), orrery_simulation_get_n_ticks()
 * and orrery_simulation_get_frequency() may be called from any thread.
 */
#define ORRERY_TYPE_SIMULATION (orrery_simulation_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrrerySimulation, orrery_simulation, ORRERY, SIMULATION, GObject)

/**
 * orrery_simulation_load:
 * @registry: where classes come from
 * @path: a scene file, or a directory with scene.json
 * @error: return location
 *
 * orrery_simulation_load_with_options() with the options of orrery_options_new().
 *
 * Returns: (transfer full): a simulation that stands before tick 0, or %NULL
 */
ORRERY_API OrrerySimulation *orrery_simulation_load (OrreryRegistry *registry, const char *path,
                                                     GError **error);
/**
 * orrery_simulation_load_with_options:
 * @registry: where classes come from
 * @path: a scene file, or a directory with scene.json
 * @options: (nullable): what is said about this run
 * @error: return location
 *
 * Reads the scene, makes its world and its parts, and opens the ports, connections and files that
 * it asks for. No tick is run. Problems are collected as far as possible, so that one attempt tells
 * of them all. The simulation keeps a reference to @options, which must not be changed any more.
 *
 * Returns: (transfer full): a simulation that stands before tick 0, or %NULL with
 *   %ORRERY_ERROR_CONFIG, %ORRERY_ERROR_NO_FILE, %ORRERY_ERROR_NOT_FOUND, %ORRERY_ERROR_PLUGIN or
 *   %ORRERY_ERROR_IO; the message has a line for each thing that is wrong, at most twenty.
 *   %ORRERY_ERROR_INVALID: a start of more than 9e9 s
 */
ORRERY_API OrrerySimulation *orrery_simulation_load_with_options (OrreryRegistry *registry,
                                                                  const char *path,
                                                                  OrreryOptions *options,
                                                                  GError **error);
/**
 * orrery_simulation_step:
 * @simulation: a simulation
 * @n: how many ticks
 * @error: return location
 *
 * Runs ticks back to back, without pacing; gates hold it. A simulation that is stopped is started;
 * one that is paused runs the ticks, without `suspend` and `resume`, and stays paused. If a service
 * or a script stops or pauses it meanwhile, fewer ticks run.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_STATE or the error of a part: the tick was not
 * finished
 */
ORRERY_API gboolean orrery_simulation_step (OrrerySimulation *simulation, guint64 n,
                                            GError **error);
/**
 * orrery_simulation_run:
 * @simulation: a simulation
 * @n: ticks to run at most, 0 for no limit
 * @wall: wall time to run at most, 0 for no limit
 * @error: return location
 *
 * Runs ticks at the pace that the scene and the options say, until a limit,
 * orrery_simulation_quit() or the service `simulation quit`. The first time that it runs or steps,
 * it starts, unless the options say otherwise; while it is stopped or paused, it answers calls and
 * takes idle turns.
 *
 * Returns: %TRUE, or %FALSE as orrery_simulation_step()
 */
ORRERY_API gboolean orrery_simulation_run (OrrerySimulation *simulation, guint64 n, OrreryTime wall,
                                           GError **error);
/**
 * orrery_simulation_quit:
 * @simulation: a simulation
 *
 * Ends the program, not the run: orrery_simulation_run() and _step() return after the current
 * tick, also if they are paused or wait, and run no more ticks. Any thread, but no signal handler.
 */
ORRERY_API void orrery_simulation_quit (OrrerySimulation *simulation);
/**
 * orrery_simulation_interrupt:
 * @simulation: a simulation
 * @interrupted: %TRUE: ends orrery_simulation_run() and _step() after the tick that runs, as
 *   orrery_simulation_quit() does; %FALSE: takes that back, and the next one goes on
 *
 * For Ctrl-C at a prompt, after which the simulation can still be used. Any thread, but no signal
 * handler.
 */
ORRERY_API void orrery_simulation_interrupt (OrrerySimulation *simulation, gboolean interrupted);
/**
 * orrery_simulation_get_state:
 * @simulation: a simulation
 *
 * Requests of clients may change it between any two ticks. Tick thread.
 *
 * Returns: what it does; stopped after it was loaded
 */
ORRERY_API OrreryState orrery_simulation_get_state (OrrerySimulation *simulation);
/**
 * orrery_simulation_start:
 * @simulation: a simulation
 * @error: return location
 *
 * Begins a run: `before_simulation` is called, child scripts are created, tick 0 comes next. A
 * paused simulation is resumed instead; a running one is not affected. Within a callback, this and
 * the other changes of state wait for the end of the turn, and errors are then logged.
 *
 * docs/run.md says which requests are accepted in which state, and from whom.
 *
 * Returns: %TRUE, or %FALSE if another scene could not be opened: why
 */
ORRERY_API gboolean orrery_simulation_start (OrrerySimulation *simulation, GError **error);
/**
 * orrery_simulation_stop:
 * @simulation: a simulation
 * @error: return location
 *
 * Ends a run, not the program: child scripts are cleaned up, `after_simulation` is called, pending
 * calls are preempted, and everything but scripts is reset to its state after setup. Number of
 * ticks, hash and report stay those of the run until the next one starts, at tick 0.
 *
 * Returns: %TRUE, or %FALSE with the error of a part that could not be put back
 */
ORRERY_API gboolean orrery_simulation_stop (OrrerySimulation *simulation, GError **error);
/**
 * orrery_simulation_idle:
 * @simulation: a simulation that is stopped or paused
 * @n: how many turns
 * @error: return location
 *
 * Runs idle turns back to back, without the clock: calls are answered, and scripts get
 * `non_simulation` or `suspended`.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_STATE: the simulation is running
 */
ORRERY_API gboolean orrery_simulation_idle (OrrerySimulation *simulation, guint64 n,
                                            GError **error);
/**
 * orrery_simulation_change_scene:
 * @simulation: a simulation
 * @path: a scene file, or a directory with scene.json
 * @error: return location
 *
 * Stops it and replaces its scene: world, components and everything that belongs to them are freed.
 * Add-ons and the sandbox are kept, and are set up again. If the scene cannot be set up, nothing
 * changes. The simulation is stopped afterwards.
 *
 * Returns: %TRUE, or %FALSE as orrery_simulation_load_with_options()
 */
ORRERY_API gboolean orrery_simulation_change_scene (OrrerySimulation *simulation, const char *path,
                                                    GError **error);
/**
 * orrery_simulation_close:
 * @simulation: a simulation
 *
 * Answers pending calls, and ends streams, threads and child processes in bounded time. Nothing
 * runs afterwards. Called by dispose, too.
 */
ORRERY_API void orrery_simulation_close (OrrerySimulation *simulation);
/**
 * orrery_simulation_pause:
 * @simulation: a simulation
 *
 * Pauses the run between two ticks; calls are still answered. A simulation that is stopped will be
 * paused before tick 0 when it starts.
 */
ORRERY_API void orrery_simulation_pause (OrrerySimulation *simulation);
/**
 * orrery_simulation_resume:
 * @simulation: a simulation
 *
 * Resumes a run that is paused; revokes an orrery_simulation_pause() that would pause the next
 * start.
 */
ORRERY_API void orrery_simulation_resume (OrrerySimulation *simulation);
/**
 * orrery_simulation_is_paused:
 * @simulation: a simulation
 *
 * A simulation that is stopped counts as paused if its next start is to stop before tick 0; its
 * state is stopped all the same.
 *
 * Returns: whether it is paused, or will be when it starts
 */
ORRERY_API gboolean orrery_simulation_is_paused (OrrerySimulation *simulation);
/**
 * orrery_simulation_is_quitting:
 * @simulation: a simulation
 *
 * %TRUE for good after orrery_simulation_quit(), and as long as orrery_simulation_interrupt()
 * holds.
 *
 * Returns: whether it was asked to quit, or is interrupted
 */
ORRERY_API gboolean orrery_simulation_is_quitting (OrrerySimulation *simulation);
/**
 * orrery_simulation_reset:
 * @simulation: a simulation
 * @error: return location
 *
 * Returns to the state after setup, at the start time, with the next run number: the same run
 * again, bit by bit. All scripts are cleaned up and replaced by new ones. Streams stay open;
 * whether the simulation runs, is paused or is stopped does not change.
 *
 * Returns: %TRUE, or %FALSE with the error of a part
 */
ORRERY_API gboolean orrery_simulation_reset (OrrerySimulation *simulation, GError **error);

/**
 * orrery_simulation_reset_with_seed:
 * @simulation: a simulation, between two ticks
 * @seed: where the random numbers of its parts start from now on
 * @error: return location
 *
 * orrery_simulation_reset(), and then another run of the same scene: the run is that of a
 * simulation that was loaded with @seed. Add-ons and the sandbox, which belong to no scene, keep
 * the seed that they have.
 *
 * Returns: %TRUE, or %FALSE as orrery_simulation_reset(); with %ORRERY_ERROR_STATE, and the seed as
 *   it was, within a tick, and %ORRERY_ERROR_INVALID if components or scripts run in workers
 */
ORRERY_API gboolean orrery_simulation_reset_with_seed (OrrerySimulation *simulation, guint64 seed,
                                                       GError **error);
/**
 * orrery_simulation_get_n_ticks:
 * @simulation: a simulation
 *
 * Any thread, so that progress can be shown while it runs.
 *
 * Returns: ticks that were run since the start or the last reset
 */
ORRERY_API guint64 orrery_simulation_get_n_ticks (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_time:
 * @simulation: a simulation
 *
 * Between two ticks it is the time that sensors have seen last.
 *
 * Returns: simulated time of the last tick; before the first one, the start time
 */
ORRERY_API OrreryTime orrery_simulation_get_time (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_epoch:
 * @simulation: a simulation
 *
 * Tells stretches of simulated time apart: a reset, a start after a stop, another scene and a state
 * that is restored set the time anew, so that times from before do not compare with those after.
 *
 * Returns: 1 at first, one more whenever the time was set anew after at least one tick
 */
ORRERY_API guint64 orrery_simulation_get_epoch (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_frequency:
 * @simulation: a simulation
 *
 * It is the same for all ticks of a scene, and may be another one after
 * orrery_simulation_change_scene(). Any thread.
 *
 * Returns: ticks per second of simulated time
 */
ORRERY_API double orrery_simulation_get_frequency (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_world:
 * @simulation: a simulation
 *
 * The objects, poses and properties of the scene. Another scene brings another world, and the old
 * one is freed unless somebody holds a reference.
 *
 * Returns: (transfer none): its world
 */
ORRERY_API OrreryWorld *orrery_simulation_get_world (OrrerySimulation *simulation);
/**
 * orrery_simulation_set_log_level:
 * @simulation: a simulation
 * @component: who: the full name of a part (`robot.gps`), a classpath in our spelling or MORSE's,
 *   with or without the class (`orrery.sensors.gps.GPS`, `morse.sensors.gps`, `sensors`), or a
 *   class (`GPS`); a name that is cut at a dot stands for all below it
 * @level: DEBUG, INFO, SECTION, ENDSECTION, WARNING, ERROR or CRITICAL, in either case
 * @error: return location
 *
 * Sets how much a part logs. If several levels match a part, that of the most specific name
 * counts: the longest that matches its full name, then its class, then the longest path. A name
 * that matches nothing is kept, too, with a warning. Tick thread.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: no such level, a name of more than 1000
 *   bytes, or levels for more than 1000 names
 */
ORRERY_API gboolean orrery_simulation_set_log_level (OrrerySimulation *simulation,
                                                     const char *component, const char *level,
                                                     GError **error);
/**
 * orrery_simulation_find_component:
 * @simulation: a simulation
 * @name: full name
 *
 * Robots, sensors and actuators, of all levels of the tree. One that belongs to a spawned object is
 * found by the name that this was given, too. Valid until another scene is opened.
 *
 * Returns: (transfer none) (nullable): the component; %NULL if there is none
 */
ORRERY_API OrreryComponent *orrery_simulation_find_component (OrrerySimulation *simulation,
                                                              const char *name);
/**
 * orrery_simulation_find_part:
 * @simulation: a simulation
 * @name: full name, as of a modifier `robot.pose/Noise#0`, of a script `robot/child`; of a manager
 *   and a ray caster its classpath; `physics`, `renderer`
 *
 * Searches all parts; meant for tools and tests.
 *
 * Returns: (transfer none) (nullable): the component, modifier, datastream, manager, overlay,
 *   script or engine
 */
ORRERY_API OrreryPart *orrery_simulation_find_part (OrrerySimulation *simulation, const char *name);
/**
 * orrery_simulation_get_component_names:
 * @simulation: a simulation
 *
 * The names belong to the components, and are valid until another scene is opened. Only the array
 * is the caller's, to be freed by g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1): full names in tree order
 */
ORRERY_API const char **orrery_simulation_get_component_names (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_files:
 * @simulation: a simulation
 *
 * The names belong to the simulation, and are valid until another scene is opened. Only the array
 * is the caller's, to be freed by g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1) (element-type filename): the files that
 *   its scene was read from: scene, config, environments, models; in no order
 */
ORRERY_API const char **orrery_simulation_get_files (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_phase_names:
 * @simulation: a simulation
 *
 * The names are constant, and the same for each simulation. Only the array is the caller's, to be
 * freed by g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1): phases that have an order: `robots`,
 *   `sense`, `act`, then the callbacks of scripts
 */
ORRERY_API const char **orrery_simulation_get_phase_names (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_order:
 * @simulation: a simulation
 * @phase: (nullable): one of orrery_simulation_get_phase_names(), callbacks also as CoppeliaSim
 *   writes them (`beforeSimulation`, `sysCall_beforeSimulation`); %NULL: all
 * @error: return location
 *
 * The order of calls, as docs/order.md says: all components, due or not, or all scripts that
 * implement the callback. For `joint`, which is called for child scripts of the joint's ancestors
 * only, deeper child scripts come first.
 *
 * Returns: (transfer full): `a(ssss)`: phase, object (`-` for scripts of the program), type of the
 *   script or role, classpath; or %NULL with %ORRERY_ERROR_INVALID (no such phase; the nearest are
 *   named) or what is wrong with a class
 */
ORRERY_API GVariant *orrery_simulation_get_order (OrrerySimulation *simulation, const char *phase,
                                                  GError **error);
/**
 * orrery_simulation_get_hash:
 * @simulation: a simulation whose options ask for it
 *
 * Two runs with the same hash have had the same records of components, poses and velocities in
 * every tick, bit by bit. 0 before the first tick, and if the options do not ask for it.
 *
 * Returns: the hash over all ticks so far
 */
ORRERY_API guint64 orrery_simulation_get_hash (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_report:
 * @simulation: a simulation
 *
 * What a run has come to, for a summary at its end. It may be asked for between any two ticks, and
 * is of the run since the last start or reset.
 *
 * Returns: (transfer full): `a{sv}`: ticks (t), simulated and wall (d, s), real-time-factor (d),
 *   dropped (t), start (d), seed (t), run (u), hash (s, if asked for), components: array of (name,
 *   steps, seconds, budget) `a(stdd)` in tree order, scripts: the same in calling order, of ticks;
 * disabled: `a(ss)`: a script that failed, callback and cause; state (s), phases: `a(sd)` seconds,
 * faults: `a(sttt)`: a component, messages refused, messages displaced by later ones, steps failed;
 *   failures: `a(sssts)`: of the first step of a component that failed its name, class, phase
 *   ("sense", "act"), tick and message,
 *   not-finite: `a(st)`: a component, numbers of its messages that were not finite,
 *   sources: `a(ss)` name of a model and where it comes from, unhashed: `as`, lost: `as` outputs of
 * streams that are not whole, workers: `aa{sv}`: name (s), state (s: off, starting, up, down, given
 * up), pid (u), components (as), free-running (b), fresh and stale (t: steps with and without a new
 * value), restarts (u), waited (d: seconds that ticks waited for it), cause (s: why it was down
 * last); randomisation: `a{sv}`: what the episode began with, by path, if the scene has that key
 */
ORRERY_API GVariant *orrery_simulation_get_report (OrrerySimulation *simulation);
/**
 * orrery_simulation_call:
 * @simulation: a simulation
 * @part: name under which services are published: a component, `simulation`, `time`
 * @service: name of the service
 * @arguments: (nullable): arguments by place, `av`; a floating one is sunk
 *
 * Calls a service now, between ticks. Every part can be called, whatever the config publishes.
 *
 * Returns: (transfer full): the call: done, or pending until a later tick
 */
ORRERY_API OrreryCall *orrery_simulation_call (OrrerySimulation *simulation, const char *part,
                                               const char *service, GVariant *arguments);
/**
 * orrery_simulation_write:
 * @simulation: a simulation
 * @component: an actuator
 * @field: name of a field
 * @value: its new value
 * @error: return location
 *
 * Writes an actuator's input like a message of its stream: its modifiers are applied, and its other
 * fields keep their values.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID
 */
ORRERY_API gboolean orrery_simulation_write (OrrerySimulation *simulation,
                                             OrreryComponent *component, const char *field,
                                             GVariant *value, GError **error);

/**
 * orrery_simulation_spawn:
 * @simulation: a simulation
 * @name: the name of one of the scene's spawnables
 * @pose: (nullable): in the world; %NULL: that of the scene
 * @error: return location: %ORRERY_ERROR_NOT_FOUND: no such spawnable; %ORRERY_ERROR_BUSY: all of
 *   them are spawned; %ORRERY_ERROR_INVALID: the pose is not finite, or beyond 1e8 m
 *
 * Puts an object of the pool that was made with the scene into the world, with all below it, as it
 * was at the start. It is there from the next phase of physics on, in a tick or in the first one to
 * come; its components run from the tick after that on. It may overlap other objects. The same as
 * the service `spawn` of `simulation`. Tick thread.
 *
 * Returns: (transfer full): the name of the new object, NAME.N for the N-th of the run, which is
 *   not given again; or %NULL
 */
ORRERY_API char *orrery_simulation_spawn (OrrerySimulation *simulation, const char *name,
                                          const OrreryTransform *pose, GError **error);
/**
 * orrery_simulation_add_spawnable:
 * @simulation: a simulation
 * @object: an object as in the scene's `objects`, as JSON of at most 1 MiB; files that it names are
 *   looked for where those of the scene are
 * @count: how many of it may be there at once, from 1 to 1,000
 * @config: (nullable): the tables `component_datastream`, `component_modifier` and
 *   `component_service` of its components, as JSON; their names begin with NAME_1, NAME_2 and so on
 * @error: return location: %ORRERY_ERROR_CONFIG: what is wrong with the object, as in a scene; also
 *   that the world has no room for it, or that physics cannot take it; %ORRERY_ERROR_INVALID:
 *   @count, or the length of @object; %ORRERY_ERROR_STATE: the scene has parts in workers, or the
 *   run follows another one
 *
 * Adds an object to those that may be spawned, with its components, as if the scene had had it
 * among its `spawnables`: memory is allocated and files are read now, between two ticks, which
 * takes milliseconds, and not when it is spawned. It stays until another scene is loaded, also
 * after a reset. After an error nothing has changed. The same as the service `add_spawnable` of
 * `simulation`. Within a turn, the object is added at its end, and errors are logged. Tick thread.
 *
 * Returns: %TRUE, or %FALSE with @error
 */
ORRERY_API gboolean orrery_simulation_add_spawnable (OrrerySimulation *simulation,
                                                     const char *object, guint count,
                                                     const char *config, GError **error);
/**
 * orrery_simulation_remove:
 * @simulation: a simulation
 * @name: what orrery_simulation_spawn() returned
 * @error: return location: %ORRERY_ERROR_NOT_FOUND: it was not spawned, or was removed already
 *
 * Takes an object that was spawned out of the world, in the next phase of physics, and ends calls
 * of its components. What it held is let go. Tick thread.
 *
 * Returns: whether it was there
 */
ORRERY_API gboolean orrery_simulation_remove (OrrerySimulation *simulation, const char *name,
                                              GError **error);

/**
 * orrery_simulation_save:
 * @simulation: a simulation that is in no tick
 * @error: return location
 *
 * All state that changes in a run, as bytes: poses and velocities, contacts, records, properties
 * and state of components, modifiers, scripts and physics, the phase of each component's steps,
 * time, number of ticks, run number and hash. It does not contain the callers of long-running calls
 * (what a call started continues), calls of the simulation itself, messages that no step has read
 * yet, and the stacks of Python generators. Numbers have the byte order of this machine; a version
 * of Orrery with another format refuses the state.
 *
 * Returns: (transfer full): the state, or %NULL with %ORRERY_ERROR_STATE: within a tick, or a part
 *   that keeps a state runs in a worker
 */
ORRERY_API GBytes *orrery_simulation_save (OrrerySimulation *simulation, GError **error);
/**
 * orrery_simulation_restore:
 * @simulation: a simulation of the same scene, in no tick
 * @state: what orrery_simulation_save() gave, here or in another process
 * @error: return location
 *
 * Replaces the present state: pending calls are preempted, and the simulation continues from the
 * saved state, with its time and run number. It runs or is stopped like the saved one. The seed
 * does not change: with the same seed the run continues bit by bit if the engine allows it
 * (docs/physics.md), with another seed it continues with other random numbers.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID (no state, damaged, of another version, of
 *   another scene: the first thing that differs is named) or the error of a part; then all is as it
 *   was, but pending calls
 */
ORRERY_API gboolean orrery_simulation_restore (OrrerySimulation *simulation, GBytes *state,
                                               GError **error);
/**
 * orrery_simulation_restore_others:
 * @simulation: a simulation of the same scene, but for components that have another class, other
 *   properties or other modifiers; in no tick
 * @state: as above
 * @fresh: (array zero-terminated=1) (nullable): full names of these components
 * @error: return location
 *
 * As orrery_simulation_restore(), but these components and their modifiers begin afresh, in the
 * rhythm that they would have had from the start. A call that one of them worked on is lost, as is
 * the last command of an actuator.
 *
 * Returns: as above; %FALSE with %ORRERY_ERROR_NOT_FOUND, too: no component has such a name
 */
ORRERY_API gboolean orrery_simulation_restore_others (OrrerySimulation *simulation, GBytes *state,
                                                      const char *const *fresh, GError **error);

/**
 * OrreryRecordFunc:
 * @component: (nullable): a component whose record has just been passed on; %NULL: a tick is over
 * @user_data: as given
 *
 * In the thread that steps. For a component, within the tick: it reads, and changes nothing but
 * what orrery_simulation_write() does. Of a tick, between two of them.
 */
typedef void (*OrreryRecordFunc) (OrreryComponent *component, gpointer user_data);
/**
 * orrery_simulation_subscribe:
 * @simulation: a simulation
 * @component: (nullable): one of its components; %NULL: none, but the simulation itself
 * @func: (scope notified) (closure user_data) (destroy destroy): called for each record
 * @user_data: for @func
 * @destroy: (nullable): frees @user_data when @func is called no more
 * @error: return location
 *
 * From the next tick on, @func is called after each step of the component, after its modifiers; not
 * if they hold the record back, and not in ticks in which the component is not due; but in a tick
 * in which a modifier passes on what it held back until then, once for each such record. Ends with
 * orrery_simulation_unsubscribe(), with the scene, or with the simulation. Any thread.
 *
 * Returns: a number above 0, or 0 with %ORRERY_ERROR_STATE
 */
ORRERY_API guint orrery_simulation_subscribe (OrrerySimulation *simulation,
                                              OrreryComponent *component, OrreryRecordFunc func,
                                              gpointer user_data, GDestroyNotify destroy,
                                              GError **error);
/**
 * orrery_simulation_unsubscribe:
 * @simulation: a simulation
 * @id: what orrery_simulation_subscribe() returned
 *
 * The function is not called again; a call in another thread may still be running. Its data is
 * freed with the next tick, or with the simulation. Any thread.
 *
 * Returns: whether it was there
 */
ORRERY_API gboolean orrery_simulation_unsubscribe (OrrerySimulation *simulation, guint id);

/**
 * orrery_simulation_set_playback:
 * @simulation: a simulation
 * @playback: (nullable): a reference is taken
 *
 * Tells observers that are added or opened from here on by what they may ask the program to move
 * the run in time. The simulation itself does nothing with it. Between ticks, on their thread.
 */
ORRERY_API void orrery_simulation_set_playback (OrrerySimulation *simulation,
                                                OrreryPlayback *playback);
/**
 * orrery_simulation_add_observer:
 * @simulation: a simulation whose scene is open
 * @classpath: a class of the role observer
 * @properties: (nullable): values of its properties, `a{sv}`; sunk if floating
 * @error: return location
 *
 * Has a part of this class watch the run, from the next tick on, in this scene and in those that
 * are loaded later. Between ticks, on their thread.
 *
 * Returns: (transfer none) (nullable): the observer, which lives as long as the simulation, or
 *   until it is removed; %NULL with an error: it could not be made or opened
 */
ORRERY_API OrreryObserver *orrery_simulation_add_observer (OrrerySimulation *simulation,
                                                           const char *classpath,
                                                           GVariant *properties, GError **error);
/**
 * orrery_simulation_remove_observer:
 * @simulation: a simulation
 * @observer: what orrery_simulation_add_observer() returned
 *
 * Closes the observer, which ends what it writes, and forgets it, with what it has lost. Between
 * ticks, on their thread.
 *
 * Returns: whether it was there
 */
ORRERY_API gboolean orrery_simulation_remove_observer (OrrerySimulation *simulation,
                                                       OrreryObserver *observer);

/**
 * orrery_simulation_record:
 * @simulation: a simulation whose scene is open
 * @path: the file, NAME.mcap; each further epoch and scene has one of its own, NAME-1.mcap and so
 *   on. A file that exists is replaced, unless it belongs to the scene
 * @properties: (nullable): those of the recorder by their names, as docs/recording.md has them,
 *   `a{sv}`; sunk if floating
 * @error: return location
 *
 * Records the run from the next tick on, until the simulation is closed or the observer is removed.
 * Ticks wait where the file is slower than the run, so that nothing is dropped, unless @properties
 * has `wait` with %FALSE. What fails later, as on a full disk, ends the recording and not the run:
 * it is logged, and the report has it under `lost`. Between ticks, on their thread.
 *
 * Returns: (transfer none) (nullable): the recorder, which lives as long as the simulation, or
 * until it is removed; %NULL with %ORRERY_ERROR_INVALID: a value is refused, `file` is among the
 *   properties, @path is no UTF-8; %ORRERY_ERROR_NOT_FOUND: no such property, the recorder is not
 *   installed, or a compression is not built in; %ORRERY_ERROR_CONFIG: @path may not be written to,
 *   or `only` names nothing; %ORRERY_ERROR_IO: it cannot be; %ORRERY_ERROR_STATE: within a tick, or
 *   no scene is open
 */
ORRERY_API OrreryObserver *orrery_simulation_record (OrrerySimulation *simulation, const char *path,
                                                     GVariant *properties, GError **error);

/**
 * orrery_simulation_feed: (skip)
 * @simulation: a simulation whose scene is open
 * @input: an input of its next tick, as an observer of another run of the scene was told it; of a
 *   record with its fields as `value`
 * @error: return location: %ORRERY_ERROR_STATE: within a tick, or what a part took without
 *   #OrreryOptions:fed; %ORRERY_ERROR_NOT_FOUND: no such actuator or part; %ORRERY_ERROR_INVALID:
 *   another tick comes next, or the value is none of this input's, or too much for one tick
 *
 * Has the run go as the other one did: an actuator is told the record, a service is called, a call
 * is ended, commands are staged, in the order in which they are fed. A part takes in this tick what
 * orrery_part_take_input() gave it; what it does not take is forgotten. Inputs may come from
 * anywhere. Answers of calls are lost, and those that start, stop, pause, step, save, load or end
 * the run are left to the caller. Between ticks, on their thread.
 *
 * Returns: whether the input was taken
 */
ORRERY_API gboolean orrery_simulation_feed (OrrerySimulation *simulation,
                                            const OrreryRunInput *input, GError **error);
/**
 * orrery_simulation_follow:
 * @simulation: a simulation
 * @leader: another one, of a scene with the same objects; run by the same thread
 * @error: return location: %ORRERY_ERROR_STATE: within a tick; %ORRERY_ERROR_CONFIG: the first
 * thing that differs is named: an object, its kind of body or joint, the frequency, the substeps
 *
 * From now on the world of @simulation goes as that of @leader, so that parts that differ are
 * judged on the same motion: in each tick, the world and physics are told what they were told in
 * the tick of @leader with the same number, and what the parts of @simulation command is dropped.
 * @leader runs a tick first, and no later one before @simulation has run it; else a tick of
 * @simulation fails with %ORRERY_ERROR_STATE. It fails with %ORRERY_ERROR_CONFIG where an object
 * moves another way all the same, since something that moves it differs. Between ticks, on their
 * thread; it ends with the scene.
 *
 * Returns: whether it follows
 */
ORRERY_API gboolean orrery_simulation_follow (OrrerySimulation *simulation,
                                              OrrerySimulation *leader, GError **error);
/**
 * orrery_simulation_get_digest:
 * @simulation: a simulation
 *
 * The hash of orrery_observer_get_hash(), between two ticks.
 *
 * Returns: a hash of the present poses and records
 */
ORRERY_API guint64 orrery_simulation_get_digest (OrrerySimulation *simulation);

/**
 * orrery_simulation_attach:
 * @simulation: a simulation that is attached to no scheduler
 * @scheduler: a scheduler, in whose thread the simulation runs from now on
 *
 * Its ticks become a task of @scheduler, beside the caller's own, at the scene's pace by the clock
 * of @scheduler. One step of the task runs the ticks that are due; without pace, until another task
 * is due, 64 at most. Other tasks run between ticks, never inside one: they may change the state,
 * call services, or call step() and run(), which do not enter @scheduler. The tick at which they
 * run depends on the clock; what must happen at the same tick in each run belongs into
 * orrery_simulation_get_tasks().
 *
 * The task ends with orrery_simulation_detach(), orrery_simulation_stop(), the end of the
 * simulation, or an error, which the scheduler reports by `failed`. It holds a reference until
 * then. While it is stopped or paused the task waits for requests.
 *
 * Returns: (transfer none): the task; valid until it has ended
 */
ORRERY_API OrreryTask *orrery_simulation_attach (OrrerySimulation *simulation,
                                                 OrreryScheduler *scheduler);
/**
 * orrery_simulation_detach:
 * @simulation: a simulation
 *
 * Ends what orrery_simulation_attach() began, between two ticks; nothing happens if it is not
 * attached. Thread of the scheduler.
 */
ORRERY_API void orrery_simulation_detach (OrrerySimulation *simulation);
/**
 * orrery_simulation_get_tasks:
 * @simulation: a simulation
 *
 * A scheduler by simulated time. Each tick runs its due tasks at its end, in the order (due,
 * sequence), with any pace: best effort, fixed step, fast, or step(). A task that yields continues
 * with the next tick. A reset of the simulation sets the time back; tasks that are due at a later
 * time wait for it.
 *
 * Returns: (transfer none): the scheduler; it goes with the simulation, and outlives a scene
 */
ORRERY_API OrreryScheduler *orrery_simulation_get_tasks (OrrerySimulation *simulation);

G_END_DECLS
