# SPDX-License-Identifier: BSD-3-Clause
"""The robots of the list of plugins, each by its last name."""

from __future__ import annotations

from typing import Any, List

from . import classes
from .morsebuilder import GroundRobot, Robot, WheeledRobot


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return classes.names("robot") + ["GroundRobot", "Robot", "WheeledRobot"]
    return classes.get(__name__, name, "robot")


def __dir__() -> List[str]:
    names: List[str] = __getattr__("__all__")
    return names
