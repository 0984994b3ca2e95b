# SPDX-License-Identifier: BSD-3-Clause
"""What orrery.gym uses of Gymnasium 1.1, as its documents describe it, with the checks that they promise."""

import importlib

import numpy

from . import spaces, vector  # noqa: F401

__version__ = "1.1.0"
registry = {}


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    spec = None
    _np_random = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            assert isinstance(seed, int) and seed >= 0, seed
            self._np_random = numpy.random.default_rng(seed)

    @property
    def np_random(self):
        return self._np_random

    @property
    def unwrapped(self):
        return self


class Spec:
    def __init__(self, id, entry_point, vector_entry_point, kwargs):
        self.id, self.entry_point, self.vector_entry_point, self.kwargs = id, entry_point, vector_entry_point, kwargs


def register(id, entry_point=None, *, max_episode_steps=None, vector_entry_point=None, kwargs=None):
    name, _, version = id.rpartition("-v")
    assert name and version.isdigit() and id not in registry, id
    registry[id] = Spec(id, entry_point, vector_entry_point, dict(kwargs or {}))


def find(entry_point):
    module, name = entry_point.split(":")
    return getattr(importlib.import_module(module), name)


def make(id, **kwargs):
    """A module to import may stand before the name."""
    module, _, id = id.rpartition(":")
    if module:
        importlib.import_module(module)
    spec = registry[id]
    env = find(spec.entry_point)(**dict(spec.kwargs, **kwargs))
    assert isinstance(env, Env), env
    assert "render_mode" not in kwargs or kwargs["render_mode"] in env.metadata["render_modes"]
    env.unwrapped.spec = spec
    return env


def make_vec(id, num_envs=1, **kwargs):
    spec = registry[id]
    env = find(spec.vector_entry_point)(num_envs=num_envs, **dict(spec.kwargs, **kwargs))
    assert isinstance(env, vector.VectorEnv), env
    assert isinstance(env.metadata["autoreset_mode"], vector.AutoresetMode)
    env.unwrapped.spec = spec
    return env
