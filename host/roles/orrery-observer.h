/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"
#include "roles/orrery-playback.h"
#include "roles/orrery-renderer.h"

G_BEGIN_DECLS

/**
 * OrreryRunInputKind:
 * @ORRERY_RUN_INPUT_RECORD: an actuator was told something: what its step begins with, before its
 *   modifiers
 * @ORRERY_RUN_INPUT_CALL: a service was called
 * @ORRERY_RUN_INPUT_CANCEL: a caller no longer waits for a call that is not done
 * @ORRERY_RUN_INPUT_COMMANDS: somebody else than the parts of the scene moves objects, or changes
 *   values of them
 * @ORRERY_RUN_INPUT_TAKEN: a part has taken an input with orrery_part_take_input(), or the host a
 *   result of a worker that runs freely
 *
 * What comes to a run from outside.
 */
typedef enum {
  ORRERY_RUN_INPUT_RECORD,
  ORRERY_RUN_INPUT_CALL,
  ORRERY_RUN_INPUT_CANCEL,
  ORRERY_RUN_INPUT_COMMANDS,
  ORRERY_RUN_INPUT_TAKEN,
} OrreryRunInputKind;

/**
 * OrreryRunInput:
 * @kind: what it is
 * @tick: number of the tick that it belongs to
 * @in_services: a call, its end or commands: within the phase of services of this tick; else before
 *   the tick
 * @part: (nullable): of a record, the full name of the actuator; of a call, the name that the part
 *   was called by; of what was taken, the full name of the part
 * @component: (nullable): of a record, the actuator
 * @manager: (nullable): of a call, the classpath of the request manager that it came by; %NULL: by
 *   the program
 * @service: (nullable): of a call
 * @number: of a call, and of its end: counted from 1; of what was taken, 0 if the part itself took
 *   it, above for what workers send
 * @value: (nullable): of a call its arguments, `av`; of commands a text of the host's own, `s`; of
 *   a record that is fed, its fields, `a{sv}`; of what was taken, the bytes, `ay`, %NULL if they
 *   are longer than %ORRERY_INPUT_MAX_SIZE
 *
 * Something that comes to a run from outside, and that the scene, the seed and the start do not
 * give. With all of them the run can be repeated. Borrowed, and valid until the function returns.
 */
typedef struct {
  OrreryRunInputKind kind;
  guint64 tick;
  gboolean in_services;
  const char *part;
  OrreryComponent *component;
  const char *manager;
  const char *service;
  guint64 number;
  GVariant *value;
} OrreryRunInput;

/**
 * OrreryRunFaultKind:
 * @ORRERY_RUN_FAULT_STEP: the step of a component failed, or one of its modifiers or codecs in it
 * @ORRERY_RUN_FAULT_MESSAGE: a message to an actuator was refused
 * @ORRERY_RUN_FAULT_SCRIPT: a callback of a script failed, and the script is disabled
 * @ORRERY_RUN_FAULT_WORKER: the process of a worker failed
 *
 * What has failed without ending the run.
 */
typedef enum {
  ORRERY_RUN_FAULT_STEP,
  ORRERY_RUN_FAULT_MESSAGE,
  ORRERY_RUN_FAULT_SCRIPT,
  ORRERY_RUN_FAULT_WORKER,
} OrreryRunFaultKind;

/**
 * OrreryRunFault:
 * @kind: what it is
 * @tick: number of the tick in which it happened, or of the next one if it was between two
 * @part: full name of the component or script; of a worker, of the one that was running in it
 * @classpath: (nullable): its class; %NULL: of a script that could not be created
 * @where: the phase of a component, "sense" or "act"; the callback of a script; of a worker its
 *   name
 * @message: the error, or why the worker failed
 * @count: how many of this kind @part has had, in a worker the worker, with this one
 *
 * A fault of a part that did not end the run. Borrowed, and valid until the function returns.
 */
typedef struct {
  OrreryRunFaultKind kind;
  guint64 tick;
  const char *part;
  const char *classpath;
  const char *where;
  const char *message;
  guint64 count;
} OrreryRunFault;

/**
 * OrreryObserved:
 * @world: its objects, shapes, materials and lamps
 * @components: (array length=n_components) (element-type OrreryComponent): robots, sensors and
 * actuators, in the order of the tree
 * @n_components: how many
 * @frequency: ticks per second
 * @seed: where random numbers start
 * @epoch: as orrery_simulation_get_epoch() counts them
 * @start: simulated time before tick 0
 * @n_ticks: how many have run; above 0 where a saved state was restored, or the observer came later
 * @settings: (array zero-terminated=1) (nullable): those that take the place of what the scene says
 * @config: (nullable): a component_config that takes the place of the scene's
 * @scene: the file from which the scene was read
 * @texts: (element-type utf8 GBytes): each text file of the scene as it was read, by its path
 * @files: (array zero-terminated=1): paths of all files that the scene names, in order
 * @playback: (nullable): by which the run can be moved in time
 *
 * A scene as its observers see it. Everything is borrowed, and valid until they are closed.
 */
