# SPDX-License-Identifier: BSD-3-Clause
"""Builder scripts: describe a scene in Python, in the words of MORSE's builder.

Inside the builder's own process this package also bears the name `morse.builder`. The classes of
robots, sensors and actuators are those that `orrery plugins` lists.
"""

import math
import os
import sys

from . import bpymorse, classes
from .abstractcomponent import AbstractComponent, timer
from .configuration import Configuration
from .creator import Actuator, ActuatorCreator, ComponentCreator, Sensor, SensorCreator
from .environment import Environment, TimeStrategies
from .errors import BuilderError, MissingError
from .morsebuilder import Component, GroundRobot, Robot, WheeledRobot
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
    "Robot",
    "Sensor",
    "SensorCreator",
    "TimeStrategies",
    "WheeledRobot",
    "Zone",
    "bpymorse",
    "math",
    "os",
    "sys",
    "timer",
]


def __getattr__(name):
    if name == "__all__":
        return sorted(set(_OWN) | set(classes.names()))
    return classes.get(__name__, name)


def __dir__():
    return __getattr__("__all__")
