# SPDX-License-Identifier: BSD-3-Clause
"""The helpers of MORSE's `bpymorse` that scripts use; what is for Blender alone says so once."""

from __future__ import annotations

from typing import Any, List, Union

from . import changes, session
from .abstractcomponent import AbstractComponent
from .changes import EnvironmentObject
from .environment import DEFAULT_FREQUENCY, DEFAULT_STEPS_MAX
from .errors import BuilderError, hint
from .window import CAMERAS, Viewer


def set_speed(
    fps: float = DEFAULT_FREQUENCY,
    logic_step_max: int = DEFAULT_STEPS_MAX,
    physics_step_max: int = DEFAULT_STEPS_MAX,
) -> None:
    """What Environment.simulator_frequency does; deprecated in MORSE."""
    state = session.current()
    state.speed = {
        "base_frequency": fps,
        "logic_step_max": logic_step_max,
        "physics_step_max": physics_step_max,
    }
    if state.environment is not None:
        state.environment.simulator_frequency(**state.speed)


def get_objects() -> List[AbstractComponent]:
    """All components, in the order of construction."""
    return list(session.current().components)


def get_object(name: str) -> Union[AbstractComponent, EnvironmentObject, Viewer]:
    """The component of that name, or of that full name; else an object of the environment's file.

    `Camera` is the viewer's.
    """
    for component in get_objects():
        if name in (component.name, component.own_name()):
            return component
    if name in CAMERAS:
        return Viewer(name)
    if session.current().environment is not None and isinstance(name, str) and name:
        return changes.get(name)
    names = [component.own_name() for component in get_objects()]
    raise BuilderError("no object %s in the scene%s" % (name, hint(name, names) if names else ""))


def properties(obj: Union[AbstractComponent, EnvironmentObject], **kwargs: Any) -> None:
    """Sets properties of an object."""
    obj.properties(**kwargs)


def delete(obj: Any) -> None:
    """Takes components out of the scene, with all that is below them."""
    state = session.current()
    for thing in obj if isinstance(obj, (list, tuple)) else [obj]:
        found = get_object(thing) if isinstance(thing, str) else thing
        if isinstance(found, EnvironmentObject):
            raise BuilderError(
                "delete: %s is no component; an object of the environment's file stays, and can be moved, "
                "hidden (hide_render) or set to NO_COLLISION" % found.name
            )
        if found.parent is not None:
            found.parent.children.remove(found)
        _forget(state, found)


def _forget(state: session.Session, component: AbstractComponent) -> None:
    for child in component.children:
        _forget(state, child)
    state.components.remove(component)
    for table in (state.datastream, state.modifier, state.service, *state.overlay.values()):
        table.pop(component, None)


def select_only(obj: Any) -> None:
    """Nothing: there is no editor in which to select."""


def deselect_all() -> None:
    """Nothing: there is no editor in which to select."""


def save(filepath: Any = None, check_existing: bool = False, compress: bool = True) -> None:
    """Nothing: `orrery build` keeps the scene."""
    _no_effect("save", "`orrery build` keeps the scene")


def fullscreen(fullscreen: bool = True) -> None:
    """Nothing: there is no window."""
    _no_effect("fullscreen", "there is no window")


def set_viewport(viewport_shade: str = "WIREFRAME", clip_end: float = 1000) -> None:
    """Nothing: there is no window."""
    _no_effect("set_viewport", "there is no window")


def set_viewport_perspective(perspective: str = "CAMERA") -> None:
    """Nothing: there is no window."""
    _no_effect("set_viewport_perspective", "there is no window")


def _no_effect(what: str, why: str) -> None:
    session.current().warn(what, "%s() has no effect: %s" % (what, why))