typedef struct {
  OrreryWorld *world;
  OrreryComponent *const *components;
  guint n_components;
  double frequency;
  guint64 seed;
  guint64 epoch;
  OrreryTime start;
  guint64 n_ticks;
  const char *const *settings;
  const char *config;
  const char *scene;
  GHashTable *texts;
  const char *const *files;
  OrreryPlayback *playback;
} OrreryObserved;

/**
 * OrreryObserver:
 *
 * Watches a run from the inside and changes nothing: a recorder, the server of a viewer. It belongs
 * to the simulation, not to a scene.
 */
#define ORRERY_TYPE_OBSERVER (orrery_observer_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryObserver, orrery_observer, ORRERY, OBSERVER, OrreryPart)

/**
 * OrreryObserverClass:
 * @open: all components are set up, and no tick has run yet; again for each scene that takes the
 *   place of this one, and for each epoch. May open files and ports and start threads. On failure
 *   sets the error, and the observer is not called any more
 * @record: a component that it watches has made a step, and its modifiers have run: its record is
 *   complete. Within the tick; must not block
 * @tick: a tick is over: its snapshot is what physics has made of it. Must not block
 * @input: something came from outside. Between ticks and within; must not block. Those who have it
 *   cost the tick a look at each input
 * @close: the scene is closed, or simulated time begins anew. Ends what @open began; not called
 *   where @open failed
 * @fault: a part has failed. Between ticks and within; must not block. Scripts that are disabled
 *   already are told behind @open
 *
 * All functions are called on the tick's thread.
 */
struct _OrreryObserverClass {
  OrreryPartClass parent_class;

  gboolean (*open) (OrreryObserver *self, const OrreryObserved *observed, GError **error);
  void (*record) (OrreryObserver *self, OrreryComponent *component);
  void (*tick) (OrreryObserver *self, OrreryTick *tick);
  void (*close) (OrreryObserver *self);
  void (*input) (OrreryObserver *self, const OrreryRunInput *input);
  void (*fault) (OrreryObserver *self, const OrreryRunFault *fault);

  /*< private >*/
  gpointer _reserved[6];
};

/**
 * orrery_observer_watch:
 * @self: an observer that is open
 * @component: one of the components that it was opened with
 * @watched: whether `record` is called for it
 *
 * Takes effect with the next tick, and ends with `close`. A sensor on demand, as a camera, does its
 * work only for those who watch or read it. Any thread.
 */
ORRERY_API void orrery_observer_watch (OrreryObserver *self, OrreryComponent *component,
                                       gboolean watched);

/**
 * orrery_observer_get_renderer:
 * @self: an observer that is open or being opened
 *
 * Asks for the renderer of the scene, which is made when somebody asks for it first. The tick's
 * thread.
 *
 * Returns: (transfer none) (nullable): valid until `close`; %NULL with @error set: there is none,
 *   or it does not work
 */
ORRERY_API OrreryRenderer *orrery_observer_get_renderer (OrreryObserver *self, GError **error);

/**
 * orrery_observer_note_loss:
 * @self: an observer that writes something, as a file
 * @output: what is not whole, and why: "run.mcap: No space left on device"
 *
 * Says that output is lost, once for each output. The report of the run has it under `lost`, and
 * `orrery run` ends with exit code 74. Any thread; in `close` at the latest.
 */
ORRERY_API void orrery_observer_note_loss (OrreryObserver *self, const char *output);

/**
 * orrery_observer_save_state:
 * @self: an observer that is open
 * @error: return location for %ORRERY_ERROR_STATE: no `tick` is being called, or a part, which is
 *   named, cannot save itself
 *
 * Saves the simulation as orrery_simulation_save() does, from within `tick`. This takes as long as
 * the scene is large, and does not wait but for parts in workers.
 *
 * Returns: (transfer full): the state; %NULL with @error set
 */
ORRERY_API GBytes *orrery_observer_save_state (OrreryObserver *self, GError **error);

/**
 * orrery_observer_get_hash:
 * @self: an observer that is open
 *
 * A hash of the poses of all objects and the records of all components as they are, so that two
 * runs can be compared. Left out are components on demand, whose records depend on who looks, and
 * those of workers that run freely. Within `tick`; costs as much as reading all of that.
 *
 * Returns: the hash; 0 outside of `tick`
 */
ORRERY_API guint64 orrery_observer_get_hash (OrreryObserver *self);

G_END_DECLS
