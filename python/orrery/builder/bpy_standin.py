# SPDX-License-Identifier: BSD-3-Clause
"""What `import bpy` gives: nothing of Blender, and a word about it at the first use."""

from __future__ import annotations

import sys
import types
from typing import Any

from . import session
from .errors import BuilderError
from .materials import Materials

#: What is set there is for the pictures that Blender makes.
WINDOW = ("bpy.context", "bpy.data.scenes", "bpy.data.screens", "bpy.data.worlds")


class Absent:
    """A name within bpy: whatever is done with it is an error that names it."""

    def __init__(self, path: str) -> None:
        object.__setattr__(self, "_path", path)

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise BuilderError(
            "%s: Blender is not here; scripts say the same through the builder: "
            "component.location, component._bpy_object.game, bpymorse.get_object (name)"
            % object.__getattribute__(self, "_path")
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if (object.__getattribute__(self, "_path"), name) == ("bpy.data", "materials"):
            return Materials()
        return Absent("%s.%s" % (object.__getattribute__(self, "_path"), name))

    def __setattr__(self, name: str, value: Any) -> None:
        path = object.__getattribute__(self, "_path")
        if not path.startswith(WINDOW):
            self._refuse()
        session.current().warn(
            path + "." + name, "%s.%s has no effect: there is no window" % (path, name)
        )

    __call__ = __getitem__ = __setitem__ = __iter__ = __len__ = _refuse
    __delitem__ = __delattr__ = __contains__ = __bool__ = _refuse


class Blender(types.ModuleType):
    """The module itself; it can be imported, with all that scripts take from it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent("bpy." + name)


def make() -> types.ModuleType:
    """A module to stand for bpy."""
    return Blender("bpy", __doc__)


def get() -> Any:
    """What scripts of this process import as bpy."""
    return sys.modules.setdefault("bpy", make())


class Mathutils(types.ModuleType):
    """The name `mathutils`; what stands behind it is loaded at the first use."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from orrery.morse import mathutils

        return getattr(mathutils, name)


def make_mathutils() -> types.ModuleType:
    """A module to stand for mathutils, where Blender's own is not installed."""
    return Mathutils("mathutils", "Vectors and matrices in the words of Blender.")
