# SPDX-License-Identifier: BSD-3-Clause
"""Many simulations of a scene as one environment."""

import collections.abc
import shutil
import tempfile

import numpy

from .. import _build, _episodes, _interrupt
from .._build import to_directories
from .._episodes import look
from .._gym_pictures import Asked, Cameras, SharedCameras
from .._gym_starts import Starts
from .._native import build, check_options, to_settings
from .._values import GLib, Orrery
from . import _api, _checks
from ._processes import ProcessVector, to_setup

# Ticks of all simulations together, from which on Ctrl-C ends a step before its end.
LONG_STEP = 1000


def shut(array):
    """The same memory, for those who only read it."""
    view = array.view()
    view.flags.writeable = False
    return view


class Step:
    """What functions for rewards and ends are given: whole arrays, a row for each environment, not to be changed.

    `observations` are as the environment gives them, but doubles; `values` the expressions by their
    names; `previous_observations` and `previous_values` those of the step before; `actions` as they
    were carried out; `elapsed` the number of steps of each episode, with this one.
    """

    __slots__ = ("observations", "values", "previous_observations", "previous_values", "actions", "elapsed")

    def __init__(self, **members):
        for name in self.__slots__:
            setattr(self, name, members[name])


class Layout:
    """Which columns are what."""

    def __init__(self, observe, act, values, pictures):
        self.is_dict = isinstance(observe, collections.abc.Mapping)
        self.groups = {name: _checks.to_fields("observe: %s" % name, fields) for name, fields in observe.items()} \
            if self.is_dict else {None: _checks.to_fields("observe", observe)}
        if not all(self.groups.values()):
            raise ValueError("observe: an observation of no field")
        if pictures and (not self.is_dict or set(pictures) & set(observe)):
            raise ValueError("pictures: observe is a dictionary then, with other names")
        self.observations = [field for fields in self.groups.values() for field in fields]
        if not isinstance(act, collections.abc.Mapping) or not act:
            raise ValueError("act: a dictionary of fields of actuators with their bounds: "
                             "{'robot.motion.v': (-1, 1)}")
        self.actions = _checks.to_fields("act", act)
        self.bounds = [_checks.to_bounds(field, act[field]) for field in self.actions]
        self.values = dict(values)
        self.columns = {name: column for column, name in enumerate(self.values)}

    def measure(self, vector, dtype, asked, shapes):
        """The spaces of one environment; where the columns of each group begin and end."""
        widths = [vector.get_observation_width(i) for i in range(len(self.observations))]
        self.slices, first, done = {}, 0, 0
        for name, fields in self.groups.items():
            width = sum(widths[done:done + len(fields)])
            self.slices[name] = slice(first, first + width)
            first, done = first + width, done + len(fields)
        spaces = {name: _api.Box(-numpy.inf, numpy.inf, (part.stop - part.start,), dtype)
                  for name, part in self.slices.items()}
        spaces.update({key: _api.Box(0, 255, shapes[name], numpy.uint8) for key, name in asked.pictures.items()})
        widths = [vector.get_action_width(i) for i in range(len(self.actions))]
        self.acted = numpy.repeat(self.actions, widths)
        low, high = (numpy.repeat([bounds[i] for bounds in self.bounds], widths).astype(numpy.float32) for i in (0, 1))
        return _api.Dict(spaces) if self.is_dict else spaces[None], _api.Box(low, high, dtype=numpy.float32)

    def split(self, matrix):
        if not self.is_dict:
            return matrix
        return {name: matrix[:, part] for name, part in self.slices.items()}


