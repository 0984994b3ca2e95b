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

# An installed package is a link: the other one lies beside what it leads to.
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PACKAGE = os.path.join(ROOT, "morse")
STAND_INS = {"mathutils": "orrery.morse.mathutils", "bge": "orrery.morse.bge"}
# Packages of MORSE whose classes are in C here.
IN_C = ("morse.sensors.", "morse.actuators.", "morse.robots.", "morse.modifiers.", "morse.middleware.")


class Finder(importlib.abc.MetaPathFinder):
    """First of all: the package `morse`."""

    def find_spec(self, name, path=None, target=None):
        if name != "morse" or not os.path.isdir(PACKAGE):
            return None
        return importlib.util.spec_from_file_location(name, os.path.join(PACKAGE, "__init__.py"),
                                                      submodule_search_locations=[PACKAGE])


class LastFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """When nobody else has it: what stands in for Blender's modules, and words for what is in C."""

    def find_spec(self, name, path=None, target=None):
        if name in STAND_INS:
            return importlib.machinery.ModuleSpec(name, self)
        if name.startswith(IN_C):
            raise ModuleNotFoundError(
                "%s: its classes are written in C here, and none to derive from: a scene names them by their classpath "
                "(`orrery plugins`); for one of your own, take the module that you know along under another name "
                "(docs/morse-components.md)" % name, name=name)
        return None

    def create_module(self, spec):
        return importlib.import_module(STAND_INS[spec.name])

    def exec_module(self, module):
        """It has run under its own name."""


def install():
    """Once for each process."""
    if not any(type(each).__name__ == "Finder" and type(each).__module__ == __name__ for each in sys.meta_path):
        sys.meta_path.insert(0, Finder())
        sys.meta_path.append(LastFinder())


def is_ours():
    """Whether what has been imported as `morse` is the package of ours."""
    known = sys.modules.get("morse")
    return known is not None and PACKAGE in [os.path.realpath(path) for path in getattr(known, "__path__", ())]
