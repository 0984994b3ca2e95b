# SPDX-License-Identifier: BSD-3-Clause
"""The helpers of MORSE's `bpymorse` that scripts use and that mean something without Blender."""

from . import session
from .environment import DEFAULT_FREQUENCY, DEFAULT_STEPS_MAX
from .errors import BuilderError


def set_speed(
    fps=DEFAULT_FREQUENCY, logic_step_max=DEFAULT_STEPS_MAX, physics_step_max=DEFAULT_STEPS_MAX
):
    """What Environment.simulator_frequency does; deprecated in MORSE."""
    state = session.current()
    state.speed = {
        "base_frequency": fps,
        "logic_step_max": logic_step_max,
        "physics_step_max": physics_step_max,
    }
    if state.environment is not None:
        state.environment.simulator_frequency(**state.speed)


def get_objects():
    """All components, in the order of construction."""
    return list(session.current().components)


def get_object(name):
    """The component of that name, or of that full name."""
    for component in get_objects():
        if name in (component.name, component.own_name()):
            return component
    raise BuilderError("no object %s in the scene" % name)


def properties(obj, **kwargs):
    """Sets properties of a component."""
    obj.properties(**kwargs)


def fullscreen(fullscreen=True):
    session.current().warn("fullscreen", "fullscreen() has no effect: there is no window")


def set_viewport(viewport_shade="WIREFRAME", clip_end=1000):
    session.current().warn("set_viewport", "set_viewport() has no effect: there is no window")
