# SPDX-License-Identifier: BSD-3-Clause
"""Several robots of one simulation as agents, with the parallel API of PettingZoo."""

import collections.abc

import numpy

from . import _api, _checks
from ._vector import Step, VectorEnv

KEYS = ("observe", "act", "reward", "terminated", "truncated", "values")


def find_base():
    """PettingZoo's class, where it is installed with a Gymnasium that this package uses."""
    if not _api.HAS_GYMNASIUM:
        return None
    try:
        from pettingzoo import ParallelEnv as Found
    except ImportError:
        return None
    return Found


class OwnParallelEnv:
    """What PettingZoo's class does for those that derive from it."""

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self


class Agent:
    """What one agent sees and does, and which columns of all that is."""

    def __init__(self, name, i, given):
        if not isinstance(given, collections.abc.Mapping):
            raise TypeError("agents: %s: a dictionary with observe and act" % name)
        unknown = sorted(set(given) - set(KEYS))
        if unknown:
            raise TypeError("agents: %s: %s is none of %s" % (name, unknown[0], ", ".join(KEYS)))
        if "observe" not in given or "act" not in given:
            raise TypeError("agents: %s: observe and act are needed" % name)
        if not isinstance(given["act"], collections.abc.Mapping):
            raise ValueError("agents: %s: act: a dictionary of fields of actuators with their bounds" % name)
        observe = given["observe"]
        self.name, self.act = name, given["act"]
        self.is_dict = isinstance(observe, collections.abc.Mapping)
        # A number in front, so that no two agents share a name whatever they are called.
        self.observe = {"%d.%s" % (i, group): fields for group, fields in
                        (observe.items() if self.is_dict else [("", observe)])}
        self.rules = {rule: given.get(rule) for rule in ("reward", "terminated", "truncated")}
        try:
            _checks.check_rules(self.rules, None)
            named = _checks.check_values(given.get("values"), self.rules)
        except (TypeError, ValueError) as problem:
            raise type(problem)("agents: %s: %s" % (name, problem)) from None
        self.names = list(named)
        named.update({rule: text for rule, text in self.rules.items() if isinstance(text, str)})
        self.values = {"%d.%s" % (i, each): text for each, text in named.items()}

    def measure(self, vector_env, first, width):
        self.columns = slice(first, first + width)
        space, actions = vector_env.single_observation_space, vector_env.single_action_space
        spaces = {key.split(".", 1)[1]: space.spaces[key] for key in self.observe}
        self.observation_space = _api.Dict(spaces) if self.is_dict else spaces[""]
        self.action_space = _api.Box(actions.low[self.columns], actions.high[self.columns], dtype=actions.dtype)

    def take(self, observations):
        """Of all observations, its own."""
        own = {key.split(".", 1)[1]: observations[key][0] for key in self.observe}
        return own if self.is_dict else own[""]

    def take_values(self, values):
        return {key.split(".", 1)[1]: float(values[key][0]) for key in self.values}

    def see(self, step):
        """Of a step of all, its own."""
        return Step(observations=self.take(step.observations), values=self.take_values(step.values),
                    previous_observations=self.take(step.previous_observations),
                    previous_values=self.take_values(step.previous_values), actions=step.actions[0, self.columns],
                    elapsed=int(step.elapsed[0]))

    def judge(self, name, step):
        """A reward or an end: a number."""
        rule = self.rules[name]
        if rule is None:
            return 0.0
        given = step.values[name] if isinstance(rule, str) else rule(step)
        if numpy.ndim(given) != 0:
            raise ValueError("agents: %s: %s: the function gave an array of shape %s, not a number" %
                             (self.name, name, numpy.shape(given)))
        return float(given)


