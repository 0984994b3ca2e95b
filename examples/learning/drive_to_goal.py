# SPDX-License-Identifier: BSD-3-Clause
"""A robot learns to drive to a goal among crates, by what its laser sees: an evolution strategy in NumPy.

    orrery python drive_to_goal.py

The task is orrery.gym.tasks.drive_to_goal, in Gymnasium orrery/DriveToGoal-v0. The program
prints a line for each generation, with the return of the mean policy and how many of its episodes
reach the goal, and writes the policy to drive_to_goal.npz. The same seed gives the same numbers.
"""

import argparse

import numpy

from orrery.gym.tasks.drive_to_goal import GOAL, RANGE, make_vec

N_FEATURES = 9 + 4
N_WEIGHTS = 2 * N_FEATURES


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
    """A linear policy of its own for each environment. weights: environments times N_WEIGHTS"""
    told = numpy.tanh(numpy.einsum("eaf,ef->ea", weights.reshape(-1, 2, N_FEATURES), features(observations)))
    return numpy.column_stack([1 + told[:, 0], 2 * told[:, 1]])


def play(env, weights, seeds):
    """One episode of each environment: returns, and who reached the goal."""
    observations, _ = env.reset(seed=seeds)
    returns, going = numpy.zeros(env.num_envs), numpy.ones(env.num_envs, dtype=bool)
    reached = numpy.zeros(env.num_envs, dtype=bool)
    while going.any():
        # Those that have ended begin anew, and no longer count.
        observations, rewards, terminated, truncated, _ = env.step(act(weights, observations))
        returns[going] += rewards[going]
        reached |= going & terminated & (rewards > 5)
        ended = terminated | truncated
        going &= ~ended
        if ended.any() and going.any():
            observations, _ = env.reset(options={"reset_mask": ended})
    return returns, reached


def train(generations=25, pairs=32, spread=0.6, rate=0.4, seed=1, tell=print):
    """Evolution strategy with mirrored samples and ranked returns (Salimans et al. 2017, arXiv:1703.03864)."""
    random = numpy.random.default_rng(seed)
    env = make_vec(2 * pairs, autoreset_mode="Disabled")
    mean, curve = numpy.zeros(N_WEIGHTS), []
    try:
        for generation in range(generations):
            noise = random.normal(size=(pairs, N_WEIGHTS))
            noise = numpy.concatenate([noise, -noise])
            # Both of a pair begin at the same place.
            seeds = [1000 * generation + i for i in range(pairs)] * 2
            returns, _ = play(env, mean + spread * noise, seeds)
            ranks = returns.argsort().argsort() / (len(returns) - 1) - 0.5
            mean = mean + rate / (len(returns) * spread) * (ranks @ noise) * pairs ** 0.5
            returns, reached = play(env, numpy.tile(mean, (2 * pairs, 1)), list(range(10 ** 6, 10 ** 6 + 2 * pairs)))
            curve.append((returns.mean(), reached.mean()))
            tell("generation %2d: return %6.2f, %3.0f %% reach the goal" %
                 (generation + 1, returns.mean(), 100 * reached.mean()))
    finally:
        env.close()
    return mean, numpy.array(curve)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    policy, learned = train(arguments.generations, seed=arguments.seed)
    numpy.savez("drive_to_goal.npz", policy=policy, curve=learned)
