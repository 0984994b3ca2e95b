# SPDX-License-Identifier: BSD-3-Clause
"""The base class of vectors, with what a class that derives from it has to have."""

import abc

from gymnasium import spaces


class VecEnv(abc.ABC):
    def __init__(self, num_envs, observation_space, action_space):
        assert isinstance(num_envs, int) and num_envs > 0
        assert isinstance(observation_space, spaces.Space) and isinstance(action_space, spaces.Space)
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._seeds = [None for _ in range(num_envs)]
        self._options = [{} for _ in range(num_envs)]
        modes = self.get_attr("render_mode")
        assert len(modes) == num_envs and all(mode == modes[0] for mode in modes)
        self.render_mode = modes[0]
        self.metadata = {"render_modes": [] if modes[0] is None else [modes[0]]}

    @abc.abstractmethod
    def reset(self):
        """Observations of all."""

    @abc.abstractmethod
    def step_async(self, actions):
        """Begins a step."""

    @abc.abstractmethod
    def step_wait(self):
        """Observations, rewards, dones and a list of infos."""

    @abc.abstractmethod
    def close(self):
        """Ends it."""

    @abc.abstractmethod
    def get_attr(self, attr_name, indices=None):
        """A list with an entry for each."""

    @abc.abstractmethod
    def set_attr(self, attr_name, value, indices=None):
        """Sets it in each."""

    @abc.abstractmethod
    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        """A list with what each returned."""

    @abc.abstractmethod
    def env_is_wrapped(self, wrapper_class, indices=None):
        """A list of booleans."""

    def get_images(self):
        raise NotImplementedError

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    def seed(self, seed=None):
        assert seed is not None
        self._seeds = [seed + i for i in range(self.num_envs)]
        return self._seeds

    def set_options(self, options=None):
        self._options = [dict(options or {}) for _ in range(self.num_envs)]

    @property
    def unwrapped(self):
        return self
