# SPDX-License-Identifier: BSD-3-Clause
"""Lets scripts find this package under MORSE's name, in the builder's process and nowhere else."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any, Optional

from . import bpy_standin, session

BUILDER = str(__package__)
MORSE = "morse.builder"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
#: In MORSE modules of the package `robots`; here that is a module, which has the robots of all of them.
ROBOTS = ("morserobots", "human", "pr2")


class Names(MetaPathFinder, Loader):
    """Finds each module of the builder as MORSE calls it; who asks for one is a script of MORSE."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """Of `morse.builder` and of what there is below it."""
        if name != MORSE and not name.startswith(MORSE + "."):
            return None
        own = BUILDER + name[len(MORSE) :]
        if own not in sys.modules and importlib.util.find_spec(own) is None:
            return None
        session.current().is_morse = True
        return ModuleSpec(name, self)

    def exec_module(self, module: types.ModuleType) -> None:
        """Puts the builder's module in the place of the new one."""
        name = module.__name__
        sys.modules[name] = importlib.import_module(BUILDER + name[len(MORSE) :])


def install() -> None:
    """Has `morse.builder` and its modules found by those that import them."""
    morse = types.ModuleType("morse", "MORSE's names, as Orrery's builder offers them.")
    morse.__path__ = [os.path.join(ROOT, "morse")]
    sys.modules["morse"] = morse
    sys.meta_path.insert(0, Names())
    sys.modules.setdefault("bpy", bpy_standin.make())
    if importlib.util.find_spec("mathutils") is None:
        sys.modules["mathutils"] = bpy_standin.make_mathutils()
    robots = importlib.import_module(BUILDER + ".robots")
    robots.__path__ = []  # else what is below it would not be looked for
    for name in ROBOTS:
        sys.modules["%s.robots.%s" % (BUILDER, name)] = robots