class VectorEnv(_api.BaseVectorEnv):
    """`num_envs` simulations of a scene, or of what a builder script says, in this process or in others.

    observe: a list of fields by full names, or a dictionary of such lists, which makes observations
    dictionaries; numbers, vectors and arrays, joined. act: fields of actuators and their bounds; actions
    beyond them are clipped. ticks: of each step. reward, terminated, truncated: an expression over fields
    (docs/batch.md has the language), or a function of a `Step` that returns an array. values: further
    expressions by name, which are in the infos. max_episode_steps: after so many steps an episode is
    truncated. on_reset: called with the simulation and a random generator of the episode before it
    begins, to set properties or move objects. starts: states of `save` that episodes begin with, a list of
    which each draws one, or a function that is called with a random generator of the episode and returns
    one; None is the start of the scene. render_mode: "rgb_array", then `render ()` gives what the
    camera of the scene with the name `camera` sees, or a free one with the `view` of `Simulation.render`.
    pictures: cameras by names of observations. processes: the simulations are spread over so many processes
    (docs/learning.md); timeout: seconds after which one that does not answer is replaced; memory_limit: bytes
    of memory that one may have. Further options are those of `orrery.load`.

    An episode depends on its environment's seed, its number and its actions, and on nothing else. A
    simulation that fails is truncated, its error is in the infos as `failure`, and it is loaded anew.
    """

    def __init__(self, scene, num_envs=1, *, observe, act, ticks=1, reward=None, terminated=None, truncated=None,
                 values=None, max_episode_steps=None, on_reset=None, starts=None, autoreset_mode="NextStep",
                 dtype=numpy.float32, plugin_dirs=(), render_mode=None, camera=None, view=None, pictures=None,
                 processes=None, timeout=None, memory_limit=None, **options):
        self.num_envs = _checks.check_whole("num_envs", num_envs, _checks.MAX_SIMULATIONS if processes is None else 2 ** 31)
        _checks.check_processes(num_envs, processes, timeout, memory_limit)
        asked = Asked(render_mode, camera, view, pictures)
        self.ticks, self.dtype = _checks.check_whole("ticks", ticks, _checks.MAX_TICKS), _checks.check_dtype(dtype)
        self.max_episode_steps, self.on_reset, self.starts = max_episode_steps, on_reset, Starts(starts)
        if max_episode_steps is not None:
            _checks.check_whole("max_episode_steps", max_episode_steps, 2 ** 63 - 1)
        self.autoreset_mode = _checks.check_mode(_api.AutoresetMode, autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.rules = {"reward": reward, "terminated": terminated, "truncated": truncated}
        _checks.check_rules(self.rules, on_reset)
        expressions = _checks.check_values(values, self.rules)
        self.names = list(expressions)
        expressions.update({name: rule for name, rule in self.rules.items() if isinstance(rule, str)})
        self.has_functions = any(callable(rule) for rule in self.rules.values())
        self.layout = Layout(observe, act, expressions, pictures)
        self.directory = None
        self.processes, self.timeout, self.memory_limit = processes, timeout, memory_limit
        self.vector = self.load(scene, plugin_dirs, options, asked)
        try:
            self.cameras = Cameras(self.vector, self.num_envs, asked) if processes is None else \
                SharedCameras(self.vector, asked)
        except BaseException:
            self.forget()
            raise
        self.single_observation_space, self.single_action_space = \
            self.layout.measure(self.vector, self.dtype, asked, self.cameras.shapes)
        self.observation_space = _api.batch(self.single_observation_space, self.num_envs)
        self.action_space = _api.batch(self.single_action_space, self.num_envs)
        self.look_at_arrays()
        self.seeds, self.begun, self.stepping = None, False, False

    # --- loading ---

    def load(self, scene, plugin_dirs, options, asked):
        _checks.check_known(options, VectorEnv.__init__.__kwdefaults__)
        plugin_dirs = to_directories(plugin_dirs)
        settings = to_settings(options.pop("set", {}))
        check_options(options)
        # What comes from outside would make a difference, and so would the time of day.
        options.setdefault("offline", True)
        if "start_time" not in options:
            options.setdefault("start", 0.0)
        # Steps follow no clock, so that no component is too slow for one.
        options.setdefault("pacing", Orrery.Pacing.FAST)
        if settings:
            options["settings"] = list(options.get("settings") or ()) + settings
        if _build.is_script(scene):
            self.directory = tempfile.mkdtemp(prefix="orrery-gym-")
            build(scene, self.directory, plugin_dirs)
            scene = self.directory
        layout = (self.layout.observations, self.layout.actions, [str(each) for each in self.layout.values.values()])
        try:
            if self.processes is not None:
                setup = to_setup(scene, plugin_dirs, options, layout, self.on_reset, asked, self.memory_limit)
                return ProcessVector(self.num_envs, self.processes, self.timeout, setup)
            return _episodes.load_vector(scene, plugin_dirs, options, self.num_envs, layout)
        except GLib.Error as error:
            self.forget()
            raise _checks.name_expression(error, self.layout.values) from None
        except BaseException:
            self.forget()
            raise

    def look_at_arrays(self):
        n = self.num_envs
        if self.processes is not None:
            shared = self.vector.shared
            self.observed, self.acted, self.results, self.held = \
                shared.observed, shared.acted, shared.results, shared.held
        else:
            self.observed = look(self.vector.dup_observations(), writable=True)
            self.acted = look(self.vector.dup_actions(), writable=True)
            self.results = look(self.vector.dup_values())
            self.held = look(self.vector.dup_held(), writable=True)
        self.low = self.single_action_space.low.astype(float)
        self.high = self.single_action_space.high.astype(float)
        self.elapsed = numpy.zeros(n, dtype=numpy.int64)
        self.episodes = numpy.zeros(n, dtype=numpy.int64)
        self.ended = numpy.zeros(n, dtype=bool)

    def forget(self):
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)
            self.directory = None

    def close_extras(self, **options):
        self.cameras.forget()
        if self.processes is not None:
            self.vector.close()
        self.vector = self.observed = self.acted = self.results = self.held = None
        self.forget()

    @property
    def simulations(self):
        """The simulations themselves."""
        if self.closed:
            raise RuntimeError("the environment is closed")
        return [self.vector.get_simulation(i) for i in range(self.num_envs)]

    # --- resets ---

    def set_seeds(self, seed):
        if seed is None and self.seeds is None:
            seed = int(numpy.random.SeedSequence().generate_state(1)[0])
        if seed is None:
            return
        # All are looked at before one is taken, so that what is refused changes nothing.
        seeds = _checks.to_seeds(seed, self.num_envs)
        for i, each in enumerate(seeds):
            if each is None and self.seeds is not None:
                seeds[i] = self.seeds[i]
                continue
            if each is None:
                seeds[i] = int(numpy.random.SeedSequence().generate_state(1)[0])
            self.episodes[i] = 0
        self.seeds = seeds

    def begin(self, rows):
        # Begins their next episodes. Returns who else was lost in that with a process, and how.
        if rows.size == 0:
            return {}
        episodes = self.episodes.copy()
        states = [self.starts.choose(self.seeds[i], int(episodes[i])) for i in rows]
        self.episodes[rows] += 1
        self.elapsed[rows] = 0
        self.ended[rows] = False
        try:
            lost = self.begin_rows(rows, episodes, states)
        except BaseException:
            # Nobody knows which of them have begun.
            self.begun = False
            raise
        lost = {row: text for row, text in lost.items() if self.begun and not self.ended[row]}
        self.ended[list(lost)] = True
        return lost

    def begin_rows(self, rows, episodes, states):
        if self.processes is not None:
            return self.vector.begin_episodes(rows, self.seeds, episodes, states)
        for i, state in zip(rows, states):
            _episodes.begin_episode(self.vector, int(i), self.seeds[i], int(episodes[i]), state, self.on_reset,
                                    self.cameras.watch)
        return {}

    def check_free(self):
        if self.closed:
            raise RuntimeError("the environment is closed")
        if self.stepping and not self.begun:
            # Ctrl-C has ended step (), and the processes have gone on.
            self.vector.finish_step()
            self.stepping = False
        if self.stepping:
            raise RuntimeError("a step is under way: step_wait() comes first")

    def reset(self, *, seed=None, options=None):
        """Begins an episode in each environment, or in those of the mask `options["reset_mask"]`. A seed gives
        environment i that seed + i; a list has one for each. Returns observations and infos, a row for each.
        """
        self.check_free()
        mask = _checks.check_options(options).get("reset_mask")
        if mask is None:
            mask = numpy.ones(self.num_envs, dtype=bool)
        elif not (isinstance(mask, numpy.ndarray) and mask.dtype == bool and mask.shape == (self.num_envs,)):
            raise ValueError("reset_mask: an array of %d booleans" % self.num_envs)
        elif not self.begun and not mask.all():
            raise ValueError("reset_mask: the first reset is one of all environments")
        self.set_seeds(seed)
        lost = self.begin(numpy.flatnonzero(mask))
        self.begun = True
        self.keep()
        infos = self.get_infos(mask)
        self.tell_failures(infos, lost)
        return self.get_observations(), infos

    def render(self):
        """What is seen of each environment now, with the render_mode "rgb_array"; else None."""
        self.check_free()
        return None if self.render_mode is None else self.cameras.render()

    def save(self, i):
        """The present state of environment i, as bytes: something for later episodes to start with."""
        self.check_free()
        if not isinstance(i, (int, numpy.integer)) or not 0 <= i < self.num_envs:
            raise ValueError("save: %r is none of the %d environments" % (i, self.num_envs))
        return self.vector.save(int(i)) if self.processes is not None else self.vector.get_simulation(int(i)).save()

    # --- steps ---

    def keep(self):
        # What the next step calls previous.
        self.kept_observations, self.kept_results = self.observed.copy(), self.results.copy()

    def get_observations(self):
        if not self.layout.is_dict:
            return self.observed.astype(self.dtype)
        observations = {name: part.astype(self.dtype) for name, part in self.layout.split(self.observed).items()}
        return dict(observations, **self.cameras.observe())

    def get_infos(self, mask):
        infos = {}
        for name in self.names:
            column = self.results[:, self.layout.columns[name]]
            infos[name], infos["_" + name] = numpy.where(mask, column, 0), mask.copy()
        return infos

    def get_values(self, results):
        return dict(zip(self.layout.values, results.T))

    def judge(self, name, step, kind):
        # A reward or an end of all environments.
        rule = self.rules[name]
        if rule is None:
            return numpy.zeros(self.num_envs, dtype=kind)
        if isinstance(rule, str):
            given = self.results[:, self.layout.columns[name]]
        else:
            given = numpy.asarray(rule(step))
        if given.shape != (self.num_envs,):
            raise ValueError("%s: the function gave an array of shape %s, not (%d,)" % (name, given.shape, self.num_envs))
        return _checks.to_ends(given) if kind is bool else given.astype(kind)

    def take_actions(self, actions):
        given = _checks.to_numbers(actions, self.acted.shape)
        if not numpy.isfinite(given).all():
            where = tuple(int(index) for index in numpy.argwhere(~numpy.isfinite(given))[0])
            raise ValueError("actions%s is %s; %s takes finite numbers" %
                             (list(where), given[where], self.layout.acted[where[1]]))
        given.clip(self.low, self.high, out=self.acted)

    def step(self, actions):
        """Runs the ticks of a step with a row of actions for each environment. Returns observations, rewards,
        terminated, truncated, infos, with a row for each.
        """
        self.step_async(actions)
        try:
            return self.step_wait()
        except KeyboardInterrupt:
            # Nobody is to await it again.
            self.begun = False
            raise

    def step_async(self, actions):
        """Begins a step: processes run it while this one does something else, until it calls `step_wait`."""
        self.check_free()
        if not self.begun:
            raise RuntimeError("an environment is reset before its first step, and after one that was interrupted")
        if self.autoreset_mode == _api.AutoresetMode.DISABLED and self.ended.any():
            raise RuntimeError("environments %s have ended: reset them, with a reset_mask" %
                               numpy.flatnonzero(self.ended).tolist())
        self.take_actions(actions)
        self.held[:] = self.ended
        if self.processes is not None:
            self.vector.begin_step(self.ticks)
        self.stepping = True

    def step_wait(self):
        """Ends the step that `step_async` has begun. Returns what `step` does."""
        if not self.stepping:
            raise RuntimeError("no step is under way: step_async() comes first")
        try:
            failed = self.vector.finish_step() if self.processes is not None else self.step_here()
        except Exception:
            self.stepping = False
            # Some processes have stepped, others have not.
            self.begun = self.processes is None
            raise
        except BaseException:
            # Ctrl-C: processes go on with their step, which can be awaited again; here nobody knows who has stepped.
            self.stepping = self.begun = self.processes is not None
            raise
        self.stepping, self.begun = False, True
        waiting = self.ended
        failures = self.find_failures(waiting) if failed else {}
        self.elapsed += ~waiting
        step = self.make_step() if self.has_functions else None
        reward, terminated = self.judge("reward", step, numpy.float64), self.judge("terminated", step, bool)
        truncated = self.judge("truncated", step, bool)
        if self.max_episode_steps is not None:
            truncated |= self.elapsed >= self.max_episode_steps
        for i in failures:
            reward[i], terminated[i], truncated[i] = 0.0, False, True
        if waiting.any():
            reward[waiting] = 0.0
            terminated[waiting] = truncated[waiting] = False
        return self.finish(waiting, reward, terminated, truncated, failures)

    def step_here(self):
        # Others end soon by themselves, and watching takes some microseconds.
        if self.ticks * self.num_envs < LONG_STEP:
            return self.vector.step(self.ticks)
        with _interrupt.watched(self):
            return self.vector.step(self.ticks)

    def interrupt(self, interrupted):
        """As that of a simulation, of all of them: for Ctrl-C while they step."""
        for i in range(self.num_envs):
            self.vector.get_simulation(i).interrupt(interrupted)

    def make_step(self):
        return Step(observations=self.layout.split(shut(self.observed)), values=self.get_values(shut(self.results)),
                    previous_observations=self.layout.split(self.kept_observations),
                    previous_values=self.get_values(self.kept_results), actions=shut(self.acted), elapsed=shut(self.elapsed))

    def find_failures(self, waiting):
        # Of those, the last observation is that of the step before.
        failures = {int(i): self.vector.get_failure(int(i)) for i in numpy.flatnonzero(self.held > waiting)}
        for i in failures:
            self.observed[i] = self.kept_observations[i]
        return failures

    def finish(self, waiting, reward, terminated, truncated, failures):
        self.ended = terminated | truncated
        infos = self.get_infos(~waiting)
        final = {}
        if self.autoreset_mode == _api.AutoresetMode.SAME_STEP and self.ended.any():
            observations, again = self.get_observations(), self.ended.copy()
            rows = numpy.flatnonzero(again)
            while rows.size:
                lost = self.begin(rows)
                failures.update(lost)
                rows = numpy.array(list(lost), dtype=int)
                again[rows] = truncated[rows] = True
            self.tell_failures(infos, failures)
            final = self.get_final(infos, again, observations)
        else:
            lost = self.begin(numpy.flatnonzero(waiting)) if waiting.any() else {}
            if lost:
                truncated[list(lost)] = True
            self.tell_failures(infos, {**failures, **lost})
        self.keep()
        if final:
            infos = dict(self.get_infos(~waiting), **final)
        return self.get_observations(), reward, terminated, truncated, infos

    def tell_failures(self, infos, failures):
        if failures:
            infos["failure"] = numpy.array([failures.get(i) for i in range(self.num_envs)], dtype=object)
            infos["_failure"] = numpy.isin(numpy.arange(self.num_envs), list(failures))

    def get_final(self, infos, ended, observations):
        # As Gymnasium has it: of those that have ended what they ended with, beside what comes next.
        final = numpy.full(self.num_envs, None, dtype=object)
        for i in numpy.flatnonzero(ended):
            final[i] = {name: part[i] for name, part in observations.items()} if self.layout.is_dict else observations[i]
        infos = {name: column & ended if name.startswith("_") else column for name, column in infos.items()}
        return {"final_obs": final, "_final_obs": ended, "final_info": infos, "_final_info": ended}
