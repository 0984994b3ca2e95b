# SPDX-License-Identifier: BSD-3-Clause
"""Objects of the environment's file, as far as a script changes them: the file is read when the scene is loaded."""

from __future__ import annotations

from typing import Any, Dict, List, NoReturn, Optional, Sequence

from . import session
from .body import Physical
from .bpyobject import GameSettings
from .errors import BuilderError
from .origins import said
from .places import warn_of_degrees
from .precision import kept_property, kept_vector
from .values import not_negative, number, plain, vector

AXES = ("x", "y", "z")


class EnvironmentObject(Physical):
    """What a script says of an object that the environment's file has; it cannot be asked what the file says."""

    is_imported = True

    def __init__(self, name: str) -> None:
        self._name = name
        self._place: Dict[str, List[float]] = {}
        self._properties: Dict[str, Any] = {}
        self._game: Dict[str, Any] = {}
        self._visible: Optional[bool] = None
        self._origins: Dict[str, Optional[session.Origin]] = {}
        self.origin = session.origin()
        self.game = GameSettings(self)

    @property
    def name(self) -> str:
        """As in the file."""
        return self._name

    def own_name(self) -> str:
        """As in the file."""
        return self._name

    @property
    def _bpy_object(self) -> EnvironmentObject:
        return self

    def _unknown(self, what: str) -> NoReturn:
        raise BuilderError(
            "%s.%s: what the file of the environment says is not known before the scene is loaded; set it, "
            "or add to it by translate() and rotate()" % (self._name, what)
        )

    def _set(self, key: str, value: Sequence[float], what: str) -> None:
        self._origins[key] = session.origin()
        self._place[key] = kept_vector(vector(value, "%s.%s" % (self._name, what)))

    @property
    def location(self) -> Sequence[float]:
        """The place, m, once it was set."""
        return self._place["position"] if "position" in self._place else self._unknown("location")

    @location.setter
    def location(self, value: Sequence[float]) -> None:
        self._set("position", value, "location")
        self._place.pop("move", None)

    @property
    def rotation_euler(self) -> Sequence[float]:
        """Roll, pitch and yaw, rad, once they were set."""
        return self._place["rotation"] if "rotation" in self._place else self._unknown("rotation_euler")

    @rotation_euler.setter
    def rotation_euler(self, value: Sequence[float]) -> None:
        self._set("rotation", value, "rotation_euler")
        self._place.pop("turn", None)

    @property
    def scale(self) -> Sequence[float]:
        """Along its axes, once it was set: of a box half of its size, m, as Blender's cube is one of 2 m."""
        return self._place["scale"] if "scale" in self._place else self._unknown("scale")

    @scale.setter
    def scale(self, value: Sequence[float]) -> None:
        where = "%s.scale" % self._name
        self._set("scale", [not_negative(factor, where) for factor in vector(value, where)], "scale")

    @property
    def hide_render(self) -> bool:
        """Whether cameras pass it over, once it was set."""
        return not self._visible if self._visible is not None else self._unknown("hide_render")

    @hide_render.setter
    def hide_render(self, value: bool) -> None:
        self._visible = not value

    def translate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        """Adds to the position, in metres."""
        self._add("move", "position", (x, y, z), "translate")

    def rotate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        """Adds to the angles roll, pitch and yaw, in radians."""
        warn_of_degrees(self._name, (x, y, z))
        self._add("turn", "rotation", (x, y, z), "rotate")

    def _add(self, key: str, known: str, by: Sequence[float], what: str) -> None:
        target = known if known in self._place else key
        old = self._place.get(target, [0.0, 0.0, 0.0])
        more = [number(value, "%s.%s: %s" % (self._name, what, axis)) for value, axis in zip(by, AXES)]
        self._set(target, [a + b for a, b in zip(old, more)], what)

    def properties(self, **kwargs: Any) -> None:
        """Sets properties of any type that JSON has."""
        for name, value in kwargs.items():
            self._origins["properties." + name] = session.origin()
            label = "%s.%s" % (self._name, name)
            self._properties[name] = kept_property(plain(value, label), label)

    def property_value(self, name: str) -> Any:
        """What the script has set; None: nothing."""
        return self._game.get(name, self._properties.get(name))

    def describe_properties(self) -> Dict[str, Any]:
        """What the script has set, as the scene has it."""
        start = "properties."
        origins = {key[len(start) :]: where for key, where in self._origins.items() if key.startswith(start)}
        return said({key: self._properties[key] for key in sorted(self._properties)}, self.origin, origins)

    def describe(self) -> Dict[str, Any]:
        """The change, as the scene has it; the name alone asks for the object."""
        scene: Dict[str, Any] = {"name": self._name, **self._place, "visible": self._visible}
        scene.update(body=self.describe_body(), properties=self.describe_properties())
        scene = {key: value for key, value in scene.items() if value not in (None, {})}
        return said(scene, self.origin, self._origins)


def get(name: str) -> EnvironmentObject:
    """The object of that name, of which the host knows whether the file has it."""
    environment = session.current().environment
    assert environment is not None
    return environment.changes.setdefault(name, EnvironmentObject(name))
