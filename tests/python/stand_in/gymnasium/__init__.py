# SPDX-License-Identifier: BSD-3-Clause
"""What orrery.gym uses of Gymnasium 1.1, as its documents describe it, with the checks that they promise."""

import numpy

from . import spaces, vector  # noqa: F401

__version__ = "1.1.0"


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    spec = None
    _np_random = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            assert isinstance(seed, int) and seed >= 0, seed
            self._np_random = numpy.random.default_rng(seed)

    @property
    def np_random(self):
        return self._np_random

    @property
    def unwrapped(self):
        return self
