# SPDX-License-Identifier: BSD-3-Clause
"""Names of components: from the script's variables, then unique among siblings."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any, Container, Dict, Iterable, Optional, Set

from . import session

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runner.py")


def variable_of(frame: FrameType, thing: Any) -> Optional[str]:
    """The frame's name for the thing: a local variable, else an attribute of its `self`."""
    for name, value in list(frame.f_locals.items()):
        if value is thing:
            return name
    holder = frame.f_locals.get("self")
    for name, value in list(getattr(holder, "__dict__", {}).items()):
        if value is thing:
            return name
    return None


def environment_context(frame: Optional[FrameType]) -> Optional[FrameType]:
    """The frame whose variables name the roots: what called the outermost `__init__`."""
    outermost = frame
    while frame is not None and frame.f_code.co_filename != RUNNER:
        if frame.f_code.co_name == "__init__":
            outermost = frame
        frame = frame.f_back
    return outermost.f_back if outermost is not None else None


def frame_above(level: int) -> Optional[FrameType]:
    """The frame `level` calls above the function that asks; None past the last."""
    try:
        return sys._getframe(level + 1)
    except ValueError:
        return None


def name_roots(frame: Optional[FrameType]) -> None:
    """Gives each nameless root among the frame's variables the name of its variable."""
    for name, value in list(frame.f_locals.items()) if frame is not None else []:
        # Asked of the type: modules and other things may do work when they are asked for a name.
        if hasattr(type(value), "is_nameless_root") and value.is_nameless_root:
            value.name = name
            value.is_named = False


def unique(name: str, taken: Container[str], numbers: Dict[str, int]) -> str:
    """The name, or the first of name_001, name_002 ... that is not taken.

    `numbers` keeps how far each name has come: many of one name cost no more than many of several.
    """
    candidate = name
    number = numbers.get(name, 0)
    if number:
        candidate = "%s_%03d" % (name, number)
    while candidate in taken:
        number += 1
        candidate = "%s_%03d" % (name, number)
    numbers[name] = number
    return candidate


def settle(siblings: Iterable[Any], prefix: str = "") -> None:
    """Gives each component and all below it its final name and full name, in order."""
    taken: Set[str] = set()
    numbers: Dict[str, int] = {}
    for component in siblings:
        component.final_name = unique(component.own_name(), taken, numbers)
        # Behind the name of a variable or a class, loops count on numbers.
        if component.is_named and component.final_name != component.own_name():
            session.current().warn(
                ("name", component),
                "the name %s%s is taken; this one is %s%s"
                % (prefix, component.own_name(), prefix, component.final_name),
                component.origin,
            )
        taken.add(component.final_name)
        component.full_name = prefix + component.final_name
        settle(component.children, component.full_name + ".")
