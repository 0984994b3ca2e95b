# SPDX-License-Identifier: BSD-3-Clause
"""The modules of MORSE below `morse`, made when they are imported: each has the names that MORSE's has, of `modules.txt`.

A name is what this package has of it, or a class in C, from which classes in Python can derive, or a stand-in, which can be
imported and complains when it is used. What is behind a name is looked up when the name is asked for.
"""

import importlib
import logging
import os
import re
import types

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "modules.txt")
TOP = "morse."
#: Modules of this package that have the names of MORSE's.
HOMES = {
    "core.abstractobject": "components", "core.actuator": "components", "core.blenderapi": "blenderapi",
    "core.datastream": "plugs", "core.exceptions": "errors", "core.mathutils": "mathutils", "core.morse_time": "helpers",
    "core.object": "components", "core.overlay": "plugs", "core.request_manager": "requests", "core.robot": "components",
    "core.sensor": "components", "core.services": "services", "core.status": "services", "core.zone": "zones",
    "helpers.colors": "colors", "helpers.components": "declarations", "helpers.coordinates": "coordinates", "helpers.filt2": "helpers",
    "helpers.loading": "helpers", "helpers.morse_logging": "helpers", "helpers.morse_math": "helpers",
    "helpers.passive_objects": "helpers zones", "helpers.statistics": "helpers", "helpers.transformation": "transformation",
    "helpers.velocity": "helpers", "middleware.abstract_datastream": "plugs", "middleware.mavlink.abstract_mavlink": "plugs",
    "middleware.ros.abstract_ros": "ros_streams plugs", "middleware.ros_request_manager": "ros", "middleware.socket_datastream": "plugs",
    "middleware.text_datastream": "plugs", "modifiers.abstract_modifier": "plugs"}
#: What MORSE's modules have of Python's own, as scripts that import it from there expect.
PYTHON = {
    "ABCMeta": "abc", "abstractmethod": "abc", "OrderedDict": "collections", "partial": "functools", "gauss": "random",
    "float_info": "sys", "maxsize": "sys", "sleep": "time", "Exception": "builtins", "MORSE_COMPONENTS": "orrery.builder.data", **{name: "math" for name in (
        "asin", "atan", "atan2", "copysign", "cos", "degrees", "fabs", "pi", "pow", "radians", "sin", "sqrt", "tan")}}
PYTHON_MODULES = ("PhysicsConstraints", "base64", "bge", "bpy", "copy", "ctypes", "datetime", "errno", "inspect", "itertools",
                  "json", "logging", "math", "numpy", "os", "random", "re", "select", "shutil", "signal", "socket", "struct",
                  "subprocess", "sys", "tempfile", "threading", "time", "types", "unittest", "uuid")
#: Values that say something without Blender.
VALUES = {
    "AIR_DENSITY": 1.225, "MOLAR_MASS": 0.0289644, "GAS_CONSTANT": 8.31447, "TEMPERATURE_LAPSE_RATE": 0.0065,
    "SEA_LEVEL_TEMP": 288.15, "BLENDER_HORIZONTAL_APERTURE": 32.0, "SERVER_HOST": "127.0.0.1", "SERVER_PORT": 4000,
    "MAX_TRIES": 10, "IN": "IN", "OUT": "OUT", "VERSION": "1.4", "PROJECT_STABLE": True}
ENTRY = re.compile(r"(\w+)(?:\(([\w,]*)\))?(@[\w.]*)?")


class Entry:
    """A name: whether it is a class, what it derives from, and its classpath in C."""

    def __init__(self, module, name, bases, path):
        self.module, self.name, self.is_class = module, name, bases is not None
        self.bases = [base for base in (bases or "").split(",") if base]
        self.classpath = path and "orrery." + (path[1:] or "%s.%s" % (module, name))


def read_table():
    """Module -> name -> entry."""
    table = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                module, _, names = line.partition(":")
                table[module] = {found[1]: Entry(module, *found.groups()) for found in ENTRY.finditer(names)}
    return table


