# SPDX-License-Identifier: BSD-3-Clause
"""`morse.core.blenderapi`: what components ask Blender's engine, as far as this host can answer.

The rest says so where it is used: a window, keys, cameras, constraints, materials.
"""

from . import mathutils  # noqa: F401
from . import stage as stages
from .errors import BlenderOnly
from .mathutils import Vector
from .scene_object import ObjectList

fake = False


def persistantstorage():
    """MORSE's tables of components, its clock, and what components leave there."""
    return stages.need().storage


class Scene:
    """The objects of the scene."""

    name = "S.MORSE_LOGIC"

    @property
    def objects(self):
        return ObjectList(stages.need().all_objects())

    @property
    def gravity(self):
        return gravity()

    def __getattr__(self, name):
        raise BlenderOnly("scene.%s" % name)


def scene():
    return Scene()


def get_scene_list():
    return [Scene()]


def get_scene_map():
    return {Scene.name: Scene()}


def gravity():
    """m/s2"""
    value = stages.need().world.get_gravity()
    return Vector((value.x, value.y, value.z))


class Environment:
    """The properties of the environment, where MORSE has its Scene_Script_Holder."""

    name = "Scene_Script_Holder"

    def __getitem__(self, name):
        value = stages.need().value(name)
        if value is None:
            raise KeyError("the environment has no property %s" % name)
        return value

    def get(self, name, default=None):
        return stages.need().value(name, default)

    def __contains__(self, name):
        return stages.need().value(name) is not None


def getssr():
    return Environment()


def getfrequency():
    """Hz of the ticks."""
    dt = stages.need().dt
    return 1.0 / dt if dt > 0.0 else 60.0


def clock_time():
    return stages.need().time


def frame_time():
    return stages.need().time


def getalwayssensors(obj):
    return []


def version():
    return 2, 77, 0


def isfastmode():
    return False


def hascameras():
    return False


def set_time_scale(time_scale):
    raise BlenderOnly("blenderapi.set_time_scale", "call the service set_time_scale of `time`")


def setfrequency(value):
    raise BlenderOnly("blenderapi.setfrequency", "the scene says the frequency")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise BlenderOnly("blenderapi.%s" % name)
