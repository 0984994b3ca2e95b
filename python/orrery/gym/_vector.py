# SPDX-License-Identifier: BSD-3-Clause
"""Many simulations of a scene as one environment."""

import collections.abc
import os
import shutil
import tempfile

import numpy

from .. import _build
from .._native import build, check_options, check_path, to_settings
from .._values import Orrery, View
from . import _api
from ._pictures import Cameras

# Of an episode: from the seed of its environment and its number, so that nothing else matters.
SEED_LIMIT = 2 ** 64


def look(buffer, writable=False):
    """A view of what the library writes, or reads."""
    if buffer.get_size() == 0:
        return numpy.zeros(tuple(buffer.get_length(i) for i in range(buffer.get_n_dimensions())))
    view = View(buffer)
    view.__array_interface__["data"] = (buffer.get_address(), not writable)
    return numpy.asarray(view)


def shut(array):
    """The same memory, for those who only read it."""
    view = array.view()
    view.flags.writeable = False
    return view


def to_names(fields):
    return [fields] if isinstance(fields, str) else list(fields)


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
        self.groups = {name: to_names(fields) for name, fields in observe.items()} if self.is_dict else \
            {None: to_names(observe)}
        if not all(self.groups.values()):
            raise ValueError("observe: an observation of no field")
        if pictures and (not self.is_dict or set(pictures) & set(observe)):
            raise ValueError("pictures: observe is a dictionary then, with other names")
        self.observations = [field for fields in self.groups.values() for field in fields]
        if not isinstance(act, collections.abc.Mapping) or not act:
            raise ValueError("act: a dictionary of fields of actuators with their bounds: "
                             "{'robot.motion.v': (-1, 1)}")
        self.actions = list(act)
        self.bounds = [self.to_bounds(field, act[field]) for field in self.actions]
        self.values = dict(values)

    @staticmethod
    def to_bounds(field, bounds):
        try:
            low, high = (float(bound) for bound in bounds)
        except (TypeError, ValueError):
            raise ValueError("act: %s: its bounds are two numbers, as (-1, 1)" % field) from None
        if not (numpy.isfinite([low, high]).all() and low < high):
            raise ValueError("act: %s: %g to %g are no bounds" % (field, low, high))
        return low, high

    def measure(self, vector, dtype, cameras):
        """The spaces of one environment; where the columns of each group begin and end."""
        widths = [vector.get_observation_width(i) for i in range(len(self.observations))]
        self.slices, first, done = {}, 0, 0
        for name, fields in self.groups.items():
            width = sum(widths[done:done + len(fields)])
            self.slices[name] = slice(first, first + width)
            first, done = first + width, done + len(fields)
        spaces = {name: _api.Box(-numpy.inf, numpy.inf, (part.stop - part.start,), dtype)
                  for name, part in self.slices.items()}
        spaces.update({key: _api.Box(0, 255, cameras.shapes[name], numpy.uint8) for key, name in cameras.pictures.items()})
        widths = [vector.get_action_width(i) for i in range(len(self.actions))]
        low, high = (numpy.repeat([bounds[i] for bounds in self.bounds], widths).astype(numpy.float32) for i in (0, 1))
        return _api.Dict(spaces) if self.is_dict else spaces[None], _api.Box(low, high, dtype=numpy.float32)

    def split(self, matrix):
        if not self.is_dict:
            return matrix
        return {name: matrix[:, part] for name, part in self.slices.items()}


