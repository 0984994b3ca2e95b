# SPDX-License-Identifier: BSD-3-Clause
"""What a process does that steps environments of `orrery.gym`, the learner's own or one of its workers."""

import os

import numpy

from ._values import GLib, Orrery, View

# In a worker, which steps environments and makes none.
in_worker = False
DONE_AGAIN = -1
# The exit code of a worker that has more memory than it may.
TOO_MUCH = 77


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


def restore(simulation, state):
    try:
        simulation.restore(state)
    except GLib.Error as error:
        raise GLib.Error("starts: %s" % error.message, error.domain, error.code) from None


def begin_episode(vector, i, seed, episode, state, on_reset, watch):
    """Of an episode: from the seed of its environment, its number and its state, so that nothing else matters.

    state: (nullable): a saved one to begin with. watch: called with i when there is a simulation, which
    may be another one than before.
    """
    sequence = numpy.random.SeedSequence([seed, episode])
    vector.rewind(i, int(sequence.generate_state(1, numpy.uint64)[0]))
    if state is not None:
        # It goes on with the random numbers of the seed.
        restore(vector.get_simulation(i), state)
    if on_reset is not None:
        on_reset(vector.get_simulation(i), numpy.random.default_rng(sequence))
    watch(i)
    vector.begin(i, 1 if on_reset is None else 2)


class Shared:
    """The arrays that a learner and its workers have in common, in one piece of memory.

    shapes: of the pictures of cameras, by name. rendered: (nullable): shape of what is rendered, which
    comes last: `size` has it, and `fixed_size`, which is all that is needed at once, has not.
    """

    def __init__(self, n, widths, shapes, rendered):
        observed, acted, results = widths
        self.members = {"observed": ((n, observed), numpy.float64), "acted": ((n, acted), numpy.float64),
                        "results": ((n, results), numpy.float64), "seeds": ((n,), numpy.uint64),
                        "episodes": ((n,), numpy.int64), "starts": ((n, 3), numpy.int64),
                        "held": ((n,), numpy.uint8), "begins": ((n,), numpy.uint8),
                        # Of an episode that is brought back: 0, then one more with each step, at last DONE_AGAIN;
                        # bytes that its process has more since.
                        "repeated": ((n,), numpy.int64), "grown": ((n,), numpy.int64)}
        self.members.update((("picture", name), ((n, *shape), numpy.uint8)) for name, shape in shapes.items())
        if rendered is not None:
            self.members["rendered"] = (n, *rendered), numpy.uint8
        self.places, self.size = {}, 0
        for name, (shape, kind) in self.members.items():
            self.places[name] = self.size
            # Each begins with a cache line of its own.
            self.size += -(-int(numpy.prod(shape, dtype=object)) * numpy.dtype(kind).itemsize // 64) * 64
        self.fixed_size = self.places.get("rendered", self.size)

    def look_at(self, memory):
        self.pictures = {}
        for name, (shape, kind) in self.members.items():
            array = numpy.ndarray(shape, kind, memory, self.places[name])
            if isinstance(name, tuple):
                self.pictures[name[1]] = array
            else:
                setattr(self, name, array)
