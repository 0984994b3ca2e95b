# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's client library as it is installed, with a cure: in Python 3.11 `dir()` of its components fails, and with it the
end of `with pymorse.Morse ()`. `orrery python` finds this module before that one.
"""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))


def load():
    others = [place for place in sys.path if os.path.realpath(place or os.curdir) != HERE]
    spec = importlib.machinery.PathFinder.find_spec("pymorse", others)
    if spec is None:
        raise ModuleNotFoundError("No module named 'pymorse'; Debian has it in python3-morse-simulator", name="pymorse")
    module = importlib.util.module_from_spec(spec)
    # Who imports this module gets that one.
    sys.modules["pymorse"] = module
    spec.loader.exec_module(module)
    component = getattr(module, "Component", None)
    if component is not None:
        component.__dir__ = lambda self: list(vars(self))


load()