class VectorEnv(_api.BaseVectorEnv):
    """`num_envs` simulations of a scene, or of what a builder script says, in this process.

    observe: a list of fields by full names, or a dictionary of such lists, which makes observations
    dictionaries; numbers, vectors and arrays, joined. act: fields of actuators and their bounds; actions
    beyond them are clipped. ticks: of each step. reward, terminated, truncated: an expression over fields
    (docs/batch.md has the language), or a function of a `Step` that returns an array. values: further
    expressions by name, which are in the infos. max_episode_steps: after so many steps an episode is
    truncated. on_reset: called with the simulation and a random generator of the episode before it
    begins, to set properties or move objects. render_mode: "rgb_array", then `render ()` gives what the
    camera of the scene with the name `camera` sees, or a free one with the `view` of `Simulation.render`.
    pictures: cameras by names of observations. Further options are those of `orrery.load`.

    An episode depends on its environment's seed, its number and its actions, and on nothing else. A
    simulation that fails is truncated, its error is in the infos as `failure`, and it is loaded anew.
    """

    def __init__(self, scene, num_envs=1, *, observe, act, ticks=1, reward=None, terminated=None, truncated=None,
                 values=None, max_episode_steps=None, on_reset=None, autoreset_mode="NextStep", dtype=numpy.float32,
                 plugin_dirs=(), render_mode=None, camera=None, view=None, pictures=None, **options):
        if num_envs < 1 or ticks < 1 or (max_episode_steps is not None and max_episode_steps < 1):
            raise ValueError("num_envs, ticks and max_episode_steps are 1 or more")
        self.num_envs, self.ticks, self.dtype = int(num_envs), int(ticks), numpy.dtype(dtype)
        self.max_episode_steps, self.on_reset = max_episode_steps, on_reset
        self.autoreset_mode = _api.AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.rules = {"reward": reward, "terminated": terminated, "truncated": truncated}
        expressions = dict(values or {})
        taken = [name for name in expressions if name in self.rules]
        if taken:
            raise ValueError("values: %s is a name of the environment's own" % taken[0])
        self.names = list(expressions)
        expressions.update({name: rule for name, rule in self.rules.items() if isinstance(rule, str)})
        self.layout = Layout(observe, act, expressions, pictures)
        self.directory = None
        self.vector = self.load(scene, plugin_dirs, options)
        try:
            self.cameras = Cameras(self.vector, self.num_envs, render_mode, camera, view, pictures)
        except BaseException:
            self.forget()
            raise
        self.single_observation_space, self.single_action_space = self.layout.measure(self.vector, dtype, self.cameras)
        self.observation_space = _api.batch(self.single_observation_space, self.num_envs)
        self.action_space = _api.batch(self.single_action_space, self.num_envs)
        self.look_at_arrays()
        self.seeds, self.begun = None, False

    # --- loading ---

    def load(self, scene, plugin_dirs, options):
        check_path(os.fspath(scene))
        settings = to_settings(options.pop("set", {}))
        check_options(options)
        # What comes from outside would make a difference.
        options.setdefault("offline", True)
        if settings:
            options["settings"] = list(options.get("settings") or ()) + settings
        if _build.is_script(scene):
            self.directory = tempfile.mkdtemp(prefix="orrery-gym-")
            build(scene, self.directory, plugin_dirs)
            scene = self.directory
        registry = Orrery.Registry.new()
        for directory in plugin_dirs:
            registry.add_directory(os.fspath(directory))
        try:
            return Orrery.Vector.new(registry, os.fspath(scene), Orrery.Options(**options), self.num_envs,
                                     self.layout.observations, self.layout.actions,
                                     [str(each) for each in self.layout.values.values()])
        except BaseException:
            self.forget()
            raise

    def look_at_arrays(self):
        n = self.num_envs
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
        self.vector = None
        self.forget()

    @property
    def simulations(self):
        """The simulations themselves."""
        return [self.vector.get_simulation(i) for i in range(self.num_envs)]

    # --- resets ---

    def set_seeds(self, seed):
        if seed is None and self.seeds is None:
            seed = int(numpy.random.SeedSequence().generate_state(1)[0])
        if seed is None:
            return
        if isinstance(seed, (int, numpy.integer)):
            seed = [int(seed) + i for i in range(self.num_envs)]
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError("seed: %d for %d environments" % (len(seeds), self.num_envs))
        for i, each in enumerate(seeds):
            if each is None:
                each = self.seeds[i] if self.seeds is not None else \
                    int(numpy.random.SeedSequence().generate_state(1)[0])
                seeds[i] = each
            if not isinstance(each, (int, numpy.integer)) or not 0 <= each < SEED_LIMIT:
                raise ValueError("seed: %r is no whole number from 0 to 2**64 - 1" % (each,))
            if seed[i] is not None or self.seeds is None:
                self.episodes[i] = 0
        self.seeds = [int(each) for each in seeds]

    def begin(self, i):
        """Begins the next episode of one environment."""
        sequence = numpy.random.SeedSequence([self.seeds[i], int(self.episodes[i])])
        self.episodes[i] += 1
        self.elapsed[i] = 0
        self.ended[i] = False
        self.vector.rewind(i, int(sequence.generate_state(1, numpy.uint64)[0]))
        if self.on_reset is not None:
            self.on_reset(self.vector.get_simulation(i), numpy.random.default_rng(sequence))
        self.cameras.watch(i)
        self.vector.begin(i, 1 if self.on_reset is None else 2)

    def reset(self, *, seed=None, options=None):
        self.set_seeds(seed)
        mask = (options or {}).get("reset_mask")
        if mask is None:
            mask = numpy.ones(self.num_envs, dtype=bool)
        elif not (isinstance(mask, numpy.ndarray) and mask.dtype == bool and mask.shape == (self.num_envs,)):
            raise ValueError("reset_mask: an array of %d booleans" % self.num_envs)
        elif not self.begun and not mask.all():
            raise ValueError("reset_mask: the first reset is one of all environments")
        for i in numpy.flatnonzero(mask):
            self.begin(i)
        self.begun = True
        self.keep()
        return self.get_observations(), self.get_infos(mask)

    def render(self):
        """What is seen of each environment now, with the render_mode "rgb_array"; else None."""
        return None if self.render_mode is None else tuple(self.cameras.render(i) for i in range(self.num_envs))

    # --- steps ---

    def keep(self):
        """What the next step calls previous."""
        self.kept_observations, self.kept_results = self.observed.copy(), self.results.copy()

    def get_observations(self):
        if not self.layout.is_dict:
            return self.observed.astype(self.dtype)
        observations = {name: part.astype(self.dtype) for name, part in self.layout.split(self.observed).items()}
        return dict(observations, **self.cameras.observe())

    def get_infos(self, mask):
        infos = {}
        for name, column in self.get_values(self.results).items():
            if name in self.names:
                infos[name], infos["_" + name] = numpy.where(mask, column, 0), mask.copy()
        return infos

    def get_values(self, results):
        return dict(zip(self.layout.values, results.T))

    def judge(self, name, step, kind):
        """A reward or an end of all environments."""
        rule = self.rules[name]
        if rule is None:
            return numpy.zeros(self.num_envs, dtype=kind)
        if isinstance(rule, str):
            return step.values[name].astype(kind)
        given = numpy.asarray(rule(step))
        if given.shape != (self.num_envs,):
            raise ValueError("%s: the function gave an array of shape %s, not (%d,)" % (name, given.shape, self.num_envs))
        return given.astype(kind)

    def take_actions(self, actions):
        given = numpy.asarray(actions, dtype=float)
        if given.shape != self.acted.shape:
            raise ValueError("actions have the shape %s, not %s" % (given.shape, self.acted.shape))
        if not numpy.isfinite(given).all():
            where = tuple(int(index) for index in numpy.argwhere(~numpy.isfinite(given))[0])
            raise ValueError("actions%s is %s" % (list(where), given[where]))
        numpy.clip(given, self.low, self.high, out=self.acted)

    def step(self, actions):
        if not self.begun:
            raise RuntimeError("an environment is reset before its first step")
        waiting = self.ended.copy()
        if waiting.any() and self.autoreset_mode == _api.AutoresetMode.DISABLED:
            raise RuntimeError("environments %s have ended: reset them, with a reset_mask" %
                               numpy.flatnonzero(waiting).tolist())
        self.take_actions(actions)
        self.held[:] = waiting
        self.vector.step(self.ticks)
        failures = self.find_failures(waiting)
        self.elapsed[~waiting] += 1
        step = Step(observations=self.layout.split(shut(self.observed)), values=self.get_values(shut(self.results)),
                    previous_observations=self.layout.split(self.kept_observations),
                    previous_values=self.get_values(self.kept_results), actions=shut(self.acted), elapsed=shut(self.elapsed))
        reward, terminated = self.judge("reward", step, numpy.float64), self.judge("terminated", step, bool)
        truncated = self.judge("truncated", step, bool)
        if self.max_episode_steps is not None:
            truncated |= self.elapsed >= self.max_episode_steps
        for i in failures:
            reward[i], terminated[i], truncated[i] = 0.0, False, True
        reward[waiting] = 0.0
        terminated[waiting] = truncated[waiting] = False
        return self.finish(waiting, reward, terminated, truncated, failures)

    def find_failures(self, waiting):
        """Of those, the last observation is that of the step before."""
        failures = {int(i): self.vector.get_failure(int(i)) for i in numpy.flatnonzero(self.held.astype(bool) & ~waiting)}
        for i in failures:
            self.observed[i] = self.kept_observations[i]
        return failures

    def finish(self, waiting, reward, terminated, truncated, failures):
        self.ended = (terminated | truncated) & ~waiting
        infos = self.get_infos(~waiting)
        if failures:
            infos["failure"] = numpy.array([failures.get(i) for i in range(self.num_envs)], dtype=object)
            infos["_failure"] = numpy.isin(numpy.arange(self.num_envs), list(failures))
        again, final = waiting, {}
        if self.autoreset_mode == _api.AutoresetMode.SAME_STEP and self.ended.any():
            again = self.ended.copy()
            final = self.get_final(infos, again)
        for i in numpy.flatnonzero(again):
            self.begin(i)
        self.keep()
        if final:
            infos = dict(self.get_infos(~waiting), **final)
        return self.get_observations(), reward, terminated, truncated, infos

    def get_final(self, infos, ended):
        """As Gymnasium has it: of those that have ended what they ended with, beside what comes next."""
        observations = self.get_observations()
        final = numpy.full(self.num_envs, None, dtype=object)
        for i in numpy.flatnonzero(ended):
            final[i] = {name: part[i] for name, part in observations.items()} if self.layout.is_dict else observations[i]
        infos = {name: column & ended if name.startswith("_") else column for name, column in infos.items()}
        return {"final_obs": final, "_final_obs": ended, "final_info": infos, "_final_info": ended}
