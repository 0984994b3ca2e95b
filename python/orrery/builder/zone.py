# SPDX-License-Identifier: BSD-3-Clause
"""Places that mean something: where batteries are charged."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from . import session
from .abstractcomponent import AbstractComponent
from .errors import BuilderError
from .precision import kept
from .values import positive, vector

__all__ = ["Zone"]


class Zone(AbstractComponent):
    """A box along the axes of the world; `type` says what it is for, as `Charging`."""

    role = "zone"
    is_thing = True

    def __init__(self, type: str) -> None:
        if not isinstance(type, str) or not type:
            raise BuilderError("Zone: the type must be text, not %r" % (type,))
        super().__init__()
        self._half: List[float] = [1.0, 1.0, 1.0]
        self._exportable = False
        self.properties(Zone_Tag=True, Type=type)

    @property
    def size(self) -> Sequence[float]:
        """Half of the extent along each axis, in metres."""
        return tuple(self._half)

    @size.setter
    def size(self, value: Sequence[float]) -> None:
        self._set_size(value)

    def _set_size(self, value: Sequence[float]) -> None:
        where = self.own_name() + ".size"
        self._half = [kept(positive(half, where)) for half in vector(value, where)]

    @property
    def scale(self) -> Sequence[float]:
        """As `size`."""
        return self.size

    @scale.setter
    def scale(self, value: Sequence[float]) -> None:
        self._set_size(value)

    def rotate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        """Nothing: a zone lies along the axes of the world."""
        session.current().warn(
            ("rotate", self), "%s.rotate() has no effect: zones do not turn" % self.own_name()
        )

    def describe_shapes(self) -> List[Dict[str, Any]]:
        """The box."""
        return [{"kind": "box", "size": [2 * half for half in self._half], "solid": False}]
