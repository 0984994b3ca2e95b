# SPDX-License-Identifier: BSD-3-Clause
"""Lets scripts find this package under MORSE's name, in the builder's process and nowhere else."""

from __future__ import annotations

import importlib
import importlib.util
import sys

from . import bpy_standin, session

BUILDER = str(__package__)
#: In MORSE modules of the package `robots`; here that is a module, which has the robots of all of them.
ROBOTS = ("morserobots", "human", "pr2")


def _notice() -> None:
    session.current().is_morse = True


def install() -> None:
    """Has `morse.builder` and its modules found by those that import them: a script of MORSE does."""
    names = importlib.import_module("orrery.morse.names")
    names.install()
    names.on_builder = _notice  # type: ignore[attr-defined]
    importlib.import_module("morse")
    sys.modules.setdefault("bpy", bpy_standin.make())
    if importlib.util.find_spec("mathutils") is None:
        sys.modules["mathutils"] = bpy_standin.make_mathutils()
    robots = importlib.import_module(BUILDER + ".robots")
    robots.__path__ = []  # else what is below it would not be looked for
    for name in ROBOTS:
        sys.modules["%s.robots.%s" % (BUILDER, name)] = robots
