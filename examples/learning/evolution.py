# SPDX-License-Identifier: BSD-3-Clause
"""An evolution strategy in NumPy, and what the programs beside it have in common.

It is that with mirrored samples and ranked returns (Salimans et al. 2017, arXiv:1703.03864). In each
generation every environment plays one episode with a policy of its own: the mean policy and a bit of
noise. The mean then moves towards the policies whose episodes went well.
"""

import argparse
import os

import numpy

# Of a film, s.
BETWEEN_PICTURES = 0.1


class Learner:
    """How a task is learned.

    make_vec: as the tasks of orrery.gym have it. act: called with weights (environments times
    n_weights) and observations, returns actions. score: called with the rewards of a step and who has
    terminated, returns what that adds to the score of each episode. pairs: of policies that differ
    from the mean in opposite directions. spread: how much they differ. rate: how far the mean moves.
    view: of the camera of films, as `render ()` of a simulation has it.
    """

    def __init__(self, make_vec, act, n_weights, score, pairs=32, spread=0.6, rate=0.4, view=None):
        self.make_vec, self.act, self.n_weights, self.score = make_vec, act, n_weights, score
        self.view = dict({"size": (480, 320)}, **(view or {}))
        self.pairs, self.spread, self.rate = pairs, spread, rate

    def play(self, env, weights, seeds):
        """One episode of each environment: returns and scores."""
        observations, _ = env.reset(seed=seeds)
        returns, scores = numpy.zeros(env.num_envs), numpy.zeros(env.num_envs)
        going = numpy.ones(env.num_envs, dtype=bool)
        while going.any():
            # Those that have ended begin anew, and no longer count.
            observations, rewards, terminated, truncated, _ = env.step(self.act(weights, observations))
            returns[going] += rewards[going]
            scores[going] += self.score(rewards, terminated)[going]
            ended = terminated | truncated
            going &= ~ended
            if ended.any() and going.any():
                observations, _ = env.reset(options={"reset_mask": ended})
        return returns, scores

    def improve(self, env, mean, random, generation):
        """The mean policy of the next generation."""
        noise = random.normal(size=(self.pairs, self.n_weights))
        noise = numpy.concatenate([noise, -noise])
        # Both of a pair have the same start.
        seeds = [1000 * generation + i for i in range(self.pairs)] * 2
        returns, _ = self.play(env, mean + self.spread * noise, seeds)
        ranks = returns.argsort().argsort() / (len(returns) - 1) - 0.5
        return mean + self.rate / (len(returns) * self.spread) * (ranks @ noise) * self.pairs ** 0.5

    def train(self, generations, seed=1, tell=None, processes=None):
        """Returns the mean policy and, for each generation, its mean return, mean score and least score.

        They are those of episodes with other starts than those that it learns from. tell: called with
        the number of the generation and these three.
        """
        random = numpy.random.default_rng(seed)
        env = self.make_vec(2 * self.pairs, autoreset_mode="Disabled", processes=processes)
        mean, curve = numpy.zeros(self.n_weights), []
        try:
            for generation in range(generations):
                mean = self.improve(env, mean, random, generation)
                returns, scores = self.play(env, numpy.tile(mean, (env.num_envs, 1)),
                                            list(range(10 ** 6, 10 ** 6 + env.num_envs)))
                curve.append((returns.mean(), scores.mean(), scores.min()))
                if tell is not None:
                    tell(generation + 1, *curve[-1])
        finally:
            env.close()
        return mean, numpy.array(curve)


def show(path, learner, weights, seed=10 ** 6):
    """A film of an episode of a policy: the first of those that its score is the mean of."""
    from PIL import Image
    env = learner.make_vec(1, autoreset_mode="Disabled", render_mode="rgb_array", view=learner.view)
    observations, _ = env.reset(seed=seed)
    pictures, seen, ended = [], -numpy.inf, False
    while not ended:
        time = env.simulations[0].time
        if time >= seen + BETWEEN_PICTURES - 1e-6:
            pictures.append(Image.fromarray(env.render()[0]))
            seen = time
        observations, _, terminated, truncated, _ = env.step(learner.act(weights[None], observations))
        ended = terminated[0] or truncated[0]
    pictures.append(Image.fromarray(env.render()[0]))
    env.close()
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=int(1000 * BETWEEN_PICTURES), loop=0)


def plot(path, seeds, curves, label, limit):
    """The mean score of each generation, a line for each seed."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
    for seed, curve in zip(seeds, curves):
        axes.plot(range(1, len(curve) + 1), curve[:, 1], marker="o", markersize=3, label="seed %d" % seed)
    axes.set(xlabel="generation", ylabel=label, ylim=(0, 1.05 * limit))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def main(learner, generations, text, label, limit, policy, about):
    """The program: learns with each seed, and writes the policies and the figure.

    text: the line of a generation, of its number, mean return, mean score and least score. label: of
    the mean score in the figure, and limit, its greatest. policy: the file of policies.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--generations", type=int, default=generations, help="how many, %(default)s")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="of random numbers, 1; learns with each")
    parser.add_argument("--processes", type=int, help="that step the environments; without, the program itself does")
    parser.add_argument("--policy", default=policy, metavar="FILE.npz", help="what is learned, %(default)s")
    parser.add_argument("--plot", metavar="FILE.png", help="a figure of it, which needs Matplotlib")
    parser.add_argument("--film", metavar="FILE.gif", help="an episode of the last seed's policy, which needs Pillow")
    given = parser.parse_args()
    for path in given.policy, given.plot, given.film:
        # Before the learning, not after it.
        if path is not None and not os.path.isdir(os.path.dirname(path) or "."):
            parser.error("%s: there is no such directory" % path)
    learned = []
    for seed in given.seeds:
        if len(given.seeds) > 1:
            print("seed %d" % seed)
        learned.append(learner.train(given.generations, seed, lambda *numbers: print(text(*numbers), flush=True),
                                     given.processes))
    policies, curves = zip(*learned)
    numpy.savez(given.policy, seeds=given.seeds, policies=policies, curves=curves)
    if given.plot:
        plot(given.plot, given.seeds, curves, label, limit)
    if given.film:
        show(given.film, learner, policies[-1])
