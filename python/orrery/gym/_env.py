# SPDX-License-Identifier: BSD-3-Clause
"""One simulation of a scene as an environment."""

from . import _api, _checks
from ._vector import VectorEnv


class Env(_api.BaseEnv):
    """A `VectorEnv` of one, with the same options, without the axis of environments and without autoreset."""

    def __init__(self, scene, **options):
        if "autoreset_mode" in options or "num_envs" in options:
            raise TypeError("one environment: without num_envs and autoreset_mode")
        self.vector_env = VectorEnv(scene, 1, autoreset_mode=_api.AutoresetMode.DISABLED, **options)
        self.observation_space = self.vector_env.single_observation_space
        self.action_space = self.vector_env.single_action_space
        self.metadata = {"render_modes": self.vector_env.metadata["render_modes"]}
        self.render_mode = self.vector_env.render_mode

    @property
    def simulation(self):
        """The simulation itself."""
        return self.vector_env.simulations[0]

    def take(self, observations, infos):
        first = {name: part[0] for name, part in observations.items()} if isinstance(observations, dict) else \
            observations[0]
        return first, {name: column[0] for name, column in infos.items() if "_" + name in infos and infos["_" + name][0]}

    def reset(self, *, seed=None, options=None):
        """Begins an episode. Returns an observation and a dictionary of infos."""
        begun = self.vector_env.reset(seed=None if seed is None else [seed], options=options)
        if seed is not None and _api.HAS_GYMNASIUM:
            super().reset(seed=seed)
        return self.take(*begun)

    def step(self, action):
        """Runs the ticks of a step with an action. Returns observation, reward, terminated, truncated, infos."""
        given = _checks.to_numbers(action, self.action_space.shape, "the action", "has")
        observations, rewards, terminated, truncated, infos = self.vector_env.step(given[None])
        observation, info = self.take(observations, infos)
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self):
        """A picture with the render_mode "rgb_array"; else None."""
        pictures = self.vector_env.render()
        return None if pictures is None else pictures[0]

    def close(self):
        """Closes the simulation."""
        self.vector_env.close()
