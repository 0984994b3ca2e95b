# SPDX-License-Identifier: BSD-3-Clause
"""The actuators of the list of plugins, each by its last name."""

from . import classes
from .creator import Actuator, ActuatorCreator


def __getattr__(name):
    if name == "__all__":
        return classes.names("actuator") + ["Actuator", "ActuatorCreator"]
    return classes.get(__name__, name, "actuator")


def __dir__():
    return __getattr__("__all__")
