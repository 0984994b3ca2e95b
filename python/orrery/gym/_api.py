# SPDX-License-Identifier: BSD-3-Clause
"""The classes of Gymnasium that environments are made of; where it is not installed, small ones that do the same."""

import collections
import enum

import numpy


def find_gymnasium():
    try:
        import gymnasium
        import gymnasium.vector
    except ImportError:
        return None
    # What came before 1.0 has another API of vectors.
    return gymnasium if int(gymnasium.__version__.split(".")[0]) >= 1 else None


gymnasium = find_gymnasium()
HAS_GYMNASIUM = gymnasium is not None


class OwnSpace:
    """What an observation or an action may be."""

    def __init__(self, shape, dtype, seed=None):
        self._shape = None if shape is None else tuple(int(length) for length in shape)
        self.dtype = None if dtype is None else numpy.dtype(dtype)
        self._np_random = None
        if seed is not None:
            self.seed(seed)

    @property
    def shape(self):
        return self._shape

    @property
    def np_random(self):
        if self._np_random is None:
            self.seed()
        return self._np_random

    def seed(self, seed=None):
        self._np_random = numpy.random.default_rng(seed)
        return seed

    def __contains__(self, value):
        return self.contains(value)


class OwnBox(OwnSpace):
    """An array of numbers from `low` to `high`, which may be infinite."""

    def __init__(self, low, high, shape=None, dtype=numpy.float32, seed=None):
        shape = numpy.broadcast(low, high).shape if shape is None else tuple(shape)
        super().__init__(shape, dtype, seed)
        self.low = numpy.broadcast_to(low, shape).astype(dtype)
        self.high = numpy.broadcast_to(high, shape).astype(dtype)
        if not (self.low <= self.high).all():
            raise ValueError("a Box whose low is above its high")
        self.bounded_below = numpy.isfinite(self.low)
        self.bounded_above = numpy.isfinite(self.high)

    def is_bounded(self, manner="both"):
        below, above = self.bounded_below.all(), self.bounded_above.all()
        return bool({"below": below, "above": above, "both": below and above}[manner])

    def sample(self, mask=None):
        """Within two bounds uniform, within one exponential, without any normal."""
        if mask is not None:
            raise ValueError("a Box takes no mask")
        random, below, above = self.np_random, self.bounded_below, self.bounded_above
        low, high = numpy.where(below, self.low, 0), numpy.where(above, self.high, 0)
        drawn = random.normal(size=self.shape)
        tail = random.exponential(size=self.shape)
        within = random.uniform(size=self.shape)
        drawn = numpy.where(below & ~above, low + tail, drawn)
        drawn = numpy.where(~below & above, high - tail, drawn)
        drawn = numpy.where(below & above, low + within * (high.astype(float) - low), drawn)
        return drawn.astype(self.dtype)

    def contains(self, value):
        if not isinstance(value, numpy.ndarray):
            try:
                value = numpy.asarray(value, dtype=self.dtype)
            except (TypeError, ValueError):
                return False
        return bool(numpy.can_cast(value.dtype, self.dtype) and value.shape == self.shape and
                    (value >= self.low).all() and (value <= self.high).all())

    def __eq__(self, other):
        return (isinstance(other, OwnBox) and self.shape == other.shape and self.dtype == other.dtype and
                numpy.array_equal(self.low, other.low) and numpy.array_equal(self.high, other.high))

    def __repr__(self):
        return "Box(%s, %s, %s, %s)" % (self.low.min(initial=numpy.inf), self.high.max(initial=-numpy.inf), self.shape,
                                        self.dtype)


class OwnDict(OwnSpace, collections.abc.Mapping):
    """Spaces by name."""

    def __init__(self, spaces=None, seed=None, **more):
        self.spaces = dict(spaces or {}, **more)
        super().__init__(None, None, seed)

    def seed(self, seed=None):
        super().seed(seed)
        for space in self.spaces.values():
            space.seed(int(self._np_random.integers(2 ** 31)))
        return seed

    def __getitem__(self, key):
        return self.spaces[key]

    def __iter__(self):
        return iter(self.spaces)

    def __len__(self):
        return len(self.spaces)

    def sample(self, mask=None):
        return {key: space.sample(None if mask is None else mask[key]) for key, space in self.spaces.items()}

    def contains(self, value):
        return (isinstance(value, dict) and value.keys() == self.spaces.keys() and
                all(value[key] in space for key, space in self.spaces.items()))

    def __repr__(self):
        return "Dict(%s)" % ", ".join("%r: %r" % item for item in self.spaces.items())


class OwnAutoresetMode(enum.Enum):
    """What follows the end of an episode."""

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class OwnEnv:
    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    @property
    def unwrapped(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()
        return False


class OwnVectorEnv(OwnEnv):
    closed = False

    def close(self, **options):
        if not self.closed:
            self.close_extras(**options)
            self.closed = True


if HAS_GYMNASIUM:
    Box, Dict = gymnasium.spaces.Box, gymnasium.spaces.Dict
    BaseEnv, BaseVectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
    AutoresetMode = getattr(gymnasium.vector, "AutoresetMode", OwnAutoresetMode)
else:
    Box, Dict = OwnBox, OwnDict
    BaseEnv, BaseVectorEnv = OwnEnv, OwnVectorEnv
    AutoresetMode = OwnAutoresetMode


def batch(space, n):
    """The space of n of them at once."""
    if hasattr(space, "spaces"):
        return Dict({key: batch(each, n) for key, each in space.spaces.items()})
    return Box(numpy.stack([space.low] * n), numpy.stack([space.high] * n), dtype=space.dtype)
