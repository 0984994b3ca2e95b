# SPDX-License-Identifier: BSD-3-Clause
"""The few settings of Blender's objects that scripts reach for through `_bpy_object`."""

from . import session
from .errors import hint

LOCKS = tuple("lock_%s_%s" % (kind, axis) for kind in ("location", "rotation") for axis in "xyz")
SETTINGS = LOCKS + ("mass", "physics_type", "friction")
WITHOUT_EFFECT = ("use_actor",)


class GameSettings:
    """Physics of one component; each setting is a property of that name."""

    def __init__(self, component):
        object.__setattr__(self, "_component", component)

    def __setattr__(self, name, value):
        if name in WITHOUT_EFFECT:
            session.current().warn(
                "game." + name, "game.%s has no effect: every body can be sensed" % name
            )
        elif name in LOCKS:
            self._component.properties(**{name: bool(value)})
        elif name in SETTINGS:
            getattr(self._component, "set_" + name)(value)
        else:
            raise AttributeError("no setting game.%s%s" % (name, hint(name, SETTINGS)))

    def __getattr__(self, name):
        if name not in SETTINGS:
            raise AttributeError("no setting game.%s%s" % (name, hint(name, SETTINGS)))
        return self._component.property_value(name)


class BpyObject:
    """What stands for Blender's object: its name, its place, its physics."""

    def __init__(self, component):
        self._component = component
        self.game = GameSettings(component)

    @property
    def name(self):
        return self._component.name

    @property
    def location(self):
        return self._component.location

    @property
    def rotation_euler(self):
        return self._component.rotation_euler
