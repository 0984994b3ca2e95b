# SPDX-License-Identifier: BSD-3-Clause
"""Primitives: shapes, frames, lamps and cameras that stand by themselves or on a component.

Sizes are those of Blender's primitives; `scale` stretches them. They collide with nothing until
`set_physics_type` or `_bpy_object.game.physics_type` says so.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import geometry, session
from .abstractcomponent import AbstractComponent
from .body import Physical
from .errors import BuilderError
from .origins import Said
from .precision import kept, kept_vector
from .values import not_negative, number, one_of, positive, vector

__all__ = [
    "Camera",
    "Cone",
    "Coordsys",
    "Cube",
    "Cylinder",
    "Empty",
    "IcoSphere",
    "Mesh",
    "Plane",
    "Sphere",
    "Spot",
    "Torus",
]

#: Blender's kinds of lamps, and the scene's.
LAMPS = {"POINT": "point", "SUN": "sun", "SPOT": "spot", "HEMI": "sun", "AREA": "spot"}


class Thing(Physical, AbstractComponent):
    """What is no component: it may stand in the scene by itself, and has no record."""

    is_thing = True

    def __init__(self, name: Optional[str] = None) -> None:
        super().__init__(None, name)
        self._exportable = False


class Empty(Thing):
    """A frame without a shape."""


class Mesh(Thing):
    """A primitive; a subclass says its shape."""

    def __init__(self, name: Optional[str] = None) -> None:
        super().__init__(name)
        self._scale: List[float] = [1.0, 1.0, 1.0]
        self._color: Optional[List[float]] = None

    @property
    def scale(self) -> Sequence[float]:
        """How much it is stretched along its axes."""
        return tuple(self._scale)

    @scale.setter
    def scale(self, value: Sequence[float]) -> None:
        where = self.own_name() + ".scale"
        self._scale = [kept(not_negative(factor, where)) for factor in vector(value, where)]

    @property
    def dimensions(self) -> Sequence[float]:
        """Its full extents, m."""
        points = geometry.scaled(self.mesh(), self._scale)[0]
        return tuple(max(axis) - min(axis) for axis in zip(*points))

    def color(self, r: float = 0.1, g: float = 0.1, b: float = 0.1) -> None:
        """Its colour, each part from 0 to 1."""
        where = self.own_name() + ".color"
        parts = [kept(number(part, where)) for part in (r, g, b)]
        if not all(0 <= part <= 1 for part in parts):
            raise BuilderError("%s: want three numbers from 0 to 1, not %r" % (where, parts))
        self._color = parts

    def paint(self, r: float, g: float, b: float) -> None:
        """As `color`, which is its own."""
        self.color(r, g, b)

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        raise BuilderError("%s: a Mesh has no shape; use Cube, Sphere ..." % self.own_name())

    def shape(self) -> Optional[Dict[str, Any]]:
        """The stretched shape where the scene has a word for it; None: its points say it."""
        return None

    def describe_shapes(self) -> List[Dict[str, Any]]:
        """Its shape: solid where it has a body, by its hull where it moves."""
        kind = self._game.get("physics_type", "NO_COLLISION")
        shape = None if 0 in self._scale else self.shape()
        mesh = geometry.as_mesh(geometry.scaled(self.mesh(), self._scale))
        if not mesh["triangles"]:
            return []  # of a line nothing is seen, and nothing touches it
        color = {"color": self._color} if self._color is not None else {}
        if kind == "NO_COLLISION":
            return [{**(shape or mesh), **color, "solid": False}]
        if shape is None and kind in ("DYNAMIC", "RIGID_BODY"):
            hull = geometry.as_hull(geometry.scaled(self.mesh(), self._scale))
            return [hull, {**mesh, **color, "solid": False}]
        return [{**(shape or mesh), **color}]

    def has_margins(self) -> bool:
        """In scripts of `morse.builder` alone; in others it rests on what is seen."""
        return session.current().is_morse

    def _is_round(self) -> bool:
        return self._scale[0] == self._scale[1]


class Plane(Mesh):
    """A square of 2 m."""

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        return geometry.plane()


class Cube(Mesh):
    """A cube of 2 m."""

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        return geometry.cube()

    def shape(self) -> Optional[Dict[str, Any]]:
        """A box."""
        return {"kind": "box", "size": [2 * factor for factor in self._scale]}


class Sphere(Mesh):
    """A sphere of 1 m radius."""

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        return geometry.sphere()

    def shape(self) -> Optional[Dict[str, Any]]:
        """A sphere, where it is stretched alike along its axes."""
        if not self._is_round() or self._scale[0] != self._scale[2]:
            return None
        return {"kind": "sphere", "radius": self._scale[0]}


class IcoSphere(Sphere):
    """A sphere of 1 m radius; Blender makes it of other triangles."""


class Cylinder(Mesh):
    """A cylinder of 1 m radius and 2 m height."""

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        return geometry.cylinder()

    def shape(self) -> Optional[Dict[str, Any]]:
        """A cylinder, where it is round."""
        if not self._is_round():
            return None
        return {"kind": "cylinder", "radius": self._scale[0], "height": 2 * self._scale[2]}


class Cone(Mesh):
    """A cone of 1 m radius and 2 m height, its tip up."""

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        return geometry.cone()

    def shape(self) -> Optional[Dict[str, Any]]:
        """A cone, where it is round."""
        if not self._is_round():
            return None
        return {"kind": "cone", "radius": self._scale[0], "height": 2 * self._scale[2]}


class Torus(Mesh):
    """A torus of 1 m and 0.25 m radius, about z."""

    def mesh(self) -> Tuple[geometry.Points, geometry.Triangles]:
        """Points and triangles, not stretched."""
        return geometry.torus()


class Coordsys(Empty):
    """Three axes, for the eyes; here a frame."""


class Spot(Thing):
    """A lamp, at first a spot of 90 degrees along x that reaches 10 m."""

    def __init__(self, name: Optional[str] = None, lamp_type: str = "SPOT") -> None:
        super().__init__(name)
        kind = LAMPS[one_of(lamp_type, tuple(LAMPS), "Spot: lamp_type")]
        self._lamp: Dict[str, Any] = {"kind": kind, "distance": 10.0}
        if kind != "point":
            self._lamp["direction"] = [1.0, 0.0, 0.0]
        if kind == "spot":
            self._lamp["angle"] = math.pi / 2

    def lamp(
        self,
        energy: Optional[float] = None,
        color: Optional[Sequence[float]] = None,
        distance: Optional[float] = None,
        angle: Optional[float] = None,
    ) -> None:
        """Sets how bright it is, its colour, its reach (m) and the angle of its cone (rad)."""
        where = self.own_name() + ".lamp"
        if energy is not None:
            self._lamp["energy"] = kept(number(energy, where))
        if color is not None:
            self._lamp["color"] = kept_vector(vector(color, where))
        if distance is not None:
            self._lamp["distance"] = kept(positive(distance, where))
        if angle is not None:
            self._lamp["angle"] = kept(positive(angle, where))

    def set_color(self, r: float = 0.0, g: float = 0.0, b: float = 0.0) -> None:
        """The colour of its light."""
        self.lamp(color=(r, g, b))

    def describe(self) -> Said:
        """The lamp as an object of the scene file."""
        scene = super().describe()
        scene["lamp"] = self._lamp
        return scene


class Camera(Thing):
    """Blender's camera, which is for its window alone: here, where it would stand."""

    def __init__(self, name: Optional[str] = None) -> None:
        super().__init__(name)
        session.current().warn(
            "Camera", "a Camera shows nothing: there is no window; sensors are VideoCamera ..."
        )
