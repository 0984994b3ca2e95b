# SPDX-License-Identifier: BSD-3-Clause
"""What orrery.gym uses of PettingZoo 1.24, as its documents describe it."""

__version__ = "1.24.3"


class ParallelEnv:
    def reset(self, seed=None, options=None):
        raise NotImplementedError

    def step(self, actions):
        raise NotImplementedError

    def render(self):
        raise NotImplementedError

    def close(self):
        """Nothing to end."""

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self
