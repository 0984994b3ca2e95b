# SPDX-License-Identifier: BSD-3-Clause
"""The classes that scripts name, made on demand from the list of plugins."""

from . import session
from .creator import ActuatorCreator, SensorCreator
from .errors import hint
from .morsebuilder import Robot

_BASES = {"sensor": SensorCreator, "actuator": ActuatorCreator, "robot": Robot}
_made = {}  # (catalogue, name) -> class


def names(role=None):
    """The names on offer, of one role or of all."""
    components = session.current().catalogue.components()
    return sorted(name for name, info in components.items() if role in (None, info.role))


def get(module, name, role=None):
    """The class of that last name; an AttributeError with the nearest ones if there is none.

    Only a name with a capital can be one: Python asks for modules and its own attributes here too.
    """
    if not name[0].isupper():
        raise AttributeError("module %r has no attribute %r" % (module, name))
    catalogue = session.current().catalogue
    info = catalogue.components().get(name)
    if info is None or role not in (None, info.role):
        raise AttributeError("no class %s among the plugins%s" % (name, hint(name, names(role))))
    made = _made.get((catalogue, name))
    if made is None:
        made = _made[(catalogue, name)] = _make(info)
    return made


def _create_laser_arc(self):
    """Nothing: the fan of rays is made of the properties, whenever they were set."""


def _make(info):
    if info.role == "robot":

        def __init__(self, name=None):
            Robot.__init__(self, name=name)

        members = {"_classpath": info.classpath, "__init__": __init__}
    else:
        members = {"_classpath": info.classpath}
        if "scan_window" in info.properties:
            members["create_laser_arc"] = _create_laser_arc
    members["__module__"] = "%s.%ss" % (__package__, info.role)
    return type(info.name, (_BASES[info.role],), members)
