# SPDX-License-Identifier: BSD-3-Clause
"""The classes that scripts name, made on demand from the list of plugins."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Type

from . import morse_classes, session, special
from .abstractcomponent import AbstractComponent
from .catalogue import Catalogue, ClassInfo
from .creator import ActuatorCreator, SensorCreator
from .errors import hint
from .morsebuilder import GroundRobot, Robot, WheeledRobot

#: What MORSE has wheeled robots derive from.
WHEELED = "orrery.core.wheeled_robot.WheeledRobot"

_BASES: Dict[Optional[str], Type[AbstractComponent]] = {
    "sensor": SensorCreator,
    "actuator": ActuatorCreator,
    "robot": Robot,
}
_made: Dict[Tuple[Catalogue, str], Type[AbstractComponent]] = {}


def names(role: Optional[str] = None) -> List[str]:
    """The names on offer, of one role or of all: of plugins, and those of MORSE."""
    known = listed(role)
    for name, classpath in morse_classes.NAMES.items():
        if role in (None, morse_classes.ROLES[classpath]):
            known.append(name)
    known += [name for name, (kind, _) in special.COMPOSITES.items() if role in (None, kind)]
    known += [name for name, base in special.NAMED_BASES.items() if role in (None, base.role)]
    return sorted(set(known))


def listed(role: Optional[str] = None) -> List[str]:
    """The names of plugins, of one role or of all."""
    components = session.current().catalogue.components()
    return sorted(name for name, info in components.items() if role in (None, info.role))


def get(module: str, name: str, role: Optional[str] = None) -> Any:
    """The class of that last name; an AttributeError with the nearest ones if there is none.

    Only a name with a capital can be one: Python asks for modules and its own attributes here too.
    """
    if not name[0].isupper():
        raise AttributeError("module %r has no attribute %r" % (module, name))
    if name == "Robot":
        # The class of that name is what robots of files are.
        return Robot
    if name not in names(role):
        raise AttributeError(
            "no class %s among the plugins%s" % (name, hint(name, listed(role)))
        )
    return _find(name)


def _find(name: str) -> Type[AbstractComponent]:
    catalogue = session.current().catalogue
    made = _made.get((catalogue, name))
    if made is None:
        made = _made[(catalogue, name)] = _make_any(catalogue, name)
    return made


def _make_any(catalogue: Catalogue, name: str) -> Type[AbstractComponent]:
    # First of all, for scripts use their parts, which a class of the list keeps to itself.
    if name in special.COMPOSITES:
        return special.COMPOSITES[name][1](_find)
    if name in special.NAMED_BASES:
        return special.NAMED_BASES[name]
    info = catalogue.components().get(name)
    if info is not None:
        return _make(name, info, is_preset=False)
    return _make(name, catalogue.require(morse_classes.NAMES[name]), is_preset=True)


def _make(name: str, info: ClassInfo, is_preset: bool) -> Type[AbstractComponent]:
    """A class whose objects are of the class `info`; of MORSE's presets, with their settings."""
    extra = special.BASES.get(name)
    if extra is None and "scan_window" in info.properties:
        extra = special.LaserSensorWithArc
    if name in special.DERIVED:
        extra = _find(special.DERIVED[name])
    base = _base_robot(info) if info.role == "robot" else _BASES[info.role]
    bases = (base,) if extra is None else (extra, base)
    if extra is not None and issubclass(extra, base):
        bases = (extra,)
    members: Dict[str, Any] = {
        "__qualname__": name,
        "_classpath": info.classpath,
        "__module__": "%s.%ss" % (__package__, info.role),
        "__doc__": info.summary or "%s, of the class %s." % (name, info.classpath),
    }
    frequency: Optional[float] = None
    settings: Dict[str, Any] = dict(special.SETTINGS.get(name, {}))
    if is_preset and name in special.PRESETS:
        frequency, more = special.PRESETS[name]
        settings.update(more)
    if info.role == "robot" and extra is None:

        def __init__(self: Any, name: Optional[str] = None) -> None:
            Robot.__init__(self, name=name)

        members["__init__"] = __init__
    elif settings:

        def __init__(self: Any, name: Optional[str] = None) -> None:  # noqa: F811
            super(made, self).__init__(name)
            self.frequency(frequency)
            self.properties(**settings)

        members["__init__"] = __init__
    if "__init__" in members:
        # Python names it where arguments do not fit.
        members["__init__"].__qualname__ = name
    made: Type[AbstractComponent] = type(name, bases, members)
    return made


def _base_robot(info: ClassInfo) -> Type[AbstractComponent]:
    """MORSE's base of the robot: on wheels, on the ground, or anywhere."""
    catalogue = session.current().catalogue
    lineage = catalogue.lineage(info.classpath)
    if info.classpath == WHEELED:
        return Robot  # else it would derive from what has its own name
    if WHEELED in lineage:
        return WheeledRobot
    known = [catalogue.find(path) for path in lineage]
    is_ground = any(each is not None and each.properties.get("GroundRobot") for each in known)
    return GroundRobot if is_ground else Robot
