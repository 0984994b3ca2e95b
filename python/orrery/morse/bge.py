# SPDX-License-Identifier: BSD-3-Clause
"""`bge`: Blender's game engine, as far as `blenderapi` can stand for it."""

from . import blenderapi
from .absent import StandIn


class Part:
    """A module of bge."""

    def __init__(self, name, known):
        self.__dict__.update(known)
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn("bge.%s.%s" % (self._name, name))


logic = Part("logic", {"getCurrentScene": blenderapi.scene, "getSceneList": blenderapi.get_scene_list,
                       "getLogicTicRate": blenderapi.getfrequency, "getClockTime": blenderapi.clock_time,
                       "getFrameTime": blenderapi.frame_time})
events, constraints, render, texture = (Part(name, {}) for name in ("events", "constraints", "render", "texture"))
types = Part("types", {})
