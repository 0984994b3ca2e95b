# SPDX-License-Identifier: BSD-3-Clause
"""A cart learns to balance a pole: an evolution strategy over the four numbers of a linear policy.

    orrery python balance_pole.py [--plot FILE.png]

The task is orrery.gym.tasks.balance_pole, in Gymnasium orrery/BalancePole-v0. The program prints a
line for each generation, with how long the mean policy keeps the pole up. The same seed gives the
same numbers. A plot needs Matplotlib.
"""

import argparse

import numpy

from orrery.gym.tasks.balance_pole import FORCE, make_vec


def play(env, weights, seeds):
    """One episode of each environment: returns, and steps. weights: environments times 4"""
    observations, _ = env.reset(seed=seeds)
    returns, steps = numpy.zeros(env.num_envs), numpy.zeros(env.num_envs)
    going = numpy.ones(env.num_envs, dtype=bool)
    while going.any():
        # Those that have ended begin anew, and no longer count.
        told = FORCE * numpy.tanh((observations * weights).sum(axis=1, keepdims=True))
        observations, rewards, terminated, truncated, _ = env.step(told)
        returns[going] += rewards[going]
        steps[going] += 1
        ended = terminated | truncated
        going &= ~ended
        if ended.any() and going.any():
            observations, _ = env.reset(options={"reset_mask": ended})
    return returns, steps


def train(generations=12, pairs=16, spread=1.0, rate=1.0, seed=1, tell=print):
    """Evolution strategy with mirrored samples and ranked returns (Salimans et al. 2017, arXiv:1703.03864).

    Returns the policy and, for each generation, mean and least number of steps of its episodes.
    """
    random = numpy.random.default_rng(seed)
    env = make_vec(2 * pairs, autoreset_mode="Disabled")
    mean, curve = numpy.zeros(4), []
    try:
        for generation in range(generations):
            noise = random.normal(size=(pairs, 4))
            noise = numpy.concatenate([noise, -noise])
            # Both of a pair begin with the same push.
            seeds = [1000 * generation + i for i in range(pairs)] * 2
            returns, _ = play(env, mean + spread * noise, seeds)
            ranks = returns.argsort().argsort() / (len(returns) - 1) - 0.5
            mean = mean + rate / (len(returns) * spread) * (ranks @ noise) * pairs ** 0.5
            _, steps = play(env, numpy.tile(mean, (2 * pairs, 1)), list(range(10 ** 6, 10 ** 6 + 2 * pairs)))
            curve.append((steps.mean(), steps.min()))
            tell("generation %2d: the pole is up for %5.1f of 500 steps, at least %3d" %
                 (generation + 1, steps.mean(), steps.min()))
    finally:
        env.close()
    return mean, numpy.array(curve)


def plot(curves, path):
    """curves: by seeds"""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
    for seed, curve in curves.items():
        axes.plot(range(1, len(curve) + 1), 0.02 * curve[:, 0], marker="o", markersize=3, label="seed %d" % seed)
    axes.set(xlabel="generation", ylabel="time that the pole is up, s (at most 10)", ylim=(0, 10.5))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--plot")
    arguments = parser.parse_args()
    learned = {seed: train(arguments.generations, seed=seed)[1] for seed in arguments.seeds}
    if arguments.plot:
        plot(learned, arguments.plot)
