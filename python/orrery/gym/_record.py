# SPDX-License-Identifier: BSD-3-Clause
"""What the present episodes are made of, by which another process comes to where they are."""

import collections

import numpy

# Of the actions that are kept.
MAX_BYTES = 2 ** 26


class Record:
    """Seeds, numbers, first states and actions of all environments since their episodes began."""

    def __init__(self, n):
        # Actions of all environments, a matrix for each step; the number of the first step that is kept.
        self.steps, self.first, self.size = collections.deque(), 0, 0
        self.begun = numpy.full(n, -1, dtype=numpy.int64)  # the step that an episode begins before; -1: there is none
        self.starts = [None] * n

    def begin(self, rows, seeds, episodes, states):
        """Their episodes have begun. states: of the rows alone, as bytes or None."""
        for row, state in zip(rows, states):
            self.starts[row] = int(seeds[row]), int(episodes[row]), state
        self.begun[rows] = self.first + len(self.steps)
        running = self.begun[self.begun >= 0]
        while self.steps and self.first < running.min():
            self.forget_step()

    def forget(self, rows):
        self.begun[rows] = -1

    def forget_step(self):
        self.size -= self.steps.popleft().nbytes
        self.first += 1

    def keep(self, actions):
        """Those of a step that comes now."""
        self.steps.append(actions.copy())
        self.size += actions.nbytes
        # Who began before what is kept cannot be brought back.
        while self.size > MAX_BYTES:
            self.forget_step()

    def is_known(self, row):
        return self.begun[row] >= self.first

    def tell(self, row):
        """Seed, number and first state of the episode of a row, and its actions, a row for each step."""
        begun = int(self.begun[row]) - self.first
        return (*self.starts[row], numpy.array([step[row] for step in list(self.steps)[begun:]]))
