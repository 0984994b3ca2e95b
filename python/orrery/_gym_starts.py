# SPDX-License-Identifier: BSD-3-Clause
"""Saved states that episodes of `orrery.gym` begin with, in the learner and in its workers."""

import collections.abc
import os

import numpy

# Of all states that are in use at a time.
MAX_BYTES = 2 ** 28


def check(state):
    if state is not None and not isinstance(state, (bytes, bytearray, memoryview)):
        raise ValueError("starts: a state is bytes, as save () returns them, or None, not %r" % type(state).__name__)
    state = None if state is None else bytes(state)
    if state is not None and not 0 < len(state) <= MAX_BYTES:
        raise ValueError("starts: a state of %d bytes: it has 1 to %d" % (len(state), MAX_BYTES))
    return state


class Starts:
    """Chooses the state that an episode begins with."""

    def __init__(self, given):
        self.function = given if callable(given) else None
        self.states = None
        if given is None or self.function is not None:
            return
        if isinstance(given, (str, bytes, bytearray)) or not isinstance(given, collections.abc.Sequence) or not given:
            raise ValueError("starts: a list of states, with one or more, or a function that returns one")
        self.states = [check(state) for state in given]
        if sum(len(state) for state in set(self.states) - {None}) > MAX_BYTES:
            raise ValueError("starts: the states have more than %d bytes" % MAX_BYTES)

    def choose(self, seed, episode):
        """Returns: (nullable): the state; None is the start of the scene."""
        if self.function is None and self.states is None:
            return None
        # Another stream than that of on_reset, whose numbers are then the same with starts and without.
        random = numpy.random.default_rng(numpy.random.SeedSequence([seed, episode], spawn_key=(1,)))
        if self.function is not None:
            return check(self.function(random))
        return self.states[int(random.integers(len(self.states)))]


class Store:
    """States for workers, each once, in memory that has no name. Where they are is in the memory of all.

    When it is full it begins anew, with another generation.
    """

    def __init__(self):
        self.fd = os.memfd_create("orrery-gym-starts", os.MFD_CLOEXEC)
        self.generation, self.size, self.places = 1, 0, {}

    def put(self, states):
        """states: of episodes that begin together. Returns: generation, offset and length of each; zeros of None"""
        wanted = set(states) - {None}
        if self.size + sum(len(state) for state in wanted - self.places.keys()) > MAX_BYTES:
            if sum(len(state) for state in wanted) > MAX_BYTES:
                raise ValueError("starts: the states have more than %d bytes" % MAX_BYTES)
            os.ftruncate(self.fd, 0)
            self.generation, self.size, self.places = self.generation + 1, 0, {}
        return [(0, 0, 0) if state is None else (self.generation, self.place(state), len(state)) for state in states]

    def place(self, state):
        if state not in self.places:
            os.posix_fallocate(self.fd, self.size, len(state))
            rest = memoryview(state)
            while rest:
                rest = rest[os.pwrite(self.fd, rest, self.size + len(state) - len(rest)):]
            self.places[state] = self.size
            self.size += len(state)
        return self.places[state]

    def close(self):
        os.close(self.fd)


class Reader:
    """What a worker has read of a store."""

    def __init__(self, fd):
        self.fd, self.generation, self.states = fd, 0, {}

    def read(self, generation, place, length):
        """Returns: (nullable): the state"""
        if length == 0:
            return None
        if generation != self.generation:
            self.generation, self.states = generation, {}
        if place not in self.states:
            parts = []
            while length > 0:
                part = os.pread(self.fd, length, place + sum(map(len, parts)))
                if not part:
                    raise EOFError
                parts.append(part)
                length -= len(part)
            self.states[place] = b"".join(parts)
        return self.states[place]
