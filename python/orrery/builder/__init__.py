# SPDX-License-Identifier: BSD-3-Clause
"""Builder scripts: describe a scene in Python, in the words of MORSE's builder.

Inside the builder's own process this package also bears the name `morse.builder`. The classes of
robots, sensors and actuators are those that `orrery plugins` lists.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
from typing import Any, List

from . import blenderobjects, bpy_standin, bpymorse, carried, classes
from .abstractcomponent import AbstractComponent, timer
from .blenderobjects import (
    Camera,
    Cone,
    Coordsys,
    Cube,
    Cylinder,
    Empty,
    IcoSphere,
    Mesh,
    Plane,
    Sphere,
    Spot,
    Torus,
)
from .configuration import Configuration
from .creator import Actuator, ActuatorCreator, ComponentCreator, Sensor, SensorCreator
from .environment import Environment, TimeStrategies
from .errors import BuilderError, MissingError
from .inside import new_scene
from .morsebuilder import Component, GroundRobot, PassiveObject, Robot, WheeledRobot
from .zone import Zone

_OWN = [
    "AbstractComponent",
    "Actuator",
    "ActuatorCreator",
    "BuilderError",
    "Component",
    "ComponentCreator",
    "Configuration",
    "Environment",
    "GroundRobot",
    "MissingError",
    "PassiveObject",
    "Robot",
    "Sensor",
    "SensorCreator",
    "TimeStrategies",
    "WheeledRobot",
    "Zone",
    "bpymorse",
    "math",
    "mathutils",
    "new_scene",
    "os",
    "sys",
    "timer",
]


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted({*_OWN, *carried.SHAPES, *carried.PACKAGE, *classes.names()})
    if name == "mathutils":
        return _load_mathutils()
    if name in carried.PACKAGE:
        return carried.find("", name)
    try:
        return classes.get(__name__, name)
    except AttributeError as error:
        # By name: type checkers take `orrery` for its stubs, which have none of this.
        missing = importlib.import_module("orrery._missing")
        raise (missing.as_import(__name__, name, str(error)) or error) from None


def __dir__() -> List[str]:
    names: List[str] = __getattr__("__all__")
    return names


def _load_mathutils() -> Any:
    """Vectors and matrices in the words of Blender: its own module, else ours."""
    try:
        import mathutils
    except ImportError:
        return bpy_standin.make_mathutils()
    return mathutils


carried.install(__name__)
