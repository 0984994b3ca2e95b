# SPDX-License-Identifier: BSD-3-Clause
"""Places and angles that write themselves back, as those of Blender's objects do."""

from __future__ import annotations

import importlib
import math
from typing import Any, Callable, Sequence

from . import session

# By name: it has no type hints, which checkers would ask for.
mathutils: Any = importlib.import_module("orrery.morse.mathutils")

Told = Callable[[Any], None]


def warn_of_degrees(name: str, angles: Sequence[float]) -> None:
    """Warns of an angle of more than a whole turn: it was meant in degrees."""
    for axis, angle in zip("xyz", angles):
        if abs(angle) > 2 * math.pi + 1e-6:
            session.current().warn(
                ("degrees", session.origin()),
                "%s.rotate: %s=%g is more than a whole turn; angles are in radians: math.radians(%g)"
                % (name, axis, angle, angle),
            )


class _Equal:
    """What holds the same numbers is equal, whatever keeps them."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        try:
            return list(self) == list(other)  # type: ignore[call-overload, no-any-return]
        except TypeError:
            return NotImplemented


class Place(_Equal, mathutils.Vector):  # type: ignore[misc]
    """Three numbers; `told` is called at each change."""

    __slots__ = ()

    def __init__(self, values: Sequence[float], told: Told) -> None:
        super().__init__(values)
        self._owner = told  # type: ignore[misc]


class Angles(_Equal, mathutils.Euler):  # type: ignore[misc]
    """Three angles about x, y and z; `told` is called at each change."""

    __slots__ = ()

    def __init__(self, values: Sequence[float], told: Told) -> None:
        super().__init__(values)
        self._owner = told  # type: ignore[misc]
