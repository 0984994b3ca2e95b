# SPDX-License-Identifier: BSD-3-Clause
"""Lets scripts find this package under MORSE's name, in the builder's process and nowhere else."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types

from . import bpy_standin

BUILDER = str(__package__)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def install() -> None:
    """Enters `morse.builder` and its modules among those that are imported already."""
    morse = types.ModuleType("morse", "MORSE's names, as Orrery's builder offers them.")
    morse.__path__ = [os.path.join(ROOT, "morse")]
    sys.modules["morse"] = morse
    builder = importlib.import_module(BUILDER)
    sys.modules.setdefault("bpy", bpy_standin.make())
    if importlib.util.find_spec("mathutils") is None:
        sys.modules["mathutils"] = bpy_standin.make_mathutils()
    setattr(morse, "builder", builder)
    sys.modules["morse.builder"] = builder
    for file in sorted(os.listdir(builder.__path__[0])):
        name, suffix = os.path.splitext(file)
        if suffix == ".py" and not name.startswith("__"):
            sys.modules["morse.builder." + name] = importlib.import_module(BUILDER + "." + name)
    # In MORSE a package; here a module, which has the robots of all of them.
    for name in ("morserobots", "human", "pr2"):
        for package in ("morse.builder", BUILDER):
            sys.modules["%s.robots.%s" % (package, name)] = sys.modules["morse.builder.robots"]
