# SPDX-License-Identifier: BSD-3-Clause
"""The base class of vectors, and the names of the modes."""

import enum


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class VectorEnv:
    metadata = {}
    spec = None
    render_mode = None
    closed = False

    def close(self, **kwargs):
        if self.closed:
            return
        self.close_extras(**kwargs)
        self.closed = True

    def close_extras(self, **kwargs):
        raise NotImplementedError

    @property
    def unwrapped(self):
        return self
