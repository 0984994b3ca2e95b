# SPDX-License-Identifier: BSD-3-Clause
"""An arm learns to bring its hand to a goal, by the speeds of its joints: an evolution strategy in NumPy.

    orrery python reach.py [--seeds 1 2 3] [--plot FILE.png] [--film FILE.gif] [--processes 2]

The task is orrery.gym.tasks.reach, in Gymnasium orrery/Reach-v0. The program prints a line for each
generation, with the return of the mean policy and how many of its episodes reach the goal, and writes
the policy to reach.npz. The same seed gives the same numbers.
"""

import evolution
import numpy

from orrery.gym.tasks.reach import SPEED, make_vec

N_WEIGHTS = 7


def features(observations):
    """Where the goal is, seen from the hand: to the side, rad; outwards and upwards, 0.2 m."""
    joints, hand, goal = (observations[name].astype(float) for name in ("joints", "hand", "goal"))
    side = numpy.arctan2(goal[:, 1], goal[:, 0]) - joints[:, 0]
    outwards = numpy.hypot(goal[:, 0], goal[:, 1]) - numpy.hypot(hand[:, 0], hand[:, 1])
    return side, 5 * outwards, 5 * (goal[:, 2] - hand[:, 2])


def act(weights, observations):
    """A linear policy of its own for each environment: the turret turns to the side, the other two lift and bend."""
    side, outwards, upwards = features(observations)
    plane = numpy.column_stack([outwards, upwards, numpy.ones(len(side))])
    lift, bend = (numpy.einsum("ef,ef->e", weights[:, first:first + 3], plane) for first in (1, 4))
    return SPEED * numpy.tanh(numpy.column_stack([weights[:, 0] * side, lift, bend]))


def score(rewards, terminated):
    """Who reaches the goal, the only way in which this task terminates."""
    return terminated


def tell(generation, mean_return, mean_score, least_score):
    return "generation %2d: return %6.2f, %3.0f %% reach the goal" % (generation, mean_return, 100 * mean_score)


LEARNER = evolution.Learner(make_vec, act, N_WEIGHTS, score, pairs=16, spread=1.0, rate=1.0,
                            view={"from_": (1, -1.2, 0.9), "at": (0.2, 0, 0.3)})

if __name__ == "__main__":
    evolution.main(LEARNER, 12, tell, "episodes that reach the goal, of 1", 1, "reach.npz", __doc__.splitlines()[0])
