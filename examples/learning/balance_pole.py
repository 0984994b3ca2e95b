# SPDX-License-Identifier: BSD-3-Clause
"""A cart learns to balance a pole: an evolution strategy over the four numbers of a linear policy.

    orrery python balance_pole.py [--seeds 1 2 3] [--plot FILE.png] [--film FILE.gif] [--processes 2]

The task is orrery.gym.tasks.balance_pole, in Gymnasium orrery/BalancePole-v0. The program prints a
line for each generation, with how long the mean policy keeps the pole up, and writes the policy to
balance_pole.npz. The same seed gives the same numbers.
"""

import evolution
import numpy

from orrery.gym.tasks.balance_pole import FORCE, make_vec


def act(weights, observations):
    return FORCE * numpy.tanh((observations * weights).sum(axis=1, keepdims=True))


def score(rewards, terminated):
    """Seconds that the pole is up; a step is a fiftieth."""
    return numpy.full(len(rewards), 0.02)


def tell(generation, mean_return, mean_score, least_score):
    return "generation %2d: the pole is up for %5.2f of 10 s, at least %5.2f s" % (generation, mean_score, least_score)


LEARNER = evolution.Learner(make_vec, act, 4, score, pairs=16, spread=1.0, rate=1.0,
                            view={"from_": (0, -5, 1.8), "at": (0, 0, 1.2)})

if __name__ == "__main__":
    evolution.main(LEARNER, 12, tell, "time that the pole is up, s (at most 10)", 10, "balance_pole.npz",
                   __doc__.splitlines()[0])
