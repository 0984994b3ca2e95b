#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the type hints of builder scripts: builder.py PROGRAM DIRECTORY

The classes that scripts name are made when they are named, of the list of plugins, which no checker sees: here they are
written down, as that list has them now. All else is read by checkers in the builder's own modules. Scripts that say
`from morse.builder import *` find the same under that name.
"""

import inspect
import os
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, SOURCE)
sys.dont_write_bytecode = True

import json  # noqa: E402

import orrery.builder as builder  # noqa: E402
from orrery.builder import carried, catalogue, classes, session  # noqa: E402

ROLES = {"sensors": ("sensor", ["Sensor", "SensorCreator"]), "actuators": ("actuator", ["Actuator", "ActuatorCreator"]),
         "robots": ("robot", [])}
BASES = {"SensorCreator": "creator", "ActuatorCreator": "creator", "Robot": "morsebuilder"}
#: What scripts may import under MORSE's name; of the others they have no use.
OF_MORSE = ("abstractcomponent", "actuators", "blenderobjects", "bpymorse", "creator", "environment", "morsebuilder",
            "robots", "sensors")
WRITTEN = "# Written by python/stubs/builder.py from the list of plugins.\n"


def base_of(cls):
    """How a stub names the base of a class."""
    if cls.__module__ == "orrery.builder.special":
        return "special." + cls.__name__
    return cls.__name__


def describe(cls):
    """The class as a stub has it: bases, words, and what it has beside them."""
    lines = ["", "class %s(%s):" % (cls.__name__, ", ".join(base_of(base) for base in cls.__bases__))]
    words = (cls.__doc__ or "").splitlines()
    if words:
        lines.append("    %r" % words[0])
    for name, hint in vars(cls).get("__annotations__", {}).items():
        lines.append("    %s: %s" % (name, hint))
    for name, value in vars(cls).items():
        if inspect.isfunction(value) and (name == "__init__" or not name.startswith("_")):
            lines.append("    def %s(%s) -> %s: ..." % (name, arguments(value), value.__annotations__["return"]))
    return lines if len(lines) > 2 else lines + ["    ..."]


def arguments(function):
    parameters = inspect.signature(function).parameters.values()
    given = []
    for parameter in parameters:
        # The first is self, of any type in functions that are made.
        hint = parameter.empty if not given else parameter.annotation
        text = str(parameter.replace(annotation=parameter.empty))
        name, equals, default = text.partition("=")
        given.append(text if hint is parameter.empty else
                     "%s: %s%s" % (name, hint, " = " + default if equals else ""))
    return ", ".join(given)


def offer(names):
    return ["__all__ = %r" % sorted(names)]


def make_role(module, role, creators):
    """The stub of `sensors`, `actuators` or `robots`."""
    names = [name for name in classes.names(role) if name != "Robot"]
    lines = ["from typing import Any, Dict, List, Optional, Sequence", "from . import special",
             "from .abstractcomponent import AbstractComponent", "from .creator import %s" % ", ".join(creators)
             if creators else "from .morsebuilder import GroundRobot, Robot", *offer(names + creators + ([] if creators else ["Robot"]))]
    for name in names:
        lines += describe(classes.get(module, name, role))
    return lines


def make_package():
    """The stub of the package, with all names that a star brings."""
    known = builder.__all__
    homes = {name: module for module, (role, _) in ROLES.items() for name in classes.names(role)}
    lines = ["import math as math", "import os as os", "import sys as sys", "from typing import Any",
             "from . import bpymorse as bpymorse"]
    for name in sorted(set(known) - {"math", "os", "sys", "bpymorse", "mathutils", *carried.PACKAGE}):
        own = vars(builder).get(name)
        module = homes[name] if own is None else own.__module__.rpartition(".")[2]
        lines.append("from .%s import %s as %s" % (module, name, name))
    return [*lines, *("%s: Any" % name for name in ("mathutils", *carried.PACKAGE)), *offer(known)]


def write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(WRITTEN + "".join(line + "\n" for line in lines))


def main():
    program, directory = sys.argv[1:3]
    listed = subprocess.run([program, "plugins", "--json"], check=True, stdout=subprocess.PIPE).stdout
    session.begin(catalogue.Catalogue(json.loads(listed)))
    assert set(carried.SHAPES) <= set(builder.__all__)
    for module, (role, creators) in ROLES.items():
        write(os.path.join(directory, "orrery/builder", module + ".pyi"), make_role(module, role, creators))
    for module in OF_MORSE:
        write(os.path.join(directory, "morse/builder", module + ".pyi"), ["from orrery.builder.%s import *" % module])
    write(os.path.join(directory, "morse/builder/__init__.pyi"), ["from orrery.builder import *"])
    write(os.path.join(directory, "morse/__init__.pyi"), [])
    # What is not here may be in an installed MORSE.
    with open(os.path.join(directory, "morse/py.typed"), "w", encoding="utf-8") as stream:
        stream.write("partial\n")
    # Last: by it `make` knows that all are there.
    write(os.path.join(directory, "orrery/builder/__init__.pyi"), make_package())


if __name__ == "__main__":
    main()
