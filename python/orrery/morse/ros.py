# SPDX-License-Identifier: BSD-3-Clause
"""What gives methods a type of ROS, so that services and actions of ROS have it."""

import functools

from .services import async_service, service


def is_message(value):
    """Whether it is one of genpy's messages: known by what they have, without genpy."""
    return hasattr(type(value), "_md5sum") and hasattr(type(value), "_slot_types") and hasattr(value, "__slots__")


def fill(message, values):
    """A message of genpy from the values of its fields."""
    for name, value in values.items():
        inner = getattr(message, name)
        if is_message(inner):
            fill(inner, value)
        elif hasattr(inner, "from_sec"):
            setattr(message, name, inner.from_sec(value))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            from genpy.message import get_message_class
            spelled = message._slot_types[message.__slots__.index(name)]
            kind = get_message_class(spelled.partition("[")[0])
            setattr(message, name, [fill(kind(), item) for item in value])
        else:
            setattr(message, name, value)
    return message


def ros_service(fn=None, component=None, name=None, type=None):  # noqa: A002
    """Makes a method a service of that type: it takes the fields of the request, and returns a response."""
    if fn is None:
        return functools.partial(ros_service, component=component, name=name, type=type)
    made = service(fn, component, name)
    made._morse_ros_type = getattr(type, "_type", None)
    return made


def ros_action(fn=None, component=None, name=None, type=None):  # noqa: A002
    """Makes a method an action of that type: it takes the goal, and `completed` gives a result."""
    if fn is None:
        return functools.partial(ros_action, component=component, name=name, type=type)

    @functools.wraps(fn)
    def start(self, goal):
        goal = goal if type is None or is_message(goal) else fill(type().action_goal.goal, goal)
        return fn(self, goal)
    made = async_service(start, component, name)
    if type is not None:
        made._morse_ros_type = type._type[:-len("Action")] if type._type.endswith("Action") else type._type
    return made
