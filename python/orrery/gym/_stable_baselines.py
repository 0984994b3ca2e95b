# SPDX-License-Identifier: BSD-3-Clause
"""A vector of environments as learners of Stable-Baselines3 want it."""

import numpy

from . import _api


def find_base():
    """Its class, where it is installed with a Gymnasium that this package uses."""
    if not _api.HAS_GYMNASIUM:
        return None
    try:
        from stable_baselines3.common.vec_env import VecEnv
    except ImportError:
        return None
    return VecEnv


class OwnVecEnv:
    """What Stable-Baselines3's class does for those that derive from it."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._seeds = [None] * num_envs
        self._options = [{} for _ in range(num_envs)]
        self.render_mode = self.get_attr("render_mode")[0]
        self.metadata = {"render_modes": [] if self.render_mode is None else [self.render_mode]}

    @property
    def unwrapped(self):
        return self

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    def seed(self, seed=None):
        if seed is None:
            seed = int(numpy.random.SeedSequence().generate_state(1)[0])
        self._seeds = [seed + i for i in range(self.num_envs)]
        return self._seeds

    def set_options(self, options=None):
        options = {} if options is None else options
        self._options = [dict(options) for _ in range(self.num_envs)] if isinstance(options, dict) else list(options)


Base = find_base() or OwnVecEnv


class StableBaselinesVecEnv(Base):
    """A `VectorEnv` whose mode is `SameStep` as a `VecEnv` of Stable-Baselines3 2.

    Seeds given with `seed ()` are used by the next reset. Where something is asked of each environment
    (`get_attr`, `set_attr`, `env_method`), it is asked of its simulation, and what that does not have,
    of the vector. Options of a reset are not used.
    """

    def __init__(self, vector_env):
        mode = vector_env.metadata.get("autoreset_mode")
        if mode != _api.AutoresetMode.SAME_STEP:
            raise ValueError("Stable-Baselines3 needs autoreset_mode=\"SameStep\", not %r" %
                             getattr(mode, "value", mode))
        self.vector_env, self.actions = vector_env, None
        super().__init__(vector_env.num_envs, vector_env.single_observation_space, vector_env.single_action_space)

    # --- episodes ---

    def reset(self):
        """Begins an episode in each environment, with the seeds of `seed ()`. Returns their observations."""
        seeds = list(self._seeds) if any(seed is not None for seed in self._seeds) else None
        observations, infos = self.vector_env.reset(seed=seeds)
        self.reset_infos = [self.take(infos, i) for i in range(self.num_envs)]
        # Both are of one reset.
        self._seeds = [None] * self.num_envs
        self._options = [{} for _ in range(self.num_envs)]
        return observations

    def step_async(self, actions):
        """Gives the actions of the next step."""
        self.actions = actions

    def step_wait(self):
        """Runs the step. Returns observations, rewards, who has ended, and a dictionary of each."""
        if self.actions is None:
            raise RuntimeError("step_wait () without step_async ()")
        actions, self.actions = self.actions, None
        observations, rewards, terminated, truncated, infos = self.vector_env.step(actions)
        ended = terminated | truncated
        told = [self.take(infos, i) for i in range(self.num_envs)]
        for i in numpy.flatnonzero(ended):
            self.reset_infos[i] = told[i]
            told[i] = self.take(infos["final_info"], i)
            told[i]["terminal_observation"] = infos["final_obs"][i]
        for i in range(self.num_envs):
            told[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return observations, rewards.astype(numpy.float32), ended, told

    @staticmethod
    def take(infos, i):
        # What they say of one environment.
        return {name: column[i] for name, column in infos.items()
                if "_" + name in infos and infos["_" + name][i] and not name.startswith("final_")}

    def close(self):
        """Closes the vector and its simulations."""
        self.vector_env.close()

    # --- each environment ---

    def to_indices(self, indices):
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, (int, numpy.integer)) else list(indices)

    def find_owner(self, name, i):
        # The simulation or the vector: the one that has it.
        vector = self.vector_env.unwrapped
        if vector.processes is not None:
            # Simulations are not at hand.
            return vector
        simulation = vector.vector.get_simulation(i)
        return vector if hasattr(vector, name) and not hasattr(simulation, name) else simulation

    def get_attr(self, attr_name, indices=None):
        """The attribute of that name of each simulation, or of the vector."""
        return [getattr(self.find_owner(attr_name, i), attr_name) for i in self.to_indices(indices)]

    def set_attr(self, attr_name, value, indices=None):
        """Sets it, where `get_attr` finds it."""
        indices = self.to_indices(indices)
        owners = [self.find_owner(attr_name, i) for i in indices]
        if self.vector_env.unwrapped in owners and len(set(indices)) < self.num_envs:
            raise ValueError("%s is one of all environments: set it without indices" % attr_name)
        for owner in owners:
            setattr(owner, attr_name, value)

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        """What a method of each simulation, or of the vector, returns."""
        return [getattr(self.find_owner(method_name, i), method_name)(*method_args, **method_kwargs)
                for i in self.to_indices(indices)]

    def env_is_wrapped(self, wrapper_class, indices=None):
        """Nothing is around a single environment."""
        return [False for _ in self.to_indices(indices)]

    def get_images(self):
        """None of each, without the render_mode "rgb_array"."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return list(self.vector_env.render())
