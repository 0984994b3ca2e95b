# SPDX-License-Identifier: BSD-3-Clause
"""Lets components find what they import under MORSE's names: `morse`, and Blender's `mathutils` and `bge`.

`morse` is ours even where MORSE is installed, unless a program has imported that one before. `mathutils` and `bge` are
ours where there are no others.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

from . import modules

# An installed package is a link: the other one lies beside what it leads to.
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PACKAGE = os.path.join(ROOT, "morse")
STAND_INS = {"mathutils": "orrery.morse.mathutils", "bge": "orrery.morse.bge", "GameLogic": "orrery.morse.bge"}
# Of MORSE's builder modules below `robots`; here that is a module, which has the robots of all of them.
MERGED = {"builder.robots." + name: "builder.robots" for name in ("human", "morserobots", "pr2")}
# Other modules of Blender's, of which there is nothing here.
BLENDER = ("GameKeys", "GameTypes", "PhysicsConstraints", "Rasterizer", "VideoTexture", "aud", "bgl", "blf", "bmesh", "bpy",
           "bpy_extras", "freestyle")


def on_builder():
    """Called when somebody imports `morse.builder` for the first time; the builder puts its own function here."""


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """First of all: the package `morse`, and its modules."""

    def find_spec(self, name, path=None, target=None):
        if name == "morse" and os.path.isdir(PACKAGE):
            return importlib.util.spec_from_file_location(name, os.path.join(PACKAGE, "__init__.py"),
                                                          submodule_search_locations=[PACKAGE])
        below = name[len("morse."):]
        if not name.startswith("morse.") or not is_ours():
            return None
        if below.partition(".")[0] == "builder":
            is_there = below in MERGED or importlib.util.find_spec("orrery." + below) is not None
            return importlib.machinery.ModuleSpec(name, self, is_package=True) if is_there else None
        if not modules.modules.has(below):
            return None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=modules.modules.is_package(below))
        if spec.submodule_search_locations is not None:
            # What users put beside MORSE's own modules is found, too.
            spec.submodule_search_locations += [os.path.join(place, *below.split("."))
                                                for place in getattr(sys.modules["morse"], "__path__", ())]
        return spec

    def create_module(self, spec):
        return None if spec.name.startswith("morse.builder") else modules.Module(spec.name)

    def exec_module(self, module):
        name = module.__name__
        if name.startswith("morse.builder"):
            on_builder()
            below = name[len("morse."):]
            sys.modules[name] = importlib.import_module("orrery." + MERGED.get(below, below))


class LastFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """When nobody else has it: what stands in for Blender's modules."""

    def find_spec(self, name, path=None, target=None):
        if name in STAND_INS or name.partition(".")[0] in BLENDER:
            return importlib.machinery.ModuleSpec(name, self, is_package=name not in STAND_INS)
        return None

    def create_module(self, spec):
        if spec.name == "GameLogic":
            return importlib.import_module("orrery.morse.bge").logic
        if spec.name in STAND_INS:
            return importlib.import_module(STAND_INS[spec.name])
        return modules.Blender(spec.name)

    def exec_module(self, module):
        """There is nothing to run."""


def part_of_top(name):
    """An attribute of the package `morse`: a module below it."""
    if name == "builder" or modules.modules.has(name):
        return importlib.import_module("morse." + name)
    raise AttributeError("module 'morse' has no attribute %r" % name)


def install():
    """Once for each process."""
    if not any(type(each).__name__ == "Finder" and type(each).__module__ == __name__ for each in sys.meta_path):
        sys.meta_path.insert(0, Finder())
        sys.meta_path.append(LastFinder())


def is_ours():
    """Whether what has been imported as `morse` is the package of ours."""
    known = sys.modules.get("morse")
    return known is not None and PACKAGE in [os.path.realpath(path) for path in getattr(known, "__path__", ())]
