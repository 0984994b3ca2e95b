# SPDX-License-Identifier: BSD-3-Clause
"""The sensors of the list of plugins, each by its last name."""

from __future__ import annotations

from typing import Any, List

from . import classes
from .creator import Sensor, SensorCreator


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return classes.names("sensor") + ["Sensor", "SensorCreator"]
    return classes.get(__name__, name, "sensor")


def __dir__() -> List[str]:
    names: List[str] = __getattr__("__all__")
    return names
