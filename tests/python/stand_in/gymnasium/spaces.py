# SPDX-License-Identifier: BSD-3-Clause
"""Box and Dict, with the arguments that Gymnasium's take."""

import numpy


class Space:
    def __contains__(self, value):
        return self.contains(value)


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=numpy.float32, seed=None):
        assert isinstance(low, (int, float, numpy.ndarray)) and isinstance(high, (int, float, numpy.ndarray))
        self.shape = tuple(shape) if shape is not None else low.shape
        self.dtype = numpy.dtype(dtype)
        self.low = numpy.full(self.shape, low, dtype) if numpy.ndim(low) == 0 else low.astype(dtype)
        self.high = numpy.full(self.shape, high, dtype) if numpy.ndim(high) == 0 else high.astype(dtype)
        assert self.low.shape == self.high.shape == self.shape

    def contains(self, value):
        return isinstance(value, numpy.ndarray) and numpy.can_cast(value.dtype, self.dtype) and \
            value.shape == self.shape and bool((value >= self.low).all() and (value <= self.high).all())


class Dict(Space):
    def __init__(self, spaces):
        assert all(isinstance(key, str) and isinstance(space, Space) for key, space in spaces.items())
        self.spaces = dict(spaces)

    def contains(self, value):
        return isinstance(value, dict) and value.keys() == self.spaces.keys() and \
            all(value[key] in space for key, space in self.spaces.items())
