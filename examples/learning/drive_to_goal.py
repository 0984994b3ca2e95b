# SPDX-License-Identifier: BSD-3-Clause
"""A robot learns to drive to a goal among crates, by what its laser sees: an evolution strategy in NumPy.

    orrery python drive_to_goal.py [--seeds 1 2 3] [--plot FILE.png] [--film FILE.gif] [--processes 2]

The task is orrery.gym.tasks.drive_to_goal, in Gymnasium orrery/DriveToGoal-v0. The program
prints a line for each generation, with the return of the mean policy and how many of its episodes
reach the goal, and writes the policy to drive_to_goal.npz. The same seed gives the same numbers.
"""

import evolution
import numpy

from orrery.gym.tasks.drive_to_goal import GOAL, RANGE, make_vec

N_FEATURES = 9 + 4


def features(observations):
    """Where the goal is, seen from the robot, and how near things are."""
    pose = observations["pose"].astype(float)
    away = numpy.array(GOAL) - pose[:, :2]
    bearing = numpy.arctan2(away[:, 1], away[:, 0]) - pose[:, 2]
    near = 1 - observations["scan"].astype(float) / RANGE
    distance = numpy.hypot(*away.T)
    return numpy.column_stack([near, numpy.sin(bearing), numpy.cos(bearing), numpy.tanh(distance / 4),
                               numpy.ones(len(pose))])


def act(weights, observations):
    """A linear policy of its own for each environment. weights: environments times those of two actions"""
    told = numpy.tanh(numpy.einsum("eaf,ef->ea", weights.reshape(-1, 2, N_FEATURES), features(observations)))
    return numpy.column_stack([1 + told[:, 0], 2 * told[:, 1]])


def score(rewards, terminated):
    """Who reaches the goal."""
    return terminated & (rewards > 5)


def tell(generation, mean_return, mean_score, least_score):
    return "generation %2d: return %6.2f, %3.0f %% reach the goal" % (generation, mean_return, 100 * mean_score)


LEARNER = evolution.Learner(make_vec, act, 2 * N_FEATURES, score, view={"from_": (0.5, -9, 8), "at": (4, 0, 0)})

if __name__ == "__main__":
    evolution.main(LEARNER, 25, tell, "episodes that reach the goal, of 1", 1, "drive_to_goal.npz", __doc__.splitlines()[0])
