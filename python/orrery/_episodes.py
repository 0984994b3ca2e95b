# SPDX-License-Identifier: BSD-3-Clause
"""What a process does that steps environments of `orrery.gym`, the learner's own or one of its workers."""

import os

import numpy

from ._values import Orrery, View

# In a worker, which steps environments and makes none.
in_worker = False


def load_vector(scene, plugin_dirs, options, n, layout):
    """n simulations; layout: fields that are observed, fields of actions, expressions."""
    registry = Orrery.Registry.new()
    for directory in plugin_dirs:
        registry.add_directory(os.fspath(directory))
    return Orrery.Vector.new(registry, os.fspath(scene), Orrery.Options(**options), n, *layout)


def look(buffer, writable=False):
    """A view of what the library writes, or reads."""
    if buffer.get_size() == 0:
        return numpy.zeros(tuple(buffer.get_length(i) for i in range(buffer.get_n_dimensions())))
    view = View(buffer)
    view.__array_interface__["data"] = (buffer.get_address(), not writable)
    return numpy.asarray(view)


def begin_episode(vector, i, seed, episode, on_reset, watch=None):
    """Of an episode: from the seed of its environment and its number, so that nothing else matters.

    watch: (nullable): called with i when there is a simulation, which may be another one than before.
    """
    sequence = numpy.random.SeedSequence([seed, episode])
    vector.rewind(i, int(sequence.generate_state(1, numpy.uint64)[0]))
    if on_reset is not None:
        on_reset(vector.get_simulation(i), numpy.random.default_rng(sequence))
    if watch is not None:
        watch(i)
    vector.begin(i, 1 if on_reset is None else 2)


class Shared:
    """The arrays that a learner and its workers have in common, in one piece of memory."""

    def __init__(self, n, widths):
        observed, acted, results = widths
        self.members = {"observed": ((n, observed), numpy.float64), "acted": ((n, acted), numpy.float64),
                        "results": ((n, results), numpy.float64), "seeds": ((n,), numpy.uint64),
                        "episodes": ((n,), numpy.int64), "held": ((n,), numpy.uint8), "begins": ((n,), numpy.uint8)}
        self.places, self.size = {}, 0
        for name, (shape, kind) in self.members.items():
            self.places[name] = self.size
            # Each begins with a cache line of its own.
            self.size += -(-int(numpy.prod(shape, dtype=object)) * numpy.dtype(kind).itemsize // 64) * 64

    def look_at(self, memory):
        for name, (shape, kind) in self.members.items():
            setattr(self, name, numpy.ndarray(shape, kind, memory, self.places[name]))
