# SPDX-License-Identifier: BSD-3-Clause
"""Names that MORSE's modules of the builder have beside what they define, for scripts that import them from there."""

from __future__ import annotations

import importlib
import logging
from types import ModuleType
from typing import Any, Callable, Dict, List

ERRORS = (
    "MorseBuilderError",
    "MorseBuilderNoComponentError",
    "MorseBuilderUnexportableError",
    "MorseBuilderBadSyntaxError",
    "MorseEnvironmentError",
    "MorseError",
    "MorseMethodNotFoundError",
    "MorseMiddlewareError",
    "MorseMultinodeError",
    "MorseRPCInvokationError",
    "MorseRPCNbArgsError",
    "MorseRPCTypeError",
    "MorseServiceAlreadyRunningError",
    "MorseServiceError",
    "MorseWrongArgsError",
)
HELPERS = ("get_class", "load_module_attribute")
MODULES = ("copy", "logging", "math", "os", "pprint", "sys")
SHAPES = ("Camera", "Cone", "Coordsys", "Cube", "Cylinder", "Empty", "IcoSphere", "Mesh", "Plane", "Sphere", "Spot", "Torus")
BASES = ("AbstractComponent", "Component", "Configuration", "GroundRobot", "PassiveObject", "Robot", "WheeledRobot", "Zone", "timer")
TABLES = (
    "INTERFACE_DEFAULT_IN",
    "INTERFACE_DEFAULT_OUT",
    "MORSE_COMPONENTS",
    "MORSE_DATASTREAM_DICT",
    "MORSE_DATASTREAM_MODULE",
    "MORSE_MODIFIER_DICT",
    "MORSE_RESOURCE_PATH",
    "MORSE_SERVICE_DICT",
)
CREATORS = ("ActuatorCreator", "ComponentCreator", "SensorCreator")
BUILDER = ("logging", "sys", "math", "bpymorse", "Cube", "morse_excepthook", *ERRORS)
#: What a star brings from the package beside what is its own.
PACKAGE = ("logger", "logging", "morse_excepthook", "pprint", "MORSE_DATASTREAM_MODULE", *ERRORS)
#: The module that brings all of the package.
ROBOTS = "robots"

#: Module -> what a star brings from MORSE's.
NAMES: Dict[str, List[str]] = {
    "abstractcomponent": ["bpymorse", "logging", "os", "pprint", "copy", *ERRORS[:3:2], *HELPERS, *TABLES],
    "actuators": ["logging", *CREATORS[:2], "AbstractComponent", "bpymorse", "math", "MorseBuilderError", *SHAPES],
    "blenderobjects": ["math", "AbstractComponent", "bpymorse"],
    "bpymorse": ["logging", "MorseBuilderNoComponentError"],
    "creator": ["AbstractComponent", "bpymorse", "logging", *ERRORS],
    "data": ["os", *TABLES],
    "environment": ["os", "pprint", "mathutils", "MORSE_DATASTREAM_MODULE", *BASES, *BUILDER],
    "morsebuilder": [*BUILDER, "Zone"],
    "robots": ["logging", "bpymorse", "Armature", "ArmaturePose"],
    "sensors": ["logging", "math", "SensorCreator", "bpymorse", "AbstractComponent", *SHAPES],
}


def find(module: str, name: str) -> Any:
    """What MORSE's module has under that name; an AttributeError if it has nothing."""
    if name == "logger":
        return logging.getLogger(("morse.morse.builder." + module).rstrip("."))
    if name not in NAMES.get(module, PACKAGE) and name not in (_package() if module == ROBOTS else ()):
        raise AttributeError("module %r has no attribute %r" % ("morse.builder." + module, name))
    if name in MODULES:
        return importlib.import_module(name)
    if name == "morse_excepthook":
        return importlib.import_module("sys").excepthook
    for group, place in ((ERRORS, "orrery.morse.errors"), (HELPERS, "orrery.morse.helpers"), (TABLES, "orrery.builder.data")):
        if name in group:
            return getattr(importlib.import_module(place), name)
    return getattr(importlib.import_module("orrery.builder"), name)


def _package() -> List[str]:
    return list(importlib.import_module("orrery.builder").__dir__())


def _answer(module: ModuleType) -> Callable[[str], Any]:
    """A `__getattr__` for the module: its own answers count first."""
    short = module.__name__.rpartition(".")[2]
    own = vars(module).get("__getattr__")

    def answer(name: str) -> Any:
        if name == "__all__":
            more = _package() if short == ROBOTS else []
            return sorted({*own(name), *NAMES[short], *more, "logger"}) if own else None
        if own is None:
            return find(short, name)
        try:
            return own(name)
        except AttributeError as error:
            try:
                return find(short, name)
            except AttributeError:
                raise error from None

    return answer


def install(package: str) -> None:
    """Gives the modules of the builder these names, too."""
    for short, names in NAMES.items():
        module = importlib.import_module("%s.%s" % (package, short))
        is_made = "__getattr__" in vars(module)  # what such a module has is known when it is asked
        if not is_made:
            public = vars(module).get("__all__") or [name for name in vars(module) if not name.startswith("_")]
            setattr(module, "__all__", sorted({*public, *names, "logger"}))
        setattr(module, "__getattr__", _answer(module))