class Modules:
    """The table, read at the first question."""

    def __init__(self):
        self._table = self._owners = None

    @property
    def table(self):
        if self._table is None:
            self._table = read_table()
            # The first that has a name of its own.
            self._owners = {name: entry for names in reversed(list(self._table.values())) for name, entry in names.items()}
        return self._table

    def has(self, module):
        return module in self.table

    def is_package(self, module):
        return any(other.startswith(module + ".") for other in self.table)

    def find(self, module, name):
        """The entry of a name that a module has, of its own or from another one of MORSE's."""
        own = self.table.get(module, {}).get(name)
        return own or self._owners.get(name)


modules = Modules()


def module_of(name):
    """A module of MORSE's by the last part of its name, as those that import it do: `status`, `blenderapi`."""
    for package in ("core", "helpers", "builder"):
        if modules.has("%s.%s" % (package, name)):
            return importlib.import_module("%s%s.%s" % (TOP, package, name))
    if name in ("morse", "services", "bpymorse"):
        return importlib.import_module({"morse": "morse", "bpymorse": "morse.builder.bpymorse"}.get(name, "morse.core.services"))
    return None


def look_up(module, name):
    """What `from morse.MODULE import NAME` gives; an AttributeError if MORSE has nothing of that name."""
    if name == "logger":
        return logging.getLogger("morse.morse." + module)
    entry = modules.find(module, name)
    for home in HOMES.get(entry.module if entry is not None else module, "").split():
        found = getattr(importlib.import_module("orrery.morse." + home), name, None)
        if found is not None:
            return found
    if entry is not None:
        return make(entry)
    found = module_of(name)
    if found is not None:
        return found
    if name in PYTHON:
        return getattr(importlib.import_module(PYTHON[name]), name)
    if name in PYTHON_MODULES:
        return importlib.import_module(name)
    raise AttributeError("module %r has no attribute %r" % (TOP + module, name))


made = {}


def make(entry):
    """A class that derives from one in C, or a stand-in."""
    from . import absent
    if entry.name in VALUES:
        return VALUES[entry.name]
    path = "%s%s.%s" % (TOP, entry.module, entry.name)
    if not entry.is_class:
        return (absent.StandIn if entry.module.startswith(("blender.", "core.blenderapi")) else absent.MorseName)(path)
    if path not in made:
        made[path] = absent.make_class(path, entry.classpath, [look_up(entry.module, base) for base in entry.bases])
    return made[path]


class Module(types.ModuleType):
    """One of MORSE's."""

    def __getattr__(self, name):
        below = self.__name__[len(TOP):]
        if name == "__all__":
            return [each for each in dir(self) if not each.startswith("_")]
        if name.startswith("__"):
            raise AttributeError(name)
        path = "%s.%s" % (below, name)
        if modules.has(path):
            return importlib.import_module(TOP + path)
        value = look_up(below, name)
        setattr(self, name, value)
        return value

    def __dir__(self):
        own = modules.table.get(self.__name__[len(TOP):], {})
        if self.__name__ == "morse.helpers.colors":
            return dir(importlib.import_module("orrery.morse.colors"))
        packages = [name[len(self.__name__[len(TOP):]) + 1:] for name in modules.table
                    if name.startswith(self.__name__[len(TOP):] + ".")]
        return sorted({*super().__dir__(), *own, *(name for name in packages if "." not in name)} | (
            {"logger", *USUAL} if own else set()))


class Blender(types.ModuleType):
    """One of Blender's that is not here."""

    __path__ = ()

    def __getattr__(self, name):
        from .absent import StandIn
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn("%s.%s" % (self.__name__, name))


#: What a star brings beside the names of the module itself: nearly all of MORSE's modules have these.
USUAL = ("add_data", "add_level", "add_property", "async_service", "blenderapi", "interruptible", "logging", "mathutils",
         "morse", "noninterruptible", "service", "status")