class ParallelEnv(find_base() or OwnParallelEnv):
    """One simulation of a scene in which each agent observes, acts and is rewarded on its own.

    agents: a dictionary by name of dictionaries with `observe`, `act`, `reward`, `terminated`, `truncated`
    and `values`, as `VectorEnv` has them; functions are given a `Step` of their agent, without the axis of
    environments, and return a number. Further options are those of `Env`.

    An agent leaves with its end; what it acts on is then given zeros, or the bound that is nearest to
    zero. The episode is over when no agent is left.
    """

    metadata = {"name": "orrery", "render_modes": [], "is_parallelizable": True}

    def __init__(self, scene, *, agents, **options):
        if not isinstance(agents, collections.abc.Mapping) or not agents:
            raise TypeError("agents: a dictionary with one agent or more")
        wrong = [name for name in (*KEYS, "num_envs", "autoreset_mode") if name in options]
        if wrong:
            raise TypeError("%s is no option of several agents" % wrong[0])
        self.each = {name: Agent(name, i, given) for i, (name, given) in enumerate(agents.items())}
        self.vector_env = self.load(scene, options)
        self.possible_agents, self.agents = list(agents), []
        self.measure()
        self.observation_spaces = {name: agent.observation_space for name, agent in self.each.items()}
        self.action_spaces = {name: agent.action_space for name, agent in self.each.items()}
        self.state_space = _api.Box(-numpy.inf, numpy.inf, (self.vector_env.observed.shape[1],), self.vector_env.dtype)
        self.metadata = dict(self.metadata, render_modes=self.vector_env.metadata["render_modes"])
        self.render_mode = self.vector_env.render_mode

    def load(self, scene, options):
        observe, act, values = {}, {}, {}
        for agent in self.each.values():
            shared = [field for field in agent.act if field in act]
            if shared:
                raise ValueError("agents: %s: act: %s is of another agent" % (agent.name, shared[0]))
            observe.update(agent.observe)
            act.update(agent.act)
            values.update(agent.values)
        return VectorEnv(scene, 1, observe=observe, act=act, values=values, reward=self.judge,
                         autoreset_mode=_api.AutoresetMode.DISABLED, **options)

    def measure(self):
        widths = [self.vector_env.vector.get_action_width(i) for i in range(len(self.vector_env.layout.actions))]
        first, done = 0, 0
        for agent in self.each.values():
            width = sum(widths[done:done + len(agent.act)])
            agent.measure(self.vector_env, first, width)
            first, done = first + width, done + len(agent.act)
        self.idle = numpy.clip(0.0, self.vector_env.low, self.vector_env.high)

    @property
    def simulation(self):
        """The simulation that all agents share."""
        return self.vector_env.simulations[0]

    def observation_space(self, agent):
        """What the agent of that name observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent):
        """What the agent of that name does."""
        return self.action_spaces[agent]

    def state(self):
        """The observations of all agents, also of those that have left, in one array."""
        return self.vector_env.observed[0].astype(self.vector_env.dtype)

    # --- episodes ---

    def reset(self, seed=None, options=None):
        """Begins an episode with all agents. Returns observations and infos by agent."""
        observations, infos = self.vector_env.reset(seed=None if seed is None else [seed])
        self.agents = list(self.possible_agents)
        return self.take(observations), self.take_infos(infos)

    def take(self, observations):
        return {name: self.each[name].take(observations) for name in self.agents}

    def take_infos(self, infos):
        told = {}
        for name in self.agents:
            values = self.each[name].take_values(infos)
            told[name] = {each: values[each] for each in self.each[name].names}
        return told

    def judge(self, step):
        # Called by the vector when it has stepped: what the rules of each agent say.
        self.rewards, self.terminated, self.truncated = {}, {}, {}
        for name in self.agents:
            seen = self.each[name].see(step)
            self.rewards[name] = self.each[name].judge("reward", seen)
            # As in expressions, NaN is false.
            self.terminated[name] = abs(self.each[name].judge("terminated", seen)) > 0
            self.truncated[name] = abs(self.each[name].judge("truncated", seen)) > 0
        return numpy.zeros(1)

    def join(self, actions):
        if set(actions) != set(self.agents):
            raise ValueError("actions are of %s, not of %s" % (sorted(self.agents), sorted(actions)))
        joined = self.idle.copy()
        for name in self.agents:
            agent, given = self.each[name], numpy.asarray(actions[name], dtype=float)
            if given.shape != agent.action_space.shape:
                raise ValueError("actions of %s have the shape %s, not %s" %
                                 (name, given.shape, agent.action_space.shape))
            if not numpy.isfinite(given).all():
                raise ValueError("actions of %s are not finite: %s" % (name, given.tolist()))
            joined[agent.columns] = given
        return joined[None]

    def step(self, actions):
        """Runs the ticks of a step with an action of each agent that is left. Returns observations, rewards,
        terminated, truncated, infos by agent.
        """
        if not self.vector_env.begun:
            raise RuntimeError("an environment is reset before its first step")
        joined = self.join(actions)
        if not self.agents:
            return {}, {}, {}, {}, {}
        observations, _, _, ended, infos = self.vector_env.step(joined)
        told = self.take_infos(infos)
        failure = infos["failure"][0] if "failure" in infos else None
        for name in self.agents:
            if failure is not None:
                self.rewards[name], self.terminated[name] = 0.0, False
                told[name]["failure"] = failure
            self.truncated[name] |= bool(ended[0])
        result = self.take(observations), self.rewards, self.terminated, self.truncated, told
        self.agents = [name for name in self.agents if not (self.terminated[name] or self.truncated[name])]
        return result

    def render(self):
        """A picture with the render_mode "rgb_array"; else None."""
        pictures = self.vector_env.render()
        return None if pictures is None else pictures[0]

    def close(self):
        """Closes the simulation."""
        self.vector_env.close()
