# SPDX-License-Identifier: BSD-3-Clause
"""The robots of the list of plugins, each by its last name."""

from . import classes
from .morsebuilder import GroundRobot, Robot, WheeledRobot


def __getattr__(name):
    if name == "__all__":
        return classes.names("robot") + ["GroundRobot", "Robot", "WheeledRobot"]
    return classes.get(__name__, name, "robot")


def __dir__():
    return __getattr__("__all__")
