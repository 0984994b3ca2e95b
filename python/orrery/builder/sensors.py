# SPDX-License-Identifier: BSD-3-Clause
"""The sensors of the list of plugins, each by its last name."""

from . import classes
from .creator import Sensor, SensorCreator


def __getattr__(name):
    if name == "__all__":
        return classes.names("sensor") + ["Sensor", "SensorCreator"]
    return classes.get(__name__, name, "sensor")


def __dir__():
    return __getattr__("__all__")
