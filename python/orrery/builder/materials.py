# SPDX-License-Identifier: BSD-3-Clause
"""Materials in Blender's words: a script makes one, gives it a colour, and puts it on things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Union

from . import session
from .precision import kept_vector
from .values import vector

if TYPE_CHECKING:
    from .abstractcomponent import AbstractComponent

#: Blender's colour of a new material.
GREY = (0.8, 0.8, 0.8)


class Material:
    """A colour with a name; what has it is painted with the colour that it has in the end."""

    def __init__(self, name: str, is_made: bool = True) -> None:
        self._set("name", name)
        self._set("_color", list(GREY))
        self._set("_is_made", is_made)
        self._set("_users", [])

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "diffuse_color":
            color = list(value) if hasattr(value, "__iter__") else value
            where = self.name + ".diffuse_color"
            # Since Blender 2.8 a fourth number says how opaque it is.
            parts = kept_vector(vector(color[:3] if isinstance(color, list) else color, where))
            self._set("_color", [min(max(part, 0.0), 1.0) for part in parts])
            for user in self._users:
                user.paint(*self._color)
            if not self._is_made:
                session.current().file_materials[self.name] = self
            return
        why = "of a material the colour counts, diffuse_color"
        session.current().warn(("material", self.name, name), "%s.%s has no effect: %s" % (self.name, name, why))
        self._set(name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None  # of Blender's settings none is known

    @property
    def diffuse_color(self) -> Sequence[float]:
        """Red, green and blue, each from 0 to 1."""
        return tuple(self._color)

    def give(self, component: AbstractComponent) -> None:
        """Puts it on what is drawn of a component."""
        if component not in self._users:
            self._users.append(component)
        component.paint(*self._color)


class Materials:
    """All materials, as `bpy.data.materials`."""

    def new(self, name: str = "Material") -> Material:
        """Makes one; of a name that is taken, one of the next names."""
        known = session.current().materials
        count, own = 0, name
        while own in known:
            count += 1
            own = "%s.%03d" % (name, count)
        known[own] = Material(own)
        return known[own]

    def __getitem__(self, key: Union[int, str]) -> Material:
        known = session.current().materials
        if isinstance(key, int):
            return list(known.values())[key]
        if key not in known:
            # One of a file, which the host reads; it warns if no file has it.
            return session.current().file_materials.get(key) or Material(str(key), is_made=False)
        return known[key]

    def get(self, name: str, default: Any = None) -> Any:
        """The one of that name that the script has made, or `default`."""
        return session.current().materials.get(name, default)

    def remove(self, material: Material, **settings: Any) -> None:
        """Forgets one; what has it keeps its colour."""
        session.current().materials.pop(material.name, None)

    def keys(self) -> List[str]:
        """The names of those that the script has made."""
        return list(session.current().materials)

    def values(self) -> List[Material]:
        """Those that the script has made."""
        return list(session.current().materials.values())

    def items(self) -> List[Any]:
        """Names and materials."""
        return list(session.current().materials.items())

    def __contains__(self, name: object) -> bool:
        return name in session.current().materials

    def __iter__(self) -> Iterator[Material]:
        return iter(self.values())

    def __len__(self) -> int:
        return len(session.current().materials)


def describe() -> List[Dict[str, Any]]:
    """The materials of files whose colours the script has set."""
    return [{"name": each.name, "color": list(each._color)} for each in session.current().file_materials.values()]


class Worn:
    """The materials of one object: `object.data.materials`."""

    def __init__(self, component: AbstractComponent) -> None:
        self._component = component

    def _all(self) -> List[Material]:
        return [each for each in Materials() if self._component in each._users]

    def append(self, material: Optional[Material]) -> None:
        """Puts one on the object; the last one counts."""
        self.clear()
        if material is not None:
            material.give(self._component)

    def clear(self) -> None:
        """Takes all off."""
        for each in self._all():
            each._users.remove(self._component)

    def __getitem__(self, index: int) -> Material:
        return self._all()[index]

    def __setitem__(self, index: int, material: Material) -> None:
        self.append(material)

    def __iter__(self) -> Iterator[Material]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    @property
    def active(self) -> Optional[Material]:
        """The one that it has; None without."""
        found = self._all()
        return found[-1] if found else None
